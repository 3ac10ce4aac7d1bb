//! The rules of Ampel in words, made from the rules themselves, and what stands beside its board.

use super::{Parts, Phase, Player};
use crate::{AmpelRules, Argument, FirstStep, OwnCylinder, Sentence, StartPoint, StuckAdd};

vocabulary! {
    WORDS, "ampel", AmpelSentence:
    Triangle SetUp Turn Movement StartPasses StartBlocks FirstStepFree FirstStepBlocked CylinderMoves
    CylinderFrozen Signal StuckKeeps StuckOff StuckLoses Goal PlacesYellow MovesOwn MovesOther TakesOff
    Adds HasWon Holdings Red Green
}

/// One sentence each.
pub(super) fn ampel(rules: &AmpelRules) -> Vec<Sentence> {
    let side = u32::from(rules.side);
    let triangle = [
        side,
        side * (side + 1) / 2,
        AmpelRules::inside_points(rules.side).into(),
    ];
    let start = match rules.start_point {
        StartPoint::Pass => AmpelSentence::StartPasses,
        StartPoint::Block => AmpelSentence::StartBlocks,
    };
    let first = match rules.first_step {
        FirstStep::Free => AmpelSentence::FirstStepFree,
        FirstStep::Blocked => AmpelSentence::FirstStepBlocked,
    };
    let cylinder = match rules.own_cylinder {
        OwnCylinder::Moves => AmpelSentence::CylinderMoves,
        OwnCylinder::Frozen => AmpelSentence::CylinderFrozen,
    };
    let stuck = match rules.stuck_add {
        StuckAdd::Keep => AmpelSentence::StuckKeeps,
        StuckAdd::Off => AmpelSentence::StuckOff,
        StuckAdd::Loss => AmpelSentence::StuckLoses,
    };
    vec![
        AmpelSentence::Triangle.with(triangle.map(Argument::number)),
        AmpelSentence::SetUp.with([rules.discs, rules.yellows].map(Argument::number)),
        AmpelSentence::Turn.plain(),
        AmpelSentence::Movement.plain(),
        start.plain(),
        first.plain(),
        cylinder.plain(),
        AmpelSentence::Signal.plain(),
        stuck.plain(),
        AmpelSentence::Goal.with([Argument::number(rules.goal())]),
    ]
}

/// Whose turn it is to do what, and what the players hold.
pub(super) fn notes(rules: &AmpelRules, parts: &Parts) -> Vec<Sentence> {
    let named = |player: Player| {
        Argument::from(match player {
            Player::Red => AmpelSentence::Red.plain(),
            Player::Green => AmpelSentence::Green.plain(),
        })
    };
    let (player, other) = (named(parts.player), named(parts.player.opponent()));
    let turn = match parts.phase {
        Phase::SetUp => AmpelSentence::PlacesYellow.with([player]),
        Phase::MoveOwn => AmpelSentence::MovesOwn.with([player.clone(), player]),
        Phase::MoveOther => AmpelSentence::MovesOther.with([player, other]),
        Phase::Add if parts.hand(rules, parts.player) == 0 => {
            AmpelSentence::TakesOff.with([player])
        }
        Phase::Add => AmpelSentence::Adds.with([player.clone(), player]),
        Phase::Over => AmpelSentence::HasWon.with([player]),
    };
    let holdings = [Player::Red, Player::Green].map(|player| {
        AmpelSentence::Holdings.with([
            named(player),
            Argument::number(parts.hand(rules, player)),
            Argument::number(parts.captured[player as usize]),
            Argument::number(rules.goal()),
        ])
    });
    [turn].into_iter().chain(holdings).collect()
}
