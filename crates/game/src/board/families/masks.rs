//! Which places of families are packed, block by block.
//!
//! ```text
//! place = outer near squares | inner near squares
//!         up to 4: a block     up to 5: 16 words
//! ```
//!
//! A family leaves out the places that show the near part of a pattern whose far part its key
//! shows. Most of those near parts lie on inner squares alone, and leave out the same places of
//! every block, or on outer ones alone, and leave out whole blocks. Tables by far squares give the
//! keys of both; patterns of near squares alone are the same for all families.

/// Words of a block, at most.
const WORDS: usize = 16;

/// Inner squares.
const INNER: usize = 5;

/// Most far squares whose levels share one table.
const TOGETHER: usize = 3;

// Boards that are not packed: those that show all of it. Digits, not squares.
#[derive(Clone, Copy, Debug)]
pub(super) struct WordPattern {
    pub(super) near: (u64, u64),
    // The places of a word that show the near part as far as it is inside words.
    pub(super) bits: u64,
    pub(super) far: (u64, u64),
}

/// What keys leave of the places of their families.
#[derive(Clone, Debug)]
pub(super) struct KeyMasks {
    // Places that no pattern of near squares alone shows.
    near: Vec<u64>,
    groups: Vec<KeyGroup>,
    // Patterns of far squares alone, and those of far, inner and outer squares or of many far ones.
    gone: Vec<WordPattern>,
    others: Vec<WordPattern>,
}

// Far squares of which some patterns have a part, and what follows from their levels.
#[derive(Clone, Debug)]
struct KeyGroup {
    shifts: Vec<u32>,
    left: Vec<OpenPlaces>,
}

// What is left of the blocks, and of each of them.
#[derive(Clone, Copy, Debug)]
struct OpenPlaces {
    blocks: [u64; 4],
    open: [u64; WORDS],
}

const ALL: OpenPlaces = OpenPlaces {
    blocks: [u64::MAX; 4],
    open: [u64::MAX; WORDS],
};

impl KeyMasks {
    /// Those of some patterns, where this many squares are near.
    pub(super) fn new(near: usize, patterns: &[WordPattern]) -> KeyMasks {
        let places = 1_usize << (2 * near);
        let all = match places {
            ..64 => (1 << places) - 1,
            _ => u64::MAX,
        };
        let mut masks = KeyMasks {
            near: vec![all; places.div_ceil(64)],
            groups: Vec::new(),
            gone: Vec::new(),
            others: Vec::new(),
        };
        let (mut inner, mut together) = (Vec::new(), Vec::new());
        for pattern in patterns {
            let near = pattern.near.0;
            if pattern.far.0 == 0 {
                remove(&mut masks.near, pattern);
            } else if near == 0 {
                masks.gone.push(*pattern);
            } else if squares(pattern.far.0).count() > TOGETHER
                || (near >> (2 * INNER) != 0 && near & ((1 << (2 * INNER)) - 1) != 0)
            {
                masks.others.push(*pattern);
            } else {
                inner.push(squares(pattern.far.0).collect::<Vec<u32>>());
                together.push(*pattern);
            }
        }
        // The longest lists come first, so that a shorter one can use the table of a list that
        // contains it.
        inner.sort_by_key(|shifts| std::cmp::Reverse(shifts.len()));
        for shifts in inner {
            let known = |group: &KeyGroup| shifts.iter().all(|shift| group.shifts.contains(shift));
            if !masks.groups.iter().any(known) {
                let left = vec![ALL; 1 << (2 * shifts.len())];
                masks.groups.push(KeyGroup { shifts, left });
            }
        }
        for pattern in together {
            let known = |group: &&mut KeyGroup| {
                squares(pattern.far.0).all(|shift| group.shifts.contains(&shift))
            };
            if let Some(group) = masks.groups.iter_mut().find(known) {
                group.leave_out(&pattern);
            }
        }
        masks
    }

    /// Puts the words in which a family packs any position, each with its number, in place of what there
    /// was.
    pub(super) fn words(&self, key: u64, words: &mut Vec<(u32, u64)>) {
        words.clear();
        let shown = |pattern: &WordPattern| key & pattern.far.0 == pattern.far.1;
        if self.gone.iter().any(shown) {
            return;
        }
        let mut left = ALL;
        for group in &self.groups {
            let shifts = group.shifts.iter().enumerate();
            let place = shifts.fold(0, |place, (digit, shift)| {
                place | (key >> shift & 3) << (2 * digit)
            });
            left.keep(&group.left[place as usize]);
        }
        for (block, near) in self.near.chunks(WORDS).enumerate() {
            if left.blocks[block / 64] >> (block % 64) & 1 == 0 {
                continue;
            }
            for (number, (near, open)) in (WORDS * block..).zip(near.iter().zip(&left.open)) {
                if near & open != 0 {
                    words.push((number as u32, near & open));
                }
            }
        }
        for pattern in self.others.iter().filter(|pattern| shown(pattern)) {
            let (mask, value) = (pattern.near.0 as u32 >> 6, pattern.near.1 as u32 >> 6);
            for (_, word) in words.iter_mut().filter(|(word, _)| word & mask == value) {
                *word &= !pattern.bits;
            }
            words.retain(|(_, word)| *word != 0);
        }
    }
}

impl KeyGroup {
    // Takes away what a pattern shows, whose far squares are all of the group.
    fn leave_out(&mut self, pattern: &WordPattern) {
        for (place, left) in (0_u64..).zip(&mut self.left) {
            let shifts = self.shifts.iter().enumerate();
            let key = shifts.fold(0, |key, (digit, shift)| {
                key | (place >> (2 * digit) & 3) << shift
            });
            if key & pattern.far.0 == pattern.far.1 {
                left.leave_out(pattern);
            }
        }
    }
}

impl OpenPlaces {
    fn leave_out(&mut self, pattern: &WordPattern) {
        let outer = 2 * INNER;
        if pattern.near.0 >> outer == 0 {
            remove(&mut self.open, pattern);
            return;
        }
        let (mask, value) = (pattern.near.0 >> outer, pattern.near.1 >> outer);
        let blocks = self.blocks.as_mut_slice();
        for block in (0..64 * blocks.len()).filter(|block| *block as u64 & mask == value) {
            blocks[block / 64] &= !(1 << (block % 64));
        }
    }

    fn keep(&mut self, other: &OpenPlaces) {
        for (left, other) in self.blocks.iter_mut().zip(&other.blocks) {
            *left &= other;
        }
        for (left, other) in self.open.iter_mut().zip(&other.open) {
            *left &= other;
        }
    }
}

// How far the levels of the squares of a mask are to be shifted.
fn squares(mask: u64) -> impl Iterator<Item = u32> {
    (0..u64::BITS)
        .step_by(2)
        .filter(move |shift| mask >> shift & 3 != 0)
}

// Removes the places that show the near part of a pattern.
fn remove(words: &mut [u64], pattern: &WordPattern) {
    let (mask, value) = (pattern.near.0 as usize >> 6, pattern.near.1 as usize >> 6);
    for (number, word) in words.iter_mut().enumerate() {
        if number & mask == value {
            *word &= !pattern.bits;
        }
    }
}
