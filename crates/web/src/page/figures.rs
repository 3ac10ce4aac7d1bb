//! Values in words and in a few letters.

use greenwave_game::{Ending, Figures, Odds, Outcome, Plies, TIE};
use greenwave_picture::{Tone, escaped};
use greenwave_tablebase::Answer;
use greenwave_words::{Language, signed};

/// The value of a position as a sentence.
pub(crate) fn verdict(words: Language, answer: &Answer, scores: bool) -> String {
    if let Some(ending) = &answer.ending {
        return over(words, ending, answer.figures().points.is_some());
    }
    match &answer.odds {
        Some(odds) if scores => {
            let points = words.with("points", words.expectation(odds.expectation, 2));
            words.with("expects", points)
        }
        Some(odds) => words.with("if-best", of_hundred(words, odds, "often-you")),
        None => standing(words, &answer.figures()),
    }
}

/// How many of a hundred games are won and lost, as a key says it.
fn of_hundred(words: Language, odds: &Odds, key: &'static str) -> String {
    if odds.expectation.abs() <= TIE {
        return words.text("start-level").into();
    }
    let [won, lost] = told_apart(words, [odds.win, odds.loss]);
    words.filled(key, &[("n", &won), ("m", &lost)])
}

/// How many of a hundred games each player wins, the one with more first; in a game that `scores`, the points that the
/// first player expects.
pub(super) fn outlook(words: Language, of_first: &Odds, scores: bool) -> String {
    if scores {
        let points = words.with("points", words.expectation(of_first.expectation, 2));
        return words.with("start-points", points);
    }
    if of_first.expectation >= 0.0 {
        of_hundred(words, of_first, "often-first")
    } else {
        of_hundred(words, &of_first.turned(), "often-second")
    }
}

/// What the signs of values mean; that of a draw where a game has draws.
pub(super) fn legend(words: Language, has_draws: bool) -> &'static str {
    words.text(if has_draws {
        "legend"
    } else {
        "legend-decided"
    })
}

/// What the numbers beside signs count.
#[derive(Clone, Copy)]
pub(super) enum FigureUnit {
    /// Nothing: the signs stand alone.
    Nothing,
    Plies,
    Points,
    Games,
}

impl FigureUnit {
    /// What expectations count: points in a game that scores.
    pub(super) fn of_odds(scores: bool) -> FigureUnit {
        if scores {
            FigureUnit::Points
        } else {
            FigureUnit::Games
        }
    }
}

/// What the signs and the numbers of values mean; the sign of a draw where a game has draws.
pub(super) fn key(words: Language, unit: FigureUnit, has_draws: bool) -> String {
    let signs = legend(words, has_draws);
    match unit {
        FigureUnit::Nothing => signs.into(),
        FigureUnit::Plies => format!("{signs} {}", words.text("legend-plies")),
        FigureUnit::Points => words.text("legend-points").into(),
        FigureUnit::Games => words.text("legend-odds").into(),
    }
}

/// How many games the player wins who moves next: the first, the second, or one who is not known.
pub(super) fn wins(words: Language, odds: &Odds, first: Option<bool>) -> String {
    let key = match first {
        Some(true) => "odds-wins-first",
        Some(false) => "odds-wins-second",
        None => "odds-wins",
    };
    words.with(key, per_cent(words, odds.win))
}

/// What a better move does to the odds after the one that was made.
pub(super) fn better_odds(words: Language, [made, best]: &[Odds; 2], mv: &str) -> String {
    let (key, made, best) = if best.win > made.win {
        ("better-odds-wins", made.win, best.win)
    } else {
        ("better-odds-losses", made.loss, best.loss)
    };
    let [n, m] = told_apart(words, [best, made]);
    words.filled(key, &[("mv", mv), ("n", &n), ("m", &m)])
}

/// Two shares, of a hundred, with as many digits as tell them apart.
fn told_apart(words: Language, shares: [f64; 2]) -> [String; 2] {
    let with =
        |digits: usize| shares.map(|share| words.decimals(&format!("{:.digits$}", 100.0 * share)));
    let digits = (0..=2).find(|digits| {
        let [one, other] = with(*digits);
        one != other
    });
    with(digits.unwrap_or(2))
}

/// How many games each player wins and how many are drawn, as [`wins`] names the player who moves next.
pub(super) fn shares(words: Language, odds: &Odds, first: Option<bool>) -> String {
    let said = match first {
        None => words.split(odds, 1),
        Some(first) => [
            wins(words, odds, Some(first)),
            words.with("odds-drawn", per_cent(words, odds.draw)),
            wins(words, &odds.turned(), Some(!first)),
        ]
        .join(", "),
    };
    with_sign(&said)
}

