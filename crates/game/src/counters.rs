//! Small sets of counters: hands, the market, what is left in the bag.

use crate::{MAX_LEVEL, Rules};

/// This many counters of each colour; a colour is named by the level that its counter shows, 1 to 3.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Counters([u8; 3]);

impl Counters {
    /// No counters.
    pub const EMPTY: Counters = Counters([0; 3]);

    /// This many counters of levels 1, 2 and 3.
    #[must_use]
    pub fn new(counts: [u8; 3]) -> Counters {
        Counters(counts)
    }

    /// Number of counters of all colours.
    #[must_use]
    pub fn size(self) -> u32 {
        self.0.iter().map(|count| u32::from(*count)).sum()
    }

    /// Number of counters of a level, 1 to 3.
    #[must_use]
    #[inline]
    pub fn count(self, level: u8) -> u32 {
        u32::from(self.0[usize::from(level) - 1])
    }

    /// With one more counter of a level.
    #[must_use]
    #[inline]
    pub fn with(mut self, level: u8) -> Counters {
        self.0[usize::from(level) - 1] += 1;
        self
    }

    /// With one counter of a level less; `None` if there is none.
    #[must_use]
    #[inline]
    pub fn without(mut self, level: u8) -> Option<Counters> {
        let count = &mut self.0[usize::from(level) - 1];
        *count = count.checked_sub(1)?;
        Some(self)
    }

    /// The levels of which there is a counter, lowest first.
    pub fn levels(self) -> impl Iterator<Item = u8> {
        (1..=MAX_LEVEL).filter(move |level| self.count(*level) > 0)
    }

    /// Every set of `size` counters, in the order of their texts: `RRR` first, `GGG` last.
    pub fn all(size: u8) -> impl Iterator<Item = Counters> {
        (0..=size).rev().flat_map(move |first| {
            (0..=size - first)
                .rev()
                .map(move |second| Counters([first, second, size - first - second]))
        })
    }

    /// The place of a set among [`Counters::all`] of its size: 0 to 9 for hands of three, 0 to 5 for
    /// markets of two.
    #[must_use]
    pub fn rank(self) -> usize {
        let (second, third) = (usize::from(self.0[1]), usize::from(self.0[2]));
        let rest = second + third;
        rest * (rest + 1) / 2 + third
    }

    /// The letters of a game with these rules, lowest level first.
    #[must_use]
    pub fn text(self, of: &Rules) -> String {
        let lights = of.order();
        self.each().map(|level| lights.letter(level)).collect()
    }

    /// The level of every counter, lowest first.
    pub fn each(self) -> impl Iterator<Item = u8> {
        (1..=MAX_LEVEL).flat_map(move |level| (0..self.count(level)).map(move |_| level))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Variant;

    fn rules(name: &str) -> Rules {
        Variant::parse(name).unwrap().rules().clone()
    }

    #[test]
    fn ranks_are_places_in_the_list() {
        let red_first = rules("bag-classic-3x4");
        for (size, number) in [(0, 1), (1, 3), (2, 6), (3, 10), (4, 15)] {
            let all: Vec<Counters> = Counters::all(size).collect();
            assert_eq!(all.len(), number);
            for (place, counters) in all.iter().enumerate() {
                assert_eq!(counters.rank(), place, "{counters:?}");
                assert_eq!(counters.size(), u32::from(size));
            }
            assert!(all.is_sorted_by_key(|counters| {
                counters
                    .text(&red_first)
                    .replace('R', "1")
                    .replace('Y', "2")
                    .replace('G', "3")
            }));
        }
    }

    #[test]
    fn counters_come_and_go() {
        let hand = Counters::new([2, 0, 1]);
        let red_first = rules("bag-classic-3x4");
        assert_eq!(hand.text(&red_first), "RRG");
        assert_eq!(hand.text(&rules("bag-semaforo")), "GGR");
        assert_eq!(hand.levels().collect::<Vec<_>>(), [1, 3]);
        assert_eq!(hand.without(2), None);
        assert_eq!(
            hand.without(3).map(|hand| hand.with(2).text(&red_first)),
            Some("RRY".into())
        );
    }
}
