//! The search for a strategy with few exceptions.
//!
//! Below a position with the opponent to move, the search computes two numbers for a symmetry. The
//! first is the most exceptions that one play needs however the winner replies, and no strategy can
//! undercut it. The second is their sum over all plays, which is small where few are needed.
//! Replies that keep the second small give a strategy. Then an exhaustive search tries fewer
//! exceptions. A play that the strategy does not win needs an exception at one of the winner's
//! positions along it. The search tries each in turn, up to one fewer than the best strategy has.
//! When nothing is left to try, the best one has the least.

use std::collections::{HashMap, HashSet, VecDeque};

use greenwave_game::{Game, Outcome, Squares};
use greenwave_values::Values;

use super::Symmetry;
use super::follow::{on_square, own_turn};
use super::ground::Ground;
use super::meter::{Meter, Stop};
use crate::JudgeError;

/// A strategy as it is found: replies are those of exceptions, then wins at once, then the opening,
/// then the image of the square just played.
pub(super) struct StrategyForm<G: Squares> {
    pub(super) symmetry: Option<Symmetry>,
    pub(super) opening: Option<usize>,
    pub(super) exceptions: Vec<(G::Position, G::Move)>,
}

/// What a search came to.
pub(super) struct BestForm<G: Squares> {
    /// The best strategy that was found, and whether none of the form has fewer exceptions.
    pub(super) best: Option<(StrategyForm<G>, bool)>,
    /// Exceptions that every strategy of the form needs.
    pub(super) at_least: u32,
}

/// Seeks a strategy for the winner, until the meter stops it.
pub(super) fn search<G: Squares>(
    game: &G,
    ground: &Ground<'_>,
    values: &Values,
    first: bool,
    symmetries: &[Option<Symmetry>],
    meter: Meter<'_>,
) -> Result<BestForm<G>, JudgeError> {
    let mut seeker = Seeker {
        game,
        ground,
        values,
        first,
        meter,
        spare: Vec::new(),
        at_least: 0,
    };
    let best = seeker.best(symmetries)?;
    Ok(BestForm {
        best,
        at_least: seeker.at_least,
    })
}

/// Exceptions that are needed below a position.
#[derive(Clone, Copy, Debug, Default)]
struct ExceptionCount {
    // In some single play, whatever the replies.
    least: u32,
    // Over all plays, counted each time.
    sum: f64,
}

/// The costs below positions with the opponent to move, past the opening.
type ExceptionCounts<G> = HashMap<<G as Game>::Position, ExceptionCount>;

/// A symmetry and an opening.
struct Approach<'p> {
    symmetry: Option<Symmetry>,
    map: Option<&'p [usize]>,
    opening: Option<usize>,
}

/// A position with the winner to move, and the square that the opponent has just raised.
type WinnerTurn<G> = (<G as Game>::Position, Option<usize>);

type Exceptions<G> = HashMap<<G as Game>::Position, <G as Game>::Move>;

struct Seeker<'a, G: Squares> {
    game: &'a G,
    ground: &'a Ground<'a>,
    values: &'a Values,
    first: bool,
    meter: Meter<'a>,
    spare: Vec<Vec<G::Move>>,
    // Exceptions that every strategy of the form is known to need.
    at_least: u32,
}

