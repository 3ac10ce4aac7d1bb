//! The slowest reference: it reads a rule file by itself and plays the game as the rules say it, with
//! squares in lists and every fact of a position kept apart. It shares nothing with the crate of games
//! but the words for results, so it also finds what a game misunderstands.
//!
//! It knows the whole language but `[strip]`, `[bag]`, `lights` and `without-lines`.

use std::collections::{BTreeMap, HashMap};

use greenwave_game::{Figures, Game, Metric, Outcome, Plies};
use toml::de::{DeTable, DeValue};

use crate::held_by;

/// What the rules say of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Ruling {
    /// Value, and distance or points, for the player to move.
    pub figures: Figures,
    /// The moves as text, sorted.
    pub moves: Vec<String>,
}

/// A square by its place in the list of all, which goes by rank and then by file.
type Square = usize;

/// Squares that can be a line, in the order of a reading.
#[derive(Debug)]
struct LineReading {
    squares: Vec<Square>,
    // Where an order is requested: a figure has none.
    ordered: bool,
    // First square and the step to the next one.
    from: (i32, i32),
    step: (i32, i32),
}

#[derive(Debug)]
enum CounterSupply {
    Unlimited,
    Cap(usize),
    Pool(usize),
}

/// A game as a rule file describes it.
#[derive(Debug)]
pub struct WrittenGame {
    places: Vec<(i32, i32)>,
    size: (i32, i32),
    joined: (bool, bool),
    hexagonal: bool,
    readings: Vec<LineReading>,
    // By player: patterns and points.
    patterns: [Vec<(Vec<u8>, i32)>; 2],
    of_each: bool,
    tops: Vec<u8>,
    start: Vec<u8>,
    not_first: Vec<Square>,
    misere: bool,
    scored: bool,
    play_on: bool,
    each_run: bool,
    supply: CounterSupply,
    stuck_loses: bool,
    swap: bool,
    last_square: String,
    pass: String,
    turn: (u32, u32),
    may: Option<[Vec<u8>; 2]>,
    win_lines: Option<u32>,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum GameEnd {
    Won(usize),
    Drawn,
    // For the player who would be to move.
    Points(i32),
}

/// Everything about a position, by player 0 and 1.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct WrittenPosition {
    board: Vec<u8>,
    is_start: bool,
    // When the game is over: the opponent of whoever moved last.
    to_move: usize,
    raises_left: u32,
    // Whether a swap may be played, and the points of the first player that it takes over.
    swap: Option<i32>,
    last: Option<Square>,
    passed: u32,
    passes: [u32; 2],
    lines: [u32; 2],
    end: Option<GameEnd>,
}

struct Next {
    mv: String,
    to: WrittenPosition,
    gain: i32,
    same_player: bool,
}

/// A line that a raise completed.
struct RaisedLine {
    squares: Vec<Square>,
    pattern: Vec<u8>,
    points: i32,
    runs: Vec<((i32, i32), (i32, i32))>,
}

fn text<'a>(table: &'a DeTable<'_>, key: &str) -> Option<&'a str> {
    table.get(key)?.get_ref().as_str()
}

fn word(table: &DeTable<'_>, key: &str, usual: &str) -> String {
    text(table, key).unwrap_or(usual).to_string()
}

fn whole(value: &DeValue<'_>) -> Option<i64> {
    value.as_integer()?.as_str().parse().ok()
}

fn flag(table: &DeTable<'_>, key: &str, usual: bool) -> bool {
    table
        .get(key)
        .and_then(|value| value.get_ref().as_bool())
        .unwrap_or(usual)
}

fn list<'a, 't>(table: &'a DeTable<'t>, key: &str) -> Option<Vec<&'a DeValue<'t>>> {
    let items = table.get(key)?.get_ref().as_array()?;
    Some(items.iter().map(|item| item.get_ref()).collect())
}

fn levels(text: &str) -> Vec<u8> {
    text.bytes().map(|digit| digit - b'0').collect()
}

fn backwards(pattern: &[u8]) -> Vec<u8> {
    pattern.iter().rev().copied().collect()
}

