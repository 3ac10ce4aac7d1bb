//! Several boards at once: a move is a move on one of them, and whoever makes the last move of all
//! wins. Under normal play the nimbers of the boards decide it (Sprague 1935, Grundy 1939): the sum
//! has the exclusive or of their nimbers, and is lost for the player to move when that is 0.

use greenwave_game::Game;
use greenwave_values::ValueSource;

/// One board of a sum: its nimber, and what its moves leave of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summand<M> {
    /// The nimber of the board; 0 when it is finished.
    pub nimber: u32,
    /// The moves in listing order, each with the nimber that it leaves on this board.
    pub moves: Vec<(M, u32)>,
}

/// Reads a board's nimbers from a source; `None` where the source does not have them.
///
/// # Errors
/// When the source cannot be read.
pub fn summand<G: Game, S: ValueSource<G::Position>>(
    game: &G,
    position: &G::Position,
    source: &S,
) -> Result<Option<Summand<G::Move>>, S::Error> {
    let nimber = |position: &G::Position| {
        if game.ending(position).is_some() {
            return Ok(Some(0));
        }
        source.figures(position).map(|figures| figures.nimber)
    };
    let Some(here) = nimber(position)? else {
        return Ok(None);
    };
    let mut listed = Vec::new();
    game.moves(position, &mut listed);
    let mut moves = Vec::with_capacity(listed.len());
    for mv in listed {
        let Some(left) = nimber(&game.play(position, mv).to)? else {
            return Ok(None);
        };
        moves.push((mv, left));
    }
    Ok(Some(Summand {
        nimber: here,
        moves,
    }))
}

/// The nimber of a sum, from those of its boards: 0 exactly when the player to move loses.
///
/// ```
/// use greenwave_probe::nimber_of_sum;
///
/// assert_eq!(nimber_of_sum([1, 2, 3]), 0, "whatever one does, the other can level again");
/// assert_eq!(nimber_of_sum([]), 0, "without a board there is no move");
/// ```
#[must_use]
pub fn nimber_of_sum(boards: impl IntoIterator<Item = u32>) -> u32 {
    boards.into_iter().fold(0, |sum, nimber| sum ^ nimber)
}

/// The best moves of a sum, each as the place of its board and its place among the moves there. A
/// move that leaves a sum of nimber 0 wins. If there is none, all moves lose, and the list has all
/// of them.
#[must_use]
pub fn best_of_sum<M>(boards: &[&Summand<M>]) -> Vec<(usize, usize)> {
    let sum = nimber_of_sum(boards.iter().map(|board| board.nimber));
    let wins = |board: &Summand<M>, left: u32| sum ^ board.nimber ^ left == 0;
    let mut best = Vec::new();
    for (place, board) in boards.iter().enumerate() {
        for (number, (_, left)) in board.moves.iter().enumerate() {
            if sum == 0 || wins(board, *left) {
                best.push((place, number));
            }
        }
    }
    best
}
