//! The positions of a variant, counted.

use greenwave_game::{Advance, Dense, Game, Metric, Rules, Variant, with_game};
use greenwave_probe::{Reachable, ReachableSet, reachable};
use greenwave_solver::sweep::Kernel;
use greenwave_solver::{Product, Task};
use greenwave_table as table;
use greenwave_table::{FirstMove, Summary};
use greenwave_values::{SolvedValues, figures_of_stored, summarise_watched};
use serde::Serialize;

use super::{MoveFigures, SCHEMA, StartFigures, Value};
use crate::memory::Purpose;
use crate::sources::{QuestionNeeds, all_metrics, has_chance, memory_of};
use crate::{Error, Sources, Tablebase};

/// Reachable positions are counted up to this many indices.
const COUNT_REACHABLE: u128 = 1 << 26;

/// The positions of a variant, counted; those that are legal and unfinished unless it says otherwise.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Stats {
    /// Version of the document.
    pub schema: u32,
    /// The variant.
    pub variant: String,
    /// The order of its lights, `ryg` or `gyr`; `None` where it has none.
    pub lights: Option<&'static str>,
    /// The frame in which positions are counted.
    pub frame: &'static str,
    /// Indices; where positions are listed, those that play reaches.
    pub indexable: u128,
    /// Legal, unfinished positions.
    pub nonterminal: Option<u64>,
    /// Positions that play reaches.
    pub reachable: Option<ReachableCounts>,
    /// The figures of the start.
    #[serde(flatten)]
    pub start: StartFigures,
    /// Positions by value.
    pub by_value: Option<ByValue>,
    /// Of the draws, those by endless play; null where the rules alone do not tell them from ends
    /// without a winner.
    pub endless: Option<u64>,
    /// Positions by value and distance.
    pub by_distance: Option<Vec<DistanceCount>>,
    /// Positions by points.
    pub by_points: Option<Vec<PointsCount>>,
    /// Positions by nimber.
    pub by_nimber: Option<Vec<NimberCount>>,
    /// The longest distance.
    pub longest: Option<Longest>,
    /// The moves of the start, best first.
    pub openings: Vec<MoveFigures>,
}

/// Positions by value, for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ByValue {
    /// Won ones.
    pub win: u64,
    /// Lost ones.
    pub loss: u64,
    /// Drawn ones.
    pub draw: u64,
}

/// Positions that play reaches: unfinished ones by value, and finished ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ReachableCounts {
    /// Won for the player to move.
    pub win: u64,
    /// Lost for the player to move.
    pub loss: u64,
    /// Drawn.
    pub draw: u64,
    /// Finished.
    pub terminal: u64,
}

/// How many positions have a value and a distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct DistanceCount {
    /// The value.
    pub value: Option<Value>,
    /// The distance in plies; none of draws.
    pub distance: Option<i64>,
    /// How many.
    pub count: u64,
}

/// How many positions have this many points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct PointsCount {
    /// The points.
    pub points: i64,
    /// How many.
    pub count: u64,
}

/// How many positions have a nimber.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct NimberCount {
    /// The nimber.
    pub nimber: i64,
    /// How many.
    pub count: u64,
}

/// A position furthest from the end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Longest {
    /// Its distance.
    pub distance: u32,
    /// Its value.
    pub value: Value,
    /// The position.
    pub example: String,
}

impl From<&table::ResultCounts> for ByValue {
    fn from(counts: &table::ResultCounts) -> ByValue {
        ByValue {
            win: counts.win,
            loss: counts.loss,
            draw: counts.draw,
        }
    }
}

/// The summaries of several metrics put together.
struct MetricSummaries {
    indexable: u128,
    summaries: Vec<(Metric, Summary)>,
    reachable: Option<Reachable>,
}

impl Tablebase {
    /// Counts the positions of a variant in metrics; if none are given, in those of the tables, else in
    /// all.
    ///
    /// # Errors
    /// When a table is damaged or of other rules, and when a solve does not fit the memory.
    pub fn stats(&self, variant: &Variant, metrics: Option<&[Metric]>) -> Result<Stats, Error> {
        if has_chance(variant) {
            let counted = MetricSummaries {
                indexable: variant.indexable(),
                summaries: vec![(Metric::Odds, self.odds_summary(variant)?)],
                reachable: None,
            };
            return Ok(counted.document(variant));
        }
        let (metrics, needed) = match metrics {
            Some(metrics) => (metrics.to_vec(), self.needed(variant, metrics)?),
            None => self.needed_to_count(variant)?,
        };
        let sources = needed.had()?;
        let counted = with_game!(variant, game => self.count(variant, game, &sources, &metrics)?);
        Ok(counted.document(variant))
    }

