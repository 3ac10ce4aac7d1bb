//! The three ways in which the values of a game are numbered, as one.

use greenwave_game::{Dense, Figures, LEAF_BITS, LeafMask, Metric, Numbering, orbit_size};
use greenwave_table::{IndexScheme, Table};

use crate::dense::{self, DenseTable, DenseValues};
use crate::families::FamilyTable;
use crate::listed::{self, ListedTable, ListedValues};
use crate::numbered::{NumberedValues, OrbitPlace};
use crate::rows::{self, OddsByIndex, OddsSource, OddsTable, SolvedOdds};
use crate::source::ValueSource;
use crate::{ValuesError, codes};

const _: () = assert!(
    LEAF_BITS == greenwave_table::LEAF_BITS,
    "games mask the leaves that tables pack"
);

/// All values of a game in one metric, in memory.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// By index.
    Dense(DenseValues),
    /// By place in a list of positions.
    Listed(ListedValues),
    /// Odds, board by board.
    Rows(SolvedOdds),
}

impl From<DenseValues> for Values {
    fn from(values: DenseValues) -> Values {
        Values::Dense(values)
    }
}

impl From<ListedValues> for Values {
    fn from(values: ListedValues) -> Values {
        Values::Listed(values)
    }
}

impl From<SolvedOdds> for Values {
    fn from(odds: SolvedOdds) -> Values {
        Values::Rows(odds)
    }
}

impl Values {
    /// The metric.
    #[must_use]
    pub fn metric(&self) -> Metric {
        match self {
            Values::Dense(values) => values.metric(),
            Values::Listed(values) => values.metric(),
            Values::Rows(_) => Metric::Odds,
        }
    }

    /// Figures of the unfinished position with an index, for the player to move; none where they are
    /// not held.
    ///
    /// # Panics
    /// When the index is that of no position of the game.
    #[must_use]
    pub fn figures(&self, index: u64) -> Figures {
        match self {
            Values::Dense(values) => values.figures(index),
            Values::Listed(values) => values.figures(index),
            Values::Rows(odds) => odds.figures(index),
        }
    }

    /// Figures of any position, for the player to move; none where they are not held.
    #[must_use]
    pub fn figures_of<G: Dense>(&self, game: &G, position: &G::Position) -> Figures {
        if let Values::Rows(odds) = self {
            let figures = OddsSource::new(game, odds).figures(position);
            return figures.unwrap_or_default();
        }
        match game.ending(position) {
            Some(ending) => codes::ended(self.metric(), &ending),
            None => self.figures(game.index(position)),
        }
    }

    /// Figures of any positions, in their order, in place of what `all` held. Codes are fetched without
    /// looking at them, so that none waits for the one before.
    pub(crate) fn figures_of_all<G: Dense>(
        &self,
        game: &G,
        positions: &[G::Position],
        all: &mut Vec<Figures>,
    ) {
        const MANY: usize = 32;
        all.clear();
        let Values::Dense(values) = self else {
            all.extend(
                positions
                    .iter()
                    .map(|position| self.figures_of(game, position)),
            );
            return;
        };
        for positions in positions.chunks(MANY) {
            let (mut endings, mut indices, mut codes) = ([None; MANY], [0; MANY], [0; MANY]);
            for (number, position) in positions.iter().enumerate() {
                endings[number] = game.ending(position);
                if endings[number].is_none() {
                    indices[number] = game.index(position);
                }
            }
            values.codes_of(&indices[..positions.len()], &mut codes);
            let found = endings.iter().zip(&codes).take(positions.len());
            all.extend(found.map(|(ending, code)| match ending {
                Some(ending) => codes::ended(values.metric(), ending),
                None => dense::CODE.figures(values.metric(), *code),
            }));
        }
    }

    /// Expectations that differ by no more than this are not told apart.
    #[must_use]
    pub fn tie(&self) -> f64 {
        match self {
            Values::Rows(odds) => odds.tie(),
            Values::Dense(_) | Values::Listed(_) => greenwave_game::TIE,
        }
    }

    /// Whether play reaches an index, where that follows from the values.
    #[must_use]
    pub fn reaches(&self, index: u64) -> Option<bool> {
        match self {
            Values::Listed(values) => Some(values.code(index).is_some()),
            Values::Dense(_) | Values::Rows(_) => None,
        }
    }

