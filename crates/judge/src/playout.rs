//! How games come out when they are not played perfectly: at random, with a slip now and then, or by any
//! moves that keep the value.

mod chance;

use std::cmp::Ordering;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;

use greenwave_game::{Advance, Ending, Figures, Game, Luck, Metric, Outcome, Squares, fixed_board};
use greenwave_probe::{Dice, rank};
use greenwave_values::parallel::{threads, try_map_parts};
use greenwave_values::{Progress, Unit, room};

use crate::JudgeError;
use crate::expr::KnownValues;
pub use chance::{play_out_with_draws, sampled_choices};

/// How the players choose their moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// Any legal move, each as likely.
    Random,
    /// One of the best moves, but any legal move in one turn of [`SLIPS`].
    Careful,
    /// Any move that keeps the value, in scored games the points.
    Keeping,
}

/// A careful player makes a random move in one turn of this many.
pub const SLIPS: u32 = 4;
/// Games in a sample, where a board has too many positions to visit them all.
pub const GAMES: u64 = 10_000;
/// The same where play can go on for ever, so that many games take [`LONGEST`] plies.
const ENDLESS_GAMES: u64 = 500;
/// Games that a thread plays before it takes others.
const PART: u64 = 16;
/// Positions that a part of the games remembers with what is chosen there, since games begin alike.
const REMEMBERED: usize = 1 << 12;
/// The seed of the sampled games.
const SEED: u64 = 1;
/// Boards of up to ten squares are visited position by position.
const SMALL: u128 = 1 << 20;
/// A sampled game that is not over after this many plies counts as drawn.
const LONGEST: u64 = 2_000;

/// A mean; with its standard error where it is estimated from sampled games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// Its standard error; `None` where it is exact.
    pub error: Option<f64>,
}

impl Mean {
    /// The mean with so many digits, perhaps with its sign, and twice its standard error where it is estimated.
    #[must_use]
    pub fn text(self, digits: usize, sign: bool) -> String {
        let number = if sign {
            format!("{:+.digits$}", self.mean)
        } else {
            format!("{:.digits$}", self.mean)
        };
        match self.error {
            Some(error) => format!("{number} \u{b1}{:.digits$}", 2.0 * error),
            None => number,
        }
    }
}

/// How games come out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Playout {
    /// What the first player gets: points where they count, else 1 for a win and −1 for a loss.
    pub advantage: Mean,
    /// Length in plies.
    pub length: Mean,
    /// Standard deviation of the length.
    pub spread: f64,
    /// Games that were sampled; `None` where the figures are exact.
    pub games: Option<u64>,
    /// Plies of the longest game that was sampled; `None` where games were not sampled.
    pub longest: Option<u64>,
    /// The share of games that were stopped early, since they did not end.
    pub broken_off: f64,
}

/// Plays a game out; nothing where chance takes part, for which there is [`play_out_with_draws`].
///
/// # Errors
/// When the work is cancelled.
pub fn play_out<G: Squares>(
    known: &KnownValues<'_, G>,
    manner: Manner,
    progress: &dyn Progress,
) -> Result<Option<Playout>, JudgeError> {
    let game = known.game();
    if game.rules().properties.luck == Luck::Draws {
        return Ok(None);
    }
    // On a fixed board every move leads to a higher index.
    let small = fixed_board(game).is_some() && game.indexable() <= SMALL;
    let played = if small {
        exact(known, manner, progress)
    } else {
        sampled_games(known, manner, progress)
    };
    played.map(Some)
}

/// The moves of a position, each with the share with which it is chosen.
#[derive(Clone)]
struct MoveShares<M> {
    moves: Vec<M>,
    shares: Vec<f64>,
}

impl<M> Default for MoveShares<M> {
    fn default() -> MoveShares<M> {
        MoveShares {
            moves: Vec::new(),
            shares: Vec::new(),
        }
    }
}

