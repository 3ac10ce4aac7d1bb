//! Answers of a tablebase: every family, every kind of source, many at once, errors.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use greenwave_game::{Metric, Variant};
use greenwave_tablebase::{
    Budget, ErrorKind, MoveFigures, Place, QueryOptions, Settings, SolveOptions, SourceKind,
    Tablebase, Value, read_variant,
};
use greenwave_values::{Progress, Unit};

fn empty(memory: u64) -> (tempfile::TempDir, Tablebase) {
    let dir = tempfile::tempdir().unwrap();
    let settings = Settings {
        memory: Some(memory),
        threads: Some(2),
    };
    let tablebase = Tablebase::with_settings(dir.path(), &settings).unwrap();
    (dir, tablebase)
}

fn variant(name: &str) -> Variant {
    Variant::parse(name).unwrap()
}

#[test]
fn a_tablebase_can_be_shared() {
    fn shared<T: Send + Sync + Clone>() {}
    shared::<Tablebase>();
}

#[test]
fn a_small_game_with_chance_is_at_hand_after_one_question() {
    let (_dir, tablebase) = empty(1 << 30);
    let game = variant("bag-classic-1x3");
    let place = Place {
        moves: Some("[RG]"),
        ..Place::start()
    };
    let answer = tablebase
        .query_at(&game, &place, &QueryOptions::default())
        .unwrap();
    assert!(answer.odds.is_some() && tablebase.is_at_hand(&game));
}

#[test]
fn every_family_is_asked_alike() {
    let (_dir, tablebase) = empty(1 << 30);
    for name in [
        "classic-2x3",
        "signal-2x3",
        "green-2x3",
        "points-2x3",
        "ampel-4-2-1",
    ] {
        let answer = tablebase
            .query_at(&variant(name), &Place::start(), &QueryOptions::default())
            .unwrap();
        assert_ne!(answer.value, Value::Unknown, "{name}");
        assert_eq!(answer.source.kind, SourceKind::Solved, "{name}");
        assert_eq!(answer.best_moves()[0].mv, answer.best[0], "{name}");
        let json = serde_json::to_value(&answer).unwrap();
        assert_eq!(json["value"], answer.value.name(), "{name}");
        assert_eq!(json["moves"][0]["move"], answer.moves[0].mv, "{name}");
    }
}

#[test]
fn tables_answer_as_soon_as_they_are_there() {
    let (_dir, tablebase) = empty(1 << 30);
    let game = variant("classic-3x3");
    let before = tablebase.query("classic-3x3", ".R./.../...").unwrap();
    assert_eq!(before.source.kind, SourceKind::Solved);
    let solved = tablebase
        .solve(&game, Metric::Distance, &SolveOptions::default())
        .unwrap();
    let after = tablebase.query("classic-3x3", ".R./.../...").unwrap();
    assert_eq!(after.source.kind, SourceKind::Table);
    assert_eq!(after.source.signature, solved.signature);
    assert!(after.nimber.is_some(), "quickly solved beside the table");
    assert_eq!(after.nimber, before.nimber);
    assert_eq!(
        (after.value, after.distance),
        (before.value, before.distance)
    );
    // A file that has changed is opened again.
    let path = tablebase.table_path(game.rules(), Metric::Distance);
    std::fs::write(&path, b"no table").unwrap();
    let error = tablebase.query("classic-3x3", ".R./.../...").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Damaged, "{error}");
}

#[test]
fn what_does_not_fit_is_searched() {
    let (_dir, tablebase) = empty(64 << 20);
    let options = QueryOptions::within(Some(Budget::Nodes(20_000)));
    let place = Place::start().after("b2R b2Y");
    let answer = tablebase
        .query_at(&variant("classic-5x5"), &place, &options)
        .unwrap();
    assert_eq!(answer.source.kind, SourceKind::Searched);
    assert_eq!(answer.value, Value::Unknown);
    let error = tablebase
        .line(&variant("classic-5x6"), &Place::start())
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Memory, "{error}");
}

#[test]
fn many_ask_at_once_and_one_solves() {
    let (_dir, tablebase) = empty(1 << 30);
    let answers = std::thread::scope(|scope| {
        let ask = || tablebase.query("classic-3x3", "R../.Y./..G").unwrap();
        let asking: Vec<_> = (0..8).map(|_| scope.spawn(ask)).collect();
        let answers = asking.into_iter().map(|asked| asked.join().unwrap());
        answers.collect::<Vec<_>>()
    });
    assert!(answers.iter().all(|answer| *answer == answers[0]));
}

