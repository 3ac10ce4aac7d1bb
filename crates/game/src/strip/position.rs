//! Positions and moves of a game with a movable strip.

use crate::{Cell, Code, Side};

/// A position: what lies on the board and the strip, where the strip lies, whether it may move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StripPosition {
    /// The lights in the [`StripGeometry`](crate::StripGeometry): the picture turned until the strip lies at the east.
    pub code: Code,
    /// Where the strip lies.
    pub side: Side,
    /// Whether strip moves are barred because the opponent's last turn was one; always false under
    /// [`Succession::Free`](crate::Succession::Free).
    pub barred: bool,
}

/// A move in a strip game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StripMove {
    /// A square, in listing order, is raised by one level.
    Raise(Cell),
    /// The strip goes to another side.
    Slide {
        /// Where it goes.
        to: Side,
        /// Whether its first and last squares change places.
        turned: bool,
    },
    /// The strip is turned in place.
    Turn,
}
