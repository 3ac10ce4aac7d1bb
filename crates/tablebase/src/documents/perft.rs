//! Move sequences counted.

use greenwave_game::{
    AnyPosition, At, Diagram, Game, PerftError, Variant, VariantGame, perft, with_game,
};
use greenwave_solver::SolveError;
use greenwave_values::parallel::try_map_parts;
use greenwave_values::{Instant, Progress, Unit};
use serde::Serialize;

use super::SCHEMA;
use crate::{Error, Place, Tablebase};

/// Positions that threads are given to count from.
const PARTS: usize = 256;

/// Number of move sequences of a length.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Perft {
    /// Version of the document.
    pub schema: u32,
    /// The variant.
    pub variant: String,
    /// The order of its lights, `ryg` or `gyr`; `None` where it has none.
    pub lights: Option<&'static str>,
    /// The position that they begin in.
    pub position: String,
    /// Their length in plies.
    pub depth: u32,
    /// Number of sequences of exactly that length; a game that ends earlier adds nothing.
    pub nodes: u64,
    /// The time of the count.
    pub seconds: f64,
    /// A picture of the position.
    #[serde(skip)]
    pub diagram: Diagram,
}

impl Tablebase {
    /// Counts the move sequences of exactly this many plies.
    ///
    /// # Errors
    /// When the position cannot be read, in games with chance, when there are more than 2⁶⁴, and when
    /// the work is cancelled.
    pub fn perft(&self, variant: &Variant, place: &Place<'_>, depth: u32) -> Result<Perft, Error> {
        self.counted(variant, &place.find(variant)?, depth)
    }

    /// The same from a position that has been read.
    ///
    /// # Errors
    /// In games with chance, when there are more than 2⁶⁴, and when the work is cancelled.
    pub fn perft_of(&self, at: &At, depth: u32) -> Result<Perft, Error> {
        self.counted(at.variant(), at.position(), depth)
    }

    fn counted(
        &self,
        variant: &Variant,
        position: &AnyPosition,
        depth: u32,
    ) -> Result<Perft, Error> {
        let start = Instant::now();
        let nodes = self.on_threads(|| {
            with_game!(variant, game => count(game, &game.position(position), depth, self.progress()))
        })?;
        Ok(Perft {
            schema: SCHEMA,
            variant: variant.rules().title().to_string(),
            lights: variant.rules().lights_name(),
            position: variant.position_text(position),
            depth,
            nodes,
            seconds: start.elapsed().as_secs_f64(),
            diagram: variant.diagram(position),
        })
    }
}

// The first plies are played out until there is enough for all threads.
fn count<G: Game>(
    game: &G,
    position: &G::Position,
    depth: u32,
    progress: &dyn Progress,
) -> Result<u64, Error> {
    // Refuses games with chance.
    perft(game, position, 0)?;
    let (mut frontier, mut left, mut moves) = (vec![*position], depth, Vec::new());
    while left > 1 && (1..PARTS).contains(&frontier.len()) {
        let mut next = Vec::new();
        for position in &frontier {
            game.moves(position, &mut moves);
            next.extend(moves.iter().map(|mv| game.play(position, *mv).to));
        }
        frontier = next;
        left -= 1;
    }
    progress.begin("counting move sequences", 0, Unit::Positions);
    let counts = try_map_parts(frontier.len(), |part| {
        subtotal(game, &frontier[part], left, progress)
    })?;
    let sum = counts.into_iter().try_fold(0_u64, u64::checked_add);
    Ok(sum.ok_or(PerftError::Overflow)?)
}

/// Plies that are counted between two looks at whether to stop.
const AT_ONCE: u32 = 5;

fn subtotal<G: Game>(
    game: &G,
    position: &G::Position,
    depth: u32,
    progress: &dyn Progress,
) -> Result<u64, Error> {
    if depth <= AT_ONCE {
        if progress.cancelled() {
            return Err(SolveError::Interrupted.into());
        }
        let nodes = perft(game, position, depth)?;
        progress.advance(nodes);
        return Ok(nodes);
    }
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let mut nodes = 0_u64;
    for mv in moves {
        let below = subtotal(game, &game.play(position, mv).to, depth - 1, progress)?;
        nodes = nodes.checked_add(below).ok_or(PerftError::Overflow)?;
    }
    Ok(nodes)
}
