//! One bit a position: set when the position is lost for the player to move.
//!
//! `lost = finished and lost, or no child is lost`. A block of 4,096 positions is eight rows of 512
//! (see [`layout`](super::layout)). First the children above the block are gathered: whole rows of
//! other blocks, or-ed together. Then nineteen steps settle the block itself, from level sum 18
//! down to 0; each step settles one row with high bit 1 in square 4 and one with 0, all in
//! registers.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod lanes;
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
mod neon;
mod pext;
mod portable;

pub(super) use lanes::{BYTES, BitSweep};

use super::family::{BlockFamily, Sweeper};
use super::layout::{BitBlock, WORDS, bit, in_order};
use super::leaves::{BlockValues, LeafBuilder};
use lanes::sweep_with;

impl BlockValues<BYTES> for BitSweep {
    fn code(&self, block: &BitBlock, position: usize) -> Option<i32> {
        Some(i32::from(bit(block, position)))
    }

    fn visit(
        &self,
        block: &BitBlock,
        packed: &[u64; WORDS],
        leaf: Option<&mut LeafBuilder>,
        _seen: impl FnMut(usize, Option<i32>),
    ) {
        // Counted by the sweep itself.
        if let Some(leaf) = leaf {
            pext::gather_all(&in_order(block), packed, &mut |bits, mask| {
                leaf.push_bits(bits, mask.count_ones());
            });
        }
    }
}

impl Sweeper<BYTES> for BitSweep {
    fn sweep(&self, family: &BlockFamily<'_, BYTES>, out: &mut [BitBlock]) -> u64 {
        match self.kernel {
            #[cfg(target_arch = "x86_64")]
            super::Kernel::Avx512 => avx512::sweep(self, family, out),
            #[cfg(target_arch = "x86_64")]
            super::Kernel::Avx2 => avx2::sweep(self, family, out),
            #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
            super::Kernel::Neon => sweep_with::<neon::Quad>(self, family, out),
            _ => sweep_with::<portable::EightWords>(self, family, out),
        }
    }
}
