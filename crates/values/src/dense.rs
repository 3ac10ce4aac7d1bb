//! Values numbered by index: one code for every index, in memory and, leaf by leaf, those of the
//! packed positions in a table.

use greenwave_game::{
    Dense, Figures, Implication, LEAF_BITS, LEAF_WORDS, LeafMask, Metric, Outcomes, Packing, Rules,
};
use greenwave_table::{
    Hash32, IndexScheme, Layout, Leaf, LeafView, LongestPlay, PackedIndices, Summary, Table,
    ValueKind,
};

use crate::codes::{PlyCode, ended_code, won_at_once_code};
use crate::leaves::{TableReport, signed, written};
use crate::numbered::{NumberedValues, OrbitPlace, ValueCounts, histogram};
use crate::parallel::{find_first_part, fold_parts, map_parts, try_for_each_chunk};
use crate::room::filled;
use crate::source::{checked, expect_values};
use crate::stored::stored_outcome;
use crate::{Progress, ValuesError};

// Codes lie between −2^15 and 2^15 − 1.
const CODES: usize = 1 << 16;
const ZERO: usize = CODES / 2;

/// The form of a code in memory.
pub(crate) const CODE: PlyCode = PlyCode::BYTE;

/// The codes of all indices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Codes {
    /// One byte each, unsigned.
    Bytes(Vec<u8>),
    /// Two bytes each, two's complement.
    Words(Vec<i16>),
}

/// The values of a whole game in one metric, by index. Indices that are no legal position, or that of
/// a finished one, have an arbitrary code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DenseValues {
    metric: Metric,
    codes: Codes,
}

impl DenseValues {
    /// Values in a metric, by index.
    #[must_use]
    pub fn new(metric: Metric, codes: Codes) -> DenseValues {
        DenseValues { metric, codes }
    }

    /// The metric.
    #[must_use]
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// Number of codes.
    #[must_use]
    pub fn len(&self) -> u64 {
        match &self.codes {
            Codes::Bytes(codes) => codes.len() as u64,
            Codes::Words(codes) => codes.len() as u64,
        }
    }

    /// Whether there is no index at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The code of an index.
    ///
    /// # Panics
    /// When the index is out of range.
    #[must_use]
    pub fn code(&self, index: u64) -> i32 {
        match &self.codes {
            Codes::Bytes(codes) => codes[index as usize].into(),
            Codes::Words(codes) => codes[index as usize].into(),
        }
    }

    // The codes of indices, into the first of `codes`.
    pub(crate) fn codes_of(&self, indices: &[u64], codes: &mut [i32]) {
        let slots = codes.iter_mut().zip(indices);
        match &self.codes {
            Codes::Bytes(all) => {
                slots.for_each(|(code, index)| *code = all[*index as usize].into())
            }
            Codes::Words(all) => {
                slots.for_each(|(code, index)| *code = all[*index as usize].into())
            }
        }
    }

    /// The figures of the unfinished position with an index, for the player to move.
    ///
    /// # Panics
    /// When the index is out of range.
    #[must_use]
    pub fn figures(&self, index: u64) -> Figures {
        CODE.figures(self.metric, self.code(index))
    }

    pub(crate) fn held_bytes(&self) -> u128 {
        u128::from(self.len()) * code_bytes(self.metric)
    }

    fn leaves(&self) -> usize {
        self.len().div_ceil(1 << LEAF_BITS) as usize
    }

    // How often each code occurs among the legal, unfinished positions.
    fn counts<G: Dense>(&self, game: &G, progress: &dyn Progress) -> Vec<(i32, u64)> {
        let counted = fold_parts(
            self.leaves(),
            || (vec![0_u64; CODES], LeafMask::default()),
            |(counts, mask), leaf| {
                if progress.cancelled() {
                    return;
                }
                game.leaf_mask(Packing::Unfinished, leaf as u64, mask);
                for place in mask.places() {
                    let code = self.code(((leaf as u64) << LEAF_BITS) + u64::from(place));
                    counts[(code + ZERO as i32) as usize] += 1;
                }
            },
        );
        let total = |slot: usize| counted.iter().map(|(counts, _)| counts[slot]).sum();
        (0..CODES)
            .map(|slot| (slot as i32 - ZERO as i32, total(slot)))
            .filter(|(_, count)| *count > 0)
            .collect()
    }

    // The indices of a leaf that have a code.
    fn indices_with(&self, leaf: usize, code: i32) -> impl Iterator<Item = u64> {
        let first = (leaf as u64) << LEAF_BITS;
        let end = (first + (1 << LEAF_BITS)).min(self.len());
        (first..end).filter(move |index| self.code(*index) == code)
    }
}

