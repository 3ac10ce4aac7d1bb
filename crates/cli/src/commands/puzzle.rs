//! `puzzle`: positions with one move that wins, or saves a draw.

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use greenwave_game::{Variant, plural};
use greenwave_play::{Puzzle, PuzzleOptions, no_puzzles, practice, puzzles};
use greenwave_tablebase::{Course, Place, is_count_line};
use greenwave_words::Language;

use super::review::text_of;
use super::{drill, sheet};
use crate::args::{PuzzleArgs, Solutions};
use crate::output::{PageAndPicture, board, print, print_json, wrapped};
use crate::session::{CommandVerdict, Session};

/// Longest file of positions, in bytes.
const LONGEST: u64 = 1 << 20;
/// Bytes that a puzzle takes, roughly.
const PUZZLE: u128 = 1 << 10;

pub(super) fn run(session: &Session, args: &PuzzleArgs) -> Result<CommandVerdict> {
    let variant = session.variant(&args.variant)?;
    let files = PageAndPicture::new(
        args.html.as_deref(),
        args.svg.as_deref(),
        session.json,
        "--html, --svg and --json",
    )?;
    let given = match &args.from {
        Some(file) => Some(given(session, &variant, file)?),
        None => None,
    };
    if args.play {
        return drill::run(session, args, &variant, given);
    }
    let found = match given {
        Some(mut given) => {
            given.truncate(args.count.unwrap_or(usize::MAX));
            given
        }
        None => match sought(session, args, &variant)? {
            Some(found) => found,
            None => return Ok(CommandVerdict::No),
        },
    };
    if session.json && files.is_empty() && args.solutions.is_some() {
        bail!(
            "--solutions is for puzzles that people read; leave it out: each document has its solution"
        );
    }
    let words = session.language;
    if !files.is_empty() {
        let _room = sheet::room_for(session, &variant, found.iter())?;
        let solutions = args.solutions.unwrap_or_default();
        let sheet = sheet::of_puzzles(words, &variant, &found, solutions);
        files.write(session, || sheet.html(), || sheet.svg())?;
    }
    if session.json {
        for puzzle in &found {
            print_json(puzzle)?;
        }
    } else if files.is_empty() {
        print(&text(words, &variant, &found, args.solutions))?;
    }
    Ok(CommandVerdict::Done)
}

/// Puzzles among the positions of the game; `None`, with a message, where there are none.
fn sought(session: &Session, args: &PuzzleArgs, variant: &Variant) -> Result<Option<Vec<Puzzle>>> {
    let options = PuzzleOptions {
        count: args.count.unwrap_or(1),
        seed: args.seed,
        level: args.level,
        theme: args.theme,
    };
    let found = puzzles(&session.tablebase, variant, &options)?;
    if found.is_empty() {
        let rules = variant.rules();
        let why = no_puzzles(rules, args.level, args.theme, found.are_all);
        session.tell(&format!("greenwave: {why}"));
        return Ok(None);
    }
    if found.len() < options.count {
        let number = found.len();
        session.remark(&if found.are_all {
            let are = plural(number, "is", "are");
            format!("greenwave: there {are} only {number} of them")
        } else {
            format!("greenwave: found only {number} of them in a sample of positions")
        });
    }
    Ok(Some(found.to_vec()))
}

/// The positions of a file as puzzles: one a line, as text or in a document.
fn given(session: &Session, variant: &Variant, file: &Path) -> Result<Vec<Puzzle>> {
    let text = text_of(file, LONGEST, "a position a line")
        .with_context(|| format!("cannot read the positions of '{}'", file.display()))?;
    let what = format!("the puzzles of '{}'", file.display());
    let needed = text.lines().count() as u128 * PUZZLE;
    let tablebase = &session.tablebase;
    let _held = tablebase.reserve(needed, &what, ", or name fewer positions")?;
    let mut found = Vec::new();
    let variant = Arc::new(variant.clone());
    for (line, number) in text.lines().zip(1..) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') || is_count_line(line) {
            continue;
        }
        let puzzle = Course::read(&variant, &Place::at(line))
            .and_then(|course| practice(&session.tablebase, &course.last()))
            .with_context(|| format!("'{}', line {number}", file.display()))?;
        found.extend(puzzle);
    }
    if found.is_empty() {
        bail!(
            "'{}' has no position in which one move is better than another; name a file that has",
            file.display()
        );
    }
    Ok(found)
}

/// How hard a puzzle is, and what it is about.
fn grade(words: Language, puzzle: &Puzzle) -> String {
    let themes = puzzle.themes.iter().map(|theme| words.text(theme.key()));
    let level = puzzle.level.to_string();
    std::iter::once(level.as_str())
        .chain(themes)
        .collect::<Vec<_>>()
        .join(", ")
}

/// Puzzles on a terminal.
fn text(
    words: Language,
    variant: &Variant,
    puzzles: &[Puzzle],
    solutions: Option<Solutions>,
) -> String {
    let mut text = String::new();
    let labels = ["position", "label-solution"].map(|key| words.text(key));
    for (number, puzzle) in puzzles.iter().enumerate() {
        let head = words.filled(
            "puzzle-head",
            &[
                ("name", variant.rules().title()),
                ("number", &(number + 1).to_string()),
                ("task", &puzzle.task(words, variant)),
                ("level", &grade(words, puzzle)),
            ],
        );
        let _ = writeln!(
            text,
            "{head}\n\n{}\n  {:<9} {}",
            board::draw(words, &puzzle.diagram(variant)),
            labels[0],
            puzzle.position
        );
        if solutions.is_none() {
            let moves = puzzle.solution.join(" ");
            let _ = writeln!(text, "  {:<9} {moves}", labels[1]);
        }
        text.push('\n');
    }
    if solutions == Some(Solutions::End) {
        let _ = writeln!(text, "{}", words.text("solutions"));
        for (puzzle, number) in puzzles.iter().zip(1..) {
            let _ = writeln!(text, "  {number}. {}", puzzle.solution.join(" "));
        }
        text.push('\n');
    }
    if let Some(puzzle) = puzzles.first() {
        let key = board::key(words, &puzzle.diagram(variant));
        text.push_str(&wrapped("", 2, &key));
    }
    text
}
