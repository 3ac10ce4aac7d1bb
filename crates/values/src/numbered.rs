//! The functions that each numbering of values has.

use greenwave_game::{Dense, Metric};
use greenwave_table::{HistogramEntry, IndexScheme, Layout, Leaf, LongestPlay};

use crate::codes::PlyCode;
use crate::stored::stored_outcome;
use crate::{Progress, ValuesError};

/// Questions that a walk over the values of a game in one metric asks of their numbering.
///
/// Values have *places*, from 0 on; a table keeps those of some places and cuts its own index, which
/// need not be that of the places, into leaves.
pub trait NumberedValues<G: Dense>: Sync {
    /// Number of places.
    fn places(&self) -> u64;

    /// The index at a place.
    fn index_at(&self, place: u64) -> u64;

    /// The place of an index; `None` where no value is held.
    fn place_of(&self, index: u64) -> Option<u64>;

    /// Whether the value of an index that has a place is stored: it does not follow from the rules,
    /// or is stored for all that.
    fn stores(&self, game: &G, index: u64) -> bool;

    /// Positions that the values stand for, not up to symmetry: all indices, or those that play
    /// reaches where no others are held.
    fn positions(&self, game: &G) -> u128;

    /// Counts of the legal, unfinished positions, not up to symmetry; worth nothing where the work was
    /// cancelled meanwhile.
    fn count(&self, game: &G, progress: &dyn Progress) -> ValueCounts;

    /// How a table of the values is cut.
    ///
    /// # Errors
    /// When the index is too large for a table.
    fn layout(&self, game: &G) -> Result<Layout, ValuesError>;

    /// What a table says of its numbering.
    fn scheme(&self, game: &G) -> IndexScheme;

    /// A leaf of the table.
    fn encode(&self, game: &G, layout: &Layout, leaf: u64) -> Leaf;
}

/// Counts of the values of a game.
#[derive(Clone, Debug, Default)]
pub struct ValueCounts {
    /// Positions by result and figure, in no particular order.
    pub histogram: Vec<HistogramEntry>,
    /// The first position, in index order, among those furthest from their end, where distances are
    /// known.
    pub longest: Option<LongestPlay>,
}

/// How often codes occur, as a histogram.
pub(crate) fn histogram(
    code: PlyCode,
    metric: Metric,
    counts: &[(i32, u64)],
) -> Vec<HistogramEntry> {
    let entry = |(found, count): &(i32, u64)| {
        let figures = code.figures(metric, *found);
        HistogramEntry {
            outcome: figures.value.map(stored_outcome),
            key: match metric {
                Metric::Distance => figures.distance.map_or(0, |plies| plies.0.into()),
                Metric::Value | Metric::Odds => 0,
                Metric::Points | Metric::Nimber => i64::from(*found),
            },
            count: *count,
        }
    };
    counts.iter().map(entry).collect()
}

/// Where a position stands: by index, and among positions with the same index, which are the images
/// of one under symmetries, by the first symmetry that makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct OrbitPlace {
    /// The index.
    pub index: u64,
    /// The symmetry.
    pub symmetry: u8,
}
