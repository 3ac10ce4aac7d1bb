//! What the documents look like, as JSON Schema made from their types: the files of `schemas/` and the pages
//! that list fields. `just schemas-write` writes them; the tests say whether they are fresh.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use greenwave_judge::documents::{ClaimDocument, Comparison, ListedClaim, Match, MatchCount};
use greenwave_play::{
    BookEnd, BookNode, Explanation, GameReview, PlayerReview, PlyDocument, Puzzle, ResultDocument,
    Review,
};
use greenwave_tablebase::{
    Answer, Info, Line, MisereSum, Perft, Refusal, RulesPage, SCHEMA, Simulation, SolveCost,
    SolveReport, Stats, Sum, VariantEntry, Verification,
};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::{batch, bench, certify, cite, design, drill, play, season, strategy};
use crate::progress;

/// A kind of document: when it is printed, empty for the usual one, and its schema.
type DocumentKind = (&'static str, fn(&mut SchemaGenerator) -> Schema);

fn kind<T: JsonSchema>(when: &'static str) -> DocumentKind {
    (when, |generator| generator.subschema_for::<T>())
}

/// The documents of each command, and those that several have.
fn documents() -> Vec<(&'static str, Vec<DocumentKind>)> {
    let count = || kind::<MatchCount>("last line");
    let nodes = || kind::<BookEnd>("last line");
    let bad_line = || kind::<batch::BadLine<'_>>("for a line that cannot be read");
    vec![
        ("bench", vec![kind::<bench::BenchJson>("")]),
        ("book", vec![kind::<BookNode>(""), nodes()]),
        ("certify", vec![kind::<certify::CertifyDocument>("")]),
        (
            "check",
            vec![
                kind::<ClaimDocument>(""),
                kind::<ListedClaim>("with `--list`"),
            ],
        ),
        ("cite", vec![kind::<cite::Citation>("")]),
        ("compare", vec![kind::<Comparison>("")]),
        (
            "design",
            vec![
                kind::<design::RowDocument<'_>>(""),
                kind::<design::RefusedDocument<'_>>("for a set that was refused"),
            ],
        ),
        ("explain", vec![kind::<Explanation>("")]),
        ("find", vec![kind::<Match>(""), count()]),
        ("info", vec![kind::<Info>("")]),
        ("line", vec![kind::<Line>("")]),
        ("perft", vec![kind::<Perft>("")]),
        (
            "play",
            vec![
                kind::<PlyDocument>(""),
                kind::<ResultDocument>("last line"),
                kind::<play::lines::HintJson>("for `hint`"),
                kind::<play::lines::ValuesJson<'_>>("for `values`"),
                kind::<play::lines::MovesJson>("for `moves`"),
                kind::<play::lines::UndoneJson<'_>>("for `undo`"),
            ],
        ),
        (
            "puzzle",
            vec![
                kind::<Puzzle>(""),
                kind::<drill::DrillAnswer<'_>>("with `--play`, for each answer"),
                kind::<drill::Score>("with `--play`, last line"),
            ],
        ),
        (
            "query",
            vec![
                kind::<Answer>(""),
                kind::<Explanation>("with `--why`"),
                bad_line(),
            ],
        ),
        (
            "review",
            vec![
                kind::<Review>(""),
                kind::<GameReview>("of files, for each game"),
                kind::<PlayerReview>("of files, for each player"),
                kind::<season::BadGame<'_>>("for a game that cannot be read"),
            ],
        ),
        ("rules", vec![kind::<RulesPage>("")]),
        ("sheet", vec![kind::<Puzzle>("")]),
        ("simulate", vec![kind::<Simulation>("")]),
        (
            "solve",
            vec![
                kind::<SolveReport>(""),
                kind::<SolveCost>("with `--estimate`"),
            ],
        ),
        ("stats", vec![kind::<Stats>("")]),
        (
            "strategy",
            vec![
                kind::<strategy::StrategyDocument>(""),
                kind::<strategy::NoStrategy>("where none was found"),
            ],
        ),
        (
            "sum",
            vec![kind::<Sum>(""), kind::<MisereSum>("with `--misere`")],
        ),
        ("variants", vec![kind::<VariantEntry>("")]),
        ("verify", vec![kind::<Verification>("")]),
        ("bad-line", vec![bad_line()]),
        ("end", vec![count(), nodes()]),
        ("error", vec![kind::<Refusal<'_>>("")]),
        (
            "progress",
            vec![
                kind::<progress::Document<'_>>(""),
                kind::<progress::Warning<'_>>("for a warning"),
            ],
        ),
    ]
}

/// Commands that print no documents.
const WITHOUT: [&str; 5] = ["completions", "draw", "help", "man", "serve"];

/// The schema of a command's documents.
fn schema(name: &str, kinds: &[DocumentKind]) -> Value {
    let mut generator = SchemaSettings::draft2020_12()
        .for_serialize()
        .into_generator();
    let of_kinds: Vec<Value> = kinds
        .iter()
        .map(|(when, schema)| {
            let mut schema = schema(&mut generator).to_value();
            if !when.is_empty() {
                schema["$comment"] = json!(when);
            }
            schema
        })
        .collect();
    let mut root = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": format!("{name}.json"),
        "title": name,
        "anyOf": of_kinds,
        "$defs": generator.take_definitions(true),
    });
    settle(&mut root);
    root
}

/// Says what the types leave open: the version, the orders of the lights, and that `None` is null.
fn settle(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            // Widths of numbers in this program are nobody's concern.
            object.remove("format");
            if let Some(Value::String(text)) = object.get_mut("description") {
                *text = text.replace("`None`", "null").replace('\n', " ");
            }
            if let Some(Value::Object(properties)) = object.get_mut("properties") {
                if let Some(version) = properties.get_mut("schema") {
                    *version =
                        json!({ "description": "Version of the document.", "const": SCHEMA });
                }
                if let Some(Value::Object(lights)) = properties.get_mut("lights") {
                    lights.insert("enum".into(), json!(["ryg", "gyr", null]));
                }
            }
            object.values_mut().for_each(settle);
        }
        Value::Array(values) => values.iter_mut().for_each(settle),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn schemas() -> BTreeMap<&'static str, Value> {
    let documents = documents();
    let schemas = documents
        .iter()
        .map(|(name, kinds)| (*name, schema(name, kinds)));
    schemas.collect()
}

