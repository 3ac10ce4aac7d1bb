//! The bag game: the engine against exact arithmetic, tables against both, resumed solves against
//! straight ones.

use std::collections::{HashMap, HashSet};

use greenwave_game::{
    BagGame, BoardGame, Dense, Ending, Game, Metric, Odds, RuleFile, Stage, StripGame, TIE, Variant,
};
use greenwave_probe::{Dice, Simulator};
use greenwave_solver::{Product, Task, TaskResult, chance, chance::Retention, sweep::Kernel};
use greenwave_table::Table;
use greenwave_testkit::{Exact, ExactOdds, ExactReference, PositionSample};
use greenwave_values::{
    OddsByIndex, OddsSource, OddsTable, OddsValues, Silent, SolvedOdds, ValueSource,
};
use rayon::prelude::*;

const SLOW: bool = cfg!(feature = "slow-tests");

// One state of this number is read from a table by itself; a prime, so that all kinds come up.
const PROBED: usize = 41;

/// Small games: every base and option on a row of three, and a board of two ranks.
const SMALL: &[&str] = &[
    "bag-classic-1x3",
    "bag-signal-1x3:choice=3",
    "bag-green-1x3:return=after",
    "bag-points-1x3:counters=4",
    "bag-classic-1x3:counters=infinite",
    "bag-signal-1x3:counters=infinite,choice=3,return=after",
    "bag-points-1x3:counters=4,choice=3,return=after",
    "bag-points-1x3:utility=win",
    "bag-classic-2x2",
];

/// Those of more states, for the slow tests.
const LARGER: &[&str] = &[
    "bag-signal-1x4:choice=3,return=after",
    "bag-points-1x4",
    "bag-classic-2x3",
];

fn bag(name: &str) -> BagGame<BoardGame> {
    match Variant::parse(name) {
        Ok(Variant::Bag(game)) => game,
        other => panic!("{name}: {other:?}"),
    }
}

fn task(variant: &Variant, wanted: Product) -> TaskResult {
    let task = Task {
        variant,
        metric: Metric::Odds,
        kernel: Kernel::best(),
        memory: 1 << 30,
        wanted,
        checkpoint: None,
        scratch: None,
        quick: false,
    };
    match task.plan().and_then(|planned| planned.run(&Silent)) {
        Ok(done) => done,
        Err(error) => panic!("{error}"),
    }
}

// Largest difference of the parts of exact and rounded odds.
fn difference(exact: &ExactOdds, odds: &Odds) -> f64 {
    let apart = |exact: Exact, found: f64| (exact.rounded() - found).abs();
    apart(exact.expectation, odds.expectation)
        .max(apart(exact.win, odds.win))
        .max(apart(exact.loss, odds.loss))
}

// Every unfinished position that has an index.
fn unfinished(game: &BagGame<BoardGame>) -> impl Iterator<Item = u64> + '_ {
    let over = |index: &u64| {
        let ending = |position| -> Option<Ending> { game.ending(&position) };
        game.at(*index)
            .is_some_and(|position| ending(position).is_none())
    };
    (0..game.indexable() as u64).filter(over)
}

#[test]
fn every_state_agrees_with_exact_arithmetic() {
    let larger = if SLOW { LARGER } else { &[] };
    SMALL.par_iter().chain(larger).for_each(|name| {
        let game = bag(name);
        let (values, start) = chance::solve_odds(&game, Retention::All, &Silent).unwrap();
        let mut reference = ExactReference::new(&game).unwrap();
        let mut count = 0_u64;
        for index in unfinished(&game) {
            let position = game.at(index).unwrap();
            let exact = reference.odds(&position);
            let found = values.odds(index).unwrap();
            let apart = difference(&exact, &found);
            assert!(apart < 1e-12, "{name} {index}: {exact:?}, found {found:?}");
            count += 1;
        }
        let exact = reference.odds(&game.start());
        assert!(difference(&exact, &start) < 1e-12, "{name}: {start:?}");
        let parse = Variant::parse(name).unwrap();
        let counts = task(&parse, Product::Counts).summary.by_value.unwrap();
        assert_eq!(counts.win + counts.draw + counts.loss, count, "{name}");
    });
}

