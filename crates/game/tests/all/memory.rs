//! Games that remember more than their board: rule files, texts, moves and turns.

use greenwave_game::{Game, MemoryGame, Outcome, RuleFile, SetupError, Variant, VariantError};

const LINES: &str = "patterns = ['111', '222', '333']\n";

fn variant(text: &str) -> Variant {
    let file = RuleFile::parse("kept.toml", text).unwrap_or_else(|error| panic!("{text}: {error}"));
    file.variant
}

fn game(keys: &str, size: &str) -> MemoryGame {
    let lines = if keys.contains("goal") { "" } else { LINES };
    let variant = variant(&format!("{lines}{keys}\nboard.size = '{size}'"));
    let Variant::Memory(game) = variant else {
        panic!("{keys}: a plain board")
    };
    game
}

fn faults(text: &str) -> Vec<String> {
    let error = RuleFile::parse("kept.toml", text).unwrap_err();
    let VariantError::File { faults, .. } = error else {
        panic!("{error}")
    };
    faults.iter().map(ToString::to_string).collect()
}

/// The position after the moves from the start, and the player to move.
fn play(game: &MemoryGame, moves: &str) -> String {
    let mut position = game.start();
    for mv in moves.split_whitespace() {
        let mv = game
            .parse_move(&position, mv)
            .unwrap_or_else(|error| panic!("{error}"));
        position = game.play(&position, mv).to;
    }
    let text = game.position_text(&position);
    assert_eq!(game.parse_position(&text), Ok(position));
    text
}

#[test]
fn keys_that_say_nothing_new_leave_the_game_as_it_is() {
    let plain = Variant::parse("classic-3x3").unwrap();
    for keys in [
        "swap = false",
        "last-square = 'any'\npass = 'never'",
        "moves-a-turn = 1",
        "may = { first = [3, 2, 1], second = [1, 2, 3] }",
    ] {
        let told = variant(&format!("{LINES}{keys}\nboard.size = '3x3'"));
        assert!(told.as_board().is_some(), "{keys}");
        assert_eq!(told.rules().hash, plain.rules().hash, "{keys}");
    }
    let mut hashes = vec![plain.rules().hash.to_string()];
    for keys in [
        "swap = true",
        "last-square = 'forbidden'",
        "last-square = 'neighbours'",
        "last-square = 'elsewhere'",
        "pass = 'free'",
        "pass = 'once'",
        "moves-a-turn = 2",
        "moves-a-turn = '1-2-2'",
        "may = { first = [1, 2], second = [2, 3] }",
        "may = { first = [2, 3], second = [1, 2] }",
        "goal = { first = ['111'], second = ['222', '333'] }",
        "win-lines = 2",
    ] {
        hashes.push(game(keys, "3x3").rules().hash.to_string());
    }
    hashes.sort_unstable();
    let count = hashes.len();
    hashes.dedup();
    assert_eq!(hashes.len(), count, "each is a game of its own");
}

#[test]
fn texts_say_what_the_board_does_not() {
    for (keys, moves, text) in [
        ("swap = true", "b2R", ".../.R./...,swap"),
        ("swap = true", "b2R swap", ".../.R./..."),
        ("swap = true", "b2R a1R", ".../.R./R.."),
        (
            "last-square = 'forbidden'",
            "b2R c3R",
            "..R/.R./...,last=c3",
        ),
        ("pass = 'free'", "pass", ".../.../...,passed"),
        ("pass = 'free'", "pass pass", ".../.../...,passed,passed"),
        ("pass = 'free'", "pass b2R", ".../.R./..."),
        ("pass = 'once'", "", ".../.../...,passes=1:1"),
        ("pass = 'once'", "pass", ".../.../...,passes=1:0"),
        ("pass = 'once'", "pass b2R", ".../.R./...,passes=0:1"),
        (
            "swap = true\nlast-square = 'neighbours'",
            "b2R",
            ".../.R./...,swap,last=b2",
        ),
        (
            "swap = true\npass = 'once'",
            "pass",
            ".../.../...,swap,passes=1:0",
        ),
        ("swap = true\npass = 'free'", "pass", ".../.../...,passed"),
        (
            "swap = true\nmay = { first = [1, 2], second = [2, 3] }",
            "b2R swap",
            ".../.R./...,second",
        ),
        (
            "pass = 'free'\ngoal = { first = ['111'], second = ['333'] }",
            "b2R pass",
            ".../.R./...,passed,first",
        ),
        ("moves-a-turn = 2\nswap = true", "b2R", ".../.R./..."),
        (
            "moves-a-turn = '1-2-2'\nswap = true",
            "b2R",
            ".../.R./...,swap",
        ),
        (
            "win-lines = 2",
            "a1R a2R b1R b2R c1R",
            ".../RR./RRR,lines=0:1",
        ),
        (
            "win-lines = 2\nmoves-a-turn = 2",
            "a1R b1R c2R a2R c1R",
            ".../R.R/RRR,lines=1:0",
        ),
    ] {
        assert_eq!(play(&game(keys, "3x3"), moves), text, "{keys}");
    }
}

