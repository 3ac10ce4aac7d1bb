//! Forward proofs where positions can repeat and a player may make several plies running.
//!
//! A minimax value is of no use where play may never end, so this search asks yes-or-no questions
//! only: can the player to move force a win within this many plies, or the opponent? Both answers hold
//! whatever else is true of the position. Asked for one ply more each time, they prove wins and losses
//! with their exact distances; what no question settles stays unknown, draws too.
//!
//! The rules say in which plies a player can win at all ([`Game::last_win`]), so most questions are
//! answered without looking, and moves that answered the last question of the same size are tried
//! first.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use dashmap::DashMap;
use greenwave_game::{Edge, Figures, Game, Luck, Outcome, Outcomes, Plies};
use greenwave_values::parallel::map_parts;
use greenwave_values::{Progress, Unit};

use crate::search::slot_bytes;
use crate::{SearchBudget, SearchResult, SearchVerdict, SearchedMove, SolveError};

// Questions of fewer plies are answered again rather than remembered.
const REMEMBERED: u32 = 3;
// No question asks for more plies.
const LONGEST: u32 = 10_000;

// What is known of a position: bounds in plies on a forced win of the player to move and of the
// opponent.
#[derive(Clone, Copy)]
struct ProofBounds {
    wins: PlyBounds,
    loses: PlyBounds,
}

#[derive(Clone, Copy)]
struct PlyBounds {
    // Not within this many plies.
    not: u16,
    // Within this many plies.
    yes: u16,
}

const NOTHING: ProofBounds = ProofBounds {
    wins: PlyBounds {
        not: 0,
        yes: u16::MAX,
    },
    loses: PlyBounds {
        not: 0,
        yes: u16::MAX,
    },
};

impl PlyBounds {
    fn answer(self, within: u32) -> Option<bool> {
        if u32::from(self.yes) <= within {
            Some(true)
        } else if u32::from(self.not) >= within {
            Some(false)
        } else {
            None
        }
    }

    fn learn(&mut self, within: u32, answer: bool) {
        let within = within as u16;
        if answer {
            self.yes = self.yes.min(within);
        } else {
            self.not = self.not.max(within);
        }
    }
}

// The kind of question about a position.
#[derive(Clone, Copy, PartialEq)]
enum ProofGoal {
    // Can the player to move force a win?
    Wins,
    // Can the opponent?
    Loses,
}

impl ProofGoal {
    // The same question, asked of a child.
    fn below(self, keeps_turn: bool) -> ProofGoal {
        match (self, keeps_turn) {
            (question, true) => question,
            (ProofGoal::Wins, false) => ProofGoal::Loses,
            (ProofGoal::Loses, false) => ProofGoal::Wins,
        }
    }

    fn outcome(self) -> Outcome {
        match self {
            ProofGoal::Wins => Outcome::Win,
            ProofGoal::Loses => Outcome::Loss,
        }
    }
}

// Searches the replies that are not proven, all at once; one after the other if positions are
// counted, so that a budget of positions gives the same answer whatever the threads.
fn look_at_open<P: Sync, M: Sync>(
    replies: &[SearchedMove<P, M>],
    budget: &SearchBudget,
    look: impl Fn(&P) -> Option<SearchVerdict> + Sync,
) -> Vec<Option<SearchVerdict>> {
    let open = |reply: &SearchedMove<P, M>| match reply.searched {
        SearchVerdict::Proven(_) => Some(reply.searched),
        SearchVerdict::Undecided { .. } => look(&reply.edge.to),
    };
    match budget.nodes {
        Some(_) => replies.iter().map(open).collect(),
        None => map_parts(replies.len(), |reply| open(&replies[reply])),
    }
}

/// A search for proofs in one game; it keeps its knowledge between calls.
pub struct Prover<'g, G: Game> {
    game: &'g G,
    known: DashMap<G::Position, ProofBounds>,
    capacity: u64,
    stored: AtomicU64,
    nodes: AtomicU64,
    exhausted: AtomicBool,
}

