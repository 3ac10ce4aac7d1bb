//! Turns by key: of several questions that need the same, one has the turn to have it made, and the others wait in the
//! order in which they came.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use greenwave_values::Instant;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::jobs::permit;
use crate::lock::locked;

/// The queues of all keys.
#[derive(Default)]
pub(crate) struct Turns {
    queues: Mutex<HashMap<String, TurnQueue>>,
}

/// Those who have the turn of a key or wait for it.
struct TurnQueue {
    free: Arc<Semaphore>,
    places: usize,
}

impl Turns {
    /// A place at the end of the queue of a key.
    pub(crate) fn enter(self: &Arc<Turns>, key: &str) -> QueuePlace {
        let mut queues = locked(&self.queues);
        let queue = queues.entry(key.into()).or_insert_with(|| TurnQueue {
            free: Arc::new(Semaphore::new(1)),
            places: 0,
        });
        queue.places += 1;
        QueuePlace {
            turns: Arc::clone(self),
            key: key.into(),
            free: Arc::clone(&queue.free),
            turn: None,
        }
    }
}

/// A place in a queue, and the turn once it has come. Whoever drops it leaves the queue.
pub(crate) struct QueuePlace {
    turns: Arc<Turns>,
    key: String,
    free: Arc<Semaphore>,
    turn: Option<OwnedSemaphorePermit>,
}

impl QueuePlace {
    /// Whether the turn comes without a wait.
    pub(crate) fn comes_at_once(&mut self) -> bool {
        self.turn = Arc::clone(&self.free).try_acquire_owned().ok();
        self.turn.is_some()
    }

    /// Waits for the turn; `None` where it does not come in time.
    pub(crate) async fn comes_until(mut self, until: Instant) -> Option<QueuePlace> {
        self.turn = Some(permit(&self.free, until).await?);
        Some(self)
    }
}

impl Drop for QueuePlace {
    fn drop(&mut self) {
        let mut queues = locked(&self.turns.queues);
        self.turn = None;
        if let Some(queue) = queues.get_mut(&self.key) {
            queue.places -= 1;
            if queue.places == 0 {
                queues.remove(&self.key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[tokio::test]
    async fn whoever_comes_first_has_the_turn_first() {
        let turns = Arc::new(Turns::default());
        let soon = Instant::now() + Duration::from_secs(60);
        let mut first = turns.enter("one");
        assert!(first.comes_at_once() && turns.enter("two").comes_at_once());
        assert!(
            turns
                .enter("one")
                .comes_until(Instant::now())
                .await
                .is_none()
        );
        let order: Arc<Mutex<Vec<usize>>> = Arc::default();
        let mut waiting = Vec::new();
        for number in 0..5 {
            let (place, order) = (turns.enter("one"), Arc::clone(&order));
            waiting.push(tokio::spawn(async move {
                let turn = place.comes_until(soon).await;
                locked(&order).push(number);
                turn.is_some()
            }));
            // It stands in the queue before the next one comes.
            tokio::task::yield_now().await;
        }
        drop(first);
        for one in waiting {
            assert!(one.await.unwrap());
        }
        assert_eq!(*locked(&order), [0, 1, 2, 3, 4]);
        assert!(locked(&turns.queues).is_empty());
    }
}
