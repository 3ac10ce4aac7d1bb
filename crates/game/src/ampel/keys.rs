//! Positions as numbers.
//!
//! The index of a position is the key of its canonical form. A key is a mixed number: player and
//! phase, yellows captured by red, cylinder of red, cylinder of green, board. A cylinder is 0 when
//! its owner has it, else one more than the number of the owner's discs before it. Boards are
//! numbered without gaps, first by their numbers of yellow, red and green discs. Then come the
//! places of the yellows among all points, of the reds among the rest, and of the greens among the
//! rest after that. Each set of places is a combination in colexicographic order. Yellows captured
//! by green are what is missing.

use super::binomials::{Binomials, MOST_POINTS};
use super::position::{Parts, Phase, Player};
use super::triangle::{PointSet, Triangle, points};
use crate::{AmpelRules, LISTED_BITS};

/// The bits of some points, in order: the part of a board that is still free while discs are placed
/// on it.
#[derive(Clone, Copy, Debug)]
struct FreePoints {
    bits: [u8; MOST_POINTS],
    count: usize,
}

impl FreePoints {
    fn new(board: PointSet) -> FreePoints {
        let (mut bits, mut count) = ([0; MOST_POINTS], 0);
        for point in points(board) {
            bits[count] = point.index() as u8;
            count += 1;
        }
        FreePoints { bits, count }
    }

    fn take(&mut self, place: usize) -> PointSet {
        let bit = self.bits[place];
        self.bits.copy_within(place + 1..self.count, place);
        self.count -= 1;
        1 << bit
    }
}

// The processor counts the bits of a word faster than those of two, and sides up to 6 need but one.
fn ones(set: PointSet) -> u32 {
    let (low, high) = (set as u64, (set >> 64) as u64);
    let above = if high == 0 { 0 } else { high.count_ones() };
    low.count_ones() + above
}

/// How many discs of each colour stand on a board.
#[derive(Clone, Copy, Debug)]
struct DiscCounts {
    yellow: u32,
    red: u32,
    green: u32,
}

/// The numbering of a game's positions.
#[derive(Clone, Debug)]
pub(super) struct PositionNumbering {
    binomials: Binomials,
    places: FreePoints,
    points: u32,
    yellows: u32,
    discs: u32,
    // Counts with the number of their first board, in order.
    classes: Vec<(u64, DiscCounts)>,
    boards: u64,
    keys: u64,
}

/// Number of boards with at most this many discs of each colour.
pub(super) fn count_boards(points: u32, rules: &AmpelRules) -> u128 {
    let binomials = Binomials::new();
    counts(points, rules).fold(0, |boards, counts| {
        boards + binomials.boards(points, counts)
    })
}

fn counts(points: u32, rules: &AmpelRules) -> impl Iterator<Item = DiscCounts> {
    let (yellows, discs) = (u32::from(rules.yellows), u32::from(rules.discs));
    let all = move |yellow: u32| {
        (0..=discs.min(points - yellow)).flat_map(move |red| {
            let rest = points - yellow - red;
            (0..=discs.min(rest)).map(move |green| DiscCounts { yellow, red, green })
        })
    };
    (0..=yellows).flat_map(all)
}

/// Keys are below this number.
pub(super) fn keys(points: u32, rules: &AmpelRules) -> u128 {
    let (yellows, cylinders) = (u128::from(rules.yellows) + 1, u128::from(rules.discs) + 1);
    let rest = cylinders * cylinders * yellows * 2 * Phase::ALL.len() as u128;
    count_boards(points, rules).saturating_mul(rest)
}

impl Binomials {
    fn boards(&self, points: u32, counts: DiscCounts) -> u128 {
        let DiscCounts { yellow, red, green } = counts;
        let places = |n, k| u128::from(self.get(n, k));
        places(points, yellow) * places(points - yellow, red) * places(points - yellow - red, green)
    }

    // The number of a set among the points of `among`.
    fn rank(&self, set: PointSet, among: PointSet) -> u64 {
        points(set).zip(1..).fold(0, |rank, (point, nth)| {
            let before = ones(among & (point.bit() - 1));
            rank + self.get(before, nth)
        })
    }

    // The set of this many places with a number; they are taken.
    fn unrank(&self, mut rank: u64, count: u32, places: &mut FreePoints) -> PointSet {
        let mut set = 0;
        let mut place = places.count;
        for nth in (1..=count).rev() {
            let before = &self.column(nth)[..place];
            // Ranks below that of the first place with all before it: place >= nth - 1 always.
            let Some(found) = before.iter().rposition(|before| *before <= rank) else {
                break;
            };
            place = found;
            rank -= before[place];
            set |= places.take(place);
        }
        set
    }
}

