//! Bytes for positions in 512-bit registers: a row of a plane each.

#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::super::blocks::{Block, FIRST_CAN_RISE};
use super::super::grain::{ByteMeaning, Grain, NO_NIMBER, NO_POINTS, room};
use super::super::tables::{Tables, blocks, middles};
use super::super::turn::BlockSymmetry;
use super::super::work::{ChildFamily, FamilyBlocks, FamilyResult};
use super::rows::{CodeBlock, FOURTH_CAN_RISE, MOST};

// SAFETY of every block below: called by the methods of `Avx512` alone, so the CPU has the
// instructions. Loads and stores are unaligned. Blocks are read and written through pointers to
// `blocks() + 1` of them for each of `P` planes, which is asserted, at ranks, which are less than
// `blocks()`, or at `blocks()`. Streams are read and written through slices of at least `room`
// bytes, which is asserted. No stream is longer than a byte for each position of the blocks, and 64
// bytes are read or written at a time.

/// Blocks that are settled side by side.
const R: usize = 4;

/// What [`PackedKernel::add`](super::super::kernel::PackedKernel::add) does.
#[inline(always)]
pub(in super::super) fn add<const G: usize, const P: usize>(
    tables: &Tables<G>,
    work: &mut FamilyBlocks<G>,
    child: &ChildFamily<'_, G>,
) {
    let turn = &tables.turns[child.symmetry];
    if turn.identity {
        add_rows::<G, P, false>(tables, work, child, turn);
    } else {
        add_rows::<G, P, true>(tables, work, child, turn);
    }
}

#[inline(always)]
fn add_rows<const G: usize, const P: usize, const T: bool>(
    tables: &Tables<G>,
    work: &mut FamilyBlocks<G>,
    child: &ChildFamily<'_, G>,
    turn: &BlockSymmetry,
) {
    let FamilyBlocks { codes, list, .. } = work;
    let found = &mut codes.found;
    assert!(
        child.stream.len() >= room(Grain::Code(ByteMeaning::Distance), G)
            && tables.mixed.len() > blocks::<G>()
            && found.len() == P * (blocks::<G>() + 1),
        "less room than a stream or its family may take"
    );
    let origins = &tables.origins[child.symmetry];
    list.fill(child.quiet);
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
        for rank in list.as_slice() {
            let rank = usize::from(*rank);
            let mixed: &Block = &*mixed.add(rank);
            let block: *mut __m512i = found.add(P * usize::from(origins[rank])).cast();
            for (row, from) in from.iter().enumerate() {
                let open = mixed.0[row] & child.open.0[row];
                let packed = _mm512_loadu_si512(next.cast());
                next = next.add(open.count_ones() as usize);
                let bytes = unpacked::<P>(open, _mm512_maskz_expand_epi8(open, packed));
                for (plane, mut bytes) in bytes.into_iter().enumerate() {
                    if T {
                        bytes = _mm512_permutexvar_epi8(*from, bytes);
                    }
                    let to = block.add(4 * plane + row);
                    bytes = join::<P>(bytes, _mm512_loadu_si512(to.cast()));
                    _mm512_storeu_si512(to.cast(), bytes);
                }
            }
        }
    }
}

