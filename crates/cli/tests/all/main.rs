//! The integration tests of this crate: one program, one file for each subject.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod ampel;
mod architecture;
mod atlas;
mod bag;
mod batch;
mod book;
mod certify;
mod check;
mod circles;
mod claims;
mod common;
mod compare;
mod design;
mod draw;
mod edges;
mod entry;
mod errors;
mod expressions;
mod families;
mod find;
mod forged;
mod interrupt;
mod lang;
mod large_boards;
mod letters;
mod limits;
mod named_files;
mod pages;
mod play;
mod play_screen;
mod read_back;
mod readme;
mod remembering;
mod rule_files;
#[cfg(target_os = "linux")]
mod served;
mod snapshots;
mod solutions;
mod strategies;
mod strip;
mod suggestions;
mod sum;
mod tables;
mod transcript;
