//! The dense index of fixed boards, which is the code itself, and its masks.

use std::any::Any;

use super::{BoardGame, Play, Supply};
use crate::{Code, Dense, LEAF_BITS, LeafMask, Metric, Packing, Solvable, Tier, engines};

/// Number of possible counts of squares of a leaf at one level: none to all eight.
const NUMBERS: usize = LEAF_BITS as usize / 2 + 1;

impl Solvable for BoardGame {
    type Engine = engines::Sweep;
}

/// A game as one on a fixed board of lights, whose index is the board itself: for whatever is worked out
/// on such boards alone. `None` where it is not one.
pub fn fixed_board<G: Dense>(game: &G) -> Option<&BoardGame> {
    game.as_any()?.downcast_ref()
}

impl Dense for BoardGame {
    fn indexable(&self) -> u128 {
        1 << (2 * self.board.shape.cells())
    }

    fn as_any(&self) -> Option<&dyn Any> {
        Some(self)
    }

    fn index(&self, position: &Code) -> u64 {
        position.0
    }

    fn at(&self, index: u64) -> Option<Code> {
        debug_assert!(u128::from(index) < self.indexable());
        Some(Code(index)).filter(|code| self.is_legal(*code))
    }

    fn tier(&self, position: &Code) -> Tier {
        Tier(position.level_sum())
    }

    fn packing(&self, metric: Metric) -> Packing {
        // Where the first move is restricted, a line within reach may be out of reach at the start.
        let wins = self.board.play == Play::Normal
            && self.board.supply == Supply::Unlimited
            && self.board.opening.barred.is_empty();
        if wins && matches!(metric, Metric::Value | Metric::Distance) {
            Packing::Undecided
        } else {
            Packing::Unfinished
        }
    }

    fn wins_at_once(&self, position: &Code) -> bool {
        self.has_threat(*position)
    }

    fn block_len(&self) -> Option<u64> {
        Some(1 << (2 * self.board.shape.cells().min(7)))
    }

    fn wave(&self, block: u64) -> u32 {
        Code(block).level_sum()
    }

    fn leaf_mask(&self, packing: Packing, leaf: u64, mask: &mut LeafMask) {
        mask.0.fill(0);
        let first = leaf << LEAF_BITS;
        let places = (self.indexable() - u128::from(first)).min(1 << LEAF_BITS) as u64;
        // All that show a completed line or, where those are left out, a threat.
        if self.board.play != Play::PlayOn {
            for target in &self.targets {
                insert_pattern(mask, first, target.mask, target.value);
            }
        }
        if packing == Packing::Undecided {
            for (pattern, value) in &self.threats {
                insert_pattern(mask, first, *pattern, *value);
            }
        }
        for (number, word) in mask.0.iter_mut().enumerate() {
            *word = if (number as u64) * 64 < places {
                !*word
            } else {
                0
            };
            if places < 64 {
                *word &= (1 << places) - 1;
            }
        }
        if self.allows_every_board() {
            // Without limits the only board without a move is the full one.
            let last = self.indexable() - 1;
            if u128::from(first) + u128::from(places) > last {
                mask.0[((places - 1) / 64) as usize] &= !(1 << ((places - 1) % 64));
            }
        } else if self.board.tops.is_some() {
            for (number, word) in (0..).zip(mask.0.iter_mut()) {
                let mut bits = *word;
                while bits != 0 {
                    let bit = bits.trailing_zeros();
                    bits &= bits - 1;
                    let code = Code(first + 64 * number + u64::from(bit));
                    if !self.is_legal(code) || self.raisable(code).is_empty() {
                        *word &= !(1 << bit);
                    }
                }
            }
        } else {
            self.leave_out_unraisable(mask, first);
        }
        self.leave_out_start(mask, first);
    }
}

impl BoardGame {
    /// Leaves out the boards that limits forbid or stop, where all squares can be raised as high. This
    /// depends on their counts by level alone: those of the squares above the leaf, and those of the at
    /// most eight inside.
    fn leave_out_unraisable(&self, mask: &mut LeafMask, first: u64) {
        let above = Code(first).counts();
        let inside = self.board.shape.cells().min(NUMBERS - 1) as u32;
        let goes_on: [bool; NUMBERS * NUMBERS * NUMBERS] = std::array::from_fn(|place| {
            let levels = [
                place / (NUMBERS * NUMBERS),
                place / NUMBERS % NUMBERS,
                place % NUMBERS,
            ];
            let levels = levels.map(|squares| squares as u32);
            let counts = std::array::from_fn(|at| above[at] + levels[at]);
            levels.iter().sum::<u32>() <= inside && self.go_on(counts)
        });
        let place = |code: u64| {
            let [one, two, three] = Code(code).counts().map(|squares| squares as usize);
            (one * NUMBERS + two) * NUMBERS + three
        };
        let low: [usize; 64] = std::array::from_fn(|bit| place(bit as u64));
        for (number, word) in mask.0.iter_mut().enumerate() {
            let high = place(number as u64);
            let mut bits = *word;
            while bits != 0 {
                let bit = bits.trailing_zeros();
                bits &= bits - 1;
                if !goes_on[high + low[bit as usize]] {
                    *word &= !(1 << bit);
                }
            }
        }
    }

    /// Leaves out the start where the first move is barred altogether.
    fn leave_out_start(&self, mask: &mut LeafMask, first: u64) {
        let start = self.board.opening.start;
        if start.0 >> LEAF_BITS == first >> LEAF_BITS && !self.goes_on(start) {
            let place = start.0 & ((1 << LEAF_BITS) - 1);
            mask.0[(place / 64) as usize] &= !(1 << (place % 64));
        }
    }
}

// Sets the bits of all boards of the leaf that begins at `first` and show a pattern.
fn insert_pattern(mask: &mut LeafMask, first: u64, pattern: u64, value: u64) {
    let low = (1 << LEAF_BITS) - 1;
    if (first ^ value) & pattern & !low != 0 {
        return;
    }
    // The three lowest squares choose the bit inside a word, the next five the word.
    let bits = (0..64)
        .filter(|bit| bit & pattern & 63 == value & 63)
        .fold(0, |bits, bit| bits | 1 << bit);
    let (fixed, free) = (value >> 6 & low >> 6, !pattern >> 6 & low >> 6);
    // Every word number that agrees with the pattern: the subsets of the free bits.
    let mut chosen = 0;
    loop {
        mask.0[(fixed | chosen) as usize] |= bits;
        chosen = (chosen.wrapping_sub(free)) & free;
        if chosen == 0 {
            break;
        }
    }
}
