//! What a sweep by several ranks will take: bytes in memory, over the network and on disk, and time.

use greenwave_game::{BoardGame, Game, Metric};

use super::batches::{BATCHES, LEAST};
use super::shards::Shards;
use crate::SolveError;
use crate::packed::families::{FAMILY_BYTES, Families, PICKED, Weight};
use crate::packed::grain::{Grain, room};
use crate::packed::loops::{Loops, keeps};
use crate::packed::need::FIXED_BYTES;
use crate::packed::pairs::{WavePair, WaveSize};
use crate::packed::plan::{COUNTED, COUNTING, PackedPlan};
use crate::packed::tables::Tables;
use crate::sweep::Kernel;

/// Families of a wave, roughly, in the sample that compares streams of bytes with streams of bits.
const SEEN: f64 = 1e4;

/// A wave with so many times fewer families than the largest one is not looked at in that sample.
const NEXT_TO_NOTHING: u128 = 1000;

/// Bytes that MPI and the program itself take of a rank's process: with Open MPI 4.1 on 4x5, 1 to 4 ranks.
const PROCESS_BYTES: u128 = 7 << 20;

/// The machines that ranks run on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Park {
    /// Ranks.
    pub ranks: usize,
    /// Threads of each.
    pub threads: usize,
    /// Bytes of memory of each.
    pub memory: u64,
    /// Bytes of disk for each, where checkpoints are made.
    pub disk: Option<u64>,
    /// Bits a second that each can send while it receives as many.
    pub network: f64,
    /// Seconds that a message takes besides its bytes.
    pub delay: f64,
}

/// What a wave will take.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WaveForecast {
    /// The sum of the levels of far squares.
    pub sum: usize,
    /// Families, one of each orbit.
    pub families: u128,
    /// Bytes of their streams, of all ranks together.
    pub stream_bytes: u128,
    /// Bytes that a rank holds while it makes the wave.
    pub held_bytes: u128,
    /// Bytes of the wave above that cross the network while it is made, of all ranks together.
    pub sent_bytes: u128,
    /// Bytes of its checkpoint, of all ranks together; 0 where there are none.
    pub disk_bytes: u128,
    /// Seconds of settling its families, and of sending and receiving beside it.
    pub settling: f64,
    /// Seconds of sending, receiving and waiting while nothing is settled.
    pub exchanging: f64,
}

/// What a sweep by several ranks will take.
#[derive(Clone, Debug, PartialEq)]
pub struct Forecast {
    /// Wave by wave, from the highest sum down.
    pub waves: Vec<WaveForecast>,
    /// `byte`, `bit` or `code`: what streams keep.
    pub grain: &'static str,
    /// Most bytes that a rank holds.
    pub memory_bytes: u128,
    /// Bytes over the network, of all ranks together.
    pub sent_bytes: u128,
    /// The streams among them, each once for each rank that has parents in need of it.
    pub least_sent_bytes: u128,
    /// Most bytes on disk for each rank: the checkpoint of a wave, beside that of an earlier one.
    pub disk_bytes: u128,
    /// Seconds.
    pub seconds: f64,
    /// Whether the families come from a sample: to count them would take long.
    pub sampled: bool,
    pub(super) chunk_bits: u32,
}

// What the families of a wave come to, up to symmetry.
#[derive(Clone, Copy, Debug, Default)]
struct Size {
    families: u128,
    bytes: u128,
}

impl Forecast {
    /// The cost of a board on some machines with these instructions: with the quickest grain of
    /// streams that fits their memory, or else the smallest.
    ///
    /// # Errors
    /// When no sweep treats the board.
    pub fn new(
        game: &BoardGame,
        metric: Metric,
        kernel: Kernel,
        park: &Park,
    ) -> Result<Forecast, SolveError> {
        let plan = PackedPlan::unweighed(game, metric, Kernel::best());
        let plan = plan.ok_or_else(|| not_shared(game))?;
        // Not every CPU with the registers has all instructions; other machines are taken to have them.
        let kernel = if kernel.is_supported() {
            Loops::of(kernel).instructions()
        } else {
            kernel
        };
        let sizes = Sizes::of(&plan, park.ranks, COUNTING).ok_or_else(|| not_shared(game))?;
        let forecasts = Forecast::of_grains(&plan, kernel, &sizes, park);
        let fits = |forecast: &&Forecast| {
            (forecast.grain != name(Grain::Byte) || keeps(kernel, Grain::Byte))
                && forecast.memory_bytes <= u128::from(park.memory)
        };
        let found = forecasts.iter().find(fits).or(forecasts.last());
        found.cloned().ok_or_else(|| not_shared(game))
    }

