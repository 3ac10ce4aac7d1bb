//! Games on a fixed board: place a light, raise a light, complete a line.

pub(crate) mod dense;
pub(crate) mod families;
pub(crate) mod family;
pub(crate) mod name;
mod patterns;
mod rules;
mod squares;
mod supply;
mod targets;
pub(crate) mod words;

pub use family::{CLASSIC, GREEN, POINTS, SIGNAL};
pub use rules::{BoardRules, LineScore, Opening, Play, Stalemate, Supply, WinPattern};

use std::collections::HashSet;

use crate::notation::{board_text, parse_board, parse_raise};
use crate::symmetry_group::SymmetryGroup;
use crate::{
    Advance, Cell, Code, Dense, Diagram, Edge, Ending, Family, Game, Geometry, Grid, Label,
    MAX_LEVEL, Mark, Message, Metric, Motion, MoveError, Outcome, Outcomes, Permutation,
    PlayerOptions, Properties, Rules, Sentence, Setting, SetupError, Shape, Turn, file_name,
};
use targets::{LineCheck, Target};

/// A move on a board: the square that is raised by one level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Raise(pub Cell);

/// A game on a fixed board.
#[derive(Clone, Debug)]
pub struct BoardGame {
    rules: Rules,
    board: BoardRules,
    targets: Vec<Target>,
    completed: LineCheck,
    // By 4 * square + level: the targets that need that square at that level.
    through: Vec<Vec<usize>>,
    // By level below: the low bits of the squares that can be raised from it.
    raisable: [u64; MAX_LEVEL as usize],
    // Boards that one raise turns into a completed line: masks and values.
    threats: Vec<(u64, u64)>,
    symmetries: SymmetryGroup,
}

impl BoardGame {
    /// The game with a name and the options that led to it.
    ///
    /// # Panics
    /// When the rules contradict themselves: levels outside 1 to 3, or a pattern of another length
    /// than a line or with levels outside 1 to `levels`.
    #[must_use]
    pub fn new(
        name: String,
        family: &'static Family,
        options: Vec<Setting>,
        board: BoardRules,
    ) -> BoardGame {
        assert!(
            (1..=MAX_LEVEL).contains(&board.levels),
            "levels: {}",
            board.levels
        );
        let cells = board.shape.cells();
        let lines = board.shape.lines(board.line_length);
        for pattern in &board.patterns {
            assert_eq!(
                pattern.levels.len(),
                usize::from(board.line_length),
                "{pattern:?}"
            );
            let mut levels = pattern.levels.iter();
            assert!(levels.all(|level| (1..=board.levels).contains(level)));
        }
        let placed = Target::placed(&board, &lines);
        let completed = LineCheck::new(&board, &lines, &placed);
        let targets: Vec<Target> = placed.into_iter().map(|(target, _)| target).collect();
        let mut through = vec![Vec::new(); 4 * cells];
        let mut threats = Vec::new();
        for (number, target) in targets.iter().enumerate() {
            for cell in (0..cells as u8)
                .map(Cell)
                .filter(|cell| target.holds(*cell))
            {
                let level = Code(target.value).level(cell);
                through[4 * cell.index() + usize::from(level)].push(number);
                threats.push((target.mask, target.value - (1 << (2 * cell.0))));
            }
        }
        let full = board.full();
        // Where the first move is barred altogether, the game is over at once.
        let begins = (0..cells as u8).map(Cell).any(|cell| {
            let opening = &board.opening;
            opening.start.level(cell) < board.top(cell) && !opening.barred.contains(&cell)
        });
        let ends_by_line = begins
            && board.supply == Supply::Unlimited
            && targets.iter().any(|target| target.shown(full));
        let outcomes = match board.play {
            Play::FirstLine | Play::PlayOn => Outcomes::Points,
            Play::Normal | Play::Misere if ends_by_line => Outcomes::WinLoss,
            Play::Normal | Play::Misere => Outcomes::WinDrawLoss,
        };
        let metrics = match board.play {
            Play::FirstLine | Play::PlayOn => vec![Metric::Points],
            // A scored game stays one when only the sign of its points counts.
            Play::Normal if ends_by_line && family != &POINTS => {
                vec![Metric::Value, Metric::Distance, Metric::Nimber]
            }
            Play::Normal | Play::Misere => vec![Metric::Value, Metric::Distance],
        };
        let canonical = board.canonical();
        let rules = Rules {
            name,
            shown: None,
            lights: Some(Default::default()),
            family,
            hash: Rules::hash_of(&canonical),
            canonical,
            options,
            properties: Properties {
                options: PlayerOptions::Same,
                advance: Advance::Rises,
                turn: Turn::Alternates,
                luck: BoardGame::LUCK,
                outcomes,
                scores: board.play.scores(),
            },
            default_metric: if board.play.scores() {
                Metric::Points
            } else {
                Metric::Distance
            },
            metrics,
            cells: cells as u32,
        };
        let mut symmetries = board.shape.symmetries();
        symmetries.retain(|symmetry| keeps(&board, &targets, symmetry));
        BoardGame {
            rules,
            completed,
            raisable: board.raisable(),
            board,
            targets,
            through,
            threats,
            symmetries: SymmetryGroup::new(symmetries),
        }
    }

