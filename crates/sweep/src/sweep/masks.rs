//! What patterns that touch the low squares mean inside a block, as ready-made contributions.
//!
//! Which positions of a block are finished, or won by a raise above the low squares, depends on the
//! few higher squares that share a pattern with low ones. So the marks of a block are put together
//! from tables keyed by those squares instead of being worked out position by position.

use super::geometry::{Event, SweepGeometry, TerminalValue};
use super::layout::{BitBlock, LOW, POSITIONS};
use super::pattern::{LevelTable, Pattern};

/// Something put together from contributions.
pub(super) trait Merge: Clone {
    /// Adds a contribution.
    fn merge(&mut self, other: &Self);
}

/// A table of contributions, keyed by middle and perhaps outer squares.
#[derive(Debug)]
pub(super) struct MixedTable<T> {
    table: LevelTable<T>,
    // The share of each middle code in the place of an entry.
    middle: Vec<usize>,
    outer_shift: usize,
}

impl<T> MixedTable<T> {
    /// The share of an outer code in the place of an entry.
    pub(super) fn outer_place(&self, outer: u64) -> usize {
        self.table.place(outer << self.outer_shift)
    }

    /// The contribution under an outer code's place and a middle code.
    #[inline(always)]
    pub(super) fn get(&self, outer_place: usize, middle: usize) -> &T {
        &self.table.entries[outer_place | self.middle[middle]]
    }
}

/// The contributions to all blocks.
#[derive(Debug)]
pub(super) struct Contributions<T> {
    inside: T,
    outer: Vec<LevelTable<T>>,
    /// Those that depend on middle squares.
    pub(super) mixed: Vec<MixedTable<T>>,
    outer_shift: usize,
}

impl<T: Merge> Contributions<T> {
    /// `inside` holds in every block; `add` puts what a pattern with a part on the low squares
    /// means into an entry of a table.
    pub(super) fn new(
        geometry: &SweepGeometry,
        empty: &T,
        mut inside: T,
        mut add: impl FnMut(&mut T, Pattern, Event),
    ) -> Contributions<T> {
        for pattern in geometry.inside() {
            add(&mut inside, pattern, Event::Shown);
        }
        let tables = geometry.crossing(empty, add);
        let outer_shift = geometry.outer_shift();
        let below_outer = (1_u64 << outer_shift) - 1;
        let (outer, mixed): (Vec<_>, Vec<_>) = tables
            .into_iter()
            .partition(|table| table.mask() & below_outer == 0);
        let mixed = mixed
            .into_iter()
            .map(|table| MixedTable {
                middle: (0..1_u64 << (2 * geometry.middle))
                    .map(|middle| table.place(middle << (2 * LOW)))
                    .collect(),
                table,
                outer_shift,
            })
            .collect();
        Contributions {
            inside,
            outer,
            mixed,
            outer_shift,
        }
    }

    /// What holds in all blocks of a family.
    pub(super) fn family(&self, outer: u64) -> T {
        let mut all = self.inside.clone();
        for table in &self.outer {
            all.merge(table.get(outer << self.outer_shift));
        }
        all
    }

    /// What holds in one block, given what holds in its family.
    pub(super) fn add_mixed(&self, family: &T, outer: u64, middle: usize) -> T {
        let mut all = family.clone();
        for table in &self.mixed {
            all.merge(table.get(table.outer_place(outer), middle));
        }
        all
    }
}

/// Two bits for every position of a block.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(super) struct BlockMarks {
    /// Positions that are finished and lost for the player to move.
    pub(super) lost: BitBlock,
    /// Positions that are not lost: a raise above the low squares completes a line and wins, or a
    /// line stands and completing lines loses, or there is no such position.
    pub(super) safe: BitBlock,
}

impl BlockMarks {
    const NONE: BlockMarks = BlockMarks {
        lost: [0; POSITIONS / 8],
        safe: [0; POSITIONS / 8],
    };

    /// The marks of all blocks, with the positions of a block in the order of `place`.
    pub(super) fn tables(
        geometry: &SweepGeometry,
        place: fn(usize) -> usize,
    ) -> Contributions<BlockMarks> {
        let mut inside = BlockMarks::NONE;
        inside.safe = positions(place, |position| !geometry.exists_low(position));
        let mut known = PatternMasks::new(place);
        Contributions::new(geometry, &BlockMarks::NONE, inside, |marks, low, event| {
            let shown = known.shown(low);
            match (geometry.goal, event) {
                (TerminalValue::Complete, Event::Shown) => or(&mut marks.lost, shown),
                (TerminalValue::Complete, Event::Completed)
                | (TerminalValue::Avoid, Event::Shown) => {
                    or(&mut marks.safe, shown);
                }
                (TerminalValue::Avoid, Event::Completed) => {}
            }
        })
    }
}

impl Merge for BlockMarks {
    fn merge(&mut self, other: &BlockMarks) {
        or(&mut self.lost, &other.lost);
        or(&mut self.safe, &other.safe);
    }
}

impl Merge for BitBlock {
    fn merge(&mut self, other: &BitBlock) {
        or(self, other);
    }
}

/// The positions that a table of a packing leaves out, in index order.
///
/// With `undecided` also those with a winning move at hand.
pub(super) fn left_out(geometry: &SweepGeometry, undecided: bool) -> Contributions<BitBlock> {
    let in_order = |position| position;
    let inside = positions(in_order, |position| !geometry.exists_low(position));
    let mut known = PatternMasks::new(in_order);
    Contributions::new(geometry, &[0; POSITIONS / 8], inside, |out, low, event| {
        if event == Event::Shown || undecided {
            or(out, known.shown(low));
        }
        if event == Event::Shown && undecided {
            for (_, before) in low.before() {
                or(out, known.shown(before));
            }
        }
    })
}

/// One bit for each position of which `holds` is true.
pub(super) fn positions(place: fn(usize) -> usize, holds: impl Fn(usize) -> bool) -> BitBlock {
    let mut block = [0; POSITIONS / 8];
    for position in (0..POSITIONS).filter(|position| holds(*position)) {
        let place = place(position);
        block[place / 8] |= 1 << (place % 8);
    }
    block
}

/// The positions that show a pattern on the low squares, worked out once for each pattern.
pub(super) struct PatternMasks {
    place: fn(usize) -> usize,
    shown: Vec<(Pattern, BitBlock)>,
}

impl PatternMasks {
    pub(super) fn new(place: fn(usize) -> usize) -> PatternMasks {
        PatternMasks {
            place,
            shown: Vec::new(),
        }
    }

    pub(super) fn shown(&mut self, pattern: Pattern) -> &BitBlock {
        let found = self.shown.iter().position(|(known, _)| *known == pattern);
        let number = found.unwrap_or_else(|| {
            let block = positions(self.place, |position| pattern.shown(position as u64));
            self.shown.push((pattern, block));
            self.shown.len() - 1
        });
        &self.shown[number].1
    }
}

fn or(block: &mut BitBlock, other: &BitBlock) {
    for (byte, other) in block.iter_mut().zip(other) {
        *byte |= other;
    }
}
