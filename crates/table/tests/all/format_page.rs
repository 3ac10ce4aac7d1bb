//! The example in `docs/format.md` is what the writer makes.

use std::path::Path;

use greenwave_table::{
    Hash32, Layout, Leaf, MemoryStorage, Meta, Table, TableWriter, ValueKind, encode_frame,
};

fn page() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/format.md");
    std::fs::read_to_string(path).unwrap()
}

fn dumped() -> Vec<u8> {
    let page = page();
    let dump = page.split("```hexdump\n").nth(1).unwrap();
    let dump = dump.split("```").next().unwrap();
    let hex = dump
        .lines()
        .flat_map(|line| line.split_whitespace().skip(1));
    hex.map(|byte| u8::from_str_radix(byte, 16).unwrap())
        .collect()
}

#[test]
fn the_dump_is_a_table_with_the_values_named() {
    let table = Table::from_bytes(dumped()).unwrap();
    assert_eq!(table.check().unwrap().positions, 7);
    let values = |leaf_no| table.leaf(leaf_no).unwrap().values().collect::<Vec<u64>>();
    assert_eq!(values(0), [1, 0, 1, 1, 0]);
    assert_eq!(values(1), [1, 1]);
}

#[test]
fn the_dump_is_what_the_writer_makes() {
    let storage = MemoryStorage::default();
    let path = Path::new("tiny/value.gwt");
    let layout = Layout::new("value", 1, ValueKind::Unsigned, 70_000)
        .unwrap()
        .with_frame_bits(17)
        .unwrap();
    let rules = "a tiny game\n";
    let hash = Hash32::of(rules.as_bytes());
    let mut writer = TableWriter::create_in(storage.clone(), path, layout.clone(), hash).unwrap();
    let leaves = [Leaf::pack(1, [1, 0, 1, 1, 0]), Leaf::pack(1, [1, 1])];
    writer.append(encode_frame(&layout, 0, &leaves)).unwrap();
    let meta = Meta {
        variant: "tiny".into(),
        rules_text: rules.into(),
        nonterminal: 9,
        program: "greenwave 0.1.0".into(),
        ..Meta::default()
    };
    writer.finish(meta).unwrap();
    assert_eq!(storage.read(path).unwrap(), dumped());
}

#[test]
fn the_recipe_of_the_signature_is_complete() {
    let leaf = |number: u64, count: u32, payload: &[u8]| {
        let bytes = [&number.to_le_bytes()[..], &count.to_le_bytes(), payload];
        Hash32::of(&bytes.concat())
    };
    let bytes = [
        &b"greenwave table signature 1\n"[..],
        &Hash32::of(b"a tiny game\n").0,
        &5u32.to_le_bytes(),
        b"value",
        &1u32.to_le_bytes(),
        &leaf(0, 5, &[0x0d]).0,
        &leaf(1, 2, &[0x03]).0,
    ];
    let table = Table::from_bytes(dumped()).unwrap();
    assert_eq!(table.meta().signature, Hash32::of(&bytes.concat()));
}

#[test]
fn the_formula_for_frames_holds() {
    let log = |number: u64| u64::BITS - (number - 1).leading_zeros();
    for width in [1u32, 8, 64] {
        for indexable in [
            1,
            2,
            1 << 16,
            1 << 24,
            (1 << 24) + 1,
            1 << 32,
            1 << 40,
            u64::MAX,
        ] {
            let (b, w) = (log(indexable) as i32, width.ilog2() as i32);
            let expected = 16.max((29 - w).min((b / 4 + 13 - w).max(b - 18)));
            let layout = Layout::new("value", width, ValueKind::Unsigned, indexable).unwrap();
            assert_eq!(
                layout.frame_bits as i32, expected,
                "{width} bits, {indexable}"
            );
        }
    }
}
