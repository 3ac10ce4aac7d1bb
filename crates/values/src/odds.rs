//! Odds of games with chance: from memory, from a table, and of the positions inside a turn that
//! neither holds.

use std::collections::HashMap;
use std::sync::Arc;

use greenwave_game::{
    BagBase, BagGame, BagRows, Code, Colours, Dense, Figures, Game, HAND_STATES, Metric, Odds,
    PackedStates, TIE, all_odds_by_draws, odds_by_draws,
};
use greenwave_table::{Hash32, LEAF_BITS, Table, ValueKind};
use rayon::prelude::*;

use crate::{OddsValues, ValueSource, ValuesError};

/// Odds by index.
pub trait OddsByIndex: Sync {
    /// The odds of an indexed, unfinished position for the player to move; `None` where they are not
    /// held.
    ///
    /// # Errors
    /// When they cannot be read.
    fn odds(&self, index: u64) -> Result<Option<Odds>, ValuesError>;

    /// The odds of the start of the game, where they are held in full precision.
    fn start(&self) -> Option<Odds>;

    /// Expectations that differ by no more than this are not told apart.
    fn tie(&self) -> f64;
}

/// Odds in memory.
#[derive(Clone, Debug)]
pub struct SolvedOdds {
    /// Odds of the positions at the start of turns.
    pub values: OddsValues,
    /// Odds of the start of the game.
    pub start: Option<Odds>,
    /// Expectations that differ by no more than this are not told apart.
    pub tie: f64,
}

impl OddsByIndex for SolvedOdds {
    fn odds(&self, index: u64) -> Result<Option<Odds>, ValuesError> {
        Ok(self.values.odds(index))
    }

    fn start(&self) -> Option<Odds> {
        self.start
    }

    fn tie(&self) -> f64 {
        self.tie
    }
}

/// A table of odds: single precision, rounded to nearest.
///
/// Probabilities and the expectations of win/loss games are off by at most
/// [`OddsTable::WORST_ERROR`] (where they follow from others, losses by twice and draws by three
/// times as much), expected points as [`OddsTable::worst_error`] says: by at most 2⁻²⁰, about
/// 10⁻⁶, as long as they stay below 32.
#[derive(Debug)]
pub struct OddsTable {
    table: Table,
    rows: Arc<BagRows>,
    code_bits: u32,
    flags: u64,
    parts: u64,
    variant: String,
}

impl OddsTable {
    /// Half the spacing of single precision numbers just below 1: 2⁻²⁵, about 3·10⁻⁸.
    pub const WORST_ERROR: f64 = 1.0 / (1_u64 << 25) as f64;

    /// Largest error of a stored expectation of about that size: half the spacing of single precision
    /// numbers there, and not less than [`OddsTable::WORST_ERROR`].
    #[must_use]
    pub fn worst_error(number: f64) -> f64 {
        let size = (number.abs() as f32).max(0.5);
        f64::from(size.next_up() - size) / 2.0
    }

    /// The table of a game.
    ///
    /// # Errors
    /// When the table is of other rules, or of another metric or size than the game's.
    pub fn new<B: BagBase>(game: &BagGame<B>, table: Table) -> Result<OddsTable, ValuesError> {
        let rules = game.rules();
        table.expect_rules(&Hash32(rules.hash.0))?;
        let rows = Arc::new(BagRows::new(game));
        let (flags, parts) = (game.flags() as u64, game.parts() as u64);
        let expected = rows.rows() * flags * parts * HAND_STATES;
        let (meta, layout) = (table.meta(), table.layout());
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
            return Err(ValuesError::foreign(&table, rules, problem));
        }
        Ok(OddsTable {
            rows,
            code_bits: 2 * game.cells() as u32,
            flags,
            parts,
            variant: rules.name.clone(),
            table,
        })
    }

    /// The table.
    #[must_use]
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The rows of the table.
    #[must_use]
    pub fn rows(&self) -> &Arc<BagRows> {
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
            return Ok(Odds {
                win,
                draw: 1.0 - win - loss,
                loss,
                expectation,
            });
        }
        Err(ValuesError::Foreign {
            file: self.table.path().display().to_string(),
            variant: self.variant.clone(),
            metric: Some(Metric::Odds),
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
        let view = self.table.leaf(leaf)?;
        match view.f32(rank) {
            Some(number) => Ok(number.into()),
            None => Err(ValuesError::Packing {
                file: self.table.path().display().to_string(),
                variant: self.variant.clone(),
                metric: Metric::Odds,
                leaf,
                found: view.count(),
                expected: rank + 1,
            }),
        }
    }

    /// All odds of the table in memory, flag by flag as [`OddsValues`] keeps them.
    ///
    /// # Errors
    /// When the table cannot be read or is damaged.
    pub fn load<B: BagBase>(&self, game: &BagGame<B>) -> Result<SolvedOdds, ValuesError> {
        let mut values = OddsValues::new(game, Arc::clone(&self.rows));
        let numbers = Numbers::read(self)?;
        let rows: Vec<(u64, Box<[[f64; 3]]>)> = (0..self.rows.rows())
            .into_par_iter()
            .map(|row| Ok((row, numbers.row(self, row)?)))
            .collect::<Result<_, ValuesError>>()?;
        rows.into_iter()
            .for_each(|(row, states)| values.insert(row, states));
        Ok(SolvedOdds {
            values,
            start: self.start(),
            tie: self.tie(),
        })
    }
}

