//! The games with a movable strip against the slow reference: cut-down games on every position, the
//! full ones on seeded positions; and a second proof of the draws.

use std::collections::HashSet;
use std::sync::OnceLock;

use greenwave_game::{
    Advance, BoardRules, CUSTOM, Code, Dense, Diagram, Edge, Ending, Figures, Game, LineScore,
    Metric, MoveError, Opening, Outcome, Play, Rules, SetupError, Shape, Side, Sides, Stalemate,
    StripGame, StripMove, StripPosition, StripRules, Succession, Supply, Tier, WinPattern,
};
use greenwave_probe::verify;
use greenwave_solver::{Search, SearchBudget, SearchVerdict, loopy};
use greenwave_table::Table;
use greenwave_testkit::{Graph, Reference, SeededNumbers, held_by};
use greenwave_values::{Silent, TableValues, Values, summarise, write_table};
use rayon::prelude::*;

const SEED: u64 = 0x57_21b;

const SLOW: bool = cfg!(feature = "slow-tests");

// A main board of two by two and a strip of two squares, lines of two.
fn small(name: &str, patterns: &[&[u8]], change: impl Fn(&mut StripRules)) -> StripGame {
    let pattern = |levels: &&[u8]| WinPattern {
        levels: levels.to_vec(),
        points: i32::from(levels[0]) + 1,
    };
    let mut rules = StripRules {
        main: BoardRules {
            shape: Shape::rectangle(2, 2).unwrap(),
            line_length: 2,
            levels: 3,
            patterns: patterns.iter().map(pattern).collect(),
            play: Play::Normal,
            line_score: LineScore::EachLine,
            supply: Supply::Unlimited,
            stalemate: Stalemate::Draw,
            opening: Opening::default(),
            tops: None,
        },
        turns: true,
        sides: Sides::Any,
        null_moves: true,
        empty_moves: true,
        succession: Succession::Free,
    };
    change(&mut rules);
    StripGame::new(name.into(), &CUSTOM, Vec::new(), rules).unwrap()
}

const EQUAL: &[&[u8]] = &[&[1, 1], &[2, 2], &[3, 3]];
const GREEN: &[&[u8]] = &[&[3, 3]];
const STEPS: &[&[u8]] = &[&[1, 3], &[3, 1]];

fn cut_down_games() -> Vec<StripGame> {
    let barred = |rules: &mut StripRules| rules.succession = Succession::Barred;
    vec![
        small("equal", EQUAL, |_| ()),
        small("equal, barred", EQUAL, barred),
        small("green", GREEN, |_| ()),
        small("green, barred", GREEN, barred),
        small("green, slides only", GREEN, |rules| {
            rules.turns = false;
            rules.sides = Sides::Adjacent;
        }),
        small("green, moves that change something", GREEN, |rules| {
            rules.null_moves = false;
            rules.empty_moves = false;
        }),
        small("green, misère", GREEN, |rules| {
            rules.main.play = Play::Misere
        }),
        small("green, few counters", GREEN, |rules| {
            rules.main.supply = Supply::Cap(2);
        }),
        small("steps, counters used up", STEPS, |rules| {
            rules.main.supply = Supply::Pool(3);
            rules.empty_moves = false;
            rules.null_moves = false;
        }),
        small("steps, barred, stalemate lost", STEPS, |rules| {
            rules.main.supply = Supply::Pool(3);
            rules.main.stalemate = Stalemate::Loss;
            barred(rules);
        }),
        small("equal, for points", EQUAL, |rules| {
            rules.main.play = Play::FirstLine;
            barred(rules);
        }),
        small("steps, for points, few counters", STEPS, |rules| {
            rules.main.play = Play::FirstLine;
            rules.main.line_score = LineScore::EachRun;
            rules.main.supply = Supply::Cap(3);
            barred(rules);
        }),
    ]
}

// Every legal position: all codes, on every side, with either state of the flag.
fn all_positions(game: &StripGame) -> Vec<StripPosition> {
    (0..game.indexable() as u64)
        .filter_map(|index| game.at(index))
        .flat_map(|position| Side::CLOCKWISE.map(|side| StripPosition { side, ..position }))
        .collect()
}

