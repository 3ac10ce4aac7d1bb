//! Any number of ranks finds what one machine does.

use std::path::{Path, PathBuf};
use std::time::Duration;

use greenwave_game::{BoardGame, Metric, Play, Shape};
use greenwave_table::Summary;
use greenwave_values::{Progress, Silent};

use super::shards::Shards;
use super::{
    Exchange, Forecast, Park, RankSimulation, ShardedResult, ShardedTask, on_simulated, on_threads,
};
use crate::SolveError;
use crate::packed::plan::{PackedPlan, SweepLimits};
use crate::packed::scratch::tests::copied;
use crate::packed::solve::{SweepFiles, solve};
use crate::packed::tests::{board, unusual};
use crate::sweep::Kernel;
use greenwave_testkit::{StopCounter, forge_state};

fn alone(game: &BoardGame, metric: Metric) -> Summary {
    let plan = PackedPlan::new(game, metric, Kernel::best(), SweepLimits::of(u64::MAX)).unwrap();
    solve(&plan, SweepFiles::default(), &Silent)
        .unwrap()
        .summary
}

fn shared(game: &BoardGame, metric: Metric, ranks: usize) -> Vec<ShardedResult> {
    let work = |exchange: &dyn Exchange| {
        let task = ShardedTask::new(game, metric);
        task.plan(exchange)?.run(exchange, &Silent)
    };
    on_threads(ranks, work).unwrap()
}

// The bytes of the table of a single machine.
fn table_alone(game: &BoardGame) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("value.gwt");
    let plan = PackedPlan {
        with_table: true,
        ..PackedPlan::unweighed(game, Metric::Value, Kernel::best()).unwrap()
    };
    let keep = SweepFiles {
        table: Some(&path),
        ..SweepFiles::default()
    };
    solve(&plan, keep, &Silent).unwrap();
    std::fs::read(path).unwrap()
}

fn check_game(game: &BoardGame, metric: Metric, ranks: &[usize]) {
    let expected = alone(game, metric);
    for ranks in ranks {
        let found = shared(game, metric, *ranks);
        assert_eq!(found.len(), *ranks);
        for found in found {
            assert_eq!(found.summary, expected, "{metric} on {ranks}");
        }
    }
}

fn check(name: &str, metric: Metric, ranks: &[usize]) {
    check_game(&board(name), metric, ranks);
}

#[test]
fn small_boards_are_solved_alike_on_any_number_of_ranks() {
    check("classic-3x3", Metric::Value, &[1, 2, 3, 4, 7]);
    check("classic-3x4", Metric::Value, &[1, 2, 3, 4, 7]);
    check("classic-3x4:play=misere", Metric::Value, &[2]);
    check("signal-3x4", Metric::Distance, &[3]);
    check("classic-1x9", Metric::Value, &[2, 3]);
}

#[cfg(feature = "slow-tests")]
#[test]
fn large_boards_are_solved_alike_on_any_number_of_ranks() {
    for name in ["classic-3x5", "classic-4x4", "classic-3x6", "signal-4x4"] {
        for metric in [Metric::Value, Metric::Distance] {
            check(name, metric, &[1, 2, 3, 4, 7]);
        }
    }
    check("classic-4x5", Metric::Value, &[1, 2, 3, 4, 7]);
}

#[test]
fn boards_without_symmetry_are_solved_alike() {
    let gap = Shape::with_gaps(3, 3, |file, rank| (file, rank) != (0, 0)).unwrap();
    let bent = Shape::with_gaps(3, 4, |file, rank| rank == 0 || file < 2).unwrap();
    let square = Shape::rectangle(3, 3).unwrap();
    // One way round only, so that no mirror keeps it.
    let one_way: [&[u8]; 2] = [&[1, 2, 3], &[3, 3, 3]];
    for game in [
        unusual(gap, 3, &[&[1, 1, 1], &[2, 2, 2], &[3, 3, 3]], Play::Normal),
        unusual(bent, 2, &[&[1, 1, 1], &[2, 2, 2]], Play::Normal),
        unusual(square.clone(), 1, &[&[1, 1, 1]], Play::Misere),
        unusual(square, 3, &one_way, Play::Normal),
    ] {
        check_game(&game, Metric::Value, &[1, 2, 3]);
    }
}

