//! The winner's strategy as a list of positions with one reply each, closed under every defence; where nobody wins,
//! one for each player, with which that player never loses.
//!
//! Three conventions keep the list short, and a checker that knows only the rules can follow them.
//! A position stands for all its images under the symmetries of the board. Positions in which the
//! winner can end the game with a win at once are not listed. Positions that the strategy never
//! meets are not listed.
//!
//! A greedy cover chooses the replies so that few positions follow. Ply by ply, it covers all
//! positions that need a reply with as few and as cheap successors as possible (one successor may
//! answer many positions). The cost of a successor is the sum, over the positions below it that
//! need a reply, of the square root of the number of replies that each takes if nothing coincides.
//! The whole is done again several times; then positions that the round before listed anyway cost
//! next to nothing. The shortest list is kept.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap};

use greenwave_game::{Advance, Game, Luck, Outcome, Rules, Squares, Turn};
use greenwave_tablebase::{Reservation, Tablebase};
use greenwave_values::{Unit, room};

use crate::JudgeError;
use crate::squares::can_win_at_once;

/// Rounds of improvement after the first list.
const ROUNDS: usize = 6;
/// Indices up to which the costs are worked out down to the end of the game.
const FULL_DEPTH: u128 = 1 << 25;
/// How far down they are worked out on larger boards, in replies: with more, a position would have several costs.
const SHALLOW: u32 = 1;

/// The result that a strategy guarantees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// It wins against every defence.
    Win,
    /// It never loses.
    Draw,
}

/// A strategy that wins against every defence, or never loses.
#[derive(Clone, Debug)]
pub struct Certificate<P, M> {
    /// Whether it is the first player's; else the second's.
    pub first_player: bool,
    /// What it is sure of.
    pub aim: Aim,
    /// Positions with that player to move, none an image of another, and the reply.
    pub entries: Vec<(P, M)>,
    /// How many positions the list would have if each got its first winning move in listing order,
    /// with the same conventions.
    pub first_replies: u64,
}

/// A function that gives the values of positions; an error where it cannot read them.
pub type ValueOf<'v, P> = dyn Fn(&P) -> Result<Option<Outcome>, JudgeError> + 'v;

fn refused(rules: &Rules, problem: &str) -> JudgeError {
    let name = rules.title();
    JudgeError::refused(format!("no certificate for {name}: {problem}"))
}

/// Calls the function that makes a certificate, if the rules of the game allow any; this needs no
/// solve.
///
/// # Errors
/// When the game has luck, players who make several plies running, repetition, or points that go on; and
/// those of what is done.
pub fn where_certifiable<G: Squares, T, E: From<JudgeError>>(
    game: &G,
    made: impl FnOnce() -> Result<T, E>,
) -> Result<T, E> {
    let rules = game.rules();
    let runs = rules.properties.turn == Turn::Runs;
    let repeats = rules.properties.advance == Advance::Repeats;
    // Only a rule file has such turns without chance or repetition.
    let problem = if runs && !repeats && G::LUCK != Luck::Draws {
        "with 'moves-a-turn' a player makes several plies running, and a certificate gives one reply to \
         every move of the opponent; 'query' shows what moves of this game are worth"
    } else if runs || G::LUCK == Luck::Draws {
        "a certificate gives one reply to every move of the opponent, so it is made for games without \
         chance in which the players move in turn, such as those on fixed boards; 'query' shows what \
         moves of this game are worth"
    } else if repeats {
        "positions can repeat, so a list of replies proves no win; 'query' shows values"
    } else if game.features().gains {
        "points are scored all along, so no position is simply won; 'query' shows points"
    } else {
        return made();
    };
    Err(refused(rules, problem).into())
}

/// The certificates of a game: one of whoever wins, or one of each player.
pub type Certificates<G> = Vec<Certificate<<G as Game>::Position, <G as Game>::Move>>;

/// Makes the strategy of whoever wins from the start; where nobody does, one of each player, first and second.
///
/// # Errors
/// When the game is over before a move. When the rules allow no certificate
/// ([`where_certifiable`]). When values are not available. When the costs of positions do not fit
/// the memory of the tablebase beside the values. When the work is cancelled.
pub fn certify<G: Squares>(
    game: &G,
    value_of: &ValueOf<'_, G::Position>,
    tablebase: &Tablebase,
) -> Result<Certificates<G>, JudgeError> {
    where_certifiable(game, || made(game, value_of, tablebase))
}

