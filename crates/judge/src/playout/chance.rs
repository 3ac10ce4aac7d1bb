//! Games in which chance takes part: how they come out, and what there is to choose in them.

use greenwave_game::Dense;
use greenwave_probe::{Dice, answer};
use greenwave_values::{Progress, ValueSource, ValuesError};

use super::{
    GAMES, LONGEST, Manner, Mean, Playout, PlayoutSums, PositionMemo, SEED, part_of, sampled, worth,
};
use crate::JudgeError;
use crate::compare::Choices;

/// Number of positions of the index in a sample.
const POSITIONS: u64 = 10_000;
/// Numbers that are tried for each of them; most may be numbers of nothing.
const TRIES: u32 = 1_000;
/// Expectations that differ by no more are not told apart: rounding.
const EQUAL: f64 = 1e-9;

/// Plays games out, with draws. Without a source of odds only games at random can be played.
///
/// # Errors
/// When the source cannot be read, and when the work is cancelled.
pub fn play_out_with_draws<G, S>(
    game: &G,
    source: Option<&S>,
    manner: Manner,
    progress: &dyn Progress,
) -> Result<Option<Playout>, JudgeError>
where
    G: Dense,
    S: ValueSource<G::Position, Error = ValuesError> + Sync,
{
    let source = match (manner, source) {
        (Manner::Random, _) => None,
        (Manner::Careful | Manner::Keeping, None) => return Ok(None),
        (Manner::Careful | Manner::Keeping, source) => source,
    };
    let play = |dice: Vec<Dice>| {
        let (mut sums, mut best) = (PlayoutSums::default(), PositionMemo::new());
        for dice in dice {
            if progress.cancelled() {
                return Err(JudgeError::Interrupted);
            }
            let (worth, length) = one_game(game, source, manner, dice, &mut best)?;
            sums.add(worth, length);
            progress.advance(1);
        }
        Ok(sums)
    };
    let part = part_of(GAMES, source.is_some());
    sampled(game.rules().title(), (GAMES, part), progress, &play).map(Some)
}

/// What the first player got, and the length. Best moves that have been looked up are remembered.
fn one_game<G, S>(
    game: &G,
    source: Option<&S>,
    manner: Manner,
    mut dice: Dice,
    remembered: &mut PositionMemo<G::Position, Vec<G::Move>>,
) -> Result<(i64, u64), JudgeError>
where
    G: Dense,
    S: ValueSource<G::Position, Error = ValuesError>,
{
    let mut position = game.start();
    let (mut moves, mut draws) = (Vec::new(), Vec::new());
    let (mut sign, mut total, mut plies) = (1, 0, 0);
    loop {
        if let Some(ending) = game.ending(&position) {
            return Ok((total + sign * worth(game, &ending), plies));
        }
        game.draws(&position, &mut draws);
        if let Some(drawn) = dice.weighted(draws.iter().map(|(_, weight)| *weight)) {
            position = draws[drawn].0;
            continue;
        }
        if plies == LONGEST {
            return Ok((total, LONGEST));
        }
        let slips = match manner {
            Manner::Random => true,
            Manner::Careful => dice.below(super::SLIPS.into()) == 0,
            Manner::Keeping => false,
        };
        let good = match source.filter(|_| !slips) {
            Some(source) => {
                let best = remembered.of(position, |best| {
                    let here = answer(game, &position, source)?;
                    best.clear();
                    best.extend(here.moves.iter().take(here.best).map(|mv| mv.mv));
                    Ok::<(), JudgeError>(())
                })?;
                dice.one_of(best).copied()
            }
            None => None,
        };
        game.moves(&position, &mut moves);
        let Some(mv) = good.or_else(|| dice.one_of(&moves).copied()) else {
            return Ok((total, plies));
        };
        let edge = game.play(&position, mv);
        total += sign * i64::from(edge.gain);
        position = edge.to;
        plies += 1;
        if !edge.keeps_turn {
            sign = -sign;
        }
    }
}

/// Sums over positions, with those of the squares.
#[derive(Default)]
struct MomentSums {
    all: f64,
    squares: f64,
}

impl MomentSums {
    fn add(&mut self, number: f64) {
        self.all += number;
        self.squares += number * number;
    }

