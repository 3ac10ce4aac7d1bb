//! Permutations of the four squares that a block of 256 positions is made of.
//!
//! Bit `p` of a block is the position whose level of square `i` is the digit `i` of `p` in base
//! four. A permutation of the squares permutes the eight bits of `p` in pairs, and so the 256 bits
//! of the block. Two single instructions help. The byte shuffle permutes bits 3 to 7 of `p` at
//! will, and the transposition of 8 × 8 bits exchanges bits 0 to 2 with bits 3 to 5. Three of the
//! former with two of the latter between them make every permutation.

use super::blocks::Block;
use super::codes::rows::place;
use super::layout::LOW;

/// How the positions of a block are turned back from an image.
#[derive(Clone, Debug)]
#[cfg_attr(
    not(target_arch = "x86_64"),
    allow(
        dead_code,
        reason = "the portable loops turn by half bytes, not by shuffles"
    )
)]
pub(super) struct BlockSymmetry {
    /// Whether nothing moves.
    pub(super) identity: bool,
    /// By half byte of the image and its contents: where they come from.
    pub(super) nibbles: Vec<[[u64; 4]; 16]>,
    /// Byte shuffles of two blocks, with a transposition after all but the last one used.
    pub(super) shuffles: [[u8; 64]; 3],
    /// Transpositions: 0, 1 or 2.
    pub(super) transpositions: usize,
    /// The same for CPUs that have no instruction to transpose.
    pub(super) exchanges: Exchanges,
    /// For the lanes of each row (see [`codes`](super::codes)) the lane of the image that they come
    /// from.
    pub(super) rows: [[u8; 64]; 4],
}

impl BlockSymmetry {
    /// The way back from an image in which square `i` went to square `to[i]`.
    pub(super) fn new(to: &[usize]) -> BlockSymmetry {
        let origin = |image: usize| {
            let digits = to.iter().enumerate();
            digits.fold(0, |origin, (digit, target)| {
                origin | (image >> (2 * target) & 3) << (2 * digit)
            })
        };
        let nibbles = (0..64)
            .map(|place| {
                let mut table = [[0; 4]; 16];
                for (contents, block) in table.iter_mut().enumerate() {
                    for bit in (0..4).filter(|bit| contents >> bit & 1 == 1) {
                        let origin = origin(4 * place + bit);
                        block[origin / 64] |= 1_u64 << (origin % 64);
                    }
                }
                table
            })
            .collect();
        // sources[b]: the bit of the image's position that becomes bit b.
        let mut sources = [0; 2 * LOW];
        for (digit, target) in to.iter().enumerate() {
            sources[2 * digit] = 2 * target;
            sources[2 * digit + 1] = 2 * target + 1;
        }
        let (shuffles, transpositions) = compile(sources);
        let mut rows = [[0; 64]; 4];
        for image in 0..256 {
            let ((row, from), (_, lane)) = (place(image), place(origin(image)));
            rows[row][lane] = from as u8;
        }
        BlockSymmetry {
            identity: to
                .iter()
                .enumerate()
                .all(|(digit, target)| digit == *target),
            nibbles,
            shuffles,
            transpositions,
            exchanges: Exchanges::new(&sources),
            rows,
        }
    }

    /// Turns a block of an image back.
    pub(super) fn back(&self, Block(words): &Block) -> Block {
        let mut turned = [0; 4];
        for (number, word) in words.iter().enumerate() {
            let mut rest = *word;
            while rest != 0 {
                let place = rest.trailing_zeros() as usize / 4;
                let contents = (rest >> (4 * place) & 15) as usize;
                rest &= !(15 << (4 * place));
                let table = &self.nibbles[16 * number + place][contents];
                for (turned, part) in turned.iter_mut().zip(table) {
                    *turned |= part;
                }
            }
        }
        Block(turned)
    }
}

/// A turn by exchanges of two bits of `p` each: one of bits 0 to 2, that is inside bytes, and another one
/// below 6, that is inside words.
#[derive(Clone, Debug)]
#[cfg_attr(
    not(target_arch = "x86_64"),
    allow(dead_code, reason = "the portable loops turn by half bytes")
)]
pub(super) struct Exchanges {
    /// The byte shuffle of a block before them.
    pub(super) first: Option<[u8; 32]>,
    pub(super) swaps: Vec<Swap>,
    /// The byte shuffle after them.
    pub(super) last: Option<[u8; 32]>,
}

