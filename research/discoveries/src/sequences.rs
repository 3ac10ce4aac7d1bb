//! Numbers of boards along their files, as sequences of whole numbers.

use serde::{Deserialize, Serialize};

use crate::exact::{add, inverse, mul};
use crate::recurrence::{Recurrence, Terms, digits, proved};
use crate::transfer::{Heaviest, Invariance, InvariantBoards, Kind, heaviest};

/// How boards are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BoardCounting {
    /// Each.
    All,
    /// Those that a symmetry of the rectangle turns into each other once. Boards that are square have
    /// more symmetries, which are left aside.
    UpToSymmetry,
}

/// Boards of a number of ranks and 1, 2, … files, counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sequence {
    /// Which boards.
    pub kind: Kind,
    /// How they are counted.
    pub counted: BoardCounting,
    /// The number of ranks.
    pub ranks: u32,
    /// States of building, and the order that the counts have at most.
    pub states: [usize; 2],
    /// The counts for 1, 2, … files.
    pub terms: Vec<String>,
    /// The shortest recurrence, proved; nothing where its order was not sought.
    pub recurrence: Option<Recurrence>,
}

/// Counts of boards up to symmetry: the mean of the boards that each symmetry keeps (Burnside).
struct Orbits {
    ranks: u32,
    parts: Vec<InvariantBoards>,
}

impl Orbits {
    fn new(kind: Kind, ranks: u32, counted: BoardCounting) -> Orbits {
        let symmetries: &[Invariance] = match (counted, ranks) {
            (BoardCounting::All, _) => &[Invariance::All],
            (BoardCounting::UpToSymmetry, 1) => &[Invariance::All, Invariance::LeftRight],
            (BoardCounting::UpToSymmetry, _) => &[
                Invariance::All,
                Invariance::TopBottom,
                Invariance::LeftRight,
                Invariance::HalfTurn,
            ],
        };
        Orbits {
            ranks,
            parts: symmetries
                .iter()
                .map(|fixed| InvariantBoards::new(kind, ranks, *fixed))
                .collect(),
        }
    }

    fn order(&self) -> usize {
        self.parts.iter().map(InvariantBoards::order).sum()
    }
}

impl Terms for Orbits {
    fn modulo(&self, count: usize, prime: u64) -> Vec<u64> {
        let mut sums = vec![0; count];
        for part in &self.parts {
            for (sum, term) in sums.iter_mut().zip(part.terms(count, prime)) {
                *sum = add(*sum, term, prime);
            }
        }
        let share = inverse(self.parts.len() as u64, prime);
        sums.iter().map(|sum| mul(*sum, share, prime)).collect()
    }

    fn bits(&self, count: usize) -> u32 {
        2 * self.ranks * count as u32
    }
}

/// Counts boards; with a recurrence if it is wanted.
#[must_use]
pub fn sequence(
    kind: Kind,
    counted: BoardCounting,
    ranks: u32,
    terms: usize,
    recurrence: bool,
) -> Sequence {
    let orbits = Orbits::new(kind, ranks, counted);
    Sequence {
        kind,
        counted,
        ranks,
        states: [orbits.parts[0].states(), orbits.order()],
        terms: digits(&orbits, terms),
        recurrence: recurrence.then(|| proved(&orbits, orbits.order())),
    }
}

/// The longest play without a line along the files of boards with this many ranks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Longest {
    /// The number of ranks.
    pub ranks: u32,
    /// Plies for 1, 2, … files.
    pub plies: Vec<u32>,
    /// From this many files on, `period` files more add `adds` plies: proved.
    pub from: usize,
    /// See `from`.
    pub period: usize,
    /// See `from`.
    pub adds: u32,
}

impl Longest {
    /// Plies on a board of this many files, at least one.
    #[must_use]
    pub fn at(&self, files: usize) -> u32 {
        match self.plies.get(files - 1) {
            Some(plies) => *plies,
            None => self.at(files - self.period) + self.adds,
        }
    }

    /// From how many files on `period` files more add `adds` plies: before `from` the plies are
    /// compared one by one.
    #[must_use]
    pub fn holds_from(&self) -> usize {
        let holds = |files: &usize| self.at(files + self.period) == self.at(*files) + self.adds;
        let before = (1..self.from).rev().take_while(holds).count();
        self.from - before
    }
}

/// Works the longest play out, and that it goes on as it says.
#[must_use]
pub fn longest(ranks: u32) -> Longest {
    let Heaviest {
        sums,
        from,
        period,
        adds,
    } = heaviest(ranks);
    Longest {
        ranks,
        plies: sums,
        from,
        period,
        adds,
    }
}
