//! What a variant says of itself: name, canonical text, hash, declared properties.

use std::fmt;

use crate::{Family, Lights, Metric, Setting};

/// Whether both players have the same moves in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayerOptions {
    /// The same for both: the game is impartial in movement.
    Same,
    /// They depend on who moves.
    ByPlayer,
}

/// How play advances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Advance {
    /// Every move leads to a higher tier.
    Rises,
    /// No position can repeat, but some moves stay inside a tier.
    Acyclic,
    /// Positions can repeat.
    Repeats,
}

/// Whether the turn passes with every ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The players move alternately.
    Alternates,
    /// A player may make several plies running.
    Runs,
}

/// Whether chance takes part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Luck {
    /// No chance.
    None,
    /// Chance positions follow some moves.
    Draws,
}

/// The possible results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcomes {
    /// Win or loss; no draws.
    WinLoss,
    /// Win, draw or loss.
    WinDrawLoss,
    /// A number of points.
    Points,
    /// An expectation.
    Expectation,
}

/// The declared properties of a game, which pick its engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Properties {
    /// Whether both players have the same moves.
    pub options: PlayerOptions,
    /// How play advances.
    pub advance: Advance,
    /// Whether the turn passes with every ply.
    pub turn: Turn,
    /// Whether chance takes part.
    pub luck: Luck,
    /// The possible results.
    pub outcomes: Outcomes,
    /// Whether lines score points, whatever a result is.
    pub scores: bool,
}

/// BLAKE3 hash of a canonical rules text: the key of tables.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct RulesHash(pub [u8; 32]);

impl fmt::Display for RulesHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for RulesHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// What a variant says of itself.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The variant's canonical name: options in the order of the options table, defaults left out.
    pub name: String,
    /// The name that people see, where it is another.
    pub shown: Option<String>,
    /// The order of the lights in which positions and moves are written, which rules and tables do not
    /// depend on; `None` in games without these lights.
    pub lights: Option<Lights>,
    /// The family.
    pub family: &'static Family,
    /// The rules spelled out, independent of the name: two variants with the same text are the
    /// same game.
    pub canonical: String,
    /// Hash of the canonical text.
    pub hash: RulesHash,
    /// Every option of the family with its value here.
    pub options: Vec<Setting>,
    /// Declared properties.
    pub properties: Properties,
    /// The metrics that exist for the game.
    pub metrics: Vec<Metric>,
    /// The metric that is solved when none is named.
    pub default_metric: Metric,
    /// Number of squares or points.
    pub cells: u32,
}

impl Rules {
    /// The hash of a canonical text.
    #[must_use]
    pub fn hash_of(canonical: &str) -> RulesHash {
        RulesHash(*blake3::hash(canonical.as_bytes()).as_bytes())
    }

    /// The name of the order in which tables write the lights of a game with a canonical text; `None`
    /// where there are none.
    #[must_use]
    pub fn lights_of_tables(canonical: &str) -> Option<&'static str> {
        Rules::has_lights(canonical).then(|| Lights::default().name())
    }

    /// A text of this variant in an order of the lights with a name, in the order of this one; `None` where
    /// no order is called so.
    #[must_use]
    pub fn rewritten_from(&self, lights: &str, text: &str) -> Option<String> {
        let from = Lights::named(lights)?;
        Some(self.exchanged(&from.exchanged(text)))
    }

    /// Whether the first counter on an empty square is green.
    #[must_use]
    pub fn begins_with_green(&self) -> bool {
        self.lights == Some(Lights::Gyr)
    }

    /// Whether a game can end level.
    #[must_use]
    pub fn has_draws(&self) -> bool {
        match self.properties.outcomes {
            Outcomes::WinLoss => false,
            Outcomes::WinDrawLoss | Outcomes::Points | Outcomes::Expectation => true,
        }
    }

    /// Whether a canonical text is of a game of lights, which says how many levels there are.
    #[must_use]
    pub fn has_lights(canonical: &str) -> bool {
        Rules::levels_of(canonical).is_some()
    }

    /// The highest level in a canonical text; `None` in games without lights.
    fn levels_of(canonical: &str) -> Option<u8> {
        let mut levels = canonical
            .lines()
            .filter_map(|line| line.strip_prefix("levels "));
        levels.next()?.parse().ok()
    }

    /// The highest level that a square can have; 0 in games without lights.
    #[must_use]
    pub fn highest_level(&self) -> u8 {
        Rules::levels_of(&self.canonical).unwrap_or(0)
    }

    /// The name that people see.
    #[must_use]
    pub fn title(&self) -> &str {
        self.shown.as_deref().unwrap_or(&self.name)
    }

    /// The order in which lights are written; where there are none, that of letters which mean the
    /// same in every game.
    #[must_use]
    pub fn order(&self) -> Lights {
        self.lights.unwrap_or_default()
    }

    /// The name of the order of the lights, `ryg` or `gyr`, as documents have it; `None` where there are
    /// none.
    #[must_use]
    pub fn lights_name(&self) -> Option<&'static str> {
        self.lights.map(Lights::name)
    }

    /// A text of this variant with red first, as tables keep texts, and such a text as this variant writes
    /// it: the letters of both orders exchanged, all else as it is.
    #[must_use]
    pub fn exchanged(&self, text: &str) -> String {
        self.order().exchanged(text)
    }

    /// The name as a folder name: `:` and `,` become `_`, `=` becomes `-`; a rule file's without its
    /// ending.
    #[must_use]
    pub fn slug(&self) -> String {
        let name = self.name.strip_suffix(".toml").unwrap_or(&self.name);
        name.replace([':', ','], "_").replace('=', "-")
    }
}
