//! The sweep: waves of equal far sums, each from the one above.

use std::sync::Mutex;

use greenwave_game::{Code, Outcome};
use greenwave_values::room::collected;
use greenwave_values::{Progress, ValuesError, codes::value_code};
use rayon::prelude::*;

use super::blocks::Block;
use super::codes;
use super::codes::first::BlockStart;
use super::codes::rows::{CodeBlock, place};
use super::counts::{FamilyCounts, StreamCounter};
use super::families::{FAMILY_BYTES, TASK};
use super::grain::{Grain, room};
use super::kernel::{PackedKernel, Portable, Routine, StreamReader, WordLoops, family};
use super::loops::Loops;
use super::pool::{Chunk, LINES, Near, Pool, Worker, locked};
use super::seek::seek;
use super::tables::{Tables, each};
use super::work::{ChildFamily, FamilyBlocks};
use crate::SolveError;
use crate::sweep::store::Store;

/// Families whose children are found before they are added.
const AHEAD: usize = 2;

/// Streams of the families of a wave, or of some of them.
#[derive(Debug, Default)]
pub(super) struct WaveStreams {
    pub(super) sum: usize,
    /// Far codes, rising.
    pub(super) codes: Vec<u64>,
    /// Where the stream of each begins: chunk, and place in it.
    pub(super) places: Vec<u64>,
    pub(super) chunks: Vec<Store>,
}

impl WaveStreams {
    /// Families as they are written: `u64` far codes, `u32` bytes of each stream, streams. They begin a
    /// buffer and take this many bytes of it; `None` where that is not what it holds.
    ///
    /// # Errors
    /// When the machine does not give the memory.
    pub(super) fn read(
        sum: usize,
        families: usize,
        bytes: usize,
        buffer: Store,
    ) -> Result<Option<WaveStreams>, ValuesError> {
        let all = buffer.bytes().get(..bytes);
        let Some((codes, rest)) = all.and_then(|all| all.split_at_checked(8 * families)) else {
            return Ok(None);
        };
        let Some(lengths) = rest.get(..4 * families) else {
            return Ok(None);
        };
        let codes = codes.as_chunks::<8>().0.iter();
        let codes = collected(codes.map(|code| u64::from_le_bytes(*code)))?;
        let mut place = FAMILY_BYTES * families as u64;
        let lengths = lengths.as_chunks::<4>().0.iter();
        let places = collected(lengths.map(|length| {
            let here = place;
            place += u64::from(u32::from_le_bytes(*length));
            here
        }))?;
        Ok(
            (place == bytes as u64 && codes.is_sorted()).then(|| WaveStreams {
                sum,
                codes,
                places,
                chunks: vec![buffer],
            }),
        )
    }

    /// Its chunks as they are read.
    pub(super) fn slices(&self) -> Vec<&[u8]> {
        self.chunks.iter().map(Store::bytes).collect()
    }

    /// Its families, with the chunks that are still there.
    pub(super) fn part<'w>(&'w self, chunks: &'w [&'w [u8]]) -> WavePart<'w> {
        WavePart {
            codes: &self.codes,
            places: &self.places,
            chunks,
        }
    }
}

/// Families of a wave, and their streams where they are still there.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct WavePart<'w> {
    codes: &'w [u64],
    places: &'w [u64],
    chunks: &'w [&'w [u8]],
}

/// Where the children of some families are, if they are anywhere: by the far digit that is raised.
pub(super) type Above<'w> = [WavePart<'w>; 32];

/// What a wave came to, not up to symmetry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Totals {
    /// The sum of far levels.
    pub(crate) sum: usize,
    /// Families, one of each orbit.
    pub(crate) families: u64,
    /// Bytes of their streams.
    pub(crate) bytes: u64,
    /// Undecided positions.
    pub(crate) undecided: u64,
    /// The lost ones of them.
    pub(crate) lost: u64,
}

impl Totals {
    pub(super) fn plus(self, other: Totals) -> Totals {
        Totals {
            sum: self.sum.max(other.sum),
            families: self.families + other.families,
            bytes: self.bytes + other.bytes,
            undecided: self.undecided + other.undecided,
            lost: self.lost + other.lost,
        }
    }
}

/// A sweep under way.
pub(super) struct PackedSweep<'a, const G: usize> {
    pub(super) tables: &'a Tables<G>,
    pub(super) loops: Loops,
    pub(super) grain: Grain,
    /// How blocks begin, for the code grain.
    pub(super) first: BlockStart<G>,
    /// Of the families so far, with the code grain.
    pub(super) counts: Mutex<FamilyCounts>,
    /// Lost positions by the sum of all levels, counted from the streams where that is wanted.
    pub(super) tiers: Option<Mutex<Vec<u64>>>,
    /// How many bits of a stream's place tell where it begins in its chunk.
    pub(super) chunk_bits: u32,
    /// Bytes of a chunk.
    pub(super) chunk_bytes: usize,
    pub(super) progress: &'a dyn Progress,
}

