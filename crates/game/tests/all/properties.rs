//! Properties of boards against rules written out naively, square by square: lines, threats, points,
//! supply limits, notation. Boards, patterns and options are made up at random.

use greenwave_game::{
    BoardGame, Cell, Code, Dense, Game, LEAF_BITS, LeafMask, Lights, Packing, Permutation,
    RuleFile, Shape, Variant, with_game,
};
use proptest::prelude::*;

/// A board as rows of levels, the lowest rank first.
type Rows = Vec<Vec<u8>>;

fn rows_of(game: &BoardGame, code: Code) -> Rows {
    let shape = &game.board().shape;
    let level = |file, rank| shape.at(file, rank).map_or(0, |cell| code.level(cell));
    (0..shape.ranks())
        .map(|rank| (0..shape.files()).map(|file| level(file, rank)).collect())
        .collect()
}

/// Levels along three squares in a row, and where those squares are.
type Triple = ([u8; 3], [(usize, usize); 3]);

/// Every three squares in a row, as levels with the places they stand on.
fn triples(rows: &Rows) -> Vec<Triple> {
    let (ranks, files) = (rows.len() as i32, rows[0].len() as i32);
    let mut found = Vec::new();
    for rank in 0..ranks {
        for file in 0..files {
            for (up, right) in [(0, 1), (1, 0), (1, 1), (-1, 1)] {
                let places = [0, 1, 2].map(|step| (rank + step * up, file + step * right));
                let inside = |(rank, file): &(i32, i32)| {
                    (0..ranks).contains(rank) && (0..files).contains(file)
                };
                if places.iter().all(inside) {
                    let places = places.map(|(rank, file)| (rank as usize, file as usize));
                    found.push((places.map(|(rank, file)| rows[rank][file]), places));
                }
            }
        }
    }
    found
}

/// What a rule sheet says: three levels in a row that complete a line, with their points (by the
/// rule sheet of the scoring game: Fiendish Board Games, 1997).
#[derive(Clone, Copy, Debug)]
struct Sheet {
    name: &'static str,
    scores: bool,
    lines: &'static [([u8; 3], i32)],
}

const SHEETS: [Sheet; 4] = [
    Sheet {
        name: "classic",
        scores: false,
        lines: &[([1, 1, 1], 1), ([2, 2, 2], 5), ([3, 3, 3], 2)],
    },
    Sheet {
        name: "signal",
        scores: false,
        lines: SCORED,
    },
    Sheet {
        name: "green",
        scores: false,
        lines: &[([3, 3, 3], 2)],
    },
    Sheet {
        name: "points",
        scores: true,
        lines: SCORED,
    },
];

const SCORED: &[([u8; 3], i32)] = &[
    ([1, 1, 1], 1),
    ([2, 2, 2], 5),
    ([3, 3, 3], 2),
    ([1, 2, 3], 3),
    ([3, 2, 1], 3),
];

impl Sheet {
    /// Points of three levels in a row; 0 where they are no line.
    fn points(&self, levels: [u8; 3]) -> i32 {
        let line = self.lines.iter().find(|(line, _)| *line == levels);
        line.map_or(0, |(_, points)| *points)
    }
}

fn parsed(name: &str) -> BoardGame {
    BoardGame::named(name).unwrap()
}

fn from_file(text: &str) -> BoardGame {
    let file = RuleFile::parse("board.toml", text).unwrap();
    let Variant::Board(game) = file.variant else {
        unreachable!("the rules of a board")
    };
    game
}

// Sizes up to 32 squares.
fn sizes() -> impl Strategy<Value = (usize, usize)> {
    (1..=8_usize, 1..=8_usize)
        .prop_filter("at most 32 squares", |(ranks, files)| ranks * files <= 32)
}