/// Counts by code as tables have them, with a position furthest from its end. `indices` gives those of a
/// part that have a code.
pub(crate) fn value_counts<G: Dense, I: Iterator<Item = u64>>(
    game: &G,
    code: PlyCode,
    metric: Metric,
    counts: &[(i32, u64)],
    parts: usize,
    progress: &dyn Progress,
    indices: impl Fn(usize, i32) -> I + Sync,
) -> ValueCounts {
    let figures = counts
        .iter()
        .map(|(found, _)| (code.figures(metric, *found), *found));
    let furthest = figures
        .filter(|(figures, _)| figures.distance.is_some())
        .max_by_key(|(figures, found)| (figures.distance, *found));
    ValueCounts {
        histogram: histogram(code, metric, counts),
        longest: furthest.and_then(|furthest| longest(game, furthest, parts, progress, indices)),
    }
}

// The first position, in the order of the parts, among the unfinished ones furthest from their end.
fn longest<G: Dense, I: Iterator<Item = u64>>(
    game: &G,
    (figures, code): (Figures, i32),
    parts: usize,
    progress: &dyn Progress,
    indices: impl Fn(usize, i32) -> I + Sync,
) -> Option<LongestPlay> {
    let unfinished = |index: u64| {
        let position = game.at(index)?;
        game.ending(&position).is_none().then_some(position)
    };
    let example = find_first_part(parts, |part| {
        if progress.cancelled() {
            None
        } else {
            indices(part, code).find_map(unfinished)
        }
    })?;
    Some(LongestPlay {
        distance: figures.distance?.0,
        outcome: stored_outcome(figures.value?),
        example: game.rules().exchanged(&game.position_text(&example)),
    })
}

impl<G: Dense> NumberedValues<G> for DenseValues {
    fn places(&self) -> u64 {
        self.len()
    }

    fn index_at(&self, place: u64) -> u64 {
        place
    }

    fn place_of(&self, index: u64) -> Option<u64> {
        (index < self.len()).then_some(index)
    }

    fn stores(&self, game: &G, index: u64) -> bool {
        game.implied(game.packing(self.metric), index).is_none()
    }

    fn positions(&self, game: &G) -> u128 {
        game.indexable()
    }

    fn count(&self, game: &G, progress: &dyn Progress) -> ValueCounts {
        let counts = self.counts(game, progress);
        let indices = |part, code| self.indices_with(part, code);
        let parts = self.leaves();
        value_counts(game, CODE, self.metric, &counts, parts, progress, indices)
    }

    fn layout(&self, game: &G) -> Result<Layout, ValuesError> {
        let narrow = || {
            let packing = game.packing(self.metric);
            let narrow = map_parts(self.leaves(), |leaf| {
                let mut mask = LeafMask::default();
                game.leaf_mask(packing, leaf as u64, &mut mask);
                mask.places().all(|place| {
                    let code = self.code(((leaf as u64) << LEAF_BITS) + u64::from(place));
                    i8::try_from(code).is_ok()
                })
            });
            narrow.into_iter().all(|narrow| narrow)
        };
        let narrow = self.metric != Metric::Points || narrow();
        layout(game, self.metric, narrow)
    }

    fn scheme(&self, _: &G) -> IndexScheme {
        IndexScheme::Dense
    }

    fn encode(&self, game: &G, layout: &Layout, leaf: u64) -> Leaf {
        let mut mask = LeafMask::default();
        game.leaf_mask(game.packing(self.metric), leaf, &mut mask);
        let width = (1_u64 << layout.value_bits) - 1;
        let codes = mask.places().map(|place| {
            let code = self.code((leaf << LEAF_BITS) + u64::from(place));
            i64::from(code) as u64 & width
        });
        Leaf::pack(layout.value_bits, codes)
    }
}

/// The number of bits of a packed value, and how to read them; `narrow` says that points fit a
/// byte.
fn encoding(rules: &Rules, metric: Metric, narrow: bool) -> (u32, ValueKind) {
    match metric {
        Metric::Value if rules.properties.outcomes == Outcomes::WinLoss => (1, ValueKind::Unsigned),
        Metric::Value => (2, ValueKind::Unsigned),
        Metric::Points => (if narrow { 8 } else { 16 }, ValueKind::Signed),
        Metric::Distance | Metric::Nimber | Metric::Odds => (8, ValueKind::Unsigned),
    }
}

fn layout<G: Dense>(game: &G, metric: Metric, narrow: bool) -> Result<Layout, ValuesError> {
    let (bits, kind) = encoding(game.rules(), metric, narrow);
    let indexable = game.indexable() as u64;
    Ok(Layout::new(metric.name(), bits, kind, indexable)?)
}

