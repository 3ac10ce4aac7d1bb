//! Progress as lines on standard error, from the first rank, and the wish to stop, which signals bring.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use greenwave_values::{Progress, Unit};

const EVERY: Duration = Duration::from_secs(30);

/// Writes a line now and then, unless it is to be quiet, and stops the work at the first signal; the second one ends
/// the process.
#[derive(Debug)]
pub(crate) struct LineProgress {
    state: Mutex<Option<StageProgress>>,
    quiet: bool,
    stop: Arc<AtomicBool>,
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
    pub(crate) fn new(quiet: bool) -> LineProgress {
        let stop = Arc::new(AtomicBool::new(false));
        #[cfg(unix)]
        for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
            use signal_hook::flag;
            // Without a handler the signal goes on ending the process.
            let _ = flag::register_conditional_shutdown(signal, 130, Arc::clone(&stop))
                .and_then(|_| flag::register(signal, Arc::clone(&stop)));
        }
        LineProgress {
            state: Mutex::default(),
            quiet,
            stop,
        }
    }

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
            if self.quiet || state.told.elapsed() < EVERY {
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
        if !self.quiet {
            eprintln!("going on from the checkpoint '{checkpoint}'");
        }
    }

    fn warn(&self, warning: &str) {
        if !self.quiet {
            eprintln!("warning: {warning}");
        }
    }

    fn cancelled(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
