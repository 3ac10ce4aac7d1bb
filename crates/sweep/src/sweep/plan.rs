//! What a sweep will take, before it starts.

use greenwave_game::{
    BoardGame, Cell, Dense, Game, MAX_LEVEL, Metric, Outcomes, Packing, Play, Supply,
};

use super::Kernel;
use super::bits;
use super::bytes::points_fit;
use super::geometry::{Skip, SweepGeometry};
use super::layout::{LOW, POSITIONS};
use super::pattern::SquareNumbering;

/// Most squares in a line: parts of longer ones would need too many keys.
const MAX_LINE: u32 = 6;

/// Bytes of index for each family: which blocks are swept, and where they are.
const FAMILY_BYTES: u128 = 12;

/// Most bytes in which positions and blocks are counted, whatever may be used.
const COUNTING_BYTES: u64 = 1 << 30;

/// Bytes of tables and buffers that do not depend on the board.
const FIXED_BYTES: u128 = 8 << 20;

/// In which order a sweep numbers the squares: other orders come to the same results by other blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SquareOrder {
    /// The order in which fewer blocks have to be computed.
    Best,
    /// Another one, to confirm a result.
    Other,
}

/// How to sweep.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Which instructions to use.
    pub kernel: Kernel,
    /// Which blocks to leave out.
    pub skip: Skip,
    /// Whether the leaves of a table are wanted.
    pub leaves: bool,
    /// The order of the squares; without leaves only, which are cut in the order of the index.
    pub squares: SquareOrder,
    /// Bytes of memory that planning may take, too.
    pub memory: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            kernel: Kernel::best(),
            skip: Skip::Decided,
            leaves: false,
            squares: SquareOrder::Best,
            memory: u64::MAX,
        }
    }
}

/// A sweep that could be done.
#[derive(Debug)]
pub struct Plan<'a> {
    pub(super) game: &'a BoardGame,
    pub(super) metric: Metric,
    pub(super) options: Options,
    pub(super) geometry: SweepGeometry,
    pub(super) watched: Vec<u64>,
    waves: Option<Vec<u128>>,
    block_bytes: u128,
    // Positions that the leaves hold, if they are wanted.
    packed: u128,
}

impl<'a> Plan<'a> {
    /// Plans the sweep of a game in a metric; `None` when the sweep does not treat these rules.
    #[must_use]
    pub fn new(game: &'a BoardGame, metric: Metric, options: Options) -> Option<Plan<'a>> {
        let board = game.board();
        let limited = board.supply != Supply::Unlimited;
        let treated = match board.play {
            Play::Normal | Play::Misere => true,
            Play::FirstLine | Play::PlayOn => points_fit(game),
        };
        // Squares of a line or figure; squares that go less high than others and a first move that is barred
        // are no matter of patterns.
        let longest = game.targets().map(|(mask, _)| mask.count_ones() / 2).max();
        let fits = longest.unwrap_or(0) <= MAX_LINE
            && board.tops.is_none()
            && board.opening.barred.is_empty();
        if !treated || !fits || !game.rules().metrics.contains(&metric) {
            return None;
        }
        let block_bytes = match metric {
            Metric::Value if !has_draws(game) => bits::BYTES,
            Metric::Value | Metric::Distance | Metric::Points => POSITIONS,
            Metric::Nimber => 2 * POSITIONS,
            Metric::Odds => return None,
        };
        let skip = match (limited, options.leaves) {
            (true, _) => Skip::Nothing,
            // Leaves are cut from the blocks that matter.
            (false, true) => Skip::Decided,
            (false, false) => options.skip,
        };
        let mut orders = vec![SquareNumbering::natural(&board.shape)];
        if !options.leaves {
            orders.push(SquareNumbering::by_files(&board.shape));
        }
        let bytes = |(_, waves): &(SweepGeometry, Option<Vec<u128>>)| {
            waves.as_ref().map_or(u128::MAX, |waves| waves.iter().sum())
        };
        let counting = u128::from(options.memory.min(COUNTING_BYTES));
        let leanest = |orders: Vec<SquareNumbering>| {
            let geometries = orders.into_iter().map(|order| {
                let geometry = SweepGeometry::new(game, metric, order, skip);
                let waves = geometry.swept_blocks(counting);
                (geometry, waves)
            });
            geometries.min_by_key(bytes)
        };
        let (mut geometry, mut waves) = leanest(orders.clone())?;
        if options.squares == SquareOrder::Other && !options.leaves {
            orders.push(SquareNumbering::outside_in(&board.shape));
            orders.retain(|order| *order != geometry.order);
            (geometry, waves) = leanest(orders)?;
        }
        let mut plan = Plan {
            game,
            metric,
            options,
            geometry,
            watched: Vec::new(),
            waves,
            block_bytes: block_bytes as u128,
            packed: 0,
        };
        if options.leaves {
            let undecided = game.packing(metric) == Packing::Undecided;
            let packed = plan.geometry.packed(undecided, counting);
            plan.packed = packed.unwrap_or_else(|| plan.swept_positions());
        }
        Some(plan)
    }

    /// Whether play can end in a draw, or be lost without a line: then the value takes the bytes of the
    /// distance.
    pub(super) fn has_draws(&self) -> bool {
        has_draws(self.game)
    }

    /// Asks for the figures of some positions besides, by index. Those that follow from the rules,
    /// because they are finished or won at once, may be left out of the answer.
    #[must_use]
    pub fn watching(mut self, indices: Vec<u64>) -> Plan<'a> {
        self.watched = indices;
        self
    }

