//! Waves on disk, for boards whose waves outgrow the memory.
//!
//! The families of a wave are cut into *bins* of those that agree in their highest far orbits. A far
//! code is the least of its images, the highest digits count most, and symmetries keep orbits: so the
//! highest orbits of a code are the least of their own images. A raise of a lower square therefore
//! leads to the bin of the same name, and a raise of one of the `s` squares of those orbits to one
//! other bin: a bin of parents needs at most `s + 1` bins of children, each of them whole.
//!
//! ```text
//! wave-NNN   bins one after another: u64 far code of each family, u32 bytes of each stream, streams
//! bins-NNN   for each bin: u64 its highest digits, u64 families, u64 bytes, hash of its bytes
//! ```
//!
//! All numbers are little-endian. A wave is written once, in order, by a thread of its own, while
//! another reads the bins that are wanted next. Since it is known which those are, the bins that
//! stay in memory are those that are wanted soonest. A complete wave is a checkpoint.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use greenwave_table::Hash32;
use greenwave_values::room::{filled, gathered, reserved};
use rayon::prelude::*;

use super::families::Families;
use super::kernel::{Grain, room};
use super::layout::Layout;
use super::pool::Pool;
use super::state::wave_name;
use super::tables::Tables;
use super::waves::{Above, FAMILY_BYTES, Made, Solved, Sweep, Totals, Wave};
use crate::SolveError;
use crate::checkpoint::{Checkpoint, PartWriter, Record, damaged};
use crate::sweep::store::Store;

use working::buffer_bytes;
pub(super) use working::{Waves, Working};

mod working;

/// Far squares whose levels name a bin, at least, where there are this many.
const NAMING: usize = 8;

/// Tasks whose families are settled between two looks at what is read and written, at least.
const BATCH_TASKS: usize = 32;

/// Bits of a place in a bin.
pub(super) const PLACE_BITS: u32 = 48;

/// Bytes of a bin in the list of them.
const ENTRY: usize = 56;

/// The lowest of the far digits that name a bin.
pub(super) fn lowest_naming(layout: &Layout) -> usize {
    let squares = layout.far.len();
    let enough = |digit: &&usize| squares - **digit >= NAMING.min(squares.div_ceil(2));
    layout.orbits.iter().find(enough).copied().unwrap_or(0)
}

/// Bytes that a chunk needs to take a task of this many families.
pub(super) const fn chunk_bytes(grain: Grain, fold: usize, task: usize) -> usize {
    2 * task * room(grain, fold)
}

// By far digit, the bin above that a raise in a bin leads to; `find` knows them by name.
fn bins_above<const G: usize>(
    tables: &Tables<G>,
    lowest: usize,
    name: u64,
    find: impl Fn(u64) -> Option<usize>,
) -> [Option<usize>; 32] {
    let mut above = [None; 32];
    let code = name << (2 * lowest);
    for (digit, above) in above.iter_mut().enumerate().take(tables.layout.far.len()) {
        if digit < lowest {
            *above = find(name);
        } else if code >> (2 * digit) & 3 < 3 {
            let images = tables.images_of(code + (1 << (2 * digit)));
            let least = images.into_iter().min().unwrap_or(code);
            *above = find(least >> (2 * lowest));
        }
    }
    above
}

// Which bins of this many families each are settled together, so that those are at least this many.
fn batched(bins: impl Iterator<Item = usize>, least: usize) -> Vec<Range<usize>> {
    let mut batches: Vec<Range<usize>> = Vec::new();
    let mut open = 0;
    for (number, families) in bins.enumerate() {
        match batches.last_mut() {
            Some(batch) if open < least => batch.end = number + 1,
            _ => {
                batches.push(number..number + 1);
                open = 0;
            }
        }
        open += families;
    }
    batches
}

/// A bin on disk.
#[derive(Clone, Copy, Debug)]
struct Bin {
    name: u64,
    families: u64,
    bytes: u64,
    offset: u64,
    hash: Hash32,
}

/// A complete wave on disk.
#[derive(Debug, Default)]
pub(super) struct Stored {
    pub(super) sum: usize,
    // By name.
    bins: Vec<Bin>,
    file: Option<(PathBuf, File)>,
}

impl Stored {
    /// The wave that the state of a checkpoint lists.
    pub(super) fn open(checkpoint: &Checkpoint, sum: usize) -> Result<Stored, SolveError> {
        let list = checkpoint.read(&list_name(sum))?;
        let count = list.bytes() as usize / ENTRY;
        let mut offset = 0;
        let bins = list.numbers::<ENTRY, Bin>(count, |entry| {
            let number = |at: usize| {
                let mut bytes = [0; 8];
                bytes.copy_from_slice(&entry[at..at + 8]);
                u64::from_le_bytes(bytes)
            };
            let mut hash = Hash32::default();
            hash.0.copy_from_slice(&entry[24..]);
            let bin = Bin {
                name: number(0),
                families: number(8),
                bytes: number(16),
                offset,
                hash,
            };
            offset = offset.saturating_add(bin.bytes);
            bin
        })?;
        Ok(Stored {
            sum,
            bins,
            file: Some(checkpoint.open_part(&wave_name(sum))?),
        })
    }

