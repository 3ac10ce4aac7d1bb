//! The sweep against the plain engine, position by position.

use greenwave_game::{
    BoardGame, BoardRules, CUSTOM, Code, Dense, Game, LEAF_BITS, LeafMask, LineScore, Metric,
    Opening, Play, Shape, Stalemate, Supply, Variant, WinPattern,
};
use greenwave_table::Leaf;
use greenwave_values::{Progress, Silent, Unit, summarise};

use super::geometry::SweepGeometry;
use super::index::Index;
use super::pattern::SquareNumbering;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use super::solve::solve_with;
use super::{Kernel, Options, Plan, Skip, SquareOrder, solve, solve_densely, solve_resumably};
use crate::{SolveError, discard_checkpoint};
use greenwave_solver::plain;
use greenwave_testkit::Stops;

fn board(name: &str) -> BoardGame {
    BoardGame::named(name).unwrap()
}

/// A mono game that no name describes; in scored games a line of level v is worth v · `points` − 1.
fn unusual(shape: Shape, line_length: u8, levels: u8, play: Play, points: i32) -> BoardGame {
    let pattern = |level| WinPattern {
        levels: vec![level; usize::from(line_length)],
        points: i32::from(level) * points - 1,
    };
    let rules = BoardRules {
        shape,
        line_length,
        levels,
        patterns: (1..=levels).map(pattern).collect(),
        play,
        line_score: LineScore::EachLine,
        supply: Supply::Unlimited,
        stalemate: Stalemate::Draw,
        opening: Opening::default(),
        tops: None,
    };
    BoardGame::new("unusual".into(), &CUSTOM, Vec::new(), rules)
}

fn kernels() -> impl Iterator<Item = Kernel> {
    Kernel::ALL
        .into_iter()
        .filter(|kernel| kernel.is_supported())
}

/// Compares every packed position, all counts and the openings, for all kernels, and every unfinished
/// position of the values in memory.
fn check(game: &BoardGame, metric: Metric) {
    let values = plain::solve(game, metric, &Silent).unwrap();
    let options = Options {
        leaves: true,
        ..Options::default()
    };
    let plan = Plan::new(game, metric, options).unwrap();
    let dense = solve_densely(&plan, &Silent).unwrap();
    let unfinished = |index: &u64| game.at(*index).is_some_and(|at| game.ending(&at).is_none());
    for index in (0..values.len()).filter(unfinished) {
        assert_eq!(dense.code(index), values.code(index), "index {index}");
    }
    let summary = summarise(game, &values.clone().into());
    let packing = game.packing(metric);
    let mut leaves = Vec::new();
    let mut mask = LeafMask::default();
    for number in 0..values.len().div_ceil(1 << LEAF_BITS) {
        game.leaf_mask(packing, number, &mut mask);
        let bits = match metric {
            Metric::Value if plan.has_draws() => 2,
            Metric::Value => 1,
            Metric::Distance | Metric::Points | Metric::Nimber | Metric::Odds => 8,
        };
        let codes = mask.places().map(|place| {
            let code = values.code((number << LEAF_BITS) + u64::from(place));
            i64::from(code) as u64 & ((1 << bits) - 1)
        });
        let leaf = Leaf::pack(bits, codes);
        if leaf.count > 0 {
            leaves.push((number, leaf));
        }
    }
    for kernel in kernels() {
        for skip in [Skip::Decided, Skip::Nothing] {
            for wanted in [true, false] {
                let options = Options {
                    kernel,
                    skip,
                    leaves: wanted,
                    ..Options::default()
                };
                let plan = Plan::new(game, metric, options).unwrap();
                let solution = solve(&plan, &Silent).unwrap();
                assert_eq!(solution.summary, summary, "{kernel} {skip:?} {wanted}");
                if wanted {
                    let equal = solution.leaves.as_ref() == Some(&leaves);
                    assert!(equal, "leaves differ: {kernel} {skip:?}");
                }
            }
        }
    }
}

#[test]
fn small_boards_have_the_values_of_the_plain_engine() {
    for name in [
        "classic-1x3",
        "classic-1x5",
        "classic-2x3",
        "classic-1x7",
        "classic-2x4",
    ] {
        check(&board(name), Metric::Value);
    }
    for name in [
        "classic-3x3",
        "signal-3x3",
        "green-3x3",
        "classic-2x5",
        "classic-5x2",
    ] {
        check(&board(name), Metric::Value);
        check(&board(name), Metric::Distance);
        check(&board(name), Metric::Nimber);
    }
}