impl<'g, G: Game> Prover<'g, G> {
    /// A search that may use this many bytes to remember positions.
    ///
    /// # Errors
    /// For games with chance and for scored games, which are not about wins.
    pub fn new(game: &'g G, memory: u64) -> Result<Prover<'g, G>, SolveError> {
        let rules = game.rules();
        let scored = matches!(
            rules.properties.outcomes,
            Outcomes::Points | Outcomes::Expectation
        );
        if scored || rules.properties.luck == Luck::Draws {
            return Err(SolveError::NoEngine {
                variant: rules.title().to_string(),
            });
        }
        Ok(Prover {
            game,
            known: DashMap::new(),
            capacity: memory / slot_bytes::<G::Position, ProofBounds>(),
            stored: AtomicU64::new(0),
            nodes: AtomicU64::new(0),
            exhausted: AtomicBool::new(false),
        })
    }

    /// Positions looked at so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Searches a position and all its moves, deeper and deeper, until everything is proven, the
    /// budget is used up or the work is cancelled. The plies of [`Game::always_searched`] are searched
    /// even beyond the budget, until the position is proven.
    pub fn search(
        &self,
        position: &G::Position,
        budget: SearchBudget,
        progress: &dyn Progress,
    ) -> SearchResult<G::Position, G::Move> {
        self.exhausted.store(false, Ordering::Relaxed);
        let budget = SearchBudget {
            nodes: budget.nodes.map(|nodes| nodes + self.nodes()),
            ..budget
        };
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        let mut replies: Vec<_> = moves
            .into_iter()
            .map(|mv| {
                let edge = self.game.play(position, mv);
                let searched = match self.game.ending(&edge.to) {
                    Some(ending) => proven(ending.outcome, 0),
                    None => SearchVerdict::Undecided { beyond: Plies(0) },
                };
                SearchedMove { mv, edge, searched }
            })
            .collect();
        if let Some(ending) = self.game.ending(position) {
            return SearchResult {
                root: proven(ending.outcome, 0),
                replies,
            };
        }
        progress.begin("searching", budget.nodes.unwrap_or(0), Unit::Positions);
        let always = self.game.always_searched(position);
        let mut root = SearchVerdict::Undecided { beyond: Plies(0) };
        for depth in 1..LONGEST {
            // The budget waits until the position itself has been searched as far as it always is.
            let waits = depth <= always && !root.is_proven();
            let limits = if waits {
                SearchBudget::default()
            } else {
                budget
            };
            let open = look_at_open(&replies, &budget, |position| {
                Walker::new(self, limits, progress).settle(position, depth - 1)
            });
            let finished = open.iter().all(Option::is_some);
            for (reply, searched) in replies.iter_mut().zip(open) {
                reply.searched = searched.unwrap_or(reply.searched);
            }
            root = root_of(&replies, finished, depth, root);
            let all_proven = replies.iter().all(|reply| reply.searched.is_proven());
            let over = self.exhausted.load(Ordering::Relaxed) && depth >= always;
            if all_proven || !finished || over || progress.cancelled() {
                break;
            }
        }
        SearchResult { root, replies }
    }

    /// Best play from a position with a proven win or loss, to its end; empty where nothing is
    /// proven and when the work is cancelled. The entries of the proof in memory show the way.
    #[must_use]
    pub fn line(
        &self,
        position: &G::Position,
        figures: &Figures,
        progress: &dyn Progress,
    ) -> Vec<(G::Move, G::Position)> {
        self.exhausted.store(false, Ordering::Relaxed);
        let mut walker = Walker::new(self, SearchBudget::default(), progress);
        let (Some(value @ (Outcome::Win | Outcome::Loss)), Some(distance)) =
            (figures.value, figures.distance)
        else {
            return Vec::new();
        };
        let mut question = if value == Outcome::Win {
            ProofGoal::Wins
        } else {
            ProofGoal::Loses
        };
        let (mut line, mut position) = (Vec::new(), *position);
        for left in (1..=distance.0).rev() {
            let Some((mv, edge)) = walker.best(&position, question, left) else {
                return Vec::new();
            };
            question = question.below(edge.keeps_turn);
            position = edge.to;
            line.push((mv, position));
        }
        line
    }
}

fn proven(outcome: Outcome, plies: u32) -> SearchVerdict {
    let distance = (outcome != Outcome::Draw).then_some(Plies(plies));
    SearchVerdict::Proven(Figures::of(Some(outcome), distance, None))
}

// The searched position from its moves after a depth. A win is exact, since the depths before have
// excluded shorter ones; a loss takes as long as the longest move.
fn root_of<P, M>(
    replies: &[SearchedMove<P, M>],
    finished: bool,
    depth: u32,
    before: SearchVerdict,
) -> SearchVerdict {
    let figures: Vec<Figures> = replies
        .iter()
        .map(|reply| {
            reply
                .searched
                .figures()
                .after_move(0, reply.edge.keeps_turn)
        })
        .collect();
    let distances = |outcome| {
        let of = move |figures: &&Figures| figures.value == Some(outcome);
        figures
            .iter()
            .filter(of)
            .filter_map(|figures| figures.distance)
    };
    let all = |outcome| figures.iter().all(|figures| figures.value == Some(outcome));
    if let Some(plies) = distances(Outcome::Win).min() {
        return proven(Outcome::Win, plies.0);
    }
    if all(Outcome::Loss) {
        return proven(
            Outcome::Loss,
            distances(Outcome::Loss).max().unwrap_or_default().0,
        );
    }
    if figures
        .iter()
        .all(|figures| matches!(figures.value, Some(Outcome::Draw | Outcome::Loss)))
    {
        return proven(Outcome::Draw, 0);
    }
    if finished {
        SearchVerdict::Undecided {
            beyond: Plies(depth),
        }
    } else {
        before
    }
}

// A move with where it leads.
type MoveEdge<G> = (<G as Game>::Move, Edge<<G as Game>::Position>);

// One thread's walk through the tree.
struct Walker<'a, 'g, G: Game> {
    prover: &'a Prover<'g, G>,
    budget: SearchBudget,
    progress: &'a dyn Progress,
    // By question and plies: the move that settled it last.
    killers: [Vec<Option<G::Move>>; 2],
    moves: Vec<Vec<G::Move>>,
    edges: Vec<Vec<MoveEdge<G>>>,
    uncounted: u64,
}

impl<'a, 'g, G: Game> Walker<'a, 'g, G> {
    fn new(prover: &'a Prover<'g, G>, budget: SearchBudget, progress: &'a dyn Progress) -> Self {
        Walker {
            prover,
            budget,
            progress,
            killers: [Vec::new(), Vec::new()],
            moves: Vec::new(),
            edges: Vec::new(),
            uncounted: 0,
        }
    }