/// The definition that a schema refers to, with its name.
fn referred<'s>(root: &'s Value, schema: &'s Value) -> Option<(&'s str, &'s Value)> {
    let name = schema["$ref"].as_str()?.strip_prefix("#/$defs/")?;
    Some((name, &root["$defs"][name]))
}

/// The fields of a schema, those of its alternatives included, each with whether it is always there.
fn fields<'s>(root: &'s Value, schema: &'s Value) -> Vec<(&'s str, &'s Value, bool)> {
    let schema = referred(root, schema).map_or(schema, |(_, of)| of);
    let required = |name: &str| {
        let required = schema["required"].as_array();
        required.is_some_and(|list| list.iter().any(|one| one == name))
    };
    let mut found: Vec<(&str, &Value, bool)> = Vec::new();
    if let Some(properties) = schema["properties"].as_object() {
        let each = properties.iter();
        found.extend(each.map(|(name, of)| (name.as_str(), of, required(name))));
    }
    if let Some(alternatives) = schema["anyOf"].as_array() {
        for alternative in alternatives {
            for (name, of, _) in fields(root, alternative) {
                if !found.iter().any(|(known, ..)| *known == name) {
                    found.push((name, of, false));
                }
            }
        }
    }
    found
}

/// Whether an object may have other fields than those that its schema names.
fn is_open(root: &Value, of: &Value) -> bool {
    let of = referred(root, of).map_or(of, |(_, of)| of);
    of["additionalProperties"].is_object()
}

