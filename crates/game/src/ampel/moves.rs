//! How discs move, which points may be added to, what makes a signal.

use super::triangle::{DIRECTIONS, Point, PointSet, Triangle, opposite, points, shifted};
use super::{AmpelRules, FirstStep, OwnCylinder, Parts, Phase, Player, StartPoint, StuckAdd};

/// A move of Ampel: one step of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AmpelMove {
    /// A disc moves, in step 1 or 2.
    Move {
        /// Where it stands.
        from: Point,
        /// Where it ends.
        to: Point,
    },
    /// A yellow disc is set up, or a disc added in step 3.
    Add(Point),
    /// Step 3 takes the cylinder off, for want of discs.
    Off,
    /// The step has no move.
    Pass,
}

impl AmpelMove {
    /// `d2-b1`, `+c2`, `off` or `pass`.
    pub(super) fn text(self) -> String {
        match self {
            AmpelMove::Move { from, to } => format!("{}-{}", from.name(), to.name()),
            AmpelMove::Add(point) => format!("+{}", point.name()),
            AmpelMove::Off => "off".into(),
            AmpelMove::Pass => "pass".into(),
        }
    }
}

/// What of the rules the movement of one disc depends on.
#[derive(Clone, Copy)]
pub(super) struct Movement<'a> {
    pub(super) triangle: &'a Triangle,
    pub(super) start_point: StartPoint,
    pub(super) first_step: FirstStep,
}

impl Movement<'_> {
    /// Where the disc on a point can end, all first directions together.
    pub(super) fn destinations(self, occupied: PointSet, from: Point) -> PointSet {
        let paths = Paths::new(self, occupied, from);
        (0..3).fold(0, |reached, axis| {
            let discs = occupied & self.triangle.line(axis, from);
            reached | paths.ends(&[axis, opposite(axis)], discs.count_ones())
        })
    }
}

/// The paths of one disc over a board.
///
/// All paths go on in step: `front[d]` holds the points that some path has reached after as many steps
/// with its last step in direction `d`. Paths may cross, so nothing else of them matters.
struct Paths {
    start: PointSet,
    first_step: FirstStep,
    // By direction: the points from which a step goes to a free one.
    open: [PointSet; DIRECTIONS],
}

impl Paths {
    fn new(movement: Movement<'_>, occupied: PointSet, from: Point) -> Paths {
        let start = from.bit();
        let obstacles = match movement.start_point {
            StartPoint::Pass => occupied & !start,
            StartPoint::Block => occupied,
        };
        let free = movement.triangle.board & !obstacles;
        Paths {
            start,
            first_step: movement.first_step,
            open: std::array::from_fn(|direction| shifted(free, opposite(direction))),
        }
    }

    /// Where the disc can end that starts in some directions and makes this many steps.
    fn ends(&self, directions: &[usize], steps: u32) -> PointSet {
        let mut front = [0; DIRECTIONS];
        for direction in directions {
            front[*direction] = self.start;
        }
        front = self.step(front, self.first_step == FirstStep::Blocked);
        for _ in 1..steps {
            front = self.step(front, true);
        }
        front.into_iter().fold(0, |reached, discs| reached | discs) & !self.start
    }

    // One step of each path. Where it cannot go straight on it turns, if it may: by 60° or 120° to either
    // side, which are the directions of the two other lines.
    fn step(&self, front: [PointSet; DIRECTIONS], may_turn: bool) -> [PointSet; DIRECTIONS] {
        let stopped = |axis: usize| {
            let back = opposite(axis);
            if may_turn {
                front[axis] & !self.open[axis] | front[back] & !self.open[back]
            } else {
                0
            }
        };
        let [first, second, third] = [stopped(0), stopped(1), stopped(2)];
        let turned = [second | third, third | first, first | second];
        let next = |direction: usize| {
            let here = (front[direction] | turned[direction % 3]) & self.open[direction];
            shifted(here, direction)
        };
        [next(0), next(1), next(2), next(3), next(4), next(5)]
    }
}

impl Parts {
    /// Discs that the player may move in step 1 or 2, whether or not they can.
    pub(super) fn movable(&self, rules: &AmpelRules) -> PointSet {
        let owner = if self.phase == Phase::MoveOwn {
            self.player
        } else {
            self.player.opponent()
        };
        let held = match (self.phase, rules.own_cylinder) {
            (Phase::MoveOwn, OwnCylinder::Moves) => None,
            _ => self.cylinders[owner as usize],
        };
        self.discs[owner as usize] & !held.map_or(0, Point::bit)
    }

    /// Discs that a player has in hand.
    pub(super) fn hand(&self, rules: &AmpelRules, player: Player) -> u32 {
        u32::from(rules.discs).saturating_sub(self.discs[player as usize].count_ones())
    }

