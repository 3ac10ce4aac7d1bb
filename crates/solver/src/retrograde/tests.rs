use greenwave_game::{AmpelGame, AmpelPosition, Game, Outcome, Player, Variant, orbit_size};
use greenwave_values::Silent;

use super::*;

fn ampel(name: &str) -> AmpelGame {
    let Variant::Ampel(game) = Variant::parse(name).unwrap() else {
        unreachable!()
    };
    game
}

fn solved(game: &AmpelGame) -> ListedValues {
    solve(game, Metric::Distance, 1 << 30, &Silent).unwrap()
}

/// Positions of a solution with the size of their orbits and their figures.
fn positions<'a>(
    game: &'a AmpelGame,
    values: &'a ListedValues,
) -> impl Iterator<Item = (AmpelPosition, u64, Outcome, Option<u32>)> + 'a {
    values.indices().iter().map(|index| {
        let position = game.at(*index).unwrap();
        let mut images: Vec<_> = (0..game.symmetries())
            .map(|symmetry| game.image(&position, symmetry))
            .collect();
        images.sort();
        images.dedup();
        assert_eq!(images.len() as u64, orbit_size(game, &position));
        let figures = values.figures(*index);
        let distance = figures.distance.map(|plies| plies.0);
        (
            position,
            images.len() as u64,
            figures.value.unwrap(),
            distance,
        )
    })
}

/// Positions are foreseen from above: where fewer were, a solve would outgrow its memory.
#[test]
fn no_more_positions_are_reached_than_expected() {
    let options = [
        "",
        ":stuck-add=off",
        ":stuck-add=loss",
        ":own-cylinder=frozen",
    ];
    let small = (1..=4).flat_map(|discs| {
        let named = move |option| format!("ampel-4-{discs}-1{option}");
        options.map(named)
    });
    let larger = [
        "ampel-5-1-1",
        "ampel-5-1-2",
        "ampel-5-1-3",
        "ampel-5-2-1",
        "ampel-6-1-1",
    ];
    for name in small.chain(larger.map(String::from)) {
        let game = ampel(&name);
        let values = solved(&game);
        let reached: u64 = values
            .indices()
            .iter()
            .map(|index| orbit_size(&game, &game.at(*index).unwrap()))
            .sum();
        let expected = game.expected_positions();
        assert!(
            u128::from(reached) <= expected,
            "{name}: {reached}, expected {expected}"
        );
    }
}

/// Counts over reachable positions, made by an independent program without bitboards, indices or
/// symmetries.
struct Expected {
    name: &'static str,
    terminal: u64,
    start: (Outcome, Option<u32>),
    red_wins: u64,
    green_wins: u64,
    draws: u64,
    mover_wins: u64,
    mover_loses: u64,
    longest: u32,
}

const EXPECTED: [Expected; 3] = [
    Expected {
        name: "ampel-4-2-1",
        terminal: 415,
        start: (Outcome::Win, Some(18)),
        red_wins: 5_494,
        green_wins: 4_557,
        draws: 582,
        mover_wins: 5_272,
        mover_loses: 4_779,
        longest: 18,
    },
    Expected {
        name: "ampel-4-3-1",
        terminal: 3_595,
        start: (Outcome::Win, Some(24)),
        red_wins: 14_143,
        green_wins: 11_886,
        draws: 1_962,
        mover_wins: 16_138,
        mover_loses: 9_891,
        longest: 24,
    },
    Expected {
        name: "ampel-5-2-2",
        terminal: 3_091,
        start: (Outcome::Draw, None),
        red_wins: 95_628,
        green_wins: 122_634,
        draws: 36_907,
        mover_wins: 102_912,
        mover_loses: 115_350,
        longest: 16,
    },
];

