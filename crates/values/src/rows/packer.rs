//! Leaves of a table out of rows that come one after the other.

use greenwave_game::PackedStates;
use greenwave_table::{LEAF_BITS, Leaf};

/// Cuts the packed numbers of rows, which come in order, into the leaves of a table.
pub struct Packer<F> {
    next: u64,
    open: Leaf,
    finished: F,
}

impl<E, F: FnMut(u64, Leaf) -> Result<(), E>> Packer<F> {
    /// `finished` is given every leaf in order, empty ones included.
    #[must_use]
    pub fn new(finished: F) -> Packer<F> {
        Packer {
            next: 0,
            open: Leaf::default(),
            finished,
        }
    }

    /// The next plane: which of its states are packed, and their numbers one after the other.
    ///
    /// # Errors
    /// Those of `number` and of whoever is given the leaves.
    pub fn plane(
        &mut self,
        packed: &PackedStates,
        mut number: impl FnMut(usize) -> Result<f32, E>,
    ) -> Result<(), E> {
        for (state, packed) in packed.iter().enumerate() {
            if *packed {
                self.open
                    .payload
                    .extend_from_slice(&number(state)?.to_le_bytes());
                self.open.count += 1;
            }
            self.next += 1;
            if self.next.is_multiple_of(1 << LEAF_BITS) {
                let leaf = std::mem::take(&mut self.open);
                (self.finished)((self.next >> LEAF_BITS) - 1, leaf)?;
            }
        }
        Ok(())
    }

    /// Ends the last leaf.
    ///
    /// # Errors
    /// Those of whoever is given the leaves.
    pub fn finish(mut self) -> Result<(), E> {
        if !self.next.is_multiple_of(1 << LEAF_BITS) {
            let leaf = std::mem::take(&mut self.open);
            (self.finished)(self.next >> LEAF_BITS, leaf)?;
        }
        Ok(())
    }
}
