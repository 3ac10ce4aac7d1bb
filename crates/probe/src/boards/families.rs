//! The check of a table of families: every stored value against those of its children, family by
//! family, with one bit for each place.
//!
//! Nothing here is taken over from the sweep that makes such tables: families come from the table and
//! their undecided positions from the rules, pattern by pattern; raises are shifts of words.

use greenwave_game::{BoardFamilies, BoardGame, Code, Dense, FamilyPlace, Game, Outcome};
use greenwave_table::LeafView;
use greenwave_values::parallel::try_map_parts;
use greenwave_values::{FamilyTable, TableValues, ValuesError, codes};

use super::counted;
use crate::verify::{ExpectedMeta, StoredCheck, VerifyResult, conclude};

/// A check of a table of families.
pub struct FamilyCheck<'a> {
    table: &'a TableValues<'a, BoardGame>,
    stored: &'a FamilyTable<'a>,
    game: &'a BoardGame,
    origins: Vec<Origins>,
    spreader: Spreader,
}

// The place in a family from which a symmetry takes each place of its image. It is the union of two
// parts, one for the number of the word and one for the bit in it, since a symmetry moves each
// square independently of the others.
struct Origins {
    words: Vec<u32>,
    bits: [u32; 64],
}

// What a thread works with.
struct CheckBuffers {
    family: FamilyBits,
    child: FamilyBits,
    // All words of a family, zero between families: the places from which a raise leads to a lost one.
    reached: Vec<u64>,
}

// The words of a family that pack positions, each with its number, and the lost ones of these.
#[derive(Default)]
struct FamilyBits {
    packed: Vec<(u32, u64)>,
    lost: Vec<u64>,
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
                .map(|symmetry| Origins::new(&families.turned(symmetry)))
                .collect(),
            spreader: Spreader::new(),
        })
    }

    /// Peak memory in bytes, at most.
    #[must_use]
    pub fn memory_bytes(&self) -> u128 {
        // Frames that are kept, and what threads work with.
        64 << 20
    }

    /// Reads the whole table, its checksums included, and computes every stored value again. The
    /// argument `unfinished` holds the positions without a line, and `undecided` those of them that
    /// the table must store. The function `advance` gets the number of finished values.
    ///
    /// # Errors
    /// When the table cannot be read or is damaged.
    pub fn run(
        &self,
        unfinished: u64,
        undecided: u64,
        advance: &(dyn Fn(u64) + Sync),
    ) -> Result<VerifyResult, ValuesError> {
        let table = self.stored.table();
        let blocks = table.check()?.frames;
        let parts = try_map_parts(blocks as usize, |frame| {
            let mut checked = FamilyFindings::default();
            let mut work = self.work();
            for (key, family) in table.families(frame as u64)? {
                self.family(key, &family, &mut work, &mut checked)?;
            }
            advance(checked.found.positions);
            Ok::<FamilyFindings, ValuesError>(checked)
        })?;
        let mut all = FamilyFindings::default();
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
        let expected = ExpectedMeta {
            rules: self.game.rules(),
            summary: counted(self.table, self.game, &counts)?,
            scheme: table.meta().index_scheme.clone(),
        };
        Ok(conclude(table, blocks, all.found, &expected))
    }

    fn work(&self) -> CheckBuffers {
        CheckBuffers {
            family: FamilyBits::default(),
            child: FamilyBits::default(),
            reached: vec![0; self.stored.families().places().div_ceil(64)],
        }
    }

    fn family(
        &self,
        key: u64,
        family: &LeafView,
        work: &mut CheckBuffers,
        checked: &mut FamilyFindings,
    ) -> Result<(), ValuesError> {
        let families = self.stored.families();
        let CheckBuffers {
            family: here,
            child,
            reached,
        } = work;
        self.spread(key, family, here)?;
        raised_inside(families, here, reached);
        let top = u64::from(self.game.board().levels);
        for digit in 0..families.far() {
            if key >> (2 * digit) & 3 == top {
                continue;
            }
            let (raised, symmetry) = families.stored(key + (1 << (2 * digit)));
            let view = self.stored.table().family(raised)?;
            self.spread(raised, &view, child)?;
            let words = child.packed.iter().zip(&child.lost);
            if symmetry == 0 {
                words.for_each(|((number, _), lost)| reached[*number as usize] |= lost);
                continue;
            }
            let origins = &self.origins[symmetry];
            for ((number, _), lost) in words {
                let word = origins.words[*number as usize];
                let mut rest = *lost;
                while rest != 0 {
                    let origin = word | origins.bits[rest.trailing_zeros() as usize];
                    reached[origin as usize / 64] |= 1 << (origin % 64);
                    rest &= rest - 1;
                }
            }
        }
        let least = families.stored(key).0 == key;
        let orbit = families.orbit(key);
        checked.found.positions += u64::from(family.count());
        checked.undecided += orbit * u64::from(family.count());
        for ((number, packed), lost) in here.packed.iter().zip(&here.lost) {
            checked.lost += orbit * u64::from(lost.count_ones());
            let right = packed & !reached[*number as usize];
            let wrong = if least { right ^ lost } else { *packed };
            checked.found.wrong += u64::from(wrong.count_ones());
            if wrong != 0 && checked.found.first.is_none() {
                let place = 64 * number + wrong.trailing_zeros();
                let at = FamilyPlace { key, place };
                let position: Code = families.position(at);
                let text = self.game.position_text(&position);
                let told = format!("position {text} has a wrong {}", self.table.metric());
                checked.found.first = Some((self.game.index(&position), told));
            }
        }
        reached.fill(0);
        Ok(())
    }

    // Spreads the stored values of a family, of which there are as many as the rules say.
    fn spread(
        &self,
        key: u64,
        family: &LeafView,
        spread: &mut FamilyBits,
    ) -> Result<(), ValuesError> {
        self.stored.families().packed_words(key, &mut spread.packed);
        let expected = self.spreader.spread(family.payload(), spread);
        self.stored.expect_count(key, family.count(), expected)
    }
}

