//! How the index space of a table is cut into leaves and frames.

use std::ops::Range;

use crate::error::TableError;
use crate::metrics::METRICS;

/// log₂ of the number of indices of a leaf; part of the format.
pub const LEAF_BITS: u32 = 16;

/// Number of indices of a leaf (the last leaf of a table may be shorter).
pub const LEAF_LEN: u64 = 1 << LEAF_BITS;

/// log₂ of the largest number of payload bits in one frame: 64 MiB, so that one damaged or hostile
/// frame cannot ask for more memory than that.
const FRAME_PAYLOAD_BITS: u32 = 29;

/// Beyond log₂ of this many frames, frames grow rather than the directory.
const DIRECTORY_BITS: u32 = 18;

/// What the bits of a stored value mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, bincode::Encode, bincode::Decode)]
pub enum ValueKind {
    /// A number from 0 up, or a code.
    #[default]
    Unsigned,
    /// A two's-complement number.
    Signed,
    /// An IEEE 754 binary32 number; 32 bits wide.
    F32,
    /// An IEEE 754 binary64 number; 64 bits wide.
    F64,
}

/// The data that a table stores per position, and the cuts of its index space.
///
/// ```
/// use greenwave_table::{Layout, ValueKind};
///
/// let layout = Layout::new("value", 1, ValueKind::Unsigned, 4u64.pow(12))?;
/// assert_eq!(layout.leaves(), 256);
/// assert_eq!(layout.frames(), 32);
/// assert_eq!(layout.leaves_of_frame(1), 8..16);
/// # Ok::<(), greenwave_table::TableError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    /// One of [`METRICS`].
    pub metric: String,
    /// Width of a stored value: 1, 2, 4, 8, 16, 32 or 64 bits.
    pub value_bits: u32,
    /// What those bits mean.
    pub kind: ValueKind,
    /// Size of the index space: indices are 0 to this minus one.
    pub indexable: u64,
    /// log₂ of the number of indices of a frame, at least [`LEAF_BITS`].
    pub frame_bits: u32,
}

impl Layout {
    /// A layout with a suitable frame size.
    ///
    /// The share of packed positions falls as boards grow (normal play: 9 % on twelve squares, 2 %
    /// on sixteen, 0.6 % on twenty). So the frame grows with the fourth root of the index space.
    /// Then a frame of such a table holds about 6 KiB of payload, and a few times that where all
    /// unfinished positions are packed. It grows further where the directory would pass 2¹⁸ frames.
    ///
    /// # Errors
    /// [`TableError::BadLayout`] for an unknown metric, a width that is not allowed, or a kind that
    /// does not fit the width.
    pub fn new(
        metric: impl Into<String>,
        value_bits: u32,
        kind: ValueKind,
        indexable: u64,
    ) -> Result<Layout, TableError> {
        let index_bits = u64::BITS - indexable.saturating_sub(1).leading_zeros();
        let width_bits = value_bits.max(1).ilog2();
        let frame_bits = (13 + index_bits / 4)
            .saturating_sub(width_bits)
            .max(index_bits.saturating_sub(DIRECTORY_BITS))
            .min(FRAME_PAYLOAD_BITS.saturating_sub(width_bits))
            .max(LEAF_BITS);
        let layout = Layout {
            metric: metric.into(),
            value_bits,
            kind,
            indexable,
            frame_bits,
        };
        layout.check()?;
        Ok(layout)
    }

    /// The same layout with frames of 2^`frame_bits` indices, for those who know better.
    ///
    /// # Errors
    /// [`TableError::BadLayout`] when the frame is smaller than a leaf or its payload could pass
    /// 64 MiB.
    pub fn with_frame_bits(self, frame_bits: u32) -> Result<Layout, TableError> {
        let layout = Layout { frame_bits, ..self };
        layout.check()?;
        Ok(layout)
    }

    /// Number of leaves: indexable / 2^16, rounded up.
    #[must_use]
    pub fn leaves(&self) -> u64 {
        self.indexable.div_ceil(LEAF_LEN)
    }

    /// Number of frames: indexable / 2^frame_bits, rounded up.
    #[must_use]
    pub fn frames(&self) -> u64 {
        self.indexable.div_ceil(1 << self.frame_bits)
    }

    /// Leaves that a frame holds; empty beyond the last frame.
    #[must_use]
    pub fn leaves_of_frame(&self, frame_no: u64) -> Range<u64> {
        let bits = self.frame_bits - LEAF_BITS;
        let leaves = self.leaves();
        let start = frame_no.checked_mul(1 << bits).unwrap_or(leaves);
        start.min(leaves)..start.saturating_add(1 << bits).min(leaves)
    }

    /// The frame that holds a leaf.
    #[must_use]
    pub fn frame_of_leaf(&self, leaf_no: u64) -> u64 {
        leaf_no >> (self.frame_bits - LEAF_BITS)
    }

    /// Indices that belong to a leaf; empty beyond the last leaf.
    #[must_use]
    pub fn indices_of_leaf(&self, leaf_no: u64) -> Range<u64> {
        let start = leaf_no.checked_mul(LEAF_LEN).unwrap_or(self.indexable);
        start.min(self.indexable)..start.saturating_add(LEAF_LEN).min(self.indexable)
    }

    /// Indices that belong to a frame; empty beyond the last frame.
    pub(crate) fn indices_of_frame(&self, frame_no: u64) -> Range<u64> {
        let len = 1 << self.frame_bits;
        let start = frame_no.checked_mul(len).unwrap_or(self.indexable);
        start.min(self.indexable)..start.saturating_add(len).min(self.indexable)
    }

    /// Is this a layout that a table can have?
    pub(crate) fn check(&self) -> Result<(), TableError> {
        let bad = |what: &'static str, found: String, expected: String| {
            Err(TableError::BadLayout {
                what,
                found,
                expected,
            })
        };
        if !METRICS.contains(&self.metric.as_str()) {
            return bad("metric", format!("'{}'", self.metric), METRICS.join(", "));
        }
        let expected = match self.kind {
            ValueKind::F32 => "32",
            ValueKind::F64 => "64",
            ValueKind::Unsigned | ValueKind::Signed => "1, 2, 4, 8, 16, 32 or 64",
        };
        let fits = match self.kind {
            ValueKind::F32 => self.value_bits == 32,
            ValueKind::F64 => self.value_bits == 64,
            ValueKind::Unsigned | ValueKind::Signed => {
                matches!(self.value_bits, 1 | 2 | 4 | 8 | 16 | 32 | 64)
            }
        };
        if !fits {
            return bad(
                "value width in bits",
                self.value_bits.to_string(),
                expected.into(),
            );
        }
        let most = FRAME_PAYLOAD_BITS - self.value_bits.ilog2();
        if !(LEAF_BITS..=most).contains(&self.frame_bits) {
            let expected = format!("{LEAF_BITS} to {most}");
            return bad("frame size exponent", self.frame_bits.to_string(), expected);
        }
        Ok(())
    }
}
