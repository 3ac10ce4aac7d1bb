//! Play line by line: for programs, and where there is no terminal.

use std::io::IsTerminal;

use anyhow::Result;
use greenwave_play::{By, PlyDocument, ResultDocument, Seat, swap_note};
use greenwave_tablebase::{MoveFigures, SCHEMA};
use serde::Serialize;

use super::{FreshPly, PlaySession};
use crate::lines::InputLines;
use crate::output::{board, columns, complain, print, print_json, wrapped};
use crate::session::CommandVerdict;

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::commands) struct HintJson {
    /// Version of the document.
    schema: u32,
    /// The variant.
    variant: String,
    /// The order of its lights; `None` where it has none.
    lights: Option<&'static str>,
    /// The hint in words.
    hint: String,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::commands) struct ValuesJson<'a> {
    /// Version of the document.
    schema: u32,
    /// The variant.
    variant: String,
    /// The order of its lights; `None` where it has none.
    lights: Option<&'static str>,
    /// The moves with what they are worth, best first.
    values: &'a [MoveFigures],
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::commands) struct MovesJson {
    /// Version of the document.
    schema: u32,
    /// The variant.
    variant: String,
    /// The order of its lights; `None` where it has none.
    lights: Option<&'static str>,
    /// The legal moves.
    moves: Vec<String>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::commands) struct UndoneJson<'a> {
    /// Version of the document.
    schema: u32,
    /// The variant.
    variant: String,
    /// The order of its lights; `None` where it has none.
    lights: Option<&'static str>,
    /// Plies that were taken back.
    undone: usize,
    /// The position now.
    position: &'a str,
}

