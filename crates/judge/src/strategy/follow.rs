//! Strategies as lists of rules, and what becomes of them against every defence.

use std::collections::HashSet;

use greenwave_game::{BoardGame, Cell, Code, Colours, Game, Outcome, Raise};

use super::Symmetry;
use crate::JudgeError;
use crate::squares::{MoveText, wins};

/// One rule of a strategy; the first that applies picks the move.
#[derive(Clone, Debug)]
pub(crate) enum Rule {
    /// End the game with a win.
    Win,
    /// Raise the image of the square that the opponent has just raised.
    Image(Vec<Cell>),
    /// Raise a square, if that is legal.
    Play(MoveText),
    /// Raise a square on an own turn, counted from 1.
    Turn(u32, Cell),
    /// A reply to one position.
    At(Code, Raise),
}

/// Reads the rules of a strategy as claims write them.
pub(crate) fn read_rules(game: &BoardGame, texts: &[String]) -> Result<Vec<Rule>, JudgeError> {
    texts.iter().map(|text| read_rule(game, text)).collect()
}

fn read_rule(game: &BoardGame, text: &str) -> Result<Rule, JudgeError> {
    let shape = &game.board().shape;
    let words: Vec<&str> = text.split_whitespace().collect();
    let named = match text {
        "reflect" => Some(Symmetry::HalfTurn),
        _ => Symmetry::named(text),
    };
    let refuse = |problem: String| Err(JudgeError::Refused(problem));
    if let Some(symmetry) = named {
        return match symmetry.on(shape) {
            Some(map) => Ok(Rule::Image(map)),
            None => refuse(lacking(game, symmetry)),
        };
    }
    match words[..] {
        ["win"] => return Ok(Rule::Win),
        ["play", square] => {
            if let Some(cell) = shape.cell_named(square) {
                return Ok(Rule::Play(MoveText::Raise(cell.index().into(), None)));
            }
        }
        ["turn", number, square] => {
            let number = number.parse().ok().filter(|number| *number > 0);
            if let (Some(number), Some(cell)) = (number, shape.cell_named(square)) {
                return Ok(Rule::Turn(number, cell));
            }
        }
        ["at", position, reply] => {
            let position = game.parse_position(position, Colours::Ryg)?;
            let reply = game.parse_move(&position, reply, Colours::Ryg)?;
            return Ok(Rule::At(position, reply));
        }
        _ => {}
    }
    let first = shape.cell_name(Cell(0));
    refuse(format!(
        "found the rule '{text}' in a strategy, expected 'win', 'reflect', a symmetry such as 'mirror \
         left-right', 'play' and a square such as 'play {first}', 'turn', a number and a square such \
         as 'turn 1 {first}', or 'at', a position and its reply"
    ))
}

/// What to say of a symmetry that a board lacks.
pub(super) fn lacking(game: &BoardGame, symmetry: Symmetry) -> String {
    let shape = &game.board().shape;
    let has: Vec<String> = Symmetry::of(shape)
        .into_iter()
        .map(|symmetry| format!("'{}'", symmetry.name()))
        .collect();
    let has = match has.len() {
        0 => "it has none".to_string(),
        _ => format!("it has {}", has.join(", ")),
    };
    format!(
        "{}: the board {} has no symmetry '{}'; {has}",
        game.rules().name,
        shape.outline(),
        symmetry.name()
    )
}

/// The number of the turn of the player to move, among that player's own, from 1. Every move raises
/// the sum of levels by one.
pub(super) fn own_turn(position: Code) -> u32 {
    position.level_sum() / 2 + 1
}

/// What became of a strategy.
pub(crate) struct Followed {
    /// Why it does not win, and a shortest play that shows it.
    pub(crate) failure: Option<(&'static str, Vec<Raise>)>,
    /// Moves of the opponent that were tried, and the start.
    pub(crate) examined: u64,
    /// The positions with the strategy to move that were met, and a reply to each that it gives, where
    /// that does not end the game.
    pub(crate) replies: Vec<(Code, Raise)>,
}

/// Plays a strategy against every defence, by the rules of the game alone.
pub(crate) fn follow(game: &BoardGame, first: bool, rules: &[Rule]) -> Followed {
    let mut walk = Walk {
        game,
        rules,
        nodes: vec![(game.start(), Vec::new(), 0)],
        replies: Vec::new(),
        examined: 1,
    };
    let failure = walk.through(first);
    Followed {
        failure: failure.map(|(why, node, more)| (why, walk.play_to(node, &more))),
        examined: walk.examined,
        replies: walk.replies,
    }
}

struct Walk<'a> {
    game: &'a BoardGame,
    rules: &'a [Rule],
    // Positions with the opponent to move, breadth first, so that the first failure is a shortest
    // one; with the moves that led there and the node before.
    nodes: Vec<(Code, Vec<Raise>, usize)>,
    replies: Vec<(Code, Raise)>,
    examined: u64,
}

type Failure = (&'static str, usize, Vec<Raise>);

impl Walk<'_> {
    fn through(&mut self, first: bool) -> Option<Failure> {
        let game = self.game;
        let mut seen = HashSet::new();
        let mut met = HashSet::new();
        let (mut moves, mut replies) = (Vec::new(), Vec::new());
        if first {
            let start = game.start();
            game.moves(&start, &mut moves);
            let Some(reply) = self.respond(start, None, &moves) else {
                return Some(("the strategy has no first move", 0, Vec::new()));
            };
            let edge = game.play(&start, reply);
            self.nodes[0] = (edge.to, vec![reply], 0);
            if game.ending(&edge.to).is_some() {
                let why = "the strategy does not win";
                return (!wins(game, &edge)).then(|| (why, 0, Vec::new()));
            }
            self.replies.push((start, reply));
        }
        let mut next = 0;
        while next < self.nodes.len() {
            let position = self.nodes[next].0;
            game.moves(&position, &mut moves);
            for mv in &moves {
                let edge = game.play(&position, *mv);
                self.examined += 1;
                match game.ending(&edge.to).map(|ending| ending.outcome) {
                    // The strategy is to move.
                    Some(Outcome::Win) => continue,
                    Some(Outcome::Loss) => return Some(("the opponent wins", next, vec![*mv])),
                    Some(Outcome::Draw) => return Some(("the game is drawn", next, vec![*mv])),
                    None => {}
                }
                game.moves(&edge.to, &mut replies);
                let Some(reply) = self.respond(edge.to, Some(mv.0), &replies) else {
                    return Some(("the strategy has no reply", next, vec![*mv]));
                };
                let answer = game.play(&edge.to, reply);
                if game.ending(&answer.to).is_some() {
                    if !wins(game, &answer) {
                        return Some(("the strategy does not win", next, vec![*mv, reply]));
                    }
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
        None
    }

    fn respond(&self, position: Code, last: Option<Cell>, moves: &[Raise]) -> Option<Raise> {
        let game = self.game;
        let legal = |mv: Raise| Some(mv).filter(|mv| moves.contains(mv));
        self.rules.iter().find_map(|rule| match rule {
            Rule::Win => {
                let mut all = moves.iter().copied();
                all.find(|mv| wins(game, &game.play(&position, *mv)))
            }
            Rule::Image(map) => last.and_then(|last| legal(Raise(map[last.index()]))),
            Rule::Play(mv) => mv.find(game, &position, moves),
            Rule::Turn(number, cell) if own_turn(position) == *number => legal(Raise(*cell)),
            Rule::Turn(..) => None,
            Rule::At(known, reply) => Some(*reply).filter(|_| *known == position),
        })
    }

    fn play_to(&self, node: usize, more: &[Raise]) -> Vec<Raise> {
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
