//! A variant explained.

use greenwave_game::{RuleFile, Setting, Variant};
use serde::Serialize;

use super::SCHEMA;
use crate::{Error, is_rule_file, read_rule_file, read_variant};

/// The rules of a variant in words and spelled out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RulesPage {
    /// Version of the document.
    pub schema: u32,
    /// The variant.
    pub variant: String,
    /// The page of its family, or what its rule file says, in words.
    pub text: String,
    /// Its options.
    pub options: Vec<OptionSetting>,
    /// Where the rules come from.
    pub source: String,
    /// The rules as tables are keyed by them.
    pub canonical: String,
    /// Their hash.
    pub rules_hash: String,
    /// What people call the variant.
    #[serde(skip)]
    pub title: String,
}

/// An option of a variant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OptionSetting {
    /// Its name.
    pub key: &'static str,
    /// What it is set to.
    pub value: String,
    /// What it is set to if nothing is said.
    pub default: String,
    /// What it can be set to.
    pub allowed: String,
}

impl From<&Setting> for OptionSetting {
    fn from(setting: &Setting) -> OptionSetting {
        OptionSetting {
            key: setting.key,
            value: setting.value.clone(),
            default: setting.default.clone(),
            allowed: setting.allowed.clone(),
        }
    }
}

impl RulesPage {
    /// The rules of a variant by its name or its rule file. `wrapped` cuts a sentence into lines.
    ///
    /// # Errors
    /// When there is no such variant or file.
    pub fn of(name: &str, wrapped: impl Fn(&str) -> String) -> Result<RulesPage, Error> {
        match is_rule_file(name) {
            false => Ok(RulesPage::of_variant(&read_variant(name)?)),
            true => Ok(RulesPage::of_file(&read_rule_file(name)?, wrapped)),
        }
    }

    /// The rules of a variant of the built-in families.
    #[must_use]
    pub fn of_variant(variant: &Variant) -> RulesPage {
        let family = variant.rules().family;
        page(variant, family.page.into(), family.source().into())
    }

    /// The rules of a file. `wrapped` cuts a sentence into lines.
    #[must_use]
    pub fn of_file(file: &RuleFile, wrapped: impl Fn(&str) -> String) -> RulesPage {
        let mut text = format!("# {}\n\n", file.title);
        for sentence in file.variant.in_words().lines() {
            text.push_str(&wrapped(sentence));
        }
        if let Some(source) = &file.source {
            text.push_str(&format!("\n## Source\n\n{}", wrapped(source)));
        }
        let source = file.source.clone().unwrap_or_default();
        page(&file.variant, text, source)
    }
}

fn page(variant: &Variant, text: String, source: String) -> RulesPage {
    let rules = variant.rules();
    RulesPage {
        schema: SCHEMA,
        variant: rules.title().to_string(),
        text,
        options: rules.options.iter().map(OptionSetting::from).collect(),
        source,
        canonical: rules.canonical.clone(),
        rules_hash: rules.hash.to_string(),
        title: rules.title().to_string(),
    }
}
