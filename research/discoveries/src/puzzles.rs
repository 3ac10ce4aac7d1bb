//! The list of ready puzzles of `greenwave-play`.

use anyhow::{Context, Result};
use greenwave_game::{Game, Variant};
use greenwave_play::{FULL_LEVEL, Puzzle, PuzzleOptions, Theme, ready_line, search_puzzles};
use greenwave_tablebase::Tablebase;

/// The list, from the root of the repository.
pub const PUZZLES: &str = "crates/play/src/ready_puzzles.txt";

/// Games with ready puzzles, each with the most puzzles of a level: those that the explorer leads to, and those whose
/// puzzles are long in coming.
const LISTED: [(&str, usize); 22] = [
    ("strip", 20),
    ("slider", 20),
    ("classic-3x3", 40),
    ("signal-3x3", 20),
    ("green-3x3", 20),
    ("points-3x3", 20),
    ("classic-3x3:play=misere", 12),
    ("noughts-3x3", 20),
    ("noughts-3x4", 12),
    ("classic-3x4", 20),
    ("green-3x4", 20),
    ("signal-3x4", 20),
    ("points-3x4", 20),
    ("classic-3x5", 20),
    ("classic-4x4", 20),
    ("noughts-4x4", 12),
    ("classic-3x4:play=misere", 12),
    ("classic-3x4:supply=cap7", 12),
    ("classic-3x4:supply=cap8", 12),
    ("points-3x4:end=play-on", 12),
    ("slider:score=win", 12),
    ("strip:repeat=ban", 12),
];

/// The list with some of its games looked through again, or all where none is named; the others keep their lines.
///
/// # Errors
/// When a name is none of the list, and when the values of a game do not fit the memory.
pub fn ready_list(tablebase: &Tablebase, wanted: &[String], list: &str) -> Result<String> {
    let mut made = String::new();
    for (name, most) in LISTED {
        let is_wanted = wanted.is_empty() || wanted.iter().any(|one| one == name);
        if is_wanted {
            for puzzle in of_game(tablebase, name, most)? {
                made.push_str(&ready_line(&puzzle));
                made.push('\n');
            }
        } else {
            let own = list
                .lines()
                .filter(|line| line.split(' ').next() == Some(name));
            made.extend(own.flat_map(|line| [line, "\n"]));
        }
    }
    Ok(made)
}

/// Whether a game has a place in the list.
#[must_use]
pub fn is_listed(name: &str) -> bool {
    LISTED.iter().any(|(listed, _)| *listed == name)
}

/// Puzzles of a game, by level: of each level as many as there are or may be, and half as many of every theme. A level of
/// which a sample has fewer than [`FULL_LEVEL`] is left out, since the list would say that there are no others.
fn of_game(tablebase: &Tablebase, name: &str, most: usize) -> Result<Vec<Puzzle>> {
    let variant = Variant::parse(name).with_context(|| name.to_string())?;
    let wanted = |level: Option<u8>, theme: Option<Theme>, count: usize| PuzzleOptions {
        count,
        seed: 1,
        level,
        theme,
    };
    let mut all = Vec::new();
    for level in 1..=5 {
        let found = search_puzzles(tablebase, &variant, &wanted(Some(level), None, most))?;
        eprintln!(
            "{name}, level {level}: {} puzzles{}",
            found.len(),
            if found.are_all { ", all there are" } else { "" }
        );
        if found.are_all || found.len() >= FULL_LEVEL {
            all.extend(found.iter().cloned());
        }
    }
    let (features, scores) = (variant.features(), variant.rules().properties.scores);
    for theme in Theme::ALL {
        let of_theme = |puzzle: &&Puzzle| puzzle.themes.contains(&theme);
        let some = most / 2;
        if all.iter().filter(of_theme).count() >= some || !theme.fits(&features, scores) {
            continue;
        }
        let found = search_puzzles(tablebase, &variant, &wanted(None, Some(theme), some))?;
        let is_new = |puzzle: &&Puzzle| {
            let alike =
                |other: &Puzzle| variant.canonical(&other.at) == variant.canonical(&puzzle.at);
            !all.iter().any(alike)
        };
        let full = |puzzle: &&Puzzle| {
            let of_level = all.iter().filter(|other| other.level == puzzle.level);
            of_level.count() >= FULL_LEVEL
        };
        let more: Vec<Puzzle> = found.iter().filter(full).filter(is_new).cloned().collect();
        eprintln!("{name}, {theme}: {} puzzles more", more.len());
        all.extend(more);
    }
    all.sort_by_key(|puzzle| puzzle.level);
    Ok(all)
}
