//! The kernel for CPUs with 256-bit registers, and with instructions to gather and scatter bits.
//!
//! A register holds a group. Bits are moved word by word, in general registers, to and from memory, and some
//! groups of words are written before the first of them is taken up as a whole: what was just stored in
//! pieces is long in coming.
//!
//! Only loops are used where arrays of registers are meant: what a library function like `map` does is
//! compiled for every CPU, and then each instruction is a call.

#![allow(unsafe_code)]

use std::arch::x86_64::*;
use std::mem::MaybeUninit;

use super::blocks::{Block, FIRST_CAN_RISE, SECOND_CAN_RISE};
use super::kernel::{Child, Grain, Kernel, Mover, Settled, Words, Work, room};
use super::list::List;
use super::loops::Routine;
use super::tables::{BLOCKS, Ranks, Tables};
use super::turn::{Exchanges, Turn};
use crate::sweep::Kernel as Instructions;

mod streams;

use streams::{Gathering, Scattering, are_few};

/// Moves bits in one instruction. Only named inside [`enter`] and where wider instructions have been
/// found, so the CPU has it.
pub(super) struct Bmi2;

// SAFETY of both blocks: see `Bmi2`.
impl Mover for Bmi2 {
    #[inline(always)]
    fn extract(word: u64, mask: u64) -> u64 {
        // SAFETY: see above.
        unsafe { _pext_u64(word, mask) }
    }

    #[inline(always)]
    fn deposit(word: u64, mask: u64) -> u64 {
        // SAFETY: see above.
        unsafe { _pdep_u64(word, mask) }
    }
}

/// Only named inside [`enter`], so the CPU has the instructions that the methods use.
pub(super) struct Avx2;

/// Does a task.
///
/// # Panics
/// When the CPU lacks the instructions.
pub(super) fn run<const G: usize, T: Routine<G>>(task: T) -> T::Output {
    assert!(
        Instructions::Avx2.is_supported(),
        "chosen without asking the CPU"
    );
    // SAFETY: the CPU has every feature that `enter` is compiled for.
    unsafe { enter(task) }
}

#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn enter<const G: usize, T: Routine<G>>(task: T) -> T::Output {
    const { assert!(G == 1 || G == 4) };
    task.run::<Avx2>()
}

/// Asks for the first lines of a stream to be brought near.
#[inline(always)]
pub(super) fn prefetch(stream: &[u8]) {
    let first = stream.as_ptr();
    for line in 0..8 {
        // SAFETY: a prefetch reads nothing, and every x86-64 CPU has it.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(first.wrapping_add(64 * line).cast()) }
    }
}

// SAFETY of every block below: `Avx2` is only used inside `enter`, which is entered only after the CPU
// was asked. Loads and stores are unaligned. Blocks are read and written through pointers to
// `BLOCKS + 1` of them, at ranks, which are less than `BLOCKS`, or at `BLOCKS`. Streams are read and
// written through slices of at least `room` bytes, which is asserted: no stream is longer than 32 bytes
// for each of the 256 G groups, and at most 9 bytes are read or written at a time.
impl<const G: usize> Kernel<G> for Avx2 {
    type Bits = Bmi2;

    #[inline(always)]
    fn prefetch(stream: &[u8]) {
        prefetch(stream);
    }

    #[inline(always)]
    fn add(tables: &Tables<G>, grain: Grain, work: &mut Work<G>, child: &Child<'_, G>) {
        match grain {
            Grain::Bit => add_bits(tables, work, child),
            Grain::Byte | Grain::Code(_) => Words::<Bmi2>::add(tables, grain, work, child),
        }
    }

    #[inline(always)]
    fn settle(
        tables: &Tables<G>,
        grain: Grain,
        work: &mut Work<G>,
        open: &Block<G>,
        quiet: Ranks,
        out: &mut [u8],
    ) -> Settled {
        match (grain, G) {
            (Grain::Bit, 1) => settle_bits::<G, 4, 4>(tables, work, open, quiet, out),
            (Grain::Bit, _) => settle_bits::<G, 4, 1>(tables, work, open, quiet, out),
            (Grain::Byte | Grain::Code(_), _) => {
                Words::<Bmi2>::settle(tables, grain, work, open, quiet, out)
            }
        }
    }
}

/// Groups that are written word by word before they are taken up.
const WAITING: usize = 64;

/// At cache lines, so that no group lies on two.
#[repr(C, align(64))]
struct Waiting([MaybeUninit<[u64; 4]>; WAITING]);

#[inline(always)]
fn add_bits<const G: usize>(tables: &Tables<G>, work: &mut Work<G>, child: &Child<'_, G>) {
    let turn = &tables.turns[child.symmetry];
    match (are_few(&child.open), turn.identity) {
        (true, true) => add_turned::<G, true, false>(tables, work, child, turn),
        (true, false) => add_turned::<G, true, true>(tables, work, child, turn),
        (false, true) => add_turned::<G, false, false>(tables, work, child, turn),
        (false, false) => add_turned::<G, false, true>(tables, work, child, turn),
    }
}

