//! Long work away from the interpreter: it releases the lock, listens for Ctrl-C, and reports
//! progress.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use greenwave_tablebase::Tablebase;
use greenwave_values::{Progress, Unit};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::failure::Failure;

/// Time between two checks of the interpreter for a request to stop.
const INTERVAL: Duration = Duration::from_millis(50);
/// Bytes of stack of the thread that works.
const STACK: usize = 16 << 20;

/// A listener that remembers how far the work is.
#[derive(Debug, Default)]
struct Watch {
    stage: Mutex<(String, u64)>,
    done: AtomicU64,
    stop: AtomicBool,
}

impl Watch {
    fn stage(&self) -> (String, u64) {
        let stage = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        stage.clone()
    }

    fn tell(&self, listener: &Bound<'_, PyAny>) -> PyResult<()> {
        let (stage, total) = self.stage();
        if !stage.is_empty() {
            let done = self.done.load(Ordering::Relaxed).min(total);
            listener.call1((stage, done, total))?;
        }
        Ok(())
    }
}

impl Progress for Watch {
    fn begin(&self, stage: &str, total: u64, _: Unit) {
        let mut known = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        *known = (stage.into(), total);
        self.done.store(0, Ordering::Relaxed);
    }

    fn advance(&self, amount: u64) {
        self.done.fetch_add(amount, Ordering::Relaxed);
    }

    fn cancelled(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Does work on a thread of its own with the interpreter's lock released. Calls `listener` with the
/// stage, the finished amount and the whole amount. An exception that it raises, and Ctrl-C, stop
/// the work and are raised.
pub(crate) fn patiently<T: Send>(
    py: Python<'_>,
    tablebase: &Tablebase,
    listener: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Tablebase) -> Result<T, Failure> + Send,
) -> PyResult<T> {
    let watch = Arc::new(Watch::default());
    let watched = tablebase.watched_by(Arc::<Watch>::clone(&watch));
    std::thread::scope(|scope| {
        let (sender, mut results) = channel();
        let worker = std::thread::Builder::new()
            .name("greenwave".into())
            .stack_size(STACK)
            .spawn_scoped(scope, move || {
                // Nobody is there to receive it only after a panic.
                let _ = sender.send(work(&watched));
            })
            .map_err(|error| PyRuntimeError::new_err(format!("cannot start a thread: {error}")))?;
        let mut raised: Option<PyErr> = None;
        let result = loop {
            let received;
            (results, received) = py.detach(move || {
                let received = results.recv_timeout(INTERVAL);
                (results, received)
            });
            match received {
                Ok(result) => break Some(result),
                Err(RecvTimeoutError::Disconnected) => break None,
                Err(RecvTimeoutError::Timeout) if raised.is_some() => {}
                Err(RecvTimeoutError::Timeout) => {
                    let told = || listener.map_or(Ok(()), |listener| watch.tell(listener));
                    if let Err(error) = py.check_signals().and_then(|()| told()) {
                        watch.stop.store(true, Ordering::Relaxed);
                        raised = Some(error);
                    }
                }
            }
        };
        if let Err(panic) = py.detach(|| worker.join()) {
            resume_unwind(panic);
        }
        match (raised, result) {
            (Some(error), _) => Err(error),
            (None, Some(Ok(done))) => {
                listener.map_or(Ok(()), |listener| watch.tell(listener))?;
                Ok(done)
            }
            (None, Some(Err(failure))) => Err(failure.into()),
            (None, None) => Err(PyRuntimeError::new_err("the work ended without a result")),
        }
    })
}
