//! Where values come from: a solution in memory, a table, several of them together.

use greenwave_game::{Dense, Figures, Implied, LEAF_BITS, LeafMask, Metric, Packing};
use greenwave_table::{Hash32, IndexScheme, LeafView, Table, ValueKind};

use rayon::prelude::*;

use crate::{Codes, DenseValues, ValuesError, codes, listed_tables as listed};

/// Something that knows values of positions: a table, a solution in memory, or both.
pub trait ValueSource<P>: Sync {
    /// What goes wrong when a value is looked up: a damaged block, a file that cannot be read.
    type Error;

    /// Figures of a position for the player to move in it; unknown metrics are `None`.
    ///
    /// # Errors
    /// When the source holds the position but cannot be read.
    fn figures(&self, position: &P) -> Result<Figures, Self::Error>;

    /// Expectations that differ by no more than this are not told apart.
    fn tie(&self) -> f64 {
        greenwave_game::TIE
    }
}

/// Values in memory.
#[derive(Debug)]
pub struct SolvedValues<'a, G> {
    game: &'a G,
    values: &'a DenseValues,
}

impl<'a, G: Dense> SolvedValues<'a, G> {
    /// The values of a game.
    #[must_use]
    pub fn new(game: &'a G, values: &'a DenseValues) -> SolvedValues<'a, G> {
        SolvedValues { game, values }
    }
}

impl<G: Dense> ValueSource<G::Position> for SolvedValues<'_, G> {
    type Error = ValuesError;

    fn figures(&self, position: &G::Position) -> Result<Figures, ValuesError> {
        let metric = self.values.metric();
        Ok(match self.game.ending(position) {
            Some(ending) => codes::decode(metric, codes::ended_code(metric, &ending)),
            None => self.values.figures(self.game.index(position)),
        })
    }
}

/// Values in a table.
pub struct TableValues<'a, G> {
    game: &'a G,
    table: &'a Table,
    metric: Metric,
}

impl<'a, G: Dense> TableValues<'a, G> {
    /// The table of a game.
    ///
    /// # Errors
    /// When the table is of other rules, or of a metric or size that the game does not have.
    pub fn new(game: &'a G, table: &'a Table) -> Result<TableValues<'a, G>, ValuesError> {
        let rules = game.rules();
        table.expect_rules(&Hash32(rules.hash.0))?;
        let foreign = |problem: String| ValuesError::foreign(table, rules, problem);
        let metric: Metric = table.meta().metric.parse().map_err(foreign)?;
        if !rules.metrics.contains(&metric) {
            return Err(foreign(format!("{} has no metric '{metric}'", rules.name)));
        }
        let listed = game.packing(metric) == Packing::Listed;
        if listed != (table.meta().index_scheme != IndexScheme::Dense) {
            return Err(foreign("its positions are numbered in another way".into()));
        }
        if listed && table.layout().value_bits != 64 {
            let bits = table.layout().value_bits;
            return Err(foreign(format!("found values of {bits} bits, expected 64")));
        }
        if !listed && u128::from(table.meta().indexable) != game.indexable() {
            let (found, expected) = (table.meta().indexable, game.indexable());
            return Err(foreign(format!(
                "found {found} indices, expected {expected}"
            )));
        }
        Ok(TableValues {
            game,
            table,
            metric,
        })
    }

    /// Whether the table lists its positions.
    #[must_use]
    pub fn is_listed(&self) -> bool {
        self.table.meta().index_scheme != IndexScheme::Dense
    }

    /// The metric.
    #[must_use]
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// The table.
    #[must_use]
    pub fn table(&self) -> &Table {
        self.table
    }

    /// A leaf and the positions that it packs; the two agree in number.
    pub fn leaf(&self, leaf: u64, mask: &mut LeafMask) -> Result<LeafView, ValuesError> {
        self.game
            .leaf_mask(self.game.packing(self.metric), leaf, mask);
        self.leaf_of(leaf, mask.count())
    }

    /// A leaf of which it is known how many positions it packs.
    pub fn leaf_of(&self, leaf: u64, expected: u32) -> Result<LeafView, ValuesError> {
        let view = self.table.leaf(leaf)?;
        if view.count() != expected {
            return Err(ValuesError::Packing {
                file: self.table.path().display().to_string(),
                variant: self.game.rules().name.clone(),
                metric: self.metric,
                leaf,
                found: view.count(),
                expected,
            });
        }
        Ok(view)
    }

    /// The codes of all indices of a leaf, those that follow from the rules included; the code of
    /// an illegal index is 0.
    ///
    /// # Errors
    /// When the table cannot be read or is damaged.
    pub fn leaf_codes(&self, leaf: u64) -> Result<Vec<i32>, ValuesError> {
        let mut mask = LeafMask::default();
        let view = self.leaf(leaf, &mut mask)?;
        let first = leaf << LEAF_BITS;
        let places = (self.game.indexable() - u128::from(first)).min(1 << LEAF_BITS) as u32;
        let mut rank = 0;
        (0..places)
            .map(|place| {
                if mask.contains(place) {
                    rank += 1;
                    return self.code(&view, leaf, rank - 1);
                }
                Ok(self.implied_code(first + u64::from(place)).unwrap_or(0))
            })
            .collect()
    }

    fn implied_code(&self, index: u64) -> Option<i32> {
        match self.game.implied(self.game.packing(self.metric), index)? {
            Implied::Illegal => None,
            Implied::Ended(ending) => Some(codes::ended_code(self.metric, &ending)),
            Implied::WonAtOnce => Some(codes::won_at_once_code(self.metric)),
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
            _ => i32::try_from(raw).ok(),
        });
        code.ok_or_else(|| {
            let problem = format!(
                "leaf {leaf}, value {rank}: no code of metric {}",
                self.metric
            );
            ValuesError::foreign(self.table, self.game.rules(), problem)
        })
    }
}

