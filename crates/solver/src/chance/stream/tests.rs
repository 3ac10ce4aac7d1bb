//! Sweeps that are stopped, meddled with and taken up again.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use greenwave_game::{BoardGame, Variant};

use super::*;
use greenwave_testkit::Stops;
use greenwave_values::Silent;

fn bag(name: &str) -> BagGame<BoardGame> {
    let Variant::Bag(game) = Variant::parse(name).unwrap() else {
        unreachable!()
    };
    game
}

fn run(
    game: &BagGame<BoardGame>,
    wanted: &Product,
    folder: &Path,
    stops: Option<u32>,
) -> Result<TaskResult, SolveError> {
    let stops = stops.map(|after| Stops::after(after.into()));
    let progress: &dyn Progress = match &stops {
        Some(stops) => stops,
        None => &Silent,
    };
    stream(game, wanted, Some(folder), Duration::ZERO, progress)
}

// A folder of its own for each test, empty at first.
fn fresh(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("greenwave-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

#[test]
fn a_sweep_that_is_stopped_again_and_again_ends_the_same() {
    for name in ["bag-classic-2x3", "bag-points-1x4:choice=3,return=after"] {
        let game = bag(name);
        let folder = fresh("stopped");
        let (table, checkpoint) = (folder.join("odds.gwt"), folder.join("odds.checkpoint"));
        let tabled = Product::Table(table.clone());
        let straight = run(&game, &tabled, &checkpoint, None).unwrap();
        let bytes = std::fs::read(&table).unwrap();
        std::fs::remove_file(&table).unwrap();
        for wanted in [&tabled, &Product::Counts] {
            let mut stopped: u32 = 0;
            let done = loop {
                match run(&game, wanted, &checkpoint, Some(3 + 4 * stopped)) {
                    Ok(done) => break done,
                    Err(SolveError::Paused { file }) => assert_eq!(file, checkpoint),
                    Err(other) => panic!("{name}: {other}"),
                }
                stopped += 1;
            };
            assert!(stopped > 1, "{name}: {stopped}");
            assert_eq!(done.summary, straight.summary, "{name}");
            assert!(!checkpoint.exists());
        }
        assert_eq!(std::fs::read(&table).unwrap(), bytes, "{name}");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}

/// Removes a folder when this many levels are done, and remembers what it is warned of.
struct Meddler<'a> {
    removes: Option<&'a Path>,
    left: AtomicU32,
    warnings: Mutex<Vec<String>>,
    // What must not be there when a warning comes.
    half_written: &'a Path,
}

impl Progress for Meddler<'_> {
    fn begin(&self, _: &str, _: u64, _: Unit) {}

    fn advance(&self, _: u64) {
        if let Some(folder) = self.removes
            && self.left.fetch_sub(1, Ordering::Relaxed) == 1
        {
            std::fs::remove_dir_all(folder).unwrap();
        }
    }

    fn warn(&self, warning: &str) {
        for entry in std::fs::read_dir(self.half_written).into_iter().flatten() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            assert!(!name.starts_with("entries"), "{name}");
        }
        self.warnings.lock().unwrap().push(warning.into());
    }
}

#[test]
fn a_sweep_goes_on_without_the_checkpoints_that_cannot_be_written() {
    let game = bag("bag-classic-2x3");
    let folder = fresh("unwritten");
    let (table, checkpoint) = (folder.join("odds.gwt"), folder.join("odds.checkpoint"));
    let tabled = Product::Table(table.clone());
    let straight = run(&game, &tabled, &checkpoint, None).unwrap();
    let solve = |wanted, removes| {
        let meddler = Meddler {
            removes,
            left: AtomicU32::new(4),
            warnings: Mutex::default(),
            half_written: &checkpoint,
        };
        let done = stream(&game, wanted, Some(&checkpoint), Duration::ZERO, &meddler);
        (done, meddler.warnings.into_inner().unwrap())
    };
    for wanted in [&Product::Counts, &tabled] {
        // A folder stands where the state is to be written.
        std::fs::create_dir_all(checkpoint.join("state.new")).unwrap();
        let (done, warnings) = solve(wanted, None);
        assert_eq!(done.unwrap().summary, straight.summary);
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert!(warnings[0].contains("lose all work so far"), "{warnings:?}");
        assert_eq!(std::fs::read_dir(&checkpoint).unwrap().count(), 1);
        std::fs::remove_dir_all(&checkpoint).unwrap();
    }
    // A folder that goes is made anew where nothing but checkpoints was in it.
    let (done, warnings) = solve(&Product::Counts, Some(&checkpoint));
    assert_eq!(done.unwrap().summary, straight.summary);
    assert_eq!((warnings.len(), checkpoint.exists()), (0, false));
    std::fs::remove_file(&table).unwrap();
    let (done, _) = solve(&tabled, Some(&checkpoint));
    let error = done.unwrap_err();
    assert!(matches!(error, SolveError::CheckpointIo { .. }), "{error}");
    assert!(!checkpoint.exists() && !table.exists());
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn two_solves_of_the_same_keep_apart_from_the_start() {
    let game = bag("bag-classic-1x3");
    let folder = fresh("apart");
    let (table, checkpoint) = (folder.join("odds.gwt"), folder.join("odds.checkpoint"));
    for wanted in [&Product::Counts, &Product::Table(table)] {
        let lock = greenwave_table::Storage::lock(
            &greenwave_table::DiskStorage,
            &folder.join("odds.checkpoint.lock"),
        );
        let error = run(&game, wanted, &checkpoint, None).unwrap_err();
        assert!(matches!(error, SolveError::Table(_)), "{error}");
        drop(lock);
        run(&game, wanted, &checkpoint, None).unwrap();
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_checkpoint_of_other_rules_is_refused() {
    let (game, other) = (bag("bag-classic-2x3"), bag("bag-classic-2x3:choice=3"));
    let folder = fresh("foreign");
    let (table, checkpoint) = (folder.join("odds.gwt"), folder.join("odds.checkpoint"));
    let wanted = &Product::Table(table);
    run(&game, wanted, &checkpoint, Some(6)).unwrap_err();
    for (game, wanted) in [(&other, wanted), (&game, &Product::Counts)] {
        let error = run(game, wanted, &checkpoint, None).unwrap_err();
        let error = error.to_string();
        assert!(error.contains("is of other rules"), "{error}");
        assert!(error.contains("delete it"), "{error}");
    }
    run(&game, wanted, &checkpoint, None).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
}
