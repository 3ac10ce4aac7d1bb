//! Forward search: minimax from one position, with a shared transposition table. It needs no index
//! and no tier, so it checks the backward engines and reaches boards that no table covers.
//!
//! The moves of the searched position are shared out among the threads, which remember positions
//! together. The search of each move deepens ply by ply. Within a depth limit a position is
//! *undecided* where the search met the limit. A win or loss within the limit is proven with its
//! exact distance, because the depths before excluded all shorter ones. When no limit was met any
//! more, the rest are proven draws. In scored games points are only proven once the whole tree below
//! a position has been searched, so there is no limit but the budget.
//!
//! If the rules show that a player can win no more, or not within the remaining plies
//! ([`Game::last_win`]), the score is bounded without a look at the moves. A game may also choose
//! the moves to try first ([`Game::urgency`]).

mod thread;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use dashmap::DashMap;
use foldhash::fast::FixedState;
use greenwave_game::{Advance, Edge, Ending, Figures, Game, Luck, Outcome, Outcomes, Plies};
use greenwave_values::parallel::{for_each_part, threads};
use greenwave_values::{Instant, Progress, Silent, Unit};

use crate::SolveError;
use thread::SearchThread;

/// The limits of a search.
#[derive(Clone, Copy, Debug, Default)]
pub struct SearchBudget {
    /// Positions to look at; `None`: no limit.
    pub nodes: Option<u64>,
    /// When to stop; `None`: no limit.
    pub deadline: Option<Instant>,
}

impl SearchBudget {
    /// Whether the time is over.
    pub(crate) fn is_late(&self) -> bool {
        self.deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// What a search found out about a position, for the player to move in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SearchVerdict {
    /// Proven.
    Proven(Figures),
    /// Not decided within the budget.
    Undecided {
        /// Plies within which neither player can force a win; 0 in scored games.
        beyond: Plies,
    },
}

impl SearchVerdict {
    /// The proven figures, or none.
    #[must_use]
    pub fn figures(self) -> Figures {
        match self {
            SearchVerdict::Proven(figures) => figures,
            SearchVerdict::Undecided { .. } => Figures::default(),
        }
    }

    pub(crate) fn is_proven(self) -> bool {
        matches!(self, SearchVerdict::Proven(_))
    }
}

/// A move of the searched position, with what is known of the position it leads to.
#[derive(Clone, Copy, Debug)]
pub struct SearchedMove<P, M> {
    /// The move.
    pub mv: M,
    /// Where it leads.
    pub edge: Edge<P>,
    /// What is known of the position after it, for the player to move there.
    pub searched: SearchVerdict,
}

/// Result of a search: the position itself, and each of its moves in listing order.
#[derive(Clone, Debug)]
pub struct SearchResult<P, M> {
    /// The searched position.
    pub root: SearchVerdict,
    /// Its moves.
    pub replies: Vec<SearchedMove<P, M>>,
}

// For the player to move. Win/loss games: LONGEST − d for a win in d plies, d − LONGEST for a loss
// in d plies, 0 for a draw or undecided. Scored games: points.
type SearchScore = i32;
const LONGEST: SearchScore = 1 << 20;
const INFINITE: SearchScore = 1 << 24;
const TO_THE_END: u32 = u32::MAX;

/// Parts of the transposition table with a lock each: many more than threads, so that they seldom meet.
const SHARDS: usize = 256;

#[derive(Clone, Copy, PartialEq)]
enum BoundKind {
    Exact,
    AtLeast,
    AtMost,
}

// What is known of a position searched this many plies deep.
#[derive(Clone, Copy)]
struct TranspositionEntry {
    score: SearchScore,
    depth: u32,
    bound: BoundKind,
}

// When a search is to stop, and who hears of it.
#[derive(Clone, Copy)]
struct SearchLimits<'a> {
    budget: SearchBudget,
    progress: &'a dyn Progress,
}

// How deep the replies of a position are searched.
struct Deepening {
    // The depth that comes next, for each reply.
    next: Vec<u32>,
    // Whether a thread searches it.
    busy: Vec<bool>,
    // The greatest depth that is still begun.
    last: u32,
}

impl Deepening {
    // The open reply of which least is known, unless a thread is at it.
    fn take<P, M>(&mut self, replies: &[SearchedMove<P, M>]) -> Option<(usize, u32)> {
        let free = (0..replies.len()).filter(|reply| {
            let is_open = !replies[*reply].searched.is_proven();
            is_open && !self.busy[*reply] && self.next[*reply] <= self.last
        });
        let reply = free.min_by_key(|reply| self.next[*reply])?;
        self.busy[reply] = true;
        Some((reply, self.next[reply]))
    }
}

