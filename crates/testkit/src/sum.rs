//! The slow reference for several boards at once: the whole game graph of the sum, position tuple by
//! position tuple, with no nimbers in it.

use std::collections::HashMap;

use greenwave_game::Game;

use crate::reference::Quick;

/// Wins and losses of some boards played at once, where a move is a move on one of them and whoever
/// makes the last move of all wins. All boards are of one type of game, with rules of their own.
#[derive(Debug)]
pub struct SumReference<'g, G: Game> {
    games: Vec<&'g G>,
    // Whether the player to move wins.
    known: HashMap<Vec<G::Position>, bool, Quick>,
}

impl<'g, G: Game> SumReference<'g, G> {
    /// Nothing worked out yet. The games must be of a kind in which positions do not repeat.
    #[must_use]
    pub fn new(games: Vec<&'g G>) -> SumReference<'g, G> {
        SumReference {
            games,
            known: HashMap::default(),
        }
    }

    /// Whether the player to move wins; one position for each board.
    ///
    /// # Panics
    /// When there are more or fewer positions than boards.
    pub fn wins(&mut self, positions: &[G::Position]) -> bool {
        assert_eq!(positions.len(), self.games.len(), "one position a board");
        if let Some(known) = self.known.get(positions) {
            return *known;
        }
        let wins = !self.winning_moves(positions, true).is_empty();
        self.known.insert(positions.to_vec(), wins);
        wins
    }

    /// The moves that win, in the order of boards and of their listing: place of the board, place of
    /// the move.
    pub fn winning(&mut self, positions: &[G::Position]) -> Vec<(usize, usize)> {
        self.winning_moves(positions, false)
    }

    fn winning_moves(
        &mut self,
        positions: &[G::Position],
        one_is_enough: bool,
    ) -> Vec<(usize, usize)> {
        let mut winning = Vec::new();
        let mut moves = Vec::new();
        let mut after = positions.to_vec();
        for (board, position) in positions.iter().enumerate() {
            let game = self.games[board];
            game.moves(position, &mut moves);
            for (number, mv) in moves.clone().into_iter().enumerate() {
                after[board] = game.play(position, mv).to;
                if !self.wins(&after) {
                    winning.push((board, number));
                    if one_is_enough {
                        return winning;
                    }
                }
            }
            after[board] = *position;
        }
        winning
    }

    /// Number of sums worked out so far.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.known.len()
    }
}
