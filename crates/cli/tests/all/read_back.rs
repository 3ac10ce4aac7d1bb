//! Every text in answers, lines, books, puzzles, matches, witnesses, reviews and records of a game
//! can be read back as the same position and the same move. Over the catalogue, in both orders of
//! the lights, and over rule files. Games that take long to solve are sampled and not solved.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use greenwave_game::{At, Game, Lights, Luck, RuleFile, Variant, catalogue};
use greenwave_judge::Selection;
use greenwave_judge::claims::{Verdict, read_one_line, settle};
use greenwave_judge::documents::{ClaimDocument, Finding};
use greenwave_play::{
    BookOptions, Dice, Explanation, PuzzleOptions, Record, RecordText, book, puzzles, review,
};
use greenwave_tablebase::{
    Answer, Budget, Course, Place, Queries, QueryOptions, Settings, Tablebase, Value,
};
use greenwave_words::Language;

use crate::common::root;

/// Positions of games that are solved in a moment.
const QUICK: u128 = 300_000;
/// Moves of each position that are followed.
const FOLLOWED: usize = 3;

/// A game in one of its notations.
struct Sample {
    variant: Variant,
    /// Whether all faces are tried, and not records alone.
    is_whole: bool,
}

/// A fixed sample: the first game of each family, `semaforo` and rule files in both orders of the lights, the
/// rest of the catalogue in one order each, in turn.
fn samples() -> Vec<Sample> {
    let mut samples = Vec::new();
    let mut families = HashSet::new();
    for (place, name) in catalogue().iter().enumerate() {
        let variant = Variant::parse(name).unwrap();
        let is_whole = families.insert(variant.rules().family.name);
        let orders = orders(&variant);
        let kept = if is_whole {
            orders
        } else {
            vec![orders[place % orders.len()].clone()]
        };
        samples.extend(kept.into_iter().map(|variant| Sample { variant, is_whole }));
    }
    let files = ["", "[strip]\n", "[bag]\n"].into_iter().flat_map(|kind| {
        ["ryg", "gyr"].map(|lights| {
            let text = format!(
                "lights = '{lights}'\npatterns = ['11', '22', '33']\nboard.size = '2x2'\n\
                 board.line-length = 2\n{kind}"
            );
            RuleFile::parse("own.toml", &text).unwrap().variant
        })
    });
    let others = orders(&Variant::parse("semaforo").unwrap()).into_iter();
    samples.extend(others.chain(files).map(|variant| Sample {
        variant,
        is_whole: true,
    }));
    samples
}

/// A notation of a game, and its queries.
struct Way<'a> {
    tablebase: &'a Tablebase,
    variant: &'a Variant,
    queries: Queries<'a>,
    told: String,
    // Whether positions are queried, and not only read.
    is_asked: bool,
    count: usize,
    puzzles: usize,
}

