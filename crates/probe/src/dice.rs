//! Numbers that follow from a seed.

/// A stream of numbers: splitmix64 (S. Vigna, prng.di.unimi.it/splitmix64.c).
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// The stream with a number among those of a seed: whoever asks, and whenever, the same numbers
    /// come.
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

    /// A number from 0 on, below 1.
    pub fn fraction(&mut self) -> f64 {
        (self.roll() >> 11) as f64 / (1_u64 << 53) as f64
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dice_are_fair_and_follow_from_seed_and_stream() {
        let mut counts = [0_u32; 6];
        let mut dice = Dice::new(7, 0);
        (0..60_000).for_each(|_| counts[dice.below(6) as usize] += 1);
        // Ten thousand each; six standard deviations are 550.
        assert!(
            counts.iter().all(|count| count.abs_diff(10_000) < 550),
            "{counts:?}"
        );
        let first = |seed, stream| Dice::new(seed, stream).roll();
        assert_eq!(first(7, 0), first(7, 0));
        assert_ne!(first(7, 0), first(7, 1));
        assert_ne!(first(7, 0), first(8, 0));
    }

    #[test]
    fn places_come_by_their_weights() {
        let mut dice = Dice::new(1, 1);
        let mut counts = [0_u32; 3];
        for _ in 0..60_000 {
            let place = dice.weighted([1, 3, 2].into_iter());
            counts[place.expect("the weights come to six")] += 1;
        }
        assert!(
            counts
                .iter()
                .zip([10_000_u32, 30_000, 20_000])
                .all(|(a, b)| a.abs_diff(b) < 750)
        );
        assert_eq!(dice.weighted([0, 0].into_iter()), None);
    }
}
