//! Tests about whole games: supplies, lengths, strategies, equality, what the rules declare.

use std::path::Path;

use greenwave_game::{
    BoardGame, BoardRules, CUSTOM, Code, Dense, Figures, Filling, Game, Luck, Message, Metric,
    Outcomes, PlayerOptions, Squares, Supply, Variant, with_game,
};
use greenwave_values::parallel::find_first_part;
use greenwave_values::{Orbits, Progress, Values};

use super::evidence;
use super::positions::{figures_at, listed, phrase};
use super::read::{ClaimedPlies, TestKind};
use super::tablebase::{ClaimTablebase, TestResult, out_of_reach, variant_named};
use crate::expr::KnownValues;
use crate::longest::{
    can_search_game, can_search_line_free, line_to, longest_game, longest_line_free,
};
use crate::strategy::{Ground, follow_all, read_rules, texts_of};
use crate::{Among, JudgeError, ReachedPositions};

// Places that a task compares.
const PART: u64 = 1 << 14;

fn board<'v>(variant: &'v Variant, what: &str) -> Result<&'v BoardGame, JudgeError> {
    variant.fixed_board().ok_or_else(|| {
        JudgeError::refused(format!(
            "{}: {what} is only worked out on fixed boards",
            variant.rules().title()
        ))
    })
}

/// Checks that a variant is played on a fixed board.
pub(super) fn on_board(variant: &Variant, what: &str) -> Result<(), JudgeError> {
    board(variant, what).map(drop)
}

/// Checks that the longest play can be worked out.
pub(super) fn has_longest(variant: &Variant, of_game: bool) -> Result<(), JudgeError> {
    let game = board(variant, "the longest play")?;
    if of_game {
        can_search_game(game)
    } else {
        can_search_line_free(game)
    }
}

/// The variant with a limited supply.
pub(super) fn limited(
    name: &str,
    variant: &Variant,
    supply: &str,
    folder: &Path,
) -> Result<Variant, JudgeError> {
    if let Some(game) = variant.fixed_board()
        && game.rules().family == &CUSTOM
    {
        return limited_rule_file(game, supply);
    }
    let joint = if name.contains(':') { ',' } else { ':' };
    let limited = variant_named(folder, &format!("{name}{joint}supply={supply}"))?;
    match variant.rules().lights {
        Some(lights) => Ok(limited.with_lights(lights)?),
        None => Ok(limited),
    }
}

// A rule file takes no options; its rules are those of the file, but for the supply.
fn limited_rule_file(game: &BoardGame, supply: &str) -> Result<Variant, JudgeError> {
    let name = &game.rules().name;
    let Some(limit) = Supply::named(supply) else {
        return Err(JudgeError::refused(format!(
            "found '{supply}', expected a supply: capN or poolN with N from 1 to 99"
        )));
    };
    if game.board().supply != Supply::Unlimited {
        return Err(JudgeError::refused(format!(
            "{name}: its supply is limited already, and a limited supply is compared with an \
             unlimited one; leave 'supply' out of the rule file"
        )));
    }
    let board = BoardRules {
        supply: limit,
        ..game.board().clone()
    };
    let name = format!("{name}:supply={supply}");
    let mut limited = BoardGame::new(name, &CUSTOM, Vec::new(), board);
    limited.set_lights(game.rules().order());
    Ok(limited.into())
}

/// `supply`
pub(super) fn supply(
    name: &str,
    variant: &Variant,
    supply: &str,
    binds: bool,
    consulted: &ClaimTablebase<'_>,
) -> Result<TestResult, JudgeError> {
    let limited = limited(name, variant, supply, consulted.folder)?;
    let (free, capped) = (board(variant, "a supply")?, board(&limited, "a supply")?);
    let forbidden = within_reach(forbidden(free, capped, consulted))?;
    let starts = within_reach(starts(variant, &limited, consulted))?;
    // The evidence also has the other figure, where it is available.
    let binding = match &forbidden {
        Ok(found) => evidence::supply_forbids(
            Filling::Count(found.count),
            Filling::Count(found.examined),
            supply,
        ),
        Err(error) => evidence::supply_unknown(supply, error.message()),
    };
    let changing = match &starts {
        Ok([with, without]) if with == without => evidence::start_stays(phrase(with)),
        Ok([with, without]) => evidence::start_changes(phrase(without), phrase(with)),
        Err(error) => evidence::start_unknown(error.message()),
    };
    let evidence = evidence::of_supply(name, vec![binding, changing]);
    if !binds {
        let [with, without] = starts?;
        return Ok(TestResult {
            holds: with == without,
            evidence,
            witness: None,
            examined: forbidden.map_or(0, |found| found.examined),
        });
    }
    let found = forbidden?;
    Ok(TestResult {
        holds: found.count == 0,
        evidence,
        witness: found
            .first
            .and_then(|first| line_to(free, first))
            .map(|line| line.join(" ")),
        examined: found.examined,
    })
}

