//! Makes the book of results: numbers of boards with recurrences that are proved, strategies by a
//! symmetry, who wins where, Grundy values, and how hard the games are for people.
//!
//! ```
//! use greenwave_discoveries::{BoardCounting, Kind, sequence};
//!
//! let rows = sequence(Kind::LineFree, BoardCounting::All, 1, 10, true);
//! assert_eq!(rows.terms[3], "235", "boards of four squares in a row without a line");
//! let recurrence = rows.recurrence.ok_or("sought")?;
//! assert_eq!(recurrence.coefficients, ["3", "3", "1"]);
//! # Ok::<(), &str>(())
//! ```
//!
//! A fact is made by an [`Item`] and kept as data beside the pages of the book, which are made of the
//! data alone.

use anyhow::{Result, anyhow};
use greenwave_game::{BoardGame, Variant};

mod book;
mod chart;
mod conjectures;
mod counts;
mod difficulty;
mod exact;
mod items;
mod ledger;
mod lines;
mod mainline;
mod middle;
mod misere;
mod nimbers;
mod people;
mod plate;
mod puzzles;
mod recurrence;
mod sequences;
mod strategies;
mod survey;
mod transfer;
mod winners;

pub use book::{AtlasRow, BOOK, BookContents, Facts, book, put, read_facts};
pub use conjectures::{Conjecture, Numbers, Pattern, Series, seek_patterns, series};
pub use counts::{Counts, counts};
pub use difficulty::{Beginning, Difficulty, GAMES, PlayoutFigures, PlyMistakes, difficulty};
pub use items::{Item, SECTIONS, items};
pub use ledger::{SolvedTable, solved};
pub use lines::{LineRemoval, rule_file, without_lines};
pub use mainline::{MainLine, main_line};
pub use middle::{Middle, middle};
pub use misere::{Misere, Small, misere};
pub use nimbers::{Nimbers, Smallest, nimbers};
pub use people::{Hardness, Opening, Ply, hardness};
pub use puzzles::{PUZZLES, is_listed, ready_list};
pub use recurrence::Recurrence;
pub use sequences::{BoardCounting, Longest, Sequence, longest, sequence};
pub use strategies::{Plain, StrategyFinding, lines_with_both, of_family, plain, seek};
pub use survey::{BoardSurvey, Worth, survey};
pub use transfer::Kind;
pub use winners::{Length, Winner, length, winner};

/// The board of lights of a variant.
pub(crate) fn board_of(variant: &Variant) -> Result<&BoardGame> {
    let name = &variant.rules().name;
    variant
        .fixed_board()
        .ok_or_else(|| anyhow!("{name} is not a board of lights"))
}
