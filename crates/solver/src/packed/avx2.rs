//! The kernel for CPUs with 256-bit registers, and with instructions to gather and scatter bits.

#![allow(unsafe_code)]

use std::arch::x86_64::{_pdep_u64, _pext_u64};

use super::kernel::{Mover, Words};
use super::loops::Routine;
use crate::sweep::Kernel as Instructions;

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
    task.run::<Words<Bmi2>>()
}