/// The finding, or the reason why it is out of reach; other errors stay errors.
fn within_reach<T>(found: Result<T, JudgeError>) -> Result<Result<T, JudgeError>, JudgeError> {
    match found {
        Err(error) if !out_of_reach(&error) => Err(error),
        found => Ok(found),
    }
}

/// Figures of the start with a limited supply and without.
fn starts(
    variant: &Variant,
    limited: &Variant,
    consulted: &ClaimTablebase<'_>,
) -> Result<[Figures; 2], JudgeError> {
    let of = |variant: &Variant| -> Result<Figures, JudgeError> {
        board(variant, "a supply")?;
        let metric = variant.rules().default_metric;
        figures_at(variant, metric, &variant.start(), consulted)
    };
    Ok([of(limited)?, of(variant)?])
}

/// Positions of free play in which a supply forbids a move, and the first of the lowest level sum.
struct ForbiddenMoves {
    count: u64,
    examined: u64,
    first: Option<Code>,
}

fn forbidden(
    free: &BoardGame,
    capped: &BoardGame,
    consulted: &ClaimTablebase<'_>,
) -> Result<ForbiddenMoves, JudgeError> {
    let name = free.rules().title();
    let reached = ReachedPositions::marked(consulted.tablebase, free, "")?;
    let reached = reached.as_ref().map(ReachedPositions::set);
    let scan = KnownValues::new(free, &[], reached).scan(Among::Reachable, Orbits::All)?;
    let (mut count, mut examined, mut first) = (0_u64, 0_u64, None::<Code>);
    scan.run(
        &format!("looking through {name}"),
        consulted.tablebase.progress(),
        || (0_u64, 0_u64, None::<Code>, [Vec::new(), Vec::new()]),
        |(count, examined, first, moves), positions| {
            for (_, position) in positions {
                *examined += 1;
                free.moves(&position, &mut moves[0]);
                capped.moves(&position, &mut moves[1]);
                if moves[0].len() != moves[1].len() {
                    *count += 1;
                    if first.is_none_or(|first| position.level_sum() < first.level_sum()) {
                        *first = Some(position);
                    }
                }
            }
        },
        |(more, looked, found, _)| {
            count += more;
            examined += looked;
            if let Some(found) = found
                .filter(|found| first.is_none_or(|first| found.level_sum() < first.level_sum()))
            {
                first = Some(found);
            }
            Ok(true)
        },
    )?;
    Ok(ForbiddenMoves {
        count,
        examined,
        first,
    })
}

/// The function `longest`.
pub(super) fn longest(
    variant: &Variant,
    of_game: bool,
    plies: ClaimedPlies,
    progress: &dyn Progress,
) -> Result<TestResult, JudgeError> {
    let game = board(variant, "the longest play")?;
    let longest = if of_game {
        longest_game(game, progress)?
    } else {
        longest_line_free(game, progress)?
    };
    let mut position = game.start();
    let mut texts = Vec::new();
    for mv in &longest.play {
        texts.push(game.move_text(&position, *mv));
        position = game.play(&position, *mv).to;
    }
    let (name, length) = (game.rules().title(), counted_plies(longest.plies));
    Ok(TestResult {
        holds: plies.holds(longest.plies),
        evidence: if of_game {
            evidence::longest_game(name, length)
        } else {
            evidence::longest_without_line(name, length)
        },
        witness: Some(texts.join(" ")),
        examined: longest.examined,
    })
}

/// A number of plies as a phrase of its own.
fn counted_plies(plies: u32) -> Message {
    match plies {
        1 => evidence::length_ply(plies),
        _ => evidence::length_plies(plies),
    }
}

