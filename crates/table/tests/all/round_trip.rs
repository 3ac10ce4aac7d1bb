//! Tables of any shape read back as they were written, from memory and disk.

use std::path::Path;

use crate::common::{Game, on_both};
use greenwave_table::{
    DiskStorage, EncodedFrame, FaultyStorage, Hash32, Layout, Leaf, MemoryStorage, Meta,
    SignatureBuilder, Storage, Table, TableCheck, TableError, TableWriter, ValueKind, encode_frame,
    leaf_hash,
};
use proptest::prelude::*;

/// Compares every value of a table, and its counts, with the game that it was made of.
fn compare(table: &Table, game: &Game) {
    let mut checked = TableCheck::default();
    for frame_no in 0..game.layout.frames() {
        let mut in_frame = 0;
        for leaf_no in game.layout.leaves_of_frame(frame_no) {
            let leaf = table.leaf(leaf_no).unwrap();
            let mut rank = 0;
            for index in game.packed(leaf_no) {
                assert_eq!(leaf.value(rank), Some(game.value(index)), "index {index}");
                rank += 1;
            }
            assert_eq!(leaf.count(), rank);
            assert_eq!(leaf.value(rank), None);
            assert_eq!(leaf.to_leaf(), game.leaf(leaf_no));
            assert_eq!(leaf.values().count() as u32, rank);
            checked.leaves += u64::from(rank > 0);
            in_frame += u64::from(rank);
        }
        checked.frames += u64::from(in_frame > 0);
        checked.positions += in_frame;
    }
    assert_eq!(table.check().unwrap(), checked);
    assert_eq!(table.meta().packed, checked.positions);
}

#[test]
fn all_widths_and_frame_sizes() {
    for value_bits in [1, 2, 4, 8, 16, 32, 64] {
        for (frame_bits, indexable, every) in [
            (16, 1, 1),
            (16, 65_536, 3),
            (17, 65_537, 5),
            (18, 1_000_000, 40),
            (16, 300_000, 1_000_000),
        ] {
            let layout = Layout::new("value", value_bits, ValueKind::Unsigned, indexable)
                .unwrap()
                .with_frame_bits(frame_bits)
                .unwrap();
            let game = Game::new(layout, every, 3);
            compare(&Table::from_bytes(game.bytes()).unwrap(), &game);
        }
    }
}

#[test]
fn memory_and_disk_hold_the_same_table() {
    let game = Game::small();
    on_both(|storage, folder| {
        let path = folder.join("made-up/distance.gwt");
        let finished = game.write(storage(), &path).unwrap();
        let table = Table::open_in(&storage(), &path).unwrap();
        compare(&table, &game);
        assert_eq!(table.path(), path);
        assert_eq!(table.bytes(), finished.bytes);
        assert_eq!(table.layout(), &game.layout);
        assert_eq!(finished.bytes, game.bytes().len() as u64);
        let meta = Meta {
            rules_hash: game.rules_hash(),
            metric: "distance".into(),
            indexable: game.layout.indexable,
            packed: table.meta().packed,
            value_bits: 8,
            frame_bits: 17,
            signature: finished.signature,
            ..game.meta()
        };
        assert_eq!(table.meta(), &meta);
        for beside in [".part", ".lock"] {
            let beside = folder.join(format!("made-up/distance.gwt{beside}"));
            assert!(storage().open(&beside).is_err(), "{}", beside.display());
        }
    });
}

#[test]
fn the_signature_can_be_made_without_a_file_and_whatever_the_frames() {
    let game = Game::small();
    let sign = |frame_bits| {
        let layout = game.layout.clone().with_frame_bits(frame_bits).unwrap();
        let table = Table::from_bytes(Game::new(layout, game.every, game.seed).bytes()).unwrap();
        table.meta().signature
    };
    let mut hashes: Vec<(u64, Hash32)> = (0..game.layout.leaves())
        .rev()
        .map(|leaf_no| (leaf_no, game.leaf(leaf_no)))
        .filter(|(_, leaf)| leaf.count > 0)
        .map(|(leaf_no, leaf)| (leaf_no, leaf_hash(leaf_no, &leaf)))
        .collect();
    hashes.sort_unstable();
    let mut builder = SignatureBuilder::new(&game.layout, &game.rules_hash());
    for (leaf_no, hash) in &hashes {
        builder.push(*leaf_no, hash);
    }
    for frame_bits in 16..=20 {
        assert_eq!(sign(frame_bits), builder.finish(), "2^{frame_bits} indices");
    }
}

