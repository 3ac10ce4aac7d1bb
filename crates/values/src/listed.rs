//! Values numbered by the place in a list of the positions that play reaches, one for each orbit: an
//! index and a code of sixteen bits for each, in memory and in a table.

use greenwave_game::{Dense, Figures, Metric, orbit_size};
use greenwave_table::{IndexScheme, LEAF_BITS, LEAF_LEN, Layout, Leaf, Table, ValueKind};

use crate::codes::{PlyCode, value_code, wide_code};
use crate::dense::value_counts;
use crate::numbered::{NumberedValues, OrbitPlace, ValueCounts};
use crate::parallel::{fold_parts, map_parts, try_map_parts};
use crate::source::{checked, expect_values};
use crate::{Progress, ValuesError, room};

// Codes have sixteen bits.
const CODES: usize = 1 << 16;
// Positions that a task counts.
const TASK: usize = 1 << 14;
// Orbits that make a part of a walk.
const PART: u64 = 1 << 11;

// Bytes of an index and a code.
const ENTRY_BYTES: u128 = (size_of::<u64>() + size_of::<u16>()) as u128;

// Leaves of a table that are read at a time.
const LEAVES: u64 = 64;

/// The form of a listed code: distances take sixteen bits.
pub(crate) const CODE: PlyCode = PlyCode::WORD;

/// The values of listed positions in one metric.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedValues {
    metric: Metric,
    indices: Vec<u64>,
    codes: Vec<u16>,
}

impl ListedValues {
    /// Indices in rising order, and a code for each: in distances a [`wide_code`], else as
    /// everywhere.
    ///
    /// # Panics
    /// When there are not as many codes as indices.
    #[must_use]
    pub fn new(metric: Metric, indices: Vec<u64>, codes: Vec<u16>) -> ListedValues {
        assert_eq!(indices.len(), codes.len());
        debug_assert!(indices.is_sorted_by(|a, b| a < b));
        ListedValues {
            metric,
            indices,
            codes,
        }
    }

    /// The metric.
    #[must_use]
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// The indices, rising.
    #[must_use]
    pub fn indices(&self) -> &[u64] {
        &self.indices
    }

    /// The codes, in the order of the indices.
    #[must_use]
    pub fn codes(&self) -> &[u16] {
        &self.codes
    }

    /// The code of an index; `None` when it is not in the list.
    #[must_use]
    pub fn code(&self, index: u64) -> Option<u16> {
        let place = self.indices.binary_search(&index).ok()?;
        Some(self.codes[place])
    }

    /// The figures of an index, for the player to move; none when it is not in the list.
    #[must_use]
    pub fn figures(&self, index: u64) -> Figures {
        let code = self.code(index);
        code.map_or_else(Figures::default, |code| {
            CODE.figures(self.metric, code.into())
        })
    }

    /// Distances as values.
    #[must_use]
    pub fn into_values(mut self) -> ListedValues {
        for code in &mut self.codes {
            *code = value_code(wide_code::decode(*code).0).into();
        }
        self.metric = Metric::Value;
        self
    }

    pub(crate) fn held_bytes(&self) -> u128 {
        self.indices.len() as u128 * ENTRY_BYTES
    }

    fn tasks(&self) -> usize {
        self.indices.len().div_ceil(TASK)
    }

    // The places that a task looks at.
    fn task(&self, task: usize) -> std::ops::Range<usize> {
        task * TASK..self.indices.len().min((task + 1) * TASK)
    }

    // Unfinished positions by code, not up to symmetry.
    fn counts<G: Dense>(&self, game: &G, progress: &dyn Progress) -> Vec<(i32, u64)> {
        let counted = fold_parts(
            self.tasks(),
            || vec![0_u64; CODES],
            |counts, task| {
                if progress.cancelled() {
                    return;
                }
                for place in self.task(task) {
                    if let Some(position) = game.at(self.indices[place])
                        && game.ending(&position).is_none()
                    {
                        counts[usize::from(self.codes[place])] += orbit_size(game, &position);
                    }
                }
            },
        );
        let total = |code: usize| counted.iter().map(|counts| counts[code]).sum();
        (0..CODES)
            .map(|code| (code as i32, total(code)))
            .filter(|(_, count)| *count > 0)
            .collect()
    }

