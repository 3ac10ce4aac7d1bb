//! Questions that a position of Ampel answers.

use super::{AmpelGame, AmpelMove, AmpelPosition, Disc, Phase, Player, Point};
use crate::Game;
use crate::squares::{Features, OwnField, OwnKind, Squares, letters, shown};

const fn own(name: &'static str, kind: OwnKind) -> OwnField {
    let of = "discs";
    OwnField { name, kind, of }
}

impl Squares for AmpelGame {
    // Captures and hands of Red stand before those of Green, as `Player` counts them.
    const FIELDS: &'static [OwnField] = &[
        own("step", OwnKind::Number(3)),
        own("red_moves", OwnKind::Truth),
        own("red_captured", OwnKind::Number(u8::MAX)),
        own("green_captured", OwnKind::Number(u8::MAX)),
        own("red_hand", OwnKind::Number(u8::MAX)),
        own("green_hand", OwnKind::Number(u8::MAX)),
    ];

    fn features(&self) -> Features {
        Features {
            cylinders: true,
            ..Features::default()
        }
    }

    fn square_names(&self) -> Vec<String> {
        (0..self.rules().cells as usize)
            .map(|number| Point::of_number(number).name())
            .collect()
    }

    fn level(&self, position: &AmpelPosition, square: usize) -> u8 {
        match position.disc(Point::of_number(square)) {
            None => 0,
            Some(Disc::Red) => 1,
            Some(Disc::Yellow) => 2,
            Some(Disc::Green) => 3,
        }
    }

    fn count(&self, position: &AmpelPosition, level: u8) -> u32 {
        let disc = match level {
            1 => Disc::Red,
            2 => Disc::Yellow,
            _ => Disc::Green,
        };
        self.standing(position, disc)
    }

    fn level_sum(&self, _: &AmpelPosition) -> Option<u32> {
        None
    }

    // Red begins, and a position says whose turn it is.
    fn first_to_move(&self, position: &AmpelPosition) -> Option<bool> {
        let is_over = matches!(position.phase(), Phase::Over);
        (!is_over).then(|| position.player() == Player::Red)
    }

    fn raise(&self, position: &AmpelPosition, mv: AmpelMove) -> Option<(usize, u8)> {
        let AmpelMove::Add(point) = mv else {
            return None;
        };
        let level = match (position.phase(), position.player()) {
            (Phase::SetUp, _) => 2,
            (_, Player::Red) => 1,
            (_, Player::Green) => 3,
        };
        Some((point.number(), level))
    }

    fn has_line(&self, _: &AmpelPosition) -> bool {
        false
    }

    fn captured_lines(&self, position: &AmpelPosition, mv: AmpelMove) -> Vec<[usize; 3]> {
        let AmpelMove::Move { from, to } = mv else {
            return Vec::new();
        };
        let signals = self.parts(position).signals_after(from, to);
        let made = signals.filter(|signal| signal.contains(&to));
        made.map(|signal| signal.map(Point::number)).collect()
    }

    fn field(&self, position: &AmpelPosition, field: usize) -> Option<u32> {
        let player = Player::BOTH[field % 2];
        match field {
            0 => match position.phase() {
                Phase::SetUp => Some(0),
                Phase::MoveOwn => Some(1),
                Phase::MoveOther => Some(2),
                Phase::Add => Some(3),
                Phase::Over => None,
            },
            // Of the winner, when the game is over.
            1 => Some((position.player() == Player::Red).into()),
            2 | 3 => Some(position.captured(player).into()),
            _ => Some(self.in_hand(position, player)),
        }
    }

    fn covered(&self, position: &AmpelPosition, square: usize) -> bool {
        let point = Some(Point::of_number(square));
        Player::BOTH
            .into_iter()
            .any(|player| position.cylinder(player) == point)
    }

    fn picture(&self, text: &str) -> Result<Vec<Option<char>>, String> {
        let side = usize::from(self.ampel().side);
        let rows = letters(text, 1..=side);
        let fits = rows.iter().map(Vec::len).eq(1..=side);
        if !fits {
            return Err(format!(
                "expected {side} rows of 1 to {side} points from the apex with / between"
            ));
        }
        Ok(shown(rows.into_iter().flatten()))
    }

    fn other_move(&self, text: &str) -> Option<String> {
        let lower = text.to_ascii_lowercase();
        let squares = self.square_names();
        let is_point = |name: &str| squares.iter().any(|square| square == name);
        let is_known = match (lower.strip_prefix('+'), lower.split_once('-')) {
            (Some(point), _) => is_point(point),
            (_, Some((from, to))) => is_point(from) && is_point(to),
            _ => lower == "off" || lower == "pass",
        };
        is_known.then_some(lower)
    }

    fn other_moves(&self) -> &'static str {
        ", or a move such as +c2, d2-b1, off or pass"
    }

    fn is_same(&self, a: &AmpelPosition, b: &AmpelPosition) -> bool {
        a == b
    }
}
