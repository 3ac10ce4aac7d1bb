//! Ampel (nestorgames, J. M. Astilleros García-Monge): red and green discs on a triangle capture
//! yellow ones by making traffic signals.

mod binomials;
mod dense;
mod draw;
mod extent;
mod family;
mod foresight;
mod keys;
mod moves;
mod name;
mod position;
mod rules;
mod squares;
mod text;
mod triangle;
mod words;

pub use family::AMPEL;
pub use moves::AmpelMove;
pub use position::{AmpelPosition, Disc, Phase, Player};
pub use rules::{AmpelRules, FirstStep, OwnCylinder, StartPoint, StuckAdd};
pub use triangle::Point;

use crate::{
    Advance, Dense, Diagram, Edge, Ending, Game, Mark, Metric, Motion, MoveError, Outcome,
    Outcomes, PlayerOptions, Properties, Rules, Sentence, Setting, SetupError, Turn,
};
use keys::PositionNumbering;
use moves::Movement;
use position::Parts;
use rules::{DISCS, SIDES, YELLOWS};
use triangle::{Triangle, points};

/// A game of Ampel on a triangle of some side.
///
/// The three steps of a turn are three plies of one player ([`Edge::keeps_turn`] after the first
/// two), and so is every placement of the set-up. A capture that wins leads to a finished position
/// in which the winner is "to move" and has won.
#[derive(Clone, Debug)]
pub struct AmpelGame {
    rules: Rules,
    ampel: AmpelRules,
    triangle: Triangle,
    numbering: Option<PositionNumbering>,
}

impl AmpelGame {
    /// The game with a name and the options that led to it.
    ///
    /// # Panics
    /// When the side, the discs or the yellows are out of the ranges that [`AmpelRules`] states.
    #[must_use]
    pub fn new(name: String, options: Vec<Setting>, ampel: AmpelRules) -> AmpelGame {
        let possible = SIDES.contains(&ampel.side)
            && DISCS.contains(&ampel.discs)
            && YELLOWS.contains(&ampel.yellows)
            && ampel.yellows <= AmpelRules::inside_points(ampel.side);
        assert!(possible, "{ampel:?}");
        let triangle = Triangle::new(ampel.side);
        let canonical = ampel.canonical();
        let rules = Rules {
            name,
            shown: None,
            lights: None,
            family: &AMPEL,
            hash: Rules::hash_of(&canonical),
            canonical,
            options,
            properties: Properties {
                options: PlayerOptions::ByPlayer,
                advance: Advance::Repeats,
                turn: Turn::Runs,
                luck: AmpelGame::LUCK,
                outcomes: Outcomes::WinDrawLoss,
                scores: false,
            },
            metrics: vec![Metric::Value, Metric::Distance],
            default_metric: Metric::Distance,
            cells: triangle.len(),
        };
        AmpelGame {
            rules,
            ampel,
            numbering: PositionNumbering::new(&triangle, &ampel),
            triangle,
        }
    }

    /// The rules as data.
    #[must_use]
    pub fn ampel(&self) -> &AmpelRules {
        &self.ampel
    }

    /// How many discs of a colour stand on the board.
    #[must_use]
    pub fn standing(&self, position: &AmpelPosition, disc: Disc) -> u32 {
        let parts = self.parts(position);
        let discs = match disc {
            Disc::Red => parts.discs[Player::Red as usize],
            Disc::Yellow => parts.yellow,
            Disc::Green => parts.discs[Player::Green as usize],
        };
        discs.count_ones()
    }

    /// Number of discs that a player has in hand.
    #[must_use]
    pub fn in_hand(&self, position: &AmpelPosition, player: Player) -> u32 {
        self.parts(position).hand(&self.ampel, player)
    }

    fn parts(&self, position: &AmpelPosition) -> Parts {
        position.parts(self.triangle.board)
    }

    fn movement(&self) -> Movement<'_> {
        Movement {
            triangle: &self.triangle,
            start_point: self.ampel.start_point,
            first_step: self.ampel.first_step,
        }
    }
}

impl Game for AmpelGame {
    type Position = AmpelPosition;
    type Move = AmpelMove;

    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn in_words(&self) -> Vec<Sentence> {
        words::ampel(&self.ampel)
    }

    fn start(&self) -> AmpelPosition {
        AmpelPosition::new(&Parts {
            player: Player::Red,
            phase: Phase::SetUp,
            discs: [0; 2],
            yellow: 0,
            cylinders: [None; 2],
            captured: [0; 2],
        })
    }

