//! Seeded randomness and the positions that it picks: the same seed, the same positions, on every
//! machine.

use greenwave_game::{BoardGame, Code, Dense, Game};

/// Plies after which a random game is given up; only games whose positions can repeat get there.
const LONGEST_PLAYOUT: usize = 300;

/// A reproducible stream of numbers: SplitMix64 (Steele, Lea and Flood, "Fast splittable
/// pseudorandom number generators", 2014).
#[derive(Clone, Debug)]
pub struct SeededNumbers(u64);

impl SeededNumbers {
    /// The stream of a seed.
    #[must_use]
    pub fn new(seed: u64) -> SeededNumbers {
        SeededNumbers(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number below `limit`, which must not be 0.
    pub fn below(&mut self, limit: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(limit)) >> 64) as u64
    }

    /// One of several, which must not be empty.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }
}

/// Positions with the seed that picked them.
#[derive(Clone, Debug)]
pub struct PositionSample<P> {
    /// The seed, for messages.
    pub seed: u64,
    /// The positions.
    pub positions: Vec<P>,
}

impl<P: Copy> PositionSample<P> {
    /// At least `count` positions of random games from the start: each game whole, its end
    /// included.
    #[must_use]
    pub fn of_games<G: Game<Position = P>>(game: &G, seed: u64, count: usize) -> PositionSample<P> {
        let mut seeded = SeededNumbers::new(seed);
        let mut positions = Vec::with_capacity(count);
        while positions.len() < count {
            playout(game, &mut seeded, &mut positions);
        }
        PositionSample { seed, positions }
    }

    /// `count` legal positions with random indices; fewer where hardly any index is legal.
    #[must_use]
    pub fn of_indices<G: Dense<Position = P>>(
        game: &G,
        seed: u64,
        count: usize,
    ) -> PositionSample<P> {
        let mut seeded = SeededNumbers::new(seed);
        let limit = u64::try_from(game.indexable()).unwrap_or(u64::MAX);
        let positions = std::iter::repeat_with(|| game.at(seeded.below(limit)))
            .take(100 * count)
            .flatten()
            .take(count)
            .collect();
        PositionSample { seed, positions }
    }

    /// Every legal position.
    #[must_use]
    pub fn of_all<G: Dense<Position = P>>(game: &G) -> PositionSample<P> {
        let all = u64::try_from(game.indexable()).unwrap_or(u64::MAX);
        PositionSample {
            seed: 0,
            positions: (0..all).filter_map(|index| game.at(index)).collect(),
        }
    }

    /// The positions of both.
    #[must_use]
    pub fn and(mut self, other: PositionSample<P>) -> PositionSample<P> {
        self.positions.extend(other.positions);
        self
    }
}

/// A position after this number of random plies in which nobody can complete a line; `None` where a game
/// gets stuck before.
pub fn calm_position(game: &BoardGame, plies: u64, seeded: &mut SeededNumbers) -> Option<Code> {
    let mut position = game.start();
    let mut moves = Vec::new();
    for _ in 0..plies {
        game.moves(&position, &mut moves);
        let children = moves.iter().map(|mv| game.play(&position, *mv).to);
        let calm = children.filter(|to| game.ending(to).is_none() && !game.has_threat(*to));
        let calm: Vec<Code> = calm.collect();
        if calm.is_empty() {
            return None;
        }
        position = seeded.pick(&calm);
    }
    Some(position)
}

// Appends every position of a random game.
fn playout<G: Game>(game: &G, seeded: &mut SeededNumbers, positions: &mut Vec<G::Position>) {
    let (mut moves, mut draws) = (Vec::new(), Vec::new());
    let mut position = game.start();
    for _ in 0..LONGEST_PLAYOUT {
        positions.push(position);
        game.moves(&position, &mut moves);
        game.draws(&position, &mut draws);
        position = if let Some(weight) = draws
            .iter()
            .map(|(_, weight)| u64::from(*weight))
            .reduce(u64::wrapping_add)
        {
            let mut left = seeded.below(weight.max(1));
            let drawn = draws.iter().find(|(_, weight)| {
                let here = left < u64::from(*weight);
                left = left.wrapping_sub(u64::from(*weight));
                here
            });
            drawn.map_or(draws[0].0, |(position, _)| *position)
        } else if moves.is_empty() {
            return;
        } else {
            game.play(&position, seeded.pick(&moves)).to
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use greenwave_game::Variant;

    #[test]
    fn the_stream_is_splitmix64() {
        // First numbers of seed 1234567, as listed for the reference implementation
        // (prng.di.unimi.it/splitmix64.c).
        let mut seeded = SeededNumbers::new(1_234_567);
        assert_eq!(seeded.bits(), 6_457_827_717_110_365_317);
        assert_eq!(seeded.bits(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn samples_follow_from_their_seeds() {
        let Variant::Board(game) = Variant::parse("classic-3x4").unwrap() else {
            unreachable!()
        };
        let games = |seed| PositionSample::of_games(&game, seed, 100).positions;
        assert_eq!(games(1), games(1));
        assert_ne!(games(1), games(2));
        let ended = games(1)
            .iter()
            .filter(|position| game.ending(position).is_some())
            .count();
        assert!(ended > 2, "whole games are sampled, their ends too");
        let indices = |seed| PositionSample::of_indices(&game, seed, 100).positions;
        assert_eq!(indices(1), indices(1));
        assert_eq!(indices(1).len(), 100);
        assert_ne!(indices(1), indices(2));
    }
}
