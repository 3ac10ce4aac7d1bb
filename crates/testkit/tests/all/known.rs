//! Games that others have solved, as rule files, and a theorem about the pie rule.

use greenwave_game::{Figures, Game, Metric, Outcome, RuleFile, Variant, with_game};
use greenwave_solver::{Product, Search, SearchBudget, Task, solve, sweep::Kernel};
use greenwave_values::Silent;

fn variant(text: &str) -> Variant {
    let file = RuleFile::parse("known.toml", text);
    file.unwrap_or_else(|error| panic!("{text}: {error}"))
        .variant
}

fn value(text: &str) -> Outcome {
    let variant = variant(text);
    let values = solve(&variant, Metric::Distance, u64::MAX, &Silent);
    let values = values.unwrap_or_else(|error| panic!("{error}"));
    let figures =
        greenwave_game::with_game!(&variant, game => values.figures_of(game, &game.start()));
    figures.value.expect("a value")
}

/// The nim-values of the octal game 0.007: remove three in a row and leave the rest as up to two heaps.
fn treblecross(heaps: usize) -> Vec<u32> {
    let mut nimbers: Vec<u32> = Vec::new();
    for heap in 0..=heaps {
        let rests =
            (0..heap.saturating_sub(2)).map(|left| nimbers[left] ^ nimbers[heap - 3 - left]);
        let rests: Vec<u32> = rests.collect();
        nimbers.push(
            (0..)
                .find(|nimber| !rests.contains(nimber))
                .expect("a least number"),
        );
    }
    nimbers
}

// E. R. Berlekamp, J. H. Conway and R. K. Guy, Winning Ways for your Mathematical Plays, chapter 4:
// Treblecross on a strip of n squares is won as a heap of n + 2 in the octal game 0.007. Its nimbers are
// sequence A395248 of The On-Line Encyclopedia of Integer Sequences.
#[test]
fn treblecross_is_the_octal_game_0_007() {
    let nimbers = treblecross(15);
    assert_eq!(nimbers, [0, 0, 0, 1, 1, 1, 2, 2, 0, 3, 3, 1, 1, 1, 0, 4]);
    let most = if cfg!(feature = "slow-tests") { 12 } else { 9 };
    let rank = |strips: &[usize]| {
        let outline: Vec<String> = strips.iter().map(|squares| "#".repeat(*squares)).collect();
        let outline = outline.join("-");
        format!("patterns = ['111']\nboard = {{ outline = '{outline}', levels = 1 }}")
    };
    // Strips side by side are won by the nimbers of all of them, so that pairs tell the nimbers apart.
    let pairs = (3..=most).flat_map(|one| (3..=most - one).map(move |other| vec![one, other]));
    let strips = (3..=most).map(|squares| vec![squares]).chain(pairs);
    for strips in strips.chain([vec![3, 3, 3]]) {
        let sum = strips
            .iter()
            .fold(0, |sum, squares| sum ^ nimbers[squares + 2]);
        let expected = if sum == 0 {
            Outcome::Loss
        } else {
            Outcome::Win
        };
        assert_eq!(value(&rank(&strips)), expected, "{strips:?}");
    }
}

