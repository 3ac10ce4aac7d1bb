//! Damage of any kind is found, and nothing that a file may hold makes the reader panic.

use crate::common::{Game, Random};
use greenwave_table::{Table, TableError, TablesFolder};
use proptest::prelude::*;

fn long(bytes: &[u8], at: usize) -> usize {
    u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize
}

/// Puts right the checksums of directory, metadata and preamble, as somebody would who wants a
/// changed file to be believed.
fn reseal(bytes: &mut [u8]) {
    let part = |bytes: &[u8], at: usize| {
        let start = long(bytes, at);
        crc32fast::hash(&bytes[start..start + long(bytes, at + 8)])
    };
    let directory = part(bytes, 24);
    let metadata = part(bytes, 40);
    bytes[12..16].copy_from_slice(&directory.to_le_bytes());
    bytes[56..60].copy_from_slice(&metadata.to_le_bytes());
    let preamble = crc32fast::hash(&bytes[..60]);
    bytes[60..64].copy_from_slice(&preamble.to_le_bytes());
}

/// Reads everything there is to read.
fn read_all(table: &Table) -> Result<(), TableError> {
    for leaf_no in 0..table.layout().leaves() {
        let leaf = table.leaf(leaf_no)?;
        assert_eq!(leaf.values().count() as u32, leaf.count());
    }
    Ok(())
}

#[test]
fn every_flipped_bit_is_found() {
    let game = Game {
        every: 50,
        ..Game::small()
    };
    let good = game.bytes();
    let frames = 64..long(&good, 24);
    let mut random = Random(20);
    for _ in 0..1000 {
        let at = random.below(good.len() as u64) as usize;
        let bit = random.below(8);
        let mut bytes = good.clone();
        bytes[at] ^= 1 << bit;
        match Table::from_bytes(bytes) {
            Ok(table) => {
                assert!(frames.contains(&at), "bit {bit} of byte {at} passes open");
                assert!(read_all(&table).unwrap_err().is_damage());
                assert!(table.check().unwrap_err().is_damage());
            }
            Err(error) => {
                assert!(!frames.contains(&at), "frames are not read by open");
                assert!(error.is_damage(), "{error}");
            }
        }
    }
}

#[test]
fn a_damaged_frame_leaves_the_others_readable() {
    let game = Game::small();
    let mut bytes = game.bytes();
    bytes[64] ^= 1; // first stored frame
    let table = Table::from_bytes(bytes.clone()).unwrap();
    let (bad, good): (Vec<u64>, Vec<u64>) =
        (0..game.layout.leaves()).partition(|leaf_no| table.leaf(*leaf_no).is_err());
    assert_eq!((bad, good), (vec![0, 1], vec![2, 3]));
    let text = table.leaf(0).unwrap_err().to_string();
    assert!(
        text.starts_with("(memory): frame 0 is damaged: found checksum "),
        "{text}"
    );
    assert!(
        text.ends_with(
            "; solve again with `greenwave solve made-up-3x4:play=misere --metric distance --force`, \
             or delete the file"
        ),
        "{text}"
    );
    // Elsewhere than in the folder of tables, that command would leave the file as it is.
    for (folder, way_out) in [
        (
            TablesFolder::Named("my tables".into()),
            "; solve again with `greenwave --dir 'my tables' solve made-up-3x4:play=misere \
             --metric distance --force`, or delete the file",
        ),
        (
            TablesFolder::Outside,
            "; restore it from a copy, or delete the file",
        ),
    ] {
        let table = Table::from_bytes(bytes.clone()).unwrap().in_folder(folder);
        let text = table.leaf(0).unwrap_err().to_string();
        assert!(text.ends_with(way_out), "{text}");
    }
}

#[test]
fn a_file_cut_anywhere_is_found_at_open() {
    let good = Game::small().bytes();
    for len in 0..good.len() {
        let error = Table::from_bytes(good[..len].to_vec()).unwrap_err();
        let expected = if len < 64 { 64 } else { good.len() as u64 };
        let TableError::Length { found, expected: e } = error.inner() else {
            panic!("{len} bytes: {error}")
        };
        assert_eq!((*found, *e), (len as u64, expected));
    }
    let longer = [&good[..], &[0]].concat();
    assert!(Table::from_bytes(longer).unwrap_err().is_damage());
}

