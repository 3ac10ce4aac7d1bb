//! The engines, the tables and their verification against the slow reference: on every position of
//! all boards of nine squares, and on seeded positions of each board of twelve.
//!
//! Of twelve squares the reference needs everything above a position, so the quick tests take boards of
//! ten in their place and keep to late tiers; `--features slow-tests` takes positions from everywhere.

use greenwave_game::RuleFile;
use greenwave_game::{
    Advance, BoardGame, BoardRules, CUSTOM, Dense, Figures, Game, Metric, Shape, Sides, StripGame,
    StripPosition, StripRules, Succession, Variant, catalogue,
};
use greenwave_probe::{answer, rank, verify};
use greenwave_solver::{
    Search, loopy, plain, solve, sweep, sweep::Kernel, sweep::Options, sweep::Plan, sweep::Skip,
};
use greenwave_table::Table;
use greenwave_testkit::{Graph, PositionSample, Reference, held_by, laws};
use greenwave_values::{Silent, TableValues, Values, summarise, write_table};
use rayon::prelude::*;

const SEED: u64 = 0x5eed;

const SLOW: bool = cfg!(feature = "slow-tests");

// Positions of each sample that are read from the table one by one, with all positions after their
// moves; the loaded table is compared at every one.
const PROBES: usize = if SLOW { 60 } else { 10 };

// Boards of which the quick tests too write tables of many leaves: one for each way of packing and
// each kind of value.
const TABLES: &[&str] = &[
    "classic-2x5",
    "points-2x5",
    "classic-2x5:play=misere",
    "classic-2x5:supply=cap7",
];

// What the catalogue leaves out: every option in company with others, and small boards of all kinds; the
// quick tests have those of nine squares with eight, and the catalogue's with nine.
const SMALL: &[&str] = &[
    "signal-3x3:play=misere",
    "green-3x3:play=misere",
    "green-3x3:supply=cap4,stalemate=loss",
    "signal-3x3:supply=pool5,stalemate=loss",
    "classic-3x3:play=misere,supply=cap3,stalemate=pass",
    "points-3x3:end=play-on",
    "points-3x3:supply=pool7,end=play-on,four=once",
    "points-3x3:supply=cap3",
    "points-3x3:score=win",
    "points-1x8:four=once",
    "points-1x8:end=play-on,four=once",
    "classic-2x4",
    "signal-4x2:play=misere",
    "green-1x7:supply=pool5",
    "classic-2x2",
    "signal-1x1",
];

fn nine_squares() -> impl Iterator<Item = &'static str> {
    let of_nine = |name: &&str| cells(name) == 9 && advance(name) == Advance::Rises;
    catalogue().iter().copied().filter(of_nine)
}

fn parsed(name: &str) -> Variant {
    Variant::parse(name).unwrap_or_else(|error| panic!("{error}"))
}

fn cells(name: &str) -> u32 {
    parsed(name).rules().cells
}

fn advance(name: &str) -> Advance {
    parsed(name).rules().properties.advance
}

/// Compares with the reference, over a sample: the values of the backward engines, those of the
/// forward search, those read back from a table, and the answers made of them; then verifies the
/// table.
struct Trial<'a, G: Game> {
    game: &'a G,
    sample: &'a PositionSample<G::Position>,
    truth: &'a [Figures],
    // Indices of those that are unfinished: no engine keeps values of the others.
    unfinished: Vec<Option<u64>>,
}

/// A whole solution and the engine that it comes from.
struct Solved {
    engine: &'static str,
    values: Values,
}

