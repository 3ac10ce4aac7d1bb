//! Lines, tops and beginnings that rule files describe, against a reading of the rules square by square.

use greenwave_game::{BoardGame, Cell, Code, Game, MAX_LEVEL, Play, RuleFile, VariantError};

/// A board and what counts on it, as a rule file says it and as plain data.
struct Written {
    ranks: i32,
    files: i32,
    gaps: &'static [(i32, i32)],
    length: i32,
    /// Along ranks, files, rising and falling diagonals.
    steps: &'static [(i32, i32)],
    /// Whether the last file is next to the first, and the last rank.
    joined: (bool, bool),
    /// Figures as lists of squares, in every turn that counts.
    figures: Vec<Vec<(i32, i32)>>,
    patterns: &'static [(&'static str, i32)],
    text: &'static str,
}

const ALL: &[(i32, i32)] = &[(1, 0), (0, 1), (1, 1), (1, -1)];
const EQUAL: &[(&str, i32)] = &[("111", 1), ("222", 5), ("333", 2)];
const MIXED: &[(&str, i32)] = &[("111", 1), ("222", 5), ("333", 2), ("123", 3), ("112", 4)];

/// File and rank, counted from the lower left.
type At = (i32, i32);

fn all_turns(figure: &[At]) -> Vec<Vec<At>> {
    let turns: [fn(At) -> At; 8] = [
        |(x, y)| (x, y),
        |(x, y)| (-x, y),
        |(x, y)| (x, -y),
        |(x, y)| (-x, -y),
        |(x, y)| (y, x),
        |(x, y)| (-y, x),
        |(x, y)| (y, -x),
        |(x, y)| (-y, -x),
    ];
    turns
        .map(|turn| figure.iter().map(|at| turn(*at)).collect())
        .to_vec()
}

fn boards() -> Vec<Written> {
    let plain = |ranks, files, text| Written {
        ranks,
        files,
        gaps: &[],
        length: 3,
        steps: ALL,
        joined: (false, false),
        figures: Vec::new(),
        patterns: MIXED,
        text,
    };
    vec![
        Written {
            steps: &[(1, 0), (0, 1)],
            ..plain(
                3,
                4,
                "board = { size = '3x4', directions = ['file', 'rank'] }",
            )
        },
        Written {
            steps: &[(1, 1), (1, -1)],
            ..plain(4, 3, "board = { size = '4x3', directions = ['diagonal'] }")
        },
        Written {
            joined: (true, false),
            ..plain(2, 4, "board = { size = '2x4', wrap = 'files' }")
        },
        Written {
            joined: (false, true),
            ..plain(3, 3, "board = { size = '3x3', wrap = 'ranks' }")
        },
        Written {
            joined: (true, true),
            ..plain(3, 3, "board = { size = '3x3', wrap = 'both' }")
        },
        Written {
            joined: (true, true),
            ..plain(3, 4, "board = { size = '3x4', wrap = 'both' }")
        },
        Written {
            joined: (true, false),
            ..plain(1, 3, "board = { size = '1x3', wrap = 'files' }")
        },
        Written {
            joined: (true, true),
            length: 2,
            patterns: &[("11", 1), ("22", 2), ("12", 3)],
            ..plain(
                2,
                2,
                "board = { size = '2x2', wrap = 'both', line-length = 2 }",
            )
        },
        Written {
            steps: &[(1, 0), (0, 1), (1, -1)],
            ..plain(3, 4, "board = { size = '3x4', grid = 'hex' }")
        },
        Written {
            steps: &[(1, 0), (0, 1), (1, -1)],
            joined: (true, false),
            ..plain(
                3,
                3,
                "board = { size = '3x3', grid = 'hex', wrap = 'files' }",
            )
        },
        Written {
            steps: &[],
            figures: all_turns(&[(0, 0), (1, 0), (0, 1), (1, 1)]),
            patterns: EQUAL,
            ..plain(
                3,
                3,
                "board = { size = '3x3', directions = [], shapes = ['##/##'] }",
            )
        },
        Written {
            figures: all_turns(&[(0, 0), (1, 0), (0, 1)]),
            gaps: &[(1, 1)],
            ..plain(
                3,
                3,
                "board = { outline = '###/#-#/###', shapes = ['##/#-'] }",
            )
        },
        Written {
            steps: &[(0, 1)],
            figures: vec![vec![(0, 0), (2, 0), (1, 1)], vec![(0, 0), (1, 0), (2, 0)]],
            ..plain(
                3,
                4,
                "board = { size = '3x4', directions = ['file'], shapes = ['-#-/#-#', '###'], shapes-turn = false }",
            )
        },
    ]
}