#[test]
fn a_file_that_shrinks_while_open_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("distance.gwt");
    std::fs::write(&path, Game::small().bytes()).unwrap();
    let table = Table::open(&path).unwrap();
    std::fs::OpenOptions::new()
        .write(true)
        .open(&path)
        .unwrap()
        .set_len(70)
        .unwrap();
    assert!(read_all(&table).is_err());
    assert!(table.check().is_err());
}

#[test]
fn a_file_that_changes_while_open_is_found_by_check() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("distance.gwt");
    let game = Game::small();
    std::fs::write(&path, game.bytes()).unwrap();
    let table = Table::open(&path).unwrap();
    let other = Game { seed: 2, ..game };
    std::fs::write(&path, other.bytes()).unwrap();
    let text = table.check().unwrap_err().to_string();
    assert!(
        text.contains("another preamble than when it was opened"),
        "{text}"
    );
}

#[test]
fn a_later_version_is_refused_by_name() {
    let mut bytes = Game::small().bytes();
    bytes[8] = 3;
    reseal(&mut bytes);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("distance.gwt");
    std::fs::write(&path, bytes).unwrap();
    let text = Table::open(&path).unwrap_err().to_string();
    let expected = format!(
        "{}: found table format version 3, expected version 1 or 2; use a newer greenwave, or \
         restore it from a copy, or delete the file",
        path.display()
    );
    assert_eq!(text, expected);
}

#[test]
fn files_of_another_kind_are_refused() {
    for bytes in [
        &b"PK\x03\x04 something else altogether"[..],
        b"\x89GWT\n\x1a\n",
        b"x",
    ] {
        let error = Table::from_bytes(bytes.to_vec()).unwrap_err();
        assert!(
            matches!(error.inner(), TableError::NotATable { .. }),
            "{error}"
        );
        let text = error.to_string();
        assert!(
            text.ends_with(
                "; give a file that `greenwave solve` wrote, such as classic-3x3/distance.gwt"
            ),
            "{text}"
        );
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("distance.gwt");
        std::fs::write(&path, bytes).unwrap();
        let error = Table::open(&path).unwrap_err();
        let text = error.for_table("signal-3x3", "distance").to_string();
        assert!(
            text.ends_with(
                "; if a table belongs there, solve again with \
                 `greenwave solve signal-3x3 --metric distance --force`"
            ),
            "{text}"
        );
    }
}

#[test]
fn a_missing_file_is_told_from_a_damaged_one() {
    let folder = tempfile::tempdir().unwrap();
    let error = Table::open(folder.path().join("value.gwt")).unwrap_err();
    assert!(error.is_not_found() && !error.is_damage());
    assert!(
        error.to_string().contains("value.gwt: cannot open: "),
        "{error}"
    );
    assert!(Table::open(folder.path()).is_err());
}

#[test]
fn an_unknown_index_scheme_is_refused() {
    let mut bytes = Game::small().bytes();
    let metadata = long(&bytes, 40);
    bytes[metadata] = 4;
    reseal(&mut bytes);
    let error = Table::from_bytes(bytes).unwrap_err();
    assert!(matches!(
        error.inner(),
        TableError::IndexScheme { found: 4 }
    ));
    let text = error.to_string();
    assert!(
        text.contains(
            "found index scheme 4, expected 0 (dense), 1 (listed), 2 (rows) or 3 (families); use a newer"
        ),
        "{text}"
    );
}

#[test]
fn bytes_after_the_metadata_are_refused() {
    let mut bytes = Game::small().bytes();
    bytes.push(0);
    let len = bytes.len() as u64;
    let metadata_len = len - long(&bytes, 40) as u64;
    bytes[16..24].copy_from_slice(&len.to_le_bytes());
    bytes[48..56].copy_from_slice(&metadata_len.to_le_bytes());
    reseal(&mut bytes);
    let error = Table::from_bytes(bytes).unwrap_err();
    assert!(
        error.to_string().contains("the metadata is damaged: found"),
        "{error}"
    );
}

