//! The family at work, its children, and what became of it.

use super::blocks::Block;
use super::codes::work::CodeWork;
use super::grain::Grain;
use super::list::{PLACES, SetBits};
use super::tables::{Ranks, blocks, numbers};

/// A family that a raise of a far square leads to.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChildFamily<'a, const G: usize> {
    /// The union over the blocks of what far squares leave undecided; not with the sparse grain, nor
    /// which blocks are quiet.
    pub(super) open: Block,
    pub(super) quiet: Ranks<G>,
    /// The stream, and at least [`room`](super::grain::room) bytes in all.
    pub(super) stream: &'a [u8],
    /// The symmetry that made the family's code of the raised one.
    pub(super) symmetry: usize,
}

/// The family at work, and its blocks.
#[derive(Clone, Debug)]
pub(super) struct FamilyBlocks<const G: usize> {
    /// What far squares leave undecided.
    pub(super) open: Block,
    pub(super) quiet: Ranks<G>,
    /// Positions from which a raise of a far square leads to a lost one, for each of [`numbers`]; those that
    /// are no block count for nothing.
    pub(super) found: Vec<Block>,
    /// Lost positions; empty between families, and always at [`blocks`].
    pub(super) lost: Vec<Block>,
    /// The same with a byte for each position, for [`Grain::Code`].
    pub(super) codes: CodeWork<G>,
    /// The quiet blocks of the family, and those of a child, where the kernel wants lists.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
    pub(super) own: SetBits,
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
    pub(super) list: SetBits,
    /// By place in the own list, and some places more: the bytes of a block that have lost positions, for
    /// [`Grain::Sparse`].
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
    pub(super) masks: [u32; PLACES],
}

impl<const G: usize> FamilyBlocks<G> {
    pub(super) fn new(grain: Grain) -> FamilyBlocks<G> {
        FamilyBlocks {
            open: Block::EMPTY,
            quiet: [[0; 4]; G],
            found: vec![Block::EMPTY; numbers::<G>()],
            lost: vec![Block::EMPTY; blocks::<G>() + 1],
            own: SetBits::new(),
            list: SetBits::new(),
            masks: [0; PLACES],
            codes: match grain {
                Grain::Sparse | Grain::Byte | Grain::Bit => CodeWork::default(),
                Grain::Code(law) => CodeWork::new(law),
            },
        }
    }
}

/// What became of a family.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct FamilyResult {
    /// Bytes of its stream.
    pub(super) bytes: usize,
    pub(super) undecided: u64,
    pub(super) lost: u64,
    /// The most plies that a position takes, where distances are requested.
    pub(super) longest: u8,
}

/// How much of a family is undecided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct UndecidedCounts {
    pub(super) positions: u64,
    /// Bytes with any of them.
    pub(super) bytes: u64,
    /// Blocks with any of them.
    pub(super) blocks: u64,
}
