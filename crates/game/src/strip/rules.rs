//! The definition of a game with a movable strip, and the text that is hashed.

use crate::BoardRules;

/// Which sides the strip can slide to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sides {
    /// Any of the other three.
    Any,
    /// The two beside its own, not the opposite one.
    Adjacent,
}

/// Whether strip moves of the two players may follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Succession {
    /// They may, for ever: endless play is a draw.
    Free,
    /// A strip move is barred when the opponent's last turn was one.
    Barred,
}

/// Everything that defines a game with a movable strip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StripRules {
    /// The main board, a full square, with the rules of its lights; the strip has as many squares
    /// as the board has ranks.
    pub main: BoardRules,
    /// Whether the strip can be turned, in place or while it slides.
    pub turns: bool,
    /// Which sides it can slide to.
    pub sides: Sides,
    /// Whether a strip move may leave the picture, seen with the strip at the east, as it was.
    pub null_moves: bool,
    /// Whether the strip may move while all its squares are empty.
    pub empty_moves: bool,
    /// Whether strip moves may follow each other.
    pub succession: Succession,
}

impl StripRules {
    /// The rules spelled out in fixed order, independent of any name: the text that is hashed.
    #[must_use]
    pub fn canonical(&self) -> String {
        let sides = match self.sides {
            Sides::Any => "strip slides to any side",
            Sides::Adjacent => "strip slides to adjacent sides",
        };
        let turns = if self.turns {
            "strip turns"
        } else {
            "strip never turns"
        };
        let null = if self.null_moves {
            "strip moves may change nothing"
        } else {
            "strip moves change something"
        };
        let empty = if self.empty_moves {
            "strip moves while empty"
        } else {
            "strip stays while empty"
        };
        let succession = match self.succession {
            Succession::Free => "strip moves may follow each other, endless play draws",
            Succession::Barred => "strip moves never follow each other",
        };
        let lines = [
            "strip along one edge",
            sides,
            turns,
            null,
            empty,
            succession,
        ];
        format!("{}{}\n", self.main.canonical(), lines.join("\n"))
    }
}

/// Why strip rules make no game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StripError {
    /// A main board that is not a full square.
    #[error(
        "a board with a strip is a full square, found {outline}; \
         give it as many ranks as files and no gaps"
    )]
    NotSquare {
        /// The board found.
        outline: String,
    },
    /// More squares than fit into one code.
    #[error("board and strip together: {0}")]
    Size(#[from] crate::ShapeError),
    /// Play that goes on after a line.
    #[error(
        "a game with a strip ends with the first line; leave out the strip or let lines end it"
    )]
    PlayOn,
    /// A player without a move passes, which a strip game would turn into more strip moves.
    #[error("a stalemate in a game with a strip is drawn or lost, not passed")]
    Pass,
}
