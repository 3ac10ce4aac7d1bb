//! Many positions at once are answered as each by itself.

use greenwave_game::{Dense, Game, Metric, Outcome, Plies, Variant, with_game};
use greenwave_tablebase::{Brief, ByIndex, Error, Place, Queries, QueryOptions, Tablebase};

fn tablebase(dir: &std::path::Path) -> Tablebase {
    let settings = greenwave_tablebase::Settings {
        memory: Some(1 << 30),
        threads: Some(2),
    };
    Tablebase::with_settings(dir, &settings).unwrap()
}

// Positions of a few lines of play; where others are held, too, every this many of the legal ones.
fn sample(variant: &Variant) -> Vec<String> {
    with_game!(variant, game => {
        let mut found = vec![game.start()];
        let (mut at, mut moves, mut draws) = (0, Vec::new(), Vec::new());
        while at < found.len() && found.len() < 200 {
            let position = found[at];
            game.moves(&position, &mut moves);
            game.draws(&position, &mut draws);
            let steps = moves.iter().map(|mv| game.play(&position, *mv).to);
            let next: Vec<_> = steps.chain(draws.iter().map(|(to, _)| *to)).collect();
            found.extend(next.into_iter().skip(at % 3).step_by(3));
            at += 1;
        }
        if !game.holds_reachable_only() {
            let step = (game.indexable() as u64 / 300).max(1) | 1;
            let indices = (0..game.indexable() as u64).step_by(step as usize);
            found.extend(indices.filter_map(|index| game.at(index)));
        }
        let text = |position| game.position_text(position);
        found.iter().map(text).collect()
    })
}

fn briefs(
    tablebase: &Tablebase,
    variant: &Variant,
    texts: &[String],
    expected: u64,
) -> Vec<Result<Brief, String>> {
    let mut queries = tablebase
        .queries(variant, &QueryOptions::default())
        .unwrap();
    queries.expect(expected).unwrap();
    let parts = queries.briefs(
        texts,
        Vec::with_capacity,
        |rows: &mut Vec<Result<Brief, String>>, _, found: Result<&Brief, &Error>| {
            rows.push(found.cloned().map_err(ToString::to_string));
        },
    );
    parts.unwrap().into_iter().flatten().collect()
}

#[test]
fn briefs_say_what_answers_say_from_memory_and_from_tables() {
    let empty = tempfile::tempdir().unwrap();
    let solutions = concat!(env!("CARGO_MANIFEST_DIR"), "/../../solutions");
    for (name, dir) in [
        ("classic-3x3", solutions.as_ref()),
        ("classic-3x3:supply=cap4", solutions.as_ref()),
        ("points-3x3", solutions.as_ref()),
        ("ampel-4-2-1", solutions.as_ref()),
        ("noughts-3x3", empty.path()),
        ("classic-2x3:play=misere", empty.path()),
        ("bag-classic-2x3", empty.path()),
    ] {
        let variant = Variant::parse(name).unwrap();
        let texts = sample(&variant);
        let tablebase = tablebase(dir);
        let options = QueryOptions::default();
        let queries = tablebase.queries(&variant, &options).unwrap();
        let places: Vec<Place<'_>> = texts.iter().map(|text| Place::at(text)).collect();
        let ask_all = |queries: &Queries<'_>| {
            let parts = queries.query_all(&places, Vec::with_capacity, Vec::push);
            parts.unwrap().into_iter().flatten().collect::<Vec<_>>()
        };
        let answers = ask_all(&queries);
        for expected in [0, u64::MAX] {
            let found = briefs(&tablebase, &variant, &texts, expected);
            assert_eq!(found.len(), texts.len());
            for (brief, answer) in found.into_iter().zip(&answers) {
                let answer = answer.as_ref().unwrap().clone();
                assert_eq!(brief, Ok(Brief::from(answer)), "{name}");
            }
        }
        let mut queries = tablebase.queries(&variant, &options).unwrap();
        queries.expect(u64::MAX).unwrap();
        for (again, answer) in ask_all(&queries).iter().zip(&answers) {
            assert_eq!(again.as_ref().unwrap(), answer.as_ref().unwrap(), "{name}");
        }
    }
}

