//! `line`: best play by both sides.

use std::fmt::Write;

use anyhow::Result;
use greenwave_game::{Colours, Dense, Game, Luck, with_game};
use greenwave_probe::{LinePly, line};

use super::query::position_or_start;
use crate::args::LineArgs;
use crate::chance::scored;
use crate::holdings::Holdings;
use crate::output::json::LineJson;
use crate::output::{board, columns, print, print_json, words};
use crate::session::{Session, Verdict};

/// Longer lines are cut; no game of the family lasts so long without repeating itself.
const LIMIT: usize = 10_000;

pub(super) fn run(session: &Session, args: &LineArgs) -> Result<Verdict> {
    let (variant, colours) = session.variant(&args.variant)?;
    with_game!(&variant, game => {
        let position = position_or_start(game, args.position.as_deref(), colours)?;
        let metrics = [game.rules().default_metric];
        let holdings = Holdings::for_metrics(session, &variant, &metrics)?;
        let plies = line(game, &position, &holdings.source(game)?, LIMIT)?;
        if session.json {
            print_json(&LineJson::new(game, &position, &plies))?;
        } else {
            print(&picture(game, &position, &plies, colours, scored(&variant))?)?;
        }
    });
    Ok(Verdict::Done)
}

fn picture<G: Dense>(
    game: &G,
    start: &G::Position,
    plies: &[LinePly<G::Position, G::Move>],
    colours: Colours,
    scored: bool,
) -> Result<String> {
    let mut text = String::new();
    let mut rows = Vec::new();
    let mut position = *start;
    for (number, ply) in plies.iter().enumerate() {
        rows.push(vec![
            format!("{}.", number + 1),
            game.move_text(&ply.from, ply.mv, colours),
            match &ply.figures.odds {
                Some(odds) => format!("{:+.6}", odds.expectation),
                None => words::phrase(&ply.figures),
            },
            game.position_text(&ply.to, colours),
        ]);
        position = ply.to;
    }
    let luck = game.rules().properties.luck == Luck::Draws;
    let start_text = game.position_text(start, colours);
    writeln!(
        text,
        "{}: best play from {start_text}\n",
        game.rules().title()
    )?;
    text.push_str(&columns(&rows, 2, &[0]));
    if !plies.is_empty() {
        writeln!(text)?;
    }
    text.push_str(&board::draw(&game.diagram(&position), colours));
    let end = match game.ending(&position) {
        Some(ending) => words::over(&ending, scored),
        None if plies.len() < LIMIT && luck && game.has_index(&position) => {
            "the line is not over: from here on strip moves and missed turns go round".into()
        }
        None => "the line is not over: from here on positions repeat".into(),
    };
    writeln!(
        text,
        "\n  After {}: {end}.",
        greenwave_game::Plies(plies.len() as u32)
    )?;
    text.push_str(if luck {
        "  Values are what the player who makes the move can expect, before the draw.\n  \
         After each move the likeliest counter is drawn, the first of equally likely\n  \
         ones; another draw may call for other moves.\n"
    } else {
        "  Values are for the player who makes the move; distances in plies.\n"
    });
    writeln!(text, "  {}", board::key(&game.diagram(&position), colours))?;
    Ok(text)
}
