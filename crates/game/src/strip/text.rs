//! Strip positions and moves as text and as pictures.

use super::words::{StripSentence, lies};
use crate::notation::{TypedLight, board_text, is_joint, no_light, parse_board, parse_raise};
use crate::{
    Cell, Code, Diagram, Fault, Game, Label, Mark, Message, MoveError, SetupError, Side, StripGame,
    StripMove, StripPosition, file_name, messages,
};

impl StripGame {
    /// `.../.R./...+..Y@E,barred`.
    pub(super) fn write_position(&self, position: &StripPosition) -> String {
        let squares = self.geometry().squares(position.side);
        let (main, strip) = squares.split_at(self.geometry().main().cells());
        let code = (0_u8..).zip(main).fold(Code::EMPTY, |code, (cell, from)| {
            code.with(Cell(cell), position.code.level(*from))
        });
        let strip: String = strip
            .iter()
            .map(|square| self.rules().order().letter(position.code.level(*square)))
            .collect();
        format!(
            "{}+{strip}@{}{}",
            board_text(self.geometry().main(), code, self.rules().order()),
            position.side.letter(),
            if position.barred { ",barred" } else { "" }
        )
    }

    pub(super) fn read_position(&self, text: &str) -> Result<StripPosition, SetupError> {
        let mut faults = Vec::new();
        let printed = text.contains('\n').then(|| unprinted(text)).flatten();
        let typed = text;
        let text = printed.as_deref().unwrap_or(text);
        let (body, flag) = match text.split_once(',') {
            Some((body, flag)) => (body, Some(flag.trim())),
            None => (text, None),
        };
        let (lights, side) = match body.split_once('@') {
            Some((lights, side)) => (lights, Some(side.trim())),
            None => (body, None),
        };
        let (main, strip) = match lights.split_once('+') {
            Some((main, strip)) => (main, Some(strip.split_whitespace().collect::<String>())),
            None => (lights, None),
        };
        let levels = self.strip().main.levels;
        let board = parse_board(self.geometry().main(), levels, main, self.rules().order())
            .unwrap_or_else(|wrong| {
                faults.extend(wrong);
                Code::EMPTY
            });
        let strip_levels = self.read_strip(strip.as_deref(), &mut faults);
        let side = side.map_or(Some(Side::East), |letter| {
            let side = Side::from_letter(letter);
            if side.is_none() {
                let problem = messages::strip_side(letter);
                faults.push(Fault::new(messages::place_side(), problem));
            }
            side
        });
        if let Some(flag) = flag {
            let problem = if flag != "barred" {
                Some(messages::strip_flag(flag))
            } else if !self.has_flag() {
                Some(messages::strip_barred())
            } else {
                None
            };
            faults.extend(problem.map(|problem| Fault::new(messages::place_flag(), problem)));
        }
        if let (Some(side), true) = (side, faults.is_empty()) {
            let main =
                (0..self.geometry().main().cells() as u8).map(|cell| board.level(Cell(cell)));
            let code = self
                .geometry()
                .squares(side)
                .iter()
                .zip(main.chain(strip_levels))
                .fold(Code::EMPTY, |code, (square, level)| {
                    code.with(*square, level)
                });
            faults = self.board().supply_faults(code);
            if faults.is_empty() {
                return Ok(StripPosition {
                    code,
                    side,
                    barred: flag.is_some(),
                });
            }
        }
        let start = self.start();
        let example = StripPosition {
            code: start.code.raised(self.geometry().squares(start.side)[0]),
            ..start
        };
        Err(SetupError {
            text: typed.into(),
            variant: self.rules().title().to_string(),
            faults,
            example: self.write_position(&example),
        })
    }

    // The levels of the strip's squares in clockwise order.
    fn read_strip(&self, strip: Option<&str>, faults: &mut Vec<Fault>) -> Vec<u8> {
        let length = usize::from(self.geometry().length());
        let Some(strip) = strip else {
            let problem = messages::strip_none(length);
            faults.push(Fault::new(messages::place_strip(), problem));
            return Vec::new();
        };
        let found = strip.chars().count();
        if found != length {
            let problem = match found {
                1 => messages::strip_square(length),
                _ => messages::strip_squares(found, length),
            };
            faults.push(Fault::new(messages::place_strip(), problem));
        }
        let levels = self.strip().main.levels;
        let read = |(number, letter): (usize, char)| {
            let level = self
                .rules()
                .order()
                .level(letter)
                .filter(|level| *level <= levels);
            if level.is_none() {
                let problem = no_light(letter, levels, self.rules().order());
                faults.push(Fault::new(messages::strip_character(number + 1), problem));
            }
            level
        };
        strip
            .chars()
            .take(length)
            .enumerate()
            .filter_map(read)
            .collect()
    }

