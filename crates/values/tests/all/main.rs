//! Tables as sources of values: every value follows from those of the moves by the rules, one by one or
//! together, and a table of other rules is refused. The tables are those that are published.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::path::PathBuf;

use greenwave_game::{Dense, Figures, Game, Metric, Outcome, Plies, Variant, with_game};
use greenwave_table::Table;
use greenwave_values::{SourceList, TableValues, ValueSource, ValuesError};

fn table(variant: &str, metric: Metric) -> Table {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../solutions");
    Table::open(folder.join(variant).join(format!("{metric}.gwt"))).unwrap()
}

/// The value of a finished position for the player to move.
fn ended<G: Game>(game: &G, position: &G::Position) -> Option<(Outcome, i32)> {
    let ending = game.ending(position)?;
    Some((ending.outcome, ending.points))
}

/// The least number that is not among some.
fn least_missing(numbers: &[u32]) -> u32 {
    (0..).find(|number| !numbers.contains(number)).unwrap_or(0)
}

/// What the figures of a position have to be, by those of the positions after its moves: worked out
/// here from the rules alone. It leaves out metrics that are not asked for.
fn by_the_moves(metric: Metric, after: &[(Figures, i32, bool)]) -> Figures {
    let value = |(figures, _, keeps): &(Figures, i32, bool)| {
        let value = figures.value.unwrap();
        if *keeps { value } else { value.negated() }
    };
    let best = |wanted: Outcome| after.iter().filter(move |one| value(one) == wanted);
    let plies = |one: &(Figures, i32, bool)| one.0.distance.map_or(0, |plies| plies.0) + 1;
    match metric {
        Metric::Value | Metric::Distance => {
            let (outcome, distance) = if best(Outcome::Win).next().is_some() {
                (Outcome::Win, best(Outcome::Win).map(plies).min())
            } else if after.is_empty() || best(Outcome::Draw).next().is_some() {
                (Outcome::Draw, None)
            } else {
                (Outcome::Loss, best(Outcome::Loss).map(plies).max())
            };
            Figures::of(
                Some(outcome),
                distance.filter(|_| metric == Metric::Distance).map(Plies),
                None,
            )
        }
        Metric::Points => {
            let made = after.iter().map(|(figures, gain, keeps)| {
                let points = figures.points.unwrap();
                gain + if *keeps { points } else { -points }
            });
            let points = made.max().unwrap_or(0);
            Figures::of(Some(Outcome::of_points(points)), None, Some(points))
        }
        Metric::Nimber => {
            let numbers: Vec<u32> = after.iter().map(|one| one.0.nimber.unwrap()).collect();
            Figures {
                nimber: Some(least_missing(&numbers)),
                ..Figures::default()
            }
        }
        Metric::Odds => unreachable!("no table of odds is small"),
    }
}

fn figures<G: Dense>(
    game: &G,
    source: &TableValues<'_, G>,
    metric: Metric,
    position: &G::Position,
) -> Figures {
    let Some((outcome, points)) = ended(game, position) else {
        return source.figures(position).unwrap();
    };
    let scores = game.rules().properties.scores;
    match metric {
        Metric::Nimber => Figures {
            nimber: Some(0),
            ..Figures::default()
        },
        Metric::Value | Metric::Distance | Metric::Points | Metric::Odds => Figures::of(
            Some(outcome),
            (metric == Metric::Distance && outcome != Outcome::Draw).then_some(Plies(0)),
            scores.then_some(points),
        ),
    }
}

