//! The rules of the bag, by examples.

use super::*;
use crate::{BoardGame, Dense, StripGame};

fn board(name: &str) -> BagGame<BoardGame> {
    BagGame::<BoardGame>::named(name).unwrap()
}

fn strip(name: &str) -> BagGame<StripGame> {
    BagGame::<StripGame>::named(name).unwrap()
}

fn moves<G: Game>(game: &G, text: &str) -> String {
    let position = game.parse_position(text).unwrap();
    let mut moves = Vec::new();
    game.moves(&position, &mut moves);
    let texts: Vec<String> = moves
        .into_iter()
        .map(|mv| {
            let text = game.move_text(&position, mv);
            assert_eq!(game.parse_move(&position, &text), Ok(mv));
            text
        })
        .collect();
    texts.join(" ")
}

fn after<G: Game>(game: &G, text: &str, mv: &str) -> (G::Position, bool) {
    let position = game.parse_position(text).unwrap();
    let mv = game.parse_move(&position, mv).unwrap();
    let edge = game.play(&position, mv);
    assert_eq!(
        game.parse_position(&game.position_text(&edge.to)),
        Ok(edge.to)
    );
    (edge.to, edge.keeps_turn)
}

fn draws<G: Game>(game: &G, position: &G::Position) -> Vec<(String, u32)> {
    let mut draws = Vec::new();
    game.draws(position, &mut draws);
    draws
        .into_iter()
        .map(|(to, weight)| (game.position_text(&to), weight))
        .collect()
}

fn problem<G: Game>(game: &G, text: &str) -> String {
    let error = game.parse_position(text).unwrap_err();
    error
        .faults
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join("; ")
}

fn move_problem<G: Game>(game: &G, text: &str, mv: &str) -> String {
    let position = game.parse_position(text).unwrap();
    game.parse_move(&position, mv)
        .unwrap_err()
        .problem
        .to_string()
}

#[test]
fn the_hand_limits_the_moves() {
    let game = board("bag-classic-1x3");
    assert_eq!(moves(&game, ".RY;RRG;RRR;YG"), "a1R+Y a1R+G c1G+Y c1G+G");
    assert_eq!(moves(&game, ".RY;YYY;RRR;GG"), "b1Y+G");
    assert_eq!(moves(&game, ".RR;RYY;RRR;GG"), "a1R b1Y+G c1Y+G");
    assert_eq!(moves(&game, ".RR;GGG;RRR;YG"), "miss");
    assert_eq!(
        moves(&board("bag-classic-1x3:choice=3"), ".RY;YYY;RRR;GG"),
        "b1Y"
    );
    // The line of yellows ends the game at once, and nothing is taken.
    let (over, keeps) = after(&board("bag-classic-1x3"), "YYR;RYG;RRR;GG", "c1Y");
    assert!(!keeps);
    assert_eq!(game.position_text(&over), "YYY;RRR;RG;GG");
    assert_eq!(
        game.ending(&over).map(|ending| ending.outcome),
        Some(Outcome::Loss)
    );
    assert_eq!(game.parse_position("YYY;RRR;RG;GG"), Ok(over));
}

#[test]
fn without_red_in_either_hand_an_empty_board_is_a_draw() {
    let game = board("bag-classic-3x3");
    let ending = |text| {
        let position = game.parse_position(text).unwrap();
        game.ending(&position).map(|ending| ending.outcome)
    };
    assert_eq!(ending(".../.../...;YYG;YGG;RR"), Some(Outcome::Draw));
    assert_eq!(ending(".../.../...;YYG;RGG;RR"), None);
    assert_eq!(moves(&game, ".../.../...;YYG;RGG;RR"), "miss");
    assert_eq!(moves(&game, ".../.R./...;GGG;RGG;RR"), "miss");
    assert_eq!(moves(&game, ".../.Y./...;GGG;RGG;RR"), "b2G+R");
}

#[test]
fn a_replaced_counter_returns_to_the_bag() {
    let before = board("bag-classic-1x3:counters=5");
    let after_turn = board("bag-classic-1x3:counters=5,return=after");
    let text = ".RR;RYY;RGG;YG";
    let position = before.parse_position(text).unwrap();
    assert_eq!(
        [1, 2, 3].map(|level| before.left(&position, level)),
        [Some(1), Some(2), Some(2)]
    );
    let drawn = |game: &BagGame<BoardGame>| draws(game, &after(game, text, "b1Y+G").0);
    let to = |market: &str, weight| (format!(".YR;RGG;RYG;{market}"), weight);
    assert_eq!(drawn(&before), [to("RY", 2), to("YY", 2), to("YG", 2)]);
    assert_eq!(drawn(&after_turn), [to("RY", 1), to("YY", 2), to("YG", 2)]);
    let infinite = board("bag-classic-1x3:counters=infinite");
    assert_eq!(drawn(&infinite), [to("RY", 1), to("YY", 1), to("YG", 1)]);
}

