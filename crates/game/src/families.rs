//! The list of the families of games, and what follows from it: the catalogue, and the names that a
//! name can stand for.

use std::sync::LazyLock;

use crate::{
    Alias, AmpelGame, Family, OwnField, Squares, StripGame, Variant, VariantError, VariantName,
    ampel, bag, board, strip,
};

/// Every family, in the order in which they are listed.
pub static FAMILIES: &[&Family] = &[
    &board::CLASSIC,
    &board::SIGNAL,
    &board::GREEN,
    &board::POINTS,
    &strip::SLIDER,
    &strip::STRIP,
    &bag::BAG,
    &ampel::AMPEL,
    &crate::noughts::NOUGHTS,
];

/// The fields of expressions that only some games have.
pub static OWN_FIELDS: &[&[OwnField]] = &[StripGame::FIELDS, AmpelGame::FIELDS];

impl<'a> VariantName<'a> {
    /// Takes a text apart.
    #[must_use]
    pub fn new(text: &'a str) -> VariantName<'a> {
        let plain: String = text
            .chars()
            .filter(|letter| !letter.is_whitespace())
            .map(|letter| match letter {
                '×' => 'x',
                'á' | 'Á' => 'a',
                'è' | 'È' => 'e',
                _ => letter.to_ascii_lowercase(),
            })
            .collect();
        let (name, options) = match plain.split_once(':') {
            Some((name, options)) => (name, Some(options.to_string())),
            None => (plain.as_str(), None),
        };
        // The bag takes games by their other names, too.
        let after_bag = name
            .strip_prefix(bag::BAG.name)
            .and_then(|rest| rest.strip_prefix('-'));
        let base = after_bag.unwrap_or(name);
        let before = &name[..name.len() - base.len()];
        let alias = aliases().find(|alias| alias.name == base);
        let meant = match alias {
            Some(alias) => alias.means.to_string(),
            None if is_size(base) => format!("{}-{base}", board::CLASSIC.name),
            None => base.to_string(),
        };
        VariantName {
            text,
            name: format!("{before}{meant}"),
            options,
            alias,
        }
    }
}

// Whether a name is `RxC` alone.
fn is_size(name: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    name.split_once('x')
        .is_some_and(|(ranks, files)| digits(ranks) && digits(files))
}

fn aliases() -> impl Iterator<Item = &'static Alias> {
    FAMILIES.iter().flat_map(|family| family.aliases)
}

/// The names of the catalogue's variants, in order: what is listed, run through the laws and
/// published.
#[must_use]
pub fn catalogue() -> &'static [&'static str] {
    static CATALOGUE: LazyLock<Vec<&str>> = LazyLock::new(|| {
        let mut names = Vec::new();
        for kind in FAMILIES.chunk_by(|a, b| a.kind == b.kind) {
            names.extend(kind.iter().flat_map(|family| family.catalogue));
            names.extend(kind.iter().flat_map(|family| family.variations));
        }
        names
    });
    &CATALOGUE
}

/// Words by which people call games of any size: the family that they mean, and the options.
const SPOKEN: [(&str, &str, &str); 3] = [
    ("traffic-lights", "classic", ""),
    ("misere", "classic", ":play=misere"),
    ("tic-tac-toe", "noughts", ""),
];

/// The name that is meant by such a word, with a size or of three by three squares.
fn spoken(asked: &str) -> Option<String> {
    let (rest, family, options) = SPOKEN.iter().find_map(|(word, family, options)| {
        let rest = asked.strip_prefix(word)?;
        Some((rest, family, options))
    })?;
    let size = match rest {
        "" => "3x3",
        _ => rest.strip_prefix('-').filter(|size| is_size(size))?,
    };
    let name = format!("{family}-{size}{options}");
    Variant::parse(&name).is_ok().then_some(name)
}

