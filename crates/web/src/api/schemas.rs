//! The schemas of the documents that are served, as files of the repository have them.

use crate::problem::Problem;
use crate::routes::{AnswerKind, RouteAnswer};

macro_rules! files {
    ($($name:literal),*) => {
        [$(($name, include_str!(concat!("../../schemas/", $name, ".json")))),*]
    };
}

/// The schemas by name.
const FILES: [(&str, &str); 16] = files![
    "book", "check", "compare", "end", "error", "explain", "find", "line", "play", "puzzle",
    "query", "review", "rules", "stats", "sum", "variants"
];

/// The schema in a file.
pub(super) fn answer(file: &str) -> Result<RouteAnswer, Problem> {
    let name = file.strip_suffix(".json").unwrap_or(file);
    let found = FILES.iter().find(|(known, _)| *known == name);
    let Some((_, text)) = found else {
        let names: Vec<&str> = FILES.iter().map(|(name, _)| *name).collect();
        return Err(Problem::not_found(format!(
            "nothing is at '/api/v1/schemas/{file}'; there are the schemas {}",
            names.join(", ")
        )));
    };
    Ok(RouteAnswer {
        kind: AnswerKind::Json,
        body: (*text).to_string(),
        signature: None,
    })
}