/// Bits of words change places with those this much further up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Swap {
    /// The lower ones.
    pub(super) mask: u64,
    pub(super) distance: u32,
}

impl Swap {
    // Of two bits of `p`.
    fn new(low: usize, high: usize) -> Swap {
        let lower = (0..64).filter(|bit| bit >> low & 1 == 1 && bit >> high & 1 == 0);
        Swap {
            mask: lower.fold(0, |mask, bit| mask | 1 << bit),
            distance: (1 << high) - (1 << low),
        }
    }
}

impl Exchanges {
    // `wanted[b]` is the original bit that is to be bit b in the end.
    fn new(wanted: &[usize; 8]) -> Exchanges {
        let start: [usize; 8] = std::array::from_fn(|bit| bit);
        // Inside bytes, a bit makes room for the next one of its chain, and the last of them makes
        // room for one from outside. The best way is an exchange with that bit where the last one
        // finally belongs.
        let target = |bit: usize| wanted.iter().position(|from| *from == bit).unwrap_or(bit);
        let mut brought = Vec::new();
        for place in (0..3).filter(|place| wanted[*place] >= 3) {
            let mut end = target(place);
            while end < 3 {
                end = target(end);
            }
            brought.push((place, end));
        }
        // Where what is brought in waits for it.
        let mut order = [None; 8];
        order[..3].clone_from_slice(&[Some(0), Some(1), Some(2)]);
        brought.sort_unstable_by_key(|(_, end)| *end > 5);
        for (place, end) in &brought {
            let free = (3..6).find(|waiting| order[*waiting].is_none());
            let waiting = match *end {
                end @ 3..6 => end,
                _ => free.unwrap_or(*end),
            };
            order[waiting] = Some(wanted[*place]);
        }
        // The others, where they are to be in the end if that is free.
        let mut others: Vec<usize> = (3..8).filter(|bit| !order.contains(&Some(*bit))).collect();
        others.retain(|bit| {
            let to = target(*bit);
            let taken = order[to].is_some();
            if !taken {
                order[to] = Some(*bit);
            }
            taken
        });
        let mut others = others.into_iter();
        let mut order = order.map(|bit| bit.or_else(|| others.next()).unwrap_or_default());
        let first = bytes(&start, &order);
        let mut swaps = Vec::new();
        for (place, bit) in wanted.iter().enumerate().take(3) {
            // Each puts one bit where it is to be.
            let from = order.iter().position(|other| other == bit);
            let from = from.unwrap_or(place);
            if from != place {
                swaps.push(Swap::new(place, from));
                order.swap(place, from);
            }
        }
        Exchanges {
            first,
            swaps,
            last: bytes(&order, wanted),
        }
    }
}

// The byte shuffle of a block from one order of bits to another; `None` where nothing moves.
fn bytes(from: &[usize; 8], to: &[usize; 8]) -> Option<[u8; 32]> {
    (from != to).then(|| {
        let bytes = shuffle(from, to, false);
        std::array::from_fn(|byte| bytes[byte])
    })
}

// The shuffles, and how many transpositions are between them. `wanted[b]` is the original bit that
// is to be bit b in the end.
fn compile(wanted: [usize; 8]) -> ([[u8; 64]; 3], usize) {
    let inside = |bit: usize| bit < 3;
    let start: [usize; 8] = std::array::from_fn(|bit| bit);
    let low: Vec<usize> = wanted[..3].to_vec();
    if low == start[..3] {
        let first = shuffle(&start, &wanted, false);
        return ([first, IDENTITY, IDENTITY], 0);
    }
    // The bits that the first transposition brings down: the wanted ones, if all of them can come,
    // otherwise others that free the wanted ones.
    let direct = low.iter().all(|bit| !inside(*bit));
    let down: Vec<usize> = if direct {
        low.clone()
    } else {
        (3..8).filter(|bit| !low.contains(bit)).take(3).collect()
    };
    let first = before_transposition(&start, &down);
    let shuffles_first = shuffle(&start, &first, true);
    let after = transposed(&first);
    if direct {
        let second = shuffle(&after, &wanted, false);
        return ([shuffles_first, second, IDENTITY], 1);
    }
    let second = before_transposition(&after, &low);
    let shuffles_second = shuffle(&after, &second, true);
    let third = shuffle(&transposed(&second), &wanted, false);
    ([shuffles_first, shuffles_second, third], 2)
}

