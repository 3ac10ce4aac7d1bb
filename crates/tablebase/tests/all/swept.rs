//! Positions of large boards, settled by sweeps of what they can become.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use greenwave_game::{AnyPosition, At, BoardGame, Code, Game, Variant, VariantGame};
use greenwave_tablebase::{
    Budget, LineEnd, Place, QueryOptions, Settings, SourceKind, SweepAhead, Tablebase, Value,
};
use greenwave_values::{Progress, Unit};

/// Sixteen plies into a game that nothing decides at once.
const FIVE_BY_FIVE: &str = "R..Y./...../...../G...G/YRG.R";

/// Of which the sweep takes more memory than that.
const WIDE: &str = "...Y./Y..Y./.R..R/Y..../RG...";
/// Later in such a game.
const LATER: &str = "R..Y./....R/.Y.../G..YG/YYG.G";

fn empty() -> (tempfile::TempDir, Tablebase) {
    within(1 << 30)
}

fn within(memory: u64) -> (tempfile::TempDir, Tablebase) {
    let dir = tempfile::tempdir().unwrap();
    let settings = Settings {
        memory: Some(memory),
        threads: Some(2),
    };
    let tablebase = Tablebase::with_settings(dir.path(), &settings).unwrap();
    (dir, tablebase)
}

// As long as it takes, on a machine however busy.
fn patient() -> QueryOptions {
    QueryOptions::within(Some(Budget::Time(Duration::from_secs(3600))))
}

// Counts the sweeps that begin.
#[derive(Default)]
struct Sweeps(AtomicU64);

