//! The search over rules: a rule file and what may vary in it, every combination as a rule file of its
//! own, measures of the games that these describe, and an order by the measures.
//!
//! ```
//! use greenwave_design::RuleFamily;
//!
//! let text = "patterns = ['111']\nboard.size = '1x3'\n[vary]\nplay = ['normal', 'misere']";
//! let family = RuleFamily::read("row.toml", text)?;
//! let files: Vec<String> = family.combinations()?.iter().map(|one| one.text()).collect();
//! assert_eq!(files[1], "patterns = [\"111\"]\nplay = \"misere\"\n\n[board]\nsize = \"1x3\"\n");
//! # Ok::<(), greenwave_design::DesignError>(())
//! ```

#![forbid(unsafe_code)]

mod checkpoint;
mod error;
mod family;
mod measure;
mod ranking;
mod search;
mod tree;

pub use checkpoint::checkpoint_path;
pub use error::DesignError;
pub use family::{Combination, MOST, RuleFamily};
pub use measure::{MeasureLimits, MeasuredGame, Measures, measure};
pub use ranking::{Criterion, RankedPlace, Ranking};
pub use search::{DesignTable, MeasuredRules, RefusedRules, search};