#[test]
fn a_choice_of_three_follows_the_draw() {
    let game = board("bag-classic-1x3:counters=5,choice=3");
    let (drawing, keeps) = after(&game, ".RR;RYY;RGG;YG", "b1Y");
    assert!(keeps, "the same player goes on to take");
    let texts = draws(&game, &drawing);
    assert_eq!(texts[0], (".YR;RY;RGG;RYG".into(), 2));
    assert_eq!(moves(&game, ".YR;RY;RGG;RYG"), "+R +Y +G");
    let (next, keeps) = after(&game, ".YR;RY;RGG;RYG", "+Y");
    assert!(!keeps);
    assert_eq!(game.position_text(&next), ".YR;RGG;RYY;RG");
}

#[test]
fn the_draft_goes_round() {
    let game = board("bag-classic-3x3");
    let first = draws(&game, &game.start());
    let text = |market: &str| format!(".../.../...;;;{market}");
    // 18 · 17 ordered pairs of counters.
    assert_eq!(
        first,
        [
            ("RR", 30),
            ("RY", 72),
            ("RG", 72),
            ("YY", 30),
            ("YG", 72),
            ("GG", 30)
        ]
        .map(|(market, weight)| (text(market), weight))
    );
    assert_eq!(moves(&game, ".../.../...;;;RG"), "+R +G");
    let (drawing, keeps) = after(&game, ".../.../...;;;RG", "+R");
    assert!(!keeps);
    assert_eq!(draws(&game, &drawing)[0], (".../.../...;;R;RG".into(), 5));
    // The last pick: player 2 takes the sixth counter and then makes the first move.
    let (drawing, keeps) = after(&game, ".../.../...;RY;RGG;RG", "+G");
    assert!(keeps);
    assert_eq!(
        draws(&game, &drawing)[1],
        (".../.../...;RYG;RGG;RY".into(), 5)
    );
    for text in [
        ";;RG",
        ";R;RG",
        "R;Y;RG",
        "R;YG;RG",
        "RG;YG;RR",
        "RG;YGG;RR",
        "RRG;YGG;RR",
    ] {
        let text = format!(".../.../...;{text}");
        let position = game.parse_position(&text).unwrap();
        assert_eq!(game.position_text(&position), text);
    }
}

#[test]
fn a_slide_takes_no_counter_and_a_miss_lifts_the_bar() {
    let game = strip("bag-slider");
    let text = ".../.R./...+..Y@E;GGG;RRR;RG";
    assert_eq!(moves(&game, text), "s3G+R s3G+G slide-N slide-S slide-W");
    let (to, _) = after(&game, text, "slide-N");
    let slid = ".../.R./...+..Y@N,barred;RRR;GGG;RG";
    assert_eq!(game.position_text(&to), slid);
    assert!(!moves(&game, slid).contains("slide"));
    let stuck = ".../.R./...+...@E;GGG;RRR;RG";
    assert_eq!(moves(&game, stuck), "slide-N slide-S slide-W miss");
    let barred = ".../.R./...+...@E,barred;GGG;RRR;RG";
    assert_eq!(moves(&game, barred), "miss");
    let (to, _) = after(&game, barred, "miss");
    assert_eq!(game.position_text(&to), ".../.R./...+...@E;RRR;GGG;RG");
    assert_eq!(
        moves(&strip("bag-slider:slide=stuck"), stuck),
        "slide-N slide-S slide-W miss"
    );
    assert_eq!(moves(&strip("bag-slider:slide=stuck"), text), "s3G+R s3G+G");
    assert_eq!(moves(&strip("bag-slider:slide=never"), stuck), "miss");
    // Neither can place: drawn at once only where the strip cannot move either.
    let idle = ".../.../...+...@E,barred;GGG;YYY;RG";
    let over =
        |game: &BagGame<StripGame>| game.ending(&game.parse_position(idle).unwrap()).is_some();
    assert!(!over(&game));
    assert!(over(&strip("bag-slider:slide=never")));
}