// `FEW` as `are_few` found; turned back if `T`.
#[inline(always)]
fn add_turned<const G: usize, const FEW: bool, const T: bool>(
    tables: &Tables<G>,
    work: &mut Work<G>,
    child: &Child<'_, G>,
    turn: &Turn,
) {
    assert!(
        child.stream.len() >= room(Grain::Bit, G),
        "less room than a stream may take"
    );
    let origins = &tables.origins[child.symmetry];
    let (mixed, found) = (&*tables.mixed, &mut *work.found);
    let mut list = List::EMPTY;
    list.fill_by_words(child.quiet);
    let mut waiting = Waiting([MaybeUninit::uninit(); WAITING]);
    let mut scattering = Scattering {
        first: child.stream.as_ptr(),
        bit: 0,
    };
    for ranks in list.as_slice().chunks(WAITING / G) {
        for (rank, groups) in ranks.iter().zip(waiting.0.chunks_exact_mut(G)) {
            let mixed = &mixed[usize::from(*rank)];
            for (number, group) in groups.iter_mut().enumerate() {
                let open = both(&child.open.0[number], &mixed.0[number]);
                // SAFETY: see above.
                group.write(unsafe { scattering.group::<FEW>(&open) });
            }
        }
        for (rank, groups) in ranks.iter().zip(waiting.0.chunks_exact(G)) {
            let found = &mut found[usize::from(origins[usize::from(*rank)])];
            for (group, found) in groups.iter().zip(&mut found.0) {
                // SAFETY: see above; as many groups were written.
                unsafe {
                    let mut lost = load(group.assume_init_ref());
                    if T {
                        lost = turned(lost, &turn.exchanges);
                    }
                    store(found, _mm256_or_si256(load(found), lost));
                }
            }
        }
    }
}

// Undecided positions of a group as far as far squares, and as middle squares tell.
#[inline(always)]
fn both(open: &[u64; 4], mixed: &[u64; 4]) -> [u64; 4] {
    let mut both = *open;
    for (word, mixed) in both.iter_mut().zip(mixed) {
        *word &= mixed;
    }
    both
}

#[inline(always)]
unsafe fn load(group: &[u64; 4]) -> __m256i {
    // SAFETY: see above.
    unsafe { _mm256_loadu_si256(group.as_ptr().cast()) }
}

#[inline(always)]
unsafe fn store(group: &mut [u64; 4], register: __m256i) {
    // SAFETY: see above.
    unsafe { _mm256_storeu_si256(group.as_mut_ptr().cast(), register) }
}

// A group turned back.
#[inline(always)]
unsafe fn turned(group: __m256i, by: &Exchanges) -> __m256i {
    // SAFETY: see above.
    unsafe {
        let mut group = group;
        if let Some(bytes) = &by.first {
            group = shuffled(group, bytes);
        }
        for swap in &by.swaps {
            let distance = _mm_cvtsi32_si128(swap.distance as i32);
            let mask = _mm256_set1_epi64x(swap.mask as i64);
            let moved = _mm256_xor_si256(group, _mm256_srl_epi64(group, distance));
            let moved = _mm256_and_si256(moved, mask);
            let both = _mm256_xor_si256(moved, _mm256_sll_epi64(moved, distance));
            group = _mm256_xor_si256(group, both);
        }
        if let Some(bytes) = &by.last {
            group = shuffled(group, bytes);
        }
        group
    }
}

// The bytes of a group from where they come from.
#[inline(always)]
unsafe fn shuffled(group: __m256i, from: &[u8; 32]) -> __m256i {
    // SAFETY: see above.
    unsafe {
        let from = _mm256_loadu_si256(from.as_ptr().cast());
        // Bytes of the same half, and of the other one: the top bit makes a byte 0.
        let halves = _mm256_set_epi64x(0x1010_1010_1010_1010, 0x1010_1010_1010_1010, 0, 0);
        let crossing = _mm256_slli_epi16::<3>(_mm256_xor_si256(from, halves));
        let staying = _mm256_xor_si256(crossing, _mm256_set1_epi8(-128));
        let place = _mm256_and_si256(from, _mm256_set1_epi8(15));
        let top = _mm256_set1_epi8(-128);
        let same = _mm256_or_si256(place, _mm256_and_si256(crossing, top));
        let other = _mm256_or_si256(place, _mm256_and_si256(staying, top));
        let swapped = _mm256_permute2x128_si256::<1>(group, group);
        _mm256_or_si256(
            _mm256_shuffle_epi8(group, same),
            _mm256_shuffle_epi8(swapped, other),
        )
    }
}

// Groups of some ranks side by side.
#[inline(always)]
unsafe fn groups<const G: usize, const N: usize>(
    blocks: *const Block<G>,
    ranks: &[usize],
) -> [__m256i; N] {
    // SAFETY: see above.
    unsafe {
        let mut registers = [_mm256_setzero_si256(); N];
        for (number, register) in registers.iter_mut().enumerate() {
            let block: *const __m256i = blocks.add(ranks[number / G]).cast();
            *register = _mm256_loadu_si256(block.add(number % G));
        }
        registers
    }
}

