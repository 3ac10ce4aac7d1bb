//! What is read and written in order: the ranks of a family, and streams.

#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::super::list::List;
use super::super::tables::Ranks;

// SAFETY of every block below: as in the module above, whose methods alone call these.

impl List {
    // Makes it that of some ranks. Where it lies: what was written in pieces is long in being moved.
    #[inline(always)]
    pub(in super::super) fn fill(&mut self, quiet: Ranks) {
        self.count = 0;
        // SAFETY: see above; 64 bytes are written at places up to 192.
        unsafe {
            let steps = _mm512_loadu_si512(NUMBERS.as_ptr().cast());
            for (number, word) in quiet.iter().enumerate() {
                let all = _mm512_add_epi8(steps, _mm512_set1_epi8((64 * number) as i8));
                let packed = _mm512_maskz_compress_epi8(*word, all);
                let to = self.ranks.as_mut_ptr().add(self.count);
                _mm512_storeu_si512(to.cast(), packed);
                self.count += word.count_ones() as usize;
            }
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
pub(super) struct Reading {
    pub(super) next: *const u8,
    // With the grain of bits, how many have been read.
    pub(super) bit: usize,
}

impl Reading {
    // What comes next for some blocks: with the grain of bytes, which of them are in the stream, and
    // these.
    #[inline(always)]
    pub(super) unsafe fn step<const G: usize, const BITS: bool, const N: usize>(
        &mut self,
        mixed: &[__m512i; N],
        open: &[__m512i; N],
    ) -> [(u64, __m512i); N] {
        // SAFETY: see above.
        unsafe {
            let mut packed = [(0, _mm512_setzero_si512()); N];
            for (number, packed) in packed.iter_mut().enumerate() {
                if BITS {
                    packed.1 = self.scattered(_mm512_and_si512(mixed[number], open[number]));
                } else {
                    let bytes = _mm512_test_epi8_mask(mixed[number], open[number]);
                    *packed = (bytes, _mm512_loadu_si512(self.next.cast()));
                    self.next = self.next.add(bytes.count_ones() as usize);
                }
            }
            packed
        }
    }

    // The next bits, moved to the set bits of two groups.
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
            // From registers: what was stored word by word is long in coming back as a whole.
            let [a, b, c, d, e, f, g, h] = words;
            _mm512_set_epi64(
                h as i64, g as i64, f as i64, e as i64, d as i64, c as i64, b as i64, a as i64,
            )
        }
    }
}

// Writes a stream of bits.
pub(super) struct Gathering {
    pub(super) next: *mut u8,
    // What is in the word that is not yet full.
    pub(super) word: u64,
    pub(super) filled: u32,
}

impl Gathering {
    // Appends the bits of two groups at the undecided positions.
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