#[test]
fn ranks_share_the_work_evenly_and_bytes_are_foreseen() {
    let game = board("classic-4x4");
    for ranks in [2, 3, 4] {
        let found = shared(&game, Metric::Value, ranks);
        let all = found[0].stream_bytes;
        let most = found.iter().map(|found| found.work.stream_bytes).max();
        let share = most.unwrap() as f64 * ranks as f64 / all as f64;
        assert!(share < 1.05, "{share} on {ranks}");
        let park = Park {
            ranks,
            threads: 1,
            memory: u64::MAX,
            disk: None,
            network: f64::INFINITY,
            delay: 0.0,
        };
        let forecast = Forecast::new(&game, Metric::Value, Kernel::best(), &park).unwrap();
        let near =
            |found: u64, foreseen: u128| (0.9..=1.1).contains(&(foreseen as f64 / found as f64));
        let sent: u64 = found.iter().map(|found| found.work.sent_bytes).sum();
        assert!(
            near(sent, forecast.sent_bytes),
            "{sent}, {}",
            forecast.sent_bytes
        );
        let streams = forecast.waves.iter().map(|wave| wave.stream_bytes).sum();
        assert!(near(all, streams), "{all}, {streams}");
        let held = found
            .iter()
            .map(|found| u128::from(found.work.held_bytes))
            .max();
        assert!(held.unwrap() <= forecast.memory_bytes);
    }
}

#[test]
fn a_raise_leads_a_step_on_whatever_the_family() {
    for name in ["classic-4x5", "classic-5x5", "classic-3x7", "classic-1x12"] {
        let game = board(name);
        let plan = PackedPlan::unweighed(&game, Metric::Value, Kernel::best()).unwrap();
        for ranks in [1, 2, 3, 5, 16, 64] {
            let shards = Shards::new(&plan.layout, ranks);
            let mut code = 0x1234_5678_9abc_def0_u64;
            for _ in 0..100 {
                code = code.wrapping_mul(0xd129_0d3d_2d2b_c9a5).wrapping_add(99);
                for digit in 0..plan.layout.far.len() {
                    let lower = code & !(3 << (2 * digit));
                    let raised = lower + (1 << (2 * digit));
                    let expected = (shards.owner(lower) + shards.step(digit)) % ranks;
                    assert_eq!(shards.owner(raised), expected);
                }
            }
        }
    }
}

fn check_table(game: &BoardGame, ranks: &[usize]) {
    let (expected, summary) = (table_alone(game), alone(game, Metric::Value));
    for ranks in ranks {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("of").join("value.gwt");
        let work = |exchange: &dyn Exchange| {
            let task = ShardedTask {
                // The others cannot reach it.
                table: Some(match exchange.rank() {
                    0 => path.clone(),
                    _ => PathBuf::from("/proc/nowhere"),
                }),
                ..ShardedTask::new(game, Metric::Value)
            };
            task.plan(exchange)?.run(exchange, &Silent)
        };
        let found = on_threads(*ranks, work).unwrap();
        assert!(found.iter().all(|found| found.summary == summary));
        let report = found[0].table.as_ref().unwrap();
        assert_eq!(report.bytes, expected.len() as u64);
        assert!(found[1..].iter().all(|found| found.table.is_none()));
        let same = std::fs::read(&path).unwrap() == expected;
        assert!(same, "{game:?} on {ranks}");
    }
}

#[test]
fn tables_are_those_of_one_machine() {
    check_table(&board("classic-3x3"), &[1, 2, 3, 4, 7]);
    check_table(&board("classic-3x4"), &[2, 3]);
    check_table(&board("classic-3x3:play=misere"), &[2]);
    check_table(&board("signal-1x10"), &[3]);
    let square = Shape::rectangle(3, 3).unwrap();
    let one_way: [&[u8]; 2] = [&[1, 2, 3], &[3, 3, 3]];
    check_table(&unusual(square, 3, &one_way, Play::Normal), &[2, 4]);
}

#[cfg(feature = "slow-tests")]
#[test]
fn tables_of_large_boards_are_those_of_one_machine() {
    for name in ["classic-3x5", "classic-4x4", "signal-4x5", "classic-4x5"] {
        check_table(&board(name), &[1, 2, 3, 4, 7]);
    }
}

fn keeping(
    game: &BoardGame,
    metric: Metric,
    ranks: usize,
    folder: &Path,
    progress: &(dyn Progress + Sync),
) -> Result<Vec<ShardedResult>, SolveError> {
    on_threads(ranks, |exchange| {
        let task = ShardedTask {
            scratch: Some(folder.join("waves")),
            table: (metric == Metric::Value).then(|| folder.join("value.gwt")),
            every: Duration::ZERO,
            ..ShardedTask::new(game, metric)
        };
        task.plan(exchange)?.run(exchange, progress)
    })
}

