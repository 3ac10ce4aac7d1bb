//! A game as it was played, read once and held without the type of its game.

use std::sync::Arc;

use greenwave_game::{At, Variant};

use crate::{Error, Place, PlayedMoves, play_moves, read_moves};

/// Where a game began, every move and draw, and where they led.
///
/// # Examples
/// ```
/// use std::sync::Arc;
///
/// use greenwave_tablebase::{Course, Place, read_variant};
///
/// let variant = Arc::new(read_variant("classic-3x3")?);
/// let course = Course::read(&variant, &Place::start().after("b2R,b2Y"))?;
/// assert_eq!(course.last().text(), ".../.Y./...");
/// # Ok::<(), greenwave_tablebase::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Course {
    variant: Arc<Variant>,
    played: PlayedMoves,
}

impl From<At> for Course {
    /// A game in which nothing is played yet.
    fn from(at: At) -> Course {
        Course {
            variant: Arc::clone(at.variant()),
            played: PlayedMoves {
                start: *at.position(),
                steps: Vec::new(),
            },
        }
    }
}

impl Course {
    /// Reads the position and the moves of a place.
    ///
    /// # Errors
    /// As [`Place::find`].
    pub fn read(variant: &Arc<Variant>, place: &Place<'_>) -> Result<Course, Error> {
        Ok(Course {
            variant: Arc::clone(variant),
            played: place.play(variant)?,
        })
    }

    /// The same game with moves played after its last position.
    ///
    /// # Errors
    /// When a move cannot be read or is illegal.
    pub fn then(&self, moves: &str) -> Result<Course, Error> {
        let last = self.last();
        let steps = play_moves(&self.variant, last.position(), &read_moves(moves))?;
        let mut course = self.clone();
        course.played.steps.extend(steps);
        Ok(course)
    }

    /// Where it began, and every move and draw.
    #[must_use]
    pub fn played(&self) -> &PlayedMoves {
        &self.played
    }

    /// The variant.
    #[must_use]
    pub fn variant(&self) -> &Arc<Variant> {
        &self.variant
    }

    /// Number of moves and draws.
    #[must_use]
    pub fn plies(&self) -> usize {
        self.played.steps.len()
    }

    /// The position after this many moves and draws, at most all.
    #[must_use]
    pub fn after(&self, plies: usize) -> At {
        let steps = &self.played.steps;
        let last = steps[..plies.min(steps.len())].last();
        let position = last.map_or(self.played.start, |step| step.to);
        At::new(Arc::clone(&self.variant), position)
    }

    /// The last position.
    #[must_use]
    pub fn last(&self) -> At {
        self.after(self.plies())
    }
}
