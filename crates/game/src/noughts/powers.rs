//! Between marks and numbers in base 3.

use super::position::NoughtsPosition;

/// Number of squares that share one table.
const GROUP: usize = 8;
/// Contents that they can have.
const CONTENTS: u64 = 3_u64.pow(GROUP as u32);

/// Tables between marks and digits, for eight squares at a time.
#[derive(Clone, Debug)]
pub(super) struct Powers {
    groups: usize,
    // By marks of one sign: the number with a digit 1 for each.
    numbers: Vec<u16>,
    // By number: the squares with a 1 and those with a 2.
    marks: Vec<(u8, u8)>,
}

impl Powers {
    pub(super) fn new(cells: usize) -> Powers {
        let number = |marks: usize| {
            (0..GROUP).fold(0, |number, cell| {
                number + (marks >> cell & 1) as u16 * 3_u16.pow(cell as u32)
            })
        };
        let digit = |number: u64, cell: usize| number / 3_u64.pow(cell as u32) % 3;
        let marks = (0..CONTENTS).map(|number| {
            (0..GROUP).fold((0, 0), |(x, o), cell| match digit(number, cell) {
                1 => (x | 1 << cell, o),
                2 => (x, o | 1 << cell),
                _ => (x, o),
            })
        });
        Powers {
            groups: cells.div_ceil(GROUP),
            numbers: (0..1 << GROUP).map(number).collect(),
            marks: marks.collect(),
        }
    }

    pub(super) fn index(&self, position: &NoughtsPosition) -> u64 {
        (0..self.groups).rev().fold(0, |index, group| {
            let of =
                |marks: u32| u64::from(self.numbers[(marks >> (GROUP * group) & 0xff) as usize]);
            index * CONTENTS + of(position.x) + 2 * of(position.o)
        })
    }

    pub(super) fn position(&self, mut index: u64) -> NoughtsPosition {
        let mut position = NoughtsPosition::default();
        for group in 0..self.groups {
            let (x, o) = self.marks[(index % CONTENTS) as usize];
            position.x |= u32::from(x) << (GROUP * group);
            position.o |= u32::from(o) << (GROUP * group);
            index /= CONTENTS;
        }
        position
    }
}
