//! The patterns of a rule file.

use std::collections::{HashMap, HashSet};

use crate::keyed::{Keys, integer};
use crate::{MAX_LEVEL, WinPattern, messages};

/// Most points that a pattern can score, so that whole games fit into 16 bits.
const MAX_POINTS: i64 = 50;

/// The patterns with their mirror images, in the order of the canonical text: equal lights first,
/// then the others by their levels, each with its mirror image.
pub(super) fn read_patterns(
    keys: &mut Keys,
    scored: bool,
    length: Option<u8>,
    levels: Option<u8>,
) -> Vec<WinPattern> {
    let mut given: Vec<(String, usize, i32)> = Vec::new();
    let Some(value) = keys.value("patterns") else {
        let example = if scored {
            "patterns = { 111 = 1, 222 = 5 }"
        } else {
            "patterns = [\"111\", \"222\", \"333\"]"
        };
        keys.fault("patterns", messages::file_no_patterns(example));
        return Vec::new();
    };
    match value.get_ref().as_table() {
        Some(table) if scored => {
            for (pattern, points) in table.iter() {
                let points_given = integer(points.get_ref());
                let fine = points_given.filter(|points| (1..=MAX_POINTS).contains(points));
                if fine.is_none() {
                    let problem = format!("expected the points of {pattern}, a number from 1 to {MAX_POINTS}");
                    keys.fault_at(points.span().start, "patterns", problem);
                }
                let points = fine.unwrap_or(1) as i32;
                given.push((pattern.get_ref().to_string(), pattern.span().start, points));
            }
        }
        Some(_) => keys.fault(
            "patterns",
            "found points for patterns, but the game is not scored; list the patterns in [ ], or say play = \"points\"",
        ),
        None if scored => keys.fault(
            "patterns",
            "a scored game gives every pattern its points, for example { 111 = 1, 222 = 5 }",
        ),
        None => {
            let pattern = |level: u8| level.to_string().repeat(length.unwrap_or(3).into());
            let (low, high) = (pattern(1), pattern(levels.unwrap_or(MAX_LEVEL).min(2)));
            let example = match levels {
                Some(1) => vec![&*low],
                _ => vec![&*low, &*high],
            };
            for pattern in keys.texts("patterns", &example).unwrap_or_default() {
                given.push((pattern.value.into(), pattern.byte, 1));
            }
        }
    }
    checked_patterns(keys, "patterns", given, length, levels)
}

/// Patterns that are given by their levels, the byte where they stand, and their points: with their mirror
/// images, in the order of the canonical text. Those that no board can show are left out.
pub(super) fn checked_patterns(
    keys: &Keys,
    key: &str,
    given: Vec<(String, usize, i32)>,
    length: Option<u8>,
    levels: Option<u8>,
) -> Vec<WinPattern> {
    let mut patterns: Vec<WinPattern> = Vec::new();
    // Points by pattern, mirror images included, and what is written out.
    let mut scored_with: HashMap<Vec<u8>, i32> = HashMap::new();
    let mut written: HashSet<Vec<u8>> = HashSet::new();
    for (text, byte, points) in given {
        let Some(found) = pattern_levels(&text).filter(|found| {
            length.is_none_or(|length| found.len() == usize::from(length)) && !found.contains(&0)
        }) else {
            let problem = match length {
                Some(length) => messages::file_pattern_of(text, length, MAX_LEVEL),
                None => messages::file_pattern(text, MAX_LEVEL),
            };
            keys.fault_at(byte, key, problem);
            continue;
        };
        let mirrored: Vec<u8> = found.iter().rev().copied().collect();
        if !written.insert(found.clone()) {
            keys.fault_at(byte, key, messages::file_twice(text));
            continue;
        }
        match scored_with.get(&found) {
            Some(known) if *known == points => continue, // a mirror image written out
            Some(known) => {
                let problem = format!(
                    "'{text}' has {points} points, its mirror image {known}; give both the same or leave one out"
                );
                keys.fault_at(byte, key, problem);
                continue;
            }
            None => {}
        }
        scored_with.insert(found.clone(), points);
        if mirrored != found {
            scored_with.insert(mirrored.clone(), points);
            patterns.push(WinPattern {
                levels: mirrored,
                points,
            });
        }
        patterns.push(WinPattern {
            levels: found,
            points,
        });
    }
    let most = levels.unwrap_or(MAX_LEVEL);
    patterns.retain(|pattern| pattern.levels.iter().all(|level| *level <= most));
    in_order(patterns)
}

/// Patterns in the order of the canonical text, each once: equal lights first, then the others by their
/// levels.
pub(super) fn in_order(mut patterns: Vec<WinPattern>) -> Vec<WinPattern> {
    patterns.sort_by_key(|pattern| {
        let levels = pattern.levels.clone();
        let mirrored: Vec<u8> = levels.iter().rev().copied().collect();
        let mixed = levels.windows(2).any(|pair| pair[0] != pair[1]);
        (mixed, levels.clone().min(mirrored), levels)
    });
    patterns.dedup();
    patterns
}

fn pattern_levels(text: &str) -> Option<Vec<u8>> {
    text.chars()
        .map(|digit| digit.to_digit(4).map(|level| level as u8))
        .collect()
}
