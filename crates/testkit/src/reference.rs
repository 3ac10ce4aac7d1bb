//! The slow reference: values straight from their definitions, by recursion over the moves that
//! [`Game`] lists. It knows no index, no order of positions, no packing and no code; it shares
//! nothing with the engines but the rules.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use greenwave_game::{Advance, Figures, Game, Luck, Metric, Outcome, Outcomes, Plies};

/// Why the reference does not treat a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UntreatedGame {
    /// Chance takes part: values are expectations.
    Chance,
    /// Positions can repeat, so that recursion has no end: use [`Graph`](crate::Graph).
    Repeats,
    /// Positions can repeat and results are points.
    EndlessPoints,
    /// More positions than allowed.
    TooMany {
        /// The number allowed.
        most: usize,
    },
}

/// Values of a game without chance whose positions never repeat.
///
/// ```
/// use greenwave_game::{Game, Plies, Variant};
/// use greenwave_testkit::Reference;
///
/// let Variant::Board(game) = Variant::parse("classic-3x3")? else { unreachable!() };
/// let mut reference = Reference::new(&game).expect("boards rise with every move");
/// assert_eq!(reference.figures(&game.start()).distance, Some(Plies(17)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Reference<'g, G: Game> {
    game: &'g G,
    known: HashMap<G::Position, ReferenceWorth, Quick>,
    spare: Vec<Vec<G::Move>>,
    scored: bool,
    nimbers: bool,
}

// All that can be known of one position, for the player to move.
#[derive(Clone, Copy, Debug)]
struct ReferenceWorth {
    value: Outcome,
    nimber: u8,
    // 0 for draws and in scored games.
    plies: u16,
    points: i32,
}

impl<'g, G: Game> Reference<'g, G> {
    /// The reference for a game, with nothing worked out yet.
    ///
    /// # Errors
    /// For games with chance and games whose positions can repeat.
    pub fn new(game: &'g G) -> Result<Reference<'g, G>, UntreatedGame> {
        let rules = game.rules();
        if rules.properties.luck == Luck::Draws {
            return Err(UntreatedGame::Chance);
        }
        if rules.properties.advance == Advance::Repeats {
            return Err(UntreatedGame::Repeats);
        }
        Ok(Reference {
            game,
            known: HashMap::default(),
            spare: Vec::new(),
            scored: rules.properties.outcomes == Outcomes::Points,
            nimbers: rules.metrics.contains(&Metric::Nimber),
        })
    }

    /// All figures of a position that the game has, for the player to move: value, and distance,
    /// points and nimber where they exist.
    pub fn figures(&mut self, position: &G::Position) -> Figures {
        let known = self.known(position);
        let plain = !self.scored && known.value != Outcome::Draw;
        Figures {
            value: Some(known.value),
            distance: plain.then_some(Plies(known.plies.into())),
            points: self.scored.then_some(known.points),
            odds: None,
            nimber: self.nimbers.then_some(known.nimber.into()),
        }
    }

    /// Number of unfinished positions worked out so far.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.known.len()
    }

    fn known(&mut self, position: &G::Position) -> ReferenceWorth {
        if let Some(ending) = self.game.ending(position) {
            return ReferenceWorth {
                value: ending.outcome,
                nimber: 0,
                plies: 0,
                points: ending.points,
            };
        }
        if let Some(known) = self.known.get(position) {
            return *known;
        }
        let mut moves = self.spare.pop().unwrap_or_default();
        self.game.moves(position, &mut moves);
        let mut best: Option<ReferenceWorth> = None;
        // Bit g is set when a move leads to Grundy value g.
        let mut options = 0_u128;
        for mv in &moves {
            let edge = self.game.play(position, *mv);
            let below = self.known(&edge.to);
            options |= 1 << below.nimber;
            // The same seen by the player who makes the move.
            let turn = |points: i32| if edge.keeps_turn { points } else { -points };
            let points = edge.gain + turn(below.points);
            let value = match (self.scored, edge.keeps_turn) {
                (true, _) if points > 0 => Outcome::Win,
                (true, _) if points < 0 => Outcome::Loss,
                (true, _) => Outcome::Draw,
                (false, true) => below.value,
                (false, false) => match below.value {
                    Outcome::Win => Outcome::Loss,
                    Outcome::Draw => Outcome::Draw,
                    Outcome::Loss => Outcome::Win,
                },
            };
            let here = ReferenceWorth {
                value,
                nimber: 0,
                plies: if self.scored || value == Outcome::Draw {
                    0
                } else {
                    below.plies + 1
                },
                points,
            };
            if best.is_none_or(|best| here.is_better_than(&best)) {
                best = Some(here);
            }
        }
        self.spare.push(moves);
        let mut best = best.expect("an unfinished position has a move");
        if self.nimbers {
            // The least Grundy value that no move leads to.
            best.nimber = (0..u8::MAX)
                .find(|grundy| options >> grundy & 1 == 0)
                .expect("fewer moves than numbers");
        }
        self.known.insert(*position, best);
        best
    }
}