#[test]
fn wrong_texts_are_refused_with_every_fault() {
    let told = |keys: &str, text: &str| -> String {
        let game = game(keys, "3x3");
        let error: SetupError = game.parse_position(text).unwrap_err();
        assert!(
            game.parse_position(&error.example).is_ok(),
            "{}",
            error.example
        );
        error.to_string()
    };
    for (keys, text, parts) in [
        (
            "pass = 'once'",
            ".../.X./...,barred",
            &[
                "row 2 (rank 2), character 2",
                "',barred'",
                "passes: missing",
            ][..],
        ),
        ("swap = true", ".../.R./R..,swap", &["only the second ply"]),
        (
            "swap = true",
            ".../.R./...,last=b2",
            &["expected in this game ',swap'"],
        ),
        (
            "last-square = 'forbidden'",
            ".../.R./...,last=a1",
            &["a square that stands as at the start"],
        ),
        (
            "last-square = 'forbidden'",
            ".../.R./...,last=z9",
            &["expected a square of the board"],
        ),
        (
            "win-lines = 2",
            ".../.R./...",
            &["lines: missing", "lines=0:0"],
        ),
        ("win-lines = 2", ".../.R./...,lines=3:0", &["0 to 2 each"]),
        ("win-lines = 2", ".../.R./...,lines=2:2", &["at most one"]),
        (
            "pass = 'free'",
            ".../.R./...,passed,passed,passed",
            &["',passed' a third time, expected two"],
        ),
        (
            "last-square = 'forbidden'",
            ".../.R./...,last=b2,last=b2",
            &["found ',last=b2' again; write it once"],
        ),
        (
            "swap = true\nmay = { first = [1, 2], second = [2, 3] }",
            ".../.R./...,second,first",
            &["found ',first' beside ',second'; write one of them"],
        ),
        (
            "swap = true\nmay = { first = [1, 2], second = [2, 3] }",
            ".../.R./...,first",
            &["expected ',second'"],
        ),
        (
            "start = '.R./.../...'\nswap = true",
            ".../.../...",
            &["less than at the start"],
        ),
    ] {
        let told = told(keys, text);
        for part in parts {
            assert!(told.contains(part), "{told}: {part}");
        }
    }
}

/// A text becomes one of a position by the field that its fault says to write.
#[test]
fn missing_fields_are_named_as_they_can_be() {
    let parts = "may = { first = [1, 2], second = [2, 3] }";
    for (keys, text, missing) in [
        ("swap = true", ".../.R./...", &[",second"][..]),
        ("swap = true", ".../.R./...,swap", &[",second"]),
        ("swap = true", ".../.RR/...", &[",first"]),
        ("pass = 'free'", ".../.R./...", &[",first", ",second"]),
        (
            "pass = 'free'\nswap = true",
            ".../.R./...,swap",
            &[",second"],
        ),
        ("pass = 'once'", ".../.R./...,passes=1:1", &[",second"]),
        ("pass = 'once'", ".../.R./...,passes=0:1", &[",first"]),
        ("pass = 'once'", ".../.R./...,second", &[",passes=1:1"]),
        ("pass = 'once'", ".../.R./...,first", &[",passes=1:0"]),
        (
            "pass = 'once'\nswap = true",
            ".../.../...,swap,second",
            &[",passes=1:0"],
        ),
    ] {
        let game = game(&format!("{keys}\n{parts}"), "3x3");
        let told = game.parse_position(text).unwrap_err().to_string();
        for field in [",first", ",second", ",passes=1:1", ",passes=1:0"] {
            let (_, advice) = told.split_once("missing; write ").unwrap();
            let (advice, _) = advice.split_once(" behind").unwrap();
            assert_eq!(advice.contains(field), missing.contains(&field), "{told}");
        }
        for field in missing {
            let whole = format!("{text}{field}");
            assert!(game.parse_position(&whole).is_ok(), "{keys}: {whole}");
        }
    }
}

#[test]
fn boards_are_read_as_people_paste_them() {
    let game = game("last-square = 'forbidden'", "2x3");
    for text in [
        "[[0,0,0],[1,0,0]],last=a1",
        ".../R.., LAST=a1",
        "... R..,last=A1",
    ] {
        let read = game.parse_position(text);
        let read = read.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(game.position_text(&read), ".../R..,last=a1");
    }
}