    /// The rules as data.
    #[must_use]
    pub fn board(&self) -> &BoardRules {
        &self.board
    }

    /// The symmetries of the board as permutations of squares, the identity first.
    #[must_use]
    pub fn permutations(&self) -> &[Permutation] {
        &self.symmetries.all
    }

    pub(crate) fn ending_by_line(&self, code: Code) -> Option<Ending> {
        if self.board.play == Play::PlayOn || !self.has_line(code) {
            return None;
        }
        Some(match self.board.play {
            Play::Normal => Ending {
                outcome: Outcome::Loss,
                points: 0,
            },
            Play::Misere => Ending {
                outcome: Outcome::Win,
                points: 0,
            },
            Play::FirstLine | Play::PlayOn => {
                let points = -self.standing_points(code);
                Ending {
                    outcome: Outcome::of_points(points),
                    points,
                }
            }
        })
    }
}

// Whether a symmetry keeps what can be completed and where squares can be raised.
fn keeps(board: &BoardRules, targets: &[Target], symmetry: &Permutation) -> bool {
    if *board.shape.geometry() == Geometry::default()
        && board.tops.is_none()
        && board.opening == Opening::default()
    {
        return true;
    }
    // Lines and, since those count once in a run, each with the one before it.
    let joined = targets.iter().filter_map(|target| {
        let previous = &targets[target.previous?];
        Some((
            target.mask | previous.mask,
            target.value | previous.value,
            0,
        ))
    });
    let scored = targets
        .iter()
        .map(|target| (target.mask, target.value, target.points));
    let known: HashSet<(u64, u64, i32)> = scored.chain(joined).collect();
    let image = |code| symmetry.apply(Code(code)).0;
    let is_known = |(mask, value, points): &(u64, u64, i32)| {
        known.contains(&(image(*mask), image(*value), *points))
    };
    let same_top = |cell: Cell| board.top(symmetry.cell(cell)) == board.top(cell);
    let barred = &board.opening.barred;
    known.iter().all(is_known)
        && (0..board.shape.cells() as u8).map(Cell).all(same_top)
        && symmetry.apply(board.opening.start) == board.opening.start
        && barred
            .iter()
            .all(|cell| barred.contains(&symmetry.cell(*cell)))
}

impl Game for BoardGame {
    type Position = Code;
    type Move = Raise;

    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn change_rules(&mut self, change: &mut dyn FnMut(&mut Rules)) {
        change(&mut self.rules);
    }

    fn set_shown(&mut self, name: String) {
        self.rules.shown = Some(name);
    }

    fn in_words(&self) -> Vec<Sentence> {
        words::board(&self.board, &self.rules)
    }

    fn start(&self) -> Code {
        self.board.opening.start
    }

    fn ending(&self, position: &Code) -> Option<Ending> {
        if let Some(ending) = self.ending_by_line(*position) {
            return Some(ending);
        }
        if self.goes_on(*position) {
            return None;
        }
        let lost = !self.board.play.scores() && self.board.stalemate == Stalemate::Loss;
        let outcome = if lost { Outcome::Loss } else { Outcome::Draw };
        Some(Ending { outcome, points: 0 })
    }

    fn moves(&self, position: &Code, out: &mut Vec<Raise>) {
        out.clear();
        if self.ending_by_line(*position).is_none() {
            out.extend(self.raisable(*position).map(Raise));
            if *position == self.board.opening.start {
                out.retain(|Raise(cell)| !self.board.opening.barred.contains(cell));
            }
        }
    }

    fn play(&self, position: &Code, Raise(cell): Raise) -> Edge<Code> {
        let to = position.raised(cell);
        let gain = match self.board.play {
            Play::PlayOn => self.completed_points(to, cell),
            Play::Normal | Play::Misere | Play::FirstLine => 0,
        };
        Edge {
            to,
            gain,
            keeps_turn: false,
        }
    }

