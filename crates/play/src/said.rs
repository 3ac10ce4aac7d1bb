//! What hints and puzzles say to people, in their language.

use greenwave_game::{Game, Turn, Variant};
use greenwave_words::Language;

use crate::hint::{FEW, few};
use crate::{Endurance, Hint, HintKind, Puzzle, Standing};

/// The sentence about a game whose players have swapped: whom "first" names; `None` without a swap.
#[must_use]
pub fn swap_note<'m>(
    words: Language,
    mut moves: impl Iterator<Item = &'m str>,
) -> Option<&'static str> {
    moves
        .any(|mv| mv == "swap")
        .then(|| words.text("swap-note"))
}

/// What a sheet of puzzles asks for, with moves to show how one is written, as `named` writes it: one of a square and one of
/// none, where there are such.
#[must_use]
pub fn sheet_task(
    words: Language,
    variant: &Variant,
    puzzles: &[Puzzle],
    named: impl Fn(&str) -> String,
) -> String {
    let squares = variant.diagram(&variant.start()).names;
    let names_square = |mv: &String| squares.iter().any(|square| mv.contains(square.as_str()));
    // The examples are to give no solution away.
    let solves = |mv: &String| puzzles.iter().any(|puzzle| puzzle.keeps.contains(mv));
    let moves = puzzles
        .iter()
        .flat_map(|puzzle| variant.move_texts(&puzzle.at));
    let moves: Vec<String> = moves.collect();
    let open = || moves.iter().filter(|mv| !solves(mv));
    let of_square = open().find(|mv| names_square(mv)).or(moves.first());
    let of_none = open().find(|mv| !names_square(mv));
    let examples = of_square.into_iter().chain(of_none);
    let examples: Vec<String> = examples.map(|mv| named(mv)).collect();
    let key = if puzzles.iter().all(|puzzle| puzzle.keeps.len() < 2) {
        "sheet-task"
    } else {
        "sheet-task-some"
    };
    words.with(key, examples.join(", "))
}

impl Hint {
    /// The step of the hint in a sentence.
    #[must_use]
    pub fn said(&self, words: Language) -> String {
        match self {
            Hint::Stands(standing) => standing.said(words),
            Hint::Places(places) if places.len() > FEW => words.text("hint-places-many").into(),
            Hint::Places(places) => words.with("hint-places", places.join(", ")),
            Hint::Moves { moves, known } => {
                let key = match known {
                    HintKind::Best => "hint-moves",
                    HintKind::Longest => "hint-longest",
                    HintKind::Hardest => "hint-hardest",
                    HintKind::Losing => "hint-losing",
                    HintKind::Opinion => "hint-opinion",
                    HintKind::Unknown => "hint-unknown",
                };
                words.with(key, few(moves, ", "))
            }
        }
    }
}

impl Standing {
    /// How the position stands in a sentence to the player to move.
    #[must_use]
    pub fn said(&self, words: Language) -> String {
        match *self {
            Standing::Expects(share) => words.with("expects", words.expectation(share, 4)),
            Standing::Points(points) => words.comes_out(points),
            Standing::Won(None) => words.text("hint-won-open").into(),
            Standing::Won(Some(1)) => words.text("hint-won-one").into(),
            Standing::Won(Some(keeping)) => words.with("hint-won", keeping),
            Standing::Drawn(None) => words.text("hint-drawn-open").into(),
            Standing::Drawn(Some(1)) => words.text("hint-drawn-one").into(),
            Standing::Drawn(Some(keeping)) => words.with("hint-drawn", keeping),
            Standing::Lost(Endurance::Longest(1)) => words.text("hint-lost-one").into(),
            Standing::Lost(Endurance::Longest(longest)) => words.with("hint-lost-some", longest),
            Standing::Lost(Endurance::Alike) => words.text("hint-lost-alike").into(),
            Standing::Lost(Endurance::Unknown) => words.text("hint-lost").into(),
            Standing::Unknown => words.text("unknown").into(),
        }
    }

    /// The same with the idea of the best move, by its key, where the player to move has something to win or to hold.
    #[must_use]
    pub fn said_with(&self, words: Language, idea: Option<&'static str>) -> String {
        let is_open = match *self {
            Standing::Won(_) | Standing::Drawn(_) => true,
            Standing::Points(points) => points > 0,
            Standing::Expects(_) | Standing::Lost(_) | Standing::Unknown => false,
        };
        let said = self.said(words);
        let Some(idea) = idea.filter(|_| is_open) else {
            return said;
        };
        let stop = if said.ends_with('.') { "" } else { "." };
        format!("{said}{stop} {}", words.with("hint-idea", words.text(idea)))
    }
}

/// A task of so many plies with its unit: the solver's own moves where the players move alternately, else the steps of
/// both.
#[must_use]
pub fn win_in(words: Language, variant: &Variant, plies: u32) -> String {
    match variant.rules().properties.turn {
        Turn::Alternates => {
            let own = i64::from(plies.div_ceil(2));
            words.counted(own, "own-move", "own-moves")
        }
        Turn::Runs => words.counted(i64::from(plies), "own-step", "own-steps"),
    }
}

impl Puzzle {
    /// What the puzzle asks for.
    #[must_use]
    pub fn task(&self, words: Language, variant: &Variant) -> String {
        match (self.goal, self.distance) {
            ("draw", _) => words.text("task-draw").into(),
            (_, Some(plies)) => words.with("task-win", win_in(words, variant, plies)),
            (_, None) => words.text("task-ahead").into(),
        }
    }
}
