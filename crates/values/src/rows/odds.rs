//! The odds of all states of hands and market of some boards, in memory.

use std::collections::HashMap;
use std::sync::Arc;

use greenwave_game::{Dense, Figures, HAND_STATES, Metric, Odds, Outcome, RowSpace, TIE};
use greenwave_table::{HistogramEntry, IndexScheme, LEAF_LEN, Layout, Leaf, ValueKind};

use super::list::{RowCounts, Rows};
use crate::numbered::{NumberedValues, ValueCounts};
use crate::parallel::fold_parts;
use crate::stored::stored_outcome;
use crate::{Progress, ValuesError};

/// Odds by index.
pub trait OddsByIndex: Sync {
    /// The odds of an indexed, unfinished position for the player to move; `None` where they are not
    /// held.
    ///
    /// # Errors
    /// When they cannot be read.
    fn odds(&self, index: u64) -> Result<Option<Odds>, ValuesError>;

    /// The odds of the start of the game, where they are held in full precision.
    fn start(&self) -> Option<Odds>;

    /// Expectations that differ by no more than this are not told apart.
    fn tie(&self) -> f64;
}

/// Odds in memory.
#[derive(Clone, Debug, PartialEq)]
pub struct SolvedOdds {
    /// Odds of the positions at the start of turns.
    pub values: OddsValues,
    /// Odds of the start of the game.
    pub start: Option<Odds>,
    /// Expectations that differ by no more than this are not told apart.
    pub tie: f64,
}

impl OddsByIndex for SolvedOdds {
    fn odds(&self, index: u64) -> Result<Option<Odds>, ValuesError> {
        Ok(self.values.odds(index))
    }

    fn start(&self) -> Option<Odds> {
        self.start
    }

    fn tie(&self) -> f64 {
        self.tie
    }
}

/// The odds of the states of some rows, or of all.
#[derive(Clone, Debug)]
pub struct OddsValues {
    rows: Arc<Rows>,
    // By row: expectation, win and loss of every state, flag by flag.
    kept: HashMap<u64, Box<[[f64; 3]]>>,
}

impl OddsValues {
    /// No odds yet.
    #[must_use]
    pub fn new(rows: Arc<Rows>) -> OddsValues {
        OddsValues {
            rows,
            kept: HashMap::new(),
        }
    }

    /// Adds a row: expectation, win and loss probability for the player to move, by the number of
    /// the state, flag by flag.
    ///
    /// # Panics
    /// When there are more or fewer states than a row has.
    pub fn insert(&mut self, row: u64, states: Box<[[f64; 3]]>) {
        assert_eq!(
            states.len(),
            self.rows.space().flags * HAND_STATES as usize,
            "states of row {row}"
        );
        self.kept.insert(row, states);
    }

    pub(crate) fn held_bytes(&self) -> u128 {
        let states = self.kept.values().map(|states| states.len() as u128);
        states.sum::<u128>() * size_of::<[f64; 3]>() as u128
    }

    /// The rows of the game.
    #[must_use]
    pub fn rows(&self) -> &Arc<Rows> {
        &self.rows
    }

    /// The odds of an indexed, unfinished position for the player to move; `None` where its row was
    /// not kept.
    #[must_use]
    pub fn odds(&self, index: u64) -> Option<Odds> {
        let (code, flag, state) = self.rows.space().split(index);
        let states = self.kept.get(&self.rows.number(code)?)?;
        let [expectation, win, loss] = states[(flag * HAND_STATES + state) as usize];
        Some(Odds::of(win, loss, expectation))
    }
}

impl PartialEq for OddsValues {
    fn eq(&self, other: &OddsValues) -> bool {
        self.kept == other.kept
    }
}

impl SolvedOdds {
    /// The figures of an indexed, unfinished position; none where its row was not kept.
    #[must_use]
    pub fn figures(&self, index: u64) -> Figures {
        let odds = self.values.odds(index);
        odds.map_or_else(Figures::default, |odds| figures(odds, TIE))
    }
}

/// The layout of a table: single precision numbers.
///
/// # Errors
/// When there are too many for a table.
pub fn layout(rows: &Rows) -> Result<Layout, ValuesError> {
    Ok(Layout::new(
        Metric::Odds.name(),
        32,
        ValueKind::F32,
        rows.places(),
    )?)
}

