//! The rules of games with a strip in words, made from the rules themselves.

use crate::board::words::{board, moves_and_lines};
use crate::words::counted;
use crate::{Game, Sides, StripGame, StripRules, Succession};

/// One sentence each.
pub(crate) fn strip_board(game: &StripGame) -> Vec<String> {
    let board = board(
        &game.strip().main,
        game.rules().order(),
        game.geometry().shape().cells(),
    );
    with_strip(board, game.strip())
}

/// What holds wherever the counters come from.
pub(crate) fn strip_moves_and_lines(game: &StripGame) -> Vec<String> {
    let board = moves_and_lines(
        &game.strip().main,
        game.rules().order(),
        game.geometry().shape().cells(),
    );
    with_strip(board, game.strip())
}

fn with_strip(mut sentences: Vec<String>, rules: &StripRules) -> Vec<String> {
    sentences.splice(1..1, strip(rules));
    sentences
}

fn strip(rules: &StripRules) -> Vec<String> {
    let length = rules.main.shape.ranks();
    let mut sentences = vec![format!(
        "A strip of {} lies along one of its edges; its squares take part in lines.",
        counted(length, "square", "squares")
    )];
    let slide = match rules.sides {
        Sides::Any => "slide the strip to any other edge",
        Sides::Adjacent => "slide the strip to an edge next to its own",
    };
    let turn = match rules.turns {
        true => ", turning it if wanted, or turn it in place",
        false => ", without turning it",
    };
    sentences.push(format!(
        "Instead of raising a light a player may {slide}{turn}."
    ));
    if !rules.null_moves {
        sentences
            .push("A strip move must change the picture, seen with the strip at the east.".into());
    }
    if !rules.empty_moves {
        sentences.push("The strip may not move while its squares are empty.".into());
    }
    sentences.push(
        match rules.succession {
            Succession::Free => "Strip moves may follow each other; endless play is a draw.",
            Succession::Barred => "The strip may not move if the opponent has just moved it.",
        }
        .into(),
    );
    sentences
}
