//! Answers that are kept.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use greenwave_judge::documents::{Match, MatchCount};
use greenwave_play::Book;
use greenwave_tablebase::Reservation;

use crate::lock::locked;

/// Answers of a kind, by their question.
pub(crate) struct AnswerCache<T> {
    answers: Mutex<HashMap<String, Arc<T>>>,
    most: usize,
}

impl<T> AnswerCache<T> {
    /// None yet, and this many at most.
    pub(crate) fn of(most: usize) -> AnswerCache<T> {
        AnswerCache {
            answers: Mutex::default(),
            most,
        }
    }

    pub(crate) fn get(&self, key: &str) -> Option<Arc<T>> {
        locked(&self.answers).get(key).cloned()
    }

    /// Forgets all of them.
    pub(crate) fn clear(&self) {
        locked(&self.answers).clear();
    }

    pub(crate) fn keep(&self, key: &str, made: T) -> Arc<T> {
        let mut kept = locked(&self.answers);
        if kept.len() >= self.most {
            kept.clear();
        }
        let made = Arc::new(made);
        kept.insert(key.to_string(), Arc::clone(&made));
        made
    }
}

/// A book that is kept.
#[derive(Clone)]
pub(crate) struct KeptBook {
    pub(crate) book: Arc<Book>,
    /// How many plies it has: fewer than it was asked for where time or memory do not do for more.
    pub(crate) depth: u32,
    pub(crate) _reserved: Arc<Reservation>,
}

/// Positions that were found.
pub(crate) struct FoundPositions {
    pub(crate) matches: Vec<Match>,
    pub(crate) count: MatchCount,
}