/// Writes the table of a solution that comes as packed leaves: the number and the values of each
/// leaf that has any, in order. Points must fit a byte.
///
/// # Errors
/// When the file cannot be written or another program is writing it, and when the work is
/// cancelled.
pub fn write_leaves<G: Dense>(
    game: &G,
    metric: Metric,
    leaves: &[(u64, Leaf)],
    summary: &Summary,
    path: &std::path::Path,
    progress: &dyn Progress,
) -> Result<TableReport, ValuesError> {
    let layout = layout(game, metric, true)?;
    let rules = game.rules();
    written(
        rules,
        &layout,
        IndexScheme::Dense,
        summary,
        path,
        progress,
        &|number| {
            let place = leaves.binary_search_by_key(&number, |(number, _)| *number);
            place.map_or_else(|_| Leaf::default(), |place| leaves[place].1.clone())
        },
    )
}

/// The signature of packed leaves, as [`write_leaves`] takes them.
///
/// # Errors
/// When the index is too large for a table.
pub fn leaves_signature<G: Dense>(
    game: &G,
    metric: Metric,
    leaves: &[(u64, Leaf)],
) -> Result<Hash32, ValuesError> {
    let layout = layout(game, metric, true)?;
    let numbers = leaves.iter().map(|(number, _)| *number).collect();
    let leaf = |place: usize| std::borrow::Cow::Borrowed(&leaves[place].1);
    Ok(signed(game.rules(), &layout, numbers, &leaf))
}

/// The values by index in a table.
pub struct DenseTable<'a, G> {
    game: &'a G,
    table: &'a Table,
    metric: Metric,
}

impl<'a, G: Dense> DenseTable<'a, G> {
    /// The table of a game.
    ///
    /// # Errors
    /// When the table is of other rules, or of a metric, size or width of values that the game does not have.
    pub fn new(game: &'a G, table: &'a Table) -> Result<DenseTable<'a, G>, ValuesError> {
        let metric = checked(game.rules(), table)?;
        let foreign = |problem| ValuesError::foreign(table, game.rules(), problem);
        if table.meta().index_scheme != IndexScheme::Dense {
            return Err(foreign("its positions are numbered in another way".into()));
        }
        if u128::from(table.meta().indexable) != game.indexable() {
            let (found, expected) = (table.meta().indexable, game.indexable());
            return Err(foreign(format!(
                "found {found} indices, expected {expected}"
            )));
        }
        let [(narrow, kind), (wide, _)] =
            [true, false].map(|narrow| encoding(game.rules(), metric, narrow));
        let mut widths = vec![narrow, wide];
        widths.dedup();
        expect_values(game.rules(), table, kind, &widths)?;
        Ok(DenseTable {
            game,
            table,
            metric,
        })
    }

    /// The metric.
    #[must_use]
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// The table.
    #[must_use]
    pub fn table(&self) -> &'a Table {
        self.table
    }

    /// A leaf and the positions that it packs; the two agree in number.
    ///
    /// # Errors
    /// When the table cannot be read, is damaged, or packs other positions than the rules say.
    pub fn leaf(&self, leaf: u64, mask: &mut LeafMask) -> Result<LeafView, ValuesError> {
        self.game
            .leaf_mask(self.game.packing(self.metric), leaf, mask);
        self.leaf_of(leaf, mask.count())
    }

    /// A leaf of which it is known how many positions it packs.
    ///
    /// # Errors
    /// As [`DenseTable::leaf`].
    pub fn leaf_of(&self, leaf: u64, expected: u32) -> Result<LeafView, ValuesError> {
        let view = self.table.leaf(leaf)?;
        if view.count() != expected {
            return Err(self.packs_others(leaf, view.count(), expected));
        }
        Ok(view)
    }

    fn packs_others(&self, leaf: u64, found: u32, expected: u32) -> ValuesError {
        ValuesError::Packing {
            file: self.table.path().display().to_string(),
            variant: self.game.rules().title().to_string(),
            metric: self.metric,
            folder: self.table.folder().clone().into(),
            part: format!("leaf {leaf}").into(),
            found,
            expected,
        }
    }

    // The positions that a leaf packs.
    fn mask_of(&self, leaf: u64) -> LeafMask {
        let mut mask = LeafMask::default();
        let packing = self.game.packing(self.metric);
        self.game.leaf_mask(packing, leaf, &mut mask);
        mask
    }

    /// The figures of an index.
    ///
    /// # Errors
    /// When the table cannot be read or is damaged.
    pub fn figures(&self, index: u64) -> Result<Figures, ValuesError> {
        let code = match self.implied_code(index) {
            Some(code) => code,
            None => {
                let place = (index & ((1 << LEAF_BITS) - 1)) as u32;
                let leaf = index >> LEAF_BITS;
                let view = self.table.leaf(leaf)?;
                let packed = view.packed(|| PackedIndices::new(self.mask_of(leaf).0));
                let Some(packed) = packed.filter(|packed| packed.count() == view.count()) else {
                    return Err(self.packs_others(leaf, view.count(), self.mask_of(leaf).count()));
                };
                self.code(&view, leaf, packed.rank(place))?
            }
        };
        Ok(CODE.figures(self.metric, code))
    }

    /// All values of unfinished positions, those that follow from the rules included.
    ///
    /// # Errors
    /// When the table cannot be read or is damaged.
    pub fn load(&self) -> Result<DenseValues, ValuesError> {
        let codes = match self.metric {
            Metric::Points => Codes::Words(self.all_codes(|code| code as i16)?),
            Metric::Value | Metric::Distance | Metric::Odds | Metric::Nimber => {
                Codes::Bytes(self.all_codes(|code| code as u8)?)
            }
        };
        Ok(DenseValues::new(self.metric, codes))
    }

    // The codes of all indices, leaf by leaf, in the width that holds them.
    fn all_codes<C: Clone + Default + Send>(
        &self,
        narrow: impl Fn(i32) -> C + Sync,
    ) -> Result<Vec<C>, ValuesError> {
        let mut all = filled(C::default(), self.game.indexable() as usize)?;
        try_for_each_chunk(&mut all, 1 << LEAF_BITS, |leaf, chunk| {
            let codes = self.leaf_codes(leaf as u64)?;
            for (slot, code) in chunk.iter_mut().zip(codes) {
                *slot = narrow(code);
            }
            Ok::<(), ValuesError>(())
        })?;
        Ok(all)
    }

    pub(crate) fn leaf_codes(&self, leaf: u64) -> Result<Vec<i32>, ValuesError> {
        let mut mask = LeafMask::default();
        let view = self.leaf(leaf, &mut mask)?;
        let first = leaf << LEAF_BITS;
        let places = (self.game.indexable() - u128::from(first)).min(1 << LEAF_BITS);
        let mut codes = vec![unpacked_code(self.game, self.metric); places as usize];
        for (rank, place) in (0..).zip(mask.places()) {
            codes[place as usize] = self.code(&view, leaf, rank)?;
        }
        Ok(codes)
    }

    fn implied_code(&self, index: u64) -> Option<i32> {
        match self.game.implied(self.game.packing(self.metric), index)? {
            Implication::Illegal => None,
            Implication::Ended(ending) => Some(ended_code(self.metric, &ending)),
            Implication::WonAtOnce => Some(won_at_once_code(self.metric)),
        }
    }

    fn code(&self, view: &LeafView, leaf: u64, rank: u32) -> Result<i32, ValuesError> {
        let layout = self.table.layout();
        let raw = view.value(rank);
        let code = raw.and_then(|raw| match layout.kind {
            ValueKind::Signed => {
                let unused = 64 - layout.value_bits;
                i32::try_from((raw << unused) as i64 >> unused).ok()
            }
            ValueKind::Unsigned | ValueKind::F32 | ValueKind::F64 => i32::try_from(raw).ok(),
        });
        code.ok_or_else(|| {
            let metric = self.metric;
            let problem = format!("leaf {leaf}, value {rank}: no code of metric {metric}");
            ValuesError::foreign(self.table, self.game.rules(), problem)
        })
    }
}

