//! Waves on disk are those in memory, whatever happens between.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use greenwave_game::{BoardGame, Dense, Metric};
use greenwave_values::{Progress, Silent, Unit};

use crate::checkpoint::EVERY;
use crate::packed::families::{FAMILY_BYTES, Families, TASK, Weight};
use crate::packed::grain::Grain;
use crate::packed::plan::{PackedPlan, SweepLimits};
use crate::packed::scratch;
use crate::packed::solve::{PackedSolution, SweepFiles, solve};
use crate::packed::tables::Tables;
use crate::packed::tests::board;
use crate::sweep::Kernel;
use crate::{ScratchUse, SolveError};
use greenwave_testkit::{StopCounter, forge_state};

fn plan(game: &BoardGame, cache: Option<u64>) -> PackedPlan<'_> {
    plan_of(game, Metric::Value, cache)
}

fn plan_of(game: &BoardGame, metric: Metric, cache: Option<u64>) -> PackedPlan<'_> {
    // Enough of each board: to find them takes longer than the sweep where they are millions.
    let all = game.indexable() as u64;
    let step = (all >> 16 | 1).max(1009);
    PackedPlan {
        grain: Grain::of(metric).last().copied().unwrap(),
        cache,
        watched: (0..all).step_by(step as usize).collect(),
        ..PackedPlan::unweighed(game, metric, Kernel::best()).unwrap()
    }
}

fn on_disk<'a>(path: &'a Path) -> SweepFiles<'a> {
    SweepFiles {
        scratch: Some(path),
        ..SweepFiles::default()
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
    keep: SweepFiles<'_>,
    first: u64,
) -> (PackedSolution, usize) {
    piecemeal_by(first, |progress| solve(plan, keep, progress))
}

// The same with any work.
pub(in crate::packed) fn piecemeal_by<T>(
    first: u64,
    work: impl Fn(&StopCounter) -> Result<T, SolveError>,
) -> (T, usize) {
    let (mut most, mut times) = (first, 0);
    loop {
        match work(&StopCounter::until(most)) {
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
        let expected = solve(&plan(None), SweepFiles::default(), &Silent).unwrap();
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

// Waves of some hundred families in as many pieces as may be.
fn in_small_pieces(game: &BoardGame, metric: Metric) -> PackedPlan<'_> {
    PackedPlan {
        task: 1,
        piece: 1,
        ..plan_of(game, metric, Some(0))
    }
}

pub(in crate::packed) fn copied(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for name in files(from) {
        // A file just renamed or removed is there under its new name, or as if never.
        let _ = fs::copy(from.join(&name), to.join(&name));
    }
}

// Copies a folder in each kind of moment: what a kill at that moment would leave there.
struct Killed<'f> {
    folder: &'f Path,
    copies: &'f Path,
    made: Mutex<[Vec<String>; 4]>,
}

// Copies of each kind of moment.
const COPIES: usize = 3;

impl Killed<'_> {
    // Kills while the first piece of a wave is settled, and later; each while it is written, and before.
    fn kind(state: &str, names: &[String]) -> usize {
        let begun = state.lines().any(|line| line.starts_with("begun "));
        let listed = |name: &String| name == "state" || state.contains(&format!(" {name} "));
        2 * usize::from(begun) + usize::from(!names.iter().all(listed))
    }
}

impl Progress for Killed<'_> {
    fn begin(&self, _: &str, _: u64, _: Unit) {}

    fn advance(&self, _: u64) {
        let Ok(state) = fs::read_to_string(self.folder.join("state")) else {
            return;
        };
        let kind = Self::kind(&state, &files(self.folder));
        let made = &mut self.made.lock().unwrap()[kind];
        if made.len() < COPIES && !made.contains(&state) {
            copied(
                self.folder,
                &self.copies.join(format!("{kind}-{}", made.len())),
            );
            made.push(state);
        }
    }
}

