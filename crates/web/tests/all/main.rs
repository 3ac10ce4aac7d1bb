//! The integration tests of this crate: one program, one file for each subject.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod api;
mod common;
mod faults;
mod languages;
mod load;
mod pages;
mod sharing;
mod site;