// The figures of positions and, where positions repeat, whether draws are endless.
fn truth<G: Game>(game: &G, positions: &[G::Position]) -> Vec<(Figures, Option<bool>)> {
    if game.rules().properties.advance == Advance::Repeats {
        let graph = Graph::below(game, positions.iter().copied(), 1 << 24).unwrap();
        let of = |position| {
            let verdict = graph.verdict(position).unwrap();
            (verdict.figures(), Some(verdict.endless))
        };
        return positions.iter().map(of).collect();
    }
    let mut reference = Reference::new(game).unwrap();
    let of = |position| (reference.figures(position), None);
    positions.iter().map(of).collect()
}

#[test]
fn cut_down_games_agree_on_every_position() {
    let folder = tempfile::tempdir().unwrap();
    let (mut drawn_ends, mut endless_draws) = (0, 0);
    for game in cut_down_games() {
        let name = &game.rules().name;
        let positions = all_positions(&game);
        let truth = truth(&game, &positions);
        for metric in game.rules().metrics.clone() {
            let solution = loopy::solve(&game, metric, &Silent).unwrap();
            let path = folder.path().join("values.gwt");
            let values = Values::from(solution.values.clone());
            let summary = summarise(&game, &values);
            write_table(&game, &values, &summary, &path, &Silent).unwrap();
            let table = Table::open(&path).unwrap();
            let stored = TableValues::new(&game, &table).unwrap();
            let loaded = stored.load().unwrap();
            for (position, (figures, endless)) in positions.iter().zip(&truth) {
                let index = game.index(position);
                let text = || game.position_text(position);
                let expected = held_by(metric, *figures);
                assert_eq!(
                    solution.values.figures(index),
                    expected,
                    "{name} {metric} {}",
                    text()
                );
                assert_eq!(
                    loaded.figures_of(&game, position),
                    expected,
                    "{name} {metric} {}",
                    text()
                );
                if let Some(endless) = endless {
                    assert_eq!(
                        solution.endless.contains(index),
                        *endless,
                        "{name} {}",
                        text()
                    );
                    assert!(!endless || figures.value == Some(Outcome::Draw));
                    endless_draws += u32::from(*endless);
                    let drawn = figures.value == Some(Outcome::Draw);
                    drawn_ends += u32::from(drawn && !endless && game.ending(position).is_none());
                }
            }
            let verified = verify(&stored, &game, &|_| ()).unwrap();
            assert_eq!(
                verified.mismatches, 0,
                "{name} {metric}: {:?}",
                verified.first
            );
        }
    }
    assert!(
        drawn_ends > 100 && endless_draws > 100,
        "{drawn_ends}, {endless_draws}"
    );
}

#[test]
fn a_wrong_declaration_is_an_error() {
    let free = small("free", GREEN, |_| ());
    let mut seen = Seen::new(&free, false);
    seen.rules.properties.advance = Advance::Acyclic;
    let error = loopy::solve(&seen, Metric::Value, &Silent)
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with("free declares that no position repeats"),
        "{error}"
    );
}

/// A game as tests want to see it: with other declarations, or folded, so that canonical positions
/// stand for their images and an eighth of them is left. That symmetries keep values is a law of its
/// own.
struct Seen<'a> {
    game: &'a StripGame,
    rules: Rules,
    folded: bool,
}

impl<'a> Seen<'a> {
    fn new(game: &'a StripGame, folded: bool) -> Seen<'a> {
        Seen {
            game,
            rules: game.rules().clone(),
            folded,
        }
    }
}

impl Game for Seen<'_> {
    type Position = StripPosition;
    type Move = StripMove;

    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn in_words(&self) -> Vec<greenwave_game::Sentence> {
        self.game.in_words()
    }

    fn start(&self) -> StripPosition {
        self.game.start()
    }

    fn ending(&self, position: &StripPosition) -> Option<Ending> {
        self.game.ending(position)
    }

    fn moves(&self, position: &StripPosition, out: &mut Vec<StripMove>) {
        self.game.moves(position, out);
    }

    fn play(&self, position: &StripPosition, mv: StripMove) -> Edge<StripPosition> {
        let edge = self.game.play(position, mv);
        let to = if self.folded {
            self.game.canonical(&edge.to)
        } else {
            edge.to
        };
        Edge { to, ..edge }
    }

    fn position_text(&self, position: &StripPosition) -> String {
        self.game.position_text(position)
    }

