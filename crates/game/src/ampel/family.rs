//! Ampel: `ampel-SIDE-DISCS-YELLOWS`.

use crate::{Family, OptionSpec};

/// Signals on a triangle.
pub static AMPEL: Family = Family {
    name: "ampel",
    kind: "ampel",
    names: &["ampel", "ampel-SIDE-DISCS-YELLOWS"],
    sizes: "sides 4 to 11",
    wins: "half of the yellow discs, by signals on a triangle",
    options: OPTIONS,
    aliases: &[],
    catalogue: &[
        "ampel-4-2-1",
        "ampel-4-3-1",
        "ampel-5-2-2",
        "ampel-5-3-3",
        "ampel",
    ],
    variations: &[],
    specimens: &[
        "ampel-4-20-1:stuck-add=loss",
        "ampel-5-2-2:own-cylinder=frozen,stuck-add=off",
        "ampel-6-3-2:start-point=block,first-step=blocked",
        "ampel-9-20-10",
    ],
    words: &super::words::WORDS,
    page: include_str!("ampel.md"),
};

const OPTIONS: &[OptionSpec] = &[
    OptionSpec::words("start-point", &["pass", "block"]),
    OptionSpec::words("first-step", &["free", "blocked"]),
    OptionSpec::words("own-cylinder", &["moves", "frozen"]),
    OptionSpec::words("stuck-add", &["keep", "off", "loss"]),
];
