//! What a packed sweep will take, before it starts.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use greenwave_game::{
    BoardGame, Cell, Code, Dense, Game, MAX_LEVEL, Metric, Packing, Play, Supply,
};
use greenwave_values::ValuesError;

use super::codes::scores::has_scores;
use super::families::{FAMILY_BYTES, Families, TASK, Weight};
use super::grain::{Grain, room};
use super::layout::{LineFreeCounts, Patterns, SquareLayout};
use super::loops::Loops;
use super::need::{FIXED_BYTES, LISTED_BYTES, Need, chunks, on_disk};
use super::pairs::{WavePair, WaveSize, most_bytes, saturated, table_bytes};
use super::scratch::{WaveOutline, piece_bytes};
use super::tables::Tables;
use crate::sweep::Kernel;
use crate::{Cost, ScratchUse, SolveError};

/// Memory for counting undecided positions by wave, in bytes.
pub(super) const COUNTING: u128 = 3 << 30;

/// Bytes of what a table of families is made from, a piece at a time.
pub(super) const TABLE_WORK: u128 = 48 << 20;

/// Families that are counted one by one at most, to find the largest waves.
pub(super) const COUNTED: f64 = 2e6;

/// Families that are picked to weigh all waves by a sample.
const SAMPLE: usize = 200_000;

/// Families from which on the largest waves are found without listing any.
const MANY: f64 = 2e7;

/// Families of two waves that are listed at most to see how much of both is there at a time.
const LISTABLE: u64 = 50_000_000;

/// Families from which on a part of them is counted.
const WORTH_SAVING: f64 = 1e5;

/// The positions that some position can become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cone {
    pub(super) from: Code,
    /// Undecided ones, about.
    pub(super) undecided: u64,
}

/// What a sweep may take and has to leave behind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SweepLimits {
    /// Memory, in bytes.
    pub memory: u64,
    /// Whether there is a folder for waves.
    pub scratch: bool,
    /// Whether a table of families is written.
    pub with_table: bool,
    /// Whether the plan is due within a few seconds: where the largest waves have more families than can be
    /// counted in them, a sample is weighed, with a margin. The cost says so. With a folder for waves, boards
    /// beyond 28 squares take up to a minute.
    pub quick: bool,
}

impl SweepLimits {
    /// These bytes of memory, and nothing on disk.
    pub fn of(memory: u64) -> SweepLimits {
        SweepLimits {
            memory,
            ..SweepLimits::default()
        }
    }
}

/// A packed sweep that could be done.
#[derive(Clone, Debug)]
pub struct PackedPlan<'a> {
    pub(super) game: &'a BoardGame,
    pub(super) metric: Metric,
    pub(super) patterns: Patterns,
    pub(super) layout: SquareLayout,
    pub(super) loops: Loops,
    pub(super) grain: Grain,
    pub(super) chunk_bits: u32,
    /// Bytes of streams in memory at a time at most, but for what is lost at the ends of chunks.
    pub(super) held: u64,
    /// Whether there is memory for both counts of positions at once.
    pub(super) counts_at_once: bool,
    /// Positions whose values are requested.
    pub(super) watched: Vec<u64>,
    /// The swept part, where it is not the whole board.
    pub(super) cone: Option<Cone>,
    /// Whether lost positions are counted by their level sum, to compare with other layouts.
    pub(super) tiers: bool,
    /// Whether a table of families is written.
    pub(super) with_table: bool,
    /// Bytes of bins that may stay in memory where waves are on disk; `None` where waves are in memory.
    pub(super) cache: Option<u64>,
    /// Families that one task settles where waves are on disk.
    pub(super) task: usize,
    /// Bytes from which on a piece of a wave on disk is complete.
    pub(super) piece: u64,
    pub(super) memory: u128,
    pub(super) disk: u128,
    /// Whether memory and disk come from a sample of the families.
    pub(super) sampled: bool,
    /// Bytes of a table of families, at most.
    pub(super) table: u128,
    pub(super) scratch: ScratchUse,
    pub(super) seconds: f64,
}

