//! How hard a game is for people, by measures that are stated here.
//!
//! A *careful* player looks one ply ahead and wins at once where that is possible. Otherwise the
//! player makes any move, each as likely, after which the opponent cannot win at once; where there
//! is none, any move. A *random* player makes any move. A *trap* is a position that is won, but not
//! at once, and by one move alone. A *mistake* is a move from a won position to one that is won for
//! the opponent.

use anyhow::{Result, anyhow};
use greenwave_game::{Cell, Code, Dense, Game, Metric, Outcome, Raise, Variant};
use greenwave_solver::solve;
use greenwave_values::Silent;
use serde::{Deserialize, Serialize};

use crate::winners::signature;

/// What the measures say of a board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hardness {
    /// By the number of plies played.
    pub plies: Vec<Ply>,
    /// By first move, one for each kind of square.
    pub openings: Vec<Opening>,
    /// Moves of all won positions that careful play meets that are mistakes, of a million; and of
    /// those that random play meets.
    pub careful_mistakes: u32,
    /// See `careful_mistakes`.
    pub random_mistakes: u32,
    /// How often the first player wins when both are careful, of a million; and when both are random.
    pub careful_first: u32,
    /// See `careful_first`.
    pub random_first: u32,
    /// The trap with the most moves that look safe, and how many.
    pub hardest: String,
    /// See `hardest`.
    pub hardest_safe: u32,
    /// The move that keeps its win.
    pub hardest_move: String,
    /// Signature of the table of distances.
    pub signature: Option<String>,
}

/// Reachable positions after this many plies in which nobody can win at once, and what play does there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ply {
    /// Positions won for the player to move.
    pub won: u64,
    /// Positions lost.
    pub lost: u64,
    /// Traps among those that are won.
    pub traps: u64,
    /// Won positions in which at most one in three of the moves that look safe keeps the win: those
    /// fool a search of two plies.
    pub fooling: u64,
    /// In positions of careful play, of a thousand: moves, and moves that lose at once.
    pub moves: u32,
    /// See `moves`.
    pub losing: u32,
    /// Mistakes of careful play in won positions, of a million moves.
    pub mistakes: u32,
}

/// A first move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opening {
    /// The square, and how many are like it.
    pub square: String,
    /// See `square`.
    pub alike: u32,
    /// Whether it wins for the first player, and in how many plies the game then ends.
    pub wins: bool,
    /// See `wins`.
    pub plies: u32,
    /// How often it wins when both players go on carefully, of a million games.
    pub careful: u32,
}

const MILLION: f64 = 1e6;

/// What each move of a position leads to.
struct After {
    to: Code,
    ends: bool,
    // Whether the opponent can win at once.
    gives: bool,
    // Whether the opponent is lost.
    keeps: bool,
}

struct Board<'a> {
    game: &'a greenwave_game::BoardGame,
    // The sign tells who wins, the rest in how many plies; 0 for finished positions.
    plies: Vec<i16>,
}

impl Board<'_> {
    fn after(&self, code: Code, moves: &mut Vec<Raise>, out: &mut Vec<After>) {
        out.clear();
        self.game.moves(&code, moves);
        out.extend(moves.iter().map(|mv| {
            let to = self.game.play(&code, *mv).to;
            let plies = self.plies[to.0 as usize];
            After {
                to,
                ends: plies == 0,
                gives: plies == 1,
                keeps: plies <= 0,
            }
        }));
    }
}

/// The share of a careful player's choice that falls on each move.
fn careful(after: &[After]) -> impl Iterator<Item = (usize, f64)> {
    let fits: fn(&After) -> bool = if after.iter().any(|move_| move_.ends) {
        |move_| move_.ends
    } else if after.iter().any(|move_| !move_.gives) {
        |move_| !move_.gives
    } else {
        |_| true
    };
    let count = after.iter().filter(|move_| fits(move_)).count() as f64;
    let chosen = after
        .iter()
        .enumerate()
        .filter(move |(_, move_)| fits(move_));
    chosen.map(move |(at, _)| (at, 1.0 / count))
}

