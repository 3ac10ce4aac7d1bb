//! The search itself: every combination read, solved and measured, and the table of them.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use greenwave_game::{Fault, Variant, VariantError};
use greenwave_tablebase::{Error, ErrorKind, Tablebase};
use greenwave_values::{Progress, Unit};
use greenwave_words::Language;

use crate::checkpoint::MeasureCheckpoint;
use crate::{Combination, DesignError, MeasureLimits, MeasuredGame, Ranking, RuleFamily, measure};

/// A set of rules that was measured.
#[derive(Clone, Debug)]
pub struct MeasuredRules {
    /// Its name, keys and rule file.
    pub combination: Combination,
    /// Its game.
    pub variant: Variant,
    /// Its rules in words.
    pub words: String,
    /// Its value and measures.
    pub measured: MeasuredGame,
    /// Its rank, from 1 on.
    pub rank: u32,
    /// Whether no other set is as good in all that is wanted and better in something.
    pub pareto: bool,
}

/// A set of rules that is no game, or was not measured.
#[derive(Clone, Debug)]
pub struct RefusedRules {
    /// Its name, keys and rule file.
    pub combination: Combination,
    /// Why.
    pub error: String,
}

/// What a search found.
#[derive(Clone, Debug, Default)]
pub struct DesignTable {
    /// The sets that were measured, the best first.
    pub rows: Vec<MeasuredRules>,
    /// The others, in their order.
    pub refused: Vec<RefusedRules>,
}

/// Measures every combination of a family and orders them. The file `checkpoint` keeps the
/// measures, so that the same search can resume.
///
/// # Errors
/// When the family has no combination, a table is damaged, and when the work is cancelled.
pub fn search(
    tablebase: &Tablebase,
    family: &RuleFamily,
    effort: &MeasureLimits,
    ranking: &Ranking,
    checkpoint: &Path,
) -> Result<DesignTable, DesignError> {
    let combinations = family.combinations()?;
    let progress = tablebase.progress();
    let mut kept = MeasureCheckpoint::open(checkpoint, family, effort)
        .inspect_err(|cause| {
            let path = checkpoint.display();
            progress.warn(&format!(
                "no checkpoint can be kept in '{path}' ({cause}), so a search that is stopped begins anew"
            ));
        })
        .ok();
    if kept.as_ref().is_some_and(|kept| kept.len() > 0) {
        progress.resumes(&checkpoint.display().to_string());
    }
    let quiet = tablebase.watched_by(Arc::new(QuietProgress(tablebase.clone())));
    progress.begin(
        "measuring sets of rules",
        combinations.len() as u64,
        Unit::Games,
    );
    let mut table = DesignTable::default();
    // By the hash of the rules, the name of the set that has them.
    let mut names: HashMap<String, String> = HashMap::new();
    for combination in combinations {
        if progress.cancelled() {
            return Err(Error::interrupted().into());
        }
        match measured(&quiet, &combination, effort, &mut kept, &mut names)? {
            Ok((variant, measured)) => table.rows.push(MeasuredRules {
                words: Language::English.rules(&variant).join(" "),
                combination,
                variant,
                measured,
                rank: 0,
                pareto: false,
            }),
            Err(error) => table.refused.push(RefusedRules { combination, error }),
        }
        progress.advance(1);
    }
    progress.end();
    let places = ranking.order(
        &table
            .rows
            .iter()
            .map(|row| &row.measured)
            .collect::<Vec<_>>(),
    );
    let mut rows: Vec<Option<MeasuredRules>> = table.rows.into_iter().map(Some).collect();
    let ranked = places.into_iter().filter_map(|place| {
        let row = rows[place.index].take()?;
        Some(MeasuredRules {
            rank: place.rank,
            pareto: place.pareto,
            ..row
        })
    });
    table.rows = ranked.collect();
    Ok(table)
}

/// A set of rules measured, or why it is not.
fn measured(
    tablebase: &Tablebase,
    combination: &Combination,
    effort: &MeasureLimits,
    kept: &mut Option<MeasureCheckpoint>,
    names: &mut HashMap<String, String>,
) -> Result<Result<(Variant, MeasuredGame), String>, DesignError> {
    let variant = match combination.variant() {
        Ok(variant) => variant,
        Err(VariantError::File { faults, .. }) => {
            let faults: Vec<String> = faults.iter().map(without_line).collect();
            return Ok(Err(faults.join("; ")));
        }
        Err(error) => return Ok(Err(error.to_string())),
    };
    let hash = variant.rules().hash.to_string();
    if let Some(name) = names.get(&hash) {
        return Ok(Err(format!("the same game as {name}")));
    }
    names.insert(hash.clone(), combination.name.clone());
    if let Some(known) = kept.as_ref().and_then(|kept| kept.get(&hash)) {
        return Ok(Ok((variant, known.clone())));
    }
    match measure(tablebase, &variant, effort) {
        Ok(measured) => {
            if let Some(open) = kept
                && let Err(cause) = open.add(&hash, &measured)
            {
                let progress = tablebase.progress();
                progress.warn(&format!("the checkpoint cannot be written ({cause})"));
                *kept = None;
            }
            Ok(Ok((variant, measured)))
        }
        Err(DesignError::Refused(reason)) => Ok(Err(reason)),
        Err(DesignError::Tablebase(error))
            if matches!(error.kind(), ErrorKind::Input | ErrorKind::Memory) =>
        {
            Ok(Err(error.to_string()))
        }
        Err(error) => Err(error),
    }
}

