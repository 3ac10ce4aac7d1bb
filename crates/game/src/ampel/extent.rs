//! An upper bound for the positions that play can reach.
//!
//! Positions are taken in classes: who moves in which step, how many discs stand, how many yellows
//! each player has, which cylinders are on the board. Play leads from class to class. Each class
//! that it can reach counts with all its boards without a signal: a move that makes a signal takes
//! it off, and never adds a disc that would make one. On wide boards hardly any of them is out of
//! reach.

use std::collections::{HashMap, HashSet};

use super::binomials::Binomials;
use super::triangle::{DIRECTIONS, PointSet, Triangle, opposite, points, shifted};
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

/// Positions that play can reach, not up to symmetry, finished ones included: at most this many.
pub(super) fn at_most(triangle: &Triangle, rules: &AmpelRules) -> u128 {
    let (size, inside) = (triangle.len(), triangle.inside.count_ones());
    let binomials = Binomials::new();
    let choices = |among: u32, count: u8| u128::from(binomials.get(among, count.into()));
    let set_up = (0..rules.yellows).fold(0, |sum, yellows| sum + choices(inside, yellows));
    let left_empty = LeftEmpty::new(triangle);
    let mut quiet: HashMap<u8, QuietBoards> = HashMap::new();
    let mut boards = |class: &Class| {
        let yellows = class.yellows(rules);
        let quiet = quiet
            .entry(yellows)
            .or_insert_with(|| QuietBoards::new(triangle, yellows, rules.discs, &binomials));
        let [red, green] = class.discs;
        let mut boards = quiet.boards(red, green);
        // The move that wins has left the three points of a signal empty.
        if class.phase == Phase::Over && class.captured.iter().max() >= Some(&rules.goal()) {
            boards = boards.min(left_empty.boards(yellows, red, green, &binomials));
        }
        let under = |discs: u8, cylinder: bool| if cylinder { discs.into() } else { 1 };
        let [over_red, over_green] = class.cylinders;
        boards
            .saturating_mul(under(red, over_red))
            .saturating_mul(under(green, over_green))
    };
    classes(size, rules)
        .iter()
        .fold(set_up, |sum, class| sum.saturating_add(boards(class)))
}

/// Most signals whose points are combined in one table.
const SIGNALS: usize = 12;

/// Boards on which the points of a signal are empty, one at least.
struct LeftEmpty {
    points: u32,
    inside: u32,
    // By how many points are empty, and how many of them inside: in how many more ways an odd number of
    // signals has these points than an even number.
    unions: HashMap<(u32, u32), i128>,
}

impl LeftEmpty {
    fn new(triangle: &Triangle) -> LeftEmpty {
        let axes = 0..DIRECTIONS / 2;
        let signals: Vec<PointSet> = points(triangle.inside)
            .flat_map(|middle| axes.clone().map(move |axis| (middle.bit(), axis)))
            .map(|(middle, axis)| middle | shifted(middle, axis) | shifted(middle, opposite(axis)))
            .collect();
        let mut unions = HashMap::new();
        let mut count = |union: PointSet, sign: i128| {
            let inside = union & triangle.inside;
            *unions
                .entry((union.count_ones(), inside.count_ones()))
                .or_default() += sign;
        };
        if signals.len() > SIGNALS {
            // A board with several of them counts several times.
            signals.iter().for_each(|signal| count(*signal, 1));
        } else {
            for chosen in 1..1_usize << signals.len() {
                let union = (0..signals.len()).filter(|signal| chosen >> signal & 1 == 1);
                let union = union.fold(0, |union, signal| union | signals[signal]);
                count(union, if chosen.count_ones() % 2 == 1 { 1 } else { -1 });
            }
        }
        LeftEmpty {
            points: triangle.len(),
            inside: triangle.inside.count_ones(),
            unions,
        }
    }

