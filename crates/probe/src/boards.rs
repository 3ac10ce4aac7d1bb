//! The check of a board's table, many positions at a time and wave by wave.
//!
//! A leaf holds all levels of the eight lowest squares. A raise of one of those leads to another
//! place of the leaf, a raise of any other square to the same place of a leaf whose number has one
//! digit more: a leaf of the next *wave*, the leaves with the same sum of digits. So going down the
//! waves, a leaf's values are worked out from its own and from those of the wave above, square by
//! square for all its places at once. Two waves are spread out in memory at a time; the other leaves
//! stay packed.
//!
//! Nothing here is taken over from the engine that solves boards: the index is in its plain order,
//! and what is checked is each value against its children's.

mod lanes;

use std::collections::HashMap;

use greenwave_game::{
    BoardGame, Cell, Code, Colours, Dense, Game, LEAF_BITS, LeafMask, Metric, Packing, Supply,
};
use greenwave_table::ByValue;
use greenwave_values::parallel::{fold_parts, map_parts, try_map_parts};
use greenwave_values::{DenseTable, TableValues, ValuesError, codes};

use self::lanes::{Bits, Distances, Joined, Lane, Nimbers};
use crate::verify::{Found, Verified, conclude};

/// Squares in a leaf.
const INSIDE: usize = LEAF_BITS as usize / 2;

/// Positions in a leaf.
const PLACES: usize = 1 << LEAF_BITS;

/// A check that could be done.
pub struct BoardCheck<'a> {
    table: &'a TableValues<'a, BoardGame>,
    stored: &'a DenseTable<'a, BoardGame>,
    game: &'a BoardGame,
    packing: Packing,
    // The code of a position that a line finishes.
    over: i32,
    // Patterns on the squares above a leaf: those that finish it as a whole, and those that decide it.
    finishing: Vec<(u64, u64)>,
    deciding: Vec<(u64, u64)>,
    // Numbers of the leaves that are not decided as a whole, by the sum of their digits.
    waves: Vec<Vec<u64>>,
}

