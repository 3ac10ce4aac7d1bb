//! `perft`: move sequences counted.

use std::time::Instant;

use anyhow::Result;
use greenwave_game::{Colours, Game, perft, with_game};
use serde::Serialize;

use super::query::position_or_start;
use crate::args::PerftArgs;
use crate::output::json::SCHEMA;
use crate::output::{grouped, print, print_json, seconds};
use crate::session::{Session, Verdict};

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
        let position = position_or_start(game, args.position.as_deref(), colours)?;
        let start = Instant::now();
        let nodes = perft(game, &position, args.depth)?;
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
                "{} from {}: {} move sequences of exactly {} ({})\n",
                game.rules().name,
                game.position_text(&position, colours),
                grouped(nodes),
                greenwave_game::Plies(args.depth),
                seconds(time)
            ))?;
        }
    });
    Ok(Verdict::Done)
}
