//! What the rules say of themselves, in other languages: sentences are looked up with their places for
//! names and numbers, which are put in again, word by word.

use std::sync::LazyLock;

use crate::text::{Language, read};

/// A sentence in two languages, cut where names and numbers stand.
struct Sentence {
    pieces: Vec<&'static str>,
    other: &'static str,
}

#[derive(Default)]
struct Words {
    sentences: Vec<Sentence>,
    /// Words, and a few pairs of words.
    words: Vec<(&'static str, &'static str)>,
}

static ALL: LazyLock<[Words; 4]> = LazyLock::new(|| {
    Language::ALL.map(|language| {
        let mut all = Words::default();
        for (english, other) in read(source(language)) {
            match english.ends_with('.') || english.contains("{}") {
                true => all.sentences.push(Sentence {
                    pieces: english.split("{}").collect(),
                    other,
                }),
                false => all.words.push((english, other)),
            }
        }
        all
    })
});

fn source(language: Language) -> &'static str {
    match language {
        Language::English => "",
        Language::Portuguese => include_str!("texts/rules/pt.txt"),
        Language::Spanish => include_str!("texts/rules/es.txt"),
        Language::German => include_str!("texts/rules/de.txt"),
    }
}

/// A sentence of the rules in a language; `None` where there is no such sentence.
pub(crate) fn translated(language: Language, sentence: &str) -> Option<String> {
    if language == Language::English {
        return Some(sentence.to_string());
    }
    let all = &ALL[language as usize];
    all.sentences.iter().find_map(|known| {
        let fillings = fillings(&known.pieces, sentence)?;
        let mut text = String::new();
        for (number, piece) in known.other.split("{}").enumerate() {
            if let Some(filling) = number.checked_sub(1).and_then(|place| fillings.get(place)) {
                text.push_str(&all.word_by_word(filling));
            }
            text.push_str(piece);
        }
        Some(text)
    })
}

/// Sentences of the rules, with the language that they are in.
pub(crate) fn all_translated(language: Language, sentences: &[String]) -> (Language, Vec<String>) {
    let own = sentences.iter().map(|one| translated(language, one));
    match own.collect() {
        Some(own) => (language, own),
        None => (Language::English, sentences.to_vec()),
    }
}

/// What stands between the pieces of a sentence.
fn fillings<'s>(pieces: &[&str], sentence: &'s str) -> Option<Vec<&'s str>> {
    let (first, others) = pieces.split_first()?;
    let mut rest = sentence.strip_prefix(first)?;
    let mut fillings = Vec::new();
    for (number, piece) in others.iter().enumerate() {
        let at = match number + 1 == others.len() {
            true => rest.len().checked_sub(piece.len())?,
            false => rest.find(piece)?,
        };
        fillings.push(&rest[..at]);
        rest = rest.get(at..)?.strip_prefix(piece)?;
    }
    rest.is_empty().then_some(fillings)
}

