//! The sweep over all boards, level by level from the highest level sum down.
//!
//! Of the level above only the entries are kept (8,640 bytes a board), so two levels of entries are
//! all that a sweep holds; values go to a [`Sink`] in the order of the rows.

use greenwave_game::{BagBase, BagGame, BagSlides, Cell, Code, Game};
use greenwave_values::rows::{Row, Rows};
use greenwave_values::{Progress, Unit, room};
use rayon::prelude::*;

use super::hands::{HANDS, Hands, PAIRS, STATES};
use super::kernel::{BagTables, BoardOdds, Entries, RaiseResult, better, turned};
use crate::SolveError;

/// Rows that one thread settles in one go.
const TASK: usize = 16;
/// Tasks between two visits to the sink.
const BATCH: usize = 128;

/// Where values go.
pub(crate) trait Sink {
    /// The values of consecutive rows of a level: for each row one [`BoardOdds`] per flag.
    fn rows(&mut self, number: u64, rows: &[Row], values: &[BoardOdds]) -> Result<(), SolveError>;

    /// A level is complete; its entries are what the next lower level needs.
    fn level_done(&mut self, level: usize, entries: &[Entries]) -> Result<(), SolveError>;

    /// The sweep is stopped; that is the last level that is complete.
    fn interrupted(&mut self, _level: usize, _entries: &[Entries]) -> Result<(), SolveError> {
        Ok(())
    }
}

/// Entries of the level above the one at which a sweep begins.
pub(crate) struct Resume {
    pub(crate) next_level: usize,
    pub(crate) entries: Vec<Entries>,
}

impl Resume {
    /// Nothing is done yet.
    pub(crate) fn from_the_top(rows: &Rows) -> Resume {
        Resume {
            next_level: rows.levels(),
            entries: Vec::new(),
        }
    }
}

pub(crate) struct BagSweep<'a, B> {
    game: &'a BagGame<B>,
    rows: &'a Rows,
    kernel: BagTables,
    flags: usize,
}