impl<'a> PackedPlan<'a> {
    /// Plans the sweep of a game within some limits. If that is not possible, it gives the plan that needs
    /// least, which has its waves on disk where there is a folder for them. Gives `None` when the sweep does
    /// not treat the rules or the board, or the machine refuses the memory to plan it.
    pub fn new(
        game: &'a BoardGame,
        metric: Metric,
        kernel: Kernel,
        limits: SweepLimits,
    ) -> Option<PackedPlan<'a>> {
        PackedPlan::unweighed(game, metric, kernel)?.weighed(limits)
    }

    /// Plans the memory, too, as [`PackedPlan::new`] does.
    pub(super) fn weighed(mut self, limits: SweepLimits) -> Option<PackedPlan<'a>> {
        let SweepLimits {
            memory,
            scratch,
            with_table,
            ..
        } = limits;
        self.with_table = with_table;
        let grains = Grain::of(self.metric);
        let work = if with_table { TABLE_WORK } else { 0 };
        let allowed = u128::from(memory).saturating_sub(work);
        let needs = if self.layout.fold() == 1 {
            self.weigh::<1>(grains, allowed, limits)
        } else {
            self.weigh::<4>(grains, allowed, limits)
        };
        let SweepNeeds {
            needs,
            table,
            sampled,
        } = needs.ok()?;
        (self.table, self.sampled) = (table, sampled);
        let blocks = needs.first()?.1.blocks;
        let counting = self.patterns.counting_bytes();
        self.counts_at_once =
            rayon::current_num_threads() > 1 && 2 * counting + FIXED_BYTES <= allowed;
        let counting = FIXED_BYTES + counting * if self.counts_at_once { 2 } else { 1 };
        self.take(&needs, allowed, counting, scratch);
        self.memory += work;
        self.seconds = blocks * self.seconds_of_block(self.loops.instructions(), self.grain)
            / rayon::current_num_threads() as f64
            + 0.01;
        Some(self)
    }

    /// Takes the grain that suits the memory best, and the memory that it needs, no less than some bytes.
    pub(super) fn take(
        &mut self,
        needs: &[(Grain, Need)],
        allowed: u128,
        least: u128,
        scratch: bool,
    ) {
        // The quickest that fits, else the smallest.
        let fits =
            |(grain, need): &&(Grain, Need)| self.loops.keeps(*grain) && need.memory <= allowed;
        let Some((grain, need)) = needs.iter().find(fits).or(needs.last()).copied() else {
            return;
        };
        self.grain = grain;
        self.memory = need.memory.max(least);
        self.disk = 2 * need.waves;
        (self.held, self.chunk_bits) = (need.held, need.chunk_bits);
        let working = need.working.filter(|working| {
            need.memory > allowed && u128::from(working.bytes) + FIXED_BYTES < need.memory
        });
        if let Some(working) = working {
            // The rest of the memory caches the part of the wave above that is needed again.
            let bytes = u128::from(working.bytes) + FIXED_BYTES;
            let cache = allowed.saturating_sub(bytes).min(need.waves);
            self.cache = Some(cache as u64);
            self.task = working.task;
            self.memory = (bytes + cache).max(least);
            self.piece = piece_bytes(saturated(need.waves));
            self.disk = working.disk.into();
            self.scratch = ScratchUse::Taken(self.disk);
        } else if need.memory > allowed && !scratch {
            self.scratch = ScratchUse::Missing(need.on_disk);
        }
    }

    /// The cost of the sweep, where waves are stored on the way or not.
    pub fn cost(&self, kept: bool) -> Cost {
        let kept = kept || matches!(self.scratch, ScratchUse::Taken(_));
        Cost {
            memory_bytes: self.memory,
            checkpoint_bytes: if kept { self.disk } else { 0 },
            table_bytes: if self.with_table { self.table } else { 0 },
            scratch: self.scratch,
            seconds: self.seconds,
            sampled: self.sampled,
            ..Cost::of(self.game, self.metric)
        }
    }

    /// The time of a block on a core with these instructions: the same for each raise of a far
    /// square that leads to another family.
    pub(super) fn seconds_of_block(&self, kernel: Kernel, grain: Grain) -> f64 {
        // As measured on 4x5 and 4x6, and on 5x5, whose families have fewer blocks for a look at each.
        let neon = kernel == Kernel::Neon;
        // The 128-bit registers of aarch64 are for streams of bytes.
        let portable =
            kernel == Kernel::Portable || neon && matches!(grain, Grain::Bit | Grain::Code(_));
        let raise = match grain {
            Grain::Sparse | Grain::Byte | Grain::Bit if portable => 40e-9,
            Grain::Code(_) if portable => 750e-9,
            // Not measured: by the instructions that they take.
            Grain::Sparse | Grain::Byte if neon => 8e-9,
            Grain::Sparse => 2.1e-9,
            Grain::Byte => 2.5e-9,
            Grain::Bit => 5.5e-9,
            Grain::Code(_) => 20e-9,
        };
        let few = if self.layout.fold() == 1 { 1.0 } else { 1.4 };
        raise * few * self.layout.far.len() as f64
    }

    /// Plans all but the memory.
    pub(super) fn unweighed(
        game: &'a BoardGame,
        metric: Metric,
        kernel: Kernel,
    ) -> Option<PackedPlan<'a>> {
        if !is_treated(game, metric) {
            return None;
        }
        let patterns = Patterns::new(game, game.packing(metric));
        if !patterns.are_countable() {
            return None;
        }
        let layout = SquareLayout::best(&patterns)?;
        Some(PackedPlan::of(game, metric, kernel, patterns, layout))
    }

    /// The sweep with some squares, but for its memory.
    pub(super) fn of(
        game: &'a BoardGame,
        metric: Metric,
        kernel: Kernel,
        patterns: Patterns,
        layout: SquareLayout,
    ) -> PackedPlan<'a> {
        PackedPlan {
            game,
            metric,
            patterns,
            layout,
            loops: Loops::of(kernel),
            grain: Grain::of(metric)[0],
            chunk_bits: 20,
            held: u64::MAX,
            counts_at_once: false,
            watched: Vec::new(),
            cone: None,
            tiers: false,
            with_table: false,
            cache: None,
            task: TASK,
            piece: piece_bytes(0),
            memory: 0,
            disk: 0,
            sampled: false,
            table: 0,
            scratch: ScratchUse::None,
            seconds: 0.0,
        }
    }

    /// The result of a position's best raise before any undecided child, for distances. It is a
    /// position won in one ply where those are left out. Otherwise it is nothing, or a finished
    /// one, which the player to move has won.
    pub(super) fn first_byte(&self) -> u8 {
        u8::from(self.game.packing(self.metric) == Packing::Undecided)
    }

    /// The code of values of which a position was found to have the lowest byte.
    pub(super) fn number(&self, code: u8) -> i32 {
        match self.grain {
            Grain::Sparse | Grain::Byte | Grain::Bit => code.into(),
            Grain::Code(law) => law.number(code),
        }
    }

    /// Positions whose values are requested: of a whole board the start and those after its moves, and the
    /// watched ones.
    pub(super) fn asked(&self) -> impl Iterator<Item = u64> {
        let start = self.game.start();
        let squares = match self.cone {
            None => self.game.board().shape.cells() as u8,
            Some(_) => 0,
        };
        let raised = (0..squares).map(Cell);
        let raised = raised.filter(move |cell| start.level(*cell) < MAX_LEVEL);
        let first = self.cone.is_none().then_some(start.0);
        first
            .into_iter()
            .chain(raised.map(move |cell| start.raised(cell).0))
            .chain(self.watched.iter().copied())
    }

    /// Chunks of this many bits that waves in memory take: those of a checkpoint may have others than
    /// these.
    pub(super) fn chunks_of(&self, bits: u32) -> usize {
        let room = room(self.grain, self.layout.fold());
        let chunks = chunks(self.held, room, bits);
        usize::try_from(chunks).unwrap_or(usize::MAX)
    }

    /// The positions of the sweep, counted without visiting them.
    ///
    /// # Errors
    /// When the machine does not give the memory for counting: the plan has looked at the frontier, so
    /// nothing else can fail.
    pub(super) fn counted(&self) -> Result<LineFreeCounts, SolveError> {
        let counted = self.patterns.counted(self.game, self.counts_at_once);
        counted.ok_or_else(|| SolveError::Allocation {
            needed: u64::try_from(self.patterns.counting_bytes()).unwrap_or(u64::MAX),
        })
    }

    /// Indexable positions.
    pub fn positions(&self) -> u128 {
        self.game.indexable()
    }

    // The needs of the sweep, for some grains within this number of bytes of memory: those of the limits less
    // what a table takes.
    fn weigh<const G: usize>(
        &self,
        grains: &[Grain],
        memory: u128,
        limits: SweepLimits,
    ) -> Result<SweepNeeds, ValuesError> {
        let scratch = limits.scratch;
        let (blocks, codes) = self.layout.counts(&self.patterns);
        let symmetries = self.layout.symmetries.len() as f64;
        let blocks = blocks / symmetries;
        let smallest = grains.get(grains.len() - 1..).unwrap_or_default();
        if !scratch && let Some(needs) = self.far_too_much::<G>(smallest, memory, blocks) {
            return Ok(needs);
        }
        let tables = Tables::<G>::new(&self.patterns, self.layout.clone(), Grain::Bit);
        let families = Families::new(&tables, self.loops);
        let families_about = codes / symmetries;
        let parts = (families_about / COUNTED).ceil().max(1.0) as usize;
        let sampled = self.sampled || limits.quick && parts > 1;
        // A part of every wave tells which ones are the largest; those are then counted. Where no table
        // is requested an eighth will do, once that saves more than it costs.
        let parts = if families_about > WORTH_SAVING && !self.with_table {
            parts.max(8)
        } else {
            parts
        };
        let waves = self.waves_of_many(grains, memory, families_about);
        let grains = match waves {
            Some(_) => smallest,
            None => grains,
        };
        let rough = match waves {
            _ if sampled => families.estimated(SAMPLE).0,
            Some(_) => Vec::new(),
            None => (0..=families.most())
                .map(|sum| families.weights(sum, parts))
                .collect::<Result<Vec<Vec<Weight>>, _>>()?,
        };
        let table = rough
            .iter()
            .map(|wave| Weight::sum(wave))
            .map(|wave| table_bytes(wave.bytes(Grain::Bit), wave.families));
        let table = table.sum();
        let mut weighed: BTreeMap<usize, Vec<Weight>> = BTreeMap::new();
        let mut counted = |lower: usize, grain: Grain| -> Result<WavePair, ValuesError> {
            if sampled || parts == 1 && waves.is_none() {
                let two = WavePair::of(lower, &rough[lower], &rough[lower + 1], grain);
                return Ok(if sampled { two.with_margin() } else { two });
            }
            for sum in [lower, lower + 1] {
                if let Entry::Vacant(place) = weighed.entry(sum) {
                    place.insert(families.weights(sum, 1)?);
                }
            }
            Ok(WavePair::of(
                lower,
                &weighed[&lower],
                &weighed[&(lower + 1)],
                grain,
            ))
        };
        let mut largest =
            |grain: Grain, size: fn(&WavePair) -> u64| -> Result<WavePair, ValuesError> {
                let mut peak = match &waves {
                    Some(waves) => WavePair::largest(waves, grain).lower,
                    None => {
                        let about = |lower: &usize| {
                            size(&WavePair::of(
                                *lower,
                                &rough[*lower],
                                &rough[*lower + 1],
                                grain,
                            ))
                        };
                        (0..families.most()).max_by_key(about).unwrap_or_default()
                    }
                };
                // From there uphill: the part may not be like the whole.
                let mut size = |lower: usize| Ok::<_, ValuesError>(size(&counted(lower, grain)?));
                while peak > 0 && size(peak - 1)? > size(peak)? {
                    peak -= 1;
                }
                while peak + 1 < families.most() && size(peak + 1)? > size(peak)? {
                    peak += 1;
                }
                counted(peak, grain)
            };
        let mut need = |grain: Grain| -> Result<Need, ValuesError> {
            let all = waves.as_ref().map(|waves| WavePair::largest(waves, grain));
            // To count families takes a while: only where that may tell whether they fit.
            let two = match all {
                Some(two) if two.families > LISTABLE => two,
                Some(two) if u128::from(two.bytes) / 2 > memory => two.seen(&families, grain)?,
                _ => largest(grain, |two| two.held)?,
            };
            let in_memory = Need::in_memory(&two, grain, G, blocks);
            let WavePair {
                lower: peak,
                bytes,
                families: count,
                ..
            } = match all {
                Some(two) => two,
                None => largest(grain, |two| two.bytes)?,
            };
            let on_disk = scratch && in_memory.memory > memory && grains.last() == Some(&grain);
            let allowed = memory.saturating_sub(FIXED_BYTES);
            let waves = WaveOutline {
                tables: &tables,
                families: &families,
                grain,
                peak,
                parts,
                sampled,
                piece: piece_bytes(bytes + FAMILY_BYTES * count),
            };
            let working =
                on_disk.then(|| waves.working(u64::try_from(allowed).unwrap_or(u64::MAX)));
            Ok(Need {
                waves: u128::from(bytes + FAMILY_BYTES * count),
                working: working.transpose()?,
                ..in_memory
            })
        };
        let needs = grains.iter().map(|grain| Ok((*grain, need(*grain)?)));
        let needs: Vec<(Grain, Need)> = needs.collect::<Result<_, ValuesError>>()?;
        let on_disk = needs.iter().any(|(_, need)| need.working.is_some());
        let sampled = sampled && (waves.is_none() || on_disk);
        Ok(SweepNeeds {
            needs,
            table,
            sampled,
        })
    }

    // Undecided positions of the largest two neighbouring waves, estimated.
    fn largest_about(&self) -> f64 {
        let symmetries = self.layout.symmetries.len() as f64;
        let waves = self.patterns.undecided_by_far_sum(&self.layout);
        let pairs = waves.windows(2).map(|pair| pair[0] + pair[1]);
        pairs.fold(0.0, f64::max) / symmetries
    }

    // The waves, counted without listing a family, if even a few waves have so great a number of
    // families that listing takes minutes. It skips the count where the bytes of a grain that might
    // fit depend on the families.
    fn waves_of_many(
        &self,
        grains: &[Grain],
        memory: u128,
        families: f64,
    ) -> Option<Vec<WaveSize>> {
        if families < MANY || self.with_table {
            return None;
        }
        // An estimate first, as below, of which twice as much has to fit: to count them takes as long as a
        // twentieth of the sweep.
        if grains.len() > 1 && 2.0 * self.largest_about() / 8.0 <= memory as f64 {
            return None;
        }
        let waves = self.counted_wave_sizes(COUNTING.min(memory))?;
        let fits = |two: &[WaveSize]| {
            let positions: u128 = two.iter().map(|wave| wave.positions).sum();
            positions / 8 <= memory
        };
        let many = grains.len() == 1 || !waves.windows(2).all(fits);
        many.then_some(waves)
    }

    // The needs of two waves if they are several times the limit, counted without listing a family,
    // since a list takes minutes at this number of families.
    fn far_too_much<const G: usize>(
        &self,
        grains: &[Grain],
        memory: u128,
        blocks: f64,
    ) -> Option<SweepNeeds> {
        // An estimate first: it takes less than a count.
        let positions = self.largest_about();
        let least = match grains.last()? {
            Grain::Sparse | Grain::Byte | Grain::Bit => positions / 8.0,
            Grain::Code(_) => positions,
        };
        if least / 4.0 <= memory as f64 {
            return None;
        }
        let waves = self.wave_sizes(COUNTING.min(memory))?;
        let tables = Tables::<G>::new(&self.patterns, self.layout.clone(), Grain::Bit);
        let listed = Families::new(&tables, self.loops);
        let need = |grain: Grain| -> Option<Need> {
            let two = WavePair::largest(&waves, grain);
            let two = if two.families > LISTABLE {
                two
            } else {
                two.seen(&listed, grain).ok()?
            };
            let (bytes, families) = (u128::from(two.bytes), u128::from(two.families));
            Some(Need {
                memory: u128::from(two.held) + LISTED_BYTES * families + FIXED_BYTES,
                waves: bytes + u128::from(FAMILY_BYTES) * families,
                on_disk: on_disk(&two),
                working: None,
                held: u64::MAX,
                chunk_bits: 20,
                blocks,
            })
        };
        let needs = grains.iter().map(|grain| Some((*grain, need(*grain)?)));
        let needs = needs.collect::<Option<_>>()?;
        let table = waves
            .iter()
            .map(|wave| table_bytes(most_bytes(wave, Grain::Bit), saturated(wave.families)));
        Some(SweepNeeds {
            needs,
            table: table.sum(),
            sampled: !self.is_quick_to_count(),
        })
    }
}

// What a sweep needs by grain, and the bytes of its table.
struct SweepNeeds {
    needs: Vec<(Grain, Need)>,
    table: u128,
    // Whether they come from a sample.
    sampled: bool,
}

/// Whether the sweep treats the rules of a board in a metric: every game ends by a line, and a line is all that
/// ends it.
pub(super) fn is_treated(game: &BoardGame, metric: Metric) -> bool {
    let board = game.board();
    let treated = match board.play {
        Play::Normal | Play::Misere => {
            matches!(metric, Metric::Value | Metric::Distance | Metric::Nimber)
        }
        Play::FirstLine => metric == Metric::Points && has_scores(game),
        Play::PlayOn => false,
    };
    // Every game ends by a line, a line is all that ends it, and moves are the same everywhere.
    treated
        && game.has_line(board.full())
        && board.supply == Supply::Unlimited
        && board.opening.barred.is_empty()
}
