//! One byte a position, or two: distances, points and Grundy values.
//!
//! A value is kept as seen by the opponent who moves into the position, so that the best move leads
//! to the largest byte and 0 stands for no move at all:
//!
//! ```text
//! metric     byte                                    joined   step up
//! distance   255 − its code                          max      256 − m above 127, else 254 − m
//! points     128 − points                            max      −m
//! nimber     two bytes with one bit set, of sixteen  or       lowest clear bit
//! ```
//!
//! So the byte of a distance, 255 less its [code](greenwave_values::distance_code), is d if the position is
//! won in d, and 255 − d if it is lost in d. The value, where play can end without a line, is kept like the
//! distance. See `points` for the points.
//!
//! A draw is 127, which both steps of the distance keep. Boards that a limited supply forbids are 0, so
//! that no raise leads to them (see `limits`).
//!
//! A row of 64 positions is settled at once; thirteen steps settle four rows (see `layout`), and
//! sixteen times four rows are a block.

/// Settles the four rows of a group, each from the next one: level sums 12 down to 0. See the bits for
/// why a row may be settled again and again.
macro_rules! down_the_level_sums {
    ($step:ident) => {
        $step!(0, 1);
        $step!(3, 0);
        $step!(2, 3);
        $step!(1, 2);
        $step!(0, 1);
        $step!(3, 0);
        $step!(2, 3);
        $step!(1, 2);
        $step!(0, 1);
        $step!(3, 0);
        $step!(2, 3);
        $step!(1, 2);
        $step!(0, 1);
    };
}

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod lanes;
mod layout;
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
mod neon;
mod points;
mod portable;

pub(super) use points::PointSweep;
pub(crate) use points::points_fit;

use lanes::{ByteLanes, FamilyPass};
use layout::{PLACES, THIRD_CAN_RISE, place};

use std::cmp::Ordering;

use greenwave_game::{BoardGame, Supply};

use super::Kernel;
use super::family::{BlockFamily, FamilyEntries, Sweeper};
use super::geometry::{Event, Skip, SweepGeometry, TerminalValue};
use super::layout::{BitBlock, BitRow, POSITIONS, WORDS};
use super::leaves::{BlockValues, LeafBuilder};
use super::limits::{BlockLimits, LimitMasks};
use super::masks::{Contributions, Merge, PatternMasks, positions};

/// The byte of a drawn position.
const DRAWN: u8 = 127;

/// Rows of a plane of a block.
const ROWS: usize = POSITIONS / 64;

/// What is known about positions beforehand, one bit each.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
struct PriorMarks {
    /// Finished, with a value that the goal gives.
    over: BitBlock,
    /// A raise above the low squares completes a line and ends the game.
    ending: BitBlock,
}

impl Merge for PriorMarks {
    fn merge(&mut self, other: &PriorMarks) {
        self.over.merge(&other.over);
        self.ending.merge(&other.ending);
    }
}

/// What is settled, and how.
pub(super) trait Algebra: Sync {
    /// Bytes of a position.
    const PLANES: usize;
    /// Bits of a code in a leaf.
    const BITS: u32 = 8;

    /// The value of a position from the joined ones of its children, one register a plane.
    fn step<B: ByteLanes>(joined: [B; 2]) -> [B; 2];

    /// Joins two values.
    fn join<B: ByteLanes>(a: B, b: B) -> B;

    /// The code of a position.
    fn code(bytes: [u8; 2]) -> Option<i32>;
}

/// Distances to the end.
pub(super) struct Distance;

impl Algebra for Distance {
    const PLANES: usize = 1;

    #[inline(always)]
    fn step<B: ByteLanes>([worst, _]: [B; 2]) -> [B; 2] {
        // 256 − m = 0 − m and 254 − m = −2 − m, modulo 256.
        let from = worst.choose(B::zero(), B::splat(0_u8.wrapping_sub(2)));
        [from.minus(worst), B::zero()]
    }

    #[inline(always)]
    fn join<B: ByteLanes>(a: B, b: B) -> B {
        a.max(b)
    }

    fn code([byte, _]: [u8; 2]) -> Option<i32> {
        Some(i32::from(u8::MAX - byte))
    }
}

/// Wins, losses and draws, told by distances to the end.
pub(super) struct Results;

impl Algebra for Results {
    const PLANES: usize = 1;
    const BITS: u32 = 2;

    #[inline(always)]
    fn step<B: ByteLanes>(joined: [B; 2]) -> [B; 2] {
        Distance::step(joined)
    }

    #[inline(always)]
    fn join<B: ByteLanes>(a: B, b: B) -> B {
        Distance::join(a, b)
    }

