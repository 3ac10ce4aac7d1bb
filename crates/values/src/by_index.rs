//! The values of a game as one array in index order, for programs that work on whole arrays.

use greenwave_game::{Dense, Ending, Figures, LEAF_BITS, LeafMask, Metric, Outcome, Packing};

use crate::codes::ended;
use crate::parallel::try_for_each_chunk;
use crate::room::filled_watched;
use crate::{OddsSource, Progress, Unit, ValueSource, Values, ValuesError};

/// A number for each index, for the player to move; finished positions included.
#[derive(Clone, Debug, PartialEq)]
pub enum ByIndex {
    /// Values: 1 won, 0 drawn, −1 lost, −128 no legal position.
    Value(Vec<i8>),
    /// Distances in plies: positive won, negative lost, 0 finished, −32768 drawn, −32767 no legal
    /// position.
    Distance(Vec<i16>),
    /// Points still to come, −32768 no legal position.
    Points(Vec<i16>),
    /// Nimbers; 0 also where there is no legal position.
    Nimber(Vec<u8>),
    /// Expectations; the least number there is where there is no legal position.
    Odds(Vec<f64>),
}

/// What stands for a drawn position among distances.
pub const DRAWN: i16 = i16::MIN;
/// The code of an index that is no legal position, among distances.
pub const NO_DISTANCE: i16 = i16::MIN + 1;

impl ByIndex {
    /// Bytes of the array of a game with this number of indices.
    #[must_use]
    pub fn bytes(indexable: u128, metric: Metric) -> u128 {
        let each = match metric {
            Metric::Value | Metric::Nimber => 1,
            Metric::Distance | Metric::Points => 2,
            Metric::Odds => 8,
        };
        indexable.saturating_mul(each)
    }

    /// The array of a metric, made of values that give it: those of the metric itself, or where the
    /// value is wanted of another. Where positions are listed, indices that play does not reach count as
    /// no legal positions.
    ///
    /// # Errors
    /// When the work is cancelled.
    pub fn of<G: Dense>(
        game: &G,
        values: &Values,
        metric: Metric,
        progress: &dyn Progress,
    ) -> Result<ByIndex, ValuesError> {
        let stage = format!("laying out the {metric} of {}", game.rules().title());
        progress.begin(&stage, game.indexable() as u64, Unit::Positions);
        let figure = |figures: &Figures, ending: Option<&Ending>| number(metric, figures, ending);
        Ok(match metric {
            Metric::Value => ByIndex::Value(array(game, values, progress, i8::MIN, |f, e| {
                figure(f, e).map(|number| number as i8)
            })?),
            Metric::Distance => {
                ByIndex::Distance(array(game, values, progress, NO_DISTANCE, |f, e| {
                    figure(f, e).map(|number| number as i16)
                })?)
            }
            Metric::Points => ByIndex::Points(array(game, values, progress, i16::MIN, |f, e| {
                figure(f, e).map(|number| number as i16)
            })?),
            Metric::Nimber => ByIndex::Nimber(array(game, values, progress, u8::MIN, |f, e| {
                figure(f, e).map(|number| number as u8)
            })?),
            Metric::Odds => ByIndex::Odds(array(game, values, progress, f64::MIN, |f, _| {
                f.odds.map(|odds| odds.expectation)
            })?),
        })
    }
}

// A figure as a number; `None` where it is not held.
fn number(metric: Metric, figures: &Figures, ending: Option<&Ending>) -> Option<i32> {
    match metric {
        Metric::Value => figures.value.map(|value| match value {
            Outcome::Win => 1,
            Outcome::Draw => 0,
            Outcome::Loss => -1,
        }),
        Metric::Distance => Some(match (figures.value?, figures.distance) {
            (Outcome::Draw, _) | (_, None) => DRAWN.into(),
            (Outcome::Win, Some(plies)) => plies.0 as i32,
            (Outcome::Loss, Some(plies)) => -(plies.0 as i32),
        }),
        Metric::Points => ending.map_or(figures.points, |ending| Some(ending.points)),
        Metric::Nimber => match ending {
            Some(_) => Some(0),
            None => figures.nimber.map(|nimber| nimber as i32),
        },
        Metric::Odds => None,
    }
}

fn array<G: Dense, T: Copy + Send + Sync>(
    game: &G,
    values: &Values,
    progress: &dyn Progress,
    least: T,
    number: impl Fn(&Figures, Option<&Ending>) -> Option<T> + Sync,
) -> Result<Vec<T>, ValuesError> {
    let mut all = filled_watched(&least, game.indexable() as usize, progress)?;
    if let Values::Listed(listed) = values {
        // The list is short, the index has gaps.
        for (index, _) in listed.indices().iter().zip(listed.codes()) {
            let ending = game
                .at_unchecked(*index)
                .and_then(|position| game.ending(&position));
            if let Some(found) = number(&listed.figures(*index), ending.as_ref()) {
                all[*index as usize] = found;
            }
        }
        return Ok(all);
    }

    let odds = values.as_odds().map(|odds| OddsSource::new(game, odds));
    try_for_each_chunk(&mut all, 1 << LEAF_BITS, |leaf, chunk| {
        if progress.cancelled() {
            return Err(ValuesError::Interrupted);
        }
        let first = (leaf as u64) << LEAF_BITS;
        let mut mask = LeafMask::default();
        game.leaf_mask(Packing::Unfinished, leaf as u64, &mut mask);
        for (place, slot) in chunk.iter_mut().enumerate() {
            let index = first + place as u64;
            let found = match (&odds, mask.contains(place as u32)) {
                (None, true) => number(&values.figures(index), None),
                (Some(odds), true) => match game.at(index) {
                    Some(position) => number(&odds.figures(&position)?, None),
                    None => None,
                },
                (_, false) => game.at(index).and_then(|position| {
                    let ending = game.ending(&position)?;
                    number(&ended(values.metric(), &ending), Some(&ending))
                }),
            };
            if let Some(found) = found {
                *slot = found;
            }
        }
        progress.advance(chunk.len() as u64);
        Ok(())
    })?;
    Ok(all)
}
