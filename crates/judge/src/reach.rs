//! Which positions play reaches from the start.

use std::sync::atomic::{AtomicU64, Ordering};

use greenwave_game::Dense;
use rayon::prelude::*;

/// One bit for each index: whether play reaches it.
#[derive(Debug)]
pub struct Reached {
    bits: Vec<u64>,
}

impl Reached {
    /// Bytes that the bits of a game take.
    #[must_use]
    pub fn bytes<G: Dense>(game: &G) -> u128 {
        game.indexable().div_ceil(64) * 8
    }

    /// Everything that play reaches, finished positions included; takes one bit per index, and eight
    /// bytes for each position of a frontier.
    #[must_use]
    pub fn of<G: Dense>(game: &G) -> Reached {
        let words = game.indexable().div_ceil(64) as usize;
        let seen: Vec<AtomicU64> = std::iter::repeat_with(AtomicU64::default)
            .take(words)
            .collect();
        let first_time = |index: u64| {
            let bit = 1 << (index % 64);
            seen[(index / 64) as usize].fetch_or(bit, Ordering::Relaxed) & bit == 0
        };
        let start = game.index(&game.start());
        first_time(start);
        let mut frontier = vec![start];
        while !frontier.is_empty() {
            frontier = frontier
                .par_iter()
                .fold(
                    || (Vec::new(), Vec::new()),
                    |(mut next, mut moves), index| {
                        if let Some(position) = game.at(*index) {
                            game.moves(&position, &mut moves);
                            let to = |mv: &G::Move| game.index(&game.play(&position, *mv).to);
                            next.extend(moves.iter().map(to).filter(|index| first_time(*index)));
                        }
                        (next, moves)
                    },
                )
                .map(|(next, _)| next)
                .reduce(Vec::new, |mut all, mut next| {
                    all.append(&mut next);
                    all
                });
        }
        Reached {
            bits: seen.into_iter().map(AtomicU64::into_inner).collect(),
        }
    }

    /// Whether play reaches an index.
    #[must_use]
    pub fn contains(&self, index: u64) -> bool {
        self.bits[(index / 64) as usize] >> (index % 64) & 1 == 1
    }

    /// 64 indices at a time, the lowest in the lowest bit.
    #[must_use]
    pub fn words(&self) -> &[u64] {
        &self.bits
    }

    /// Number of reached positions.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.bits
            .par_iter()
            .map(|word| u64::from(word.count_ones()))
            .sum()
    }
}
