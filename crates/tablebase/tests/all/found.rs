//! What searches have found of single positions, and how long it is known.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use greenwave_game::{At, Variant};
use greenwave_tablebase::{Answer, Budget, QueryOptions, SourceKind, Tablebase};
use greenwave_values::{Progress, Unit};

/// Games that nothing settles in a moment: without a published value, with chance, and on a large board.
const OPEN: [(&str, &str); 3] = [
    ("ampel", ""),
    ("bag-slider", "[RG] +R [RG]"),
    ("green-5x5", "a1R"),
];

/// Counts the searches that begin, and stops work.
#[derive(Default)]
struct Searches {
    begun: AtomicU64,
    stops: AtomicBool,
}

impl Progress for Searches {
    fn begin(&self, stage: &str, _total: u64, _unit: Unit) {
        if stage.starts_with("searching") {
            self.begun.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn advance(&self, _amount: u64) {}

    fn cancelled(&self) -> bool {
        self.stops.load(Ordering::Relaxed)
    }
}

/// A position, and a tablebase of which the searches are counted.
struct Asked {
    at: At,
    tablebase: Tablebase,
    searches: Arc<Searches>,
}

impl Asked {
    fn of(variant: &str, moves: &str) -> Asked {
        let variant = Arc::new(Variant::parse(variant).unwrap());
        let place = greenwave_tablebase::Place::start().after(moves);
        let position = place.find(&variant).unwrap();
        let searches = Arc::new(Searches::default());
        let tablebase = Tablebase::open("no-such-folder").unwrap();
        Asked {
            at: At::new(variant, position),
            tablebase: tablebase.watched_by(searches.clone()),
            searches,
        }
    }

    fn options(milliseconds: u64) -> QueryOptions {
        QueryOptions::within(Some(Budget::Time(Duration::from_millis(milliseconds))))
    }

    /// The answer within so many milliseconds, and the number of searches that it took.
    fn ask(&self, milliseconds: u64) -> (Answer, u64) {
        let before = self.searches.begun.load(Ordering::Relaxed);
        let options = Asked::options(milliseconds);
        let answer = self.tablebase.query_of(&self.at, &options).unwrap();
        let begun = self.searches.begun.load(Ordering::Relaxed) - before;
        (answer, begun)
    }
}

fn known_moves(answer: &Answer) -> usize {
    let known = answer.moves.iter();
    known.filter(|mv| mv.figures().value.is_some()).count()
}

#[test]
fn what_was_searched_for_is_not_searched_for_again() {
    for (variant, moves) in OPEN {
        let asked = Asked::of(variant, moves);
        assert!(!asked.tablebase.is_found(&asked.at, &Asked::options(0)));
        let (first, begun) = asked.ask(50);
        assert!(begun > 0, "{variant}");
        assert!(asked.tablebase.is_found(&asked.at, &Asked::options(50)));
        assert_eq!(asked.ask(50), (first.clone(), 0), "{variant}");
        assert_eq!(asked.ask(0), (first.clone(), 0), "{variant}");
        assert!(!asked.tablebase.is_found(&asked.at, &Asked::options(200)));
        let (longer, begun) = asked.ask(200);
        assert!(begun > 0, "{variant}");
        assert!(
            longer.undecided_within >= first.undecided_within,
            "{variant}"
        );
        assert!(known_moves(&longer) >= known_moves(&first), "{variant}");
        // The better answer is that of shorter questions, too.
        assert_eq!(asked.ask(50), (longer.clone(), 0), "{variant}");
        // Where positions are counted, each question is answered by itself.
        let nodes = QueryOptions::within(Some(Budget::Nodes(10)));
        assert!(!asked.tablebase.is_found(&asked.at, &nodes));
        asked.tablebase.give_back();
        assert!(!asked.tablebase.is_found(&asked.at, &Asked::options(0)));
    }
}

#[test]
fn a_search_that_is_cut_short_leaves_what_was_known() {
    for (variant, moves) in OPEN {
        let asked = Asked::of(variant, moves);
        let (known, _) = asked.ask(200);
        asked.searches.stops.store(true, Ordering::Relaxed);
        let (less, _) = asked.ask(1_000);
        assert_eq!(less.undecided_within, known.undecided_within, "{variant}");
        assert_eq!(less.moves, known.moves, "{variant}");
        asked.searches.stops.store(false, Ordering::Relaxed);
        // It did not have its time, and the next question tries again.
        assert!(!asked.tablebase.is_found(&asked.at, &Asked::options(1_000)));
        assert!(asked.tablebase.is_found(&asked.at, &Asked::options(200)));
    }
}

#[test]
fn a_short_question_solves_what_takes_no_longer() {
    // A small game is solved whole where the machine is estimated to be quick enough, and of a larger one what a late
    // position needs.
    for (variant, moves, is_small) in [
        ("bag-classic-1x3", "[RG] +R [RG] +R [RG]", true),
        (
            "bag-classic-2x4",
            "[RG] +R [GG] +G [GG] +G [GG] +G [YG] +G [YY] +Y [YY] miss a1R+Y [RY] a1Y+Y [RR] a1G+R [RY] miss \
             d2R+Y [RY] d2Y+Y [RY] d2G+R [YY] miss b1R+Y [YY] b1Y+Y [YG]",
            false,
        ),
    ] {
        const TIME: u64 = 5_000;
        let asked = Asked::of(variant, moves);
        let (answer, begun) = asked.ask(TIME);
        assert_eq!((answer.source.kind, begun), (SourceKind::Solved, 0));
        let is_whole = asked.tablebase.is_at_hand(asked.at.variant());
        assert!(is_small || !is_whole, "{variant}");
        assert_eq!(
            asked.tablebase.is_settled(&asked.at),
            !is_whole,
            "{variant}"
        );
        assert_eq!(asked.ask(TIME), (answer, 0));
    }
    let open = Asked::of("ampel", "");
    open.ask(60);
    assert!(!open.tablebase.is_settled(&open.at));
}
