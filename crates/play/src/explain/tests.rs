//! Compares every fact about a move with values that the test requests one by one.

mod checks;
mod facts;

use greenwave_game::{Advance, Game, RuleFile, Variant};
use greenwave_tablebase::{Place, QueryOptions, Tablebase};
use greenwave_words::Language;

use super::*;
use crate::{Dice, Explanation};
use checks::after;
use facts::check_fact;

const POSITIONS: usize = 1000;

/// A strip on a board of two by two, which is solved at once.
const STRIP: &str = "title = 'Small strip'\npatterns = ['11', '22', '33']\n\
                     [board]\nsize = '2x2'\nline-length = 2\n[strip]\n";

/// The same for points.
const STRIP_POINTS: &str = "title = 'Small strip'\nplay = 'points'\npatterns = { 11 = 1, 22 = 1, 33 = 2 }\n\
     [board]\nsize = '2x2'\nline-length = 2\n[strip]\nrepeat = 'ban'\n";

/// Every second move of a line that copies leaves a position that the theorem proves lost, or wins at once.
fn check_copies(queries: &Queries<'_>, from: &str, line: &[RefutationPly], told: &str) {
    let variant = queries.variant();
    let mut at = from.to_string();
    for (number, step) in line.iter().enumerate() {
        at = after(variant, &at, &step.mv);
        let answer = queries.query(&Place::at(&at)).unwrap();
        if number % 2 == 1 {
            assert_eq!(answer.value, Value::Loss, "{told}: {}", step.mv);
            let copied = answer.terminal || loses_by_theorem(variant, &answer.at).is_some();
            assert!(copied, "{told}: {}", step.mv);
        }
    }
}

/// Positions met in random play, each with one of its moves.
fn check_variant(variant: &Variant) -> std::collections::BTreeMap<&'static str, usize> {
    let tablebase = Tablebase::open("no-such-folder").unwrap();
    let queries = tablebase
        .queries(variant, &QueryOptions::default())
        .unwrap();
    let mut dice = Dice::new(40, 0);
    let mut kinds = std::collections::BTreeMap::new();
    let (mut at, mut bare) = (None, 0);
    for number in 0..POSITIONS {
        let place = at.as_deref().map_or_else(Place::start, Place::at);
        let answer = queries.query(&place).unwrap();
        let mv = dice.one_of(&answer.moves).unwrap();
        let facts = explain(&queries, true, &answer, mv).unwrap();
        // The nimber stands in no sentence.
        let nimbers = facts
            .iter()
            .filter(|fact| matches!(fact, Fact::Nimber { .. }));
        assert!(
            (1..=FACTS).contains(&(facts.len() - nimbers.count())),
            "{} {}",
            answer.position,
            mv.mv
        );
        if let [Fact::Proved { .. }, Fact::Holds { line, .. }, ..] = facts.as_slice() {
            let told = format!("{} {}", answer.position, mv.mv);
            check_copies(&queries, mv.to.as_deref().unwrap(), line, &told);
        }
        if facts.iter().any(|fact| matches!(fact, Fact::Proved { .. })) {
            let answers = facts.iter().filter_map(|fact| {
                let Fact::Safe { answers, .. } = fact else {
                    return None;
                };
                Some(answers)
            });
            for one in answers.flatten() {
                let line = [&one.made.mv, &one.answer].map(|mv| RefutationPly {
                    mv: mv.clone(),
                    only: false,
                });
                let told = format!("{} {}", answer.position, mv.mv);
                check_copies(&queries, mv.to.as_deref().unwrap(), &line, &told);
            }
        }
        // Whoever runs out of safe moves loses.
        match idea_of(&facts) {
            Some("idea-outlasts") => assert_eq!(mv.value, Some(Value::Win), "{facts:?}"),
            Some("idea-runs-out") => assert_eq!(mv.value, Some(Value::Loss), "{facts:?}"),
            Some(_) | None => {}
        }
        assert!(essential(&facts).next().is_some(), "{facts:?}");
        bare += usize::from(matches!(facts[0], Fact::Search { .. }));
        for fact in &facts {
            check_fact(&queries, &answer.position, mv, fact);
            for language in Language::ALL {
                let said = fact.said(language, &mv.mv);
                assert!(said.ends_with('.') && !said.contains('{'), "{said}");
            }
            *kinds.entry(fact.kind()).or_default() += 1;
            let settled = matches!(fact, Fact::ToEnd { settled, .. } if settled.is_some());
            let answered = matches!(
                fact,
                Fact::Holds { answers, .. } | Fact::Safe { answers, .. } if !answers.is_empty()
            );
            for (is_told, kind) in [(settled, "settled"), (answered, "answered")] {
                if is_told {
                    *kinds.entry(kind).or_default() += 1;
                }
            }
        }
        // What the position alone shows is as true, by turns with its value and where nothing is known.
        let unproven = MoveFigures {
            value: Some(Value::Unknown),
            distance: None,
            points: None,
            ..mv.clone()
        };
        let known = if number % 2 == 0 { mv } else { &unproven };
        for fact in explain(&queries, false, &answer, known).unwrap() {
            check_fact(&queries, &answer.position, mv, &fact);
        }
        at = mv.to.clone().filter(|_| !mv.ends);
    }
    // Hardly a move has no better reason than a search.
    let name = &variant.rules().name;
    assert!(bare * 100 <= POSITIONS, "{name}: {bare} of {POSITIONS}");
    kinds
}

