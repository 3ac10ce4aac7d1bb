//! `simulate`: perfect play against itself with sampled draws.

use anyhow::Result;
use greenwave_game::Variant;
use greenwave_tablebase::Simulation;

use crate::args::SimulateArgs;
use crate::output::{columns, counted, grouped, wrapped};
use crate::report::{CommandReport, DocumentReport};
use crate::session::Session;

pub(super) fn run(session: &Session, args: &SimulateArgs) -> Result<CommandReport> {
    let variant = session.variant(&args.variant)?;
    let games = session
        .tablebase
        .simulate(&variant, args.games, args.seed)?;
    let words = move |games: &Simulation| Ok(picture(games, &variant));
    Ok(CommandReport::with(DocumentReport::new(games, words)))
}

fn picture(played: &Simulation, variant: &Variant) -> String {
    let share = |count: u64| {
        let percent = 100.0 * count as f64 / played.games as f64;
        vec![grouped(count), format!("{percent:.2} %")]
    };
    let row = |title: &str, cells: Vec<String>| [vec![title.to_string()], cells].concat();
    let rows = [
        row("won by player 1", share(played.win)),
        row("drawn", share(played.draw)),
        row("lost by player 1", share(played.loss)),
    ];
    let error = played
        .standard_error
        .map_or_else(String::new, |error| format!(" (standard error {error:.6})"));
    let unit = if variant.rules().properties.scores {
        "points a game"
    } else {
        "wins minus losses a game"
    };
    let title = format!(
        "{}: {} of perfect play, seed {}",
        variant.rules().title(),
        counted(played.games, "game", "games"),
        played.seed,
    );
    let mean = format!(
        "Mean for player 1, {unit}: {:+.6}{error}; expected: {:+.6}",
        played.mean, played.expected,
    );
    format!(
        "{}\n{}\n{}",
        wrapped("", 2, &title),
        columns(&rows, 2, &[1, 2]),
        wrapped("  ", 2, &mean),
    )
}
