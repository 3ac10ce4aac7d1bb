//! The engines, the tables and their verification against the slow reference: on every position of
//! all boards of nine squares, and on a seeded sample of each board of twelve.

use std::path::Path;

use greenwave_game::{
    Colours, Dense, DenseValues, Figures, Game, Metric, Progress, ValueSource, Variant, catalogue,
};
use greenwave_probe::{TableValues, answer, rank, verify};
use greenwave_solver::{Search, Silent, SolveError, solve, summarise, write_table};
use greenwave_table::Table;
use greenwave_testkit::{Graph, Reference, Sample};
use rayon::prelude::*;

const SEED: u64 = 0x5eed;

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
    searched: bool,
    folder: &'a Path,
}

impl<G: Dense> Trial<'_, G> {
    fn run(&self) {
        for metric in self.game.rules().metrics.clone() {
            let values = match solve(self.variant, metric, u64::MAX, &Silent) {
                Ok(values) => values,
                Err(error) => panic!("{error}"),
            };
            self.backward(metric, &values);
            self.table(metric, &values);
        }
        if self.searched {
            self.forward();
        }
    }

    fn compare(&self, what: &str, metric: Metric, found: impl Fn(&G::Position) -> Figures + Sync) {
        let wrong = self
            .sample
            .positions
            .par_iter()
            .zip(&self.truth)
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
        self.compare("the backward engine", metric, |position| {
            values.figures(self.game.index(position))
        });
    }

    fn forward(&self) {
        let metric = self.game.rules().default_metric;
        let search = Search::new(self.game, 1 << 30).expect("a game without chance");
        self.compare("the forward search", metric, |position| {
            search.exact(position).expect("positions never repeat")
        });
    }

    fn table(&self, metric: Metric, values: &DenseValues) {
        let name = format!("{}-{metric}.gwt", self.game.rules().slug());
        let path = self.folder.join(name);
        let summary = summarise(self.game, values);
        write_table(self.game, values, &summary, &path, &Silent).expect("a table is written");
        let table = Table::open(&path).expect("the table is opened");
        let source = TableValues::new(self.game, &table).expect("the table is of this game");
        let figures = |position: &G::Position| match source.figures(position) {
            Ok(figures) => figures,
            Err(error) => panic!("{error}"),
        };
        self.compare("the table", metric, figures);
        let (game, positions) = (self.game, &self.sample.positions);
        positions.par_iter().step_by(97).for_each(|position| {
            let text = || game.position_text(position, Colours::Ryg);
            let answer = answer(game, position, &source).expect("the table is read");
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
    let figures = sample
        .positions
        .iter()
        .map(|position| reference.figures(position))
        .collect();
    eprintln!(
        "{}: {} reference positions",
        game.rules().name,
        reference.positions()
    );
    figures
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
        searched: true,
        folder: folder.path(),
    }
    .run();
}

#[test]
fn all_positions_of_nine_squares() {
    assert!(nine_squares().count() >= 8);
    nine_squares().for_each(|n| {
        let t = std::time::Instant::now();
        every_position(n);
        eprintln!("{n} {:?}", t.elapsed())
    });
}

#[test]
fn all_positions_of_other_small_boards() {
    SMALL.iter().for_each(|n| {
        let t = std::time::Instant::now();
        every_position(n);
        eprintln!("{n} {:?}", t.elapsed())
    });
}
