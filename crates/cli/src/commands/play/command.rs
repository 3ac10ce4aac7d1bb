//! The command `play`: a game from what was typed, on a full screen or line by line.

use std::io::IsTerminal;

use anyhow::{Result, bail};
use greenwave_game::Variant;

use super::super::review::ReviewInput;
use super::{PlaySession, lines, screen};
use crate::args::{PlayArgs, PlayerSides, is_typed};
use crate::output::{has_cursor, is_standard, print};
use crate::session::{CommandVerdict, Session};

pub(crate) fn run(session: &Session, args: &PlayArgs) -> Result<CommandVerdict> {
    let to_stdout = args.record.as_deref().is_some_and(is_standard);
    if to_stdout && session.json {
        bail!("--record and --json cannot share standard output; name a file for --record");
    }
    if args.hints && args.players == PlayerSides::None {
        bail!("--hints: nobody plays with --as none; leave it out, or play a side yourself");
    }
    if args.players == PlayerSides::Both && is_typed("level") {
        bail!("--level: the program plays no side with --as both; leave it out, or play one side");
    }
    let asked = session.variant(&args.variant)?;
    let given = given(session, args, &asked)?;
    let variant = given.as_ref().map_or(&asked, |given| &given.variant);
    let mut play = PlaySession::begin(session, args, variant, given.as_ref())?;
    let at_a_terminal =
        std::io::stdin().is_terminal() && std::io::stdout().is_terminal() && has_cursor();
    if at_a_terminal && !session.json && args.players != PlayerSides::None {
        screen::run(&mut play)
    } else {
        lines::run(&mut play)
    }
    .and_then(|verdict| {
        if to_stdout {
            print(&play.record.to_string())?;
        }
        Ok(verdict)
    })
}

/// The record or moves that a game continues from, and the variant in the order of their lights.
pub(super) fn given(
    session: &Session,
    args: &PlayArgs,
    asked: &Variant,
) -> Result<Option<ReviewInput>> {
    let moves = args.moves.as_ref();
    let given =
        moves.map(|moves| ReviewInput::read(session, asked, moves, args.position.as_deref()));
    given.transpose()
}