    // The indices of a task that have a code.
    fn indices_with(&self, task: usize, code: i32) -> impl Iterator<Item = u64> {
        let places = self.task(task);
        let with_code = places.filter(move |place| i32::from(self.codes[*place]) == code);
        with_code.map(|place| self.indices[place])
    }

    /// Parts of a walk, and the orbits of each.
    pub(crate) fn parts(&self) -> (u64, u64) {
        ((self.indices.len() as u64).div_ceil(PART), PART)
    }

    /// The positions of a part: of each orbit the listed one, or all.
    pub(crate) fn walk<'w, G: Dense>(
        &'w self,
        game: &'w G,
        part: u64,
        finished: bool,
        all: bool,
    ) -> impl Iterator<Item = (OrbitPlace, G::Position)> + 'w {
        let first = (part * PART) as usize;
        let last = self.indices.len().min(first + PART as usize);
        let wanted = if all { game.symmetries() } else { 1 };
        self.indices[first..last]
            .iter()
            .filter_map(|index| Some((*index, game.at(*index)?)))
            .filter(move |(_, position)| finished || game.ending(position).is_none())
            .flat_map(move |(index, position)| {
                let mut images: Vec<(OrbitPlace, G::Position)> = Vec::with_capacity(wanted);
                for symmetry in 0..wanted {
                    let image = game.image(&position, symmetry);
                    if images.iter().all(|(_, known)| *known != image) {
                        let symmetry = symmetry as u8;
                        images.push((OrbitPlace { index, symmetry }, image));
                    }
                }
                images
            })
    }
}

impl<G: Dense> NumberedValues<G> for ListedValues {
    fn places(&self) -> u64 {
        self.indices.len() as u64
    }

    fn index_at(&self, place: u64) -> u64 {
        self.indices[place as usize]
    }

    fn place_of(&self, index: u64) -> Option<u64> {
        let place = self.indices.binary_search(&index).ok()?;
        Some(place as u64)
    }

    fn stores(&self, _: &G, _: u64) -> bool {
        true
    }

    fn positions(&self, game: &G) -> u128 {
        let orbit = |index: &u64| {
            game.at(*index)
                .map_or(0, |position| u128::from(orbit_size(game, &position)))
        };
        let sums = map_parts(self.tasks(), |task| -> u128 {
            self.indices[self.task(task)].iter().map(orbit).sum()
        });
        sums.into_iter().sum()
    }

    fn count(&self, game: &G, progress: &dyn Progress) -> ValueCounts {
        let counts = self.counts(game, progress);
        let indices = |part, code| self.indices_with(part, code);
        let parts = self.tasks();
        value_counts(game, CODE, self.metric, &counts, parts, progress, indices)
    }

    fn layout(&self, _: &G) -> Result<Layout, ValuesError> {
        let positions = self.indices.len() as u64;
        Ok(Layout::new(
            self.metric.name(),
            64,
            ValueKind::Unsigned,
            positions,
        )?)
    }

    fn scheme(&self, game: &G) -> IndexScheme {
        IndexScheme::Listed {
            positions: self.positions(game) as u64,
        }
    }

    fn encode(&self, _: &G, _: &Layout, leaf: u64) -> Leaf {
        let first = (leaf * LEAF_LEN) as usize;
        let last = self.indices.len().min(first + LEAF_LEN as usize);
        let values = self.indices[first..last]
            .iter()
            .zip(&self.codes[first..last]);
        Leaf::pack(
            64,
            values.map(|(index, code)| IndexScheme::entry(*index, *code)),
        )
    }
}

/// The values of listed positions in a table.
pub(crate) struct ListedTable<'a> {
    table: &'a Table,
    metric: Metric,
}

