//! Rule files: the built-in games written as files are the built-in games, and bad files report
//! everything that is wrong with them.

use greenwave_game::{Dense, Ending, Game, Outcome, RuleFile, Variant, VariantError, catalogue};

fn parse(text: &str) -> RuleFile {
    RuleFile::parse("my-game.toml", text).unwrap()
}

fn faults(text: &str) -> Vec<String> {
    let error = RuleFile::parse("my-game.toml", text).unwrap_err();
    let VariantError::File { faults, .. } = error else {
        panic!("{error}")
    };
    faults.iter().map(ToString::to_string).collect()
}

/// The rule file of a variant, from its rules spelled out; `None` where they are of a kind that rule
/// files do not describe.
fn as_file(canonical: &str) -> Option<String> {
    // What a line says, in the words of rule files.
    const LINES: [(&str, &str); 28] = [
        ("greenwave rules 1", ""),
        ("completed line wins", "play = 'normal'"),
        ("completed line loses", "play = 'misere'"),
        (
            "completed line scores and ends the game",
            "play = 'points'\nend = 'first-line'",
        ),
        ("completed line scores", "play = 'points'\nend = 'play-on'"),
        ("score each line", "four = 'twice'"),
        ("score each run", "four = 'once'"),
        ("supply unlimited", ""),
        ("stalemate draw", ""),
        ("stalemate loss", "stalemate = 'loss'"),
        ("stalemate pass", "stalemate = 'pass'"),
        ("strip along one edge", ""),
        ("strip slides to any side", "strip.sides = 'any'"),
        ("strip slides to adjacent sides", "strip.sides = 'adjacent'"),
        ("strip turns", "strip.turn = 'yes'"),
        ("strip never turns", "strip.turn = 'no'"),
        ("strip moves may change nothing", "strip.null = 'allowed'"),
        ("strip moves change something", "strip.null = 'forbidden'"),
        ("strip moves while empty", "strip.empty-strip = 'allowed'"),
        ("strip stays while empty", "strip.empty-strip = 'forbidden'"),
        (
            "strip moves may follow each other, endless play draws",
            "strip.repeat = 'draw'",
        ),
        (
            "strip moves never follow each other",
            "strip.repeat = 'ban'",
        ),
        (
            "draft of six picks from a market of two, first player first",
            "",
        ),
        ("second player starts", ""),
        ("bag without end", "bag.counters = 'infinite'"),
        ("strip moves at any turn", "bag.slide = 'any-turn'"),
        ("strip moves if no counter fits", "bag.slide = 'stuck'"),
        ("strip never moves", "bag.slide = 'never'"),
    ];
    const MORE: [(&str, &str); 4] = [
        ("choice of two, then a draw", "bag.choice = 2"),
        ("a draw, then choice of three", "bag.choice = 3"),
        (
            "replaced counters return before the draw",
            "bag.return = 'before'",
        ),
        (
            "replaced counters return after the turn",
            "bag.return = 'after'",
        ),
    ];
    let mut file = String::new();
    let (mut patterns, mut points) = (Vec::new(), Vec::new());
    for line in canonical.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let known = LINES.iter().chain(&MORE).find(|(said, _)| *said == line);
        let written = match (known, &words[..]) {
            (Some((_, written)), _) => (*written).to_string(),
            (_, ["board", outline]) => format!("board.outline = '{outline}'"),
            (_, ["line-length", length]) => format!("board.line-length = {length}"),
            (_, ["levels", levels]) => format!("board.levels = {levels}"),
            (_, ["supply", kind, limit]) => format!("supply = '{kind}{limit}'"),
            (_, ["bag", "of", counters, ..]) => format!("bag.counters = {counters}"),
            (_, ["pattern", levels]) => {
                patterns.push(format!("'{levels}'"));
                continue;
            }
            (_, ["pattern", levels, "points", number]) => {
                points.push(format!("{levels} = {number}"));
                continue;
            }
            _ => return None,
        };
        file += &format!("{written}\n");
    }
    Some(if points.is_empty() {
        format!("patterns = [{}]\n{file}", patterns.join(", "))
    } else {
        format!("patterns = {{ {} }}\n{file}", points.join(", "))
    })
}

