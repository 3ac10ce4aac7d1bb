//! An unfinished position of which no values are at hand, settled by whatever settles it soonest.

use std::time::Duration;

use greenwave_game::{At, Figures, Game, Outcome, VariantGame, with_game};
use greenwave_probe::{MoveAnswer, PositionAnswer, lacks_distance};
use greenwave_solver::{Cost, SearchVerdict, SearchedMove, Solve, look_ahead};
use greenwave_values::Instant;

use crate::documents::{Answer, Judgement, MoveFigures, Source};
use crate::found::{AnswerKey, SearchEnd, SearchedAnswer};
use crate::position_sweep::{AnswerRemarks, PositionSweep, SettledAnswer, TimedSweep};
use crate::{Budget, Error, ErrorKind, Tablebase};

/// How many times its estimate a sweep may take, and surely ends in the time that is left.
const SURE: f64 = 2.0;
/// How many times its estimate must be there for a sweep that goes before one that is sooner done.
const PLENTY: f64 = 8.0;

/// The limits of one query.
#[derive(Clone, Copy, Debug, Default)]
pub struct QueryOptions {
    /// Time for a solve in memory or a search, or positions of a search; 60 s for a solve and 10 s for a
    /// search if not given.
    pub budget: Option<Budget>,
    /// Whether a move is wanted, not only what the position is worth.
    pub needs_move: bool,
}

impl QueryOptions {
    /// A query within a budget.
    #[must_use]
    pub fn within(budget: Option<Budget>) -> QueryOptions {
        QueryOptions {
            budget,
            needs_move: false,
        }
    }
}

impl<G: Game> SettledAnswer<G> {
    /// Whether it says what the position and every move is worth, and which are the best.
    fn is_complete(&self) -> bool {
        let mut moves = self.found.moves.iter();
        let is_ranked = self.found.best > 0 || self.found.moves.is_empty();
        is_ranked
            && self.found.figures.value.is_some()
            && moves.all(|mv| mv.figures.value.is_some())
    }

    /// Whether another answer can add something.
    fn is_partial(&self, game: &G) -> bool {
        !self.is_complete() || lacks_distance(&self.found.figures, game.rules())
    }

    /// An answer that was given before.
    pub(crate) fn of_answer(game: &G, position: &G::Position, given: &Answer) -> SettledAnswer<G> {
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        let moves = moves.into_iter().map(|mv| {
            let text = game.move_text(position, mv);
            let told = given.moves.iter().find(|told| told.mv == text);
            MoveAnswer {
                mv,
                to: game.play(position, mv).to,
                figures: told.map_or_else(Figures::default, MoveFigures::figures),
                ends: told.is_some_and(|told| told.ends),
            }
        });
        let moves = moves.collect();
        let found = PositionAnswer::new(*position, given.figures(), false, moves);
        SettledAnswer {
            remarks: AnswerRemarks {
                undecided_within: given.undecided_within,
                line: given.line.clone(),
                estimate: given.estimate.clone(),
                by_theorem: given.by_theorem.clone(),
            },
            ..SettledAnswer::of(found, given.source.clone())
        }
    }

    /// What a search found, and what is known of the position without it.
    pub(crate) fn with_known(self, game: &G, known: Option<SettledAnswer<G>>) -> SettledAnswer<G> {
        let known = match known {
            Some(known) if self.is_partial(game) => known,
            _ => return self,
        };
        let mut moves = self.found.moves;
        for mv in &mut moves {
            let same = |other: &&MoveAnswer<G::Position, G::Move>| other.mv == mv.mv;
            let told = known.found.moves.iter().find(same);
            mv.figures = told.map_or(mv.figures, |told| told.figures.or(mv.figures));
        }
        let figures = known.found.figures.or(self.found.figures);
        let is_open = figures.value.is_none();
        let source = if self.found.figures.value.is_some() {
            self.source
        } else {
            Source {
                settle: self.source.settle.or(known.source.settle),
                out_of_reach: self.source.out_of_reach || known.source.out_of_reach,
                ..known.source
            }
        };
        let (own, before) = (self.remarks, known.remarks);
        let within = own.undecided_within.max(before.undecided_within);
        let found = PositionAnswer::new(self.found.position, figures, false, moves).ordered(game);
        SettledAnswer {
            remarks: AnswerRemarks {
                undecided_within: within.filter(|_| is_open),
                line: own.line.or(before.line),
                estimate: own.estimate.filter(|_| found.best == 0),
                by_theorem: own.by_theorem,
            },
            found,
            source,
            end: self.end,
        }
    }
}

