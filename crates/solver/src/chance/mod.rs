//! The bag game: exact expectimax over boards, hands and market.
//!
//! Boards are swept by level sum from the highest down; a board's 600 hand states are one dense
//! vector. Only what the next level needs is held, the rest streams out. See `kernel` for the step
//! of one board, `sweep` for the order, `store` for where values go.

mod hands;
mod kernel;
mod search;
mod store;
mod stream;
mod sweep;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use greenwave_game::{
    BagBase, BagGame, Dense, Edge, Game, HAND_STATES, Metric, Odds, Stage, TIE, engines,
    odds_by_draws,
};
use greenwave_values::rows::{RowCounts, Rows};
use greenwave_values::{OddsValues, Progress, SolvedOdds, Values};

use crate::engine::Engine;
use crate::lookahead::Lookahead;
use crate::{Cost, PreparedSolve, Product, SearchBudget, SolveError, Task, TaskResult};
use greenwave_sweep::checkpoint::EVERY;
use kernel::{BoardOdds, Entries};
use store::RowStore;
use sweep::{BagSweep, Resume};

/// Boards that one thread settles in a second, roughly, on a machine of 2020 or later.
const BOARDS_PER_SECOND: f64 = 25_000.0;

/// The boards of more squares than this are not counted for an estimate.
const COUNTED_CELLS: usize = 12;

/// Which values a solution in memory keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retention<'a, P> {
    /// All.
    All,
    /// Those of a position, of everything that its moves and the draws after them lead to, and of
    /// the empty board.
    Around(&'a P),
}

/// What a solve holds and writes.
struct Needs {
    // Bytes of two levels of entries, of the list of boards and of buffers.
    sweep: u128,
    // Bytes of all values in memory.
    values: u128,
    // Bytes of the table, at most.
    table: u128,
    // Bytes of entries on disk, at most: one checkpoint is written before the one before it goes.
    entries: u128,
    // On the threads of the current rayon pool, roughly.
    seconds: f64,
}

// Rows of a game, those of the two largest neighbouring levels, and packed states of all rows.
type CountedRows = [u128; 3];

// Games whose counts are remembered.
const REMEMBERED: usize = 64;

// The rows of a game, counted at the first plan: that takes up to a second for twelve squares.
fn counted<B: BagBase>(game: &BagGame<B>) -> CountedRows {
    static COUNTED: Mutex<VecDeque<([u8; 32], CountedRows)>> = Mutex::new(VecDeque::new());
    let locked = || COUNTED.lock().unwrap_or_else(PoisonError::into_inner);
    let key = game.rules().hash.0;
    let known = locked().iter().find(|(hash, _)| *hash == key).copied();
    if let Some((_, rows)) = known {
        return rows;
    }
    let counts = RowCounts::new(&game.row_space());
    let pairs = counts.levels.windows(2);
    let largest = pairs.map(|pair| pair[0] + pair[1]).max().unwrap_or(1);
    let rows = [counts.rows().into(), largest.into(), counts.packed.into()];
    let mut all = locked();
    all.truncate(REMEMBERED - 1);
    all.push_front((key, rows));
    rows
}

// The needs of a solve of a bag game, whatever memory there is. Boards of more than twelve squares are not counted:
// the figures are upper bounds.
fn needs<B: BagBase>(game: &BagGame<B>) -> Needs {
    let variants = kernel::BagTables::new(game.cells() as u32, *game.bag()).variants() as u128;
    let (flags, parts) = (game.flags() as u128, game.parts() as u128);
    let [rows, largest, packed] = if game.cells() <= COUNTED_CELLS {
        counted(game)
    } else {
        let symmetries = game.base().code_symmetries().len() as u128;
        let boards = game.base().indexable() / flags / symmetries;
        [boards, boards / 4, boards * u128::from(HAND_STATES)]
    };
    let threads = rayon::current_num_threads() as f64;
    Needs {
        sweep: largest * variants * size_of::<Entries>() as u128
            + rows * 16
            + 2048 * flags * size_of::<BoardOdds>() as u128
            + (64 << 20),
        values: rows * flags * u128::from(HAND_STATES) * 24,
        table: packed * flags * parts * 4,
        entries: largest * variants * size_of::<Entries>() as u128,
        seconds: rows as f64 * flags as f64 * (0.5 + 0.5 * variants as f64)
            / BOARDS_PER_SECOND
            / threads,
    }
}

