//! `stats`: the positions of a variant, counted.

use std::fmt::Write;

use anyhow::{Result, anyhow};
use greenwave_game::{Colours, Dense, Game, Metric, Packing, Plies, Progress, Variant, with_game};
use greenwave_probe::{Reachable, reachable};
use greenwave_solver::estimate;
use greenwave_table::{Opening, Summary};
use greenwave_values::{SolvedValues, TableValues, load, positions, summarise};
use serde::Serialize;

use super::chosen;
use crate::args::StatsArgs;
use crate::chance::{self, has_chance};
use crate::holdings::{Holdings, all_metrics};
use crate::output::json::{ByValueJson, MoveJson, OddsJson, SCHEMA, outcome_name};
use crate::output::{best_first, board, columns, from_table, grouped, print, print_json, words};
use crate::session::{Session, Verdict};

/// Reachable positions are counted up to this many indices.
const COUNT_REACHABLE: u128 = 1 << 26;

#[derive(Serialize)]
struct StatsJson {
    schema: u32,
    variant: String,
    frame: &'static str,
    indexable: u128,
    nonterminal: Option<u64>,
    reachable: Option<ReachableJson>,
    value: Option<&'static str>,
    distance: Option<u32>,
    points: Option<i32>,
    odds: Option<OddsJson>,
    nimber: Option<u32>,
    by_value: Option<ByValueJson>,
    /// Of the draws, those by endless play; null where the rules alone do not tell them from ends
    /// without a winner.
    endless: Option<u64>,
    by_distance: Option<Vec<DistanceJson>>,
    by_points: Option<Vec<PointsJson>>,
    by_nimber: Option<Vec<NimberJson>>,
    longest: Option<LongestJson>,
    openings: Vec<MoveJson>,
}

#[derive(Serialize)]
struct ReachableJson {
    win: u64,
    loss: u64,
    draw: u64,
    terminal: u64,
}

#[derive(Serialize)]
struct DistanceJson {
    value: Option<&'static str>,
    distance: Option<i64>,
    count: u64,
}

#[derive(Serialize)]
struct PointsJson {
    points: i64,
    count: u64,
}

#[derive(Serialize)]
struct NimberJson {
    nimber: i64,
    count: u64,
}

#[derive(Serialize)]
struct LongestJson {
    distance: u32,
    value: &'static str,
    example: String,
}

/// The summaries of several metrics put together.
struct Counted {
    indexable: u128,
    summaries: Vec<(Metric, Summary)>,
    reachable: Option<Reachable>,
}

pub(super) fn run(session: &Session, args: &StatsArgs) -> Result<Verdict> {
    let (variant, colours) = session.variant(&args.variant)?;
    let metrics = match chosen(&args.metric, variant.rules()) {
        Some(metrics) => metrics,
        None => default_metrics(session, &variant)?,
    };
    if has_chance(&variant) {
        return odds(session, &variant, colours);
    }
    let holdings = Holdings::for_metrics(session, &variant, &metrics)?;
    let counted =
        session.on_threads(|| with_game!(&variant, game => count(game, &holdings, &metrics)))?;
    if session.json {
        print_json(&document(&variant, &counted))?;
    } else {
        print(&picture(&variant, &counted, colours)?)?;
    }
    Ok(Verdict::Done)
}

/// The counts of a game with chance: from its table, else from a sweep.
fn odds(session: &Session, variant: &Variant, colours: Colours) -> Result<Verdict> {
    let summary = chance::summary(session, variant)?;
    let counted = Counted {
        indexable: with_game!(variant, game => game.indexable()),
        summaries: vec![(Metric::Odds, summary)],
        reachable: None,
    };
    if session.json {
        print_json(&document(variant, &counted))?;
    } else {
        print(&picture(variant, &counted, colours)?)?;
    }
    Ok(Verdict::Done)
}

/// Metrics of the tables that are there, if the default metric is among them; else all metrics, or
/// only the default one where all together need too much memory.
fn default_metrics(session: &Session, variant: &Variant) -> Result<Vec<Metric>> {
    let rules = variant.rules();
    let mut there = Vec::new();
    for metric in &rules.metrics {
        if session.open_table(rules, *metric)?.is_some() {
            there.push(*metric);
        }
    }
    if there.contains(&rules.default_metric) {
        return Ok(there);
    }
    let mut needed = 0;
    let all = all_metrics(rules);
    for metric in &all {
        let plan = session.on_threads(|| estimate(variant, *metric))?;
        needed = u128::saturating_add(needed, plan.memory_bytes);
    }
    let fit = needed <= u128::from(session.memory);
    Ok(if fit { all } else { vec![rules.default_metric] })
}

