//! The book of results: what is quick is made again and compared, and so are all of its pages.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::path::{Path, PathBuf};

use greenwave_discoveries::{
    BOOK, Facts, Longest, SECTIONS, Sequence, Winner, Without, book, items, put, read_facts,
    rule_file,
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
        assert!(shown || file.starts_with("sequences/"), "{file}");
    }
}

/// Each board whose winner is known has an answer among the strategies, and a map wherever first moves
/// differ.
#[test]
fn every_board_has_its_strategy_and_its_map() {
    let (strategies, winners) = (text("strategies.md"), text("winners.md"));
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
        let (family, size) = key.split_once('-').unwrap();
        let misere = if key.ends_with("misere") {
            "_misere"
        } else {
            ""
        };
        let picture = match size.starts_with("1x") {
            true => format!("openings-{family}-1xn{misere}.svg"),
            false => format!("openings-{}.svg", key.replace(':', "_").replace('=', "-")),
        };
        assert!(winners.contains(&picture), "{picture}");
    }
    assert!(boards > 100, "{boards}");
}

/// What the solver counted, position by position, is what the transfer matrices count.
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
    let found: Vec<Without> = facts().expect("winners", "lines 3x3").unwrap();
    for less in found {
        let file = RuleFile::parse(
            "less.toml",
            &rule_file("3x3", std::slice::from_ref(&less.line)),
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
