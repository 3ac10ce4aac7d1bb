//! Which families there are: one for each orbit of far codes that leaves anything undecided.

use greenwave_values::parallel::{map_parts, try_map_chunks};
use greenwave_values::{Progress, Silent, ValuesError, room};

use super::blocks::Block;
use super::grain::Grain;
use super::kernel::{PackedKernel, Routine, family, far_decides};
use super::layout::pick;
use super::list::SetBits;
use super::loops::Loops;
use super::sparse;
use super::tables::Tables;
use super::work::UndecidedCounts;
use crate::SolveError;

/// Bytes of a family that is written, besides its stream.
pub(super) const FAMILY_BYTES: u64 = 12;

/// Families that one task settles: enough for their children to lie near each other.
pub(super) const TASK: usize = 256;

/// Prefixes that the work of listing is divided into, at least.
const PREFIXES: usize = 2048;

/// Families that are picked for an estimate.
pub(super) const PICKED: usize = 20_000;

/// Parts of a wave that an estimate tells apart.
const PARTS: usize = 64;

/// Prefixes that are weighed together, where all are weighed.
const STEP: usize = 4;

/// The levels of the highest far squares, least among their images.
#[derive(Clone, Copy, Debug)]
struct Prefix {
    code: u64,
    sum: usize,
    // The symmetries that keep it, one bit each.
    kept: u8,
}

/// What some families come to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Weight {
    pub(super) families: u64,
    // Bytes of their streams with the byte grain, and bits with the bit grain.
    bytes: u64,
    bits: u64,
    // Quiet blocks that have any.
    blocks: u64,
}

impl Weight {
    /// Bytes of the streams.
    pub(super) fn bytes(&self, grain: Grain) -> u64 {
        match grain {
            // At most: all have lost positions, in all of their bytes.
            Grain::Sparse => self.bytes + sparse::bytes(self.blocks, self.families),
            Grain::Byte => self.bytes,
            // Each begins with a byte of its own.
            Grain::Bit => self.bits / 8 + self.families,
            Grain::Code(_) => self.bits,
        }
    }

    /// Undecided positions.
    pub(super) fn positions(&self) -> u64 {
        self.bits
    }

    /// Of all parts.
    pub(super) fn sum(parts: &[Weight]) -> Weight {
        parts.iter().copied().fold(Weight::default(), Weight::plus)
    }

    fn plus(self, other: Weight) -> Weight {
        Weight {
            families: self.families + other.families,
            bytes: self.bytes + other.bytes,
            bits: self.bits + other.bits,
            blocks: self.blocks + other.blocks,
        }
    }

    // Of all prefixes, where this many of them were weighed.
    fn scaled(self, all: usize, weighed: usize) -> Weight {
        let scaled = |count: u64| {
            let scaled = u128::from(count) * all as u128 / weighed.max(1) as u128;
            u64::try_from(scaled).unwrap_or(u64::MAX)
        };
        Weight {
            families: scaled(self.families),
            bytes: scaled(self.bytes),
            bits: scaled(self.bits),
            blocks: scaled(self.blocks),
        }
    }
}

struct FamilyWeigher<'a, const G: usize> {
    tables: &'a Tables<G>,
    codes: &'a [u64],
}

impl<const G: usize> Routine<G> for FamilyWeigher<'_, G> {
    type Output = Weight;

    #[inline(always)]
    fn run<K: PackedKernel<G>>(self) -> Weight {
        let mut weight = Weight::default();
        let mut list = SetBits::new();
        for code in self.codes {
            let (open, quiet) = family::<G, K>(self.tables, *code);
            let undecided = K::undecided(self.tables, &open, quiet, &mut list);
            weight.families += 1;
            weight.bits += undecided.positions;
            weight.bytes += undecided.bytes;
            weight.blocks += undecided.blocks;
        }
        weight
    }
}