impl Tablebase {
    /// Whether a position was swept, or an answer about it is kept for which was searched about as long as these
    /// options allow.
    #[must_use]
    pub fn is_found(&self, at: &At, options: &QueryOptions) -> bool {
        let Some(time) = Budget::of_search(options.budget) else {
            return false;
        };
        let known = self.searched_before(at);
        known.is_some_and(|known| known.does_for(time, options.needs_move))
            || with_game!(&**at.variant(), game => {
                let swept = self.swept_before(game, &game.position(at.position()));
                matches!(swept, Ok(Some(_)))
            })
    }

    /// Whether an answer about a position is kept to which no more time adds anything.
    #[must_use]
    pub fn is_settled(&self, at: &At) -> bool {
        let known = self.searched_before(at);
        known.is_some_and(|known| known.is_settled(at.variant().rules()))
    }

    fn searched_before(&self, at: &At) -> Option<SearchedAnswer> {
        let key = AnswerKey::new(at.variant().rules(), *at.position());
        self.cache().searched().get(&key)
    }
}

impl Tablebase {
    /// An unfinished position of which no values are at hand, settled by whatever settles it soonest.
    pub(crate) fn settled<G: Solve>(
        &self,
        game: &G,
        position: &G::Position,
        options: &QueryOptions,
    ) -> Result<SettledAnswer<G>, Error> {
        let known = match self.known(game, position)? {
            Some(known) if known.found.best > 0 => return Ok(known),
            Some(known) => Some(self.with_nearest(game, position, known)?),
            None => None,
        };
        // A value that is known needs no search, unless a move is wanted.
        let searches = known.is_none() || options.needs_move;
        let seconds = Budget::of_sweep(options.budget);
        // A request without any time, or a cancelled one, waits for no plan.
        let hurried = seconds == Some(0.0) || self.progress().cancelled();
        let mut answer = match (seconds, known) {
            (Some(seconds), known) if !hurried => {
                return self.settled_within(game, position, seconds, known, searches);
            }
            (_, Some(known)) if !searches => known,
            // Where positions are counted the values are the same on every machine.
            (_, known) => {
                let found = self.searched(game, position, options.budget)?;
                found.with_known(game, known)
            }
        };
        if !answer.is_complete() && !hurried {
            let sweeps = self.sweeps(game, &[*position]);
            let costs: Vec<Cost> = sweeps.iter().map(|sweep| sweep.cost().clone()).collect();
            self.name_way(game, position, &costs, &mut answer.source);
        }
        Ok(answer)
    }

    /// What is known of a position, and which of its moves win or lose at once: a few plies show that, whatever time
    /// there is.
    fn with_nearest<G: Solve>(
        &self,
        game: &G,
        position: &G::Position,
        mut known: SettledAnswer<G>,
    ) -> Result<SettledAnswer<G>, Error> {
        /// Positions of a search of two plies on the largest boards.
        const NEAREST: u64 = 4000;
        if known.is_complete() {
            return Ok(known);
        }
        let remarks = std::mem::take(&mut known.remarks);
        let source = known.source.clone();
        let near = self.searched(game, position, Some(Budget::Nodes(NEAREST)))?;
        Ok(SettledAnswer {
            remarks,
            source,
            ..near.with_known(game, Some(known))
        })
    }

