//! Positions and moves as text: the board, then what is remembered: `.../.R./...,last=b2,lines=1:0`.

use super::{LastSquare, MemoryGame, MemoryMove, MemoryPosition, Part, Passing};
use crate::notation::{board_and_fields, parse_raise};
use crate::{Cell, Fault, Game, MemoryRules, Message, MoveError, SetupError};

impl MemoryRules {
    /// Whether texts say whose turn it is.
    fn writes_part(&self) -> bool {
        self.has_parts() && (self.swap || self.pass != Passing::Never)
    }
}

impl MemoryGame {
    pub(super) fn written(&self, position: &MemoryPosition) -> String {
        let memory = self.memory();
        let mut text = self.base().position_text(&position.code);
        if position.swap {
            text.push_str(",swap");
        }
        if let Some(cell) = position.last {
            text.push_str(",last=");
            text.push_str(&self.base().board().shape.cell_name(cell));
        }
        text.push_str(&",passed".repeat(position.passed.into()));
        if memory.pass == Passing::Once {
            let [mine, theirs] = position.passes;
            text.push_str(&format!(",passes={mine}:{theirs}"));
        }
        if memory.writes_part() {
            text.push(',');
            text.push_str(self.to_move(position).name());
        }
        if memory.win_lines.is_some() {
            let [mine, theirs] = position.lines;
            text.push_str(&format!(",lines={mine}:{theirs}"));
        }
        text
    }
}

/// What cannot be together in a position, and the words for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Misfits {
    swap: bool,
    unlit: bool,
    passed: bool,
    lines: bool,
}

impl Misfits {
    pub(super) fn is_empty(self) -> bool {
        self == Misfits::default()
    }

    fn told(self) -> Vec<Fault> {
        let all = [
            (
                self.swap,
                "swap",
                "found ',swap', expected nothing: only the second ply of the game may be a swap",
            ),
            (
                self.unlit,
                "last",
                "found a square that stands as at the start, expected one that was raised",
            ),
            (
                self.passed,
                "last",
                "found a square beside ',passed', expected none: the ply before was a pass",
            ),
            (
                self.lines,
                "lines",
                "both players have enough lines to end the game, expected at most one",
            ),
        ];
        let found = all.into_iter().filter(|(found, ..)| *found);
        found
            .map(|(_, place, problem)| Fault::new(place, problem))
            .collect()
    }
}

impl MemoryGame {
    /// Finds parts that cannot stand together; it does not check the board itself.
    pub(super) fn misfits(&self, position: &MemoryPosition) -> Misfits {
        let start = self.base().start();
        let unlit = |cell: Cell| position.code.level(cell) <= start.level(cell);
        let most = self.memory().win_lines.unwrap_or(u8::MAX);
        Misfits {
            swap: position.swap && !self.may_swap(position),
            unlit: position.last.is_some_and(unlit),
            passed: position.last.is_some() && position.passed > 0,
            lines: position.lines.iter().all(|lines| *lines >= most),
        }
    }

    /// Whether a position can be the one after the first ply, with the second player to move.
    fn may_swap(&self, position: &MemoryPosition) -> bool {
        let start = self.base().start();
        let once = self.memory().pass == Passing::Once;
        let second = !self.memory().keeps_part() || position.second;
        let after_raise = || {
            self.raises_so_far(position.code) == 1
                && !self.is_mid_turn(position.code)
                && (!once || position.passes == [1, 1])
                && (!self.memory().keeps_last()
                    || position.last == self.first_raised(position.code))
        };
        let after_pass = || once && position.code == start && position.passes == [1, 0];
        position.passed == 0
            && second
            && (after_raise() || after_pass())
            && self.ending_by_line(position).is_none()
            && !self.is_stuck(position)
    }
}

/// `1:0`, each number at most `most`.
fn pair(value: Option<&str>, most: u8) -> Option<[u8; 2]> {
    let (mine, theirs) = value?.split_once(':')?;
    let number = |text: &str| text.trim().parse().ok().filter(|number| *number <= most);
    Some([number(mine)?, number(theirs)?])
}