/// What [`PackedKernel::settle`](super::super::kernel::PackedKernel::settle) does: `R` blocks of equal sum at a time,
/// which do not depend on each other, since each step waits for the one before; `SCORED` for points.
#[inline(always)]
pub(in super::super) fn settle<const G: usize, const P: usize, const SCORED: bool>(
    tables: &Tables<G>,
    work: &mut FamilyBlocks<G>,
    out: &mut [u8],
) -> FamilyResult {
    let none = blocks::<G>();
    let FamilyBlocks {
        open,
        codes,
        own: list,
        ..
    } = work;
    let (found, settled) = (&codes.found, &mut codes.settled);
    assert!(
        out.len() >= room(Grain::Code(ByteMeaning::Distance), G)
            && tables.mixed.len() > none
            && found.len() == P * (none + 1)
            && settled.len() == P * (none + 1),
        "less room than a stream or its family may take"
    );
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
            let (ranks, taken) = list.of_equal_sum::<R>(place, &tables.sums, none);
            place += taken;
            let mut masks = [[0; 4]; R];
            let mut best = [[[zero; P]; 4]; R];
            for number in 0..R {
                let mixed: &Block = &*mixed.add(ranks[number]);
                let raised = &tables.raised[ranks[number]];
                let raised = &raised[..middles::<G>()];
                for (row, best) in best[number].iter_mut().enumerate() {
                    masks[number][row] = mixed.0[row] & open.0[row];
                    for (plane, best) in best.iter_mut().enumerate() {
                        let place = 4 * plane + row;
                        *best = at::<P>(found, ranks[number], place);
                        for raised in raised {
                            let raised = at::<P>(settled, usize::from(*raised), place);
                            *best = join::<P>(*best, raised);
                        }
                    }
                }
            }
            let mut rows = [[[zero; P]; 4]; R];
            // Written out, so that rows stay in registers: level sums 12 down to 0.
            macro_rules! settle_rows {
                ($($row:literal)*) => {$(
                    for number in 0..R {
                        let higher = rows[number][($row + 1) % 4];
                        let (best, mask) = (best[number][$row], masks[number][$row]);
                        rows[number][$row] = step::<P, SCORED>($row, higher, best, mask);
                    }
                )*};
            }
            const { assert!(MOST == 12) };
            settle_rows!(0 3 2 1 0 3 2 1 0 3 2 1 0);
            for number in 0..R {
                let block: *mut __m512i = settled.add(P * ranks[number]).cast();
                for (row, planes) in rows[number].iter().enumerate() {
                    for (plane, codes) in planes.iter().enumerate() {
                        _mm512_storeu_si512(block.add(4 * plane + row).cast(), *codes);
                    }
                }
            }
            for number in 0..taken {
                for row in 0..4 {
                    let open = masks[number][row];
                    let codes = packed::<P>(rows[number][row]);
                    if SCORED {
                        let none = _mm512_set1_epi8(NO_POINTS as i8);
                        let worse = _mm512_cmpgt_epu8_mask(codes, none);
                        lost += u64::from(worse.count_ones());
                    } else if P == 1 {
                        lost += u64::from(_mm512_movepi8_mask(codes).count_ones());
                        let plies = _mm512_min_epu8(codes, _mm512_xor_si512(codes, ones));
                        longest = _mm512_max_epu8(longest, plies);
                    } else {
                        let zeros = _mm512_mask_testn_epi8_mask(open, codes, codes);
                        lost += u64::from(zeros.count_ones());
                    }
                    _mm512_storeu_si512(next.cast(), _mm512_maskz_compress_epi8(open, codes));
                    next = next.add(open.count_ones() as usize);
                }
            }
        }
        for rank in list.as_slice() {
            let block: *mut __m512i = settled.add(P * usize::from(*rank)).cast();
            for row in 0..4 * P {
                _mm512_storeu_si512(block.add(row).cast(), zero);
            }
        }
        let mut plies = [0; 64];
        _mm512_storeu_si512(plies.as_mut_ptr().cast(), longest);
        let bytes = next.offset_from_unsigned(first);
        FamilyResult {
            bytes,
            undecided: bytes as u64,
            lost,
            longest: plies.into_iter().max().unwrap_or_default(),
        }
    }
}

// A row of a plane of a block.
#[inline(always)]
unsafe fn at<const P: usize>(blocks: *const CodeBlock, rank: usize, place: usize) -> __m512i {
    // SAFETY: see above.
    unsafe {
        let rows: *const __m512i = blocks.add(P * rank).cast();
        _mm512_loadu_si512(rows.add(place).cast())
    }
}

// The better of two bytes, or all nimbers of both.
#[inline(always)]
unsafe fn join<const P: usize>(a: __m512i, b: __m512i) -> __m512i {
    // SAFETY: see above.
    unsafe {
        if P == 1 {
            _mm512_max_epu8(a, b)
        } else {
            _mm512_or_si512(a, b)
        }
    }
}

