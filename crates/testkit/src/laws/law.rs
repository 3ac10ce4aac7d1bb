//! A law, the position that it looks at, and where it is broken.

use std::fmt;

use greenwave_game::{Edge, Ending, Game};

use crate::PositionSample;

/// A law and where it was found broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    /// The law, as a sentence.
    pub law: &'static str,
    /// The variant.
    pub variant: String,
    /// The position, where the law is about one.
    pub position: Option<String>,
    /// The seed of the sample that held it.
    pub seed: u64,
    /// What was found.
    pub found: String,
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: law broken: {}", self.variant, self.law)?;
        if let Some(position) = &self.position {
            write!(f, "; at {position} (seed {:#x})", self.seed)?;
        }
        write!(f, "; {}", self.found)
    }
}

/// Everything about one position that laws look at.
pub(super) struct Case<'a, G: Game> {
    pub(super) game: &'a G,
    pub(super) sample: &'a PositionSample<G::Position>,
    // Number of the position in the sample, for laws that only look at some.
    pub(super) number: usize,
    pub(super) position: G::Position,
    pub(super) ending: Option<Ending>,
    pub(super) moves: Vec<G::Move>,
    pub(super) edges: Vec<Edge<G::Position>>,
    pub(super) draws: Vec<(G::Position, u32)>,
}

pub(super) type LawResult = Result<(), String>;

pub(super) struct Law<G: Game> {
    pub(super) name: &'static str,
    // Number of positions from one tested position to the next.
    pub(super) every: usize,
    pub(super) check: fn(&Case<'_, G>) -> LawResult,
}

// Looked at everywhere, at one position in ten, at one in a hundred: dear checks less often.
pub(super) const EACH: usize = 1;

pub(super) const MANY: usize = 10;

pub(super) const FEW: usize = 100;

pub(super) fn ensure(holds: bool, found: impl FnOnce() -> String) -> LawResult {
    if holds { Ok(()) } else { Err(found()) }
}

impl<'a, G: Game> Case<'a, G> {
    pub(super) fn new(
        game: &'a G,
        sample: &'a PositionSample<G::Position>,
        number: usize,
    ) -> Case<'a, G> {
        let position = sample.positions[number];
        let (mut moves, mut draws) = (Vec::new(), Vec::new());
        game.moves(&position, &mut moves);
        game.draws(&position, &mut draws);
        let edges = moves.iter().map(|mv| game.play(&position, *mv)).collect();
        Case {
            ending: game.ending(&position),
            game,
            sample,
            number,
            position,
            moves,
            edges,
            draws,
        }
    }

    // Another position of the sample, the same one for the same case.
    pub(super) fn other(&self) -> G::Position {
        let positions = &self.sample.positions;
        positions[(self.number * 31 + 17) % positions.len()]
    }

    pub(super) fn text(&self, position: &G::Position) -> String {
        self.game.position_text(position)
    }
}
