//! The inner loops: what children contribute to a family, and what follows.
//!
//! A family is kept as one stream: for each quiet block, in order of the ranks, the lost positions
//! at the undecided ones. With the *byte* grain that is every byte of the block in which any
//! position is undecided, with the *bit* grain every undecided bit; where more is asked for than who wins, with
//! the *code* grain, a byte for each undecided position. A stream is always read whole and in order, so
//! it needs no index.

use greenwave_game::Metric;

use super::blocks::Block;
use super::codes::{self, CodeWork, Law};
use super::list::List;
use super::tables::{Ranks, Tables, blocks};

/// Bytes of a stream and of what may be read or written beyond its end, at most.
pub(super) const fn room(grain: Grain, fold: usize) -> usize {
    let block = match grain {
        Grain::Byte | Grain::Bit => 32,
        Grain::Code(_) => 256,
    };
    256 * fold * block + 128
}

/// What a stream keeps of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grain {
    /// Bytes in which a position is undecided.
    Byte,
    /// Undecided positions.
    Bit,
    /// Undecided positions with a byte each. Whatever has a bit for each position of a block, in tables
    /// too, is in rows then: see [`codes`].
    Code(Law),
}

impl Grain {
    /// What streams can keep for a metric, the quickest first, the smallest last.
    pub(super) fn of(metric: Metric) -> &'static [Grain] {
        match metric {
            Metric::Value => &[Grain::Byte, Grain::Bit],
            Metric::Nimber => &[Grain::Code(Law::Nimber)],
            Metric::Points => &[Grain::Code(Law::Points)],
            Metric::Distance | Metric::Odds => &[Grain::Code(Law::Distance)],
        }
    }
}

/// A family that a raise of a far square leads to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child<'a, const G: usize> {
    /// The union over the blocks of what far squares leave undecided.
    pub(super) open: Block,
    pub(super) quiet: Ranks<G>,
    /// The stream, and at least [`room`] bytes in all.
    pub(super) stream: &'a [u8],
    /// The symmetry that made the family's code of the raised one.
    pub(super) symmetry: usize,
}

/// The family at work, and its blocks.
#[derive(Clone, Debug)]
pub(super) struct Work<const G: usize> {
    /// What far squares leave undecided.
    pub(super) open: Block,
    pub(super) quiet: Ranks<G>,
    /// Positions from which a raise of a far square leads to a lost one; one block more that
    /// counts for nothing.
    pub(super) found: Vec<Block>,
    /// Lost positions; empty between families, and always at [`blocks`].
    pub(super) lost: Vec<Block>,
    /// The same with a byte for each position, for [`Grain::Code`].
    pub(super) codes: CodeWork<G>,
    /// The quiet blocks of the family, and those of a child, where the kernel wants lists.
    pub(super) own: List,
    pub(super) list: List,
}

impl<const G: usize> Work<G> {
    pub(super) fn new(grain: Grain) -> Work<G> {
        Work {
            open: Block::EMPTY,
            quiet: [[0; 4]; G],
            found: vec![Block::EMPTY; blocks::<G>() + 1],
            lost: vec![Block::EMPTY; blocks::<G>() + 1],
            own: List::new(),
            list: List::new(),
            codes: match grain {
                Grain::Byte | Grain::Bit => CodeWork::default(),
                Grain::Code(law) => CodeWork::new(law),
            },
        }
    }
}

/// What became of a family.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Settled {
    /// Bytes of its stream.
    pub(super) bytes: usize,
    pub(super) undecided: u64,
    pub(super) lost: u64,
    /// The most plies that a position takes, where distances are asked for.
    pub(super) longest: u8,
}

/// A version of the inner loops. All give the same streams for the same grain.
pub(super) trait Kernel<const G: usize>: Sync {
    /// What moves bits of words.
    type Bits: Mover;

    /// The bits of a word under a mask, moved together.
    #[inline(always)]
    fn extract(word: u64, mask: u64) -> u64 {
        Self::Bits::extract(word, mask)
    }

    /// Bytes of a block in which a position is undecided.
    #[inline(always)]
    fn bytes(open: &Block) -> u64 {
        const LOW: u64 = 0x7F7F_7F7F_7F7F_7F7F;
        open.0.iter().fold(0, |count, word| {
            // The top bit of every byte that has any.
            let any = ((word & LOW).wrapping_add(LOW) | word) & !LOW;
            count.wrapping_add(any.count_ones().into())
        })
    }

    /// The lost positions of the next block of a stream of bytes or bits.
    #[inline(always)]
    fn block(reader: &mut Reader<'_>, grain: Grain, open: &Block) -> Block {
        reader.block::<Self::Bits>(grain, open)
    }

