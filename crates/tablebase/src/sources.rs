//! The values of a variant that are at hand, and how those that a question cannot do without are had.

use std::sync::Arc;
use std::time::Duration;

use greenwave_game::{Dense, Luck, Metric, Rules, Variant, with_game};
use greenwave_solver::sweep::Kernel;
use greenwave_solver::{PreparedSolve, Product, ScratchUse, Task, plan_values};
use greenwave_table::Table;
use greenwave_values::{
    Instant, OddsByIndex, OddsSource, OddsTable, SolvedValues, SourceList, TableValues,
    ValueSource, Values, ValuesError,
};

use crate::machine::NO_MACHINE;
use crate::memory::{Purpose, Reservation, WayOut, solving};
use crate::solution::{Solution, key, values_bytes};
use crate::{Error, Source, Tablebase, lights_option};

/// The limits of one question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// This much time.
    Time(Duration),
    /// This many positions of a forward search.
    Nodes(u64),
}

impl Budget {
    /// The default limit of a search.
    pub const USUAL: Budget = Budget::Time(Duration::from_secs(10));

    /// The budget of a search that begins now.
    #[must_use]
    pub fn begun_now(&self) -> greenwave_solver::SearchBudget {
        match *self {
            Budget::Nodes(nodes) => greenwave_solver::SearchBudget {
                nodes: Some(nodes),
                deadline: None,
            },
            Budget::Time(time) => greenwave_solver::SearchBudget {
                nodes: None,
                deadline: Instant::now().checked_add(time),
            },
        }
    }

    /// Seconds that a solve in memory may take.
    pub(crate) fn patience(budget: Option<Budget>) -> f64 {
        match budget {
            Some(Budget::Time(time)) => time.as_secs_f64(),
            Some(Budget::Nodes(_)) | None => PATIENCE,
        }
    }
}

/// Longest solve in memory for a query without a table, in seconds.
const PATIENCE: f64 = 60.0;
/// Whether a variant has chance in it.
pub(crate) fn has_chance(variant: &Variant) -> bool {
    variant.rules().properties.luck == Luck::Draws
}

/// Values of one variant that are at hand: tables that are there, and solutions in memory.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    tables: Vec<Arc<Table>>,
    odds_table: Option<Arc<OddsTable>>,
    solutions: Vec<Arc<Solution>>,
    // Metrics of tables whose values are among the solutions, and the description of each source.
    read: Vec<(Metric, Source)>,
}

/// A metric, and the plan of its solve where no solution of it is in memory.
type MetricPlan<'v> = (Metric, Option<PreparedSolve<'v, Values>>);

/// The needs of a question: tables that exist, and planned solves that fit the memory.
#[must_use]
pub(crate) struct QuestionNeeds<'v> {
    tablebase: &'v Tablebase,
    variant: &'v Variant,
    tables: Sources,
    plans: Vec<MetricPlan<'v>>,
}

impl Tablebase {
    /// All tables of a variant.
    ///
    /// # Errors
    /// When one is damaged or of other rules.
    pub(crate) fn tables(&self, variant: &Variant) -> Result<Sources, Error> {
        let mut sources = Sources::default();
        if has_chance(variant) {
            sources.odds_table = self.odds_table(variant)?;
            return Ok(sources);
        }
        let rules = variant.rules();
        for metric in &rules.metrics {
            sources.tables.extend(self.table(rules, *metric)?);
        }
        Ok(sources)
    }

    /// Solutions in memory, if one of the default metric is among them.
    pub(crate) fn known_solutions(&self, rules: &Rules) -> Vec<Arc<Solution>> {
        let known = |metric: &Metric| self.cache().known(&key(rules, *metric));
        match known(&rules.default_metric) {
            Some(_) => rules.metrics.iter().filter_map(known).collect(),
            None => Vec::new(),
        }
    }

