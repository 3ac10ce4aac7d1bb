//! The packed sweep of what a position can become.
//!
//! Levels only rise, so whatever a position can become has its levels or higher ones: a box of
//! positions. To the packed sweep lower levels are levels that the rules do not have. The plan
//! chooses low and middle squares for the box, and leaves out patterns that the box cannot show.
//! Its symmetries are those that keep the box, or those of the board where a larger box with more
//! symmetries takes less time. One sweep answers for every position in the box that was requested.
//!
//! ```
//! use greenwave_game::{BoardGame, Code, Game, Metric, Plies};
//! use greenwave_sweep::cone::{ConeOptions, plan};
//! use greenwave_values::Silent;
//!
//! let game = BoardGame::named("classic-3x4")?;
//! let position = game.parse_position("R..Y/..../.G.R")?;
//! let mut asked = vec![position];
//! let mut moves = Vec::new();
//! game.moves(&position, &mut moves);
//! asked.extend(moves.iter().map(|mv| game.play(&position, *mv).to));
//! let planned = plan(&game, &asked, Metric::Distance, ConeOptions::default()).ok_or("not treated")?;
//! let figures = planned.run(&Silent)?;
//! let shortest = figures[1..].iter().filter_map(|figures| figures.distance).min();
//! assert_eq!(figures.len(), asked.len());
//! assert!(shortest < figures[0].distance, "no move leads to a game as long as the longest");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::path::{Path, PathBuf};

use greenwave_game::{BoardGame, Cell, Code, Dense, Figures, Game, Metric, Packing};
use greenwave_values::parallel::map_parts;
use greenwave_values::{Progress, Silent, ValuesError, codes};

use super::families::{Families, FamilyEffort, PICKED};
use super::grain::{ByteMeaning, Grain};
use super::layout::{Patterns, groups, moved};
use super::need::{FIXED_BYTES, Need};
use super::pairs::WavePair;
use super::plan::{Cone, is_treated};
use super::solve::{SweepFiles, values};
use super::tables::Tables;
use super::{PackedPlan, near, scratch};
use crate::sweep::Kernel;
use crate::{Cost, PreparedSolve, ScratchUse, SolveError, checkpoint};

/// Families that the plan counts of each wave, where waves are on disk.
const LISTED: f64 = 2e6;

/// How a cone is swept.
#[derive(Clone, Debug)]
pub struct ConeOptions {
    /// Which instructions to use.
    pub kernel: Kernel,
    /// Bytes of memory that may be used.
    pub memory: u64,
    /// A file for waves that outgrow the memory. A sweep continues from one that it was stopped with.
    pub scratch: Option<PathBuf>,
}

impl Default for ConeOptions {
    fn default() -> ConeOptions {
        ConeOptions {
            kernel: Kernel::best(),
            memory: u64::MAX,
            scratch: None,
        }
    }
}

/// Plans the sweep of all successors of some positions, for the figures of each of them in a
/// metric. Gives `None` where the packed sweep does not treat the rules or the metric, or there are
/// no positions.
#[must_use]
pub fn plan<'a>(
    game: &'a BoardGame,
    asked: &[Code],
    metric: Metric,
    way: ConeOptions,
) -> Option<PreparedSolve<'a, Vec<Figures>>> {
    let swept = ConeSweep::new(game, asked, metric, &way)?;
    let cost = swept.cost();
    let memory = way.memory;
    Some(PreparedSolve::new(cost, memory, move |progress| {
        swept
            .counted(&way, progress)?
            .run(way.scratch.as_deref(), progress)
    }))
}

// Positions that are requested, and the sweep that settles those that the rules do not decide.
struct ConeSweep<'a> {
    game: &'a BoardGame,
    metric: Metric,
    asked: Vec<Code>,
    plan: Option<PackedPlan<'a>>,
    // Of the box.
    positions: u128,
}

