//! Tables of families (format version 2): for boards whose positions are too many to be cut into
//! leaves by index.
//!
//! A *family* is what has the same levels on the *far* squares; their levels are its key. Families stand
//! in *waves* of equal level sum, the highest sum first, and in a wave by rising key. Runs of them are
//! frames.

mod directory;
mod frame;
mod signature;
mod writer;

pub(crate) use directory::FamilyDirectory;
pub(crate) use frame::decode;
pub use frame::{EncodedFamilies, MOST_FAMILIES, encode_families};
pub(crate) use signature::{WaveHash, families_signature};
pub use writer::{FamilyWriter, UnfinishedTable};