impl Written {
    fn game(&self, play: &str) -> BoardGame {
        let scored = play == "points";
        let list = |(pattern, points): &(&str, i32)| {
            if scored {
                format!("{pattern} = {points}")
            } else {
                format!("'{pattern}'")
            }
        };
        let list: Vec<String> = self.patterns.iter().map(list).collect();
        let patterns = if scored {
            format!("{{ {} }}", list.join(", "))
        } else {
            format!("[{}]", list.join(", "))
        };
        let text = format!("patterns = {patterns}\nplay = '{play}'\n{}", self.text);
        let file = RuleFile::parse("written.toml", &text);
        file.unwrap_or_else(|error| panic!("{text}: {error}"))
            .variant
            .as_board()
            .unwrap()
            .clone()
    }

    fn at(&self, (file, rank): (i32, i32)) -> Option<(i32, i32)> {
        let file = if self.joined.0 {
            file.rem_euclid(self.files)
        } else {
            file
        };
        let rank = if self.joined.1 {
            rank.rem_euclid(self.ranks)
        } else {
            rank
        };
        let there = (0..self.files).contains(&file) && (0..self.ranks).contains(&rank);
        (there && !self.gaps.contains(&(file, rank))).then_some((file, rank))
    }

    /// Points of all completed lines; `None` where none is.
    fn points(&self, level: &dyn Fn((i32, i32)) -> u8) -> Option<i32> {
        let mut completed: Vec<(Vec<At>, &str, i32)> = Vec::new();
        let places = (0..self.ranks).flat_map(|rank| (0..self.files).map(move |file| (file, rank)));
        for from in places.filter(|place| self.at(*place).is_some()) {
            let both_ways = self.steps.iter().flat_map(|(x, y)| [(*x, *y), (-x, -y)]);
            let straight: Vec<Vec<(i32, i32)>> = both_ways
                .map(|step| (0..self.length).map(|n| (n * step.0, n * step.1)).collect())
                .collect();
            for (ordered, figure) in straight
                .iter()
                .map(|line| (true, line))
                .chain(self.figures.iter().map(|figure| (false, figure)))
            {
                let squares = figure
                    .iter()
                    .map(|by| self.at((from.0 + by.0, from.1 + by.1)));
                let Some(squares) = squares.collect::<Option<Vec<_>>>() else {
                    continue;
                };
                let mut sorted = squares.clone();
                sorted.sort_unstable();
                sorted.dedup();
                if sorted.len() < squares.len() {
                    continue;
                }
                for (pattern, points) in self.patterns {
                    let digits: Vec<u8> = pattern.bytes().map(|digit| digit - b'0').collect();
                    let equal = digits.iter().all(|digit| *digit == digits[0]);
                    let shown = if equal {
                        squares.iter().all(|square| level(*square) == digits[0])
                    } else {
                        ordered
                            && squares
                                .iter()
                                .zip(&digits)
                                .all(|(at, digit)| level(*at) == *digit)
                    };
                    let known = completed
                        .iter()
                        .any(|(at, name, _)| *at == sorted && name == pattern);
                    if shown && !known {
                        completed.push((sorted.clone(), pattern, *points));
                    }
                }
            }
        }
        let sum = completed.iter().map(|(_, _, points)| points).sum();
        (!completed.is_empty()).then_some(sum)
    }
}

// The same numbers every time.
fn random(seed: &mut u64) -> u64 {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    *seed
}