#[test]
fn built_in_games_can_be_written_as_files() {
    let more = [
        "classic-2x7",
        "signal-3x3:play=misere,stalemate=loss,supply=cap5",
        "green-3x3:supply=pool4,stalemate=pass",
        "points-3x4:four=once",
        "points-3x4:score=win",
        "slider:four=once",
        "slider:turn=yes,sides=adjacent",
        "slider:null=forbidden",
        "slider:empty-strip=forbidden",
        "strip:wins=signal,turn=no",
        "bag-classic-3x4",
        "bag-signal-2x3:counters=infinite,choice=3",
        "bag-green-3x4:counters=7,return=after",
        "bag-points-3x3:utility=win",
        "bag-slider:counters=9,choice=3,return=after,slide=stuck,utility=win",
        "bag-slider:slide=never",
    ];
    let mut checked = 0;
    for name in catalogue().iter().copied().chain(more) {
        let expected = Variant::parse(name).unwrap();
        let Some(text) = as_file(&expected.rules().canonical) else {
            continue;
        };
        let file = parse(&text);
        let made = file.variant.rules();
        assert_eq!(
            made.canonical,
            expected.rules().canonical,
            "{name}:\n{text}"
        );
        assert_eq!(made.hash, expected.rules().hash);
        assert_eq!(made.properties, expected.rules().properties);
        assert_eq!(file.variant.in_words(), expected.in_words());
        checked += 1;
    }
    assert!(checked >= 44, "{checked}");
}

#[test]
fn title_source_and_name() {
    let file = parse(
        "title = 'Mine'\nsource = 'me'\npatterns = ['11']\nboard = { size = '1x2', line-length = 2 }",
    );
    assert_eq!(
        (file.title.as_str(), file.source.as_deref()),
        ("Mine", Some("me"))
    );
    assert_eq!(file.variant.rules().name, "my-game.toml");
    assert_eq!(file.variant.rules().slug(), "my-game");
    // An empty title is none.
    for title in ["", " "] {
        let text = format!("title = '{title}'\npatterns = ['111']\nboard = {{ size = '1x3' }}");
        assert_eq!(parse(&text).title, "my-game");
    }
}

#[test]
fn notakto_has_one_level() {
    let file = parse("patterns = ['111']\nplay = 'misere'\n[board]\nsize = '3x3'\nlevels = 1");
    let Variant::Board(game) = &file.variant else {
        panic!()
    };
    let mut moves = Vec::new();
    game.moves(&game.start(), &mut moves);
    assert_eq!(moves.len(), 9);
    let one = game.play(&game.start(), moves[0]).to;
    game.moves(&one, &mut moves);
    assert_eq!(moves.len(), 8, "a mark stays");
    assert_eq!(game.indexable(), 1 << 18);
    assert!(game.at(2).is_none(), "level 2 is no legal position");
    assert!(game.parse_position("Y../.../...").is_err());
    let full = game.parse_position("RRR/.../...").unwrap();
    let won = Ending {
        outcome: Outcome::Win,
        points: 0,
    };
    assert_eq!(game.ending(&full), Some(won));
}

#[test]
fn a_level_of_may_above_the_levels_is_never_reached() {
    let hash = |may: &str| {
        let text =
            format!("patterns = ['11']\n{may}\n[board]\nsize = '2x2'\nline-length = 2\nlevels = 2");
        RuleFile::parse("own.toml", &text)
            .unwrap()
            .variant
            .rules()
            .hash
    };
    let some = hash("may = { first = [1], second = [2, 3] }");
    assert_eq!(some, hash("may = { first = [1], second = [2] }"));
    assert_eq!(
        hash("may = { first = [1, 2, 3], second = [1, 2] }"),
        hash("")
    );
}

#[test]
fn a_pattern_above_the_levels_never_occurs() {
    for (with, without) in [
        (
            "patterns = ['111', '222', '333', '123']",
            "patterns = ['111', '222']",
        ),
        ("patterns = ['333']", "patterns = []"),
        (
            "play = 'points'\npatterns = { 111 = 1, 113 = 5 }",
            "play = 'points'\npatterns = { 111 = 1 }",
        ),
        (
            "goal = { first = ['111', '333'], second = ['333'] }",
            "goal = { first = ['111'], second = [] }",
        ),
    ] {
        let hash = |rules: &str| {
            let file = parse(&format!("{rules}\nboard = {{ size = '3x3', levels = 2 }}"));
            file.variant.rules().hash
        };
        assert_eq!(hash(with), hash(without), "{with}");
    }
    let twice =
        faults("patterns = ['33', '33']\nboard = { size = '1x2', line-length = 2, levels = 1 }");
    assert!(twice[0].contains("stands twice"), "{twice:?}");
}