    /// The bins, one after another.
    pub(super) fn bins<const G: usize>(
        &self,
        grain: Grain,
    ) -> impl Iterator<Item = Result<Wave, SolveError>> {
        (0..self.bins.len()).map(move |number| self.read::<G>(number, grain, &mut Vec::new()))
    }

    fn find(&self, name: u64) -> Option<usize> {
        self.bins.binary_search_by_key(&name, |bin| bin.name).ok()
    }

    // Reads a bin into a buffer that is large enough, or a new one.
    fn read<const G: usize>(
        &self,
        number: usize,
        grain: Grain,
        spare: &mut Vec<Store>,
    ) -> Result<Wave, SolveError> {
        let bin = &self.bins[number];
        let Some((path, file)) = &self.file else {
            return Ok(Wave::default());
        };
        let damaged = |problem: &str| damaged(path, problem);
        let (bytes, families) = (bin.bytes as usize, bin.families as usize);
        if bin.bytes < FAMILY_BYTES.saturating_mul(bin.families) {
            return Err(damaged("lists a bin that is too short"));
        }
        let needed = buffer_bytes(bytes + room(grain, G));
        let fits = |store: &Store| (needed..=needed + needed / 16).contains(&store.bytes().len());
        let mut store = match spare.iter().position(fits) {
            Some(place) => spare.swap_remove(place),
            None => Store::new(needed)?,
        };
        let buffer = &mut store.bytes_mut()[..bytes];
        let mut file = file;
        file.seek(SeekFrom::Start(bin.offset))
            .and_then(|_| file.read_exact(buffer))
            .map_err(|source| SolveError::CheckpointIo {
                file: path.clone(),
                doing: "read",
                source,
            })?;
        if Hash32::of(buffer) != bin.hash {
            return Err(damaged("found other contents than were written"));
        }
        let read = Wave::read(self.sum, families, bytes, store)?;
        read.ok_or_else(|| damaged("lists families that are not there"))
    }
}

fn list_name(sum: usize) -> String {
    format!("bins-{sum:03}")
}

/// A sweep whose waves are on disk.
pub(super) struct Scratch<'a, const G: usize> {
    pub(super) sweep: &'a Sweep<'a, G>,
    pub(super) families: Families<'a, G>,
    pub(super) pool: Pool<G>,
    /// Bytes of bins that may stay in memory.
    pub(super) cache: u64,
    /// See [`lowest_naming`].
    pub(super) digit: usize,
    /// Families that one task settles.
    pub(super) task: usize,
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
    bins: BTreeMap<usize, Wave>,
    bytes: u64,
}

impl Bins {
    fn insert(&mut self, number: usize, bin: Wave) {
        self.bytes += size(&bin);
        self.bins.insert(number, bin);
    }

    fn remove(&mut self, number: usize) -> Vec<Store> {
        let bin = self.bins.remove(&number).unwrap_or_default();
        self.bytes -= size(&bin);
        bin.chunks
    }
}

fn size(bin: &Wave) -> u64 {
    let chunks = bin.chunks.iter().map(|chunk| chunk.bytes().len());
    (chunks.sum::<usize>() + 16 * bin.codes.len()) as u64
}

// A bin that was made, as it is written.
struct NewBin {
    name: u64,
    families: u64,
    data: Vec<u8>,
}

// Bins to be read, and buffers for them.
type Request = (Vec<usize>, Vec<Store>);
type Answer = Result<Vec<(usize, Wave)>, SolveError>;

