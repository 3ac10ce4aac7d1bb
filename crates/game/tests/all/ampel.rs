//! Ampel against independent counts, move lists and hand-made positions.

use greenwave_game::{AmpelGame, AmpelPosition, Game, Outcome, perft};

const FIGURES: &str = include_str!("../data/ampel.txt");

fn ampel(name: &str) -> AmpelGame {
    AmpelGame::named(name).unwrap()
}

/// The variant that a position text belongs to.
fn of_text(text: &str, options: &str) -> (AmpelGame, AmpelPosition) {
    let sizes: Vec<&str> = text.split(' ').take(3).collect();
    let game = ampel(&format!("ampel-{}{options}", sizes.join("-")));
    let position = game.parse_position(text).unwrap();
    assert_eq!(game.position_text(&position), text);
    (game, position)
}

fn move_texts(game: &AmpelGame, position: &AmpelPosition) -> Vec<String> {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let text = |mv| game.move_text(position, mv);
    moves.into_iter().map(text).collect()
}

fn played(game: &AmpelGame, position: &AmpelPosition, text: &str) -> (AmpelPosition, bool) {
    let mv = game.parse_move(position, text).unwrap();
    let edge = game.play(position, mv);
    (edge.to, edge.keeps_turn)
}

fn after(text: &str, options: &str, moves: &[&str]) -> String {
    let (game, start) = of_text(text, options);
    let end = moves
        .iter()
        .fold(start, |position, mv| played(&game, &position, mv).0);
    game.position_text(&end)
}

/// Lines `KIND SUBJECT: FIGURES` of the figures file.
fn figures(kind: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let line =
        move |line: &'static str| line.strip_prefix(kind)?.strip_prefix(' ')?.split_once(": ");
    FIGURES.lines().filter_map(line)
}

// Larger counts are left to the benches and the command: the whole file is checked in seconds.
const MOST_NODES: u64 = if cfg!(debug_assertions) {
    250_000
} else {
    1_000_000
};

fn assert_perft(game: &AmpelGame, position: &AmpelPosition, counts: &str, subject: &str) {
    for (depth, count) in (1..).zip(counts.split_whitespace()) {
        let count = count.parse().unwrap();
        if count <= MOST_NODES {
            let nodes = perft(game, position, depth).unwrap();
            assert_eq!(nodes, count, "{subject}, {depth} plies");
        }
    }
}

#[test]
fn perft_of_the_start() {
    let mut seen = 0;
    for (name, counts) in figures("perft") {
        let game = ampel(name);
        assert_perft(&game, &game.start(), counts, name);
        seen += 1;
    }
    assert_eq!(seen, 3);
}

#[test]
fn moves_and_perft_of_positions() {
    let mut seen = 0;
    for (text, expected) in figures("moves") {
        let (game, position) = of_text(text, "");
        let (moves, counts) = expected.split_once(" = ").unwrap();
        assert_eq!(move_texts(&game, &position).join(" "), moves, "{text}");
        assert_perft(&game, &position, counts, text);
        seen += 1;
    }
    assert_eq!(seen, 12);
}

#[test]
fn turns_pass_after_the_third_step_only() {
    let (game, start) = of_text("5 3 3 r s 0 0 ./../.../..../.....", "");
    let mut position = start;
    for (mv, keeps_turn, text) in [
        ("+c2", false, "5 3 3 g s 0 0 ./../.y./..../....."),
        ("+d2", false, "5 3 3 r s 0 0 ./../.y./.y../....."),
        ("+d3", false, "5 3 3 g 1 0 0 ./../.y./.yy./....."),
        ("pass", true, "5 3 3 g 2 0 0 ./../.y./.yy./....."),
        ("pass", true, "5 3 3 g 3 0 0 ./../.y./.yy./....."),
        ("+e1", false, "5 3 3 r 1 0 0 ./../.y./.yy./G...."),
        ("pass", true, "5 3 3 r 2 0 0 ./../.y./.yy./G...."),
        ("pass", true, "5 3 3 r 3 0 0 ./../.y./.yy./G...."),
        ("+c1", false, "5 3 3 g 1 0 0 ./../Ry./.yy./G...."),
        ("e1-e2", true, "5 3 3 g 2 0 0 ./../Ry./.yy./.G..."),
    ] {
        let kept;
        (position, kept) = played(&game, &position, mv);
        assert_eq!(game.position_text(&position), text, "{mv}");
        assert_eq!(kept, keeps_turn, "{mv}");
    }
}

