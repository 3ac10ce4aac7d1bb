//! Games with a movable strip: a square board, and a strip of squares along one of its edges that
//! may be slid to another edge or turned instead of placing a light.

mod dense;
pub(crate) mod family;
mod geometry;
mod moves;
pub(crate) mod name;
mod position;
mod rules;
mod squares;
mod text;
pub(crate) mod words;

pub use family::{SLIDER, STRIP};
pub use geometry::StripGeometry;
pub use position::{StripMove, StripPosition};
pub use rules::{Sides, StripError, StripRules, Succession};
pub use words::strip_side;

use crate::{
    Advance, BoardGame, BoardRules, Cell, Code, Dense, Diagram, Edge, Ending, Family, Game, Mark,
    Metric, Motion, MoveError, Outcome, Outcomes, Play, PlayerOptions, Properties, Rules, Sentence,
    Setting, SetupError, Side, Stalemate, Turn,
};

/// A game with a movable strip.
#[derive(Clone, Debug)]
pub struct StripGame {
    rules: Rules,
    strip: StripRules,
    // Boxed, so that the games in `Variant` are about equally large.
    geometry: Box<StripGeometry>,
    // The same game with the strip fixed at the east.
    board: Box<BoardGame>,
    // Patterns that need a square of the strip, as masks and values.
    strip_targets: Vec<(u64, u64)>,
}

impl StripGame {
    /// The game with a name and the options that led to it.
    ///
    /// # Errors
    /// When the rules make no strip game: a board that is no full square or too large, play that
    /// goes on after a line, passing.
    ///
    /// # Panics
    /// Where [`BoardGame::new`] does: levels and patterns that contradict each other.
    pub fn new(
        name: String,
        family: &'static Family,
        options: Vec<Setting>,
        strip: StripRules,
    ) -> Result<StripGame, StripError> {
        let shape = &strip.main.shape;
        let length = shape.ranks();
        if shape.files() != length || shape.cells() != usize::from(length).pow(2) {
            return Err(StripError::NotSquare {
                outline: shape.outline(),
            });
        }
        if strip.main.play == Play::PlayOn {
            return Err(StripError::PlayOn);
        }
        if strip.main.stalemate == Stalemate::Pass {
            return Err(StripError::Pass);
        }
        let geometry = StripGeometry::new(length)?;
        let board = BoardRules {
            shape: geometry.shape().clone(),
            ..strip.main.clone()
        };
        let board = BoardGame::new(name.clone(), family, options.clone(), board);
        let canonical = strip.canonical();
        let barred = strip.succession == Succession::Barred;
        let scored = strip.main.play.scores();
        let fixed = board.rules().properties;
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
                advance: if barred {
                    Advance::Acyclic
                } else {
                    Advance::Repeats
                },
                turn: Turn::Alternates,
                luck: StripGame::LUCK,
                outcomes: if barred || scored {
                    fixed.outcomes
                } else {
                    Outcomes::WinDrawLoss
                },
                scores: scored,
            },
            metrics: if scored {
                vec![Metric::Points]
            } else {
                vec![Metric::Value, Metric::Distance]
            },
            default_metric: board.rules().default_metric,
            cells: geometry.shape().cells() as u32,
        };
        let strip_targets = board
            .targets()
            .filter(|(mask, _)| mask & geometry.strip_mask() != 0)
            .collect();
        Ok(StripGame {
            rules,
            strip,
            geometry: Box::new(geometry),
            board: Box::new(board),
            strip_targets,
        })
    }

    /// The rules as data.
    #[must_use]
    pub fn strip(&self) -> &StripRules {
        &self.strip
    }

    /// Where the squares lie.
    #[must_use]
    pub fn geometry(&self) -> &StripGeometry {
        &self.geometry
    }

    /// The same game with the strip fixed at the east: lines, threats and points of codes.
    #[must_use]
    pub fn board(&self) -> &BoardGame {
        &self.board
    }

    /// Whether positions remember that the last turn was a strip move.
    #[must_use]
    pub fn has_flag(&self) -> bool {
        self.strip.succession == Succession::Barred
    }

    // The square with the strip at the east, of a square in listing order.
    fn square(&self, side: Side, listed: Cell) -> Cell {
        self.geometry.squares(side)[listed.index()]
    }
}

impl Game for StripGame {
    type Position = StripPosition;
    type Move = StripMove;

    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn change_rules(&mut self, change: &mut dyn FnMut(&mut Rules)) {
        change(&mut self.rules);
        self.board.change_rules(change);
    }

