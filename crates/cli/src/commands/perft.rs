//! `perft`: move sequences counted.

use anyhow::Result;
use greenwave_game::Plies;

use super::place;
use crate::args::PerftArgs;
use crate::output::{board, counted, seconds, shown};
use crate::session::{Session, Verdict};

pub(super) fn run(session: &Session, args: &PerftArgs) -> Result<Verdict> {
    let (variant, colours) = session.variant(&args.variant)?;
    let place = place(args.position.as_deref(), args.moves.as_deref(), colours);
    let perft = session.tablebase.perft(&variant, &place, args.depth)?;
    session.report(&perft, || {
        Ok(format!(
            "{} from {}: {} of exactly {} ({})\n{}\n",
            variant.rules().title(),
            shown(&variant, colours)(&perft.position),
            counted(perft.nodes, "move sequence", "move sequences"),
            Plies(perft.depth),
            seconds(perft.seconds),
            board::key(&perft.diagram, colours)
        ))
    })?;
    Ok(Verdict::Done)
}