impl<M: Copy> MoveShares<M> {
    /// Of a position, in the place of what stood here before.
    fn fill<G: Squares<Move = M>>(
        &mut self,
        known: &KnownValues<'_, G>,
        position: &G::Position,
        manner: Manner,
    ) {
        let MoveShares { moves, shares } = self;
        let game = known.game();
        game.moves(position, moves);
        shares.clear();
        let metric = game.rules().default_metric;
        let after = |mv: &M| -> Figures {
            let edge = game.play(position, *mv);
            let below = known.figures(metric, &edge.to);
            below.after_move(edge.gain, edge.keeps_turn)
        };
        // Until the end `shares` holds 1 for good moves and 0 for others.
        let slips = match manner {
            Manner::Random => {
                shares.resize(moves.len(), 0.0);
                1.0
            }
            Manner::Careful => {
                let mut best = None;
                for mv in &*moves {
                    let rank = rank(&after(mv));
                    match best.as_ref().map_or(Ordering::Less, |best| rank.cmp(best)) {
                        Ordering::Less => {
                            shares.fill(0.0);
                            shares.push(1.0);
                            best = Some(rank);
                        }
                        Ordering::Equal => shares.push(1.0),
                        Ordering::Greater => shares.push(0.0),
                    }
                }
                1.0 / f64::from(SLIPS)
            }
            Manner::Keeping => {
                let own = known.figures(metric, position);
                let keeps =
                    |figures: Figures| figures.value == own.value && figures.points == own.points;
                shares.extend(moves.iter().map(|mv| f64::from(keeps(after(mv)))));
                0.0
            }
        };
        let count = shares.iter().filter(|good| **good > 0.0).count();
        // Where nothing is known to be good, all is.
        let slips = if count == 0 { 1.0 } else { slips };
        let any = slips / moves.len() as f64;
        let chosen = if count == 0 {
            0.0
        } else {
            (1.0 - slips) / count as f64
        };
        for share in shares {
            *share = any + if *share > 0.0 { chosen } else { 0.0 };
        }
    }

    fn choice(&self, dice: &mut Dice) -> M {
        let mut left = dice.fraction();
        let pick = self.shares.iter().position(|share| {
            left -= share;
            left < 0.0
        });
        let last = self.shares.iter().rposition(|share| *share > 0.0);
        self.moves[pick.or(last).unwrap_or(0)]
    }
}

/// What is worked out once for positions that games come to again, up to [`REMEMBERED`] of them; fewer where
/// memory is refused.
struct PositionMemo<P, T> {
    kept: HashMap<P, T>,
    latest: T,
}

impl<P: Eq + Hash, T: Clone + Default> PositionMemo<P, T> {
    fn new() -> PositionMemo<P, T> {
        PositionMemo {
            kept: HashMap::new(),
            latest: T::default(),
        }
    }

    /// Of a position. `fill` works it out where it is not remembered, in the place of what it worked out
    /// last, whose room it uses again.
    fn of<E>(&mut self, position: P, fill: impl FnOnce(&mut T) -> Result<(), E>) -> Result<&T, E> {
        let PositionMemo { kept, latest } = self;
        if kept.len() >= REMEMBERED || kept.try_reserve(1).is_err() {
            if let Some(known) = kept.get(&position) {
                return Ok(known);
            }
            fill(latest)?;
            return Ok(latest);
        }
        match kept.entry(position) {
            Entry::Occupied(known) => Ok(known.into_mut()),
            Entry::Vacant(unknown) => {
                fill(latest)?;
                Ok(unknown.insert(latest.clone()))
            }
        }
    }
}

// The value of a finished game for the player to move.
fn worth<G: Game>(game: &G, ending: &Ending) -> i64 {
    if game.rules().metrics.contains(&Metric::Points) {
        i64::from(ending.points)
    } else {
        match ending.outcome {
            Outcome::Win => 1,
            Outcome::Draw => 0,
            Outcome::Loss => -1,
        }
    }
}

// Of a game whose moves all lead to higher indices.
fn exact<G: Squares>(
    known: &KnownValues<'_, G>,
    manner: Manner,
    progress: &dyn Progress,
) -> Result<Playout, JudgeError> {
    #[derive(Clone, Copy, Default)]
    struct Moments {
        worth: f64,
        length: f64,
        square: f64,
    }
    let game = known.game();
    let count = game.indexable() as usize;
    let mut all = room::filled(Moments::default(), count)?;
    let mut turn = MoveShares::default();
    // Every move leads to a higher index.
    for index in (0..count).rev() {
        if index.is_multiple_of(1 << 12) && progress.cancelled() {
            return Err(JudgeError::Interrupted);
        }
        let Some(position) = game.at(index as u64) else {
            continue;
        };
        if let Some(ending) = game.ending(&position) {
            all[index].worth = worth(game, &ending) as f64;
            continue;
        }
        turn.fill(known, &position, manner);
        let mut here = Moments::default();
        for (mv, share) in turn.moves.iter().zip(&turn.shares) {
            let edge = game.play(&position, *mv);
            let below = all[game.index(&edge.to) as usize];
            here.worth += share * (f64::from(edge.gain) - below.worth);
            here.length += share * (1.0 + below.length);
            here.square += share * (1.0 + 2.0 * below.length + below.square);
        }
        all[index] = here;
    }
    let start = all[game.index(&game.start()) as usize];
    let exactly = |mean| Mean { mean, error: None };
    Ok(Playout {
        // Not −0.
        advantage: exactly(start.worth + 0.0),
        length: exactly(start.length),
        spread: (start.square - start.length * start.length).max(0.0).sqrt(),
        games: None,
        longest: None,
        broken_off: 0.0,
    })
}

