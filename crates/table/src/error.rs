//! What can go wrong with a table.

use std::io;
use std::path::{Path, PathBuf};

use crate::hash::Hash32;
use crate::place::TablesFolder;

const NO_ROOM: &str =
    "make room or name another folder with --dir, and give the same command again";

/// What went wrong, and (as [`TableError::File`]) with which file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// Something went wrong with a file.
    #[error("{}: {error}{}", path.display(), way_out(path, error, variant.as_deref(), metric.as_deref(), folder))]
    File {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        error: Box<TableError>,
        /// The variant that the file should hold, where it is known.
        variant: Option<Box<str>>,
        /// The metric that it should hold, where it is known.
        metric: Option<Box<str>>,
        /// The folder of tables that it belongs to.
        folder: Box<TablesFolder>,
    },
    /// The operating system refused.
    #[error("cannot {action}: {error}")]
    Io {
        /// What was tried.
        action: &'static str,
        /// The answer of the system.
        error: io::Error,
    },
    /// The file does not begin as a table does.
    #[error("not a greenwave table: found {found:02x?} at its start, expected {expected:02x?}")]
    NotATable {
        /// First bytes of the file.
        found: Vec<u8>,
        /// First bytes of a table.
        expected: [u8; 8],
    },
    /// The file is of another format version.
    #[error("found table format version {found}, expected version 1 or {newest}")]
    Version {
        /// Version in the file.
        found: u32,
        /// The newest version that this program reads and writes.
        newest: u32,
    },
    /// The file is shorter or longer than it says.
    #[error("found a file of {found} bytes, expected {expected}")]
    Length {
        /// Length of the file in bytes.
        found: u64,
        /// Length that the preamble states, in bytes.
        expected: u64,
    },
    /// A checksum does not match.
    #[error("{part} is damaged: found checksum {found:08x}, expected {expected:08x}")]
    Checksum {
        /// Part of the file.
        part: String,
        /// CRC-32 of the bytes.
        found: u32,
        /// CRC-32 that the file states.
        expected: u32,
    },
    /// Something inside the file contradicts something else.
    #[error("{part} is damaged: found {found}, expected {expected}")]
    Inconsistent {
        /// Part of the file.
        part: String,
        /// What the file says.
        found: String,
        /// What it should say.
        expected: String,
    },
    /// The metadata cannot be decoded.
    #[error("the metadata is damaged: {reason}")]
    Metadata {
        /// What the decoder found.
        reason: String,
    },
    /// The metadata is too long to be written.
    #[error("the metadata would take {found} bytes, expected at most {most}")]
    MetadataTooLong {
        /// Encoded length in bytes.
        found: u64,
        /// Longest metadata in bytes.
        most: u64,
    },
    /// The file numbers its positions in a way that this program does not know.
    #[error("found index scheme {found}, expected 0 (dense), 1 (listed), 2 (rows) or 3 (families)")]
    IndexScheme {
        /// Scheme in the file.
        found: u32,
    },
    /// The table is of other rules.
    #[error(
        "the table is of other rules: found rules hash {found} ('{variant}'), expected {expected}"
    )]
    OtherRules {
        /// Hash in the table.
        found: Hash32,
        /// Hash of the rules asked for.
        expected: Hash32,
        /// Name of the variant in the table.
        variant: String,
    },
    /// The table is of another metric.
    #[error("the table is of metric '{found}', expected '{expected}'")]
    OtherMetric {
        /// Metric in the table.
        found: String,
        /// Metric asked for.
        expected: String,
    },
    /// The stored signature is not that of the stored values.
    #[error("the values do not match the signature: found {found}, expected {expected}")]
    Signature {
        /// Signature of the values.
        found: Hash32,
        /// Signature in the metadata.
        expected: Hash32,
    },
    /// A leaf was requested that the table does not have.
    #[error("found no leaf {found}, expected one below {leaves}")]
    NoSuchLeaf {
        /// Number of the leaf.
        found: u64,
        /// Number of leaves in the table.
        leaves: u64,
    },
    /// A layout that no table can have.
    #[error("found {what} {found}, expected {expected}")]
    BadLayout {
        /// Which number or name.
        what: &'static str,
        /// What was given.
        found: String,
        /// What is allowed.
        expected: String,
    },
    /// A text that should be a hash.
    #[error("found '{found}', expected 64 hexadecimal digits")]
    BadHashText {
        /// The text.
        found: String,
    },
    /// Frames must be appended in order, and all of them.
    #[error("found frame {found}, expected frame {expected} of {frames}")]
    FrameOrder {
        /// Frame that came; the number of frames when the table was finished too early.
        found: u64,
        /// Frame that should have come.
        expected: u64,
        /// Frames of the table.
        frames: u64,
    },
    /// Somebody else is writing the same table.
    #[error(
        "found another process writing this table, expected to be the only one: \
         wait until it has ended, or end it (it holds the lock file {})", lock.display()
    )]
    Locked {
        /// The lock file.
        lock: PathBuf,
    },
    /// The path has no file name.
    #[error("found no file name, expected a path such as classic-3x3/value.gwt")]
    NoFileName,
}

impl TableError {
    /// What went wrong, without the file.
    #[must_use]
    pub fn inner(&self) -> &TableError {
        if let TableError::File { error, .. } = self {
            return error.inner();
        }
        self
    }

