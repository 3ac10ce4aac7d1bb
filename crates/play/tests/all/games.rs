//! Games: played at every level, written down, read again and reviewed.

use std::sync::Arc;

use greenwave_game::{AnyMove, At, Game, Outcome};
use greenwave_play::{
    Dice, Endurance, Explanation, FormerValue, HINTS, Hint, HintKind, Language, Level, MoveMark,
    Puzzle, PuzzleOptions, Record, RecordText, Review, Seat, Standing, choose, hardest, keeps,
    practice, puzzles, review, review_of,
};
use greenwave_tablebase::{Effort, MoveFigures, Place, QueryOptions, Tablebase, Value};

use crate::{asked, small, variant};

/// A game of the program against itself.
fn by_itself(tablebase: &Tablebase, name: &str, level: Level, seed: u64) -> Record {
    let game = variant(name);
    let mut record = Record::begin(game.clone(), &Place::start(), &mut Dice::new(seed, 0)).unwrap();
    while record.end().is_none() {
        let answer = tablebase.query_of(&record.here(), &QueryOptions::default());
        let answer = answer.unwrap();
        let mut dice = Dice::new(seed, record.turns().len() as u64 + 1);
        let choice = choose(&game, &answer, level, &mut dice).expect("the game goes on");
        assert!(!choice.opinion, "{name} is solved");
        record.play(&choice.mv, &mut dice).unwrap();
    }
    record
}

/// Positions stay positions: texts are read where somebody gives one.
#[test]
fn a_game_that_is_played_and_reviewed_reads_no_text() {
    let tablebase = small();
    for name in ["classic-2x3", "noughts-2x3"] {
        let before = Effort::so_far();
        let record = by_itself(&tablebase, name, Level::Easy, 3);
        let variant = record.variant();
        let queries = tablebase
            .queries(variant, &QueryOptions::default())
            .unwrap();
        let review = review_of(&queries, &record).unwrap();
        for ply in &review.plies {
            let at = At::new(Arc::new(variant.clone()), ply.at);
            assert_eq!(at.text(), ply.from);
            practice(&tablebase, &at).unwrap();
        }
        assert_eq!(variant.position_text(&review.last), record.position());
        assert_eq!(Effort::since(before).texts, 0, "{name}");
    }
}

fn reviewed(tablebase: &Tablebase, name: &str, position: Option<&str>, moves: &str) -> Review {
    let place = Place {
        position,
        moves: Some(moves),
    };
    review(tablebase, &variant(name), &place, &QueryOptions::default()).unwrap()
}

/// A position of `classic-3x3` in which one move wins, in five plies or seven.
fn one_winner(tablebase: &Tablebase) -> Puzzle {
    let options = PuzzleOptions {
        count: 1,
        seed: 9,
        level: Some(2),
        theme: None,
    };
    let found = puzzles(tablebase, &variant("classic-3x3"), &options).unwrap();
    found[0].clone()
}

#[test]
fn every_family_is_played_to_its_end() {
    let tablebase = small();
    for name in [
        "signal-2x3",
        "green-2x3",
        "points-2x3",
        "points-2x3:end=play-on",
        "classic-2x3:play=misere",
        "classic-2x3:supply=cap3",
        "bag-classic-2x3",
        "ampel-4-2-1",
        "noughts-3x3",
    ] {
        for level in Level::ALL {
            let record = by_itself(&tablebase, name, level, 7);
            let again = by_itself(&tablebase, name, level, 7);
            assert_eq!(record.turns(), again.turns(), "{name}: the seed decides");
            assert!(record.turns().len() > 1, "{name}");
        }
    }
    let end = by_itself(&tablebase, "noughts-3x3", Level::Perfect, 3).end();
    assert_eq!(end.unwrap().winner, None);
}

#[test]
fn perfect_play_keeps_what_there_is_and_wins_as_soon_as_can_be() {
    let tablebase = small();
    let record = by_itself(&tablebase, "classic-3x3", Level::Perfect, 1);
    assert_eq!(record.turns().len(), 17);
    assert_eq!(record.turns()[0].mv, "b2R");
    assert_eq!(record.end().unwrap().winner, Some(Seat::First));
}