// A game without options and a board of it.
fn boards() -> impl Strategy<Value = (Sheet, BoardGame, Code)> {
    let sheets = prop::sample::select(SHEETS.to_vec());
    (sheets, sizes(), any::<u64>()).prop_map(|(sheet, (ranks, files), bits)| {
        let game = parsed(&format!("{}-{ranks}x{files}", sheet.name));
        let bits = u128::from(bits) % game.indexable();
        (sheet, game, Code(bits as u64))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn lines_and_points_are_those_of_three_in_a_row((sheet, game, code) in boards()) {
        let standing: Vec<i32> = triples(&rows_of(&game, code))
            .into_iter()
            .map(|(levels, _)| sheet.points(levels))
            .filter(|points| *points > 0)
            .collect();
        prop_assert_eq!(game.has_line(code), !standing.is_empty());
        if sheet.scores {
            prop_assert_eq!(game.standing_points(code), standing.iter().sum::<i32>());
        }
        prop_assert_eq!(game.ending(&code).is_some(), !standing.is_empty() || code.0 == full(&game));
    }

    #[test]
    fn raises_complete_the_lines_through_their_square((sheet, game, code) in boards()) {
        let shape = &game.board().shape;
        let mut threatened = false;
        for cell in (0..shape.cells() as u8).map(Cell) {
            if code.level(cell) == 3 {
                continue;
            }
            let (file, rank) = shape.place(cell);
            let raised = code.raised(cell);
            prop_assert_eq!(raised.level_sum(), code.level_sum() + 1);
            let here = (usize::from(rank), usize::from(file));
            let completed: i32 = triples(&rows_of(&game, raised))
                .into_iter()
                .filter(|(_, places)| places.contains(&here))
                .map(|(levels, _)| sheet.points(levels))
                .sum();
            threatened |= completed > 0;
            if sheet.scores {
                prop_assert_eq!(game.completed_points(raised, cell), completed);
            }
        }
        prop_assert_eq!(game.has_threat(code), threatened);
        prop_assert_eq!(game.wins_at_once(&code), threatened);
    }

    #[test]
    fn a_run_of_equal_lights_scores_once_where_runs_count(bits in any::<u64>(), files in 3..=16_usize) {
        let game = parsed(&format!("points-1x{files}:four=once"));
        let code = Code(bits & (u64::MAX >> (64 - 2 * files)));
        let row = &rows_of(&game, code)[0];
        let scored = SHEETS[3];
        // Runs of equal lights, then red-yellow-green from either end.
        let runs: i32 = row
            .chunk_by(|a, b| a == b)
            .filter(|run| run.len() >= 3 && run[0] > 0)
            .map(|run| scored.points([run[0]; 3]))
            .sum();
        let sequences = row.windows(3).filter(|three| matches!(three, [1, 2, 3] | [3, 2, 1]));
        prop_assert_eq!(game.standing_points(code), runs + 3 * sequences.count() as i32);
    }

    #[test]
    fn supplies_bound_the_counters(
        bits in any::<u64>(),
        limit in 1..=9_usize,
        pool in any::<bool>(),
        top in 1..=3_u8,
        within_levels in any::<bool>(),
        (ranks, files) in prop::sample::select(vec![(1, 4), (2, 3), (3, 3)])
    ) {
        let kind = if pool { "pool" } else { "cap" };
        let game = from_file(&format!(
            "patterns = {{ 111 = 1 }}\nplay = 'points'\nend = 'play-on'\nsupply = '{kind}{limit}'\n\
             board = {{ size = '{ranks}x{files}', levels = {top} }}"
        ));
        let mut code = Code((u128::from(bits) % game.indexable()) as u64);
        if within_levels {
            let cells = (0..game.board().shape.cells() as u8).map(Cell);
            code = cells.fold(code, |code, cell| code.with(cell, code.level(cell) % (top + 1)));
        }
        let levels: Vec<u8> = rows_of(&game, code).concat();
        let used = |levels: &[u8], level: u8| {
            let counts = |shown: &&u8| if pool { **shown >= level } else { **shown == level };
            levels.iter().filter(counts).count()
        };
        let within = |levels: &[u8]| {
            levels.iter().all(|level| *level <= top) && (1..=top).all(|level| used(levels, level) <= limit)
        };
        prop_assert_eq!(game.is_legal(code), within(&levels));
        let text = game.position_text(&code);
        prop_assert_eq!(game.parse_position(&text).is_ok(), within(&levels));
        let expected = (0..levels.len()).filter(|at| {
            let to = levels[*at] + 1;
            to <= top && used(&levels, to) < limit
        });
        let expected: Vec<usize> = expected.collect();
        // The mask has those on which something can be raised.
        let mut mask = LeafMask::default();
        game.leaf_mask(Packing::Unfinished, code.0 >> LEAF_BITS, &mut mask);
        let goes_on = within(&levels) && !expected.is_empty();
        prop_assert_eq!(mask.contains((code.0 & 0xffff) as u32), goes_on);
        if !within(&levels) {
            return Ok(());
        }
        let mut moves = Vec::new();
        game.moves(&code, &mut moves);
        prop_assert_eq!(moves.iter().map(|mv| mv.0.index()).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn texts_are_read_in_every_spelling((_, game, code) in boards(), seed in any::<u64>()) {
        let text = game.position_text(&code);
        let spelt: String = text
            .chars()
            .enumerate()
            .map(|(place, letter)| match (letter, seed >> (2 * (place % 32)) & 3) {
                ('R', 1) => 'r',
                ('R', 2) => '1',
                ('Y', 0) => 'o',
                ('Y', 1) => 'A',
                ('Y', 2) => '2',
                ('G', 1) => 'g',
                ('G', 2) => '3',
                ('.', 1) => '0',
                (letter, _) => letter,
            })
            .collect();
        prop_assert_eq!(game.parse_position(&spelt), Ok(code));
        let swapped = text.replace('R', "x").replace('G', "R").replace('x', "G");
        let mut other = game.clone();
        other.set_lights(Lights::Gyr);
        prop_assert_eq!(other.position_text(&code), swapped);
    }

    #[test]
    fn one_wrong_letter_is_named_with_its_place(
        (_, game, code) in boards(),
        at in any::<prop::sample::Index>(),
        wrong in "[b-fh-np-qs-uw-xzBCDEF4-9!#-&*+:<-@é]"
    ) {
        let mut letters: Vec<char> = game.position_text(&code).chars().collect();
        let at = at.index(letters.len());
        prop_assume!(letters[at] != '/');
        let row = letters[..at].iter().filter(|letter| **letter == '/').count();
        let start = letters[..at].iter().rposition(|letter| *letter == '/').map_or(0, |at| at + 1);
        letters[at] = wrong.chars().next().unwrap_or('!');
        let text: String = letters.into_iter().collect();
        let error = game.parse_position(&text).unwrap_err();
        let rank = usize::from(game.board().shape.ranks()) - row;
        let place = format!("row {} (rank {rank}), character {}", row + 1, at - start + 1);
        prop_assert_eq!(error.faults.len(), 1);
        prop_assert_eq!(&error.faults[0].place.to_string(), &place);
        prop_assert!(error.faults[0].problem.english().contains(&wrong), "{}", error);
    }

    #[test]
    fn permutations_move_every_square(
        order in (1..=32_u8).prop_flat_map(|cells| Just((0..cells).collect::<Vec<u8>>()).prop_shuffle()),
        bits in any::<u64>()
    ) {
        let cells = order.len();
        let permutation = Permutation::new(order.iter().copied().map(Cell).collect());
        let code = Code(bits & (u64::MAX >> (64 - 2 * cells)));
        let image = permutation.apply(code);
        for (from, to) in (0..).zip(&order) {
            prop_assert_eq!(image.level(Cell(*to)), code.level(Cell(from)));
        }
        prop_assert_eq!(permutation.inverse().apply(image), code);
    }

    #[test]
    fn masks_hold_what_was_inserted(places in prop::collection::btree_set(0..1_u32 << LEAF_BITS, 0..200)) {
        let mut mask = LeafMask::default();
        places.iter().for_each(|place| mask.insert(*place));
        prop_assert_eq!(mask.count() as usize, places.len());
        prop_assert!(places.iter().all(|place| mask.contains(*place)));
        prop_assert!(mask.places().eq(places.iter().copied()));
    }

    #[test]
    fn masks_of_boards_hold_what_is_not_implied((_, game, code) in boards(), at in any::<u16>()) {
        let leaf = code.0 >> LEAF_BITS;
        let mut mask = LeafMask::default();
        for metric in game.rules().metrics.clone() {
            let packing = game.packing(metric);
            game.leaf_mask(packing, leaf, &mut mask);
            for place in [(code.0 & 0xffff) as u16, at] {
                let index = leaf << LEAF_BITS | u64::from(place);
                if u128::from(index) < game.indexable() {
                    let packed = game.implied(packing, index).is_none();
                    prop_assert_eq!(mask.contains(place.into()), packed, "{:?} {}", packing, index);
                }
            }
        }
        prop_assert!(game.packing(game.rules().default_metric) == Packing::Unfinished
            || game.rules().metrics.len() > 1);
    }
}

fn full(game: &BoardGame) -> u64 {
    (game.indexable() - 1) as u64
}

/// Lines of three on R × C squares: R(C − 2) along ranks, C(R − 2) along files, and twice
/// (R − 2)(C − 2) diagonals.
#[test]
fn numbers_of_lines() {
    for ranks in 1..=8_usize {
        for files in 1..=8_usize {
            let Ok(shape) = Shape::rectangle(ranks, files) else {
                assert!(ranks * files > 32);
                continue;
            };
            let (wide, high) = (files.saturating_sub(2), ranks.saturating_sub(2));
            let lines = ranks * wide + files * high + 2 * wide * high;
            assert_eq!(shape.lines(3).len(), lines, "{ranks}x{files}");
        }
    }
}

#[test]
fn rows_are_read_without_strokes_where_the_length_leaves_no_doubt() {
    for (name, text) in [
        ("classic-3x4", "RY../..../...."),
        ("classic-2x3", "..G/R.."),
        ("noughts-3x3", "X../.O./..."),
        ("strip", ".R./.../..G+...@N"),
        ("slider", ".R./.../R..+...@W"),
        ("bag-classic-3x3", ".../.../...;RYG;RYG;RG"),
        ("ampel-4-2-1", "4 2 1 r s 0 0 ./../.../...."),
    ] {
        let variant = Variant::parse(name).unwrap();
        with_game!(&variant, game => {
            let Ok(position) = game.parse_position(text) else {
                panic!("{name} {text}: {:?}", game.parse_position(text));
            };
            let short = text.replace('/', "");
            assert_eq!(game.parse_position(&short), Ok(position), "{name}");
        });
    }
}
