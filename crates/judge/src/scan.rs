//! Going through the positions of a game, part by part in parallel, with results in order.

use greenwave_game::{LeafMask, Squares};
use greenwave_probe::ReachableSet;
use greenwave_solver::grouped;
use greenwave_values::parallel::try_map_parts;
use greenwave_values::{OrbitPlace, Orbits, Progress, Unit, Walk};

use crate::JudgeError;
use crate::expr::{BoundExpression, KnownValues, MoveLists};

/// The positions that a scan visits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Among {
    /// All legal, unfinished positions of the index; where positions are listed, all unfinished ones
    /// that play reaches.
    Legal,
    /// All that play reaches, finished ones included.
    Reachable,
}

// Parts that are worked on before their results are put together.
pub(crate) const BATCH: u64 = 128;

/// Positions to visit.
pub(crate) struct Scan<'a, G>(Walk<'a, G>);

impl<'a, G: Squares> KnownValues<'a, G> {
    /// The positions to visit: those that exist.
    ///
    /// # Errors
    /// When they are too many, when they are listed and no values are there, and when reachable ones
    /// are requested and not known.
    pub(crate) fn scan(&self, among: Among, orbits: Orbits) -> Result<Scan<'a, G>, JudgeError> {
        let scan = self.positions(among, orbits)?;
        if scan.walk().is_endless() {
            Err(JudgeError::refused(format!(
                "{}: {} indices are too many to look at one by one; 'find --sample 10' looks at \
                 positions drawn at random",
                self.game().rules().title(),
                grouped(self.game().indexable())
            )))
        } else {
            Ok(scan)
        }
    }

    /// The positions that there are, however many.
    ///
    /// # Errors
    /// When they are listed and no values are there, and when reachable ones are requested and not
    /// known.
    pub(crate) fn positions(
        &self,
        among: Among,
        orbits: Orbits,
    ) -> Result<Scan<'a, G>, JudgeError> {
        let game = self.game();
        let held = self.held();
        let walk = match among {
            Among::Legal => Walk::legal(game, &held, orbits),
            Among::Reachable => {
                let words = self.reached().map(ReachableSet::words);
                Walk::reachable(game, &held, words, orbits)
            }
        };
        walk.map(Scan).ok_or_else(|| {
            JudgeError::refused(format!(
                "{}: which positions play reaches is not known here",
                game.rules().title()
            ))
        })
    }
}

impl<'a, G: Squares> Scan<'a, G> {
    /// Where the positions come from.
    pub(crate) fn walk(&self) -> &Walk<'a, G> {
        &self.0
    }

    /// Whether an expression holds at a position that the scan goes through, and up to symmetry at
    /// none of the images that come before it: so each orbit with any match gives its first.
    pub(crate) fn keeps(
        &self,
        known: &KnownValues<'_, G>,
        bound: &BoundExpression,
        (place, position): (OrbitPlace, &G::Position),
        up_to_symmetry: bool,
        scratch: &mut MoveLists<G::Move>,
    ) -> bool {
        let walk = &self.0;
        known.holds(bound, position, walk.unfinished(place), scratch)
            && !(up_to_symmetry
                && walk.any_before(place, position, |image, unfinished| {
                    known.holds(bound, image, unfinished, scratch)
                }))
    }

    /// Hands the positions of each part to `work` with fresh state from `begin`, and the results to
    /// `take` in the order of places until it returns false.
    ///
    /// # Errors
    /// When the work is cancelled, and what `take` fails with.
    pub(crate) fn run<T: Send>(
        &self,
        stage: &str,
        progress: &dyn Progress,
        begin: impl Fn() -> T + Sync,
        work: impl Fn(&mut T, &mut dyn Iterator<Item = (OrbitPlace, G::Position)>) + Sync,
        take: impl FnMut(T) -> Result<bool, JudgeError>,
    ) -> Result<(), JudgeError> {
        self.run_in(BATCH, stage, progress, begin, work, take)
    }

    /// The same with the results of `batch` parts in memory at once.
    ///
    /// # Errors
    /// As [`Scan::run`].
    pub(crate) fn run_in<T: Send>(
        &self,
        batch: u64,
        stage: &str,
        progress: &dyn Progress,
        begin: impl Fn() -> T + Sync,
        work: impl Fn(&mut T, &mut dyn Iterator<Item = (OrbitPlace, G::Position)>) + Sync,
        mut take: impl FnMut(T) -> Result<bool, JudgeError>,
    ) -> Result<(), JudgeError> {
        let (parts, size) = self.0.parts();
        // Of the largest boards there is one more than the number holds.
        progress.begin(stage, parts.saturating_mul(size), Unit::Positions);
        let mut next = 0;
        while next < parts {
            if progress.cancelled() {
                return Err(JudgeError::Interrupted);
            }
            let end = parts.min(next + batch);
            // A part is many positions, so it checks for a cancel before each.
            let results: Vec<T> = try_map_parts((end - next) as usize, |part| {
                if progress.cancelled() {
                    return Err(JudgeError::Interrupted);
                }
                let mut state = begin();
                let mut mask = LeafMask::default();
                self.0.part(next + part as u64, &mut mask, |positions| {
                    work(&mut state, positions)
                });
                Ok(state)
            })?;
            for result in results {
                if !take(result)? {
                    return Ok(());
                }
            }
            progress.advance((end - next) * size);
            next = end;
        }
        Ok(())
    }
}
