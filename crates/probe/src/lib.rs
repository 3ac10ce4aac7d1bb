//! Answers from values that are already there: the value of a position and of every move, the main
//! line, several boards at once, reachable positions, the check of a table against the rules. Read-only.

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

pub use answer::{Answer, BestMoves, MoveAnswer, answer, best_moves, rank};
pub use boards::{BoardCheck, FamilyCheck};
pub use dice::Dice;
pub use line::{Line, LinePly, line};
pub use reach::{Reachable, Reached, leads_to, reachable};
pub use simulate::{Played, Player, expected};
pub use sum::{Summand, best_of_sum, nimber_of_sum, summand};
pub use verify::{Sample, Verified, verify, verify_sample, verifying_bytes};
pub use verify_odds::verify_odds;
