//! The tables that can be downloaded.

use std::path::PathBuf;

use greenwave_game::Metric;

use crate::explorer::Explorer;

/// A table that can be had.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct OfferedTable {
    /// The name of its variant, as files write it.
    pub(crate) slug: String,
    /// Its metric.
    pub(crate) metric: Metric,
    /// Its length in bytes.
    pub(crate) bytes: u64,
}

impl OfferedTable {
    /// Its address below the tables.
    pub(crate) fn path(&self) -> String {
        format!("/tables/{}/{}.gwt", self.slug, self.metric.name())
    }
}

/// The tables of the folder, by name.
pub(crate) fn offered(explorer: &Explorer) -> Vec<OfferedTable> {
    let mut all = Vec::new();
    // A folder that is not there, or cannot be read, has no tables.
    let folders = std::fs::read_dir(explorer.settings.tablebase.dir());
    for folder in folders.into_iter().flatten().flatten() {
        let name = folder.file_name();
        let Some(slug) = name.to_str().filter(|name| is_slug(name)) else {
            continue;
        };
        for metric in Metric::ALL {
            let file = folder.path().join(format!("{}.gwt", metric.name()));
            if let Ok(about) = file.metadata()
                && about.is_file()
            {
                all.push(OfferedTable {
                    slug: slug.to_string(),
                    metric,
                    bytes: about.len(),
                });
            }
        }
    }
    all.sort();
    all
}

/// Whether a name can be that of a folder of tables: no path leads out of it.
fn is_slug(name: &str) -> bool {
    let known = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    !name.is_empty() && !name.starts_with('.') && name.bytes().all(known)
}

/// The file of a table, `SLUG/METRIC.gwt`, which need not be there; `None` of other names.
// Files are handed out by the server alone.
#[cfg_attr(target_family = "wasm", expect(dead_code))]
pub(crate) fn path_of(explorer: &Explorer, name: &str) -> Option<PathBuf> {
    let (slug, file) = name.split_once('/')?;
    let metric = file.strip_suffix(".gwt")?;
    let known = Metric::ALL.iter().any(|known| known.name() == metric);
    let folder = explorer.settings.tablebase.dir();
    (known && is_slug(slug)).then(|| folder.join(slug).join(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_elsewhere_are_no_folders() {
        for name in ["..", ".", "", "a/b", "..%2f", "a\\b", ".hidden", "é"] {
            assert!(!is_slug(name), "{name}");
        }
        assert!(is_slug("classic-3x3_play-misere") && is_slug("my-game.toml"));
    }
}
