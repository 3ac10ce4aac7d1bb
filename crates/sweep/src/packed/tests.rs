//! The packed sweep against the plain engine, position by position.

use greenwave_game::{
    BoardGame, BoardRules, CUSTOM, Cell, Dense, Game, LineScore, Metric, Opening, Play, Shape,
    Stalemate, Supply, WinPattern,
};
use greenwave_table::Summary;
use greenwave_values::{DenseValues, Silent, summarise};

use super::families::Families;
use super::grain::Grain;
use super::layout::SquareLayout;
use super::loops::Loops;
use super::need::FIXED_BYTES;
use super::pairs::{WavePair, WaveSize};
use super::plan::{PackedPlan, SweepLimits};
use super::solve::{SweepFiles, solve};
use super::tables::Tables;
use crate::sweep::{self, Kernel};
use greenwave_solver::plain;

pub(super) fn board(name: &str) -> BoardGame {
    BoardGame::named(name).unwrap()
}

/// A game that no name describes.
pub(super) fn unusual(shape: Shape, levels: u8, patterns: &[&[u8]], play: Play) -> BoardGame {
    let rules = BoardRules {
        shape,
        line_length: patterns[0].len() as u8,
        levels,
        patterns: patterns
            .iter()
            .map(|levels| WinPattern {
                levels: levels.to_vec(),
                points: 0,
            })
            .collect(),
        play,
        line_score: LineScore::EachLine,
        supply: Supply::Unlimited,
        stalemate: Stalemate::Draw,
        opening: Opening::default(),
        tops: None,
    };
    BoardGame::new("unusual".into(), &CUSTOM, Vec::new(), rules)
}

/// The same with points for each pattern.
fn scored(shape: Shape, levels: u8, patterns: &[(&[u8], i32)], line_score: LineScore) -> BoardGame {
    let names: Vec<&[u8]> = patterns.iter().map(|(levels, _)| *levels).collect();
    let mut rules = unusual(shape, levels, &names, Play::FirstLine)
        .board()
        .clone();
    for (pattern, (_, points)) in rules.patterns.iter_mut().zip(patterns) {
        pattern.points = *points;
    }
    rules.line_score = line_score;
    BoardGame::new("scored".into(), &CUSTOM, Vec::new(), rules)
}

fn kernels() -> impl Iterator<Item = Kernel> {
    Kernel::ALL
        .into_iter()
        .filter(|kernel| kernel.is_supported())
}

// A board by all its metrics.
fn check(game: &BoardGame) {
    for metric in &game.rules().metrics {
        check_metric(game, *metric);
    }
}

fn check_metric(game: &BoardGame, metric: Metric) {
    let values = plain::solve(game, metric, &Silent).unwrap();
    let expected = summarise(game, &values.clone().into());
    let best = PackedPlan::unweighed(game, metric, Kernel::Portable);
    let best = best.unwrap_or_else(|| panic!("{:?} is not treated", game.board()));
    let other =
        SquareLayout::other(&best.patterns, &best.layout).map(|other| (other, Kernel::best()));
    let runs = kernels().map(|kernel| (best.layout.clone(), kernel));
    compare_all(&best, runs.chain(other), &values, &expected);
}

