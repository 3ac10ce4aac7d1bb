//! Certificates win against every defence, with nothing to spare.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use greenwave_game::{
    BoardGame, Code, Dense, Game, Metric, Outcome, Raise, Squares, Variant, with_game,
};
use greenwave_judge::{Aim, Certificate, JudgeError, certify};
use greenwave_solver::solve;
use greenwave_tablebase::{Settings, Tablebase};
use greenwave_values::{Progress, Silent, Unit};

fn within(memory: u64) -> Tablebase {
    let settings = Settings {
        memory: Some(memory),
        threads: Some(1),
    };
    Tablebase::with_settings("no-tables", &settings).unwrap()
}

fn made(name: &str) -> (BoardGame, Result<Certificate<Code, Raise>, JudgeError>) {
    made_by(name, &within(1 << 30))
}

fn made_by(
    name: &str,
    tablebase: &Tablebase,
) -> (BoardGame, Result<Certificate<Code, Raise>, JudgeError>) {
    let variant = Variant::parse(name).unwrap();
    let Variant::Board(game) = variant.clone() else {
        panic!("{name} is a board")
    };
    let values = solve(&variant, Metric::Value, u64::MAX, &Silent).unwrap();
    let value_of = |code: &Code| Ok(values.figures(game.index(code)).value);
    let made = certify(&game, &value_of, tablebase);
    (game, made.map(|mut made| made.remove(0)))
}

/// Follows the replies against every defence, by the rules alone; the first thing that is wrong.
fn followed(
    game: &BoardGame,
    first_player: bool,
    replies: &HashMap<Code, (Code, Raise)>,
) -> Result<usize, String> {
    let text = |code: &Code| game.position_text(code);
    let mut seen = HashSet::new();
    let mut used = HashSet::new();
    let mut waiting = vec![(game.start(), first_player)];
    let mut moves = Vec::new();
    while let Some((code, winners_turn)) = waiting.pop() {
        if !seen.insert((game.canonical(&code), winners_turn)) {
            continue;
        }
        if let Some(ending) = game.ending(&code) {
            let wanted = if winners_turn {
                Outcome::Win
            } else {
                Outcome::Loss
            };
            if ending.outcome != wanted {
                return Err(format!("{} is not won", text(&code)));
            }
            continue;
        }
        game.moves(&code, &mut moves);
        if !winners_turn {
            waiting.extend(moves.iter().map(|mv| (game.play(&code, *mv).to, true)));
            continue;
        }
        let wins = |mv: &Raise| {
            let ending = game.ending(&game.play(&code, *mv).to);
            ending.is_some_and(|ending| ending.outcome == Outcome::Loss)
        };
        if moves.iter().any(wins) {
            continue;
        }
        let key = game.canonical(&code);
        let Some((listed, mv)) = replies.get(&key) else {
            return Err(format!("no reply to {}", text(&code)));
        };
        used.insert(key);
        waiting.push((game.play(listed, *mv).to, false));
    }
    Ok(used.len())
}

#[test]
fn every_defence_is_answered_and_every_reply_is_needed() {
    let cases = [
        ("classic-3x3", true, 16),
        ("signal-3x3", true, 14),
        ("green-3x3", true, 318),
        ("classic-3x3:play=misere", true, usize::MAX),
        ("classic-2x4", false, usize::MAX),
        ("classic-3x4", false, 2675),
    ];
    for (name, first, size) in cases {
        let (game, certificate) = made(name);
        let certificate = certificate.unwrap();
        assert_eq!(
            (certificate.first_player, certificate.aim),
            (first, Aim::Win),
            "{name}"
        );
        let entries = &certificate.entries;
        assert!(
            entries.len() == size || size == usize::MAX,
            "{name}: {}",
            entries.len()
        );
        assert!(
            size == usize::MAX || certificate.first_replies >= 5 * size as u64,
            "{name}: {} without choice",
            certificate.first_replies
        );
        let mut replies: HashMap<Code, (Code, Raise)> = entries
            .iter()
            .map(|(code, mv)| (game.canonical(code), (*code, *mv)))
            .collect();
        assert_eq!(
            replies.len(),
            entries.len(),
            "{name}: an orbit stands twice"
        );
        assert_eq!(
            followed(&game, first, &replies),
            Ok(entries.len()),
            "{name}"
        );
        for (code, _) in entries.iter().step_by(entries.len().div_ceil(20)) {
            let key = game.canonical(code);
            let taken = replies.remove(&key).unwrap();
            assert!(
                followed(&game, first, &replies).is_err(),
                "{name} without {code:?}"
            );
            replies.insert(key, taken);
        }
    }
}