/// A share in per cent with one decimal.
pub(super) fn per_cent(words: Language, share: f64) -> String {
    with_sign(&words.per_cent(share, 1))
}

/// A text in which numbers and signs stay in one line.
fn with_sign(text: &str) -> String {
    text.replace(" %", "\u{a0}%")
}

/// A bar of three parts: wins are full, draws striped, losses empty. Without a name it stands beside a text that
/// says the same.
pub(super) fn shares_bar(odds: &Odds, name: Option<&str>) -> String {
    let [win, draw] = [odds.win, odds.draw].map(|share| 100.0 * share.clamp(0.0, 1.0));
    let named = name.map_or_else(
        || "aria-hidden=\"true\"".into(),
        |name| format!("role=\"img\" aria-label=\"{}\"", escaped(name)),
    );
    format!(
        "<svg class=\"shares\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" {named}><rect class=\"of-loss\" \
         width=\"100\" height=\"10\"/><path class=\"under-draw\" d=\"M{win:.2} 5h{draw:.2}\"/>\
         <path class=\"of-draw\" d=\"M{win:.2} 5h{draw:.2}\"/><rect class=\"of-win\" width=\"{win:.2}\" \
         height=\"10\"/></svg>"
    )
}

/// The figures for the player to move, as a sentence.
pub(super) fn standing(words: Language, figures: &Figures) -> String {
    if let Some(points) = figures.points {
        return words.comes_out(points);
    }
    if wins_at_once(figures) {
        return words.text("wins-now").into();
    }
    let plies = figures.distance.map(|plies| words.plies(plies.0));
    match (figures.value, plies) {
        (Some(Outcome::Win), Some(plies)) => words.with("wins-in", plies),
        (Some(Outcome::Win), None) => words.text("wins").into(),
        (Some(Outcome::Loss), Some(plies)) => words.with("loses-in", plies),
        (Some(Outcome::Loss), None) => words.text("loses").into(),
        (Some(Outcome::Draw), _) => words.text("drawn").into(),
        (None, _) => words.text("unknown").into(),
    }
}

/// The same at the start of a game, where the points to come are all there are.
pub(super) fn standing_at_start(words: Language, figures: &Figures) -> String {
    let key = match figures.points {
        None => return standing(words, figures),
        Some(0) => return words.text("drawn").into(),
        Some(points) if points > 0 => "start-points-ahead",
        Some(_) => "start-points-behind",
    };
    let points = i64::from(figures.points.unwrap_or_default().abs());
    let points = words.counted(points, "point", "points");
    words.with("if-best", words.with(key, points))
}

/// Whether the next move wins.
pub(super) fn wins_at_once(figures: &Figures) -> bool {
    let in_one = figures.distance.is_some_and(|plies| plies.0 == 1);
    in_one && figures.value == Some(Outcome::Win) && figures.points.is_none()
}

/// The figures in a game whose players are known, in few words: whether the first player is to move. `None` where
/// nothing is known.
pub(super) fn outcome_for(
    words: Language,
    figures: &Figures,
    scores: bool,
    first_to_move: bool,
) -> Option<String> {
    if let Some(odds) = &figures.odds {
        let of_first = if first_to_move { *odds } else { odds.turned() };
        return Some(outlook(words, &of_first, scores));
    }
    if let Some(points) = figures.points {
        let of_first = if first_to_move { points } else { -points };
        return Some(
            words.more_points(of_first, ["points-first", "points-level", "points-second"]),
        );
    }
    let first_wins = match figures.value? {
        Outcome::Win => first_to_move,
        Outcome::Loss => !first_to_move,
        Outcome::Draw => return Some(words.text("start-draw").into()),
    };
    if figures.distance == Some(Plies(0)) {
        return Some(won_by(words, first_wins));
    }
    if wins_at_once(figures) {
        let key = if first_wins {
            "start-first-now"
        } else {
            "start-second-now"
        };
        return Some(words.text(key).into());
    }
    Some(match (first_wins, figures.distance) {
        (true, Some(plies)) => words.with("start-first", words.plies(plies.0)),
        (true, None) => words.text("start-first-plain").into(),
        (false, Some(plies)) => words.with("start-second", words.plies(plies.0)),
        (false, None) => words.text("start-second-plain").into(),
    })
}

