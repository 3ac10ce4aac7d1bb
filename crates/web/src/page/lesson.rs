//! A first lesson that is played: small boards, one move each.

use std::fmt::Write;

use greenwave_game::{AnyMove, AnyPosition, Diagram, Game, Mark, Variant};
use greenwave_picture::{MovePlace, Picture, Scheme, Tag, escaped, place};
use greenwave_words::Language;

use crate::explorer::Explorer;
use crate::messages;
use crate::page::frame;
use crate::page::reader::Reader;
use crate::page::titles::lights_note;
use crate::page::written::{light, placing_in_words};
use crate::params::Params;
use crate::problem::Problem;
use crate::routes::RouteAnswer;

/// The game of the lesson.
const GAME: &str = "classic-3x3";

/// What a step asks for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StepGoal {
    /// Raise a square that has this level.
    Raise(u8),
    /// Complete a line.
    Win,
    /// Find a move after which the opponent wins at once.
    Blunder,
    /// Find a move after which the opponent does not.
    Safe,
}

/// A step: its goal, its board with red first, and the keys of its sentences.
struct Step {
    goal: StepGoal,
    position: &'static str,
    asks: &'static str,
    right: &'static str,
}

const STEPS: [Step; 6] = [
    Step {
        goal: StepGoal::Raise(0),
        position: "R.Y/.G./Y.R",
        asks: "lesson-put",
        right: "lesson-put-right",
    },
    Step {
        goal: StepGoal::Raise(1),
        position: "RG./.Y./G.R",
        asks: "lesson-raise",
        right: "lesson-raise-right",
    },
    Step {
        goal: StepGoal::Raise(2),
        position: "R.Y/.GY/.RG",
        asks: "lesson-last",
        right: "lesson-last-right",
    },
    Step {
        goal: StepGoal::Win,
        position: ".Y./R.R/..G",
        asks: "lesson-win",
        right: "lesson-win-right",
    },
    Step {
        goal: StepGoal::Blunder,
        position: "R.Y/GY./..R",
        asks: "lesson-blunder",
        right: "lesson-blunder-right",
    },
    Step {
        goal: StepGoal::Safe,
        position: "..R/GY./.G.",
        asks: "lesson-safe",
        right: "lesson-safe-right",
    },
];

/// What a press on a square comes to.
struct Press {
    is_right: bool,
    said: &'static str,
    /// The level of the square before.
    level: u8,
    /// The position after the move; `None` where no move is left on the square.
    after: Option<AnyPosition>,
    /// The opponent's move that wins then, and the position after it.
    reply: Option<(AnyMove, AnyPosition)>,
}

impl Step {
    /// The position of the step with the lights of the variant.
    ///
    /// # Panics
    /// If the table of the steps has a position that is none of the game.
    fn start(&self, variant: &Variant) -> AnyPosition {
        let at = variant.parse_position(&variant.rules().exchanged(self.position));
        at.expect("steps are positions of the game")
    }

    /// Judges a press by the rules of the game.
    fn judge(&self, variant: &Variant, at: &AnyPosition, square: usize) -> Press {
        let diagram = variant.diagram(at);
        let level = level_of(&diagram, square);
        let mut moves = Vec::new();
        variant.moves(at, &mut moves);
        let on_square = |mv: &&AnyMove| {
            let text = variant.move_text(at, **mv);
            matches!(place(&diagram, &text), MovePlace::Square(on) if on == square)
        };
        let Some(mv) = moves.iter().find(on_square).copied() else {
            return Press {
                is_right: false,
                said: "lesson-final",
                level,
                after: None,
                reply: None,
            };
        };
        let edge = variant.play(at, mv);
        let wins = variant.is_win(&edge);
        let reply = winning_move(variant, &edge.to);
        let (is_right, wrong) = match self.goal {
            StepGoal::Raise(wanted) => {
                let wrong = if level == 0 {
                    "lesson-empty"
                } else {
                    "lesson-lit"
                };
                (level == wanted, wrong)
            }
            StepGoal::Win => (wins, "lesson-no-line"),
            StepGoal::Blunder => (reply.is_some(), "lesson-no-blunder"),
            StepGoal::Safe => (reply.is_none(), "lesson-not-safe"),
        };
        let is_about_reply = matches!(self.goal, StepGoal::Blunder | StepGoal::Safe);
        Press {
            is_right,
            said: if is_right { self.right } else { wrong },
            level,
            after: Some(edge.to),
            reply: reply.filter(|_| is_about_reply),
        }
    }
}

/// A move that ends the game with a win, and the position after it.
fn winning_move(variant: &Variant, at: &AnyPosition) -> Option<(AnyMove, AnyPosition)> {
    let mut moves = Vec::new();
    if variant.ending(at).is_none() {
        variant.moves(at, &mut moves);
    }
    moves.into_iter().find_map(|mv| {
        let edge = variant.play(at, mv);
        variant.is_win(&edge).then_some((mv, edge.to))
    })
}