impl Way<'_> {
    /// A text is the same position when it is handed back.
    fn read(&mut self, text: &str) {
        let again = self.variant.parse_position(text);
        let again = again.map(|position| self.variant.position_text(&position));
        let again = again.unwrap_or_else(|error| panic!("{}: {text}: {error}", self.told));
        assert_eq!(again, text, "{}", self.told);
        self.count += 1;
    }

    /// A text is the same position when it is handed back, and says which game and order it is of.
    fn position(&mut self, text: &str) -> Answer {
        let rules = self.variant.rules();
        let answer = self.queries.query(&Place::at(text));
        let answer = answer.unwrap_or_else(|error| panic!("{}: {text}: {error}", self.told));
        assert_eq!(answer.position, text, "{}", self.told);
        assert_eq!(answer.variant, rules.title(), "{}", self.told);
        assert_eq!(answer.lights, rules.lights_name(), "{}", self.told);
        self.count += 1;
        answer
    }

    /// A move leads where the document says.
    fn step(&mut self, from: &str, mv: &str, to: &str) -> Answer {
        let place = Place::at(from).after(mv);
        let played = self.queries.query(&place);
        let played = played.unwrap_or_else(|error| panic!("{}: {from} {mv}: {error}", self.told));
        assert_eq!(played.position, to, "{}: {from} {mv}", self.told);
        let read = self.position(to);
        assert_eq!(played.figures(), read.figures(), "{}: {to}", self.told);
        read
    }

    /// The moves of an answer, and the answer as a document in any order of the lights.
    fn answer(&mut self, text: &str) {
        let answer = self.position(text);
        for mv in answer.moves.iter().take(FOLLOWED) {
            if let Some(to) = &mv.to {
                self.step(text, &mv.mv, to);
            }
        }
        let document = serde_json::to_string(&answer).unwrap();
        for other in orders(self.variant) {
            let handed = Place::at(&document).find(&other);
            let handed = handed.map(|position| other.position_text(&position));
            let handed =
                handed.unwrap_or_else(|error| panic!("{}: {document}: {error}", self.told));
            let there = other.rules().lights_name();
            if there == answer.lights {
                assert_eq!(handed, answer.position, "{}", self.told);
            } else {
                assert_eq!(exchanged(&handed), answer.position, "{}", self.told);
            }
        }
    }

    /// Positions of a random game, and its record.
    fn record(&mut self, seed: u64) -> Record {
        let mut dice = Dice::new(seed, 0);
        let mut record = Record::begin(self.variant.clone(), &Place::start(), &mut dice).unwrap();
        for ply in 0..12 {
            if record.end().is_some() {
                break;
            }
            let moves = record.legal();
            let mv = &moves[(seed as usize * 7 + ply * 5) % moves.len()];
            let mut dice = Dice::new(seed, ply as u64);
            record.play(mv, &mut dice).unwrap();
            let text = record.position();
            if self.is_asked {
                self.answer(&text);
            } else {
                self.read(&text);
            }
        }
        let text = record.to_string();
        let saved = RecordText::read(&text);
        // Under the order that the file names, whatever order the command requests.
        for asked in orders(self.variant) {
            let variant = saved.variant(&asked, None).unwrap();
            assert_eq!(
                variant.rules().lights,
                self.variant.rules().lights,
                "{text}"
            );
            let place = Place {
                position: saved.start.as_deref(),
                moves: Some(&saved.moves),
            };
            let read = Record::begin(variant, &place, &mut Dice::new(seed, 99)).unwrap();
            assert_eq!(read.turns(), record.turns(), "{text}");
            let mut draws = Vec::new();
            self.variant.draws(record.here().position(), &mut draws);
            let chance = !draws.is_empty() || text.contains('[');
            // What is still to be drawn, other dice draw.
            assert!(chance || read.position() == record.position(), "{text}");
        }
        record
    }

    fn line(&mut self) {
        let line = self.tablebase.line(self.variant, &Place::start()).unwrap();
        for ply in line.plies.iter().take(FOLLOWED) {
            self.position(&ply.from);
            self.position(&ply.to);
        }
    }

    fn matches(&mut self) {
        let wanted = Selection {
            limit: Some(3),
            ..Selection::default()
        };
        let finding = Finding::new(self.variant, "value = win", None).unwrap();
        let mut found = Vec::new();
        let search = finding.search(self.tablebase, wanted, &mut |one| {
            found.push(one.position.clone());
            Ok(())
        });
        search.unwrap();
        for text in found {
            assert_eq!(
                self.position(&text).value,
                Value::Win,
                "{}: {text}",
                self.told
            );
        }
    }

    fn puzzles(&mut self) {
        let options = PuzzleOptions {
            count: 2,
            seed: 1,
            level: None,
            theme: None,
        };
        // Not every game has puzzles.
        let Ok(found) = puzzles(self.tablebase, self.variant, &options) else {
            return;
        };
        self.puzzles += found.len();
        for puzzle in found.iter() {
            let answer = self.position(&puzzle.position);
            let keeping = match puzzle.goal {
                "win" => Value::Win,
                _ => Value::Draw,
            };
            assert_eq!(answer.value, keeping, "{}: {puzzle:?}", self.told);
            assert_eq!(
                answer.best,
                puzzle.solution[..1],
                "{}: {puzzle:?}",
                self.told
            );
        }
    }

    fn book(&mut self) {
        let options = BookOptions {
            depth: 2,
            ..BookOptions::default()
        };
        let start = At::start(Arc::new(self.variant.clone()));
        let found = book(self.tablebase, &Course::from(start), &options).unwrap();
        for node in found.nodes.iter().take(9) {
            let read = self.position(&node.position);
            assert_eq!(read.best, node.best, "{}: {node:?}", self.told);
            let moves = node.moves.join(",");
            let played = self.queries.query(&Place::start().after(&moves)).unwrap();
            assert_eq!(played.position, node.position, "{}: {node:?}", self.told);
        }
    }

    fn witness(&mut self) {
        let title = self.variant.rules().title();
        if title.contains(".toml") || Variant::parse(title).is_err() {
            return;
        }
        let lights = self.variant.rules().lights;
        let text = format!("{title} some: value = win and moves > 2");
        let written = |variant: Variant| variant.with_chosen_lights(lights);
        let claim = read_one_line(&text, &written).unwrap().unwrap();
        let settled = settle(&claim, self.tablebase, Path::new("")).unwrap();
        let document = ClaimDocument::new(&claim, &settled);
        assert_eq!(
            document.lights,
            self.variant.rules().lights_name(),
            "{text}"
        );
        if settled.verdict == Verdict::True {
            let witness = document.witness.unwrap();
            let answer = self.position(&witness);
            assert!(
                answer.value == Value::Win && answer.moves.len() > 2,
                "{text}: {witness}"
            );
        }
    }

    fn explained(&mut self) {
        let start = self.queries.query(&Place::start()).unwrap();
        let explained = Explanation::of(&self.queries, true, &start, Language::English).unwrap();
        for mv in explained.moves.iter().take(FOLLOWED) {
            for fact in &mv.facts {
                let place = Place::start().after(&mv.mv);
                let after = self.queries.query(&place).unwrap().position;
                // A line is played after the move that it explains.
                let line = fact.line.join(",");
                let read = self.queries.query(&Place::at(&after).after(&line));
                assert!(read.is_ok(), "{}: {} {line}: {read:?}", self.told, mv.mv);
            }
        }
    }

    fn reviewed(&mut self, record: &Record) {
        let saved = RecordText::read(&record.to_string());
        let place = Place {
            position: None,
            moves: Some(&saved.moves),
        };
        let options = QueryOptions::default();
        let found = review(self.tablebase, self.variant, &place, &options).unwrap();
        for (number, ply) in found.plies.iter().enumerate() {
            let from = self.variant.position_text(&record.at(number));
            assert_eq!(ply.from, from, "{}", self.told);
            self.position(&ply.from);
            self.position(&ply.position);
            for best in &ply.best {
                let place = Place::at(&ply.from).after(best);
                let kept = self.queries.query(&place);
                assert!(kept.is_ok(), "{}: {} {best}", self.told, ply.from);
            }
        }
    }
}

