//! The geometry of a sweep: low, middle and outer squares, and what the patterns mean for them.
//!
//! ```text
//! code of a position =  outer squares | middle squares | low squares
//!                       (up to 15)      (up to 3)        (6)
//! ```
//!
//! The low squares are the inside of a *block* of 4,096 positions. Blocks that differ only in the
//! middle squares form a *family* of up to 64. A line on the middle and outer squares alone
//! finishes a whole block; where one raise there completes a line, every position of the block is
//! won at once. Neither is computed nor stored where the rules allow that: the other blocks are the
//! *quiet* ones.

use greenwave_game::{BoardGame, Cell, Dense, MAX_LEVEL, Metric, Packing, Play};
use rayon::prelude::*;

use super::frontier::{count_avoiding, frontier};
use super::layout::LOW;
use super::masks::left_out;
use super::pattern::{LevelTable, Pattern, SquareNumbering, keyed, squares_mask};

/// Most squares in the middle: a family has at most 64 blocks, one bit each in a word.
const MIDDLE: usize = 3;

/// Most squares that key one table of block masks.
const KEY_SQUARES: usize = 4;

/// The value of a finished position for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TerminalValue {
    /// Lost: completing a line wins.
    Complete,
    /// Won: completing a line loses.
    Avoid,
}

/// Which blocks are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Skip {
    /// Finished blocks, and won-at-once blocks where the rules allow it.
    Decided,
    /// None: every block is computed. For measurements, and where the supply is limited: then a raise that
    /// would finish a block is not legal at all of its positions.
    Nothing,
}

/// Squares, patterns and goal of a sweep, in the sweep's own numbering of the squares.
#[derive(Debug)]
pub(super) struct SweepGeometry {
    pub(super) order: SquareNumbering,
    pub(super) middle: usize,
    pub(super) outer: usize,
    pub(super) goal: TerminalValue,
    pub(super) skip: Skip,
    pub(super) top_level: u8,
    pub(super) targets: Vec<Pattern>,
    /// The full board, where no line finishes it.
    pub(super) last: Option<u64>,
    // The squares rank by rank and file by file.
    by_ranks: Vec<u32>,
    by_files: Vec<u32>,
    /// Patterns that decide a whole block when they show on its middle and outer squares.
    deciding: Vec<Pattern>,
}

impl SweepGeometry {
    pub(super) fn new(
        game: &BoardGame,
        metric: Metric,
        order: SquareNumbering,
        skip: Skip,
    ) -> SweepGeometry {
        let squares = order.len();
        let middle = squares.saturating_sub(LOW).min(MIDDLE);
        let ending = game.targets().filter(|_| game.board().play != Play::PlayOn);
        let targets: Vec<Pattern> = ending
            .map(|(mask, value)| Pattern {
                mask: order.inward(mask),
                value: order.inward(value),
            })
            .collect();
        let goal = if game.board().play == Play::Misere {
            TerminalValue::Avoid
        } else {
            TerminalValue::Complete
        };
        let full = (0..squares).fold(0, |code, square| {
            code | u64::from(game.board().levels) << (2 * square)
        });
        let last = Some(full).filter(|full| !targets.iter().any(|target| target.shown(*full)));
        let mut deciding = targets.clone();
        if game.packing(metric) == Packing::Undecided && skip == Skip::Decided {
            deciding.extend(
                targets
                    .iter()
                    .flat_map(|target| target.before())
                    .map(|(_, before)| before),
            );
        }
        let place = |square: &u32| game.board().shape.place(Cell(order.cell(*square as usize)));
        let mut by_files: Vec<u32> = (0..squares as u32).collect();
        by_files.sort_by_key(place);
        let mut by_ranks = by_files.clone();
        by_ranks.sort_by_key(|square| {
            let (file, rank) = place(square);
            (rank, file)
        });
        SweepGeometry {
            by_ranks,
            by_files,
            middle,
            outer: squares.saturating_sub(LOW + MIDDLE),
            goal,
            skip,
            top_level: game.board().levels,
            deciding,
            last,
            targets,
            order,
        }
    }

    /// Squares of the board.
    pub(super) fn squares(&self) -> usize {
        self.order.len()
    }

    /// Logarithm of the positions in a family, and the place of the outer squares in a code.
    pub(super) fn outer_shift(&self) -> usize {
        2 * (LOW + self.middle)
    }

    /// Both bits of each low square; all six, even where the board has fewer squares.
    pub(super) fn low_mask() -> u64 {
        squares_mask(0..LOW as u32)
    }

    fn middle_mask(&self) -> u64 {
        squares_mask(LOW as u32..(LOW + self.middle) as u32)
    }

    fn outer_mask(&self) -> u64 {
        let first = (LOW + self.middle) as u32;
        squares_mask(first..first + self.outer as u32)
    }

    /// Squares above the low ones, as a mask.
    fn high_mask(&self) -> u64 {
        self.middle_mask() | self.outer_mask()
    }

