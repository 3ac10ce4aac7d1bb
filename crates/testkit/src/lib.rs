//! What the tests of all crates stand on: a slow reference solver that knows nothing but the rules,
//! and the laws that every variant obeys. Only tests depend on this crate.
//!
//! ```
//! use greenwave_game::{Game, Variant};
//! use greenwave_testkit::{Reference, PositionSample, laws};
//!
//! let Variant::Board(game) = Variant::parse("signal-2x3")? else { unreachable!() };
//! let sample = PositionSample::of_all(&game);
//! assert_eq!(laws::of_game(&game, &sample), []);
//! assert_eq!(laws::of_ascending(&game, &sample), []);
//!
//! let mut reference = Reference::new(&game).expect("boards have no chance and no repetition");
//! let figures = reference.figures(&game.start());
//! assert!(figures.distance.is_some(), "unlimited counters: no draws");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]
// Asserting is what this crate is for; its messages say what is wrong.
#![allow(clippy::missing_panics_doc)]

mod exact;
mod forged;
mod graph;
pub mod laws;
mod listeners;
#[cfg(target_os = "linux")]
pub mod program;
pub mod promises;
mod reference;
mod rule_files;
pub mod schemas;
mod seeded;
mod sum;
pub mod transfer;
mod written;

pub use exact::{Exact, ExactOdds, ExactReference};
pub use forged::{forge_part, forge_state, listed_parts};
pub use graph::{Graph, PositionVerdict};
pub use listeners::{StopCounter, Stops};
pub use reference::{Reference, UntreatedGame, held_by};
pub use rule_files::rule_file;
pub use seeded::{PositionSample, SeededNumbers, calm_position};
pub use sum::SumReference;
pub use written::{Ruling, WrittenGame, disagreement};
