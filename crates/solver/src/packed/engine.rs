//! Which instructions the packed sweep uses.

use crate::sweep::Kernel as Instructions;

use super::kernel::{Kernel, Portable, Words};
#[cfg(target_arch = "x86_64")]
use super::{avx2, avx512};

/// A version of the inner loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Engine {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

/// Work that is compiled for every kernel.
pub(super) trait Task<const G: usize> {
    type Output;

    /// Does the work; to be inlined wherever it is called, and all that it calls.
    fn run<K: Kernel<G>>(self) -> Self::Output;
}

impl Engine {
    /// The version for a choice of instructions. Not every CPU that has the 512-bit registers of the
    /// sweep can compress bytes in them.
    pub(super) fn of(instructions: Instructions) -> Engine {
        #[cfg(target_arch = "x86_64")]
        return match instructions {
            Instructions::Avx512 if avx512::is_supported() => Engine::Avx512,
            Instructions::Avx512 | Instructions::Avx2 => Engine::Avx2,
            Instructions::Portable => Engine::Portable,
        };
        #[cfg(not(target_arch = "x86_64"))]
        match instructions {
            Instructions::Avx512 | Instructions::Avx2 | Instructions::Portable => Engine::Portable,
        }
    }

    /// Whether streams of bytes are quicker than streams of bits.
    pub(super) fn has_byte_grain(self) -> bool {
        match self {
            Engine::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Engine::Avx2 => false,
            #[cfg(target_arch = "x86_64")]
            Engine::Avx512 => true,
        }
    }

    /// Does a task.
    pub(super) fn run<const G: usize, T: Task<G>>(self, task: T) -> T::Output
    where
        Words<Portable>: Kernel<G>,
    {
        match self {
            Engine::Portable => task.run::<Words<Portable>>(),
            #[cfg(target_arch = "x86_64")]
            Engine::Avx2 => avx2::run(task),
            #[cfg(target_arch = "x86_64")]
            Engine::Avx512 => avx512::run(task),
        }
    }
}