impl<'a> BoardCheck<'a> {
    /// The check of a table; `None` where the rules or the metric need the general one.
    #[must_use]
    pub fn new(
        table: &'a TableValues<'a, BoardGame>,
        game: &'a BoardGame,
    ) -> Option<BoardCheck<'a>> {
        let board = game.board();
        let squares = board.shape.cells();
        let full = (0..squares as u8)
            .map(Cell)
            .fold(Code::EMPTY, |code, cell| code.with(cell, board.levels));
        // A line ends the game, and nothing else does.
        let ending = game.ending(&full).filter(|_| game.has_line(full))?;
        let metric = table.metric();
        let packing = game.packing(metric);
        let lanes = matches!(metric, Metric::Value | Metric::Distance | Metric::Nimber);
        let bits = if metric == Metric::Value { 1 } else { 8 };
        let narrow = table.table().layout().value_bits == bits;
        if board.supply != Supply::Unlimited || board.play.scores() || !lanes || !narrow {
            return None;
        }
        let above = |(mask, _): &(u64, u64)| mask & (PLACES as u64 - 1) == 0;
        let finishing: Vec<(u64, u64)> = game.targets().filter(above).collect();
        let mut deciding = finishing.clone();
        if packing == Packing::Undecided {
            deciding.extend(finishing.iter().flat_map(|(mask, value)| {
                (0..squares)
                    .filter(move |square| mask >> (2 * square) & 3 != 0)
                    .map(move |square| (*mask, value - (1 << (2 * square))))
            }));
        }
        let mut waves = vec![Vec::new(); 3 * squares.saturating_sub(INSIDE) + 1];
        for leaf in 0..table.table().layout().leaves() {
            if !shows(&deciding, leaf) {
                waves[Code(leaf).level_sum() as usize].push(leaf);
            }
        }
        Some(BoardCheck {
            table,
            stored: table.as_dense()?,
            game,
            packing,
            over: codes::ended_code(metric, &ending),
            finishing,
            deciding,
            waves,
        })
    }

    /// Indices of the leaves that are looked at.
    #[must_use]
    pub fn indices(&self) -> u64 {
        self.waves
            .iter()
            .map(|wave| (wave.len() * PLACES) as u64)
            .sum()
    }

    /// Peak memory in bytes, at most.
    #[must_use]
    pub fn memory_bytes(&self) -> u128 {
        let bits = u128::from(self.table.table().layout().value_bits);
        let leaf = PLACES as u128 * bits / 8 + 64;
        let kept = |pair: &[Vec<u64>]| pair.iter().map(Vec::len).sum::<usize>();
        let most = self.waves.windows(2).map(kept).max();
        let most = most.unwrap_or_else(|| kept(&self.waves));
        let numbers: usize = self.waves.iter().map(Vec::len).sum();
        let packed = u128::from(self.table.table().meta().packed) * bits / 8;
        most as u128 * leaf + 64 * numbers as u128 + packed + (16 << 20)
    }

    /// Reads the whole table, its checksums included, and works out every packed value again.
    /// `advance` is told how many indices are done.
    ///
    /// # Errors
    /// When the table cannot be read or is damaged.
    pub fn run(&self, advance: &(dyn Fn(u64) + Sync)) -> Result<Verified, ValuesError> {
        match self.table.metric() {
            Metric::Value => self.waves::<Bits>(advance),
            Metric::Distance => self.waves::<Distances>(advance),
            Metric::Points | Metric::Odds | Metric::Nimber => self.waves::<Nimbers>(advance),
        }
    }

    fn waves<L: Lane>(&self, advance: &(dyn Fn(u64) + Sync)) -> Result<Verified, ValuesError> {
        let blocks = self.table.table().check()?.frames;
        let stored = self.stored()?;
        let mut above: HashMap<u64, L> = HashMap::new();
        let mut all = Checked::default();
        for wave in self.waves.iter().rev() {
            let spread = map_parts(wave.len(), |place| {
                self.spread(wave[place], stored.get(&wave[place]))
            });
            let here: HashMap<u64, L> = wave.iter().copied().zip(spread).collect();
            let checked = fold_parts(wave.len(), Checked::default, |checked, place| {
                let leaf = wave[place];
                *checked = std::mem::take(checked).and(self.leaf(leaf, &here[&leaf], &above));
                advance(PLACES as u64);
            });
            all = checked.into_iter().fold(all, Checked::and);
            above = here;
        }
        let won = self.unfinished() - all.lost;
        let first = all
            .first
            .and_then(|index| Some((index, self.game.at(index)?)));
        let found = Found {
            positions: all.positions,
            wrong: all.wrong,
            first: first.map(|(index, position)| {
                let text = self.game.position_text(&position, Colours::Ryg);
                let metric = self.table.metric();
                (index, format!("position {text} has a wrong {metric}"))
            }),
        };
        let counts = ByValue {
            win: won,
            loss: all.lost,
            draw: 0,
        };
        conclude(self.table, self.game, blocks, found, counts)
    }

    // The packed values of all leaves that have any.
    fn stored(&self) -> Result<HashMap<u64, Vec<u8>>, ValuesError> {
        let layout = self.table.table().layout();
        let frames = try_map_parts(layout.frames() as usize, |frame| {
            let mut mask = LeafMask::default();
            let mut stored = Vec::new();
            for leaf in layout.leaves_of_frame(frame as u64) {
                if shows(&self.deciding, leaf) {
                    self.stored.leaf_of(leaf, 0)?;
                    continue;
                }
                let view = self.stored.leaf(leaf, &mut mask)?;
                if view.count() > 0 {
                    stored.push((leaf, view.payload().to_vec()));
                }
            }
            Ok::<Vec<(u64, Vec<u8>)>, ValuesError>(stored)
        })?;
        Ok(frames.into_iter().flatten().collect())
    }

    // Positions without a completed line.
    fn unfinished(&self) -> u64 {
        let leaves = self.table.table().layout().leaves() as usize;
        let counted = fold_parts(
            leaves,
            || (0, LeafMask::default()),
            |(count, mask), leaf| {
                if !shows(&self.finishing, leaf as u64) {
                    self.game.leaf_mask(Packing::Unfinished, leaf as u64, mask);
                    *count += u64::from(mask.count());
                }
            },
        );
        counted.into_iter().map(|(count, _)| count).sum()
    }

    // The values of all places of a leaf, given the packed ones.
    fn spread<L: Lane>(&self, leaf: u64, stored: Option<&Vec<u8>>) -> L {
        let mut mask = LeafMask::default();
        self.game.leaf_mask(Packing::Unfinished, leaf, &mut mask);
        let at_once = codes::won_at_once_code(self.table.metric());
        let mut values = L::filled(&mask, self.over, at_once);
        if let Some(stored) = stored {
            if self.packing != Packing::Unfinished {
                self.game.leaf_mask(self.packing, leaf, &mut mask);
            }
            values.put(&mask, stored);
        }
        values
    }

    fn leaf<L: Lane>(&self, leaf: u64, values: &L, above: &HashMap<u64, L>) -> Checked {
        let board = self.game.board();
        let squares = board.shape.cells();
        let mut mask = LeafMask::default();
        self.game.leaf_mask(self.packing, leaf, &mut mask);
        let positions = u64::from(mask.count());
        if positions == 0 {
            return Checked::default();
        }
        let mut joined = L::Joined::new();
        for square in INSIDE..squares {
            let shift = 2 * (square - INSIDE);
            if leaf >> shift & 3 < u64::from(board.levels) {
                let raised = leaf + (1 << shift);
                match above.get(&raised) {
                    Some(child) => joined.join(child),
                    // Decided as a whole, so that nothing of it is stored.
                    None => joined.join(&self.spread(raised, None)),
                }
            }
        }
        for square in 0..squares.min(INSIDE) {
            joined.join_raised(values, square, board.levels);
        }
        let (mut lost, mut wrong, mut first) = (0, 0, None);
        for place in mask.places() {
            let found = values.code(place);
            lost += u64::from(L::is_lost(found));
            if found != joined.step(place) {
                wrong += 1;
                first = first.or(Some((leaf << LEAF_BITS) + u64::from(place)));
            }
        }
        Checked {
            positions,
            lost,
            wrong,
            first,
        }
    }
}

/// What the check of some leaves came to.
#[derive(Default)]
struct Checked {
    positions: u64,
    lost: u64,
    wrong: u64,
    // The lowest index with a wrong value.
    first: Option<u64>,
}

impl Checked {
    fn and(self, other: Checked) -> Checked {
        Checked {
            positions: self.positions + other.positions,
            lost: self.lost + other.lost,
            wrong: self.wrong + other.wrong,
            first: self.first.into_iter().chain(other.first).min(),
        }
    }
}

// Whether the squares above a leaf show one of the patterns.
fn shows(patterns: &[(u64, u64)], leaf: u64) -> bool {
    let code = leaf << LEAF_BITS;
    patterns.iter().any(|(mask, value)| code & mask == *value)
}
