//! Cones against the plain engine, the whole sweep, and other squares.

use greenwave_game::{Play, Shape};
use greenwave_values::{DenseValues, Silent};

use super::*;
use crate::packed::loops::Loops;
use crate::packed::scratch::tests::{files, piecemeal_by};
use crate::packed::solve::solve;
use crate::packed::tests::{board, unusual};
use greenwave_solver::{Search, plain};

// How much more the slow tests look at.
const MORE: usize = if cfg!(feature = "slow-tests") { 12 } else { 1 };

struct Random(u64);

impl Random {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(0xd129_0d3d_2d2b_c9a5)
            .wrapping_add(0x632b_e5ab);
        (self.0 >> 33) % most
    }

    // A position that play reaches, unless the game ends before.
    fn played(&mut self, game: &BoardGame, plies: u64) -> Code {
        let mut position = game.start();
        for _ in 0..plies {
            let mut moves = Vec::new();
            game.moves(&position, &mut moves);
            let calm = moves.iter().map(|mv| game.play(&position, *mv).to);
            let calm: Vec<Code> = calm.filter(|to| game.ending(to).is_none()).collect();
            if calm.is_empty() {
                break;
            }
            position = calm[self.below(calm.len() as u64) as usize];
        }
        position
    }

    // A position that another one can become, by raises that need not be play.
    fn above(&mut self, game: &BoardGame, from: Code) -> Code {
        let squares = (0..game.board().shape.cells() as u8).map(Cell);
        squares.fold(Code::EMPTY, |code, square| {
            let room = u64::from(game.board().levels - from.level(square)) + 1;
            // Low levels more often, or all would be finished.
            let raise = self.below(room).min(self.below(room));
            code.with(square, from.level(square) + raise as u8)
        })
    }
}

fn kernels() -> impl Iterator<Item = Kernel> {
    let all = Kernel::ALL.into_iter();
    all.filter(|kernel| kernel.is_supported())
}

// Some positions in what a position can become, by all kernels and grains.
fn compare(
    game: &BoardGame,
    metric: Metric,
    from: Code,
    values: &DenseValues,
    random: &mut Random,
) {
    let mut asked = vec![from];
    asked.extend((0..200).map(|_| random.above(game, from)));
    let context = || {
        let text = game.position_text(&from);
        format!("{} {metric} {text}", game.rules().title())
    };
    for kernel in kernels() {
        for grain in Grain::of(metric) {
            let way = ConeOptions {
                kernel,
                ..ConeOptions::default()
            };
            let mut swept = ConeSweep::new(game, &asked, metric, &way).unwrap_or_else(|| {
                panic!("{} is not treated", context());
            });
            if let Some(plan) = &mut swept.plan {
                plan.grain = *grain;
            }
            let found = swept.run(None, &Silent).unwrap();
            for (position, found) in asked.iter().zip(found) {
                let expected = values.figures(position.0);
                assert_eq!(found, expected, "{}: {position:?} {kernel}", context());
            }
        }
    }
}

fn check(game: &BoardGame, positions: usize) {
    let mut random = Random(7);
    for metric in &game.rules().metrics {
        let values = plain::solve(game, *metric, &Silent).unwrap();
        let squares = game.board().shape.cells() as u64;
        for number in 0..positions * MORE {
            let plies = random.below(2 * squares);
            let from = match number {
                0 => game.start(),
                number if number % 2 == 1 => random.played(game, plies),
                _ => random.above(game, game.start()),
            };
            compare(game, *metric, from, &values, &mut random);
        }
    }
}

#[test]
fn positions_of_small_boards_are_worth_what_the_plain_engine_says() {
    for name in [
        "classic-3x3",
        "signal-3x3",
        "green-3x3",
        "classic-3x3:play=misere",
        "signal-3x3:play=misere",
        "points-3x3",
        "points-5x2:four=once",
    ] {
        check(&board(name), 6);
    }
}

#[cfg(feature = "slow-tests")]
#[test]
fn positions_of_larger_boards_are_worth_what_the_plain_engine_says() {
    for name in [
        "classic-3x4",
        "signal-3x4",
        "green-3x4",
        "points-3x4",
        "classic-3x4:play=misere",
    ] {
        check(&board(name), 2);
    }
}

