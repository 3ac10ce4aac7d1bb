//! Where the tables of a variant are.

use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use greenwave_game::{Metric, Rules, Variant};
use greenwave_solver::{bytes_down, bytes_up};
use greenwave_table::{DiskStorage, Hash32, Storage, Table, TablesFolder};

use crate::{Error, is_rule_file};

/// The table file of a variant and metric: `<dir>/<slug>/<metric>.gwt`.
#[must_use]
pub fn table_path(dir: &Path, rules: &Rules, metric: Metric) -> PathBuf {
    table_folder(dir, rules).join(format!("{metric}.gwt"))
}

/// The folder of the tables of a variant: `<dir>/<slug>`; for a rule file the beginning of the hash of its
/// rules is added where that folder holds tables of other rules, or their certificates.
#[must_use]
pub fn table_folder(dir: &Path, rules: &Rules) -> PathBuf {
    let usual = dir.join(rules.slug());
    if !is_rule_file(&rules.name) {
        return usual;
    }
    let hash = rules.hash.to_string();
    let own = dir.join(format!("{}-{}", rules.slug(), &hash[..8]));
    if own.is_dir() || holds_other_rules(&usual, rules) {
        return own;
    }
    usual
}

/// Whether a folder has a table of other rules, or their certificate and no table of these.
fn holds_other_rules(folder: &Path, rules: &Rules) -> bool {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let files: Vec<PathBuf> = files.map(|file| file.path()).collect();
    let tables = files
        .iter()
        .filter(|path| path.extension().is_some_and(|end| end == "gwt"));
    // A file that cannot be read gives its error when it is used.
    let tables: Vec<bool> = tables
        .filter_map(|path| Table::open(path).ok())
        .map(|table| table.expect_rules(&Hash32(rules.hash.0)).is_ok())
        .collect();
    if tables.is_empty() {
        files
            .iter()
            .any(|path| is_certificate_of_others(path, rules))
    } else {
        tables.contains(&false)
    }
}

/// Whether a file is a certificate of other rules: each has its rules at the beginning.
fn is_certificate_of_others(path: &Path, rules: &Rules) -> bool {
    /// Bytes in which the rules stand.
    const HEAD: u64 = 1 << 16;
    let name = path.file_name().and_then(|name| name.to_str());
    let is_named =
        name.is_some_and(|name| name.starts_with("certificate") && name.ends_with(".txt"));
    let mut head = Vec::new();
    let mut read = || std::fs::File::open(path)?.take(HEAD).read_to_end(&mut head);
    is_named
        && path.is_file()
        && read().is_ok()
        && !String::from_utf8_lossy(&head).contains(&*rules.canonical)
}

/// Refuses what an option names as a folder and cannot be one: a file, or what is below a file.
///
/// # Errors
/// With what was found.
pub fn expect_folder(option: &str, path: &Path) -> Result<(), Error> {
    // Folders that are not there can be made below one that is.
    let found = path.ancestors().find(|above| above.exists());
    let Some(file) = found.filter(|found| !found.is_dir()) else {
        return Ok(());
    };
    let shown = path.display();
    let what = if file == path {
        "which is a file".to_string()
    } else {
        format!("but '{}' is a file", file.display())
    };
    Err(Error::refused(format!(
        "{option}: found '{shown}', {what}, expected a folder"
    )))
}

/// What tells one content of a file from another without reading it.
pub(crate) type Stamp = (u64, Option<SystemTime>);

/// The stamp of a file; `None` if there is none.
pub(crate) fn stamp(path: &Path) -> Result<Option<Stamp>, Error> {
    match std::fs::metadata(path) {
        Ok(data) => Ok(Some((data.len(), data.modified().ok()))),
        // Or something else stands where a folder of tables could be, or there are no files at all.
        Err(error)
            if matches!(
                error.kind(),
                ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::Unsupported
            ) =>
        {
            Ok(None)
        }
        Err(cause) => Err(Error::Io {
            what: format!(
                "cannot look for '{}'; name another folder with --dir",
                path.display()
            ),
            cause,
        }),
    }
}

/// Opens the table of a variant and metric, which must be there.
pub(crate) fn open(path: &Path, rules: &Rules, metric: Metric) -> Result<Table, Error> {
    let table = Table::open(path).and_then(|table| {
        table.expect_rules(&Hash32(rules.hash.0))?;
        table.expect_metric(metric.name())?;
        Ok(table)
    });
    Ok(table.map_err(|error| error.for_table(rules.title(), metric.name()))?)
}

/// Opens a table that is named by its path. Its folder and its name tell what belongs there, and
/// which folder of tables the command has to name that solves it again.
pub(crate) fn open_at(path: &Path) -> Result<Table, Error> {
    let place = TablePlace::of(path);
    let folder = match &place {
        Some(place) => TablesFolder::Named(place.dir.clone()),
        None => TablesFolder::Outside,
    };
    match Table::open(path) {
        Ok(table) => Ok(table.in_folder(folder)),
        Err(error) => {
            let error = match place {
                Some(place) => error.for_table(place.variant.rules().title(), place.metric.name()),
                None => error,
            };
            Err(error.in_folder(folder).into())
        }
    }
}

/// A place where a solve writes a table: `<dir>/<slug>/<metric>.gwt`.
struct TablePlace {
    dir: PathBuf,
    variant: Variant,
    metric: Metric,
}

