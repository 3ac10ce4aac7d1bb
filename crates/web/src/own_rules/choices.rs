//! The choices that make rules: read from the address, written to it, and as a rule file.

use std::fmt::Write;

use greenwave_game::file_name;

use crate::messages;
use crate::params::Params;
use crate::problem::Problem;

/// What the address of the page says, beside what all pages carry on.
pub(crate) const PARAMS: [&str; 23] = [
    "title", "board", "along", "length", "wrap", "grid", "levels", "goals", "second", "lose",
    "start", "top", "barred", "swap", "last", "pass", "turns", "may", "lines", "click", "file",
    "budget", "stage",
];

/// Most ranks and files of the form.
pub(crate) const SIDE: usize = 6;
pub(crate) const DIRECTIONS: [(char, &str, &str); 3] = [
    ('r', "rank", "design-rank"),
    ('f', "file", "design-file"),
    ('d', "diagonal", "design-diagonal"),
];
pub(crate) const WRAPS: [(&str, &str); 4] = [
    ("none", "design-none"),
    ("files", "design-files"),
    ("ranks", "design-ranks"),
    ("both", "design-both"),
];

pub(crate) const LASTS: [(&str, &str); 4] = [
    ("any", "design-any"),
    ("forbidden", "design-forbidden"),
    ("neighbours", "design-neighbours"),
    ("elsewhere", "design-elsewhere"),
];
pub(crate) const PASSES: [(&str, &str); 3] = [
    ("never", "design-never"),
    ("free", "design-free"),
    ("once", "design-once"),
];
pub(crate) const TURNS: [&str; 3] = ["1", "2", "1-2-2"];
/// What a click on a square does.
pub(crate) const CLICKS: [(&str, &str); 4] = [
    ("gap", "design-click-gap"),
    ("start", "design-click-start"),
    ("top", "design-click-top"),
    ("barred", "design-click-barred"),
];
pub(crate) const LIGHTS: [(u8, &str); 3] = [(1, "red"), (2, "yellow"), (3, "green")];
/// Most lines that win, of the form.
pub(crate) const LINES: u64 = 4;

/// A place of the board.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BoardSpot {
    /// Whether there is a square.
    pub(crate) there: bool,
    pub(crate) start: u8,
    pub(crate) top: u8,
    /// Whether the first move may not be here.
    pub(crate) barred: bool,
}

/// The choices that make the rules.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Design {
    /// What the game is called; empty where it has no title.
    pub(crate) title: String,
    /// Rows from the top.
    pub(crate) board: Vec<Vec<BoardSpot>>,
    pub(crate) along: Vec<char>,
    pub(crate) length: usize,
    pub(crate) wrap: &'static str,
    pub(crate) hex: bool,
    pub(crate) levels: u8,
    /// Of both players, or of the first one where the second has goals of its own.
    pub(crate) goals: Vec<String>,
    pub(crate) second: Option<Vec<String>>,
    pub(crate) lose: bool,
    pub(crate) swap: bool,
    pub(crate) last: &'static str,
    pub(crate) pass: &'static str,
    pub(crate) turns: &'static str,
    /// The levels to which each player may raise.
    pub(crate) may: [Vec<u8>; 2],
    pub(crate) lines: u64,
    pub(crate) click: &'static str,
}

impl BoardSpot {
    pub(crate) fn new(there: bool, levels: u8) -> BoardSpot {
        BoardSpot {
            there,
            start: 0,
            top: levels,
            barred: false,
        }
    }
}

/// Most letters of a title.
pub(crate) const TITLE: usize = 40;

