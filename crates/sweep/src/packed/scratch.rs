//! Waves on disk, for boards whose waves outgrow the memory.
//!
//! The families of a wave are cut into *bins* of those that agree in their highest far orbits. A
//! far code is the least of its images, the highest digits count most, and symmetries keep orbits:
//! so the highest orbits of a code are the least of their own images. A raise of a lower square
//! therefore leads to the bin of the same name, and a raise of one of the `s` squares of those
//! orbits to one other bin. So a bin of parents needs at most `s + 1` bins of children, each of
//! them whole.
//!
//! A wave is written in *pieces* of successive bins, by a thread of its own, while another reads the
//! bins that are wanted next. Since it is known which those are, the bins that stay in memory are
//! those that are wanted soonest.
//!
//! ```text
//! wave-NNN-PPPP   bins one after another: u64 far code of each family, u32 bytes of each stream, streams
//! bins-NNN-PPPP   for each bin: u64 its highest digits, u64 families, u64 bytes, hash of its bytes
//! ```
//!
//! All numbers are little-endian. The code of a child is more than that of its parent, so the bins of
//! children have no lower names. Once all bins up to some name are on disk, nothing below the next name
//! is wanted of the wave above. So each complete piece is a checkpoint: it names the pieces of the wave
//! at work so far, and those of the wave above that are still wanted. The others are removed once that
//! checkpoint is on disk. A resumed solve takes the bins that are there as they are, after it has
//! compared their names and sizes with those that the rules give.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use greenwave_values::room::{filled, gathered, reserved};
use rayon::prelude::*;

use super::families::{FAMILY_BYTES, Families};
use super::grain::Grain;
use super::pool::Pool;
use super::waves::{Above, FamilyCodes, PackedSweep, TaskStreams, Totals, WaveStreams};
use crate::SolveError;
use crate::checkpoint::Checkpoint;
use crate::sweep::store::Store;

use bins::{BATCH_TASKS, batched, bins_above};
pub(super) use bins::{chunk_bytes, lowest_naming};
pub(super) use pieces::PieceCheckpoint;
use pieces::{Commit, NewBin, Pieces, write_all};
pub(super) use stored::StoredWave;
pub(super) use working::{WaveOutline, WorkingSet, piece_bytes};

mod bins;
mod pieces;
mod stored;
mod working;

/// Bits of a place in a bin.
pub(super) const PLACE_BITS: u32 = 48;

/// A sweep whose waves are on disk.
pub(super) struct ScratchSweep<'a, const G: usize> {
    pub(super) sweep: &'a PackedSweep<'a, G>,
    pub(super) families: Families<'a, G>,
    pub(super) pool: Pool<G>,
    /// Bytes of bins that may stay in memory.
    pub(super) cache: u64,
    /// See [`lowest_naming`].
    pub(super) digit: usize,
    /// Families that one task settles.
    pub(super) task: usize,
    /// Bytes from which on a piece of a wave is complete.
    pub(super) piece: u64,
}

// The bins of a wave to be made, and of the one above what they need.
struct Batch {
    // Of the far codes.
    bins: Vec<Range<usize>>,
    needs: Vec<usize>,
}

// Bins of the wave above in memory.
#[derive(Default)]
struct Bins {
    bins: BTreeMap<usize, WaveStreams>,
    bytes: u64,
}

impl Bins {
    fn insert(&mut self, number: usize, bin: WaveStreams) {
        self.bytes += size(&bin);
        self.bins.insert(number, bin);
    }

    fn remove(&mut self, number: usize) -> Vec<Store> {
        let bin = self.bins.remove(&number).unwrap_or_default();
        self.bytes -= size(&bin);
        bin.chunks
    }
}

fn size(bin: &WaveStreams) -> u64 {
    let chunks = bin.chunks.iter().map(|chunk| chunk.bytes().len());
    (chunks.sum::<usize>() + 16 * bin.codes.len()) as u64
}

// Bins to be read, and buffers for them.
type Request = (Vec<usize>, Vec<Store>);
type BinsResult = Result<Vec<(usize, WaveStreams)>, SolveError>;