/// A variant in every order of its lights.
fn orders(variant: &Variant) -> Vec<Variant> {
    match variant.rules().lights {
        None => vec![variant.clone()],
        Some(_) => [Lights::Ryg, Lights::Gyr]
            .map(|lights| variant.clone().with_lights(lights).unwrap())
            .to_vec(),
    }
}

/// A text with red for green and green for red.
fn exchanged(text: &str) -> String {
    let letter = |letter| match letter {
        'R' => 'G',
        'G' => 'R',
        other => other,
    };
    text.chars().map(letter).collect()
}

#[test]
fn what_is_written_is_read_on_every_face() {
    let settings = Settings {
        // Larger games are not solved.
        memory: Some(64 << 20),
        threads: Some(2),
    };
    let tablebase = Tablebase::with_settings(root().join("solutions"), &settings).unwrap();
    let (mut counts, mut of_puzzles) = (Vec::new(), 0);
    for Sample { variant, is_whole } in &samples() {
        let rules = variant.rules();
        let has_luck = rules.properties.luck == Luck::Draws;
        let is_quick = variant.indexable() < QUICK;
        let options = QueryOptions {
            // One position of a search: nothing is solved.
            budget: (!is_quick).then_some(Budget::Nodes(1)),
            ..QueryOptions::default()
        };
        let mut way = Way {
            tablebase: &tablebase,
            variant,
            queries: tablebase.queries(variant, &options).unwrap(),
            told: format!("{} {:?}", rules.title(), rules.lights_name()),
            // A bag of counters has no search: a large one would be solved.
            is_asked: is_quick || !has_luck,
            count: 0,
            puzzles: 0,
        };
        let record = way.record(1);
        way.record(2);
        if *is_whole && is_quick && !has_luck {
            way.answer(&variant.position_text(&variant.start()));
            way.line();
            way.matches();
            way.witness();
            way.puzzles();
            way.book();
            way.explained();
            way.reviewed(&record);
        }
        assert!(way.count > 4, "{}: {} texts", way.told, way.count);
        counts.push(way.count);
        of_puzzles += way.puzzles;
    }
    assert!(counts.len() > 50, "{} ways to ask", counts.len());
    assert!(of_puzzles > 20, "{of_puzzles} puzzles");
}

/// A variant, moves, and a position in the middle of a game.
const PRINTED: [(&str, &str, &str); 7] = [
    ("classic-2x3", "b2R,b2Y,a1R", "..R/..."),
    (
        "semaforo:play=misere",
        "a1G a1Y a1R b1G c1G",
        "G.../..../....",
    ),
    ("signal-1x4", "a1,b1", "..R."),
    ("bag-classic-1x2", "[RG]+R[RG]", "R.;RRG;RRG;YY"),
    ("bag-classic-1x2:choice=3", "[GR]+R", "R.;RRG;RRG;YY"),
    (
        "bag-points-1x2:return=after",
        "[RR]+R[RY]+Y[RY]+R[RY]+Y[RY]+R[RY]+R[YG]a1R+Y",
        "R.;RRG;RRG;YY",
    ),
    (
        "bag-classic-1x2:counters=infinite",
        "[GG]+G[GG]+G",
        "R.;RGG;GGG;GG",
    ),
];