/// Lists families wave by wave.
pub(super) struct Families<'a, const G: usize> {
    tables: &'a Tables<G>,
    loops: Loops,
    depth: usize,
    prefixes: Vec<Prefix>,
    /// Who may stop a count.
    progress: &'a dyn Progress,
}

impl<'a, const G: usize> Families<'a, G> {
    pub(super) fn new(tables: &'a Tables<G>, loops: Loops) -> Families<'a, G> {
        Families::with_prefixes(tables, loops, 0)
    }

    /// The same, whose counts end when a progress says so.
    pub(super) fn watched(mut self, progress: &'a dyn Progress) -> Families<'a, G> {
        self.progress = progress;
        self
    }

    /// The families whose codes have some property that depends on their highest digits alone;
    /// `digits` is their number.
    pub(super) fn some(
        tables: &'a Tables<G>,
        loops: Loops,
        digits: usize,
        have: impl Fn(u64) -> bool,
    ) -> Families<'a, G> {
        let mut families = Families::with_prefixes(tables, loops, digits);
        families.prefixes.retain(|prefix| have(prefix.code));
        families
    }

    fn with_prefixes(tables: &'a Tables<G>, loops: Loops, digits: usize) -> Families<'a, G> {
        let all = u8::MAX >> (8 - tables.layout.symmetries.len());
        let mut prefixes = vec![Prefix {
            code: 0,
            sum: 0,
            kept: all,
        }];
        let mut depth = 0;
        while depth < tables.steps.len() && (prefixes.len() < PREFIXES || depth < digits) {
            let mut longer = Vec::new();
            for prefix in &prefixes {
                loops.run(Longer {
                    tables,
                    depth,
                    prefix: *prefix,
                    longer: &mut longer,
                });
            }
            prefixes = longer;
            depth += 1;
        }
        Families {
            tables,
            loops,
            depth,
            prefixes,
            progress: &Silent,
        }
    }

    /// What the families of a wave come to, or of every this many prefixes of them, scaled to all.
    ///
    /// # Errors
    /// When the machine does not give the memory.
    pub(super) fn weight(&self, sum: usize, parts: usize) -> Result<Weight, ValuesError> {
        Ok(Weight::sum(&self.weights(sum, parts)?))
    }

    /// The same for a few prefixes at a time, by rising codes.
    ///
    /// # Errors
    /// When the machine does not give the memory.
    pub(super) fn weights(&self, sum: usize, parts: usize) -> Result<Vec<Weight>, ValuesError> {
        let some: Vec<Prefix> = self.prefixes.iter().copied().step_by(parts).collect();
        let step = (STEP / parts).max(1);
        let weights = try_map_chunks(&some, step, |_, prefixes| {
            let mut codes = Vec::new();
            self.list(prefixes, sum, &mut codes)?;
            Ok::<_, ValuesError>(self.loops.run(FamilyWeigher {
                tables: self.tables,
                codes: &codes,
            }))
        })?;
        let scaled = |weight: Weight| weight.scaled(self.prefixes.len(), some.len());
        Ok(weights.into_iter().map(scaled).collect())
    }

    /// What those families of a wave come to which agree from some digit up, by these digits; or of
    /// every this many prefixes.
    ///
    /// # Errors
    /// When the machine does not give the memory, and when it is stopped.
    pub(super) fn bins(
        &self,
        sum: usize,
        digit: usize,
        parts: usize,
    ) -> Result<Vec<(u64, Weight)>, ValuesError> {
        let some: Vec<Prefix> = self.prefixes.iter().copied().step_by(parts).collect();
        let parts = try_map_chunks(&some, 16, |_, prefixes| {
            if self.progress.cancelled() {
                return Err(ValuesError::Interrupted);
            }
            let mut codes = Vec::new();
            self.list(prefixes, sum, &mut codes)?;
            let name = |code: &u64| code >> (2 * digit);
            let bins = codes.chunk_by(|a, b| name(a) == name(b));
            room::gathered(bins.map(|codes| {
                let weight = self.loops.run(FamilyWeigher {
                    tables: self.tables,
                    codes,
                });
                (name(&codes[0]), weight)
            }))
        })?;
        let mut bins = room::joined(parts)?;
        // A bin may end one part and begin the next.
        bins.dedup_by(|next: &mut (u64, Weight), bin| {
            let same = next.0 == bin.0;
            if same {
                bin.1 = bin.1.plus(next.1);
            }
            same
        });
        Ok(bins)
    }

    /// Estimates each wave, by parts with rising codes, and the work of the whole sweep. Below each
    /// prefix some families are picked at random. Each of them stands for as many as there are
    /// choices on the way to it (Knuth, "Estimating the efficiency of backtrack programs", 1975).
    pub(super) fn estimated(&self, picked: usize) -> (Vec<Vec<Weight>>, FamilyEffort) {
        let prefixes = self.prefixes.len();
        let part = prefixes.div_ceil(PARTS).max(1);
        let picked = picked.div_ceil(prefixes.max(1));
        let parts = map_parts(prefixes.div_ceil(part), |number| {
            let end = prefixes.min((number + 1) * part);
            self.loops.run(FamilyPicker {
                families: self,
                prefixes: &self.prefixes[number * part..end],
                picked,
            })
        });
        let mut waves = vec![Vec::with_capacity(parts.len()); self.most() + 1];
        let mut effort = FamilyEffort::default();
        for (weights, part) in parts {
            effort = effort.plus(part);
            for (wave, weight) in waves.iter_mut().zip(weights) {
                wave.push(weight.rounded());
            }
        }
        (waves, effort)
    }

    /// Number of prefixes, for samples of every n-th.
    pub(super) fn prefixes(&self) -> usize {
        self.prefixes.len()
    }

    fn list(
        &self,
        prefixes: &[Prefix],
        sum: usize,
        codes: &mut Vec<u64>,
    ) -> Result<(), ValuesError> {
        self.loops.run(FamilyLister {
            tables: self.tables,
            depth: self.depth,
            prefixes,
            sum,
            codes,
        })
    }

    /// The largest sum of far levels.
    pub(super) fn most(&self) -> usize {
        3 * self.tables.steps.len()
    }

    /// The far codes of the families of a wave, in rising order.
    ///
    /// # Errors
    /// When the machine does not give the memory.
    pub(super) fn wave(&self, sum: usize) -> Result<Vec<u64>, SolveError> {
        let parts = try_map_chunks(&self.prefixes, 64, |_, prefixes| {
            let mut codes = Vec::new();
            self.list(prefixes, sum, &mut codes)?;
            Ok::<_, SolveError>(codes)
        })?;
        Ok(room::joined(parts)?)
    }
}

/// Families and what is done for them, estimated.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FamilyEffort {
    pub(super) families: f64,
    pub(super) blocks: f64,
    pub(super) positions: f64,
    /// Families that are added to others, as often as they are.
    pub(super) children: f64,
    /// Their blocks.
    pub(super) added: f64,
}

impl FamilyEffort {
    fn plus(self, other: FamilyEffort) -> FamilyEffort {
        FamilyEffort {
            families: self.families + other.families,
            blocks: self.blocks + other.blocks,
            positions: self.positions + other.positions,
            children: self.children + other.children,
            added: self.added + other.added,
        }
    }
}

// A weight of which there are parts.
#[derive(Clone, Copy, Default)]
struct LevelShares([f64; 4]);

impl LevelShares {
    fn add(&mut self, weight: f64, undecided: UndecidedCounts) {
        let counts = [1, undecided.bytes, undecided.positions, undecided.blocks];
        for (sum, count) in self.0.iter_mut().zip(counts) {
            *sum += weight * count as f64;
        }
    }

