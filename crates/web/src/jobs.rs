//! The work that is done at once: each client has a share of it, and who comes later waits for a turn.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use greenwave_values::Instant;
use hyper::StatusCode;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::lock::locked;
use crate::messages;
use crate::problem::Problem;

/// Questions of one address that may wait at once: a classroom may stand behind it.
const WAITING: usize = 96;

/// The jobs that all clients share. Whoever comes first is served first.
pub(crate) struct Jobs {
    most: usize,
    free: Arc<Semaphore>,
    shares: Mutex<HashMap<IpAddr, Arc<JobShare>>>,
}

/// What one client has of the jobs.
struct JobShare {
    free: Arc<Semaphore>,
    /// Its questions that are at work or wait.
    questions: AtomicUsize,
}

impl Jobs {
    /// This many at once.
    pub(crate) fn of(most: usize) -> Jobs {
        Jobs {
            most,
            free: Arc::new(Semaphore::new(most)),
            shares: Mutex::default(),
        }
    }

    /// Jobs that one client may have at once.
    fn share(&self) -> usize {
        (self.most / 2).max(1)
    }

    /// A job for a client, waited for until a time.
    pub(crate) async fn take(
        self: &Arc<Jobs>,
        client: IpAddr,
        until: Instant,
    ) -> Result<Job, Problem> {
        let busy = || Problem::new(StatusCode::SERVICE_UNAVAILABLE, messages::busy(self.most));
        let mine = self.enter(client)?;
        // Who has all of the jobs waits for the others' turn, and not for its own.
        let none_left = || {
            if self.share() < self.most {
                self.share_used()
            } else {
                busy()
            }
        };
        let of_share = permit(&mine.share.free, until)
            .await
            .ok_or_else(none_left)?;
        let of_all = permit(&self.free, until).await.ok_or_else(busy)?;
        Ok(Job {
            _of_all: of_all,
            _of_share: of_share,
            _mine: mine,
        })
    }

    /// The answer to a client who has its share.
    fn share_used(&self) -> Problem {
        Problem::new(
            StatusCode::TOO_MANY_REQUESTS,
            messages::share_used(self.share()),
        )
    }

    /// Lets a question of a client wait, unless too many of it do.
    pub(crate) fn enter(self: &Arc<Jobs>, client: IpAddr) -> Result<JobQuestion, Problem> {
        let mut shares = locked(&self.shares);
        let share = shares.entry(client).or_insert_with(|| {
            Arc::new(JobShare {
                free: Arc::new(Semaphore::new(self.share())),
                questions: AtomicUsize::new(0),
            })
        });
        if share.questions.load(Ordering::Relaxed) >= self.share() + WAITING {
            return Err(self.share_used());
        }
        share.questions.fetch_add(1, Ordering::Relaxed);
        Ok(JobQuestion {
            jobs: Arc::clone(self),
            share: Arc::clone(share),
            client,
        })
    }
}

/// A permit, at once or by its turn; `None` where the turn does not come in time.
pub(crate) async fn permit(of: &Arc<Semaphore>, until: Instant) -> Option<OwnedSemaphorePermit> {
    if let Ok(free) = Arc::clone(of).try_acquire_owned() {
        return Some(free);
    }
    let left = until.saturating_duration_since(Instant::now());
    let turn = tokio::time::timeout(left, Arc::clone(of).acquire_owned());
    turn.await.ok()?.ok()
}

/// One of the jobs, in use.
pub(crate) struct Job {
    _of_all: OwnedSemaphorePermit,
    _of_share: OwnedSemaphorePermit,
    _mine: JobQuestion,
}

/// A question that is at work or waits.
pub(crate) struct JobQuestion {
    jobs: Arc<Jobs>,
    share: Arc<JobShare>,
    client: IpAddr,
}

impl Drop for JobQuestion {
    fn drop(&mut self) {
        let mut shares = locked(&self.jobs.shares);
        if self.share.questions.fetch_sub(1, Ordering::Relaxed) == 1 {
            shares.remove(&self.client);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;
    use std::time::Duration;

    use super::*;

    const CLASS: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1));
    const OTHER: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 2));
    const PATIENCE: Duration = Duration::from_secs(60);

    #[tokio::test]
    async fn a_class_behind_one_address_waits_for_its_turn() {
        let jobs = Arc::new(Jobs::of(2));
        let soon = Instant::now() + PATIENCE;
        let first = jobs.take(CLASS, soon).await.unwrap();
        let pupils: Vec<_> = (0..30)
            .map(|_| {
                let jobs = Arc::clone(&jobs);
                tokio::spawn(async move { jobs.take(CLASS, soon).await.map(drop) })
            })
            .collect();
        // One is at work, and all the others wait.
        let asked = || {
            locked(&jobs.shares)[&CLASS]
                .questions
                .load(Ordering::Relaxed)
        };
        while asked() < 31 {
            tokio::task::yield_now().await;
        }
        // Others have the rest of the jobs.
        drop(jobs.take(OTHER, soon).await.unwrap());
        drop(first);
        for pupil in pupils {
            assert!(pupil.await.unwrap().is_ok());
        }
        assert!(locked(&jobs.shares).is_empty());
    }

    #[tokio::test]
    async fn a_flood_is_told_at_once_that_its_share_is_in_use() {
        let jobs = Arc::new(Jobs::of(2));
        let soon = Instant::now() + PATIENCE;
        let _first = jobs.take(CLASS, soon).await.unwrap();
        let _waiting: Vec<JobQuestion> = (0..WAITING)
            .filter_map(|_| jobs.enter(CLASS).ok())
            .collect();
        let refused = jobs.take(CLASS, soon).await.err().unwrap();
        assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
        assert!(jobs.take(OTHER, Instant::now()).await.is_ok());
        // One whose turn does not come in time hears the same.
        let late = Arc::new(Jobs::of(1));
        let _job = late.take(CLASS, soon).await.unwrap();
        let refused = late.take(OTHER, Instant::now()).await.err().unwrap();
        assert_eq!(refused.status, StatusCode::SERVICE_UNAVAILABLE);
    }
}