#[test]
fn lines_of_every_kind_are_those_of_the_rules() {
    let mut seed = 1;
    for written in boards() {
        let (game, scored) = (written.game("normal"), written.game("points"));
        let shape = &game.board().shape;
        let mut seen = [0; 2];
        for _ in 0..3000 {
            let squares = (0..shape.cells() as u8).map(Cell);
            let code = squares.fold(Code::EMPTY, |code, cell| {
                code.with(cell, (random(&mut seed) % 4) as u8)
            });
            let level = |(file, rank): (i32, i32)| {
                let cell = shape.at(file as u8, rank as u8).unwrap();
                code.level(cell)
            };
            let expected = written.points(&level);
            let context = format!("{}: {}", written.text, game.position_text(&code));
            assert_eq!(game.has_line(code), expected.is_some(), "{context}");
            assert_eq!(
                scored.standing_points(code),
                expected.unwrap_or(0),
                "{context}"
            );
            let over = game.ending(&code).is_some();
            assert!(expected.is_none() || over, "{context}");
            for symmetry in 0..game.symmetries() {
                let image = game.image(&code, symmetry);
                assert_eq!(game.has_line(image), expected.is_some(), "{context}");
            }
            let gained: i32 = (0..shape.cells() as u8)
                .map(Cell)
                .filter(|cell| code.level(*cell) > 0)
                .map(|cell| scored.completed_points(code, cell))
                .max()
                .unwrap_or(0);
            assert!(gained <= expected.unwrap_or(0), "{context}");
            seen[usize::from(expected.is_some())] += 1;
        }
        assert!(
            seen.iter().all(|count| *count > 0),
            "{}: {seen:?}",
            written.text
        );
    }
}

fn board(text: &str) -> BoardGame {
    let file = RuleFile::parse("own.toml", text);
    let file = file.unwrap_or_else(|error| panic!("{text}: {error}"));
    file.variant.as_board().unwrap().clone()
}

fn faults(text: &str) -> String {
    let error: VariantError = RuleFile::parse("own.toml", text).unwrap_err();
    error.to_string()
}

#[test]
fn a_run_round_joined_edges_scores_once() {
    let rules = "patterns = { 1 = 1, 11 = 4 }";
    assert!(faults(&format!("{rules}\nplay = 'points'\nboard.size = '1x4'")).contains("patterns"));
    let game = board(
        "patterns = { 111 = 4 }\nplay = 'points'\nfour = 'once'\nboard = { size = '1x5', wrap = 'files' }",
    );
    let points = |text: &str| {
        let position = game.parse_position(text).unwrap();
        game.standing_points(position)
    };
    assert_eq!(
        [
            points("RRRRR"),
            points("RRRR."),
            points("RR.RR"),
            points("RY.RR")
        ],
        [4; 4].map(|p| p)
    );
}

#[test]
fn symmetries_are_those_that_keep_lines_tops_and_beginnings() {
    let count = |board: &str| {
        let text = format!("patterns = ['111', '222', '333']\n{board}");
        self::board(&text).symmetries()
    };
    assert_eq!(count("board.size = '3x3'"), 8);
    assert_eq!(count("board = { size = '3x3', directions = ['rank'] }"), 4);
    assert_eq!(
        count("board = { size = '3x3', directions = ['rank', 'file'] }"),
        8
    );
    assert_eq!(count("board = { size = '4x4', wrap = 'files' }"), 4);
    assert_eq!(count("board = { size = '3x3', grid = 'hex' }"), 4);
    assert_eq!(count("board = { size = '3x4', grid = 'hex' }"), 2);
    assert_eq!(count("board = { size = '3x3', top = '333/313/333' }"), 8);
    assert_eq!(count("board = { size = '3x3', top = '332/333/333' }"), 2);
    assert_eq!(count("not-first = ['b2']\nboard.size = '3x3'"), 8);
    assert_eq!(count("not-first = ['a1']\nboard.size = '3x3'"), 2);
    assert_eq!(count("start = 'R../.../...'\nboard.size = '3x3'"), 2);
    assert_eq!(count("board = { size = '3x3', shapes = ['##/#-'] }"), 8);
    let drawn = "board = { size = '3x3', shapes = ['##/#-'], shapes-turn = false }";
    assert_eq!(count(drawn), 2);
}