#[test]
fn bytes_do_not_depend_on_threads_or_on_what_was_there() {
    let game = Game::small();
    let first = game.bytes();
    let frames: Vec<EncodedFrame> = std::thread::scope(|scope| {
        let game = &game;
        let threads: Vec<_> = (0..game.layout.frames())
            .map(|frame_no| scope.spawn(move || game.frame(frame_no)))
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect()
    });
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("distance.gwt");
    std::fs::write(&path, "an older file").unwrap();
    std::fs::write(
        folder.path().join("distance.gwt.part"),
        "left by a killed solve",
    )
    .unwrap();
    let mut writer = game.writer(DiskStorage, &path).unwrap();
    for frame in frames {
        writer.append(frame).unwrap();
    }
    assert_eq!(std::fs::read(&path).unwrap(), b"an older file");
    writer.finish(game.meta()).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), first);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn numbers_of_every_kind_come_back() {
    let table = |metric: &str, bits, kind, codes: Vec<u64>| {
        let storage = MemoryStorage::default();
        let layout = Layout::new(metric, bits, kind, 10).unwrap();
        let path = Path::new("t.gwt");
        let mut writer =
            TableWriter::create_in(storage.clone(), path, layout.clone(), Hash32::of(b"")).unwrap();
        let leaf = Leaf::pack(bits, codes);
        writer.append(encode_frame(&layout, 0, &[leaf])).unwrap();
        writer.finish(Meta::default()).unwrap();
        Table::open_in(&storage, path).unwrap().leaf(0).unwrap()
    };
    for bits in [4, 8, 16, 32, 64] {
        let codes = [-3i64, 0, 7, -8].map(|number| number as u64);
        let leaf = table("points", bits, ValueKind::Signed, codes.to_vec());
        let found: Vec<i64> = (0..4).filter_map(|rank| leaf.signed(rank)).collect();
        assert_eq!(found, [-3, 0, 7, -8], "{bits} bits");
        assert_eq!(leaf.signed(4), None);
    }
    let singles = [0.1f32, -2.5, f32::MIN_POSITIVE];
    let codes = singles.map(|number| u64::from(number.to_bits()));
    let leaf = table("odds", 32, ValueKind::F32, codes.to_vec());
    assert_eq!([0, 1, 2].map(|rank| leaf.f32(rank).unwrap()), singles);
    let doubles = [0.1f64, -2.5, f64::MIN_POSITIVE];
    let leaf = table(
        "odds",
        64,
        ValueKind::F64,
        doubles.map(f64::to_bits).to_vec(),
    );
    assert_eq!([0, 1, 2].map(|rank| leaf.f64(rank).unwrap()), doubles);
}

#[test]
fn an_empty_index_space_is_a_table_too() {
    let layout = Layout::new("nimber", 8, ValueKind::Unsigned, 0).unwrap();
    let table = Table::from_bytes(Game::new(layout, 1, 0).bytes()).unwrap();
    assert_eq!(table.check().unwrap(), TableCheck::default());
    let error = table.leaf(0).unwrap_err();
    assert!(matches!(
        error.inner(),
        TableError::NoSuchLeaf {
            found: 0,
            leaves: 0
        }
    ));
}