fn count<G: Dense>(game: &G, holdings: &Holdings, metrics: &[Metric]) -> Result<Counted> {
    let mut summaries = Vec::new();
    for metric in metrics {
        if let Some(table) = holdings.table(*metric) {
            summaries.push((*metric, table.meta().summary.clone()));
        } else if let Some(values) = holdings.solution(*metric) {
            summaries.push((*metric, summarise(game, values)));
        }
    }
    // The default metric speaks first.
    summaries.sort_by_key(|(metric, _)| *metric != game.rules().default_metric);
    let valued = summaries
        .first()
        .map(|(metric, _)| *metric)
        .filter(|metric| *metric != Metric::Nimber);
    let listed = game.packing(game.rules().default_metric) == Packing::Listed;
    let mut counted = Counted {
        indexable: game.indexable(),
        summaries,
        reachable: None,
    };
    match valued {
        Some(metric) if listed => {
            counted.indexable = positions_of(game, holdings, metric)?;
            counted.reachable = counted.all_reachable();
        }
        Some(metric) if game.indexable() <= COUNT_REACHABLE => {
            counted.reachable = Some(reach(game, holdings, metric)?);
        }
        _ => {}
    }
    Ok(counted)
}

/// Positions that a table or solution of a metric stands for.
fn positions_of<G: Dense>(game: &G, holdings: &Holdings, metric: Metric) -> Result<u128> {
    match (holdings.table(metric), holdings.solution(metric)) {
        (Some(table), _) => Ok(table.meta().positions().into()),
        (None, Some(values)) => Ok(positions(game, values)),
        (None, None) => Err(no_values(metric)),
    }
}

fn reach<G: Dense>(game: &G, holdings: &Holdings, metric: Metric) -> Result<Reachable> {
    if let Some(values) = holdings.solution(metric) {
        return Ok(reachable(game, &SolvedValues::new(game, values))?);
    }
    let table = holdings.table(metric).ok_or_else(|| no_values(metric))?;
    let values = load(&TableValues::new(game, table)?, game)?;
    Ok(reachable(game, &SolvedValues::new(game, &values))?)
}

fn no_values(metric: Metric) -> anyhow::Error {
    anyhow!("no values of {metric} at hand")
}

impl Counted {
    fn summary(&self, metric: Metric) -> Option<&Summary> {
        self.summaries
            .iter()
            .find(|(known, _)| *known == metric)
            .map(|(_, summary)| summary)
    }

    fn first<T>(&self, pick: impl Fn(&Summary) -> Option<T>) -> Option<T> {
        self.summaries.iter().find_map(|(_, summary)| pick(summary))
    }

    fn nonterminal(&self) -> Option<u64> {
        self.first(|summary| {
            let counts = summary.histogram.iter().map(|entry| entry.count);
            Some(counts.fold(0, u64::saturating_add))
        })
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
        let repeats = variant.rules().properties.progress == Progress::Repeats;
        match repeats {
            false => Some(0),
            true if with_game!(variant, game => game.can_end_drawn()) => None,
            true => self.first(|summary| Some(summary.by_value.as_ref()?.draw)),
        }
    }

    /// The openings with the figures of all metrics, best first.
    fn openings(&self) -> Vec<Opening> {
        let mut openings: Vec<Opening> = Vec::new();
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
        best_first(&openings)
    }
}

fn document(variant: &Variant, counted: &Counted) -> StatsJson {
    StatsJson {
        schema: SCHEMA,
        variant: variant.rules().name.clone(),
        frame: variant.frame(),
        indexable: counted.indexable,
        nonterminal: counted.nonterminal(),
        reachable: counted.reachable.map(|counts| ReachableJson {
            win: counts.win,
            loss: counts.loss,
            draw: counts.draw,
            terminal: counts.terminal,
        }),
        value: counted.first(|summary| summary.start.value.map(outcome_name)),
        distance: counted.first(|summary| summary.start.distance),
        points: counted.first(|summary| summary.start.points),
        odds: counted.first(|summary| from_table(&summary.start).odds.map(OddsJson::from)),
        nimber: counted.first(|summary| summary.start.nimber),
        by_value: counted.first(|summary| summary.by_value.as_ref().map(ByValueJson::from)),
        endless: counted.endless(variant),
        by_distance: counted.summary(Metric::Distance).map(|summary| {
            let entry = |entry: &greenwave_table::HistogramEntry| {
                let drawn = entry.outcome == Some(greenwave_table::Outcome::Draw);
                DistanceJson {
                    value: entry.outcome.map(outcome_name),
                    distance: (!drawn).then_some(entry.key),
                    count: entry.count,
                }
            };
            summary.histogram.iter().map(entry).collect()
        }),
        by_points: counted.summary(Metric::Points).map(|summary| {
            let mut list: Vec<PointsJson> = summary
                .histogram
                .iter()
                .map(|entry| PointsJson {
                    points: entry.key,
                    count: entry.count,
                })
                .collect();
            list.sort_by_key(|entry| entry.points);
            list
        }),
        by_nimber: counted.summary(Metric::Nimber).map(|summary| {
            let entry = |entry: &greenwave_table::HistogramEntry| NimberJson {
                nimber: entry.key,
                count: entry.count,
            };
            summary.histogram.iter().map(entry).collect()
        }),
        longest: counted.summary(Metric::Distance).and_then(|summary| {
            summary.longest.as_ref().map(|longest| LongestJson {
                distance: longest.distance,
                value: outcome_name(longest.outcome),
                example: longest.example.clone(),
            })
        }),
        openings: counted.openings().iter().map(MoveJson::opening).collect(),
    }
}

