//! Solving a variant before the first question about it.

use greenwave_game::{Metric, Rules, Variant};

use crate::sources::{all_metrics, memory_of};
use crate::{Error, Tablebase};

/// What [`Tablebase::solve_ahead`] will take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prospect {
    /// Seconds, roughly.
    pub seconds: f64,
    /// Bytes of memory at most.
    pub memory: u128,
}

impl Tablebase {
    /// The cost of solving a variant in memory, so that questions about it need neither a table nor
    /// a search. Gives `None` if its values are there already, do not fit the memory, or no engine
    /// solves it.
    #[must_use]
    pub fn prospect(&self, variant: &Variant) -> Option<Prospect> {
        if self.is_at_hand(variant) {
            return None;
        }
        let plans = self.plans(variant, &told(variant.rules())).ok()?;
        let memory = memory_of(&plans);
        let planned = plans.iter().filter_map(|(_, planned)| planned.as_ref());
        let seconds = planned.map(|planned| planned.cost().seconds).sum();
        self.limit()
            .allows(memory)
            .then_some(Prospect { seconds, memory })
    }

    /// Solves a variant in memory for all that a query tells, the default metric first.
    ///
    /// # Errors
    /// When the work is cancelled, and when the solutions do not fit the memory.
    pub fn solve_ahead(&self, variant: &Variant) -> Result<(), Error> {
        for metric in told(variant.rules()) {
            self.values(variant, metric)?;
        }
        Ok(())
    }
}

/// The metrics that a query tells, the default one first.
fn told(rules: &Rules) -> Vec<Metric> {
    let mut metrics = all_metrics(rules);
    metrics.sort_by_key(|metric| *metric != rules.default_metric);
    metrics
}
