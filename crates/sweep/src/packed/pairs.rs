//! The two neighbouring waves that a packed sweep has at a time, and what their bytes come to.

use greenwave_values::ValuesError;

use super::families::{Families, TASK, Weight};
use super::grain::Grain;

/// A part of the prefixes: one of this number is counted to see how much of two waves is there at a time, or one of
/// more, so that no more than some families are counted, which two cores do in three seconds.
const SEEN: u64 = 16;
const SEEN_FAMILIES: u64 = 100_000_000;

/// One of each orbit of the families of a wave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct WaveSize {
    pub(super) families: u128,
    /// Undecided positions in these families.
    pub(super) positions: u128,
}

/// The two neighbouring waves that take most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct WavePair {
    /// The sum of the levels of far squares of the lower one.
    pub(super) lower: usize,
    /// Bytes of their streams.
    pub(super) bytes: u64,
    /// Bytes of those that are in memory at a time at most, while the lower one is made.
    pub(super) held: u64,
    pub(super) families: u64,
}

impl WavePair {
    /// From what parts of the lower one and of the one above come to, by rising codes.
    pub(super) fn of(lower: usize, here: &[Weight], above: &[Weight], grain: Grain) -> WavePair {
        let (all, all_above) = (Weight::sum(here), Weight::sum(above));
        let mut held = all_above.bytes(grain);
        let mut most = held;
        // Streams up to the code of a family are not needed for the families below it any more.
        for (here, above) in here.iter().zip(above) {
            held += here.bytes(grain);
            most = most.max(held);
            held = held.saturating_sub(above.bytes(grain));
        }
        WavePair {
            lower,
            bytes: all.bytes(grain) + all_above.bytes(grain),
            held: most,
            families: all.families + all_above.families,
        }
    }

    /// The same with how much is in memory at a time as a part of the families shows it, no less than half.
    pub(super) fn seen<const G: usize>(
        self,
        families: &Families<'_, G>,
        grain: Grain,
    ) -> Result<WavePair, ValuesError> {
        let parts = self.families.div_ceil(SEEN_FAMILIES).max(SEEN) as usize;
        let seen = |sum| families.weights(sum, parts);
        let seen = WavePair::of(
            self.lower,
            &seen(self.lower)?,
            &seen(self.lower + 1)?,
            grain,
        );
        let held = u128::from(self.bytes) * u128::from(seen.held) / u128::from(seen.bytes.max(1));
        let held = u64::try_from(held).unwrap_or(u64::MAX);
        Ok(WavePair {
            held: held.max(self.bytes / 2),
            ..self
        })
    }

    /// Bytes that are in memory at a time at most where this many tasks are at work, or done and not yet let
    /// go of: three for each thread.
    pub(super) fn held_by(&self, tasks: u64) -> u64 {
        let tasks = self.task().saturating_mul(tasks);
        self.bytes.min(self.held.saturating_add(tasks))
    }

    /// Bytes of the families of a task, about. A thread that is behind all others takes them in any case.
    pub(super) fn task(&self) -> u64 {
        (TASK as u64).saturating_mul(self.bytes.div_ceil(self.families.max(1)))
    }

    /// A fifth more, where it is estimated.
    pub(super) fn with_margin(self) -> WavePair {
        let more = |count: u64| count.saturating_add(count / 5);
        WavePair {
            bytes: more(self.bytes),
            held: more(self.held),
            families: more(self.families),
            ..self
        }
    }

    /// Of waves that are counted.
    pub(super) fn largest(waves: &[WaveSize], grain: Grain) -> WavePair {
        let bytes = |two: &[WaveSize]| {
            let bytes = two.iter().map(|wave| most_bytes(wave, grain));
            bytes.fold(0, u64::saturating_add)
        };
        let two = |(lower, two): (usize, &[WaveSize])| WavePair {
            lower,
            bytes: bytes(two),
            held: bytes(two),
            families: two.iter().fold(0, |families, wave| {
                saturated(wave.families).saturating_add(families)
            }),
        };
        let all = waves.windows(2).enumerate().map(two);
        all.max_by_key(|two| two.bytes).unwrap_or_default()
    }
}

pub(super) fn saturated(count: u128) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}

/// Bytes of the streams of a wave, at most.
pub(super) fn most_bytes(wave: &WaveSize, grain: Grain) -> u64 {
    // Families that are their own image are counted by halves or less: on 4x5 they have one position in 170
    // of these, on larger boards less.
    let positions = wave.positions + wave.positions / 128;
    saturated(match grain {
        // An entry and a byte for each.
        Grain::Sparse => 7 * positions + 8 * wave.families,
        Grain::Byte | Grain::Code(_) => positions,
        // Each begins with a byte of its own.
        Grain::Bit => positions / 8 + wave.families,
    })
}

/// Bytes of a table of families, at most, whose bits take this many: with keys, counts and an entry for
/// each frame, and a twentieth for what is estimated.
pub(super) fn table_bytes(bits: u64, families: u64) -> u128 {
    let bytes = u128::from(bits) + 8 * u128::from(families) + (32 << 10);
    bytes + bytes / 20
}
