//! The form of the options of a game, and the way from a form to the game.

use std::borrow::Cow;
use std::fmt::Write;

use greenwave_game::{Filling, Setting, Variant};
use greenwave_picture::escaped;
use greenwave_words::Language;

use crate::explorer::Explorer;
use crate::page::reader::Reader;
use crate::params::Params;
use crate::problem::Problem;
use crate::routes::RouteAnswer;

/// Most counters of a supply, and most more than the least, among which a reader chooses. The address takes
/// any number that the rules allow.
const COUNTERS: u32 = 12;

/// The key of what an option is called; `None` where there are no words for it.
fn option_key(option: &str) -> Option<&'static str> {
    Some(match option {
        "play" => "design-play",
        "line" => "option-line",
        "supply" => "option-supply",
        "stalemate" => "option-stalemate",
        "end" => "option-end",
        "four" => "option-four",
        "score" => "option-score",
        "turn" => "option-turn",
        "sides" => "option-sides",
        "null" => "option-null",
        "empty-strip" => "option-empty-strip",
        "wins" => "option-wins",
        "repeat" => "option-repeat",
        "counters" => "option-counters",
        "choice" => "option-choice",
        "return" => "option-return",
        "slide" => "option-slide",
        "utility" => "option-utility",
        "start-point" => "option-start-point",
        "first-step" => "option-first-step",
        "own-cylinder" => "option-own-cylinder",
        "stuck-add" => "option-stuck-add",
        _ => return None,
    })
}

/// The key of what a value of an option is called; `None` where there are no words for it.
fn value_key(option: &str, value: &str) -> Option<&'static str> {
    Some(match (option, value) {
        ("play", "normal") => "design-wins",
        ("play", "misere") => "design-loses",
        ("supply", "unlimited") => "option-unlimited",
        ("stalemate", "draw") => "start-draw",
        ("stalemate", "loss") => "option-stalemate-loss",
        ("stalemate", "pass") => "option-stalemate-pass",
        ("end", "first-line") => "option-end-first",
        ("end", "play-on") => "option-end-on",
        ("four", "twice") => "option-twice",
        ("four", "once") => "option-once",
        ("score", "points") => "option-score-points",
        ("score", "win") => "option-score-line",
        ("turn", "yes") | ("start-point", "pass") => "option-yes",
        ("turn", "no") | ("start-point", "block") => "option-no",
        ("sides", "any") => "option-sides-any",
        ("sides", "adjacent") => "option-sides-next",
        ("null" | "empty-strip", "allowed") => "option-allowed",
        ("null" | "empty-strip", "forbidden") | ("repeat", "ban") => "option-forbidden",
        ("wins", "mono") => "option-alike",
        ("wins", "signal") => "option-alike-or-order",
        ("repeat", "draw") => "option-repeat-draw",
        ("counters", "infinite") => "option-unlimited",
        ("return", "before") => "option-before",
        ("return", "after") => "option-after",
        ("slide", "any-turn") => "option-any-turn",
        ("slide", "stuck") => "option-if-stuck",
        ("slide", "never") => "design-never",
        ("utility", "win") => "option-balance",
        ("utility", "points") => "option-points",
        ("first-step", "free") => "option-step-free",
        ("first-step", "blocked") => "option-step-blocked",
        ("own-cylinder", "moves") => "option-moves",
        ("own-cylinder", "frozen") => "option-stays",
        ("stuck-add", "keep") => "option-keep",
        ("stuck-add", "off") => "option-off",
        ("stuck-add", "loss") => "option-player-loses",
        _ => return None,
    })
}

/// What a value of an option is called.
fn value_name<'v>(words: Language, option: &str, value: &'v str) -> Cow<'v, str> {
    if let Some(key) = value_key(option, value) {
        return words.text(key).into();
    }
    for (kind, key) in [("cap", "option-cap"), ("pool", "option-pool")] {
        if let Some(number) = value.strip_prefix(kind) {
            return words.with(key, number).into();
        }
    }
    value.into()
}

/// What the title of a game says of an option that is not as usual.
pub(super) fn in_title(words: Language, setting: &Setting) -> String {
    let value = value_name(words, setting.key, &setting.value);
    match setting.key {
        "play" => words.text("option-misere").into(),
        "supply" => value.into(),
        "end" => words.text("title-end").into(),
        "score" => words.text("title-score").into(),
        "repeat" => words.text("title-repeat").into(),
        "line" => words.with("title-line", &setting.value),
        key => match option_key(key) {
            Some(option) => format!("{}: {value}", words.text(option)),
            None => format!("{key}={value}"),
        },
    }
}