    fn boards(&self, yellows: u8, red: u8, green: u8, binomials: &Binomials) -> u128 {
        let (yellows, red, green) = (yellows.into(), red.into(), green.into());
        let choices = |among: u32, count: u32| {
            if count > among {
                0
            } else {
                i128::from(binomials.get(among, count))
            }
        };
        let with = |(empty, inside): (u32, u32)| {
            let free = (self.points - empty).saturating_sub(yellows);
            choices(self.inside - inside, yellows)
                .saturating_mul(choices(free, red))
                .saturating_mul(choices(free.saturating_sub(red), green))
        };
        let unions = self.unions.iter();
        let terms = unions.map(|(union, times)| times.saturating_mul(with(*union)));
        let sum = terms.fold(0_i128, i128::saturating_add);
        sum.try_into().unwrap_or_default()
    }
}

/// Most sets of yellow points that are tried one by one.
const SETS: u64 = 1 << 10;

/// Roughly how many subsets of points are tried for all of them together.
const SUBSETS: u64 = 1 << 18;

/// Boards with some yellows inside by their red and green discs: at least those on which no signal stands.
struct QuietBoards {
    discs: usize,
    // The row of each number of red discs, one after the other.
    boards: Vec<u128>,
}

impl QuietBoards {
    fn new(triangle: &Triangle, yellows: u8, discs: u8, binomials: &Binomials) -> QuietBoards {
        let sets = binomials.get(triangle.inside.count_ones(), yellows.into());
        let discs = usize::from(discs);
        let mut quiet = QuietBoards {
            discs,
            boards: vec![0; (discs + 1) * (discs + 1)],
        };
        if sets > SETS {
            // Without looking at signals.
            quiet.add(
                triangle,
                yellows,
                &ColourCounts::nothing(discs),
                sets,
                binomials,
            );
            return quiet;
        }
        let most = (SUBSETS / sets).ilog2();
        let mut known = HashMap::new();
        // Sets whose points hinder each other alike count together.
        let mut alike: Vec<(ColourCounts, u64)> = Vec::new();
        for_each_subset(triangle.inside, yellows, 0, &mut |set| {
            let hindered = ColourCounts::beside(triangle, set, discs, most, &mut known);
            match alike.iter_mut().find(|(other, _)| *other == hindered) {
                Some((_, times)) => *times += 1,
                None => alike.push((hindered, 1)),
            }
        });
        for (hindered, times) in alike {
            quiet.add(triangle, yellows, &hindered, times, binomials);
        }
        quiet
    }

    fn boards(&self, red: u8, green: u8) -> u128 {
        let place = usize::from(red) * (self.discs + 1) + usize::from(green);
        self.boards[place]
    }

    // Some points have their discs, the others but the yellow ones may have any.
    fn add(
        &mut self,
        triangle: &Triangle,
        yellows: u8,
        hindered: &ColourCounts,
        times: u64,
        binomials: &Binomials,
    ) {
        let rest = triangle.len() - u32::from(yellows) - hindered.points;
        let choices = |among: u32, count: usize| match count as u32 {
            count if count > among => 0,
            count => u128::from(binomials.get(among, count)),
        };
        for ((red, green), ways) in hindered.ways() {
            for more_red in 0..=self.discs - red {
                let ways = ways
                    .saturating_mul(times.into())
                    .saturating_mul(choices(rest, more_red));
                if ways == 0 {
                    continue;
                }
                for more_green in 0..=self.discs - green {
                    let ways = ways.saturating_mul(choices(rest - more_red as u32, more_green));
                    let place = (red + more_red) * (self.discs + 1) + green + more_green;
                    self.boards[place] = self.boards[place].saturating_add(ways);
                }
            }
        }
    }
}

/// The number of ways in which some points have these numbers of red and green discs.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ColourCounts {
    points: u32,
    discs: usize,
    // As in `QuietBoards`.
    ways: Vec<u128>,
}

impl ColourCounts {
    fn nothing(discs: usize) -> ColourCounts {
        let mut ways = vec![0; (discs + 1) * (discs + 1)];
        ways[0] = 1;
        ColourCounts {
            points: 0,
            discs,
            ways,
        }
    }

