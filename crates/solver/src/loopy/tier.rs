//! The positions of one tier, given what the tiers above are worth.
//!
//! A node is a position of the tier. Its *exit* is the best of its moves to positions whose values
//! are known, its *links* are the moves that stay in the tier.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};

use greenwave_values::parallel::{try_for_each_chunk, try_map_chunks};
use greenwave_values::{ValuesError, room};
use rayon::slice::ParallelSliceMut;

use super::PositionWorth;

// Nodes that a thread takes at a time.
const GRAIN: usize = 256;

const KEEPS_TURN: u32 = 1 << 31;

/// Most nodes of a tier.
pub const MAX_NODES: usize = KEEPS_TURN as usize;

/// The moves that stay in a tier: for each node, in order, where they lead and whether they keep the
/// turn. Several moves may lead to the same node, also back to the node itself.
#[derive(Clone, Debug, Default)]
pub struct Links {
    // ends[n]: where the links of node n end in `to`.
    ends: Vec<usize>,
    // The node, and in the highest bit whether the move keeps the turn.
    to: Vec<u32>,
}

impl Links {
    /// Adds the next node with its moves.
    ///
    /// # Panics
    /// When a node's number is [`MAX_NODES`] or more.
    pub fn push(&mut self, moves: impl IntoIterator<Item = (usize, bool)>) {
        for (to, keeps_turn) in moves {
            self.lead_to(to, keeps_turn);
        }
        self.end_node();
    }

    // Adds a move to the node that is not ended yet.
    pub(super) fn lead_to(&mut self, to: usize, keeps_turn: bool) {
        assert!(to < MAX_NODES, "a tier has at most {MAX_NODES} nodes");
        self.to
            .push(to as u32 | if keeps_turn { KEEPS_TURN } else { 0 });
    }

    pub(super) fn end_node(&mut self) {
        self.ends.push(self.to.len());
    }

    // The nodes of several parts, in order; each part is let go as soon as it was copied.
    pub(super) fn joined(parts: Vec<Links>) -> Result<Links, ValuesError> {
        let mut joined = Links::default();
        room::reserve(&mut joined.ends, parts.iter().map(Links::nodes).sum())?;
        let moves = parts.iter().map(|part| part.to.len());
        room::reserve(&mut joined.to, moves.sum())?;
        for mut part in parts {
            let moves = joined.to.len();
            joined
                .ends
                .extend(part.ends.into_iter().map(|end| moves + end));
            joined.to.append(&mut part.to);
        }
        Ok(joined)
    }

    /// Number of nodes.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.ends.len()
    }

    /// The moves of a node.
    pub fn of(&self, node: usize) -> impl ExactSizeIterator<Item = (usize, bool)> + '_ {
        let first = if node == 0 { 0 } else { self.ends[node - 1] };
        self.to[first..self.ends[node]]
            .iter()
            .map(|link| ((link & !KEEPS_TURN) as usize, link & KEEPS_TURN != 0))
    }

    // Where each node can come from.
    fn reversed(&self) -> Result<Links, ValuesError> {
        let mut counts = room::filled(0_usize, self.nodes() + 1)?;
        for link in &self.to {
            counts[(link & !KEEPS_TURN) as usize + 1] += 1;
        }
        for node in 0..self.nodes() {
            counts[node + 1] += counts[node];
        }
        let mut to = room::filled(0, self.to.len())?;
        for node in 0..self.nodes() {
            for (target, keeps_turn) in self.of(node) {
                to[counts[target]] = node as u32 | if keeps_turn { KEEPS_TURN } else { 0 };
                counts[target] += 1;
            }
        }
        counts.truncate(self.nodes());
        Ok(Links { ends: counts, to })
    }
}

/// Why the values of a tier are not worked out.
#[derive(Debug)]
pub enum TierFailure {
    /// The first node that can come back to itself although the game declares that no position
    /// repeats, or that leads to such a node.
    Repeats(usize),
    /// The machine did not give the memory.
    Refused(ValuesError),
}

impl From<ValuesError> for TierFailure {
    fn from(error: ValuesError) -> TierFailure {
        TierFailure::Refused(error)
    }
}

