//! What a solve will take, before it starts.

use greenwave_game::{Dense, Game, Metric, Variant, with_game};

use crate::SolveError;
use crate::sweep::{Options, Plan};

/// Codes of all indices that no memory holds, in bytes.
const BEYOND: u128 = 1 << 38;

/// Memory, disk and time of a solve.
#[derive(Clone, Debug)]
pub struct Estimate {
    /// The variant.
    pub variant: String,
    /// The metric.
    pub metric: Metric,
    /// Indexable positions; where positions are listed, those that play reaches, or rather more.
    pub positions: u128,
    /// Peak memory in bytes.
    pub memory_bytes: u128,
    /// Table size in bytes, at most; 0 where none is wanted.
    pub table_bytes: u128,
    /// Bytes that checkpoints take on disk beside the table, at most; 0 where there are none.
    pub checkpoint_bytes: u128,
    /// Seconds on the threads of the current rayon pool, roughly.
    pub seconds: f64,
}

impl Estimate {
    /// Bytes of disk, at most.
    #[must_use]
    pub fn disk_bytes(&self) -> u128 {
        self.table_bytes.saturating_add(self.checkpoint_bytes)
    }

    /// Checks the memory against a limit in bytes.
    ///
    /// # Errors
    /// When the plan needs more.
    pub fn fits(&self, memory: u64) -> Result<(), SolveError> {
        if self.memory_bytes <= u128::from(memory) {
            return Ok(());
        }
        Err(SolveError::Memory {
            variant: self.variant.clone(),
            metric: self.metric,
            needed: self.memory_bytes,
            allowed: memory,
        })
    }
}

/// What solving a variant in a metric will take, with all values in memory.
///
/// # Errors
/// When the metric does not exist for the variant, or no engine solves it.
pub fn estimate(variant: &Variant, metric: Metric) -> Result<Estimate, SolveError> {
    let rules = variant.rules();
    if !rules.metrics.contains(&metric) {
        return Err(SolveError::Metric {
            variant: rules.name.clone(),
            metric,
            allowed: rules.metrics.clone(),
        });
    }
    if let Some(game) = variant.as_board() {
        let plainly = plainly(game, metric);
        // Far beyond memory, and planning would take longer than the answer is worth.
        if plainly.table_bytes >= BEYOND {
            return Ok(plainly);
        }
        let options = Options {
            leaves: true,
            ..Options::default()
        };
        return Ok(match Plan::new(game, metric, options) {
            Some(plan) => Estimate {
                memory_bytes: plainly.table_bytes + plan.memory_bytes(),
                // Solved, and then spread over the whole index.
                seconds: plan.seconds() + plainly.seconds / 20.0,
                ..plainly
            },
            None => plainly,
        });
    }
    if let Some(game) = variant.as_strip() {
        let positions = game.indexable();
        let rate = crate::loopy::positions_per_second(metric) * rayon::current_num_threads() as f64;
        return Ok(Estimate {
            variant: rules.name.clone(),
            metric,
            positions,
            memory_bytes: positions * crate::loopy::BYTES_PER_POSITION + (64 << 20),
            table_bytes: positions,
            // Two bytes each, twice while one is written beside another.
            checkpoint_bytes: 4 * positions,
            seconds: positions as f64 / rate,
        });
    }
    if let Some(game) = variant.as_ampel() {
        let positions = game.expected_positions();
        let listed = positions / game.symmetries() as u128;
        let per_position = u128::from(crate::retrograde::BYTES_PER_POSITION);
        let rate = crate::retrograde::POSITIONS_PER_SECOND * rayon::current_num_threads() as f64;
        return Ok(Estimate {
            variant: rules.name.clone(),
            metric,
            positions,
            memory_bytes: listed.saturating_mul(per_position).saturating_add(16 << 20),
            table_bytes: listed.saturating_mul(8),
            checkpoint_bytes: listed.saturating_mul(crate::retrograde::CHECKPOINT_BYTES.into()),
            seconds: positions as f64 / rate,
        });
    }
    if let Some(game) = variant.as_bag() {
        return Ok(crate::chance::estimate(game, true));
    }
    if let Some(game) = variant.as_bag_strip() {
        return Ok(crate::chance::estimate(game, true));
    }
    // Backward, where moves lead to higher indices.
    with_game!(variant, game => match game.block_len() {
        Some(_) => Ok(plainly(game, metric)),
        None => Err(SolveError::NoEngine {
            variant: rules.name.clone(),
        }),
    })
}

/// What solving a game position by position will take.
pub(crate) fn plainly<G: Dense>(game: &G, metric: Metric) -> Estimate {
    let positions = game.indexable();
    let width = if metric == Metric::Points { 2 } else { 1 };
    let rate = crate::plain::POSITIONS_PER_SECOND * rayon::current_num_threads() as f64;
    Estimate {
        variant: game.rules().name.clone(),
        metric,
        positions,
        memory_bytes: positions.saturating_mul(width).saturating_add(16 << 20),
        table_bytes: positions.saturating_mul(width),
        checkpoint_bytes: positions.saturating_mul(2 * width),
        seconds: positions as f64 / rate,
    }
}
