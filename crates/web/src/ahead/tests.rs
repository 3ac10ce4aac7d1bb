use super::*;

#[test]
fn times_to_go_follow_the_work_that_is_done() {
    let began = Instant::now() - Duration::from_secs(12);
    let work = WorkMeter {
        began,
        expected: Some(1.0),
        stage: Mutex::new(WorkStage { began, total: 100 }),
        done: AtomicU64::new(0),
    };
    // Twelve seconds for what was to take one: nobody can say "1 s more".
    assert!(work.seconds_left() > 11.0);
    work.done.store(75, Ordering::Relaxed);
    let left = work.seconds_left();
    assert!((3.9..4.5).contains(&left), "{left}");
    let share = work.share();
    assert!((0.7..0.8).contains(&share), "{share}");
    work.begin(1000);
    assert!(work.seconds_left() > 11.0);
}

#[test]
fn a_solve_is_stopped_when_nobody_waits_or_comes_back() {
    let wanted = Arc::new(WaitingClients::default());
    assert!(wanted.is_over());
    let [one, other] = [wanted.waits(), wanted.waits()];
    drop(one);
    assert!(!wanted.is_over());
    drop(other);
    assert!(wanted.is_over());
    wanted.comes_back_in(Duration::from_secs(1));
    assert!(!wanted.is_over());
    *locked(&wanted.until) = Some(Instant::now());
    assert!(wanted.is_over());
}

#[test]
fn what_was_stopped_because_its_client_went_can_be_asked_for_again() {
    let tablebase = Tablebase::open("no-such-folder").unwrap();
    let variant = Arc::new(Variant::parse("slider:score=win").unwrap());
    let ahead = Arc::new(Background::default());
    for _ in 0..2 {
        let wait = ahead.begin_solve(&tablebase, &variant).unwrap();
        let mut done = wait.running.done.clone();
        drop(wait);
        let patience = Instant::now() + Duration::from_secs(60);
        while !*done.borrow_and_update() {
            assert!(Instant::now() < patience, "the solve goes on");
            std::thread::sleep(Duration::from_millis(10));
        }
        assert!(!tablebase.is_at_hand(&variant));
    }
}

#[test]
fn who_waits_for_something_else_is_told_both_names() {
    let tablebase = Tablebase::open("no-such-folder").unwrap();
    let ahead = Arc::new(Background::default());
    let goes_on = Arc::new(AtomicBool::new(true));
    let until = Arc::clone(&goes_on);
    let long = BackgroundTask::working("one".into(), "the first thing".into(), move |_| {
        while until.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(1));
        }
        true
    });
    let first = ahead.begin(&tablebase, long).unwrap();
    let (here, budget) = (std::net::Ipv4Addr::LOCALHOST.into(), Duration::from_secs(2));
    let program = Client::now(here, false, budget);
    let own = first.told(program).problem().message.to_string();
    assert!(
        own.starts_with("the first thing: being worked out"),
        "{own}"
    );
    let variant = Arc::new(Variant::parse("slider:score=win").unwrap());
    let second = ahead.begin_solve(&tablebase, &variant).unwrap();
    let other = second.told(program).problem().message.to_string();
    assert!(
        other.starts_with("slider:score=win: waiting for the first thing, "),
        "{other}"
    );
    assert!(ahead.joined("one").is_some() && ahead.joined("two").is_none());
    goes_on.store(false, Ordering::Relaxed);
}

#[test]
fn a_task_that_fails_lets_the_next_one_begin() {
    let tablebase = Tablebase::open("no-such-folder").unwrap();
    let ahead = Arc::new(Background::default());
    let task = |key: &str, run: fn(&Tablebase) -> bool| {
        BackgroundTask::working(key.into(), key.into(), run)
    };
    let failing = task("failing", |_| panic!("a fault of the program"));
    let mut wait = ahead.begin(&tablebase, failing).unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let late = Instant::now() + Duration::from_secs(60);
    assert!(runtime.block_on(wait.over(late)));
    assert!(ahead.is_refused("failing"));
    let next = ahead.begin(&tablebase, task("next", |_| true)).unwrap();
    assert!(next.is_for("next"));
}
