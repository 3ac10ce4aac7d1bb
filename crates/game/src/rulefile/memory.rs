//! What a rule file lets a game remember beside its board.

use super::patterns::checked_patterns;
use crate::keyed::{Keys, TextValue, found_number, integer};
use crate::{
    LastSquare, MAX_LEVEL, MemoryRules, Part, Passing, Play, RaisesATurn, Stalemate, WinPattern,
    messages,
};

/// The keys that say it.
pub(super) const KEYS: [&str; 7] = [
    "swap",
    "last-square",
    "pass",
    "moves-a-turn",
    "may",
    "goal",
    "win-lines",
];

/// What counts for each part, in place of `patterns`.
pub(super) type Goal = [Vec<WinPattern>; 2];

/// Reads `goal`; `None` where it is not given.
pub(super) fn read_goal(
    keys: &mut Keys,
    scored: bool,
    length: Option<u8>,
    levels: Option<u8>,
) -> Option<Goal> {
    let known = keys.has("goal");
    let pattern = |level: u8| level.to_string().repeat(usize::from(length.unwrap_or(3)));
    let (low, high) = (pattern(1), pattern(levels.unwrap_or(MAX_LEVEL)));
    let example = format!("goal = {{ first = [\"{low}\"], second = [\"{high}\"] }}");
    let table = keys.table_or("goal", format!("{example}, the patterns of each player"));
    if !known {
        return None;
    }
    if keys.value("patterns").is_some() {
        let problem = "goal says already which lines count, and for whom; keep one of them";
        keys.fault("patterns", problem);
    }
    if scored {
        let problem = "in scored games lines count for whoever completes them; leave out play, or say \
                       patterns = { 111 = 1, 222 = 5 } in place of goal";
        keys.fault("goal", problem);
    }
    let Some(mut table) = table else {
        return Some(Goal::default());
    };
    let goal = Part::ALL.map(|part| {
        let key = part.name();
        if !table.has(key) {
            table.value(key); // known, though not given
            let problem = "missing; list the patterns of this player, such as [\"111\"], or say []";
            table.fault(key, problem);
        }
        let texts = table.texts(key, &[&low, &high]).unwrap_or_default();
        let given = texts
            .into_iter()
            .map(|pattern| (pattern.value.into(), pattern.byte, 1));
        let given = given.collect();
        checked_patterns(&table, key, given, length, levels)
    });
    table.finish();
    Some(goal)
}

/// Reads all but `goal`, and reports keys that exclude each other. Wrong values are left out.
pub(super) fn read(
    keys: &mut Keys,
    goal: Option<Goal>,
    play: Play,
    stalemate: Stalemate,
    levels: Option<u8>,
) -> MemoryRules {
    let swap = keys.flag("swap");
    let last_square = match keys.word(
        "last-square",
        &["any", "forbidden", "neighbours", "elsewhere"],
    ) {
        "forbidden" => LastSquare::Forbidden,
        "neighbours" => LastSquare::Neighbours,
        "elsewhere" => LastSquare::Elsewhere,
        _ => LastSquare::Any,
    };
    let pass = match keys.word("pass", &["never", "free", "once"]) {
        "free" => Passing::Free,
        "once" => Passing::Once,
        _ => Passing::Never,
    };
    let turns = read_turns(keys);
    let may = read_may(keys, levels);
    let win_lines = keys.number("win-lines", 2, 9).map(|lines| lines as u8);
    if pass != Passing::Never && turns != RaisesATurn::One {
        keys.fault("moves-a-turn", messages::rules_pass());
    }
    if may.is_some() && stalemate == Stalemate::Pass {
        keys.fault(
            "stalemate",
            "the players may raise to different levels, so one who has no raise does not pass; say \
             \"draw\" or \"loss\", or pass = \"free\"",
        );
    }
    if keys.has("win-lines") {
        if play.scores() {
            let problem =
                "a scored game counts points, not lines; leave it out, or say play = \"normal\"";
            keys.fault("win-lines", problem);
        } else if keys.has("stalemate") {
            keys.fault(
                "stalemate",
                "with win-lines whoever has more lines wins when no raise is left; leave it out",
            );
        }
    }
    MemoryRules {
        swap: swap.unwrap_or(false),
        last_square,
        pass,
        turns,
        may,
        goal,
        win_lines,
    }
}

fn read_turns(keys: &mut Keys) -> RaisesATurn {
    let Some(value) = keys.value("moves-a-turn") else {
        return RaisesATurn::One;
    };
    let (number, text) = (integer(value.get_ref()), value.get_ref().as_str());
    let turns = match (number, text) {
        (Some(1), _) => Some(RaisesATurn::One),
        (Some(2), _) => Some(RaisesATurn::Two),
        (_, Some("1-2-2")) => Some(RaisesATurn::OneThenTwo),
        _ => None,
    };
    if turns.is_none() {
        let found = text.map_or_else(
            || found_number(value.get_ref()),
            |text| format!("'{text}'").into(),
        );
        let problem = format!("found {found}, expected 1, 2 or \"1-2-2\"");
        keys.fault("moves-a-turn", problem);
    }
    turns.unwrap_or_default()
}

/// The levels of each part; `None` where both may raise to all, or one is wrong.
fn read_may(keys: &mut Keys, levels: Option<u8>) -> Option<[Vec<u8>; 2]> {
    let most = levels.unwrap_or(MAX_LEVEL);
    let example = match most {
        1 => "may = { first = [1], second = [] }",
        2 => "may = { first = [1, 2], second = [2] }",
        _ => "may = { first = [1, 2], second = [2, 3] }",
    };
    let mut table = keys.table_or("may", format!("{example}, the levels of each player"))?;
    // A level above those of the board is never reached.
    let read = Part::ALL.map(|part| {
        let mut levels = read_levels(&mut table, part.name())?;
        levels.retain(|level| *level <= most);
        Some(levels)
    });
    table.finish();
    let [Some(first), Some(second)] = read else {
        return None;
    };
    let all: Vec<u8> = (1..=most).collect();
    let both = first == all && second == all;
    (!both).then_some([first, second])
}

fn read_levels(table: &mut Keys, key: &'static str) -> Option<Vec<u8>> {
    let Some(value) = table.value(key) else {
        table.fault(
            key,
            "missing; list the levels to which this player may raise, such as [1, 2], or say []",
        );
        return None;
    };
    let Some(items) = value.get_ref().as_array() else {
        let kind = value.get_ref().type_str();
        let problem =
            format!("found a value of type {kind}, expected a list of levels, such as [1, 2]");
        table.fault(key, problem);
        return None;
    };
    let mut levels: Vec<u8> = Vec::new();
    let mut fine = true;
    for item in items.iter() {
        let number = integer(item.get_ref());
        let level = number.filter(|level| (1..=MAX_LEVEL.into()).contains(level));
        let placed = TextValue {
            value: level.map(|level| level as u8),
            byte: item.span().start,
        };
        let problem = match placed.value {
            Some(level) if !levels.contains(&level) => {
                levels.push(level);
                continue;
            }
            Some(level) => format!("{level} stands twice; name it once"),
            None => {
                let found = found_number(item.get_ref());
                format!("found {found}, expected a level from 1 to {MAX_LEVEL}")
            }
        };
        table.fault_at(placed.byte, key, problem);
        fine = false;
    }
    levels.sort_unstable();
    fine.then_some(levels)
}
