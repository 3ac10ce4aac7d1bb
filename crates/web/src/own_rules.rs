//! Games of one's own: the choices that make their rules, and the names under which they are played.
//!
//! A name carries the choices as the address of the form does: `own:board=ooo.o-o.ooo,lose=1`. Dots stand for the
//! slashes, the commas and the blanks of the values.

pub(crate) mod choices;
pub(crate) mod opened;

use greenwave_game::{RuleFile, Variant};

use crate::params::Params;
use choices::{CLICKS, Design};

/// The beginning of the names of such games.
const NAME: &str = "own:";

/// Whether a name is that of a game of one's own.
pub(crate) fn is_own(name: &str) -> bool {
    name.starts_with(NAME)
}

/// The name of the game that some choices make.
pub(crate) fn name_of(design: &Design) -> String {
    let rules = Design {
        click: CLICKS[0].0,
        ..design.clone()
    };
    let settings: Vec<String> = rules
        .own()
        .iter()
        .map(|(name, value)| format!("{name}={}", value.replace(['/', ',', ' '], ".")))
        .collect();
    format!("{NAME}{}", settings.join(","))
}

/// The choices of a name; `None` where it is not the name of a game of one's own.
pub(crate) fn design_of(name: &str) -> Option<Design> {
    let settings = name.strip_prefix(NAME)?;
    let known = |letter: char| letter.is_alphanumeric() || "=,.-".contains(letter);
    if !settings.chars().all(known) {
        return None;
    }
    let pairs: Vec<String> = settings
        .split(',')
        .filter_map(|setting| setting.split_once('='))
        .map(|(key, value)| {
            let between = match key {
                "goals" | "second" => ",",
                "title" => " ",
                _ => "/",
            };
            format!("{key}={}", value.replace('.', between))
        })
        .collect();
    let design = Design::read(&Params::read(&pairs.join("&")).ok()?).ok()?;
    // Each game has one name.
    (name_of(&design) == name).then_some(design)
}

/// The game of a name; `None` where it is not the name of a game of one's own.
pub(crate) fn variant_of(name: &str) -> Option<Variant> {
    let text = design_of(name)?.text();
    let file = RuleFile::parse("own.toml", &text).ok()?;
    Some(file.variant.shown_as(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn design(query: &str) -> Design {
        Design::read(&Params::read(query).unwrap()).unwrap()
    }

    #[test]
    fn names_carry_the_rules() {
        for query in [
            "board=ooo/o-o/ooo&lose=1&click=top",
            "goals=111,123&turns=1-2-2",
            "start=010/000/020&top=333/313/333&barred=ooo/oxo/ooo",
            "goals=111&second=222,333&may=12-3",
            "goals=111&second=",
            "along=&pass=once",
            "title=Grün und Gelb&along=",
        ] {
            let choices = Design {
                click: CLICKS[0].0,
                ..design(query)
            };
            let name = name_of(&design(query));
            assert_eq!(design_of(&name), Some(choices), "{name}");
            let variant = variant_of(&name).unwrap();
            assert_eq!(variant.rules().title(), name);
        }
        assert_eq!(
            name_of(&design("board=ooo/o-o/ooo&lose=1&click=top")),
            "own:board=ooo.o-o.ooo,lose=1"
        );
    }

    #[test]
    fn a_game_has_one_name_and_a_name_one_game() {
        for name in [
            "classic-3x3",
            "own:lose=0",
            "own:lose=1,lose=1",
            "own:lose=1,board=ooo.o-o.ooo",
            "own:lose=1&levels=2",
            "own:lose=1,click=top",
            "own:board=oooooo.oooooo.oooooo.oooooo.oooooo.oooooo.oooooo",
            "own:what=1",
        ] {
            assert!(design_of(name).is_none(), "{name}");
        }
        // A name of choices that make no game.
        assert!(variant_of("own:board=oo-.-oo,wrap=both").is_none());
    }
}
