//! Counters: which squares can be raised, and which boards the supply allows.

use super::{BoardGame, BoardRules, Supply};
use crate::cells::LOW_BITS;
use crate::notation::TypedLight;
use crate::{Cell, Code, Fault, MAX_LEVEL, Message, messages};

/// How many squares stand at each of the levels 1 to 3.
type LevelCounts = [u32; MAX_LEVEL as usize];

impl BoardRules {
    /// By level below: the low bits of the squares that can be raised from it.
    pub(super) fn raisable(&self) -> [u64; MAX_LEVEL as usize] {
        [0, 1, 2].map(|level| {
            let squares = (0..self.shape.cells() as u8).map(Cell);
            let raisable = squares.filter(|cell| level < self.top(*cell));
            raisable.fold(0, |mask, cell| mask | 1 << (2 * cell.0))
        })
    }
}

impl BoardGame {
    /// The number of counters of a level in use, and the limit; `None` without a limit.
    fn used(&self, counts: LevelCounts, level: u8) -> Option<(u32, u32)> {
        let at = usize::from(level) - 1;
        match self.board.supply {
            Supply::Unlimited => None,
            Supply::Cap(limit) => Some((counts[at], limit)),
            Supply::Pool(limit) => Some((counts[at..].iter().sum(), limit)),
        }
    }

    /// From which levels the supply lets squares be raised, by level.
    fn open_levels(&self, counts: impl FnOnce() -> LevelCounts) -> [bool; MAX_LEVEL as usize] {
        if self.board.supply == Supply::Unlimited {
            return [true; MAX_LEVEL as usize];
        }
        let counts = counts();
        [1, 2, 3].map(|level| {
            let used = self.used(counts, level);
            used.is_none_or(|(used, limit)| used < limit)
        })
    }

    /// Whether this many squares at each level break no supply limit.
    fn are_supplied(&self, counts: impl FnOnce() -> LevelCounts) -> bool {
        self.board.supply == Supply::Unlimited || {
            let counts = counts();
            (1..=MAX_LEVEL).all(|level| self.over_supply(counts, level).is_none())
        }
    }

    /// Whether a board breaks no supply limit and no level limit.
    #[must_use]
    pub fn is_legal(&self, code: Code) -> bool {
        self.allows_every_board() || self.too_high(code) == 0 && self.are_supplied(|| code.counts())
    }

    /// Whether a board with this many squares at each level is legal and a square of it can be raised,
    /// lines left aside, where all squares can be raised as high.
    pub(super) fn go_on(&self, counts: LevelCounts) -> bool {
        let levels = usize::from(self.board.levels);
        let raised: u32 = counts.iter().sum();
        let bare = self.board.shape.cells() as u32 - raised;
        let open = self.open_levels(|| counts);
        let below = [bare, counts[0], counts[1]].into_iter().zip(open);
        counts[levels..].iter().all(|count| *count == 0)
            && self.are_supplied(|| counts)
            && below
                .take(levels)
                .any(|(squares, open)| open && squares > 0)
    }

    /// Whether neither the supply nor the levels have a limit that a board could break.
    pub(super) fn allows_every_board(&self) -> bool {
        self.board.supply == Supply::Unlimited
            && self.board.levels == MAX_LEVEL
            && self.board.tops.is_none()
    }

    /// The low bits of the squares that are higher than they can be.
    fn too_high(&self, code: Code) -> u64 {
        let (low, high) = (code.0, code.0 >> 1);
        let [to_one, to_two, to_three] = self.raisable;
        let squares = LOW_BITS >> (64 - 2 * self.board.shape.cells());
        squares & ((low | high) & !to_one | high & !to_two | low & high & !to_three)
    }

    /// Whether the game continues from a board, lines left aside.
    pub(super) fn goes_on(&self, code: Code) -> bool {
        let raisable = self.raisable(code);
        let barred = &self.board.opening.barred;
        !raisable.is_empty()
            && (code != self.board.opening.start
                || barred.is_empty()
                || raisable.into_iter().any(|cell| !barred.contains(&cell)))
    }

    fn over_supply(&self, counts: LevelCounts, level: u8) -> Option<(u32, u32)> {
        self.used(counts, level)
            .filter(|(used, limit)| used > limit)
    }

    /// The squares that can be raised, lines left aside.
    pub(crate) fn raisable(&self, code: Code) -> Raisable {
        let open = self.open_levels(|| code.counts());
        let from = |level: usize| if open[level] { self.raisable[level] } else { 0 };
        let (low, high) = (code.0, code.0 >> 1);
        Raisable(!(low | high) & from(0) | low & !high & from(1) | high & !low & from(2))
    }