    fn code([byte, _]: [u8; 2]) -> Option<i32> {
        // Won, lost, drawn.
        Some(match byte.cmp(&DRAWN) {
            Ordering::Less => 0,
            Ordering::Greater => 1,
            Ordering::Equal => 2,
        })
    }
}

/// Grundy values.
pub(super) struct Nimber;

impl Algebra for Nimber {
    const PLANES: usize = 2;

    #[inline(always)]
    fn step<B: ByteLanes>([low, high]: [B; 2]) -> [B; 2] {
        // The lowest clear bit of s is !s & (s + 1); of the high byte only if the low one is full.
        let one = B::splat(1);
        let full = low.equal(B::splat(u8::MAX));
        let lowest = low.plus(one).and_not(low);
        let above = high.plus(one).and_not(high).and(full);
        [lowest, above]
    }

    #[inline(always)]
    fn join<B: ByteLanes>(a: B, b: B) -> B {
        a.or(b)
    }

    fn code([low, high]: [u8; 2]) -> Option<i32> {
        let bits = u16::from_le_bytes([low, high]);
        (bits != 0).then(|| bits.trailing_zeros() as i32)
    }
}

/// The sweep of bytes; `N` is 4,096 for each plane.
pub(super) struct Bytes<A> {
    kernel: Kernel,
    marks: Contributions<PriorMarks>,
    // Positions that do not exist, or whose value is that of no move at all.
    none: Box<[u64; ROWS]>,
    // Bytes of a finished position, and of a position before any of its children.
    over: [u8; 2],
    before: [u8; 2],
    // Bytes of a child that a raise above the low squares finishes.
    ending: [u8; 2],
    // Whether blocks that are not swept are finished, all of them.
    unswept_are_over: bool,
    // Whether finished children are among those that were swept, all of them.
    all_swept: bool,
    // Where play can end without a line.
    limits: Option<BlockLimits>,
    algebra: std::marker::PhantomData<A>,
}

impl<A: Algebra> Bytes<A> {
    /// Distances, or what follows from them; in normal play with or without the positions that are won
    /// at once.
    pub(super) fn plies(game: &BoardGame, geometry: &SweepGeometry, kernel: Kernel) -> Bytes<A> {
        let bytes = match geometry.goal {
            // A child that is not swept is won at once: its byte is 1.
            TerminalValue::Complete => {
                Bytes::new(geometry, kernel, [u8::MAX, 0], [1, 0], [u8::MAX, 0])
            }
            // A finished child is won: its byte is 0, as if it were not there.
            TerminalValue::Avoid => Bytes::new(geometry, kernel, [0, 0], [0, 0], [0, 0]),
        };
        Bytes {
            limits: BlockLimits::new(game, geometry, place),
            all_swept: game.board().supply != Supply::Unlimited && geometry.skip == Skip::Nothing,
            ..bytes
        }
    }
}

impl Bytes<Nimber> {
    /// Grundy values; finished positions have 0.
    pub(super) fn nimber(geometry: &SweepGeometry, kernel: Kernel) -> Bytes<Nimber> {
        let bytes = Bytes::new(geometry, kernel, [1, 0], [0, 0], [1, 0]);
        Bytes {
            unswept_are_over: true,
            ..bytes
        }
    }
}

impl<A: Algebra> Bytes<A> {
    fn new(
        geometry: &SweepGeometry,
        kernel: Kernel,
        over: [u8; 2],
        before: [u8; 2],
        ending: [u8; 2],
    ) -> Bytes<A> {
        let empty = PriorMarks {
            over: [0; POSITIONS / 8],
            ending: [0; POSITIONS / 8],
        };
        let mut known = PatternMasks::new(place);
        let marks =
            Contributions::new(
                geometry,
                &empty,
                empty.clone(),
                |marks, low, event| match event {
                    Event::Shown => marks.over.merge(known.shown(low)),
                    Event::Completed => marks.ending.merge(known.shown(low)),
                },
            );
        let none = words(&positions(place, |position| !geometry.exists_low(position)));
        Bytes {
            kernel,
            marks,
            none: Box::new(none),
            over,
            before,
            ending,
            unswept_are_over: false,
            all_swept: false,
            limits: None,
            algebra: std::marker::PhantomData,
        }
    }
}

fn words(block: &BitBlock) -> [u64; ROWS] {
    let (words, _) = block.as_chunks::<8>();
    std::array::from_fn(|number| u64::from_le_bytes(words[number]))
}

