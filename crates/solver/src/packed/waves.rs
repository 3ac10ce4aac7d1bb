//! The sweep: wave after wave of equal far sums, from the highest down, two in memory at a time.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use greenwave_game::Code;
use greenwave_values::Progress;
use rayon::prelude::*;

use super::blocks::Block;
use super::engine::{Engine, Task};
use super::families::Families;
use super::kernel::{Child, Grain, Kernel, Portable, Reader, Words, Work, each, family, room};
use super::tables::{BLOCKS, Ranks, Tables};
use crate::SolveError;
use crate::sweep::store::Store;

/// Families that one task settles: enough for their children to lie near each other.
const TASK: usize = 256;

/// Streams of the families of a wave.
#[derive(Debug, Default)]
pub(super) struct Wave {
    pub(super) sum: usize,
    /// Far codes, rising.
    codes: Vec<u64>,
    /// Where the stream of each begins: chunk, and place in it.
    places: Vec<u64>,
    chunks: Vec<Store>,
}

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
    fn plus(self, other: Totals) -> Totals {
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
pub(super) struct Sweep<'a, const G: usize> {
    pub(super) tables: &'a Tables<G>,
    pub(super) engine: Engine,
    pub(super) grain: Grain,
    /// Lost positions by the sum of all levels, counted from the streams where that is wanted.
    pub(super) tiers: Option<Mutex<Vec<u64>>>,
    /// Logarithm of the bytes of a chunk.
    pub(super) chunk_bits: u32,
    pub(super) progress: &'a dyn Progress,
}

// What a thread works with.
struct Worker<const G: usize> {
    work: Work<G>,
    chunk: Option<Chunk>,
}

struct Chunk {
    number: usize,
    store: Store,
    used: usize,
}

// Chunks of the wave at work.
struct Shelf<const G: usize> {
    workers: Mutex<Vec<Worker<G>>>,
    full: Mutex<Vec<(usize, Store)>>,
    free: Mutex<Vec<Store>>,
    numbers: AtomicUsize,
}

impl<const G: usize> Sweep<'_, G> {
    /// Sweeps all waves; `after` sees each when it is complete.
    pub(super) fn run(
        &self,
        mut after: impl FnMut(&Wave, Totals) -> Result<(), SolveError>,
    ) -> Result<(), SolveError> {
        let families = Families::new(self.tables, self.engine);
        let mut above = Wave::default();
        let shelf = Shelf {
            workers: Mutex::new(Vec::new()),
            full: Mutex::new(Vec::new()),
            free: Mutex::new(Vec::new()),
            numbers: AtomicUsize::new(0),
        };
        for sum in (0..=families.most()).rev() {
            let (here, totals) = self.wave(sum, families.wave(sum), &above, &shelf)?;
            after(&here, totals)?;
            locked(&shelf.free).append(&mut above.chunks);
            above = here;
        }
        Ok(())
    }

    fn wave(
        &self,
        sum: usize,
        codes: Vec<u64>,
        above: &Wave,
        shelf: &Shelf<G>,
    ) -> Result<(Wave, Totals), SolveError> {
        let mut places = vec![0; codes.len()];
        let none = Totals {
            sum,
            ..Totals::default()
        };
        let totals = codes
            .par_chunks(TASK)
            .zip(places.par_chunks_mut(TASK))
            .map(|(codes, places)| {
                if self.progress.cancelled() {
                    return Err(SolveError::Interrupted);
                }
                let mut worker = locked(&shelf.workers).pop().unwrap_or_else(|| Worker {
                    work: Work::new(),
                    chunk: None,
                });
                let done = self.engine.run(Settling {
                    sweep: self,
                    above,
                    codes,
                    places,
                    worker: &mut worker,
                    shelf,
                });
                locked(&shelf.workers).push(worker);
                if let Ok(totals) = &done {
                    self.progress.advance(totals.undecided);
                }
                done
            })
            .try_reduce(|| none, |a, b| Ok(a.plus(b)))?;
        let mut chunks = std::mem::take(&mut *locked(&shelf.full));
        for worker in locked(&shelf.workers).iter_mut() {
            if let Some(chunk) = worker.chunk.take() {
                chunks.push((chunk.number, chunk.store));
            }
        }
        shelf.numbers.store(0, Ordering::Relaxed);
        chunks.sort_unstable_by_key(|(number, _)| *number);
        let wave = Wave {
            sum,
            codes,
            places,
            chunks: chunks.into_iter().map(|(_, store)| store).collect(),
        };
        Ok((wave, totals))
    }

    /// The undecided and the lost positions of the blocks of a family of this wave, by rank, turned
    /// as the far code asks for; `None` where the rules decide all of them.
    pub(super) fn blocks(&self, wave: &Wave, far: u64) -> Option<Vec<[Block<G>; 2]>> {
        let images = self.tables.images_of(far);
        let code = images.into_iter().min()?;
        let symmetry = images.iter().position(|image| *image == code)?;
        let found = wave.codes.binary_search(&code).ok()?;
        let stream = self.stream(wave, wave.places[found]);
        let (open, quiet) = family::<G, Words<Portable>>(self.tables, code);
        let mut reader = Reader { stream, bit: 0 };
        let mut blocks = vec![[Block::EMPTY; 2]; BLOCKS];
        let turn = &self.tables.turns[symmetry];
        each(quiet, |rank| {
            let mut open = open.and(&self.tables.mixed[rank]);
            let mut lost = reader.block::<G, Portable>(self.grain, &open);
            for group in open.0.iter_mut().chain(&mut lost.0) {
                *group = turn.back(group);
            }
            blocks[usize::from(self.tables.origins[symmetry][rank])] = [open, lost];
        });
        Some(blocks)
    }

    fn stream<'w>(&self, wave: &'w Wave, place: u64) -> &'w [u8] {
        let chunk = &wave.chunks[(place >> self.chunk_bits) as usize];
        &chunk.bytes()[(place & ((1 << self.chunk_bits) - 1)) as usize..]
    }
}

