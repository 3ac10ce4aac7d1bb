//! A variant as a game, whose positions and moves are those of any kind.

use super::VariantGame;
use crate::{
    AnyMove, AnyPosition, BoardGame, Dense, Diagram, Edge, Ending, Features, Game, Mark, Motion,
    MoveError, Rules, Sentence, SetupError, Squares, Variant, fixed_board,
};

// What the game inside says of itself.
macro_rules! about_itself {
    ($($(#[$about:meta])* $seen:vis $name:ident($($argument:ident: $type:ty),*) -> $answer:ty;)+) => {
        $(
            $(#[$about])*
            $seen fn $name(&self, $($argument: $type),*) -> $answer {
                with_game!(self, game => game.$name($($argument),*))
            }
        )+
    };
}

// What it says of a position of its kind.
macro_rules! about_positions {
    ($($(#[$about:meta])* $seen:vis $name:ident($($argument:ident: $type:ty),*) -> $answer:ty;)+) => {
        $(
            $(#[$about])*
            $seen fn $name(&self, position: &AnyPosition, $($argument: $type),*) -> $answer {
                with_game!(self, game => game.$name(&game.position(position), $($argument),*))
            }
        )+
    };
}

// What it says of a move of a position.
macro_rules! about_moves {
    ($($name:ident() -> $answer:ty;)+) => {
        $(
            fn $name(&self, position: &AnyPosition, mv: AnyMove) -> $answer {
                with_game!(self, game => game.$name(&game.position(position), game.mv(&mv)))
            }
        )+
    };
}

// What it makes of a position of its kind.
macro_rules! other_positions {
    ($($name:ident($($argument:ident: $type:ty),*);)+) => {
        $(
            fn $name(&self, position: &AnyPosition, $($argument: $type),*) -> AnyPosition {
                with_game!(self, game => {
                    game.any_position(game.$name(&game.position(position), $($argument),*))
                })
            }
        )+
    };
}

// How it is changed.
macro_rules! changes {
    ($($name:ident($argument:ident: $type:ty);)+) => {
        $(
            fn $name(&mut self, $argument: $type) {
                with_game!(self, game => game.$name($argument));
            }
        )+
    };
}

/// For questions about some positions: each call finds out the kind of game. What visits many positions
/// does so once, and works with the game inside.
///
/// # Panics
/// When a position or a move is of a game of another kind.
impl Game for Variant {
    type Position = AnyPosition;
    type Move = AnyMove;

    fn rules(&self) -> &Rules {
        Variant::rules(self)
    }

    changes! {
        change_rules(change: &mut dyn FnMut(&mut Rules));
        set_shown(name: String);
    }

    about_itself! {
        in_words() -> Vec<Sentence>;
        frame_name() -> &'static str;
        can_end_drawn() -> bool;
        has_blanks(of_moves: bool) -> bool;
        symmetries() -> usize;
        inverse_symmetry(symmetry: usize) -> usize;
        symmetry_showing(motion: Motion) -> Option<usize>;
    }

    about_positions! {
        ending() -> Option<Ending>;
        draw_text() -> String;
        last_win(mine: bool, within: u32) -> u32;
        always_searched() -> u32;
        judgement() -> Option<f64>;
        is_fixed(symmetry: usize) -> bool;
        position_text() -> String;
        diagram() -> Diagram;
    }

    other_positions! {
        image(symmetry: usize);
        canonical();
    }

    about_moves! {
        urgency() -> u32;
        move_text() -> String;
    }

    fn start(&self) -> AnyPosition {
        with_game!(self, game => game.any_position(game.start()))
    }

    fn parse_position(&self, text: &str) -> Result<AnyPosition, SetupError> {
        with_game!(self, game => Ok(game.any_position(game.parse_position(text)?)))
    }

    fn parse_move(&self, position: &AnyPosition, text: &str) -> Result<AnyMove, MoveError> {
        with_game!(self, game => {
            let mv = game.parse_move(&game.position(position), text)?;
            Ok(game.any_move(mv))
        })
    }

    fn with_mark(&self, position: &AnyPosition, square: usize, mark: Mark) -> Option<AnyPosition> {
        with_game!(self, game => {
            let changed = game.with_mark(&game.position(position), square, mark)?;
            Some(game.any_position(changed))
        })
    }

    fn moves(&self, position: &AnyPosition, out: &mut Vec<AnyMove>) {
        out.clear();
        with_game!(self, game => {
            let mut moves = Vec::new();
            game.moves(&game.position(position), &mut moves);
            out.extend(moves.into_iter().map(|mv| game.any_move(mv)));
        });
    }

    fn play(&self, position: &AnyPosition, mv: AnyMove) -> Edge<AnyPosition> {
        with_game!(self, game => {
            let Edge { to, gain, keeps_turn } = game.play(&game.position(position), game.mv(&mv));
            Edge { to: game.any_position(to), gain, keeps_turn }
        })
    }

    fn draws(&self, position: &AnyPosition, out: &mut Vec<(AnyPosition, u32)>) {
        out.clear();
        with_game!(self, game => {
            let mut draws = Vec::new();
            game.draws(&game.position(position), &mut draws);
            out.extend(draws.into_iter().map(|(to, weight)| (game.any_position(to), weight)));
        });
    }
}

impl VariantGame for Variant {
    fn any_position(&self, position: AnyPosition) -> AnyPosition {
        position
    }

    fn any_move(&self, mv: AnyMove) -> AnyMove {
        mv
    }

    fn position(&self, any: &AnyPosition) -> AnyPosition {
        *any
    }

    fn mv(&self, any: &AnyMove) -> AnyMove {
        *any
    }
}

impl Variant {
    about_itself! {
        /// Name, canonical text and declared properties.
        #[must_use]
        pub rules() -> &Rules;

        /// Number of indices: see [`Dense::indexable`].
        #[must_use]
        pub indexable() -> u128;

        /// Number of positions that a solution deals with: see [`Dense::expected_positions`].
        #[must_use]
        pub expected_positions() -> u128;

        /// Whether values are of the positions that play reaches alone: see
        /// [`Dense::holds_reachable_only`].
        #[must_use]
        pub holds_reachable_only() -> bool;

        /// What positions show beside squares: see [`Squares::features`].
        #[must_use]
        pub features() -> Features;
    }

    about_positions! {
        /// The completed lines of a position: see [`Squares::completed_lines`].
        ///
        /// # Panics
        /// When the position is of a game of another kind.
        #[must_use]
        pub completed_lines() -> Vec<Vec<usize>>;

        /// Whether the player who began the game is to move: see [`Squares::first_to_move`].
        ///
        /// # Panics
        /// When the position is of a game of another kind.
        #[must_use]
        pub first_to_move() -> Option<bool>;
    }

    /// The game as one on a fixed board of lights, if it is one: see [`fixed_board`](crate::fixed_board).
    #[must_use]
    pub fn fixed_board(&self) -> Option<&BoardGame> {
        with_game!(self, game => fixed_board(game))
    }

    /// The texts of the legal moves of a position, in listing order.
    ///
    /// # Panics
    /// When the position is of a game of another kind.
    #[must_use]
    pub fn move_texts(&self, position: &AnyPosition) -> Vec<String> {
        let mut moves = Vec::new();
        self.moves(position, &mut moves);
        let texts = moves.into_iter().map(|mv| self.move_text(position, mv));
        texts.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(variant: &str, position: &str) -> Vec<String> {
        let variant = Variant::parse(variant).unwrap();
        let at = variant.parse_position(position).unwrap();
        let names = variant.diagram(&at).names;
        let name = |line: &Vec<usize>| {
            let squares: Vec<&str> = line.iter().map(|square| names[*square].as_str()).collect();
            squares.join(" ")
        };
        variant.completed_lines(&at).iter().map(name).collect()
    }

    #[test]
    fn lines_of_every_family_are_found_where_they_stand() {
        assert_eq!(names("classic-3x3", "G../.Y./RRR"), ["a1 b1 c1"]);
        assert_eq!(names("classic-3x3", "G../.G./..G"), ["c1 b2 a3"]);
        assert_eq!(names("signal-3x3", "RYG/.../..."), ["a3 b3 c3"]);
        assert_eq!(names("noughts-3x3", "XOO/.X./..X"), ["c1 b2 a3"]);
        assert!(names("noughts-3x4:line=4", "XXX./OO../....").is_empty());
        assert_eq!(
            names("noughts-3x4:line=4", "XXXX/OOO./...."),
            ["a3 b3 c3 d3"]
        );
        assert!(names("classic-3x3", "R../.Y./..G").is_empty());
        // The strip beside the board, at the east and at the north.
        assert_eq!(names("strip", ".../.../.RR+..R@E").len(), 1);
        assert_eq!(names("strip", "R../R../...+R..@N").len(), 1);
    }
}
