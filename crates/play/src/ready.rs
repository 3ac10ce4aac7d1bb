//! Puzzles that were looked for before, and the levels that games have.

use std::ops::RangeInclusive;
use std::sync::OnceLock;

use greenwave_game::{AnyMove, Game, Variant};
use greenwave_tablebase::{Error, SCHEMA, Tablebase};

use crate::{Puzzle, PuzzleOptions, Puzzles, Theme, search_puzzles};

/// A line for each, as [`ready_line`] writes it; `cargo discoveries puzzles` looks for them.
const READY: &str = include_str!("ready_puzzles.txt");

/// Puzzles of a level in the list of a game that may have more of it: of fewer, or none, the game has no others.
pub const FULL_LEVEL: usize = 12;

/// The levels of puzzles.
const LEVELS: RangeInclusive<u8> = 1..=5;

/// A game that has ready puzzles.
struct ReadyGame {
    variant: Variant,
    /// By their level.
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

fn themes_of(line: &str) -> impl Iterator<Item = &str> {
    line.rsplit(' ').next().unwrap_or_default().split(',')
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

/// The puzzle as a line of the list: the game, the level, the position, `win` or `draw`, the plies to the end and the
/// moves that alone keep the value, the solution, and the themes; `-` for what it does not have.
#[must_use]
pub fn ready_line(puzzle: &Puzzle) -> String {
    let none = || "-".to_string();
    let themes: Vec<&str> = puzzle.themes.iter().map(|theme| theme.name()).collect();
    format!(
        "{} {} {} {} {} {} {} {}",
        puzzle.variant,
        puzzle.level,
        puzzle.position,
        puzzle.goal,
        puzzle.distance.map_or_else(none, |plies| plies.to_string()),
        puzzle.only_moves,
        puzzle.solution.join(","),
        if themes.is_empty() {
            none()
        } else {
            themes.join(",")
        }
    )
}

/// Ready puzzles, some after the others by the seed. `None` where they are to be looked for: the game has no list, or
/// the list has too few, or too few of a theme.
#[must_use]
pub fn ready_puzzles(variant: &Variant, options: &PuzzleOptions) -> Option<Puzzles> {
    let game = game(variant)?;
    let fits = |line: &&str| {
        let is_of_theme = |theme: Theme| themes_of(line).any(|name| name == theme.name());
        options.theme.is_none_or(is_of_theme)
    };
    let of_level = |level: u8| {
        let lines = game.lines.iter().copied();
        let lines = lines.filter(move |line| level_of(line) == Some(level));
        lines
            .filter(fits)
            .enumerate()
            .map(move |(place, line)| (place, level, line))
    };
    let mut all: Vec<(usize, u8, &str)> = match options.level {
        Some(level) => of_level(level).collect(),
        None => LEVELS.flat_map(of_level).collect(),
    };
    // Where any level will do, all take turns.
    all.sort_unstable();
    let is_complete = options.level.is_some() && options.theme.is_none() && all.len() < FULL_LEVEL;
    if !is_complete && all.len() < options.count {
        return None;
    }
    let count = options.count.min(all.len());
    let first = options.seed % (all.len() as u64).max(1) * count as u64;
    let chosen = all.iter().cycle().skip(first as usize % all.len().max(1));
    let chosen = chosen.take(count);
    Some(Puzzles {
        found: chosen
            .filter_map(|(_, _, line)| game.read(line, variant))
            .collect(),
        are_all: is_complete && options.count > all.len(),
    })
}

/// Puzzles: ready ones, else those that a search finds. The same seed gives the same ones; no two are images of each
/// other.
///
/// # Errors
/// As [`search_puzzles`].
pub fn puzzles(
    tablebase: &Tablebase,
    variant: &Variant,
    options: &PuzzleOptions,
) -> Result<Puzzles, Error> {
    match ready_puzzles(variant, options) {
        Some(ready) => Ok(ready),
        None => search_puzzles(tablebase, variant, options),
    }
}

/// The levels of which a game has puzzles, as far as is known: the same whoever asked before.
#[must_use]
pub fn levels_of(variant: &Variant) -> Vec<u8> {
    let Some(game) = game(variant) else {
        return LEVELS.collect();
    };
    let has = |level: &u8| game.lines.iter().any(|line| level_of(line) == Some(*level));
    LEVELS.filter(has).collect()
}

/// Whether a game is not known to have no puzzle of a theme that is soon there.
#[must_use]
pub fn offers_theme(variant: &Variant, theme: Theme) -> bool {
    let Some(game) = game(variant) else {
        return true;
    };
    let mut themes = game.lines.iter().flat_map(|line| themes_of(line));
    themes.any(|name| name == theme.name())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use greenwave_game::{At, Lights};

    use super::*;
    use crate::puzzle_at;

    fn of(variant: &Variant, level: Option<u8>, count: usize, seed: u64) -> Vec<Puzzle> {
        let options = PuzzleOptions {
            count,
            seed,
            level,
            theme: None,
        };
        ready_puzzles(variant, &options).map_or_else(Vec::new, |found| found.to_vec())
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
    }

    #[test]
    fn a_line_is_read_as_it_was_written() {
        for game in games() {
            for line in &game.lines {
                let puzzle = game.read(line, &game.variant).expect(line);
                assert_eq!(ready_line(&puzzle), *line);
            }
        }
    }

    /// Some of each game that is solved or searched in a moment, as the search would make them.
    #[test]
    fn ready_puzzles_are_those_that_a_search_makes() {
        let tablebase = Tablebase::open("no-such-folder").unwrap();
        for game in games() {
            // A strip takes too long for a test; boards of more squares are searched from the end of a game alone.
            let is_small = game.variant.rules().cells <= 12 && !game.variant.features().strip;
            let variant = Arc::new(game.variant.clone());
            for level in levels_of(&variant) {
                let some = of(&variant, Some(level), 2, 1);
                for ready in some.iter().filter(|_| is_small || level == 1) {
                    let at = At::new(Arc::clone(&variant), ready.at);
                    let made = puzzle_at(&tablebase, &at).unwrap();
                    assert_eq!(made.as_ref(), Some(ready), "{}", ready.position);
                }
            }
        }
    }

    /// A level whose list is short has no other puzzles, and one that is not offered has none.
    #[test]
    fn short_lists_are_complete() {
        let tablebase = Tablebase::open("no-such-folder").unwrap();
        let mut short = 0;
        for game in games()
            .iter()
            .filter(|game| game.variant.rules().cells <= 9)
        {
            for level in LEVELS {
                let known = of(&game.variant, Some(level), 1, 0).len();
                let is_of_level = |line: &&&str| level_of(line) == Some(level);
                let all = game.lines.iter().filter(is_of_level).count();
                assert_eq!(known > 0, levels_of(&game.variant).contains(&level));
                if all >= FULL_LEVEL {
                    continue;
                }
                let options = PuzzleOptions {
                    count: all + 1,
                    level: Some(level),
                    ..PuzzleOptions::default()
                };
                let found = search_puzzles(&tablebase, &game.variant, &options).unwrap();
                let name = game.variant.rules().title();
                assert!(found.len() == all && found.are_all, "{name} {level}");
                short += 1;
            }
        }
        assert!(short > 0);
    }

    /// A game under another name, with its lights in another order, has the same puzzles in its own letters.
    #[test]
    fn puzzles_are_in_the_order_of_the_lights_that_is_asked_for() {
        let own = Variant::parse("classic-3x4").unwrap();
        let other = Variant::parse("semaforo").unwrap();
        let same = other.clone().with_lights(Lights::Ryg).unwrap();
        for level in levels_of(&own) {
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
        // Far more than there are is all.
        let all = of(
            &Variant::parse("noughts-4x4").unwrap(),
            Some(4),
            usize::MAX,
            3,
        );
        assert!((1..FULL_LEVEL).contains(&all.len()));
        // One after the other they go round.
        let [one, next] = [0, 1].map(|seed| of(&own, Some(2), 6, seed));
        assert!(one.len() == 6 && one.iter().all(|puzzle| !next.contains(puzzle)));
    }
}
