//! Questions that solve and probe together: positions found by description, comparisons of
//! variants, certificates, claims.
//!
//! ```
//! use greenwave_game::{Metric, Variant};
//! use greenwave_judge::{expr::BoundExpression, expr::KnownValues, Among, Selection, find};
//! use greenwave_solver::solve;
//! use greenwave_values::Silent;
//!
//! let variant = Variant::parse("classic-3x3")?;
//! let values = solve(&variant, Metric::Distance, u64::MAX, &Silent)?;
//! let game = variant.fixed_board().ok_or("no fixed board")?;
//! let bound = BoundExpression::new(game, "value = loss and distance = 20")?;
//! let known = KnownValues::new(game, &[&values], None);
//! let count = find(&known, &bound, Among::Legal, Selection::default(), &Silent, &mut |_| Ok(()))?;
//! assert_eq!(count, 8);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

mod certify;
pub mod claims;
mod compare;
pub mod documents;
mod error;
pub mod expr;
mod find;
mod longest;
mod messages;
mod playout;
mod reached;
mod scan;
mod sources;
mod squares;
mod strategy;

pub use certify::{Aim, Certificate, Certificates, ValueOf, certify, where_certifiable};
pub use compare::{Choices, Counts, OpeningFigures, Profile};
pub use error::JudgeError;
pub use find::{SampleSize, Selection, find, find_drawn, find_in_parts};
pub use longest::{LongestGame, longest_game, longest_line_free};
pub use messages::MESSAGES;
pub use playout::{
    GAMES, Manner, Mean, Playout, SLIPS, play_out, play_out_with_draws, sampled_choices,
};
pub use reached::ReachedPositions;
pub use scan::Among;
pub use squares::MoveText;
pub use strategy::{
    FailedSearch, SearchOutcome, Strategy, Symmetry, can_have_strategy, lights_line, seek_strategy,
};
