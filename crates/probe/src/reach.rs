//! Which positions play can reach from the start, and how they come out.

use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};

use greenwave_game::{Advance, Dense, Luck, Outcome, Squares};
use greenwave_values::parallel::try_map_parts;
use greenwave_values::{Progress, Silent, ValueSource, ValuesError, room};

// Words of bits that a task looks at.
const WORDS: usize = 1 << 10;

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
pub struct ReachableSet {
    bits: Vec<u64>,
}

impl ReachableSet {
    /// Bytes that [`ReachableSet::of`] takes: three bits for each index.
    #[must_use]
    pub fn bytes<G: Dense>(game: &G) -> u128 {
        game.indexable().div_ceil(64) * 8 * 3
    }

    /// Walks through the game from the start, frontier by frontier.
    ///
    /// # Errors
    /// When the machine does not give the memory.
    pub fn of<G: Dense>(game: &G) -> Result<ReachableSet, ValuesError> {
        ReachableSet::watched(game, &Silent)
    }

    /// The same, telling of every position that it reaches; stops when asked to.
    ///
    /// # Errors
    /// As [`ReachableSet::of`], and when it is interrupted.
    pub fn watched<G: Dense>(
        game: &G,
        progress: &dyn Progress,
    ) -> Result<ReachableSet, ValuesError> {
        let words = game.indexable().div_ceil(64) as usize;
        let none = || room::collected((0..words).map(|_| AtomicU64::new(0)));
        // Sets the bit of an index; whether it was not set before.
        let mark = |bits: &[AtomicU64], index: u64| {
            let (word, bit) = (&bits[(index / 64) as usize], 1 << (index % 64));
            // Most are reached by many moves, and reading is cheaper than setting.
            word.load(Ordering::Relaxed) & bit == 0
                && word.fetch_or(bit, Ordering::Relaxed) & bit == 0
        };
        let (seen, mut frontier, mut next) = (none()?, none()?, none()?);
        let start = game.index(&game.start());
        mark(&seen, start);
        mark(&frontier, start);
        loop {
            let found = try_map_parts(words.div_ceil(WORDS), |part| {
                if progress.cancelled() {
                    return Err(ValuesError::Interrupted);
                }
                let (mut found, mut moves) = (0, Vec::new());
                let words = frontier.iter().enumerate().skip(part * WORDS).take(WORDS);
                for (number, word) in words {
                    let mut bits = word.load(Ordering::Relaxed);
                    while bits != 0 {
                        let index = number as u64 * 64 + u64::from(bits.trailing_zeros());
                        bits &= bits - 1;
                        let Some(position) = game.at(index) else {
                            continue;
                        };
                        game.moves(&position, &mut moves);
                        for mv in &moves {
                            let to = game.index(&game.play(&position, *mv).to);
                            if mark(&seen, to) {
                                mark(&next, to);
                                found += 1;
                            }
                        }
                    }
                }
                if found > 0 {
                    progress.advance(found);
                }
                Ok(found)
            })?;
            if found.iter().all(|found| *found == 0) {
                break;
            }
            std::mem::swap(&mut frontier, &mut next);
            next.iter_mut().for_each(|word| *word.get_mut() = 0);
        }
        drop((frontier, next));
        let bits = room::collected(seen.into_iter().map(AtomicU64::into_inner))?;
        Ok(ReachableSet { bits })
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

/// Whether play leads from the start to a position, where every move raises a square or marks one
/// and nothing else changes. Gives `None` for other games, and where the search would visit more
/// than `most` positions. It goes back from the position where squares are all that is numbered, else forward
/// by positions that show no more than the given one.
pub fn leads_to<G: Squares>(game: &G, position: &G::Position, most: usize) -> Option<bool> {
    let properties = &game.rules().properties;
    if properties.advance != Advance::Rises || properties.luck != Luck::None {
        return None;
    }
    if let Some(weights) = weights(game, position) {
        return led_from(game, position, &weights, most);
    }
    let squares = game.square_names().len();
    // Signs do not become one another, lights do.
    let is_sign = |level: u8| game.sign(level).is_some();
    let fits = |on_the_way: &G::Position| {
        (0..squares).all(|square| {
            let levels = [on_the_way, position].map(|position| game.level(position, square));
            let [now, later] = levels;
            now == 0 || now == later || now < later && !is_sign(later)
        })
    };
    let start = game.start();
    let mut seen = HashSet::from([start]);
    let mut waiting = vec![start];
    let mut moves = Vec::new();
    while let Some(from) = waiting.pop() {
        if from == *position {
            return Some(true);
        }
        // A finished game has no moves.
        moves.clear();
        if game.ending(&from).is_none() {
            game.moves(&from, &mut moves);
        }
        for mv in &moves {
            let to = game.play(&from, *mv).to;
            if fits(&to) && seen.insert(to) {
                waiting.push(to);
            }
        }
        if seen.len() > most {
            return None;
        }
    }
    Some(false)
}

/// What a level of each square adds to the index, where that of a position is the sum of them; `None` elsewhere, where
/// the first move cannot be on a square that the position has taken, and where squares show something from the start.
fn weights<G: Squares>(game: &G, position: &G::Position) -> Option<Vec<u64>> {
    let squares = game.square_names().len();
    let start = game.start();
    if (0..squares).any(|square| game.level(&start, square) > 0) {
        return None;
    }
    let base = game.index(&start);
    let mut weights = vec![None; squares];
    let mut moves = Vec::new();
    game.moves(&start, &mut moves);
    for mv in moves {
        let to = game.play(&start, mv).to;
        let taken = (0..squares).find(|square| game.level(&to, *square) > 0)?;
        let level = u64::from(game.level(&to, taken));
        weights[taken] = Some(game.index(&to).checked_sub(base)? / level);
    }
    let mut sum = base;
    for (square, weight) in weights.iter().enumerate() {
        match u64::from(game.level(position, square)) {
            0 => {}
            level => sum = sum.checked_add(weight.as_ref()?.checked_mul(level)?)?,
        }
    }
    let weights = weights.into_iter().map(|weight| weight.unwrap_or(0));
    (sum == game.index(position)).then(|| weights.collect())
}

/// Goes back from a position by unfinished ones in which one square shows less.
fn led_from<G: Squares>(
    game: &G,
    position: &G::Position,
    weights: &[u64],
    most: usize,
) -> Option<bool> {
    let start = game.start();
    let mut seen = HashSet::from([*position]);
    let mut waiting = vec![*position];
    let mut moves = Vec::new();
    while let Some(to) = waiting.pop() {
        if to == start {
            return Some(true);
        }
        for (square, weight) in weights.iter().enumerate() {
            for less in 1..=u64::from(game.level(&to, square)) {
                let before = game.index(&to).checked_sub(weight * less);
                let Some(from) = before.and_then(|index| game.at(index)) else {
                    continue;
                };
                if game.ending(&from).is_some() || seen.contains(&from) {
                    continue;
                }
                moves.clear();
                game.moves(&from, &mut moves);
                if moves.iter().any(|mv| game.play(&from, *mv).to == to) {
                    seen.insert(from);
                    waiting.push(from);
                }
            }
        }
        if seen.len() > most {
            return None;
        }
    }
    Some(false)
}

/// Counts the reachable positions; takes the memory of [`ReachableSet::of`].
///
/// # Errors
/// When the source cannot be read, when the machine does not give the memory, and when it is
/// interrupted.
pub fn reachable<G: Dense, S: ValueSource<G::Position>>(
    game: &G,
    source: &S,
    progress: &dyn Progress,
) -> Result<Reachable, S::Error>
where
    S::Error: Send + From<ValuesError>,
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
        Ok::<(), S::Error>(())
    };
    let reached = ReachableSet::watched(game, progress)?;
    let tasks = reached.words().len().div_ceil(WORDS);
    let counts = try_map_parts(tasks, |task| {
        if progress.cancelled() {
            return Err(ValuesError::Interrupted.into());
        }
        let mut counts = Reachable::default();
        let words = reached.words().iter().enumerate();
        for (number, word) in words.skip(task * WORDS).take(WORDS) {
            count(number, *word, &mut counts)?;
        }
        Ok::<_, S::Error>(counts)
    })?;
    Ok(counts
        .into_iter()
        .fold(Reachable::default(), Reachable::plus))
}