impl<'a, B: BagBase> BagSweep<'a, B> {
    pub(crate) fn new(game: &'a BagGame<B>, rows: &'a Rows) -> BagSweep<'a, B> {
        BagSweep {
            game,
            rows,
            kernel: BagTables::new(game.cells() as u32, *game.bag()),
            flags: game.flags(),
        }
    }

    /// Entries that a board has.
    pub(crate) fn variants(&self) -> usize {
        self.kernel.variants()
    }

    /// Runs all levels below `resume.next_level`.
    pub(crate) fn run(
        &self,
        resume: Resume,
        sink: &mut dyn Sink,
        progress: &dyn Progress,
    ) -> Result<(), SolveError> {
        let Resume {
            next_level,
            entries: mut above,
        } = resume;
        let done = self.rows.rows()
            - (0..next_level)
                .map(|level| self.rows.level(level).len() as u64)
                .sum::<u64>();
        let states = (self.flags * STATES) as u64;
        let name = self.game.rules().title();
        progress.begin(
            &format!("solving {name} for odds"),
            self.rows.rows() * states,
            Unit::Positions,
        );
        progress.advance(done * states);
        for level in (0..next_level).rev() {
            let rows = self.rows.level(level);
            let mut entries = room::reserved(rows.len() * self.kernel.variants())?;
            let mut first = 0;
            for batch in batches(rows) {
                if progress.cancelled() {
                    sink.interrupted(level + 1, &above)?;
                    return Err(SolveError::Interrupted);
                }
                let part = &rows[first..first + batch.iter().sum::<usize>()];
                let from = entries.len();
                entries.resize(from + part.len() * self.kernel.variants(), Entries::ZERO);
                let values = self.batch(part, &batch, &above, &mut entries[from..])?;
                sink.rows(
                    self.rows.first_of_level(level) + first as u64,
                    part,
                    &values,
                )?;
                first += part.len();
                progress.advance(part.len() as u64 * states);
            }
            sink.level_done(level, &entries)?;
            above = entries;
        }
        Ok(())
    }

    fn batch(
        &self,
        rows: &[Row],
        tasks: &[usize],
        above: &[Entries],
        entries: &mut [Entries],
    ) -> Result<Vec<BoardOdds>, SolveError> {
        let mut values = room::filled(BoardOdds::ZERO, rows.len() * self.flags)?;
        let variants = self.kernel.variants();
        let mut work = Vec::with_capacity(tasks.len());
        let (mut rows, mut free, mut out) = (rows, values.as_mut_slice(), entries);
        for size in tasks {
            let (part, rest) = rows.split_at(*size);
            let (mine, others) = std::mem::take(&mut free).split_at_mut(size * self.flags);
            let (to, left) = std::mem::take(&mut out).split_at_mut(size * variants);
            (rows, free, out) = (rest, others, left);
            work.push((part, mine, to));
        }
        work.into_par_iter().for_each(|(rows, values, entries)| {
            let mut at = 0;
            for group in rows.chunk_by(|a, b| a.group == b.group) {
                let part = &mut values[at * self.flags..(at + group.len()) * self.flags];
                self.settle(group, above, part);
                for (row, values) in group.iter().zip(part.chunks(self.flags)) {
                    for held in 0..variants {
                        let out = &mut entries[at * variants + held];
                        // After a play the strip is free.
                        self.kernel.entries(&values[0], row.code, held, out);
                    }
                    at += 1;
                }
            }
        });
        Ok(values)
    }

    // The values of boards that strip moves lead to from each other.
    fn settle(&self, group: &[Row], above: &[Entries], values: &mut [BoardOdds]) {
        let slides = self.flags == 2 && self.game.bag().slides != BagSlides::Never;
        for (row, values) in group.iter().zip(values.chunks_mut(self.flags)) {
            values[0] = self.raises(row.code, above);
            if !slides {
                self.kernel
                    .miss(&mut values[0], self.kernel.fitting(row.code));
            }
            if self.flags == 2 {
                values[1] = values[0].clone();
            }
        }
        if slides {
            self.slides(group, values);
        }
    }

    // The best play of a counter in every state; nothing where none fits.
    fn raises(&self, code: Code, above: &[Entries]) -> BoardOdds {
        let base = self.game.base();
        let variants = self.kernel.variants();
        let mut values = BoardOdds::NONE;
        for cell in (0..self.kernel.cells as u8).map(Cell) {
            let below = code.level(cell);
            if below >= base.levels() {
                continue;
            }
            let to = code.raised(cell);
            let child = match self.rows.place(to) {
                Some(place) => RaiseResult::Board(&above[place * variants..(place + 1) * variants]),
                None => RaiseResult::Line(line_gain(base, to)),
            };
            self.kernel.raise(&mut values, usize::from(below), &child);
        }
        values
    }

    // Adds strip moves and missed turns to values in which only plays count.
    //
    // Where both hands fit, a strip move leads to a position in which a counter must be played.
    // Where one does not, strip moves and missed turns can continue for ever without chance. They
    // form a deterministic game on at most sixteen positions (four sides, two flags, two players to
    // move). Its exits are plays and completed lines, and its endless play is a draw. Its value is
    // that of the game cut off, as a draw, after as many plies as it has positions. A player who
    // can force a better exit can do so within that number of plies.
    fn slides(&self, group: &[Row], values: &mut [BoardOdds]) {
        let fitting = self.kernel.fitting(group[0].code);
        let fits = |hand: usize| self.kernel.hands.levels[hand] & fitting != 0;
        let stuck_only = self.game.bag().slides == BagSlides::Stuck;
        // Where each strip move leads: a member of the group or a completed line.
        let targets: Vec<Vec<Result<usize, f64>>> = group
            .iter()
            .map(|row| {
                let to = |code: Code| {
                    let code = self.rows.canonical(code);
                    let member = group.iter().position(|row| row.code == code);
                    member.ok_or_else(|| line_gain(self.game.base(), code))
                };
                self.rows
                    .slides()
                    .iter()
                    .map(|slide| to(slide.apply(row.code)))
                    .collect()
            })
            .collect();
        let plays: Vec<BoardOdds> = values.iter().step_by(2).cloned().collect();
        // Both hands fit: values[1], with the strip barred, are the plays already.
        for own in (0..HANDS).filter(|own| fits(*own) && !stuck_only) {
            for (at, targets) in targets.iter().enumerate() {
                for target in targets {
                    for other in (0..HANDS).filter(|other| fits(*other)) {
                        for market in 0..PAIRS {
                            let state = Hands::at(own, market, other);
                            let moved = match target {
                                Ok(to) => turned(plays[*to].get(Hands::at(other, market, own))),
                                Err(gain) => [*gain, 1.0, 0.0],
                            };
                            let best = better(values[2 * at].get(state), moved);
                            values[2 * at].set(state, best);
                        }
                    }
                }
            }
        }
        for own in 0..HANDS {
            for other in (0..=own).filter(|other| !(fits(own) && fits(*other))) {
                for market in 0..PAIRS {
                    let pair = [Hands::at(own, market, other), Hands::at(other, market, own)];
                    let cycle = Cycle {
                        targets: &targets,
                        plays: plays
                            .iter()
                            .map(|plays| pair.map(|at| plays.get(at)))
                            .collect(),
                        fits: [fits(own), fits(other)],
                        slides: [own, other].map(|hand| !stuck_only || !fits(hand)),
                    };
                    for (member, [free, barred]) in cycle.solve().into_iter().enumerate() {
                        for side in 0..2 {
                            values[2 * member].set(pair[side], free[side]);
                            values[2 * member + 1].set(pair[side], barred[side]);
                        }
                    }
                }
            }
        }
    }
}