#[test]
fn every_value_follows_from_those_after_the_moves() {
    for (name, metric) in [
        ("classic-3x3", Metric::Value),
        ("classic-3x3", Metric::Distance),
        ("classic-3x3", Metric::Nimber),
        ("signal-3x3", Metric::Distance),
        ("points-3x3", Metric::Points),
        ("noughts-3x3", Metric::Value),
        ("noughts-3x3", Metric::Distance),
        ("ampel-4-2-1", Metric::Distance),
    ] {
        let variant = Variant::parse(name).unwrap();
        let table = table(name, metric);
        let looked_at = with_game!(&variant, game => {
            let source = TableValues::new(game, &table).unwrap();
            let mut positions = vec![game.start()];
            let mut moves = Vec::new();
            // Games by dice: 64-bit linear congruential numbers, constants of Knuth's MMIX.
            let mut dice = 1_u64;
            for _ in 0..400 {
                let mut position = game.start();
                for _ in 0..60 {
                    game.moves(&position, &mut moves);
                    if moves.is_empty() {
                        break;
                    }
                    dice = dice
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1_442_695_040_888_963_407);
                    let mv = moves[(dice >> 33) as usize % moves.len()];
                    position = game.play(&position, mv).to;
                    positions.push(position);
                }
            }
            positions.sort_unstable();
            positions.dedup();
            let mut together = Vec::new();
            source.figures_of_all(&positions, &mut together).unwrap();
            for (position, told) in positions.iter().zip(&together) {
                assert_eq!(source.figures(position).unwrap(), *told, "{name} {metric}");
                if game.ending(position).is_some() {
                    continue;
                }
                game.moves(position, &mut moves);
                let after: Vec<(Figures, i32, bool)> = moves
                    .iter()
                    .map(|mv| {
                        let edge = game.play(position, *mv);
                        (figures(game, &source, metric, &edge.to), edge.gain, edge.keeps_turn)
                    })
                    .collect();
                let expected = by_the_moves(metric, &after);
                let text = game.position_text(position);
                match metric {
                    Metric::Nimber => assert_eq!(told.nimber, expected.nimber, "{name} {text}"),
                    Metric::Points => assert_eq!(told.points, expected.points, "{name} {text}"),
                    Metric::Value | Metric::Distance | Metric::Odds => {
                        assert_eq!(told.value, expected.value, "{name} {metric} {text}");
                        assert_eq!(told.distance, expected.distance, "{name} {metric} {text}");
                    }
                }
            }
            positions.len()
        });
        assert!(looked_at > 300, "{name} {metric}: {looked_at} positions");
    }
}

/// The values of some tables together.
fn together<'a, G: Dense>(game: &'a G, tables: &'a [Table]) -> SourceList<'a, G::Position> {
    let mut sources: Vec<Box<dyn ValueSource<G::Position, Error = ValuesError> + 'a>> = Vec::new();
    for table in tables {
        sources.push(Box::new(TableValues::new(game, table).unwrap()));
    }
    SourceList(sources)
}

#[test]
fn several_sources_know_together_what_each_of_them_knows() {
    let variant = Variant::parse("classic-3x3").unwrap();
    let tables = [Metric::Distance, Metric::Nimber].map(|metric| table("classic-3x3", metric));
    with_game!(&variant, game => {
        let start = game.start();
        let figures = together(game, &tables).figures(&start).unwrap();
        assert_eq!(figures.distance, Some(Plies(17)));
        assert_eq!(figures.nimber, Some(1));
        let one = together(game, &tables[1..]).figures(&start).unwrap();
        assert_eq!((one.distance, one.nimber), (None, Some(1)));
        let nobody = together(game, &[]).figures(&start).unwrap();
        assert_eq!(nobody, Figures::default());
    });
}

#[test]
fn a_table_of_other_rules_is_refused() {
    let table = table("classic-3x3", Metric::Value);
    for name in [
        "signal-3x3",
        "classic-3x4",
        "classic-3x3:play=misere",
        "noughts-3x3",
    ] {
        let variant = Variant::parse(name).unwrap();
        with_game!(&variant, game => {
            let refused: ValuesError = TableValues::new(game, &table).err().unwrap();
            let text = refused.to_string();
            assert!(text.contains("rules") || text.contains("metric"), "{name}: {text}");
        });
    }
}
