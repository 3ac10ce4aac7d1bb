//! The description of the questions for programs.

use serde_json::{Value, json};

use crate::api::{ApiQuestion, QUESTIONS};
use crate::explorer::Explorer;
use crate::routes::AnswerKind;

fn meaning(asked: &ApiQuestion, parameter: &str) -> &'static str {
    match parameter {
        "level" if asked.name == "play" => {
            "How well the program plays: perfect (if not given), strong, medium or easy"
        }
        "depth" => "Plies at most, up to 6; 4 if not given",
        "for" => {
            "first or second: one move of this player in each position; all moves if not given"
        }
        "level" => "How hard, 1 to 5; any if not given",
        "theme" => "Theme of the puzzles: fork, parity, only-moves or strip; anything if not given",
        "variants" => "Variants with blanks between them, such as classic-3x3+signal-3x3",
        "expression" => "What to look for, such as value = loss and distance >= 18",
        "fields" => "What to show of each match, such as value,moves,b2",
        "limit" => {
            "The most matches to list, the first in index order; 100 if not given, at most 10000"
        }
        "sample" => "The number of matches to draw at random, at most 10000",
        "count" if asked.name == "find" => "1 for the number of matches alone",
        "count" => "How many, at most 24; 1 if not given",
        "up-to-symmetry" => "1 for one position of each orbit under the symmetries of the board",
        "seed" => "What is random follows from it; 0 if not given",
        "claim" => {
            "Id of a built-in claim, several with commas between them, or a claim about all positions \
             that play reaches, such as classic-3x3 none: value = draw; all built-in ones if not given"
        }
        "list" => "1 for the claims as they stand, unsettled",
        "variant" => "Name of a variant, such as classic-3x4 or classic-3x3:play=misere",
        "position" => "Position, rows from the top with / between; the start if not given",
        "moves" => "Moves played from the position, with commas between them",
        "lights" => "Order of the lights in texts: ryg or gyr",
        "budget" => {
            "Time such as 500ms or 2s, or a number of positions; at most what the server allows"
        }
        "boards" => "Boards with blanks between them, each VARIANT or VARIANT=POSITION",
        "lang" if ["rules", "explain"].contains(&asked.name) => {
            "Language of the text: en, pt, es or de"
        }
        "lang" => "Language of pages: en, pt, es or de; documents are in English",
        "metric" => "What to count, several with commas between them, or all; such as value,nimber",
        "film" => "1 for an animated picture of all positions of the game",
        "misere" => "1 where whoever makes the last move of all loses",
        "values" => "1 for the values of all moves on their squares",
        _ => "",
    }
}

/// The description, after OpenAPI 3.1.
pub(crate) fn description(explorer: &Explorer) -> Value {
    let problem = |text: &str| {
        json!({
            "description": text,
            "content": { "application/json": { "schema": { "$ref": "schemas/error.json" } } }
        })
    };
    let paths = QUESTIONS.iter().map(|asked| {
        let parameters = asked.needed.iter().chain(asked.allowed);
        let parameters: Vec<Value> = parameters
            .map(|parameter| {
                json!({
                    "name": parameter,
                    "in": "query",
                    "required": asked.needed.contains(parameter),
                    "description": meaning(asked, parameter),
                    "schema": { "type": "string" }
                })
            })
            .collect();
        let media = asked.kind().media_type();
        let content = match asked.kind() {
            // Of several documents each line is one.
            AnswerKind::Json | AnswerKind::Coming(..) | AnswerKind::Lines => {
                json!({ media: { "schema": { "$ref": format!("schemas/{}.json", asked.name) } } })
            }
            AnswerKind::Svg | AnswerKind::Text | AnswerKind::Page | AnswerKind::Embedded | AnswerKind::Moved => json!({ media: {} }),
        };
        let coming = json!({ "application/json": { "schema": {
            "allOf": [{ "$ref": format!("schemas/{}.json", asked.name) }],
            "properties": { "pending": {
                "type": "object",
                "required": ["share", "seconds"],
                "properties": { "share": { "type": "number" }, "seconds": { "type": "integer" } }
            } }
        } } });
        let operation = json!({
            "get": {
                "summary": asked.summary,
                "operationId": asked.name.trim_end_matches(".svg"),
                "parameters": parameters,
                "responses": {
                    "200": { "description": "The answer", "content": content },
                    "202": {
                        "description": "An answer that a later one will better: see pending and Retry-After",
                        "content": if asked.kind() == AnswerKind::Json { coming } else { content.clone() }
                    },
                    "308": { "description": "The path has another form: see Location" },
                    "400": problem("The question cannot be answered as it was put"),
                    "404": problem("No such path or variant"),
                    "412": problem("The document there is not the one that If-Match or If-Unmodified-Since names"),
                    "413": problem("The request is longer than 8 KiB"),
                    "429": problem("More computing than the share of one client"),
                    "503": problem("All jobs are busy, or the game is being solved; see Retry-After")
                }
            }
        });
        (format!("/api/v1/{}", asked.name), operation)
    });
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Greenwave",
            "version": explorer.settings.version,
            "description": "Values of every position of the Traffic Lights family of games. Values are \
                for the player to move, those of a move for the player who makes it; distances are in \
                plies, one player's moves."
        },
        "servers": [{ "url": explorer.settings.base_url.as_ref().map_or_else(|| "/".to_string(), ToString::to_string) }],
        "paths": serde_json::Map::from_iter(paths)
    })
}
