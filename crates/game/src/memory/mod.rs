//! Games on a fixed board that remember more than the board: which square was raised last, who passed,
//! whose turn it is, how many lines each player has.
//!
//! Squares, lines, counters and endings are those of a game on a fixed board, the base, which knows
//! nothing of all this.

mod dense;
mod family;
mod name;
mod numbering;
mod position;
mod rules;
mod squares;
mod text;
mod words;

pub use family::CUSTOM;
pub use position::{MemoryMove, MemoryPosition};
pub use rules::{LastSquare, MemoryRules, Part, Passing, RaisesATurn};

use crate::symmetry_group::SymmetryGroup;
use crate::{
    Advance, BoardGame, BoardRules, Cell, Code, Diagram, Edge, Ending, Family, Game, Mark, Metric,
    Motion, MoveError, Outcome, Outcomes, Permutation, Play, PlayerOptions, Properties, Rules,
    Sentence, Setting, SetupError, Stalemate, Turn,
};
use numbering::{Boards, States};

/// A game on a fixed board with a memory.
#[derive(Clone, Debug)]
pub struct MemoryGame {
    rules: Rules,
    memory: MemoryRules,
    base: BoardGame,
    // By part: the game in which its goal alone counts.
    goals: Option<Box<[BoardGame; 2]>>,
    // By the square raised last: the squares that may be raised then, a bit each.
    after: Vec<u32>,
    symmetries: SymmetryGroup,
    boards: Boards,
    states: States,
}

impl MemoryRules {
    fn keeps_last(&self) -> bool {
        self.last_square != LastSquare::Any
    }

    /// Whether positions have to say whose turn it is.
    fn keeps_part(&self) -> bool {
        self.has_parts() && self.pass == Passing::Free
    }
}

impl MemoryGame {
    /// The game with a name and the options that led to it. Of the rules of the board `patterns` are all
    /// that count for anybody.
    ///
    /// # Panics
    /// As [`BoardGame::new`], and when a square is higher at the start than it can be raised.
    #[must_use]
    pub fn new(
        name: String,
        family: &'static Family,
        options: Vec<Setting>,
        board: BoardRules,
        memory: MemoryRules,
    ) -> MemoryGame {
        let goals = memory.goal.as_ref().map(|goal| {
            let alone = |patterns: &Vec<_>| {
                let patterns = patterns.clone();
                let board = BoardRules {
                    patterns,
                    ..board.clone()
                };
                BoardGame::new(name.clone(), family, options.clone(), board)
            };
            Box::new(goal.each_ref().map(alone))
        });
        let cells = board.shape.cells();
        let after = (0..cells as u8).map(|cell| after(&board, &memory, Cell(cell)));
        let after: Vec<u32> = after.collect();
        let base = BoardGame::new(name, family, options, board);
        let mut symmetries = base.permutations().to_vec();
        symmetries.retain(|symmetry| keeps(&after, symmetry));
        MemoryGame {
            rules: rules(&base, &memory),
            boards: Boards::new(base.start(), base.board().full(), cells),
            states: States::new(&memory, memory.keeps_part(), cells),
            memory,
            base,
            goals,
            after,
            symmetries: SymmetryGroup::new(symmetries),
        }
    }

    /// What the game remembers.
    #[must_use]
    pub fn memory(&self) -> &MemoryRules {
        &self.memory
    }

    /// The game on the board alone, where nothing is remembered and every line counts for whoever
    /// completes it.
    #[must_use]
    pub fn base(&self) -> &BoardGame {
        &self.base
    }

    /// Raises since the start.
    fn raises_so_far(&self, code: Code) -> u32 {
        let start = self.base.start().level_sum();
        code.level_sum().saturating_sub(start)
    }

    /// The first square that stands above its level at the start: after one raise, the one raised.
    fn first_raised(&self, code: Code) -> Option<Cell> {
        let start = self.base.start();
        let mut cells = (0..self.rules.cells as u8).map(Cell);
        cells.find(|cell| code.level(*cell) > start.level(*cell))
    }

    /// Whose turn it is, in games in which nobody or everybody can tell.
    fn turn(&self, position: &MemoryPosition) -> Part {
        let raises = self.raises_so_far(position.code);
        let passed = match self.memory.pass {
            Passing::Never => return self.memory.turns.part(raises),
            Passing::Once => 2_u32.saturating_sub(position.passes.map(u32::from).iter().sum()),
            Passing::Free => return Part::ALL[usize::from(position.second)],
        };
        RaisesATurn::One.part(raises + passed)
    }

    /// Whether whoever has the turn made the raise before.
    fn is_mid_turn(&self, code: Code) -> bool {
        let raises = self.raises_so_far(code);
        let part = |raises| self.memory.turns.part(raises);
        raises > 0 && part(raises) == part(raises - 1)
    }