#[test]
fn misere_boards_have_the_values_of_the_plain_engine() {
    for name in ["classic-1x4", "classic-3x3", "signal-3x3", "green-2x5"] {
        let game = board(&format!("{name}:play=misere"));
        check(&game, Metric::Value);
        check(&game, Metric::Distance);
    }
}

#[test]
fn twelve_squares_have_the_values_of_the_plain_engine() {
    check(&board("classic-3x4"), Metric::Value);
    // In the quick tests distances are compared on boards of nine and ten squares.
    if cfg!(feature = "slow-tests") {
        check(&board("signal-3x4"), Metric::Distance);
    }
}

#[test]
fn points_are_those_of_the_plain_engine() {
    for name in [
        "points-1x4",
        "points-2x3",
        "points-3x3",
        "points-3x3:end=play-on",
        "points-2x5:end=play-on",
        "points-2x5:four=once",
        "points-2x5:end=play-on,four=once",
        "points-5x2:end=play-on,four=once",
    ] {
        check(&board(name), Metric::Points);
    }
}

#[test]
fn gaps_short_and_long_lines_and_few_levels_are_swept() {
    let ring = || Shape::with_gaps(3, 4, |file, rank| rank != 1 || file == 0 || file == 3).unwrap();
    let square = || Shape::rectangle(3, 3).unwrap();
    // The quick tests take every other board, by turns the even and the odd ones.
    let skipped = |at: usize| !cfg!(feature = "slow-tests") && at % 2 == 1;
    let plays = [Play::Normal, Play::Misere, Play::FirstLine, Play::PlayOn];
    for (first, play) in plays.into_iter().enumerate() {
        let games = [
            unusual(ring(), 3, 3, play, 2),
            unusual(square(), 3, 2, play, 1),
            unusual(square(), 3, 1, play, -1),
            unusual(square(), 2, 3, play, 1),
            unusual(Shape::rectangle(2, 5).unwrap(), 4, 3, play, 2),
            unusual(Shape::rectangle(1, 8).unwrap(), 1, 2, play, -2),
        ];
        let games = games.into_iter().enumerate();
        for (_, game) in games.filter(|(number, _)| !skipped(first + number)) {
            for metric in &game.rules().metrics {
                check(&game, *metric);
            }
        }
    }
}

#[test]
fn points_beyond_a_byte_are_left_to_the_plain_engine() {
    let game = unusual(Shape::rectangle(3, 3).unwrap(), 2, 3, Play::PlayOn, 3);
    let plan = Plan::new(&game, Metric::Points, Options::default()).unwrap();
    let refused = solve(&plan, &Silent);
    let Err(SolveError::Misfits { count, .. }) = refused else {
        panic!("{refused:?}");
    };
    assert!(count > 0);
    let expected = plain::solve(&game, Metric::Points, &Silent).unwrap();
    assert!((0..expected.len()).any(|index| expected.code(index) >= 127));
    let found =
        greenwave_solver::solve(&Variant::Board(game), Metric::Points, 1 << 30, &Silent).unwrap();
    assert_eq!(found, expected.into());
}

#[test]
fn points_with_a_limited_supply_have_the_values_of_the_plain_engine() {
    for name in [
        "points-3x3:supply=pool6",
        "points-3x3:end=play-on,supply=cap3",
        "points-1x5:supply=cap1",
        "points-2x5:end=play-on,supply=pool4",
        "points-4x2:four=once,supply=cap2",
    ] {
        check(&board(name), Metric::Points);
    }
}

/// Lines are worth so much that no move at all would seem better than what all moves lose.
#[test]
fn raises_that_the_supply_forbids_score_nothing() {
    let supplies = |most| [Supply::Cap(most), Supply::Pool(most)];
    for (files, supply) in (3..=6).flat_map(|files| {
        (1..=4)
            .flat_map(supplies)
            .map(move |supply| (files, supply))
    }) {
        for (levels, points) in [(2, 31), (3, 21)] {
            let shape = Shape::rectangle(1, files).unwrap();
            let game = unusual(shape, 2, levels, Play::FirstLine, points);
            let rules = BoardRules {
                supply,
                ..game.board().clone()
            };
            let game = BoardGame::new("dear".into(), &CUSTOM, Vec::new(), rules);
            check(&game, Metric::Points);
        }
    }
}