// Some families of a wave.
struct Settling<'a, const G: usize> {
    sweep: &'a Sweep<'a, G>,
    above: &'a Wave,
    codes: &'a [u64],
    places: &'a mut [u64],
    worker: &'a mut Worker<G>,
    shelf: &'a Shelf<G>,
}

// The children of a family in the wave above.
#[derive(Clone, Copy)]
struct Raised {
    count: usize,
    // Far code, place of the stream and symmetry.
    children: [(u64, u64, usize); 32],
}

impl<const G: usize> Task<G> for Settling<'_, G> {
    type Output = Result<Totals, SolveError>;

    #[inline(always)]
    fn run<K: Kernel<G>>(self) -> Result<Totals, SolveError> {
        let sweep = self.sweep;
        let tables = sweep.tables;
        let mut totals = Totals::default();
        let mut tiers = sweep.tiers.as_ref().map(|_| vec![0; TIERS]);
        let mut cursors = [usize::MAX; 32];
        let none = Raised {
            count: 0,
            children: [(0, 0, 0); 32],
        };
        let (mut raised, mut ahead) = (none, none);
        if let Some(code) = self.codes.first() {
            children::<K, G>(sweep, self.above, *code, &mut cursors, &mut ahead);
        }
        for (number, code) in self.codes.iter().enumerate() {
            std::mem::swap(&mut raised, &mut ahead);
            if let Some(next) = self.codes.get(number + 1) {
                children::<K, G>(sweep, self.above, *next, &mut cursors, &mut ahead);
            }
            let (open, quiet) = family::<G, K>(tables, *code);
            let found = &mut self.worker.work.found;
            each(quiet, |rank| found[rank] = Block::EMPTY);
            for (far, place, symmetry) in &raised.children[..raised.count] {
                let (open, quiet) = family::<G, K>(tables, *far);
                let child = Child {
                    open,
                    quiet,
                    stream: sweep.stream(self.above, *place),
                    symmetry: *symmetry,
                };
                K::add(tables, sweep.grain, &mut self.worker.work, &child);
            }
            let size = 1_usize << sweep.chunk_bits;
            let fits = |chunk: &Chunk| chunk.used + room(G) <= size;
            if !self.worker.chunk.as_ref().is_some_and(fits) {
                if let Some(chunk) = self.worker.chunk.take() {
                    locked(&self.shelf.full).push((chunk.number, chunk.store));
                }
                let free = locked(&self.shelf.free).pop();
                self.worker.chunk = Some(Chunk {
                    number: self.shelf.numbers.fetch_add(1, Ordering::Relaxed),
                    store: match free {
                        Some(store) => store,
                        None => Store::new(size)?,
                    },
                    used: 0,
                });
            }
            let Some(chunk) = &mut self.worker.chunk else {
                unreachable!("made above");
            };
            let out = &mut chunk.store.bytes_mut()[chunk.used..];
            let settled = K::settle(
                tables,
                sweep.grain,
                &mut self.worker.work,
                &open,
                quiet,
                out,
            );
            self.places[number] = (chunk.number as u64) << sweep.chunk_bits | chunk.used as u64;
            chunk.used += settled.bytes;
            let symmetries = tables.layout.symmetries.len();
            let images = tables.images_of(*code);
            let kept = images[..symmetries].iter().filter(|image| *image == code);
            let weight = (symmetries / kept.count()) as u64;
            if let Some(tiers) = &mut tiers {
                let stream = &chunk.store.bytes()[chunk.used - settled.bytes..];
                let far = Code(*code).level_sum() as usize;
                count_tiers(sweep, &open, quiet, stream, far, weight, tiers);
            }
            totals.families += 1;
            totals.bytes += settled.bytes as u64;
            totals.undecided += weight * settled.undecided;
            totals.lost += weight * settled.lost;
        }
        if let (Some(all), Some(tiers)) = (&sweep.tiers, tiers) {
            for (all, tier) in locked(all).iter_mut().zip(tiers) {
                *all += tier;
            }
        }
        Ok(totals)
    }
}

