//! The ways in which the values of a game are numbered.

use crate::RowSpace;

/// How the values of a game are numbered.
#[derive(Clone, Debug)]
pub enum Numbering {
    /// By index; which of them a table stores, [`Packing`](crate::Packing) says.
    Dense,
    /// By the place in a list of the positions that play reaches, finished ones included, one for
    /// each orbit, since the index has gaps too great to pack anything by its order.
    Listed,
    /// Board by board, each with the odds of all states of hands and market.
    Rows(Box<RowSpace>),
}
