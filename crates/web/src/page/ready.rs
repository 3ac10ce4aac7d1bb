//! Puzzles that were looked for before, of games in which that takes long, and the levels that games have.

use std::ops::RangeInclusive;
use std::sync::OnceLock;

use greenwave_game::{AnyMove, Game, Variant};
use greenwave_play::{Puzzle, PuzzleOptions, Puzzles, Theme};
use greenwave_tablebase::SCHEMA;

/// A line for each: the game, the level, the position, `win` or `draw`, the plies to the end and the moves that alone
/// keep the value, the solution, and the themes; `-` for what it does not have.
const READY: &str = include_str!("ready_puzzles.txt");

/// Puzzles of a level in the list of a game that may have more of it: of fewer, or none, the game has no others.
const FULL: usize = 12;

/// The levels of puzzles.
const LEVELS: RangeInclusive<u8> = 1..=5;

/// Games without ready puzzles that have none above a level: all of their positions were looked at.
const EASY: [(&str, u8); 4] = [
    ("green-3x3", 3),
    ("classic-3x3:play=misere", 3),
    ("noughts-3x3", 2),
    ("noughts-3x4", 2),
];

/// A game that has ready puzzles.
struct ReadyGame {
    variant: Variant,
    lines: Vec<&'static str>,
}

/// The games of the list.
fn games() -> &'static [ReadyGame] {
    static GAMES: OnceLock<Vec<ReadyGame>> = OnceLock::new();
    GAMES.get_or_init(|| {
        let mut games: Vec<ReadyGame> = Vec::new();
        for line in READY.lines() {
            let name = line.split(' ').next().unwrap_or_default();
            if let Some(game) = games
                .iter_mut()
                .find(|game| game.variant.rules().title() == name)
            {
                game.lines.push(line);
            } else if let Ok(variant) = Variant::parse(name) {
                games.push(ReadyGame {
                    variant,
                    lines: vec![line],
                });
            }
        }
        games
    })
}

/// The game of the list with these rules, whatever its name and the order of its lights.
fn game(variant: &Variant) -> Option<&'static ReadyGame> {
    let is_same = |game: &&ReadyGame| game.variant.rules().hash == variant.rules().hash;
    games().iter().find(is_same)
}

fn level_of(line: &str) -> Option<u8> {
    line.split(' ').nth(1)?.parse().ok()
}

impl ReadyGame {
    /// The puzzle of a line, in the order of the lights of another variant with the same rules.
    fn read(&self, line: &str, asked: &Variant) -> Option<Puzzle> {
        let fields: Vec<&str> = line.split(' ').collect();
        let [
            _,
            level,
            position,
            goal,
            distance,
            only_moves,
            moves,
            themes,
        ] = fields[..]
        else {
            return None;
        };
        let start = self.variant.parse_position(position).ok()?;
        let (mut at, mut solution) = (start, Vec::new());
        for text in moves.split(',') {
            let mv: AnyMove = self.variant.parse_move(&at, text).ok()?;
            solution.push(asked.move_text(&at, mv));
            at = self.variant.play(&at, mv).to;
        }
        let themes = themes.split(',').filter(|theme| *theme != "-");
        Some(Puzzle {
            schema: SCHEMA,
            variant: asked.rules().title().to_string(),
            lights: asked.rules().lights_name(),
            position: asked.position_text(&start),
            at: start,
            level: level.parse().ok()?,
            keeps: solution.first().cloned().into_iter().collect(),
            solution,
            only_moves: only_moves.parse().ok()?,
            distance: distance.parse().ok(),
            goal: if goal == "draw" { "draw" } else { "win" },
            themes: themes.map(str::parse).collect::<Result<_, _>>().ok()?,
        })
    }
}

/// Ready puzzles, some after the others by the seed. `None` where they are to be looked for: the game has no list, or
/// the list has too few, or none of a theme.
pub(super) fn puzzles(variant: &Variant, options: &PuzzleOptions) -> Option<Puzzles> {
    let game = game(variant)?;
    let fits = |puzzle: &Puzzle| {
        options
            .theme
            .is_none_or(|theme| puzzle.themes.contains(&theme))
    };
    let lines = game.lines.iter();
    let of_level = lines.filter(|line| options.level.is_none() || level_of(line) == options.level);
    let all: Vec<Puzzle> = of_level
        .filter_map(|line| game.read(line, variant))
        .filter(fits)
        .collect();
    let is_enough = match options.theme {
        Some(_) => !all.is_empty(),
        None => all.len() < FULL || all.len() >= options.count,
    };
    if !is_enough {
        return None;
    }
    let first = options.seed % (all.len() as u64).max(1) * options.count as u64;
    let chosen = all.iter().cycle().skip(first as usize % all.len().max(1));
    Some(Puzzles::known(
        chosen.take(options.count.min(all.len())).cloned().collect(),
    ))
}

/// The levels of which a game has puzzles, as far as is known: the same whoever asked before.
pub(super) fn levels(variant: &Variant) -> Vec<u8> {
    if let Some(game) = game(variant) {
        let has = |level: &u8| game.lines.iter().any(|line| level_of(line) == Some(*level));
        return LEVELS.filter(has).collect();
    }
    let is_same = |(name, _): &&(&str, u8)| {
        Variant::parse(name).is_ok_and(|easy| easy.rules().hash == variant.rules().hash)
    };
    let most = EASY
        .iter()
        .find(is_same)
        .map_or(*LEVELS.end(), |(_, most)| *most);
    (1..=most).collect()
}