impl<B: BagBase> Engine<BagGame<B>> for engines::Expectimax {
    fn plan<'a>(
        game: &'a BagGame<B>,
        task: Task<'a>,
    ) -> Result<PreparedSolve<'a, TaskResult>, SolveError> {
        let (memory, needs) = (task.memory, needs(game));
        let mut cost = Cost {
            memory_bytes: needs.sweep,
            seconds: needs.seconds,
            ..Cost::of(game, Metric::Odds)
        };
        if task.checkpoint.is_some() {
            cost.checkpoint_bytes = needs.entries;
        }
        if matches!(task.wanted, Product::Table(_)) {
            // Put together from files that take as much as itself, and which are there in any case.
            cost.checkpoint_bytes = needs.entries + needs.table;
            cost.table_bytes = needs.table;
            cost = cost.with_table();
        }
        let run = move |progress: &dyn Progress| {
            let checkpoint = task.checkpoint.as_deref();
            stream::stream(game, &task.wanted, checkpoint, EVERY, progress)
        };
        Ok(PreparedSolve::new(cost, memory, run))
    }

    fn plan_values(
        game: &BagGame<B>,
        metric: Metric,
        memory: u64,
    ) -> Result<PreparedSolve<'_, Values>, SolveError> {
        let needs = needs(game);
        let cost = Cost {
            memory_bytes: needs.sweep + needs.values,
            seconds: needs.seconds,
            ..Cost::of(game, metric)
        };
        let run = |progress: &dyn Progress| solved(game, Retention::All, progress);
        Ok(PreparedSolve::new(cost, memory, run))
    }

    fn plan_near<'a>(
        game: &'a BagGame<B>,
        position: &<BagGame<B> as Game>::Position,
        memory: u64,
    ) -> Option<PreparedSolve<'a, Values>> {
        let needs = needs(game);
        let cost = Cost {
            memory_bytes: needs.sweep,
            seconds: needs.seconds,
            ..Cost::of(game, Metric::Odds)
        };
        let position = *position;
        let run =
            move |progress: &dyn Progress| solved(game, Retention::Around(&position), progress);
        Some(PreparedSolve::new(cost, memory, run))
    }

    fn look_ahead(
        game: &BagGame<B>,
        position: &<BagGame<B> as Game>::Position,
        budget: SearchBudget,
        memory: u64,
        progress: &dyn Progress,
    ) -> Result<Lookahead<<BagGame<B> as Game>::Position, <BagGame<B> as Game>::Move>, SolveError>
    {
        Ok(Lookahead {
            found: search::search(game, position, budget, memory, progress),
            line: Vec::new(),
        })
    }
}

fn solved<B: BagBase>(
    game: &BagGame<B>,
    keep: Retention<'_, <BagGame<B> as Game>::Position>,
    progress: &dyn Progress,
) -> Result<Values, SolveError> {
    let (values, start) = solve_odds(game, keep, progress)?;
    let odds = SolvedOdds {
        values,
        start: Some(start),
        tie: TIE,
    };
    Ok(odds.into())
}

/// Solves a bag game in memory, on the current rayon pool; gives the values kept and the odds of the
/// whole game, before the first draw, from player 1's view.
///
/// # Errors
/// When memory cannot be had, and when the work is cancelled.
pub fn solve_odds<B: BagBase>(
    game: &BagGame<B>,
    keep: Retention<'_, <BagGame<B> as Game>::Position>,
    progress: &dyn Progress,
) -> Result<(OddsValues, Odds), SolveError> {
    let rows = Arc::new(Rows::new(game.row_space()));
    let wanted = match keep {
        Retention::All => None,
        Retention::Around(position) => Some(boards_around(game, &rows, position)),
    };
    let mut keeper = RowStore::new(OddsValues::new(Arc::clone(&rows)), game.flags(), wanted);
    let sweep = BagSweep::new(game, &rows);
    sweep.run(Resume::from_the_top(&rows), &mut keeper, progress)?;
    let values = keeper.finish();
    let start = start_odds(game, &values);
    Ok((values, start))
}

/// The odds of the whole game, before the first draw, from player 1's view.
pub(crate) fn start_odds<B: BagBase>(game: &BagGame<B>, values: &OddsValues) -> Odds {
    let mut known =
        |position: &_| Ok::<Odds, std::convert::Infallible>(odds_in(game, values, position));
    match odds_by_draws(game, &game.start(), &mut known) {
        Ok(odds) => odds,
        Err(never) => match never {},
    }
}

fn odds_in<B: BagBase>(
    game: &BagGame<B>,
    values: &OddsValues,
    position: &<BagGame<B> as Game>::Position,
) -> Odds {
    match game.ending(position) {
        Some(ending) => Odds::of_ending(&ending),
        None => values
            .odds(game.index(position))
            .expect("the row of the board was kept"),
    }
}

// The rows of a position, of its moves, and of the empty board.
fn boards_around<B: BagBase>(
    game: &BagGame<B>,
    rows: &Rows,
    position: &<BagGame<B> as Game>::Position,
) -> Vec<u64> {
    let mut boards = vec![game.start(), *position];
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    boards.extend(moves.into_iter().map(|mv| {
        let Edge { to, .. } = game.play(position, mv);
        to
    }));
    let mut numbers: Vec<u64> = boards
        .iter()
        .filter_map(|position| rows.number(game.board_of(position).0))
        .collect();
    numbers.sort_unstable();
    numbers.dedup();
    debug_assert!(
        position.stage != Stage::Turn || !numbers.is_empty() || game.ending(position).is_some()
    );
    numbers
}
