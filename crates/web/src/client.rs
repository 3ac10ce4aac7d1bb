//! Who asks, and what a question takes.

use std::net::IpAddr;
use std::time::Duration;

use greenwave_values::Instant;

/// The client, and the start of the request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Client {
    pub(crate) address: IpAddr,
    since: Instant,
    /// Whether it is a page, which asks again by itself.
    is_page: bool,
}

/// Seconds after which a page that waits asks again, at most.
pub(crate) const RENEWED: u32 = 3;

impl Client {
    /// The client of the request at hand.
    pub(crate) fn now(address: IpAddr, is_page: bool) -> Client {
        Client {
            address,
            since: Instant::now(),
            is_page,
        }
    }

    /// The same client, who is given a time of its own.
    pub(crate) fn again(&self) -> Client {
        Client::now(self.address, self.is_page)
    }

    /// The time after which it asks again for what takes some seconds more.
    pub(crate) fn comes_back_after(&self, seconds: u32) -> Duration {
        let seconds = if self.is_page { RENEWED } else { seconds };
        Duration::from_secs(seconds.into())
    }

    /// The end of a time that began with the question.
    pub(crate) fn until(&self, time: Duration) -> Instant {
        self.since + time
    }

    /// What is left of such a time.
    pub(crate) fn left_of(&self, time: Duration) -> Duration {
        self.until(time).saturating_duration_since(Instant::now())
    }
}

/// The share of common resources that a question takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Demand {
    /// A look into tables, or at what is kept.
    Nothing,
    /// One of the jobs and of the share of its client, waited for so long; stopped when so much time has passed since
    /// the request.
    Job { patience: Duration, time: Duration },
    /// The same for a search, which ends by itself in time with what it has found.
    Search,
}

/// Longest wait of a question for one of the jobs: most work is done in less.
pub(crate) const JOB_WAIT: Duration = Duration::from_millis(400);

impl Demand {
    /// A job for a question that can be asked again.
    pub(crate) fn job(time: Duration) -> Demand {
        Demand::Job {
            patience: JOB_WAIT,
            time,
        }
    }
}