/// The positions of a group from which a raise of one of the four squares leads into the set, and those of
/// a second set.
#[inline(always)]
unsafe fn lowered(lost: __m256i, others: __m256i) -> __m256i {
    // SAFETY: see above.
    unsafe {
        let can_rise = _mm256_set1_epi64x(FIRST_CAN_RISE as i64);
        let first = _mm256_and_si256(_mm256_srli_epi64::<1>(lost), can_rise);
        let can_rise = _mm256_set1_epi64x(SECOND_CAN_RISE as i64);
        let second = _mm256_and_si256(_mm256_srli_epi64::<4>(lost), can_rise);
        let third = _mm256_srli_epi64::<16>(lost);
        // Each word takes the next one, the last of them none.
        let upper = _mm256_permute2x128_si256::<0x81>(lost, lost);
        let fourth = _mm256_alignr_epi8::<8>(upper, lost);
        let two = _mm256_or_si256(first, second);
        let others = _mm256_or_si256(others, third);
        _mm256_or_si256(_mm256_or_si256(two, others), fourth)
    }
}

// Those of `left` from which no raise inside the block leads to a lost position.
#[inline(always)]
unsafe fn step<const G: usize, const N: usize>(
    left: &[__m256i; N],
    lost: &[__m256i; N],
) -> [__m256i; N] {
    // SAFETY: see above.
    unsafe {
        let mut still = *left;
        for (number, still) in still.iter_mut().enumerate() {
            // A raise of the fifth square leads to the next group.
            let next = match number % G {
                last if last + 1 == G => _mm256_setzero_si256(),
                _ => lost[number + 1],
            };
            *still = _mm256_andnot_si256(lowered(lost[number], next), *still);
        }
        still
    }
}

// `R` blocks of equal sum at a time, in `N` registers: they do not depend on each other.
#[inline(always)]
fn settle_bits<const G: usize, const N: usize, const R: usize>(
    tables: &Tables<G>,
    work: &mut Work<G>,
    open: &Block<G>,
    quiet: Ranks,
    out: &mut [u8],
) -> Settled {
    assert!(
        out.len() >= room(Grain::Bit, G),
        "less room than a stream may take"
    );
    let mut list = List::EMPTY;
    list.fill_by_words(quiet);
    let (mixed, found, lost) = (
        tables.mixed.as_ptr(),
        work.found.as_ptr(),
        work.lost.as_mut_ptr(),
    );
    // SAFETY: see above.
    unsafe {
        let all = groups::<G, N>(open, &[0; R]);
        let mut place = 0;
        while place < list.count {
            let (ranks, taken) = list.of_equal_sum::<R>(place, &tables.sums);
            place += taken;
            let mut won = groups::<G, N>(found, &ranks);
            for square in 0..4 {
                let mut raised = [BLOCKS; R];
                for (raised, rank) in raised.iter_mut().zip(&ranks) {
                    *raised = usize::from(tables.raised[*rank][square]);
                }
                let raised = groups::<G, N>(lost, &raised);
                for (won, raised) in won.iter_mut().zip(raised) {
                    *won = _mm256_or_si256(*won, raised);
                }
            }
            let mut left = groups::<G, N>(mixed, &ranks);
            for (left, (all, won)) in left.iter_mut().zip(all.iter().zip(won)) {
                *left = _mm256_andnot_si256(won, _mm256_and_si256(*left, *all));
            }
            let mut now = left;
            loop {
                let once = step::<G, N>(&left, &now);
                now = step::<G, N>(&left, &once);
                let mut moved = _mm256_setzero_si256();
                for (once, twice) in once.into_iter().zip(now) {
                    moved = _mm256_or_si256(moved, _mm256_xor_si256(once, twice));
                }
                if _mm256_testz_si256(moved, moved) == 1 {
                    break;
                }
            }
            for (number, now) in now.into_iter().enumerate() {
                let block: *mut __m256i = lost.add(ranks[number / G]).cast();
                _mm256_storeu_si256(block.add(number % G), now);
            }
        }
        let settled = match are_few(open) {
            true => gathered::<G, true>(tables, work, open, &list, out),
            false => gathered::<G, false>(tables, work, open, &list, out),
        };
        for rank in list.as_slice() {
            work.lost[usize::from(*rank)] = Block::EMPTY;
        }
        settled
    }
}

// Writes what was settled.
#[inline(always)]
unsafe fn gathered<const G: usize, const FEW: bool>(
    tables: &Tables<G>,
    work: &Work<G>,
    open: &Block<G>,
    list: &List,
    out: &mut [u8],
) -> Settled {
    let mut gathering = Gathering::new(out);
    let (mixed, lost) = (&*tables.mixed, &*work.lost);
    for rank in list.as_slice() {
        let (mixed, lost) = (&mixed[usize::from(*rank)], &lost[usize::from(*rank)]);
        for number in 0..G {
            let open = both(&open.0[number], &mixed.0[number]);
            // SAFETY: see above.
            unsafe { gathering.push::<FEW>(&open, &lost.0[number]) };
        }
    }
    // SAFETY: see above.
    unsafe { gathering.finish() }
}
