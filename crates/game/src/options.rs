//! `NAME:key=value,key=value`: options of variants.

use crate::{Filling, MAX_CELLS, Message, Shape, VariantError, messages};

/// One option with its value in a variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The key.
    pub key: &'static str,
    /// The value.
    pub value: String,
    /// The value when the option is not given.
    pub default: String,
    /// The allowed values, default first.
    pub allowed: Filling,
}

/// The values that an option can have.
#[derive(Clone, Copy, Debug)]
pub enum OptionValues {
    /// One of these words.
    Words(&'static [&'static str]),
    /// A number from 1 to 99, or `infinite`; the default depends on the board.
    Counters,
    /// `unlimited`, or `cap` or `pool` and a number from 1 to 99.
    Supply,
}

impl OptionValues {
    /// Whether the value is allowed. Numbers are written without leading zeros.
    #[must_use]
    pub fn allows(self, value: &str) -> bool {
        match self {
            OptionValues::Words(words) => words.contains(&value),
            OptionValues::Counters => value == "infinite" || counter_limit(value).is_some(),
            OptionValues::Supply => {
                value == "unlimited"
                    || ["cap", "pool"].iter().any(|kind| {
                        value
                            .strip_prefix(kind)
                            .is_some_and(|number| counter_limit(number).is_some())
                    })
            }
        }
    }

    /// The values one by one, default first, for tables of options.
    #[must_use]
    pub fn examples(self, default: &str) -> Vec<String> {
        match self {
            OptionValues::Words(words) => {
                let others = words.iter().copied().filter(|word| *word != default);
                std::iter::once(default)
                    .chain(others)
                    .map(String::from)
                    .collect()
            }
            OptionValues::Counters => vec!["N".into(), "infinite".into()],
            OptionValues::Supply => ["unlimited", "capN", "poolN"].map(String::from).into(),
        }
    }

    fn listed(self, default: &str) -> Filling {
        match self {
            OptionValues::Words(_) => self.examples(default).join(", ").into(),
            OptionValues::Counters => messages::allowed_infinite(1_u32, 99_u32).into(),
            OptionValues::Supply => messages::allowed_supply(1_u32, 99_u32).into(),
        }
    }
}

/// A number from 1 on in digits, written without leading zeros; the greatest there is for more.
pub(crate) fn plain_number(text: &str) -> Option<usize> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (digits && !text.starts_with('0')).then(|| text.parse().unwrap_or(usize::MAX))
}

/// Ranks and files of a size such as `3x4`.
pub(crate) fn ranks_and_files(size: &str) -> Option<(usize, usize)> {
    let (ranks, files) = size.split_once('x')?;
    Some((plain_number(ranks)?, plain_number(files)?))
}

/// The full board of a size such as `3x4`; `name` is the variant, of which the family is part.
pub(crate) fn parse_size(
    name: &str,
    family: &'static str,
    size: &str,
) -> Result<Shape, VariantError> {
    let refuse = |problem: Message| VariantError::Size {
        found: name.into(),
        problem,
        family,
    };
    let Some((ranks, files)) = ranks_and_files(size) else {
        return Err(refuse(messages::size_form(size)));
    };
    Shape::rectangle(ranks, files).map_err(|_| {
        let most = MAX_CELLS;
        refuse(match ranks.saturating_mul(files) {
            usize::MAX => format!("found too many squares, a board has 1 to {most}").into(),
            squares => messages::size_squares(squares, most),
        })
    })
}

/// A number from 1 to 99 written without leading zeros.
pub(crate) fn counter_limit(number: &str) -> Option<u32> {
    let limit = u32::try_from(plain_number(number)?).ok()?;
    (limit <= 99).then_some(limit)
}

/// An option of a family.
#[derive(Clone, Copy, Debug)]
pub struct OptionSpec {
    /// The key.
    pub key: &'static str,
    /// The value when it is not given.
    pub default: &'static str,
    /// The allowed values.
    pub values: OptionValues,
    /// What the names of the games begin with that have it; empty where all of the family do.
    pub only: &'static str,
    /// A remark about the values, for the guide.
    pub note: &'static str,
}

impl OptionSpec {
    pub(crate) const fn new(
        key: &'static str,
        default: &'static str,
        values: OptionValues,
    ) -> OptionSpec {
        OptionSpec {
            key,
            default,
            values,
            only: "",
            note: "",
        }
    }

    /// One of some words, the first of which is the default.
    pub(crate) const fn words(key: &'static str, words: &'static [&'static str]) -> OptionSpec {
        OptionSpec::new(key, words[0], OptionValues::Words(words))
    }

    /// The same for games alone whose names begin so.
    pub(crate) const fn only(self, only: &'static str) -> OptionSpec {
        OptionSpec { only, ..self }
    }

    /// The same with a note.
    pub(crate) const fn noted(self, note: &'static str) -> OptionSpec {
        OptionSpec { note, ..self }
    }
}

/// Reads `key=value,key=value` against the options of a family; `name` is the variant without
/// options. The result has every option of the family, in the family's order.
pub(crate) fn parse_options(
    name: &str,
    text: Option<&str>,
    specs: &[OptionSpec],
) -> Result<Vec<Setting>, VariantError> {
    let allowed = || {
        specs
            .iter()
            .map(|spec| spec.key.to_string())
            .collect::<Vec<_>>()
    };
    let mut given: Vec<(&'static str, &str)> = Vec::new();
    for option in text.into_iter().flat_map(|text| text.split(',')) {
        let Some((key, value)) = option.split_once('=') else {
            return Err(VariantError::Syntax {
                name: name.into(),
                found: option.into(),
                allowed: allowed(),
            });
        };
        let Some(spec) = specs.iter().find(|spec| spec.key == key) else {
            return Err(VariantError::Key {
                name: name.into(),
                found: key.into(),
                allowed: allowed(),
            });
        };
        if given.iter().any(|(other, _)| *other == spec.key) {
            return Err(VariantError::Twice {
                name: name.into(),
                key: key.into(),
            });
        }
        if !spec.values.allows(value) {
            return Err(VariantError::Value {
                name: name.into(),
                key: key.into(),
                found: value.into(),
                allowed: spec.values.listed(spec.default),
            });
        }
        given.push((spec.key, value));
    }
    let setting = |spec: &OptionSpec| Setting {
        key: spec.key,
        value: given
            .iter()
            .find(|(key, _)| *key == spec.key)
            .map_or(spec.default, |(_, value)| value)
            .into(),
        default: spec.default.into(),
        allowed: spec.values.listed(spec.default),
    };
    Ok(specs.iter().map(setting).collect())
}

/// The canonical name: settings that differ from their defaults, in the family's order.
pub(crate) fn canonical_name(name: &str, settings: &[Setting]) -> String {
    let changed: Vec<String> = settings
        .iter()
        .filter(|setting| setting.value != setting.default)
        .map(|setting| format!("{}={}", setting.key, setting.value))
        .collect();
    if changed.is_empty() {
        name.into()
    } else {
        format!("{name}:{}", changed.join(","))
    }
}

/// The value of an option; the key must be one of the family's.
pub(crate) fn value_of<'a>(settings: &'a [Setting], key: &str) -> &'a str {
    settings
        .iter()
        .find(|setting| setting.key == key)
        .map_or_else(
            || unreachable!("no option '{key}' in this family"),
            |setting| &setting.value,
        )
}
