//! Promises for every input, however hostile: the program reads or refuses a text, never more;
//! files are correct or refused. Each function here takes one input and panics when the promise is
//! broken. The fuzz targets feed them bytes, the stable tests made-up texts and damaged tables.

use std::path::Path;
use std::sync::OnceLock;

use greenwave_game::{Dense, Game, Metric, Variant};
use greenwave_probe::{answer, verify};
use greenwave_solver::solve;
use greenwave_table::{
    Hash32, Layout, Leaf, MemoryStorage, Meta, Table, TableError, TableWriter, encode_frame,
};
use greenwave_values::{Silent, TableValues, Values, meta, summarise};

use crate::laws;

/// Variants whose texts are tried: every kind of notation, with and without limits.
pub const VARIANTS: &[&str] = &[
    "classic-3x4",
    "signal-1x3",
    "points-5x6:supply=cap3",
    "green-2x2:supply=pool3",
    "classic-1x32",
    "slider",
    "strip",
    "ampel-4-3-1",
];

/// Reading a position: a position comes back from its own text, in every order of the lights; a refusal
/// names at least one fault with its place, and an example that would do.
pub fn position_text(variant: &Variant, text: &str) {
    for variant in variant.in_each_order() {
        match variant.parse_position(text) {
            Ok(position) => {
                let written = variant.position_text(&position);
                assert_eq!(variant.parse_position(&written), Ok(position), "{written}");
                assert!(variant.canonical(&position) <= position);
                let mut moves = Vec::new();
                variant.moves(&position, &mut moves);
                assert_eq!(
                    moves.is_empty(),
                    variant.ending(&position).is_some(),
                    "{written}"
                );
                for mv in moves {
                    let written = variant.move_text(&position, mv);
                    assert_eq!(variant.parse_move(&position, &written), Ok(mv), "{written}");
                }
            }
            Err(error) => {
                assert_eq!(error.text, text);
                assert!(!error.faults.is_empty());
                for fault in &error.faults {
                    assert!(
                        !fault.place.to_string().is_empty() && !fault.problem.english().is_empty(),
                        "{error}"
                    );
                }
                assert!(variant.parse_position(&error.example).is_ok(), "{error}");
            }
        }
    }
}

/// Reading a move of the start or of the position after its first move: only legal moves are read.
pub fn move_text(variant: &Variant, text: &str) {
    let start = variant.start();
    let mut moves = Vec::new();
    variant.moves(&start, &mut moves);
    let next = moves.first().map(|mv| variant.play(&start, *mv).to);
    for position in [Some(start), next].into_iter().flatten() {
        variant.moves(&position, &mut moves);
        match variant.parse_move(&position, text) {
            Ok(mv) => assert!(moves.contains(&mv), "'{text}' is read as {mv:?}"),
            Err(error) => {
                assert_eq!(error.legal.len(), moves.len());
                assert!(!error.problem.english().is_empty(), "{error}");
            }
        }
    }
}

/// Reading a variant name with options: a variant obeys the laws of rules; a refusal says what is
/// allowed, on one line unless the name itself has several.
pub fn variant_name(text: &str) {
    match Variant::parse(text) {
        Ok(variant) => {
            let broken = laws::of_rules(&variant);
            assert!(broken.is_empty(), "'{text}': {broken:?}");
            let start = variant.position_text(&variant.start());
            assert_eq!(variant.parse_position(&start), Ok(variant.start()));
        }
        Err(error) => {
            let message = error.to_string();
            let ways_out = [
                "allowed: ",
                "expected ",
                "lists the catalogue",
                "keys of ",
                "once",
                "leave out",
            ];
            assert!(message.contains("variant '"), "{message}");
            assert!(
                ways_out.iter().any(|way| message.contains(way)),
                "{message}"
            );
            assert!(text.contains('\n') || !message.contains('\n'), "{message}");
        }
    }
}

/// A small solved game with its table.
pub struct Specimen {
    /// The variant.
    pub variant: Variant,
    /// Its values.
    pub values: Values,
    /// The bytes of its table.
    pub bytes: Vec<u8>,
}

