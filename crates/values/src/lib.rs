//! How the values of a game are held: numbered one by one, in memory and in tables.
//!
//! A game says in which of three ways its values are numbered ([`greenwave_game::Numbering`]): by
//! index ([`dense`]), by the place in a list of positions ([`listed`]), or board by board ([`rows`]).
//! Each of these modules owns all of its numbering; everybody else has [`Values`] in memory, or
//! [`TableValues`] on disk, and asks them for figures.

#![forbid(unsafe_code)]

mod by_index;
mod clock;
pub mod codes;
pub mod dense;
mod error;
mod families;
mod leaves;
pub mod listed;
mod numbered;
mod numbering;
mod opened;
pub mod parallel;
mod progress;
pub mod room;
pub mod rows;
mod source;
mod stored;
mod summary;
mod tables;

pub use by_index::{ByIndex, DRAWN, NO_DISTANCE};
#[cfg(target_family = "wasm")]
pub use clock::set_clock;
pub use clock::{Instant, since_1970};
pub use codes::{PlyCode, distance_code, wide_code};
pub use dense::{Codes, DenseTable, DenseValues, leaves_signature, unpacked_code, write_leaves};
pub use error::ValuesError;
pub use families::{FamilyTable, families_layout};
pub use leaves::{TableReport, meta};
pub use listed::ListedValues;
pub use numbered::{NumberedValues, OrbitPlace, ValueCounts};
pub use numbering::{Orbits, SolvedValues, TableValues, Values, Walk};
pub use opened::OpenedValues;
pub use progress::{Progress, Silent, Unit};
pub use rows::{OddsByIndex, OddsSource, OddsTable, OddsValues, SolvedOdds};
pub use source::{SourceList, ValueSource};
pub use stored::{figures_of_stored, outcome_of_stored, stored_figures, stored_outcome};
pub use summary::{by_value, summarise, summarise_watched, summary_of};
pub use tables::{signature, write_table};