fn made<G: Squares>(
    game: &G,
    value_of: &ValueOf<'_, G::Position>,
    tablebase: &Tablebase,
) -> Result<Certificates<G>, JudgeError> {
    let rules = game.rules();
    let start = game.canonical(&game.start());
    if game.ending(&start).is_some() {
        let problem = "the game is a draw before anybody can move";
        return Err(refused(rules, problem));
    }
    let wanted = match value_of(&start)? {
        Some(Outcome::Win) => vec![(true, Aim::Win)],
        Some(Outcome::Loss) => vec![(false, Aim::Win)],
        Some(Outcome::Draw) => vec![(true, Aim::Draw), (false, Aim::Draw)],
        None => return Err(refused(rules, "the value of the start is not known")),
    };
    wanted
        .into_iter()
        .map(|(first_player, aim)| made_for(game, value_of, tablebase, first_player, aim))
        .collect()
}

fn made_for<G: Squares>(
    game: &G,
    value_of: &ValueOf<'_, G::Position>,
    tablebase: &Tablebase,
    first_player: bool,
    aim: Aim,
) -> Result<Certificate<G::Position, G::Move>, JudgeError> {
    let rules = game.rules();
    let start = game.canonical(&game.start());
    // The number of visited positions is known only at the end.
    tablebase.progress().begin(
        &format!("choosing replies for {}", rules.title()),
        0,
        Unit::Positions,
    );
    let full = game.indexable() <= FULL_DEPTH;
    let mut maker = Maker {
        game,
        value_of,
        tablebase,
        aim,
        looked: 0,
        depth: if full { u32::MAX } else { SHALLOW },
        costs: HashMap::new(),
        held: None,
    };
    let mut best: Option<Replies<G>> = None;
    let mut last = BTreeSet::new();
    for _ in 0..=ROUNDS {
        let replies = maker.strategy(start, first_player, &last)?;
        last = BTreeSet::new();
        last.extend(replies.keys().copied());
        if best.as_ref().is_none_or(|best| replies.len() < best.len()) {
            best = Some(replies);
        }
    }
    let mut entries = Vec::new();
    let mut moves = Vec::new();
    for (position, next) in best.unwrap_or_default() {
        game.moves(&position, &mut moves);
        let leads = |mv: &G::Move| game.canonical(&game.play(&position, *mv).to) == next;
        if let Some(mv) = moves.iter().copied().find(leads) {
            entries.push((position, mv));
        }
    }
    entries.sort_unstable_by_key(|(position, _)| (game.stage(position), game.index(position)));
    Ok(Certificate {
        first_player,
        aim,
        entries,
        first_replies: maker.first_replies(start, first_player)?,
    })
}

// The player's positions and where the reply leads, all in canonical form.
type Replies<G> = BTreeMap<<G as Game>::Position, <G as Game>::Position>;

struct Maker<'a, G: Game> {
    game: &'a G,
    value_of: &'a ValueOf<'a, G::Position>,
    tablebase: &'a Tablebase,
    aim: Aim,
    // Visited positions of the winner so far, each as often as it was visited.
    looked: u64,
    // The depth of the costs in replies, and the costs so far: of lost positions, and of those that
    // need a reply. Each is requested at one depth only.
    depth: u32,
    costs: HashMap<G::Position, f64>,
    // The memory of the costs.
    held: Option<Reservation>,
}

