//! Odds in a table.

use std::borrow::Borrow;
use std::sync::Arc;

use greenwave_game::{Dense, HAND_STATES, Metric, Numbering, Odds, PackedStates, RowSpace, Rules};
use greenwave_table::{Hash32, LEAF_BITS, Table, ValueKind};

use super::{OddsByIndex, OddsValues, Rows, SolvedOdds};
use crate::ValuesError;
use crate::parallel::{map_parts, try_map_parts};

/// A table of odds: single precision, rounded to nearest.
///
/// Probabilities and the expectations of win/loss games are off by at most
/// [`OddsTable::WORST_ERROR`]. Where they follow from others, losses are off by twice and draws by
/// three times as much. Expected points are off as [`OddsTable::worst_error`] says: by 2⁻²⁰ or
/// less, about 10⁻⁶, while they stay below 32.
#[derive(Debug)]
pub struct OddsTable<T = Table> {
    table: T,
    rows: Arc<Rows>,
    flags: u64,
    parts: u64,
    variant: String,
}

impl OddsTable {
    /// The table of a game.
    ///
    /// # Errors
    /// When the game has no odds, and when the table is of other rules, or of another metric or size
    /// than the game's.
    pub fn new<G: Dense>(game: &G, table: Table) -> Result<OddsTable, ValuesError> {
        match game.numbering() {
            Numbering::Rows(space) => OddsTable::of_rows(game.rules(), *space, table),
            Numbering::Dense | Numbering::Listed => {
                let problem = "found odds, and there is no chance in the game".into();
                Err(ValuesError::foreign(&table, game.rules(), problem))
            }
        }
    }

    /// Half the spacing of single precision numbers just below 1: 2⁻²⁵, about 3·10⁻⁸.
    pub const WORST_ERROR: f64 = 1.0 / (1_u64 << 25) as f64;

    /// Largest error of a stored expectation of about that size: half the spacing of single precision
    /// numbers there, and not less than [`OddsTable::WORST_ERROR`].
    #[must_use]
    pub fn worst_error(number: f64) -> f64 {
        let size = (number.abs() as f32).max(0.5);
        f64::from(size.next_up() - size) / 2.0
    }
}

impl<T: Borrow<Table> + Sync> OddsTable<T> {
    /// The table of a game with these rules and rows.
    pub(crate) fn of_rows(
        rules: &Rules,
        space: RowSpace,
        table: T,
    ) -> Result<OddsTable<T>, ValuesError> {
        let rules_hash = Hash32(rules.hash.0);
        table.borrow().expect_rules(&rules_hash)?;
        let (flags, parts) = (space.flags as u64, space.parts as u64);
        let rows = Arc::new(Rows::new(space));
        let expected = rows.places();
        let (meta, layout) = (table.borrow().meta(), table.borrow().layout());
        let problem = if meta.metric != "odds" || layout.kind != ValueKind::F32 {
            Some(format!(
                "found metric '{}', expected odds in single precision",
                meta.metric
            ))
        } else if meta.indexable != expected {
            Some(format!(
                "found {} indices, expected {expected}",
                meta.indexable
            ))
        } else {
            None
        };
        if let Some(problem) = problem {
            return Err(ValuesError::foreign(table.borrow(), rules, problem));
        }
        Ok(OddsTable {
            rows,
            flags,
            parts,
            variant: rules.name.clone(),
            table,
        })
    }

    /// The table.
    #[must_use]
    pub fn table(&self) -> &Table {
        self.table.borrow()
    }

    /// The rows of the table.
    #[must_use]
    pub fn rows(&self) -> &Arc<Rows> {
        &self.rows
    }

    // The odds of a state; refused where they cannot be those of anything.
    fn possible(&self, [expectation, win, loss]: [f64; 3]) -> Result<Odds, ValuesError> {
        // Each number is rounded, and the last follows from the others.
        let slack = 8.0 * OddsTable::WORST_ERROR;
        let chance = |chance: f64| (-slack..=1.0 + slack).contains(&chance);
        // Points are whole numbers of 16 bits at most.
        let most = if self.parts == 3 { 32_768.0 } else { 1.0 };
        if chance(win) && chance(loss) && chance(win + loss) && expectation.abs() <= most {
            return Ok(Odds::of(win, loss, expectation));
        }
        Err(ValuesError::Foreign {
            file: self.table().path().display().to_string(),
            variant: self.variant.clone(),
            metric: Some(Metric::Odds),
            folder: self.table().folder().clone().into(),
            problem: format!(
                "found a chance of {win} to win and of {loss} to lose, expecting {expectation}, \
                 which cannot be"
            ),
        })
    }

