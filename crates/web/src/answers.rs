//! Answers that are kept.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

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