/// Small tables of every kind of value: codes of one, two and eight bits, signed points.
#[must_use]
pub fn specimens() -> &'static [Specimen] {
    static SPECIMENS: OnceLock<Vec<Specimen>> = OnceLock::new();
    SPECIMENS.get_or_init(|| {
        [
            ("classic-1x4", Metric::Distance),
            ("classic-1x4", Metric::Value),
            ("signal-1x4", Metric::Nimber),
            ("green-1x5:supply=cap2", Metric::Value),
            ("points-1x5:end=play-on", Metric::Points),
        ]
        .map(|(name, metric)| specimen(name, metric))
        .into()
    })
}

fn specimen(name: &str, metric: Metric) -> Specimen {
    let variant = Variant::parse(name).unwrap_or_else(|error| panic!("{error}"));
    let values =
        solve(&variant, metric, u64::MAX, &Silent).unwrap_or_else(|error| panic!("{error}"));
    let Variant::Board(game) = &variant else {
        panic!("{name} is a board")
    };
    let bytes = table_of(game, &values).unwrap_or_else(|error| panic!("{error}"));
    Specimen {
        variant,
        values,
        bytes,
    }
}

// The bytes of a table, by way of a file in memory.
fn table_of<G: Dense>(game: &G, values: &Values) -> Result<Vec<u8>, TableError> {
    let rules = game.rules();
    let metric = values.metric();
    let numbered = values.numbered::<G>();
    let layout = numbered
        .layout(game)
        .unwrap_or_else(|error| panic!("{error}"));
    let storage = MemoryStorage::default();
    let path = Path::new("specimen.gwt");
    let hash = Hash32(rules.hash.0);
    let mut writer = TableWriter::create_in(storage.clone(), path, layout.clone(), hash)?;
    for frame in 0..layout.frames() {
        let leaves: Vec<Leaf> = layout
            .leaves_of_frame(frame)
            .map(|leaf| numbered.encode(game, &layout, leaf))
            .collect();
        writer.append(encode_frame(&layout, frame, &leaves))?;
    }
    writer.finish(meta(
        rules,
        metric.name(),
        layout.indexable,
        &summarise(game, values),
    ))?;
    Ok(storage.read(path).unwrap_or_default())
}

/// Opening, probing and verifying a file: it is refused or read, whatever its bytes are; a table
/// that passes `verify` holds the true values.
pub fn table_bytes(bytes: &[u8]) {
    let Ok(table) = Table::from_bytes(bytes.to_vec()) else {
        return;
    };
    for leaf in 0..table.layout().leaves().min(8) {
        if let Ok(view) = table.leaf(leaf) {
            assert_eq!(view.values().count() as u32, view.count());
        }
    }
    let sound = table.check().is_ok();
    for specimen in specimens() {
        let Variant::Board(game) = &specimen.variant else {
            continue;
        };
        let Ok(source) = TableValues::new(game, &table) else {
            continue;
        };
        // Answered or refused, at positions near the start and near the end.
        for index in [0, 1, 6, game.indexable() as u64 - 2] {
            let position = game.at(index).unwrap_or(game.start());
            let _ = answer(game, &position, &source);
        }
        let Ok(verified) = verify(&source, game, &|_| ()) else {
            continue;
        };
        assert!(sound, "verified, but its checksums are wrong");
        if verified.mismatches > 0 || source.metric() != specimen.values.metric() {
            continue;
        }
        let loaded = source
            .load()
            .unwrap_or_else(|error| panic!("verified, but {error}"));
        let unfinished = |index: &u64| game.at(*index).is_some_and(|at| game.ending(&at).is_none());
        for index in (0..game.indexable() as u64).filter(unfinished) {
            assert_eq!(
                loaded.figures(index),
                specimen.values.figures(index),
                "index {index}"
            );
        }
    }
}

