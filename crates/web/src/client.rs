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

    /// How long it waits for its turn.
    pub(crate) fn patience(&self) -> Duration {
        if self.is_page { TURN } else { JOB_WAIT }
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
    /// One of the jobs and of the share of its client, stopped when so much time has passed since it began. A page has
    /// nothing else to show, and waits for its turn.
    Job { time: Duration },
    /// The same for a search, which ends by itself in time with what it has found.
    Search,
}

/// Longest wait of a question for one of the jobs: most work is done in less.
const JOB_WAIT: Duration = Duration::from_millis(400);

/// Longest wait of a page for its turn: a class may open it at once.
const TURN: Duration = Duration::from_secs(8);

impl Demand {
    /// How long a client waits for a job; `None` where it needs none.
    pub(crate) fn patience(self, client: Client) -> Option<Duration> {
        match self {
            Demand::Nothing => None,
            Demand::Job { .. } => Some(client.patience()),
            Demand::Search => Some(JOB_WAIT),
        }
    }

    /// The client whose work begins now, when its turn has come.
    pub(crate) fn begun_by(self, client: Client) -> Client {
        match self {
            Demand::Job { .. } => client.again(),
            Demand::Nothing | Demand::Search => client,
        }
    }
}
