//! The functions that every game of the family has.

use std::fmt::Debug;
use std::hash::Hash;

use crate::{
    Diagram, Ending, Lights, Mark, Message, Motion, MoveError, Outcome, Outcomes, Rules, Sentence,
    SetupError,
};

/// One move's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge<P> {
    /// The position after the move; where chance comes next, the chance position.
    pub to: P,
    /// Points that the move scores at once for the player who makes it.
    pub gain: i32,
    /// Whether the same player moves again. A value is negated on the way up only when this is
    /// false.
    pub keeps_turn: bool,
}

impl<P> Edge<P> {
    /// A move that scores nothing and hands the turn to the opponent.
    #[must_use]
    pub fn passes(to: P) -> Edge<P> {
        Edge {
            to,
            gain: 0,
            keeps_turn: false,
        }
    }
}

/// A two-player game of the family.
///
/// The trait assumes neither that both players have the same moves, nor that plies are counted by
/// the position, nor a square grid, nor the absence of chance: [`Rules::properties`] declares such
/// facts. A position always contains who is to move where that matters; values are always for the
/// player to move.
pub trait Game: Send + Sync {
    /// A playable position. `Ord` is any total order; it picks canonical forms.
    type Position: Copy + Eq + Ord + Hash + Debug + Send + Sync;
    /// A move in a given position.
    type Move: Copy + Eq + Debug + Send + Sync;

    /// Name, canonical text, hash and declared properties of the rules.
    fn rules(&self) -> &Rules;

    /// Hands out the rules of the game and of the games inside it, to change how lights are written;
    /// none in games without these lights.
    fn change_rules(&mut self, change: &mut dyn FnMut(&mut Rules)) {
        let _ = change;
    }

    /// Writes and reads from now on in another order of the lights; nothing changes in games without
    /// these lights.
    fn set_lights(&mut self, lights: Lights) {
        self.change_rules(&mut |rules| rules.lights = Some(lights));
    }

    /// Tells people another name from now on; nothing changes in games that no rule file describes.
    fn set_shown(&mut self, name: String) {
        let _ = name;
    }

    /// The rules in words, a sentence each, by their keys.
    fn in_words(&self) -> Vec<Sentence>;

