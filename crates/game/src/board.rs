//! Games on a fixed board: place a light, raise a light, complete a line.

use crate::index::LEAF_WORDS;
use crate::notation::{board_text, parse_board, parse_raise};
use crate::{
    Ascending, Cell, Code, Colours, Dense, Diagram, Edge, Ending, Family, Fault, Game, Label,
    LeafMask, Luck, MAX_LEVEL, Mark, Metric, MoveError, Outcome, Outcomes, Packing, Permutation,
    PlayerOptions, Progress, Properties, Rules, Setting, SetupError, Shape, Tier, Turn, file_name,
};

/// Levels along a line that end or score the game, and their points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WinPattern {
    /// Levels in order from one end of the line; the mirrored pattern is a pattern of its own.
    pub levels: Vec<u8>,
    /// Points for completing it, in scored games.
    pub points: i32,
}

/// What completing a line means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Play {
    /// It wins.
    Normal,
    /// It loses.
    Misere,
    /// It ends the game and scores.
    FirstLine,
    /// It scores and the game goes on until no move is left.
    PlayOn,
}

impl Play {
    /// Whether results are points.
    #[must_use]
    pub fn scores(self) -> bool {
        matches!(self, Play::FirstLine | Play::PlayOn)
    }
}

/// How overlapping equal lines completed by one move score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineScore {
    /// Each line by itself: four in a row are two lines.
    EachLine,
    /// A run of equal lights scores once, however long.
    EachRun,
}

/// How many counters of a colour there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Supply {
    /// As many as needed.
    Unlimited,
    /// At most this many of a colour on the board; replaced counters return.
    Cap(u32),
    /// At most this many raises to a level in the whole game; replaced counters are gone.
    Pool(u32),
}

/// What having no move means where no line stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stalemate {
    /// The game is drawn.
    Draw,
    /// The player to move loses.
    Loss,
    /// The player passes; both have the same moves, so the game is drawn.
    Pass,
}

/// Everything that defines a game on a fixed board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardRules {
    /// The squares.
    pub shape: Shape,
    /// Squares in a line.
    pub line_length: u8,
    /// Highest level, 1 to 3.
    pub levels: u8,
    /// Patterns that complete a line.
    pub patterns: Vec<WinPattern>,
    /// What completing a line means.
    pub play: Play,
    /// How overlapping lines score; without meaning in games without points.
    pub line_score: LineScore,
    /// Counters.
    pub supply: Supply,
    /// What having no move means.
    pub stalemate: Stalemate,
}

impl BoardRules {
    /// The rules spelled out in fixed order, independent of any name: the text that is hashed.
    #[must_use]
    pub fn canonical(&self) -> String {
        use std::fmt::Write;
        let mut text = format!(
            "greenwave rules 1\nboard {}\nline-length {}\nlevels {}\n",
            self.shape.outline(),
            self.line_length,
            self.levels
        );
        for pattern in &self.patterns {
            let levels: String = pattern.levels.iter().map(u8::to_string).collect();
            let _ = if self.play.scores() {
                writeln!(text, "pattern {levels} points {}", pattern.points)
            } else {
                writeln!(text, "pattern {levels}")
            };
        }
        let play = match self.play {
            Play::Normal => "completed line wins",
            Play::Misere => "completed line loses",
            Play::FirstLine => "completed line scores and ends the game",
            Play::PlayOn => "completed line scores",
        };
        let _ = writeln!(text, "{play}");
        if self.play.scores() {
            let unit = match self.line_score {
                LineScore::EachLine => "line",
                LineScore::EachRun => "run",
            };
            let _ = writeln!(text, "score each {unit}");
        }
        let _ = match self.supply {
            Supply::Unlimited => writeln!(text, "supply unlimited"),
            Supply::Cap(limit) => writeln!(text, "supply cap {limit}"),
            Supply::Pool(limit) => writeln!(text, "supply pool {limit}"),
        };
        let stalemate = match self.stalemate {
            Stalemate::Draw => "draw",
            Stalemate::Loss => "loss",
            Stalemate::Pass => "pass",
        };
        let _ = writeln!(text, "stalemate {stalemate}");
        text
    }
}

