//! Pictures of positions: SVG written directly from a [`Diagram`], and PNG made of it with the
//! feature `png`. Each light shows a colour, a letter and a pattern, so that nobody needs to see
//! colours.
//!
//! ```
//! use greenwave_game::{BoardGame, Game};
//! use greenwave_picture::Picture;
//!
//! let game = BoardGame::named("classic-3x3")?;
//! let position = game.parse_position("..G/.R./Y..")?;
//! let diagram = game.diagram(&position);
//! let svg = Picture::new(&diagram, "A board").svg();
//! assert!(svg.starts_with("<svg ") && svg.contains("<title>A board</title>"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Diagram`]: greenwave_game::Diagram

#![forbid(unsafe_code)]

mod card;
mod draw;
mod element;
mod film;
mod layout;
mod lettering;
mod picture;
#[cfg(feature = "png")]
mod png;
mod squares;
mod style;
mod words;
mod worth;

pub use card::{CARD, Card};
pub use draw::lamp;
pub use element::escaped;
pub use film::film;
pub use picture::{Arrow, Lettering, Picture, Ring, Scheme, StripArrow, Tag, TakeLink, Tone};
#[cfg(feature = "png")]
pub use png::{PngError, WIDTHS, png, png_bytes};
pub use squares::{MovePlace, place};
pub use style::{CSS, LAMPS};
pub use words::{ENGLISH, Words, describe};
pub use worth::{ring, value_note, value_tags};
