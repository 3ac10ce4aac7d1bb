//! Sweeps that answer several questions at once: about the positions of a game, and about best play.

use greenwave_game::{AnyPosition, Figures, Metric, VariantGame, with_game};
use greenwave_solver::Solve;
use greenwave_values::{ValueSource, ValuesError};

use crate::atlas::PublishedSource;
use crate::position_sweep::{TimedSweep, swept_metrics};
use crate::theorem::TheoremSource;
use crate::{Budget, Error, Queries, Tablebase};

/// Seconds of each sweep for a game or for best play, where no budget is given.
const PATIENCE: f64 = 30.0;
/// The same for a sweep that settles many positions.
const PATIENCE_FOR_MANY: f64 = 60.0;
/// The same for who wins on the way of best play: without it there is no line at all.
const PATIENCE_FOR_LINE: f64 = 120.0;

impl Queries<'_> {
    /// Settles the last positions of a game by one sweep for each metric: as many as fit the memory and the
    /// budget. Questions about them are then answered at once.
    ///
    /// # Errors
    /// When the work is interrupted.
    pub fn settle_together(&self, positions: &[AnyPosition]) -> Result<(), Error> {
        let Some(seconds) = self.seconds_of_sweep(PATIENCE) else {
            return Ok(());
        };
        with_game!(self.variant, game => {
            let mut positions: Vec<_> = positions.iter().map(|any| game.position(any)).collect();
            let [default, _] = swept_metrics(game);
            positions.retain(|position| !self.tablebase.is_swept(game, default, position));
            self.tablebase.settle_last(game, &positions, seconds)
        })
    }

    /// Settles all of some positions by one sweep, for the default metric or else for the value, if that fits the
    /// memory and the budget. Says whether they are settled then: never where nothing needs to be swept.
    ///
    /// # Errors
    /// When the work is interrupted.
    pub fn settle_all(&self, positions: &[AnyPosition]) -> Result<bool, Error> {
        let Some(seconds) = self.seconds_of_sweep(PATIENCE_FOR_MANY) else {
            return Ok(false);
        };
        with_game!(self.variant, game => {
            let positions: Vec<_> = positions.iter().map(|any| game.position(any)).collect();
            self.tablebase.settle_each(game, &positions, seconds)
        })
    }

    // Seconds that a sweep for many positions may take; none where values are at hand, and where positions are
    // counted: no time is told then.
    fn seconds_of_sweep(&self, usual: f64) -> Option<f64> {
        let seconds = match self.options.budget {
            None => Some(usual),
            budget => Budget::of_sweep(budget),
        };
        seconds.filter(|_| !self.has_values())
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

    // All of some positions in this many seconds for each metric; whether they are settled then.
    fn settle_each<G: Solve>(
        &self,
        game: &G,
        positions: &[G::Position],
        seconds: f64,
    ) -> Result<bool, Error> {
        let mut metrics = swept_metrics(game).to_vec();
        metrics.dedup();
        for metric in metrics {
            let is_open = |position: &&G::Position| !self.is_swept(game, metric, position);
            let open: Vec<G::Position> = positions.iter().filter(is_open).copied().collect();
            if open.is_empty() {
                return Ok(true);
            }
            let sweep = self.sweep_for(game, &open, metric);
            if let Some(sweep) = sweep.filter(|sweep| self.fits_within(sweep, seconds))
                && self.sweep(game, sweep, 2.0 * seconds)? == TimedSweep::Done
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    // As many of the last positions of a game as can be settled in this many seconds for each metric.
    fn settle_last<G: Solve>(
        &self,
        game: &G,
        positions: &[G::Position],
        seconds: f64,
    ) -> Result<(), Error> {
        let [default, value] = swept_metrics(game);
        let mut metrics = vec![(default, seconds)];
        if value != default {
            // Who wins goes before distances at the end of the game: those have what is left, a sixth at least.
            let all = self.sweep_for(game, positions, value);
            let taken = all.map_or(f64::INFINITY, |all| all.cost().seconds);
            let taken = if taken <= seconds * 5.0 / 3.0 {
                taken
            } else {
                seconds * 1.5
            };
            metrics = vec![
                (default, seconds.min(2.0 * seconds - taken)),
                (value, taken),
            ];
        }
        for (metric, seconds) in metrics {
            let within = |first: usize| {
                let sweep = self.sweep_for(game, &positions[first..], metric)?;
                self.fits_within(&sweep, seconds).then_some(sweep)
            };
            // The later a position, the less it can become.
            let (mut low, mut high, mut found) = (0, positions.len(), None);
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

    /// Figures for best play from a position of which no values are at hand: what is published, then sweeps of
    /// what it can become, or a theorem where the first of these, the longest, would take too much. `None` where
    /// neither does.
    pub(crate) fn ahead<'a, G: Solve>(
        &'a self,
        game: &'a G,
        start: &G::Position,
    ) -> Option<FiguresAhead<'a, G>> {
        let [_, value] = swept_metrics(game);
        let sweep = self.sweep_for(game, &[*start], value);
        let is_swept = sweep.is_some_and(|sweep| self.fits_within(&sweep, PATIENCE_FOR_LINE));
        let theorem = TheoremSource::of(game).filter(|source| source.theorem(start).is_some());
        (is_swept || theorem.is_some()).then(|| FiguresAhead {
            tablebase: self,
            game,
            published: PublishedSource::of(game),
            theorem: theorem.filter(|_| !is_swept),
        })
    }
}

/// Figures for best play. Those that are requested together are swept together, with all that a move makes of
/// them: for the default metric as soon as that is quick, else for who wins.
pub(crate) struct FiguresAhead<'a, G> {
    tablebase: &'a Tablebase,
    game: &'a G,
    published: Option<PublishedSource<'a, G>>,
    /// In place of sweeps.
    theorem: Option<TheoremSource<'a, G>>,
}

impl<G: Solve> FiguresAhead<'_, G> {
    // The metric of which figures are there, swept now unless they were before.
    fn swept(&self, positions: &[G::Position]) -> Result<Metric, Error> {
        let FiguresAhead {
            tablebase, game, ..
        } = *self;
        let open = |metric: Metric| {
            let is_open = |position: &G::Position| {
                game.ending(position).is_none()
                    && tablebase.swept_figures(game, metric, position) == Figures::default()
            };
            positions.iter().any(is_open)
        };
        let [default, value] = swept_metrics(game);
        if !open(default) {
            return Ok(default);
        }
        if default != value
            && let Some(sweep) = tablebase.sweep_for(game, positions, default)
            && tablebase.fits_within(&sweep, PATIENCE)
            && tablebase.sweep(game, sweep, 2.0 * PATIENCE)? == TimedSweep::Done
        {
            return Ok(default);
        }
        if open(value)
            && let Some(sweep) = tablebase.sweep_for(game, positions, value)
        {
            tablebase.sweep_or_refuse(game, sweep)?;
        }
        Ok(value)
    }

    // What is published of every one of some positions; `None` where one is left open.
    fn published(&self, positions: &[G::Position]) -> Result<Option<Vec<Figures>>, Error> {
        let Some(published) = &self.published else {
            return Ok(None);
        };
        let of = |position: &G::Position| match self.game.ending(position) {
            Some(_) => Ok(Some(Figures::default())),
            None => published
                .figures(position)
                .map(|figures| figures.value.map(|_| figures)),
        };
        let figures: Result<Option<Vec<Figures>>, ValuesError> = positions.iter().map(of).collect();
        Ok(figures?)
    }
}

impl<G: Solve> ValueSource<G::Position> for FiguresAhead<'_, G> {
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
        all.clear();
        if let Some(published) = self.published(positions)? {
            all.extend(published);
            return Ok(());
        }
        if let Some(theorem) = &self.theorem {
            for position in positions {
                all.push(theorem.figures(position)?);
            }
            return Ok(());
        }
        let metric = self.swept(positions)?;
        let figures = |position| self.tablebase.swept_figures(self.game, metric, position);
        all.extend(positions.iter().map(figures));
        Ok(())
    }
}
