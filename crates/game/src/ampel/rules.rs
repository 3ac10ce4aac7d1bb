//! Everything that defines a game of Ampel.

/// Whether a moving disc may cross the point that it started from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartPoint {
    /// It counts as empty once the disc has left; the disc still cannot end there.
    Pass,
    /// It stays an obstacle.
    Block,
}

/// Whether a disc may start towards an obstacle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstStep {
    /// The first point of the chosen direction must be free.
    Free,
    /// If it is not, the disc is deflected at once; the line of the chosen direction still counts.
    Blocked,
}

/// Whether step 1 may move the disc under the mover's own cylinder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnCylinder {
    /// Yes, and the cylinder travels along.
    Moves,
    /// No.
    Frozen,
}

/// The rule for step 3 when discs are in hand but no point is legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StuckAdd {
    /// Nothing: the cylinder stays where it is.
    Keep,
    /// The cylinder is taken off.
    Off,
    /// The player loses.
    Loss,
}

/// Everything that defines a game of Ampel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AmpelRules {
    /// Points on an edge of the triangle, 4 to 11.
    pub side: u8,
    /// Discs of a player, 1 to 20; they may outnumber the points.
    pub discs: u8,
    /// Yellow discs that are set up, 1 to 10 and at most the inside points.
    pub yellows: u8,
    /// Whether a moving disc may cross the point that it started from.
    pub start_point: StartPoint,
    /// Whether a disc may start towards an obstacle.
    pub first_step: FirstStep,
    /// Whether step 1 may move the disc under the mover's own cylinder.
    pub own_cylinder: OwnCylinder,
    /// The rule for step 3 when discs are in hand but no point is legal.
    pub stuck_add: StuckAdd,
}

/// Sides of boards.
pub(crate) const SIDES: std::ops::RangeInclusive<u8> = 4..=super::triangle::MAX_SIDE;
/// Discs of a player.
pub(crate) const DISCS: std::ops::RangeInclusive<u8> = 1..=20;
/// Yellow discs set up.
pub(crate) const YELLOWS: std::ops::RangeInclusive<u8> = 1..=10;

impl AmpelRules {
    /// Number of points that are not on an edge of a triangle.
    #[must_use]
    pub fn inside_points(side: u8) -> u8 {
        side.saturating_sub(2) * side.saturating_sub(3) / 2
    }

    /// Captured yellows that win at once: at least half of those set up.
    #[must_use]
    pub fn goal(&self) -> u8 {
        self.yellows.div_ceil(2)
    }

    /// The rules spelled out in fixed order, independent of any name: the text that is hashed.
    #[must_use]
    pub fn canonical(&self) -> String {
        let start_point = match self.start_point {
            StartPoint::Pass => "may be crossed, not ended on",
            StartPoint::Block => "blocks",
        };
        let first_step = match self.first_step {
            FirstStep::Free => "needs a free point",
            FirstStep::Blocked => "may be deflected",
        };
        let own_cylinder = match self.own_cylinder {
            OwnCylinder::Moves => "moves with its disc",
            OwnCylinder::Frozen => "freezes its disc",
        };
        let stuck_add = match self.stuck_add {
            StuckAdd::Keep => "keeps the cylinder",
            StuckAdd::Off => "takes the cylinder off",
            StuckAdd::Loss => "loses",
        };
        format!(
            "greenwave rules 1\n\
             triangle side {}\n\
             discs {} of each player\n\
             yellows {} set up on inside points, by turns, red first; then turns go on\n\
             turn: move own disc, move other disc, add own disc under the cylinder\n\
             steps compulsory when possible; other disc not under its cylinder\n\
             distance: discs on the whole line, mover included, before the move\n\
             turns of 60 and 120 degrees at obstacles only; path may cross itself\n\
             start point {start_point}\n\
             first step {first_step}\n\
             own cylinder {own_cylinder}\n\
             signal red-yellow-green removed at once; yellow to the player to move\n\
             add never makes a signal; empty supply takes the cylinder off\n\
             add without a point {stuck_add}\n\
             captured yellows {} win at once\n\
             repetition draw\n",
            self.side,
            self.discs,
            self.yellows,
            self.goal(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inside_points_of_every_side() {
        let inside: Vec<u8> = SIDES.map(AmpelRules::inside_points).collect();
        assert_eq!(inside, [1, 3, 6, 10, 15, 21, 28, 36]);
    }
}
