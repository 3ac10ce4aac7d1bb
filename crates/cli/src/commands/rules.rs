//! `rules`: a variant explained.

use anyhow::Result;
use greenwave_tablebase::RulesPage;

use crate::output::{columns, wrapped};
use crate::report::{Ended, Told};

pub(super) fn run(name: &str) -> Result<Ended> {
    let rules = RulesPage::of(name, |text| wrapped("", 0, text))?;
    Ok(Ended::with(Told::new(rules, |rules| Ok(picture(rules)))))
}

fn picture(rules: &RulesPage) -> String {
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
    format!(
        "{}\n{options}Spelled out, as tables are keyed (hash {}):\n\n{spelled}",
        rules.text,
        &rules.rules_hash[..16],
    )
}
