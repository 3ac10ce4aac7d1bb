//! Games with chance: where their odds come from.

use std::sync::Arc;

use greenwave_game::{BagBase, BagGame, Game, Metric, TIE, Variant};
use greenwave_solver::chance::{self, Keep, Plan};
use greenwave_values::{OddsTable, SolvedOdds};

use crate::memory::Purpose;
use crate::solution::{Solution, key};
use crate::{Error, Source, Sources, Tablebase};

fn no_chance(variant: &Variant) -> Error {
    Error::Refused(format!("{} has no chance in it", variant.rules().name))
}

impl Tablebase {
    /// The table of odds of a variant with chance, if there is one.
    pub(crate) fn odds_table(&self, variant: &Variant) -> Result<Option<Arc<OddsTable>>, Error> {
        let rules = variant.rules();
        self.cache().odds_table(self.dir(), rules, |table| {
            with_bag!(
                variant,
                game => Ok(OddsTable::new(game, table)?),
                other => Err(no_chance(other))
            )
        })
    }

    pub(crate) fn odds_plan(&self, variant: &Variant) -> Result<Plan, Error> {
        self.on_threads(
            || with_bag!(variant, game => Ok(chance::plan(game)), other => Err(no_chance(other))),
        )
    }

    /// The odds of every position in memory, if they fit it and so many seconds.
    pub(crate) fn quick_odds(
        &self,
        variant: &Variant,
        patience: f64,
    ) -> Result<Option<Arc<Solution>>, Error> {
        let key = key(variant.rules(), Metric::Odds);
        if let Some(known) = self.cache().known(&key) {
            return Ok(Some(known));
        }
        let plan = self.odds_plan(variant)?;
        let needed = plan.sweep_bytes + plan.values_bytes;
        if !self.limit().allows(needed) || plan.seconds > patience {
            return Ok(None);
        }
        match self.odds_in_memory(variant) {
            Ok(solution) => Ok(Some(solution)),
            Err(Error::Busy { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The odds of every position, for questions about many: in memory where they fit, else from the
    /// table.
    pub(crate) fn all_odds(&self, variant: &Variant) -> Result<Sources, Error> {
        match self.odds_in_memory(variant) {
            Ok(solution) => Ok(Sources::of_solution(solution)),
            Err(error @ (Error::Memory { .. } | Error::Busy { .. })) => {
                let table = self.odds_table(variant)?;
                table.map(Sources::of_odds_table).ok_or(error)
            }
            Err(error) => Err(error),
        }
    }

    /// The odds of every position in memory: read from the table, else solved.
    pub(crate) fn odds_in_memory(&self, variant: &Variant) -> Result<Arc<Solution>, Error> {
        let rules = variant.rules();
        let key = key(rules, Metric::Odds);
        self.cache().solution(key, self.progress(), || {
            let plan = self.odds_plan(variant)?;
            let table = self.odds_table(variant)?;
            // The numbers of the table and the values made of them.
            let beside = table.as_ref().map_or(plan.sweep_bytes, |table| {
                u128::from(table.table().meta().packed) * 8
            });
            let purpose = Purpose {
                what: format!("solving {} for odds", rules.name),
                way_out: format!(
                    ", or solve it to a table first with 'greenwave solve {}'",
                    rules.name
                ),
            };
            let mut reserved = self.reserve_for(plan.values_bytes + beside, &purpose)?;
            let (odds, source) = match table {
                Some(table) => {
                    let odds = self.on_threads(|| table.load())?;
                    (odds, Source::table(table.table()))
                }
                None => {
                    let odds = with_bag!(
                        variant,
                        game => solved(self, game, Keep::All)?,
                        other => return Err(no_chance(other))
                    );
                    (odds, Source::solved())
                }
            };
            reserved.shrink(plan.values_bytes);
            Ok(Solution::new(odds, source, Some(reserved)))
        })
    }
}

/// The odds that a question about one position needs, if the solve fits the memory and so many
/// seconds.
pub(crate) fn around<B: BagBase>(
    tablebase: &Tablebase,
    game: &BagGame<B>,
    position: &<BagGame<B> as Game>::Position,
    patience: f64,
) -> Result<Option<SolvedOdds>, Error> {
    let plan = tablebase.on_threads(|| chance::plan(game));
    if plan.seconds > patience {
        return Ok(None);
    }
    let Some(_reserved) = tablebase.try_reserve(plan.sweep_bytes) else {
        return Ok(None);
    };
    solved(tablebase, game, Keep::Around(position)).map(Some)
}

fn solved<B: BagBase>(
    tablebase: &Tablebase,
    game: &BagGame<B>,
    keep: Keep<'_, <BagGame<B> as Game>::Position>,
) -> Result<SolvedOdds, Error> {
    let progress = tablebase.progress();
    let solve = || chance::solve_odds(game, keep, tablebase.memory(), progress);
    let (values, start) = tablebase.on_threads(solve)?;
    Ok(SolvedOdds {
        values,
        start: Some(start),
        tie: TIE,
    })
}