/// Checks that a strategy can be read.
pub(super) fn read_strategy(variant: &Variant, rules: &[String]) -> Result<(), JudgeError> {
    with_game!(variant, game => Ground::on(game, |ground| read_rules(game, ground, rules).map(drop)))
}

/// The function `strategy`.
pub(super) fn strategy(
    variant: &Variant,
    first: bool,
    rules: &[String],
    progress: &dyn Progress,
) -> Result<TestResult, JudgeError> {
    with_game!(variant, game => Ground::on(game, |ground| followed(game, ground, first, rules, progress)))
}

fn followed<G: Squares>(
    game: &G,
    ground: &Ground<'_>,
    first: bool,
    rules: &[String],
    progress: &dyn Progress,
) -> Result<TestResult, JudgeError> {
    let rules = read_rules(game, ground, rules)?;
    let followed = follow_all(game, first, &rules, progress)?;
    let name = game.rules().title();
    let examined = followed.examined;
    if let Some((why, play)) = followed.failure {
        return Ok(TestResult {
            holds: false,
            evidence: evidence::strategy_fails(name, why, counted_plies(play.len() as u32)),
            witness: Some(texts_of(game, &play).join(" ")),
            examined,
        });
    }
    let wins = if first {
        evidence::strategy_wins_first
    } else {
        evidence::strategy_wins_second
    };
    Ok(TestResult {
        holds: true,
        evidence: wins(name, Filling::Count(examined)),
        witness: None,
        examined,
    })
}

/// What values of a metric are, as a phrase.
fn kind_of(metric: Metric) -> Message {
    match metric {
        Metric::Value => evidence::kind_value(),
        Metric::Distance => evidence::kind_distance(),
        Metric::Points => evidence::kind_points(),
        Metric::Odds => evidence::kind_odds(),
        Metric::Nimber => evidence::kind_nimber(),
    }
}

/// The function `equal`.
pub(super) fn equal(
    name: &str,
    other: &str,
    values: bool,
    consulted: &ClaimTablebase<'_>,
) -> Result<TestResult, JudgeError> {
    let (variant, another) = (consulted.variant(name)?, consulted.variant(other)?);
    let (a, b) = (variant.rules(), another.rules());
    if a.hash == b.hash || !values {
        let same = a.hash == b.hash;
        let said = if same {
            evidence::rules_same
        } else {
            evidence::rules_different
        };
        return Ok(TestResult {
            holds: same,
            evidence: said(name, other),
            witness: None,
            examined: 0,
        });
    }
    if a.default_metric != b.default_metric {
        let [ours, theirs] = [a, b].map(|rules| kind_of(rules.default_metric));
        let evidence = evidence::values_of_kinds(name, other, ours, theirs);
        return Ok(TestResult {
            holds: false,
            evidence,
            witness: None,
            examined: 0,
        });
    }
    let sources = |variant: &Variant| consulted.sources(variant, &[a.default_metric]);
    let (ours, theirs) = (sources(&variant)?, sources(&another)?);
    // The first difference may be found before a leaf that is damaged.
    ours.check()?;
    theirs.check()?;
    let (Some(ours), Some(theirs)) = (ours.by_place(&variant)?, theirs.by_place(&another)?) else {
        return Err(JudgeError::refused(format!(
            "{name} and {other}: only values of games without chance are compared"
        )));
    };
    with_game!(&variant, game => {
        let count = ours.places();
        let parts = count.div_ceil(PART);
        let places = |part: usize| part as u64 * PART..count.min((part as u64 + 1) * PART);
        let same_index = |place: u64| ours.index_at(place) == theirs.index_at(place);
        let all_same = || find_first_part(parts as usize, |part| places(part).find(|place| !same_index(*place))).is_none();
        if count != theirs.places() || !all_same() {
            let evidence = evidence::positions_different(name, other);
            return Ok(TestResult { holds: false, evidence, witness: None, examined: 0 });
        }
        let differs = find_first_part(parts as usize, |part| {
            let unfinished = |index: &u64| {
                game.at(*index).is_some_and(|position| game.ending(&position).is_none())
            };
            // One after the other, since a thread looks at one leaf at a time.
            let own: Vec<(u64, Figures)> = places(part)
                .map(|place| ours.index_at(place))
                .filter(unfinished)
                .map(|index| (index, ours.figures(index)))
                .collect();
            let differs = own.into_iter().find(|(index, figures)| theirs.figures(*index) != *figures);
            differs.map(|(index, _)| index)
        });
        ours.finish()?;
        theirs.finish()?;
        let witness = differs.and_then(|index| game.at(index)).map(|position| game.position_text(&position));
        let evidence = match &witness {
            None => evidence::values_same(name, other, Filling::Count(count)),
            Some(at) => evidence::values_different(name, other, at),
        };
        Ok(TestResult { holds: witness.is_none(), evidence, witness, examined: count })
    })
}

