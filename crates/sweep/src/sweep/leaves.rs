//! From swept blocks to the packed leaves of a table.

use greenwave_game::{BoardGame, LEAF_BITS, Outcome};
use greenwave_table::Leaf;
use greenwave_values::codes::PlyCode;
use rayon::prelude::*;

use super::geometry::{QuietBlocks, Skip, SweepGeometry};
use super::layout::{BitBlock, LOW, WORDS};
use super::limits::BlockLimits;
use super::masks::{Contributions, left_out};
use super::waves::SweptWave;

/// Logarithm of the blocks in a leaf.
const LEAF_BLOCK_BITS: u32 = LEAF_BITS - 2 * LOW as u32;

/// How the values in a block of `N` bytes are read.
pub(super) trait BlockValues<const N: usize>: Sync {
    /// The code of a position of a block, as in [`greenwave_values::codes`]; `None` when its value
    /// does not fit into the block.
    fn code(&self, block: &[u8; N], position: usize) -> Option<i32>;

    /// Looks at the positions of a block that are set in `packed`, in order: appends their codes to
    /// a leaf and calls `seen` with each, unless the sweep counts them itself. Never part of what calls
    /// it: there the registers for its inner loop are lacking.
    fn visit(
        &self,
        block: &[u8; N],
        packed: &[u64; WORDS],
        leaf: Option<&mut LeafBuilder>,
        seen: impl FnMut(usize, Option<i32>),
    );
}

/// Puts a leaf together.
#[derive(Default)]
pub(super) struct LeafBuilder {
    leaf: Leaf,
    // Bits that do not fill a byte yet.
    bits: u64,
    used: u32,
}

impl LeafBuilder {
    /// Appends a value of each of the lowest `count` bits; the others are zero.
    pub(super) fn push_bits(&mut self, bits: u64, count: u32) {
        self.leaf.count += count;
        self.append(bits, count);
    }

    /// Appends one value of this many bits.
    pub(super) fn push(&mut self, value: u64, bits: u32) {
        self.leaf.count += 1;
        self.append(value, bits);
    }

    fn append(&mut self, bits: u64, count: u32) {
        self.bits |= bits << self.used;
        let free = 64 - self.used;
        if count < free {
            self.used += count;
            return;
        }
        self.leaf
            .payload
            .extend_from_slice(&self.bits.to_le_bytes());
        self.bits = bits.checked_shr(free).unwrap_or(0);
        self.used = count - free;
    }

    /// Appends a value of one byte.
    pub(super) fn push_byte(&mut self, value: u8) {
        self.leaf.count += 1;
        self.leaf.payload.push(value);
    }

    fn finish(mut self) -> Leaf {
        let bytes = self.used.div_ceil(8) as usize;
        self.leaf
            .payload
            .extend_from_slice(&self.bits.to_le_bytes()[..bytes]);
        self.leaf.payload.shrink_to_fit();
        self.leaf
    }
}

/// What is counted of the positions that a table packs, and the leaves where they are wanted.
pub(super) struct Harvest {
    left_out: Contributions<BitBlock>,
    // Where play can end without a line.
    limits: Option<BlockLimits>,
    // Where decided blocks are swept too: which ones matter.
    quiet: Option<QuietBlocks>,
    wanted: bool,
    // The rank of each code of a byte.
    ranks: [Option<u32>; 256],
    /// Leaves that are not empty.
    pub(super) leaves: Vec<(u64, Leaf)>,
    pub(super) counts: CodeCounts,
}

/// How often each code occurs, and the longest distance.
#[derive(Clone, Debug)]
pub(super) struct CodeCounts {
    // From code −128 up.
    codes: Box<[u64; CODES]>,
    // The rank of the longest play and the lowest index that has it.
    longest: Option<(u32, u64)>,
    /// Values that do not fit.
    pub(super) misfits: u64,
}

const LOWEST_CODE: i32 = -128;
const CODES: usize = 128 + 256;

impl CodeCounts {
    fn new() -> CodeCounts {
        CodeCounts {
            codes: Box::new([0; CODES]),
            longest: None,
            misfits: 0,
        }
    }

