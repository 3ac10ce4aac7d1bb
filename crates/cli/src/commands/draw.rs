//! `draw`: a position as a picture.

use std::io::Write;

use anyhow::{Context, Result};
use greenwave_game::{Figures, Game, with_game};
use greenwave_picture::{ENGLISH, Lettering, Picture, Scheme, describe, value_tags};
use greenwave_tablebase::QueryOptions;

use super::place;
use crate::args::DrawArgs;
use crate::output::board;
use crate::session::{Session, Verdict};

pub(super) fn run(session: &Session, args: &DrawArgs) -> Result<Verdict> {
    let (variant, colours) = session.variant(&args.variant)?;
    let place = place(args.position.as_deref(), args.moves.as_deref(), colours);
    #[cfg(feature = "png")]
    let png = args.png;
    #[cfg(not(feature = "png"))]
    let png = false;
    let diagram = with_game!(&variant, game => game.diagram(&place.find(game)?));
    let title = format!(
        "{}: {}",
        variant.rules().name,
        board::key(&diagram, colours)
    );
    let description = describe(&diagram, colours, &[], &ENGLISH);
    let mut picture = Picture::new(&diagram, colours, &title);
    picture.description = &description;
    if args.values {
        let options = QueryOptions::default();
        let answer = session.tablebase.query_at(&variant, &place, &options)?;
        let moves: Vec<(&str, Figures)> = answer
            .moves
            .iter()
            .map(|mv| (mv.mv.as_str(), mv.figures()))
            .collect();
        picture.tags = value_tags(&diagram, &moves, answer.best.len());
    }
    if png {
        (picture.scheme, picture.lettering) = (Scheme::Light, Lettering::Strokes);
    }
    let mut bytes = picture.svg().into_bytes();
    bytes.push(b'\n');
    #[cfg(feature = "png")]
    if png {
        bytes = greenwave_picture::png(&picture.svg(), args.width).context("--width")?;
    }
    match &args.output {
        Some(file) => std::fs::write(file, &bytes).with_context(|| {
            format!(
                "cannot write '{}'; name a file in a folder that is there and can be written",
                file.display()
            )
        })?,
        None => {
            let mut out = std::io::stdout().lock();
            out.write_all(&bytes)?;
            out.flush()?;
        }
    }
    Ok(Verdict::Done)
}
