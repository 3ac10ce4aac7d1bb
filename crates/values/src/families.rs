//! Values in a table of families: of boards whose index is too large to be cut into leaves.

use greenwave_game::{
    BoardFamilies, Code, Dense, FamilyPlace, Figures, Game, Implication, Metric, Outcomes, Packing,
    Rules, fixed_board,
};
use greenwave_table::{IndexScheme, Layout, LeafView, Table, ValueKind};

use crate::ValuesError;
use crate::codes::{ended_code, won_at_once_code};
use crate::dense::CODE;
use crate::source::checked;

/// How the values of a board are laid out in a table of families; `None` where such a table does not hold
/// the metric: it holds values without draws.
#[must_use]
pub fn families_layout<G: Dense>(game: &G, metric: Metric) -> Option<Layout> {
    let rules: &Rules = game.rules();
    let fits = metric == Metric::Value && rules.properties.outcomes == Outcomes::WinLoss;
    let indexable = u64::try_from(game.indexable()).ok().filter(|_| fits)?;
    Layout::new(metric.name(), 1, ValueKind::Unsigned, indexable).ok()
}

/// The values of a board in a table of families.
#[derive(Debug)]
pub struct FamilyTable<'a> {
    table: &'a Table,
    metric: Metric,
    packing: Packing,
    families: BoardFamilies<'a>,
}

impl<'a> FamilyTable<'a> {
    /// The table of a game.
    ///
    /// # Errors
    /// When the table is of other rules, or of a metric, numbering or families that the game does not
    /// have.
    pub fn new<G: Dense>(game: &'a G, table: &'a Table) -> Result<FamilyTable<'a>, ValuesError> {
        let metric = checked(game.rules(), table)?;
        let foreign = |problem| ValuesError::foreign(table, game.rules(), problem);
        let other = || foreign("its positions are numbered in another way".into());
        let IndexScheme::Families {
            squares,
            near,
            symmetries,
        } = &table.meta().index_scheme
        else {
            return Err(other());
        };
        let board = fixed_board(game).ok_or_else(other)?;
        if families_layout(game, metric).is_none_or(|layout| layout != *table.layout()) {
            return Err(other());
        }
        let packing = game.packing(metric);
        let families = BoardFamilies::new(board, packing, squares, *near as usize, symmetries);
        Ok(FamilyTable {
            table,
            metric,
            packing,
            families: families.map_err(foreign)?,
        })
    }

    /// The table.
    #[must_use]
    pub fn table(&self) -> &'a Table {
        self.table
    }

    /// The metric.
    #[must_use]
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// The families.
    #[must_use]
    pub fn families(&self) -> &BoardFamilies<'a> {
        &self.families
    }

    // A family that is stored, and as `mask` the positions that it packs; the two agree in number.
    fn family(&self, key: u64, mask: &mut Vec<u64>) -> Result<LeafView, ValuesError> {
        let view = self.table.family(key)?;
        let expected = self.families.mask(key, mask);
        self.expect_count(key, view.count(), expected)?;
        Ok(view)
    }

    /// Checks that a family packs as many positions as the rules say.
    ///
    /// # Errors
    /// When it does not.
    pub fn expect_count(&self, key: u64, found: u32, expected: u32) -> Result<(), ValuesError> {
        if found == expected {
            return Ok(());
        }
        Err(ValuesError::Packing {
            file: self.table.path().display().to_string(),
            variant: self.families.game().rules().title().to_string(),
            metric: self.metric,
            folder: self.table.folder().clone().into(),
            part: format!("family {key}").into(),
            found,
            expected,
        })
    }

    /// The index of the position whose value has a rank in the whole table; `None` where there is none.
    ///
    /// # Errors
    /// When the table cannot be read or is damaged.
    pub fn index_at(&self, rank: u64) -> Result<Option<u64>, ValuesError> {
        let Some((key, mut left)) = self.table.stored_at(rank)? else {
            return Ok(None);
        };
        let mut mask = Vec::new();
        self.family(key, &mut mask)?;
        for (number, word) in mask.into_iter().enumerate() {
            if left >= word.count_ones() {
                left -= word.count_ones();
                continue;
            }
            let rest = (0..left).fold(word, |rest, _| rest & (rest - 1));
            let place = 64 * number as u32 + rest.trailing_zeros();
            let position = self.families.position(FamilyPlace { key, place });
            return Ok(Some(position.0));
        }
        Ok(None)
    }

    /// The figures of an index.
    ///
    /// # Errors
    /// When the table cannot be read or is damaged.
    pub fn figures(&self, index: u64) -> Result<Figures, ValuesError> {
        let code = match self.families.game().implied(self.packing, index) {
            Some(Implication::Illegal) => return Ok(Figures::default()),
            Some(Implication::Ended(ending)) => ended_code(self.metric, &ending),
            Some(Implication::WonAtOnce) => won_at_once_code(self.metric),
            None => {
                let at = self.families.least(Code(index));
                let mut mask = Vec::new();
                let view = self.family(at.key, &mut mask)?;
                let (word, bit) = (at.place as usize / 64, at.place % 64);
                let below = mask[..word]
                    .iter()
                    .map(|word| word.count_ones())
                    .sum::<u32>();
                let rank = below + (mask[word] & ((1 << bit) - 1)).count_ones();
                view.value(rank).unwrap_or_default() as i32
            }
        };
        Ok(CODE.figures(self.metric, code))
    }
}
