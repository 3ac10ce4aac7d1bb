//! Marks of the positions that play reaches.

use greenwave_game::Dense;
use greenwave_probe::ReachableSet;
use greenwave_tablebase::{Reservation, Tablebase};
use greenwave_values::Unit;

use crate::JudgeError;

/// The positions of a game that play reaches, and the memory that their marks take.
#[derive(Debug)]
pub struct ReachedPositions {
    set: ReachableSet,
    _reserved: Reservation,
}

impl ReachedPositions {
    /// Marks them on the threads of a tablebase, whose progress tells of it. Gives `None` for a game whose
    /// list of positions has no others. The way out ends the message about a lack of memory.
    ///
    /// # Errors
    /// When the marks do not fit the memory, and when the work is cancelled.
    pub fn marked<G: Dense>(
        tablebase: &Tablebase,
        game: &G,
        way_out: &str,
    ) -> Result<Option<ReachedPositions>, JudgeError> {
        if game.holds_reachable_only() {
            return Ok(None);
        }
        let what = format!(
            "marking the reachable positions of {}",
            game.rules().title()
        );
        let _reserved = tablebase.reserve(ReachableSet::bytes(game), &what, way_out)?;
        let progress = tablebase.progress();
        progress.begin(&what, game.indexable() as u64, Unit::Positions);
        let set = tablebase.on_threads(|| ReachableSet::watched(game, progress))?;
        progress.end();
        Ok(Some(ReachedPositions { set, _reserved }))
    }

    /// The set of them.
    #[must_use]
    pub fn set(&self) -> &ReachableSet {
        &self.set
    }
}