#[test]
fn tops_bound_every_square() {
    let game = board("patterns = ['111', '222', '333']\nboard = { size = '1x4', top = '3103' }");
    let mut moves = Vec::new();
    let position = game.parse_position("YR.R").unwrap();
    game.moves(&position, &mut moves);
    let texts: Vec<String> = moves
        .iter()
        .map(|mv| game.move_text(&position, *mv))
        .collect();
    assert_eq!(texts, ["a1G", "d1Y"]);
    let error = game.parse_position("YYRR").unwrap_err().to_string();
    assert!(
        error.contains("b1") && error.contains("c1") && error.contains("never lit"),
        "{error}"
    );
    // The game ends on the full board, which shows no line.
    assert_eq!(game.board().full(), game.parse_position("GR.G").unwrap());
    assert!(game.ending(&game.board().full()).is_some());
    let uniform = board("patterns = ['111']\nboard = { size = '1x4', top = '3333' }");
    assert_eq!(
        uniform.rules().hash,
        board("patterns = ['111']\nboard.size = '1x4'").rules().hash
    );
}

#[test]
fn a_game_can_begin_elsewhere_and_bar_squares_from_the_first_ply() {
    let game = board(
        "patterns = ['111', '222', '333']\nstart = '.R./...'\nnot-first = ['b2', 'a1']\nboard.size = '2x3'",
    );
    let start = game.start();
    assert_eq!(game.position_text(&start), ".R./...");
    let mut moves = Vec::new();
    game.moves(&start, &mut moves);
    assert_eq!(moves.len(), 4);
    let error = game.parse_move(&start, "b2").unwrap_err().to_string();
    assert!(error.contains("first move"), "{error}");
    let later = game.play(&start, moves[0]).to;
    game.moves(&later, &mut moves);
    assert_eq!(moves.len(), 6);
    // Nothing but barred squares: no move, and the game is over before it begins.
    let stuck = board(
        "patterns = ['11']\nnot-first = ['a1']\nstalemate = 'loss'\nboard = { size = '1x1', line-length = 2 }",
    );
    assert!(stuck.ending(&stuck.start()).is_some());
    assert!(stuck.ending(&Code(1)).is_none());
}

