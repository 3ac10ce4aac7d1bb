//! What the bag changes of the rules in words.

use crate::{BagRules, BagSlides, BagSupply, Choice, Lights, Return};

/// The sentences of a board, of which none is about counters, with those of the bag.
pub(super) fn with_bag(
    mut sentences: Vec<String>,
    rules: &BagRules,
    lights: Lights,
    has_strip: bool,
) -> Vec<String> {
    let [empty, first, second, third] = lights.names();
    let fits = format!("({first} on {empty}, {second} on {first}, {third} on {second})");
    sentences.push(match rules.counters {
        BagSupply::Each(number) => format!(
            "All counters are in a bag, {} of each colour; what is not on the board, in a hand or in \
             the market is in the bag.",
            number
        ),
        BagSupply::Infinite => format!(
            "Counters come from a bag without end: every draw is {first}, {second} or {third} with \
             equal chance."
        ),
    });
    sentences.push(
        "Two counters are drawn to the market; from player 1 on the players pick by turns, with a \
         draw before each further pick, until both hold three, and a draw fills the market to two \
         again. Hands and market are open. Player 2 begins."
            .into(),
    );
    sentences.push(match rules.choice {
        Choice::OfTwo => format!(
            "In a turn a player plays a counter of the hand where it fits {fits}, takes one of \
                 the two counters of the market, and draws one for the market."
        ),
        Choice::OfThree => format!(
            "In a turn a player plays a counter of the hand where it fits {fits}, draws one for \
                 the market, and takes one of its three counters."
        ),
    });
    sentences.push(
        match rules.returns {
            Return::BeforeDraw => "A replaced counter goes back into the bag before the draw.",
            Return::AfterTurn => "A replaced counter goes back into the bag after the turn.",
        }
        .into(),
    );
    if has_strip {
        sentences.push(
            match rules.slides {
                BagSlides::AnyTurn => {
                    "A strip move takes the place of the whole turn, whether a counter fits or not."
                }
                BagSlides::Stuck => {
                    "The strip may be moved only by a player none of whose counters fits."
                }
                BagSlides::Never => "The strip is never moved.",
            }
            .into(),
        );
    }
    sentences.push(
        match has_strip && rules.slides != BagSlides::Never {
            false => {
                "Who has no counter that fits misses the turn; if that is true of both, the game is \
                 drawn."
            }
            true => {
                "Who has no counter that fits and moves no strip misses the turn; if neither player \
                 can play or move the strip, or play goes on without end, the game is drawn."
            }
        }
        .into(),
    );
    sentences
}