#[test]
fn limited_supplies_have_the_values_of_the_plain_engine() {
    for name in [
        "classic-1x3:supply=cap1",
        "classic-3x3:supply=cap4",
        "signal-3x3:supply=pool5",
        "green-3x3:supply=cap2,stalemate=loss",
        "classic-3x3:play=misere,supply=pool4",
        "classic-2x5:play=misere,supply=cap3,stalemate=loss",
        "signal-5x2:supply=cap3",
    ] {
        let game = board(name);
        check(&game, Metric::Value);
        check(&game, Metric::Distance);
    }
}

/// A board of lines that the full board does not show, so that play can end without one.
#[test]
fn play_that_ends_without_a_line_has_the_values_of_the_plain_engine() {
    for name in ["classic-2x2", "classic-1x2:stalemate=loss", "classic-1x1"] {
        check(&board(name), Metric::Value);
        check(&board(name), Metric::Distance);
    }
    // The only position is won at once, and not by a line.
    let single = BoardRules {
        stalemate: Stalemate::Loss,
        ..unusual(Shape::rectangle(1, 1).unwrap(), 2, 1, Play::Normal, 1)
            .board()
            .clone()
    };
    check(
        &BoardGame::new("single".into(), &CUSTOM, Vec::new(), single),
        Metric::Distance,
    );
    let game = |size: (usize, usize), levels, supply, line: &[u8], play, stalemate| {
        let rules = BoardRules {
            shape: Shape::rectangle(size.0, size.1).unwrap(),
            line_length: line.len() as u8,
            levels,
            patterns: vec![WinPattern {
                levels: line.to_vec(),
                points: 1,
            }],
            play,
            line_score: LineScore::EachLine,
            supply,
            stalemate,
            opening: Opening::default(),
            tops: None,
        };
        BoardGame::new("unusual".into(), &CUSTOM, Vec::new(), rules)
    };
    for stalemate in [Stalemate::Draw, Stalemate::Loss] {
        for play in [Play::Normal, Play::Misere] {
            for (size, levels, supply, line) in [
                ((2, 4), 2, Supply::Unlimited, &[1, 1, 1, 1][..]),
                ((2, 3), 3, Supply::Unlimited, &[1, 2, 1]),
                ((1, 8), 3, Supply::Unlimited, &[2, 2]),
                ((2, 4), 1, Supply::Cap(5), &[1, 1, 1]),
                ((1, 7), 2, Supply::Pool(6), &[2, 1, 2]),
            ] {
                let game = game(size, levels, supply, line, play, stalemate);
                check(&game, Metric::Value);
                check(&game, Metric::Distance);
            }
        }
    }
    // With outer squares, too.
    let line = [1, 2, 1, 2];
    let game = game(
        (2, 5),
        2,
        Supply::Unlimited,
        &line,
        Play::Normal,
        Stalemate::Draw,
    );
    check(&game, Metric::Distance);
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let game = board("classic-3x4");
    let options = Options {
        leaves: true,
        ..Options::default()
    };
    let plan = Plan::new(&game, Metric::Value, options).unwrap();
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| solve(&plan, &Silent).unwrap())
    };
    assert_eq!(with(1), with(3));
}

#[test]
fn the_other_order_of_the_squares_changes_nothing() {
    let distances = if cfg!(feature = "slow-tests") {
        "classic-3x4"
    } else {
        "classic-5x2"
    };
    for (name, metric) in [
        (distances, Metric::Distance),
        ("green-5x2", Metric::Nimber),
        ("points-5x2", Metric::Points),
    ] {
        let game = board(name);
        let values = plain::solve(&game, metric, &Silent).unwrap();
        let watched: Vec<u64> = (0..values.len()).step_by(101).collect();
        let swept = |squares| {
            let options = Options {
                squares,
                ..Options::default()
            };
            let plan = Plan::new(&game, metric, options).unwrap();
            let plan = plan.watching(watched.clone());
            let order = plan.geometry.order.clone();
            (
                (plan.swept_positions(), order),
                solve(&plan, &Silent).unwrap(),
            )
        };
        let (best, other) = (swept(SquareOrder::Best), swept(SquareOrder::Other));
        assert!(best.0.0 <= other.0.0, "{name}: the other order is leaner");
        assert!(best.0.1 != other.0.1, "{name}: one order twice");
        assert_eq!(best.1.summary, other.1.summary);
        let packing = game.packing(metric);
        let expected: Vec<_> = watched
            .iter()
            .filter(|index| game.implied(packing, **index).is_none())
            .map(|index| (*index, values.figures(*index)))
            .collect();
        for (_, solution) in [best, other] {
            let packed: Vec<_> = solution
                .watched
                .into_iter()
                .filter(|(index, _)| game.implied(packing, *index).is_none())
                .collect();
            assert_eq!(packed, expected, "{name}");
        }
    }
}

