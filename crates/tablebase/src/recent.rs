//! What was used last stays longest.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;
use std::sync::Arc;

/// Things by key, and which was used when.
pub(crate) struct Recent<K, T> {
    clock: u64,
    known: HashMap<Arc<K>, (u64, T)>,
    // Their keys by the time of their last use.
    used: BTreeMap<u64, Arc<K>>,
}

impl<K, T> Default for Recent<K, T> {
    fn default() -> Recent<K, T> {
        Recent {
            clock: 0,
            known: HashMap::new(),
            used: BTreeMap::new(),
        }
    }
}

impl<K: Eq + Hash, T> Recent<K, T> {
    pub(crate) fn get(&mut self, key: &K) -> Option<&mut T> {
        let (time, found) = self.known.get_mut(key)?;
        let key = self.used.remove(&*time)?;
        self.clock += 1;
        *time = self.clock;
        self.used.insert(self.clock, key);
        Some(found)
    }

    /// Puts a thing in, and returns the one before.
    pub(crate) fn insert(&mut self, key: K, new: T) -> Option<T> {
        let before = self.remove(&key);
        self.clock += 1;
        let key = Arc::new(key);
        self.used.insert(self.clock, Arc::clone(&key));
        self.known.insert(key, (self.clock, new));
        before
    }

    pub(crate) fn len(&self) -> usize {
        self.known.len()
    }

    fn remove(&mut self, key: &K) -> Option<T> {
        let (time, thing) = self.known.remove(key)?;
        self.used.remove(&time);
        Some(thing)
    }

    /// Removes the one that was not used for longest among those that may go.
    pub(crate) fn remove_oldest(&mut self, may_go: impl Fn(&T) -> bool) -> Option<T> {
        let mut keys = self.used.values();
        let idle = |key: &&Arc<K>| self.known.get(*key).is_some_and(|(_, thing)| may_go(thing));
        let oldest = Arc::clone(keys.find(idle)?);
        self.remove(&oldest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_that_may_go_go_in_the_order_of_their_last_use() {
        let mut recent = Recent::default();
        for key in ["a", "b", "c", "d", "e"] {
            assert_eq!(recent.insert(key, 0), None);
        }
        assert_eq!(recent.get(&"a"), Some(&mut 0));
        assert_eq!(recent.insert("b", 1), Some(0));
        assert_eq!(recent.get(&"none"), None);
        for (key, number) in [("a", 10), ("b", 11), ("c", 12), ("d", 13), ("e", 14)] {
            *recent.known.get_mut(&key).map(|(_, thing)| thing).unwrap() = number;
        }
        assert_eq!(recent.remove_oldest(|thing| *thing != 12), Some(13));
        let order: Vec<i32> = std::iter::from_fn(|| recent.remove_oldest(|_| true)).collect();
        assert_eq!(order, [12, 14, 10, 11]);
        assert_eq!((recent.len(), recent.used.len()), (0, 0));
    }
}
