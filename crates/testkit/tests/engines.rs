//! The engines, the tables and their verification against the slow reference: on every position of
//! all boards of nine squares, and on seeded positions of each board of twelve.
//!
//! Of twelve squares the reference needs everything above a position, so the quick test keeps to
//! positions of late tiers; `--features slow-tests` takes them from everywhere.

use std::path::Path;

use greenwave_game::{
    Colours, Dense, DenseValues, Figures, Game, Metric, Progress, Variant, catalogue,
};
use greenwave_probe::{TableValues, answer, load, rank, verify};
use greenwave_solver::{Search, Silent, solve, summarise, write_table};
use greenwave_table::Table;
use greenwave_testkit::{Reference, Sample};
use rayon::prelude::*;

const SEED: u64 = 0x5eed;

// Positions of each sample that are asked from the table one by one.
const PROBES: usize = 300;

// What the catalogue leaves out: every option in company with others, and small boards of all kinds.
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
    let of_nine = |name: &&str| cells(name) == 9 && progress(name) == Progress::Rises;
    catalogue().iter().copied().filter(of_nine)
}

fn parsed(name: &str) -> Variant {
    Variant::parse(name).unwrap_or_else(|error| panic!("{error}"))
}

fn cells(name: &str) -> u32 {
    parsed(name).rules().cells
}

fn progress(name: &str) -> Progress {
    parsed(name).rules().properties.progress
}

// The figures that a metric holds.
fn part(figures: Figures, metric: Metric) -> Figures {
    let none = Figures::default();
    match metric {
        Metric::Value => Figures {
            value: figures.value,
            ..none
        },
        Metric::Distance => Figures {
            value: figures.value,
            distance: figures.distance,
            ..none
        },
        Metric::Points => Figures {
            value: figures.value,
            points: figures.points,
            ..none
        },
        Metric::Nimber => Figures {
            nimber: figures.nimber,
            ..none
        },
        Metric::Odds => Figures {
            odds: figures.odds,
            ..none
        },
    }
}

/// Compares with the reference, over a sample: the values of the backward engine, those of the
/// forward search, those read back from a table, and the answers made of them; then verifies the
/// table.
struct Trial<'a, G: Game> {
    game: &'a G,
    variant: &'a Variant,
    sample: &'a Sample<G::Position>,
    truth: Vec<Figures>,
    metrics: &'a [Metric],
    // How many positions the forward search gets, and whether a table is written.
    searched: usize,
    folder: Option<&'a Path>,
}

impl<G: Dense> Trial<'_, G> {
    fn run(&self) {
        for metric in self.metrics.iter().copied() {
            let values = match solve(self.variant, metric, u64::MAX, &Silent) {
                Ok(values) => values,
                Err(error) => panic!("{error}"),
            };
            self.backward(metric, &values);
            if let Some(folder) = self.folder {
                self.table(folder, metric, &values);
            }
        }
        self.forward();
    }

    // The first `most` positions.
    fn compare(
        &self,
        what: &str,
        metric: Metric,
        most: usize,
        found: impl Fn(&G::Position) -> Figures + Sync,
    ) {
        let wrong = self
            .sample
            .positions
            .par_iter()
            .zip(&self.truth)
            .take(most)
            .find_first(|(position, truth)| found(position) != part(**truth, metric));
        if let Some((position, truth)) = wrong {
            panic!(
                "{} {metric}: {what} has {:?} at {} (seed {:#x}), the reference {:?}",
                self.game.rules().name,
                found(position),
                self.game.position_text(position, Colours::Ryg),
                self.sample.seed,
                part(*truth, metric)
            );
        }
    }

    fn backward(&self, metric: Metric, values: &DenseValues) {
        self.compare("the backward engine", metric, usize::MAX, |position| {
            values.figures(self.game.index(position))
        });
    }

    fn forward(&self) {
        let metric = self.game.rules().default_metric;
        let search = Search::new(self.game, 1 << 30).expect("a game without chance");
        self.compare("the forward search", metric, self.searched, |position| {
            search.exact(position).expect("positions never repeat")
        });
    }

    fn table(&self, folder: &Path, metric: Metric, values: &DenseValues) {
        let name = format!("{}-{metric}.gwt", self.game.rules().slug());
        let path = folder.join(name);
        let summary = summarise(self.game, values);
        write_table(self.game, values, &summary, &path, &Silent).expect("a table is written");
        let table = Table::open(&path).expect("the table is opened");
        let source = TableValues::new(self.game, &table).expect("the table is of this game");
        let loaded = load(&source, self.game).expect("the table is read");
        self.compare("the table", metric, usize::MAX, |position| {
            loaded.figures(self.game.index(position))
        });
        // A probe works out which positions of its leaf are packed; so only some are made.
        let (game, positions) = (self.game, &self.sample.positions);
        let step = positions.len() / PROBES + 1;
        let probed = positions.par_iter().zip(&self.truth).step_by(step);
        probed.for_each(|(position, truth)| {
            let text = || game.position_text(position, Colours::Ryg);
            let answer = answer(game, position, &source).expect("the table is read");
            assert_eq!(answer.figures, part(*truth, metric), "{}", text());
            let sorted = answer.moves.is_sorted_by_key(|mv| rank(&mv.figures));
            assert!(sorted, "{}", text());
            if let Some(best) = answer.moves.first().filter(|_| metric != Metric::Nimber) {
                assert_eq!(answer.figures, best.figures, "{}", text());
            }
        });
        let verified = verify(&source, self.game, &|_| ()).expect("the table is sound");
        assert_eq!(verified.mismatches, 0, "{path:?}: {:?}", verified.first);
        assert_eq!(verified.positions, table.meta().packed);
        std::fs::remove_file(&path).expect("the table is removed");
    }
}

