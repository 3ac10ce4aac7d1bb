//! Streams on their way: to another rank, or into a file.

use std::borrow::Cow;

use rayon::prelude::*;

use super::batches::{BatchOrder, Batches};
use super::exchange::Exchange;
use super::shards::Shards;
use crate::SolveError;
use crate::error::ExchangeError;
use crate::packed::blocks::Block;
use crate::packed::families::{FAMILY_BYTES, TASK};
use crate::packed::grain::{Grain, room};
use crate::packed::kernel::{PackedKernel, Routine, family, far_decides};
use crate::packed::list::SetBits;
use crate::packed::tables::Tables;
use crate::packed::waves::{PackedSweep, WaveStreams};
use crate::sweep::store::Store;

/// Bytes of a message.
const MESSAGE: usize = 1 << 22;

// A family, as it goes to other ranks.
#[derive(Clone, Copy, Debug, Default)]
struct Parcel {
    // Bytes of its stream.
    length: u32,
    // Which of the steps have parents in need of it, one bit each.
    steps: u32,
    class: u32,
}

/// The families of a wave, as they go to other ranks.
#[derive(Debug, Default)]
pub(super) struct Parcels(Vec<Parcel>);

struct ParcelPacker<'a, const G: usize> {
    tables: &'a Tables<G>,
    grain: Grain,
    shards: &'a Shards,
    steps: &'a [(usize, u64)],
    codes: &'a [u64],
    parcels: &'a mut [Parcel],
}

impl<const G: usize> Routine<G> for ParcelPacker<'_, G> {
    type Output = ();

    #[inline(always)]
    fn run<K: PackedKernel<G>>(self) {
        let mut list = SetBits::new();
        for (code, parcel) in self.codes.iter().zip(self.parcels) {
            let (open, quiet) = family::<G, K>(self.tables, *code);
            let undecided = K::undecided(self.tables, &open, quiet, &mut list);
            parcel.length = match self.grain {
                Grain::Sparse => unreachable!("its streams are of no known length"),
                Grain::Byte => undecided.bytes,
                Grain::Bit => undecided.positions.div_ceil(8),
                Grain::Code(_) => undecided.positions,
            } as u32;
            parcel.class = self.shards.class(*code) as u32;
            parcel.steps = 0;
            for (number, (_, mask)) in self.steps.iter().enumerate() {
                // The lower bit of each digit that is not 0.
                let mut lower = (code | code >> 1) & mask & (u64::MAX / 3);
                while lower != 0 {
                    let parent = code - (lower & lower.wrapping_neg());
                    let (open, quiet) = family::<G, K>(self.tables, parent);
                    let decided = far_decides::<G, K>(self.tables, parent);
                    if quiet != [[0; 4]; G] && open != Block::EMPTY && !decided {
                        parcel.steps |= 1 << number;
                        break;
                    }
                    lower &= lower - 1;
                }
            }
        }
    }
}

impl Parcels {
    /// The lengths of the streams of a wave, and the ranks that need them.
    pub(super) fn new<const G: usize>(
        sweep: &PackedSweep<'_, G>,
        shards: &Shards,
        wave: &WaveStreams,
    ) -> Parcels {
        let steps = shards.steps();
        let mut parcels = vec![Parcel::default(); wave.codes.len()];
        wave.codes
            .par_chunks(TASK)
            .zip(parcels.par_chunks_mut(TASK))
            .for_each(|(codes, parcels)| {
                sweep.loops.run(ParcelPacker {
                    tables: sweep.tables,
                    grain: sweep.grain,
                    shards,
                    steps: &steps,
                    codes,
                    parcels,
                });
            });
        Parcels(parcels)
    }

    /// Bytes of all streams.
    pub(super) fn bytes(&self) -> u64 {
        self.0.iter().map(|parcel| u64::from(parcel.length)).sum()
    }

    /// Bytes that go to other ranks, by class.
    pub(super) fn weights(&self, classes: usize) -> Vec<u64> {
        let mut weights = vec![0; classes];
        for parcel in &self.0 {
            let times = u64::from(parcel.steps.count_ones());
            weights[parcel.class as usize] += times * (FAMILY_BYTES + u64::from(parcel.length));
        }
        weights
    }

