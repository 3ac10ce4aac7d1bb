//! The promises of the fuzz targets, kept through proptest: texts out of nothing and texts nearly
//! right, damaged tables with and without checksums that agree.

use greenwave_game::{Game, Variant};
use greenwave_testkit::{PositionSample, promises};
use proptest::prelude::*;

fn variant() -> impl Strategy<Value = Variant> {
    prop::sample::select(promises::VARIANTS).prop_map(|name| match Variant::parse(name) {
        Ok(variant) => variant,
        Err(error) => panic!("{error}"),
    })
}

// Letters that mean something in some text, and some that never do.
fn letters() -> impl Strategy<Value = String> {
    "[.RYGroyaO0-4/+@,;:=a-dENSWt -]{0,24}|\\PC{0,12}"
}

// A right text, or a right text with a piece replaced by another.
fn nearly(texts: Vec<String>) -> impl Strategy<Value = String> {
    let index = any::<prop::sample::Index>();
    (
        prop::sample::select(texts),
        index,
        0..6_usize,
        letters(),
        any::<bool>(),
    )
        .prop_map(|(text, at, length, piece, right)| {
            if right {
                return text;
            }
            let letters: Vec<char> = text.chars().collect();
            let at = at.index(letters.len() + 1);
            let end = (at + length).min(letters.len());
            letters[..at]
                .iter()
                .copied()
                .chain(piece.chars())
                .chain(letters[end..].iter().copied())
                .collect()
        })
}

fn position_texts(variant: &Variant) -> Vec<String> {
    PositionSample::of_games(variant, 7, 60)
        .positions
        .iter()
        .map(|position| variant.position_text(position))
        .collect()
}

fn move_texts(variant: &Variant) -> Vec<String> {
    variant.move_texts(&variant.start())
}

// A name of any family with options of that family, sometimes of another.
fn names() -> impl Strategy<Value = String> {
    let base = prop::sample::select(vec![
        "classic-3x3",
        "signal-2x5",
        "green-4x8",
        "points-1x7",
        "slider",
        "strip",
        "semaforo",
        "classic-0x3",
        "points-33x1",
        "bag-classic",
        "",
    ]);
    let option = prop::sample::select(promises::VARIANTS.to_vec()).prop_flat_map(|name| {
        let Ok(variant) = Variant::parse(name) else {
            panic!("{name} is a variant")
        };
        let words: Vec<String> = variant
            .rules()
            .family
            .options
            .iter()
            .zip(&variant.rules().options)
            .flat_map(|(spec, setting)| {
                let allowed = setting.allowed.to_string();
                let values = allowed.split(", ").chain(["cap4", "pool99", "cap0", ""]);
                values
                    .map(|value| format!("{}={value}", spec.key))
                    .collect::<Vec<_>>()
            })
            .collect();
        prop::sample::select(words)
    });
    (base, prop::collection::vec(option, 0..4)).prop_map(|(base, options)| {
        if options.is_empty() {
            base.into()
        } else {
            format!("{base}:{}", options.join(","))
        }
    })
}

// Bytes of a sound file with some changed, cut off or put in.
fn damaged(bytes: Vec<u8>) -> impl Strategy<Value = Vec<u8>> {
    let index = any::<prop::sample::Index>;
    let changes = prop::collection::vec((index(), any::<u8>()), 0..6);
    let cut = prop::option::weighted(0.2, index());
    let put = prop::option::weighted(0.2, (index(), prop::collection::vec(any::<u8>(), 1..20)));
    (changes, cut, put).prop_map(move |(changes, cut, put)| {
        let mut bytes = bytes.clone();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Some((at, piece)) = put {
            let at = at.index(bytes.len());
            bytes.splice(at..at, piece);
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        bytes
    })
}

fn damaged_table() -> impl Strategy<Value = Vec<u8>> {
    let specimens = promises::specimens();
    (0..specimens.len())
        .prop_flat_map(|number| damaged(promises::specimens()[number].bytes.clone()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn any_text_is_read_as_a_position_or_refused(variant in variant(), text in letters()) {
        promises::position_text(&variant, &text);
    }

    #[test]
    fn nearly_right_positions_are_read_or_refused(
        (variant, text) in variant().prop_flat_map(|variant| {
            let texts = nearly(position_texts(&variant));
            (Just(variant), texts)
        })
    ) {
        promises::position_text(&variant, &text);
    }

    #[test]
    fn any_text_is_read_as_a_move_or_refused(
        (variant, text) in variant().prop_flat_map(|variant| {
            let texts = prop_oneof![letters(), nearly(move_texts(&variant))];
            (Just(variant), texts)
        })
    ) {
        promises::move_text(&variant, &text);
    }

    #[test]
    fn any_text_is_read_as_a_variant_or_refused(
        text in prop_oneof![names(), letters(), names().prop_flat_map(|name| nearly(vec![name]))]
    ) {
        promises::variant_name(&text);
    }

    #[test]
    fn damaged_tables_are_right_or_refused(bytes in damaged_table()) {
        promises::table_bytes(&bytes);
    }

    #[test]
    fn resealed_tables_are_right_or_refused(bytes in damaged_table()) {
        let mut bytes = bytes;
        promises::reseal(&mut bytes);
        promises::table_bytes(&bytes);
    }

    #[test]
    fn damaged_metadata_is_read_or_refused(
        bytes in prop_oneof![
            damaged(promises::sound_metadata().to_vec()),
            prop::collection::vec(any::<u8>(), 0..200),
        ]
    ) {
        promises::metadata(&bytes);
    }
}

#[test]
fn sound_tables_keep_the_promise() {
    for specimen in promises::specimens() {
        let name = &specimen.variant.rules().name;
        let table = greenwave_table::Table::from_bytes(specimen.bytes.clone());
        assert!(table.is_ok(), "{name}: {:?}", table.err());
        promises::table_bytes(&specimen.bytes);
        let mut again = specimen.bytes.clone();
        assert!(promises::reseal(&mut again));
        assert_eq!(
            again, specimen.bytes,
            "{name}: checksums were right already"
        );
    }
    promises::metadata(promises::sound_metadata());
}