/// The end of a game whose players are known, as a sentence: whether the first player would be to move. In
/// a game that `scores` a position does not show the points made before it, so there is no word of a draw.
pub(crate) fn over_for(
    words: Language,
    ending: &Ending,
    first_to_move: bool,
    scores: bool,
) -> String {
    let first_won = match ending.outcome {
        Outcome::Win => first_to_move,
        Outcome::Loss => !first_to_move,
        Outcome::Draw => return over(words, ending, scores),
    };
    won_by(words, first_won)
}

/// That the game is over, and which player has won.
fn won_by(words: Language, first_won: bool) -> String {
    let key = if first_won {
        "over-first"
    } else {
        "over-second"
    };
    words.text(key).into()
}

/// The end of a game as a sentence, as [`over_for`] tells it.
pub(crate) fn over(words: Language, ending: &Ending, scores: bool) -> String {
    match ending.outcome {
        Outcome::Win => words.text("over-won"),
        Outcome::Loss => words.text("over-lost"),
        Outcome::Draw if scores => words.text("over-scored"),
        Outcome::Draw => words.text("over-drawn"),
    }
    .into()
}

/// The value of a move as a sign and a figure, its tone, and in words; an expectation is one of points.
pub(crate) fn of_move(words: Language, figures: &Figures) -> (String, Tone, String) {
    let tone = Tone::of(figures.value);
    if let Some(odds) = &figures.odds {
        let share = odds.expectation;
        return (
            words.expectation(share, 2),
            tone,
            words.expectation(share, 4),
        );
    }
    if let Some(points) = figures.points {
        return (signed(points), tone, words.points(points));
    }
    let word = match figures.value {
        Some(Outcome::Win) => "word-win",
        Some(Outcome::Draw) => "word-draw",
        Some(Outcome::Loss) => "word-loss",
        None => return ("?".into(), tone, words.text("word-unknown").into()),
    };
    let sign = tone.sign().unwrap_or_default();
    match figures.distance {
        Some(plies) if wins_at_once(figures) => (
            format!("{sign}\u{a0}{}", plies.0),
            tone,
            words.text("wins-at-once").into(),
        ),
        Some(plies) => (
            format!("{sign}\u{a0}{}", plies.0),
            tone,
            format!(
                "{} {}",
                words.text(word),
                words.with("in-plies", words.plies(plies.0))
            ),
        ),
        None => (sign.into(), tone, words.text(word).into()),
    }
}

/// Whether two moves are worth the same.
pub(crate) fn tie(a: &Figures, b: &Figures) -> bool {
    let close = match (&a.odds, &b.odds) {
        (Some(a), Some(b)) => (a.expectation - b.expectation).abs() <= TIE,
        (None, None) => true,
        _ => false,
    };
    close && (a.value, a.distance, a.points) == (b.value, b.distance, b.points)
}

/// Whether anything is known.
pub(crate) fn is_known(figures: &Figures) -> bool {
    figures.value.is_some() || figures.points.is_some() || figures.odds.is_some()
}

/// Whether it is known which moves are best: values alone do not tell how soon a move wins or loses.
pub(crate) fn is_ranked(answer: &Answer) -> bool {
    answer.moves.first().is_some_and(|lead| {
        let known = lead.figures();
        let is_measured =
            known.distance.is_some() || known.points.is_some() || known.odds.is_some();
        is_measured || known.value == Some(Outcome::Draw)
    })
}

/// The value of a position on a scale from −1 to 1 for the player to move; `scale` is the number of
/// points that counts as 1.
pub(crate) fn on_scale(answer: &Answer, scale: f64) -> Option<f64> {
    if let Some(odds) = &answer.odds {
        return Some((odds.expectation / scale.max(1.0)).clamp(-1.0, 1.0));
    }
    if let Some(points) = answer.points {
        return Some((f64::from(points) / scale.max(1.0)).clamp(-1.0, 1.0));
    }
    answer.value.outcome().map(|outcome| match outcome {
        Outcome::Win => 1.0,
        Outcome::Draw => 0.0,
        Outcome::Loss => -1.0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn better_odds_have_figures_that_differ() {
        let odds = |win: f64, loss: f64| Odds::of(win, loss, win - loss);
        for (made, best, said) in [
            (
                (0.62, 0.3),
                (0.71, 0.2),
                "b2R would win 71 of 100 games, not 62",
            ),
            (
                (0.62, 0.3),
                (0.62, 0.298),
                "b2R would lose 29.8 of 100 games, not 30.0",
            ),
            (
                (0.612, 0.3),
                (0.614, 0.3),
                "b2R would win 61.4 of 100 games, not 61.2",
            ),
        ] {
            let pair = [odds(made.0, made.1), odds(best.0, best.1)];
            assert_eq!(better_odds(Language::English, &pair, "b2R"), said);
        }
    }
}
