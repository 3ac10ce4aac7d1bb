//! Games with a movable strip: `slider` and `strip`.

use crate::board::family::{FOUR, SCORE};
use crate::{Family, OptionSpec};

const KIND: &str = "strip";

/// The scoring game with a strip that slides, never twice running.
pub static SLIDER: Family = Family {
    name: "slider",
    kind: KIND,
    names: &["slider"],
    sizes: "",
    wins: "lines score points; a strip slides round the board",
    options: SLIDER_OPTIONS,
    aliases: &[],
    catalogue: &["slider", "slider:score=win"],
    variations: &[],
    specimens: &["slider:four=once,turn=yes,sides=adjacent,null=forbidden,empty-strip=forbidden"],
    words: &super::words::WORDS,
    page: include_str!("slider.md"),
};

/// Three equal lights, with a strip that slides and turns freely.
pub static STRIP: Family = Family {
    name: "strip",
    kind: KIND,
    names: &["strip"],
    sizes: "",
    wins: "three equal lights; a strip slides and turns",
    options: STRIP_OPTIONS,
    aliases: &[],
    catalogue: &["strip", "strip:repeat=ban"],
    variations: &[],
    specimens: &[
        "strip:turn=no,sides=adjacent,null=forbidden,empty-strip=forbidden,wins=signal",
        "strip:sides=adjacent,null=forbidden,repeat=ban",
    ],
    words: &super::words::WORDS,
    page: include_str!("strip.md"),
};

const SIDES: OptionSpec = OptionSpec::words("sides", &["any", "adjacent"]);

const NULL: OptionSpec = OptionSpec::words("null", &["allowed", "forbidden"]);

const EMPTY_STRIP: OptionSpec = OptionSpec::words("empty-strip", &["allowed", "forbidden"]);

const SLIDER_OPTIONS: &[OptionSpec] = &[
    FOUR,
    SCORE,
    OptionSpec::words("turn", &["no", "yes"]),
    SIDES,
    NULL,
    EMPTY_STRIP,
];

const STRIP_OPTIONS: &[OptionSpec] = &[
    OptionSpec::words("turn", &["yes", "no"]),
    SIDES,
    NULL,
    EMPTY_STRIP,
    OptionSpec::words("wins", &["mono", "signal"]),
    OptionSpec::words("repeat", &["draw", "ban"]),
];
