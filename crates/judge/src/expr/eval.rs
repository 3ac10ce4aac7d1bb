//! What an expression comes to at a position.

use greenwave_game::{Edge, Figures, Game, MAX_LEVEL, Metric, Outcome, OwnField, OwnKind, Squares};
use greenwave_probe::{ReachableSet, rank};
use greenwave_values::{OpenedValues, Values};

use super::bind::{BoundExpression, NamedTerm, Output, Term};
use super::{Field, Operator, ValueType};
use crate::JudgeError;
use crate::squares::loses_at_once;

// The value of a field that a position lacks; comparisons with it are false.
const NOTHING: i64 = i64::MIN;

/// What is known about the positions of a game.
pub struct KnownValues<'a, G> {
    game: &'a G,
    values: [Option<&'a Values>; Metric::ALL.len()],
    opened: [Option<&'a OpenedValues<'a, G>>; Metric::ALL.len()],
    reached: Option<&'a ReachableSet>,
}

/// Move lists that are used again from position to position.
#[derive(Debug)]
pub struct MoveLists<M>(Vec<Vec<M>>);

impl<M> Default for MoveLists<M> {
    fn default() -> MoveLists<M> {
        MoveLists(Vec::new())
    }
}

/// One position while an expression is evaluated at it.
struct Here<'h, G: Game> {
    position: &'h G::Position,
    // Its index, where it is known to be unfinished, so that its value need not come from the
    // rules.
    unfinished: Option<u64>,
    moves: Option<Vec<G::Move>>,
}

impl<'a, G: Squares> KnownValues<'a, G> {
    /// Values by metric, and which positions are reachable where that is requested.
    #[must_use]
    pub fn new(
        game: &'a G,
        values: &[&'a Values],
        reached: Option<&'a ReachableSet>,
    ) -> KnownValues<'a, G> {
        let mut known = KnownValues {
            game,
            values: [None; Metric::ALL.len()],
            opened: [None; Metric::ALL.len()],
            reached,
        };
        for values in values {
            known.values[values.metric() as usize] = Some(values);
        }
        known
    }

