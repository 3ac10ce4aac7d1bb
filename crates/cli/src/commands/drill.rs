//! `puzzle --play`: positions to be answered one after the other, at a terminal or on a pipe.

use std::collections::{BTreeMap, VecDeque};

use anyhow::{Result, bail};
use greenwave_game::{Game, Luck, Variant};
use greenwave_play::{HINTS, Hint, Puzzle, PuzzleOptions, Theme, explain, no_puzzles, puzzles};
use greenwave_tablebase::{Queries, QueryOptions, SCHEMA};
use greenwave_words::Language;
use serde::Serialize;

use crate::args::{PuzzleArgs, Solutions};
use crate::lines::InputLines;
use crate::output::{board, complain, print, print_json};
use crate::session::{CommandVerdict, Session};

/// Puzzles of a drill where nobody says how many.
const USUAL: usize = 10;
/// After this many right answers running, the level rises.
const TO_RISE: usize = 2;
/// A position that was answered wrong comes back after this many others.
const LATER: usize = 2;
/// The highest level.
const HARDEST: u8 = 5;

/// An answer as a document.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Answered"))]
pub(super) struct DrillAnswer<'a> {
    /// Version of the document.
    schema: u32,
    /// The variant.
    variant: &'a str,
    /// The order of its lights; `None` where it has none.
    lights: Option<&'static str>,
    /// The position of the puzzle.
    position: &'a str,
    /// Its level, from 1.
    level: u8,
    /// The move that was typed.
    #[serde(rename = "move")]
    mv: &'a str,
    /// Whether it solves the puzzle.
    right: bool,
    /// The number of answers to this position so far.
    tries: usize,
}

/// The score as a document.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Score {
    /// Version of the document.
    schema: u32,
    /// The variant.
    variant: String,
    /// The order of its lights; `None` where it has none.
    lights: Option<&'static str>,
    /// Puzzles that were asked.
    asked: usize,
    /// Those that were solved at the first try.
    right: usize,
    /// The same for each level.
    levels: Vec<LevelScore>,
    /// Positions that are not solved yet.
    open: Vec<String>,
}

/// The score of a level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct LevelScore {
    /// The level, from 1.
    level: u8,
    /// Puzzles of it that were asked.
    asked: usize,
    /// Those that were solved at the first try.
    right: usize,
}

/// A position of the drill.
#[derive(Clone, Debug)]
struct Exercise {
    puzzle: Puzzle,
    /// Which of all, from 1.
    number: usize,
    tries: usize,
    hints: usize,
}

/// The positions of a drill and the answers to them: no more than that.
#[derive(Debug)]
struct DrillCourse {
    count: usize,
    level: u8,
    /// Whether the level rises.
    rises: bool,
    /// Positions that come back, with how many others come first.
    back: VecDeque<(usize, Exercise)>,
    asked: usize,
    running: usize,
    scores: BTreeMap<u8, LevelScore>,
}

impl DrillCourse {
    fn new(count: usize, level: Option<u8>) -> DrillCourse {
        DrillCourse {
            count,
            level: level.unwrap_or(1),
            rises: level.is_none(),
            back: VecDeque::new(),
            asked: 0,
            running: 0,
            scores: BTreeMap::new(),
        }
    }

    /// A position that comes back now: one whose turn it is, or any where there are no others.
    fn returning(&mut self) -> Option<Exercise> {
        let none_other = self.asked >= self.count;
        let due = self
            .back
            .iter()
            .position(|(others, _)| *others == 0 || none_other)?;
        self.back.remove(due).map(|(_, asked)| asked)
    }

    /// Counts another position as begun.
    fn begin(&mut self, puzzle: Puzzle) -> Exercise {
        self.asked += 1;
        for (others, _) in &mut self.back {
            *others = others.saturating_sub(1);
        }
        let score = self.scores.entry(puzzle.level).or_default();
        score.level = puzzle.level;
        score.asked += 1;
        Exercise {
            puzzle,
            number: self.asked,
            tries: 0,
            hints: 0,
        }
    }

