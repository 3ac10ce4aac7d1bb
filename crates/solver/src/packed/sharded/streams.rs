//! Streams on their way: to another rank, or into a file.

use rayon::prelude::*;

use super::exchange::{Exchange, ExchangeError};
use super::shards::Shards;
use crate::SolveError;
use crate::packed::blocks::Block;
use crate::packed::kernel::{Grain, Kernel, each, family, far_decides, room};
use crate::packed::loops::Routine;
use crate::packed::tables::Tables;
use crate::packed::waves::{FAMILY_BYTES, Sweep, TASK, Wave};
use crate::sweep::store::Store;

/// Bytes of a message.
const MESSAGE: usize = 1 << 24;

/// A family, as it goes to other ranks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Parcel {
    // Bytes of its stream.
    length: u32,
    // Which of the steps have parents in need of it, one bit each.
    steps: u32,
}

impl Parcel {
    /// Bytes of the stream.
    pub(super) fn bytes(&self) -> u64 {
        self.length.into()
    }
}

struct Packing<'a, const G: usize> {
    tables: &'a Tables<G>,
    grain: Grain,
    steps: &'a [(usize, u64)],
    codes: &'a [u64],
    parcels: &'a mut [Parcel],
}

impl<const G: usize> Routine<G> for Packing<'_, G> {
    type Output = ();

    #[inline(always)]
    fn run<K: Kernel<G>>(self) {
        for (code, parcel) in self.codes.iter().zip(self.parcels) {
            let (open, quiet) = family::<G, K>(self.tables, *code);
            let (mut bytes, mut bits) = (0, 0);
            each(quiet, |rank| {
                let open = open.and(&self.tables.mixed[rank]);
                match self.grain {
                    Grain::Byte => bytes += K::bytes(&open),
                    Grain::Bit | Grain::Code(_) => bits += open.count(),
                }
            });
            parcel.length = match self.grain {
                Grain::Byte => bytes,
                Grain::Bit => bits.div_ceil(8),
                Grain::Code(_) => bits,
            } as u32;
            parcel.steps = 0;
            for (number, (_, mask)) in self.steps.iter().enumerate() {
                // The lower bit of each digit that is not 0.
                let mut lower = (code | code >> 1) & mask & (u64::MAX / 3);
                while lower != 0 {
                    let parent = code - (lower & lower.wrapping_neg());
                    let (open, quiet) = family::<G, K>(self.tables, parent);
                    let decided = far_decides::<G, K>(self.tables, parent);
                    if quiet != [0; 4] && open != Block::EMPTY && !decided {
                        parcel.steps |= 1 << number;
                        break;
                    }
                    lower &= lower - 1;
                }
            }
        }
    }
}

/// How long the streams of a wave are, and who needs them.
pub(super) fn pack<const G: usize>(
    sweep: &Sweep<'_, G>,
    shards: &Shards,
    wave: &Wave,
) -> Vec<Parcel> {
    let steps = shards.steps();
    let mut parcels = vec![Parcel::default(); wave.codes.len()];
    wave.codes
        .par_chunks(TASK)
        .zip(parcels.par_chunks_mut(TASK))
        .for_each(|(codes, parcels)| {
            sweep.loops.run(Packing {
                tables: sweep.tables,
                grain: sweep.grain,
                steps: &steps,
                codes,
                parcels,
            });
        });
    parcels
}

/// Families of a wave as they are written, see [`Wave::read`], piece by piece.
pub(super) struct Outgoing<'w, 'a, const G: usize> {
    sweep: &'w Sweep<'a, G>,
    wave: &'w Wave,
    parcels: &'w [Parcel],
    // Numbers of families, those that are still to come.
    families: Vec<u32>,
    head: Vec<u8>,
    bytes: u64,
    // Bytes of the head and of streams that are done, and families whose streams are.
    headed: usize,
    done: usize,
    begun: usize,
}

