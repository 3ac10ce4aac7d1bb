//! From a sweep to a table on disk, level by level, with checkpoints.
//!
//! While the sweep runs, each level's packed numbers go to a file of their own in a folder beside
//! the table. From time to time the entries that the next level needs are written as well; the file
//! `state` then says how far things are, and a later run continues from there. When all levels are
//! there they are put together to the table and the folder is removed. A solve without a table
//! keeps no levels. A failed write of a checkpoint does not stop the solve; a failed write of a
//! level that the table needs does.
//!
//! ```text
//! odds.checkpoint/   see the module `checkpoint`; the state tells level and counts
//!   level-NNN        f32 little-endian: the packed numbers of the level's rows, row by row
//!   entries-NNN      f64 little-endian: the entries of the level
//! ```

mod disk;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use greenwave_game::{BagBase, BagGame, Code, Dense, Game, Metric};
use greenwave_table::{
    EncodedFrame, Hash32, IndexScheme, Layout, Leaf, Meta, SignatureBuilder, Summary, TableWriter,
    encode_frame, leaf_hash,
};
use greenwave_values::rows::{Packer, Row, Rows, layout};
use greenwave_values::{Instant, OddsValues, Progress, TableReport, Unit};
use rayon::prelude::*;

use super::hands::{Hands, STATES};
use super::kernel::{BoardOdds, Entries};
use super::store::{RowStore, SignCounter};
use super::sweep::{BagSweep, Resume, Sink};
use crate::{Product, SolveError, TaskResult};
use greenwave_sweep::checkpoint::Checkpoint;

use disk::{Disk, level_name, part};

/// Solves a bag game and keeps of the values what is wanted; holds two levels of entries in memory.
/// A table needs a folder for its checkpoint; where none is named it is beside the table.
///
/// # Errors
/// When memory cannot be had, a file that the table needs cannot be written or read, and when the
/// work is cancelled ([`SolveError::Paused`] where a checkpoint was left). If a checkpoint cannot
/// be written, `progress` gets the error, and the next attempt comes after the same time as another
/// checkpoint, `every`.
pub(super) fn stream<B: BagBase>(
    game: &BagGame<B>,
    wanted: &Product,
    checkpoint: Option<&Path>,
    every: Duration,
    progress: &dyn Progress,
) -> Result<TaskResult, SolveError> {
    let begun = Instant::now();
    let rows = Arc::new(Rows::new(game.row_space()));
    let sweep = BagSweep::new(game, &rows);
    let mut counter = SignCounter::new(&rows, game.flags());
    // The empty board, whose odds give the value of the start.
    let start = rows.number(Code::EMPTY).into_iter().collect();
    let mut keeper = RowStore::new(
        OddsValues::new(Arc::clone(&rows)),
        game.flags(),
        Some(start),
    );
    let layout = layout(&rows)?;
    let table = match wanted {
        Product::Table(path) => Some(path.as_path()),
        Product::Counts | Product::Signature => None,
    };
    let beside = table.map(|path| path.with_extension("checkpoint"));
    let folder = checkpoint.or(beside.as_deref());
    let mut signer = (*wanted == Product::Signature).then(|| Signer::new(game, &rows, &layout));
    let mut disk = match folder {
        // The leaves that a signature is made of are not in a checkpoint.
        Some(folder) if signer.is_none() => {
            let packs = table.is_some();
            let owner = format!(
                "boards odds {} of rules {}",
                if packs { "with levels" } else { "counts alone" },
                game.rules().hash
            );
            let checkpoint = Checkpoint::open(folder, owner, packs, every)?;
            Some(Disk::new(game, &rows, checkpoint, packs, progress))
        }
        _ => None,
    };
    let resume = match &mut disk {
        Some(disk) => disk.resume(sweep.variants(), &mut counter)?,
        None => Resume::from_the_top(&rows),
    };
    let mut sinks = Sinks {
        counter: &mut counter,
        keeper: &mut keeper,
        signer: signer.as_mut(),
        disk: disk.as_mut(),
    };
    let run = sweep.run(resume, &mut sinks, progress);
    let checkpoint = disk.map(|disk| disk.checkpoint);
    if let Err(error) = run {
        return Err(match checkpoint {
            Some(checkpoint) => checkpoint.ended(error),
            None => error,
        });
    }
    let seconds = begun.elapsed().as_secs_f64();
    let summary = counter.summary(super::start_odds(game, &keeper.finish()));
    let table = match (table, &checkpoint) {
        (Some(path), Some(checkpoint)) => {
            let put = assemble(game, &rows, &layout, &summary, checkpoint, path, progress);
            Some(put.map_err(|error| checkpoint.ended(error))?)
        }
        _ => None,
    };
    if let Some(checkpoint) = checkpoint {
        checkpoint.finish();
    }
    let signature = match signer {
        Some(signer) => Some(signer.finish()?),
        None => table.as_ref().map(|report| report.signature),
    };
    Ok(TaskResult {
        summary,
        positions: game.indexable(),
        signature,
        table,
        kernel: "boards",
        seconds,
    })
}

