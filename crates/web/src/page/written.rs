//! Moves as pages write them: in words, with lights as lamps, with arrows for the strip.

use greenwave_game::{AnyPosition, Game, Luck, Variant};
use greenwave_picture::{escaped, lamp};
use greenwave_play::{AnsweredMove, Fact, Hint};
use greenwave_words::Language;

use crate::page::contents::Page;
use crate::view::push_of;

/// The word of a light by its letter.
pub(super) fn light(words: Language, letter: char) -> Option<&'static str> {
    match letter {
        'R' => Some(words.text("red")),
        'Y' => Some(words.text("yellow")),
        'G' => Some(words.text("green")),
        _ => None,
    }
}

/// The full stop of what is said, where it has no end of its own.
pub(super) fn stop(said: &str) -> &'static str {
    if said.ends_with(['.', '!', '?']) {
        ""
    } else {
        "."
    }
}

/// One of several, as a sentence lists them.
pub(super) fn one_of(words: Language, listed: &[String]) -> Option<String> {
    let (last, others) = listed.split_last()?;
    Some(match others {
        [] => last.clone(),
        others => words.filled("one-or", &[("some", &others.join(", ")), ("last", last)]),
    })
}

/// The square and the light of a move, and the letter of the counter that is taken after it.
fn placing(mv: &str) -> (Option<(&str, char)>, Option<char>) {
    let (head, taken) = match mv.split_once('+') {
        Some((head, taken)) => (head, taken.chars().next()),
        None => (mv, None),
    };
    let placed = head.char_indices().next_back();
    (placed.map(|(at, light)| (&head[..at], light)), taken)
}

/// A move in words; `None` where its notation says all: a square and a light, or a sign.
pub(super) fn in_words(words: Language, variant: &Variant, mv: &str) -> Option<String> {
    if let Some(drawn) = mv.strip_prefix('[') {
        let lights: Vec<&str> = drawn
            .chars()
            .filter_map(|letter| light(words, letter))
            .collect();
        return Some(words.with("mv-drawn", lights.join(", ")));
    }
    if let Some((to, turned)) = push_of(mv) {
        let pushed = words.text(match to {
            'N' => "mv-north",
            'E' => "mv-east",
            'S' => "mv-south",
            _ => "mv-west",
        });
        return Some(if turned {
            words.with("mv-turned", pushed)
        } else {
            pushed.into()
        });
    }
    let has_bag = has_bag(variant);
    // A game without a bag writes so that a disc is put on a point, and one goes from a point to another.
    if !has_bag {
        if let Some(point) = mv.strip_prefix('+') {
            return Some(words.with("mv-put", point));
        }
        if let Some((from, to)) = mv.split_once('-') {
            return Some(words.filled("mv-step", &[("from", from), ("to", to)]));
        }
    }
    let key = match mv {
        "turn" => Some("mv-turn"),
        "off" => Some("mv-off"),
        "pass" => Some("mv-pass"),
        "miss" => Some("mv-miss"),
        _ => None,
    };
    if let Some(key) = key {
        return Some(words.text(key).into());
    }
    if !has_bag {
        return None;
    }
    placing_in_words(words, mv)
}

/// A light on a square in words, a counter taken after it, or both; `None` for another move.
pub(super) fn placing_in_words(words: Language, mv: &str) -> Option<String> {
    let (placed, taken) = placing(mv);
    let taken = taken.and_then(|letter| light(words, letter));
    let Some((square, letter)) = placed else {
        return Some(words.with("mv-take", taken?));
    };
    let fillings = [
        ("light", light(words, letter)?),
        ("square", square),
        ("taken", taken.unwrap_or_default()),
    ];
    let key = if taken.is_some() {
        "mv-place-take"
    } else {
        "mv-place"
    };
    Some(words.filled(key, &fillings))
}

pub(super) fn has_bag(variant: &Variant) -> bool {
    variant.rules().properties.luck == Luck::Draws
}

