//! A game as it was played, read once and held without the type of its game.

use std::sync::Arc;

use greenwave_game::{AnyMove, AnyPosition, At, Variant, VariantGame, with_game};

use crate::place::PlayedStep;
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
    start: AnyPosition,
    plies: Vec<(Option<AnyMove>, AnyPosition)>,
}

impl From<At> for Course {
    /// A game in which nothing is played yet.
    fn from(at: At) -> Course {
        Course {
            variant: Arc::clone(at.variant()),
            start: *at.position(),
            plies: Vec::new(),
        }
    }
}

impl Course {
    /// Reads the position and the moves of a place.
    ///
    /// # Errors
    /// As [`Place::find`].
    pub fn read(variant: &Arc<Variant>, place: &Place<'_>) -> Result<Course, Error> {
        with_game!(&**variant, game => {
            let played = place.play(game)?;
            Ok(Course::of(variant, game, &played))
        })
    }

    /// The same game with moves played after its last position.
    ///
    /// # Errors
    /// When a move cannot be read or is illegal.
    pub fn then(&self, moves: &str) -> Result<Course, Error> {
        with_game!(&*self.variant, game => {
            let mut played = self.played(game);
            let last = played.steps.last().map_or(played.start, |step| step.to);
            played.steps.extend(play_moves(game, &last, &read_moves(moves))?);
            Ok(Course::of(&self.variant, game, &played))
        })
    }

    fn of<G: VariantGame>(variant: &Arc<Variant>, _game: &G, played: &PlayedMoves<G>) -> Course {
        let plies = played.steps.iter();
        Course {
            variant: Arc::clone(variant),
            start: G::any_position(played.start),
            plies: plies
                .map(|step| (step.mv.map(G::any_move), G::any_position(step.to)))
                .collect(),
        }
    }

    /// The game with the types of its moves and positions.
    ///
    /// # Panics
    /// When it is a game of another kind.
    #[must_use]
    pub fn played<G: VariantGame>(&self, game: &G) -> PlayedMoves<G> {
        let start = game.position(&self.start);
        let mut from = start;
        let steps = self.plies.iter().map(|(mv, to)| {
            let step = PlayedStep {
                from,
                mv: mv.as_ref().and_then(G::own_move),
                to: game.position(to),
            };
            from = step.to;
            step
        });
        PlayedMoves {
            steps: steps.collect(),
            start,
        }
    }

    /// The variant.
    #[must_use]
    pub fn variant(&self) -> &Arc<Variant> {
        &self.variant
    }

    /// Number of moves and draws.
    #[must_use]
    pub fn plies(&self) -> usize {
        self.plies.len()
    }

    /// The position after this many moves and draws, at most all.
    #[must_use]
    pub fn after(&self, plies: usize) -> At {
        let all = plies.min(self.plies.len());
        let position = match all.checked_sub(1) {
            Some(before) => self.plies[before].1,
            None => self.start,
        };
        At::new(Arc::clone(&self.variant), position)
    }

    /// The last position.
    #[must_use]
    pub fn last(&self) -> At {
        self.after(self.plies.len())
    }
}
