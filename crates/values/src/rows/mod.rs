//! Values numbered board by board: of games with chance the odds of all states of hands and market of
//! every unfinished board up to symmetry, in memory and in a table.
//!
//! The index of a number in a table is `((row · flags + flag) · parts + part) · 600 + state`, with the
//! parts expectation, win and, where points count, loss.

mod list;
mod odds;
mod packer;
mod source;
mod table;

pub use list::{Row, RowCounts, Rows};
pub(crate) use odds::loaded_bytes;
pub use odds::{OddsByIndex, OddsValues, SolvedOdds, histogram, layout, result_of};
pub use packer::Packer;
pub use source::OddsSource;
pub use table::OddsTable;
