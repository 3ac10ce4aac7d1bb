//! How often each byte of the code grain occurs, and which position takes longest.

use super::grain::Grain;

/// Of the positions of complete families.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FamilyCounts {
    /// By byte of the code grain.
    pub(super) bytes: Vec<u64>,
    /// The most plies, and the lowest position that takes them.
    pub(super) longest: Option<(u8, u64)>,
}

impl Default for FamilyCounts {
    fn default() -> FamilyCounts {
        FamilyCounts {
            bytes: vec![0; 256],
            longest: None,
        }
    }
}

impl FamilyCounts {
    /// Adds some other ones.
    pub(super) fn add(&mut self, other: &FamilyCounts) {
        for (count, other) in self.bytes.iter_mut().zip(&other.bytes) {
            *count += other;
        }
        if let Some((plies, position)) = other.longest {
            self.see(plies, position);
        }
    }

    /// Takes note of a position.
    pub(super) fn see(&mut self, plies: u8, position: u64) {
        let better = |(most, lowest): (u8, u64)| plies > most || plies == most && position < lowest;
        if self.longest.is_none_or(better) {
            self.longest = Some((plies, position));
        }
    }

    /// Whether a position that takes this many plies and is not below some other one would be noted.
    pub(super) fn would_see(&self, plies: u8, lowest: impl FnOnce() -> u64) -> bool {
        match self.longest {
            Some((most, position)) if plies == most => lowest() < position,
            Some((most, _)) => plies > most,
            None => true,
        }
    }
}

/// Counts the bytes of streams, for families of one weight at a time.
#[derive(Debug)]
pub(super) struct StreamCounter {
    weight: u64,
    // Four in turn: a count that was just written is not yet there to be read.
    parts: Box<[[u32; 256]; 4]>,
    pub(super) counts: FamilyCounts,
}

impl StreamCounter {
    /// A counter where there is anything to count.
    pub(super) fn new(grain: Grain, longest: Option<(u8, u64)>) -> Option<StreamCounter> {
        matches!(grain, Grain::Code(_)).then(|| StreamCounter {
            weight: 1,
            parts: Box::new([[0; 256]; 4]),
            counts: FamilyCounts {
                longest,
                ..FamilyCounts::default()
            },
        })
    }

    /// Counts a family that stands for this many.
    #[inline(always)]
    pub(super) fn count(&mut self, stream: &[u8], weight: u64) {
        if weight != self.weight {
            self.flush();
            self.weight = weight;
        }
        let (words, rest) = stream.as_chunks::<4>();
        let [first, second, third, fourth] = &mut *self.parts;
        for word in words {
            first[usize::from(word[0])] += 1;
            second[usize::from(word[1])] += 1;
            third[usize::from(word[2])] += 1;
            fourth[usize::from(word[3])] += 1;
        }
        for byte in rest {
            first[usize::from(*byte)] += 1;
        }
    }

    fn flush(&mut self) {
        for part in self.parts.iter_mut() {
            for (count, part) in self.counts.bytes.iter_mut().zip(part) {
                *count += self.weight * u64::from(*part);
                *part = 0;
            }
        }
    }

    /// All that was counted.
    pub(super) fn finish(mut self) -> FamilyCounts {
        self.flush();
        self.counts
    }
}

#[cfg(test)]
mod tests {
    use super::super::grain::ByteMeaning;
    use super::*;

    #[test]
    fn bytes_are_counted_by_weight() {
        let mut counter = StreamCounter::new(Grain::Code(ByteMeaning::Distance), None).unwrap();
        counter.count(&[1, 2, 3, 4, 5, 5, 5], 8);
        counter.count(&[5, 9], 4);
        counter.count(&[5], 8);
        let counts = counter.finish();
        let expected = [(1, 8), (2, 8), (3, 8), (4, 8), (5, 36), (9, 4)];
        for (byte, count) in counts.bytes.iter().enumerate() {
            let found = expected.iter().find(|(other, _)| *other == byte);
            assert_eq!(*count, found.map_or(0, |(_, count)| *count));
        }
        assert!(StreamCounter::new(Grain::Bit, None).is_none());
    }

    #[test]
    fn the_lowest_position_that_takes_longest_is_kept() {
        let mut counts = FamilyCounts::default();
        for (plies, position) in [(3, 9), (4, 8), (4, 7), (4, 12), (2, 1)] {
            let would = counts.would_see(plies, || position);
            let before = counts.longest;
            counts.see(plies, position);
            assert_eq!(would, before != counts.longest);
        }
        assert_eq!(counts.longest, Some((4, 7)));
    }
}
