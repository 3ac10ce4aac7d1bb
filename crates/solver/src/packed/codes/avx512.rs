//! Bytes for positions in 512-bit registers: a row each.

#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::super::avx512::List;
use super::super::blocks::{Block, FIRST_CAN_RISE};
use super::super::kernel::{Child, Grain, Settled, Work, room};
use super::super::tables::{BLOCKS, Ranks, Tables};
use super::super::turn::Turn;
use super::{Codes, FOURTH_CAN_RISE, MOST};

// SAFETY of every block below: called by the methods of `Avx512` alone, so the CPU has the
// instructions. Loads and stores are unaligned. Blocks are read and written through pointers to
// `BLOCKS + 1` of them, which is asserted, at ranks, which are less than `BLOCKS`, or at `BLOCKS`.
// Streams are read and written through slices of at least `room` bytes, which is asserted: no stream
// is longer than a byte for each of the 256 G · `BLOCKS` positions, and 64 bytes are read or written at
// a time.

/// What [`Kernel::add`](super::super::kernel::Kernel::add) does.
#[inline(always)]
pub(in super::super) fn add<const G: usize>(
    tables: &Tables<G>,
    work: &mut Work<G>,
    child: &Child<'_, G>,
) {
    let turn = &tables.turns[child.symmetry];
    if turn.identity {
        add_rows::<G, false>(tables, work, child, turn);
    } else {
        add_rows::<G, true>(tables, work, child, turn);
    }
}

#[inline(always)]
fn add_rows<const G: usize, const T: bool>(
    tables: &Tables<G>,
    work: &mut Work<G>,
    child: &Child<'_, G>,
    turn: &Turn,
) {
    let found = &mut work.codes.found;
    assert!(
        child.stream.len() >= room(Grain::Code, G) && found.len() > BLOCKS,
        "less room than a stream or its family may take"
    );
    let origins = &tables.origins[child.symmetry];
    let list = List::of(child.quiet);
    let (mixed, found) = (tables.mixed.as_ptr(), found.as_mut_ptr());
    // SAFETY: see above.
    unsafe {
        let mut from = [_mm512_setzero_si512(); 4];
        if T {
            for (from, row) in from.iter_mut().zip(&turn.rows) {
                *from = _mm512_loadu_si512(row.as_ptr().cast());
            }
        }
        let mut next = child.stream.as_ptr();
        for place in 0..list.count {
            let rank = list.rank(place);
            let mixed: &Block<G> = &*mixed.add(rank);
            let block: *mut __m512i = found.add(usize::from(origins[rank])).cast();
            for group in 0..G {
                for (row, from) in from.iter().enumerate() {
                    let open = mixed.0[group][row] & child.open.0[group][row];
                    let packed = _mm512_loadu_si512(next.cast());
                    next = next.add(open.count_ones() as usize);
                    let mut bytes = _mm512_maskz_expand_epi8(open, packed);
                    if T {
                        bytes = _mm512_permutexvar_epi8(*from, bytes);
                    }
                    let to = block.add(4 * group + row);
                    _mm512_storeu_si512(
                        to.cast(),
                        _mm512_max_epu8(bytes, _mm512_loadu_si512(to.cast())),
                    );
                }
            }
        }
    }
}