    fn parse_position(&self, text: &str) -> Result<StripPosition, SetupError> {
        self.game.parse_position(text)
    }

    fn move_text(&self, position: &StripPosition, mv: StripMove) -> String {
        self.game.move_text(position, mv)
    }

    fn parse_move(&self, position: &StripPosition, text: &str) -> Result<StripMove, MoveError> {
        self.game.parse_move(position, text)
    }

    fn diagram(&self, position: &StripPosition) -> Diagram {
        self.game.diagram(position)
    }
}

impl Dense for Seen<'_> {
    fn indexable(&self) -> u128 {
        self.game.indexable()
    }

    fn index(&self, position: &StripPosition) -> u64 {
        self.game.index(position)
    }

    fn at(&self, index: u64) -> Option<StripPosition> {
        self.game.at(index)
    }

    fn tier(&self, position: &StripPosition) -> Tier {
        self.game.tier(position)
    }
}

fn full(name: &str) -> StripGame {
    StripGame::named(name).unwrap()
}

// Different unfinished positions of at least this many levels, on any side.
fn late_positions(game: &StripGame, levels: u32, count: usize) -> Vec<StripPosition> {
    let mut seeded = SeededNumbers::new(SEED);
    let mut found = HashSet::new();
    let mut positions = Vec::with_capacity(count);
    while positions.len() < count {
        let index = seeded.below(game.indexable() as u64);
        let side = seeded.pick(&Side::CLOCKWISE);
        let Some(position) = game.at(index).filter(|position| {
            position.code.level_sum() >= levels && game.ending(position).is_none()
        }) else {
            continue;
        };
        let position = StripPosition { side, ..position };
        if found.insert(position) {
            positions.push(position);
        }
    }
    positions
}

fn full_game_agrees(name: &str, levels: u32) {
    let game = full(name);
    let positions = late_positions(&game, levels, if SLOW { 100_000 } else { 4_000 });
    let canonical: Vec<StripPosition> = positions.iter().map(|at| game.canonical(at)).collect();
    let truth = truth(&Seen::new(&game, true), &canonical);
    let metric = game.rules().default_metric;
    let solved;
    let solution = if name == "strip" {
        strip()
    } else {
        solved = loopy::solve(&game, metric, &Silent).unwrap();
        &solved
    };
    for (position, (figures, endless)) in positions.iter().zip(truth) {
        let index = game.index(position);
        let text = || game.position_text(position);
        assert_eq!(
            solution.values.figures(index),
            figures,
            "{name} {} (seed {SEED:#x})",
            text()
        );
        let endless = endless.unwrap_or(false);
        assert_eq!(
            solution.endless.contains(index),
            endless,
            "{name} {}",
            text()
        );
    }
}

#[test]
fn the_full_strip_agrees_on_seeded_positions() {
    full_game_agrees("strip", 23);
}

#[test]
#[cfg_attr(not(feature = "slow-tests"), ignore = "minutes and gigabytes")]
fn every_option_agrees_on_seeded_positions() {
    for name in ["slider", "slider:score=win"] {
        full_game_agrees(name, 21);
    }
    for name in ["strip", "strip:repeat=ban"] {
        full_game_agrees(name, 23);
    }
    for name in [
        "slider:four=once,turn=yes",
        "slider:sides=adjacent,null=forbidden,empty-strip=forbidden",
        "strip:turn=no,sides=adjacent",
        "strip:null=forbidden,empty-strip=forbidden",
        "strip:sides=adjacent,wins=signal,repeat=ban",
    ] {
        full_game_agrees(name, 20);
    }
    full_game_agrees("strip", 0);
    full_game_agrees("slider", 0);
}

/// Distances of the usual strip, which several tests ask for.
fn strip() -> &'static loopy::LoopySolution {
    static ONCE: OnceLock<loopy::LoopySolution> = OnceLock::new();
    ONCE.get_or_init(|| loopy::solve(&full("strip"), Metric::Distance, &Silent).unwrap())
}

/// What the solution of the usual strip calls a position, wherever its strip lies.
struct Claims {
    game: StripGame,
    solution: &'static loopy::LoopySolution,
}

impl Claims {
    fn new() -> Claims {
        Claims {
            game: full("strip"),
            solution: strip(),
        }
    }

