//! What the judge asks for: variants, tables read into memory, solutions made in memory.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use greenwave_game::{Metric, Variant, with_game};
use greenwave_judge::{Held, JudgeError, Library};
use greenwave_probe::{TableValues, load};
use greenwave_solver::{Progress, estimate, signature, solve};

use crate::chance::has_chance;
use crate::session::{Session, is_rule_file};

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

    fn fetch(&self, variant: &Variant, metric: Metric) -> Result<Held, JudgeError> {
        let session = self.session;
        let told = |error: anyhow::Error| JudgeError::Values(format!("{error:#}"));
        if has_chance(variant) {
            return Err(JudgeError::Values(format!(
                "{}: this question is about games without chance; 'query', 'line', 'stats' and \
                 'simulate' answer questions about this one",
                variant.rules().name
            )));
        }
        if let Some(table) = session.open_table(variant.rules(), metric).map_err(told)? {
            let values = with_game!(variant, game => {
                let values = TableValues::new(game, &table).map_err(|error| told(error.into()))?;
                load(&values, game).map_err(|error| told(error.into()))?
            });
            return Ok(Held {
                values,
                signature: table.meta().signature.to_string(),
            });
        }
        let plan = estimate(variant, metric)?;
        if plan.memory_bytes > u128::from(session.memory) {
            return Err(JudgeError::Values(format!(
                "solving {} for {metric} in memory needs {}, allowed are {}; give more with --memory",
                variant.rules().name,
                crate::output::bytes(plan.memory_bytes),
                crate::output::bytes(session.memory.into()),
            )));
        }
        let values = solve(variant, metric, session.memory, &session.progress)?;
        let signature = with_game!(variant, game => signature(game, &values)?);
        Ok(Held {
            values,
            signature: signature.to_string(),
        })
    }
}

impl Library for Shelf<'_> {
    fn variant(&self, name: &str) -> Result<Variant, JudgeError> {
        if is_rule_file(name) {
            let path = self.folder.join(name).display().to_string();
            let file = crate::session::rule_file(&path);
            return match file {
                Ok(file) => Ok(file.variant),
                Err(error) => Err(JudgeError::Values(format!("{error:#}"))),
            };
        }
        Ok(Variant::parse(name)?)
    }

    fn values(&self, variant: &Variant, metric: Metric) -> Result<Arc<Held>, JudgeError> {
        let key = (variant.rules().hash.0, metric);
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = held.get(&key) {
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
        &self.session.progress
    }
}