#[test]
fn levels_keep_the_value_as_often_as_they_say() {
    const TIMES: u64 = 2_000;
    let tablebase = small();
    let game = variant("classic-3x3");
    // One move wins, later; the others lose.
    let answer = asked(&tablebase, &game, &one_winner(&tablebase).position);
    for (level, share) in [
        (Level::Perfect, 1.0),
        (Level::Strong, 0.9),
        (Level::Medium, 0.6),
        (Level::Easy, 0.3),
    ] {
        let kept = (0..TIMES).filter(|seed| {
            let choice = choose(&game, &answer, level, &mut Dice::new(*seed, 0)).unwrap();
            let made = answer.moves.iter().find(|mv| mv.mv == choice.mv);
            keeps(&answer, made.unwrap()) == Some(true)
        });
        let found = kept.count() as f64 / TIMES as f64;
        // Four standard deviations are 0.044.
        assert!((found - share).abs() < 0.05, "{level}: {found}");
    }
    let answer = asked(&tablebase, &game, "R.R/.../...");
    let ends = |level, seed| {
        let choice = choose(&game, &answer, level, &mut Dice::new(seed, 0)).unwrap();
        choice.mv == "b3R"
    };
    for level in [Level::Perfect, Level::Strong, Level::Medium] {
        assert!(
            (0..100).all(|seed| ends(level, seed)),
            "{level} misses a win"
        );
    }
    assert!(
        !(0..100).all(|seed| ends(Level::Easy, seed)),
        "easy may miss it"
    );
}

#[test]
fn records_are_read_as_they_were_written() {
    for (name, has_luck) in [
        ("semaforo", false),
        ("bag-classic-2x3", true),
        ("ampel-4-2-1", false),
    ] {
        let game = variant(name);
        let start = Place::start();
        let mut record = Record::begin(game.clone(), &start, &mut Dice::new(5, 0)).unwrap();
        for ply in 0..6 {
            if record.end().is_some() {
                break;
            }
            let moves = record.legal();
            let mv = moves[ply % moves.len()].clone();
            record.play(&mv, &mut Dice::new(5, ply as u64)).unwrap();
        }
        let text = record.to_string();
        assert!(text.starts_with(&format!("# variant {name}\n")), "{text}");
        assert_eq!(text.contains('['), has_luck, "{text}");
        let saved = RecordText::read(&text);
        let place = Place {
            position: saved.start.as_deref(),
            moves: Some(&saved.moves),
        };
        let read = saved.variant(&game, None).unwrap();
        let read = Record::begin(read, &place, &mut Dice::new(1, 1)).unwrap();
        assert_eq!(read.turns(), record.turns());
        let plies = record.turns().len();
        let (before, undone) = (record.at(plies - 1), record.turns().last().cloned());
        assert_eq!(record.undo(), undone);
        assert_eq!(*record.here().position(), before);
        assert_eq!(record.turns().len(), plies - 1);
    }
    let refused = Record::begin(
        variant("classic-3x3"),
        &Place::start().after("b2R,b2R"),
        &mut Dice::new(0, 0),
    );
    assert!(refused.unwrap_err().to_string().contains("move 2"));
}

#[test]
fn every_move_of_a_game_has_its_mark() {
    let tablebase = small();
    let found = reviewed(&tablebase, "classic-3x3", None, "b2R b2Y,a1R");
    let marks: Vec<MoveMark> = found.plies.iter().map(|ply| ply.mark).collect();
    assert_eq!(marks, [MoveMark::Best, MoveMark::Best, MoveMark::Good]);
    let found = reviewed(&tablebase, "classic-3x3", Some("R../.Y./..G"), "a1R,a2R");
    let marks: Vec<MoveMark> = found.plies.iter().map(|ply| ply.mark).collect();
    assert_eq!(marks, [MoveMark::Mistake, MoveMark::Only]);
    assert_eq!(found.plies[0].lost, Some(FormerValue::Value(Value::Win)));
    assert_eq!((found.mistakes.first, found.mistakes.second), (1, 0));
    assert_eq!(found.result, Some("second"));
    // Of one legal move nobody says that it was the only one to keep something.
    let found = reviewed(&tablebase, "noughts-2x2", None, "a1,b1,a2,b2");
    assert_eq!(found.plies[3].mark, MoveMark::Forced);
    assert_eq!(found.result, Some("draw"));
    let found = reviewed(&tablebase, "noughts-3x3", None, "b2,b1,a1");
    assert_eq!(found.plies[1].mark, MoveMark::Mistake);
    assert_eq!(found.plies[1].lost, Some(FormerValue::Value(Value::Draw)));
    let points = reviewed(&tablebase, "points-2x3", None, "a1,a1,a1");
    let lost = points.plies.iter().filter_map(|ply| ply.lost);
    assert!(
        lost.clone()
            .all(|had| matches!(had, FormerValue::Points(_)))
    );
}

#[test]
fn games_with_luck_are_reviewed_by_their_record() {
    let tablebase = small();
    let record = by_itself(&tablebase, "bag-classic-2x3", Level::Easy, 3);
    let saved = RecordText::read(&record.to_string());
    let found = reviewed(&tablebase, "bag-classic-2x3", None, &saved.moves);
    assert_eq!(found.plies.len(), record.turns().len());
    assert!(found.plies.iter().all(|ply| ply.expectation.is_some()));
    for ply in &found.plies {
        let is_mistake = ply.mark == MoveMark::Mistake;
        assert_eq!(
            matches!(ply.lost, Some(FormerValue::Expectation(_))),
            is_mistake,
            "{ply:?}"
        );
    }
}

