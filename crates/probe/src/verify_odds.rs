//! The check of a table of odds against the rules.

use std::collections::HashMap;

use greenwave_game::{Dense, Game, HAND_STATES, Metric, Odds, TIE};
use greenwave_table::{Figures, Summary};
use greenwave_values::parallel::fold_parts;
use greenwave_values::{
    NumberedValues, OddsByIndex, OddsTable, Silent, SolvedOdds, ValuesError, by_value,
    stored_figures,
};

use crate::VerifyResult;
use crate::verify::{ExpectedMeta, StoredCheck, conclude};

/// Reads a whole table of odds, its checksums included. Computes every stored position again from
/// the rules and the values stored for the positions after it. `advance` gets the number of
/// finished values.
///
/// Stored numbers are rounded, so they are compared with a tolerance. An expectation is a maximum
/// of averages of rounded numbers and is rounded itself: it may be off by twice the rounding error
/// of the largest number involved. The win probability (and the loss probability where it is
/// stored) is that of a move whose expectation is best. After rounding, moves that tie exactly can
/// differ, and moves that differ by less than the rounding can tie. So the probability must lie,
/// within the same tolerance, between the least and the greatest among the moves whose expectations
/// the rounding cannot tell from the best.
///
/// # Errors
/// When the table cannot be read or is damaged.
pub fn verify_odds<G: Dense>(
    table: &OddsTable,
    game: &G,
    advance: &(dyn Fn(u64) + Sync),
) -> Result<VerifyResult, ValuesError> {
    let read = table.table().check()?;
    let held = table.load()?;
    let rows = table.rows();
    let check = OddsChecker { game, held: &held };
    let checked = fold_parts(
        rows.rows() as usize,
        || (0_u64, 0_u64, None::<(u64, u64)>),
        |found, row| {
            let number = row as u64;
            let code = rows.row(number).code;
            let packed = rows.packed(code);
            let before = found.0;
            // Many moves of a board come to the same draws.
            let mut known = Ranges::<G>::new();
            for flag in 0..rows.space().flags as u64 {
                for state in (0..HAND_STATES).filter(|state| packed[*state as usize]) {
                    let index = rows.space().join(code, flag, state);
                    found.0 += 1;
                    if !check.holds(index, &mut known) {
                        found.1 += 1;
                        if found.2.is_none_or(|(row, _)| number < row) {
                            found.2 = Some((number, index));
                        }
                    }
                }
            }
            advance((found.0 - before) * rows.space().parts as u64);
        },
    );
    let positions = checked.iter().map(|(positions, ..)| positions).sum();
    let mismatches: u64 = checked.iter().map(|(_, wrong, _)| wrong).sum();
    let first = checked.iter().filter_map(|(.., first)| *first).min();
    let first = first.map(|(_, index)| index);
    let first = first.and_then(|index| Some((index, game.at(index)?)));
    let found = StoredCheck {
        positions,
        wrong: mismatches,
        first: first.map(|(index, position)| {
            let text = game.position_text(&position);
            (index, format!("position {text} has wrong odds"))
        }),
    };
    let numbered: &dyn NumberedValues<G> = &held;
    let histogram = numbered.count(game, &Silent).histogram;
    let stored = table.start();
    let start = stored.filter(|start| check.start_holds(start));
    let expected = ExpectedMeta {
        rules: game.rules(),
        summary: Summary {
            // In double precision, and as good as the numbers that it follows from.
            start: start.map_or_else(Figures::default, |odds| {
                stored_figures(&greenwave_game::Figures {
                    value: Some(odds.outcome()),
                    odds: Some(odds),
                    ..greenwave_game::Figures::default()
                })
            }),
            by_value: Some(by_value(Metric::Odds, &histogram)),
            histogram,
            longest: None,
            openings: Vec::new(),
        },
        scheme: numbered.scheme(game),
    };
    Ok(conclude(table.table(), read.frames, found, &expected))
}

/// Bounds of odds, given rounded numbers: an expectation, and bounds of win and loss.
#[derive(Clone, Copy, Debug)]
struct OddsBounds {
    expectation: f64,
    win: [f64; 2],
    loss: [f64; 2],
    // Rounding error that is in these numbers.
    error: f64,
}

impl OddsBounds {
    fn of(odds: &Odds, error: f64) -> OddsBounds {
        OddsBounds {
            expectation: odds.expectation,
            win: [odds.win; 2],
            loss: [odds.loss; 2],
            error,
        }
    }

    fn turned(self) -> OddsBounds {
        OddsBounds {
            expectation: -self.expectation,
            win: self.loss,
            loss: self.win,
            ..self
        }
    }
}

