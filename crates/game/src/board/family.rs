//! Fixed boards: `classic-RxC`, `signal-RxC`, `green-RxC`, `points-RxC`.

use crate::{Alias, Family, Lights, OptionSpec, OptionValues, WinPattern};

/// All of them.
pub(crate) static FAMILIES: [&Family; 4] = [&CLASSIC, &SIGNAL, &GREEN, &POINTS];

const KIND: &str = "board";
const SIZES: &str = "R ranks, C files, up to 32 squares";

/// Three equal lights.
pub static CLASSIC: Family = Family {
    name: "classic",
    kind: KIND,
    names: &["classic-RxC"],
    sizes: SIZES,
    wins: "three equal lights in a line",
    options: WIN_OPTIONS,
    aliases: &[
        Alias {
            name: "semaforo",
            means: "classic-3x4",
            lights: Lights::Gyr,
            is_shown: true,
        },
        Alias {
            name: "traffic-lights",
            means: "classic-3x3",
            lights: Lights::Ryg,
            is_shown: false,
        },
    ],
    catalogue: &["classic-3x3", "classic-3x4", "classic-3x5", "classic-4x4"],
    variations: &[
        "classic-3x3:play=misere",
        "classic-3x4:play=misere",
        "classic-3x3:supply=cap4",
        "classic-3x3:supply=cap5",
        "classic-3x3:supply=cap6",
        "classic-3x3:supply=pool6",
        "classic-3x4:supply=cap7",
        "classic-3x4:supply=cap8",
    ],
    specimens: &[
        "classic-1x1",
        "classic-1x6:supply=pool3,stalemate=loss",
        "classic-2x3:play=misere,supply=cap2,stalemate=pass",
        "classic-1x32",
    ],
    words: &super::words::WORDS,
    page: include_str!("classic.md"),
};

/// Three equal lights, or all three in order.
pub static SIGNAL: Family = Family {
    name: "signal",
    kind: KIND,
    names: &["signal-RxC"],
    sizes: SIZES,
    wins: "the same, or red-yellow-green",
    options: WIN_OPTIONS,
    aliases: &[],
    catalogue: &["signal-3x3", "signal-3x4"],
    variations: &[],
    specimens: &[
        "signal-1x3",
        "signal-2x3:supply=pool4,stalemate=pass",
        "signal-32x1:play=misere",
    ],
    words: &super::words::WORDS,
    page: include_str!("signal.md"),
};

/// Three green lights only.
pub static GREEN: Family = Family {
    name: "green",
    kind: KIND,
    names: &["green-RxC"],
    sizes: SIZES,
    wins: "three green lights in a line",
    options: WIN_OPTIONS,
    aliases: &[],
    catalogue: &["green-3x3", "green-3x4"],
    variations: &[],
    specimens: &["green-2x2", "green-4x8:supply=cap9"],
    words: &super::words::WORDS,
    page: include_str!("green.md"),
};

/// The scoring game.
pub static POINTS: Family = Family {
    name: "points",
    kind: KIND,
    names: &["points-RxC"],
    sizes: SIZES,
    wins: "lines score points",
    options: POINT_OPTIONS,
    aliases: &[],
    catalogue: &["points-3x3", "points-3x4", "points-3x4:end=play-on"],
    variations: &[],
    specimens: &[
        "points-1x5:four=once",
        "points-2x3:supply=cap2,end=play-on",
        "points-3x4:end=play-on,four=once",
        "points-3x4:score=win",
        "points-5x6:supply=pool12",
    ],
    words: &super::words::WORDS,
    page: include_str!("points.md"),
};

const SUPPLY: OptionSpec =
    OptionSpec::new("supply", "unlimited", OptionValues::Supply).noted("N from 1 to 99");

pub(crate) const FOUR: OptionSpec = OptionSpec::words("four", &["twice", "once"]);

pub(crate) const SCORE: OptionSpec = OptionSpec::words("score", &["points", "win"]);

const WIN_OPTIONS: &[OptionSpec] = &[
    OptionSpec::words("play", &["normal", "misere"]),
    SUPPLY,
    OptionSpec::words("stalemate", &["draw", "loss", "pass"]),
];

const POINT_OPTIONS: &[OptionSpec] = &[
    SUPPLY,
    OptionSpec::words("end", &["first-line", "play-on"]),
    FOUR,
    SCORE,
];

/// Points of a completed line: three reds 1, three yellows 5, three greens 2, red-yellow-green 3.
const PATTERNS: [([u8; 3], i32); 5] = [
    ([1, 1, 1], 1),
    ([2, 2, 2], 5),
    ([3, 3, 3], 2),
    ([1, 2, 3], 3),
    ([3, 2, 1], 3),
];

/// The patterns whose levels are wanted.
pub(crate) fn patterns(wanted: impl Fn([u8; 3]) -> bool) -> Vec<WinPattern> {
    PATTERNS
        .into_iter()
        .filter(|(levels, _)| wanted(*levels))
        .map(|(levels, points)| WinPattern {
            levels: levels.to_vec(),
            points,
        })
        .collect()
}