#[test]
fn frames_must_come_in_order_and_all() {
    let game = Game::small();
    let path = Path::new("t.gwt");
    let order = |error: TableError| {
        let TableError::FrameOrder {
            found, expected, ..
        } = error.inner()
        else {
            panic!("{error}")
        };
        (*found, *expected)
    };
    let storage = MemoryStorage::default();
    let mut writer = game.writer(storage.clone(), path).unwrap();
    assert_eq!(order(writer.append(game.frame(1)).unwrap_err()), (1, 0));
    writer.append(game.frame(0)).unwrap();
    assert_eq!(order(writer.append(game.frame(0)).unwrap_err()), (0, 1));
    assert_eq!(order(writer.finish(game.meta()).unwrap_err()), (1, 1));
    assert!(storage.paths().is_empty());
    let mut writer = game.writer(storage, path).unwrap();
    for frame_no in 0..2 {
        writer.append(game.frame(frame_no)).unwrap();
    }
    assert_eq!(
        order(writer.append(EncodedFrame::empty(2)).unwrap_err()),
        (2, 2)
    );
}

#[test]
fn tables_of_other_rules_are_refused() {
    let table = Table::from_bytes(Game::small().bytes()).unwrap();
    table.expect_rules(&Game::small().rules_hash()).unwrap();
    let error = table.expect_rules(&Hash32::of(b"other rules")).unwrap_err();
    let text = error.to_string();
    for part in [
        "(memory): the table is of other rules: found rules hash",
        &Hash32::of(b"a made-up game\n").to_string(),
        &format!("expected {}", Hash32::of(b"other rules")),
        "('made-up-3x4:play=misere')",
        "; restore it from a copy, or move the file elsewhere",
    ] {
        assert!(text.contains(part), "{text}\nlacks {part}");
    }
    let text = error.for_table("classic-3x4", "distance").to_string();
    assert!(
        text.ends_with(
            "; solve again with `greenwave solve classic-3x4 --metric distance --force`, \
             or move the file elsewhere"
        ),
        "{text}"
    );
}

#[test]
fn tables_of_another_metric_are_refused() {
    let table = Table::from_bytes(Game::small().bytes()).unwrap();
    table.expect_metric("distance").unwrap();
    let error = table.expect_metric("value").unwrap_err();
    assert!(error.is_damage());
    let text = error.for_table("classic-3x4", "value").to_string();
    assert_eq!(
        text,
        "(memory): the table is of metric 'distance', expected 'value'; solve again with \
         `greenwave solve classic-3x4 --metric value --force`, or move the file elsewhere"
    );
}

#[test]
fn threads_share_a_table() {
    let game = Game::small();
    let table = Table::from_bytes(game.bytes()).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| compare(&table, &game));
        }
    });
}

#[test]
fn a_leaf_asked_for_again_is_not_read_again() {
    let game = Game::small();
    let memory = MemoryStorage::default();
    let path = Path::new("t.gwt");
    game.write(memory.clone(), path).unwrap();
    let storage = FaultyStorage::new(memory, u64::MAX, u64::MAX);
    let table = Table::open_in(&storage, path).unwrap();
    let stored = (0..game.layout.leaves())
        .find(|leaf_no| game.packed(*leaf_no).count() > 0)
        .unwrap();
    table.leaf(stored).unwrap();
    let (_, reads) = storage.counts();
    table.leaf(stored).unwrap();
    assert_eq!(storage.counts(), (0, reads));
}

#[test]
fn frames_stay_in_the_range_that_a_probe_likes() {
    // Share of packed positions as known: 9 % of 4^12, 2 % of 4^16, 0.6 % of 4^20.
    for (cells, share) in [(12, 0.0851), (16, 0.0214), (20, 0.00576)] {
        for value_bits in [1, 8] {
            let layout = Layout::new(
                "distance",
                value_bits,
                ValueKind::Unsigned,
                1 << (2 * cells),
            )
            .unwrap();
            let payload = f64::from(value_bits) / 8.0 * share * 2f64.powi(layout.frame_bits as i32);
            assert!(
                (4096.0..65536.0).contains(&payload),
                "{cells} cells: {payload}"
            );
            assert!(
                layout.frames() <= 1 << 18,
                "{cells} cells: {}",
                layout.frames()
            );
        }
    }
    assert!(Layout::new("value", 3, ValueKind::Unsigned, 1).is_err());
    assert!(Layout::new("value", 0, ValueKind::Unsigned, 1).is_err());
    assert!(Layout::new("colour", 1, ValueKind::Unsigned, 1).is_err());
    assert!(Layout::new("odds", 32, ValueKind::F64, 1).is_err());
    let layout = Layout::new("odds", 64, ValueKind::F64, u64::MAX).unwrap();
    assert!(layout.clone().with_frame_bits(15).is_err());
    assert!(layout.with_frame_bits(24).is_err());
}