#[test]
fn signals_are_removed_and_the_goal_ends_the_game_within_the_turn() {
    // A green disc, moved by red in step 2: red takes the yellow and gets the cylinder back.
    assert_eq!(
        after("5 3 3 r 2 0 1 ./../.R./.yy./g....", "", &["e1-e2"]),
        "5 3 3 r 3 1 1 ./../.../..y./....."
    );
    let (game, position) = of_text("5 3 3 r 2 1 0 ./../.R./.yy./g....", "");
    let (won, kept) = played(&game, &position, "e1-e2");
    assert!(kept, "the winner is to move");
    assert_eq!(
        game.position_text(&won),
        "5 3 3 r x 2 0 ./../.../..y./....."
    );
    assert_eq!(game.ending(&won).unwrap().outcome, Outcome::Win);
    assert!(move_texts(&game, &won).is_empty());
    assert_eq!(game.ending(&position), None);
    // Two signals of one disc: two yellows, and the disc itself goes once.
    assert_eq!(
        after("6 5 5 r 1 0 0 ./../.yg/ryy./.ygy./......", "", &["d1-c1"]),
        "6 5 5 r 2 2 0 ./../.../..y./.y.y./......"
    );
}

#[test]
fn cylinders_travel_and_come_back() {
    assert_eq!(
        after("5 3 1 r 1 0 0 ./R./.../.y../....g", "", &["b1-a1"]),
        "5 3 1 r 2 0 0 R/../.../.y../....g"
    );
    assert_eq!(
        after("5 3 1 r 3 0 0 R/../.../.y../....g", "", &["+b1"]),
        "5 3 1 g 1 0 0 r/R./.../.y../....g"
    );
    assert_eq!(
        after("4 2 1 r 3 0 0 r/../.y./R...", "", &["off"]),
        "4 2 1 g 1 0 0 r/../.y./r..."
    );
    // Off already: still 'off', not 'pass'.
    assert_eq!(
        after("4 2 1 r 3 0 0 r/../.y./r...", "", &["off"]),
        "4 2 1 g 1 0 0 r/../.y./r..."
    );
}

#[test]
fn options_change_what_they_name() {
    let moves = |text, options| {
        let (game, position) = of_text(text, options);
        move_texts(&game, &position)
    };
    // The disc on b1 has four steps to the north-east; through its start point it would also reach a1 and c2.
    let bounces = "5 4 1 r 1 0 0 ./r./g.g/g.y./g....";
    assert_eq!(moves(bounces, ":start-point=block"), ["b1-b2", "b1-d2"]);
    // That on d2 has three steps to the east and a green disc in the way: deflected at once, c2 b2 a1.
    let beside = "5 3 1 r 1 0 0 ./../.../.rgy/.....";
    assert!(!moves(beside, "").contains(&"d2-a1".into()));
    assert!(moves(beside, ":first-step=blocked").contains(&"d2-a1".into()));
    let own = "5 3 1 r 1 0 0 R/../..r/.y../g....";
    let starts = |options| {
        let mut starts: Vec<String> = moves(own, options)
            .iter()
            .map(|mv| mv[..2].to_string())
            .collect();
        starts.dedup();
        starts
    };
    assert_eq!(starts(""), ["a1", "c3"]);
    assert_eq!(starts(":own-cylinder=frozen"), ["c3"]);
    let full = "4 20 1 r 3 0 0 r/rr/ryr/rrrR";
    assert_eq!(moves(full, ""), ["pass"]);
    assert_eq!(after(full, "", &["pass"]), "4 20 1 g 1 0 0 r/rr/ryr/rrrR");
    assert_eq!(moves(full, ":stuck-add=off"), ["off"]);
    assert_eq!(
        after(full, ":stuck-add=off", &["off"]),
        "4 20 1 g 1 0 0 r/rr/ryr/rrrr"
    );
    assert_eq!(moves(full, ":stuck-add=loss"), ["pass"]);
    assert_eq!(
        after(full, ":stuck-add=loss", &["pass"]),
        "4 20 1 g x 0 0 r/rr/ryr/rrrR"
    );
}