impl MemoryGame {
    pub(super) fn read_position(&self, text: &str) -> Result<MemoryPosition, SetupError> {
        let example = self.base().example();
        let example = match self.first_raised(example) {
            Some(cell) => self.raised(&self.start(), cell).to,
            None => self.start(),
        };
        let refuse = |faults| SetupError {
            text: text.into(),
            variant: self.rules().title().to_string(),
            faults,
            example: self.written(&example),
        };
        let (board, fields) = board_and_fields(text);
        let mut faults = Vec::new();
        let mut position = self.start();
        match self.base().parse_position(board.trim()) {
            Ok(code) => position.code = code,
            Err(error) => faults.extend(error.faults),
        }
        let shape = &self.base().board().shape;
        let start = self.base().start();
        let cells = || (0..self.rules().cells as u8).map(Cell);
        for cell in cells().filter(|cell| position.code.level(*cell) < start.level(*cell)) {
            let place = shape.cell_name(cell);
            faults.push(Fault::new(
                place,
                "found less than at the start, and no move lowers a square",
            ));
        }
        let part = self.read_fields(&fields, &mut position, &mut faults);
        if faults.is_empty() {
            faults = self.misfits(&position).told();
        }
        let expected = self.to_move(&position);
        if let Some(part) = part.filter(|part| *part != expected && faults.is_empty()) {
            let problem = format!(
                "found ',{}', expected ',{}': that many raises were made since the start",
                part.name(),
                expected.name()
            );
            faults.push(Fault::new("player", problem));
        }
        if faults.is_empty() {
            Ok(position)
        } else {
            Err(refuse(faults))
        }
    }
}

impl MemoryGame {
    /// Reads what stands behind the board, and returns whose turn it says it is.
    fn read_fields(
        &self,
        fields: &[&str],
        position: &mut MemoryPosition,
        faults: &mut Vec<Fault>,
    ) -> Option<Part> {
        let memory = self.memory();
        let mut part: Option<Part> = None;
        let mut given: Vec<String> = Vec::new();
        for field in fields {
            let field = field.trim();
            let (name, value) = match field.split_once('=') {
                Some((name, value)) => (name.trim_end(), Some(value.trim_start())),
                None => (field, None),
            };
            let name = name.to_ascii_lowercase();
            let name = name.as_str();
            let kind = if name == "second" { "first" } else { name };
            let most = if kind == "passed" { 2 } else { 1 };
            if given.iter().filter(|known| *known == kind).count() == most {
                let other = part.filter(|part| part.name() != name);
                let problem = match (kind, other) {
                    ("passed", _) => {
                        "found ',passed' a third time, expected two: they end the game".into()
                    }
                    (_, Some(other)) => format!(
                        "found ',{field}' beside ',{}'; write one of them",
                        other.name()
                    ),
                    (_, None) => format!("found ',{field}' again; write it once"),
                };
                faults.push(Fault::new(name, problem));
                continue;
            }
            given.push(kind.into());
            let problem = match name {
            "swap" if memory.swap => {
                position.swap = true;
                value.map(|_| "expected ',swap' alone".to_string())
            }
            "last" if memory.last_square != LastSquare::Any => {
                let shape = &self.base().board().shape;
                position.last = value.and_then(|name| shape.cell_named(name));
                let none = position.last.is_none();
                none.then(|| "expected a square of the board, such as ',last=a1'".into())
            }
            "passed" if memory.pass == Passing::Free => {
                position.passed += 1;
                value.map(|_| "expected ',passed' alone".to_string())
            }
            "passes" if memory.pass == Passing::Once => match pair(value, 1) {
                Some(passes) => {
                    position.passes = passes;
                    None
                }
                None => Some(
                    "expected the passes left for the player to move and for the other, 0 or 1 \
                     each, such as ',passes=1:0'"
                        .into(),
                ),
            },
            "first" | "second" if memory.writes_part() => {
                let named = Part::ALL.into_iter().find(|part| part.name() == name);
                part = named;
                position.second = memory.keeps_part() && named == Some(Part::Second);
                value.map(|_| "expected ',first' or ',second' alone".to_string())
            }
            "lines" if memory.win_lines.is_some() => {
                let most = memory.win_lines.unwrap_or(0);
                match pair(value, most) {
                    Some(lines) => {
                        position.lines = lines;
                        None
                    }
                    None => Some(format!(
                        "expected the lines of the player to move and of the other, 0 to {most} \
                         each, such as ',lines=1:0'"
                    )),
                }
            }
            _ => Some(format!("expected {}", known_fields(memory))),
        };
            faults.extend(
                problem.map(|problem| Fault::new(name, format!("found ',{field}', {problem}"))),
            );
        }
        let is_missing = |kind: &str| !given.iter().any(|known| known == kind);
        let missing = |place: &'static str, text: String| {
            Fault::new(place, format!("missing; write {text} behind the board"))
        };
        // Of a board that could not be read nothing is known.
        let fits = |known: bool, position: MemoryPosition, part: Option<Part>| {
            let is_to_move = |part| self.to_move(&position) == part;
            !known || self.misfits(&position).is_empty() && part.is_none_or(is_to_move)
        };
        if memory.pass == Passing::Once && is_missing("passes") {
            let known = faults.is_empty();
            let with = |passes| MemoryPosition {
                passes,
                ..*position
            };
            let passes = [[1, 1], [1, 0], [0, 1], [0, 0]].into_iter();
            let passes = passes
                .clone()
                .find(|passes| fits(known, with(*passes), part));
            let [mine, theirs] = passes.unwrap_or([1, 1]);
            faults.push(missing(
                "passes",
                format!("for example ,passes={mine}:{theirs}"),
            ));
        }
        if memory.writes_part() && is_missing("first") {
            let known = faults.is_empty();
            let with = |part| MemoryPosition {
                second: memory.keeps_part() && part == Part::Second,
                ..*position
            };
            let fitting = Part::ALL.into_iter();
            let fitting = fitting.filter(|part| fits(known, with(*part), Some(*part)));
            let names: Vec<String> = fitting.map(|part| format!(",{}", part.name())).collect();
            if !names.is_empty() {
                faults.push(missing("player", names.join(" or ")));
            }
        }
        if memory.win_lines.is_some() && is_missing("lines") {
            faults.push(missing("lines", "for example ,lines=0:0".into()));
        }
        part
    }
}

