//! Figures as tables keep them, and back.

use greenwave_game::{Figures, Odds, Outcome, Plies};
use greenwave_table as table;

/// A result as tables keep it.
#[must_use]
pub fn stored_outcome(outcome: Outcome) -> table::Outcome {
    match outcome {
        Outcome::Win => table::Outcome::Win,
        Outcome::Loss => table::Outcome::Loss,
        Outcome::Draw => table::Outcome::Draw,
    }
}

/// A result that a table keeps.
#[must_use]
pub fn outcome_of_stored(outcome: table::Outcome) -> Outcome {
    match outcome {
        table::Outcome::Win => Outcome::Win,
        table::Outcome::Loss => Outcome::Loss,
        table::Outcome::Draw => Outcome::Draw,
    }
}

/// Figures as tables keep them.
#[must_use]
pub fn stored_figures(figures: &Figures) -> table::Figures {
    table::Figures {
        value: figures.value.map(stored_outcome),
        distance: figures.distance.map(|plies| plies.0),
        points: figures.points,
        nimber: figures.nimber,
        odds: figures.odds.map(|odds| table::Odds {
            win: odds.win,
            draw: odds.draw,
            loss: odds.loss,
            expectation: odds.expectation,
        }),
    }
}

/// Figures that a table keeps.
#[must_use]
pub fn figures_of_stored(figures: &table::Figures) -> Figures {
    Figures {
        value: figures.value.map(outcome_of_stored),
        distance: figures.distance.map(Plies),
        points: figures.points,
        nimber: figures.nimber,
        odds: figures.odds.map(|odds| Odds {
            win: odds.win,
            draw: odds.draw,
            loss: odds.loss,
            expectation: odds.expectation,
        }),
    }
}
