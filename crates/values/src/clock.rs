//! The clock of deadlines and durations.

#[cfg(not(target_family = "wasm"))]
pub use std::time::Instant;

#[cfg(target_family = "wasm")]
pub use told::{Instant, set_clock};

use std::time::Duration;

/// The time since the year 1970 began, in UTC.
#[must_use]
pub fn since_1970() -> Duration {
    #[cfg(target_family = "wasm")]
    let since = told::since_1970();
    #[cfg(not(target_family = "wasm"))]
    let since = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap_or_default();
    since
}

/// WebAssembly has no clock of its own: whoever runs it tells the time.
#[cfg(target_family = "wasm")]
mod told {
    use std::ops::{Add, Sub};
    use std::sync::OnceLock;
    use std::time::Duration;

    static CLOCK: OnceLock<fn() -> Duration> = OnceLock::new();

    /// Has the time since 1970 told by `clock`, which never runs backwards; until then it stands still.
    pub fn set_clock(clock: fn() -> Duration) {
        // The first clock stays.
        let _ = CLOCK.set(clock);
    }

    pub(super) fn since_1970() -> Duration {
        CLOCK.get().map_or(Duration::ZERO, |clock| clock())
    }

    /// A moment, as [`std::time::Instant`] is on other targets.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Instant(Duration);

    impl Instant {
        /// This moment.
        #[must_use]
        pub fn now() -> Instant {
            Instant(since_1970())
        }

        /// The time since then.
        #[must_use]
        pub fn elapsed(&self) -> Duration {
            Instant::now().saturating_duration_since(*self)
        }

        /// The time from `earlier` to this moment; none if it is later.
        #[must_use]
        pub fn saturating_duration_since(&self, earlier: Instant) -> Duration {
            self.0.saturating_sub(earlier.0)
        }

        /// A later moment, or `None` if the sum overflows.
        #[must_use]
        pub fn checked_add(&self, time: Duration) -> Option<Instant> {
            self.0.checked_add(time).map(Instant)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Instant;

        fn add(self, time: Duration) -> Instant {
            Instant(self.0.saturating_add(time))
        }
    }

    impl Sub for Instant {
        type Output = Duration;

        fn sub(self, earlier: Instant) -> Duration {
            self.saturating_duration_since(earlier)
        }
    }
}