    fn set_shown(&mut self, name: String) {
        self.rules.shown = Some(name);
    }

    fn in_words(&self) -> Vec<Sentence> {
        words::strip_board(&self.strip, &self.rules)
    }

    fn frame_name(&self) -> &'static str {
        "strip at east"
    }

    fn start(&self) -> StripPosition {
        StripPosition {
            code: Code::EMPTY,
            side: Side::East,
            barred: false,
        }
    }

    fn ending(&self, position: &StripPosition) -> Option<Ending> {
        if let Some(ending) = self.board.ending_by_line(position.code) {
            return Some(ending);
        }
        if !self.board.raisable(position.code).is_empty()
            || self.strip_moves(position).next().is_some()
        {
            return None;
        }
        let lost = !self.strip.main.play.scores() && self.strip.main.stalemate == Stalemate::Loss;
        let outcome = if lost { Outcome::Loss } else { Outcome::Draw };
        Some(Ending { outcome, points: 0 })
    }

    // Endings are those of the fixed board, to which strip moves only add ways to go on.
    fn can_end_drawn(&self) -> bool {
        self.board.can_end_drawn()
    }

    fn moves(&self, position: &StripPosition, out: &mut Vec<StripMove>) {
        out.clear();
        if self.board.ending_by_line(position.code).is_some() {
            return;
        }
        let raisable = self.board.raisable(position.code);
        let listed = (0..self.rules.cells as u8).map(Cell);
        out.extend(
            listed
                .filter(|cell| raisable.contains(self.square(position.side, *cell)))
                .map(StripMove::Raise),
        );
        out.extend(self.strip_moves(position));
    }

    fn play(&self, position: &StripPosition, mv: StripMove) -> Edge<StripPosition> {
        Edge::passes(match mv {
            StripMove::Raise(listed) => StripPosition {
                code: position.code.raised(self.square(position.side, listed)),
                side: position.side,
                barred: false,
            },
            StripMove::Slide { to, .. } => StripPosition {
                code: self.moved(position, mv),
                side: to,
                barred: self.has_flag(),
            },
            StripMove::Turn => StripPosition {
                code: self.moved(position, mv),
                side: position.side,
                barred: self.has_flag(),
            },
        })
    }

    // Four turns of the whole picture, then the same after a reflection.
    fn symmetries(&self) -> usize {
        8
    }

    fn image(&self, position: &StripPosition, symmetry: usize) -> StripPosition {
        let (mut code, mut side) = (position.code, position.side);
        if symmetry >= 4 {
            code = self.geometry.mirror().apply(code);
            side = side.mirrored();
        }
        StripPosition {
            code,
            side: side.clockwise(symmetry % 4),
            barred: position.barred,
        }
    }

    fn inverse_symmetry(&self, symmetry: usize) -> usize {
        if symmetry >= 4 {
            symmetry
        } else {
            (4 - symmetry) % 4
        }
    }

    fn symmetry_showing(&self, motion: Motion) -> Option<usize> {
        Some(match motion {
            Motion::Turn => 1,
            // North and south exchanged, then half a turn.
            Motion::Mirror => 6,
        })
    }

    fn position_text(&self, position: &StripPosition) -> String {
        self.write_position(position)
    }

    fn parse_position(&self, text: &str) -> Result<StripPosition, SetupError> {
        self.read_position(text)
    }

    fn move_text(&self, position: &StripPosition, mv: StripMove) -> String {
        self.write_move(position, mv)
    }

    fn parse_move(&self, position: &StripPosition, text: &str) -> Result<StripMove, MoveError> {
        self.read_move(position, text)
    }

    fn with_mark(
        &self,
        position: &StripPosition,
        square: usize,
        mark: Mark,
    ) -> Option<StripPosition> {
        let Mark::Level(level) = mark else {
            return None;
        };
        let square = *self.geometry.squares(position.side).get(square)?;
        Some(StripPosition {
            code: position.code.with(square, level),
            ..*position
        })
    }

    fn diagram(&self, position: &StripPosition) -> Diagram {
        self.draw(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LineScore, Opening, Shape, Supply, WinPattern};

    fn game(name: &str) -> StripGame {
        StripGame::named(name).unwrap()
    }

    fn position(game: &StripGame, text: &str) -> StripPosition {
        game.parse_position(text).unwrap()
    }

    fn moves(game: &StripGame, text: &str) -> Vec<String> {
        let position = position(game, text);
        let mut moves = Vec::new();
        game.moves(&position, &mut moves);
        moves
            .into_iter()
            .map(|mv| game.move_text(&position, mv))
            .collect()
    }

    fn strip_moves(name: &str, text: &str) -> String {
        let mut moves = moves(&game(name), text);
        moves.retain(|mv| mv.starts_with("slide") || mv == "turn");
        moves.join(" ")
    }

    fn play(game: &StripGame, text: &str, mv: &str) -> String {
        let from = position(game, text);
        let mv = game.parse_move(&from, mv).unwrap();
        game.position_text(&game.play(&from, mv).to)
    }

    #[test]
    fn moves_come_in_listing_order() {
        for side in ["E", "S", "W", "N"] {
            let text = format!("G../.R./...+..Y@{side}");
            let squares = "a1R b1R c1R a2R b2Y c2R b3R c3R s1R s2R s3G";
            let slides = match side {
                "E" => "slide-N slide-S slide-W slide-Nt slide-St slide-Wt",
                "S" => "slide-N slide-E slide-W slide-Nt slide-Et slide-Wt",
                "W" => "slide-N slide-E slide-S slide-Nt slide-Et slide-St",
                _ => "slide-E slide-S slide-W slide-Et slide-St slide-Wt",
            };
            assert_eq!(
                moves(&game("strip"), &text).join(" "),
                format!("{squares} {slides} turn")
            );
        }
    }

    #[test]
    fn options_bar_strip_moves() {
        let text = "G../.R./...+..Y@S";
        assert_eq!(strip_moves("slider", text), "slide-N slide-E slide-W");
        assert_eq!(strip_moves("slider", "G../.R./...+..Y@S,barred"), "");
        assert_eq!(
            strip_moves("slider:sides=adjacent", text),
            "slide-E slide-W"
        );
        assert_eq!(
            strip_moves("strip:sides=adjacent", text),
            "slide-E slide-W slide-Et slide-Wt turn"
        );
        assert_eq!(
            strip_moves("strip:turn=no", text),
            "slide-N slide-E slide-W"
        );
        // On an empty main board a slide alone changes nothing; on a symmetric strip a turn.
        let null = "strip:null=forbidden";
        assert_eq!(
            strip_moves(null, ".../.R./...+R..@S"),
            "slide-Nt slide-Et slide-Wt turn"
        );
        assert_eq!(
            strip_moves(null, "R../.../...+R.R@E"),
            "slide-N slide-S slide-W slide-Nt slide-St slide-Wt"
        );
        assert_eq!(strip_moves(null, ".../.../...+.R.@E"), "");
        let empty = "slider:empty-strip=forbidden";
        assert_eq!(strip_moves(empty, "R../.../...+...@E"), "");
        assert_eq!(
            strip_moves(empty, ".../.../...+.R.@E"),
            "slide-N slide-S slide-W"
        );
    }

    #[test]
    fn slides_keep_the_strip_clockwise() {
        let slider = game("slider");
        let text = "G../.R./..Y+R.Y@E";
        assert_eq!(play(&slider, text, "slide-S"), "G../.R./..Y+R.Y@S,barred");
        assert_eq!(play(&slider, text, "slide-N"), "G../.R./..Y+R.Y@N,barred");
        assert_eq!(play(&slider, text, "a1"), "G../.R./R.Y+R.Y@E");
        assert_eq!(
            play(&slider, "G../.R./..Y+R.Y@E,barred", "s2R"),
            "G../.R./..Y+RRY@E"
        );
        let strip = game("strip");
        assert_eq!(play(&strip, text, "slide-Wt"), "G../.R./..Y+Y.R@W");
        assert_eq!(play(&strip, text, "turn"), "G../.R./..Y+Y.R@E");
    }

    #[test]
    fn a_slide_can_complete_lines() {
        let slider = game("slider");
        // At the north s1 continues a2 a3, and s2 continues b2 b3.
        let before = position(&slider, "YG./YG./G..+YG.@S");
        assert_eq!(slider.ending(&before), None);
        assert!(crate::Dense::wins_at_once(&slider, &before));
        let slide = slider.parse_move(&before, "slide-N").unwrap();
        let after = slider.play(&before, slide).to;
        let points = slider.ending(&after).map(|ending| ending.points);
        assert_eq!(points, Some(-7), "5 for the yellows and 2 for the greens");
        assert!(moves(&slider, "YG./YG./G..+YG.@N").is_empty());
        let barred = StripPosition {
            barred: true,
            ..before
        };
        assert!(!slider.board().has_threat(before.code));
        assert!(!crate::Dense::wins_at_once(&slider, &barred));
    }

    #[test]
    fn four_in_a_row_across_the_strip() {
        let ended = |name| {
            let game = game(name);
            let text = ".../RRR/...+.R.@E";
            game.ending(&position(&game, text))
                .map(|ending| ending.points)
        };
        assert_eq!(ended("slider"), Some(-2));
        assert_eq!(ended("slider:four=once"), Some(-1));
        assert_eq!(ended("slider:score=win"), Some(0));
    }

    #[test]
    fn symmetries_turn_and_reflect_the_whole_picture() {
        let strip = game("strip:repeat=ban");
        let text = "G../.R./..Y+R.Y@E,barred";
        let from = position(&strip, text);
        let image = |symmetry| strip.position_text(&strip.image(&from, symmetry));
        assert_eq!(image(0), text);
        assert_eq!(image(1), "..G/.R./Y..+R.Y@S,barred");
        assert_eq!(image(4), "..Y/.R./G..+Y.R@E,barred");
        assert_eq!(image(5), "G../.R./..Y+Y.R@S,barred");
        for symmetry in 0..8 {
            let there = strip.image(&from, symmetry);
            let back = strip.image(&there, strip.inverse_symmetry(symmetry));
            assert_eq!(back, from, "symmetry {symmetry}");
            assert_eq!(strip.canonical(&there), strip.canonical(&from));
        }
    }

    fn small(main: BoardRules) -> Result<StripGame, StripError> {
        let rules = StripRules {
            main,
            turns: true,
            sides: Sides::Any,
            null_moves: true,
            empty_moves: true,
            succession: Succession::Free,
        };
        StripGame::new("small".into(), &STRIP, Vec::new(), rules)
    }

    fn board(ranks: usize, files: usize) -> BoardRules {
        let pattern = |level: u8| WinPattern {
            levels: vec![level; 2],
            points: 1,
        };
        BoardRules {
            shape: Shape::rectangle(ranks, files).unwrap(),
            line_length: 2,
            levels: 3,
            patterns: [1, 2, 3].map(pattern).to_vec(),
            play: Play::Normal,
            line_score: LineScore::EachLine,
            supply: Supply::Unlimited,
            stalemate: Stalemate::Draw,
            opening: Opening::default(),
            tops: None,
        }
    }

    #[test]
    fn other_sizes_and_impossible_rules() {
        let tiny = small(board(2, 2)).unwrap();
        assert_eq!(tiny.rules().cells, 6);
        let text = ".R/..+.R@S";
        assert_eq!(tiny.position_text(&position(&tiny, text)), text);
        assert_eq!(tiny.ending(&position(&tiny, text)), None);
        assert!(tiny.ending(&position(&tiny, ".R/..+.R@W")).is_none());
        assert!(tiny.ending(&position(&tiny, ".R/..+.R@N")).is_some());
        let oblong = small(board(2, 3)).unwrap_err();
        assert!(oblong.to_string().contains("found ###/###"), "{oblong}");
        assert!(small(board(5, 5)).is_ok());
        let play_on = BoardRules {
            play: Play::PlayOn,
            ..board(2, 2)
        };
        assert_eq!(small(play_on).unwrap_err(), StripError::PlayOn);
        let pass = BoardRules {
            stalemate: Stalemate::Pass,
            ..board(2, 2)
        };
        assert_eq!(small(pass).unwrap_err(), StripError::Pass);
    }

    #[test]
    fn without_raises_the_strip_may_still_move() {
        let lineless = BoardRules {
            patterns: Vec::new(),
            ..board(1, 1)
        };
        let endless = small(lineless.clone()).unwrap();
        assert_eq!(moves(&endless, "G+G@E").len(), 7);
        assert_eq!(endless.ending(&position(&endless, "G+G@E")), None);
        assert!(endless.can_end_drawn(), "as far as the board knows");
        assert!(!game("strip").can_end_drawn());
        let mut rules = endless.strip().clone();
        rules.succession = Succession::Barred;
        let ends = StripGame::new("ends".into(), &STRIP, Vec::new(), rules).unwrap();
        let draw = Ending {
            outcome: Outcome::Draw,
            points: 0,
        };
        assert_eq!(ends.ending(&position(&ends, "G+G@E,barred")), Some(draw));
        assert_eq!(ends.rules().properties.outcomes, Outcomes::WinDrawLoss);
    }
}
