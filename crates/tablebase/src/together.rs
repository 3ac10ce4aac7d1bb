//! Sweeps that answer several questions at once: about the positions of a game, and about best play.

use greenwave_game::{AnyPosition, Figures, Metric, VariantGame, with_game};
use greenwave_solver::Solve;
use greenwave_values::ValueSource;

use crate::position_sweep::{TimedSweep, swept_metrics};
use crate::{Budget, Error, Queries, Tablebase};

/// Seconds of each sweep for a game or for best play, where no budget is given.
const PATIENCE: f64 = 30.0;

impl Queries<'_> {
    /// Settles the last positions of a game by one sweep for each metric: as many as fit the memory and the
    /// budget. Questions about them are then answered at once.
    ///
    /// # Errors
    /// When the work is interrupted.
    pub fn settle_together(&self, positions: &[AnyPosition]) -> Result<(), Error> {
        let seconds = match self.options.budget {
            None => Some(PATIENCE),
            budget => Budget::of_sweep(budget),
        };
        // No time is shown where positions are counted.
        let Some(seconds) = seconds.filter(|_| self.sources.is_empty()) else {
            return Ok(());
        };
        with_game!(self.variant, game => {
            let mut positions: Vec<_> = positions.iter().map(|any| game.position(any)).collect();
            let [default, _] = swept_metrics(game);
            positions.retain(|position| !self.tablebase.is_swept(game, default, position));
            self.tablebase.settle_last(game, &positions, seconds)
        })
    }
}

impl Tablebase {
    /// Whether sweeps have found a metric of a position and of all its moves.
    fn is_swept<G: Solve>(&self, game: &G, metric: Metric, position: &G::Position) -> bool {
        let is_known = |position: &G::Position| {
            game.ending(position).is_some()
                || self.swept_figures(game, metric, position) != Figures::default()
        };
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        is_known(position)
            && moves
                .iter()
                .all(|mv| is_known(&game.play(position, *mv).to))
    }

    // As many of the last positions of a game as can be settled in this many seconds for each metric.
    fn settle_last<G: Solve>(
        &self,
        game: &G,
        positions: &[G::Position],
        seconds: f64,
    ) -> Result<(), Error> {
        let mut metrics = swept_metrics(game).to_vec();
        metrics.dedup();
        for metric in metrics {
            let within = |first: usize| {
                let sweep = self.sweep_for(game, &positions[first..], metric)?;
                self.fits_within(&sweep, seconds).then_some(sweep)
            };
            // The later a position, the less it can become.
            let mut found = if positions.is_empty() {
                None
            } else {
                within(0)
            };
            let mut high = if found.is_some() { 0 } else { positions.len() };
            let mut low = 0;
            while low < high {
                let first = low.midpoint(high);
                match within(first) {
                    Some(sweep) => {
                        found = Some(sweep);
                        high = first;
                    }
                    None => low = first + 1,
                }
            }
            let done = match found {
                Some(sweep) => self.sweep(game, sweep, 2.0 * seconds)? == TimedSweep::Done,
                None => false,
            };
            // If the default metric is settled, no other sweep is needed.
            if done && high == 0 {
                break;
            }
        }
        Ok(())
    }

    /// Figures for best play from a position, by sweeps of what it can become; `None` where the first of
    /// them, the longest, would take too much.
    pub(crate) fn swept_ahead<'a, G: Solve>(
        &'a self,
        game: &'a G,
        start: &G::Position,
    ) -> Option<SweptAhead<'a, G>> {
        let fitting = |metric: Metric| {
            let sweep = self.sweep_for(game, &[*start], metric)?;
            self.fits_within(&sweep, PATIENCE).then_some(metric)
        };
        let metric = swept_metrics(game).into_iter().find_map(fitting)?;
        Some(SweptAhead {
            tablebase: self,
            game,
            metric,
        })
    }
}

/// Figures of positions that are swept when they are requested, those together that are requested together
/// and all that a move makes of them.
pub(crate) struct SweptAhead<'a, G> {
    tablebase: &'a Tablebase,
    game: &'a G,
    metric: Metric,
}

impl<G: Solve> SweptAhead<'_, G> {
    // What earlier sweeps have found.
    fn known(&self, position: &G::Position) -> Figures {
        self.tablebase
            .swept_figures(self.game, self.metric, position)
    }
}

impl<G: Solve> ValueSource<G::Position> for SweptAhead<'_, G> {
    type Error = Error;

    fn figures(&self, position: &G::Position) -> Result<Figures, Error> {
        let mut all = Vec::new();
        self.figures_of_all(std::slice::from_ref(position), &mut all)?;
        Ok(all.pop().unwrap_or_default())
    }

    fn figures_of_all(
        &self,
        positions: &[G::Position],
        all: &mut Vec<Figures>,
    ) -> Result<(), Error> {
        let open = |position: &G::Position| {
            self.game.ending(position).is_none() && self.known(position) == Figures::default()
        };
        if positions.iter().any(open)
            && let Some(sweep) = self.tablebase.sweep_for(self.game, positions, self.metric)
        {
            self.tablebase.sweep_or_refuse(self.game, sweep)?;
        }
        all.clear();
        all.extend(positions.iter().map(|position| self.known(position)));
        Ok(())
    }
}
