//! Solved games against figures that an independent program counted.

use std::collections::BTreeMap;

use greenwave_game::{Dense, Game, Metric, Outcome, POINTS, Variant, catalogue, with_game};
use greenwave_probe::{answer, reachable};
use greenwave_solver::solve;
use greenwave_table::{self as table, Summary};
use greenwave_values::{Silent, SolvedValues, Values, summarise};

const COUNTS: &str = include_str!("../../data/counts.txt");

const SLOW: bool = cfg!(feature = "slow-tests");

// Of the games on nine and ten squares, which are most, the quick tests check one in this many.
const STEP: usize = 16;

/// The lines of one game: kind of figure and words.
type Lines = BTreeMap<&'static str, Vec<&'static str>>;

fn games() -> BTreeMap<&'static str, Lines> {
    let mut games: BTreeMap<&str, Lines> = BTreeMap::new();
    for line in COUNTS.lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.split(' ');
        let (Some(name), Some(kind)) = (words.next(), words.next()) else {
            panic!("'{line}'")
        };
        let twice = games.entry(name).or_default().insert(kind, words.collect());
        assert!(twice.is_none(), "'{line}' comes twice");
    }
    games
}

fn shown<T: ToString>(figure: Option<T>) -> String {
    figure.map_or_else(|| "-".into(), |figure| figure.to_string())
}

fn word(outcome: table::Outcome) -> &'static str {
    match outcome {
        table::Outcome::Win => "win",
        table::Outcome::Loss => "loss",
        table::Outcome::Draw => "draw",
    }
}

// Every line that a metric can check.
fn compare<G: Dense>(game: &G, values: &Values, lines: &Lines, reach: bool) {
    let metric = values.metric();
    let name = &game.rules().name;
    let summary = summarise(game, values);
    let same = |kind: &str, found: Vec<String>| {
        if let Some(expected) = lines.get(kind) {
            assert_eq!(found, *expected, "{name} {metric}: {kind}");
        }
    };
    start(metric, &summary, &lines["start"], name);
    let by_value = summary.by_value.expect("counted");
    let all = by_value.win + by_value.loss + by_value.draw;
    let counts = [all, by_value.win, by_value.loss, by_value.draw];
    same("counts", counts.map(|count| count.to_string()).to_vec());
    let histogram = |outcome: Option<table::Outcome>| -> Vec<String> {
        let mut entries: Vec<(i64, u64)> = summary
            .histogram
            .iter()
            .filter(|entry| outcome.is_none() || entry.outcome == outcome)
            .map(|entry| (entry.key, entry.count))
            .collect();
        entries.sort_unstable();
        let written = |(key, count)| format!("{key}:{count}");
        entries.into_iter().map(written).collect()
    };
    match metric {
        Metric::Distance => {
            same("wins", histogram(Some(table::Outcome::Win)));
            same("losses", histogram(Some(table::Outcome::Loss)));
        }
        Metric::Points => same("points", histogram(None)),
        Metric::Nimber => same("nimbers", histogram(None)),
        Metric::Value | Metric::Odds => {}
    }
    if metric == game.rules().default_metric {
        let opening = |opening: &table::FirstMove| {
            let square = opening.mv.trim_end_matches('R');
            let figures = &opening.figures;
            let figure = match metric {
                Metric::Points => shown(figures.points),
                Metric::Value | Metric::Distance | Metric::Odds | Metric::Nimber => {
                    shown(figures.distance)
                }
            };
            let value = figures.value.expect("solved");
            format!("{square}:{}:{figure}", word(value))
        };
        same("openings", summary.openings.iter().map(opening).collect());
        if reach && lines.contains_key("reachable") {
            let source = SolvedValues::new(game, values);
            let found = reachable(game, &source, &Silent).expect("values in memory");
            let found = [found.win, found.loss, found.draw, found.terminal];
            same("reachable", found.map(|count| count.to_string()).to_vec());
        }
    }
}