fn kinds_of(name: &str) -> std::collections::BTreeMap<&'static str, usize> {
    check_variant(&Variant::parse(name).unwrap())
}

#[test]
fn every_fact_about_boards_is_true() {
    let classic = kinds_of("classic-3x3");
    for kind in ["completes", "refuted", "search", "settled", "answered"] {
        assert!(
            classic.get(kind).is_some_and(|count| *count > 20),
            "{classic:?}"
        );
    }
    // Parity decides late, and seldom alone.
    for kind in ["parity", "theorem"] {
        assert!(classic.contains_key(kind), "{classic:?}");
    }
    for name in [
        "classic-2x3",
        "signal-2x3",
        "green-2x3",
        "classic-2x3:play=misere",
    ] {
        let kinds = kinds_of(name);
        assert!(kinds.contains_key("theorem"), "{name}: {kinds:?}");
    }
}

#[test]
fn every_fact_about_other_families_is_true() {
    for name in ["points-2x3", "points-2x3:end=play-on"] {
        kinds_of(name);
    }
    let capped = kinds_of("classic-2x3:supply=cap3");
    assert!(capped.contains_key("blocked"), "{capped:?}");
    let noughts = kinds_of("noughts-3x3");
    for kind in ["fork", "threat", "blocked"] {
        assert!(noughts.contains_key(kind), "{noughts:?}");
    }
    let ampel = kinds_of("ampel-4-2-1");
    for kind in ["completes", "refuted"] {
        assert!(ampel.contains_key(kind), "{ampel:?}");
    }
    for rules in [STRIP, STRIP_POINTS] {
        let strip = RuleFile::parse("small.toml", rules).unwrap();
        let kinds = check_variant(&strip.variant);
        assert!(kinds.contains_key("strip"), "{kinds:?}");
        let repeats = strip.variant.rules().properties.advance == Advance::Repeats;
        assert_eq!(kinds.contains_key("repeats"), repeats, "{kinds:?}");
    }
    for (keys, kind) in [
        ("patterns = ['111', '222']\nswap = true", "parity"),
        (
            "patterns = ['111', '222']\nlast-square = 'elsewhere'",
            "nimber",
        ),
        (
            "patterns = ['111', '222']\npass = 'free'\nplay = 'misere'",
            "search",
        ),
        ("patterns = ['111', '222']\npass = 'once'", "refuted"),
        ("patterns = ['111', '222']\nmoves-a-turn = 2", "completes"),
        (
            "patterns = ['111', '222']\nmay = { first = [1], second = [1, 2] }",
            "refuted",
        ),
        ("goal = { first = ['111'], second = ['222'] }", "completes"),
        ("patterns = ['111', '222']\nwin-lines = 2", "completes"),
    ] {
        let text = format!("{keys}\nboard = {{ size = '2x3', levels = 2 }}\n");
        let file = RuleFile::parse("small.toml", &text).unwrap();
        let kinds = check_variant(&file.variant);
        assert!(kinds.contains_key(kind), "{keys}: {kinds:?}");
    }
}

