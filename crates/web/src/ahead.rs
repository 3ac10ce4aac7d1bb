//! The server solves small games once, in the background, and keeps them as long as the memory
//! allows: the first client waits a moment, and the answer shows the time left. Other work that
//! takes longer than one question may is done there, too. If no client waits, and none comes back
//! to retry, the work stops.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use greenwave_game::{At, Variant};
use greenwave_tablebase::{ErrorKind, Prospect, SweepAhead, Tablebase};
use greenwave_values::{Instant, Progress, Unit};
use tokio::sync::watch;

use crate::client::Client;
use crate::lock::locked;
use crate::problem::{Problem, WorkProgress};

/// Longest solve in the background, in seconds as estimated.
const LONGEST: f64 = 60.0;
/// How much longer than estimated it may take, on a machine that has other things to do.
const PATIENCE: u32 = 10;
/// What it may take anyway, in seconds.
const ANYWAY: f64 = 30.0;
/// A quicker solve runs in the question that needs it.
pub(crate) const QUICK: f64 = 0.25;
/// What a sweep in the background is for: a position and its moves.
const MOVES: SweepAhead = SweepAhead {
    plies: 1,
    default_metric: true,
    seconds: LONGEST,
};
/// Longest wait of a question for it.
pub(crate) const MOMENT: Duration = Duration::from_secs(2);
/// Longest delay of a client after the announced time. A page that has gone stops its work in ten seconds.
const GRACE: Duration = Duration::from_secs(7);
/// Seconds until a retry, for work of unknown length.
const SOON: u32 = 5;
/// Delay of a client that came before the solve was planned.
const SHORTLY: Duration = Duration::from_secs(1);
/// Most things of which it is known that they are not done in the background.
const REMEMBERED: usize = 4096;

/// What is done in the background: one thing at a time.
#[derive(Default)]
pub(crate) struct Background {
    now: Mutex<BackgroundTasks>,
    stopping: Arc<AtomicBool>,
}

#[derive(Default)]
struct BackgroundTasks {
    running: Option<RunningTask>,
    // What takes too much, or could not be done.
    refused: HashSet<String>,
}

#[derive(Clone)]
struct RunningTask {
    key: String,
    name: String,
    is_solve: bool,
    work: Arc<WorkMeter>,
    done: watch::Receiver<bool>,
    wanted: Arc<WaitingClients>,
}

/// How far something is, and how long it will still take.
struct WorkMeter {
    began: Instant,
    /// Seconds that were expected, where they were.
    expected: Option<f64>,
    stage: Mutex<WorkStage>,
    done: AtomicU64,
}

/// A part of the work whose extent is known.
struct WorkStage {
    began: Instant,
    total: u64,
}

impl WorkMeter {
    fn of(expected: Option<f64>) -> WorkMeter {
        let began = Instant::now();
        WorkMeter {
            began,
            expected,
            stage: Mutex::new(WorkStage { began, total: 0 }),
            done: AtomicU64::new(0),
        }
    }

    fn begin(&self, total: u64) {
        let mut stage = locked(&self.stage);
        *stage = WorkStage {
            began: Instant::now(),
            total,
        };
        self.done.store(0, Ordering::Relaxed);
    }

    /// Seconds to go: by the pace of the stage that is under way once enough of it is done, and no
    /// less than was expected before. Work that takes longer than expected may take as long again.
    fn seconds_left(&self) -> f64 {
        let elapsed = self.began.elapsed().as_secs_f64();
        let expected = self.expected.map(|expected| expected - elapsed);
        let stage = locked(&self.stage);
        let done = self.done.load(Ordering::Relaxed).min(stage.total) as f64;
        let share = done / (stage.total as f64).max(1.0);
        let by_pace = (share >= 0.02).then(|| {
            let took = stage.began.elapsed().as_secs_f64();
            took * (1.0 - share) / share
        });
        match (by_pace, expected) {
            (Some(pace), Some(expected)) => pace.max(expected),
            (Some(pace), None) => pace,
            (None, Some(expected)) if expected > 0.0 => expected,
            (None, Some(_)) => elapsed,
            (None, None) => elapsed.max(f64::from(SOON)),
        }
    }