impl Origins {
    fn new(turned: &[u32]) -> Origins {
        let mut origins = vec![0; turned.len()];
        for (place, image) in (0..).zip(turned) {
            origins[*image as usize] = place;
        }
        let mut bits = [0; 64];
        for (bit, origin) in bits.iter_mut().zip(&origins) {
            *bit = *origin;
        }
        Origins {
            words: origins.into_iter().step_by(64).collect(),
            bits,
        }
    }
}

#[derive(Default)]
struct FamilyFindings {
    found: StoredCheck,
    // Positions that the families stand for, and the lost ones of them.
    undecided: u64,
    lost: u64,
}

// Moves stored values to the places of a word, eight places at a time.
struct Spreader {
    // By the packed places among eight, and by eight values: the values at those places.
    moved: Vec<[u8; 256]>,
    counts: [u8; 256],
}

impl Spreader {
    fn new() -> Spreader {
        let mut spreader = Spreader {
            moved: vec![[0; 256]; 256],
            counts: [0; 256],
        };
        for (places, moved) in spreader.moved.iter_mut().enumerate() {
            let packed: Vec<usize> = (0..8).filter(|place| places >> place & 1 == 1).collect();
            spreader.counts[places] = packed.len() as u8;
            for (values, moved) in moved.iter_mut().enumerate() {
                let there = packed.iter().enumerate();
                *moved = there.fold(0, |moved, (rank, place)| {
                    moved | ((values >> rank & 1) << place) as u8
                });
            }
        }
        spreader
    }

    // Puts the lost positions beside the packed ones, and gives the number of these.
    fn spread(&self, payload: &[u8], spread: &mut FamilyBits) -> u32 {
        let mut rank = 0;
        spread.lost.clear();
        spread.lost.extend(spread.packed.iter().map(|(_, packed)| {
            let (mut values, mut lost) = (values_from(payload, rank), 0);
            for (eighth, places) in packed.to_le_bytes().into_iter().enumerate() {
                let moved = self.moved[usize::from(places)][usize::from(values as u8)];
                lost |= u64::from(moved) << (8 * eighth);
                let count = self.counts[usize::from(places)];
                values >>= count;
                rank += u32::from(count);
            }
            lost
        }));
        rank
    }
}

// The 64 values from a rank on; zeros beyond the end.
fn values_from(payload: &[u8], rank: u32) -> u64 {
    let rest = payload.get(rank as usize / 8..).unwrap_or_default();
    let bytes = match rest.first_chunk::<16>() {
        Some(bytes) => *bytes,
        None => {
            let mut bytes = [0; 16];
            bytes[..rest.len()].copy_from_slice(rest);
            bytes
        }
    };
    (u128::from_le_bytes(bytes) >> (rank % 8)) as u64
}