/// The codes that tables give the undecided positions of a family, by rank and position in the block.
pub(super) type FamilyCodes = Vec<Option<u8>>;

/// What a task made: how much, and where its streams lie, one after another where they had to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TaskStreams {
    pub(super) totals: Totals,
    pub(super) chunk: usize,
    /// Of the last stream, in its chunk.
    pub(super) end: usize,
}

impl<const G: usize> PackedSweep<'_, G> {
    /// The counts so far, where there are any.
    pub(super) fn counted(&self) -> FamilyCounts {
        locked(&self.counts).clone()
    }

    /// Takes the counts of waves that are complete already.
    pub(super) fn go_on_from(&mut self, counts: &FamilyCounts) {
        locked(&self.counts).clone_from(counts);
    }

    /// Settles families of a wave from what they need of the one above.
    pub(super) fn settle_all(
        &self,
        sum: usize,
        codes: &[u64],
        places: &mut [u64],
        above: &Above<'_>,
        pool: &Pool<G>,
    ) -> Result<Totals, SolveError> {
        let none = Totals {
            sum,
            ..Totals::default()
        };
        codes
            .par_chunks(TASK)
            .zip(places.par_chunks_mut(TASK))
            // Else the last threads wait for one with a quarter of what is left.
            .with_max_len(1)
            .map(|(codes, places)| {
                self.uncancelled()?;
                let made = self.settle(above, codes, places, pool, 1);
                made.map(|made| made.totals)
            })
            .try_reduce(|| none, |a, b| Ok(a.plus(b)))
    }

    /// Goes on unless somebody has asked to stop.
    pub(super) fn uncancelled(&self) -> Result<(), SolveError> {
        if self.progress.cancelled() {
            return Err(SolveError::Interrupted);
        }
        Ok(())
    }

    /// Settles some families. The streams of `together` of them are laid one after another.
    pub(super) fn settle(
        &self,
        above: &Above<'_>,
        codes: &[u64],
        places: &mut [u64],
        pool: &Pool<G>,
        together: usize,
    ) -> Result<TaskStreams, SolveError> {
        let mut worker = pool.worker(self.grain);
        let made = self.settle_by(&mut worker, above, codes, places, pool, together);
        pool.put_back(worker);
        made
    }

    /// The same by what a thread works with, which should stay with the thread: it is in its cache.
    pub(super) fn settle_by(
        &self,
        worker: &mut Worker<G>,
        above: &Above<'_>,
        codes: &[u64],
        places: &mut [u64],
        pool: &Pool<G>,
        together: usize,
    ) -> Result<TaskStreams, SolveError> {
        let made = self.loops.run(FamilyTask {
            sweep: self,
            above,
            codes,
            places,
            worker,
            pool,
            together,
        });
        if let Ok(made) = &made {
            self.progress.advance(made.totals.undecided);
        }
        made
    }

    /// What the undecided positions of a family of this wave came to, turned as the far code asks for;
    /// `None` where the rules decide all of them.
    pub(super) fn solved(&self, wave: &WaveStreams, far: u64) -> Option<FamilyCodes> {
        let images = self.tables.images_of(far);
        let code = images.into_iter().min()?;
        let symmetry = images.iter().position(|image| *image == code)?;
        let found = wave.codes.binary_search(&code).ok()?;
        let mut stream = self.stream(wave, wave.places[found]);
        let (open, quiet) = family::<G, WordLoops<Portable>>(self.tables, code);
        let mut reader = StreamReader::new(stream);
        let mut solved = vec![None; self.tables.middles.len() * 256];
        let turn = &self.tables.turns[symmetry];
        let origins = &self.tables.origins[symmetry];
        each(quiet, |rank| {
            let mut open = open.and(&self.tables.mixed[rank]);
            let to = &mut solved[usize::from(origins[rank]) * 256..][..256];
            if let Grain::Code(law) = self.grain {
                let CodeBlock(bytes) = codes::read(&mut stream, &open);
                for (position, code) in to.iter_mut().enumerate() {
                    let (row, lane) = place(position);
                    let from = usize::from(turn.rows[row][lane]);
                    let there = open.0[row] >> from & 1 == 1;
                    *code = there.then(|| law.code(bytes[row][from]));
                }
                return;
            }
            let mut lost = reader.block::<Portable>(self.grain, rank, &open);
            for block in [&mut open, &mut lost] {
                *block = turn.back(block);
            }
            for (position, code) in to.iter_mut().enumerate() {
                let outcome = if lost.bit(position) {
                    Outcome::Loss
                } else {
                    Outcome::Win
                };
                *code = open.bit(position).then(|| value_code(outcome));
            }
        });
        Some(solved)
    }

    /// A stream, and whatever comes after it.
    pub(super) fn stream<'w>(&self, wave: &'w WaveStreams, place: u64) -> &'w [u8] {
        let (chunk, start) = self.split(place);
        &wave.chunks[chunk].bytes()[start..]
    }

    // The chunk of a stream, and where it begins there.
    fn split(&self, place: u64) -> (usize, usize) {
        let start = place & ((1 << self.chunk_bits) - 1);
        ((place >> self.chunk_bits) as usize, start as usize)
    }

    /// The last family of each chunk of a wave.
    pub(super) fn last_codes(&self, wave: &WaveStreams) -> Vec<u64> {
        let mut last = vec![0; wave.chunks.len()];
        for (code, place) in wave.codes.iter().zip(&wave.places) {
            last[self.split(*place).0] = *code;
        }
        last
    }
}

