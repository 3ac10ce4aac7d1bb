//! Sentences of games in every language: a file for each kind of game in the folder of the language.

use std::collections::HashMap;
use std::sync::LazyLock;

use greenwave_game::{Argument, Game, Sentence, Variant, plural};

use crate::{Language, read};

/// The files of a kind of game, by its name, in the order of [`Language::ALL`].
macro_rules! files {
    ($($name:literal)+) => {
        &[$((
            $name,
            [
                include_str!(concat!("../texts/en/", $name, ".txt")),
                include_str!(concat!("../texts/pt/", $name, ".txt")),
                include_str!(concat!("../texts/es/", $name, ".txt")),
                include_str!(concat!("../texts/de/", $name, ".txt")),
            ],
        )),+]
    };
}

const FILES: &[(&str, [&str; 4])] = files!("board" "strip" "bag" "ampel" "noughts" "memory");

/// The sentences of each language, in the order of [`Language::ALL`], by the name of a kind of game and a key.
static SENTENCES: LazyLock<[HashMap<(&str, &str), &'static str>; 4]> = LazyLock::new(|| {
    Language::ALL.map(|language| {
        let files = FILES.iter();
        let keyed = |(name, files): &(&'static str, [&'static str; 4])| {
            let name = *name;
            read(files[language as usize]).map(move |(key, text)| ((name, key), text))
        };
        files.flat_map(keyed).collect()
    })
});

/// The file of a kind of game in a language; nothing where there is none, which a test finds.
#[cfg(test)]
fn source(name: &str, language: Language) -> &'static str {
    let files = FILES.iter().find(|(known, _)| *known == name);
    files.map_or("", |(_, files)| files[language as usize])
}

/// All sentences of a language.
#[cfg(test)]
pub(crate) fn texts(language: Language) -> impl Iterator<Item = &'static str> {
    let files = FILES.iter();
    files.flat_map(move |(_, files)| read(files[language as usize]).map(|(_, text)| text))
}

/// A text cut at its places: what stands before each, and the place.
struct Template<'t> {
    rest: &'t str,
}

/// A place: which argument fills it, and the words for one and for many of what it counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SentencePlace<'t> {
    argument: usize,
    counted: Option<(&'t str, &'t str)>,
}

impl<'t> Iterator for Template<'t> {
    type Item = (&'t str, Option<SentencePlace<'t>>);

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let place = self.rest.split_once('{').and_then(|(before, after)| {
            let (inside, after) = after.split_once('}')?;
            Some((before, inside, after))
        });
        let Some((before, inside, after)) = place else {
            return Some((std::mem::take(&mut self.rest), None));
        };
        self.rest = after;
        let (number, words) = inside.split_once(':').unwrap_or((inside, ""));
        let place = number.parse().ok().map(|argument| SentencePlace {
            argument,
            counted: words.split_once('|'),
        });
        Some((before, place))
    }
}

impl Language {
    /// A sentence of a game in this language, in English where the language lacks it, and its key where
    /// English does.
    #[must_use]
    pub fn sentence(self, sentence: &Sentence) -> String {
        let key = (sentence.vocabulary.name, sentence.key);
        let of = |language: Language| SENTENCES[language as usize].get(&key).copied();
        let text = of(self)
            .or_else(|| of(Language::English))
            .unwrap_or(sentence.key);
        let mut filled = String::new();
        for (before, place) in (Template { rest: text }) {
            filled.push_str(before);
            let argument = place.and_then(|place| sentence.arguments.get(place.argument));
            if let (Some(place), Some(argument)) = (place, argument) {
                filled.push_str(&self.argument(argument, place));
            }
        }
        filled
    }

