//! Strategies that a person can play: win at once if you can; after these first moves reply by a
//! symmetry to the square just played; except in these positions.
//!
//! The search uses the values, then plays the strategy against every defence by the rules alone.
//! Where the values do not fit the memory, those without exceptions are tried by the rules alone.

mod follow;
mod ground;
mod meter;
mod search;
mod symmetry;
mod told;

use std::collections::HashSet;

use greenwave_game::{
    Advance, Cell, Code, Metric, Outcome, Play, Squares, Variant, fixed_board, with_game,
};
use greenwave_solver::SearchBudget;
use greenwave_tablebase::{Reservation, Tablebase, Theorem, Theorems};

use follow::{Rule, follow};
pub(crate) use follow::{follow_all, read_rules};
pub(crate) use ground::Ground;
use meter::{Meter, Stop, is_over};
pub use symmetry::Symmetry;
pub use told::{Strategy, lights_line};

use crate::JudgeError;

/// Positions of play against a strategy that a theorem proves.
const PLAYED_IF_PROVED: u64 = 1 << 14;

/// What came of the search.
#[derive(Clone, Debug)]
pub enum SearchOutcome {
    /// A strategy, played against every defence, or proved by a theorem.
    Found(Box<Strategy>),
    /// Nobody wins by force.
    Drawn,
    /// None within the budget.
    Spent(FailedSearch),
}

/// The tries of a search that found nothing.
#[derive(Clone, Debug)]
pub struct FailedSearch {
    /// The winner, if known: whether it is the first player. It is not where the values do not fit the
    /// memory.
    pub first: Option<bool>,
    /// Whether every strategy of the form without exceptions was seen to fail.
    pub none_without_exceptions: bool,
}

/// Whether the rules allow such a strategy at all; this needs no solve.
///
/// # Errors
/// When the game has chance, repetition, turns of several plies or points, and when the board lacks the
/// symmetry.
pub fn can_have_strategy(variant: &Variant, symmetry: Option<Symmetry>) -> Result<(), JudgeError> {
    with_game!(variant, game => Ground::on(game, |ground| allowed(game, ground, symmetry)))
}

fn allowed<G: Squares>(
    game: &G,
    ground: &Ground<'_>,
    symmetry: Option<Symmetry>,
) -> Result<(), JudgeError> {
    let rules = game.rules();
    let refuse = |problem: &str| {
        let name = rules.title();
        Err(JudgeError::refused(format!(
            "no strategy for {name}: {problem}"
        )))
    };
    if rules.properties.advance == Advance::Repeats {
        return refuse(
            "positions can repeat, so a reply that keeps the win need not bring it about; 'query' shows \
             values",
        );
    }
    if rules.properties.scores {
        let sign = if rules.name.contains(':') { ',' } else { ':' };
        let won = format!("{}{sign}score=win", rules.name);
        let as_win = if Variant::parse(&won).is_ok() {
            format!("in {won} the points only decide who wins, and ")
        } else {
            String::new()
        };
        return refuse(&format!(
            "it is played for points, and such a strategy is one of winning; {as_win}'line' shows best \
             play for points"
        ));
    }
    match symmetry {
        Some(symmetry) if ground.map(symmetry).is_none() => Err(ground.lacking(symmetry)),
        _ => Ok(()),
    }
}

/// Seeks a strategy with few exceptions, by one symmetry or by any, and checks it by the rules.
///
/// # Errors
/// As [`can_have_strategy`]; when values cannot be had, unless a strategy needs none, and when the work is
/// cancelled.
pub fn seek_strategy(
    variant: &Variant,
    symmetry: Option<Symmetry>,
    budget: SearchBudget,
    tablebase: &Tablebase,
) -> Result<SearchOutcome, JudgeError> {
    with_game!(variant, game => Ground::on(game, |ground| {
        allowed(game, ground, symmetry)?;
        let symmetries = match symmetry {
            Some(symmetry) => vec![Some(symmetry)],
            None => {
                let all = Symmetry::of(ground.shape).into_iter().map(Some);
                all.chain([None]).collect()
            }
        };
        let seek = Seek {
            variant,
            ground,
            symmetries,
            budget,
            tablebase,
        };
        seek.among(game)
    }))
}