#[test]
fn boards_with_gaps() {
    let drawn = parse("patterns = ['111']\nboard.outline = '###/#-#/###'");
    let squares = "['a1', 'b1', 'c1', 'A2', 'c2', 'a3', 'b3', 'c3']";
    let listed = parse(&format!("patterns = ['111']\nboard.squares = {squares}"));
    assert_eq!(drawn.variant.rules().hash, listed.variant.rules().hash);
    let Variant::Board(game) = &drawn.variant else {
        panic!()
    };
    let position = game.parse_position("R../.-./..G").unwrap();
    assert_eq!(game.position_text(&position), "R../.-./..G");
    assert_eq!(game.targets().count(), 4);
    assert_eq!(game.symmetries(), 8);
}

#[test]
fn every_fault_is_reported_with_its_key() {
    let found = faults(
        "patterns = ['111', '1111', '444']\nplay = 'fast'\nend = 'play-on'\nfour = 'once'\nsuply = 'cap3'\n\
         stalemate = 3\nsupply = 'cap0'\n[board]\nsize = '9x9'\nlevels = 4\nline-length = 0\n[strip]\nturn = 'maybe'\n",
    );
    let expected = [
        "line 1, column 28, key 'patterns'",
        "line 2, column 8, key 'play': found 'fast', expected 'normal', 'misere' or 'points'",
        "line 3, column 7, key 'end'",
        "line 4, column 8, key 'four'",
        "line 5, column 1, key 'suply': unknown key; did you mean 'supply'?",
        "line 6, column 13, key 'stalemate': found a value of type integer",
        "line 7, column 10, key 'supply': found 'cap0'",
        "line 9, column 8, key 'board.size': found '9x9', expected 1 to 32 squares",
        "line 10, column 10, key 'board.levels': found 4, expected a whole number from 1 to 3",
        "line 11, column 15, key 'board.line-length'",
        "line 13, column 8, key 'strip.turn'",
    ];
    assert_eq!(found.len(), expected.len(), "{found:#?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.starts_with(expected), "{found} / {expected}");
    }
}

#[test]
fn contradictions_are_reported() {
    let one = |text: &str, expected: &str| {
        let found = faults(text);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains(expected), "{}", found[0]);
    };
    one("patterns = ['111']\n", "key 'board': missing");
    one("patterns = ['111']\n[board]\n", "key 'board.size': missing");
    one("board.size = '3x3'", "key 'patterns': missing");
    one(
        "patterns = ['111']\nboard = { size = '3x3', outline = '###' }",
        "given by size already",
    );
    one(
        "patterns = ['111']\nplay = 'points'\nboard.size = '3x3'",
        "gives every pattern its points",
    );
    one(
        "patterns = { 111 = 1 }\nboard.size = '3x3'",
        "the game is not scored",
    );
    one(
        "patterns = { 111 = 99 }\nplay = 'points'\nboard.size = '3x3'",
        "from 1 to 50",
    );
    one(
        "patterns = { 123 = 1, 321 = 2 }\nplay = 'points'\nboard.size = '3x3'",
        "mirror image",
    );
    one(
        "patterns = { 111 = 1 }\nplay = 'points'\nstalemate = 'loss'\nboard.size = '3x3'",
        "key 'stalemate'",
    );
    one(
        "patterns = ['1']\nboard.size = '3x3'",
        "found '1', expected 3 digits from 1 to 3: board.line-length is 3",
    );
    one("patterns = ['011']\nboard.size = '3x3'", "found '011'");
    one(
        "patterns = ['111']\n[board]\nsize = '3x4'\n[strip]",
        "a board with a strip is a full square",
    );
    one(
        "patterns = ['111']\nstalemate = 'pass'\n[board]\nsize = '3x3'\n[strip]",
        "not passed",
    );
    one(
        "patterns = { 111 = 1 }\nplay = 'points'\nend = 'play-on'\n[board]\nsize = '3x3'\n[strip]",
        "ends with the first line",
    );
    one(
        "patterns = ['111']\nboard.squares = ['a1', 'a1']",
        "stands twice",
    );
    one(
        "patterns = ['111']\nboard.squares = ['b2']",
        "no square in file a",
    );
    one("patterns = ['111']\nboard.squares = []", "found 0 squares");
    one("patterns = ['111']\nboard.squares = ['a99']", "found 'a99'");
    one(
        "patterns = ['111']\nboard.outline = '##/#'",
        "differ in length",
    );
    one("patterns = ['111']\nboard.outline = '--/--'", "no square");
    one("patterns = ['111']\nboard.outline = 'x#'", "found 'x'");
    one("patterns = ['111'\n", "this is not TOML");
    one(
        "patterns = ['111', '222', '111']\nboard.size = '3x3'",
        "line 1, column 27, key 'patterns': '111' stands twice",
    );
    one(
        "patterns = ['123', '123']\nboard.size = '3x3'",
        "'123' stands twice",
    );
    let both = parse("patterns = ['123', '321']\nboard.size = '3x3'");
    let either = parse("patterns = ['321']\nboard.size = '3x3'");
    assert_eq!(both.variant.rules().hash, either.variant.rules().hash);
    assert_eq!(faults("").len(), 2);
}

