//! The decoder without C.

use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use super::{DecompressionError, NO_SIZE, not_one_frame};

/// Nothing is compressed.
#[cfg(target_family = "wasm")]
pub(crate) fn compressed(_: &[u8]) -> Option<Vec<u8>> {
    None
}

/// The plain bytes of one whole zstd frame that says that it has at most `most`; else what was found.
pub(crate) fn decompressed(stored: &[u8], most: u64) -> Result<Vec<u8>, DecompressionError> {
    let mut rest = stored;
    let mut decoder = FrameDecoder::new();
    decoder.reset(&mut rest).map_err(|_| NO_SIZE)?;
    let size = decoder.content_size();
    if size > most {
        return Err(NO_SIZE.into());
    }
    let mut plain = Vec::new();
    while !decoder.is_finished() {
        // It reads block by block, because the length in a frame may be wrong.
        decoder
            .decode_blocks(&mut rest, BlockDecodingStrategy::UptoBlocks(1))
            .map_err(|_| not_one_frame(stored))?;
        let block = decoder.collect().unwrap_or_default();
        plain
            .try_reserve(block.len())
            .map_err(|_| DecompressionError::Refused)?;
        plain.extend(block);
        if plain.len() as u64 > size {
            break;
        }
    }
    if !rest.is_empty() {
        return Err(not_one_frame(stored).into());
    }
    if plain.len() as u64 == size {
        Ok(plain)
    } else {
        Err(format!("{} plain bytes in place of {size}", plain.len()).into())
    }
}
