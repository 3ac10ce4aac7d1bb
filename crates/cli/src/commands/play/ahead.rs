//! The program's next reply, worked out while a person thinks.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use greenwave_game::At;
use greenwave_tablebase::{Error, ErrorKind, SweepAhead, Tablebase};
use greenwave_values::{Progress, Unit};

/// Longest sweep for one reply, in seconds as estimated.
const LONGEST: f64 = 120.0;
/// How often whoever waits for it looks how far it is.
const LOOK: Duration = Duration::from_millis(20);

/// A sweep of what a position can become in which a person is to move.
pub(super) struct ReplyAhead {
    work: Arc<ReplyWork>,
    thread: Option<JoinHandle<()>>,
    is_told: bool,
}

/// How far the sweep is, and whether it is to stop.
#[derive(Default)]
struct ReplyWork {
    stopped: AtomicBool,
    /// Whether the values are there: distances may follow, for which nobody waits.
    has_values: AtomicBool,
    /// Each stage has a number, its amount of work and its unit.
    stage: Mutex<Option<(u64, u64, Unit)>>,
    done: AtomicU64,
}

impl ReplyWork {
    fn stage(&self) -> Option<(u64, u64, Unit)> {
        *self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Progress for ReplyWork {
    fn begin(&self, _stage: &str, total: u64, unit: Unit) {
        let number = self.stage().map_or(0, |(number, ..)| number + 1);
        let mut stage = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        *stage = Some((number, total, unit));
        self.done.store(0, Ordering::Relaxed);
    }

    fn advance(&self, amount: u64) {
        self.done.fetch_add(amount, Ordering::Relaxed);
    }

    fn cancelled(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
}

impl ReplyAhead {
    /// Begins with the position in which a person is to move.
    pub(super) fn begin(tablebase: &Tablebase, here: At) -> ReplyAhead {
        let work = Arc::new(ReplyWork::default());
        // Threads of its own, so that hints do not wait for it.
        let aside = tablebase.with_threads(tablebase.threads());
        let aside = aside.unwrap_or_else(|_| tablebase.clone());
        let aside = aside.watched_by(Arc::clone(&work) as _);
        // Replies to every move are to be known, and what follows on them.
        let ahead = |default_metric| SweepAhead {
            plies: 2,
            default_metric,
            seconds: LONGEST,
        };
        let told = Arc::clone(&work);
        let thread = std::thread::Builder::new().spawn(move || {
            // What it could not do, the question about the reply does or tells.
            let _ = aside.sweep_ahead(&here, ahead(false));
            told.has_values.store(true, Ordering::Relaxed);
            let _ = aside.sweep_ahead(&here, ahead(true));
        });
        ReplyAhead {
            work,
            thread: thread.ok(),
            is_told: false,
        }
    }

    /// Whether the reply is known, as far as the sweep tells it.
    pub(super) fn is_done(&self) -> bool {
        self.work.has_values.load(Ordering::Relaxed) || self.has_ended()
    }

    fn has_ended(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Whether all of it is done, and it has not said so before.
    pub(super) fn has_just_ended(&mut self) -> bool {
        let is_new = self.has_ended() && !self.is_told;
        self.is_told |= is_new;
        is_new
    }

    /// The share of its present stage that is done, from 0 to 1.
    pub(super) fn share(&self) -> f64 {
        let done = self.work.done.load(Ordering::Relaxed);
        let stage = self.work.stage();
        stage.map_or(0.0, |(_, total, _)| {
            (done as f64 / total.max(1) as f64).min(1.0)
        })
    }

    /// Waits until it is done or whoever listens has it stopped; they hear how far it is.
    pub(super) fn wait(self, listener: &dyn Progress) {
        let mut heard: Option<(u64, u64)> = None;
        while !self.is_done() && !listener.cancelled() {
            if let Some((number, total, unit)) = self.work.stage() {
                let before = match heard {
                    Some((stage, before)) if stage == number => before,
                    other => {
                        if other.is_some() {
                            listener.end();
                        }
                        listener.begin("preparing the reply", total, unit);
                        0
                    }
                };
                let done = self.work.done.load(Ordering::Relaxed).max(before);
                listener.advance(done - before);
                heard = Some((number, done));
            }
            std::thread::sleep(LOOK);
        }
        if heard.is_some() {
            listener.end();
        }
    }
}

impl Drop for ReplyAhead {
    fn drop(&mut self) {
        self.work.stopped.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Sweeps what a position can become in which the program is to move, unless its best move is known.
pub(super) fn settle_reply(tablebase: &Tablebase, here: &At) -> Result<(), Error> {
    let ahead = SweepAhead {
        plies: 1,
        default_metric: false,
        seconds: LONGEST,
    };
    match tablebase.sweep_ahead(here, ahead) {
        // Whoever stops it is told so by the loop of the game.
        Err(error) if error.kind() != ErrorKind::Interrupted => Err(error),
        Ok(_) | Err(_) => Ok(()),
    }
}