#[test]
fn a_wrong_board_is_no_ground_for_more_faults() {
    let found = faults("patterns = ['111']\n[board]\nsize = '9x9'\n[bag]\ncounters = 2\n");
    assert_eq!(found.len(), 1, "{found:#?}");
    let found = faults(
        "patterns = ['1111', '555']\n[board]\nsize = '0x3'\nsquares = ['a1', '?']\noutline = '##/#'\n\
         line-length = 99\nlevels = 7\n[strip]\n[bag]\nrepeat = 'ban'\n",
    );
    let expected = [
        "line 1, column 21, key 'patterns': found '555', expected digits from 1 to 3",
        "line 3, column 8, key 'board.size': found '0x3'",
        "line 4, column 11, key 'board.squares': the board is given by size already",
        "line 4, column 18, key 'board.squares': found '?'",
        "line 5, column 11, key 'board.outline': the rows differ in length",
        "line 6, column 15, key 'board.line-length': found 99",
        "line 7, column 10, key 'board.levels': found 7",
        "line 8, column 1, key 'strip': with a bag",
        "line 10, column 1, key 'bag.repeat': unknown key",
    ];
    assert_eq!(found.len(), expected.len(), "{found:#?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.starts_with(expected), "{found} / {expected}");
    }
}

#[test]
fn names_of_files() {
    let text = "patterns = ['111']\nboard.size = '3x3'";
    let refused = |name: &str| {
        let error = RuleFile::parse(name, text).unwrap_err();
        assert!(matches!(error, VariantError::FileName { .. }), "{error}");
    };
    refused("...toml");
    refused("a b.toml");
    refused(".toml");
    refused("classic-3x3.toml");
    let same = "patterns = ['111', '222', '333']\nboard.size = '3x3'";
    assert!(RuleFile::parse("classic-3x3.toml", same).is_ok());
}

#[test]
fn bags_that_cannot_be_are_refused() {
    let classic = "patterns = ['111', '222', '333']\nboard.size = '3x3'\n";
    let found = faults(&format!(
        "{classic}[bag]\ncounters = 5\nslide = 'never'\nutility = 'points'\ndraws = 2"
    ));
    let has = |part: &str| {
        assert!(
            found.iter().any(|fault| fault.contains(part)),
            "{part}: {found:#?}"
        );
    };
    has(
        "found 5, too few for 9 squares: the bag would run out; say counters = 6 or more, or counters = \"infinite\"",
    );
    has("there is no strip to slide");
    has("found 'points', expected");
    has("draws");
    let found = faults(
        "patterns = ['111']\nplay = 'misere'\nsupply = 'cap3'\nstalemate = 'loss'\n\
         board = { size = '3x3', levels = 1 }\n[strip]\n[bag]\ncounters = 'many'\nchoice = 4",
    );
    let has = |part: &str| {
        assert!(
            found.iter().any(|fault| fault.contains(part)),
            "{part}: {found:#?}"
        );
    };
    has("say bag.counters");
    has("'stalemate': not in a game with a bag");
    has("is won by the line, or scored");
    has("the bag has counters of three colours");
    has("with a bag the strip has repeat = \"ban\", turn = \"no\"");
    has("expected a whole number from 1 to 99 or \"infinite\"");
    has("found 4, expected a whole number from 2 to 3");
}

