//! The documents in which questions are answered. Fields may be added, never renamed; unknown
//! figures are null.

mod answer;
mod figures;
mod info;
mod line;
mod misere;
mod perft;
mod query;
mod refusal;
mod rules;
mod simulate;
mod solve;
mod stats;
mod sum;
mod variants;
mod verify;

pub use answer::Answer;
pub use figures::{
    Judgement, MoveFigures, OddsFigures, SCHEMA, Source, SourceKind, StartFigures, Value,
};
pub use info::Info;
pub use line::{Line, LineEnd, LinePly};
pub use misere::{MisereBoard, MisereMove, MisereSum, SmallQuotient, misere_sum};
pub use perft::Perft;
pub use query::Queries;
pub use refusal::{FaultKind, Refusal};
pub use rules::{OptionSetting, RulesPage};
pub use simulate::Simulation;
pub use solve::{PlannedSolve, SolveCost, SolveOptions, SolveReport};
pub use stats::{
    ByValue, DistanceCount, Longest, NimberCount, PointsCount, ReachableCounts, Stats,
};
pub use sum::{Sum, SumBoard, SumMove, expect_nimbers, read_board};
pub use variants::VariantEntry;
pub use verify::Verification;

#[cfg(feature = "schemas")]
pub(crate) use figures::OddsShown;
pub(crate) use figures::{figures_of_fields, odds_or_null};
pub(crate) use query::over_figures;
