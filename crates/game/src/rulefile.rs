//! Games that users describe: rule files in TOML, read from text. `docs/reference/rule-files.md` lists the keys.

mod bag;
mod geometry;
mod lines;
mod memory;
mod patterns;
mod wishes;

use crate::keyed::{Faults, Keys, TextValue, integer};
use crate::options::{plain_number, ranks_and_files};
use crate::{
    BagGame, BoardGame, BoardRules, CUSTOM, Game, LineScore, MAX_CELLS, MAX_LEVEL, MemoryGame,
    Message, Opening, Play, Shape, ShapeError, Sides, Stalemate, StripGame, StripRules, Succession,
    Supply, Variant, VariantError, file_name, messages,
};

/// The tables of games that more than a board belongs to.
const BESIDE: [&str; 2] = ["strip", "bag"];

/// A game read from a rule file.
///
/// # Examples
/// ```
/// use greenwave_game::RuleFile;
///
/// let text = "patterns = ['111', '222', '333']\nboard.size = '3x4'";
/// let file = RuleFile::parse("my-game.toml", text)?;
/// let builtin = greenwave_game::Variant::parse("classic-3x4")?;
/// assert_eq!(file.variant.rules().hash, builtin.rules().hash);
/// assert_eq!(file.variant.rules().slug(), "my-game");
/// # Ok::<(), greenwave_game::VariantError>(())
/// ```
#[derive(Clone, Debug)]
pub struct RuleFile {
    /// The title of the game.
    pub title: String,
    /// Where the rules come from.
    pub source: Option<String>,
    /// The game; its name is the name of the file.
    pub variant: Variant,
}

impl RuleFile {
    /// The length of the longest rule file that is read, in bytes.
    pub const LONGEST: usize = 1 << 17;

    /// The name of a rule file without `.toml`, which also names the folder of the tables; `None` when no
    /// rule file can be named so.
    #[must_use]
    pub fn stem(name: &str) -> Option<&str> {
        let letters = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        name.strip_suffix(".toml").filter(|stem| {
            stem.chars().all(letters) && stem.starts_with(|c: char| c.is_ascii_alphanumeric())
        })
    }

    /// The table of rule files that has a key, such as `board` for `levels`; empty for a key above all
    /// tables, `None` where no table has it.
    #[must_use]
    pub fn table_of(key: &str) -> Option<&'static str> {
        wishes::table_of(key)
    }

    /// Reads the text of a rule file; `name` is the name of the file without folders.
    ///
    /// # Errors
    /// When the text describes no game: every fault, with its line, column and key. When the file is
    /// named like a built-in variant and describes another game.
    pub fn parse(name: &str, text: &str) -> Result<RuleFile, VariantError> {
        let stem = check_name(name)?;
        if text.len() > RuleFile::LONGEST {
            let problem = format!(
                "found {} bytes, expected at most {}, which is far more than any game needs",
                text.len(),
                RuleFile::LONGEST
            );
            return Err(VariantError::FileName {
                file: name.into(),
                problem,
            });
        }
        let faults = Faults::new(text);
        let file = faults.parse().and_then(|table| {
            let tables = BESIDE.into_iter();
            let tables: Vec<&str> = tables
                .filter(|name| table.get_ref().contains_key(*name))
                .collect();
            let wishes = |path: &str, key: &str| wishes::said_of(&tables, path, key);
            let mut keys = Keys::of_file(table.get_ref(), &faults).with_wishes(&wishes);
            let title = keys
                .text("title")
                .map(|title| title.value)
                .filter(|title| !title.trim().is_empty())
                .unwrap_or(stem)
                .to_string();
            let source = keys.text("source").map(|source| source.value.to_string());
            let variant = game(name, keys);
            Some((title, source, variant.filter(|_| faults.is_empty())?))
        });
        let Some((title, source, variant)) = file else {
            return Err(VariantError::File {
                file: name.into(),
                faults: faults.into_list(),
            });
        };
        match Variant::parse(stem) {
            Ok(builtin) if builtin.rules().hash != variant.rules().hash => {
                Err(VariantError::FileName {
                    file: name.into(),
                    problem: format!(
                        "it is named like the built-in variant {stem}, but its rules are others; \
                         give the file another name"
                    ),
                })
            }
            _ => Ok(RuleFile {
                title,
                source,
                variant,
            }),
        }
    }
}