    /// The share that is done, from 0 to 1.
    fn share(&self) -> f64 {
        let elapsed = self.began.elapsed().as_secs_f64();
        let share = elapsed / (elapsed + self.seconds_left()).max(f64::MIN_POSITIVE);
        (share.clamp(0.0, 1.0) * 1000.0).round() / 1000.0
    }
}

/// Something to be done in the background.
pub(crate) struct BackgroundTask {
    key: String,
    name: String,
    is_solve: bool,
    /// Seconds, roughly, where that is known.
    seconds: Option<f64>,
    /// Whether it is done, or could be at another time; not where it was stopped, or cannot be.
    run: Box<dyn FnOnce(&Tablebase) -> bool + Send>,
}

impl BackgroundTask {
    /// A variant to be solved.
    fn solving(variant: &Arc<Variant>, seconds: f64) -> BackgroundTask {
        let asked = Arc::clone(variant);
        BackgroundTask {
            key: key_of(variant),
            name: variant.rules().title().to_string(),
            is_solve: true,
            seconds: Some(seconds),
            // A solve starts only where the memory allows it: other questions have it just now.
            run: Box::new(move |tablebase| match tablebase.solve_ahead(&asked) {
                Ok(()) => true,
                Err(error) => error.kind() == ErrorKind::Memory,
            }),
        }
    }

    /// A position of which all that it can become is to be swept.
    fn sweeping(at: &At, seconds: f64) -> BackgroundTask {
        let asked = at.clone();
        BackgroundTask {
            key: key_of_sweep(at),
            name: name_of_sweep(at),
            is_solve: false,
            seconds: Some(seconds),
            run: Box::new(move |tablebase| tablebase.sweep_ahead(&asked, MOVES).is_ok()),
        }
    }

    /// Other work, told apart by its key and called by its name.
    pub(crate) fn working(
        key: String,
        name: String,
        run: impl FnOnce(&Tablebase) -> bool + Send + 'static,
    ) -> BackgroundTask {
        BackgroundTask {
            key,
            name,
            is_solve: false,
            seconds: None,
            run: Box::new(run),
        }
    }
}

pub(crate) fn key_of(variant: &Variant) -> String {
    variant.rules().hash.to_string()
}

pub(crate) fn key_of_sweep(at: &At) -> String {
    format!("{} {}", key_of(at.variant()), at.text())
}

pub(crate) fn name_of_sweep(at: &At) -> String {
    format!("{} at {}", at.variant().rules().title(), at.text())
}

/// The clients that wait for the work.
#[derive(Default)]
struct WaitingClients {
    /// Clients that wait for it now.
    waiting: AtomicUsize,
    /// When the last of those who were told to ask again should have done so.
    until: Mutex<Option<Instant>>,
}