/// A pattern on particular squares: the board shows it when `code & mask == value`.
#[derive(Clone, Copy, Debug)]
struct Target {
    mask: u64,
    value: u64,
    points: i32,
    // The same pattern one square earlier along the line, if all its lights are equal.
    previous: Option<usize>,
}

impl Target {
    fn shown(&self, code: Code) -> bool {
        code.0 & self.mask == self.value
    }

    fn holds(&self, cell: Cell) -> bool {
        self.mask >> (2 * cell.0) & 3 != 0
    }
}

/// A move on a board: the square that is raised by one level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Raise(pub Cell);

/// A game on a fixed board.
#[derive(Clone, Debug)]
pub struct BoardGame {
    rules: Rules,
    board: BoardRules,
    targets: Vec<Target>,
    // By 4 * square + level: the targets that need that square at that level.
    through: Vec<Vec<usize>>,
    // Boards that one raise turns into a completed line: masks and values.
    threats: Vec<(u64, u64)>,
    symmetries: Vec<Permutation>,
    inverses: Vec<usize>,
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
        family: Family,
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
        let mut targets = Vec::new();
        for pattern in &board.patterns {
            assert_eq!(
                pattern.levels.len(),
                usize::from(board.line_length),
                "{pattern:?}"
            );
            assert!(
                pattern
                    .levels
                    .iter()
                    .all(|level| (1..=board.levels).contains(level))
            );
            let equal = pattern.levels.windows(2).all(|pair| pair[0] == pair[1]);
            let first = targets.len();
            for line in &lines {
                let mut target = Target {
                    mask: 0,
                    value: 0,
                    points: pattern.points,
                    previous: line.previous.filter(|_| equal).map(|line| first + line),
                };
                for (cell, level) in line.cells.iter().zip(&pattern.levels) {
                    target.mask |= 3 << (2 * cell.0);
                    target.value |= u64::from(*level) << (2 * cell.0);
                }
                targets.push(target);
            }
        }
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
        let full = (0..cells as u8)
            .map(Cell)
            .fold(Code::EMPTY, |code, cell| code.with(cell, board.levels));
        let ends_by_line =
            board.supply == Supply::Unlimited && targets.iter().any(|target| target.shown(full));
        let outcomes = match board.play {
            Play::FirstLine | Play::PlayOn => Outcomes::Points,
            Play::Normal | Play::Misere if ends_by_line => Outcomes::WinLoss,
            Play::Normal | Play::Misere => Outcomes::WinDrawLoss,
        };
        let metrics = match board.play {
            Play::FirstLine | Play::PlayOn => vec![Metric::Points],
            // A scored game stays one when only the sign of its points counts.
            Play::Normal if ends_by_line && family != Family::Points => {
                vec![Metric::Value, Metric::Distance, Metric::Nimber]
            }
            Play::Normal | Play::Misere => vec![Metric::Value, Metric::Distance],
        };
        let canonical = board.canonical();
        let rules = Rules {
            name,
            family,
            hash: Rules::hash_of(&canonical),
            canonical,
            options,
            properties: Properties {
                options: PlayerOptions::Same,
                progress: Progress::Rises,
                turn: Turn::Alternates,
                luck: Luck::None,
                outcomes,
            },
            default_metric: if board.play.scores() {
                Metric::Points
            } else {
                Metric::Distance
            },
            metrics,
            cells: cells as u32,
        };
        let symmetries = board.shape.symmetries();
        let inverses = symmetries
            .iter()
            .map(|symmetry| {
                let inverse = symmetry.inverse();
                symmetries
                    .iter()
                    .position(|other| *other == inverse)
                    .unwrap_or_default()
            })
            .collect();
        BoardGame {
            rules,
            board,
            targets,
            through,
            threats,
            symmetries,
            inverses,
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
        &self.symmetries
    }

    /// Every pattern on every line as (mask, value): a line is completed when
    /// `code & mask == value` for one of them.
    pub fn targets(&self) -> impl Iterator<Item = (u64, u64)> {
        self.targets
            .iter()
            .map(|target| (target.mask, target.value))
    }

    /// Whether a completed line stands on the board.
    #[must_use]
    pub fn has_line(&self, code: Code) -> bool {
        self.targets.iter().any(|target| target.shown(code))
    }