#[test]
fn blocks_and_positions_are_counted_in_two_ways() {
    for name in [
        "classic-3x3",
        "signal-3x4",
        "classic-2x7",
        "green-3x4:play=misere",
        "classic-3x5",
    ] {
        let game = board(name);
        for order in [
            SquareNumbering::natural(&game.board().shape),
            SquareNumbering::by_files(&game.board().shape),
        ] {
            let geometry = SweepGeometry::new(&game, Metric::Value, order, Skip::Decided);
            let index = Index::new(&geometry).unwrap();
            let listed: Vec<u128> = index.waves.iter().map(|wave| wave.blocks as u128).collect();
            assert_eq!(geometry.swept_blocks(u128::MAX), Some(listed), "{name}");
            assert_eq!(
                geometry.line_free(u128::MAX),
                Some(geometry.line_free_by_block()),
                "{name}"
            );
        }
    }
}

/// Line-free positions of the 3 × 3 board, counted one by one.
#[test]
fn positions_without_a_line_are_counted_one_by_one() {
    for name in ["classic-3x3", "signal-3x3", "green-3x3", "classic-2x4"] {
        let game = board(name);
        let indices = 0..game.indexable() as u64;
        let free = indices.filter(|index| !game.has_line(Code(*index))).count();
        let natural = SquareNumbering::natural(&game.board().shape);
        let geometry = SweepGeometry::new(&game, Metric::Value, natural, Skip::Decided);
        assert_eq!(geometry.line_free(u128::MAX), Some(free as u128), "{name}");
    }
}

/// A board on which only these lines count, with this many levels.
fn lines(shape: Shape, levels: u8, lines: &[&[u8]]) -> BoardGame {
    let line_length = lines[0].len() as u8;
    let mut rules = unusual(shape, line_length, levels, Play::Normal, 1)
        .board()
        .clone();
    let pattern = |levels: &&[u8]| WinPattern {
        levels: levels.to_vec(),
        points: 0,
    };
    rules.patterns = lines.iter().map(pattern).collect();
    BoardGame::new("unusual".into(), &CUSTOM, Vec::new(), rules)
}

/// Where lines ask for few levels, the others are counted as one, in little memory.
#[test]
fn counting_takes_the_memory_of_the_levels_that_are_asked_for() {
    let geometry = |game: &BoardGame| {
        let natural = SquareNumbering::natural(&game.board().shape);
        SweepGeometry::new(game, Metric::Distance, natural, Skip::Decided)
    };
    let small = || Shape::rectangle(3, 3).unwrap();
    for game in [
        lines(small(), 3, &[&[1, 1, 1]]),
        lines(small(), 2, &[&[2, 1, 2]]),
        lines(small(), 3, &[&[3, 3], &[1, 3]]),
        lines(Shape::rectangle(2, 4).unwrap(), 3, &[&[2, 2, 2, 2]]),
    ] {
        let indices = 0..game.indexable() as u64;
        let free = indices.filter(|index| game.at(*index).is_some_and(|at| !game.has_line(at)));
        let free = free.count() as u128;
        assert_eq!(geometry(&game).line_free(u128::MAX), Some(free));
    }
    // Four in a row on four by four: up to thirteen squares must be remembered, of which ten have two
    // kinds of levels, or three where those before a line count, too.
    let four = || Shape::rectangle(4, 4).unwrap();
    let one = geometry(&lines(four(), 1, &[&[1; 4]]));
    assert_eq!(one.line_free(1 << 20), Some(one.line_free_by_block()));
    let two = geometry(&lines(four(), 2, &[&[1; 4]]));
    assert!(two.swept_blocks(16 << 20).is_some());
    // All levels: not in the memory that there is.
    let all = geometry(&lines(four(), 3, &[&[1; 4], &[2; 4], &[3; 4]]));
    assert_eq!(all.line_free(64 << 20), None);
    assert_eq!(all.packed(true, 64 << 20), None);
}

