//! Numbers that follow from a seed.

/// A stream of numbers: splitmix64 (S. Vigna, prng.di.unimi.it/splitmix64.c).
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// The stream with a number among those of a seed.
    #[must_use]
    pub fn new(seed: u64, stream: u64) -> Dice {
        let mut first = Dice(seed);
        let mut second = Dice(first.roll() ^ stream);
        Dice(second.roll())
    }

    /// The next number.
    pub fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ bits >> 31
    }

    /// A number below a limit above 0, each as likely as the others but for less than 2⁻³² of it.
    pub fn below(&mut self, limit: u64) -> u64 {
        ((u128::from(self.roll()) * u128::from(limit)) >> 64) as u64
    }

    /// A place among some weights, each as likely as it is heavy; `None` if they come to nothing.
    pub fn weighted(&mut self, weights: impl Iterator<Item = u32> + Clone) -> Option<usize> {
        let all: u64 = weights.clone().map(u64::from).sum();
        if all == 0 {
            return None;
        }
        let mut left = self.below(all);
        for (place, weight) in weights.enumerate() {
            if left < u64::from(weight) {
                return Some(place);
            }
            left -= u64::from(weight);
        }
        None
    }

    /// One of some things; `None` if there are none.
    pub fn one_of<'a, T>(&mut self, things: &'a [T]) -> Option<&'a T> {
        if things.is_empty() {
            return None;
        }
        things.get(self.below(things.len() as u64) as usize)
    }
}
