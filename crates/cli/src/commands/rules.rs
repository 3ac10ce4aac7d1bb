//! `rules`: a variant explained.

use anyhow::Result;
use greenwave_tablebase::RulesPage;
use greenwave_words::Language;

use crate::output::{columns, wrapped};
use crate::report::{CommandReport, DocumentReport};
use crate::session::{Session, expect_name};

pub(super) fn run(session: &Session, name: &str) -> Result<CommandReport> {
    expect_name(name)?;
    let (lights, language) = (session.lights(), session.language);
    let rules = RulesPage::of(
        name,
        |variant| variant.with_chosen_lights(lights),
        language,
        |text| wrapped("", 0, text),
    )?;
    Ok(CommandReport::with(DocumentReport::new(rules, |rules| {
        Ok(picture(rules))
    })))
}

/// In English with all options and how the rules are spelled out; in other languages what they say.
fn picture(rules: &RulesPage) -> String {
    if rules.lang != Language::English.code() {
        return rules.text.clone();
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
            rules.title,
            columns(&rows, 2, &[])
        )
    };
    let legend = rules.legend.as_ref();
    let legend = legend.map_or_else(String::new, |legend| format!("{legend}\n\n"));
    format!(
        "{}\n{options}{legend}Spelled out, as tables are keyed (hash {}):\n\n{spelled}",
        rules.text,
        &rules.rules_hash[..16],
    )
}