/// The values of a tier in which no position repeats. A node has its value as soon as all nodes
/// that its moves lead to have theirs.
///
/// # Errors
/// When some node can come back to itself, and when the machine does not give the memory.
///
/// # Panics
/// When a node has neither an exit nor a move.
pub fn settle_acyclic<V: PositionWorth>(
    exits: &[Option<V>],
    links: &Links,
) -> Result<Vec<V>, TierFailure> {
    let mut tier = TierSolver::new(exits, links)?;
    let nodes = 0..exits.len() as u32;
    let mut frontier =
        room::gathered(nodes.filter(|node| tier.unsettled_moves(*node as usize) == 0))?;
    while !frontier.is_empty() {
        let values = tier.worked_out(&frontier)?;
        tier.settle(&frontier, values);
        frontier = tier.touched(&frontier, |_| false)?;
    }
    let mut values = room::reserved(exits.len())?;
    for (node, value) in tier.settled.into_iter().enumerate() {
        values.push(value.ok_or(TierFailure::Repeats(node))?);
    }
    Ok(values)
}

/// The values of a tier in which positions can repeat, by retrograde analysis from the strongest
/// values to the weakest.
///
/// A value better than endless play is had by a node as soon as one of its moves leads there, since
/// all stronger ones are known by then. A node whose moves all lead to known values has the best of
/// them. The positions left when nothing more follows are endless play: each such node has a move
/// to another one, and no move to anything better.
///
/// # Errors
/// When the machine does not give the memory.
///
/// # Panics
/// When a node has neither an exit nor a move.
pub fn settle_repeating<V: PositionWorth>(
    exits: &[Option<V>],
    links: &Links,
) -> Result<Vec<V>, ValuesError> {
    let mut tier = TierSolver::new(exits, links)?;
    let mut best = room::collected(exits.iter().copied())?;
    let mut waiting: BTreeMap<V::Strength, Vec<u32>> = BTreeMap::new();
    let ready = |node: usize, exit: V| exit > V::ENDLESS || tier.unsettled_moves(node) == 0;
    for (node, exit) in exits.iter().enumerate() {
        if let Some(exit) = exit.filter(|exit| ready(node, *exit)) {
            let equals = waiting.entry(exit.strength()).or_default();
            room::push(equals, node as u32)?;
        }
    }
    while let Some((_, mut frontier)) = waiting.pop_last() {
        frontier.retain(|node| tier.settled[*node as usize].is_none());
        frontier.sort_unstable();
        frontier.dedup();
        let values = room::collected(frontier.iter().map(|node| best[*node as usize]))?;
        tier.settle(&frontier, values);
        let touched = tier.touched(&frontier, |worth| worth > V::ENDLESS)?;
        for (node, value) in touched.iter().zip(tier.worked_out(&touched)?) {
            best[*node as usize] = value;
            if let Some(value) = value {
                room::push(waiting.entry(value.strength()).or_default(), *node)?;
            }
        }
    }
    let settled = tier.settled.into_iter();
    room::collected(settled.map(|value| value.unwrap_or(V::ENDLESS)))
}

struct TierSolver<'a, V> {
    exits: &'a [Option<V>],
    links: &'a Links,
    back: Links,
    // How many of a node's moves lead to nodes without a value; no longer kept up where one of them
    // is known to win.
    unsettled: Vec<AtomicU32>,
    settled: Vec<Option<V>>,
}

