//! `perft`: move sequences counted.

use std::time::Instant;

use anyhow::Result;
use greenwave_game::{Colours, Game, PerftError, Plies, perft, with_game};
use greenwave_values::{Progress, Unit};
use rayon::prelude::*;
use serde::Serialize;

use super::place;
use crate::args::PerftArgs;
use crate::output::json::SCHEMA;
use crate::output::{board, counted, print, print_json, seconds};
use crate::session::{Session, Verdict};

/// Positions that threads are given to count from.
const PARTS: usize = 256;

#[derive(Serialize)]
struct PerftJson {
    schema: u32,
    variant: String,
    position: String,
    depth: u32,
    nodes: u64,
    seconds: f64,
}

pub(super) fn run(session: &Session, args: &PerftArgs) -> Result<Verdict> {
    let (variant, colours) = session.variant(&args.variant)?;
    with_game!(&variant, game => {
        let place = place(args.position.as_deref(), args.moves.as_deref(), colours);
        let position = place.find(game)?;
        let start = Instant::now();
        let nodes = session.on_threads(|| count(session, game, &position, args.depth));
        session.progress.finish();
        let nodes = nodes?;
        let time = start.elapsed().as_secs_f64();
        if session.json {
            print_json(&PerftJson {
                schema: SCHEMA,
                variant: game.rules().name.clone(),
                position: game.position_text(&position, Colours::Ryg),
                depth: args.depth,
                nodes,
                seconds: time,
            })?;
        } else {
            print(&format!(
                "{} from {}: {} of exactly {} ({})\n{}\n",
                game.rules().title(),
                game.position_text(&position, colours),
                counted(nodes, "move sequence"),
                Plies(args.depth),
                seconds(time),
                board::key(&game.diagram(&position), colours)
            ))?;
        }
    });
    Ok(Verdict::Done)
}

// The first plies are played out until there is enough for all threads.
fn count<G: Game>(
    session: &Session,
    game: &G,
    position: &G::Position,
    depth: u32,
) -> Result<u64, PerftError> {
    // Refuses games with chance.
    perft(game, position, 0)?;
    let (mut frontier, mut left, mut moves) = (vec![*position], depth, Vec::new());
    while left > 1 && (1..PARTS).contains(&frontier.len()) {
        let mut next = Vec::new();
        for position in &frontier {
            game.moves(position, &mut moves);
            next.extend(moves.iter().map(|mv| game.play(position, *mv).to));
        }
        frontier = next;
        left -= 1;
    }
    let progress = &*session.progress;
    progress.show("counting move sequences", 0, Unit::Positions);
    frontier
        .par_iter()
        .map(|position| {
            let nodes = perft(game, position, left)?;
            progress.advance(nodes);
            Ok(nodes)
        })
        .try_reduce(|| 0, |a, b| a.checked_add(b).ok_or(PerftError::Overflow))
}
