//! The integration tests of this crate: one program, one file for each subject.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod ampel;
mod bag;
mod board_check;
mod counts;
mod engines;
mod known;
mod laws;
mod laws_catch;
mod promises;
mod strip;
mod sums;
mod written;