#[test]
fn small_boards_agree_with_an_independent_count() {
    for expected in EXPECTED {
        let game = ampel(expected.name);
        let values = solved(&game);
        let name = expected.name;
        let start = values.figures(game.index(&game.start()));
        let distance = start.distance.map(|plies| plies.0);
        assert_eq!((start.value.unwrap(), distance), expected.start, "{name}");
        let count = |keep: &dyn Fn(&AmpelPosition, Outcome) -> bool| -> u64 {
            positions(&game, &values)
                .filter(|(position, _, outcome, _)| keep(position, *outcome))
                .map(|(_, orbit, ..)| orbit)
                .sum()
        };
        let open = |position: &AmpelPosition| game.ending(position).is_none();
        let won_by = |player: Player| {
            count(&|position, outcome| {
                let winner = match outcome {
                    Outcome::Win => Some(position.player()),
                    Outcome::Loss => Some(position.player().opponent()),
                    Outcome::Draw => None,
                };
                open(position) && winner == Some(player)
            })
        };
        let valued =
            |wanted: Outcome| count(&|position, outcome| open(position) && outcome == wanted);
        assert_eq!(
            count(&|position, _| !open(position)),
            expected.terminal,
            "{name}"
        );
        assert_eq!(won_by(Player::Red), expected.red_wins, "{name}");
        assert_eq!(won_by(Player::Green), expected.green_wins, "{name}");
        assert_eq!(valued(Outcome::Draw), expected.draws, "{name}");
        assert_eq!(valued(Outcome::Win), expected.mover_wins, "{name}");
        assert_eq!(valued(Outcome::Loss), expected.mover_loses, "{name}");
        let longest = positions(&game, &values)
            .filter_map(|(.., distance)| distance)
            .max();
        assert_eq!(longest, Some(expected.longest), "{name}");
    }
}

// Every value follows from those of the children. A win in d has a child that is good in d − 1 and
// none sooner. A loss in d has only bad children, the longest in d − 1. A draw has no good child
// and one that is drawn.
#[test]
fn values_follow_from_those_of_the_children() {
    for name in [
        "ampel-4-2-1",
        "ampel-4-3-1:start-point=block",
        "ampel-4-4-1:first-step=blocked,own-cylinder=frozen",
        "ampel-4-20-1:stuck-add=loss",
        "ampel-5-1-3:stuck-add=off",
        "ampel-5-2-2",
    ] {
        let game = ampel(name);
        let values = solved(&game);
        let mut moves = Vec::new();
        for (position, _, outcome, distance) in positions(&game, &values) {
            if let Some(ending) = game.ending(&position) {
                assert_eq!((outcome, distance), (ending.outcome, Some(0)), "{name}");
                continue;
            }
            game.moves(&position, &mut moves);
            let best = moves
                .iter()
                .map(|mv| {
                    let edge = game.play(&position, *mv);
                    let child = values.figures(game.index(&edge.to));
                    let mine = child.after_move(0, edge.keeps_turn);
                    let plies = mine.distance.map_or(0, |plies| i64::from(plies.0));
                    let value = mine.value.unwrap();
                    (value, if value == Outcome::Win { -plies } else { plies })
                })
                .max()
                .unwrap();
            let plies = distance.map_or(0, i64::from);
            let found = (
                outcome,
                if outcome == Outcome::Win {
                    -plies
                } else {
                    plies
                },
            );
            assert_eq!(found, best, "{name}: {position:?}");
        }
    }
}

#[test]
fn results_do_not_depend_on_threads() {
    let game = ampel("ampel-5-2-1");
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| solved(&game))
    };
    assert_eq!(with(1), with(4));
}

#[test]
fn too_little_memory_and_too_large_a_game_are_refused() {
    let refused = |name| {
        solve(&ampel(name), Metric::Distance, 1 << 16, &Silent)
            .unwrap_err()
            .to_string()
    };
    assert!(refused("ampel-5-2-2").contains("may use 64.0 KiB"));
    assert!(refused("ampel").contains("solving ampel for distance needs"));
}

type Part<'a> = (&'a str, Vec<u8>);