fn level_of(diagram: &Diagram, square: usize) -> u8 {
    match diagram.marks[square].2 {
        Mark::Level(level) => level,
        Mark::Disc { .. } | Mark::Point | Mark::Sign(_) => 0,
    }
}

/// The word of a level's light, or that the square is empty.
fn level_name(words: Language, diagram: &Diagram, level: u8) -> &'static str {
    light(words, diagram.letter(level)).unwrap_or_else(|| words.text("empty"))
}

/// A square and what stands on it.
fn square_name(words: Language, diagram: &Diagram, square: usize) -> String {
    let level = level_of(diagram, square);
    format!(
        "{} {}",
        diagram.names[square],
        level_name(words, diagram, level)
    )
}

/// The page of a step, before or after a press on a square.
pub(super) fn page(
    explorer: &Explorer,
    reader: &Reader,
    params: &Params,
) -> Result<RouteAnswer, Problem> {
    let words = reader.language;
    let chosen = params.number_from("step", 1, STEPS.len() as u64)?;
    let number = chosen.unwrap_or(1) as usize;
    let step = &STEPS[number - 1];
    let mut variant = (*explorer.variant(GAME)?).clone();
    variant.set_lights(reader.lights.unwrap_or_default());
    let at = step.start(&variant);
    let diagram = variant.diagram(&at);
    let square = params.text("square").map(|square| square.to_lowercase());
    let pressed = match &square {
        Some(square) => {
            let found = diagram.names.iter().position(|name| name == square);
            Some(found.ok_or_else(|| {
                let problem = messages::found_board_square(square, &diagram.names[0]);
                Problem::wrong("square", problem)
            })?)
        }
        None => None,
    };
    let press = pressed.map(|square| step.judge(&variant, &at, square));
    let is_right = press.as_ref().is_some_and(|press| press.is_right);
    let text = |key, fillings: &[(&str, &str)]| {
        let colours = [("first", 1), ("second", 2), ("last", 3)]
            .map(|(place, level)| (place, level_name(words, &diagram, level)));
        escaped(&words.filled(key, &[&colours[..], fillings].concat())).to_string()
    };
    let (shown, all) = (number.to_string(), STEPS.len().to_string());
    let counts = [("n", shown.as_str()), ("all", all.as_str())];
    let title = words.text("lesson");
    let mut body = format!(
        "<main id=\"main\" tabindex=\"-1\" class=\"way lesson\"><h1>{title}</h1><p class=\"turn\">{}</p>\
         <p class=\"lead\">{}</p>",
        text("lesson-step", &counts),
        text(step.asks, &[]),
    );
    let said = press.as_ref().map(|press| {
        let answered = press.reply.as_ref().zip(press.after.as_ref());
        let reply = answered
            .and_then(|((mv, _), after)| placing_in_words(words, &variant.move_text(after, *mv)));
        let name = |level| level_name(words, &diagram, level);
        let fillings = [
            ("before", name(press.level)),
            ("after", name((press.level + 1).min(3))),
            ("reply", reply.as_deref().unwrap_or_default()),
        ];
        text(press.said, &fillings)
    });
    if let Some(said) = said {
        let class = if is_right { "right" } else { "wrong" };
        let _ = write!(body, "<p class=\"said {class}\" role=\"status\">{said}</p>");
    }
    let asked = StepBoard {
        explorer,
        reader,
        variant: &variant,
        at: &at,
        number,
    };
    body.push_str("<section class=\"board lesson-board\">");
    body.push_str(
        &match press.as_ref().and_then(|press| press.after.as_ref()) {
            Some(after)
                if is_right || press.as_ref().is_some_and(|press| press.reply.is_some()) =>
            {
                asked.after(after, press.as_ref(), pressed)
            }
            Some(_) | None => asked.open(),
        },
    );
    body.push_str("</section>");
    body.push_str(&asked.ways_on(is_right, press.is_some_and(|press| press.reply.is_some())));
    body.push_str(&lights_note(words, &variant));
    body.push_str("</main>");
    let mut own = vec![("step", shown.as_str())];
    own.extend(square.as_deref().map(|square| ("square", square)));
    Ok(frame::answer(
        explorer,
        reader,
        &format!("{title}: {}", words.filled("lesson-step", &counts)),
        Some(("/lesson", &own)),
        &body,
    ))
}

/// The task and the board of the first step, of which every square leads into the lesson.
pub(super) fn first_board(
    explorer: &Explorer,
    reader: &Reader,
) -> Result<(String, String), Problem> {
    let variant = explorer.variant(GAME)?;
    let step = &STEPS[0];
    let at = step.start(&variant);
    let words = reader.language;
    let first = level_name(words, &variant.diagram(&at), 1);
    let board = StepBoard {
        explorer,
        reader,
        variant: &variant,
        at: &at,
        number: 1,
    };
    Ok((words.filled(step.asks, &[("first", first)]), board.open()))
}

