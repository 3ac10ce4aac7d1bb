//! The names of games as people call them.

use std::fmt::Write;

use greenwave_game::{Setting, Variant, catalogue};
use greenwave_picture::{escaped, lamp};
use greenwave_words::Language;

use crate::board_words;
use crate::explorer::Explorer;
use crate::own_rules;
use crate::page::options;

/// The name of a kind of game as people say it.
pub(super) fn family_name(words: Language, family: &str) -> &'static str {
    words.text(match family {
        "classic" => "family-classic",
        "signal" => "family-signal",
        "green" => "family-green",
        "points" => "family-points",
        "noughts" => "family-noughts",
        "slider" => "family-slider",
        "strip" => "family-strip",
        "bag" => "family-bag",
        "ampel" => "family-ampel",
        _ => "family-custom",
    })
}

/// The rule of a game in a line, as it stands below its name; `None` where its rules are its own.
pub(super) fn short_rule(words: Language, variant: &Variant) -> Option<&'static str> {
    let rules = variant.rules();
    let has = |key: &str, value: &str| {
        let mut options = rules.options.iter();
        options.any(|option: &Setting| option.key == key && option.value == value)
    };
    let turns = has("turn", "yes");
    let key = match rules.family.name {
        _ if has("play", "misere") => "rule-misere",
        "classic" => "rule-classic",
        "signal" => "rule-signal",
        "green" => "rule-green",
        "points" => "rule-points",
        "noughts" => "rule-noughts",
        "slider" if rules.properties.scores => "rule-slider",
        "strip" if turns => "rule-turning",
        "slider" | "strip" => "rule-strip",
        "bag" => "rule-bag",
        "ampel" => "rule-ampel",
        _ => return None,
    };
    Some(words.text(key))
}

/// Whether a game is of a rule file, or of rules that its name carries.
pub(super) fn is_of_own_rules(explorer: &Explorer, name: &str) -> bool {
    explorer.file(name).is_some() || own_rules::is_own(name)
}

/// A game as people call it: its family and size, and in what its rules differ from those.
pub(super) fn title(explorer: &Explorer, words: Language, name: &str) -> String {
    if let Some(file) = explorer.file(name) {
        return file.title.clone();
    }
    if own_rules::is_own(name) {
        let titled = own_rules::design_of(name).map(|design| design.title);
        let titled = titled.filter(|title| !title.is_empty());
        return titled.unwrap_or_else(|| words.text("family-custom").into());
    }
    let Ok(variant) = explorer.variant(name) else {
        return words.named_game(name);
    };
    let rules = variant.rules();
    let base = name.split(':').next().unwrap_or(name);
    let mut called = base_title(explorer, words, rules.family.name, base);
    let changed = |setting: &&Setting| setting.value != setting.default;
    for setting in rules.options.iter().filter(changed) {
        called.push_str(" \u{b7} ");
        called.push_str(&options::in_title(words, setting));
    }
    called
}

/// All games as choices of a field that takes any name.
pub(super) fn choices(explorer: &Explorer, words: Language) -> String {
    let kinds = kinds(explorer, words, "", &|_| true).into_iter();
    kinds.map(|(_, options)| options).collect()
}

/// The games that fit, among which a reader chooses by what they are called, those of a kind together; the chosen one
/// stands among them.
pub(super) fn grouped_choices(
    explorer: &Explorer,
    words: Language,
    chosen: &str,
    fits: &dyn Fn(&Variant) -> bool,
) -> String {
    let group = |(kind, options): (&str, String)| {
        format!("<optgroup label=\"{}\">{options}</optgroup>", escaped(kind))
    };
    let kinds = kinds(explorer, words, chosen, fits).into_iter();
    kinds.map(group).collect()
}

/// The kinds of games that fit, each with its choices.
fn kinds(
    explorer: &Explorer,
    words: Language,
    chosen: &str,
    fits: &dyn Fn(&Variant) -> bool,
) -> Vec<(&'static str, String)> {
    let files = explorer.files().map(|file| file.variant.rules().title());
    let mut names: Vec<&str> = catalogue().iter().copied().chain(files).collect();
    if !chosen.is_empty() && !names.contains(&chosen) {
        names.insert(0, chosen);
    }
    let mut kinds: Vec<(&'static str, String)> = Vec::new();
    for name in names {
        let Some(variant) = explorer.variant(name).ok().filter(|known| fits(known)) else {
            continue;
        };
        let kind = if is_of_own_rules(explorer, name) {
            words.text("family-custom")
        } else {
            family_name(words, variant.rules().family.name)
        };
        let place = kinds.iter().position(|(known, _)| *known == kind);
        let place = place.unwrap_or_else(|| {
            kinds.push((kind, String::new()));
            kinds.len() - 1
        });
        let selected = if name == chosen { " selected" } else { "" };
        let called = title(explorer, words, name);
        let _ = write!(
            kinds[place].1,
            "<option value=\"{}\"{selected}>{}</option>",
            escaped(name),
            escaped(&called)
        );
    }
    kinds
}

/// The same of a name without options.
fn base_title(explorer: &Explorer, words: Language, family: &str, base: &str) -> String {
    let named = words.named_game(base);
    if named != base {
        return named;
    }
    let called = family_name(words, family);
    let Some(rest) = base.strip_prefix(family) else {
        return format!("{called} \u{b7} {base}");
    };
    match rest.strip_prefix('-') {
        None => called.into(),
        Some(size) if is_size(rest) => format!("{called} {}", size.replace('x', "\u{d7}")),
        // A game with a bag is called after the game that is played with it.
        Some(inner) if explorer.variant(inner).is_ok() => {
            format!("{called} \u{b7} {}", title(explorer, words, inner))
        }
        Some(size) => format!("{called} {size}"),
    }
}

/// Whether the rest of a name is a size, such as `-3x4`.
fn is_size(rest: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|one| one.is_ascii_digit());
    let sides = rest.strip_prefix('-').and_then(|size| size.split_once('x'));
    sides.is_some_and(|(ranks, files)| is_number(ranks) && is_number(files))
}

/// The letters of the lights as a note beside moves and lights, whose letters are not those of the words in every language.
pub(super) fn lights_note(words: Language, variant: &Variant) -> String {
    let Some(lights) = variant.rules().lights else {
        return String::new();
    };
    let shown = lights.up_to(variant.rules().highest_level());
    let shown: Vec<String> = shown
        .map(|(letter, name)| format!("<span>{}{}</span>", lamp(letter), escaped(words.text(name))))
        .collect();
    format!(
        "<p class=\"note of-lights\"><span class=\"unseen\">{}</span><span aria-hidden=\"true\">{}</span></p>",
        escaped(&board_words::lights(words, variant, ", ")),
        shown.join(" \u{2192} ")
    )
}

#[cfg(test)]
mod tests {
    use greenwave_game::FAMILIES;

    use super::*;

    #[test]
    fn every_family_has_a_name_of_its_own() {
        let rest = family_name(Language::English, "");
        for family in FAMILIES {
            assert_ne!(family_name(Language::English, family.name), rest);
        }
    }
}
