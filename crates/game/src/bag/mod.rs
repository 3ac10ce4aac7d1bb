//! The bag game: counters are drawn from a bag, taken from an open market of two and played from
//! open hands of three, over the lines of another game.
//!
//! ```text
//! start ──draw 2──▶ pick ──▶ draw ──▶ pick … six picks … ──▶ draw ──▶ turn
//!                                                                     │
//! turn ──play and take──▶ draw ──▶ turn            (choice of two)    │
//! turn ──play──▶ draw ──▶ take ──▶ turn            (choice of three) ◀┘
//! turn ──slide or miss──▶ turn
//! ```

mod base;
mod dense;
mod family;
mod name;
mod rows;
mod rules;
mod squares;
#[cfg(test)]
mod tests;
mod text;
mod words;

pub use base::BagBase;
pub use family::BAG;
pub use rules::{BagRules, BagSlides, BagSupply, Choice, Return};

use crate::board::words::levels;
use crate::{
    Advance, CUSTOM, Counters, Dense, Diagram, Edge, Ending, Game, MAX_LEVEL, Mark, Metric, Motion,
    MoveError, Outcome, Outcomes, PlayerOptions, Properties, Rules, Sentence, Setting, SetupError,
    Turn,
};
use words::BagSentence;

/// Where in a turn, or before the first one, a position is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// Chance: two counters go to the market.
    Start,
    /// The player to move picks for the hand.
    Pick,
    /// Chance, during the draft: a counter goes to the market.
    DraftDraw,
    /// The player to move plays a counter, moves the strip or misses the turn.
    Turn,
    /// Chance, after a turn: a counter goes to the market.
    Draw {
        /// Level of a replaced counter that is not yet back in the bag; 0 for none.
        held: u8,
    },
    /// Chance, inside a turn of the player to move: a third counter goes to the market.
    ThirdDraw {
        /// As in [`Stage::Draw`].
        held: u8,
    },
    /// The player to move takes one of three counters.
    Take,
}

impl Stage {
    /// Level of a replaced counter that is not yet back in the bag; 0 for none.
    fn held(self) -> u8 {
        match self {
            Stage::Draw { held } | Stage::ThirdDraw { held } => held,
            Stage::Start | Stage::Pick | Stage::DraftDraw | Stage::Turn | Stage::Take => 0,
        }
    }
}

/// A position; hands and market are open to both players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BagPosition<P> {
    /// The board.
    pub base: P,
    /// Hand of the player to move, or to move after a draw.
    pub own: Counters,
    /// Hand of the other player.
    pub other: Counters,
    /// The open row.
    pub market: Counters,
    /// Where in a turn.
    pub stage: Stage,
}

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BagMove<M> {
    /// Takes a counter of a level from the market, in the draft or from a market of three.
    Pick(u8),
    /// Plays a counter, or moves the strip.
    Play {
        /// The move on the board.
        mv: M,
        /// Level of the counter taken from the market; `None` if the game ends, the strip moves or
        /// the draw comes first.
        take: Option<u8>,
    },
    /// Nothing fits: the turn is missed.
    Miss,
}

/// The bag game over a base game.
#[derive(Clone, Debug)]
pub struct BagGame<B> {
    rules: Box<Rules>,
    bag: BagRules,
    base: Box<B>,
}

impl<B: BagBase> BagGame<B> {
    /// The game with a name and the options that led to it.
    #[must_use]
    pub fn new(name: String, options: Vec<Setting>, bag: BagRules, base: B) -> BagGame<B> {
        let canonical = format!(
            "{}{}",
            base.rules().canonical,
            bag.canonical(base.has_strip())
        );
        let slides = base.has_strip() && bag.slides != BagSlides::Never;
        let rules = Rules {
            name,
            shown: None,
            lights: Some(Default::default()),
            family: if base.rules().family == &CUSTOM {
                &CUSTOM
            } else {
                &BAG
            },
            hash: Rules::hash_of(&canonical),
            canonical,
            options,
            properties: Properties {
                options: PlayerOptions::ByPlayer,
                advance: if slides {
                    Advance::Repeats
                } else {
                    Advance::Acyclic
                },
                turn: Turn::Runs,
                luck: BagGame::<B>::LUCK,
                outcomes: Outcomes::Expectation,
                scores: base.scores(),
            },
            metrics: vec![Metric::Odds],
            default_metric: Metric::Odds,
            cells: base.rules().cells,
        };
        BagGame {
            rules: Box::new(rules),
            bag,
            base: Box::new(base),
        }
    }