#[test]
fn solutions_go_when_others_need_their_memory() {
    let (_dir, tablebase) = empty(40 << 20);
    for name in [
        "classic-3x3",
        "signal-3x3",
        "green-3x3",
        "classic-3x4",
        "classic-3x3",
    ] {
        let line = tablebase.line(&variant(name), &Place::start()).unwrap();
        assert!(!line.plies.is_empty(), "{name}");
    }
}

struct Stopped(AtomicBool);

impl Progress for Stopped {
    fn begin(&self, _: &str, _: u64, _: Unit) {}

    fn advance(&self, _: u64) {}

    fn cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Solves in memory, and sweeps that no budget ends.
#[test]
fn what_is_worked_out_unasked_is_told() {
    thread_local! {
        static TOLD: Cell<u32> = const { Cell::new(0) };
    }
    let (_dir, tablebase) = empty(1 << 30);
    let telling = tablebase.telling_costs(|cost| {
        assert!(cost.seconds > 0.0 && cost.memory_bytes > 0, "{cost:?}");
        TOLD.set(TOLD.get() + 1);
    });
    let place = Place::at(".../...");
    telling.line(&variant("classic-2x3"), &place).unwrap();
    assert!(TOLD.get() > 0);
}

#[test]
fn one_question_is_stopped_and_the_others_are_not() {
    let (_dir, tablebase) = empty(1 << 30);
    let stopped = tablebase.watched_by(Arc::new(Stopped(AtomicBool::new(true))));
    let game = variant("classic-3x4");
    let error = stopped.perft(&game, &Place::start(), 6).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Interrupted, "{error}");
    let nodes = tablebase.perft(&game, &Place::start(), 3).unwrap().nodes;
    assert_eq!(nodes, 12 * 12 * 12);
}

#[test]
fn errors_say_what_kind_they_are() {
    let (_dir, tablebase) = empty(1 << 30);
    let kind = |variant: &str, position: &str| {
        let error = tablebase.query(variant, position).unwrap_err();
        error.kind()
    };
    assert_eq!(kind("clasic-3x3", ""), ErrorKind::NotFound);
    assert_eq!(kind("classic-3x3:play=fast", ""), ErrorKind::Input);
    assert_eq!(kind("classic-3x3", "R../.Q./..."), ErrorKind::Input);
    let place = Place::start().after("b2R,b2R");
    let error = tablebase
        .query_at(&variant("classic-3x3"), &place, &QueryOptions::default())
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Input);
    assert!(error.to_string().starts_with("move 2, 'b2R': "), "{error}");
}

#[test]
fn what_is_solved_ahead_answers_within_any_budget() {
    let hurried = QueryOptions::within(Some(Budget::Time(std::time::Duration::ZERO)));
    let (_dir, tablebase) = empty(1 << 30);
    for name in ["noughts-3x3", "ampel-4-2-1"] {
        let variant = variant(name);
        let ask = || {
            tablebase
                .query_at(&variant, &Place::start(), &hurried)
                .unwrap()
        };
        // The value of the start is published.
        assert_eq!(ask().source.kind, SourceKind::Published, "{name}");
        let prospect = tablebase.prospect(&variant).unwrap();
        assert!(prospect.seconds > 0.0 && prospect.memory > 0, "{name}");
        let aside = tablebase.with_threads(1).unwrap();
        aside.solve_ahead(&variant).unwrap();
        assert_eq!(tablebase.prospect(&variant), None, "{name}");
        assert_eq!(ask().source.kind, SourceKind::Solved, "{name}");
    }
    let (_dir, small) = empty(1 << 20);
    assert_eq!(small.prospect(&variant("classic-4x4")), None);
}

#[test]
fn the_default_metric_alone_answers_where_the_rest_takes_too_long() {
    let hurried = QueryOptions::within(Some(Budget::Time(std::time::Duration::ZERO)));
    let (_dir, tablebase) = empty(1 << 30);
    let variant = variant("classic-3x3");
    tablebase.values(&variant, Metric::Distance).unwrap();
    let answer = tablebase
        .query_at(&variant, &Place::start(), &hurried)
        .unwrap();
    assert_eq!(answer.source.kind, SourceKind::Solved);
    assert_eq!((answer.distance, answer.nimber), (Some(17), None));
}

