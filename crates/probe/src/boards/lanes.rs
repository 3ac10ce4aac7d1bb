//! The values of a leaf place by place, and what the children of all places come to.

use greenwave_game::{LEAF_BITS, LeafMask, Outcome};
use greenwave_values::{codes, distance_code};

const PLACES: usize = 1 << LEAF_BITS;
const WORDS: usize = PLACES / 64;

/// The values of all places of a leaf, in one metric.
pub(super) trait Lane: Sized + Send + Sync {
    /// What children of all places come to.
    type Union: ChildUnion<Self>;

    /// All places unfinished and won at once, but for those outside a mask, which are over.
    fn filled(unfinished: &LeafMask, over: i32, at_once: i32) -> Self;

    /// Puts packed values into the places of a mask.
    fn put(&mut self, packed: &LeafMask, stored: &[u8]);

    /// The code of a place.
    fn code(&self, place: u32) -> i32;
}

/// What children of all places of a leaf come to.
pub(super) trait ChildUnion<L> {
    /// Without children.
    fn new() -> Self;

    /// Joins to each place the same place of another leaf.
    fn join(&mut self, child: &L);

    /// Joins to each place the one that a raise of a square of the leaf leads to; `top` is the
    /// highest level.
    fn join_raised(&mut self, leaf: &L, square: usize, top: u8);

    /// The code that the children of a place make.
    fn step(&self, place: u32) -> i32;
}

/// Win or loss: a set bit is a loss.
pub(super) struct LossBits(Box<[u64; WORDS]>);

impl Lane for LossBits {
    type Union = LossBits;

    fn filled(unfinished: &LeafMask, over: i32, at_once: i32) -> LossBits {
        let (over, at_once) = (all_bits(over), all_bits(at_once));
        let mut words = unfinished.0.clone();
        for word in words.iter_mut() {
            *word = *word & at_once | !*word & over;
        }
        LossBits(words)
    }

    fn put(&mut self, packed: &LeafMask, stored: &[u8]) {
        for (rank, place) in packed.places().enumerate() {
            let bit = u64::from(stored[rank / 8] >> (rank % 8) & 1);
            let word = &mut self.0[(place / 64) as usize];
            *word = *word & !(1 << (place % 64)) | bit << (place % 64);
        }
    }

    fn code(&self, place: u32) -> i32 {
        let lost = self.0[(place / 64) as usize] >> (place % 64) & 1 == 1;
        codes::value_code(if lost { Outcome::Loss } else { Outcome::Win }).into()
    }
}

// All bits set if a code is that of a loss.
fn all_bits(code: i32) -> u64 {
    if code == i32::from(codes::value_code(Outcome::Loss)) {
        u64::MAX
    } else {
        0
    }
}

/// A set bit: a child is lost.
impl ChildUnion<LossBits> for LossBits {
    fn new() -> LossBits {
        LossBits(Box::new([0; WORDS]))
    }

    fn join(&mut self, child: &LossBits) {
        for (word, child) in self.0.iter_mut().zip(child.0.iter()) {
            *word |= child;
        }
    }

    fn join_raised(&mut self, leaf: &LossBits, square: usize, top: u8) {
        let top = u64::from(top);
        if square < 3 {
            // The places of a word whose level of the square can rise.
            let can_rise = (0..64_u64)
                .filter(|place| place >> (2 * square) & 3 < top)
                .fold(0, |mask, place| mask | 1_u64 << place);
            for (word, leaf) in self.0.iter_mut().zip(leaf.0.iter()) {
                *word |= leaf >> (1 << (2 * square)) & can_rise;
            }
            return;
        }
        for number in 0..WORDS {
            let shift = 2 * (square - 3);
            if number as u64 >> shift & 3 < top {
                self.0[number] |= leaf.0[number + (1 << shift)];
            }
        }
    }

    fn step(&self, place: u32) -> i32 {
        let won = self.0[(place / 64) as usize] >> (place % 64) & 1 == 1;
        codes::value_code(if won { Outcome::Win } else { Outcome::Loss }).into()
    }
}

macro_rules! bytes {
    ($name:ident, $joined:ty) => {
        impl Lane for $name {
            type Union = $joined;

            fn filled(unfinished: &LeafMask, over: i32, at_once: i32) -> $name {
                let mut codes = vec![over as u8; PLACES];
                for place in unfinished.places() {
                    codes[place as usize] = at_once as u8;
                }
                $name(codes)
            }

            fn put(&mut self, packed: &LeafMask, stored: &[u8]) {
                for (code, place) in stored.iter().zip(packed.places()) {
                    self.0[place as usize] = *code;
                }
            }

            fn code(&self, place: u32) -> i32 {
                self.0[place as usize].into()
            }
        }
    };
}

/// Distances.
pub(super) struct Distances(Vec<u8>);

/// The smallest code of a child.
pub(super) struct Least(Vec<u8>);

bytes!(Distances, Least);

impl ChildUnion<Distances> for Least {
    fn new() -> Least {
        Least(vec![distance_code::WON; PLACES])
    }

    fn join(&mut self, child: &Distances) {
        for (least, code) in self.0.iter_mut().zip(&child.0) {
            *least = (*least).min(*code);
        }
    }

    fn join_raised(&mut self, leaf: &Distances, square: usize, top: u8) {
        raised(&mut self.0, &leaf.0, square, top, |least, code| {
            *least = (*least).min(code);
        });
    }

    fn step(&self, place: u32) -> i32 {
        distance_code::from_worst_child(self.0[place as usize]).into()
    }
}

/// Grundy values.
pub(super) struct Nimbers(Vec<u8>);

/// The Grundy values of the children below 64, a bit each.
pub(super) struct ReachedNimbers(Vec<u64>);

bytes!(Nimbers, ReachedNimbers);

impl ChildUnion<Nimbers> for ReachedNimbers {
    fn new() -> ReachedNimbers {
        ReachedNimbers(vec![0; PLACES])
    }

    fn join(&mut self, child: &Nimbers) {
        for (seen, code) in self.0.iter_mut().zip(&child.0) {
            see(seen, *code);
        }
    }

    fn join_raised(&mut self, leaf: &Nimbers, square: usize, top: u8) {
        raised(&mut self.0, &leaf.0, square, top, see);
    }

    fn step(&self, place: u32) -> i32 {
        self.0[place as usize].trailing_ones() as i32
    }
}

// A position has fewer than 64 moves, so that larger values leave a gap below them.
fn see(seen: &mut u64, nimber: u8) {
    *seen |= 1_u64.checked_shl(nimber.into()).unwrap_or(0);
}

// Joins to each place the one that a raise of a square leads to.
fn raised<J>(joined: &mut [J], codes: &[u8], square: usize, top: u8, join: impl Fn(&mut J, u8)) {
    // Places that differ only in this square lie this far apart.
    let step = 1 << (2 * square);
    for (joined, codes) in joined.chunks_mut(4 * step).zip(codes.chunks(4 * step)) {
        let rising = usize::from(top) * step;
        for (joined, code) in joined[..rising].iter_mut().zip(&codes[step..]) {
            join(joined, *code);
        }
    }
}