#[test]
fn a_hint_says_more_with_each_step() {
    let tablebase = small();
    let puzzle = one_winner(&tablebase);
    let answer = asked(&tablebase, &variant("classic-3x3"), &puzzle.position);
    let winner = puzzle.solution[0].clone();
    let square = winner[..2].to_string();
    assert_eq!(Hint::of(&answer, 1), Hint::Stands(Standing::Won(Some(1))));
    // Where a move is open, nobody knows how many keep the win.
    let mut open = answer.clone();
    for mv in open.moves.iter_mut().skip(1) {
        (mv.value, mv.distance) = (None, None);
    }
    assert_eq!(Hint::of(&open, 1), Hint::Stands(Standing::Won(None)));
    assert_eq!(Hint::of(&answer, 2), Hint::Places(vec![square]));
    let last = Hint::of(&answer, HINTS);
    let shown = Hint::Moves {
        moves: vec![winner],
        known: HintKind::Best,
    };
    assert_eq!(last, shown);
    assert_eq!(Hint::of(&answer, HINTS + 1), last);
    // Where several moves win, so does the hint say.
    let answer = asked(&tablebase, &variant("classic-3x3"), ".../.../...");
    let winning = answer
        .moves
        .iter()
        .filter(|mv| mv.value == Some(Value::Win));
    let Hint::Stands(Standing::Won(Some(count))) = Hint::of(&answer, 1) else {
        panic!("the start of classic-3x3 is won");
    };
    assert_eq!(count, winning.count());
}

#[test]
fn a_hint_in_a_lost_position_says_which_moves_last() {
    let tablebase = small();
    let (mut longest, mut alike) = (0, 0);
    for name in [
        "classic-3x3",
        "classic-2x3:play=misere",
        "noughts-3x3",
        "ampel-4-2-1",
    ] {
        let variant = variant(name);
        let mut dice = Dice::new(5, 0);
        let mut at = variant.start();
        for _ in 0..200 {
            let answer = asked(&tablebase, &variant, &variant.position_text(&at));
            if answer.terminal {
                at = variant.start();
                continue;
            }
            if answer.value == Value::Loss && answer.distance.is_some() {
                let best = answer.best.len();
                let Hint::Stands(Standing::Lost(endurance)) = Hint::of(&answer, 1) else {
                    panic!("{name} {}", answer.position);
                };
                let Hint::Moves { known, moves } = Hint::of(&answer, HINTS) else {
                    panic!("{name} {}", answer.position);
                };
                assert_eq!(moves, answer.best, "{name} {}", answer.position);
                let lasts = answer
                    .moves
                    .iter()
                    .filter(|mv| mv.distance == answer.distance);
                assert_eq!(lasts.count(), best, "{name} {}", answer.position);
                if best == answer.moves.len() {
                    alike += 1;
                    assert_eq!((endurance, known), (Endurance::Alike, HintKind::Losing));
                } else {
                    longest += 1;
                    let expected = (Endurance::Longest(best), HintKind::Longest);
                    assert_eq!((endurance, known), expected);
                }
            }
            let mv = dice.one_of(&answer.moves).unwrap();
            at = variant
                .play(&at, variant.parse_move(&at, &mv.mv).unwrap())
                .to;
        }
    }
    assert!(longest > 10 && alike > 10, "{longest} {alike}");
}

