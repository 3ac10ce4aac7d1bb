//! Small games are solved once, in the background, and kept as long as the memory allows: whoever asks
//! first waits a moment, and is told how long it will take.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use greenwave_game::Variant;
use greenwave_tablebase::{Prospect, Tablebase};
use greenwave_values::{Progress, Unit};
use tokio::sync::watch;

use crate::explorer::{Explorer, locked};
use crate::problem::Problem;

/// Longest solve in the background, in seconds as estimated.
const LONGEST: f64 = 60.0;
/// How much longer than estimated it may take, on a machine that has other things to do.
const PATIENCE: u32 = 10;
/// What it may take anyway, in seconds.
const ANYWAY: f64 = 30.0;
/// What is quicker is solved by the question that needs it.
const QUICK: f64 = 0.25;
/// How long a question waits for it at most.
const MOMENT: Duration = Duration::from_secs(2);
/// Most variants of which it is known that they are not solved in the background.
const REMEMBERED: usize = 4096;

/// What is solved in the background: one variant at a time.
#[derive(Default)]
pub(crate) struct Ahead {
    now: Mutex<Now>,
    stopping: Arc<AtomicBool>,
}

#[derive(Default)]
struct Now {
    running: Option<Running>,
    // Rules of variants that take too much, or could not be solved.
    refused: HashSet<[u8; 32]>,
}

#[derive(Clone)]
struct Running {
    rules: [u8; 32],
    name: String,
    ends: Instant,
    seconds: f64,
    done: watch::Receiver<bool>,
}

/// A variant that is being solved, or waits for another that is.
#[derive(Clone, Debug)]
pub(crate) struct Coming {
    /// What is being solved.
    pub(crate) name: String,
    /// Seconds to go, roughly.
    pub(crate) seconds: u32,
    /// What a question may take that is not to wait for it.
    pub(crate) patience: Duration,
}

impl Coming {
    /// The answer to a question that cannot do without it.
    pub(crate) fn problem(&self) -> Problem {
        Problem::solving(&self.name, self.seconds)
    }
}

impl Ahead {
    /// Ends the work.
    pub(crate) fn stop(&self) {
        self.stopping.store(true, Ordering::Relaxed);
    }

    /// Begins to solve a variant, unless that is quick or takes too much; what is being solved then,
    /// which may be another one.
    fn begin(self: &Arc<Ahead>, tablebase: &Tablebase, variant: &Arc<Variant>) -> Option<Running> {
        let rules = variant.rules().hash.0;
        if locked(&self.now).refused.contains(&rules) || tablebase.is_at_hand(variant) {
            return None;
        }
        let prospect = tablebase.prospect(variant);
        let Some(Prospect { seconds, .. }) = prospect.filter(|one| one.seconds <= LONGEST) else {
            self.refuse(rules);
            return None;
        };
        if seconds < QUICK {
            return None;
        }
        let mut now = locked(&self.now);
        if let Some(running) = &now.running {
            return Some(running.clone());
        }
        let (tell, done) = watch::channel(false);
        let running = Running {
            rules,
            name: variant.rules().name.clone(),
            ends: Instant::now() + Duration::from_secs_f64(seconds),
            seconds,
            done,
        };
        let aside = tablebase
            .with_threads((tablebase.threads() / 2).max(1))
            .ok()?;
        let watch = Arc::new(Watch {
            stopping: Arc::clone(&self.stopping),
            deadline: Instant::now() + PATIENCE * Duration::from_secs_f64(seconds.max(ANYWAY)),
        });
        let (ahead, variant) = (Arc::clone(self), Arc::clone(variant));
        let started = std::thread::Builder::new().spawn(move || {
            let solved = aside.watched_by(watch).solve_ahead(&variant);
            if solved.is_err() {
                ahead.refuse(rules);
            }
            locked(&ahead.now).running = None;
            let _ = tell.send(true);
        });
        started.ok()?;
        now.running = Some(running.clone());
        Some(running)
    }

    fn refuse(&self, rules: [u8; 32]) {
        let mut now = locked(&self.now);
        if now.refused.len() >= REMEMBERED {
            now.refused.clear();
        }
        now.refused.insert(rules);
    }
}

impl Explorer {
    /// Sees to it that values of some variants are at hand soon, and waits a moment for them; what is
    /// still being solved, if anything is.
    pub(crate) async fn soon(self: &Arc<Explorer>, variants: &[Arc<Variant>]) -> Option<Coming> {
        let patience = Instant::now() + (self.settings.budget / 2).min(MOMENT);
        for variant in variants {
            if self.settings.tablebase.is_at_hand(variant) {
                continue;
            }
            let (explorer, asked) = (Arc::clone(self), Arc::clone(variant));
            let begun = tokio::task::spawn_blocking(move || {
                explorer.ahead.begin(&explorer.settings.tablebase, &asked)
            });
            let Ok(Some(mut running)) = begun.await else {
                continue;
            };
            if running.rules == variant.rules().hash.0 {
                let wait = patience.saturating_duration_since(Instant::now());
                let over = tokio::time::timeout(wait, running.done.wait_for(|done| *done)).await;
                if over.is_ok() {
                    continue;
                }
            }
            let left = running.ends.saturating_duration_since(Instant::now());
            return Some(Coming {
                seconds: (left.as_secs_f64().ceil() as u32).max(1),
                patience: Duration::from_secs_f64(0.9 * running.seconds.min(LONGEST)),
                name: running.name,
            });
        }
        None
    }

    /// The same for a question that cannot do without the values.
    pub(crate) async fn ready(
        self: &Arc<Explorer>,
        variants: &[Arc<Variant>],
    ) -> Result<(), Problem> {
        match self.soon(variants).await {
            Some(coming) => Err(coming.problem()),
            None => Ok(()),
        }
    }
}

/// Stops a solve when the program ends, or takes far more than was estimated.
struct Watch {
    stopping: Arc<AtomicBool>,
    deadline: Instant,
}

impl Progress for Watch {
    fn begin(&self, _stage: &str, _total: u64, _unit: Unit) {}

    fn advance(&self, _amount: u64) {}

    fn cancelled(&self) -> bool {
        self.stopping.load(Ordering::Relaxed) || Instant::now() >= self.deadline
    }
}
