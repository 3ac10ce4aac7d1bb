//! Documents that are handed back: what `--json` printed, as the input of another command.

use serde_json::Value;

use crate::SCHEMA;

/// A game out of documents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HandedGame {
    /// The variant.
    pub variant: Option<String>,
    /// The order of the lights.
    pub lights: Option<String>,
    /// The position that it begins from, where that is told.
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

/// The games in a text of documents, one a line, such as `line`, `review` and `play` print; `None` where it
/// is no such text, and none where the documents have no moves that were played.
#[must_use]
pub fn handed_games(text: &str) -> Option<Vec<HandedGame>> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let documents: Vec<Value> = lines.map(document).collect::<Option<_>>()?;
    if documents.is_empty() {
        return None;
    }
    let mut games: Vec<HandedGame> = Vec::new();
    for document in &documents {
        let text = |key: &str| Some(document.get(key)?.as_str()?.to_string());
        let begun = || HandedGame {
            variant: text("variant"),
            lights: text("lights"),
            first: text("first"),
            second: text("second"),
            ..HandedGame::default()
        };
        if let Some(plies) = document.get("plies").and_then(Value::as_array) {
            let start = text("start").or_else(|| text("position"));
            let mut game = HandedGame { start, ..begun() };
            plies.iter().for_each(|ply| add(&mut game.moves, ply));
            games.push(game);
            continue;
        }
        // `play` prints its game ply by ply.
        let number = document.get("ply").and_then(Value::as_u64);
        if let (Some(number), true) = (number, document.get("move").is_some()) {
            if number <= 1 || games.is_empty() {
                games.push(begun());
            }
            if let Some(game) = games.last_mut() {
                add(&mut game.moves, document);
            }
        }
    }
    Some(games)
}

/// A document of this version.
fn document(line: &str) -> Option<Value> {
    let document: Value = serde_json::from_str(line).ok()?;
    let schema = document.get("schema")?.as_u64()?;
    (schema == u64::from(SCHEMA)).then_some(document)
}

/// Adds a ply: what was drawn before it, then the move.
fn add(moves: &mut String, ply: &Value) {
    let drawn = ply.get("drawn").and_then(Value::as_array);
    let drawn = drawn.into_iter().flatten();
    for word in drawn.chain(ply.get("move")).filter_map(Value::as_str) {
        moves.push_str(word);
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
                    {\"schema\":2,\"result\":\"quit\"}\n";
        assert_eq!(played(play).unwrap(), ["a1R b1R "]);
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
