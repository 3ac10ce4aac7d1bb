use std::path::Path;
use std::time::Duration;

use greenwave_game::{
    BoardGame, Diagram, Edge, Ending, Figures, Game, MoveError, Outcome, Plies, Rules, Sentence,
    SetupError, Tier, Variant, with_game,
};
use greenwave_sweep::checkpoint::EVERY;
use greenwave_testkit::{Stops, forge_part, listed_parts};
use greenwave_values::Silent;
use tempfile::tempdir;

use super::*;

#[test]
fn a_declaration_picks_the_engine() {
    let of = |name: &str, metric| {
        let variant = Variant::parse(name).unwrap();
        with_game!(&variant, game => treated(game, metric))
    };
    let (distance, odds) = (Metric::Distance, Metric::Odds);
    for name in ["noughts-3x3", "classic-3x3"] {
        assert!(
            matches!(of(name, distance), Ok(EngineKind::Backward)),
            "{name}"
        );
    }
    assert!(matches!(of("strip", distance), Ok(EngineKind::Loopy)));
    assert!(matches!(
        of("ampel-4-2-1", distance),
        Ok(EngineKind::Retrograde)
    ));
    for (name, metric) in [("bag-classic-1x3", odds), ("strip", Metric::Nimber)] {
        assert!(
            matches!(of(name, metric), Err(SolveError::NoEngine { .. })),
            "{name}"
        );
    }
}

/// A pile of stones. A player who takes one stone moves again, and one who takes two does not; a
/// player who finds none has lost. Every move leads to a higher index, in blocks of one.
struct Pile {
    rules: Rules,
    stones: u64,
}

impl Pile {
    fn new(stones: u64) -> Pile {
        let mut rules = Variant::parse("noughts-3x3").unwrap().rules().clone();
        rules.properties.turn = Turn::Runs;
        rules.name = "pile".into();
        Pile { rules, stones }
    }

    /// The figures of a pile by the rules alone.
    fn worth(&self, stones: u64) -> Figures {
        if let Some(ending) = self.ending(&stones) {
            return Figures::of(Some(ending.outcome), Some(Plies(0)), None);
        }
        let mut moves = Vec::new();
        self.moves(&stones, &mut moves);
        let after = moves.into_iter().map(|taken| {
            let edge = self.play(&stones, taken);
            self.worth(edge.to).after_move(edge.gain, edge.keeps_turn)
        });
        let plies = |figures: &Figures| i64::from(figures.distance.map_or(0, |plies| plies.0));
        let rank = |figures: &Figures| match figures.value {
            Some(Outcome::Win) => 1_000 - plies(figures),
            Some(Outcome::Loss) => plies(figures) - 1_000,
            Some(Outcome::Draw) | None => 0,
        };
        after.max_by_key(rank).unwrap()
    }
}

impl Game for Pile {
    type Position = u64;
    type Move = u64;

    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn in_words(&self) -> Vec<Sentence> {
        Vec::new()
    }

    fn start(&self) -> u64 {
        self.stones
    }

    fn ending(&self, position: &u64) -> Option<Ending> {
        (*position == 0).then_some(Ending {
            outcome: Outcome::Loss,
            points: 0,
        })
    }

    fn moves(&self, position: &u64, out: &mut Vec<u64>) {
        out.clear();
        out.extend((1..=2).filter(|taken| taken <= position));
    }

    fn play(&self, position: &u64, taken: u64) -> Edge<u64> {
        Edge {
            keeps_turn: taken == 1,
            ..Edge::passes(position - taken)
        }
    }

    fn position_text(&self, position: &u64) -> String {
        position.to_string()
    }

    fn parse_position(&self, _: &str) -> Result<u64, SetupError> {
        unreachable!("positions are given by number")
    }

    fn move_text(&self, _: &u64, taken: u64) -> String {
        taken.to_string()
    }

    fn parse_move(&self, _: &u64, _: &str) -> Result<u64, MoveError> {
        unreachable!("moves are given by number")
    }

    fn diagram(&self, _: &u64) -> Diagram {
        Diagram::default()
    }
}

impl Dense for Pile {
    fn indexable(&self) -> u128 {
        u128::from(self.stones) + 1
    }

    fn index(&self, position: &u64) -> u64 {
        self.stones - position
    }

    fn at(&self, index: u64) -> Option<u64> {
        self.stones.checked_sub(index)
    }

    fn tier(&self, position: &u64) -> Tier {
        Tier(self.index(position) as u32)
    }

    fn block_len(&self) -> Option<u64> {
        Some(1)
    }

    fn wave(&self, block: u64) -> u32 {
        block as u32
    }
}

#[test]
fn a_rising_game_in_which_a_player_moves_twice_running_is_solved_rightly_or_refused() {
    let game = Pile::new(12);
    assert_eq!(
        treated(&game, Metric::Distance).unwrap(),
        EngineKind::Backward
    );
    let nimbers = treated(&game, Metric::Nimber);
    assert!(matches!(nimbers, Err(SolveError::NoEngine { .. })));
    let backward = <engines::Backward as MemoryEngine<Pile>>::cost(&game, Metric::Nimber);
    assert!(matches!(backward, Err(SolveError::NoEngine { .. })));

    let solved = <engines::ByProperties as MemoryEngine<Pile>>::values(
        &game,
        Metric::Distance,
        1 << 20,
        None,
        &Silent,
    );
    let Ok(Values::Dense(values)) = solved else {
        panic!("values by index");
    };
    for stones in 1..=game.stones {
        let (found, expected) = (values.figures(game.index(&stones)), game.worth(stones));
        assert_eq!(
            (found.value, found.distance),
            (expected.value, expected.distance),
            "{stones} stones"
        );
    }
    assert_eq!(
        game.worth(1).value,
        Some(Outcome::Loss),
        "a turn that is kept"
    );
    assert_eq!(game.worth(2).value, Some(Outcome::Win));
}

