//! The bag game: `bag-BASE` over a board or the slider.

use crate::{Family, OptionSpec, OptionValues};

/// A board or the slider with counters from a bag.
pub static BAG: Family = Family {
    name: "bag",
    kind: "bag",
    names: &[
        "bag-classic-RxC",
        "bag-signal-RxC",
        "bag-green-RxC",
        "bag-points-RxC",
        "bag-slider",
    ],
    sizes: "as without the bag",
    wins: "as without the bag; counters are drawn",
    options: SLIDER_OPTIONS,
    aliases: &[],
    catalogue: &[
        "bag-classic-3x3",
        "bag-signal-3x3",
        "bag-green-3x3",
        "bag-points-3x4",
        "bag-slider",
    ],
    variations: &[],
    specimens: &[
        "bag-classic-1x3",
        "bag-signal-2x2:counters=infinite,choice=3",
        "bag-green-1x4:return=after",
        "bag-points-2x3:choice=3,return=after",
        "bag-points-3x4:utility=win",
        "bag-slider:choice=3,return=after,slide=stuck",
        "bag-slider:counters=infinite,slide=never,utility=win",
    ],
    words: &super::words::WORDS,
    page: include_str!("bag.md"),
};

const COUNTERS: OptionSpec = OptionSpec::new("counters", "", OptionValues::Counters)
    .noted("6 up to nine squares, 8 above, or the least that never runs out");

const CHOICE: OptionSpec = OptionSpec::words("choice", &["2", "3"]);

const RETURN: OptionSpec = OptionSpec::words("return", &["before", "after"]);

const UTILITY_WIN: OptionSpec = OptionSpec::words("utility", &["win"]);

const UTILITY_POINTS: OptionSpec =
    OptionSpec::words("utility", &["points", "win"]).noted("`win` where the base scores nothing");

pub(super) const WIN_OPTIONS: &[OptionSpec] = &[COUNTERS, CHOICE, RETURN, UTILITY_WIN];

pub(super) const POINT_OPTIONS: &[OptionSpec] = &[COUNTERS, CHOICE, RETURN, UTILITY_POINTS];

pub(super) const SLIDER_OPTIONS: &[OptionSpec] = &[
    COUNTERS,
    CHOICE,
    RETURN,
    OptionSpec::words("slide", &["any-turn", "stuck", "never"]).only("bag-slider"),
    UTILITY_POINTS,
];