    /// The counts of a game with chance: of its table, else of a sweep that keeps no values.
    ///
    /// # Errors
    /// When the table is damaged or of other rules, and when the sweep does not fit the memory.
    pub fn odds_summary(&self, variant: &Variant) -> Result<Summary, Error> {
        if let Some(table) = self.table(variant.rules(), Metric::Odds)? {
            return Ok(table.meta().summary.clone());
        }
        let task = self.counting_odds(variant);
        let planned = self.on_threads(|| task.plan())?;
        let cost = planned.cost();
        let _reserved = self.reserve_for(cost.memory_bytes, &Purpose::solving(cost))?;
        Ok(self.on_threads(|| planned.run(self.progress()))?.summary)
    }

    /// The sweep that counts a game with chance.
    fn counting_odds<'v>(&self, variant: &'v Variant) -> Task<'v> {
        Task {
            variant,
            metric: Metric::Odds,
            kernel: Kernel::best(),
            memory: self.memory(),
            wanted: Product::Counts,
            checkpoint: None,
            scratch: None,
            quick: false,
        }
    }

    /// Whether the memory does to count the positions of a variant, whatever else is in it.
    #[must_use]
    pub fn can_count(&self, variant: &Variant) -> bool {
        let rules = variant.rules();
        if !has_chance(variant) {
            return self.is_metric_at_hand(variant, self.leading_metric(variant))
                || self.fits(variant, rules.default_metric);
        }
        let task = self.counting_odds(variant);
        matches!(self.table(rules, Metric::Odds), Ok(Some(_)))
            || self
                .on_threads(|| task.plan())
                .is_ok_and(|planned| self.limit().allows(planned.cost().memory_bytes))
    }

    /// Metrics of the tables that are there, if the default metric is among them; else all metrics, or
    /// only the default one where all together need too much memory. With what they need.
    fn needed_to_count<'v>(
        &'v self,
        variant: &'v Variant,
    ) -> Result<(Vec<Metric>, QuestionNeeds<'v>), Error> {
        let rules = variant.rules();
        let tables = self.tables(variant)?;
        let there: Vec<Metric> = rules
            .metrics
            .iter()
            .copied()
            .filter(|metric| tables.has(*metric))
            .collect();
        if there.contains(&self.leading_metric(variant)) {
            return Ok((there, self.expect_room(variant, tables, Vec::new())?));
        }
        let mut counted = all_metrics(rules);
        let mut plans = self.plans(variant, &tables.missing(&counted))?;
        if !self.limit().allows(memory_of(&plans)) {
            counted = vec![rules.default_metric];
            plans.retain(|(metric, _)| *metric == rules.default_metric);
        }
        Ok((counted, self.expect_room(variant, tables, plans)?))
    }

    fn count<G: Dense>(
        &self,
        variant: &Variant,
        game: &G,
        sources: &Sources,
        metrics: &[Metric],
    ) -> Result<MetricSummaries, Error> {
        let default = game.rules().default_metric;
        let mut summaries = Vec::new();
        for metric in metrics {
            if let Some(table) = sources.table(*metric) {
                summaries.push((*metric, table.meta().summary.clone()));
            } else if let Some(values) = sources.solution(*metric).and_then(|known| known.codes()) {
                summaries.push((
                    *metric,
                    self.on_threads(|| summarise_watched(game, values, self.progress()))?,
                ));
            }
        }
        // The default metric speaks first.
        if let Some(number) = summaries.iter().position(|(metric, _)| *metric == default) {
            summaries[..=number].rotate_right(1);
        }
        let valued = summaries
            .first()
            .map(|(metric, _)| *metric)
            .filter(|metric| *metric != Metric::Nimber);
        let listed = game.holds_reachable_only();
        let mut counted = MetricSummaries {
            indexable: game.indexable(),
            summaries,
            reachable: None,
        };
        match valued {
            Some(metric) if listed => {
                let solved = sources.solution(metric).and_then(|known| known.codes());
                counted.indexable = match (sources.table(metric), solved) {
                    (Some(table), _) => table.meta().positions().into(),
                    (None, Some(values)) => values.numbered_for(game).positions(game),
                    (None, None) => counted.indexable,
                };
                counted.reachable = counted.all_reachable();
            }
            Some(metric) if game.indexable() <= COUNT_REACHABLE => {
                let solution = self.values(variant, metric)?;
                let reserved = self.try_reserve(ReachableSet::bytes(game));
                if let (Some(values), Some(_)) = (solution.codes(), &reserved) {
                    let known = SolvedValues::new(game, values);
                    counted.reachable =
                        Some(self.on_threads(|| reachable(game, &known, self.progress()))?);
                }
            }
            _ => {}
        }
        Ok(counted)
    }
}

