//! Wave after wave, and within each batch after batch.

use greenwave_values::Progress;
use greenwave_values::room::filled;

use super::batches::{BatchOrder, Batches};
use super::exchange::gather;
use super::kept;
use super::rank::RankRun;
use super::streams::{Couriers, Parcels};
use super::table::SharedTable;
use super::task::{RankWork, ShardedTask};
use crate::SolveError;
use crate::packed::families::Families;
use crate::packed::pool::Pool;
use crate::packed::solve::{PositionRequests, of_scratch};
use crate::packed::state::CompleteWaves;
use crate::packed::table::FamilyTableWriter;
use crate::packed::waves::{Above, PackedSweep, Totals, WaveStreams};
use crate::sweep::store::Store;

// The tools that make a wave.
struct FamilyMaker<'m, 'a, const G: usize> {
    sweep: &'m PackedSweep<'a, G>,
    families: &'m Families<'a, G>,
    pool: &'m Pool<G>,
}

impl RankRun<'_> {
    /// All waves; the state is that of all ranks together. The state given beside it is still
    /// incomplete.
    pub(super) fn waves<const G: usize>(
        &self,
        sweep: &mut PackedSweep<'_, G>,
        task: &ShardedTask<'_>,
        work: &mut RankWork,
        progress: &dyn Progress,
    ) -> Result<
        (
            CompleteWaves,
            Option<SharedTable>,
            Option<kept::ShardedCheckpoint>,
        ),
        SolveError,
    > {
        let (plan, exchange, shards) = (self.plan, self.exchange, self.shards);
        let (mut state, mut own) = (CompleteWaves::default(), WaveStreams::default());
        let mut kept: Option<kept::ShardedCheckpoint> = None;
        if let Some(folder) = &task.scratch {
            let checkpoint = kept::CheckpointOpening {
                folder,
                every: task.every,
                plan,
                exchange,
                shards,
            };
            let (opened, resumed) = checkpoint.open(sweep, progress).map_err(of_scratch)?;
            kept = Some(opened);
            if let Some((resumed, wave)) = resumed {
                (state, own) = (resumed, wave);
            }
        }
        let mut table = None;
        if let Some(path) = &task.table {
            let checkpoint = kept.as_ref().and_then(kept::ShardedCheckpoint::checkpoint);
            let written = || FamilyTableWriter::open(plan, path, checkpoint, state.last());
            table = Some(SharedTable(match exchange.rank() {
                0 => Some(written()?),
                _ => None,
            }));
        }
        let sweep = &*sweep;
        let pack = |wave: &WaveStreams| self.work(|| Parcels::new(sweep, shards, wave));
        let (mut parcels, _) = pack(&own);
        let rank = exchange.rank();
        let (families, _) = self.work(|| {
            let own = |code: u64| shards.owner(code) == rank;
            Families::some(sweep.tables, sweep.loops, shards.digits(), own)
        });
        let mut wanted = PositionRequests::of(plan, sweep, &state);
        let Some(first) = wanted.first(&state) else {
            return Ok((self.together(&state)?, table, kept));
        };
        let (pool, mut spare) = (Pool::new(), Vec::new());
        let making = FamilyMaker {
            sweep,
            families: &families,
            pool: &pool,
        };
        for sum in (0..=first).rev() {
            let (begun, settled) = (exchange.now(), work.settling);
            let made = self.wave(&making, sum, &own, &parcels, &mut spare, work);
            let checkpoint = kept.as_ref().and_then(kept::ShardedCheckpoint::checkpoint);
            let (here, totals) = made.map_err(|error| match checkpoint {
                Some(checkpoint) => checkpoint.ended(error),
                None => error,
            })?;
            wanted.find::<G>(sum, &mut state, |far| Ok(sweep.solved(&here, far)))?;
            if let Some(table) = &mut table {
                table.wave(self, sweep, &here)?;
            }
            state.waves.push(totals);
            state.counts = sweep.counted();
            work.families += totals.families;
            work.stream_bytes += totals.bytes;
            let mut free = std::mem::replace(&mut own, here).chunks;
            // Those of a checkpoint have lengths of their own.
            free.retain(|chunk| chunk.bytes().len() == sweep.chunk_bytes);
            pool.give(free);
            let time;
            (parcels, time) = pack(&own);
            work.settling += time.as_secs_f64();
            assert_eq!(
                parcels.bytes(),
                totals.bytes,
                "lengths of streams found and foreseen"
            );
            if let Some(kept) = &mut kept
                && kept.due(exchange)?
            {
                let state = self.together(&state)?;
                let table = table.as_mut();
                kept.save(&state, exchange, sweep, &own, &parcels, table)
                    .map_err(of_scratch)?;
            }
            let passed = exchange.now().saturating_sub(begun).as_secs_f64();
            work.exchanging += (passed - (work.settling - settled)).max(0.0);
        }
        Ok((self.together(&state)?, table, kept))
    }

    // Makes the families of this rank of a wave: while those of a batch are settled, what the next one
    // needs of other ranks is on its way.
    fn wave<const G: usize>(
        &self,
        making: &FamilyMaker<'_, '_, G>,
        sum: usize,
        above: &WaveStreams,
        parcels: &Parcels,
        spare: &mut Vec<Store>,
        work: &mut RankWork,
    ) -> Result<(WaveStreams, Totals), SolveError> {
        let shards = self.shards;
        let FamilyMaker {
            sweep,
            families,
            pool,
        } = *making;
        let batches = Batches::agree(self.exchange, shards, parcels)?;
        let couriers = Couriers::new(self.exchange, sweep, shards, above, parcels, &batches)?;
        let list = || {
            let codes = families.wave(sum)?;
            let batch = |number: usize| Some(batches.of(shards.class(codes[number])));
            let order = BatchOrder::new(codes.len(), batches.count(), batch);
            Ok::<_, SolveError>((codes, order))
        };
        let (listed, time, first) = self.work_beside(list, || couriers.batch(0, spare));
        work.settling += time.as_secs_f64();
        let ((codes, order), mut coming) = (listed?, Some(first?));
        let mut places = filled(0, codes.len())?;
        let mut totals = Totals {
            sum,
            ..Totals::default()
        };
        let held: u64 = above
            .chunks
            .iter()
            .map(|chunk| chunk.bytes().len() as u64)
            .sum();
        let slices = above.slices();
        for batch in 0..batches.count() {
            let (received, sent) = coming.take().unwrap_or_default();
            work.sent_bytes += sent;
            let others = received
                .iter()
                .map(|(step, wave)| (*step, wave, wave.slices()));
            let others: Vec<_> = others.collect();
            let children: Above<'_> = std::array::from_fn(|digit| match shards.step(digit) {
                0 => above.part(&slices),
                step => {
                    let other = others.iter().find(|(other, ..)| *other == step);
                    let part = other.map(|(_, wave, slices)| wave.part(slices));
                    part.unwrap_or_default()
                }
            });
            let (places, numbers) = (&mut places, order.batch(batch));
            let settle = || {
                let own: Vec<u64> = numbers.iter().map(|n| codes[*n as usize]).collect();
                let mut found = vec![0; own.len()];
                let made = sweep.settle_all(sum, &own, &mut found, &children, pool);
                for (number, place) in numbers.iter().zip(found) {
                    places[*number as usize] = place;
                }
                made
            };
            let next = batch + 1;
            let meanwhile = || (next < batches.count()).then(|| couriers.batch(next, spare));
            let (made, time, next) = self.work_beside(settle, meanwhile);
            work.settling += time.as_secs_f64();
            totals = totals.plus(made?);
            coming = next.transpose()?;
            let next = coming.iter().flat_map(|(waves, _)| waves);
            let others: u64 = received
                .iter()
                .chain(next)
                .flat_map(|(_, wave)| &wave.chunks)
                .map(|chunk| chunk.bytes().len() as u64)
                .sum();
            work.held_bytes = work.held_bytes.max(held + totals.bytes + others);
            spare.extend(received.into_iter().flat_map(|(_, wave)| wave.chunks));
        }
        let wave = WaveStreams {
            sum,
            codes,
            places,
            chunks: pool.take(),
        };
        Ok((wave, totals))
    }

    // What the ranks found, on all of them.
    fn together(&self, own: &CompleteWaves) -> Result<CompleteWaves, SolveError> {
        let asked: Vec<u64> = self.plan.asked().collect();
        let mut numbers = Vec::new();
        for wave in &own.waves {
            numbers.extend([wave.families, wave.bytes, wave.undecided, wave.lost]);
        }
        // None is 0.
        let found = |position| {
            own.found
                .get(position)
                .map_or(0, |code| u64::from(*code) + 1)
        };
        numbers.extend(asked.iter().map(found));
        numbers.extend(&own.counts.bytes);
        self.exchange.sum(&mut numbers)?;
        let (waves, rest) = numbers.split_at(4 * own.waves.len());
        let (found, counts) = rest.split_at(asked.len());
        let mut state = CompleteWaves {
            from: own.from.clone(),
            ..CompleteWaves::default()
        };
        for (wave, own) in waves.as_chunks::<4>().0.iter().zip(&own.waves) {
            let [families, bytes, undecided, lost] = *wave;
            state.waves.push(Totals {
                sum: own.sum,
                families,
                bytes,
                undecided,
                lost,
            });
        }
        let codes = asked.iter().zip(found).filter(|(_, code)| **code > 0);
        state.found = codes
            .map(|(position, code)| (*position, (*code - 1) as u8))
            .collect();
        state.counts.bytes.copy_from_slice(counts);
        let longest = own
            .counts
            .longest
            .map(|(plies, position)| [1, u64::from(plies), position]);
        for longest in gather(self.exchange, &longest.unwrap_or_default())? {
            if let [1, plies, position] = longest[..] {
                state.counts.see(plies as u8, position);
            }
        }
        Ok(state)
    }
}
