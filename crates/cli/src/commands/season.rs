//! `review FILE…`: many games gone through, and what they say of each player.

use std::collections::HashSet;
use std::fmt::Write;
use std::sync::Arc;

use anyhow::{Result, anyhow, bail};
use greenwave_game::{At, Game, Variant};
use greenwave_picture::escaped;
use greenwave_play::{
    GameReview, MoveMark, PlayerReview, RecordText, ReviewPly, practice, review_by, season,
    swap_note,
};
use greenwave_tablebase::{Place, QueryOptions, SCHEMA, read_moves, read_variant};
use greenwave_words::Language;
use serde::Serialize;

use super::review::{PLY, ReviewInput, by, note, room_for, whole_of};
use crate::args::ReviewArgs;
use crate::output::{
    PAGE, board, columns, complain, expect_place, is_standard, print, print_json, tell_written,
    wrapped, write_file,
};
use crate::session::{CommandVerdict, Session, looks_like_a_file};

/// How files begin that `--practice` writes.
const PRACTICE: &str = "{\"schema\":";

/// A game that the review could not read.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct BadGame<'a> {
    /// Version of the document.
    schema: u32,
    /// The file that the game is in.
    file: &'a str,
    /// Which game of the file, from 1.
    game: usize,
    /// The fault: what was found and expected, and the way out.
    error: String,
}

/// A record that was read.
struct SeasonGame {
    file: String,
    game: usize,
    first: String,
    second: String,
    // Among those of all games: a variant is many times as large as a game.
    variant: Arc<Variant>,
    position: Option<String>,
    moves: String,
}

/// The way out where no file is named.
const WAY_OUT: &str = "name files of records, or give the moves of one game with --moves";
/// Bytes that the games of a record take for each of its text.
const READ: u128 = 24;
/// Bytes that the picture of a mistake takes on a page.
const PICTURE: u128 = 8 << 10;

pub(super) fn run(session: &Session, args: &ReviewArgs) -> Result<CommandVerdict> {
    let standard =
        [&args.practice, &args.html].map(|path| path.as_deref().is_some_and(is_standard));
    if standard.iter().filter(|is_standard| **is_standard).count() + usize::from(session.json) > 1
        && standard.contains(&true)
    {
        bail!(
            "--practice, --html and --json cannot share standard output; name a file for all but one"
        );
    }
    let (asked, files) = targets(session, args)?;
    for (path, begins) in [(&args.html, PAGE), (&args.practice, PRACTICE)] {
        if let Some(path) = path {
            expect_place(path, begins)?;
        }
    }
    let mut bad = 0;
    let mut played = Vec::new();
    let mut held = Vec::new();
    let mut variants: Vec<Arc<Variant>> = Vec::new();
    for file in files {
        let text = whole_of(file)?;
        let what = format!("reading the games of '{file}'");
        let way_out = ", or review less at once";
        let room = session
            .tablebase
            .reserve(text.len() as u128 * READ, &what, way_out);
        held.push(room?);
        for (number, saved) in RecordText::read_all(&text).into_iter().enumerate() {
            let game = number + 1;
            match read(session, asked.as_ref(), file, game, saved, &mut variants) {
                Ok(read) => played.push(read),
                Err(error) => {
                    bad += 1;
                    tell_bad(session, file, game, &error)?;
                }
            }
        }
    }
    let mut games = Vec::new();
    let options = QueryOptions::within(args.budget);
    let plies = played.iter().map(|one| read_moves(&one.moves).len() + 1);
    let each = PLY + if args.html.is_some() { PICTURE } else { 0 };
    held.push(room_for(session, plies.sum(), each)?);
    // A solve for one game serves the games after it.
    let queries = variants
        .iter()
        .map(|variant| session.tablebase.queries(variant, &options))
        .collect::<Result<Vec<_>, _>>()?;
    for one in played {
        let of_game = |known: &Arc<Variant>| Arc::ptr_eq(known, &one.variant);
        let Some(queries) = variants.iter().position(of_game).map(|at| &queries[at]) else {
            continue;
        };
        let place = Place {
            position: one.position.as_deref(),
            moves: Some(&one.moves),
        };
        match review_by(queries, &place) {
            Ok(review) => {
                let game = GameReview {
                    file: one.file,
                    game: one.game,
                    first: one.first,
                    second: one.second,
                    review,
                };
                if session.json {
                    print_json(&game)?;
                }
                games.push((game, one.variant));
            }
            Err(error) => {
                bad += 1;
                tell_bad(session, &one.file, one.game, &error.into())?;
            }
        }
    }
    if games.is_empty() && (args.html.is_some() || args.practice.is_some()) {
        bail!("no game could be read, so no file is written; mend the games, or name other files");
    }
    let players = season(&games);
    if let Some(path) = &args.practice {
        write_file(path, practised(session, &games)?)?;
        tell_written(session, path);
    }
    let words = session.language;
    if let Some(path) = &args.html {
        write_file(path, page(words, &games, bad, &players))?;
        tell_written(session, path);
    }
    if session.json {
        players.iter().try_for_each(print_json)?;
    } else if args.html.is_none() && standard == [false; 2] && (bad == 0 || !games.is_empty()) {
        print(&text(words, &games, &players))?;
    }
    Ok(match bad {
        0 => CommandVerdict::Done,
        _ => CommandVerdict::SomeFailed,
    })
}

