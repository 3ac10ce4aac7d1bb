//! Puzzles that were looked for before, of games in which that takes long.

use greenwave_play::Theme;

/// A line for each: the game, the level, the position, and the theme if it has one.
const READY: &str = include_str!("ready_puzzles.txt");

/// A puzzle as its page needs it.
pub(super) struct ReadyPuzzle<'a> {
    pub(super) level: u8,
    pub(super) position: &'a str,
    pub(super) theme: Option<Theme>,
}

/// The puzzles of a game.
fn of_game(name: &str) -> impl Iterator<Item = ReadyPuzzle<'static>> {
    READY.lines().filter_map(move |line| {
        let mut fields = line.split(' ');
        fields.next().filter(|game| *game == name)?;
        let level = fields.next()?.parse().ok()?;
        let position = fields.next()?;
        let theme = fields.next().and_then(|theme| theme.parse().ok());
        Some(ReadyPuzzle {
            level,
            position,
            theme,
        })
    })
}

/// One of those of a level and a theme, by turns; `None` where there is none.
pub(super) fn puzzle(
    name: &str,
    level: Option<u8>,
    theme: Option<Theme>,
    turn: u64,
) -> Option<ReadyPuzzle<'static>> {
    let fits = |ready: &ReadyPuzzle<'_>| {
        level.is_none_or(|level| level == ready.level) && (theme.is_none() || theme == ready.theme)
    };
    let mut fitting: Vec<ReadyPuzzle<'static>> = of_game(name).filter(fits).collect();
    let turn = turn.checked_rem(fitting.len() as u64)?;
    Some(fitting.swap_remove(turn as usize))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use greenwave_game::{At, Game, Outcome, Variant};
    use greenwave_tablebase::{Budget, QueryOptions, Tablebase};

    use super::*;

    /// The games of the list.
    const GAMES: [&str; 5] = [
        "strip",
        "slider",
        "classic-3x5",
        "classic-4x4",
        "points-3x4",
    ];

    #[test]
    fn every_level_has_some() {
        for name in GAMES {
            let variant = Variant::parse(name).unwrap();
            for level in 1..=5 {
                for turn in 0..6 {
                    let ready = puzzle(name, Some(level), None, turn).unwrap();
                    let at = variant.parse_position(ready.position).unwrap();
                    assert!(variant.ending(&at).is_none(), "{name} {}", ready.position);
                }
            }
        }
        let all = GAMES.map(|name| of_game(name).count());
        assert_eq!(all.iter().sum::<usize>(), READY.lines().count());
        assert!(puzzle("classic-3x3", None, None, 0).is_none());
        assert!(puzzle("strip", Some(2), Some(Theme::Strip), 1).is_some());
    }

    #[test]
    fn one_move_alone_solves_them() {
        let tablebase = Tablebase::open("no-such-folder").unwrap();
        let options = QueryOptions::within(Some(Budget::Time(Duration::from_secs(60))));
        let variant = Arc::new(Variant::parse("classic-3x5").unwrap());
        for ready in of_game("classic-3x5") {
            let at = variant.parse_position(ready.position).unwrap();
            let at = At::new(Arc::clone(&variant), at);
            let answer = tablebase.query_of(&at, &options).unwrap();
            let values = answer.moves.iter().map(|mv| mv.figures().value);
            let wins = values.filter(|value| *value == Some(Outcome::Win));
            assert_eq!(wins.count(), 1, "{}", ready.position);
        }
    }
}