/// The sign of a move of the strip.
fn sign(mv: &str) -> Option<String> {
    if mv == "turn" {
        return Some("\u{21bb}".into());
    }
    let (to, turned) = push_of(mv)?;
    let arrow = match to {
        'N' => "\u{2191}",
        'E' => "\u{2192}",
        'S' => "\u{2193}",
        _ => "\u{2190}",
    };
    Some(format!("{arrow}{}", if turned { "\u{21bb}" } else { "" }))
}

/// A move in a sentence: its words in quotation marks, or as it is written.
fn named(words: Language, variant: &Variant, mv: &str) -> String {
    let said = in_words(words, variant, mv);
    said.map_or_else(|| mv.into(), |said| words.with("mv-quoted", said))
}

/// Where a position stands in its game: at the start or one move after it; `None` for any other.
pub(super) fn place_in_words(
    words: Language,
    variant: &Variant,
    at: &AnyPosition,
) -> Option<String> {
    let start = variant.start();
    if *at == start {
        return Some(words.text("place-start").into());
    }
    let mut moves = Vec::new();
    variant.moves(&start, &mut moves);
    let mv = moves
        .into_iter()
        .find(|mv| variant.play(&start, *mv).to == *at)?;
    let mv = variant.move_text(&start, mv);
    Some(words.with("place-after", named(words, variant, &mv)))
}

/// A move where there is little room: the sign of one of the strip, else its words, or as it is written.
pub(super) fn short(words: Language, variant: &Variant, mv: &str) -> String {
    match sign(mv) {
        Some(sign) => format!("{} {sign}", words.text("mv-strip")),
        None => in_words(words, variant, mv).unwrap_or_else(|| mv.into()),
    }
}

/// A move or a draw with counters, their lights as lamps; `None` for another one.
fn lamps(mv: &str) -> Option<String> {
    let mut html = String::from("<span class=\"lamps\" aria-hidden=\"true\">");
    if let Some(drawn) = mv.strip_prefix('[') {
        html.extend(drawn.chars().map(lamp));
        return Some(html + "</span>");
    }
    let (placed, taken) = placing(mv);
    match placed {
        Some((square, light)) if "RYG".contains(light) => {
            html.push_str(&escaped(square));
            html.push_str(&lamp(light));
        }
        Some(_) => return None,
        None => {}
    }
    if let Some(taken) = taken {
        if placed.is_some() {
            html.push('+');
        }
        html.push_str(&lamp(taken));
    }
    Some(html + "</span>")
}

