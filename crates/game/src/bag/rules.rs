//! The definition of a bag game beside its board, and the text that is hashed.

use crate::{Message, messages};

/// Number of counters of each colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BagSupply {
    /// Exactly this number; counters that are neither on the board nor in a hand nor in the market
    /// are in the bag.
    Each(u32),
    /// No limit: every draw is one of the three colours with equal chance.
    Infinite,
}

/// What the player who refills the hand chooses from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The two counters of the market; the draw comes afterwards.
    OfTwo,
    /// Three counters: the draw comes first.
    OfThree,
}

/// When a replaced counter goes back into the bag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Return {
    /// Before the draw of the same turn.
    BeforeDraw,
    /// After the turn.
    AfterTurn,
}

/// When the strip may be moved instead of playing a counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BagSlides {
    /// At any turn at which it is not barred.
    AnyTurn,
    /// Only by a player none of whose counters fits.
    Stuck,
    /// Never.
    Never,
}

/// Everything that the bag adds to the rules of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BagRules {
    /// Counters of each colour.
    pub counters: BagSupply,
    /// What a player chooses from.
    pub choice: Choice,
    /// When replaced counters return.
    pub returns: Return,
    /// When the strip moves; without meaning where there is none.
    pub slides: BagSlides,
}

impl BagRules {
    /// The smallest number of counters of each colour with which the bag never runs out.
    ///
    /// At a draw after a turn every square may hold a counter, the hands six and the market one,
    /// and one must be left to draw. A replaced counter that returns only after the turn is one
    /// more.
    #[must_use]
    pub fn least_counters(cells: u32, returns: Return) -> u32 {
        let kept = match returns {
            Return::BeforeDraw => 8,
            Return::AfterTurn => 9,
        };
        (cells + kept).div_ceil(3)
    }

    /// The number of counters of each colour where none is named: 6 up to nine squares, 8 above, or
    /// the smallest allowed if that is more.
    #[must_use]
    pub fn usual_counters(cells: u32, returns: Return) -> u32 {
        BagRules::least_counters(cells, returns).max(if cells <= 9 { 6 } else { 8 })
    }

    /// Why a number of counters is too small for a board.
    #[must_use]
    pub fn supply_problem(cells: u32, counters: u32, returns: Return) -> Option<Message> {
        let least = BagRules::least_counters(cells, returns);
        let kept: u32 = if returns == Return::BeforeDraw { 8 } else { 9 };
        (counters < least).then(|| messages::bag_too_few(counters, cells, kept, least))
    }

    /// The lines that are added to the canonical text of the board.
    #[must_use]
    pub fn canonical(&self, has_strip: bool) -> String {
        use std::fmt::Write;
        let mut text = match self.counters {
            BagSupply::Each(number) => format!("bag of {number} counters of each colour\n"),
            BagSupply::Infinite => "bag without end\n".into(),
        };
        text.push_str(
            "draft of six picks from a market of two, first player first\nsecond player starts\n",
        );
        text.push_str(match self.choice {
            Choice::OfTwo => "choice of two, then a draw\n",
            Choice::OfThree => "a draw, then choice of three\n",
        });
        text.push_str(match self.returns {
            Return::BeforeDraw => "replaced counters return before the draw\n",
            Return::AfterTurn => "replaced counters return after the turn\n",
        });
        if has_strip {
            let _ = match self.slides {
                BagSlides::AnyTurn => writeln!(text, "strip moves at any turn"),
                BagSlides::Stuck => writeln!(text, "strip moves if no counter fits"),
                BagSlides::Never => writeln!(text, "strip never moves"),
            };
        }
        text
    }
}