    /// Is it only that there is no such file?
    #[must_use]
    pub fn is_not_found(&self) -> bool {
        matches!(self.inner(), TableError::Io { error, .. } if error.kind() == io::ErrorKind::NotFound)
    }

    /// Is the content of the file at fault (rather than the system, or the caller)?
    #[must_use]
    pub fn is_damage(&self) -> bool {
        matches!(
            self.inner(),
            TableError::NotATable { .. }
                | TableError::Version { .. }
                | TableError::Length { .. }
                | TableError::Checksum { .. }
                | TableError::Inconsistent { .. }
                | TableError::Metadata { .. }
                | TableError::IndexScheme { .. }
                | TableError::OtherRules { .. }
                | TableError::OtherMetric { .. }
                | TableError::Signature { .. }
        )
    }

    /// Adds the file. Variant and metric are known once the metadata has been read; those of a
    /// table in the wrong place say nothing about what belongs there.
    pub(crate) fn in_file(self, path: &Path, table: Option<(&str, &str)>) -> TableError {
        if matches!(self, TableError::File { .. }) {
            return self;
        }
        let misplaced = matches!(
            self,
            TableError::OtherRules { .. } | TableError::OtherMetric { .. }
        );
        let (variant, metric) = table.filter(|_| !misplaced).unzip();
        TableError::File {
            path: path.to_owned(),
            error: Box::new(self),
            variant: variant.map(Into::into),
            metric: metric.map(Into::into),
            folder: Box::default(),
        }
    }

    /// Says which variant and metric the file should hold, so that the message can name the command
    /// that puts it right.
    #[must_use]
    pub fn for_table(self, variant: &str, metric: &str) -> TableError {
        if let TableError::File {
            path,
            error,
            folder,
            ..
        } = self
        {
            return TableError::File {
                path,
                error,
                variant: Some(variant.into()),
                metric: Some(metric.into()),
                folder,
            };
        }
        self
    }

    /// Says which folder of tables the file belongs to, so that the message names no command that
    /// writes elsewhere.
    #[must_use]
    pub fn in_folder(mut self, of_file: TablesFolder) -> TableError {
        if let TableError::File { folder, .. } = &mut self {
            **folder = of_file;
        }
        self
    }

    // Was it never a table, as far as the file shows?
    fn is_strange(&self) -> bool {
        matches!(
            self,
            TableError::NotATable { .. } | TableError::Length { found: 0, .. }
        )
    }

    // Is there no room for what is to be written?
    fn is_full(&self) -> bool {
        let full = |error: &io::Error| {
            matches!(
                error.kind(),
                io::ErrorKind::StorageFull
                    | io::ErrorKind::QuotaExceeded
                    | io::ErrorKind::FileTooLarge
            )
        };
        matches!(self, TableError::Io { error, .. } if full(error))
    }

    /// Wraps an answer of the operating system.
    pub(crate) fn io(action: &'static str) -> impl FnOnce(io::Error) -> TableError {
        move |error| TableError::Io { action, error }
    }

    /// A contradiction inside a file.
    pub(crate) fn inconsistent(
        part: impl Into<String>,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) -> TableError {
        TableError::Inconsistent {
            part: part.into(),
            found: found.into(),
            expected: expected.into(),
        }
    }
}

// The way out, where the content of the file is at fault or there is no room for it: begins with a
// semicolon.
fn way_out(
    path: &Path,
    error: &TableError,
    variant: Option<&str>,
    metric: Option<&str>,
    folder: &TablesFolder,
) -> String {
    if error.is_full() {
        return format!("; {NO_ROOM}");
    }
    const GIVE_A_TABLE: &str =
        "; give a file that `greenwave solve` wrote, such as classic-3x3/distance.gwt";
    if let TableError::Io {
        action: "open" | "read",
        error,
    } = error
    {
        use io::ErrorKind::{InvalidInput, IsADirectory, NotFound, PermissionDenied};
        let kind = error.kind();
        return if matches!(kind, NotFound | IsADirectory | InvalidInput) {
            GIVE_A_TABLE.into()
        } else if kind == PermissionDenied {
            "; make the file readable, or name another".into()
        } else {
            String::new()
        };
    }
    if let TableError::Io {
        action: "replace", ..
    } = error
    {
        return "; move it elsewhere, or name another folder with --dir".into();
    }
    if !error.is_damage() {
        return String::new();
    }
    if error.is_strange() && path.extension().is_none_or(|extension| extension != "gwt") {
        return GIVE_A_TABLE.into();
    }
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    let metric = stem
        .filter(|stem| crate::metrics::METRICS.contains(stem))
        .or(metric);
    let way_back = folder.way_back(variant, metric);
    let other = matches!(
        error,
        TableError::OtherRules { .. } | TableError::OtherMetric { .. }
    );
    let newer = matches!(error, TableError::Version { found, newest } if found > newest)
        || matches!(error, TableError::IndexScheme { .. });
    if error.is_strange() {
        format!("; if a table belongs there, {way_back}")
    } else if other {
        format!("; {way_back}, or move the file elsewhere")
    } else if newer {
        format!("; use a newer greenwave, or {way_back}, or delete the file")
    } else {
        format!("; {way_back}, or delete the file")
    }
}
