//! Checkpoints that somebody has changed, with every hash right.

use std::fs;
use std::path::Path;

use greenwave_table::Hash32;

// Bytes of a part that are hashed at a time, together with the hash before them.
const CHUNK: usize = 1 << 20;

/// The parts that the state of a checkpoint lists.
#[must_use]
pub fn listed_parts(checkpoint: &Path) -> Vec<String> {
    let text = fs::read_to_string(checkpoint.join("state")).unwrap_or_default();
    let lines = text.lines().filter_map(|line| line.strip_prefix("part "));
    let names = lines.filter_map(|line| line.split(' ').next());
    names.map(str::to_string).collect()
}

/// Changes lines of the state of a checkpoint, with a seal and a checksum that are right. Whether it says
/// something else then.
///
/// # Panics
/// When there is no such checkpoint, or it cannot be written.
pub fn forge_state(checkpoint: &Path, change: impl Fn(&str) -> Option<String>) -> bool {
    let state = checkpoint.join("state");
    let text = fs::read_to_string(&state).unwrap_or_else(|error| panic!("{error}"));
    let (sealed, _) = text.rsplit_once("seal ").unwrap_or((&text, ""));
    let changed = sealed.lines().filter_map(change);
    let mut forged: String = changed.map(|line| line + "\n").collect();
    let is_other = forged != sealed;
    let seal = Hash32::of(format!("sealed {forged}").as_bytes());
    forged.push_str(&format!("seal {seal}\n"));
    let sum = Hash32::of(forged.as_bytes());
    let written = fs::write(state, format!("{forged}sum {sum}\n"));
    written.unwrap_or_else(|error| panic!("state: {error}"));
    is_other
}

/// Puts other bytes into a part of a checkpoint.
///
/// # Panics
/// When there is no such checkpoint, or it cannot be written.
pub fn forge_part(checkpoint: &Path, name: &str, bytes: &[u8]) {
    let mut hash = Hash32::default();
    for chunk in bytes.chunks(CHUNK) {
        hash = Hash32::of(&[chunk, &hash.0].concat());
    }
    let written = fs::write(checkpoint.join(name), bytes);
    written.unwrap_or_else(|error| panic!("{name}: {error}"));
    let own = format!("part {name} ");
    forge_state(checkpoint, |line| {
        let line = if line.starts_with(&own) {
            format!("{own}{} {hash}", bytes.len())
        } else {
            line.to_string()
        };
        Some(line)
    });
}
