//! A game as a page shows it: its moves, the position shown, what can be played there.

use std::sync::OnceLock;

use greenwave_game::{
    AnyMove, AnyPosition, Diagram, Ending, Game, Mark as GameMark, Motion, Outcome, Variant,
};
use greenwave_picture::{MovePlace, place};
use greenwave_tablebase::{Error, PlayedStep};

use crate::question::Question;

/// A ply of the game: a move, or a draw of chance.
#[derive(Clone, Debug)]
pub(crate) struct Ply {
    /// As it is written; draws in brackets.
    pub(crate) text: String,
    pub(crate) is_draw: bool,
    /// Whether the player who began the game makes it.
    pub(crate) by_first: bool,
    /// Which ply of the game it is, from 1, as everywhere; a draw is none, a pass is one.
    pub(crate) number: Option<usize>,
    /// Whether it is a pass to which there was no other move.
    pub(crate) is_forced: bool,
}

/// A position of the game.
#[derive(Clone, Debug)]
pub(crate) struct PastPosition {
    /// The position; `None` where chance is to draw.
    pub(crate) at: Option<AnyPosition>,
    /// Its text; `None` where chance is to draw.
    pub(crate) text: Option<String>,
    /// Whether the player who began the game shown is to move.
    pub(crate) first_to_move: bool,
}

/// A move that can be made, or a draw.
#[derive(Clone, Debug)]
pub(crate) struct MoveChoice {
    pub(crate) text: String,
    pub(crate) place: MovePlace,
    /// In how many of all ways chance draws so; 0 for moves.
    pub(crate) weight: u32,
    /// The position after a draw, where a player is to move there.
    pub(crate) drawn: Option<AnyPosition>,
}

/// The game, written in the other order of the lights.
#[derive(Clone, Debug)]
pub(crate) struct OtherLights {
    /// Where it begins, if a position was requested.
    pub(crate) start: Option<String>,
    pub(crate) plies: Vec<String>,
}

/// The game, and the position shown.
#[derive(Clone, Debug)]
pub(crate) struct View {
    /// The position in which the game begins, as it was requested.
    pub(crate) start: Option<String>,
    /// Whether the player who began the whole game also begins the game shown; `None` where the
    /// requested position does not show it.
    pub(crate) begun_by_first: Option<bool>,
    pub(crate) plies: Vec<Ply>,
    /// `None` in games without these lights.
    pub(crate) other: Option<OtherLights>,
    /// The positions before and after all plies.
    pub(crate) passed: Vec<PastPosition>,
    /// What stands where after each ply, for small pictures; empty in long games and on large boards.
    pub(crate) minis: Vec<Vec<(u16, u16, GameMark)>>,
    /// The position shown is that after this many plies.
    pub(crate) at: usize,
    pub(crate) diagram: Diagram,
    /// The position shown; `None` where chance is to draw.
    pub(crate) position: Option<String>,
    pub(crate) ending: Option<Ending>,
    pub(crate) choices: Vec<MoveChoice>,
    /// Whether `choices` are draws of chance.
    pub(crate) chance: bool,
    /// Square that the last move changed, by its place among the marks.
    pub(crate) last: Option<usize>,
    /// The passes that each choice forces, once a page has asked for them.
    forced: OnceLock<Vec<Vec<String>>>,
}

/// Plies and squares up to which a record shows a small picture after each ply.
const PICTURED: (usize, usize) = (64, 25);

impl View {
    /// Whether the player who began the whole game is to move; `None` where nobody can tell.
    pub(crate) fn first_moves(&self) -> Option<bool> {
        let begun_by_first = self.begun_by_first?;
        Some(self.passed[self.at].first_to_move == begun_by_first)
    }

    /// Whether the position shown was there before, with the same player to move.
    pub(crate) fn comes_back(&self) -> bool {
        let (before, here) = self.passed.split_at(self.at);
        let is_here = |past: &PastPosition| {
            past.text == here[0].text && past.first_to_move == here[0].first_to_move
        };
        here[0].text.is_some() && before.iter().any(is_here)
    }

