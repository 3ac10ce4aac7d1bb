//! Compression of frames: zstd, and in WebAssembly, for which zstd needs a compiler of C, a second
//! decoder in its place. That encoder does not compress, as the format allows.

#[cfg(any(test, target_family = "wasm"))]
mod plain;

#[cfg(not(target_family = "wasm"))]
pub(crate) use library::{compressed, decompressed};
#[cfg(target_family = "wasm")]
pub(crate) use plain::{compressed, decompressed};

/// The error where no frame says how many plain bytes it has, or too many.
const NO_SIZE: &str = "no such size";

/// Why there are no plain bytes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum DecompressionError {
    /// That was found in place of a frame.
    Found(String),
    /// The machine did not give the memory.
    Refused,
}

impl<T: Into<String>> From<T> for DecompressionError {
    fn from(found: T) -> DecompressionError {
        DecompressionError::Found(found.into())
    }
}

// One frame only: bytes after it, or a second one, are not what the writer makes.
fn not_one_frame(stored: &[u8]) -> String {
    format!("more or less than a frame in {} bytes", stored.len())
}

#[cfg(not(target_family = "wasm"))]
mod library {
    use zstd::zstd_safe::{self, CCtx, CParameter, DCtx};

    use super::{DecompressionError, NO_SIZE, not_one_frame};

    /// zstd level of all frames; fixed, so that files are the same everywhere.
    const LEVEL: i32 = 3;

    /// The bytes as a zstd frame. A fresh context each time: what it compressed before must not show in
    /// the bytes. `None` where the machine does not give the memory.
    pub(crate) fn compressed(plain: &[u8]) -> Option<Vec<u8>> {
        let mut context = CCtx::try_create()?;
        let level = CParameter::CompressionLevel(LEVEL);
        context.set_parameter(level).ok()?;
        let mut bytes = with_room(zstd_safe::compress_bound(plain.len()))?;
        context.compress2(&mut bytes, plain).ok()?;
        Some(bytes)
    }

    /// The plain bytes of one whole zstd frame that says that it has at most `most`; else what was found.
    pub(crate) fn decompressed(stored: &[u8], most: u64) -> Result<Vec<u8>, DecompressionError> {
        let size = zstd_safe::get_frame_content_size(stored)
            .ok()
            .flatten()
            .filter(|size| *size <= most)
            .and_then(|size| usize::try_from(size).ok())
            .ok_or(NO_SIZE)?;
        if zstd_safe::find_frame_compressed_size(stored) != Ok(stored.len()) {
            return Err(not_one_frame(stored).into());
        }
        let mut context = DCtx::try_create().ok_or(DecompressionError::Refused)?;
        let mut plain = with_room(size).ok_or(DecompressionError::Refused)?;
        context
            .decompress(&mut plain, stored)
            .map_err(zstd_safe::get_error_name)?;
        if plain.len() == size {
            Ok(plain)
        } else {
            Err(format!("{} plain bytes in place of {size}", plain.len()).into())
        }
    }

    fn with_room(count: usize) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(count).ok()?;
        Some(bytes)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{library, plain};

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn both_decoders_read_the_same(bytes in prop::collection::vec(0u8..4, 0..2000), cut in 0usize..2000) {
            let frame = library::compressed(&bytes).unwrap();
            prop_assert_eq!(&plain::decompressed(&frame, bytes.len() as u64).unwrap(), &bytes);
            // Where the frame has fewer plain bytes than allowed, or is cut short, or goes on.
            let cut = &frame[..cut.min(frame.len() - 1)];
            let twice = [&frame[..], &frame].concat();
            for (stored, most) in [(&frame[..], 10), (cut, 2000), (&twice, 2000)] {
                prop_assert_eq!(
                    plain::decompressed(stored, most).ok(),
                    library::decompressed(stored, most).ok()
                );
            }
        }
    }
}