/// Results in the order in which positions are counted.
const RESULTS: [Outcome; 3] = [Outcome::Win, Outcome::Draw, Outcome::Loss];

/// Which of the counts of [`histogram`] a position with an expectation belongs to: won, drawn, lost.
#[must_use]
pub fn result_of(expectation: f64) -> usize {
    if expectation.abs() <= TIE {
        1
    } else if expectation < 0.0 {
        2
    } else {
        0
    }
}

/// Numbers of won, drawn and lost positions as a histogram.
#[must_use]
pub fn histogram(counts: [u64; 3]) -> Vec<HistogramEntry> {
    let entry = |(outcome, count): (Outcome, u64)| HistogramEntry {
        outcome: Some(stored_outcome(outcome)),
        key: 0,
        count,
    };
    let counts = RESULTS.into_iter().zip(counts);
    counts.filter(|(_, count)| *count > 0).map(entry).collect()
}

/// Bytes of all odds of a game.
pub(crate) fn loaded_bytes(space: RowSpace) -> u128 {
    let states = space.flags as u128 * u128::from(HAND_STATES);
    u128::from(RowCounts::new(&space).rows()) * states * size_of::<[f64; 3]>() as u128
}

impl<G: Dense> NumberedValues<G> for SolvedOdds {
    fn places(&self) -> u64 {
        let space = self.values.rows.space();
        ((space.flags as u64) << (2 * space.cells)) * HAND_STATES
    }

    fn index_at(&self, place: u64) -> u64 {
        place
    }

    fn place_of(&self, index: u64) -> Option<u64> {
        self.values.odds(index).map(|_| index)
    }

    fn stores(&self, _: &G, index: u64) -> bool {
        let (code, _, state) = self.values.rows.space().split(index);
        self.values.rows.number(code).is_some() && self.values.rows.packed(code)[state as usize]
    }

    fn positions(&self, game: &G) -> u128 {
        game.indexable()
    }

    fn count(&self, _: &G, progress: &dyn Progress) -> ValueCounts {
        let rows = &self.values.rows;
        let counted = fold_parts(
            rows.rows() as usize,
            || [0_u64; 3],
            |counts, number| {
                if progress.cancelled() {
                    return;
                }
                let Some(states) = self.values.kept.get(&(number as u64)) else {
                    return;
                };
                let code = rows.row(number as u64).code;
                let (packed, images) = (rows.packed(code), rows.images(code));
                for (place, [expectation, ..]) in states.iter().enumerate() {
                    if packed[place % HAND_STATES as usize] {
                        counts[result_of(*expectation)] += images;
                    }
                }
            },
        );
        let total = |result: usize| counted.iter().map(|counts| counts[result]).sum();
        ValueCounts {
            histogram: histogram([0, 1, 2].map(total)),
            longest: None,
        }
    }

    fn layout(&self, _: &G) -> Result<Layout, ValuesError> {
        layout(&self.values.rows)
    }

    fn scheme(&self, game: &G) -> IndexScheme {
        IndexScheme::Rows {
            positions: game.indexable() as u64,
        }
    }

    fn encode(&self, _: &G, layout: &Layout, leaf: u64) -> Leaf {
        let rows = &self.values.rows;
        let (flags, parts) = (rows.space().flags as u64, rows.space().parts as u64);
        let places = leaf * LEAF_LEN..layout.indexable.min((leaf + 1) * LEAF_LEN);
        let numbers = places.filter_map(|place| {
            let (plane, state) = (place / HAND_STATES, place % HAND_STATES);
            let (part, flag) = (plane % parts, plane / parts % flags);
            let row = plane / (parts * flags);
            let states = self.values.kept.get(&row)?;
            let packed = rows.packed(rows.row(row).code)[state as usize];
            let number = states[(flag * HAND_STATES + state) as usize][part as usize];
            packed.then_some(u64::from((number as f32).to_bits()))
        });
        Leaf::pack(32, numbers)
    }
}

/// Odds and the value that follows from them: the sign of the expectation.
pub(crate) fn figures(odds: Odds, tie: f64) -> Figures {
    let sure = Odds {
        expectation: if odds.expectation.abs() <= tie.max(TIE) {
            0.0
        } else {
            odds.expectation
        },
        ..odds
    };
    Figures {
        value: Some(sure.outcome()),
        odds: Some(odds),
        ..Figures::default()
    }
}
