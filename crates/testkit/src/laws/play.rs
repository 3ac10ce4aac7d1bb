//! Laws of play: the player to move, the end, the declarations.

use greenwave_game::{Advance, Game, Luck, Mark, Metric, Outcome, Outcomes, Turn};

use super::law::{Case, EACH, FEW, Law, LawResult, MANY, ensure};

pub(super) fn laws<G: Game>() -> Vec<Law<G>> {
    vec![
        Law {
            name: "a position is finished, or a player moves, or chance does: exactly one of them",
            every: EACH,
            check: one_of_three,
        },
        Law {
            name: "no move and no draw is listed twice",
            every: EACH,
            check: nothing_twice,
        },
        Law {
            name: "lists are filled afresh",
            every: EACH,
            check: fresh_lists,
        },
        Law {
            name: "where turns alternate, no move keeps the turn",
            every: EACH,
            check: turns_alternate,
        },
        Law {
            name: "only declared chance draws, and every draw has a weight",
            every: EACH,
            check: luck_is_declared,
        },
        Law {
            name: "endings are of the declared kind, and their points have the sign of the outcome",
            every: EACH,
            check: endings_as_declared,
        },
        Law {
            name: "nothing is gained outside games with points",
            every: EACH,
            check: gains_as_declared,
        },
        Law {
            name: "nimbers exist only where a finished game is lost for the player to move",
            every: EACH,
            check: nimbers_have_a_meaning,
        },
        Law {
            name: "where positions cannot repeat, none comes again",
            every: FEW,
            check: never_comes_again,
        },
        Law {
            name: "the picture shows every square or point once, with the lights of the text",
            every: MANY,
            check: picture,
        },
    ]
}

fn one_of_three<G: Game>(case: &Case<'_, G>) -> LawResult {
    let (ended, moves, draws) = (case.ending.is_some(), case.moves.len(), case.draws.len());
    let parts = usize::from(ended) + usize::from(moves > 0) + usize::from(draws > 0);
    ensure(parts == 1, || {
        format!("finished: {ended}, moves: {moves}, draws: {draws}")
    })
}

fn nothing_twice<G: Game>(case: &Case<'_, G>) -> LawResult {
    for (number, mv) in case.moves.iter().enumerate() {
        ensure(!case.moves[..number].contains(mv), || {
            format!("{mv:?} is listed twice")
        })?;
    }
    for (number, (to, _)) in case.draws.iter().enumerate() {
        let before = &case.draws[..number];
        ensure(before.iter().all(|(other, _)| other != to), || {
            format!("the draw {} is listed twice", case.text(to))
        })?;
    }
    Ok(())
}

fn fresh_lists<G: Game>(case: &Case<'_, G>) -> LawResult {
    let other = case.other();
    let (mut moves, mut draws) = (Vec::new(), Vec::new());
    case.game.moves(&other, &mut moves);
    case.game.moves(&case.position, &mut moves);
    case.game.draws(&other, &mut draws);
    case.game.draws(&case.position, &mut draws);
    ensure(moves == case.moves && draws == case.draws, || {
        format!(
            "after the lists of {}: {} moves, {} draws",
            case.text(&other),
            moves.len(),
            draws.len()
        )
    })
}

fn turns_alternate<G: Game>(case: &Case<'_, G>) -> LawResult {
    if case.game.rules().properties.turn == Turn::Runs {
        return Ok(());
    }
    ensure(case.edges.iter().all(|edge| !edge.keeps_turn), || {
        "a move keeps the turn".into()
    })
}

fn luck_is_declared<G: Game>(case: &Case<'_, G>) -> LawResult {
    if case.game.rules().properties.luck == Luck::None {
        return ensure(case.draws.is_empty(), || "chance draws undeclared".into());
    }
    ensure(case.draws.iter().all(|(_, weight)| *weight > 0), || {
        "a draw of weight 0".into()
    })
}

fn endings_as_declared<G: Game>(case: &Case<'_, G>) -> LawResult {
    let Some(ending) = case.ending else {
        return Ok(());
    };
    let found = || format!("{ending:?}");
    match case.game.rules().properties.outcomes {
        Outcomes::WinLoss => ensure(ending.outcome != Outcome::Draw && ending.points == 0, found),
        Outcomes::WinDrawLoss => ensure(ending.points == 0, found),
        Outcomes::Points => ensure(ending.outcome == Outcome::of_points(ending.points), found),
        Outcomes::Expectation => ensure(
            ending.points == 0 || ending.outcome == Outcome::of_points(ending.points),
            found,
        ),
    }
}