#[test]
fn texts_that_cannot_be_positions() {
    let game = ampel("ampel-5-3-3");
    let error = |text: &str| {
        let error = game.parse_position(text).unwrap_err();
        assert_eq!(error.faults.len(), 1, "one fault each: {error}");
        error.to_string()
    };
    for (text, expected) in [
        (
            "",
            "fields: found 0, expected 8: SIDE DISCS YELLOWS side phase red green rows",
        ),
        (
            "4 3 3 r s 0 0 ./../.../..../.....",
            "side: found '4', expected 5; another number is another variant",
        ),
        (
            "12 3 3 r s 0 0 ./../.../..../.....",
            "side: found '12', expected 5; such numbers go from 4 to 11",
        ),
        (
            "5 21 3 r s 0 0 ./../.../..../.....",
            "discs of a player: found '21', expected 3; such numbers go from 1 to 20",
        ),
        (
            "5 3 x r s 0 0 ./../.../..../.....",
            "yellows: found 'x', expected 3",
        ),
        (
            "5 3 3 b s 0 0 ./../.../..../.....",
            "player to move (field 4): found 'b', expected r or g",
        ),
        (
            "5 3 3 r 4 0 0 ./../.../..../.....",
            "phase (field 5): found '4', expected s, 1, 2, 3 or x",
        ),
        (
            "5 3 3 r 1 -1 0 ./../.../.yyy/.....",
            "yellows captured by red: found '-1', expected 0 to 3",
        ),
        (
            "5 3 3 r 1 0 0 ./../.../.yyy",
            "rows: found 4, expected 5 with '/' between them",
        ),
        (
            "5 3 3 r 1 0 0 ./../..../.yy./.....",
            "row c: found 4 points, expected 3",
        ),
        (
            "5 3 3 r 1 0 0 ./../.y./.yyo/.....",
            "point d4: found 'o', expected '.' 'r' 'g' 'y'",
        ),
        (
            "5 3 3 r 1 0 0 ./../.y./.yy./rgrrr",
            "points e1 e3 e4 e5: found 4 red discs, expected at most the supply of 3",
        ),
        (
            "5 3 3 r 1 0 0 ./../.y./.yy./G.G..",
            "points e1 e3: found 2 green cylinders, expected at most 1 ('G')",
        ),
        (
            "5 3 3 r 1 0 0 ./g./y../ryy./.....",
            "points d1 c1 b1: found a red-yellow-green signal",
        ),
        (
            "5 3 3 r 1 0 0 ./../.y./.y../.....",
            "yellows: found 2 on the board, 0 captured by red, 0 by green, 2 together; expected 3 together",
        ),
        (
            "5 3 3 r 1 2 0 ./../.y./..../.....",
            "a player who has 2 has won, so the phase is x",
        ),
        (
            "5 3 3 g x 2 0 ./../.y./..../.....",
            "the winner, green, has at least 2",
        ),
        (
            "5 3 3 r s 0 0 ./../.y./.yy./.....",
            "the set-up (phase s) is over with 3 on the board, expected fewer",
        ),
        (
            "5 3 3 r s 1 0 ./../.y./..../.....",
            "during the set-up (phase s) nothing can be captured",
        ),
    ] {
        let error = error(text);
        assert!(error.contains(expected), "{error}\nexpected: {expected}");
        assert!(error.ends_with("for example 5 3 3 r s 0 0 ./../.../..../....."));
    }
    let both = game
        .parse_position("5 3 3 r 1 0 0 ./g./y../ryy./G.G..")
        .unwrap_err()
        .to_string();
    for fault in [
        "found 2 green cylinders",
        "d1 c1 b1: found a red-yellow-green signal",
    ] {
        assert!(both.contains(fault), "{both}");
    }
    let long = format!("5 3 3 r 1 0 0 {}", "./".repeat(10_000));
    assert!(game.parse_position(&long).is_err());
}

#[test]
fn moves_that_are_not_legal() {
    let error = |position: &str, text: &str| {
        let (game, position) = of_text(position, "");
        game.parse_move(&position, text).unwrap_err().to_string()
    };
    let step = "5 3 3 r 1 0 0 ./../.y./.yy./r.g..";
    assert!(error(step, "e1-z9").contains("'z9' is no point; points go from a1 to e5"));
    assert!(error(step, "e3-e2").contains("no disc on e3 may be moved"));
    assert!(error(step, "e1-a1").contains("the disc on e1 cannot end on a1"));
    assert!(error(step, "+a1").contains("in this step an own disc moves"));
    assert!(error(step, "e1-a1").contains("legal moves: e1-"));
    let add = "5 3 1 r 3 0 0 ./../.../.yg./.g...";
    assert!(error(add, "+d1").contains("a disc added on d1 would make a signal"));
    assert!(error(add, "+d2").contains("d2 is occupied"));
    assert!(error("4 2 1 r 3 0 0 r/../.y./R...", "+b1").contains("red has no disc in hand"));
    assert!(error("5 3 3 r s 0 0 ./../.y./..../.....", "+a1").contains("on the edge"));
    assert!(error("4 2 1 r x 1 0 ./../.../....", "pass").contains("the game is over"));
}

