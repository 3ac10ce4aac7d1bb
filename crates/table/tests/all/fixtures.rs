//! Files of each format version stay readable, and today's writer makes the very same bytes.

use std::path::PathBuf;

use crate::common::Game;
use greenwave_table::{FamilyWriter, Hash32, Layout, Leaf, Table, ValueKind, encode_families};

/// Name and content of each fixture of version 1.
fn fixtures() -> [(&'static str, Game); 3] {
    let layout = |metric: &str, bits, kind, indexable| {
        let layout = Layout::new(metric, bits, kind, indexable).unwrap();
        layout.with_frame_bits(17).unwrap()
    };
    [
        ("version1-distance.gwt", Game::small()),
        (
            "version1-value.gwt",
            Game::new(layout("value", 1, ValueKind::Unsigned, 500_000), 90, 7),
        ),
        (
            "version1-odds.gwt",
            Game::new(layout("odds", 64, ValueKind::F64, 65_600), 4_000, 11),
        ),
    ]
}

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures")
        .join(name)
}

/// `GREENWAVE_BLESS=1` writes the fixtures of a new format version; those of old ones are never
/// written again.
fn write_missing() {
    for (name, game) in fixtures() {
        if !path(name).exists() {
            std::fs::write(path(name), game.bytes()).unwrap();
        }
    }
}

#[test]
fn version_1_is_read_and_still_written_to_the_byte() {
    if std::env::var_os("GREENWAVE_BLESS").is_some() {
        write_missing();
    }
    for (name, game) in fixtures() {
        let table = Table::open(path(name)).unwrap();
        assert!(table.check().unwrap().positions > 0);
        for leaf_no in 0..game.layout.leaves() {
            assert_eq!(
                table.leaf(leaf_no).unwrap().to_leaf(),
                game.leaf(leaf_no),
                "{name}"
            );
        }
        let meta = table.meta();
        assert_eq!(meta.summary, crate::common::summary());
        assert_eq!(meta.variant, game.meta().variant);
        table.expect_rules(&game.rules_hash()).unwrap();
        let bytes = std::fs::read(path(name)).unwrap();
        assert!(
            bytes == game.bytes(),
            "{name}: the writer makes other bytes"
        );
    }
}

// The table of a rule file, 4x6 with one level and a row of three red lights.
#[test]
fn version_2_is_read_and_still_written_to_the_byte() {
    let table = Table::open(path("version2-value.gwt")).unwrap();
    assert_eq!(table.check().unwrap().positions, 351);
    let (layout, meta) = (table.layout().clone(), table.meta().clone());
    let folder = tempfile::tempdir().unwrap();
    let again = folder.path().join("value.gwt");
    let mut writer =
        FamilyWriter::create(&again, layout.clone(), Hash32(meta.rules_hash.0), None).unwrap();
    for frame in 0..table.frames() {
        let families: Vec<(u64, Leaf)> = table
            .families(frame)
            .unwrap()
            .into_iter()
            .map(|(key, family)| (key, family.to_leaf()))
            .collect();
        let encoded = encode_families(&layout, &families);
        writer
            .append(table.wave_of(frame).unwrap(), &encoded)
            .unwrap();
    }
    writer.finish(meta).unwrap();
    let same = std::fs::read(&again).unwrap() == std::fs::read(table.path()).unwrap();
    assert!(same, "the writer makes other bytes");
}