    /// The numbering of these values.
    #[must_use]
    pub fn numbered<G: Dense>(&self) -> &dyn NumberedValues<G> {
        match self {
            Values::Dense(values) => values,
            Values::Listed(values) => values,
            Values::Rows(odds) => odds,
        }
    }

    /// [`Values::numbered`], of this game.
    #[must_use]
    pub fn numbered_for<G: Dense>(&self, _game: &G) -> &dyn NumberedValues<G> {
        self.numbered()
    }

    /// Values by index.
    #[must_use]
    pub fn as_dense(&self) -> Option<&DenseValues> {
        match self {
            Values::Dense(values) => Some(values),
            Values::Listed(_) | Values::Rows(_) => None,
        }
    }

    /// Values of listed positions.
    #[must_use]
    pub fn as_listed(&self) -> Option<&ListedValues> {
        match self {
            Values::Listed(values) => Some(values),
            Values::Dense(_) | Values::Rows(_) => None,
        }
    }

    /// Odds board by board.
    #[must_use]
    pub fn as_odds(&self) -> Option<&SolvedOdds> {
        match self {
            Values::Rows(odds) => Some(odds),
            Values::Dense(_) | Values::Listed(_) => None,
        }
    }

    /// Bytes that the values take in memory.
    #[must_use]
    pub fn held_bytes(&self) -> u128 {
        match self {
            Values::Dense(values) => values.held_bytes(),
            Values::Listed(values) => values.held_bytes(),
            Values::Rows(odds) => odds.values.held_bytes(),
        }
    }

    /// Bytes that all values of a game in a metric take in memory.
    #[must_use]
    pub fn bytes<G: Dense>(game: &G, metric: Metric) -> u128 {
        match game.numbering() {
            Numbering::Dense => dense::loaded_bytes(game, metric),
            Numbering::Listed => listed::loaded_bytes(game),
            Numbering::Rows(space) => rows::loaded_bytes(*space),
        }
    }
}

/// Values in memory.
#[derive(Debug)]
pub struct SolvedValues<'a, G> {
    game: &'a G,
    values: &'a Values,
}

impl<'a, G: Dense> SolvedValues<'a, G> {
    /// The values of a game.
    #[must_use]
    pub fn new(game: &'a G, values: &'a Values) -> SolvedValues<'a, G> {
        SolvedValues { game, values }
    }
}

impl<G: Dense> ValueSource<G::Position> for SolvedValues<'_, G> {
    type Error = ValuesError;

    fn figures(&self, position: &G::Position) -> Result<Figures, ValuesError> {
        Ok(self.values.figures_of(self.game, position))
    }

    fn figures_of_all(
        &self,
        positions: &[G::Position],
        all: &mut Vec<Figures>,
    ) -> Result<(), ValuesError> {
        self.values.figures_of_all(self.game, positions, all);
        Ok(())
    }

    fn tie(&self) -> f64 {
        self.values.tie()
    }
}

