//! `rules`: a variant explained.

use anyhow::Result;
use greenwave_game::RuleFile;
use greenwave_tablebase::{is_rule_file, read_rule_file};
use serde::Serialize;

use crate::output::json::SCHEMA;
use crate::output::{columns, print, print_json, wrapped};
use crate::session::{Session, Verdict};

#[derive(Serialize)]
struct RulesJson {
    schema: u32,
    variant: String,
    text: String,
    options: Vec<OptionJson>,
    source: String,
    canonical: String,
    rules_hash: String,
}

#[derive(Serialize)]
struct OptionJson {
    key: &'static str,
    value: String,
    default: String,
    allowed: String,
}

pub(super) fn run(session: &Session, name: &str) -> Result<Verdict> {
    let file = if is_rule_file(name) {
        Some(read_rule_file(name)?)
    } else {
        None
    };
    let variant = match &file {
        Some(file) => file.variant.clone(),
        None => session.variant(name)?.0,
    };
    let rules = variant.rules();
    let (page, source) = match &file {
        Some(file) => (described(file), file.source.clone().unwrap_or_default()),
        None => (rules.family.page.into(), rules.family.source().into()),
    };
    if session.json {
        let option = |setting: &greenwave_game::Setting| OptionJson {
            key: setting.key,
            value: setting.value.clone(),
            default: setting.default.clone(),
            allowed: setting.allowed.clone(),
        };
        print_json(&RulesJson {
            schema: SCHEMA,
            variant: rules.name.clone(),
            text: page,
            options: rules.options.iter().map(option).collect(),
            source,
            canonical: rules.canonical.clone(),
            rules_hash: rules.hash.to_string(),
        })?;
        return Ok(Verdict::Done);
    }
    let mut rows = vec![
        ["option", "here", "allowed (default first)"]
            .map(String::from)
            .to_vec(),
    ];
    rows.extend(rules.options.iter().map(|setting| {
        vec![
            setting.key.to_string(),
            setting.value.clone(),
            setting.allowed.clone(),
        ]
    }));
    let spelled: String = rules
        .canonical
        .lines()
        .map(|line| format!("  {line}\n"))
        .collect();
    let options = if rules.options.is_empty() {
        String::new()
    } else {
        format!(
            "## This variant: {}\n\n{}\n",
            rules.title(),
            columns(&rows, 2, &[])
        )
    };
    print(&format!(
        "{page}\n{options}Spelled out, as tables are keyed (hash {}):\n\n{spelled}",
        &rules.hash.to_string()[..16],
    ))?;
    Ok(Verdict::Done)
}

/// What a rule file says, in words.
fn described(file: &RuleFile) -> String {
    let mut text = format!("# {}\n\n", file.title);
    for sentence in file.variant.in_words().lines() {
        text.push_str(&wrapped("", 0, sentence));
    }
    if let Some(source) = &file.source {
        text.push_str(&format!("\n## Source\n\n{}", wrapped("", 0, source)));
    }
    text
}