/// What a game is called: letters, digits, hyphens, and single blanks between words, as an address carries them.
fn title_of(text: &str) -> String {
    let fits = |letter: &char| letter.is_alphanumeric() || "- ".contains(*letter);
    let letters: String = text.chars().filter(fits).take(TITLE).collect();
    letters.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Rows from the top with a letter for each place.
pub(crate) fn rows_of(board: &[Vec<BoardSpot>], letter: impl Fn(&BoardSpot) -> char) -> String {
    let row = |row: &Vec<BoardSpot>| -> String { row.iter().map(&letter).collect() };
    board.iter().map(row).collect::<Vec<_>>().join("/")
}

pub(crate) fn digit(level: u8) -> char {
    char::from(b'0' + level)
}

/// Lines of equal lights, which count where nothing else is chosen.
pub(crate) fn equal(length: usize, levels: u8) -> Vec<String> {
    let of = |level: u8| level.to_string().repeat(length);
    (1..=levels).map(of).collect()
}

impl Default for Design {
    fn default() -> Design {
        Design {
            title: String::new(),
            board: vec![vec![BoardSpot::new(true, 3); 3]; 3],
            along: DIRECTIONS.map(|(letter, ..)| letter).to_vec(),
            length: 3,
            wrap: WRAPS[0].0,
            hex: false,
            levels: 3,
            goals: equal(3, 3),
            second: None,
            lose: false,
            swap: false,
            last: LASTS[0].0,
            pass: PASSES[0].0,
            turns: TURNS[0],
            may: [vec![1, 2, 3], vec![1, 2, 3]],
            lines: 1,
            click: CLICKS[0].0,
        }
    }
}

impl Design {
    pub(crate) fn read(params: &Params) -> Result<Design, Problem> {
        let usual = Design::default();
        let length = params.number_from("length", 1, SIDE as u64)?.unwrap_or(3) as usize;
        let levels = params.number_from("levels", 1, 3)?.unwrap_or(3) as u8;
        let along = params.get("along").map_or(usual.along, |letters| {
            let known = DIRECTIONS.map(|(letter, ..)| letter).into_iter();
            known.filter(|letter| letters.contains(*letter)).collect()
        });
        let second = match params.get("second") {
            Some("") => Some(Vec::new()),
            Some(_) => goals(params, "second", length, levels)?,
            None => None,
        };
        let same = |name: &'static str| (name, name);
        Ok(Design {
            title: params
                .text("title")
                .map_or_else(String::new, |text| title_of(&text)),
            board: board(params, levels)?,
            along,
            length,
            wrap: params
                .one_of("wrap", &WRAPS.map(|(name, _)| same(name)))?
                .unwrap_or(usual.wrap),
            hex: params
                .one_of("grid", &[("square", false), ("hex", true)])?
                .unwrap_or(false),
            levels,
            goals: match params.get("goals") {
                Some("") if second.is_some() => Vec::new(),
                _ => goals(params, "goals", length, levels)?.unwrap_or(equal(length, levels)),
            },
            second,
            lose: params.switch("lose", false)?,
            swap: params.switch("swap", false)?,
            last: params
                .one_of("last", &LASTS.map(|(name, _)| same(name)))?
                .unwrap_or(usual.last),
            pass: params
                .one_of("pass", &PASSES.map(|(name, _)| same(name)))?
                .unwrap_or(usual.pass),
            turns: params
                .one_of("turns", &TURNS.map(same))?
                .unwrap_or(usual.turns),
            may: may(params, levels)?,
            lines: params.number_from("lines", 1, LINES)?.unwrap_or(1),
            click: params
                .one_of("click", &CLICKS.map(|(name, _)| same(name)))?
                .unwrap_or(usual.click),
        })
    }

    /// The choices in the address, no more than it needs.
    pub(crate) fn own(&self) -> Vec<(&'static str, String)> {
        let usual = Design::default();
        let mut own = Vec::new();
        if !self.title.is_empty() {
            own.push(("title", self.title.clone()));
        }
        let board = self.rows('o');
        if board != usual.rows('o') {
            own.push(("board", board));
        }
        if self.along != usual.along {
            own.push(("along", self.along.iter().collect()));
        }
        if self.length != usual.length {
            own.push(("length", self.length.to_string()));
        }
        if self.wrap != usual.wrap {
            own.push(("wrap", self.wrap.into()));
        }
        if self.hex {
            own.push(("grid", "hex".into()));
        }
        if self.levels != usual.levels {
            own.push(("levels", self.levels.to_string()));
        }
        if self.goals != equal(self.length, self.levels) {
            own.push(("goals", self.goals.join(",")));
        }
        if let Some(second) = &self.second {
            own.push(("second", second.join(",")));
        }
        if self.lose {
            own.push(("lose", "1".into()));
        }
        let spots = || self.board.iter().flatten().filter(|spot| spot.there);
        if spots().any(|spot| spot.start > 0) {
            own.push(("start", self.levels_of(|spot| spot.start)));
        }
        if spots().any(|spot| spot.top < self.levels) {
            own.push(("top", self.levels_of(|spot| spot.top)));
        }
        if spots().any(|spot| spot.barred) {
            let letter = |spot: &BoardSpot| match (spot.there, spot.barred) {
                (false, _) => '-',
                (true, true) => 'x',
                (true, false) => 'o',
            };
            own.push(("barred", rows_of(&self.board, letter)));
        }
        if self.swap {
            own.push(("swap", "1".into()));
        }
        for (name, value, usual) in [
            ("last", self.last, usual.last),
            ("pass", self.pass, usual.pass),
            ("turns", self.turns, usual.turns),
        ] {
            if value != usual {
                own.push((name, value.into()));
            }
        }
        if self.restricts() {
            let digits =
                |levels: &Vec<u8>| -> String { levels.iter().copied().map(digit).collect() };
            own.push(("may", self.may.each_ref().map(digits).join("-")));
        }
        if self.lines > 1 {
            own.push(("lines", self.lines.to_string()));
        }
        if self.click != usual.click {
            own.push(("click", self.click.into()));
        }
        own
    }

    pub(crate) fn levels_of(&self, level: impl Fn(&BoardSpot) -> u8) -> String {
        rows_of(&self.board, |spot| {
            if spot.there { digit(level(spot)) } else { '-' }
        })
    }

    /// Whether there are levels to which a player may not raise.
    pub(crate) fn restricts(&self) -> bool {
        self.may
            .iter()
            .any(|may| may.len() < usize::from(self.levels))
    }

    pub(crate) fn rows(&self, square: char) -> String {
        rows_of(&self.board, |spot| if spot.there { square } else { '-' })
    }

    pub(crate) fn squares(&self) -> usize {
        self.board
            .iter()
            .flatten()
            .filter(|spot| spot.there)
            .count()
    }

    /// The names of the squares that are barred for the first move, from the first rank on.
    pub(crate) fn barred(&self) -> Vec<String> {
        let rows = self.board.iter().rev().enumerate();
        rows.flat_map(|(rank, row)| {
            let barred = row.iter().enumerate();
            let barred = barred.filter(|(_, spot)| spot.there && spot.barred);
            barred.map(move |(file, _)| format!("{}{}", file_name(file as u8), rank + 1))
        })
        .collect()
    }

    /// The rule file.
    pub(crate) fn text(&self) -> String {
        let list = |items: &[String]| format!("[{}]", items.join(", "));
        let quoted = |items: &[String]| {
            let items: Vec<String> = items.iter().map(|item| format!("\"{item}\"")).collect();
            list(&items)
        };
        let goals = quoted(&self.goals);
        let mut text = String::new();
        if !self.title.is_empty() {
            let _ = writeln!(text, "title = \"{}\"", self.title);
        }
        let _ = match &self.second {
            Some(second) => writeln!(
                text,
                "goal = {{ first = {goals}, second = {} }}",
                quoted(second)
            ),
            None => writeln!(text, "patterns = {goals}"),
        };
        if self.lose {
            text.push_str("play = \"misere\"\n");
        }
        let spots = || self.board.iter().flatten().filter(|spot| spot.there);
        if spots().any(|spot| spot.start > 0) {
            let start = rows_of(&self.board, |spot| match (spot.there, spot.start) {
                (false, _) => '-',
                (true, 1) => 'R',
                (true, 2) => 'Y',
                (true, 3) => 'G',
                (true, _) => '.',
            });
            let _ = writeln!(text, "start = \"{start}\"");
        }
        let barred = self.barred();
        if !barred.is_empty() {
            let _ = writeln!(text, "not-first = {}", quoted(&barred));
        }
        if self.swap {
            text.push_str("swap = true\n");
        }
        if self.last != LASTS[0].0 {
            let _ = writeln!(text, "last-square = \"{}\"", self.last);
        }
        if self.pass != PASSES[0].0 {
            let _ = writeln!(text, "pass = \"{}\"", self.pass);
        }
        match self.turns {
            "1" => {}
            "2" => text.push_str("moves-a-turn = 2\n"),
            turns => {
                let _ = writeln!(text, "moves-a-turn = \"{turns}\"");
            }
        }
        if self.restricts() {
            let levels = |may: &Vec<u8>| list(&may.iter().map(u8::to_string).collect::<Vec<_>>());
            let [first, second] = self.may.each_ref().map(levels);
            let _ = writeln!(text, "may = {{ first = {first}, second = {second} }}");
        }
        if self.lines > 1 {
            let _ = writeln!(text, "win-lines = {}", self.lines);
        }
        text.push_str("\n[board]\n");
        let (ranks, files) = (self.board.len(), self.board[0].len());
        let _ = if self.squares() == ranks * files {
            writeln!(text, "size = \"{ranks}x{files}\"")
        } else {
            writeln!(text, "outline = \"{}\"", self.rows('#'))
        };
        if self.length != 3 {
            let _ = writeln!(text, "line-length = {}", self.length);
        }
        if self.levels != 3 {
            let _ = writeln!(text, "levels = {}", self.levels);
        }
        if spots().any(|spot| spot.top < self.levels) {
            let _ = writeln!(text, "top = \"{}\"", self.levels_of(|spot| spot.top));
        }
        if self.along.len() < DIRECTIONS.len() {
            let known = DIRECTIONS
                .iter()
                .filter(|(letter, ..)| self.along.contains(letter));
            let along: Vec<String> = known.map(|(_, name, _)| name.to_string()).collect();
            let _ = writeln!(text, "directions = {}", quoted(&along));
        }
        if self.wrap != "none" {
            let _ = writeln!(text, "wrap = \"{}\"", self.wrap);
        }
        if self.hex {
            text.push_str("grid = \"hex\"\n");
        }
        text
    }

    /// The same with another length or number of lights, and the lines of equal lights.
    pub(crate) fn with_lines(&self, length: usize, levels: u8) -> Design {
        let mut changed = Design {
            length,
            levels,
            goals: equal(length, levels),
            second: self.second.as_ref().map(|_| equal(length, levels)),
            ..self.clone()
        };
        if levels != self.levels {
            changed.may = [(1..=levels).collect(), (1..=levels).collect()];
            for spot in changed.board.iter_mut().flatten() {
                spot.top = levels;
                spot.start = spot.start.min(levels);
            }
        }
        changed
    }

    /// The same after a click on a square.
    pub(crate) fn with_square(&self, row: usize, file: usize) -> Design {
        let mut changed = self.clone();
        let spot = &mut changed.board[row][file];
        match (self.click, spot.there) {
            ("start", true) => spot.start = (spot.start + 1) % (spot.top + 1),
            ("top", true) => {
                spot.top = spot.top.checked_sub(1).unwrap_or(self.levels);
                spot.start = spot.start.min(spot.top);
            }
            ("barred", true) => spot.barred ^= true,
            (_, there) => *spot = BoardSpot::new(!there, self.levels),
        }
        changed
    }

    /// The same with a goal more or less: of both players, or of one of them. Both have one at least.
    pub(crate) fn with_goal(&self, goal: &str, of_second: bool) -> Design {
        let mut changed = self.clone();
        let alone = self.second.is_none();
        let goals = match &mut changed.second {
            Some(second) if of_second => second,
            Some(_) | None => &mut changed.goals,
        };
        match goals.iter().position(|known| known == goal) {
            Some(place) if goals.len() > 1 || !alone => drop(goals.remove(place)),
            Some(_) => {}
            None => goals.push(goal.into()),
        }
        goals.sort();
        changed
    }

    /// The same where each player has goals of its own, or both have the same.
    pub(crate) fn with_own_goals(&self, own: bool) -> Design {
        let goals = if self.goals.is_empty() {
            equal(self.length, self.levels)
        } else {
            self.goals.clone()
        };
        Design {
            second: own.then(|| self.second.clone().unwrap_or(goals.clone())),
            goals: if own { self.goals.clone() } else { goals },
            ..self.clone()
        }
    }

    /// The same where a player may raise to a level, or no longer may.
    pub(crate) fn with_level(&self, player: usize, level: u8) -> Design {
        let mut changed = self.clone();
        changed.may[player] = (1..=self.levels)
            .filter(|known| self.may[player].contains(known) != (*known == level))
            .collect();
        changed
    }

    pub(crate) fn with_direction(&self, letter: char) -> Design {
        let mut changed = self.clone();
        let known = DIRECTIONS.map(|(letter, ..)| letter).into_iter();
        changed.along = known
            .filter(|known| self.along.contains(known) != (*known == letter))
            .collect();
        changed
    }

    /// The board with other numbers of ranks and files: squares join it and leave it at the top and at the right.
    pub(crate) fn sized(&self, ranks: usize, files: usize) -> Option<Design> {
        let sides = 1..=SIDE;
        (sides.contains(&ranks) && sides.contains(&files)).then(|| {
            let mut changed = self.clone();
            let board = &mut changed.board;
            let more = ranks.saturating_sub(board.len());
            board.drain(..board.len().saturating_sub(ranks));
            board.splice(..0, vec![Vec::new(); more]);
            for row in board {
                row.resize(files, BoardSpot::new(true, self.levels));
            }
            changed
        })
    }
}

/// Rows from the top of letters that are allowed, as many in each.
pub(crate) fn letters_of(text: &str, allowed: &str) -> Option<Vec<Vec<char>>> {
    let rows: Vec<Vec<char>> = text.split('/').map(|row| row.chars().collect()).collect();
    let files = rows[0].len();
    let fine = rows.len() <= SIDE && (1..=SIDE).contains(&files);
    let known = rows
        .iter()
        .flatten()
        .all(|letter| allowed.contains(*letter));
    (fine && known && rows.iter().all(|row| row.len() == files)).then_some(rows)
}

/// The board that the address says.
pub(crate) fn board(params: &Params, levels: u8) -> Result<Vec<Vec<BoardSpot>>, Problem> {
    let given = |name: &str| params.get(name).filter(|text| !text.is_empty());
    let mut board = match given("board") {
        None => vec![vec![BoardSpot::new(true, levels); 3]; 3],
        Some(text) => {
            let rows = letters_of(text, "oO#-").ok_or_else(|| {
                let problem = messages::found_outline(text, "ooo/o-o/ooo", SIDE);
                Problem::wrong("board", problem)
            })?;
            let spot = |letter: &char| BoardSpot::new(*letter != '-', levels);
            rows.iter()
                .map(|row| row.iter().map(spot).collect())
                .collect()
        }
    };
    let digits: String = (0..=levels).map(digit).chain(['-']).collect();
    for (name, allowed) in [
        ("start", digits.as_str()),
        ("top", &digits),
        ("barred", "ox-"),
    ] {
        let Some(text) = given(name) else { continue };
        let rows = letters_of(text, allowed)
            .filter(|rows| rows.len() == board.len() && rows[0].len() == board[0].len());
        let Some(rows) = rows else {
            let (ranks, files) = (board.len(), board[0].len());
            let problem = messages::design_rows(text, ranks, files, allowed);
            return Err(Problem::wrong(name, problem));
        };
        let spots = board.iter_mut().flatten().zip(rows.iter().flatten());
        for (spot, letter) in spots.filter(|(spot, letter)| spot.there && **letter != '-') {
            let level = letter.to_digit(10).unwrap_or(0) as u8;
            match name {
                "start" => spot.start = level,
                "top" => spot.top = level,
                _ => spot.barred = *letter == 'x',
            }
        }
    }
    Ok(board)
}

/// The lines that count, if the address says them.
pub(crate) fn goals(
    params: &Params,
    name: &str,
    length: usize,
    levels: u8,
) -> Result<Option<Vec<String>>, Problem> {
    let Some(list) = params.text(name) else {
        return Ok(None);
    };
    let goals: Vec<String> = list.split(',').map(str::to_string).collect();
    let fine = |goal: &String| {
        goal.len() == length
            && goal
                .bytes()
                .all(|digit| (b'1'..=b'0' + levels).contains(&digit))
    };
    if goals.iter().all(fine) {
        Ok(Some(goals))
    } else {
        let problem = messages::found_goals(list, length, levels);
        Err(Problem::wrong(name, problem))
    }
}

/// The levels to which each player may raise: `12-23`.
pub(crate) fn may(params: &Params, levels: u8) -> Result<[Vec<u8>; 2], Problem> {
    let all: Vec<u8> = (1..=levels).collect();
    let Some(text) = params.get("may").filter(|text| !text.is_empty()) else {
        return Ok([all.clone(), all]);
    };
    let known = |digits: &str| {
        let fine = digits
            .chars()
            .all(|found| all.iter().any(|level| digit(*level) == found));
        fine.then(|| {
            all.iter()
                .copied()
                .filter(|level| digits.contains(digit(*level)))
                .collect()
        })
    };
    let read = text.split_once('-');
    let read = read.and_then(|(first, second)| Some([known(first)?, known(second)?]));
    read.ok_or_else(|| Problem::wrong("may", messages::design_may(text, levels)))
}

#[cfg(test)]
mod tests {
    use greenwave_game::{RuleFile, Variant, VariantError};
    use greenwave_play::Dice;
    use greenwave_words::Language;

    use super::*;

    fn design(query: &str) -> Design {
        Design::read(&Params::read(query).unwrap()).unwrap()
    }

    /// Every choice of every page is a page whose address says the same, and whose rule file is read.
    #[test]
    fn the_address_carries_the_rules() {
        for query in [
            "",
            "title=Meine grüne Ampel 2&lose=1",
            "board=ooo/o-o/ooo&lose=1",
            "along=&wrap=both&levels=1",
            "along=rd&length=2&goals=11,12",
            "grid=hex&levels=2&board=oooo/oooo",
            "start=010/000/020&top=333/313/333&barred=ooo/oxo/ooo",
            "swap=1&last=neighbours&pass=once",
            "turns=1-2-2&may=12-3&lines=2",
            "goals=111&second=222,333&lose=1",
            "goals=111&second=&pass=free&click=top",
            "board=ooo/o-o&start=001/2-0&swap=1",
        ] {
            let read = design(query);
            let own = read.own();
            let again: Vec<String> = own
                .iter()
                .map(|(name, value)| format!("{name}={value}"))
                .collect();
            assert_eq!(design(&again.join("&")), read, "{query}");
            assert_eq!(
                again.len(),
                query.split('&').filter(|part| !part.is_empty()).count(),
                "{again:?}"
            );
            let text = read.text();
            let file = RuleFile::parse("designed.toml", &text);
            assert!(
                file.is_ok() || query.contains("wrap=both"),
                "{text}{file:?}"
            );
        }
        let usual = RuleFile::parse("designed.toml", &design("").text()).unwrap();
        let classic = Variant::parse("classic-3x3").unwrap();
        assert_eq!(usual.variant.rules().hash, classic.rules().hash);
    }

    /// A message without a key is in English on every page.
    #[test]
    fn what_is_wrong_with_choices_is_translated() {
        let each: [(&str, &[&str]); 14] = [
            (
                "board",
                &[
                    "ooo/o-o/ooo",
                    "oo/oo",
                    "o",
                    "-/-",
                    "o--/---/--o",
                    "oooooo/oooooo/oooooo/oooooo/oooooo/oooooo",
                ],
            ),
            ("wrap", &["files", "ranks", "both", "up"]),
            ("grid", &["hex", "triangle"]),
            ("length", &["2", "4", "9"]),
            ("levels", &["1", "2", "4"]),
            ("goals", &["111", "123", "11", "1111", "444"]),
            ("second", &["", "111", "222,333", "11"]),
            ("along", &["", "r", "rd", "x"]),
            (
                "start",
                &["333/333/333", "00/00", "0", "000/0-0/000", "123"],
            ),
            ("top", &["111/111/111", "000/000/000", "12"]),
            ("barred", &["xxx/xxx/xxx", "xx/xx", "x"]),
            ("may", &["1-2", "12-3", "-1", "-", "12", "9-1"]),
            ("pass", &["once", "free", "twice"]),
            ("turns", &["2", "1-2-2", "3"]),
        ];
        let mut dice = Dice::new(11, 0);
        let mut faults = 0;
        for _ in 0..3000 {
            let mut query = Vec::new();
            for (name, values) in &each {
                let is_given = dice.one_of(&[true, false, false]);
                let value = dice.one_of(values).filter(|_| is_given == Some(&true));
                query.extend(value.map(|value| format!("{name}={value}")));
            }
            let query = query.join("&");
            let design = match Design::read(&Params::read(&query).unwrap()) {
                Ok(design) => design,
                Err(problem) => {
                    let said = Language::German.message(&problem.message);
                    assert!(said.is_some(), "{query}: {problem:?}");
                    continue;
                }
            };
            let Err(error) = RuleFile::parse("designed.toml", &design.text()) else {
                continue;
            };
            let VariantError::File { faults: found, .. } = error else {
                panic!("{query}: {error}");
            };
            for fault in &found {
                let said = Language::German.message(&fault.problem);
                assert!(said.is_some(), "{query}: {fault:?}");
                faults += 1;
            }
        }
        assert!(faults > 100, "{faults}");
    }

    #[test]
    fn a_title_has_no_signs_that_end_a_text() {
        let titled = design("title=+%22Zwei%22+%0A%20Lichter-Spiel.+");
        assert_eq!(titled.title, "Zwei Lichter-Spiel");
        assert_eq!(
            design(&format!("title={}", "x".repeat(99))).title.len(),
            TITLE
        );
    }

    #[test]
    fn choices_change_one_thing() {
        let usual = Design::default();
        assert_eq!(usual.with_square(1, 1).rows('o'), "ooo/o-o/ooo");
        assert_eq!(usual.with_square(1, 1).with_square(1, 1), usual);
        assert_eq!(usual.with_direction('d').along, ['r', 'f']);
        assert_eq!(usual.with_direction('d').with_direction('d'), usual);
        assert_eq!(usual.with_goal("111", false).goals, ["222", "333"]);
        assert_eq!(
            usual.with_goal("123", false).goals,
            ["111", "123", "222", "333"]
        );
        let own = usual.with_own_goals(true).with_goal("111", true);
        assert_eq!(own.second, Some(vec!["222".into(), "333".into()]));
        assert_eq!(own.goals, ["111", "222", "333"]);
        assert_eq!(own.with_own_goals(false), usual);
        assert_eq!(usual.with_level(0, 2).may, [vec![1, 3], vec![1, 2, 3]]);
        assert_eq!(usual.with_level(0, 2).with_level(0, 2), usual);
        let clicked = |click, times| {
            let design = Design {
                click,
                ..usual.clone()
            };
            (0..times).fold(design, |design, _| design.with_square(0, 1))
        };
        assert!(
            clicked("start", 2)
                .text()
                .contains("start = \".Y./.../...\"")
        );
        assert_eq!(clicked("start", 4).board, usual.board);
        assert!(clicked("top", 1).text().contains("top = \"323/333/333\""));
        assert_eq!(clicked("top", 4).board, usual.board);
        assert!(clicked("barred", 1).text().contains("not-first = [\"b3\"]"));
        assert_eq!(clicked("barred", 2).board, usual.board);
        assert!(usual.sized(0, 3).is_none() && usual.sized(3, 7).is_none());
        let gap = usual.with_square(2, 1);
        let larger = gap.sized(4, 4).unwrap();
        assert_eq!(larger.rows('o'), "oooo/oooo/oooo/o-oo");
        assert_eq!(larger.sized(3, 3), Some(gap));
        for wrong in [
            "board=oo/o",
            "board=x",
            "levels=4",
            "goals=1111",
            "goals=114&levels=3",
            "wrap=up",
            "start=000/000",
            "top=444/444/444",
            "barred=x",
            "may=12",
            "may=14-1",
            "pass=twice",
            "lines=5",
            "second=12",
        ] {
            assert!(
                Design::read(&Params::read(wrong).unwrap()).is_err(),
                "{wrong}"
            );
        }
    }
}
