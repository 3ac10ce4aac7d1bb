//! From a solution in memory to a table on disk.

use std::path::Path;

use greenwave_game::{Dense, LEAF_BITS, LeafMask, Metric, Outcomes, Packing, Rules};
use greenwave_table::{
    EncodedFrame, Hash32, IndexScheme, Layout, Leaf, Meta, SignatureBuilder, Summary, TableWriter,
    ValueKind, encode_frame, leaf_hash,
};
use rayon::prelude::*;

use crate::listed_tables as listed;
use crate::summary::nonterminal;
use crate::{DenseValues, Progress, Unit, ValuesError};

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

/// How many bits a packed value takes and how they are read.
#[must_use]
pub fn encoding<G: Dense>(game: &G, values: &DenseValues) -> (u32, ValueKind) {
    match values.metric() {
        _ if values.listed().is_some() => (64, ValueKind::Unsigned),
        Metric::Value if game.rules().properties.outcomes == Outcomes::WinLoss => {
            (1, ValueKind::Unsigned)
        }
        Metric::Value => (2, ValueKind::Unsigned),
        Metric::Points => {
            let leaves = values.len().div_ceil(1 << LEAF_BITS);
            let narrow = (0..leaves)
                .into_par_iter()
                .map_init(LeafMask::default, |mask, leaf| {
                    game.leaf_mask(game.packing(Metric::Points), leaf, mask);
                    mask.places().all(|place| {
                        let code = values.code((leaf << LEAF_BITS) + u64::from(place));
                        i8::try_from(code).is_ok()
                    })
                })
                .all(|narrow| narrow);
            (if narrow { 8 } else { 16 }, ValueKind::Signed)
        }
        Metric::Distance | Metric::Nimber | Metric::Odds => (8, ValueKind::Unsigned),
    }
}

/// Writes the table of a solution; the file appears under its name only when it is complete.
///
/// # Errors
/// When the file cannot be written or another program is writing it, and when the work is
/// cancelled.
pub fn write_table<G: Dense>(
    game: &G,
    values: &DenseValues,
    summary: &Summary,
    path: &Path,
    progress: &dyn Progress,
) -> Result<TableReport, ValuesError> {
    let layout = layout(game, values)?;
    let bits = layout.value_bits;
    let scheme = match values.listed() {
        Some(positions) => IndexScheme::Listed {
            positions: listed::positions(game, positions),
        },
        None => IndexScheme::Dense,
    };
    write(game, &layout, scheme, summary, path, progress, |number| {
        pack_leaf(game, values, bits, number)
    })
}

/// Writes the table of a solution that comes as packed leaves: the number and the values of each
/// leaf that has any, in order. As [`write_table`] otherwise.
pub fn write_leaves<G: Dense>(
    game: &G,
    metric: Metric,
    leaves: &[(u64, Leaf)],
    summary: &Summary,
    path: &Path,
    progress: &dyn Progress,
) -> Result<TableReport, ValuesError> {
    let layout = leaves_layout(game, metric)?;
    let scheme = IndexScheme::Dense;
    write(game, &layout, scheme, summary, path, progress, |number| {
        let place = leaves.binary_search_by_key(&number, |(number, _)| *number);
        place.map_or_else(|_| Leaf::default(), |place| leaves[place].1.clone())
    })
}

/// The signature of packed leaves.
pub fn leaves_signature<G: Dense>(
    game: &G,
    metric: Metric,
    leaves: &[(u64, Leaf)],
) -> Result<Hash32, ValuesError> {
    let layout = leaves_layout(game, metric)?;
    let mut builder = SignatureBuilder::new(&layout, &Hash32(game.rules().hash.0));
    let hashes: Vec<(u64, Hash32)> = leaves
        .par_iter()
        .map(|(number, leaf)| (*number, leaf_hash(*number, leaf)))
        .collect();
    for (number, hash) in hashes {
        builder.push(number, &hash);
    }
    Ok(builder.finish())
}

fn leaves_layout<G: Dense>(game: &G, metric: Metric) -> Result<Layout, ValuesError> {
    let (bits, kind) = match metric {
        Metric::Value => (1, ValueKind::Unsigned),
        Metric::Points => (8, ValueKind::Signed),
        Metric::Distance | Metric::Nimber | Metric::Odds => (8, ValueKind::Unsigned),
    };
    Ok(Layout::new(
        metric.name(),
        bits,
        kind,
        game.indexable() as u64,
    )?)
}

fn write<G: Dense>(
    game: &G,
    layout: &Layout,
    index_scheme: IndexScheme,
    summary: &Summary,
    path: &Path,
    progress: &dyn Progress,
    leaf: impl Fn(u64) -> Leaf + Sync,
) -> Result<TableReport, ValuesError> {
    let rules = game.rules();
    progress.begin(
        &format!("writing {} for {}", rules.name, layout.metric),
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
        let batch: Vec<EncodedFrame> = (next..frames.min(next + BATCH))
            .into_par_iter()
            .map(|frame| {
                let leaves: Vec<Leaf> = layout.leaves_of_frame(frame).map(&leaf).collect();
                encode_frame(layout, frame, &leaves)
            })
            .collect();
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

/// The signature of a solution, the same as that of its table.
///
/// # Errors
/// When the index is too large for a table.
pub fn signature<G: Dense>(game: &G, values: &DenseValues) -> Result<Hash32, ValuesError> {
    let layout = layout(game, values)?;
    let mut builder = SignatureBuilder::new(&layout, &Hash32(game.rules().hash.0));
    let hashes: Vec<(u64, Option<Hash32>)> = (0..layout.leaves())
        .into_par_iter()
        .map(|number| {
            let leaf = pack_leaf(game, values, layout.value_bits, number);
            (number, (leaf.count > 0).then(|| leaf_hash(number, &leaf)))
        })
        .collect();
    for (number, hash) in hashes {
        if let Some(hash) = hash {
            builder.push(number, &hash);
        }
    }
    Ok(builder.finish())
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

fn layout<G: Dense>(game: &G, values: &DenseValues) -> Result<Layout, ValuesError> {
    if let Some(positions) = values.listed() {
        return listed::layout(values.metric(), positions);
    }
    let (bits, kind) = encoding(game, values);
    Ok(Layout::new(
        values.metric().name(),
        bits,
        kind,
        game.indexable() as u64,
    )?)
}

fn pack_leaf<G: Dense>(game: &G, values: &DenseValues, value_bits: u32, leaf: u64) -> Leaf {
    if let Some(positions) = values.listed() {
        return listed::pack_leaf(positions, leaf);
    }
    let mut mask = LeafMask::default();
    let packing: Packing = game.packing(values.metric());
    game.leaf_mask(packing, leaf, &mut mask);
    let width = (1_u64 << value_bits) - 1;
    Leaf::pack(
        value_bits,
        mask.places().map(|place| {
            let code = values.code((leaf << LEAF_BITS) + u64::from(place));
            i64::from(code) as u64 & width
        }),
    )
}
