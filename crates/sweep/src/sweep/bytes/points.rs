//! Points: a byte a position, and something to gain on the way.
//!
//! The byte is 128 minus the points, so 128 plus those of the opponent who moves into the position;
//! 0 stands for no move at all. The score of a raise is added to the byte of its target. So
//! finished positions have 128 like any other end, and their points lie on the raises that lead
//! there. A raise scores by the patterns through its square that stand after it. The parts of a
//! pattern above the low squares show in a block or do not, and the parts on the low squares are
//! masks.
//!
//! Sums that leave the range stick to its ends, where [`code`](Solved::code) refuses them. Where the
//! supply is limited, a raise that it forbids leads to a 0 and scores nothing, whatever line it shows.

use std::collections::BTreeMap;
use std::ops::Range;

use greenwave_game::{BoardGame, Cell, Supply};

use super::super::Kernel;
use super::super::family::{BlockFamily, Sweeper};
use super::super::geometry::{Event, SweepGeometry};
use super::super::layout::{BitBlock, BitRow, LOW, POSITIONS, WORDS};
use super::super::leaves::{BlockValues, LeafBuilder};
use super::super::limits::{BlockLimits, LimitMasks};
use super::super::masks::{Contributions, Merge, PatternMasks, positions};
use super::super::pattern::Pattern;
use super::lanes::{ByteLanes, FamilyPass};
use super::layout::{PLACES, THIRD_CAN_RISE, place};
use super::{MOST_SOURCES, ROWS, leave_out, row, run_on, visit_bytes, words};

/// The byte of a position that is worth nothing.
const NOTHING: u8 = 128;

/// Whether what one raise can score fits into a signed byte: of the patterns on the same squares a
/// board shows at most one.
pub(crate) fn points_fit(game: &BoardGame) -> bool {
    (0..game.board().shape.cells() as u8).all(|cell| {
        let mut most: BTreeMap<u64, i32> = BTreeMap::new();
        for (mask, _, points) in game.scoring(Cell(cell)) {
            let most = most.entry(mask).or_default();
            *most = points.abs().max(*most);
        }
        most.values().sum::<i32>() < i32::from(i8::MAX)
    })
}

/// A pattern that scores, for a raise of one of its squares.
#[derive(Debug)]
struct PointPattern {
    /// Its part above the low squares.
    high: Pattern,
    /// The number of the mask of its part on them.
    low: usize,
    points: u8,
}

/// What raises of one square score.
#[derive(Debug)]
struct Gain {
    /// By patterns on the low squares alone.
    inside: Box<[BitRow; ROWS]>,
    /// By the others.
    across: Vec<PointPattern>,
}

/// The sweep for points.
#[derive(Debug)]
pub(in super::super) struct PointSweep {
    kernel: Kernel,
    over: Contributions<BitBlock>,
    // By square.
    gains: Vec<Gain>,
    // Positions that show a pattern's part on the low squares.
    lows: Vec<[u64; ROWS]>,
    none: Box<[u64; ROWS]>,
    top_level: u8,
    middle: usize,
    // The block with the full board, where no line finishes that, and the place in it.
    last: Option<(u64, usize)>,
    // Where the supply is limited.
    limits: Option<BlockLimits>,
}

/// A mask and what is scored by the positions in it.
#[derive(Clone, Copy)]
struct ScoreShare<'a> {
    mask: &'a [u64; ROWS],
    points: u8,
}

/// A block that a raise above the low squares leads to.
struct SourceBlock<'a, const N: usize> {
    /// `None` when the raise finishes the game.
    block: Option<&'a [u8; N]>,
    shares: Range<usize>,
}

