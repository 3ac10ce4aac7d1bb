//! Large buffers in memory.

#[cfg(target_os = "linux")]
use memmap2::Advice;
#[cfg(not(target_family = "wasm"))]
use memmap2::MmapMut as Memory;

use crate::SolveError;

// There a fresh page is zeroed anyway, and nothing can be mapped.
#[cfg(target_family = "wasm")]
type Memory = Vec<u8>;

/// Bytes of a large page, where there are any.
pub(crate) const HUGE: usize = 2 << 20;

/// Zeroed memory that the system provides as it is touched, in large pages where it can.
#[derive(Debug)]
pub(crate) struct Store(Memory);

impl Store {
    pub(crate) fn new(bytes: usize) -> Result<Store, SolveError> {
        let memory = zeroed(bytes.max(1)).ok_or(SolveError::Allocation {
            needed: bytes as u64,
        })?;
        // Only a wish: without large pages the sweep is a little slower. A small piece has no use for
        // them, and beside others would be given all that it does not touch.
        #[cfg(target_os = "linux")]
        if bytes >= HUGE {
            let _ = memory.advise(Advice::HugePage);
        }
        Ok(Store(memory))
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }

    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }

    pub(crate) fn blocks<const N: usize>(&self) -> &[[u8; N]] {
        self.0.as_chunks::<N>().0
    }

    pub(crate) fn blocks_mut<const N: usize>(&mut self) -> &mut [[u8; N]] {
        self.0.as_chunks_mut::<N>().0
    }
}

#[cfg(not(target_family = "wasm"))]
fn zeroed(bytes: usize) -> Option<Memory> {
    Memory::map_anon(bytes).ok()
}

#[cfg(target_family = "wasm")]
fn zeroed(bytes: usize) -> Option<Memory> {
    let mut memory = Vec::new();
    memory.try_reserve_exact(bytes).ok()?;
    memory.resize(bytes, 0);
    Some(memory)
}
