//! The values that a command works with: tables that are there, solutions made for it in memory.

use std::sync::Arc;

use anyhow::{Result, bail};
use greenwave_game::{Dense, Metric, Rules, Variant};
use greenwave_solver::{estimate, solve};
use greenwave_table::Table;
use greenwave_values::{
    Combined, DenseValues, OddsSource, SolvedValues, TableValues, ValueSource, ValuesError,
};

use crate::chance::{self, HeldOdds};
use crate::output::json::SourceJson;
use crate::session::Session;

/// Tables and solutions of one variant.
#[derive(Default)]
pub(crate) struct Holdings {
    pub(crate) tables: Vec<Arc<Table>>,
    pub(crate) solved: Vec<DenseValues>,
    pub(crate) odds: Option<HeldOdds>,
}

/// More memory than machines have, in bytes.
const NO_MACHINE: u128 = 1 << 43;
impl Holdings {
    /// All tables of the variant.
    pub(crate) fn tables(session: &Session, variant: &Variant) -> Result<Holdings> {
        let mut holdings = Holdings::default();
        if chance::has_chance(variant) {
            holdings.odds = chance::table(session, variant)?;
            return Ok(holdings);
        }
        let rules = variant.rules();
        for metric in &rules.metrics {
            holdings.tables.extend(session.open_table(rules, *metric)?);
        }
        Ok(holdings)
    }

    /// What a command needs that cannot do without the given metrics: tables, else solutions in
    /// memory.
    pub(crate) fn for_metrics(
        session: &Session,
        variant: &Variant,
        metrics: &[Metric],
    ) -> Result<Holdings> {
        if chance::has_chance(variant) {
            let odds = Some(chance::many(session, variant)?);
            return Ok(Holdings {
                odds,
                ..Holdings::default()
            });
        }
        Prepared::new(session, variant, metrics)?.solve(session)
    }

    fn solve(&mut self, session: &Session, variant: &Variant, metrics: &[Metric]) -> Result<()> {
        for metric in metrics {
            let solved =
                session.on_threads(|| solve(variant, *metric, session.memory, &*session.progress));
            session.progress.finish();
            self.solved.push(solved?);
        }
        Ok(())
    }

    /// Whether a metric is there.
    pub(crate) fn has(&self, metric: Metric) -> bool {
        self.table(metric).is_some()
            || self.solution(metric).is_some()
            || (metric == Metric::Odds && self.odds.is_some())
    }

    /// The table of a metric.
    pub(crate) fn table(&self, metric: Metric) -> Option<&Table> {
        self.tables
            .iter()
            .map(|table| &**table)
            .find(|table| table.meta().metric == metric.name())
    }

    /// What was solved in memory for a metric.
    pub(crate) fn solution(&self, metric: Metric) -> Option<&DenseValues> {
        self.solved.iter().find(|values| values.metric() == metric)
    }

    /// Where the figures of a metric come from: its table, a solution in memory, else a lesser table.
    pub(crate) fn source_of(&self, metric: Metric) -> SourceJson {
        let lesser = self.tables.first().filter(|_| self.solved.is_empty());
        let table = self
            .table(metric)
            .or(lesser.map(|table| &**table))
            .or(self.odds.as_ref().and_then(HeldOdds::table));
        SourceJson {
            kind: if table.is_some() { "table" } else { "solved" },
            file: table.map(|table| table.path().display().to_string()),
            signature: table.map(|table| table.meta().signature.to_string()),
        }
    }

    /// All of it as one source.
    pub(crate) fn source<'a, G: Dense>(&'a self, game: &'a G) -> Result<Combined<'a, G::Position>> {
        let mut sources: Vec<Box<dyn ValueSource<G::Position, Error = ValuesError> + 'a>> =
            Vec::new();
        // The default metric first: it also gives the value.
        let default = game.rules().default_metric;
        let mut tables: Vec<&Arc<Table>> = self.tables.iter().collect();
        tables.sort_by_key(|table| table.meta().metric != default.name());
        for table in tables {
            sources.push(Box::new(TableValues::new(game, table)?));
        }
        if let Some(odds) = &self.odds {
            sources.push(Box::new(OddsSource::new(game, odds.by_index())));
        }
        let mut solved: Vec<&DenseValues> = self.solved.iter().collect();
        solved.sort_by_key(|values| values.metric() != default);
        for values in solved {
            sources.push(Box::new(SolvedValues::new(game, values)));
        }
        Ok(Combined(sources))
    }
}

/// Tables of a variant, and what is still to be solved, which fits the memory.
pub(crate) struct Prepared<'v> {
    variant: &'v Variant,
    tables: Holdings,
    missing: Vec<Metric>,
}

impl<'v> Prepared<'v> {
    /// Opens tables and plans the metrics that they lack.
    pub(crate) fn new(
        session: &Session,
        variant: &'v Variant,
        metrics: &[Metric],
    ) -> Result<Prepared<'v>> {
        let tables = Holdings::tables(session, variant)?;
        let missing: Vec<Metric> = metrics
            .iter()
            .copied()
            .filter(|metric| !tables.has(*metric))
            .collect();
        let mut needed = 0;
        for metric in &missing {
            let plan = session.on_threads(|| estimate(variant, *metric))?;
            needed = u128::saturating_add(needed, plan.memory_bytes);
        }
        if needed > u128::from(session.memory) {
            let rules = variant.rules();
            let named: Vec<&str> = missing.iter().map(|metric| metric.name()).collect();
            let metric = match missing[..] {
                [metric] if metric == rules.default_metric => String::new(),
                _ => format!(" --metric {}", named.join(",")),
            };
            let name = &rules.name;
            let way_out = if needed > NO_MACHINE {
                format!(
                    "take a smaller board, or ask about single positions with 'greenwave query \
                     {name} POSITION', which searches"
                )
            } else {
                format!(
                    "give more with --memory, or solve it to a table first with 'greenwave solve \
                     {name}{metric}'"
                )
            };
            bail!(
                "solving {name} in memory needs {}, allowed are {}; {way_out}",
                crate::output::bytes(needed),
                crate::output::bytes(session.memory.into()),
            );
        }
        Ok(Prepared {
            variant,
            tables,
            missing,
        })
    }

    /// Solves in memory what is missing.
    pub(crate) fn solve(mut self, session: &Session) -> Result<Holdings> {
        self.tables.solve(session, self.variant, &self.missing)?;
        Ok(self.tables)
    }
}

/// The metrics that give every figure: the value is left out where the default metric gives it.
pub(crate) fn all_metrics(rules: &Rules) -> Vec<Metric> {
    let mut metrics = rules.metrics.clone();
    metrics.retain(|metric| *metric != Metric::Value || rules.default_metric == Metric::Value);
    metrics
}
