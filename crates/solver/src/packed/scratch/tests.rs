//! Waves on disk are those in memory, whatever happens between.

use std::fs;
use std::path::Path;
use std::time::Duration;

use greenwave_game::{BoardGame, Dense, Metric};
use greenwave_values::Silent;

use crate::checkpoint::EVERY;
use crate::listeners::Counting;
use crate::packed::kernel::Grain;
use crate::packed::plan::PackedPlan;
use crate::packed::solve::{Keep, Solution, solve};
use crate::packed::tests::board;
use crate::packed::waves::TASK;
use crate::sweep::Kernel;
use crate::{ScratchUse, SolveError};

fn plan(game: &BoardGame, cache: Option<u64>) -> PackedPlan<'_> {
    plan_of(game, Metric::Value, cache)
}

fn plan_of(game: &BoardGame, metric: Metric, cache: Option<u64>) -> PackedPlan<'_> {
    PackedPlan {
        grain: Grain::of(metric).last().copied().unwrap(),
        cache,
        watched: (0..game.indexable() as u64).step_by(1009).collect(),
        ..PackedPlan::unweighed(game, metric, Kernel::best()).unwrap()
    }
}

fn on_disk<'a>(path: &'a Path) -> Keep<'a> {
    Keep {
        scratch: Some(path),
        ..Keep::default()
    }
}

pub(in crate::packed) fn files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

// Interrupts a solve until it is done, a little later each time.
pub(in crate::packed) fn piecemeal(
    plan: &PackedPlan<'_>,
    keep: Keep<'_>,
    first: u64,
) -> (Solution, usize) {
    piecemeal_by(first, |progress| solve(plan, keep, progress))
}

// The same with any work.
pub(in crate::packed) fn piecemeal_by<T>(
    first: u64,
    work: impl Fn(&Counting) -> Result<T, SolveError>,
) -> (T, usize) {
    let (mut most, mut times) = (first, 0);
    loop {
        match work(&Counting::until(most)) {
            Ok(done) => return (done, times),
            Err(SolveError::Paused { .. } | SolveError::Interrupted) => times += 1,
            Err(error) => panic!("{error}"),
        }
        most += first;
    }
}

#[test]
fn waves_on_disk_and_in_memory_are_the_same() {
    let folder = tempfile::tempdir().unwrap();
    for (name, metric) in [
        ("classic-3x3", Metric::Value),
        ("classic-3x3", Metric::Distance),
        ("classic-1x9", Metric::Value),
        ("signal-3x4", Metric::Value),
        ("signal-3x4", Metric::Distance),
        ("classic-3x4", Metric::Value),
    ] {
        let game = board(name);
        let plan = |cache| plan_of(&game, metric, cache);
        let expected = solve(&plan(None), Keep::default(), &Silent).unwrap();
        for (cache, task) in [(0, TASK), (0, 16), (1 << 12, 32), (1 << 30, TASK)] {
            let path = folder.path().join(format!("{name}/{metric}.waves"));
            let plan = PackedPlan {
                task,
                ..plan(Some(cache))
            };
            let found = solve(&plan, on_disk(&path), &Silent).unwrap();
            assert_eq!(found, expected, "{name} {metric} with a cache of {cache}");
            assert!(!path.exists());
        }
    }
}

#[test]
fn what_a_checkpoint_holds_counts_as_done() {
    let folder = tempfile::tempdir().unwrap();
    let game = board("classic-3x4");
    let path = folder.path().join("value.waves");
    for (cache, keep) in [
        (Some(0), on_disk(&path)),
        (
            None,
            Keep {
                checkpoint: Some(&path),
                every: EVERY,
                ..Keep::default()
            },
        ),
    ] {
        let plan = plan(&game, cache);
        solve(&plan, keep, &Counting::until(700_000)).unwrap_err();
        let counting = Counting::all();
        solve(&plan, keep, &counting).unwrap();
        let counted = u128::from(counting.done());
        assert_eq!(counted, plan.counted().unwrap().undecided);
    }
}

#[test]
fn an_interrupted_sweep_goes_on_from_its_last_wave() {
    let folder = tempfile::tempdir().unwrap();
    let game = board("classic-3x4");
    for metric in [Metric::Value, Metric::Distance] {
        let plan = |cache| plan_of(&game, metric, cache);
        let expected = solve(&plan(None), Keep::default(), &Silent).unwrap();
        let path = folder.path().join("metric.waves");
        let (found, times) = piecemeal(&plan(Some(0)), on_disk(&path), 100_000);
        assert!(times > 1);
        assert_eq!(found, expected);
        for every in [Duration::ZERO, EVERY] {
            let keep = Keep {
                checkpoint: Some(&path),
                every,
                ..Keep::default()
            };
            let (found, times) = piecemeal(&plan(None), keep, 100_000);
            assert!(times > 1);
            assert_eq!(found, expected);
        }
        assert_eq!(files(folder.path()), Vec::<String>::new());
    }
}

