//! Values in some metrics, in whichever way they are had with the least memory.

use std::sync::Arc;

use greenwave_game::{Dense, Metric, Squares, Variant};
use greenwave_probe::Reached;
use greenwave_tablebase::{Solution, TableToRead, Tablebase};
use greenwave_values::OpenedValues;

use crate::JudgeError;
use crate::expr::Known;

/// Large tables, which stay where they are, and solutions in memory.
pub(crate) struct MetricSources {
    tables: Vec<TableToRead>,
    solutions: Vec<Arc<Solution>>,
}

impl MetricSources {
    pub(crate) fn of<G: Dense>(
        tablebase: &Tablebase,
        variant: &Variant,
        game: &G,
        metrics: &[Metric],
    ) -> Result<MetricSources, JudgeError> {
        let (mut tables, mut solutions) = (Vec::new(), Vec::new());
        for metric in metrics {
            match tablebase.table_to_read(game, *metric)? {
                Some(table) => tables.push(table),
                None => solutions.push(tablebase.values(variant, *metric)?),
            }
        }
        Ok(MetricSources { tables, solutions })
    }

    /// Reads the tables once, so that a damaged one is found before anything is told of it.
    pub(crate) fn check(&self) -> Result<(), JudgeError> {
        self.tables.iter().try_for_each(TableToRead::check)?;
        Ok(())
    }

    /// The signatures of the values; odds that come from no table have none.
    pub(crate) fn signatures(&self, variant: &Variant) -> Result<Vec<String>, JudgeError> {
        let mut signatures: Vec<String> = self.tables.iter().map(TableToRead::signature).collect();
        for solution in &self.solutions {
            signatures.extend(solution.signature(variant)?.map(String::from));
        }
        Ok(signatures)
    }

    /// Asks what is known of a game from these values. What a table turns out to lack is an error,
    /// whatever the answer was.
    pub(crate) fn ask<G: Squares, T>(
        &self,
        game: &G,
        reached: Option<&Reached>,
        question: impl FnOnce(&Known<'_, G>) -> Result<T, JudgeError>,
    ) -> Result<T, JudgeError> {
        let opened = self.tables.iter().map(|table| table.open(game));
        let opened = opened.collect::<Result<Vec<_>, _>>()?;
        let solved = self.solutions.iter().map(|solution| &solution.values);
        let solved: Vec<_> = solved.collect();
        let answer = question(&Known::new(game, &solved, reached).with_opened(&opened));
        opened.iter().try_for_each(OpenedValues::finish)?;
        answer
    }
}
