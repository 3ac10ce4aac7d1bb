//! The times of checkpoints, and the message when one cannot be written.

use std::time::Duration;

use greenwave_values::{Instant, Progress};

use crate::SolveError;

/// Bytes that are written to a disk in a second, the system's caches included, where none were yet.
const BYTES_PER_SECOND: f64 = 1e9;

/// The times of a solve's checkpoints.
#[derive(Debug)]
pub(crate) struct Timer {
    every: Duration,
    begun: Instant,
    tried: Instant,
    // When the attempt began that is being made.
    writes_since: Option<Instant>,
    // How long the last one took.
    took: Duration,
    // Whether the last attempt failed.
    failed: bool,
}

impl Timer {
    /// Checkpoints come so often.
    pub(crate) fn new(every: Duration) -> Timer {
        Timer {
            every,
            begun: Instant::now(),
            tried: Instant::now(),
            writes_since: None,
            took: Duration::ZERO,
            failed: false,
        }
    }

    /// Whether it is time for a checkpoint of some bytes. Writing those that take long, as the last one did
    /// or by their bytes, takes a twentieth of the time.
    pub(crate) fn due(&self, bytes: u64) -> bool {
        self.tried.elapsed() >= self.pause(bytes)
    }

    // The time between two checkpoints.
    fn pause(&self, bytes: u64) -> Duration {
        // A write that failed at once is tried again soon.
        let bytes = if self.failed { 0 } else { bytes };
        let foreseen = Duration::from_secs_f64(bytes as f64 / BYTES_PER_SECOND);
        let took = self.took.max(foreseen).min(5 * self.every);
        self.every.max(19 * took)
    }

    /// A checkpoint begins, or writes its next part.
    pub(crate) fn begins(&mut self) {
        self.writes_since.get_or_insert_with(Instant::now);
    }

    /// Whether the solve takes long enough for a checkpoint.
    pub(crate) fn is_long(&self) -> bool {
        self.begun.elapsed() >= self.every
    }

    /// Takes note of an attempt to write a checkpoint, after which there is one, of then or of
    /// earlier, or none. The solve continues in any case. Of failures in a row the first is
    /// reported, and the next attempt comes at its due time.
    pub(crate) fn tried(
        &mut self,
        written: Result<(), SolveError>,
        there_is_one: bool,
        progress: &dyn Progress,
    ) {
        self.tried = Instant::now();
        let since = self.writes_since.take();
        self.took = since.map_or(Duration::ZERO, |since| since.elapsed());
        let Err(error) = written else {
            self.failed = false;
            return;
        };
        if !std::mem::replace(&mut self.failed, true) {
            let reason = if let SolveError::CheckpointIo {
                file,
                doing,
                source,
            } = &error
            {
                format!(
                    "cannot {doing} the checkpoint '{}': {source}",
                    file.display()
                )
            } else {
                error.to_string()
            };
            let lost = if there_is_one {
                "since the last checkpoint"
            } else {
                "so far"
            };
            progress.warn(&format!(
                "{reason}; the solve continues and tries again every {} seconds, but until that \
                 succeeds a kill or a power cut would lose all work {lost}",
                self.every.as_secs()
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::ErrorKind;
    use std::path::PathBuf;
    use std::sync::Mutex;

    use super::*;
    use greenwave_values::Unit;

    #[derive(Default)]
    struct Listener(Mutex<Vec<String>>);

    impl Progress for Listener {
        fn begin(&self, _: &str, _: u64, _: Unit) {}

        fn advance(&self, _: u64) {}

        fn warn(&self, warning: &str) {
            self.0.lock().unwrap().push(warning.into());
        }
    }

    #[test]
    fn what_takes_long_to_write_is_written_seldom() {
        let every = Duration::from_secs(30);
        let mut timer = Timer::new(every);
        for (bytes, seconds) in [(0, 30), (1 << 20, 30), (4_000_000_000, 76), (1 << 40, 2850)] {
            assert_eq!(timer.pause(bytes), Duration::from_secs(seconds), "{bytes}");
        }
        timer.took = Duration::from_secs(10);
        assert_eq!(timer.pause(4_000_000_000), Duration::from_secs(190));
        assert!(!timer.due(0));
        assert!(Timer::new(Duration::ZERO).due(1 << 40));
    }

    #[test]
    fn failures_in_a_row_are_told_once() {
        let listener = Listener::default();
        let mut timer = Timer::new(Duration::from_secs(60));
        let failure = || {
            Err(SolveError::CheckpointIo {
                file: PathBuf::from("dir/value.checkpoint"),
                doing: "write",
                source: ErrorKind::StorageFull.into(),
            })
        };
        timer.tried(failure(), false, &listener);
        timer.tried(failure(), false, &listener);
        assert_eq!(timer.pause(1 << 40), Duration::from_secs(60));
        timer.tried(Ok(()), true, &listener);
        assert_eq!(timer.pause(1 << 40), Duration::from_secs(95 * 60));
        timer.tried(failure(), true, &listener);
        timer.tried(failure(), true, &listener);
        let said = listener.0.into_inner().unwrap();
        assert_eq!(
            said[0],
            "cannot write the checkpoint 'dir/value.checkpoint': no storage space; the solve continues \
             and tries again every 60 seconds, but until that succeeds a kill or a power cut \
             would lose all work so far"
        );
        assert!(said[1].ends_with("lose all work since the last checkpoint"));
        assert_eq!(said.len(), 2);
    }
}
