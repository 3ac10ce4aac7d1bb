//! Noughts and crosses: `noughts-RxC`.

use crate::{Family, OptionSpec};

/// Marks of one's own, this many in a row.
pub static NOUGHTS: Family = Family {
    name: "noughts",
    kind: "noughts",
    names: &["noughts-RxC"],
    sizes: "R ranks, C files, up to 32 squares",
    wins: "three, four, five or six own marks in a line",
    options: &[
        OptionSpec::words("play", &["normal", "misere"]),
        OptionSpec::words("line", &["3", "4", "5", "6"]),
    ],
    aliases: &[],
    catalogue: &[
        "noughts-3x3",
        "noughts-3x4",
        "noughts-4x4",
        "noughts-4x4:line=4",
    ],
    variations: &[],
    specimens: &[
        "noughts-1x3",
        "noughts-2x2",
        "noughts-3x3:line=4",
        "noughts-2x3:play=misere",
        "noughts-3x3:play=misere",
        "noughts-3x5:line=5",
        "noughts-5x5:line=4",
        "noughts-4x8:play=misere,line=6",
        "noughts-1x32:line=6",
    ],
    words: &super::words::WORDS,
    page: include_str!("noughts.md"),
};
