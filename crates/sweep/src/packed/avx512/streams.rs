//! What is read and written in order: the ranks of a family, and streams.

#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::super::blocks::Block;
use super::super::list::{PLACES, SetBits};
use super::super::sparse::{ENTRY, HEAD};
use super::super::tables::{Ranks, blocks};
use super::{load, store};

// SAFETY of every block below: as in the module above, whose methods alone call these.

impl SetBits {
    // Makes it that of some ranks. In its own place, because moving data that was just written in
    // pieces is slow.
    #[inline(always)]
    pub(in super::super) fn fill<const G: usize>(&mut self, quiet: Ranks<G>) {
        self.count = 0;
        let words = quiet.as_flattened();
        // SAFETY: see above; 64 ranks are written at places up to 960.
        unsafe {
            if G == 1 {
                for (number, word) in words.iter().enumerate() {
                    self.push(number, *word);
                }
                return;
            }
            let mut some = 0_u32;
            for (number, eight) in words.chunks_exact(8).enumerate() {
                let eight = _mm512_loadu_si512(eight.as_ptr().cast());
                some |= u32::from(_mm512_test_epi64_mask(eight, eight)) << (8 * number);
            }
            while some != 0 {
                let number = some.trailing_zeros() as usize;
                some &= some.wrapping_sub(1);
                self.push(number, *words.get_unchecked(number));
            }
        }
    }

    // Writes the sparse stream of the settled blocks, whose bytes stand by place, and clears those
    // places. The end of the stream.
    #[inline(always)]
    pub(super) unsafe fn write_sparse<const G: usize>(
        &self,
        filled: &[u32; PLACES],
        lost: *mut Block,
        first: *mut u8,
    ) -> *mut u8 {
        // SAFETY: see above. The code takes sixteen places at a time, as many as there are beyond
        // the last rank; places beyond the list give nothing.
        unsafe {
            let ranks = first.add(HEAD);
            let mut next = ranks;
            for place in (0..self.count).step_by(16) {
                let (some, _) = self.filled(filled, place);
                let here = _mm256_loadu_si256(self.ranks.as_ptr().add(place).cast());
                _mm256_storeu_si256(next.cast(), _mm256_maskz_compress_epi16(some, here));
                next = next.add(2 * some.count_ones() as usize);
            }
            next.cast::<u16>().write_unaligned(blocks::<G>() as u16);
            let count = (next.offset_from_unsigned(ranks) / 2).next_multiple_of(2);
            first.cast::<u16>().write_unaligned(count as u16);
            let masks = ranks.add(2 * count);
            next = masks;
            for place in (0..self.count).step_by(16) {
                let (some, filled) = self.filled(filled, place);
                _mm512_storeu_si512(next.cast(), _mm512_maskz_compress_epi32(some, filled));
                next = next.add(4 * some.count_ones() as usize);
            }
            next.cast::<u32>().write_unaligned(0);
            next = ranks.add(ENTRY * count);
            for pair in 0..count / 2 {
                let two = ranks.cast::<u32>().add(pair).read_unaligned() as usize;
                let ranks = [two & 0xFFFF, two >> 16];
                let mask = masks.cast::<u64>().add(pair).read_unaligned();
                let [now] = load::<1>(lost, &ranks);
                store::<1>(&[_mm512_setzero_si512()], lost, &ranks);
                _mm512_storeu_si512(next.cast(), _mm512_maskz_compress_epi8(mask, now));
                next = next.add(mask.count_ones() as usize);
            }
            next
        }
    }

    // Which of sixteen places have any bytes, and these.
    #[inline(always)]
    unsafe fn filled(&self, filled: &[u32; PLACES], place: usize) -> (u16, __m512i) {
        // SAFETY: see above.
        unsafe {
            let beyond = u32::MAX << (self.count - place).min(16);
            let filled = _mm512_loadu_si512(filled.as_ptr().add(place).cast());
            (
                _mm512_test_epi32_mask(filled, filled) & !beyond as u16,
                filled,
            )
        }
    }