    /// Asks for a child's stream to be brought near.
    fn prefetch(stream: &[u8]);

    /// Begins the family that is named: with the grains of bytes and bits, nothing is found.
    #[inline(always)]
    fn begin(grain: Grain, work: &mut Work<G>) {
        if matches!(grain, Grain::Byte | Grain::Bit) {
            each(work.quiet, |rank| work.found[rank] = Block::EMPTY);
        }
    }

    /// Adds what a child contributes.
    fn add(tables: &Tables<G>, grain: Grain, work: &mut Work<G>, child: &Child<'_, G>);

    /// Settles the quiet blocks of the family that was [begun](Kernel::begin) and writes its stream to
    /// `out`, which has [`room`] bytes or more.
    fn settle(tables: &Tables<G>, grain: Grain, work: &mut Work<G>, out: &mut [u8]) -> Settled;
}

/// The set bits in order.
#[inline(always)]
pub(super) fn each<const G: usize>(ranks: Ranks<G>, mut visit: impl FnMut(usize)) {
    for (number, word) in ranks.as_flattened().iter().enumerate() {
        let mut rest = *word;
        while rest != 0 {
            visit((64 * number) | rest.trailing_zeros() as usize);
            rest &= rest.wrapping_sub(1);
        }
    }
}

/// Far codes: which blocks of a family are quiet, and what its far squares leave undecided.
#[inline(always)]
pub(super) fn family<const G: usize, K: Kernel<G>>(
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
pub(super) fn far_decides<const G: usize, K: Kernel<G>>(tables: &Tables<G>, code: u64) -> bool {
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
pub(super) struct Words<M>(M);

impl<const G: usize, M: Mover> Kernel<G> for Words<M> {
    type Bits = M;

    #[inline(always)]
    fn prefetch(_stream: &[u8]) {}

    #[inline(always)]
    fn add(tables: &Tables<G>, grain: Grain, work: &mut Work<G>, child: &Child<'_, G>) {
        match grain {
            Grain::Byte | Grain::Bit => {}
            Grain::Code(Law::Distance | Law::Points) => {
                return codes::add::<G, 1>(tables, work, child);
            }
            Grain::Code(Law::Nimber) => return codes::add::<G, 2>(tables, work, child),
        }
        let turn = &tables.turns[child.symmetry];
        let origins = &tables.origins[child.symmetry];
        let mut reader = Reader {
            stream: child.stream,
            bit: 0,
        };
        each(child.quiet, |rank| {
            let open = child.open.and(&tables.mixed[rank]);
            let mut lost = reader.block::<M>(grain, &open);
            if !turn.identity {
                lost = turn.back(&lost);
            }
            let found = &mut work.found[usize::from(origins[rank])];
            *found = found.or(&lost);
        });
    }

    #[inline(always)]
    fn settle(tables: &Tables<G>, grain: Grain, work: &mut Work<G>, out: &mut [u8]) -> Settled {
        match grain {
            Grain::Byte | Grain::Bit => {}
            Grain::Code(Law::Distance) => {
                return codes::settle::<G, 1, false>(tables, work, out);
            }
            Grain::Code(Law::Nimber) => return codes::settle::<G, 2, false>(tables, work, out),
            Grain::Code(Law::Points) => return codes::settle::<G, 1, true>(tables, work, out),
        }
        let quiet = work.quiet;
        let mut settled = Settled::default();
        let mut writer = Writer { out, bit: 0 };
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
            writer.block::<M>(grain, &open, &lost);
        });
        each(quiet, |rank| work.lost[rank] = Block::EMPTY);
        settled.bytes = writer.bit.div_ceil(8);
        settled
    }
}

/// Reads a stream.
pub(super) struct Reader<'a> {
    pub(super) stream: &'a [u8],
    /// Bits that have been read.
    pub(super) bit: usize,
}

impl Reader<'_> {
    /// The lost positions of the next block, whose undecided positions are `open`.
    #[inline(always)]
    pub(super) fn block<M: Mover>(&mut self, grain: Grain, open: &Block) -> Block {
        let mut lost = Block::EMPTY;
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
                Grain::Code(_) => unreachable!("has bytes for positions, not bits"),
            }
        }
        lost
    }
}

// Writes a stream.
struct Writer<'a> {
    out: &'a mut [u8],
    bit: usize,
}

impl Writer<'_> {
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
                Grain::Code(_) => unreachable!("has bytes for positions, not bits"),
            }
        }
    }
}
