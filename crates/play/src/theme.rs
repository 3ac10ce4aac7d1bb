//! Themes of puzzles.

use std::fmt;
use std::str::FromStr;

use greenwave_game::{Features, Outcome, Squares};
use greenwave_probe::{PositionAnswer, answer};
use greenwave_values::ValueSource;
use serde::Serialize;

use crate::explain::count_safe;
use crate::puzzle::safe;

/// Moves of a solution that have to be the only one, for a puzzle about only moves.
const ONLY_MOVES: usize = 3;

/// The theme of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Theme {
    /// The move threatens to complete two lines, and no reply stops both; only where each player has
    /// marks of their own.
    Fork,
    /// After the move the players make an even number of moves that do not lose at once, or none, in whatever order:
    /// the opponent runs out of them first.
    Parity,
    /// Three moves of the solution or more are the only one that keeps the value.
    OnlyMoves,
    /// The move is one of the strip.
    Strip,
}

impl Theme {
    /// All themes.
    pub const ALL: [Theme; 4] = [Theme::Fork, Theme::Parity, Theme::OnlyMoves, Theme::Strip];

    /// `fork`, `parity`, `only-moves` or `strip`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Theme::Fork => "fork",
            Theme::Parity => "parity",
            Theme::OnlyMoves => "only-moves",
            Theme::Strip => "strip",
        }
    }

    /// The key of its name in a language.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Theme::Fork => "theme-fork",
            Theme::Parity => "theme-parity",
            Theme::OnlyMoves => "theme-only-moves",
            Theme::Strip => "theme-strip",
        }
    }

    /// Whether puzzles of a game with these features can have it; `scores` says whether points count.
    #[must_use]
    pub fn fits(self, features: &Features, scores: bool) -> bool {
        match self {
            Theme::Fork => !features.levels && features.lines && !scores,
            Theme::Parity => features.levels && features.lines && !features.strip && !scores,
            Theme::OnlyMoves => true,
            Theme::Strip => features.strip,
        }
    }
}

impl fmt::Display for Theme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Theme {
    type Err = String;

    fn from_str(text: &str) -> Result<Theme, String> {
        let found = Theme::ALL.into_iter().find(|theme| theme.name() == text);
        found.ok_or_else(|| format!("found '{text}', expected fork, parity, only-moves or strip"))
    }
}

