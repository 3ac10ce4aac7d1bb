//! Where the tables of a variant are.

use std::path::PathBuf;

use anyhow::Result;
use greenwave_game::{Metric, Rules};
use greenwave_table::{Hash32, Table};

use crate::session::Session;

impl Session {
    /// The table file of a variant and metric: `<dir>/<slug>/<metric>.gwt`.
    pub(crate) fn table_path(&self, rules: &Rules, metric: Metric) -> PathBuf {
        self.dir.join(rules.slug()).join(format!("{metric}.gwt"))
    }

    /// Opens the table of a variant and metric; `None` if there is none.
    pub(crate) fn open_table(&self, rules: &Rules, metric: Metric) -> Result<Option<Table>> {
        let path = self.table_path(rules, metric);
        if !path.try_exists()? {
            return Ok(None);
        }
        let table = Table::open(&path)?;
        table.expect_rules(&Hash32(rules.hash.0))?;
        Ok(Some(table))
    }
}