#[test]
fn every_fault_of_a_text_names_the_rule() {
    let game = board("bag-classic-3x3");
    let empty = ".../.../...";
    let problem = |text: &str| problem(&game, text);
    assert!(problem(empty).starts_with("parts: found 1, expected 4 with ';' between them"));
    assert!(
        problem(&format!("{empty};RRYY;YGG;RG"))
            .starts_with("own hand: found 4 counters, expected 3")
    );
    assert!(problem(&format!("{empty};RRY;YGGG;RG")).starts_with("other hand: found 4"));
    assert!(
        problem(&format!("{empty};RRY;YGG;")).starts_with("market: found 0 counters, expected 2")
    );
    assert!(problem(".../.R./...;;;RG").contains("the draft, but the board is not empty"));
    assert!(
        problem(&format!("{empty};R.Y;YGG;RG")).starts_with("own hand, character 2: found '.'")
    );
    assert!(problem("RRR/.../Y..;RRY;YGG").starts_with("parts: found 3"));
    assert_eq!(
        problem("R.R/.../...;RRR;RRY;GG"),
        "counters: 7 of 'R' on the board, in the hands and in the market, expected at most 6: the \
         supply has 6 of each colour (option counters)"
    );
    assert!(problem(".../...;RRY;YGG;RG").starts_with("rows: found 2, expected 3"));
    assert!(problem(&format!("{empty};RR;RYG;RYG")).starts_with("own hand: found 2"));
    let error = game.parse_position("").unwrap_err().to_string();
    assert!(
        error.ends_with("expected for example .../.../...;RYG;RYG;RG"),
        "{error}"
    );
}

#[test]
fn moves_that_do_not_fit_name_the_rule() {
    let game = board("bag-classic-1x3");
    let problem = |mv| move_problem(&game, ".RR;RYY;RGG;YG", mv);
    assert_eq!(problem("a1G+Y"), "that square turns red next, written 'R'");
    assert!(problem("b1Y").starts_with("expected '+' and the counter taken"));
    assert_eq!(problem("b1Y+R"), "the market has no 'R'");
    assert!(problem("a1R+G").starts_with("the move ends the game, so no counter is taken"));
    assert_eq!(
        problem("miss"),
        "a turn is missed only if no counter of the hand fits"
    );
    assert!(problem("+G").starts_with("expected a square"));
    assert!(problem("b1Y+x").starts_with("found '+x'"));
    let lacks = move_problem(&game, ".YR;RGG;RGG;YG", "c1Y+G");
    assert_eq!(lacks, "that square takes 'Y', of which the hand has none");
    let three = board("bag-classic-1x3:choice=3");
    assert!(move_problem(&three, ".YR;RYG;RGG;YG", "c1Y+G").contains("the draw comes first"));
    assert_eq!(
        move_problem(&game, "...;;;RR", "+G"),
        "the market has no 'G'"
    );
    assert!(move_problem(&game, "...;;;RR", "a1").starts_with("expected '+' and a colour"));
    assert_eq!(
        move_problem(&game, "...;;;", "+G"),
        "a counter is to be drawn first"
    );
    assert_eq!(
        move_problem(&game, "RRR;RYG;RG;YG", "a1"),
        "the game is over"
    );
}

#[test]
fn index_and_position_are_inverse() {
    let game = board("bag-classic-1x3");
    let mut legal = 0;
    for index in 0..game.indexable() as u64 {
        if let Some(position) = game.at(index) {
            assert_eq!(game.index(&position), index);
            let text = game.position_text(&position);
            if game.ending(&position).is_none() {
                assert_eq!(game.parse_position(&text), Ok(position), "{text}");
            }
            legal += 1;
        }
    }
    assert!(legal > 30_000, "{legal}");
    let slider = strip("bag-slider");
    for index in (0..slider.indexable() as u64).step_by(999_983) {
        if let Some(position) = slider.at(index) {
            assert_eq!(slider.index(&position), index);
        }
    }
}

#[test]
fn a_counter_that_goes_back_after_the_draw_is_written() {
    for (name, turn, before_the_draw) in [
        ("bag-classic-3x3", "b2Y+R", "...;RRY;RRG;G"),
        ("bag-classic-3x3:return=after", "b2Y+R", "...;RRY;RRG;G(R)"),
        ("bag-classic-3x3:return=after", "a1R+G", "R..;RRY;YGG;R"),
        (
            "bag-classic-3x3:choice=3,return=after",
            "b2Y",
            "...;RG;RRY;RG(R)",
        ),
    ] {
        let game = board(name);
        let (to, _) = after(&game, ".../.R./...;RYG;RRY;RG", turn);
        let text = game.position_text(&to);
        assert!(text.ends_with(before_the_draw), "{name}: {text}");
    }
    let game = board("bag-classic-3x3:return=after");
    let read = |text: &str| game.parse_position(text).is_ok();
    assert!(read(".../.Y./...;RRY;RGG;G(R)"));
    for wrong in [
        ".../.Y./...;RRY;RGG;G(Y)",
        ".../.Y./...;RRY;RGG;G(RR)",
        ".../.Y./...;RRY;RGG;RG(R)",
        ".../.Y./...;RRY;RGG;G(",
        ".../.Y./...;RRY;RGG;RG()",
        ".../.../...;RRY;RGG;G(R)",
    ] {
        assert!(!read(wrong), "{wrong}");
    }
    let before = problem(&board("bag-classic-3x3"), ".../.Y./...;RRY;RGG;G(R)");
    assert!(before.contains("return=after"), "{before}");
}
