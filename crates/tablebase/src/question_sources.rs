//! Where the values of questions about positions come from: what is at hand, else what is solved soon enough.

use std::sync::Arc;

use greenwave_game::{Metric, Variant};
use greenwave_solver::{Engine, Solve};

use crate::solution::Solution;
use crate::sources::{Sources, all_metrics, has_chance, memory_of};
use crate::{Budget, Error, Tablebase};

/// How long it may solve what tables lack, in seconds.
const BESIDE_TABLES: f64 = 1.0;
/// Seconds within which a game with chance is solved whole for a question about one position, so that the next
/// question, and a review of a game, finds it at hand.
const WHOLE: f64 = 0.05;

/// The values that a question about one position needs, where an engine solves them alone.
pub(crate) enum NearSources {
    Solved(Sources),
    /// There is no such solve, or no memory for it.
    None,
    /// It takes more time than the question has.
    Slow,
    /// Its memory is in use just now.
    Busy,
}

impl Tablebase {
    /// The sources of queries, whatever the position. If there is a table of the default metric,
    /// they are the tables, and solves of missing metrics if those are quick. Without tables they
    /// are solves of every metric, if those fit the memory and the patience. Empty where only a
    /// search is left, and in games with chance where the question is about one position, not
    /// `many`: see [`Tablebase::sources_near`].
    pub(crate) fn sources_for_queries(
        &self,
        variant: &Variant,
        budget: Option<Budget>,
        many: bool,
    ) -> Result<Sources, Error> {
        let rules = variant.rules();
        let mut sources = self.tables(variant)?;
        let chance = has_chance(variant);
        if chance && sources.is_empty() {
            sources.add(self.known_solutions(rules));
        }
        if chance && sources.is_empty() && !many {
            let patience = Budget::patience(budget).min(WHOLE);
            let solved = self.quick_solutions(variant, &[Metric::Odds], patience)?;
            sources.add(solved.unwrap_or_default());
        }
        if chance && (!sources.is_empty() || !many) {
            return Ok(sources);
        }
        if sources.is_empty() {
            let patience = Budget::patience(budget);
            let solved = self.quick_solutions(variant, &all_metrics(rules), patience)?;
            // Values in memory already serve where the rest would take too long.
            sources.add(solved.unwrap_or_else(|| self.known_solutions(rules)));
            return Ok(sources);
        }
        let mut missing = sources.missing(&all_metrics(rules));
        missing.sort_by_key(|metric| *metric != rules.default_metric);
        for metric in missing {
            let solved = self.quick_solutions(variant, &[metric], BESIDE_TABLES)?;
            sources.add(solved.unwrap_or_default());
        }
        Ok(sources)
    }

    /// The last sources for a query about one position: the values that it needs, if the engine can
    /// solve them alone.
    pub(crate) fn sources_near<G: Solve>(
        &self,
        game: &G,
        position: &G::Position,
        budget: Option<Budget>,
    ) -> Result<NearSources, Error> {
        let memory = self.memory();
        let patience = Budget::patience(budget);
        // To plan it takes time, too.
        if patience == 0.0 {
            return Ok(NearSources::Slow);
        }
        let planned = self.on_threads(|| G::Engine::plan_near(game, position, memory));
        let Some(planned) = planned else {
            return Ok(NearSources::None);
        };
        let cost = planned.cost();
        if !self.limit().allows(cost.memory_bytes) {
            return Ok(NearSources::None);
        }
        if cost.seconds > patience {
            return Ok(NearSources::Slow);
        }
        let Some(reserved) = self.try_reserve(cost.memory_bytes) else {
            return Ok(NearSources::Busy);
        };
        let solution = self.run(planned, reserved)?;
        Ok(NearSources::Solved(Sources::of_solution(Arc::new(
            solution,
        ))))
    }

    /// Solutions of metrics if together they fit the memory and this many seconds.
    fn quick_solutions(
        &self,
        variant: &Variant,
        metrics: &[Metric],
        patience: f64,
    ) -> Result<Option<Vec<Arc<Solution>>>, Error> {
        // To plan it takes time, too.
        if patience == 0.0 {
            return Ok(None);
        }
        let Ok(plans) = self.plans(variant, metrics) else {
            return Ok(None);
        };
        let planned = plans.iter().filter_map(|(_, planned)| planned.as_ref());
        let seconds: f64 = planned.map(|planned| planned.cost().seconds).sum();
        if !self.limit().allows(memory_of(&plans)) || seconds > patience {
            return Ok(None);
        }
        let solved = plans
            .into_iter()
            .map(|(metric, planned)| self.solved(variant, metric, planned));
        match solved.collect() {
            Ok(solved) => Ok(Some(solved)),
            Err(Error::Memory { .. } | Error::Busy { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }
}
