//! The names of bag games: `bag-BASE` over a board or the slider.

use super::family::{BAG, POINT_OPTIONS, SLIDER_OPTIONS, WIN_OPTIONS};
use crate::named::NamedGame;
use crate::options::{canonical_name, parse_options, parse_size, value_of};
use crate::{
    BagGame, BagRules, BagSlides, BagSupply, BoardGame, Choice, Family, POINTS, Return, SLIDER,
    STRIP, Setting, StripGame, VariantError, VariantName, board, messages, strip,
};

impl NamedGame for BagGame<BoardGame> {
    fn read(asked: &VariantName<'_>) -> Option<Result<BagGame<BoardGame>, VariantError>> {
        let base = asked.after(BAG.name)?;
        board::family::FAMILIES.iter().find_map(|family| {
            let size = base.strip_prefix(family.name)?.strip_prefix('-')?;
            Some(over_board(asked, family, size))
        })
    }
}

impl NamedGame for BagGame<StripGame> {
    fn read(asked: &VariantName<'_>) -> Option<Result<BagGame<StripGame>, VariantError>> {
        let base = asked.after(BAG.name)?;
        if base == STRIP.name {
            return Some(Err(VariantError::Conflict {
                name: asked.name.clone(),
                problem: messages::bag_strip(),
            }));
        }
        (base == SLIDER.name).then(|| over_slider(asked))
    }
}

fn over_slider(asked: &VariantName<'_>) -> Result<BagGame<StripGame>, VariantError> {
    let settings = asked.settings(&asked.name, SLIDER_OPTIONS)?;
    let (full, settings, bag) = finish(&asked.name, 12, settings)?;
    let rules = win_or_points(&settings, &SLIDER)?;
    let game = strip::name::game(SLIDER.name.into(), &SLIDER, rules)?;
    Ok(BagGame::new(full, settings, bag, game))
}

fn over_board(
    asked: &VariantName<'_>,
    family: &'static Family,
    size: &str,
) -> Result<BagGame<BoardGame>, VariantError> {
    let name = &asked.name;
    let shape = parse_size(name, family.name, size)?;
    let options = if family == &POINTS {
        POINT_OPTIONS
    } else {
        WIN_OPTIONS
    };
    let settings = asked.settings(name, options)?;
    let (full, settings, bag) = finish(name, shape.cells() as u32, settings)?;
    let rules = win_or_points(&settings, family)?;
    let base = format!("{}-{size}", family.name);
    let game = board::name::game(base, family, rules, shape)?;
    let mut game = BagGame::new(full.clone(), settings, bag, game);
    asked.dress(&mut game, &full);
    Ok(game)
}

// The settings of the base game: its defaults, but a plain win where only that counts.
fn win_or_points(settings: &[Setting], family: &Family) -> Result<Vec<Setting>, VariantError> {
    let scored = family == &POINTS || family == &SLIDER;
    let plain = scored && value_of(settings, "utility") == "win";
    parse_options(family.name, plain.then_some("score=win"), family.options)
}

// Name, settings and rules once the number of squares is known.
fn finish(
    name: &str,
    cells: u32,
    mut settings: Vec<Setting>,
) -> Result<(String, Vec<Setting>, BagRules), VariantError> {
    let returns = match value_of(&settings, "return") {
        "after" => Return::AfterTurn,
        _ => Return::BeforeDraw,
    };
    let least = BagRules::least_counters(cells, returns);
    let default = BagRules::usual_counters(cells, returns).to_string();
    if let Some(counters) = settings
        .iter_mut()
        .find(|setting| setting.key == "counters")
    {
        if counters.value.is_empty() {
            counters.value.clone_from(&default);
        }
        counters.allowed = messages::allowed_counters(&default, least, 99_u32).into();
        counters.default = default;
    }
    let full = canonical_name(name, &settings);
    let counters = match value_of(&settings, "counters").parse() {
        Ok(number) => BagSupply::Each(number),
        Err(_) => BagSupply::Infinite,
    };
    if let BagSupply::Each(number) = counters
        && let Some(problem) = BagRules::supply_problem(cells, number, returns)
    {
        return Err(VariantError::Conflict {
            name: full,
            problem,
        });
    }
    let slides = settings.iter().find(|setting| setting.key == "slide");
    let bag = BagRules {
        counters,
        choice: match value_of(&settings, "choice") {
            "3" => Choice::OfThree,
            _ => Choice::OfTwo,
        },
        returns,
        slides: match slides.map(|setting| setting.value.as_str()) {
            Some("any-turn") => BagSlides::AnyTurn,
            Some("stuck") => BagSlides::Stuck,
            _ => BagSlides::Never,
        },
    };
    Ok((full, settings, bag))
}

#[cfg(test)]
mod tests {
    use crate::{Advance, Game, Luck, PlayerOptions, Turn, Variant};

    fn rules(name: &str) -> crate::Rules {
        Variant::parse(name).unwrap().rules().clone()
    }

