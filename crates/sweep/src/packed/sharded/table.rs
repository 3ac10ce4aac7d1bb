//! The table of a sweep by several ranks. Each turns its families into the order of the format; the first
//! rank puts those of all together by rising codes, so the file is the one that a single machine writes.

use greenwave_table::{Leaf, Summary};
use greenwave_values::TableReport;

use super::exchange::{Exchange, gather};
use super::rank::RankRun;
use crate::SolveError;
use crate::packed::plan::PackedPlan;
use crate::packed::table::{FamilyTableWriter, ordered};
use crate::packed::waves::{PackedSweep, WaveStreams};

/// Families that are on their way to the first rank at a time, of all ranks together.
const ROUND: usize = 1 << 13;

/// A table that ranks make together.
pub(super) struct SharedTable(
    // The first rank's.
    pub(super) Option<FamilyTableWriter>,
);

impl Drop for SharedTable {
    // A sweep that ends early leaves the file to the one that continues from its checkpoint.
    fn drop(&mut self) {
        if let Some(written) = self.0.take() {
            written.leave();
        }
    }
}

impl SharedTable {
    /// Appends a wave, of which each rank has some families.
    ///
    /// # Errors
    /// When another rank has ended, and when the table cannot be written.
    pub(super) fn wave<const G: usize>(
        &mut self,
        run: &RankRun<'_>,
        sweep: &PackedSweep<'_, G>,
        wave: &WaveStreams,
    ) -> Result<(), SolveError> {
        let exchange = run.exchange;
        let share = ROUND.div_ceil(exchange.ranks());
        let mut from = 0;
        loop {
            let left = &wave.codes[from..];
            // All ranks have given the families up to this code when the round is over.
            let last = left.get(share - 1).copied().unwrap_or(u64::MAX);
            let told = gather(exchange, &[left.len() as u64, last])?;
            if told.iter().all(|told| told[0] == 0) {
                break;
            }
            let bound = told.iter().map(|told| told[1]).min().unwrap_or(u64::MAX);
            let to = from + left.partition_point(|code| *code <= bound);
            let (codes, places) = (&wave.codes[from..to], &wave.places[from..to]);
            let (own, _) = run.work(|| ordered(sweep, wave, codes, places));
            let mut all = brought_together(exchange, own)?;
            if let Some(written) = &mut self.0 {
                all.sort_unstable_by_key(|(code, _)| *code);
                run.work(|| written.push(wave.sum, all)).0?;
            }
            from = to;
        }
        match &mut self.0 {
            Some(written) => run.work(|| written.end_wave(wave.sum)).0,
            None => Ok(()),
        }
    }

    /// Completes the table; what came of it, on the first rank.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn finish(
        mut self,
        plan: &PackedPlan<'_>,
        summary: &Summary,
    ) -> Result<Option<TableReport>, SolveError> {
        let written = self.0.take();
        written
            .map(|written| written.finish(plan, summary))
            .transpose()
    }
}

// On the first rank the families of all; elsewhere none.
fn brought_together(
    exchange: &dyn Exchange,
    mut own: Vec<(u64, Leaf)>,
) -> Result<Vec<(u64, Leaf)>, SolveError> {
    let mut bytes = Vec::new();
    if exchange.rank() > 0 {
        for (code, family) in own.drain(..) {
            bytes.extend(code.to_le_bytes());
            bytes.extend(family.count.to_le_bytes());
            bytes.extend(family.payload);
        }
    }
    let lengths = gather(exchange, &[bytes.len() as u64])?;
    if exchange.rank() > 0 {
        if !bytes.is_empty() {
            exchange.swap(&[(0, &bytes)], &mut [])?;
        }
        return Ok(own);
    }
    let lengths = lengths.iter().map(|length| length[0] as usize).enumerate();
    let mut received: Vec<(usize, Vec<u8>)> = lengths
        .filter(|(_, length)| *length > 0)
        .map(|(rank, length)| (rank, vec![0; length]))
        .collect();
    let mut buffers: Vec<(usize, &mut [u8])> = received
        .iter_mut()
        .map(|(rank, bytes)| (*rank, &mut bytes[..]))
        .collect();
    if !buffers.is_empty() {
        exchange.swap(&[], &mut buffers)?;
    }
    for (rank, bytes) in &received {
        let mut rest = &bytes[..];
        while !rest.is_empty() {
            let (family, after) = read(rest).ok_or_else(|| SolveError::Rank {
                rank: *rank,
                problem: "sent families of the table that end too early".into(),
            })?;
            own.push(family);
            rest = after;
        }
    }
    Ok(own)
}

// A family, and the bytes after it.
fn read(bytes: &[u8]) -> Option<((u64, Leaf), &[u8])> {
    let (code, rest) = bytes.split_first_chunk()?;
    let (count, rest) = rest.split_first_chunk()?;
    let count = u32::from_le_bytes(*count);
    let (payload, rest) = rest.split_at_checked(count.div_ceil(8) as usize)?;
    let payload = payload.to_vec();
    Some(((u64::from_le_bytes(*code), Leaf { count, payload }), rest))
}
