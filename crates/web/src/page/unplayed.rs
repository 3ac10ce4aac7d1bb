//! Where a game that was given stops.

use greenwave_game::Message;

/// The first move of a game that cannot be made, where those before it can.
#[derive(Clone, Debug)]
pub(crate) struct UnplayedMove {
    /// Which move of the game, counted from 1.
    pub(super) number: usize,
    pub(super) text: String,
    pub(super) why: Message,
    /// All moves as they were given, unless they are too long for a page that quotes them.
    pub(super) given: Option<String>,
}
