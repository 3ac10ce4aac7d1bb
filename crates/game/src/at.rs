//! A position with its variant: made once, where a text comes in.

use std::sync::Arc;

use crate::{AnyPosition, Diagram, Game, SetupError, Variant};

/// A position and the variant that it belongs to.
///
/// # Examples
/// ```
/// use std::sync::Arc;
///
/// use greenwave_game::{At, Variant};
///
/// let variant = Arc::new(Variant::parse("semaforo")?);
/// let at = At::read(variant, "G.../.Y../..R.")?;
/// assert_eq!(at.text(), "G.../.Y../..R.");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct At {
    variant: Arc<Variant>,
    position: AnyPosition,
}

impl At {
    /// A position of a variant.
    ///
    /// # Panics
    /// When the position is of a game of another kind.
    #[must_use]
    pub fn new(variant: Arc<Variant>, position: AnyPosition) -> At {
        // This finds a position of another kind.
        let _ = variant.first_to_move(&position);
        At { variant, position }
    }

    /// The start of a variant.
    #[must_use]
    pub fn start(variant: Arc<Variant>) -> At {
        let position = variant.start();
        At { variant, position }
    }

    /// The position that a text writes.
    ///
    /// # Errors
    /// When the text is no position of the variant.
    pub fn read(variant: Arc<Variant>, text: &str) -> Result<At, SetupError> {
        let position = variant.parse_position(text)?;
        Ok(At { variant, position })
    }

    /// The variant.
    #[must_use]
    pub fn variant(&self) -> &Arc<Variant> {
        &self.variant
    }

    /// The position without its variant.
    #[must_use]
    pub fn position(&self) -> &AnyPosition {
        &self.position
    }

    /// The position as its variant writes it.
    #[must_use]
    pub fn text(&self) -> String {
        self.variant.position_text(&self.position)
    }

    /// The position as a picture for people.
    #[must_use]
    pub fn diagram(&self) -> Diagram {
        self.variant.diagram(&self.position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "is not of strip")]
    fn a_position_of_another_kind_is_refused() {
        let of = |name| Arc::new(Variant::parse(name).unwrap());
        let board = At::start(of("classic-3x3"));
        let _ = At::new(of("strip"), *board.position());
    }
}