    /// Empty points where a yellow disc may be set up.
    fn set_up_points(&self, triangle: &Triangle) -> PointSet {
        let [red, green] = self.discs;
        let between = (0..DIRECTIONS).fold(0, |set, direction| {
            set | shifted(red, direction) & shifted(green, opposite(direction))
        });
        triangle.inside & !self.occupied() & !between
    }

    /// Empty points where the player's disc may be added: those where it makes no signal.
    fn add_points(&self, triangle: &Triangle) -> PointSet {
        triangle.board & !self.occupied() & !self.signal_points(triangle, self.player)
    }

    /// Points where a disc of a player would make a signal.
    pub(super) fn signal_points(&self, triangle: &Triangle, player: Player) -> PointSet {
        let other = self.discs[player.opponent() as usize];
        let signals = (0..DIRECTIONS).fold(0, |set, direction| {
            set | shifted(shifted(other, direction) & self.yellow, direction)
        });
        triangle.board & !self.occupied() & signals
    }

    /// Fills `out` with the moves in listing order, by points.
    pub(super) fn moves(
        &self,
        movement: Movement<'_>,
        rules: &AmpelRules,
        out: &mut Vec<AmpelMove>,
    ) {
        let triangle = movement.triangle;
        match self.phase {
            Phase::Over => return,
            Phase::SetUp => out.extend(points(self.set_up_points(triangle)).map(AmpelMove::Add)),
            Phase::MoveOwn | Phase::MoveOther => {
                let occupied = self.occupied();
                for from in points(self.movable(rules)) {
                    let reached = movement.destinations(occupied, from);
                    out.extend(points(reached).map(|to| AmpelMove::Move { from, to }));
                }
            }
            Phase::Add if self.hand(rules, self.player) == 0 => out.push(AmpelMove::Off),
            Phase::Add => {
                out.extend(points(self.add_points(triangle)).map(AmpelMove::Add));
                if out.is_empty() && rules.stuck_add == StuckAdd::Off {
                    out.push(AmpelMove::Off);
                }
            }
        }
        if out.is_empty() {
            out.push(AmpelMove::Pass);
        }
    }

    /// Plays a move; the position after it.
    pub(super) fn play(mut self, triangle: &Triangle, rules: &AmpelRules, mv: AmpelMove) -> Parts {
        let mover = self.player;
        match mv {
            AmpelMove::Move { from, to } => self.move_disc(triangle, from, to),
            AmpelMove::Add(point) if self.phase == Phase::SetUp => self.yellow |= point.bit(),
            AmpelMove::Add(point) => {
                self.discs[mover as usize] |= point.bit();
                self.cylinders[mover as usize] = Some(point);
            }
            AmpelMove::Off => self.cylinders[mover as usize] = None,
            AmpelMove::Pass => {}
        }
        let lost =
            mv == AmpelMove::Pass && self.phase == Phase::Add && rules.stuck_add == StuckAdd::Loss;
        if lost {
            self.player = mover.opponent();
            self.phase = Phase::Over;
        } else if self.captured[mover as usize] >= rules.goal() {
            self.phase = Phase::Over;
        } else {
            self.phase = match self.phase {
                Phase::MoveOwn => Phase::MoveOther,
                Phase::MoveOther => Phase::Add,
                Phase::SetUp if self.yellows() < u32::from(rules.yellows) => Phase::SetUp,
                Phase::SetUp | Phase::Add => Phase::MoveOwn,
                Phase::Over => Phase::Over,
            };
            if matches!(self.phase, Phase::SetUp | Phase::MoveOwn) {
                self.player = mover.opponent();
            }
        }
        self
    }

    // Moves a disc with its cylinder and takes off all signals that it makes.
    fn move_disc(&mut self, triangle: &Triangle, from: Point, to: Point) {
        let owner = self.put_elsewhere(from, to);
        if self.cylinders[owner] == Some(from) {
            self.cylinders[owner] = Some(to);
        }
        let mut removed = 0;
        for direction in 0..DIRECTIONS {
            let middle = shifted(to.bit(), direction) & self.yellow;
            let end = shifted(middle, direction) & self.discs[1 - owner];
            if end != 0 {
                removed |= to.bit() | middle | end;
            }
        }
        if removed != 0 {
            debug_assert_eq!(removed & !triangle.board, 0);
            self.captured[self.player as usize] += (removed & self.yellow).count_ones() as u8;
            self.yellow &= !removed;
            for owner in 0..2 {
                self.discs[owner] &= !removed;
                self.cylinders[owner] =
                    self.cylinders[owner].filter(|point| point.bit() & removed == 0);
            }
        }
    }