impl<'a> ConeSweep<'a> {
    fn new(
        game: &'a BoardGame,
        asked: &[Code],
        metric: Metric,
        way: &ConeOptions,
    ) -> Option<ConeSweep<'a>> {
        if !is_treated(game, metric) {
            return None;
        }
        let from = asked.iter().copied().reduce(|a, b| meet(game, a, b))?;
        let open = asked
            .iter()
            .any(|position| !is_decided(game, metric, position));
        let plan = if open {
            Some(chosen(game, from, metric, way.kernel)?)
        } else {
            None
        };
        let plan = plan.map(|plan| PackedPlan {
            watched: asked.iter().map(|position| position.0).collect(),
            ..plan
        });
        let levels = game.board().levels;
        let squares = (0..game.board().shape.cells() as u8).map(Cell);
        let levels = squares.map(|square| u128::from(levels - from.level(square)) + 1);
        Some(ConeSweep {
            game,
            metric,
            asked: asked.to_vec(),
            plan: match plan {
                Some(plan) => Some(plan.weighed_by_estimate(way, None).ok()?),
                None => None,
            },
            positions: levels.product(),
        })
    }

    fn cost(&self) -> Cost {
        let cost = match &self.plan {
            Some(plan) => plan.cost(false),
            None => Cost::of(self.game, self.metric),
        };
        Cost {
            positions: self.positions,
            ..cost
        }
    }

    // With the bytes at work counted where waves are on the disk, which may take minutes; till then they are sampled.
    fn counted(
        mut self,
        way: &ConeOptions,
        progress: &dyn Progress,
    ) -> Result<ConeSweep<'a>, SolveError> {
        let on_disk = matches!(self.cost().scratch, ScratchUse::Taken(_));
        if let Some(plan) = self.plan.take_if(|_| on_disk) {
            self.plan = Some(plan.weighed_by_estimate(way, Some(progress))?);
            self.cost().fits(way.memory)?;
        }
        Ok(self)
    }

    fn run(
        self,
        scratch: Option<&Path>,
        progress: &dyn Progress,
    ) -> Result<Vec<Figures>, SolveError> {
        let keep = SweepFiles {
            scratch,
            every: checkpoint::EVERY,
            ..SweepFiles::default()
        };
        let found = match &self.plan {
            Some(plan) => values(plan, keep, progress)?.0,
            None => Default::default(),
        };
        let number = |code: &u8| match &self.plan {
            Some(plan) => plan.number(*code),
            None => (*code).into(),
        };
        let figures = |position: &Code| match self.game.ending(position) {
            Some(ending) => codes::ended(self.metric, &ending),
            None => {
                let code = found.get(&position.0).map(number);
                let code = code.unwrap_or(codes::won_at_once_code(self.metric));
                codes::decode(self.metric, code)
            }
        };
        Ok(self.asked.iter().map(figures).collect())
    }
}

// The highest position that can become both.
fn meet(game: &BoardGame, a: Code, b: Code) -> Code {
    let squares = (0..game.board().shape.cells() as u8).map(Cell);
    squares.fold(Code::EMPTY, |code, square| {
        code.with(square, a.level(square).min(b.level(square)))
    })
}

// Whether the rules tell what a position is worth in a metric.
fn is_decided(game: &BoardGame, metric: Metric, position: &Code) -> bool {
    game.ending(position).is_some()
        || game.packing(metric) == Packing::Undecided && game.wins_at_once(position)
}

// The sweep that takes least time: of all successors of the images of a position under some
// symmetries, with these symmetries. Gives `None` where nothing in the box is undecided, or there
// are no squares for it.
fn chosen<'a>(
    game: &'a BoardGame,
    from: Code,
    metric: Metric,
    kernel: Kernel,
) -> Option<PackedPlan<'a>> {
    let boxes = boxes(game, from, metric);
    let guessed = boxes.iter().map(|(_, patterns)| near::guesses(patterns));
    let guesses = guessed.enumerate().flat_map(|(number, guesses)| {
        let guesses = guesses.into_iter();
        guesses.map(move |guess| (number, guess))
    });
    let mut guesses: Vec<(usize, near::Guess)> = guesses.collect();
    guesses.sort_by(|(_, a), (_, b)| a.nanoseconds.total_cmp(&b.nanoseconds));
    guesses.truncate(near::GUESSES);
    let layouts = map_parts(guesses.len(), |place| {
        let (number, guess) = &guesses[place];
        (guess.layout(&boxes[*number].1), *number)
    });
    let quickest = layouts.into_iter();
    let quickest = quickest.min_by(|((time, _), _), ((other, _), _)| time.total_cmp(other));
    let ((_, layout), number) = quickest?;
    let (from, patterns) = boxes.into_iter().nth(number)?;
    Some(PackedPlan {
        cone: Some(Cone { from, undecided: 0 }),
        ..PackedPlan::of(game, metric, kernel, patterns, layout)
    })
}

