//! A game as a page shows it: its moves, the position shown, what can be played there.

use greenwave_game::{Colours, Diagram, Ending, Game, with_game};
use greenwave_picture::{MovePlace, place};
use greenwave_tablebase::Error;

use crate::question::Question;
use crate::turned::{Motion, edited, moved};

/// A ply of the game: a move, or a draw of chance.
#[derive(Clone, Debug)]
pub(crate) struct Ply {
    /// As it is written in the order of the lights asked for; draws in brackets.
    pub(crate) text: String,
    /// As documents write it.
    pub(crate) canonical: String,
    pub(crate) is_draw: bool,
    /// Whether the player who began the game makes it.
    pub(crate) by_first: bool,
}

/// A position of the game.
#[derive(Clone, Debug)]
pub(crate) struct Passed {
    /// As documents write it; `None` where chance is to draw.
    pub(crate) canonical: Option<String>,
    /// Whether the player who began the game is to move.
    pub(crate) first_to_move: bool,
}

/// A move that can be made, or a draw.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    pub(crate) text: String,
    pub(crate) canonical: String,
    pub(crate) place: MovePlace,
    /// In how many of all ways chance draws so; 0 for moves.
    pub(crate) weight: u32,
}

/// The game, and the position shown.
#[derive(Clone, Debug)]
pub(crate) struct View {
    /// The position in which the game begins, as it was asked for.
    pub(crate) start: Option<String>,
    pub(crate) plies: Vec<Ply>,
    /// The positions before and after all plies.
    pub(crate) passed: Vec<Passed>,
    /// The position shown is that after so many plies.
    pub(crate) at: usize,
    pub(crate) diagram: Diagram,
    /// The position shown, in the order of the lights asked for; `None` where chance is to draw.
    pub(crate) position: Option<String>,
    pub(crate) ending: Option<Ending>,
    pub(crate) choices: Vec<Choice>,
    /// Whether `choices` are draws of chance.
    pub(crate) chance: bool,
    /// Square that the last ply changed, by its place among the marks.
    pub(crate) last: Option<usize>,
    /// Texts of the position turned, and mirrored left to right.
    pub(crate) turned: Option<String>,
    pub(crate) mirrored: Option<String>,
    /// For each mark the position with what comes next on its square, for the editor.
    pub(crate) edited: Vec<Option<String>>,
}

impl View {
    /// The game of a question, shown after `at` plies or at its end.
    pub(crate) fn new(question: &Question, at: Option<usize>, edit: bool) -> Result<View, Error> {
        let colours = question.colours;
        with_game!(&*question.variant, game => {
            let mut view = of(game, question, at)?;
            let text = view.position.as_deref();
            let position = text.and_then(|text| game.parse_position(text, colours).ok());
            if let Some(position) = position {
                view.turned = moved(game, &position, Motion::Turn, colours);
                view.mirrored = moved(game, &position, Motion::Mirror, colours);
                if edit {
                    view.edited = edited(game, &position, colours);
                }
            }
            Ok(view)
        })
    }
}

/// Texts of documents in an order of the lights.
pub(crate) fn rewritten<'a>(
    question: &Question,
    texts: impl Iterator<Item = &'a str>,
    colours: Colours,
) -> Vec<String> {
    with_game!(&*question.variant, game => {
        texts.map(|text| game.rewritten(text, colours)).collect()
    })
}

fn of<G: Game>(game: &G, question: &Question, at: Option<usize>) -> Result<View, Error> {
    let colours = question.colours;
    let played = question.place().play(game)?;
    let mut draws = Vec::new();
    let mut legal = Vec::new();
    let mut is_chance = |position: &G::Position| {
        game.draws(position, &mut draws);
        !draws.is_empty()
    };
    let mut text_of = |position: &G::Position, colours: Colours| {
        (!is_chance(position)).then(|| game.position_text(position, colours))
    };
    let mut first = true;
    let mut plies = Vec::with_capacity(played.steps.len());
    let mut passed = vec![Passed {
        canonical: text_of(&played.start, Colours::Ryg),
        first_to_move: true,
    }];
    for step in &played.steps {
        let (text, canonical) = match step.mv {
            Some(mv) => (
                game.move_text(&step.from, mv, colours),
                game.move_text(&step.from, mv, Colours::Ryg),
            ),
            None => (
                format!("[{}]", game.draw_text(&step.to, colours)),
                format!("[{}]", game.draw_text(&step.to, Colours::Ryg)),
            ),
        };
        plies.push(Ply {
            text,
            canonical,
            is_draw: step.mv.is_none(),
            by_first: first,
        });
        if let Some(mv) = step.mv {
            first ^= !game.play(&step.from, mv).keeps_turn;
        }
        passed.push(Passed {
            canonical: text_of(&step.to, Colours::Ryg),
            first_to_move: first,
        });
    }
    let at = at.unwrap_or(plies.len()).min(plies.len());
    let position = match at.checked_sub(1) {
        Some(before) => played.steps[before].to,
        None => played.start,
    };
    let diagram = game.diagram(&position);
    let ending = game.ending(&position);
    let mut choices = Vec::new();
    game.draws(&position, &mut draws);
    if draws.is_empty() && ending.is_none() {
        game.moves(&position, &mut legal);
        choices.extend(legal.iter().map(|mv| {
            let canonical = game.move_text(&position, *mv, Colours::Ryg);
            Choice {
                text: game.move_text(&position, *mv, colours),
                place: place(&diagram, &canonical),
                canonical,
                weight: 0,
            }
        }));
    } else {
        choices.extend(draws.iter().map(|(to, weight)| Choice {
            text: format!("[{}]", game.draw_text(to, colours)),
            canonical: format!("[{}]", game.draw_text(to, Colours::Ryg)),
            place: MovePlace::Elsewhere,
            weight: *weight,
        }));
    }
    let last =
        at.checked_sub(1).and_then(
            |before| match place(&diagram, &plies.get(before)?.canonical) {
                MovePlace::Square(square) | MovePlace::Step(_, square) => Some(square),
                MovePlace::Elsewhere => None,
            },
        );
    Ok(View {
        start: question.position.clone(),
        plies,
        passed,
        at,
        diagram,
        position: draws
            .is_empty()
            .then(|| game.position_text(&position, colours)),
        ending,
        choices,
        chance: !draws.is_empty(),
        last,
        turned: None,
        mirrored: None,
        edited: Vec::new(),
    })
}