// Some families of a wave.
struct FamilyTask<'a, const G: usize> {
    sweep: &'a PackedSweep<'a, G>,
    above: &'a Above<'a>,
    codes: &'a [u64],
    places: &'a mut [u64],
    worker: &'a mut Worker<G>,
    pool: &'a Pool<G>,
    together: usize,
}

// The children of a family in the wave above.
#[derive(Clone, Copy)]
struct RaisedFamilies<'w> {
    count: usize,
    // Far code, stream and symmetry.
    children: [(u64, &'w [u8], usize); 32],
}

impl<const G: usize> Routine<G> for FamilyTask<'_, G> {
    type Output = Result<TaskStreams, SolveError>;

    #[inline(always)]
    fn run<K: PackedKernel<G>>(self) -> Result<TaskStreams, SolveError> {
        let sweep = self.sweep;
        let tables = sweep.tables;
        let (mut totals, mut made) = (Totals::default(), (0, 0));
        let mut tiers = sweep.tiers.as_ref().map(|_| vec![0; TIERS]);
        let mut counter = StreamCounter::new(sweep.grain, locked(&sweep.counts).longest);
        let none = RaisedFamilies {
            count: 0,
            children: [(0, &[][..], 0); 32],
        };
        // Streams are requested two families ahead: from memory they take longer than one.
        let mut raised = [none; AHEAD + 1];
        for (code, raised) in self.codes.iter().zip(&mut raised[..AHEAD]) {
            children::<K, G>(sweep, self.above, *code, &mut self.worker.near, raised);
        }
        for (number, code) in self.codes.iter().enumerate() {
            if let Some(next) = self.codes.get(number + AHEAD) {
                let raised = &mut raised[(number + AHEAD) % (AHEAD + 1)];
                children::<K, G>(sweep, self.above, *next, &mut self.worker.near, raised);
            }
            let raised = &raised[number % (AHEAD + 1)];
            let work = &mut self.worker.work;
            (work.open, work.quiet) = family::<G, K>(tables, *code);
            K::begin(sweep.grain, work);
            if let Grain::Code(_) = sweep.grain {
                let FamilyBlocks {
                    open, quiet, codes, ..
                } = work;
                codes.begin::<K>(&sweep.first, tables, *code, open, *quiet);
            }
            for (far, stream, symmetry) in &raised.children[..raised.count] {
                let (open, quiet) = match sweep.grain {
                    // Its stream says which blocks it is of.
                    Grain::Sparse => (Block::EMPTY, [[0; 4]; G]),
                    Grain::Byte | Grain::Bit | Grain::Code(_) => family::<G, K>(tables, *far),
                };
                let child = ChildFamily {
                    open,
                    quiet,
                    stream,
                    symmetry: *symmetry,
                };
                K::add(tables, sweep.grain, work, &child);
            }
            let size = sweep.chunk_bytes;
            let together = self.together.saturating_sub(number).max(1);
            let fits = |chunk: &Chunk| chunk.used + together * room(sweep.grain, G) <= size;
            if !self.worker.chunk.as_ref().is_some_and(fits) {
                let full = self.worker.chunk.take();
                self.worker.chunk = Some(self.pool.chunk(full, size, self.codes[0])?);
            }
            let Some(chunk) = &mut self.worker.chunk else {
                unreachable!("made above");
            };
            let out = &mut chunk.store.bytes_mut()[chunk.used..];
            let settled = K::settle(tables, sweep.grain, work, out);
            self.places[number] = (chunk.number as u64) << sweep.chunk_bits | chunk.used as u64;
            chunk.used += settled.bytes;
            let symmetries = tables.layout.symmetries.len();
            let images = tables.images_of(*code);
            let kept = images[..symmetries].iter().filter(|image| *image == code);
            let weight = (symmetries / kept.count()) as u64;
            if let Some(counter) = &mut counter {
                let stream = &chunk.store.bytes()[chunk.used - settled.bytes..chunk.used];
                counter.count(stream, weight);
                let plies = settled.longest;
                let lowest = || tables.least_image(tables.join(*code, tables.ranks[0].into(), 0));
                if plies > 0 && counter.counts.would_see(plies, lowest) {
                    see_longest(tables, *code, work, stream, plies, &mut counter.counts);
                }
            }
            if let Some(tiers) = &mut tiers {
                let stream = &chunk.store.bytes()[chunk.used - settled.bytes..];
                let far = Code(*code).level_sum() as usize;
                count_tiers::<K, G>(sweep, work, stream, far, weight, tiers);
            }
            made = (chunk.number, chunk.used);
            totals.families += 1;
            totals.bytes += settled.bytes as u64;
            totals.undecided += weight * settled.undecided;
            totals.lost += weight * settled.lost;
        }
        let bytes = totals.bytes / totals.families.max(1);
        self.worker.near.lines = LINES.min(bytes as usize / 64 + 2);
        if let Some(counter) = counter {
            locked(&sweep.counts).add(&counter.finish());
        }
        if let (Some(all), Some(tiers)) = (&sweep.tiers, tiers) {
            for (all, tier) in locked(all).iter_mut().zip(tiers) {
                *all += tier;
            }
        }
        Ok(TaskStreams {
            totals,
            chunk: made.0,
            end: made.1,
        })
    }
}

