//! How hard any game is for people, by games that are played out: also those with points, chance, a
//! strip or Ampel, of which no measure counts every position.
//!
//! A move is *worth* what best play after it comes to: win, draw or loss, in scored games points, with
//! chance the expectation. A *careful* player takes the moves that gain most at once less what the
//! opponent can then gain at once, each as likely; a *random* player any move. A position is *open* if its
//! moves are not all worth the same, and no best one of them gains something at once. A *trap* is an open
//! position with one best move alone.

use anyhow::{Result, anyhow};
use greenwave_game::{Figures, Game, Luck, Metric, Outcome, Squares, Variant, with_game};
use greenwave_probe::Dice;
use greenwave_tablebase::{Error, Settings, SolveOptions, Tablebase};
use greenwave_values::{OddsSource, ValueSource};
use serde::{Deserialize, Serialize};

use crate::winners::signature;

/// Games that are played out for each number.
pub const GAMES: u64 = 2_000;
/// A game that is not over after this many plies counts as drawn.
const LONGEST: usize = 200;
/// Two expectations that differ by no more are the same.
const EQUAL: f64 = 1e-9;
const SEED: u64 = 1;
const MILLION: f64 = 1e6;

/// What the games say of a variant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Difficulty {
    /// Of two careful players' games.
    pub careful: PlayoutFigures,
    /// Of two random players' games.
    pub random: PlayoutFigures,
    /// What the first player gets on average after each first move, when both go on carefully; nothing
    /// where chance moves first.
    pub openings: Vec<Beginning>,
    /// Signature of the table that tells what moves are worth.
    pub signature: Option<String>,
}

/// What games of two players of a kind came to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlayoutFigures {
    /// What the first player gets on average, in millionths of a win or a point, and the standard error.
    pub result: i64,
    /// See `result`.
    pub error: i64,
    /// Thousandths of a ply of a game on average.
    pub length: u64,
    /// Games that were stopped early.
    pub broken_off: u64,
    /// By plies played.
    pub plies: Vec<PlyMistakes>,
}

/// Positions that games met after this many plies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlyMistakes {
    /// With moves that are not all worth the same.
    pub at_stake: u64,
    /// Those of them in which another move than a best one was made.
    pub mistakes: u64,
    /// Open positions.
    pub open: u64,
    /// Traps.
    pub traps: u64,
    /// Open positions in which at most one in three of a careful player's moves is a best one.
    pub fooling: u64,
}

/// A first move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Beginning {
    /// The first of those that are alike, and how many they are.
    pub opening: String,
    /// See `opening`.
    pub alike: u32,
    /// What it is worth, in millionths.
    pub worth: i64,
    /// What the first player then gets on average, in millionths, and the standard error.
    pub careful: i64,
    /// See `careful`.
    pub error: i64,
}

/// Memory for a solve whose odds outgrow that of the tablebase and are written into a table.
const TABLE_MEMORY: u64 = 4 << 30;

/// Plays games of a variant out.
///
/// # Errors
/// When the name is none, and when values cannot be had.
pub fn difficulty(name: &str, tablebase: &Tablebase) -> Result<Difficulty> {
    let variant = Variant::parse(name)?;
    if variant.rules().properties.luck == Luck::Draws {
        return with_chance(&variant, tablebase);
    }
    let metric = variant.rules().default_metric;
    let held = tablebase.values(&variant, metric)?;
    let values = &held.values;
    let signature = signature(&variant, metric)?;
    with_game!(&variant, game => {
        let figures = |position: &_| Ok(values.figures_of(game, position));
        Table { game, figures: &figures }.measured(signature)
    })
}

/// Odds that outgrow the memory are kept in a table of their own as long as games last.
fn with_chance(variant: &Variant, tablebase: &Tablebase) -> Result<Difficulty> {
    let folder;
    let (sources, signature) = match tablebase.all_odds(variant) {
        Ok(sources) => (sources, signature(variant, Metric::Odds)?),
        Err(Error::Memory { .. }) => {
            folder = tempfile::tempdir()?;
            let settings = Settings {
                memory: Some(TABLE_MEMORY),
                ..Settings::default()
            };
            let beside = Tablebase::with_settings(folder.path(), &settings)?;
            let solved = beside.solve(variant, Metric::Odds, &SolveOptions::default())?;
            let signature = solved.signature.map(|signature| signature[..32].into());
            (beside.all_odds(variant)?, signature)
        }
        Err(error) => return Err(error.into()),
    };
    let odds = sources
        .odds()
        .ok_or_else(|| anyhow!("{} has no odds", variant.rules().name))?;
    with_game!(variant, game => {
        let source = OddsSource::with_draft(game, odds)?;
        let figures = |position: &_| Ok(source.figures(position)?);
        Table { game, figures: &figures }.measured(signature)
    })
}