/// Where edges are joined a line is named by all its squares, as `rules` names it.
#[test]
fn lines_across_joined_edges_are_named_by_their_squares() {
    let text = |size: &str, wrap: &str, more: &str, lines: &str| {
        format!(
            "patterns = ['111']\nboard = {{ size = '{size}', wrap = '{wrap}', {more}without-lines = [{lines}] }}"
        )
    };
    let files = |lines: &str| text("2x4", "files", "", lines);
    let canonical = |text: &str| parse(text).variant.rules().canonical.clone();
    for line in ["a1-b1-c1", "c1-b1-a1", "B1-a1-c1"] {
        let found = canonical(&files(&format!("'{line}'")));
        assert!(found.contains("\nwithout a1-b1-c1\n"), "{line}: {found}");
    }
    // The two lines with the same ends are two lines.
    let both = canonical(&files("'a1-b1-c1', 'a1-c1-d1'"));
    assert!(both.contains("\nwithout a1-b1-c1 a1-c1-d1\n"), "{both}");
    for (lines, said) in [
        (
            "'a1-c1'",
            "2 lines have the ends 'a1-c1'; name all squares of one: 'a1-b1-c1' or 'a1-c1-d1'",
        ),
        (
            "'a1-b1-a2'",
            "found 'a1-b1-a2', expected all squares of a line, such as 'a1-b1-c1'",
        ),
        (
            "'a1-b1-c1', 'b1-a1-c1'",
            "'b1-a1-c1' stands twice; name it once",
        ),
    ] {
        let found = faults(&files(lines));
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].ends_with(said), "{found:?}");
    }
    // Ends that one line alone has.
    let ends = canonical(&text("2x5", "files", "", "'a1-c1'"));
    assert!(ends.contains("\nwithout a1-b1-c1\n"), "{ends}");
    // Every line can be taken off by the name that is printed, and has it in the canonical text.
    for (size, wrap, more) in [
        ("2x4", "files", ""),
        ("3x3", "both", ""),
        ("4x3", "ranks", "shapes = ['#-#', '##/##'], "),
        ("2x3", "both", "line-length = 2, "),
        ("1x3", "files", "line-length = 1, "),
    ] {
        let whole = text(size, wrap, more, "");
        let whole = whole.replace("'111'", "");
        let game = parse(&whole).variant.fixed_board().unwrap().clone();
        let board = game.board();
        for line in board.shape.lines(board.line_length) {
            let name = board.shape.line_name(&line.cells);
            let less = text(size, wrap, more, &format!("'{name}'")).replace("'111'", "");
            let found = canonical(&less);
            assert!(found.contains(&format!("\nwithout {name}\n")), "{found}");
        }
    }
}

