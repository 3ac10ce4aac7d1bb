//! By what the results of big boards are confirmed.

use std::collections::BTreeSet;
use std::time::Instant;

use greenwave_game::{BoardGame, Code, Figures, Game, Metric, Outcome, Play, Raise};
use greenwave_solver::sweep::{self, Kernel, Options, Plan, SquareOrder};
use greenwave_solver::{Search, SearchBudget, SearchVerdict};
use greenwave_sweep::again::{self, SweepOptions};
use greenwave_table::Summary;
use greenwave_values::Silent;
use serde::{Deserialize, Serialize};

use super::MEMORY;

/// Most squares of boards that are swept in all positions, too, and without symmetry.
const WHOLE_SQUARES: u32 = 21;

/// Most squares of boards that are swept with the instructions of other machines, too.
const AVX2_SQUARES: u32 = 25;

/// Positions on which a result is confirmed by search.
const SAMPLES: usize = 10_000;

/// By what a result was confirmed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Confirmed {
    /// Positions without a line, counted square by square without the solver: won and lost together.
    pub(super) line_free: u128,
    /// What else, from some squares on.
    pub(super) big: Option<Big>,
}

/// By what a big result was confirmed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Big {
    /// Undecided positions, counted without the solver, too: as many were swept.
    pub(super) undecided: u64,
    /// Sweeps that came to the same counts and openings.
    pub(super) sweeps: Vec<Sweep>,
    /// Sampled positions whose value a forward search proved to be that of the sweep.
    pub(super) searched: usize,
}

/// A way to sweep a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Sweep {
    /// Blocks of all positions.
    Dense,
    /// The same with the squares in another order, hence with other blocks.
    DenseOther,
    /// Streams of undecided positions, one of each symmetric set.
    Packed,
    /// The same with other low squares, hence with other families, blocks and waves.
    PackedOther,
    /// The same without symmetry.
    PackedWhole,
    /// The same with the instructions that machines without AVX-512 have.
    PackedAvx2,
}

impl Sweep {
    /// What stands for it in the table of the page.
    pub(super) fn letters(self) -> &'static str {
        match self {
            Sweep::Dense => "D",
            Sweep::DenseOther => "D′",
            Sweep::Packed => "P",
            Sweep::PackedOther => "P′",
            Sweep::PackedWhole => "W",
            Sweep::PackedAvx2 => "A",
        }
    }

    /// Whether this machine has two kinds of instructions, where that is what is compared.
    pub(super) fn is_possible(&self) -> bool {
        *self != Sweep::PackedAvx2 || Kernel::Avx512.is_supported()
    }
}

impl Confirmed {
    /// Of a board that is confirmed in other ways: small enough for a sweep that looks at every position,
    /// or with points, by the same lines without them.
    pub(super) fn of_small(game: &BoardGame) -> Confirmed {
        Confirmed {
            line_free: without_lines(game),
            big: None,
        }
    }
}

/// Solves a big board, and again in the ways that its size and the memory allow.
pub(super) fn swept(game: &BoardGame) -> (Summary, Confirmed) {
    let name = &game.rules().name;
    let folder = tempfile::tempdir().unwrap();
    let plan = |way: SweepOptions| again::plan(game, Metric::Value, way);
    let way = SweepOptions {
        memory: MEMORY,
        ..SweepOptions::default()
    };
    let cells = game.rules().cells;
    let first = SweepOptions {
        watched: samples(game),
        scratch: Some(folder.path().join("first")),
        ..way.clone()
    };
    let start = Instant::now();
    let told = |sweep: Sweep| eprintln!("{name} {sweep:?}: {} s", start.elapsed().as_secs());
    let solved = plan(first).unwrap().run(&Silent).unwrap();
    told(Sweep::Packed);
    let line_free = without_lines(game);
    let undecided = if game.board().play == Play::Misere {
        line_free
    } else {
        undecided(game)
    };
    assert_eq!(u128::from(solved.undecided), undecided, "{name}");
    let mut sweeps = vec![Sweep::Packed];
    let small = cells <= WHOLE_SQUARES;
    let orders = [
        (Sweep::Dense, SquareOrder::Best),
        (Sweep::DenseOther, SquareOrder::Other),
    ];
    for (sweep, squares) in orders.into_iter().filter(|_| small) {
        let options = Options {
            squares,
            ..Options::default()
        };
        let plan = Plan::new(game, Metric::Value, options).unwrap();
        if plan.memory_bytes() > u128::from(MEMORY) {
            continue;
        }
        let other = sweep::solve(&plan, &Silent).unwrap();
        assert_eq!(other.summary, solved.summary, "{name} {sweep:?}");
        told(sweep);
        sweeps.push(sweep);
    }
    let ways = [
        (
            Sweep::PackedOther,
            SweepOptions {
                squares: SquareOrder::Other,
                scratch: Some(folder.path().join("other")),
                ..way.clone()
            },
        ),
        (
            Sweep::PackedWhole,
            SweepOptions {
                symmetric: false,
                ..way.clone()
            },
        ),
        (
            Sweep::PackedAvx2,
            SweepOptions {
                kernel: Kernel::Avx2,
                ..way
            },
        ),
    ];
    for (sweep, again) in ways {
        let wanted = match sweep {
            Sweep::PackedWhole => small,
            Sweep::PackedAvx2 => cells <= AVX2_SQUARES && sweep.is_possible(),
            Sweep::Dense | Sweep::DenseOther | Sweep::Packed | Sweep::PackedOther => true,
        };
        if !wanted {
            continue;
        }
        let Some(again) = plan(again).filter(|again| again.fits().is_ok()) else {
            continue;
        };
        let other = again.run(&Silent).unwrap();
        assert_eq!(other.summary, solved.summary, "{name} {sweep:?}");
        assert_eq!(other.undecided, solved.undecided, "{name} {sweep:?}");
        if let (Some(own), Some(first)) = (&other.lost, &solved.lost) {
            assert_eq!(own, first, "{name} {sweep:?}: by level sum");
        }
        told(sweep);
        sweeps.push(sweep);
    }
    let big = Big {
        undecided: solved.undecided,
        sweeps,
        searched: searched(game, &solved.watched),
    };
    let confirmed = Confirmed {
        line_free,
        big: Some(big),
    };
    (solved.summary, confirmed)
}

