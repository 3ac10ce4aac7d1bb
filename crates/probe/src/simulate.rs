//! Whole games of perfect play with sampled draws.

use dashmap::DashMap;
use greenwave_game::{Edge, Figures, Game, Metric, Odds, Outcome};
use greenwave_values::ValueSource;

use crate::{Dice, answer};

/// How a game came out for the player who was to move at its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// Win, draw or loss.
    pub outcome: Outcome,
    /// What the player got: points where they count, else 1, 0 or −1.
    pub worth: i64,
}

/// Positions whose best move is kept, of which most come up in the first turns of many games: some
/// tens of megabytes.
const KEPT: usize = 1 << 18;

/// Plays games, any number and from any thread.
pub struct Simulator<'a, G: Game, S> {
    game: &'a G,
    source: &'a S,
    // What the best move leads to, of the first positions that came up.
    best: DashMap<G::Position, Edge<G::Position>>,
}

impl<'a, G: Game, S: ValueSource<G::Position>> Simulator<'a, G, S> {
    /// A player of a game that asks a source for the best moves.
    #[must_use]
    pub fn new(game: &'a G, source: &'a S) -> Simulator<'a, G, S> {
        Simulator {
            game,
            source,
            best: DashMap::new(),
        }
    }

    /// Plays a game from its start: each player makes the first best move, chance draws by the dice.
    /// A position that comes again without a draw between is a draw by endless play.
    ///
    /// Earlier games make no difference. `None` where the source does not know a best move, or
    /// after `limit` moves and draws.
    ///
    /// # Errors
    /// When the source cannot be read.
    pub fn play_out(&self, dice: &mut Dice, limit: usize) -> Result<Option<GameResult>, S::Error> {
        let game = self.game;
        let mut position = game.start();
        let mut draws = Vec::new();
        // Since the last draw.
        let mut passed = Vec::new();
        let (mut own, mut points) = (true, 0_i64);
        for _ in 0..limit {
            if let Some(ending) = game.ending(&position) {
                let outcome = if own {
                    ending.outcome
                } else {
                    ending.outcome.negated()
                };
                let standing = i64::from(if own { ending.points } else { -ending.points });
                return Ok(Some(played(game, outcome, points + standing)));
            }
            game.draws(&position, &mut draws);
            if !draws.is_empty() {
                let drawn = dice.weighted(draws.iter().map(|(_, weight)| *weight));
                position = draws[drawn.unwrap_or(0)].0;
                passed.clear();
                continue;
            }
            if passed.contains(&position) {
                return Ok(Some(played(game, Outcome::Draw, points)));
            }
            passed.push(position);
            let Some(edge) = self.best(&position)? else {
                return Ok(None);
            };
            let gain = i64::from(edge.gain);
            points += if own { gain } else { -gain };
            own ^= !edge.keeps_turn;
            position = edge.to;
        }
        Ok(None)
    }

    fn best(&self, position: &G::Position) -> Result<Option<Edge<G::Position>>, S::Error> {
        if let Some(edge) = self.best.get(position) {
            return Ok(Some(*edge));
        }
        let here = answer(self.game, position, self.source)?;
        let Some(best) = here.taken(self.source.tie()) else {
            return Ok(None);
        };
        let edge = self.game.play(position, best.mv);
        if self.best.len() < KEPT {
            self.best.insert(*position, edge);
        }
        Ok(Some(edge))
    }
}

fn played<G: Game>(game: &G, outcome: Outcome, points: i64) -> GameResult {
    let scored = points != 0 || game.rules().metrics.contains(&Metric::Points);
    let outcome = if scored {
        Outcome::of_points(points.clamp(-1, 1) as i32)
    } else {
        outcome
    };
    let worth = match outcome {
        _ if scored => points,
        Outcome::Win => 1,
        Outcome::Draw => 0,
        Outcome::Loss => -1,
    };
    GameResult { outcome, worth }
}

/// The expectation of a player in a position with known figures: expectation, points, or 1, 0 or
/// −1.
#[must_use]
pub fn expected(figures: &Figures) -> Option<f64> {
    let by_value = figures.value.map(|value| match value {
        Outcome::Win => 1.0,
        Outcome::Draw => 0.0,
        Outcome::Loss => -1.0,
    });
    figures
        .odds
        .map(|Odds { expectation, .. }| expectation)
        .or(figures.points.map(f64::from))
        .or(by_value)
}