/// What [`Kernel::settle`](super::super::kernel::Kernel::settle) does: `R` blocks of equal sum at a time,
/// which do not depend on each other, since each step waits for the one before.
#[inline(always)]
pub(in super::super) fn settle<const G: usize, const R: usize>(
    tables: &Tables<G>,
    work: &mut Work<G>,
    open: &Block<G>,
    quiet: Ranks,
    out: &mut [u8],
) -> Settled {
    let (found, settled) = (&work.codes.found, &mut work.codes.settled);
    assert!(
        out.len() >= room(Grain::Code, G) && found.len() > BLOCKS && settled.len() > BLOCKS,
        "less room than a stream or its family may take"
    );
    let list = List::of(quiet);
    let (mixed, found, settled) = (tables.mixed.as_ptr(), found.as_ptr(), settled.as_mut_ptr());
    let first = out.as_mut_ptr();
    let mut next = first;
    let mut lost = 0;
    // SAFETY: see above.
    unsafe {
        let zero = _mm512_setzero_si512();
        let ones = _mm512_set1_epi8(-1);
        let mut longest = zero;
        let mut place = 0;
        while place < list.count {
            let (ranks, taken) = list.of_equal_sum::<R>(place, &tables.sums);
            place += taken;
            let mut above = [[zero; 4]; R];
            for group in (0..G).rev() {
                let mut masks = [[0; 4]; R];
                let mut best = [[zero; 4]; R];
                for number in 0..R {
                    let mixed: &Block<G> = &*mixed.add(ranks[number]);
                    let raised = &tables.raised[ranks[number]];
                    for row in 0..4 {
                        masks[number][row] = mixed.0[group][row] & open.0[group][row];
                        let at = |block: *const Codes<G>| {
                            let rows: *const __m512i = block.cast();
                            _mm512_loadu_si512(rows.add(4 * group + row).cast())
                        };
                        let mut most =
                            _mm512_max_epu8(above[number][row], at(found.add(ranks[number])));
                        for raised in raised {
                            most = _mm512_max_epu8(most, at(settled.add(usize::from(*raised))));
                        }
                        best[number][row] = most;
                    }
                }
                let mut rows = [[zero; 4]; R];
                // Written out, so that rows stay in registers: level sums 12 down to 0.
                macro_rules! settle_rows {
                    ($($row:literal)*) => {$(
                        for number in 0..R {
                            let higher = rows[number][($row + 1) % 4];
                            let (best, mask) = (best[number][$row], masks[number][$row]);
                            rows[number][$row] = step($row, higher, best, mask);
                        }
                    )*};
                }
                const { assert!(MOST == 12) };
                settle_rows!(0 3 2 1 0 3 2 1 0 3 2 1 0);
                for number in 0..R {
                    let block: *mut __m512i = settled.add(ranks[number]).cast();
                    for (row, codes) in rows[number].iter().enumerate() {
                        _mm512_storeu_si512(block.add(4 * group + row).cast(), *codes);
                    }
                }
                above = rows;
            }
            // The stream has whole blocks, from the first group up.
            for rank in ranks.iter().take(taken) {
                let mixed: &Block<G> = &*mixed.add(*rank);
                let block: *const __m512i = settled.add(*rank).cast();
                for group in 0..G {
                    for row in 0..4 {
                        let open = mixed.0[group][row] & open.0[group][row];
                        let codes = _mm512_loadu_si512(block.add(4 * group + row).cast());
                        lost += u64::from(_mm512_movepi8_mask(codes).count_ones());
                        let plies = _mm512_min_epu8(codes, _mm512_xor_si512(codes, ones));
                        longest = _mm512_max_epu8(longest, plies);
                        _mm512_storeu_si512(next.cast(), _mm512_maskz_compress_epi8(open, codes));
                        next = next.add(open.count_ones() as usize);
                    }
                }
            }
        }
        for place in 0..list.count {
            let block: *mut __m512i = settled.add(list.rank(place)).cast();
            for row in 0..4 * G {
                _mm512_storeu_si512(block.add(row).cast(), zero);
            }
        }
        let mut plies = [0; 64];
        _mm512_storeu_si512(plies.as_mut_ptr().cast(), longest);
        let bytes = next.offset_from_unsigned(first);
        Settled {
            bytes,
            undecided: bytes as u64,
            lost,
            longest: plies.into_iter().max().unwrap_or_default(),
        }
    }
}

// A row from the next one and the best of what other raises lead to.
#[inline(always)]
unsafe fn step(row: usize, higher: __m512i, best: __m512i, open: u64) -> __m512i {
    // SAFETY: see above.
    unsafe {
        let zero = _mm512_setzero_si512();
        // Within sixteen lanes zeros come in, where square 1 cannot be raised.
        let first = _mm512_bsrli_epi128::<1>(higher);
        let second = _mm512_bsrli_epi128::<4>(higher);
        let third = _mm512_alignr_epi64::<2>(zero, higher);
        let most = _mm512_max_epu8(best, third);
        let most = _mm512_mask_max_epu8(most, FIRST_CAN_RISE, most, first);
        let others = _mm512_mask_max_epu8(second, FOURTH_CAN_RISE[row], second, higher);
        let most = _mm512_max_epu8(most, others);
        // 256 − m = 0 − m above 127, else 254 − m = −2 − m.
        let won = _mm512_cmpge_epi8_mask(most, zero);
        let from = _mm512_maskz_set1_epi8(won, -2);
        _mm512_maskz_sub_epi8(open, from, most)
    }
}