/// A forward search over one game; its transposition table is kept between calls.
pub struct Search<'g, G: Game> {
    game: &'g G,
    known: DashMap<G::Position, TranspositionEntry, FixedState>,
    capacity: u64,
    stored: AtomicU64,
    scored: bool,
    nodes: AtomicU64,
    // As many of them as have been told of.
    told: AtomicU64,
    exhausted: AtomicBool,
}

/// Bytes that a remembered position takes with what is known of it: the entry, its control byte, and twice
/// as much again. Half the slots of a map that has just grown are free, and the smaller maps that it had
/// before are not used again at once.
pub(crate) fn slot_bytes<P, K>() -> u64 {
    3 * (size_of::<(P, K)>() as u64 + 1)
}

impl<'g, G: Game> Search<'g, G> {
    /// A search whose transposition table may use this many bytes.
    ///
    /// # Errors
    /// For games with chance, which have expectations instead of values.
    pub fn new(game: &'g G, memory: u64) -> Result<Search<'g, G>, SolveError> {
        let rules = game.rules();
        if rules.properties.luck == Luck::Draws {
            return Err(SolveError::NoEngine {
                variant: rules.title().to_string(),
            });
        }
        Ok(Search {
            game,
            known: DashMap::with_hasher_and_shard_amount(FixedState::default(), SHARDS),
            capacity: memory / slot_bytes::<G::Position, TranspositionEntry>(),
            stored: AtomicU64::new(0),
            scored: rules.properties.outcomes == Outcomes::Points,
            nodes: AtomicU64::new(0),
            told: AtomicU64::new(0),
            exhausted: AtomicBool::new(false),
        })
    }

    /// Positions looked at so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// The exact figures of a position, however long it takes; `None` in games whose positions can
    /// repeat, where a search to the end has no end.
    #[must_use]
    pub fn exact(&self, position: &G::Position) -> Option<Figures> {
        if self.game.rules().properties.advance == Advance::Repeats {
            return None;
        }
        self.exhausted.store(false, Ordering::Relaxed);
        let limits = SearchLimits {
            budget: SearchBudget::default(),
            progress: &Silent,
        };
        let mut thread = SearchThread::new(self, limits);
        let (score, _) = thread.score(position, TO_THE_END)?;
        thread.finish();
        Some(self.figures(score))
    }

    /// Searches a position and all its moves, deeper and deeper, until everything is proven, the
    /// budget is used up or the work is cancelled.
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
        let undecided = SearchVerdict::Undecided { beyond: Plies(0) };
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        let mut replies: Vec<_> = moves
            .into_iter()
            .map(|mv| SearchedMove {
                mv,
                edge: self.game.play(position, mv),
                searched: undecided,
            })
            .collect();
        if let Some(ending) = self.game.ending(position) {
            return SearchResult {
                root: SearchVerdict::Proven(self.figures(self.ended(&ending))),
                replies,
            };
        }
        progress.begin("searching", budget.nodes.unwrap_or(0), Unit::Positions);
        self.told.store(self.nodes(), Ordering::Relaxed);
        let limits = SearchLimits { budget, progress };
        let deepening = self.deepen(&mut replies, limits);
        self.tell(self.nodes(), progress);
        let root = self.root_of(&replies, &deepening.next);
        SearchResult { root, replies }
    }

    // Searches replies deeper and deeper until all are proven or a limit is met. Threads do not wait for each
    // other between depths: each takes the reply that is searched least deep. If positions are counted, one
    // thread does it all, so that a budget of positions gives the same answer whatever the threads.
    fn deepen(
        &self,
        replies: &mut [SearchedMove<G::Position, G::Move>],
        limits: SearchLimits<'_>,
    ) -> Deepening {
        let first = if self.scored { TO_THE_END } else { 0 };
        let deepening = Deepening {
            next: vec![first; replies.len()],
            busy: vec![false; replies.len()],
            last: TO_THE_END,
        };
        let positions: Vec<_> = replies.iter().map(|reply| reply.edge.to).collect();
        let shared = Mutex::new((deepening, replies));
        let lock = || shared.lock().unwrap_or_else(PoisonError::into_inner);
        let take = || {
            let (deepening, replies) = &mut *lock();
            deepening.take(replies)
        };
        let work = |_: usize| {
            let mut thread = SearchThread::new(self, limits);
            while let Some((reply, depth)) = take() {
                let found = thread.score(&positions[reply], depth);
                let (deepening, replies) = &mut *lock();
                match found {
                    Some(found) => {
                        replies[reply].searched = self.verdict(found, depth);
                        deepening.next[reply] = depth.saturating_add(1);
                        deepening.busy[reply] = false;
                    }
                    // A limit is met: no thread goes deeper, and this reply stays as it is.
                    None => deepening.last = deepening.last.min(depth),
                }
                if limits.progress.cancelled() {
                    break;
                }
            }
            thread.finish();
        };
        match limits.budget.nodes {
            Some(_) => work(0),
            None => for_each_part(threads(), &work),
        }
        let (deepening, _) = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        deepening
    }

