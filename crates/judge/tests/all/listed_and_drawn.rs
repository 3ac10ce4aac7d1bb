//! Questions about games that list their positions (Ampel) and games with chance (the bag), against a
//! walk through the whole game in which everything is read off the texts and the slow references.

use std::collections::{HashMap, HashSet};

use greenwave_game::Squares;
use greenwave_game::{
    AmpelGame, AmpelPosition, BagGame, BoardGame, Dense, Game, Metric, Outcome, TIE, Variant,
    orbit_size,
};
use greenwave_judge::{
    Among, Profile, Selection, expr::BoundExpression, expr::KnownValues, expr::MoveLists, find,
};
use greenwave_solver::{chance::Retention, chance::solve_odds, solve};
use greenwave_testkit::{ExactReference, Graph};
use greenwave_values::{Silent, SolvedOdds, Values};

fn bound<G: Squares>(game: &G, text: &str) -> BoundExpression {
    BoundExpression::new(game, text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn found<G: Squares>(
    known: &KnownValues<'_, G>,
    text: &str,
    among: Among,
    wanted: Selection,
) -> (u64, Vec<G::Position>) {
    let bound = bound(known.game(), text);
    let mut positions = Vec::new();
    let count = find(known, &bound, among, wanted, &Silent, &mut |position| {
        positions.push(*position);
        Ok(())
    });
    (count.unwrap(), positions)
}

fn count<G: Squares>(known: &KnownValues<'_, G>, text: &str) -> u64 {
    let wanted = Selection {
        count_only: true,
        ..Selection::default()
    };
    found(known, text, Among::Legal, wanted).0
}

fn ampel(name: &str) -> (AmpelGame, Values) {
    let variant = Variant::parse(name).unwrap();
    let values = solve(&variant, Metric::Distance, u64::MAX, &Silent).unwrap();
    let Variant::Ampel(game) = variant else {
        panic!("{name}")
    };
    (game, values)
}

/// Every position that play reaches.
fn walked(game: &AmpelGame) -> Graph<AmpelPosition> {
    Graph::below(game, [game.start()], 1 << 20).unwrap()
}

// Counted by an independent program: won by Red, by Green, drawn, finished, plies of the start and of
// the longest win.
const REFERENCE: [(&str, [u64; 4], u32, u32); 2] = [
    ("ampel-4-2-1", [5494, 4557, 582, 415], 18, 18),
    ("ampel-4-3-1", [14_143, 11_886, 1962, 3595], 24, 24),
];

#[test]
fn listed_positions_are_found_one_by_one() {
    for (name, [red, green, drawn, finished], start, longest) in REFERENCE {
        let (game, values) = ampel(name);
        let known = KnownValues::new(&game, &[&values], None);
        let graph = walked(&game);
        let all: HashSet<AmpelPosition> = graph.verdicts().map(|(position, _)| *position).collect();
        let unfinished = |position: &&AmpelPosition| game.ending(position).is_none();
        let open: HashSet<AmpelPosition> = all.iter().filter(unfinished).copied().collect();

        let (number, positions) = found(&known, "true", Among::Legal, Selection::default());
        assert_eq!(number, red + green + drawn, "{name}");
        assert_eq!(number, positions.len() as u64);
        let distinct: HashSet<AmpelPosition> = positions.iter().copied().collect();
        assert_eq!(distinct.len(), positions.len(), "{name}: none comes twice");
        assert!(distinct == open, "{name}");
        let indices: Vec<u64> = positions.iter().map(|at| game.index(at)).collect();
        assert!(indices.is_sorted(), "{name}: by the index of the orbit");

        let (_, reachable) = found(&known, "reachable", Among::Reachable, Selection::default());
        assert_eq!(reachable.len() as u64, number + finished, "{name}");
        assert!(reachable.into_iter().collect::<HashSet<_>>() == all);

        let once = Selection {
            up_to_symmetry: true,
            ..Selection::default()
        };
        let (orbits, firsts) = found(&known, "true", Among::Legal, once);
        assert_eq!(orbits, firsts.len() as u64);
        let sizes: u64 = firsts.iter().map(|first| orbit_size(&game, first)).sum();
        assert_eq!(sizes, number, "{name}: the orbits make up everything");
        assert!(firsts.iter().all(|first| game.canonical(first) == *first));

        let won = |red| {
            format!("(red_moves = {red} and value = win) or (red_moves != {red} and value = loss)")
        };
        assert_eq!(count(&known, &won(true)), red, "{name}");
        assert_eq!(count(&known, &won(false)), green, "{name}");
        assert_eq!(count(&known, "value = draw"), drawn, "{name}");
        let at_start =
            format!("step = 0 and count(yellow) = 0 and value = win and distance = {start}");
        assert_eq!(count(&known, &at_start), 1, "{name}");
        assert_eq!(count(&known, &format!("distance > {longest}")), 0, "{name}");

        let mut by_distance: HashMap<(Outcome, Option<u32>), u64> = HashMap::new();
        for (_, verdict) in graph
            .verdicts()
            .filter(|(position, _)| open.contains(*position))
        {
            let key = (verdict.value, verdict.distance.map(|plies| plies.0));
            *by_distance.entry(key).or_default() += 1;
        }
        for ((value, distance), expected) in by_distance {
            let text = match distance {
                Some(plies) => format!("value = {value} and distance = {plies}"),
                None => format!("value = {value}"),
            };
            assert_eq!(count(&known, &text), expected, "{name}: {text}");
        }
    }
}

#[test]
fn a_sample_of_listed_positions_is_among_them() {
    let (game, values) = ampel("ampel-4-2-1");
    let known = KnownValues::new(&game, &[&values], None);
    let sample = |seed| {
        let wanted = Selection {
            sample: Some(50),
            seed,
            ..Selection::default()
        };
        found(&known, "value = loss", Among::Legal, wanted)
    };
    let (number, some) = sample(1);
    let (_, all) = found(&known, "value = loss", Among::Legal, Selection::default());
    assert_eq!(number, all.len() as u64);
    assert_eq!(some.len(), 50);
    let places: Vec<usize> = some
        .iter()
        .map(|at| all.iter().position(|other| other == at).unwrap())
        .collect();
    assert!(places.is_sorted_by(|a, b| a < b), "in order, each once");
    assert_ne!(sample(2).1, some);
    let images = some.iter().filter(|at| game.canonical(at) != **at).count();
    assert!(images > 10, "not only listed positions: {images}");
}

/// What the text of a position says, with words of the game's own.
fn read_off(game: &AmpelGame, position: &AmpelPosition) -> Vec<String> {
    let text = game.position_text(position);
    let parts: Vec<&str> = text.split(' ').collect();
    let [_, discs, _, player, phase, red, green, rows] = parts[..] else {
        panic!("{text}")
    };
    let points: Vec<char> = rows.chars().filter(|point| *point != '/').collect();
    let count = |letters: &[char]| points.iter().filter(|at| letters.contains(at)).count();
    let (reds, greens) = (count(&['r', 'R']), count(&['g', 'G']));
    let discs: usize = discs.parse().unwrap();
    let colour = |letter: char| match letter.to_ascii_lowercase() {
        'r' => "red",
        'g' => "green",
        'y' => "yellow",
        _ => "empty",
    };
    let covered = |place: usize| points[place].is_ascii_uppercase();
    let fixed = (0..game.symmetries())
        .filter(|symmetry| game.position_text(&game.image(position, *symmetry)) == text)
        .count();
    vec![
        format!("step = {}", if phase == "s" { "0" } else { phase }),
        format!("red_moves = {}", player == "r"),
        format!("red_captured = {red} and green_captured = {green}"),
        format!(
            "red_hand = {} and green_hand = {}",
            discs - reds,
            discs - greens
        ),
        format!("count(red) = {reds} and count(green) = {greens}"),
        format!(
            "count(yellow) = {} and count(empty) = {}",
            count(&['y']),
            count(&['.'])
        ),
        format!("a1 = {} and c2 = {}", colour(points[0]), colour(points[4])),
        format!("d4 = {} and d1 = {}", colour(points[9]), colour(points[6])),
        format!(
            "cylinder(b1) = {} and cylinder(d3) = {}",
            covered(1),
            covered(8)
        ),
        format!("shows(\"{rows}\") and shows(\"?/?{}/???/????\")", points[2]),
        format!("symmetries = {fixed} and reachable and not finished"),
    ]
}

#[test]
fn fields_of_discs_say_what_the_text_says() {
    for (name, ..) in REFERENCE {
        let (game, values) = ampel(name);
        let known = KnownValues::new(&game, &[&values], None);
        let graph = walked(&game);
        let (_, positions) = found(&known, "true", Among::Legal, Selection::default());
        let (mut spare, mut moves) = (MoveLists::default(), Vec::new());
        for position in positions.iter().step_by(53) {
            game.moves(position, &mut moves);
            let after: Vec<(Outcome, Option<u32>, bool)> = moves
                .iter()
                .map(|mv| {
                    let edge = game.play(position, *mv);
                    let figures = graph.verdict(&edge.to).unwrap().figures();
                    let figures = figures.after_move(edge.gain, edge.keeps_turn);
                    let won = game.ending(&edge.to).is_some();
                    let plies = figures.distance.map(|plies| plies.0);
                    (figures.value.unwrap(), plies, won)
                })
                .collect();
            let own = graph.verdict(position).unwrap();
            let valued = |value| after.iter().filter(|move_| move_.0 == value).count();
            let best = match own.distance {
                Some(plies) => after
                    .iter()
                    .filter(|move_| move_.0 == own.value && move_.1 == Some(plies.0))
                    .count(),
                None => valued(Outcome::Draw),
            };
            let mut facts = read_off(&game, position);
            facts.extend([
                format!("value = {} and moves = {}", own.value, moves.len()),
                format!(
                    "winning_moves = {} and drawing_moves = {} and losing_moves = {}",
                    valued(Outcome::Win),
                    valued(Outcome::Draw),
                    valued(Outcome::Loss)
                ),
                format!(
                    "winning_at_once = {}",
                    after.iter().filter(|move_| move_.2).count()
                ),
                format!("best_moves = {best}"),
                format!("only_move = {}", valued(own.value) == 1 && moves.len() > 1),
                format!(
                    "every(any, reachable) and some(any, finished) = {}",
                    after.iter().any(|move_| move_.2)
                ),
            ]);
            if let Some(mv) = moves.first() {
                let (text, to) = (game.move_text(position, *mv), game.play(position, *mv).to);
                let value = graph.verdict(&to).unwrap().value;
                facts.push(format!("legal({text}) and after({text}, value = {value})"));
            }
            for fact in facts {
                let index = Some(game.index(position));
                for unfinished in [index, None] {
                    let holds = known.holds(&bound(&game, &fact), position, unfinished, &mut spare);
                    assert!(holds, "{fact} at {}", game.position_text(position));
                }
                let denied = bound(&game, &format!("not ({fact})"));
                assert!(!known.holds(&denied, position, index, &mut spare), "{fact}");
            }
        }
    }
}

#[test]
fn profiles_of_listed_positions_are_those_of_the_walk() {
    for (name, [red, green, drawn, _], start, longest) in REFERENCE {
        let (game, values) = ampel(name);
        let profile = Profile::of(&KnownValues::new(&game, &[&values], None), &Silent).unwrap();
        let graph = walked(&game);
        let (mut only, mut won, mut moves) = (0, 0, Vec::new());
        for (position, own) in graph.verdicts() {
            if game.ending(position).is_some() {
                continue;
            }
            won += u64::from(own.value == Outcome::Win);
            game.moves(position, &mut moves);
            let keeps = |mv: &&_| {
                let edge = game.play(position, **mv);
                let figures = graph.verdict(&edge.to).unwrap().figures();
                figures.after_move(0, edge.keeps_turn).value == Some(own.value)
            };
            only += u64::from(moves.len() > 1 && moves.iter().filter(keeps).count() == 1);
        }
        assert_eq!(profile.counts.total(), red + green + drawn, "{name}");
        assert_eq!(
            (profile.counts.draw, profile.counts.win),
            (drawn, won),
            "{name}"
        );
        assert_eq!(profile.only_moves, Some(only), "{name}");
        assert_eq!(profile.longest_distance.unwrap().0, longest, "{name}");
        assert_eq!(profile.start.distance.unwrap().0, start, "{name}");
        assert_eq!(
            (profile.openings.len(), profile.opening_mistakes),
            (1, Some(0)),
            "{name}"
        );
        assert!(profile.by_ply.is_empty(), "{name}: discs have no level sum");
    }
}

fn bag(name: &str) -> (BagGame<BoardGame>, Values) {
    let Variant::Bag(game) = Variant::parse(name).unwrap() else {
        panic!("{name}")
    };
    let (values, start) = solve_odds(&game, Retention::All, &Silent).unwrap();
    let odds = SolvedOdds {
        values,
        start: Some(start),
        tie: TIE,
    };
    (game, odds.into())
}

#[test]
fn fields_of_bag_games_say_what_the_text_says() {
    for name in [
        "bag-classic-1x3",
        "bag-points-1x3:choice=3",
        "bag-signal-1x3:counters=infinite",
    ] {
        let (game, values) = bag(name);
        let known = KnownValues::new(&game, &[&values], None);
        let mut exact = ExactReference::new(&game).unwrap();
        let (number, positions) = found(&known, "true", Among::Legal, Selection::default());
        let indices: Vec<u64> = positions.iter().map(|at| game.index(at)).collect();
        let expected: Vec<u64> = (0..game.indexable() as u64)
            .filter(|index| game.at(*index).is_some_and(|at| game.ending(&at).is_none()))
            .collect();
        assert!(
            indices == expected && number == expected.len() as u64,
            "{name}"
        );

        let (mut favoured, mut spare, mut moves) = (0, MoveLists::default(), Vec::new());
        for (place, position) in positions.iter().enumerate() {
            let expectation = exact.odds(position).expectation.rounded();
            favoured += u64::from(expectation > TIE);
            if place % 41 != 0 {
                continue;
            }
            let text = game.position_text(position);
            let parts: Vec<&str> = text.split(';').collect();
            let count = |part: usize, letter: char| parts[part].matches(letter).count();
            game.moves(position, &mut moves);
            let at_once = moves.iter().filter(|mv| {
                let to = game.play(position, **mv).to;
                game.ending(&to)
                    .is_some_and(|ending| ending.outcome == Outcome::Loss)
            });
            let level = |letter: char| ".RYG".find(letter).unwrap();
            let sum: usize = parts[0].chars().map(level).sum();
            let mut facts = vec![
                format!(
                    "hand(red) = {} and hand(green) = {}",
                    count(1, 'R'),
                    count(1, 'G')
                ),
                format!("other_hand(yellow) = {}", count(2, 'Y')),
                format!(
                    "market(red) = {} and market(yellow) = {}",
                    count(3, 'R'),
                    count(3, 'Y')
                ),
                format!(
                    "count(red) = {} and count(empty) = {}",
                    count(0, 'R'),
                    count(0, '.')
                ),
                format!("level_sum = {sum} and moves = {}", moves.len()),
                format!("a1 = {}", level(parts[0].chars().next().unwrap())),
                format!("winning_at_once = {} and not finished", at_once.count()),
                format!("shows(\"{}\")", parts[0]),
                format!("expectation = {}", (expectation * 1e6).round()),
            ];
            if !name.ends_with("infinite") {
                let supply = 6 - text.matches('Y').count();
                facts.push(format!("bag(yellow) = {supply}"));
            }
            let last = moves.last().unwrap();
            let (mv, to) = (
                game.move_text(position, *last),
                game.play(position, *last).to,
            );
            let after = (exact.odds(&to).expectation.rounded() * 1e6).round();
            facts.push(format!(
                "legal({mv}) and after({mv}, expectation = {after})"
            ));
            for fact in facts {
                let index = Some(game.index(position));
                let holds = known.holds(&bound(&game, &fact), position, index, &mut spare);
                assert!(holds, "{name}: {fact} at {text}");
            }
        }
        assert_eq!(count(&known, "expectation > 0"), favoured, "{name}");
        let orbits = found(
            &known,
            "true",
            Among::Legal,
            Selection {
                up_to_symmetry: true,
                ..Selection::default()
            },
        );
        let sizes: u64 = orbits.1.iter().map(|first| orbit_size(&game, first)).sum();
        assert_eq!(sizes, number, "{name}");
    }
}

#[test]
fn every_size_of_triangle_is_read() {
    for side in 4..=11 {
        let name = format!("ampel-{side}-20-1");
        let Variant::Ampel(game) = Variant::parse(&name).unwrap() else {
            panic!("{name}")
        };
        let last = game.square_names().pop().unwrap();
        let rows: Vec<String> = (1..=side).map(|row| "?".repeat(row)).collect();
        let text = format!(
            "{last} = green and cylinder({last}) and shows(\"{}\") and legal(+{last}) and legal(a1-b2) \
             and after(off, red_captured > green_captured)",
            rows.join("/")
        );
        let bound = BoundExpression::new(&game, &text).unwrap();
        assert_eq!(bound.metrics(), [Metric::Distance], "the list of positions");
        assert_eq!(bound.named()[0].name, last);
    }
}

#[test]
fn what_a_game_lacks_is_refused_with_its_place() {
    let refuse = |name: &str, text: &str, column: usize, expected: &str| {
        let variant = Variant::parse(name).unwrap();
        let error = BoundExpression::of(&variant, text).unwrap_err();
        let said = error.to_string();
        assert!(said.contains(expected), "{text}: {said}");
        assert_eq!(error.column, column, "{text}: {said}");
    };
    refuse(
        "ampel-4-2-1",
        "level_sum = 2",
        1,
        "it has no lights on squares",
    );
    refuse("ampel-4-2-1", "ply = 2", 1, "it has no lights on squares");
    refuse(
        "ampel-4-2-1",
        "losing_at_once = 0",
        1,
        "several plies running",
    );
    refuse("ampel-4-2-1", "nimber = 2", 1, "no metric 'nimber'");
    refuse(
        "ampel-4-2-1",
        "hand(red) = 2",
        1,
        "no hands, market and bag",
    );
    refuse("ampel-4-2-1", "barred", 1, "it has no strip");
    refuse("ampel-4-2-1", "e1 = red", 1, "a square (a1 to d4)");
    refuse(
        "ampel-4-2-1",
        "cylinder(e1)",
        10,
        "expected a square from a1 to d4",
    );
    refuse(
        "ampel-4-2-1",
        "legal(+e1)",
        7,
        "or a move such as +c2, d2-b1, off or pass",
    );
    refuse(
        "ampel-4-2-1",
        "shows(\"./../...\")",
        7,
        "4 rows of 1 to 4 points",
    );
    refuse("ampel-4-2-1", "red_hold = 1", 1, "did you mean 'red_hand'?");
    refuse("bag-classic-1x3", "value = win", 1, "ask for 'expectation'");
    refuse("bag-classic-1x3", "reachable", 1, "luck");
    refuse("bag-classic-1x3", "distance = 3", 1, "no metric 'distance'");
    refuse(
        "bag-classic-1x3",
        "hand(empty) = 0",
        6,
        "expected the colour of a counter",
    );
    refuse(
        "bag-classic-1x3",
        "legal(b1Y+.)",
        7,
        "or a move such as b2Y+G, +G or miss",
    );
    refuse("bag-classic-1x3", "cylinder(a1)", 1, "it has no cylinders");
    refuse("classic-1x3", "red_moves", 1, "it has no discs");
    refuse(
        "classic-1x3",
        "market(red) = 0",
        1,
        "no hands, market and bag",
    );
}
