//! What a packed sweep will take, before it starts.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use greenwave_game::{BoardGame, Cell, Code, Dense, Metric, Packing, Play, Supply};
use greenwave_values::ValuesError;

use super::families::{Families, Weight};
use super::kernel::{Grain, room};
use super::layout::{GROUP, Layout, Patterns};
use super::loops::Loops;
use super::scratch;
use super::tables::Tables;
use super::waves::FAMILY_BYTES;
use crate::sweep::Kernel;
use crate::{ScratchUse, SolveError};

/// Bytes of tables, lists of prefixes and buffers of threads.
pub(super) const FIXED_BYTES: u128 = 24 << 20;

/// Bytes of what a table of families is made from, a piece at a time.
const TABLE_WORK: u128 = 48 << 20;

/// Families that are counted one by one at most, to find the largest waves.
pub(super) const COUNTED: f64 = 2e6;

/// A packed sweep that could be done.
#[derive(Clone, Debug)]
pub(crate) struct PackedPlan<'a> {
    pub(super) game: &'a BoardGame,
    pub(super) metric: Metric,
    pub(super) patterns: Patterns,
    pub(super) layout: Layout,
    pub(super) loops: Loops,
    pub(super) grain: Grain,
    pub(super) chunk_bits: u32,
    /// Positions whose values are asked for.
    pub(super) watched: Vec<u64>,
    /// Whether lost positions are counted by their level sum, to compare with other layouts.
    pub(super) tiers: bool,
    /// Whether a table of families is written.
    pub(super) with_table: bool,
    /// Bytes of bins that may stay in memory where waves are on disk; `None` where waves are in memory.
    pub(super) cache: Option<u64>,
    pub(super) memory: u128,
    pub(super) disk: u128,
    /// Bytes of a table of families, at most.
    pub(super) table: u128,
    pub(super) scratch: ScratchUse,
    pub(super) seconds: f64,
}

