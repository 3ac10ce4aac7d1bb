//! Where the values of a sweep go: into counts and into memory.

use std::sync::Arc;

use greenwave_game::Odds;
use greenwave_table::{self as table, Summary};
use greenwave_values::rows::{Row, Rows, histogram, result_of};
use greenwave_values::{OddsValues, room, stored_figures};
use rayon::prelude::*;

use super::hands::{Hands, STATES};
use super::kernel::{BoardOdds, Entries};
use super::sweep::Sink;
use crate::SolveError;

/// Counts legal, unfinished positions by the sign of their expectation, not up to symmetry.
pub(crate) struct SignCounter {
    rows: Arc<Rows>,
    flags: usize,
    /// Won, lost, drawn.
    pub(crate) counts: [u64; 3],
}

impl SignCounter {
    pub(crate) fn new(rows: &Arc<Rows>, flags: usize) -> SignCounter {
        SignCounter {
            rows: Arc::clone(rows),
            flags,
            counts: [0; 3],
        }
    }

    /// The summary of a game whose start has those odds.
    pub(crate) fn summary(&self, start: Odds) -> Summary {
        // Counts stand in checkpoints as won, lost, drawn.
        let [win, loss, draw] = self.counts;
        let figures = greenwave_game::Figures {
            value: Some(start.outcome()),
            odds: Some(start),
            ..Default::default()
        };
        Summary {
            start: stored_figures(&figures),
            by_value: Some(table::ResultCounts { win, loss, draw }),
            histogram: histogram([win, draw, loss]),
            longest: None,
            openings: Vec::new(),
        }
    }
}

impl SignCounter {
    /// Counts consecutive rows.
    pub(crate) fn rows(&mut self, rows: &[Row], values: &[BoardOdds]) {
        let count = |(row, values): (&Row, &[BoardOdds])| {
            let packed = self.rows.packed(row.code);
            let mut counts = [0_u64; 3];
            for values in values {
                for state in (0..STATES).filter(|state| packed[*state]) {
                    let expectation = values.expectation[Hands::place(state)];
                    counts[[0, 2, 1][result_of(expectation)]] += 1;
                }
            }
            counts.map(|count| count * self.rows.images(row.code))
        };
        let counts = rows
            .par_iter()
            .zip(values.par_chunks(self.flags))
            .map(count)
            .reduce(|| [0; 3], |a, b| [a[0] + b[0], a[1] + b[1], a[2] + b[2]]);
        (0..3).for_each(|outcome| self.counts[outcome] += counts[outcome]);
    }
}

/// Keeps the values of all rows, or of those wanted.
pub(crate) struct RowStore {
    values: OddsValues,
    flags: usize,
    // Sorted.
    wanted: Option<Vec<u64>>,
}

impl RowStore {
    pub(crate) fn new(values: OddsValues, flags: usize, wanted: Option<Vec<u64>>) -> RowStore {
        RowStore {
            values,
            flags,
            wanted,
        }
    }

    pub(crate) fn finish(self) -> OddsValues {
        self.values
    }
}

impl Sink for RowStore {
    fn rows(&mut self, number: u64, _rows: &[Row], values: &[BoardOdds]) -> Result<(), SolveError> {
        for (number, values) in (number..).zip(values.chunks(self.flags)) {
            let wanted = self.wanted.as_ref();
            if wanted.is_none_or(|wanted| wanted.binary_search(&number).is_ok()) {
                let states = (0..values.len() * STATES)
                    .map(|state| values[state / STATES].get(Hands::place(state % STATES)));
                let states = room::collected(states)?;
                self.values.insert(number, states.into_boxed_slice());
            }
        }
        Ok(())
    }

    fn level_done(&mut self, _level: usize, _entries: &[Entries]) -> Result<(), SolveError> {
        Ok(())
    }
}