#[test]
fn counting_stops_when_it_is_told_to_though_the_values_are_there() {
    let (_dir, tablebase) = empty(1 << 30);
    for name in ["classic-3x3", "ampel-4-2-1", "bag-classic-2x3"] {
        let variant = variant(name);
        let metric = variant.rules().default_metric;
        tablebase.values(&variant, metric).unwrap();
        let stopped = tablebase.watched_by(Arc::new(Stopped(AtomicBool::new(true))));
        let error = stopped.stats(&variant, Some(&[metric])).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Interrupted, "{name}: {error}");
    }
}

#[test]
fn all_values_of_a_table_of_families_are_refused_with_the_way_out() {
    let (dir, tablebase) = empty(1 << 30);
    let file = dir.path().join("thin.toml");
    // 4²⁴ positions, of which red alone leaves few undecided.
    let rules = "patterns = [\"111\"]\n[board]\nsize = \"4x6\"\nlevels = 1\n";
    std::fs::write(&file, rules).unwrap();
    let thin = read_variant(&file.display().to_string()).unwrap();
    let solved = tablebase
        .solve(&thin, Metric::Value, &SolveOptions::default())
        .unwrap();
    assert!(solved.signature.is_some());
    let refused = tablebase.values(&thin, Metric::Value).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Memory, "{refused}");
    let told = refused.to_string();
    for words in ["reading all of", "greenwave query", "--sample 10"] {
        assert!(told.contains(words), "{told}");
    }
}

#[test]
fn published_results_answer_the_start_and_the_first_moves_at_once() {
    let (_dir, tablebase) = empty(64 << 20);
    let ask = |name: &str, moves: &str| {
        let place = Place::start().after(moves);
        tablebase
            .query_at(&variant(name), &place, &QueryOptions::default())
            .unwrap()
    };
    let start = ask("classic-5x5", "");
    assert_eq!(start.source.kind, SourceKind::Published);
    assert_eq!(start.value, Value::Win);
    assert_eq!(
        (start.distance, &start.best[..]),
        (Some(49), &["c3R".to_string()][..])
    );
    let winning = start.moves.iter().filter(|mv| mv.value == Some(Value::Win));
    assert_eq!(winning.count(), 21, "all but the middles of the sides");
    let again = start.source.made_by.unwrap();
    assert!(again.starts_with("greenwave solve classic-5x5 --metric distance --no-table"));
    // A theorem that says as much comes first.
    let centre = ask("classic-5x5", "c3R");
    assert_eq!(centre.source.kind, SourceKind::Proved);
    let side = ask("classic-5x5", "c1R");
    assert_eq!(side.source.kind, SourceKind::Published);
    assert_eq!(side.value, Value::Win);
    assert_eq!(side.best.len(), 0, "nobody has published which move wins");
    // Where a move is wanted the position keeps its value, and the moves are looked at.
    let options = QueryOptions {
        needs_move: true,
        budget: Some(Budget::Nodes(100)),
    };
    let place = Place::start().after("a1R");
    let board = variant("classic-4x5");
    for needs_move in [false, true] {
        let options = QueryOptions {
            needs_move,
            ..options
        };
        let played = tablebase.query_at(&board, &place, &options).unwrap();
        assert_eq!((played.value, played.undecided_within), (Value::Win, None));
        assert!(played.best.is_empty());
        let settle = played.source.settle.unwrap();
        assert!(
            settle.starts_with("greenwave query classic-4x5 '"),
            "{settle}"
        );
    }
    let lost = ask("signal-4x6", "a1R");
    assert_eq!(
        (lost.source.kind, lost.value),
        (SourceKind::Published, Value::Loss)
    );
    assert!(lost.moves.iter().all(|mv| mv.value == Some(Value::Loss)));
    let points = ask("points-4x5", "");
    assert_eq!(points.source.kind, SourceKind::Published);
    assert_eq!(points.points, Some(1));
}