struct Table<'a, G: Game> {
    game: &'a G,
    figures: &'a dyn Fn(&G::Position) -> Result<Figures>,
}

/// A move: what it is worth, what it gains at once, and that less what the opponent can then gain.
struct Choice<G: Game> {
    mv: G::Move,
    worth: f64,
    at_once: f64,
    looks: f64,
}

fn worth(figures: Figures) -> f64 {
    if let Some(odds) = figures.odds {
        return odds.expectation;
    }
    if let Some(points) = figures.points {
        return points.into();
    }
    match figures.value {
        Some(Outcome::Win) => 1.0,
        Some(Outcome::Loss) => -1.0,
        _ => 0.0,
    }
}

fn best(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(f64::NEG_INFINITY, f64::max)
}

impl<G: Squares> Table<'_, G> {
    fn measured(&self, signature: Option<String>) -> Result<Difficulty> {
        let start = self.game.start();
        Ok(Difficulty {
            careful: self.played(&start, true)?,
            random: self.played(&start, false)?,
            openings: self.openings()?,
            signature,
        })
    }

    fn openings(&self) -> Result<Vec<Beginning>> {
        let game = self.game;
        if game.rules().properties.luck == Luck::Draws {
            return Ok(Vec::new());
        }
        let start = game.start();
        let mut moves = Vec::new();
        game.moves(&start, &mut moves);
        let mut orbits: Vec<G::Position> = Vec::new();
        let mut found: Vec<Beginning> = Vec::new();
        for mv in moves {
            let edge = game.play(&start, mv);
            let orbit = game.canonical(&edge.to);
            if let Some(known) = orbits.iter().position(|known| *known == orbit) {
                found[known].alike += 1;
                continue;
            }
            if edge.keeps_turn {
                return Ok(Vec::new()); // a ply is not yet a move of the first player
            }
            orbits.push(orbit);
            let own = worth((self.figures)(&edge.to)?.after_move(edge.gain, false));
            let played = self.played(&edge.to, true)?;
            found.push(Beginning {
                opening: game.move_text(&start, mv),
                alike: 1,
                worth: (MILLION * own).round() as i64,
                careful: i64::from(edge.gain) * MILLION as i64 - played.result,
                error: played.error,
            });
        }
        found
            .first()
            .ok_or_else(|| anyhow!("{} has no first move", game.rules().name))?;
        Ok(found)
    }

    /// Plays games from a position on.
    fn played(&self, from: &G::Position, careful: bool) -> Result<PlayoutFigures> {
        let mut played = PlayoutFigures::default();
        let (mut sum, mut squares, mut plies) = (0.0, 0.0, 0_u64);
        for number in 0..GAMES {
            let mut dice = Dice::new(SEED, number);
            let (result, length) = self.game_from(from, careful, &mut dice, &mut played)?;
            sum += result;
            squares += result * result;
            plies += length as u64;
        }
        let games = GAMES as f64;
        let mean = sum / games;
        let error = ((squares / games - mean * mean).max(0.0) / games).sqrt();
        played.result = (MILLION * mean).round() as i64;
        played.error = (MILLION * error).round() as i64;
        played.length = 1_000 * plies / GAMES;
        Ok(played)
    }

    /// Plays one game: what the player to move at its beginning gets, and its plies.
    fn game_from(
        &self,
        from: &G::Position,
        careful: bool,
        dice: &mut Dice,
        played: &mut PlayoutFigures,
    ) -> Result<(f64, usize)> {
        let game = self.game;
        let mut position = *from;
        let (mut own, mut sign) = (0.0, 1.0);
        let mut draws = Vec::new();
        for ply in 0..LONGEST {
            game.draws(&position, &mut draws);
            if let Some(drawn) = dice.weighted(draws.iter().map(|draw| draw.1)) {
                position = draws[drawn].0;
            }
            if game.ending(&position).is_some() {
                return Ok((own + sign * worth((self.figures)(&position)?), ply));
            }
            let choices = self.choices(&position)?;
            let Some(choice) = note(&choices, careful, dice, played, ply) else {
                return Ok((own, ply));
            };
            let edge = game.play(&position, choice.mv);
            own += sign * f64::from(edge.gain);
            position = edge.to;
            if !edge.keeps_turn {
                sign = -sign;
            }
        }
        played.broken_off += 1;
        Ok((own, LONGEST))
    }

    fn choices(&self, position: &G::Position) -> Result<Vec<Choice<G>>> {
        let game = self.game;
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        let choice = |mv: G::Move| {
            let edge = game.play(position, mv);
            let after = (self.figures)(&edge.to)?.after_move(edge.gain, edge.keeps_turn);
            let at_once = self.at_once(position, mv)?;
            let theirs = if edge.keeps_turn || game.ending(&edge.to).is_some() {
                0.0
            } else {
                self.most_at_once(&edge.to)?
            };
            Ok(Choice {
                mv,
                worth: worth(after),
                at_once,
                looks: at_once - theirs,
            })
        };
        moves.into_iter().map(choice).collect()
    }

    /// The gain of a move before any other move.
    fn at_once(&self, position: &G::Position, mv: G::Move) -> Result<f64> {
        let edge = self.game.play(position, mv);
        Ok(match self.game.ending(&edge.to) {
            Some(_) => worth((self.figures)(&edge.to)?.after_move(edge.gain, edge.keeps_turn)),
            None => edge.gain.into(),
        })
    }

    /// The most that the player to move can gain at once; where chance moves first, its mean.
    fn most_at_once(&self, position: &G::Position) -> Result<f64> {
        let game = self.game;
        let (mut draws, mut moves) = (Vec::new(), Vec::new());
        game.draws(position, &mut draws);
        let chance = !draws.is_empty();
        if !chance {
            draws.push((*position, 1));
        }
        let (mut sum, mut weights) = (0.0, 0.0);
        for (drawn, weight) in draws {
            game.moves(&drawn, &mut moves);
            let gains = moves.iter().map(|mv| self.at_once(&drawn, *mv));
            let most = best(gains.collect::<Result<Vec<f64>>>()?.into_iter());
            sum += f64::from(weight) * if moves.is_empty() { 0.0 } else { most };
            weights += f64::from(weight);
        }
        Ok(sum / weights)
    }
}

