//! Several boards at once.

use greenwave_game::{AnyPosition, Game, Metric, Variant, VariantGame, with_game};
use greenwave_probe::{Summand, best_of_sum, nimber_of_sum, summand};
use serde::Serialize;

use super::{SCHEMA, Source, Value};
use crate::{Error, Place, Sources, Tablebase, messages};

/// Several boards that are played at once: a move is a move on one of them, and whoever makes the last
/// move of all wins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Sum {
    /// Version of the document.
    pub schema: u32,
    /// The boards.
    pub boards: Vec<SumBoard>,
    /// The nimber of all together.
    pub nimber: u32,
    /// Win or loss for the player to move.
    pub value: Value,
    /// The moves that win; all moves where none does.
    pub best: Vec<SumMove>,
}

/// One of the boards.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct SumBoard {
    /// Its variant.
    pub variant: String,
    /// The order of its lights, `ryg` or `gyr`; `None` where it has none.
    pub lights: Option<&'static str>,
    /// Its position.
    pub position: String,
    /// The same, to ask about.
    #[serde(skip)]
    pub at: AnyPosition,
    /// Its nimber.
    pub nimber: u32,
    /// Whether it is finished.
    pub terminal: bool,
    /// Where its nimber comes from; `None` of a finished board: that follows from the rules.
    pub source: Option<Source>,
}

/// A move on one of the boards.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct SumMove {
    /// Place in `boards`, from 0.
    pub board: usize,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Nimber that the move leaves on its board.
    pub leaves: u32,
}

/// Cuts a board's text, `VARIANT[=POSITION]`, into the variant and the position: the position follows
/// the first `=` that belongs to no option and to no name of a file.
#[must_use]
pub fn read_board(text: &str) -> (&str, Option<&str>) {
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

/// Whether boards of a variant can be played together with others.
///
/// # Errors
/// When the variant has no nimbers.
pub fn expect_nimbers(variant: &Variant) -> Result<(), Error> {
    let rules = variant.rules();
    if rules.metrics.contains(&Metric::Nimber) {
        return Ok(());
    }
    Err(Error::Refused(messages::sum_no_nimbers(rules.title())))
}

/// A board with its nimbers.
struct NimberBoard {
    document: SumBoard,
    summand: Summand<String>,
}

impl Tablebase {
    /// The value and the winning moves of several boards at once. Everything that can be refused is
    /// refused before the first solve, and of two boards with the same rules the values are had once.
    ///
    /// # Errors
    /// When a board has no nimbers or its position cannot be read (the error says which, counted from
    /// 1), and when values cannot be had.
    pub fn sum<'v>(&'v self, boards: &'v [(Variant, Place<'v>)]) -> Result<Sum, Error> {
        let mut open: Vec<&Variant> = Vec::new();
        for (number, (variant, place)) in boards.iter().enumerate() {
            let terminal = expect_nimbers(variant)
                .and_then(|()| Ok(variant.ending(&place.find(variant)?).is_some()))
                .map_err(|error| error.within(messages::place_board(number + 1)))?;
            if !terminal && !open.iter().any(|known| same_rules(known, variant)) {
                open.push(variant);
            }
        }
        let needed = |variant: &&'v Variant| self.needed(variant, &[Metric::Nimber]).map(Some);
        let mut needed = open.iter().map(needed).collect::<Result<Vec<_>, Error>>()?;
        let mut found = Vec::with_capacity(boards.len());
        for (variant, place) in boards {
            let number = open.iter().position(|known| same_rules(known, variant));
            let sources = match (number, number.and_then(|number| needed[number].take())) {
                (_, Some(needed)) => needed.had()?,
                // Kept by the tablebase as long as its memory allows.
                (Some(_), None) => self.sources(variant, &[Metric::Nimber])?,
                (None, None) => self.tables(variant)?,
            };
            found.push(look_up(variant, place, &sources)?);
        }
        let summands: Vec<&Summand<String>> = found.iter().map(|board| &board.summand).collect();
        let nimber = nimber_of_sum(summands.iter().map(|summand| summand.nimber));
        let best = best_of_sum(&summands)
            .into_iter()
            .map(|(place, number)| {
                let (mv, leaves) = &found[place].summand.moves[number];
                SumMove {
                    board: place,
                    mv: mv.clone(),
                    leaves: *leaves,
                }
            })
            .collect();
        Ok(Sum {
            schema: SCHEMA,
            boards: found.into_iter().map(|board| board.document).collect(),
            nimber,
            value: if nimber == 0 { Value::Loss } else { Value::Win },
            best,
        })
    }
}

fn same_rules(a: &Variant, b: &Variant) -> bool {
    a.rules().hash == b.rules().hash
}

fn look_up(variant: &Variant, place: &Place<'_>, sources: &Sources) -> Result<NimberBoard, Error> {
    with_game!(variant, game => {
        let position = game.position(&place.find(variant)?);
        let name = game.rules().title().to_string();
        let found = summand(game, &position, &sources.of(game)?)?.ok_or_else(|| {
            Error::refused(format!("found no nimber of {name}; please report this"))
        })?;
        let terminal = game.ending(&position).is_some();
        let text = |(mv, left)| (game.move_text(&position, mv), left);
        Ok(NimberBoard {
            document: SumBoard {
                variant: name,
                lights: game.rules().lights_name(),
                position: game.position_text(&position),
                at: game.any_position(position),
                nimber: found.nimber,
                terminal,
                source: (!terminal).then(|| sources.source_of(Metric::Nimber)),
            },
            summand: Summand {
                nimber: found.nimber,
                moves: found.moves.into_iter().map(text).collect(),
            },
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_position_follows_the_name_and_its_options() {
        assert_eq!(read_board("classic-3x3"), ("classic-3x3", None));
        assert_eq!(
            read_board("classic-3x3=R../.."),
            ("classic-3x3", Some("R../.."))
        );
        assert_eq!(read_board("classic-3x3="), ("classic-3x3", Some("")));
        assert_eq!(
            read_board("green-3x3:play=normal"),
            ("green-3x3:play=normal", None)
        );
        assert_eq!(
            read_board("green-3x3:play=normal,supply=unlimited=R../.../..."),
            (
                "green-3x3:play=normal,supply=unlimited",
                Some("R../.../...")
            )
        );
        assert_eq!(
            read_board("slider=.../.../...+...@E,barred"),
            ("slider", Some(".../.../...+...@E,barred"))
        );
        assert_eq!(read_board("a=b/game.toml"), ("a=b/game.toml", None));
        assert_eq!(
            read_board("a=b/game.toml=RY."),
            ("a=b/game.toml", Some("RY."))
        );
        assert_eq!(read_board("classic-3x3:"), ("classic-3x3:", None));
        assert_eq!(read_board("classic-3x3:play"), ("classic-3x3:play", None));
        assert_eq!(read_board(""), ("", None));
    }
}
