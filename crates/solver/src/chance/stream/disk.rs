//! Levels and checkpoints, written while values come by.

use greenwave_game::{BagBase, BagGame, Dense};
use greenwave_values::rows::{Row, Rows};
use greenwave_values::{Progress, room};
use rayon::prelude::*;

use super::super::hands::{Hands, STATES};
use super::super::kernel::{BoardOdds, Entries, Triple};
use super::super::store::SignCounter;
use super::super::sweep::Resume;
use crate::SolveError;
use greenwave_sweep::checkpoint::{Checkpoint, PartDigest, PartWriter};

/// Writes levels and checkpoints while values come by.
pub(super) struct Disk<'a> {
    parts: usize,
    positions: u128,
    pub(super) rows: &'a Rows,
    pub(super) checkpoint: Checkpoint,
    // Whether the packed numbers are kept for a table.
    packs: bool,
    progress: &'a dyn Progress,
    pub(super) level: Option<PartWriter>,
    // When the last level was done.
    counts: [u64; 3],
}

/// The parts of a row's states as they are stored.
pub(super) fn part(values: &BoardOdds, part: usize) -> &[f64; STATES] {
    [&values.expectation, &values.win, &values.loss][part]
}

pub(super) fn level_name(level: usize) -> String {
    format!("level-{level:03}")
}

fn entries_name(level: usize) -> String {
    format!("entries-{level:03}")
}

impl<'a> Disk<'a> {
    pub(super) fn new<B: BagBase>(
        game: &BagGame<B>,
        rows: &'a Rows,
        checkpoint: Checkpoint,
        packs: bool,
        progress: &'a dyn Progress,
    ) -> Disk<'a> {
        Disk {
            parts: game.parts(),
            positions: game.indexable(),
            rows,
            checkpoint,
            packs,
            progress,
            level: None,
            counts: [0; 3],
        }
    }

    /// What a checkpoint left to do; sets the counts so far.
    pub(super) fn resume(
        &mut self,
        variants: usize,
        counter: &mut SignCounter,
    ) -> Result<Resume, SolveError> {
        let Some(numbers) = self.checkpoint.resume(self.progress)? else {
            return Ok(Resume::from_the_top(self.rows));
        };
        let level = numbers.get("level").and_then(|level| level.first());
        let counts = numbers
            .get("counts")
            .and_then(|counts| <&[u64; 3]>::try_from(counts.as_slice()).ok());
        let (Some(level), Some(counts)) = (level, counts) else {
            return Err(self.checkpoint.refuse("says of no level that it is done"));
        };
        let counted = counts.iter().copied().try_fold(0_u64, u64::checked_add);
        if counted.is_none_or(|counted| u128::from(counted) > self.positions) {
            return Err(self
                .checkpoint
                .refuse("is damaged: it counts more positions than there can be"));
        }
        let level = usize::try_from(*level).unwrap_or(usize::MAX);
        let mut needed = level..self.rows.levels();
        let mut lacks = |level| self.packs && !self.checkpoint.keep_listed(&level_name(level));
        if needed.is_empty() || needed.any(&mut lacks) {
            return Err(self.checkpoint.refuse("is damaged: it lacks levels"));
        }
        (counter.counts, self.counts) = (*counts, *counts);
        let count = self.rows.level(level).len() * variants;
        Ok(Resume {
            next_level: level,
            entries: self.read_entries(level, count)?,
        })
    }

    fn read_entries(&self, level: usize, count: usize) -> Result<Vec<Entries>, SolveError> {
        let mut file = self.checkpoint.read(&entries_name(level))?;
        if file.bytes() != (count * size_of::<Entries>()) as u64 {
            return Err(file.damaged("found entries of another number of boards"));
        }
        let mut list = room::reserved(count)?;
        for _ in 0..count {
            let mut entry = Triple::ZERO;
            for numbers in [&mut entry.expectation, &mut entry.win, &mut entry.loss] {
                for number in numbers.iter_mut() {
                    *number = f64::from_le_bytes(file.take()?);
                }
            }
            list.push(entry);
        }
        file.finish()?;
        let is_number = |entry: &Entries| {
            let all = [&entry.expectation, &entry.win, &entry.loss];
            all.iter()
                .all(|numbers| numbers.iter().all(|number| (*number as f32).is_finite()))
        };
        if !list.par_iter().all(is_number) {
            return Err(self
                .checkpoint
                .refuse("is damaged: it has odds that are no numbers"));
        }
        Ok(list)
    }

    pub(super) fn rows(&mut self, rows: &[Row], values: &[BoardOdds]) -> Result<(), SolveError> {
        let Some(first) = rows.first().filter(|_| self.packs) else {
            return Ok(());
        };
        let flags = values.len() / rows.len();
        let bytes: Vec<Vec<u8>> = rows
            .par_iter()
            .zip(values.par_chunks(flags))
            .map(|(row, values)| self.packed_bytes(*row, values))
            .collect();
        let file = match &mut self.level {
            Some(file) => file,
            None => {
                let level = first.code.level_sum() as usize;
                self.level
                    .insert(self.checkpoint.write(&level_name(level))?)
            }
        };
        bytes.iter().try_for_each(|bytes| file.put(bytes))
    }

    // The packed numbers of a row, plane by plane.
    fn packed_bytes(&self, row: Row, values: &[BoardOdds]) -> Vec<u8> {
        let packed = self.rows.packed(row.code);
        let mut bytes = Vec::with_capacity(values.len() * self.parts * STATES * 4);
        for values in values {
            for number in 0..self.parts {
                let numbers = part(values, number);
                for state in (0..STATES).filter(|state| packed[*state]) {
                    let number = numbers[Hands::place(state)] as f32;
                    bytes.extend_from_slice(&number.to_le_bytes());
                }
            }
        }
        bytes
    }

    pub(super) fn level_done(
        &mut self,
        level: usize,
        entries: &[Entries],
        counts: [u64; 3],
    ) -> Result<(), SolveError> {
        self.counts = counts;
        if self.packs {
            let file = match self.level.take() {
                Some(file) => file,
                None => self.checkpoint.write(&level_name(level))?,
            };
            self.checkpoint.keep(&level_name(level), file.finish()?);
        }
        // The levels below 1 are a board each: quicker solved than read.
        let last = level == 1 && self.packs && self.checkpoint.is_worth_keeping();
        if last || (level > 1 && self.checkpoint.due()) {
            let written = self.save(level, entries);
            self.checkpoint.tried(written, self.progress);
        }
        Ok(())
    }

    // Makes a checkpoint of a level that is done.
    pub(super) fn save(&mut self, level: usize, entries: &[Entries]) -> Result<(), SolveError> {
        let name = entries_name(level);
        if self.checkpoint.lists(&name) {
            return Ok(());
        }
        let record = self.write_entries(&name, entries)?;
        let numbers: [(&str, &[u64]); 2] = [("level", &[level as u64]), ("counts", &self.counts)];
        self.checkpoint.commit(&numbers, &[(name, record)])
    }

    fn write_entries(&mut self, name: &str, entries: &[Entries]) -> Result<PartDigest, SolveError> {
        let mut file = self.checkpoint.write(name)?;
        for entry in entries {
            for numbers in [&entry.expectation, &entry.win, &entry.loss] {
                file.put_all(numbers.iter().map(|number| number.to_le_bytes()))?;
            }
        }
        file.finish()
    }
}
