//! Laws of what a variant says of itself.

use greenwave_game::{Metric, Outcomes, Rules, Setting, Variant};

use super::law::{Breach, LawResult, ensure};

type RulesLaw = (&'static str, fn(&Rules) -> LawResult);

const OF_NAMES: [RulesLaw; 3] = [
    (
        "the canonical name is read back as the same variant",
        name_is_read_back,
    ),
    (
        "every option spelled out gives the same variant",
        options_spelled_out,
    ),
    (
        "every option of the family has a value, in the family's order",
        options_complete,
    ),
];

const LAWS: [RulesLaw; 5] = [
    ("the hash is that of the canonical text", hash_of_the_text),
    ("canonical texts are lines of plain words", plain_text),
    (
        "metrics are listed in order and fit the outcomes",
        metrics_fit,
    ),
    (
        "the canonical text tells whether there are lights",
        lights_told,
    ),
    ("the slug is fit for a folder", slug_is_plain),
];

pub(super) fn check(variant: &Variant) -> Vec<Breach> {
    let mut broken = check_all(variant, &OF_NAMES);
    broken.extend(check_unnamed(variant));
    broken
}

pub(super) fn check_unnamed(variant: &Variant) -> Vec<Breach> {
    check_all(variant, &LAWS)
}

fn check_all(variant: &Variant, laws: &[RulesLaw]) -> Vec<Breach> {
    let rules = variant.rules();
    laws.iter()
        .filter_map(|(law, check)| {
            check(rules).err().map(|found| Breach {
                law,
                variant: rules.name.clone(),
                position: None,
                seed: 0,
                found,
            })
        })
        .collect()
}

fn same_variant(rules: &Rules, text: &str) -> LawResult {
    match Variant::parse(text) {
        Ok(again) => {
            let other = again.rules();
            let same = other.name == rules.name
                && other.canonical == rules.canonical
                && other.hash == rules.hash
                && other.options == rules.options;
            ensure(same, || format!("'{text}' is read as {}", other.name))
        }
        Err(error) => Err(format!("'{text}' is refused: {error}")),
    }
}

fn name_is_read_back(rules: &Rules) -> LawResult {
    same_variant(rules, &rules.name)
}

fn options_spelled_out(rules: &Rules) -> LawResult {
    if rules.options.is_empty() {
        return Ok(());
    }
    let base = rules.name.split(':').next().unwrap_or_default();
    let written = |setting: &Setting| format!("{}={}", setting.key, setting.value);
    let options: Vec<String> = rules.options.iter().map(written).collect();
    same_variant(rules, &format!("{base}:{}", options.join(",")))?;
    let backwards: Vec<String> = rules.options.iter().rev().map(written).collect();
    same_variant(rules, &format!("{base}:{}", backwards.join(",")))
}

fn options_complete(rules: &Rules) -> LawResult {
    let keys: Vec<&str> = rules.options.iter().map(|setting| setting.key).collect();
    let options = rules.family.options.iter();
    let has = options.filter(|spec| rules.name.starts_with(spec.only));
    let family: Vec<&str> = has.map(|spec| spec.key).collect();
    ensure(keys == family, || format!("{keys:?}, expected {family:?}"))
}

fn hash_of_the_text(rules: &Rules) -> LawResult {
    let hash = Rules::hash_of(&rules.canonical);
    ensure(rules.hash == hash, || {
        format!("{}, expected {hash}", rules.hash)
    })
}

fn plain_text(rules: &Rules) -> LawResult {
    let text = &rules.canonical;
    let plain = |line: &str| !line.is_empty() && line.trim() == line && line.is_ascii();
    ensure(
        text.starts_with("greenwave rules ") && text.ends_with('\n') && text.lines().all(plain),
        || text.clone(),
    )
}

fn metrics_fit(rules: &Rules) -> LawResult {
    let found = || format!("{:?}, default {}", rules.metrics, rules.default_metric);
    let place = |metric: &Metric| Metric::ALL.iter().position(|other| other == metric);
    ensure(
        rules.metrics.is_sorted_by(|a, b| place(a) < place(b)),
        found,
    )?;
    ensure(rules.metrics.contains(&rules.default_metric), found)?;
    let default = match rules.properties.outcomes {
        Outcomes::WinLoss | Outcomes::WinDrawLoss => Metric::Distance,
        Outcomes::Points => Metric::Points,
        Outcomes::Expectation => Metric::Odds,
    };
    ensure(rules.default_metric == default, found)?;
    let nimbers = rules.metrics.contains(&Metric::Nimber);
    ensure(
        !nimbers || rules.properties.outcomes == Outcomes::WinLoss,
        found,
    )
}

fn lights_told(rules: &Rules) -> LawResult {
    let told = Rules::has_lights(&rules.canonical) && rules.highest_level() > 0;
    ensure(told == rules.lights.is_some(), || rules.canonical.clone())
}

fn slug_is_plain(rules: &Rules) -> LawResult {
    let slug = rules.slug();
    let plain = |letter: char| {
        letter.is_ascii_lowercase() || letter.is_ascii_digit() || "-_".contains(letter)
    };
    ensure(slug.chars().all(plain), || slug.clone())
}
