//! The rules of the Traffic Lights family: positions, moves, notation, symmetries, indices and
//! the catalogue of variants. No files, no threads, no printing, no `unsafe`.
//!
//! ```
//! use greenwave_game::{Game, Variant};
//!
//! let Variant::Board(game) = Variant::parse("classic-3x3")? else { unreachable!() };
//! let position = game.parse_position(".../.R./...")?;
//! let mut moves = Vec::new();
//! game.moves(&position, &mut moves);
//! assert_eq!(moves.len(), 9, "eight empty squares and the red counter");
//! let reply = game.parse_move(&position, "b2Y")?;
//! let edge = game.play(&position, reply);
//! assert_eq!(game.position_text(&edge.to), ".../.Y./...");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Each game *declares* the ways in which it differs from others of the family ([`Properties`]).
//! Examples are: both players have the same moves, positions can repeat, a player may make several
//! plies running, chance takes part. Engines read the declaration and refuse
//! what they cannot treat.

#![forbid(unsafe_code)]

#[macro_use]
mod sentence;
#[macro_use]
mod variant;

mod ampel;
mod at;
mod bag;
mod board;
mod cells;
mod chance;
mod counters;
mod diagram;
pub mod engines;
mod error;
mod families;
mod family;
mod game;
mod geometry;
mod index;
pub mod keyed;
mod lights;
mod memory;
mod message;
mod messages;
mod named;
mod notation;
mod noughts;
mod numbering;
mod options;
mod perft;
#[cfg(test)]
mod random;
mod rows;
mod rulefile;
mod rules;
mod shape;
mod side;
mod squares;
mod strip;
mod symmetry;
mod symmetry_group;
mod values;
mod words;

pub use ampel::{
    AMPEL, AmpelGame, AmpelMove, AmpelPosition, AmpelRules, Disc, FirstStep, OwnCylinder, Phase,
    Player, Point, StartPoint, StuckAdd,
};
pub use at::At;
pub use bag::{
    BAG, BagBase, BagGame, BagMove, BagPosition, BagRules, BagSlides, BagSupply, Choice, Return,
    Stage,
};
pub use board::dense::fixed_board;
pub use board::families::{BoardFamilies, FamilyPlace};
pub use board::{
    BoardGame, BoardRules, CLASSIC, GREEN, LineScore, Opening, POINTS, Play, Raise, SIGNAL,
    Stalemate, Supply, WinPattern,
};
pub use cells::{Cell, Code, MAX_CELLS, MAX_LEVEL, file_name};
pub use chance::{TIE, all_odds_by_draws, odds_by_draws, preferred};
pub use counters::Counters;
pub use diagram::{Diagram, Label, Mark, Motion};
pub use engines::Solvable;
pub use error::{Fault, MoveError, SetupError, VariantError};
pub use families::{FAMILIES, OWN_FIELDS, catalogue};
pub use family::{Alias, Family};
pub use game::{Edge, Game, orbit_size};
pub use geometry::{Directions, Geometry, Grid, Outline, Wrap};
pub use index::{Dense, Implication, LEAF_BITS, LEAF_WORDS, LISTED_BITS, LeafMask, Packing, Tier};
pub use lights::{Lights, UnknownLights};
pub use memory::{
    CUSTOM, LastSquare, MemoryGame, MemoryMove, MemoryPosition, MemoryRules, Part, Passing,
    RaisesATurn,
};
pub use message::{Filling, Message};
pub use messages::MESSAGES;
pub use named::VariantName;
pub use notation::is_one_move;
pub use noughts::{NOUGHTS, NoughtsGame, NoughtsPosition};
pub use numbering::Numbering;
pub use options::{OptionSpec, OptionValues, Setting};
pub use perft::{PerftError, perft};
pub use rows::{HAND_STATES, HandStates, PackedStates, RowSpace, hand_state, of_hand_state};
pub use rulefile::RuleFile;
pub use rules::{Advance, Luck, Outcomes, PlayerOptions, Properties, Rules, RulesHash, Turn};
pub use sentence::{Argument, Sentence, Vocabulary};
pub use shape::{Line, Shape, ShapeError};
pub use side::Side;
pub use squares::{Features, OwnField, OwnKind, Pile, Spot, Squares};
pub use strip::{
    SLIDER, STRIP, Sides, StripError, StripGame, StripGeometry, StripMove, StripPosition,
    StripRules, Succession, strip_side,
};
pub use symmetry::Permutation;
pub use values::{Ending, Figures, Metric, Odds, Outcome, Plies};
pub use variant::{AnyMove, AnyPosition, Variant, VariantGame};
pub use words::{counted, counted_points, grouped, is_unseen, plural, seen, short_quotes, told};
