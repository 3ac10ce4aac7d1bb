//! A variant explained.

use greenwave_game::{Lights, RuleFile, Setting, Variant, VariantError};
use greenwave_words::Language;
use serde::Serialize;

use super::SCHEMA;
use crate::{Error, is_rule_file, read_rule_file, read_variant};

/// The rules of a variant in words and spelled out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct RulesPage {
    /// Version of the document.
    pub schema: u32,
    /// The variant.
    pub variant: String,
    /// The order of its lights, `ryg` or `gyr`; `None` where it has none.
    pub lights: Option<&'static str>,
    /// In English the page of its family where red comes first, or what its rule file says; else what its
    /// rules say.
    pub text: String,
    /// The language of the text: `en`, `pt`, `es` or `de`.
    #[cfg_attr(feature = "schemas", schemars(extend("enum" = ["en", "pt", "es", "de"])))]
    pub lang: &'static str,
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
    /// What the letters of its lights mean, where it has any.
    #[serde(skip)]
    pub legend: Option<String>,
}

/// An option of a variant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct OptionSetting {
    /// Its name.
    pub key: &'static str,
    /// The value in use.
    pub value: String,
    /// The default.
    pub default: String,
    /// The possible values.
    pub allowed: String,
}

impl From<&Setting> for OptionSetting {
    fn from(setting: &Setting) -> OptionSetting {
        OptionSetting {
            key: setting.key,
            value: setting.value.clone(),
            default: setting.default.clone(),
            allowed: setting.allowed.to_string(),
        }
    }
}

impl RulesPage {
    /// The rules of a variant by its name or its rule file, in a language. `written` puts it into the order of
    /// the lights that is requested, and `wrapped` cuts a sentence into lines.
    ///
    /// # Errors
    /// When there is no such variant or file, and when it has no lights whose order is requested.
    pub fn of(
        name: &str,
        written: impl Fn(Variant) -> Result<Variant, VariantError>,
        language: Language,
        wrapped: impl Fn(&str) -> String,
    ) -> Result<RulesPage, Error> {
        if is_rule_file(name) {
            let file = read_rule_file(name)?;
            let variant = written(file.variant)?;
            let file = RuleFile { variant, ..file };
            return Ok(RulesPage::of_file(&file, language, wrapped));
        }
        let variant = written(read_variant(name)?)?;
        Ok(RulesPage::of_variant(&variant, language, wrapped))
    }

    /// The rules of a variant of the built-in families.
    #[must_use]
    pub fn of_variant(
        variant: &Variant,
        language: Language,
        wrapped: impl Fn(&str) -> String,
    ) -> RulesPage {
        let rules = variant.rules();
        let family = rules.family;
        // The pages of the families put red first.
        let is_red_first = rules.lights.unwrap_or_default() == Lights::default();
        let text = if language == Language::English && is_red_first {
            family.page.into()
        } else {
            in_words(rules.title(), variant, language, wrapped)
        };
        page(variant, language, text, family.source().into())
    }

    /// The rules of a file.
    #[must_use]
    pub fn of_file(
        file: &RuleFile,
        language: Language,
        wrapped: impl Fn(&str) -> String,
    ) -> RulesPage {
        let mut text = in_words(&file.title, &file.variant, language, &wrapped);
        if let Some(source) = &file.source {
            let heading = if language == Language::English {
                "## Source\n\n"
            } else {
                ""
            };
            text.push_str(&format!("\n{heading}{}", wrapped(source)));
        }
        let source = file.source.clone().unwrap_or_default();
        page(&file.variant, language, text, source)
    }
}

/// What the rules say, below a title.
fn in_words(
    title: &str,
    variant: &Variant,
    language: Language,
    wrapped: impl Fn(&str) -> String,
) -> String {
    let sentences = language.rules(variant);
    let sentences: String = sentences.iter().map(|sentence| wrapped(sentence)).collect();
    format!("# {title}\n\n{sentences}")
}

fn page(variant: &Variant, language: Language, text: String, source: String) -> RulesPage {
    let rules = variant.rules();
    RulesPage {
        schema: SCHEMA,
        variant: rules.title().to_string(),
        lights: rules.lights_name(),
        text,
        lang: language.code(),
        options: rules.options.iter().map(OptionSetting::from).collect(),
        source,
        canonical: rules.canonical.clone(),
        rules_hash: rules.hash.to_string(),
        title: rules.title().to_string(),
        legend: rules
            .lights
            .map(|lights| lights.legend(rules.highest_level())),
    }
}
