//! The words beside a picture of a board.

use greenwave_game::Variant;
use greenwave_words::Language;

/// The titles of the counters beside the board of a bag game.
pub(crate) fn row_titles(words: Language) -> Vec<String> {
    let keys = ["hand-own", "hand-other", "market", "in-bag"];
    keys.map(|key| words.text(key).to_string()).into()
}

/// The letters of the lights in their order, each with its word; empty in games without them.
pub(crate) fn lights(words: Language, variant: &Variant, between: &str) -> String {
    let Some(lights) = variant.rules().lights else {
        return String::new();
    };
    let shown = lights.up_to(variant.rules().highest_level());
    let names = shown.map(|(letter, name)| format!("{letter} {}", words.text(name)));
    names.collect::<Vec<_>>().join(between)
}