// A board by some layouts and kernels, for all grains. The first run watches every position, and so do the
// others in the slow tests; in the quick ones they watch one in `STEP`, an odd number, so that each square
// shows all its levels.
fn compare_all(
    best: &PackedPlan<'_>,
    runs: impl Iterator<Item = (SquareLayout, Kernel)>,
    values: &DenseValues,
    expected: &Summary,
) {
    const STEP: usize = if cfg!(feature = "slow-tests") { 1 } else { 5 };
    let game = best.game;
    let all = (0..game.indexable() as u64).filter(|index| game.at(*index).is_some());
    let all: Vec<u64> = all.collect();
    let mut undecided = None;
    let runs = runs.flat_map(|(layout, kernel)| {
        let grains = Grain::of(best.metric).iter();
        grains.map(move |grain| (layout.clone(), kernel, *grain))
    });
    for (number, (layout, kernel, grain)) in runs.enumerate() {
        let context = format!("{} {kernel} {grain:?} {layout:?}", game.rules().name);
        let (from, step) = if number == 0 {
            (0, 1)
        } else {
            (number % STEP, STEP)
        };
        let plan = PackedPlan {
            layout,
            loops: Loops::of(kernel),
            grain,
            watched: all.iter().copied().skip(from).step_by(step).collect(),
            ..best.clone()
        };
        let found = solve(&plan, SweepFiles::default(), &Silent).unwrap();
        assert_eq!(&found.summary, expected, "{context}");
        let count: u64 = found.waves.iter().map(|wave| wave.undecided).sum();
        for (position, code) in &found.watched {
            let expected = values.code(*position) as u8;
            assert_eq!(*code, expected, "{context}: {position}");
        }
        let undecided = undecided.get_or_insert_with(|| found.watched.clone());
        assert_eq!(undecided.len() as u64, count, "{context}");
        for position in &plan.watched {
            let [here, expected] =
                [&found.watched, &*undecided].map(|found| found.contains_key(position));
            assert_eq!(here, expected, "{context}: {position}");
        }
    }
}

#[test]
fn small_boards_are_solved_alike() {
    for name in [
        "classic-3x3",
        "signal-3x3",
        "classic-1x8",
        "classic-3x3:play=misere",
    ] {
        check(&board(name));
    }
}

#[test]
fn unusual_boards_are_solved_alike() {
    let gap = Shape::with_gaps(3, 3, |file, rank| (file, rank) != (0, 0)).unwrap();
    let bent = Shape::with_gaps(3, 4, |file, rank| rank == 0 || file < 2).unwrap();
    let square = Shape::rectangle(3, 3).unwrap();
    // One way round only, so that no mirror keeps it.
    let one_way: [&[u8]; 2] = [&[1, 2, 3], &[3, 3, 3]];
    for game in [
        unusual(gap, 3, &[&[1, 1, 1], &[2, 2, 2], &[3, 3, 3]], Play::Normal),
        unusual(bent, 2, &[&[1, 1, 1], &[2, 2, 2]], Play::Normal),
        unusual(square.clone(), 1, &[&[1, 1, 1]], Play::Misere),
        unusual(square.clone(), 2, &[&[2, 2]], Play::Normal),
        unusual(square, 3, &one_way, Play::Normal),
    ] {
        check(&game);
    }
}

#[test]
fn points_are_those_of_the_plain_engine() {
    for name in ["points-3x3", "points-1x8:four=once", "points-5x2"] {
        check(&board(name));
    }
    if cfg!(feature = "slow-tests") {
        for name in ["points-1x8", "points-1x9:four=once", "points-5x2:four=once"] {
            check(&board(name));
        }
    }
    let gap = Shape::with_gaps(3, 3, |file, rank| (file, rank) != (0, 0)).unwrap();
    let bent = Shape::with_gaps(3, 4, |file, rank| rank == 0 || file < 2).unwrap();
    let square = Shape::rectangle(3, 3).unwrap();
    let long = Shape::rectangle(2, 4).unwrap();
    let three: [(&[u8], i32); 3] = [(&[1, 1, 1], 7), (&[2, 2, 2], 1), (&[3, 3, 3], 3)];
    // The mirror keeps the patterns, but not their points.
    let one_way: [(&[u8], i32); 3] = [(&[1, 2, 3], 2), (&[3, 2, 1], 5), (&[3, 3, 3], 4)];
    let pairs: [(&[u8], i32); 3] = [(&[1, 1], 2), (&[1, 2], 3), (&[2, 2], 1)];
    for score in [LineScore::EachLine, LineScore::EachRun] {
        for game in [
            scored(gap.clone(), 3, &three, score),
            scored(bent.clone(), 2, &three[..2], score),
            scored(square.clone(), 3, &one_way, score),
            scored(square.clone(), 2, &pairs, score),
            scored(long.clone(), 1, &[(&[1, 1], 20)], score),
            scored(long.clone(), 3, &three, score),
        ] {
            check(&game);
        }
    }
}

