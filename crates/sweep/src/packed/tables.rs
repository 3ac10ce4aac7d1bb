//! What far squares say of a family, by look-up.

use greenwave_game::Code;

use crate::sweep::pattern::{LevelTable, Pattern, keyed};

use super::blocks::Block;
use super::codes::rows::in_rows;
use super::grain::Grain;
use super::layout::{MIDDLE, Patterns, SquareLayout, moved};
use super::turn::BlockSymmetry;

/// Most far squares that key one table.
const KEY_SQUARES: usize = 3;

/// Blocks of a family, at most, where it has `G` times four words of ranks; also the number of the block
/// that is always empty.
pub(super) const fn blocks<const G: usize>() -> usize {
    256 * G
}

/// Block numbers that a look-up accepts: any number of that width.
pub(super) const fn numbers<const G: usize>() -> usize {
    2 * blocks::<G>()
}

/// Most middle squares with a look-up for raises, where a family has that number of blocks.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
pub(super) const fn middles<const G: usize>() -> usize {
    if G == 1 { MIDDLE - 1 } else { MIDDLE }
}

/// One bit for each block of a family, by rank.
pub(super) type Ranks<const G: usize> = [[u64; 4]; G];

/// Whether a block is among some.
#[inline(always)]
pub(super) fn has<const G: usize>(ranks: &Ranks<G>, rank: usize) -> bool {
    ranks[rank / 256][rank / 64 % 4] >> (rank % 64) & 1 == 1
}

