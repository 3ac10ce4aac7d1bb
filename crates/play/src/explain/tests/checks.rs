//! What is requested or played out to compare a fact with it.

use greenwave_game::{AnyPosition, Diagram, Game, Mark, Outcome, Variant};
use greenwave_tablebase::{CopyProof, Place, Queries, Value};

use crate::Dice;
use crate::explain::line::letter;
use crate::explain::{AnsweredMove, CompletedLine, RefutationPly};
use crate::symmetries::MoveOrbit;

/// Whether the player to move can win with the next move.
pub(super) fn wins_now(variant: &Variant, position: &AnyPosition) -> bool {
    let mut moves = Vec::new();
    variant.moves(position, &mut moves);
    moves.iter().any(|mv| {
        let to = variant.play(position, *mv).to;
        variant
            .ending(&to)
            .is_some_and(|ending| ending.outcome == Outcome::Loss)
    })
}

/// The positions that safe moves lead to: the player to move neither has won nor can win with the next move.
pub(super) fn safe_positions(variant: &Variant, position: &AnyPosition) -> Vec<AnyPosition> {
    let mut moves = Vec::new();
    variant.moves(position, &mut moves);
    let to = moves.iter().map(|mv| variant.play(position, *mv).to);
    to.filter(|to| variant.ending(to).is_none() && !wins_now(variant, to))
        .collect()
}

/// The position that a move leads to.
pub(super) fn after(variant: &Variant, from: &str, mv: &str) -> String {
    let to = Place::at(from).after(mv).find(variant).unwrap();
    variant.position_text(&to)
}

/// Every move of a position with the position after it.
pub(super) fn replies_to(variant: &Variant, from: &str) -> Vec<(String, String)> {
    let position = Place::at(from).find(variant).unwrap();
    let moves = variant.move_texts(&position).into_iter();
    moves
        .map(|mv| {
            let to = after(variant, from, &mv);
            (mv, to)
        })
        .collect()
}

/// The squares of the lines with which the player to move wins at once.
pub(super) fn lines_next(variant: &Variant, from: &str) -> Vec<Vec<String>> {
    let position = Place::at(from).find(variant).unwrap();
    if variant.ending(&position).is_some() {
        return Vec::new();
    }
    let won = replies_to(variant, from).into_iter().filter_map(|(_, to)| {
        let to = Place::at(&to).find(variant).unwrap();
        let ending = variant.ending(&to)?;
        let names = variant.diagram(&to).names;
        let lines = variant.completed_lines(&to).into_iter();
        let named = lines.map(|line| line.iter().map(|at| names[*at].clone()).collect());
        (ending.outcome == Outcome::Loss).then(|| named.collect::<Vec<Vec<String>>>())
    });
    won.flatten().collect()
}

/// A fact names every line that a move completes, and no other.
pub(super) fn assert_all_named(
    variant: &Variant,
    (before, after): (&AnyPosition, &AnyPosition),
    line: &CompletedLine,
    told: &str,
) {
    let names = variant.diagram(after).names;
    let stood = variant.completed_lines(before);
    let made = variant.completed_lines(after).into_iter();
    let made = made.filter(|line| !stood.contains(line));
    let made = made.map(|line| line.iter().map(|at| names[*at].clone()).collect());
    let named: Vec<Vec<String>> = line.each().map(|line| line.squares.clone()).collect();
    assert_eq!(named, made.collect::<Vec<Vec<String>>>(), "{told}");
}

/// Every reply that changes no square of the line leaves it to be completed next.
pub(super) fn assert_threatened(variant: &Variant, from: &str, line: &CompletedLine, told: &str) {
    let marks = |text: &str| {
        let diagram = variant.diagram(&Place::at(text).find(variant).unwrap());
        let of = |name: &String| {
            diagram
                .names
                .iter()
                .position(|known| known == name)
                .unwrap()
        };
        let marks: Vec<Mark> = line
            .squares
            .iter()
            .map(|name| diagram.marks[of(name)].2)
            .collect();
        marks
    };
    let replies = replies_to(variant, from).into_iter();
    let mut beside = replies
        .filter(|(_, to)| marks(from) == marks(to))
        .peekable();
    assert!(beside.peek().is_some(), "{told}");
    for (_, to) in beside {
        assert!(
            lines_next(variant, &to).contains(&line.squares),
            "{told}: {to}"
        );
    }
}

/// The replies after which the next move cannot complete a line.
pub(super) fn stopping(variant: &Variant, from: &str, line: &CompletedLine) -> Vec<String> {
    let stopping = replies_to(variant, from)
        .into_iter()
        .filter(|(_, next)| !lines_next(variant, next).contains(&line.squares));
    stopping.map(|(reply, _)| reply).collect()
}

