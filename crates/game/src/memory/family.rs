//! The family of the games that rule files describe.

use crate::Family;

/// What rule files describe: a family without names, options and page.
pub static CUSTOM: Family = Family {
    name: "custom",
    kind: "custom",
    names: &[],
    sizes: "",
    wins: "what the rule file says",
    options: &[],
    aliases: &[],
    catalogue: &[],
    variations: &[],
    specimens: &[],
    words: &super::words::WORDS,
    page: "",
};
