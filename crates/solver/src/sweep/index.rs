//! Which blocks are swept, in which wave, and where each is kept.

use rayon::prelude::*;

use super::geometry::{Geometry, Skip};
use crate::SolveError;
use crate::amounts::filled;

/// Families whose outer levels have one sum. Raising an outer square leads to the next wave, so
/// families of a wave do not depend on each other.
#[derive(Debug, Default)]
pub(super) struct Wave {
    /// Outer codes with at least one swept block, descending.
    pub(super) families: Vec<u32>,
    /// Swept blocks in all of them.
    pub(super) blocks: usize,
}

/// The swept blocks of all families.
#[derive(Debug)]
pub(super) struct Index {
    // By outer code: one bit for each block that is swept, by the code of the middle squares.
    swept: Vec<u64>,
    // By outer code: swept blocks in families before it in its wave.
    first: Vec<u32>,
    /// By the sum of outer levels.
    pub(super) waves: Vec<Wave>,
}

impl Index {
    /// # Errors
    /// When the machine does not give the memory.
    pub(super) fn new(geometry: &Geometry) -> Result<Index, SolveError> {
        let quiet = match geometry.skip {
            Skip::Decided => geometry.quiet(),
            Skip::Nothing => geometry.existing(),
        };
        let families = 1_usize << (2 * geometry.outer);
        let mut waves: Vec<Wave> = (0..=3 * geometry.outer).map(|_| Wave::default()).collect();
        quiet.outer_codes(&mut |outer, sum| waves[sum].families.push(outer as u32));
        let mut swept = filled(0_u64, families)?;
        let mut first = filled(0_u32, families)?;
        for wave in &mut waves {
            let masks: Vec<u64> = wave
                .families
                .par_iter()
                .with_min_len(1024)
                .map(|outer| quiet.blocks(u64::from(*outer)))
                .collect();
            let mut kept = Vec::with_capacity(wave.families.len());
            for (outer, mask) in wave.families.iter().zip(masks) {
                if mask != 0 {
                    kept.push(*outer);
                    swept[*outer as usize] = mask;
                    first[*outer as usize] = wave.blocks as u32;
                    wave.blocks += mask.count_ones() as usize;
                }
            }
            wave.families = kept;
        }
        Ok(Index {
            swept,
            first,
            waves,
        })
    }

    /// The swept blocks of a family, one bit each by the code of the middle squares.
    #[inline(always)]
    pub(super) fn swept(&self, outer: u64) -> u64 {
        self.swept[outer as usize]
    }

    /// Where a family's first swept block is kept among those of its wave.
    #[inline(always)]
    pub(super) fn first(&self, outer: u64) -> usize {
        self.first[outer as usize] as usize
    }

    /// Swept blocks of all waves.
    pub(super) fn blocks(&self) -> u64 {
        self.waves.iter().map(|wave| wave.blocks as u64).sum()
    }

    /// Most blocks that are kept at once: two waves running.
    pub(super) fn most_kept(&self) -> (usize, usize) {
        let even = self.waves.iter().step_by(2).map(|wave| wave.blocks).max();
        let odd = self
            .waves
            .iter()
            .skip(1)
            .step_by(2)
            .map(|wave| wave.blocks)
            .max();
        (even.unwrap_or(0), odd.unwrap_or(0))
    }
}
