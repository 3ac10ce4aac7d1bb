//! Tests about particular positions, and about all positions that an expression describes.

use greenwave_game::{
    AnyPosition, Code, Figures, Filling, Game, Luck, Message, Metric, Outcome, Plies, Squares,
    Variant, VariantGame, counted_points, fixed_board, with_game,
};
use greenwave_probe::rank;
use greenwave_solver::SolveError;
use greenwave_values::{Orbits, Progress, codes};

use super::evidence;
use super::read::{MoveList, MoveSet, StatementForm, TestKind};
use super::tablebase::{ClaimTablebase, TestResult};
use crate::expr::{BoundExpression, KnownValues, MoveLists};
use crate::longest::line_to;
use crate::{Among, JudgeError, ReachedPositions};

/// Checks that a text is a position of the variant.
pub(super) fn read_position(variant: &Variant, text: Option<&str>) -> Result<(), JudgeError> {
    let Some(text) = text else { return Ok(()) };
    variant
        .parse_position(text)
        .map(drop)
        .map_err(JudgeError::from)
}

/// Checks that texts are written as moves of the variant are; whether they are legal is another
/// question. A move that is legal where the one before leads is played, so that the next is read there.
pub(super) fn read_moves(
    variant: &Variant,
    position: Option<&str>,
    texts: &[String],
    in_turn: bool,
) -> Result<(), JudgeError> {
    let mut at = position_of(variant, position)?;
    for text in texts {
        match variant.parse_move(&at, text) {
            Ok(mv) if in_turn => at = variant.play(&at, mv).to,
            Err(error) if !error.readable => {
                return Err(JudgeError::refused(format!(
                    "'{text}' cannot be read as a move of {}: {}",
                    variant.rules().title(),
                    error.problem
                )));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Checks that the variant has a metric.
pub(super) fn has_metric(variant: &Variant, metric: Metric) -> Result<(), JudgeError> {
    let rules = variant.rules();
    if rules.metrics.contains(&metric) {
        return Ok(());
    }
    Err(JudgeError::Solve(SolveError::Metric {
        variant: rules.title().to_string(),
        metric,
        allowed: rules.metrics.clone(),
    }))
}

/// Checks that an expression fits the variant.
pub(super) fn read_expression(variant: &Variant, text: &str) -> Result<(), JudgeError> {
    BoundExpression::of(variant, text)
        .map(drop)
        .map_err(JudgeError::from)
}

/// Checks that the positions of the variant can all be visited.
pub(super) fn can_be_gone_through(variant: &Variant, among: Among) -> Result<(), JudgeError> {
    let rules = variant.rules();
    if among == Among::Reachable && rules.properties.luck == Luck::Draws {
        return Err(JudgeError::refused(format!(
            "{}: it has luck in it, and what play can reach is not worked out then; say among = 'legal'",
            rules.title()
        )));
    }
    Ok(())
}

fn position_of(variant: &Variant, text: Option<&str>) -> Result<AnyPosition, JudgeError> {
    match text {
        Some(text) => Ok(variant.parse_position(text)?),
        None => Ok(variant.start()),
    }
}

/// Figures of some positions, from the rules where the game is over; values are had only where one
/// goes on.
fn figures(
    variant: &Variant,
    metric: Metric,
    positions: &[AnyPosition],
    consulted: &ClaimTablebase<'_>,
) -> Result<Vec<Figures>, JudgeError> {
    let ended = |position: &AnyPosition| {
        let ending = variant.ending(position)?;
        Some(match metric {
            Metric::Odds => Figures::of(
                Some(ending.outcome),
                None,
                Some(ending.points).filter(|points| *points != 0),
            ),
            Metric::Value | Metric::Distance | Metric::Points | Metric::Nimber => {
                codes::ended(metric, &ending)
            }
        })
    };
    let ended: Vec<_> = positions.iter().map(ended).collect();
    if ended.iter().all(Option::is_some) {
        return Ok(ended.into_iter().flatten().collect());
    }
    let sources = consulted.sources(variant, &[metric])?;
    with_game!(variant, game => sources.ask(game, None, |known| {
        let each = positions.iter().zip(ended);
        let figures = each.map(|(position, ended)| {
            ended.unwrap_or_else(|| known.figures(metric, &game.position(position)))
        });
        Ok(figures.collect())
    }))
}

/// Figures of one position, likewise.
pub(super) fn figures_at(
    variant: &Variant,
    metric: Metric,
    position: &AnyPosition,
    consulted: &ClaimTablebase<'_>,
) -> Result<Figures, JudgeError> {
    let found = figures(variant, metric, &[*position], consulted)?;
    Ok(found.into_iter().next().unwrap_or_default())
}

// Boards up to this many indices are always solved for the default metric, which tells more.
const SMALL: u128 = 1 << 24;

/// The metric to solve where only the value of a position matters: where that is much to solve, the
/// one with the least.
fn value_metric(variant: &Variant) -> Metric {
    let rules = variant.rules();
    let large = variant.expected_positions() > SMALL && rules.metrics.contains(&Metric::Value);
    if large {
        Metric::Value
    } else {
        rules.default_metric
    }
}

/// A value as a phrase.
fn outcome(value: Outcome) -> Message {
    match value {
        Outcome::Win => evidence::win(),
        Outcome::Draw => evidence::draw(),
        Outcome::Loss => evidence::loss(),
    }
}

/// Figures as a phrase.
pub(super) fn phrase(figures: &Figures) -> Message {
    match (figures.points, figures.value, figures.distance) {
        (Some(points), ..) => counted_points(points),
        (_, Some(value), Some(Plies(1))) => evidence::value_in_ply(outcome(value), 1_u32),
        (_, Some(value), Some(Plies(plies))) => evidence::value_in_plies(outcome(value), plies),
        (_, Some(value), None) => outcome(value),
        _ => evidence::value_unknown(),
    }
}

/// Phrases with commas between them.
///
/// # Panics
/// If there are none.
pub(super) fn listed(phrases: Vec<Message>) -> Message {
    let joined = phrases.into_iter().reduce(evidence::two_figures);
    joined.expect("a test says what it found")
}

/// `value`
pub(super) fn value(
    variant: &Variant,
    kind: &TestKind,
    consulted: &ClaimTablebase<'_>,
) -> Result<TestResult, JudgeError> {
    let TestKind::Value {
        position,
        value,
        distance,
        points,
        nimber,
        finished,
    } = kind
    else {
        unreachable!("`run` hands over tests of the kind `value`");
    };
    let at = position_of(variant, position.as_deref())?;
    let rules = variant.rules();
    let over = variant.ending(&at).is_some();
    let mut holds = finished.is_none_or(|finished| finished == over);
    let mut said = Vec::new();
    if value.is_some() || distance.is_given() || points.is_some() {
        let metric = if distance.is_given() || points.is_some() {
            rules.default_metric
        } else {
            value_metric(variant)
        };
        let found = figures_at(variant, metric, &at, consulted)?;
        holds &= value.is_none_or(|value| found.value == Some(value))
            && (!distance.is_given()
                || found.distance.is_some_and(|plies| distance.holds(plies.0)))
            && points.is_none_or(|points| found.points == Some(points));
        said.push(evidence::for_mover(phrase(&found)));
    }
    if let Some(nimber) = nimber {
        let found = figures_at(variant, Metric::Nimber, &at, consulted)?.nimber;
        holds &= found == Some(*nimber);
        let found = found.map_or_else(|| evidence::value_unknown().into(), Filling::from);
        said.push(evidence::nimber_here(found));
    }
    if over {
        said.push(evidence::game_over());
    } else if said.is_empty() {
        said.push(evidence::game_unfinished());
    }
    let at = variant.position_text(&at);
    Ok(TestResult {
        holds,
        evidence: evidence::figures_at(rules.title(), &at, listed(said)),
        witness: Some(at),
        examined: 1,
    })
}

/// `moves`
pub(super) fn moves(
    variant: &Variant,
    position: Option<&str>,
    sets: &[(MoveSet, MoveList)],
    consulted: &ClaimTablebase<'_>,
) -> Result<TestResult, JudgeError> {
    let at = position_of(variant, position)?;
    let metric = if sets.iter().any(|(set, _)| *set == MoveSet::Best) {
        variant.rules().default_metric
    } else {
        value_metric(variant)
    };
    let mut legal = Vec::new();
    variant.moves(&at, &mut legal);
    let edges: Vec<_> = legal.iter().map(|mv| variant.play(&at, *mv)).collect();
    let mut all_hold = true;
    let mut said = Vec::new();
    for (set, list) in sets {
        let valued = matches!(
            set,
            MoveSet::Winning | MoveSet::Drawing | MoveSet::Losing | MoveSet::Best
        );
        let known: Vec<Figures> = if valued {
            let below = edges.iter().map(|edge| edge.to).collect::<Vec<_>>();
            let below = figures(variant, metric, &below, consulted)?.into_iter();
            below
                .zip(&edges)
                .map(|(below, edge)| below.after_move(edge.gain, edge.keeps_turn))
                .collect()
        } else {
            vec![Figures::default(); legal.len()]
        };
        let best = known.iter().map(rank).min();
        let mut found = Vec::new();
        for (mv, figures) in legal.iter().zip(&known) {
            let belongs = match set {
                MoveSet::Winning => figures.value == Some(Outcome::Win),
                MoveSet::Drawing => figures.value == Some(Outcome::Draw),
                MoveSet::Losing => figures.value == Some(Outcome::Loss),
                MoveSet::Best => Some(rank(figures)) == best,
                MoveSet::AtOnce => variant.is_win(&variant.play(&at, *mv)),
                MoveSet::Safe => variant.is_safe(&variant.play(&at, *mv).to, &mut Vec::new()),
                MoveSet::Legal | MoveSet::Contains | MoveSet::Lacks => true,
            };
            if belongs {
                found.push(variant.move_text(&at, *mv));
            }
        }
        let wanted: Vec<String> = match list {
            MoveList::All => legal.iter().map(|mv| variant.move_text(&at, *mv)).collect(),
            MoveList::These(texts) => texts.clone(),
        };
        let same = |a: &String, b: &String| a.eq_ignore_ascii_case(b);
        let is_in = |list: &[String], mv: &String| list.iter().any(|other| same(mv, other));
        let (holds, shown) = match set {
            MoveSet::Contains => (wanted.iter().all(|mv| is_in(&found, mv)), &wanted),
            MoveSet::Lacks => (!wanted.iter().any(|mv| is_in(&found, mv)), &wanted),
            MoveSet::Winning
            | MoveSet::Drawing
            | MoveSet::Losing
            | MoveSet::Best
            | MoveSet::AtOnce
            | MoveSet::Safe
            | MoveSet::Legal => {
                let alike =
                    wanted.len() == found.len() && wanted.iter().all(|mv| is_in(&found, mv));
                (alike, &found)
            }
        };
        all_hold &= holds;
        let shown: Filling = match shown.len() {
            0 => evidence::no_moves().into(),
            count if count == legal.len() => evidence::all_moves(count).into(),
            _ => shown.join(" ").into(),
        };
        said.push(match set {
            MoveSet::Winning => evidence::moves_winning(shown),
            MoveSet::Drawing => evidence::moves_drawing(shown),
            MoveSet::Losing => evidence::moves_losing(shown),
            MoveSet::Best => evidence::moves_best(shown),
            MoveSet::AtOnce => evidence::moves_at_once(shown),
            MoveSet::Safe => evidence::moves_safe(shown),
            MoveSet::Legal => evidence::moves_legal(shown),
            MoveSet::Contains if holds => evidence::moves_contained(shown),
            MoveSet::Contains => evidence::moves_not_all(shown),
            MoveSet::Lacks if holds => evidence::moves_lacking(shown),
            MoveSet::Lacks => evidence::moves_some(shown),
        });
    }
    let at = variant.position_text(&at);
    Ok(TestResult {
        holds: all_hold,
        evidence: evidence::figures_at(variant.rules().title(), &at, listed(said)),
        witness: Some(at),
        examined: 1 + legal.len() as u64,
    })
}

/// `play`
pub(super) fn play(
    variant: &Variant,
    kind: &TestKind,
    consulted: &ClaimTablebase<'_>,
) -> Result<TestResult, JudgeError> {
    let TestKind::Play {
        position,
        moves,
        legal,
        to,
        finished,
        value,
    } = kind
    else {
        unreachable!("`run` hands over tests of the kind `play`");
    };
    let name = variant.rules().title();
    let mut at = position_of(variant, position.as_deref())?;
    let witness = Some(moves.join(" "));
    for (number, text) in moves.iter().enumerate() {
        let examined = number as u64 + 1;
        match variant.parse_move(&at, text) {
            Ok(mv) => at = variant.play(&at, mv).to,
            Err(error) => {
                let last = number + 1 == moves.len();
                let at = variant.position_text(&at);
                let evidence = evidence::illegal_at(name, at, text, error.problem);
                return Ok(TestResult {
                    holds: !legal && last,
                    evidence,
                    witness,
                    examined,
                });
            }
        }
    }
    let ending = variant.ending(&at);
    let text = variant.position_text(&at);
    let mut holds = *legal && finished.is_none_or(|finished| finished == ending.is_some());
    if let Some(to) = to {
        holds &= variant.parse_position(to)? == at;
    }
    let mut evidence = evidence::leads_to(name, moves.join(" "), text);
    match ending {
        Some(ending) => {
            holds &= value.is_none_or(|value| ending.outcome == value);
            evidence = evidence::leads_to_end(evidence, outcome(ending.outcome));
        }
        None => {
            if finished.is_some() {
                evidence = evidence::leads_on(evidence);
            }
            // A condition that already failed needs no values.
            if let Some(value) = value.filter(|_| holds) {
                let found = figures_at(variant, value_metric(variant), &at, consulted)?;
                holds = found.value == Some(value);
                let found = evidence::for_mover(phrase(&found));
                evidence = evidence::leads_to_value(evidence, found);
            }
        }
    }
    Ok(TestResult {
        holds,
        evidence,
        witness,
        examined: moves.len() as u64 + 1,
    })
}

/// How often an expression holds, and the first position of the lowest stage for which it does.
struct Matches<P> {
    count: u64,
    first: Option<P>,
    examined: u64,
}

fn matches<G: Squares>(
    game: &G,
    variant: &Variant,
    text: &str,
    among: Among,
    up_to_symmetry: bool,
    consulted: &ClaimTablebase<'_>,
) -> Result<Matches<G::Position>, JudgeError> {
    let bound = BoundExpression::new(game, text)?;
    let sources = consulted.sources(variant, bound.metrics())?;
    let reached = match among {
        Among::Reachable => ReachedPositions::marked(consulted.tablebase, game, "")?,
        Among::Legal => bound.reached(consulted.tablebase, game)?,
    };
    sources.ask(game, reached.as_ref().map(ReachedPositions::set), |known| {
        first_and_count(
            known,
            &bound,
            among,
            up_to_symmetry,
            consulted.tablebase.progress(),
        )
    })
}

fn first_and_count<G: Squares>(
    known: &KnownValues<'_, G>,
    bound: &BoundExpression,
    among: Among,
    up_to_symmetry: bool,
    progress: &dyn Progress,
) -> Result<Matches<G::Position>, JudgeError> {
    let game = known.game();
    let scan = known.scan(among, Orbits::All)?;
    let mut found = Matches {
        count: 0,
        first: None,
        examined: 0,
    };
    let mut lowest = u32::MAX;
    scan.run(
        &format!("looking through {}", game.rules().title()),
        progress,
        || {
            (
                0_u64,
                0_u64,
                None::<(u32, G::Position)>,
                MoveLists::default(),
            )
        },
        |(count, examined, first, scratch), positions| {
            for (place, position) in positions {
                *examined += 1;
                if scan.keeps(known, bound, (place, &position), up_to_symmetry, scratch) {
                    *count += 1;
                    let stage = game.stage(&position);
                    if first.is_none_or(|(other, _)| stage < other) {
                        *first = Some((stage, position));
                    }
                }
            }
        },
        |(count, examined, first, _)| {
            found.count += count;
            found.examined += examined;
            if let Some((stage, position)) = first.filter(|(stage, _)| *stage < lowest) {
                lowest = stage;
                found.first = Some(position);
            }
            Ok(true)
        },
    )?;
    Ok(found)
}

/// A position with the shortest play that leads to it, where that is known.
fn shown<G: Squares>(game: &G, position: &G::Position) -> String {
    let text = game.position_text(position);
    let Some(board) = fixed_board(game) else {
        return text;
    };
    match line_to(board, Code(game.index(position))) {
        Some(line) if !line.is_empty() => line.join(" "),
        _ => text,
    }
}

/// `none`, `some`, `every`, `count`
pub(super) fn described(
    variant: &Variant,
    form: &StatementForm,
    filter: &str,
    among: Among,
    consulted: &ClaimTablebase<'_>,
) -> Result<TestResult, JudgeError> {
    can_be_gone_through(variant, among)?;
    with_game!(variant, game => {
        let up_to_symmetry = matches!(form, StatementForm::Count { up_to_symmetry: true, .. });
        let text = match form {
            StatementForm::Every(holds) => format!("({filter}) and not ({holds})"),
            StatementForm::None | StatementForm::Some | StatementForm::Count { .. } => filter.to_string(),
        };
        let found = matches(game, variant, &text, among, up_to_symmetry, consulted)?;
        let Matches { count, first, examined } = found;
        let universe = match among {
            Among::Legal if variant.holds_reachable_only() => evidence::reachable_unfinished(),
            Among::Legal => evidence::legal_unfinished(),
            Among::Reachable => evidence::reachable(),
        };
        let holds = match form {
            StatementForm::None | StatementForm::Every(_) => count == 0,
            StatementForm::Some => count > 0,
            StatementForm::Count { equals, at_least, at_most, .. } => {
                equals.is_none_or(|equals| count == equals)
                    && at_least.is_none_or(|least| count >= least)
                    && at_most.is_none_or(|most| count <= most)
            }
        };
        let (name, n, all) = (game.rules().title(), Filling::Count(count), Filling::Count(examined));
        let evidence = match form {
            StatementForm::Every(holds) if filter == "true" => {
                evidence::many_do_not_satisfy(name, n, all, universe, holds)
            }
            StatementForm::Every(holds) => {
                evidence::many_satisfy_but_not(name, n, all, universe, filter, holds)
            }
            StatementForm::None | StatementForm::Some | StatementForm::Count { .. } => {
                let said = match (up_to_symmetry, count) {
                    (false, 1) => evidence::one_satisfies,
                    (false, _) => evidence::many_satisfy,
                    (true, 1) => evidence::one_orbit_satisfies,
                    (true, _) => evidence::many_orbits_satisfy,
                };
                said(name, n, all, universe, filter)
            }
        };
        let witness = first.map(|position| match (form, among) {
            (StatementForm::None | StatementForm::Every(_), Among::Reachable) => shown(game, &position),
            _ => game.position_text(&position),
        });
        Ok(TestResult { holds, evidence, witness, examined })
    })
}
