//! The description of the questions for programs.

use serde_json::{Value, json};

use crate::api::QUESTIONS;
use crate::explorer::Explorer;

fn meaning(parameter: &str) -> &'static str {
    match parameter {
        "variant" => "Name of a variant, such as classic-3x4 or classic-3x3:play=misere",
        "position" => "Position, rows from the top with / between; the start if not given",
        "moves" => "Moves played from the position, with commas between them",
        "colours" => "Order of the lights in texts: ryg or gyr",
        "budget" => {
            "Time such as 500ms or 2s, or a number of positions; at most what the server allows"
        }
        "boards" => "Boards with blanks between them, each VARIANT or VARIANT=POSITION",
        "lang" => "Language of pages; documents are in English",
        _ => "",
    }
}

/// The description, after OpenAPI 3.1.
pub(crate) fn description(explorer: &Explorer) -> Value {
    let problem = |text: &str| {
        json!({
            "description": text,
            "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Error" } } }
        })
    };
    let paths = QUESTIONS.iter().map(|(name, summary, parameters)| {
        let parameters: Vec<Value> = parameters
            .iter()
            .map(|parameter| {
                json!({
                    "name": parameter,
                    "in": "query",
                    "required": *parameter == "variant",
                    "description": meaning(parameter),
                    "schema": { "type": "string" }
                })
            })
            .collect();
        let media = match *name {
            "draw.svg" => "image/svg+xml",
            _ => "application/json",
        };
        let operation = json!({
            "get": {
                "summary": summary,
                "operationId": name.trim_end_matches(".svg"),
                "parameters": parameters,
                "responses": {
                    "200": { "description": "The answer", "content": { media: {} } },
                    "400": problem("The question cannot be answered as it was put"),
                    "404": problem("No such path or variant"),
                    "413": problem("The request is longer than 8 KiB"),
                    "429": problem("More computing than the share of one client"),
                    "503": problem("All jobs are busy; see Retry-After")
                }
            }
        });
        (format!("/api/v1/{name}"), operation)
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
        "servers": [{ "url": explorer.settings.base_url.as_deref().unwrap_or("/") }],
        "paths": serde_json::Map::from_iter(paths),
        "components": { "schemas": { "Error": {
            "type": "object",
            "required": ["schema", "error"],
            "properties": { "schema": { "const": 1 }, "error": { "type": "string" } }
        } } }
    })
}