impl<'a> PackedPlan<'a> {
    /// Plans the sweep of a game, to a table of families or not, within some bytes of memory, or if that is not possible the one
    /// that needs least, which has its waves on disk where there is `scratch`; `None` when the sweep
    /// does not treat its rules or its board, or the machine refuses the memory to plan it.
    pub(crate) fn new(
        game: &'a BoardGame,
        metric: Metric,
        kernel: Kernel,
        memory: u64,
        scratch: bool,
        with_table: bool,
    ) -> Option<PackedPlan<'a>> {
        let mut plan = PackedPlan::unweighed(game, metric, kernel)?;
        plan.with_table = with_table;
        let grains = Grain::of(metric);
        let needs = if plan.layout.low.len() == GROUP {
            plan.weigh::<1>(grains, memory, scratch)
        } else {
            plan.weigh::<4>(grains, memory, scratch)
        };
        let (needs, table) = needs.ok()?;
        plan.table = table;
        let work = if with_table { TABLE_WORK } else { 0 };
        let allowed = u128::from(memory).saturating_sub(work);
        // The quickest that fits, else the smallest.
        let fits = |(grain, need): &&(Grain, Need)| {
            (*grain != Grain::Byte || plan.loops.has_byte_grain()) && need.memory <= allowed
        };
        let (grain, need) = *needs.iter().find(fits).or(needs.last())?;
        let counting = plan.patterns.counting_bytes() + FIXED_BYTES;
        plan.grain = grain;
        plan.memory = need.memory.max(counting);
        plan.disk = 2 * need.waves;
        plan.chunk_bits = need.chunk_bits;
        if scratch && need.memory > allowed {
            // What is left of the memory holds what of the wave above is wanted again.
            let cache = allowed.saturating_sub(need.working).min(need.waves);
            plan.cache = Some(cache as u64);
            plan.memory = (need.working + cache).max(counting);
            plan.disk = need.waves;
            plan.scratch = ScratchUse::Taken(need.waves);
        } else if need.memory > allowed {
            plan.scratch = ScratchUse::Missing(need.waves);
        }
        plan.memory += work;
        // Other machines have no loops but the portable ones.
        let portable = plan.loops == Loops::Portable;
        let block = match grain {
            Grain::Byte | Grain::Bit if portable => 2e-6,
            Grain::Code(_) if portable => 10e-6,
            Grain::Byte => 20e-9,
            Grain::Bit => 50e-9,
            Grain::Code(_) => 150e-9,
        };
        plan.seconds = need.blocks * block * plan.layout.low.len().saturating_sub(3) as f64
            / rayon::current_num_threads() as f64
            + 0.01;
        Some(plan)
    }

    /// Plans all but the memory.
    pub(super) fn unweighed(
        game: &'a BoardGame,
        metric: Metric,
        kernel: Kernel,
    ) -> Option<PackedPlan<'a>> {
        let board = game.board();
        let full = (0..board.shape.cells() as u8)
            .map(Cell)
            .fold(Code::EMPTY, |code, cell| code.with(cell, board.levels));
        // Every game ends by a line, and a line is all that ends it.
        let treated = match board.play {
            Play::Normal | Play::Misere => game.has_line(full),
            Play::FirstLine | Play::PlayOn => false,
        };
        let asked = matches!(metric, Metric::Value | Metric::Distance | Metric::Nimber);
        if !treated || !asked || board.supply != Supply::Unlimited {
            return None;
        }
        let patterns = Patterns::new(game, game.packing(metric));
        if !patterns.are_countable() {
            return None;
        }
        let layout = Layout::best(&patterns)?;
        Some(PackedPlan {
            game,
            metric,
            patterns,
            layout,
            loops: Loops::of(kernel),
            grain: Grain::of(metric)[0],
            chunk_bits: 20,
            watched: Vec::new(),
            tiers: false,
            with_table: false,
            cache: None,
            memory: 0,
            disk: 0,
            table: 0,
            scratch: ScratchUse::None,
            seconds: 0.0,
        })
    }

    /// What a position's best raise leads to before any undecided child is looked at, for distances:
    /// to a position that is won in one ply where those are left out; otherwise to nothing, or to a
    /// finished one, which the player to move has won.
    pub(super) fn first_byte(&self) -> u8 {
        u8::from(self.game.packing(self.metric) == Packing::Undecided)
    }

    /// Positions whose values are asked for: the start, those after its moves, and the watched ones.
    pub(super) fn asked(&self) -> impl Iterator<Item = u64> {
        let squares = self.game.board().shape.cells();
        std::iter::once(0)
            .chain((0..squares).map(|square| 1 << (2 * square)))
            .chain(self.watched.iter().copied())
    }

    /// Undecided positions.
    ///
    /// # Errors
    /// When the machine does not give the memory for counting: the plan has looked at the frontier, so
    /// nothing else can fail.
    pub(super) fn undecided(&self) -> Result<u128, SolveError> {
        self.patterns.undecided().ok_or_else(|| self.refused())
    }

    /// Positions without a line.
    ///
    /// # Errors
    /// As [`PackedPlan::undecided`].
    pub(super) fn unfinished(&self) -> Result<u128, SolveError> {
        self.patterns
            .line_free(self.game)
            .ok_or_else(|| self.refused())
    }

    fn refused(&self) -> SolveError {
        SolveError::Allocation {
            needed: u64::try_from(self.patterns.counting_bytes()).unwrap_or(u64::MAX),
        }
    }

    /// Indexable positions.
    pub(crate) fn positions(&self) -> u128 {
        self.game.indexable()
    }

    /// Peak memory in bytes.
    pub(crate) fn memory_bytes(&self) -> u128 {
        self.memory
    }

    /// Bytes of a table of families, at most.
    pub(crate) fn table_bytes(&self) -> u128 {
        self.table
    }

    /// What it does with a folder for its waves.
    pub(crate) fn scratch_use(&self) -> ScratchUse {
        self.scratch
    }

    /// Bytes of checkpoints, or of waves on disk, at most.
    pub(crate) fn disk_bytes(&self) -> u128 {
        self.disk
    }

    /// Seconds on the threads of the current rayon pool, roughly.
    pub(crate) fn seconds(&self) -> f64 {
        self.seconds
    }

    // What the sweep takes, for some grains, where so many bytes of memory are allowed, and the bytes of
    // its table.
    fn weigh<const G: usize>(
        &self,
        grains: &[Grain],
        memory: u64,
        scratch: bool,
    ) -> Result<(Vec<(Grain, Need)>, u128), ValuesError> {
        let (blocks, codes) = self.layout.counts(&self.patterns);
        let symmetries = self.layout.symmetries.len() as f64;
        let blocks = blocks / symmetries;
        if !scratch && let Some(needs) = self.far_too_much(grains, memory, blocks) {
            return Ok(needs);
        }
        let tables = Tables::<G>::new(&self.patterns, self.layout.clone(), Grain::Bit);
        let families = Families::new(&tables, self.loops);
        // A part of every wave tells which ones are the largest; those are then counted.
        let parts = (codes / symmetries / COUNTED).ceil().max(1.0) as usize;
        let rough = (0..=families.most())
            .map(|sum| families.weight(sum, parts))
            .collect::<Result<Vec<Weight>, _>>()?;
        let table = rough
            .iter()
            .map(|wave| table_bytes(wave.bytes(Grain::Bit), wave.families));
        let table = table.sum();
        let mut waves = BTreeMap::new();
        let mut counted = |sum: usize| -> Result<Weight, ValuesError> {
            if parts == 1 {
                return Ok(rough[sum]);
            }
            Ok(match waves.entry(sum) {
                Entry::Occupied(counted) => *counted.get(),
                Entry::Vacant(place) => *place.insert(families.weight(sum, 1)?),
            })
        };
        let mut need = |grain: Grain| -> Result<Need, ValuesError> {
            let pair = |sum: &usize| rough[*sum].bytes(grain) + rough[*sum + 1].bytes(grain);
            let mut peak = (0..families.most()).max_by_key(pair).unwrap_or_default();
            // From there uphill: the part may not be like the whole.
            let mut bytes_of = |sum: usize| -> Result<u64, ValuesError> {
                Ok(counted(sum)?.bytes(grain) + counted(sum + 1)?.bytes(grain))
            };
            while peak > 0 && bytes_of(peak - 1)? > bytes_of(peak)? {
                peak -= 1;
            }
            while peak + 1 < families.most() && bytes_of(peak + 1)? > bytes_of(peak)? {
                peak += 1;
            }
            let two = [counted(peak)?, counted(peak + 1)?];
            let bytes: u64 = two.iter().map(|wave| wave.bytes(grain)).sum();
            let count: u64 = two.iter().map(|wave| wave.families).sum();
            // Chunks are lost at their ends, and one for each thread and wave.
            let least = room(grain, G).ilog2() + 2;
            let chunk_bits = (bytes >> 7).max(1).ilog2().clamp(18, 24).max(least);
            let chunk = 1_u64 << chunk_bits;
            let chunks = bytes.div_ceil(chunk - room(grain, G) as u64)
                + 2 * rayon::current_num_threads() as u64;
            let largest = two.iter().map(|wave| wave.families).max();
            let working = if scratch {
                let digit = scratch::lowest_naming(&self.layout);
                let bin = |sum: usize| -> Result<u64, ValuesError> {
                    let bin = families.heaviest(sum, digit)?;
                    let names = (FAMILY_BYTES + 16) * bin.families;
                    Ok(bin.bytes(grain) + names + room(grain, G) as u64)
                };
                let bins = [bin(peak)?, bin(peak + 1)?];
                // What a bin needs of the wave above, three times: while it is swept, before, and
                // after.
                let bins = 3 * (self.layout.far.len() - digit + 1) as u64 * bins[0].max(bins[1]);
                let workers = 4 * rayon::current_num_threads() * scratch::chunk_bytes(grain, G);
                u128::from(bins + 16 * largest.unwrap_or_default()) + workers as u128 + FIXED_BYTES
            } else {
                0
            };
            Ok(Need {
                // Code and place of each, and the codes once more while they are listed.
                memory: u128::from(chunks * chunk + 28 * count) + FIXED_BYTES,
                waves: u128::from(bytes + FAMILY_BYTES * count),
                working,
                chunk_bits,
                blocks,
            })
        };
        let needs = grains.iter().map(|grain| Ok((*grain, need(*grain)?)));
        Ok((needs.collect::<Result<_, ValuesError>>()?, table))
    }

    // What two waves take by an estimate, where that is several times what is allowed: to count so many
    // families takes minutes.
    fn far_too_much(
        &self,
        grains: &[Grain],
        memory: u64,
        blocks: f64,
    ) -> Option<(Vec<(Grain, Need)>, u128)> {
        let symmetries = self.layout.symmetries.len() as f64;
        let waves = self.patterns.undecided_by_far_sum(&self.layout);
        let pairs = waves.windows(2).map(|pair| pair[0] + pair[1]);
        let positions = pairs.fold(0.0, f64::max) / symmetries;
        let need = |grain: Grain| {
            let bytes = match grain {
                Grain::Byte | Grain::Bit => positions / 8.0,
                Grain::Code(_) => positions,
            };
            Need {
                memory: bytes as u128 + FIXED_BYTES,
                waves: bytes as u128,
                working: 0,
                chunk_bits: 20,
                blocks,
            }
        };
        let needs: Vec<(Grain, Need)> = grains.iter().map(|grain| (*grain, need(*grain))).collect();
        let least = needs.iter().map(|(_, need)| need.memory).min()?;
        let table = table_bytes((waves.iter().sum::<f64>() / symmetries / 8.0) as u64, 0);
        (least / 4 > u128::from(memory)).then_some((needs, table))
    }
}

// Bytes of a table of families, at most, whose bits take so many: with keys, counts and an entry for
// each frame, and a twentieth for what is estimated.
fn table_bytes(bits: u64, families: u64) -> u128 {
    let bytes = u128::from(bits) + 8 * u128::from(families) + (32 << 10);
    bytes + bytes / 20
}

#[derive(Clone, Copy)]
struct Need {
    memory: u128,
    // Bytes of the two largest waves on disk, and of memory while they are made there.
    waves: u128,
    working: u128,
    chunk_bits: u32,
    blocks: f64,
}
