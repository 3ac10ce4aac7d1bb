//! Forward search in a bag game, for what is neither in a table nor fits a sweep: exact odds of
//! positions near the end, nothing where the budget runs out.

use std::collections::HashMap;

use greenwave_game::{Advance, BagBase, BagGame, Figures, Game, Odds, Plies, Stage, preferred};
use greenwave_values::{Progress, Unit};

use crate::{SearchBudget, SearchResult, SearchVerdict, SearchedMove};

/// Works out the odds of a position by expectimax to the end of the game.
///
/// Games in which positions can repeat (a strip that moves) are not searched. As many positions are
/// remembered as fit this many bytes; after that it gets slower, and the budget ends it.
pub(crate) fn search<B: BagBase>(
    game: &BagGame<B>,
    position: &<BagGame<B> as Game>::Position,
    budget: SearchBudget,
    memory: u64,
    progress: &dyn Progress,
) -> SearchResult<<BagGame<B> as Game>::Position, <BagGame<B> as Game>::Move> {
    progress.begin(
        &format!("searching {}", game.rules().title()),
        0,
        Unit::Positions,
    );
    let mut search = BagSearch {
        game,
        budget,
        progress,
        nodes: 0,
        stopped: game.rules().properties.advance == Advance::Repeats,
        capacity: capacity::<B>(memory),
        known: HashMap::new(),
    };
    let mut listed = Vec::new();
    game.moves(position, &mut listed);
    let replies = listed
        .into_iter()
        .map(|mv| {
            let edge = game.play(position, mv);
            let searched = searched(search.odds(&edge.to));
            SearchedMove { mv, edge, searched }
        })
        .collect();
    SearchResult {
        root: searched(search.odds(position)),
        replies,
    }
}

fn searched(odds: Option<Odds>) -> SearchVerdict {
    match odds {
        Some(odds) => SearchVerdict::Proven(Figures {
            value: Some(odds.outcome()),
            odds: Some(odds),
            ..Figures::default()
        }),
        None => SearchVerdict::Undecided { beyond: Plies(0) },
    }
}

// Positions that fit this many bytes. A map has twice as many slots as positions at most, in a number that
// is a power of two, and while it grows the old half is there as well.
fn capacity<B: BagBase>(memory: u64) -> usize {
    let slot = size_of::<(<BagGame<B> as Game>::Position, Odds)>() as u64 + 1;
    let slots = (memory / slot * 2 / 3).max(2);
    // Full at seven eighths.
    let largest = 1_u64 << slots.ilog2();
    usize::try_from(largest / 8 * 7).unwrap_or(usize::MAX)
}

struct BagSearch<'a, B: BagBase> {
    game: &'a BagGame<B>,
    budget: SearchBudget,
    progress: &'a dyn Progress,
    nodes: u64,
    stopped: bool,
    capacity: usize,
    known: HashMap<<BagGame<B> as Game>::Position, Odds>,
}

impl<B: BagBase> BagSearch<'_, B> {
    fn odds(&mut self, position: &<BagGame<B> as Game>::Position) -> Option<Odds> {
        if let Some(ending) = self.game.ending(position) {
            return Some(Odds::of_ending(&ending));
        }
        let position = self.game.canonical(position);
        if let Some(odds) = self.known.get(&position) {
            return Some(*odds);
        }
        if self.out_of_budget() {
            return None;
        }
        let odds = match position.stage {
            Stage::Pick | Stage::Turn | Stage::Take => self.best(&position)?,
            Stage::Start | Stage::DraftDraw | Stage::Draw { .. } | Stage::ThirdDraw { .. } => {
                self.average(&position)?
            }
        };
        // A value that finds no room is computed again.
        if self.known.len() < self.capacity && self.known.try_reserve(1).is_ok() {
            self.known.insert(position, odds);
        }
        Some(odds)
    }

    fn best(&mut self, position: &<BagGame<B> as Game>::Position) -> Option<Odds> {
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        let mut best: Option<Odds> = None;
        for mv in moves {
            let edge = self.game.play(position, mv);
            let below = self.odds(&edge.to)?;
            let odds = if edge.keeps_turn {
                below
            } else {
                below.turned()
            };
            if best.is_none_or(|first| preferred(&first, &odds)) {
                best = Some(odds);
            }
        }
        best
    }

    fn average(&mut self, position: &<BagGame<B> as Game>::Position) -> Option<Odds> {
        let mut draws = Vec::new();
        self.game.draws(position, &mut draws);
        let drawn = draws
            .iter()
            .map(|(to, weight)| Some((self.odds(to)?, *weight)));
        Some(Odds::mean(&drawn.collect::<Option<Vec<_>>>()?))
    }

    fn out_of_budget(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes.is_multiple_of(4096) {
            self.progress.advance(4096);
            self.stopped |= self.budget.is_late() || self.progress.cancelled();
        }
        self.stopped |= self.budget.nodes.is_some_and(|nodes| self.nodes > nodes);
        self.stopped
    }
}

#[cfg(test)]
mod tests {
    use greenwave_game::BoardGame;
    use greenwave_values::Silent;

    use super::*;

    #[test]
    fn no_more_positions_are_remembered_than_the_memory_holds() {
        let slot = size_of::<(<BagGame<BoardGame> as Game>::Position, Odds)>() as u64 + 1;
        for memory in [0, 1_000, 1 << 20, 24 << 20, (1 << 30) + 12_345] {
            let most = capacity::<BoardGame>(memory);
            let mut known: HashMap<u64, ()> = HashMap::with_capacity(most);
            known.shrink_to_fit();
            // All slots, and half of them beside while the map grows.
            let slots = (most as u64).next_power_of_two();
            assert!(
                slots * slot * 3 / 2 <= memory.max(3 * slot),
                "{memory}: {most}"
            );
        }
        // Values without room are computed again.
        let game = BagGame::<BoardGame>::named("bag-classic-1x3").unwrap();
        let position = game.parse_position("RGG;RYG;YGG;RG").unwrap();
        let budget = SearchBudget {
            nodes: Some(1_000_000),
            deadline: None,
        };
        let [none, all] =
            [0, 1 << 30].map(|memory| search(&game, &position, budget, memory, &Silent).root);
        assert!(matches!(all, SearchVerdict::Proven(_)), "{all:?}");
        assert_eq!(none, all);
    }
}