#[test]
fn points_of_rules_that_the_sweep_does_not_treat_are_left_to_others() {
    let square = Shape::rectangle(3, 3).unwrap();
    let of = |points| {
        let patterns: [(&[u8], i32); 1] = [(&[3, 3, 3], points)];
        scored(square.clone(), 3, &patterns, LineScore::EachLine)
    };
    let planned =
        |game: &BoardGame| PackedPlan::unweighed(game, Metric::Points, Kernel::Portable).is_some();
    // Four lines meet in the middle.
    assert!(planned(&of(31)));
    assert!(!planned(&of(32)));
    assert!(!planned(&of(0)));
    assert!(!planned(&of(-1)));
    assert!(!planned(&board("points-3x3:end=play-on")));
    assert!(!planned(&board("points-3x3:supply=cap5")));
    assert!(PackedPlan::unweighed(&of(1), Metric::Value, Kernel::Portable).is_none());
}

#[test]
fn symmetries_that_move_middle_squares_alone_move_blocks() {
    // Two boards. The first has a file of low squares, which the mirror leaves where they are, with
    // a middle and a far square on either side. The second has a middle square between them, with
    // five in all, and two far ones apart.
    for five in [false, true] {
        let (last, levels) = if five { (4, 2) } else { (3, 3) };
        let present = |file, rank| match rank {
            0 => true,
            _ if rank == last => true,
            7 => file != 1,
            _ => file == 1 && rank < last,
        };
        let ranks = if five { 8 } else { 4 };
        let shape = Shape::with_gaps(ranks, 3, present).unwrap();
        let set = |wanted: &dyn Fn(u8, u8) -> bool| {
            let squares = (0..shape.cells() as u8).filter(|square| {
                let (file, rank) = shape.place(Cell(*square));
                wanted(file, rank)
            });
            squares.fold(0_u32, |set, square| set | 1 << square)
        };
        let between = |file, rank| five && (file, rank) == (1, 2);
        let low = set(&|file, rank| file == 1 && rank <= last && !between(file, rank));
        let beside = |file, rank| file != 1 && (rank == 0 || five && rank == last);
        let mid = set(&|file, rank| beside(file, rank) || between(file, rank));
        let patterns: [(&[u8], i32); 3] = [(&[1, 1, 1], 2), (&[2, 2, 2], 3), (&[3, 3, 3], 1)];
        let patterns = &patterns[..levels.into()];
        let names: Vec<&[u8]> = patterns.iter().map(|(pattern, _)| *pattern).collect();
        let game = unusual(shape.clone(), levels, &names, Play::Normal);
        let with_points = scored(shape, levels, patterns, LineScore::EachLine);
        let best = PackedPlan::unweighed(&game, Metric::Value, Kernel::Portable).unwrap();
        let keeps = |to: &Vec<u8>| {
            (0..to.len()).all(|square| low >> square & 1 == 0 || usize::from(to[square]) == square)
        };
        let mirror: Vec<Vec<u8>> = best
            .patterns
            .symmetries
            .iter()
            .filter(|to| keeps(to))
            .cloned()
            .collect();
        assert_eq!(mirror.len(), 2);
        let layout = SquareLayout::new(&best.patterns, &mirror, low, mid);
        assert_eq!(layout.fold(), if five { 4 } else { 1 });
        let metrics = game.rules().metrics.iter().map(|metric| (&game, *metric));
        for (game, metric) in metrics.chain([(&with_points, Metric::Points)]) {
            let values = plain::solve(game, metric, &Silent).unwrap();
            let expected = summarise(game, &values.clone().into());
            let runs = kernels().map(|kernel| (layout.clone(), kernel));
            let plan = PackedPlan {
                layout: layout.clone(),
                ..PackedPlan::unweighed(game, metric, Kernel::Portable).unwrap()
            };
            compare_all(&plan, runs, &values, &expected);
        }
    }
}