#[test]
fn tables_hold_what_was_solved_within_the_stated_error() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["bag-classic-1x3", "bag-points-1x3:choice=3"] {
        let game = bag(name);
        let variant = Variant::parse(name).unwrap();
        let path = folder.path().join("odds.gwt");
        let done = task(&variant, Product::Table(path.clone()));
        let without = task(&variant, Product::Signature);
        assert_eq!(without.signature, done.signature, "{name}");
        assert_eq!(without.summary, done.summary, "{name}");
        let table = Table::open(&path).unwrap();
        assert_eq!(Some(table.meta().signature), done.signature);
        assert_eq!(u128::from(table.meta().positions()), game.indexable());
        let table = OddsTable::new(&game, table).unwrap();
        let (values, start) = chance::solve_odds(&game, Retention::All, &Silent).unwrap();
        assert_eq!(table.start(), Some(start), "{name}: in double precision");
        let loaded = table.load().unwrap();
        let mut worst = 0.0_f64;
        for (number, index) in unfinished(&game).enumerate() {
            let stored = loaded.odds(index).unwrap().unwrap();
            // A probe unpacks a row, so only some are made.
            if SLOW || number % PROBED == 0 {
                assert_eq!(table.odds(index).unwrap(), Some(stored));
            }
            let solved = values.odds(index).unwrap();
            let error = |pick: fn(&Odds) -> f64| (pick(&stored) - pick(&solved)).abs();
            let expectation = error(|odds| odds.expectation);
            worst = worst.max(expectation);
            let bound = OddsTable::worst_error(solved.expectation);
            assert!(
                expectation <= bound,
                "{name} {index}: {solved:?} {stored:?}"
            );
            let probability = error(|odds| odds.win)
                .max(error(|odds| odds.loss))
                .max(error(|odds| odds.draw));
            assert!(
                probability <= 3.0 * OddsTable::WORST_ERROR + TIE,
                "{name} {index}"
            );
        }
        // The bound is no better than it should be.
        assert!(worst > OddsTable::WORST_ERROR / 4.0, "{name}: {worst:e}");
        std::fs::remove_file(&path).unwrap();
    }
}

#[test]
fn games_are_played_alike_whatever_was_played_before() {
    for name in ["bag-classic-2x3", "bag-points-1x4:choice=3,return=after"] {
        let game = bag(name);
        let (values, start) = chance::solve_odds(&game, Retention::All, &Silent).unwrap();
        let odds = SolvedOdds {
            values,
            start: Some(start),
            tie: TIE,
        };
        let afresh = OddsSource::new(&game, &odds);
        let drafted = OddsSource::with_draft(&game, &odds).unwrap();
        let player = Simulator::new(&game, &drafted);
        for number in 0..60 {
            let dice = Dice::new(7, number);
            let expected = Simulator::new(&game, &afresh).play_out(&mut dice.clone(), 10_000);
            let expected = expected.unwrap().unwrap();
            for _ in 0..2 {
                let played = player.play_out(&mut dice.clone(), 10_000).unwrap();
                assert_eq!(played, Some(expected), "{name}, game {number}");
            }
        }
        // All of the draft, to the last bit.
        let (mut open, mut met) = (vec![game.start()], HashSet::new());
        let (mut draws, mut moves) = (Vec::new(), Vec::new());
        while let Some(position) = open.pop() {
            if game.has_index(&position) || !met.insert(position) {
                continue;
            }
            let figures = |source: &OddsSource<'_, _>| source.figures(&position).unwrap();
            assert_eq!(figures(&drafted), figures(&afresh), "{name}, {position:?}");
            game.draws(&position, &mut draws);
            open.extend(draws.iter().map(|(to, _)| *to));
            game.moves(&position, &mut moves);
            open.extend(moves.iter().map(|mv| game.play(&position, *mv).to));
        }
        assert!((1_000..3_000).contains(&met.len()), "{}", met.len());
    }
}

#[test]
fn signatures_do_not_depend_on_threads() {
    let variant = Variant::parse("bag-signal-2x2:choice=3").unwrap();
    let signature = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build()
            .unwrap()
            .install(|| task(&variant, Product::Signature).signature)
    };
    assert_eq!(signature(1), signature(4));
}