    /// The frame in which positions are counted: where one counts once in several guises, which.
    fn frame_name(&self) -> &'static str {
        "squares"
    }

    /// The position in which the game starts.
    fn start(&self) -> Self::Position;

    /// How the game ended, or `None` while it goes on.
    fn ending(&self, position: &Self::Position) -> Option<Ending>;

    /// Whether a finished game can have no winner. Where it cannot and positions can repeat, every
    /// draw is play that never ends. Where results are points this is not asked.
    fn can_end_drawn(&self) -> bool {
        self.rules().properties.outcomes == Outcomes::WinDrawLoss
    }

    /// Fills `out` with the legal moves in listing order; none in a finished game and where chance
    /// moves. The call drops the earlier contents of `out`.
    fn moves(&self, position: &Self::Position, out: &mut Vec<Self::Move>);

    /// Plays a move that [`Game::moves`] lists.
    fn play(&self, position: &Self::Position, mv: Self::Move) -> Edge<Self::Position>;

    /// Whether a move ends the game with a win for the player who makes it.
    fn is_win(&self, edge: &Edge<Self::Position>) -> bool {
        // The ending is that of the player who would be to move.
        let wins = if edge.keeps_turn {
            Outcome::Win
        } else {
            Outcome::Loss
        };
        let ending = self.ending(&edge.to);
        ending.is_some_and(|ending| ending.outcome == wins)
    }

    /// Whether the player to move has a move that ends the game with a win. `moves` is scratch space.
    fn has_winning_move(&self, position: &Self::Position, moves: &mut Vec<Self::Move>) -> bool {
        self.moves(position, moves);
        let mut edges = moves.iter().map(|mv| self.play(position, *mv));
        edges.any(|edge| self.is_win(&edge))
    }

    /// Whether a move to a position is safe: it neither loses nor lets the next one win. `moves` is scratch space.
    fn is_safe(&self, to: &Self::Position, moves: &mut Vec<Self::Move>) -> bool {
        match self.ending(to) {
            Some(ending) => ending.outcome != Outcome::Win,
            None => !self.has_winning_move(to, moves),
        }
    }

    /// Fills `out` with what chance can do here and its integer weights; nothing where a player
    /// moves. The call drops the earlier contents of `out`.
    fn draws(&self, position: &Self::Position, out: &mut Vec<(Self::Position, u32)>) {
        let _ = position;
        out.clear();
    }

    /// The last result of chance, as it is written between brackets in lists of moves: `RG` for the
    /// counters of a market. Empty where nothing is drawn.
    fn draw_text(&self, drawn: &Self::Position) -> String {
        let _ = drawn;
        String::new()
    }

    /// The greatest number of plies, at most `within`, after which the player to move (`mine`) or the
    /// opponent can win an unfinished game; 0 if there is none. Where the rules let a player win in
    /// some plies only, a search need not look at the others.
    fn last_win(&self, position: &Self::Position, mine: bool, within: u32) -> u32 {
        let _ = (position, mine);
        within
    }

    /// How soon a search tries a move: the highest first. It sets the order and nothing else.
    fn urgency(&self, position: &Self::Position, mv: Self::Move) -> u32 {
        let _ = (position, mv);
        0
    }

    /// Plies that a forward search looks ahead whatever its budget.
    fn always_searched(&self, position: &Self::Position) -> u32 {
        let _ = position;
        0
    }

    /// How a position looks at sight, from −1 (bad for the player to move) to 1: no proof, and never
    /// taken for one. `None` where the game has no such judgement.
    fn judgement(&self, position: &Self::Position) -> Option<f64> {
        let _ = position;
        None
    }

    /// Number of symmetries, the identity (number 0) included.
    fn symmetries(&self) -> usize {
        1
    }

    /// The image of a position under a symmetry, below [`Game::symmetries`]. Symmetries keep
    /// values.
    fn image(&self, position: &Self::Position, symmetry: usize) -> Self::Position {
        let _ = symmetry;
        *position
    }

    /// The symmetry that undoes another.
    fn inverse_symmetry(&self, symmetry: usize) -> usize {
        symmetry
    }

    /// The symmetry that moves the picture of each position so; `None` where the game has none.
    fn symmetry_showing(&self, motion: Motion) -> Option<usize> {
        let _ = motion;
        None
    }

    /// Canonical form: the least of the position's images. Never shown to users.
    fn canonical(&self, position: &Self::Position) -> Self::Position {
        (1..self.symmetries())
            .map(|symmetry| self.image(position, symmetry))
            .fold(*position, Ord::min)
    }

    /// Whether a symmetry leaves a position as it is.
    fn is_fixed(&self, position: &Self::Position, symmetry: usize) -> bool {
        self.image(position, symmetry) == *position
    }

    /// The position as text.
    fn position_text(&self, position: &Self::Position) -> String;

    /// Whether texts have blanks in them and no plus signs: texts of positions, or with `of_moves`
    /// lists of moves. Addresses of pages write a blank and a plus sign alike, and this tells which
    /// one is meant.
    fn has_blanks(&self, of_moves: bool) -> bool {
        of_moves
    }

    /// Reads a position from text.
    ///
    /// # Errors
    /// When the text cannot be a position of this game; the error lists every fault and where it
    /// is. Whether play can reach the position is not asked.
    fn parse_position(&self, text: &str) -> Result<Self::Position, SetupError>;

    /// A move of a position as text.
    fn move_text(&self, position: &Self::Position, mv: Self::Move) -> String;

    /// Reads a move of a position from text.
    ///
    /// # Errors
    /// When the text names no legal move of the position.
    fn parse_move(&self, position: &Self::Position, text: &str) -> Result<Self::Move, MoveError>;

    /// The position as a picture for people.
    fn diagram(&self, position: &Self::Position) -> Diagram;

    /// The position with another mark on a square, by its place in [`Diagram::marks`]. Whether it can be
    /// one of the game is not asked. `None` where no such mark can stand there.
    fn with_mark(
        &self,
        position: &Self::Position,
        square: usize,
        mark: Mark,
    ) -> Option<Self::Position> {
        let _ = (position, square, mark);
        None
    }

    /// The position with another mark on a square, if it is one that [`Game::parse_position`] takes.
    fn edited(
        &self,
        position: &Self::Position,
        square: usize,
        mark: Mark,
    ) -> Option<Self::Position> {
        let changed = self.with_mark(position, square, mark)?;
        self.parse_position(&self.position_text(&changed)).ok()
    }

    /// The position with nothing on its squares, if it is one that [`Game::parse_position`] takes.
    fn with_no_marks(&self, position: &Self::Position) -> Option<Self::Position> {
        let marks = self.diagram(position).marks;
        let mut squares = marks.into_iter().enumerate();
        let bare = squares.try_fold(*position, |bare, (square, (.., mark))| {
            let nothing = *mark.alternatives().first()?;
            self.with_mark(&bare, square, nothing)
        })?;
        self.parse_position(&self.position_text(&bare)).ok()
    }

    /// The position with what comes next on a square: the next light, sign or disc that [`Game::edited`]
    /// takes.
    fn with_next_mark(&self, position: &Self::Position, square: usize) -> Option<Self::Position> {
        let (.., mark) = *self.diagram(position).marks.get(square)?;
        let mut following = mark.following().into_iter();
        following.find_map(|mark| self.edited(position, square, mark))
    }
}

/// How many positions the symmetries make of one, itself included.
#[must_use]
pub fn orbit_size<G: Game>(game: &G, position: &G::Position) -> u64 {
    let same = |symmetry: &usize| game.is_fixed(position, *symmetry);
    (game.symmetries() / (0..game.symmetries()).filter(same).count()) as u64
}

impl MoveError {
    /// The error of a readable text, with the moves that are legal in a position written out.
    pub(crate) fn among<G: Game>(
        game: &G,
        position: &G::Position,
        legal: &[G::Move],
        text: &str,
        problem: impl Into<Message>,
    ) -> MoveError {
        let written = legal.iter().map(|mv| game.move_text(position, *mv));
        MoveError {
            text: text.into(),
            problem: problem.into(),
            legal: written.collect(),
            readable: true,
        }
    }
}