/// Games that `line`, `review` and `play` print, as documents and for people, are read as the same games.
/// Games of one square fewer than a line have every kind of draw, and are quick.
#[test]
fn printed_games_are_read_as_they_were() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("game.txt").display().to_string();
    let printed = |args: &[&str]| crate::common::greenwave(dir.path(), args).ok().stdout;
    for (number, (variant, moves, position)) in PRINTED.into_iter().enumerate() {
        printed(&["solve", variant, "-q"]);
        // The review of what was printed; it reads its own output again, in every language.
        let reviewed = |printed_game: &str| -> serde_json::Value {
            std::fs::write(&file, printed_game).unwrap();
            let review = ["review", variant, "--moves", &file, "--json"];
            let document = printed(&review);
            let texts = [printed(&review[..4])];
            for again in texts.iter().chain([&document]) {
                std::fs::write(&file, again).unwrap();
                assert_eq!(printed(&review), document, "{variant}: {again}");
            }
            serde_json::from_str(&document).unwrap()
        };
        let expect = |review: &serde_json::Value, plies: &[serde_json::Value], to: &str| {
            let read = review["plies"].as_array().unwrap();
            assert_eq!(read.len(), plies.len(), "{variant}");
            for (read, ply) in read.iter().zip(plies) {
                assert_eq!(read["move"], ply["move"], "{variant}: {ply}");
                assert_eq!(read["from"], ply["from"], "{variant}: {ply}");
                assert_eq!(read["position"], ply[to], "{variant}: {ply}");
            }
        };
        // From the start, after moves and from a position, in turn.
        let given = ["--moves", moves, position];
        let given = [&given[..0], &given[..2], &given[2..]][number % 3];
        let line = [&["line", variant][..], given].concat();
        let document: serde_json::Value =
            serde_json::from_str(&printed(&[&line[..], &["--json"]].concat())).unwrap();
        let plies = document["plies"].as_array().unwrap();
        for text in [printed(&line), document.to_string()] {
            expect(&reviewed(&text), plies, "to");
        }
        let played = [
            &["play", variant, "--seed", "5", "--as"][..],
            &["none"],
            given,
        ]
        .concat();
        let text = printed(&[&played[..], &["--json"]].concat());
        let plies = text.lines().map(|line| serde_json::from_str(line).unwrap());
        let plies: Vec<serde_json::Value> = plies.collect();
        expect(&reviewed(&text), &plies[..plies.len() - 1], "position");
        let record = printed(&[&played[..], &["--record", "-"]].concat());
        let record = &record[record.find("# variant").unwrap()..];
        let review = reviewed(record);
        let read = review["plies"].as_array().unwrap();
        // Those of the record come before those that the program plays.
        expect(
            &serde_json::json!({"plies": read[read.len() + 1 - plies.len()..]}),
            &plies[..plies.len() - 1],
            "position",
        );
        let review = ["review", variant, "--moves", moves];
        let document = printed(&[&review[..], &["--json"]].concat());
        for language in ["en", "de", "es", "pt"] {
            let text = printed(&[&review[..], &["--lang", language]].concat());
            std::fs::write(&file, text).unwrap();
            let again = ["review", variant, "--moves", &file, "--json"];
            assert_eq!(printed(&again), document, "{variant} {language}");
        }
    }
}

/// Plies that were taken back are no part of the game that `play` printed.
#[test]
fn plies_taken_back_are_not_read() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("game.txt").display().to_string();
    for variant in ["classic-1x4", "bag-classic-1x3"] {
        let play = [
            "play", variant, "--as", "both", "--seed", "2", "--record", "-",
        ];
        let input = b"moves\nundo\n+R\na1\n+R\nb1\n+G\nundo\nundo\n+R\n+Y\na1\nquit\n";
        let record = crate::common::Run::with_input(dir.path(), &play, input);
        let record = record.ok().stdout;
        let record = &record[record.find("# variant").unwrap()..];
        let documents = [&play[..6], &["--json"]].concat();
        let documents = crate::common::Run::with_input(dir.path(), &documents, input);
        let [kept, printed] = [record, &documents.ok().stdout].map(|text| {
            std::fs::write(&file, text).unwrap();
            let review = ["review", variant, "--moves", &file, "--json"];
            crate::common::greenwave(dir.path(), &review).json()
        });
        let positions = |review: &serde_json::Value| -> Vec<serde_json::Value> {
            let plies = review["plies"].as_array().unwrap().iter();
            plies.map(|ply| ply["position"].clone()).collect()
        };
        assert!(!positions(&kept).is_empty(), "{record}");
        assert_eq!(positions(&kept), positions(&printed), "{variant}");
    }
}
