use greenwave_game::{AmpelGame, Dense, Metric, Variant};
use greenwave_values::{ListedValues, Silent};
use rayon::prelude::*;

use super::*;
use crate::retrograde;
use greenwave_testkit::StopCounter;

fn ampel(name: &str) -> AmpelGame {
    let Variant::Ampel(game) = Variant::parse(name).unwrap() else {
        unreachable!()
    };
    game
}

fn nodes(nodes: u64) -> SearchBudget {
    SearchBudget {
        nodes: Some(nodes),
        deadline: None,
    }
}

/// The search must agree with the table; returns the number of proven positions.
fn compare(game: &AmpelGame, values: &ListedValues, index: u64, budget: u64) -> u32 {
    let position = game.at(index).unwrap();
    let text = game.position_text(&position);
    let prover = Prover::new(game, 1 << 26).unwrap();
    let found = prover.search(&position, nodes(budget), &Silent);
    let agree = |searched: SearchVerdict, position: &_, what: &str| {
        let right = values.figures(game.index(position));
        match searched {
            SearchVerdict::Proven(figures) => assert_eq!(figures, right, "{what} of {text}"),
            SearchVerdict::Undecided { beyond } => assert!(
                right.distance.is_none_or(|plies| plies > beyond),
                "{what} of {text}: {right:?}, not within {beyond}"
            ),
        }
    };
    agree(found.root, &position, "value");
    for reply in &found.replies {
        agree(reply.searched, &reply.edge.to, "a move's value");
    }
    let SearchVerdict::Proven(figures) = found.root else {
        return 0;
    };
    let line = prover.line(&position, &figures, &Silent);
    let plies = figures.distance.map_or(0, |plies| plies.0);
    assert_eq!(line.len() as u32, plies, "{text}: line of {figures:?}");
    let last = line.last().map_or(position, |(_, last)| *last);
    assert_eq!(
        game.ending(&last).is_some(),
        plies > 0 || game.ending(&position).is_some()
    );
    1
}

const SLOW: bool = cfg!(feature = "slow-tests");

#[test]
fn proofs_agree_with_tables() {
    let mut all = 0;
    for (name, samples, budget) in [
        ("ampel-4-2-1", 400, 3_000),
        ("ampel-4-3-1:own-cylinder=frozen", 300, 2_000),
        ("ampel-4-20-1:stuck-add=loss", 60, 500),
        ("ampel-5-2-2", 300, 2_000),
    ] {
        let game = ampel(name);
        let samples = if SLOW { 60 * samples } else { samples };
        let values = retrograde::solve(&game, Metric::Distance, 1 << 30, &Silent).unwrap();
        let indices = values.indices();
        let step = (indices.len() / samples).max(1);
        let sampled: Vec<u64> = indices.iter().copied().step_by(step).collect();
        let proven: u32 = sampled
            .par_iter()
            .map(|index| compare(&game, &values, *index, budget))
            .sum();
        assert!(
            3 * proven as usize > sampled.len(),
            "{name}: only {proven} of {} proven",
            sampled.len()
        );
        all += proven;
    }
    assert!(all > if SLOW { 10_000 } else { 500 }, "{all} proven");
}

// With no room to remember anything the line is found again.
#[test]
fn a_proof_comes_with_its_line_without_memory() {
    let game = ampel("ampel-4-2-1");
    let values = retrograde::solve(&game, Metric::Distance, 1 << 30, &Silent).unwrap();
    let mut seen = 0;
    for index in values.indices().iter().step_by(5) {
        let right = values.figures(*index);
        let Some(plies @ Plies(4..=9)) = right.distance else {
            continue;
        };
        let position = game.at(*index).unwrap();
        let prover = Prover::new(&game, 0).unwrap();
        let found = prover.search(&position, nodes(20_000), &Silent);
        if found.root == SearchVerdict::Proven(right) {
            let line = prover.line(&position, &right, &Silent);
            assert_eq!(line.len() as u32, plies.0);
            assert!(
                line.last()
                    .is_some_and(|(_, last)| game.ending(last).is_some())
            );
            seen += 1;
        }
    }
    assert!(seen > 20, "{seen}");
}

#[test]
fn all_positions_looked_at_are_told_of() {
    let game = ampel("ampel-6-4-1");
    let prover = Prover::new(&game, 1 << 24).unwrap();
    let told = StopCounter::all();
    prover.search(&game.start(), nodes(20_000), &told);
    assert!(prover.nodes() > 1_000);
    assert_eq!(told.done(), prover.nodes());
}

#[test]
fn a_budget_of_positions_gives_one_answer_whatever_the_threads() {
    let game = ampel("ampel-6-4-1");
    let text = "6 4 1 r 1 0 0 ./../.../.rgr/..y../......";
    let position = game.parse_position(text).unwrap();
    let search = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().unwrap().install(|| {
            let prover = Prover::new(&game, 1 << 24).unwrap();
            let found = prover.search(&position, nodes(30_000), &Silent);
            let replies = found.replies.into_iter().map(|reply| reply.searched);
            (found.root, replies.collect::<Vec<_>>(), prover.nodes())
        })
    };
    let one = search(1);
    assert_eq!(one.1.len(), 9);
    for threads in [2, 3] {
        assert_eq!(search(threads), one, "{threads} threads");
    }
}

// The present turn and the next are searched whatever the budget.
#[test]
fn near_ends_are_found_without_a_budget() {
    let game = ampel("ampel-4-3-1");
    let values = retrograde::solve(&game, Metric::Distance, 1 << 30, &Silent).unwrap();
    let mut seen = 0;
    for index in values.indices().iter().step_by(7) {
        let (position, right) = (game.at(*index).unwrap(), values.figures(*index));
        let near = |plies: Plies| plies.0 <= game.always_searched(&position);
        if right.distance.is_some_and(near) {
            let prover = Prover::new(&game, 1 << 20).unwrap();
            let found = prover.search(&position, nodes(1), &Silent);
            assert_eq!(
                found.root,
                SearchVerdict::Proven(right),
                "{}",
                game.position_text(&position)
            );
            seen += 1;
        }
    }
    assert!(seen > 100, "{seen}");
}

#[test]
fn the_real_board_is_searched_honestly() {
    let game = ampel("ampel");
    let search = |text: &str, budget| {
        let position = game.parse_position(text).unwrap();
        Prover::new(&game, 1 << 26)
            .unwrap()
            .search(&position, nodes(budget), &Silent)
            .root
    };
    // A red disc on d1 beside the yellow d2 and the green d3: e1-d1 takes the third yellow.
    let rows = "./../.../.yg./r..../....../......./......../........./........../...........";
    let text = format!("11 20 5 r 1 2 2 {rows}");
    assert_eq!(search(&text, 1), proven(Outcome::Win, 1), "{text}");
    let start = "11 20 5 r s 0 0 ./../.../..../...../....../......./......../........./........../...........";
    assert!(matches!(
        search(start, 2_000),
        SearchVerdict::Undecided { .. }
    ));
}