impl ReferenceWorth {
    // For the player who has the choice: win before draw before loss; then more points; then the
    // winner hurries and the loser delays.
    fn is_better_than(&self, other: &ReferenceWorth) -> bool {
        let worth = |value| match value {
            Outcome::Win => 2,
            Outcome::Draw => 1,
            Outcome::Loss => 0,
        };
        let (mine, theirs) = (worth(self.value), worth(other.value));
        if mine != theirs {
            return mine > theirs;
        }
        if self.points != other.points {
            return self.points > other.points;
        }
        match self.value {
            Outcome::Win => self.plies < other.plies,
            Outcome::Loss => self.plies > other.plies,
            Outcome::Draw => false,
        }
    }
}

/// A quick hash for positions, which are a few machine words that nobody chooses to collide.
pub(crate) type Quick = BuildHasherDefault<Mixer>;

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mixer(u64);

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u64(&mut self, word: u64) {
        let product =
            u128::from(self.0 ^ word ^ 0x517c_c1b7_2722_0a95) * 0x9e37_79b9_7f4a_7c15_u128;
        self.0 = (product >> 64) as u64 ^ product as u64;
    }

    fn write_u8(&mut self, byte: u8) {
        self.write_u64(byte.into());
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(word.into());
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Of the figures of a position those that a metric holds.
#[must_use]
pub fn held_by(metric: Metric, figures: Figures) -> Figures {
    let none = Figures::default();
    match metric {
        Metric::Value => Figures {
            value: figures.value,
            ..none
        },
        Metric::Distance => Figures {
            value: figures.value,
            distance: figures.distance,
            ..none
        },
        Metric::Points => Figures {
            value: figures.value,
            points: figures.points,
            ..none
        },
        Metric::Nimber => Figures {
            nimber: figures.nimber,
            ..none
        },
        Metric::Odds => Figures {
            odds: figures.odds,
            ..none
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use greenwave_game::{BoardGame, Variant};

    fn board(name: &str) -> BoardGame {
        BoardGame::named(name).unwrap()
    }

    fn figures(name: &str, text: &str) -> Figures {
        let game = board(name);
        let position = game.parse_position(text).unwrap();
        Reference::new(&game).unwrap().figures(&position)
    }

    // One square left at a time: small enough to work out by hand.
    #[test]
    fn by_hand_on_a_row_of_three() {
        let decided = |value, plies, nimber| Figures {
            value: Some(value),
            distance: Some(Plies(plies)),
            nimber: Some(nimber),
            ..Figures::default()
        };
        // Finished: lost for the player to move.
        assert_eq!(figures("classic-1x3", "GGG"), decided(Outcome::Loss, 0, 0));
        // One raise is left, and it completes the line.
        assert_eq!(figures("classic-1x3", "YGG"), decided(Outcome::Win, 1, 1));
        // Two raises are left, one after the other.
        assert_eq!(figures("classic-1x3", "RGG"), decided(Outcome::Loss, 2, 0));
        assert_eq!(figures("classic-1x3", "YYG"), decided(Outcome::Loss, 2, 0));
        // Three are left; the first may be made on either square.
        assert_eq!(figures("classic-1x3", "RYG"), decided(Outcome::Win, 3, 1));
        // Completing the yellows at once beats playing on.
        assert_eq!(figures("classic-1x3", "YRY").distance, Some(Plies(1)));
    }

    #[test]
    fn by_hand_with_points_draws_and_misere() {
        // 1-2-3 counts 3 for the player who completes it.
        assert_eq!(figures("points-1x3", "RRG").points, Some(3));
        let yellows = figures("points-1x3", "YRY");
        assert_eq!(
            (yellows.points, yellows.value),
            (Some(5), Some(Outcome::Win))
        );
        // Play continues to the full board; its line of greens counts 2.
        assert_eq!(figures("points-1x3:end=play-on", "GGY").points, Some(2));
        assert_eq!(figures("points-1x3:end=play-on", "GGR").points, Some(-2));
        // Misère: the only move completes the line.
        let forced = figures("classic-1x3:play=misere", "YGG");
        assert_eq!(
            (forced.value, forced.distance),
            (Some(Outcome::Loss), Some(Plies(1)))
        );
        // A pool of one: a single counter, raised twice, then nothing is left.
        let drawn = figures("classic-1x3:supply=pool1", "...");
        assert_eq!((drawn.value, drawn.distance), (Some(Outcome::Draw), None));
        let lost = figures("classic-1x3:supply=pool1,stalemate=loss", "...");
        assert_eq!(
            (lost.value, lost.distance),
            (Some(Outcome::Win), Some(Plies(3)))
        );
    }

    #[test]
    fn what_it_cannot_treat_is_refused() {
        let Variant::Strip(strip) = Variant::parse("strip").unwrap() else {
            unreachable!()
        };
        assert_eq!(Reference::new(&strip).err(), Some(UntreatedGame::Repeats));
    }
}