/// The values of an option among which a reader chooses, its own among them.
fn values(setting: &Setting, cells: u32) -> Vec<String> {
    let mut values: Vec<String> = match &setting.allowed {
        Filling::Text(list) => list.split(", ").map(String::from).collect(),
        Filling::Message(message) => {
            let least = match message.filling("least") {
                Some(Filling::Text(least)) => least.parse().unwrap_or(1),
                Some(Filling::Count(_) | Filling::Message(_) | Filling::List(_)) | None => 1,
            };
            if message.key() == Some("allowed_supply") {
                let numbers = || least..=cells.min(COUNTERS);
                std::iter::once("unlimited".to_string())
                    .chain(numbers().map(|number| format!("cap{number}")))
                    .chain(numbers().map(|number| format!("pool{number}")))
                    .collect()
            } else {
                let numbers = (least..=least + COUNTERS).map(|number| number.to_string());
                numbers.chain(["infinite".into()]).collect()
            }
        }
        Filling::Count(_) | Filling::List(_) => Vec::new(),
    };
    if !values.contains(&setting.value) {
        values.push(setting.value.clone());
    }
    values
}

/// The form of the options of a variant.
pub(super) fn form(explorer: &Explorer, reader: &Reader, variant: &Variant) -> String {
    let words = reader.language;
    let rules = variant.rules();
    let name = rules.title().split(':').next().unwrap_or_default();
    let mut html = format!(
        "<form class=\"options\" action=\"{}/go\" method=\"get\"><input type=\"hidden\" name=\"name\" \
         value=\"{}\">{}",
        escaped(&explorer.base),
        escaped(name),
        reader.hidden_fields()
    );
    for setting in &rules.options {
        let values = values(setting, rules.cells);
        if values.len() < 2 {
            continue;
        }
        let _ = write!(
            html,
            "<p><label for=\"o-{key}\">{}</label><select id=\"o-{key}\" name=\"o-{key}\">",
            escaped(option_key(setting.key).map_or(setting.key, |key| words.text(key))),
            key = setting.key
        );
        for value in &values {
            let selected = if *value == setting.value {
                " selected"
            } else {
                ""
            };
            let _ = write!(
                html,
                "<option value=\"{}\"{selected}>{}</option>",
                escaped(value),
                escaped(&value_name(words, setting.key, value))
            );
        }
        html.push_str("</select></p>");
    }
    let _ = write!(html, "<button>{}</button></form>", words.text("open"));
    html
}

/// From a form to the page of the variant that it names: a page with a link, which is followed at
/// once.
pub(super) fn go(
    explorer: &Explorer,
    reader: &Reader,
    params: &Params,
) -> Result<RouteAnswer, Problem> {
    // Who names no game chooses one.
    let Some(name) = params.text("name") else {
        return Ok(RouteAnswer::moved(reader.address(explorer, "/", &[])));
    };
    let mut settings = Vec::new();
    let mut keys = vec!["name".to_string()];
    if let Ok(variant) = explorer.variant(&name) {
        let options = variant.rules().options.iter();
        keys.extend(options.map(|setting| format!("o-{}", setting.key)));
        for setting in &variant.rules().options {
            let value = params.text(&format!("o-{}", setting.key));
            if let Some(value) = value.filter(|value| *value != setting.default) {
                settings.push(format!("{}={value}", setting.key));
            }
        }
    }
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    Reader::only(params, &keys)?;
    let name = if settings.is_empty() {
        name
    } else {
        format!("{name}:{}", settings.join(","))
    };
    explorer.variant(&name)?;
    Ok(RouteAnswer::moved(reader.address(
        explorer,
        &format!("/{name}"),
        &[],
    )))
}

#[cfg(test)]
mod tests {
    use greenwave_game::{FAMILIES, catalogue};

    use super::*;

    #[test]
    fn every_option_and_every_value_has_words() {
        let specimens = FAMILIES.iter().flat_map(|family| family.specimens);
        for name in catalogue().iter().chain(specimens) {
            let variant = Variant::parse(name).unwrap();
            let rules = variant.rules();
            for setting in &rules.options {
                assert!(option_key(setting.key).is_some(), "{name} {}", setting.key);
                for value in values(setting, rules.cells) {
                    let said = value_name(Language::German, setting.key, &value);
                    let is_number = value.bytes().all(|byte| byte.is_ascii_digit());
                    assert!(
                        is_number || *said != *value,
                        "{name} {} {value}",
                        setting.key
                    );
                }
            }
        }
    }

    #[test]
    fn values_are_those_that_a_game_allows() {
        let values = |name: &str, key: &str| {
            let variant = Variant::parse(name).unwrap();
            let rules = variant.rules().clone();
            let setting = rules.options.iter().find(|setting| setting.key == key);
            values(setting.unwrap(), rules.cells)
        };
        assert_eq!(values("classic-3x3", "play"), ["normal", "misere"]);
        let supply = values("classic-3x3:supply=pool40", "supply");
        assert_eq!(supply[..2], ["unlimited", "cap1"]);
        assert_eq!(supply.last().unwrap(), "pool40");
        assert_eq!(supply.len(), 1 + 9 + 9 + 1);
        let counters = values("bag-classic-3x3", "counters");
        assert_eq!((&*counters[0], &*counters[13]), ("6", "infinite"));
        for number in &counters {
            assert!(Variant::parse(&format!("bag-classic-3x3:counters={number}")).is_ok());
        }
        assert_eq!(values("bag-classic-3x3", "utility"), ["win"]);
    }
}
