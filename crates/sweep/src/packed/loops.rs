//! Which instructions the packed sweep uses.

use crate::sweep::Kernel as Instructions;

use super::grain::Grain;
use super::kernel::{PackedKernel, Portable, Routine, WordLoops};
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
use super::neon::Neon;
#[cfg(target_arch = "x86_64")]
use super::{avx2, avx512};

/// A version of the inner loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Loops {
    Portable,
    #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
    Neon,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Loops {
    /// The version for a choice of instructions. Not every CPU that has the 512-bit registers of the
    /// sweep can compress bytes in them.
    pub(super) fn of(instructions: Instructions) -> Loops {
        #[cfg(target_arch = "x86_64")]
        return match instructions {
            Instructions::Avx512 if avx512::is_supported() => Loops::Avx512,
            Instructions::Avx512 | Instructions::Avx2 => Loops::Avx2,
            Instructions::Neon | Instructions::Portable => Loops::Portable,
        };
        #[cfg(not(target_arch = "x86_64"))]
        match instructions {
            #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
            Instructions::Neon => Loops::Neon,
            #[cfg(not(all(target_arch = "aarch64", target_endian = "little")))]
            Instructions::Neon => Loops::Portable,
            Instructions::Avx512 | Instructions::Avx2 | Instructions::Portable => Loops::Portable,
        }
    }

    /// The instructions that it is for.
    pub(super) fn instructions(self) -> Instructions {
        match self {
            Loops::Portable => Instructions::Portable,
            #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
            Loops::Neon => Instructions::Neon,
            #[cfg(target_arch = "x86_64")]
            Loops::Avx2 => Instructions::Avx2,
            #[cfg(target_arch = "x86_64")]
            Loops::Avx512 => Instructions::Avx512,
        }
    }

    /// Whether streams of a grain are quicker than smaller ones, if there are any.
    pub(super) fn keeps(self, grain: Grain) -> bool {
        keeps(self.instructions(), grain)
    }

    /// Does a task.
    pub(super) fn run<const G: usize, T: Routine<G>>(self, task: T) -> T::Output
    where
        WordLoops<Portable>: PackedKernel<G>,
    {
        match self {
            Loops::Portable => task.run::<WordLoops<Portable>>(),
            #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
            Loops::Neon => task.run::<Neon>(),
            #[cfg(target_arch = "x86_64")]
            Loops::Avx2 => avx2::run(task),
            #[cfg(target_arch = "x86_64")]
            Loops::Avx512 => avx512::run(task),
        }
    }
}

/// Whether streams of a grain are quicker with these instructions than smaller ones, if there are any.
pub(super) fn keeps(instructions: Instructions, grain: Grain) -> bool {
    match instructions {
        Instructions::Portable | Instructions::Neon | Instructions::Avx512 => true,
        Instructions::Avx2 => !matches!(grain, Grain::Sparse | Grain::Byte),
    }
}