impl WrittenGame {
    /// Reads a rule file that describes a game.
    ///
    /// # Panics
    /// When it describes none, or one with a key that is not known here.
    #[must_use]
    pub fn read(file: &str) -> WrittenGame {
        let parsed = DeTable::parse(file).expect("TOML");
        let file = parsed.get_ref();
        let board = file.get("board").expect("a board").get_ref();
        let board = board.as_table().expect("a table");
        for unknown in ["strip", "bag", "lights"] {
            assert!(!file.contains_key(unknown), "{unknown}");
        }
        assert!(!board.contains_key("without-lines"));
        let rows: Vec<String> = match (text(board, "size"), text(board, "outline")) {
            (Some(size), _) => {
                let (ranks, files) = size.split_once('x').expect("a size");
                let files = files.parse().expect("files");
                vec!["#".repeat(files); ranks.parse().expect("ranks")]
            }
            (_, Some(outline)) => outline.split('/').map(str::to_string).collect(),
            _ => panic!("a size or an outline"),
        };
        let size = (rows[0].len() as i32, rows.len() as i32);
        let mut places = Vec::new();
        for (rank, row) in rows.iter().rev().enumerate() {
            let squares = row
                .bytes()
                .enumerate()
                .filter(|(_, letter)| *letter == b'#');
            places.extend(squares.map(|(file, _)| (file as i32, rank as i32)));
        }
        // One level for each square out of rows of letters.
        let read = |rows: &str| -> Vec<u8> {
            let rows: Vec<Vec<char>> = rows.split('/').map(|row| row.chars().collect()).collect();
            let level = |(file, rank): &(i32, i32)| {
                let letter = rows[(size.1 - 1 - rank) as usize][*file as usize];
                let of_light = ".RYG".find(letter).map(|place| place as u8);
                of_light.unwrap_or_else(|| letter as u8 - b'0')
            };
            places.iter().map(level).collect()
        };
        let highest = board.get("levels").and_then(|value| whole(value.get_ref()));
        let highest = highest.unwrap_or(3) as u8;
        let wrap = word(board, "wrap", "none");
        let of_table = |value: Option<&DeValue<'_>>, key: &str| -> Vec<u8> {
            let table = value.and_then(DeValue::as_table).expect("a table");
            let items = list(table, key).expect("levels").into_iter();
            items.filter_map(whole).map(|level| level as u8).collect()
        };
        let may = file.get("may").map(|value| value.get_ref());
        let play = word(file, "play", "normal");
        let supply = word(file, "supply", "unlimited");
        let limit = |kind: &str| {
            supply
                .strip_prefix(kind)
                .and_then(|number| number.parse().ok())
        };
        let turn = file.get("moves-a-turn").map(|value| value.get_ref());
        let names = list(file, "not-first").unwrap_or_default();
        let mut written = WrittenGame {
            tops: text(board, "top").map_or_else(|| vec![highest; places.len()], read),
            start: text(file, "start").map_or_else(|| vec![0; places.len()], read),
            size,
            joined: (
                wrap == "files" || wrap == "both",
                wrap == "ranks" || wrap == "both",
            ),
            hexagonal: word(board, "grid", "square") == "hex",
            readings: Vec::new(),
            patterns: patterns(file),
            of_each: file.contains_key("goal"),
            not_first: Vec::new(),
            misere: play == "misere",
            scored: play == "points",
            play_on: word(file, "end", "first-line") == "play-on",
            each_run: word(file, "four", "twice") == "once",
            supply: match (limit("cap"), limit("pool")) {
                (Some(number), _) => CounterSupply::Cap(number),
                (_, Some(number)) => CounterSupply::Pool(number),
                _ => CounterSupply::Unlimited,
            },
            stuck_loses: word(file, "stalemate", "draw") == "loss",
            swap: flag(file, "swap", false),
            last_square: word(file, "last-square", "any"),
            pass: word(file, "pass", "never"),
            turn: match turn {
                Some(value) if value.as_str() == Some("1-2-2") => (1, 2),
                Some(value) if whole(value) == Some(2) => (2, 2),
                _ => (1, 1),
            },
            // Levels that leave nothing out are as good as none.
            may: may
                .map(|_| ["first", "second"].map(|player| of_table(may, player)))
                .filter(|may| may.iter().any(|levels| levels.len() < highest.into())),
            win_lines: file
                .get("win-lines")
                .and_then(|value| whole(value.get_ref()))
                .map(|lines| lines as u32),
            places,
        };
        let named = |name: &DeValue<'_>| {
            let name = name.as_str().expect("a square");
            (0..written.places.len()).find(|square| written.name(*square) == name)
        };
        written.not_first = names.into_iter().filter_map(named).collect();
        written.readings = written.readings(board);
        written
    }

    fn name(&self, square: Square) -> String {
        let (file, rank) = self.places[square];
        format!("{}{}", char::from(b'a' + file as u8), rank + 1)
    }

    fn at(&self, (file, rank): (i32, i32)) -> Option<Square> {
        let around = |place: i32, size: i32, joined: bool| {
            if joined {
                place.rem_euclid(size)
            } else {
                place
            }
        };
        let place = (
            around(file, self.size.0, self.joined.0),
            around(rank, self.size.1, self.joined.1),
        );
        self.places.iter().position(|known| *known == place)
    }

    fn along(&self, from: (i32, i32), by: &[(i32, i32)]) -> Option<Vec<Square>> {
        let squares = by.iter().map(|by| self.at((from.0 + by.0, from.1 + by.1)));
        let squares = squares.collect::<Option<Vec<Square>>>()?;
        let twice = (1..squares.len()).any(|place| squares[..place].contains(&squares[place]));
        (!twice).then_some(squares)
    }

    fn readings(&self, board: &DeTable<'_>) -> Vec<LineReading> {
        let length = board.get("line-length");
        let length = length.and_then(|value| whole(value.get_ref())).unwrap_or(3) as i32;
        let counts = |name: &str| {
            let names = list(board, "directions");
            names.is_none_or(|names| names.iter().any(|known| known.as_str() == Some(name)))
        };
        let mut steps = Vec::new();
        if counts("rank") {
            steps.push((1, 0));
        }
        if counts("file") {
            steps.push((0, 1));
        }
        if counts("diagonal") {
            steps.push((1, -1));
            if !self.hexagonal {
                steps.push((1, 1));
            }
        }
        let mut readings = Vec::new();
        for from in &self.places {
            for step in &steps {
                let by: Vec<(i32, i32)> = (0..length)
                    .map(|place| (place * step.0, place * step.1))
                    .collect();
                readings.extend(self.along(*from, &by).map(|squares| LineReading {
                    squares,
                    ordered: true,
                    from: *from,
                    step: *step,
                }));
            }
        }
        let turn = flag(board, "shapes-turn", true);
        for shape in list(board, "shapes").unwrap_or_default() {
            let rows: Vec<&str> = shape.as_str().expect("a shape").split('/').collect();
            let mut by = Vec::new();
            for (rank, row) in rows.iter().rev().enumerate() {
                let marked = row
                    .bytes()
                    .enumerate()
                    .filter(|(_, letter)| *letter == b'#');
                by.extend(marked.map(|(file, _)| (file as i32, rank as i32)));
            }
            for image in 0..if turn { 8 } else { 1 } {
                let image = |&(x, y): &(i32, i32)| match image {
                    0 => (x, y),
                    1 => (-x, y),
                    2 => (x, -y),
                    3 => (-x, -y),
                    4 => (y, x),
                    5 => (-y, x),
                    6 => (y, -x),
                    _ => (-y, -x),
                };
                let by: Vec<(i32, i32)> = by.iter().map(image).collect();
                // Wherever one of its squares comes to lie on one of the board.
                for from in &self.places {
                    let by: Vec<(i32, i32)> = by
                        .iter()
                        .map(|to| (to.0 - by[0].0, to.1 - by[0].1))
                        .collect();
                    readings.extend(self.along(*from, &by).map(|squares| LineReading {
                        squares,
                        ordered: false,
                        from: *from,
                        step: (0, 0),
                    }));
                }
            }
        }
        readings
    }

    /// The lines through a square that patterns complete.
    fn completed(
        &self,
        board: &[u8],
        through: Square,
        patterns: &[(Vec<u8>, i32)],
    ) -> Vec<RaisedLine> {
        let mut found: Vec<RaisedLine> = Vec::new();
        for reading in &self.readings {
            if !reading.squares.contains(&through) {
                continue;
            }
            let shown: Vec<u8> = reading
                .squares
                .iter()
                .map(|square| board[*square])
                .collect();
            let mut squares = reading.squares.clone();
            squares.sort_unstable();
            for (pattern, points) in patterns {
                let equal = pattern.iter().all(|level| *level == pattern[0]);
                let is_shown = if equal {
                    shown.iter().all(|level| *level == pattern[0])
                } else {
                    reading.ordered && (shown == *pattern || shown == backwards(pattern))
                };
                if !is_shown {
                    continue;
                }
                let run = (reading.from, reading.step);
                let same =
                    |known: &&mut RaisedLine| known.squares == squares && known.pattern == *pattern;
                match found.iter_mut().find(same) {
                    Some(known) => known.runs.push(run),
                    None => found.push(RaisedLine {
                        squares: squares.clone(),
                        pattern: pattern.clone(),
                        points: *points,
                        runs: vec![run],
                    }),
                }
            }
        }
        found
    }

    /// Points of completed lines; of a run of equal lights once, if the rules say so.
    fn points(&self, completed: &[RaisedLine]) -> i32 {
        if !self.each_run {
            return completed.iter().map(|line| line.points).sum();
        }
        let equal = |line: &RaisedLine| line.pattern.iter().all(|level| *level == line.pattern[0]);
        let goes_on = |one: &RaisedLine, other: &RaisedLine| {
            let next = |((file, rank), step): &((i32, i32), (i32, i32))| {
                let next = self.at((file + step.0, rank + step.1));
                let starts = other.runs.iter();
                let mut starts = starts.filter(|(_, along)| along == step && *step != (0, 0));
                next.is_some() && starts.any(|(from, _)| self.at(*from) == next)
            };
            one.pattern == other.pattern && one.pattern.len() > 1 && one.runs.iter().any(next)
        };
        // Lines of one run get one number.
        let mut run: Vec<usize> = (0..completed.len()).collect();
        for _ in 0..completed.len() {
            for one in 0..completed.len() {
                for other in 0..completed.len() {
                    if equal(&completed[one]) && goes_on(&completed[one], &completed[other]) {
                        let least = run[one].min(run[other]);
                        (run[one], run[other]) = (least, least);
                    }
                }
            }
        }
        let first = (0..completed.len()).filter(|place| run[*place] == *place);
        first.map(|place| completed[place].points).sum()
    }

    fn neighbours(&self, square: Square) -> Vec<Square> {
        let (file, rank) = self.places[square];
        let mut steps = vec![(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)];
        if !self.hexagonal {
            steps.extend([(1, 1), (-1, -1)]);
        }
        let near = steps
            .into_iter()
            .filter_map(|step| self.at((file + step.0, rank + step.1)));
        near.filter(|near| *near != square).collect()
    }

    /// The squares that the player to move may raise.
    fn raises(&self, state: &WrittenPosition) -> Vec<Square> {
        let may_raise = |square: &Square| {
            let to = state.board[*square] + 1;
            let there = |from: u8| state.board.iter().filter(|level| **level >= from).count();
            let supplied = match self.supply {
                CounterSupply::Unlimited => true,
                CounterSupply::Cap(number) => there(to) - there(to + 1) < number,
                CounterSupply::Pool(number) => there(to) < number,
            };
            let levels = self.may.as_ref().map(|may| &may[state.to_move]);
            to <= self.tops[*square]
                && supplied
                && levels.is_none_or(|levels| levels.contains(&to))
                && !(state.is_start && self.not_first.contains(square))
        };
        let all: Vec<Square> = (0..self.places.len()).filter(may_raise).collect();
        let Some(last) = state.last else { return all };
        let near = self.neighbours(last);
        let obeys = |square: &Square| match self.last_square.as_str() {
            "forbidden" => *square != last,
            "neighbours" => near.contains(square),
            "elsewhere" => *square != last && !near.contains(square),
            _ => true,
        };
        let obeying: Vec<Square> = all.iter().copied().filter(obeys).collect();
        if obeying.is_empty() { all } else { obeying }
    }

    fn may_pass(&self, state: &WrittenPosition) -> bool {
        self.pass == "free" || self.pass == "once" && state.passes[state.to_move] > 0
    }

    /// The winner if one player has a winning line, which loses in a misère game.
    fn won(&self, by: usize) -> GameEnd {
        GameEnd::Won(if self.misere { 1 - by } else { by })
    }

    /// How it ends where no square can be raised; `None` if play goes on by other moves.
    fn stuck(&self, state: &WrittenPosition) -> Option<GameEnd> {
        if !self.raises(state).is_empty() {
            return None;
        }
        let other_move = self.may_pass(state) || state.swap.is_some();
        if self.win_lines.is_some() {
            let nobody_raises = (0..2).all(|to_move| {
                let state = WrittenPosition {
                    to_move,
                    is_start: false,
                    last: None,
                    ..state.clone()
                };
                self.raises(&state).is_empty()
            });
            if other_move && !nobody_raises {
                return None;
            }
            return Some(match state.lines[0].cmp(&state.lines[1]) {
                std::cmp::Ordering::Greater => self.won(0),
                std::cmp::Ordering::Less => self.won(1),
                std::cmp::Ordering::Equal => GameEnd::Drawn,
            });
        }
        if other_move {
            return None;
        }
        Some(match (self.scored, self.stuck_loses) {
            (true, _) => GameEnd::Points(0),
            (false, true) => GameEnd::Won(1 - state.to_move),
            (false, false) => GameEnd::Drawn,
        })
    }

    fn start(&self) -> WrittenPosition {
        let mut start = WrittenPosition {
            board: self.start.clone(),
            is_start: true,
            to_move: 0,
            raises_left: self.turn.0,
            swap: None,
            last: None,
            passed: 0,
            passes: if self.pass == "once" { [1, 1] } else { [0, 0] },
            lines: [0, 0],
            end: None,
        };
        start.end = self.stuck(&start);
        start
    }

    fn raise(&self, state: &WrittenPosition, square: Square) -> Next {
        let by = state.to_move;
        let mut to = state.clone();
        to.board[square] += 1;
        (to.is_start, to.swap, to.passed) = (false, None, 0);
        to.last = (self.last_square != "any").then_some(square);
        let mine = self.completed(&to.board, square, &self.patterns[by]);
        let points = self.points(&mine);
        let mut gain = 0;
        if self.scored {
            if self.play_on {
                gain = points;
            } else if !mine.is_empty() {
                to.end = Some(GameEnd::Points(-points));
            }
        } else {
            let mut lines = [0, 0];
            lines[by] = mine.len() as u32;
            if self.of_each && mine.is_empty() {
                let theirs = self.completed(&to.board, square, &self.patterns[1 - by]);
                lines[1 - by] = theirs.len() as u32;
            }
            let enough = self.win_lines.unwrap_or(1);
            for (player, more) in lines.into_iter().enumerate() {
                // Counted as far as it matters.
                let sum = (to.lines[player] + more).min(enough);
                if self.win_lines.is_some() {
                    to.lines[player] = sum;
                }
                if sum == enough && more > 0 {
                    to.end = Some(self.won(player));
                }
            }
        }
        to.raises_left -= 1;
        let same_player = to.raises_left > 0 && to.end.is_none() && !self.raises(&to).is_empty();
        if !same_player {
            // A turn that cannot be completed is one without a move.
            let cut = to.raises_left > 0 && to.end.is_none();
            if cut {
                to.end = self.stuck(&to);
            }
            to.to_move = 1 - by;
            to.raises_left = self.turn.1;
            if to.end.is_none() {
                to.swap = (state.is_start && self.swap).then_some(gain);
                to.end = self.stuck(&to);
                if to.end.is_some() {
                    to.swap = None;
                }
            }
        }
        let light = ['R', 'Y', 'G'][usize::from(to.board[square]) - 1];
        Next {
            mv: format!("{}{light}", self.name(square)),
            to,
            gain,
            same_player,
        }
    }

    fn pass(&self, state: &WrittenPosition) -> Next {
        let mut to = state.clone();
        (to.is_start, to.swap, to.last) = (false, None, None);
        to.to_move = 1 - state.to_move;
        if self.pass == "once" {
            to.passes[state.to_move] -= 1;
            to.swap = (state.is_start && self.swap).then_some(0);
        } else {
            // After a free pass in the first ply nothing could tell a swap from the start.
            to.passed += 1;
            if to.passed == 2 {
                to.end = Some(if self.scored {
                    GameEnd::Points(0)
                } else {
                    GameEnd::Drawn
                });
            }
        }
        if to.end.is_none() {
            to.end = self.stuck(&to);
            if to.end.is_some() {
                to.swap = None;
            }
        }
        Next {
            mv: "pass".into(),
            to,
            gain: 0,
            same_player: false,
        }
    }

    fn nexts(&self, state: &WrittenPosition) -> Vec<Next> {
        if state.end.is_some() {
            return Vec::new();
        }
        let raises = self.raises(state).into_iter();
        let mut nexts: Vec<Next> = raises.map(|square| self.raise(state, square)).collect();
        if self.may_pass(state) {
            nexts.push(self.pass(state));
        }
        if let Some(taken) = state.swap {
            // The players exchange parts: the part that is to move is the same, the player is not, and
            // the points of the first ply belong to whoever swapped.
            let mut to = state.clone();
            (to.swap, to.last, to.passed) = (None, None, 0);
            to.end = self.stuck(&to);
            nexts.push(Next {
                mv: "swap".into(),
                to,
                gain: 2 * taken,
                same_player: false,
            });
        }
        nexts
    }

    fn position_text(&self, state: &WrittenPosition) -> String {
        let mut rows = Vec::new();
        for rank in (0..self.size.1).rev() {
            let square = |file| self.places.iter().position(|known| *known == (file, rank));
            let letter = |file| match square(file) {
                Some(square) => ['.', 'R', 'Y', 'G'][usize::from(state.board[square])],
                None => '-',
            };
            rows.push((0..self.size.0).map(letter).collect::<String>());
        }
        let mut text = rows.join("/");
        let (me, other) = (state.to_move, 1 - state.to_move);
        if state.swap.is_some() {
            text += ",swap";
        }
        if let Some(last) = state.last {
            text += &format!(",last={}", self.name(last));
        }
        text += &",passed".repeat(state.passed as usize);
        if self.pass == "once" {
            text += &format!(",passes={}:{}", state.passes[me], state.passes[other]);
        }
        if (self.may.is_some() || self.of_each) && (self.swap || self.pass != "never") {
            text += [",first", ",second"][me];
        }
        if self.win_lines.is_some() {
            text += &format!(",lines={}:{}", state.lines[me], state.lines[other]);
        }
        text
    }

    fn figures(
        &self,
        state: &WrittenPosition,
        nexts: &[Next],
        known: &HashMap<WrittenPosition, Figures>,
    ) -> Figures {
        let of = |outcome: Outcome, plies: u32, points: i32| {
            Figures::of(
                Some(outcome),
                (!self.scored && outcome != Outcome::Draw).then_some(Plies(plies)),
                self.scored.then_some(points),
            )
        };
        match state.end {
            Some(GameEnd::Won(player)) if player == state.to_move => return of(Outcome::Win, 0, 0),
            Some(GameEnd::Won(_)) => return of(Outcome::Loss, 0, 0),
            Some(GameEnd::Drawn) => return of(Outcome::Draw, 0, 0),
            Some(GameEnd::Points(points)) => return of(Outcome::of_points(points), 0, points),
            None => {}
        }
        let mut best: Option<(i64, Figures)> = None;
        for next in nexts {
            let below = known[&next.to];
            let turn = if next.same_player { 1 } else { -1 };
            let points = next.gain + turn * below.points.unwrap_or(0);
            let value = match below.value.expect("a value") {
                value if next.same_player => value,
                Outcome::Win => Outcome::Loss,
                Outcome::Loss => Outcome::Win,
                Outcome::Draw => Outcome::Draw,
            };
            let value = if self.scored {
                Outcome::of_points(points)
            } else {
                value
            };
            let plies = below.distance.map_or(0, |plies| plies.0 + 1);
            let wish = match (self.scored, value) {
                (true, _) => points.into(),
                (false, Outcome::Win) => 1_000 - i64::from(plies),
                (false, Outcome::Draw) => 0,
                (false, Outcome::Loss) => i64::from(plies) - 1_000,
            };
            if best.as_ref().is_none_or(|(known, _)| wish > *known) {
                best = Some((wish, of(value, plies, points)));
            }
        }
        best.expect("a game that is not over has a move").1
    }

    /// All positions that play can reach, by their texts; `None` if they are more than `most`.
    ///
    /// # Panics
    /// When one text means two things.
    #[must_use]
    pub fn positions(&self, most: usize) -> Option<BTreeMap<String, Ruling>> {
        // Every move goes up: raises, passes since the last raise, and the swap, which comes first.
        let height = |state: &WrittenPosition| {
            let raised: u32 = state.board.iter().map(|level| u32::from(*level)).sum();
            let left: u32 = state.passes.iter().sum();
            let beside = 4 * state.passed + 4 * (2 - left.min(2));
            16 * raised + beside + u32::from(state.swap.is_none())
        };
        let mut found: HashMap<WrittenPosition, Vec<Next>> = HashMap::new();
        let mut waiting = vec![self.start()];
        while let Some(state) = waiting.pop() {
            if found.contains_key(&state) {
                continue;
            }
            if found.len() == most {
                return None;
            }
            let nexts = self.nexts(&state);
            waiting.extend(nexts.iter().map(|next| next.to.clone()));
            found.insert(state, nexts);
        }
        let mut states: Vec<&WrittenPosition> = found.keys().collect();
        states.sort_by_key(|state| std::cmp::Reverse(height(state)));
        let mut known: HashMap<WrittenPosition, Figures> = HashMap::new();
        let mut told: BTreeMap<String, Ruling> = BTreeMap::new();
        for state in states {
            let nexts = &found[state];
            let figures = self.figures(state, nexts, &known);
            known.insert(state.clone(), figures);
            let mut moves: Vec<String> = nexts.iter().map(|next| next.mv.clone()).collect();
            moves.sort_unstable();
            let here = Ruling { figures, moves };
            let text = self.position_text(state);
            if let Some(other) = told.insert(text.clone(), here.clone()) {
                assert_eq!(other, here, "{text} means two things");
            }
        }
        Some(told)
    }
}

