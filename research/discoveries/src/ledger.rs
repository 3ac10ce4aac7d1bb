//! What the published tables took.

use std::path::Path;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A table that was solved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SolvedTable {
    /// The variant.
    pub variant: String,
    /// What the table tells of each position.
    pub metric: String,
    /// Positions of the index.
    pub positions: u64,
    /// Seconds of the solve.
    pub seconds: f64,
    /// Most bytes of memory in use.
    pub memory: u64,
    /// Bytes of the table; nothing where none was kept.
    pub bytes: Option<u64>,
    /// Its signature.
    pub signature: Option<String>,
    /// Day and commit.
    pub made: String,
}

/// Reads the summaries of a folder of published tables, in the order of their names.
///
/// # Errors
/// When the folder or a summary in it cannot be read.
pub fn solved(folder: &Path) -> Result<Vec<SolvedTable>> {
    let said = || folder.display().to_string();
    let mut summaries = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(said)? {
        let file = entry.with_context(said)?.path().join("summary.json");
        if file.exists() {
            summaries.push(file);
        }
    }
    summaries.sort();
    let mut found = Vec::new();
    for file in summaries {
        let said = || file.display().to_string();
        let text = std::fs::read_to_string(&file).with_context(said)?;
        let summary: Value = serde_json::from_str(&text).with_context(said)?;
        let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
        let made = &summary["made"];
        let made = format!("{}, {}", text(&made["day"]), text(&made["commit"]));
        for solve in summary["solved"].as_array().into_iter().flatten() {
            found.push(SolvedTable {
                variant: text(&summary["variant"]),
                metric: text(&solve["metric"]),
                positions: solve["positions"].as_u64().unwrap_or_default(),
                seconds: solve["seconds"].as_f64().unwrap_or_default(),
                memory: solve["peak_memory_bytes"].as_u64().unwrap_or_default(),
                bytes: solve["table_bytes"].as_u64(),
                signature: solve["signature"].as_str().map(str::to_string),
                made: made.clone(),
            });
        }
    }
    Ok(found)
}