    /// Where the game begins and its plies, on the board turned or mirrored; `None` where that is no image of it.
    pub(crate) fn imaged(
        &self,
        question: &Question,
        motion: Motion,
    ) -> Option<(Option<String>, Vec<String>)> {
        let variant = &*question.variant;
        let symmetry = variant.symmetry_showing(motion)?;
        let played = question.course.played();
        let mut at = variant.image(&played.start, symmetry);
        let start =
            (self.start.is_some() || at != variant.start()).then(|| variant.position_text(&at));
        let mut plies = Vec::with_capacity(played.steps.len());
        let mut legal = Vec::new();
        for step in &played.steps {
            let to = variant.image(&step.to, symmetry);
            plies.push(match step.mv {
                None => format!("[{}]", variant.draw_text(&to)),
                Some(_) => {
                    variant.moves(&at, &mut legal);
                    let mut legal = legal.iter();
                    let mv = legal.find(|mv| variant.play(&at, **mv).to == to)?;
                    variant.move_text(&at, *mv)
                }
            });
            at = to;
        }
        Some((start, plies))
    }

    /// Ends the game in a draw, since nobody gets any further.
    pub(crate) fn end_drawn(&mut self) {
        self.ending = Some(Ending {
            outcome: Outcome::Draw,
            points: 0,
        });
        self.choices.clear();
    }

    /// Whether the start of the game is shown.
    pub(crate) fn is_start(&self) -> bool {
        self.at == 0 && self.start.is_none()
    }

    /// The passes that a choice of the position shown forces, since there is no other move. They are found once.
    pub(crate) fn forced_after(&self, variant: &Variant, mv: &str) -> &[String] {
        let Some(from) = &self.passed[self.at].at else {
            return &[];
        };
        let forced = self.forced.get_or_init(|| {
            let choices = self.choices.iter();
            let passes = choices.map(|choice| passes_after(variant, from, &choice.text));
            passes.collect()
        });
        let place = self.choices.iter().position(|choice| choice.text == mv);
        place.map_or(&[], |place| &forced[place])
    }

    /// The sign that a move puts on a square of the position shown, in games whose moves do not name it.
    pub(crate) fn sign_after(&self, variant: &Variant, mv: &str) -> Option<(usize, char)> {
        let from = self.passed[self.at].at?;
        let made = variant.parse_move(&from, mv).ok()?;
        let after = variant.diagram(&variant.play(&from, made).to);
        let MovePlace::Square(square) = place(&after, mv) else {
            return None;
        };
        let GameMark::Sign(Some(sign)) = after.marks.get(square)?.2 else {
            return None;
        };
        Some((square, sign))
    }

    /// How many plies were made before a position of the game; draws are none.
    pub(crate) fn plies_made(&self, at: usize) -> usize {
        let plies = self.plies[..at.min(self.plies.len())].iter();
        plies.rev().find_map(|ply| ply.number).unwrap_or(0)
    }