// The patterns that count for each player, and their points.
fn patterns(file: &DeTable<'_>) -> [Vec<(Vec<u8>, i32)>; 2] {
    let once = |given: Vec<(Vec<u8>, i32)>| {
        let mut kept: Vec<(Vec<u8>, i32)> = Vec::new();
        for (pattern, points) in given {
            let back = backwards(&pattern);
            if !kept
                .iter()
                .any(|(known, _)| *known == pattern || *known == back)
            {
                kept.push((pattern, points));
            }
        }
        kept
    };
    let listed = |table: &DeTable<'_>, key: &str| {
        let items = list(table, key).expect("patterns").into_iter();
        let texts = items.map(|item| item.as_str().expect("a pattern"));
        once(texts.map(|text| (levels(text), 1)).collect())
    };
    if let Some(goal) = file.get("goal") {
        let goal = goal.get_ref().as_table().expect("a table");
        return ["first", "second"].map(|player| listed(goal, player));
    }
    let both = match file.get("patterns").expect("patterns").get_ref().as_table() {
        Some(table) => {
            let all = table.iter().map(|(pattern, points)| {
                let points = whole(points.get_ref()).expect("points") as i32;
                (levels(pattern.get_ref()), points)
            });
            once(all.collect())
        }
        None => listed(file, "patterns"),
    };
    [both.clone(), both]
}

