//! The words in a picture of a board.

use greenwave_picture::Words;
use greenwave_words::Language;

/// The words for what stands on squares.
pub(crate) fn on_squares(words: Language) -> Words<'static> {
    Words {
        empty: words.text("empty"),
        nothing: words.text("nothing"),
        red: words.text("red"),
        yellow: words.text("yellow"),
        green: words.text("green"),
        cylinder: words.text("cylinder"),
    }
}

/// The titles of the counters beside the board of a bag game.
pub(crate) fn row_titles(words: Language) -> Vec<String> {
    let keys = ["hand-own", "hand-other", "market", "in-bag"];
    keys.map(|key| words.text(key).to_string()).into()
}