/// How play went on after a line.
enum LineResult {
    Moved,
    Stayed,
    Ended(&'static str),
}

pub(super) fn run(play: &mut PlaySession<'_>) -> Result<CommandVerdict> {
    if !play.session.json {
        let level = play.level;
        let who = match play.human {
            [true, true] => "game-two",
            [false, false] => "game-none",
            _ => "game-one",
        };
        let words = play.session.language;
        let fillings = [
            ("name", play.variant.rules().title()),
            ("who", words.text(who)),
            ("level", words.text(super::level_key(level))),
            ("seed", &play.seed.to_string()),
        ];
        let letters = board::key(words, &play.record.here().diagram());
        let intro = words.filled("game-intro", &fillings);
        let letters = wrapped("", 2, &letters);
        print(&format!("{intro}\n{letters}\n"))?;
        for drawn in play.record.drawn() {
            print(&format!("  {}\n", words.with("game-drawn", drawn)))?;
        }
        show(play)?;
    }
    let input = InputLines::begin(1);
    let mut hints_given = 0;
    loop {
        if let Some(end) = play.record.end() {
            let verdict = finish(play, end.winner.map_or("draw", Seat::name))?;
            // A program has heard the result, and may wait for the end of the command.
            if play.session.json || play.human == [false; 2] || !goes_on(play, &input)? {
                return Ok(verdict);
            }
            hints_given = 0;
            continue;
        }
        if !play.humans_turn() {
            let made = play.machine_move()?;
            tell(play, &made)?;
            hints_given = 0;
            continue;
        }
        if play.hints && hints_given == 0 {
            hints_given = 1;
            give_hint(play, hints_given)?;
        }
        play.think_ahead();
        let cancelled = || play.session.tablebase.progress().cancelled();
        let read = match input.next(cancelled) {
            Err(_) if cancelled() => {
                finish(play, "quit")?;
                return Ok(CommandVerdict::Interrupted);
            }
            read => read?,
        };
        let Some(line) = read.first() else {
            return finish(play, "quit");
        };
        if let Some(fault) = line.fault {
            complain(&format!("greenwave: {fault}; type a move or a word"));
            continue;
        }
        match answer(play, line.text.trim(), &mut hints_given)? {
            LineResult::Moved => hints_given = 0,
            LineResult::Stayed => {}
            LineResult::Ended(result) => return finish(play, result),
        }
    }
}

/// Does what people say once a game is over: another one, a review, a move taken back. Whether a game goes on
/// then.
fn goes_on(play: &mut PlaySession<'_>, input: &InputLines) -> Result<bool> {
    let session = play.session;
    let words = session.language;
    let keys = words.text("screen-over");
    if std::io::stdin().is_terminal() {
        print(&format!("{keys}\n"))?;
    }
    let cancelled = || session.tablebase.progress().cancelled();
    loop {
        let read = match input.next(cancelled) {
            Err(_) if cancelled() => return Ok(false),
            read => read?,
        };
        let Some(line) = read.first() else {
            return Ok(false);
        };
        match line.text.trim().to_lowercase().as_str() {
            "" => {}
            "q" | "quit" | "exit" => return Ok(false),
            "r" | "review" => print(&format!("\n{}", play.review()?))?,
            "n" | "new" if play.file.is_some() => {
                complain(&format!("greenwave: {}", words.text("screen-recorded")));
            }
            "n" | "new" => {
                play.begin_again();
                print(&format!("{}\n\n", words.with("screen-again", play.seed)))?;
                show(play)?;
                return Ok(true);
            }
            "u" | "undo" => {
                answer(play, "undo", &mut 0)?;
                if play.record.end().is_none() {
                    return Ok(true);
                }
            }
            _ => complain(&format!("greenwave: {keys}")),
        }
    }
}

/// Does what a line says.
fn answer(play: &mut PlaySession<'_>, line: &str, hints_given: &mut usize) -> Result<LineResult> {
    match line.to_lowercase().as_str() {
        "" => return Ok(LineResult::Stayed),
        "q" | "quit" | "exit" => return Ok(LineResult::Ended("quit")),
        "resign" => return Ok(LineResult::Ended("resigned")),
        "hint" => {
            *hints_given += 1;
            give_hint(play, *hints_given)?;
        }
        "values" => give_values(play)?,
        "moves" => {
            let moves = play.record.legal();
            let lights = play.lights();
            if play.session.json {
                print_json(&MovesJson {
                    schema: SCHEMA,
                    variant: play.title(),
                    lights,
                    moves,
                })?;
            } else {
                print(&format!("  {}\n", moves.join(" ")))?;
            }
        }
        "u" | "undo" => {
            let undone = play.undo()?;
            *hints_given = 0;
            if undone == 0 {
                let said = play.session.language.text("game-no-undo");
                complain(&format!("greenwave: {said}"));
            } else if play.session.json {
                let position = play.record.position();
                print_json(&UndoneJson {
                    schema: SCHEMA,
                    variant: play.title(),
                    lights: play.lights(),
                    undone,
                    position: &position,
                })?;
            } else {
                let said = play.session.language.with("game-undone", undone);
                print(&format!("  {said}\n\n"))?;
                show(play)?;
            }
        }
        _ => match play.human_move(line) {
            Ok(made) => {
                tell(play, &made)?;
                return Ok(LineResult::Moved);
            }
            // The record that cannot be written ends the game; a wrong line does not.
            Err(error) if error.is::<greenwave_tablebase::Error>() => {
                complain(&format!(
                    "greenwave: {error}; or one of hint, values, moves, undo, resign, quit"
                ));
            }
            Err(error) => return Err(error),
        },
    }
    Ok(LineResult::Stayed)
}

fn give_hint(play: &mut PlaySession<'_>, step: usize) -> Result<()> {
    let words = play.session.language;
    let text = play.hint(step)?.said(words);
    let lights = play.lights();
    if play.session.json {
        print_json(&HintJson {
            schema: SCHEMA,
            variant: play.title(),
            lights,
            hint: text,
        })
    } else {
        print(&format!("  {}\n", words.with("game-hint", text)))
    }
}

fn give_values(play: &mut PlaySession<'_>) -> Result<()> {
    if play.session.json {
        let (variant, lights) = (play.title(), play.lights());
        let values = &play.answer()?.moves;
        return print_json(&ValuesJson {
            schema: SCHEMA,
            variant,
            lights,
            values,
        });
    }
    let rows: Vec<Vec<String>> = play
        .values()?
        .into_iter()
        .map(|value| {
            let mark = if value.best { "*" } else { " " };
            vec![mark.into(), value.mv, value.worth]
        })
        .collect();
    let standing = play.standing()?;
    print(&format!("  {standing}\n{}", columns(&rows, 2, &[])))
}

/// Tells of a ply.
fn tell(play: &mut PlaySession<'_>, made: &FreshPly) -> Result<()> {
    if play.session.json {
        return print_json(&ply(play, made)?);
    }
    let words = play.session.language;
    if made.by_machine {
        let opinion = if made.opinion {
            format!(", {}", words.text("game-opinion"))
        } else {
            String::new()
        };
        print(&format!(
            "  {}{opinion}\n",
            words.with("game-plays", &made.mv)
        ))?;
    }
    for drawn in &made.drawn {
        print(&format!("  {}\n", words.with("game-drawn", drawn)))?;
    }
    print("\n")?;
    show(play)
}

/// The document of a ply that has just been made.
pub(super) fn ply(play: &mut PlaySession<'_>, made: &FreshPly) -> Result<PlyDocument> {
    let answer = play.answer()?.clone();
    let by = if made.by_machine {
        By::Machine
    } else {
        By::Human
    };
    Ok(PlyDocument::new(&play.record, &answer, by, made.opinion))
}

/// Draws the position.
fn show(play: &PlaySession<'_>) -> Result<()> {
    let words = play.session.language;
    let diagram = play.record.here().diagram();
    let note = swap_note(
        words,
        play.record.turns().iter().map(|turn| turn.mv.as_str()),
    );
    let note = note.map_or(String::new(), |note| wrapped("  ", 2, note));
    print(&format!("{}{note}\n", board::draw(words, &diagram)))
}

fn finish(play: &PlaySession<'_>, result: &'static str) -> Result<CommandVerdict> {
    if play.session.json {
        print_json(&ResultDocument::new(&play.record, result, play.seed))?;
    } else {
        let said = play.farewell(result == "resigned");
        print(&format!("{said}{}\n", play.kept()))?;
    }
    Ok(CommandVerdict::Done)
}
