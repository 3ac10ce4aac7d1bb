//! A variant: a game of one of the kinds that there are, ready to play.

use std::fmt::Debug;

use crate::families::unknown;
use crate::named::NamedGame;
use crate::{AmpelGame, BagGame, BoardGame, Game, Lights, StripGame, VariantError, VariantName};

/// A game of one of the kinds in [`Variant`], whose positions and moves can be held without its type.
pub trait VariantGame: Game {
    /// A position without the type of its game.
    fn any_position(&self, position: Self::Position) -> AnyPosition;
    /// A move without the type of its game.
    fn any_move(&self, mv: Self::Move) -> AnyMove;

    /// The position with its type.
    ///
    /// # Panics
    /// When it is of a game of another kind.
    fn position(&self, any: &AnyPosition) -> Self::Position;
    /// The move with its type.
    ///
    /// # Panics
    /// When it is of a game of another kind.
    fn mv(&self, any: &AnyMove) -> Self::Move;
}

// One line for each kind of game: the arm of `Variant`, its game, how it is requested.
macro_rules! kinds {
    ($d:tt $($(#[$about:meta])+ $kind:ident($game:ty), $as_kind:ident, $what:literal;)+) => {
        /// A variant, ready to play.
        #[derive(Clone, Debug)]
        #[allow(
            clippy::large_enum_variant,
            reason = "a game is made once and passed by reference"
        )]
        pub enum Variant {
            $($(#[$about])+ $kind($game),)+
        }

        /// Runs an expression with the game inside a [`Variant`], whichever type it has.
        #[macro_export]
        macro_rules! with_game {
            ($d variant:expr, $d game:ident => $d body:expr) => {
                match $d variant {
                    $($crate::Variant::$kind($d game) => $d body,)+
                }
            };
        }

        impl Variant {
            $(
                #[doc = concat!("The game, where it is ", $what, ".")]
                #[must_use]
                pub fn $as_kind(&self) -> Option<&$game> {
                    if let Variant::$kind(game) = self { Some(game) } else { None }
                }
            )+
        }

        /// A position of a game of one of the kinds.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum AnyPosition {
            $(#[doc = concat!("Of ", $what, ".")] $kind(<$game as Game>::Position),)+
        }

        /// A move of a game of one of the kinds.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum AnyMove {
            $(#[doc = concat!("Of ", $what, ".")] $kind(<$game as Game>::Move),)+
        }

        $(
            impl VariantGame for $game {
                fn any_position(&self, position: Self::Position) -> AnyPosition {
                    AnyPosition::$kind(position)
                }

                fn any_move(&self, mv: Self::Move) -> AnyMove {
                    AnyMove::$kind(mv)
                }

                fn position(&self, any: &AnyPosition) -> Self::Position {
                    if let AnyPosition::$kind(own) = any { *own } else { foreign(self, any) }
                }

                fn mv(&self, any: &AnyMove) -> Self::Move {
                    if let AnyMove::$kind(own) = any { *own } else { foreign(self, any) }
                }
            }

            impl From<$game> for Variant {
                fn from(game: $game) -> Variant {
                    Variant::$kind(game)
                }
            }

            impl $game {
                #[doc = concat!("The game with a name, which must be ", $what, ".")]
                ///
                /// # Errors
                /// As [`Variant::parse`], and when the name is that of a game of another kind.
                pub fn named(name: &str) -> Result<$game, VariantError> {
                    let variant = Variant::parse(name)?;
                    if let Variant::$kind(game) = variant {
                        return Ok(game);
                    }
                    Err(VariantError::Kind {
                        name: variant.rules().name.clone(),
                        found: variant.kind(),
                        expected: $what,
                    })
                }
            }
        )+

        impl Variant {
            // The variant with a name of some kind of game.
            fn named(asked: &VariantName<'_>) -> Option<Result<Variant, VariantError>> {
                $(
                    if let Some(game) = <$game as NamedGame>::read(asked) {
                        return Some(game.map(Variant::$kind));
                    }
                )+
                None
            }

            // The kind of game, in words.
            fn kind(&self) -> &'static str {
                match self {
                    $(Variant::$kind(_) => $what,)+
                }
            }
        }
    };
}

kinds! { $
    /// A game on a fixed board.
    Board(BoardGame), as_board, "a game on a fixed board";
    /// A game with a movable strip.
    Strip(StripGame), as_strip, "a game with a movable strip";
    /// Ampel on a triangle.
    Ampel(AmpelGame), as_ampel, "a game of Ampel";
    /// The bag game on a fixed board.
    Bag(BagGame<BoardGame>), as_bag, "a bag game on a fixed board";
    /// The bag game with a movable strip.
    BagStrip(BagGame<StripGame>), as_bag_strip, "a bag game with a movable strip";
    /// A game on a fixed board with a memory.
    Memory(crate::MemoryGame), as_memory, "a board game with a memory";
    /// Noughts and crosses.
    Noughts(crate::NoughtsGame), as_noughts, "a game of noughts and crosses";
}

mod game;

/// Stops where a position or a move is of a game of another kind.
fn foreign<T>(game: &impl Game, any: &impl Debug) -> T {
    panic!("{any:?} is not of {}", game.rules().family.name)
}

impl Variant {
    /// Reads `NAME[:key=value[,key=value]…]`, without regard to case, spaces and accents; `×` is `x`.
    ///
    /// # Errors
    /// When the name, a key or a value is unknown or they contradict each other; the error says
    /// what is allowed.
    pub fn parse(text: &str) -> Result<Variant, VariantError> {
        Variant::named(&VariantName::new(text)).unwrap_or_else(|| Err(unknown(text)))
    }

    /// The same game, written in an order of the lights.
    ///
    /// # Errors
    /// When the game has none of these lights.
    ///
    /// # Examples
    /// ```
    /// use greenwave_game::{Lights, Variant};
    ///
    /// let semaforo = Variant::parse("semaforo")?;
    /// assert_eq!(semaforo.rules().lights, Some(Lights::Gyr));
    /// let usual = semaforo.with_lights(Lights::Ryg)?;
    /// assert_eq!(usual.rules().title(), "semaforo");
    /// assert!(Variant::parse("ampel")?.with_lights(Lights::Gyr).is_err());
    /// # Ok::<(), greenwave_game::VariantError>(())
    /// ```
    pub fn with_lights(mut self, lights: Lights) -> Result<Variant, VariantError> {
        if self.rules().lights.is_none() {
            return Err(VariantError::NoLights {
                name: self.rules().title().into(),
                found: lights,
            });
        }
        self.set_lights(lights);
        Ok(self)
    }

    /// The same game in an order of the lights, if one was chosen.
    ///
    /// # Errors
    /// As [`Variant::with_lights`].
    pub fn with_chosen_lights(self, chosen: Option<Lights>) -> Result<Variant, VariantError> {
        match chosen {
            Some(lights) => self.with_lights(lights),
            None => Ok(self),
        }
    }

    /// The game in each order of its lights, red first; as it is, where it has none of these lights.
    #[must_use]
    pub fn in_each_order(&self) -> Vec<Variant> {
        let written = |lights| self.clone().with_lights(lights);
        let orders: Vec<Variant> = Lights::ALL.into_iter().flat_map(written).collect();
        if orders.is_empty() {
            vec![self.clone()]
        } else {
            orders
        }
    }

    /// The same game under another name for people: the path of its rule file, or an address.
    /// Built-in games keep their names.
    #[must_use]
    pub fn shown_as(mut self, name: &str) -> Variant {
        if self.rules().title() != name {
            self.set_shown(name.into());
        }
        self
    }
}
