//! Streams that tell by themselves which blocks they are of.
//!
//! ```text
//! count     u16, of entries, even
//! ranks     u16 each, rising: the blocks that have lost positions
//! masks     u32 each: their bytes that have any
//! bytes     these, block after block
//! ```
//!
//! Of an odd number of blocks the last entry is of no block and has no bytes. All numbers are
//! little-endian. A family that adds such a stream need not look up what its own far squares leave
//! undecided.

use super::blocks::Block;

/// Bytes of an entry, besides those of its block.
pub(super) const ENTRY: usize = 6;

/// Bytes before the entries.
pub(super) const HEAD: usize = 2;

/// Bytes of the streams of some families, but for the blocks themselves.
pub(super) fn bytes(blocks: u64, families: u64) -> u64 {
    ENTRY as u64 * blocks + (HEAD + ENTRY) as u64 * families
}

/// Writes a stream of blocks by rising rank, of which empty ones are left out, and tells its length.
/// `none` is the rank of no block.
pub(super) fn write(blocks: &[(usize, Block)], none: usize, out: &mut [u8]) -> usize {
    let there = blocks.iter().filter(|(_, block)| *block != Block::EMPTY);
    let mut there: Vec<(usize, Block)> = there.copied().collect();
    if !there.len().is_multiple_of(2) {
        there.push((none, Block::EMPTY));
    }
    let count = there.len();
    let mut next = HEAD + ENTRY * count;
    out[..HEAD].copy_from_slice(&(count as u16).to_le_bytes());
    for (number, (rank, block)) in there.iter().enumerate() {
        let mut mask = 0_u32;
        for (place, byte) in bytes_of(block).enumerate() {
            if byte != 0 {
                mask |= 1 << place;
                out[next] = byte;
                next += 1;
            }
        }
        out[HEAD + 2 * number..][..2].copy_from_slice(&(*rank as u16).to_le_bytes());
        out[HEAD + 2 * count + 4 * number..][..4].copy_from_slice(&mask.to_le_bytes());
    }
    next
}

fn bytes_of(block: &Block) -> impl Iterator<Item = u8> {
    block.0.iter().flat_map(|word| word.to_le_bytes())
}

/// Reads a stream.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sparse<'a> {
    stream: &'a [u8],
    count: usize,
    entry: usize,
    next: usize,
}

impl<'a> Sparse<'a> {
    pub(super) fn of(stream: &'a [u8]) -> Sparse<'a> {
        let count = usize::from(u16::from_le_bytes(array(stream, 0).unwrap_or_default()));
        Sparse {
            stream,
            count,
            entry: 0,
            next: HEAD + ENTRY * count,
        }
    }

    fn rank(&self) -> Option<usize> {
        let place = HEAD + 2 * self.entry;
        if self.entry == self.count {
            return None;
        }
        array(self.stream, place).map(|rank| u16::from_le_bytes(rank).into())
    }

    /// The next entry: a rank and the lost positions of its block; none beyond the end of what a forged
    /// stream has.
    pub(super) fn next(&mut self) -> Option<(usize, Block)> {
        let rank = self.rank()?;
        let place = HEAD + 2 * self.count + 4 * self.entry;
        let mask = u32::from_le_bytes(array(self.stream, place)?);
        let mut words = [[0; 8]; 4];
        for (place, byte) in words.as_flattened_mut().iter_mut().enumerate() {
            if mask >> place & 1 == 1 {
                *byte = *self.stream.get(self.next)?;
                self.next += 1;
            }
        }
        self.entry += 1;
        Some((rank, Block(words.map(u64::from_le_bytes))))
    }

    /// The lost positions of a block. The caller has to take blocks by rising rank.
    pub(super) fn at(&mut self, rank: usize) -> Block {
        match self.rank() {
            Some(next) if next == rank => self.next().map_or(Block::EMPTY, |(_, block)| block),
            _ => Block::EMPTY,
        }
    }
}

fn array<const N: usize>(stream: &[u8], place: usize) -> Option<[u8; N]> {
    stream.get(place..)?.first_chunk().copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packed::grain::{Grain, room};

    #[test]
    fn the_fullest_stream_has_room() {
        for fold in [1, 4] {
            let blocks: Vec<(usize, Block)> =
                (0..256 * fold).map(|rank| (rank, Block::FULL)).collect();
            let mut out = vec![0; room(Grain::Sparse, fold)];
            let length = write(&blocks, blocks.len(), &mut out);
            assert_eq!(length, HEAD + (ENTRY + 32) * blocks.len());
            // A register ahead is read and written.
            assert!(length + 64 <= out.len());
            let mut sparse = Sparse::of(&out);
            assert!(blocks.iter().all(|block| sparse.next() == Some(*block)));
            assert_eq!(sparse.next(), None);
        }
    }

    #[test]
    fn forged_streams_end() {
        for length in 0..300 {
            let stream = vec![0xFF; length];
            let mut sparse = Sparse::of(&stream);
            assert!(std::iter::from_fn(|| sparse.next()).count() <= length);
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let block = |words: [u64; 4]| Block(words);
        let blocks = [
            (3, block([0, 0x80_0000_0000_0001, 0, u64::MAX])),
            (4, Block::EMPTY),
            (7, block([1, 0, 0, 0])),
            (255, block([0, 0, 0, 1 << 63])),
        ];
        for blocks in [&blocks[..0], &blocks[..1], &blocks[..3], &blocks] {
            let mut out = vec![0xAA; 512];
            let length = write(blocks, 256, &mut out);
            let there = blocks.iter().filter(|(_, block)| *block != Block::EMPTY);
            let there: Vec<(usize, Block)> = there.copied().collect();
            let even = there.len().next_multiple_of(2);
            let own: u32 = there
                .iter()
                .map(|(_, block)| bytes_of(block).filter(|byte| *byte != 0).count() as u32)
                .sum();
            assert_eq!(length, HEAD + ENTRY * even + own as usize);
            assert!(length as u64 <= bytes(blocks.len() as u64, 1) + u64::from(own));
            assert!(out[length..].iter().all(|byte| *byte == 0xAA));
            let mut sparse = Sparse::of(&out);
            let found: Vec<(usize, Block)> = std::iter::from_fn(|| sparse.next()).collect();
            assert_eq!(found[..there.len()], there);
            assert!(
                found[there.len()..]
                    .iter()
                    .all(|entry| *entry == (256, Block::EMPTY))
            );
            let mut sparse = Sparse::of(&out);
            for rank in 0..256 {
                let expected = there.iter().find(|(other, _)| *other == rank);
                let expected = expected.map_or(Block::EMPTY, |(_, block)| *block);
                assert_eq!(sparse.at(rank), expected, "{rank}");
            }
        }
    }
}
