//! The description of the questions for programs.

use greenwave_tablebase::SCHEMA;
use serde_json::{Value, json};

use crate::api::questions::{ApiAnswer, QUESTIONS};
use crate::api::schemas::SCHEMAS;
use crate::explorer::Explorer;

/// What can be asked, and where that is described.
pub(crate) fn index(explorer: &Explorer) -> Value {
    let base = &explorer.base;
    let questions = QUESTIONS.iter().map(|asked| {
        json!({ "address": format!("{base}/api/v1/{}", asked.name), "summary": asked.summary })
    });
    json!({
        "schema": SCHEMA,
        "version": explorer.settings.version,
        "questions": questions.collect::<Value>(),
        "description": format!("{base}/api/v1/openapi.json"),
        "schemas": format!("{base}{SCHEMAS}")
    })
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
        let parameters: Vec<Value> = asked
            .parameters()
            .map(|parameter| {
                json!({
                    "name": parameter.name,
                    "in": "query",
                    "required": asked.needs(parameter.name),
                    "description": parameter.meaning,
                    "schema": { "type": "string" }
                })
            })
            .collect();
        let media = asked.answer.kind().media_type();
        let content = match asked.answer {
            // Of several documents each line is one.
            ApiAnswer::Json(_) | ApiAnswer::Lines(_) => {
                json!({ media: { "schema": { "$ref": format!("schemas/{}.json", asked.name) } } })
            }
            ApiAnswer::Svg => json!({ media: {} }),
        };
        let pending = json!({
            "type": "object",
            "required": ["share", "seconds"],
            "properties": { "share": { "type": "number" }, "seconds": { "type": "integer" } }
        });
        let with_pending = |more: Value| {
            json!({
                "allOf": [more],
                "required": ["pending"],
                "properties": { "pending": pending }
            })
        };
        // The answer as far as it goes, or nothing of it yet.
        let coming = json!({ "application/json": { "schema": { "anyOf": [
            with_pending(json!({ "$ref": format!("schemas/{}.json", asked.name) })),
            with_pending(json!({
                "type": "object",
                "required": ["schema", "message"],
                "properties": { "schema": { "const": SCHEMA }, "message": { "type": "string" } }
            }))
        ] } } });
        let operation = json!({
            "get": {
                "summary": asked.summary,
                "operationId": asked.name.trim_end_matches(".svg"),
                "parameters": parameters,
                "responses": {
                    "200": {
                        "description": "The answer",
                        "headers": { "Greenwave-Remark": {
                            "description": "What the command says on stderr beside it",
                            "schema": { "type": "string" }
                        } },
                        "content": content
                    },
                    "202": {
                        "description": "An answer that a later one will better: see pending and Retry-After",
                        "content": match asked.answer {
                            ApiAnswer::Json(_) => coming,
                            ApiAnswer::Lines(_) | ApiAnswer::Svg => content.clone(),
                        }
                    },
                    "304": { "description": "The client has this answer from tables: see If-None-Match" },
                    "308": { "description": "The path has another form: see Location" },
                    "400": problem("The question cannot be answered as it was put"),
                    "404": problem("No such path or variant"),
                    "412": problem("The document there is not the one that If-Match or If-Unmodified-Since names"),
                    "413": problem("The request is longer than 8 KiB, or the work does not fit the memory of the server"),
                    "429": problem("More computing than the share of one client"),
                    "500": problem("A table is damaged, or the program has a fault"),
                    "503": problem("All jobs are busy, or the budget of the question is over: see Retry-After")
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
