//! Strategies as lists of rules, and what becomes of them against every defence.

use std::collections::HashSet;

use greenwave_game::{Message, Outcome, Squares};
use greenwave_solver::SearchBudget;
use greenwave_values::Progress;

use super::Symmetry;
use super::ground::Ground;
use super::meter::{Meter, Stop};
use crate::JudgeError;
use crate::claims::evidence;
use crate::squares::MoveText;

/// One rule of a strategy; the first that applies picks the move.
pub(crate) enum Rule<G: Squares> {
    /// End the game with a win.
    Win,
    /// Raise the image of the square that the opponent has just raised.
    Image(Vec<usize>),
    /// Raise a square, if that is legal.
    Play(MoveText),
    /// Raise a square on an own turn, counted from 1.
    Turn(u32, usize),
    /// A reply to one position.
    At(G::Position, G::Move),
}

/// Reads the rules of a strategy as claims write them.
pub(crate) fn read_rules<G: Squares>(
    game: &G,
    ground: &Ground<'_>,
    texts: &[String],
) -> Result<Vec<Rule<G>>, JudgeError> {
    let rules = texts.iter().map(|text| read_rule(game, ground, text));
    rules.collect()
}

fn read_rule<G: Squares>(game: &G, ground: &Ground<'_>, text: &str) -> Result<Rule<G>, JudgeError> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let named = match text {
        "reflect" => Some(Symmetry::HalfTurn),
        _ => Symmetry::named(text),
    };
    let refuse = |problem: String| Err(JudgeError::refused(problem));
    if let Some(symmetry) = named {
        let map = ground.map(symmetry);
        return map.map(Rule::Image).ok_or_else(|| ground.lacking(symmetry));
    }
    match words[..] {
        ["win"] => return Ok(Rule::Win),
        ["play", square] => {
            if let Some(square) = ground.square(square) {
                return Ok(Rule::Play(MoveText::Raise(square.into(), None)));
            }
        }
        ["turn", number, square] => {
            let number = number.parse().ok().filter(|number| *number > 0);
            if let (Some(number), Some(square)) = (number, ground.square(square)) {
                return Ok(Rule::Turn(number, square));
            }
        }
        ["at", position, reply] => {
            let position = game.parse_position(position)?;
            let reply = game.parse_move(&position, reply)?;
            return Ok(Rule::At(position, reply));
        }
        _ => {}
    }
    let first = ground.names.first().map_or("a1", String::as_str);
    refuse(format!(
        "found the rule '{text}' in a strategy, expected 'win', 'reflect', a symmetry such as 'mirror \
         left-right', 'play' and a square such as 'play {first}', 'turn', a number and a square such \
         as 'turn 1 {first}', or 'at', a position and its reply"
    ))
}

/// The number of the turn of the player to move, among that player's own, from 1. If a position
/// does not show its plies, it is known for the start alone.
pub(super) fn own_turn<G: Squares>(game: &G, position: &G::Position) -> Option<u32> {
    match game.plies(position) {
        Some(plies) => Some(plies / 2 + 1),
        None => (*position == game.start()).then_some(1),
    }
}

/// The move that is made on a square.
pub(super) fn on_square<G: Squares>(
    game: &G,
    position: &G::Position,
    moves: &[G::Move],
    square: usize,
) -> Option<G::Move> {
    let on = |mv: &G::Move| game.raise(position, *mv).map(|(raised, _)| raised) == Some(square);
    moves.iter().copied().find(on)
}

/// What became of a strategy.
pub(crate) struct StrategyCheck<G: Squares> {
    /// Why it does not win, and a shortest play that shows it.
    pub(crate) failure: Option<(Message, Vec<G::Move>)>,
    /// Moves of the opponent that were tried, and the start.
    pub(crate) examined: u64,
    /// The positions with the strategy to move that were met, and a reply to each that it gives, where
    /// that does not end the game.
    pub(crate) replies: Vec<(G::Position, G::Move)>,
    /// Whether the strategy ends a game with a win; nobody does where a line loses.
    pub(crate) wins_at_once: bool,
}

/// Plays a strategy against every defence, by the rules of the game alone.
///
/// # Errors
/// When the work is cancelled.
///
/// # Panics
/// Never: only a budget can be spent, and there is none.
pub(crate) fn follow_all<G: Squares>(
    game: &G,
    first: bool,
    rules: &[Rule<G>],
    progress: &dyn Progress,
) -> Result<StrategyCheck<G>, JudgeError> {
    let mut meter = Meter::new(SearchBudget::default(), progress);
    follow(game, first, rules, &mut meter).map_err(|stop| match stop {
        Stop::Failed(error) => error,
        Stop::Spent => unreachable!("there is no budget"),
    })
}