impl<'a, G: Dense> Trial<'a, G> {
    fn new(
        game: &'a G,
        sample: &'a PositionSample<G::Position>,
        truth: &'a [Figures],
    ) -> Trial<'a, G> {
        let index = |position: &G::Position| {
            let ended = game.ending(position).is_some();
            (!ended).then(|| game.index(position))
        };
        Trial {
            game,
            sample,
            truth,
            unfinished: sample.positions.iter().map(index).collect(),
        }
    }

    // `most` positions at most, evenly over the sample: the first of a board have its last squares empty.
    fn compare(
        &self,
        what: &str,
        metric: Metric,
        most: usize,
        found: impl Fn(&G::Position) -> Figures + Sync,
    ) {
        let step = self.sample.positions.len() / most + 1;
        let positions = self.sample.positions.par_iter().zip(self.truth);
        let positions = positions.step_by(step);
        let wrong = positions
            .into_par_iter()
            .find_first(|(position, truth)| found(position) != held_by(metric, **truth));
        if let Some((position, _)) = wrong {
            self.told(what, metric, position, found(position));
        }
    }

    fn backward(&self, solved: &Solved) {
        self.stored(solved.engine, &solved.values);
    }

    // Values as they are stored, by index.
    fn stored(&self, what: &str, values: &Values) {
        let metric = values.metric();
        let listed = self.unfinished.par_iter().zip(self.truth).enumerate();
        let wrong = listed.into_par_iter().find_first(|(_, (index, truth))| {
            let found = index.map(|index| values.figures(index));
            found.is_some_and(|found| found != held_by(metric, **truth))
        });
        if let Some((number, _)) = wrong {
            let position = &self.sample.positions[number];
            self.told(
                what,
                metric,
                position,
                values.figures_of(self.game, position),
            );
        }
    }

    fn told(&self, what: &str, metric: Metric, position: &G::Position, found: Figures) -> ! {
        let place = self.sample.positions.iter().position(|at| at == position);
        panic!(
            "{} {metric}: {what} has {found:?} at {} (seed {:#x}), the reference {:?}",
            self.game.rules().name,
            self.game.position_text(position),
            self.sample.seed,
            place.map(|place| held_by(metric, self.truth[place]))
        );
    }

    fn forward(&self, most: usize) {
        let metric = self.game.rules().default_metric;
        let search = Search::new(self.game, 1 << 30).expect("a game without chance");
        self.compare("the forward search", metric, most, |position| {
            search.exact(position).expect("positions never repeat")
        });
    }

    fn table(&self, solved: &Solved) {
        let values = &solved.values;
        let metric = values.metric();
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("table.gwt");
        let summary = summarise(self.game, values);
        write_table(self.game, values, &summary, &path, &Silent).expect("a table is written");
        let table = Table::open(&path).expect("the table is opened");
        let source = TableValues::new(self.game, &table).expect("the table is of this game");
        let loaded = source.load().expect("the table is read");
        self.stored("the table", &loaded);
        // A probe works out which positions of its leaf are packed; so only some are made.
        let (game, positions) = (self.game, &self.sample.positions);
        let step = positions.len() / PROBES + 1;
        let probed = positions.par_iter().zip(self.truth).step_by(step);
        probed.for_each(|(position, truth)| {
            let text = || game.position_text(position);
            let answer = answer(game, position, &source).expect("the table is read");
            // Beside values the rules tell some distances.
            let held = held_by(metric, *truth);
            let distance = answer.figures.distance;
            let without = Figures {
                distance: held.distance,
                ..answer.figures
            };
            assert_eq!(without, held, "{}", text());
            assert!(
                distance.is_none() || distance == truth.distance,
                "{}",
                text()
            );
            let sorted = answer.moves.is_sorted_by_key(|mv| rank(&mv.figures));
            assert!(sorted, "{}", text());
            if let Some(best) = answer.moves.first().filter(|_| metric != Metric::Nimber) {
                assert_eq!(answer.figures, best.figures, "{}", text());
            }
        });
        let verified = verify(&source, self.game, &|_| ()).expect("the table is sound");
        let name = &self.game.rules().name;
        assert_eq!(
            verified.mismatches, 0,
            "{name} {metric}: {:?}",
            verified.first
        );
        assert_eq!(verified.positions, table.meta().packed, "{name} {metric}");
    }
}

