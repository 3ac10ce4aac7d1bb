//! The inner loops: what children contribute to a family, and what follows.
//!
//! A family is kept as one stream: for each quiet block, in order of the ranks, the lost positions
//! at the undecided ones. With the *byte* grain that is every byte of the block in which any
//! position is undecided, with the *bit* grain every undecided bit. For more than the winner there
//! is the *code* grain, a byte for each undecided position. The *sparse* grain tells by itself
//! which blocks have lost positions, and where: see [`sparse`](super::sparse). A stream is always
//! read whole and in order, so it needs no index.

use super::blocks::Block;
use super::codes;
use super::grain::{ByteMeaning, Grain};
use super::list::SetBits;
use super::sparse::{self, Sparse};
use super::tables::{Ranks, Tables, blocks, each, numbers};
use super::work::{ChildFamily, FamilyBlocks, FamilyResult, UndecidedCounts};

/// A version of the inner loops. All give the same streams for the same grain.
pub(super) trait PackedKernel<const G: usize>: Sync {
    /// What moves bits of words.
    type Bits: Mover;

    /// The bits of a word under a mask, moved together.
    #[inline(always)]
    fn extract(word: u64, mask: u64) -> u64 {
        Self::Bits::extract(word, mask)
    }

    /// The undecided part of a family. The list is there to be used.
    #[inline(always)]
    fn undecided(
        tables: &Tables<G>,
        open: &Block,
        quiet: Ranks<G>,
        _list: &mut SetBits,
    ) -> UndecidedCounts {
        let mut all = UndecidedCounts::default();
        each(quiet, |rank| {
            let open = open.and(&tables.mixed[rank]);
            all.positions += open.count();
            all.bytes += open.bytes();
            all.blocks += u64::from(open != Block::EMPTY);
        });
        all
    }

    /// The least of the images with something added to each, and the first symmetry that makes it.
    #[inline(always)]
    fn least(images: &[u64; 8], raises: &[u64; 8]) -> (u64, usize) {
        let mut least = (u64::MAX, 0);
        for (symmetry, (image, raise)) in images.iter().zip(raises).enumerate() {
            let raised = image.wrapping_add(*raise);
            if raised < least.0 {
                least = (raised, symmetry);
            }
        }
        least
    }

    /// The lost positions of the next quiet block of a stream, but for the code grain.
    #[inline(always)]
    fn block(reader: &mut StreamReader<'_>, grain: Grain, rank: usize, open: &Block) -> Block {
        reader.block::<Self::Bits>(grain, rank, open)
    }

    /// Asks for this many cache lines of a child's stream to be brought near.
    fn prefetch(stream: &[u8], lines: usize);

    /// Begins the family that is named: nothing is found, but for the code grain.
    #[inline(always)]
    fn begin(grain: Grain, work: &mut FamilyBlocks<G>) {
        if !matches!(grain, Grain::Code(_)) {
            each(work.quiet, |rank| work.found[rank] = Block::EMPTY);
        }
    }

    /// Adds what a child contributes.
    fn add(
        tables: &Tables<G>,
        grain: Grain,
        work: &mut FamilyBlocks<G>,
        child: &ChildFamily<'_, G>,
    );

    /// Settles the quiet blocks of the family of [`begin`](Kernel::begin) and writes its stream to
    /// `out`, which has [`room`](super::grain::room) bytes or more.
    fn settle(
        tables: &Tables<G>,
        grain: Grain,
        work: &mut FamilyBlocks<G>,
        out: &mut [u8],
    ) -> FamilyResult;
}

/// Work that is compiled for every kernel.
pub(super) trait Routine<const G: usize> {
    type Output;

    /// Does the work; to be inlined wherever it is called, and all that it calls.
    fn run<K: PackedKernel<G>>(self) -> Self::Output;
}

