//! The longest possible play on a fixed board, with the moves of one such play.

use std::collections::HashSet;

use greenwave_game::{
    BoardGame, Cell, Code, Dense, Game, LEAF_BITS, LeafMask, Packing, Play, Raise, Supply,
};
use greenwave_values::Progress;
use greenwave_values::parallel::try_map_parts;

use crate::JudgeError;

/// The longest play of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LongestGame {
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
/// When play can end without a line on a board too large to be searched position by position, and
/// when the work is cancelled.
pub fn longest_line_free(
    game: &BoardGame,
    progress: &dyn Progress,
) -> Result<LongestGame, JudgeError> {
    line_free(game, false, progress)
}

// Whether every game ends with a line.
fn ends_by_line(game: &BoardGame) -> bool {
    let board = game.board();
    board.play != Play::PlayOn && board.supply == Supply::Unlimited && game.has_line(board.full())
}

/// Whether [`longest_line_free`] has an answer.
pub(crate) fn can_search_line_free(game: &BoardGame) -> Result<(), JudgeError> {
    if ends_by_line(game) || game.indexable() <= SMALL {
        return Ok(());
    }
    Err(JudgeError::refused(format!(
        "{}: the longest play is only worked out where every game ends with a line, or on boards of up to 10 squares",
        game.rules().title()
    )))
}

/// Whether [`longest_game`] has an answer.
pub(crate) fn can_search_game(game: &BoardGame) -> Result<(), JudgeError> {
    if game.board().play == Play::PlayOn {
        Ok(())
    } else {
        can_search_line_free(game)
    }
}

