//! The check of a board's table, many positions at a time and wave by wave.
//!
//! A leaf holds all levels of the eight lowest squares. A raise of one of those leads to another
//! place of the leaf. A raise of any other square leads to the same place of a leaf whose number
//! has one digit more. Such leaves are the next *wave*: the leaves with the same sum of digits. So
//! going down the waves, a leaf's values are worked out from its own and from those of the wave
//! above, square by square for all its places at once. Two waves are spread out in memory at a
//! time; the other leaves stay packed.
//!
//! Nothing here is taken over from the engine that solves boards: the index is in its plain order,
//! and what is checked is each value against its children's.

mod families;
mod lanes;

use std::collections::{BTreeMap, HashMap};

use greenwave_game::{
    BoardGame, Cell, Code, Dense, Figures, Game, LEAF_BITS, LeafMask, Metric, Packing, Supply,
};
use greenwave_table::{IndexScheme, LongestPlay, Summary};
use greenwave_values::parallel::{fold_parts, map_parts, try_map_parts};
use greenwave_values::{
    DenseTable, TableValues, ValueSource, ValuesError, codes, stored_outcome, summary_of,
};

pub use self::families::FamilyCheck;
use self::lanes::{ChildUnion, Distances, Lane, LossBits, Nimbers};
use crate::verify::{ExpectedMeta, StoredCheck, VerifyResult, conclude};

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
        let stored = table.as_dense()?;
        let board = game.board();
        let squares = board.shape.cells();
        // A line ends the game, and nothing else does.
        let ending = game
            .ending(&board.full())
            .filter(|_| game.has_line(board.full()))?;
        let metric = table.metric();
        let packing = game.packing(metric);
        let lanes = matches!(metric, Metric::Value | Metric::Distance | Metric::Nimber);
        let bits = if metric == Metric::Value { 1 } else { 8 };
        let narrow = table.table().layout().value_bits == bits;
        let barred = !board.opening.barred.is_empty();
        if board.supply != Supply::Unlimited || barred || board.play.scores() || !lanes || !narrow {
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
            stored,
            game,
            packing,
            over: codes::ended_code(metric, &ending),
            finishing,
            deciding,
            waves,
        })
    }

    /// Number of indices in the checked leaves.
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

    /// Reads the whole table, its checksums included, and computes every packed value again.
    /// `advance` gets the number of finished indices.
    ///
    /// # Errors
    /// When the table cannot be read or is damaged.
    pub fn run(&self, advance: &(dyn Fn(u64) + Sync)) -> Result<VerifyResult, ValuesError> {
        match self.table.metric() {
            Metric::Value => self.waves::<LossBits>(advance),
            Metric::Distance => self.waves::<Distances>(advance),
            Metric::Points | Metric::Odds | Metric::Nimber => self.waves::<Nimbers>(advance),
        }
    }

    fn waves<L: Lane>(&self, advance: &(dyn Fn(u64) + Sync)) -> Result<VerifyResult, ValuesError> {
        let blocks = self.table.table().check()?.frames;
        let stored = self.stored()?;
        let mut above: HashMap<u64, L> = HashMap::new();
        let mut all = LeafCheck::default();
        for wave in self.waves.iter().rev() {
            let spread = map_parts(wave.len(), |place| {
                self.spread(wave[place], stored.get(&wave[place]))
            });
            let here: HashMap<u64, L> = wave.iter().copied().zip(spread).collect();
            let checked = fold_parts(wave.len(), LeafCheck::default, |checked, place| {
                let leaf = wave[place];
                *checked = std::mem::take(checked).and(self.leaf(leaf, &here[&leaf], &above));
                advance(PLACES as u64);
            });
            all = checked.into_iter().fold(all, LeafCheck::and);
            above = here;
        }
        let first = all
            .first
            .and_then(|index| Some((index, self.game.at(index)?)));
        let found = StoredCheck {
            positions: all.positions,
            wrong: all.wrong,
            first: first.map(|(index, position)| {
                let text = self.game.position_text(&position);
                let metric = self.table.metric();
                (index, format!("position {text} has a wrong {metric}"))
            }),
        };
        let expected = ExpectedMeta {
            rules: self.game.rules(),
            summary: self.summary(&all)?,
            scheme: IndexScheme::Dense,
        };
        Ok(conclude(self.table.table(), blocks, found, &expected))
    }

    // What the values come to. Unfinished positions that are not packed are won at once.
    fn summary(&self, all: &LeafCheck) -> Result<Summary, ValuesError> {
        let metric = self.table.metric();
        let at_once = codes::won_at_once_code(metric);
        let mut counts: BTreeMap<i32, u64> = BTreeMap::new();
        for (code, seen) in (0..).zip(&all.seen) {
            counts.insert(code, seen.count);
        }
        *counts.entry(at_once).or_default() += self.unfinished() - all.positions;
        let counts: Vec<(i32, u64)> = counts.into_iter().collect();
        let mut summary = counted(self.table, self.game, &counts)?;
        let there = counts.iter().filter(|(_, count)| *count > 0);
        let figures = there.map(|(code, _)| (codes::decode(metric, *code), *code));
        let longest = figures
            .filter(|(figures, _)| figures.distance.is_some())
            .max_by_key(|(figures, code)| (figures.distance, *code));
        summary.longest = longest.and_then(|(figures, code)| {
            // Where every unfinished position is won at once the first of them is the example.
            let packed = usize::try_from(code)
                .ok()
                .and_then(|code| all.seen.get(code)?.first);
            let any = || (0..self.game.indexable() as u64).find(|index| self.is_unfinished(*index));
            let index = packed.or_else(|| any().filter(|_| code == at_once))?;
            Some(LongestPlay {
                distance: figures.distance?.0,
                outcome: stored_outcome(figures.value?),
                example: self
                    .game
                    .rules()
                    .exchanged(&self.game.position_text(&self.game.at(index)?)),
            })
        });
        Ok(summary)
    }

    fn is_unfinished(&self, index: u64) -> bool {
        let position = self.game.at(index);
        position.is_some_and(|position| self.game.ending(&position).is_none())
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

    fn leaf<L: Lane>(&self, leaf: u64, values: &L, above: &HashMap<u64, L>) -> LeafCheck {
        let board = self.game.board();
        let squares = board.shape.cells();
        let mut mask = LeafMask::default();
        self.game.leaf_mask(self.packing, leaf, &mut mask);
        let positions = u64::from(mask.count());
        if positions == 0 {
            return LeafCheck::default();
        }
        let mut joined = L::Union::new();
        for square in INSIDE..squares {
            let shift = 2 * (square - INSIDE);
            if leaf >> shift & 3 < u64::from(board.top(Cell(square as u8))) {
                let raised = leaf + (1 << shift);
                match above.get(&raised) {
                    Some(child) => joined.join(child),
                    // Decided as a whole, so that nothing of it is stored.
                    None => joined.join(&self.spread(raised, None)),
                }
            }
        }
        for square in 0..squares.min(INSIDE) {
            joined.join_raised(values, square, board.top(Cell(square as u8)));
        }
        let mut checked = LeafCheck {
            positions,
            seen: vec![CodeCount::default(); 1 << u8::BITS],
            ..LeafCheck::default()
        };
        for place in mask.places() {
            let index = (leaf << LEAF_BITS) + u64::from(place);
            let found = values.code(place);
            let seen = &mut checked.seen[usize::from(found as u8)];
            seen.count += 1;
            seen.first = seen.first.or(Some(index));
            if found != joined.step(place) {
                checked.wrong += 1;
                checked.first = checked.first.or(Some(index));
            }
        }
        checked
    }
}