    /// Whether one raise completes a line, supply limits left aside.
    #[must_use]
    pub fn has_threat(&self, code: Code) -> bool {
        self.threats
            .iter()
            .any(|(mask, value)| code.0 & mask == *value)
    }

    /// Points of all lines that stand on the board.
    #[must_use]
    pub fn standing_points(&self, code: Code) -> i32 {
        self.points_of(
            code,
            (0..self.targets.len()).filter(|number| self.targets[*number].shown(code)),
            |_| true,
        )
    }

    /// Points of the lines through a square that has just been raised.
    #[must_use]
    pub fn completed_points(&self, code: Code, cell: Cell) -> i32 {
        let through = &self.through[4 * cell.index() + usize::from(code.level(cell))];
        let shown = through
            .iter()
            .copied()
            .filter(|number| self.targets[*number].shown(code));
        self.points_of(code, shown, |target| target.holds(cell))
    }

    /// What raising a square scores, as (mask, value, points): the sum of the points of those that
    /// the board shows after the raise, `code & mask == value`. For kernels that know patterns only.
    #[must_use]
    pub fn scoring(&self, cell: Cell) -> Vec<(u64, u64, i32)> {
        let through = || self.targets.iter().filter(|target| target.holds(cell));
        let mut scoring: Vec<(u64, u64, i32)> = through()
            .map(|target| (target.mask, target.value, target.points))
            .collect();
        if self.board.line_score == LineScore::EachRun {
            // A line that goes on with the one before it takes its own points back.
            scoring.extend(through().filter_map(|target| {
                let previous = &self.targets[target.previous?];
                previous.holds(cell).then_some((
                    target.mask | previous.mask,
                    target.value | previous.value,
                    -target.points,
                ))
            }));
        }
        scoring
    }

    // With runs scoring once, a line counts only if the one before it in its run does not.
    fn points_of(
        &self,
        code: Code,
        shown: impl Iterator<Item = usize>,
        counted: impl Fn(&Target) -> bool,
    ) -> i32 {
        let begins_run = |target: &Target| {
            target
                .previous
                .map(|previous| &self.targets[previous])
                .is_none_or(|previous| !(previous.shown(code) && counted(previous)))
        };
        shown
            .map(|number| &self.targets[number])
            .filter(|target| self.board.line_score == LineScore::EachLine || begins_run(target))
            .map(|target| target.points)
            .sum()
    }

    /// Whether the supply allows a raise of a square; the square must be below its highest level.
    fn supply_allows(&self, code: Code, cell: Cell) -> bool {
        let to = code.level(cell) + 1;
        match self.board.supply {
            Supply::Unlimited => true,
            Supply::Cap(limit) => code.count(to) < limit,
            Supply::Pool(limit) => code.count_from(to) < limit,
        }
    }

    /// Whether a board breaks no supply limit and no level limit.
    #[must_use]
    pub fn is_legal(&self, code: Code) -> bool {
        let over = |level| self.over_supply(code, level).is_some();
        (self.board.levels == MAX_LEVEL
            || (self.board.levels + 1..=MAX_LEVEL).all(|level| code.count(level) == 0))
            && (self.board.supply == Supply::Unlimited || !(1..=self.board.levels).any(over))
    }

    fn over_supply(&self, code: Code, level: u8) -> Option<(u32, u32)> {
        let (used, limit) = match self.board.supply {
            Supply::Unlimited => return None,
            Supply::Cap(limit) => (code.count(level), limit),
            Supply::Pool(limit) => (code.count_from(level), limit),
        };
        (used > limit).then_some((used, limit))
    }

    /// The squares that can be raised, lines left aside.
    fn raisable(&self, code: Code) -> impl Iterator<Item = Cell> {
        (0..self.board.shape.cells() as u8)
            .map(Cell)
            .filter(move |cell| self.can_raise(code, *cell))
    }