    // Of a score and whether it holds however deep one looks.
    fn verdict(&self, (score, complete): (SearchScore, bool), depth: u32) -> SearchVerdict {
        if complete {
            SearchVerdict::Proven(self.figures(score))
        } else {
            SearchVerdict::Undecided {
                beyond: Plies(depth),
            }
        }
    }

    // The searched position from its moves and the depths that come next for them: proven as soon as a
    // winning move is, or when all moves are.
    fn root_of(
        &self,
        replies: &[SearchedMove<G::Position, G::Move>],
        next: &[u32],
    ) -> SearchVerdict {
        let proven = replies.iter().filter_map(|reply| match reply.searched {
            SearchVerdict::Proven(figures) => Some(self.up(&reply.edge, self.score(&figures))),
            SearchVerdict::Undecided { .. } => None,
        });
        let open = replies.iter().zip(next);
        let open = open.filter(|(reply, _)| !reply.searched.is_proven());
        // No open reply is lost within fewer plies than this.
        let least = open.map(|(_, next)| *next).min();
        match (proven.max(), least) {
            (Some(score), None) => SearchVerdict::Proven(self.figures(score)),
            (Some(score), Some(least)) if score > 0 && !self.scored => {
                let figures = self.figures(score);
                // Another thread may not have excluded shorter wins yet.
                let is_shortest = figures.distance.is_none_or(|plies| plies.0 <= least + 1);
                SearchVerdict::Proven(Figures {
                    distance: figures.distance.filter(|_| is_shortest),
                    ..figures
                })
            }
            (_, least) => SearchVerdict::Undecided {
                beyond: Plies(least.filter(|_| !self.scored).unwrap_or(0)),
            },
        }
    }

    fn ended(&self, ending: &Ending) -> SearchScore {
        match ending.outcome {
            _ if self.scored => ending.points,
            Outcome::Win => LONGEST,
            Outcome::Draw => 0,
            Outcome::Loss => -LONGEST,
        }
    }

    fn figures(&self, score: SearchScore) -> Figures {
        let value = Some(Outcome::of_points(score));
        if self.scored {
            Figures::of(value, None, Some(score))
        } else {
            let distance = (score != 0).then(|| Plies((LONGEST - score.abs()) as u32));
            Figures::of(value, distance, None)
        }
    }

    fn score(&self, figures: &Figures) -> SearchScore {
        if self.scored {
            return figures.points.unwrap_or(0);
        }
        let plies = figures.distance.map_or(0, |plies| plies.0 as SearchScore);
        match figures.value {
            Some(Outcome::Win) => LONGEST - plies,
            Some(Outcome::Loss) => plies - LONGEST,
            _ => 0,
        }
    }

    // The score of a move from that of the position it leads to: one ply more.
    fn up(&self, edge: &Edge<G::Position>, below: SearchScore) -> SearchScore {
        let below = if self.scored {
            below
        } else {
            below - below.signum()
        };
        edge.gain + if edge.keeps_turn { below } else { -below }
    }

    // The inverse of `up`.
    fn down(&self, edge: &Edge<G::Position>, above: SearchScore) -> SearchScore {
        let above = above - edge.gain;
        let below = if edge.keeps_turn { above } else { -above };
        if self.scored {
            below
        } else {
            below + below.signum()
        }
    }

    fn tell(&self, nodes: u64, progress: &dyn Progress) {
        let told = self.told.fetch_max(nodes, Ordering::Relaxed);
        progress.advance(nodes.saturating_sub(told));
    }
}

#[cfg(test)]
mod tests {
    use greenwave_game::{Metric, Variant};

    use super::thread::STRETCH;
    use super::*;
    use greenwave_testkit::StopCounter;

    fn board(name: &str) -> greenwave_game::BoardGame {
        let Variant::Board(game) = Variant::parse(name).unwrap() else {
            unreachable!()
        };
        game
    }