    fn rounded(self) -> Weight {
        let [families, bytes, bits, blocks] = self.0.map(|count| count.round() as u64);
        Weight {
            families,
            bytes,
            bits,
            blocks,
        }
    }
}

// Codes of prefixes have their bits high up, and what follows from them only reaches higher ones: other
// prefixes would pick alike.
fn mixed(code: u64) -> u64 {
    let once = (code ^ 0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let twice = (once ^ once >> 31).wrapping_mul(0x94d0_49bb_1331_11eb);
    twice ^ twice >> 29
}

// Families that are picked below some prefixes.
struct FamilyPicker<'a, const G: usize> {
    families: &'a Families<'a, G>,
    prefixes: &'a [Prefix],
    picked: usize,
}

impl<const G: usize> Routine<G> for FamilyPicker<'_, G> {
    type Output = (Vec<LevelShares>, FamilyEffort);

    #[inline(always)]
    fn run<K: PackedKernel<G>>(self) -> (Vec<LevelShares>, FamilyEffort) {
        let Families { tables, depth, .. } = *self.families;
        let squares = tables.steps.len();
        let walk = FamilyWalk { tables };
        let mut waves = vec![LevelShares::default(); 3 * squares + 1];
        let mut effort = FamilyEffort::default();
        let mut list = SetBits::new();
        // Where all squares are in the prefix, there is nothing to pick.
        let picked = if depth == squares { 1 } else { self.picked };
        for prefix in self.prefixes {
            let mut random = mixed(prefix.code);
            for _ in 0..picked {
                let (mut here, mut weight) = (*prefix, 1.0 / picked as f64);
                for depth in depth..squares {
                    let levels = walk.levels::<K>(depth, here.code);
                    let mut choice = [here; 4];
                    let mut count = 0;
                    for longer in levels.filter_map(|level| walk.longer(depth, here, level)) {
                        choice[count] = longer;
                        count += 1;
                    }
                    weight *= count as f64;
                    if count == 0 {
                        break;
                    }
                    here = choice[pick(&mut random, count)];
                }
                let (open, quiet) = family::<G, K>(tables, here.code);
                if weight == 0.0 {
                    continue;
                }
                let undecided = K::undecided(tables, &open, quiet, &mut list);
                if undecided.positions == 0 {
                    continue;
                }
                waves[here.sum].add(weight, undecided);
                effort.families += weight;
                effort.blocks += weight * undecided.blocks as f64;
                effort.positions += weight * undecided.positions as f64;
                for digit in (0..squares).filter(|digit| here.code >> (2 * digit) & 3 < 3) {
                    let raised = here.code + (1 << (2 * digit));
                    let (open, quiet) = family::<G, K>(tables, raised);
                    if far_decides::<G, K>(tables, raised) || open == Block::EMPTY {
                        continue;
                    }
                    let blocks: u32 = quiet
                        .as_flattened()
                        .iter()
                        .map(|word| word.count_ones())
                        .sum();
                    effort.children += if blocks > 0 { weight } else { 0.0 };
                    effort.added += weight * f64::from(blocks);
                }
            }
        }
        (waves, effort)
    }
}