fn truth<G: Game>(game: &G, sample: &PositionSample<G::Position>) -> Vec<Figures> {
    let mut reference = Reference::new(game).expect("no chance, no repetition");
    sample
        .positions
        .iter()
        .map(|position| reference.figures(position))
        .collect()
}

fn solved(variant: &Variant, metric: Metric) -> Solved {
    let values = solve(variant, metric, u64::MAX, &Silent);
    Solved {
        engine: "the engine of choice",
        values: values.unwrap_or_else(|error| panic!("{error}")),
    }
}

// The sweep with every set of instructions that this machine has, and without skipping.
fn swept(game: &BoardGame, metric: Metric) -> Vec<Solved> {
    let kernels = Kernel::ALL
        .into_iter()
        .filter(|kernel| kernel.is_supported());
    let options = kernels.map(|kernel| (kernel, Skip::Decided));
    options
        .chain([(Kernel::Portable, Skip::Nothing)])
        .filter_map(|(kernel, skip)| {
            let options = Options {
                kernel,
                skip,
                leaves: true,
                ..Options::default()
            };
            let plan = Plan::new(game, metric, options)?;
            let values = sweep::solve_densely(&plan, &Silent);
            Some(Solved {
                engine: kernel.name(),
                values: values.unwrap_or_else(|error| panic!("{error}")).into(),
            })
        })
        .collect()
}

fn plainly<G: Dense>(game: &G, metric: Metric) -> Solved {
    let values = plain::solve(game, metric, &Silent);
    Solved {
        engine: "the plain engine",
        values: values.unwrap_or_else(|error| panic!("{error}")).into(),
    }
}

fn loopily<G: Dense>(game: &G, metric: Metric) -> Solved {
    let solution = loopy::solve(game, metric, &Silent);
    Solved {
        engine: "retrograde analysis",
        values: solution
            .unwrap_or_else(|error| panic!("{error}"))
            .values
            .into(),
    }
}

fn board(name: &str) -> BoardGame {
    BoardGame::named(name).unwrap()
}

fn strip(name: &str) -> StripGame {
    StripGame::named(name).unwrap()
}

// Every engine on every position in every metric; of the forward search `searched` at most.
fn every_position(name: &str, searched: usize) {
    let variant = parsed(name);
    if let Some(game) = variant.as_board() {
        every_position_of(game, &variant, searched, |metric| swept(game, metric));
    } else if let Some(game) = variant.as_noughts() {
        every_position_of(game, &variant, searched, |_| Vec::new());
    } else {
        panic!("{name} has positions that can repeat, or chance");
    }
}

fn every_position_of<G: Dense>(
    game: &G,
    variant: &Variant,
    searched: usize,
    swept: impl Fn(Metric) -> Vec<Solved>,
) {
    let sample = &PositionSample::of_all(game);
    let truth = &truth(game, sample);
    let trial = Trial::new(game, sample, truth);
    for metric in game.rules().metrics.iter().copied() {
        let chosen = solved(variant, metric);
        trial.compare(chosen.engine, metric, usize::MAX, |position| {
            chosen.values.figures_of(game, position)
        });
        trial.table(&chosen);
        let swept = swept(metric);
        swept.iter().for_each(|swept| trial.backward(swept));
        trial.backward(&plainly(game, metric));
        if metric != Metric::Nimber && (SLOW || game.rules().cells < 9) {
            trial.backward(&loopily(game, metric));
        }
    }
    trial.forward(searched);
}

#[test]
fn all_positions_of_nine_squares() {
    assert!(nine_squares().count() >= 8);
    for name in nine_squares() {
        every_position(name, if SLOW { usize::MAX } else { 4_000 });
    }
}

#[test]
fn all_positions_of_other_small_boards() {
    for name in SMALL {
        if SLOW {
            every_position(name, usize::MAX)
        } else {
            every_position(&name.replace("-3x3", "-2x4"), 4_000)
        }
    }
}

