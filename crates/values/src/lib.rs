//! How the values of a game are held: numbered one by one, in memory and in tables.

pub mod codes;
pub mod distance_code;
mod error;
pub mod listed;
mod listed_tables;
mod odds;
mod progress;
mod rows;
mod source;
mod summary;
mod tables;
mod values;

pub use codes::{Codes, DenseValues};
pub use error::ValuesError;
pub use listed::{Listed, wide_code};
pub use odds::{OddsByIndex, OddsSource, OddsTable, SolvedOdds};
pub use progress::{Progress, Silent, Unit};
pub use rows::OddsValues;
pub use source::{Combined, SolvedValues, TableValues, ValueSource, load};
pub use summary::{plain_figures, plain_outcome, positions, summarise, summary_of};
pub use tables::{
    TableReport, encoding, leaves_signature, meta, signature, write_leaves, write_table,
};
pub use values::Values;
