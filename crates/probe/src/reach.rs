//! Which positions play can reach from the start, and how they come out.

use std::sync::atomic::{AtomicU64, Ordering};

use greenwave_game::{Dense, Outcome};
use greenwave_values::ValueSource;
use greenwave_values::parallel::{map_parts, try_map_parts};

// Positions of a frontier, or words of bits, that a task looks at.
const TASK: usize = 1 << 6;

/// Counts over the positions that play reaches from the start, not up to symmetry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reachable {
    /// Unfinished positions won for the player to move.
    pub win: u64,
    /// Unfinished positions lost for the player to move.
    pub loss: u64,
    /// Unfinished drawn positions.
    pub draw: u64,
    /// Finished positions.
    pub terminal: u64,
}

impl Reachable {
    pub(crate) fn plus(self, other: Reachable) -> Reachable {
        Reachable {
            win: self.win + other.win,
            loss: self.loss + other.loss,
            draw: self.draw + other.draw,
            terminal: self.terminal + other.terminal,
        }
    }
}

/// Which positions play reaches, finished ones included: one bit for each index.
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

    /// Walks through the game from the start, frontier by frontier; takes the bits, and eight bytes for
    /// each position of a frontier.
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
            let parts: Vec<&[u64]> = frontier.chunks(TASK).collect();
            let next = map_parts(parts.len(), |part| {
                let (mut next, mut moves) = (Vec::new(), Vec::new());
                for position in parts[part].iter().filter_map(|index| game.at(*index)) {
                    game.moves(&position, &mut moves);
                    let to = |mv: &G::Move| game.index(&game.play(&position, *mv).to);
                    next.extend(moves.iter().map(to).filter(|index| first_time(*index)));
                }
                next
            });
            frontier = next.concat();
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
}

/// Counts the reachable positions; takes the memory of [`Reached::of`].
///
/// # Errors
/// When the source cannot be read.
pub fn reachable<G: Dense, S: ValueSource<G::Position>>(
    game: &G,
    source: &S,
) -> Result<Reachable, S::Error>
where
    S::Error: Send,
{
    let count = |number: usize, word: u64, counts: &mut Reachable| {
        let mut bits = word;
        while bits != 0 {
            let index = number as u64 * 64 + u64::from(bits.trailing_zeros());
            bits &= bits - 1;
            let Some(position) = game.at(index) else {
                continue;
            };
            if game.ending(&position).is_some() {
                counts.terminal += 1;
                continue;
            }
            match source.figures(&position)?.value {
                Some(Outcome::Win) => counts.win += 1,
                Some(Outcome::Loss) => counts.loss += 1,
                Some(Outcome::Draw) | None => counts.draw += 1,
            }
        }
        Ok(())
    };
    let reached = Reached::of(game);
    let tasks = reached.words().len().div_ceil(TASK);
    let counts = try_map_parts(tasks, |task| {
        let mut counts = Reachable::default();
        let words = reached.words().iter().enumerate();
        for (number, word) in words.skip(task * TASK).take(TASK) {
            count(number, *word, &mut counts)?;
        }
        Ok(counts)
    })?;
    Ok(counts
        .into_iter()
        .fold(Reachable::default(), Reachable::plus))
}