// All prefixes with one square more.
struct Longer<'a, const G: usize> {
    tables: &'a Tables<G>,
    depth: usize,
    prefix: Prefix,
    longer: &'a mut Vec<Prefix>,
}

impl<const G: usize> Routine<G> for Longer<'_, G> {
    type Output = ();

    #[inline(always)]
    fn run<K: PackedKernel<G>>(self) {
        let walk = FamilyWalk {
            tables: self.tables,
        };
        for level in walk.levels::<K>(self.depth, self.prefix.code) {
            if let Some(longer) = walk.longer(self.depth, self.prefix, level) {
                self.longer.push(longer);
            }
        }
    }
}

struct FamilyLister<'a, const G: usize> {
    tables: &'a Tables<G>,
    depth: usize,
    prefixes: &'a [Prefix],
    sum: usize,
    codes: &'a mut Vec<u64>,
}

impl<const G: usize> Routine<G> for FamilyLister<'_, G> {
    type Output = Result<(), ValuesError>;

    // A walk without recursion, so that it is one function of the kernel's instructions.
    #[inline(always)]
    fn run<K: PackedKernel<G>>(self) -> Result<(), ValuesError> {
        let walk = FamilyWalk {
            tables: self.tables,
        };
        let squares = self.tables.steps.len();
        let mut path = [(
            Prefix {
                code: 0,
                sum: 0,
                kept: 0,
            },
            0_u8,
        ); 33];
        for first in self.prefixes {
            let mut depth = self.depth;
            if first.sum > self.sum || self.sum - first.sum > 3 * (squares - depth) {
                continue;
            }
            if depth == squares {
                walk.add::<K>(first.code, self.codes)?;
                continue;
            }
            path[depth] = (*first, walk.allowed::<K>(depth, first.code));
            loop {
                let (prefix, rest) = &mut path[depth];
                if *rest == 0 {
                    if depth == self.depth {
                        break;
                    }
                    depth -= 1;
                    continue;
                }
                let level = rest.trailing_zeros() as usize;
                *rest &= *rest - 1;
                let sum = prefix.sum + level;
                if sum > self.sum {
                    *rest = 0;
                    continue;
                }
                if self.sum - sum > 3 * (squares - depth - 1) {
                    continue;
                }
                let prefix = *prefix;
                let Some(longer) = walk.longer(depth, prefix, level) else {
                    continue;
                };
                if depth + 1 == squares {
                    walk.add::<K>(longer.code, self.codes)?;
                    continue;
                }
                depth += 1;
                path[depth] = (longer, walk.allowed::<K>(depth, longer.code));
            }
        }
        Ok(())
    }
}

