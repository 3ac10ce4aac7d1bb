//! Small games of Ampel, whole: the slow reference on everything that play reaches, the engine, and
//! counts made by an independent program.

use std::collections::BTreeMap;

use greenwave_game::{
    AmpelGame, AmpelPosition, Dense, Figures, Game, Metric, Outcome, Player, Variant, orbit_size,
};
use greenwave_solver::solve;
use greenwave_testkit::{Graph, PositionVerdict};
use greenwave_values::{Silent, SolvedValues, ValueSource};

const COUNTS: &str = include_str!("../data/ampel.txt");

// The reference holds games with this many positions in a second or two.
const FOR_THE_REFERENCE: usize = if cfg!(feature = "slow-tests") {
    1_000_000
} else {
    50_000
};

const MEMORY: u64 = 1 << 30;

fn ampel(name: &str) -> (AmpelGame, Variant) {
    match Variant::parse(name) {
        Ok(Variant::Ampel(game)) => (game.clone(), Variant::Ampel(game)),
        other => panic!("{name}: {other:?}"),
    }
}

/// Variants of the data file with what is counted there.
fn counted() -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = COUNTS.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once(": "))
}

/// Positions of a game, as the data file counts them.
#[derive(Default)]
struct Tally {
    finished: u64,
    // Won by red, by green.
    by_player: [u64; 2],
    drawn: u64,
    // By plies, for the player to move.
    won: BTreeMap<u32, u64>,
    lost: BTreeMap<u32, u64>,
}

impl Tally {
    fn add(&mut self, game: &AmpelGame, position: &AmpelPosition, figures: Figures, count: u64) {
        let mover = usize::from(position.player() == Player::Green);
        let plies = figures.distance.map_or(0, |plies| plies.0);
        let (winner, by_plies) = match figures.value.expect("decided") {
            _ if game.ending(position).is_some() => {
                self.finished += count;
                return;
            }
            Outcome::Draw => {
                self.drawn += count;
                return;
            }
            Outcome::Win => (mover, &mut self.won),
            Outcome::Loss => (1 - mover, &mut self.lost),
        };
        self.by_player[winner] += count;
        *by_plies.entry(plies).or_default() += count;
    }

    fn positions(&self) -> u64 {
        let [red, green] = self.by_player;
        self.finished + red + green + self.drawn
    }

    fn line(&self, start: Figures) -> String {
        let value = start.value.expect("decided").name();
        let plies = start.distance.map(|plies| format!(" {}", plies.0));
        let histogram = |counts: &BTreeMap<u32, u64>| {
            let written = counts
                .iter()
                .map(|(plies, count)| format!(" {plies}:{count}"));
            written.collect::<String>()
        };
        format!(
            "start {value}{}, finished {}, red {}, green {}, drawn {}, won{}, lost{}",
            plies.unwrap_or_default(),
            self.finished,
            self.by_player[0],
            self.by_player[1],
            self.drawn,
            histogram(&self.won),
            histogram(&self.lost)
        )
    }
}

#[test]
fn the_engine_finds_the_counted_figures() {
    let mut seen = 0;
    for (name, counts) in counted() {
        let (game, variant) = ampel(name);
        let values = solve(&variant, Metric::Distance, MEMORY, &Silent);
        let values = values.unwrap_or_else(|error| panic!("{error}"));
        let mut tally = Tally::default();
        for index in values.as_listed().expect("Ampel lists positions").indices() {
            let position = game.at(*index).expect("listed");
            let orbit = orbit_size(&game, &position);
            tally.add(&game, &position, values.figures(*index), orbit);
        }
        let start = values.figures(game.index(&game.start()));
        assert_eq!(tally.line(start), counts, "{name}");
        seen += 1;
    }
    assert_eq!(seen, 25);
}

// The reference knows the rules only, no symmetries: every option, and boards with two yellow discs.
#[test]
fn the_engine_agrees_with_the_reference_on_every_position() {
    let mut seen = 0;
    for (name, counts) in counted() {
        let (game, variant) = ampel(name);
        let Ok(graph) = Graph::below(&game, [game.start()], FOR_THE_REFERENCE) else {
            continue;
        };
        let mut tally = Tally::default();
        for (position, verdict) in graph.verdicts() {
            tally.add(&game, position, verdict.figures(), 1);
        }
        let start = graph.verdict(&game.start()).map(PositionVerdict::figures);
        assert_eq!(tally.line(start.expect("a root")), counts, "{name}");
        for metric in [Metric::Value, Metric::Distance] {
            let values = solve(&variant, metric, MEMORY, &Silent);
            let values = values.unwrap_or_else(|error| panic!("{error}"));
            let source = SolvedValues::new(&game, &values);
            for (position, verdict) in graph.verdicts() {
                let found = source.figures(position).expect("values in memory");
                let mut expected = verdict.figures();
                if metric == Metric::Value {
                    expected.distance = None;
                }
                let text = || game.position_text(position);
                assert_eq!(found, expected, "{name} {metric}: {}", text());
            }
        }
        seen += tally.positions();
    }
    assert!(seen > 100_000, "{seen}");
}