    /// `b2R`, `s1R`, `slide-N`, `slide-Nt`, `turn`.
    pub(super) fn write_move(&self, position: &StripPosition, mv: StripMove) -> String {
        match mv {
            StripMove::Raise(listed) => {
                let level = position.code.level(self.square(position.side, listed)) + 1;
                format!(
                    "{}{}",
                    self.geometry().name(listed),
                    self.rules().order().letter(level)
                )
            }
            StripMove::Slide { to, turned } => {
                format!("slide-{}{}", to.letter(), if turned { "t" } else { "" })
            }
            StripMove::Turn => "turn".into(),
        }
    }

    pub(super) fn read_move(
        &self,
        position: &StripPosition,
        text: &str,
    ) -> Result<StripMove, MoveError> {
        let mut legal = Vec::new();
        self.moves(position, &mut legal);
        let refuse = |problem: Message| MoveError::among(self, position, &legal, text, problem);
        let (mv, light) = match read_strip_move(text) {
            Some(mv) => {
                let mv = mv.map_err(|problem| refuse(problem).unreadable())?;
                (mv, TypedLight::Unsaid)
            }
            None => {
                let named = |name: &str| self.geometry().named(name, position.side);
                let (listed, light) =
                    parse_raise(named, text, self.rules().order()).map_err(|problem| {
                        let length = self.geometry().length();
                        let coordinates =
                            self.geometry().strip_coordinates(position.side).join(" ");
                        let side = match position.side {
                            Side::North => messages::at_north(),
                            Side::East => messages::at_east(),
                            Side::South => messages::at_south(),
                            Side::West => messages::at_west(),
                        };
                        let form = messages::move_form_strip(problem, length, side, coordinates);
                        refuse(form).unreadable()
                    })?;
                (StripMove::Raise(listed), light)
            }
        };
        if legal.is_empty() {
            return Err(refuse("the game is over".into()));
        }
        let problem = match mv {
            StripMove::Raise(listed) => {
                let square = self.square(position.side, listed);
                self.board().raise_problem(position.code, square, light)
            }
            StripMove::Slide { .. } | StripMove::Turn => {
                self.strip_problem(position, mv).map(|problem| problem())
            }
        };
        problem.map_or(Ok(mv), |problem| Err(refuse(problem)))
    }

    /// The picture, the strip where it lies with a gap between it and the board.
    pub(super) fn draw(&self, position: &StripPosition) -> Diagram {
        let mut diagram = Diagram {
            lights: self.rules().lights,
            highest: self.strip().main.levels,
            ..Diagram::default()
        };
        let length = u16::from(self.geometry().length());
        let side = position.side;
        // North-west square of the main board. A gap is half a square wide or a row high.
        let left = if side == Side::West { 5 } else { 2 };
        let top = if side == Side::North { 2 } else { 0 };
        let strip_x = if side == Side::West {
            2
        } else {
            left + 2 * length + 1
        };
        let strip_y = if side == Side::North {
            0
        } else {
            top + length + 1
        };
        let squares = self.geometry().squares(side);
        for (listed, square) in squares.iter().enumerate() {
            let (x, y) = match listed.checked_sub(self.geometry().main().cells()) {
                None => {
                    let (file, rank) = self.geometry().main().place(Cell(listed as u8));
                    (
                        left + 2 * u16::from(file),
                        top + length - 1 - u16::from(rank),
                    )
                }
                Some(number) => {
                    let number = number as u16;
                    match side {
                        Side::East => (strip_x, top + number),
                        Side::West => (strip_x, top + length - 1 - number),
                        Side::North => (left + 2 * number, strip_y),
                        Side::South => (left + 2 * (length - 1 - number), strip_y),
                    }
                }
            };
            let mark = Mark::Level(position.code.level(*square));
            if listed >= self.geometry().main().cells() {
                diagram.strip.push(diagram.marks.len());
            }
            diagram.marks.push((x, y, mark));
            diagram.names.push(self.geometry().name(Cell(listed as u8)));
        }
        let bottom = if side == Side::South {
            strip_y + 1
        } else {
            top + length
        };
        let mut label = |x, y, text: String| diagram.labels.push(Label { x, y, text });
        for rank in 0..length {
            label(0, top + length - 1 - rank, (rank + 1).to_string());
        }
        match side {
            Side::North => label(0, strip_y, (length + 1).to_string()),
            Side::South => label(0, strip_y, "0".into()),
            Side::East => label(strip_x, bottom, file_name(length as u8)),
            Side::West => label(strip_x, bottom, "z".into()),
        }
        for file in 0..length {
            label(left + 2 * file, bottom, file_name(file as u8));
        }
        let names = self.geometry().strip_coordinates(side);
        diagram.notes.push(lies(side, length, &names));
        if position.barred {
            diagram.notes.push(StripSentence::BarredNow.plain());
        }
        diagram
    }
}

