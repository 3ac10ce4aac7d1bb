//! The check of a table of families: every stored value against those of its children, family by
//! family, with one bit for each place.
//!
//! Nothing here is taken over from the sweep that makes such tables: families come from the table and
//! their undecided positions from the rules, pattern by pattern; raises are shifts of whole families.

use greenwave_game::{BoardFamilies, BoardGame, Code, Colours, Dense, FamilyPlace, Game, Outcome};
use greenwave_table::LeafView;
use greenwave_values::parallel::try_map_parts;
use greenwave_values::{FamilyTable, TableValues, ValuesError, codes};

use super::counted;
use crate::verify::{Expected, Found, Verified, conclude};

/// A check of a table of families.
pub struct FamilyCheck<'a> {
    table: &'a TableValues<'a, BoardGame>,
    stored: &'a FamilyTable<'a>,
    game: &'a BoardGame,
    // By symmetry: which place of a family each place of its image is.
    origins: Vec<Vec<u32>>,
}

// What a thread works with.
#[derive(Default)]
struct Work {
    mask: Vec<u64>,
    lost: Vec<u64>,
    reached: Vec<u64>,
    child: Vec<u64>,
    child_lost: Vec<u64>,
}

impl<'a> FamilyCheck<'a> {
    /// The check of a table; `None` where it is not of families.
    #[must_use]
    pub fn new(
        table: &'a TableValues<'a, BoardGame>,
        game: &'a BoardGame,
    ) -> Option<FamilyCheck<'a>> {
        let stored = table.as_families()?;
        let families = stored.families();
        Some(FamilyCheck {
            table,
            stored,
            game,
            origins: (0..families.symmetries())
                .map(|symmetry| {
                    let mut origins = vec![0; families.places()];
                    for (place, image) in (0..).zip(families.turned(symmetry)) {
                        origins[image as usize] = place;
                    }
                    origins
                })
                .collect(),
        })
    }

    /// Peak memory in bytes, at most.
    #[must_use]
    pub fn memory_bytes(&self) -> u128 {
        // Frames that are kept, and what threads work with.
        let origins = self.origins.len() * self.stored.families().places() * 4;
        (64 << 20) + origins as u128
    }

    /// Reads the whole table, its checksums included, and works out every stored value again.
    /// `unfinished` and `undecided` are the positions without a line, and those of them that the table has
    /// to know of; `advance` is told how many stored values are done.
    ///
    /// # Errors
    /// When the table cannot be read or is damaged.
    pub fn run(
        &self,
        unfinished: u64,
        undecided: u64,
        advance: &(dyn Fn(u64) + Sync),
    ) -> Result<Verified, ValuesError> {
        let table = self.stored.table();
        let blocks = table.check()?.frames;
        let parts = try_map_parts(blocks as usize, |frame| {
            let mut checked = Checked::default();
            let mut work = Work::default();
            for (key, family) in table.families(frame as u64)? {
                self.family(key, &family, &mut work, &mut checked)?;
            }
            advance(checked.found.positions);
            Ok::<Checked, ValuesError>(checked)
        })?;
        let mut all = Checked::default();
        for part in parts {
            all.found = all.found.and(part.found);
            all.undecided += part.undecided;
            all.lost += part.lost;
        }
        if all.undecided != undecided {
            all.found.wrong += 1;
            let told = format!(
                "the families stand for {} undecided positions, the rules have {undecided}",
                all.undecided
            );
            all.found.first = all.found.first.or(Some((u64::MAX, told)));
        }
        let counts = [
            (
                codes::value_code(Outcome::Win).into(),
                unfinished - all.lost.min(unfinished),
            ),
            (codes::value_code(Outcome::Loss).into(), all.lost),
        ];
        let expected = Expected {
            rules: self.game.rules(),
            summary: counted(self.table, self.game, &counts)?,
            scheme: table.meta().index_scheme.clone(),
        };
        Ok(conclude(table, blocks, all.found, &expected))
    }

    fn family(
        &self,
        key: u64,
        family: &LeafView,
        work: &mut Work,
        checked: &mut Checked,
    ) -> Result<(), ValuesError> {
        let families = self.stored.families();
        self.stored.expect_count(key, family, &mut work.mask)?;
        spread(family, &work.mask, &mut work.lost);
        let won = self.game.board().levels;
        work.reached.clear();
        work.reached.resize(work.lost.len(), 0);
        raised_inside(families, &work.lost, &mut work.reached);
        for digit in 0..families.far() {
            let level = key >> (2 * digit) & 3;
            if level == u64::from(won) {
                continue;
            }
            let (child, symmetry) = families.stored(key + (1 << (2 * digit)));
            let view = self.stored.family(child, &mut work.child)?;
            spread(&view, &work.child, &mut work.child_lost);
            if symmetry == 0 {
                let words = work.reached.iter_mut().zip(&work.child_lost);
                words.for_each(|(reached, lost)| *reached |= lost);
                continue;
            }
            let origins = &self.origins[symmetry];
            for (number, lost) in work.child_lost.iter().enumerate() {
                let mut rest = *lost;
                while rest != 0 {
                    let origin = origins[64 * number + rest.trailing_zeros() as usize];
                    work.reached[origin as usize / 64] |= 1 << (origin % 64);
                    rest &= rest - 1;
                }
            }
        }
        let least = families.stored(key).0 == key;
        let orbit = families.orbit(key);
        checked.found.positions += u64::from(family.count());
        checked.undecided += orbit * u64::from(family.count());
        for (number, lost) in work.lost.iter().enumerate() {
            checked.lost += orbit * u64::from(lost.count_ones());
            let right = work.mask[number] & !work.reached[number];
            let wrong = if least {
                right ^ lost
            } else {
                work.mask[number]
            };
            checked.found.wrong += u64::from(wrong.count_ones());
            if wrong != 0 && checked.found.first.is_none() {
                let place = 64 * number as u32 + wrong.trailing_zeros();
                let at = FamilyPlace { key, place };
                let position: Code = families.position(at);
                let text = self.game.position_text(&position, Colours::Ryg);
                let told = format!("position {text} has a wrong {}", self.table.metric());
                checked.found.first = Some((self.game.index(&position), told));
            }
        }
        Ok(())
    }
}