    fn ending(&self, position: &AmpelPosition) -> Option<Ending> {
        (position.phase() == Phase::Over).then_some(Ending {
            outcome: Outcome::Win,
            points: 0,
        })
    }

    // A player who cannot move passes.
    fn can_end_drawn(&self) -> bool {
        false
    }

    fn moves(&self, position: &AmpelPosition, out: &mut Vec<AmpelMove>) {
        out.clear();
        self.parts(position)
            .moves(self.movement(), &self.ampel, out);
    }

    fn play(&self, position: &AmpelPosition, mv: AmpelMove) -> Edge<AmpelPosition> {
        let to = self.parts(position).play(&self.triangle, &self.ampel, mv);
        Edge {
            to: AmpelPosition::new(&to),
            gain: 0,
            keeps_turn: to.player == position.player(),
        }
    }

    fn last_win(&self, position: &AmpelPosition, mine: bool, within: u32) -> u32 {
        self.last_capture(position, mine, within)
    }

    // The present turn and the next.
    fn always_searched(&self, position: &AmpelPosition) -> u32 {
        match position.phase() {
            Phase::Over => 0,
            // With the last yellow the set-up ends and the opponent's turn comes.
            Phase::SetUp if self.parts(position).yellows() + 1 == self.ampel.yellows.into() => 3,
            Phase::SetUp => 0,
            Phase::MoveOwn => 5,
            Phase::MoveOther => 4,
            Phase::Add => 3,
        }
    }

    fn judgement(&self, position: &AmpelPosition) -> Option<f64> {
        Some(self.at_sight(&self.parts(position)))
    }

    fn symmetries(&self) -> usize {
        self.triangle.symmetries().len()
    }

    fn image(&self, position: &AmpelPosition, symmetry: usize) -> AmpelPosition {
        position.image(&self.triangle.symmetries()[symmetry], self.triangle.board)
    }

    fn canonical(&self, position: &AmpelPosition) -> AmpelPosition {
        position.least_image(self.triangle.symmetries(), self.triangle.board)
    }

    fn is_fixed(&self, position: &AmpelPosition, symmetry: usize) -> bool {
        position.is_fixed(&self.triangle.symmetries()[symmetry], self.triangle.board)
    }

    fn inverse_symmetry(&self, symmetry: usize) -> usize {
        self.triangle.symmetries()[symmetry].inverse
    }

    fn symmetry_showing(&self, motion: Motion) -> Option<usize> {
        Some(match motion {
            Motion::Turn => 2,
            Motion::Mirror => 3,
        })
    }

    fn position_text(&self, position: &AmpelPosition) -> String {
        self.text_of(&self.parts(position))
    }

    fn has_blanks(&self, _: bool) -> bool {
        true
    }

    fn parse_position(&self, text: &str) -> Result<AmpelPosition, SetupError> {
        self.parts_of_text(text)
            .map(|parts| AmpelPosition::new(&parts))
            .map_err(|faults| SetupError {
                text: text.into(),
                variant: self.rules.title().to_string(),
                faults,
                example: self.text_of(&self.parts(&self.start())),
            })
    }

    fn move_text(&self, _: &AmpelPosition, mv: AmpelMove) -> String {
        mv.text()
    }

    fn parse_move(&self, position: &AmpelPosition, text: &str) -> Result<AmpelMove, MoveError> {
        let mut legal = Vec::new();
        self.moves(position, &mut legal);
        let usual = self.usual_form(text);
        let found = legal.iter().find(|mv| mv.text() == usual);
        found.copied().ok_or_else(|| MoveError {
            text: text.into(),
            problem: self.why_illegal(&self.parts(position), &usual),
            legal: legal.into_iter().map(AmpelMove::text).collect(),
            readable: self.is_written_as_move(&usual),
        })
    }

    fn with_mark(
        &self,
        position: &AmpelPosition,
        square: usize,
        mark: Mark,
    ) -> Option<AmpelPosition> {
        let point = points(self.triangle.board).nth(square)?;
        let mut parts = self.parts(position);
        parts.put(point, mark)?;
        Some(AmpelPosition::new(&parts))
    }

    fn diagram(&self, position: &AmpelPosition) -> Diagram {
        self.draw(&self.parts(position))
    }
}