/// The object in a schema that may be null or a list, if it is one of several fields.
fn inner<'s>(root: &'s Value, schema: &'s Value) -> Option<(&'s str, &'s Value)> {
    if let Some((name, of)) = referred(root, schema) {
        return (!fields(root, of).is_empty()).then_some((name, of));
    }
    if schema["items"].is_object() {
        return inner(root, &schema["items"]);
    }
    let alternatives = schema["anyOf"].as_array()?;
    alternatives.iter().find_map(|one| inner(root, one))
}

/// What a field holds, in words.
fn held(root: &Value, schema: &Value) -> String {
    let code = |value: &Value| match value {
        Value::String(text) => format!("`{text}`"),
        Value::Null => "null".into(),
        Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            format!("`{value}`")
        }
    };
    if let Some((name, of)) = referred(root, schema) {
        return match inner(root, schema) {
            Some(_) => format!("[{name}](#{})", name.to_lowercase()),
            None => held(root, of),
        };
    }
    if let Some(only) = schema.get("const") {
        return code(only);
    }
    if let Some(values) = schema["enum"].as_array() {
        let values: Vec<String> = values.iter().map(code).collect();
        return values.join(", ");
    }
    for key in ["anyOf", "oneOf"] {
        if let Some(alternatives) = schema[key].as_array() {
            let each: Vec<String> = alternatives.iter().map(|one| held(root, one)).collect();
            return each.join(", ");
        }
    }
    let one = |name: &str| match name {
        "array" => format!("list of {}", held(root, &schema["items"])),
        "boolean" => "true, false".into(),
        "integer" => "whole number".into(),
        "string" => "text".into(),
        other => other.to_string(),
    };
    match &schema["type"] {
        Value::Array(types) => {
            let each: Vec<String> = types.iter().filter_map(Value::as_str).map(one).collect();
            each.join(", ")
        }
        Value::String(name) => one(name),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => "anything".into(),
    }
}

/// A table of fields.
fn table(root: &Value, of: &Value) -> String {
    let mut text = String::from("| field | holds | meaning |\n| --- | --- | --- |\n");
    for (name, schema, always) in fields(root, of) {
        let meaning = schema["description"].as_str().unwrap_or_default();
        let sometimes = if always { "" } else { "; not always there" };
        let holds = held(root, schema);
        let _ = writeln!(text, "| `{name}` | {holds}{sometimes} | {meaning} |");
    }
    let others = &referred(root, of).map_or(of, |(_, of)| of)["additionalProperties"];
    if others.is_object() {
        let _ = writeln!(
            text,
            "| any other | {} | A field that was asked for. |",
            held(root, others)
        );
    }
    text
}

/// The page that lists all fields with their meaning.
fn page() -> String {
    let mut text = String::from(
        "# Documents field by field\n\nEvery document that [`--json`](json.md) prints, with the type and \
         the meaning of each field. The\nfiles in `schemas/` of the repository say the same as JSON \
         Schema. A server has them\nat `/api/v1/schemas/`. `just schemas-write` makes both from the \
         program.\n",
    );
    let mut objects: BTreeMap<String, String> = BTreeMap::new();
    for (name, kinds) in documents() {
        let root = schema(name, &kinds);
        let _ = write!(text, "\n## `{name}`\n");
        for (place, (when, _)) in kinds.iter().enumerate() {
            let of = &root["anyOf"][place];
            let described = referred(&root, of).map_or(of, |(_, of)| of);
            let about = described["description"].as_str().unwrap_or_default();
            let when = if when.is_empty() {
                String::new()
            } else {
                format!(" ({when})")
            };
            let _ = write!(text, "\n{about}{when}\n\n{}", table(&root, of));
        }
        let is_document = |name: &str| {
            let mut of = root["anyOf"].as_array().into_iter().flatten();
            of.any(|one| referred(&root, one).is_some_and(|(known, _)| known == name))
        };
        for (name, of) in root["$defs"].as_object().into_iter().flatten() {
            if !is_document(name) && !fields(&root, of).is_empty() {
                let about = of["description"].as_str().unwrap_or_default();
                let section = format!("\n## {name}\n\n{about}\n\n{}", table(&root, of));
                objects.insert(name.clone(), section);
            }
        }
    }
    text.extend(objects.into_values());
    text
}