impl WaitingClients {
    /// One more client waits, until the guard is dropped.
    fn waits(self: &Arc<WaitingClients>) -> WaitingClient {
        self.waiting.fetch_add(1, Ordering::Relaxed);
        WaitingClient(Arc::clone(self))
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
struct WaitingClient(Arc<WaitingClients>);

impl Drop for WaitingClient {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

/// What a client waits for. Where the client goes, this goes too.
pub(crate) struct Wait {
    asked: String,
    running: RunningTask,
    _waiting: WaitingClient,
}

impl Wait {
    fn new(asked: String, running: RunningTask) -> Wait {
        Wait {
            asked,
            _waiting: running.wanted.waits(),
            running,
        }
    }

    /// The client comes back in a while.
    pub(crate) fn comes_back(&self) {
        self.running.wanted.comes_back_in(SHORTLY);
    }

    /// Whether it is for the work of this key, and not for other work before that.
    pub(crate) fn is_for(&self, key: &str) -> bool {
        self.running.key == key
    }

    /// Whether it is for the work of this key, which ends within some seconds.
    pub(crate) fn ends_soon(&self, key: &str, seconds: f64) -> bool {
        self.is_for(key) && self.running.work.seconds_left() <= seconds
    }

    /// Waits until it is done, or a time has come; whether it is done.
    pub(crate) async fn over(&mut self, until: Instant) -> bool {
        let left = until.saturating_duration_since(Instant::now());
        let done = self.running.done.wait_for(|done| *done);
        tokio::time::timeout(left, done).await.is_ok()
    }

    /// The message for a client that should retry.
    pub(crate) fn told(&self, client: Client) -> PendingWork {
        let left = (self.running.work.seconds_left().ceil() as u32).max(1);
        let back = client.comes_back_after(left);
        self.running.wanted.comes_back_in(back);
        PendingWork {
            name: self.asked.clone(),
            after: (self.running.name != self.asked).then(|| self.running.name.clone()),
            is_solve: self.running.is_solve,
            pending: WorkProgress {
                share: self.running.work.share(),
                seconds: left,
            },
            patience: Duration::from_secs_f64(0.9 * LONGEST.min(f64::from(left))),
            has_begun: true,
        }
    }
}

/// Something that is being done, or waits for something else that is.
#[derive(Clone, Debug)]
pub(crate) struct PendingWork {
    /// What was requested.
    name: String,
    /// What is being done first.
    after: Option<String>,
    is_solve: bool,
    /// How far it is.
    pub(crate) pending: WorkProgress,
    /// The time limit of a question that does not wait for it.
    pub(crate) patience: Duration,
    /// Whether it has begun: else it is being planned.
    pub(crate) has_begun: bool,
}

impl PendingWork {
    /// Work that is still being planned.
    pub(crate) fn planned(name: String) -> PendingWork {
        PendingWork {
            name,
            after: None,
            is_solve: false,
            pending: WorkProgress {
                share: 0.0,
                seconds: SHORTLY.as_secs() as u32,
            },
            patience: SHORTLY,
            has_begun: false,
        }
    }

    /// The answer to a question that cannot do without it.
    pub(crate) fn problem(&self) -> Problem {
        let PendingWork { name, pending, .. } = self;
        let seconds = pending.seconds;
        let message = match (&self.after, self.is_solve) {
            (None, true) => {
                format!(
                    "{name} is being solved, which takes about {seconds} s more; ask again then"
                )
            }
            (None, false) => format!(
                "{name}: being worked out, which takes longer than one question may; ask again in \
                 {seconds} s"
            ),
            (Some(other), _) => {
                format!("{name}: waiting for {other}, about {seconds} s more; ask again then")
            }
        };
        Problem::pending(message, *pending)
    }
}

impl Background {
    /// Ends the work.
    pub(crate) fn stop(&self) {
        self.stopping.store(true, Ordering::Relaxed);
    }

    /// The running work, if it has this key.
    pub(crate) fn joined(&self, key: &str) -> Option<Wait> {
        let now = locked(&self.now);
        let running = now.running.clone().filter(|running| running.key == key)?;
        Some(Wait::new(running.name.clone(), running))
    }

    /// Begins to solve a variant, unless that is quick or takes too much. Gives the running work,
    /// which may be something else.
    pub(crate) fn begin_solve(
        self: &Arc<Background>,
        tablebase: &Tablebase,
        variant: &Arc<Variant>,
    ) -> Option<Wait> {
        let key = key_of(variant);
        if self.is_refused(&key) || tablebase.is_at_hand(variant) {
            return None;
        }
        if let Some(wait) = self.joined(&key) {
            return Some(wait);
        }
        let prospect = tablebase.prospect(variant);
        let Some(Prospect { seconds, .. }) = prospect.filter(|one| one.seconds <= LONGEST) else {
            self.refuse(key);
            return None;
        };
        if seconds < QUICK {
            return None;
        }
        self.begin(tablebase, BackgroundTask::solving(variant, seconds))
    }

    /// Begins to sweep what a position can become, unless its question does that in some seconds or nothing fits.
    /// Gives the running work, which may be something else.
    pub(crate) fn begin_sweep(
        self: &Arc<Background>,
        tablebase: &Tablebase,
        at: &At,
        quick: f64,
    ) -> Option<Wait> {
        let key = key_of_sweep(at);
        if self.is_refused(&key) {
            return None;
        }
        if let Some(wait) = self.joined(&key) {
            return Some(wait);
        }
        let Some(prospect) = tablebase.sweep_prospect(at, MOVES) else {
            self.refuse(key);
            return None;
        };
        // A question that found values has no reason to sweep on for distances, however quick that is.
        if prospect.seconds < quick && !prospect.has_values {
            return None;
        }
        self.begin(tablebase, BackgroundTask::sweeping(at, prospect.seconds))
    }

    /// Begins a task unless it was refused before. Gives the running work, which may be something
    /// else.
    pub(crate) fn begin(
        self: &Arc<Background>,
        tablebase: &Tablebase,
        task: BackgroundTask,
    ) -> Option<Wait> {
        let mut now = locked(&self.now);
        if now.refused.contains(&task.key) {
            return None;
        }
        if let Some(running) = &now.running {
            return Some(Wait::new(task.name, running.clone()));
        }
        let (tell, done) = watch::channel(false);
        let BackgroundTask {
            key,
            name,
            is_solve,
            seconds,
            run,
        } = task;
        let running = RunningTask {
            key: key.clone(),
            name: name.clone(),
            is_solve,
            work: Arc::new(WorkMeter::of(seconds)),
            done,
            wanted: Arc::default(),
        };
        let wait = Wait::new(name, running.clone());
        let aside = tablebase
            .with_threads((tablebase.threads() / 2).max(1))
            .ok()?;
        let patience = Duration::from_secs_f64(seconds.unwrap_or(0.0).max(ANYWAY));
        let watch = Arc::new(WorkWatch {
            stopping: Arc::clone(&self.stopping),
            wanted: Arc::clone(&running.wanted),
            work: Arc::clone(&running.work),
            deadline: Instant::now() + PATIENCE * patience,
        });
        let ahead = Arc::clone(self);
        let started = std::thread::Builder::new().spawn(move || {
            // A fault of one task does not keep the others from their turn.
            let run = || run(&aside.watched_by(watch.clone()));
            let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).unwrap_or(false);
            // Work that stopped because no client waited may be requested again.
            if !done && !watch.wanted.is_over() {
                ahead.refuse(key);
            }
            locked(&ahead.now).running = None;
            let _ = tell.send(true);
        });
        started.ok()?;
        now.running = Some(running);
        Some(wait)
    }

    /// Whether no work of a key starts.
    pub(crate) fn is_refused(&self, key: &str) -> bool {
        locked(&self.now).refused.contains(key)
    }

    /// Remembers that no work of a key starts.
    pub(crate) fn refuse(&self, key: String) {
        let mut now = locked(&self.now);
        if now.refused.len() >= REMEMBERED {
            now.refused.clear();
        }
        now.refused.insert(key);
    }
}

/// Stops work when the program ends, when no client waits any more, or when it takes far too long.
struct WorkWatch {
    stopping: Arc<AtomicBool>,
    wanted: Arc<WaitingClients>,
    work: Arc<WorkMeter>,
    deadline: Instant,
}

impl Progress for WorkWatch {
    fn begin(&self, _stage: &str, total: u64, _unit: Unit) {
        self.work.begin(total);
    }

    fn advance(&self, amount: u64) {
        self.work.done.fetch_add(amount, Ordering::Relaxed);
    }

    fn cancelled(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
            || self.wanted.is_over()
            || Instant::now() >= self.deadline
    }
}

#[cfg(test)]
mod tests;