    /// Whether questions about a variant can be answered without solving or searching: its default
    /// metric has a table, or a solution that is kept.
    #[must_use]
    pub fn is_at_hand(&self, variant: &Variant) -> bool {
        self.is_metric_at_hand(variant, variant.rules().default_metric)
    }

    /// Whether a metric of a variant has a table, or a solution that is kept.
    #[must_use]
    pub fn is_metric_at_hand(&self, variant: &Variant, metric: Metric) -> bool {
        let rules = variant.rules();
        self.cache().known(&key(rules, metric)).is_some()
            || matches!(self.table(rules, metric), Ok(Some(_)))
    }

    /// The metric by which a variant is played out and counted unless another one is requested: its
    /// default one, except where no memory holds that and the value has a table of families.
    pub(crate) fn leading_metric(&self, variant: &Variant) -> Metric {
        let rules = variant.rules();
        let families = || {
            let table = self.table(rules, Metric::Value);
            matches!(table, Ok(Some(table)) if table.wave_of(0).is_some())
        };
        if !self.is_at_hand(variant) && families() {
            Metric::Value
        } else {
            rules.default_metric
        }
    }

    /// The sources of a question that cannot do without the given metrics: tables, else solutions
    /// in memory.
    ///
    /// # Errors
    /// When a table is damaged or of other rules, and when the solutions do not fit the memory.
    pub fn sources(&self, variant: &Variant, metrics: &[Metric]) -> Result<Sources, Error> {
        if has_chance(variant) {
            return self.all_odds(variant);
        }
        self.needed(variant, metrics)?.had()
    }