fn truth<G: Game>(game: &G, sample: &Sample<G::Position>) -> Vec<Figures> {
    let mut reference = Reference::new(game).expect("no chance, no repetition");
    sample
        .positions
        .iter()
        .map(|position| reference.figures(position))
        .collect()
}

fn every_position(name: &str) {
    let variant = parsed(name);
    let Variant::Board(game) = &variant else {
        panic!("{name} is a board")
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let sample = Sample::of_all(game);
    Trial {
        game,
        variant: &variant,
        truth: truth(game, &sample),
        sample: &sample,
        metrics: &game.rules().metrics,
        searched: usize::MAX,
        folder: Some(folder.path()),
    }
    .run();
}

#[test]
fn all_positions_of_nine_squares() {
    assert!(nine_squares().count() >= 8);
    nine_squares().for_each(every_position);
}

#[test]
fn all_positions_of_other_small_boards() {
    SMALL.iter().copied().for_each(every_position);
}

/// `count` unfinished positions with random indices, of this tier or later ones.
fn late<G: Dense>(game: &G, tier: u32, count: usize) -> Sample<G::Position> {
    let mut sample = Sample::of_indices(game, SEED, 40 * count);
    sample
        .positions
        .retain(|position| game.tier(position).0 >= tier && game.ending(position).is_none());
    assert!(
        sample.positions.len() >= count,
        "only {}",
        sample.positions.len()
    );
    sample.positions.truncate(count);
    sample
}

fn twelve_squares() -> impl Iterator<Item = &'static str> {
    let of_twelve = |name: &&str| cells(name) == 12 && progress(name) == Progress::Rises;
    catalogue().iter().copied().filter(of_twelve)
}

#[cfg(not(feature = "slow-tests"))]
#[test]
fn late_positions_of_twelve_squares() {
    assert!(twelve_squares().count() >= 7);
    for name in twelve_squares() {
        let t = std::time::Instant::now();
        let variant = parsed(name);
        let Variant::Board(game) = &variant else {
            panic!("{name} is a board")
        };
        let sample = late(game, 22, 100_000);
        let folder = tempfile::tempdir().expect("a temporary folder");
        eprintln!("{name} sampled {:?}", t.elapsed());
        let truth = truth(game, &sample);
        eprintln!("{name} truth {:?}", t.elapsed());
        Trial {
            game,
            variant: &variant,
            truth,
            sample: &sample,
            metrics: &[game.rules().default_metric],
            searched: 10_000,
            folder: (name == "classic-3x4").then_some(folder.path()),
        }
        .run();
        eprintln!("{name} done {:?}", t.elapsed());
    }
}

#[cfg(feature = "slow-tests")]
#[test]
fn positions_of_twelve_squares() {
    for name in twelve_squares() {
        let variant = parsed(name);
        let Variant::Board(game) = &variant else {
            panic!("{name} is a board")
        };
        let sample =
            Sample::of_games(game, SEED, 200_000).and(Sample::of_indices(game, SEED, 800_000));
        let folder = tempfile::tempdir().expect("a temporary folder");
        Trial {
            game,
            variant: &variant,
            truth: truth(game, &sample),
            sample: &sample,
            metrics: &game.rules().metrics,
            searched: 100_000,
            folder: Some(folder.path()),
        }
        .run();
    }
}