// Counts by level sum, from two layouts, every kernel and grain, and all counts from the sweep.
fn compare(name: &str, some: &[Kernel]) {
    let game = board(name);
    let expected = {
        let plan = sweep::Plan::new(&game, Metric::Value, sweep::Options::default()).unwrap();
        sweep::solve(&plan, &Silent).unwrap().summary
    };
    let best = PackedPlan::unweighed(&game, Metric::Value, Kernel::Portable).unwrap();
    let other = SquareLayout::other(&best.patterns, &best.layout).unwrap();
    assert_ne!(best.layout.low, other.low);
    let mut tiers = None;
    for kernel in some.iter().filter(|kernel| kernel.is_supported()) {
        let mut waves = None;
        for (layout, grain) in [
            (&best.layout, Grain::Sparse),
            (&best.layout, Grain::Byte),
            (&best.layout, Grain::Bit),
            (&other, Grain::Sparse),
        ] {
            let plan = PackedPlan {
                layout: layout.clone(),
                loops: Loops::of(*kernel),
                grain,
                tiers: true,
                ..best.clone()
            };
            let found = solve(&plan, SweepFiles::default(), &Silent).unwrap();
            assert_eq!(found.summary, expected, "{name} {kernel} {grain:?}");
            let counted = found.tiers.unwrap();
            assert_eq!(tiers.get_or_insert_with(|| counted.clone()), &counted);
            if layout == &best.layout {
                let here: Vec<(u64, u64)> = found
                    .waves
                    .iter()
                    .map(|wave| (wave.undecided, wave.lost))
                    .collect();
                assert_eq!(waves.get_or_insert_with(|| here.clone()), &here);
            }
        }
    }
}

// All counts, and the position that takes longest, from the sweep.
fn compare_codes(name: &str, metric: Metric, some: &[Kernel]) {
    let game = board(name);
    let expected = {
        let options = sweep::Options::default();
        let plan = sweep::Plan::new(&game, metric, options).unwrap();
        sweep::solve(&plan, &Silent).unwrap().summary
    };
    let best = PackedPlan::unweighed(&game, metric, Kernel::Portable).unwrap();
    let other = SquareLayout::other(&best.patterns, &best.layout).unwrap();
    for kernel in some.iter().filter(|kernel| kernel.is_supported()) {
        for layout in [&best.layout, &other] {
            let plan = PackedPlan {
                layout: layout.clone(),
                loops: Loops::of(*kernel),
                ..best.clone()
            };
            let found = solve(&plan, SweepFiles::default(), &Silent).unwrap();
            assert_eq!(found.summary, expected, "{name} {metric} {kernel}");
        }
    }
}

#[test]
fn bytes_of_larger_boards_are_those_of_the_sweep() {
    compare_codes("points-3x4", Metric::Points, &Kernel::ALL);
    compare_codes("points-3x4:four=once", Metric::Points, &Kernel::ALL);
    compare_codes("classic-3x4", Metric::Distance, &Kernel::ALL);
    compare_codes("signal-3x4", Metric::Nimber, &Kernel::ALL);
}

#[cfg(feature = "slow-tests")]
#[test]
fn bytes_of_large_boards_are_those_of_the_sweep() {
    for name in [
        "classic-3x5",
        "classic-4x4",
        "signal-4x4",
        "classic-3x5:play=misere",
    ] {
        compare_codes(name, Metric::Distance, &Kernel::ALL);
    }
    for name in ["classic-3x5", "classic-4x4"] {
        compare_codes(name, Metric::Nimber, &Kernel::ALL);
    }
    compare_codes("classic-3x6", Metric::Distance, &[Kernel::Avx512]);
}

#[cfg(feature = "slow-tests")]
#[test]
fn points_of_large_boards_are_those_of_the_sweep() {
    for name in ["points-3x5", "points-4x4", "points-4x4:four=once"] {
        compare_codes(name, Metric::Points, &Kernel::ALL);
    }
}

#[test]
fn larger_boards_have_equal_counts_in_every_tier() {
    compare("classic-3x4", &Kernel::ALL);
    compare("signal-3x5", &[Kernel::Avx2, Kernel::Avx512]);
}

#[cfg(feature = "slow-tests")]
#[test]
fn large_boards_have_equal_counts_in_every_tier() {
    for name in [
        "classic-4x4",
        "classic-3x6",
        "signal-4x5",
        "classic-3x5:play=misere",
    ] {
        compare(name, &Kernel::ALL);
    }
    compare("classic-4x5", &[Kernel::Avx512]);
}