    /// Why a square cannot be raised, to a level if one is given; `None` if it can. Lines are left
    /// aside.
    pub(crate) fn raise_problem(
        &self,
        code: Code,
        cell: Cell,
        level: Option<u8>,
        colours: Colours,
    ) -> Option<String> {
        let next = code.level(cell) + 1;
        if next > self.board.levels {
            return Some("that square shows its last light".into());
        }
        if !self.supply_allows(code, cell) {
            return Some("the supply has no such counter left".into());
        }
        level.filter(|level| *level != next).map(|_| {
            let next = colours.letter(next);
            format!("the next light of that square is '{next}'")
        })
    }

    /// Everything by which a board breaks a supply limit.
    pub(crate) fn supply_faults(&self, code: Code, colours: Colours) -> Vec<Fault> {
        (1..=self.board.levels)
            .filter_map(|level| self.over_supply(code, level).map(|over| (level, over)))
            .map(|(level, (used, limit))| Fault {
                place: "counters".into(),
                problem: match self.board.supply {
                    Supply::Pool(_) => format!(
                        "{used} squares at '{}' or above, expected at most {limit}: the supply is a pool",
                        colours.letter(level)
                    ),
                    _ => format!(
                        "{used} of '{}', expected at most {limit}: the supply is capped",
                        colours.letter(level)
                    ),
                },
            })
            .collect()
    }

