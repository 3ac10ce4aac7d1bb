//! Checkpoints of complete waves, which ranks write together.
//!
//! The first rank holds the checkpoint; each rank writes a part of its own, `wave-SSS-RRRR` (sum of
//! far levels, rank), which is `u64` the number of families, and the families as [`WaveStreams::read`] has
//! them. When all parts are on disk, the first rank lists them, with how far the table is. Another
//! number of ranks resumes from the same parts: each rank takes its own families out of all of
//! them.

use std::path::{Path, PathBuf};
use std::process;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use greenwave_table::Hash32;
use greenwave_values::Progress;

use super::exchange::{Exchange, broadcast, gather};
use super::shards::Shards;
use super::streams::{OutgoingFamilies, Parcels};
use super::table::SharedTable;
use crate::SolveError;
use crate::checkpoint::{Checkpoint, PartDigest, read_part, write_part};
use crate::packed::grain::room;
use crate::packed::plan::PackedPlan;
use crate::packed::scratch::PLACE_BITS;
use crate::packed::state::{self, CompleteWaves};
use crate::packed::waves::{PackedSweep, Totals, WaveStreams};
use crate::sweep::store::Store;

/// Numbers that tell of a part: its length and its hash.
const PART: usize = 5;

/// The checkpoint of a sweep by several ranks.
pub(super) struct ShardedCheckpoint {
    folder: PathBuf,
    // The first rank's.
    checkpoint: Option<Checkpoint>,
}

const WAVE: &str = "wave-";

fn part_name(sum: usize, rank: usize) -> String {
    format!("{WAVE}{sum:03}-{rank:04}")
}

/// How a checkpoint is opened.
pub(super) struct CheckpointOpening<'a> {
    pub(super) folder: &'a Path,
    /// Time between checkpoints.
    pub(super) every: Duration,
    pub(super) plan: &'a PackedPlan<'a>,
    pub(super) exchange: &'a dyn Exchange,
    pub(super) shards: &'a Shards,
}