    /// The same, with values besides that stay in their tables.
    #[must_use]
    pub fn with_opened(mut self, opened: &'a [OpenedValues<'a, G>]) -> KnownValues<'a, G> {
        for values in opened {
            self.opened[values.metric() as usize] = Some(values);
        }
        self
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> &'a G {
        self.game
    }

    /// The values at hand.
    pub(crate) fn held(&self) -> Vec<&'a Values> {
        self.values.iter().copied().flatten().collect()
    }

    /// Whether values in a metric are read from a table as they are requested.
    pub(crate) fn reads_a_table(&self, metric: Metric) -> bool {
        self.values[metric as usize].is_none() && self.opened[metric as usize].is_some()
    }

    /// Checks that every table so far could be read.
    pub(crate) fn expect_read(&self) -> Result<(), JudgeError> {
        let mut opened = self.opened.iter().flatten();
        Ok(opened.try_for_each(|opened| opened.finish())?)
    }

    /// Which positions play reaches, if that was requested.
    pub(crate) fn reached(&self) -> Option<&'a ReachableSet> {
        self.reached
    }

    /// Whether an expression holds at a position; `unfinished` is its index, where the game is known
    /// to go on there.
    pub fn holds(
        &self,
        bound: &BoundExpression,
        position: &G::Position,
        unfinished: Option<u64>,
        scratch: &mut MoveLists<G::Move>,
    ) -> bool {
        self.at(&bound.code, position, unfinished, scratch) == 1
    }

    /// What a named part of an expression comes to at a position.
    pub fn output(
        &self,
        named: &NamedTerm,
        position: &G::Position,
        scratch: &mut MoveLists<G::Move>,
    ) -> Output {
        let number = self.at(&named.code, position, None, scratch);
        match named.kind {
            _ if number == NOTHING => Output::Nothing,
            ValueType::Truth => Output::Truth(number == 1),
            ValueType::Number => Output::Number(number),
            ValueType::Outcome => Output::Word(match number {
                1 => "win",
                0 => "draw",
                _ => "loss",
            }),
            ValueType::Level => match self.game.sign(number as u8) {
                Some(sign) => Output::Word(sign),
                None => Output::Light(self.game.rules().order().letter(number as u8)),
            },
        }
    }

    /// Figures of any position in a metric; those of a finished game follow from the rules.
    #[must_use]
    pub fn figures(&self, metric: Metric, position: &G::Position) -> Figures {
        match (self.values[metric as usize], self.opened[metric as usize]) {
            (Some(values), _) => values.figures_of(self.game, position),
            (None, Some(opened)) => opened.figures_of(position),
            (None, None) => Figures::default(),
        }
    }

    // The metric that values are read from: the default one if it is there.
    fn valued(&self) -> Metric {
        let default = self.game.rules().default_metric;
        let there =
            self.values[default as usize].is_some() || self.opened[default as usize].is_some();
        if there { default } else { Metric::Value }
    }

    /// Figures of the position at hand.
    fn own_figures(&self, metric: Metric, here: &Here<'_, G>) -> Figures {
        let Some(index) = here.unfinished else {
            return self.figures(metric, here.position);
        };
        match (self.values[metric as usize], self.opened[metric as usize]) {
            (Some(values), _) => values.figures(index),
            (None, Some(opened)) => opened.figures(index),
            (None, None) => Figures::default(),
        }
    }

    fn at(
        &self,
        code: &Term,
        position: &G::Position,
        unfinished: Option<u64>,
        scratch: &mut MoveLists<G::Move>,
    ) -> i64 {
        let mut here = Here {
            position,
            unfinished,
            moves: None,
        };
        let result = self.part(code, &mut here, scratch);
        if let Some(moves) = here.moves {
            scratch.0.push(moves);
        }
        result
    }

    fn part(&self, code: &Term, here: &mut Here<'_, G>, scratch: &mut MoveLists<G::Move>) -> i64 {
        match code {
            Term::Number(number) => *number,
            Term::Field(field) => self.field(*field, here, scratch),
            Term::Square(spot) => {
                if self.game.is_there(here.position, *spot) {
                    self.game.level(here.position, spot.square).into()
                } else {
                    NOTHING
                }
            }
            Term::Count(0) => {
                let taken = (1..=MAX_LEVEL).map(|level| self.game.count(here.position, level));
                i64::from(self.game.rules().cells) - i64::from(taken.sum::<u32>())
            }
            Term::Count(level) => self.game.count(here.position, *level).into(),
            Term::Shows(picture) => {
                let same = |(square, level): &(usize, u8)| {
                    self.game.level(here.position, *square) == *level
                };
                picture.iter().all(same).into()
            }
            Term::Cylinder(square) => self.game.covered(here.position, *square).into(),
            Term::Pile(pile, level) => {
                let counters = self.game.pile(here.position, *pile, *level);
                counters.map_or(NOTHING, i64::from)
            }
            Term::Not(inner) => i64::from(self.part(inner, here, scratch) != 1),
            Term::Minus(inner) => match self.part(inner, here, scratch) {
                NOTHING => NOTHING,
                number => -number,
            },
            Term::Binary(operator, left, right) => {
                self.binary(*operator, left, right, here, scratch)
            }
            Term::Legal(mv) => {
                let found = self.listed(here, scratch, |game, position, moves| {
                    mv.find(game, position, moves)
                });
                found.is_some().into()
            }
            Term::Wins(mv) => {
                let found = self.listed(here, scratch, |game, position, moves| {
                    mv.find(game, position, moves)
                });
                found
                    .is_some_and(|mv| self.game.is_win(&self.game.play(here.position, mv)))
                    .into()
            }
            Term::LosesAtOnce(mv) => {
                let found = self.listed(here, scratch, |game, position, moves| {
                    mv.find(game, position, moves)
                });
                found
                    .is_some_and(|mv| self.loses_at_once(here.position, mv, scratch))
                    .into()
            }
            Term::Gain(mv) => {
                let found = self.listed(here, scratch, |game, position, moves| {
                    mv.find(game, position, moves)
                });
                found.map_or(NOTHING, |mv| {
                    let Edge {
                        to,
                        gain,
                        keeps_turn,
                    } = self.game.play(here.position, mv);
                    let ended = self.game.ending(&to).map_or(0, |ending| ending.points);
                    i64::from(gain + if keeps_turn { ended } else { -ended })
                })
            }
            Term::Completing(level) => self.count_moves(here, scratch, |game, position, mv| {
                let to = game.raise(position, mv).map(|(_, to)| to);
                to == Some(*level) && game.is_win(&game.play(position, mv))
            }),
            Term::After(mv, inner) => {
                let found = self.listed(here, scratch, |game, position, moves| {
                    mv.find(game, position, moves)
                });
                found.map_or(0, |mv| {
                    self.at(inner, &self.game.play(here.position, mv).to, None, scratch)
                })
            }
            Term::Moves { every, level, code } => {
                let moves = self.take_moves(here, scratch);
                let mut concerned = moves.iter().filter(|mv| {
                    let raised = self.game.raise(here.position, **mv).map(|(_, to)| to);
                    level.is_none() || raised == *level
                });
                let mut holds = |mv: &G::Move| {
                    self.at(code, &self.game.play(here.position, *mv).to, None, scratch) == 1
                };
                let result = if *every {
                    concerned.all(&mut holds)
                } else {
                    concerned.any(&mut holds)
                };
                here.moves = Some(moves);
                result.into()
            }
        }
    }

    fn binary(
        &self,
        operator: Operator,
        left: &Term,
        right: &Term,
        here: &mut Here<'_, G>,
        scratch: &mut MoveLists<G::Move>,
    ) -> i64 {
        let first = self.part(left, here, scratch);
        // If the first part of 'and' or 'or' decides the result, the second is not evaluated.
        let settled = match operator {
            Operator::And => (first != 1).then_some(0),
            Operator::Or => (first == 1).then_some(1),
            Operator::Equal
            | Operator::Unequal
            | Operator::Less
            | Operator::AtMost
            | Operator::Greater
            | Operator::AtLeast
            | Operator::Plus
            | Operator::Minus
            | Operator::Times
            | Operator::Remainder => None,
        };
        if let Some(settled) = settled {
            return settled;
        }
        let second = self.part(right, here, scratch);
        let connects = matches!(operator, Operator::And | Operator::Or);
        if !connects && (first == NOTHING || second == NOTHING) {
            let computes = matches!(
                operator,
                Operator::Plus | Operator::Minus | Operator::Times | Operator::Remainder
            );
            return if computes { NOTHING } else { 0 };
        }
        match operator {
            Operator::And | Operator::Or => second,
            Operator::Equal => (first == second).into(),
            Operator::Unequal => (first != second).into(),
            Operator::Less => (first < second).into(),
            Operator::AtMost => (first <= second).into(),
            Operator::Greater => (first > second).into(),
            Operator::AtLeast => (first >= second).into(),
            // The expression was refused when it was bound if a value could leave 64 bits.
            Operator::Plus => first + second,
            Operator::Minus => first - second,
            Operator::Times => first * second,
            Operator::Remainder => first.checked_rem(second).unwrap_or(NOTHING),
        }
    }

    fn field(&self, field: Field, here: &mut Here<'_, G>, scratch: &mut MoveLists<G::Move>) -> i64 {
        let (game, position) = (self.game, here.position);
        let default = game.rules().default_metric;
        match field {
            Field::Value => self
                .own_figures(self.valued(), here)
                .value
                .map_or(NOTHING, outcome_number),
            Field::Distance => {
                let plies = self.own_figures(Metric::Distance, here).distance;
                plies.map_or(NOTHING, |plies| plies.0.into())
            }
            Field::Points => self
                .own_figures(Metric::Points, here)
                .points
                .map_or(NOTHING, i64::from),
            Field::Nimber => self
                .own_figures(Metric::Nimber, here)
                .nimber
                .map_or(NOTHING, i64::from),
            Field::Expectation => {
                let odds = self.own_figures(Metric::Odds, here).odds;
                odds.map_or(NOTHING, |odds| (odds.expectation * 1e6).round() as i64)
            }
            Field::Ply => game.plies(position).map_or(NOTHING, i64::from),
            Field::LevelSum => game.level_sum(position).map_or(NOTHING, i64::from),
            Field::Moves => self.count_moves(here, scratch, |_, _, _| true),
            Field::WinningMoves => self.count_values(here, scratch, Outcome::Win),
            Field::DrawingMoves => self.count_values(here, scratch, Outcome::Draw),
            Field::LosingMoves => self.count_values(here, scratch, Outcome::Loss),
            Field::WinningAtOnce => self.count_moves(here, scratch, |game, position, mv| {
                game.is_win(&game.play(position, mv))
            }),
            Field::LosingAtOnce => {
                let moves = self.take_moves(here, scratch);
                let count = moves
                    .iter()
                    .filter(|mv| self.loses_at_once(position, **mv, scratch))
                    .count();
                here.moves = Some(moves);
                count as i64
            }
            Field::BestMoves => {
                let moves = self.take_moves(here, scratch);
                let figures = |mv: &G::Move| rank(&self.move_figures(default, position, *mv));
                let best = moves.iter().map(figures).min();
                let count = moves.iter().filter(|mv| Some(figures(mv)) == best).count();
                here.moves = Some(moves);
                count as i64
            }
            Field::OnlyMove => {
                let metric = self.valued();
                let own = self.own_figures(metric, here);
                let all = self.count_moves(here, scratch, |_, _, _| true);
                let keeping = self.count_moves(here, scratch, |_, position, mv| {
                    let figures = self.move_figures(metric, position, mv);
                    figures.value == own.value && figures.points == own.points
                });
                i64::from(keeping == 1 && all > 1)
            }
            Field::Line => game.has_line(position).into(),
            Field::Finished => game.ending(position).is_some().into(),
            Field::Reachable => {
                let index = game.index(position);
                let told = self.values.iter().flatten();
                let told = told.copied().find_map(|values| values.reaches(index));
                let marked = || self.reached.is_some_and(|reached| reached.contains(index));
                let reached = told.unwrap_or_else(marked);
                reached.into()
            }
            Field::Symmetries => {
                let fixes =
                    |symmetry: &usize| game.is_same(&game.image(position, *symmetry), position);
                (0..game.symmetries()).filter(fixes).count() as i64
            }
            Field::Own(field, number) => self.own_field(field, number, here, scratch),
        }
    }

    fn own_field(
        &self,
        field: OwnField,
        number: usize,
        here: &mut Here<'_, G>,
        scratch: &mut MoveLists<G::Move>,
    ) -> i64 {
        match field.kind {
            OwnKind::Truth | OwnKind::Number(_) => {
                let found = self.game.field(here.position, number);
                found.map_or(NOTHING, i64::from)
            }
            OwnKind::Moves => {
                self.count_moves(here, scratch, |game, _, mv| game.is_in_field(mv, number))
            }
            OwnKind::WinningMoves => self.count_moves(here, scratch, |game, position, mv| {
                game.is_in_field(mv, number) && game.is_win(&game.play(position, mv))
            }),
        }
    }

    /// Figures of a move for the player who makes it.
    fn move_figures(&self, metric: Metric, position: &G::Position, mv: G::Move) -> Figures {
        let edge = self.game.play(position, mv);
        self.figures(metric, &edge.to)
            .after_move(edge.gain, edge.keeps_turn)
    }

    fn loses_at_once(
        &self,
        position: &G::Position,
        mv: G::Move,
        scratch: &mut MoveLists<G::Move>,
    ) -> bool {
        let mut replies = scratch.0.pop().unwrap_or_default();
        let loses = loses_at_once(self.game, position, mv, &mut replies);
        scratch.0.push(replies);
        loses
    }

    fn count_values(
        &self,
        here: &mut Here<'_, G>,
        scratch: &mut MoveLists<G::Move>,
        outcome: Outcome,
    ) -> i64 {
        let metric = self.valued();
        self.count_moves(here, scratch, |_, position, mv| {
            self.move_figures(metric, position, mv).value == Some(outcome)
        })
    }

    fn count_moves(
        &self,
        here: &mut Here<'_, G>,
        scratch: &mut MoveLists<G::Move>,
        counted: impl Fn(&G, &G::Position, G::Move) -> bool,
    ) -> i64 {
        let position = *here.position;
        self.listed(here, scratch, |game, _, moves| {
            moves
                .iter()
                .filter(|mv| counted(game, &position, **mv))
                .count() as i64
        })
    }

    fn listed<T>(
        &self,
        here: &mut Here<'_, G>,
        scratch: &mut MoveLists<G::Move>,
        use_moves: impl FnOnce(&G, &G::Position, &[G::Move]) -> T,
    ) -> T {
        let moves = self.take_moves(here, scratch);
        let result = use_moves(self.game, here.position, &moves);
        here.moves = Some(moves);
        result
    }

    // The moves of the position, listed once; to be given back.
    fn take_moves(&self, here: &mut Here<'_, G>, scratch: &mut MoveLists<G::Move>) -> Vec<G::Move> {
        here.moves.take().unwrap_or_else(|| {
            let mut moves = scratch.0.pop().unwrap_or_default();
            self.game.moves(here.position, &mut moves);
            moves
        })
    }
}

fn outcome_number(outcome: Outcome) -> i64 {
    match outcome {
        Outcome::Win => 1,
        Outcome::Draw => 0,
        Outcome::Loss => -1,
    }
}