#[test]
fn a_sweep_settles_what_no_memory_holds() {
    let (_dir, tablebase) = empty(512 << 20);
    let game = variant("classic-4x5");
    // A busy machine may take its time.
    let options = QueryOptions {
        needs_move: true,
        budget: Some(Budget::Time(std::time::Duration::from_secs(600))),
    };
    let place = Place::start().after("b2R a1R");
    let answer = tablebase.query_at(&game, &place, &options).unwrap();
    assert_eq!(answer.source.kind, SourceKind::Swept);
    assert_eq!(answer.value, Value::Win, "b2R wins");
    assert!(answer.moves.iter().all(|mv| mv.value.is_some()));
    // The same position does not take a second sweep.
    let hurried = QueryOptions::within(Some(Budget::Time(std::time::Duration::from_millis(1))));
    let again = tablebase.query_at(&game, &place, &hurried).unwrap();
    assert_eq!(
        (again.source.kind, &again.moves),
        (SourceKind::Swept, &answer.moves)
    );
    // What the budget does not settle says what would.
    let place = Place::start().after("b2R c3R");
    let open = tablebase.query_at(&game, &place, &hurried).unwrap();
    assert_eq!(open.source.kind, SourceKind::Searched);
    let settle = open.source.settle.unwrap();
    let command = "greenwave query classic-4x5 '...../..R../.R.../.....' --budget ";
    assert!(settle.starts_with(command), "{settle}");
    assert!(settle.contains(" # about "), "{settle}");
    // So it does where positions are counted, and where the memory holds no sweep.
    let counted = QueryOptions::within(Some(Budget::Nodes(10)));
    let (_dir, small) = empty(16 << 20);
    for (tablebase, options) in [(&tablebase, &counted), (&small, &hurried)] {
        let open = tablebase.query_at(&game, &place, options).unwrap();
        let settle = open.source.settle.unwrap();
        assert!(settle.starts_with(command), "{settle}");
    }
    // A game without a sweep is settled by a solve.
    let slider = variant("slider");
    let open = small.query_at(&slider, &Place::start(), &hurried).unwrap();
    let settle = open.source.settle.unwrap();
    assert!(
        settle.starts_with("greenwave query slider --budget "),
        "{settle}"
    );
    assert!(settle.contains(" --memory "), "{settle}");
    let theory = variant("classic-6x5");
    let open = tablebase
        .query_at(&theory, &Place::start(), &hurried)
        .unwrap();
    assert_eq!(open.source.settle, None, "no command that would be refused");
}

#[test]
fn a_sweep_agrees_with_values_in_memory() {
    let (_dir, tablebase) = empty(512 << 20);
    for name in [
        "classic-3x4",
        "signal-3x4",
        "classic-3x4:play=misere",
        "points-3x4",
    ] {
        let game = variant(name);
        for moves in ["", "b2R", "b2R b2Y a1R", "a1R c3R a1Y d1R b3R b3Y"] {
            let place = Place::start().after(moves);
            let expected = tablebase
                .query_at(&game, &place, &QueryOptions::default())
                .unwrap();
            let found = tablebase.swept_answer(&game, &place).unwrap().unwrap();
            assert_eq!(
                found.figures().value,
                expected.figures().value,
                "{name} {moves}"
            );
            assert_eq!(found.distance, expected.distance, "{name} {moves}");
            assert_eq!(found.points, expected.points, "{name} {moves}");
            assert_eq!(found.best, expected.best, "{name} {moves}");
        }
    }
}

#[test]
fn a_published_start_names_no_best_move_that_it_does_not_know() {
    let hurried = QueryOptions::within(Some(Budget::Time(std::time::Duration::ZERO)));
    let (_dir, small) = empty(1 << 20);
    let ask =
        |name: &str, place: &Place<'_>| small.query_at(&variant(name), place, &hurried).unwrap();
    for (name, value, distance, points) in [
        ("classic-3x4:supply=cap7", Value::Loss, Some(26), None),
        ("noughts-3x4", Value::Win, None, None),
        ("slider", Value::Win, None, Some(1)),
    ] {
        let start = ask(name, &Place::start());
        assert_eq!(start.source.kind, SourceKind::Published, "{name}");
        assert_eq!((start.value, start.points), (value, points), "{name}");
        assert!(distance.is_none() || start.distance == distance, "{name}");
        // Of two best moves one may take longer: none is starred before their plies or points are known.
        let is_starred = |mv: &MoveFigures| start.best.contains(&mv.mv);
        for mv in start.moves.iter().filter(|mv| is_starred(mv)) {
            assert_eq!(
                mv.distance.is_some(),
                start.distance.is_some(),
                "{name} {}",
                mv.mv
            );
        }
        // It says nothing of other positions, or of other rules.
        let next = start.moves[0].mv.clone();
        let after = ask(name, &Place::start().after(&next));
        assert_ne!(after.source.kind, SourceKind::Published, "{name} {next}");
    }
    let other = ask("slider:null=forbidden", &Place::start());
    assert_ne!(other.source.kind, SourceKind::Published);
}