/// The variant that was named, if one was, and the files.
fn targets<'a>(session: &Session, args: &'a ReviewArgs) -> Result<(Option<Variant>, Vec<&'a str>)> {
    let is_file = |name: &str| name == "-" || std::fs::metadata(name).is_ok_and(|it| !it.is_dir());
    let first = args.variant.as_str();
    let rest = args.position.iter().map(String::as_str);
    let is_rules = greenwave_tablebase::is_rule_file(first);
    let (asked, files): (_, Vec<&str>) = if is_file(first) && !is_rules {
        (None, std::iter::once(first).chain(rest).collect())
    } else {
        let asked = session.variant(first);
        if asked.is_err() && !is_rules && looks_like_a_file(first) {
            bail!("there is no file '{first}'; {WAY_OUT}");
        }
        (Some(asked?), rest.collect())
    };
    if files.is_empty() {
        bail!(
            "name the moves or files of records; 'greenwave review {first} --moves b2R,b2Y' reviews one \
             game, 'greenwave review {first} FILE' those of a file"
        );
    }
    if let Some(missing) = files.iter().find(|name| !is_file(name)) {
        bail!("there is no file '{missing}'; {WAY_OUT}");
    }
    Ok((asked, files))
}

fn read(
    session: &Session,
    asked: Option<&Variant>,
    file: &str,
    game: usize,
    saved: RecordText,
    variants: &mut Vec<Arc<Variant>>,
) -> Result<SeasonGame> {
    saved.expect_present_version()?;
    if saved.is_empty() {
        bail!("the record has no moves; write them below its first lines, one a line");
    }
    let asked = match (asked, &saved.variant) {
        (Some(asked), _) => asked.clone(),
        (None, Some(name)) => read_variant(name)?,
        (None, None) => {
            return Err(anyhow!(
                "the record does not say which game it is; write '# variant NAME' above the moves, or \
                 name the game before the files: 'greenwave review NAME {file}'"
            ));
        }
    };
    let first = saved.first.clone().unwrap_or_else(|| "first".into());
    let second = saved.second.clone().unwrap_or_else(|| "second".into());
    let given = ReviewInput::of(session, &asked, saved, None)?;
    let of = |variant: &Variant| (variant.rules().hash, variant.rules().lights);
    let known = variants
        .iter()
        .find(|known| of(known) == of(&given.variant));
    let variant = match known {
        Some(known) => Arc::clone(known),
        None => {
            variants.push(Arc::new(given.variant));
            Arc::clone(&variants[variants.len() - 1])
        }
    };
    Ok(SeasonGame {
        file: file.into(),
        game,
        first,
        second,
        variant,
        position: given.position,
        moves: given.moves,
    })
}

