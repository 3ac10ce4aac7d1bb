//! SVG to PNG.

use std::ops::RangeInclusive;

use resvg::{tiny_skia, usvg};

/// Widths in pixels that a PNG may have.
pub const WIDTHS: RangeInclusive<u32> = 16..=8192;

/// Most pixels of a PNG.
const PIXELS: u64 = 64 << 20;

/// Errors while a PNG is made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PngError {
    /// A width that no picture can have.
    #[error(
        "found a width of {found} pixels, expected {} to {}",
        WIDTHS.start(),
        WIDTHS.end()
    )]
    Width {
        /// The width asked for.
        found: u32,
    },
    /// A picture so high that it has too many pixels at the width.
    #[error("{width} by {height} pixels are too many; give a smaller width")]
    Pixels {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u64,
    },
    /// The picture could not be read.
    #[error("the picture cannot be drawn: {0}")]
    Svg(#[from] usvg::Error),
    /// The picture could not be written.
    #[error("the picture cannot be encoded: {0}")]
    Encode(String),
}

/// An SVG as PNG of this many pixels across. Letters have to be strokes, see
/// [`Lettering::Strokes`](crate::Lettering::Strokes): the renderer loads no font.
///
/// # Errors
/// When the width is out of [`WIDTHS`] or the picture cannot be drawn.
pub fn png(svg: &str, width: u32) -> Result<Vec<u8>, PngError> {
    let (tree, height) = read(svg, width)?;
    let too_many = PngError::Pixels {
        width,
        height: height.into(),
    };
    let mut pixels = tiny_skia::Pixmap::new(width, height).ok_or(too_many)?;
    let scale = width as f32 / tree.size().width();
    let transform = tiny_skia::Transform::from_scale(scale, scale);
    resvg::render(&tree, transform, &mut pixels.as_mut());
    pixels
        .encode_png()
        .map_err(|error| PngError::Encode(error.to_string()))
}

/// Peak memory of [`png`] with the same arguments, in bytes.
///
/// # Errors
/// As [`png`].
pub fn png_bytes(svg: &str, width: u32) -> Result<u64, PngError> {
    /// Bytes of a pixel, which is there twice while the picture is encoded.
    const PIXEL: u64 = 8;
    let (_, height) = read(svg, width)?;
    Ok(u64::from(width) * u64::from(height) * PIXEL)
}

/// The picture, and its height in pixels at a width.
fn read(svg: &str, width: u32) -> Result<(usvg::Tree, u32), PngError> {
    if !WIDTHS.contains(&width) {
        return Err(PngError::Width { found: width });
    }
    let tree = usvg::Tree::from_str(svg, &usvg::Options::default())?;
    let size = tree.size();
    let scale = width as f32 / size.width();
    let height = (f64::from(size.height()) * f64::from(scale)).ceil() as u64;
    if u64::from(width) * height > PIXELS {
        return Err(PngError::Pixels { width, height });
    }
    // As many pixels as that are no more rows than `u32` counts.
    Ok((tree, (height as u32).max(1)))
}
