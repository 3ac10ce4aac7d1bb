//! Zeroed buffers in memory, small and large.

#[cfg(not(target_family = "wasm"))]
use memmap2::MmapMut;

use crate::SolveError;

/// Bytes of a large page, where there are any.
pub(crate) const HUGE: usize = 2 << 20;

// Bytes from which memory is mapped; less is had sooner from the allocator, and need not go back to the system.
#[cfg(not(target_family = "wasm"))]
const MAPPED: usize = 64 << 10;

/// Zeroed memory; the system provides large memory as it is touched, in large pages where it can.
#[derive(Debug)]
pub(crate) struct Store(BlockMemory);

#[derive(Debug)]
enum BlockMemory {
    Allocated(Vec<u8>),
    // A module of the web has nothing to map.
    #[cfg(not(target_family = "wasm"))]
    Mapped(MmapMut),
}

impl Store {
    pub(crate) fn new(bytes: usize) -> Result<Store, SolveError> {
        let memory = zeroed(bytes).ok_or(SolveError::Allocation {
            needed: bytes as u64,
        })?;
        Ok(Store(memory))
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        match &self.0 {
            BlockMemory::Allocated(bytes) => bytes,
            #[cfg(not(target_family = "wasm"))]
            BlockMemory::Mapped(bytes) => bytes,
        }
    }

    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        match &mut self.0 {
            BlockMemory::Allocated(bytes) => bytes,
            #[cfg(not(target_family = "wasm"))]
            BlockMemory::Mapped(bytes) => bytes,
        }
    }

    pub(crate) fn blocks<const N: usize>(&self) -> &[[u8; N]] {
        self.bytes().as_chunks::<N>().0
    }

    pub(crate) fn blocks_mut<const N: usize>(&mut self) -> &mut [[u8; N]] {
        self.bytes_mut().as_chunks_mut::<N>().0
    }
}

fn zeroed(bytes: usize) -> Option<BlockMemory> {
    #[cfg(not(target_family = "wasm"))]
    if bytes >= MAPPED {
        let memory = MmapMut::map_anon(bytes).ok()?;
        // Only a wish: without large pages the sweep is a little slower. A small piece has no use for
        // them, and beside others would be given all that it does not touch.
        #[cfg(target_os = "linux")]
        if bytes >= HUGE {
            let _ = memory.advise(memmap2::Advice::HugePage);
        }
        return Some(BlockMemory::Mapped(memory));
    }
    let mut memory = Vec::new();
    memory.try_reserve_exact(bytes).ok()?;
    memory.resize(bytes, 0);
    Some(BlockMemory::Allocated(memory))
}
