//! Perfect play against itself with sampled draws.

use greenwave_game::{Dense, Outcome, Variant, with_game};
use greenwave_probe::{Dice, GameResult, Simulator, expected};
use greenwave_solver::SolveError;
use greenwave_values::parallel::try_map_parts;
use greenwave_values::{OddsSource, Unit, ValueSource, ValuesError};
use serde::Serialize;

use super::SCHEMA;
use crate::sources::has_chance;
use crate::{Error, Tablebase};

/// Moves and draws of one game; none of the family lasts so long without repeating itself.
const LIMIT: usize = 10_000;
// Games of a part, all of which one thread plays.
const PART: u64 = 1000;

/// Games of perfect play, counted.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Simulation {
    /// Version of the document.
    pub schema: u32,
    /// The variant.
    pub variant: String,
    /// Number of games.
    pub games: u64,
    /// The seed of the draws.
    pub seed: u64,
    /// Games won by player 1.
    pub win: u64,
    /// Drawn games.
    pub draw: u64,
    /// Games lost by player 1.
    pub loss: u64,
    /// Mean for player 1: points, or wins minus losses.
    pub mean: f64,
    /// The exact value that the mean approaches.
    pub expected: f64,
    /// Of the mean, from the games played; null for a single game.
    pub standard_error: Option<f64>,
}

/// Games counted by outcome for player 1, with the sums of what they were worth.
#[derive(Clone, Copy, Debug, Default)]
struct GameTally {
    win: u64,
    draw: u64,
    loss: u64,
    sum: i64,
    squares: u64,
}

impl GameTally {
    // This many equal games.
    fn of(played: GameResult, games: u64) -> GameTally {
        let counted = |outcome| u64::from(played.outcome == outcome) * games;
        GameTally {
            win: counted(Outcome::Win),
            draw: counted(Outcome::Draw),
            loss: counted(Outcome::Loss),
            sum: played.worth * games as i64,
            squares: played.worth.unsigned_abs().pow(2) * games,
        }
    }

    fn plus(self, other: GameTally) -> GameTally {
        GameTally {
            win: self.win + other.win,
            draw: self.draw + other.draw,
            loss: self.loss + other.loss,
            sum: self.sum + other.sum,
            squares: self.squares + other.squares,
        }
    }

    fn mean(&self, games: u64) -> f64 {
        self.sum as f64 / games as f64
    }

    fn standard_error(&self, games: u64) -> Option<f64> {
        let games = games as f64;
        let spread = self.squares as f64 - self.sum as f64 * self.sum as f64 / games;
        (games > 1.0).then(|| (spread.max(0.0) / (games - 1.0) / games).sqrt())
    }
}

impl Tablebase {
    /// Plays games of perfect play; the same seed gives the same games.
    ///
    /// # Errors
    /// When values cannot be had, and when the work is cancelled.
    pub fn simulate(&self, variant: &Variant, games: u64, seed: u64) -> Result<Simulation, Error> {
        let (tally, expected) = if has_chance(variant) {
            self.with_draws(variant, games, seed)?
        } else {
            self.without_draws(variant, games, seed)?
        };
        Ok(Simulation {
            schema: SCHEMA,
            variant: variant.rules().title().to_string(),
            games,
            seed,
            win: tally.win,
            draw: tally.draw,
            loss: tally.loss,
            mean: tally.mean(games),
            expected,
            standard_error: tally.standard_error(games),
        })
    }

    // Games that draws tell apart.
    fn with_draws(
        &self,
        variant: &Variant,
        games: u64,
        seed: u64,
    ) -> Result<(GameTally, f64), Error> {
        let sources = self.all_odds(variant)?;
        let Some(odds) = sources.odds() else {
            return Err(no_value(variant));
        };
        let progress = self.progress();
        progress.begin("playing", games, Unit::Games);
        self.on_threads(|| {
            with_game!(variant, game => {
                let source = OddsSource::with_draft(game, odds)?;
                let player = Simulator::new(game, &source);
                let played = |number| {
                    if progress.cancelled() {
                        return Err(Error::from(SolveError::Interrupted));
                    }
                    let played = player.play_out(&mut Dice::new(seed, number), LIMIT)?;
                    progress.advance(1);
                    Ok(GameTally::of(finished(variant, played)?, 1))
                };
                let part = |part: usize| {
                    let from = part as u64 * PART;
                    let mut games = from..games.min(from + PART);
                    games.try_fold(GameTally::default(), |sum, number| {
                        Ok::<_, Error>(sum.plus(played(number)?))
                    })
                };
                let tallies = try_map_parts(games.div_ceil(PART) as usize, part)?;
                let tally = tallies.into_iter().fold(GameTally::default(), GameTally::plus);
                Ok((tally, start_worth(game, &source, variant)?))
            })
        })
    }

    // Without luck all games are the same.
    fn without_draws(
        &self,
        variant: &Variant,
        games: u64,
        seed: u64,
    ) -> Result<(GameTally, f64), Error> {
        let sources = self.sources(variant, &[variant.rules().default_metric])?;
        with_game!(variant, game => {
            let source = sources.of(game)?;
            let played = Simulator::new(game, &source).play_out(&mut Dice::new(seed, 0), LIMIT)?;
            let tally = GameTally::of(finished(variant, played)?, games);
            Ok((tally, start_worth(game, &source, variant)?))
        })
    }
}

fn finished(variant: &Variant, played: Option<GameResult>) -> Result<GameResult, Error> {
    let name = variant.rules().title();
    played.ok_or_else(|| {
        Error::refused(format!(
            "a game of {name} did not end within {LIMIT} moves and draws"
        ))
    })
}

fn no_value(variant: &Variant) -> Error {
    let name = variant.rules().title();
    Error::refused(format!(
        "no value of {name} at hand; solve it with 'greenwave solve {name}'"
    ))
}

fn start_worth<G, S>(game: &G, source: &S, variant: &Variant) -> Result<f64, Error>
where
    G: Dense,
    S: ValueSource<G::Position, Error = ValuesError>,
{
    let start = source.figures(&game.start())?;
    expected(&start).ok_or_else(|| no_value(variant))
}