/// A table as a forger would write it who knows the format: with changed metadata and values, and
/// all that follows from them made to fit. Gives `None` where the bytes are no table, and where the
/// change cannot be written.
pub fn forged(bytes: &[u8], change: impl FnOnce(&mut Meta, &mut [Leaf])) -> Option<Vec<u8>> {
    let table = Table::from_bytes(bytes.to_vec()).ok()?;
    let layout = table.layout().clone();
    let leaves = (0..layout.leaves()).map(|leaf| Some(table.leaf(leaf).ok()?.to_leaf()));
    let mut leaves = leaves.collect::<Option<Vec<Leaf>>>()?;
    let mut meta = table.meta().clone();
    change(&mut meta, &mut leaves);
    let storage = MemoryStorage::default();
    let path = Path::new("forged.gwt");
    let hash = meta.rules_hash;
    let layout = Layout {
        value_bits: meta.value_bits,
        kind: meta.kind,
        indexable: meta.indexable,
        ..layout
    };
    let mut writer = TableWriter::create_in(storage.clone(), path, layout.clone(), hash).ok()?;
    for frame in 0..layout.frames() {
        let numbers = layout.leaves_of_frame(frame);
        let here = numbers.map(|leaf| leaves.get(leaf as usize).cloned());
        let here = here.collect::<Option<Vec<Leaf>>>()?;
        writer.append(encode_frame(&layout, frame, &here)).ok()?;
    }
    writer.finish(meta).ok()?;
    storage.read(path)
}

/// Reading metadata: bytes in place of those of a sound table, with checksums that agree.
pub fn metadata(bytes: &[u8]) {
    let host = &specimens()[0].bytes;
    let directory_end = number(host, 40);
    let mut file = host[..directory_end].to_vec();
    file.extend_from_slice(bytes);
    put(&mut file, 48, bytes.len());
    let len = file.len();
    put(&mut file, 16, len);
    assert!(reseal(&mut file));
    table_bytes(&file);
}

/// The metadata of a sound table, to begin with.
#[must_use]
pub fn sound_metadata() -> &'static [u8] {
    let host = &specimens()[0].bytes;
    &host[number(host, 40)..]
}

/// Puts right the checksums of frames, directory, metadata and preamble, as somebody would who wants
/// a changed file to be believed; false where the file has not even the parts to do it for. Offsets
/// are those of `docs/format.md`.
pub fn reseal(bytes: &mut [u8]) -> bool {
    if bytes.len() < 64 {
        return false;
    }
    let part = |bytes: &[u8], at: usize| {
        let (start, len) = (number(bytes, at), number(bytes, at + 8));
        let end = start.checked_add(len).filter(|end| *end <= bytes.len())?;
        Some(start..end)
    };
    let (Some(directory), Some(metadata)) = (part(bytes, 24), part(bytes, 40)) else {
        return false;
    };
    reseal_frames(bytes, directory.clone());
    let crc = crc32fast::hash(&bytes[directory]);
    bytes[12..16].copy_from_slice(&crc.to_le_bytes());
    let crc = crc32fast::hash(&bytes[metadata]);
    bytes[56..60].copy_from_slice(&crc.to_le_bytes());
    let crc = crc32fast::hash(&bytes[..60]);
    bytes[60..64].copy_from_slice(&crc.to_le_bytes());
    true
}

// The bitmap is as long as its set bits leave room for entries of twelve bytes.
fn reseal_frames(bytes: &mut [u8], directory: std::ops::Range<usize>) {
    let (start, len) = (directory.start, directory.len());
    let mut set = 0;
    for bitmap in 1..=len {
        set += bytes[start + bitmap - 1].count_ones() as usize;
        if bitmap + 12 * set != len {
            continue;
        }
        let mut frame = 64;
        for entry in (start + bitmap..directory.end).step_by(12) {
            let stored = u32::from_le_bytes([0, 1, 2, 3].map(|at| bytes[entry + at])) & !(1 << 31);
            let end = frame + stored as usize;
            if end > start {
                return;
            }
            let crc = crc32fast::hash(&bytes[frame..end]);
            bytes[entry + 4..entry + 8].copy_from_slice(&crc.to_le_bytes());
            frame = end;
        }
        return;
    }
}

fn number(bytes: &[u8], at: usize) -> usize {
    let bytes = [0, 1, 2, 3, 4, 5, 6, 7].map(|byte| bytes[at + byte]);
    usize::try_from(u64::from_le_bytes(bytes)).unwrap_or(usize::MAX)
}

fn put(bytes: &mut [u8], at: usize, number: usize) {
    bytes[at..at + 8].copy_from_slice(&(number as u64).to_le_bytes());
}
