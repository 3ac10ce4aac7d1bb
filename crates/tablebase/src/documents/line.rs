//! Best play by both sides.

use greenwave_game::{
    AnyPosition, At, Diagram, Ending, Figures, Luck, Odds, Variant, VariantGame, with_game,
};
use greenwave_probe::{likeliest_draws, line};
use greenwave_solver::Solve;
use serde::Serialize;

use super::{SCHEMA, Value, figures_of_fields, odds_or_null};
use crate::{Error, ErrorKind, Place, Tablebase, lights_option};

/// Longer lines are cut; no game of the family lasts so long without repeating itself.
const LIMIT: usize = 10_000;

/// One ply of best play.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct LinePly {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The position after the move and the likeliest draw.
    pub to: String,
    /// Win, loss or draw for the player who makes the move.
    pub value: Option<Value>,
    /// Plies to the end, the move counted.
    pub distance: Option<u32>,
    /// Own minus opponent's points still to come.
    pub points: Option<i32>,
    /// Probabilities and expectation, before the draw.
    #[serde(serialize_with = "odds_or_null")]
    #[cfg_attr(feature = "schemas", schemars(with = "Option<super::OddsShown>"))]
    pub odds: Option<Odds>,
    /// The position in which the move is made.
    pub from: String,
    /// The draws of chance before the move, in brackets.
    pub drawn: Vec<String>,
    /// Chance, 0 to 1, of the draws of this ply.
    pub chance: f64,
}

impl LinePly {
    /// Its figures together.
    #[must_use]
    pub fn figures(&self) -> Figures {
        Figures {
            odds: self.odds,
            ..figures_of_fields(self.value, self.distance, self.points)
        }
    }
}

/// Why a line stops where it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnd {
    /// The game is over, with this ending for the player who would be to move.
    Over(Ending),
    /// Positions repeat from here on.
    Repeats,
    /// Strip moves and missed turns go round from here on, without a draw of chance.
    GoesRound,
}

/// Best play from a position.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Line {
    /// Version of the document.
    pub schema: u32,
    /// The variant.
    pub variant: String,
    /// The order of its lights, `ryg` or `gyr`; `None` where it has none.
    pub lights: Option<&'static str>,
    /// Where the line begins.
    pub position: String,
    /// `likeliest` where the line follows draws.
    pub draws: Option<&'static str>,
    /// The plies.
    pub plies: Vec<LinePly>,
    /// The draws of chance after the last ply.
    pub drawn: Vec<String>,
    /// Why it stops.
    #[serde(skip)]
    pub end: LineEnd,
    /// A picture of the last position.
    #[serde(skip)]
    pub diagram: Diagram,
}

impl Tablebase {
    /// Best play by both sides from a position to the end of the game, or until positions repeat.
    ///
    /// # Errors
    /// When the position cannot be read, and when values cannot be had.
    pub fn line(&self, variant: &Variant, place: &Place<'_>) -> Result<Line, Error> {
        self.line_after(variant, &place.find(variant)?)
    }

    /// The same from a position that has been read.
    ///
    /// # Errors
    /// When values cannot be had.
    pub fn line_of(&self, at: &At) -> Result<Line, Error> {
        self.line_after(at.variant(), at.position())
    }

    fn line_after(&self, variant: &Variant, start: &AnyPosition) -> Result<Line, Error> {
        with_game!(variant, game => self.line_from(variant, game, &game.position(start)))
    }

    fn line_from<G: Solve>(
        &self,
        variant: &Variant,
        game: &G,
        start: &G::Position,
    ) -> Result<Line, Error> {
        let rules = game.rules();
        let plies = match self.sources(variant, &[self.leading_metric(variant)]) {
            Ok(sources) => line(game, start, &sources.of(game)?, LIMIT)?,
            // Where there is no memory for all positions, there may be for what this one can become.
            Err(refused) if refused.kind() == ErrorKind::Memory => {
                let Some(ahead) = self.ahead(game, start) else {
                    let place = if *start == game.start() {
                        String::new()
                    } else {
                        // The message puts the command into single quotes.
                        format!(" \"{}\"", game.position_text(start))
                    };
                    let (name, order) = (rules.title(), lights_option(rules));
                    let command = format!("greenwave query {name}{place}{order}");
                    return Err(refused.with_position_command(command));
                };
                line(game, start, &ahead, LIMIT)?
            }
            Err(error) => return Err(error),
        };
        let last = plies.last().map_or(*start, |ply| ply.to);
        let luck = rules.properties.luck == Luck::Draws;
        let end = match game.ending(&last) {
            Some(ending) => LineEnd::Over(ending),
            None if plies.len() < LIMIT
                && luck
                && greenwave_game::Dense::has_index(game, &last) =>
            {
                LineEnd::GoesRound
            }
            None => LineEnd::Repeats,
        };
        let text = |position| game.position_text(position);
        // What was drawn before each ply, and after the last one.
        let before = std::iter::once(*start);
        let before = before.chain(plies.iter().map(|ply| game.play(&ply.from, ply.mv).to));
        let mut drawn = before.map(|from| -> Vec<String> {
            let drawn = likeliest_draws(game, &from).0.into_iter();
            drawn
                .map(|to| format!("[{}]", game.draw_text(&to)))
                .collect()
        });
        Ok(Line {
            schema: SCHEMA,
            variant: rules.title().to_string(),
            lights: rules.lights_name(),
            position: text(start),
            draws: luck.then_some("likeliest"),
            plies: plies
                .iter()
                .map(|ply| LinePly {
                    mv: game.move_text(&ply.from, ply.mv),
                    to: text(&ply.to),
                    value: ply.figures.value.map(Value::from),
                    distance: ply.figures.distance.map(|plies| plies.0),
                    points: ply.figures.points,
                    odds: ply.figures.odds,
                    from: text(&ply.from),
                    drawn: drawn.next().unwrap_or_default(),
                    chance: ply.chance,
                })
                .collect(),
            drawn: drawn.next().unwrap_or_default(),
            end,
            diagram: game.diagram(&last),
        })
    }
}