/// Measures a board on which whoever completes a line wins.
///
/// # Errors
/// When the name is no such board, and when memory is short.
pub fn hardness(name: &str) -> Result<Hardness> {
    let variant = Variant::parse(name)?;
    let game = variant
        .fixed_board()
        .filter(|game| game.board().play == greenwave_game::Play::Normal)
        .ok_or_else(|| anyhow!("{name} is not a board on which a line wins"))?;
    let values = solve(&variant, Metric::Distance, u64::MAX, &Silent)?;
    let size = game.indexable() as u64;
    let plies = |index| {
        if game.ending(&Code(index)).is_some() {
            return 0;
        }
        let figures = values.figures(index);
        let plies = figures.distance.map_or(0, |plies| plies.0 as i16);
        if figures.value == Some(Outcome::Win) {
            plies
        } else {
            -plies
        }
    };
    let board = Board {
        game,
        plies: (0..size).map(plies).collect(),
    };
    drop(values);
    let most = 3 * game.board().shape.cells() + 1;
    let mut result = Tally::new(most);
    // Forwards: how often each position is met. Every move leads to a higher code.
    let mut met = vec![[0_f32; 2]; size as usize];
    let mut reached = vec![0_u64; (size as usize).div_ceil(64)];
    met[0] = [1.0, 1.0];
    reached[0] = 1;
    let (mut moves, mut after) = (Vec::new(), Vec::new());
    for index in 0..size {
        if reached[index as usize / 64] >> (index % 64) & 1 == 0 || board.plies[index as usize] == 0
        {
            continue;
        }
        let code = Code(index);
        board.after(code, &mut moves, &mut after);
        let visits = met[index as usize];
        result.add(&board, code, &after, visits);
        for move_ in &after {
            reached[move_.to.0 as usize / 64] |= 1 << (move_.to.0 % 64);
            met[move_.to.0 as usize][1] += visits[1] / after.len() as f32;
        }
        for (at, share) in careful(&after) {
            met[after[at].to.0 as usize][0] += visits[0] * share as f32;
        }
    }
    // Backwards: how often the player to move wins.
    let mut won = met;
    won.fill([0.0; 2]);
    for index in (0..size).rev() {
        if board.plies[index as usize] == 0 {
            continue;
        }
        board.after(Code(index), &mut moves, &mut after);
        let random: f32 = after
            .iter()
            .map(|move_| 1.0 - won[move_.to.0 as usize][1])
            .sum();
        let own: f64 = careful(&after)
            .map(|(at, share)| share * f64::from(1.0 - won[after[at].to.0 as usize][0]))
            .sum();
        won[index as usize] = [own as f32, random / after.len() as f32];
    }
    let of_million = |share: f32| (f64::from(share) * MILLION).round() as u32;
    let mut openings: Vec<Opening> = Vec::new();
    let mut orbits: Vec<Code> = Vec::new();
    for cell in (0..game.board().shape.cells() as u8).map(Cell) {
        let to = Code::EMPTY.raised(cell);
        let orbit = game.canonical(&to);
        match orbits.iter().position(|known| *known == orbit) {
            Some(at) => openings[at].alike += 1,
            None => {
                orbits.push(orbit);
                let plies = board.plies[to.0 as usize];
                openings.push(Opening {
                    square: game.board().shape.cell_name(cell),
                    alike: 1,
                    wins: plies <= 0,
                    plies: u32::from(plies.unsigned_abs()),
                    careful: of_million(1.0 - won[to.0 as usize][0]),
                });
            }
        }
    }
    let signature = signature(&variant, Metric::Distance)?;
    result.finished(game, openings, won[0].map(of_million), signature)
}

#[derive(Default)]
struct Tally {
    plies: Vec<Ply>,
    // By ply: careful play's visits, moves, moves that lose at once; visits of won positions and
    // mistakes there.
    sums: Vec<[f64; 5]>,
    random: [f64; 2],
    hardest: Option<(u32, Code, Cell)>,
}

impl Tally {
    fn new(most: usize) -> Tally {
        Tally {
            plies: vec![Ply::default(); most],
            sums: vec![[0.0; 5]; most],
            ..Tally::default()
        }
    }

    fn add(&mut self, board: &Board<'_>, code: Code, after: &[After], visits: [f32; 2]) {
        let ply = code.level_sum() as usize;
        let won = board.plies[code.0 as usize] > 0;
        let at_once = after.iter().any(|move_| move_.ends);
        let visited = visits.map(f64::from);
        if won {
            let wrong = after.iter().filter(|move_| !move_.keeps).count() as f64;
            self.random[0] += visited[1];
            self.random[1] += visited[1] * wrong / after.len() as f64;
            let mistakes: f64 = careful(after)
                .filter(|(at, _)| !after[*at].keeps)
                .map(|(_, share)| share)
                .sum();
            self.sums[ply][3] += visited[0];
            self.sums[ply][4] += visited[0] * mistakes;
        }
        if at_once {
            return;
        }
        let losing = after.iter().filter(|move_| move_.gives).count();
        self.sums[ply][0] += visited[0];
        self.sums[ply][1] += visited[0] * after.len() as f64;
        self.sums[ply][2] += visited[0] * losing as f64;
        let counts = &mut self.plies[ply];
        if !won {
            counts.lost += 1;
            return;
        }
        counts.won += 1;
        let safe = after.len() - losing;
        let keeping = after.iter().filter(|move_| move_.keeps).count();
        counts.fooling += u64::from(3 * keeping <= safe);
        if keeping == 1 {
            counts.traps += 1;
            let deeper = self.hardest.is_none_or(|(most, ..)| safe as u32 > most);
            let winning = after.iter().find(|move_| move_.keeps).map(|move_| move_.to);
            if let Some(to) = winning.filter(|_| deeper) {
                let raised = (to.0 - code.0).trailing_zeros() / 2;
                self.hardest = Some((safe as u32, code, Cell(raised as u8)));
            }
        }
    }

    fn finished(
        mut self,
        game: &greenwave_game::BoardGame,
        openings: Vec<Opening>,
        first: [u32; 2],
        signature: Option<String>,
    ) -> Result<Hardness> {
        for (ply, sums) in self.plies.iter_mut().zip(&self.sums) {
            let share = |part: f64, whole: f64, unit: f64| {
                if whole > 0.0 {
                    (unit * part / whole).round() as u32
                } else {
                    0
                }
            };
            ply.moves = share(sums[1], sums[0], 1e3);
            ply.losing = share(sums[2], sums[0], 1e3);
            ply.mistakes = share(sums[4], sums[3], MILLION);
        }
        while self.plies.last().is_some_and(|ply| ply.won + ply.lost == 0) {
            self.plies.pop();
        }
        let total = |at: usize| self.sums.iter().map(|sums| sums[at]).sum::<f64>();
        let (safe, code, cell) = self
            .hardest
            .ok_or_else(|| anyhow!("{} has no trap", game.rules().name))?;
        Ok(Hardness {
            plies: self.plies,
            openings,
            careful_mistakes: (MILLION * total(4) / total(3)).round() as u32,
            random_mistakes: (MILLION * self.random[1] / self.random[0]).round() as u32,
            careful_first: first[0],
            random_first: first[1],
            hardest: game.position_text(&code),
            hardest_safe: safe,
            hardest_move: game.move_text(&code, Raise(cell)),
            signature,
        })
    }
}
