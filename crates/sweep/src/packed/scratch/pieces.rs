//! The pieces of a wave, as they are written, each with a checkpoint.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError};

use greenwave_table::Hash32;

use super::stored::{Bin, StoredWave, list_name, piece_name, write_list};
use crate::SolveError;
use crate::checkpoint::{Checkpoint, PartDigest, PartWriter};
use crate::packed::counts::FamilyCounts;
use crate::packed::waves::Totals;

/// A bin that was made, as it is written.
pub(super) struct NewBin {
    pub(super) name: u64,
    pub(super) families: u64,
    pub(super) data: Vec<u8>,
}

/// The tasks of the writer, for each piece in this order.
pub(super) enum WriterTask {
    Begin(PartWriter),
    Bins(Vec<NewBin>),
    End,
}

/// A piece that is on disk.
pub(super) type PieceOnDisk = (PartDigest, Vec<Bin>);

/// The content of a checkpoint, when a piece or a whole wave is on disk.
pub(in crate::packed) struct PieceCheckpoint<'c> {
    /// The bins of the wave at work so far.
    pub(in crate::packed) here: &'c StoredWave,
    pub(in crate::packed) totals: Totals,
    /// With the code grain, of all waves so far and of these bins.
    pub(in crate::packed) counts: FamilyCounts,
    /// Whether these are all bins of the wave.
    pub(in crate::packed) whole: bool,
    /// The parts that are wanted from now on.
    pub(in crate::packed) parts: Vec<(String, PartDigest)>,
}