#[test]
fn positions_of_unusual_boards_are_worth_what_the_plain_engine_says() {
    let gap = Shape::with_gaps(3, 3, |file, rank| (file, rank) != (0, 0)).unwrap();
    let square = Shape::rectangle(3, 3).unwrap();
    let one_way: [&[u8]; 2] = [&[1, 2, 3], &[3, 3, 3]];
    for game in [
        unusual(gap, 3, &[&[1, 1, 1], &[2, 2, 2], &[3, 3, 3]], Play::Normal),
        unusual(square.clone(), 2, &[&[1, 1, 1], &[2, 2, 2]], Play::Normal),
        unusual(square.clone(), 2, &[&[2, 2]], Play::Misere),
        unusual(square, 3, &one_way, Play::Normal),
    ] {
        check(&game, 4);
    }
}

// Every position of a board as one that is requested, in a few cones.
#[test]
fn every_position_of_the_smallest_square_board_is_right() {
    let game = board("classic-3x3");
    let values = plain::solve(&game, Metric::Distance, &Silent).unwrap();
    let steps = if cfg!(feature = "slow-tests") { 1 } else { 7 };
    for from in [
        "...\u{2f}.../...",
        "R../.../...",
        "..G/.Y./...",
        "R.R/.../Y.G",
    ] {
        let from = game.parse_position(from).unwrap();
        let squares = (0..9).map(Cell);
        let inside = |code: &Code| squares.clone().all(|at| code.level(at) >= from.level(at));
        let asked: Vec<Code> = (0..1 << 18)
            .map(Code)
            .filter(inside)
            .step_by(steps)
            .collect();
        let way = ConeOptions::default();
        let planned = plan(&game, &asked, Metric::Distance, way).unwrap();
        let found = planned.run(&Silent).unwrap();
        for (position, found) in asked.iter().zip(found) {
            assert_eq!(found, values.figures(position.0), "{position:?}");
        }
    }
}

fn totals(plan: &PackedPlan<'_>) -> (u64, u64) {
    let (_, waves) = values(plan, SweepFiles::default(), &Silent).unwrap();
    let undecided = waves.iter().map(|wave| wave.undecided).sum();
    (undecided, waves.iter().map(|wave| wave.lost).sum())
}

#[test]
fn the_cone_of_the_start_is_the_sweep() {
    let names = if cfg!(feature = "slow-tests") {
        &[
            "classic-3x4",
            "signal-3x5",
            "classic-3x4:play=misere",
            "classic-4x5",
        ][..]
    } else {
        &["classic-3x4", "signal-3x5"]
    };
    for name in names {
        let game = board(name);
        for metric in [Metric::Value, Metric::Distance, Metric::Nimber] {
            if *name == "classic-4x5" && metric != Metric::Value {
                continue;
            }
            let Some(whole) = PackedPlan::unweighed(&game, metric, Kernel::best()) else {
                continue;
            };
            let expected = solve(&whole, SweepFiles::default(), &Silent).unwrap().waves;
            let undecided: u64 = expected.iter().map(|wave| wave.undecided).sum();
            let lost: u64 = expected.iter().map(|wave| wave.lost).sum();
            let cone = chosen(&game, game.start(), metric, Kernel::best()).unwrap();
            assert_eq!(totals(&cone), (undecided, lost), "{name} {metric}");
        }
    }
}

// Compares a cone with other low squares, and with a count square by square.
fn compare_squares(name: &str, plies: u64, positions: u64) {
    let game = board(name);
    for seed in 0..positions * MORE as u64 {
        let from = Random(seed).played(&game, plies);
        let Some(cone) = chosen(&game, from, Metric::Value, Kernel::best()) else {
            continue;
        };
        let (undecided, lost) = totals(&cone);
        let context = format!("{name} {from:?}");
        assert_eq!(
            cone.patterns.undecided(),
            Some(undecided.into()),
            "{context}"
        );
        let guesses = near::guesses(&cone.patterns);
        let layouts = guesses.iter().map(|guess| guess.layout(&cone.patterns));
        let other = layouts
            .into_iter()
            .find(|(_, other)| other.low != cone.layout.low);
        for (layout, kernel) in other
            .into_iter()
            .flat_map(|(_, layout)| kernels().map(move |kernel| (layout.clone(), kernel)))
        {
            let plan = PackedPlan {
                layout,
                loops: Loops::of(kernel),
                ..cone.clone()
            };
            assert_eq!(totals(&plan), (undecided, lost), "{context} {kernel}");
        }
    }
}

