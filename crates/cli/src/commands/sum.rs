//! `sum`: several boards at once.

use std::collections::HashMap;
use std::fmt::Write;

use anyhow::{Context, Result, bail};
use greenwave_game::{Colours, Game, Metric, Variant, with_game};
use greenwave_probe::{Summand, best_of_sum, nimber_of_sum, summand};
use serde::Serialize;

use super::query::position_or_start;
use crate::holdings::{Holdings, Prepared};
use crate::output::json::{SCHEMA, SourceJson};
use crate::output::{board, columns, print, print_json};
use crate::session::{Session, Verdict};

#[derive(Serialize)]
struct SumJson<'a> {
    schema: u32,
    boards: Vec<BoardJson<'a>>,
    nimber: u32,
    value: &'static str,
    best: Vec<BestJson<'a>>,
}

#[derive(Serialize)]
struct BoardJson<'a> {
    variant: &'a str,
    position: &'a str,
    nimber: u32,
    terminal: bool,
    /// `None` of a finished board: that follows from the rules.
    source: Option<&'a SourceJson>,
}

#[derive(Serialize)]
struct BestJson<'a> {
    /// Place in `boards`, from 0.
    board: usize,
    #[serde(rename = "move")]
    mv: &'a str,
    /// Nimber that the move leaves on its board.
    leaves: u32,
}

/// A board as it was asked for.
struct Asked<'a> {
    variant: Variant,
    /// Text of the position; the start if there is none.
    position: Option<&'a str>,
    colours: Colours,
    terminal: bool,
}

/// A board with its nimbers.
struct Board {
    variant: String,
    position: String,
    colours: Colours,
    terminal: bool,
    summand: Summand<String>,
    source: Option<SourceJson>,
}

pub(super) fn run(session: &Session, texts: &[String]) -> Result<Verdict> {
    let mut asked = Vec::with_capacity(texts.len());
    for (number, text) in texts.iter().enumerate() {
        let board = ask(session, text).with_context(|| format!("board {}", number + 1))?;
        asked.push(board);
    }
    let boards = answer(session, &asked)?;
    let summands: Vec<&Summand<String>> = boards.iter().map(|board| &board.summand).collect();
    let nimber = nimber_of_sum(summands.iter().map(|summand| summand.nimber));
    let best = best_of_sum(&summands);
    if session.json {
        print_json(&document(&boards, nimber, &best))?;
    } else {
        print(&picture(&boards, nimber, &best)?)?;
    }
    Ok(Verdict::Done)
}

/// Reads `VARIANT[=POSITION]`.
fn ask<'a>(session: &Session, text: &'a str) -> Result<Asked<'a>> {
    let (name, position) = split(text);
    let (variant, colours) = session.variant(name)?;
    let rules = variant.rules();
    if !rules.metrics.contains(&Metric::Nimber) {
        bail!(
            "{} has no nimbers, so it cannot be played together with other boards; games have them \
             where a completed line wins and means the same as no further move: classic, signal \
             and green boards with lines, play=normal and supply=unlimited, and rule files like \
             them",
            rules.name
        );
    }
    let terminal = with_game!(&variant, game => {
        game.ending(&position_or_start(game, position, colours)?).is_some()
    });
    Ok(Asked {
        variant,
        position,
        colours,
        terminal,
    })
}

/// Cuts a board's text into the variant and the position: the position follows the first `=` that
/// belongs to no option and to no name of a file.
fn split(text: &str) -> (&str, Option<&str>) {
    let cut = |at: usize| (&text[..at], Some(&text[at + 1..]));
    const FILE: &str = ".toml=";
    if let Some(at) = text.find(FILE) {
        return cut(at + FILE.len() - 1);
    }
    if text.ends_with(".toml") {
        return (text, None);
    }
    let mut from = match (text.find(':'), text.find('=')) {
        (Some(colon), Some(equals)) if colon < equals => colon + 1,
        (_, Some(equals)) => return cut(equals),
        (_, None) => return (text, None),
    };
    // Options, key=value with commas between.
    loop {
        let Some(value) = text[from..].find('=').map(|at| from + at + 1) else {
            return (text, None);
        };
        match text[value..].find([',', '=']).map(|at| value + at) {
            Some(end) if text[end..].starts_with('=') => return cut(end),
            Some(comma) => from = comma + 1,
            None => return (text, None),
        }
    }
}

