//! `simulate`: perfect play against itself with sampled draws.

use anyhow::{Result, anyhow, bail};
use greenwave_game::{Dense, Luck, Outcome, Variant, with_game};
use greenwave_probe::{Dice, Played, Player, expected};
use greenwave_values::{OddsByIndex, OddsSource, Progress, Unit, ValueSource};
use rayon::prelude::*;
use serde::Serialize;

use crate::args::SimulateArgs;
use crate::chance;
use crate::holdings::Holdings;
use crate::output::json::SCHEMA;
use crate::output::{columns, grouped, print, print_json};
use crate::session::{Session, Verdict};

/// Moves and draws of one game; none of the family lasts so long without repeating itself.
const LIMIT: usize = 10_000;

#[derive(Serialize)]
struct SimulateJson {
    schema: u32,
    variant: String,
    games: u64,
    seed: u64,
    win: u64,
    draw: u64,
    loss: u64,
    mean: f64,
    expected: f64,
    /// Of the mean, from the games played; null for a single game.
    standard_error: Option<f64>,
}

/// Games counted by outcome for player 1, with the sums of what they were worth.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    win: u64,
    draw: u64,
    loss: u64,
    sum: i64,
    squares: u64,
}

impl Tally {
    // So many equal games.
    fn of(played: Played, games: u64) -> Tally {
        let counted = |outcome| u64::from(played.outcome == outcome) * games;
        Tally {
            win: counted(Outcome::Win),
            draw: counted(Outcome::Draw),
            loss: counted(Outcome::Loss),
            sum: played.worth * games as i64,
            squares: played.worth.unsigned_abs().pow(2) * games,
        }
    }

    fn plus(self, other: Tally) -> Tally {
        Tally {
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

pub(super) fn run(session: &Session, args: &SimulateArgs) -> Result<Verdict> {
    let (variant, _) = session.variant(&args.variant)?;
    let (tally, expected) = if variant.rules().properties.luck == Luck::Draws {
        with_draws(session, args, &variant)?
    } else {
        without_draws(session, args, &variant)?
    };
    let (name, games) = (variant.rules().title(), args.games);
    let (mean, error) = (tally.mean(games), tally.standard_error(games));
    if session.json {
        print_json(&SimulateJson {
            schema: SCHEMA,
            variant: variant.rules().name.clone(),
            games,
            seed: args.seed,
            win: tally.win,
            draw: tally.draw,
            loss: tally.loss,
            mean,
            expected,
            standard_error: error,
        })?;
        return Ok(Verdict::Done);
    }
    let share = |count: u64| {
        let percent = 100.0 * count as f64 / games as f64;
        vec![grouped(count), format!("{percent:.2} %")]
    };
    let row = |title: &str, cells: Vec<String>| [vec![title.to_string()], cells].concat();
    let rows = [
        row("won by player 1", share(tally.win)),
        row("drawn", share(tally.draw)),
        row("lost by player 1", share(tally.loss)),
    ];
    let error = error.map_or_else(String::new, |error| format!(" (standard error {error:.6})"));
    let unit = if chance::scored(&variant) {
        "points a game"
    } else {
        "wins less losses a game"
    };
    print(&format!(
        "{name}: {} of perfect play, seed {}\n\n{}\n  Mean for player 1, {unit}: {mean:+.6}{error}; \
         expected: {expected:+.6}\n",
        if games == 1 {
            "1 game".into()
        } else {
            format!("{} games", grouped(games))
        },
        args.seed,
        columns(&rows, 2, &[1, 2]),
    ))?;
    Ok(Verdict::Done)
}

// Games that draws tell apart.
fn with_draws(session: &Session, args: &SimulateArgs, variant: &Variant) -> Result<(Tally, f64)> {
    let odds = chance::many(session, variant)?;
    let odds: &dyn OddsByIndex = odds.by_index();
    let progress = &*session.progress;
    progress.begin("playing", args.games, Unit::Games);
    let result = session.on_threads(|| {
        with_game!(variant, game => {
            let source = OddsSource::with_draft(game, odds)?;
            let player = Player::new(game, &source);
            let tally = (0..args.games)
                .into_par_iter()
                .map(|number| {
                    if progress.cancelled() {
                        bail!(greenwave_solver::SolveError::Interrupted);
                    }
                    let mut dice = Dice::new(args.seed, number);
                    let played = player.play_out(&mut dice, LIMIT)?;
                    progress.advance(1);
                    Ok(Tally::of(finished(variant, played)?, 1))
                })
                .try_reduce(Tally::default, |a, b| Ok(a.plus(b)))?;
            Ok((tally, start_worth(game, &source, variant)?))
        })
    });
    progress.finish();
    result
}

// Without luck all games are the same.
fn without_draws(
    session: &Session,
    args: &SimulateArgs,
    variant: &Variant,
) -> Result<(Tally, f64)> {
    with_game!(variant, game => {
        let metrics = [variant.rules().default_metric];
        let holdings = Holdings::for_metrics(session, variant, &metrics)?;
        let source = holdings.source(game)?;
        let played = Player::new(game, &source).play_out(&mut Dice::new(args.seed, 0), LIMIT)?;
        let tally = Tally::of(finished(variant, played)?, args.games);
        Ok((tally, start_worth(game, &source, variant)?))
    })
}

fn finished(variant: &Variant, played: Option<Played>) -> Result<Played> {
    let name = &variant.rules().name;
    played.ok_or_else(|| anyhow!("a game of {name} did not end within {LIMIT} moves and draws"))
}

fn start_worth<G, S>(game: &G, source: &S, variant: &Variant) -> Result<f64>
where
    G: Dense,
    S: ValueSource<G::Position, Error = greenwave_values::ValuesError>,
{
    let start = source.figures(&game.start())?;
    expected(&start).ok_or_else(|| {
        let name = &variant.rules().name;
        anyhow!("no value of {name} at hand; solve it with 'greenwave solve {name}'")
    })
}