/// The position of a board as it is printed: the rank before each row, the files below, and the strip beside it or in
/// a row of its own. Lines after it are left out.
fn unprinted(text: &str) -> Option<String> {
    let lines = text.lines().map(|line| line.split_whitespace().collect());
    let lines: Vec<Vec<&str>> = lines
        .filter(|words: &Vec<&str>| !words.is_empty())
        .collect();
    let number = |words: &Vec<&str>| words[0].parse::<usize>().ok();
    let ranks: Vec<usize> = lines.iter().map_while(number).collect();
    let (first, last) = (*ranks.first()?, *ranks.last()?);
    let mut rows: Vec<&[&str]> = lines[..ranks.len()].iter().map(|row| &row[1..]).collect();
    let files = lines.get(ranks.len())?;
    let is_whole = first + 1 == last + rows.len();
    if !is_whole || rows.iter().any(|row| row.len() != files.len()) {
        return None;
    }
    let (side, strip): (Side, String) = if files[0] == "z" {
        let strip = rows.iter().rev().map(|row| row[0]).collect();
        rows.iter_mut().for_each(|row| *row = &row[1..]);
        (Side::West, strip)
    } else if last == 0 {
        (Side::South, rows.pop()?.iter().rev().copied().collect())
    } else if rows.len() > files.len() {
        (Side::North, rows.remove(0).concat())
    } else {
        let strip = rows.iter().map(|row| row[row.len() - 1]).collect();
        rows.iter_mut().for_each(|row| *row = &row[..row.len() - 1]);
        (Side::East, strip)
    };
    let rows: Vec<String> = rows.iter().map(|row| row.concat()).collect();
    // Below the files stands where the strip lies, and after that only that it may not move.
    let below = text
        .lines()
        .skip_while(|line| !line.split_whitespace().eq(files.iter().copied()))
        .skip(1)
        .take_while(|line| !line.trim().is_empty());
    let is_sentence = |line: &&str| line.trim_end().ends_with('.');
    let flag = match below.filter(is_sentence).count() {
        2 => ",barred",
        _ => "",
    };
    Some(format!(
        "{}+{strip}@{}{flag}",
        rows.join("/"),
        side.letter()
    ))
}