    #[test]
    fn agrees_with_the_plain_engine_everywhere_on_small_boards() {
        for name in [
            "classic-2x3",
            "signal-1x5",
            "green-2x3",
            "points-2x3",
            "points-1x5:end=play-on",
            "classic-2x3:play=misere",
            "classic-2x3:supply=cap2",
            "classic-2x3:supply=pool4,stalemate=loss",
        ] {
            let game = board(name);
            let metric = game.rules().default_metric;
            let values = crate::plain::solve(&game, metric, &Silent).unwrap();
            let search = Search::new(&game, 1 << 28).unwrap();
            use greenwave_game::Dense;
            for index in 0..values.len() {
                if let Some(position) = game.at(index) {
                    let found = search.exact(&position);
                    assert_eq!(
                        found,
                        Some(values.figures(index)),
                        "{name} {}",
                        game.position_text(&position)
                    );
                }
            }
        }
    }

    #[test]
    fn marks_that_block_every_line_hide_no_win() {
        use greenwave_game::{Dense, NoughtsGame};
        for name in [
            "noughts-3x3",
            "noughts-2x4",
            "noughts-3x3:play=misere",
            "noughts-1x6",
        ] {
            let game = NoughtsGame::named(name).unwrap();
            let values = crate::plain::solve(&game, Metric::Distance, &Silent).unwrap();
            let search = Search::new(&game, 1 << 28).unwrap();
            let reached = (0..values.len()).filter_map(|index| Some((index, game.at(index)?)));
            for (number, (index, position)) in reached.enumerate() {
                let expected = values.figures(index);
                let text = game.position_text(&position);
                assert_eq!(search.exact(&position), Some(expected), "{name} {text}");
                // From nothing known, ply by ply.
                if number.is_multiple_of(37) {
                    let search = Search::new(&game, 1 << 20).unwrap();
                    let found = search.search(&position, SearchBudget::default(), &Silent);
                    assert_eq!(found.root, SearchVerdict::Proven(expected), "{name} {text}");
                }
            }
        }
    }

    #[test]
    fn deepening_proves_the_same_and_counts_plies() {
        let game = board("classic-3x3");
        let values = crate::plain::solve(&game, Metric::Distance, &Silent).unwrap();
        let search = Search::new(&game, 1 << 28).unwrap();
        for text in ["...\u{2f}.R./...", "RYG/YRY/R..", "G.R/.Y./R.."] {
            let position = game.parse_position(text).unwrap();
            let found = search.search(&position, SearchBudget::default(), &Silent);
            assert_eq!(
                found.root,
                SearchVerdict::Proven(values.figures(position.0)),
                "{text}"
            );
            for reply in found.replies {
                assert_eq!(
                    reply.searched,
                    SearchVerdict::Proven(values.figures(reply.edge.to.0)),
                    "{text}"
                );
            }
        }
    }

    #[test]
    fn any_number_of_threads_finds_the_same() {
        let game = board("classic-3x4");
        let position = game.parse_position("R..Y/..../.G..").unwrap();
        let searched = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            pool.build().unwrap().install(|| {
                let search = Search::new(&game, 1 << 28).unwrap();
                let found = search.search(&position, SearchBudget::default(), &Silent);
                let replies = found.replies.iter().map(|reply| reply.searched);
                let all: Vec<SearchVerdict> = std::iter::once(found.root).chain(replies).collect();
                all
            })
        };
        let one = searched(1);
        assert!(one.iter().all(|one| one.is_proven()), "{one:?}");
        for threads in [2, 5] {
            assert_eq!(one, searched(threads), "{threads} threads");
        }
    }

    #[test]
    fn a_small_budget_claims_nothing_unproven() {
        let game = board("classic-4x4");
        let search = Search::new(&game, 1 << 24).unwrap();
        let budget = SearchBudget {
            nodes: Some(2_000),
            deadline: None,
        };
        let found = search.search(&game.start(), budget, &Silent);
        assert!(
            matches!(found.root, SearchVerdict::Undecided { beyond } if beyond.0 > 1),
            "{:?}",
            found.root
        );
        assert!(search.nodes() < 3_000);
    }

    #[test]
    fn a_search_is_stopped_in_the_middle_of_a_depth() {
        for name in ["points-4x4", "classic-4x4"] {
            let game = board(name);
            let search = Search::new(&game, 1 << 24).unwrap();
            // More than the first depths have.
            let told = StopCounter::until(40_000);
            let found = search.search(&game.start(), SearchBudget::default(), &told);
            assert!(
                matches!(found.root, SearchVerdict::Undecided { .. }),
                "{name}"
            );
            let nodes = search.nodes();
            let most = 40_000 + STRETCH * threads() as u64;
            assert!((40_000..=most).contains(&nodes), "{name}: {nodes}");
            assert_eq!(told.done(), nodes, "{name}");
        }
    }
}