    /// Number of positions without a completed line, counted in this many bytes if that can be.
    pub(super) fn unfinished_positions(&self, most: u128) -> u128 {
        self.line_free(most)
            .unwrap_or_else(|| self.line_free_by_block())
    }

    /// The same, block by block: slow on large boards, but it needs no narrow frontier.
    pub(super) fn line_free_by_block(&self) -> u128 {
        let unfinished = self.unfinished();
        let finished = left_out(self, false);
        let mut families = Vec::new();
        unfinished.outer_codes(&mut |outer, _| families.push(outer));
        let count = |outer: &u64| -> u128 {
            let common = finished.family(*outer);
            let blocks = unfinished.blocks(*outer);
            (0..64)
                .filter(|middle| blocks >> middle & 1 == 1)
                .map(|middle| finished.add_mixed(&common, *outer, middle))
                .flat_map(|block| block.into_iter().map(|byte| u128::from(byte.count_zeros())))
                .sum()
        };
        families.par_iter().map(count).sum()
    }

    /// Number of positions without a completed line; `None` where counting takes more than `most` bytes.
    pub(super) fn line_free(&self, most: u128) -> Option<u128> {
        let squares = self.narrower(&self.by_ranks, &self.by_files, &self.targets);
        Some(count_avoiding(squares, self.top_level, &self.targets, 0, most)?[0])
    }

    /// Number of positions that a table packs; `None` where counting takes more than `most` bytes.
    /// `undecided`: those with a winning move at hand are left out.
    pub(super) fn packed(&self, undecided: bool, most: u128) -> Option<u128> {
        let mut left_out = self.targets.clone();
        if undecided {
            let before = self.targets.iter().flat_map(|target| target.before());
            left_out.extend(before.map(|(_, before)| before));
        }
        let squares = self.narrower(&self.by_ranks, &self.by_files, &left_out);
        Some(count_avoiding(squares, self.top_level, &left_out, 0, most)?[0])
    }

    /// Number of blocks that are swept, by the sum of outer levels; `None` where counting takes more than
    /// `most` bytes, so that only listing them would tell.
    pub(super) fn swept_blocks(&self, most: u128) -> Option<Vec<u128>> {
        let high = |squares: &[u32]| -> Vec<u32> {
            squares
                .iter()
                .copied()
                .filter(|square| *square as usize >= LOW)
                .collect()
        };
        let deciding = if self.skip == Skip::Decided {
            within(&self.deciding, self.high_mask())
        } else {
            Vec::new()
        };
        let (by_ranks, by_files) = (high(&self.by_ranks), high(&self.by_files));
        let squares = self.narrower(&by_ranks, &by_files, &deciding);
        let outer = self.outer_mask();
        count_avoiding(squares, self.top_level, &deciding, outer, most)
    }

    fn narrower<'a>(&self, a: &'a [u32], b: &'a [u32], patterns: &[Pattern]) -> &'a [u32] {
        if frontier(a, patterns) <= frontier(b, patterns) {
            a
        } else {
            b
        }
    }

    /// The low positions that exist on the board: squares there, none above the top level.
    pub(super) fn exists_low(&self, position: usize) -> bool {
        (0..LOW).all(|square| {
            let level = (position >> (2 * square) & 3) as u8;
            level
                <= if square < self.squares() {
                    self.top_level
                } else {
                    0
                }
        })
    }

    /// Finds out which blocks of a family are quiet.
    pub(super) fn quiet(&self) -> QuietBlocks {
        QuietBlocks::new(self, &self.deciding)
    }

    /// Finds out which blocks of a family exist.
    pub(super) fn existing(&self) -> QuietBlocks {
        QuietBlocks::new(self, &[])
    }

    /// Finds out which blocks of a family are not finished.
    pub(super) fn unfinished(&self) -> QuietBlocks {
        QuietBlocks::new(self, &self.targets)
    }

    /// Tables for the patterns that reach from the low squares to higher ones.
    ///
    /// `add(entry, low, event)` is called for every part of a pattern on the low squares
    /// that matters under an entry's levels of higher squares.
    pub(super) fn crossing<T: Clone>(
        &self,
        empty: &T,
        mut add: impl FnMut(&mut T, Pattern, Event),
    ) -> Vec<LevelTable<T>> {
        let (low, high) = (SweepGeometry::low_mask(), self.high_mask());
        let mut keys = Vec::new();
        let mut parts = Vec::new();
        for target in &self.targets {
            if target.mask & low == 0 || target.mask & high == 0 {
                continue;
            }
            keys.push(target.within(high));
            parts.push((target.within(low), Event::Shown));
            for (_, before) in target.within(high).before() {
                keys.push(before);
                parts.push((target.within(low), Event::Completed));
            }
        }
        keyed(&keys, KEY_SQUARES, empty, |entry, number| {
            let (low, event) = parts[number];
            add(entry, low, event);
        })
    }