#[test]
fn what_draws_do_after_moves_of_a_bag_game_is_true() {
    let tablebase = Tablebase::open("no-such-folder").unwrap();
    let variant = Variant::parse("bag-classic-1x4").unwrap();
    let queries = tablebase
        .queries(&variant, &QueryOptions::default())
        .unwrap();
    let mut dice = Dice::new(41, 0);
    let mut found = 0;
    let mut at = variant.start();
    for _ in 0..200 {
        let mut draws = Vec::new();
        variant.draws(&at, &mut draws);
        if let Some((drawn, _)) = dice.one_of(&draws) {
            at = *drawn;
            continue;
        }
        if variant.ending(&at).is_some() {
            at = variant.start();
            continue;
        }
        let answer = queries
            .query(&Place::at(&variant.position_text(&at)))
            .unwrap();
        let mv = dice.one_of(&answer.moves).unwrap();
        for fact in explain(&queries, true, &answer, mv).unwrap() {
            check_fact(&queries, &answer.position, mv, &fact);
            found += usize::from(matches!(fact, Fact::Market { .. }));
        }
        at = variant
            .play(&at, variant.parse_move(&at, &mv.mv).unwrap())
            .to;
    }
    assert!(found > 30, "{found} facts about draws");
}

#[test]
fn a_move_that_is_refuted_at_once_names_the_line() {
    let tablebase = Tablebase::open("no-such-folder").unwrap();
    let variant = Variant::parse("classic-3x3").unwrap();
    let queries = tablebase
        .queries(&variant, &QueryOptions::default())
        .unwrap();
    let answer = queries.query(&Place::at("R../.Y./..G")).unwrap();
    let explained = Explanation::of(&queries, true, &answer, Language::English).unwrap();
    let lost = explained
        .moves
        .iter()
        .find(|mv| mv.distance == Some(2))
        .unwrap();
    assert_eq!(lost.facts[0].kind, "refuted");
    assert_eq!(lost.facts[0].squares.len(), 3);
    assert!(lost.sentences[0].starts_with(&format!("After {}, ", lost.mv)));
}

/// The first fact about a move and its sentence, of a position that moves lead to.
fn told_first(name: &str, moves: &str, mv: &str) -> (Fact, String) {
    let tablebase = Tablebase::open("no-such-folder").unwrap();
    let variant = Variant::parse(name).unwrap();
    let queries = tablebase
        .queries(&variant, &QueryOptions::default())
        .unwrap();
    let answer = queries.query(&Place::start().after(moves)).unwrap();
    let figures = answer.moves.iter().find(|known| known.mv == mv).unwrap();
    let facts = explain(&queries, true, &answer, figures).unwrap();
    let said = facts[0].said(Language::English, mv);
    (facts[0].clone(), said)
}

#[test]
fn a_forced_fork_is_told_with_its_moves() {
    let (_, said) = told_first("noughts-3x3", "a1,b1", "a2");
    assert_eq!(
        said,
        "a2 threatens a1\u{2013}a2\u{2013}a3: only a3 stops it. Then b2 threatens two lines at once, \
         a2\u{2013}b2\u{2013}c2 and a1\u{2013}b2\u{2013}c3. No reply stops both."
    );
    let (fact, said) = told_first("noughts-3x3", "a1", "b1");
    assert!(
        matches!(fact, Fact::Forces { reply: Some(_), .. }),
        "{fact:?}"
    );
    assert!(said.starts_with("After b1, a2 threatens"), "{said}");
}

#[test]
fn what_refutes_a_move_comes_after_its_idea_alone() {
    let tablebase = Tablebase::open("no-such-folder").unwrap();
    let variant = Variant::parse("classic-2x3").unwrap();
    let queries = tablebase
        .queries(&variant, &QueryOptions::default())
        .unwrap();
    let (mut at, mut refuted) = (None, 0);
    let mut dice = Dice::new(41, 0);
    for _ in 0..POSITIONS {
        let place = at.as_deref().map_or_else(Place::start, Place::at);
        let answer = queries.query(&place).unwrap();
        for mv in &answer.moves {
            let facts = explain(&queries, true, &answer, mv).unwrap();
            let is_refuted = |fact: &Fact| matches!(fact, Fact::Refuted { .. });
            let place = facts.iter().position(is_refuted);
            let mut before = facts[..place.unwrap_or(0)].iter();
            let is_idea =
                |fact: &Fact| matches!(fact, Fact::Copied { .. }) || fact.outlasts().is_some();
            assert!(before.all(is_idea), "{} {facts:?}", mv.mv);
            // Who runs out of safe moves first is told where it is named.
            if idea_of(&facts).is_some_and(|key| SAFE_MOVE_IDEAS.contains(&key)) {
                assert!(facts[0].outlasts().is_some(), "{} {facts:?}", mv.mv);
            }
            refuted += usize::from(place.is_some());
        }
        let mv = dice.one_of(&answer.moves).unwrap();
        at = mv.to.clone().filter(|_| !mv.ends);
    }
    assert!(refuted > 0);
}