/// An example of `docs/examples`.
fn example(name: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/examples");
    let text = std::fs::read_to_string(format!("{folder}/{name}.toml"));
    text.unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The figures of the start, by a search that looks at no more positions than it is allowed.
fn searched(rules: &str, positions: Option<u64>) -> Figures {
    let variant = variant(rules);
    with_game!(&variant, game => {
        let search = Search::new(game, 1 << 28).expect("a game without chance");
        match positions {
            None => search.exact(&game.start()).expect("a game that ends"),
            Some(nodes) => {
                let budget = SearchBudget { nodes: Some(nodes), ..SearchBudget::default() };
                search.search(&game.start(), budget, &Silent).root.figures()
            }
        }
    })
}

// The table in docs/reference/known-games.md, with the sources.
#[test]
fn known_games_of_marks_of_ones_own_have_the_published_results() {
    let small = None;
    let large = Some(400_000);
    for (name, positions, expected) in [
        ("noughts", small, None),
        ("noughts-pie", small, None),
        ("noughts-no-diagonals", small, None),
        ("noughts-no-diagonals-4x4", large, Some(5)),
        ("noughts-corners", small, Some(5)),
        ("noughts-zigzag", small, Some(9)),
        ("maker-breaker", small, Some(7)),
        ("noughts-hexagon", large, Some(5)),
        ("three-in-a-row-3x4", large, Some(7)),
        ("three-in-a-row-4x4", large, Some(5)),
    ] {
        let found = searched(&example(name), positions);
        let result = if expected.is_some() {
            Outcome::Win
        } else {
            Outcome::Draw
        };
        assert_eq!(found.value, Some(result), "{name}");
        assert_eq!(found.distance.map(|plies| plies.0), expected, "{name}");
    }
    // Each first mark wins there, so that whoever may choose the side wins.
    let pie = format!("swap = true\n{}", example("three-in-a-row-4x4"));
    assert_eq!(searched(&pie, large).value, Some(Outcome::Loss));
}

/// A position of `noughts-3x3` on the pairs of squares of `noughts.toml`.
fn in_pairs(text: &str) -> String {
    let ranks = text.split('/').map(|rank| {
        let pairs = rank.chars().map(|mark| match mark {
            'X' => "RY",
            'O' => ".G",
            _ => ".Y",
        });
        pairs.collect::<Vec<&str>>().join("-")
    });
    let (marks, board) = (
        text.matches(['X', 'O']).count(),
        ranks.collect::<Vec<String>>().join("/"),
    );
    format!(
        "{board},{}",
        if marks % 2 == 0 { "first" } else { "second" }
    )
}

#[test]
fn pairs_of_squares_are_noughts_and_crosses() {
    let noughts = Variant::parse("noughts-3x3").expect("a variant");
    let values = solve(&noughts, Metric::Distance, u64::MAX, &Silent).expect("solved");
    let pairs = variant(&example("noughts"));
    let game = pairs.as_memory().expect("a memory");
    let search = Search::new(game, 1 << 28).expect("a game without chance");
    let mut seen = 0;
    with_game!(&noughts, noughts => {
        let mut open = vec![noughts.start()];
        let mut met: std::collections::HashSet<_> = open.iter().copied().collect();
        while let Some(position) = open.pop() {
            let text = noughts.position_text(&position);
            let twin = game.parse_position(&in_pairs(&text)).expect("a position");
            let found = search.exact(&twin).expect("a game that ends").value;
            assert_eq!(found, values.figures_of(noughts, &position).value, "{text}");
            seen += 1;
            let mut moves = Vec::new();
            noughts.moves(&position, &mut moves);
            let next = moves.into_iter().map(|mv| noughts.play(&position, mv).to);
            open.extend(next.filter(|next| met.insert(*next)));
        }
    });
    assert_eq!(seen, 5_478);
}

/// Whether the player to move wins, on 19 hexagons of which the marked ones are bits.
fn hexagon_is_won(marked: usize, lines: &[usize], known: &mut [Option<bool>]) -> bool {
    if let Some(won) = known[marked] {
        return won;
    }
    let won = (0..19)
        .filter(|hexagon| marked >> hexagon & 1 == 0)
        .any(|hexagon| {
            let next = marked | 1 << hexagon;
            lines.iter().any(|line| next & line == *line) || !hexagon_is_won(next, lines, known)
        });
    known[marked] = Some(won);
    won
}

// Nobody seems to have published this one; the loop beside shares nothing with the engines.
#[test]
fn three_hexagons_in_a_row_are_won_from_where_a_plain_loop_says() {
    let rows = [(3, 0), (4, 0), (5, 0), (4, 1), (3, 2)];
    let hexagons: Vec<(i32, i32)> = (0..)
        .zip(rows)
        .flat_map(|(row, (many, from))| (from..from + many).map(move |file| (row, file)))
        .collect();
    let bit = |row, file| hexagons.iter().position(|one| *one == (row, file));
    let mut lines = Vec::new();
    for (row, file) in &hexagons {
        for (down, right) in [(0, 1), (1, 0), (1, 1)] {
            let line: Option<Vec<usize>> = (0..3)
                .map(|step| bit(row + step * down, file + step * right))
                .collect();
            lines.extend(line.map(|line| line.iter().map(|bit| 1 << bit).sum::<usize>()));
        }
    }
    assert_eq!(lines.len(), 27);
    let mut known = vec![None; 1 << 19];
    let rules = example("hexagon");
    let first_wins = |rules: &str| {
        let variant = variant(rules);
        let task = Task {
            variant: &variant,
            metric: Metric::Value,
            kernel: Kernel::best(),
            memory: 1 << 28,
            wanted: Product::Counts,
            checkpoint: None,
            scratch: None,
            quick: false,
        };
        let done = task.plan().expect("a plan").run(&Silent).expect("solved");
        done.summary.start.value == Some(greenwave_table::Outcome::Win)
    };
    assert!(first_wins(&rules) && hexagon_is_won(0, &lines, &mut known));
    // A corner, the hexagon beside it, and the centre.
    for number in [0, 1, 9] {
        let (row, file) = hexagons[number];
        let mut start: Vec<Vec<char>> = ["...--", "....-", ".....", "-....", "--..."]
            .map(|row| row.chars().collect())
            .into();
        start[row as usize][file as usize] = 'R';
        let start: Vec<String> = start.iter().map(|row| row.iter().collect()).collect();
        let lost = !hexagon_is_won(1 << number, &lines, &mut known);
        let found = !first_wins(&format!("start = '{}'\n{rules}", start.join("/")));
        assert_eq!(found, lost, "{start:?}");
    }
}

// As if one player cuts and the other chooses: with the pie rule the first player can do no better
// than the most even first move. So the game is drawn where some first move draws without it, and
// lost otherwise.
#[test]
fn with_a_pie_rule_the_first_player_never_wins() {
    let (mut drawn, mut lost) = (0, 0);
    for rules in [
        "patterns = ['111', '222', '333']\nboard.size = '2x3'",
        "patterns = ['111', '222', '333']\nplay = 'misere'\nboard.size = '2x3'",
        "patterns = ['111', '222']\nboard = { size = '3x3', levels = 2 }",
        "patterns = ['111']\nboard = { size = '1x7', levels = 1 }",
        "patterns = ['111']\nsupply = 'cap4'\nboard = { size = '2x4', levels = 1 }",
        "patterns = ['222']\nsupply = 'pool5'\nboard = { size = '2x4', levels = 2 }",
    ] {
        let plain = variant(rules);
        let game = plain.as_board().expect("a board");
        let values = solve(&plain, Metric::Distance, u64::MAX, &Silent).expect("solved");
        let mut moves = Vec::new();
        game.moves(&game.start(), &mut moves);
        let evens = moves.iter().any(|mv| {
            let to = game.play(&game.start(), *mv).to;
            values.figures_of(game, &to).value == Some(Outcome::Draw)
        });
        let expected = if evens { Outcome::Draw } else { Outcome::Loss };
        assert_eq!(value(&format!("swap = true\n{rules}")), expected, "{rules}");
        *(if evens { &mut drawn } else { &mut lost }) += 1;
    }
    assert!(drawn > 0 && lost > 0, "{drawn} and {lost}");
}

// Whoever would lose hands the turn over with it, and whoever would win keeps it.
#[test]
fn a_pass_that_only_one_player_has_wins() {
    for rules in [
        "patterns = ['111', '222', '333']\nboard.size = '2x3'",
        "patterns = ['111', '222']\nboard = { size = '3x3', levels = 2 }",
        "patterns = ['111']\nboard = { size = '1x7', levels = 1 }",
    ] {
        let once = variant(&format!("pass = 'once'\n{rules}"));
        let values = solve(&once, Metric::Distance, u64::MAX, &Silent).expect("solved");
        let game = once.as_memory().expect("a memory");
        let plain = variant(rules);
        let board = plain.as_board().expect("a board");
        let alone = solve(&plain, Metric::Distance, u64::MAX, &Silent).expect("solved");
        // Who wins without passes answers a pass with a pass.
        let of = |passes: &str| {
            let text = board.position_text(&board.start()) + ",passes=" + passes;
            let position = game.parse_position(&text).expect("a position");
            values.figures_of(game, &position).value
        };
        assert_eq!(
            of("0:0"),
            alone.figures_of(board, &board.start()).value,
            "{rules}"
        );
        assert_eq!(
            of("1:0"),
            Some(Outcome::Win),
            "{rules}: a pass that the other lacks"
        );
    }
}