    fn symmetries(&self) -> usize {
        self.symmetries.all.len()
    }

    fn image(&self, position: &Code, symmetry: usize) -> Code {
        self.symmetries.all[symmetry].apply(*position)
    }

    fn inverse_symmetry(&self, symmetry: usize) -> usize {
        self.symmetries.inverses[symmetry]
    }

    fn symmetry_showing(&self, motion: Motion) -> Option<usize> {
        self.symmetries.showing(motion, &self.board.shape)
    }

    fn position_text(&self, position: &Code) -> String {
        board_text(&self.board.shape, *position, self.rules.order())
    }

    fn parse_position(&self, text: &str) -> Result<Code, SetupError> {
        let refuse = |faults| SetupError {
            text: text.into(),
            variant: self.rules.title().to_string(),
            faults,
            example: self.position_text(&self.example()),
        };
        let code = parse_board(
            &self.board.shape,
            self.board.levels,
            text,
            self.rules.order(),
        )
        .map_err(refuse)?;
        let mut faults = self.top_faults(code);
        faults.extend(self.supply_faults(code));
        if faults.is_empty() {
            Ok(code)
        } else {
            Err(refuse(faults))
        }
    }

    fn move_text(&self, position: &Code, Raise(cell): Raise) -> String {
        let level = position.level(cell) + 1;
        let mut text = self.board.shape.cell_name(cell);
        text.push(self.rules.order().letter(level));
        text
    }

    fn parse_move(&self, position: &Code, text: &str) -> Result<Raise, MoveError> {
        let mut legal = Vec::new();
        self.moves(position, &mut legal);
        let refuse = |problem: Message| MoveError::among(self, position, &legal, text, problem);
        let (cell, light) = parse_raise(
            |name| self.board.shape.cell_named(name),
            text,
            self.rules.order(),
        )
        .map_err(|problem| refuse(problem).unreadable())?;
        if legal.is_empty() {
            return Err(refuse("the game is over".into()));
        }
        let barred = &self.board.opening.barred;
        if *position == self.board.opening.start && barred.contains(&cell) {
            return Err(refuse("the first move may not raise that square".into()));
        }
        if let Some(problem) = self.raise_problem(*position, cell, light) {
            return Err(refuse(problem));
        }
        Ok(Raise(cell))
    }

    fn with_mark(&self, position: &Code, square: usize, mark: Mark) -> Option<Code> {
        let Mark::Level(level) = mark else {
            return None;
        };
        Some(position.with(Cell(square as u8), level))
    }

    fn diagram(&self, position: &Code) -> Diagram {
        let shape = &self.board.shape;
        let hexagonal = shape.geometry().grid == Grid::Hex;
        let mut diagram = Diagram {
            lights: self.rules.lights,
            highest: self.board.levels,
            hexagonal,
            ..Diagram::default()
        };
        for cell in (0..shape.cells() as u8).map(Cell) {
            let (file, rank) = shape.place(cell);
            let east = if hexagonal { u16::from(rank) } else { 0 };
            let (x, y) = (
                2 * u16::from(file) + 2 + east,
                u16::from(shape.ranks() - 1 - rank),
            );
            diagram
                .marks
                .push((x, y, Mark::Level(position.level(cell))));
            diagram.names.push(shape.cell_name(cell));
        }
        diagram.labels = if hexagonal {
            labels_at_hexagons(shape)
        } else {
            Label::of_squares(shape.ranks(), shape.files())
        };
        diagram
    }
}

/// Coordinates of a hexagonal board: each stands beside the first square of its rank or file, since the board
/// need not be as long everywhere.
fn labels_at_hexagons(shape: &Shape) -> Vec<Label> {
    let cells = || (0..shape.cells() as u8).map(|cell| shape.place(Cell(cell)));
    let place = |file: u8, rank: u8| {
        let (file, rank) = (u16::from(file), u16::from(rank));
        (2 * file + 2 + rank, u16::from(shape.ranks() - 1) - rank)
    };
    let of_ranks = (0..shape.ranks()).filter_map(|rank| {
        let first = cells().filter(|at| at.1 == rank).map(|at| at.0).min()?;
        let (x, y) = place(first, rank);
        let text = (rank + 1).to_string();
        Some(Label { x: x - 2, y, text })
    });
    let of_files = (0..shape.files()).filter_map(|file| {
        let first = cells().filter(|at| at.0 == file).map(|at| at.1).min()?;
        let (x, y) = place(file, first);
        let text = file_name(file);
        Some(Label {
            x: x - 1,
            y: y + 1,
            text,
        })
    });
    of_ranks.chain(of_files).collect()
}
