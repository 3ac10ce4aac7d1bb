//! `stats`: the positions of a variant, counted.

use std::fmt::Write;

use anyhow::Result;
use greenwave_game::{Plies, Variant};
use greenwave_tablebase::{DistanceCount, NimberCount, PointsCount, Stats};
use greenwave_words::Language;

use super::question::chosen;
use crate::args::StatsArgs;
use crate::output::{board, columns, grouped, words};
use crate::report::{CommandReport, DocumentReport};
use crate::session::Session;

pub(super) fn run(session: &Session, args: &StatsArgs) -> Result<CommandReport> {
    let variant = session.variant(&args.variant)?;
    let metrics = chosen(&args.metric, variant.rules());
    let stats = session.tablebase.stats(&variant, metrics.as_deref())?;
    let words = move |stats: &Stats| picture(stats, &variant);
    Ok(CommandReport::with(DocumentReport::new(stats, words)))
}

fn picture(stats: &Stats, variant: &Variant) -> Result<String, std::fmt::Error> {
    let start = stats.start.figures();
    let mut text = String::new();
    writeln!(
        text,
        "{}: {}\n",
        variant.rules().title(),
        words::of_start(Language::English, &start)
    )?;
    text.push_str(&columns(&counts(stats, variant), 2, &[1]));
    if let Some(distances) = &stats.by_distance {
        writeln!(
            text,
            "\n  Distance to the end, in plies (for the player to move):"
        )?;
        text.push_str(&histogram(distances.iter().map(distance_row)));
        if let Some(longest) = &stats.longest {
            writeln!(
                text,
                "  Longest: {} in {}, for example {}",
                longest.value,
                Plies(longest.distance),
                longest.example
            )?;
        }
    }
    if let Some(points) = &stats.by_points {
        writeln!(
            text,
            "\n  Points to come, own minus the opponent's (for the player to move):"
        )?;
        // Wins first, then draws, then losses.
        let mut sorted: Vec<&PointsCount> = points.iter().collect();
        sorted.sort_by_key(|entry| -entry.points.signum());
        text.push_str(&histogram(sorted.into_iter().map(points_row)));
    }
    if let Some(nimbers) = &stats.by_nimber {
        writeln!(text, "\n  Nimbers:")?;
        text.push_str(&histogram(nimbers.iter().map(nimber_row)));
    }
    // Before a draw there is no move to make.
    if !stats.openings.is_empty() {
        writeln!(
            text,
            "\n  Openings, best first (for the player who makes the move):"
        )?;
    }
    let openings = stats.openings.iter();
    let rows: Vec<Vec<String>> = openings
        .map(|opening| {
            vec![
                opening.mv.clone(),
                words::phrase(Language::English, &opening.figures()),
            ]
        })
        .collect();
    text.push_str(&columns(&rows, 4, &[]));
    writeln!(
        text,
        "\n  {}\n  Mirrored and turned positions count one by one.",
        board::key_of(Language::English, variant)
    )?;
    Ok(text)
}

fn counts(stats: &Stats, variant: &Variant) -> Vec<Vec<String>> {
    let row = |label: &str, count: String| vec![label.to_string(), count];
    let mut rows = vec![row("indexable positions", grouped(stats.indexable))];
    if let Some(nimber) = stats.start.nimber {
        rows.push(row("nimber of the start", grouped(nimber)));
    }
    if let Some(count) = stats.nonterminal {
        rows.push(row("legal and unfinished", grouped(count)));
    }
    if let Some(counts) = &stats.by_value {
        rows.push(row("  won for the player to move", grouped(counts.win)));
        let drawn = format!("  drawn{}", words::endless(Language::English, variant));
        rows.push(row(&drawn, grouped(counts.draw)));
        rows.push(row("  lost for the player to move", grouped(counts.loss)));
    }
    if let Some(counts) = &stats.reachable {
        let all = counts.win + counts.draw + counts.loss + counts.terminal;
        rows.push(row("reachable from the start", grouped(all)));
        let each = [counts.win, counts.draw, counts.loss].map(grouped);
        rows.push(row("  won, drawn, lost", each.join(", ")));
        rows.push(row("  finished", grouped(counts.terminal)));
    }
    rows
}

fn histogram(rows: impl Iterator<Item = [String; 3]>) -> String {
    let rows: Vec<Vec<String>> = rows.map(Vec::from).collect();
    columns(&rows, 4, &[1, 2])
}

fn distance_row(entry: &DistanceCount) -> [String; 3] {
    let outcome = entry.value.map_or("", |value| value.name());
    let plies = entry.distance.map_or_else(String::new, |plies| {
        greenwave_game::counted(plies, "ply", "plies")
    });
    [outcome.into(), plies, grouped(entry.count)]
}

fn points_row(entry: &PointsCount) -> [String; 3] {
    let outcome = greenwave_game::Outcome::of_points(entry.points.signum() as i32);
    [
        outcome.name().into(),
        greenwave_game::counted(entry.points, "point", "points"),
        grouped(entry.count),
    ]
}

fn nimber_row(entry: &NimberCount) -> [String; 3] {
    [
        String::new(),
        format!("nimber {}", entry.nimber),
        grouped(entry.count),
    ]
}