impl<'a, V: PositionWorth> TierSolver<'a, V> {
    fn new(exits: &'a [Option<V>], links: &'a Links) -> Result<TierSolver<'a, V>, ValuesError> {
        assert_eq!(exits.len(), links.nodes(), "one exit and one list a node");
        let unsettled = (0..exits.len()).map(|node| {
            let moves = links.of(node).len();
            assert!(
                moves > 0 || exits[node].is_some(),
                "node {node} is a position without a move"
            );
            AtomicU32::new(moves as u32)
        });
        Ok(TierSolver {
            exits,
            links,
            back: links.reversed()?,
            unsettled: room::collected(unsettled)?,
            settled: room::filled(None, exits.len())?,
        })
    }

    fn unsettled_moves(&self, node: usize) -> u32 {
        self.unsettled[node].load(Ordering::Relaxed)
    }

    // The best that is known of each node so far.
    fn worked_out(&self, nodes: &[u32]) -> Result<Vec<Option<V>>, ValuesError> {
        let of = |node: usize| {
            let known = self.links.of(node).filter_map(|(to, keeps_turn)| {
                self.settled[to].map(|value| value.of_move(keeps_turn))
            });
            known.chain(self.exits[node]).max()
        };
        let mut values = room::filled(None, nodes.len())?;
        try_for_each_chunk(&mut values, GRAIN, |grain, values| {
            for (value, node) in values.iter_mut().zip(&nodes[grain * GRAIN..]) {
                *value = of(*node as usize);
            }
            Ok::<_, ValuesError>(())
        })?;
        Ok(values)
    }

    fn settle(&mut self, nodes: &[u32], values: Vec<Option<V>>) {
        for (node, value) in nodes.iter().zip(values) {
            self.settled[*node as usize] = value;
        }
    }

    // The unsettled nodes with a move to the frontier that wins or was the last one without a value,
    // in order.
    fn touched(
        &self,
        frontier: &[u32],
        wins: impl Fn(V) -> bool + Sync,
    ) -> Result<Vec<u32>, ValuesError> {
        let touched = try_map_chunks(frontier, GRAIN, |_, nodes| {
            let mut touched = Vec::new();
            for node in nodes {
                let value = self.settled[*node as usize];
                for (from, keeps_turn) in self.back.of(*node as usize) {
                    if self.settled[from].is_none()
                        && (value.is_some_and(|value| wins(value.of_move(keeps_turn)))
                            || self.unsettled[from].fetch_sub(1, Ordering::Relaxed) == 1)
                    {
                        room::push(&mut touched, from as u32)?;
                    }
                }
            }
            Ok::<_, ValuesError>(touched)
        })?;
        let mut touched = room::joined(touched)?;
        touched.par_sort_unstable();
        touched.dedup();
        Ok(touched)
    }
}

#[cfg(test)]
mod tests {
    use greenwave_game::{Ending, Outcome};

    use super::super::value::{DistanceValue, StoredWorth};
    use super::*;

    // Expectations, as in games with chance: no plies, and any number at stake.
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Real(f64);

    impl Eq for Real {}

    impl PartialOrd for Real {
        fn partial_cmp(&self, other: &Real) -> Option<std::cmp::Ordering> {
            Some(self.cmp(other))
        }
    }

    impl Ord for Real {
        fn cmp(&self, other: &Real) -> std::cmp::Ordering {
            self.0.total_cmp(&other.0)
        }
    }

    impl PositionWorth for Real {
        type Strength = u64;
        const ENDLESS: Real = Real(0.0);

        fn of_move(self, keeps_turn: bool) -> Real {
            // Adding zero keeps −0 away.
            Real(if keeps_turn { self.0 } else { -self.0 } + 0.0)
        }

        fn strength(self) -> u64 {
            self.0.abs().to_bits()
        }
    }

    fn links(moves: &[&[usize]]) -> Links {
        let mut links = Links::default();
        for of in moves {
            links.push(of.iter().map(|to| (*to, false)));
        }
        links
    }

    fn lost(plies: u32) -> DistanceValue {
        let ended = DistanceValue::ended(&Ending {
            outcome: if plies.is_multiple_of(2) {
                Outcome::Loss
            } else {
                Outcome::Win
            },
            points: 0,
        });
        (0..plies).fold(ended, |fate, _| fate.of_move(false))
    }

    fn won(plies: u32) -> DistanceValue {
        lost(plies - 1).of_move(false)
    }

    #[test]
    fn wins_take_the_shortest_way_and_losses_the_longest() {
        // 0 and 1 shuttle; 2 has lost in 4 and can move to 0; 3 only to 2.
        let exits = [
            Some(lost(6)),
            Some(lost(2)),
            Some(lost(4)),
            None,
            Some(won(9)),
        ];
        let values = settle_repeating(&exits, &links(&[&[1], &[0], &[0], &[2], &[3]])).unwrap();
        // 0 and 1 can shuttle for ever, so 2 draws by moving there, and so do the others.
        assert_eq!(values[..4], [DistanceValue::ENDLESS; 4]);
        assert_eq!(values[4], won(9));
        let values = settle_repeating(&exits, &links(&[&[4], &[0], &[4], &[2], &[]])).unwrap();
        assert_eq!(values[4], won(9));
        assert_eq!(values[0], lost(10));
        assert_eq!(values[1], won(11));
        assert_eq!(values[2], lost(10));
        assert_eq!(values[3], won(11));
    }

    #[test]
    fn who_cannot_leave_a_loss_loses_and_who_can_pass_does_not() {
        let exits = [Some(lost(2)), Some(won(3)), Some(lost(2))];
        let values = settle_repeating(&exits, &links(&[&[1], &[], &[2, 1]])).unwrap();
        assert_eq!(values, [lost(4), won(3), DistanceValue::ENDLESS]);
    }

