//! `perft`: move sequences counted.

use anyhow::Result;
use greenwave_game::Plies;
use greenwave_tablebase::Perft;
use greenwave_words::Language;

use super::question::PlaceTexts;
use crate::args::PerftArgs;
use crate::output::{board, counted, seconds, wrapped};
use crate::report::{CommandReport, DocumentReport};
use crate::session::Session;

pub(super) fn run(session: &Session, args: &PerftArgs) -> Result<CommandReport> {
    let variant = session.variant(&args.variant)?;
    let typed = PlaceTexts::read(args.position.as_deref(), args.moves.as_deref())?;
    let place = typed.place();
    let perft = session.tablebase.perft(&variant, &place, args.depth)?;
    let words = move |perft: &Perft| {
        Ok(format!(
            "{} from {}: {} of exactly {} ({})\n{}",
            variant.rules().title(),
            perft.position,
            counted(perft.nodes, "move sequence", "move sequences"),
            Plies(perft.depth),
            seconds(perft.seconds),
            wrapped("", 2, &board::key(Language::English, &perft.diagram))
        ))
    };
    Ok(CommandReport::with(DocumentReport::new(perft, words)))
}
