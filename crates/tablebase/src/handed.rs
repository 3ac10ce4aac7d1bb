//! Documents that are handed back: what `--json` printed, as the input of another command.

use std::fmt;

use serde::de::{Deserialize, Deserializer, SeqAccess, Visitor};
use serde_json::Value;

use crate::SCHEMA;

/// A game out of documents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HandedGame {
    /// The variant.
    pub variant: Option<String>,
    /// The order of the lights.
    pub lights: Option<String>,
    /// The position that it begins from, if the text says so.
    pub start: Option<String>,
    /// The name of the player who moves first.
    pub first: Option<String>,
    /// The name of the other.
    pub second: Option<String>,
    /// Moves and draws with blanks between them.
    pub moves: String,
}

/// Whether a line is the last one of several documents, such as `{"schema":2,"count":21}`: it counts the
/// others and has no position.
#[must_use]
pub fn is_count_line(line: &str) -> bool {
    if !line.starts_with('{') || line.contains("\"position\"") {
        return false;
    }
    document(line).is_some_and(|document| {
        let has = |key: &str| document.get(key).is_some();
        (has("count") || has("nodes")) && !has("variant")
    })
}

/// The version of the documents in a text, where it is not the present one.
#[must_use]
pub fn other_version(text: &str) -> Option<u32> {
    #[derive(serde::Deserialize)]
    struct Version {
        schema: u32,
    }
    let first = text.lines().find(|line| !line.trim().is_empty())?;
    let version: Version = serde_json::from_str(first.trim()).ok()?;
    (version.schema != SCHEMA).then_some(version.schema)
}

/// The games in a text of documents, one a line, such as `line`, `review` and `play` print; `None` where it
/// is no such text, and none where the documents have no moves that were played.
#[must_use]
pub fn handed_games(text: &str) -> Option<Vec<HandedGame>> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut games: Option<Vec<HandedGame>> = None;
    // Where each ply begins that `play` told of the last game.
    let mut before = Vec::new();
    let mut was_undone = false;
    for line in lines {
        let played: GameDocument = serde_json::from_str(line).ok()?;
        if played.schema != SCHEMA {
            return None;
        }
        let games = games.get_or_insert_default();
        let plies = played.plies.0;
        if let (Some(undone), Some(game)) = (played.undone, games.last_mut()) {
            take_back(game, &mut before, undone, played.position);
            was_undone = true;
            continue;
        }
        let begins = plies.is_some() || played.ply.is_some_and(|ply| ply <= 1) && !was_undone;
        // `play` prints its game ply by ply.
        let is_ply = played.ply.is_some() && played.mv.is_some();
        if plies.is_none() && !is_ply {
            continue;
        }
        was_undone = false;
        if begins || games.is_empty() {
            let position = plies.is_some().then_some(played.position).flatten();
            let start = played.start.told().or(position).or(played.from.told());
            before.clear();
            games.push(HandedGame {
                variant: played.variant.told(),
                lights: played.lights.told(),
                start,
                first: played.first.told(),
                second: played.second.told(),
                moves: String::new(),
            });
        }
        if let Some(game) = games.last_mut() {
            before.push(game.moves.len());
            for ply in plies.into_iter().flatten() {
                add(&mut game.moves, ply.drawn.into_iter().chain([ply.mv]));
            }
            // Of a ply or of a whole game: what was drawn after it.
            let drawn = played.drawn.told().unwrap_or_default();
            add(&mut game.moves, played.mv.into_iter().chain(drawn));
        }
    }
    games
}

/// Takes back plies of a game, each of which begins at a place in `before`. If more are taken back than were
/// told, the game begins from the position that is left.
fn take_back(
    game: &mut HandedGame,
    before: &mut Vec<usize>,
    undone: usize,
    position: Option<String>,
) {
    match before.len().checked_sub(undone) {
        Some(kept) => {
            if let Some(length) = before.drain(kept..).next() {
                game.moves.truncate(length);
            }
        }
        None => {
            before.clear();
            game.moves.clear();
            game.start = position;
        }
    }
}

/// The fields that documents of games have, and others may have.
#[derive(serde::Deserialize)]
struct GameDocument {
    schema: u32,
    #[serde(default)]
    variant: Perhaps<String>,
    #[serde(default)]
    lights: Perhaps<String>,
    #[serde(default)]
    start: Perhaps<String>,
    #[serde(default)]
    first: Perhaps<String>,
    #[serde(default)]
    second: Perhaps<String>,
    #[serde(default)]
    from: Perhaps<String>,
    position: Option<String>,
    ply: Option<u64>,
    undone: Option<usize>,
    #[serde(rename = "move")]
    mv: Option<String>,
    #[serde(default)]
    drawn: Perhaps<Vec<String>>,
    #[serde(default)]
    plies: DocumentPlies,
}