// Boards whose lines, tops and beginnings rule files describe: each key by itself and some together, in
// every way of ending.
const WRITTEN: &[&str] = &[
    "patterns = ['111', '222', '333']\nboard = { size = '2x4', directions = ['rank'] }",
    "patterns = ['111', '222', '333', '123']\nboard = { size = '2x4', wrap = 'files' }",
    "patterns = ['11', '22', '33']\nplay = 'misere'\nboard = { size = '2x4', line-length = 2, wrap = 'both' }",
    "patterns = { 111 = 1, 222 = 5, 123 = 3 }\nplay = 'points'\nboard = { size = '1x6', wrap = 'files' }",
    "patterns = { 111 = 1, 222 = 5 }\nplay = 'points'\nend = 'play-on'\nfour = 'once'\nboard = { size = '1x6', wrap = 'files' }",
    "patterns = ['111', '222', '333']\nboard = { size = '2x4', directions = [], shapes = ['##/##', '##/#-'] }",
    "patterns = { 111 = 2, 123 = 3 }\nplay = 'points'\nboard = { size = '2x3', shapes = ['##/#-'], shapes-turn = false }",
    "patterns = ['111', '222', '333']\nboard = { size = '3x3', grid = 'hex', levels = 3, top = '133/333/331' }",
    "patterns = ['111', '222', '333']\nboard = { size = '2x4', top = '3133/2303' }",
    "patterns = ['111', '222', '333']\nstalemate = 'loss'\nsupply = 'cap3'\nboard = { size = '2x4', top = '3133/2303' }",
    "patterns = ['111', '222', '333']\nstart = '.R../..Y.'\nnot-first = ['a1', 'd2']\nboard.size = '2x4'",
    "patterns = { 11 = 2, 22 = 3 }\nplay = 'points'\nend = 'play-on'\nfour = 'once'\nstart = 'RR../.Y..'\nboard = { size = '2x4', line-length = 2, levels = 2 }",
    "patterns = ['11', '22']\nnot-first = ['a1']\nboard = { size = '2x3', line-length = 2, levels = 2 }",
    "patterns = ['111', '222', '333']\nnot-first = ['a1', 'b1', 'c1']\nstalemate = 'loss'\nboard.size = '1x3'",
];