fn check_name(name: &str) -> Result<&str, VariantError> {
    RuleFile::stem(name)
        .ok_or_else(|| VariantError::FileName {
            file: name.into(),
            problem: "its tables are named after it, so a rule file is named with letters, digits, \
                      '-', '_' and '.', begins with a letter or digit and ends in .toml; rename the file"
                .into(),
        })
}

fn game(name: &str, mut keys: Keys) -> Option<Variant> {
    let board = keys.table("board");
    if board.is_none() && !keys.has("board") {
        keys.fault("board", messages::file_no_board());
    }
    let beside = BESIDE.into_iter().find(|table| keys.has(table));
    let BoardTable {
        shape,
        line_length,
        levels,
        tops,
    } = board.map_or_else(BoardTable::default, |board| read_board(board, beside));
    let lights = geometry::read_lights(&mut keys);
    let opening = geometry::read_opening(&mut keys, shape.as_ref(), levels, lights);
    let play = match keys.word("play", &["normal", "misere", "points"]) {
        "misere" => Play::Misere,
        "points" => Play::FirstLine,
        _ => Play::Normal,
    };
    let goal = memory::read_goal(&mut keys, play.scores(), line_length, levels);
    let patterns = match &goal {
        None => patterns::read_patterns(&mut keys, play.scores(), line_length, levels),
        Some(_) => Vec::new(),
    };
    let only_scored = ["end", "four"];
    let (end, four) = (
        keys.word("end", &["first-line", "play-on"]),
        keys.word("four", &["twice", "once"]),
    );
    if !play.scores() {
        for key in only_scored.into_iter().filter(|key| keys.has(key)) {
            keys.fault(
                key,
                "only in scored games; leave it out or say play = \"points\"",
            );
        }
    }
    let play = if play.scores() && end == "play-on" {
        Play::PlayOn
    } else {
        play
    };
    let supply = read_supply(&mut keys);
    let stalemate = match keys.word("stalemate", &["draw", "loss", "pass"]) {
        "loss" => Stalemate::Loss,
        "pass" => Stalemate::Pass,
        _ => Stalemate::Draw,
    };
    if play.scores() && keys.has("stalemate") {
        keys.fault(
            "stalemate",
            "in scored games a player without a move ends the game with the points made; leave it out",
        );
    }
    let strip = keys.table("strip").map(read_strip);
    if let (Some(_), Some(shape)) = (&strip, &shape) {
        check_strip(&keys, shape, play, stalemate);
    }
    let memory = memory::read(&mut keys, goal, play, stalemate, levels);
    for key in ["start", "not-first"].into_iter().chain(memory::KEYS) {
        if let Some(table) = beside.filter(|_| keys.has(key)) {
            keys.fault(key, wishes::refused_beside(table));
        }
    }
    let squares = shape.as_ref().map(|shape| {
        let on_strip = if strip.is_some() {
            usize::from(shape.ranks())
        } else {
            0
        };
        (shape.cells() + on_strip) as u32
    });
    let bag = keys
        .table("bag")
        .map(|table| bag::read(table, play.scores(), strip.is_some(), squares));
    if bag.is_some() {
        bag::check_board(&keys, play, levels);
        if let Some(Some(strip)) = &strip {
            bag::check_strip(&keys, strip);
        }
    }
    keys.finish();
    let wins = bag.as_ref().is_some_and(|bag| bag.wins);
    let patterns = match &memory.goal {
        None => patterns,
        Some([first, second]) => patterns::in_order(first.iter().chain(second).cloned().collect()),
    };
    let board = BoardRules {
        shape: shape?,
        line_length: line_length?,
        levels: levels?,
        patterns,
        play: if wins { Play::Normal } else { play },
        line_score: if four == "once" && !wins {
            LineScore::EachRun
        } else {
            LineScore::EachLine
        },
        supply,
        stalemate,
        opening,
        tops,
    };
    let name = name.to_string();
    let custom = &CUSTOM;
    let variant = match strip {
        None => {
            let mut game = BoardGame::new(name.clone(), custom, Vec::new(), board);
            game.set_lights(lights);
            let ends_by_line = play != Play::PlayOn && !keys.has("win-lines");
            for problem in geometry::start_problems(&game, ends_by_line) {
                keys.fault("start", problem);
            }
            match &bag {
                None if !memory.is_plain() => {
                    if !keys.is_fine() {
                        return None;
                    }
                    let board = game.board().clone();
                    let options = Vec::new();
                    Variant::Memory(MemoryGame::new(name, custom, options, board, memory))
                }
                None => Variant::Board(game),
                Some(bag) => Variant::Bag(BagGame::new(name, Vec::new(), bag.rules, game)),
            }
        }
        Some(strip) => {
            let rules = StripRules {
                main: board,
                ..strip?
            };
            let game = StripGame::new(name.clone(), custom, Vec::new(), rules).ok()?;
            match &bag {
                None => Variant::Strip(game),
                Some(bag) => Variant::BagStrip(BagGame::new(name, Vec::new(), bag.rules, game)),
            }
        }
    };
    // Without a start of its own a game may have no move at all.
    if keys.has("start") && keys.is_fine() && variant.ending(&variant.start()).is_some() {
        keys.fault("start", messages::rules_no_move());
    }
    variant.with_lights(lights).ok()
}