    /// The same in this many seconds, where `known` says at most what the position is worth.
    fn settled_within<G: Solve>(
        &self,
        game: &G,
        position: &G::Position,
        seconds: f64,
        known: Option<SettledAnswer<G>>,
        searches: bool,
    ) -> Result<SettledAnswer<G>, Error> {
        let begun = Instant::now();
        let left = || (seconds - begun.elapsed().as_secs_f64()).max(0.0);
        let sweeps = self.sweeps(game, &[*position]);
        let mut costs: Vec<Cost> = sweeps.iter().map(|sweep| sweep.cost().clone()).collect();
        let time = left();
        let mut planned: Vec<(usize, PositionSweep<'_, G::Position>)> =
            sweeps.into_iter().enumerate().collect();
        planned.retain(|(_, sweep)| self.fits_within(sweep, time));
        // The soonest done first, but the default metric alone where there is time for both.
        let order = |sweep: &PositionSweep<'_, G::Position>| {
            let seconds = sweep.cost().seconds;
            if seconds * PLENTY <= time {
                0.0
            } else {
                seconds
            }
        };
        planned.sort_by(|(_, one), (_, other)| order(one).total_cmp(&order(other)));
        // A search may be quicker late in a game, and it takes little of the time.
        let quickest = planned.iter().map(|(_, sweep)| sweep.cost().seconds);
        let first = quickest.reduce(f64::min);
        let first = first.map_or(time, |sweep| (sweep / 4.0).min((time - sweep) / 2.0));
        let mut answer = None;
        if searches {
            let searched = self.searched(game, position, Some(Budget::seconds(first)))?;
            if searched.is_complete() {
                return Ok(searched);
            }
            answer = Some(searched);
        }
        let mut swept = None;
        let mut is_busy = false;
        let mut slower = 1.0;
        let swept_any = !planned.is_empty();
        let times: Vec<f64> = planned
            .iter()
            .map(|(_, sweep)| sweep.cost().seconds)
            .collect();
        for (place, (number, sweep)) in planned.into_iter().enumerate() {
            // Distances beside values are worth no risk.
            if swept.is_some() && times[place] * slower * SURE > left() {
                break;
            }
            let limit = limit_of(&times[place..], left());
            if limit < times[place] {
                continue;
            }
            let started = Instant::now();
            match self.sweep(game, sweep, limit) {
                Ok(TimedSweep::Done) => {
                    slower = (started.elapsed().as_secs_f64() / times[place]).max(1.0);
                    swept = self.swept_before(game, position)?;
                }
                Ok(TimedSweep::Busy) => is_busy = true,
                Ok(TimedSweep::TooSlow(needed)) => {
                    costs[number].seconds = costs[number].seconds.max(needed);
                }
                // The findings so far.
                Err(error) if error.kind() == ErrorKind::Interrupted => break,
                Err(error) => return Err(error),
            }
            if swept.is_some() && number == 0 {
                break;
            }
        }
        if let Some(swept) = swept {
            return Ok(swept);
        }
        let cancelled = self.progress().cancelled();
        // What the sweeps left of the time.
        if searches && swept_any && !cancelled && left() > first {
            answer = Some(self.searched(game, position, Some(Budget::seconds(left())))?);
        }
        let mut answer = match (answer, known) {
            (Some(answer), known) => answer.with_known(game, known),
            (None, Some(known)) => known,
            (None, None) => self.searched(game, position, Some(Budget::seconds(left())))?,
        };
        if is_busy || cancelled {
            answer.end = answer.end.without(SearchEnd::CutShort);
        }
        if !answer.is_complete() && !cancelled {
            self.name_way(game, position, &costs, &mut answer.source);
        }
        Ok(answer)
    }

    /// Names what would settle a position, or that nothing does that fits the machine.
    fn name_way<G: Solve>(
        &self,
        game: &G,
        position: &G::Position,
        sweeps: &[Cost],
        source: &mut Source,
    ) {
        source.settle = self.settling(game, position, sweeps);
        source.out_of_reach = source.settle.is_none();
    }