/// The themes of the puzzle of an answered position; `only_moves` of its solution are the only one.
///
/// # Errors
/// When the source cannot be read.
pub(crate) fn themes<G: Squares, S: ValueSource<G::Position>>(
    game: &G,
    found: &PositionAnswer<G::Position, G::Move>,
    source: &S,
    only_moves: usize,
) -> Result<Vec<Theme>, S::Error> {
    let mut themes = Vec::new();
    let Some(key) = found.moves.first() else {
        return Ok(themes);
    };
    let goes_on = game.ending(&key.to).is_none();
    if goes_on && key.figures.value == Some(Outcome::Win) {
        let replies = answer(game, &key.to, source)?;
        let are_timed = replies
            .moves
            .iter()
            .all(|reply| reply.figures.distance.is_some());
        let safe = replies
            .moves
            .iter()
            .filter(|reply| safe(game, reply))
            .count();
        // Where a reply ends the game, no threat decided it.
        let mut after = replies.moves.iter().map(|reply| game.ending(&reply.to));
        let is_fork = safe == 0 && after.all(|ending| ending.is_none());
        let scores = game.rules().properties.scores;
        let is_parity = || count_safe(game, &key.to, true).is_some();
        if are_timed && is_fork && Theme::Fork.fits(&game.features(), scores) {
            themes.push(Theme::Fork);
        } else if are_timed && Theme::Parity.fits(&game.features(), scores) && is_parity() {
            themes.push(Theme::Parity);
        }
    }
    if only_moves >= ONLY_MOVES {
        themes.push(Theme::OnlyMoves);
    }
    if game.is_strip_move(key.mv) {
        themes.push(Theme::Strip);
    }
    Ok(themes)
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, HashMap};

    use greenwave_game::{AnyPosition, Game, RuleFile, Variant};
    use greenwave_tablebase::{Place, Tablebase};

    use super::*;
    use crate::{Puzzle, PuzzleOptions, puzzles};

    /// A strip on a board of two by two, which is solved at once.
    const STRIP: &str = "title = 'Small strip'\npatterns = ['11', '22', '33']\n\
                         [board]\nsize = '2x2'\nline-length = 2\n[strip]\n";

    fn found(variant: &Variant, theme: Theme) -> Vec<Puzzle> {
        let tablebase = Tablebase::open("no-such-folder").unwrap();
        let options = PuzzleOptions {
            count: 12,
            seed: 1,
            level: None,
            theme: Some(theme),
        };
        let found = puzzles(&tablebase, variant, &options).unwrap().to_vec();
        assert!(found.iter().all(|puzzle| puzzle.themes.contains(&theme)));
        found
    }

    fn wins_now(variant: &Variant, position: &AnyPosition) -> bool {
        let mut moves = Vec::new();
        variant.moves(position, &mut moves);
        let to = moves.iter().map(|mv| variant.play(position, *mv).to);
        to.into_iter().any(|to| {
            let ending = variant.ending(&to);
            ending.is_some_and(|ending| ending.outcome == Outcome::Loss)
        })
    }

    /// Replies to the first move of the solution that do not let the next move win.
    fn safe_replies(variant: &Variant, puzzle: &Puzzle) -> usize {
        let place = Place::at(&puzzle.position).after(&puzzle.solution[0]);
        let position = place.find(variant).unwrap();
        let mut moves = Vec::new();
        variant.moves(&position, &mut moves);
        let replies = moves.iter().map(|mv| variant.play(&position, *mv).to);
        let is_safe = |to: &AnyPosition| variant.ending(to).is_none() && !wins_now(variant, to);
        replies.filter(is_safe).count()
    }

    /// The numbers of safe moves that the players can make, one after the other, until one of them has none.
    fn safe_orders(
        variant: &Variant,
        position: &AnyPosition,
        seen: &mut HashMap<AnyPosition, BTreeSet<u32>>,
    ) -> BTreeSet<u32> {
        if let Some(known) = seen.get(position) {
            return known.clone();
        }
        let mut moves = Vec::new();
        variant.moves(position, &mut moves);
        let to = moves.iter().map(|mv| variant.play(position, *mv).to);
        let is_safe = |to: &AnyPosition| variant.ending(to).is_none() && !wins_now(variant, to);
        let mut lengths = BTreeSet::new();
        for next in to.filter(is_safe) {
            let after = safe_orders(variant, &next, seen);
            lengths.extend(after.into_iter().map(|made| made + 1));
        }
        if lengths.is_empty() {
            lengths.insert(0);
        }
        seen.insert(*position, lengths.clone());
        lengths
    }

    #[test]
    fn puzzles_are_about_what_was_asked_for() {
        let classic = Variant::parse("classic-3x3").unwrap();
        let parity = found(&classic, Theme::Parity);
        assert_eq!(parity.len(), 12);
        for puzzle in &parity {
            let place = Place::at(&puzzle.position).after(&puzzle.solution[0]);
            let at = place.find(&classic).unwrap();
            let lengths = safe_orders(&classic, &at, &mut HashMap::new());
            assert!(
                lengths.iter().all(|made| made % 2 == 0),
                "{}: {lengths:?}",
                puzzle.position
            );
        }
        let only = found(&classic, Theme::OnlyMoves);
        assert!(!only.is_empty() && only.iter().all(|puzzle| puzzle.only_moves >= ONLY_MOVES));
        let noughts = Variant::parse("noughts-3x3").unwrap();
        let forks = found(&noughts, Theme::Fork);
        assert!(!forks.is_empty());
        for puzzle in &forks {
            assert_eq!(safe_replies(&noughts, puzzle), 0, "{}", puzzle.position);
            assert_eq!(puzzle.distance, Some(3), "{}", puzzle.position);
        }
        let strip = RuleFile::parse("small.toml", STRIP).unwrap().variant;
        for puzzle in found(&strip, Theme::Strip) {
            assert!(
                ["slide", "turn"]
                    .iter()
                    .any(|name| puzzle.solution[0].starts_with(name)),
                "{puzzle:?}"
            );
        }
        for (variant, theme) in [
            (&classic, Theme::Fork),
            (&classic, Theme::Strip),
            (&noughts, Theme::Parity),
        ] {
            assert!(found(variant, theme).is_empty(), "{theme}");
        }
        assert!("forks".parse::<Theme>().unwrap_err().contains("only-moves"));
    }
}
