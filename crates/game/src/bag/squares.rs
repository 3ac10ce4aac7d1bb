//! Questions that a position of a bag game answers: the board's squares, hands, market and bag.

use super::{BagBase, BagGame, BagMove, BagPosition, BagSupply};
use crate::Game;
use crate::squares::{Features, OwnField, Pile, Spot, Squares};

impl<B: BagBase + Squares> Squares for BagGame<B> {
    const FIELDS: &'static [OwnField] = B::FIELDS;

    fn features(&self) -> Features {
        Features {
            plies: false,
            piles: true,
            ..self.base().features()
        }
    }

    fn square_names(&self) -> Vec<String> {
        self.base().square_names()
    }

    fn coordinates(&self) -> Vec<(String, Spot)> {
        self.base().coordinates()
    }

    fn is_there(&self, position: &BagPosition<B::Position>, spot: Spot) -> bool {
        self.base().is_there(&position.base, spot)
    }

    fn level(&self, position: &BagPosition<B::Position>, square: usize) -> u8 {
        self.base().level(&position.base, square)
    }

    fn count(&self, position: &BagPosition<B::Position>, level: u8) -> u32 {
        self.base().count(&position.base, level)
    }

    fn level_sum(&self, position: &BagPosition<B::Position>) -> Option<u32> {
        self.base().level_sum(&position.base)
    }

    fn raise(
        &self,
        position: &BagPosition<B::Position>,
        mv: BagMove<B::Move>,
    ) -> Option<(usize, u8)> {
        match mv {
            BagMove::Play { mv, .. } => self.base().raise(&position.base, mv),
            BagMove::Pick(_) | BagMove::Miss => None,
        }
    }

    fn has_line(&self, position: &BagPosition<B::Position>) -> bool {
        self.base().has_line(&position.base)
    }

    fn completed_lines(&self, position: &BagPosition<B::Position>) -> Vec<Vec<usize>> {
        self.base().completed_lines(&position.base)
    }

    fn is_strip_move(&self, mv: BagMove<B::Move>) -> bool {
        matches!(mv, BagMove::Play { mv, .. } if self.base().is_strip_move(mv))
    }

    // Inside a turn there is no index.
    fn is_same(&self, a: &BagPosition<B::Position>, b: &BagPosition<B::Position>) -> bool {
        let around = |position: &BagPosition<B::Position>| {
            (
                position.own,
                position.other,
                position.market,
                position.stage,
            )
        };
        self.base().is_same(&a.base, &b.base) && around(a) == around(b)
    }

    fn field(&self, position: &BagPosition<B::Position>, field: usize) -> Option<u32> {
        self.base().field(&position.base, field)
    }

    fn is_in_field(&self, mv: BagMove<B::Move>, field: usize) -> bool {
        matches!(mv, BagMove::Play { mv, .. } if self.base().is_in_field(mv, field))
    }

    fn stage(&self, position: &BagPosition<B::Position>) -> u32 {
        self.base().stage(&position.base)
    }

    fn pile(&self, position: &BagPosition<B::Position>, pile: Pile, level: u8) -> Option<u32> {
        match (pile, self.bag().counters) {
            (Pile::Hand, _) => Some(position.own.count(level)),
            (Pile::OtherHand, _) => Some(position.other.count(level)),
            (Pile::Market, _) => Some(position.market.count(level)),
            (Pile::Bag, BagSupply::Each(_)) => self.left(position, level),
            (Pile::Bag, BagSupply::Infinite) => None,
        }
    }

    fn picture(&self, text: &str) -> Result<Vec<Option<char>>, String> {
        self.base().picture(text)
    }

    fn other_move(&self, text: &str) -> Option<String> {
        if text.eq_ignore_ascii_case("miss") {
            return Some(text.into());
        }
        let Some((played, taken)) = text.split_once('+') else {
            return self.base().other_move(text);
        };
        let lights = self.rules().order();
        let written = |letter: char| {
            let level = lights.level(letter).filter(|level| *level > 0);
            level.map(|level| lights.letter(level))
        };
        let mut letters = taken.chars();
        let (Some(taken), None) = (letters.next().and_then(written), letters.next()) else {
            return None;
        };
        if played.is_empty() {
            return Some(format!("+{taken}"));
        }
        let (split, letter) = played.char_indices().next_back()?;
        let (square, light) = (&played[..split], written(letter)?);
        let coordinates = self.coordinates().into_iter().map(|(name, _)| name);
        let mut names = self.square_names().into_iter().chain(coordinates);
        let is_square = names.any(|name| name.eq_ignore_ascii_case(square));
        is_square.then(|| format!("{square}{light}+{taken}"))
    }

    fn other_moves(&self) -> &'static str {
        if self.base().features().strip {
            ", or a move such as b2Y+G, +G, slide-N or miss"
        } else {
            ", or a move such as b2Y+G, +G or miss"
        }
    }
}