/// The text that a message shows is one of a rule file.
#[test]
fn faults_show_what_can_be_written() {
    let gap = "board.outline = '###/###/-##'";
    for (text, expected) in [
        (
            "patterns = '111'\nboard.size = '3x3'",
            "such as [\"111\", \"222\"]",
        ),
        (
            "patterns = [111]\nboard.size = '3x3'",
            "expected a text in quotes, such as \"111\"",
        ),
        (
            "patterns = '11'\nboard = { size = '3x3', line-length = 2, levels = 1 }",
            "such as [\"11\"]",
        ),
        (
            &*format!("patterns = ['111']\nnot-first = 'b2'\n{gap}"),
            "such as [\"b1\", \"c1\"]",
        ),
        (
            &*format!("patterns = ['111']\nnot-first = ['a1']\n{gap}"),
            "found 'a1', expected a square of the board, such as 'b1'",
        ),
        (
            "patterns = ['111']\nboard.squares = 'a1 b1'",
            "such as [\"a1\", \"b1\"]",
        ),
        (
            "patterns = ['111']\nboard = { size = '3x3', directions = 'rank' }",
            "such as [\"rank\", \"file\"]",
        ),
        (
            "patterns = ['111']\nboard = { size = '3x3', shapes = '##' }",
            "such as [\"##/##\"]",
        ),
        (
            "patterns = ['111']\nboard = { size = '3x4', wrap = 'files', without-lines = 'a1' }",
            "such as [\"a1-b1-c1\"]",
        ),
        (
            "goal = ['111']\nboard.size = '3x3'",
            "expected goal = { first = [\"111\"], second = [\"333\"] }",
        ),
        (
            "patterns = ['111']\nmay = [1, 2]\nboard.size = '3x3'",
            "expected may = { first = [1, 2], second = [2, 3] }",
        ),
        (
            "patterns = ['111']\nsupply = 5\nboard.size = '3x3'",
            "found 5, expected \"unlimited\", \"cap5\" or \"pool5\": ",
        ),
        (
            "patterns = ['111']\nsupply = true\nboard.size = '3x3'",
            "expected \"unlimited\", \"capN\" or \"poolN\" with N from 1 to 99",
        ),
        (
            "patterns = ['111']\nboard = { size = '3x3', cylinder = true }",
            "unknown key; say wrap = \"files\" in [board]",
        ),
        (
            "patterns = ['111']\nboard = { size = '3x3', max_level = 2 }",
            "unknown key; say levels = 2 in [board]",
        ),
        (
            "play = 'points'\ngoal = { first = ['111'], second = [] }\nboard.size = '3x3'",
            "leave out play, or say patterns = { 111 = 1, 222 = 5 } in place of goal",
        ),
    ] {
        let found = faults(text);
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        assert!(found[0].contains(expected), "{found:?}");
    }
}

#[test]
fn lines_can_be_taken_off() {
    let whole = parse("patterns = ['111', '222', '333']\nboard.size = '3x3'").variant;
    let less = parse(
        "patterns = ['111', '222', '333']\nboard = { size = '3x3', without-lines = ['c3-a1', 'a1-c1'] }",
    )
    .variant;
    let (whole, less) = (whole.fixed_board().unwrap(), less.fixed_board().unwrap());
    assert_eq!(whole.board().shape.lines(3).len(), 8);
    assert_eq!(less.board().shape.lines(3).len(), 6);
    assert_eq!(less.board().shape.removed_lines(), ["a1-c1", "a1-c3"]);
    assert_eq!((whole.symmetries(), less.symmetries()), (8, 1));
    assert!(
        less.rules()
            .canonical
            .contains("\nwithout a1-c1 a1-c3\nlevels 3\n")
    );
    assert_ne!(whole.rules().hash, less.rules().hash);
    let position = |text: &str| less.parse_position(text).unwrap();
    for (text, counts) in [
        ("R../.R./..R", true),
        ("..R/.R./R..", false),
        (".../.../RRR", false),
    ] {
        assert!(whole.ending(&position(text)).is_some(), "{text}");
        assert_eq!(less.ending(&position(text)).is_some(), counts, "{text}");
    }
    let symmetric =
        parse("patterns = ['111']\nboard = { size = '3x3', without-lines = ['a1-c3', 'a3-c1'] }")
            .variant;
    assert_eq!(symmetric.fixed_board().unwrap().symmetries(), 8);
    for (lines, said) in [
        (
            "'a1-b1'",
            "found 'a1-b1', expected the two ends of a line of 3 squares, such as 'a1-c1'",
        ),
        ("'a1'", "found 'a1'"),
        ("'a1-c1', 'c1-a1'", "'c1-a1' stands twice"),
        ("3", "text in quotes"),
    ] {
        let found = faults(&format!(
            "patterns = ['111']\nboard = {{ size = '3x3', without-lines = [{lines}] }}"
        ));
        assert!(found.iter().any(|fault| fault.contains(said)), "{found:?}");
    }
    let found = faults(
        "patterns = ['111']\nboard = { size = '3x3', without-lines = ['a1-c1'] }\n[strip]\n",
    );
    assert!(
        found[0].contains("leave out board.without-lines"),
        "{found:?}"
    );
}
