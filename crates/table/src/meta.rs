//! The metadata: what a table is of, its counts, and a summary of its values.
//!
//! This is the only module that knows bincode: little-endian, fixed-width integers, fields in the order
//! of the declarations below, nothing after the last one. `docs/format.md` says how each type looks in
//! bytes. Any change of a type here is a change of the format version.

use bincode::config::{self, Configuration, Fixint, Limit, LittleEndian};
use bincode::{Decode, Encode};

use crate::error::TableError;
use crate::hash::Hash32;
use crate::layout::{Layout, ValueKind};

/// Longest metadata in bytes.
const LIMIT: usize = 1 << 24;

const CONFIG: Configuration<LittleEndian, Fixint, Limit<LIMIT>> = config::standard()
    .with_little_endian()
    .with_fixed_int_encoding()
    .with_limit::<LIMIT>();

/// How positions are numbered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub enum IndexScheme {
    /// By the rank that the rules give to a position, without a list of positions.
    #[default]
    Dense,
}

/// Result of a position under best play, for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub enum Outcome {
    /// The player to move wins.
    Win,
    /// The player to move loses.
    Loss,
    /// Neither.
    Draw,
}

/// Probabilities of the results and the expectation, for the player to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Encode, Decode)]
pub struct Odds {
    /// Probability of winning.
    pub win: f64,
    /// Probability of a draw.
    pub draw: f64,
    /// Probability of losing.
    pub loss: f64,
    /// What best play maximises.
    pub expectation: f64,
}

/// What is known about one position or move; `None` where unknown or not applicable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Encode, Decode)]
pub struct Figures {
    /// Win, loss or draw.
    pub value: Option<Outcome>,
    /// Plies to the end.
    pub distance: Option<u32>,
    /// Own minus opponent's points still to come.
    pub points: Option<i32>,
    /// Grundy value.
    pub nimber: Option<u32>,
    /// Probabilities and expectation.
    pub odds: Option<Odds>,
}

/// Numbers of positions by result for the player to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct ByValue {
    /// Won positions.
    pub win: u64,
    /// Lost positions.
    pub loss: u64,
    /// Drawn positions.
    pub draw: u64,
}

/// How many positions share a result and a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct HistogramEntry {
    /// Their result, where the metric has one.
    pub outcome: Option<Outcome>,
    /// The figure: plies, points or nimber.
    pub key: i64,
    /// Number of positions.
    pub count: u64,
}

/// The position that takes longest.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Longest {
    /// Plies to the end.
    pub distance: u32,
    /// Its result for the player to move.
    pub outcome: Outcome,
    /// The position as text.
    pub example: String,
}

/// A first move.
#[derive(Clone, Debug, Default, PartialEq, Encode, Decode)]
pub struct Opening {
    /// The move as text.
    pub mv: String,
    /// The position that it leads to, as text; none before chance decides.
    pub to: Option<String>,
    /// Figures of the move, for the player who makes it.
    pub figures: Figures,
    /// Does it end the game?
    pub ends: bool,
}

/// What is worth knowing without reading the table.
#[derive(Clone, Debug, Default, PartialEq, Encode, Decode)]
pub struct Summary {
    /// Figures of the position at the start of the game.
    pub start: Figures,
    /// Legal unfinished positions by result.
    pub by_value: Option<ByValue>,
    /// Legal unfinished positions by figure.
    pub histogram: Vec<HistogramEntry>,
    /// The position with the largest distance.
    pub longest: Option<Longest>,
    /// All first moves.
    pub openings: Vec<Opening>,
}

/// Metadata of a table. The writer itself fills in what follows from the layout, the rules and the
/// frames: `index_scheme`, `rules_hash`, `metric`, `indexable`, `packed`, `value_bits`, `kind`,
/// `frame_bits` and `signature`.
#[derive(Clone, Debug, Default, PartialEq, Encode, Decode)]
pub struct Meta {
    /// How positions are numbered.
    pub index_scheme: IndexScheme,
    /// Canonical name of the variant with its options.
    pub variant: String,
    /// Canonical text of the rules.
    pub rules_text: String,
    /// Hash of that text; tables are told apart by it.
    pub rules_hash: Hash32,
    /// `value`, `distance`, `points`, `odds` or `nimber`.
    pub metric: String,
    /// Size of the index space.
    pub indexable: u64,
    /// Number of legal unfinished positions.
    pub nonterminal: u64,
    /// Number of positions whose values are stored.
    pub packed: u64,
    /// Width of a stored value in bits.
    pub value_bits: u32,
    /// What those bits mean.
    pub kind: ValueKind,
    /// log₂ of the number of indices of a frame.
    pub frame_bits: u32,
    /// Signature over all stored values.
    pub signature: Hash32,
    /// Name and version of the program that wrote the table.
    pub program: String,
    /// Results worth knowing without reading the table.
    pub summary: Summary,
}

impl Meta {
    /// The layout of the table, if it is one that a table can have.
    pub(crate) fn layout(&self) -> Result<Layout, TableError> {
        let layout = Layout {
            metric: self.metric.clone(),
            value_bits: self.value_bits,
            kind: self.kind,
            indexable: self.indexable,
            frame_bits: self.frame_bits,
        };
        layout.check().map_err(|error| TableError::Metadata {
            reason: error.to_string(),
        })?;
        Ok(layout)
    }

    /// The bytes of the metadata.
    pub(crate) fn encode(&self) -> Result<Vec<u8>, TableError> {
        let bytes = bincode::encode_to_vec(self, CONFIG).map_err(|error| TableError::Metadata {
            reason: error.to_string(),
        })?;
        if bytes.len() > LIMIT {
            return Err(TableError::MetadataTooLong {
                found: bytes.len() as u64,
                most: LIMIT as u64,
            });
        }
        // Lists count with their size in memory while they are decoded, so ask the decoder itself.
        Meta::decode(&bytes)?;
        Ok(bytes)
    }

    /// Reads metadata. All bytes must be used up.
    pub(crate) fn decode(bytes: &[u8]) -> Result<Meta, TableError> {
        let broken = |error: bincode::error::DecodeError| TableError::Metadata {
            reason: error.to_string(),
        };
        let (scheme, _) = bincode::decode_from_slice::<u32, _>(bytes, CONFIG).map_err(broken)?;
        if scheme != IndexScheme::Dense as u32 {
            return Err(TableError::IndexScheme { found: scheme });
        }
        let (meta, used) = bincode::decode_from_slice::<Meta, _>(bytes, CONFIG).map_err(broken)?;
        if used != bytes.len() {
            return Err(TableError::inconsistent(
                "metadata",
                format!("{} bytes", bytes.len()),
                used.to_string(),
            ));
        }
        Ok(meta)
    }
}