#[test]
fn values_changed_with_all_checksums_are_found_by_the_signature() {
    use greenwave_table::{Hash32, Layout, Leaf, MemoryStorage, Meta, TableWriter, ValueKind};
    let storage = MemoryStorage::default();
    let path = std::path::Path::new("t.gwt");
    let layout = Layout::new("value", 1, ValueKind::Unsigned, 100).unwrap();
    let mut writer =
        TableWriter::create_in(storage.clone(), path, layout.clone(), Hash32::of(b"")).unwrap();
    let leaf = Leaf::pack(1, [1, 0, 1, 1, 0]);
    let frame = greenwave_table::encode_frame(&layout, 0, &[leaf]);
    assert_eq!(frame.stored_len(), 1); // not compressed
    writer.append(frame).unwrap();
    writer.finish(Meta::default()).unwrap();
    let good = storage.read(path).unwrap();
    let change = |byte: u8| {
        let mut bytes = good.clone();
        bytes[64] = byte;
        let crc = crc32fast::hash(&bytes[64..65]);
        let entry = long(&bytes, 24) + 1;
        bytes[entry + 4..entry + 8].copy_from_slice(&crc.to_le_bytes());
        reseal(&mut bytes);
        Table::from_bytes(bytes).unwrap()
    };
    assert_eq!(good[64], 0b01101);
    change(0b01101).check().unwrap();
    let error = change(0b01100).check().unwrap_err();
    assert!(
        matches!(error.inner(), TableError::Signature { .. }),
        "{error}"
    );
    let table = change(0b10_1101);
    read_all(&table).unwrap();
    let text = table.check().unwrap_err().to_string();
    assert!(
        text.contains("leaf 0 is damaged: found set padding bits"),
        "{text}"
    );
}

#[test]
fn numbers_that_are_none_are_refused_when_they_are_read() {
    use greenwave_table::{Hash32, Layout, Leaf, MemoryStorage, Meta, TableWriter, ValueKind};
    let number = |bits: u32, kind, number: u64| {
        let storage = MemoryStorage::default();
        let path = std::path::Path::new("odds.gwt");
        let layout = Layout::new("odds", bits, kind, 100).unwrap();
        let hash = Hash32::of(b"");
        let mut writer =
            TableWriter::create_in(storage.clone(), path, layout.clone(), hash).unwrap();
        let leaf = Leaf::pack(bits, [number]);
        writer
            .append(greenwave_table::encode_frame(&layout, 0, &[leaf]))
            .unwrap();
        writer.finish(Meta::default()).unwrap();
        Table::from_bytes(storage.read(path).unwrap()).unwrap()
    };
    let single = |value: f32| number(32, ValueKind::F32, value.to_bits().into());
    let double = |value: f64| number(64, ValueKind::F64, value.to_bits());
    for good in [single(0.5), double(-0.5)] {
        read_all(&good).unwrap();
        good.check().unwrap();
    }
    for bad in [
        single(f32::NAN),
        single(f32::INFINITY),
        double(f64::NAN),
        double(f64::NEG_INFINITY),
    ] {
        for error in [read_all(&bad).unwrap_err(), bad.check().unwrap_err()] {
            assert!(error.is_damage());
            let text = error.to_string();
            assert!(
                text.contains("frame 0 is damaged: found a value that is not finite"),
                "{text}"
            );
        }
    }
}

