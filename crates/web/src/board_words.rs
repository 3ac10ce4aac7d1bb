//! The words beside a picture of a board.

use greenwave_words::Language;

/// The titles of the counters beside the board of a bag game.
pub(crate) fn row_titles(words: Language) -> Vec<String> {
    let keys = ["hand-own", "hand-other", "market", "in-bag"];
    keys.map(|key| words.text(key).to_string()).into()
}
