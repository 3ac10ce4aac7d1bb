//! Values in words, with unit and point of view.

use greenwave_game::{
    Advance, Diagram, Ending, Figures, Game, Luck, Odds, Outcome, Plies, Variant, plural,
};
use greenwave_words::Language;

/// A value as a short phrase: `win in 17 plies`, `draw`, `+3 points`.
pub(crate) fn phrase(words: Language, figures: &Figures) -> String {
    if let Some(odds) = &figures.odds {
        return odds_phrase(words, odds);
    }
    if let Some(points) = figures.points {
        return points_phrase(words, points);
    }
    match (figures.value, figures.distance) {
        (Some(Outcome::Draw), _) => words.text("value-draw").into(),
        (Some(value), Some(plies)) => words.filled(
            "value-in",
            &[
                ("value", outcome(words, value)),
                ("plies", &words.plies(plies.0)),
            ],
        ),
        (Some(value), None) => outcome(words, value).into(),
        (None, _) => match figures.nimber {
            Some(nimber) => words.with("value-nimber", nimber),
            None => words.text("value-unknown").into(),
        },
    }
}

/// A value as a word: `win`.
pub(crate) fn outcome(words: Language, value: Outcome) -> &'static str {
    words.text(match value {
        Outcome::Win => "value-win",
        Outcome::Draw => "value-draw",
        Outcome::Loss => "value-loss",
    })
}

/// Points with their sign, `+3 points`, in letters that any terminal has.
pub(crate) fn points_phrase(words: Language, points: i32) -> String {
    let number = match points {
        0 => "0".to_string(),
        _ => format!("{points:+}"),
    };
    words.with(plural(points, "point", "points"), number)
}

/// What the values of moves are in a game.
pub(crate) fn values_key(words: Language, variant: &Variant) -> &'static str {
    let properties = &variant.rules().properties;
    words.text(match (properties.luck, properties.scores) {
        (Luck::Draws, _) => "values-expected",
        (Luck::None, true) => "values-points",
        (Luck::None, false) => "values-plies",
    })
}

/// The value of a position as a sentence about the player to move.
pub(crate) fn sentence(words: Language, figures: &Figures, terminal: bool) -> String {
    if let Some(odds) = figures.odds.as_ref().filter(|_| !terminal) {
        return words.with("mover-expects", odds_phrase(words, odds));
    }
    let within = |plain: &'static str, timed: &'static str, plies: Option<Plies>| match plies {
        Some(plies) => words.with(timed, words.plies(plies.0)),
        None => words.text(plain).into(),
    };
    match (figures.points, figures.value, figures.distance) {
        (Some(points), ..) if terminal => {
            words.with("mover-over-points", points_phrase(words, points))
        }
        (_, Some(Outcome::Win), _) if terminal => words.text("mover-over-won").into(),
        (_, Some(Outcome::Loss), _) if terminal => words.text("mover-over-lost").into(),
        (_, Some(Outcome::Draw), _) if terminal => words.text("mover-over-drawn").into(),
        (Some(0), ..) => words.text("mover-level").into(),
        (Some(points), ..) => words.with("mover-at", points_phrase(words, points)),
        (_, Some(Outcome::Win), plies) => within("mover-wins", "mover-wins-in", plies),
        (_, Some(Outcome::Loss), plies) => within("mover-loses", "mover-loses-in", plies),
        (_, Some(Outcome::Draw), _) => words.text("mover-draws").into(),
        (_, None, _) => match figures.nimber {
            Some(nimber) => words.with("mover-nimber", nimber),
            None => words.text("mover-unknown").into(),
        },
    }
}

/// The value of the start of a game as a sentence about the player to move.
pub(crate) fn of_start(words: Language, figures: &Figures) -> String {
    if figures.odds.is_none() && figures.points.is_none() {
        match (figures.value, figures.nimber) {
            (Some(Outcome::Draw), _) => return words.text("start-draws").into(),
            (None, Some(nimber)) => return words.with("start-nimber", nimber),
            (Some(Outcome::Win | Outcome::Loss), _) | (None, None) => {}
        }
    }
    sentence(words, figures, false)
}

/// The end of a game as a sentence about the player to move, in points where lines score.
pub(crate) fn over(words: Language, ending: &Ending, variant: &Variant) -> String {
    let scores = variant.rules().properties.scores;
    let in_points = scores && (ending.points != 0 || ending.outcome == Outcome::Draw);
    let figures = Figures::of(
        Some(ending.outcome),
        None,
        in_points.then_some(ending.points),
    );
    sentence(words, &figures, true)
}

/// The addition to "drawn" where positions can repeat: how such a draw comes about.
pub(crate) fn endless(words: Language, variant: &Variant) -> String {
    match variant.rules().properties.advance {
        Advance::Repeats if variant.can_end_drawn() => {
            format!(", {}", words.text("endless-or-end"))
        }
        Advance::Repeats => format!(" {}", words.text("endless")),
        Advance::Rises | Advance::Acyclic => String::new(),
    }
}

/// The titles of the rows of counters beside a board.
pub(crate) fn row_titles(words: Language, diagram: &Diagram) -> Vec<String> {
    let keys = ["own-hand", "other-hand", "market"];
    let of_rows = keys.into_iter().take(diagram.rows.len());
    let of_bag = (!diagram.bag.is_empty()).then_some("in-bag");
    let keys = of_rows.chain(of_bag);
    keys.map(|key| words.text(key).to_string()).collect()
}

/// A text with a capital, as a sentence begins.
pub(crate) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

fn odds_phrase(words: Language, odds: &Odds) -> String {
    let expectation = words.decimals(&format!("{:+.6}", odds.expectation));
    format!("{expectation} ({})", words.split(odds, 2))
}
