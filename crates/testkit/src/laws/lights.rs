//! Laws of the order of the lights: it changes letters and nothing else.

use greenwave_game::{Game, Variant};

use super::law::Breach;
use crate::PositionSample;

const SAME_GAME: &str = "another order of the lights is the same game";
const SAME_TEXTS: &str =
    "texts in two orders of the lights differ in the letters of the lights alone";

/// Compares a variant with itself in another order, over positions of random games.
pub(super) fn check(variant: &Variant, other: &Variant, seed: u64, count: usize) -> Vec<Breach> {
    let breach = |law, position: Option<&String>, found: String| Breach {
        law,
        variant: variant.rules().name.clone(),
        position: position.cloned(),
        seed,
        found,
    };
    let (one, two) = (variant.rules(), other.rules());
    if (one.hash, &one.canonical, one.slug()) != (two.hash, &two.canonical, two.slug()) {
        let found = format!("{} and {}", one.canonical, two.canonical);
        return vec![breach(SAME_GAME, None, found)];
    }
    let (these, those) = (texts(variant, seed, count), texts(other, seed, count));
    if these.len() != those.len() {
        let found = format!("{} and {} texts", these.len(), those.len());
        return vec![breach(SAME_GAME, None, found)];
    }
    let differ = |(this, that): &(&String, &String)| exchanged(variant, other, this) != **that;
    let found = these.iter().zip(&those).find(differ);
    let told = found.map(|(this, that)| breach(SAME_TEXTS, Some(this), format!("as '{that}'")));
    told.into_iter().collect()
}

// The text of every position of random games and of its moves.
fn texts(variant: &Variant, seed: u64, count: usize) -> Vec<String> {
    let mut texts = Vec::new();
    let mut moves = Vec::new();
    for position in PositionSample::of_games(variant, seed, count).positions {
        texts.push(variant.position_text(&position));
        variant.moves(&position, &mut moves);
        texts.extend(moves.iter().map(|mv| variant.move_text(&position, *mv)));
    }
    texts
}

// A text with the letters of one order exchanged for those of the other.
fn exchanged(variant: &Variant, other: &Variant, text: &str) -> String {
    let [from, to] = [variant, other].map(|variant| variant.rules().order().letters());
    let letter = |letter: char| {
        let level = from.iter().position(|known| *known == letter);
        level.map_or(letter, |level| to[level])
    };
    text.chars().map(letter).collect()
}