    // Moves a disc and nothing else; which player owns it.
    fn put_elsewhere(&mut self, from: Point, to: Point) -> usize {
        let owner = usize::from(self.discs[1] & from.bit() != 0);
        self.discs[owner] ^= from.bit() | to.bit();
        owner
    }

    /// The signals that stand on the board after a disc is moved, before they are taken off.
    pub(super) fn signals_after(
        mut self,
        from: Point,
        to: Point,
    ) -> impl Iterator<Item = [Point; 3]> + use<> {
        self.put_elsewhere(from, to);
        self.signals()
    }

    /// A red-yellow-green line that stands on the board: red, yellow and green point.
    pub(super) fn signals(&self) -> impl Iterator<Item = [Point; 3]> + use<> {
        let (discs, yellow) = (self.discs, self.yellow);
        points(yellow).flat_map(move |middle| {
            (0..DIRECTIONS).filter_map(move |direction| {
                let red = shifted(middle.bit(), direction) & discs[0];
                let green = shifted(middle.bit(), opposite(direction)) & discs[1];
                let red = points(red).next()?;
                points(green).next().map(|green| [red, middle, green])
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // The second figure of the nestorgames rule sheet 'Ampel': a red disc at (7,4), rows and places
    // from 1. The sheet draws four of its paths; an independent generator completed the lists under
    // both readings of the start point.
    fn figure() -> (Triangle, PointSet, Point) {
        let discs = [
            (3, 2),
            (5, 4),
            (6, 3),
            (8, 6),
            (9, 4), // yellow
            (4, 1),
            (7, 4),
            (9, 2),
            (10, 6), // red
            (7, 1),
            (9, 8),
            (11, 4), // green
        ];
        let point = |(row, place): (u8, u8)| Point::new(row - 1, place - 1);
        let occupied = discs
            .into_iter()
            .fold(0, |set, disc| set | point(disc).bit());
        (Triangle::new(11), occupied, point((7, 4)))
    }

    // Where the disc can end that starts in one direction.
    fn along(
        movement: Movement<'_>,
        occupied: PointSet,
        from: Point,
        direction: usize,
    ) -> PointSet {
        let discs = occupied & movement.triangle.line(direction, from);
        Paths::new(movement, occupied, from).ends(&[direction], discs.count_ones())
    }

    fn reached(start_point: StartPoint, direction: usize) -> Vec<(u8, u8)> {
        let (triangle, occupied, from) = figure();
        let movement = Movement {
            triangle: &triangle,
            start_point,
            first_step: FirstStep::Free,
        };
        points(along(movement, occupied, from, direction))
            .map(|point| (point.row() + 1, point.place() + 1))
            .collect()
    }

    #[test]
    fn movement_figure_of_the_rule_sheet() {
        use StartPoint::{Block, Pass};
        for start_point in [Pass, Block] {
            assert_eq!(reached(start_point, 0), [(7, 6)], "east");
            assert_eq!(reached(start_point, 2), [], "north-west");
            assert_eq!(reached(start_point, 3), [(7, 2)], "west");
            assert_eq!(reached(start_point, 5), [(10, 7)], "south-east");
        }
        assert_eq!(
            reached(Pass, 1),
            [(3, 1), (5, 5), (7, 3), (7, 6), (7, 7), (9, 5)],
            "north-east"
        );
        assert_eq!(
            reached(Block, 1),
            [(3, 1), (5, 5), (7, 6), (7, 7), (9, 5)],
            "north-east, start point blocks"
        );
        assert_eq!(
            reached(Pass, 4),
            [
                (5, 1),
                (6, 4),
                (6, 5),
                (7, 3),
                (7, 5),
                (8, 1),
                (8, 4),
                (9, 7),
                (10, 5),
                (10, 7),
                (11, 5),
            ],
            "south-west"
        );
        assert_eq!(
            reached(Block, 4),
            [
                (5, 1),
                (6, 5),
                (7, 5),
                (8, 1),
                (9, 7),
                (10, 5),
                (10, 7),
                (11, 5)
            ],
            "south-west, start point blocks"
        );
    }

    #[test]
    fn all_directions_together() {
        let (triangle, occupied, from) = figure();
        for first_step in [FirstStep::Free, FirstStep::Blocked] {
            let movement = Movement {
                triangle: &triangle,
                start_point: StartPoint::Pass,
                first_step,
            };
            let each = (0..DIRECTIONS).fold(0, |set, direction| {
                set | along(movement, occupied, from, direction)
            });
            assert_eq!(movement.destinations(occupied, from), each);
            // North-west is occupied: a disc may only be sent there when it is deflected at once.
            let deflected = along(movement, occupied, from, 2);
            assert_eq!(deflected != 0, first_step == FirstStep::Blocked);
        }
    }
}
