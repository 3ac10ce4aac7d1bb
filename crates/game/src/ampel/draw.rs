//! Positions as pictures.

use super::triangle::{Point, points};
use super::{AmpelGame, Parts, Phase, Player};
use crate::{Diagram, Label, Mark, file_name};

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
        diagram.notes = self.notes(parts);
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

    fn notes(&self, parts: &Parts) -> Vec<String> {
        let (player, other) = (parts.player.name(), parts.player.opponent().name());
        let turn = match parts.phase {
            Phase::SetUp => format!("{player} places a yellow disc inside"),
            Phase::MoveOwn => format!("{player}, step 1: move a {player} disc"),
            Phase::MoveOther => format!("{player}, step 2: move a {other} disc"),
            Phase::Add if parts.hand(&self.ampel, parts.player) == 0 => {
                format!("{player}, step 3: no disc in hand, take the cylinder off")
            }
            Phase::Add => format!("{player}, step 3: add a {player} disc"),
            Phase::Over => format!("{player} has won"),
        };
        let holdings = [Player::Red, Player::Green].map(|player| {
            format!(
                "{}: {} in hand, {} of {} yellows captured",
                player.name(),
                parts.hand(&self.ampel, player),
                parts.captured[player as usize],
                self.ampel.goal()
            )
        });
        [turn].into_iter().chain(holdings).collect()
    }
}