const IDENTITY: [u8; 64] = {
    let mut bytes = [0; 64];
    let mut byte = 0;
    while byte < 64 {
        bytes[byte] = byte as u8;
        byte += 1;
    }
    bytes
};

// The order of bits with `down` in places 3 to 5, those in places 0 to 2 untouched.
fn before_transposition(bits: &[usize; 8], down: &[usize]) -> [usize; 8] {
    let mut order = *bits;
    order[3..6].copy_from_slice(down);
    let others = bits[3..].iter().filter(|bit| !down.contains(bit));
    for (place, bit) in order[6..].iter_mut().zip(others) {
        *place = *bit;
    }
    order
}

fn transposed(bits: &[usize; 8]) -> [usize; 8] {
    let mut order = *bits;
    for place in 0..3 {
        order.swap(place, place + 3);
    }
    order
}

// The byte shuffle from one order of bits to another with the same bits in places 0 to 2. Before a
// transposition bytes are reversed in each word, since the instruction takes rows from the last.
fn shuffle(from: &[usize; 8], to: &[usize; 8], reversed: bool) -> [u8; 64] {
    std::array::from_fn(|byte| {
        let target = if reversed { byte ^ 7 } else { byte };
        let source = (3..8).fold(0, |source, place| {
            let bit = target >> (place - 3) & 1;
            let before = from
                .iter()
                .position(|bit| *bit == to[place])
                .unwrap_or(place);
            source | bit << (before - 3)
        });
        (source | byte & 32) as u8
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shuffled(block: &[u8; 32], by: &[u8; 64]) -> [u8; 32] {
        std::array::from_fn(|byte| block[usize::from(by[byte])])
    }

    // As the instruction does it: rows from the last.
    fn transposed_bits(block: &[u8; 32]) -> [u8; 32] {
        std::array::from_fn(|byte| {
            let (word, row) = (byte & !7, byte & 7);
            (0..8).fold(0, |bits, bit| {
                bits | (block[word + 7 - bit] >> row & 1) << bit
            })
        })
    }

    fn exchanged(block: &[u64; 4], by: &Exchanges) -> [u64; 4] {
        let shuffled = |block: [u64; 4], by: &Option<[u8; 32]>| {
            let bytes: Vec<u8> = block.iter().flat_map(|word| word.to_le_bytes()).collect();
            let to = |byte: usize| by.map_or(byte, |by| usize::from(by[byte]));
            std::array::from_fn(|word| {
                u64::from_le_bytes(std::array::from_fn(|byte| bytes[to(8 * word + byte)]))
            })
        };
        let mut words = shuffled(*block, &by.first);
        for Swap { mask, distance } in &by.swaps {
            for word in &mut words {
                let moved = (*word ^ *word >> distance) & mask;
                *word ^= moved | moved << distance;
            }
        }
        shuffled(words, &by.last)
    }

    #[test]
    fn every_permutation_turns_every_bit_back() {
        for number in 0..256 {
            let to: Vec<usize> = (0..4).map(|digit| number >> (2 * digit) & 3).collect();
            if (0..4).any(|digit| !to.contains(&digit)) {
                continue;
            }
            let turn = BlockSymmetry::new(&to);
            for position in 0..256_usize {
                let image = (0..4).fold(0, |image, digit| {
                    image | (position >> (2 * digit) & 3) << (2 * to[digit])
                });
                let mut block = [0; 4];
                block[image / 64] = 1_u64 << (image % 64);
                let Block(back) = turn.back(&Block(block));
                let mut expected = [0; 4];
                expected[position / 64] = 1_u64 << (position % 64);
                assert_eq!(back, expected, "{to:?}, {position}");
                let mut bytes = [0; 32];
                bytes[image / 8] = 1 << (image % 8);
                bytes = shuffled(&bytes, &turn.shuffles[0]);
                for step in 0..turn.transpositions {
                    bytes = shuffled(&transposed_bits(&bytes), &turn.shuffles[step + 1]);
                }
                let mut expected = [0; 32];
                expected[position / 8] = 1 << (position % 8);
                assert_eq!(bytes, expected, "{to:?}, {position}");
                let exchanges = &turn.exchanges;
                assert!(exchanges.swaps.len() <= 3);
                assert_eq!(exchanged(&block, exchanges), back, "{to:?}, {position}");
                let ((row, from), (same, lane)) = (place(image), place(position));
                assert_eq!((row, turn.rows[row][lane]), (same, from as u8));
            }
        }
    }
}