impl<A: Algebra, const N: usize> BlockValues<N> for Bytes<A> {
    #[inline]
    fn code(&self, block: &[u8; N], position: usize) -> Option<i32> {
        let place = usize::from(PLACES[position]);
        let high = if A::PLANES == 2 {
            block[POSITIONS + place]
        } else {
            0
        };
        A::code([block[place], high])
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
        visit_bytes(A::BITS, packed, leaf, code, seen);
    }
}

// Looks at the packed positions in order, whose codes take this many bits in a leaf.
#[inline(always)]
fn visit_bytes(
    bits: u32,
    packed: &[u64; WORDS],
    mut leaf: Option<&mut LeafBuilder>,
    code: impl Fn(usize) -> Option<i32>,
    mut seen: impl FnMut(usize, Option<i32>),
) {
    for (number, word) in packed.iter().enumerate() {
        let mut left = *word;
        while left != 0 {
            let position = 64 * number + left.trailing_zeros() as usize;
            left &= left - 1;
            let code = code(position);
            seen(position, code);
            if let Some(leaf) = &mut leaf {
                match bits {
                    8 => leaf.push_byte(code.unwrap_or_default() as u8),
                    _ => leaf.push(code.unwrap_or_default() as u64, bits),
                }
            }
        }
    }
}

impl<A: Algebra, const N: usize> Sweeper<N> for Bytes<A> {
    fn sweep(&self, family: &BlockFamily<'_, N>, out: &mut [[u8; N]]) -> u64 {
        run_on(self.kernel, self, family, out);
        0
    }
}

fn run_on<W: FamilyPass<N>, const N: usize>(
    kernel: Kernel,
    work: &W,
    family: &BlockFamily<'_, N>,
    out: &mut [[u8; N]],
) {
    match kernel {
        #[cfg(target_arch = "x86_64")]
        Kernel::Avx512 => avx512::sweep(work, family, out),
        #[cfg(target_arch = "x86_64")]
        Kernel::Avx2 => avx2::sweep(work, family, out),
        #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
        Kernel::Neon => work.run::<neon::Quad>(family, out),
        _ => work.run::<portable::Bytes64>(family, out),
    }
}

// Other blocks that one block's children can lie in: fifteen outer squares and three middle ones at
// most.
const MOST_SOURCES: usize = 32;

impl<A: Algebra, const N: usize> FamilyPass<N> for Bytes<A> {
    #[inline(always)]
    fn run<B: ByteLanes>(&self, family: &BlockFamily<'_, N>, out: &mut [[u8; N]]) {
        let bytes = self;
        let common = bytes.marks.family(family.outer);
        let places = FamilyEntries::new(&bytes.marks.mixed, family.outer);
        for (number, middle) in family.swept_middles().enumerate() {
            family.prefetch(number, |block| {
                for row in block.as_chunks::<64>().0 {
                    B::prefetch(row);
                }
            });
            let at = family.place(middle.code);
            let limited = bytes.limits.as_ref();
            let limited = limited.map(|limits| limits.of(family.outer, middle.code));
            if family.is_finished(middle.code) {
                for (plane, bytes_over) in bytes.over.iter().enumerate().take(A::PLANES) {
                    out[at][plane * POSITIONS..][..POSITIONS].fill(*bytes_over);
                }
                if let Some(limited) = limited {
                    leave_out::<B, N>(limited, &mut out[at]);
                }
                continue;
            }
            let mut marks = common.clone();
            for entry in places.entries(middle.code) {
                marks.merge(entry);
            }
            // Blocks below this one in the store are its raises along the middle squares.
            let (before, rest) = out.split_at_mut(at);
            let [this, after @ ..] = rest else { continue };
            let mut sources: [&[u8; N]; MOST_SOURCES] = [&[0; N]; MOST_SOURCES];
            let mut count = 0;
            for block in family
                .children
                .iter()
                .filter_map(|child| child.block(middle.code))
            {
                sources[count] = block;
                count += 1;
            }
            let mut leads_out = family.leads_out >> middle.code & 1 == 1;
            for raised in middle.raised() {
                if !family.is_swept(raised) {
                    leads_out = true;
                    continue;
                }
                let place = family.place(raised);
                sources[count] = if place < at {
                    &before[place]
                } else {
                    &after[place - at - 1]
                };
                count += 1;
            }
            if leads_out && bytes.unswept_are_over {
                marks.ending = [u8::MAX; POSITIONS / 8];
            }
            if bytes.all_swept {
                marks.ending = [0; POSITIONS / 8];
            }
            let (over, ending) = (words(&marks.over), words(&marks.ending));
            let sources = &sources[..count];
            match limited {
                None => settle::<B, A, N, false>(bytes, limited, &over, &ending, sources, this),
                Some(_) => settle::<B, A, N, true>(bytes, limited, &over, &ending, sources, this),
            }
        }
    }
}

