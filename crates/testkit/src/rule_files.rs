//! Random rule files of all kinds: every key by itself and in company with others.

use crate::SeededNumbers;

fn number(seeded: &mut SeededNumbers) -> u64 {
    1 + seeded.below(9)
}

/// The text of a rule file; now and then one that describes no game.
pub fn rule_file(seeded: &mut SeededNumbers) -> String {
    let kind = seeded.below(30);
    let (bag, strip) = (kind == 0, (1..6).contains(&kind));
    let levels = if bag { 3 } else { 1 + seeded.below(3) };
    let length = if strip {
        1 + seeded.below(2)
    } else {
        1 + seeded.below(4)
    };
    let scored = seeded.below(3) == 0;
    let mut text = String::new();
    let patterns = patterns(seeded, length, levels);
    let listed = |pattern: &String, points: u64| {
        if scored {
            format!("{pattern} = {points}")
        } else {
            format!("'{pattern}'")
        }
    };
    let entries: Vec<String> = patterns
        .iter()
        .map(|pattern| listed(pattern, 1 + seeded.below(9)))
        .collect();
    let (open, close) = if scored { ('{', '}') } else { ('[', ']') };
    let remembers = !bag && !strip && seeded.below(2) == 0;
    if remembers && !scored && seeded.below(3) == 0 {
        text += &goal(seeded, &entries);
    } else {
        text += &format!("patterns = {open} {} {close}\n", entries.join(", "));
    }
    if scored {
        text += "play = 'points'\n";
        if seeded.below(3) == 0 {
            text += "end = 'play-on'\n";
        }
        if seeded.below(3) == 0 {
            text += "four = 'once'\n";
        }
    } else if seeded.below(3) == 0 {
        text += "play = 'misere'\n";
    }
    if seeded.below(3) == 0 && !bag {
        let kind = seeded.pick(&["cap", "pool"]);
        text += &format!("supply = '{kind}{}'\n", number(seeded));
    }
    let counts = remembers && !scored && seeded.below(4) == 0;
    if counts {
        text += &format!("win-lines = {}\n", 2 + seeded.below(3));
    }
    if seeded.below(3) == 0 && !scored && !bag && !counts {
        let stalemate = seeded.pick(&["draw", "loss", "pass"]);
        text += &format!("stalemate = '{stalemate}'\n");
    }
    let rows = board(seeded, bag, strip, levels);
    let beginning = if bag || strip {
        String::new()
    } else {
        beginning(seeded, &rows)
    };
    text += &beginning;
    if remembers {
        text += &remembered(seeded, levels);
    }
    text += "[board]\n";
    text += &written(seeded, &rows);
    if !bag && !strip {
        text += &lines_and_tops(seeded, &rows, levels);
    }
    text += &format!("line-length = {length}\n");
    if levels < 3 || seeded.below(2) == 0 {
        text += &format!("levels = {levels}\n");
    }
    if strip {
        text += "[strip]\n";
        for (key, values) in [
            ("turn", ["yes", "no"]),
            ("sides", ["any", "adjacent"]),
            ("null", ["allowed", "forbidden"]),
            ("empty-strip", ["allowed", "forbidden"]),
            ("repeat", ["draw", "ban"]),
        ] {
            if seeded.below(2) == 0 {
                text += &format!("{key} = '{}'\n", seeded.pick(&values));
            }
        }
    }
    if bag {
        text += "[bag]\n";
        if seeded.below(2) == 0 {
            text += &format!("counters = {}\n", 4 + seeded.below(3));
        }
        if seeded.below(3) == 0 {
            text += "choice = 3\n";
        }
        if seeded.below(3) == 0 {
            text += "return = 'after'\n";
        }
    }
    text
}

// One to five patterns; none of them is another one backwards.
fn patterns(seeded: &mut SeededNumbers, length: u64, levels: u64) -> Vec<String> {
    let mut patterns: Vec<String> = Vec::new();
    for _ in 0..1 + seeded.below(5) {
        let equal = seeded.below(2) == 0;
        let level = 1 + seeded.below(levels);
        let digits = (0..length).map(|_| {
            if equal {
                level
            } else {
                1 + seeded.below(levels)
            }
        });
        let pattern: String = digits.map(|digit| digit.to_string()).collect();
        let back: String = pattern.chars().rev().collect();
        if !patterns.contains(&pattern) && !patterns.contains(&back) {
            patterns.push(pattern);
        }
    }
    if seeded.below(60) == 0 {
        patterns.push("1".repeat(length as usize + 1));
    }
    patterns
}