/// The rows of the table that help pages print: the fields of each command.
fn rows() -> String {
    let mut text = String::new();
    for (name, kinds) in documents() {
        let root = schema(name, &kinds);
        let mut parts = Vec::new();
        for (place, (when, _)) in kinds.iter().enumerate() {
            let mut names = Vec::new();
            for (field, schema, _) in fields(&root, &root["anyOf"][place]) {
                let within = inner(&root, schema).map(|(_, of)| {
                    let within = fields(&root, of).into_iter();
                    let within: Vec<&str> = within.map(|(name, ..)| name).collect();
                    format!(" ({})", within.join(", "))
                });
                if field != "schema" {
                    names.push(format!("{field}{}", within.unwrap_or_default()));
                }
            }
            if is_open(&root, &root["anyOf"][place]) {
                names.push(String::from("and the fields that the expression names"));
            }
            let head = if when.is_empty() {
                String::new()
            } else {
                format!("{when}: ")
            };
            parts.push(format!("{head}{}", names.join(", ")));
        }
        let _ = writeln!(text, "| `{name}` | {} |", parts.join("; "));
    }
    text
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Writes a file, or says whether it is as it should be.
fn fresh(path: &Path, text: &str) -> bool {
    if std::env::var_os("GREENWAVE_BLESS").is_some() {
        std::fs::write(path, text).unwrap();
    }
    std::fs::read_to_string(path).is_ok_and(|found| found == text)
}

#[test]
fn schemas_are_those_of_the_types() {
    let folder = root().join("schemas");
    let mut stale = Vec::new();
    let schemas = schemas();
    for (name, schema) in &schemas {
        let text = format!("{}\n", serde_json::to_string_pretty(schema).unwrap());
        if !fresh(&folder.join(format!("{name}.json")), &text) {
            stale.push(*name);
        }
    }
    assert!(
        stale.is_empty(),
        "'just schemas-write' makes {stale:?} again"
    );
    for file in std::fs::read_dir(folder).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        let known = name
            .strip_suffix(".json")
            .map(|name| schemas.contains_key(name));
        assert!(known != Some(false), "no documents are called {name}");
    }
}

#[test]
fn pages_list_the_fields_of_the_types() {
    let reference = root().join("docs/reference");
    assert!(
        fresh(&reference.join("documents.md"), &page()),
        "'just schemas-write' makes docs/reference/documents.md again"
    );
    let path = reference.join("json.md");
    let found = std::fs::read_to_string(&path).unwrap();
    let (begin, end) = ("<!-- begin fields -->\n", "<!-- end fields -->");
    let from = found.find(begin).expect("where the fields begin") + begin.len();
    let to = found.find(end).expect("where the fields end");
    let table = format!("| command | fields |\n| --- | --- |\n{}", rows());
    let text = format!("{}{table}{}", &found[..from], &found[to..]);
    assert!(
        fresh(&path, &text),
        "'just schemas-write' makes the table of json.md again"
    );
}

#[test]
fn every_command_has_a_schema_or_no_documents() {
    let schemas = schemas();
    for command in crate::args::command().get_subcommands() {
        let name = command.get_name();
        assert!(
            schemas.contains_key(name) != WITHOUT.contains(&name),
            "'{name}' belongs into the list of documents, or of commands without any"
        );
    }
}

#[test]
fn every_field_says_what_it_means() {
    for (name, schema) in schemas() {
        let defs: Map<String, Value> = schema["$defs"].as_object().cloned().unwrap_or_default();
        for (object, of) in defs {
            for (field, schema, _) in fields(&schema, &of) {
                let is_told = schema["description"].is_string();
                assert!(is_told, "{name}: {object}.{field} has no description");
            }
        }
    }
}
