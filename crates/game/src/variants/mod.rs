//! The variants: one file per family, the parser of names, the catalogue.

mod ampel;
mod bags;
mod boards;
mod strips;

use crate::options::{canonical_name, parse_options};
use crate::{AmpelGame, BagGame, BoardGame, Family, OptionSpec, Rules, StripGame, VariantError};

/// A variant, ready to play.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Variant {
    /// A game on a fixed board.
    Board(BoardGame),
    /// A game with a movable strip.
    Strip(StripGame),
    /// Ampel on a triangle.
    Ampel(AmpelGame),
    /// The bag game on a fixed board.
    Bag(BagGame<BoardGame>),
    /// The bag game with a movable strip.
    BagStrip(BagGame<StripGame>),
}

/// Runs an expression with the game inside a [`Variant`], whichever type it has.
#[macro_export]
macro_rules! with_game {
    ($variant:expr, $game:ident => $body:expr) => {
        match $variant {
            $crate::Variant::Board($game) => $body,
            $crate::Variant::Strip($game) => $body,
            $crate::Variant::Ampel($game) => $body,
            $crate::Variant::Bag($game) => $body,
            $crate::Variant::BagStrip($game) => $body,
            #[allow(unreachable_patterns)]
            _ => unreachable!("every variant has an arm here"),
        }
    };
}

/// Names of the catalogue: what is listed, run through the laws and published.
const CATALOGUE: &[&str] = &[
    "classic-3x3",
    "classic-3x4",
    "classic-3x5",
    "classic-4x4",
    "signal-3x3",
    "signal-3x4",
    "green-3x3",
    "green-3x4",
    "points-3x3",
    "points-3x4",
    "points-3x4:end=play-on",
    "classic-3x3:play=misere",
    "classic-3x4:play=misere",
    "classic-3x3:supply=cap4",
    "classic-3x3:supply=cap5",
    "classic-3x3:supply=cap6",
    "classic-3x3:supply=pool6",
    "classic-3x4:supply=cap7",
    "classic-3x4:supply=cap8",
    "slider",
    "slider:score=win",
    "strip",
    "strip:repeat=ban",
    "bag-classic-3x3",
    "bag-signal-3x3",
    "bag-green-3x3",
    "bag-points-3x4",
    "bag-slider",
    "ampel-4-2-1",
    "ampel-4-3-1",
    "ampel-5-2-2",
    "ampel-5-3-3",
    "ampel",
];

/// The names of the catalogue's variants, in order.
#[must_use]
pub fn catalogue() -> &'static [&'static str] {
    CATALOGUE
}

/// Other names of variants.
const ALIASES: &[(&str, &str)] = &[
    ("semaforo", "classic-3x4"),
    ("traffic-lights", "classic-3x3"),
];

/// A name as people type it, in the form in which names are read: in lower case, with `x` for `×` and
/// without blanks around; a size alone is that of the basic game.
fn plain_name(text: &str) -> String {
    let name = text.trim().to_lowercase().replace('×', "x");
    let size = name.split(':').next().unwrap_or_default();
    let is_size = size.split_once('x').is_some_and(|(ranks, files)| {
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        digits(ranks) && digits(files)
    });
    if is_size {
        format!("classic-{name}")
    } else {
        name
    }
}

/// Whether a name is the Portuguese one, under which boards are drawn green first.
#[must_use]
pub fn is_portuguese(name: &str) -> bool {
    plain_name(name).split(':').next() == Some("semaforo")
}