impl CheckpointOpening<'_> {
    /// Opens the checkpoint, and gives the state of the first rank where there is one, with the families
    /// of this rank. For the other ranks the state has the sums of the waves, and none of what they came
    /// to.
    pub(super) fn open<const G: usize>(
        &self,
        sweep: &mut PackedSweep<'_, G>,
        progress: &dyn Progress,
    ) -> Result<(ShardedCheckpoint, Option<(CompleteWaves, WaveStreams)>), SolveError> {
        let (folder, plan, exchange) = (self.folder, self.plan, self.exchange);
        let mut kept = ShardedCheckpoint {
            folder: folder.to_owned(),
            checkpoint: None,
        };
        let mut first = CompleteWaves::default();
        // Sums of waves, a number that none can be, the families of the last wave, and the parts.
        let mut told = Vec::new();
        if exchange.rank() == 0 {
            if let Some(folder) = folder.parent() {
                std::fs::create_dir_all(folder).map_err(|source| SolveError::Scratch {
                    file: folder.to_owned(),
                    doing: "write",
                    source,
                })?;
            }
            let owner = format!("{} by ranks", state::owner(plan));
            let mut checkpoint = Checkpoint::open(folder, owner, true, self.every)?;
            if let Some(numbers) = checkpoint.resume(progress)? {
                first = CompleteWaves::read(&numbers, &checkpoint, plan)?;
                sweep.go_on_from(&first.counts);
                told.extend(first.waves.iter().map(|wave| wave.sum as u64));
                let families = first.waves.last().map_or(0, |wave| wave.families);
                told.extend([u64::MAX, families]);
                let last = first.last().unwrap_or_default();
                let waves = checkpoint.parts().keys();
                let ranks = waves.filter(|name| name.starts_with(WAVE)).count();
                if ranks == 0 {
                    return Err(checkpoint.refuse("is damaged: it lists no part of its last wave"));
                }
                for rank in 0..ranks {
                    let record = checkpoint.parts().get(&part_name(last, rank));
                    let record = record.ok_or_else(|| {
                        checkpoint.refuse(&format!("does not list the part of rank {rank}"))
                    })?;
                    told.extend(numbers_of(record));
                }
            }
            kept.checkpoint = Some(checkpoint);
        }
        self.expect_shared()?;
        let told = broadcast(exchange, &told)?;
        let Some(end) = told.iter().position(|number| *number == u64::MAX) else {
            return Ok((kept, None));
        };
        let (sums, rest) = (&told[..end], &told[end + 1..]);
        let (families, parts) = rest.split_first().unwrap_or((&0, &[]));
        let parts: Vec<PartDigest> = parts.chunks_exact(PART).map(record_of).collect();
        let mut state = first;
        if exchange.rank() > 0 {
            state.from = Some(folder.to_owned());
            state.waves = sums
                .iter()
                .map(|sum| Totals {
                    sum: *sum as usize,
                    ..Totals::default()
                })
                .collect();
        }
        let last = state.last().unwrap_or_default();
        let wave = self.load(last, &parts, sweep)?;
        let mut found = [wave.codes.len() as u64];
        exchange.sum(&mut found)?;
        if found[0] != *families {
            return Err(SolveError::Checkpoint {
                file: folder.to_owned(),
                problem: format!(
                    "is damaged: its parts have {} families of {families}",
                    found[0]
                ),
            });
        }
        Ok((kept, Some((state, wave))))
    }

    // Refuses a folder of which not all ranks see the same: the first rank writes a number beside it, which
    // the others find there.
    fn expect_shared(&self) -> Result<(), SolveError> {
        let exchange = self.exchange;
        let mark = self.folder.with_extension("shared");
        let mut number = Vec::new();
        if exchange.rank() == 0 {
            let since = SystemTime::now().duration_since(UNIX_EPOCH);
            number.push(since.map_or(0, |time| time.as_nanos() as u64) ^ u64::from(process::id()));
            std::fs::write(&mark, number[0].to_le_bytes()).map_err(|source| {
                SolveError::Scratch {
                    file: mark.clone(),
                    doing: "write",
                    source,
                }
            })?;
        }
        let number = broadcast(exchange, &number)?;
        let wanted = number.first().map(|number| number.to_le_bytes().to_vec());
        let is_there = std::fs::read(&mark).ok() == wanted;
        let all = gather(exchange, &[u64::from(is_there)]);
        if exchange.rank() == 0 {
            // A file that stays has no meaning, and the next run overwrites it.
            let _ = std::fs::remove_file(&mark);
        }
        match all?.iter().position(|is_there| is_there[0] == 0) {
            Some(rank) => Err(SolveError::Rank {
                rank,
                problem: format!(
                    "does not see in '{}' what rank 0 wrote there; give --scratch a folder that all \
                     machines share",
                    self.folder.display()
                ),
            }),
            None => Ok(()),
        }
    }

    // The families of this rank out of the parts of a checkpoint.
    fn load<const G: usize>(
        &self,
        sum: usize,
        parts: &[PartDigest],
        sweep: &PackedSweep<'_, G>,
    ) -> Result<WaveStreams, SolveError> {
        let (exchange, shards) = (self.exchange, self.shards);
        let (mut found, mut chunks) = (Vec::new(), Vec::new());
        for (rank, record) in parts.iter().enumerate() {
            if parts.len() == exchange.ranks() && rank != exchange.rank() {
                continue;
            }
            let mut part = read_part(self.folder, &part_name(sum, rank), *record)?;
            let families = u64::from_le_bytes(part.take()?);
            if families > part.bytes() / 12 {
                return Err(part.damaged("does not have the families that were counted"));
            }
            let (mut codes, mut lengths) = (Vec::new(), Vec::new());
            for _ in 0..families {
                codes.push(u64::from_le_bytes(part.take()?));
            }
            for _ in 0..families {
                lengths.push(u32::from_le_bytes(part.take()?) as usize);
            }
            let most = room(sweep.grain, G);
            if lengths.iter().any(|length| *length > most) {
                return Err(part.damaged("has a stream that is too long"));
            }
            let own = |code: u64| shards.owner(code) == exchange.rank();
            let streams = codes.iter().zip(&lengths);
            let bytes: usize = streams
                .filter(|(code, _)| own(**code))
                .map(|(_, length)| length)
                .sum();
            let mut store = Store::new(bytes + most)?;
            let (mut place, mut other) = (0, vec![0; most]);
            for (code, length) in codes.iter().zip(&lengths) {
                if own(*code) {
                    part.fill(&mut store.bytes_mut()[place..place + length])?;
                    found.push((*code, (chunks.len() as u64) << PLACE_BITS | place as u64));
                    place += length;
                } else {
                    part.fill(&mut other[..*length])?;
                }
            }
            part.finish()?;
            chunks.push(store);
        }
        found.sort_unstable();
        let (codes, places) = found.into_iter().unzip();
        Ok(WaveStreams {
            sum,
            codes,
            places,
            chunks,
        })
    }
}