impl<const G: usize> ScratchSweep<'_, G> {
    fn name(&self, code: u64) -> u64 {
        code >> (2 * self.digit)
    }

    /// What a family of a complete wave came to.
    pub(super) fn solved(
        &self,
        wave: &StoredWave,
        far: u64,
    ) -> Result<Option<FamilyCodes>, SolveError> {
        let images = self.sweep.tables.images_of(far);
        let least = images.into_iter().min().unwrap_or(far);
        match wave.find(self.name(least)) {
            Some(number) => {
                let bin = wave.read::<G>(number, self.sweep.grain, &mut Vec::new(), &mut None)?;
                Ok(self.sweep.solved(&bin, far))
            }
            None => Ok(None),
        }
    }

    // By far digit, the bin above that a raise in a bin leads to.
    fn above(&self, wave: &StoredWave, name: u64) -> [Option<usize>; 32] {
        bins_above(self.sweep.tables, self.digit, name, |name| wave.find(name))
    }

    fn batches(&self, codes: &[u64], above: &StoredWave) -> Vec<Batch> {
        let name = |code: &u64| self.name(*code);
        let mut start = 0;
        let bins: Vec<Range<usize>> = codes
            .chunk_by(|a, b| name(a) == name(b))
            .map(|bin| {
                start += bin.len();
                start - bin.len()..start
            })
            .collect();
        let batches = batched(bins.iter().map(Range::len), BATCH_TASKS * self.task);
        let batches = batches.into_iter().map(|batch| {
            let bins = bins[batch].to_vec();
            let needs = bins.iter().map(|bin| name(&codes[bin.start]));
            let needs = needs.flat_map(|name| self.above(above, name)).flatten();
            let mut needs: Vec<usize> = needs.collect();
            needs.sort_unstable();
            needs.dedup();
            Batch { bins, needs }
        });
        batches.collect()
    }

    // Names of the bins that the rules give a wave, and their families.
    fn named(&self, sum: usize) -> Result<Vec<(u64, u64)>, SolveError> {
        let codes = self.families.wave(sum)?;
        let bins = codes.chunk_by(|a, b| self.name(*a) == self.name(*b));
        Ok(gathered(
            bins.map(|bin| (self.name(bin[0]), bin.len() as u64)),
        )?)
    }

    /// Checks that a checkpoint has the bins that the rules give: of the wave at work the first ones, and
    /// of the one above, which has come to some totals, all that are still wanted.
    ///
    /// # Errors
    /// When it has others.
    pub(super) fn expect(
        &self,
        checkpoint: &Checkpoint,
        above: (&StoredWave, Totals),
        begun: Option<(&StoredWave, Totals)>,
    ) -> Result<(), SolveError> {
        let refuse =
            || checkpoint.refuse("is damaged: its waves have other families than the board");
        let mut next = 0;
        if let Some((here, totals)) = begun {
            let bins = self.named(here.sum)?;
            let found = here.named();
            if !bins.starts_with(&found) || here.totals() != (totals.families, totals.bytes) {
                return Err(refuse());
            }
            next = bins.get(found.len()).ok_or_else(refuse)?.0;
        }
        let (above, totals) = above;
        let (bins, found) = (self.named(above.sum)?, above.named());
        let gone = bins.len().checked_sub(found.len()).ok_or_else(refuse)?;
        let (gone, wanted) = bins.split_at(gone);
        let whole = gone.is_empty();
        if wanted != found
            || gone.iter().any(|(name, _)| *name >= next)
            || whole && above.totals() != (totals.families, totals.bytes)
        {
            return Err(refuse());
        }
        Ok(())
    }

    /// Makes a wave, or what has not begun of it, with a checkpoint of each piece.
    pub(super) fn wave(
        &self,
        sum: usize,
        above: &StoredWave,
        begun: Option<(StoredWave, Totals)>,
        checkpoint: &mut Checkpoint,
        commit: &mut Commit<'_>,
    ) -> Result<StoredWave, SolveError> {
        let codes = self.families.wave(sum)?;
        let (here, totals) = match begun {
            Some(begun) => begun,
            None => (StoredWave::new(checkpoint, sum), Totals::default()),
        };
        let totals = Totals { sum, ..totals };
        let codes = codes.get(totals.families as usize..).unwrap_or_default();
        let batches = self.batches(codes, above);
        thread::scope(|scope| {
            let (want, wanted) = sync_channel::<Request>(1);
            let (give, given) = sync_channel::<BinsResult>(1);
            let (put, orders) = sync_channel(1);
            let (tell, told) = sync_channel(1);
            let grain = self.sweep.grain;
            scope.spawn(move || read_all::<G>(above, grain, &wanted, &give));
            let writer = scope.spawn(move || write_all(&orders, &tell));
            let mut pieces = Pieces::new(checkpoint, above, here, commit, put, told);
            let settled =
                self.settle_all(codes, &batches, above, totals, &want, &given, &mut pieces);
            let here = pieces.finish();
            drop(want);
            let written = writer.join().unwrap_or_else(|panic| {
                std::panic::resume_unwind(panic);
            });
            match (settled, written) {
                (Ok(()), Ok(())) => Ok(here),
                // What the writer met ended the work.
                (Ok(()) | Err(SolveError::Interrupted), Err(error)) => Err(error),
                (Err(error), _) => Err(error),
            }
        })
    }

    #[allow(clippy::too_many_arguments)]
    fn settle_all(
        &self,
        codes: &[u64],
        batches: &[Batch],
        above: &StoredWave,
        mut totals: Totals,
        want: &SyncSender<Request>,
        given: &Receiver<BinsResult>,
        pieces: &mut Pieces<'_, '_>,
    ) -> Result<(), SolveError> {
        let mut uses: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (number, batch) in batches.iter().enumerate().rev() {
            for need in &batch.needs {
                uses.entry(*need).or_default().push(number);
            }
        }
        // The next batch after one that needs a bin.
        let next = |bin: usize, after: usize| {
            let uses = uses.get(&bin).map_or(&[][..], Vec::as_slice);
            uses.iter().rev().find(|batch| **batch > after).copied()
        };
        let mut held = Bins::default();
        let ended = || SolveError::Interrupted;
        if let Some(first) = batches.first() {
            want.send((first.needs.clone(), Vec::new()))
                .map_err(|_| ended())?;
        }
        for (number, batch) in batches.iter().enumerate() {
            for (bin, wave) in given.recv().map_err(|_| ended())?? {
                held.insert(bin, wave);
            }
            let following = batches.get(number + 1);
            if let Some(following) = following {
                let lacking: Vec<usize> = following
                    .needs
                    .iter()
                    .copied()
                    .filter(|bin| !held.bins.contains_key(bin))
                    .collect();
                let coming: u64 = lacking.iter().map(|bin| above.bytes_of(*bin)).sum();
                let spare = self.make_room(&mut held, coming, number, batch, &next);
                want.send((lacking, spare)).map_err(|_| ended())?;
            }
            let (made, bins) = self.batch(codes, batch, above, &held)?;
            totals = totals.plus(made);
            pieces.add(bins)?;
            if let Some(following) = following
                && pieces.bytes() >= self.piece
            {
                let next = self.name(codes[following.bins[0].start]);
                pieces.end(totals, self.sweep.counted(), Some(next))?;
            }
        }
        pieces.end(totals, self.sweep.counted(), None)?;
        pieces.commit_ended()
    }

    // Lets go of the bins that are not wanted any more, and of those that are wanted last.
    fn make_room(
        &self,
        held: &mut Bins,
        coming: u64,
        number: usize,
        batch: &Batch,
        next: &dyn Fn(usize, usize) -> Option<usize>,
    ) -> Vec<Store> {
        let mut idle: Vec<(Option<usize>, usize)> = held
            .bins
            .keys()
            .filter(|bin| batch.needs.binary_search(bin).is_err())
            .map(|bin| (next(*bin, number), *bin))
            .collect();
        // Those first that are never wanted, then those that are wanted last.
        idle.sort_unstable_by_key(|(next, _)| std::cmp::Reverse(next.unwrap_or(usize::MAX)));
        let mut spare = Vec::new();
        for (next, bin) in idle {
            let soon = next.is_some_and(|next| next <= number + 1);
            if soon || next.is_some() && held.bytes + coming <= self.cache {
                break;
            }
            spare.append(&mut held.remove(bin));
        }
        // Enough for what comes.
        let mut kept = 0;
        spare.retain(|store| {
            kept += store.bytes().len() as u64;
            kept <= coming
        });
        spare
    }

    fn batch(
        &self,
        codes: &[u64],
        batch: &Batch,
        above: &StoredWave,
        held: &Bins,
    ) -> Result<(Totals, Vec<NewBin>), SolveError> {
        let places = batch.bins.iter().map(|bin| filled(0, bin.len()));
        let mut places = places.collect::<Result<Vec<Vec<u64>>, _>>()?;
        let slices = held.bins.iter().map(|(bin, wave)| (*bin, wave.slices()));
        let slices: BTreeMap<usize, Vec<&[u8]>> = slices.collect();
        let part = |bin: usize| Some(held.bins.get(&bin)?.part(slices.get(&bin)?));
        let aboves: Vec<Above<'_>> = batch
            .bins
            .iter()
            .map(|bin| {
                let above = self.above(above, self.name(codes[bin.start]));
                above.map(|bin| bin.and_then(part).unwrap_or_default())
            })
            .collect();
        let tasks =
            batch
                .bins
                .iter()
                .zip(&mut places)
                .enumerate()
                .flat_map(|(number, (bin, places))| {
                    let codes = codes[bin.clone()].chunks(self.task);
                    let places = places.chunks_mut(self.task);
                    codes
                        .zip(places)
                        .map(move |(codes, places)| (number, codes, places))
                });
        let mut tasks: Vec<(usize, &[u64], &mut [u64])> = gathered(tasks)?;
        let mut made = filled((0, TaskStreams::default()), tasks.len())?;
        tasks.par_iter_mut().zip(&mut made).try_for_each(
            |((number, codes, places), made)| -> Result<(), SolveError> {
                self.sweep.uncancelled()?;
                let above = &aboves[*number];
                let settled = self
                    .sweep
                    .settle(above, codes, places, &self.pool, codes.len());
                *made = (*number, settled?);
                Ok(())
            },
        )?;
        drop(tasks);
        let chunks = self.pool.take();
        let mut totals = Totals::default();
        let mut made = made.chunk_by(|a, b| a.0 == b.0);
        let mut bins = Vec::with_capacity(batch.bins.len());
        for (bin, places) in batch.bins.iter().zip(&places) {
            let made = made.next().unwrap_or_default();
            let bytes: u64 = made.iter().map(|(_, made)| made.totals.bytes).sum();
            let len = bytes as usize + FAMILY_BYTES as usize * bin.len();
            let mut data = reserved(len)?;
            for code in &codes[bin.clone()] {
                data.extend_from_slice(&code.to_le_bytes());
            }
            let place = |place: u64| (place & ((1 << PLACE_BITS) - 1)) as usize;
            for (places, (_, made)) in places.chunks(self.task).zip(made) {
                let ends = places.iter().skip(1).map(|end| place(*end));
                for (start, end) in places.iter().zip(ends.chain([made.end])) {
                    let length = (end - place(*start)) as u32;
                    data.extend_from_slice(&length.to_le_bytes());
                }
            }
            for (places, (_, made)) in places.chunks(self.task).zip(made) {
                let start = place(places[0]);
                data.extend_from_slice(&chunks[made.chunk].bytes()[start..made.end]);
                totals = totals.plus(made.totals);
            }
            bins.push(NewBin {
                name: self.name(codes[bin.start]),
                families: bin.len() as u64,
                data,
            });
        }
        self.pool.give(chunks);
        Ok((totals, bins))
    }
}

// Reads bins as long as any are wanted.
fn read_all<const G: usize>(
    above: &StoredWave,
    grain: Grain,
    wanted: &Receiver<Request>,
    give: &SyncSender<BinsResult>,
) {
    for (bins, mut spare) in wanted {
        // A piece that is open when it is removed takes its disk until it is closed.
        let mut opened = None;
        let read = bins
            .into_iter()
            .map(|bin| {
                let wave = above.read::<G>(bin, grain, &mut spare, &mut opened)?;
                Ok((bin, wave))
            })
            .collect();
        drop((spare, opened));
        if give.send(read).is_err() {
            return;
        }
    }
}

#[cfg(test)]
pub(super) mod tests;