/// Far codes: which blocks of a family are quiet, and what its far squares leave undecided.
#[inline(always)]
pub(super) fn family<const G: usize, K: PackedKernel<G>>(
    tables: &Tables<G>,
    code: u64,
) -> (Block, Ranks<G>) {
    let mut quiet = tables.alone;
    for table in &tables.quiet {
        let entry = &table.entries[K::extract(code, table.mask) as usize];
        let words = quiet.as_flattened_mut().iter_mut();
        for (quiet, entry) in words.zip(entry.as_flattened()) {
            *quiet &= entry;
        }
    }
    let mut open = Block::FULL;
    for table in &tables.forbid {
        open = open.and(&table.entries[K::extract(code, table.mask) as usize]);
    }
    (open, quiet)
}

/// Whether far squares alone show a pattern. Families are listed without such codes.
#[inline(always)]
pub(super) fn far_decides<const G: usize, K: PackedKernel<G>>(
    tables: &Tables<G>,
    code: u64,
) -> bool {
    let mut refused = false;
    for (depth, step) in tables.steps.iter().enumerate() {
        let level = code >> (2 * (tables.steps.len() - 1 - depth)) & 3;
        for table in step {
            refused |= table.entries[K::extract(code, table.mask) as usize] >> level & 1 == 1;
        }
    }
    refused
}

/// Moves bits of words.
pub(super) trait Mover: Sync {
    /// The bits of a word under a mask, moved together.
    fn extract(word: u64, mask: u64) -> u64;

    /// The lowest bits of a word, moved to the set bits of a mask.
    fn deposit(word: u64, mask: u64) -> u64;
}

/// On every machine.
pub(super) struct Portable;

impl Mover for Portable {
    #[inline(always)]
    fn extract(word: u64, mask: u64) -> u64 {
        let (mut rest, mut bits, mut place) = (mask, 0, 0);
        while rest != 0 {
            bits |= (word >> rest.trailing_zeros() & 1) << place;
            place += 1;
            rest &= rest - 1;
        }
        bits
    }

    #[inline(always)]
    fn deposit(word: u64, mask: u64) -> u64 {
        let (mut rest, mut bits, mut place) = (mask, 0, 0);
        while rest != 0 {
            bits |= (word >> place & 1) << rest.trailing_zeros();
            place += 1;
            rest &= rest - 1;
        }
        bits
    }
}

/// Loops over words.
pub(super) struct WordLoops<M>(M);

impl<const G: usize, M: Mover> PackedKernel<G> for WordLoops<M> {
    type Bits = M;

    #[inline(always)]
    fn prefetch(_stream: &[u8], _lines: usize) {}

    #[inline(always)]
    fn add(
        tables: &Tables<G>,
        grain: Grain,
        work: &mut FamilyBlocks<G>,
        child: &ChildFamily<'_, G>,
    ) {
        let turn = &tables.turns[child.symmetry];
        let origins = &tables.origins[child.symmetry];
        let mut join = |rank: usize, mut lost: Block| {
            if !turn.identity {
                lost = turn.back(&lost);
            }
            let found = &mut work.found[usize::from(origins[rank])];
            *found = found.or(&lost);
        };
        match grain {
            Grain::Byte | Grain::Bit => {
                let mut reader = StreamReader::new(child.stream);
                each(child.quiet, |rank| {
                    let open = child.open.and(&tables.mixed[rank]);
                    join(rank, reader.block::<M>(grain, rank, &open));
                });
            }
            Grain::Sparse => {
                // The number and the ranks may be any, if somebody forged them.
                let mut sparse = Sparse::of(child.stream);
                while let Some((rank, lost)) = sparse.next() {
                    join(rank & (numbers::<G>() - 1), lost);
                }
            }
            Grain::Code(ByteMeaning::Distance | ByteMeaning::Points) => {
                codes::add::<G, 1>(tables, work, child)
            }
            Grain::Code(ByteMeaning::Nimber) => codes::add::<G, 2>(tables, work, child),
        }
    }