    // Appends the ranks of a word.
    #[inline(always)]
    unsafe fn push(&mut self, number: usize, word: u64) {
        // SAFETY: see above.
        unsafe {
            let steps = _mm512_loadu_si512(NUMBERS.as_ptr().cast());
            let packed = _mm512_maskz_compress_epi8(word, steps);
            let first = _mm512_set1_epi16(64 * number as i16);
            let to = self.ranks.as_mut_ptr().add(self.count);
            let low = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(packed));
            _mm512_storeu_si512(to.cast(), _mm512_add_epi16(low, first));
            let count = word.count_ones() as usize;
            if count > 32 {
                let high = _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64::<1>(packed));
                _mm512_storeu_si512(to.add(32).cast(), _mm512_add_epi16(high, first));
            }
            self.count += count;
        }
    }
}

const NUMBERS: [u8; 64] = {
    let mut numbers = [0; 64];
    let mut number = 0;
    while number < 64 {
        numbers[number] = number as u8;
        number += 1;
    }
    numbers
};

// Reads a stream a step ahead of its use: the CPU takes twice as long to expand bytes from memory as
// from a register.
pub(super) struct StreamCursor {
    pub(super) next: *const u8,
    // With the grain of bits, how many have been read.
    pub(super) bit: usize,
}

impl StreamCursor {
    // What comes next for two blocks: with the grain of bytes, which of them are in the stream, and
    // these.
    #[inline(always)]
    pub(super) unsafe fn step<const BITS: bool>(
        &mut self,
        mixed: __m512i,
        open: __m512i,
    ) -> (u64, __m512i) {
        // SAFETY: see above.
        unsafe {
            if BITS {
                return (0, self.scattered(_mm512_and_si512(mixed, open)));
            }
            let bytes = _mm512_test_epi8_mask(mixed, open);
            let packed = _mm512_loadu_si512(self.next.cast());
            self.next = self.next.add(bytes.count_ones() as usize);
            (bytes, packed)
        }
    }

    // The next bits, moved to the set bits of two blocks.
    #[inline(always)]
    unsafe fn scattered(&mut self, open: __m512i) -> __m512i {
        // SAFETY: see above; 16 bytes are read from the word in which the bit is.
        unsafe {
            let mut words = [0_u64; 8];
            _mm512_storeu_si512(words.as_mut_ptr().cast(), open);
            for word in &mut words {
                let from: *const u64 = self.next.add(self.bit / 64 * 8).cast();
                let (low, high) = (from.read_unaligned(), from.add(1).read_unaligned());
                let shift = self.bit % 64;
                let bits = low >> shift | (high << 1) << (63 - shift);
                self.bit += word.count_ones() as usize;
                *word = _pdep_u64(bits, *word);
            }
            // From registers, because loading words as a whole is slow just after they were stored
            // one by one.
            let [a, b, c, d, e, f, g, h] = words;
            _mm512_set_epi64(
                h as i64, g as i64, f as i64, e as i64, d as i64, c as i64, b as i64, a as i64,
            )
        }
    }
}

// Writes a stream of bits.
pub(super) struct WordWriter {
    pub(super) next: *mut u8,
    // The bits of the word that is not yet full.
    pub(super) word: u64,
    pub(super) filled: u32,
}

impl WordWriter {
    // Appends the bits of two blocks at the undecided positions.
    #[inline(always)]
    pub(super) unsafe fn push(&mut self, open: __m512i, lost: __m512i) {
        // SAFETY: see above.
        unsafe {
            let (mut opens, mut losts) = ([0_u64; 8], [0_u64; 8]);
            _mm512_storeu_si512(opens.as_mut_ptr().cast(), open);
            _mm512_storeu_si512(losts.as_mut_ptr().cast(), lost);
            for (open, lost) in opens.into_iter().zip(losts) {
                let bits = _pext_u64(lost, open);
                let word = self.word | bits << self.filled;
                self.next.cast::<u64>().write_unaligned(word);
                let rest = (bits >> 1) >> (63 - self.filled);
                let filled = self.filled + open.count_ones();
                self.word = if filled < 64 { word } else { rest };
                self.next = self.next.add((filled / 64 * 8) as usize);
                self.filled = filled % 64;
            }
        }
    }

    // The end of the stream.
    #[inline(always)]
    pub(super) unsafe fn finish(self) -> *mut u8 {
        // SAFETY: see above.
        unsafe {
            self.next.cast::<u64>().write_unaligned(self.word);
            self.next.add(self.filled.div_ceil(8) as usize)
        }
    }
}
