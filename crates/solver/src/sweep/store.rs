//! Large buffers in memory.

#[cfg(target_os = "linux")]
use memmap2::Advice;
use memmap2::MmapMut;

use crate::SolveError;

/// Zeroed memory that the system provides as it is touched, in large pages where it can.
#[derive(Debug)]
pub(crate) struct Store(MmapMut);

impl Store {
    pub(crate) fn new(bytes: usize) -> Result<Store, SolveError> {
        let map = MmapMut::map_anon(bytes.max(1)).map_err(|_| SolveError::Allocation {
            needed: bytes as u64,
        })?;
        // Only a wish: without large pages the sweep is a little slower.
        #[cfg(target_os = "linux")]
        let _ = map.advise(Advice::HugePage);
        Ok(Store(map))
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