    /// The game of a question, shown after `at` plies or at its end.
    pub(crate) fn new(question: &Question, at: Option<usize>) -> Result<View, Error> {
        let variant = &*question.variant;
        let played = question.course.played();
        let mut draws = Vec::new();
        let mut legal = Vec::new();
        let mut is_chance = |position: &AnyPosition| {
            variant.draws(position, &mut draws);
            !draws.is_empty()
        };
        let mut passing = |position: &AnyPosition, first_to_move: bool| {
            let rests = !is_chance(position);
            PastPosition {
                at: rests.then_some(*position),
                text: rests.then(|| variant.position_text(position)),
                first_to_move,
            }
        };
        let (mut first, mut made) = (true, 0);
        let mut plies = Vec::with_capacity(played.steps.len());
        let mut passed = vec![passing(&played.start, true)];
        for step in &played.steps {
            let text = written(variant, step);
            made += usize::from(step.mv.is_some());
            plies.push(Ply {
                is_forced: is_forced_pass(variant, &step.from, &text),
                text,
                is_draw: step.mv.is_none(),
                by_first: first,
                number: step.mv.map(|_| made),
            });
            if let Some(mv) = step.mv {
                first ^= !variant.play(&step.from, mv).keeps_turn;
            }
            passed.push(passing(&step.to, first));
        }
        let at = at.unwrap_or(plies.len()).min(plies.len());
        let position = match at.checked_sub(1) {
            Some(before) => played.steps[before].to,
            None => played.start,
        };
        let diagram = variant.diagram(&position);
        let ending = variant.ending(&position);
        let pictured = plies.len() <= PICTURED.0 && diagram.marks.len() <= PICTURED.1;
        let minis = played
            .steps
            .iter()
            .filter(|_| pictured)
            .map(|step| variant.diagram(&step.to).marks)
            .collect();
        let mut choices = Vec::new();
        variant.draws(&position, &mut draws);
        if draws.is_empty() && ending.is_none() {
            variant.moves(&position, &mut legal);
            choices.extend(legal.iter().map(|mv| {
                let text = variant.move_text(&position, *mv);
                MoveChoice {
                    place: place(&diagram, &text),
                    text,
                    weight: 0,
                    drawn: None,
                }
            }));
        } else {
            let mut further = Vec::new();
            choices.extend(draws.iter().map(|(to, weight)| {
                variant.draws(to, &mut further);
                let rests = further.is_empty() && variant.ending(to).is_none();
                MoveChoice {
                    text: format!("[{}]", variant.draw_text(to)),
                    place: MovePlace::Elsewhere,
                    weight: *weight,
                    drawn: rests.then_some(*to),
                }
            }));
        }
        // A draw or a pass after a move changes no square.
        let last = plies[..at]
            .iter()
            .rfind(|ply| !ply.is_draw && !ply.is_forced);
        let last = last.and_then(|ply| match place(&diagram, &ply.text) {
            MovePlace::Square(square) | MovePlace::Step(_, square) => Some(square),
            MovePlace::Elsewhere => None,
        });
        // One light alone has no order.
        let ordered = variant
            .rules()
            .lights
            .filter(|_| variant.rules().highest_level() > 1);
        let other = ordered.map(|lights| {
            let lights = lights.other();
            let mut variant = variant.clone();
            variant.set_lights(lights);
            let start = question.position.is_some();
            OtherLights {
                start: start.then(|| variant.position_text(&played.start)),
                plies: played
                    .steps
                    .iter()
                    .map(|step| written(&variant, step))
                    .collect(),
            }
        });
        Ok(View {
            other,
            begun_by_first: match &question.position {
                None => Some(true),
                Some(_) => variant.first_to_move(&played.start),
            },
            start: question.position.clone(),
            plies,
            passed,
            minis,
            at,
            diagram,
            position: draws.is_empty().then(|| variant.position_text(&position)),
            ending,
            choices,
            chance: !draws.is_empty(),
            last,
            forced: OnceLock::new(),
        })
    }
}

/// Where a move of the strip pushes it, and whether it is turned on its way.
pub(crate) fn push_of(mv: &str) -> Option<(char, bool)> {
    let mut rest = mv.strip_prefix("slide-")?.chars();
    let to = rest.next().filter(|to| "NESW".contains(*to))?;
    Some((to, rest.next() == Some('t')))
}

/// Whether a move is one of the strip: it is pushed, or turned in its place.
pub(crate) fn is_of_strip(mv: &str) -> bool {
    push_of(mv).is_some() || mv == "turn"
}

/// Whether a move is none on the board. Arrows there make those of the strip.
pub(crate) fn is_beside_board(place: MovePlace, mv: &str) -> bool {
    place == MovePlace::Elsewhere && !is_of_strip(mv)
}

/// The passes after a move to which there is no other move.
fn passes_after(variant: &Variant, from: &AnyPosition, mv: &str) -> Vec<String> {
    /// Most passes that are made by themselves, one after the other.
    const PASSES: usize = 12;
    let mut forced = Vec::new();
    let Ok(made) = variant.parse_move(from, mv) else {
        return forced;
    };
    let mut at = variant.play(from, made).to;
    while let Some((pass, text)) = forced_move(variant, &at).filter(|_| forced.len() < PASSES) {
        forced.push(text);
        at = variant.play(&at, pass).to;
    }
    forced
}

/// The only move of a position, where it is none on the board: a pass.
pub(crate) fn forced_move(variant: &Variant, at: &AnyPosition) -> Option<(AnyMove, String)> {
    let mut draws = Vec::new();
    variant.draws(at, &mut draws);
    if !draws.is_empty() || variant.ending(at).is_some() {
        return None;
    }
    let mut moves = Vec::new();
    variant.moves(at, &mut moves);
    let [only] = moves[..] else { return None };
    let text = variant.move_text(at, only);
    let place = place(&variant.diagram(at), &text);
    is_beside_board(place, &text).then_some((only, text))
}

/// Whether a move is a pass because there was no other.
pub(crate) fn is_forced_pass(variant: &Variant, from: &AnyPosition, mv: &str) -> bool {
    matches!(mv, "pass" | "miss") && forced_move(variant, from).is_some()
}

/// A ply as it is written.
fn written(variant: &Variant, step: &PlayedStep) -> String {
    match step.mv {
        Some(mv) => variant.move_text(&step.from, mv),
        None => format!("[{}]", variant.draw_text(&step.to)),
    }
}