/// Boards without a line.
fn without_lines(game: &BoardGame) -> u128 {
    count(game, |levels| lines(game).any(|line| line == levels))
}

/// Boards without a line, and without one that a raise completes.
fn undecided(game: &BoardGame) -> u128 {
    count(game, |levels| {
        let one_before = |line: [u8; 3]| {
            (0..3).any(|place| {
                let mut before = line;
                before[place] -= 1;
                before == levels
            })
        };
        lines(game).any(|line| line == levels || one_before(line))
    })
}

/// The lights of a line, along it either way.
fn lines(game: &BoardGame) -> impl Iterator<Item = [u8; 3]> {
    let alike = game.rules().name.starts_with("classic");
    let rising = [[1, 2, 3], [3, 2, 1]].into_iter().filter(move |_| !alike);
    (1..=3).map(|light| [light; 3]).chain(rising)
}

/// Boards on which no three squares in a row are forbidden, counted from the geometry alone: square by
/// square, remembering as many squares back as a line can reach.
fn count(game: &BoardGame, forbidden: impl Fn([u8; 3]) -> bool) -> u128 {
    let forbidden: Vec<bool> = (0..64_u8)
        .map(|three| forbidden([three >> 4, three >> 2 & 3, three & 3]))
        .collect();
    let shape = &game.board().shape;
    // Along the shorter side fewer squares have to be remembered.
    let (long, short) = {
        let (ranks, files) = (shape.ranks(), shape.files());
        (usize::from(ranks.max(files)), usize::from(ranks.min(files)))
    };
    // Steps from a square to the one before it in a line: rank, file.
    let steps: [(usize, isize); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];
    let window = 2 * short + 2;
    let keep = (1_usize << (2 * window)) - 1;
    let mut boards = vec![0_u128; keep + 1];
    boards[0] = 1;
    for square in 0..long * short {
        let (rank, file) = (square / short, (square % short) as isize);
        let backs: Vec<usize> = steps
            .iter()
            .filter(|(up, along)| {
                let last = file - 2 * along;
                rank >= 2 * up && (0..short as isize).contains(&last)
            })
            .map(|(up, along)| (*up as isize * short as isize + along) as usize)
            .collect();
        let mut next = vec![0_u128; keep + 1];
        for (recent, count) in boards.iter().enumerate().filter(|(_, count)| **count > 0) {
            // The square `back` squares ago is in the digit back − 1.
            let level_of = |back: usize| recent >> (2 * (back - 1)) & 3;
            for level in 0..4 {
                let three = |back: &usize| level_of(2 * back) << 4 | level_of(*back) << 2 | level;
                if !backs.iter().any(|back| forbidden[three(back)]) {
                    next[(recent << 2 | level) & keep] += count;
                }
            }
        }
        boards = next;
    }
    boards.into_iter().sum()
}

/// Positions late in random plays that give nothing away: no move loses at once. More than are
/// needed.
fn samples(game: &BoardGame) -> Vec<u64> {
    let mut found = BTreeSet::new();
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = |below: usize| {
        // xorshift64*, Vigna 2016.
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        (state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % below
    };
    let misere = game.board().play == Play::Misere;
    let mut moves = Vec::new();
    while found.len() < SAMPLES + SAMPLES / 5 {
        let mut play: Vec<Code> = vec![game.start()];
        loop {
            let position = play[play.len() - 1];
            game.moves(&position, &mut moves);
            let quiet: Vec<Raise> = moves
                .iter()
                .copied()
                .filter(|mv| {
                    let to = game.play(&position, *mv).to;
                    !game.has_line(to) && (misere || !game.has_threat(to))
                })
                .collect();
            if quiet.is_empty() {
                break;
            }
            play.push(game.play(&position, quiet[random(quiet.len())]).to);
        }
        let back = random(play.len().min(5));
        found.extend(play.iter().rev().nth(back).map(|position| position.0));
    }
    found.into_iter().collect()
}

/// How many of the watched positions a forward search decides, each with the same value.
fn searched(game: &BoardGame, watched: &[(u64, Figures)]) -> usize {
    let search = Search::new(game, 1 << 28).unwrap();
    let budget = SearchBudget {
        nodes: Some(50_000),
        deadline: None,
    };
    let mut decided = 0;
    for (index, figures) in watched {
        let found = search.search(&Code(*index), budget, &Silent);
        if let SearchVerdict::Proven(proven) = found.root {
            let name = &game.rules().name;
            assert_eq!(proven.value, figures.value, "{name}: index {index}");
            assert!(matches!(proven.value, Some(Outcome::Win | Outcome::Loss)));
            decided += 1;
        }
    }
    assert!(decided >= SAMPLES, "{decided} decided");
    decided
}