// Resumes from a checkpoint of some numbers and parts, whose checksums are correct.
fn gone_on_from(
    game: &AmpelGame,
    number: (&str, u64),
    parts: &[Part<'_>],
) -> Result<ListedValues, SolveError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("distance.checkpoint");
    let open = || {
        Checkpoint::open(
            &path,
            "a test".into(),
            true,
            std::time::Duration::from_secs(3600),
        )
    };
    let mut checkpoint = open()?;
    let mut records = Vec::new();
    for (name, bytes) in parts {
        let mut part = checkpoint.write(name)?;
        part.put_all(bytes.iter().map(|byte| [*byte]))?;
        records.push(((*name).to_string(), part.finish()?));
    }
    let (name, number) = number;
    checkpoint.commit(&[(name, &[number])], &records)?;
    drop(checkpoint);
    let mut checkpoint = open()?;
    solve_resumably(
        game,
        Metric::Distance,
        1 << 30,
        Some(&mut checkpoint),
        &Silent,
    )
}

#[test]
fn what_no_solve_keeps_is_refused() {
    let game = ampel("ampel-4-1-1");
    let values = solved(&game);
    let longs = |indices: &[u64]| -> Vec<u8> {
        indices
            .iter()
            .flat_map(|index| index.to_le_bytes())
            .collect()
    };
    let all = values.indices().to_vec();
    let start = vec![game.index(&game.start())];
    let refused = |number: (&str, u64), parts: &[Part<'_>], words: &str| {
        let error = gone_on_from(&game, number, parts).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    };
    let reversed: Vec<u64> = all.iter().rev().copied().collect();
    let doubled = [&all[..1], &all].concat();
    let foreign = [&all[..], &[u64::MAX]].concat();
    let other: Vec<u64> = all
        .iter()
        .copied()
        .filter(|index| *index != start[0])
        .collect();
    for list in [&[][..], &reversed, &doubled, &foreign, &other] {
        let words = if *list == *foreign {
            "its list has what is no position"
        } else {
            "its list does not rise, or lacks the start"
        };
        refused(("listed", 1), &[("list", longs(list))], words);
        let parts = [("known-1", longs(list)), ("open-1", longs(&start))];
        refused(("step", 1), &parts, words);
    }
    let half: Vec<u64> = all.iter().step_by(2).chain(&start).copied().collect();
    let half: Vec<u64> = std::collections::BTreeSet::from_iter(half)
        .into_iter()
        .collect();
    for list in [&start, &half] {
        let parts = [("list", longs(list))];
        refused(
            ("listed", 1),
            &parts,
            "its list lacks a position that play reaches",
        );
    }
    for open in [&[][..], &[u64::MAX]] {
        let parts = [("known-1", longs(&all)), ("open-1", longs(open))];
        refused(
            ("step", 1),
            &parts,
            "it leads from a position that is not in its list",
        );
    }
    for round in [u64::MAX, u32::MAX.into()] {
        let frontier = format!("frontier-{round}");
        let parts = [("list", longs(&all)), (&*frontier, longs(&[0]))];
        refused(("round", round), &parts, "no play takes");
        let parts = [("list", longs(&all)), (&*frontier, longs(&[u64::MAX]))];
        refused(
            ("round", round),
            &parts,
            "it leads from a position that is not in its list",
        );
    }
    // And what a solve keeps.
    let parts = [("known-1", longs(&start)), ("open-1", longs(&start))];
    let again = gone_on_from(&game, ("step", 1), &parts).unwrap();
    assert_eq!(again.indices(), values.indices());
    let again = gone_on_from(&game, ("listed", 1), &[("list", longs(&all))]).unwrap();
    assert!(
        all.iter()
            .all(|index| again.figures(*index) == values.figures(*index))
    );
    // All is settled, and the table alone could not be written.
    let codes = all
        .iter()
        .flat_map(|index| values.code(*index).unwrap().to_le_bytes());
    let settled = [
        ("list", longs(&all)),
        ("codes-9", codes.collect()),
        ("children-9", vec![0; 2 * all.len()]),
        ("frontier-9", Vec::new()),
    ];
    let again = gone_on_from(&game, ("round", 9), &settled).unwrap();
    assert!(
        all.iter()
            .all(|index| again.figures(*index) == values.figures(*index))
    );
}