#[cfg(test)]
mod tests {
    use greenwave_game::{BoardGame, Game, StripGame, Variant, with_game};

    use super::*;

    #[test]
    fn play_leads_to_the_positions_that_are_reached_and_to_no_others() {
        let mut unreached = 0;
        for name in [
            "classic-2x3",
            "signal-2x3",
            "classic-1x4:supply=cap2",
            "points-2x3:end=play-on",
            "noughts-2x3",
            "noughts-3x3",
        ] {
            let variant = Variant::parse(name).unwrap();
            with_game!(&variant, game => {
                let reached = ReachableSet::of(game).unwrap();
                let mut reaches = 0;
                for index in 0..game.indexable() as u64 {
                    let Some(position) = game.at(index) else {
                        continue;
                    };
                    let found = leads_to(game, &position, usize::MAX);
                    assert_eq!(found, Some(reached.contains(index)), "{name}: {index}");
                    if reached.contains(index) { reaches += 1 } else { unreached += 1 }
                }
                assert!(reaches > 20, "{name}: {reaches}");
            });
        }
        assert!(unreached > 20, "{unreached}");
    }

    #[test]
    fn where_much_would_have_to_be_looked_at_nobody_knows() {
        let game = BoardGame::named("classic-4x4").unwrap();
        let many = game.parse_position("RRYY/YYRR/RRYY/YYRG").unwrap();
        assert_eq!(leads_to(&game, &many, 10), None);
        // No last move completes more lines than one square has.
        for full in ["GGGG/GGGG/GGGG/GGGG", "GGG./..../..../YYY."] {
            let full = game.parse_position(full).unwrap();
            assert_eq!(leads_to(&game, &full, 10), Some(false));
        }
        let game = StripGame::named("strip").unwrap();
        assert_eq!(leads_to(&game, &game.start(), 10), None);
    }
}
