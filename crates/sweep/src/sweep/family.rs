//! A family of blocks as the kernels see it.

use super::masks::{Merge, MixedTable};

/// A way to sweep families, with blocks of `N` bytes.
pub(super) trait Sweeper<const N: usize>: Sync {
    /// Sweeps a family into `out`, which has room for exactly its swept blocks. Returns how many
    /// unfinished positions are lost, if it counts them.
    fn sweep(&self, family: &BlockFamily<'_, N>, out: &mut [[u8; N]]) -> u64;
}

/// The blocks that differ only in the middle squares, before they are swept.
pub(super) struct BlockFamily<'a, const N: usize> {
    /// Levels of the outer squares.
    pub(super) outer: u64,
    /// Blocks to be swept, one bit each by the code of the middle squares.
    pub(super) swept: u64,
    /// Of those, the ones that a line finishes as a whole.
    pub(super) finished: u64,
    /// Blocks from which a raise of an outer square leads to a block that is not swept.
    pub(super) leads_out: u64,
    /// Middle codes in an order in which raises come first.
    pub(super) middles: &'a [Middle],
    /// The families that a raise of an outer square leads to.
    pub(super) children: &'a [ChildBlocks<'a, N>],
    /// Those of the family that comes next, to be brought near in time.
    pub(super) ahead: &'a [ChildBlocks<'a, N>],
}

impl<'a, const N: usize> BlockFamily<'a, N> {
    /// The middle codes of the blocks to be swept.
    #[inline(always)]
    pub(super) fn swept_middles(&self) -> impl Iterator<Item = &'a Middle> + use<'a, N> {
        let swept = self.swept;
        self.middles
            .iter()
            .filter(move |middle| swept >> middle.code & 1 == 1)
    }

    #[inline(always)]
    pub(super) fn is_swept(&self, middle: u8) -> bool {
        self.swept >> middle & 1 == 1
    }

    #[inline(always)]
    pub(super) fn is_finished(&self, middle: u8) -> bool {
        self.finished >> middle & 1 == 1
    }

    /// Where a swept block is among those of the family.
    #[inline(always)]
    pub(super) fn place(&self, middle: u8) -> usize {
        rank(self.swept, middle)
    }

    /// Before the `number`-th block: asks for its share of what the next family will read.
    #[inline(always)]
    pub(super) fn prefetch(&self, number: usize, ask: impl Fn(&[u8; N])) {
        let of = self.swept.count_ones() as usize;
        for child in self.ahead {
            let blocks = child.blocks.len();
            for block in &child.blocks[blocks * number / of..blocks * (number + 1) / of] {
                ask(block);
            }
        }
    }
}

/// The swept blocks of a family in the wave above.
pub(super) struct ChildBlocks<'a, const N: usize> {
    /// The outer square that was raised.
    pub(super) square: usize,
    /// One bit each by the code of the middle squares.
    pub(super) swept: u64,
    pub(super) blocks: &'a [[u8; N]],
}

impl<'a, const N: usize> ChildBlocks<'a, N> {
    /// The block with these middle squares, if it was swept.
    #[inline(always)]
    pub(super) fn block(&self, middle: u8) -> Option<&'a [u8; N]> {
        (self.swept >> middle & 1 == 1).then(|| &self.blocks[rank(self.swept, middle)])
    }
}

/// Number of blocks before one, among those of a mask.
#[inline(always)]
pub(super) fn rank(mask: u64, middle: u8) -> usize {
    (mask & ((1 << middle) - 1)).count_ones() as usize
}

/// A code of the middle squares and those that raises of it lead to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Middle {
    pub(super) code: u8,
    raises: u8,
    raised: [u8; 3],
}

impl Middle {
    #[inline(always)]
    pub(super) fn raised(&self) -> impl Iterator<Item = u8> + '_ {
        self.raised[..usize::from(self.raises)].iter().copied()
    }
}

/// The codes of up to three middle squares by level sum, highest first, with raises up to a level.
pub(super) fn middles(squares: usize, top_level: u8) -> Vec<Middle> {
    let mut middles: Vec<Middle> = (0..1_u8 << (2 * squares))
        .map(|code| {
            let mut middle = Middle {
                code,
                raises: 0,
                raised: [0; 3],
            };
            for square in (0..squares).filter(|square| code >> (2 * square) & 3 < top_level) {
                middle.raised[usize::from(middle.raises)] = code + (1 << (2 * square));
                middle.raises += 1;
            }
            middle
        })
        .collect();
    middles.sort_by_key(|middle| {
        std::cmp::Reverse(greenwave_game::Code(u64::from(middle.code)).level_sum())
    });
    middles
}

// Tables of contributions whose places are kept at hand; there are hardly ever more.
const AT_HAND: usize = 8;

/// The entries of mixed tables for one family.
pub(super) struct FamilyEntries<'a, T> {
    tables: &'a [MixedTable<T>],
    outer: u64,
    at_hand: [usize; AT_HAND],
}

impl<'a, T: Merge> FamilyEntries<'a, T> {
    #[inline(always)]
    pub(super) fn new(tables: &'a [MixedTable<T>], outer: u64) -> FamilyEntries<'a, T> {
        let mut at_hand = [0; AT_HAND];
        for (place, table) in at_hand.iter_mut().zip(tables) {
            *place = table.outer_place(outer);
        }
        FamilyEntries {
            tables,
            outer,
            at_hand,
        }
    }

    /// The contributions to the block with these middle squares.
    #[inline(always)]
    pub(super) fn entries(&self, middle: u8) -> impl Iterator<Item = &'a T> + '_ {
        self.tables.iter().enumerate().map(move |(number, table)| {
            let place = match self.at_hand.get(number) {
                Some(place) => *place,
                None => table.outer_place(self.outer),
            };
            table.get(place, usize::from(middle))
        })
    }
}