fn gains_as_declared<G: Game>(case: &Case<'_, G>) -> LawResult {
    let outcomes = case.game.rules().properties.outcomes;
    let scored = matches!(outcomes, Outcomes::Points | Outcomes::Expectation);
    let gain = case
        .edges
        .iter()
        .map(|edge| edge.gain)
        .find(|gain| *gain != 0);
    ensure(scored || gain.is_none(), || {
        format!("a move gains {gain:?}")
    })
}

fn nimbers_have_a_meaning<G: Game>(case: &Case<'_, G>) -> LawResult {
    if !case.game.rules().metrics.contains(&Metric::Nimber) {
        return Ok(());
    }
    ensure(
        case.ending
            .is_none_or(|ending| ending.outcome == Outcome::Loss),
        || format!("{:?}", case.ending),
    )
}

// Looks three plies ahead: what can come again at all in games of this family comes again within
// them.
fn never_comes_again<G: Game>(case: &Case<'_, G>) -> LawResult {
    if case.game.rules().properties.advance == Advance::Repeats {
        return Ok(());
    }
    fn search<G: Game>(case: &Case<'_, G>, from: &G::Position, plies: u32) -> Option<u32> {
        let (mut moves, mut next) = (Vec::new(), Vec::new());
        case.game.draws(from, &mut next);
        case.game.moves(from, &mut moves);
        next.extend(moves.iter().map(|mv| (case.game.play(from, *mv).to, 1)));
        next.iter().find_map(|(to, _)| {
            if *to == case.position {
                Some(plies)
            } else if plies < 3 {
                search(case, to, plies + 1)
            } else {
                None
            }
        })
    }
    match search(case, &case.position, 1) {
        Some(plies) => Err(format!("it comes again after {plies} plies")),
        None => Ok(()),
    }
}

fn picture<G: Game>(case: &Case<'_, G>) -> LawResult {
    let diagram = case.game.diagram(&case.position);
    let cells = case.game.rules().cells as usize;
    let mut edges = diagram.edges.clone();
    edges.sort_unstable();
    edges.dedup();
    let is_edge = |(from, to): &(usize, usize)| from < to && *to < diagram.marks.len();
    ensure(
        edges.len() == diagram.edges.len() && edges.iter().all(is_edge),
        || {
            format!(
                "edges {:?} of {} points",
                diagram.edges,
                diagram.marks.len()
            )
        },
    )?;
    ensure(diagram.marks.len() == cells, || {
        format!(
            "{} marks for {cells} squares or points",
            diagram.marks.len()
        )
    })?;
    let mut places: Vec<(u16, u16)> = diagram.marks.iter().map(|(x, y, _)| (*x, *y)).collect();
    places.extend(diagram.labels.iter().map(|label| (label.x, label.y)));
    let count = places.len();
    places.sort_unstable();
    places.dedup();
    ensure(places.len() == count, || {
        "two marks or labels at one place".into()
    })?;
    // Levels by letter, signs by letter, on the picture and in the text; a text may hold more (hands, market).
    let text = case.text(&case.position);
    let board = text.split(';').next().unwrap_or_default();
    let signed = |(_, _, mark): &(u16, u16, Mark)| matches!(mark, Mark::Sign(_));
    let letters: String = if diagram.marks.iter().any(signed) {
        board.chars().filter(char::is_ascii_alphabetic).collect()
    } else {
        "RYG".into()
    };
    for letter in letters.chars() {
        let drawn = diagram
            .marks
            .iter()
            .filter(|(_, _, mark)| match mark {
                Mark::Level(shown) => diagram.letter(*shown) == letter,
                Mark::Disc { colour, .. } => *colour == letter,
                Mark::Sign(sign) => *sign == Some(letter),
                Mark::Point => false,
            })
            .count();
        let disc =
            |(_, _, mark): &(u16, u16, Mark)| matches!(mark, Mark::Disc { .. } | Mark::Point);
        let written = if diagram.marks.iter().any(disc) {
            // Points and discs: the rows are the last word of the text, in either case.
            let rows = text.rsplit(' ').next().unwrap_or_default();
            rows.chars()
                .filter(|shown| shown.eq_ignore_ascii_case(&letter))
                .count()
        } else {
            board.chars().filter(|shown| *shown == letter).count()
        };
        ensure(drawn == written, || {
            format!("{drawn} of '{letter}' in the picture, {written} in the text")
        })?;
    }
    Ok(())
}