#[test]
fn the_fewest_replies_win_against_the_hardest_moves() {
    let (tablebase, variant) = (small(), variant("classic-3x4"));
    let mut told = 0;
    // The start, and lost positions of several plies, with red first.
    for position in ["..../..../....", "R.../.R../....", "RY../..R./G..."] {
        let answer = asked(&tablebase, &variant, position);
        let queries = tablebase.few_queries(&variant, &QueryOptions::default());
        let queries = queries.unwrap();
        let found = hardest(&queries, &answer).unwrap();
        // Reasons name each move once up to the symmetries of the position, in the order of the answer.
        let explained = Explanation::of(&queries, true, &answer, Language::English).unwrap();
        let moves = explained.moves.iter().map(|mv| &mv.mv);
        assert!(moves.eq(answer.moves.iter().map(|mv| &mv.mv)), "{position}");
        let images = explained.moves.iter().enumerate();
        for (number, (mv, first)) in
            images.filter_map(|(at, mv)| Some((at, (mv, mv.image_of.as_ref()?))))
        {
            let known = explained.moves[..number]
                .iter()
                .find(|known| known.mv == *first);
            let known = known.expect("an earlier move");
            assert_eq!((known.value, known.distance), (mv.value, mv.distance));
            assert_eq!(known.image_of, None, "{position}: {}", mv.mv);
        }
        let alone = explained.moves.iter().filter(|mv| mv.image_of.is_none());
        let expected = [
            ("..../..../....", 4),
            ("R.../.R../....", 12),
            ("RY../..R./G...", 11),
        ];
        assert!(expected.contains(&(position, alone.count())), "{position}");
        let mut counts = Vec::new();
        for mv in &answer.moves {
            let after = mv.after.unwrap();
            let mut replies = Vec::new();
            variant.moves(&after, &mut replies);
            let ends = |reply: &AnyMove| {
                let ending = variant.ending(&variant.play(&after, *reply).to);
                ending.is_some_and(|ending| ending.outcome == Outcome::Loss)
            };
            if replies.iter().any(ends) {
                continue;
            }
            let wins = |reply: &&AnyMove| {
                let to = variant.play(&after, **reply).to;
                let there = asked(&tablebase, &variant, &variant.position_text(&to));
                there.value == Value::Loss
            };
            let winning = replies.iter().filter(wins).count();
            counts.push((winning, replies.len(), mv.mv.clone()));
        }
        let share = |one: &(usize, usize, String)| one.0 as f64 / one.1 as f64;
        let least = counts.iter().map(share).fold(f64::INFINITY, f64::min);
        let hardest = counts.iter().filter(|one| share(one) == least);
        let fewest = hardest.clone().map(|one| one.0).min().unwrap();
        let hardest: Vec<_> = hardest.filter(|one| one.0 == fewest).collect();
        let is_told = answer.value == Value::Loss && least < 1.0 && hardest.len() < counts.len();
        told += usize::from(is_told);
        let names = hardest.iter().map(|one| one.2.clone());
        let expected = is_told.then(|| (names.collect(), fewest, hardest[0].1));
        assert_eq!(
            found.map(|found| (found.moves, found.winning, found.replies)),
            expected,
            "{position}"
        );
    }
    assert!(told > 0, "no position has moves that are harder to refute");
}

#[test]
fn whoever_is_behind_in_points_gives_no_line_away_before_it_must_be() {
    let (tablebase, game) = (small(), variant("points-3x3"));
    let mut plies = 0;
    for seed in 1..=5 {
        let record = by_itself(&tablebase, "points-3x3", Level::Perfect, seed);
        let mut at = game.start();
        for turn in record.turns() {
            let answer = asked(&tablebase, &game, &game.position_text(&at));
            let mv = game.parse_move(&at, &turn.mv).unwrap();
            let mut scratch = Vec::new();
            let is_safe = |mv: &MoveFigures, scratch: &mut Vec<AnyMove>| {
                game.is_safe(&mv.after.unwrap(), scratch)
            };
            let next = game.play(&at, mv).to;
            if answer.points < Some(0) {
                let mut moves = answer.best_moves().iter();
                let is_any = moves.any(|mv| is_safe(mv, &mut scratch));
                assert_eq!(
                    game.is_safe(&next, &mut scratch),
                    is_any,
                    "{}",
                    answer.position
                );
                plies += 1;
            }
            if answer.points > Some(0) {
                let mut moves = answer.best_moves().iter();
                let is_any = moves.any(|mv| mv.ends);
                assert_eq!(game.ending(&next).is_some(), is_any, "{}", answer.position);
            }
            at = next;
        }
    }
    assert!(plies > 10, "{plies} plies of a player who is behind");
}

/// The terminal and the pages ask this one function.
#[test]
fn a_hint_in_a_lost_position_is_about_the_moves_hardest_to_refute() {
    let tablebase = small();
    let variant = variant("classic-3x3");
    let queries = tablebase.queries(&variant, &QueryOptions::default());
    let queries = queries.unwrap();
    let mut dice = Dice::new(7, 0);
    let mut at = variant.start();
    let mut told = [0, 0];
    for _ in 0..300 {
        let answer = queries.answer(&at).unwrap();
        if answer.terminal {
            at = variant.start();
            continue;
        }
        let hint = Hint::at(&queries, &answer, HINTS).unwrap();
        let hardest = hardest(&queries, &answer).unwrap();
        told[usize::from(hardest.is_some())] += 1;
        let expected = match hardest {
            Some(hardest) => Hint::Moves {
                moves: hardest.moves,
                known: HintKind::Hardest,
            },
            None => Hint::of(&answer, HINTS),
        };
        assert_eq!(hint, expected, "{}", answer.position);
        let mut moves = Vec::new();
        variant.moves(&at, &mut moves);
        let mv = dice.one_of(&moves).expect("the game goes on");
        at = variant.play(&at, *mv).to;
    }
    assert!(told.iter().all(|count| *count > 0), "{told:?}");
}
