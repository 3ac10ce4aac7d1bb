//! Which positions play can reach from the start, and how they come out.

use std::sync::atomic::{AtomicU64, Ordering};

use greenwave_game::{Dense, Outcome, ValueSource};
use rayon::prelude::*;

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

/// Counts the reachable positions, frontier by frontier; needs one bit per index and eight bytes
/// per position of a frontier.
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
    let mut total = Reachable::default();
    while !frontier.is_empty() {
        let counted = frontier
            .par_iter()
            .map(|index| {
                let mut counts = Reachable::default();
                let Some(position) = game.at(*index) else {
                    return Ok(counts);
                };
                if game.ending(&position).is_some() {
                    counts.terminal = 1;
                    return Ok(counts);
                }
                match source.figures(&position)?.value {
                    Some(Outcome::Win) => counts.win = 1,
                    Some(Outcome::Loss) => counts.loss = 1,
                    Some(Outcome::Draw) | None => counts.draw = 1,
                }
                Ok(counts)
            })
            .try_reduce(Reachable::default, |a, b| Ok(a.plus(b)))?;
        total = total.plus(counted);
        frontier = frontier
            .par_iter()
            .flat_map_iter(|index| {
                let position = game.at(*index);
                let mut moves = Vec::new();
                if let Some(position) = &position {
                    game.moves(position, &mut moves);
                }
                moves
                    .into_iter()
                    .filter_map(move |mv| Some(game.index(&game.play(position.as_ref()?, mv).to)))
            })
            .filter(|index| first_time(*index))
            .collect();
    }
    Ok(total)
}