/// Chooses a move and notes facts about the position.
fn note<'c, G: Game>(
    choices: &'c [Choice<G>],
    careful: bool,
    dice: &mut Dice,
    played: &mut PlayoutFigures,
    ply: usize,
) -> Option<&'c Choice<G>> {
    let most = best(choices.iter().map(|choice| choice.looks));
    let looks_best = |choice: &&Choice<G>| choice.looks >= most - EQUAL;
    let safe: Vec<&Choice<G>> = choices.iter().filter(looks_best).collect();
    let all: Vec<&Choice<G>> = choices.iter().collect();
    let among = if careful { &safe } else { &all };
    if among.is_empty() {
        return None;
    }
    let chosen = among[dice.below(among.len() as u64) as usize];
    let most = best(choices.iter().map(|choice| choice.worth));
    let keeps = |choice: &Choice<G>| choice.worth >= most - EQUAL;
    let keeping = choices.iter().filter(|choice| keeps(choice)).count();
    if played.plies.len() <= ply {
        played.plies.resize(ply + 1, PlyMistakes::default());
    }
    let met = &mut played.plies[ply];
    if keeping == choices.len() {
        return Some(chosen);
    }
    met.at_stake += 1;
    met.mistakes += u64::from(!keeps(chosen));
    let gains = |choice: &Choice<G>| keeps(choice) && choice.at_once > EQUAL;
    if !choices.iter().any(gains) {
        met.open += 1;
        met.traps += u64::from(keeping == 1);
        let found = safe.iter().filter(|choice| keeps(choice)).count();
        met.fooling += u64::from(3 * found <= safe.len());
    }
    Some(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where every move is worth the same nothing is at stake, and games end as the rules say.
    #[test]
    fn short_games_come_out_as_they_must() {
        let dir = tempfile::tempdir().unwrap();
        let tablebase = Tablebase::open(dir.path()).unwrap();
        // The first player wins 1x3 in nine plies by any first move.
        let found = difficulty("classic-1x3", &tablebase).unwrap();
        assert_eq!(found.openings.len(), 2);
        assert_eq!(found.openings[0].alike, 2);
        assert!(
            found
                .openings
                .iter()
                .all(|opening| opening.worth == 1_000_000)
        );
        assert_eq!(found.careful.plies[0].at_stake, 0);
        assert_eq!(found.careful.broken_off, 0);
        assert!(found.careful.length <= 9_000);
        // Whoever looks one ply ahead makes fewer mistakes than who plays at random.
        let found = difficulty("points-2x3", &tablebase).unwrap();
        let rate = |played: &PlayoutFigures| {
            let sum = |of: fn(&PlyMistakes) -> u64| played.plies.iter().map(of).sum::<u64>() as f64;
            sum(|met| met.mistakes) / sum(|met| met.at_stake)
        };
        assert!(rate(&found.careful) < rate(&found.random));
    }
}