fn picture(variant: &Variant, counted: &Counted, colours: Colours) -> Result<String> {
    let mut text = String::new();
    let openings = counted.openings();
    let mut start = greenwave_game::Figures::default();
    for (_, summary) in &counted.summaries {
        start = start.or(from_table(&summary.start));
    }
    writeln!(
        text,
        "{}: {}\n",
        variant.rules().title(),
        words::sentence(&start, false)
    )?;
    let mut rows = vec![vec![
        "indexable positions".into(),
        grouped(counted.indexable),
    ]];
    if let Some(nimber) = start.nimber {
        rows.push(vec!["nimber of the start".into(), grouped(nimber)]);
    }
    if let Some(count) = counted.nonterminal() {
        rows.push(vec!["legal and unfinished".into(), grouped(count)]);
    }
    if let Some(counts) = counted.first(|summary| summary.by_value) {
        rows.push(vec![
            "  won for the player to move".into(),
            grouped(counts.win),
        ]);
        let endless = with_game!(variant, game => words::endless(game));
        rows.push(vec![format!("  drawn{endless}"), grouped(counts.draw)]);
        rows.push(vec![
            "  lost for the player to move".into(),
            grouped(counts.loss),
        ]);
    }
    if let Some(counts) = counted.reachable {
        let all = counts.win + counts.draw + counts.loss + counts.terminal;
        rows.push(vec!["reachable from the start".into(), grouped(all)]);
        rows.push(vec![
            "  won, drawn, lost".into(),
            [counts.win, counts.draw, counts.loss]
                .map(grouped)
                .join(", "),
        ]);
        rows.push(vec!["  finished".into(), grouped(counts.terminal)]);
    }
    text.push_str(&columns(&rows, 2, &[1]));
    if let Some(summary) = counted.summary(Metric::Distance) {
        writeln!(
            text,
            "\n  Distance to the end, in plies (for the player to move):"
        )?;
        text.push_str(&histogram(summary, "plies"));
        if let Some(longest) = &summary.longest {
            writeln!(
                text,
                "  Longest: {} in {}, for example {}",
                outcome_name(longest.outcome),
                Plies(longest.distance),
                with_game!(variant, game => {
                    let position = game.parse_position(&longest.example, Colours::Ryg)?;
                    game.position_text(&position, colours)
                })
            )?;
        }
    }
    if let Some(summary) = counted.summary(Metric::Points) {
        writeln!(
            text,
            "\n  Points to come, own minus the opponent's (for the player to move):"
        )?;
        text.push_str(&histogram(summary, "points"));
    }
    if let Some(summary) = counted.summary(Metric::Nimber) {
        writeln!(text, "\n  Nimbers:")?;
        text.push_str(&histogram(summary, "nimber"));
    }
    // Before a draw there is no move to make.
    if !openings.is_empty() {
        writeln!(
            text,
            "\n  Openings, best first (for the player who makes the move):"
        )?;
    }
    let rows: Vec<Vec<String>> = openings
        .iter()
        .map(|opening| {
            let mv = with_game!(variant, game => {
                let start = game.start();
                let mv = game.parse_move(&start, &opening.mv, Colours::Ryg)?;
                game.move_text(&start, mv, colours)
            });
            Ok(vec![mv, words::phrase(&from_table(&opening.figures))])
        })
        .collect::<Result<_>>()?;
    text.push_str(&columns(&rows, 4, &[]));
    writeln!(
        text,
        "\n  {}\n  Mirrored and turned positions count one by one.",
        with_game!(variant, game => board::key(&game.diagram(&game.start()), colours))
    )?;
    Ok(text)
}

fn histogram(summary: &Summary, unit: &str) -> String {
    let rows: Vec<Vec<String>> = summary
        .histogram
        .iter()
        .map(|entry| {
            let outcome = entry.outcome.map_or("", outcome_name);
            let drawn = outcome == "draw" && unit == "plies";
            let key = match unit {
                _ if drawn => String::new(),
                "nimber" => format!("nimber {}", entry.key),
                _ if entry.key.abs() == 1 => format!("{} {}", entry.key, singular(unit)),
                _ => format!("{} {unit}", entry.key),
            };
            vec![outcome.to_string(), key, grouped(entry.count)]
        })
        .collect();
    columns(&rows, 4, &[1, 2])
}

fn singular(unit: &str) -> &str {
    match unit {
        "plies" => "ply",
        "points" => "point",
        other => other,
    }
}