struct FamilyWalk<'a, const G: usize> {
    tables: &'a Tables<G>,
}

impl<const G: usize> FamilyWalk<'_, G> {
    // Adds a far code, unless everything in its family is decided.
    #[inline(always)]
    fn add<K: PackedKernel<G>>(&self, code: u64, codes: &mut Vec<u64>) -> Result<(), ValuesError> {
        let (open, quiet) = family::<G, K>(self.tables, code);
        if quiet != [[0; 4]; G] && open != Block::EMPTY {
            room::push(codes, code)?;
        }
        Ok(())
    }

    // Levels of the next square that complete nothing, one bit each.
    #[inline(always)]
    fn allowed<K: PackedKernel<G>>(&self, depth: usize, code: u64) -> u8 {
        let refused = self.tables.steps[depth].iter().fold(0, |refused, table| {
            refused | table.entries[K::extract(code, table.mask) as usize]
        });
        !refused & 15
    }

    #[inline(always)]
    fn levels<K: PackedKernel<G>>(
        &self,
        depth: usize,
        code: u64,
    ) -> impl Iterator<Item = usize> + use<K, G> {
        let allowed = self.allowed::<K>(depth, code);
        (0..4).filter(move |level| allowed >> level & 1 == 1)
    }

    // The prefix with a level for the next square; `None` where one of its images is less.
    #[inline(always)]
    fn longer(&self, depth: usize, prefix: Prefix, level: usize) -> Option<Prefix> {
        let digit = self.tables.steps.len() - 1 - depth;
        let code = prefix.code | (level as u64) << (2 * digit);
        let mut kept = prefix.kept;
        if kept > 1 && self.tables.layout.orbits.contains(&digit) {
            let images = self.tables.images_of(code);
            for (symmetry, image) in images.iter().enumerate() {
                if kept >> symmetry & 1 == 0 {
                    continue;
                }
                if *image < code {
                    return None;
                }
                if *image > code {
                    kept &= !(1 << symmetry);
                }
            }
        }
        Some(Prefix {
            code,
            sum: prefix.sum + level,
            kept,
        })
    }
}
