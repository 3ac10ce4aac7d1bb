//! The names of games with a movable strip.

use super::family::{SLIDER, STRIP};
use crate::board::family::patterns;
use crate::named::NamedGame;
use crate::options::{canonical_name, value_of};
use crate::{
    BoardRules, Family, LineScore, Message, Opening, Play, Setting, Shape, Sides, Stalemate,
    StripGame, StripRules, Succession, Supply, VariantError, VariantName,
};

impl NamedGame for StripGame {
    fn read(asked: &VariantName<'_>) -> Option<Result<StripGame, VariantError>> {
        let families: [&'static Family; 2] = [&SLIDER, &STRIP];
        let family = families
            .into_iter()
            .find(|family| asked.name == family.name)?;
        let game = |settings: Vec<Setting>| {
            let full = canonical_name(family.name, &settings);
            game(full, family, settings)
        };
        Some(asked.settings(family.name, family.options).and_then(game))
    }
}

/// The game of a family; `settings` has every option of the family.
pub(crate) fn game(
    name: String,
    family: &'static Family,
    settings: Vec<Setting>,
) -> Result<StripGame, VariantError> {
    let conflict = |problem: Message| VariantError::Conflict {
        name: name.clone(),
        problem,
    };
    let is = |key, value| value_of(&settings, key) == value;
    let slider = family == &SLIDER;
    let scored = slider && is("score", "points");
    let sequences = slider || is("wins", "signal");
    let main = BoardRules {
        shape: Shape::rectangle(3, 3).map_err(|error| conflict(error.to_string().into()))?,
        line_length: 3,
        levels: 3,
        patterns: patterns(|levels| sequences || levels[0] == levels[1]),
        play: if scored {
            Play::FirstLine
        } else {
            Play::Normal
        },
        line_score: if slider && is("four", "once") {
            LineScore::EachRun
        } else {
            LineScore::EachLine
        },
        supply: Supply::Unlimited,
        stalemate: Stalemate::Draw,
        opening: Opening::default(),
        tops: None,
    };
    let rules = StripRules {
        main,
        turns: is("turn", "yes"),
        sides: if is("sides", "any") {
            Sides::Any
        } else {
            Sides::Adjacent
        },
        null_moves: is("null", "allowed"),
        empty_moves: is("empty-strip", "allowed"),
        succession: if slider || is("repeat", "ban") {
            Succession::Barred
        } else {
            Succession::Free
        },
    };
    StripGame::new(name.clone(), family, settings.clone(), rules)
        .map_err(|error| conflict(error.to_string().into()))
}

#[cfg(test)]
mod tests {
    use crate::{Advance, Variant, VariantError};

    fn rules(name: &str) -> crate::Rules {
        Variant::parse(name).unwrap().rules().clone()
    }

    #[test]
    fn every_option_makes_another_game() {
        let names = [
            "slider",
            "slider:four=once",
            "slider:score=win",
            "slider:turn=yes",
            "slider:sides=adjacent",
            "slider:null=forbidden",
            "slider:empty-strip=forbidden",
            "strip",
            "strip:turn=no",
            "strip:sides=adjacent",
            "strip:null=forbidden",
            "strip:empty-strip=forbidden",
            "strip:wins=signal",
            "strip:repeat=ban",
        ];
        let mut seen = std::collections::HashSet::new();
        for name in names {
            assert_eq!(rules(name).name, name);
            assert!(seen.insert(rules(name).hash), "{name}");
        }
        assert_eq!(
            rules("strip:repeat=ban,null=forbidden,turn=no,sides=any").name,
            "strip:turn=no,null=forbidden,repeat=ban"
        );
    }

    #[test]
    fn equal_rules_have_equal_hashes() {
        let hash = |name| rules(name).hash;
        assert_eq!(
            hash("slider:score=win,turn=yes"),
            hash("strip:wins=signal,repeat=ban")
        );
        assert_eq!(
            hash("slider:score=win"),
            hash("strip:turn=no,wins=signal,repeat=ban")
        );
        assert_eq!(
            hash("slider:score=win"),
            hash("slider:four=once,score=win"),
            "runs only matter where points do"
        );
    }

    #[test]
    fn canonical_text_spells_the_rules_out() {
        assert_eq!(
            rules("strip").canonical,
            "greenwave rules 1\nboard ###/###/###\nline-length 3\nlevels 3\n\
             pattern 111\npattern 222\npattern 333\ncompleted line wins\n\
             supply unlimited\nstalemate draw\n\
             strip along one edge\nstrip slides to any side\nstrip turns\n\
             strip moves may change nothing\nstrip moves while empty\nstrip moves may follow each other, endless play draws\n"
        );
        assert!(
            rules("slider:sides=adjacent,null=forbidden,empty-strip=forbidden")
                .canonical
                .ends_with(
                    "score each line\nsupply unlimited\nstalemate draw\n\
                 strip along one edge\nstrip slides to adjacent sides\nstrip never turns\n\
                 strip moves change something\nstrip stays while empty\n\
                 strip moves never follow each other\n"
                )
        );
    }

    #[test]
    fn declared_properties_pick_the_engine() {
        let progress = |name| rules(name).properties.advance;
        assert_eq!(progress("slider"), Advance::Acyclic);
        assert_eq!(progress("slider:turn=yes,score=win"), Advance::Acyclic);
        assert_eq!(progress("strip:repeat=ban"), Advance::Acyclic);
        assert_eq!(progress("strip"), Advance::Repeats);
        assert_eq!(progress("strip:null=forbidden"), Advance::Repeats);
    }

    #[test]
    fn bad_names_say_what_is_allowed() {
        let error = |text| Variant::parse(text).unwrap_err();
        assert!(matches!(error("slider-3x3"), VariantError::Unknown { .. }));
        assert!(error("sliders").to_string().contains("did you mean slider"));
        assert!(
            error("slider:repeat=ban")
                .to_string()
                .contains("four, score, turn, sides, null, empty-strip")
        );
        assert!(
            error("strip:score=win")
                .to_string()
                .contains("turn, sides, null, empty-strip, wins, repeat")
        );
        assert!(
            error("strip:turn=maybe")
                .to_string()
                .contains("allowed: yes, no")
        );
        assert!(
            error("slider:turn=maybe")
                .to_string()
                .contains("allowed: no, yes")
        );
    }
}