impl Words {
    /// A filling with its words put into the language; what is no word of it stays.
    fn word_by_word(&self, filling: &str) -> String {
        let mut text = String::new();
        let mut rest = filling;
        while !rest.is_empty() {
            let is_part = |letter: char| letter.is_ascii_alphabetic();
            let end = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
            if end == 0 {
                let next = rest.find(is_part).unwrap_or(rest.len());
                text.push_str(&rest[..next]);
                rest = &rest[next..];
                continue;
            }
            let fits = |(english, _): &&(&str, &str)| {
                rest.strip_prefix(english)
                    .is_some_and(|after| !after.starts_with(is_part))
            };
            let known = self
                .words
                .iter()
                .filter(fits)
                .max_by_key(|word| word.0.len());
            let (taken, shown) = match known {
                Some((english, other)) => (english.len(), *other),
                None => (end, &rest[..end]),
            };
            text.push_str(shown);
            rest = &rest[taken..];
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use greenwave_game::{Game, Variant, catalogue, with_game};

    use super::*;

    /// The catalogue, and what its options change.
    fn variants() -> Vec<Variant> {
        let more = [
            "classic-3x3:supply=cap4,stalemate=loss",
            "classic-3x3:supply=pool6,stalemate=pass",
            "points-3x4:four=once",
            "slider:turn=yes",
            "slider:turn=yes,sides=adjacent",
            "slider:sides=adjacent,null=forbidden,empty-strip=forbidden",
            "strip:turn=no,sides=adjacent",
            "bag-classic-3x3:counters=infinite,choice=3,return=after",
            "bag-slider:slide=stuck",
            "bag-slider:slide=never",
            "noughts-3x3:play=misere",
            "ampel-5-2-2:start-point=block,first-step=blocked,own-cylinder=frozen,stuck-add=off",
            "ampel-5-2-2:stuck-add=loss",
        ];
        let names = catalogue().iter().copied().chain(more);
        names.map(|name| Variant::parse(name).unwrap()).collect()
    }

    #[test]
    fn every_sentence_of_the_rules_is_there_in_every_language() {
        let mut used = Vec::new();
        let mut look_up = |sentence: &str| {
            for language in Language::ALL {
                let text = translated(language, sentence);
                assert!(text.is_some(), "{language:?}: {sentence}");
            }
            let mut known = ALL[Language::German as usize].sentences.iter();
            used.extend(known.position(|known| fillings(&known.pieces, sentence).is_some()));
        };
        for variant in variants() {
            let mut sentences = with_game!(&variant, game => game.in_words());
            sentences.extend(with_game!(&variant, game => game.diagram(&game.start()).notes));
            sentences.iter().for_each(|sentence| look_up(sentence));
        }
        for (name, position) in [
            ("slider", "R../.../...+...@W,barred"),
            ("ampel-4-2-1", "4 2 1 r 1 0 0 ./r./.y./...."),
            ("ampel-4-2-1", "4 2 1 g 2 0 0 ./r./.y./...."),
            ("ampel-4-2-1", "4 2 1 r 3 0 0 ./r./.y./...."),
            ("ampel-4-2-1", "4 2 1 r 3 0 0 r/r./.y./...."),
            ("ampel-4-2-1", "4 2 1 r x 1 0 ./r./.../...."),
            ("bag-classic-3x3", ".../.../...;;R;RG"),
            ("bag-classic-3x3:choice=3", ".../.../...;RY;YGG;RRG"),
        ] {
            let variant = Variant::parse(name).unwrap();
            let notes = with_game!(&variant, game => {
                let position = game.parse_position(position).unwrap();
                game.diagram(&position).notes
            });
            notes.iter().for_each(|note| look_up(note));
        }
        let all = ALL[Language::German as usize].sentences.iter().enumerate();
        let unused = all.filter(|(place, _)| !used.contains(place));
        let unused: Vec<String> = unused.map(|(_, one)| one.pieces.join("{}")).collect();
        let of_rule_files = [
            "The board has {}, here from the top (# square, - gap): {}.",
            "No line counts.",
        ];
        assert_eq!(unused, of_rule_files);
    }

    #[test]
    fn the_languages_have_the_same_sentences_with_the_same_places() {
        let keys = |language| {
            let keys = read(source(language)).map(|(english, other)| {
                let places = |text: &str| text.matches("{}").count();
                assert_eq!(places(english), places(other), "{language:?}: {other}");
                english
            });
            keys.collect::<Vec<_>>()
        };
        for language in [Language::Spanish, Language::German] {
            assert_eq!(keys(language), keys(Language::Portuguese));
        }
    }

    #[test]
    fn names_and_numbers_are_put_in_again() {
        let of = |sentence| translated(Language::Portuguese, sentence).unwrap();
        assert_eq!(
            of("The board has 12 squares, 3 ranks and 4 files."),
            "O tabuleiro tem 12 casas, 3 filas e 4 colunas."
        );
        assert_eq!(
            of(
                "A move raises one square by one light: empty to red, red to yellow, yellow to green; \
                green is final."
            ),
            "Um lance faz avan\u{e7}ar uma casa uma luz: vazio para vermelho, vermelho para amarelo, \
             amarelo para verde; verde \u{e9} definitivo."
        );
        assert_eq!(
            of(
                "Red and Green have 1 disc each; by turns, Red first, they set up 5 yellow discs on \
                inside points, and then turns go on."
            ),
            "Vermelho e Verde t\u{ea}m 1 disco cada um; \u{e0} vez, Vermelho primeiro, p\u{f5}em 5 \
             discos amarelos em pontos interiores, e depois as vezes continuam."
        );
        assert_eq!(translated(Language::German, "No such sentence."), None);
    }
}