impl<G: Squares> Maker<'_, G> {
    // The listener hears of this many positions at once.
    const STEP: u64 = 1 << 10;

    /// Counts a visited position.
    fn look(&mut self) -> Result<(), JudgeError> {
        self.looked += 1;
        if !self.looked.is_multiple_of(Self::STEP) {
            return Ok(());
        }
        self.tablebase.progress().advance(Self::STEP);
        if self.tablebase.progress().cancelled() {
            Err(JudgeError::Interrupted)
        } else {
            Ok(())
        }
    }

    /// After any move of the opponent: the canonical positions in which a reply is needed.
    fn defences(&self, position: &G::Position) -> Vec<G::Position> {
        if self.game.ending(position).is_some() {
            return Vec::new();
        }
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        let mut replies = Vec::new();
        let mut found: Vec<G::Position> = Vec::new();
        for mv in moves {
            let to = self.game.play(position, mv).to;
            if self.game.ending(&to).is_some() {
                continue;
            }
            let to = self.game.canonical(&to);
            if found.contains(&to) {
                continue;
            }
            if !can_win_at_once(self.game, &to, &mut replies) {
                found.push(to);
            }
        }
        found
    }

    /// Where the moves lead that keep what the strategy is sure of: canonical positions that the opponent
    /// loses, or at best draws.
    fn answers(&mut self, position: &G::Position) -> Result<Vec<G::Position>, JudgeError> {
        self.look()?;
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        let mut found: Vec<G::Position> = Vec::new();
        for mv in moves {
            let to = self.game.play(position, mv).to;
            // A position in which the game can be won at once gets no reply: an ending here is a
            // draw.
            let ending = self.game.ending(&to);
            if ending.is_some() && self.aim == Aim::Win {
                continue;
            }
            let to = self.game.canonical(&to);
            if found.contains(&to) {
                continue;
            }
            let value = match ending {
                Some(ending) => Some(ending.outcome),
                None => (self.value_of)(&to)?,
            };
            let kept = match self.aim {
                Aim::Win => value == Some(Outcome::Loss),
                Aim::Draw => matches!(value, Some(Outcome::Loss | Outcome::Draw)),
            };
            if kept {
                found.push(to);
            }
        }
        Ok(found)
    }

    // The first positions that need a reply.
    fn first(&self, start: G::Position, first_player: bool) -> Vec<G::Position> {
        if first_player {
            vec![start]
        } else {
            self.defences(&start)
        }
    }

    /// One list of replies; positions in `cheap` are preferred.
    fn strategy(
        &mut self,
        start: G::Position,
        first_player: bool,
        cheap: &BTreeSet<G::Position>,
    ) -> Result<Replies<G>, JudgeError> {
        let mut waiting: BTreeMap<u32, BTreeSet<G::Position>> = BTreeMap::new();
        for position in self.first(start, first_player) {
            waiting
                .entry(self.game.stage(&position))
                .or_default()
                .insert(position);
        }
        let mut replies = Replies::<G>::new();
        while let Some((_, needy)) = waiting.pop_first() {
            let needy: Vec<G::Position> = needy.into_iter().collect();
            let mut answers = Vec::with_capacity(needy.len());
            let mut weights: BTreeMap<G::Position, f64> = BTreeMap::new();
            for position in &needy {
                let able = self.answers(position)?;
                for answer in &able {
                    if !weights.contains_key(answer) {
                        weights.insert(*answer, self.weight(answer, cheap)?);
                    }
                }
                answers.push(able);
            }
            for (position, answer) in needy.iter().zip(cover(&answers, &weights)) {
                replies.insert(*position, answer);
            }
            let mut chosen: BTreeSet<G::Position> = BTreeSet::new();
            chosen.extend(
                needy
                    .iter()
                    .filter_map(|position| replies.get(position))
                    .copied(),
            );
            for answer in chosen {
                for position in self.defences(&answer) {
                    waiting
                        .entry(self.game.stage(&position))
                        .or_default()
                        .insert(position);
                }
            }
        }
        Ok(replies)
    }

    /// Size of the list in which every position gets its first winning move.
    fn first_replies(&mut self, start: G::Position, first_player: bool) -> Result<u64, JudgeError> {
        let mut seen: std::collections::HashSet<G::Position> = std::collections::HashSet::new();
        let mut waiting = self.first(start, first_player);
        seen.extend(waiting.iter().copied());
        let mut answered: std::collections::HashSet<G::Position> = std::collections::HashSet::new();
        while let Some(position) = waiting.pop() {
            let Some(answer) = self.answers(&position)?.first().copied() else {
                continue;
            };
            if answered.insert(answer) {
                let defences = self.defences(&answer);
                waiting.extend(defences.into_iter().filter(|next| seen.insert(*next)));
            }
        }
        Ok(seen.len() as u64)
    }

    /// Replies that the positions below a lost position take if nothing coincides.
    fn tree(&mut self, lost: &G::Position, depth: u32) -> Result<f64, JudgeError> {
        if let Some(known) = self.costs.get(lost) {
            return Ok(*known);
        }
        let mut cost = 0.0;
        for position in self.defences(lost) {
            cost += self.reply(&position, depth)?;
        }
        self.remember(*lost, depth, cost)?;
        Ok(cost)
    }

    /// Keeps a cost. One of a single reply is worked out again where there is no memory; one down to the end
    /// of the game could not be in any sensible time.
    fn remember(&mut self, of: G::Position, depth: u32, cost: f64) -> Result<(), JudgeError> {
        if self.costs.len() == self.costs.capacity() {
            match self.room_for_more() {
                Err(_) if depth != u32::MAX => return Ok(()),
                held => self.held = Some(held?),
            }
        }
        self.costs.insert(of, cost);
        Ok(())
    }

    /// Reserves memory for twice as many costs, and makes room for them.
    fn room_for_more(&mut self) -> Result<Reservation, JudgeError> {
        let more = self.costs.len().max(1 << 10);
        // The larger map stands beside the smaller one until it has taken over what that holds.
        let bytes = room::map_bytes::<G::Position, f64>(self.costs.len() + more);
        let what = format!("choosing replies for {}", self.game.rules().title());
        let reserved = self.tablebase.reserve(bytes as u128, &what, "")?;
        room::reserve_keys(&mut self.costs, more)?;
        Ok(reserved)
    }

    /// Replies that a position takes, its own included, if nothing coincides.
    fn reply(&mut self, position: &G::Position, depth: u32) -> Result<f64, JudgeError> {
        if depth == 0 {
            return Ok(1.0);
        }
        // Every round, and every position above, asks again.
        if let Some(known) = self.costs.get(position) {
            return Ok(*known);
        }
        let deeper = if depth == u32::MAX { depth } else { depth - 1 };
        let mut least = f64::MAX;
        for answer in self.answers(position)? {
            least = least.min(self.tree(&answer, deeper)?);
        }
        self.remember(*position, depth, 1.0 + least)?;
        Ok(1.0 + least)
    }

    /// The cost of a successor. Square roots, since replies to several positions often coincide, and
    /// do so more where there are many; a little more than nothing, so that fewer successors are taken.
    fn weight(
        &mut self,
        answer: &G::Position,
        cheap: &BTreeSet<G::Position>,
    ) -> Result<f64, JudgeError> {
        let mut weight = 0.001;
        let depth = self.depth;
        for position in self.defences(answer) {
            let cost = self.reply(&position, depth)?.sqrt();
            weight += if cheap.contains(&position) {
                0.05 * cost
            } else {
                cost
            };
        }
        Ok(weight)
    }
}

