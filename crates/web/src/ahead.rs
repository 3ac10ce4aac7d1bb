//! Small games are solved once, in the background, and kept as long as the memory allows: whoever asks
//! first waits a moment, and is told how long it will take. Where nobody waits, and who was told to ask
//! again does not come back, the solve is stopped.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use greenwave_game::Variant;
use greenwave_tablebase::{Prospect, Tablebase};
use greenwave_values::{Instant, Progress, Unit};
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
/// How much later than told a client may come back.
const GRACE: Duration = Duration::from_secs(15);
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
    wanted: Arc<Wanted>,
}

/// Who wants what is being solved.
#[derive(Default)]
struct Wanted {
    /// Clients that wait for it now.
    waiting: AtomicUsize,
    /// When the last of those who were told to ask again should have done so.
    until: Mutex<Option<Instant>>,
}

impl Wanted {
    /// One more client waits, until the guard is dropped.
    fn waits(self: &Arc<Wanted>) -> Waiting {
        self.waiting.fetch_add(1, Ordering::Relaxed);
        Waiting(Arc::clone(self))
    }

    fn is_over(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) == 0
            && locked(&self.until).is_none_or(|until| Instant::now() >= until)
    }

    /// A client has been told to ask again after so long.
    fn comes_back_in(&self, time: Duration) {
        let back = Instant::now() + time + GRACE;
        let mut until = locked(&self.until);
        *until = Some(until.map_or(back, |until| until.max(back)));
    }
}

/// A client that waits.
struct Waiting(Arc<Wanted>);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::Relaxed);
    }
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
    /// which may be another one, and a guard for who waits for it.
    fn begin(
        self: &Arc<Ahead>,
        tablebase: &Tablebase,
        variant: &Arc<Variant>,
    ) -> Option<(Running, Waiting)> {
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
            return Some((running.clone(), running.wanted.waits()));
        }
        let (tell, done) = watch::channel(false);
        let running = Running {
            rules,
            name: variant.rules().name.clone(),
            ends: Instant::now() + Duration::from_secs_f64(seconds),
            seconds,
            done,
            wanted: Arc::default(),
        };
        let waiting = running.wanted.waits();
        let aside = tablebase
            .with_threads((tablebase.threads() / 2).max(1))
            .ok()?;
        let watch = Arc::new(Watch {
            stopping: Arc::clone(&self.stopping),
            wanted: Arc::clone(&running.wanted),
            deadline: Instant::now() + PATIENCE * Duration::from_secs_f64(seconds.max(ANYWAY)),
        });
        let (ahead, variant) = (Arc::clone(self), Arc::clone(variant));
        let started = std::thread::Builder::new().spawn(move || {
            let solved = aside.watched_by(watch.clone()).solve_ahead(&variant);
            // What nobody wanted any more may be wanted again.
            if solved.is_err() && !watch.wanted.is_over() {
                ahead.refuse(rules);
            }
            locked(&ahead.now).running = None;
            let _ = tell.send(true);
        });
        started.ok()?;
        now.running = Some(running.clone());
        Some((running, waiting))
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
        if self.in_folder {
            // There is nobody who could solve meanwhile: the question itself does.
            return None;
        }
        let patience = Instant::now() + (self.settings.budget / 2).min(MOMENT);
        for variant in variants {
            if self.settings.tablebase.is_at_hand(variant) {
                continue;
            }
            let (explorer, asked) = (Arc::clone(self), Arc::clone(variant));
            let begun = tokio::task::spawn_blocking(move || {
                explorer.ahead.begin(&explorer.settings.tablebase, &asked)
            });
            // Where the client goes, the guard goes too.
            let Ok(Some((mut running, _waiting))) = begun.await else {
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
            running.wanted.comes_back_in(left);
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

/// Stops a solve when the program ends, nobody wants it any more, or it takes far more than was
/// estimated.
struct Watch {
    stopping: Arc<AtomicBool>,
    wanted: Arc<Wanted>,
    deadline: Instant,
}

impl Progress for Watch {
    fn begin(&self, _stage: &str, _total: u64, _unit: Unit) {}

    fn advance(&self, _amount: u64) {}

    fn cancelled(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
            || self.wanted.is_over()
            || Instant::now() >= self.deadline
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_solve_is_stopped_when_nobody_waits_or_comes_back() {
        let wanted = Arc::new(Wanted::default());
        assert!(wanted.is_over());
        let [one, other] = [wanted.waits(), wanted.waits()];
        drop(one);
        assert!(!wanted.is_over());
        drop(other);
        assert!(wanted.is_over());
        wanted.comes_back_in(Duration::from_secs(1));
        assert!(!wanted.is_over());
        *locked(&wanted.until) = Some(Instant::now());
        assert!(wanted.is_over());
    }

    #[test]
    fn what_was_stopped_because_its_client_went_can_be_asked_for_again() {
        let tablebase = Tablebase::open("no-such-folder").unwrap();
        let variant = Arc::new(Variant::parse("slider:score=win").unwrap());
        let ahead = Arc::new(Ahead::default());
        for _ in 0..2 {
            let (mut running, waiting) = ahead.begin(&tablebase, &variant).unwrap();
            drop(waiting);
            let patience = Instant::now() + Duration::from_secs(60);
            while !*running.done.borrow_and_update() {
                assert!(Instant::now() < patience, "the solve goes on");
                std::thread::sleep(Duration::from_millis(10));
            }
            assert!(!tablebase.is_at_hand(&variant));
        }
    }
}
