//! How many positions play can reach, at most.
//!
//! Positions are taken in classes: who moves in which step, how many discs stand, how many yellows
//! each player has, which cylinders are on the board. Play leads from class to class; each class that it
//! can reach counts with all its boards, wherever the discs stand. On wide boards hardly any of them is
//! out of reach; on narrow ones up to three in four are.

use std::collections::HashSet;

use super::keys::Binomials;
use super::triangle::{DIRECTIONS, Triangle};
use super::{AmpelRules, Phase, Player, StuckAdd};

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Class {
    player: Player,
    phase: Phase,
    // All by player.
    discs: [u8; 2],
    captured: [u8; 2],
    cylinders: [bool; 2],
}

/// Positions that play can reach, not up to symmetry, finished ones included: at most so many.
pub(super) fn at_most(triangle: &Triangle, rules: &AmpelRules) -> u128 {
    let (points, inside) = (triangle.len(), triangle.inside.count_ones());
    let binomials = Binomials::new();
    let choices = |among: u32, count: u8| u128::from(binomials.get(among, count.into()));
    let set_up = (0..rules.yellows).fold(0, |sum, yellows| sum + choices(inside, yellows));
    let boards = |class: &Class| {
        let yellows = class.yellows(rules);
        let [red, green] = class.discs;
        let rest = points - u32::from(yellows);
        let boards = choices(inside, yellows)
            .saturating_mul(choices(rest, red))
            .saturating_mul(choices(rest - u32::from(red), green));
        let under = |discs: u8, cylinder: bool| if cylinder { discs.into() } else { 1 };
        let [over_red, over_green] = class.cylinders;
        boards
            .saturating_mul(under(red, over_red))
            .saturating_mul(under(green, over_green))
    };
    classes(points, rules)
        .iter()
        .fold(set_up, |sum, class| sum.saturating_add(boards(class)))
}

/// Every class after the set-up that play can reach.
fn classes(points: u32, rules: &AmpelRules) -> HashSet<Class> {
    let first = Class {
        // The players set up in turn, red first, and then turns go on.
        player: if rules.yellows.is_multiple_of(2) {
            Player::Red
        } else {
            Player::Green
        },
        phase: Phase::MoveOwn,
        discs: [0; 2],
        captured: [0; 2],
        cylinders: [false; 2],
    };
    let (mut known, mut open) = (HashSet::from([first]), vec![first]);
    let mut next = Vec::new();
    while let Some(class) = open.pop() {
        class.next(points, rules, &mut next);
        open.extend(next.drain(..).filter(|class| known.insert(*class)));
    }
    known
}

impl Class {
    // Yellows on the board.
    fn yellows(&self, rules: &AmpelRules) -> u8 {
        rules.yellows - self.captured[0] - self.captured[1]
    }

    // Classes after one more step, not each once.
    fn next(self, points: u32, rules: &AmpelRules, out: &mut Vec<Class>) {
        match self.phase {
            Phase::MoveOwn | Phase::MoveOther => self.after_moves(rules, out),
            Phase::Add => self.after_adds(points, rules, out),
            Phase::SetUp | Phase::Over => {}
        }
    }

    fn after_moves(self, rules: &AmpelRules, out: &mut Vec<Class>) {
        let mover = self.player as usize;
        // Whose disc moves: one that stands, and in step 2 not the one under its cylinder.
        let (phase, owner) = match self.phase == Phase::MoveOwn {
            true => (Phase::MoveOther, mover),
            false => (Phase::Add, 1 - mover),
        };
        out.push(Class { phase, ..self });
        let held = self.phase == Phase::MoveOther && self.cylinders[owner];
        if self.discs[owner] <= u8::from(held) {
            return;
        }
        // So many signals take as many yellows and discs of the other colour, and the moved disc.
        let most = self.yellows(rules).min(self.discs[1 - owner]);
        for signals in 1..=most.min(DIRECTIONS as u8) {
            let mut after = Class { phase, ..self };
            after.discs[owner] -= 1;
            after.discs[1 - owner] -= signals;
            after.captured[mover] += signals;
            if after.captured[mover] >= rules.goal() {
                after.phase = Phase::Over;
            }
            // A cylinder was on the moved disc or not, on a taken one or not.
            for (moved, taken) in [(false, false), (false, true), (true, false), (true, true)] {
                let mut after = after;
                after.cylinders[owner] &= held || !moved;
                after.cylinders[1 - owner] &= !taken;
                let stands =
                    |player: usize| u8::from(after.cylinders[player]) <= after.discs[player];
                if stands(0) && stands(1) {
                    out.push(after);
                }
            }
        }
    }

    fn after_adds(self, points: u32, rules: &AmpelRules, out: &mut Vec<Class>) {
        let mover = self.player as usize;
        let mut after = Class {
            player: self.player.opponent(),
            phase: Phase::MoveOwn,
            ..self
        };
        let lifted = |mut class: Class| {
            class.cylinders[mover] = false;
            class
        };
        if self.discs[mover] == rules.discs {
            out.push(lifted(after));
            return;
        }
        // No empty point is left, or on every one the disc would end a signal: with a yellow beside it
        // and a disc of the opponent's behind that.
        let yellows = self.yellows(rules);
        let standing = u32::from(self.discs[0] + self.discs[1] + yellows);
        let empty = points - standing;
        let beside = self.discs[1 - mover].min(DIRECTIONS as u8);
        if empty <= u32::from(yellows) * u32::from(beside) {
            out.push(match rules.stuck_add {
                StuckAdd::Keep => after,
                StuckAdd::Off => lifted(after),
                StuckAdd::Loss => Class {
                    phase: Phase::Over,
                    ..after
                },
            });
        }
        if empty > 0 {
            after.discs[mover] += 1;
            after.cylinders[mover] = true;
            out.push(after);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Dense, Variant};

    // Positions counted by solving, the first four also by independent programs.
    #[test]
    fn no_more_positions_are_reached() {
        for (name, reached, times) in [
            ("ampel-4-2-1", 11_048, 2.0),
            ("ampel-5-2-2", 258_260, 1.3),
            ("ampel-4-8-1", 38_669, 60.0),
            ("ampel-5-3-3", 22_444_306, 2.0),
            ("ampel-5-5-1", 73_285_917, 4.0),
            ("ampel-7-2-1", 24_935_431, 1.05),
            ("ampel-8-2-1", 112_596_899, 1.03),
            ("ampel-9-1-1", 478_110, 1.01),
        ] {
            let Variant::Ampel(game) = Variant::parse(name).unwrap() else {
                unreachable!()
            };
            let at_most = game.expected_positions();
            assert!(at_most >= reached, "{name}: {at_most}");
            let ratio = at_most as f64 / reached as f64;
            assert!(
                ratio < times,
                "{name}: {at_most} is {ratio:.3} times too many"
            );
        }
    }
}