impl TablePlace {
    /// The place of a path, if it is one.
    fn of(path: &Path) -> Option<TablePlace> {
        let metric = path.file_stem()?.to_str()?.parse::<Metric>().ok()?;
        let absolute = std::path::absolute(path).ok()?;
        let folder = match path.parent()? {
            folder if folder == Path::new("") => absolute.parent()?,
            folder => folder,
        };
        let slug = folder.file_name()?.to_str()?;
        let variant = Variant::parse(&name_of_slug(slug)).ok()?;
        let rules = variant.rules();
        if rules.slug() != slug || !rules.metrics.contains(&metric) {
            return None;
        }
        let dir = match folder.parent()? {
            dir if dir == Path::new("") => PathBuf::from("."),
            dir => dir.to_owned(),
        };
        Some(TablePlace {
            dir,
            variant,
            metric,
        })
    }
}

/// The name of the variant that a folder of tables may be of: it is, if that variant has this slug. A slug has no
/// colons and no signs of equality; the first dash of each option stands for the latter.
#[must_use]
pub fn name_of_slug(slug: &str) -> String {
    let mut options = slug.split('_');
    let mut name = options.next().unwrap_or_default().to_string();
    for option in options {
        name.push(':');
        name.push_str(&option.replacen('-', "=", 1));
    }
    name
}

/// Fails early, before a long solve, when a table cannot be written where it belongs: makes its
/// folder and the lock file beside it, which goes again.
pub(crate) fn check_writable(path: &Path) -> Result<(), Error> {
    let folder = path.parent().unwrap_or(Path::new("."));
    match DiskStorage.lock(&path.with_extension("gwt.lock")) {
        Err(cause) if cause.kind() != ErrorKind::WouldBlock => Err(Error::Io {
            what: format!(
                "cannot write tables into '{}'; name a folder that you can write to with --dir, \
                 or use --no-table",
                folder.display()
            ),
            cause,
        }),
        _ => Ok(()),
    }
}

/// Removes the empty files by which versions before 0.2.0 tried whether the folder of a table can be
/// written to, `.writable-PID`, where a kill left them: nobody is at work under that number any more.
#[cfg(target_os = "linux")]
pub(crate) fn discard_attempts(table: &Path) {
    let running = |number: &str| Path::new("/proc").join(number).exists();
    // Without a view of the processes, none is known to have ended.
    if !running("self") {
        return;
    }
    let folder = table.parent().unwrap_or(Path::new("."));
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let number = name
            .to_str()
            .and_then(|name| name.strip_prefix(".writable-"));
        let Some(number) = number.filter(|number| number.parse::<u32>().is_ok()) else {
            continue;
        };
        let about = std::fs::symlink_metadata(entry.path());
        let is_attempt = about.is_ok_and(|about| about.is_file() && about.len() == 0);
        if is_attempt && !running(number) {
            // One that cannot be removed is in nobody's way.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn discard_attempts(_: &Path) {}

/// The use of room on a disk.
pub(crate) enum DiskUse {
    /// A table.
    Table,
    /// The waves of a solve that outgrows the memory.
    Waves,
}

/// Refuses a solve that may need more room than the disk has; where the system does not tell, the
/// attempt does.
pub(crate) fn expect_room(path: &Path, needed: u128, room: &DiskUse) -> Result<(), Error> {
    let (what, way_out) = match room {
        DiskUse::Table => ("table", "name another folder with --dir, or use --no-table"),
        DiskUse::Waves => ("waves", "or name another folder with --scratch"),
    };
    match free_bytes(path) {
        Some(free) if needed > free.into() => Err(Error::refused(format!(
            "the {what} may need {} of disk in '{}', free are {}; make room, {way_out}",
            bytes_up(needed),
            path.parent().unwrap_or(Path::new(".")).display(),
            bytes_down(free.into())
        ))),
        _ => Ok(()),
    }
}

/// Bytes of the files in a folder; 0 where there is none.
pub(crate) fn bytes_below(folder: &Path) -> u128 {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let files = entries.filter_map(|entry| entry.metadata().ok());
    files.map(|file| u128::from(file.len())).sum()
}

// Room on the disk for a file, whose folders need not be there.
#[cfg(unix)]
pub(crate) fn free_bytes(path: &Path) -> Option<u64> {
    let folder = path.ancestors().skip(1).find_map(|folder| {
        let folder = if folder == Path::new("") {
            Path::new(".")
        } else {
            folder
        };
        rustix::fs::statvfs(folder).ok()
    })?;
    folder.f_bavail.checked_mul(folder.f_frsize)
}

#[cfg(not(unix))]
pub(crate) fn free_bytes(_: &Path) -> Option<u64> {
    None
}

/// Removes the folder of a file when dropped, and those above it that were not there before, as far as
/// they are empty.
#[derive(Debug)]
pub struct TidyFolders(Vec<PathBuf>);

impl TidyFolders {
    /// The folders of a file.
    #[must_use]
    pub fn of(path: &Path) -> TidyFolders {
        let mut above = path.ancestors().skip(1);
        let own = above.next().map(Path::to_owned);
        // A folder that cannot be checked is taken to exist.
        let missing = above.take_while(|folder| matches!(folder.try_exists(), Ok(false)));
        TidyFolders(own.into_iter().chain(missing.map(Path::to_owned)).collect())
    }
}

impl Drop for TidyFolders {
    fn drop(&mut self) {
        // A folder that is not empty, or cannot be removed, stays.
        let _ = self.0.iter().try_for_each(std::fs::remove_dir);
    }
}