impl Progress for Sweeps {
    fn begin(&self, stage: &str, _total: u64, _unit: Unit) {
        if stage.starts_with("sweeping") {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn advance(&self, _amount: u64) {}
}

#[test]
fn a_position_of_a_large_board_is_swept() {
    let (_dir, tablebase) = empty();
    let variant = Variant::parse("classic-5x5").unwrap();
    let place = Place::at(FIVE_BY_FIVE);
    let answer = tablebase.query_at(&variant, &place, &patient()).unwrap();
    assert_eq!(answer.source.kind, SourceKind::Swept);
    assert!(answer.source.settle.is_none());
    assert!(
        answer
            .moves
            .iter()
            .all(|mv| mv.value != Some(Value::Unknown))
    );
    let wins = answer.moves.iter().any(|mv| mv.value == Some(Value::Win));
    let expected = if wins { Value::Win } else { Value::Loss };
    assert_eq!(answer.value, expected);
    // The best move takes as many plies as the position.
    let best = &answer.best_moves()[0];
    assert!(answer.distance.is_some());
    assert_eq!(best.distance, answer.distance);
}

// A game of a few plies, each the first best move or the first one.
fn game_of(game: &BoardGame, plies: usize) -> Vec<Code> {
    let mut positions = vec![game.parse_position(FIVE_BY_FIVE).unwrap()];
    while positions.len() < plies {
        let here = positions[positions.len() - 1];
        let mut moves = Vec::new();
        game.moves(&here, &mut moves);
        let calm = moves.iter().map(|mv| game.play(&here, *mv).to);
        let mut calm = calm.filter(|to| game.ending(to).is_none() && !game.has_threat(*to));
        positions.push(calm.next().unwrap());
    }
    positions
}

#[test]
fn the_positions_of_a_game_take_one_sweep() {
    let (_dir, tablebase) = empty();
    let variant = Variant::parse("classic-5x5").unwrap();
    let Variant::Board(game) = &variant else {
        unreachable!("a board")
    };
    let game_positions = game_of(game, 5);
    let positions: Vec<AnyPosition> = game_positions
        .iter()
        .map(|position| game.any_position(*position))
        .collect();
    let texts: Vec<String> = game_positions
        .iter()
        .map(|position| game.position_text(position))
        .collect();
    let places: Vec<Place<'_>> = texts.iter().map(|text| Place::at(text)).collect();
    let sweeps = Arc::new(Sweeps::default());
    let watched = tablebase.watched_by(sweeps.clone());
    let queries = watched.queries(&variant, &patient()).unwrap();
    queries.settle_together(&positions).unwrap();
    assert_eq!(sweeps.0.load(Ordering::Relaxed), 1, "distances give values");
    for place in &places {
        let together = queries.query(place).unwrap();
        assert_eq!(together.source.kind, SourceKind::Swept);
        let (_dir, alone) = empty();
        let alone = alone.query_at(&variant, place, &patient()).unwrap();
        let figures = |answer: &greenwave_tablebase::Answer| {
            let moves = answer
                .moves
                .iter()
                .map(|mv| (mv.mv.clone(), mv.value, mv.distance));
            (answer.value, answer.distance, moves.collect::<Vec<_>>())
        };
        assert_eq!(figures(&together), figures(&alone));
    }
    assert_eq!(
        sweeps.0.load(Ordering::Relaxed),
        1,
        "nothing is swept again"
    );
    // Where positions are counted, no time is taken.
    let nodes = QueryOptions::within(Some(Budget::Nodes(100)));
    let (_dir, other) = empty();
    let other = other.watched_by(sweeps.clone());
    let queries = other.queries(&variant, &nodes).unwrap();
    queries.settle_together(&positions).unwrap();
    assert_eq!(sweeps.0.load(Ordering::Relaxed), 1);
}

#[test]
fn best_play_on_a_large_board_is_swept() {
    let (_dir, tablebase) = empty();
    let variant = Variant::parse("classic-4x5").unwrap();
    let place = Place::at("..YR./.Y.../.Y.../..R..");
    let line = tablebase.line(&variant, &place).unwrap();
    assert!(matches!(line.end, LineEnd::Over(_)), "{:?}", line.end);
    // Each ply takes one off the distance.
    for (number, ply) in line.plies.iter().enumerate() {
        let left = (line.plies.len() - number) as u32;
        assert_eq!(ply.distance, Some(left), "ply {number}");
    }
    let answer = tablebase.query_at(&variant, &place, &patient()).unwrap();
    assert_eq!(answer.distance, Some(line.plies.len() as u32));
    // A sweep that no machine can finish in a minute is refused as before.
    let variant = Variant::parse("classic-5x6").unwrap();
    assert!(tablebase.line(&variant, &Place::start()).is_err());
}

#[test]
fn what_was_swept_ahead_needs_no_time() {
    let (_dir, tablebase) = empty();
    let variant = Arc::new(Variant::parse("classic-5x5").unwrap());
    let place = Place::at(LATER).find(&variant).unwrap();
    let here = At::new(Arc::clone(&variant), place);
    let ahead = |plies| SweepAhead {
        plies,
        default_metric: true,
        seconds: f64::INFINITY,
    };
    let hurried = QueryOptions {
        budget: Some(Budget::Time(Duration::ZERO)),
        needs_move: true,
    };
    let kind = |at: &At| tablebase.query_of(at, &hurried).unwrap().source.kind;
    assert_eq!(kind(&here), SourceKind::Searched);
    let prospect = tablebase.sweep_prospect(&here, ahead(2)).unwrap();
    assert!(prospect.seconds > 0.0 && prospect.memory > 0);
    let brief = SweepAhead {
        seconds: 0.0,
        ..ahead(2)
    };
    assert_eq!(tablebase.sweep_prospect(&here, brief), None);
    assert!(tablebase.sweep_ahead(&here, ahead(2)).unwrap());
    assert_eq!(tablebase.sweep_prospect(&here, ahead(2)), None);
    assert_eq!(kind(&here), SourceKind::Swept);
    // The replies to every move, too.
    let mut moves = Vec::new();
    variant.moves(here.position(), &mut moves);
    for mv in moves {
        let to = variant.play(here.position(), mv).to;
        if variant.ending(&to).is_none() {
            let after = At::new(Arc::clone(&variant), to);
            assert_eq!(kind(&after), SourceKind::Swept, "{}", after.text());
        }
    }
    // The best move of the start is known without a sweep, the replies to others are not.
    let start = At::new(Arc::clone(&variant), variant.start());
    let (_dir, large) = within(1 << 50);
    assert_eq!(large.sweep_prospect(&start, ahead(1)), None);
    assert!(large.sweep_prospect(&start, ahead(2)).is_some());
}

#[test]
fn a_sweep_that_outgrows_the_memory_uses_the_disk() {
    let (_dir, tablebase) = within(64 << 20);
    let variant = Variant::parse("classic-5x5").unwrap();
    let place = Place::at(WIDE);
    let nodes = QueryOptions::within(Some(Budget::Nodes(1)));
    let open = tablebase.query_at(&variant, &place, &nodes).unwrap();
    assert_eq!(open.value, Value::Unknown);
    let settle = open.source.settle.unwrap();
    assert!(settle.contains("--memory"), "{settle}");
    let folder = tempfile::tempdir().unwrap();
    let waves = folder.path().join("waves");
    let on_disk = tablebase.with_scratch(&waves);
    let answer = on_disk.query_at(&variant, &place, &patient()).unwrap();
    assert_eq!(answer.source.kind, SourceKind::Swept);
    assert_eq!(answer.value, Value::Win);
    assert!(!waves.exists(), "nothing is left behind");
}