#[test]
fn ranks_that_do_not_share_the_scratch_folder_are_refused_at_the_start() {
    let game = board("classic-3x3");
    let folder = tempfile::tempdir().unwrap();
    for other in ["waves", "own/waves"] {
        let found = on_threads(2, |exchange| {
            let place = if exchange.rank() == 0 { "waves" } else { other };
            let task = ShardedTask {
                scratch: Some(folder.path().join(place)),
                ..ShardedTask::new(&game, Metric::Value)
            };
            task.plan(exchange)?.run(exchange, &Silent)
        });
        match found {
            Ok(_) => assert_eq!(other, "waves"),
            Err(SolveError::Rank { rank, problem }) => {
                assert_eq!((other, rank), ("own/waves", 1), "{problem}");
                assert!(problem.contains("share"), "{problem}");
            }
            Err(error) => panic!("{error}"),
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}

fn part(folder: &Path) -> PathBuf {
    let mut parts: Vec<PathBuf> = std::fs::read_dir(folder.join("waves"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.file_name()
                .unwrap()
                .to_string_lossy()
                .starts_with("wave")
        })
        .collect();
    parts.sort();
    parts.swap_remove(1)
}

#[test]
fn any_number_of_ranks_goes_on_from_the_last_complete_wave() {
    let game = board("classic-3x4");
    for metric in [Metric::Value, Metric::Distance] {
        let expected = alone(&game, metric);
        for (before, after) in [(3, 3), (2, 3), (4, 2), (1, 4)] {
            let folder = tempfile::tempdir().unwrap();
            let stopping = StopCounter::until(300_000);
            let stopped = keeping(&game, metric, before, folder.path(), &stopping);
            assert!(
                matches!(
                    stopped,
                    Err(SolveError::Paused { .. } | SolveError::Interrupted)
                ),
                "{stopped:?}"
            );
            assert!(folder.path().join("waves").join("state").exists());
            let counting = StopCounter::all();
            let found = keeping(&game, metric, after, folder.path(), &counting).unwrap();
            for found in found {
                assert_eq!(found.summary, expected, "{metric} from {before} to {after}");
            }
            assert!(counting.done() < 1_427_718, "not from the beginning");
            assert!(!folder.path().join("waves").exists());
            if metric == Metric::Value {
                let table = std::fs::read(folder.path().join("value.gwt")).unwrap();
                assert!(table == table_alone(&game), "from {before} to {after}");
            }
        }
    }
}

#[test]
fn a_damaged_or_missing_part_is_named() {
    let game = board("classic-3x4");
    let folder = tempfile::tempdir().unwrap();
    let stopping = StopCounter::until(300_000);
    keeping(&game, Metric::Value, 3, folder.path(), &stopping).unwrap_err();
    let part = part(folder.path());
    let name = part.file_name().unwrap().to_string_lossy().into_owned();
    let mut bytes = std::fs::read(&part).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    std::fs::write(&part, &bytes).unwrap();
    let told = keeping(&game, Metric::Value, 3, folder.path(), &Silent).unwrap_err();
    assert!(told.to_string().contains(&name), "{told}");
    std::fs::remove_file(&part).unwrap();
    let told = keeping(&game, Metric::Value, 2, folder.path(), &Silent).unwrap_err();
    assert!(told.to_string().contains(&name), "{told}");
    let told = keeping(&game, Metric::Distance, 2, folder.path(), &Silent).unwrap_err();
    assert!(told.to_string().contains("of other rules"), "{told}");
}

#[test]
fn no_number_of_a_state_is_taken_that_the_board_cannot_have() {
    let game = board("classic-3x4");
    let stopped = tempfile::tempdir().unwrap();
    let stopping = StopCounter::until(300_000);
    keeping(&game, Metric::Distance, 3, stopped.path(), &stopping).unwrap_err();
    let changed = |change: &dyn Fn(&str) -> Option<String>| {
        let folder = tempfile::tempdir().unwrap();
        let waves = folder.path().join("waves");
        copied(&stopped.path().join("waves"), &waves);
        (forge_state(&waves, change), folder)
    };
    let resumed = |folder: &Path, ranks| keeping(&game, Metric::Distance, ranks, folder, &Silent);
    let same = |line: &str| Some(line.to_string());
    let (other, folder) = changed(&same);
    assert!(!other && resumed(folder.path(), 3).is_ok());
    let refused = |change: &dyn Fn(&str) -> Option<String>, what: &str| {
        let (true, folder) = changed(change) else {
            return;
        };
        for ranks in [3, 2] {
            let told = resumed(folder.path(), ranks).unwrap_err().to_string();
            assert!(told.contains("waves"), "{what}: {told}");
        }
    };
    // Every list of parts, whole and in part.
    for kept in 0..3_usize {
        let left = std::cell::Cell::new(kept);
        let change = |line: &str| {
            if !line.starts_with("part ") {
                return same(line);
            }
            let stays = left.get() > 0;
            left.set(left.get().saturating_sub(1));
            stays.then(|| line.to_string())
        };
        refused(&change, "parts");
    }
    // Every number of the first and the last wave, and of what was found.
    for name in ["waves", "found", "counts", "longest"] {
        for from_end in [false, true] {
            for place in 0..5 {
                for value in ["18446744073709551615", "9223372036854775808"] {
                    let change = |line: &str| {
                        let Some(numbers) = line.strip_prefix(&format!("{name} ")) else {
                            return same(line);
                        };
                        let mut numbers: Vec<&str> = numbers.split(' ').collect();
                        let place = if from_end {
                            numbers.len().wrapping_sub(1 + place)
                        } else {
                            place
                        };
                        if let Some(number) = numbers.get_mut(place) {
                            *number = value;
                        }
                        Some(format!("{name} {}", numbers.join(" ")))
                    };
                    refused(&change, name);
                }
            }
        }
    }
}

#[test]
fn a_rank_that_fails_ends_all_of_them() {
    let failing = |exchange: &dyn Exchange| -> Result<(), SolveError> {
        if exchange.rank() == 1 {
            return Err(SolveError::Interrupted);
        }
        exchange.sum(&mut [1])?;
        Ok(())
    };
    let told = on_threads(3, failing).unwrap_err();
    assert!(matches!(told, SolveError::Interrupted), "{told}");
    let panics = std::panic::catch_unwind(|| {
        let panicking = |exchange: &dyn Exchange| -> Result<(), SolveError> {
            assert!(exchange.rank() != 1, "on purpose");
            exchange.swap(&[], &mut [(1, &mut [0])])?;
            Ok(())
        };
        on_threads(3, panicking)
    });
    assert!(panics.is_err());
}

#[test]
fn ranks_that_differ_are_refused_with_the_rank_named() {
    let (game, other) = (board("classic-3x4"), board("signal-3x4"));
    let told = on_threads(3, |exchange| {
        let game = if exchange.rank() == 2 { &other } else { &game };
        let _ = ShardedTask::new(game, Metric::Value).plan(exchange)?;
        Ok(())
    });
    let told = told.unwrap_err().to_string();
    assert!(told.contains("rank 2 was given other rules"), "{told}");
    let told = on_threads(2, |exchange| {
        let task = ShardedTask {
            memory: if exchange.rank() == 1 {
                1 << 20
            } else {
                1 << 40
            },
            ..ShardedTask::new(&game, Metric::Value)
        };
        let _ = task.plan(exchange)?;
        Ok(())
    });
    let told = told.unwrap_err().to_string();
    assert!(told.contains("rank 1 may use 1.0 MiB"), "{told}");
}

#[test]
fn simulated_ranks_find_the_same_and_wait_for_slow_links_and_ranks() {
    let game = board("classic-3x4");
    let expected = alone(&game, Metric::Value);
    let simulated = |network: f64, speeds: &[f64]| {
        let simulation = RankSimulation {
            delay: 1e-6,
            network,
            speeds: speeds.to_vec(),
        };
        let work = |exchange: &dyn Exchange| {
            let task = ShardedTask::new(&game, Metric::Value);
            task.plan(exchange)?.run(exchange, &Silent)
        };
        let found = on_simulated(3, &simulation, work).unwrap();
        assert!(found.iter().all(|found| found.summary == expected));
        let most = found.iter().map(|found| found.seconds);
        (most.fold(0.0, f64::max), found[0].ranks[0].sent_bytes)
    };
    let (quick, sent) = simulated(1e12, &[]);
    // The link alone takes so long.
    let (slow, _) = simulated(1e6, &[]);
    assert!(slow > sent as f64 * 8.0 / 1e6, "{slow}");
    let (unequal, _) = simulated(1e12, &[1.0, 1.0, 0.01]);
    assert!(unequal > 3.0 * quick, "{unequal}, {quick}");
}
