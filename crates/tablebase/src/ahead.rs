//! Solving a variant, or sweeping what a position can become, before questions are asked.

use greenwave_game::{At, Figures, Metric, Rules, Variant, VariantGame, with_game};
use greenwave_solver::Solve;

use crate::position_sweep::{PositionSweep, TimedSweep, swept_metrics};
use crate::sources::{all_metrics, memory_of};
use crate::{Error, Tablebase};

/// What [`Tablebase::solve_ahead`] or [`Tablebase::sweep_ahead`] will take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prospect {
    /// Seconds, roughly.
    pub seconds: f64,
    /// Bytes of memory at most.
    pub memory: u128,
    /// Whether the values are there already, and the default metric alone is left.
    pub has_values: bool,
}

impl Tablebase {
    /// The cost of solving a variant in memory, so that questions about it need neither a table nor
    /// a search. Gives `None` if its values are there already, do not fit the memory, or no engine
    /// solves it.
    #[must_use]
    pub fn prospect(&self, variant: &Variant) -> Option<Prospect> {
        if self.is_at_hand(variant) {
            return None;
        }
        let plans = self.plans(variant, &told(variant.rules())).ok()?;
        let memory = memory_of(&plans);
        let planned = plans.iter().filter_map(|(_, planned)| planned.as_ref());
        let seconds = planned.map(|planned| planned.cost().seconds).sum();
        self.limit().allows(memory).then_some(Prospect {
            seconds,
            memory,
            has_values: false,
        })
    }

    /// Solves a variant in memory for all that a query tells, the default metric first.
    ///
    /// # Errors
    /// When the work is cancelled, and when the solutions do not fit the memory.
    pub fn solve_ahead(&self, variant: &Variant) -> Result<(), Error> {
        for metric in told(variant.rules()) {
            self.values(variant, metric)?;
        }
        Ok(())
    }
}

/// How far sweeps go ahead of questions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SweepAhead {
    /// Plies after the position whose values are to be known, too: 1 for its moves, 2 for replies to them.
    pub plies: usize,
    /// Whether the default metric is to be known as well, not the value alone.
    pub default_metric: bool,
    /// Longest sweep, in seconds as estimated.
    pub seconds: f64,
}

impl Tablebase {
    /// The cost of sweeping what a position can become, so that questions about it are answered at once.
    /// Gives `None` where they are anyway, and where no sweep fits the memory and the time.
    #[must_use]
    pub fn sweep_prospect(&self, at: &At, ahead: SweepAhead) -> Option<Prospect> {
        if self.is_at_hand(at.variant()) {
            return None;
        }
        with_game!(&**at.variant(), game => {
            let position = game.position(at.position());
            let sweeps = self.sweeps_ahead(game, &position, ahead);
            let costs = || sweeps.iter().map(|sweep| sweep.cost());
            let memory = costs().map(|cost| cost.memory_bytes).max()?;
            let seconds = costs().map(|cost| cost.seconds).sum();
            let [default, value] = swept_metrics(game);
            let has_values =
                default != value && self.is_known_ahead(game, value, &position, ahead.plies);
            Some(Prospect {
                seconds,
                memory,
                has_values,
            })
        })
    }

    /// Sweeps what a position can become, the metric that is soonest done first; whether the memory was
    /// free. What is found is kept for questions.
    ///
    /// # Errors
    /// When the work is cancelled.
    pub fn sweep_ahead(&self, at: &At, ahead: SweepAhead) -> Result<bool, Error> {
        if self.is_at_hand(at.variant()) {
            return Ok(true);
        }
        with_game!(&**at.variant(), game => {
            for sweep in self.sweeps_ahead(game, &game.position(at.position()), ahead) {
                if self.sweep(game, sweep, f64::INFINITY)? == TimedSweep::Busy {
                    return Ok(false);
                }
            }
            Ok(true)
        })
    }

    /// The sweeps that are left to do, the soonest done first.
    fn sweeps_ahead<'g, G: Solve + VariantGame>(
        &self,
        game: &'g G,
        position: &G::Position,
        ahead: SweepAhead,
    ) -> Vec<PositionSweep<'g, G::Position>> {
        let [default, value] = swept_metrics(game);
        let is_open = |metric: &Metric| !self.is_known_ahead(game, *metric, position, ahead.plies);
        // The default metric gives the value, too.
        if !is_open(&default) {
            return Vec::new();
        }
        let mut metrics = vec![value];
        if ahead.default_metric && default != value {
            metrics.push(default);
        }
        metrics.retain(is_open);
        let sweep = |metric| self.sweep_for(game, &[*position], metric);
        let mut sweeps: Vec<_> = metrics.into_iter().filter_map(sweep).collect();
        sweeps.retain(|sweep| self.fits_within(sweep, ahead.seconds));
        sweeps.sort_by(|one, other| one.cost().seconds.total_cmp(&other.cost().seconds));
        sweeps
    }

    /// Whether a metric of a position, and of what so many plies make of it, is known without more work, or the
    /// best moves are.
    fn is_known_ahead<G: Solve>(
        &self,
        game: &G,
        metric: Metric,
        position: &G::Position,
        plies: usize,
    ) -> bool {
        if game.ending(position).is_some() {
            return true;
        }
        let is_swept = self.swept_figures(game, metric, position) != Figures::default();
        let has_best = (plies <= 1 || !is_swept)
            && matches!(self.known(game, position), Ok(Some(known)) if known.found.best > 0);
        if plies <= 1 && has_best {
            return true;
        }
        if !is_swept && !has_best {
            return false;
        }
        let mut moves = Vec::new();
        if plies > 0 {
            game.moves(position, &mut moves);
        }
        moves.iter().all(|mv| {
            let to = game.play(position, *mv).to;
            self.is_known_ahead(game, metric, &to, plies - 1)
        })
    }
}

/// The metrics that a query tells, the default one first.
fn told(rules: &Rules) -> Vec<Metric> {
    let mut metrics = all_metrics(rules);
    metrics.sort_by_key(|metric| *metric != rules.default_metric);
    metrics
}
