//! The sweep itself: wave after wave, families of a wave in parallel.

use greenwave_values::Progress;
use rayon::prelude::*;

use super::family::{BlockFamily, ChildBlocks, Middle, Sweeper, middles, rank};
use super::geometry::{QuietBlocks, Skip, SweepGeometry};
use super::index::{Index, Wave};
use super::layout::LOW;
use super::store::Store;
use crate::SolveError;

/// Bytes of blocks that one task sweeps, at least: enough work to be worth handing over, little
/// enough to be spread evenly.
const TASK_BYTES: usize = 1 << 18;

/// The swept values, as they are when a wave is complete.
pub(super) struct SweptWave<'a, const N: usize> {
    pub(super) geometry: &'a SweepGeometry,
    pub(super) index: &'a Index,
    /// The sum of outer levels in this wave.
    pub(super) sum: usize,
    blocks: &'a [[u8; N]],
}

impl<const N: usize> SweptWave<'_, N> {
    pub(super) fn wave(&self) -> &Wave {
        &self.index.waves[self.sum]
    }

    /// The swept blocks of this wave.
    pub(super) fn blocks(&self) -> &[[u8; N]] {
        &self.blocks[..self.wave().blocks]
    }

    /// A block of this wave, if it was swept.
    pub(super) fn block(&self, outer: u64, middle: u8) -> Option<&[u8; N]> {
        let swept = self.index.swept(outer);
        (swept >> middle & 1 == 1)
            .then(|| &self.blocks[self.index.first(outer) + rank(swept, middle)])
    }

    /// The block and the position in it that a code of the sweep names, if it was swept in this
    /// wave.
    pub(super) fn find(&self, code: u64) -> Option<(&[u8; N], usize)> {
        let outer = code >> self.geometry.outer_shift();
        let in_wave = greenwave_game::Code(outer).level_sum() as usize == self.sum;
        let middle = code >> (2 * LOW) & ((1 << (2 * self.geometry.middle)) - 1);
        let position = code & ((1 << (2 * LOW)) - 1);
        let block = in_wave.then(|| self.block(outer, middle as u8)).flatten();
        block.map(|block| (block, position as usize))
    }
}

/// Looks on while a sweep goes from wave to wave.
pub(super) trait WaveObserver<const N: usize> {
    /// The last wave that is complete already, if there is one.
    fn resumes_at(&mut self) -> Result<Option<usize>, SolveError>;

    /// Fills in the blocks of that wave.
    fn fill(&mut self, blocks: &mut [[u8; N]]) -> Result<(), SolveError>;