    /// The counts as plain numbers, and back.
    pub(super) fn numbers(&self) -> Vec<u64> {
        self.codes.to_vec()
    }

    /// Sets the counts; `false` when there are more or fewer.
    #[must_use]
    pub(super) fn set_numbers(&mut self, numbers: &[u64]) -> bool {
        let fits = numbers.len() == self.codes.len();
        if fits {
            self.codes.copy_from_slice(numbers);
        }
        fits
    }

    /// The longest play, if there is one: plies, code, and the lowest index that has them.
    pub(super) fn longest(&self) -> Option<(u32, i32, u64)> {
        let (rank, index) = self.longest?;
        let plies = rank / 2;
        let code = if rank % 2 == 1 { 255 - plies } else { plies };
        Some((plies, code as i32, index))
    }

    /// Sets the longest play to one of this many plies at an index, once the counts are set: they tell
    /// whether any position is won in this many.
    pub(super) fn set_longest(&mut self, longest: Option<(u32, u64)>) {
        self.longest = longest.map(|(plies, index)| {
            let won = 255_i32.checked_sub_unsigned(plies);
            let won = won.and_then(|code| self.codes.get((code - LOWEST_CODE) as usize));
            (
                2 * plies + u32::from(won.is_some_and(|count| *count > 0)),
                index,
            )
        });
    }

    /// Codes and how often they occur.
    pub(super) fn codes(&self) -> Vec<(i32, u64)> {
        (LOWEST_CODE..).zip(self.codes.iter().copied()).collect()
    }

    fn count(&mut self, code: Option<i32>) {
        match code.and_then(|code| self.codes.get_mut((code - LOWEST_CODE) as usize)) {
            Some(count) => *count += 1,
            None => self.misfits += 1,
        }
    }

    fn merge(&mut self, other: &CodeCounts) {
        for (count, other) in self.codes.iter_mut().zip(other.codes.iter()) {
            *count += other;
        }
        self.longest = longer(self.longest, other.longest);
        self.misfits += other.misfits;
    }
}

// Orders wins and losses by their distance, and a win after a loss in as many plies: twice the plies,
// and 1 for a win. Draws have no distance.
fn rank(code: u32) -> Option<u32> {
    let (outcome, plies) = PlyCode::BYTE.decode(code);
    Some(2 * plies?.0 + u32::from(outcome == Outcome::Win))
}

fn longer(a: Option<(u32, u64)>, b: Option<(u32, u64)>) -> Option<(u32, u64)> {
    let key = |(plies, index): &(u32, u64)| (*plies, std::cmp::Reverse(*index));
    a.into_iter().chain(b).max_by_key(key)
}

impl Harvest {
    /// `undecided`: positions with a winning move at hand are left out. `wanted`: the leaves are;
    /// then the sweep must be in the order of the index.
    pub(super) fn new(
        game: &BoardGame,
        geometry: &SweepGeometry,
        undecided: bool,
        wanted: bool,
    ) -> Harvest {
        assert!(
            !wanted || geometry.order.is_natural(),
            "leaves are cut by index"
        );
        Harvest {
            left_out: left_out(geometry, undecided),
            limits: BlockLimits::new(game, geometry, |position| position),
            quiet: (geometry.skip == Skip::Nothing).then(|| geometry.quiet()),
            wanted,
            ranks: std::array::from_fn(|code| rank(code as u32)),
            leaves: Vec::new(),
            counts: CodeCounts::new(),
        }
    }

    /// Takes what a finished wave has.
    pub(super) fn take<const N: usize>(
        &mut self,
        swept: &SweptWave<'_, N>,
        solved: &impl BlockValues<N>,
        distances: bool,
    ) {
        let (counts, leaves) = swept
            .wave()
            .families
            .par_iter()
            .with_min_len(16)
            .fold(
                || (CodeCounts::new(), Vec::new()),
                |(mut counts, mut leaves), outer| {
                    let outer = u64::from(*outer);
                    self.family(swept, solved, outer, distances, &mut counts, &mut leaves);
                    (counts, leaves)
                },
            )
            .reduce(
                || (CodeCounts::new(), Vec::new()),
                |(mut counts, mut leaves), (more_counts, mut more_leaves)| {
                    counts.merge(&more_counts);
                    leaves.append(&mut more_leaves);
                    (counts, leaves)
                },
            );
        self.counts.merge(&counts);
        self.leaves.extend(leaves);
    }