    /// Takes an answer; whether the level rises by it. A hint is no right answer at the first try.
    fn answered(&mut self, asked: Exercise, right: bool) -> bool {
        if !right {
            self.running = 0;
            self.back.push_back((LATER, asked));
            return false;
        }
        if asked.tries > 1 || asked.hints > 0 {
            return false;
        }
        self.running += 1;
        if let Some(score) = self.scores.get_mut(&asked.puzzle.level) {
            score.right += 1;
        }
        let rises = self.rises && self.running >= TO_RISE && self.level < HARDEST;
        if rises {
            self.running = 0;
            self.level += 1;
        }
        rises
    }

    fn right(&self) -> usize {
        self.scores.values().map(|score| score.right).sum()
    }
}

/// What a line asks for.
enum DrillReply {
    Right(String),
    Wrong(String),
    Other,
    Quit,
}

struct Drill<'a> {
    session: &'a Session,
    variant: &'a Variant,
    words: Language,
    queries: Queries<'a>,
    course: DrillCourse,
    seed: u64,
    theme: Option<Theme>,
    /// Positions of each level that have not been asked yet.
    ready: BTreeMap<u8, VecDeque<Puzzle>>,
    /// Positions that were given, in place of those of levels.
    given: Option<VecDeque<Puzzle>>,
    solved: Vec<Puzzle>,
}

pub(super) fn run(
    session: &Session,
    args: &PuzzleArgs,
    variant: &Variant,
    given: Option<Vec<Puzzle>>,
) -> Result<CommandVerdict> {
    if args.html.is_some() || args.svg.is_some() {
        bail!("--play asks for answers, and --html and --svg write a sheet; give one of them");
    }
    let none = || {
        let rules = variant.rules();
        let why = no_puzzles(rules, args.level, args.theme, true);
        session.tell(&format!("greenwave: {why}"));
        Ok(CommandVerdict::No)
    };
    if variant.rules().properties.luck == Luck::Draws {
        return none();
    }
    let count = match &given {
        Some(given) => args.count.unwrap_or(given.len()).min(given.len()),
        None => args.count.unwrap_or(USUAL),
    };
    let mut drill = Drill {
        session,
        variant,
        words: session.language,
        queries: session
            .tablebase
            .queries(variant, &QueryOptions::default())?,
        course: DrillCourse::new(count, args.level),
        seed: args.seed,
        theme: args.theme,
        ready: BTreeMap::new(),
        given: given.map(VecDeque::from),
        solved: Vec::new(),
    };
    let Some(first) = drill.next()? else {
        return none();
    };
    drill.play(first, args.solutions.unwrap_or_default())
}