// Reads a stream again, in the plain way, for the lowest position that takes this many plies.
fn see_longest<const G: usize>(
    tables: &Tables<G>,
    far: u64,
    work: &FamilyBlocks<G>,
    mut stream: &[u8],
    plies: u8,
    counts: &mut FamilyCounts,
) {
    each(work.quiet, |rank| {
        let open = work.open.and(&tables.mixed[rank]);
        let CodeBlock(bytes) = codes::read(&mut stream, &open);
        for position in 0..256 {
            let (row, lane) = place(position);
            let byte = bytes[row][lane];
            if byte.min(u8::MAX - byte) == plies && open.0[row] >> lane & 1 == 1 {
                counts.see(plies, tables.least_image(tables.join(far, rank, position)));
            }
        }
    });
}

// Reads a stream again, and counts its lost positions by their level sum.
#[inline(always)]
fn count_tiers<K: PackedKernel<G>, const G: usize>(
    sweep: &PackedSweep<'_, G>,
    work: &FamilyBlocks<G>,
    stream: &[u8],
    far: usize,
    weight: u64,
    tiers: &mut [u64],
) {
    if matches!(sweep.grain, Grain::Code(_)) {
        return;
    }
    let mut reader = StreamReader::new(stream);
    each(work.quiet, |rank| {
        let open = work.open.and(&sweep.tables.mixed[rank]);
        let lost = K::block(&mut reader, sweep.grain, rank, &open);
        let sum = far + usize::from(sweep.tables.sums[rank]);
        for (place, word) in lost.0.iter().enumerate() {
            for (low, bits) in BITS_BY_SUM.iter().enumerate() {
                let count = u64::from((word & bits).count_ones());
                tiers[sum + place + low] += weight * count;
            }
        }
    });
}

/// Sums of levels: up to three on each of 32 squares.
pub(super) const TIERS: usize = 97;

// For each sum, the bits of a word whose three levels come to it.
const BITS_BY_SUM: [u64; 10] = {
    let mut bits = [0; 10];
    let mut bit = 0;
    while bit < 64 {
        bits[(bit & 3) + (bit >> 2 & 3) + (bit >> 4)] |= 1 << bit;
        bit += 1;
    }
    bits
};

// Finds the children of a family, and asks for their streams.
#[inline(always)]
fn children<'w, K: PackedKernel<G>, const G: usize>(
    sweep: &PackedSweep<'_, G>,
    above: &Above<'w>,
    code: u64,
    near: &mut Near,
    raised: &mut RaisedFamilies<'w>,
) {
    raised.count = 0;
    let images = sweep.tables.images_of(code);
    for (digit, raises) in sweep.tables.raises.iter().enumerate() {
        if code >> (2 * digit) & 3 == 3 {
            continue;
        }
        let (least, symmetry) = K::least(&images, raises);
        let (cursor, above) = (&mut near.cursors[digit], above[digit]);
        *cursor = seek(above.codes, *cursor, least);
        if above.codes.get(*cursor) == Some(&least) {
            let (chunk, start) = sweep.split(above.places[*cursor]);
            let stream = &above.chunks[chunk][start..];
            raised.children[raised.count] = (least, stream, symmetry);
            raised.count += 1;
            K::prefetch(stream, near.lines);
        }
    }
}
