//! Numbers of families and undecided positions of each wave, without visiting any.

use greenwave_game::MAX_LEVEL;

use super::families::{Families, Weight};
use super::grain::Grain;
use super::pairs::WaveSize;
use super::plan::PackedPlan;
use super::tables::Tables;
use crate::sweep::frontier::{count_avoiding, counting_steps};
use crate::sweep::pattern::Pattern;

/// Numbers that may be added to others to count the waves: more take longer than an estimate is worth.
const QUICK: u128 = 300_000_000;

/// Families that are picked to tell the sizes of waves: of 5x6 within some 15 % of what 6 million tell.
const MANY_PICKED: usize = 100_000;

impl PackedPlan<'_> {
    /// All waves, by the sum of the levels of far squares. They are counted, or where that takes
    /// some seconds or more than some bytes of memory, estimated. Gives `None` where not even all
    /// positions together can be counted.
    pub(super) fn wave_sizes(&self, memory: u128) -> Option<Vec<WaveSize>> {
        if !self.is_quick_to_count() {
            return Some(self.estimated_wave_sizes());
        }
        let (patterns, layout) = (&self.patterns, &self.layout);
        let whole = |waves: Vec<f64>, scale: f64| -> Vec<u128> {
            let whole = waves.into_iter().map(|wave| (wave * scale) as u128);
            whole.collect()
        };
        let positions = match positions_by_wave(self, memory) {
            Some(positions) => positions,
            None => {
                // How they are spread is seen from boards that are filled at random.
                let waves = patterns.undecided_by_far_sum(layout);
                let scale = patterns.undecided()? as f64 / waves.iter().sum::<f64>().max(1.0);
                whole(waves, scale)
            }
        };
        let families = families_by_wave(self, memory)
            .unwrap_or_else(|| whole(patterns.families_by_far_sum(layout), 1.0));
        Some(sizes_of(self, positions, families))
    }

    /// Whether counting takes no more than a few seconds.
    pub(super) fn is_quick_to_count(&self) -> bool {
        let patterns = &self.patterns;
        let order = patterns.narrow_order(&patterns.deciding);
        // Counting families takes less.
        counting_steps(&order, MAX_LEVEL, &patterns.deciding, weighed(self)) <= QUICK
    }

    /// All waves, as some families that are picked at random show them.
    pub(super) fn estimated_wave_sizes(&self) -> Vec<WaveSize> {
        if self.layout.fold() == 1 {
            self.picked_wave_sizes::<1>()
        } else {
            self.picked_wave_sizes::<4>()
        }
    }

    fn picked_wave_sizes<const G: usize>(&self) -> Vec<WaveSize> {
        let tables = Tables::<G>::new(&self.patterns, self.layout.clone(), Grain::Bit);
        let (waves, _) = Families::new(&tables, self.loops).estimated(MANY_PICKED);
        let size = |wave: &Vec<Weight>| {
            let weight = Weight::sum(wave);
            WaveSize {
                families: weight.families.into(),
                positions: weight.positions().into(),
            }
        };
        waves.iter().map(size).collect()
    }

    /// The same by filling the board square by square, which is exact but for families that are their own
    /// image; `None` where that takes more than some bytes of memory.
    pub(super) fn counted_wave_sizes(&self, memory: u128) -> Option<Vec<WaveSize>> {
        let positions = positions_by_wave(self, memory)?;
        let families = families_by_wave(self, memory)?;
        Some(sizes_of(self, positions, families))
    }
}

// The levels of far squares, by whose sum waves are distinguished.
fn weighed(plan: &PackedPlan<'_>) -> u64 {
    let far = plan.layout.far.iter();
    far.fold(0, |mask, square| mask | 3_u64 << (2 * square))
}

fn positions_by_wave(plan: &PackedPlan<'_>, memory: u128) -> Option<Vec<u128>> {
    let patterns = &plan.patterns;
    let order = patterns.narrow_order(&patterns.deciding);
    count_avoiding(&order, MAX_LEVEL, &patterns.deciding, weighed(plan), memory)
}

fn families_by_wave(plan: &PackedPlan<'_>, memory: u128) -> Option<Vec<u128>> {
    let weighed = weighed(plan);
    let deciding = plan.patterns.deciding.iter().copied();
    let outer: Vec<Pattern> = deciding
        .filter(|pattern| pattern.mask & !weighed == 0)
        .collect();
    let order = plan.patterns.narrow_order(&outer).into_iter();
    let order: Vec<u32> = order
        .filter(|square| weighed >> (2 * square) & 1 == 1)
        .collect();
    count_avoiding(&order, MAX_LEVEL, &outer, weighed, memory)
}

// Up to symmetry, of what is not.
fn sizes_of(plan: &PackedPlan<'_>, positions: Vec<u128>, families: Vec<u128>) -> Vec<WaveSize> {
    let symmetries = plan.layout.symmetries.len() as u128;
    let size = |(positions, families): (u128, u128)| WaveSize {
        families: families.div_ceil(symmetries),
        positions: positions.div_ceil(symmetries),
    };
    positions.into_iter().zip(families).map(size).collect()
}