    // The number stored at a place of the table's index.
    fn number(&self, place: u64) -> Result<f64, ValuesError> {
        let leaf = place >> LEAF_BITS;
        let planes = self.flags * self.parts;
        // Packed numbers of the leaf before the place, plane by plane.
        let mut rank = 0;
        let mut at = leaf << LEAF_BITS;
        let mut known: Option<(u64, PackedStates)> = None;
        while at < place {
            let plane = at / HAND_STATES;
            let row = plane / planes;
            let packed = match known {
                Some((number, packed)) if number == row => packed,
                _ => self.rows.packed(self.rows.row(row).code),
            };
            known = Some((row, packed));
            let end = ((plane + 1) * HAND_STATES).min(place);
            let from = (at % HAND_STATES) as usize;
            let states = &packed[from..from + (end - at) as usize];
            rank += states.iter().filter(|packed| **packed).count() as u32;
            at = end;
        }
        let view = self.table().leaf(leaf)?;
        match view.f32(rank) {
            Some(number) => Ok(number.into()),
            None => Err(ValuesError::Packing {
                file: self.table().path().display().to_string(),
                variant: self.variant.clone(),
                metric: Metric::Odds,
                folder: self.table().folder().clone().into(),
                part: format!("leaf {leaf}").into(),
                found: view.count(),
                expected: rank + 1,
            }),
        }
    }

    /// All odds of the table in memory, flag by flag as [`OddsValues`] keeps them.
    ///
    /// # Errors
    /// When the table cannot be read or is damaged.
    pub fn load(&self) -> Result<SolvedOdds, ValuesError> {
        let mut values = OddsValues::new(Arc::clone(&self.rows));
        let numbers = RowFigures::read(self)?;
        let rows = try_map_parts(self.rows.rows() as usize, |row| {
            numbers.row(self, row as u64)
        })?;
        for (row, states) in (0..).zip(rows) {
            values.insert(row, states);
        }
        Ok(SolvedOdds {
            values,
            start: self.start(),
            tie: self.tie(),
        })
    }
}

// All packed numbers of a table one after the other, and where each row's begin.
struct RowFigures {
    numbers: Vec<f32>,
    first: Vec<usize>,
}

impl RowFigures {
    fn read<T: Borrow<Table> + Sync>(table: &OddsTable<T>) -> Result<RowFigures, ValuesError> {
        let planes = (table.flags * table.parts) as usize;
        let counts = map_parts(table.rows.rows() as usize, |row| {
            let packed = table.rows.packed(table.rows.row(row as u64).code);
            planes * packed.iter().filter(|packed| **packed).count()
        });
        let mut first = Vec::with_capacity(counts.len());
        let mut total = 0;
        for count in counts {
            first.push(total);
            total += count;
        }
        let leaves = table.table().layout().leaves() as usize;
        let parts = try_map_parts(leaves, |leaf| {
            let view = table.table().leaf(leaf as u64)?;
            let numbers = view.values().map(|code| f32::from_bits(code as u32));
            Ok::<Vec<f32>, ValuesError>(numbers.collect())
        })?;
        let numbers: Vec<f32> = parts.concat();
        if numbers.len() != total {
            return Err(ValuesError::Foreign {
                file: table.table().path().display().to_string(),
                variant: table.variant.clone(),
                metric: Some(Metric::Odds),
                folder: table.table().folder().clone().into(),
                problem: format!("found {} numbers, expected {total}", numbers.len()),
            });
        }
        Ok(RowFigures { numbers, first })
    }

    fn row<T: Borrow<Table> + Sync>(
        &self,
        table: &OddsTable<T>,
        row: u64,
    ) -> Result<Box<[[f64; 3]]>, ValuesError> {
        let packed = table.rows.packed(table.rows.row(row).code);
        let per_plane = packed.iter().filter(|packed| **packed).count();
        let mut at = self.first[row as usize];
        let mut states = vec![[0.0; 3]; (table.flags * HAND_STATES) as usize];
        for flag in states.chunks_mut(HAND_STATES as usize) {
            let plane =
                |part: usize| &self.numbers[at + part * per_plane..at + (part + 1) * per_plane];
            let held = flag.iter_mut().zip(&packed).filter(|(_, packed)| **packed);
            for (number, (state, _)) in held.enumerate() {
                let [expectation, win] = [0, 1].map(|part| f64::from(plane(part)[number]));
                let loss = match table.parts {
                    3 => plane(2)[number].into(),
                    _ => win - expectation,
                };
                *state = [expectation, win, loss];
                table.possible(*state)?;
            }
            at += table.parts as usize * per_plane;
        }
        Ok(states.into_boxed_slice())
    }
}

impl<T: Borrow<Table> + Sync> OddsByIndex for OddsTable<T> {
    fn odds(&self, index: u64) -> Result<Option<Odds>, ValuesError> {
        let (code, flag, state) = self.rows.space().split(index);
        let Some(row) = self.rows.number(code) else {
            return Ok(None);
        };
        let plane = (row * self.flags + flag) * self.parts;
        let part = |part| self.number((plane + part) * HAND_STATES + state);
        let (expectation, win) = (part(0)?, part(1)?);
        let loss = if self.parts == 3 {
            part(2)?
        } else {
            win - expectation
        };
        self.possible([expectation, win, loss]).map(Some)
    }

    fn start(&self) -> Option<Odds> {
        self.table().meta().summary.start.odds.map(|odds| Odds {
            win: odds.win,
            draw: odds.draw,
            loss: odds.loss,
            expectation: odds.expectation,
        })
    }

    fn tie(&self) -> f64 {
        // Averages of numbers that are each off by the worst error.
        let scale = if self.parts == 3 { 16.0 } else { 4.0 };
        scale * OddsTable::WORST_ERROR
    }
}
