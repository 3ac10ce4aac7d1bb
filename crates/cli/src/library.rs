//! What the judge asks for: variants, tables read into memory, solutions made in memory.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use greenwave_game::{Dense, Metric, Packing, Variant, with_game};
use greenwave_judge::{Held, JudgeError, Library};
use greenwave_solver::{SolveError, estimate, solve};
use greenwave_tablebase::{is_rule_file, read_rule_file};
use greenwave_values::{Progress, TableValues, load};

use crate::chance::{self, has_chance};
use crate::session::Session;

/// Rules hash and metric.
type Key = ([u8; 32], Metric);

/// Values of one command, each read or solved once.
pub(crate) struct Shelf<'s> {
    session: &'s Session,
    // Where relative names of rule files begin.
    folder: PathBuf,
    held: Mutex<HashMap<Key, Arc<Held>>>,
}

impl<'s> Shelf<'s> {
    pub(crate) fn new(session: &'s Session, folder: PathBuf) -> Shelf<'s> {
        Shelf {
            session,
            folder,
            held: Mutex::default(),
        }
    }

    fn fits(&self, variant: &Variant, metric: Metric, needed: u128) -> Result<(), SolveError> {
        if needed <= self.session.memory.into() {
            return Ok(());
        }
        Err(SolveError::Memory {
            variant: variant.rules().name.clone(),
            metric,
            needed,
            allowed: self.session.memory,
        })
    }

    fn fetch(&self, variant: &Variant, metric: Metric) -> Result<Held, JudgeError> {
        let session = self.session;
        let told = |error: anyhow::Error| match error.downcast() {
            Ok(error) => JudgeError::Solve(error),
            Err(error) => JudgeError::Values(format!("{error:#}")),
        };
        let rules = variant.rules();
        let mut table = session.open_table(rules, metric).map_err(told)?;
        if has_chance(variant) {
            let needed = chance::memory(session, variant).map_err(told)?;
            self.fits(variant, metric, needed)?;
            let odds = chance::in_memory(session, variant).map_err(told)?;
            let signature = table.map(|table| table.meta().signature.to_string());
            return Ok(Held::new(odds, signature));
        }
        if table.is_none() && metric == Metric::Value {
            table = session
                .open_table(rules, rules.default_metric)
                .map_err(told)?;
        }
        if let Some(table) = table {
            let needed = with_game!(variant, game => loaded_bytes(game, metric));
            self.fits(variant, metric, needed)?;
            let values = with_game!(variant, game => {
                let values = TableValues::new(game, &table).map_err(|error| told(error.into()))?;
                load(&values, game).map_err(|error| told(error.into()))?
            });
            return Ok(Held::new(values, Some(table.meta().signature.to_string())));
        }
        let plan = estimate(variant, metric)?;
        self.fits(variant, metric, plan.memory_bytes)?;
        let values = solve(variant, metric, session.memory, &*session.progress)?;
        Ok(Held::new(values, None))
    }
}

/// Bytes that all values of a game take in memory.
fn loaded_bytes<G: Dense>(game: &G, metric: Metric) -> u128 {
    let each = match (game.packing(metric), metric) {
        (Packing::Listed, _) => size_of::<(u64, u16)>() as u128,
        (_, Metric::Points) => 2,
        _ => 1,
    };
    game.expected_positions() * each
}

impl Library for Shelf<'_> {
    fn variant(&self, name: &str) -> Result<Variant, JudgeError> {
        if is_rule_file(name) {
            let path = self.folder.join(name).display().to_string();
            return match read_rule_file(&path) {
                Ok(file) => Ok(file.variant),
                Err(error) => Err(JudgeError::Values(error.to_string())),
            };
        }
        Ok(Variant::parse(name)?)
    }

    fn values(&self, variant: &Variant, metric: Metric) -> Result<Arc<Held>, JudgeError> {
        let key = (variant.rules().hash.0, metric);
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let default = (key.0, variant.rules().default_metric);
        let known = held
            .get(&key)
            .or_else(|| held.get(&default).filter(|_| metric == Metric::Value));
        if let Some(known) = known {
            return Ok(known.clone());
        }
        let fetched = Arc::new(self.fetch(variant, metric)?);
        held.insert(key, fetched.clone());
        Ok(fetched)
    }

    fn memory(&self) -> u64 {
        self.session.memory
    }

    fn progress(&self) -> &dyn Progress {
        &*self.session.progress
    }
}