    /// The same for each grain.
    pub(super) fn of_grains(
        plan: &PackedPlan<'_>,
        kernel: Kernel,
        sizes: &Sizes,
        park: &Park,
    ) -> Vec<Forecast> {
        let fold = plan.layout.fold();
        let forecasts = Grain::of_known_length(plan.metric)
            .iter()
            .zip(&sizes.of_grains);
        forecasts
            .map(|(grain, waves)| of_sizes(plan, (kernel, *grain), fold, sizes, waves, park))
            .collect()
    }

    /// Families of the largest wave.
    #[must_use]
    pub fn most_families(&self) -> u128 {
        let families = self.waves.iter().map(|wave| wave.families);
        families.max().unwrap_or_default()
    }
}

/// What the families of the waves come to, for each grain.
#[derive(Clone, Debug)]
pub(super) struct Sizes {
    // Blocks of all families.
    blocks: u64,
    // Whether the waves are those of a sample.
    sampled: bool,
    of_grains: Vec<Vec<Size>>,
}

impl Sizes {
    /// Computes them for a number of ranks with this number of bytes of memory, or where each rank
    /// will hold less, with as many as that. Gives `None` where that is too little.
    pub(super) fn of(plan: &PackedPlan<'_>, ranks: usize, memory: u128) -> Option<Sizes> {
        let (blocks, families) = plan.layout.counts(&plan.patterns);
        let most = 3 * plan.layout.far.len();
        let grains = Grain::of_known_length(plan.metric);
        let symmetries = plan.layout.symmetries.len() as f64;
        let many = families / symmetries > COUNTED;
        let of_grains = if many {
            let about = WavePair::largest(&plan.wave_sizes(0)?, *grains.last()?);
            let memory = memory.min(u128::from(about.bytes) / ranks as u128);
            let waves = plan.wave_sizes(memory)?;
            if plan.layout.fold() == 1 {
                counted::<1>(plan, grains, &waves)?
            } else {
                counted::<4>(plan, grains, &waves)?
            }
        } else if plan.layout.fold() == 1 {
            listed::<1>(plan, most, grains)?
        } else {
            listed::<4>(plan, most, grains)?
        };
        Some(Sizes {
            blocks: (blocks / symmetries) as u64,
            sampled: many && !plan.is_quick_to_count(),
            of_grains,
        })
    }

    /// As numbers, for other ranks.
    pub(super) fn numbers(&self) -> Vec<u64> {
        let sizes = self.of_grains.iter().flatten();
        let sizes = sizes.flat_map(|size| [size.families as u64, size.bytes as u64]);
        let first = [self.blocks, self.sampled.into()];
        first.into_iter().chain(sizes).collect()
    }

    /// The other way round; `None` where there are no numbers.
    pub(super) fn read(plan: &PackedPlan<'_>, numbers: &[u64]) -> Option<Sizes> {
        let ([blocks, sampled], numbers) = numbers.split_first_chunk()?;
        let sizes: Vec<Size> = numbers
            .as_chunks::<2>()
            .0
            .iter()
            .map(|[families, bytes]| Size {
                families: (*families).into(),
                bytes: (*bytes).into(),
            })
            .collect();
        let waves = 3 * plan.layout.far.len() + 1;
        let of_grains: Vec<Vec<Size>> = sizes.chunks(waves).map(<[Size]>::to_vec).collect();
        (of_grains.len() == Grain::of_known_length(plan.metric).len()).then_some(Sizes {
            blocks: *blocks,
            sampled: *sampled != 0,
            of_grains,
        })
    }
}