impl<'w, 'a, const G: usize> Outgoing<'w, 'a, G> {
    /// The families that the parents a step before need, or all of them.
    pub(super) fn new(
        sweep: &'w Sweep<'a, G>,
        wave: &'w Wave,
        parcels: &'w [Parcel],
        step: Option<usize>,
    ) -> Outgoing<'w, 'a, G> {
        let needed = |parcel: &Parcel| step.is_none_or(|step| parcel.steps >> step & 1 == 1);
        let families: Vec<u32> = (0..parcels.len() as u32)
            .filter(|family| needed(&parcels[*family as usize]))
            .collect();
        let mut head = Vec::with_capacity(FAMILY_BYTES as usize * families.len());
        for family in &families {
            head.extend_from_slice(&wave.codes[*family as usize].to_le_bytes());
        }
        let mut bytes = 0;
        for family in &families {
            let length = parcels[*family as usize].length;
            head.extend_from_slice(&length.to_le_bytes());
            bytes += u64::from(length);
        }
        Outgoing {
            sweep,
            wave,
            parcels,
            bytes: bytes + head.len() as u64,
            families,
            head,
            headed: 0,
            done: 0,
            begun: 0,
        }
    }

    /// How many families, and bytes in all.
    pub(super) fn size(&self) -> [u64; 2] {
        [self.families.len() as u64, self.bytes]
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
            let length = self.parcels[family].length as usize;
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

/// Sends what the parents of a wave need to their ranks, and gives what the families of this rank need
/// of others, by step.
pub(super) fn exchange<const G: usize>(
    exchange: &dyn Exchange,
    sweep: &Sweep<'_, G>,
    shards: &Shards,
    wave: &Wave,
    parcels: &[Parcel],
    spare: &mut Vec<Store>,
) -> Result<(Vec<(usize, Wave)>, u64), SolveError> {
    let (rank, ranks) = (exchange.rank(), exchange.ranks());
    let mut sent = 0;
    let mut received = Vec::new();
    for (number, (step, _)) in shards.steps().into_iter().enumerate() {
        // A raise leads a step on, so what it leads to is sent a step back.
        let (to, from) = ((rank + ranks - step) % ranks, (rank + step) % ranks);
        let mut outgoing = Outgoing::new(sweep, wave, parcels, Some(number));
        let sizes: Vec<u8> = outgoing
            .size()
            .into_iter()
            .flat_map(u64::to_le_bytes)
            .collect();
        let mut coming = [0; 16];
        exchange.swap(&[(to, &sizes)], &mut [(from, &mut coming)])?;
        let (families, bytes) = coming.split_at(8);
        let number = |bytes: &[u8]| {
            bytes
                .iter()
                .rev()
                .fold(0, |n, byte| n << 8 | usize::from(*byte))
        };
        let (families, bytes) = (number(families), number(bytes));
        let needed = bytes + room(sweep.grain, G);
        let fits = |store: &Store| (needed..=2 * needed).contains(&store.bytes().len());
        let mut store = match spare.iter().position(fits) {
            Some(place) => spare.swap_remove(place),
            None => Store::new(needed)?,
        };
        let (mut buffer, mut piece) = (&mut store.bytes_mut()[..bytes], Vec::new());
        loop {
            outgoing.piece(&mut piece);
            let (here, rest) = buffer.split_at_mut(buffer.len().min(MESSAGE));
            if piece.is_empty() && here.is_empty() {
                break;
            }
            sent += piece.len() as u64;
            let sends = [(to, &piece[..])];
            let mut receives = [(from, here)];
            let (none_out, none_in) = (piece.is_empty(), receives[0].1.is_empty());
            exchange.swap(
                &sends[usize::from(none_out)..],
                &mut receives[usize::from(none_in)..],
            )?;
            buffer = rest;
        }
        let broken = || ExchangeError::Refused {
            problem: format!("found other bytes than rank {from} sent"),
        };
        let wave = Wave::read(wave.sum, families, bytes, store).ok_or_else(broken)?;
        received.push((step, wave));
    }
    // What was not fit for this wave is not fit for the next one either.
    spare.clear();
    Ok((received, sent))
}