enum TableNumbering<'a, G> {
    Dense(DenseTable<'a, G>),
    Listed(ListedTable<'a>),
    Rows(Box<OddsTable<&'a Table>>),
    Families(Box<FamilyTable<'a>>),
}

/// The values of a game in a table.
pub struct TableValues<'a, G> {
    game: &'a G,
    table: &'a Table,
    metric: Metric,
    stored: TableNumbering<'a, G>,
}

impl<'a, G: Dense> TableValues<'a, G> {
    /// The table of a game.
    ///
    /// # Errors
    /// When the table is of other rules, or of a metric, numbering or size that the game does not
    /// have.
    pub fn new(game: &'a G, table: &'a Table) -> Result<TableValues<'a, G>, ValuesError> {
        let of_families = matches!(table.meta().index_scheme, IndexScheme::Families { .. });
        let stored = match game.numbering() {
            Numbering::Dense if of_families => {
                TableNumbering::Families(Box::new(FamilyTable::new(game, table)?))
            }
            Numbering::Dense => TableNumbering::Dense(DenseTable::new(game, table)?),
            Numbering::Listed => TableNumbering::Listed(ListedTable::new(game, table)?),
            Numbering::Rows(space) => {
                TableNumbering::Rows(Box::new(OddsTable::of_rows(game.rules(), *space, table)?))
            }
        };
        let metric = crate::source::checked(game.rules(), table)?;
        Ok(TableValues {
            game,
            table,
            metric,
            stored,
        })
    }

    /// The metric.
    #[must_use]
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// The table.
    #[must_use]
    pub fn table(&self) -> &'a Table {
        self.table
    }

    /// The table as one of values by index.
    #[must_use]
    pub fn as_dense(&self) -> Option<&DenseTable<'a, G>> {
        match &self.stored {
            TableNumbering::Dense(table) => Some(table),
            TableNumbering::Listed(_) | TableNumbering::Rows(_) | TableNumbering::Families(_) => {
                None
            }
        }
    }

    /// The table as one of families.
    #[must_use]
    pub fn as_families(&self) -> Option<&FamilyTable<'a>> {
        match &self.stored {
            TableNumbering::Families(table) => Some(table),
            TableNumbering::Dense(_) | TableNumbering::Listed(_) | TableNumbering::Rows(_) => None,
        }
    }

    /// All values, those that follow from the rules included, in memory.
    ///
    /// # Errors
    /// When the table cannot be read or is damaged, and of one of families: its board has more positions
    /// than any memory holds.
    pub fn load(&self) -> Result<Values, ValuesError> {
        Ok(match &self.stored {
            TableNumbering::Dense(table) => table.load()?.into(),
            TableNumbering::Listed(table) => table.load(self.game)?.into(),
            TableNumbering::Rows(table) => table.load()?.into(),
            TableNumbering::Families(_) => {
                return Err(ValuesError::Allocation {
                    needed: u64::try_from(dense::loaded_bytes(self.game, self.metric))
                        .unwrap_or(u64::MAX),
                });
            }
        })
    }
}

impl<G: Dense> ValueSource<G::Position> for TableValues<'_, G> {
    type Error = ValuesError;

    fn figures(&self, position: &G::Position) -> Result<Figures, ValuesError> {
        match &self.stored {
            TableNumbering::Dense(table) => table.figures(self.game.index(position)),
            TableNumbering::Listed(table) => table.figures(self.game.index(position)),
            TableNumbering::Rows(table) => {
                OddsSource::new(self.game, table.as_ref()).figures(position)
            }
            TableNumbering::Families(table) => table.figures(self.game.index(position)),
        }
    }

    fn tie(&self) -> f64 {
        match &self.stored {
            TableNumbering::Rows(table) => table.tie(),
            TableNumbering::Dense(_) | TableNumbering::Listed(_) | TableNumbering::Families(_) => {
                greenwave_game::TIE
            }
        }
    }
}

/// Which positions of an orbit a walk comes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Orbits {
    /// All of them.
    All,
    /// As few as are at hand, each with a [weight](Walk::weight).
    Weighed,
}

#[derive(Clone, Copy)]
enum WalkedPositions<'a> {
    // The legal, unfinished ones of the index, or those of it that are marked.
    Indexed(Option<&'a [u64]>),
    // Those of a list; finished ones only if they are wanted.
    Listed(&'a ListedValues, bool),
}

/// Indices that a walk goes through in a reasonable time, at most: those of a board of 21 squares.
const MOST_WALKED: u128 = 1 << 42;

/// A walk over positions of a game, part by part, in the order of their places.
pub struct Walk<'a, G> {
    game: &'a G,
    among: WalkedPositions<'a>,
    orbits: Orbits,
}