/// Whether a game is not known to have no puzzle of a theme that is soon there.
pub(super) fn offers(variant: &Variant, theme: Theme) -> bool {
    let Some(game) = game(variant) else {
        return true;
    };
    let mut themes = game.lines.iter().filter_map(|line| line.rsplit(' ').next());
    themes.any(|themes| themes.split(',').any(|one| one == theme.name()))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use greenwave_game::{At, Lights};
    use greenwave_play::{puzzle_at, puzzles as sought};
    use greenwave_tablebase::Tablebase;

    use super::*;

    fn of(variant: &Variant, level: Option<u8>, count: usize, seed: u64) -> Vec<Puzzle> {
        let options = PuzzleOptions {
            count,
            seed,
            level,
            theme: None,
        };
        puzzles(variant, &options).map_or_else(Vec::new, |found| found.to_vec())
    }

    #[test]
    fn every_line_is_a_puzzle_whose_solution_ends_its_game() {
        let mut lines = 0;
        for game in games() {
            for line in &game.lines {
                let puzzle = game.read(line, &game.variant).expect(line);
                lines += 1;
                assert!(LEVELS.contains(&puzzle.level), "{line}");
                assert_eq!(line.split(' ').nth(2), Some(&*puzzle.position), "{line}");
                let mut at = puzzle.at;
                for mv in &puzzle.solution {
                    assert!(game.variant.ending(&at).is_none(), "{line}");
                    let mv = game.variant.parse_move(&at, mv).unwrap();
                    at = game.variant.play(&at, mv).to;
                }
                if puzzle.goal == "win" {
                    assert!(game.variant.ending(&at).is_some(), "{line}");
                }
                if let Some(plies) = puzzle.distance.filter(|_| puzzle.goal == "win") {
                    assert_eq!(puzzle.solution.len(), plies as usize, "{line}");
                }
            }
        }
        assert_eq!(lines, READY.lines().count());
        let small = Variant::parse("classic-3x3").unwrap();
        assert!(puzzles(&small, &PuzzleOptions::default()).is_none());
    }

    /// Some of each game that is solved or searched in a moment, as the search would make them.
    #[test]
    fn ready_puzzles_are_those_that_a_search_makes() {
        let tablebase = Tablebase::open("no-such-folder").unwrap();
        for game in games() {
            // A strip takes too long for a test; boards of more squares are searched from the end of a game alone.
            let is_small = game.variant.rules().cells <= 12 && !game.variant.features().strip;
            let variant = Arc::new(game.variant.clone());
            for level in levels(&variant) {
                let some = of(&variant, Some(level), 2, 1);
                for ready in some.iter().filter(|_| is_small || level == 1) {
                    let at = At::new(Arc::clone(&variant), ready.at);
                    let made = puzzle_at(&tablebase, &at).unwrap();
                    assert_eq!(made.as_ref(), Some(ready), "{}", ready.position);
                }
            }
        }
    }

    #[test]
    fn levels_that_are_not_offered_are_empty() {
        let tablebase = Tablebase::open("no-such-folder").unwrap();
        for (name, most) in EASY {
            let variant = Variant::parse(name).unwrap();
            assert_eq!(levels(&variant), (1..=most).collect::<Vec<u8>>(), "{name}");
            for level in [most, most + 1] {
                let options = PuzzleOptions {
                    count: 1,
                    level: Some(level),
                    ..PuzzleOptions::default()
                };
                let found = sought(&tablebase, &variant, &options).unwrap();
                assert_eq!(found.is_empty(), level > most, "{name} {level}");
                assert!(found.are_all || level == most, "{name} {level}");
            }
        }
        let other = Variant::parse("classic-3x3").unwrap();
        assert_eq!(levels(&other), [1, 2, 3, 4, 5]);
    }

    /// A game under another name, with its lights in another order, has the same puzzles in its own letters.
    #[test]
    fn puzzles_are_in_the_order_of_the_lights_that_is_asked_for() {
        let own = Variant::parse("classic-3x4").unwrap();
        let other = Variant::parse("semaforo").unwrap();
        let same = other.clone().with_lights(Lights::Ryg).unwrap();
        for level in levels(&own) {
            let all = [&own, &other, &same].map(|one| of(one, Some(level), 6, 3));
            for (first, rest) in all[0].iter().zip(all[1].iter().zip(&all[2])) {
                assert_eq!((first.at, first.at), (rest.0.at, rest.1.at));
                assert_eq!(
                    (&first.position, &first.solution),
                    (&rest.1.position, &rest.1.solution)
                );
                let read = other.parse_position(&rest.0.position).unwrap();
                assert_eq!(read, first.at);
                assert!(other.parse_move(&read, &rest.0.solution[0]).is_ok());
                assert_ne!(first.position, rest.0.position);
            }
        }
        // One after the other they go round.
        let [one, next] = [0, 1].map(|seed| of(&own, Some(2), 6, seed));
        assert!(one.len() == 6 && one.iter().all(|puzzle| !next.contains(puzzle)));
    }
}