impl ShardedCheckpoint {
    /// The checkpoint, on the first rank.
    pub(super) fn checkpoint(&self) -> Option<&Checkpoint> {
        self.checkpoint.as_ref()
    }

    /// Whether all ranks are to make a checkpoint now.
    pub(super) fn due(&self, exchange: &dyn Exchange) -> Result<bool, SolveError> {
        let due = self.checkpoint.as_ref().is_some_and(Checkpoint::due);
        let mut due = [u64::from(due)];
        exchange.sum(&mut due)?;
        Ok(due[0] > 0)
    }

    /// Makes a checkpoint of a wave. The state is that of all ranks together.
    pub(super) fn save<const G: usize>(
        &mut self,
        state: &CompleteWaves,
        exchange: &dyn Exchange,
        sweep: &PackedSweep<'_, G>,
        wave: &WaveStreams,
        parcels: &Parcels,
        table: Option<&mut SharedTable>,
    ) -> Result<(), SolveError> {
        if let Some(checkpoint) = &mut self.checkpoint {
            checkpoint.folder()?;
        }
        exchange.sum(&mut [])?;
        let name = part_name(wave.sum, exchange.rank());
        let unshared = || SolveError::Rank {
            rank: exchange.rank(),
            problem: format!(
                "does not find '{}', which the first rank made; name a --scratch folder that all \
                 machines share",
                self.folder.display()
            ),
        };
        if !self.folder.is_dir() {
            return Err(unshared());
        }
        let mut part = write_part(&self.folder, &name)?;
        let mut outgoing = OutgoingFamilies::all(sweep, wave, parcels);
        part.put(&outgoing.families().to_le_bytes())?;
        let mut piece = Vec::new();
        loop {
            outgoing.piece(&mut piece);
            if piece.is_empty() {
                break;
            }
            part.put(&piece)?;
        }
        let record = part.finish()?;
        let records = gather(exchange, &numbers_of(&record))?;
        let (grain, bits) = (sweep.grain, sweep.chunk_bits);
        if let Some(checkpoint) = &mut self.checkpoint {
            let mut parts: Vec<(String, PartDigest)> = records
                .iter()
                .enumerate()
                .map(|(rank, record)| (part_name(wave.sum, rank), record_of(record)))
                .collect();
            for (rank, (name, record)) in parts.iter().enumerate() {
                let found = std::fs::metadata(self.folder.join(name));
                if found.map_or(0, |found| found.len()) != record.bytes() {
                    return Err(SolveError::Rank {
                        rank,
                        problem: format!(
                            "wrote '{name}' where the first rank does not find it; name a --scratch \
                             folder that all machines share"
                        ),
                    });
                }
            }
            if let Some(SharedTable(Some(written))) = table {
                parts.push(written.part(checkpoint, wave.sum)?);
            }
            state.commit(checkpoint, grain, bits, &parts)?;
            checkpoint.tried(Ok(()), sweep.progress);
        }
        exchange.sum(&mut [])?;
        Ok(())
    }

    /// Removes the checkpoint of a sweep that is done.
    pub(super) fn finish(self) {
        if let Some(checkpoint) = self.checkpoint {
            checkpoint.finish();
        }
    }
}

fn numbers_of(record: &PartDigest) -> Vec<u64> {
    let mut numbers = vec![record.bytes()];
    let words = record.hash().0;
    numbers.extend(
        words
            .as_chunks::<8>()
            .0
            .iter()
            .map(|word| u64::from_le_bytes(*word)),
    );
    numbers
}

fn record_of(numbers: impl AsRef<[u64]>) -> PartDigest {
    let numbers = numbers.as_ref();
    let mut hash = Hash32::default();
    for (bytes, word) in hash.0.chunks_mut(8).zip(&numbers[1..]) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    PartDigest::new(numbers[0], hash)
}