    /// Everything by which a board has squares higher than they can be.
    pub(super) fn top_faults(&self, code: Code) -> Vec<Fault> {
        let letter = |level| self.rules.order().letter(level);
        Raisable(self.too_high(code))
            .map(|cell| {
                let problem = match self.board.top(cell) {
                    0 => "found a light on a square that is never lit".into(),
                    top => format!(
                        "found '{}' on a square whose last light is '{}'",
                        letter(code.level(cell)),
                        letter(top)
                    ),
                };
                Fault::new(self.board.shape.cell_name(cell), problem)
            })
            .collect()
    }

    /// A board that shows how positions are written: the start with one square raised.
    pub(crate) fn example(&self) -> Code {
        let start = self.board.opening.start;
        let raised = self.raisable(start).next();
        raised.map_or(start, |cell| start.raised(cell))
    }

    /// Why a square cannot be raised, to the light that is typed; `None` if it can. Lines are left
    /// aside.
    pub(crate) fn raise_problem(
        &self,
        code: Code,
        cell: Cell,
        light: TypedLight,
    ) -> Option<Message> {
        let next = code.level(cell) + 1;
        if next > self.board.top(cell) {
            let lit = next > 1;
            return Some(if lit {
                messages::move_last_light()
            } else {
                "that square is never lit".into()
            });
        }
        if !self.raisable(code).contains(cell) {
            return Some(messages::move_supply());
        }
        let order = self.rules.order();
        let letter = order.letter(next);
        let colour = match letter {
            'R' => messages::light_red(),
            'Y' => messages::light_yellow(),
            _ => messages::light_green(),
        };
        (!light.can_be(next, order)).then(|| messages::move_next_light(letter, colour))
    }

    /// Everything by which a board breaks a supply limit.
    pub(crate) fn supply_faults(&self, code: Code) -> Vec<Fault> {
        (1..=self.board.levels)
            .filter_map(|level| Some((level, self.over_supply(code.counts(), level)?)))
            .map(|(level, (used, limit))| {
                let letter = self.rules.order().letter(level);
                let problem = match self.board.supply {
                    Supply::Pool(_) => messages::pooled(used, letter, limit),
                    Supply::Unlimited | Supply::Cap(_) => messages::capped(used, letter, limit),
                };
                Fault::new(messages::place_counters(), problem)
            })
            .collect()
    }
}

/// Squares that can be raised, in order: the low bit of each, where a [`Code`] has its level.
#[derive(Clone, Copy)]
pub(crate) struct Raisable(u64);

impl Raisable {
    pub(crate) fn contains(self, cell: Cell) -> bool {
        self.0 >> (2 * cell.0) & 1 == 1
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl Iterator for Raisable {
    type Item = Cell;

    fn next(&mut self) -> Option<Cell> {
        let cell = (self.0 != 0).then(|| Cell(self.0.trailing_zeros() as u8 / 2));
        self.0 &= self.0.wrapping_sub(1);
        cell
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count_ones() as usize;
        (left, Some(left))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::{Game, RuleFile, Variant};

    // Squares one after the other against all at once.
    #[test]
    fn a_square_can_be_raised_where_the_board_after_it_is_legal() {
        let written = [
            ("patterns = ['11']", 1),
            ("patterns = ['11']\nsupply = 'cap3'", 1),
            ("patterns = ['11', '22']", 2),
            ("patterns = ['11', '22']\nsupply = 'cap2'", 2),
            ("patterns = ['11', '22']\nsupply = 'pool3'", 2),
        ];
        let written = written.map(|(rules, levels)| {
            let board = format!("board = {{ size = '2x4', line-length = 2, levels = {levels} }}");
            let text = format!("{rules}\n{board}");
            RuleFile::parse("few.toml", &text).unwrap().variant
        });
        let named = [
            "classic-1x1",
            "classic-3x3",
            "points-4x8",
            "green-3x3:supply=cap2",
            "signal-3x4:supply=pool5",
        ];
        let named = named.map(|name| Variant::parse(name).unwrap());
        let mut random = Random(1);
        for variant in named.into_iter().chain(written) {
            let game = variant.as_board().unwrap();
            let squares = || (0..game.board.shape.cells() as u8).map(Cell);
            let mut seen = [0; 2];
            for _ in 0..3000 {
                let code = random.board(game.board.shape.cells(), 3);
                if !game.is_legal(code) {
                    continue;
                }
                let legal = |cell: &Cell| {
                    let level = code.level(*cell);
                    level < MAX_LEVEL && game.is_legal(code.with(*cell, level + 1))
                };
                let expected: Vec<Cell> = squares().filter(legal).collect();
                let found: Vec<Cell> = game.raisable(code).collect();
                let context = format!("{}: {code}", game.rules().canonical);
                assert_eq!(found, expected, "{context}");
                assert_eq!(game.raisable(code).is_empty(), found.is_empty());
                let raisable = game.raisable(code);
                assert!(squares().all(|cell| raisable.contains(cell) == found.contains(&cell)));
                seen[0] += found.len();
                seen[1] += squares().count() - found.len();
            }
            assert!(seen.iter().all(|count| *count > 0), "{seen:?}");
        }
    }
}