impl PointSweep {
    /// The sweep of a game whose points [fit](points_fit).
    pub(in super::super) fn new(
        game: &BoardGame,
        geometry: &SweepGeometry,
        kernel: Kernel,
    ) -> PointSweep {
        let mut known = PatternMasks::new(place);
        let over = Contributions::new(
            geometry,
            &[0; POSITIONS / 8],
            [0; POSITIONS / 8],
            |over, low, event| {
                if event == Event::Shown {
                    over.merge(known.shown(low));
                }
            },
        );
        let exists = words(&positions(place, |position| geometry.exists_low(position)));
        let mut lows = Lows {
            exists,
            parts: Vec::new(),
            masks: Vec::new(),
        };
        let gains = (0..geometry.squares())
            .map(|square| {
                let scoring = game.scoring(Cell(geometry.order.cell(square)));
                Gain::new(geometry, &scoring, &mut lows)
            })
            .collect();
        PointSweep {
            kernel,
            over,
            gains,
            lows: lows.masks,
            none: Box::new(exists.map(|word| !word)),
            top_level: geometry.top_level,
            middle: geometry.middle,
            last: geometry.last.map(|last| {
                let low = last & ((1 << (2 * LOW)) - 1);
                (last >> (2 * LOW), usize::from(PLACES[low as usize]))
            }),
            limits: (game.board().supply != Supply::Unlimited)
                .then(|| BlockLimits::new(game, geometry, place))
                .flatten(),
        }
    }

    // The scores of raises of a square that lead to a block: constants are shares of all positions.
    fn shares<'a>(
        &'a self,
        square: usize,
        block: u64,
        shares: &mut Vec<ScoreShare<'a>>,
    ) -> Range<usize> {
        let first = shares.len();
        let code = block << (2 * LOW);
        let shown = self.gains[square].across.iter();
        shares.extend(
            shown
                .filter(|scored| scored.high.shown(code))
                .map(|scored| ScoreShare {
                    mask: &self.lows[scored.low],
                    points: scored.points,
                }),
        );
        first..shares.len()
    }
}

// Masks of parts on the low squares, each once.
struct Lows {
    exists: [u64; ROWS],
    parts: Vec<Pattern>,
    masks: Vec<[u64; ROWS]>,
}

impl Lows {
    fn number(&mut self, part: Pattern) -> usize {
        let found = self.parts.iter().position(|known| *known == part);
        found.unwrap_or_else(|| {
            let mut mask = words(&positions(place, |position| part.shown(position as u64)));
            for (word, exists) in mask.iter_mut().zip(self.exists) {
                *word &= exists;
            }
            self.parts.push(part);
            self.masks.push(mask);
            self.parts.len() - 1
        })
    }
}

impl Gain {
    fn new(geometry: &SweepGeometry, scoring: &[(u64, u64, i32)], lows: &mut Lows) -> Gain {
        let low = SweepGeometry::low_mask();
        let mut gain = Gain {
            inside: Box::new([[0; 64]; ROWS]),
            across: Vec::new(),
        };
        for (mask, value, points) in scoring {
            let pattern = Pattern {
                mask: geometry.order.inward(*mask),
                value: geometry.order.inward(*value),
            };
            let number = lows.number(pattern.within(low));
            let points = *points as u8;
            if pattern.mask & !low != 0 {
                gain.across.push(PointPattern {
                    high: pattern.within(!low),
                    low: number,
                    points,
                });
                continue;
            }
            for (row, mask) in gain.inside.iter_mut().zip(lows.masks[number]) {
                for (at, byte) in row.iter_mut().enumerate() {
                    if mask >> at & 1 == 1 {
                        *byte = byte.wrapping_add(points);
                    }
                }
            }
        }
        gain
    }
}

fn code_of(byte: u8) -> Option<i32> {
    let points = i32::from(NOTHING) - i32::from(byte);
    // The ends of the range stand for everything beyond.
    (points.abs() < i32::from(i8::MAX)).then_some(points)
}

impl<const N: usize> BlockValues<N> for PointSweep {
    #[inline]
    fn code(&self, block: &[u8; N], position: usize) -> Option<i32> {
        code_of(block[usize::from(PLACES[position])])
    }

