//! How long play can last on a fixed board, with a play that shows it.

use std::collections::HashSet;

use greenwave_game::{
    BoardGame, Cell, Code, Colours, Dense, Game, LEAF_BITS, LeafMask, Outcomes, Packing, Play,
    Raise, Supply,
};
use rayon::prelude::*;

use crate::JudgeError;

/// The longest play of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Longest {
    /// Its length in plies.
    pub plies: u32,
    /// A play of that length from the start.
    pub play: Vec<Raise>,
    /// Positions that were looked at.
    pub examined: u64,
}

// Boards up to this many indices are searched position by position.
const SMALL: u128 = 1 << 20;

/// The longest play without a completed line.
///
/// Every ply raises the sum of the levels by one, so the length of a play is the level sum of its
/// last position. Going through all line-free positions gives the greatest sums; a position counts
/// if play can reach it, which is found by taking lights back.
///
/// # Errors
/// When play can end without a line on a board too large to be searched position by position.
pub fn longest_line_free(game: &BoardGame) -> Result<Longest, JudgeError> {
    let ends_by_line = game.rules().properties.outcomes == Outcomes::WinLoss
        || (game.board().play == Play::FirstLine && game.board().supply == Supply::Unlimited);
    if !ends_by_line && game.indexable() > SMALL {
        return Err(JudgeError::Refused(format!(
            "{}: the longest play is only worked out where every game ends with a line, or on boards of up to 10 squares",
            game.rules().name
        )));
    }
    let mut below = u32::MAX;
    let mut examined = 0;
    loop {
        let (plies, codes, looked) = top(game, below, ends_by_line);
        examined += looked;
        let mut dead = HashSet::new();
        for code in codes {
            let mut play = Vec::new();
            if taken_back(game, code, &mut dead, &mut play) {
                play.reverse();
                return Ok(Longest {
                    plies,
                    play,
                    examined,
                });
            }
        }
        below = plies;
    }
}

/// The longest game.
///
/// # Errors
/// As [`longest_line_free`].
pub fn longest_game(game: &BoardGame) -> Result<Longest, JudgeError> {
    let mut longest = longest_line_free(game)?;
    let mut position = game.start();
    for mv in &longest.play {
        position = game.play(&position, *mv).to;
    }
    let mut moves = Vec::new();
    game.moves(&position, &mut moves);
    // After the longest line-free play every move completes a line.
    if let Some(last) = moves.first() {
        longest.play.push(*last);
        longest.plies += 1;
    }
    Ok(longest)
}

// The greatest level sum below a bound among line-free legal positions, and all positions with it.
fn top(game: &BoardGame, below: u32, ends_by_line: bool) -> (u32, Vec<Code>, u64) {
    let leaves = game.indexable().div_ceil(1 << LEAF_BITS) as u64;
    let better = |a: (u32, Vec<Code>, u64), b: (u32, Vec<Code>, u64)| {
        let looked = a.2 + b.2;
        let (sum, codes) = match a.0.cmp(&b.0) {
            std::cmp::Ordering::Greater => (a.0, a.1),
            std::cmp::Ordering::Less => (b.0, b.1),
            std::cmp::Ordering::Equal => (a.0, [a.1, b.1].concat()),
        };
        (sum, codes, looked)
    };
    (0..leaves)
        .into_par_iter()
        .map_init(LeafMask::default, |mask, leaf| {
            let first = leaf << LEAF_BITS;
            if ends_by_line {
                game.leaf_mask(Packing::Unfinished, leaf, mask);
            } else {
                mask.0.fill(0);
                let places = (game.indexable() - u128::from(first)).min(1 << LEAF_BITS) as u32;
                let line_free = |place: &u32| {
                    game.at(first + u64::from(*place))
                        .is_some_and(|code| !game.has_line(code))
                };
                (0..places)
                    .filter(line_free)
                    .for_each(|place| mask.insert(place));
            }
            let (mut best, mut codes, mut looked) = (0, Vec::new(), 0);
            for place in mask.places() {
                let code = Code(first + u64::from(place));
                let sum = code.level_sum();
                looked += 1;
                if sum > best && sum < below {
                    best = sum;
                    codes.clear();
                }
                if sum == best {
                    codes.push(code);
                }
            }
            (best, codes, looked)
        })
        .reduce(|| (0, Vec::new(), 0), better)
}

// Whether taking lights back, without ever leaving a line, leads to the empty board; the moves in
// reverse order.
fn taken_back(
    game: &BoardGame,
    code: Code,
    dead: &mut HashSet<Code>,
    play: &mut Vec<Raise>,
) -> bool {
    if code == Code::EMPTY {
        return true;
    }
    for cell in (0..game.board().shape.cells() as u8).map(Cell) {
        let level = code.level(cell);
        if level == 0 {
            continue;
        }
        let before = code.with(cell, level - 1);
        if game.has_line(before) || dead.contains(&before) || !game.is_legal(before) {
            continue;
        }
        let mut moves = Vec::new();
        game.moves(&before, &mut moves);
        if !moves.contains(&Raise(cell)) {
            continue;
        }
        play.push(Raise(cell));
        if taken_back(game, before, dead, play) {
            return true;
        }
        play.pop();
    }
    dead.insert(code);
    false
}

/// The moves of a play that leads to a position without passing a completed line, as texts; `None`
/// if there is none.
pub(crate) fn line_to(game: &BoardGame, code: Code) -> Option<Vec<String>> {
    let mut play = Vec::new();
    taken_back(game, code, &mut HashSet::new(), &mut play).then_some(())?;
    let mut position = game.start();
    let mut texts = Vec::new();
    for mv in play.into_iter().rev() {
        texts.push(game.move_text(&position, mv, Colours::Ryg));
        position = game.play(&position, mv).to;
    }
    Some(texts)
}