#[test]
fn memory_is_foreseen_and_grains_follow_it() {
    let game = board("classic-3x6");
    let planned = |memory| {
        let limits = SweepLimits::of(memory);
        PackedPlan::new(&game, Metric::Value, Kernel::best(), limits).unwrap()
    };
    let (roomy, tight) = (planned(1 << 40), planned(0));
    assert_eq!(tight.grain, Grain::Bit);
    assert!(tight.memory <= roomy.memory);
    assert!(roomy.memory < 64 << 20);
}

#[test]
fn grains_give_way_to_smaller_ones() {
    let game = board("classic-4x5");
    // Plain words take long to plan.
    let quick = |kernel: &Kernel| kernel.is_supported() && *kernel != Kernel::Portable;
    for kernel in Kernel::ALL.into_iter().filter(quick) {
        let (mut grains, mut memory) = (Vec::new(), u64::MAX);
        while grains.last() != Some(&Grain::Bit) {
            let plan =
                PackedPlan::new(&game, Metric::Value, kernel, SweepLimits::of(memory)).unwrap();
            assert!(plan.memory <= memory.into(), "{grains:?}");
            grains.push(plan.grain);
            memory = plan.memory as u64 - 1;
        }
        let all = Grain::of(Metric::Value).iter().copied();
        let kept = all.filter(|grain| *grain == Grain::Bit || Loops::of(kernel).keeps(*grain));
        assert_eq!(grains, kept.collect::<Vec<_>>(), "{kernel}");
    }
}

#[test]
fn positions_are_counted_at_once_where_memory_allows() {
    let game = board("classic-3x4");
    let threads = rayon::ThreadPoolBuilder::new().num_threads(2);
    threads.build().unwrap().install(|| {
        let plan = PackedPlan::unweighed(&game, Metric::Value, Kernel::best()).unwrap();
        let counting = plan.patterns.counting_bytes();
        for (allowed, at_once) in [(2 * counting, true), (2 * counting - 1, false)] {
            let allowed = FIXED_BYTES + allowed;
            let plan = plan
                .clone()
                .weighed(SweepLimits::of(allowed as u64))
                .unwrap();
            assert_eq!(plan.counts_at_once, at_once);
            let counted = plan.counted().unwrap();
            assert_eq!(counted, plan.patterns.counted(&game, !at_once).unwrap());
        }
    });
}

#[test]
fn waves_are_counted_without_a_look_at_families() {
    // As the sweeps of these boards found, family by family; that of 3 × 7 by the transfer of columns, too.
    let boards = [
        ("classic-3x7", 24_931_665_076_u128),
        ("classic-4x6", 417_961_673_103),
        ("signal-3x9", 1_011_770_942_619),
        ("signal-4x7", 1_013_106_182_631),
    ];
    let number = if cfg!(feature = "slow-tests") {
        boards.len()
    } else {
        1
    };
    for (name, undecided) in boards.into_iter().take(number) {
        let game = board(name);
        let plan = PackedPlan::unweighed(&game, Metric::Value, Kernel::best()).unwrap();
        let waves = plan.counted_wave_sizes(1 << 30).unwrap();
        let symmetries = plan.layout.symmetries.len() as u128;
        let counted: u128 = waves.iter().map(|wave| wave.positions).sum();
        let most = undecided / symmetries + waves.len() as u128;
        assert!(
            (undecided / symmetries..=most).contains(&counted),
            "{name}: {counted}"
        );
    }
}

