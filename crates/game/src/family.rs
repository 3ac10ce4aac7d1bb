//! The data of a family of games, which stand in the folder of its game, with its rules page.

use std::fmt;

use crate::{Lights, OptionSpec, Vocabulary};

/// Games that differ in size and options only: the sizes on offer, and the form of their names.
#[derive(Debug)]
pub struct Family {
    /// The first word of its variants' names.
    pub name: &'static str,
    /// The board of its games. Families that share it stand beside each other in [`FAMILIES`](crate::FAMILIES), and
    /// what the catalogue has of them beside each other, too.
    pub kind: &'static str,
    /// How its names are written: `classic-RxC`.
    pub names: &'static [&'static str],
    /// The meaning of the letters in such names; empty where there is one size.
    pub sizes: &'static str,
    /// What wins, in a few words.
    pub wins: &'static str,
    /// The options, in canonical order.
    pub options: &'static [OptionSpec],
    /// Other names of its variants.
    pub aliases: &'static [Alias],
    /// Variants of the catalogue.
    pub catalogue: &'static [&'static str],
    /// More of them, which are listed when all families of the same kind have had their turn.
    pub variations: &'static [&'static str],
    /// Variants beside those of the catalogue on which laws are checked: small ones, whose positions
    /// are all looked at, some at the limits, and every option.
    pub specimens: &'static [&'static str],
    /// What its games say of themselves.
    pub words: &'static Vocabulary,
    /// The rules page, in Markdown.
    pub page: &'static str,
}

impl Family {
    /// The sources of the rules: the last section of the page.
    #[must_use]
    pub fn source(&self) -> &'static str {
        self.page
            .rsplit_once("## Source")
            .map_or("", |(_, source)| source.trim_start_matches('s').trim())
    }
}

impl PartialEq for Family {
    fn eq(&self, other: &Family) -> bool {
        self.name == other.name
    }
}

impl Eq for Family {}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name)
    }
}

/// Another name of a variant.
#[derive(Clone, Copy, Debug)]
pub struct Alias {
    /// The name.
    pub name: &'static str,
    /// What it means.
    pub means: &'static str,
    /// The order of its lights.
    pub lights: Lights,
    /// Whether people see this name instead of its meaning.
    pub is_shown: bool,
}