impl Variant {
    /// Reads `NAME[:key=value[,key=value]…]`. Case and blanks around do not matter; `×` is read as
    /// `x`, and a size alone as that of the basic game.
    ///
    /// # Errors
    /// When the name, a key or a value is unknown or they contradict each other; the error says
    /// what is allowed.
    pub fn parse(text: &str) -> Result<Variant, VariantError> {
        let text = &*plain_name(text);
        let (name, options) = match text.split_once(':') {
            Some((name, options)) => (name, Some(options)),
            None => (text, None),
        };
        let name = ALIASES
            .iter()
            .find(|(alias, _)| *alias == name)
            .map_or(name, |(_, name)| name);
        if let Some(base) = name.strip_prefix("bag-") {
            return bags::variant(text, base, options);
        }
        if let Some(family) = strips::FAMILIES
            .into_iter()
            .find(|family| family.name() == name)
        {
            let settings = parse_options(name, options, specs(family))?;
            let full = canonical_name(name, &settings);
            return Ok(Variant::Strip(strips::game(full, family, settings)?));
        }
        if let Some(numbers) = ampel::parse_name(name) {
            let numbers = numbers?;
            let name = ampel::name_of(numbers);
            let settings = parse_options(&name, options, specs(Family::Ampel))?;
            let full = canonical_name(&name, &settings);
            return Ok(Variant::Ampel(ampel::game(full, numbers, settings)));
        }
        let Some((family, size)) = boards::FAMILIES.iter().find_map(|family| {
            Some((
                *family,
                name.strip_prefix(family.name())?.strip_prefix('-')?,
            ))
        }) else {
            return Err(unknown(text));
        };
        let shape = boards::parse_size(name, family, size)?;
        let settings = parse_options(name, options, specs(family))?;
        let full = canonical_name(name, &settings);
        Ok(Variant::Board(boards::game(full, family, settings, shape)?))
    }

    /// The frame in which positions are counted: `squares`, or `strip at east` where a position
    /// counts once wherever the strip lies.
    #[must_use]
    pub fn frame(&self) -> &'static str {
        match self {
            Variant::Board(_) | Variant::Bag(_) | Variant::Ampel(_) => "squares",
            Variant::Strip(_) | Variant::BagStrip(_) => "strip at east",
        }
    }

    /// Name, canonical text and declared properties.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        use crate::Game;
        with_game!(self, game => game.rules())
    }
}

/// The options of a family, in canonical order.
#[must_use]
pub fn specs(family: Family) -> &'static [OptionSpec] {
    match family {
        Family::Classic | Family::Signal | Family::Green => boards::WIN_OPTIONS,
        Family::Points => boards::POINT_OPTIONS,
        Family::Slider => strips::SLIDER_OPTIONS,
        Family::Strip => strips::STRIP_OPTIONS,
        Family::Ampel => ampel::OPTIONS,
        Family::Custom => &[],
        Family::Bag => bags::SLIDER_OPTIONS,
    }
}

fn unknown(found: &str) -> VariantError {
    // Less alike than this (Jaro and Winkler, 1 the same), a name is no help.
    const LIKE: f64 = 0.7;
    let known = CATALOGUE
        .iter()
        .copied()
        .chain(ALIASES.iter().map(|(alias, _)| *alias));
    let mut ranked: Vec<(f64, &str)> = known
        .map(|name| (strsim::jaro_winkler(found, name), name))
        .filter(|(likeness, _)| *likeness > LIKE)
        .collect();
    // Plain variants come before those with options.
    ranked.sort_by(|(a, x), (b, y)| x.contains(':').cmp(&y.contains(':')).then(b.total_cmp(a)));
    VariantError::Unknown {
        found: found.into(),
        nearest: ranked
            .into_iter()
            .take(3)
            .map(|(_, name)| name.into())
            .collect(),
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
    fn names_are_forgiven() {
        let name = |text| Variant::parse(text).unwrap().rules().name.clone();
        assert_eq!(name("3x3"), "classic-3x3");
        assert_eq!(name(" 4X3 "), "classic-4x3");
        assert_eq!(name("3×4:PLAY=Misere"), "classic-3x4:play=misere");
        assert_eq!(name("Traffic-Lights"), "classic-3x3");
        assert_eq!(name("SEMAFORO"), "classic-3x4");
        assert_eq!(name("Bag-Classic-3X3"), "bag-classic-3x3");
        assert!(is_portuguese(" Semaforo:play=misere"));
        assert!(!is_portuguese("classic-3x4"));
        let Err(VariantError::Unknown { nearest, .. }) = Variant::parse("classic3x3") else {
            panic!("no such variant");
        };
        assert!(!nearest.is_empty());
        assert!(
            nearest.is_sorted_by_key(|name| name.contains(':')),
            "{nearest:?}"
        );
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