    /// The patterns that lie on the low squares alone.
    pub(super) fn inside(&self) -> Vec<Pattern> {
        within(&self.targets, SweepGeometry::low_mask())
    }
}

fn within(patterns: &[Pattern], mask: u64) -> Vec<Pattern> {
    patterns
        .iter()
        .copied()
        .filter(|pattern| pattern.mask & !mask == 0)
        .collect()
}

/// How a pattern across the border of the low squares concerns a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// The block shows its higher part: positions with the low part are finished.
    Shown,
    /// One raise of a higher square leads to that.
    Completed,
}

/// Which blocks of a family have no deciding pattern on their middle and outer squares.
#[derive(Debug)]
pub(super) struct QuietBlocks {
    // By outer square: patterns on it and higher outer squares, keyed by the latter; bit v of an
    // entry is set when level v of the square completes one.
    steps: Vec<Vec<LevelTable<u8>>>,
    // Blocks of the family that patterns with outer squares decide.
    crossing: Vec<LevelTable<u64>>,
    // Blocks that exist and that no pattern on middle squares alone decides.
    alone: u64,
    outer_shift: usize,
    top_level: u8,
}

impl QuietBlocks {
    fn new(geometry: &SweepGeometry, deciding: &[Pattern]) -> QuietBlocks {
        let (middle, outer) = (geometry.middle_mask(), geometry.outer_mask());
        let outer_patterns = within(deciding, outer);
        let first = (LOW + geometry.middle) as u32;
        let steps = (first..first + geometry.outer as u32)
            .map(|square| {
                let here = squares_mask(std::iter::once(square));
                let lowest: Vec<Pattern> = outer_patterns
                    .iter()
                    .copied()
                    .filter(|pattern| pattern.squares().next() == Some(square))
                    .collect();
                let keys: Vec<Pattern> = lowest.iter().map(|p| p.within(!here)).collect();
                keyed(&keys, KEY_SQUARES, &0_u8, |entry, number| {
                    *entry |= 1 << (lowest[number].value >> (2 * square) & 3);
                })
            })
            .collect();
        let mut alone = 0;
        for number in 0..1_u64 << (2 * geometry.middle) {
            let code = number << (2 * LOW);
            let exists = (0..geometry.middle)
                .all(|square| (number >> (2 * square) & 3) as u8 <= geometry.top_level);
            if exists && !within(deciding, middle).iter().any(|p| p.shown(code)) {
                alone |= 1 << number;
            }
        }
        let across: Vec<Pattern> = within(deciding, middle | outer)
            .into_iter()
            .filter(|pattern| pattern.mask & middle != 0 && pattern.mask & outer != 0)
            .collect();
        let keys: Vec<Pattern> = across.iter().map(|p| p.within(outer)).collect();
        let crossing = keyed(&keys, KEY_SQUARES, &0_u64, |entry, number| {
            let part = across[number].within(middle);
            for block in 0..1_u64 << (2 * geometry.middle) {
                if part.shown(block << (2 * LOW)) {
                    *entry |= 1 << block;
                }
            }
        });
        QuietBlocks {
            steps,
            crossing,
            alone,
            outer_shift: geometry.outer_shift(),
            top_level: geometry.top_level,
        }
    }

    /// The quiet blocks of the family with these outer levels, one bit each by the code of the
    /// middle squares; the outer squares themselves must be quiet.
    pub(super) fn blocks(&self, outer: u64) -> u64 {
        let code = outer << self.outer_shift;
        self.crossing
            .iter()
            .fold(self.alone, |quiet, table| quiet & !table.get(code))
    }

    /// Calls `found` for all outer codes that no pattern on outer squares decides, from the
    /// highest to the lowest, with the sum of their levels.
    pub(super) fn outer_codes(&self, found: &mut impl FnMut(u64, usize)) {
        self.descend(self.steps.len(), 0, 0, found);
    }

    /// Whether no pattern on outer squares decides an outer code, and it exists.
    pub(super) fn outer_is_quiet(&self, outer: u64) -> bool {
        let code = outer << self.outer_shift;
        self.steps.iter().enumerate().all(|(square, tables)| {
            let level = outer >> (2 * square) & 3;
            level as u8 <= self.top_level
                && tables.iter().all(|table| table.get(code) >> level & 1 == 0)
        })
    }

    fn descend(&self, squares: usize, outer: u64, sum: usize, found: &mut impl FnMut(u64, usize)) {
        let Some(square) = squares.checked_sub(1) else {
            found(outer, sum);
            return;
        };
        let code = outer << self.outer_shift;
        let refused = self.steps[square]
            .iter()
            .fold(0, |refused, table| refused | table.get(code));
        for level in (0..=self.top_level.min(MAX_LEVEL)).rev() {
            if refused >> level & 1 == 0 {
                let outer = outer | u64::from(level) << (2 * square);
                self.descend(square, outer, sum + usize::from(level), found);
            }
        }
    }
}
