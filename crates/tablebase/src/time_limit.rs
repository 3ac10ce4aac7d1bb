//! Work that is to end within a time, and is given up as soon as it is seen that it will not.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use greenwave_values::{Instant, Progress, Unit};

/// The part of the time after which the rate of the work is believed.
const SEEN: f64 = 0.1;
/// How many times the whole time the work must need to be given up, since rates change: so many at its end, and
/// one more at its begin, where the rate is the least like that of the rest.
const DOUBT: f64 = 1.3;

/// Tells a listener of work, and says when it is to stop.
pub(crate) struct TimeLimit<'a> {
    progress: &'a dyn Progress,
    begun: Instant,
    seconds: f64,
    stage: Mutex<Instant>,
    total: AtomicU64,
    done: AtomicU64,
}

impl<'a> TimeLimit<'a> {
    pub(crate) fn new(progress: &'a dyn Progress, seconds: f64) -> TimeLimit<'a> {
        let begun = Instant::now();
        TimeLimit {
            progress,
            begun,
            seconds,
            stage: Mutex::new(begun),
            total: AtomicU64::new(0),
            done: AtomicU64::new(0),
        }
    }

    fn elapsed(&self) -> f64 {
        self.begun.elapsed().as_secs_f64()
    }

    fn doubt(&self) -> f64 {
        let total = self.total.load(Ordering::Relaxed).max(1);
        let done = self.done.load(Ordering::Relaxed).min(total);
        DOUBT + (1.0 - done as f64 / total as f64)
    }

    /// Seconds that the whole work needs at the rate of its present stage; all that have passed where no rate
    /// is known.
    pub(crate) fn needed(&self) -> f64 {
        let elapsed = self.elapsed();
        let stage = *self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        let (done, total) = (
            self.done.load(Ordering::Relaxed),
            self.total.load(Ordering::Relaxed),
        );
        if done == 0 || total <= done {
            return elapsed;
        }
        elapsed + stage.elapsed().as_secs_f64() * (total - done) as f64 / done as f64
    }
}

impl Progress for TimeLimit<'_> {
    fn begin(&self, stage: &str, total: u64, unit: Unit) {
        *self.stage.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        self.total.store(total, Ordering::Relaxed);
        self.done.store(0, Ordering::Relaxed);
        self.progress.begin(stage, total, unit);
    }

    fn advance(&self, amount: u64) {
        self.done.fetch_add(amount, Ordering::Relaxed);
        self.progress.advance(amount);
    }

    fn end(&self) {
        self.progress.end();
    }

    fn cancelled(&self) -> bool {
        if self.progress.cancelled() {
            return true;
        }
        let elapsed = self.elapsed();
        elapsed >= self.seconds
            || elapsed > SEEN * self.seconds && self.needed() > self.doubt() * self.seconds
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use greenwave_values::Silent;

    use super::*;

    #[test]
    fn work_that_cannot_end_in_time_is_given_up_early() {
        let patient = TimeLimit::new(&Silent, 1e9);
        patient.begin("work", 1 << 60, Unit::Positions);
        patient.advance(1);
        assert!(!patient.cancelled(), "the rate is not believed yet");
        let hurried = TimeLimit::new(&Silent, 0.01);
        hurried.begin("work", 1 << 60, Unit::Positions);
        hurried.advance(1);
        while !hurried.cancelled() {
            std::thread::sleep(Duration::from_millis(1));
        }
        assert!(hurried.needed() > 1e9);
        // Another stage has a rate of its own.
        hurried.begin("the rest", 2, Unit::Positions);
        hurried.advance(1);
        assert!(hurried.needed() < 1e9);
    }

    #[test]
    fn the_first_part_is_believed_less_than_the_last() {
        let limit = TimeLimit::new(&Silent, 1.0);
        limit.begin("work", 100, Unit::Positions);
        limit.advance(2);
        assert!((limit.doubt() - 2.28).abs() < 1e-9);
        limit.advance(98);
        assert!((limit.doubt() - DOUBT).abs() < 1e-9);
    }

    #[test]
    fn work_without_a_limit_goes_on() {
        let limit = TimeLimit::new(&Silent, f64::INFINITY);
        limit.begin("work", u64::MAX, Unit::Positions);
        limit.advance(1);
        assert!(!limit.cancelled());
    }
}