#[test]
fn huge_lengths_are_refused_before_anything_is_read() {
    // A file that is as long as it says without taking room on the disk.
    let mut bytes = Game::small().bytes();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("distance.gwt");
    for (at, part) in [(32, "the directory"), (48, "the metadata")] {
        let len = 1_u64 << 40;
        let directory_at = long(&bytes, 24) as u64;
        let other = 100;
        let (directory, metadata) = match at {
            32 => (len, other),
            _ => (other, len),
        };
        let metadata_at = directory_at + directory;
        let file_len = metadata_at + metadata;
        for (at, number) in [
            (16, file_len),
            (32, directory),
            (40, metadata_at),
            (48, metadata),
        ] {
            bytes[at..at + 8].copy_from_slice(&number.to_le_bytes());
        }
        let crc = crc32fast::hash(&bytes[..60]);
        bytes[60..64].copy_from_slice(&crc.to_le_bytes());
        std::fs::write(&path, &bytes).unwrap();
        let file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
        file.set_len(file_len).unwrap();
        let text = Table::open(&path).unwrap_err().to_string();
        let expected = format!("{part} is damaged: found a length of {len} bytes");
        assert!(text.contains(&expected), "{text}");
    }
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let pipe = |path: &std::path::Path| {
        let made = std::process::Command::new("mkfifo").arg(path).status();
        assert!(made.unwrap().success());
    };
    let game = Game::small();
    pipe(&at("pipe.gwt"));
    for (path, found) in [
        (at("pipe.gwt"), "a pipe"),
        (folder.path().to_owned(), "a folder"),
        ("/dev/zero".into(), "a device"),
    ] {
        let text = Table::open(&path).unwrap_err().to_string();
        let expected = format!("cannot open: found {found}, expected a file; give a file that");
        assert!(text.contains(&expected), "{text}");
    }
    // Where a table is to be written, and where its lock.
    std::fs::create_dir(at("folder.gwt")).unwrap();
    pipe(&at("locked.gwt.lock"));
    for (name, expected) in [
        ("pipe.gwt", "cannot replace: found a pipe"),
        ("folder.gwt", "cannot replace: found a folder"),
        (
            "locked.gwt",
            "cannot take the lock file beside it: found a pipe",
        ),
    ] {
        let error = game.write(greenwave_table::DiskStorage, &at(name));
        let text = error.unwrap_err().to_string();
        assert!(text.contains(expected), "{text}");
    }
    // The writer does not write through a link in place of the temporary file.
    std::fs::write(at("mine"), "mine").unwrap();
    std::os::unix::fs::symlink(at("mine"), at("t.gwt.part")).unwrap();
    game.write(greenwave_table::DiskStorage, &at("t.gwt"))
        .unwrap();
    assert_eq!(std::fs::read(at("mine")).unwrap(), b"mine");
    Table::open(at("t.gwt")).unwrap().check().unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn no_bytes_make_the_reader_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        from in 0usize..3,
    ) {
        let good = small_bytes();
        let (directory, metadata) = (long(good, 24), long(good, 40));
        let part = [64..directory, directory..metadata, metadata..good.len()][from].clone();
        let mut bytes = good.to_vec();
        for (at, byte) in changes {
            bytes[part.start + at.index(part.len())] = byte;
        }
        // Make the frames right too, so that their decoders get to see the bytes.
        let mut at = 64usize;
        for entry in (directory + 1..metadata).step_by(12) {
            let len = u32::from_le_bytes(bytes[entry..entry + 4].try_into().unwrap()) & !(1 << 31);
            if let Some(frame) = bytes.get(at..at.saturating_add(len as usize)) {
                let crc = crc32fast::hash(frame);
                at += len as usize;
                bytes[entry + 4..entry + 8].copy_from_slice(&crc.to_le_bytes());
            }
        }
        reseal(&mut bytes);
        let changed = bytes != good;
        if let Ok(table) = Table::from_bytes(bytes)
            && table.layout().leaves() < 1000
            && read_all(&table).is_ok()
            && from < 2
        {
            prop_assert_eq!(table.check().is_err(), changed && table_differs(&table, good));
        }
    }

    #[test]
    fn random_bytes_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let start = [&small_bytes()[..12], &bytes].concat();
        prop_assert!(Table::from_bytes(bytes).is_err());
        prop_assert!(Table::from_bytes(start).is_err());
    }
}

/// Does a table differ from the good one in its values? (A change of how a frame is compressed need not.)
fn table_differs(table: &Table, good: &[u8]) -> bool {
    let good = Table::from_bytes(good.to_vec()).unwrap();
    (0..good.layout().leaves()).any(|leaf_no| {
        table.leaf(leaf_no).unwrap().to_leaf() != good.leaf(leaf_no).unwrap().to_leaf()
    })
}

fn small_bytes() -> &'static [u8] {
    static BYTES: std::sync::OnceLock<Vec<u8>> = std::sync::OnceLock::new();
    BYTES.get_or_init(|| Game::small().bytes())
}