    /// What the bag adds to the board.
    #[must_use]
    pub fn bag(&self) -> &BagRules {
        &self.bag
    }

    /// The game under the bag.
    #[must_use]
    pub fn base(&self) -> &B {
        &self.base
    }

    /// Whether a hand has a counter that fits on the board.
    #[must_use]
    pub fn fits(&self, base: &B::Position, hand: Counters) -> bool {
        let code = self.base.code(base);
        hand.levels()
            .any(|level| self.squares_below(code, level) > 0)
    }

    /// Counters of a level that are neither on the board nor in a hand nor in the market; `None`
    /// where there are more outside than the supply has.
    #[must_use]
    pub fn left(&self, position: &BagPosition<B::Position>, level: u8) -> Option<u32> {
        let BagSupply::Each(number) = self.bag.counters else {
            return Some(1);
        };
        number.checked_sub(self.outside(position, level))
    }

    fn outside(&self, position: &BagPosition<B::Position>, level: u8) -> u32 {
        let hands = [position.own, position.other, position.market];
        let held = u32::from(position.stage.held() == level);
        self.base.code(&position.base).count(level)
            + hands.iter().map(|hand| hand.count(level)).sum::<u32>()
            + held
    }

    // Squares on which a counter of a level fits.
    fn squares_below(&self, code: crate::Code, level: u8) -> u32 {
        match level {
            1 => self.rules.cells - (1..=MAX_LEVEL).map(|level| code.count(level)).sum::<u32>(),
            _ => code.count(level - 1),
        }
    }

    // Whether the player to move may move the strip, as far as the bag is concerned.
    fn may_slide(&self, position: &BagPosition<B::Position>) -> bool {
        self.base.has_strip()
            && match self.bag.slides {
                BagSlides::AnyTurn => true,
                BagSlides::Stuck => !self.fits(&position.base, position.own),
                BagSlides::Never => false,
            }
    }

    fn strip_can_move(&self, base: &B::Position) -> bool {
        let mut moves = Vec::new();
        self.base.moves(base, &mut moves);
        moves
            .into_iter()
            .any(|mv| self.base.raised_level(base, mv).is_none())
    }

    fn turn_moves(&self, position: &BagPosition<B::Position>, out: &mut Vec<BagMove<B::Move>>) {
        let base = &position.base;
        let mut moves = Vec::new();
        self.base.moves(base, &mut moves);
        let slides = self.may_slide(position);
        for mv in moves {
            match self.base.raised_level(base, mv) {
                None if slides => out.push(BagMove::Play { mv, take: None }),
                None => {}
                Some(below) if position.own.count(below + 1) == 0 => {}
                Some(_) => {
                    let ends = self
                        .base
                        .line_ending(&self.base.play(base, mv).to)
                        .is_some();
                    if ends || self.bag.choice == Choice::OfThree {
                        out.push(BagMove::Play { mv, take: None });
                    } else {
                        out.extend(position.market.levels().map(|level| BagMove::Play {
                            mv,
                            take: Some(level),
                        }));
                    }
                }
            }
        }
        if !self.fits(base, position.own) {
            out.push(BagMove::Miss);
        }
    }

    // The same position seen by the other player.
    fn turned(position: BagPosition<B::Position>) -> BagPosition<B::Position> {
        BagPosition {
            own: position.other,
            other: position.own,
            ..position
        }
    }

