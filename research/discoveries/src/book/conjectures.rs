//! The chapter on conjectures, and the nimbers of the survey.

use anyhow::Result;

use super::theory::b_file;
use super::{BookContents, Facts, keys};
use crate::conjectures::SEEN;
use crate::{BoardSurvey, Conjecture, Numbers, Pattern, Series, Winner, seek_patterns, series};

/// Numbers that are written as b-files: those that no other chapter has.
const FILES: [(&str, bool, Numbers, &str); 6] = [
    ("signal", false, Numbers::Nimber, "nimber-signal"),
    ("signal", false, Numbers::Winning, "winning-signal"),
    ("signal", false, Numbers::Largest, "largest-nimber-signal"),
    ("green", false, Numbers::Largest, "largest-nimber-green"),
    ("classic, misère", true, Numbers::Winner, "winner-misere"),
    ("classic, misère", true, Numbers::Winning, "winning-misere"),
];

fn boards(series: &Series) -> String {
    format!("{}, {} × n", series.game, series.ranks)
}

fn pattern(found: &Conjecture) -> String {
    match &found.pattern {
        Pattern::Period {
            before,
            period,
            step,
            modulus,
        } => {
            let from = found.series.first as usize + before + period;
            let step = match step {
                0 => String::new(),
                step => format!(" + {step}"),
            };
            let constant = *period == 1 && step.is_empty();
            let terms = &found.series.terms;
            match modulus {
                None if constant => format!("always {}", terms[*before]),
                None => format!("a(n) = a(n − {period}){step} from n = {from} on"),
                Some(modulus) if constant => format!(
                    "a(n) leaves {} when divided by {modulus}, from n = {} on",
                    terms[*before] % modulus,
                    from - 1
                ),
                Some(modulus) => {
                    format!("a(n) ≡ a(n − {period}){step} modulo {modulus} from n = {from} on")
                }
            }
        }
        Pattern::Recurrence(order) => format!("a linear recurrence of order {order}"),
        Pattern::SameAs(game) => format!("the same as in {game}"),
    }
}

/// Files in a row as a range.
fn files(found: &[u32]) -> String {
    match found {
        [] => "–".into(),
        [one] => format!("n = {one}"),
        [first, .., last] => format!("n = {first} to {last}"),
    }
}

fn row(found: &Conjecture) -> Vec<String> {
    let later: Vec<u32> = found.later.iter().map(|(files, _)| *files).collect();
    vec![
        boards(&found.series),
        found.series.numbers.name().into(),
        pattern(found),
        found.support.to_string(),
        files(&later),
    ]
}

fn broken(found: &Conjecture) -> Option<Vec<String>> {
    let (files, _) = found.later.iter().find(|(_, holds)| !holds)?;
    let term = found.series.terms[(files - found.series.first) as usize];
    let mut row = row(found);
    row[4] = format!("n = {files}: {term}");
    Some(row)
}

pub(super) fn conjectures(facts: &Facts, made: &mut BookContents) -> Result<()> {
    let all = series(facts)?;
    let found = seek_patterns(&all);
    let header = ["boards", "numbers", "pattern", "cases", "tested by"];
    let tested = |found: &&Conjecture| found.stands() && !found.later.is_empty();
    let standing: Vec<Vec<String>> = found.iter().filter(tested).map(row).collect();
    made.table("conjectures.md", "standing", &header, &standing);
    let untested = |found: &&Conjecture| found.later.is_empty();
    let waiting: Vec<Vec<String>> = found.iter().filter(untested).map(row).collect();
    let header_of_four = &header[..4];
    let four: Vec<Vec<String>> = waiting.iter().map(|row| row[..4].to_vec()).collect();
    made.table("conjectures.md", "untested", header_of_four, &four);
    let refuted: Vec<Vec<String>> = found.iter().filter_map(broken).collect();
    let header = ["boards", "numbers", "pattern", "cases", "refuted by"];
    made.table("conjectures.md", "refuted", &header, &refuted);
    let count = |what: &str, number: usize| format!("- {number} {what}\n");
    let sought = all.iter().filter(|series| series.seen() > 2).count();
    let counts = [
        count(
            &format!("series were searched, on boards of up to {SEEN} squares"),
            sought,
        ),
        count(
            "patterns fit and stand on larger boards, too",
            standing.len(),
        ),
        count(
            "patterns fit and have no larger board to test them",
            waiting.len(),
        ),
        count(
            "patterns fit and are refuted by a larger board",
            refuted.len(),
        ),
    ];
    made.part("conjectures.md", "counts", counts.concat());
    misere(&all, made);
    nimbers(facts, made)?;
    for (game, misere, numbers, name) in FILES {
        let such = |series: &&Series| {
            series.game == game
                && series.misere == misere
                && series.numbers == numbers
                && series.ranks == 1
        };
        let Some(series) = all.iter().find(such) else {
            continue;
        };
        let terms: Vec<String> = series.terms.iter().map(u64::to_string).collect();
        let what = format!(
            "{}, {}: boards of one rank and n files",
            series.numbers.name(),
            game
        );
        let file = format!("sequences/b-{name}-1xn.txt");
        made.files
            .push((file, b_file(&what, series.first as usize, &terms)));
    }
    Ok(())
}

