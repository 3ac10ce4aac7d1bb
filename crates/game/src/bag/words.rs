//! What the bag changes of the rules in words.

use crate::{Argument, BagRules, BagSlides, BagSupply, Choice, Return, Sentence};

vocabulary! {
    WORDS, "bag", BagSentence:
    EachColour WithoutEnd Draft ChoiceOfTwo ChoiceOfThree ReturnsBeforeDraw ReturnsAfterTurn
    SlidesAnyTurn SlidesStuck SlidesNever Misses MissesWithStrip BeforeDraft Picks TakesOfThree
}

/// The sentences of a board, of which none is about counters, with those of the bag; `lights` are the
/// names of the levels.
pub(super) fn with_bag(
    mut sentences: Vec<Sentence>,
    rules: &BagRules,
    lights: [Sentence; 4],
    has_strip: bool,
) -> Vec<Sentence> {
    let levels = lights.map(Argument::from);
    sentences.push(match rules.counters {
        BagSupply::Each(number) => BagSentence::EachColour.with([Argument::number(number)]),
        BagSupply::Infinite => {
            let [_, first, second, third] = levels.clone();
            BagSentence::WithoutEnd.with([first, second, third])
        }
    });
    sentences.push(BagSentence::Draft.plain());
    sentences.push(
        match rules.choice {
            Choice::OfTwo => BagSentence::ChoiceOfTwo,
            Choice::OfThree => BagSentence::ChoiceOfThree,
        }
        .with(levels),
    );
    let returns = match rules.returns {
        Return::BeforeDraw => BagSentence::ReturnsBeforeDraw,
        Return::AfterTurn => BagSentence::ReturnsAfterTurn,
    };
    sentences.push(returns.plain());
    if has_strip {
        let slides = match rules.slides {
            BagSlides::AnyTurn => BagSentence::SlidesAnyTurn,
            BagSlides::Stuck => BagSentence::SlidesStuck,
            BagSlides::Never => BagSentence::SlidesNever,
        };
        sentences.push(slides.plain());
    }
    let misses = if has_strip && rules.slides != BagSlides::Never {
        BagSentence::MissesWithStrip
    } else {
        BagSentence::Misses
    };
    sentences.push(misses.plain());
    sentences
}