// A strip move by its name, in either case; `None` if the text does not begin like one.
fn read_strip_move(text: &str) -> Option<Result<StripMove, Message>> {
    let text = text.to_ascii_lowercase();
    if text == "turn" {
        return Some(Ok(StripMove::Turn));
    }
    let target = text.strip_prefix("slide")?;
    let target = target.trim_start_matches(is_joint);
    let (letter, turned) = match target.strip_suffix('t') {
        Some(letter) => (letter, true),
        None => (target, false),
    };
    Some(
        Side::from_letter(letter)
            .map(|to| StripMove::Slide { to, turned })
            .ok_or_else(|| messages::move_side(target)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Variant;

    fn game(name: &str) -> StripGame {
        StripGame::named(name).unwrap()
    }

    #[test]
    fn positions_are_read_as_they_are_printed() {
        let slider = game("slider");
        for (printed, expected) in [
            (
                "  4   G   .   Y\n\n  3   R   .   .\n  2   .   Y   .\n  1   .   .   .\n      a   b   c\n",
                "R../.Y./...+G.Y@N",
            ),
            (
                "  4   G   .   Y\n\n  3   R   .   .\n  2   .   Y   .\n  1   .   .   .\n      a   b   c\n  The strip\n  lies.\n  It may\n  not move.\n\n  Position  x.",
                "R../.Y./...+G.Y@N,barred",
            ),
            (
                "  3   R   .   .     G\n  2   .   Y   .     .\n  1   .   .   .     Y\n      a   b   c     d\n  The strip",
                "R../.Y./...+G.Y@E",
            ),
            (
                "3 R . .\n2 . Y .\n1 . . .\n\n0 Y . G\n  a b c",
                "R../.Y./...+G.Y@S",
            ),
            (
                "3 Y  R . .\n2 .  . Y .\n1 G  . . .\n  z  a b c",
                "R../.Y./...+G.Y@W",
            ),
            ("R.. / .Y. / ... + G . Y @ E", "R../.Y./...+G.Y@E"),
        ] {
            let position = slider.read_position(printed).unwrap();
            assert_eq!(slider.write_position(&position), expected);
        }
        let cut = slider.read_position("3 R . . G\n2 . Y . .\n").unwrap_err();
        assert!(cut.text.starts_with("3 R"), "{cut}");
    }

    #[test]
    fn a_position_comes_back_on_the_side_where_it_was_typed() {
        let slider = game("slider");
        let gyr = Variant::parse("slider")
            .unwrap()
            .with_lights("gyr".parse().unwrap())
            .unwrap();
        let gyr = gyr.as_strip().unwrap();
        let text = |slider: &StripGame, text: &str| {
            let position = slider.parse_position(text).unwrap();
            slider.position_text(&position)
        };
        for side in ["E", "S", "W", "N"] {
            for flag in ["", ",barred"] {
                let typed = format!("RYG/..R/Y..+..Y@{side}{flag}");
                assert_eq!(text(&slider, &typed), typed);
                assert_eq!(text(gyr, &typed), typed);
            }
        }
        assert_eq!(text(&slider, "123/001/2oa+00y@n"), "RYG/..R/YYY+..Y@N");
        assert_eq!(text(&slider, ".../.../...+..."), ".../.../...+...@E");
        assert_eq!(
            text(&slider, ".../.../...+...,barred"),
            ".../.../...+...@E,barred"
        );
        let red = slider.parse_position("R../.../...+..Y@W").unwrap();
        assert_eq!(gyr.position_text(&red), "G../.../...+..Y@W");
    }

    #[test]
    fn every_fault_of_a_text_is_named() {
        let error = |name: &str, text: &str| {
            let error = game(name).parse_position(text).unwrap_err();
            let faults: Vec<String> = error.faults.iter().map(ToString::to_string).collect();
            assert!(
                error
                    .to_string()
                    .ends_with("expected for example .../.../R..+...@E")
            );
            faults.join("; ")
        };
        assert_eq!(
            error("slider", ".../.../...+...@X"),
            "side: found '@X', expected @N, @E, @S or @W"
        );
        assert_eq!(
            error("slider", ".../.../...+...@"),
            "side: found '@', expected @N, @E, @S or @W"
        );
        assert_eq!(
            error("slider", ".../.../...+....@E"),
            "strip: found 4 squares, expected 3 clockwise (s1 to s3)"
        );
        assert_eq!(
            error("slider", ".../.../...+@E"),
            "strip: found 0 squares, expected 3 clockwise (s1 to s3)"
        );
        assert_eq!(
            error("slider", ".../.../..."),
            "strip: found none, expected '+' and 3 squares clockwise (s1 to s3) after the board"
        );
        assert_eq!(
            error("strip", ".../.../...+...@E,barred"),
            "flag: found ',barred', expected nothing: in this game strip moves may follow each \
             other"
        );
        assert_eq!(
            error("slider", ".../.../...+...@E,bared"),
            "flag: found ',bared', expected ',barred' or nothing"
        );
        assert_eq!(
            error("slider", "../.../..+.x@Q,x"),
            "row 1 (rank 3): found 2 squares, expected 3; \
             row 3 (rank 1): found 2 squares, expected 3; \
             strip: found 2 squares, expected 3 clockwise (s1 to s3); \
             strip, character 2: found 'x', expected '.' 'R' 'Y' 'G' or 0 to 3; \
             side: found '@Q', expected @N, @E, @S or @W; \
             flag: found ',x', expected ',barred' or nothing"
        );
        assert!(!error("slider", "").is_empty());
        assert!(!error("slider", "é+é@é,é").is_empty());
    }

    #[test]
    fn squares_of_the_strip_by_number_or_coordinates() {
        let strip = game("strip");
        for (side, names) in [
            ("E", ["d3", "d2", "d1"]),
            ("S", ["c0", "b0", "a0"]),
            ("W", ["z1", "z2", "z3"]),
            ("N", ["a4", "b4", "c4"]),
        ] {
            let text = format!("R../.../...+..Y@{side}");
            let position = strip.parse_position(&text).unwrap();
            let read = |text: &str| {
                let mv = strip.parse_move(&position, text).unwrap();
                strip.move_text(&position, mv)
            };
            for (number, name) in names.iter().enumerate() {
                let expected = ["s1R", "s2R", "s3G"][number];
                assert_eq!(read(name), expected);
                assert_eq!(read(&format!("s{}", number + 1)), expected);
                assert_eq!(read(&format!("{name}{}", &expected[2..])), expected);
            }
            assert_eq!(read("A3y"), "a3Y");
            assert_eq!(read("TURN"), "turn");
        }
    }

    #[test]
    fn illegal_moves_say_why() {
        let error = |name: &str, text: &str, mv: &str| {
            let game = game(name);
            let position = game.parse_position(text).unwrap();
            let error = game.parse_move(&position, mv).unwrap_err();
            error.problem.to_string()
        };
        let text = "R../.../...+G..@E";
        let barred = "R../.../...+G..@E,barred";
        assert!(error("slider", barred, "slide-N").contains("barred"));
        assert!(error("strip:repeat=ban", barred, "turn").contains("barred"));
        assert!(error("slider", text, "slide-E").contains("at that side already"));
        assert!(error("slider", text, "slide-Nt").contains("never turned"));
        assert!(error("slider", text, "turn").contains("never turned"));
        assert!(error("slider:sides=adjacent", text, "slide-w").contains("next to its own"));
        assert!(
            error("slider:null=forbidden", ".../.../...+G..@E", "slide-N")
                .contains("change nothing")
        );
        assert!(
            error("strip:empty-strip=forbidden", "R../.../...+...@E", "turn")
                .contains("empty strip")
        );
        assert!(error("strip", text, "slide-X").contains("expected N, E, S or W"));
        assert!(error("strip", text, "slide").contains("expected N, E, S or W"));
        assert!(error("strip", text, "s1").contains("last light"));
        assert!(error("strip", text, "a3R").contains("turns yellow next, written 'Y'"));
        assert!(error("strip", text, "z1").contains("at the east, d3 d2 d1"));
        assert!(error("strip", text, "").contains("slide-N"));
        assert_eq!(
            error("strip", "RRR/.../...+...@E", "turn"),
            "the game is over"
        );
    }

    // One character a half square, to see the layout.
    fn drawn(text: &str) -> (String, Vec<&'static str>) {
        let slider = game("slider");
        let position = slider.parse_position(text).unwrap();
        let diagram = slider.diagram(&position);
        let mut rows = vec![vec![' '; 12]; 7];
        for (x, y, mark) in &diagram.marks {
            let Mark::Level(level) = mark else {
                panic!("{mark:?} on a board of squares")
            };
            rows[usize::from(*y)][usize::from(*x)] = slider.rules().order().letter(*level);
        }
        for label in &diagram.labels {
            rows[usize::from(label.y)][usize::from(label.x)] = label.text.chars().next().unwrap();
        }
        let rows: Vec<String> = rows
            .into_iter()
            .map(|row| String::from_iter(row).trim_end().to_string())
            .collect();
        let notes = diagram.notes.iter().map(|note| note.key).collect();
        (rows.join("\n").trim_end().to_string(), notes)
    }

    #[test]
    fn the_strip_is_drawn_where_it_lies() {
        let (east, notes) = drawn("R../.Y./..G+RYG@E,barred");
        assert_eq!(east, "3 R . .  R\n2 . Y .  Y\n1 . . G  G\n  a b c  d");
        assert_eq!(notes, ["Lies", "BarredNow"]);
        assert_eq!(
            drawn("R../.Y./..G+RYG@W").0,
            "3 G  R . .\n2 Y  . Y .\n1 R  . . G\n  z  a b c"
        );
        assert_eq!(
            drawn("R../.Y./..G+RYG@N").0,
            "4 R Y G\n\n3 R . .\n2 . Y .\n1 . . G\n  a b c"
        );
        let (south, notes) = drawn("R../.Y./..G+RYG@S");
        assert_eq!(south, "3 R . .\n2 . Y .\n1 . . G\n\n0 G Y R\n  a b c");
        assert_eq!(notes.len(), 1);
    }
}