/// Finds the nimbers; everything that can be refused is refused before the first solve, and of two
/// boards with the same rules the values are had once.
fn answer(session: &Session, asked: &[Asked<'_>]) -> Result<Vec<Board>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut places = HashMap::new();
    for (number, board) in asked.iter().enumerate() {
        let place = *places.entry(board.variant.rules().hash).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[place].push(number);
    }
    let mut prepared = Vec::with_capacity(groups.len());
    for group in &groups {
        let open = group.iter().any(|number| !asked[*number].terminal);
        let metrics: &[Metric] = if open { &[Metric::Nimber] } else { &[] };
        let variant = &asked[group[0]].variant;
        prepared.push(Prepared::new(session, variant, metrics)?);
    }
    let mut boards: Vec<(usize, Board)> = Vec::with_capacity(asked.len());
    for (group, prepared) in groups.iter().zip(prepared) {
        // Dropped before the next variant is solved.
        let holdings = prepared.solve(session)?;
        for number in group {
            boards.push((*number, look_up(session, &asked[*number], &holdings)?));
        }
    }
    boards.sort_by_key(|(number, _)| *number);
    Ok(boards.into_iter().map(|(_, board)| board).collect())
}

fn look_up(session: &Session, asked: &Asked<'_>, holdings: &Holdings) -> Result<Board> {
    // JSON has one order of the lights for all.
    let colours = if session.json {
        Colours::Ryg
    } else {
        asked.colours
    };
    with_game!(&asked.variant, game => {
        let position = position_or_start(game, asked.position, asked.colours)?;
        let name = game.rules().name.clone();
        let found = summand(game, &position, &holdings.source(game)?)?;
        let found = found.with_context(|| format!("found no nimber of {name}; please report this"))?;
        let text = |(mv, left)| (game.move_text(&position, mv, colours), left);
        Ok(Board {
            variant: name,
            position: game.position_text(&position, colours),
            colours,
            terminal: asked.terminal,
            summand: Summand {
                nimber: found.nimber,
                moves: found.moves.into_iter().map(text).collect(),
            },
            source: (!asked.terminal).then(|| holdings.source_of(Metric::Nimber)),
        })
    })
}

fn document<'a>(boards: &'a [Board], nimber: u32, best: &[(usize, usize)]) -> SumJson<'a> {
    SumJson {
        schema: SCHEMA,
        boards: boards
            .iter()
            .map(|board| BoardJson {
                variant: &board.variant,
                position: &board.position,
                nimber: board.summand.nimber,
                terminal: board.terminal,
                source: board.source.as_ref(),
            })
            .collect(),
        nimber,
        value: if nimber == 0 { "loss" } else { "win" },
        best: best
            .iter()
            .map(|(place, number)| {
                let (mv, leaves) = &boards[*place].summand.moves[*number];
                BestJson {
                    board: *place,
                    mv,
                    leaves: *leaves,
                }
            })
            .collect(),
    }
}

