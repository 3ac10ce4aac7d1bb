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
    let mut pixels = tiny_skia::Pixmap::new(width, (height as u32).max(1))
        .ok_or(PngError::Pixels { width, height })?;
    let transform = tiny_skia::Transform::from_scale(scale, scale);
    resvg::render(&tree, transform, &mut pixels.as_mut());
    pixels
        .encode_png()
        .map_err(|error| PngError::Encode(error.to_string()))
}
