//! The documents in which these questions are answered, the same to a terminal and to a browser.
//! Fields may be added, never renamed; unknown figures are null.

mod changes;
mod check;
mod compare;
mod find;

pub use changes::{Disagreement, EarlyPosition, Worth, disagreements, sentences};
pub use check::{ClaimDocument, ListedClaim};
pub use compare::{
    ChangedOpening, ComparedVariant, Comparison, Length, MeanFigure, OpeningEntry, PlyShare,
    VariantSide,
};
pub use find::{DrawnCount, Finding, Match, MatchCount};