    /// A wave is complete; its blocks are freed two waves later. Also the losses counted in it.
    fn after(&mut self, swept: &SweptWave<'_, N>, losses: u64) -> Result<(), SolveError>;

    /// The sweep was stopped, and this is the last complete wave. Returns the error to end with.
    fn interrupted(&mut self, swept: &SweptWave<'_, N>) -> SolveError;
}

/// Sweeps everything that an index lists, from the highest wave down.
pub(super) fn sweep<const N: usize, S: Sweeper<N>>(
    geometry: &SweepGeometry,
    index: &Index,
    sweeper: &S,
    progress: &dyn Progress,
    keeper: &mut impl WaveObserver<N>,
) -> Result<(), SolveError> {
    let waves = WaveSweep {
        geometry,
        index,
        sweeper,
        progress,
        middles: middles(geometry.middle, geometry.top_level),
        unfinished: (geometry.skip == Skip::Nothing).then(|| geometry.unfinished()),
    };
    let (even, odd) = index.most_kept();
    let mut stores = [Store::new(even * N)?, Store::new(odd * N)?];
    let mut start = index.waves.len();
    if let Some(sum) = keeper.resumes_at()? {
        keeper.fill(&mut stores[sum % 2].blocks_mut()[..index.waves[sum].blocks])?;
        start = sum;
        let done: usize = index.waves[sum..].iter().map(|wave| wave.blocks).sum();
        progress.advance((done as u64) << (2 * LOW));
    }
    for sum in (0..start).rev() {
        let [even, odd] = &mut stores;
        let (here, above) = if sum % 2 == 0 {
            (even, &*odd)
        } else {
            (odd, &*even)
        };
        let swept = |sum, blocks| SweptWave {
            geometry,
            index,
            sum,
            blocks,
        };
        match waves.wave(sum, above.blocks(), here.blocks_mut()) {
            Ok(losses) => keeper.after(&swept(sum, here.blocks()), losses)?,
            Err(SolveError::Interrupted) if sum + 1 < index.waves.len() => {
                return Err(keeper.interrupted(&swept(sum + 1, above.blocks())));
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

struct WaveSweep<'a, S> {
    geometry: &'a SweepGeometry,
    index: &'a Index,
    sweeper: &'a S,
    progress: &'a dyn Progress,
    middles: Vec<Middle>,
    // Where finished blocks are swept like others, to tell them apart.
    unfinished: Option<QuietBlocks>,
}

impl<S> WaveSweep<'_, S> {
    fn wave<const N: usize>(
        &self,
        sum: usize,
        above: &[[u8; N]],
        here: &mut [[u8; N]],
    ) -> Result<u64, SolveError>
    where
        S: Sweeper<N>,
    {
        let wave = &self.index.waves[sum];
        let mut tasks = Vec::new();
        let mut families = &wave.families[..];
        let mut rest = &mut here[..wave.blocks];
        while !families.is_empty() {
            let (mut count, mut blocks) = (0, 0);
            while count < families.len() && blocks * N < TASK_BYTES {
                blocks += self.blocks_of(families[count]);
                count += 1;
            }
            let (now, later) = rest.split_at_mut(blocks);
            tasks.push((&families[..count], now));
            families = &families[count..];
            rest = later;
        }
        tasks
            .into_par_iter()
            .map(|(families, out)| self.task(families, above, out))
            .sum::<Result<u64, SolveError>>()
    }

    fn blocks_of(&self, outer: u32) -> usize {
        self.index.swept(u64::from(outer)).count_ones() as usize
    }

    fn task<const N: usize>(
        &self,
        families: &[u32],
        above: &[[u8; N]],
        mut out: &mut [[u8; N]],
    ) -> Result<u64, SolveError>
    where
        S: Sweeper<N>,
    {
        if self.progress.cancelled() {
            return Err(SolveError::Interrupted);
        }
        let swept = out.len();
        let mut losses = 0;
        let mut children = Vec::with_capacity(self.geometry.outer);
        let mut ahead = Vec::with_capacity(self.geometry.outer);
        let mut leads_out_ahead = match families.first() {
            Some(first) => self.children(u64::from(*first), above, &mut ahead),
            None => 0,
        };
        for (number, outer) in families.iter().enumerate() {
            std::mem::swap(&mut children, &mut ahead);
            let leads_out = leads_out_ahead;
            ahead.clear();
            if let Some(next) = families.get(number + 1) {
                leads_out_ahead = self.children(u64::from(*next), above, &mut ahead);
            }
            let (now, later) = out.split_at_mut(self.blocks_of(*outer));
            out = later;
            let outer = u64::from(*outer);
            let swept = self.index.swept(outer);
            let family = BlockFamily {
                outer,
                swept,
                finished: self.unfinished.as_ref().map_or(0, |unfinished| {
                    if unfinished.outer_is_quiet(outer) {
                        swept & !unfinished.blocks(outer)
                    } else {
                        swept
                    }
                }),
                leads_out,
                middles: &self.middles,
                children: &children,
                ahead: &ahead,
            };
            losses += self.sweeper.sweep(&family, now);
        }
        self.progress.advance((swept as u64) << (2 * LOW));
        Ok(losses)
    }

    // Finds the families that raises of outer squares lead to; returns the blocks of this one from
    // which one of them leads to a block that is not swept.
    fn children<'a, const N: usize>(
        &self,
        outer: u64,
        above: &'a [[u8; N]],
        children: &mut Vec<ChildBlocks<'a, N>>,
    ) -> u64 {
        children.clear();
        let top = u64::from(self.geometry.top_level);
        let mut all_swept = u64::MAX;
        for square in (0..self.geometry.outer).filter(|square| outer >> (2 * square) & 3 < top) {
            let raised = outer + (1 << (2 * square));
            let swept = self.index.swept(raised);
            all_swept &= swept;
            if swept != 0 {
                let first = self.index.first(raised);
                children.push(ChildBlocks {
                    square,
                    swept,
                    blocks: &above[first..first + swept.count_ones() as usize],
                });
            }
        }
        !all_swept
    }
}
