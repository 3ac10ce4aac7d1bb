//! Positions and moves as text.

use super::rules::{DISCS, SIDES, YELLOWS};
use super::triangle::{Point, PointSet, points};
use super::{AmpelGame, Parts, Phase, Player, StuckAdd};
use crate::notation::halves;
use crate::squares::letters;
use crate::words::counted;
use crate::{Fault, Filling, Message, file_name, messages};

const FIELDS: &str = "SIDE DISCS YELLOWS side phase red green rows";

fn names(points: impl Iterator<Item = Point>) -> String {
    points.map(Point::name).collect::<Vec<_>>().join(" ")
}

impl AmpelGame {
    /// `SIDE DISCS YELLOWS side phase red green rows`.
    pub(super) fn text_of(&self, parts: &Parts) -> String {
        let letter = |point: Point| {
            let bit = point.bit();
            let owner = [Player::Red, Player::Green]
                .into_iter()
                .find(|player| parts.discs[*player as usize] & bit != 0);
            match owner {
                Some(player) if parts.cylinders[player as usize] == Some(point) => {
                    player.letter().to_ascii_uppercase()
                }
                Some(player) => player.letter(),
                None if parts.yellow & bit != 0 => 'y',
                None => '.',
            }
        };
        let rows: Vec<String> = (0..self.ampel.side)
            .map(|row| {
                (0..=row)
                    .map(|place| letter(Point::new(row, place)))
                    .collect()
            })
            .collect();
        format!(
            "{} {} {} {} {} {} {} {}",
            self.ampel.side,
            self.ampel.discs,
            self.ampel.yellows,
            parts.player.letter(),
            parts.phase.letter(),
            parts.captured[0],
            parts.captured[1],
            rows.join("/")
        )
    }