/// The positions that strip moves and missed turns connect, for one pair of hands and a market.
/// Entry `[0]` is the first player's view with the first player to move, `[1]` the second's.
struct Cycle<'a> {
    // By board, then strip move: a board, or what the line that it completes is worth.
    targets: &'a [Vec<Result<usize, f64>>],
    // By board: the best play.
    plays: Vec<[[f64; 3]; 2]>,
    fits: [bool; 2],
    slides: [bool; 2],
}

impl Cycle<'_> {
    // By board: free and barred, by player to move.
    fn solve(&self) -> Vec<[[[f64; 3]; 2]; 2]> {
        let boards = self.plays.len();
        let mut now = vec![[[[0.0; 3]; 2]; 2]; boards];
        for _ in 0..=4 * boards {
            let next: Vec<_> = (0..boards)
                .map(|board| {
                    [false, true]
                        .map(|barred| [0, 1].map(|side| self.step(&now, board, barred, side)))
                })
                .collect();
            if next == now {
                break;
            }
            now = next;
        }
        now
    }

    fn step(
        &self,
        now: &[[[[f64; 3]; 2]; 2]],
        board: usize,
        barred: bool,
        side: usize,
    ) -> [f64; 3] {
        let mut best = [f64::NEG_INFINITY, 0.0, 0.0];
        if self.fits[side] {
            best = self.plays[board][side];
        }
        if self.slides[side] && !barred {
            for target in &self.targets[board] {
                best = better(
                    best,
                    match target {
                        Ok(to) => turned(now[*to][1][1 - side]),
                        Err(gain) => [*gain, 1.0, 0.0],
                    },
                );
            }
        }
        if !self.fits[side] {
            best = better(best, turned(now[board][0][1 - side]));
        }
        best
    }
}

// The value of the completed lines of a board for the player who completes them.
fn line_gain<B: BagBase>(base: &B, code: Code) -> f64 {
    match base.code_ending(code) {
        Some(ending) if base.scores() => -f64::from(ending.points),
        _ => 1.0,
    }
}

// Sizes of tasks, batch by batch; no group is cut.
fn batches(rows: &[Row]) -> Vec<Vec<usize>> {
    let mut tasks: Vec<usize> = Vec::new();
    let mut open = 0;
    for group in rows.chunk_by(|a, b| a.group == b.group) {
        open += group.len();
        if open >= TASK {
            tasks.push(open);
            open = 0;
        }
    }
    if open > 0 {
        tasks.push(open);
    }
    tasks.chunks(BATCH).map(<[usize]>::to_vec).collect()
}