#[test]
fn an_interrupted_sweep_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("board/value.checkpoint");
    let game = board("classic-3x4");
    for (metric, leaves) in [
        (Metric::Value, false),
        (Metric::Value, true),
        (Metric::Distance, true),
        (Metric::Nimber, false),
    ] {
        let options = Options {
            leaves,
            ..Options::default()
        };
        let plan = Plan::new(&game, metric, options).unwrap();
        let expected = solve(&plan, &Silent).unwrap();
        let mut pauses = 0;
        let solution = loop {
            match solve_resumably(&plan, Some(&file), &Stops::after(3 + pauses)) {
                Ok(solution) => break solution,
                Err(SolveError::Paused { .. }) => pauses += 1,
                Err(error) => panic!("{error}"),
            }
            assert!(pauses < 100, "no wave is ever finished");
        };
        assert!(pauses > 1, "{metric}");
        assert!(solution == expected, "{metric} after {pauses} pauses");
        // With leaves it stays until the table is written, and is all that a solve needs.
        assert_eq!(file.exists(), leaves, "{metric}");
        if leaves {
            let again = solve_resumably(&plan, Some(&file), &Silent).unwrap();
            assert!(again == expected, "{metric} from its end");
            discard_checkpoint(&file);
        }
    }
}

#[test]
fn checkpoints_that_do_not_fit_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("value.checkpoint");
    let pause = |name: &str, metric, file: &Path| {
        let game = board(name);
        let plan = Plan::new(&game, metric, Options::default()).unwrap();
        let error = solve_resumably(&plan, Some(file), &Stops::after(2)).unwrap_err();
        error.to_string()
    };
    assert!(pause("classic-3x4", Metric::Value, &file).contains("resumes from"));
    let refused = pause("signal-3x4", Metric::Value, &file);
    assert!(
        refused.contains("other rules") && refused.contains("delete it"),
        "{refused}"
    );
    let refused = pause("classic-3x4", Metric::Distance, &file);
    assert!(refused.contains("other rules"), "{refused}");
    let wave = std::fs::read_dir(&file)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| !path.ends_with("state"))
        .unwrap();
    let whole = std::fs::read(&wave).unwrap();
    for damage in [0, 20, whole.len() / 2, whole.len() - 1] {
        let mut bytes = whole.clone();
        bytes[damage] ^= 1;
        std::fs::write(&wave, bytes).unwrap();
        let refused = pause("classic-3x4", Metric::Value, &file);
        assert!(refused.contains("damaged"), "{damage}: {refused}");
    }
    for length in [0, 31, whole.len() - 1] {
        std::fs::write(&wave, &whole[..length]).unwrap();
        let refused = pause("classic-3x4", Metric::Value, &file);
        assert!(refused.contains("damaged"), "{refused}");
    }
    assert!(
        std::fs::read(&wave).unwrap().len() < whole.len(),
        "a bad file is left as it is"
    );
}

/// Leaves that a table does not have would be written into it.
#[test]
fn forged_leaves_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("distance.checkpoint");
    let game = board("classic-3x4");
    let options = Options {
        leaves: true,
        ..Options::default()
    };
    let plan = Plan::new(&game, Metric::Distance, options).unwrap();
    // The first leaf of the part: its number and its count, after the numbers before the leaves.
    let mut stop = 2;
    let (part, whole, leaf) = loop {
        solve_resumably(&plan, Some(&file), &Stops::after(stop)).unwrap_err();
        let part = greenwave_testkit::listed_parts(&file).pop().unwrap();
        let bytes = std::fs::read(file.join(&part)).unwrap();
        let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        let counts = 16 + 12 * number(12);
        let leaves = counts + 4 + 8 * number(counts) + 20;
        if number(leaves) > 1 {
            break (part, bytes.clone(), leaves + 8);
        }
        stop += 1;
    };
    let state = std::fs::read(file.join("state")).unwrap();
    for (place, value) in [
        (0, &[0xff; 8][..]),
        (0, &[16, 0, 0, 0, 0, 0, 0, 0]),
        (8, &[0, 0, 0, 0]),
        (8, &[0xff, 0xff, 0xff, 0xff]),
        (8, &[0, 0, 1, 0]),
    ] {
        let mut bytes = whole.clone();
        bytes[leaf + place..][..value.len()].copy_from_slice(value);
        std::fs::write(file.join("state"), &state).unwrap();
        greenwave_testkit::forge_part(&file, &part, &bytes);
        let error = solve_resumably(&plan, Some(&file), &Silent).unwrap_err();
        let error = error.to_string();
        assert!(
            error.contains("leaves that this board does not have"),
            "{error}"
        );
    }
    // As it was, it is resumed.
    std::fs::write(file.join("state"), &state).unwrap();
    std::fs::write(file.join(&part), &whole).unwrap();
    let found = solve_resumably(&plan, Some(&file), &Silent).unwrap();
    assert!(found == solve(&plan, &Silent).unwrap());
}

