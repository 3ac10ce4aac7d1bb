//! Noughts and crosses: each player has marks of their own, and whoever first has enough of them in
//! a row wins.

mod dense;
mod family;
mod name;
mod position;
mod powers;
mod rules;
mod squares;
mod text;
pub(crate) mod words;

pub use family::NOUGHTS;
pub use position::NoughtsPosition;

use crate::symmetry_group::SymmetryGroup;
use crate::{
    Advance, Cell, Dense, Diagram, Edge, Ending, Game, Label, Mark, Metric, Motion, MoveError,
    Outcome, Outcomes, PlayerOptions, Properties, Rules, Sentence, Setting, SetupError, Shape,
    Turn,
};
use powers::Powers;
use rules::{LineMeaning, canonical};

/// A game of noughts and crosses on a rectangle.
///
/// Every move adds a mark, so whose turn it is follows from the counts: X moves where there are as
/// many of both.
#[derive(Clone, Debug)]
pub struct NoughtsGame {
    rules: Rules,
    shape: Shape,
    line: u8,
    play: LineMeaning,
    // The squares of each line.
    lines: Vec<u32>,
    // By square: the lines through it.
    through: Vec<Vec<u32>>,
    symmetries: SymmetryGroup,
    powers: Powers,
}

impl NoughtsGame {
    fn new(
        name: String,
        options: Vec<Setting>,
        shape: Shape,
        line: u8,
        play: LineMeaning,
    ) -> NoughtsGame {
        let cells = shape.cells();
        let bits = |cells: &[Cell]| cells.iter().fold(0, |bits, cell| bits | 1_u32 << cell.0);
        let lines: Vec<u32> = shape
            .lines(line)
            .iter()
            .map(|line| bits(&line.cells))
            .collect();
        let through = (0..cells)
            .map(|cell| {
                lines
                    .iter()
                    .copied()
                    .filter(|line| line >> cell & 1 == 1)
                    .collect()
            })
            .collect();
        let canonical = canonical(&shape, line, play);
        let rules = Rules {
            name,
            shown: None,
            lights: None,
            family: &NOUGHTS,
            hash: Rules::hash_of(&canonical),
            canonical,
            options,
            properties: Properties {
                options: PlayerOptions::ByPlayer,
                advance: Advance::Rises,
                turn: Turn::Alternates,
                luck: NoughtsGame::LUCK,
                outcomes: Outcomes::WinDrawLoss,
                scores: false,
            },
            metrics: vec![Metric::Value, Metric::Distance],
            default_metric: Metric::Distance,
            cells: cells as u32,
        };
        NoughtsGame {
            rules,
            line,
            play,
            lines,
            through,
            symmetries: SymmetryGroup::new(shape.symmetries()),
            powers: Powers::new(cells),
            shape,
        }
    }

    fn cells(&self) -> u8 {
        self.shape.cells() as u8
    }

    /// Whether marks hold a line.
    fn has_line(&self, marks: u32) -> bool {
        self.lines.iter().any(|line| marks & line == *line)
    }

    /// The lines that marks hold, as sets of squares.
    fn completed_lines(&self, marks: u32) -> impl Iterator<Item = u32> {
        let lines = self.lines.iter().copied();
        lines.filter(move |line| marks & line == *line)
    }

    /// Whether a mark on an empty square would complete a line of these.
    fn completes(&self, marks: u32, cell: u8) -> bool {
        let with = marks | 1 << cell;
        self.through[usize::from(cell)]
            .iter()
            .any(|line| with & line == *line)
    }

    /// The empty squares, in listing order.
    fn empty(&self, position: &NoughtsPosition) -> impl Iterator<Item = u8> + use<> {
        let taken = position.taken();
        (0..self.cells()).filter(move |cell| taken >> cell & 1 == 0)
    }

    fn ends_by_line(&self) -> Ending {
        let outcome = match self.play {
            LineMeaning::Normal => Outcome::Loss,
            LineMeaning::Misere => Outcome::Win,
        };
        Ending { outcome, points: 0 }
    }
}

impl Game for NoughtsGame {
    type Position = NoughtsPosition;
    type Move = Cell;

    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn in_words(&self) -> Vec<Sentence> {
        words::noughts(&self.shape, self.play, self.line, self.lines.len())
    }

    fn start(&self) -> NoughtsPosition {
        NoughtsPosition::default()
    }

    fn ending(&self, position: &NoughtsPosition) -> Option<Ending> {
        if self.has_line(position.theirs()) {
            return Some(self.ends_by_line());
        }
        let full = position.taken().count_ones() == u32::from(self.cells());
        full.then_some(Ending {
            outcome: Outcome::Draw,
            points: 0,
        })
    }

