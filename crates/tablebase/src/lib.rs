//! Where values come from: tables that are there, solves in memory, forward search. One place
//! decides which of them answers, and every answer is a document that says where it comes from.
//!
//! ```
//! use greenwave_tablebase::Tablebase;
//!
//! let answer = Tablebase::open("solutions")?.query("classic-3x3", "R../.Y./..G")?;
//! println!("{} in {:?} plies by {}", answer.value, answer.distance, answer.best.join(", "));
//! # Ok::<(), greenwave_tablebase::Error>(())
//! ```
//!
//! Threads can share a [`Tablebase`]; it keeps tables open and solutions in memory as long as its
//! memory allows. The method [`Tablebase::watched_by`] gives one question a listener of its own,
//! which hears of progress and can stop the work.

#![forbid(unsafe_code)]

mod ahead;
mod atlas;
mod batch;
mod course;
mod documents;
mod effort;
mod error;
mod files;
mod found;
mod handed;
mod handed_position;
mod machine;
mod memory;
mod messages;
mod names;
mod odds;
mod place;
mod position_sweep;
mod proofs;
mod published;
mod question_sources;
mod recent;
mod searched;
mod settings;
mod settle;
mod solution;
mod sources;
mod tablebase;
mod theorem;
mod time_limit;
mod to_read;
mod together;

pub use ahead::{Prospect, SweepAhead};
pub use atlas::{AtlasBoard, atlas};
pub use batch::Brief;
pub use course::Course;
pub use documents::*;
pub use effort::Effort;
pub use error::{Error, ErrorKind, fault_of_solve, is_out_of_files};
pub use files::{TidyFolders, expect_folder, name_of_slug, table_folder, table_path};
pub use greenwave_probe::Sample;
pub use greenwave_table::open_file;
pub use greenwave_values::{ByIndex, Values};
pub use handed::{HandedGame, handed_games, is_count_line, other_version};
pub use machine::{machine_memory, peak_memory, reset_peak_memory};
pub use memory::{Reservation, WayOut};
pub use messages::MESSAGES;
pub use names::{
    NoText, built_in_variant, is_rule_file, misnamed, named_by_path, read_rule_file, read_text,
    read_variant, read_variant_in, text_of_bytes,
};
pub use place::{
    Place, PlayedMoves, PlayedStep, is_header_line, lights_option, play_moves, read_moves,
};
pub use proofs::RocqTheorem;
pub use published::{PublishedResult, published};
pub use searched::SearchedValues;
pub use settings::{read_memory, usual_dir};
pub use settle::QueryOptions;
pub use solution::Solution;
pub use sources::{Budget, Sources};
pub use tablebase::{Settings, Tablebase};
pub use theorem::{CopyProof, Theorem, Theorems, loses_by_theorem, wins_by_theorem};
pub use to_read::TableToRead;
