//! Masks of leaves that were made lately. To make one is to look at all positions of a leaf, so who
//! looks up one position after the other keeps them.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use greenwave_game::LeafMask;

/// Masks that are kept, at most: 2 MiB.
const MOST: usize = 256;

/// Masks by leaf.
#[derive(Default)]
pub(crate) struct Masks(RwLock<HashMap<u64, Arc<LeafMask>>>);

impl Masks {
    /// The mask of a leaf: the one that is kept, else one that is made.
    pub(crate) fn of(&self, leaf: u64, make: impl FnOnce(&mut LeafMask)) -> Arc<LeafMask> {
        let kept = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(mask) = kept.get(&leaf) {
            return Arc::clone(mask);
        }
        drop(kept);
        let mut mask = LeafMask::default();
        make(&mut mask);
        let mask = Arc::new(mask);
        let mut kept = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= MOST
            && let Some(other) = kept.keys().next().copied()
        {
            kept.remove(&other);
        }
        kept.insert(leaf, Arc::clone(&mask));
        mask
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_are_made_once_and_no_more_are_kept_than_are_allowed() {
        let (masks, mut made) = (Masks::default(), 0);
        let mut ask = |leaf: usize| {
            let mask = masks.of(leaf as u64, |mask| {
                made += 1;
                mask.insert(leaf as u32);
            });
            assert_eq!(mask.places().collect::<Vec<_>>(), [leaf as u32]);
            assert!(masks.0.read().unwrap().len() <= MOST);
            made
        };
        for _ in 0..2 {
            for leaf in 0..MOST {
                ask(leaf);
            }
        }
        assert_eq!(ask(0), MOST);
        // One goes for one more.
        assert_eq!(ask(MOST), MOST + 1);
        let made = (0..=MOST).map(&mut ask).last();
        assert!(made > Some(MOST + 1));
    }
}
