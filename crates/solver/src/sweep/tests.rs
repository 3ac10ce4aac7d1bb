//! The sweep against the plain engine, position by position.

use greenwave_game::{
    BoardGame, BoardRules, Code, Dense, Family, Game, LEAF_BITS, LeafMask, LineScore, Metric, Play,
    Shape, Stalemate, Supply, Variant, WinPattern,
};
use greenwave_table::Leaf;

use super::frame::Frame;
use super::index::Index;
use super::pattern::Order;
use super::{Kernel, Options, Plan, Skip, solve};
use crate::{Silent, plain, summarise};

fn board(name: &str) -> BoardGame {
    match Variant::parse(name).unwrap() {
        Variant::Board(game) => game,
        other => panic!("{other:?} is no board"),
    }
}

/// A mono game that no name describes.
fn unusual(shape: Shape, line_length: u8, levels: u8, play: Play) -> BoardGame {
    let pattern = |level| WinPattern {
        levels: vec![level; usize::from(line_length)],
        points: 0,
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
    };
    BoardGame::new("unusual".into(), Family::Classic, Vec::new(), rules)
}

fn kernels() -> impl Iterator<Item = Kernel> {
    Kernel::ALL
        .into_iter()
        .filter(|kernel| kernel.is_supported())
}

/// Compares every packed position, all counts and the openings, for all kernels.
fn check(game: &BoardGame, metric: Metric) {
    let values = plain::solve(game, metric, &Silent).unwrap();
    let summary = summarise(game, &values);
    let packing = game.packing(metric);
    let mut leaves = Vec::new();
    let mut mask = LeafMask::default();
    for number in 0..values.len().div_ceil(1 << LEAF_BITS) {
        game.leaf_mask(packing, number, &mut mask);
        let codes = mask
            .places()
            .map(|place| i64::from(values.code((number << LEAF_BITS) + u64::from(place))) as u64);
        let leaf = Leaf::pack(if metric == Metric::Value { 1 } else { 8 }, codes);
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
    check(&board("signal-3x4"), Metric::Distance);
}

#[test]
fn gaps_short_and_long_lines_and_few_levels_are_swept() {
    let ring = || Shape::with_gaps(3, 4, |file, rank| rank != 1 || file == 0 || file == 3).unwrap();
    let square = || Shape::rectangle(3, 3).unwrap();
    for play in [Play::Normal, Play::Misere] {
        for game in [
            unusual(ring(), 3, 3, play),
            unusual(square(), 3, 2, play),
            unusual(square(), 3, 1, play),
            unusual(square(), 2, 3, play),
            unusual(Shape::rectangle(2, 5).unwrap(), 4, 3, play),
            unusual(Shape::rectangle(1, 8).unwrap(), 1, 2, play),
        ] {
            check(&game, Metric::Value);
            check(&game, Metric::Distance);
            if play == Play::Normal {
                check(&game, Metric::Nimber);
            }
        }
    }
}

#[test]
fn rules_with_other_endings_are_left_to_other_engines() {
    for name in [
        "classic-2x2",
        "classic-3x3:supply=cap6",
        "points-3x3:end=play-on",
    ] {
        let game = board(name);
        let metric = game.rules().metrics[0];
        assert!(
            Plan::new(&game, metric, Options::default()).is_none(),
            "{name}"
        );
    }
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
            Order::natural(&game.board().shape),
            Order::by_files(&game.board().shape),
        ] {
            let frame = Frame::new(&game, Metric::Value, order, Skip::Decided);
            let index = Index::new(&frame);
            let listed: Vec<u128> = index.waves.iter().map(|wave| wave.blocks as u128).collect();
            assert_eq!(frame.swept_blocks(), Some(listed), "{name}");
            assert_eq!(
                frame.line_free(),
                Some(frame.line_free_by_block()),
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
        let natural = Order::natural(&game.board().shape);
        let frame = Frame::new(&game, Metric::Value, natural, Skip::Decided);
        assert_eq!(frame.line_free(), Some(free as u128), "{name}");
    }
}