// Reads a stream again, in the plain way, and counts its lost positions by their level sum.
fn count_tiers<const G: usize>(
    sweep: &Sweep<'_, G>,
    open: &Block<G>,
    quiet: Ranks,
    stream: &[u8],
    far: usize,
    weight: u64,
    tiers: &mut [u64],
) {
    let mut reader = Reader { stream, bit: 0 };
    each(quiet, |rank| {
        let open = open.and(&sweep.tables.mixed[rank]);
        let lost = reader.block::<G, Portable>(sweep.grain, &open);
        let sum = far + usize::from(sweep.tables.sums[rank]);
        for (number, words) in lost.0.iter().enumerate() {
            for (place, word) in words.iter().enumerate() {
                for (low, bits) in BITS_BY_SUM.iter().enumerate() {
                    let count = u64::from((word & bits).count_ones());
                    tiers[sum + number + place + low] += weight * count;
                }
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
fn children<K: Kernel<G>, const G: usize>(
    sweep: &Sweep<'_, G>,
    above: &Wave,
    code: u64,
    cursors: &mut [usize; 32],
    raised: &mut Raised,
) {
    raised.count = 0;
    let images = sweep.tables.images_of(code);
    for (digit, raises) in sweep.tables.raises.iter().enumerate() {
        if code >> (2 * digit) & 3 == 3 {
            continue;
        }
        let mut lanes = images;
        for (lane, raise) in lanes.iter_mut().zip(raises) {
            *lane = lane.wrapping_add(*raise);
        }
        let mut least = lanes[0];
        for lane in lanes {
            least = least.min(lane);
        }
        let mut equal = 0_u32;
        for (number, lane) in lanes.iter().enumerate() {
            equal |= u32::from(*lane == least) << number;
        }
        let symmetry = equal.trailing_zeros() as usize;
        let cursor = &mut cursors[digit];
        *cursor = seek(&above.codes, *cursor, least);
        if above.codes.get(*cursor) == Some(&least) {
            let place = above.places[*cursor];
            raised.children[raised.count] = (least, place, symmetry);
            raised.count += 1;
            K::prefetch(sweep.stream(above, place));
        }
    }
}

// The first place whose code is not less, looking from a place near it outwards.
#[inline(always)]
fn seek(codes: &[u64], near: usize, code: u64) -> usize {
    let (mut low, mut high) = (0, codes.len());
    if near < high {
        let mut step = 1;
        if codes[near] < code {
            low = near + 1;
            while low + step < high {
                if codes[low + step] >= code {
                    high = low + step;
                    break;
                }
                low += step + 1;
                step *= 2;
            }
        } else {
            high = near;
            while step < high {
                if codes[high - step] < code {
                    low = high - step + 1;
                    break;
                }
                high -= step;
                step *= 2;
            }
        }
    }
    while low < high {
        let middle = low.midpoint(high);
        if codes[middle] < code {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_found_from_anywhere() {
        let codes: Vec<u64> = (0..200).map(|number| 3 * number + number % 2).collect();
        for near in (0..210).chain([usize::MAX]) {
            for code in 0..620 {
                let expected = codes.partition_point(|other| *other < code);
                assert_eq!(seek(&codes, near, code), expected);
            }
        }
    }
}