#[test]
fn cones_are_the_same_with_other_squares() {
    compare_squares("classic-4x4", 8, 3);
    compare_squares("signal-4x4", 8, 2);
    compare_squares("classic-3x5:play=misere", 9, 2);
    compare_squares("classic-5x5", 24, 1);
}

// Whatever a search settles.
fn compare_search(name: &str, plies: u64, positions: u64) {
    let game = board(name);
    for seed in 0..positions * MORE as u64 {
        let from = Random(seed).played(&game, plies);
        let planned = plan(&game, &[from], Metric::Distance, ConeOptions::default()).unwrap();
        let found = planned.run(&Silent).unwrap();
        let search = Search::new(&game, 1 << 28).unwrap();
        let text = game.position_text(&from);
        assert_eq!(search.exact(&from), Some(found[0]), "{name} {text}");
    }
}

#[test]
fn cones_are_what_the_search_finds() {
    compare_search("classic-5x5", 30, 2);
    compare_search("classic-4x6", 28, 2);
    compare_search("classic-3x8", 28, 2);
    compare_search("signal-5x6", 26, 1);
    compare_search("classic-5x6", 38, 1);
}

#[test]
fn a_cone_that_outgrows_the_memory_has_its_waves_on_disk() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cone.waves");
    let game = board("classic-4x4");
    let from = Random(3).played(&game, 3);
    let asked: Vec<Code> = (0..100)
        .map(|seed| Random(seed).above(&game, from))
        .chain([from])
        .collect();
    let sweep = |scratch: Option<PathBuf>| {
        let way = ConeOptions {
            memory: if scratch.is_some() { 1 << 20 } else { u64::MAX },
            scratch,
            ..ConeOptions::default()
        };
        let mut swept = ConeSweep::new(&game, &asked, Metric::Value, &way).unwrap();
        if way.scratch.is_some() {
            let plan = swept.plan.as_mut().unwrap();
            // However little memory is allowed, so small a board fits.
            plan.cache = Some(0);
        }
        swept
    };
    let expected = sweep(None).run(None, &Silent).unwrap();
    let found = sweep(Some(path.clone())).run(Some(&path), &Silent).unwrap();
    assert_eq!(found, expected);
    assert_eq!(files(folder.path()), Vec::<String>::new());
    let (found, times) = piecemeal_by(300_000, |progress| {
        sweep(Some(path.clone())).run(Some(&path), progress)
    });
    assert!(times > 2, "{times} times");
    assert_eq!(found, expected);
    assert_eq!(files(folder.path()), Vec::<String>::new());
}

#[test]
fn what_the_rules_decide_needs_no_sweep() {
    let game = board("classic-5x5");
    for text in [
        "RRR../...../...../...../.....",
        "RR.../...../...../...../.....",
    ] {
        let position = game.parse_position(text).unwrap();
        let planned = plan(&game, &[position], Metric::Distance, ConeOptions::default()).unwrap();
        assert_eq!(planned.cost().memory_bytes, 0, "{text}");
        let figures = planned.run(&Silent).unwrap()[0];
        let plies = if text.starts_with("RRR") { 0 } else { 1 };
        assert_eq!(figures.distance.map(|plies| plies.0), Some(plies), "{text}");
    }
    assert!(plan(&game, &[], Metric::Value, ConeOptions::default()).is_none());
    let limited = board("classic-3x3:supply=cap5");
    assert!(
        plan(
            &limited,
            &[limited.start()],
            Metric::Value,
            ConeOptions::default()
        )
        .is_none()
    );
}

#[test]
fn a_cone_stops_when_it_is_asked_to() {
    let game = board("classic-5x5");
    let text = "R..R./...../...../Y...R/R.Y..";
    let position = game.parse_position(text).unwrap();
    let planned = plan(&game, &[position], Metric::Value, ConeOptions::default()).unwrap();
    assert!(planned.cost().seconds > 1.0);
    let stops = greenwave_testkit::StopCounter::until(1_000_000);
    let ended = planned.run(&stops);
    assert!(matches!(ended, Err(SolveError::Interrupted)), "{ended:?}");
    assert!(stops.done() < 300_000_000, "{}", stops.done());
}
