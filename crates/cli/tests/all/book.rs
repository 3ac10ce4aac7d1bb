//! `book`: opening trees and repertoires.

use std::collections::HashMap;

use serde_json::Value;
use tempfile::tempdir;

use crate::common::{greenwave, json_lines, refused, run};

/// The nodes of a book, and what its last line says of their number.
fn book(args: &[&str]) -> Vec<Value> {
    let all = [&["book"][..], args, &["--json"]].concat();
    let mut lines = json_lines(&run(&all).ok());
    let end = lines.pop().unwrap();
    assert_eq!(end["nodes"], lines.len(), "{args:?}");
    lines
}

#[test]
fn transpositions_are_told_and_stand_once() {
    let nodes = book(&["classic-3x3", "--depth", "3"]);
    // Each position stands once, whatever a turn or a mirror makes of it.
    let orbit = |position: &str| {
        let mut rows: Vec<Vec<char>> = position
            .split('/')
            .map(|row| row.chars().collect())
            .collect();
        let mut images = Vec::new();
        for _ in 0..4 {
            rows = (0..3)
                .map(|file| rows.iter().rev().map(|row| row[file]).collect())
                .collect();
            let texts = rows.iter().map(|row| row.iter().collect::<String>());
            images.push(texts.clone().collect::<Vec<_>>().join("/"));
            images.push(texts.rev().collect::<Vec<_>>().join("/"));
        }
        images.into_iter().min().unwrap()
    };
    let mut first: HashMap<String, &str> = HashMap::new();
    let mut same = 0;
    for node in &nodes {
        let position = node["position"].as_str().unwrap();
        match first.get(&orbit(position)) {
            Some(stands) => {
                assert_eq!(node["same_as"], *stands, "{position}");
                same += 1;
            }
            None => {
                assert!(node["same_as"].is_null(), "{position}");
                first.insert(orbit(position), position);
            }
        }
    }
    // Of the 84 lines up to three plies.
    assert_eq!((same, first.len()), (38, 46));
    // Every line is played by the rules, and an only move is one.
    for node in nodes.iter().filter(|node| node["only"] == true) {
        let position = node["position"].as_str().unwrap();
        let answer = run(&["query", "classic-3x3", position, "--json"]).json();
        let moves = answer["moves"].as_array().unwrap();
        let keeping = moves.iter().filter(|mv| mv["value"] == answer["value"]);
        assert_eq!((keeping.count(), moves.len() > 1), (1, true), "{position}");
    }
}

#[test]
fn a_repertoire_has_one_answer_to_every_move() {
    let nodes = book(&["semaforo", "--for", "second", "--depth", "4"]);
    for (place, node) in nodes.iter().enumerate() {
        let ply = node["ply"].as_u64().unwrap();
        let below = nodes[place + 1..]
            .iter()
            .take_while(|other| other["ply"].as_u64().unwrap() > ply);
        let children = below
            .filter(|other| other["ply"].as_u64() == Some(ply + 1))
            .count();
        let open = ply < 4 && node["same_as"].is_null() && node["distance"] != 0;
        match (open, ply % 2) {
            (false, _) => assert_eq!(children, 0, "{node}"),
            (true, 1) => assert_eq!(children, 1, "{node}"),
            (true, _) => assert!(children > 1, "{node}"),
        }
        // The second player wins, whatever the first does.
        let expected = if ply % 2 == 0 { "loss" } else { "win" };
        assert_eq!(node["value"], expected, "{node}");
    }
}

#[test]
fn books_are_printed_drawn_and_written_as_tables() {
    let dir = tempdir().unwrap();
    let file = |name: &str| dir.path().join(name).display().to_string();
    let (page, picture) = (file("book.html"), file("book.svg"));
    let args = ["book", "classic-3x3", "--for", "first", "--depth", "4"];
    greenwave(
        dir.path(),
        &[&args[..], &["--html", &page, "--svg", &picture]].concat(),
    )
    .ok();
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    assert!(page.contains("<b>b2R</b>"), "{page}");
    let picture = std::fs::read_to_string(picture).unwrap();
    assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
    let table = run(&["book", "classic-3x3", "--depth", "2", "--csv"])
        .ok()
        .stdout;
    let nodes = book(&["classic-3x3", "--depth", "2"]);
    assert_eq!(table.lines().count(), nodes.len() + 1);
    assert!(table.starts_with("ply,moves,position,value,"));
    let told = run(&["book", "classic-3x3", "--depth", "1"]).ok().stdout;
    assert!(told.contains("  b2R  win in 17 plies\n"), "{told}");
}

#[test]
fn books_that_cannot_be_are_refused_with_the_way_out() {
    refused(&["book", "bag-classic-3x3"], &["no book", "chance"]);
    refused(
        &["book", "classic-3x3", "--for", "third"],
        &["expected first or second"],
    );
    refused(
        &["book", "classic-3x3", "R../.../..X"],
        &["cannot be a position"],
    );
}