#[test]
fn a_sweep_that_is_killed_resumes_from_its_last_piece() {
    let folder = tempfile::tempdir().unwrap();
    let (path, copies) = (
        folder.path().join("value.waves"),
        folder.path().join("copies"),
    );
    for (name, metric) in [
        ("signal-3x5", Metric::Value),
        ("classic-3x4", Metric::Distance),
    ] {
        let game = board(name);
        let expected = solve(
            &plan_of(&game, metric, None),
            SweepFiles::default(),
            &Silent,
        )
        .unwrap();
        let killed = Killed {
            folder: &path,
            copies: &copies,
            made: Mutex::default(),
        };
        let plan = in_small_pieces(&game, metric);
        // One thread: nothing is renamed while it copies, but for what the writer does.
        let alone = rayon::ThreadPoolBuilder::new()
            .num_threads(1)
            .build()
            .unwrap();
        let found = alone
            .install(|| solve(&plan, on_disk(&path), &killed))
            .unwrap();
        assert_eq!(found, expected, "{name}");
        let made = killed.made.into_inner().unwrap().map(|states| states.len());
        assert!(made[1] > 0 && made[3] == COPIES, "{name}: {made:?}");
        for copy in files_and_folders(&copies) {
            let copy = copies.join(copy);
            let counting = StopCounter::all();
            let found = solve(&plan, on_disk(&copy), &counting).unwrap();
            assert_eq!(found, expected, "{name} from {}", copy.display());
            // The next run does not settle again the parts that the state names.
            assert_eq!(
                u128::from(counting.done()),
                plan.counted().unwrap().undecided
            );
        }
        fs::remove_dir_all(&copies).unwrap();
    }
}

fn files_and_folders(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect()
}

// Measures the files of a folder at every sixteenth call.
struct Measuring<'f> {
    folder: &'f Path,
    calls: AtomicU64,
    most: AtomicU64,
}

impl Progress for Measuring<'_> {
    fn begin(&self, _: &str, _: u64, _: Unit) {}

    fn advance(&self, _: u64) {
        if !self
            .calls
            .fetch_add(1, Ordering::Relaxed)
            .is_multiple_of(16)
        {
            return;
        }
        let entries = fs::read_dir(self.folder).into_iter().flatten().flatten();
        let parts =
            entries.filter(|entry| !entry.file_name().to_string_lossy().starts_with("state"));
        let bytes = parts.map(|entry| entry.metadata().map_or(0, |found| found.len()));
        self.most.fetch_max(bytes.sum(), Ordering::Relaxed);
    }
}

#[test]
fn a_wave_on_disk_gives_way_to_the_next_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("value.waves");
    let game = board("signal-3x6");
    let plan = plan(&game, Some(0));
    assert_eq!(plan.layout.fold(), 1);
    let tables = Tables::<1>::new(&plan.patterns, plan.layout.clone(), plan.grain);
    let families = Families::new(&tables, plan.loops);
    let waves = (0..=families.most()).map(|sum| families.weights(sum, 1).unwrap());
    let bytes = |wave: Vec<Weight>| {
        let all = Weight::sum(&wave);
        all.bytes(plan.grain) + FAMILY_BYTES * all.families
    };
    let waves: Vec<u64> = waves.map(bytes).collect();
    let two = waves.windows(2).map(|two| two[0] + two[1]).max().unwrap();
    let piece = two / 64;
    let working = scratch::WaveOutline {
        tables: &tables,
        families: &families,
        grain: plan.grain,
        peak: 0,
        parts: 1,
        sampled: false,
        piece,
    };
    // Tasks of one family, since the board is small.
    let task = 1;
    let (mut above, mut foreseen) = (Vec::new(), 0);
    for sum in (0..=families.most()).rev() {
        let here = families.bins(sum, scratch::lowest_naming(&plan.layout), 1);
        let here = here.unwrap();
        foreseen = foreseen.max(working.on_disk(&here, &above, task, piece));
        above = here;
    }
    let plan = PackedPlan {
        task,
        piece,
        ..plan.clone()
    };
    let measuring = Measuring {
        folder: &path,
        calls: AtomicU64::new(0),
        most: AtomicU64::new(0),
    };
    let found = solve(&plan, on_disk(&path), &measuring).unwrap();
    let expected = solve(&self::plan(&game, None), SweepFiles::default(), &Silent).unwrap();
    assert_eq!(found, expected);
    let most = measuring.most.into_inner();
    assert!(most <= foreseen, "{most} bytes, foreseen {foreseen}");
    assert!(
        most * 10 > foreseen * 7,
        "{most} bytes, foreseen {foreseen}"
    );
    assert!(foreseen * 4 < two * 3, "{foreseen} of {two} bytes");
}

