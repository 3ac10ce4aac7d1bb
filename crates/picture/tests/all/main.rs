//! Tests of the pictures.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod pictures;
#[cfg(feature = "png")]
mod png;
