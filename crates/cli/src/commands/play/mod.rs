//! `play`: games against the program, at a terminal on a full screen, else line by line.

mod ahead;
pub(super) mod command;
mod keys;
pub(super) mod lines;
mod look;
mod panel;
mod screen;
#[cfg(test)]
mod tests;
mod unheard;

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail};
use greenwave_game::{Figures, Outcome, Variant, counted};
use greenwave_play::{Dice, Hint, Level, Record, Seat, choose};
use greenwave_tablebase::{Answer, Budget, Place, Queries, QueryOptions, Tablebase};

use self::ahead::{ReplyAhead, settle_reply};
use super::review::{self, ReviewInput};
use crate::args::{PlayArgs, PlayerSides};
use crate::output::{is_standard, quoted_command, word, words, write_whole};
use crate::session::{Session, expect_no_input};

/// Longest search for a move of the program where nothing is solved.
const THINKING: Budget = Budget::Time(Duration::from_secs(2));

/// A game that is being played.
struct PlaySession<'a> {
    session: &'a Session,
    // That of the session, heard by whoever can show what it says.
    tablebase: Tablebase,
    variant: &'a Variant,
    record: Record,
    // Which sides people play.
    human: [bool; 2],
    level: Level,
    hints: bool,
    seed: u64,
    file: Option<PathBuf>,
    // The variant as a shell reads what was typed.
    named: String,
    // The limits of one search.
    thinking: Budget,
    // The variant as far as it is solved, once anything has been asked; it is kept for the whole game.
    solved: Option<Queries<'a>>,
    // The answer about the position after the record, if it has been requested.
    answer: Option<Answer>,
    // The next reply, while a person thinks.
    reply: Option<ReplyAhead>,
}

/// A move and what it is worth.
struct MoveValue {
    mv: String,
    worth: String,
    /// Whether it is one of the best.
    best: bool,
    sign: Option<char>,
}

/// A ply that has just been made.
struct FreshPly {
    by_machine: bool,
    mv: String,
    drawn: Vec<String>,
    opinion: bool,
}