    /// The part of the player to move; when the game is over, of the opponent of whoever moved last.
    fn to_move(&self, position: &MemoryPosition) -> Part {
        let turn = self.turn(position);
        let over = self.is_mid_turn(position.code) && self.ending(position).is_some();
        if over { turn.other() } else { turn }
    }

    /// Whether the result of a completed line is its opposite.
    fn is_misere(&self) -> bool {
        self.base.board().play == Play::Misere
    }

    fn ending_by_line(&self, position: &MemoryPosition) -> Option<Ending> {
        let won = if let Some(most) = self.memory.win_lines {
            match position.lines.map(|lines| lines >= most) {
                [false, false] => return None,
                [mine, _] => mine,
            }
        } else if let Some(goals) = &self.goals {
            // The player who raised last, and the opponent, who is to move.
            let mut opponent = self.turn(position);
            if self.is_mid_turn(position.code) {
                opponent = opponent.other();
            }
            match goals.each_ref().map(|goal| goal.has_line(position.code)) {
                [false, false] => return None,
                [true, true] => false,
                [true, false] => opponent == Part::First,
                [false, true] => opponent == Part::Second,
            }
        } else {
            return self.base.ending_by_line(position.code);
        };
        Some(Ending {
            outcome: if won != self.is_misere() {
                Outcome::Win
            } else {
                Outcome::Loss
            },
            points: 0,
        })
    }

    /// The squares that may be raised, a bit each; lines left aside.
    fn open(&self, position: &MemoryPosition) -> u32 {
        let bit = |cell: Cell| 1_u32 << cell.0;
        let raisable = self.base.raisable(position.code);
        let mut open = match &self.memory.may {
            None => raisable.fold(0, |open, cell| open | bit(cell)),
            Some(may) => {
                let levels = &may[self.turn(position) as usize];
                let fits = |cell: &Cell| levels.contains(&(position.code.level(*cell) + 1));
                raisable.filter(fits).fold(0, |open, cell| open | bit(cell))
            }
        };
        let barred = &self.base.board().opening.barred;
        if !barred.is_empty() && *position == self.start() {
            open = barred.iter().fold(open, |open, cell| open & !bit(*cell));
        }
        match position.last.map(|cell| open & self.after[cell.index()]) {
            Some(obeying) if obeying != 0 => obeying,
            _ => open,
        }
    }

    fn can_pass(&self, position: &MemoryPosition) -> bool {
        match self.memory.pass {
            Passing::Never => false,
            Passing::Free => true,
            Passing::Once => position.passes[0] > 0,
        }
    }

    /// Whether neither player can ever raise a square again.
    fn is_full(&self, position: &MemoryPosition) -> bool {
        let levels = self.memory.may.as_ref();
        let may_raise = |level: u8| levels.is_none_or(|may| may.concat().contains(&level));
        let mut raisable = self.base.raisable(position.code);
        !raisable.any(|cell| may_raise(position.code.level(cell) + 1))
    }

    /// Where no player has won: whether play stops because the player to move has no move, or because
    /// lines are counted and nobody can raise a square.
    fn is_stuck(&self, position: &MemoryPosition) -> bool {
        let has_other_move = self.can_pass(position) || position.swap;
        let counted = self.memory.win_lines.is_some();
        self.open(position) == 0 && (!has_other_move || counted && self.is_full(position))
    }

    /// The end of a game in which no square can be raised.
    fn ending_when_stuck(&self, position: &MemoryPosition) -> Ending {
        let board = self.base.board();
        let outcome = if self.memory.win_lines.is_some() {
            let [mine, theirs] = position.lines.map(i32::from);
            let more = Outcome::of_points(mine - theirs);
            if self.is_misere() {
                more.negated()
            } else {
                more
            }
        } else if board.play.scores() || board.stalemate != Stalemate::Loss {
            Outcome::Draw
        } else if self.is_mid_turn(position.code) {
            // The player without a move is not the one who counts as the player to move.
            Outcome::Win
        } else {
            Outcome::Loss
        };
        Ending { outcome, points: 0 }
    }

    /// Lines that a raise completed: those that count for whoever raised, and for the other.
    fn completed(&self, code: Code, cell: Cell, by: Part) -> [u8; 2] {
        let number = |game: &BoardGame| game.completed_points(code, cell).min(u8::MAX.into()) as u8;
        let Some(goals) = &self.goals else {
            return [number(&self.base), 0];
        };
        let mine = number(&goals[by as usize]);
        let theirs = number(&goals[by.other() as usize]);
        // Where both have lines, only those of the player who moved count.
        if mine > 0 { [mine, 0] } else { [0, theirs] }
    }

