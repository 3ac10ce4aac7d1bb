//! Who asks, and what a question takes.

use std::net::IpAddr;
use std::time::Duration;

use greenwave_values::Instant;

/// The client, and the start of the request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Client {
    pub(crate) address: IpAddr,
    since: Instant,
}

impl Client {
    /// The client of the request at hand.
    pub(crate) fn now(address: IpAddr) -> Client {
        Client {
            address,
            since: Instant::now(),
        }
    }

    /// The same client, who is given a time of its own.
    pub(crate) fn again(&self) -> Client {
        Client::now(self.address)
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
    /// One of the jobs and of the share of its client; stopped when this much time has passed since
    /// the request.
    Job(Duration),
    /// The same for a search, which ends by itself in time with what it has found.
    Search,
}