    // A position within this many plies; `None` when the budget ran out. Shorter distances must have
    // been asked before.
    fn settle(&mut self, position: &G::Position, within: u32) -> Option<SearchVerdict> {
        for question in [ProofGoal::Wins, ProofGoal::Loses] {
            // Unless a win is possible in this very ply, the depth before has settled it.
            let mine = question == ProofGoal::Wins;
            let last = self.prover.game.last_win(position, mine, within);
            if last == within && within > 0 && self.ask(position, question, within)? {
                return Some(proven(question.outcome(), within));
            }
        }
        Some(SearchVerdict::Undecided {
            beyond: Plies(within),
        })
    }

    // The answer to a question about an unfinished position; `None` when the budget ran out.
    fn ask(&mut self, position: &G::Position, question: ProofGoal, within: u32) -> Option<bool> {
        let game = self.prover.game;
        let within = game.last_win(position, question == ProofGoal::Wins, within);
        if within == 0 {
            return Some(false);
        }
        let key = (within >= REMEMBERED).then(|| game.canonical(position));
        if let Some(answer) = key.and_then(|key| self.prover.recall(&key, question, within)) {
            return Some(answer);
        }
        self.spend()?;
        let mut moves = self.moves.pop().unwrap_or_default();
        let mut edges = self.edges.pop().unwrap_or_default();
        game.moves(position, &mut moves);
        self.put_killer_first(&mut moves, question, within);
        edges.clear();
        let answer = self.work_out(position, question, within, &moves, &mut edges);
        self.moves.push(moves);
        self.edges.push(edges);
        if let (Some(key), Some(answer)) = (key, answer) {
            self.prover.remember(key, question, within, answer);
        }
        answer
    }

    // One move that wins is enough, and one that does not lose.
    fn work_out(
        &mut self,
        position: &G::Position,
        question: ProofGoal,
        within: u32,
        moves: &[G::Move],
        edges: &mut Vec<MoveEdge<G>>,
    ) -> Option<bool> {
        let game = self.prover.game;
        let enough = question == ProofGoal::Wins;
        for mv in moves {
            let edge = game.play(position, *mv);
            match game.ending(&edge.to) {
                Some(ending) => {
                    let below = question.below(edge.keeps_turn);
                    if (ending.outcome == below.outcome()) == enough {
                        self.set_killer(question, within, *mv);
                        return Some(enough);
                    }
                }
                None if within > 1 => edges.push((*mv, edge)),
                None if !enough => return Some(false),
                None => {}
            }
        }
        for (mv, edge) in edges.iter() {
            if self.ask(&edge.to, question.below(edge.keeps_turn), within - 1)? == enough {
                self.set_killer(question, within, *mv);
                return Some(enough);
            }
        }
        Some(!enough)
    }

