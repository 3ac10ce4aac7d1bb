//! Perft: counting move sequences, the first check of any move generator.

use crate::{Game, Luck};

/// Why nodes cannot be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PerftError {
    /// The game has chance in it.
    #[error("perft is not defined for a game with chance; count the game without the bag instead")]
    Chance,
    /// More sequences than fit into 64 bits.
    #[error("more than 2^64 move sequences; ask for a smaller depth")]
    Overflow,
}

/// Number of move sequences of exactly `depth` plies; a game that ends earlier adds nothing.
///
/// # Errors
/// For games with chance, and when the count does not fit into 64 bits.
pub fn perft<G: Game>(game: &G, position: &G::Position, depth: u32) -> Result<u64, PerftError> {
    if game.rules().properties.luck == Luck::Draws {
        return Err(PerftError::Chance);
    }
    if depth == 0 {
        return Ok(1);
    }
    count(game, position, depth, &mut Vec::new())
}

// `spare` holds move lists for the deeper plies, so that each ply allocates once.
fn count<G: Game>(
    game: &G,
    position: &G::Position,
    depth: u32,
    spare: &mut Vec<Vec<G::Move>>,
) -> Result<u64, PerftError> {
    let mut moves = spare.pop().unwrap_or_default();
    game.moves(position, &mut moves);
    let mut nodes = 0_u64;
    if depth == 1 {
        nodes = moves.len() as u64;
    } else {
        for mv in &moves {
            let below = count(game, &game.play(position, *mv).to, depth - 1, spare)?;
            nodes = nodes.checked_add(below).ok_or(PerftError::Overflow)?;
        }
    }
    spare.push(moves);
    Ok(nodes)
}