/// Wishes to stop after this many reports.
struct Until {
    reports: u64,
    told: AtomicU64,
}

impl Progress for Until {
    fn begin(&self, _stage: &str, _total: u64, _unit: Unit) {}

    fn advance(&self, _amount: u64) {
        self.told.fetch_add(1, Ordering::Relaxed);
    }

    fn cancelled(&self) -> bool {
        self.told.load(Ordering::Relaxed) >= self.reports
    }
}

#[test]
fn work_on_a_certificate_is_told_and_can_be_stopped() {
    let until = Arc::new(Until {
        reports: 3,
        told: AtomicU64::new(0),
    });
    let watched = within(1 << 30).watched_by(Arc::clone(&until) as _);
    let stopped = made_by("classic-3x4", &watched).1;
    assert!(matches!(stopped, Err(JudgeError::Interrupted)));
    assert_eq!(until.told.load(Ordering::Relaxed), 3);
}

#[test]
fn costs_that_do_not_fit_the_memory_are_refused() {
    let error = made_by("classic-3x4", &within(1 << 19)).1.unwrap_err();
    assert!(error.is_of_memory());
    let said = error.to_string();
    let expected = "choosing replies for classic-3x4 needs 544.0 KiB of memory, but may use 512.0 KiB; give more \
                    with --memory";
    assert_eq!(said, expected);
    assert_eq!(
        made_by("classic-3x3", &within(1 << 19))
            .1
            .unwrap()
            .entries
            .len(),
        16
    );
}

/// Follows the replies of a player who never loses, by the rules alone; the first thing that is wrong.
fn held<G: Squares>(
    game: &G,
    first_player: bool,
    replies: &HashMap<G::Position, (G::Position, G::Move)>,
) -> Result<usize, String> {
    let mut seen = HashSet::new();
    let mut used = HashSet::new();
    let mut waiting = vec![(game.start(), first_player)];
    let mut moves = Vec::new();
    while let Some((position, players_turn)) = waiting.pop() {
        let key = game.canonical(&position);
        if !seen.insert((key, players_turn)) {
            continue;
        }
        if let Some(ending) = game.ending(&position) {
            let lost = if players_turn {
                Outcome::Loss
            } else {
                Outcome::Win
            };
            if ending.outcome == lost {
                return Err(format!("{} is lost", game.position_text(&position)));
            }
            continue;
        }
        game.moves(&position, &mut moves);
        if !players_turn {
            waiting.extend(moves.iter().map(|mv| (game.play(&position, *mv).to, true)));
            continue;
        }
        let wins = |mv: &G::Move| {
            let ending = game.ending(&game.play(&position, *mv).to);
            ending.is_some_and(|ending| ending.outcome == Outcome::Loss)
        };
        if moves.iter().any(wins) {
            continue;
        }
        let Some((listed, mv)) = replies.get(&key) else {
            return Err(format!("no reply to {}", game.position_text(&position)));
        };
        used.insert(key);
        waiting.push((game.play(listed, *mv).to, false));
    }
    Ok(used.len())
}

fn each_player_holds<G: Squares>(game: &G, variant: &Variant) {
    let name = &variant.rules().name;
    let values = solve(variant, Metric::Value, u64::MAX, &Silent).unwrap();
    let value_of = |position: &G::Position| Ok(values.figures(game.index(position)).value);
    let both = certify(game, &value_of, &within(1 << 30)).unwrap();
    let aims: Vec<_> = both
        .iter()
        .map(|made| (made.first_player, made.aim))
        .collect();
    assert_eq!(aims, [(true, Aim::Draw), (false, Aim::Draw)], "{name}");
    for made in both {
        let listed = made.entries.iter();
        let mut replies: HashMap<_, _> = listed
            .map(|(position, mv)| (game.canonical(position), (*position, *mv)))
            .collect();
        let number = replies.len();
        assert_eq!(number, made.entries.len(), "{name}: an orbit stands twice");
        assert_eq!(
            held(game, made.first_player, &replies),
            Ok(number),
            "{name}"
        );
        assert!(made.first_replies >= number as u64, "{name}");
        for (position, _) in &made.entries {
            let key = game.canonical(position);
            let taken = replies.remove(&key).unwrap();
            assert!(held(game, made.first_player, &replies).is_err(), "{name}");
            replies.insert(key, taken);
        }
    }
}

#[test]
fn a_drawn_game_has_a_certificate_of_each_player() {
    for name in [
        "noughts-3x3",
        "noughts-3x3:play=misere",
        "classic-1x3:supply=cap1",
        "classic-2x2",
    ] {
        let variant = Variant::parse(name).unwrap();
        with_game!(&variant, game => each_player_holds(game, &variant));
    }
}