    #[test]
    fn draws_without_end_are_told_from_drawn_ends() {
        let drawn = DistanceValue::ended(&Ending {
            outcome: Outcome::Draw,
            points: 0,
        });
        let exits = [Some(drawn), None, Some(drawn), Some(lost(2)), Some(drawn)];
        let values = settle_repeating(&exits, &links(&[&[], &[0], &[3], &[2], &[1]])).unwrap();
        assert_eq!(
            values,
            [
                drawn,
                drawn,
                DistanceValue::ENDLESS,
                DistanceValue::ENDLESS,
                drawn
            ]
        );
    }

    #[test]
    fn a_turn_that_is_kept_is_not_negated() {
        let mut moves = Links::default();
        moves.push([(1, true)]);
        moves.push([(2, true), (0, false)]);
        moves.push([]);
        let exits = [None, Some(lost(2)), Some(won(1))];
        assert_eq!(
            settle_repeating(&exits, &moves).unwrap(),
            [won(3), won(2), won(1)]
        );
    }

    #[test]
    fn real_numbers_are_settled_from_the_largest_down() {
        // 1 and 2 move on rather than leave, and then 0 and 3 leave.
        let exits = [0.25, -0.5, -0.75, 0.125].map(|exit| Some(Real(exit)));
        let values = settle_repeating(&exits, &links(&[&[1, 2], &[0], &[3], &[2]])).unwrap();
        assert_eq!(values, [0.25, -0.25, -0.125, 0.125].map(Real));
        // A player is never forced to leave at a loss.
        let exits = [-0.5, -0.25].map(|exit| Some(Real(exit)));
        let values = settle_repeating(&exits, &links(&[&[1], &[0]])).unwrap();
        assert_eq!(values, [0.0, 0.0].map(Real));
    }

    // Against the plain definition: what can be forced within this many plies, more and more of them.
    #[test]
    fn retrograde_agrees_with_a_growing_horizon() {
        let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
        let mut random = |below: u64| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed % below
        };
        let (mut endless, mut decided) = (0, 0);
        for _ in 0..2_000 {
            let nodes = 1 + random(12) as usize;
            let mut moves = Links::default();
            let mut exits = Vec::new();
            for _ in 0..nodes {
                let degree = random(4) as usize;
                let to: Vec<(usize, bool)> = (0..degree)
                    .map(|_| (random(nodes as u64) as usize, random(4) == 0))
                    .collect();
                let exit = match random(5) {
                    0 | 1 => Some(lost(2 * (1 + random(4) as u32))),
                    2 => Some(won(1 + 2 * random(4) as u32)),
                    _ => None,
                };
                exits.push(exit.or(to.is_empty().then(|| lost(2))));
                moves.push(to);
            }
            // Beyond the horizon play is called endless.
            let mut horizon = vec![DistanceValue::ENDLESS; nodes];
            for _ in 0..200 {
                horizon = (0..nodes)
                    .map(|node| {
                        let below = moves.of(node).map(|(to, keeps)| horizon[to].of_move(keeps));
                        below.chain(exits[node]).max().unwrap()
                    })
                    .collect();
            }
            assert_eq!(settle_repeating(&exits, &moves).unwrap(), horizon);
            endless += horizon.iter().filter(|fate| fate.is_endless()).count();
            decided += horizon.iter().filter(|fate| !fate.is_endless()).count();
            match settle_acyclic(&exits, &moves) {
                Ok(values) => assert_eq!(values, horizon),
                Err(TierFailure::Repeats(node)) => assert!(node < nodes),
                Err(error) => panic!("{error:?}"),
            }
        }
        assert!(endless > 1_000 && decided > 1_000, "{endless}, {decided}");
    }

    #[test]
    fn a_cycle_is_an_error_where_none_is_declared() {
        let exits = [Some(lost(2)), Some(lost(2)), Some(won(1))];
        let settled = settle_acyclic(&exits, &links(&[&[1], &[2], &[]])).unwrap();
        assert_eq!(settled, [won(3), lost(2), won(1)]);
        let cycle = settle_acyclic(&exits, &links(&[&[1], &[0], &[]]));
        assert!(matches!(cycle, Err(TierFailure::Repeats(0))), "{cycle:?}");
    }
}
