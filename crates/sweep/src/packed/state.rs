//! What is kept of a sweep between waves, and the checkpoint of one in memory.
//!
//! The numbers of the state are `grain`, `chunk` (bits), `waves` (five for each complete wave),
//! `found` (two for each requested position) and with the code grain `counts` and `longest`. On
//! disk `begun` has the five of the wave at work, as far as its pieces are complete. In memory the
//! part `wave-NNN` has everything of the last complete wave: `u64` far codes, `u64` places, and the
//! chunks as they are.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use greenwave_game::Game;
use greenwave_values::room as memory;

use super::counts::FamilyCounts;
use super::families::Families;
use super::grain::{Grain, room};
use super::plan::PackedPlan;
use super::table::FamilyTableWriter;
use super::waves::{PackedSweep, Totals, WaveStreams};
use crate::SolveError;
use crate::checkpoint::{Checkpoint, Numbers, PartDigest};
use crate::sweep::store::Store;

/// What complete waves came to.
#[derive(Clone, Debug, Default)]
pub(super) struct CompleteWaves {
    /// From the highest wave down.
    pub(super) waves: Vec<Totals>,
    /// Positions that were requested, and their codes in tables.
    pub(super) found: BTreeMap<u64, u8>,
    /// The counts of the wave below, whose first pieces are on disk.
    pub(super) begun: Option<Totals>,
    /// With the code grain.
    pub(super) counts: FamilyCounts,
    /// The checkpoint that the sweep continues from.
    pub(super) from: Option<PathBuf>,
}

/// Whose checkpoint it is.
pub(super) fn owner(plan: &PackedPlan<'_>) -> String {
    let mut key = blake3::Hasher::new();
    let layout = &plan.layout;
    for squares in [&layout.low, &layout.mid, &layout.far] {
        key.update(&(squares.len() as u64).to_le_bytes());
        key.update(squares);
    }
    for symmetry in &layout.symmetries {
        key.update(symmetry);
    }
    for position in &plan.watched {
        key.update(&position.to_le_bytes());
    }
    if let Some(cone) = plan.cone {
        key.update(b"cone").update(&cone.from.0.to_le_bytes());
    }
    format!(
        "packed waves {}{} {} {} of rules {}",
        if plan.with_table {
            "and the table of "
        } else {
            "of "
        },
        plan.metric,
        if plan.cache.is_some() {
            "in pieces on disk"
        } else {
            "in memory"
        },
        &key.finalize().to_hex()[..16],
        plan.game.rules().hash
    )
}

const fn numbers_of(wave: &Totals) -> [u64; 5] {
    [
        wave.sum as u64,
        wave.families,
        wave.bytes,
        wave.undecided,
        wave.lost,
    ]
}

const fn totals_of([sum, families, bytes, undecided, lost]: [u64; 5]) -> Totals {
    Totals {
        sum: sum as usize,
        families,
        bytes,
        undecided,
        lost,
    }
}

fn code(grain: Grain) -> u64 {
    match grain {
        Grain::Sparse => 32,
        Grain::Byte => 8,
        Grain::Bit => 1,
        Grain::Code(_) => 256,
    }
}

impl CompleteWaves {
    /// The sum of the last complete wave.
    pub(super) fn last(&self) -> Option<usize> {
        self.waves.last().map(|wave| wave.sum)
    }

    /// Undecided positions of the waves.
    pub(super) fn undecided(&self) -> u64 {
        let waves = self.waves.iter().chain(&self.begun);
        waves.map(|wave| wave.undecided).sum()
    }