struct Seek<'a> {
    variant: &'a Variant,
    ground: &'a Ground<'a>,
    symmetries: Vec<Option<Symmetry>>,
    budget: SearchBudget,
    tablebase: &'a Tablebase,
}

impl Seek<'_> {
    fn among<G: Squares>(&self, game: &G) -> Result<SearchOutcome, JudgeError> {
        let start = game.start();
        if game.ending(&start).is_some() {
            return Ok(SearchOutcome::Drawn);
        }
        let held = self.tablebase.values(self.variant, Metric::Value);
        let held = match held.map_err(JudgeError::from) {
            Err(error) if error.is_of_memory() => return self.by_rules_alone(game, error),
            held => held?,
        };
        let first = match held.values.figures_of(game, &start).value {
            Some(Outcome::Win) => true,
            Some(Outcome::Loss) => false,
            _ => return Ok(SearchOutcome::Drawn),
        };
        let (values, ground) = (&held.values, self.ground);
        let symmetries = &self.symmetries;
        let (reserved, budget) = self.within_memory();
        let meter = Meter::new(budget, self.tablebase.progress());
        let found = search::search(game, ground, values, first, symmetries, meter)?;
        drop(reserved);
        let Some((form, proven_least)) = found.best else {
            let spent = FailedSearch {
                first: Some(first),
                none_without_exceptions: found.at_least > 0,
            };
            let proved = self.proved(game).map(SearchOutcome::Found);
            return Ok(proved.unwrap_or(SearchOutcome::Spent(spent)));
        };
        let mut strategy = Strategy::new(game, ground, first, form.symmetry, form.opening)
            .except(game, &form.exceptions);
        strategy.proven_least = proven_least;
        strategy.at_least = if proven_least {
            form.exceptions.len() as u64
        } else {
            found.at_least.into()
        };
        // The very rules that the claim states, played by the rules of the game alone.
        let rules = read_rules(game, ground, &strategy.rules())?;
        let followed = follow_all(game, first, &rules, self.tablebase.progress())?;
        if let Some((why, play)) = followed.failure {
            let name = game.rules().title();
            let play = texts_of(game, &play).join(" ");
            return Err(JudgeError::refused(format!(
                "{name}: the values and the rules contradict each other: {why} after {play}; 'verify' \
                 checks the table"
            )));
        }
        Ok(SearchOutcome::Found(Box::new(
            strategy.checked(game, &followed),
        )))
    }

    /// The budget with no more positions than the search can remember in what is left of the memory.
    fn within_memory(&self) -> (Reservation, SearchBudget) {
        // What a position costs that the search remembers, in bytes, with room to grow.
        const REMEMBERED: u64 = 192;
        let (reserved, bytes) = self.tablebase.reserve_for_search(u64::MAX);
        let room = bytes / REMEMBERED;
        let nodes = self.budget.nodes.map_or(room, |nodes| nodes.min(room));
        let budget = SearchBudget {
            nodes: Some(nodes),
            ..self.budget
        };
        (reserved, budget)
    }

    /// Tries every strategy without exceptions, for either player, without any values. Most fail early,
    /// so each round gives all that are left twice as many positions. Where all fail, the values would be
    /// needed, which `lacking` refused.
    fn by_rules_alone<G: Squares>(
        &self,
        game: &G,
        lacking: JudgeError,
    ) -> Result<SearchOutcome, JudgeError> {
        let mut open = Vec::new();
        for first in [true, false] {
            for symmetry in &self.symmetries {
                let squares = (0..self.ground.names.len()).map(Some);
                let openings = [None].into_iter().chain(squares);
                for opening in openings.filter(|opening| opening.is_some() || !first) {
                    open.push((first, *symmetry, opening));
                }
            }
        }
        open.retain(|(_, symmetry, _)| symmetry.is_some());
        let (_reserved, budget) = self.within_memory();
        let mut left = budget.nodes.unwrap_or(u64::MAX);
        let proved = self.proved(game);
        if let Some(proved) = &proved {
            // It needs no play: a little of it, since a certificate is a proof that others can check.
            left = left.min(PLAYED_IF_PROVED);
            open.retain(|(first, symmetry, opening)| {
                let opening = opening.map(|square| &self.ground.names[square]);
                (*first, *symmetry, opening)
                    == (proved.first, proved.symmetry, proved.opening.first())
            });
        }
        let mut share = 1 << 10;
        while !open.is_empty() && left > 0 && !is_over(&budget) {
            let mut undecided = Vec::new();
            for (first, symmetry, opening) in open {
                let map = symmetry.and_then(|symmetry| self.ground.map(symmetry));
                let turn = opening.map(|square| Rule::Turn(1, square));
                let rules = [Rule::Win].into_iter().chain(turn);
                let rules: Vec<Rule<G>> = rules.chain(map.map(Rule::Image)).collect();
                let budget = SearchBudget {
                    nodes: Some(left.min(share)),
                    ..budget
                };
                let mut meter = Meter::new(budget, self.tablebase.progress());
                match follow(game, first, &rules, &mut meter) {
                    Ok(followed) if followed.failure.is_none() => {
                        let found = Strategy::new(game, self.ground, first, symmetry, opening);
                        return Ok(SearchOutcome::Found(Box::new(
                            found.checked(game, &followed),
                        )));
                    }
                    Ok(_) => {}
                    Err(Stop::Spent) => undecided.push((first, symmetry, opening)),
                    Err(Stop::Failed(error)) => return Err(error),
                }
                left = left.saturating_sub(meter.counted());
            }
            open = undecided;
            share *= 2;
        }
        if let Some(proved) = proved {
            return Ok(SearchOutcome::Found(proved));
        }
        if open.is_empty() {
            return Err(lacking);
        }
        Ok(SearchOutcome::Spent(FailedSearch {
            first: None,
            none_without_exceptions: false,
        }))
    }

    /// The strategy that a theorem proves of the whole board; `None` where none does, or by another symmetry
    /// than is wanted.
    fn proved<G: Squares>(&self, game: &G) -> Option<Box<Strategy>> {
        let board = fixed_board(game)?;
        let (outcome, theorem) = Theorems::of(board)?.value(Code::EMPTY)?;
        let shape = self.ground.shape;
        let symmetry = match theorem {
            Theorem::TwoRanks if shape.ranks() == 2 => Symmetry::TopBottom,
            Theorem::TwoRanks => Symmetry::LeftRight,
            Theorem::BothSidesOdd => Symmetry::HalfTurn,
            Theorem::Copying => return None,
        };
        if !self.symmetries.contains(&Some(symmetry)) {
            return None;
        }
        let first = outcome == Outcome::Win;
        let centre = first.then(|| shape.at(shape.files() / 2, shape.ranks() / 2));
        let centre = centre.flatten().map(Cell::index);
        let mut strategy = Strategy::new(game, self.ground, first, Some(symmetry), centre);
        strategy.wins_at_once = board.board().play == Play::Normal;
        strategy.theorem = Some(theorem);
        Some(Box::new(strategy))
    }
}

/// A play from the start as texts.
pub(crate) fn texts_of<G: Squares>(game: &G, play: &[G::Move]) -> Vec<String> {
    let mut position = game.start();
    let mut texts = Vec::new();
    for mv in play {
        texts.push(game.move_text(&position, *mv));
        position = game.play(&position, *mv).to;
    }
    texts
}

/// One reply for each orbit of positions.
fn up_to_symmetry<G: Squares>(
    game: &G,
    replies: &[(G::Position, G::Move)],
) -> Vec<(G::Position, G::Move)> {
    let mut orbits = HashSet::new();
    let mut kept = replies.to_vec();
    kept.retain(|(position, _)| orbits.insert(game.canonical(position)));
    kept
}