#[test]
fn what_cannot_be_said_is_refused_with_every_fault() {
    let rules = "patterns = ['111']";
    let text = faults(&format!(
        "{rules}\nnot-first = ['a1', 'a1', 'z9']\nstart = 'RRR/.../...'\n[board]\nsize = '3x3'\ndirections = ['rank', 'up']\n"
    ));
    for part in ["'up'", "stands twice", "'z9'", "line 6, column"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let wrong = [
        (
            "start = 'RRR/.../...'\nboard.size = '3x3'",
            "completed already",
        ),
        (
            "start = 'Y../.../...'\nboard = { size = '3x3', top = '133/333/333' }",
            "higher",
        ),
        (
            "board = { outline = '##-/###', wrap = 'files' }",
            "has no gaps",
        ),
        (
            "board = { size = '3x3', wrap = 'up' }",
            "'none', 'files', 'ranks' or 'both'",
        ),
        (
            "board = { size = '3x3', shapes = ['##/#'] }",
            "differ in length",
        ),
        ("board = { size = '3x3', shapes-turn = false }", "no shapes"),
        (
            "board = { size = '3x3', top = '33/33' }",
            "3 rows of 3 digits",
        ),
        (
            "board = { size = '3x3', top = '334/333/333' }",
            "from 0 to 3",
        ),
        (
            "board = { size = '3x3', wrap = 'both' }\n[strip]",
            "not in a game with a strip",
        ),
        (
            "start = 'R../.../...'\nboard.size = '3x3'\n[bag]",
            "not in a game with a bag",
        ),
    ];
    for (board, expected) in wrong {
        let text = faults(&format!("{rules}\n{board}"));
        assert!(text.contains(expected), "{board}: {text}");
    }
}

/// What is written behind the board of a position says what was played, which at the start is nothing.
#[test]
fn a_start_is_a_board_alone() {
    for field in ["swap", "last=a1", "passed", "first", "lines=0:0"] {
        let text = format!("patterns = ['111']\nstart = '.../.R./...,{field}'\nboard.size = '3x3'");
        let told = faults(&text);
        let expected = format!("found ',{field}', expected the board alone");
        assert!(
            told.contains(&expected) && !told.contains("squares"),
            "{told}"
        );
    }
    let pasted = "start = '.,V,./.,.,./.,.,.'\nboard = { size = '3x3', levels = 1 }";
    assert_eq!(
        board(&format!("patterns = ['111']\n{pasted}"))
            .start()
            .level_sum(),
        1
    );
    let gyr = "start = 'GG./.../...'\nlights = 'gyr'\nsupply = 'cap1'\nboard.size = '3x3'";
    let told = faults(&format!("patterns = ['111']\n{gyr}"));
    assert!(told.contains("2 of 'G', expected at most 1"), "{told}");
}

/// A game that a line does not end can begin with one.
#[test]
fn a_start_leaves_a_move() {
    let start = "patterns = ['111']\nstart = '33/33'\nboard.size = '2x2'";
    for rules in ["", "moves-a-turn = 2", "last-square = 'forbidden'"] {
        let text = format!("{rules}\n{start}");
        let error = RuleFile::parse("own.toml", &text).unwrap_err().to_string();
        assert!(error.contains("key 'start': no move is left"), "{error}");
    }
    // A pass is a move. Without a start of its own a game may have none.
    let passes = format!("pass = 'free'\n{start}");
    RuleFile::parse("own.toml", &passes).unwrap();
    let nothing = "patterns = ['111']\n[board]\nsize = '2x2'\ntop = '00/00'";
    RuleFile::parse("own.toml", nothing).unwrap();
}

#[test]
fn a_start_has_no_line_where_a_line_ends_the_game() {
    let start = "start = 'RRR/.../...'\nboard.size = '3x3'";
    for (rules, fits) in [
        ("patterns = ['111']", false),
        ("patterns = ['111']\nplay = 'misere'", false),
        ("patterns = ['222']", true),
        ("patterns = { 111 = 1 }\nplay = 'points'", false),
        (
            "patterns = { 111 = 1 }\nplay = 'points'\nend = 'play-on'",
            true,
        ),
        ("patterns = ['111']\nwin-lines = 2", true),
        ("goal = { first = [], second = ['111'] }", false),
        (
            "goal = { first = [], second = ['111'] }\nwin-lines = 2",
            true,
        ),
    ] {
        let text = format!("{rules}\n{start}");
        match RuleFile::parse("own.toml", &text) {
            Ok(file) => {
                let over = file.variant.ending(&file.variant.start()).is_some();
                assert!(fits && !over, "{text}");
            }
            Err(error) => {
                let told = error.to_string();
                assert!(!fits && told.contains("a3-b3-c3 is completed"), "{told}");
            }
        }
    }
}

/// Beside any other fault, everything that is wrong with the start is reported.
#[test]
fn all_faults_of_a_start_are_reported_beside_others() {
    let start = "start = 'RRR/..Y/R.R'\nsupply = 'cap4'\n";
    let board = "[board]\nsize = '3x3'\ntop = '333/331/330'\n";
    for other in [
        "not-first = ['z9']",
        "not-first = 3",
        "last-square = 'near'",
        "moves-a-turn = 3",
        "may = { first = [4], second = 1 }",
        "swap = 'yes'",
        "unknown = 1",
        "",
    ] {
        let text = faults(&format!("patterns = ['111']\n{start}{other}\n{board}"));
        for part in [
            "c2 stands higher",
            "c1 stands higher",
            "line a3-b3-c3 is completed",
            "5 of 'R', expected at most 4: the supply is capped; lower some squares, or say a larger",
        ] {
            assert!(text.contains(part), "{other}, {part}: {text}");
        }
    }
    for (patterns, top) in [("'111', '1111'", "333/331/330"), ("'111'", "333/339/330")] {
        let board = board.replace("333/331/330", top);
        let text = faults(&format!("patterns = [{patterns}]\n{start}{board}"));
        assert!(text.contains("line a3-b3-c3 is completed"), "{text}");
    }
}

#[test]
fn play_after_a_line_goes_on_from_the_start() {
    let game = board(
        "patterns = { 111 = 1 }\nplay = 'points'\nend = 'play-on'\nstart = 'R../.../...'\nboard.size = '3x3'",
    );
    assert_eq!(game.board().play, Play::PlayOn);
    assert_eq!(game.board().levels, MAX_LEVEL);
    assert_eq!(game.start().level_sum(), 1);
}