proptest! {
    #[test]
    fn frames_and_leaves_cut_the_index_space(
        indexable in prop_oneof![0u64..10_000_000, any::<u64>(), Just(u64::MAX)],
        width in 0u32..7,
        probe in any::<u64>(),
    ) {
        let layout = Layout::new("value", 1 << width, ValueKind::Unsigned, indexable).unwrap();
        prop_assert!((16..=29 - width).contains(&layout.frame_bits));
        let last = layout.leaves_of_frame(layout.frames().saturating_sub(1)).end;
        prop_assert_eq!(last, layout.leaves());
        prop_assert_eq!(layout.indices_of_leaf(last.saturating_sub(1)).end, indexable);
        prop_assert!(layout.leaves_of_frame(layout.frames()).is_empty());
        prop_assert!(layout.leaves_of_frame(u64::MAX).is_empty());
        prop_assert!(layout.indices_of_leaf(u64::MAX).is_empty());
        if indexable > 0 {
            let index = probe % indexable;
            let leaf_no = index >> 16;
            prop_assert!(layout.indices_of_leaf(leaf_no).contains(&index));
            let frame_no = layout.frame_of_leaf(leaf_no);
            prop_assert!(layout.leaves_of_frame(frame_no).contains(&leaf_no));
        }
    }

    #[test]
    fn any_leaves_come_back(
        width in 0u32..7,
        frame_bits in 16u32..20,
        counts in prop::collection::vec(prop_oneof![3 => Just(0u64), 2 => 0u64..300, 1 => 0u64..5000], 1..20),
        short in 0u64..65_536,
        seed in any::<u64>(),
    ) {
        let value_bits = 1 << width;
        let indexable = counts.len() as u64 * 65_536 - short;
        let layout = Layout::new("value", value_bits, ValueKind::Unsigned, indexable)
            .unwrap()
            .with_frame_bits(frame_bits)
            .unwrap();
        let mut random = crate::common::Random(seed);
        let leaves: Vec<Leaf> = (0..)
            .zip(&counts)
            .map(|(leaf_no, count)| {
                let indices = layout.indices_of_leaf(leaf_no);
                let count = (*count).min(indices.end - indices.start);
                Leaf::pack(value_bits, (0..count).map(|_| random.next() >> (seed % 64)))
            })
            .collect();
        let storage = MemoryStorage::default();
        let path = Path::new("t.gwt");
        let mut writer =
            TableWriter::create_in(storage.clone(), path, layout.clone(), Hash32::of(b"")).unwrap();
        for frame_no in 0..layout.frames() {
            let numbers = layout.leaves_of_frame(frame_no);
            let leaves = &leaves[numbers.start as usize..numbers.end as usize];
            let frame = encode_frame(&layout, frame_no, leaves);
            let hashes: Vec<(u64, Hash32)> = numbers
                .zip(leaves)
                .filter(|(_, leaf)| leaf.count > 0)
                .map(|(leaf_no, leaf)| (leaf_no, leaf_hash(leaf_no, leaf)))
                .collect();
            prop_assert_eq!(frame.leaf_hashes(), &hashes[..]);
            writer.append(frame).unwrap();
        }
        writer.finish(Meta::default()).unwrap();
        let table = Table::open_in(&storage, path).unwrap();
        for (leaf_no, leaf) in (0..).zip(&leaves) {
            prop_assert_eq!(&table.leaf(leaf_no).unwrap().to_leaf(), leaf);
        }
        table.check().unwrap();
    }
}
