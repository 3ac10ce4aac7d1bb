//! Values that stay in their table: a request reads its block, and the latest blocks stay in
//! memory.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use greenwave_game::{Dense, Figures, LEAF_BITS, Metric, Numbering};
use greenwave_table::{IndexScheme, KEPT_BYTES, Table};

use crate::ValuesError;
use crate::codes;
use crate::dense::{CODE, DenseTable};
use crate::families::FamilyTable;

/// Leaves that are kept, beside the one that each thread looks at: 8 MiB.
const MOST_LEAVES: usize = 64;

/// The codes of a leaf.
type LeafCodes = Arc<[i16]>;

thread_local! {
    // The leaf that the thread looked at last, of the values with a number.
    static LAST: RefCell<Option<(u64, u64, LeafCodes)>> = const { RefCell::new(None) };
}

/// Values in a table, of which a few are in memory.
///
/// A reader of a lot of values in the order of the index reads each leaf once. A value that cannot
/// be read has no figures, and [`OpenedValues::finish`] says why.
pub struct OpenedValues<'a, G> {
    game: &'a G,
    stored: ValueFile<'a, G>,
    number: u64,
    recent: Mutex<VecDeque<(u64, LeafCodes)>>,
    failure: Mutex<Option<ValuesError>>,
}

enum ValueFile<'a, G> {
    Leaves(DenseTable<'a, G>),
    // The table keeps its frames itself.
    Families(Box<FamilyTable<'a>>),
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'a, G: Dense> OpenedValues<'a, G> {
    /// Bytes that what is in memory of a table takes, at most, where this many threads ask for values.
    #[must_use]
    pub fn bytes(table: &Table, threads: usize) -> u128 {
        match table.meta().index_scheme {
            IndexScheme::Families { .. } => KEPT_BYTES as u128,
            IndexScheme::Dense | IndexScheme::Listed { .. } | IndexScheme::Rows { .. } => {
                ((MOST_LEAVES + threads) as u128) << (LEAF_BITS + 1)
            }
        }
    }

    /// Whether a game's values in a table are by families, or by index and so many that not all leaves
    /// are kept.
    #[must_use]
    pub fn saves_memory(game: &G, table: &Table) -> bool {
        let large = match table.meta().index_scheme {
            IndexScheme::Families { .. } => true,
            IndexScheme::Dense => table.layout().leaves() > MOST_LEAVES as u64,
            IndexScheme::Listed { .. } | IndexScheme::Rows { .. } => false,
        };
        large && matches!(game.numbering(), Numbering::Dense)
    }

    /// The values of a game in a table.
    ///
    /// # Errors
    /// When the table is of other rules, or of a metric, numbering or size that the game does not
    /// have.
    pub fn new(game: &'a G, table: &'a Table) -> Result<OpenedValues<'a, G>, ValuesError> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let families = matches!(table.meta().index_scheme, IndexScheme::Families { .. });
        Ok(OpenedValues {
            game,
            stored: if families {
                ValueFile::Families(Box::new(FamilyTable::new(game, table)?))
            } else {
                ValueFile::Leaves(DenseTable::new(game, table)?)
            },
            number: NUMBER.fetch_add(1, Ordering::Relaxed),
            recent: Mutex::default(),
            failure: Mutex::default(),
        })
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> &'a G {
        self.game
    }

    /// The metric.
    #[must_use]
    pub fn metric(&self) -> Metric {
        match &self.stored {
            ValueFile::Leaves(table) => table.metric(),
            ValueFile::Families(table) => table.metric(),
        }
    }

    /// Figures of the unfinished position with an index, for the player to move.
    #[must_use]
    pub fn figures(&self, index: u64) -> Figures {
        let table = match &self.stored {
            ValueFile::Leaves(table) => table,
            ValueFile::Families(table) => {
                return table.figures(index).unwrap_or_else(|error| {
                    locked(&self.failure).get_or_insert(error);
                    Figures::default()
                });
            }
        };
        let (leaf, place) = (index >> LEAF_BITS, index & ((1 << LEAF_BITS) - 1));
        let code = LAST.with_borrow_mut(|last| {
            if !matches!(last, Some((number, known, _)) if (*number, *known) == (self.number, leaf))
            {
                *last = Some((self.number, leaf, self.leaf(table, leaf)?));
            }
            last.as_ref().map(|(.., codes)| codes[place as usize])
        });
        code.map_or_else(Figures::default, |code| {
            CODE.figures(table.metric(), code.into())
        })
    }

    /// Figures of any position, for the player to move.
    #[must_use]
    pub fn figures_of(&self, position: &G::Position) -> Figures {
        match self.game.ending(position) {
            Some(ending) => codes::ended(self.metric(), &ending),
            None => self.figures(self.game.index(position)),
        }
    }

    fn leaf(&self, table: &DenseTable<'a, G>, leaf: u64) -> Option<LeafCodes> {
        if let Some((_, codes)) = locked(&self.recent)
            .iter()
            .find(|(known, _)| *known == leaf)
        {
            return Some(Arc::clone(codes));
        }
        let codes: LeafCodes = match table.leaf_codes(leaf) {
            Ok(codes) => codes.into_iter().map(|code| code as i16).collect(),
            Err(error) => {
                locked(&self.failure).get_or_insert(error);
                return None;
            }
        };
        let mut recent = locked(&self.recent);
        if recent.len() == MOST_LEAVES {
            recent.pop_front();
        }
        recent.push_back((leaf, Arc::clone(&codes)));
        Some(codes)
    }

    /// Ends the reading.
    ///
    /// # Errors
    /// Why some value could not be read.
    pub fn finish(&self) -> Result<(), ValuesError> {
        locked(&self.failure).take().map_or(Ok(()), Err)
    }
}

#[cfg(test)]
mod tests {
    use greenwave_game::{BoardGame, Game, Metric};

    use super::*;
    use crate::{Codes, DenseValues, Silent, Values, summarise, write_table};

    // Made-up distances: the test reads back the figures that it wrote.
    #[test]
    fn figures_are_those_of_all_values_in_memory() {
        let game = BoardGame::named("classic-2x5").unwrap();
        let made: Vec<u8> = (0..game.indexable())
            .map(|index| (index % 7 + 2) as u8)
            .collect();
        let values = Values::from(DenseValues::new(Metric::Distance, Codes::Bytes(made)));
        let folder = std::env::temp_dir().join(format!("greenwave-opened-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("distance.gwt");
        let summary = summarise(&game, &values);
        write_table(&game, &values, &summary, &path, &Silent).unwrap();
        let table = Table::open(&path).unwrap();
        let (opened, loaded) = (
            OpenedValues::new(&game, &table).unwrap(),
            DenseTable::new(&game, &table).unwrap().load().unwrap(),
        );
        for index in (0..game.indexable() as u64).step_by(11) {
            if let Some(position) = game.at(index).filter(|at| game.ending(at).is_none()) {
                assert_eq!(
                    opened.figures_of(&position),
                    loaded.figures(index),
                    "{index}"
                );
            }
        }
        opened.finish().unwrap();
        drop(opened);
        drop(table);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