impl<G: Dense> ValueSource<G::Position> for TableValues<'_, G> {
    type Error = ValuesError;

    fn figures(&self, position: &G::Position) -> Result<Figures, ValuesError> {
        let index = self.game.index(position);
        if self.is_listed() {
            return listed::figures(self.table, self.metric, index);
        }
        if let Some(code) = self.implied_code(index) {
            return Ok(codes::decode(self.metric, code));
        }
        let (leaf, place) = (index >> LEAF_BITS, (index & ((1 << LEAF_BITS) - 1)) as u32);
        let mut mask = LeafMask::default();
        let view = self.leaf(leaf, &mut mask)?;
        Ok(codes::decode(
            self.metric,
            self.code(&view, leaf, mask.rank(place))?,
        ))
    }
}

/// Several sources together: each metric from the first source that has it.
pub struct Combined<'a, P>(pub Vec<Box<dyn ValueSource<P, Error = ValuesError> + 'a>>);

impl<P> ValueSource<P> for Combined<'_, P> {
    type Error = ValuesError;

    fn figures(&self, position: &P) -> Result<Figures, ValuesError> {
        self.0.iter().try_fold(Figures::default(), |known, source| {
            Ok(known.or(source.figures(position)?))
        })
    }

    fn tie(&self) -> f64 {
        self.0.iter().map(|source| source.tie()).fold(0.0, f64::max)
    }
}

/// All values of a table, those that follow from the rules included, in memory: one code per
/// index.
///
/// # Errors
/// When the table cannot be read or is damaged.
pub fn load<G: Dense>(table: &TableValues<'_, G>, game: &G) -> Result<DenseValues, ValuesError> {
    if table.is_listed() {
        let listed = listed::read(table.table())?
            .map_err(|problem| ValuesError::foreign(table.table(), game.rules(), problem))?;
        return Ok(DenseValues::new(table.metric(), Codes::Listed(listed)));
    }
    let codes = if table.metric() == Metric::Points {
        Codes::Words(all_codes(table, game, |code| code as i16)?)
    } else {
        Codes::Bytes(all_codes(table, game, |code| code as u8)?)
    };
    Ok(DenseValues::new(table.metric(), codes))
}

// The codes of all indices, leaf by leaf, in the width that holds them.
fn all_codes<G: Dense, C: Clone + Default + Send>(
    table: &TableValues<'_, G>,
    game: &G,
    narrow: impl Fn(i32) -> C + Sync,
) -> Result<Vec<C>, ValuesError> {
    let mut all = vec![C::default(); game.indexable() as usize];
    let leaves = table.table().layout().leaves() as usize;
    all.par_chunks_mut(1 << LEAF_BITS)
        .zip(0..leaves)
        .try_for_each(|(chunk, leaf)| {
            let codes = table.leaf_codes(leaf as u64)?;
            for (slot, code) in chunk.iter_mut().zip(codes) {
                *slot = narrow(code);
            }
            Ok::<(), ValuesError>(())
        })?;
    Ok(all)
}
