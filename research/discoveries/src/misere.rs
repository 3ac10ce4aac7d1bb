//! Indistinguishability quotients of boards in sums where the last move of all loses.

use std::collections::HashMap;

use anyhow::Result;
use greenwave_game::{Code, Game, Variant};
use greenwave_probe::misere::{Forms, MisereForm, Quotient};
use serde::{Deserialize, Serialize};

use crate::board_of;

/// Most classes of a quotient that the search accepts.
pub(crate) const CLASSES: usize = 100;
/// Most sums that are played out for one.
const SUMS: usize = 1_000_000;

/// The quotients of the positions of a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Misere {
    /// Positions, up to symmetry.
    pub positions: u64,
    /// Canonical forms of them.
    pub forms: u64,
    /// Classes of the empty board; `None` of more than a hundred.
    pub start: Option<usize>,
    /// The quotients of at most a hundred classes, by their size.
    pub small: Vec<Small>,
}

/// Quotients of one size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Small {
    /// Number of classes.
    pub classes: usize,
    /// Of them lost for the player to move.
    pub lost: usize,
    /// Positions, up to symmetry, that have such a quotient together with all that they can become.
    pub positions: u64,
    /// The first of those of the fewest plies.
    pub example: String,
}

/// Finds and proves the quotients of a board's positions.
///
/// # Errors
/// When the board has too many positions.
pub fn misere(name: &str) -> Result<Misere> {
    let variant = Variant::parse(name)?;
    let game = board_of(&variant)?;
    let (mut forms, mut known) = (Forms::default(), HashMap::new());
    let empty = forms.of(game, &game.start(), &mut known, 1_000_000)?;
    let mut by_form: HashMap<MisereForm, Vec<Code>> = HashMap::new();
    for (code, form) in &known {
        by_form.entry(*form).or_default().push(*code);
    }
    let mut all: Vec<MisereForm> = by_form.keys().copied().collect();
    all.sort_unstable();
    let (mut beyond, mut start): (Vec<MisereForm>, _) = (Vec::new(), None);
    let mut small: Vec<(Small, Code)> = Vec::new();
    for form in &all {
        let closed = forms.closure(&[*form]);
        // A quotient has as many classes as that of any part of it.
        if beyond.iter().any(|form| closed.binary_search(form).is_ok()) {
            continue;
        }
        let Ok(quotient) = Quotient::of(&forms, &closed, CLASSES, SUMS) else {
            beyond.push(*form);
            continue;
        };
        let positions = &by_form[form];
        let plies = |code: &Code| (code.level_sum(), *code);
        let first = positions.iter().copied().min_by_key(plies);
        let first = first.unwrap_or(Code::EMPTY);
        let size = (quotient.elements(), quotient.lost_elements());
        if *form == empty {
            start = Some(size.0);
        }
        let same = small
            .iter_mut()
            .find(|(small, _)| (small.classes, small.lost) == size);
        if let Some((small, example)) = same {
            small.positions += positions.len() as u64;
            *example = std::cmp::min_by_key(*example, first, plies);
        } else {
            let new = Small {
                classes: size.0,
                lost: size.1,
                positions: positions.len() as u64,
                example: String::new(),
            };
            small.push((new, first));
        }
    }
    small.sort_by_key(|(small, _)| (small.classes, small.lost));
    Ok(Misere {
        positions: known.len() as u64,
        forms: all.len() as u64,
        start,
        small: small
            .into_iter()
            .map(|(small, example)| Small {
                example: game.position_text(&example),
                ..small
            })
            .collect(),
    })
}