    /// Whether leaves are wanted.
    pub(super) fn wants_leaves(&self) -> bool {
        self.wanted
    }

    /// All leaves by number, if they were wanted.
    pub(super) fn leaves(&mut self) -> Option<Vec<(u64, Leaf)>> {
        let mut leaves = std::mem::take(&mut self.leaves);
        leaves.par_sort_unstable_by_key(|(number, _)| *number);
        self.wanted.then_some(leaves)
    }

    fn family<const N: usize>(
        &self,
        swept: &SweptWave<'_, N>,
        solved: &impl BlockValues<N>,
        outer: u64,
        distances: bool,
        counts: &mut CodeCounts,
        leaves: &mut Vec<(u64, Leaf)>,
    ) {
        let common = self.left_out.family(outer);
        let matters = self.quiet.as_ref().map_or(u64::MAX, |quiet| {
            if quiet.outer_is_quiet(outer) {
                quiet.blocks(outer)
            } else {
                0
            }
        });
        let middles = 1_u64 << (2 * swept.geometry.middle);
        // Looked up: every position asks, and few are the longest so far.
        let rank = |code: i32| self.ranks.get(usize::try_from(code).ok()?).copied()?;
        let mut number = (outer * middles) >> LEAF_BLOCK_BITS;
        let mut builder = LeafBuilder::default();
        let mut put = |number: u64, builder: &mut LeafBuilder| {
            let leaf = std::mem::take(builder).finish();
            if leaf.count > 0 {
                leaves.push((number, leaf));
            }
        };
        for middle in (0..middles).filter(|middle| matters >> middle & 1 == 1) {
            let of_block = (outer * middles + middle) >> LEAF_BLOCK_BITS;
            if of_block != number {
                put(number, &mut builder);
                number = of_block;
            }
            let Some(block) = swept.block(outer, middle as u8) else {
                continue;
            };
            let out = self.left_out.add_mixed(&common, outer, middle as usize);
            let (words, _) = out.as_chunks::<8>();
            let mut packed: [u64; WORDS] =
                std::array::from_fn(|number| !u64::from_le_bytes(words[number]));
            let first = (outer * middles + middle) << (2 * LOW);
            if let Some(last) = swept
                .geometry
                .last
                .filter(|last| last >> (2 * LOW) == first >> (2 * LOW))
            {
                let place = (last - first) as usize;
                packed[place / 64] &= !(1 << (place % 64));
            }
            if let Some(limits) = &self.limits {
                let limited = limits.of(outer, middle as u8);
                for (number, word) in packed.iter_mut().enumerate() {
                    *word &= !(limited.none[number] | limited.stuck[number]);
                }
            }
            let leaf = self.wanted.then_some(&mut builder);
            solved.visit(block, &packed, leaf, |position, code| {
                counts.count(code);
                if distances
                    && let Some(rank) = code.and_then(rank)
                    && counts.longest.is_none_or(|(longest, _)| rank >= longest)
                {
                    let index = swept.geometry.order.outward(first + position as u64);
                    counts.longest = longer(counts.longest, Some((rank, index)));
                }
            });
        }
        put(number, &mut builder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaves_fill_up_bit_by_bit() {
        let words = [
            (u64::MAX, 64),
            (0b101, 3),
            (7, 3),
            (u64::MAX >> 1, 63),
            (0, 64),
        ];
        let mut builder = LeafBuilder::default();
        let mut values = Vec::new();
        for (word, count) in words {
            builder.push_bits(word, count);
            values.extend((0..count).map(|bit| word >> bit & 1));
        }
        assert_eq!(builder.finish(), Leaf::pack(1, values));
    }
}
