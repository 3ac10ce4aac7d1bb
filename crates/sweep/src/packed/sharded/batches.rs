//! In which order the families of a wave are made, and streams sent.
//!
//! A raise that leads to another rank leaves the levels of a family's *class* as they are (see
//! [`Shards::class`]). So what the families of a class need of another rank is the same class of its
//! families, which nothing else needs of it: class after class can be sent, used and forgotten. Classes
//! are put together to *batches*, alike on all ranks.

use rayon::prelude::*;

use super::exchange::Exchange;
use super::shards::Shards;
use super::streams::Parcels;
use crate::error::ExchangeError;

/// Batches of a wave, at least where it is large: of what a rank needs of others it holds two of them.
pub(super) const BATCHES: u64 = 24;

/// Bytes of a batch for each rank, at least.
pub(super) const LEAST: u64 = 1 << 20;

/// The batches of a wave.
#[derive(Clone, Debug)]
pub(super) struct Batches {
    // By class.
    batches: Vec<u32>,
    count: usize,
}

impl Batches {
    /// Decides on the batches of a wave with the other ranks, by what it needs of the wave above.
    pub(super) fn agree(
        exchange: &dyn Exchange,
        shards: &Shards,
        parcels: &Parcels,
    ) -> Result<Batches, ExchangeError> {
        let mut weights = parcels.weights(shards.classes());
        exchange.sum(&mut weights)?;
        Ok(Batches::of_weights(&weights, exchange.ranks() as u64))
    }

    fn of_weights(weights: &[u64], ranks: u64) -> Batches {
        let all: u64 = weights.iter().sum();
        let most = (all / BATCHES).max(LEAST * ranks);
        let (mut number, mut filled) = (0, 0);
        let batches = weights
            .iter()
            .map(|weight| {
                if filled > 0 && filled + weight > most {
                    (number, filled) = (number + 1, 0);
                }
                filled += weight;
                number
            })
            .collect();
        Batches {
            batches,
            count: number as usize + 1,
        }
    }

    /// Their number, at least one.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The batch of a class.
    pub(super) fn of(&self, class: usize) -> usize {
        self.batches[class] as usize
    }
}

/// Numbers of things by batch, rising within each.
#[derive(Clone, Debug, Default)]
pub(super) struct BatchOrder {
    numbers: Vec<u32>,
    ends: Vec<usize>,
}

impl BatchOrder {
    /// Sorts this many things into some batches, or leaves them out.
    pub(super) fn new(
        things: usize,
        batches: usize,
        batch: impl Fn(usize) -> Option<usize> + Sync,
    ) -> BatchOrder {
        // By the part of things that a thread sorts.
        let parts: Vec<Vec<Vec<u32>>> = (0..things.div_ceil(PART))
            .into_par_iter()
            .map(|part| {
                let mut sorted = vec![Vec::new(); batches];
                for number in part * PART..things.min((part + 1) * PART) {
                    if let Some(batch) = batch(number) {
                        sorted[batch].push(number as u32);
                    }
                }
                sorted
            })
            .collect();
        let (mut numbers, mut ends) = (Vec::new(), Vec::with_capacity(batches));
        for batch in 0..batches {
            for part in &parts {
                numbers.extend_from_slice(&part[batch]);
            }
            ends.push(numbers.len());
        }
        BatchOrder { numbers, ends }
    }

    /// The numbers of a batch.
    pub(super) fn batch(&self, batch: usize) -> &[u32] {
        let start = batch.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.ends
            .get(batch)
            .map_or(&[], |end| &self.numbers[start..*end])
    }
}

// Things that a thread sorts at a time.
const PART: usize = 1 << 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_put_together_to_batches_of_like_weight() {
        let batches = Batches::of_weights(&[0, 5 << 20, 3 << 20, 0, 1 << 20, 30 << 20, 2], 2);
        assert_eq!(batches.batches, [0, 0, 1, 2, 2, 3, 4]);
        assert_eq!(batches.count(), 5);
        assert_eq!(Batches::of_weights(&[1, 2, 3], 4).batches, [0, 0, 0]);
        assert_eq!(Batches::of_weights(&[0, 0], 1).count(), 1);
    }

    #[test]
    fn an_order_has_each_number_once() {
        let batch = |number: usize| (!number.is_multiple_of(7)).then_some(number * number % 5);
        let order = BatchOrder::new(3 * PART + 17, 5, batch);
        let mut all = Vec::new();
        for number in 0..5 {
            let numbers = order.batch(number);
            assert!(numbers.is_sorted());
            assert!(numbers.iter().all(|n| batch(*n as usize) == Some(number)));
            all.extend_from_slice(numbers);
        }
        all.sort_unstable();
        let expected = (0..3 * PART as u32 + 17).filter(|number| !number.is_multiple_of(7));
        assert!(all.into_iter().eq(expected));
    }
}
