//! The byte in which win/draw/loss and a distance are kept together, ordered from the worst result
//! for the player to move to the best.
//!
//! ```text
//! 0 ..= 127     lost in that many plies (0: finished and lost)
//! 128           drawn
//! 129 ..= 255   won in 255 − code plies (255: finished and won)
//! ```

use greenwave_game::{Ending, Figures, Outcome, Plies};

/// Code of a drawn position.
pub const DRAW: u8 = 128;
/// Code of a finished game that the player to move has lost.
pub const LOST: u8 = 0;
/// Code of a finished game that the player to move has won.
pub const WON: u8 = 255;
/// Largest distance in plies that the byte can hold.
pub const MAX_PLIES: u32 = 126;

/// The code of a finished game.
#[must_use]
pub fn of_ending(ending: &Ending) -> u8 {
    match ending.outcome {
        Outcome::Loss => LOST,
        Outcome::Draw => DRAW,
        Outcome::Win => WON,
    }
}

/// The code of a position, given the smallest code among its children (of the opponent, who
/// moves there): negation and one more ply.
#[must_use]
pub fn from_worst_child(least: u8) -> u8 {
    match least {
        0..DRAW => 254 - least,
        DRAW => DRAW,
        _ => (256 - u16::from(least)) as u8,
    }
}

/// Value and distance that a code stands for.
#[must_use]
pub fn decode(code: u8) -> (Outcome, Option<Plies>) {
    match code {
        0..DRAW => (Outcome::Loss, Some(Plies(u32::from(code)))),
        DRAW => (Outcome::Draw, None),
        _ => (Outcome::Win, Some(Plies(255 - u32::from(code)))),
    }
}

/// [`decode`] as figures.
#[must_use]
pub fn figures(code: u8) -> Figures {
    let (outcome, distance) = decode(code);
    Figures {
        value: Some(outcome),
        distance,
        ..Figures::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_step_negates_and_adds_a_ply() {
        for code in 0..=u8::MAX {
            if matches!(code, 126 | 127) {
                continue; // one ply more would pass MAX_PLIES
            }
            let (outcome, plies) = decode(code);
            let (up, up_plies) = decode(from_worst_child(code));
            assert_eq!(up, outcome.negated(), "code {code}");
            assert_eq!(
                up_plies,
                plies.map(|plies| Plies(plies.0 + 1)),
                "code {code}"
            );
        }
    }
}
