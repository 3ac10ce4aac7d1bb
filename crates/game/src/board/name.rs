//! The names of games on fixed boards.

use super::family::{CLASSIC, FAMILIES, GREEN, POINTS, patterns};
use crate::named::NamedGame;
use crate::options::{canonical_name, parse_size, value_of};
use crate::{
    BoardGame, BoardRules, Family, LineScore, Opening, Play, Setting, Shape, Stalemate, Supply,
    VariantError, VariantName,
};

impl NamedGame for BoardGame {
    fn read(asked: &VariantName<'_>) -> Option<Result<BoardGame, VariantError>> {
        FAMILIES.iter().find_map(|family| {
            let size = asked.after(family.name)?;
            Some(sized(family, asked, size))
        })
    }
}

fn sized(
    family: &'static Family,
    asked: &VariantName<'_>,
    size: &str,
) -> Result<BoardGame, VariantError> {
    let name = format!("{}-{size}", family.name);
    let shape = parse_size(&name, family.name, size)?;
    let settings = asked.settings(&name, family.options)?;
    let full = canonical_name(&name, &settings);
    let mut game = game(full.clone(), family, settings, shape)?;
    asked.dress(&mut game, &full);
    Ok(game)
}

/// The game of a family on a board; `settings` has every option of the family.
pub(crate) fn game(
    name: String,
    family: &'static Family,
    settings: Vec<Setting>,
    shape: Shape,
) -> Result<BoardGame, VariantError> {
    let scored = family == &POINTS;
    let patterns = patterns(|levels| match levels {
        _ if family == &CLASSIC => levels[0] == levels[1],
        _ if family == &GREEN => levels == [3, 3, 3],
        _ => true,
    });
    let play = if scored {
        match (value_of(&settings, "end"), value_of(&settings, "score")) {
            ("play-on", "win") => {
                return Err(VariantError::Conflict {
                    name,
                    problem: "score=win needs a game that ends with the first line; \
                              leave out score=win or end=play-on"
                        .into(),
                });
            }
            (_, "win") => Play::Normal,
            ("play-on", _) => Play::PlayOn,
            _ => Play::FirstLine,
        }
    } else if value_of(&settings, "play") == "misere" {
        Play::Misere
    } else {
        Play::Normal
    };
    let once = scored && value_of(&settings, "four") == "once";
    let supply = value_of(&settings, "supply");
    let board = BoardRules {
        shape,
        line_length: 3,
        levels: 3,
        patterns,
        play,
        line_score: if once {
            LineScore::EachRun
        } else {
            LineScore::EachLine
        },
        supply: Supply::named(supply).unwrap_or(Supply::Unlimited),
        stalemate: match (scored, scored || value_of(&settings, "stalemate") == "draw") {
            (_, true) => Stalemate::Draw,
            _ if value_of(&settings, "stalemate") == "loss" => Stalemate::Loss,
            _ => Stalemate::Pass,
        },
        opening: Opening::default(),
        tops: None,
    };
    Ok(BoardGame::new(name, family, settings, board))
}
