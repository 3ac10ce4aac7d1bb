//! The slow reference for games whose positions can repeat: the whole graph below some positions,
//! and retrograde propagation over it.

use std::collections::HashMap;

use greenwave_game::{Figures, Game, Luck, Outcome, Outcomes, Plies};

use crate::UntreatedGame;
use crate::reference::Quick;

/// What a position comes to, for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PositionVerdict {
    /// Win, loss or draw.
    pub value: Outcome,
    /// Plies to the end when the winner hurries and the loser delays; none for draws.
    pub distance: Option<Plies>,
    /// Drawn, and not by a drawn ending: a player who keeps the value can play on for ever, or
    /// must.
    pub endless: bool,
}

impl PositionVerdict {
    /// The same as figures.
    #[must_use]
    pub fn figures(self) -> Figures {
        Figures::of(Some(self.value), self.distance, None)
    }
}

/// All positions below some roots with their verdicts.
#[derive(Debug)]
pub struct Graph<P> {
    numbers: HashMap<P, u32, Quick>,
    verdicts: Vec<PositionVerdict>,
}

// An edge seen from the position that it leads to.
#[derive(Clone, Copy, Debug)]
struct ParentEdge {
    from: u32,
    keeps_turn: bool,
}

impl<P> Graph<P> {
    /// Walks the whole graph below the roots, at most `most` positions, and decides all of it.
    ///
    /// # Errors
    /// For games with chance or points, and when there are more positions.
    pub fn below<G>(
        game: &G,
        roots: impl IntoIterator<Item = P>,
        most: usize,
    ) -> Result<Graph<P>, UntreatedGame>
    where
        G: Game<Position = P>,
        P: Copy + Eq + std::hash::Hash,
    {
        let properties = game.rules().properties;
        if properties.luck == Luck::Draws {
            return Err(UntreatedGame::Chance);
        }
        if properties.outcomes == Outcomes::Points {
            return Err(UntreatedGame::EndlessPoints);
        }
        let mut numbers: HashMap<P, u32, Quick> = HashMap::default();
        let mut found: Vec<P> = Vec::new();
        let mut number = |position: P, found: &mut Vec<P>| {
            *numbers.entry(position).or_insert_with(|| {
                found.push(position);
                (found.len() - 1) as u32
            })
        };
        for root in roots {
            number(root, &mut found);
        }
        let mut edges: Vec<(u32, ParentEdge)> = Vec::new();
        let mut moves = Vec::new();
        let mut next = 0;
        while let Some(position) = found.get(next).copied() {
            if found.len() > most {
                return Err(UntreatedGame::TooMany { most });
            }
            game.moves(&position, &mut moves);
            for mv in &moves {
                let edge = game.play(&position, *mv);
                let entry = ParentEdge {
                    from: next as u32,
                    keeps_turn: edge.keeps_turn,
                };
                edges.push((number(edge.to, &mut found), entry));
            }
            next += 1;
        }
        let endings: Vec<Option<Outcome>> = found
            .iter()
            .map(|position| game.ending(position).map(|ending| ending.outcome))
            .collect();
        Ok(Graph {
            numbers,
            verdicts: decide(&endings, edges),
        })
    }

    /// The verdict of a position; `None` if it does not lie below the roots.
    pub fn verdict(&self, position: &P) -> Option<PositionVerdict>
    where
        P: Eq + std::hash::Hash,
    {
        let number = self.numbers.get(position)?;
        Some(self.verdicts[*number as usize])
    }

    /// Every position with its verdict, in no particular order.
    pub fn verdicts(&self) -> impl Iterator<Item = (&P, PositionVerdict)> {
        self.numbers
            .iter()
            .map(|(position, number)| (position, self.verdicts[*number as usize]))
    }
}

/// Entries grouped by the position that they lead to.
struct ParentEdges {
    start: Vec<usize>,
    entries: Vec<ParentEdge>,
}

impl ParentEdges {
    fn new(positions: usize, mut edges: Vec<(u32, ParentEdge)>) -> ParentEdges {
        edges.sort_by_key(|(to, _)| *to);
        let mut start = vec![0; positions + 1];
        for (to, _) in &edges {
            start[*to as usize + 1] += 1;
        }
        for at in 0..positions {
            start[at + 1] += start[at];
        }
        ParentEdges {
            start,
            entries: edges.into_iter().map(|(_, entry)| entry).collect(),
        }
    }

    fn of(&self, position: u32) -> &[ParentEdge] {
        let at = position as usize;
        &self.entries[self.start[at]..self.start[at + 1]]
    }
}