impl<'a> PlaySession<'a> {
    fn begin(
        session: &'a Session,
        args: &PlayArgs,
        variant: &'a Variant,
        given: Option<&ReviewInput>,
    ) -> Result<PlaySession<'a>> {
        let seed = args.seed.unwrap_or_else(|| {
            let now = SystemTime::now().duration_since(UNIX_EPOCH);
            now.map_or(0, |now| now.as_nanos() as u64 % 1_000_000)
        });
        let place = match given {
            Some(given) => given.place(),
            None => Place {
                position: args.position.as_deref(),
                moves: None,
            },
        };
        if let Some(position) = place.position {
            expect_no_input(position, "a position", "moves are typed there")?;
        }
        let mut dice = Dice::new(seed, u64::MAX);
        let record = Record::begin(variant.clone(), &place, &mut dice)?;
        let play = PlaySession {
            session,
            tablebase: session.tablebase.clone(),
            variant,
            record,
            human: match args.players {
                PlayerSides::First => [true, false],
                PlayerSides::Second => [false, true],
                PlayerSides::Both => [true, true],
                PlayerSides::None => [false, false],
            },
            level: args.level,
            hints: args.hints,
            seed,
            file: args.record.clone(),
            named: word(Path::new(&args.variant)),
            thinking: THINKING,
            solved: None,
            answer: None,
            reply: None,
        };
        // The command refuses a record that it cannot write, or that would replace another file,
        // before the first move.
        if let Some(file) = &play.file {
            expect_new(file)?;
        }
        play.keep()?;
        Ok(play)
    }

    /// Begins another game, from where this one began, with other dice.
    fn begin_again(&mut self) {
        self.seed = self.seed.wrapping_add(1);
        let mut dice = Dice::new(self.seed, u64::MAX);
        self.record = self.record.again(&mut dice);
        self.answer = None;
        self.reply = None;
    }

    /// The game gone through, for people.
    fn review(&self) -> Result<String> {
        review::of_record(
            self.session,
            &self.tablebase,
            self.variant,
            &self.record,
            self.thinking,
        )
    }

    /// Writes the record, whole each time, so that it is there whatever happens next.
    fn keep(&self) -> Result<()> {
        // On standard output it is written once, at the end.
        let Some(file) = self.file.as_ref().filter(|file| !is_standard(file)) else {
            return Ok(());
        };
        write_whole(file, self.record.to_string().as_bytes()).with_context(|| {
            format!(
                "cannot write the record '{}'; name a file in a folder that is there",
                file.display()
            )
        })
    }

    /// Solves the variant, unless it is solved or the game is over. It solves all that a query
    /// would solve, however short the searches are.
    fn prepare(&mut self) -> Result<()> {
        if self.solved.is_none() && self.record.end().is_none() {
            let solved = self
                .tablebase
                .queries(self.variant, &QueryOptions::default())?;
            self.solved = Some(solved);
        }
        Ok(())
    }

    /// Begins to work out the reply to the move that a person is thinking about.
    fn think_ahead(&mut self) {
        let replies = self.record.end().is_none() && self.human != [true, true];
        if replies && self.humans_turn() && self.reply.is_none() {
            self.reply = Some(ReplyAhead::begin(&self.tablebase, self.record.here()));
        }
    }

    /// The part of the reply that is worked out, from 0 to 1, while it is.
    fn reply_share(&self) -> Option<f64> {
        let reply = self.reply.as_ref().filter(|reply| !reply.is_done())?;
        let stopped = self.tablebase.progress().cancelled();
        (!stopped).then(|| reply.share())
    }

    /// What is known of the position now.
    fn answer(&mut self) -> Result<&Answer> {
        // The reply that was worked out meanwhile says more of this position, too.
        if self.reply.as_mut().is_some_and(ReplyAhead::has_just_ended) {
            self.answer = None;
        }
        if self.answer.is_none() {
            self.prepare()?;
            let options = QueryOptions {
                budget: Some(self.thinking),
                needs_move: true,
            };
            let answer = self.tablebase.query_of(&self.record.here(), &options)?;
            self.answer = Some(answer);
        }
        self.answer.as_ref().context("just asked")
    }

    /// A step of a hint about the position now.
    fn hint(&mut self, step: usize) -> Result<Hint> {
        self.answer()?;
        let answer = self.answer.as_ref().context("just asked")?;
        Ok(match &self.solved {
            Some(queries) => Hint::at(queries, answer, step)?,
            None => Hint::of(answer, step),
        })
    }

    fn humans_turn(&self) -> bool {
        self.human[usize::from(self.record.side() == Seat::Second)]
    }

    /// The dice of the next ply, which follow from the seed and the number of the ply alone.
    fn dice(&self) -> Dice {
        Dice::new(self.seed, self.record.turns().len() as u64)
    }

    /// Makes a person's move.
    fn human_move(&mut self, text: &str) -> Result<FreshPly> {
        let mut dice = self.dice();
        self.record.play(text, &mut dice)?;
        self.made(false, false)
    }

    /// Makes the program's move.
    fn machine_move(&mut self) -> Result<FreshPly> {
        let mut dice = self.dice();
        let level = self.level;
        if let Some(reply) = self.reply.take() {
            reply.wait(self.tablebase.progress());
        }
        settle_reply(&self.tablebase, &self.record.here())?;
        // What was said of the position before its sweep may be no more than an opinion.
        if self
            .answer
            .as_ref()
            .is_some_and(|answer| answer.best.is_empty())
        {
            self.answer = None;
        }
        let variant = self.record.variant().clone();
        let choice = choose(&variant, self.answer()?, level, &mut dice)
            .context("no move is left, and the game is not over")?;
        self.record.play(&choice.mv, &mut dice)?;
        self.made(true, choice.opinion)
    }

    fn made(&mut self, by_machine: bool, opinion: bool) -> Result<FreshPly> {
        self.answer = None;
        self.keep()?;
        let turn = self.record.turns().last().context("a ply was made")?;
        Ok(FreshPly {
            by_machine,
            mv: turn.mv.clone(),
            drawn: self.record.drawn().to_vec(),
            opinion,
        })
    }

    /// Takes back a person's last move, and what the program answered; how many plies went.
    fn undo(&mut self) -> Result<usize> {
        let mut plies = 0;
        let ours =
            |record: &Record, human: [bool; 2]| human[usize::from(record.side() == Seat::Second)];
        let humans_turns = self.record.turns().iter();
        if !humans_turns
            .clone()
            .any(|turn| self.human[usize::from(turn.by == Seat::Second)])
        {
            return Ok(0);
        }
        while self.record.undo().is_some() {
            plies += 1;
            if ours(&self.record, self.human) {
                break;
            }
        }
        self.answer = None;
        self.reply = None;
        self.keep()?;
        Ok(plies)
    }

    /// The variant as the user wrote it.
    fn title(&self) -> String {
        self.variant.rules().title().to_string()
    }

    /// The order of the lights in texts, by its name.
    fn lights(&self) -> Option<&'static str> {
        self.variant.rules().lights_name()
    }

    /// The value of the position, in words.
    fn standing(&mut self) -> Result<String> {
        let answer = self.answer()?;
        let terminal = answer.terminal;
        let figures: Figures = answer.figures();
        Ok(words::sentence(self.session.language, &figures, terminal))
    }

    /// The moves with what they are worth, best first.
    fn values(&mut self) -> Result<Vec<MoveValue>> {
        let language = self.session.language;
        let answer = self.answer()?;
        let mut rows = Vec::new();
        for (number, mv) in answer.moves.iter().enumerate() {
            let figures = mv.figures();
            rows.push(MoveValue {
                mv: mv.mv.clone(),
                worth: words::phrase(language, &figures),
                best: number < answer.best_moves().len(),
                sign: sign(&figures),
            });
        }
        Ok(rows)
    }

    /// The message when nobody plays on.
    fn farewell(&self, resigned: bool) -> String {
        let language = self.session.language;
        let said = match (self.end_in_words(), resigned) {
            (Some(end), _) => language.with("game-over", end),
            (None, true) => language.text("game-resigned").into(),
            (None, false) => language.text("game-stopped").into(),
        };
        format!("{}.", words::capital(&said))
    }

    /// Where the record is kept, and what goes through it, after a blank; nothing where it is not kept.
    fn kept(&self) -> String {
        let Some(file) = self.file.as_deref().filter(|file| !is_standard(file)) else {
            return String::new();
        };
        let command = format!("greenwave review {} --moves {}", self.named, word(file));
        let command = quoted_command(&command);
        let file = file.display().to_string();
        let fillings = [("file", file.as_str()), ("command", &command)];
        format!(
            " {}",
            self.session.language.filled("game-record", &fillings)
        )
    }

    /// How the game ended, in words; `None` while it goes on.
    fn end_in_words(&self) -> Option<String> {
        let end = self.record.end()?;
        let language = self.session.language;
        let key = match end.winner {
            Some(side) => match (
                self.human,
                self.human[usize::from(side == Seat::Second)],
                side,
            ) {
                ([true, true] | [false, false], _, Seat::First) => "end-first",
                ([true, true] | [false, false], _, Seat::Second) => "end-second",
                (_, true, _) => "end-you",
                (_, false, _) => "end-program",
            },
            None if end.repeated => "end-repeated",
            None => "end-draw",
        };
        let who = language.text(key);
        Some(match (end.winner, end.points.abs()) {
            (None, _) | (Some(_), 0) => who.into(),
            (Some(_), points) => {
                let points = language.counted(points.into(), "point", "points");
                language.filled("end-by", &[("who", who), ("points", &points)])
            }
        })
    }
}

