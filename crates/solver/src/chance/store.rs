//! Where the values of a sweep go: into counts, into memory, into the leaves of a table.

use std::sync::Arc;

use greenwave_game::{BagRows, Odds, Outcome, PackedStates, Row, TIE};
use greenwave_table::{self as table, LEAF_BITS, Leaf, Summary};
use greenwave_values::{OddsValues, plain_figures, plain_outcome};
use rayon::prelude::*;

use super::hands::{Hands, STATES};
use super::kernel::{Entries, Values};
use super::sweep::Sink;
use crate::SolveError;

/// Counts legal, unfinished positions by the sign of their expectation, not up to symmetry.
pub(crate) struct Counter {
    rows: Arc<BagRows>,
    flags: usize,
    /// Won, lost, drawn.
    pub(crate) counts: [u64; 3],
}

impl Counter {
    pub(crate) fn new(rows: &Arc<BagRows>, flags: usize) -> Counter {
        Counter {
            rows: Arc::clone(rows),
            flags,
            counts: [0; 3],
        }
    }

    /// The summary of a game whose start has those odds.
    pub(crate) fn summary(&self, start: Odds) -> Summary {
        let [win, loss, draw] = self.counts;
        let entry = |outcome, count| table::HistogramEntry {
            outcome: Some(plain_outcome(outcome)),
            key: 0,
            count,
        };
        let mut histogram = vec![
            entry(Outcome::Win, win),
            entry(Outcome::Draw, draw),
            entry(Outcome::Loss, loss),
        ];
        histogram.retain(|entry| entry.count > 0);
        let figures = greenwave_game::Figures {
            value: Some(start.outcome()),
            odds: Some(start),
            ..Default::default()
        };
        Summary {
            start: plain_figures(&figures),
            by_value: Some(table::ByValue { win, loss, draw }),
            histogram,
            longest: None,
            openings: Vec::new(),
        }
    }
}

impl Counter {
    /// Counts consecutive rows.
    pub(crate) fn rows(&mut self, rows: &[Row], values: &[Values]) {
        let count = |(row, values): (&Row, &[Values])| {
            let packed = self.rows.packed(row.code);
            let mut counts = [0_u64; 3];
            for values in values {
                for state in (0..STATES).filter(|state| packed[*state]) {
                    let expectation = values.expectation[Hands::place(state)];
                    let drawn = usize::from(expectation.abs() <= TIE);
                    counts[if drawn == 1 {
                        2
                    } else {
                        usize::from(expectation < 0.0)
                    }] += 1;
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
pub(crate) struct Keeper {
    values: OddsValues,
    flags: usize,
    // Sorted.
    wanted: Option<Vec<u64>>,
}

impl Keeper {
    pub(crate) fn new(values: OddsValues, flags: usize, wanted: Option<Vec<u64>>) -> Keeper {
        Keeper {
            values,
            flags,
            wanted,
        }
    }

    pub(crate) fn finish(self) -> OddsValues {
        self.values
    }
}

impl Sink for Keeper {
    fn rows(&mut self, number: u64, _rows: &[Row], values: &[Values]) -> Result<(), SolveError> {
        for (number, values) in (number..).zip(values.chunks(self.flags)) {
            let wanted = self.wanted.as_ref();
            if wanted.is_none_or(|wanted| wanted.binary_search(&number).is_ok()) {
                let state = |values: &Values, state| values.get(Hands::place(state));
                let states = values
                    .iter()
                    .flat_map(|values| (0..STATES).map(|number| state(values, number)));
                self.values.insert(number, states.collect());
            }
        }
        Ok(())
    }

    fn level_done(&mut self, _level: usize, _entries: &[Entries]) -> Result<(), SolveError> {
        Ok(())
    }
}

/// Cuts the packed numbers of rows, which come in order, into the leaves of a table.
///
/// The index of a number in the table is `((row · flags + flag) · parts + part) · 600 + state`, with
/// the parts expectation, win and, where points count, loss.
pub(crate) struct Packer<F> {
    next: u64,
    open: Leaf,
    finished: F,
}

impl<F: FnMut(u64, Leaf) -> Result<(), SolveError>> Packer<F> {
    /// `finished` is given every leaf in order, empty ones included.
    pub(crate) fn new(finished: F) -> Packer<F> {
        Packer {
            next: 0,
            open: Leaf::default(),
            finished,
        }
    }

    /// The next plane: which of its states are packed, and their numbers one after the other.
    pub(crate) fn plane(
        &mut self,
        packed: &PackedStates,
        mut number: impl FnMut(usize) -> Result<f32, SolveError>,
    ) -> Result<(), SolveError> {
        for (state, packed) in packed.iter().enumerate() {
            if *packed {
                self.open
                    .payload
                    .extend_from_slice(&number(state)?.to_le_bytes());
                self.open.count += 1;
            }
            self.next += 1;
            if self.next.is_multiple_of(1 << LEAF_BITS) {
                let leaf = std::mem::take(&mut self.open);
                (self.finished)((self.next >> LEAF_BITS) - 1, leaf)?;
            }
        }
        Ok(())
    }

    /// Ends the last leaf.
    pub(crate) fn finish(mut self) -> Result<(), SolveError> {
        if !self.next.is_multiple_of(1 << LEAF_BITS) {
            let leaf = std::mem::take(&mut self.open);
            (self.finished)(self.next >> LEAF_BITS, leaf)?;
        }
        Ok(())
    }
}