/// Puts a block among some, or takes it from among them.
pub(super) fn set<const G: usize>(ranks: &mut Ranks<G>, rank: usize, there: bool) {
    let word = &mut ranks[rank / 256][rank / 64 % 4];
    *word = *word & !(1 << (rank % 64)) | u64::from(there) << (rank % 64);
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

/// The codes of this many middle squares in the order of falling level sums.
fn falling(mids: usize) -> Vec<u16> {
    let mut codes: Vec<u16> = (0..1 << (2 * mids)).collect();
    codes.sort_unstable_by_key(|code| (std::cmp::Reverse(level_sum(*code)), *code));
    codes
}

fn level_sum(code: u16) -> u8 {
    (0..MIDDLE)
        .map(|digit| (code >> (2 * digit) & 3) as u8)
        .sum()
}

/// A table over the levels of a few far squares.
#[derive(Clone, Debug)]
pub(super) struct FarTable<T> {
    /// The squares, both bits of each digit.
    pub(super) mask: u64,
    /// One entry for each combination of levels: that of a code is found at the bits of the code
    /// under the mask, moved together.
    pub(super) entries: Vec<T>,
}

impl<T> From<LevelTable<T>> for FarTable<T> {
    fn from(keyed: LevelTable<T>) -> FarTable<T> {
        FarTable {
            mask: keyed.mask(),
            entries: keyed.entries,
        }
    }
}

/// Everything that the sweep looks up. `G` is 1, or 4 where there are five middle squares.
#[derive(Debug)]
pub(super) struct Tables<const G: usize> {
    pub(super) layout: SquareLayout,
    /// Undecided positions of a block as far as far squares tell: the intersection of one entry
    /// each.
    pub(super) forbid: Vec<FarTable<Block>>,
    /// The same as far as the block's middle squares tell, by rank; empty where they decide all, and
    /// at [`blocks`], which is no rank.
    pub(super) mixed: Vec<Block>,
    /// Quiet blocks: the intersection of one entry each, and of [`alone`](Self::alone).
    pub(super) quiet: Vec<FarTable<Ranks<G>>>,
    pub(super) alone: Ranks<G>,
    /// The ranks of the blocks that a raise of a middle square leads to, [`blocks`] for none; also for
    /// [`blocks`] itself.
    pub(super) raised: Vec<[u16; MIDDLE]>,
    /// For each rank the sum of its middle levels; ranks are in falling order of it.
    pub(super) sums: Vec<u8>,
    /// For each code of the middle squares its rank, and back.
    pub(super) ranks: Vec<u16>,
    pub(super) middles: Vec<u16>,
    /// By symmetry: where a block of an image comes from; for each of [`numbers`], [`blocks`] for those
    /// that are no block.
    pub(super) origins: Vec<Vec<u16>>,
    /// By symmetry: how a block of an image is turned back.
    pub(super) turns: Vec<BlockSymmetry>,
    /// Images of a far code under eight symmetries: the union of one entry for each byte.
    pub(super) images: Vec<Vec<[u64; 8]>>,
    /// What a raise of a far digit adds to the images.
    pub(super) raises: Vec<[u64; 8]>,
    /// From the highest far digit down: which levels complete a pattern on far squares, as bits,
    /// keyed by the higher digits.
    pub(super) steps: Vec<Vec<FarTable<u8>>>,
}

impl<const G: usize> Tables<G> {
    pub(super) fn new(patterns: &Patterns, layout: SquareLayout, grain: Grain) -> Tables<G> {
        let places = DigitOrder::new(&layout, patterns.squares);
        let far_digits = layout.far.len();
        let mids = layout.mid.len();
        let deciding: Vec<Pattern> = patterns
            .deciding
            .iter()
            .map(|pattern| places.moved(*pattern))
            .collect();
        let (low_mask, mid_mask, far_mask) = places.masks();
        let of = |kinds: &[u64]| -> Vec<Pattern> {
            let all: u64 = kinds.iter().sum();
            deciding
                .iter()
                .copied()
                .filter(|pattern| {
                    pattern.mask & !all == 0 && kinds.iter().all(|kind| pattern.mask & kind != 0)
                })
                .collect()
        };
        let (mid_shift, far_shift) = (places.mid_shift(), places.far_shift());
        let to_far = |pattern: &Pattern| Pattern {
            mask: (pattern.mask & far_mask) >> far_shift,
            value: (pattern.value & far_mask) >> far_shift,
        };

        // The blocks.
        let middles = falling(mids);
        let mut ranks = vec![0; middles.len()];
        for (rank, code) in middles.iter().enumerate() {
            ranks[usize::from(*code)] = rank as u16;
        }
        let none = blocks::<G>() as u16;
        let mut raised: Vec<[u16; MIDDLE]> = middles
            .iter()
            .map(|code| {
                let mut to = [none; MIDDLE];
                for (digit, to) in to.iter_mut().enumerate().take(mids) {
                    if code >> (2 * digit) & 3 < 3 {
                        *to = ranks[usize::from(code + (1 << (2 * digit)))];
                    }
                }
                to
            })
            .collect();
        raised.resize(blocks::<G>() + 1, [none; MIDDLE]);

        // What middle and low squares decide by themselves.
        let lows = of(&[low_mask]);
        let crossing = of(&[low_mask, mid_mask]);
        let only = of(&[mid_mask]);
        let mut alone = [[0; 4]; G];
        let mut mixed = vec![Block::EMPTY; blocks::<G>() + 1];
        for (rank, code) in middles.iter().enumerate() {
            let middle = u64::from(*code) << mid_shift;
            if only.iter().any(|pattern| pattern.shown(middle)) {
                continue;
            }
            let mut block = Block::FULL;
            for pattern in &lows {
                block.remove(pattern.value, pattern.mask);
            }
            for pattern in &crossing {
                if pattern.within(mid_mask).shown(middle) {
                    let low = pattern.within(low_mask);
                    block.remove(low.value, low.mask);
                }
            }
            if block != Block::EMPTY {
                set(&mut alone, rank, true);
            }
            mixed[rank] = block;
        }

        if matches!(grain, Grain::Code(_)) {
            for block in mixed.iter_mut() {
                *block = in_rows(block);
            }
        }

        let across = of(&[mid_mask, far_mask]);
        let keys: Vec<Pattern> = across.iter().map(to_far).collect();
        let quiet = keyed(&keys, KEY_SQUARES, &[[u64::MAX; 4]; G], |entry, number| {
            let part = across[number].within(mid_mask);
            for (rank, code) in middles.iter().enumerate() {
                if part.shown(u64::from(*code) << mid_shift) {
                    set(entry, rank, false);
                }
            }
        });
        let reaching = of(&[low_mask, far_mask]);
        let keys: Vec<Pattern> = reaching.iter().map(to_far).collect();
        let mut forbid = keyed(&keys, KEY_SQUARES, &Block::FULL, |entry, number| {
            let part = reaching[number].within(low_mask);
            entry.remove(part.value, part.mask);
        });
        if matches!(grain, Grain::Code(_)) {
            for entry in forbid.iter_mut().flat_map(|table| &mut table.entries) {
                *entry = in_rows(entry);
            }
        }

        let outer: Vec<Pattern> = of(&[far_mask]).iter().map(to_far).collect();
        let steps = (0..far_digits)
            .rev()
            .map(|digit| {
                let here = 3_u64 << (2 * digit);
                let lowest: Vec<Pattern> = outer
                    .iter()
                    .copied()
                    .filter(|pattern| pattern.squares().next() == Some(digit as u32))
                    .collect();
                let keys: Vec<Pattern> = lowest.iter().map(|p| p.within(!here)).collect();
                keyed(&keys, KEY_SQUARES, &0_u8, |entry, number| {
                    *entry |= 1 << (lowest[number].value >> (2 * digit) & 3);
                })
                .into_iter()
                .map(FarTable::from)
                .collect()
            })
            .collect();

        let symmetries = &layout.symmetries;
        let digits = |squares: &[u8], to: &[u8]| -> Vec<usize> {
            let digit = |square: u8| squares.iter().position(|other| *other == square);
            squares
                .iter()
                .filter_map(|square| digit(to[usize::from(*square)]))
                .collect()
        };
        let mut raises = vec![[0; 8]; far_digits];
        let mut images = vec![vec![[0; 8]; 256]; (2 * far_digits).div_ceil(8)];
        for lane in 0..8 {
            // Fewer than eight repeat themselves.
            let to = digits(&layout.far, &symmetries[lane % symmetries.len()]);
            for (digit, target) in to.iter().enumerate() {
                raises[digit][lane] = 1 << (2 * target);
                for (byte, image) in images[digit / 4].iter_mut().enumerate() {
                    let level = (byte >> (2 * (digit % 4)) & 3) as u64;
                    image[lane] |= level << (2 * target);
                }
            }
        }
        let origins = symmetries
            .iter()
            .map(|to| {
                let to = digits(&layout.mid, to);
                let mut origins = vec![none; numbers::<G>()];
                for (rank, code) in middles.iter().enumerate() {
                    let image = to.iter().enumerate().fold(0, |image, (digit, target)| {
                        image | (code >> (2 * digit) & 3) << (2 * target)
                    });
                    origins[usize::from(ranks[usize::from(image)])] = rank as u16;
                }
                origins
            })
            .collect();
        let turns = symmetries
            .iter()
            .map(|to| BlockSymmetry::new(&digits(&layout.low, to)))
            .collect();
        Tables {
            forbid: forbid.into_iter().map(FarTable::from).collect(),
            mixed,
            quiet: quiet.into_iter().map(FarTable::from).collect(),
            alone,
            raised,
            sums: middles.iter().map(|code| level_sum(*code)).collect(),
            ranks,
            middles,
            origins,
            turns,
            images,
            raises,
            steps,
            layout,
        }
    }

    /// The images of a far code.
    #[inline(always)]
    pub(super) fn images_of(&self, code: u64) -> [u64; 8] {
        let mut images = [0; 8];
        for (byte, table) in self.images.iter().enumerate() {
            let entry = &table[(code >> (8 * byte) & 255) as usize];
            for (image, part) in images.iter_mut().zip(entry) {
                *image |= part;
            }
        }
        images
    }

    /// Splits a board's code: far code, middle code and position in a block.
    pub(super) fn split(&self, code: u64) -> (u64, usize, usize) {
        let part = |squares: &[u8]| {
            let digits = squares.iter().enumerate();
            digits.fold(0, |part, (digit, square)| {
                part | (code >> (2 * square) & 3) << (2 * digit)
            })
        };
        let layout = &self.layout;
        (
            part(&layout.far),
            part(&layout.mid) as usize,
            part(&layout.low) as usize,
        )
    }

    /// The board's code of a position: the other way round than [`split`](Self::split).
    pub(super) fn join(&self, far: u64, rank: usize, low: usize) -> u64 {
        let part = |code: u64, squares: &[u8]| {
            let digits = squares.iter().enumerate();
            digits.fold(0, |part, (digit, square)| {
                part | (code >> (2 * digit) & 3) << (2 * square)
            })
        };
        let layout = &self.layout;
        part(far, &layout.far)
            | part(self.middles[rank].into(), &layout.mid)
            | part(low as u64, &layout.low)
    }

    /// The least of a position's images.
    pub(super) fn least_image(&self, code: u64) -> u64 {
        let symmetries = self.layout.symmetries.iter();
        let images = symmetries.map(|to| moved(Code(code), to).0);
        images.min().unwrap_or(code)
    }
}

/// Low squares in the lowest digits, then the middle ones, then the far ones.
pub(super) struct DigitOrder {
    digits: Vec<u32>,
    lows: usize,
    mids: usize,
    fars: usize,
}

impl DigitOrder {
    pub(super) fn new(layout: &SquareLayout, squares: usize) -> DigitOrder {
        let mut digits = vec![0; squares];
        let order = layout.low.iter().chain(&layout.mid).chain(&layout.far);
        for (digit, square) in order.enumerate() {
            digits[usize::from(*square)] = digit as u32;
        }
        DigitOrder {
            digits,
            lows: layout.low.len(),
            mids: layout.mid.len(),
            fars: layout.far.len(),
        }
    }

    /// Where a board's square goes.
    pub(super) fn digit(&self, square: usize) -> usize {
        self.digits[square] as usize
    }

    pub(super) fn mid_shift(&self) -> usize {
        2 * self.lows
    }

    pub(super) fn far_shift(&self) -> usize {
        2 * (self.lows + self.mids)
    }

    /// Low, middle and far squares.
    pub(super) fn masks(&self) -> (u64, u64, u64) {
        let mask = |digits: usize| (1_u64 << (2 * digits)) - 1;
        (
            mask(self.lows),
            mask(self.mids) << self.mid_shift(),
            mask(self.fars) << self.far_shift(),
        )
    }

    pub(super) fn moved(&self, pattern: Pattern) -> Pattern {
        let mut moved = Pattern { mask: 0, value: 0 };
        for square in pattern.squares() {
            let digit = self.digits[square as usize];
            moved.mask |= 3 << (2 * digit);
            moved.value |= (pattern.value >> (2 * square) & 3) << (2 * digit);
        }
        moved
    }
}
