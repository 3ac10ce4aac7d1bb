//! The rules of Ampel in words, made from the rules themselves.

use crate::words::counted;
use crate::{AmpelRules, FirstStep, OwnCylinder, StartPoint, StuckAdd};

/// One sentence each.
pub(super) fn ampel(rules: &AmpelRules) -> Vec<String> {
    let side = u32::from(rules.side);
    let mut sentences = vec![
        format!(
            "The board is a triangle of side {side} with {}, {} of them inside, not on an edge.",
            counted(side * (side + 1) / 2, "point", "points"),
            AmpelRules::inside_points(rules.side)
        ),
        format!(
            "Red and Green have {} each; by turns, Red first, they set up {} on inside points, and \
             then turns go on.",
            counted(rules.discs, "disc", "discs"),
            counted(rules.yellows, "yellow disc", "yellow discs")
        ),
        "A turn has three steps, made when possible: move an own disc; move a disc of the opponent's, \
         not the one under its cylinder; add an own disc under the own cylinder, or take the \
         cylinder off for want of discs."
            .into(),
        "A disc moves along a line as many points as there are discs on the whole line; only at an \
         obstacle it turns, by 60 or 120 degrees."
            .into(),
    ];
    sentences.push(
        match rules.start_point {
            StartPoint::Pass => "It may cross the point it started from, not end there.",
            StartPoint::Block => "The point it started from is an obstacle, too.",
        }
        .into(),
    );
    sentences.push(
        match rules.first_step {
            FirstStep::Free => "The first point of its direction must be free.",
            FirstStep::Blocked => "It may be deflected at once.",
        }
        .into(),
    );
    sentences.push(
        match rules.own_cylinder {
            OwnCylinder::Moves => "The own cylinder travels with its disc.",
            OwnCylinder::Frozen => "The disc under the own cylinder may not be moved.",
        }
        .into(),
    );
    sentences.push(
        "Red, yellow, green in a row is a signal: it is removed at once, and the yellow goes to the \
         player whose turn it is; no disc may be added that makes one."
            .into(),
    );
    sentences.push(
        match rules.stuck_add {
            StuckAdd::Keep => "A player who has a disc to add but no point for it adds nothing.",
            StuckAdd::Off => {
                "A player who has a disc to add but no point for it takes the cylinder off."
            }
            StuckAdd::Loss => "A player who has a disc to add but no point for it loses.",
        }
        .into(),
    );
    sentences.push(format!(
        "Who has captured {} wins at once; endless play is a draw.",
        counted(rules.goal(), "yellow", "yellows")
    ));
    sentences
}