impl<'a, G: Dense> Walk<'a, G> {
    /// A walk over all legal, unfinished positions of the index. Where values are those of
    /// reachable positions only, it visits all unfinished positions that play reaches. `None` if
    /// `held`, the values at hand, do not determine those.
    #[must_use]
    pub fn legal(game: &'a G, held: &[&'a Values], orbits: Orbits) -> Option<Walk<'a, G>> {
        let listed = held.iter().find_map(|values| values.as_listed());
        let among = match listed {
            Some(listed) => WalkedPositions::Listed(listed, false),
            None if game.holds_reachable_only() => return None,
            None => WalkedPositions::Indexed(None),
        };
        Some(Walk {
            game,
            among,
            orbits,
        })
    }

    /// Over all positions that play reaches, finished ones included: those whose index has a bit in
    /// `reached`, unless the values at hand tell; `None` where neither does.
    #[must_use]
    pub fn reachable(
        game: &'a G,
        held: &[&'a Values],
        reached: Option<&'a [u64]>,
        orbits: Orbits,
    ) -> Option<Walk<'a, G>> {
        let listed = held.iter().find_map(|values| values.as_listed());
        let among = match (listed, reached) {
            (Some(listed), _) => WalkedPositions::Listed(listed, true),
            (None, Some(words)) if !game.holds_reachable_only() => {
                WalkedPositions::Indexed(Some(words))
            }
            _ => return None,
        };
        Some(Walk {
            game,
            among,
            orbits,
        })
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> &'a G {
        self.game
    }

    /// Whether it visits more indices than anybody would wait for.
    #[must_use]
    pub fn is_endless(&self) -> bool {
        matches!(self.among, WalkedPositions::Indexed(_)) && self.game.indexable() > MOST_WALKED
    }

    /// The position at a place.
    #[must_use]
    pub fn at(&self, place: OrbitPlace) -> Option<G::Position> {
        let position = self.game.at(place.index)?;
        Some(self.game.image(&position, place.symmetry.into()))
    }

    /// The index of a position, where the walk comes by unfinished ones only.
    #[must_use]
    pub fn unfinished(&self, place: OrbitPlace) -> Option<u64> {
        match self.among {
            WalkedPositions::Indexed(None) | WalkedPositions::Listed(_, false) => Some(place.index),
            WalkedPositions::Indexed(Some(_)) | WalkedPositions::Listed(_, true) => None,
        }
    }

    /// Whether something holds for any image, under symmetries, of a position that a walk over all
    /// positions visits earlier. The test gets the image, and its index where the walk knows it to
    /// be unfinished.
    pub fn any_before(
        &self,
        place: OrbitPlace,
        position: &G::Position,
        mut holds: impl FnMut(&G::Position, Option<u64>) -> bool,
    ) -> bool {
        let unfinished = self.unfinished(place);
        match self.among {
            WalkedPositions::Listed(..) => self.game.at(place.index).is_some_and(|listed| {
                (0..place.symmetry.into())
                    .any(|symmetry| holds(&self.game.image(&listed, symmetry), unfinished))
            }),
            WalkedPositions::Indexed(_) => (1..self.game.symmetries()).any(|symmetry| {
                let image = self.game.image(position, symmetry);
                let index = self.game.index(&image);
                index < place.index && holds(&image, unfinished.and(Some(index)))
            }),
        }
    }

    /// The number of positions that one position of the walk stands for.
    #[must_use]
    pub fn weight(&self, position: &G::Position) -> u64 {
        match (self.among, self.orbits) {
            (WalkedPositions::Listed(..), Orbits::Weighed) => orbit_size(self.game, position),
            _ => 1,
        }
    }

    /// Parts of the walk, and how much of the numbering each covers.
    #[must_use]
    pub fn parts(&self) -> (u64, u64) {
        match self.among {
            WalkedPositions::Listed(listed, _) => listed.parts(),
            WalkedPositions::Indexed(_) => {
                let leaves = self.game.indexable().div_ceil(1 << LEAF_BITS) as u64;
                (leaves, 1 << LEAF_BITS)
            }
        }
    }

    /// Hands the positions of a part to `work`, in the order of their places. `mask` is scratch
    /// space.
    pub fn part<T>(
        &self,
        part: u64,
        mask: &mut LeafMask,
        work: impl FnOnce(&mut dyn Iterator<Item = (OrbitPlace, G::Position)>) -> T,
    ) -> T {
        match self.among {
            WalkedPositions::Listed(listed, finished) => {
                let all = self.orbits == Orbits::All;
                work(&mut listed.walk(self.game, part, finished, all))
            }
            WalkedPositions::Indexed(marked) => {
                work(&mut dense::walk(self.game, part, marked, mask))
            }
        }
    }
}