// The summary of some counts, with the openings as the table has them.
fn counted(
    table: &TableValues<'_, BoardGame>,
    game: &BoardGame,
    counts: &[(i32, u64)],
) -> Result<Summary, ValuesError> {
    let start = game.start();
    let mut children = vec![(start, table.figures(&start)?)];
    let mut moves = Vec::new();
    game.moves(&start, &mut moves);
    for mv in moves {
        let child = game.play(&start, mv).to;
        children.push((child, table.figures(&child)?));
    }
    Ok(summary_of(game, table.metric(), counts, |position| {
        let known = children.iter().find(|(child, _)| child == position);
        known.map_or_else(Figures::default, |(_, figures)| *figures)
    }))
}

/// What the check of some leaves came to.
#[derive(Default)]
struct LeafCheck {
    positions: u64,
    wrong: u64,
    // The lowest index with a wrong value.
    first: Option<u64>,
    // By code; empty where there are no positions.
    seen: Vec<CodeCount>,
}

/// How many positions have a code.
#[derive(Clone, Default)]
struct CodeCount {
    count: u64,
    // The lowest index with it.
    first: Option<u64>,
}

impl CodeCount {
    fn and(&self, other: &CodeCount) -> CodeCount {
        CodeCount {
            count: self.count + other.count,
            first: lowest(self.first, other.first),
        }
    }
}

fn lowest(one: Option<u64>, other: Option<u64>) -> Option<u64> {
    one.into_iter().chain(other).min()
}

impl LeafCheck {
    fn and(self, other: LeafCheck) -> LeafCheck {
        let seen = match (self.seen.is_empty(), other.seen.is_empty()) {
            (true, _) => other.seen,
            (_, true) => self.seen,
            _ => {
                let both = self.seen.iter().zip(&other.seen);
                both.map(|(one, other)| one.and(other)).collect()
            }
        };
        LeafCheck {
            positions: self.positions + other.positions,
            wrong: self.wrong + other.wrong,
            first: lowest(self.first, other.first),
            seen,
        }
    }
}

// Whether the squares above a leaf show one of the patterns.
fn shows(patterns: &[(u64, u64)], leaf: u64) -> bool {
    let code = leaf << LEAF_BITS;
    patterns.iter().any(|(mask, value)| code & mask == *value)
}
