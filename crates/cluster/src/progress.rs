//! Progress as lines on standard error, from the first rank.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use greenwave_values::{Progress, Unit};

const EVERY: Duration = Duration::from_secs(30);

/// Writes a line now and then.
#[derive(Debug, Default)]
pub(crate) struct LineProgress {
    state: Mutex<Option<StageProgress>>,
}

#[derive(Debug)]
struct StageProgress {
    stage: String,
    total: u64,
    done: u64,
    begun: Instant,
    told: Instant,
}

impl LineProgress {
    fn with<T>(&self, work: impl FnOnce(&mut Option<StageProgress>) -> T) -> T {
        work(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Progress for LineProgress {
    fn begin(&self, stage: &str, total: u64, _unit: Unit) {
        let now = Instant::now();
        self.with(|state| {
            *state = Some(StageProgress {
                stage: stage.into(),
                total,
                done: 0,
                begun: now,
                told: now,
            });
        });
    }

    fn advance(&self, amount: u64) {
        self.with(|state| {
            let Some(state) = state else { return };
            state.done += amount;
            if state.told.elapsed() < EVERY {
                return;
            }
            state.told = Instant::now();
            let part = state.done as f64 / state.total.max(1) as f64;
            let passed = state.begun.elapsed().as_secs_f64();
            let rest = passed * (1.0 / part.max(1e-9) - 1.0);
            eprintln!(
                "{}: {:.1} % of rank 0, {passed:.0} s, about {:.0} s left",
                state.stage,
                100.0 * part.min(1.0),
                rest.max(0.0)
            );
        });
    }

    fn resumes(&self, checkpoint: &str) {
        eprintln!("going on from the checkpoint '{checkpoint}'");
    }

    fn warn(&self, warning: &str) {
        eprintln!("warning: {warning}");
    }
}