    #[inline(never)]
    fn visit(
        &self,
        block: &[u8; N],
        packed: &[u64; WORDS],
        leaf: Option<&mut LeafBuilder>,
        seen: impl FnMut(usize, Option<i32>),
    ) {
        let code = |position| self.code(block, position);
        visit_bytes(8, packed, leaf, code, seen);
    }
}

impl<const N: usize> Sweeper<N> for PointSweep {
    fn sweep(&self, family: &BlockFamily<'_, N>, out: &mut [[u8; N]]) -> u64 {
        run_on(self.kernel, self, family, out);
        0
    }
}

impl<const N: usize> FamilyPass<N> for PointSweep {
    #[inline(always)]
    fn run<B: ByteLanes>(&self, family: &BlockFamily<'_, N>, out: &mut [[u8; N]]) {
        let common = self.over.family(family.outer);
        let mut shares = Vec::new();
        for middle in family.swept_middles() {
            let at = family.place(middle.code);
            let limits = self.limits.as_ref();
            let limited = limits.map(|limits| limits.of(family.outer, middle.code));
            if family.is_finished(middle.code) {
                out[at].fill(NOTHING);
                if let Some(limited) = limited {
                    leave_out::<B, N>(limited, &mut out[at]);
                }
                continue;
            }
            let over = self
                .over
                .add_mixed(&common, family.outer, usize::from(middle.code));
            let mut over = words(&over);
            let number = family.outer << (2 * self.middle) | u64::from(middle.code);
            if let Some((_, place)) = self.last.filter(|(block, _)| *block == number) {
                over[place / 64] |= 1 << (place % 64);
            }
            let (before, rest) = out.split_at_mut(at);
            let [this, after @ ..] = rest else { continue };
            shares.clear();
            let low: [Range<usize>; LOW] = std::array::from_fn(|square| {
                if square < self.gains.len() {
                    self.shares(square, number, &mut shares)
                } else {
                    0..0
                }
            });
            let mut sources: [SourceBlock<'_, N>; MOST_SOURCES] =
                std::array::from_fn(|_| SourceBlock {
                    block: None,
                    shares: 0..0,
                });
            let mut count = 0;
            let mut children = family.children.iter().peekable();
            for square in LOW..self.gains.len() {
                let raised = number + (1 << (2 * (square - LOW)));
                if number >> (2 * (square - LOW)) & 3 >= u64::from(self.top_level) {
                    continue;
                }
                let block = if square < LOW + self.middle {
                    let code = (raised & ((1 << (2 * self.middle)) - 1)) as u8;
                    let place = family.place(code);
                    family.is_swept(code).then(|| {
                        if place < at {
                            &before[place]
                        } else {
                            &after[place - at - 1]
                        }
                    })
                } else {
                    let outer = square - LOW - self.middle;
                    children
                        .next_if(|child| child.square == outer)
                        .and_then(|child| child.block(middle.code))
                };
                sources[count] = SourceBlock {
                    block,
                    shares: self.shares(square, raised, &mut shares),
                };
                count += 1;
            }
            let sources = &sources[..count];
            match limited {
                None => self.settle::<B, N, false>(None, &over, &low, &shares, sources, this),
                Some(_) => self.settle::<B, N, true>(limited, &over, &low, &shares, sources, this),
            }
        }
    }
}

impl PointSweep {
    /// Settles a block from the blocks of its higher children; `LIMITED` where there are limits.
    #[inline(always)]
    fn settle<B: ByteLanes, const N: usize, const LIMITED: bool>(
        &self,
        limited: Option<&LimitMasks>,
        over: &[u64; ROWS],
        low: &[Range<usize>; LOW],
        shares: &[ScoreShare<'_>],
        sources: &[SourceBlock<'_, N>],
        block: &mut [u8; N],
    ) {
        let low = Low {
            gains: &self.gains,
            ranges: low,
            shares,
        };
        let none: &[u64; ROWS] = limited.map_or(&self.none, |limited| &limited.none);
        // The value of a raise to positions with these bytes, with its score.
        let made = |byte: B, gain: B| {
            let sum = byte.shifted(gain);
            if LIMITED {
                sum.and_not(byte.equal(B::zero()))
            } else {
                sum
            }
        };
        let rise: [B; 4] = [
            B::load(&THIRD_CAN_RISE.0[0]),
            B::load(&THIRD_CAN_RISE.0[1]),
            B::load(&THIRD_CAN_RISE.0[2]),
            B::load(&THIRD_CAN_RISE.0[3]),
        ];
        for fours in (0..ROWS / 4).rev() {
            let first = 4 * fours;
            let mut joined = [B::zero(); 4];
            let mut keep = [B::zero(); 4];
            let mut set = [B::zero(); 4];
            let mut gains = [[B::zero(); 4]; 4];
            for slot in 0..4 {
                let number = first + slot;
                let mut over = B::from_mask(over[number]);
                if LIMITED && let Some(limited) = limited {
                    over = over.or(B::from_mask(limited.stuck[number]));
                }
                let none = B::from_mask(none[number]);
                keep[slot] = B::splat(u8::MAX).and_not(over.or(none));
                set[slot] = over.and(B::splat(NOTHING)).and_not(none);
                let mut found = B::zero();
                for source in sources {
                    let byte = match source.block {
                        Some(block) => B::load(row(block, number)),
                        None => B::splat(NOTHING),
                    };
                    let gain = scored(B::zero(), &shares[source.shares.clone()], number);
                    found = found.max(made(byte, gain));
                }
                // Raises of square 4, unless it is at its top, and of square 5.
                if fours % 4 < 3 {
                    let byte = B::load(row(block, number + 4));
                    found = found.max(made(byte, low.scored(4, number + 4)));
                }
                if fours / 4 < 3 {
                    let byte = B::load(row(block, number + 16));
                    found = found.max(made(byte, low.scored(5, number + 16)));
                }
                joined[slot] = found;
                for (square, gain) in gains[slot].iter_mut().enumerate() {
                    *gain = low.scored(square, number);
                }
            }
            let mut now = [B::zero(); 4];
            macro_rules! step {
                ($at:literal, $next:literal) => {
                    let (next, gains) = (now[$next], &gains[$next]);
                    let [first, ..] = made(next, gains[0]).raised();
                    let [_, second, _] = made(next, gains[1]).raised();
                    let [.., third] = made(next, gains[2]).raised();
                    let fourth = made(next, gains[3]).and(rise[$at]);
                    let best = joined[$at].max(first).max(second).max(third).max(fourth);
                    now[$at] = B::zero().minus(best).and(keep[$at]).or(set[$at]);
                };
            }
            down_the_level_sums!(step);
            for (slot, row) in now.into_iter().enumerate() {
                row.store(&mut block.as_chunks_mut::<64>().0[first + slot]);
            }
        }
    }
}

/// What raises of the low squares score.
struct Low<'a> {
    gains: &'a [Gain],
    ranges: &'a [Range<usize>; LOW],
    shares: &'a [ScoreShare<'a>],
}

impl Low<'_> {
    // What the raises of a square score that lead to a row.
    #[inline(always)]
    fn scored<B: ByteLanes>(&self, square: usize, number: usize) -> B {
        match self.gains.get(square) {
            Some(gain) => {
                let inside = B::load(&gain.inside[number]);
                scored(inside, &self.shares[self.ranges[square].clone()], number)
            }
            None => B::zero(),
        }
    }
}

// What the shares score in a row.
#[inline(always)]
fn scored<B: ByteLanes>(start: B, shares: &[ScoreShare<'_>], number: usize) -> B {
    let mut sum = start;
    for share in shares {
        sum = sum.plus(B::from_mask(share.mask[number]).and(B::splat(share.points)));
    }
    sum
}