impl PositionNumbering {
    /// The numbering; `None` when its keys would not fit.
    pub(super) fn new(triangle: &Triangle, rules: &AmpelRules) -> Option<PositionNumbering> {
        let points = triangle.len();
        let (yellows, discs) = (u32::from(rules.yellows), u32::from(rules.discs));
        let keys = keys(points, rules);
        if keys >> LISTED_BITS != 0 {
            return None;
        }
        let binomials = Binomials::new();
        let mut first = 0;
        let classes = counts(points, rules)
            .map(|counts| {
                let class = (first, counts);
                first += binomials.boards(points, counts) as u64;
                class
            })
            .collect();
        Some(PositionNumbering {
            binomials,
            places: FreePoints::new(triangle.board),
            points,
            yellows,
            discs,
            classes,
            boards: first,
            keys: keys as u64,
        })
    }

    fn board(&self, board: PointSet, parts: &Parts) -> u64 {
        let [red, green] = parts.discs;
        let counts = [parts.yellow, red, green].map(ones);
        let place = |class: &(u64, DiscCounts)| [class.1.yellow, class.1.red, class.1.green];
        let class = self.classes.partition_point(|class| place(class) < counts);
        let (
            first,
            DiscCounts {
                yellow,
                red: reds,
                green: greens,
            },
        ) = self.classes[class];
        let rest = board & !parts.yellow;
        let under_red = self.binomials.get(self.points - yellow, reds);
        let under_green = self.binomials.get(self.points - yellow - reds, greens);
        let rank = self.binomials.rank(parts.yellow, board);
        let rank = rank * under_red + self.binomials.rank(red, rest);
        first + rank * under_green + self.binomials.rank(green, rest & !red)
    }

    // Yellow, red and green discs of a board.
    fn discs(&self, number: u64) -> [PointSet; 3] {
        let class = self.classes.partition_point(|class| class.0 <= number) - 1;
        let (first, DiscCounts { yellow, red, green }) = self.classes[class];
        let number = number - first;
        let under_green = self.binomials.get(self.points - yellow - red, green);
        let (number, greens) = (number / under_green, number % under_green);
        let under_red = self.binomials.get(self.points - yellow, red);
        let (yellows, reds) = (number / under_red, number % under_red);
        let mut places = self.places;
        let mut unrank = |rank, count| self.binomials.unrank(rank, count, &mut places);
        [
            unrank(yellows, yellow),
            unrank(reds, red),
            unrank(greens, green),
        ]
    }

    pub(super) fn key(&self, board: PointSet, parts: &Parts) -> u64 {
        let cylinder = |owner: usize| {
            parts.cylinders[owner].map_or(0, |point| {
                1 + u64::from((parts.discs[owner] & (point.bit() - 1)).count_ones())
            })
        };
        let step = 2 * parts.phase as u64 + parts.player as u64;
        let key = step * u64::from(self.yellows + 1) + u64::from(parts.captured[0]);
        let key = key * u64::from(self.discs + 1) + cylinder(0);
        let key = key * u64::from(self.discs + 1) + cylinder(1);
        key * self.boards + self.board(board, parts)
    }

    pub(super) fn parts(&self, key: u64) -> Option<Parts> {
        if key >= self.keys {
            return None;
        }
        let (key, number) = (key / self.boards, key % self.boards);
        let [yellow, red, green] = self.discs(number);
        let cylinders = u64::from(self.discs + 1);
        let (key, of_green) = (key / cylinders, (key % cylinders) as usize);
        let (key, of_red) = (key / cylinders, (key % cylinders) as usize);
        let (step, by_red) = (
            key / u64::from(self.yellows + 1),
            key % u64::from(self.yellows + 1),
        );
        let phase = Phase::of_number(step / 2)?;
        let set_up = phase == Phase::SetUp;
        let total = if set_up {
            yellow.count_ones()
        } else {
            self.yellows
        };
        let by_green = total.checked_sub(yellow.count_ones() + by_red as u32)?;
        let cylinder = |discs: PointSet, nth: usize| match nth {
            0 => Some(None),
            _ => points(discs).nth(nth - 1).map(Some),
        };
        Some(Parts {
            player: if step % 2 == 0 {
                Player::Red
            } else {
                Player::Green
            },
            phase,
            discs: [red, green],
            yellow,
            cylinders: [cylinder(red, of_red)?, cylinder(green, of_green)?],
            captured: [by_red as u8, by_green as u8],
        })
    }
}