    /// What the state of a checkpoint says.
    ///
    /// # Errors
    /// When it is of waves that this plan cannot continue from.
    pub(super) fn read(
        numbers: &Numbers,
        checkpoint: &Checkpoint,
        plan: &PackedPlan<'_>,
    ) -> Result<CompleteWaves, SolveError> {
        let all = |name: &str| numbers.get(name).map_or(&[][..], Vec::as_slice);
        if all("grain") != [code(plan.grain)] {
            return Err(checkpoint.refuse(
                "was started with another --memory, which the solve needs to resume from it, or by an earlier version",
            ));
        }
        let (waves, found) = (all("waves").as_chunks::<5>(), all("found").as_chunks::<2>());
        if waves.0.is_empty() || !waves.1.is_empty() || !found.1.is_empty() {
            return Err(checkpoint.refuse("says of no wave that it is complete"));
        }
        let begun = match (all("begun"), plan.cache) {
            ([], _) => None,
            (&[sum, families, bytes, undecided, lost], Some(_)) => {
                Some(totals_of([sum, families, bytes, undecided, lost]))
            }
            _ => return Err(checkpoint.refuse("does not say which pieces of a wave are complete")),
        };
        let mut counts = FamilyCounts::default();
        if matches!(plan.grain, Grain::Code(_)) {
            if all("counts").len() != counts.bytes.len() {
                return Err(checkpoint.refuse("does not count all values"));
            }
            counts.bytes.copy_from_slice(all("counts"));
            counts.longest = match numbers.get("longest").map(Vec::as_slice) {
                Some([]) => None,
                Some([plies, position]) => Some((*plies as u8, *position)),
                Some(_) | None => {
                    return Err(checkpoint.refuse("does not say which game is longest"));
                }
            };
        }
        let state = CompleteWaves {
            waves: waves.0.iter().copied().map(totals_of).collect(),
            begun,
            found: found
                .0
                .iter()
                .map(|[at, code]| (*at, *code as u8))
                .collect(),
            counts,
            from: Some(checkpoint.path().to_owned()),
        };
        let codes = found.0.iter().map(|[_, code]| *code);
        let longest = all("longest").first().copied();
        if codes.chain(longest).any(|code| code > u64::from(u8::MAX)) || !state.can_be(plan) {
            return Err(checkpoint.refuse("is damaged: it counts what this board does not have"));
        }
        Ok(state)
    }

    // Whether all numbers are such as a sweep of the board can have come to.
    fn can_be(&self, plan: &PackedPlan<'_>) -> bool {
        let squares = plan.game.board().shape.cells();
        let positions = 1_u64.checked_shl(2 * squares as u32).unwrap_or(u64::MAX);
        let most = 3 * plan.layout.far.len();
        let families = 1_u64
            .checked_shl(2 * plan.layout.far.len() as u32)
            .unwrap_or(u64::MAX);
        let bytes = room(plan.grain, plan.layout.fold()) as u64;
        let fits = |(place, wave): (usize, &Totals)| {
            most.checked_sub(place) == Some(wave.sum)
                && wave.families <= families
                && wave.undecided <= positions
                && wave.lost <= wave.undecided
                && wave.bytes <= wave.families.saturating_mul(bytes)
        };
        let asked: BTreeSet<u64> = plan.asked().collect();
        let waves = || self.waves.iter().chain(&self.begun);
        waves().enumerate().all(fits)
            && sum_is_within(waves().map(|wave| wave.undecided), positions)
            && sum_is_within(self.counts.bytes.iter().copied(), positions)
            && self.found.keys().all(|position| asked.contains(position))
            && self
                .counts
                .longest
                .is_none_or(|(_, position)| position < positions)
    }

    /// Makes a checkpoint of the state, with the parts of the last wave.
    ///
    /// # Errors
    /// When it cannot be written; an earlier one is untouched.
    pub(super) fn commit(
        &self,
        checkpoint: &mut Checkpoint,
        grain: Grain,
        chunk_bits: u32,
        parts: &[(String, PartDigest)],
    ) -> Result<(), SolveError> {
        let waves: Vec<u64> = self.waves.iter().flat_map(numbers_of).collect();
        let begun = self.begun.as_ref().map(numbers_of);
        let found: Vec<u64> = self
            .found
            .iter()
            .flat_map(|(position, code)| [*position, u64::from(*code)])
            .collect();
        let longest = self.counts.longest;
        let longest = longest.map(|(plies, position)| [u64::from(plies), position]);
        let (grain_code, chunk) = ([code(grain)], [u64::from(chunk_bits)]);
        let mut numbers = vec![
            ("grain", &grain_code[..]),
            ("chunk", &chunk),
            ("waves", &waves),
            ("found", &found),
        ];
        if let Some(begun) = &begun {
            numbers.push(("begun", begun));
        }
        if matches!(grain, Grain::Code(_)) {
            numbers.push(("counts", &self.counts.bytes));
            numbers.push(("longest", longest.as_slice().as_flattened()));
        }
        checkpoint.commit(&numbers, parts)
    }