/// Makes a checkpoint.
pub(super) type Commit<'c> =
    dyn FnMut(&mut Checkpoint, PieceCheckpoint<'_>) -> Result<(), SolveError> + 'c;

// A piece whose bins were all given to the writer.
struct PieceEnd {
    piece: usize,
    totals: Totals,
    counts: FamilyCounts,
    // The name of the next bin; none where there is no further.
    next: Option<u64>,
}

/// The pieces of a wave at work.
pub(super) struct Pieces<'p, 'c> {
    checkpoint: &'p mut Checkpoint,
    above: &'p StoredWave,
    here: StoredWave,
    commit: &'p mut Commit<'c>,
    put: SyncSender<WriterTask>,
    told: Receiver<PieceOnDisk>,
    // Those of `here`.
    parts: BTreeMap<String, PartDigest>,
    // The number of the piece that has begun, or of the next one.
    number: usize,
    bytes: Option<u64>,
    ended: Option<PieceEnd>,
}

impl<'p, 'c> Pieces<'p, 'c> {
    /// Goes on after the bins that there are.
    pub(super) fn new(
        checkpoint: &'p mut Checkpoint,
        above: &'p StoredWave,
        here: StoredWave,
        commit: &'p mut Commit<'c>,
        put: SyncSender<WriterTask>,
        told: Receiver<PieceOnDisk>,
    ) -> Pieces<'p, 'c> {
        let number = here.next_piece();
        let own =
            (0..number).flat_map(|piece| [piece_name(here.sum, piece), list_name(here.sum, piece)]);
        let parts = checkpoint.parts();
        let parts = own.filter_map(|name| Some((parts.get(&name).copied()?, name)));
        let parts = parts.map(|(record, name)| (name, record)).collect();
        Pieces {
            checkpoint,
            above,
            here,
            commit,
            put,
            told,
            parts,
            number,
            bytes: None,
            ended: None,
        }
    }

    /// Bytes of the piece that has begun.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes.unwrap_or_default()
    }

    /// Has bins written.
    pub(super) fn add(&mut self, bins: Vec<NewBin>) -> Result<(), SolveError> {
        match self.told.try_recv() {
            Ok(piece) => self.commit(piece)?,
            Err(TryRecvError::Empty | TryRecvError::Disconnected) => {}
        }
        if self.bytes.is_none() {
            let name = piece_name(self.here.sum, self.number);
            let part = self.checkpoint.write_beside(&name)?;
            self.order(WriterTask::Begin(part))?;
        }
        let bytes: usize = bins.iter().map(|bin| bin.data.len()).sum();
        self.bytes = Some(self.bytes() + bytes as u64);
        self.order(WriterTask::Bins(bins))
    }

    /// Ends a piece, after the checkpoint of the one before it. It comes to a checkpoint of its own when
    /// it is on disk.
    pub(super) fn end(
        &mut self,
        totals: Totals,
        counts: FamilyCounts,
        next: Option<u64>,
    ) -> Result<(), SolveError> {
        self.commit_ended()?;
        let ended = PieceEnd {
            piece: self.number,
            totals,
            counts,
            next,
        };
        if self.bytes.take().is_none() {
            // Of a wave without families.
            return self.commit_with(ended);
        }
        self.number += 1;
        self.ended = Some(ended);
        self.order(WriterTask::End)
    }

    /// Waits until the piece that was ended is on disk, and makes its checkpoint.
    pub(super) fn commit_ended(&mut self) -> Result<(), SolveError> {
        if self.ended.is_none() {
            return Ok(());
        }
        // The writer reports its error with its result.
        let piece = self.told.recv().map_err(|_| SolveError::Interrupted)?;
        self.commit(piece)
    }

    /// The bins that are on disk.
    pub(super) fn finish(self) -> StoredWave {
        self.here
    }

    fn order(&self, order: WriterTask) -> Result<(), SolveError> {
        self.put.send(order).map_err(|_| SolveError::Interrupted)
    }

    fn commit(&mut self, (record, bins): PieceOnDisk) -> Result<(), SolveError> {
        let Some(ended) = self.ended.take() else {
            return Ok(());
        };
        let (sum, piece) = (self.here.sum, ended.piece);
        let mut list = self.checkpoint.write(&list_name(sum, piece))?;
        write_list(&mut list, &bins)?;
        self.parts.insert(list_name(sum, piece), list.finish()?);
        self.parts.insert(piece_name(sum, piece), record);
        let bins = bins.into_iter().map(|bin| Bin { piece, ..bin });
        self.here.bins.extend(bins);
        self.commit_with(ended)
    }

    fn commit_with(&mut self, ended: PieceEnd) -> Result<(), SolveError> {
        let mut parts = self.parts.clone();
        if let Some(next) = ended.next {
            // All that there is of the wave above but for what has become useless.
            let sum = self.above.sum;
            let gone = self.above.pieces_below(next);
            let gone = gone.flat_map(|piece| [piece_name(sum, piece), list_name(sum, piece)]);
            let gone: Vec<String> = gone.collect();
            let listed = self.checkpoint.parts().iter();
            let kept = listed.filter(|(name, _)| !gone.contains(name));
            parts.extend(kept.map(|(name, record)| (name.clone(), *record)));
        }
        let committed = PieceCheckpoint {
            here: &self.here,
            totals: ended.totals,
            counts: ended.counts,
            whole: ended.next.is_none(),
            parts: parts.into_iter().collect(),
        };
        (self.commit)(self.checkpoint, committed)
    }
}

/// Writes pieces, and tells of each when it is on disk.
pub(super) fn write_all(
    orders: &Receiver<WriterTask>,
    tell: &SyncSender<PieceOnDisk>,
) -> Result<(), SolveError> {
    let mut open: Option<(PartWriter, Vec<Bin>, u64)> = None;
    for order in orders {
        match order {
            WriterTask::Begin(part) => open = Some((part, Vec::new(), 0)),
            WriterTask::Bins(new) => {
                let Some((part, bins, offset)) = &mut open else {
                    continue;
                };
                for NewBin {
                    name,
                    families,
                    data,
                } in new
                {
                    part.put(&data)?;
                    bins.push(Bin {
                        name,
                        families,
                        bytes: data.len() as u64,
                        piece: 0,
                        offset: *offset,
                        hash: Hash32::of(&data),
                    });
                    *offset += data.len() as u64;
                }
            }
            WriterTask::End => {
                let Some((part, bins, _)) = open.take() else {
                    continue;
                };
                if tell.send((part.finish()?, bins)).is_err() {
                    return Ok(());
                }
            }
        }
    }
    Ok(())
}