fn not_shared(game: &BoardGame) -> SolveError {
    SolveError::NotShared {
        variant: game.rules().title().to_string(),
    }
}

fn name(grain: Grain) -> &'static str {
    match grain {
        Grain::Sparse => "sparse",
        Grain::Byte => "byte",
        Grain::Bit => "bit",
        Grain::Code(_) => "code",
    }
}

// By looking at every family; `None` where the machine does not give the memory to list them.
fn listed<const G: usize>(
    plan: &PackedPlan<'_>,
    most: usize,
    grains: &[Grain],
) -> Option<Vec<Vec<Size>>> {
    let tables = Tables::<G>::new(&plan.patterns, plan.layout.clone(), Grain::Bit);
    let families = Families::new(&tables, plan.loops);
    let weights = (0..=most).map(|sum| families.weight(sum, 1));
    let weights = weights.collect::<Result<Vec<_>, _>>().ok()?;
    let sizes = |grain: &Grain| {
        let size = |weight: &Weight| Size {
            families: weight.families.into(),
            bytes: weight.bytes(*grain).into(),
        };
        weights.iter().map(size).collect()
    };
    Some(grains.iter().map(sizes).collect())
}

// From what was counted square by square, which is exact but for families that are their own image.
fn counted<const G: usize>(
    plan: &PackedPlan<'_>,
    grains: &[Grain],
    waves: &[WaveSize],
) -> Option<Vec<Vec<Size>>> {
    let bits = |wave: &WaveSize| wave.positions / 8 + wave.families.min(wave.positions) / 2;
    let mut sizes = Vec::new();
    for grain in grains {
        let mut bytes: Vec<u128> = match grain {
            Grain::Sparse => unreachable!("its streams are of no known length"),
            Grain::Byte | Grain::Bit => waves.iter().map(bits).collect(),
            Grain::Code(_) => waves.iter().map(|wave| wave.positions).collect(),
        };
        if *grain == Grain::Byte {
            let tables = Tables::<G>::new(&plan.patterns, plan.layout.clone(), Grain::Bit);
            let families = Families::new(&tables, plan.loops);
            let (picked, _) = families.estimated(PICKED);
            let all = Weight::sum(&picked.concat());
            let most = waves.iter().map(|wave| wave.families).max()?;
            // To find that a wave has no families takes as long as to list all of another one.
            let filled = waves.iter().enumerate().zip(&mut bytes);
            for ((sum, wave), bytes) in filled.filter(|((_, wave), _)| wave.families > 0) {
                let parts = (wave.families as f64 / SEEN).ceil().max(1.0) as usize;
                let here = Weight::sum(&picked[sum]);
                // Below a few prefixes there may be too many to look at, and too few to tell of all. A wave
                // that holds next to nothing takes as long to list and decides nothing.
                let few = parts.saturating_mul(16) > families.prefixes()
                    || wave.families.saturating_mul(NEXT_TO_NOTHING) < most;
                let seen = match (few, here == Weight::default()) {
                    (false, _) => families.weight(sum, parts).ok()?,
                    (true, false) => here,
                    (true, true) => all,
                };
                let bits = seen.bytes(Grain::Bit).max(1);
                *bytes = *bytes * u128::from(seen.bytes(Grain::Byte)) / u128::from(bits);
            }
        }
        let size = |(wave, bytes): (&WaveSize, u128)| Size {
            families: wave.families,
            bytes,
        };
        sizes.push(waves.iter().zip(bytes).map(size).collect());
    }
    Some(sizes)
}

/// The part of the streams that any parent on another rank needs, as on 4x5 and 4x6.
const NEEDED: f64 = 0.91;

/// Nanoseconds that a byte takes on one core of a rank that sends it, and of one that receives it: as on
/// 4x5 and 4x6 with ranks on one machine.
const COPYING: f64 = 0.2;

/// Seconds that ranks wait for each other before a wave, besides what messages take.
const MEETING: f64 = 100e-6;

