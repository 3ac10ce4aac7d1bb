//! Values in words, with unit and point of view.

use greenwave_game::{
    Advance, Ending, Figures, Game, Odds, Outcome, Plies, Variant, counted_points, with_game,
};

/// A value as a short phrase: `win in 17 plies`, `draw`, `+3 points`.
pub(crate) fn phrase(figures: &Figures) -> String {
    if let Some(odds) = &figures.odds {
        return odds_phrase(odds);
    }
    if let Some(points) = figures.points {
        return counted_points(points);
    }
    match (figures.value, figures.distance) {
        (Some(Outcome::Draw), _) => "draw".into(),
        (Some(value), Some(plies)) => format!("{value} in {plies}"),
        (Some(value), None) => value.to_string(),
        (None, _) => match figures.nimber {
            Some(nimber) => format!("nimber {nimber}"),
            None => "unknown".into(),
        },
    }
}

/// The value of a position as a sentence about the player to move.
pub(crate) fn sentence(figures: &Figures, terminal: bool) -> String {
    if let Some(odds) = figures.odds.as_ref().filter(|_| !terminal) {
        return format!("the player to move can expect {}", odds_phrase(odds));
    }
    match (figures.points, figures.value, figures.distance) {
        (Some(points), ..) if terminal => {
            format!(
                "the game is over, with {} for the player to move",
                counted_points(points)
            )
        }
        (_, Some(Outcome::Win), _) if terminal => {
            "the game is over: the player to move has won".into()
        }
        (_, Some(Outcome::Loss), _) if terminal => {
            "the game is over: the player to move has lost".into()
        }
        (_, Some(Outcome::Draw), _) if terminal => "the game is over: a draw".into(),
        (Some(0), ..) => "the player to move comes out level (0 points)".into(),
        (Some(points), ..) => format!("the player to move comes out at {}", counted_points(points)),
        (_, Some(Outcome::Win), plies) => format!("the player to move wins{}", within(plies)),
        (_, Some(Outcome::Loss), plies) => format!("the player to move loses{}", within(plies)),
        (_, Some(Outcome::Draw), _) => "the position is a draw".into(),
        (_, None, _) => match figures.nimber {
            Some(nimber) => format!("the position has nimber {nimber}"),
            None => "the value is not known".into(),
        },
    }
}

/// The end of a game as a sentence about the player to move, in points where lines score.
pub(crate) fn over(ending: &Ending, variant: &Variant) -> String {
    let scores = variant.rules().properties.scores;
    let in_points = scores && (ending.points != 0 || ending.outcome == Outcome::Draw);
    let figures = Figures {
        value: Some(ending.outcome),
        points: in_points.then_some(ending.points),
        ..Figures::default()
    };
    sentence(&figures, true)
}

/// What is to be added to "drawn" where positions can repeat: how such a draw comes about.
pub(crate) fn endless(variant: &Variant) -> &'static str {
    let can_end_drawn = with_game!(variant, game => game.can_end_drawn());
    match variant.rules().properties.advance {
        Advance::Repeats if can_end_drawn => ", by endless play or an end without a winner",
        Advance::Repeats => " by endless play",
        Advance::Rises | Advance::Acyclic => "",
    }
}

fn within(plies: Option<Plies>) -> String {
    plies.map_or_else(String::new, |plies| format!(" in {plies}"))
}

fn odds_phrase(odds: &Odds) -> String {
    format!(
        "{:+.6} (win {:.2} %, draw {:.2} %, loss {:.2} %)",
        odds.expectation,
        100.0 * odds.win,
        100.0 * odds.draw.max(0.0),
        100.0 * odds.loss
    )
}