/// The board of a step.
struct StepBoard<'a> {
    explorer: &'a Explorer,
    reader: &'a Reader,
    variant: &'a Variant,
    at: &'a AnyPosition,
    number: usize,
}

impl StepBoard<'_> {
    fn address(&self, number: usize, square: Option<&str>) -> String {
        let number = number.to_string();
        let mut own = vec![("step", number.as_str())];
        own.extend(square.map(|square| ("square", square)));
        self.reader.address(self.explorer, "/lesson", &own)
    }

    /// The board with a link on every square.
    fn open(&self) -> String {
        let words = self.reader.language;
        let diagram = self.variant.diagram(self.at);
        let mut picture = Picture::new(&diagram, words.text("board"));
        picture.scheme = Scheme::Page;
        for (square, name) in diagram.names.iter().enumerate() {
            let level = level_of(&diagram, square);
            picture.tags.push(Tag {
                square,
                next: (level < 3).then(|| diagram.letter(level + 1)),
                href: Some(self.address(self.number, Some(name))),
                label: square_name(words, &diagram, square),
                ..Tag::default()
            });
        }
        picture.svg()
    }

    /// The board after a press, and the opponent's winning reply where there is one.
    fn after(&self, after: &AnyPosition, press: Option<&Press>, pressed: Option<usize>) -> String {
        let words = self.reader.language;
        let diagram = self.variant.diagram(after);
        let squares = (0..diagram.names.len()).map(|square| square_name(words, &diagram, square));
        let name = squares.collect::<Vec<_>>().join(", ");
        let mut picture = Picture::new(&diagram, &name);
        picture.scheme = Scheme::Page;
        picture.framed = pressed.into_iter().collect();
        picture.won = self.variant.completed_lines(after);
        if let Some((mv, end)) = press.and_then(|press| press.reply.as_ref()) {
            let text = self.variant.move_text(after, *mv);
            if let (MovePlace::Square(at), Some(letter)) =
                (place(&diagram, &text), text.chars().last())
            {
                picture.reply = Some((at, letter));
            }
            picture.won = self.variant.completed_lines(end);
        }
        picture.svg()
    }

    /// The links below the board: to the next step, to this one again, or out of the lesson.
    fn ways_on(&self, is_right: bool, is_closed: bool) -> String {
        let words = self.reader.language;
        let mut links: Vec<(String, &str)> = Vec::new();
        let mut html = String::new();
        if is_right && self.number == STEPS.len() {
            let _ = write!(html, "<p>{}</p>", words.text("lesson-done"));
            let game = if self.variant.rules().begins_with_green() {
                "/semaforo"
            } else {
                "/classic-3x3"
            };
            let plain = self.reader.plain();
            let play = plain.address(self.explorer, &format!("{game}/play"), &[]);
            let puzzle = format!("{game}/puzzle");
            links.push((play, "tab-play"));
            let puzzle = plain.address(self.explorer, &puzzle, &[("level", "1")]);
            links.push((puzzle, "puzzles"));
        } else if is_right {
            links.push((self.address(self.number + 1, None), "lesson-next"));
        } else if is_closed {
            links.push((self.address(self.number, None), "lesson-again"));
        }
        if links.is_empty() {
            return html;
        }
        html.push_str("<p class=\"actions\">");
        for (place, (address, key)) in links.iter().enumerate() {
            let first = if place == 0 { " class=\"first\"" } else { "" };
            let _ = write!(
                html,
                "<a{first} href=\"{}\">{}</a> ",
                escaped(address),
                words.text(key)
            );
        }
        html + "</p>"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::tiles::HERO;

    /// The board on the first page shows its values.
    #[test]
    fn no_step_is_the_board_of_the_first_page() {
        assert!(STEPS.iter().all(|step| step.position != HERO.1));
    }

    /// Every step has presses that are right and others that are not, judged by the rules.
    #[test]
    fn steps_can_be_done_and_missed_in_both_orders_of_the_lights() {
        let green_first = Variant::parse("semaforo").unwrap().rules().lights;
        for lights in [None, green_first] {
            let variant = Variant::parse(GAME).unwrap();
            let variant = variant.with_chosen_lights(lights).unwrap();
            for step in &STEPS {
                let at = step.start(&variant);
                let text = variant.position_text(&at);
                assert!(variant.ending(&at).is_none(), "{text}");
                let squares = 0..variant.diagram(&at).marks.len();
                let right = squares.filter(|square| step.judge(&variant, &at, *square).is_right);
                let right = right.count();
                assert!((1..9).contains(&right), "{text}: {right}");
                // Only the step that asks for a line has one to complete.
                let wins = winning_move(&variant, &at).is_some();
                assert_eq!(wins, step.goal == StepGoal::Win, "{text}");
            }
        }
    }
}
