//! Pages in a real browser. A program of its own, so that the tests of the other crates are not built with what it
//! takes to speak to one.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[path = "all/browser/mod.rs"]
mod browser;
#[path = "all/common.rs"]
#[allow(dead_code, reason = "the other program uses the rest")]
mod common;