// Sums over games; whole numbers, so that the order of the games does not matter.
#[derive(Clone, Copy, Default)]
struct PlayoutSums {
    worth: i64,
    worth_squares: i64,
    length: u64,
    length_squares: u64,
    longest: u64,
    broken_off: u64,
}

impl PlayoutSums {
    fn add(&mut self, worth: i64, length: u64) {
        *self = self.joined(PlayoutSums {
            worth,
            worth_squares: worth * worth,
            length,
            length_squares: length * length,
            longest: length,
            broken_off: u64::from(length == LONGEST),
        });
    }

    fn joined(self, other: PlayoutSums) -> PlayoutSums {
        PlayoutSums {
            worth: self.worth + other.worth,
            worth_squares: self.worth_squares + other.worth_squares,
            length: self.length + other.length,
            length_squares: self.length_squares + other.length_squares,
            longest: self.longest.max(other.longest),
            broken_off: self.broken_off + other.broken_off,
        }
    }
}

fn sampled_games<G: Squares>(
    known: &KnownValues<'_, G>,
    manner: Manner,
    progress: &dyn Progress,
) -> Result<Playout, JudgeError> {
    let rules = known.game().rules();
    let games = match rules.properties.advance {
        Advance::Repeats => ENDLESS_GAMES,
        Advance::Acyclic | Advance::Rises => GAMES,
    };
    // A leaf that was read serves many games.
    let by_leaf = known.reads_a_table(rules.default_metric);
    sampled(
        rules.title(),
        (games, part_of(games, by_leaf)),
        progress,
        &|dice| play_together(known, manner, dice, by_leaf, progress),
    )
}

/// Games of a part: all of a thread where what it has looked up serves many games, else a few.
fn part_of(games: u64, looked_up: bool) -> u64 {
    if looked_up {
        games.div_ceil(threads() as u64)
    } else {
        PART
    }
}

/// What some games come to, each with dice of its own; `play` plays a part of them.
fn sampled(
    name: &str,
    (games, part_len): (u64, u64),
    progress: &dyn Progress,
    play: &(dyn Fn(Vec<Dice>) -> Result<PlayoutSums, JudgeError> + Sync),
) -> Result<Playout, JudgeError> {
    progress.begin(&format!("playing {name}"), games, Unit::Games);
    let parts = try_map_parts(games.div_ceil(part_len) as usize, |part| {
        let first = part as u64 * part_len;
        let numbers = first..games.min(first + part_len);
        play(numbers.map(|number| Dice::new(SEED, number)).collect())
    })?;
    let sums = parts
        .into_iter()
        .fold(PlayoutSums::default(), PlayoutSums::joined);
    let count = games;
    let games = games as f64;
    let mean_and_spread = |sum: f64, squares: f64| {
        let mean = sum / games;
        (
            mean,
            ((squares / games - mean * mean).max(0.0) * games / (games - 1.0)).sqrt(),
        )
    };
    let estimated = |(mean, spread): (f64, f64)| Mean {
        mean,
        error: Some(spread / games.sqrt()),
    };
    let length = mean_and_spread(sums.length as f64, sums.length_squares as f64);
    Ok(Playout {
        advantage: estimated(mean_and_spread(
            sums.worth as f64,
            sums.worth_squares as f64,
        )),
        length: estimated(length),
        spread: length.1,
        games: Some(count),
        longest: Some(sums.longest),
        broken_off: sums.broken_off as f64 / games,
    })
}

/// A game under way.
struct Playthrough<P> {
    position: P,
    dice: Dice,
    /// 1 where the first player is to move, else −1.
    sign: i64,
    /// The first player's points so far.
    total: i64,
    plies: u64,
}