// The longest play without a line; with `goes_on` one after which a move is left, if there is any.
fn line_free(
    game: &BoardGame,
    goes_on: bool,
    progress: &dyn Progress,
) -> Result<LongestGame, JudgeError> {
    can_search_line_free(game)?;
    let ends_by_line = ends_by_line(game);
    let mut below = u32::MAX;
    let mut examined = 0;
    loop {
        let (plies, mut codes, looked) = top(game, below, ends_by_line, progress)?;
        examined += looked;
        if goes_on {
            let mut moves = Vec::new();
            codes.sort_by_cached_key(|code| {
                game.moves(code, &mut moves);
                moves.is_empty()
            });
        }
        let mut dead = HashSet::new();
        for code in codes {
            if progress.cancelled() {
                return Err(JudgeError::Interrupted);
            }
            let mut play = Vec::new();
            if taken_back(game, code, &mut dead, &mut play) {
                play.reverse();
                return Ok(LongestGame {
                    plies: play.len() as u32,
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
/// Where the first line ends the game, it is the longest play without a line and, if a move is left
/// then, one ply more: that move can only complete a line.
///
/// # Errors
/// As [`longest_line_free`]; never where play goes on after a line.
pub fn longest_game(game: &BoardGame, progress: &dyn Progress) -> Result<LongestGame, JudgeError> {
    if game.board().play == Play::PlayOn {
        return Ok(fullest(game));
    }
    let mut longest = line_free(game, true, progress)?;
    let mut position = game.start();
    for mv in &longest.play {
        position = game.play(&position, *mv).to;
    }
    let mut moves = Vec::new();
    game.moves(&position, &mut moves);
    if let Some(last) = moves.first() {
        longest.play.push(*last);
        longest.plies += 1;
    }
    Ok(longest)
}

/// The longest game where no line ends it: one square after another is raised as far as the supply
/// allows.
///
/// Its length is the level sum of its last position, and no legal position has a greater one. With
/// `capN` there are N squares of each level, and raising in turn leaves N at the highest level, N
/// at the next and so on. With `poolN` there are N raises to each level, and all of them are made.
fn fullest(game: &BoardGame) -> LongestGame {
    let (mut position, mut play) = (game.start(), Vec::new());
    let mut moves = Vec::new();
    // Twice, since a square may be barred from the first ply.
    let squares = game.board().shape.cells();
    for raise in (0..2 * squares).map(|number| Raise(Cell((number % squares) as u8))) {
        loop {
            game.moves(&position, &mut moves);
            if !moves.contains(&raise) {
                break;
            }
            position = game.play(&position, raise).to;
            play.push(raise);
        }
    }
    LongestGame {
        plies: play.len() as u32,
        examined: 1 + play.len() as u64,
        play,
    }
}

// The greatest level sum below a bound among line-free legal positions, and all positions with it.
fn top(
    game: &BoardGame,
    below: u32,
    ends_by_line: bool,
    progress: &dyn Progress,
) -> Result<(u32, Vec<Code>, u64), JudgeError> {
    let leaves = game.indexable().div_ceil(1 << LEAF_BITS) as usize;
    let better = |a: (u32, Vec<Code>, u64), b: (u32, Vec<Code>, u64)| {
        let looked = a.2 + b.2;
        let (sum, codes) = match a.0.cmp(&b.0) {
            std::cmp::Ordering::Greater => (a.0, a.1),
            std::cmp::Ordering::Less => (b.0, b.1),
            std::cmp::Ordering::Equal => (a.0, [a.1, b.1].concat()),
        };
        (sum, codes, looked)
    };
    let parts = try_map_parts(leaves, |leaf| {
        if progress.cancelled() {
            return Err(JudgeError::Interrupted);
        }
        let leaf = leaf as u64;
        let mut mask = LeafMask::default();
        let first = leaf << LEAF_BITS;
        if ends_by_line {
            game.leaf_mask(Packing::Unfinished, leaf, &mut mask);
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
        Ok((best, codes, looked))
    })?;
    Ok(parts.into_iter().fold((0, Vec::new(), 0), better))
}

// Whether taking lights back, without ever leaving a line, leads to the start; the moves in
// reverse order.
fn taken_back(
    game: &BoardGame,
    code: Code,
    dead: &mut HashSet<Code>,
    play: &mut Vec<Raise>,
) -> bool {
    let start = game.start();
    if code == start {
        return true;
    }
    for cell in (0..game.board().shape.cells() as u8).map(Cell) {
        let level = code.level(cell);
        if level <= start.level(cell) {
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
        texts.push(game.move_text(&position, mv));
        position = game.play(&position, mv).to;
    }
    Some(texts)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use greenwave_game::Variant;
    use greenwave_values::Silent;

    use super::*;

    // The longest play from a position on: of games, or of play without a line.
    fn tried(game: &BoardGame, at: Code, of_game: bool, known: &mut HashMap<Code, u32>) -> u32 {
        if let Some(plies) = known.get(&at) {
            return *plies;
        }
        let mut moves = Vec::new();
        game.moves(&at, &mut moves);
        let next = moves.into_iter().map(|mv| game.play(&at, mv).to);
        let plies = next
            .filter(|to| of_game || !game.has_line(*to))
            .map(|to| 1 + tried(game, to, of_game, known))
            .max()
            .unwrap_or(0);
        known.insert(at, plies);
        plies
    }

    #[test]
    fn the_longest_play_is_that_of_trying_everything() {
        let mut compared = 0;
        for board in ["1x1", "1x3", "1x4", "2x3", "2x4"] {
            for family in ["classic", "green", "points", "points-on"] {
                for supply in [
                    "unlimited",
                    "cap1",
                    "cap2",
                    "cap3",
                    "cap4",
                    "pool1",
                    "pool2",
                    "pool3",
                ] {
                    if board == "2x4" && !supply.ends_with(['1', '2']) {
                        continue; // too many positions to try
                    }
                    let on = family.strip_suffix("-on");
                    let end = on.map_or("", |_| ",end=play-on");
                    let family = on.unwrap_or(family);
                    let name = format!("{family}-{board}:supply={supply}{end}");
                    let Ok(Variant::Board(game)) = Variant::parse(&name) else {
                        panic!("{name}")
                    };
                    for of_game in [true, false] {
                        let found = if of_game {
                            longest_game(&game, &Silent).unwrap()
                        } else {
                            longest_line_free(&game, &Silent).unwrap()
                        };
                        let expected = tried(&game, game.start(), of_game, &mut HashMap::new());
                        assert_eq!(found.plies, expected, "{name}, of games: {of_game}");
                        assert_eq!(found.play.len() as u32, expected, "{name}");
                        compared += 1;
                    }
                }
            }
        }
        assert_eq!(compared, 288);
    }

    #[test]
    fn play_that_goes_on_lasts_until_every_square_is_full() {
        for (name, plies) in [
            ("points-2x3:end=play-on", 18),
            ("points-3x4:end=play-on", 36),
            ("points-4x8:end=play-on", 96),
            ("points-4x8:end=play-on,supply=cap20", 84),
            ("points-4x8:end=play-on,supply=pool20", 60),
        ] {
            let Ok(Variant::Board(game)) = Variant::parse(name) else {
                panic!("{name}")
            };
            assert_eq!(longest_game(&game, &Silent).unwrap().plies, plies, "{name}");
        }
    }
}
