//! The schemas of the documents that are served, as files of the repository have them.

use greenwave_tablebase::SCHEMA;
use serde_json::json;

use crate::answer::{AnswerKind, RouteAnswer};
use crate::api::documents::document;
use crate::api::questions::{OTHER_SCHEMAS, QUESTIONS};
use crate::explorer::Explorer;
use crate::problem::Problem;

/// Where the schemas are.
pub(super) const SCHEMAS: &str = "/api/v1/schemas";

/// The schemas by name.
fn schemas() -> Vec<(&'static str, &'static str)> {
    let of_questions = QUESTIONS
        .iter()
        .filter_map(|asked| Some((asked.name, asked.answer.schema()?)));
    let mut schemas: Vec<_> = of_questions.chain(OTHER_SCHEMAS).collect();
    schemas.sort_unstable();
    schemas
}

/// The addresses of all schemas.
pub(super) fn index(explorer: &Explorer) -> RouteAnswer {
    let names = schemas().into_iter().map(|(name, _)| name);
    let addresses = names.map(|name| format!("{}{SCHEMAS}/{name}.json", explorer.base));
    let addresses: Vec<String> = addresses.collect();
    document(&json!({ "schema": SCHEMA, "schemas": addresses }))
}

/// The schema in a file.
pub(super) fn answer(file: &str) -> Result<RouteAnswer, Problem> {
    let name = file.strip_suffix(".json").unwrap_or(file);
    let schemas = schemas();
    let found = schemas.iter().find(|(known, _)| *known == name);
    let Some((_, text)) = found else {
        let names: Vec<&str> = schemas.iter().map(|(name, _)| *name).collect();
        return Err(Problem::not_found(format!(
            "nothing is at '{SCHEMAS}/{file}'; there are the schemas {}",
            names.join(", ")
        )));
    };
    Ok(RouteAnswer::new(AnswerKind::Json, (*text).to_string()))
}
