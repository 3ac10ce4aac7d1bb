//! What was used last stays longest.

use std::collections::HashMap;

/// Things by key, and which was used when.
pub(crate) struct Recent<K, T> {
    clock: u64,
    known: HashMap<K, (u64, T)>,
}

impl<K, T> Default for Recent<K, T> {
    fn default() -> Recent<K, T> {
        Recent {
            clock: 0,
            known: HashMap::new(),
        }
    }
}

impl<K: Eq + std::hash::Hash + Clone, T> Recent<K, T> {
    pub(crate) fn get(&mut self, key: &K) -> Option<&mut T> {
        self.clock += 1;
        let (used, found) = self.known.get_mut(key)?;
        *used = self.clock;
        Some(found)
    }

    /// Puts a thing in, and returns the one before.
    pub(crate) fn insert(&mut self, key: K, new: T) -> Option<T> {
        self.clock += 1;
        let before = self.known.insert(key, (self.clock, new));
        before.map(|(_, thing)| thing)
    }

    pub(crate) fn len(&self) -> usize {
        self.known.len()
    }

    fn remove(&mut self, key: &K) -> Option<T> {
        self.known.remove(key).map(|(_, thing)| thing)
    }

    /// Removes the one that was not used for longest among those that may go.
    pub(crate) fn remove_oldest(&mut self, may_go: impl Fn(&T) -> bool) -> Option<T> {
        let idle = self.known.iter().filter(|(_, (_, thing))| may_go(thing));
        let oldest = idle.min_by_key(|(_, (used, _))| *used)?.0.clone();
        self.remove(&oldest)
    }
}