    // A best move of a position whose exact distance is known, with where it leads: one that the
    // proof has settled, else the first.
    fn best(
        &mut self,
        position: &G::Position,
        question: ProofGoal,
        distance: u32,
    ) -> Option<MoveEdge<G>> {
        let game = self.prover.game;
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        let mut edges = Vec::new();
        for mv in moves {
            let edge = game.play(position, mv);
            match game.ending(&edge.to) {
                Some(ending) => {
                    let below = question.below(edge.keeps_turn);
                    if distance == 1 && ending.outcome == below.outcome() {
                        return Some((mv, edge));
                    }
                }
                None => edges.push((mv, edge)),
            }
        }
        // All moves of a lost position lose: one that does not do so sooner is best.
        let (left, best) = match question {
            ProofGoal::Wins => (distance - 1, true),
            ProofGoal::Loses => (distance.checked_sub(2)?, false),
        };
        let recalled = edges.iter().find(|(_, edge)| {
            let below = question.below(edge.keeps_turn);
            let within = game.last_win(&edge.to, below == ProofGoal::Wins, left);
            within >= REMEMBERED && {
                let key = game.canonical(&edge.to);
                self.prover.recall(&key, below, within) == Some(best)
            }
        });
        if let Some(recalled) = recalled {
            return Some(*recalled);
        }
        for (mv, edge) in edges {
            let below = question.below(edge.keeps_turn);
            if self.ask(&edge.to, below, left)? == best {
                return Some((mv, edge));
            }
        }
        None
    }

    fn killer(&mut self, question: ProofGoal, within: u32) -> &mut Option<G::Move> {
        let list = &mut self.killers[question as usize];
        let place = within as usize;
        if list.len() <= place {
            list.resize(place + 1, None);
        }
        &mut list[place]
    }

    fn set_killer(&mut self, question: ProofGoal, within: u32, mv: G::Move) {
        *self.killer(question, within) = Some(mv);
    }

    fn put_killer_first(&mut self, moves: &mut [G::Move], question: ProofGoal, within: u32) {
        let killer = *self.killer(question, within);
        if let Some(place) = killer.and_then(|killer| moves.iter().position(|mv| *mv == killer)) {
            moves.swap(0, place);
        }
    }

    // Counts a position; `None` when the budget is used up.
    fn spend(&mut self) -> Option<()> {
        const LOOK_AT_THE_CLOCK: u64 = 1 << 8;
        self.uncounted += 1;
        if self.uncounted >= LOOK_AT_THE_CLOCK {
            self.count();
        }
        (!self.prover.exhausted.load(Ordering::Relaxed)).then_some(())
    }

    fn count(&mut self) {
        let nodes = self
            .prover
            .nodes
            .fetch_add(self.uncounted, Ordering::Relaxed)
            + self.uncounted;
        self.progress.advance(self.uncounted);
        self.uncounted = 0;
        let many = self.budget.nodes.is_some_and(|limit| nodes >= limit);
        if self.budget.is_late() || many || self.progress.cancelled() {
            self.prover.exhausted.store(true, Ordering::Relaxed);
        }
    }
}

impl<G: Game> Drop for Walker<'_, '_, G> {
    fn drop(&mut self) {
        self.count();
    }
}

impl<G: Game> Prover<'_, G> {
    fn recall(&self, key: &G::Position, question: ProofGoal, within: u32) -> Option<bool> {
        let known = *self.known.get(key)?;
        let bounds = match question {
            ProofGoal::Wins => known.wins,
            ProofGoal::Loses => known.loses,
        };
        bounds.answer(within)
    }

    fn remember(&self, key: G::Position, question: ProofGoal, within: u32, answer: bool) {
        if self.stored.load(Ordering::Relaxed) >= self.capacity && !self.known.contains_key(&key) {
            return;
        }
        let mut known = self.known.entry(key).or_insert_with(|| {
            self.stored.fetch_add(1, Ordering::Relaxed);
            NOTHING
        });
        match question {
            ProofGoal::Wins => known.wins.learn(within, answer),
            ProofGoal::Loses => known.loses.learn(within, answer),
        }
    }
}

#[cfg(test)]
mod tests;
