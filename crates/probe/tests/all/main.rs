//! Answers, lines, counts and sums against what follows from the rules and what is published. The values are those
//! of the published tables.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::path::PathBuf;

use greenwave_game::{Dense, Figures, Game, Metric, Outcome, Plies, Variant, with_game};
use greenwave_probe::{
    PositionAnswer, Sample, answer, best_of_sum, line, nimber_of_sum, rank, reachable, summand,
    verify, verify_sample,
};
use greenwave_table::Table;
use greenwave_values::{Silent, TableValues, ValueSource};

fn table(variant: &str, metric: Metric) -> Table {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../solutions");
    Table::open(folder.join(variant).join(format!("{metric}.gwt"))).unwrap()
}

/// Value and plies to the end, worked out move by move.
fn minimax<G: Game>(game: &G, position: &G::Position) -> (Outcome, u32) {
    if let Some(ending) = game.ending(position) {
        return (ending.outcome, 0);
    }
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let after = moves.iter().map(|mv| {
        let (outcome, plies) = minimax(game, &game.play(position, *mv).to);
        (outcome.negated(), plies + 1)
    });
    let after: Vec<(Outcome, u32)> = after.collect();
    let plies = |wanted| {
        after
            .iter()
            .filter(move |one| one.0 == wanted)
            .map(|one| one.1)
    };
    if let Some(soonest) = plies(Outcome::Win).min() {
        (Outcome::Win, soonest)
    } else if plies(Outcome::Draw).next().is_some() {
        (Outcome::Draw, 0)
    } else {
        (Outcome::Loss, plies(Outcome::Loss).max().unwrap_or(0))
    }
}

#[test]
fn answers_are_those_of_a_search_through_all_games() {
    let variant = Variant::parse("noughts-3x3").unwrap();
    let table = table("noughts-3x3", Metric::Distance);
    with_game!(&variant, game => {
        let source = TableValues::new(game, &table).unwrap();
        for index in (0..game.indexable() as u64).step_by(5) {
            let Some(position) = game.at(index) else {
                continue;
            };
            // Of an emptier board the search would be long.
            let mut moves = Vec::new();
            game.moves(&position, &mut moves);
            if moves.len() > 6 {
                continue;
            }
            let found = answer(game, &position, &source).unwrap();
            let text = game.position_text(&position);
            let (outcome, plies) = minimax(game, &position);
            assert_eq!(found.terminal, game.ending(&position).is_some(), "{text}");
            assert_eq!(found.figures.value, Some(outcome), "{text}");
            let told = (outcome != Outcome::Draw).then_some(Plies(plies));
            assert_eq!(found.figures.distance, told, "{text}");
            for mv in &found.moves {
                let (outcome, plies) = minimax(game, &mv.to);
                assert_eq!(mv.figures.value, Some(outcome.negated()), "{text}");
                let told = (outcome != Outcome::Draw).then_some(Plies(plies + 1));
                assert_eq!(mv.figures.distance, told, "{text}");
            }
            let ranks = || found.moves.iter().map(|mv| rank(&mv.figures));
            assert!(ranks().is_sorted(), "{text}: best moves come first");
            if !found.terminal {
                let first = rank(&found.moves[0].figures);
                let ties = ranks().filter(|other| *other == first).count();
                assert_eq!(found.best, ties, "{text}");
                assert_eq!(found.moves[0].figures.value, found.figures.value, "{text}");
            }
        }
    });
}

#[test]
fn a_line_plays_best_moves_to_the_end() {
    for (name, plies) in [("classic-3x3", 17), ("noughts-3x3", 9), ("ampel-4-2-1", 18)] {
        let variant = Variant::parse(name).unwrap();
        let table = table(name, Metric::Distance);
        with_game!(&variant, game => {
            let source = TableValues::new(game, &table).unwrap();
            let found = line(game, &game.start(), &source, 1000).unwrap();
            assert_eq!(found.len(), plies, "{name}");
            let mut position = game.start();
            for (number, ply) in found.iter().enumerate() {
                assert!(ply.from == position && ply.chance == 1.0, "{name} {number}");
                assert!(game.play(&position, ply.mv).to == ply.to, "{name} {number}");
                if let Some(distance) = ply.figures.distance {
                    assert_eq!(distance.0 as usize, plies - number, "{name}");
                }
                position = ply.to;
            }
            assert!(game.ending(&position).is_some(), "{name}");
            let cut = line(game, &game.start(), &source, 4).unwrap();
            assert_eq!(cut[..], found[..4], "{name}");
        });
    }
}

#[test]
fn the_positions_that_play_reaches_are_as_many_as_published() {
    let variant = Variant::parse("noughts-3x3").unwrap();
    let table = table("noughts-3x3", Metric::Value);
    with_game!(&variant, game => {
        let source = TableValues::new(game, &table).unwrap();
        let counts = reachable(game, &source, &Silent).unwrap();
        let all = counts.win + counts.loss + counts.draw + counts.terminal;
        // E. W. Weisstein, "Tic-Tac-Toe", MathWorld: 5,478 positions, of which 958 are finished.
        assert_eq!((all, counts.terminal), (5478, 958));
    });
}

#[test]
fn tables_that_follow_from_the_rules_are_confirmed() {
    for (name, metric) in [
        ("classic-3x3", Metric::Nimber),
        ("points-3x3", Metric::Points),
        ("noughts-3x3", Metric::Distance),
        ("ampel-4-2-1", Metric::Value),
    ] {
        let variant = Variant::parse(name).unwrap();
        let table = table(name, metric);
        with_game!(&variant, game => {
            let values = TableValues::new(game, &table).unwrap();
            let found = verify(&values, game, &|_| ()).unwrap();
            assert!(found.positions > 0 && found.mismatches == 0, "{name} {metric}: {found:?}");
            let sample = Sample { count: 100, seed: 3 };
            let some = verify_sample(&values, game, sample, &|_| ()).unwrap();
            // A list of positions is checked whole, or not at all.
            assert_eq!(some.is_none(), name.starts_with("ampel"), "{name}");
            let mismatches = some.map_or(0, |some| some.mismatches);
            assert_eq!(mismatches, 0, "{name} {metric}");
        });
    }
}