#[derive(serde::Deserialize)]
struct DocumentPly {
    #[serde(rename = "move")]
    mv: String,
    #[serde(default)]
    drawn: Vec<String>,
}

/// The plies of a game, read one by one; a count of them, as in the last document of `play`, names none.
#[derive(Default)]
struct DocumentPlies(Option<Vec<DocumentPly>>);

impl<'de> Deserialize<'de> for DocumentPlies {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<DocumentPlies, D::Error> {
        deserializer.deserialize_any(PliesOrCount)
    }
}

struct PliesOrCount;

impl<'de> Visitor<'de> for PliesOrCount {
    type Value = DocumentPlies;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("plies or their number")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<DocumentPlies, A::Error> {
        let mut plies = Vec::new();
        while let Some(ply) = seq.next_element()? {
            plies.push(ply);
        }
        Ok(DocumentPlies(Some(plies)))
    }

    fn visit_u64<E>(self, _: u64) -> Result<DocumentPlies, E> {
        Ok(DocumentPlies(None))
    }

    fn visit_unit<E>(self) -> Result<DocumentPlies, E> {
        Ok(DocumentPlies(None))
    }
}

/// A field that other documents have with another meaning.
#[derive(serde::Deserialize)]
#[serde(untagged)]
enum Perhaps<T> {
    Told(T),
    Other(serde::de::IgnoredAny),
}

impl<T> Default for Perhaps<T> {
    fn default() -> Perhaps<T> {
        Perhaps::Other(serde::de::IgnoredAny)
    }
}

impl<T> Perhaps<T> {
    fn told(self) -> Option<T> {
        match self {
            Perhaps::Told(told) => Some(told),
            Perhaps::Other(_) => None,
        }
    }
}

/// A document of this version.
fn document(line: &str) -> Option<Value> {
    let document: Value = serde_json::from_str(line).ok()?;
    let schema = document.get("schema")?.as_u64()?;
    (schema == u64::from(SCHEMA)).then_some(document)
}

/// Adds moves and draws in their order.
fn add(moves: &mut String, words: impl Iterator<Item = String>) {
    for word in words {
        moves.push_str(&word);
        moves.push(' ');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_games_or_none() {
        let played = |text: &str| {
            let games = handed_games(text)?;
            Some(games.into_iter().map(|game| game.moves).collect::<Vec<_>>())
        };
        let review = r#"{"schema":2,"variant":"bag-classic-1x3","lights":"ryg","start":"x",
            "plies":[{"ply":1,"drawn":[],"move":"+G"},{"ply":2,"drawn":["[RG]"],"move":"a1R+Y"}]}"#;
        let review = review.replace('\n', "");
        assert_eq!(played(&review).unwrap(), ["+G [RG] a1R+Y "]);
        assert_eq!(played(&format!("{review}\n{review}\n")).unwrap().len(), 2);
        let play = "{\"schema\":2,\"ply\":1,\"by\":\"human\",\"move\":\"a1R\"}\n\
                    {\"schema\":2,\"ply\":2,\"by\":\"machine\",\"move\":\"b1R\"}\n\
                    {\"schema\":2,\"result\":\"quit\",\"plies\":2}\n";
        assert_eq!(played(play).unwrap(), ["a1R b1R "]);
        // A draw follows its ply, and plies are taken back, at last more than there were.
        let ply = |number: usize, mv: &str, drawn: &str| {
            format!(
                "{{\"schema\":2,\"ply\":{number},\"move\":\"{mv}\",\"from\":\"x\",\"drawn\":[\"{drawn}\"]}}\n"
            )
        };
        let undo =
            |plies: usize| format!("{{\"schema\":2,\"undone\":{plies},\"position\":\"y\"}}\n");
        let game = [
            ply(1, "+R", "[RG]"),
            ply(2, "+G", "[RY]"),
            undo(2),
            ply(1, "+G", "[RR]"),
        ];
        assert_eq!(played(&game.concat()).unwrap(), ["+G [RR] "]);
        let game = [ply(3, "+R", "[RG]"), undo(2), ply(2, "+Y", "[RR]")].concat();
        let game = handed_games(&game).unwrap().remove(0);
        assert_eq!(
            (game.start.as_deref(), &*game.moves),
            (Some("y"), "+Y [RR] ")
        );
        assert_eq!(played("{\"schema\":2,\"position\":\"...\"}"), Some(vec![]));
        for other in ["", "b2R b2Y", "{good} b2R", "{\"schema\":1,\"plies\":[]}"] {
            assert_eq!(played(other), None, "{other}");
        }
        assert!(is_count_line("{\"schema\":2,\"count\":null,\"drawn\":3}"));
        assert!(is_count_line("{\"schema\":2,\"nodes\":3}"));
        assert!(!is_count_line(
            "{\"schema\":2,\"position\":\"...\",\"count\":1}"
        ));
        assert!(!is_count_line("{\"schema\":2}"));
    }
}
