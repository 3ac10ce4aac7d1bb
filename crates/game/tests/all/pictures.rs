//! Pictures of positions turned and mirrored, and with one square changed, of every family.

use greenwave_game::{Game, Mark, Motion, Variant};

fn images(name: &str, text: &str) -> [Option<String>; 2] {
    let variant = Variant::parse(name).unwrap();
    let position = variant.parse_position(text).unwrap();
    [Motion::Turn, Motion::Mirror].map(|motion| {
        let symmetry = variant.symmetry_showing(motion)?;
        Some(variant.position_text(&variant.image(&position, symmetry)))
    })
}

#[test]
fn every_family_is_turned_and_mirrored_as_it_is_seen() {
    for (name, text, turned, mirrored) in [
        ("classic-3x3", "R../Y../...", ".YR/.../...", "..R/..Y/..."),
        (
            "classic-3x4",
            "R.../Y.../....",
            "..../...Y/...R",
            "...R/...Y/....",
        ),
        ("noughts-3x3", "X../O../...", ".OX/.../...", "..X/..O/..."),
        (
            "noughts-3x4",
            "X.../..../....",
            "..../..../...X",
            "...X/..../....",
        ),
        (
            "bag-classic-3x3",
            "R../Y../...;RRY;YGG;RG",
            ".YR/.../...;RRY;YGG;RG",
            "..R/..Y/...;RRY;YGG;RG",
        ),
        (
            "strip",
            "R../Y../...+G..@E",
            ".YR/.../...+G..@S",
            "..R/..Y/...+..G@W",
        ),
        (
            "slider",
            "R../Y../...+G..@N",
            ".YR/.../...+G..@E",
            "..R/..Y/...+..G@N",
        ),
        (
            "ampel-4-2-1",
            "4 2 1 r 1 0 0 ./r./.y./....",
            "4 2 1 r 1 0 0 ./../.yr/....",
            "4 2 1 r 1 0 0 ./.r/.y./....",
        ),
    ] {
        let found = images(name, text);
        assert_eq!(
            found,
            [turned, mirrored].map(|text| Some(text.into())),
            "{name}"
        );
    }
}

#[test]
fn four_quarters_and_three_thirds_lead_back() {
    for (name, text, turns) in [
        ("classic-3x3", "RY./.G./...", 4),
        ("strip", "RY./.G./...+.R.@S", 4),
        ("bag-slider", "RY./.../...+..G@E;RRY;YGG;RG", 4),
        ("noughts-3x4", "XO../..../....", 2),
        ("ampel-4-2-1", "4 2 1 g 2 0 0 ./Rr/.y./...g", 3),
    ] {
        let variant = Variant::parse(name).unwrap();
        let start = variant.parse_position(text).unwrap();
        let symmetry = variant.symmetry_showing(Motion::Turn).unwrap();
        let mut at = start;
        for turn in 1..=turns {
            at = variant.image(&at, symmetry);
            assert_eq!(at == start, turn == turns, "{name}");
        }
    }
}

#[test]
fn every_family_can_be_edited_square_by_square() {
    for (name, text, square, next) in [
        ("classic-2x3", ".../...", "b1", ".../.R."),
        ("classic-2x3", "G../...", "a2", ".../..."),
        ("strip", ".../.R./...+..Y@E", "s3", ".../.R./...+..G@E"),
        ("noughts-3x3", ".../.../...", "b2", ".../.X./..."),
        ("noughts-3x3", ".../.X./...", "a1", ".../.X./O.."),
        (
            "bag-classic-3x3",
            ".../.../...;RRY;YGG;RG",
            "a1",
            ".../.../R..;RRY;YGG;RG",
        ),
        (
            "ampel-4-2-1",
            "4 2 1 r 1 0 0 ./r./.y./....",
            "a1",
            "4 2 1 r 1 0 0 r/r./.y./....",
        ),
    ] {
        let variant = Variant::parse(name).unwrap();
        let position = variant.parse_position(text).unwrap();
        let names = variant.diagram(&position).names;
        let at = names.iter().position(|name| name == square).unwrap();
        let found = variant.with_next_mark(&position, at).unwrap();
        assert_eq!(
            variant.position_text(&found),
            next,
            "{name} {text} {square}"
        );
    }
}

#[test]
fn a_board_is_cleared_and_squares_get_what_is_chosen() {
    for (name, text, cleared) in [
        ("classic-2x3", "RYG/...", ".../..."),
        ("strip", ".../.R./...+..Y@S", ".../.../...+...@S"),
        ("noughts-3x3", "XO./.X./...", ".../.../..."),
        (
            "bag-classic-3x3",
            "Y../.../...;RRY;YGG;RG",
            ".../.../...;RRY;YGG;RG",
        ),
    ] {
        let variant = Variant::parse(name).unwrap();
        let position = variant.parse_position(text).unwrap();
        let found = variant.with_no_marks(&position).unwrap();
        assert_eq!(variant.position_text(&found), cleared, "{name} {text}");
        // What stands there already is allowed, too.
        for (square, (.., mark)) in variant.diagram(&position).marks.iter().enumerate() {
            assert_eq!(variant.edited(&position, square, *mark), Some(position));
            assert!(mark.alternatives().contains(mark));
        }
    }
    let noughts = Variant::parse("noughts-3x3").unwrap();
    let two = noughts.parse_position("XO./.../...").unwrap();
    let put = |sign| noughts.edited(&two, 0, Mark::Sign(Some(sign)));
    assert!(put('X').is_some() && put('O').is_none());
}