impl Page<'_> {
    /// A move in words, or as it is written.
    pub(super) fn spoken_move(&self, mv: &str) -> String {
        in_words(self.reader.language, &self.question.variant, mv).unwrap_or_else(|| mv.into())
    }

    /// A move of this game in a sentence.
    pub(super) fn named_move(&self, mv: &str) -> String {
        named(self.reader.language, &self.question.variant, mv)
    }

    /// A fact about a move in a sentence.
    pub(super) fn fact_said(&self, fact: &Fact, mv: &str) -> String {
        fact.said_of(self.reader.language, mv, |mv| self.named_move(mv))
    }

    /// A fact about a move after some plies of the game, in which each move with the answer to it is a link to the
    /// reasons of the answer.
    pub(super) fn fact_linked(&self, plies: usize, fact: &Fact, mv: &str) -> String {
        let named = |mv: &str| escaped(&self.named_move(mv));
        let paired = |path: &[&str], answered: &AnsweredMove| {
            let made = [answered.made.mv.as_str()];
            let played = [&self.played(plies)[..], path, &made].concat();
            let answer = answered.answer.as_str();
            let address = self.game(self.view.start.as_deref(), &played, &[("why", answer)]);
            format!(
                "<a href=\"{}\">{} \u{2192} {}</a>{}",
                escaped(&self.at_part(address, "why")),
                named(&answered.made.mv),
                named(answer),
                escaped(
                    &answered
                        .made
                        .images_said(self.reader.language, answer, |mv| self.named_move(mv))
                )
            )
        };
        let said = fact.said_with(self.reader.language, mv, &named, &paired);
        // The sign and the first image stand in one line.
        said.replace("(= ", "(=\u{a0}")
    }

    /// A hint in a sentence.
    pub(super) fn hint_said(&self, hint: &Hint) -> String {
        let words = self.reader.language;
        let named = |moves: &[String]| moves.iter().map(|mv| self.named_move(mv)).collect();
        match hint {
            Hint::Stands(standing) => standing.said_with(words, self.hint_idea),
            Hint::Places(places) => Hint::Places(named(places)).said(words),
            Hint::Moves { moves, known } => {
                let (moves, known) = (named(moves), *known);
                Hint::Moves { moves, known }.said(words)
            }
        }
    }

    /// A move where there is room: its lamps, or its words; and whether it is in words.
    pub(super) fn written(&self, mv: &str) -> (String, bool) {
        let (words, variant) = (self.reader.language, &self.question.variant);
        let Some(said) = in_words(words, variant, mv) else {
            return (escaped(mv), false);
        };
        let said = escaped(&said);
        if let Some(lamps) = lamps(mv).filter(|_| has_bag(variant)) {
            // A counter alone does not say what is done with it.
            let class = if mv.starts_with('+') {
                "take"
            } else {
                "unseen"
            };
            let lit = format!("{lamps}<span class=\"{class}\">{said}</span>");
            return (lit, false);
        }
        match sign(mv) {
            // The arrow says it, as it does beside the board.
            Some(sign) => {
                let lit = format!(
                    "<span aria-hidden=\"true\">{sign}</span><span class=\"unseen\">{said}</span>"
                );
                (lit, false)
            }
            None => (said, true),
        }
    }

    /// A move in a row of many: its lamps or its sign, and its words for those who do not see it.
    pub(super) fn written_short(&self, mv: &str) -> String {
        let (words, variant) = (self.reader.language, &self.question.variant);
        let Some(said) = in_words(words, variant, mv) else {
            return escaped(mv);
        };
        let short = escaped(&short(words, variant, mv));
        let shown = match lamps(mv).filter(|_| has_bag(variant)) {
            Some(lamps) => lamps,
            None if short == escaped(&said) => return short,
            None => format!("<span aria-hidden=\"true\">{short}</span>"),
        };
        format!("{shown}<span class=\"unseen\">{}</span>", escaped(&said))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_said_in_words() {
        let said = |variant: &str, mv: &str| {
            let variant = Variant::parse(variant).unwrap();
            in_words(Language::English, &variant, mv)
        };
        for (variant, mv, words) in [
            ("strip", "slide-Nt", "push the strip up, turned over"),
            ("slider", "slide-E", "push the strip right"),
            ("strip", "turn", "turn the strip over"),
            ("bag-classic-3x3", "[RG]", "market: red, green"),
            ("bag-classic-3x3", "b2Y+G", "yellow on b2, take green"),
            ("bag-classic-3x3", "b2Y", "yellow on b2"),
            ("bag-classic-3x3", "+R", "take red"),
            ("bag-slider", "miss", "miss the turn"),
            ("ampel", "d2-b1", "d2 to b1"),
            ("ampel", "+c2", "disc on c2"),
        ] {
            assert_eq!(said(variant, mv).as_deref(), Some(words), "{variant} {mv}");
        }
        assert_eq!(said("classic-3x3", "b2R"), None);
        let placed = placing_in_words(Language::English, "b2R");
        assert_eq!(placed.as_deref(), Some("red on b2"));
        assert_eq!(said("strip", "s1R"), None);
        assert_eq!(said("noughts-3x3", "b2"), None);
    }
}