#[test]
fn drawn_as_a_triangle() {
    let (game, position) = of_text("4 2 1 g 2 0 0 R/g./.y./r..G", "");
    let diagram = game.diagram(&position);
    let mut lines = vec![vec![' '; 9]; 5];
    for (x, y, mark) in diagram.marks {
        use greenwave_game::Mark;
        lines[usize::from(y)][usize::from(x)] = match mark {
            Mark::Disc { colour, cylinder } if cylinder => colour,
            Mark::Disc { colour, .. } => colour.to_ascii_lowercase(),
            Mark::Point => '.',
            Mark::Level(_) | Mark::Sign(_) => '?',
        };
    }
    for label in diagram.labels {
        lines[usize::from(label.y)][usize::from(label.x)] = label.text.chars().next().unwrap();
    }
    let lines: Vec<String> = lines.into_iter().map(String::from_iter).collect();
    assert_eq!(
        lines,
        [
            "   a R   ",
            "  b g .  ",
            " c . y . ",
            "d r . . G",
            " 1 2 3 4 ",
        ]
    );
    let notes: Vec<&str> = diagram.notes.iter().map(|note| note.key).collect();
    assert_eq!(notes, ["MovesOther", "Holdings", "Holdings"]);
}

/// Positions of games played at random, the same ones every time.
fn random_positions(game: &AmpelGame, seed: u64, games: u32, plies: u32) -> Vec<AmpelPosition> {
    let mut state = seed;
    let mut random = |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) as usize % below
    };
    let (mut positions, mut moves) = (Vec::new(), Vec::new());
    for _ in 0..games {
        let mut position = game.start();
        for _ in 0..plies {
            game.moves(&position, &mut moves);
            if moves.is_empty() {
                break;
            }
            position = game.play(&position, moves[random(moves.len())]).to;
            positions.push(position);
        }
    }
    positions
}

#[test]
fn random_play_keeps_the_laws() {
    for name in [
        "ampel-4-3-1",
        "ampel-5-3-3",
        "ampel-6-20-4",
        "ampel-8-9-10:start-point=block,first-step=blocked",
        "ampel-7-6-5:own-cylinder=frozen,stuck-add=loss",
        "ampel",
    ] {
        let game = ampel(name);
        let (mut moves, mut images) = (Vec::new(), Vec::new());
        for position in random_positions(&game, 7, 4, 250) {
            // The text round trip also refuses standing signals and yellows that do not add up.
            let text = game.position_text(&position);
            let read = game.parse_position(&text);
            assert_eq!(read, Ok(position), "{name}: {text}");
            game.moves(&position, &mut moves);
            assert_eq!(moves.is_empty(), game.ending(&position).is_some());
            let children = |position: &AmpelPosition, moves: &[_]| {
                let mut children: Vec<_> = moves
                    .iter()
                    .map(|mv| {
                        let edge = game.play(position, *mv);
                        let same = edge.to.player() == position.player();
                        assert_eq!(edge.keeps_turn, same, "{name}: {text}");
                        game.canonical(&edge.to)
                    })
                    .collect();
                children.sort();
                children
            };
            for symmetry in 0..game.symmetries() {
                let image = game.image(&position, symmetry);
                let back = game.image(&image, game.inverse_symmetry(symmetry));
                assert_eq!(back, position, "{name}: {text}");
                assert_eq!(game.canonical(&image), game.canonical(&position));
                game.moves(&image, &mut images);
                assert_eq!(
                    children(&position, &moves),
                    children(&image, &images),
                    "{name}: {text}, symmetry {symmetry}"
                );
            }
            for mv in &moves {
                let text = game.move_text(&position, *mv);
                assert_eq!(game.parse_move(&position, &text), Ok(*mv));
            }
        }
    }
}