// The figures that the metric holds.
fn start(metric: Metric, summary: &Summary, expected: &[&str], name: &str) {
    let start = &summary.start;
    let value = shown(start.value.map(word));
    let held = match metric {
        Metric::Value => vec![(0, value)],
        Metric::Distance => vec![(0, value), (1, shown(start.distance))],
        Metric::Points => vec![(0, value), (2, shown(start.points))],
        Metric::Nimber => vec![(3, shown(start.nimber))],
        Metric::Odds => Vec::new(),
    };
    for (place, found) in held {
        assert_eq!(found, expected[place], "{name} {metric}: start");
    }
}

fn check(name: &str, lines: &Lines, all_metrics: bool, reach: bool) {
    let variant = Variant::parse(name).unwrap_or_else(|error| panic!("{error}"));
    let rules = variant.rules();
    // The counts leave nimbers out where a scoring game is played for the win alone.
    let counted = rules.family != &POINTS;
    let nimbers = rules.metrics.contains(&Metric::Nimber) && counted;
    assert_eq!(nimbers, lines["start"][3] != "-", "{name}: nimbers");
    for metric in rules.metrics.clone() {
        if (!all_metrics && metric != rules.default_metric)
            || (metric == Metric::Nimber && !counted)
        {
            continue;
        }
        let values = match solve(&variant, metric, u64::MAX, &Silent) {
            Ok(values) => values,
            Err(error) => panic!("{error}"),
        };
        with_game!(&variant, game => compare(game, &values, lines, reach));
    }
}

fn cells(name: &str) -> u32 {
    let variant = Variant::parse(name).unwrap_or_else(|error| panic!("{error}"));
    variant.rules().cells
}

#[test]
fn boards_up_to_ten_squares() {
    let games = games();
    let all: Vec<_> = games.iter().filter(|(name, _)| cells(name) <= 10).collect();
    let (larger, small): (Vec<_>, Vec<_>) = all.iter().partition(|(name, _)| cells(name) > 8);
    assert!(all.len() > 350 && larger.len() > 250, "{}", all.len());
    let larger = larger.into_iter().step_by(if SLOW { 1 } else { STEP });
    for (name, lines) in larger.chain(small) {
        check(name, lines, true, true);
    }
}

#[test]
fn twelve_squares_of_the_catalogue() {
    let games = games();
    let listed: Vec<&str> = catalogue()
        .iter()
        .filter(|name| cells(name) == 12 && games.contains_key(**name))
        .copied()
        .collect();
    assert!(listed.len() >= 12, "only {} games", listed.len());
    // Published results hold the others to their signatures.
    for name in listed.into_iter().take(if SLOW { usize::MAX } else { 1 }) {
        check(name, &games[name], false, SLOW);
    }
}

#[cfg(feature = "slow-tests")]
#[test]
fn all_games_in_all_metrics() {
    let games = games();
    for (name, lines) in games.iter().filter(|(name, _)| cells(name) > 10) {
        check(name, lines, true, true);
    }
}

/// Winners in the rule sheets, and in the results of their readers.
#[test]
fn published_results() {
    let value = |name: &str, text: &str| -> Option<Outcome> {
        let variant = Variant::parse(name).expect("a variant");
        let Variant::Board(game) = &variant else {
            panic!("{name} is a board")
        };
        let values = solve(&variant, game.rules().default_metric, u64::MAX, &Silent);
        let values = values.unwrap_or_else(|error| panic!("{error}"));
        let position = game.parse_position(text).expect("a position");
        let source = SolvedValues::new(game, &values);
        let answer = answer(game, &position, &source).expect("solved");
        answer.figures.value
    };
    // The first player wins the game on 3×3 by the centre and a reflection of every move (Parr,
    // "Traffic Lights", NRICH 1181).
    assert_eq!(value("classic-3x3", ".../.../..."), Some(Outcome::Win));
    assert_eq!(value("classic-3x3", ".../.R./..."), Some(Outcome::Loss));
    for mirrored in ["R../.G./..R", ".Y./.G./.Y.", "R../YGY/..R"] {
        assert_eq!(
            value("classic-3x3", mirrored),
            Some(Outcome::Loss),
            "{mirrored}"
        );
    }
}