/// The key of the name of a level.
fn level_key(level: Level) -> &'static str {
    match level {
        Level::Perfect => "level-perfect",
        Level::Strong => "level-strong",
        Level::Medium => "level-medium",
        Level::Easy => "level-easy",
    }
}

/// The value of a move in one letter: + wins, = draws, - loses.
fn sign(figures: &Figures) -> Option<char> {
    let share = match (&figures.odds, figures.points) {
        (Some(odds), _) => Some(odds.expectation),
        (None, Some(points)) => Some(f64::from(points)),
        (None, None) => None,
    };
    match (share, figures.value) {
        (Some(share), _) if share > 0.0 => Some('+'),
        (Some(share), _) if share < 0.0 => Some('-'),
        (Some(_), _) | (None, Some(Outcome::Draw)) => Some('='),
        (None, Some(Outcome::Win)) => Some('+'),
        (None, Some(Outcome::Loss)) => Some('-'),
        (None, None) => None,
    }
}

/// Refuses to write over a file that has something in it: a game that was played cannot be played again.
fn expect_new(file: &Path) -> Result<()> {
    let Ok(found) = std::fs::metadata(file) else {
        return Ok(());
    };
    if is_standard(file) || !found.is_file() || found.len() == 0 {
        return Ok(());
    }
    bail!(
        "--record: '{}' is there and has {} in it, which would be lost; name a file that is not there",
        file.display(),
        counted(found.len(), "byte", "bytes")
    )
}
