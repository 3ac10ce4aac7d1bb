//! Between positions and numbers: the board, whose digits are the squares, each from its level at the
//! start to its highest, and below it what is remembered.

use super::position::MemoryPosition;
use super::rules::{MemoryRules, Passing};
use crate::{Cell, Code};

/// Number of squares that share one table.
const GROUP: usize = 4;
/// What is left for a player to pass, the mover's first, in the order in which play goes through it.
const PASSES: [[u8; 2]; 4] = [[1, 1], [1, 0], [0, 1], [0, 0]];

/// Four squares as one digit.
#[derive(Clone, Debug)]
struct SquareGroup {
    // By contents: the digit; 0 where there is none.
    numbers: Vec<u8>,
    // By digit: the contents.
    contents: Vec<u8>,
}

/// Between boards and numbers without gaps. A raise always leads to a higher number.
#[derive(Clone, Debug)]
pub(super) struct Boards(Vec<SquareGroup>);

impl Boards {
    /// The boards on which each square is between two levels.
    pub(super) fn new(lowest: Code, highest: Code, cells: usize) -> Boards {
        let groups = (0..cells.div_ceil(GROUP)).map(|group| {
            let first = group * GROUP;
            let fits = |contents: &u8| {
                (0..GROUP).all(|place| {
                    let cell = Cell((first + place) as u8);
                    let level = contents >> (2 * place) & 3;
                    let (low, high) = if cell.index() < cells {
                        (lowest.level(cell), highest.level(cell))
                    } else {
                        (0, 0)
                    };
                    (low..=high).contains(&level)
                })
            };
            let contents: Vec<u8> = (0..=u8::MAX).filter(fits).collect();
            let mut numbers = vec![0; 256];
            for (number, contents) in contents.iter().enumerate() {
                numbers[usize::from(*contents)] = number as u8;
            }
            SquareGroup { numbers, contents }
        });
        Boards(groups.collect())
    }

    pub(super) fn count(&self) -> u128 {
        let sizes = self.0.iter().map(|group| group.contents.len() as u128);
        sizes.product()
    }

    // Of boards that are too many for 64 bits only what is left of the number.
    pub(super) fn number(&self, Code(code): Code) -> u64 {
        let groups = self.0.iter().enumerate().rev();
        groups.fold(0_u64, |number, (place, group)| {
            let contents = (code >> (2 * GROUP * place) & 0xff) as usize;
            let digit = u64::from(group.numbers[contents]);
            number
                .wrapping_mul(group.contents.len() as u64)
                .wrapping_add(digit)
        })
    }

    // The board of a number, of the groups from one on.
    pub(super) fn board(&self, mut number: u64, from: usize) -> Code {
        let groups = self.0.iter().enumerate().skip(from);
        let code = groups.fold(0, |code, (place, group)| {
            let size = group.contents.len() as u64;
            let contents = group.contents[(number % size) as usize];
            number /= size;
            code | u64::from(contents) << (2 * GROUP * place)
        });
        Code(code)
    }

    // The groups that choose the place inside a block, and the boards of a block.
    pub(super) fn block(&self) -> (usize, u64) {
        let inside = (self.0.len() / 2).min(2);
        let sizes = self.0[..inside].iter().map(|group| group.contents.len());
        (inside, sizes.product::<usize>() as u64)
    }
}

/// Number of values of each part of the memory; one where the rules do not ask for it.
#[derive(Clone, Copy, Debug)]
pub(super) struct States {
    passed: u64,
    passes: u64,
    swap: u64,
    second: u64,
    last: u64,
    lines: u64,
}

impl States {
    pub(super) fn new(game: &MemoryRules, keeps_part: bool, cells: usize) -> States {
        let many = |many: bool, values| if many { values } else { 1 };
        States {
            passed: many(game.pass == Passing::Free, 3),
            passes: many(game.pass == Passing::Once, PASSES.len() as u64),
            swap: many(game.swap, 2),
            second: many(keeps_part, 2),
            last: many(game.keeps_last(), cells as u64 + 1),
            lines: game.win_lines.map_or(1, |lines| u64::from(lines) + 1),
        }
    }

    pub(super) fn count(&self) -> u64 {
        let board = self.passed * self.passes * self.swap * self.second;
        board * self.last * self.lines * self.lines
    }

    // The highest digit is the part that a move without a change of the board raises.
    pub(super) fn number(&self, position: &MemoryPosition) -> u64 {
        let passes = PASSES.iter().position(|left| *left == position.passes);
        let last = position.last.map_or(0, |cell| u64::from(cell.0) + 1);
        let digits = [
            (self.passed, u64::from(position.passed)),
            (self.passes, passes.unwrap_or(0) as u64),
            (self.swap, u64::from(!position.swap)),
            (self.second, u64::from(position.second)),
            (self.last, last),
            (self.lines, u64::from(position.lines[0])),
            (self.lines, u64::from(position.lines[1])),
        ];
        let used = digits.into_iter().filter(|(values, _)| *values > 1);
        used.fold(0, |number, (values, digit)| number * values + digit)
    }

    pub(super) fn position(&self, code: Code, mut number: u64) -> MemoryPosition {
        let mut digit = |values: u64| {
            let digit = number % values;
            number /= values;
            digit
        };
        let lines = [digit(self.lines), digit(self.lines)];
        let last = digit(self.last);
        let second = digit(self.second) == 1;
        let swap = self.swap > 1 && digit(self.swap) == 0;
        let passes = digit(self.passes) as usize;
        let passed = digit(self.passed) as u8;
        MemoryPosition {
            code,
            swap,
            last: last.checked_sub(1).map(|cell| Cell(cell as u8)),
            passed,
            passes: if self.passes > 1 {
                PASSES[passes]
            } else {
                [0, 0]
            },
            second,
            lines: [lines[1] as u8, lines[0] as u8],
        }
    }
}