    /// Points that a raise made, where play goes on after a line.
    fn scored(&self, code: Code, cell: Cell) -> i32 {
        match self.base.board().play {
            Play::PlayOn => self.base.completed_points(code, cell),
            Play::Normal | Play::Misere | Play::FirstLine => 0,
        }
    }

    fn raised(&self, position: &MemoryPosition, cell: Cell) -> Edge<MemoryPosition> {
        let code = position.code.raised(cell);
        let gain = self.scored(code, cell);
        let mut lines = position.lines;
        if let Some(most) = self.memory.win_lines {
            let more = self.completed(code, cell, self.turn(position));
            for (lines, more) in lines.iter_mut().zip(more) {
                *lines = lines.saturating_add(more).min(most);
            }
        }
        let mut to = MemoryPosition {
            code,
            swap: false,
            last: self.memory.keeps_last().then_some(cell),
            passed: 0,
            passes: [position.passes[1], position.passes[0]],
            second: self.memory.keeps_part() && !position.second,
            lines: [lines[1], lines[0]],
        };
        let keeps_turn =
            self.is_mid_turn(code) && self.ending_by_line(&to).is_none() && self.open(&to) != 0;
        if keeps_turn {
            to.lines = lines;
        } else {
            self.offer_swap(position, &mut to);
        }
        Edge {
            to,
            gain,
            keeps_turn,
        }
    }

    /// Lets the second player swap after the first ply, unless the game is over.
    fn offer_swap(&self, from: &MemoryPosition, to: &mut MemoryPosition) {
        let offered = self.memory.swap && *from == self.start() && !self.is_mid_turn(to.code);
        to.swap = offered && self.ending_by_line(to).is_none();
        to.swap &= !self.is_stuck(to);
    }

    fn passed(&self, position: &MemoryPosition) -> Edge<MemoryPosition> {
        let [mine, theirs] = position.passes;
        let lines = [position.lines[1], position.lines[0]];
        let mut to = MemoryPosition {
            swap: false,
            last: None,
            lines,
            ..*position
        };
        match self.memory.pass {
            Passing::Never => {}
            Passing::Free => {
                to.passed = position.passed + 1;
                to.second = self.memory.keeps_part() && !position.second;
            }
            Passing::Once => {
                to.passes = [theirs, mine.saturating_sub(1)];
                self.offer_swap(position, &mut to);
            }
        }
        Edge::passes(to)
    }

    // The parts are exchanged, and with them what belongs to them: passes, lines and points.
    fn swapped(&self, position: &MemoryPosition) -> Edge<MemoryPosition> {
        let to = MemoryPosition {
            swap: false,
            last: None,
            ..*position
        };
        let first = self.first_raised(position.code);
        let taken = first.map_or(0, |cell| self.scored(position.code, cell));
        Edge {
            to,
            gain: 2 * taken,
            keeps_turn: false,
        }
    }
}

// The squares that may be raised after one, a bit each.
fn after(board: &BoardRules, memory: &MemoryRules, cell: Cell) -> u32 {
    let bit = |cell: Cell| 1_u32 << cell.0;
    let near = board.shape.neighbours(cell);
    let near = near.into_iter().fold(0, |near, cell| near | bit(cell));
    match memory.last_square {
        LastSquare::Any => u32::MAX,
        LastSquare::Forbidden => !bit(cell),
        LastSquare::Neighbours => near,
        LastSquare::Elsewhere => !(near | bit(cell)),
    }
}

// Whether a symmetry keeps which square may be raised after which.
fn keeps(after: &[u32], symmetry: &Permutation) -> bool {
    let cells = || (0..after.len() as u8).map(Cell);
    let follows = |one: Cell, other: Cell| after[one.index()] >> other.0 & 1;
    cells().all(|one| {
        let same = |other| follows(one, other) == follows(symmetry.cell(one), symmetry.cell(other));
        cells().all(same)
    })
}

fn rules(base: &BoardGame, memory: &MemoryRules) -> Rules {
    let rules = base.rules();
    let canonical = rules.canonical.clone() + &memory.canonical();
    let by_board = rules.properties.outcomes;
    let decided =
        memory.pass != Passing::Free && memory.may.is_none() && memory.win_lines.is_none();
    let outcomes = match by_board {
        Outcomes::WinLoss if !decided => Outcomes::WinDrawLoss,
        Outcomes::WinLoss | Outcomes::WinDrawLoss | Outcomes::Points | Outcomes::Expectation => {
            by_board
        }
    };
    // Nothing but the square raised last: both players have the same moves, and who has none has lost.
    let alike = MemoryRules {
        last_square: memory.last_square,
        ..MemoryRules::default()
    };
    let metrics = rules.metrics.iter().copied();
    let metrics = metrics.filter(|metric| *metric != Metric::Nimber || *memory == alike);
    Rules {
        hash: Rules::hash_of(&canonical),
        canonical,
        metrics: metrics.collect(),
        properties: Properties {
            options: if memory.has_parts() {
                PlayerOptions::ByPlayer
            } else {
                PlayerOptions::Same
            },
            advance: if memory.pass == Passing::Never && !memory.swap {
                Advance::Rises
            } else {
                Advance::Acyclic
            },
            turn: if memory.turns == RaisesATurn::One {
                Turn::Alternates
            } else {
                Turn::Runs
            },
            outcomes,
            ..rules.properties
        },
        ..rules.clone()
    }
}