#[derive(Default)]
struct Checked {
    found: Found,
    // Positions that the families stand for, and the lost ones of them.
    undecided: u64,
    lost: u64,
}

// The stored values of a family, one bit at each place that it packs.
fn spread(family: &LeafView, mask: &[u64], values: &mut Vec<u64>) {
    values.clear();
    let payload = family.payload();
    let mut rank = 0;
    values.extend(mask.iter().map(|word| {
        let (mut rest, mut bits) = (*word, 0);
        while rest != 0 {
            let bit = u64::from(payload[rank / 8] >> (rank % 8) & 1);
            bits |= bit << rest.trailing_zeros();
            rank += 1;
            rest &= rest - 1;
        }
        bits
    }));
}

// Adds the places from which a raise of a near square leads to a lost one.
fn raised_inside(families: &BoardFamilies<'_>, lost: &[u64], reached: &mut [u64]) {
    // Places in which the square of a digit inside a word can be raised.
    const BELOW: [u64; 3] = [
        0x7777_7777_7777_7777,
        0x0FFF_0FFF_0FFF_0FFF,
        0x0000_FFFF_FFFF_FFFF,
    ];
    let digits = families.places().trailing_zeros() / 2;
    for digit in 0..digits {
        match BELOW.get(digit as usize) {
            Some(below) => {
                for (reached, lost) in reached.iter_mut().zip(lost) {
                    *reached |= lost >> (1 << (2 * digit)) & below;
                }
            }
            None => {
                let step = 1 << (2 * digit - 6);
                for word in (0..lost.len()).filter(|word| word / step % 4 < 3) {
                    reached[word] |= lost[word + step];
                }
            }
        }
    }
}
