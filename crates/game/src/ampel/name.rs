//! The names of games of Ampel: `ampel-SIDE-DISCS-YELLOWS`.

use std::ops::RangeInclusive;

use super::family::AMPEL;
use super::rules::{DISCS, SIDES, YELLOWS};
use crate::named::NamedGame;
use crate::options::{canonical_name, plain_number, value_of};
use crate::words::counted;
use crate::{
    AmpelGame, AmpelRules, FirstStep, Message, OwnCylinder, Setting, StartPoint, StuckAdd,
    VariantError, VariantName, messages,
};

impl NamedGame for AmpelGame {
    fn read(asked: &VariantName<'_>) -> Option<Result<AmpelGame, VariantError>> {
        let game = |numbers: Result<[u8; 3], VariantError>| {
            let numbers = numbers?;
            let name = name_of(numbers);
            let settings = asked.settings(&name, AMPEL.options)?;
            let full = canonical_name(&name, &settings);
            Ok(game(full, numbers, settings))
        };
        parse_name(&asked.name).map(game)
    }
}

/// The full game, which has a name of its own.
const FULL: (&str, &str) = ("ampel", "ampel-11-20-5");

/// Side, discs and yellows of a name, or `None` when the name is not of this family.
fn parse_name(name: &str) -> Option<Result<[u8; 3], VariantError>> {
    let (short, full) = FULL;
    if name == short {
        return parse_name(full);
    }
    let sizes = name.strip_prefix(short)?.strip_prefix('-')?;
    let to = |range: &RangeInclusive<u8>| messages::from_to(*range.start(), *range.end());
    let refuse = |problem: Message| {
        Some(Err(VariantError::Numbers {
            found: name.into(),
            problem,
            expected: messages::ampel_form(to(&SIDES), to(&DISCS), to(&YELLOWS), full),
        }))
    };
    let parts: Vec<&str> = sizes.split('-').collect();
    let [side, discs, yellows] = parts[..] else {
        return refuse(messages::ampel_numbers(sizes));
    };
    let mut numbers = [0; 3];
    let problems = [
        |found: &str, range| messages::ampel_side(found, range),
        |found: &str, range| messages::ampel_disc_count(found, range),
        |found: &str, range| messages::ampel_yellow_count(found, range),
    ];
    let ranges = [(side, SIDES), (discs, DISCS), (yellows, YELLOWS)];
    for ((number, (found, range)), problem) in numbers.iter_mut().zip(ranges).zip(problems) {
        let value = plain_number(found).and_then(|value| u8::try_from(value).ok());
        match value.filter(|value| range.contains(value)) {
            Some(value) => *number = value,
            None => return refuse(problem(found, to(&range))),
        }
    }
    let inside = AmpelRules::inside_points(numbers[0]);
    if numbers[2] > inside {
        let problem = format!(
            "found yellow count {}, but side {} has {} inside",
            numbers[2],
            numbers[0],
            counted(inside, "point", "points")
        );
        return refuse(problem.into());
    }
    Some(Ok(numbers))
}

/// The canonical name without options.
fn name_of([side, discs, yellows]: [u8; 3]) -> String {
    let (short, full) = FULL;
    let name = format!("ampel-{side}-{discs}-{yellows}");
    if name == full { short.into() } else { name }
}

/// The game with a name; `settings` has every option of the family.
fn game(name: String, [side, discs, yellows]: [u8; 3], settings: Vec<Setting>) -> AmpelGame {
    let is = |key, value| value_of(&settings, key) == value;
    let ampel = AmpelRules {
        side,
        discs,
        yellows,
        start_point: if is("start-point", "block") {
            StartPoint::Block
        } else {
            StartPoint::Pass
        },
        first_step: if is("first-step", "blocked") {
            FirstStep::Blocked
        } else {
            FirstStep::Free
        },
        own_cylinder: if is("own-cylinder", "frozen") {
            OwnCylinder::Frozen
        } else {
            OwnCylinder::Moves
        },
        stuck_add: match value_of(&settings, "stuck-add") {
            "off" => StuckAdd::Off,
            "loss" => StuckAdd::Loss,
            _ => StuckAdd::Keep,
        },
    };
    AmpelGame::new(name, settings, ampel)
}