    /// Positions whose values are requested: the start, those after its moves, and the watched ones.
    pub(super) fn asked(&self) -> Vec<u64> {
        let start = self.game.start();
        let squares = (0..self.game.board().shape.cells() as u8).map(Cell);
        let raised = squares.filter(|cell| start.level(*cell) < MAX_LEVEL);
        std::iter::once(start.0)
            .chain(raised.map(|cell| start.raised(cell).0))
            .chain(self.watched.iter().copied())
            .collect()
    }

    /// The metric.
    #[must_use]
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> &'a BoardGame {
        self.game
    }

    /// Positions without a completed line, counted in the memory that the sweep leaves.
    pub(super) fn unfinished_positions(&self) -> u128 {
        let left = u128::from(self.options.memory).saturating_sub(self.memory_bytes());
        let most = left.min(COUNTING_BYTES.into());
        self.geometry.unfinished_positions(most)
    }

    /// Indexable positions.
    #[must_use]
    pub fn positions(&self) -> u128 {
        self.game.indexable()
    }

    /// Seconds on the threads of the current rayon pool, roughly.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        // Positions that one thread computes in a second, measured in 2026 on a server of 2023.
        let rate = match (self.metric, self.options.kernel) {
            (Metric::Value, Kernel::Portable) if self.has_draws() => 2e8,
            (Metric::Value, _) if self.has_draws() => 8e8,
            (Metric::Value, Kernel::Avx512) => 1.2e10,
            (Metric::Value, Kernel::Avx2) => 6e9,
            // Not measured: registers of half that size.
            (Metric::Value, Kernel::Neon) => 3e9,
            (Metric::Value, Kernel::Portable) => 2e9,
            (Metric::Nimber, Kernel::Portable) => 8e7,
            (Metric::Nimber | Metric::Points, _) => 3e8,
            (_, Kernel::Portable) => 2e8,
            _ => 8e8,
        };
        // Leaves are put together position by position.
        let packed = if self.options.leaves {
            self.packed_bytes() as f64 / 2e8
        } else {
            0.0
        };
        let threads = rayon::current_num_threads() as f64;
        (self.swept_positions() as f64 / rate + packed) / threads + 0.005
    }

    /// Positions in the blocks that are computed; an upper bound where only listing the blocks
    /// would tell.
    #[must_use]
    pub fn swept_positions(&self) -> u128 {
        let blocks = self
            .waves
            .as_ref()
            .map_or(self.all_blocks(), |waves| waves.iter().sum());
        blocks << (2 * LOW)
    }

    // Blocks of two waves, at most.
    fn two_waves(&self) -> u128 {
        match &self.waves {
            Some(waves) => {
                let most = |parity: usize| {
                    waves
                        .iter()
                        .skip(parity)
                        .step_by(2)
                        .max()
                        .copied()
                        .unwrap_or(0)
                };
                most(0) + most(1)
            }
            None => self.all_blocks(),
        }
    }

    /// Peak memory in bytes.
    #[must_use]
    pub fn memory_bytes(&self) -> u128 {
        let families = 1_u128 << (2 * self.geometry.outer);
        let mut bytes = self.two_waves() * self.block_bytes + families * FAMILY_BYTES + FIXED_BYTES;
        if self.options.leaves {
            bytes += self.packed_bytes();
        }
        bytes
    }

    /// Most bytes that checkpoints take on disk beside the table. They hold a wave and the packed
    /// values so far: twice while one is written and the one before it is there, once while the
    /// table is.
    #[must_use]
    pub fn checkpoint_bytes(&self) -> u128 {
        self.two_waves() * self.block_bytes + self.packed_bytes()
    }

    /// Bytes of packed values before compression: the memory of a table while it is made, and its
    /// greatest size on disk without directory and metadata.
    #[must_use]
    pub fn packed_bytes(&self) -> u128 {
        self.packed * u128::from(self.code_bits()) / 8
    }

    /// Bits of a code in a leaf.
    pub(super) fn code_bits(&self) -> u32 {
        match self.metric {
            Metric::Value if self.has_draws() => 2,
            Metric::Value => 1,
            Metric::Distance | Metric::Points | Metric::Nimber | Metric::Odds => 8,
        }
    }

    fn all_blocks(&self) -> u128 {
        1 << (2 * (self.geometry.middle + self.geometry.outer))
    }
}

fn has_draws(game: &BoardGame) -> bool {
    game.rules().properties.outcomes == Outcomes::WinDrawLoss
}