// All packed numbers of a table one after the other, and where each row's begin.
struct Numbers {
    numbers: Vec<f32>,
    first: Vec<usize>,
}

impl Numbers {
    fn read(table: &OddsTable) -> Result<Numbers, ValuesError> {
        let planes = (table.flags * table.parts) as usize;
        let counts: Vec<usize> = (0..table.rows.rows())
            .into_par_iter()
            .map(|row| {
                let packed = table.rows.packed(table.rows.row(row).code);
                planes * packed.iter().filter(|packed| **packed).count()
            })
            .collect();
        let mut first = Vec::with_capacity(counts.len());
        let mut total = 0;
        for count in counts {
            first.push(total);
            total += count;
        }
        let leaves = table.table.layout().leaves();
        let parts: Vec<Vec<f32>> = (0..leaves)
            .into_par_iter()
            .map(|leaf| {
                let view = table.table.leaf(leaf)?;
                Ok(view
                    .values()
                    .map(|code| f32::from_bits(code as u32))
                    .collect())
            })
            .collect::<Result<_, ValuesError>>()?;
        let numbers: Vec<f32> = parts.concat();
        if numbers.len() != total {
            return Err(ValuesError::Foreign {
                file: table.table.path().display().to_string(),
                variant: table.variant.clone(),
                metric: Some(Metric::Odds),
                problem: format!("found {} numbers, expected {total}", numbers.len()),
            });
        }
        Ok(Numbers { numbers, first })
    }

    fn row(&self, table: &OddsTable, row: u64) -> Result<Box<[[f64; 3]]>, ValuesError> {
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

impl OddsByIndex for OddsTable {
    fn odds(&self, index: u64) -> Result<Option<Odds>, ValuesError> {
        let (board, state) = (index / HAND_STATES, index % HAND_STATES);
        let code = Code(board & ((1 << self.code_bits) - 1));
        let flag = board >> self.code_bits;
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
        self.table.meta().summary.start.odds.map(|odds| Odds {
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

/// Odds as a source of figures, for any position of the game.
pub struct OddsSource<'a, G: Game> {
    game: &'a G,
    odds: &'a dyn OddsByIndex,
    // Odds of positions without an index that need not be worked out when they are asked for.
    draft: HashMap<G::Position, Odds>,
}

impl<'a, G: Dense> OddsSource<'a, G> {
    /// Odds of a game.
    #[must_use]
    pub fn new(game: &'a G, odds: &'a dyn OddsByIndex) -> OddsSource<'a, G> {
        OddsSource {
            game,
            odds,
            draft: HashMap::new(),
        }
    }

    /// The same with the whole draft worked out at once and kept, some two thousand positions: for
    /// whoever asks about the draft more than once. The figures are the same to the last bit.
    ///
    /// # Errors
    /// When the odds of the empty board are not held or cannot be read.
    pub fn with_draft(
        game: &'a G,
        odds: &'a dyn OddsByIndex,
    ) -> Result<OddsSource<'a, G>, ValuesError> {
        let mut source = OddsSource::new(game, odds);
        source.draft =
            all_odds_by_draws(game, &game.start(), &mut |position| source.held(position))?;
        Ok(source)
    }

    // The odds of a finished or indexed position.
    fn held(&self, position: &G::Position) -> Result<Odds, ValuesError> {
        if let Some(ending) = self.game.ending(position) {
            return Ok(Odds::of_ending(&ending));
        }
        let odds = self.odds.odds(self.game.index(position))?;
        odds.ok_or_else(|| ValuesError::NotHeld {
            variant: self.game.rules().name.clone(),
            position: self.game.position_text(position, Colours::Ryg),
        })
    }
}

impl<G: Dense> ValueSource<G::Position> for OddsSource<'_, G> {
    type Error = ValuesError;

    fn figures(&self, position: &G::Position) -> Result<Figures, ValuesError> {
        if let Some(odds) = self.odds.start().filter(|_| *position == self.game.start()) {
            return Ok(figures(odds, TIE));
        }
        let odds = match self.draft.get(position) {
            Some(odds) => *odds,
            None => odds_by_draws(self.game, position, &mut |position| self.held(position))?,
        };
        // Rounding keeps the sign of a stored expectation; averages of rounded ones can lose it.
        let stored = self.game.has_index(position);
        Ok(figures(odds, if stored { TIE } else { self.odds.tie() }))
    }

    fn tie(&self) -> f64 {
        self.odds.tie()
    }
}

/// Odds and the value that follows from them: the sign of the expectation.
fn figures(odds: Odds, tie: f64) -> Figures {
    let sure = Odds {
        expectation: if odds.expectation.abs() <= tie.max(TIE) {
            0.0
        } else {
            odds.expectation
        },
        ..odds
    };
    Figures {
        value: Some(sure.outcome()),
        odds: Some(odds),
        ..Figures::default()
    }
}
