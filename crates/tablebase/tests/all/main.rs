//! The integration tests of this crate: one program, one file for each subject.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod answers;
mod batch;
mod examples;
mod found;
mod swept;
mod theorems;