#[test]
fn moves_that_are_barred_say_why() {
    let refused = |keys: &str, moves: &str, mv: &str| {
        let game = game(keys, "3x3");
        let position = game.parse_position(&play(&game, moves)).unwrap();
        game.parse_move(&position, mv)
            .unwrap_err()
            .problem
            .to_string()
    };
    for (keys, moves, mv, problem) in [
        (
            "last-square = 'forbidden'",
            "b2R",
            "b2Y",
            "may not raise the square raised last",
        ),
        (
            "last-square = 'neighbours'",
            "a1R",
            "c3R",
            "next to the one raised last",
        ),
        (
            "last-square = 'elsewhere'",
            "a1R",
            "b2R",
            "nor one next to it",
        ),
        ("pass = 'once'", "pass a1R", "pass", "has passed already"),
        ("swap = true", "a1R b1R", "swap", "only the second ply"),
        ("swap = true", "a1R", "pass", "no pass in this game"),
        (
            "may = { first = [1], second = [2] }",
            "a1R",
            "b1R",
            "the player to move may not raise",
        ),
        ("pass = 'free'", "pass pass", "a1R", "the game is over"),
    ] {
        let told = refused(keys, moves, mv);
        assert!(told.contains(problem), "{keys}, {mv}: {told}");
    }
}

// A player in the middle of a turn who has no raise left is the one who is without a move, although the
// other counts as the player to move.
#[test]
fn a_turn_that_cannot_be_completed_is_one_without_a_move() {
    let text = "patterns = ['11']\nmoves-a-turn = 2\nstalemate = 'loss'\n\
                board = { size = '1x3', line-length = 2, levels = 1, top = '101' }";
    let Variant::Memory(game) = variant(text) else {
        panic!()
    };
    // Two raises fill the board: the first player's turn is complete, the second has no move.
    let full = game.parse_position("R.R").unwrap();
    assert_eq!(
        game.ending(&full).map(|end| end.outcome),
        Some(Outcome::Loss)
    );
    let text = text.replace("101", "100");
    let Variant::Memory(game) = variant(&text) else {
        panic!()
    };
    let cut = game.parse_position("R..").unwrap();
    assert_eq!(game.ending(&cut).map(|end| end.outcome), Some(Outcome::Win));
}

#[test]
fn what_contradicts_itself_is_refused_all_at_once() {
    let text = "patterns = ['111']\ngoal = { first = ['111'] }\npass = 'free'\nmoves-a-turn = 2\n\
                may = { first = [1, 4], second = [2, 2] }\nwin-lines = 1\nlast-square = 'near'\n\
                swap = 'yes'\nstalemate = 'pass'\nboard.size = '3x3'\n";
    let found = faults(text);
    for part in [
        "line 1, column 12, key 'patterns': goal says already",
        "key 'goal.second': missing",
        "line 4, column 16, key 'moves-a-turn': whose turn it is",
        "line 5, column 21, key 'may.first': found 4, expected a level from 1 to 3",
        "line 5, column 38, key 'may.second': 2 stands twice",
        "line 6, column 13, key 'win-lines': found 1, expected a whole number from 2 to 9",
        "line 7, column 15, key 'last-square': found 'near'",
        "line 8, column 8, key 'swap'",
    ] {
        assert!(
            found.iter().any(|fault| fault.contains(part)),
            "{part}: {found:#?}"
        );
    }
    let scored = "goal = { first = ['111'], second = [] }\nwin-lines = 2\nplay = 'points'\nboard.size = '3x3'";
    let found = faults(scored).join("\n");
    assert!(found.contains("key 'goal': in scored games"), "{found}");
    assert!(found.contains("key 'win-lines': a scored game"), "{found}");
    let counted = format!("{LINES}win-lines = 2\nstalemate = 'loss'\nboard.size = '3x3'");
    assert!(faults(&counted)[0].contains("key 'stalemate': with win-lines"));
    let forced = format!(
        "{LINES}may = {{ first = [1], second = [2] }}\nstalemate = 'pass'\nboard.size = '3x3'"
    );
    assert!(faults(&forced)[0].contains("key 'stalemate': the players may raise"));
    for beside in ["[strip]", "[bag]"] {
        for key in [
            "swap = true",
            "pass = 'free'",
            "moves-a-turn = 2",
            "last-square = 'any'",
        ] {
            let text = format!("{LINES}{key}\nboard.size = '3x3'\n{beside}\n");
            let found = faults(&text);
            assert!(
                found
                    .iter()
                    .any(|fault| fault.contains("not in a game with a")),
                "{found:?}"
            );
        }
    }
}
