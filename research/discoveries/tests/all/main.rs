//! The book of results: the tests rebuild and compare its quick parts, and compare all of its
//! pages.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod article;
mod named;
mod octal;
mod sentences;

use std::path::{Path, PathBuf};

use greenwave_discoveries::{
    BOOK, Facts, Length, LineRemoval, Longest, SECTIONS, Sequence, Winner, book, items, put,
    read_facts, rule_file,
};
use greenwave_game::{Code, Game, RuleFile};
use greenwave_tablebase::Tablebase;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn facts() -> Facts {
    read_facts(&root()).unwrap()
}

fn text(file: &str) -> String {
    let path = root().join(BOOK).join(file);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn what_is_quick_comes_out_as_published() {
    let empty = tempfile::tempdir().unwrap();
    let tablebase = Tablebase::open(empty.path()).unwrap();
    let facts = facts();
    let mut made = 0;
    for item in items().iter().filter(|item| item.quick) {
        let now = item.make(&tablebase).unwrap();
        let there = facts
            .0
            .get(item.section)
            .and_then(|facts| facts.get(&item.key));
        assert_eq!(
            Some(&now),
            there,
            "{item:?}; remake with 'just discoveries'"
        );
        made += 1;
    }
    assert!(made > 50, "{made}");
}

#[test]
fn every_fact_is_published_and_no_other() {
    let facts = facts();
    for section in SECTIONS {
        let mut wanted: Vec<String> = items()
            .into_iter()
            .filter(|item| item.section == section)
            .map(|item| item.key)
            .collect();
        wanted.sort();
        let there: Vec<&String> = facts.0[section].keys().collect();
        assert_eq!(there, wanted.iter().collect::<Vec<_>>(), "{section}");
    }
}

#[test]
fn the_pages_and_files_are_made_of_the_data() {
    let made = book(&facts()).unwrap();
    for (page, mark, part) in &made.parts {
        let shown = text(page);
        assert_eq!(
            put(&shown, mark, part).unwrap(),
            shown,
            "{page}, {mark}; remake with 'just discoveries'"
        );
    }
    for (file, made) in &made.files {
        assert_eq!(&text(file), made, "{file}; remake with 'just discoveries'");
    }
    for folder in ["pictures", "sequences"] {
        for entry in std::fs::read_dir(root().join(BOOK).join(folder)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let path = format!("{folder}/{name}");
            let known = made.files.iter().any(|(file, _)| *file == path);
            assert!(known, "{path} is made by nothing");
        }
    }
}

#[test]
fn every_picture_stands_on_a_page() {
    let pages = [
        "index",
        "winners",
        "strategies",
        "families",
        "sequences",
        "nimbers",
        "people",
    ]
    .map(|page| text(&format!("{page}.md")))
    .concat();
    for (file, _) in book(&facts()).unwrap().files {
        let shown = pages.contains(&format!("]({file})"));
        assert!(
            shown || file.starts_with("sequences/") || file.starts_with("submissions/"),
            "{file}"
        );
    }
}

/// Each sequence is linked from a page, and its file begins with what it counts.
#[test]
fn every_sequence_is_named_and_linked() {
    let pages = ["sequences.md", "tables/sequences.md"].map(text).concat();
    let files = book(&facts()).unwrap().files;
    let mut seen = 0;
    for (file, made) in files
        .iter()
        .filter(|(file, _)| file.starts_with("sequences/"))
    {
        assert!(
            pages.contains(&format!("{file})")),
            "{file} is linked nowhere"
        );
        let (name, _) = made.split_once(';').unwrap();
        assert!(
            name.starts_with("# ") && name.contains("boards"),
            "{file}: {name}"
        );
        seen += 1;
    }
    assert!(seen >= 36, "{seen}");
}

/// Positions that the page of nimbers shows can be reached: one by one their lights can be lowered
/// without a line ever standing there.
#[test]
fn play_can_reach_the_first_position_of_each_nimber() {
    let (chapter, tables) = (text("nimbers.md"), text("tables/nimbers.md"));
    let part = |page: &str| {
        let (_, rest) = page.split_once("<!-- begin firsts -->").unwrap();
        rest.split_once("<!-- end firsts -->")
            .unwrap()
            .0
            .to_string()
    };
    let mut seen = 0;
    for row in (part(&chapter) + &part(&tables)).lines() {
        let cells: Vec<&str> = row.split(" | ").collect();
        let [_, board, plies, position] = cells[..] else {
            continue;
        };
        let Ok(plies) = plies.parse::<u32>() else {
            continue;
        };
        let game = greenwave_game::BoardGame::named(board.trim_matches('`')).unwrap();
        let position = position.trim_end_matches(" |").trim_matches('`');
        let code = game.parse_position(position).unwrap();
        assert_eq!(code.level_sum(), plies, "{row}");
        let (mut known, mut open) = (std::collections::HashSet::from([code]), vec![code]);
        while let Some(code) = open.pop() {
            let squares = (0..game.board().shape.cells()).map(|cell| 2 * cell);
            for shift in squares.filter(|shift| code.0 >> shift & 3 > 0) {
                let before = Code(code.0 - (1 << shift));
                if !game.has_line(before) && known.insert(before) {
                    open.push(before);
                }
            }
        }
        assert!(known.contains(&Code::EMPTY), "{row}");
        seen += 1;
    }
    assert!(seen > 25, "{seen}");
}

/// The conjecture on misère play on one rank, and where it fails on two, with the length of a game taken
/// from Theorem 4.
#[test]
fn misere_play_on_one_rank_lasts_as_long_as_it_can() {
    let facts = facts();
    let mut seen = 0;
    for (ranks, files) in [(1_u64, 3_u64..=18), (2, 3..=9)] {
        for n in files {
            let name = format!("classic-{ranks}x{n}:play=misere");
            let row = facts.1.iter().find(|row| row.variant == name);
            let plies = row.and_then(|row| row.distance).unwrap_or_else(|| {
                let key = format!("length {name}");
                facts.expect::<Length>("winners", &key).unwrap().plies
            });
            let winner: Winner = facts.expect("winners", &name).unwrap();
            let longest = ranks * (8 * n).div_ceil(3) + 1;
            let even = winner.winner == "first";
            let most = if (longest % 2 == 0) == even {
                longest
            } else {
                longest - 1
            };
            let broken = ranks == 2 && [5, 8].contains(&n);
            assert_eq!(plies, if broken { most - 2 } else { most }, "{name}");
            seen += 1;
        }
    }
    assert_eq!(seen, 23);
}

/// No strategy of the form wins on the larger boards that the chapter names.
#[test]
fn larger_boards_need_exceptions() {
    let facts = facts();
    let mut seen = 0;
    for (key, found) in &facts.0["strategies"] {
        if key.starts_with("larger ") {
            assert!(found["at_least"].as_u64() > Some(0), "{key}");
            seen += 1;
        }
    }
    assert_eq!(seen, 8);
}

/// Each board whose winner is known has an answer among the strategies, and a map wherever first moves
/// differ.
#[test]
fn every_board_has_its_strategy_and_its_map() {
    let strategies = text("tables/strategies.md");
    let [maps, ranks] = ["", "-1xn"].map(|name| text(&format!("pictures/openings{name}.svg")));
    let facts = facts();
    let mut boards = 0;
    for (key, found) in &facts.0["winners"] {
        let Ok(found) = serde_json::from_value::<Winner>(found.clone()) else {
            continue;
        };
        boards += 1;
        assert!(strategies.contains(&format!("\n| `{key}` |")), "{key}");
        if found.winning.is_empty() || found.winning.len() == found.squares as usize {
            continue;
        }
        let (size, _) = key.split_once(':').unwrap_or((key, ""));
        let (_, size) = size.split_once('-').unwrap();
        match size.strip_prefix("1x") {
            Some(files) => assert!(ranks.contains(&format!(">1 × {files}<")), "{key}"),
            None => assert!(maps.contains(&format!(">{key}<")), "{key}"),
        }
    }
    assert!(boards > 100, "{boards}");
}

/// Larger boards are those of the page of results, number for number.
#[test]
fn larger_boards_are_those_of_the_results() {
    let (ledger, maps) = (text("ledger.md"), text("pictures/openings.svg"));
    let results = std::fs::read_to_string(root().join("docs/results.md")).unwrap();
    let (_, larger) = ledger.split_once("<!-- begin larger -->").unwrap();
    let (larger, _) = larger.split_once("<!-- end larger -->").unwrap();
    let mut compared = 0;
    for row in larger.lines().filter(|row| row.starts_with("| `")) {
        let cells: Vec<&str> = row.split(" | ").collect();
        let [name, positions, won, lost, ..] = cells[..] else {
            panic!("{row}")
        };
        let same = |line: &&str| {
            let known: Vec<&str> = line.split(" | ").collect();
            known.first() == Some(&name)
                && known.get(1) == Some(&positions)
                && known.get(4..6) == Some(&[won, lost][..])
        };
        let board = name.trim_matches(['|', ' ', '`']);
        let line = results.lines().find(same).expect(row);
        let some = !line.contains("none") && !line.contains("every square");
        assert_eq!(maps.contains(&format!(">{board}<")), some, "{board}");
        compared += 1;
    }
    assert!(compared >= 7, "{compared}");
}

/// The solver's counts, position by position, equal those of the transfer matrices.
#[test]
fn line_free_boards_are_those_of_the_atlas() {
    let facts = facts();
    let mut compared = 0;
    for row in &facts.1 {
        let Some(size) = row
            .variant
            .strip_prefix("classic-")
            .filter(|_| !row.variant.contains(':'))
        else {
            continue;
        };
        let (ranks, files) = size.split_once('x').unwrap();
        let key = format!("line-free-{ranks}xn");
        let Some(found) = facts.get::<Sequence>("sequences", &key).unwrap() else {
            continue;
        };
        let files: usize = files.parse().unwrap();
        assert_eq!(
            found.terms[files - 1],
            (row.won + row.lost).to_string(),
            "{size}"
        );
        compared += 1;
    }
    assert!(compared >= 30, "{compared}");
}

/// The longest play of the atlas, found by going through all positions, is the heaviest board.
#[test]
fn the_longest_play_is_that_of_the_atlas() {
    let facts = facts();
    let atlas = std::fs::read_to_string(root().join("solutions/atlas.json")).unwrap();
    let atlas: serde_json::Value = serde_json::from_str(&atlas).unwrap();
    let mut compared = 0;
    for row in atlas.as_array().unwrap() {
        let name = row["variant"].as_str().unwrap();
        let (Some(plies), Some(size)) = (
            row["longest_line_free"].as_u64(),
            name.strip_prefix("classic-"),
        ) else {
            continue;
        };
        let (ranks, files) = size.split_once('x').unwrap();
        let key = format!("longest-{ranks}xn");
        let Some(found) = facts.get::<Longest>("sequences", &key).unwrap() else {
            continue;
        };
        let files: usize = files.split(':').next().unwrap().parse().unwrap();
        assert_eq!(u64::from(found.at(files)), plies, "{name}");
        compared += 1;
    }
    assert!(compared >= 30, "{compared}");
}

/// Boards without a line, valued by nothing but the rules of their rule file.
#[test]
fn boards_without_a_line_have_the_values_of_their_rules() {
    let found: Vec<LineRemoval> = facts().expect("winners", "lines classic-3x3").unwrap();
    for less in found {
        let file = RuleFile::parse(
            "less.toml",
            &rule_file("classic-3x3", std::slice::from_ref(&less.line)).unwrap(),
        )
        .unwrap();
        let game = file.variant.fixed_board().unwrap();
        let mut lost = vec![true; 1 << 18];
        let (mut moves, mut counts) = (Vec::new(), [0_u64; 2]);
        for code in (0..1 << 18).rev().map(Code) {
            if game.ending(&code).is_some() {
                continue;
            }
            game.moves(&code, &mut moves);
            let wins = moves
                .iter()
                .any(|mv| lost[game.play(&code, *mv).to.0 as usize]);
            lost[code.0 as usize] = !wins;
            counts[usize::from(!wins)] += 1;
        }
        assert_eq!(counts, [less.winner.won, less.winner.lost], "{}", less.line);
        assert_eq!(lost[0], less.winner.winner == "second", "{}", less.line);
    }
}