    fn argument(self, argument: &Argument, place: SentencePlace<'_>) -> String {
        let each = |phrases: &[Sentence], between: &str| {
            let phrases: Vec<String> = phrases.iter().map(|one| self.sentence(one)).collect();
            phrases.join(between)
        };
        match argument {
            Argument::Number(number) => match place.counted {
                Some((one, many)) => format!("{number} {}", plural(*number, one, many)),
                None => number.to_string(),
            },
            Argument::Text(text) => text.clone(),
            Argument::List(phrases) => each(phrases, ", "),
            Argument::Row(words) => each(words, "-"),
        }
    }

    /// Sentences of a game in this language, each with a capital first, unless that is the name of a square.
    #[must_use]
    pub fn sentences(self, sentences: &[Sentence]) -> Vec<String> {
        let capital = |sentence: &Sentence| {
            let text = self.sentence(sentence);
            let first = sentence.arguments.first();
            if matches!(first, Some(Argument::Text(name)) if text.starts_with(name.as_str())) {
                return text;
            }
            let mut letters = text.chars();
            let capital = letters.next().into_iter().flat_map(char::to_uppercase);
            capital.collect::<String>() + letters.as_str()
        };
        sentences.iter().map(capital).collect()
    }

    /// The rules of a variant in this language, a sentence each.
    #[must_use]
    pub fn rules(self, variant: &Variant) -> Vec<String> {
        self.sentences(&variant.in_words())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use greenwave_game::{CUSTOM, FAMILIES, RuleFile, catalogue};

    use super::*;

    fn places(text: &'static str) -> Vec<SentencePlace<'static>> {
        let mut places: Vec<SentencePlace<'_>> = Template { rest: text }
            .filter_map(|(_, place)| place)
            .collect();
        places.sort_by_key(|place| place.argument);
        places
    }

    /// The failure names the missing part of a new family: its file, or the keys that a language
    /// has too few or too many.
    #[test]
    fn every_language_has_every_sentence_of_every_family_and_no_other() {
        let mut wrong = BTreeSet::new();
        for family in FAMILIES.iter().copied().chain([&CUSTOM]) {
            let words = family.words;
            if !FILES.iter().any(|(name, _)| *name == words.name) {
                wrong.insert(format!(
                    "{family}: name '{}' in FILES, and write texts/*/{0}.txt",
                    words.name
                ));
                continue;
            }
            let english: Vec<(&str, &str)> = read(source(words.name, Language::English)).collect();
            for language in Language::ALL {
                let file = format!("texts/{}/{}.txt", language.code(), words.name);
                let there: Vec<(&str, &str)> = read(source(words.name, language)).collect();
                for key in words.keys {
                    let found: Vec<_> = there.iter().filter(|(known, _)| known == key).collect();
                    let [(_, text)] = found[..] else {
                        wrong.insert(format!("{file}: {} lines with the key {key}", found.len()));
                        continue;
                    };
                    let model = english.iter().find(|(known, _)| known == key);
                    let shape = |text| {
                        let places = places(text).into_iter();
                        let shape = places.map(|place| (place.argument, place.counted.is_some()));
                        shape.collect::<Vec<_>>()
                    };
                    if text.is_empty() || model.is_none_or(|(_, model)| shape(model) != shape(text))
                    {
                        wrong.insert(format!("{file}: {key} has other places than in English"));
                    }
                }
                for (key, _) in there {
                    if !words.keys.contains(&key) {
                        wrong.insert(format!("{file}: nothing says {key}"));
                    }
                }
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    fn all_said() -> Vec<Sentence> {
        let specimens = FAMILIES.iter().flat_map(|family| family.specimens);
        let mut said = Vec::new();
        for name in catalogue().iter().chain(specimens) {
            let variant = Variant::parse(name).unwrap_or_else(|error| panic!("{name}: {error}"));
            said.extend(variant.in_words());
            said.extend(variant.diagram(&variant.start()).notes);
        }
        let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/examples");
        for file in std::fs::read_dir(examples).expect("examples of rule files") {
            let file = file.expect("an example").path();
            let text = std::fs::read_to_string(&file).expect("a text");
            let read = RuleFile::parse("example.toml", &text).expect("a game");
            said.extend(read.variant.in_words());
        }
        said
    }

    /// Each place has its argument, and each argument its place.
    #[test]
    fn what_games_say_fills_every_place() {
        fn check(sentence: &Sentence, seen: &mut BTreeSet<(&'static str, &'static str)>) {
            seen.insert((sentence.vocabulary.name, sentence.key));
            let text = read(source(sentence.vocabulary.name, Language::English))
                .find(|(key, _)| *key == sentence.key);
            let (_, text) = text.unwrap_or_else(|| panic!("{sentence:?}"));
            let asked: BTreeSet<usize> = places(text).iter().map(|one| one.argument).collect();
            let given: BTreeSet<usize> = (0..sentence.arguments.len()).collect();
            assert_eq!(asked, given, "{text}");
            for place in places(text) {
                match &sentence.arguments[place.argument] {
                    Argument::Number(_) => {}
                    Argument::Text(_) => assert_eq!(place.counted, None, "{text}"),
                    Argument::List(phrases) | Argument::Row(phrases) => {
                        assert_eq!(place.counted, None, "{text}");
                        phrases.iter().for_each(|phrase| check(phrase, seen));
                    }
                }
            }
        }
        let mut seen = BTreeSet::new();
        all_said()
            .iter()
            .for_each(|sentence| check(sentence, &mut seen));
        assert!(seen.len() > 60, "{seen:?}");
    }

    #[test]
    fn rules_follow_the_options() {
        let rules = |name, language: Language| {
            let variant = Variant::parse(name).unwrap_or_else(|error| panic!("{error}"));
            language.rules(&variant).join("\n")
        };
        let classic = rules("classic-3x4", Language::English);
        assert!(
            classic.starts_with("Two players take turns; squares and counters belong to both.\nThe board has 12 squares, 3 ranks and 4 files.\n"),
            "{classic}"
        );
        for part in [
            "raises one square by one light: empty to red, red to yellow, yellow to green; green is final.",
            "A line is 3 squares in a row along a rank, a file or a diagonal, without gaps; the board has 14 such lines.",
            "red-red-red, yellow-yellow-yellow, green-green-green.",
        ] {
            assert!(classic.contains(part), "{classic}");
        }
        let points = rules("points-3x3:four=once", Language::German);
        assert!(points.contains("rot-gelb-grün (3 Punkte)"), "{points}");
        let slider = rules("slider", Language::German);
        assert!(slider.contains("Ein Streifen von 3 Feldern"), "{slider}");
        let pool = rules("classic-3x3:supply=pool6", Language::English);
        assert!(pool.contains("6 counters of each colour for the whole game"));
        let bag = rules("bag-classic-3x3:counters=infinite", Language::Spanish);
        assert!(bag.contains("da rojo, amarillo o verde"), "{bag}");
        assert!(
            bag.contains("rojo en vacío, amarillo en rojo, verde en amarillo"),
            "{bag}"
        );
    }

    /// A swap hands over all that belongs to a part, and each language says so.
    #[test]
    fn a_swap_says_what_the_players_exchange() {
        let exchanged = |rules: &str| {
            let text =
                format!("{rules}\nswap = true\nboard = {{ size = '1x4', line-length = 2 }}\n");
            let file =
                RuleFile::parse("swap.toml", &text).unwrap_or_else(|error| panic!("{error}"));
            let said = file.variant.in_words();
            let found = said
                .iter()
                .find(|sentence| sentence.key == "SwapToo")
                .cloned();
            found.map(|sentence| match &sentence.arguments[..] {
                [Argument::List(list)] => {
                    for language in Language::ALL {
                        let told = language.sentence(&sentence);
                        let parts = list.iter().map(|part| language.sentence(part));
                        assert!(parts.into_iter().all(|part| told.contains(&part)), "{told}");
                    }
                    list.iter().map(|part| part.key).collect::<Vec<_>>()
                }
                other => panic!("{other:?}"),
            })
        };
        assert_eq!(exchanged("patterns = ['11']"), None);
        let scored = "patterns = { 11 = 1 }\nplay = 'points'";
        assert_eq!(exchanged(scored), None, "no points before the end");
        for (rules, keys) in [
            (format!("{scored}\nend = 'play-on'"), vec!["SwapPoints"]),
            (
                "patterns = ['11']\nwin-lines = 2\npass = 'once'".into(),
                vec!["SwapLines", "SwapPasses"],
            ),
            (
                "goal = { first = ['11'], second = [] }\nmay = { first = [1], second = [2] }"
                    .into(),
                vec!["SwapLights", "SwapGoals"],
            ),
        ] {
            assert_eq!(exchanged(&rules), Some(keys), "{rules}");
        }
    }

    fn of_file(text: &str, language: Language) -> String {
        let file = RuleFile::parse("game.toml", text);
        let file = file.unwrap_or_else(|error| panic!("{text}: {error}"));
        language.rules(&file.variant).join("\n")
    }

    /// Four equal lights of a ring of four are four lines of three.
    #[test]
    fn rings_do_not_count_a_run_twice() {
        let of = |wrap: &str| {
            let text = format!(
                "patterns = {{ 111 = 1 }}\nplay = 'points'\nboard = {{ size = '2x4', wrap = '{wrap}' }}\n"
            );
            of_file(&text, Language::English)
        };
        assert!(of("none").contains("one longer than a line counts twice."));
        let ring = of("files");
        assert!(ring.contains("\nOverlapping lines score each.\n"), "{ring}");
    }

    /// What a player cannot see on the board or guess from the other sentences.
    #[test]
    fn rules_leave_nothing_open_that_a_player_needs() {
        let square = "\n[board]\nsize = '3x3'\n";
        let lines = "patterns = ['111']\nwin-lines = 2";
        for (rules, board, said) in [
            (
                "patterns = ['111']\nlast-square = 'neighbours'",
                square,
                "A square is next to those that touch it, also at a corner.",
            ),
            (
                "patterns = []\nmoves-a-turn = 2\nstalemate = 'loss'",
                square,
                "the player to move loses.\nThe same holds for the second raise of a turn.",
            ),
            (
                &*format!("{lines}\nstart = 'RRR/.../...'"),
                square,
                "Lines that stand there already count for nobody.",
            ),
            (
                "goal = { first = ['111'], second = ['222'] }\nwin-lines = 2",
                square,
                "The first to have 2 lines wins, whoever completes them; if a move completes lines of both, only \
                 those of the player who moved count. A line counts again when other lights complete it.",
            ),
            (
                "patterns = ['111', '123']",
                "\n[board]\nsize = '3x3'\nshapes = ['##/##']\n",
                "complete it: all red, red-yellow-green.",
            ),
            (
                "goal = { first = ['111'], second = ['222'] }",
                "\n[board]\nsize = '3x3'\ndirections = []\nshapes = ['##/##']\n",
                "a line of the second player: all yellow.",
            ),
        ] {
            let told = of_file(&format!("{rules}{board}"), Language::English);
            assert!(told.contains(said), "{told}");
        }
        // On hexagons and without such a rule nobody asks for the corners, and without a line for its player.
        for (rules, board) in [
            (
                "patterns = ['111']\nlast-square = 'neighbours'",
                "\n[board]\nsize = '3x3'\ngrid = 'hex'\n",
            ),
            ("patterns = ['111']\nlast-square = 'forbidden'", square),
            (&*format!("{lines}\nstart = 'RR./.../...'"), square),
        ] {
            let told = of_file(&format!("{rules}{board}"), Language::English);
            assert!(!told.contains("corner"), "{told}");
            assert!(!told.contains("count for nobody"), "{told}");
        }
    }

    #[test]
    fn no_sentence_tells_of_what_never_happens() {
        let board = "\n[board]\nsize = '3x3'\nlevels = 2\n";
        let may = "may = { first = [1], second = [2] }\npass = 'free'";
        for rules in [
            format!("patterns = ['111']\n{may}"),
            format!("patterns = ['111']\n{may}\nstalemate = 'loss'"),
            format!("patterns = ['111']\n{may}\nwin-lines = 2"),
            "patterns = []\npass = 'free'".into(),
            "patterns = { 111 = 1 }\nplay = 'points'\nend = 'play-on'\npass = 'free'".into(),
        ] {
            let told = of_file(&format!("{rules}{board}"), Language::English);
            assert!(!told.contains("no move"), "{told}");
        }
        let lines = of_file(
            &format!("patterns = ['111']\n{may}\nwin-lines = 2{board}"),
            Language::English,
        );
        assert!(lines.contains("If no square can be raised, the player with more lines wins"));
        for rules in [
            "patterns = []",
            "patterns = []\nwin-lines = 2",
            "goal = { first = [], second = [] }",
        ] {
            let told = of_file(&format!("{rules}{board}"), Language::English);
            assert!(told.contains("No line counts."), "{told}");
            assert!(
                !told.contains("completes") && !told.contains("completed"),
                "{told}"
            );
        }
    }

    #[test]
    fn no_full_stop_joins_the_board_of_the_start() {
        let text = "patterns = ['111']\nstart = '.../.G./...'\n[board]\nsize = '3x3'\n";
        let quoted = [
            "'.../.G./...'",
            "«.../.G./...»",
            "«.../.G./...»",
            "„.../.G./...“",
        ];
        for (language, quoted) in Language::ALL.into_iter().zip(quoted) {
            let told = of_file(text, language);
            assert!(told.contains(quoted) && !told.contains("/...."), "{told}");
        }
    }

    /// Verbs agree with their numbers: one square, one raise.
    #[test]
    fn one_of_a_thing_has_its_verb() {
        let text =
            "patterns = ['1']\nmoves-a-turn = '1-2-2'\n[board]\nsize = '1x3'\nline-length = 1\n";
        for (language, line, left) in [
            (
                Language::English,
                "A line is 1 square along a rank",
                "1 raise left.",
            ),
            (
                Language::German,
                "Eine Linie hat 1 Feld in einer Reihe",
                "noch 1 Mal weiter.",
            ),
            (
                Language::Spanish,
                "Una línea tiene 1 casilla en una fila",
                "hay 1 cambio por hacer.",
            ),
            (
                Language::Portuguese,
                "Uma linha tem 1 casa numa fila",
                "há 1 mudança por fazer.",
            ),
        ] {
            let told = of_file(text, language);
            assert!(told.contains(line), "{told}");
            let file = RuleFile::parse("game.toml", text).unwrap_or_else(|error| panic!("{error}"));
            let notes = file.variant.diagram(&file.variant.start()).notes;
            let notes = language.sentences(&notes).join("\n");
            assert!(notes.contains(left), "{notes}");
        }
        let three = "patterns = ['111']\n[board]\nsize = '1x3'\n";
        let told = of_file(three, Language::Spanish);
        assert!(
            told.contains("Una línea tiene 3 casillas seguidas en una fila"),
            "{told}"
        );
    }

    #[test]
    fn boards_of_rule_files_are_told_in_every_language() {
        let text = "patterns = ['111']\n[board]\noutline = '###/#-#/###'\n";
        let file = RuleFile::parse("ring.toml", text);
        let file = file.unwrap_or_else(|error| panic!("{error}"));
        let rules = Language::Portuguese.rules(&file.variant);
        assert!(
            rules[1].starts_with("O tabuleiro tem 8 casas. Fila a fila"),
            "{rules:?}"
        );
    }
}
