//! Whether decided values come from ends of play, where positions can repeat.
//!
//! Where play always comes to an end, values that agree with those of their children are right.
//! Where positions can repeat they need not be: two positions that lead to each other, one called
//! won and the other lost, agree with each other whatever is true. So each decided value must also
//! *come to an end*. A won position has a move that keeps its value and leads to one that comes to
//! an end, and every move of a lost position leads to one that does.

use std::sync::atomic::{AtomicU64, Ordering};

use greenwave_game::{Dense, Outcome};
use greenwave_values::parallel::map_parts;
use greenwave_values::{Values, ValuesError, room};

// Words of places that a task works on.
const TASK: usize = 1 << 6;

/// Decided positions whose values no end of play stands behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WithoutEnd {
    /// Number of such positions.
    pub(crate) count: u64,
    /// The index of the first of them.
    pub(crate) first: Option<u64>,
}

/// Bytes that [`without_end`] takes for a number of positions: two bits for each.
pub(crate) fn bytes(positions: u128) -> u128 {
    2 * positions.div_ceil(64) * size_of::<u64>() as u128
}

/// The decided positions whose values no end of play stands behind. The values must agree with those
/// of their children everywhere.
///
/// # Errors
/// When the machine does not give the memory.
pub(crate) fn without_end<G: Dense>(game: &G, values: &Values) -> Result<WithoutEnd, ValuesError> {
    let numbered = values.numbered::<G>();
    let places = numbered.places();
    let words = places.div_ceil(64) as usize;
    let bits = || room::collected((0..words).map(|_| AtomicU64::default()));
    let (ending, open) = (bits()?, bits()?);
    let ends = |index: u64| {
        let place = numbered.place_of(index);
        place.is_some_and(|place| {
            ending[(place / 64) as usize].load(Ordering::Relaxed) >> (place % 64) & 1 == 1
        })
    };
    let over = |index| game.at(index).is_some_and(|at| game.ending(&at).is_some());
    let first = |word: usize| 64 * word as u64;
    each_word(words, |word| {
        let (mut ended, mut decided) = (0, 0);
        for place in first(word)..places.min(first(word + 1)) {
            let index = numbered.index_at(place);
            let bit = 1 << (place % 64);
            if !numbered.stores(game, index) || over(index) {
                ended |= bit;
            } else if !matches!(values.figures(index).value, None | Some(Outcome::Draw)) {
                decided |= bit;
            }
        }
        ending[word].store(ended, Ordering::Relaxed);
        open[word].store(decided, Ordering::Relaxed);
        0
    });
    // Each pass finds at least what stands behind the positions found by the one before.
    loop {
        let found = each_word(words, |word| {
            let before = open[word].load(Ordering::Relaxed);
            let mut left = before;
            let mut bits = before;
            while bits != 0 {
                let bit = bits & bits.wrapping_neg();
                bits ^= bit;
                let place = first(word) + u64::from(bit.trailing_zeros());
                let position = game.at(numbered.index_at(place));
                if position.is_some_and(|position| stands_behind(game, &position, values, &ends)) {
                    ending[word].fetch_or(bit, Ordering::Relaxed);
                    left ^= bit;
                }
            }
            open[word].store(left, Ordering::Relaxed);
            u64::from((before ^ left).count_ones())
        });
        if found == 0 {
            break;
        }
    }
    let left = || {
        open.iter()
            .map(|word| word.load(Ordering::Relaxed))
            .enumerate()
    };
    let lowest = left().find(|(_, bits)| *bits != 0);
    Ok(WithoutEnd {
        count: left().map(|(_, bits)| u64::from(bits.count_ones())).sum(),
        first: lowest
            .map(|(word, bits)| numbered.index_at(first(word) + u64::from(bits.trailing_zeros()))),
    })
}

// Sums up what is found in each word.
fn each_word(words: usize, found: impl Fn(usize) -> u64 + Sync + Send) -> u64 {
    let parts = map_parts(words.div_ceil(TASK), |task| -> u64 {
        let first = task * TASK;
        (first..words.min(first + TASK)).map(&found).sum()
    });
    parts.into_iter().sum()
}