    fn draw_one(
        &self,
        position: &BagPosition<B::Position>,
        stage: impl Fn(Counters) -> Stage,
        out: &mut Vec<(BagPosition<B::Position>, u32)>,
    ) {
        for level in 1..=MAX_LEVEL {
            let weight = self.left(position, level).unwrap_or(0);
            if weight > 0 {
                let market = position.market.with(level);
                let to = BagPosition {
                    market,
                    stage: stage(market),
                    ..*position
                };
                out.push((to, weight));
            }
        }
    }
}

impl<B: BagBase> Game for BagGame<B> {
    type Position = BagPosition<B::Position>;
    type Move = BagMove<B::Move>;

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
        words::with_bag(
            self.base.moves_and_lines(),
            &self.bag,
            levels(&self.rules),
            self.base.has_strip(),
        )
    }

    fn frame_name(&self) -> &'static str {
        self.base.frame_name()
    }

    fn start(&self) -> Self::Position {
        BagPosition {
            base: self.base.start(),
            own: Counters::EMPTY,
            other: Counters::EMPTY,
            market: Counters::EMPTY,
            stage: Stage::Start,
        }
    }

    fn ending(&self, position: &Self::Position) -> Option<Ending> {
        if position.stage != Stage::Turn {
            return None;
        }
        if let Some(ending) = self.base.line_ending(&position.base) {
            return Some(ending);
        }
        let base = &position.base;
        let stuck = !self.fits(base, position.own) && !self.fits(base, position.other);
        let slides = || {
            self.base.has_strip()
                && self.bag.slides != BagSlides::Never
                && self.strip_can_move(&self.base.cleared(base))
        };
        (stuck && !slides()).then_some(Ending {
            outcome: Outcome::Draw,
            points: 0,
        })
    }

    fn moves(&self, position: &Self::Position, out: &mut Vec<Self::Move>) {
        out.clear();
        match position.stage {
            Stage::Start | Stage::DraftDraw | Stage::Draw { .. } | Stage::ThirdDraw { .. } => {}
            Stage::Pick | Stage::Take => out.extend(position.market.levels().map(BagMove::Pick)),
            Stage::Turn if self.ending(position).is_none() => self.turn_moves(position, out),
            Stage::Turn => {}
        }
    }

    fn play(&self, position: &Self::Position, mv: Self::Move) -> Edge<Self::Position> {
        let take = |position: &Self::Position, level: u8| BagPosition {
            own: position.own.with(level),
            market: position.market.without(level).unwrap_or(position.market),
            ..*position
        };
        match mv {
            BagMove::Pick(level) => {
                let taken = take(position, level);
                if position.stage == Stage::Take {
                    return Edge::passes(Self::turned(BagPosition {
                        stage: Stage::Turn,
                        ..taken
                    }));
                }
                let drawn = BagPosition {
                    stage: Stage::DraftDraw,
                    ..taken
                };
                // The player who makes the last pick also makes the first move.
                if taken.own.size() + taken.other.size() == 6 {
                    Edge {
                        to: drawn,
                        gain: 0,
                        keeps_turn: true,
                    }
                } else {
                    Edge::passes(Self::turned(drawn))
                }
            }
            BagMove::Miss => Edge::passes(Self::turned(BagPosition {
                base: self.base.cleared(&position.base),
                ..*position
            })),
            BagMove::Play { mv, take: taken } => {
                let base = self.base.play(&position.base, mv).to;
                let Some(below) = self.base.raised_level(&position.base, mv) else {
                    return Edge::passes(Self::turned(BagPosition { base, ..*position }));
                };
                let played = BagPosition {
                    base,
                    own: position.own.without(below + 1).unwrap_or(position.own),
                    ..*position
                };
                let held = match self.bag.returns {
                    Return::BeforeDraw => 0,
                    Return::AfterTurn => below,
                };
                match taken {
                    Some(level) => Edge::passes(Self::turned(BagPosition {
                        stage: Stage::Draw { held },
                        ..take(&played, level)
                    })),
                    None if self.base.line_ending(&base).is_some() => {
                        Edge::passes(Self::turned(played))
                    }
                    None => Edge {
                        to: BagPosition {
                            stage: Stage::ThirdDraw { held },
                            ..played
                        },
                        gain: 0,
                        keeps_turn: true,
                    },
                }
            }
        }
    }

    fn draws(&self, position: &Self::Position, out: &mut Vec<(Self::Position, u32)>) {
        out.clear();
        match position.stage {
            Stage::Pick | Stage::Turn | Stage::Take => {}
            Stage::Draw { .. } => self.draw_one(position, |_| Stage::Turn, out),
            Stage::ThirdDraw { .. } => self.draw_one(position, |_| Stage::Take, out),
            Stage::DraftDraw => {
                let dealt = position.own.size() + position.other.size() == 6;
                let next = if dealt { Stage::Turn } else { Stage::Pick };
                self.draw_one(position, |_| next, out);
            }
            Stage::Start => {
                // Two draws in either order come to the same market.
                let (mut first, mut second) = (Vec::new(), Vec::new());
                self.draw_one(position, |_| Stage::Start, &mut first);
                for (market, weight) in first {
                    second.clear();
                    self.draw_one(&market, |_| Stage::Pick, &mut second);
                    for (to, next) in &second {
                        match out.iter_mut().find(|(known, _)| known == to) {
                            Some((_, sum)) => *sum += weight * next,
                            None => out.push((*to, weight * next)),
                        }
                    }
                }
            }
        }
    }

    fn draw_text(&self, drawn: &Self::Position) -> String {
        drawn.market.text(self.rules())
    }

    fn symmetries(&self) -> usize {
        self.base.symmetries()
    }

    fn image(&self, position: &Self::Position, symmetry: usize) -> Self::Position {
        BagPosition {
            base: self.base.image(&position.base, symmetry),
            ..*position
        }
    }

    fn inverse_symmetry(&self, symmetry: usize) -> usize {
        self.base.inverse_symmetry(symmetry)
    }

    fn symmetry_showing(&self, motion: Motion) -> Option<usize> {
        self.base.symmetry_showing(motion)
    }

    fn position_text(&self, position: &Self::Position) -> String {
        self.write_position(position)
    }

    // Moves that take a counter begin with a plus sign.
    fn has_blanks(&self, _: bool) -> bool {
        false
    }

    fn parse_position(&self, text: &str) -> Result<Self::Position, SetupError> {
        self.read_position(text)
    }

    fn move_text(&self, position: &Self::Position, mv: Self::Move) -> String {
        self.write_move(position, mv)
    }

    fn parse_move(&self, position: &Self::Position, text: &str) -> Result<Self::Move, MoveError> {
        self.read_move(position, text)
    }

    fn with_mark(
        &self,
        position: &Self::Position,
        square: usize,
        mark: Mark,
    ) -> Option<Self::Position> {
        let base = self.base.with_mark(&position.base, square, mark)?;
        Some(BagPosition { base, ..*position })
    }

    fn diagram(&self, position: &Self::Position) -> Diagram {
        let mut diagram = self.base.diagram(&position.base);
        let mut row = |title: &str, counters: Counters| {
            diagram.rows.push((title.into(), counters.each().collect()));
        };
        row("Hand of the player to move", position.own);
        row("Hand of the other player", position.other);
        row("Market", position.market);
        if let BagSupply::Each(_) = self.bag.counters {
            let left = |level| (level, self.left(position, level).unwrap_or(0));
            diagram.bag = (1..=MAX_LEVEL).map(left).collect();
        }
        let note = match position.stage {
            Stage::Start => Some(BagSentence::BeforeDraft),
            Stage::Pick => Some(BagSentence::Picks),
            Stage::Take => Some(BagSentence::TakesOfThree),
            Stage::DraftDraw | Stage::Turn | Stage::Draw { .. } | Stage::ThirdDraw { .. } => None,
        };
        diagram.notes.extend(note.map(BagSentence::plain));
        diagram
    }
}
