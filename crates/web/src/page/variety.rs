//! Puzzles one after the other that are not all about the same.

use greenwave_game::Variant;
use greenwave_play::{Puzzle, Theme};

/// Puzzles among which one is chosen by its theme.
pub(super) const AMONG: usize = 8;

/// Squares up to which that many are found almost as soon as one.
const SMALL: u32 = 12;

/// How many puzzles of a game are looked for where one is chosen by its theme.
pub(super) fn among(variant: &Variant) -> usize {
    if variant.rules().cells > SMALL {
        1
    } else {
        AMONG
    }
}

/// How many searches all drawn puzzles of a game and a level come from: a class gets what was found before.
const SEARCHES: u64 = 16;

/// The seed of the search for a drawn puzzle, and the turn of the puzzle among those that are found.
pub(super) fn drawn(seed: u64) -> (u64, u64) {
    (seed % SEARCHES, seed / SEARCHES)
}

/// One of some puzzles: their themes take turns, and so do the puzzles of each.
pub(super) fn by_turns(found: &[Puzzle], turn: u64) -> Option<&Puzzle> {
    let mut kinds: Vec<Option<Theme>> = Vec::new();
    for kind in found.iter().map(theme_of) {
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    let kind = turn.checked_rem(kinds.len() as u64)?;
    let round = turn / kinds.len() as u64;
    let kind = kinds.get(kind as usize)?;
    let alike = || found.iter().filter(|puzzle| theme_of(puzzle) == *kind);
    let place = round.checked_rem(alike().count() as u64)?;
    alike().nth(place as usize)
}

/// What a puzzle is about first.
fn theme_of(puzzle: &Puzzle) -> Option<Theme> {
    puzzle.themes.first().copied()
}

#[cfg(test)]
mod tests {
    use greenwave_play::{PuzzleOptions, puzzles};
    use greenwave_tablebase::Tablebase;

    use super::*;

    #[test]
    fn themes_take_turns() {
        let tablebase = Tablebase::open("no-such-folder").unwrap();
        let variant = Variant::parse("classic-3x3").unwrap();
        let options = PuzzleOptions {
            count: among(&variant),
            seed: 1,
            level: Some(3),
            theme: None,
        };
        let found = puzzles(&tablebase, &variant, &options).unwrap();
        let first = by_turns(&found, 0).unwrap();
        let second = by_turns(&found, 1).unwrap();
        assert_eq!(first, &found[0]);
        assert_ne!(theme_of(first), theme_of(second));
        // In as many turns as there are puzzles of all kinds, each kind has several.
        let alike = |puzzle: &&Puzzle| theme_of(puzzle) == theme_of(first);
        let mut turns: Vec<&Puzzle> = (0..64).filter_map(|turn| by_turns(&found, turn)).collect();
        turns.retain(alike);
        turns.dedup();
        assert_eq!(turns.len() > 1, found.iter().filter(alike).count() > 1);
        assert_eq!(drawn(37), (5, 2));
        assert_eq!(by_turns(&[], 3), None);
    }
}