/// All that is known of an all-draw start (RULES of the bag game: on the empty board only red can be
/// played).
#[test]
fn facts_that_hold_by_the_rules() {
    let game = bag("bag-classic-2x3");
    let values: OddsValues = chance::solve_odds(&game, Retention::All, &Silent)
        .unwrap()
        .0;
    let odds = |text: &str| {
        let position = game.parse_position(text).unwrap();
        match game.ending(&position) {
            Some(ending) => Odds::of_ending(&ending),
            None => values.odds(game.index(&position)).unwrap(),
        }
    };
    assert_eq!(
        odds(".../...;YYG;GGG;RR"),
        Odds::DRAWN,
        "nobody holds a red"
    );
    // Three greens cannot move before some square shows yellow: the turn is missed.
    let missed = odds(".../...;GGG;RYG;RR");
    let turned = odds(".../...;RYG;GGG;RR");
    assert_eq!(missed.expectation, -turned.expectation);
    assert_eq!((missed.win, missed.loss), (turned.loss, turned.win));
    // A line at hand wins at once.
    assert_eq!(odds("RR./...;RYY;GGG;RR").win, 1.0);
    // If a player sees two of the hands swapped, the odds are others: the game is not impartial.
    assert_ne!(odds(".../...;RRR;YYG;RR"), odds(".../...;RYY;RRG;RR"));
}

// Plies without a draw or a play after which play is cut off as a draw: more than there are positions
// that strip moves and missed turns lead to from each other.
const CUT_OFF: u32 = 20;

/// Expectations over a strip, from the moves alone, with endless play cut off.
struct CutOff<'g> {
    game: &'g BagGame<StripGame>,
    known: HashMap<(<BagGame<StripGame> as Game>::Position, u32), f64>,
}

impl CutOff<'_> {
    fn expectation(&mut self, position: &<BagGame<StripGame> as Game>::Position, left: u32) -> f64 {
        if let Some(ending) = self.game.ending(position) {
            return Odds::of_ending(&ending).expectation;
        }
        if left == 0 {
            return 0.0;
        }
        if let Some(known) = self.known.get(&(*position, left)) {
            return *known;
        }
        let (mut moves, mut draws) = (Vec::new(), Vec::new());
        self.game.draws(position, &mut draws);
        self.game.moves(position, &mut moves);
        let expectation = if draws.is_empty() {
            let here = self.game.board_of(position).0.level_sum();
            let worth = moves.into_iter().map(|mv| {
                let edge = self.game.play(position, mv);
                let same = self.game.board_of(&edge.to).0.level_sum() == here;
                let turn = edge.to.stage == Stage::Turn;
                let left = if same && turn { left - 1 } else { CUT_OFF };
                let below = self.expectation(&edge.to, left);
                if edge.keeps_turn { below } else { -below }
            });
            worth.fold(f64::NEG_INFINITY, f64::max)
        } else {
            let total: u32 = draws.iter().map(|(_, weight)| weight).sum();
            let sum: f64 = draws
                .iter()
                .map(|(to, weight)| f64::from(*weight) * self.expectation(to, CUT_OFF))
                .sum();
            sum / f64::from(total)
        };
        self.known.insert((*position, left), expectation);
        expectation
    }
}

#[test]
fn strips_that_slide_agree_with_play_that_is_cut_off() {
    for (slide, choice) in [("any-turn", 2), ("stuck", 3), ("never", 2)] {
        let text = format!(
            "play = 'points'\npatterns = {{ 111 = 1, 222 = 5, 333 = 2, 123 = 3 }}\n\
             board.size = '2x2'\nstrip = {{ turn = 'no', repeat = 'ban' }}\n\
             bag = {{ counters = 5, slide = '{slide}', choice = {choice} }}"
        );
        let file = RuleFile::parse("small-slider.toml", &text).unwrap();
        let Variant::BagStrip(game) = &file.variant else {
            panic!("{:?}", file.variant)
        };
        let (values, _) = chance::solve_odds(game, Retention::All, &Silent).unwrap();
        let mut reference = CutOff {
            game,
            known: HashMap::new(),
        };
        let late = |position: &_| game.board_of(position).0.level_sum() >= 12;
        let sample = PositionSample::of_indices(game, 5, if SLOW { 40_000 } else { 8_000 });
        let mut checked = 0;
        for position in sample.positions.iter().filter(|position| late(position)) {
            if game.ending(position).is_some() {
                continue;
            }
            let exact = reference.expectation(position, CUT_OFF);
            let found = values.odds(game.index(position)).unwrap().expectation;
            let text = game.position_text(position);
            assert!(
                (exact - found).abs() < 1e-12,
                "{slide} {text}: {exact}, {found}"
            );
            checked += 1;
        }
        assert!(checked > if SLOW { 100 } else { 20 }, "{slide}: {checked}");
    }
}