    fn value(&self, position: &StripPosition) -> Outcome {
        self.solution
            .values
            .figures(self.game.index(position))
            .value
            .unwrap()
    }

    fn children(&self, position: &StripPosition) -> impl Iterator<Item = StripPosition> {
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        let to = |mv: &StripMove| self.game.play(position, *mv).to;
        moves.iter().map(to).collect::<Vec<_>>().into_iter()
    }
}

// A pair of strategies, one for each player, that never lose a drawn position. A player who follows
// one always has a move that leaves the opponent a drawn position or, if one is at hand, a lost
// one. Every reply of the opponent leads back to a position of the strategy. The solution only says
// where to go. That nobody who goes there can lose is checked by the rules, on every drawn position
// and on every won one that the opponent can blunder into.
#[test]
fn safe_strategies_hold_every_draw() {
    // Of the draws the quick test takes one in this many, and what can be reached from them by blunders.
    let (step, least) = if SLOW { (1, 100_000) } else { (32, 10_000) };
    let claims = Claims::new();
    let game = &claims.game;
    let drawn: Vec<StripPosition> = (0..1 << 24)
        .map(|code| StripPosition {
            code: Code(code),
            side: Side::East,
            barred: false,
        })
        .filter(|position| claims.value(position) == Outcome::Draw)
        .collect();
    assert_eq!(drawn.len(), 1_000_700);
    let blunders: HashSet<StripPosition> = drawn
        .par_iter()
        .step_by(step)
        .flat_map_iter(|position| {
            let text = || game.position_text(position);
            assert_eq!(game.ending(position), None, "{}", text());
            let to: Vec<StripPosition> = claims.children(position).collect();
            let holds = to.iter().any(|to| claims.value(to) == Outcome::Draw);
            assert!(holds, "the strategy has no move from {}", text());
            let escapes = to.iter().any(|to| claims.value(to) == Outcome::Loss);
            assert!(!escapes, "the strategy can be beaten from {}", text());
            to.into_iter()
                .filter(|to| claims.value(to) == Outcome::Win)
                .map(at_east)
        })
        .collect();
    // A won position stays with the strategy: a move ends the game, or leaves a lost position from
    // which every move leads to a won one again.
    let mut checked: HashSet<StripPosition> = HashSet::new();
    let mut next = blunders;
    while !next.is_empty() {
        let after: HashSet<StripPosition> = next
            .par_iter()
            .flat_map_iter(|position| {
                let text = || game.position_text(position);
                assert_eq!(game.ending(position), None, "{}", text());
                let lost = claims
                    .children(position)
                    .find(|to| claims.value(to) == Outcome::Loss);
                let lost = lost.unwrap_or_else(|| panic!("no winning move from {}", text()));
                let back: Vec<StripPosition> = claims.children(&lost).map(at_east).collect();
                let won = |to: &StripPosition| claims.value(to) == Outcome::Win;
                assert!(back.iter().all(won), "{}", text());
                back
            })
            .collect();
        checked.extend(next);
        next = after.difference(&checked).copied().collect();
    }
    assert!(checked.len() > least, "{}", checked.len());
}

// The side of the strip changes neither moves nor ends.
fn at_east(position: StripPosition) -> StripPosition {
    StripPosition {
        side: Side::East,
        ..position
    }
}

#[test]
fn forward_search_forces_nothing_from_drawn_positions() {
    let claims = Claims::new();
    let mut seeded = SeededNumbers::new(SEED);
    let drawn: Vec<StripPosition> = std::iter::repeat_with(|| StripPosition {
        code: Code(seeded.below(1 << 24)),
        side: seeded.pick(&Side::CLOCKWISE),
        barred: false,
    })
    .filter(|position| claims.value(position) == Outcome::Draw)
    .take(if SLOW { 1_000 } else { 50 })
    .collect();
    let search = Search::new(&claims.game, 1 << 28).unwrap();
    let budget = SearchBudget {
        nodes: Some(2_000),
        deadline: None,
    };
    for position in drawn {
        let text = claims.game.position_text(&position);
        match search.search(&position, budget, &Silent).root {
            SearchVerdict::Undecided { beyond } => assert!(beyond.0 >= 3, "{text}: {beyond}"),
            SearchVerdict::Proven(figures) => panic!("{text} is drawn, found {figures:?}"),
        }
    }
}
