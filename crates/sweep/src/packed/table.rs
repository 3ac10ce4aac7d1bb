//! The table of a sweep: families as they are solved, wave by wave, in the order of the format and not in
//! that of the streams.

use std::path::Path;

use greenwave_game::{BoardGame, Dense, Game, Metric};
use greenwave_table::{
    FamilyWriter, Hash32, IndexScheme, Leaf, MOST_FAMILIES, Meta, Summary, UnfinishedTable,
    encode_families,
};
use greenwave_values::{TableReport, ValuesError, families_layout, meta, room};
use rayon::prelude::*;

use super::blocks::Block;
use super::kernel::{PackedKernel, Routine, StreamReader, family};
use super::layout::SquareLayout;
use super::plan::PackedPlan;
use super::tables::{blocks, each, has};
use super::waves::{PackedSweep, WaveStreams};
use crate::SolveError;
use crate::checkpoint::{Checkpoint, PartDigest};

/// Squares of the largest boards whose tables are cut into leaves by index.
const MOST_LEAFED: usize = 21;

/// Families that are turned into the order of the format at a time.
const BATCH: usize = 32 * MOST_FAMILIES;

/// A table that is being written.
pub(super) struct FamilyTableWriter {
    writer: FamilyWriter,
    scheme: IndexScheme,
    // Of the wave that is being written, too few for a frame.
    pending: Vec<(u64, Leaf)>,
    // Whether a checkpoint counts on what is written.
    counted_on: bool,
}

/// Whether the table of a board in a metric is one of families.
pub fn has_families(game: &BoardGame, metric: Metric) -> bool {
    game.board().shape.cells() > MOST_LEAFED && families_layout(game, metric).is_some()
}

/// How tables number the positions of a board with some layout.
pub(super) fn scheme(layout: &SquareLayout) -> IndexScheme {
    let near = layout.low.iter().chain(&layout.mid);
    IndexScheme::Families {
        near: near.clone().count() as u32,
        squares: near.chain(&layout.far).copied().collect(),
        symmetries: layout.symmetries.clone(),
    }
}

impl FamilyTableWriter {
    /// Begins a table, or continues with that of a checkpoint.
    ///
    /// # Errors
    /// When it cannot be written, and when what the checkpoint counts on is not there.
    pub(super) fn open(
        plan: &PackedPlan<'_>,
        path: &Path,
        checkpoint: Option<&Checkpoint>,
        last: Option<usize>,
    ) -> Result<FamilyTableWriter, SolveError> {
        let unfinished = match (checkpoint, last) {
            (Some(checkpoint), Some(sum)) => Some(unfinished(checkpoint, sum)?),
            _ => None,
        };
        let game = plan.game;
        let layout = families_layout(game, plan.metric).ok_or_else(|| SolveError::NoEngine {
            variant: game.rules().title().to_string(),
        })?;
        let counted_on = unfinished.is_some();
        let hash = Hash32(game.rules().hash.0);
        let writer = FamilyWriter::create(path, layout, hash, unfinished);
        Ok(FamilyTableWriter {
            writer: writer.map_err(ValuesError::from)?,
            scheme: scheme(&plan.layout),
            pending: Vec::new(),
            counted_on,
        })
    }

    /// Appends a wave, which comes as some parts by rising codes.
    ///
    /// # Errors
    /// When it cannot be written, and when a part cannot be had.
    pub(super) fn wave<'w, const G: usize, W: std::borrow::Borrow<WaveStreams> + 'w>(
        &mut self,
        sweep: &PackedSweep<'_, G>,
        sum: usize,
        parts: impl Iterator<Item = Result<W, SolveError>>,
    ) -> Result<(), SolveError> {
        for part in parts {
            let part = part?;
            let wave: &WaveStreams = part.borrow();
            for (codes, places) in wave.codes.chunks(BATCH).zip(wave.places.chunks(BATCH)) {
                self.push(sum, ordered(sweep, wave, codes, places))?;
            }
        }
        self.end_wave(sum)
    }

    /// Appends some families of a wave, by rising codes, of which all were above those before.
    ///
    /// # Errors
    /// When they cannot be written.
    pub(super) fn push(
        &mut self,
        sum: usize,
        families: Vec<(u64, Leaf)>,
    ) -> Result<(), SolveError> {
        self.pending.extend(families);
        let whole = self.pending.len() / MOST_FAMILIES * MOST_FAMILIES;
        let rest = self.pending.split_off(whole);
        let families = std::mem::replace(&mut self.pending, rest);
        self.append(sum, &families)
    }