/// Positions of the games that begin with one, up to some number.
fn within<G: Game>(game: &G, position: &G::Position, most: usize) -> usize {
    let mut moves = Vec::new();
    if game.ending(position).is_none() {
        game.moves(position, &mut moves);
    }
    let mut all = 1;
    for mv in moves {
        if all > most {
            break;
        }
        all += within(game, &game.play(position, mv).to, most - all.min(most));
    }
    all
}

/// Whether the player to move makes the last move of all on two boards.
fn wins_both<G: Game>(game: &G, boards: [&G::Position; 2]) -> bool {
    (0..2).any(|place| {
        let mut moves = Vec::new();
        if game.ending(boards[place]).is_none() {
            game.moves(boards[place], &mut moves);
        }
        moves.iter().any(|mv| {
            let to = game.play(boards[place], *mv).to;
            let mut after = boards;
            after[place] = &to;
            !wins_both(game, after)
        })
    })
}

#[test]
fn sums_are_won_by_the_moves_that_level_them() {
    let variant = Variant::parse("classic-3x3").unwrap();
    let nimber = table("classic-3x3", Metric::Nimber);
    with_game!(&variant, game => {
        let source = TableValues::new(game, &nimber).unwrap();
        // Positions near the end, few enough on two boards to visit them all.
        let all = (0..game.indexable() as u64).step_by(31).filter_map(|index| game.at(index));
        let late = all.filter(|position| {
            game.ending(position).is_none() && within(game, position, 20) <= 20
        });
        let late: Vec<_> = late.take(10).collect();
        assert_eq!(late.len(), 10);
        let mut lost = 0;
        for one in &late {
            for two in &late {
                let boards = [one, two].map(|at| summand(game, at, &source).unwrap().unwrap());
                let sum = nimber_of_sum(boards.iter().map(|board| board.nimber));
                assert_eq!(sum != 0, wins_both(game, [one, two]));
                lost += usize::from(sum == 0);
                let best = best_of_sum(&[&boards[0], &boards[1]]);
                assert!(!best.is_empty());
                for (place, number) in best.into_iter().filter(|_| sum != 0) {
                    let (mv, _) = boards[place].moves[number];
                    let to = game.play([one, two][place], mv).to;
                    let mut after = [one, two];
                    after[place] = &to;
                    assert!(!wins_both(game, after), "the move levels the sum");
                }
            }
        }
        assert!(lost >= 10, "a position beside itself is lost");
    });
}

/// A source without its distances.
struct ValuesAlone<'a, S>(&'a S);

impl<P, S: ValueSource<P>> ValueSource<P> for ValuesAlone<'_, S> {
    type Error = S::Error;

    fn figures(&self, position: &P) -> Result<Figures, S::Error> {
        let figures = self.0.figures(position)?;
        Ok(Figures {
            distance: None,
            ..figures
        })
    }
}

/// A source that knows the value of one position and of none that follow.
struct ValueOfOne<'a, P, S>(P, &'a S);

impl<P: PartialEq + Sync, S: ValueSource<P>> ValueSource<P> for ValueOfOne<'_, P, S> {
    type Error = S::Error;

    fn figures(&self, position: &P) -> Result<Figures, S::Error> {
        if *position == self.0 {
            ValuesAlone(self.1).figures(position)
        } else {
            Ok(Figures::default())
        }
    }
}

#[test]
fn values_alone_have_the_distances_that_the_rules_tell() {
    for name in ["classic-3x3", "noughts-3x3"] {
        let variant = Variant::parse(name).unwrap();
        let table = table(name, Metric::Distance);
        with_game!(&variant, game => {
            let source = TableValues::new(game, &table).unwrap();
            let mut told = 0;
            for index in (0..game.indexable() as u64).step_by(37) {
                let Some(position) = game.at(index) else {
                    continue;
                };
                let full = answer(game, &position, &source).unwrap();
                let bare = answer(game, &position, &ValuesAlone(&source)).unwrap();
                let text = game.position_text(&position);
                let short = |figures: &Figures| figures.distance.filter(|plies| plies.0 <= 2);
                for mv in &bare.moves {
                    let other = full.moves.iter().find(|other| other.mv == mv.mv).unwrap();
                    assert_eq!(mv.figures.distance, short(&other.figures), "{text}");
                    told += usize::from(mv.figures.distance.is_some());
                }
                if !full.terminal {
                    assert_eq!(bare.figures.distance, short(&full.figures), "{text}");
                    // Whoever loses does not choose to lose at once.
                    let longer = full.moves.iter().any(|mv| short(&mv.figures).is_none());
                    let lost = full.figures.value == Some(Outcome::Loss);
                    let lasts = |found: &PositionAnswer<_, _>| {
                        let mut best = found.moves[..found.best].iter();
                        found.best > 0 && best.all(|mv| short(&mv.figures).is_none())
                    };
                    assert!(!lost || !longer || lasts(&bare));
                    // The same where nothing but the position's own value is known.
                    let one = answer(game, &position, &ValueOfOne(position, &source)).unwrap();
                    assert!(!lost || one.moves.iter().all(|mv| mv.figures.value == Some(Outcome::Loss)));
                    assert!(!lost || !longer || lasts(&one));
                }
            }
            assert!(told > 100, "{name}: {told}");
        });
    }
}