// Adds the places from which a raise of a near square leads to a lost one.
fn raised_inside(families: &BoardFamilies<'_>, family: &FamilyBits, reached: &mut [u64]) {
    // Places in which the square of a digit inside a word can be raised.
    const BELOW: [u64; 3] = [
        0x7777_7777_7777_7777,
        0x0FFF_0FFF_0FFF_0FFF,
        0x0000_FFFF_FFFF_FFFF,
    ];
    let digits = families.places().trailing_zeros() / 2;
    for ((number, _), lost) in family.packed.iter().zip(&family.lost) {
        if *lost == 0 {
            continue;
        }
        let word = &mut reached[*number as usize];
        for (digit, below) in BELOW.iter().enumerate().take(digits as usize) {
            *word |= lost >> (1 << (2 * digit)) & below;
        }
        for digit in 3..digits {
            let shift = 2 * digit - 6;
            if number >> shift & 3 != 0 {
                reached[(number - (1 << shift)) as usize] |= lost;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dice;
    use greenwave_game::Metric;

    #[test]
    fn values_come_to_the_places_that_pack_them() {
        let mut dice = Dice::new(1, 0);
        let spreader = Spreader::new();
        for round in 0..200 {
            // Words of few packed places and of many, all 64 among them.
            let mut spread = FamilyBits::default();
            for number in 0..20 {
                let few = dice.below(u64::MAX) & dice.below(u64::MAX) & dice.below(u64::MAX);
                let word = match round % 3 {
                    0 => few,
                    1 => !few,
                    _ => u64::MAX,
                };
                spread.packed.push((number, word));
            }
            let places = spread.packed.iter().flat_map(|(number, word)| {
                let there = (0..64).filter(move |bit| word >> bit & 1 == 1);
                there.map(move |bit| (*number as usize, bit))
            });
            let places: Vec<(usize, u32)> = places.collect();
            let mut payload = vec![0; places.len().div_ceil(8)];
            let mut expected = vec![0; spread.packed.len()];
            for (rank, (word, bit)) in places.iter().enumerate() {
                let lost = dice.below(2);
                payload[rank / 8] |= (lost << (rank % 8)) as u8;
                expected[*word] |= lost << bit;
            }
            let count = spreader.spread(&payload, &mut spread);
            assert_eq!((count as usize, &spread.lost), (places.len(), &expected));
            // Values that are not there are zeros, and counted all the same.
            let short = spreader.spread(&payload[..payload.len() / 2], &mut spread);
            assert_eq!(short, count);
        }
    }

    #[test]
    fn places_of_an_image_are_those_of_the_family() {
        let game = BoardGame::named("classic-3x3").unwrap();
        let all = game.permutations().iter();
        let all: Vec<Vec<u8>> = all
            .map(|symmetry| symmetry.cells().iter().map(|cell| cell.0).collect())
            .collect();
        let squares = [0, 2, 6, 8, 4, 1, 3, 5, 7];
        let packing = game.packing(Metric::Value);
        let families = BoardFamilies::new(&game, packing, &squares, 5, &all).unwrap();
        assert_eq!(families.symmetries(), 8);
        for symmetry in 0..8 {
            let turned = families.turned(symmetry);
            let origins = Origins::new(&turned);
            for (place, image) in turned.into_iter().enumerate() {
                let (word, bit) = (image as usize / 64, image as usize % 64);
                assert_eq!((origins.words[word] | origins.bits[bit]) as usize, place);
            }
        }
    }

    #[test]
    fn raises_of_near_squares_lead_to_lost_places() {
        let game = BoardGame::named("classic-3x3").unwrap();
        let identity = [(0..9).collect::<Vec<u8>>()];
        let packing = game.packing(Metric::Value);
        let families = BoardFamilies::new(&game, packing, &identity[0], 6, &identity).unwrap();
        let mut dice = Dice::new(2, 0);
        let lost: Vec<u64> = (0..64).map(|_| dice.below(u64::MAX)).collect();
        let spread = FamilyBits {
            packed: (0..64).map(|number| (number, u64::MAX)).collect(),
            lost: lost.clone(),
        };
        let mut reached = vec![0; 64];
        raised_inside(&families, &spread, &mut reached);
        let is = |words: &[u64], place: usize| words[place / 64] >> (place % 64) & 1 == 1;
        for place in 0..4096 {
            let raised = (0..6).filter(|digit| place >> (2 * digit) & 3 < 3);
            let wins = raised.map(|digit| place + (1 << (2 * digit)));
            let wins = wins.into_iter().any(|child| is(&lost, child));
            assert_eq!(is(&reached, place), wins, "{place}");
        }
    }
}