    fn ways(&self) -> impl Iterator<Item = ((usize, usize), u128)> + '_ {
        let places = self.ways.iter().enumerate();
        let ways = places.map(|(place, ways)| {
            let row = self.discs + 1;
            ((place / row, place % row), *ways)
        });
        ways.filter(|(_, ways)| *ways > 0)
    }

    // The points on both sides of a yellow one, which must not be red and green. They form groups.
    // A yellow that would make a group of more than `most` points is left out, so that the count of
    // ways may be too high. Groups that were looked at are `known`, all for one number of discs.
    fn beside(
        triangle: &Triangle,
        yellows: PointSet,
        discs: usize,
        most: u32,
        known: &mut HashMap<Vec<PointSet>, ColourCounts>,
    ) -> ColourCounts {
        let mut groups: Vec<(PointSet, Vec<PointSet>)> = Vec::new();
        for yellow in points(yellows) {
            for direction in 0..DIRECTIONS / 2 {
                let at = |direction| shifted(yellow.bit(), direction) & triangle.board & !yellows;
                let [one, other] = [at(direction), at(opposite(direction))];
                if one == 0 || other == 0 {
                    continue;
                }
                let pair = one | other;
                let (touched, mut apart): (Vec<_>, Vec<_>) =
                    groups.into_iter().partition(|(group, _)| group & pair != 0);
                let joined = touched.iter().fold(pair, |all, (group, _)| all | group);
                if joined.count_ones() > most {
                    apart.extend(touched);
                } else {
                    let pairs = touched.into_iter().flat_map(|(_, pairs)| pairs);
                    apart.push((joined, pairs.chain([pair]).collect()));
                }
                groups = apart;
            }
        }
        let mut all = ColourCounts::nothing(discs);
        for (group, mut pairs) in groups {
            // Elsewhere on the triangle the same group has as many ways.
            let place = group.trailing_zeros();
            pairs.iter_mut().for_each(|pair| *pair >>= place);
            pairs.sort_unstable();
            let own = known
                .entry(pairs)
                .or_insert_with_key(|pairs| ColourCounts::of_group(group >> place, pairs, discs));
            all = all.with(own);
        }
        all
    }

    // A group of points, of which pairs hinder each other.
    fn of_group(group: PointSet, pairs: &[PointSet], discs: usize) -> ColourCounts {
        let row = discs + 1;
        let mut own = vec![0_u128; row * row];
        let mut subset = group;
        loop {
            // Points with discs that hang together have one colour.
            let mut left = subset;
            let mut sizes = Vec::new();
            while left != 0 {
                let mut piece = left & left.wrapping_neg();
                loop {
                    let inside = pairs.iter().filter(|pair| **pair & !subset == 0);
                    let touching = inside.filter(|pair| **pair & piece != 0);
                    let grown = touching.fold(piece, |piece, pair| piece | pair);
                    if grown == piece {
                        break;
                    }
                    piece = grown;
                }
                sizes.push(piece.count_ones() as usize);
                left &= !piece;
            }
            let count = subset.count_ones() as usize;
            // By the number of red ones.
            let mut ways = vec![0_u128; count + 1];
            ways[0] = 1;
            for size in sizes {
                for red in (size..=count).rev() {
                    ways[red] += ways[red - size];
                }
            }
            for (red, ways) in ways.into_iter().enumerate() {
                let green = count - red;
                if red < row && green < row {
                    own[red * row + green] += ways;
                }
            }
            if subset == 0 {
                break;
            }
            subset = (subset - 1) & group;
        }
        ColourCounts {
            points: group.count_ones(),
            discs,
            ways: own,
        }
    }

    // With other points besides.
    fn with(&self, own: &ColourCounts) -> ColourCounts {
        let row = self.discs + 1;
        let mut ways = vec![0_u128; row * row];
        for ((red, green), times) in self.ways() {
            for ((more_red, more_green), more) in own.ways() {
                let (red, green) = (red + more_red, green + more_green);
                if red < row && green < row {
                    let place = &mut ways[red * row + green];
                    *place = place.saturating_add(times.saturating_mul(more));
                }
            }
        }
        ColourCounts {
            points: self.points + own.points,
            discs: self.discs,
            ways,
        }
    }
}

