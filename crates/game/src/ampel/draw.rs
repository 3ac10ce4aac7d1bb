//! Positions as pictures.

use super::triangle::{Point, points, shifted};
use super::words::notes;
use super::{AmpelGame, Parts, Player};
use crate::{Diagram, Label, Mark, file_name};

// East, south-east and south-west: each line of the board once.
const TO_LATER_POINTS: [usize; 3] = [0, 5, 4];

impl Parts {
    /// Puts a mark on a point in place of what is there. A cylinder that stands elsewhere stays there.
    pub(super) fn put(&mut self, point: Point, mark: Mark) -> Option<()> {
        let bit = point.bit();
        self.yellow &= !bit;
        self.discs = self.discs.map(|discs| discs & !bit);
        self.cylinders = self.cylinders.map(|at| at.filter(|at| *at != point));
        let Mark::Disc { colour, cylinder } = mark else {
            return (mark == Mark::Point).then_some(());
        };
        let owner = match colour {
            'R' => Player::Red,
            'G' => Player::Green,
            _ => {
                self.yellow |= bit;
                return Some(());
            }
        };
        self.discs[owner as usize] |= bit;
        if cylinder {
            let at = self.cylinders[owner as usize].replace(point);
            return at.is_none().then_some(());
        }
        Some(())
    }
}

impl AmpelGame {
    /// The triangle with its apex on top; letters name the rows, numbers the places, each beside the
    /// line that it names.
    pub(super) fn draw(&self, parts: &Parts) -> Diagram {
        let side = u16::from(self.ampel.side);
        let mut diagram = Diagram::default();
        for point in points(self.triangle.board) {
            let (row, place) = (u16::from(point.row()), u16::from(point.place()));
            let mark = self.mark(parts, point);
            diagram.marks.push((side + 1 - row + 2 * place, row, mark));
            diagram.names.push(point.name());
            let ends = TO_LATER_POINTS.map(|direction| shifted(point.bit(), direction));
            let ends = ends.map(|end| points(end & self.triangle.board));
            let edges = ends.into_iter().flatten();
            diagram
                .edges
                .extend(edges.map(|end| (point.number(), end.number())));
        }
        for row in 0..side {
            diagram.labels.push(Label {
                x: side - 1 - row,
                y: row,
                text: file_name(row as u8),
            });
            diagram.labels.push(Label {
                x: 1 + 2 * row,
                y: side,
                text: (row + 1).to_string(),
            });
        }
        diagram.notes = notes(&self.ampel, parts);
        diagram
    }

    fn mark(&self, parts: &Parts, point: Point) -> Mark {
        let holder = |player: Player| parts.cylinders[player as usize] == Some(point);
        let [red, green] = parts.discs.map(|discs| discs & point.bit() != 0);
        match (red, green, parts.yellow & point.bit() != 0) {
            (true, ..) => Mark::Disc {
                colour: 'R',
                cylinder: holder(Player::Red),
            },
            (_, true, _) => Mark::Disc {
                colour: 'G',
                cylinder: holder(Player::Green),
            },
            (.., true) => Mark::Disc {
                colour: 'Y',
                cylinder: false,
            },
            _ => Mark::Point,
        }
    }
}
