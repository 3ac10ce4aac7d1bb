//! Hands and market as numbers, and how taking and drawing counters leads from one to the other:
//! worked out once, so that the kernel follows tables.

use greenwave_game::{Counters, HAND_STATES};

/// Hands of three.
pub(crate) const HANDS: usize = 10;
/// Hands of two, and markets of two.
pub(crate) const PAIRS: usize = 6;
/// Single counters.
pub(crate) const SINGLES: usize = 3;
/// Values of a board: own hand, market, other hand, the other hand innermost.
pub(crate) const STATES: usize = HAND_STATES as usize;
/// Values that a board hands to the boards before it: hand of two and market of the player who has
/// just moved, hand of the opponent innermost.
pub(crate) const ENTRIES: usize = PAIRS * PAIRS * HANDS;
/// States that share the own hand.
pub(crate) const PER_HAND: usize = PAIRS * HANDS;

/// The tables.
#[derive(Debug)]
pub(crate) struct Hands {
    /// Levels in each hand of three: bit `level − 1`.
    pub(crate) levels: [u8; HANDS],
    /// Counters of each colour in each hand of three.
    pub(crate) counts: [[i32; 3]; HANDS],
    /// Hand of three: pair and a colour.
    pub(crate) pair_and: [[usize; 3]; PAIRS],
    /// Pair: single and a colour.
    pub(crate) single_and: [[usize; 3]; SINGLES],
    /// What can be taken from a pair, lowest level first: colour and the single that stays.
    pub(crate) from_pair: [Vec<(usize, usize)>; PAIRS],
    /// What can be taken from three, lowest level first: colour and the pair that stays.
    pub(crate) from_three: [Vec<(usize, usize)>; HANDS],
    /// Counters of each colour in hand of three and single together.
    pub(crate) three_and_single: [[[i32; 3]; SINGLES]; HANDS],
    /// Counters of each colour in two pairs together.
    pub(crate) two_pairs: [[[i32; 3]; PAIRS]; PAIRS],
}

impl Hands {
    pub(crate) fn new() -> Hands {
        let colours = |counters: Counters| [1, 2, 3].map(|level| counters.count(level) as i32);
        let all = |size: u8| Counters::all(size).collect::<Vec<_>>();
        let (singles, pairs, threes) = (all(1), all(2), all(3));
        let sum = |a: Counters, b: Counters| {
            let (a, b) = (colours(a), colours(b));
            [0, 1, 2].map(|colour| a[colour] + b[colour])
        };
        let add = |from: &[Counters], number: usize| {
            [1, 2, 3].map(|level| from[number].with(level).rank())
        };
        let take = |from: &[Counters], number: usize| -> Vec<(usize, usize)> {
            let taken = |level| Some((usize::from(level) - 1, from[number].without(level)?.rank()));
            from[number].levels().filter_map(taken).collect()
        };
        Hands {
            levels: std::array::from_fn(|hand| {
                threes[hand]
                    .levels()
                    .fold(0, |set, level| set | 1 << (level - 1))
            }),
            counts: std::array::from_fn(|hand| colours(threes[hand])),
            pair_and: std::array::from_fn(|pair| add(&pairs, pair)),
            single_and: std::array::from_fn(|single| add(&singles, single)),
            from_pair: std::array::from_fn(|pair| take(&pairs, pair)),
            from_three: std::array::from_fn(|three| take(&threes, three)),
            three_and_single: std::array::from_fn(|hand| {
                std::array::from_fn(|single| sum(threes[hand], singles[single]))
            }),
            two_pairs: std::array::from_fn(|a| std::array::from_fn(|b| sum(pairs[a], pairs[b]))),
        }
    }

    /// Place, in the order of [`STATES`], of a state as the index numbers it.
    pub(crate) fn place(state: usize) -> usize {
        let (own, other, market) = (state / 60, state / 6 % 10, state % 6);
        Hands::at(own, market, other)
    }

    /// Place of own hand, market and other hand.
    pub(crate) fn at(own: usize, market: usize, other: usize) -> usize {
        own * PER_HAND + market * HANDS + other
    }
}