fn stands_behind<G: Dense>(
    game: &G,
    position: &G::Position,
    values: &Values,
    ends: &impl Fn(u64) -> bool,
) -> bool {
    let own = values.figures(game.index(position));
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let mut children = moves.iter().map(|mv| {
        let edge = game.play(position, *mv);
        let child = values.figures_of(game, &edge.to);
        let keeps = child.after_move(edge.gain, edge.keeps_turn) == own;
        (keeps, ends(game.index(&edge.to)))
    });
    if own.value == Some(Outcome::Win) {
        children.any(|(keeps, ending)| keeps && ending)
    } else {
        children.all(|(_, ending)| ending)
    }
}

#[cfg(test)]
mod tests {
    use greenwave_game::{
        Diagram, Edge, Ending, Game, Metric, MoveError, Rules, SetupError, Tier, Variant,
    };

    use greenwave_values::{Codes, DenseValues};

    use super::*;

    /// Numbered positions and where their moves lead; a position without a move is lost.
    struct Toy {
        rules: Rules,
        moves: Vec<Vec<u64>>,
    }

    impl Toy {
        fn new(moves: &[&[u64]]) -> Toy {
            Toy {
                rules: Variant::parse("strip").unwrap().rules().clone(),
                moves: moves.iter().map(|moves| moves.to_vec()).collect(),
            }
        }
    }

    impl Game for Toy {
        type Position = u64;
        type Move = u64;

        fn rules(&self) -> &Rules {
            &self.rules
        }

        fn in_words(&self) -> Vec<greenwave_game::Sentence> {
            Vec::new()
        }

        fn start(&self) -> u64 {
            0
        }

        fn ending(&self, position: &u64) -> Option<Ending> {
            self.moves[*position as usize].is_empty().then_some(Ending {
                outcome: Outcome::Loss,
                points: 0,
            })
        }

        fn moves(&self, position: &u64, out: &mut Vec<u64>) {
            out.clone_from(&self.moves[*position as usize]);
        }

        fn play(&self, _position: &u64, mv: u64) -> Edge<u64> {
            Edge::passes(mv)
        }

        fn position_text(&self, position: &u64) -> String {
            position.to_string()
        }

        fn parse_position(&self, _text: &str) -> Result<u64, SetupError> {
            unreachable!("positions are given by number")
        }

        fn move_text(&self, _position: &u64, mv: u64) -> String {
            mv.to_string()
        }

        fn parse_move(&self, _: &u64, _: &str) -> Result<u64, MoveError> {
            unreachable!("moves are given by number")
        }

        fn diagram(&self, _position: &u64) -> Diagram {
            Diagram::default()
        }
    }

    impl Dense for Toy {
        fn indexable(&self) -> u128 {
            self.moves.len() as u128
        }

        fn index(&self, position: &u64) -> u64 {
            *position
        }

        fn at(&self, index: u64) -> Option<u64> {
            Some(index)
        }

        fn tier(&self, _position: &u64) -> Tier {
            Tier(0)
        }
    }

    // How many, and the first one. Codes: 0 win, 1 loss, 2 draw.
    fn of(moves: &[&[u64]], codes: &[u8]) -> (u64, Option<u64>) {
        let values = DenseValues::new(Metric::Value, Codes::Bytes(codes.to_vec()));
        let found = without_end(&Toy::new(moves), &values.into()).unwrap();
        (found.count, found.first)
    }

    #[test]
    fn values_that_only_support_each_other_are_found() {
        // 0 and 1 lead to each other; 2 is over, 3 leads there, 4 to 3 only.
        let moves: [&[u64]; 5] = [&[1], &[0], &[], &[2], &[3]];
        assert_eq!(of(&moves, &[2, 2, 1, 0, 1]), (0, None), "the truth");
        assert_eq!(
            of(&moves, &[0, 1, 1, 0, 1]),
            (2, Some(0)),
            "agrees, but in a circle"
        );
        assert_eq!(of(&moves, &[1, 0, 1, 0, 1]), (2, Some(0)));
    }

    #[test]
    fn one_way_out_is_enough_for_the_winner_and_not_for_the_loser() {
        // 0 wins by 2; 1 can only lead to 0. 3 loses to 0, yet could also shuttle with 4.
        let moves: [&[u64]; 5] = [&[2, 1], &[0], &[], &[0, 4], &[3]];
        assert_eq!(of(&moves, &[0, 1, 1, 1, 0]), (2, Some(3)));
        assert_eq!(of(&moves, &[0, 1, 1, 2, 2]), (0, None));
    }
}