    /// The same without solving: it has passed every check that could refuse it.
    ///
    /// # Errors
    /// As [`Tablebase::sources`].
    pub(crate) fn needed<'v>(
        &'v self,
        variant: &'v Variant,
        metrics: &[Metric],
    ) -> Result<QuestionNeeds<'v>, Error> {
        let tables = self.tables(variant)?;
        let plans = self.plans(variant, &tables.missing(metrics))?;
        self.expect_room(variant, tables, plans)
    }

    /// Tables, and solves that have to fit the memory together.
    pub(crate) fn expect_room<'v>(
        &'v self,
        variant: &'v Variant,
        tables: Sources,
        plans: Vec<MetricPlan<'v>>,
    ) -> Result<QuestionNeeds<'v>, Error> {
        let needed = memory_of(&plans);
        if self.limit().allows(needed) {
            return Ok(QuestionNeeds {
                tablebase: self,
                variant,
                tables,
                plans,
            });
        }
        let metrics: Vec<Metric> = plans.iter().map(|(metric, _)| *metric).collect();
        let purpose = self.in_memory(variant, &metrics, needed);
        Err(self.limit().short(needed, &purpose))
    }

    /// Whether all values of a metric have a table, or a solution of them fits the memory, whatever else is in it.
    #[must_use]
    pub fn fits(&self, variant: &Variant, metric: Metric) -> bool {
        self.is_metric_at_hand(variant, metric)
            || self
                .plans(variant, &[metric])
                .is_ok_and(|plans| self.limit().allows(memory_of(&plans)))
    }

    /// How metrics would be solved in memory.
    pub(crate) fn plans<'v>(
        &self,
        variant: &'v Variant,
        metrics: &[Metric],
    ) -> Result<Vec<MetricPlan<'v>>, Error> {
        let plan = |metric: &Metric| {
            let known = self.cache().known(&key(variant.rules(), *metric));
            let planned = known.is_none().then(|| self.plan_values(variant, *metric));
            Ok((*metric, planned.transpose()?))
        };
        metrics.iter().map(plan).collect()
    }

    /// Solving metrics in memory, which needs so many bytes, as a purpose; the message names the solve to a table
    /// where the memory does for that.
    fn in_memory(&self, variant: &Variant, metrics: &[Metric], needed: u128) -> Purpose {
        let rules = variant.rules();
        let name = rules.title();
        let named: Vec<&str> = metrics.iter().map(|metric| metric.name()).collect();
        let metric = match metrics {
            [metric] if *metric == rules.default_metric => String::new(),
            _ => format!(" --metric {}", named.join(",")),
        };
        let mut each = metrics.iter();
        let can_be_table = self.limit().allows(needed)
            || needed <= NO_MACHINE && each.all(|metric| self.makes_table(variant, *metric));
        Purpose {
            what: solving(name, metrics).into(),
            way_out: if can_be_table {
                WayOut::Table(format!("greenwave solve {name}{metric}"))
            } else {
                WayOut::Positions(format!("greenwave query {name}{}", lights_option(rules)))
            },
        }
    }

    /// Whether the memory makes a table of a metric.
    fn makes_table(&self, variant: &Variant, metric: Metric) -> bool {
        let memory = self.memory();
        let task = Task {
            variant,
            metric,
            kernel: Kernel::best(),
            memory,
            wanted: Product::Table(self.table_path(variant.rules(), metric)),
            checkpoint: None,
            scratch: None,
            quick: true,
        };
        let planned = self.on_threads(|| task.plan());
        planned.is_ok_and(|planned| {
            let cost = planned.cost();
            let all_in_memory = !matches!(cost.scratch, ScratchUse::Missing(_));
            all_in_memory && cost.memory_bytes <= u128::from(memory)
        })
    }

    fn plan_values<'v>(
        &self,
        variant: &'v Variant,
        metric: Metric,
    ) -> Result<PreparedSolve<'v, Values>, Error> {
        Ok(self.on_threads(|| plan_values(variant, metric, self.memory()))?)
    }

    /// A metric solved in memory, as it has been planned unless it was there then.
    pub(crate) fn solved(
        &self,
        variant: &Variant,
        metric: Metric,
        planned: Option<PreparedSolve<'_, Values>>,
    ) -> Result<Arc<Solution>, Error> {
        let rules = variant.rules();
        self.cache()
            .solution(key(rules, metric), self.progress(), || {
                let planned = match planned {
                    Some(planned) => planned,
                    None => self.plan_values(variant, metric)?,
                };
                let needed = planned.cost().memory_bytes;
                let purpose = self.in_memory(variant, &[metric], needed);
                self.run(planned, self.reserve_for(needed, &purpose)?)
            })
    }

    pub(crate) fn run(
        &self,
        planned: PreparedSolve<'_, Values>,
        mut reserved: Reservation,
    ) -> Result<Solution, Error> {
        self.tell_cost(planned.cost());
        let values = self.on_threads(|| planned.run(self.progress()))?;
        reserved.shrink(values.held_bytes());
        Ok(Solution::new(values, Source::solved(), Some(reserved)))
    }

    /// All values of a variant in a metric, in memory: read from a table, else solved. For the
    /// value alone, values of the default metric are as good, since they contain it; games with
    /// chance have odds alone.
    ///
    /// # Errors
    /// When the metric does not exist, a table is damaged or of other rules, or the values do not fit the
    /// memory.
    pub fn values(&self, variant: &Variant, metric: Metric) -> Result<Arc<Solution>, Error> {
        let rules = variant.rules();
        let chance = has_chance(variant);
        let asked = if chance {
            vec![Metric::Odds]
        } else {
            as_good_as(rules, metric)
        };
        for metric in asked.iter().copied() {
            if let Some(known) = self.cache().known(&key(rules, metric)) {
                return Ok(known);
            }
            if chance && let Some(table) = self.odds_table(variant)? {
                return self.loaded_odds(variant, &table);
            }
            if let Some(table) = self.table(rules, metric)? {
                return self.loaded(variant, metric, &table);
            }
        }
        self.solved(variant, asked[0], None)
    }

    /// All values of a table in memory.
    pub(crate) fn loaded(
        &self,
        variant: &Variant,
        metric: Metric,
        table: &Table,
    ) -> Result<Arc<Solution>, Error> {
        let rules = variant.rules();
        self.cache()
            .solution(key(rules, metric), self.progress(), || {
                let needed = values_bytes(variant, metric);
                let reserved = self.reserve_for(needed, &Purpose::reading(table))?;
                let values = self.on_threads(
                    || with_game!(variant, game => TableValues::new(game, table)?.load()),
                )?;
                Ok(Solution::new(values, Source::table(table), Some(reserved)))
            })
    }
}

