//! What the words of an expression stand for: squares, colours, pictures, moves.

use std::ops::Range;

use greenwave_game::keyed::nearest;
use greenwave_game::{Spot, Squares};

use super::Binder;
use crate::expr::ExpressionError;
use crate::messages;
use crate::squares::MoveText;

impl<G: Squares> Binder<'_, G> {
    pub(super) fn square(&self, name: &str) -> Option<usize> {
        self.squares
            .iter()
            .position(|square| square.eq_ignore_ascii_case(name))
    }

    /// The square with a name or coordinates, and how that is written.
    pub(super) fn spot(&self, name: &str) -> Option<(String, Spot)> {
        if let Some(square) = self.square(name) {
            return Some((self.squares[square].clone(), square.into()));
        }
        let mut coordinates = self.coordinates.iter();
        coordinates
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .cloned()
    }

    pub(super) fn colour_named(&self, name: &str) -> Option<u8> {
        self.game.level_named(name)
    }

    pub(super) fn colour(&self, word: &str, place: &Range<usize>) -> Result<u8, ExpressionError> {
        match self.colour_named(word) {
            Some(level) => Ok(level),
            None => {
                let kind = self.game.content_kind();
                let (last, colours) = self.game.contents().split_last().unwrap_or((&"", &[]));
                let wanted = messages::wanted_colour(kind, colours.join(", "), *last);
                let contents = self.game.contents().iter().copied();
                let problem = match nearest(&word.to_lowercase(), contents) {
                    Some(near) => messages::expression_found_near(word, near, wanted),
                    None => messages::expression_found(word, wanted),
                };
                self.refuse(place, problem)
            }
        }
    }

    pub(super) fn picture(
        &self,
        text: &str,
        place: &Range<usize>,
    ) -> Result<Vec<(usize, u8)>, ExpressionError> {
        let squares = match self.game.picture(text) {
            Ok(squares) => squares,
            Err(problem) => {
                return self.refuse(place, format!("found the picture \"{text}\": {problem}"));
            }
        };
        let mut shown = Vec::new();
        for (square, light) in squares.into_iter().enumerate() {
            let Some(light) = light else {
                continue;
            };
            match self.game.level_lettered(light) {
                Some(level) => shown.push((square, level)),
                None => {
                    return self.refuse(
                        place,
                        format!(
                            "found '{light}' in a picture, expected {} or ?",
                            self.game.letters()
                        ),
                    );
                }
            }
        }
        Ok(shown)
    }

    pub(super) fn mv(&self, word: &str, place: &Range<usize>) -> Result<MoveText, ExpressionError> {
        if let Some((_, spot)) = self.spot(word) {
            return Ok(MoveText::Raise(spot, None));
        }
        let letters = word.char_indices().next_back();
        if let Some((split, letter)) = letters
            && let Some((_, spot)) = self.spot(&word[..split])
            && let Some(level) = self.game.level_lettered(letter)
        {
            if level == 0 {
                return self.refuse(place, format!("found '{word}': no move empties a square"));
            }
            return Ok(MoveText::Raise(spot, Some(level)));
        }
        match self.game.other_move(word) {
            Some(text) if self.has_coordinates(&text) => Ok(MoveText::Placed(text)),
            Some(text) => Ok(MoveText::Other(text)),
            None => self.refuse(
                place,
                format!(
                    "found '{word}', expected a move such as {}, a square from {} to {} with or without its new light{}",
                    self.squares.first().map_or("", String::as_str),
                    self.squares.first().map_or("", String::as_str),
                    self.squares.last().map_or("", String::as_str),
                    self.game.other_moves()
                ),
            ),
        }
    }

    // Whether a move such as `d3Y+G` names a square of the strip by its coordinates.
    pub(super) fn has_coordinates(&self, text: &str) -> bool {
        let square = text.split_once('+').map_or("", |(played, _)| played);
        let letters = square.char_indices().next_back();
        let spot = letters.and_then(|(split, _)| self.spot(&square[..split]));
        spot.is_some_and(|(_, spot)| spot.side.is_some())
    }

    pub(super) fn no_square(&self, word: &str) -> String {
        format!(
            "found '{word}', expected a square from {} to {}",
            self.squares.first().map_or("", String::as_str),
            self.squares.last().map_or("", String::as_str),
        )
    }
}