/// The function `rises`.
pub(super) fn rises(
    variant: &Variant,
    consulted: &ClaimTablebase<'_>,
) -> Result<TestResult, JudgeError> {
    with_game!(variant, game => {
        let held = if game.holds_reachable_only() {
            Some(consulted.values(variant, game.rules().default_metric)?)
        } else {
            None
        };
        let values: Vec<&Values> = held.iter().map(|held| &held.values).collect();
        let known = KnownValues::new(game, &values, None);
        let scan = known.scan(Among::Legal, Orbits::All)?;
        let (mut moves_seen, mut examined, mut first) = (0_u64, 0_u64, None);
        scan.run(
            &format!("looking through {}", game.rules().title()),
            consulted.tablebase.progress(),
            || (0_u64, 0_u64, None, Vec::new()),
            |(seen, examined, first, moves), positions| {
                for (_, position) in positions {
                    *examined += 1;
                    game.moves(&position, moves);
                    *seen += moves.len() as u64;
                    let falls = |mv: &&_| game.stage(&game.play(&position, **mv).to) <= game.stage(&position);
                    if first.is_none() {
                        *first = moves.iter().find(falls).map(|mv| (position, *mv));
                    }
                }
            },
            |(seen, looked, found, _)| {
                moves_seen += seen;
                examined += looked;
                first = first.or(found);
                Ok(true)
            },
        )?;
        let name = game.rules().title();
        let (evidence, witness) = match first {
            None => (
                evidence::moves_rise(name, Filling::Count(moves_seen)),
                None,
            ),
            Some((position, mv)) => (
                evidence::move_raises_nothing(name, game.position_text(&position), game.move_text(&position, mv)),
                Some(game.position_text(&position)),
            ),
        };
        Ok(TestResult { holds: first.is_none(), evidence, witness, examined })
    })
}

/// The function `properties`.
pub(super) fn properties(variant: &Variant, kind: &TestKind) -> Result<TestResult, JudgeError> {
    let TestKind::Properties {
        cells,
        options,
        luck,
        outcomes,
    } = kind
    else {
        unreachable!("`run` hands over tests of the kind `properties`");
    };
    let rules = variant.rules();
    let found_options = match rules.properties.options {
        PlayerOptions::Same => "same",
        PlayerOptions::ByPlayer => "by-player",
    };
    let found_outcomes = match rules.properties.outcomes {
        Outcomes::WinLoss => "win-loss",
        Outcomes::WinDrawLoss => "win-draw-loss",
        Outcomes::Points => "points",
        Outcomes::Expectation => "expectation",
    };
    let found_luck = rules.properties.luck == Luck::Draws;
    let mut said = Vec::new();
    if cells.is_some() {
        said.push(evidence::declared_cells(rules.cells));
    }
    if options.is_some() {
        said.push(match rules.properties.options {
            PlayerOptions::Same => evidence::moves_the_same(),
            PlayerOptions::ByPlayer => evidence::moves_by_player(),
        });
    }
    if luck.is_some() {
        said.push(if found_luck {
            evidence::luck_there()
        } else {
            evidence::luck_absent()
        });
    }
    if outcomes.is_some() {
        said.push(match rules.properties.outcomes {
            Outcomes::WinLoss => evidence::results_win_loss(),
            Outcomes::WinDrawLoss => evidence::results_win_draw_loss(),
            Outcomes::Points => evidence::results_points(),
            Outcomes::Expectation => evidence::results_expectation(),
        });
    }
    Ok(TestResult {
        holds: cells.is_none_or(|cells| cells == rules.cells)
            && options.is_none_or(|options| options == found_options)
            && luck.is_none_or(|luck| luck == found_luck)
            && outcomes.is_none_or(|outcomes| outcomes == found_outcomes),
        evidence: evidence::declared(rules.title(), listed(said)),
        witness: None,
        examined: 0,
    })
}
