//! Names of variants, taken apart, and what games make of them.

use crate::options::parse_options;
use crate::{Alias, Game, OptionSpec, Setting, VariantError};

/// A name of a variant as it was requested, without regard to case, spaces and accents; `×` is `x`.
#[derive(Clone, Debug)]
pub struct VariantName<'a> {
    /// All of it, as it was written.
    pub text: &'a str,
    /// The part before the options; for an alias, the name that it stands for.
    pub name: String,
    /// What stands after the colon.
    pub options: Option<String>,
    /// The alias that was used.
    pub alias: Option<&'static Alias>,
}

impl VariantName<'_> {
    /// What follows a first word and a dash.
    #[must_use]
    pub fn after(&self, word: &str) -> Option<&str> {
        self.name.strip_prefix(word)?.strip_prefix('-')
    }

    /// The settings of a family's options; `name` is the variant without them.
    pub(crate) fn settings(
        &self,
        name: &str,
        specs: &[OptionSpec],
    ) -> Result<Vec<Setting>, VariantError> {
        parse_options(&self.shown(name), self.options.as_deref(), specs)
    }

    /// The name that people are told for a canonical one.
    fn shown(&self, canonical: &str) -> String {
        match self.alias.filter(|alias| alias.is_shown) {
            Some(alias) => canonical.replacen(alias.means, alias.name, 1),
            None => canonical.into(),
        }
    }

    /// Gives a game with a canonical name what the alias says: its order of the lights, and the name to
    /// tell people, where that is another.
    pub(crate) fn dress(&self, game: &mut impl Game, canonical: &str) {
        let Some(alias) = self.alias else {
            return;
        };
        game.set_lights(alias.lights);
        if alias.is_shown {
            game.set_shown(self.shown(canonical));
        }
    }
}

/// A game that can be requested by a name.
pub(crate) trait NamedGame: Game + Sized {
    /// Reads a name: `None` where it is none of this kind of game.
    fn read(asked: &VariantName<'_>) -> Option<Result<Self, VariantError>>;
}
