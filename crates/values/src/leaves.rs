//! Tables of which the leaves are known: their files, signatures and metadata.

use std::borrow::Cow;
use std::path::Path;

use greenwave_game::Rules;
use greenwave_table::{
    EncodedFrame, Hash32, IndexScheme, Layout, Leaf, Meta, SignatureBuilder, Summary, TableWriter,
    encode_frame, leaf_hash,
};

use crate::parallel::map_parts;
use crate::{Progress, Unit, ValuesError};

// Frames that are compressed at a time before they are appended in order.
const BATCH: u64 = 64;

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableReport {
    /// The signature of the values.
    pub signature: Hash32,
    /// Size of the file in bytes.
    pub bytes: u64,
}

/// Writes a table of which the leaves are known.
pub(crate) fn written(
    rules: &Rules,
    layout: &Layout,
    index_scheme: IndexScheme,
    summary: &Summary,
    path: &Path,
    progress: &dyn Progress,
    leaf: &(dyn Fn(u64) -> Leaf + Sync),
) -> Result<TableReport, ValuesError> {
    progress.begin(
        &format!("writing {} for {}", rules.title(), layout.metric),
        layout.indexable,
        Unit::Positions,
    );
    let hash = Hash32(rules.hash.0);
    let mut writer = TableWriter::create(path, layout.clone(), hash)?;
    let frames = layout.frames();
    let mut next = 0;
    while next < frames {
        if progress.cancelled() {
            return Err(ValuesError::Interrupted);
        }
        let end = frames.min(next + BATCH);
        let batch: Vec<EncodedFrame> = map_parts((end - next) as usize, |place| {
            let frame = next + place as u64;
            let leaves: Vec<Leaf> = layout.leaves_of_frame(frame).map(leaf).collect();
            encode_frame(layout, frame, &leaves)
        });
        for frame in batch {
            writer.append(frame)?;
        }
        next += BATCH;
        progress.advance((BATCH << layout.frame_bits).min(layout.indexable));
    }
    let metadata = meta(rules, &layout.metric, layout.indexable, summary);
    let finished = writer.finish(Meta {
        index_scheme,
        ..metadata
    })?;
    Ok(TableReport {
        signature: finished.signature,
        bytes: finished.bytes,
    })
}

/// The signature of leaves with rising numbers, given by their place among these.
pub(crate) fn signed<'l>(
    rules: &Rules,
    layout: &Layout,
    numbers: Vec<u64>,
    leaf: &(dyn Fn(usize) -> Cow<'l, Leaf> + Sync),
) -> Hash32 {
    let mut builder = SignatureBuilder::new(layout, &Hash32(rules.hash.0));
    let hashes: Vec<Option<Hash32>> = map_parts(numbers.len(), |place| {
        let leaf = leaf(place);
        (leaf.count > 0).then(|| leaf_hash(numbers[place], &leaf))
    });
    for (number, hash) in numbers.into_iter().zip(hashes) {
        if let Some(hash) = hash {
            builder.push(number, &hash);
        }
    }
    builder.finish()
}

/// The metadata that describes a table; the writer adds what it counts itself.
#[must_use]
pub fn meta(rules: &Rules, metric: &str, indexable: u64, summary: &Summary) -> Meta {
    Meta {
        variant: rules.name.clone(),
        rules_text: rules.canonical.clone(),
        rules_hash: Hash32(rules.hash.0),
        metric: metric.into(),
        index_scheme: IndexScheme::Dense,
        indexable,
        nonterminal: nonterminal(summary),
        program: concat!("greenwave ", env!("CARGO_PKG_VERSION")).into(),
        summary: summary.clone(),
        ..Meta::default()
    }
}

/// Number of legal, unfinished positions that a summary counts.
fn nonterminal(summary: &Summary) -> u64 {
    summary.histogram.iter().map(|entry| entry.count).sum()
}
