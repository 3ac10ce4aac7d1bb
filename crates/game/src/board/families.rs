//! The positions of a board by families: those that agree on the *far* squares, whose levels are the
//! family's key. The levels of the *near* squares number the places in it.

use super::{BoardGame, Play, Supply};
use crate::{Cell, Code, MAX_LEVEL, Packing, Permutation};

use masks::{KeyMasks, WordPattern};

mod masks;

/// Near squares, at most.
const MOST_NEAR: usize = 9;

/// The families of a board under some symmetries, and which of their positions a table packs.
#[derive(Clone, Debug)]
pub struct BoardFamilies<'g> {
    game: &'g BoardGame,
    near: usize,
    // By symmetry, the identity first: from a board to the digits of its image.
    images: Vec<Permutation>,
    back: Permutation,
    masks: KeyMasks,
}

/// Where a position stands: its family, and the place in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FamilyPlace {
    /// The levels of the far squares, two bits each.
    pub key: u64,
    /// The levels of the near squares, two bits each.
    pub place: u32,
}

impl<'g> BoardFamilies<'g> {
    /// The families of a board by squares in the order of digits, this many of them near, under some
    /// symmetries: permutations of the squares, the identity first.
    ///
    /// # Errors
    /// Says why the families do not fit. The squares may not be those of the board. The symmetries
    /// may not be in the rules, or may mix near and far squares. The rules may have a limited
    /// supply, or lines that do not end the game.
    pub fn new(
        game: &'g BoardGame,
        packing: Packing,
        squares: &[u8],
        near: usize,
        symmetries: &[Vec<u8>],
    ) -> Result<BoardFamilies<'g>, String> {
        let board = game.board();
        let cells = board.shape.cells();
        if board.supply != Supply::Unlimited
            || board.play == Play::PlayOn
            || !board.opening.barred.is_empty()
        {
            return Err("its rules are not those of boards in families".into());
        }
        let mut sorted = squares.to_vec();
        sorted.sort_unstable();
        if !sorted.into_iter().map(usize::from).eq(0..cells) || near > MOST_NEAR.min(cells) {
            return Err(format!(
                "{near} near ones of {squares:?} are not squares of its board"
            ));
        }
        let mut digits = vec![Cell(0); cells];
        for (digit, square) in squares.iter().enumerate() {
            digits[usize::from(*square)] = Cell(digit as u8);
        }
        let known = |to: &Vec<u8>| {
            let same = |symmetry: &Permutation| {
                symmetry
                    .cells()
                    .iter()
                    .map(|cell| cell.0)
                    .eq(to.iter().copied())
            };
            let number = game.permutations().iter().position(same)?;
            let keeps = squares[..near]
                .iter()
                .all(|square| digits[usize::from(to[usize::from(*square)])].index() < near);
            keeps.then_some(number)
        };
        let numbers: Option<Vec<usize>> = symmetries.iter().map(known).collect();
        let numbers = numbers.filter(|numbers| {
            let identity = numbers.first().map(|number| &game.permutations()[*number]);
            identity.is_some_and(|one| one.cells().iter().enumerate().all(|(s, c)| s == c.index()))
        });
        let Some(numbers) = numbers else {
            return Err("its symmetries are not those of the rules".into());
        };
        let images = numbers.iter().map(|number| {
            let to = game.permutations()[*number].cells().iter();
            Permutation::new(to.map(|cell| digits[cell.index()]).collect())
        });
        let images: Vec<Permutation> = images.collect();
        let patterns = patterns(game, packing).map(|(mask, value)| {
            let moved = |code: u64| images[0].apply(Code(code)).0;
            let (mask, value) = (moved(mask), moved(value));
            let low = (1_u64 << (2 * near)) - 1;
            WordPattern {
                near: (mask & low, value & low),
                // The three lowest squares choose the bit inside a word, the others the word.
                bits: (0..64)
                    .filter(|bit| bit & mask & low & 63 == value & low & 63)
                    .fold(0, |bits, bit| bits | 1 << bit),
                far: (mask >> (2 * near), value >> (2 * near)),
            }
        });
        let patterns: Vec<WordPattern> = patterns.collect();
        Ok(BoardFamilies {
            game,
            near,
            back: Permutation::new(squares.iter().copied().map(Cell).collect()),
            images,
            masks: KeyMasks::new(near, &patterns),
        })
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> &'g BoardGame {
        self.game
    }

    /// Places of a family: four to the power of the number of near squares.
    #[must_use]
    pub fn places(&self) -> usize {
        1 << (2 * self.near)
    }

    /// Number of far squares.
    #[must_use]
    pub fn far(&self) -> usize {
        self.game.board().shape.cells() - self.near
    }

    fn place(&self, digits: Code) -> FamilyPlace {
        FamilyPlace {
            key: digits.0 >> (2 * self.near),
            place: (digits.0 & (self.places() as u64 - 1)) as u32,
        }
    }

    /// The least image of a position, by key, under the symmetries.
    #[must_use]
    pub fn least(&self, position: Code) -> FamilyPlace {
        self.least_by(position).1
    }

    // With the symmetry that makes it.
    fn least_by(&self, position: Code) -> (usize, FamilyPlace) {
        let images = self.images.iter().enumerate();
        let places = images.map(|(number, image)| (number, self.place(image.apply(position))));
        let least = places.min_by_key(|(_, place)| place.key);
        least.unwrap_or((0, self.place(position)))
    }

    /// The position at a place.
    #[must_use]
    pub fn position(&self, place: FamilyPlace) -> Code {
        self.back
            .apply(Code(place.key << (2 * self.near) | u64::from(place.place)))
    }

    /// The family that is stored for one, and the symmetry that leads to it.
    #[must_use]
    pub fn stored(&self, key: u64) -> (u64, usize) {
        let (symmetry, least) = self.least_by(self.position(FamilyPlace { key, place: 0 }));
        (least.key, symmetry)
    }

    /// Number of families that are images of one, itself included.
    #[must_use]
    pub fn orbit(&self, key: u64) -> u64 {
        let position = self.position(FamilyPlace { key, place: 0 });
        let keys = self
            .images
            .iter()
            .map(|image| self.place(image.apply(position)).key);
        let same = keys.filter(|image| *image == key).count();
        (self.images.len() / same.max(1)) as u64
    }

    /// Where the places of a family are in its image under a symmetry: by place.
    #[must_use]
    pub fn turned(&self, symmetry: usize) -> Vec<u32> {
        let places = 0..self.places() as u32;
        let turned = places.map(|place| {
            let position = self.position(FamilyPlace { key: 0, place });
            self.place(self.images[symmetry].apply(position)).place
        });
        turned.collect()
    }

    /// Number of symmetries.
    #[must_use]
    pub fn symmetries(&self) -> usize {
        self.images.len()
    }

    /// The packed positions of a family: bit `p % 64` of word `p / 64` for place `p`, in place of what
    /// the words were. Gives their number.
    pub fn mask(&self, key: u64, words: &mut Vec<u64>) -> u32 {
        let mut packed = Vec::new();
        self.packed_words(key, &mut packed);
        words.clear();
        words.resize(self.places().div_ceil(64), 0);
        let mut count = 0;
        for (number, word) in packed {
            words[number as usize] = word;
            count += word.count_ones();
        }
        count
    }

    /// The words of [`BoardFamilies::mask`] that are not zero, in order, each with its number before it, in
    /// place of what there was.
    pub fn packed_words(&self, key: u64, words: &mut Vec<(u32, u64)>) {
        self.masks.words(key, words);
    }
}