impl Drill<'_> {
    /// The next position: one that comes back, or another; `None` at the end.
    fn next(&mut self) -> Result<Option<Exercise>> {
        if let Some(back) = self.course.returning() {
            return Ok(Some(back));
        }
        if self.course.asked < self.course.count {
            if let Some(puzzle) = self.another()? {
                return Ok(Some(self.course.begin(puzzle)));
            }
            // There are no others: those that come back are all.
            self.course.count = self.course.asked;
        }
        Ok(self.course.returning())
    }

    /// A position that was not asked yet: of the level, else of the next one that has any.
    fn another(&mut self) -> Result<Option<Puzzle>> {
        if let Some(given) = &mut self.given {
            return Ok(given.pop_front());
        }
        loop {
            let level = self.course.level;
            if !self.ready.contains_key(&level) {
                let options = PuzzleOptions {
                    count: self.course.count,
                    seed: self.seed,
                    level: Some(level),
                    theme: self.theme,
                };
                let found = puzzles(&self.session.tablebase, self.variant, &options)?;
                self.ready.insert(level, found.iter().cloned().collect());
            }
            let found = self.ready.get_mut(&level).and_then(VecDeque::pop_front);
            if found.is_some() || !self.course.rises || level >= HARDEST {
                return Ok(found);
            }
            self.course.level += 1;
        }
    }

    fn play(&mut self, first: Exercise, solutions: Solutions) -> Result<CommandVerdict> {
        let words = self.words;
        self.tell(|| {
            let count = self.course.count.to_string();
            let name = words.named_game(self.variant.rules().title());
            words.filled("drill-intro", &[("name", &name), ("count", &count)]) + "\n"
        })?;
        let input = InputLines::begin(1);
        let mut next = Some(first);
        let mut verdict = CommandVerdict::Done;
        'positions: while let Some(mut asked) = next.take() {
            self.show(&asked)?;
            loop {
                let cancelled = || self.session.tablebase.progress().cancelled();
                let read = match input.next(cancelled) {
                    Err(_) if cancelled() => {
                        verdict = CommandVerdict::Interrupted;
                        Vec::new()
                    }
                    read => read?,
                };
                let Some(line) = read.first() else {
                    self.course.back.push_back((0, asked));
                    break 'positions;
                };
                if let Some(fault) = line.fault {
                    complain(&format!("greenwave: {fault}"));
                    continue;
                }
                let (right, mv) = match self.said(&mut asked, line.text.trim())? {
                    DrillReply::Other => continue,
                    DrillReply::Quit => {
                        self.course.back.push_back((0, asked));
                        break 'positions;
                    }
                    DrillReply::Right(mv) => (true, mv),
                    DrillReply::Wrong(mv) => (false, mv),
                };
                asked.tries += 1;
                self.judge(&asked, &mv, right)?;
                if right {
                    self.solved.push(asked.puzzle.clone());
                }
                if self.course.answered(asked, right) {
                    self.tell(|| words.with("drill-rises", self.course.level))?;
                }
                break;
            }
            next = self.next()?;
        }
        self.end(solutions)?;
        Ok(verdict)
    }

    /// Prints a text for people.
    fn tell(&self, text: impl FnOnce() -> String) -> Result<()> {
        if self.session.json {
            Ok(())
        } else {
            print(&format!("{}\n", text()))
        }
    }

    fn show(&self, asked: &Exercise) -> Result<()> {
        self.tell(|| {
            let key = if asked.tries == 0 {
                "drill-task"
            } else {
                "drill-again"
            };
            let (number, count) = (asked.number.to_string(), self.course.count.to_string());
            let fillings = [
                ("number", number.as_str()),
                ("count", &count),
                ("level", &asked.puzzle.level.to_string()),
                ("task", &asked.puzzle.task(self.words, self.variant)),
            ];
            let diagram = asked.puzzle.diagram(self.variant);
            format!(
                "{}\n\n{}",
                self.words.filled(key, &fillings),
                board::draw(self.words, &diagram)
            )
        })
    }

    /// What a line says about a position.
    fn said(&self, asked: &mut Exercise, line: &str) -> Result<DrillReply> {
        match line.to_lowercase().as_str() {
            "" => return Ok(DrillReply::Other),
            "quit" | "exit" => return Ok(DrillReply::Quit),
            "hint" => {
                asked.hints = (asked.hints + 1).min(HINTS);
                let answer = self.queries.answer(&asked.puzzle.at)?;
                let hint = Hint::at(&self.queries, &answer, asked.hints)?.said(self.words);
                self.tell(|| format!("  {}", self.words.with("game-hint", hint)))?;
                return Ok(DrillReply::Other);
            }
            "solution" => {
                asked.hints = HINTS;
                let moves = asked.puzzle.solution.join(" ");
                self.tell(|| format!("  {}", self.words.with("drill-solution", moves)))?;
                return Ok(DrillReply::Other);
            }
            "moves" => {
                let answer = self.queries.answer(&asked.puzzle.at)?;
                let mut moves: Vec<&str> = answer.moves.iter().map(|mv| &*mv.mv).collect();
                moves.sort_unstable();
                self.tell(|| format!("  {}", moves.join(" ")))?;
                return Ok(DrillReply::Other);
            }
            _ => {}
        }
        let position = &asked.puzzle.at;
        let read = self.variant.parse_move(position, line);
        let read = read.map(|mv| self.variant.move_text(position, mv));
        Ok(match read {
            Ok(mv) if asked.puzzle.keeps.contains(&mv) => DrillReply::Right(mv),
            Ok(mv) => DrillReply::Wrong(mv),
            Err(error) => {
                complain(&format!(
                    "greenwave: {error}; or one of hint, solution, moves, quit"
                ));
                DrillReply::Other
            }
        })
    }

    /// Tells what an answer is worth, and of a wrong one why.
    fn judge(&self, asked: &Exercise, mv: &str, right: bool) -> Result<()> {
        let puzzle = &asked.puzzle;
        if self.session.json {
            return print_json(&DrillAnswer {
                schema: SCHEMA,
                variant: &puzzle.variant,
                lights: puzzle.lights,
                position: &puzzle.position,
                level: puzzle.level,
                mv,
                right,
                tries: asked.tries,
            });
        }
        let words = self.words;
        if right {
            return self.tell(|| format!("  {}\n", words.with("drill-right", mv)));
        }
        let answer = self.queries.answer(&puzzle.at)?;
        let figures = answer.moves.iter().find(|known| known.mv == mv);
        let at_hand = self.session.tablebase.is_at_hand(self.variant);
        let facts = match figures {
            Some(figures) => explain(&self.queries, at_hand, &answer, figures)?,
            None => Vec::new(),
        };
        let why = facts
            .first()
            .map_or_else(|| mv.to_string(), |fact| fact.said(words, mv));
        self.tell(|| {
            format!(
                "  {}\n  {}\n",
                words.with("drill-wrong", why),
                words.text("drill-back")
            )
        })
    }

    /// Tells the score.
    fn end(&self, solutions: Solutions) -> Result<()> {
        let course = &self.course;
        let open: Vec<&Puzzle> = course.back.iter().map(|(_, asked)| &asked.puzzle).collect();
        if self.session.json {
            return print_json(&Score {
                schema: SCHEMA,
                variant: self.variant.rules().title().to_string(),
                lights: self.variant.rules().lights_name(),
                asked: course.asked,
                right: course.right(),
                levels: course.scores.values().copied().collect(),
                open: open.iter().map(|puzzle| puzzle.position.clone()).collect(),
            });
        }
        let words = self.words;
        let (right, asked) = (course.right().to_string(), course.asked.to_string());
        let score = words.filled("drill-score", &[("right", &right), ("asked", &asked)]);
        let mut text = format!("{score}\n");
        for score in course.scores.values() {
            let [level, right, asked] =
                [usize::from(score.level), score.right, score.asked].map(|n| n.to_string());
            let fillings = [("level", &*level), ("right", &right), ("asked", &asked)];
            text.push_str(&format!("  {}\n", words.filled("drill-level", &fillings)));
        }
        if solutions == Solutions::End {
            for puzzle in self.solved.iter().chain(open.iter().copied()) {
                let moves = puzzle.solution.join(" ");
                text.push_str(&format!(
                    "  {}  {}\n",
                    puzzle.position,
                    words.with("drill-solution", moves)
                ));
            }
        }
        for puzzle in open {
            text.push_str(&format!(
                "  {}\n",
                words.with("drill-open", &puzzle.position)
            ));
        }
        print(&text)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use greenwave_game::At;

    use super::*;

    fn puzzle(position: &str, level: u8) -> Puzzle {
        Puzzle {
            schema: SCHEMA,
            variant: "classic-3x3".into(),
            lights: None,
            position: position.into(),
            at: *At::start(Arc::new(Variant::parse("classic-3x3").unwrap())).position(),
            level,
            solution: vec!["a1R".into()],
            only_moves: 1,
            distance: Some(1),
            goal: "win",
            themes: Vec::new(),
            keeps: vec!["a1R".into()],
        }
    }

    #[test]
    fn wrong_ones_come_back_after_two_others_and_levels_rise() {
        let mut course = DrillCourse::new(4, None);
        let answered = |course: &mut DrillCourse, mut asked: Exercise, right| {
            asked.tries += 1;
            course.answered(asked, right)
        };
        let first = course.begin(puzzle("1", 1));
        assert!(!answered(&mut course, first, false));
        for name in ["2", "3"] {
            assert!(course.returning().is_none());
            let asked = course.begin(puzzle(name, 1));
            assert_eq!(answered(&mut course, asked, true), name == "3");
        }
        assert_eq!(course.level, 2);
        let back = course.returning().unwrap();
        assert_eq!((&*back.puzzle.position, back.tries), ("1", 1));
        assert!(!answered(&mut course, back, true));
        let last = course.begin(puzzle("4", 2));
        answered(&mut course, last, false);
        let back = course.returning().unwrap();
        assert_eq!(back.puzzle.position, "4", "nothing else is left");
        assert_eq!(course.right(), 2);
        let levels: Vec<LevelScore> = course.scores.values().copied().collect();
        let score = |level, asked, right| LevelScore {
            level,
            asked,
            right,
        };
        assert_eq!(levels, [score(1, 3, 2), score(2, 1, 0)]);
    }
}