impl<G: Squares> Seeker<'_, G> {
    fn best(
        &mut self,
        symmetries: &[Option<Symmetry>],
    ) -> Result<Option<(StrategyForm<G>, bool)>, JudgeError> {
        let maps: Vec<(Option<Symmetry>, Option<Vec<usize>>)> = symmetries
            .iter()
            .map(|symmetry| {
                let map = symmetry.and_then(|symmetry| self.ground.map(symmetry));
                (*symmetry, map)
            })
            .collect();
        let plans = self.plans(&maps);
        let mut best: Option<StrategyForm<G>> = None;
        match self.try_all(&plans, &mut best) {
            Ok(()) => Ok(best.map(|form| (form, true))),
            Err(Stop::Spent) => Ok(best.map(|form| {
                let proven = form.exceptions.len() <= self.at_least as usize;
                (form, proven)
            })),
            Err(Stop::Failed(error)) => Err(error),
        }
    }

    /// Every symmetry with every opening that keeps the win.
    fn plans<'p>(&self, maps: &'p [(Option<Symmetry>, Option<Vec<usize>>)]) -> Vec<Approach<'p>> {
        let squares = 0..self.ground.names.len();
        let start = self.game.start();
        let mut openings: Vec<Option<usize>> = if self.first {
            let mut moves = Vec::new();
            self.game.moves(&start, &mut moves);
            let keeps = |square: &usize| {
                let mv = on_square(self.game, &start, &moves, *square);
                mv.is_some_and(|mv| self.keeps(start, mv))
            };
            squares.filter(keeps).map(Some).collect()
        } else {
            std::iter::once(None).chain(squares.map(Some)).collect()
        };
        if openings.is_empty() {
            openings.push(None); // only other moves win
        }
        let mut plans = Vec::new();
        for (number, (symmetry, map)) in maps.iter().enumerate() {
            if maps[..number].iter().any(|(_, other)| other == map) {
                continue; // the same under another name
            }
            for opening in &openings {
                plans.push(Approach {
                    symmetry: *symmetry,
                    map: map.as_deref(),
                    opening: *opening,
                });
            }
        }
        plans
    }

    fn try_all(
        &mut self,
        plans: &[Approach<'_>],
        best: &mut Option<StrategyForm<G>>,
    ) -> Result<(), Stop> {
        // Strategies without exceptions are quick to try, on boards of any size.
        for plan in plans {
            let none = Exceptions::<G>::new();
            if self
                .first_failure(plan, &none, &ExceptionCounts::<G>::new(), 0)?
                .is_none()
            {
                *best = Some(form(self.game, plan, &none));
                return Ok(());
            }
        }
        self.at_least = 1;
        let mut ranked: Vec<(ExceptionCount, usize)> = Vec::new();
        let mut costs: Vec<ExceptionCounts<G>> = Vec::new();
        let mut of_plan = Vec::new();
        for (number, plan) in plans.iter().enumerate() {
            if number == 0 || plans[number - 1].map != plan.map {
                costs.push(ExceptionCounts::<G>::new());
            }
            of_plan.push(costs.len() - 1);
            let last = costs.len() - 1;
            let cost = self.at_start(plan, &mut costs[last])?;
            ranked.push((cost, number));
            let exceptions = self.extracted(plan, &mut costs[last])?;
            let fewer = best
                .as_ref()
                .is_none_or(|best| exceptions.len() < best.exceptions.len());
            if fewer {
                *best = Some(form(self.game, plan, &exceptions));
            }
        }
        ranked.sort_by(|a, b| {
            (a.0.least, a.0.sum)
                .partial_cmp(&(b.0.least, b.0.sum))
                .unwrap_or(std::cmp::Ordering::Equal)
        });
        let mut allowed = ranked.first().map_or(0, |(cost, _)| cost.least);
        while best
            .as_ref()
            .is_some_and(|best| (allowed as usize) < best.exceptions.len())
        {
            self.at_least = self.at_least.max(allowed);
            for (cost, number) in &ranked {
                if cost.least > allowed {
                    continue;
                }
                let mut exceptions = Exceptions::<G>::new();
                let mut fixed = HashSet::new();
                let costs = &mut costs[of_plan[*number]];
                let plan = &plans[*number];
                if self.settled(plan, &mut exceptions, &mut fixed, costs, allowed)? {
                    *best = Some(form(self.game, plan, &exceptions));
                    return Ok(());
                }
            }
            allowed += 1;
        }
        Ok(())
    }

    // Whether a move of the winner, who has no win at once, leaves the opponent lost.
    fn keeps(&self, position: G::Position, mv: G::Move) -> bool {
        let to = self.game.play(&position, mv).to;
        let value = match self.game.ending(&to) {
            Some(ending) => Some(ending.outcome),
            None => self.values.figures_of(self.game, &to).value,
        };
        value == Some(Outcome::Loss)
    }

    fn wins_at_once(&self, position: G::Position, moves: &[G::Move]) -> bool {
        moves
            .iter()
            .any(|mv| self.game.is_win(&self.game.play(&position, *mv)))
    }

    /// The reply of the opening or the symmetry, if it keeps the win.
    fn ruled(
        &self,
        plan: &Approach<'_>,
        position: G::Position,
        last: Option<usize>,
        moves: &[G::Move],
    ) -> Option<G::Move> {
        let legal = |square: usize| on_square(self.game, &position, moves, square);
        let opening = plan
            .opening
            .filter(|_| own_turn(self.game, &position) == Some(1));
        let image = || last.and_then(|last| legal(plan.map?[last]));
        let reply = opening.and_then(legal).or_else(image)?;
        Some(reply).filter(|reply| self.keeps(position, *reply))
    }

    /// The square that a move is made on.
    fn square(&self, position: &G::Position, mv: G::Move) -> Option<usize> {
        self.game.raise(position, mv).map(|(square, _)| square)
    }

    fn listed(&mut self, position: G::Position) -> Vec<G::Move> {
        let mut moves = self.spare.pop().unwrap_or_default();
        self.game.moves(&position, &mut moves);
        moves
    }

    fn at_start(
        &mut self,
        plan: &Approach<'_>,
        costs: &mut ExceptionCounts<G>,
    ) -> Result<ExceptionCount, Stop> {
        let start = self.game.start();
        if self.first {
            self.answered(plan, start, None, costs)
        } else {
            // Only here the opening counts, so this is not remembered.
            self.summed(plan, start, costs)
        }
    }

    /// The cost of a position with the opponent to move.
    fn defended(
        &mut self,
        plan: &Approach<'_>,
        position: G::Position,
        costs: &mut ExceptionCounts<G>,
    ) -> Result<ExceptionCount, Stop> {
        if let Some(cost) = costs.get(&position) {
            return Ok(*cost);
        }
        let cost = self.summed(plan, position, costs)?;
        // A cost that finds no room in memory is computed again.
        if costs.try_reserve(1).is_ok() {
            costs.insert(position, cost);
        }
        Ok(cost)
    }

    fn summed(
        &mut self,
        plan: &Approach<'_>,
        position: G::Position,
        costs: &mut ExceptionCounts<G>,
    ) -> Result<ExceptionCount, Stop> {
        self.meter.count()?;
        let moves = self.listed(position);
        let mut cost = ExceptionCount::default();
        for mv in &moves {
            let to = self.game.play(&position, *mv).to;
            if self.game.ending(&to).is_some() {
                continue; // the position is lost for the opponent
            }
            let below = self.answered(plan, to, self.square(&position, *mv), costs)?;
            cost.least = cost.least.max(below.least);
            cost.sum += below.sum;
        }
        self.spare.push(moves);
        Ok(cost)
    }

    /// The cost of a position with the winner to move.
    fn answered(
        &mut self,
        plan: &Approach<'_>,
        position: G::Position,
        last: Option<usize>,
        costs: &mut ExceptionCounts<G>,
    ) -> Result<ExceptionCount, Stop> {
        let moves = self.listed(position);
        let cost = self.cheapest(plan, position, last, &moves, costs)?;
        self.spare.push(moves);
        Ok(cost)
    }

    fn cheapest(
        &mut self,
        plan: &Approach<'_>,
        position: G::Position,
        last: Option<usize>,
        moves: &[G::Move],
        costs: &mut ExceptionCounts<G>,
    ) -> Result<ExceptionCount, Stop> {
        if self.wins_at_once(position, moves) {
            return Ok(ExceptionCount::default());
        }
        let ruled = self.ruled(plan, position, last, moves);
        let mut cost = ExceptionCount {
            least: u32::MAX,
            sum: f64::INFINITY,
        };
        if let Some(reply) = ruled {
            cost = self.after(plan, position, reply, costs)?;
            if cost.least == 0 && cost.sum == 0.0 {
                return Ok(cost);
            }
        }
        for mv in moves {
            if Some(*mv) != ruled && self.keeps(position, *mv) {
                let below = self.after(plan, position, *mv, costs)?;
                cost.least = cost.least.min(below.least.saturating_add(1));
                cost.sum = cost.sum.min(below.sum + 1.0);
            }
        }
        Ok(cost)
    }

    fn after(
        &mut self,
        plan: &Approach<'_>,
        position: G::Position,
        reply: G::Move,
        costs: &mut ExceptionCounts<G>,
    ) -> Result<ExceptionCount, Stop> {
        let to = self.game.play(&position, reply).to;
        self.defended(plan, to, costs)
    }

    /// The exceptions of the strategy that follows the smaller sums.
    fn extracted(
        &mut self,
        plan: &Approach<'_>,
        costs: &mut ExceptionCounts<G>,
    ) -> Result<Exceptions<G>, Stop> {
        let mut known = Exceptions::<G>::new();
        loop {
            // An exception holds however its position is reached, so one that is found late can change
            // what went before: again, until none is added.
            let (used, added) = self.walked(plan, &mut known, costs)?;
            if !added {
                known.retain(|position, _| used.contains(position));
                return Ok(known);
            }
        }
    }

    fn walked(
        &mut self,
        plan: &Approach<'_>,
        known: &mut Exceptions<G>,
        costs: &mut ExceptionCounts<G>,
    ) -> Result<(HashSet<G::Position>, bool), Stop> {
        let mut used = HashSet::new();
        let mut added = false;
        let mut seen = HashSet::new();
        let mut waiting = VecDeque::new();
        let start = self.game.start();
        if self.first {
            let moves = self.listed(start);
            let reply = match self.ruled(plan, start, None, &moves) {
                Some(reply) => reply,
                // Where only other moves than those on squares win.
                None => {
                    let reply = match known.get(&start) {
                        Some(reply) => *reply,
                        None => self.chosen(plan, start, None, &moves, costs)?,
                    };
                    used.insert(start);
                    added = known.insert(start, reply).is_none();
                    reply
                }
            };
            self.spare.push(moves);
            waiting.push_back(self.game.play(&start, reply).to);
        } else {
            waiting.push_back(start);
        }
        while let Some(position) = waiting.pop_front() {
            self.meter.count()?;
            let moves = self.listed(position);
            for mv in &moves {
                let to = self.game.play(&position, *mv).to;
                if self.game.ending(&to).is_some() {
                    continue;
                }
                let replies = self.listed(to);
                let reply = match known.get(&to) {
                    Some(reply) => {
                        used.insert(to);
                        Some(*reply)
                    }
                    None if self.wins_at_once(to, &replies) => None,
                    None => {
                        let ruled = self.ruled(plan, to, self.square(&position, *mv), &replies);
                        let reply = self.chosen(plan, to, ruled, &replies, costs)?;
                        if Some(reply) != ruled {
                            known.insert(to, reply);
                            used.insert(to);
                            added = true;
                        }
                        Some(reply)
                    }
                };
                self.spare.push(replies);
                let next = reply.map(|reply| self.game.play(&to, reply).to);
                waiting.extend(next.filter(|next| seen.insert(*next)));
            }
            self.spare.push(moves);
        }
        Ok((used, added))
    }

    /// The reply with the smallest sum.
    fn chosen(
        &mut self,
        plan: &Approach<'_>,
        position: G::Position,
        ruled: Option<G::Move>,
        moves: &[G::Move],
        costs: &mut ExceptionCounts<G>,
    ) -> Result<G::Move, Stop> {
        let mut best: Option<(f64, G::Move)> = None;
        let others = moves.iter().copied().filter(|mv| Some(*mv) != ruled);
        for mv in ruled.into_iter().chain(others) {
            if !self.keeps(position, mv) {
                continue;
            }
            let extra = if Some(mv) == ruled { 0.0 } else { 1.0 };
            let sum = self.after(plan, position, mv, costs)?.sum + extra;
            if best.is_none_or(|(least, _)| sum < least) {
                best = Some((sum, mv));
            }
        }
        best.map(|(_, mv)| mv).ok_or_else(|| {
            let problem = format!(
                "{}: the values contradict each other",
                self.game.rules().title()
            );
            Stop::Failed(JudgeError::refused(problem))
        })
    }

    /// Whether this many exceptions more are enough; then they are there.
    fn settled(
        &mut self,
        plan: &Approach<'_>,
        exceptions: &mut Exceptions<G>,
        fixed: &mut HashSet<G::Position>,
        costs: &mut ExceptionCounts<G>,
        left: u32,
    ) -> Result<bool, Stop> {
        let all = left + exceptions.len() as u32;
        let Some(play) = self.first_failure(plan, exceptions, costs, all)? else {
            return Ok(true);
        };
        if left == 0 {
            return Ok(false);
        }
        // Somewhere along the play there has to be an exception; where it has been tried before, the
        // rest of the search goes without.
        let mut tried = Vec::new();
        for (position, last) in play.into_iter().rev() {
            if fixed.contains(&position) || exceptions.contains_key(&position) {
                continue;
            }
            let moves = self.listed(position);
            let ruled = self.ruled(plan, position, last, &moves);
            for mv in &moves {
                if Some(*mv) == ruled || !self.keeps(position, *mv) {
                    continue;
                }
                if self.after(plan, position, *mv, costs)?.least + 1 > all {
                    continue;
                }
                exceptions.insert(position, *mv);
                if self.settled(plan, exceptions, fixed, costs, left - 1)? {
                    return Ok(true);
                }
                exceptions.remove(&position);
            }
            self.spare.push(moves);
            fixed.insert(position);
            tried.push(position);
        }
        for position in tried {
            fixed.remove(&position);
        }
        Ok(false)
    }

    /// The winner's positions along a play that the strategy does not win with this many exceptions in
    /// all, the last of them where it fails; nothing if it wins every play.
    fn first_failure(
        &mut self,
        plan: &Approach<'_>,
        exceptions: &Exceptions<G>,
        costs: &ExceptionCounts<G>,
        all: u32,
    ) -> Result<Option<Vec<WinnerTurn<G>>>, Stop> {
        let start = self.game.start();
        // Positions with the opponent to move, the reply before, and the node before that.
        let mut nodes: Vec<(G::Position, Option<WinnerTurn<G>>, usize)> = Vec::new();
        if self.first {
            let moves = self.listed(start);
            let reply = match exceptions.get(&start) {
                Some(reply) => Some(*reply),
                None => self.ruled(plan, start, None, &moves),
            };
            self.spare.push(moves);
            let Some(reply) = reply else {
                return Ok(Some(vec![(start, None)]));
            };
            nodes.push((self.game.play(&start, reply).to, Some((start, None)), 0));
        } else {
            nodes.push((start, None, 0));
        }
        let mut seen = HashSet::new();
        let mut next = 0;
        while next < nodes.len() {
            self.meter.count()?;
            let position = nodes[next].0;
            let moves = self.listed(position);
            for mv in &moves {
                let to = self.game.play(&position, *mv).to;
                if self.game.ending(&to).is_some() {
                    continue;
                }
                let replies = self.listed(to);
                let reply = match exceptions.get(&to) {
                    Some(reply) => Some(*reply),
                    None if self.wins_at_once(to, &replies) => {
                        self.spare.push(replies);
                        continue;
                    }
                    None => self.ruled(plan, to, self.square(&position, *mv), &replies),
                };
                self.spare.push(replies);
                let after = reply.map(|reply| self.game.play(&to, reply).to);
                let hopeless =
                    |after: &G::Position| costs.get(after).is_some_and(|cost| cost.least > all);
                let Some(after) = after.filter(|after| !hopeless(after)) else {
                    let mut play = vec![(to, self.square(&position, *mv))];
                    let mut at = next;
                    loop {
                        play.extend(nodes[at].1);
                        if at == 0 {
                            break;
                        }
                        at = nodes[at].2;
                    }
                    play.reverse();
                    return Ok(Some(play));
                };
                if seen.insert(after) {
                    nodes.push((after, Some((to, self.square(&position, *mv))), next));
                }
            }
            self.spare.push(moves);
            next += 1;
        }
        Ok(None)
    }
}

fn form<G: Squares>(game: &G, plan: &Approach<'_>, exceptions: &Exceptions<G>) -> StrategyForm<G> {
    let mut listed: Vec<(G::Position, G::Move)> =
        exceptions.iter().map(|(at, reply)| (*at, *reply)).collect();
    listed.sort_by_key(|(at, _)| (game.stage(at), game.index(at)));
    StrategyForm {
        symmetry: plan.symmetry,
        opening: plan.opening,
        exceptions: listed,
    }
}