fn check_strip(keys: &Keys, shape: &Shape, play: Play, stalemate: Stalemate) {
    let ranks = usize::from(shape.ranks());
    if !shape.removed_lines().is_empty() {
        keys.fault(
            "strip",
            "every line of a board with a strip counts; leave out board.without-lines or the strip",
        );
    }
    if shape.files() != shape.ranks() || shape.cells() != ranks * ranks {
        let outline = shape.outline();
        keys.fault(
            "strip",
            format!(
                "a board with a strip is a full square, found {outline}; \
                 give it as many ranks as files and no gaps, or leave out the strip"
            ),
        );
    } else if shape.cells() + ranks > MAX_CELLS {
        keys.fault(
            "strip",
            format!(
                "board and strip have {} squares together, expected at most {MAX_CELLS}; \
                 take a smaller board",
                shape.cells() + ranks
            ),
        );
    }
    if play == Play::PlayOn {
        keys.fault(
            "end",
            "a game with a strip ends with the first line; leave out end or the strip",
        );
    }
    if stalemate == Stalemate::Pass {
        keys.fault(
            "stalemate",
            "in a game with a strip a stalemate is drawn or lost, not passed; say \"draw\" or \"loss\"",
        );
    }
}

/// The correct parts of `[board]`: a wrong part is left out, so that later checks do not report
/// faults that follow from it.
#[derive(Default)]
struct BoardTable {
    shape: Option<Shape>,
    line_length: Option<u8>,
    levels: Option<u8>,
    /// The highest levels of the squares, where they are not all `levels`.
    tops: Option<Vec<u8>>,
}

