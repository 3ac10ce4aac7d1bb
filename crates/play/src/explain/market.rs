//! What the draws that follow a move do to the player who makes it.

use greenwave_game::{Game, Variant};
use greenwave_tablebase::{Answer, Error, MoveFigures, Queries};

use super::fact::Fact;

/// The draws that follow a move, where chance draws once and what comes of each draw is known.
pub(super) fn market(
    queries: &Queries<'_>,
    from: &Answer,
    mv: &MoveFigures,
) -> Result<Option<Fact>, Error> {
    let variant: &Variant = queries.variant();
    let Ok(made) = variant.parse_move(&from.at, &mv.mv) else {
        return Ok(None);
    };
    let edge = variant.play(&from.at, made);
    let (mut draws, mut further) = (Vec::new(), Vec::new());
    variant.draws(&edge.to, &mut draws);
    let (mut ahead, mut of) = (0, 0);
    let mut sorted = Vec::with_capacity(draws.len());
    for (to, weight) in draws {
        variant.draws(&to, &mut further);
        if !further.is_empty() || variant.ending(&to).is_some() {
            return Ok(None);
        }
        let Some(odds) = queries.answer(&to)?.odds else {
            return Ok(None);
        };
        let own = if edge.keeps_turn {
            odds.expectation
        } else {
            -odds.expectation
        };
        of += weight;
        if own > 0.0 {
            ahead += weight;
        }
        sorted.push((own, variant.draw_text(&to)));
    }
    sorted.sort_by(|one, other| other.0.total_cmp(&one.0));
    Ok(match (sorted.first(), sorted.last()) {
        (Some((_, best)), Some((_, worst))) => Some(Fact::Market {
            ahead,
            of,
            best: best.clone(),
            worst: worst.clone(),
        }),
        (_, _) => None,
    })
}
