//! `sum`: several boards at once.

use std::fmt::Write;

use anyhow::{Context, Result};
use greenwave_game::{Variant, plural};
use greenwave_tablebase::{MisereSum, Place, Sum, Value, misere_sum, read_board};

use crate::args::SumArgs;
use crate::output::{columns, counted};
use crate::report::DocumentReport;
use crate::session::{CommandVerdict, Session};

pub(super) fn run(session: &Session, args: &SumArgs) -> Result<CommandVerdict> {
    let mut boards: Vec<(Variant, Place<'_>)> = Vec::with_capacity(args.boards.len());
    for (number, text) in args.boards.iter().enumerate() {
        let (name, position) = read_board(text);
        let variant = session
            .variant(name)
            .with_context(|| format!("board {}", number + 1))?;
        boards.push((
            variant,
            Place {
                position,
                moves: None,
            },
        ));
    }
    if args.misere {
        let sum = misere_sum(&boards)?;
        session.print(&DocumentReport::new(sum, |sum: &MisereSum| {
            misere_picture(sum, &boards)
        }))?;
        return Ok(CommandVerdict::Done);
    }
    let sum = session.tablebase.sum(&boards)?;
    // Printed here: the boards that were requested are the arguments.
    session.print(&DocumentReport::new(sum, |sum: &Sum| picture(sum, &boards)))?;
    Ok(CommandVerdict::Done)
}

fn picture(sum: &Sum, asked: &[(Variant, Place<'_>)]) -> Result<String, std::fmt::Error> {
    let bold = anstyle::Style::new().bold();
    let sentence = match (sum.nimber, sum.best.is_empty()) {
        (0, true) => "the game is over: the player to move has lost",
        (0, false) => "the player to move loses",
        _ => "the player to move wins",
    };
    let count = counted(sum.boards.len() as u64, "board", "boards");
    let mut text = String::new();
    writeln!(text, "{count}: {bold}{sentence}{bold:#}\n")?;
    let mut rows: Vec<Vec<String>> = sum
        .boards
        .iter()
        .enumerate()
        .map(|(number, board)| {
            let finished = if board.terminal { "finished" } else { "" };
            vec![
                format!("{}.", number + 1),
                asked[number].0.rules().title().to_string(),
                board.position.clone(),
                format!("nimber {}", board.nimber),
                finished.into(),
            ]
        })
        .collect();
    rows.push(vec![
        String::new(),
        "all together".into(),
        String::new(),
        format!("nimber {}", sum.nimber),
    ]);
    text.push_str(&columns(&rows, 2, &[0]));
    if sum.nimber != 0 {
        writeln!(
            text,
            "\n  Winning moves, which leave nimber 0 all together:"
        )?;
        let rows: Vec<Vec<String>> = sum
            .best
            .iter()
            .map(|best| {
                vec![
                    format!("board {}", best.board + 1),
                    best.mv.clone(),
                    format!("leaves nimber {} there", best.leaves),
                ]
            })
            .collect();
        text.push_str(&columns(&rows, 5, &[]));
    } else if !sum.best.is_empty() {
        writeln!(
            text,
            "\n  Every move loses: the opponent can always leave nimber 0 again."
        )?;
    }
    writeln!(
        text,
        "\n  Whoever makes the last move of all wins; a finished board has no more moves."
    )?;
    text.push_str(&legends(asked));
    for source in sources(sum) {
        writeln!(text, "  Source: {source}")?;
    }
    Ok(text)
}

fn misere_picture(
    sum: &MisereSum,
    asked: &[(Variant, Place<'_>)],
) -> Result<String, std::fmt::Error> {
    let bold = anstyle::Style::new().bold();
    let sentence = match (sum.value, sum.best.is_empty()) {
        (_, true) => "the game is over: the player to move has won",
        (Value::Loss, false) => "the player to move loses",
        _ => "the player to move wins",
    };
    let count = counted(sum.boards.len() as u64, "board", "boards");
    let mut text = String::new();
    writeln!(text, "{count}: {bold}{sentence}{bold:#}\n")?;
    let rows: Vec<Vec<String>> = sum
        .boards
        .iter()
        .enumerate()
        .map(|(number, board)| {
            vec![
                format!("{}.", number + 1),
                asked[number].0.rules().title().to_string(),
                board.position.clone(),
                board
                    .class
                    .map_or_else(String::new, |class| format!("class {class}")),
                if board.terminal { "finished" } else { "" }.into(),
            ]
        })
        .collect();
    text.push_str(&columns(&rows, 2, &[0]));
    if sum.value == Value::Win && !sum.best.is_empty() {
        writeln!(text, "\n  Winning moves:")?;
        let rows: Vec<Vec<String>> = sum
            .best
            .iter()
            .map(|best| vec![format!("board {}", best.board + 1), best.mv.clone()])
            .collect();
        text.push_str(&columns(&rows, 5, &[]));
    } else if !sum.best.is_empty() {
        writeln!(text, "\n  Every move loses.")?;
    }
    writeln!(
        text,
        "\n  Whoever makes the last move of all loses; a finished board has no more moves."
    )?;
    text.push_str(&legends(asked));
    match sum.quotient {
        Some(known) => writeln!(
            text,
            "  Source: the quotient of these boards, {}, of them {} lost",
            counted(known.classes as u64, "class", "classes"),
            known.lost
        )?,
        None => writeln!(text, "  Source: played out in memory")?,
    }
    Ok(text)
}

/// The order of the lights, board by board where it is not the same on all.
fn legends(boards: &[(Variant, Place<'_>)]) -> String {
    let mut text = String::new();
    let lit = |(variant, _): &&(Variant, Place<'_>)| variant.rules().lights.is_some();
    let orders = boards
        .iter()
        .find(lit)
        .map(|(variant, _)| variant.in_each_order());
    for lights in orders
        .iter()
        .flatten()
        .map(|variant| variant.rules().order())
    {
        let drawn = (1..)
            .zip(boards)
            .filter(|(_, (variant, _))| variant.rules().lights == Some(lights));
        let (drawn, highest): (Vec<String>, Vec<u8>) = drawn
            .map(|(number, (variant, _)): (usize, _)| {
                (number.to_string(), variant.rules().highest_level())
            })
            .unzip();
        let legend = lights.legend(highest.into_iter().max().unwrap_or(0));
        if drawn.len() == boards.len() {
            text.push_str(&format!("  {legend}\n"));
        } else if !drawn.is_empty() {
            let boards = plural(drawn.len(), "Board", "Boards");
            text.push_str(&format!("  {boards} {}:\n    {legend}\n", drawn.join(", ")));
        }
    }
    text
}

/// Where the nimbers come from, each source once.
fn sources(sum: &Sum) -> Vec<String> {
    let mut named = Vec::new();
    for source in sum.boards.iter().filter_map(|board| board.source.as_ref()) {
        let name = source.to_string();
        if !named.contains(&name) {
            named.push(name);
        }
    }
    named
}