impl Game for MemoryGame {
    type Position = MemoryPosition;
    type Move = MemoryMove;

    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn change_rules(&mut self, change: &mut dyn FnMut(&mut Rules)) {
        change(&mut self.rules);
        self.base.change_rules(change);
    }

    fn set_shown(&mut self, name: String) {
        self.rules.shown = Some(name);
    }

    fn in_words(&self) -> Vec<Sentence> {
        self.sentences()
    }

    fn start(&self) -> MemoryPosition {
        MemoryPosition {
            code: self.base.start(),
            swap: false,
            last: None,
            passed: 0,
            passes: match self.memory.pass {
                Passing::Once => [1, 1],
                Passing::Never | Passing::Free => [0, 0],
            },
            second: false,
            lines: [0, 0],
        }
    }

    fn ending(&self, position: &MemoryPosition) -> Option<Ending> {
        if position.passed > 1 {
            return Some(Ending {
                outcome: Outcome::Draw,
                points: 0,
            });
        }
        let by_line = self.ending_by_line(position);
        by_line.or_else(|| {
            self.is_stuck(position)
                .then(|| self.ending_when_stuck(position))
        })
    }

    fn moves(&self, position: &MemoryPosition, out: &mut Vec<MemoryMove>) {
        out.clear();
        if position.passed > 1 || self.ending_by_line(position).is_some() {
            return;
        }
        let open = self.open(position);
        if open == 0 && self.is_stuck(position) {
            return;
        }
        let cells = (0..self.rules.cells as u8).filter(|cell| open >> cell & 1 == 1);
        out.extend(cells.map(|cell| MemoryMove::Raise(Cell(cell))));
        if self.can_pass(position) {
            out.push(MemoryMove::Pass);
        }
        if position.swap {
            out.push(MemoryMove::Swap);
        }
    }

    fn play(&self, position: &MemoryPosition, mv: MemoryMove) -> Edge<MemoryPosition> {
        match mv {
            MemoryMove::Raise(cell) => self.raised(position, cell),
            MemoryMove::Pass => self.passed(position),
            MemoryMove::Swap => self.swapped(position),
        }
    }

    fn symmetries(&self) -> usize {
        self.symmetries.all.len()
    }

    fn image(&self, position: &MemoryPosition, symmetry: usize) -> MemoryPosition {
        let symmetry = &self.symmetries.all[symmetry];
        MemoryPosition {
            code: symmetry.apply(position.code),
            last: position.last.map(|cell| symmetry.cell(cell)),
            ..*position
        }
    }

    fn inverse_symmetry(&self, symmetry: usize) -> usize {
        self.symmetries.inverses[symmetry]
    }

    fn symmetry_showing(&self, motion: Motion) -> Option<usize> {
        self.symmetries.showing(motion, &self.base.board().shape)
    }

    fn position_text(&self, position: &MemoryPosition) -> String {
        self.written(position)
    }

    fn parse_position(&self, text: &str) -> Result<MemoryPosition, SetupError> {
        self.read_position(text)
    }

    fn move_text(&self, position: &MemoryPosition, mv: MemoryMove) -> String {
        match mv {
            MemoryMove::Raise(cell) => self.base.move_text(&position.code, crate::Raise(cell)),
            MemoryMove::Pass => "pass".into(),
            MemoryMove::Swap => "swap".into(),
        }
    }

    fn parse_move(&self, position: &MemoryPosition, text: &str) -> Result<MemoryMove, MoveError> {
        self.read_move(position, text)
    }

    fn with_mark(
        &self,
        position: &MemoryPosition,
        square: usize,
        mark: Mark,
    ) -> Option<MemoryPosition> {
        let code = self.base.with_mark(&position.code, square, mark)?;
        Some(MemoryPosition { code, ..*position })
    }

    fn diagram(&self, position: &MemoryPosition) -> Diagram {
        let mut diagram = self.base.diagram(&position.code);
        diagram.notes.extend(self.notes(position));
        diagram
    }
}
