//! Documents against the schemas of the repository. A field that the schema does not name is a
//! fault here, so that the tests find forgotten fields; readers may well accept more.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

use serde_json::{Map, Value};

static SCHEMAS: LazyLock<BTreeMap<String, Value>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas");
    let files = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    let files = files.filter_map(|file| Some(file.ok()?.path()));
    let schemas = files.filter(|path| path.extension().is_some_and(|end| end == "json"));
    let read = |path: std::path::PathBuf| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let schema = serde_json::from_str(&text);
        (
            name.into_owned(),
            schema.unwrap_or_else(|error| panic!("{path:?}: {error}")),
        )
    };
    schemas.map(read).collect()
});

/// Whether a schema of this name is there.
#[must_use]
pub fn has(name: &str) -> bool {
    SCHEMAS.contains_key(name)
}

/// Fields of a document that its schema forbids or does not name, and fields that it lacks.
#[must_use]
pub fn faults(name: &str, document: &Value) -> Vec<String> {
    let Some(schema) = SCHEMAS.get(name) else {
        return vec![format!("there is no schemas/{name}.json")];
    };
    of_document(schema, document)
}

/// Insists that a line is a document of a schema.
pub fn expect(name: &str, line: &str) {
    let document: Value = serde_json::from_str(line)
        .unwrap_or_else(|error| panic!("expected a document of {name}: {error}: {line}"));
    let faults = faults(name, &document);
    assert!(
        faults.is_empty(),
        "schemas/{name}.json: {}\nin {line}\n'just schemas-write' makes the schemas again",
        faults.join("; ")
    );
}

fn of_document(root: &Value, document: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    let of = Against { root };
    of.check(root, document, "", &mut faults);
    faults
}

struct Against<'s> {
    root: &'s Value,
}

impl Against<'_> {
    fn check(&self, schema: &Value, found: &Value, at: &str, faults: &mut Vec<String>) {
        let Value::Object(schema) = schema else {
            if *schema != Value::Bool(true) {
                faults.push(format!("{at}: the schema is {schema}"));
            }
            return;
        };
        for (keyword, wanted) in schema {
            match keyword.as_str() {
                "$ref" => match self.referred(wanted) {
                    Some(referred) => self.check(referred, found, at, faults),
                    None => faults.push(format!("{at}: {wanted} leads nowhere")),
                },
                "type" => {
                    let types = wanted
                        .as_array()
                        .map_or(std::slice::from_ref(wanted), Vec::as_slice);
                    let is_one = types.iter().any(|one| is_of(one, found));
                    if !is_one {
                        faults.push(format!("{at}: found {found}, expected {wanted}"));
                    }
                }
                "const" if wanted != found => {
                    faults.push(format!("{at}: found {found}, expected {wanted}"));
                }
                "enum" if !is_among(wanted, found) => {
                    faults.push(format!("{at}: found {found}, expected one of {wanted}"));
                }
                "minimum" if found.as_f64() < wanted.as_f64() && found.is_number() => {
                    faults.push(format!("{at}: found {found}, expected {wanted} or more"));
                }
                "maximum" if found.as_f64() > wanted.as_f64() && found.is_number() => {
                    faults.push(format!("{at}: found {found}, expected {wanted} or less"));
                }
                "minItems" if length(found) < wanted.as_u64() && length(found).is_some() => {
                    faults.push(format!(
                        "{at}: found {found}, expected {wanted} items or more"
                    ));
                }
                "maxItems" if length(found) > wanted.as_u64() && length(found).is_some() => {
                    faults.push(format!(
                        "{at}: found {found}, expected {wanted} items or fewer"
                    ));
                }
                "anyOf" | "oneOf" => self.check_alternatives(wanted, found, at, faults),
                "items" => {
                    for (place, item) in found.as_array().into_iter().flatten().enumerate() {
                        self.check(wanted, item, &format!("{at}[{place}]"), faults);
                    }
                }
                "properties" | "additionalProperties" | "required" => {}
                "const" | "enum" | "minimum" | "maximum" | "minItems" | "maxItems" | "$schema"
                | "$id" | "$defs" | "$comment" | "title" | "description" | "default"
                | "examples" => {}
                other => faults.push(format!("{at}: nobody checks the keyword '{other}'")),
            }
        }
        let is_object = ["properties", "additionalProperties"].map(|key| schema.contains_key(key));
        if let Value::Object(found) = found
            && is_object.contains(&true)
        {
            self.check_fields(schema, found, at, faults);
        }
    }

    fn check_fields(
        &self,
        schema: &Map<String, Value>,
        found: &Map<String, Value>,
        at: &str,
        faults: &mut Vec<String>,
    ) {
        for name in schema
            .get("required")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            if name.as_str().is_none_or(|name| !found.contains_key(name)) {
                faults.push(format!("{at}: {name} is missing"));
            }
        }
        for (name, value) in found {
            let known = schema.get("properties").and_then(|known| known.get(name));
            match known.or_else(|| schema.get("additionalProperties")) {
                Some(schema) => self.check(schema, value, &format!("{at}.{name}"), faults),
                None => faults.push(format!("{at}: nobody has heard of the field '{name}'")),
            }
        }
    }

    /// One of several has to fit; of those that do not, the one that comes nearest tells why.
    fn check_alternatives(
        &self,
        wanted: &Value,
        found: &Value,
        at: &str,
        faults: &mut Vec<String>,
    ) {
        let mut nearest: Option<Vec<String>> = None;
        for alternative in wanted.as_array().into_iter().flatten() {
            let mut its = Vec::new();
            self.check(alternative, found, at, &mut its);
            if nearest.as_ref().is_none_or(|least| its.len() < least.len()) {
                nearest = Some(its);
            }
        }
        faults.extend(nearest.unwrap_or_else(|| vec![format!("{at}: there is no alternative")]));
    }

    fn referred(&self, reference: &Value) -> Option<&Value> {
        self.root.pointer(reference.as_str()?.strip_prefix('#')?)
    }
}