    /// Reads a position; every fault when it cannot be one.
    pub(super) fn parts_of_text(&self, text: &str) -> Result<Parts, Vec<Fault>> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let [side, discs, yellows, player, phase, red, green, _, ..] = fields[..] else {
            let problem = messages::ampel_fields(fields.len(), FIELDS);
            return Err(vec![Fault::new(messages::place_fields(), problem)]);
        };
        // There may be blanks between rows, and between points.
        let rows = fields[7..].concat();
        let mut faults = Vec::new();
        let numbers = [
            (messages::place_side().into(), side, self.ampel.side, SIDES),
            (
                Filling::Text("discs of a player".into()),
                discs,
                self.ampel.discs,
                DISCS,
            ),
            (
                messages::place_yellows().into(),
                yellows,
                self.ampel.yellows,
                YELLOWS,
            ),
        ];
        for (place, found, expected, range) in numbers {
            if found.parse() != Ok(expected) {
                let within = match found.parse() {
                    Ok(number) if range.contains(&number) => {
                        "; another number is another variant".to_string()
                    }
                    _ => format!(
                        "; such numbers go from {} to {}",
                        range.start(),
                        range.end()
                    ),
                };
                faults.push(Fault::new(
                    place,
                    format!("found '{found}', expected {expected}{within}"),
                ));
            }
        }
        let player = match player {
            "r" => Some(Player::Red),
            "g" => Some(Player::Green),
            _ => None,
        };
        if player.is_none() {
            let problem = format!("found '{}', expected r or g", fields[3]);
            faults.push(Fault::new("player to move (field 4)", problem));
        }
        let read = Phase::of_letter(phase);
        if read.is_none() {
            let problem = format!("found '{phase}', expected s, 1, 2, 3 or x");
            faults.push(Fault::new("phase (field 5)", problem));
        }
        let captured = [(Player::Red, red), (Player::Green, green)].map(|(player, found)| {
            let number = found
                .parse()
                .ok()
                .filter(|number| *number <= self.ampel.yellows);
            if number.is_none() {
                faults.push(Fault::new(
                    format!("yellows captured by {}", player.name()),
                    format!("found '{found}', expected 0 to {}", self.ampel.yellows),
                ));
            }
            number.unwrap_or_default()
        });
        let mut parts = Parts {
            player: player.unwrap_or(Player::Red),
            phase: read.unwrap_or(Phase::SetUp),
            discs: [0; 2],
            yellow: 0,
            cylinders: [None; 2],
            captured,
        };
        let cylinders = self.read_rows(&rows, &mut parts, &mut faults);
        let readable = faults.is_empty();
        for (player, standing) in [Player::Red, Player::Green].into_iter().zip(cylinders) {
            parts.cylinders[player as usize] = points(standing).next();
            if standing.count_ones() > 1 {
                let letter = player.letter().to_ascii_uppercase();
                faults.push(Fault::new(
                    format!("points {}", names(points(standing))),
                    format!(
                        "found {} {} cylinders, expected at most 1 ('{letter}')",
                        standing.count_ones(),
                        player.name(),
                    ),
                ));
            }
        }
        if readable {
            self.check(&parts, &mut faults);
        }
        if faults.is_empty() {
            Ok(parts)
        } else {
            Err(faults)
        }
    }

    // Reads the discs; returns the points with cylinders, by player.
    fn read_rows(&self, text: &str, parts: &mut Parts, faults: &mut Vec<Fault>) -> [PointSet; 2] {
        let side = usize::from(self.ampel.side);
        let rows = letters(text, 1..=side);
        if rows.len() != side {
            let problem = messages::found_rows(rows.len(), side);
            faults.push(Fault::new(messages::place_rows(), problem));
        }
        let mut cylinders = [0; 2];
        for (row, found) in rows.into_iter().take(side).enumerate() {
            if found.len() != row + 1 {
                faults.push(Fault::new(
                    messages::place_row(file_name(row as u8)),
                    format!(
                        "found {}, expected {}",
                        counted(found.len(), "point", "points"),
                        row + 1
                    ),
                ));
            }
            for (place, letter) in found.into_iter().take(row + 1).enumerate() {
                let point = Point::new(row as u8, place as u8);
                match letter {
                    '.' => {}
                    'y' => parts.yellow |= point.bit(),
                    'r' | 'R' => parts.discs[0] |= point.bit(),
                    'g' | 'G' => parts.discs[1] |= point.bit(),
                    _ => faults.push(Fault::new(
                        format!("point {}", point.name()),
                        format!("found '{letter}', expected '.' 'r' 'g' 'y', or 'R' 'G' under a cylinder"),
                    )),
                }
                match letter {
                    'R' => cylinders[0] |= point.bit(),
                    'G' => cylinders[1] |= point.bit(),
                    _ => {}
                }
            }
        }
        cylinders
    }

    // Finds faults of a position whose letters are all possible.
    fn check(&self, parts: &Parts, faults: &mut Vec<Fault>) {
        for player in [Player::Red, Player::Green] {
            let discs = parts.discs[player as usize];
            if discs.count_ones() > u32::from(self.ampel.discs) {
                faults.push(Fault::new(
                    format!("points {}", names(points(discs))),
                    format!(
                        "found {} {} discs, expected at most the supply of {}",
                        discs.count_ones(),
                        player.name(),
                        self.ampel.discs
                    ),
                ));
            }
        }
        for signal in parts.signals() {
            faults.push(Fault::new(
                format!("points {}", names(signal.into_iter())),
                "found a red-yellow-green signal, expected none: it is removed when it is made",
            ));
        }
        if let Some(problem) = self.wrong_yellows(parts) {
            faults.push(Fault::new(messages::place_yellows(), problem));
        }
    }

    /// Whether a board can stand: no more discs than there are, no signal, and as many yellows as the
    /// phase says.
    pub(super) fn can_be(&self, parts: &Parts) -> bool {
        let supplied = |player: Player| {
            parts.discs[player as usize].count_ones() <= u32::from(self.ampel.discs)
        };
        supplied(Player::Red)
            && supplied(Player::Green)
            && self.yellows_fit(parts)
            && parts.signals().next().is_none()
    }

    fn yellows_fit(&self, parts: &Parts) -> bool {
        let (yellows, goal) = (u32::from(self.ampel.yellows), self.ampel.goal());
        let (total, standing) = (parts.yellows(), parts.yellow.count_ones());
        let mine = parts.captured[parts.player as usize];
        let other = parts.captured[parts.player.opponent() as usize];
        match parts.phase {
            Phase::SetUp => total == standing && total < yellows,
            Phase::MoveOwn | Phase::MoveOther | Phase::Add => {
                total == yellows && mine.max(other) < goal
            }
            Phase::Over => {
                let stuck = self.ampel.stuck_add == StuckAdd::Loss;
                total == yellows && other < goal && (mine >= goal || stuck)
            }
        }
    }

    fn wrong_yellows(&self, parts: &Parts) -> Option<Message> {
        if self.yellows_fit(parts) {
            return None;
        }
        let [red, green] = parts.captured;
        let (yellows, goal) = (u32::from(self.ampel.yellows), self.ampel.goal());
        let (total, standing) = (parts.yellows(), parts.yellow.count_ones());
        let found =
            format!("found {standing} on the board, {red} captured by red, {green} by green");
        Some(match parts.phase {
            Phase::SetUp if total > standing => {
                format!("{found}; during the set-up (phase s) nothing can be captured").into()
            }
            Phase::SetUp => format!(
                "{found}; the set-up (phase s) is over with {yellows} on the board, expected fewer"
            )
            .into(),
            _ if total != yellows => messages::ampel_yellows(standing, red, green, total, yellows),
            Phase::Over => format!(
                "{found}; in a finished game (phase x) the winner, {}, has at least {goal} and the \
                 other player fewer",
                parts.player.name()
            )
            .into(),
            Phase::MoveOwn | Phase::MoveOther | Phase::Add => {
                format!("{found}; a player who has {goal} has won, so the phase is x").into()
            }
        })
    }

    /// A move as the game writes it: lower case, and a dash between two points, whatever people put there
    /// (`d2>b1`, `d2xb1`).
    pub(super) fn usual_form(&self, text: &str) -> String {
        let text = text.to_ascii_lowercase();
        if let Some(point) = text.strip_prefix('+') {
            return format!("+{}", point.trim_start());
        }
        let is_point = |name: &str| self.triangle.named(name).is_some();
        halves(&text)
            .map(|(from, to)| (from.trim_end_matches('x'), to))
            .find(|(from, to)| is_point(from) && is_point(to))
            .map_or_else(|| text.clone(), |(from, to)| format!("{from}-{to}"))
    }

    /// Whether a text is written as a move on this board is, legal or not.
    pub(super) fn is_written_as_move(&self, text: &str) -> bool {
        let is_point = |name: &str| self.triangle.named(name).is_some();
        match (text.strip_prefix('+'), text.split_once('-')) {
            (Some(point), _) => is_point(point),
            (_, Some((from, to))) => is_point(from) && is_point(to),
            _ => text == "off" || text == "pass",
        }
    }

    /// What keeps a text from being one of the legal moves.
    pub(super) fn why_illegal(&self, parts: &Parts, text: &str) -> Message {
        let unknown = |name: &str| {
            let last = format!("{}{}", file_name(self.ampel.side - 1), self.ampel.side);
            Message::from(format!("'{name}' is no point; points go from a1 to {last}"))
        };
        let in_this_step = match parts.phase {
            Phase::SetUp => messages::move_yellow("+c2"),
            Phase::MoveOwn => "in this step an own disc moves, such as 'd2-b1'".into(),
            Phase::MoveOther => {
                "in this step a disc of the opponent's moves, such as 'd2-b1'".into()
            }
            Phase::Add => "in this step an own disc is added, such as '+c2'".into(),
            Phase::Over => return "the game is over".into(),
        };
        if let (Some(name), Phase::SetUp | Phase::Add) = (text.strip_prefix('+'), parts.phase) {
            return match self.triangle.named(name) {
                None => unknown(name),
                Some(point) if parts.occupied() & point.bit() != 0 => {
                    format!("{name} is occupied").into()
                }
                Some(_) if parts.phase == Phase::SetUp => messages::move_yellow_edge(name),
                Some(_) if parts.hand(&self.ampel, parts.player) == 0 => {
                    format!("{} has no disc in hand", parts.player.name()).into()
                }
                Some(_) => format!("a disc added on {name} would make a signal").into(),
            };
        }
        if let (Some((from, to)), Phase::MoveOwn | Phase::MoveOther) =
            (text.split_once('-'), parts.phase)
        {
            let (Some(start), Some(_)) = (self.triangle.named(from), self.triangle.named(to))
            else {
                let known = self.triangle.named(from).is_some();
                return unknown(if known { to } else { from });
            };
            return if parts.movable(&self.ampel) & start.bit() == 0 {
                format!("in this step no disc on {from} may be moved").into()
            } else {
                format!("the disc on {from} cannot end on {to}").into()
            };
        }
        in_this_step
    }
}