/// Reads `[board]`; `beside` is the table of a strip or a bag.
fn read_board(mut keys: Keys, beside: Option<&str>) -> BoardTable {
    let number = |keys: &mut Keys, key, most| {
        if keys.has(key) {
            keys.number(key, 1, most).map(|number| number as u8)
        } else {
            keys.value(key); // known, though not given
            Some(3)
        }
    };
    let line_length = number(&mut keys, "line-length", MAX_CELLS as i64);
    let found = keys
        .value("levels")
        .and_then(|levels| integer(levels.get_ref()));
    let levels = match found.filter(|found| *found > MAX_LEVEL.into()) {
        Some(found) => {
            let why = wishes::more_lights();
            let problem =
                format!("found {found}, expected a whole number from 1 to {MAX_LEVEL}: {why}");
            keys.fault("levels", problem);
            None
        }
        None => number(&mut keys, "levels", MAX_LEVEL.into()),
    };
    let kinds = ["size", "squares", "outline"];
    let given: Vec<&str> = kinds.into_iter().filter(|kind| keys.has(kind)).collect();
    let size = keys.text("size");
    let squares = keys.texts("squares", &["a1", "b1"]);
    let outline = keys.text("outline");
    keys.value("without-lines"); // known; read when there is a board
    // Each is read, so that the list of faults is complete.
    let shapes = [
        size.and_then(|size| full_board(&keys, size.value)),
        squares.and_then(|squares| listed_board(&keys, &squares)),
        outline.and_then(|outline| drawn_board(&keys, outline.value)),
    ];
    match given[..] {
        [_] => {}
        [] => keys.fault_at(keys.byte(), "size", messages::file_no_size()),
        _ => keys.fault(
            given[1],
            format!(
                "the board is given by {} already; keep one of them",
                given[0]
            ),
        ),
    }
    let mut shapes = shapes.into_iter().flatten();
    let mut shape = shapes.next().filter(|_| given.len() == 1);
    if let Some(geometry) = geometry::read(&mut keys) {
        shape = shape.map(|shape| geometry::with_lines(&keys, shape, geometry));
    }
    let tops = geometry::read_tops(&mut keys, shape.as_ref(), levels.unwrap_or(MAX_LEVEL));
    for key in geometry::KEYS.into_iter().chain(["top"]) {
        if let Some(table) = beside.filter(|_| keys.has(key)) {
            keys.fault(key, wishes::refused_beside(table));
        }
    }
    let line = shape.as_ref().zip(line_length).and_then(|(shape, length)| {
        let lines = shape.lines(length);
        Some(shape.line_name(&lines.first()?.cells))
    });
    let line = line.as_deref().unwrap_or("a1-c1");
    if let Some(names) = keys.texts("without-lines", &[line]) {
        shape = shape.and_then(|shape| lines::without(&keys, shape, line_length, &names));
    }
    keys.finish();
    BoardTable {
        shape,
        line_length,
        levels,
        tops,
    }
}

fn full_board(keys: &Keys, size: &str) -> Option<Shape> {
    let Some((ranks, files)) = ranks_and_files(size) else {
        keys.fault("size", messages::file_size(size));
        return None;
    };
    let shape = Shape::rectangle(ranks, files).ok();
    if shape.is_none() {
        keys.fault("size", messages::rules_squares(size, MAX_CELLS));
    }
    shape
}

fn listed_board(keys: &Keys, names: &[TextValue<&str>]) -> Option<Shape> {
    let mut places: Vec<(u8, u8)> = Vec::new();
    let fine = std::cell::Cell::new(true);
    let refuse = |byte, problem: String| {
        keys.fault_at(byte, "squares", problem);
        fine.set(false);
    };
    if !(1..=MAX_CELLS).contains(&names.len()) {
        let found = names.len();
        refuse(
            keys.byte(),
            format!("found {found} squares, expected 1 to {MAX_CELLS}"),
        );
    }
    // Where there are far too many, the first show whether they are squares at all.
    for TextValue { value: name, byte } in names.iter().take(2 * MAX_CELLS) {
        match square(name) {
            None => refuse(
                *byte,
                format!(
                    "found '{name}', expected a square such as a1: a file up to {} and a rank up to {MAX_CELLS}",
                    file_name(MAX_CELLS as u8 - 1)
                ),
            ),
            Some(place) if places.contains(&place) => {
                refuse(*byte, format!("'{name}' stands twice; name it once"));
            }
            Some(place) => places.push(place),
        }
    }
    if fine.get()
        && !(places.iter().any(|(file, _)| *file == 0) && places.iter().any(|(_, rank)| *rank == 0))
    {
        refuse(
            names[0].byte,
            "no square in file a or none in rank 1; move the board to the lower left".into(),
        );
    }
    if !fine.get() {
        return None;
    }
    let side = |all: &mut dyn Iterator<Item = u8>| usize::from(all.max().unwrap_or(0)) + 1;
    let files = side(&mut places.iter().map(|(file, _)| *file));
    let ranks = side(&mut places.iter().map(|(_, rank)| *rank));
    Shape::with_gaps(ranks, files, |file, rank| places.contains(&(file, rank))).ok()
}

