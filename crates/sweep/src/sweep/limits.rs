//! Boards that the supply forbids, and boards on which no raise is left.
//!
//! Both follow from how many squares stand at each level: a raise that the supply forbids is one that
//! leads to a board with too many counters. So such boards are left out like levels that do not exist,
//! and moves need no rule of their own. In a block the counts of the higher squares are given, and what
//! is left out is a mask; there is one for each combination of counts.

use greenwave_game::{BoardGame, Code, Game, MAX_LEVEL, Outcomes, Stalemate, Supply};

use super::geometry::SweepGeometry;
use super::layout::{LOW, POSITIONS, WORDS};

/// One bit for each position of a block.
#[derive(Debug)]
pub(super) struct LimitMasks {
    /// Positions that are no legal board.
    pub(super) none: [u64; WORDS],
    /// Legal boards on which nothing can be raised; a line may stand on some of them.
    pub(super) stuck: [u64; WORDS],
}

/// What is left out of blocks, by the levels of their higher squares.
#[derive(Debug)]
pub(super) struct BlockLimits {
    masks: Vec<LimitMasks>,
    // By counts of the higher squares at levels 1 to 3; only those that some board has.
    by_counts: Vec<u32>,
    side: usize,
    middle: usize,
    /// Whether a player who cannot move has lost, and not drawn.
    pub(super) stalemate_loses: bool,
}

impl BlockLimits {
    /// The limits of a game, with the positions of a block in the order of `place`; `None` where a
    /// line ends every play.
    pub(super) fn new(
        game: &BoardGame,
        geometry: &SweepGeometry,
        place: fn(usize) -> usize,
    ) -> Option<BlockLimits> {
        if game.rules().properties.outcomes == Outcomes::WinLoss {
            return None;
        }
        let side = geometry.squares().saturating_sub(LOW) + 1;
        let mut limits = BlockLimits {
            masks: Vec::new(),
            by_counts: vec![0; side * side * side],
            side,
            middle: geometry.middle,
            stalemate_loses: game.board().stalemate == Stalemate::Loss,
        };
        for third in 0..side {
            for second in 0..side - third {
                for first in 0..side - third - second {
                    let counts = [first, second, third];
                    let at = limits.at(counts);
                    limits.by_counts[at] = limits.masks.len() as u32;
                    limits.masks.push(limited(game, geometry, place, counts));
                }
            }
        }
        Some(limits)
    }

    fn at(&self, [first, second, third]: [usize; 3]) -> usize {
        first + self.side * (second + self.side * third)
    }

    /// The masks of the block with these outer and middle squares.
    #[inline(always)]
    pub(super) fn of(&self, outer: u64, middle: u8) -> &LimitMasks {
        let higher = Code(outer << (2 * self.middle) | u64::from(middle));
        let counts = [1, 2, 3].map(|level| higher.count(level) as usize);
        &self.masks[self.by_counts[self.at(counts)] as usize]
    }
}

// The masks where this many of the higher squares stand at levels 1 to 3.
fn limited(
    game: &BoardGame,
    geometry: &SweepGeometry,
    place: fn(usize) -> usize,
    higher: [usize; 3],
) -> LimitMasks {
    let board = game.board();
    let mut limited = LimitMasks {
        none: [0; WORDS],
        stuck: [0; WORDS],
    };
    for position in 0..POSITIONS {
        let (word, bit) = (place(position) / 64, 1 << (place(position) % 64));
        let low = Code(position as u64);
        // How many squares stand at each level.
        let mut counts = [0_u32; MAX_LEVEL as usize + 1];
        for level in 1..=MAX_LEVEL {
            let above = higher[usize::from(level) - 1] as u32;
            counts[usize::from(level)] = low.count(level) + above;
        }
        let raised: u32 = counts.iter().sum();
        counts[0] = (geometry.squares() as u32).saturating_sub(raised);
        let used = |level: usize| match board.supply {
            Supply::Unlimited => (0, u32::MAX),
            Supply::Cap(limit) => (counts[level], limit),
            Supply::Pool(limit) => (counts[level..].iter().sum(), limit),
        };
        let top = usize::from(board.levels);
        let over = |level: usize| used(level).0 > used(level).1;
        let spent = |level: usize| used(level).0 >= used(level).1;
        if !geometry.exists_low(position) || (1..=top).any(over) {
            limited.none[word] |= bit;
        } else if (0..top).all(|level| counts[level] == 0 || spent(level + 1)) {
            limited.stuck[word] |= bit;
        }
    }
    limited
}