/// Plays games side by side, a turn of each at a time; `by_leaf` in the order of the indices, so that the
/// values of a table are requested leaf by leaf.
fn play_together<G: Squares>(
    known: &KnownValues<'_, G>,
    manner: Manner,
    dice: Vec<Dice>,
    by_leaf: bool,
    progress: &dyn Progress,
) -> Result<PlayoutSums, JudgeError> {
    let game = known.game();
    let begun = dice.into_iter().map(|dice| Playthrough {
        position: game.start(),
        dice,
        sign: 1,
        total: 0,
        plies: 0,
    });
    let mut games: Vec<Playthrough<G::Position>> = begun.collect();
    let mut sums = PlayoutSums::default();
    let mut turns = PositionMemo::<G::Position, MoveShares<G::Move>>::new();
    while !games.is_empty() {
        if progress.cancelled() {
            return Err(JudgeError::Interrupted);
        }
        games.retain(|play| match result(game, play) {
            Some(worth) => {
                sums.add(worth, play.plies);
                progress.advance(1);
                false
            }
            None => true,
        });
        if by_leaf {
            games.sort_by_cached_key(|play| game.index(&play.position));
        }
        for play in &mut games {
            let turn = turns.of(play.position, |turn| {
                turn.fill(known, &play.position, manner);
                Ok::<(), JudgeError>(())
            })?;
            let edge = game.play(&play.position, turn.choice(&mut play.dice));
            play.total += play.sign * i64::from(edge.gain);
            play.position = edge.to;
            play.plies += 1;
            if !edge.keeps_turn {
                play.sign = -play.sign;
            }
        }
    }
    Ok(sums)
}

/// The first player's result, if a game is over.
fn result<G: Game>(game: &G, play: &Playthrough<G::Position>) -> Option<i64> {
    if play.plies == LONGEST {
        return Some(play.total);
    }
    let ending = game.ending(&play.position)?;
    Some(play.total + play.sign * worth(game, &ending))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use greenwave_game::{Metric, Variant};
    use greenwave_solver::solve;
    use greenwave_values::Silent;

    use super::*;

    fn both(name: &str, manner: Manner) -> [Playout; 2] {
        let variant = Variant::parse(name).unwrap();
        let metric = variant.rules().default_metric;
        let values = solve(&variant, metric, u64::MAX, &Silent).unwrap();
        let Variant::Board(game) = &variant else {
            panic!("{name} is a board")
        };
        let known = KnownValues::new(game, &[&values], None);
        let exactly = exact(&known, manner, &Silent).unwrap();
        [exactly, sampled_games(&known, manner, &Silent).unwrap()]
    }

    #[test]
    fn sampled_games_come_out_as_the_exact_ones() {
        for name in [
            "classic-1x3",
            "classic-2x3",
            "points-2x3",
            "points-1x3:end=play-on",
            "classic-2x3:play=misere",
        ] {
            for manner in [Manner::Random, Manner::Careful, Manner::Keeping] {
                let [exactly, sampled] = both(name, manner);
                let near =
                    |a: Mean, b: Mean| (a.mean - b.mean).abs() <= 5.0 * b.error.unwrap() + 1e-9;
                assert!(
                    near(exactly.advantage, sampled.advantage),
                    "{name} {manner:?} {exactly:?} {sampled:?}"
                );
                assert!(
                    near(exactly.length, sampled.length),
                    "{name} {manner:?} {exactly:?} {sampled:?}"
                );
                assert!(
                    (exactly.spread - sampled.spread).abs() < 0.1,
                    "{name} {manner:?}"
                );
            }
        }
    }

    // Ten thousand games of two thousand plies each took minutes.
    #[test]
    fn games_without_end_are_few() {
        struct Games(AtomicU64);
        impl Progress for Games {
            fn begin(&self, _: &str, total: u64, _: Unit) {
                assert_eq!(total, ENDLESS_GAMES);
            }

            fn advance(&self, more: u64) {
                self.0.fetch_add(more, Ordering::Relaxed);
            }
        }
        let text = "patterns = ['33', '13']\nboard.size = '2x2'\nboard.line-length = 2\n[strip]\n";
        let file = greenwave_game::RuleFile::parse("small.toml", text).unwrap();
        let game = file.variant.as_strip().unwrap();
        let values = solve(&file.variant, Metric::Distance, u64::MAX, &Silent).unwrap();
        let known = KnownValues::new(game, &[&values], None);
        let games = Games(AtomicU64::new(0));
        let playout = play_out(&known, Manner::Keeping, &games).unwrap();
        assert_eq!(games.0.into_inner(), ENDLESS_GAMES);
        let playout = playout.unwrap();
        assert!(playout.length.mean > 1_000.0 && playout.broken_off > 0.5);
    }

    #[test]
    fn who_keeps_the_value_gets_it() {
        let [exactly, sampled] = both("classic-2x3", Manner::Keeping);
        assert!((exactly.advantage.mean.abs() - 1.0).abs() < 1e-12);
        assert!((sampled.advantage.mean - exactly.advantage.mean).abs() < 1e-12);
        assert_eq!(sampled.advantage.error, Some(0.0));
    }
}