impl<const G: usize> Scratch<'_, G> {
    fn name(&self, code: u64) -> u64 {
        code >> (2 * self.digit)
    }

    /// What a family of a complete wave came to.
    pub(super) fn solved(&self, wave: &Stored, far: u64) -> Result<Option<Solved>, SolveError> {
        let images = self.sweep.tables.images_of(far);
        let least = images.into_iter().min().unwrap_or(far);
        match wave.find(self.name(least)) {
            Some(number) => {
                let bin = wave.read::<G>(number, self.sweep.grain, &mut Vec::new())?;
                Ok(self.sweep.solved(&bin, far))
            }
            None => Ok(None),
        }
    }

    // By far digit, the bin above that a raise in a bin leads to.
    fn above(&self, wave: &Stored, name: u64) -> [Option<usize>; 32] {
        bins_above(self.sweep.tables, self.digit, name, |name| wave.find(name))
    }

    fn batches(&self, codes: &[u64], above: &Stored) -> Vec<Batch> {
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

    /// Makes a wave, and a checkpoint of it.
    pub(super) fn wave(
        &self,
        sum: usize,
        above: &Stored,
        checkpoint: &mut Checkpoint,
        commit: impl FnOnce(
            &mut Checkpoint,
            &Stored,
            Totals,
            Vec<(String, Record)>,
        ) -> Result<(), SolveError>,
    ) -> Result<Stored, SolveError> {
        let codes = self.families.wave(sum)?;
        let batches = self.batches(&codes, above);
        let part = checkpoint.write(&wave_name(sum))?;
        let (totals, (record, bins)) = thread::scope(|scope| {
            let (want, wanted) = sync_channel::<Request>(1);
            let (give, given) = sync_channel::<Answer>(1);
            let (put, puts) = sync_channel::<Vec<NewBin>>(1);
            let grain = self.sweep.grain;
            scope.spawn(move || read_all::<G>(above, grain, &wanted, &give));
            let writer = scope.spawn(move || write_all(part, &puts));
            let totals = self.settle_all(&codes, &batches, above, &want, &given, &put);
            if totals.is_ok() {
                // Who cannot be told has an error to tell.
                let _ = put.send(Vec::new());
            }
            drop((want, put));
            let written = writer.join().unwrap_or_else(|panic| {
                std::panic::resume_unwind(panic);
            });
            match (totals, written) {
                (Ok(totals), Ok(written)) => Ok((totals, written)),
                // What the writer met ended the work.
                (Ok(_) | Err(SolveError::Interrupted), Err(error)) => Err(error),
                (Err(error), _) => Err(error),
            }
        })?;
        let mut list = checkpoint.write(&list_name(sum))?;
        for bin in &bins {
            list.put(&bin.name.to_le_bytes())?;
            list.put(&bin.families.to_le_bytes())?;
            list.put(&bin.bytes.to_le_bytes())?;
            list.put(&bin.hash.0)?;
        }
        let parts = vec![(wave_name(sum), record), (list_name(sum), list.finish()?)];
        let here = Stored {
            sum,
            bins,
            file: Some(checkpoint.open_part(&wave_name(sum))?),
        };
        commit(checkpoint, &here, Totals { sum, ..totals }, parts)?;
        Ok(here)
    }

    fn settle_all(
        &self,
        codes: &[u64],
        batches: &[Batch],
        above: &Stored,
        want: &SyncSender<Request>,
        given: &Receiver<Answer>,
        put: &SyncSender<Vec<NewBin>>,
    ) -> Result<Totals, SolveError> {
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
        let mut totals = Totals::default();
        let ended = || SolveError::Interrupted;
        let Some(first) = batches.first() else {
            return Ok(totals);
        };
        want.send((first.needs.clone(), Vec::new()))
            .map_err(|_| ended())?;
        for (number, batch) in batches.iter().enumerate() {
            for (bin, wave) in given.recv().map_err(|_| ended())?? {
                held.insert(bin, wave);
            }
            if let Some(following) = batches.get(number + 1) {
                let lacking: Vec<usize> = following
                    .needs
                    .iter()
                    .copied()
                    .filter(|bin| !held.bins.contains_key(bin))
                    .collect();
                let coming: u64 = lacking.iter().map(|bin| above.bins[*bin].bytes).sum();
                let spare = self.make_room(&mut held, coming, number, batch, &next);
                want.send((lacking, spare)).map_err(|_| ended())?;
            }
            let (made, bins) = self.batch(codes, batch, above, &held)?;
            totals = totals.plus(made);
            put.send(bins).map_err(|_| ended())?;
        }
        Ok(totals)
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
        above: &Stored,
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
        let mut made = filled((0, Made::default()), tasks.len())?;
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
    above: &Stored,
    grain: Grain,
    wanted: &Receiver<Request>,
    give: &SyncSender<Answer>,
) {
    for (bins, mut spare) in wanted {
        let read = bins
            .into_iter()
            .map(|bin| Ok((bin, above.read::<G>(bin, grain, &mut spare)?)))
            .collect();
        drop(spare);
        if give.send(read).is_err() {
            return;
        }
    }
}

// Writes bins until an empty batch tells that these were all.
fn write_all(
    mut part: PartWriter,
    puts: &Receiver<Vec<NewBin>>,
) -> Result<(Record, Vec<Bin>), SolveError> {
    let (mut bins, mut offset) = (Vec::new(), 0);
    for batch in puts {
        if batch.is_empty() {
            return Ok((part.finish()?, bins));
        }
        for NewBin {
            name,
            families,
            data,
        } in batch
        {
            part.put(&data)?;
            bins.push(Bin {
                name,
                families,
                bytes: data.len() as u64,
                offset,
                hash: Hash32::of(&data),
            });
            offset += data.len() as u64;
        }
    }
    Err(SolveError::Interrupted)
}

#[cfg(test)]
pub(super) mod tests;