impl MetricSummaries {
    fn summary(&self, metric: Metric) -> Option<&Summary> {
        self.summaries
            .iter()
            .find(|(known, _)| *known == metric)
            .map(|(_, summary)| summary)
    }

    fn first<T>(&self, pick: impl Fn(&Summary) -> Option<T>) -> Option<T> {
        self.summaries.iter().find_map(|(_, summary)| pick(summary))
    }

    /// The counts where nothing but the reachable positions is counted.
    fn all_reachable(&self) -> Option<Reachable> {
        let by_value = self.first(|summary| summary.by_value)?;
        let (win, loss, draw) = (by_value.win, by_value.loss, by_value.draw);
        let unfinished = u128::from(win) + u128::from(loss) + u128::from(draw);
        Some(Reachable {
            win,
            loss,
            draw,
            terminal: self.indexable.checked_sub(unfinished)?.try_into().ok()?,
        })
    }

    fn endless(&self, variant: &Variant) -> Option<u64> {
        if variant.rules().properties.advance != Advance::Repeats {
            Some(0)
        } else if variant.can_end_drawn() {
            None
        } else {
            self.first(|summary| Some(summary.by_value.as_ref()?.draw))
        }
    }

    /// The openings with the figures of all metrics, best first.
    fn openings(&self, rules: &Rules) -> Vec<MoveFigures> {
        let mut openings: Vec<FirstMove> = Vec::new();
        for (_, summary) in &self.summaries {
            if openings.is_empty() {
                openings.clone_from(&summary.openings);
            }
            for (opening, other) in openings.iter_mut().zip(&summary.openings) {
                let (mine, new) = (&mut opening.figures, &other.figures);
                mine.value = mine.value.or(new.value);
                mine.distance = mine.distance.or(new.distance);
                mine.points = mine.points.or(new.points);
                mine.nimber = mine.nimber.or(new.nimber);
            }
        }
        MoveFigures::openings(Some(rules), &openings)
    }

    fn document(&self, variant: &Variant) -> Stats {
        Stats {
            schema: SCHEMA,
            variant: variant.rules().title().to_string(),
            lights: variant.rules().lights_name(),
            frame: variant.frame_name(),
            indexable: self.indexable,
            nonterminal: self.first(|summary| {
                let counts = summary.histogram.iter().map(|entry| entry.count);
                Some(counts.fold(0, u64::saturating_add))
            }),
            reachable: self.reachable.map(|counts| ReachableCounts {
                win: counts.win,
                loss: counts.loss,
                draw: counts.draw,
                terminal: counts.terminal,
            }),
            start: StartFigures {
                value: self.first(|summary| summary.start.value.map(Value::from)),
                distance: self.first(|summary| summary.start.distance),
                points: self.first(|summary| summary.start.points),
                odds: self.first(|summary| figures_of_stored(&summary.start).odds),
                nimber: self.first(|summary| summary.start.nimber),
            },
            by_value: self.first(|summary| summary.by_value.as_ref().map(ByValue::from)),
            endless: self.endless(variant),
            by_distance: self.summary(Metric::Distance).map(|summary| {
                let entry = |entry: &table::HistogramEntry| {
                    let drawn = entry.outcome == Some(table::Outcome::Draw);
                    DistanceCount {
                        value: entry.outcome.map(Value::from),
                        distance: (!drawn).then_some(entry.key),
                        count: entry.count,
                    }
                };
                summary.histogram.iter().map(entry).collect()
            }),
            by_points: self.summary(Metric::Points).map(|summary| {
                let entry = |entry: &table::HistogramEntry| PointsCount {
                    points: entry.key,
                    count: entry.count,
                };
                let mut list: Vec<PointsCount> = summary.histogram.iter().map(entry).collect();
                list.sort_by_key(|entry| entry.points);
                list
            }),
            by_nimber: self.summary(Metric::Nimber).map(|summary| {
                let entry = |entry: &table::HistogramEntry| NimberCount {
                    nimber: entry.key,
                    count: entry.count,
                };
                summary.histogram.iter().map(entry).collect()
            }),
            longest: self.summary(Metric::Distance).and_then(|summary| {
                summary.longest.as_ref().map(|longest| Longest {
                    distance: longest.distance,
                    value: longest.outcome.into(),
                    example: variant.rules().exchanged(&longest.example),
                })
            }),
            openings: self.openings(variant.rules()),
        }
    }
}
