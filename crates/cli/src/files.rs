//! Where the tables of a variant are.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use greenwave_game::{Metric, Rules, Variant};
use greenwave_table::Table;

use crate::session::Session;

impl Session {
    /// The table file of a variant and metric: `<dir>/<slug>/<metric>.gwt`.
    pub(crate) fn table_path(&self, rules: &Rules, metric: Metric) -> PathBuf {
        self.tablebase.table_path(rules, metric)
    }

    /// The table of a variant and metric; `None` if there is none.
    pub(crate) fn open_table(&self, rules: &Rules, metric: Metric) -> Result<Option<Arc<Table>>> {
        Ok(self.tablebase.table(rules, metric)?)
    }
}

/// Opens a table that is named by its path. If it cannot be read, its folder and its name may still
/// tell what belongs there.
pub(crate) fn open_at(path: &Path) -> Result<Table> {
    Ok(Table::open(path).map_err(|error| {
        let folder = path.parent().and_then(Path::file_name);
        let variant = folder
            .and_then(|folder| folder.to_str())
            .and_then(|folder| Variant::parse(folder).ok());
        let metric = path
            .file_stem()
            .and_then(|stem| stem.to_str())
            .and_then(|stem| stem.parse::<Metric>().ok());
        match (variant, metric) {
            (Some(variant), Some(metric)) if variant.rules().metrics.contains(&metric) => {
                error.for_table(&variant.rules().name, metric.name())
            }
            _ => error,
        }
    })?)
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

/// Removes the folder of a file when dropped, and those above it that were not there before, as far as
/// they are empty.
pub(crate) struct TidyFolders(Vec<PathBuf>);

impl TidyFolders {
    pub(crate) fn of(path: &Path) -> TidyFolders {
        let mut above = path.ancestors().skip(1);
        let own = above.next().map(Path::to_owned);
        let missing = above.take_while(|folder| !folder.exists());
        TidyFolders(own.into_iter().chain(missing.map(Path::to_owned)).collect())
    }
}

impl Drop for TidyFolders {
    fn drop(&mut self) {
        // What is not empty, or cannot be removed, stays.
        let _ = self.0.iter().try_for_each(std::fs::remove_dir);
    }
}
