//! The `.gwt` table files: packed values by index, in compressed frames with checksums, and a signature
//! over all of them. This crate knows bytes and indices, not rules; `docs/format.md` is its contract.
//!
//! A table covers the indices 0 to `indexable` − 1, cut into *leaves* of 65,536. Of each leaf it holds
//! the values of some positions, the *packed* ones, in index order; which ones those are, the rules say.
//! So the value of an index is that of its *rank*: the number of packed positions before it in its leaf.
//!
//! ```
//! use greenwave_table::{Hash32, Layout, Leaf, Meta, Table, TableWriter, ValueKind, encode_frame};
//!
//! # let folder = tempfile::tempdir()?;
//! # let folder = folder.path();
//! // 100,000 indices, of which the even ones are packed; each value is the index mod 3.
//! let layout = Layout::new("value", 2, ValueKind::Unsigned, 100_000)?;
//! let packed = |leaf_no| layout.indices_of_leaf(leaf_no).filter(|index| index % 2 == 0);
//!
//! let path = folder.join("thirds/value.gwt");
//! let rules = "a made-up game";
//! let mut writer = TableWriter::create(&path, layout.clone(), Hash32::of(rules.as_bytes()))?;
//! for frame_no in 0..layout.frames() {
//!     let leaves: Vec<Leaf> = layout
//!         .leaves_of_frame(frame_no)
//!         .map(|leaf_no| Leaf::pack(2, packed(leaf_no).map(|index| index % 3)))
//!         .collect();
//!     writer.append(encode_frame(&layout, frame_no, &leaves))?;
//! }
//! let finished = writer.finish(Meta {
//!     variant: "thirds".into(),
//!     rules_text: rules.into(),
//!     ..Meta::default()
//! })?;
//!
//! let table = Table::open(&path)?;
//! table.expect_rules(&Hash32::of(rules.as_bytes()))?;
//! assert_eq!(table.meta().packed, 50_000);
//! assert_eq!(table.meta().signature, finished.signature);
//! let index = 80_002;
//! let leaf_no = index >> greenwave_table::LEAF_BITS;
//! let rank = packed(leaf_no).filter(|before| *before < index).count() as u32;
//! assert_eq!(table.leaf(leaf_no)?.value(rank), Some(index % 3));
//! assert_eq!(table.check()?.positions, 50_000);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

mod cache;
mod compression;
mod directory;
mod error;
mod families;
mod frame;
mod hash;
mod header;
mod layout;
mod leaf;
mod meta;
mod metrics;
mod new_file;
mod packed;
mod place;
mod reader;
mod regular;
mod signature;
mod storage;
mod writer;

pub use cache::{FrameCache, FrameRoom, KEPT_BYTES};
pub use error::TableError;
pub use families::{
    EncodedFamilies, FamilyWriter, MOST_FAMILIES, UnfinishedTable, encode_families,
};
pub use frame::{EncodedFrame, encode_frame};
pub use hash::{Hash32, leaf_hash};
pub use header::{FAMILIES_VERSION, FORMAT_VERSION};
pub use layout::{LEAF_BITS, LEAF_LEN, Layout, ValueKind};
pub use leaf::Leaf;
pub use meta::{
    Figures, FirstMove, HistogramEntry, IndexScheme, LongestPlay, Meta, Odds, Outcome,
    ResultCounts, Summary,
};
pub use metrics::METRICS;
pub use new_file::discard_unfinished;
pub use packed::PackedIndices;
pub use place::{TablesFolder, shell_word};
pub use reader::{LeafView, Table, TableCheck};
pub use regular::{create_file, open_file};
pub use signature::SignatureBuilder;
pub use storage::{
    DiskStorage, FaultyStorage, LockGuard, MemoryFile, MemoryStorage, Storage, StoredFile,
};
pub use writer::{FinishedTable, TableWriter};
