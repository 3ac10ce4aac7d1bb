//! Answers from values that are already there: the value of a position and of every move, the main
//! line, several boards at once, reachable positions, the check of a table against the rules. Read-only.

#![forbid(unsafe_code)]

mod answer;
mod boards;
mod dice;
mod ends;
mod line;
pub mod misere;
mod reach;
mod simulate;
mod sum;
mod verify;
mod verify_odds;

pub use answer::{BestMoves, MoveAnswer, PositionAnswer, answer, best_moves, lacks_distance, rank};
pub use boards::{BoardCheck, FamilyCheck};
pub use dice::Dice;
pub use line::{BestLine, BestPly, likeliest_draws, line};
pub use reach::{Reachable, ReachableSet, leads_to, reachable};
pub use simulate::{GameResult, Simulator, expected};
pub use sum::{Summand, best_of_sum, nimber_of_sum, summand};
pub use verify::{Sample, VerifyResult, verify, verify_sample, verifying_bytes};
pub use verify_odds::verify_odds;