/// A fault by its key: the lines are those of a file that was made, and nobody sees them.
fn without_line(fault: &Fault) -> String {
    match &fault.key {
        Some(key) => format!("key '{key}': {}", fault.problem),
        None => fault.to_string(),
    }
}

/// Passes on whether to stop, and warnings; the search tells its own progress.
struct QuietProgress(Tablebase);

impl Progress for QuietProgress {
    fn begin(&self, _stage: &str, _total: u64, _unit: Unit) {}

    fn advance(&self, _amount: u64) {}

    fn warn(&self, warning: &str) {
        self.0.progress().warn(warning);
    }

    fn cancelled(&self) -> bool {
        self.0.progress().cancelled()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use greenwave_tablebase::Settings;

    use super::*;

    const TEXT: &str = "patterns = ['111']\nboard.size = '1x3'\n[vary]\nplay = ['normal', 'misere', 'odd']\n\
                        board.levels = [1, 2]\nlights = ['ryg', 'gyr']\n";

    fn tablebase(progress: Arc<dyn Progress + Send + Sync>) -> Tablebase {
        let settings = Settings {
            memory: Some(1 << 28),
            threads: Some(1),
        };
        let tablebase = Tablebase::with_settings("no-such-folder", &settings).unwrap();
        tablebase.watched_by(progress)
    }

    fn found(
        progress: Arc<dyn Progress + Send + Sync>,
        checkpoint: &Path,
    ) -> Result<DesignTable, DesignError> {
        let family = RuleFamily::read("row.toml", TEXT)?;
        let effort = MeasureLimits {
            games: 50,
            ..MeasureLimits::default()
        };
        let ranking = Ranking::parse("length, then balance")?;
        search(&tablebase(progress), &family, &effort, &ranking, checkpoint)
    }

    fn shown(table: &DesignTable) -> Vec<String> {
        let rows = table.rows.iter();
        rows.map(|row| {
            format!(
                "{} {} {} {:?}",
                row.rank, row.pareto, row.combination.name, row.measured
            )
        })
        .collect()
    }

    /// Stops after some sets of rules, and counts what was resumed from.
    #[derive(Default)]
    struct Stop {
        after: u64,
        done: AtomicU64,
        resumed: AtomicU64,
    }

    impl Progress for Stop {
        fn begin(&self, _: &str, _: u64, _: Unit) {}

        fn advance(&self, more: u64) {
            self.done.fetch_add(more, Ordering::Relaxed);
        }

        fn resumes(&self, _: &str) {
            self.resumed.fetch_add(1, Ordering::Relaxed);
        }

        fn cancelled(&self) -> bool {
            self.after > 0 && self.done.load(Ordering::Relaxed) >= self.after
        }
    }

    #[test]
    fn what_is_refused_is_listed_and_the_rest_is_ranked() {
        let dir = tempfile::tempdir().unwrap();
        let table = found(Arc::new(Stop::default()), &dir.path().join("a")).unwrap();
        assert_eq!(table.rows.len() + table.refused.len(), 12);
        let reasons = |part: &str| {
            let refused = table.refused.iter();
            refused
                .filter(|refused| refused.error.contains(part))
                .count()
        };
        // The order of the lights is no rule, and there is no way to play called so.
        assert_eq!(
            (reasons("the same game as row-"), reasons("found 'odd'")),
            (4, 4)
        );
        let ranks: Vec<u32> = table.rows.iter().map(|row| row.rank).collect();
        assert!(
            ranks.is_sorted() && ranks[0] == 1 && table.rows[0].pareto,
            "{ranks:?}"
        );
        assert!(table.rows.iter().all(|row| !row.words.is_empty()));
    }

    #[test]
    fn a_search_that_was_stopped_resumes_with_the_same_table() {
        let dir = tempfile::tempdir().unwrap();
        let whole = found(Arc::new(Stop::default()), &dir.path().join("whole")).unwrap();
        let path = dir.path().join("stopped");
        let stop = Arc::new(Stop {
            after: 3,
            ..Stop::default()
        });
        assert!(found(stop, &path).unwrap_err().is_interrupted());
        // A line that was cut off is measured again.
        let kept = std::fs::read_to_string(&path).unwrap();
        assert!(kept.lines().count() > 1, "{kept}");
        std::fs::write(&path, format!("{kept}{{\"rules_hash\":\"00")).unwrap();
        let progress = Arc::new(Stop::default());
        let resumed = found(Arc::clone(&progress) as _, &path).unwrap();
        assert_eq!(progress.resumed.load(Ordering::Relaxed), 1);
        assert_eq!(shown(&resumed), shown(&whole));
        // The file holds the same measures as a search without it finds.
        let again = found(Arc::new(Stop::default()), &path).unwrap();
        assert_eq!(shown(&again), shown(&whole));
        // A file of another search is started anew.
        std::fs::write(&path, "something else\n").unwrap();
        let anew = found(Arc::new(Stop::default()), &path).unwrap();
        assert_eq!(shown(&anew), shown(&whole));
    }

    #[test]
    fn a_checkpoint_that_cannot_be_written_stops_no_search() {
        let dir = tempfile::tempdir().unwrap();
        let table = found(Arc::new(Stop::default()), dir.path()).unwrap();
        assert!(!table.rows.is_empty());
    }
}