type TestedEngine<'a> =
    &'a dyn Fn(Option<&mut Checkpoint>, &dyn Progress) -> Result<Values, SolveError>;

// Every engine that holds all values, with a game on a board of some size.
fn for_each_engine(size: &str, mut test: impl FnMut(&str, TestedEngine<'_>)) {
    let board = |name: String| BoardGame::named(&name).unwrap();
    let capped = board(format!("classic-{size}:supply=cap4"));
    let plain_board = board(format!("points-{size}"));
    let Variant::Ampel(ampel) = Variant::parse("ampel-4-2-1").unwrap() else {
        unreachable!()
    };
    let (distance, points) = (Metric::Distance, Metric::Points);
    let engines: [(&str, TestedEngine<'_>); 4] = [
        ("plain", &|checkpoint, progress| {
            Ok(crate::plain::solve_resumably(&capped, distance, checkpoint, progress)?.into())
        }),
        ("plain points", &|checkpoint, progress| {
            Ok(crate::plain::solve_resumably(&plain_board, points, checkpoint, progress)?.into())
        }),
        ("tiers", &|checkpoint, progress| {
            let solved = crate::loopy::solve_resumably(&plain_board, points, checkpoint, progress);
            solved.map(|solution| solution.values.into())
        }),
        ("list", &|checkpoint, progress| {
            let memory = u64::MAX;
            let solved =
                crate::retrograde::solve_resumably(&ampel, distance, memory, checkpoint, progress);
            Ok(solved?.into())
        }),
    ];
    for (name, engine) in engines {
        test(name, engine);
    }
}

fn opened(path: &Path, every: Duration) -> Checkpoint {
    Checkpoint::open(path, "a test".into(), true, every).unwrap()
}

/// What somebody puts into a checkpoint, with every hash right, is refused or read, and nothing panics.
#[test]
fn forged_values_are_refused_or_read() {
    let mut refused = Vec::new();
    for_each_engine("3x3", |name, engine| {
        let folder = tempdir().unwrap();
        let path = folder.path().join("value.checkpoint");
        let mut whole = Vec::new();
        for stop in 2..9 {
            let mut checkpoint = opened(&path, Duration::ZERO);
            let stopped = engine(Some(&mut checkpoint), &Stops::after(stop));
            if matches!(stopped, Err(SolveError::Interrupted)) && !listed_parts(&path).is_empty() {
                let files = std::fs::read_dir(&path).unwrap();
                let files = files.map(|file| file.unwrap().path());
                whole = files
                    .map(|file| (std::fs::read(&file).unwrap(), file))
                    .collect();
            }
        }
        assert!(!whole.is_empty(), "{name} was not stopped at work");
        let restored = || {
            std::fs::remove_dir_all(&path).unwrap_or_default();
            std::fs::create_dir_all(&path).unwrap();
            for (bytes, file) in &whole {
                std::fs::write(file, bytes).unwrap();
            }
        };
        restored();
        for part in listed_parts(&path) {
            restored();
            let bytes = std::fs::read(path.join(&part)).unwrap();
            for place in (0..bytes.len()).step_by(2 * (bytes.len() / 16).max(1)) {
                for other in [[0xff; 2], [0, 0x80], [1, 0x80], [0xff, 0x7f]] {
                    restored();
                    let mut forged = bytes.clone();
                    let end = forged.len().min(place + 2);
                    forged[place..end].copy_from_slice(&other[..end - place]);
                    forge_part(&path, &part, &forged);
                    match engine(Some(&mut opened(&path, EVERY)), &Silent) {
                        Ok(_) => {}
                        Err(SolveError::Checkpoint { .. }) => refused.push(name.to_string()),
                        Err(error) => panic!("{name}: {part}, {other:?} at {place}: {error}"),
                    }
                }
            }
        }
    });
    // Every byte is a distance.
    refused.dedup();
    assert_eq!(refused, ["plain points", "tiers", "list"]);
}

#[test]
fn engines_that_hold_all_values_go_on_where_they_were_stopped() {
    for_each_engine("3x3", |name, engine| {
        let expected = engine(None, &Silent).unwrap();
        // Stopped again and again, without and with checkpoints whenever they can be made.
        for every in [EVERY, Duration::ZERO] {
            let folder = tempdir().unwrap();
            let path = folder.path().join("value.checkpoint");
            let mut stopped = 0;
            let values = loop {
                let mut checkpoint = opened(&path, every);
                let stops = Stops::after(2 + 3 * stopped);
                match engine(Some(&mut checkpoint), &stops) {
                    Ok(values) => break values,
                    Err(SolveError::Interrupted) => {
                        stopped += 1;
                        // At once, before the first tier is started.
                        let kept = path.join("state").exists();
                        assert!(kept || name != "tiers", "stop {stopped} leaves nothing");
                    }
                    Err(other) => panic!("{name}: {other}"),
                }
                assert!(stopped < 200, "{name} does not get on");
            };
            assert!(stopped > 1, "{name}: {stopped}");
            assert!(values == expected, "{name} after {stopped} stops");
        }
        // And from the last checkpoint, with nothing left to do.
        let folder = tempdir().unwrap();
        let path = folder.path().join("value.checkpoint");
        for _ in 0..2 {
            let mut checkpoint = opened(&path, Duration::ZERO);
            let values = engine(Some(&mut checkpoint), &Silent).unwrap();
            assert!(values == expected, "{name} from its end");
            assert!(path.join("state").exists(), "{name}");
        }
    });
}