/// Everything that looks at values while they come by.
struct Sinks<'s, 'a> {
    counter: &'s mut SignCounter,
    keeper: &'s mut RowStore,
    signer: Option<&'s mut Signer<'a>>,
    disk: Option<&'s mut Disk<'a>>,
}

impl Sink for Sinks<'_, '_> {
    fn rows(&mut self, number: u64, rows: &[Row], values: &[BoardOdds]) -> Result<(), SolveError> {
        self.counter.rows(rows, values);
        self.keeper.rows(number, rows, values)?;
        if let Some(signer) = &mut self.signer {
            signer.rows(rows, values)?;
        }
        if let Some(disk) = &mut self.disk {
            disk.rows(rows, values)?;
        }
        Ok(())
    }

    fn level_done(&mut self, level: usize, entries: &[Entries]) -> Result<(), SolveError> {
        match &mut self.disk {
            Some(disk) => disk.level_done(level, entries, self.counter.counts),
            None => Ok(()),
        }
    }

    fn interrupted(&mut self, level: usize, entries: &[Entries]) -> Result<(), SolveError> {
        match &mut self.disk {
            Some(disk) if level < disk.rows.levels() => {
                disk.level = None;
                disk.save(level, entries)
            }
            _ => Ok(()),
        }
    }
}

/// Works out the signature while values come by.
struct Signer<'a> {
    rows: &'a Rows,
    flags: usize,
    parts: usize,
    packer: Option<Packer<LeafSigner>>,
    done: std::sync::mpsc::Receiver<(u64, Leaf)>,
    builder: SignatureBuilder,
}

type LeafSigner = Box<dyn FnMut(u64, Leaf) -> Result<(), SolveError>>;

impl<'a> Signer<'a> {
    fn new<B: BagBase>(game: &BagGame<B>, rows: &'a Rows, layout: &Layout) -> Signer<'a> {
        let (send, done) = std::sync::mpsc::channel();
        let finished: LeafSigner = Box::new(move |number, leaf| {
            // The receiver lives as long as the packer.
            let _ = send.send((number, leaf));
            Ok(())
        });
        Signer {
            rows,
            flags: game.flags(),
            parts: game.parts(),
            packer: Some(Packer::new(finished)),
            done,
            builder: SignatureBuilder::new(layout, &Hash32(game.rules().hash.0)),
        }
    }

    fn sign(&mut self) {
        let leaves: Vec<(u64, Leaf)> = self
            .done
            .try_iter()
            .filter(|(_, leaf)| leaf.count > 0)
            .collect();
        let hashes: Vec<(u64, Hash32)> = leaves
            .par_iter()
            .map(|(number, leaf)| (*number, leaf_hash(*number, leaf)))
            .collect();
        hashes
            .iter()
            .for_each(|(number, hash)| self.builder.push(*number, hash));
    }

    fn finish(mut self) -> Result<Hash32, SolveError> {
        if let Some(packer) = self.packer.take() {
            packer.finish()?;
        }
        self.sign();
        Ok(self.builder.finish())
    }
}

impl Signer<'_> {
    fn rows(&mut self, rows: &[Row], values: &[BoardOdds]) -> Result<(), SolveError> {
        if let Some(packer) = &mut self.packer {
            for (row, values) in rows.iter().zip(values.chunks(self.flags)) {
                let packed = self.rows.packed(row.code);
                for values in values {
                    for number in 0..self.parts {
                        let numbers = part(values, number);
                        packer.plane(&packed, |state| Ok(numbers[Hands::place(state)] as f32))?;
                    }
                }
            }
        }
        self.sign();
        Ok(())
    }
}