fn decide(endings: &[Option<Outcome>], edges: Vec<(u32, ParentEdge)>) -> Vec<PositionVerdict> {
    // Moves of a position that are not yet known to lose.
    let mut open = vec![0_u32; endings.len()];
    for (_, entry) in &edges {
        open[entry.from as usize] += 1;
    }
    let entries = ParentEdges::new(endings.len(), edges);
    let mut decided: Vec<Option<(Outcome, u32)>> = vec![None; endings.len()];
    // Positions of one distance at a time. The first winning move found is the shortest; the last
    // losing move found is the longest.
    let mut frontier: Vec<u32> = Vec::new();
    for (position, ending) in (0..).zip(endings) {
        if let Some(outcome @ (Outcome::Win | Outcome::Loss)) = ending {
            decided[position as usize] = Some((*outcome, 0));
            frontier.push(position);
        }
    }
    let mut plies = 0;
    while !frontier.is_empty() {
        plies += 1;
        let mut next = Vec::new();
        for to in frontier {
            let Some((below, _)) = decided[to as usize] else {
                continue;
            };
            for entry in entries.of(to) {
                let from = entry.from as usize;
                if decided[from].is_some() {
                    continue;
                }
                let wins = (below == Outcome::Win) == entry.keeps_turn;
                open[from] -= u32::from(!wins);
                let outcome = if wins {
                    Outcome::Win
                } else if open[from] == 0 {
                    Outcome::Loss
                } else {
                    continue;
                };
                decided[from] = Some((outcome, plies));
                next.push(entry.from);
            }
        }
        frontier = next;
    }
    // The positions left are drawn. A draw ends when it is a drawn ending, or when every move that
    // keeps the draw leads to a draw that ends; `open` counts the moves that keep it.
    let mut ends = vec![false; endings.len()];
    let mut frontier: Vec<u32> = (0..)
        .zip(endings)
        .filter(|(_, ending)| **ending == Some(Outcome::Draw))
        .map(|(position, _)| position)
        .collect();
    frontier
        .iter()
        .for_each(|position| ends[*position as usize] = true);
    while let Some(to) = frontier.pop() {
        for entry in entries.of(to) {
            let from = entry.from as usize;
            if decided[from].is_none() && !ends[from] {
                open[from] -= 1;
                if open[from] == 0 {
                    ends[from] = true;
                    frontier.push(entry.from);
                }
            }
        }
    }
    decided
        .into_iter()
        .zip(ends)
        .map(|(decided, ends)| match decided {
            Some((value, plies)) => PositionVerdict {
                value,
                distance: Some(Plies(plies)),
                endless: false,
            },
            None => PositionVerdict {
                value: Outcome::Draw,
                distance: None,
                endless: !ends,
            },
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(endings: &[Option<Outcome>], edges: &[(u32, u32, bool)]) -> Vec<PositionVerdict> {
        let edges = edges
            .iter()
            .map(|(from, to, keeps_turn)| {
                let entry = ParentEdge {
                    from: *from,
                    keeps_turn: *keeps_turn,
                };
                (*to, entry)
            })
            .collect();
        decide(endings, edges)
    }

    fn verdict(value: Outcome, plies: u32) -> PositionVerdict {
        PositionVerdict {
            value,
            distance: Some(Plies(plies)),
            endless: false,
        }
    }

    const LOST: Option<Outcome> = Some(Outcome::Loss);

    #[test]
    fn winners_hurry_and_losers_delay() {
        // 0 can end at once or by way of 1 and 2; 3 must choose between a loss in 2 and one in 4.
        let endings = [None, None, None, None, LOST];
        let edges = [
            (0, 4, false),
            (0, 1, false),
            (1, 2, false),
            (2, 4, false),
            (3, 2, false),
            (3, 0, false),
        ];
        let found = graph(&endings, &edges);
        assert_eq!(found[0], verdict(Outcome::Win, 1));
        assert_eq!(found[1], verdict(Outcome::Loss, 2));
        assert_eq!(found[3], verdict(Outcome::Loss, 2));
        let longer = graph(
            &[None, None, None, None, None, LOST],
            &[
                (0, 1, false),
                (0, 4, false),
                (1, 2, false),
                (2, 3, false),
                (3, 5, false),
                (4, 5, false),
            ],
        );
        // 1 wins in 3 (2 loses in 2), 4 wins in 1: 0 loses either way and takes the longer.
        assert_eq!(longer[0], verdict(Outcome::Loss, 4));
    }

    #[test]
    fn a_player_who_moves_again_keeps_the_value() {
        let found = graph(&[None, None, LOST], &[(0, 1, true), (1, 2, false)]);
        assert_eq!(found[0], verdict(Outcome::Win, 2));
        let kept = graph(&[None, LOST], &[(0, 1, true)]);
        assert_eq!(kept[0], verdict(Outcome::Loss, 1));
    }

    #[test]
    fn endless_draws_are_told_from_drawn_endings() {
        // 0 and 1 shuttle, and 1 may also give the game away; 2 must go to the drawn ending 3;
        // 4 may shuttle or end.
        let endings = [
            None,
            None,
            None,
            Some(Outcome::Draw),
            None,
            Some(Outcome::Win),
        ];
        let edges = [
            (0, 1, false),
            (1, 0, false),
            (1, 5, false),
            (2, 3, false),
            (2, 5, false),
            (4, 3, false),
            (4, 0, false),
        ];
        let found = graph(&endings, &edges);
        let endless: Vec<bool> = found.iter().map(|verdict| verdict.endless).collect();
        assert_eq!(endless, [true, true, false, false, true, false]);
        assert!(
            found[..5]
                .iter()
                .all(|verdict| verdict.value == Outcome::Draw)
        );
    }

    #[test]
    fn two_moves_to_one_position_count_twice() {
        let found = graph(
            &[None, Some(Outcome::Win), None],
            &[(0, 1, false), (0, 1, false), (2, 0, false)],
        );
        assert_eq!(found[0], verdict(Outcome::Loss, 1));
        assert_eq!(found[2], verdict(Outcome::Win, 2));
    }
}