/// Both lines are threatened, and every reply leaves one of them.
pub(super) fn assert_forked(
    variant: &Variant,
    forked: &str,
    lines: &[CompletedLine; 2],
    told: &str,
) {
    assert_ne!(lines[0], lines[1], "{told}");
    for (_, next) in replies_to(variant, forked) {
        let left = lines_next(variant, &next);
        let is_left = |line: &CompletedLine| left.contains(&line.squares);
        assert!(lines.iter().any(is_left), "{told}: {next}");
    }
    for line in lines {
        assert_threatened(variant, forked, line, told);
    }
}

/// The value of each reply, asked one by one.
pub(super) fn values(queries: &Queries<'_>, variant: &Variant, from: &str) -> Vec<Value> {
    let position = Place::at(from).find(variant).unwrap();
    let mut moves = Vec::new();
    variant.moves(&position, &mut moves);
    moves
        .iter()
        .map(|mv| {
            let step = variant.play(&position, *mv);
            let text = variant.position_text(&step.to);
            let value = queries.query(&Place::at(&text)).unwrap().value;
            match value {
                Value::Win if !step.keeps_turn => Value::Loss,
                Value::Loss if !step.keeps_turn => Value::Win,
                Value::Win | Value::Loss | Value::Draw | Value::Unknown => value,
            }
        })
        .collect()
}

/// The replies that are named as worth so much are those that are, and all replies are counted.
pub(super) fn assert_worth(
    queries: &Queries<'_>,
    variant: &Variant,
    from: &str,
    worth: Value,
    (named, replies): (&[String], usize),
) {
    let position = Place::at(from).find(variant).unwrap();
    let mut moves = Vec::new();
    variant.moves(&position, &mut moves);
    let values = values(queries, variant, from);
    let alike = moves
        .iter()
        .zip(&values)
        .filter(|(_, value)| **value == worth);
    let mut alike: Vec<String> = alike
        .map(|(mv, _)| variant.move_text(&position, *mv))
        .collect();
    let mut named = named.to_vec();
    alike.sort();
    named.sort();
    assert!(!named.is_empty(), "{from}");
    assert_eq!((named, replies), (alike, values.len()), "{from}");
}

/// The smallest number that is not among those of the positions after it, two plies deep.
pub(super) fn mex(queries: &Queries<'_>, from: &str) -> u32 {
    let after = queries.query(&Place::at(from)).unwrap();
    let seen: Vec<u32> = after.moves.iter().filter_map(|mv| mv.nimber).collect();
    (0..).find(|nimber| !seen.contains(nimber)).unwrap()
}

/// Play along safe moves makes so many of them, in whatever order.
pub(super) fn check_safe_moves(
    variant: &Variant,
    from: &str,
    (fewest, most): (u32, u32),
    told: &str,
) {
    for game in 0..8 {
        let mut dice = Dice::new(u64::from(most), game);
        let mut at = Place::at(from).find(variant).unwrap();
        let mut made = 0;
        loop {
            assert!(!wins_now(variant, &at), "{told}");
            let left = safe_positions(variant, &at);
            let Some(next) = dice.one_of(&left) else {
                break;
            };
            (at, made) = (*next, made + 1);
        }
        assert!((fewest..=most).contains(&made), "{told} {made}");
        assert_eq!(made % 2, fewest % 2, "{told} {made}");
    }
}

/// Two moves lead to positions that a symmetry turns into each other.
pub(super) fn assert_images(variant: &Variant, from: &str, mv: &str, image: &str, told: &str) {
    let to = |mv: &str| Place::at(from).after(mv).find(variant).unwrap();
    let (to, other) = (to(mv), to(image));
    let is_image = |symmetry| variant.image(&to, symmetry) == other;
    assert!(
        (0..variant.symmetries()).any(is_image),
        "{told}: {mv} {image}"
    );
}

/// Moves and their images, which symmetries make of them.
pub(super) fn flat_orbits(
    variant: &Variant,
    from: &str,
    orbits: &[MoveOrbit],
    told: &str,
) -> Vec<String> {
    let mut flat = Vec::new();
    for one in orbits {
        for image in &one.images {
            assert_images(variant, from, &one.mv, image, told);
        }
        flat.push(one.mv.clone());
        flat.extend(one.images.clone());
    }
    flat
}