/// The error of a name that no family has, with what is meant by it or the nearest that some have.
pub(crate) fn unknown(found: &str) -> VariantError {
    // Less alike than this (Jaro and Winkler, 1 the same), a name is no help.
    const LIKE: f64 = 0.7;
    // Longer than any name: a text of a hundred thousand letters would take seconds to be compared.
    const LONGEST: usize = 64;
    let asked: String = VariantName::new(found).name.chars().take(LONGEST).collect();
    let known = catalogue()
        .iter()
        .copied()
        .chain(aliases().map(|alias| alias.name));
    let mut ranked: Vec<(f64, &str)> = known
        .map(|name| (strsim::jaro_winkler(&asked, name), name))
        .filter(|(likeness, _)| *likeness > LIKE)
        // A user who asks for a game with options names them.
        .filter(|(_, name)| found.contains(':') || !name.contains(':'))
        .collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    ranked.sort_by_key(|(_, name)| name.contains(':'));
    let meant = spoken(&asked);
    ranked.retain(|(_, name)| meant.as_deref() != Some(name));
    let near = ranked.into_iter().map(|(_, name)| name.into());
    VariantError::Unknown {
        found: found.into(),
        nearest: meant.into_iter().chain(near).take(3).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn catalogue_names_are_canonical() {
        for name in catalogue() {
            assert_eq!(Variant::parse(name).unwrap().rules().name, *name);
        }
    }

    #[test]
    fn names_are_made_canonical() {
        let name = |text| Variant::parse(text).unwrap().rules().name.clone();
        assert_eq!(name("semaforo"), "classic-3x4");
        assert_eq!(name("semaforo:play=misere"), "classic-3x4:play=misere");
        assert_eq!(
            name("classic-3x3:play=normal,supply=unlimited"),
            "classic-3x3"
        );
        assert_eq!(
            name("classic-3x3:stalemate=loss,supply=cap4"),
            "classic-3x3:supply=cap4,stalemate=loss"
        );
        assert_eq!(
            Variant::parse("classic-3x3:supply=cap4")
                .unwrap()
                .rules()
                .slug(),
            "classic-3x3_supply-cap4"
        );
    }

    #[test]
    fn names_are_read_forgivingly() {
        for (text, name) in [
            ("Classic-3X3", "classic-3x3"),
            ("classic-3×3", "classic-3x3"),
            ("3x4", "classic-3x4"),
            (" 3 x 3 : Play = Misere ", "classic-3x3:play=misere"),
            ("traffic-lights", "classic-3x3"),
            ("Semaforo:supply=CAP8", "classic-3x4:supply=cap8"),
            ("Semáforo", "classic-3x4"),
            ("BAG-3X3", "bag-classic-3x3"),
            ("bag-Traffic-Lights", "bag-classic-3x3"),
            ("AMPEL", "ampel"),
        ] {
            let variant = Variant::parse(text);
            assert_eq!(variant.unwrap().rules().name, name, "{text}");
        }
        assert!(Variant::parse("3x").is_err());
        assert!(Variant::parse("x3").is_err());
    }

    #[test]
    fn words_of_people_lead_to_names() {
        for (text, name) in [
            ("misere-3x3", "classic-3x3:play=misere"),
            ("Misère", "classic-3x3:play=misere"),
            ("traffic-lights-3x4", "classic-3x4"),
            ("tic-tac-toe", "noughts-3x3"),
        ] {
            let VariantError::Unknown { nearest, .. } = Variant::parse(text).unwrap_err() else {
                panic!("{text}");
            };
            assert_eq!(nearest[0], name, "{text}");
        }
    }

    #[test]
    fn an_alias_keeps_its_name_for_people() {
        let rules = |text| Variant::parse(text).unwrap().rules().clone();
        let refused = Variant::parse("semaforo:play=foo").map(|_| ());
        assert!(
            refused
                .unwrap_err()
                .to_string()
                .starts_with("variant 'semaforo': ")
        );
        let semaforo = rules("semaforo:play=misere");
        assert_eq!(semaforo.title(), "semaforo:play=misere");
        assert_eq!(semaforo.name, "classic-3x4:play=misere");
        assert_eq!(semaforo.lights_name(), Some("gyr"));
        assert_eq!(rules("traffic-lights").title(), "classic-3x3");
        assert_eq!(rules("classic-3x4").lights_name(), Some("ryg"));
    }

    #[test]
    fn names_are_forgiven() {
        let name = |text| Variant::parse(text).unwrap().rules().name.clone();
        assert_eq!(name("3x3"), "classic-3x3");
        assert_eq!(name(" 4X3 "), "classic-4x3");
        assert_eq!(name("3×4:PLAY=Misere"), "classic-3x4:play=misere");
        assert_eq!(name("Traffic-Lights"), "classic-3x3");
        assert_eq!(name("SEMAFORO"), "classic-3x4");
        assert_eq!(name("Bag-Classic-3X3"), "bag-classic-3x3");
        let Err(VariantError::Unknown { nearest, .. }) = Variant::parse("classic3x3") else {
            panic!("no such variant");
        };
        assert!(!nearest.is_empty());
        assert!(
            nearest.iter().all(|name| !name.contains(':')),
            "{nearest:?}"
        );
    }

    #[test]
    fn games_are_asked_for_by_kind() {
        assert!(crate::BoardGame::named("signal-3x3").is_ok());
        let error = crate::StripGame::named("signal-3x3").unwrap_err();
        assert_eq!(
            error.to_string(),
            "variant 'signal-3x3' is a game on a fixed board, expected a game with a movable \
             strip; read it with Variant::parse"
        );
        let slider = Variant::parse("slider").unwrap();
        assert!(slider.as_strip().is_some() && slider.as_board().is_none());
    }

    #[test]
    fn bad_names_say_what_is_allowed() {
        let error = |text| Variant::parse(text).unwrap_err().to_string();
        assert!(
            error("clasic-3x3").contains("did you mean classic-3x3"),
            "{}",
            error("clasic-3x3")
        );
        assert!(error("").starts_with("unknown variant ''"));
        assert!(error("classic-9x9").contains("81 squares"));
        assert!(error("classic-0x3").contains("classic-3x4"));
        assert!(error("classic-99999999999999999999x3").contains("classic-3x4"));
        assert!(error("classic-3").contains("classic-3x4"));
        assert!(error("classic-03x3").contains("classic-3x4"));
        assert!(error("classic-3x3:").contains("expected key=value"));
        assert!(error("classic-3x3:pace=fast").contains("play, supply, stalemate"));
        assert!(error("classic-3x3:play=fast").contains("allowed: normal, misere"));
        assert!(error("classic-3x3:supply=cap0").contains("capN"));
        assert!(error("classic-3x3:supply=cap07").contains("capN"));
        assert!(error("classic-3x3:supply=cap100").contains("capN"));
        assert!(error("classic-3x3:play=misere,play=normal").contains("twice"));
        assert!(error("points-3x3:play=misere").contains("supply, end, four, score"));
        assert!(error("points-3x3:end=play-on,score=win").contains("score=win"));
    }

    #[test]
    fn ampel_names() {
        let name = |text| Variant::parse(text).unwrap().rules().name.clone();
        assert_eq!(name("ampel-11-20-5"), "ampel");
        assert_eq!(name("ampel-5-3-3:stuck-add=keep"), "ampel-5-3-3");
        assert_eq!(
            name("ampel:stuck-add=off,start-point=block"),
            "ampel:start-point=block,stuck-add=off"
        );
        let error = |text| Variant::parse(text).unwrap_err().to_string();
        assert!(error("ampel-12-20-5").contains("found side '12', not 4 to 11"));
        assert!(error("ampel-3-2-1").contains("found side '3', not 4 to 11"));
        assert!(error("ampel-11-21-5").contains("found disc count '21', not 1 to 20"));
        assert!(error("ampel-11-0-5").contains("found disc count '0', not 1 to 20"));
        assert!(error("ampel-11-20-11").contains("found yellow count '11', not 1 to 10"));
        assert!(
            error("ampel-4-2-2").contains("found yellow count 2, but side 4 has 1 point inside")
        );
        assert!(error("ampel-04-2-1").contains("found side '04'"));
        assert!(error("ampel-4-2").contains("found '4-2'"));
        assert!(error("ampel:supply=cap4").contains("start-point, first-step, own-cylinder"));
        assert!(error("ampel:stuck-add=win").contains("allowed: keep, off, loss"));
        assert!(error("ampl").contains("did you mean ampel"));
    }

    #[test]
    fn hash_follows_rules_not_names() {
        let hash = |text| Variant::parse(text).unwrap().rules().hash;
        assert_eq!(hash("points-3x4:score=win"), hash("signal-3x4"));
        let mut seen = std::collections::HashSet::new();
        assert!(catalogue().iter().all(|name| seen.insert(hash(name))));
    }
}