fn tell_bad(session: &Session, file: &str, game: usize, error: &anyhow::Error) -> Result<()> {
    let error = crate::output::shortened(&format!("{error:#}"));
    if session.json {
        return print_json(&BadGame {
            schema: SCHEMA,
            file,
            game,
            error,
        });
    }
    complain(&format!("error: {file}, game {game}: {error}"));
    Ok(())
}

/// The positions of all mistakes as puzzles, one document a line, each once.
fn practised(session: &Session, games: &[(GameReview, Arc<Variant>)]) -> Result<String> {
    let mut seen = HashSet::new();
    let mut text = String::new();
    for (game, variant) in games {
        let plies = game.review.plies.iter();
        for ply in plies.filter(|ply| ply.mark == MoveMark::Mistake) {
            if !seen.insert((variant.rules().hash, ply.at)) {
                continue;
            }
            let at = At::new(Arc::clone(variant), ply.at);
            if let Some(puzzle) = practice(&session.tablebase, &at)? {
                text.push_str(&serde_json::to_string(&puzzle)?);
                text.push('\n');
            }
        }
    }
    Ok(text)
}

/// The rows of the table of players, headings first.
fn rows(words: Language, players: &[PlayerReview]) -> Vec<Vec<String>> {
    let mut rows = vec![vec![
        words.text("season-player").to_string(),
        words.text("season-games").to_string(),
        words.text("season-accuracy").to_string(),
        words.text("season-opening").to_string(),
        words.text("season-middle").to_string(),
        words.text("season-end").to_string(),
    ]];
    rows.extend(players.iter().map(|player| {
        vec![
            name(words, &player.player),
            player.games.to_string(),
            player.accuracy.map_or_else(String::new, |share| {
                words.decimals(&format!("{:.1} %", 100.0 * share))
            }),
            player.lost_in.opening.to_string(),
            player.lost_in.middle.to_string(),
            player.lost_in.end.to_string(),
        ]
    }));
    rows
}

/// The name of a player; of one without a name, the side.
fn name(words: Language, player: &str) -> String {
    match player {
        "first" | "second" => by(words, player).into(),
        name => name.into(),
    }
}

/// The mistakes that a player repeats, a line each.
fn repeated(words: Language, player: &PlayerReview) -> Vec<String> {
    let each = player.repeated.iter().map(|repeated| {
        let times = repeated.times.to_string();
        let fillings = [
            ("move", repeated.mv.as_str()),
            ("position", &repeated.position),
            ("times", &times),
        ];
        let key = if repeated.times == 2 {
            "season-twice"
        } else {
            "season-times"
        };
        words.filled(key, &fillings)
    });
    each.collect()
}

/// A mistake in a line.
fn mistake(words: Language, game: &GameReview, ply: &ReviewPly) -> String {
    let player = match ply.by {
        "first" => &game.first,
        _ => &game.second,
    };
    let fillings = [
        ("ply", ply.ply.to_string()),
        ("move", ply.mv.clone()),
        ("by", name(words, player)),
        ("note", note(words, ply)),
    ];
    let fillings = fillings
        .each_ref()
        .map(|(place, text)| (*place, text.as_str()));
    words.filled("season-mistake", &fillings)
}

fn mistakes(game: &GameReview) -> impl Iterator<Item = &ReviewPly> {
    let plies = game.review.plies.iter();
    plies.filter(|ply| ply.mark == MoveMark::Mistake)
}

/// The name of a game: the file, and which of its games.
fn title(words: Language, game: &GameReview) -> String {
    let length = words.plies(game.review.plies.len() as u32);
    let fillings = [("name", game.review.variant.as_str()), ("length", &length)];
    format!(
        "{} {}: {} \u{2013} {}; {}",
        game.file,
        game.game,
        name(words, &game.first),
        name(words, &game.second),
        words.filled("review-title", &fillings)
    )
}

