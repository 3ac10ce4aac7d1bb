//! Games with chance: where the odds of all their positions come from.

use std::sync::Arc;

use greenwave_game::{Metric, Variant, with_game};
use greenwave_values::OddsTable;

use crate::memory::Purpose;
use crate::solution::{Solution, key, values_bytes};
use crate::{Error, Source, Sources, Tablebase};

impl Tablebase {
    /// The table of odds of a variant with chance, if there is one.
    pub(crate) fn odds_table(&self, variant: &Variant) -> Result<Option<Arc<OddsTable>>, Error> {
        self.cache()
            .odds_table(self.dir(), variant.rules(), |table| {
                Ok(with_game!(variant, game => OddsTable::new(game, table))?)
            })
    }

    /// The odds of every position, for questions about many: in memory where they fit, else from the
    /// table.
    ///
    /// # Errors
    /// When there is neither room for them nor a table, and when a table is damaged or of other rules.
    pub fn all_odds(&self, variant: &Variant) -> Result<Sources, Error> {
        match self.values(variant, Metric::Odds) {
            Ok(solution) => Ok(Sources::of_solution(solution)),
            Err(error @ (Error::Memory { .. } | Error::Busy { .. })) => {
                let table = self.odds_table(variant)?;
                table.map(Sources::of_odds_table).ok_or(error)
            }
            Err(error) => Err(error),
        }
    }

    /// The odds of every position in memory, read from their table.
    pub(crate) fn loaded_odds(
        &self,
        variant: &Variant,
        table: &OddsTable,
    ) -> Result<Arc<Solution>, Error> {
        let key = key(variant.rules(), Metric::Odds);
        self.cache().solution(key, self.progress(), || {
            let needed = values_bytes(variant, Metric::Odds);
            // The numbers of the table, and the values made of them.
            let beside = u128::from(table.table().meta().packed) * 8;
            let purpose = Purpose::reading(table.table());
            let mut reserved = self.reserve_for(needed + beside, &purpose)?;
            let odds = self.on_threads(|| table.load())?;
            reserved.shrink(needed);
            let source = Source::table(table.table());
            Ok(Solution::new(odds, source, Some(reserved)))
        })
    }
}