    /// Makes a checkpoint with a wave that is in memory, and the table as far as it is.
    ///
    /// # Errors
    /// When it cannot be written; an earlier one is untouched.
    pub(super) fn save(
        &self,
        checkpoint: &mut Checkpoint,
        grain: Grain,
        chunk_bits: u32,
        wave: &WaveStreams,
        table: Option<&mut FamilyTableWriter>,
    ) -> Result<(), SolveError> {
        let name = wave_name(wave.sum);
        if checkpoint.lists(&name) {
            return Ok(());
        }
        let mut part = checkpoint.write(&name)?;
        part.put_all(wave.codes.iter().map(|code| code.to_le_bytes()))?;
        part.put_all(wave.places.iter().map(|place| place.to_le_bytes()))?;
        for chunk in &wave.chunks {
            part.put(chunk.bytes())?;
        }
        let mut parts = vec![(name, part.finish()?)];
        if let Some(table) = table {
            parts.push(table.part(checkpoint, wave.sum)?);
        }
        self.commit(checkpoint, grain, chunk_bits, &parts)
    }

    /// The wave of a checkpoint, and the bits of its chunks.
    ///
    /// # Errors
    /// When it is damaged: it has other families than the wave has on this board, or a stream that its chunk
    /// has no room for.
    pub(super) fn load<const G: usize>(
        &self,
        numbers: &Numbers,
        checkpoint: &Checkpoint,
        sweep: &PackedSweep<'_, G>,
    ) -> Result<(WaveStreams, u32), SolveError> {
        let last = self.waves.last().copied().unwrap_or_default();
        let mut part = checkpoint.read(&wave_name(last.sum))?;
        let bits = numbers.get("chunk").and_then(|bits| bits.first());
        let families = last.families;
        let rest = part.bytes().checked_sub(families.saturating_mul(16));
        let (Some(bits @ 10..=30), Some(rest)) = (bits.copied(), rest) else {
            return Err(part.damaged("does not have the families that were counted"));
        };
        if rest % (1 << bits) != 0 {
            return Err(part.damaged("does not end with a chunk"));
        }
        let mut numbers = || -> Result<Vec<u64>, SolveError> {
            let mut numbers = memory::reserved(families as usize)?;
            for _ in 0..families {
                numbers.push(u64::from_le_bytes(part.take()?));
            }
            Ok(numbers)
        };
        let (codes, places) = (numbers()?, numbers()?);
        let mut chunks = Vec::new();
        for _ in 0..rest >> bits {
            let mut chunk = Store::new(1 << bits)?;
            part.fill(chunk.bytes_mut())?;
            chunks.push(chunk);
        }
        part.finish()?;
        if codes != Families::new(sweep.tables, sweep.loops).wave(last.sum)? {
            return Err(checkpoint.refuse("has other families than the board"));
        }
        let room = room(sweep.grain, G) as u64;
        let has_room = |place: &u64| {
            place >> bits < chunks.len() as u64 && (place & ((1 << bits) - 1)) + room <= 1 << bits
        };
        if !places.iter().all(has_room) {
            return Err(checkpoint.refuse("is damaged: it has a stream beyond its chunk"));
        }
        let wave = WaveStreams {
            sum: last.sum,
            codes,
            places,
            chunks,
        };
        Ok((wave, bits as u32))
    }
}

fn sum_is_within(mut counts: impl Iterator<Item = u64>, most: u64) -> bool {
    let sum = counts.try_fold(0_u64, u64::checked_add);
    sum.is_some_and(|sum| sum <= most)
}

/// The part with the streams of a wave.
pub(super) fn wave_name(sum: usize) -> String {
    format!("wave-{sum:03}")
}