// The bytes of a stream by plane: of a nimber the one bit of sixteen.
#[inline(always)]
unsafe fn unpacked<const P: usize>(open: u64, bytes: __m512i) -> [__m512i; P] {
    // SAFETY: see above.
    unsafe {
        let mut planes = [bytes; P];
        if P == 2 {
            let low = _mm512_broadcast_i32x4(_mm_set_epi64x(0, i64::from_le_bytes(BITS)));
            let high = _mm512_broadcast_i32x4(_mm_set_epi64x(i64::from_le_bytes(BITS), 0));
            planes[0] = _mm512_maskz_shuffle_epi8(open, low, bytes);
            planes[1] = _mm512_maskz_shuffle_epi8(open, high, bytes);
        }
        planes
    }
}

// The bytes for a stream.
#[inline(always)]
unsafe fn packed<const P: usize>(planes: [__m512i; P]) -> __m512i {
    // SAFETY: see above.
    unsafe {
        if P == 1 {
            return planes[0];
        }
        // Which of eight bits is set is a sum over them, without carries.
        let number = _mm512_set1_epi64(i64::from_be_bytes([0xAA, 0xCC, 0xF0, 0, 0, 0, 0, 0]));
        let low = _mm512_gf2p8affine_epi64_epi8::<0>(planes[0], number);
        let high = _mm512_gf2p8affine_epi64_epi8::<0>(planes[1], number);
        let is_high = _mm512_test_epi8_mask(planes[1], planes[1]);
        let high = _mm512_mask_add_epi8(low, is_high, high, _mm512_set1_epi8(8));
        let none = _mm512_testn_epi8_mask(planes[0], planes[0]) & !is_high;
        _mm512_mask_set1_epi8(high, none, NO_NIMBER as i8)
    }
}

// A row from the next one and the best of what other raises lead to.
#[inline(always)]
unsafe fn step<const P: usize, const SCORED: bool>(
    row: usize,
    higher: [__m512i; P],
    best: [__m512i; P],
    open: u64,
) -> [__m512i; P] {
    // SAFETY: see above.
    unsafe {
        let zero = _mm512_setzero_si512();
        let mut joined = best;
        for (joined, higher) in joined.iter_mut().zip(higher) {
            // Within sixteen lanes zeros come in, where square 1 cannot be raised.
            let first = _mm512_maskz_mov_epi8(FIRST_CAN_RISE, _mm512_bsrli_epi128::<1>(higher));
            let second = _mm512_bsrli_epi128::<4>(higher);
            let third = _mm512_alignr_epi64::<2>(zero, higher);
            let fourth = _mm512_maskz_mov_epi8(FOURTH_CAN_RISE[row], higher);
            let two = join::<P>(first, second);
            *joined = join::<P>(join::<P>(*joined, third), join::<P>(two, fourth));
        }
        if P == 1 {
            // 256 − m = 0 − m above 127 and for points, else 254 − m = −2 − m.
            if SCORED {
                joined[0] = _mm512_maskz_sub_epi8(open, zero, joined[0]);
                return joined;
            }
            let won = _mm512_cmpge_epi8_mask(joined[0], zero);
            let from = _mm512_maskz_set1_epi8(won, -2);
            joined[0] = _mm512_maskz_sub_epi8(open, from, joined[0]);
            return joined;
        }
        // The lowest clear bit of s is !s & (s + 1); of the high byte only if the low one is full.
        let one = _mm512_set1_epi8(1);
        let full = _mm512_mask_cmpeq_epi8_mask(open, joined[0], _mm512_set1_epi8(-1));
        for (joined, mask) in joined.iter_mut().zip([open, full]) {
            let next = _mm512_maskz_add_epi8(mask, *joined, one);
            *joined = _mm512_andnot_si512(*joined, next);
        }
        joined
    }
}

/// The bits of a byte.
const BITS: [u8; 8] = [1, 2, 4, 8, 16, 32, 64, 128];