/// The same within a budget.
///
/// # Errors
/// When the meter stops it.
pub(super) fn follow<G: Squares>(
    game: &G,
    first: bool,
    rules: &[Rule<G>],
    meter: &mut Meter<'_>,
) -> Result<StrategyCheck<G>, Stop> {
    let mut walk = StrategyWalk {
        game,
        rules,
        nodes: vec![(game.start(), Vec::new(), 0)],
        replies: Vec::new(),
        wins_at_once: false,
        examined: 1,
    };
    let failure = walk.through(first, meter)?;
    Ok(StrategyCheck {
        failure: failure.map(|(why, node, more)| (why, walk.play_to(node, &more))),
        examined: walk.examined,
        replies: walk.replies,
        wins_at_once: walk.wins_at_once,
    })
}

struct StrategyWalk<'a, G: Squares> {
    game: &'a G,
    rules: &'a [Rule<G>],
    // Positions with the opponent to move, breadth first, so that the first failure is a shortest
    // one; with the moves that led there and the node before.
    nodes: Vec<(G::Position, Vec<G::Move>, usize)>,
    replies: Vec<(G::Position, G::Move)>,
    wins_at_once: bool,
    examined: u64,
}

type Failure<M> = (Message, usize, Vec<M>);

impl<G: Squares> StrategyWalk<'_, G> {
    fn through(
        &mut self,
        first: bool,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Failure<G::Move>>, Stop> {
        let game = self.game;
        let mut seen = HashSet::new();
        let mut met = HashSet::new();
        let (mut moves, mut replies) = (Vec::new(), Vec::new());
        if first {
            let start = game.start();
            game.moves(&start, &mut moves);
            let Some(reply) = self.respond(start, None, &moves) else {
                return Ok(Some((evidence::strategy_no_first(), 0, Vec::new())));
            };
            let edge = game.play(&start, reply);
            self.nodes[0] = (edge.to, vec![reply], 0);
            if game.ending(&edge.to).is_some() {
                self.wins_at_once = true;
                let why = evidence::strategy_no_win();
                return Ok((!game.is_win(&edge)).then(|| (why, 0, Vec::new())));
            }
            self.replies.push((start, reply));
        }
        let mut next = 0;
        while next < self.nodes.len() {
            meter.count()?;
            let position = self.nodes[next].0;
            game.moves(&position, &mut moves);
            for mv in &moves {
                let edge = game.play(&position, *mv);
                self.examined += 1;
                match game.ending(&edge.to).map(|ending| ending.outcome) {
                    // The strategy is to move.
                    Some(Outcome::Win) => continue,
                    Some(Outcome::Loss) => {
                        return Ok(Some((evidence::strategy_opponent_wins(), next, vec![*mv])));
                    }
                    Some(Outcome::Draw) => {
                        return Ok(Some((evidence::strategy_game_drawn(), next, vec![*mv])));
                    }
                    None => {}
                }
                game.moves(&edge.to, &mut replies);
                let Some(reply) = self.respond(edge.to, self.square(&position, *mv), &replies)
                else {
                    return Ok(Some((evidence::strategy_no_reply(), next, vec![*mv])));
                };
                let answer = game.play(&edge.to, reply);
                if game.ending(&answer.to).is_some() {
                    if !game.is_win(&answer) {
                        return Ok(Some((evidence::strategy_no_win(), next, vec![*mv, reply])));
                    }
                    self.wins_at_once = true;
                    continue;
                }
                if met.insert(edge.to) {
                    self.replies.push((edge.to, reply));
                }
                if seen.insert(answer.to) {
                    self.nodes.push((answer.to, vec![*mv, reply], next));
                }
            }
            next += 1;
        }
        Ok(None)
    }

    fn square(&self, position: &G::Position, mv: G::Move) -> Option<usize> {
        self.game.raise(position, mv).map(|(square, _)| square)
    }

    fn respond(
        &self,
        position: G::Position,
        last: Option<usize>,
        moves: &[G::Move],
    ) -> Option<G::Move> {
        let game = self.game;
        let on = |square: usize| on_square(game, &position, moves, square);
        self.rules.iter().find_map(|rule| match rule {
            Rule::Win => {
                let mut all = moves.iter().copied();
                all.find(|mv| game.is_win(&game.play(&position, *mv)))
            }
            Rule::Image(map) => last.and_then(|last| on(map[last])),
            Rule::Play(mv) => mv.find(game, &position, moves),
            Rule::Turn(number, square) if own_turn(game, &position) == Some(*number) => on(*square),
            Rule::Turn(..) => None,
            Rule::At(known, reply) => Some(*reply).filter(|_| *known == position),
        })
    }

    fn play_to(&self, node: usize, more: &[G::Move]) -> Vec<G::Move> {
        let mut plays = vec![more.to_vec()];
        let mut at = node;
        while at != 0 {
            plays.push(self.nodes[at].1.clone());
            at = self.nodes[at].2;
        }
        plays.push(self.nodes[0].1.clone());
        plays.into_iter().rev().flatten().collect()
    }
}