    fn error(name: &str) -> String {
        Variant::parse(name).unwrap_err().to_string()
    }

    #[test]
    fn names_are_made_canonical() {
        let name = |text| rules(text).name;
        assert_eq!(name("bag-classic-3x3:counters=6"), "bag-classic-3x3");
        assert_eq!(name("bag-semaforo:counters=8"), "bag-classic-3x4");
        assert_eq!(
            name("bag-classic-3x4:counters=7"),
            "bag-classic-3x4:counters=7"
        );
        assert_eq!(
            name("bag-slider:utility=win,slide=never,return=after,choice=3,counters=infinite"),
            "bag-slider:counters=infinite,choice=3,return=after,slide=never,utility=win"
        );
        assert_eq!(
            name("bag-classic-4x8:counters=14"),
            "bag-classic-4x8",
            "3N ≥ 40"
        );
        assert_eq!(
            rules("bag-classic-3x3:choice=3").slug(),
            "bag-classic-3x3_choice-3"
        );
    }

    #[test]
    fn every_option_makes_another_game() {
        let names = [
            "bag-slider",
            "bag-slider:counters=9",
            "bag-slider:counters=infinite",
            "bag-slider:choice=3",
            "bag-slider:return=after",
            "bag-slider:slide=stuck",
            "bag-slider:slide=never",
            "bag-slider:utility=win",
            "bag-points-3x4",
            "bag-points-3x4:utility=win",
            "bag-green-3x4",
        ];
        let mut seen = std::collections::HashSet::new();
        for name in names {
            assert_eq!(rules(name).name, name);
            assert!(seen.insert(rules(name).hash), "{name}");
        }
        let hash = |name| rules(name).hash;
        assert_eq!(hash("bag-points-3x4:utility=win"), hash("bag-signal-3x4"));
    }

    #[test]
    fn too_small_supplies_name_the_rule() {
        assert_eq!(
            error("bag-classic-3x3:counters=5"),
            "variant 'bag-classic-3x3:counters=5': counters=5 is too few for 9 squares: the bag \
             would run out; expected N with 3N ≥ 9 + 8, so counters=6 or more, or \
             counters=infinite"
        );
        assert!(error("bag-points-3x4:counters=6").contains("3N ≥ 12 + 8, so counters=7"));
        assert!(
            rules("bag-classic-1x3:counters=4,return=after")
                .name
                .contains("counters=4")
        );
        assert!(error("bag-classic-1x4:counters=4,return=after").contains("3N ≥ 4 + 9"));
        assert!(Variant::parse("bag-classic-1x4:counters=4").is_ok());
    }

    #[test]
    fn bad_names_say_what_is_allowed() {
        assert!(error("bag-strip").contains("strip cannot be played with a bag"));
        assert!(error("bag-clasic-3x3").contains("did you mean bag-classic-3x3"));
        assert!(error("bag-bag-classic-3x3").contains("unknown variant"));
        assert!(error("bag-classic-9x9").contains("81 squares"));
        assert!(error("bag-classic-3x3:slide=never").contains("counters, choice, return, utility"));
        assert!(error("bag-classic-3x3:supply=cap4").contains("unknown option key 'supply'"));
        assert!(error("bag-classic-3x3:utility=points").contains("allowed: win"));
        assert!(error("bag-classic-3x3:counters=0").contains("infinite"));
        assert!(error("bag-classic-3x3:choice=4").contains("allowed: 2, 3"));
    }

    #[test]
    fn declared_properties() {
        let properties = rules("bag-classic-3x3").properties;
        assert_eq!(properties.luck, Luck::Draws);
        assert_eq!(properties.options, PlayerOptions::ByPlayer);
        assert_eq!(properties.turn, Turn::Runs);
        assert_eq!(properties.advance, Advance::Acyclic);
        assert_eq!(rules("bag-slider").properties.advance, Advance::Repeats);
        assert_eq!(
            rules("bag-slider:slide=never").properties.advance,
            Advance::Acyclic
        );
    }

    #[test]
    fn sizes_of_the_index() {
        let indexable = |name| Variant::parse(name).unwrap().indexable();
        assert_eq!(indexable("bag-classic-3x3"), 157_286_400);
        assert_eq!(indexable("bag-points-3x4"), 10_066_329_600);
        assert_eq!(indexable("bag-slider"), 20_132_659_200);
    }

    #[test]
    fn canonical_text_spells_the_bag_out() {
        assert!(rules("bag-slider").canonical.ends_with(
            "strip moves never follow each other\nbag of 8 counters of each colour\n\
             draft of six picks from a market of two, first player first\nsecond player starts\n\
             choice of two, then a draw\nreplaced counters return before the draw\n\
             strip moves at any turn\n"
        ));
        let Variant::Bag(game) = Variant::parse("bag-classic-2x3").unwrap() else {
            unreachable!()
        };
        assert_eq!(game.position_text(&game.start()), ".../...;;;");
    }
}