    // All families.
    fn all(&self) -> Vec<u32> {
        (0..self.0.len() as u32).collect()
    }

    // Those that parents a step before need, by batch.
    fn needed(&self, step: usize, batches: &Batches) -> BatchOrder {
        let batch = |number: usize| {
            let Parcel { steps, class, .. } = self.0[number];
            (steps >> step & 1 == 1).then(|| batches.of(class as usize))
        };
        BatchOrder::new(self.0.len(), batches.count(), batch)
    }

    // Bytes of some families as they are written.
    fn written(&self, families: &[u32]) -> u64 {
        let bytes = |family: &u32| FAMILY_BYTES + u64::from(self.0[*family as usize].length);
        families.iter().map(bytes).sum()
    }
}

/// Families of a wave as they are written, see [`WaveStreams::read`], piece by piece.
pub(super) struct OutgoingFamilies<'w, 'a, const G: usize> {
    sweep: &'w PackedSweep<'a, G>,
    wave: &'w WaveStreams,
    parcels: &'w Parcels,
    // Numbers of families.
    families: Cow<'w, [u32]>,
    head: Vec<u8>,
    // Bytes of the head that are done, families whose streams are, and bytes of the next one.
    headed: usize,
    done: usize,
    begun: usize,
}

impl<'w, 'a, const G: usize> OutgoingFamilies<'w, 'a, G> {
    fn new(
        sweep: &'w PackedSweep<'a, G>,
        wave: &'w WaveStreams,
        parcels: &'w Parcels,
        families: Cow<'w, [u32]>,
    ) -> OutgoingFamilies<'w, 'a, G> {
        let mut head = Vec::with_capacity(FAMILY_BYTES as usize * families.len());
        for family in &*families {
            head.extend_from_slice(&wave.codes[*family as usize].to_le_bytes());
        }
        for family in &*families {
            head.extend_from_slice(&parcels.0[*family as usize].length.to_le_bytes());
        }
        OutgoingFamilies {
            sweep,
            wave,
            parcels,
            families,
            head,
            headed: 0,
            done: 0,
            begun: 0,
        }
    }

    /// All families of a wave.
    pub(super) fn all(
        sweep: &'w PackedSweep<'a, G>,
        wave: &'w WaveStreams,
        parcels: &'w Parcels,
    ) -> OutgoingFamilies<'w, 'a, G> {
        OutgoingFamilies::new(sweep, wave, parcels, parcels.all().into())
    }

    /// Number of families.
    pub(super) fn families(&self) -> u64 {
        self.families.len() as u64
    }

    /// The next bytes, few enough for a message; none at the end.
    pub(super) fn piece(&mut self, piece: &mut Vec<u8>) {
        piece.clear();
        let head = &self.head[self.headed..];
        let part = head.len().min(MESSAGE);
        piece.extend_from_slice(&head[..part]);
        self.headed += part;
        while piece.len() < MESSAGE && self.done < self.families.len() {
            let family = self.families[self.done] as usize;
            let length = self.parcels.0[family].length as usize;
            let stream = self.sweep.stream(self.wave, self.wave.places[family]);
            let rest = &stream[self.begun..length];
            let part = rest.len().min(MESSAGE - piece.len());
            piece.extend_from_slice(&rest[..part]);
            self.begun += part;
            if self.begun == length {
                (self.done, self.begun) = (self.done + 1, 0);
            }
        }
    }
}

/// What of a wave goes to other ranks, and comes from them, batch by batch.
pub(super) struct Couriers<'w, 'a, const G: usize> {
    exchange: &'w dyn Exchange,
    sweep: &'w PackedSweep<'a, G>,
    wave: &'w WaveStreams,
    parcels: &'w Parcels,
    couriers: Vec<Courier>,
    // Bytes of the largest batch that comes.
    largest: usize,
}

// From a rank to the one a step before it, and from the one a step on to this one.
struct Courier {
    step: usize,
    to: usize,
    from: usize,
    going: BatchOrder,
    // Families and bytes, by batch.
    coming: Vec<[usize; 2]>,
}

/// Families by step, and the bytes that were sent meanwhile.
pub(super) type ReceivedFamilies = (Vec<(usize, WaveStreams)>, u64);