impl<'a> ListedTable<'a> {
    /// The table of a game.
    pub(crate) fn new<G: Dense>(
        game: &G,
        table: &'a Table,
    ) -> Result<ListedTable<'a>, ValuesError> {
        let metric = checked(game.rules(), table)?;
        let foreign = |problem| ValuesError::foreign(table, game.rules(), problem);
        if table.meta().index_scheme == IndexScheme::Dense {
            return Err(foreign("its positions are numbered in another way".into()));
        }
        expect_values(game.rules(), table, ValueKind::Unsigned, &[64])?;
        let listed = ListedTable { table, metric };
        let start = game.start();
        if game.ending(&start).is_none()
            && listed.figures(game.index(&start))? == Figures::default()
        {
            return Err(foreign("the start is not among its positions".into()));
        }
        Ok(listed)
    }

    // The value at a place of the list; `None` beyond its end or where the frame lacks it.
    fn entry(&self, place: u64) -> Result<Option<(u64, u16)>, ValuesError> {
        let leaf = self.table.leaf(place >> LEAF_BITS)?;
        let value = leaf.value((place % LEAF_LEN) as u32);
        Ok(value.map(IndexScheme::split))
    }

    /// The figures of an index; none when it is not listed.
    pub(crate) fn figures(&self, index: u64) -> Result<Figures, ValuesError> {
        let layout = self.table.layout();
        // First the leaf, by the first index of each, so that few leaves are read.
        let (mut low, mut high) = (0, layout.leaves());
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            match self.entry(middle << LEAF_BITS)? {
                Some((first, _)) if first <= index => low = middle,
                _ => high = middle,
            }
        }
        let places = layout.indices_of_leaf(low);
        let (mut low, mut high) = (places.start, places.end);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.entry(middle)? {
                Some((found, code)) if found == index => {
                    return Ok(CODE.figures(self.metric, code.into()));
                }
                Some((found, _)) if found < index => low = middle + 1,
                _ => high = middle,
            }
        }
        Ok(Figures::default())
    }

    /// All of the list.
    pub(crate) fn load<G: Dense>(&self, game: &G) -> Result<ListedValues, ValuesError> {
        let layout = self.table.layout();
        let foreign = |problem| ValuesError::foreign(self.table, game.rules(), problem);
        // Not up to symmetry: rather more than there can be.
        let (found, most) = (layout.indexable, game.expected_positions());
        if u128::from(found) > most {
            return Err(foreign(format!(
                "found {found} positions, expected at most {most}"
            )));
        }
        let count = layout.indexable as usize;
        let mut indices = room::reserved(count)?;
        let mut codes = room::reserved(count)?;
        for first in (0..layout.leaves()).step_by(LEAVES as usize) {
            let leaves = LEAVES.min(layout.leaves() - first);
            let read = try_map_parts(leaves as usize, |leaf| {
                let view = self.table.leaf(first + leaf as u64)?;
                let values = (0..view.count()).filter_map(|rank| view.value(rank));
                Ok::<Vec<(u64, u16)>, ValuesError>(values.map(IndexScheme::split).collect())
            })?;
            for (index, code) in read.into_iter().flatten() {
                indices.push(index);
                codes.push(code);
            }
        }
        if indices.len() as u64 != layout.indexable {
            let (found, expected) = (indices.len(), layout.indexable);
            return Err(foreign(format!(
                "found {found} positions, expected {expected}"
            )));
        }
        if let Some(place) = indices.windows(2).position(|pair| pair[0] >= pair[1]) {
            let next = place + 1;
            return Err(foreign(format!(
                "the indices at places {place} and {next} do not rise"
            )));
        }
        if let Some(last) = indices
            .last()
            .filter(|last| u128::from(**last) >= game.indexable())
        {
            return Err(foreign(format!("no position has the index {last}")));
        }
        Ok(ListedValues::new(self.metric, indices, codes))
    }
}

/// Bytes of the list of a game, which holds one position of each orbit.
pub(crate) fn loaded_bytes<G: Dense>(game: &G) -> u128 {
    let orbits = game.expected_positions() / game.symmetries() as u128;
    // Some positions are images of themselves.
    (orbits + orbits / 16).saturating_mul(ENTRY_BYTES)
}
