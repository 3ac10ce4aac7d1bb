//! Where the tables of a variant are.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
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
        let there = path.try_exists().with_context(|| {
            format!(
                "cannot look for '{}'; name another folder with --dir",
                path.display()
            )
        })?;
        if !there {
            return Ok(None);
        }
        let table = Table::open(&path)?;
        table.expect_rules(&Hash32(rules.hash.0))?;
        Ok(Some(table))
    }
}

/// Fails early, before a long solve, when a table cannot be written where it belongs: makes its
/// folder and a file in it, and removes the file again.
pub(crate) fn check_writable(path: &Path) -> Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let probe = folder.join(format!(".writable-{}", std::process::id()));
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(&probe, b""))
        .and_then(|()| std::fs::remove_file(&probe))
        .with_context(|| {
            format!(
                "cannot write tables into '{}'; name a folder that you can write to with --dir, \
                 or use --no-table",
                folder.display()
            )
        })
}