fn board(seeded: &mut SeededNumbers, bag: bool, strip: bool, levels: u64) -> Vec<String> {
    let full = |size: &str| {
        let (ranks, files) = size.split_once('x').unwrap_or(("1", "1"));
        let files: usize = files.parse().unwrap_or(1);
        vec!["#".repeat(files); ranks.parse().unwrap_or(1)]
    };
    if bag {
        return full(seeded.pick(&["1x3", "3x1", "1x2"]));
    }
    if strip {
        return full(seeded.pick(&["2x2", "2x2", "1x1"]));
    }
    // As many squares as the brute force takes in its stride.
    let most = match levels {
        1 => 8,
        2 => 7,
        _ => 6,
    };
    loop {
        let (ranks, files) = (1 + seeded.below(4), 1 + seeded.below(most));
        if ranks * files > most + 3 {
            continue;
        }
        if seeded.below(2) == 0 && ranks * files <= most {
            return full(&format!("{ranks}x{files}"));
        }
        let gap = 1 + seeded.below(4);
        let rows: Vec<String> = (0..ranks)
            .map(|_| {
                let square = |_| if seeded.below(5) < gap { '-' } else { '#' };
                (0..files).map(square).collect()
            })
            .collect();
        let squares = rows.concat().matches('#').count() as u64;
        if squares > 0 && squares <= most {
            return rows;
        }
    }
}

// The squares of a board, by its size where it has no gaps.
fn written(seeded: &mut SeededNumbers, rows: &[String]) -> String {
    if rows.concat().contains('-') || seeded.below(8) == 0 {
        return format!("outline = '{}'\n", rows.join("/"));
    }
    format!("size = '{}x{}'\n", rows.len(), rows[0].len())
}

// Other lines than straight ones, edges that are joined, squares that go less high than others.
fn lines_and_tops(seeded: &mut SeededNumbers, rows: &[String], levels: u64) -> String {
    let mut text = String::new();
    if seeded.below(4) == 0 {
        let all = ["'rank'", "'file'", "'diagonal'"];
        let some: Vec<&str> = all.into_iter().filter(|_| seeded.below(2) == 0).collect();
        text += &format!("directions = [{}]\n", some.join(", "));
    }
    if seeded.below(4) == 0 {
        text += &format!(
            "wrap = '{}'\n",
            seeded.pick(&["none", "files", "ranks", "both"])
        );
    }
    if seeded.below(4) == 0 {
        text += &format!("grid = '{}'\n", seeded.pick(&["square", "hex"]));
    }
    if seeded.below(4) == 0 {
        let figures = ["##/##", "##/#-", "#-#", "##", "-#/#-", "#"];
        text += &format!("shapes = ['{}']\n", seeded.pick(&figures));
        if seeded.below(2) == 0 {
            text += "shapes-turn = false\n";
        }
    }
    if seeded.below(4) == 0 {
        text += &format!("top = '{}'\n", filled(rows, || seeded.below(levels + 1)));
    }
    text
}

// How the game begins: rows with few lights, and squares that are barred.
fn beginning(seeded: &mut SeededNumbers, rows: &[String]) -> String {
    let mut text = String::new();
    if seeded.below(5) == 0 {
        let light = || if seeded.below(4) == 0 { 1 } else { 0 };
        text += &format!("start = '{}'\n", filled(rows, light));
    }
    if seeded.below(5) == 0 {
        let name = |file: usize, rank: usize| {
            let file = char::from(b'a' + file as u8);
            format!("'{file}{}'", rank + 1)
        };
        let squares = rows.iter().rev().enumerate().flat_map(|(rank, row)| {
            let marked = row.char_indices().filter(|(_, letter)| *letter == '#');
            marked.map(move |(file, _)| name(file, rank))
        });
        let barred: Vec<String> = squares.filter(|_| seeded.below(3) == 0).collect();
        text += &format!("not-first = [{}]\n", barred.join(", "));
    }
    text
}

// Rows with a digit on each square.
fn filled(rows: &[String], mut digit: impl FnMut() -> u64) -> String {
    let mut row = |row: &String| -> String {
        let letter = |letter| match letter {
            '-' => "-".to_string(),
            _ => digit().to_string(),
        };
        row.chars().map(letter).collect()
    };
    rows.iter().map(&mut row).collect::<Vec<_>>().join("/")
}

// For each player some of the patterns.
fn goal(seeded: &mut SeededNumbers, patterns: &[String]) -> String {
    let mut some = || {
        let some = patterns.iter().filter(|_| seeded.below(3) > 0);
        some.map(String::as_str).collect::<Vec<_>>().join(", ")
    };
    format!("goal = {{ first = [{}], second = [{}] }}\n", some(), some())
}

// The parts of positions beside their boards.
fn remembered(seeded: &mut SeededNumbers, levels: u64) -> String {
    let mut text = String::new();
    if seeded.below(3) == 0 {
        let last = seeded.pick(&["any", "forbidden", "neighbours", "elsewhere"]);
        text += &format!("last-square = '{last}'\n");
    }
    match seeded.below(12) {
        0..=3 => text += &format!("pass = '{}'\n", seeded.pick(&["free", "once"])),
        4..=7 => text += &format!("moves-a-turn = {}\n", seeded.pick(&["1", "2", "'1-2-2'"])),
        8 => text += "pass = 'free'\nmoves-a-turn = 2\n",
        _ => {}
    }
    if seeded.below(3) == 0 {
        text += &format!("swap = {}\n", seeded.below(4) > 0);
    }
    if seeded.below(4) == 0 {
        let mut some = || {
            let some = (1..=levels).filter(|_| seeded.below(4) > 0);
            some.map(|level| level.to_string())
                .collect::<Vec<_>>()
                .join(", ")
        };
        text += &format!("may = {{ first = [{}], second = [{}] }}\n", some(), some());
    }
    text
}
