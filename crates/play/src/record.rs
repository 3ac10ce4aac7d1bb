//! The record of a game: where it began, what was played and drawn, how it stands.

use std::collections::HashMap;
use std::fmt;

use greenwave_game::{Colours, Game, Outcome, Variant, with_game};
use greenwave_tablebase::{Error, Place};

use crate::Dice;

/// A position that comes up so often is drawn by repetition.
const REPEATS: usize = 3;

/// Who makes a move: the player who was to move at the start of the record, or the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The player who was to move first.
    First,
    /// The opponent.
    Second,
}

impl Side {
    /// The opponent.
    #[must_use]
    pub fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// `first` or `second`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Side::First => "first",
            Side::Second => "second",
        }
    }

    /// A figure of this player from the first player's view, and back.
    fn seen(self, figure: i32) -> i32 {
        match self {
            Side::First => figure,
            Side::Second => -figure,
        }
    }
}

/// One ply. Texts have the lights in the order red, yellow, green.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Who made the move.
    pub by: Side,
    /// What chance drew before it, in brackets: `[RG]`.
    pub drawn: Vec<String>,
    /// The position in which it was made.
    pub from: String,
    /// The move.
    pub mv: String,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// The winner; `None` in a draw.
    pub winner: Option<Side>,
    /// What the first player has scored more than the second, where lines score.
    pub points: i32,
    /// Whether it is drawn because a position came up three times.
    pub repeated: bool,
}

/// How things stand after some plies, chance included.
#[derive(Clone, Debug)]
struct Standing {
    position: String,
    side: Side,
    // Points that moves scored at once, the first player's less the second's.
    gained: i32,
    // What was drawn since the last ply.
    drawn: Vec<String>,
    ended: Option<End>,
}

/// A game that is being played, or has been.
#[derive(Clone, Debug)]
pub struct Record {
    variant: Variant,
    // Where it began, if not at the start of the game.
    start: Option<String>,
    turns: Vec<Turn>,
    // One more than turns; the last is how things stand now.
    standings: Vec<Standing>,
}

/// A place in a game while chance may still have to draw.
struct At<P> {
    position: P,
    side: Side,
    gained: i32,
    drawn: Vec<String>,
}

impl Record {
    /// The record that begins at a place, with the moves played from there; what chance is still to
    /// draw, the dice do.
    ///
    /// # Errors
    /// When the position or a move cannot be read or played.
    pub fn begin(variant: Variant, place: &Place<'_>, dice: &mut Dice) -> Result<Record, Error> {
        let (start, turns, standings) = with_game!(&variant, game => {
            let played = place.play(game)?;
            let start = place.position.is_some().then(|| game.position_text(&played.start, Colours::Ryg));
            let mut at = At {
                position: played.start,
                side: Side::First,
                gained: 0,
                drawn: Vec::new(),
            };
            let mut turns = Vec::new();
            let mut standings = Vec::new();
            for step in &played.steps {
                match step.mv {
                    None => {
                        at.drawn.push(format!("[{}]", game.draw_text(&step.to, Colours::Ryg)));
                        at.position = step.to;
                    }
                    Some(mv) => {
                        standings.push(at.standing(game));
                        turns.push(at.make(game, mv));
                    }
                }
            }
            at.settle(game, dice);
            standings.push(at.standing(game));
            (start, turns, standings)
        });
        Ok(Record {
            variant,
            start,
            turns,
            standings,
        })
    }

    /// Plays a move that is written with the lights in the order red, yellow, green; what chance then
    /// draws, the dice do.
    ///
    /// # Errors
    /// When the game is over, and when the move is illegal.
    pub fn play(&mut self, mv: &str, dice: &mut Dice) -> Result<(), Error> {
        self.play_written(mv, Colours::Ryg, dice)
    }

    /// The same for a move written in another order of the lights.
    ///
    /// # Errors
    /// As [`Record::play`].
    pub fn play_written(
        &mut self,
        mv: &str,
        colours: Colours,
        dice: &mut Dice,
    ) -> Result<(), Error> {
        let now = self.now();
        if self.end().is_some() {
            return Err(Error::Refused(
                "the game is over; 'undo' takes a move back".into(),
            ));
        }
        let (turn, standing) = with_game!(&self.variant, game => {
            let mut at = At {
                position: game.parse_position(&now.position, Colours::Ryg)?,
                side: now.side,
                gained: now.gained,
                drawn: now.drawn.clone(),
            };
            let mv = game
                .parse_move(&at.position, mv.trim(), colours)
                .map_err(|error| Error::Refused(error.to_string()))?;
            let turn = at.make(game, mv);
            at.settle(game, dice);
            (turn, at.standing(game))
        });
        self.turns.push(turn);
        self.standings.push(standing);
        Ok(())
    }

    /// Takes the last ply back; `None` if there is none.
    pub fn undo(&mut self) -> Option<Turn> {
        let turn = self.turns.pop()?;
        self.standings.pop();
        Some(turn)
    }

    fn now(&self) -> &Standing {
        // There is always one more than turns.
        &self.standings[self.standings.len() - 1]
    }

    /// The variant.
    #[must_use]
    pub fn variant(&self) -> &Variant {
        &self.variant
    }

    /// The plies so far.
    #[must_use]
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// The position now, lights in the order red, yellow, green.
    #[must_use]
    pub fn position(&self) -> &str {
        &self.now().position
    }

    /// The position after so many plies.
    #[must_use]
    pub fn position_after(&self, plies: usize) -> Option<&str> {
        self.standings
            .get(plies)
            .map(|standing| &*standing.position)
    }