#[test]
fn two_solves_of_the_same_keep_apart_from_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("value.checkpoint");
    let game = board("classic-3x3");
    for leaves in [false, true] {
        let options = Options {
            leaves,
            ..Options::default()
        };
        let plan = Plan::new(&game, Metric::Value, options).unwrap();
        let lock = greenwave_table::Storage::lock(
            &greenwave_table::DiskStorage,
            &folder.path().join("value.checkpoint.lock"),
        );
        let error = solve_resumably(&plan, Some(&file), &Silent).unwrap_err();
        assert!(matches!(error, SolveError::Table(_)), "{error}");
        drop(lock);
        solve_resumably(&plan, Some(&file), &Silent).unwrap();
    }
}

/// Does something to the disk when this much has been swept, and remembers what it is warned of.
struct Meddler<'a> {
    calls: AtomicI64,
    at: i64,
    act: &'a (dyn Fn() + Sync),
    warnings: Mutex<Vec<String>>,
}

impl<'a> Meddler<'a> {
    fn new(at: i64, act: &'a (dyn Fn() + Sync)) -> Meddler<'a> {
        Meddler {
            calls: AtomicI64::new(0),
            at,
            act,
            warnings: Mutex::default(),
        }
    }
}

impl Progress for Meddler<'_> {
    fn begin(&self, _: &str, _: u64, _: Unit) {}

    fn advance(&self, _: u64) {
        if self.calls.fetch_add(1, Ordering::Relaxed) == self.at {
            (self.act)();
        }
    }

    fn warn(&self, warning: &str) {
        self.warnings.lock().unwrap().push(warning.into());
    }
}

#[test]
fn a_sweep_goes_on_without_the_checkpoints_that_cannot_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("board");
    let file = own.join("distance.checkpoint");
    let obstacle = file.join("state.new");
    let state = file.join("state");
    let game = board("classic-3x4");
    for leaves in [false, true] {
        let options = Options {
            leaves,
            ..Options::default()
        };
        let plan = Plan::new(&game, Metric::Distance, options).unwrap();
        let expected = solve(&plan, &Silent).unwrap();
        let run = |meddler: &Meddler<'_>| {
            let solution = solve_with(&plan, Some(&file), Duration::ZERO, meddler).unwrap();
            assert!(solution == expected);
            meddler.warnings.lock().unwrap().clone()
        };
        // Never any room: told once, and nothing is left behind.
        std::fs::create_dir_all(&obstacle).unwrap();
        let warnings = run(&Meddler::new(-1, &|| {}));
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert!(warnings[0].starts_with("cannot write the checkpoint '"));
        assert!(warnings[0].contains("would lose all work so far"));
        let left = std::fs::read_dir(&file).unwrap().count();
        assert_eq!(left, 1, "only the obstacle");
        // An interrupt that leaves no checkpoint says so.
        let error = solve_resumably(&plan, Some(&file), &Stops::after(3)).unwrap_err();
        assert!(matches!(error, SolveError::CheckpointIo { .. }), "{error}");
        // Room again after a while: a checkpoint is there before the end.
        let warnings = run(&Meddler::new(2, &|| {
            assert!(!state.exists());
            std::fs::remove_dir(&obstacle).unwrap();
        }));
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert_eq!(state.exists(), leaves, "the last one waits for the table");
        discard_checkpoint(&file);
        // The folder goes, and is made anew.
        let warnings = run(&Meddler::new(2, &|| {
            std::fs::remove_dir_all(&own).unwrap();
        }));
        assert!(warnings.is_empty(), "{warnings:?}");
        assert_eq!(file.exists(), leaves);
        discard_checkpoint(&file);
        // No more room after a good one: that one stays.
        let warnings = run(&Meddler::new(4, &|| {
            assert!(state.exists());
            std::fs::create_dir(&obstacle).unwrap();
        }));
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert!(
            warnings[0].contains("lose all work since the last checkpoint"),
            "{warnings:?}"
        );
        discard_checkpoint(&file);
        std::fs::remove_dir(&obstacle).unwrap();
        // It goes for good.
        let warnings = run(&Meddler::new(4, &|| {
            std::fs::remove_dir_all(&own).unwrap();
            std::fs::write(&own, "in the way").unwrap();
        }));
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert!(warnings[0].contains("lose all work so far"), "{warnings:?}");
        std::fs::remove_file(&own).unwrap();
    }
}