/// The code of the unfinished positions that are not packed, if there are any: all of them are won at
/// once.
#[must_use]
pub fn unpacked_code<G: Dense>(game: &G, metric: Metric) -> i32 {
    match game.packing(metric) {
        Packing::Undecided => won_at_once_code(metric),
        Packing::Unfinished => 0,
    }
}

/// Bytes of the codes of a game.
pub(crate) fn loaded_bytes<G: Dense>(game: &G, metric: Metric) -> u128 {
    game.indexable() * code_bytes(metric)
}

fn code_bytes(metric: Metric) -> u128 {
    if metric == Metric::Points { 2 } else { 1 }
}

/// The positions of a leaf, those with a bit in `marked` or, without marks, the legal, unfinished
/// ones.
pub(crate) fn walk<'w, G: Dense>(
    game: &'w G,
    leaf: u64,
    marked: Option<&[u64]>,
    mask: &'w mut LeafMask,
) -> impl Iterator<Item = (OrbitPlace, G::Position)> + 'w {
    match marked {
        Some(words) => {
            let first = (leaf as usize * LEAF_WORDS).min(words.len());
            let words = &words[first..words.len().min(first + LEAF_WORDS)];
            mask.0.fill(0);
            mask.0[..words.len()].copy_from_slice(words);
        }
        None => game.leaf_mask(Packing::Unfinished, leaf, mask),
    }
    mask.places().filter_map(move |place| {
        let index = (leaf << LEAF_BITS) + u64::from(place);
        Some((OrbitPlace { index, symmetry: 0 }, game.at(index)?))
    })
}
