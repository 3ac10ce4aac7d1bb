//! What the signs and letters of a board mean.

use std::fmt::Write;

use greenwave_game::{Diagram, Figures, Mark, Side, strip_side};
use greenwave_picture::{MovePlace, Ring, escaped, lamp};
use greenwave_play::swap_note;
use greenwave_tablebase::Answer;
use greenwave_words::Language;

use crate::page::board;
use crate::page::contents::Page;
use crate::page::figures::{self, FigureUnit};

/// Whether a board is one of points and discs.
fn has_points(diagram: &Diagram) -> bool {
    let mut marks = diagram.marks.iter();
    marks.any(|(_, _, mark)| matches!(mark, Mark::Disc { .. } | Mark::Point))
}

/// What is to be done on a board, where a turn has steps: its first note.
pub(super) fn task(words: Language, diagram: &Diagram) -> Option<String> {
    let first = diagram.notes.first().filter(|_| has_points(diagram))?;
    Some(words.sentences(std::slice::from_ref(first)).concat())
}

/// What a move puts on a square: a light as a lamp, a sign as itself.
fn sign_or_lamp(put: char) -> String {
    let lamp = lamp(put);
    if lamp.is_empty() { put.into() } else { lamp }
}

impl Page<'_> {
    /// What the board does not show.
    pub(super) fn notes(&self) -> String {
        let words = self.reader.language;
        let told = usize::from(self.task().is_some());
        let notes = self.view.diagram.notes.iter().skip(told);
        let strip = |key| words.with(key, self.view.diagram.strip.len());
        let notes = notes.map(|note| match strip_side(note) {
            Some(Side::North) => strip("strip-north"),
            Some(Side::East) => strip("strip-east"),
            Some(Side::South) => strip("strip-south"),
            Some(Side::West) => strip("strip-west"),
            None => words.sentences(std::slice::from_ref(note)).concat(),
        });
        let mut notes: Vec<String> = notes.collect();
        let passed = self.view.plies.iter().take(self.view.at);
        let made = passed.map(|ply| ply.text.as_str());
        notes.extend(swap_note(words, made).map(String::from));
        let mut html = String::new();
        if !notes.is_empty() {
            let notes = notes.join(" \u{b7} ");
            let _ = write!(html, "<p class=\"note\">{}</p>", escaped(&notes));
        }
        html + &self.disc_legend()
    }

    /// Whether the board is one of points and discs.
    pub(super) fn is_triangle(&self) -> bool {
        has_points(&self.view.diagram)
    }

    /// What is to be done now, where a turn has steps.
    fn task(&self) -> Option<String> {
        let is_open = self.view.ending.is_none() && !self.reader.edit;
        task(self.reader.language, &self.view.diagram).filter(|_| is_open)
    }

    /// Above the board, what is to be done now, and how.
    pub(super) fn step(&self) -> String {
        let words = self.reader.language;
        if self.view.chance && !self.is_closed() && self.reader.play.is_none() {
            let said = words.with("draw-how", words.text("draw-short"));
            return format!("<p class=\"step\"><strong>{}</strong></p>", escaped(&said));
        }
        let Some(task) = self.task() else {
            return String::new();
        };
        let is_on = |wanted: fn(&MovePlace) -> bool| {
            let mut choices = self.view.choices.iter();
            choices.any(|choice| wanted(&choice.place))
        };
        let how = if self.is_closed() {
            None
        } else if self.selected.is_some() {
            Some("step-goes")
        } else if is_on(|place| matches!(place, MovePlace::Step(..))) {
            Some("step-stands")
        } else {
            is_on(|place| matches!(place, MovePlace::Square(_))).then_some("step-point")
        };
        let how = how.map_or_else(String::new, |key| {
            format!(" <span>{}</span>", words.text(key))
        });
        format!(
            "<p class=\"step\"><strong>{}</strong>{how}</p>",
            escaped(&task)
        )
    }

    /// What the discs of a triangle are, folded where one can unfold it.
    fn disc_legend(&self) -> String {
        if !self.is_triangle() {
            return String::new();
        }
        let words = self.reader.language;
        let discs = [
            ('R', "disc-first"),
            ('G', "disc-second"),
            ('Y', "disc-yellow"),
        ];
        let discs = discs.map(|(letter, key)| {
            format!(
                "<span>{} {}</span> ",
                lamp(letter),
                escaped(words.text(key))
            )
        });
        let open = if self.reader.projector { " open" } else { "" };
        format!(
            "<details class=\"discs\"{open}><summary>{}</summary><p class=\"note legend\">{}<span><svg class=\"gw lamp\" \
             viewBox=\"0 0 36 36\" width=\"24\" height=\"24\" aria-hidden=\"true\"><circle class=\"cylinder\" cx=\"18\" cy=\"18\" \
             r=\"15\"/></svg> {}</span></p></details>",
            words.text("discs"),
            discs.concat(),
            words.text("cylinder")
        )
    }

    /// What the marks of a fault on the board mean: the move that was made, and the one that is better.
    fn fault_key(&self) -> String {
        let Some((better, made, fault)) = self.better_here() else {
            return String::new();
        };
        let words = self.reader.language;
        let made = match greenwave_picture::place(&self.view.diagram, made) {
            MovePlace::Square(_) | MovePlace::Step(..) => format!(
                "<span><b class=\"sign\">{}</b> {}</span> ",
                fault.sign(),
                escaped(&words.with("legend-made", self.named_move(made)))
            ),
            MovePlace::Elsewhere => String::new(),
        };
        let better = board::put_by(self, better).map_or_else(String::new, |(_, light)| {
            format!(
                "<span><i class=\"suggestion\">{}</i> {}</span>",
                sign_or_lamp(light),
                escaped(&words.with("better-is", self.named_move(better)))
            )
        });
        format!("<p class=\"note legend of-fault\">{made}{better}</p>")
    }

    /// What signs, numbers and frames on the board mean, directly below it.
    pub(super) fn key(&self) -> String {
        let words = self.reader.language;
        let open = |answer: &&Answer| !answer.terminal && !self.is_closed();
        let Some(answer) = self.answer.filter(open) else {
            return String::new();
        };
        let all: Vec<Figures> = answer.moves.iter().map(|mv| mv.figures()).collect();
        let has_value = all.iter().any(|known| known.value.is_some());
        let is_scored = all
            .iter()
            .any(|known| known.points.is_some() || known.odds.is_some());
        let rules = self.question.variant.rules();
        let unit = if all.iter().any(|known| known.points.is_some()) {
            Some(FigureUnit::Points)
        } else if is_scored {
            Some(FigureUnit::of_odds(rules.properties.scores))
        } else if !self.reader.signs && all.iter().any(|known| known.distance.is_some()) {
            Some(FigureUnit::Plies)
        } else {
            has_value.then_some(FigureUnit::Nothing)
        };
        let key = unit.map(|unit| figures::key(words, unit, rules.has_draws()));
        let mut parts: Vec<String> = key.into_iter().collect();
        let has = |ring| {
            let mut choices = self.view.choices.iter();
            choices.any(|choice| board::ring_of(Some(answer), &[choice]) == ring)
        };
        if self.hardest.is_some() {
            parts.push(words.text("legend-hardest").into());
        } else if has(Ring::Quick) {
            let key = if has(Ring::Keeps) {
                "legend-best"
            } else {
                "legend-best-alone"
            };
            parts.push(words.text(key).into());
        }
        if parts.is_empty() {
            return String::new();
        }
        format!(
            "{}<p class=\"note key\">{}</p>",
            self.fault_key(),
            parts.join(" ")
        )
    }

    /// The meaning of shades, where squares are shaded.
    pub(super) fn heat_legend(&self) -> String {
        let words = self.reader.language;
        let is_finished = self.answer.is_none_or(|answer| answer.terminal);
        if !self.reader.heat || self.reader.edit || is_finished {
            return String::new();
        }
        let swatch = |class: &str| {
            let shape = match class {
                "heat-loss" => {
                    "<path class=\"heat-loss s4\" d=\"M0 8L8 0M0 16L16 0M8 16L16 8\"/>".into()
                }
                _ => format!("<rect class=\"{class} s4\" width=\"16\" height=\"16\" rx=\"4\"/>"),
            };
            format!(
                "<svg class=\"swatch\" viewBox=\"0 0 16 16\" width=\"16\" height=\"16\" \
                 aria-hidden=\"true\">{shape}</svg>"
            )
        };
        let even = if self.question.variant.rules().has_draws() {
            format!(
                " <span>{} {}</span>",
                swatch("heat-even"),
                words.text("word-draw")
            )
        } else {
            String::new()
        };
        format!(
            "<p class=\"note legend\"><span>{} {}</span>{even} <span>{} {}</span> \u{b7} {}</p>",
            swatch("heat-win"),
            words.text("word-win"),
            swatch("heat-loss"),
            words.text("word-loss"),
            words.text("heat-note")
        )
    }
}