    fn moves(&self, position: &NoughtsPosition, out: &mut Vec<Cell>) {
        out.clear();
        if !self.has_line(position.theirs()) {
            out.extend(self.empty(position).map(Cell));
        }
    }

    fn play(&self, position: &NoughtsPosition, mv: Cell) -> Edge<NoughtsPosition> {
        Edge::passes(position.with(mv.0))
    }

    fn last_win(&self, position: &NoughtsPosition, mine: bool, within: u32) -> u32 {
        let left = u32::from(self.cells()) - position.taken().count_ones();
        let most = within.min(left);
        // A line is completed by the player to move with an odd ply, by the other with an even one,
        // as long as the opponent has no mark in it.
        let by_mover = mine == (self.play == LineMeaning::Normal);
        let (marks, blocking) = if by_mover {
            (position.own(), position.theirs())
        } else {
            (position.theirs(), position.own())
        };
        let open = self.lines.iter().filter(|line| *line & blocking == 0);
        let Some(lacking) = open.map(|line| (line & !marks).count_ones()).min() else {
            return 0;
        };
        let (first, last) = if by_mover {
            (2 * lacking - 1, (most + most % 2).saturating_sub(1))
        } else {
            (2 * lacking, most & !1)
        };
        if first <= last { last } else { 0 }
    }

    // Lines that are still open count the more, the fuller they are.
    fn urgency(&self, position: &NoughtsPosition, mv: Cell) -> u32 {
        const OWN: [u32; 5] = [1, 6, 40, 1000, 1000];
        const THEIRS: [u32; 5] = [1, 5, 30, 500, 500];
        let weight = |weights: [u32; 5], marks: u32| {
            // From the full line down: one mark lacking is the last of the weights.
            let lacking = usize::from(self.line).saturating_sub(marks as usize);
            weights[4_usize.saturating_sub(lacking)]
        };
        let (own, theirs) = (position.own(), position.theirs());
        let of = |line: &u32| {
            let mine = match line & theirs {
                0 => weight(OWN, (line & own).count_ones()),
                _ => 0,
            };
            let other = match line & own {
                0 => weight(THEIRS, (line & theirs).count_ones()),
                _ => 0,
            };
            mine + other
        };
        self.through[usize::from(mv.0)].iter().map(of).sum()
    }

    fn symmetries(&self) -> usize {
        self.symmetries.all.len()
    }

    fn image(&self, position: &NoughtsPosition, symmetry: usize) -> NoughtsPosition {
        let to = self.symmetries.all[symmetry].cells();
        position.map(|marks| {
            let (mut rest, mut image) = (marks, 0);
            while rest != 0 {
                image |= 1 << to[rest.trailing_zeros() as usize].0;
                rest &= rest - 1;
            }
            image
        })
    }

    fn inverse_symmetry(&self, symmetry: usize) -> usize {
        self.symmetries.inverses[symmetry]
    }

    fn symmetry_showing(&self, motion: Motion) -> Option<usize> {
        self.symmetries.showing(motion, &self.shape)
    }

    fn position_text(&self, position: &NoughtsPosition) -> String {
        self.written(position)
    }

    fn parse_position(&self, text: &str) -> Result<NoughtsPosition, SetupError> {
        self.read_position(text)
    }

    fn move_text(&self, _: &NoughtsPosition, mv: Cell) -> String {
        self.shape.cell_name(mv)
    }

    fn parse_move(&self, position: &NoughtsPosition, text: &str) -> Result<Cell, MoveError> {
        self.read_move(position, text)
    }

    fn with_mark(
        &self,
        position: &NoughtsPosition,
        square: usize,
        mark: Mark,
    ) -> Option<NoughtsPosition> {
        let Mark::Sign(sign) = mark else {
            return None;
        };
        let bit = |own| u32::from(sign == Some(own)) << square;
        let rest = position.map(|marks| marks & !(1 << square));
        Some(NoughtsPosition {
            x: rest.x | bit('X'),
            o: rest.o | bit('O'),
        })
    }

