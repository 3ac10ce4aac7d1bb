//! The integration tests of this crate: one program, one file for each subject. Games are solved in memory.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod books;
mod games;
mod puzzles;

use greenwave_game::Variant;
use greenwave_tablebase::{Answer, Place, QueryOptions, Settings, Tablebase};

/// A tablebase without tables, with memory for small games.
fn small() -> Tablebase {
    let settings = Settings {
        memory: Some(512 << 20),
        threads: Some(2),
    };
    Tablebase::with_settings("no-such-folder", &settings).unwrap()
}

fn variant(name: &str) -> Variant {
    Variant::parse(name).unwrap()
}

fn asked(tablebase: &Tablebase, variant: &Variant, position: &str) -> Answer {
    let place = Place::at(position);
    let answer = tablebase.query_at(variant, &place, &QueryOptions::default());
    answer.unwrap()
}