    /// The position now as a place to ask about.
    #[must_use]
    pub fn place(&self) -> Place<'_> {
        Place::at(self.position())
    }

    /// Who is to move.
    #[must_use]
    pub fn side(&self) -> Side {
        self.now().side
    }

    /// What was drawn since the last ply.
    #[must_use]
    pub fn drawn(&self) -> &[String] {
        &self.now().drawn
    }

    /// Points scored so far, the first player's less the second's.
    #[must_use]
    pub fn gained(&self) -> i32 {
        self.now().gained
    }

    /// How the game ended; `None` while it goes on. A position that comes up for the third time is a
    /// draw.
    #[must_use]
    pub fn end(&self) -> Option<End> {
        if let Some(end) = self.now().ended {
            return Some(end);
        }
        let mut seen: HashMap<&str, usize> = HashMap::new();
        for standing in &self.standings {
            *seen.entry(&standing.position).or_default() += 1;
        }
        (seen[self.position()] >= REPEATS).then_some(End {
            winner: None,
            points: 0,
            repeated: true,
        })
    }

    /// The legal moves, written in an order of the lights.
    ///
    /// # Errors
    /// Never for positions that came about by play.
    pub fn legal(&self, colours: Colours) -> Result<Vec<String>, Error> {
        with_game!(&self.variant, game => {
            let position = game.parse_position(self.position(), Colours::Ryg)?;
            let mut moves = Vec::new();
            game.moves(&position, &mut moves);
            Ok(moves.iter().map(|mv| game.move_text(&position, *mv, colours)).collect())
        })
    }

    /// A move of the position now in another order of the lights.
    #[must_use]
    pub fn written(&self, mv: &str, colours: Colours) -> String {
        self.written_after(self.turns.len(), mv, colours)
    }

    /// The same for a move of the position after so many plies.
    #[must_use]
    pub fn written_after(&self, plies: usize, mv: &str, colours: Colours) -> String {
        let position = self.position_after(plies).unwrap_or_default();
        let written = with_game!(&self.variant, game => {
            game.parse_position(position, Colours::Ryg).ok().and_then(|position| {
                let read = game.parse_move(&position, mv, Colours::Ryg).ok()?;
                Some(game.move_text(&position, read, colours))
            })
        });
        written.unwrap_or_else(|| mv.to_string())
    }
}

/// The text that `review` and `play` read: comments with variant and start, then one move a line,
/// draws in brackets.
impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "# variant {}", self.variant.rules().name)?;
        let start = match (&self.start, self.standings.first()) {
            (Some(start), _) => start.clone(),
            (None, _) => with_game!(&self.variant, game => {
                game.position_text(&game.start(), Colours::Ryg)
            }),
        };
        writeln!(f, "# start {start}")?;
        for turn in &self.turns {
            for drawn in &turn.drawn {
                writeln!(f, "{drawn}")?;
            }
            writeln!(f, "{}", turn.mv)?;
        }
        for drawn in self.drawn() {
            writeln!(f, "{drawn}")?;
        }
        Ok(())
    }
}

/// What the text of a record says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Saved {
    /// The variant that it names.
    pub variant: Option<String>,
    /// The position that it begins from.
    pub start: Option<String>,
    /// Moves and draws with blanks between them.
    pub moves: String,
}

impl Saved {
    /// Reads the text of a record, or a plain list of moves.
    #[must_use]
    pub fn read(text: &str) -> Saved {
        let mut saved = Saved::default();
        for line in text.lines() {
            let line = line.trim();
            match line.strip_prefix('#').map(str::trim) {
                Some(comment) => {
                    if let Some(name) = comment.strip_prefix("variant ") {
                        saved.variant = Some(name.trim().into());
                    } else if let Some(start) = comment.strip_prefix("start ") {
                        saved.start = Some(start.trim().into());
                    }
                }
                None => {
                    saved.moves.push_str(line);
                    saved.moves.push(' ');
                }
            }
        }
        saved
    }
}

impl<P: Copy> At<P> {
    /// Makes a move.
    fn make<G: Game<Position = P>>(&mut self, game: &G, mv: G::Move) -> Turn {
        let turn = Turn {
            by: self.side,
            drawn: std::mem::take(&mut self.drawn),
            from: game.position_text(&self.position, Colours::Ryg),
            mv: game.move_text(&self.position, mv, Colours::Ryg),
        };
        let edge = game.play(&self.position, mv);
        self.gained += self.side.seen(edge.gain);
        if !edge.keeps_turn {
            self.side = self.side.other();
        }
        self.position = edge.to;
        turn
    }

    /// Lets the dice draw what chance has to.
    fn settle<G: Game<Position = P>>(&mut self, game: &G, dice: &mut Dice) {
        let mut draws = Vec::new();
        loop {
            game.draws(&self.position, &mut draws);
            let weights = draws.iter().map(|(_, weight)| *weight);
            let drawn = dice.weighted(weights).and_then(|place| draws.get(place));
            let Some((to, _)) = drawn else { return };
            self.drawn
                .push(format!("[{}]", game.draw_text(to, Colours::Ryg)));
            self.position = *to;
        }
    }

    fn standing<G: Game<Position = P>>(&self, game: &G) -> Standing {
        let ended = game.ending(&self.position).map(|ending| {
            let points = self.gained + self.side.seen(ending.points);
            let winner = match (points.signum(), ending.outcome) {
                (1, _) => Some(Side::First),
                (-1, _) => Some(Side::Second),
                (_, Outcome::Win) => Some(self.side),
                (_, Outcome::Loss) => Some(self.side.other()),
                (_, Outcome::Draw) => None,
            };
            End {
                winner,
                points,
                repeated: false,
            }
        });
        Standing {
            position: game.position_text(&self.position, Colours::Ryg),
            side: self.side,
            gained: self.gained,
            drawn: self.drawn.clone(),
            ended,
        }
    }
}