    /// Whether a square can be raised, lines left aside.
    pub(crate) fn can_raise(&self, code: Code, cell: Cell) -> bool {
        code.level(cell) < self.board.levels && self.supply_allows(code, cell)
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

impl Game for BoardGame {
    type Position = Code;
    type Move = Raise;

    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn start(&self) -> Code {
        Code::EMPTY
    }

    fn ending(&self, position: &Code) -> Option<Ending> {
        if let Some(ending) = self.ending_by_line(*position) {
            return Some(ending);
        }
        if self.raisable(*position).next().is_some() {
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
        self.symmetries.len()
    }

    fn image(&self, position: &Code, symmetry: usize) -> Code {
        self.symmetries[symmetry].apply(*position)
    }

    fn inverse_symmetry(&self, symmetry: usize) -> usize {
        self.inverses[symmetry]
    }

    fn position_text(&self, position: &Code, colours: Colours) -> String {
        board_text(&self.board.shape, *position, colours)
    }

    fn parse_position(&self, text: &str, colours: Colours) -> Result<Code, SetupError> {
        let refuse = |faults| SetupError {
            text: text.into(),
            variant: self.rules.name.clone(),
            faults,
            example: self.position_text(&Code::EMPTY.raised(Cell(0)), colours),
        };
        let code =
            parse_board(&self.board.shape, self.board.levels, text, colours).map_err(refuse)?;
        let faults = self.supply_faults(code, colours);
        if faults.is_empty() {
            Ok(code)
        } else {
            Err(refuse(faults))
        }
    }

    fn move_text(&self, position: &Code, Raise(cell): Raise, colours: Colours) -> String {
        let level = position.level(cell) + 1;
        format!(
            "{}{}",
            self.board.shape.cell_name(cell),
            colours.letter(level)
        )
    }

    fn parse_move(
        &self,
        position: &Code,
        text: &str,
        colours: Colours,
    ) -> Result<Raise, MoveError> {
        let mut legal = Vec::new();
        self.moves(position, &mut legal);
        let refuse = |problem: String| MoveError {
            text: text.into(),
            problem,
            legal: legal
                .iter()
                .map(|mv| self.move_text(position, *mv, colours))
                .collect(),
        };
        let (cell, level) =
            parse_raise(|name| self.board.shape.cell_named(name), text, colours).map_err(refuse)?;
        if legal.is_empty() {
            return Err(refuse("the game is over".into()));
        }
        if let Some(problem) = self.raise_problem(*position, cell, level, colours) {
            return Err(refuse(problem));
        }
        Ok(Raise(cell))
    }

    fn diagram(&self, position: &Code) -> Diagram {
        let shape = &self.board.shape;
        let mut diagram = Diagram::default();
        for cell in (0..shape.cells() as u8).map(Cell) {
            let (file, rank) = shape.place(cell);
            let (x, y) = (2 * u16::from(file) + 2, u16::from(shape.ranks() - 1 - rank));
            diagram
                .marks
                .push((x, y, Mark::Level(position.level(cell))));
        }
        for rank in 0..shape.ranks() {
            let y = u16::from(shape.ranks() - 1 - rank);
            diagram.labels.push(Label {
                x: 0,
                y,
                text: (rank + 1).to_string(),
            });
        }
        for file in 0..shape.files() {
            let (x, y) = (2 * u16::from(file) + 2, u16::from(shape.ranks()));
            diagram.labels.push(Label {
                x,
                y,
                text: file_name(file),
            });
        }
        diagram
    }
}

impl Dense for BoardGame {
    fn indexable(&self) -> u128 {
        1 << (2 * self.board.shape.cells())
    }

    fn index(&self, position: &Code) -> u64 {
        position.0
    }

    fn at(&self, index: u64) -> Option<Code> {
        debug_assert!(u128::from(index) < self.indexable());
        Some(Code(index)).filter(|code| self.is_legal(*code))
    }

    fn tier(&self, position: &Code) -> Tier {
        Tier(position.level_sum())
    }

    fn packing(&self, metric: Metric) -> Packing {
        let wins = self.board.play == Play::Normal && self.board.supply == Supply::Unlimited;
        if wins && matches!(metric, Metric::Value | Metric::Distance) {
            Packing::Undecided
        } else {
            Packing::Unfinished
        }
    }

    fn wins_at_once(&self, position: &Code) -> bool {
        self.has_threat(*position)
    }

    fn leaf_mask(&self, packing: Packing, leaf: u64, mask: &mut LeafMask) {
        mask.0.fill(0);
        let first = leaf << crate::LEAF_BITS;
        let places = (self.indexable() - u128::from(first)).min(1 << crate::LEAF_BITS) as u64;
        // All that show a completed line or, where those are left out, a threat.
        if self.board.play != Play::PlayOn {
            for target in &self.targets {
                insert_pattern(mask, first, target.mask, target.value);
            }
        }
        if packing == Packing::Undecided {
            for (pattern, value) in &self.threats {
                insert_pattern(mask, first, *pattern, *value);
            }
        }
        let plain = self.board.supply == Supply::Unlimited && self.board.levels == MAX_LEVEL;
        for (number, word) in mask.0.iter_mut().enumerate() {
            *word = if (number as u64) * 64 < places {
                !*word
            } else {
                0
            };
            if places < 64 {
                *word &= (1 << places) - 1;
            }
        }
        if plain {
            // Without limits the only board without a move is the full one.
            let last = self.indexable() - 1;
            if u128::from(first) + u128::from(places) > last {
                mask.0[((places - 1) / 64) as usize] &= !(1 << ((places - 1) % 64));
            }
            return;
        }
        for number in 0..LEAF_WORDS {
            let mut bits = mask.0[number];
            while bits != 0 {
                let bit = bits.trailing_zeros();
                bits &= bits - 1;
                let index = first + number as u64 * 64 + u64::from(bit);
                if self
                    .at(index)
                    .is_none_or(|code| self.raisable(code).next().is_none())
                {
                    mask.0[number] &= !(1 << bit);
                }
            }
        }
    }
}

// Sets the bits of all boards of the leaf that begins at `first` and show a pattern.
fn insert_pattern(mask: &mut LeafMask, first: u64, pattern: u64, value: u64) {
    let low = (1 << crate::LEAF_BITS) - 1;
    if (first ^ value) & pattern & !low != 0 {
        return;
    }
    // The three lowest squares choose the bit inside a word, the next five the word.
    let bits = (0..64)
        .filter(|bit| bit & pattern & 63 == value & 63)
        .fold(0, |bits, bit| bits | 1 << bit);
    let (fixed, free) = (value >> 6 & low >> 6, !pattern >> 6 & low >> 6);
    // Every word number that agrees with the pattern: the subsets of the free bits.
    let mut chosen = 0;
    loop {
        mask.0[(fixed | chosen) as usize] |= bits;
        chosen = (chosen.wrapping_sub(free)) & free;
        if chosen == 0 {
            break;
        }
    }
}

impl Ascending for BoardGame {
    fn block_bits(&self) -> u32 {
        2 * (self.board.shape.cells() as u32).min(7)
    }

    fn wave(&self, block: u64) -> u32 {
        Code(block).level_sum()
    }
}
