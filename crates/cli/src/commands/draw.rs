//! `draw`: a position as a picture.

use std::path::Path;

#[cfg(feature = "png")]
use anyhow::Context;
use anyhow::{Result, bail};
use greenwave_game::{Figures, Game};
use greenwave_picture::{Lettering, Picture, Scheme, Words, describe, value_note, value_tags};
use greenwave_tablebase::QueryOptions;

use super::question::PlaceTexts;
use crate::args::DrawArgs;
use crate::output::{board, expect_folder_of, print_bytes, tell_written, words, write_file};
use crate::session::{CommandVerdict, Session};

/// Pixels of a PNG where nobody says.
#[cfg(feature = "png")]
const WIDTH: u32 = 800;

pub(super) fn run(session: &Session, args: &DrawArgs) -> Result<CommandVerdict> {
    let variant = session.variant(&args.variant)?;
    let typed = PlaceTexts::read(args.position.as_deref(), args.moves.as_deref())?;
    let place = typed.place();
    let png = is_png(args)?;
    let diagram = variant.diagram(&place.find(&variant)?);
    if let Some(file) = &args.output {
        expect_folder_of(file)?;
    }
    let words = session.language;
    let titles = words::row_titles(words, &diagram);
    let mut description = describe(&diagram, &titles, &Words::of_keys(|key| words.text(key)));
    // The order of the lights alone: an empty square has no letter in a picture.
    if diagram.lights.is_some() {
        let key = board::key(words, &diagram);
        description.push_str(". ");
        description.push_str(key.split_once("; .").map_or(&*key, |(order, _)| order));
    }
    let mut notes = words.sentences(&diagram.notes);
    let (mut tags, mut verdict) = (Vec::new(), CommandVerdict::Done);
    if args.values {
        let options = QueryOptions::default();
        let answer = session.tablebase.query_at(&variant, &place, &options)?;
        verdict = session.searched(answer.undecided_within.is_some());
        let moves: Vec<(&str, Figures)> = answer
            .moves
            .iter()
            .map(|mv| (mv.mv.as_str(), mv.figures()))
            .collect();
        tags = value_tags(&diagram, &moves, answer.best.len());
        for tag in &mut tags {
            (tag.text, tag.label) = (words.decimals(&tag.text), words.decimals(&tag.label));
        }
        let note = value_note(&diagram, &moves).map(|moves| words.decimals(&moves));
        notes.extend(note.map(|moves| words.with("on-no-square", moves)));
    }
    let mut picture = Picture::new(&diagram, variant.rules().title());
    picture.row_titles = &titles;
    picture.description = &description;
    picture.tags = tags;
    picture.notes = notes;
    if png {
        (picture.scheme, picture.lettering) = (Scheme::Light, Lettering::Strokes);
    }
    let mut bytes = picture.svg().into_bytes();
    bytes.push(b'\n');
    #[cfg(feature = "png")]
    if png {
        bytes = png_of(session, &picture.svg(), args.width.unwrap_or(WIDTH))?;
    }
    match args.output.as_deref() {
        Some(file) => {
            write_file(file, &bytes)?;
            tell_written(session, file);
        }
        None => print_bytes(&bytes)?,
    }
    Ok(verdict)
}

/// A picture as PNG, within the memory that is allowed.
#[cfg(feature = "png")]
fn png_of(session: &Session, svg: &str, width: u32) -> Result<Vec<u8>> {
    let needed = greenwave_picture::png_bytes(svg, width).context("--width")?;
    let what = format!("drawing a picture with {width} pixels across");
    let way_out = ", or a smaller --width";
    let _room = session.tablebase.reserve(needed.into(), &what, way_out)?;
    greenwave_picture::png(svg, width).context("--width")
}

/// Whether an option says that the picture is to be a PNG; without that feature there is none.
fn asks_for_png(args: &DrawArgs) -> bool {
    #[cfg(feature = "png")]
    return args.png;
    #[cfg(not(feature = "png"))]
    {
        let _ = args;
        false
    }
}

/// Whether the picture is to be a PNG: as the options say, else as the name of the file ends.
fn is_png(args: &DrawArgs) -> Result<bool> {
    let (asked, file) = (asks_for_png(args), args.output.as_deref());
    let ending = file.and_then(|file| file.extension()?.to_str());
    let ending = ending.map(str::to_ascii_lowercase);
    let named_png = ending.as_deref() == Some("png");
    let named = |file: Option<&Path>| file.unwrap_or(Path::new("")).display().to_string();
    if let Some(other) = ending
        .as_deref()
        .filter(|ending| !["svg", "png"].contains(ending))
        && !(args.svg || asked)
    {
        bail!(
            "'{}' ends in .{other}, and pictures are SVG or PNG; name a file that ends in .svg or .png, or \
             say which with --svg or --png",
            named(file)
        );
    }
    if args.svg && named_png {
        bail!(
            "--svg writes SVG, but '{}' is named as a PNG; leave --svg out, or name a file that ends \
             in .svg",
            named(file)
        );
    }
    if asked && ending.as_deref() == Some("svg") {
        bail!(
            "--png writes PNG, but '{}' is named as an SVG; leave --png out, or name a file that ends in \
             .png",
            named(file)
        );
    }
    #[cfg(not(feature = "png"))]
    if named_png {
        bail!(
            "this build writes SVG alone; name a file that ends in .svg instead of '{}'",
            named(file)
        );
    }
    let png = asked || named_png;
    #[cfg(feature = "png")]
    if args.width.is_some() && !png {
        bail!("--width is of a PNG; name a file that ends in .png with -o");
    }
    Ok(png)
}
