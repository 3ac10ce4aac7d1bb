//! The integration tests of this crate: one program, one file for each subject.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod certificates;
mod expressions;
mod listed_and_drawn;
mod published;