#[test]
fn what_is_no_position_is_told_in_its_place() {
    let empty = tempfile::tempdir().unwrap();
    let tablebase = tablebase(empty.path());
    let variant = Variant::parse("classic-3x3").unwrap();
    let texts = ["R../.Y./..G", "RX./..", "b2R", ".../.../..."].map(String::from);
    let found = briefs(&tablebase, &variant, &texts, 0);
    assert!(found[0].is_ok() && found[3].is_ok());
    for bad in [1, 2] {
        let alone = tablebase.query("classic-3x3", &texts[bad]).unwrap_err();
        assert_eq!(found[bad], Err(alone.to_string()));
    }
}

#[test]
fn arrays_hold_what_queries_say() {
    let empty = tempfile::tempdir().unwrap();
    let tablebase = tablebase(empty.path());
    for (name, metric) in [
        ("classic-2x3", Metric::Value),
        ("classic-2x3", Metric::Distance),
        ("classic-2x3", Metric::Nimber),
        ("classic-2x3:play=misere", Metric::Distance),
        ("points-2x3", Metric::Points),
        ("noughts-3x3", Metric::Distance),
        ("classic-2x3:supply=pool2", Metric::Value),
        ("bag-classic-1x3", Metric::Odds),
    ] {
        let variant = Variant::parse(name).unwrap();
        let array = tablebase.by_index(&variant, metric).unwrap();
        with_game!(&variant, game => {
            let step = (game.indexable() / 500).max(1) as u64;
            for index in (0..game.indexable() as u64).step_by(step as usize) {
                let asked = game.at(index).map(|position| {
                    let text = game.position_text(&position);
                    tablebase.query_at(&variant, &Place::at(&text), &QueryOptions::default()).unwrap()
                });
                let at = index as usize;
                let figures = asked.map(|answer| answer.figures());
                let value = figures.and_then(|figures| figures.value);
                match &array {
                    ByIndex::Value(array) => {
                        let expected = value.map_or(i8::MIN, |value| match value {
                            Outcome::Win => 1,
                            Outcome::Draw => 0,
                            Outcome::Loss => -1,
                        });
                        assert_eq!(array[at], expected, "{name} {index}");
                    }
                    ByIndex::Distance(array) => {
                        let expected = figures.map_or(-32767, |figures| {
                            match (value, figures.distance) {
                                (Some(Outcome::Win), Some(Plies(plies))) => plies as i16,
                                (Some(Outcome::Loss), Some(Plies(plies))) => -(plies as i16),
                                _ => -32768,
                            }
                        });
                        assert_eq!(array[at], expected, "{name} {index}");
                    }
                    ByIndex::Points(array) => {
                        let points = figures.and_then(|figures| figures.points);
                        assert_eq!(i32::from(array[at]), points.unwrap_or(-32768), "{name} {index}");
                    }
                    ByIndex::Nimber(array) => {
                        let nimber = figures.and_then(|figures| figures.nimber);
                        assert_eq!(u32::from(array[at]), nimber.unwrap_or(0), "{name} {index}");
                    }
                    ByIndex::Odds(array) => {
                        let odds = figures.and_then(|figures| figures.odds);
                        let expected = odds.map_or(f64::MIN, |odds| odds.expectation);
                        assert!((array[at] - expected).abs() < 1e-12, "{name} {index}");
                    }
                }
            }
        });
    }
    let error = tablebase
        .by_index(&Variant::parse("points-2x3").unwrap(), Metric::Nimber)
        .unwrap_err();
    assert!(
        error.to_string().contains("has no metric 'nimber'"),
        "{error}"
    );
}
