//! The integration tests of this crate: one program, one file for each subject.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod ampel;
mod lines;
mod memory;
mod perft;
mod pictures;
mod properties;
mod rule_files;