// Calls `found` for every set of `count` points of a set, together with the points in `chosen`.
fn for_each_subset(from: PointSet, count: u8, chosen: PointSet, found: &mut impl FnMut(PointSet)) {
    if count == 0 {
        found(chosen);
        return;
    }
    let mut left = from;
    while left.count_ones() >= count.into() {
        let first = left & left.wrapping_neg();
        left ^= first;
        for_each_subset(left, count - 1, chosen | first, found);
    }
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
        let (phase, owner) = if self.phase == Phase::MoveOwn {
            (Phase::MoveOther, mover)
        } else {
            (Phase::Add, 1 - mover)
        };
        out.push(Class { phase, ..self });
        let held = self.phase == Phase::MoveOther && self.cylinders[owner];
        if self.discs[owner] <= u8::from(held) {
            return;
        }
        // This many signals take as many yellows and discs of the other colour, and the moved disc.
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
    use super::*;
    use crate::{Dense, Variant};

    // Every board of a small triangle, one by one.
    #[test]
    fn boards_without_signals_are_counted() {
        let binomials = Binomials::new();
        for (side, yellows) in [(4, 0), (4, 1), (5, 2)] {
            let triangle = Triangle::new(side);
            let discs = 2;
            let quiet = QuietBoards::new(&triangle, yellows, discs, &binomials);
            let left_empty = LeftEmpty::new(&triangle);
            for red in 0..=discs {
                for green in 0..=discs {
                    let (mut unsignalled, mut left) = (0, 0);
                    for_each_subset(triangle.inside, yellows, 0, &mut |yellow| {
                        for_each_subset(triangle.board & !yellow, red, 0, &mut |reds| {
                            let rest = triangle.board & !yellow & !reds;
                            for_each_subset(rest, green, 0, &mut |greens| {
                                let across = |middle: PointSet, set: [PointSet; 2]| {
                                    (0..DIRECTIONS).any(|direction| {
                                        shifted(middle, direction) & set[0] != 0
                                            && shifted(middle, opposite(direction)) & set[1] != 0
                                    })
                                };
                                let stands = |middle: PointSet| across(middle, [reds, greens]);
                                let mut yellow = points(yellow).map(|point| point.bit());
                                unsignalled += u128::from(!yellow.any(stands));
                                let empty = rest & !greens;
                                let mut middles = points(triangle.inside & empty);
                                left += u128::from(
                                    middles.any(|middle| across(middle.bit(), [empty; 2])),
                                );
                            });
                        });
                    });
                    let case = format!("{side} {yellows} {red} {green}");
                    assert_eq!(quiet.boards(red, green), unsignalled, "{case}");
                    let bound = left_empty.boards(yellows, red, green, &binomials);
                    assert_eq!(bound, left, "{case}");
                }
            }
        }
    }

    // Positions counted by solving, the first four also by independent programs.
    #[test]
    fn no_more_positions_are_reached() {
        for (name, reached, times) in [
            ("ampel-4-2-1", 11_048, 1.3),
            ("ampel-5-2-2", 258_260, 1.04),
            ("ampel-4-8-1", 38_669, 6.0),
            ("ampel-5-3-3", 22_444_306, 1.3),
            ("ampel-5-5-1", 73_285_917, 1.7),
            ("ampel-7-2-1", 24_935_431, 1.001),
            ("ampel-8-2-1", 112_596_899, 1.001),
            ("ampel-9-1-1", 478_110, 1.001),
        ] {
            let Variant::Ampel(game) = Variant::parse(name).unwrap() else {
                unreachable!()
            };
            let at_most = game.expected_positions();
            println!(
                "{name} {at_most} {reached} {:.3}",
                at_most as f64 / reached as f64
            );
            assert!(at_most >= reached, "{name}: {at_most}");
            let ratio = at_most as f64 / reached as f64;
            assert!(
                ratio < times,
                "{name}: {at_most} is {ratio:.3} times too many"
            );
        }
    }
}