fn is_of(name: &Value, found: &Value) -> bool {
    match name.as_str() {
        Some("null") => found.is_null(),
        Some("boolean") => found.is_boolean(),
        Some("integer") => found.is_i64() || found.is_u64() || is_whole(found),
        Some("number") => found.is_number(),
        Some("string") => found.is_string(),
        Some("array") => found.is_array(),
        Some("object") => found.is_object(),
        _ => false,
    }
}

fn length(found: &Value) -> Option<u64> {
    found.as_array().map(|items| items.len() as u64)
}

// Numbers beyond 64 bits are read as floats.
fn is_whole(found: &Value) -> bool {
    found.as_f64().is_some_and(|number| number.fract() == 0.0)
}

fn is_among(values: &Value, found: &Value) -> bool {
    let mut values = values.as_array().into_iter().flatten();
    values.any(|value| value == found)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_does_not_fit_a_schema_is_told() {
        let schema = json!({
            "anyOf": [{ "$ref": "#/$defs/Answer" }, { "$ref": "#/$defs/End" }],
            "$defs": {
                "Answer": {
                    "type": "object",
                    "properties": {
                        "value": { "enum": ["win", "loss"] },
                        "distance": { "type": ["integer", "null"], "minimum": 0 },
                        "best": { "type": "array", "items": { "type": "string" }, "maxItems": 2 }
                    },
                    "required": ["value", "distance", "best"]
                },
                "End": {
                    "type": "object",
                    "properties": { "count": { "type": "integer" } },
                    "required": ["count"]
                }
            }
        });
        let good = json!({ "value": "win", "distance": 3, "best": ["a1"] });
        assert_eq!(of_document(&schema, &good), [""; 0]);
        assert_eq!(of_document(&schema, &json!({ "count": 4 })), [""; 0]);
        for (field, value, told) in [
            ("value", json!("won"), "expected one of"),
            ("distance", json!(-1), "0 or more"),
            ("distance", json!(1.5), "integer"),
            ("best", json!(["a1", 2]), "best[1]"),
            ("best", json!(["a1", "b1", "c1"]), "2 items or fewer"),
            ("other", json!(null), "nobody has heard"),
        ] {
            let mut bad = good.clone();
            bad[field] = value;
            let faults = of_document(&schema, &bad);
            assert!(faults.len() == 1 && faults[0].contains(told), "{faults:?}");
        }
        let faults = of_document(&schema, &json!({ "value": "win", "distance": null }));
        assert!(faults[0].contains("\"best\" is missing"), "{faults:?}");
        let strange = json!({ "pattern": "x" });
        assert!(of_document(&strange, &json!("x"))[0].contains("nobody checks"));
    }
}