    fn mean(&self, count: u64) -> Mean {
        let count = count as f64;
        let mean = self.all / count;
        let spread = (self.squares / count - mean * mean).max(0.0);
        Mean {
            mean,
            error: Some((spread / (count - 1.0).max(1.0)).sqrt()),
        }
    }
}

/// Estimates the choices of players from random positions of the index; figures that need values
/// are there if a source of odds is. `None` where the sample finds no unfinished position.
///
/// # Errors
/// When the source cannot be read, and when the work is cancelled.
pub fn sampled_choices<G, S>(
    game: &G,
    source: Option<&S>,
    progress: &dyn Progress,
) -> Result<Option<Choices>, JudgeError>
where
    G: Dense,
    S: ValueSource<G::Position, Error = ValuesError>,
{
    let Ok(indices) = u64::try_from(game.indexable()) else {
        return Ok(None);
    };
    let mut moves = Vec::new();
    let (mut count, mut branching) = (0, MomentSums::default());
    let (mut decided, mut keeping) = (MomentSums::default(), MomentSums::default());
    for number in 0..POSITIONS {
        if progress.cancelled() {
            return Err(JudgeError::Interrupted);
        }
        let mut dice = Dice::new(SEED, number);
        let unfinished = |position: &G::Position| game.ending(position).is_none();
        let found = (0..TRIES).find_map(|_| game.at(dice.below(indices)).filter(unfinished));
        let Some(position) = found else { continue };
        game.moves(&position, &mut moves);
        if moves.is_empty() {
            continue;
        }
        count += 1;
        branching.add(moves.len() as f64);
        if let Some(source) = source {
            let here = answer(game, &position, source)?;
            let expectation =
                |number: usize| here.moves[number].figures.odds.map(|odds| odds.expectation);
            let (all, best) = (here.moves.len(), expectation(0).unwrap_or_default());
            let keeps =
                |number: &usize| expectation(*number).is_some_and(|other| other >= best - EQUAL);
            let kept = (0..all).filter(keeps).count();
            decided.add(if kept == all { 1.0 } else { 0.0 });
            keeping.add(kept as f64 / all as f64);
        }
    }
    Ok((count > 0).then(|| Choices {
        branching: branching.mean(count),
        decided: source.map(|_| decided.mean(count)),
        keeping: source.map(|_| keeping.mean(count)),
    }))
}

#[cfg(test)]
mod tests {
    use greenwave_game::{Game, Luck, Metric, Variant};
    use greenwave_solver::solve;
    use greenwave_values::{OddsSource, Silent};

    use super::*;

    #[test]
    fn games_of_best_play_come_out_as_the_odds_say() {
        for name in ["bag-classic-1x3", "bag-points-1x3"] {
            let variant = Variant::parse(name).unwrap();
            assert_eq!(variant.rules().properties.luck, Luck::Draws);
            let values = solve(&variant, Metric::Odds, u64::MAX, &Silent).unwrap();
            let odds = values.as_odds().unwrap();
            let Variant::Bag(game) = &variant else {
                panic!("{name} has a bag beside a board")
            };
            let source = OddsSource::with_draft(game, odds).unwrap();
            let start = source.figures(&game.start()).unwrap().odds.unwrap();
            let of = |manner| {
                let played = play_out_with_draws(game, Some(&source), manner, &Silent);
                played.unwrap().unwrap()
            };
            let best = of(Manner::Keeping).advantage;
            let error = best.error.unwrap();
            assert!(
                (best.mean - start.expectation).abs() <= 5.0 * error + 1e-9,
                "{name}: {best:?}, {start:?}"
            );
            // Without values there are games at random, the same ones.
            let none = Some(&source).filter(|_| false);
            let random = play_out_with_draws(game, none, Manner::Random, &Silent);
            assert_eq!(random.unwrap(), Some(of(Manner::Random)));
            let careful = play_out_with_draws(game, none, Manner::Careful, &Silent);
            assert_eq!(careful.unwrap(), None);
            // The memory of a thread leaves no trace in the result.
            let on = |threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
                pool.unwrap().install(|| of(Manner::Careful))
            };
            assert_eq!(on(1), on(3));
            let choices = sampled_choices(game, Some(&source), &Silent)
                .unwrap()
                .unwrap();
            assert!(choices.branching.mean >= 1.0);
            assert!(choices.keeping.unwrap().mean <= 1.0);
        }
    }
}
