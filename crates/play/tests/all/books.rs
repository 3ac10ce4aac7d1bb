//! Books: one node for each orbit, each position once, one answer in a repertoire.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use greenwave_game::Game;
use greenwave_play::{Book, BookNode, BookOptions, Seat, book};
use greenwave_tablebase::{
    Budget, Course, ErrorKind, Place, QueryOptions, Settings, Tablebase, Value,
};
use greenwave_values::Instant;

use crate::{asked, small, variant};

fn nodes(name: &str, depth: u32, side: Option<Seat>) -> Vec<BookNode> {
    let options = BookOptions {
        depth,
        side,
        query: QueryOptions {
            needs_move: side.is_some(),
            ..QueryOptions::default()
        },
        ..BookOptions::default()
    };
    let course = Course::read(&Arc::new(variant(name)), &Place::start()).unwrap();
    book(&small(), &course, &options).unwrap().nodes
}

#[test]
fn openings_are_one_for_each_orbit_and_have_the_values_of_queries() {
    let tablebase = small();
    for (name, orbits, squares) in [
        ("classic-3x3", 3, 9),
        ("green-2x4", 2, 8),
        ("points-2x3", 2, 6),
    ] {
        let nodes = nodes(name, 1, None);
        assert_eq!((nodes[0].ply, nodes[0].moves.len()), (0, 0));
        let openings = nodes.iter().filter(|node| node.ply == 1);
        assert_eq!(openings.clone().count(), orbits, "{name}");
        assert_eq!(
            openings.map(|node| node.stands_for).sum::<u64>(),
            squares,
            "{name}"
        );
        for node in &nodes {
            let answer = asked(&tablebase, &variant(name), &node.position);
            let figures = (node.value, node.distance, node.points, &node.best);
            assert_eq!(
                figures,
                (answer.value, answer.distance, answer.points, &answer.best),
                "{name} {}",
                node.position
            );
        }
    }
}

#[test]
fn an_answer_tells_the_first_ply_of_a_book() {
    let tablebase = small();
    for name in ["classic-3x3", "noughts-3x3", "classic-2x3"] {
        let variant = variant(name);
        let start = variant.position_text(&variant.start());
        let answer = asked(&tablebase, &variant, &start);
        let told = Book::of_answer(&variant, &answer).nodes;
        let made = nodes(name, 1, None);
        let shown = |nodes: &[BookNode]| -> Vec<String> {
            let shown = nodes.iter().map(|node| {
                let BookNode {
                    ply,
                    position,
                    moves,
                    value,
                    distance,
                    stands_for,
                    over,
                    ..
                } = node;
                format!("{ply} {position} {moves:?} {value:?} {distance:?} {stands_for} {over}")
            });
            shown.collect()
        };
        assert_eq!(shown(&told), shown(&made), "{name}");
    }
}

/// No table answers the board, and no position is asked about by itself for longer than a moment.
#[test]
fn one_sweep_settles_all_positions_of_a_book() {
    let options = BookOptions {
        depth: 2,
        query: QueryOptions::within(Some(Budget::Time(Duration::from_millis(1)))),
        together: Some(Budget::Time(Duration::from_secs(600))),
        ..BookOptions::default()
    };
    let memory = Settings {
        memory: Some(256 << 20),
        ..Settings::default()
    };
    let tablebase = Tablebase::with_settings("no-such-folder", &memory).unwrap();
    let course = Course::read(&Arc::new(variant("classic-4x4")), &Place::start()).unwrap();
    let made = book(&tablebase, &course, &options).unwrap();
    assert_eq!(made.nodes.len(), 39);
    assert!(made.nodes.iter().all(|node| node.distance.is_some()));
    // A repertoire of more plies than one sweep lists.
    let repertoire = BookOptions {
        depth: 6,
        side: Some(Seat::First),
        ..options
    };
    let made = book(&tablebase, &course, &repertoire).unwrap();
    assert!(made.nodes.iter().any(|node| node.ply == 6));
    assert!(made.nodes.iter().all(|node| node.distance.is_some()));
    let late = BookOptions {
        deadline: Some(Instant::now()),
        ..options
    };
    let error = book(&tablebase, &course, &late).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Interrupted);
}

#[test]
fn transpositions_are_told_and_stand_once() {
    let tablebase = small();
    let nodes = nodes("classic-3x3", 3, None);
    let on = nodes.iter().filter(|node| node.same_as.is_none());
    let gone_on: HashSet<&str> = on.map(|node| node.position.as_str()).collect();
    let same = nodes.iter().filter_map(|node| node.same_as.as_deref());
    assert!(same.clone().count() >= 4);
    for position in same {
        assert!(gone_on.contains(position), "{position}");
    }
    for node in nodes.iter().filter(|node| node.only) {
        let answer = asked(&tablebase, &variant("classic-3x3"), &node.position);
        let keeping = answer
            .moves
            .iter()
            .filter(|mv| mv.value == Some(answer.value));
        assert_eq!(
            (keeping.count(), answer.moves.len() > 1),
            (1, true),
            "{node:?}"
        );
    }
}

#[test]
fn a_repertoire_has_one_answer_to_every_move() {
    // On two ranks the second player wins.
    let nodes = nodes("classic-2x4", 4, Some(Seat::Second));
    for (place, node) in nodes.iter().enumerate() {
        let below = nodes[place + 1..]
            .iter()
            .take_while(|other| other.ply > node.ply);
        let children = below.filter(|other| other.ply == node.ply + 1).count();
        let is_open = node.ply < 4 && node.same_as.is_none() && !node.over;
        match (is_open, node.ply % 2) {
            (false, _) => assert_eq!(children, 0, "{node:?}"),
            (true, 1) => assert_eq!(children, 1, "{node:?}"),
            (true, _) => assert!(children > 1, "{node:?}"),
        }
        let expected = if node.ply % 2 == 0 {
            Value::Loss
        } else {
            Value::Win
        };
        assert_eq!(node.value, expected, "{node:?}");
    }
}