// The boxes of a position and of its images under groups of symmetries, with the patterns that decide in them.
fn boxes(game: &BoardGame, from: Code, metric: Metric) -> Vec<(Code, Patterns)> {
    let board = Patterns::new(game, game.packing(metric));
    // The other look-ups for nimbers and points need whole patterns.
    let lessened = matches!(metric, Metric::Value | Metric::Distance);
    let mut seen: Vec<Code> = Vec::new();
    let mut boxes = Vec::new();
    for symmetries in groups(&board.symmetries) {
        let images = symmetries.iter().map(|to| moved(from, to));
        let from = images.reduce(|a, b| meet(game, a, b)).unwrap_or(from);
        // Larger groups came first.
        if seen.contains(&from) {
            continue;
        }
        seen.push(from);
        let of_group = Patterns {
            symmetries,
            ..board.clone()
        };
        boxes.extend(
            of_group
                .within(from, lessened)
                .map(|patterns| (from, patterns)),
        );
    }
    boxes
}

impl<'a> PackedPlan<'a> {
    // With a progress that may stop it the bytes at work of waves on the disk are counted, else sampled.
    fn weighed_by_estimate(
        mut self,
        way: &ConeOptions,
        counting: Option<&dyn Progress>,
    ) -> Result<PackedPlan<'a>, ValuesError> {
        let scratch = way.scratch.is_some();
        let allowed = u128::from(way.memory);
        let (needs, effort) = if self.layout.fold() == 1 {
            self.estimate::<1>(allowed, scratch, counting)?
        } else {
            self.estimate::<4>(allowed, scratch, counting)?
        };
        self.take(&needs, allowed, FIXED_BYTES, scratch);
        if let Some(cone) = &mut self.cone {
            cone.undecided = (effort.positions * self.layout.symmetries.len() as f64) as u64;
        }
        self.seconds = self.seconds_of(&effort);
        Ok(self)
    }

    fn estimate<const G: usize>(
        &self,
        allowed: u128,
        scratch: bool,
        counting: Option<&dyn Progress>,
    ) -> Result<(Vec<(Grain, Need)>, FamilyEffort), ValuesError> {
        let grains = Grain::of(self.metric);
        let tables = Tables::<G>::new(&self.patterns, self.layout.clone(), Grain::Bit);
        let families = Families::new(&tables, self.loops).watched(counting.unwrap_or(&Silent));
        let (waves, effort) = families.estimated(PICKED);
        let largest = |grain: Grain, size: fn(&WavePair) -> u64| {
            let two = |lower: usize| WavePair::of(lower, &waves[lower], &waves[lower + 1], grain);
            let two = (0..families.most()).map(two).max_by_key(size);
            two.unwrap_or_default()
        };
        let need = |grain: &Grain| -> Result<(Grain, Need), ValuesError> {
            let held = largest(*grain, |two| two.held).with_margin();
            let need = Need::in_memory(&held, *grain, G, effort.blocks);
            let all = largest(*grain, |two| two.bytes).with_margin();
            let on_disk = scratch && need.memory > allowed && grains.last() == Some(grain);
            let in_memory = Need::in_memory(&all, *grain, G, effort.blocks);
            let waves = scratch::WaveOutline {
                tables: &tables,
                families: &families,
                grain: *grain,
                peak: all.lower,
                parts: (effort.families / LISTED).ceil().max(1.0) as usize,
                sampled: counting.is_none(),
                piece: scratch::piece_bytes(u64::try_from(in_memory.waves).unwrap_or(u64::MAX)),
            };
            let allowed = u64::try_from(allowed.saturating_sub(FIXED_BYTES)).unwrap_or(u64::MAX);
            let working = on_disk.then(|| waves.working(allowed)).transpose()?;
            Ok((
                *grain,
                Need {
                    working,
                    waves: in_memory.waves,
                    on_disk: in_memory.on_disk,
                    ..need
                },
            ))
        };
        let needs: Result<Vec<(Grain, Need)>, ValuesError> = grains.iter().map(need).collect();
        Ok((needs?, effort))
    }

    // Seconds on the threads of the current pool.
    fn seconds_of(&self, effort: &FamilyEffort) -> f64 {
        // As measured on positions of 4x5 to 5x6 by AVX-512 (`benches/benches/cone.rs`).
        let nanoseconds = effort.families * 250.0
            + effort.children * 38.0
            + effort.blocks * 10.0
            + effort.added * 2.5;
        let sweeping = self.seconds_of_block(self.loops.instructions(), self.grain)
            / self.seconds_of_block(Kernel::Avx512, Grain::Sparse);
        let law = match self.grain {
            Grain::Sparse | Grain::Byte | Grain::Bit => 1.0,
            Grain::Code(ByteMeaning::Distance) => 0.8,
            Grain::Code(ByteMeaning::Nimber) => 1.6,
            Grain::Code(ByteMeaning::Points) => 1.2,
        };
        nanoseconds * 1e-9 * sweeping * law / rayon::current_num_threads() as f64 + 0.003
    }
}

#[cfg(test)]
mod tests;