#[test]
fn what_a_scratch_folder_should_not_hold_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("value.waves");
    let game = board("classic-3x4");
    let paused = || {
        let impatient = Counting::until(900_000);
        let ended = solve(&plan(&game, Some(0)), on_disk(&path), &impatient);
        assert!(matches!(ended, Err(SolveError::Paused { .. })), "{ended:?}");
    };
    let refused = |game: &BoardGame| {
        let error = solve(&plan(game, Some(0)), on_disk(&path), &Silent).unwrap_err();
        error.to_string()
    };
    paused();
    let signal = board("signal-3x4");
    assert!(refused(&signal).contains("is of other rules"));
    // Which wave was the last depends on how threads met.
    let parts = || {
        let names = files(&path);
        let [list, wave] = [0, 2].map(|number| names[number].clone());
        assert!(
            list.starts_with("bins-") && wave.starts_with("wave-"),
            "{names:?}"
        );
        (list, wave)
    };
    let wave = &parts().1;
    let mut bytes = fs::read(path.join(wave)).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(path.join(wave), &bytes).unwrap();
    let said = refused(&game);
    assert!(said.contains(wave) && said.contains("delete it"), "{said}");
    bytes.pop();
    fs::write(path.join(wave), &bytes).unwrap();
    assert!(refused(&game).contains("bytes, expected"));
    fs::remove_file(path.join(wave)).unwrap();
    assert!(refused(&game).contains("is not there"));
    fs::remove_dir_all(&path).unwrap();
    paused();
    let list = &parts().0;
    let mut bytes = fs::read(path.join(list)).unwrap();
    bytes[8] ^= 1;
    fs::write(path.join(list), &bytes).unwrap();
    let said = refused(&game);
    assert!(said.contains(list), "{said}");
    fs::remove_dir_all(&path).unwrap();
    fs::write(&path, "no folder").unwrap();
    assert!(refused(&game).contains("is no folder"));
    let inside = path.join("value.waves");
    let error = solve(&plan(&game, Some(0)), on_disk(&inside), &Silent).unwrap_err();
    assert!(error.to_string().contains("--scratch"), "{error}");
}

#[test]
fn two_sweeps_do_not_share_their_waves() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("value.waves");
    let game = board("classic-3x3");
    let _first = crate::checkpoint::Checkpoint::open(
        &path,
        crate::packed::state::owner(&plan(&game, Some(0))),
        true,
        EVERY,
    )
    .unwrap();
    for keep in [
        on_disk(&path),
        Keep {
            checkpoint: Some(&path),
            ..Keep::default()
        },
    ] {
        let cache = keep.scratch.map(|_| 0);
        let error = solve(&plan(&game, cache), keep, &Silent).unwrap_err();
        assert!(matches!(error, SolveError::Table(_)), "{error}");
    }
}

#[test]
fn little_memory_makes_small_tasks() {
    let game = board("classic-3x6");
    let unweighed = PackedPlan::unweighed(&game, Metric::Nimber, Kernel::best()).unwrap();
    let planned = |memory: u64| unweighed.clone().weighed(memory, true, false).unwrap();
    let least = planned(1 << 20);
    assert!(least.cache == Some(0) && least.task < TASK);
    // The memory that a plan names is enough, and no more than the limit is taken.
    let mut tasks = Vec::new();
    for memory in [least.memory as u64, least.memory as u64 * 7 / 4] {
        let plan = planned(memory);
        assert!(plan.memory <= memory.into(), "{} of {memory}", plan.memory);
        assert!(plan.cache.is_some());
        tasks.push(plan.task);
    }
    assert!(tasks[0] == least.task && tasks[0] < tasks[1], "{tasks:?}");
}

#[test]
fn waves_stay_in_memory_where_the_disk_would_not_help() {
    let game = board("classic-3x5");
    let planned = |memory, scratch| {
        PackedPlan::new(
            &game,
            Metric::Nimber,
            Kernel::best(),
            memory,
            scratch,
            false,
        )
        .unwrap()
    };
    let (scratch, roomy) = (planned(1 << 20, true), planned(1 << 30, false));
    assert_eq!(scratch.cache, None);
    assert_eq!(
        (scratch.memory, scratch.scratch),
        (roomy.memory, ScratchUse::None)
    );
}
