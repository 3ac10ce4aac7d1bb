//! Going through all positions of a game, leaf by leaf in parallel, with results in index order.

use greenwave_game::{Dense, LEAF_BITS, LEAF_WORDS, LeafMask, Packing};
use greenwave_probe::Reached;
use greenwave_solver::{Progress, Unit};
use rayon::prelude::*;

use crate::JudgeError;

/// Which positions are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Among {
    /// All legal, unfinished positions of the index.
    Legal,
    /// All that play reaches, finished ones included.
    Reachable,
}

// Leaves that are worked on before their results are put together.
const BATCH: u64 = 128;

/// A universe of positions.
pub struct Scan<'a, G> {
    pub(crate) game: &'a G,
    pub(crate) among: Among,
    pub(crate) reached: Option<&'a Reached>,
}

impl<G: Dense> Scan<'_, G> {
    fn leaves(&self) -> u64 {
        self.game.indexable().div_ceil(1 << LEAF_BITS) as u64
    }

    fn mask(&self, leaf: u64, mask: &mut LeafMask) {
        match (self.among, self.reached) {
            (Among::Reachable, Some(reached)) => {
                let first = leaf as usize * LEAF_WORDS;
                let words = &reached.words()[first..reached.words().len().min(first + LEAF_WORDS)];
                mask.0.fill(0);
                mask.0[..words.len()].copy_from_slice(words);
            }
            _ => self.game.leaf_mask(Packing::Unfinished, leaf, mask),
        }
    }

    /// Hands the positions of each leaf to `work` with fresh state from `begin`, and the results to
    /// `take` in index order until it returns false.
    ///
    /// # Errors
    /// When the work is cancelled, and what `take` fails with.
    pub(crate) fn run<T: Send>(
        &self,
        stage: &str,
        progress: &dyn Progress,
        begin: impl Fn() -> T + Sync,
        work: impl Fn(&mut T, &mut dyn Iterator<Item = (u64, G::Position)>) + Sync,
        mut take: impl FnMut(T) -> Result<bool, JudgeError>,
    ) -> Result<(), JudgeError> {
        let leaves = self.leaves();
        progress.begin(stage, leaves << LEAF_BITS, Unit::Positions);
        let mut next = 0;
        while next < leaves {
            if progress.cancelled() {
                return Err(JudgeError::Interrupted);
            }
            let end = leaves.min(next + BATCH);
            let results: Vec<T> = (next..end)
                .into_par_iter()
                .map_init(LeafMask::default, |mask, leaf| {
                    let mut state = begin();
                    self.mask(leaf, mask);
                    let first = leaf << LEAF_BITS;
                    let mut positions = mask.places().filter_map(|place| {
                        let index = first + u64::from(place);
                        Some((index, self.game.at(index)?))
                    });
                    work(&mut state, &mut positions);
                    state
                })
                .collect();
            for result in results {
                if !take(result)? {
                    return Ok(());
                }
            }
            progress.advance((end - next) << LEAF_BITS);
            next = end;
        }
        Ok(())
    }
}