    #[inline(always)]
    fn settle(
        tables: &Tables<G>,
        grain: Grain,
        work: &mut FamilyBlocks<G>,
        out: &mut [u8],
    ) -> FamilyResult {
        match grain {
            Grain::Sparse | Grain::Byte | Grain::Bit => {}
            Grain::Code(ByteMeaning::Distance) => {
                return codes::settle::<G, 1, false>(tables, work, out);
            }
            Grain::Code(ByteMeaning::Nimber) => {
                return codes::settle::<G, 2, false>(tables, work, out);
            }
            Grain::Code(ByteMeaning::Points) => {
                return codes::settle::<G, 1, true>(tables, work, out);
            }
        }
        let quiet = work.quiet;
        let mut settled = FamilyResult::default();
        let mut writer = StreamWriter { out, bit: 0 };
        let mut list = Vec::new();
        each(quiet, |rank| {
            let open = work.open.and(&tables.mixed[rank]);
            let mut won = work.found[rank];
            for raised in tables.raised[rank] {
                won = won.or(&work.lost[usize::from(raised)]);
            }
            let lost = open.without(&won).settled();
            work.lost[rank] = lost;
            settled.undecided += open.count();
            settled.lost += lost.count();
            if grain == Grain::Sparse {
                list.push((rank, lost));
            } else {
                writer.block::<M>(grain, &open, &lost);
            }
        });
        each(quiet, |rank| work.lost[rank] = Block::EMPTY);
        settled.bytes = if grain == Grain::Sparse {
            sparse::write(&list, blocks::<G>(), writer.out)
        } else {
            writer.bit.div_ceil(8)
        };
        settled
    }
}

/// Reads a stream.
pub(super) struct StreamReader<'a> {
    stream: &'a [u8],
    // Bits that have been read.
    bit: usize,
    sparse: Sparse<'a>,
}

impl<'a> StreamReader<'a> {
    pub(super) fn new(stream: &'a [u8]) -> StreamReader<'a> {
        StreamReader {
            stream,
            bit: 0,
            sparse: Sparse::of(stream),
        }
    }

    /// The lost positions of the next quiet block, whose undecided positions are `open`.
    #[inline(always)]
    pub(super) fn block<M: Mover>(&mut self, grain: Grain, rank: usize, open: &Block) -> Block {
        let mut lost = Block::EMPTY;
        if grain == Grain::Sparse {
            return self.sparse.at(rank);
        }
        for (open, lost) in open.0.iter().zip(&mut lost.0) {
            if *open == 0 {
                continue;
            }
            match grain {
                Grain::Byte => {
                    let mut bytes = [0; 8];
                    for (byte, open) in bytes.iter_mut().zip(open.to_le_bytes()) {
                        if open != 0 {
                            *byte = self.stream[self.bit / 8];
                            self.bit += 8;
                        }
                    }
                    *lost = u64::from_le_bytes(bytes);
                }
                Grain::Bit => {
                    let place = self.bit / 8;
                    let mut bytes = [0; 16];
                    bytes.copy_from_slice(&self.stream[place..place + 16]);
                    let bits = (u128::from_le_bytes(bytes) >> (self.bit % 8)) as u64;
                    *lost = M::deposit(bits, *open);
                    self.bit += open.count_ones() as usize;
                }
                Grain::Sparse | Grain::Code(_) => unreachable!("has no stream of words"),
            }
        }
        lost
    }
}

// Writes a stream.
struct StreamWriter<'a> {
    out: &'a mut [u8],
    bit: usize,
}

impl StreamWriter<'_> {
    #[inline(always)]
    fn block<M: Mover>(&mut self, grain: Grain, open: &Block, lost: &Block) {
        for (open, lost) in open.0.iter().zip(&lost.0) {
            if *open == 0 {
                continue;
            }
            match grain {
                Grain::Byte => {
                    for (open, lost) in open.to_le_bytes().into_iter().zip(lost.to_le_bytes()) {
                        if open != 0 {
                            self.out[self.bit / 8] = lost;
                            self.bit += 8;
                        }
                    }
                }
                Grain::Bit => {
                    let (place, offset) = (self.bit / 8, self.bit % 8);
                    let kept = u128::from(self.out[place]) & ((1 << offset) - 1);
                    let bits = kept | u128::from(M::extract(*lost, *open)) << offset;
                    self.out[place..place + 16].copy_from_slice(&bits.to_le_bytes());
                    self.bit += open.count_ones() as usize;
                }
                Grain::Sparse | Grain::Code(_) => unreachable!("has no stream of words"),
            }
        }
    }
}
