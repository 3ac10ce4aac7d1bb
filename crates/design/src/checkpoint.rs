//! What has been measured so far, in a file: a line for each set of rules, so that a search that was stopped
//! resumes, and the same search in another order takes a moment.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::{MeasureLimits, MeasuredGame, RuleFamily};

/// The first line: what all the others follow from.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Head {
    program: String,
    family: String,
    seed: u64,
    games: u64,
}

#[derive(Debug, Serialize, Deserialize)]
struct CheckpointLine {
    rules_hash: String,
    measured: MeasuredGame,
}

/// The longest checkpoint that is read, in bytes: that of the most combinations.
const LONGEST: usize = 1 << 27;

/// Where the checkpoint of a search is, in a folder of tables.
#[must_use]
pub fn checkpoint_path(dir: &Path, family: &RuleFamily, effort: &MeasureLimits) -> PathBuf {
    let head = Head::of(family, effort);
    let text = format!(
        "{} {} {} {}",
        head.program, head.seed, head.games, head.family
    );
    // FNV-1a; the first line of the file tells searches apart.
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    dir.join(format!("design-{}-{:08x}.jsonl", family.stem(), hash >> 32))
}

impl Head {
    fn of(family: &RuleFamily, effort: &MeasureLimits) -> Head {
        Head {
            program: env!("CARGO_PKG_VERSION").into(),
            family: family.described(),
            seed: effort.seed,
            games: effort.games,
        }
    }
}

/// A checkpoint that is read and written.
pub(crate) struct MeasureCheckpoint {
    known: HashMap<String, MeasuredGame>,
    file: File,
}

impl MeasureCheckpoint {
    /// Opens the checkpoint of a search, and begins it anew where the file is of another one. A last line
    /// that is cut off is not read.
    pub(crate) fn open(
        path: &Path,
        family: &RuleFamily,
        effort: &MeasureLimits,
    ) -> io::Result<MeasureCheckpoint> {
        let head = Head::of(family, effort);
        let text = match greenwave_tablebase::read_text(path, LONGEST) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error),
        };
        let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
        let mut lines = whole.lines();
        let found = lines
            .next()
            .and_then(|line| serde_json::from_str(line).ok());
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        if found.as_ref() != Some(&head) {
            let mut file = File::create(path)?;
            writeln!(file, "{}", serde_json::to_string(&head)?)?;
            return Ok(MeasureCheckpoint {
                known: HashMap::new(),
                file,
            });
        }
        let known = lines.filter_map(|line| serde_json::from_str::<CheckpointLine>(line).ok());
        let known = known.map(|line| (line.rules_hash, line.measured)).collect();
        let file = OpenOptions::new().append(true).open(path)?;
        file.set_len(whole.len() as u64)?;
        Ok(MeasureCheckpoint { known, file })
    }

    /// Sets of rules that are there.
    pub(crate) fn len(&self) -> usize {
        self.known.len()
    }

    pub(crate) fn get(&self, rules_hash: &str) -> Option<&MeasuredGame> {
        self.known.get(rules_hash)
    }

    /// Keeps what was measured, in one write.
    pub(crate) fn add(&mut self, rules_hash: &str, measured: &MeasuredGame) -> io::Result<()> {
        let line = CheckpointLine {
            rules_hash: rules_hash.into(),
            measured: measured.clone(),
        };
        let text = serde_json::to_string(&line)? + "\n";
        self.file.write_all(text.as_bytes())
    }
}
