//! A write that fails, or a second writer, never spoils a table.

use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::common::{Game, on_both};
use greenwave_table::{DiskStorage, FaultyStorage, MemoryStorage, Storage, Table, TableError};

#[test]
fn a_failing_write_leaves_the_earlier_table_alone() {
    let earlier = Game::small();
    let later = Game {
        seed: 5,
        ..Game::small()
    };
    on_both(|storage, folder| {
        let good = FaultyStorage::new(storage(), u64::MAX, u64::MAX);
        later.write(good.clone(), &folder.join("good.gwt")).unwrap();
        let (writes, _) = good.counts();
        assert_eq!(writes, 7); // create, write, sync, preamble, sync, rename, folder
        let later_bytes = Table::open_in(&storage(), folder.join("good.gwt")).unwrap();
        for n in 0..writes {
            for name in ["fresh", "taken"] {
                let path = folder.join(format!("{n}/{name}.gwt"));
                if name == "taken" {
                    earlier.write(storage(), &path).unwrap();
                }
                let faulty = FaultyStorage::new(storage(), n, u64::MAX);
                let error = later.write(faulty, &path).unwrap_err();
                assert!(matches!(error.inner(), TableError::Io { .. }), "{error}");
                assert!(
                    error.to_string().contains(&format!("write {n} fails")),
                    "{error}"
                );
                let after = Table::open_in(&storage(), &path);
                if n == writes - 1 {
                    // Only the folder could not be synced: the new table is whole and in place.
                    let after = after.unwrap();
                    after.check().unwrap();
                    assert_eq!(after.meta(), later_bytes.meta());
                } else if name == "taken" {
                    let after = after.unwrap();
                    after.check().unwrap();
                    assert_ne!(after.meta().signature, later_bytes.meta().signature);
                } else {
                    assert!(after.unwrap_err().is_not_found());
                }
                for ending in ["part", "lock"] {
                    let beside = folder.join(format!("{n}/{name}.gwt.{ending}"));
                    assert!(storage().open(&beside).is_err(), "{}", beside.display());
                }
                later.write(storage(), &path).unwrap();
            }
        }
    });
}

#[test]
fn a_full_disk_leaves_the_earlier_table_alone() {
    let earlier = Game::small();
    let later = Game {
        seed: 5,
        ..Game::small()
    };
    on_both(|storage, folder| {
        let path = folder.join("value.gwt");
        earlier.write(storage(), &path).unwrap();
        let before = Table::open_in(&storage(), &path).unwrap();
        // Create, write, sync, preamble, sync, rename; after that the new table is in place.
        for n in 0..6 {
            let full = FaultyStorage::full(storage(), n);
            let error = later.write(full, &path).unwrap_err().to_string();
            assert!(
                error.starts_with(&format!("{}: cannot ", path.display())),
                "{error}"
            );
            assert!(
                error.ends_with(
                    "; make room or name another folder with --dir, and give the same command again"
                ),
                "{error}"
            );
            let after = Table::open_in(&storage(), &path).unwrap();
            after.check().unwrap();
            assert_eq!(after.meta(), before.meta(), "write {n}");
            assert!(storage().open(&folder.join("value.gwt.part")).is_err());
        }
        // With room again the same write succeeds.
        later.write(storage(), &path).unwrap();
        let after = Table::open_in(&storage(), &path).unwrap();
        assert_ne!(after.meta().signature, before.meta().signature);
    });
}

#[test]
fn a_failing_read_is_an_error_and_no_more() {
    let game = Game::small();
    on_both(|storage, folder| {
        let path = folder.join("t.gwt");
        game.write(storage(), &path).unwrap();
        let read = |storage: &dyn Storage| -> Result<(), TableError> {
            let table = Table::open_in(storage, &path)?;
            for leaf_no in 0..game.layout.leaves() {
                table.leaf(leaf_no)?;
            }
            table.check()?;
            Ok(())
        };
        let good = FaultyStorage::new(storage(), u64::MAX, u64::MAX);
        read(&good).unwrap();
        let (_, reads) = good.counts();
        assert!(reads > 8);
        for n in 0..reads {
            let error = read(&FaultyStorage::new(storage(), u64::MAX, n)).unwrap_err();
            assert!(
                error.to_string().contains(&format!("read {n} fails")),
                "{error}"
            );
            assert!(!error.is_damage());
        }
    });
}

#[test]
fn a_leaf_that_could_not_be_read_can_be_read_later() {
    let game = Game::small();
    let memory = MemoryStorage::default();
    let path = Path::new("t.gwt");
    game.write(memory.clone(), path).unwrap();
    let opened = FaultyStorage::new(memory.clone(), u64::MAX, u64::MAX);
    Table::open_in(&opened, path).unwrap();
    let (_, reads) = opened.counts();
    let table = Table::open_in(&FaultyStorage::new(memory, u64::MAX, reads), path).unwrap();
    let stored = (0..game.layout.leaves())
        .find(|leaf_no| game.packed(*leaf_no).count() > 0)
        .unwrap();
    assert!(table.leaf(stored).is_err());
    assert_eq!(table.leaf(stored).unwrap().to_leaf(), game.leaf(stored));
}

#[test]
fn a_dropped_writer_leaves_nothing() {
    let game = Game::small();
    on_both(|storage, folder| {
        let path = folder.join("dropped.gwt");
        let mut writer = game.writer(storage(), &path).unwrap();
        writer.append(game.frame(0)).unwrap();
        assert!(storage().open(&folder.join("dropped.gwt.part")).is_ok());
        drop(writer);
        for name in ["dropped.gwt", "dropped.gwt.part", "dropped.gwt.lock"] {
            assert!(storage().open(&folder.join(name)).is_err(), "{name}");
        }
    });
}

#[test]
fn two_writers_of_one_table_are_kept_apart() {
    let game = Game::small();
    on_both(|storage, folder| {
        let path = folder.join("value.gwt");
        let first = game.writer(storage(), &path).unwrap();
        let error = game.writer(storage(), &path).unwrap_err();
        let lock = folder.join("value.gwt.lock");
        let expected = format!(
            "{}: found another process writing this table, expected to be the only one: wait until \
             it has ended, or end it (it holds the lock file {})",
            path.display(),
            lock.display()
        );
        assert_eq!(error.to_string(), expected);
        let other = game.writer(storage(), &folder.join("points.gwt")).unwrap();
        drop(first);
        game.write(storage(), &path).unwrap();
        drop(other);
    });
}

#[test]
fn a_lock_is_never_held_twice() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("value.gwt.lock");
    let holders = AtomicU32::new(0);
    let taken = AtomicU32::new(0);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..500 {
                    if let Ok(lock) = DiskStorage.lock(&path) {
                        assert_eq!(holders.fetch_add(1, Ordering::SeqCst), 0);
                        taken.fetch_add(1, Ordering::SeqCst);
                        std::thread::yield_now();
                        assert_eq!(holders.fetch_sub(1, Ordering::SeqCst), 1);
                        drop(lock);
                    }
                }
            });
        }
    });
    assert!(taken.into_inner() > 0);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_path_without_a_name_is_refused() {
    let error = Game::small()
        .writer(MemoryStorage::default(), Path::new("/"))
        .unwrap_err();
    assert!(matches!(error.inner(), TableError::NoFileName), "{error}");
}
