//! Several boards at once, where the last move of all loses.

use std::collections::HashMap;

use greenwave_game::{Game, Variant};
use greenwave_probe::misere::{Forms, MisereForm, Quotient, SumOutcomes, TooMany};
use serde::Serialize;

use super::sum::expect_nimbers;
use super::{SCHEMA, Value};
use crate::{Error, Place, messages};

/// Most positions, up to symmetry, that a board may still become.
const POSITIONS: usize = 300_000;
/// Most forms whose quotient the search looks for.
const FORMS: usize = 60;
/// Most classes of a quotient.
const CLASSES: usize = 150;
/// Most sums that are played out.
const SUMS: usize = 500_000;

/// Several boards that are played at once: a move is a move on one of them, and whoever makes the last
/// move of all loses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct MisereSum {
    /// Version of the document.
    pub schema: u32,
    /// Always true: the last move loses.
    pub misere: bool,
    /// The boards.
    pub boards: Vec<MisereBoard>,
    /// Win or loss for the player to move.
    pub value: Value,
    /// The moves that win; all moves where none does.
    pub best: Vec<MisereMove>,
    /// The quotient of the boards, where a small one is proved; else the boards were played out.
    pub quotient: Option<SmallQuotient>,
}

/// One of the boards.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct MisereBoard {
    /// Its variant.
    pub variant: String,
    /// The order of its lights, `ryg` or `gyr`.
    pub lights: Option<&'static str>,
    /// Its position.
    pub position: String,
    /// Whether it is finished.
    pub terminal: bool,
    /// Its class in `quotient`, from 0; `None` without a quotient.
    pub class: Option<usize>,
}

/// A move on one of the boards.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct MisereMove {
    /// Place in `boards`, from 0.
    pub board: usize,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
}

/// The size of an indistinguishability quotient.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct SmallQuotient {
    /// Number of classes.
    pub classes: usize,
    /// Number of classes that the player to move loses.
    pub lost: usize,
}

/// A board with the form of its position and of each move.
struct FormBoard {
    document: MisereBoard,
    form: MisereForm,
    moves: Vec<(String, MisereForm)>,
}

/// The value and the winning moves of several boards at once where the last move of all loses. The
/// positions of the boards are visited in memory: no table holds them.
///
/// # Errors
/// When a board has no nimbers or its position cannot be read (the error says which, counted from 1),
/// and when too much can still become of the boards.
pub fn misere_sum(boards: &[(Variant, Place<'_>)]) -> Result<MisereSum, Error> {
    let mut forms = Forms::default();
    let mut read = Vec::with_capacity(boards.len());
    for (number, (variant, place)) in boards.iter().enumerate() {
        let board = expect_nimbers(variant)
            .and_then(|()| board_of(&mut forms, variant, place))
            .map_err(|error| error.within(messages::place_board(number + 1)))?;
        read.push(board);
    }
    let sum: Vec<MisereForm> = read.iter().map(|board| board.form).collect();
    let closed = forms.closure(&sum);
    let quotient = (closed.len() <= FORMS)
        .then(|| Quotient::of(&forms, &closed, CLASSES, SUMS).ok())
        .flatten();
    let mut played = SumOutcomes::new(&forms, SUMS);
    let mut is_lost =
        |sum: &[MisereForm]| match quotient.as_ref().and_then(|known| known.is_lost(sum)) {
            Some(lost) => Ok(lost),
            None => played.is_lost(sum).map_err(|found| too_many(&found)),
        };
    let lost = is_lost(&sum)?;
    let mut best = Vec::new();
    for (number, board) in read.iter().enumerate() {
        let mut after = sum.clone();
        for (mv, form) in &board.moves {
            after[number] = *form;
            if lost || is_lost(&after)? {
                best.push(MisereMove {
                    board: number,
                    mv: mv.clone(),
                });
            }
        }
    }
    let class = |form| quotient.as_ref().and_then(|known| known.class(form));
    Ok(MisereSum {
        schema: SCHEMA,
        misere: true,
        value: if lost { Value::Loss } else { Value::Win },
        best,
        quotient: quotient.as_ref().map(|known| SmallQuotient {
            classes: known.elements(),
            lost: known.lost_elements(),
        }),
        boards: read
            .into_iter()
            .map(|board| MisereBoard {
                class: class(board.form),
                ..board.document
            })
            .collect(),
    })
}

fn board_of(forms: &mut Forms, variant: &Variant, place: &Place<'_>) -> Result<FormBoard, Error> {
    let position = place.find(variant)?;
    let mut known = HashMap::new();
    let mut form_of = |position: &_| {
        let form = forms.of(variant, position, &mut known, POSITIONS);
        form.map_err(|found| too_many(&found))
    };
    let form = form_of(&position)?;
    let mut listed = Vec::new();
    if variant.ending(&position).is_none() {
        variant.moves(&position, &mut listed);
    }
    let mut moves = Vec::with_capacity(listed.len());
    for mv in listed {
        let after = form_of(&variant.play(&position, mv).to)?;
        moves.push((variant.move_text(&position, mv), after));
    }
    let terminal = variant.ending(&position).is_some();
    Ok(FormBoard {
        document: MisereBoard {
            variant: variant.rules().title().to_string(),
            lights: variant.rules().lights_name(),
            position: variant.position_text(&position),
            terminal,
            class: None,
        },
        form,
        moves,
    })
}

fn too_many(found: &TooMany) -> Error {
    Error::refused(format!(
        "{found}: too much can still become of these boards where the last move of all loses; \
         expected fewer or smaller boards, or positions nearer to their end, such as \
         classic-1x4=RR.. classic-1x3"
    ))
}