/// Where a game, with the figures that an engine found, is another one than a rule file tells: text for
/// text, move for move, and figure for figure in one metric other than nimbers.
pub fn disagreement<G: Game>(
    told: &BTreeMap<String, Ruling>,
    game: &G,
    metric: Metric,
    figures: impl Fn(&G::Position) -> Figures,
) -> Option<String> {
    let mut moves = Vec::new();
    for (text, told) in told {
        let position = match game.parse_position(text) {
            Ok(position) => position,
            Err(error) => return Some(error.to_string()),
        };
        let again = game.position_text(&position);
        if again != *text {
            return Some(format!("{text} is written as {again}"));
        }
        game.moves(&position, &mut moves);
        let moves = moves.iter().map(|mv| game.move_text(&position, *mv));
        let mut moves: Vec<String> = moves.collect();
        moves.sort_unstable();
        if moves != told.moves {
            return Some(format!(
                "{text} has the moves {moves:?}, expected {:?}",
                told.moves
            ));
        }
        let (found, expected) = (figures(&position), held_by(metric, told.figures));
        if metric != Metric::Nimber && found != expected {
            return Some(format!("{text} has {found:?}, expected {expected:?}"));
        }
    }
    let start = game.position_text(&game.start());
    let missing = !told.is_empty() && !told.contains_key(&start);
    missing.then(|| format!("the start is written as {start}, which nobody expects"))
}
