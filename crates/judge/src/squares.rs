//! What expressions can ask of a position beside its value: squares, lights, moves of the strip.

use greenwave_game::{
    BoardGame, Cell, Code, Dense, Game, Metric, Outcome, Packing, Raise, StripGame, StripMove,
    StripPosition,
};

/// A game whose positions show lights on named squares.
///
/// Squares are counted in listing order: a1, b1, … by rank, then the strip.
pub trait Squares: Dense {
    /// The names of the squares.
    fn square_names(&self) -> Vec<String>;

    /// The lights of a position, one square after the other in listing order.
    fn lights(&self, position: &Self::Position) -> Code;

    /// The square that a move raises, and the level that it raises it to.
    fn raise(&self, position: &Self::Position, mv: Self::Move) -> Option<(usize, u8)>;

    /// Whether a completed line stands on the board.
    fn has_line(&self, position: &Self::Position) -> bool;

    /// Whether the level sum counts the plies played so far.
    fn counts_plies(&self) -> bool;

    /// Whether strip moves are barred; `None` in games without a strip.
    fn barred(&self, position: &Self::Position) -> Option<bool>;

    /// The squares of a picture, rows from the top with `/` between; `?` for any light.
    ///
    /// # Errors
    /// What does not fit, in words.
    fn picture(&self, text: &str) -> Result<Vec<Option<char>>, String>;

    /// Whether a text that names no square can be a move.
    fn knows_move(&self, text: &str) -> bool {
        let _ = text;
        false
    }

    /// A number that no move lowers, and that every move raises which does not stay in its tier.
    fn stage(&self, position: &Self::Position) -> u32 {
        let tier = self.tier(position).0;
        2 * tier + u32::from(self.barred(position).unwrap_or(false))
    }
}

impl Squares for BoardGame {
    fn square_names(&self) -> Vec<String> {
        let shape = &self.board().shape;
        (0..shape.cells() as u8)
            .map(|cell| shape.cell_name(Cell(cell)))
            .collect()
    }

    fn lights(&self, position: &Code) -> Code {
        *position
    }

    fn raise(&self, position: &Code, Raise(cell): Raise) -> Option<(usize, u8)> {
        Some((cell.index(), position.level(cell) + 1))
    }

    fn has_line(&self, position: &Code) -> bool {
        BoardGame::has_line(self, *position)
    }

    fn counts_plies(&self) -> bool {
        true
    }

    fn barred(&self, _position: &Code) -> Option<bool> {
        None
    }

    fn picture(&self, text: &str) -> Result<Vec<Option<char>>, String> {
        let shape = &self.board().shape;
        let rows: Vec<Vec<char>> = text.split('/').map(|row| row.chars().collect()).collect();
        let (ranks, files) = (usize::from(shape.ranks()), usize::from(shape.files()));
        if rows.len() != ranks || rows.iter().any(|row| row.len() != files) {
            return Err(format!(
                "expected {ranks} rows of {files} squares with / between"
            ));
        }
        let lights = (0..shape.cells() as u8).map(|cell| {
            let (file, rank) = shape.place(Cell(cell));
            let light = rows[ranks - 1 - usize::from(rank)][usize::from(file)];
            Some(light).filter(|light| *light != '?')
        });
        Ok(lights.collect())
    }
}

impl Squares for StripGame {
    fn square_names(&self) -> Vec<String> {
        let main = &self.strip().main.shape;
        let board = (0..main.cells() as u8).map(|cell| main.cell_name(Cell(cell)));
        let strip = (1..=main.ranks()).map(|number| format!("s{number}"));
        board.chain(strip).collect()
    }

    fn lights(&self, position: &StripPosition) -> Code {
        let squares = self.frame().squares(position.side);
        squares
            .iter()
            .zip(0..)
            .fold(Code::EMPTY, |lights, (square, listed)| {
                lights.with(Cell(listed), position.code.level(*square))
            })
    }

    fn raise(&self, position: &StripPosition, mv: StripMove) -> Option<(usize, u8)> {
        let StripMove::Raise(listed) = mv else {
            return None;
        };
        let square = self.frame().squares(position.side)[listed.index()];
        Some((listed.index(), position.code.level(square) + 1))
    }

    fn has_line(&self, position: &StripPosition) -> bool {
        self.board().has_line(position.code)
    }

    fn counts_plies(&self) -> bool {
        false
    }

    fn knows_move(&self, text: &str) -> bool {
        let known = ["turn", "slide-n", "slide-e", "slide-s", "slide-w"];
        let lower = text.to_ascii_lowercase();
        known.contains(&lower.as_str())
            || lower
                .strip_suffix('t')
                .is_some_and(|slide| known[1..].contains(&slide))
    }

    fn barred(&self, position: &StripPosition) -> Option<bool> {
        Some(position.barred)
    }

    fn picture(&self, text: &str) -> Result<Vec<Option<char>>, String> {
        let ranks = usize::from(self.strip().main.shape.ranks());
        let expected = || {
            format!(
                "expected {ranks} rows of {ranks} squares with / between, + and {ranks} squares of the strip"
            )
        };
        let (main, strip) = text.split_once('+').ok_or_else(expected)?;
        let rows: Vec<Vec<char>> = main.split('/').map(|row| row.chars().collect()).collect();
        let strip: Vec<char> = strip.chars().collect();
        if rows.len() != ranks || rows.iter().chain([&strip]).any(|row| row.len() != ranks) {
            return Err(expected());
        }
        let lights = rows.into_iter().rev().chain([strip]).flatten();
        Ok(lights
            .map(|light| Some(light).filter(|light| *light != '?'))
            .collect())
    }
}

/// The moves of a position that a text such as `b2`, `b2Y` or `slide-N` means: squares with or
/// without the letter of the light, other moves as they are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveText {
    /// A square is raised, to a level if one is given.
    Raise(usize, Option<u8>),
    /// A move that is no plain raise.
    Other(String),
}

impl MoveText {
    /// Finds the first move that is meant.
    pub fn find<G: Squares>(
        &self,
        game: &G,
        position: &G::Position,
        moves: &[G::Move],
    ) -> Option<G::Move> {
        moves.iter().copied().find(|mv| match self {
            MoveText::Raise(square, level) => {
                game.raise(position, *mv).is_some_and(|(raised, to)| {
                    raised == *square && level.is_none_or(|level| level == to)
                })
            }
            MoveText::Other(text) => game
                .move_text(position, *mv, greenwave_game::Colours::Ryg)
                .eq_ignore_ascii_case(text),
        })
    }
}

/// Whether a move that leads to an ended game wins it for the player who makes it.
pub(crate) fn wins<G: Game>(game: &G, edge: &greenwave_game::Edge<G::Position>) -> bool {
    game.ending(&edge.to).is_some_and(|ending| {
        let outcome = if edge.keeps_turn {
            ending.outcome
        } else {
            ending.outcome.negated()
        };
        outcome == greenwave_game::Outcome::Win
    })
}

/// Whether a move loses at once: it ends the game with a loss, or the opponent then has a move that
/// ends it with a win. `replies` is scratch space.
pub(crate) fn loses_at_once<G: Dense>(
    game: &G,
    position: &G::Position,
    mv: G::Move,
    replies: &mut Vec<G::Move>,
) -> bool {
    let to = game.play(position, mv).to;
    if let Some(ending) = game.ending(&to) {
        return ending.outcome == Outcome::Win;
    }
    if game.packing(Metric::Value) == Packing::Undecided {
        return game.wins_at_once(&to);
    }
    game.moves(&to, replies);
    replies
        .iter()
        .any(|reply| wins(game, &game.play(&to, *reply)))
}