/// Each of the moves is answered, or is the image of one that is, and each answer wins.
pub(super) fn check_answers(
    queries: &Queries<'_>,
    from: &str,
    moves: &[String],
    answers: &[AnsweredMove],
    told: &str,
) {
    let variant = queries.variant();
    let mut named = Vec::new();
    for one in answers {
        let (mv, answer) = (&one.made.mv, &one.answer);
        let answered = after(variant, &after(variant, from, mv), answer);
        let there = queries.query(&Place::at(&answered)).unwrap();
        assert_eq!(there.value, Value::Loss, "{told}: {mv} {answer}");
        for image in &one.made.images {
            assert_images(variant, from, mv, image, told);
        }
        named.push(mv.clone());
        named.extend(one.made.images.clone());
    }
    let mut moves = moves.to_vec();
    named.sort();
    moves.sort();
    assert_eq!(named, moves, "{told}");
}

/// Every ply can be made, and a move that is marked wins alone, or alone is worth the most points.
pub(super) fn check_steps(queries: &Queries<'_>, from: &str, line: &[RefutationPly], told: &str) {
    let mut at = from.to_string();
    for step in line {
        let all = values(queries, queries.variant(), &at);
        let points = queries.query(&Place::at(&at)).unwrap().moves;
        let points: Vec<i32> = points.iter().filter_map(|mv| mv.points).collect();
        let keeping = match points.iter().max() {
            Some(most) => points.iter().filter(|points| *points == most).count(),
            None => all.iter().filter(|value| **value == Value::Win).count(),
        };
        assert_eq!(
            step.only,
            keeping == 1 && all.len() > 1,
            "{told}: {}",
            step.mv
        );
        at = after(queries.variant(), &at, &step.mv);
    }
}

/// The lines of three squares next to each other, in every direction.
pub(super) fn places_of_lines(variant: &Variant, diagram: &Diagram) -> Vec<Vec<usize>> {
    let of = |x: i32, y: i32| {
        let marks = diagram.marks.iter();
        let mut places = marks.map(|(x, y, _)| (i32::from(*x), i32::from(*y)));
        places.position(|place| place == (x, y))
    };
    let mut lines = Vec::new();
    for (x, y, _) in &diagram.marks {
        for (dx, dy) in [(2, 0), (0, 1), (2, 1), (2, -1)] {
            let (x, y) = (i32::from(*x), i32::from(*y));
            let line: Option<Vec<usize>> = (0..3).map(|n| of(x + n * dx, y + n * dy)).collect();
            lines.extend(line);
        }
    }
    assert!(
        variant.rules().name.starts_with("noughts-3x"),
        "lines of three"
    );
    lines
}

/// The squares of each pair look alike and play can go on there; the others are full.
pub(super) fn check_pairs(variant: &Variant, at: &str, proof: &CopyProof, told: &str) {
    let diagram = variant.diagram(&Place::at(at).find(variant).unwrap());
    let mark = |name: &String| {
        let place = diagram.names.iter().position(|known| known == name);
        diagram.marks[place.unwrap()].2
    };
    let mut named: Vec<&String> = proof.centre.iter().collect();
    for (square, image) in &proof.pairs {
        assert_eq!(mark(square), mark(image), "{told}");
        named.extend([square, image]);
    }
    assert!(!proof.pairs.is_empty(), "{told}");
    let open = replies_to(variant, at);
    for name in &diagram.names {
        let is_open = open.iter().any(|(mv, _)| mv.starts_with(name.as_str()));
        let times = named.iter().filter(|known| **known == name).count();
        assert_eq!(times, usize::from(is_open), "{told}: {name}");
    }
}

/// The move ends on a point of the line, what else stands there is of the line's colours, and all of it is taken off.
pub(super) fn check_captured(
    variant: &Variant,
    from: &str,
    mv: &str,
    line: &CompletedLine,
    told: &str,
) {
    let before = Place::at(from).find(variant).unwrap();
    let before = variant.diagram(&before);
    let after = variant.diagram(&Place::at(from).after(mv).find(variant).unwrap());
    let (start, end) = mv.split_once('-').expect(told);
    assert_eq!(line.lights, "RYG", "{told}");
    for (name, light) in line.squares.iter().zip(line.lights.chars()) {
        let place = before.names.iter().position(|known| known == name).unwrap();
        let moved = if name == end { start } else { name };
        let stood = before.names.iter().position(|known| known == moved);
        assert_eq!(letter(&before, stood.unwrap()), light, "{told}");
        assert_eq!(letter(&after, place), '.', "{told}");
    }
    assert!(line.squares.iter().any(|name| name == end), "{told}");
}