// Puts the levels together to a table.
fn assemble<B: BagBase>(
    game: &BagGame<B>,
    rows: &Rows,
    layout: &Layout,
    summary: &Summary,
    checkpoint: &Checkpoint,
    path: &Path,
    progress: &dyn Progress,
) -> Result<TableReport, SolveError> {
    let rules = game.rules();
    let planes = game.flags() * game.parts();
    progress.begin(
        &format!("writing {} for odds", rules.title()),
        rows.rows() * (game.flags() * STATES) as u64,
        Unit::Positions,
    );
    let mut writer = TableWriter::create(path, layout.clone(), Hash32(rules.hash.0))?;
    let mut frames = FrameEncoder {
        layout,
        leaves: Vec::new(),
        next: 0,
    };
    let mut packer = Packer::new(|_, leaf| frames.leaf(leaf, &mut writer));
    for level in (0..rows.levels()).rev() {
        let mut file = checkpoint.read(&level_name(level))?;
        for (number, row) in rows.level(level).iter().enumerate() {
            if number.is_multiple_of(1024) && progress.cancelled() {
                return Err(SolveError::Interrupted);
            }
            let packed = rows.packed(row.code);
            for _ in 0..planes {
                packer.plane(&packed, |_| match file.take().map(f32::from_le_bytes)? {
                    number if number.is_finite() => Ok(number),
                    _ => Err(file.damaged("has odds that are no numbers")),
                })?;
            }
        }
        file.finish()?;
        progress.advance((rows.level(level).len() * game.flags() * STATES) as u64);
    }
    packer.finish()?;
    frames.flush(&mut writer)?;
    let indexable = layout.indexable;
    let finished = writer.finish(Meta {
        index_scheme: IndexScheme::Rows {
            positions: game.indexable() as u64,
        },
        ..greenwave_values::meta(rules, Metric::Odds.name(), indexable, summary)
    })?;
    Ok(TableReport {
        signature: finished.signature,
        bytes: finished.bytes,
    })
}

/// Gathers leaves into frames and encodes many of those at once.
struct FrameEncoder<'a> {
    layout: &'a Layout,
    leaves: Vec<Leaf>,
    // The frame to which the first gathered leaf belongs.
    next: u64,
}

impl FrameEncoder<'_> {
    const TOGETHER: u64 = 32;

    fn leaf(&mut self, leaf: Leaf, writer: &mut TableWriter) -> Result<(), SolveError> {
        self.leaves.push(leaf);
        let per_frame = 1 << (self.layout.frame_bits - greenwave_table::LEAF_BITS);
        if self.leaves.len() as u64 == FrameEncoder::TOGETHER * per_frame {
            self.flush(writer)?;
        }
        Ok(())
    }

    fn flush(&mut self, writer: &mut TableWriter) -> Result<(), SolveError> {
        let per_frame = 1_usize << (self.layout.frame_bits - greenwave_table::LEAF_BITS);
        let first = self.next;
        let frames: Vec<EncodedFrame> = self
            .leaves
            .par_chunks(per_frame)
            .enumerate()
            .map(|(number, leaves)| encode_frame(self.layout, first + number as u64, leaves))
            .collect();
        self.next += frames.len() as u64;
        self.leaves.clear();
        for frame in frames {
            writer.append(frame)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
