//! Compares one fact about a move with values that are requested one by one.

use greenwave_game::{AnyMove, AnyPosition, Edge, Game, Mark, Outcome, Play, Turn};
use greenwave_tablebase::{MoveFigures, Place, Queries, Value};

use super::checks::*;
use crate::Dice;
use crate::explain::line::letter;
use crate::explain::sentence::NEAR;
use crate::explain::{CompletedLine, Fact, MoveRefutation};

pub(super) fn check_fact(queries: &Queries<'_>, from: &str, mv: &MoveFigures, fact: &Fact) {
    let variant = queries.variant();
    let told = format!("{from} {} {fact:?}", mv.mv);
    let to = mv.to.as_deref().unwrap_or_default();
    let at = |text: &str| Place::at(text).find(variant).unwrap();
    // Where a fork begins: whoever makes it wins.
    let forker_moved = |reply: Option<&str>| {
        let wins = if reply.is_some() {
            Value::Loss
        } else {
            Value::Win
        };
        assert_eq!(mv.value, Some(wins), "{told}");
        reply.map_or_else(|| to.to_string(), |reply| after(variant, to, reply))
    };
    let completes = |from: &str, mv: &str, line: &CompletedLine| {
        let to = Place::at(from).after(mv).find(variant).unwrap();
        variant.ending(&to).expect("the line ends the game");
        let diagram = variant.diagram(&to);
        let place = |name| {
            diagram
                .names
                .iter()
                .position(|known| known == name)
                .unwrap()
        };
        if variant.completed_lines(&to).is_empty() {
            for line in line.each() {
                check_captured(variant, from, mv, line, &told);
            }
        } else {
            assert_all_named(variant, (&at(from), &to), line, &told);
        }
        let is_named = told.contains(&line.name());
        for line in line.each() {
            let letters = line
                .squares
                .iter()
                .map(|name| letter(&diagram, place(name)));
            let lights: String = letters.collect();
            let is_captured = variant.features().cylinders;
            assert!(is_captured || lights == line.lights, "{told}");
            assert!(
                line.squares.len() > 1 && told.contains(&line.name()) == is_named,
                "{told}"
            );
        }
        let made = variant.parse_move(&at(from), mv).unwrap();
        variant.is_win(&variant.play(&at(from), made))
    };
    match fact {
        Fact::Completes { line, wins } => {
            assert_eq!(completes(from, &mv.mv, line), *wins, "{told}");
        }
        Fact::RefutedAtOnce { reply, line } => {
            assert!(completes(to, reply, line), "{told}");
            assert_eq!(mv.value, Some(Value::Loss), "{told}");
        }
        Fact::GoesOn { next, line } => {
            assert!(completes(to, next, line), "{told}");
            assert_eq!(mv.value, Some(Value::Win), "{told}");
        }
        Fact::Continues {
            value,
            keeping,
            moves,
            line,
        } => {
            let values = values(queries, variant, to);
            let kept = values.iter().filter(|kept| *kept == value).count();
            assert_eq!((kept, values.len()), (*keeping, *moves), "{told}");
            assert_eq!(mv.value, Some(*value), "{told}");
            assert!(
                kept > 0 && (*value != Value::Loss || kept == *moves),
                "{told}"
            );
            check_steps(queries, to, line, &told);
        }
        Fact::Refuted {
            winning,
            orbits,
            replies,
            line,
        } => {
            let mut flat = flat_orbits(variant, to, orbits, &told);
            let mut named = winning.clone();
            flat.sort();
            named.sort();
            assert_eq!(flat, named, "{told}");
            assert_worth(queries, variant, to, Value::Win, (winning, *replies));
            assert_eq!(line[0].mv, winning[0], "{told}");
            check_steps(queries, to, line, &told);
        }
        Fact::Holds {
            replies,
            longest,
            line,
            answers,
            example,
        } => {
            check_example(queries, to, example);
            if !answers.is_empty() {
                let replies = replies_to(variant, to).into_iter().map(|(reply, _)| reply);
                check_answers(queries, to, &replies.collect::<Vec<_>>(), answers, &told);
            }
            assert!(example.iter().all(|one| one.mv == longest[0]), "{told}");
            let values = values(queries, variant, to);
            assert_eq!(values.len(), *replies, "{told}");
            assert!(values.iter().all(|value| *value == Value::Loss), "{told}");
            let replied = queries.query(&Place::at(to)).unwrap();
            let most = replied
                .moves
                .iter()
                .filter_map(|reply| reply.distance)
                .max();
            let hold = |reply: &&MoveFigures| reply.distance == most;
            let hold = replied.moves.iter().filter(hold);
            assert!(hold.map(|reply| &reply.mv).eq(longest), "{told}");
            check_steps(queries, to, line, &told);
        }
        Fact::Fork { reply, lines } => {
            let forked = forker_moved(reply.as_deref());
            assert_forked(variant, &forked, lines, &told);
        }
        Fact::Forces {
            reply,
            answers,
            lines,
        } => {
            let mut at = forker_moved(reply.as_deref());
            assert!(!answers.is_empty(), "{told}");
            for forced in answers {
                assert_threatened(variant, &at, &forced.line, &told);
                assert_eq!(
                    stopping(variant, &at, &forced.line),
                    std::slice::from_ref(&forced.answer),
                    "{told}"
                );
                let answered = after(variant, &at, &forced.answer);
                at = after(variant, &answered, &forced.next);
            }
            assert_forked(variant, &at, lines, &told);
        }
        Fact::ForksNext {
            reply,
            answer,
            next,
            lines,
        } => {
            let at = forker_moved(reply.as_deref());
            let forked = after(variant, &after(variant, &at, answer), next);
            assert_forked(variant, &forked, lines, &told);
            // After every other answer some move wins in three plies.
            for (_, answered) in replies_to(variant, &at) {
                let found = queries.query(&Place::at(&answered)).unwrap();
                assert_eq!(found.value, Value::Win, "{told}: {answered}");
                assert!(
                    found.distance.is_some_and(|plies| plies <= 3),
                    "{told}: {answered}"
                );
            }
        }
        Fact::Threatens { line, stops } => {
            assert_threatened(variant, to, line, &told);
            assert!(
                !stops.is_empty() && *stops == stopping(variant, to, line),
                "{told}"
            );
        }
        Fact::Stops {
            line,
            stopping: number,
            moves,
        } => {
            let stops = stopping(variant, from, line);
            assert!(stops.contains(&mv.mv), "{told}");
            assert_eq!(stops.len(), *number, "{told}");
            assert_eq!(replies_to(variant, from).len(), *moves, "{told}");
            assert!(number < moves && !wins_now(variant, &at(to)), "{told}");
            assert_threatened(variant, from, line, &told);
        }
        Fact::Blocked { own, other } => {
            assert_eq!(mv.value, Some(Value::Draw), "{told}");
            assert!(!own || !other, "{told}");
            // Whatever comes, only such a player wins.
            for game in 0..20 {
                let mut dice = Dice::new(43, game);
                let (mut here, mut is_own) = (at(to), false);
                for _ in 0..60 {
                    let mut moves = Vec::new();
                    variant.moves(&here, &mut moves);
                    let Some(made) = dice.one_of(&moves) else {
                        break;
                    };
                    let edge = variant.play(&here, *made);
                    (here, is_own) = (edge.to, is_own == edge.keeps_turn);
                }
                let won = match variant.ending(&here).map(|ending| ending.outcome) {
                    Some(Outcome::Win) => Some(is_own),
                    Some(Outcome::Loss) => Some(!is_own),
                    Some(Outcome::Draw) | None => None,
                };
                let can = won.is_none_or(|by_own| if by_own { *own } else { *other });
                assert!(can, "{told}");
            }
        }
        Fact::OpenLines { own, other } => {
            // Each line that a player fills alone is one of those.
            let diagram = variant.diagram(&at(to));
            let signs: Vec<Option<char>> = diagram
                .marks
                .iter()
                .map(|(_, _, mark)| match mark {
                    Mark::Sign(sign) => *sign,
                    Mark::Level(_) | Mark::Disc { .. } | Mark::Point => None,
                })
                .collect();
            let mover = signs.iter().flatten().filter(|sign| **sign == 'X').count();
            let is_x = mover * 2 == signs.iter().flatten().count();
            let places = places_of_lines(variant, &diagram);
            let open = |sign: char| {
                let free = |line: &&Vec<usize>| {
                    line.iter()
                        .all(|at| signs[*at].is_none_or(|there| there == sign))
                };
                places.iter().filter(free).count()
            };
            let [x, o] = ['X', 'O'].map(open);
            // After the move X is to move where there are as many X as O.
            let expected = if is_x { (o, x) } else { (x, o) };
            assert_eq!((*own, *other), expected, "{told}");
        }
        Fact::Repeats { plies, line } => {
            assert_eq!(mv.value, Some(Value::Draw), "{told}");
            let mut seen = vec![at(from), at(to)];
            let mut here = at(to);
            for (number, step) in line.iter().enumerate() {
                here = variant
                    .play(&here, variant.parse_move(&here, &step.mv).unwrap())
                    .to;
                let value = queries.query(&Place::at(&variant.position_text(&here)));
                assert_eq!(value.unwrap().value, Value::Draw, "{told}");
                let is_last = number + 1 == line.len();
                assert_eq!(seen.contains(&here), is_last, "{told}");
                seen.push(here);
            }
            assert_eq!(line.len() as u32 + 1, *plies, "{told}");
            check_steps(queries, to, line, &told);
        }
        Fact::EndsGame { outcome } => {
            let ending = variant.ending(&at(to)).expect(&told);
            assert_eq!(mv.figures().value, Some(*outcome), "{told}");
            let is_drawn = ending.outcome == Outcome::Draw;
            assert_eq!(is_drawn, *outcome == Outcome::Draw, "{told}");
        }
        Fact::OnlyLegal => assert_eq!(replies_to(variant, from).len(), 1, "{told}"),
        Fact::Gains { line, points } => {
            let made = variant.parse_move(&at(from), &mv.mv).unwrap();
            assert_eq!(variant.play(&at(from), made).gain, *points, "{told}");
            assert!(variant.ending(&at(to)).is_none(), "{told}");
            assert_all_named(variant, (&at(from), &at(to)), line, &told);
        }
        Fact::Better { best, points } => {
            let all = queries.query(&Place::at(from)).unwrap().moves;
            let most = all.iter().filter_map(|mv| mv.points).max();
            let known = all.iter().find(|known| known.mv == *best).unwrap();
            assert_eq!(
                (known.points, most),
                (Some(*points), Some(*points)),
                "{told}"
            );
            assert!(mv.points < Some(*points), "{told}");
        }
        Fact::Beside {
            losing,
            moves,
            example,
        } => {
            let values = values(queries, variant, from);
            let lost = values.iter().filter(|value| **value == Value::Loss);
            assert_eq!((lost.count(), values.len()), (*losing, *moves), "{told}");
            assert!(!values.contains(&Value::Win), "{told}");
            assert_eq!(mv.value, Some(Value::Draw), "{told}");
            assert_eq!(example.is_some(), *losing > 0, "{told}");
            check_example(queries, from, example);
        }
        Fact::Market {
            ahead,
            of,
            best,
            worst,
        } => {
            let at = variant.parse_position(from).unwrap();
            let made = variant.parse_move(&at, &mv.mv).unwrap();
            let Edge {
                to: made,
                keeps_turn,
                ..
            } = variant.play(&at, made);
            let mut draws = Vec::new();
            variant.draws(&made, &mut draws);
            let worth = |at: &AnyPosition| {
                let there = queries
                    .query(&Place::at(&variant.position_text(at)))
                    .unwrap();
                there.odds.unwrap().expectation * if keeps_turn { 1.0 } else { -1.0 }
            };
            let all: u32 = draws.iter().map(|(_, weight)| weight).sum();
            let good = draws.iter().filter(|(to, _)| worth(to) > 0.0);
            let good: u32 = good.map(|(_, weight)| weight).sum();
            assert_eq!((good, all), (*ahead, *of), "{told}");
            let drawn = |text: &str| {
                let mut named = draws.iter().filter(|(to, _)| variant.draw_text(to) == text);
                worth(&named.next().unwrap().0)
            };
            for (to, _) in &draws {
                let worth = worth(to);
                assert!(drawn(worst) <= worth && worth <= drawn(best), "{told}");
            }
        }
        Fact::Alone { at_once, moves } => {
            let values = values(queries, variant, from);
            let won = values.iter().filter(|value| **value == Value::Win);
            assert_eq!((won.count(), values.len()), (1, *moves), "{told}");
            assert_eq!(mv.value, Some(Value::Win), "{told}");
            let mut all = Vec::new();
            let at = variant.parse_position(from).unwrap();
            variant.moves(&at, &mut all);
            let loses = |mv: &&AnyMove| {
                let to = variant.play(&at, **mv).to;
                match variant.ending(&to) {
                    Some(ending) => ending.outcome == Outcome::Win,
                    None => wins_now(variant, &to),
                }
            };
            let alternates = variant.rules().properties.turn == Turn::Alternates;
            let losing = all.iter().filter(|mv| alternates && loses(mv));
            assert_eq!(losing.count(), *at_once, "{told}");
        }
        Fact::Draws {
            holding,
            losing,
            replies,
            line,
            example,
        } => {
            check_example(queries, to, example);
            let losing = flat_orbits(variant, to, losing, &told);
            if !losing.is_empty() {
                assert_worth(queries, variant, to, Value::Loss, (&losing, *replies));
            }
            assert_eq!(losing.len() + holding.len(), *replies, "{told}");
            assert!(example.is_none() || holding.len() < *replies, "{told}");
            let values = values(queries, variant, to);
            assert_worth(queries, variant, to, Value::Draw, (holding, *replies));
            assert!(!values.contains(&Value::Win), "{told}");
            check_steps(queries, to, line, &told);
        }
        Fact::Scores {
            points,
            completes,
            line,
        } => {
            assert_eq!(Some(*points), mv.points, "{told}");
            let last = line.first().map_or((from, &mv.mv), |reply| (to, &reply.mv));
            let end = Place::at(last.0).after(last.1).find(variant).unwrap();
            if let Some(completes) = completes {
                assert_all_named(variant, (&at(last.0), &end), completes, &told);
            }
            let Some(reply) = line.first() else { return };
            // The reply takes what is left.
            let after = queries.query(&Place::at(to)).unwrap();
            let best = after.moves.iter().filter_map(|mv| mv.points).max();
            let replied = after
                .moves
                .iter()
                .find(|known| known.mv == reply.mv)
                .unwrap();
            assert_eq!(replied.points, best, "{told}");
            check_steps(queries, to, line, &told);
        }
        Fact::Parity { fewest, most } => {
            // The number of safe moves alone tells who wins, and any play along them makes such a number.
            let runs_out = if fewest % 2 == 0 {
                Value::Win
            } else {
                Value::Loss
            };
            assert_eq!(mv.value, Some(runs_out), "{told}");
            check_safe_moves(variant, to, (*fewest, *most), &told);
        }
        Fact::Safe {
            reply,
            safe,
            answers,
            moves,
            scored,
        } => {
            let at = match reply {
                Some(reply) => {
                    assert_eq!(mv.value, Some(Value::Loss), "{told}");
                    after(variant, to, reply)
                }
                None => to.to_string(),
            };
            assert_eq!(*scored, mv.points.is_some(), "{told}");
            if !answers.is_empty() {
                check_answers(queries, &at, safe, answers, &told);
            }
            let left = queries.query(&Place::at(&at)).unwrap();
            assert_eq!(left.moves.len(), *moves, "{told}");
            let names: std::collections::BTreeSet<&str> = safe.iter().map(String::as_str).collect();
            for (reply, next) in replies_to(variant, &at) {
                let position = Place::at(&next).find(variant).unwrap();
                let ending = variant.ending(&position);
                let loses = ending.is_some_and(|ending| ending.outcome == Outcome::Win);
                let is_safe = !loses && (ending.is_some() || !wins_now(variant, &position));
                assert_eq!(names.contains(&*reply), is_safe, "{told}: {reply}");
                if *scored {
                    assert!(is_safe || !lines_next(variant, &next).is_empty(), "{told}");
                    continue;
                }
                let known = left.moves.iter().find(|known| known.mv == reply).unwrap();
                let in_two = known.distance.is_some_and(|plies| plies <= 2);
                let is_lost = known.value == Some(Value::Loss) && in_two;
                assert_eq!(!is_safe, is_lost, "{told}: {reply}");
            }
            assert!(safe.len() < *moves, "{told}");
        }
        Fact::StripAlone { safe } => {
            for (reply, next) in replies_to(variant, to) {
                let is_of_strip = reply.starts_with("slide") || reply == "turn";
                let position = Place::at(&next).find(variant).unwrap();
                let goes_on = variant.ending(&position).is_none();
                if is_of_strip {
                    let is_safe = goes_on && !wins_now(variant, &position);
                    assert_eq!(safe.contains(&reply), is_safe, "{told}: {reply}");
                } else {
                    assert!(goes_on && !lines_next(variant, &next).is_empty(), "{told}");
                    assert!(!safe.contains(&reply), "{told}");
                }
            }
            assert!(!safe.is_empty(), "{told}");
        }
        Fact::SlidesBack { reply, draws } => {
            assert_eq!(after(variant, to, reply), from, "{told}");
            let value = if *draws { Value::Draw } else { Value::Loss };
            assert_eq!(mv.value, Some(value), "{told}");
            // The reply is as good as any.
            assert_eq!(
                queries.query(&Place::at(from)).unwrap().value,
                value,
                "{told}"
            );
            assert!(mv.mv.starts_with("slide") || mv.mv == "turn", "{told}");
        }
        Fact::NoneAtOnce { scored } => {
            assert_eq!(*scored, mv.points.is_some(), "{told}");
            assert!(lines_next(variant, to).is_empty(), "{told}");
            let position = Place::at(to).find(variant).unwrap();
            assert!(!wins_now(variant, &position), "{told}");
        }
        Fact::Copied { reply, proof } => {
            assert_eq!(mv.value, Some(Value::Loss), "{told}");
            let copied = queries
                .query(&Place::at(&after(variant, to, reply)))
                .unwrap();
            assert_eq!(
                (copied.value, copied.terminal),
                (Value::Loss, false),
                "{told}"
            );
            check_pairs(variant, &after(variant, to, reply), proof, &told);
        }
        Fact::Published { outcome, .. } => {
            assert_eq!(mv.figures().value, Some(*outcome), "{told}");
        }
        Fact::Ends {
            own,
            completes: last,
            line,
        } => {
            let (mut here, mut mover, mut by_own) = (at(from), true, true);
            let made = line.iter().map(|step| step.mv.as_str());
            for mv in std::iter::once(mv.mv.as_str()).chain(made) {
                let edge = variant.play(&here, variant.parse_move(&here, mv).unwrap());
                (here, by_own, mover) = (edge.to, mover, mover == edge.keeps_turn);
            }
            assert_eq!(*own, by_own, "{told}");
            if let Some(value) = mv.value.filter(|_| mv.points.is_none()) {
                assert_eq!(value == Value::Win, *own, "{told}");
            }
            let (end, rest) = line.split_last().unwrap();
            let made = rest
                .iter()
                .fold(to.to_string(), |at, step| after(variant, &at, &step.mv));
            completes(&made, &end.mv, last);
            check_steps(queries, to, line, &told);
        }
        Fact::Answers {
            reply,
            answers,
            longest,
            plies,
            example,
        } => {
            check_example(queries, &after(variant, to, reply), example);
            assert!(example.iter().all(|one| one.mv == *longest), "{told}");
            assert_eq!(mv.value, Some(Value::Loss), "{told}");
            let replied = after(variant, to, reply);
            let values = values(queries, variant, &replied);
            assert_eq!(values.len(), *answers, "{told}");
            assert!(values.iter().all(|value| *value == Value::Loss), "{told}");
            // As long as the longest answer, and no other is longer.
            let lasts = |mv: &str| {
                let rest = queries.query(&Place::at(&after(variant, &replied, mv)));
                rest.unwrap().distance.unwrap_or(0) + 1
            };
            assert_eq!(lasts(longest), *plies, "{told}");
            let answered = queries.query(&Place::at(&replied)).unwrap();
            let most = answered.moves.iter().map(|mv| lasts(&mv.mv)).max();
            assert_eq!(most, Some(*plies), "{told}");
        }
        Fact::ToEnd {
            completes: last,
            safe,
            loses,
            line,
            settled,
        } => {
            if let Some(settled) = settled {
                let passed = &line[..settled.plies as usize - 1];
                let there = passed
                    .iter()
                    .fold(to.to_string(), |at, step| after(variant, &at, &step.mv));
                let ahead = (*safe - passed.len() as u32) % 2;
                assert_eq!(settled.fewest % 2, ahead, "{told}");
                assert!(line.len() >= NEAR, "{told}");
                check_safe_moves(variant, &there, (settled.fewest, settled.most), &told);
            }
            let board = variant.fixed_board().map(|game| game.board().play);
            assert_eq!(*loses, board == Some(Play::Misere), "{told}");
            // So many plies of it are safe, and then no move is.
            let mut at = Place::at(to).find(variant).unwrap();
            for step in &line[..*safe as usize] {
                let left = safe_positions(variant, &at);
                let made = variant.parse_move(&at, &step.mv).unwrap();
                at = variant.play(&at, made).to;
                assert!(left.contains(&at), "{told}: {}", step.mv);
            }
            let left = safe_positions(variant, &at);
            assert!(left.is_empty() && !wins_now(variant, &at), "{told}");
            assert_eq!(safe % 2 == 0, mv.value == Some(Value::Win), "{told}");
            let (end, rest) = line.split_last().unwrap();
            let made = rest
                .iter()
                .fold(to.to_string(), |at, step| after(variant, &at, &step.mv));
            completes(&made, &end.mv, last);
            assert_eq!(mv.distance, Some(line.len() as u32 + 1), "{told}");
            check_steps(queries, to, line, &told);
        }
        Fact::SafeMoves { safe, plies } => {
            assert_eq!(mv.distance, Some(*plies), "{told}");
            assert_eq!(safe % 2 == 0, mv.value == Some(Value::Win), "{told}");
            let mut at = to.to_string();
            for _ in 0..*safe {
                let best = queries.query(&Place::at(&at)).unwrap().best[0].clone();
                let position = Place::at(&at).find(variant).unwrap();
                let left = safe_positions(variant, &position);
                at = after(variant, &at, &best);
                let made = Place::at(&at).find(variant).unwrap();
                assert!(left.contains(&made), "{told}: {best}");
            }
            let position = Place::at(&at).find(variant).unwrap();
            assert!(safe_positions(variant, &position).is_empty(), "{told}");
        }
        Fact::Proved { proof, .. } => {
            check_pairs(variant, to, proof, &told);
            assert_eq!(mv.value, Some(Value::Win), "{told}");
            assert_eq!(
                queries.query(&Place::at(to)).unwrap().value,
                Value::Loss,
                "{told}"
            );
            // A copied position looks the same as the original.
            let answer = values(queries, variant, to);
            assert!(answer.iter().all(|value| *value == Value::Loss), "{told}");
        }
        Fact::Nimber { nimber } => assert_eq!(mex(queries, to), *nimber, "{told}"),
        Fact::Search { plies } => {
            let Some(plies) = plies else { return };
            let after = queries.query(&Place::at(to)).unwrap();
            let of_rest = after.distance.unwrap_or(0);
            assert_eq!(of_rest + 1, *plies, "{told}");
        }
    }
}

/// The move loses, and the fact about it is true.
fn check_example(queries: &Queries<'_>, from: &str, example: &Option<MoveRefutation>) {
    let Some(MoveRefutation { mv, fact }) = example else {
        return;
    };
    let answer = queries.query(&Place::at(from)).unwrap();
    let lost = answer.moves.iter().find(|known| known.mv == *mv).unwrap();
    assert_eq!(lost.value, Some(Value::Loss), "{from} {mv}");
    check_fact(queries, from, lost, fact);
}