    /// Appends what is left of a wave.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn end_wave(&mut self, sum: usize) -> Result<(), SolveError> {
        let rest = std::mem::take(&mut self.pending);
        self.append(sum, &rest)
    }

    fn append(&mut self, sum: usize, families: &[(u64, Leaf)]) -> Result<(), SolveError> {
        let layout = self.writer.layout();
        let frames = families.par_chunks(MOST_FAMILIES);
        let frames: Vec<_> = frames.map(|some| encode_families(layout, some)).collect();
        for frame in &frames {
            self.writer
                .append(sum as u32, frame)
                .map_err(ValuesError::from)?;
        }
        Ok(())
    }

    /// Writes a part of a checkpoint that says how far the table is, after the wave of some sum.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn part(
        &mut self,
        checkpoint: &mut Checkpoint,
        sum: usize,
    ) -> Result<(String, PartDigest), SolveError> {
        let unfinished = self.writer.unfinished().map_err(ValuesError::from)?;
        let name = part_name(sum);
        let mut part = checkpoint.write(&name)?;
        part.put(&unfinished.to_bytes())?;
        let record = part.finish()?;
        self.counted_on = true;
        Ok((name, record))
    }

    /// Leaves the file to the solve that resumes from a checkpoint, if there is one.
    pub(super) fn leave(self) {
        if self.counted_on {
            self.writer.keep();
        }
    }

    /// Completes the table.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn finish(
        self,
        plan: &PackedPlan<'_>,
        summary: &Summary,
    ) -> Result<TableReport, SolveError> {
        let metric: Metric = plan.metric;
        let indexable = u64::try_from(plan.game.indexable()).unwrap_or(u64::MAX);
        let finished = self.writer.finish(Meta {
            index_scheme: self.scheme,
            ..meta(plan.game.rules(), metric.name(), indexable, summary)
        });
        let finished = finished.map_err(ValuesError::from)?;
        Ok(TableReport {
            signature: finished.signature,
            bytes: finished.bytes,
        })
    }
}

fn part_name(sum: usize) -> String {
    format!("table-{sum:03}")
}

fn unfinished(checkpoint: &Checkpoint, sum: usize) -> Result<UnfinishedTable, SolveError> {
    let mut part = checkpoint.read(&part_name(sum))?;
    let mut bytes = room::filled(0, part.bytes() as usize)?;
    part.fill(&mut bytes)?;
    let unfinished = UnfinishedTable::from_bytes(&bytes);
    let unfinished = unfinished.ok_or_else(|| part.damaged("does not say how far the table is"))?;
    part.finish()?;
    Ok(unfinished)
}

/// Families of a wave in the order of the format, those that have undecided positions.
pub(super) fn ordered<const G: usize>(
    sweep: &PackedSweep<'_, G>,
    wave: &WaveStreams,
    codes: &[u64],
    places: &[u64],
) -> Vec<(u64, Leaf)> {
    let tasks = codes.par_chunks(MOST_FAMILIES);
    let tasks = tasks.zip(places.par_chunks(MOST_FAMILIES));
    let ordered = tasks.map(|(codes, places)| {
        sweep.loops.run(TableOrder {
            sweep,
            wave,
            codes,
            places,
        })
    });
    let ordered: Vec<Vec<(u64, Leaf)>> = ordered.collect();
    ordered.into_iter().flatten().collect()
}

// The families of a task in the order of the format.
struct TableOrder<'a, const G: usize> {
    sweep: &'a PackedSweep<'a, G>,
    wave: &'a WaveStreams,
    codes: &'a [u64],
    places: &'a [u64],
}

impl<const G: usize> Routine<G> for TableOrder<'_, G> {
    type Output = Vec<(u64, Leaf)>;

    #[inline(always)]
    fn run<K: PackedKernel<G>>(self) -> Vec<(u64, Leaf)> {
        let TableOrder { sweep, wave, .. } = self;
        let (tables, grain) = (sweep.tables, sweep.grain);
        let mut lost = vec![Block::EMPTY; blocks::<G>()];
        let mut families = Vec::with_capacity(self.codes.len());
        for (code, place) in self.codes.iter().zip(self.places) {
            let (open, quiet) = family::<G, K>(tables, *code);
            let mut reader = StreamReader::new(sweep.stream(wave, *place));
            each(quiet, |rank| {
                lost[rank] = K::block(&mut reader, grain, rank, &open.and(&tables.mixed[rank]));
            });
            let mut bits = BitBuffer::default();
            for rank in &tables.ranks {
                let rank = usize::from(*rank);
                if !has(&quiet, rank) {
                    continue;
                }
                let open = open.and(&tables.mixed[rank]);
                for (open, lost) in open.0.iter().zip(&lost[rank].0) {
                    bits.push(K::extract(*lost, *open), open.count_ones());
                }
            }
            let family = bits.finish();
            // Quiet blocks may be decided by far and middle squares together.
            if family.count > 0 {
                families.push((*code, family));
            }
        }
        families
    }
}

// Bits one after another, the lowest of each byte first.
#[derive(Default)]
struct BitBuffer {
    payload: Vec<u8>,
    count: u32,
    pending: u128,
}

impl BitBuffer {
    #[inline(always)]
    fn push(&mut self, bits: u64, count: u32) {
        self.pending |= u128::from(bits) << (self.count % 64);
        let before = self.count / 64;
        self.count += count;
        if self.count / 64 != before {
            self.payload
                .extend_from_slice(&(self.pending as u64).to_le_bytes());
            self.pending >>= 64;
        }
    }

    #[inline(always)]
    fn finish(mut self) -> Leaf {
        let rest = (self.count % 64).div_ceil(8) as usize;
        self.payload
            .extend_from_slice(&(self.pending as u64).to_le_bytes()[..rest]);
        Leaf {
            count: self.count,
            payload: self.payload,
        }
    }
}

#[cfg(test)]
mod tests;
