//! Which blocks are swept, in which wave, and where each is kept.

use greenwave_values::parallel::try_for_each_chunk;
use greenwave_values::room;

use super::geometry::{Skip, SweepGeometry};
use crate::SolveError;

// Families that one thread looks at in one go.
const TASK: usize = 1024;

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
    pub(super) fn new(geometry: &SweepGeometry) -> Result<Index, SolveError> {
        let quiet = match geometry.skip {
            Skip::Decided => geometry.quiet(),
            Skip::Nothing => geometry.existing(),
        };
        let families = 1_usize << (2 * geometry.outer);
        let mut waves: Vec<Wave> = (0..=3 * geometry.outer).map(|_| Wave::default()).collect();
        let mut listed = Ok(());
        quiet.outer_codes(&mut |outer, sum| {
            if listed.is_ok() {
                listed = room::push(&mut waves[sum].families, outer as u32);
            }
        });
        listed?;
        let mut swept = room::filled(0_u64, families)?;
        let mut first = room::filled(0_u32, families)?;
        for wave in &mut waves {
            let mut masks = room::filled(0_u64, wave.families.len())?;
            try_for_each_chunk(&mut masks, TASK, |task, masks| {
                for (mask, outer) in masks.iter_mut().zip(&wave.families[task * TASK..]) {
                    *mask = quiet.blocks(u64::from(*outer));
                }
                Ok::<_, SolveError>(())
            })?;
            let mut masks = masks.into_iter();
            wave.families.retain(|outer| {
                let mask = masks.next().unwrap_or(0);
                if mask != 0 {
                    swept[*outer as usize] = mask;
                    first[*outer as usize] = wave.blocks as u32;
                    wave.blocks += mask.count_ones() as usize;
                }
                mask != 0
            });
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