#[test]
fn all_positions_of_boards_that_rule_files_describe() {
    for text in WRITTEN {
        let file =
            RuleFile::parse("written.toml", text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let variant = file.variant;
        let game = variant.as_board().unwrap();
        every_position_of(
            game,
            &variant,
            if SLOW { usize::MAX } else { 2_000 },
            |metric| swept(game, metric),
        );
    }
}

// Games that remember more than the board: each key by itself and some together.
const REMEMBERING: &[&str] = &[
    "patterns = ['111', '222', '333']\nlast-square = 'forbidden'\nboard.size = '2x3'",
    "patterns = ['111', '222', '123']\nlast-square = 'neighbours'\nplay = 'misere'\nboard = { size = '2x3', wrap = 'files' }",
    "patterns = ['111', '222']\nlast-square = 'elsewhere'\nstart = 'R..../.....'\nboard = { size = '2x5', levels = 2, grid = 'hex' }",
    "patterns = ['111', '222']\npass = 'free'\nstalemate = 'loss'\nboard = { size = '2x4', levels = 2 }",
    "patterns = ['111', '222']\npass = 'once'\nlast-square = 'forbidden'\nboard = { size = '2x3', levels = 2 }",
    "patterns = ['111', '222']\nmoves-a-turn = 2\nboard = { size = '2x4', levels = 2 }",
    "patterns = { 111 = 1, 222 = 5 }\nplay = 'points'\nend = 'play-on'\nmoves-a-turn = '1-2-2'\nsupply = 'pool5'\nboard = { size = '2x4', levels = 2 }",
    "patterns = ['111']\nmoves-a-turn = '1-2-2'\nplay = 'misere'\nstalemate = 'loss'\nsupply = 'cap5'\nboard = { size = '2x4', levels = 1 }",
    "patterns = ['111', '222', '333']\nmay = { first = [1, 2], second = [2, 3] }\nstalemate = 'loss'\nboard.size = '2x3'",
    "patterns = ['111', '222']\nmay = { first = [1], second = [1, 2] }\npass = 'free'\nswap = true\nboard = { size = '2x3', levels = 2 }",
    "goal = { first = ['111'], second = ['222'] }\npass = 'once'\nswap = true\nboard = { size = '2x3', levels = 2 }",
    "goal = { first = ['112'], second = ['111', '122'] }\nmoves-a-turn = 2\nplay = 'misere'\nboard = { size = '2x3', levels = 2 }",
    "patterns = ['111', '222', '333']\nswap = true\nnot-first = ['b1']\nboard.size = '2x3'",
    "patterns = { 1 = 2, 2 = 3 }\nplay = 'points'\nend = 'play-on'\nswap = true\nboard = { size = '2x3', line-length = 1, levels = 2 }",
    "patterns = { 11 = 2, 22 = 3 }\nplay = 'points'\nend = 'play-on'\nswap = true\nstart = 'RR./...'\nboard = { size = '2x3', line-length = 2, levels = 2 }",
    "patterns = ['11', '22']\nwin-lines = 2\nswap = true\nstart = 'RR./...'\nboard = { size = '2x3', line-length = 2, levels = 2 }",
    "patterns = ['11', '22']\nwin-lines = 3\nboard = { size = '2x3', line-length = 2, levels = 2 }",
    "goal = { first = ['11'], second = ['22', '12'] }\nwin-lines = 2\nplay = 'misere'\npass = 'free'\nboard = { size = '2x3', line-length = 2, levels = 2 }",
    "patterns = ['11']\nwin-lines = 4\nmoves-a-turn = '1-2-2'\nlast-square = 'elsewhere'\nswap = true\nboard = { size = '2x3', line-length = 2, levels = 1 }",
];

#[test]
fn all_positions_of_games_with_a_memory() {
    for text in REMEMBERING {
        let file =
            RuleFile::parse("kept.toml", text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let variant = file.variant;
        let game = variant.as_memory().unwrap_or_else(|| panic!("{text}"));
        assert_eq!(laws::of_rule_file(&variant), []);
        every_position_of(game, &variant, 500, |_| Vec::new());
    }
}

/// Boards of twelve squares, in the quick tests of ten with the same rules.
fn larger_boards() -> impl Iterator<Item = String> {
    let of_twelve = |name: &&str| cells(name) == 12 && parsed(name).as_board().is_some();
    let twelve = catalogue().iter().copied().filter(of_twelve);
    twelve.map(|name| {
        if SLOW {
            name.to_string()
        } else {
            name.replace("-3x4", "-2x5")
        }
    })
}

/// Unfinished positions with random indices, `count` of them or fifty times as many in the slow tests, of a
/// tier or later ones: the reference needs everything above a position.
fn seeded<G: Dense>(game: &G, tier: u32, count: usize) -> PositionSample<G::Position> {
    let mut sample = PositionSample::of_indices(game, SEED, if SLOW { 4_000_000 } else { 200_000 });
    sample
        .positions
        .retain(|position| game.tier(position).0 >= tier && game.ending(position).is_none());
    let found = sample.positions.len();
    assert!(
        found >= count,
        "only {found} positions of {}",
        game.rules().name
    );
    sample
        .positions
        .truncate(if SLOW { 50 * count } else { count });
    sample
}

#[test]
fn seeded_positions_of_larger_boards() {
    assert!(larger_boards().count() >= 7);
    for name in &larger_boards().collect::<Vec<_>>() {
        let game = &board(name);
        let (tier, count) = if SLOW { (0, 20_000) } else { (18, 2_000) };
        let sample = &seeded(game, tier, count);
        let truth = &truth(game, sample);
        let trial = Trial::new(game, sample, truth);
        for metric in game.rules().metrics.iter().copied() {
            if !SLOW && metric != game.rules().default_metric {
                continue;
            }
            let chosen = solved(&parsed(name), metric);
            trial.backward(&chosen);
            if SLOW || TABLES.contains(&name.as_str()) {
                trial.table(&chosen);
            }
            if SLOW {
                let swept = swept(game, metric);
                swept.iter().for_each(|swept| trial.backward(swept));
                trial.backward(&plainly(game, metric));
            }
        }
        // Play that goes on after a line gives the search little to cut off.
        let searched = if name.contains("play-on") {
            1_000
        } else {
            3_000
        };
        trial.forward(if SLOW { 30 * searched } else { searched });
    }
}

// A main board of two ranks and files with a strip of two squares: six squares, lines of three.
fn tiny(name: &str, succession: Succession, sides: Sides, turns: bool) -> StripGame {
    let main = BoardRules {
        shape: Shape::rectangle(2, 2).expect("four squares"),
        ..strip("strip").strip().main.clone()
    };
    let rules = StripRules {
        main,
        turns,
        sides,
        null_moves: true,
        empty_moves: true,
        succession,
    };
    StripGame::new(name.into(), &CUSTOM, Vec::new(), rules).expect("a strip game")
}

// All positions at all sides, not only those of the index.
fn at_every_side(game: &StripGame) -> Vec<StripPosition> {
    let positions = PositionSample::of_all(game).positions;
    let turned = |position: &StripPosition| {
        let images = (0..4).map(|turn| game.image(position, turn));
        images.collect::<Vec<_>>()
    };
    positions.iter().flat_map(turned).collect()
}

#[test]
fn all_positions_of_tiny_strip_games() {
    let (mut endless, mut drawn) = (0, 0);
    for (sides, turns) in [
        (Sides::Any, true),
        (Sides::Any, false),
        (Sides::Adjacent, true),
    ] {
        let free = tiny("free", Succession::Free, sides, turns);
        let positions = at_every_side(&free);
        let graph = Graph::below(&free, positions.iter().copied(), usize::MAX);
        let graph = graph.expect("no chance, no points");
        let solution = loopy::solve(&free, Metric::Distance, &Silent);
        let solution = solution.unwrap_or_else(|error| panic!("{error}"));
        for position in &positions {
            let verdict = graph.verdict(position).expect("a root");
            let index = free.index(position);
            let text = || free.position_text(position);
            if free.ending(position).is_none() {
                assert_eq!(
                    solution.values.figures(index),
                    verdict.figures(),
                    "{}",
                    text()
                );
                assert_eq!(
                    solution.endless.contains(index),
                    verdict.endless,
                    "{}",
                    text()
                );
            }
            endless += u32::from(verdict.endless);
        }
        // Where strip moves may not follow each other, both references apply.
        let barred = tiny("barred", Succession::Barred, sides, turns);
        let positions = at_every_side(&barred);
        let graph = Graph::below(&barred, positions.iter().copied(), usize::MAX);
        let graph = graph.expect("no chance, no points");
        let mut reference = Reference::new(&barred).expect("no repetition");
        let values = loopily(&barred, Metric::Distance).values;
        for position in &positions {
            let verdict = graph.verdict(position).expect("a root");
            let text = || barred.position_text(position);
            assert!(!verdict.endless, "{}", text());
            assert_eq!(reference.figures(position), verdict.figures(), "{}", text());
            if barred.ending(position).is_none() {
                let found = values.figures(barred.index(position));
                assert_eq!(found, verdict.figures(), "{}", text());
                drawn += u32::from(verdict.distance.is_none());
            }
        }
    }
    assert!(
        endless > 1000,
        "only {endless} positions are drawn by endless play"
    );
    assert_eq!(drawn, 0, "without endless play the last line decides");
}
