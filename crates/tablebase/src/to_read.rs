//! Large tables that stay where they are: values are read as they are requested.

use std::sync::Arc;

use greenwave_game::{Dense, Metric, Variant};
use greenwave_table::{IndexScheme, Table};
use greenwave_values::OpenedValues;

use crate::memory::{Purpose, Reservation};
use crate::solution::key;
use crate::sources::as_good_as;
use crate::{Error, Tablebase, files};

/// A table of which little at a time is in memory, and the memory that it takes.
#[derive(Debug)]
#[must_use]
pub struct TableToRead {
    table: Arc<Table>,
    _reserved: Reservation,
}

impl TableToRead {
    /// Whether its values are by families: nobody asks for all of them, and a whole reading takes long.
    #[must_use]
    pub fn is_of_families(&self) -> bool {
        matches!(self.table.meta().index_scheme, IndexScheme::Families { .. })
    }

    /// Reads the whole file once, unless it is of families: every checksum, and that the values have the
    /// signature that is stated.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn check(&self) -> Result<(), Error> {
        if !self.is_of_families() {
            self.table.check()?;
        }
        Ok(())
    }

    /// The signature of its values.
    #[must_use]
    pub fn signature(&self) -> String {
        self.table.meta().signature.to_string()
    }

    /// Its values, for a game.
    ///
    /// # Errors
    /// When the table does not fit the game.
    pub fn open<'a, G: Dense>(&'a self, game: &'a G) -> Result<OpenedValues<'a, G>, Error> {
        Ok(OpenedValues::new(game, &self.table)?)
    }
}

impl Tablebase {
    /// Opens every table of a variant, so that none is skipped in silence.
    ///
    /// # Errors
    /// When one is damaged or of other rules.
    pub fn expect_tables(&self, variant: &Variant) -> Result<(), Error> {
        self.tables(variant).map(drop)
    }

    /// The table from which values in a metric are better read one by one: a table of families, or
    /// a table by index with many leaves, where none are in memory. Gives `None` where it is better
    /// to read all values at once ([`Tablebase::values`]).
    ///
    /// # Errors
    /// When the table is damaged or of other rules, and when the memory is not there.
    pub fn table_to_read<G: Dense>(
        &self,
        game: &G,
        metric: Metric,
    ) -> Result<Option<TableToRead>, Error> {
        let rules = game.rules();
        for metric in as_good_as(rules, metric) {
            if self.cache().known(&key(rules, metric)).is_some() {
                return Ok(None);
            }
            if let Some(table) = self.table(rules, metric)? {
                if !OpenedValues::saves_memory(game, &table) {
                    return Ok(None);
                }
                let needed = OpenedValues::<G>::bytes(&table, self.threads());
                let _reserved = self.reserve_for(needed, &Purpose::reading(&table))?;
                let mut to_read = TableToRead { table, _reserved };
                if to_read.is_of_families() {
                    // Its frames are in what is reserved, whatever else there is no room for.
                    let own = files::open(to_read.table.path(), rules, metric)?;
                    to_read.table = Arc::new(own);
                }
                return Ok(Some(to_read));
            }
        }
        Ok(None)
    }
}