/// Who wins along one rank in misère play, game by game.
fn misere(all: &[Series], made: &mut BookContents) {
    let such: Vec<&Series> = all
        .iter()
        .filter(|series| {
            series.misere
                && series.ranks == 1
                && series.numbers == Numbers::Winner
                && !series.game.starts_with("noughts")
        })
        .collect();
    let most = such.iter().map(|series| series.terms.len()).max();
    let rows: Vec<Vec<String>> = (0..most.unwrap_or(0))
        .map(|at| {
            let mut row = vec![format!("1 × {}", at + 3)];
            row.extend(such.iter().map(|series| match series.terms.get(at) {
                Some(1) => "first".into(),
                Some(2) => "second".into(),
                Some(_) => "nobody".into(),
                None => "–".to_string(),
            }));
            row
        })
        .collect();
    let games: Vec<&str> = such.iter().map(|series| series.game.as_str()).collect();
    let header: Vec<&str> = std::iter::once("board").chain(games).collect();
    made.table("conjectures.md", "misere", &header, &rows);
}

/// The nimbers after the first moves of `classic-4x5`, on which every nimber up to the largest one occurs
/// ([Results](../results.md#larger-boards)).
pub(super) const SWEPT: (&str, [u32; 20]) = (
    "classic-4x5",
    [2, 3, 2, 3, 2, 2, 0, 2, 0, 2, 2, 0, 2, 0, 2, 2, 3, 2, 3, 2],
);

/// Nimbers of all boards of the survey, and what was left out of it.
fn nimbers(facts: &Facts, made: &mut BookContents) -> Result<()> {
    let (mut rows, mut left_out) = (Vec::new(), Vec::new());
    for key in keys("survey") {
        let found: BoardSurvey = facts.expect("survey", &key)?;
        if !key.starts_with("noughts") && !key.contains(':') {
            let worth = found.nimbers.as_ref();
            let atlas = facts.1.iter().find(|row| row.variant == key);
            let known = found.nimber().or(atlas.and_then(|row| row.nimber));
            let largest = worth.map(|worth| worth.largest.into());
            let largest = largest.or(atlas.and_then(|row| row.largest_nimber));
            let dash = || "–".to_string();
            rows.push(vec![
                format!("`{key}`"),
                known.map_or_else(dash, |nimber| nimber.to_string()),
                largest.map_or_else(dash, |nimber| nimber.to_string()),
                worth.map_or_else(dash, |worth| {
                    if worth.all_below { "yes" } else { "no" }.into()
                }),
                match (worth, known) {
                    (Some(worth), _) => openings(&worth.openings),
                    (None, Some(1)) if found.losing == 0 => "each 0".into(),
                    (None, _) => dash(),
                },
            ]);
        }
        for (metric, bytes) in &found.left_out {
            left_out.push(vec![
                format!("`{key}`"),
                metric.clone(),
                format!("{:.1} GiB", *bytes as f64 / f64::from(1 << 30)),
            ]);
        }
    }
    for family in ["classic", "signal"] {
        for size in ["1x20", "2x10", "4x5"] {
            let key = format!("{family}-{size}");
            let found: Winner = facts.expect("winners", &key)?;
            let atlas = facts.1.iter().find(|row| row.variant == key);
            let all = found.winning.len() == found.squares as usize;
            let known = match (found.winner.as_str(), all) {
                ("second", _) => Some(0),
                (_, true) => Some(1),
                (_, false) => atlas.and_then(|row| row.nimber),
            };
            let largest = atlas.and_then(|row| row.largest_nimber);
            let dash = || "–".to_string();
            let swept = (key == SWEPT.0).then_some(SWEPT.1);
            rows.push(vec![
                format!("`{key}`"),
                known.map_or_else(dash, |nimber| nimber.to_string()),
                largest.map_or_else(dash, |nimber| nimber.to_string()),
                swept.map_or_else(dash, |_| "yes".into()),
                swept.map_or_else(dash, |nimbers| openings(&nimbers)),
            ]);
        }
    }
    let header = [
        "board",
        "empty board",
        "largest",
        "every smaller one met",
        "after each first move, from a1",
    ];
    made.table("tables/nimbers.md", "survey", &header, &rows);
    let header = ["board", "solve left out", "memory that it needs"];
    made.table("tables/nimbers.md", "left out", &header, &left_out);
    Ok(())
}

/// Nimbers after the first moves, said once if they are equal.
fn openings(nimbers: &[u32]) -> String {
    match nimbers {
        [first, rest @ ..] if rest.iter().all(|own| own == first) => format!("each {first}"),
        nimbers => {
            let listed: Vec<String> = nimbers.iter().map(u32::to_string).collect();
            listed.join(" ")
        }
    }
}