fn text(words: Language, games: &[(GameReview, Arc<Variant>)], players: &[PlayerReview]) -> String {
    let mut text = String::new();
    for (game, _) in games {
        let _ = writeln!(text, "{}", title(words, game));
        let made = game.review.plies.iter().map(|ply| ply.mv.as_str());
        if let Some(note) = swap_note(words, made) {
            text.push_str(&wrapped("  ", 2, note));
        }
        let mut found = mistakes(game).peekable();
        if found.peek().is_none() {
            let _ = writeln!(text, "  {}", words.text("no-mistakes"));
        }
        for ply in found {
            text.push_str(&wrapped("  ", 6, &mistake(words, game, ply)));
        }
    }
    let _ = writeln!(text);
    text.push_str(&columns(&rows(words, players), 2, &[1, 2, 3, 4, 5]));
    let _ = writeln!(text, "\n  {}:", words.text("season-repeated"));
    let before = text.len();
    for player in players {
        for line in repeated(words, player) {
            let line = format!("{}: {line}", name(words, &player.player));
            text.push_str(&wrapped("  ", 4, &line));
        }
    }
    if text.len() == before {
        let _ = writeln!(text, "  {}", words.text("season-none"));
    }
    let _ = writeln!(text);
    text.push_str(&wrapped("  ", 2, words.text("season-note")));
    text
}

/// The review as a page: the table of players, then each game with a picture of each mistake. It says how
/// many games are bad and left out.
fn page(
    words: Language,
    games: &[(GameReview, Arc<Variant>)],
    bad: usize,
    players: &[PlayerReview],
) -> String {
    let bad = match bad {
        0 => String::new(),
        bad => format!(" {}", words.with("season-unread", bad)),
    };
    let heading = escaped(words.text("season-title"));
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{heading}</title>\n<style>\n\
         body {{ font: 11pt/1.4 sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }}\n\
         table {{ border-collapse: collapse; }}\nth, td {{ padding: 0.3rem 0.8rem; text-align: right; \
         border-bottom: 1px solid #999; }}\nth:first-child, td:first-child {{ text-align: left; }}\n\
         .mistakes {{ display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: 1rem; \
         }}\nfigure {{ margin: 0; break-inside: avoid; }}\nsvg {{ width: 100%; height: auto; }}\n\
         </style>\n</head>\n<body>\n<h1>{heading}</h1>\n<p>{}</p>\n<table>\n",
        words.code(),
        escaped(&format!(
            "{}{bad}",
            words.with("season-games-of", games.len())
        ))
    );
    for (number, row) in rows(words, players).iter().enumerate() {
        let cell = if number == 0 { "th" } else { "td" };
        let cells: String = row
            .iter()
            .map(|text| format!("<{cell}>{}</{cell}>", escaped(text)))
            .collect();
        let _ = writeln!(page, "<tr>{cells}</tr>");
    }
    let _ = writeln!(
        page,
        "</table>\n<p>{}</p>\n<h2>{}</h2>\n<ul>",
        escaped(words.text("season-note")),
        escaped(words.text("season-repeated"))
    );
    for player in players {
        for line in repeated(words, player) {
            let name = name(words, &player.player);
            let _ = writeln!(page, "<li>{}: {}</li>", escaped(&name), escaped(&line));
        }
    }
    page.push_str("</ul>\n");
    for (game, variant) in games {
        let _ = writeln!(
            page,
            "<h2>{}</h2>\n<div class=\"mistakes\" role=\"group\" aria-label=\"{}\">",
            escaped(&title(words, game)),
            escaped(words.text("season-mistakes"))
        );
        for ply in mistakes(game) {
            let said = escaped(&mistake(words, game, ply));
            let _ = writeln!(
                page,
                "<figure>{}<figcaption>{said}</figcaption></figure>",
                board::printed(words, &variant.diagram(&ply.at), &ply.from)
            );
        }
        page.push_str("</div>\n");
        if mistakes(game).next().is_none() {
            let _ = writeln!(page, "<p>{}</p>", escaped(words.text("no-mistakes")));
        }
    }
    page.push_str("</body>\n</html>\n");
    page
}