fn picture(boards: &[Board], nimber: u32, best: &[(usize, usize)]) -> Result<String> {
    let bold = anstyle::Style::new().bold();
    let sentence = match (nimber, best.is_empty()) {
        (0, true) => "the game is over: the player to move has lost",
        (0, false) => "the player to move loses",
        _ => "the player to move wins",
    };
    let count = match boards.len() {
        1 => "1 board".to_string(),
        many => format!("{many} boards"),
    };
    let mut text = String::new();
    writeln!(text, "{count}: {bold}{sentence}{bold:#}\n")?;
    let mut rows: Vec<Vec<String>> = boards
        .iter()
        .enumerate()
        .map(|(number, board)| {
            let finished = if board.terminal { "finished" } else { "" };
            vec![
                format!("{}.", number + 1),
                board.variant.clone(),
                board.position.clone(),
                format!("nimber {}", board.summand.nimber),
                finished.into(),
            ]
        })
        .collect();
    rows.push(vec![
        String::new(),
        "all together".into(),
        String::new(),
        format!("nimber {nimber}"),
    ]);
    text.push_str(&columns(&rows, 2, &[0]));
    if nimber != 0 {
        writeln!(
            text,
            "\n  Winning moves, which leave nimber 0 all together:"
        )?;
        let rows: Vec<Vec<String>> = best
            .iter()
            .map(|(place, number)| {
                let (mv, leaves) = &boards[*place].summand.moves[*number];
                vec![
                    format!("board {}", place + 1),
                    mv.clone(),
                    format!("leaves nimber {leaves} there"),
                ]
            })
            .collect();
        text.push_str(&columns(&rows, 5, &[]));
    } else if !best.is_empty() {
        writeln!(
            text,
            "\n  Every move loses: the opponent can always leave nimber 0 again."
        )?;
    }
    writeln!(
        text,
        "\n  Whoever makes the last move of all wins; a finished board has no more moves."
    )?;
    text.push_str(&legends(boards));
    for source in sources(boards) {
        writeln!(text, "  Source: {source}")?;
    }
    Ok(text)
}

/// The order of the lights, board by board where it is not the same on all.
fn legends(boards: &[Board]) -> String {
    let mut text = String::new();
    for colours in [Colours::Ryg, Colours::Gyr] {
        let drawn: Vec<String> = (1..)
            .zip(boards)
            .filter(|(_, board)| board.colours == colours)
            .map(|(number, _): (usize, _)| number.to_string())
            .collect();
        let legend = board::legend(colours);
        if drawn.len() == boards.len() {
            text.push_str(&format!("  {legend}\n"));
        } else if !drawn.is_empty() {
            let s = if drawn.len() == 1 { "" } else { "s" };
            text.push_str(&format!("  Board{s} {}:\n    {legend}\n", drawn.join(", ")));
        }
    }
    text
}

/// Where the nimbers come from, each source once.
fn sources(boards: &[Board]) -> Vec<String> {
    let mut named = Vec::new();
    for source in boards.iter().filter_map(|board| board.source.as_ref()) {
        let name = source.in_words();
        if !named.contains(&name) {
            named.push(name);
        }
    }
    named
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_position_follows_the_name_and_its_options() {
        assert_eq!(split("classic-3x3"), ("classic-3x3", None));
        assert_eq!(split("classic-3x3=R../.."), ("classic-3x3", Some("R../..")));
        assert_eq!(split("classic-3x3="), ("classic-3x3", Some("")));
        assert_eq!(
            split("green-3x3:play=normal"),
            ("green-3x3:play=normal", None)
        );
        assert_eq!(
            split("green-3x3:play=normal,supply=unlimited=R../.../..."),
            (
                "green-3x3:play=normal,supply=unlimited",
                Some("R../.../...")
            )
        );
        assert_eq!(
            split("slider=.../.../...+...@E,barred"),
            ("slider", Some(".../.../...+...@E,barred"))
        );
        assert_eq!(split("a=b/game.toml"), ("a=b/game.toml", None));
        assert_eq!(split("a=b/game.toml=RY."), ("a=b/game.toml", Some("RY.")));
        assert_eq!(split("classic-3x3:"), ("classic-3x3:", None));
        assert_eq!(split("classic-3x3:play"), ("classic-3x3:play", None));
        assert_eq!(split(""), ("", None));
    }
}