    fn diagram(&self, position: &NoughtsPosition) -> Diagram {
        let mut diagram = Diagram::default();
        let (ranks, files) = (self.shape.ranks(), self.shape.files());
        for cell in (0..self.cells()).map(Cell) {
            let (file, rank) = self.shape.place(cell);
            let (x, y) = (2 * u16::from(file) + 2, u16::from(ranks - 1 - rank));
            let sign = Some(position.sign(cell.0)).filter(|sign| *sign != '.');
            diagram.marks.push((x, y, Mark::Sign(sign)));
            diagram.names.push(self.shape.cell_name(cell));
        }
        diagram.labels = Label::of_squares(ranks, files);
        diagram
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::{Dense, LEAF_BITS, LeafMask, Packing};

    fn game(name: &str) -> NoughtsGame {
        NoughtsGame::named(name).unwrap()
    }

    fn at(game: &NoughtsGame, text: &str) -> NoughtsPosition {
        game.parse_position(text).unwrap()
    }

    #[test]
    fn games_and_positions_of_the_usual_board() {
        let game = game("noughts-3x3");
        let (mut seen, mut orbits) = (HashSet::new(), HashSet::new());
        let mut games = 0;
        fn walk(
            game: &NoughtsGame,
            position: NoughtsPosition,
            visit: &mut impl FnMut(NoughtsPosition, bool),
        ) {
            let over = game.ending(&position).is_some();
            visit(position, over);
            let mut moves = Vec::new();
            game.moves(&position, &mut moves);
            for mv in moves {
                walk(game, game.play(&position, mv).to, visit);
            }
        }
        walk(&game, game.start(), &mut |position, over| {
            seen.insert(position);
            orbits.insert(game.canonical(&position));
            games += u32::from(over);
        });
        assert_eq!((games, seen.len(), orbits.len()), (255_168, 5_478, 765));
    }

    #[test]
    fn lines_end_the_game_for_who_made_them() {
        let outcome = |name: &str, text: &str| {
            let game = game(name);
            game.ending(&at(&game, text)).map(|ending| ending.outcome)
        };
        assert_eq!(outcome("noughts-3x3", "XXX/OO./..."), Some(Outcome::Loss));
        assert_eq!(
            outcome("noughts-3x3:play=misere", "XXX/OO./..."),
            Some(Outcome::Win)
        );
        assert_eq!(outcome("noughts-3x3", "XOX/XOO/OXX"), Some(Outcome::Draw));
        assert_eq!(outcome("noughts-4x4:line=4", "XXX./OOO./..../...."), None);
        assert_eq!(outcome("noughts-1x4", "XX.O"), None);
    }

    #[test]
    fn impossible_texts_are_refused_with_all_their_faults() {
        let refused = |text: &str| {
            let game = game("noughts-3x3");
            game.parse_position(text).unwrap_err().to_string()
        };
        let counts = refused("XX./.../...");
        assert!(counts.contains("found 2 X and 0 O"), "{counts}");
        let both = refused("XXX/OOO/...");
        assert!(both.contains("lines of both players"), "{both}");
        let early = refused("XXX/OO./O..");
        assert!(
            early.contains("a line of X, who would be to move"),
            "{early}"
        );
        let more = refused("XXX/OOO/X.X");
        assert!(
            more.contains("found 5 X and 3 O") && more.contains("both players"),
            "{more}"
        );
        let letters = refused("X0q/...");
        for fault in ["found '0'", "found 'q'", "found 2, expected 3"] {
            assert!(letters.contains(fault), "{letters}");
        }
        let game = game("noughts-3x3");
        assert_eq!(at(&game, " x...o.... "), at(&game, "X../.O./..."));
    }

    #[test]
    fn a_board_without_room_for_a_line_is_a_draw() {
        for (name, full) in [
            ("noughts-2x2", "XO/XO"),
            ("noughts-3x3:line=4", "XXX/OOO/XOX"),
        ] {
            let game = game(name);
            let end = game.ending(&at(&game, full)).expect("a full board");
            assert_eq!(end.outcome, Outcome::Draw, "{name}");
        }
        let error = |name: &str| NoughtsGame::named(name).unwrap_err().to_string();
        assert!(error("noughts-3x3:line=7").contains("allowed: 3, 4, 5, 6"));
        assert!(error("noughts-6x6").contains("36 squares"));
    }

    #[test]
    fn indices_are_numbers_in_base_three() {
        let game = game("noughts-3x4");
        assert_eq!(game.indexable(), 531_441);
        let position = at(&game, "X.../..../.XO.");
        assert_eq!(game.index(&position), 3 + 2 * 9 + 3_u64.pow(8));
        assert_eq!(game.at(game.index(&position)), Some(position));
        assert_eq!(game.at(1 + 3), None, "two X");
    }

    #[test]
    fn tables_leave_out_what_is_won_at_once() {
        let game = game("noughts-3x4");
        let count = |packing| {
            let mut mask = LeafMask::default();
            let leaves = (game.indexable() as u64).div_ceil(1 << LEAF_BITS);
            let each = (0..leaves).map(|leaf| {
                game.leaf_mask(packing, leaf, &mut mask);
                u64::from(mask.count())
            });
            each.sum::<u64>()
        };
        assert!(count(Packing::Undecided) < count(Packing::Unfinished));
    }
}