#[test]
fn forged_pieces_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("value.waves");
    let game = board("signal-3x5");
    let plan = in_small_pieces(&game, Metric::Value);
    // Until a checkpoint is between two pieces, some of each wave.
    let mut enough = 100_000;
    let (above, here) = loop {
        let ended = solve(&plan, on_disk(&path), &StopCounter::until(enough));
        assert!(matches!(ended, Err(SolveError::Paused { .. })), "{ended:?}");
        let state = fs::read_to_string(path.join("state")).unwrap();
        let lists = files(&path)
            .into_iter()
            .filter(|name| name.starts_with("bins-"));
        let sums: BTreeSet<String> = lists.map(|name| name[5..8].to_string()).collect();
        let sums: Vec<String> = sums.into_iter().collect();
        if let [here, above] = &sums[..]
            && state.contains("\nbegun ")
            && state.matches(&format!("bins-{here}-")).count() > 1
            && state.matches(&format!("bins-{above}-")).count() > 2
        {
            break (above.clone(), here.clone());
        }
        enough += 10_000;
    };
    let whole = folder.path().join("whole");
    copied(&path, &whole);
    let names = files(&path);
    let last = |sum: &str| {
        let prefix = format!("bins-{sum}-");
        let last = names.iter().rfind(|name| name.starts_with(&prefix));
        last.unwrap()[5..].to_string()
    };
    let without = |piece: String| {
        move |line: &str| (!line.contains(&format!("-{piece} "))).then(|| line.to_string())
    };
    let begun = |change: fn(&mut Vec<u64>)| {
        move |line: &str| {
            let Some(numbers) = line.strip_prefix("begun ") else {
                return Some(line.to_string());
            };
            let mut numbers: Vec<u64> = numbers.split(' ').map(|n| n.parse().unwrap()).collect();
            change(&mut numbers);
            let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
            Some(format!("begun {}", numbers.join(" ")))
        }
    };
    let refused = |change: &dyn Fn(&str) -> Option<String>, says: &str| {
        fs::remove_dir_all(&path).unwrap();
        copied(&whole, &path);
        forge_state(&path, change);
        let error = solve(&plan, on_disk(&path), &Silent)
            .unwrap_err()
            .to_string();
        assert!(error.contains(says), "{error}");
    };
    let other = "other families than the board";
    refused(&without(last(&above)), other);
    refused(&without(last(&here)), other);
    refused(&without(format!("{here}-0000")), other);
    refused(&begun(|numbers| numbers[1] += 1), other);
    refused(&begun(|numbers| numbers[2] -= 1), other);
    refused(&begun(|numbers| numbers[0] += 1), "does not have");
    refused(
        &begun(|numbers| numbers[4] = numbers[3] + 1),
        "does not have",
    );
    refused(
        &begun(|numbers| numbers.truncate(3)),
        "which pieces of a wave",
    );
    refused(
        &|line| (!line.starts_with("begun ")).then(|| line.to_string()),
        other,
    );
    // Untouched it is resumed.
    fs::remove_dir_all(&path).unwrap();
    copied(&whole, &path);
    let found = solve(&plan, on_disk(&path), &Silent).unwrap();
    let expected = solve(
        &plan_of(&game, Metric::Value, None),
        SweepFiles::default(),
        &Silent,
    );
    assert_eq!(found, expected.unwrap());
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
            SweepFiles {
                checkpoint: Some(&path),
                every: EVERY,
                ..SweepFiles::default()
            },
        ),
    ] {
        let plan = plan(&game, cache);
        solve(&plan, keep, &StopCounter::until(700_000)).unwrap_err();
        let counting = StopCounter::all();
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
        let expected = solve(&plan(None), SweepFiles::default(), &Silent).unwrap();
        let path = folder.path().join("metric.waves");
        for plan in [plan(Some(0)), in_small_pieces(&game, metric)] {
            let (found, times) = piecemeal(&plan, on_disk(&path), 100_000);
            assert!(times > 1);
            assert_eq!(found, expected);
        }
        for every in [Duration::ZERO, EVERY] {
            let keep = SweepFiles {
                checkpoint: Some(&path),
                every,
                ..SweepFiles::default()
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
        let impatient = StopCounter::until(900_000);
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
        SweepFiles {
            checkpoint: Some(&path),
            ..SweepFiles::default()
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
    let limits = |memory| SweepLimits {
        scratch: true,
        ..SweepLimits::of(memory)
    };
    let planned = |memory: u64| unweighed.clone().weighed(limits(memory)).unwrap();
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
        let limits = SweepLimits {
            scratch,
            ..SweepLimits::of(memory)
        };
        PackedPlan::new(&game, Metric::Nimber, Kernel::best(), limits).unwrap()
    };
    let (scratch, roomy) = (planned(1 << 20, true), planned(1 << 30, false));
    assert_eq!(scratch.cache, None);
    assert_eq!(
        (scratch.memory, scratch.scratch),
        (roomy.memory, ScratchUse::None)
    );
}