/// The metrics whose values serve where a metric is requested: itself first, and for the value the
/// default one, which gives it.
pub(crate) fn as_good_as(rules: &Rules, metric: Metric) -> Vec<Metric> {
    let mut asked = vec![metric];
    if metric == Metric::Value && rules.default_metric != Metric::Value {
        asked.push(rules.default_metric);
    }
    asked
}

/// Bytes that planned solves take together.
pub(crate) fn memory_of(plans: &[MetricPlan<'_>]) -> u128 {
    let planned = plans.iter().filter_map(|(_, planned)| planned.as_ref());
    planned.fold(0, |sum, planned| {
        u128::saturating_add(sum, planned.cost().memory_bytes)
    })
}

impl QuestionNeeds<'_> {
    /// The tables, and what was planned solved.
    pub(crate) fn had(self) -> Result<Sources, Error> {
        let mut sources = self.tables;
        for (metric, planned) in self.plans {
            let solved = self.tablebase.solved(self.variant, metric, planned)?;
            sources.solutions.push(solved);
        }
        Ok(sources)
    }
}

/// The metrics that give every figure: the value is left out where the default metric gives it.
pub(crate) fn all_metrics(rules: &Rules) -> Vec<Metric> {
    let mut metrics = rules.metrics.clone();
    metrics.retain(|metric| *metric != Metric::Value || rules.default_metric == Metric::Value);
    metrics
}

impl Sources {
    pub(crate) fn of_odds_table(table: Arc<OddsTable>) -> Sources {
        Sources {
            odds_table: Some(table),
            ..Sources::default()
        }
    }

    pub(crate) fn of_solution(solution: Arc<Solution>) -> Sources {
        Sources {
            solutions: vec![solution],
            ..Sources::default()
        }
    }

    /// Adds values in memory.
    pub(crate) fn add(&mut self, solutions: Vec<Arc<Solution>>) {
        self.solutions.extend(solutions);
    }

    /// Whether a metric is there.
    #[must_use]
    pub fn has(&self, metric: Metric) -> bool {
        self.table(metric).is_some()
            || self.solution(metric).is_some()
            || (metric == Metric::Odds && self.odds().is_some())
    }

    /// Those of some metrics that are not there.
    pub(crate) fn missing(&self, metrics: &[Metric]) -> Vec<Metric> {
        let missing = metrics.iter().filter(|metric| !self.has(**metric));
        missing.copied().collect()
    }

    /// The table of a metric.
    #[must_use]
    pub fn table(&self, metric: Metric) -> Option<&Table> {
        let tables = self.tables.iter().map(|table| &**table);
        tables
            .chain(self.odds_table.as_ref().map(|odds| odds.table()))
            .find(|table| table.meta().metric == metric.name())
    }

    /// The solution of a metric.
    #[must_use]
    pub fn solution(&self, metric: Metric) -> Option<&Solution> {
        let mut solutions = self.solutions.iter();
        solutions
            .find(|solution| solution.values.metric() == metric)
            .map(|solution| &**solution)
    }

    /// The odds of games with chance.
    #[must_use]
    pub fn odds(&self) -> Option<&dyn OddsByIndex> {
        if let Some(table) = &self.odds_table {
            return Some(&**table);
        }
        let solved = self.solutions.iter().find_map(|solution| solution.odds())?;
        Some(solved)
    }