fn of_sizes(
    plan: &PackedPlan<'_>,
    (kernel, grain): (Kernel, Grain),
    fold: usize,
    all: &Sizes,
    sizes: &[Size],
    park: &Park,
) -> Forecast {
    let ranks = park.ranks as u128;
    let steps = Shards::new(&plan.layout, park.ranks).steps().len() as u128;
    let each = |amount: u128| amount.div_ceil(ranks);
    let largest = sizes
        .iter()
        .map(|size| size.bytes)
        .max()
        .unwrap_or_default();
    let least = room(grain, fold).ilog2() + 2;
    let chunk_bits = (each(largest) >> 6).max(1).ilog2().clamp(18, 24).max(least);
    // Chunks are lost at their ends, and one for each thread and wave.
    let chunk = 1_u128 << chunk_bits;
    let chunks = |bytes: u128| {
        (bytes.div_ceil(chunk - room(grain, fold) as u128) + park.threads as u128) * chunk
    };
    // Of a core, for each byte of a stream.
    let streams: u128 = sizes.iter().map(|size| size.bytes).sum();
    let rate = all.blocks as f64 * plan.seconds_of_block(kernel, grain) / streams.max(1) as f64;
    let mut waves = Vec::new();
    for sum in (0..sizes.len()).rev() {
        let here = sizes[sum];
        let above = sizes.get(sum + 1).copied().unwrap_or_default();
        let written = |size: Size| size.bytes + u128::from(FAMILY_BYTES) * size.families;
        let (own, other) = (each(here.bytes), each(above.bytes));
        // The streams of a rank in both waves, with code, place and batch of each family, and what it needs
        // of others for one batch while it gets the next.
        let needed = |bytes: u128| (bytes as f64 * NEEDED) as u128;
        let received = steps * each(needed(written(above)));
        let batch = (received / u128::from(BATCHES) * 3 / 2).max(u128::from(LEAST));
        let held = chunks(own)
            + chunks(other)
            + each(40 * here.families + (28 + 4 * steps) * above.families)
            + (2 * batch).min(received);
        // Each rank counts what there is to sweep before it holds the first wave.
        let counting = if sum + 1 == sizes.len() {
            plan.patterns.counting_bytes()
        } else {
            0
        };
        let sent = steps * needed(written(above));
        let threads = park.threads as f64;
        let working = own as f64 * rate / threads;
        // Sending and receiving goes on beside, but for the first batch.
        let coming = received as f64;
        let batches = (coming / LEAST as f64).clamp(1.0, BATCHES as f64);
        let copying = 2.0 * coming * COPYING / threads * 1e-9;
        let sending = coming * 8.0 / park.network + batches * steps as f64 * park.delay;
        let together = 2.0 * f64::from(park.ranks.next_power_of_two().ilog2()) * park.delay;
        let settling = working + copying;
        waves.push(WaveForecast {
            sum,
            families: here.families,
            stream_bytes: here.bytes,
            held_bytes: held.max(counting) + FIXED_BYTES + PROCESS_BYTES,
            sent_bytes: sent,
            disk_bytes: park.disk.map_or(0, |_| written(here) + 8 * ranks),
            settling,
            exchanging: if steps > 0 {
                let first = (sending + copying) / batches;
                MEETING + together + first + (sending - settling).max(0.0)
            } else {
                0.0
            },
        });
    }
    let disk = waves
        .windows(2)
        .map(|two| two[0].disk_bytes + two[1].disk_bytes);
    Forecast {
        grain: name(grain),
        memory_bytes: waves
            .iter()
            .map(|wave| wave.held_bytes)
            .max()
            .unwrap_or_default(),
        sent_bytes: waves.iter().map(|wave| wave.sent_bytes).sum(),
        least_sent_bytes: sizes
            .iter()
            .skip(1)
            .map(|size| steps * (size.bytes as f64 * NEEDED) as u128)
            .sum(),
        disk_bytes: disk.max().unwrap_or_default().div_ceil(ranks),
        seconds: waves
            .iter()
            .map(|wave| wave.settling + wave.exchanging)
            .sum(),
        waves,
        sampled: all.sampled,
        chunk_bits,
    }
}