/// Ranges of positions inside a turn.
type Ranges<G> = HashMap<<G as Game>::Position, OddsBounds>;

struct OddsChecker<'a, G> {
    game: &'a G,
    held: &'a SolvedOdds,
}

impl<G: Dense> OddsChecker<'_, G> {
    // Whether the stored odds of an index follow from those of its children.
    fn holds(&self, index: u64, known: &mut Ranges<G>) -> bool {
        let (Some(stored), Some(position)) = (self.held.values.odds(index), self.game.at(index))
        else {
            return false;
        };
        let range = self.settled(&position, known);
        let error = OddsTable::worst_error(stored.expectation);
        let slack = range.error + error + TIE;
        let probability = 4.0 * OddsTable::WORST_ERROR + TIE;
        let within = |value: f64, [low, high]: [f64; 2]| {
            value >= low - probability && value <= high + probability
        };
        (stored.expectation - range.expectation).abs() <= slack
            && within(stored.win, range.win)
            && within(stored.loss, range.loss)
    }

    // The start is stored in double precision, its parts in single.
    fn start_holds(&self, start: &Odds) -> bool {
        let range = self.settled(&self.game.start(), &mut Ranges::<G>::new());
        let probability = 4.0 * OddsTable::WORST_ERROR + TIE;
        let within = |value: f64, [low, high]: [f64; 2]| {
            value >= low - probability && value <= high + probability
        };
        (start.expectation - range.expectation).abs() <= range.error + TIE
            && within(start.win, range.win)
            && within(start.loss, range.loss)
            && (start.win + start.draw + start.loss - 1.0).abs() <= TIE
    }

    fn range(&self, position: &G::Position, known: &mut Ranges<G>) -> OddsBounds {
        if let Some(ending) = self.game.ending(position) {
            return OddsBounds::of(&Odds::of_ending(&ending), 0.0);
        }
        if !self.game.has_index(position) {
            if let Some(range) = known.get(position) {
                return *range;
            }
            let range = self.settled(position, known);
            known.insert(*position, range);
            return range;
        }
        match self.held.values.odds(self.game.index(position)) {
            Some(odds) => OddsBounds::of(&odds, OddsTable::worst_error(odds.expectation)),
            // No such row: nothing can agree with it.
            None => OddsBounds::of(
                &Odds {
                    expectation: f64::NAN,
                    ..Odds::DRAWN
                },
                0.0,
            ),
        }
    }

    // The range of a position from those that follow it.
    fn settled(&self, position: &G::Position, known: &mut Ranges<G>) -> OddsBounds {
        let mut draws = Vec::new();
        self.game.draws(position, &mut draws);
        if draws.is_empty() {
            return self.best(position, known);
        }
        let total: u32 = draws.iter().map(|(_, weight)| weight).sum();
        let mut sum = OddsBounds {
            expectation: 0.0,
            win: [0.0; 2],
            loss: [0.0; 2],
            error: 0.0,
        };
        for (to, weight) in &draws {
            let share = f64::from(*weight) / f64::from(total);
            let range = self.range(to, known);
            sum.expectation += share * range.expectation;
            for side in 0..2 {
                sum.win[side] += share * range.win[side];
                sum.loss[side] += share * range.loss[side];
            }
            sum.error = sum.error.max(range.error);
        }
        sum
    }

    fn best(&self, position: &G::Position, known: &mut Ranges<G>) -> OddsBounds {
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        let ranges: Vec<OddsBounds> = moves
            .into_iter()
            .map(|mv| {
                let edge = self.game.play(position, mv);
                let range = self.range(&edge.to, known);
                if edge.keeps_turn {
                    range
                } else {
                    range.turned()
                }
            })
            .collect();
        let best = ranges
            .iter()
            .map(|range| range.expectation)
            .fold(f64::NEG_INFINITY, f64::max);
        let error = ranges.iter().map(|range| range.error).fold(0.0, f64::max);
        let close = ranges
            .iter()
            .filter(|range| range.expectation >= best - 2.0 * error - TIE);
        close.fold(
            OddsBounds {
                expectation: best,
                win: [1.0, 0.0],
                loss: [1.0, 0.0],
                error,
            },
            |sum, range| OddsBounds {
                win: [sum.win[0].min(range.win[0]), sum.win[1].max(range.win[1])],
                loss: [
                    sum.loss[0].min(range.loss[0]),
                    sum.loss[1].max(range.loss[1]),
                ],
                ..sum
            },
        )
    }
}
