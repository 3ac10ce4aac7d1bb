//! Values in some metrics, in whichever way they are had with the least memory.

use std::sync::Arc;

use greenwave_game::{Dense, Figures, Metric, Squares, Variant, with_game};
use greenwave_probe::ReachableSet;
use greenwave_solver::grouped;
use greenwave_tablebase::{Solution, TableToRead, Tablebase};
use greenwave_values::{OpenedValues, Values};

use crate::JudgeError;
use crate::expr::KnownValues;

/// Large tables, which stay where they are, and solutions in memory.
pub(crate) struct MetricSources {
    tables: Vec<TableToRead>,
    solutions: Vec<Arc<Solution>>,
}

/// Values in one metric, place by place, whatever game they are of.
pub(crate) trait ByPlace: Sync {
    /// Number of places.
    fn places(&self) -> u64;

    /// The index at a place.
    fn index_at(&self, place: u64) -> u64;

    /// Figures of the unfinished position with an index.
    fn figures(&self, index: u64) -> Figures;

    /// Ends the reading: why some value could not be read.
    fn finish(&self) -> Result<(), JudgeError>;
}

impl<G: Dense> ByPlace for OpenedValues<'_, G> {
    fn places(&self) -> u64 {
        self.game().indexable() as u64
    }

    fn index_at(&self, place: u64) -> u64 {
        place
    }

    fn figures(&self, index: u64) -> Figures {
        OpenedValues::figures(self, index)
    }

    fn finish(&self) -> Result<(), JudgeError> {
        Ok(OpenedValues::finish(self)?)
    }
}

struct MemorySource<'a, G> {
    game: &'a G,
    values: &'a Values,
}

impl<G: Dense> ByPlace for MemorySource<'_, G> {
    fn places(&self) -> u64 {
        self.values.numbered_for(self.game).places()
    }

    fn index_at(&self, place: u64) -> u64 {
        self.values.numbered_for(self.game).index_at(place)
    }

    fn figures(&self, index: u64) -> Figures {
        self.values.figures(index)
    }

    fn finish(&self) -> Result<(), JudgeError> {
        Ok(())
    }
}

impl MetricSources {
    pub(crate) fn of(
        tablebase: &Tablebase,
        variant: &Variant,
        metrics: &[Metric],
    ) -> Result<MetricSources, JudgeError> {
        let (mut tables, mut solutions) = (Vec::new(), Vec::new());
        for metric in metrics {
            match with_game!(variant, game => tablebase.table_to_read(game, *metric))? {
                Some(table) => tables.push(table),
                None => solutions.push(tablebase.values(variant, *metric)?),
            }
        }
        Ok(MetricSources { tables, solutions })
    }

    /// Reads the tables once, so that a damaged one is found before anything hears of it.
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

    /// The values in the first of the metrics, place by place; `None` where they are odds.
    ///
    /// # Errors
    /// When a table cannot be opened, and when its places are too many to visit.
    pub(crate) fn by_place<'a>(
        &'a self,
        variant: &'a Variant,
    ) -> Result<Option<Box<dyn ByPlace + 'a>>, JudgeError> {
        with_game!(variant, game => self.by_place_of(game))
    }

    fn by_place_of<'a, G: Dense>(
        &'a self,
        game: &'a G,
    ) -> Result<Option<Box<dyn ByPlace + 'a>>, JudgeError> {
        if let Some(table) = self.tables.first() {
            if table.is_of_families() {
                return Err(JudgeError::refused(format!(
                    "{}: {} indices are too many to be compared one by one; ask about a board of at \
                     most 21 squares",
                    game.rules().title(),
                    grouped(game.indexable())
                )));
            }
            return Ok(Some(Box::new(table.open(game)?)));
        }
        let solved = self.solutions.first().map(|solution| &solution.values);
        let places = solved.filter(|values| values.as_odds().is_none());
        Ok(places.map(|values| Box::new(MemorySource { game, values }) as Box<dyn ByPlace>))
    }

    /// Asks what is known of a game from these values. If a table turns out to lack a value, that
    /// is an error, whatever the answer was.
    pub(crate) fn ask<G: Squares, T>(
        &self,
        game: &G,
        reached: Option<&ReachableSet>,
        question: impl FnOnce(&KnownValues<'_, G>) -> Result<T, JudgeError>,
    ) -> Result<T, JudgeError> {
        let opened = self.tables.iter().map(|table| table.open(game));
        let opened = opened.collect::<Result<Vec<_>, _>>()?;
        let solved = self.solutions.iter().map(|solution| &solution.values);
        let solved: Vec<_> = solved.collect();
        let answer = question(&KnownValues::new(game, &solved, reached).with_opened(&opened));
        opened.iter().try_for_each(OpenedValues::finish)?;
        answer
    }
}