impl<'w, 'a, const G: usize> Couriers<'w, 'a, G> {
    /// Tells other ranks what they will get.
    pub(super) fn new(
        exchange: &'w dyn Exchange,
        sweep: &'w PackedSweep<'a, G>,
        shards: &Shards,
        wave: &'w WaveStreams,
        parcels: &'w Parcels,
        batches: &Batches,
    ) -> Result<Couriers<'w, 'a, G>, ExchangeError> {
        let (rank, ranks) = (exchange.rank(), exchange.ranks());
        let mut couriers = Vec::new();
        for (number, (step, _)) in shards.steps().into_iter().enumerate() {
            let (to, from) = ((rank + ranks - step) % ranks, (rank + step) % ranks);
            let going = parcels.needed(number, batches);
            let mut sizes = Vec::with_capacity(16 * batches.count());
            for batch in 0..batches.count() {
                let families = going.batch(batch);
                sizes.extend((families.len() as u64).to_le_bytes());
                sizes.extend(parcels.written(families).to_le_bytes());
            }
            let mut coming = vec![0; sizes.len()];
            exchange.swap(&[(to, &sizes)], &mut [(from, &mut coming)])?;
            let number = |bytes: &[u8; 8]| u64::from_le_bytes(*bytes) as usize;
            let numbers = coming.as_chunks::<8>().0.as_chunks::<2>().0;
            couriers.push(Courier {
                step,
                to,
                from,
                going,
                coming: numbers
                    .iter()
                    .map(|two| two.each_ref().map(number))
                    .collect(),
            });
        }
        let coming = couriers.iter().flat_map(|courier| &courier.coming);
        let largest = coming.map(|[_, bytes]| *bytes).max();
        Ok(Couriers {
            largest: largest.unwrap_or_default(),
            exchange,
            sweep,
            wave,
            parcels,
            couriers,
        })
    }

    /// Sends a batch, and gives what comes of it from other ranks. The parents of all ranks need the
    /// batches in their order.
    pub(super) fn batch(
        &self,
        batch: usize,
        spare: &mut Vec<Store>,
    ) -> Result<ReceivedFamilies, SolveError> {
        let (mut received, mut sent) = (Vec::new(), 0);
        for courier in &self.couriers {
            let (wave, bytes) = self.courier(courier, batch, spare)?;
            received.push((courier.step, wave));
            sent += bytes;
        }
        Ok((received, sent))
    }

    fn courier(
        &self,
        courier: &Courier,
        batch: usize,
        spare: &mut Vec<Store>,
    ) -> Result<(WaveStreams, u64), SolveError> {
        let families = courier.going.batch(batch).into();
        let mut outgoing = OutgoingFamilies::new(self.sweep, self.wave, self.parcels, families);
        let [families, bytes] = courier.coming[batch];
        // Fresh memory takes time, so each is fit for all batches of a wave, and others go.
        let capacity = self.largest + room(self.sweep.grain, G);
        spare.retain(|store| (capacity..=2 * capacity).contains(&store.bytes().len()));
        let mut store = match spare.pop() {
            Some(store) => store,
            None => Store::new(capacity)?,
        };
        let (mut buffer, mut piece) = (&mut store.bytes_mut()[..bytes], Vec::new());
        let mut sent = 0;
        loop {
            outgoing.piece(&mut piece);
            let (here, rest) = buffer.split_at_mut(buffer.len().min(MESSAGE));
            if piece.is_empty() && here.is_empty() {
                break;
            }
            sent += piece.len() as u64;
            let sends = [(courier.to, &piece[..])];
            let mut receives = [(courier.from, here)];
            let (none_out, none_in) = (piece.is_empty(), receives[0].1.is_empty());
            self.exchange.swap(
                &sends[usize::from(none_out)..],
                &mut receives[usize::from(none_in)..],
            )?;
            buffer = rest;
        }
        let broken = || ExchangeError::Refused {
            problem: format!("found other bytes than rank {} sent", courier.from),
        };
        let wave = WaveStreams::read(self.wave.sum, families, bytes, store)?.ok_or_else(broken)?;
        Ok((wave, sent))
    }
}
