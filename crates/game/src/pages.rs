//! The rules pages: each family explained to people.

use crate::Family;

/// The rules page of a family, in Markdown of at most 80 columns; its last section names the sources.
/// Empty for games from rule files, which describe themselves.
#[must_use]
pub fn rules_page(family: Family) -> &'static str {
    match family {
        Family::Classic => include_str!("../rules/classic.md"),
        Family::Signal => include_str!("../rules/signal.md"),
        Family::Green => include_str!("../rules/green.md"),
        Family::Points => include_str!("../rules/points.md"),
        Family::Slider => include_str!("../rules/slider.md"),
        Family::Strip => include_str!("../rules/strip.md"),
        Family::Ampel => include_str!("../rules/ampel.md"),
        Family::Bag => include_str!("../rules/bag.md"),
        Family::Custom => "",
    }
}

/// The sources that the rules page of a family names.
#[must_use]
pub fn rules_source(family: Family) -> &'static str {
    rules_page(family)
        .rsplit_once("## Source")
        .map_or("", |(_, source)| source.trim_start_matches('s').trim())
}
