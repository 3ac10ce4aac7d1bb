//! Cone sweeps of positions on large boards, compared with the forward search, and of positions under random
//! rule files, compared with the brute force. Neither shares code with the sweep.

use greenwave_game::{BoardGame, Code, Figures, Game, Metric, RuleFile, Variant};
use greenwave_solver::{Search, SearchBudget, SearchVerdict};
use greenwave_sweep::cone::{ConeOptions, plan};
use greenwave_testkit::{Reference, SeededNumbers, calm_position, held_by, rule_file};
use greenwave_values::Silent;

use crate::{Extent, Report};

/// A large board, and how late its positions are.
#[derive(Clone, Copy, Debug)]
pub struct Board {
    /// The name of the variant.
    pub name: &'static str,
    /// The fewest plies before a position: a search settles nearly all positions that late.
    pub plies: u64,
}

/// The large boards, which the cases take in turn.
pub const BOARDS: [Board; 4] = [
    Board {
        name: "classic-5x5",
        plies: 34,
    },
    Board {
        name: "classic-4x6",
        plies: 33,
    },
    Board {
        name: "classic-3x8",
        plies: 33,
    },
    Board {
        name: "classic-5x6",
        plies: 43,
    },
];

/// How many plies more there may be, one less than this.
const MORE: u64 = 6;

/// Positions that a search looks at before it gives up.
const NODES: u64 = 300_000;

/// Squares of the largest rule files that the brute force solves.
const SQUARES: usize = 9;

/// Runs the campaign: four cases on the large boards, then a rule file.
#[must_use]
pub fn run(extent: Extent) -> Report {
    let every = BOARDS.len() as u64 + 1;
    run_cases(extent, |case| {
        (case % every != every - 1).then_some(case % every)
    })
}

/// Runs the cases on large boards alone.
#[must_use]
pub fn run_boards(extent: Extent) -> Report {
    run_cases(extent, |case| Some(case % BOARDS.len() as u64))
}

/// Runs the cases with rule files alone.
#[must_use]
pub fn run_rule_files(extent: Extent) -> Report {
    run_cases(extent, |_| None)
}

// Runs each case on the board of some number, or on a rule file where there is none.
fn run_cases(extent: Extent, board: impl Fn(u64) -> Option<u64>) -> Report {
    let mut report = Report::default();
    for case in extent.cases() {
        let mut seeded = extent.seeded(case);
        let named = format!("case {case} of seed {}", extent.seed);
        match board(case) {
            Some(number) => {
                let board = BOARDS[number as usize];
                report.case(&format!("{named}: {}", board.name), |report| {
                    large(board, &mut seeded, report)
                });
            }
            None => {
                let text = rule_file(&mut seeded);
                report.case(&format!("{named}: {text:?}"), |report| {
                    small(&text, &mut seeded, report)
                });
            }
        }
    }
    report
}

fn children(game: &BoardGame, position: Code) -> Vec<Code> {
    let mut moves = Vec::new();
    game.moves(&position, &mut moves);
    let played = moves.iter().map(|mv| game.play(&position, *mv).to);
    played.collect()
}

// The figures of some positions by one sweep; `None` where the sweep does not treat the rules.
fn swept(game: &BoardGame, asked: &[Code], metric: Metric) -> Result<Option<Vec<Figures>>, String> {
    let planned = plan(game, asked, metric, ConeOptions::default());
    let found = planned.map(|planned| planned.run(&Silent));
    found.transpose().map_err(|error| error.to_string())
}

fn large(board: Board, seeded: &mut SeededNumbers, report: &mut Report) -> Result<(), String> {
    let game = BoardGame::named(board.name).map_err(|error| error.to_string())?;
    let plies = board.plies + seeded.below(MORE);
    let position = (0..1_000).find_map(|_| calm_position(&game, plies, seeded));
    let position = position.ok_or("every game is decided so late")?;
    let text = game.position_text(&position);
    let mut asked = vec![position];
    asked.extend(children(&game, position));
    let distances = swept(&game, &asked, Metric::Distance)?.ok_or("it is not swept")?;
    let values = swept(&game, &asked, Metric::Value)?.ok_or("it is not swept")?;
    let search = Search::new(&game, 1 << 29).map_err(|error| error.to_string())?;
    let budget = SearchBudget {
        nodes: Some(NODES),
        deadline: None,
    };
    let found = search.search(&position, budget, &Silent);
    let replies = found.replies.iter().map(|reply| reply.searched);
    let searched = std::iter::once(found.root).chain(replies);
    for (number, searched) in searched.enumerate() {
        let what = if number == 0 { "positions" } else { "moves" };
        let SearchVerdict::Proven(figures) = searched else {
            report.count(&format!("{what} that the search left open"));
            continue;
        };
        if distances[number] != figures || values[number].value != figures.value {
            return Err(format!(
                "{text}, move {number}: swept {:?} and {:?}, searched {figures:?}",
                distances[number], values[number]
            ));
        }
        report.count(&format!("{what} of {} compared", board.name));
    }
    Ok(())
}

fn small(text: &str, seeded: &mut SeededNumbers, report: &mut Report) -> Result<(), String> {
    let Ok(file) = RuleFile::parse("random.toml", text) else {
        report.count("rule files refused");
        return Ok(());
    };
    let Variant::Board(game) = &file.variant else {
        report.count("rule files without a board of lights");
        return Ok(());
    };
    if game.board().shape.cells() > SQUARES {
        report.count("rule files too large for the brute force");
        return Ok(());
    }
    let from = (0..20).find_map(|_| calm_position(game, seeded.below(6), seeded));
    let from = from.unwrap_or_else(|| game.start());
    if game.ending(&from).is_some() {
        report.count("rule files that begin with their end");
        return Ok(());
    }
    // The position, its moves and the replies to them.
    let moves = children(game, from);
    let open = moves.iter().filter(|to| game.ending(to).is_none());
    let replies: Vec<Code> = open.flat_map(|to| children(game, *to)).collect();
    let mut asked = [vec![from], moves, replies].concat();
    asked.sort_unstable();
    asked.dedup();
    let mut reference = Reference::new(game).map_err(|why| format!("{why:?}"))?;
    for metric in game.rules().metrics.iter().copied() {
        let Some(found) = swept(game, &asked, metric)? else {
            report.count("metrics of rule files that no sweep treats");
            continue;
        };
        for (position, found) in asked.iter().zip(found) {
            let expected = held_by(metric, reference.figures(position));
            if found != expected {
                return Err(format!(
                    "{metric} of {}: swept {found:?}, by brute force {expected:?}",
                    game.position_text(position)
                ));
            }
        }
        report.count("metrics of rule files compared");
        report.add("positions of rule files compared", asked.len() as u64);
    }
    Ok(())
}
