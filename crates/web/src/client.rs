//! Who asks, and what a question takes.

use std::net::IpAddr;
use std::time::Duration;

use greenwave_values::Instant;

/// The client, and the start of the request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Client {
    pub(crate) address: IpAddr,
    since: Instant,
    /// When it has waited long enough: all turns of one request share this time.
    turn: Instant,
    /// When its request ends, whatever it still needs.
    end: Instant,
    /// Whether it is a page, which asks again by itself.
    is_page: bool,
}

/// Seconds after which a page that waits asks again, at most.
pub(crate) const RENEWED: u32 = 3;

impl Client {
    /// The client of the request at hand, and the time that its work may take.
    pub(crate) fn now(address: IpAddr, is_page: bool, budget: Duration) -> Client {
        let since = Instant::now();
        let turn = since + if is_page { TURN.max(budget) } else { JOB_WAIT };
        Client {
            address,
            since,
            turn,
            end: turn + budget,
            is_page,
        }
    }

    /// The same client, whose next work begins now. Its request ends when it would have ended.
    pub(crate) fn again(&self) -> Client {
        Client {
            since: Instant::now(),
            ..*self
        }
    }

    /// The same client, who waits no longer than this for turns, and whose request ends after this time.
    pub(crate) fn within(&self, turn: Duration, end: Duration) -> Client {
        Client {
            turn: self.until(turn),
            end: self.until(end),
            ..*self
        }
    }

    /// How long it waits for what another one works out: a program no longer than it would for its own work.
    pub(crate) fn waits_until(&self, budget: Duration) -> Instant {
        if self.is_page {
            self.turn
        } else {
            self.until(budget)
        }
    }

    /// The time after which it asks again for what takes some seconds more.
    pub(crate) fn comes_back_after(&self, seconds: u32) -> Duration {
        let seconds = if self.is_page { RENEWED } else { seconds };
        Duration::from_secs(seconds.into())
    }

    /// The end of a time that began with the question.
    pub(crate) fn until(&self, time: Duration) -> Instant {
        (self.since + time).min(self.end)
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
    /// The plain picture for whoever cannot have another one: one is drawn at a time.
    #[cfg_attr(
        target_family = "wasm",
        expect(dead_code, reason = "the server alone sends cards")
    )]
    PlainCard { time: Duration },
    /// The same for a search, which ends by itself in time with what it has found.
    Search,
}

/// Longest wait of a question for one of the jobs: most work is done in less.
const JOB_WAIT: Duration = Duration::from_millis(400);

/// Longest wait of a page for its turn, unless its work may take longer: a class may open it at once.
const TURN: Duration = Duration::from_secs(8);

impl Demand {
    /// How long a client waits for a job; `None` where it needs none.
    pub(crate) fn waits_until(self, client: Client) -> Option<Instant> {
        match self {
            Demand::Nothing => None,
            // Who stood in a queue first still waits for a moment.
            Demand::Job { .. } | Demand::PlainCard { .. } => {
                let moment = Instant::now() + JOB_WAIT;
                Some(client.turn.max(moment).min(client.end))
            }
            Demand::Search => Some(client.turn.min(Instant::now() + JOB_WAIT)),
        }
    }

    /// The client whose work begins now, when its turn has come.
    pub(crate) fn begun_by(self, client: Client) -> Client {
        match self {
            Demand::Job { .. } | Demand::PlainCard { .. } => client.again(),
            Demand::Nothing | Demand::Search => client,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    #[test]
    fn all_that_one_request_needs_ends_with_it() {
        let budget = Duration::from_secs(2);
        for (is_page, whole) in [(true, TURN + budget), (false, JOB_WAIT + budget)] {
            let client = Client::now(Ipv4Addr::LOCALHOST.into(), is_page, budget);
            let end = client.since + whole;
            let late = Client {
                since: end - budget / 4,
                ..client.again()
            };
            assert_eq!(late.until(budget), end);
            assert!(late.waits_until(budget) <= end);
            let job = Demand::Job { time: budget };
            for demand in [job, Demand::PlainCard { time: budget }, Demand::Search] {
                assert!(demand.waits_until(late).unwrap() <= end);
                assert_eq!(demand.begun_by(late).end, end);
            }
            // Who has waited for something else waits for a job all the same.
            let past = Client {
                turn: client.since,
                ..client
            };
            assert!(job.waits_until(past).unwrap() > Instant::now());
            assert!(Demand::Search.waits_until(past).unwrap() <= client.since);
            let card = client.within(budget / 2, budget);
            assert_eq!(card.until(whole), client.since + budget);
            assert_eq!(Demand::Nothing.waits_until(card), None);
        }
    }
}
