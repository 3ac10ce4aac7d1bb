//! What is read and written in order: the ranks of a family, and streams.

#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::super::blocks::Block;
use super::super::list::SetBits;
use super::super::tables::Ranks;
use super::super::work::FamilyResult;

// SAFETY of every block below: as in the module above, whose methods alone call these.

/// Most bits that move at a time: the rest of a word of a stream that begins inside a byte, and one
/// less, so that shifts are less than a word.
const AT_ONCE: u32 = 56;

/// Whether no two neighbouring words of a block have more bits than can be moved at a time.
#[inline(always)]
pub(super) fn are_few(open: &Block) -> bool {
    let [one, two, three, four] = open.0;
    let first = one.count_ones() + two.count_ones();
    first.max(three.count_ones() + four.count_ones()) <= AT_ONCE
}

impl SetBits {
    // Makes it that of some ranks, eight at a time: the numbers of the set bits are moved together.
    #[inline(always)]
    pub(super) fn fill_by_words<const G: usize>(&mut self, quiet: Ranks<G>) {
        let mut count = 0;
        for (number, word) in quiet.as_flattened().iter().enumerate() {
            if G > 1 && *word == 0 {
                continue;
            }
            for part in 0..8 {
                let eight = word >> (8 * part) & 255;
                // SAFETY: see above; eight ranks are written at places up to 1,016.
                unsafe {
                    let bytes = _pdep_u64(eight, LOWEST) * 255;
                    let packed = _pext_u64(NUMBERS, bytes);
                    let first = _mm_set1_epi16((64 * number + 8 * part) as i16);
                    let packed = _mm_cvtepu8_epi16(_mm_cvtsi64_si128(packed as i64));
                    let to = self.ranks.as_mut_ptr().add(count);
                    _mm_storeu_si128(to.cast(), _mm_add_epi16(packed, first));
                }
                count = count.wrapping_add(eight.count_ones() as usize);
            }
        }
        self.count = count;
    }
}

/// The lowest bit of each byte, and the number of each byte.
const LOWEST: u64 = 0x0101_0101_0101_0101;
const NUMBERS: u64 = 0x0706_0504_0302_0100;

/// Reads a stream of bits.
pub(super) struct BitReader {
    pub(super) first: *const u8,
    // Bits that have been read.
    pub(super) bit: usize,
}

impl BitReader {
    // The next bits, moved to the set bits of a block.
    #[inline(always)]
    pub(super) unsafe fn block<const FEW: bool>(&mut self, open: &Block) -> [u64; 4] {
        let mut lost = [0; 4];
        for (open, lost) in open.0.chunks_exact(2).zip(lost.chunks_exact_mut(2)) {
            let counts = [open[0].count_ones(), open[1].count_ones()];
            // SAFETY: see above.
            unsafe {
                if FEW {
                    let bits = self.next(0);
                    lost[0] = _pdep_u64(bits, open[0]);
                    lost[1] = _pdep_u64(bits.wrapping_shr(counts[0]), open[1]);
                    self.bit = self.bit.wrapping_add((counts[0] + counts[1]) as usize);
                } else {
                    for (lost, (open, count)) in lost.iter_mut().zip(open.iter().zip(counts)) {
                        *lost = _pdep_u64(self.next(count), *open);
                        self.bit = self.bit.wrapping_add(count as usize);
                    }
                }
            }
        }
        lost
    }

    // This many of the next bits at least, or as many as are moved at a time.
    #[inline(always)]
    unsafe fn next(&self, count: u32) -> u64 {
        // SAFETY: see above.
        unsafe {
            let from = self.first.add(self.bit / 8);
            let mut bits = from.cast::<u64>().read_unaligned() >> (self.bit % 8);
            if count > AT_ONCE {
                bits |= u64::from(*from.add(8)) << 1 << (63 - self.bit % 8);
            }
            bits
        }
    }
}

/// Writes a stream of bits.
pub(super) struct BitWriter {
    first: *mut u8,
    next: *mut u8,
    // The bits of the byte that is not yet full.
    byte: u64,
    filled: u32,
    lost: u64,
}

impl BitWriter {
    pub(super) fn new(out: &mut [u8]) -> BitWriter {
        BitWriter {
            first: out.as_mut_ptr(),
            next: out.as_mut_ptr(),
            byte: 0,
            filled: 0,
            lost: 0,
        }
    }

    // Appends the bits of a block at the undecided positions.
    #[inline(always)]
    pub(super) unsafe fn push<const FEW: bool>(&mut self, open: &Block, lost: &Block) {
        for (open, lost) in open.0.chunks_exact(2).zip(lost.0.chunks_exact(2)) {
            let counts = [open[0].count_ones(), open[1].count_ones()];
            // SAFETY: see above.
            unsafe {
                let [one, two] = [_pext_u64(lost[0], open[0]), _pext_u64(lost[1], open[1])];
                if FEW {
                    self.append(one | two.wrapping_shl(counts[0]), counts[0] + counts[1]);
                    continue;
                }
                for (bits, count) in [one, two].into_iter().zip(counts) {
                    if count <= AT_ONCE {
                        self.append(bits, count);
                    } else {
                        self.append(bits & u64::from(u32::MAX), 32);
                        self.append(bits >> 32, count - 32);
                    }
                }
            }
        }
    }

    // Appends some bits, no more than are moved at a time.
    #[inline(always)]
    unsafe fn append(&mut self, bits: u64, count: u32) {
        let word = self.byte | bits.wrapping_shl(self.filled);
        let filled = self.filled.wrapping_add(count);
        self.lost = self.lost.wrapping_add(bits.count_ones().into());
        // SAFETY: see above.
        unsafe {
            self.next.cast::<u64>().write_unaligned(word);
            self.next = self.next.add((filled / 8) as usize);
        }
        self.byte = word.wrapping_shr(filled & !7);
        self.filled = filled % 8;
    }

    // What was written.
    #[inline(always)]
    pub(super) unsafe fn finish(self) -> FamilyResult {
        // SAFETY: see above.
        let bytes = unsafe {
            self.next.write(self.byte as u8);
            self.next.offset_from_unsigned(self.first)
        };
        let rest = usize::from(self.filled > 0);
        FamilyResult {
            bytes: bytes + rest,
            undecided: 8 * bytes as u64 + u64::from(self.filled),
            lost: self.lost,
            longest: 0,
        }
    }
}