#[inline(always)]
fn row<const N: usize>(block: &[u8; N], number: usize) -> &BitRow {
    &block.as_chunks::<64>().0[number]
}

// Takes the positions out of a finished block that are no boards.
#[inline(always)]
fn leave_out<B: ByteLanes, const N: usize>(limited: &LimitMasks, block: &mut [u8; N]) {
    for (row, none) in block.as_chunks_mut::<64>().0.iter_mut().zip(&limited.none) {
        B::load(row).and_not(B::from_mask(*none)).store(row);
    }
}

/// Settles a block from the blocks of its higher children; `LIMITED` where there are limits.
#[inline(always)]
fn settle<B: ByteLanes, A: Algebra, const N: usize, const LIMITED: bool>(
    bytes: &Bytes<A>,
    limited: Option<&LimitMasks>,
    over: &[u64; ROWS],
    ending: &[u64; ROWS],
    sources: &[&[u8; N]],
    block: &mut [u8; N],
) {
    let rise: [B; 4] = [
        B::load(&THIRD_CAN_RISE.0[0]),
        B::load(&THIRD_CAN_RISE.0[1]),
        B::load(&THIRD_CAN_RISE.0[2]),
        B::load(&THIRD_CAN_RISE.0[3]),
    ];
    let loses = bytes
        .limits
        .as_ref()
        .is_some_and(|limits| limits.stalemate_loses);
    let stalemate = B::splat(if loses { u8::MAX } else { DRAWN });
    let none: &[u64; ROWS] = limited.map_or(&bytes.none, |limited| &limited.none);
    let mut fours = ROWS / 4;
    while fours > 0 {
        fours -= 1;
        let first = 4 * fours;
        let mut joined = [[B::zero(); 2]; 4];
        let mut keep = [B::zero(); 4];
        let mut set = [[B::zero(); 2]; 4];
        // Spelled out for each slot, so that what is joined stays in registers.
        macro_rules! join {
            ($slot:literal) => {
                let number = first + $slot;
                let over = B::from_mask(over[number]);
                let none = B::from_mask(none[number]);
                let ending = B::from_mask(ending[number]);
                keep[$slot] = B::splat(u8::MAX).and_not(over.or(none));
                let mut stuck = B::zero();
                if LIMITED && let Some(limited) = limited {
                    stuck = B::from_mask(limited.stuck[number]).and_not(over);
                    keep[$slot] = keep[$slot].and_not(stuck);
                }
                for plane in 0..A::PLANES {
                    set[$slot][plane] = over.and(B::splat(bytes.over[plane])).and_not(none);
                    if LIMITED {
                        set[$slot][plane] = set[$slot][plane].or(stuck.and(stalemate));
                    }
                    let mut found = A::join(
                        B::splat(bytes.before[plane]),
                        ending.and(B::splat(bytes.ending[plane])),
                    );
                    let at = ROWS * plane + number;
                    for source in sources {
                        found = A::join(found, B::load(row(source, at)));
                    }
                    // Raises of square 4, unless it is at its top, and of square 5.
                    if fours % 4 < 3 {
                        found = A::join(found, B::load(row(block, at + 4)));
                    }
                    if fours / 4 < 3 {
                        found = A::join(found, B::load(row(block, at + 16)));
                    }
                    joined[$slot][plane] = found;
                }
            };
        }
        join!(0);
        join!(1);
        join!(2);
        join!(3);
        let mut now = [[B::zero(); 2]; 4];
        macro_rules! step {
            ($at:literal, $next:literal) => {
                let mut all = joined[$at];
                for plane in 0..A::PLANES {
                    let next = now[$next][plane];
                    let [first, second, third] = next.raised();
                    let fourth = next.and(rise[$at]);
                    all[plane] = A::join(
                        A::join(A::join(all[plane], fourth), first),
                        A::join(second, third),
                    );
                }
                let values = A::step(all);
                for plane in 0..A::PLANES {
                    now[$at][plane] = values[plane].and(keep[$at]).or(set[$at][plane]);
                }
            };
        }
        down_the_level_sums!(step);
        for (slot, planes) in now.into_iter().enumerate() {
            for (plane, row) in planes.into_iter().enumerate().take(A::PLANES) {
                let at = ROWS * plane + first + slot;
                row.store(&mut block.as_chunks_mut::<64>().0[at]);
            }
        }
    }
}
