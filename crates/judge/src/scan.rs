//! Going through the positions of a game, part by part in parallel, with results in order.

use std::ops::Range;

use greenwave_game::{LEAF_BITS, LEAF_WORDS, LeafMask, Packing};
use greenwave_probe::Reached;
use greenwave_values::{Listed, Progress, Unit};
use rayon::prelude::*;

use crate::JudgeError;
use crate::expr::{Bound, Known, Spare};
use greenwave_game::Squares;

/// Which positions are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Among {
    /// All legal, unfinished positions of the index; where positions are listed, all unfinished ones
    /// that play reaches.
    Legal,
    /// All that play reaches, finished ones included.
    Reachable,
}

// Parts that are worked on before their results are put together.
const BATCH: u64 = 128;
// Orbits of a list that make a part.
const PART: u64 = 1 << 11;

/// Where positions come from.
#[derive(Clone, Copy)]
pub(crate) enum Universe<'a> {
    /// The legal, unfinished ones of the index, leaf by leaf.
    Legal,
    /// Those of the index that are marked.
    Reached(&'a Reached),
    /// Those of a list, which has one of each orbit; finished ones only if they are wanted.
    Listed { listed: &'a Listed, finished: bool },
}

/// Where a position stands in a universe: by index, and among positions with the same index, which
/// are the images of one under symmetries, by the first symmetry that makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) index: u64,
    pub(crate) symmetry: u8,
}

/// A universe of positions.
pub(crate) struct Scan<'a, G> {
    pub(crate) game: &'a G,
    pub(crate) universe: Universe<'a>,
    // Of a list only the positions that are listed, one of each orbit.
    listed_alone: bool,
}

impl<'a, G: Squares> Known<'a, G> {
    /// The positions that there are; of a list, where `listed_alone`, one of each orbit.
    ///
    /// # Errors
    /// When they are listed and no values are there, and when reachable ones are asked for and not
    /// known.
    pub(crate) fn scan(&self, among: Among, listed_alone: bool) -> Result<Scan<'a, G>, JudgeError> {
        let game = self.game();
        let universe = match (self.list(), among, self.reached()) {
            (Some(listed), ..) => Universe::Listed {
                listed,
                finished: among == Among::Reachable,
            },
            (None, Among::Legal, _) if !game.lists() => Universe::Legal,
            (None, Among::Reachable, Some(reached)) if !game.lists() => Universe::Reached(reached),
            _ => {
                return Err(JudgeError::Refused(format!(
                    "{}: which positions play reaches is not known here",
                    game.rules().name
                )));
            }
        };
        Ok(Scan {
            game,
            universe,
            listed_alone,
        })
    }
}

impl<G: Squares> Scan<'_, G> {
    /// The position at a place.
    pub(crate) fn at(&self, place: Place) -> Option<G::Position> {
        let position = self.game.at(place.index)?;
        Some(self.game.image(&position, place.symmetry.into()))
    }

    /// The index of a position, where the universe has only unfinished ones.
    pub(crate) fn unfinished(&self, place: Place) -> Option<u64> {
        match self.universe {
            Universe::Legal
            | Universe::Listed {
                finished: false, ..
            } => Some(place.index),
            _ => None,
        }
    }

    /// Whether an expression holds at a position that the scan goes through, and up to symmetry at
    /// none of the images that come before it: so each orbit with any match gives its first.
    pub(crate) fn keeps(
        &self,
        known: &Known<'_, G>,
        bound: &Bound,
        (place, position): (Place, &G::Position),
        up_to_symmetry: bool,
        spare: &mut Spare<G::Move>,
    ) -> bool {
        if !known.holds(bound, position, self.unfinished(place), spare) {
            return false;
        }
        if !up_to_symmetry {
            return true;
        }
        if let Universe::Listed { .. } = self.universe {
            let Some(listed) = self.game.at(place.index) else {
                return true;
            };
            let index = self.unfinished(place);
            return !(0..place.symmetry.into()).any(|symmetry| {
                known.holds(bound, &self.game.image(&listed, symmetry), index, spare)
            });
        }
        let unfinished = self.unfinished(place).is_some();
        !(1..self.game.symmetries()).any(|symmetry| {
            let image = self.game.image(position, symmetry);
            let index = self.game.index(&image);
            index < place.index && known.holds(bound, &image, unfinished.then_some(index), spare)
        })
    }

    fn parts(&self) -> (u64, u64) {
        match self.universe {
            Universe::Listed { listed, .. } => {
                let orbits = listed.indices().len() as u64;
                (orbits.div_ceil(PART), PART)
            }
            _ => (
                self.game.indexable().div_ceil(1 << LEAF_BITS) as u64,
                1 << LEAF_BITS,
            ),
        }
    }

    fn mask(&self, leaf: u64, mask: &mut LeafMask) {
        match self.universe {
            Universe::Reached(reached) => {
                let first = leaf as usize * LEAF_WORDS;
                let words = &reached.words()[first..reached.words().len().min(first + LEAF_WORDS)];
                mask.0.fill(0);
                mask.0[..words.len()].copy_from_slice(words);
            }
            _ => self.game.leaf_mask(Packing::Unfinished, leaf, mask),
        }
    }

    // The positions of some orbits of a list.
    fn listed(
        &self,
        listed: &Listed,
        finished: bool,
        orbits: Range<usize>,
    ) -> impl Iterator<Item = (Place, G::Position)> {
        let wanted = if self.listed_alone {
            1
        } else {
            self.game.symmetries()
        };
        listed.indices()[orbits]
            .iter()
            .filter_map(|index| Some((*index, self.game.at(*index)?)))
            .filter(move |(_, position)| finished || self.game.ending(position).is_none())
            .flat_map(move |(index, position)| {
                let mut images: Vec<(Place, G::Position)> = Vec::with_capacity(wanted);
                for symmetry in 0..wanted {
                    let image = self.game.image(&position, symmetry);
                    if images.iter().all(|(_, known)| *known != image) {
                        let symmetry = symmetry as u8;
                        images.push((Place { index, symmetry }, image));
                    }
                }
                images
            })
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
        work: impl Fn(&mut T, &mut dyn Iterator<Item = (Place, G::Position)>) + Sync,
        mut take: impl FnMut(T) -> Result<bool, JudgeError>,
    ) -> Result<(), JudgeError> {
        let (parts, size) = self.parts();
        progress.begin(stage, parts * size, Unit::Positions);
        let mut next = 0;
        while next < parts {
            if progress.cancelled() {
                return Err(JudgeError::Interrupted);
            }
            let end = parts.min(next + BATCH);
            let results: Vec<T> = (next..end)
                .into_par_iter()
                .map_init(LeafMask::default, |mask, part| {
                    let mut state = begin();
                    let first = part * size;
                    if let Universe::Listed { listed, finished } = self.universe {
                        let end = listed.indices().len().min((first + size) as usize);
                        let orbits = first as usize..end;
                        work(&mut state, &mut self.listed(listed, finished, orbits));
                    } else {
                        self.mask(part, mask);
                        let mut positions = mask.places().filter_map(|place| {
                            let index = first + u64::from(place);
                            Some((Place { index, symmetry: 0 }, self.game.at(index)?))
                        });
                        work(&mut state, &mut positions);
                    }
                    state
                })
                .collect();
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