// The boards that are left out, by what they show.
fn patterns(game: &BoardGame, packing: Packing) -> impl Iterator<Item = (u64, u64)> {
    let board = game.board();
    let cells = board.shape.cells();
    let threats = match packing {
        Packing::Undecided => &game.threats[..],
        Packing::Unfinished => &[],
    };
    let beyond = (0..cells).flat_map(|square| {
        (board.top(Cell(square as u8)) + 1..=MAX_LEVEL)
            .map(move |level| (3 << (2 * square), u64::from(level) << (2 * square)))
    });
    game.targets().chain(threats.iter().copied()).chain(beyond)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dense, Game};

    #[test]
    fn families_pack_what_the_rules_do_not_tell() {
        for (name, squares, near) in [
            ("classic-3x3", [0, 2, 6, 8, 4, 1, 3, 5, 7].to_vec(), 5),
            ("classic-3x3", [4, 0, 2, 6, 8, 1, 3, 5, 7].to_vec(), 1),
            ("classic-3x3:play=misere", (0..9).collect(), 0),
            ("signal-2x4", [0, 3, 4, 7, 1, 2, 5, 6].to_vec(), 4),
            // With squares outside the words of a block, and patterns on squares of all kinds.
            ("classic-2x5", [0, 4, 5, 9, 2, 7, 1, 3, 6, 8].to_vec(), 6),
            ("classic-3x3", [0, 2, 6, 8, 1, 3, 5, 7, 4].to_vec(), 8),
            ("signal-1x9:play=misere", (0..9).collect(), 9),
        ] {
            let game = BoardGame::named(name).unwrap();
            let packing = game.packing(crate::Metric::Value);
            let all: Vec<Vec<u8>> = (game.permutations().iter())
                .map(|symmetry| symmetry.cells().iter().map(|cell| cell.0).collect())
                .collect();
            let families = BoardFamilies::new(&game, packing, &squares, near, &all).unwrap();
            let mut words = Vec::new();
            let turned: Vec<Vec<u32>> = (0..families.symmetries())
                .map(|symmetry| families.turned(symmetry))
                .collect();
            for key in 0..1_u64 << (2 * families.far()) {
                let count = families.mask(key, &mut words);
                let mut packed = 0;
                for place in 0..families.places() as u32 {
                    let position = families.position(FamilyPlace { key, place });
                    let there = game.implied(packing, position.0).is_none();
                    packed += u32::from(there);
                    assert_eq!(words[place as usize / 64] >> (place % 64) & 1 == 1, there);
                    let least = families.least(position);
                    let (stored, symmetry) = families.stored(key);
                    assert_eq!(least.key, stored);
                    if place % 7 == 0 {
                        let image = families.position(least);
                        assert!((0..game.symmetries()).any(|s| game.image(&position, s) == image));
                        assert_eq!(turned[symmetry][place as usize], least.place);
                    }
                }
                assert_eq!(count, packed, "{name} {key}");
            }
        }
    }

    #[test]
    fn orders_that_are_not_of_the_board_are_told() {
        let game = BoardGame::named("classic-2x3").unwrap();
        let identity: Vec<u8> = (0..6).collect();
        let half_turn: Vec<u8> = (0..6).rev().collect();
        let new = |squares: &[u8], near, symmetries: &[Vec<u8>]| {
            let families = BoardFamilies::new(&game, Packing::Undecided, squares, near, symmetries);
            families.map(|families| families.symmetries())
        };
        let all = [identity.clone(), half_turn.clone()];
        assert_eq!(new(&[0, 5, 1, 2, 3, 4], 2, &all), Ok(2));
        assert!(new(&[0, 1, 5, 2, 3, 4], 2, &all).is_err());
        assert!(new(&[0, 5, 1, 2, 3, 3], 2, &all).is_err());
        assert!(new(&identity, 7, std::slice::from_ref(&identity)).is_err());
        assert!(new(&identity, 2, &[half_turn]).is_err());
        assert!(new(&identity, 2, &[vec![1, 0, 2, 3, 4, 5]]).is_err());
    }
}