struct Candidate<P> {
    // Weight for each position that it would answer anew.
    rate: f64,
    answer: P,
}

impl<P: Ord> Ord for Candidate<P> {
    // The heap gives the greatest first: the cheapest candidate.
    fn cmp(&self, other: &Self) -> Ordering {
        other
            .rate
            .total_cmp(&self.rate)
            .then_with(|| other.answer.cmp(&self.answer))
    }
}

impl<P: Ord> PartialOrd for Candidate<P> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<P: Ord> PartialEq for Candidate<P> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<P: Ord> Eq for Candidate<P> {}

/// Picks one of the answers of each position so that few and cheap ones serve all: greedy set cover.
fn cover<P: Copy + Ord>(answers: &[Vec<P>], weights: &BTreeMap<P, f64>) -> Vec<P> {
    let mut serves: BTreeMap<P, Vec<usize>> = BTreeMap::new();
    for (number, able) in answers.iter().enumerate() {
        for answer in able {
            serves.entry(*answer).or_default().push(number);
        }
    }
    let mut picked: Vec<Option<P>> = vec![None; answers.len()];
    let open = |numbers: &[usize], picked: &[Option<P>]| {
        numbers
            .iter()
            .filter(|number| picked[**number].is_none())
            .count()
    };
    let rate =
        |answer: &P, open: usize| weights.get(answer).copied().unwrap_or(f64::MAX) / open as f64;
    let mut heap: BinaryHeap<Candidate<P>> = serves
        .iter()
        .map(|(answer, numbers)| Candidate {
            rate: rate(answer, numbers.len()),
            answer: *answer,
        })
        .collect();
    while let Some(Candidate {
        rate: known,
        answer,
    }) = heap.pop()
    {
        let numbers = &serves[&answer];
        let left = open(numbers, &picked);
        if left == 0 {
            continue;
        }
        let now = rate(&answer, left);
        if now > known {
            heap.push(Candidate { rate: now, answer });
            continue;
        }
        for number in numbers {
            picked[*number].get_or_insert(answer);
        }
    }
    picked.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn covers_are_cheap() {
        let answers = [vec![1, 9], vec![2, 9], vec![3, 9], vec![4]];
        let weights = BTreeMap::from([(1, 1.0), (2, 1.0), (3, 1.0), (4, 1.0), (9, 2.0)]);
        assert_eq!(cover(&answers, &weights), [9, 9, 9, 4]);
        let dear = BTreeMap::from([(1, 1.0), (2, 1.0), (3, 1.0), (4, 1.0), (9, 5.0)]);
        assert_eq!(cover(&answers, &dear), [1, 2, 3, 4]);
    }
}
