//! Work during a full screen: warnings wait, and the keys are checked for a Ctrl-C.

use std::collections::VecDeque;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use greenwave_tablebase::Tablebase;
use greenwave_values::{Progress, Unit};
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyModifiers};

/// How often work behind the screen looks for a Ctrl-C, which is a key like others there.
const LOOK_UP: Duration = Duration::from_millis(50);

/// The listener of the work behind the screen. Nothing else may write to the terminal during a full
/// screen, so warnings wait for its end.
pub(super) struct QuietListener {
    tablebase: Tablebase,
    warnings: Mutex<Vec<String>>,
    /// Keys, where it listens to them.
    keys: Option<Mutex<InputQueue>>,
    /// Whether Ctrl-C was among them.
    stopped: AtomicBool,
}

/// What was typed and clicked while the program was at work.
struct InputQueue {
    ahead: VecDeque<Event>,
    looked: Instant,
}

impl QuietListener {
    /// Takes the place of whoever has listened to a tablebase; they still say when to stop.
    pub(super) fn new(tablebase: &Tablebase) -> QuietListener {
        QuietListener {
            tablebase: tablebase.clone(),
            warnings: Mutex::default(),
            keys: None,
            stopped: AtomicBool::new(false),
        }
    }

    /// The same, which looks for a Ctrl-C among the keys while work goes on.
    pub(super) fn at_keys(tablebase: &Tablebase) -> QuietListener {
        let keys = InputQueue {
            ahead: VecDeque::new(),
            looked: Instant::now(),
        };
        QuietListener {
            keys: Some(Mutex::new(keys)),
            ..QuietListener::new(tablebase)
        }
    }

    /// The next event, if one comes in time.
    pub(super) fn next(&self, within: Duration) -> io::Result<Option<Event>> {
        if let Some(keys) = &self.keys {
            let mut keys = keys.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(event) = keys.ahead.pop_front() {
                return Ok(Some(event));
            }
        }
        // Some may have been read already, for which nobody is to wait.
        for within in [Duration::ZERO, within] {
            wait_for_keys(within)?;
            if event::poll(Duration::ZERO)? {
                return event::read().map(Some);
            }
        }
        Ok(None)
    }

    /// Takes in what has been typed; whether Ctrl-C was. A thread that finds another one at it goes on.
    fn told_to_stop(&self) -> bool {
        if let Some(Ok(mut keys)) = self.keys.as_ref().map(Mutex::try_lock)
            && keys.looked.elapsed() >= LOOK_UP
        {
            keys.looked = Instant::now();
            if wait_for_keys(Duration::ZERO).is_err() {
                self.stopped.store(true, Ordering::Relaxed);
                return true;
            }
            while matches!(event::poll(Duration::ZERO), Ok(true)) {
                let Ok(event) = event::read() else { break };
                let stop = event.as_key_event().as_ref().is_some_and(is_stop);
                self.stopped.fetch_or(stop, Ordering::Relaxed);
                keys.ahead.push_back(event);
            }
        }
        self.stopped.load(Ordering::Relaxed)
    }

    /// Tells the warnings that have waited.
    pub(super) fn tell(&self) {
        let mut warnings = self.warnings.lock().unwrap_or_else(PoisonError::into_inner);
        for warning in warnings.drain(..) {
            self.tablebase.progress().warn(&warning);
        }
    }
}

impl Progress for QuietListener {
    fn begin(&self, _stage: &str, _total: u64, _unit: Unit) {}

    fn advance(&self, _amount: u64) {}

    fn warn(&self, warning: &str) {
        let mut warnings = self.warnings.lock().unwrap_or_else(PoisonError::into_inner);
        warnings.push(warning.to_string());
    }

    fn cancelled(&self) -> bool {
        self.told_to_stop() || self.tablebase.progress().cancelled()
    }
}

/// Waits until something is typed, or some time has passed. A closed terminal is an error, since a
/// reader of keys would otherwise read its end for ever.
#[cfg(unix)]
fn wait_for_keys(within: Duration) -> io::Result<()> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let stdin = io::stdin();
    let mut typed = [PollFd::new(&stdin, PollFlags::IN)];
    let within = Timespec::try_from(within).map_err(io::Error::other)?;
    match poll(&mut typed, Some(&within)) {
        // A signal, such as that the size of the window has changed.
        Err(rustix::io::Errno::INTR) => return Ok(()),
        other => other?,
    };
    if typed[0]
        .revents()
        .intersects(PollFlags::HUP | PollFlags::ERR)
    {
        return Err(io::Error::new(
            io::ErrorKind::UnexpectedEof,
            "the terminal has closed",
        ));
    }
    Ok(())
}

#[cfg(not(unix))]
fn wait_for_keys(within: Duration) -> io::Result<()> {
    event::poll(within).map(drop)
}

/// Whether a key is Ctrl-C.
pub(super) fn is_stop(key: &KeyEvent) -> bool {
    key.modifiers.contains(KeyModifiers::CONTROL) && key.code == KeyCode::Char('c')
}