    /// The tables of games without chance.
    pub(crate) fn tables(&self) -> Vec<Arc<Table>> {
        self.tables.clone()
    }

    /// Puts the values of a table of a metric, read into memory, into its place.
    pub(crate) fn replace(&mut self, metric: Metric, table: &Arc<Table>, values: Arc<Solution>) {
        self.tables.retain(|known| !Arc::ptr_eq(known, table));
        self.read.push((metric, Source::table(table)));
        self.solutions.push(values);
    }

    /// Whether nothing is there.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tables.is_empty() && self.solutions.is_empty() && self.odds().is_none()
    }

    /// Where the figures of a metric come from: its table, a solution in memory, else a lesser table.
    #[must_use]
    pub fn source_of(&self, metric: Metric) -> Source {
        if let Some(table) = self.table(metric) {
            return Source::table(table);
        }
        if let Some((_, source)) = self.read.iter().find(|(read, _)| *read == metric) {
            return source.clone();
        }
        if let Some(solution) = self.solution(metric) {
            return solution.source.clone();
        }
        match (self.tables.first(), self.solutions.first()) {
            (Some(table), _) => Source::table(table),
            (None, Some(read)) => read.source.clone(),
            (None, None) => Source::solved(),
        }
    }

    /// All of it as one source for a game: the default metric first, since it also gives the value.
    ///
    /// # Errors
    /// When a table does not fit the game.
    pub fn of<'a, G: Dense>(&'a self, game: &'a G) -> Result<SourceList<'a, G::Position>, Error> {
        self.of_metrics(game, &|_| true)
    }

    /// What tells good moves from bad ones: the default metric, and without it all but the nimber.
    pub(crate) fn deciding<'a, G: Dense>(
        &'a self,
        game: &'a G,
    ) -> Result<SourceList<'a, G::Position>, Error> {
        self.of_metrics(game, &|metric| self.decides(game.rules(), metric))
    }

    /// All else.
    pub(crate) fn not_deciding<'a, G: Dense>(
        &'a self,
        game: &'a G,
    ) -> Result<SourceList<'a, G::Position>, Error> {
        self.of_metrics(game, &|metric| !self.decides(game.rules(), metric))
    }

    fn decides(&self, rules: &Rules, metric: Metric) -> bool {
        if self.has(rules.default_metric) {
            metric == rules.default_metric
        } else {
            metric != Metric::Nimber
        }
    }

    fn of_metrics<'a, G: Dense>(
        &'a self,
        game: &'a G,
        wanted: &dyn Fn(Metric) -> bool,
    ) -> Result<SourceList<'a, G::Position>, Error> {
        let mut sources: Vec<Box<dyn ValueSource<G::Position, Error = ValuesError> + 'a>> =
            Vec::new();
        let default = game.rules().default_metric;
        let of_table = |table: &&Arc<Table>| {
            let metric = table.meta().metric.parse();
            metric.map_or(true, wanted)
        };
        let is_default = |table: &&Arc<Table>| table.meta().metric == default.name();
        let (first, others): (Vec<_>, Vec<_>) =
            self.tables.iter().filter(of_table).partition(is_default);
        for table in first.into_iter().chain(others) {
            sources.push(Box::new(TableValues::new(game, table)?));
        }
        if let Some(odds) = self.odds().filter(|_| wanted(Metric::Odds)) {
            sources.push(Box::new(OddsSource::new(game, odds)));
        }
        let solved = self
            .solutions
            .iter()
            .filter_map(|solution| solution.codes());
        let solved = solved.filter(|values| wanted(values.metric()));
        let (first, others): (Vec<_>, Vec<_>) =
            solved.partition(|values| values.metric() == default);
        for values in first.into_iter().chain(others) {
            sources.push(Box::new(SolvedValues::new(game, values)));
        }
        Ok(SourceList(sources))
    }
}