#[test]
fn waves_are_estimated_where_a_count_takes_long() {
    for name in ["signal-4x4", "classic-4x5", "classic-3x5:play=misere"] {
        let game = board(name);
        let plan = PackedPlan::unweighed(&game, Metric::Value, Kernel::best()).unwrap();
        let counted = plan.counted_wave_sizes(1 << 30).unwrap();
        let estimated = plan.estimated_wave_sizes();
        let sum = |waves: &[WaveSize], size: fn(&WaveSize) -> u128| {
            waves.iter().map(size).sum::<u128>() as f64
        };
        let ratio = |size| sum(&estimated, size) / sum(&counted, size);
        let positions = ratio(|wave| wave.positions);
        assert!((0.8..1.25).contains(&positions), "{name}: {positions}");
        // Those of which middle and low squares leave nothing are counted, too.
        let families = ratio(|wave| wave.families);
        assert!((0.5..1.2).contains(&families), "{name}: {families}");
        let [estimated, counted] =
            [estimated, counted].map(|waves| WavePair::largest(&waves, Grain::Bit).bytes as f64);
        let ratio = estimated / counted;
        assert!((0.8..1.25).contains(&ratio), "{name}: {ratio}");
    }
    // Where the boards are too many to be counted in seconds, planning does not wait for it.
    let game = board("classic-5x6");
    let plan = PackedPlan::unweighed(&game, Metric::Value, Kernel::best()).unwrap();
    assert!(!plan.is_quick_to_count());
    let limits = SweepLimits::of(1 << 30);
    let plan = PackedPlan::new(&game, Metric::Value, Kernel::best(), limits);
    // As counted in 2026: a terabyte.
    let terabytes = plan.unwrap().memory as f64 / 1e12;
    assert!((0.5..2.5).contains(&terabytes), "{terabytes}");
}

#[test]
fn an_estimate_is_there_at_every_memory() {
    for name in ["classic-2x11", "classic-3x8"] {
        let game = board(name);
        for memory in [2 << 30, 18 << 30] {
            for (metric, scratch) in [(Metric::Value, false), (Metric::Distance, true)] {
                let limits = SweepLimits {
                    quick: true,
                    scratch,
                    ..SweepLimits::of(memory)
                };
                let plan = PackedPlan::new(&game, metric, Kernel::best(), limits);
                assert!(plan.is_some(), "{name} {metric:?} {memory}");
            }
        }
    }
}

#[test]
fn a_sample_weighs_what_a_count_does() {
    for (name, metric) in [
        ("classic-3x6", Metric::Value),
        ("signal-4x4", Metric::Value),
        ("classic-3x6", Metric::Nimber),
    ] {
        let game = board(name);
        for (memory, scratch) in [(u64::MAX, false), (1 << 20, true)] {
            let limits = SweepLimits {
                scratch,
                ..SweepLimits::of(memory)
            };
            let plan = PackedPlan::new(&game, metric, Kernel::best(), limits);
            let plan = plan.unwrap();
            let mut sampled = PackedPlan::unweighed(&game, metric, Kernel::best()).unwrap();
            sampled.sampled = true;
            let sampled = sampled.weighed(limits).unwrap();
            assert_eq!(plan.cache.is_some(), sampled.cache.is_some());
            // Memory and disk of the sample are those of the count, or up to twice as much.
            let sizes = [(plan.memory, sampled.memory), (plan.disk, sampled.disk)];
            for (counted, sampled) in sizes {
                let ratio = sampled as f64 / counted as f64;
                assert!((0.9..2.0).contains(&ratio), "{name} {metric:?}: {ratio}");
            }
        }
    }
}

#[test]
fn largest_waves_are_as_large_as_counted() {
    let game = board("classic-4x5");
    let limits = SweepLimits {
        with_table: true,
        ..SweepLimits::of(0)
    };
    let plan = PackedPlan::new(&game, Metric::Value, Kernel::best(), limits).unwrap();
    assert_eq!(plan.grain, Grain::Bit);
    let waves = plan.counted_wave_sizes(1 << 30).unwrap();
    let two = WavePair::largest(&waves, Grain::Bit);
    // By listing every family, as a plan does where they are few.
    let tables = Tables::<1>::new(&plan.patterns, plan.layout.clone(), Grain::Bit);
    let families = Families::new(&tables, plan.loops);
    let listed = [two.lower, two.lower + 1].map(|sum| families.weight(sum, 1).unwrap());
    let bytes: u64 = listed.iter().map(|wave| wave.bytes(Grain::Bit)).sum();
    assert!(
        bytes <= two.bytes && two.bytes - bytes < bytes / 50,
        "{bytes}, {two:?}"
    );
}