// File and rank of a square's name, counted from 0.
fn square(name: &str) -> Option<(u8, u8)> {
    let digits = name.find(|c: char| c.is_ascii_digit())?;
    let (letters, rank) = name.split_at(digits);
    let file = (0..MAX_CELLS as u8).find(|file| file_name(*file).eq_ignore_ascii_case(letters))?;
    let rank = plain_number(rank).filter(|rank| *rank <= MAX_CELLS)?;
    Some((file, rank as u8 - 1))
}

fn drawn_board(keys: &Keys, outline: &str) -> Option<Shape> {
    let rows: Vec<Vec<char>> = outline
        .split('/')
        .map(|row| row.chars().collect())
        .collect();
    let files = rows[0].len();
    let refuse = |problem: Message| {
        keys.fault("outline", problem);
        None
    };
    if let Some(found) = outline.chars().find(|c| !"#-/".contains(*c)) {
        let problem = format!(
            "found '{found}', expected '#' for a square, '-' for a gap and '/' between rows"
        );
        return refuse(problem.into());
    }
    if rows.iter().any(|row| row.len() != files) {
        return refuse("the rows differ in length; fill them up with '-'".into());
    }
    let used = |row: &[char]| row.contains(&'#');
    if rows.last().is_none_or(|row| !used(row)) || rows.iter().all(|row| row.first() != Some(&'#'))
    {
        return refuse(messages::rules_corner());
    }
    let present =
        |file: u8, rank: u8| rows[rows.len() - 1 - usize::from(rank)][usize::from(file)] == '#';
    match Shape::with_gaps(rows.len(), files, present) {
        Ok(shape) => Some(shape),
        Err(ShapeError::Squares { found }) => refuse(messages::rules_large(found, MAX_CELLS)),
    }
}

fn read_supply(keys: &mut Keys) -> Supply {
    let number = keys
        .value("supply")
        .and_then(|value| integer(value.get_ref()));
    if let Some(number) = number {
        let limit = number.clamp(1, 99);
        let problem = format!(
            "found {number}, expected \"unlimited\", \"cap{limit}\" or \"pool{limit}\": at most {limit} counters \
             of a colour on the board, or at most {limit} raises to a level in the whole game"
        );
        keys.fault("supply", problem);
        return Supply::Unlimited;
    }
    let expected = "\"unlimited\", \"capN\" or \"poolN\" with N from 1 to 99";
    let Some(found) = keys.text_or("supply", expected) else {
        return Supply::Unlimited;
    };
    Supply::named(found.value).unwrap_or_else(|| {
        let problem = format!(
            "found '{}', expected 'unlimited', 'capN' or 'poolN' with N from 1 to 99",
            found.value
        );
        keys.fault("supply", problem);
        Supply::Unlimited
    })
}

// The strip's rules around a placeholder board.
fn read_strip(mut keys: Keys) -> Option<StripRules> {
    let turn = keys.word("turn", &["yes", "no"]);
    let sides = keys.word("sides", &["any", "adjacent"]);
    let null = keys.word("null", &["allowed", "forbidden"]);
    let empty = keys.word("empty-strip", &["allowed", "forbidden"]);
    let repeat = keys.word("repeat", &["draw", "ban"]);
    keys.finish();
    Some(StripRules {
        main: BoardRules {
            shape: Shape::rectangle(1, 1).ok()?,
            line_length: 1,
            levels: 1,
            patterns: Vec::new(),
            play: Play::Normal,
            line_score: LineScore::EachLine,
            supply: Supply::Unlimited,
            stalemate: Stalemate::Draw,
            opening: Opening::default(),
            tops: None,
        },
        turns: turn == "yes",
        sides: if sides == "any" {
            Sides::Any
        } else {
            Sides::Adjacent
        },
        null_moves: null == "allowed",
        empty_moves: empty == "allowed",
        succession: if repeat == "ban" {
            Succession::Barred
        } else {
            Succession::Free
        },
    })
}