/// The fields that positions of a game can have.
fn known_fields(memory: &MemoryRules) -> String {
    let all = [
        (memory.swap, "',swap'"),
        (memory.last_square != LastSquare::Any, "',last=a1'"),
        (memory.pass == Passing::Free, "',passed'"),
        (memory.pass == Passing::Once, "',passes=1:1'"),
        (memory.writes_part(), "',first'"),
        (memory.writes_part(), "',second'"),
        (memory.win_lines.is_some(), "',lines=0:0'"),
    ];
    let known = all.into_iter().filter(|(known, _)| *known);
    let known: Vec<&str> = known.map(|(_, name)| name).collect();
    match known[..] {
        [] => "nothing behind the board in this game".into(),
        _ => format!("in this game {}", known.join(" ")),
    }
}

impl MemoryGame {
    pub(super) fn read_move(
        &self,
        position: &MemoryPosition,
        text: &str,
    ) -> Result<MemoryMove, MoveError> {
        let mut legal = Vec::new();
        self.moves(position, &mut legal);
        let refuse = |problem: Message| MoveError::among(self, position, &legal, text, problem);
        let memory = self.memory();
        let other = [
            ("pass", MemoryMove::Pass, memory.pass != Passing::Never),
            ("swap", MemoryMove::Swap, memory.swap),
        ];
        let named = other
            .into_iter()
            .find(|(name, ..)| name.eq_ignore_ascii_case(text));
        if let Some((name, mv, known)) = named {
            if legal.contains(&mv) {
                return Ok(mv);
            }
            return Err(refuse(match (known, legal.is_empty()) {
                (false, _) => format!("there is no {name} in this game").into(),
                (true, true) => "the game is over".into(),
                (true, false) if mv == MemoryMove::Swap => {
                    "only the second ply of the game may be a swap".into()
                }
                (true, false) => "the player to move has passed already".into(),
            }));
        }
        let shape = &self.base().board().shape;
        let named = |name: &str| shape.cell_named(name);
        let (cell, level) = parse_raise(named, text, self.rules().order())
            .map_err(|problem| refuse(problem).unreadable())?;
        if legal.is_empty() {
            return Err(refuse("the game is over".into()));
        }
        if let Some(problem) = self.base().raise_problem(position.code, cell, level) {
            return Err(refuse(problem));
        }
        let mv = MemoryMove::Raise(cell);
        if legal.contains(&mv) {
            return Ok(mv);
        }
        let levels = memory.may.as_ref();
        let levels = levels.map(|may| &may[self.turn(position) as usize]);
        let barred = self.base().board().opening.barred.contains(&cell);
        Err(refuse(
            if levels.is_some_and(|levels| !levels.contains(&(position.code.level(cell) + 1))) {
                "the player to move may not raise a square to that light".into()
            } else if barred && *position == self.start() {
                "the first move may not raise that square".into()
            } else {
                match memory.last_square {
                    LastSquare::Neighbours => "a move raises a square next to the one raised last",
                    LastSquare::Elsewhere => {
                        "a move raises neither the square raised last nor one next to it"
                    }
                    LastSquare::Any | LastSquare::Forbidden => {
                        "a move may not raise the square raised last"
                    }
                }
                .into()
            },
        ))
    }
}