    /// What a search finds in a budget.
    pub(crate) fn searched<G: Solve>(
        &self,
        game: &G,
        position: &G::Position,
        budget: Option<Budget>,
    ) -> Result<SettledAnswer<G>, Error> {
        let (_reserved, memory) = self.reserve_for_search(u64::MAX);
        let budget = budget.unwrap_or(Budget::USUAL).begun_now();
        let searched =
            self.on_threads(|| look_ahead(game, position, budget, memory, self.progress()))?;
        let replies = searched.found.replies.iter();
        let moves = replies.map(|reply| MoveAnswer {
            mv: reply.mv,
            to: reply.edge.to,
            figures: figures_of(reply),
            ends: game.ending(&reply.edge.to).is_some(),
        });
        let root = searched.found.root;
        let found = PositionAnswer::new(*position, root.figures(), false, moves.collect());
        let remarks = match root {
            SearchVerdict::Proven(_) => AnswerRemarks {
                line: (!searched.line.is_empty())
                    .then(|| line_text(game, position, &searched.line)),
                ..AnswerRemarks::default()
            },
            SearchVerdict::Undecided { beyond } => AnswerRemarks {
                undecided_within: Some(beyond.0),
                estimate: judgement(game, position, &searched.found.replies),
                ..AnswerRemarks::default()
            },
        };
        let answer = SettledAnswer {
            remarks,
            ..SettledAnswer::of(found, Source::searched())
        };
        let end = match (answer.is_complete(), self.progress().cancelled()) {
            (true, _) => SearchEnd::Answered,
            (false, true) => SearchEnd::CutShort,
            (false, false) => SearchEnd::TimeOver,
        };
        Ok(SettledAnswer { end, ..answer })
    }
}

/// Seconds that the first of some sweeps may take, with those that are estimated and those that are left: half,
/// where one after it is sooner done, since a busy or a slow machine takes many times what is estimated.
fn limit_of(times: &[f64], left: f64) -> f64 {
    match times {
        [first, later @ ..] if later.iter().any(|time| time < first) => left / 2.0,
        _ => left,
    }
}

impl Budget {
    /// Time that a search may take; none where positions are counted.
    pub(crate) fn of_search(budget: Option<Budget>) -> Option<Duration> {
        match budget.unwrap_or(Budget::USUAL) {
            Budget::Time(time) => Some(time),
            Budget::Nodes(_) => None,
        }
    }

    /// The same in seconds, for a sweep.
    pub(crate) fn of_sweep(budget: Option<Budget>) -> Option<f64> {
        Budget::of_search(budget).map(|time| time.as_secs_f64())
    }

    /// This many seconds.
    fn seconds(seconds: f64) -> Budget {
        Budget::Time(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
    }
}

/// Figures of a searched move, for the player who makes it.
fn figures_of<P, M>(reply: &SearchedMove<P, M>) -> Figures {
    let below = reply.searched.figures();
    below.after_move(reply.edge.gain, reply.edge.keeps_turn)
}

fn line_text<G: Game>(
    game: &G,
    start: &G::Position,
    line: &[(G::Move, G::Position)],
) -> Vec<String> {
    let before = std::iter::once(start).chain(line.iter().map(|(_, after)| after));
    before
        .zip(line)
        .map(|(position, (mv, _))| game.move_text(position, *mv))
        .collect()
}

/// The moves that look best, where nothing is proven; proven losses are left out.
fn judgement<G: Game>(
    game: &G,
    position: &G::Position,
    replies: &[SearchedMove<G::Position, G::Move>],
) -> Option<Judgement> {
    let open = replies
        .iter()
        .filter(|reply| figures_of(reply).value != Some(Outcome::Loss));
    let judged: Option<Vec<(f64, G::Move)>> = open
        .map(|reply| {
            let below = match figures_of(reply).value {
                Some(Outcome::Draw) => 0.0,
                _ => game.judgement(&reply.edge.to)?,
            };
            let mine = if reply.edge.keeps_turn { below } else { -below };
            Some((mine, reply.mv))
        })
        .collect();
    let judged = judged?;
    let outlook = judged
        .iter()
        .map(|(mine, _)| *mine)
        .max_by(f64::total_cmp)?;
    let best = judged.iter().filter(|(mine, _)| *mine == outlook);
    Some(Judgement {
        proven: false,
        // Not −0.
        outlook: outlook + 0.0,
        moves: best.map(|(_, mv)| game.move_text(position, *mv)).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sweep_that_is_sooner_done_keeps_its_time() {
        assert_eq!(limit_of(&[1.0, 0.2], 10.0), 5.0);
        assert_eq!(limit_of(&[1.0], 2.0), 2.0);
        // What comes after and takes longer, is done in what is left.
        assert_eq!(limit_of(&[1.0, 4.0], 10.0), 10.0);
    }
}
