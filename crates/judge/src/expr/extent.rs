//! How far the numbers of an expression can go: arithmetic that could leave 64 bits is refused before
//! anything is evaluated.

use std::ops::RangeInclusive;

use greenwave_game::{Advance, OwnKind, Rules, Squares};

use super::field::fields;
use super::tree::{CallArgument, Node, Operator, SyntaxTree};
use super::{ExpressionError, Field};

/// The least and the greatest that a part can come to.
type Extent = RangeInclusive<i128>;

// `i64::MIN` stands for what a position does not have.
const LARGEST: i128 = i64::MAX as i128;
// Nothing that is counted in a position or told by a table is larger: distances and points have 16
// bits, hands and bags at most 99 counters of a colour.
const COUNTED: i128 = u16::MAX as i128;
// Each move raises one of at most 35 squares, with at most nine counters taken for it, or goes from one
// of 66 points to another.
const MOVES: i128 = 1 << 13;

/// Checks that no part of a bound expression can leave 64 bits at any position of a game.
pub(super) fn within_bounds<G: Squares>(
    game: &G,
    text: &str,
    tree: &SyntaxTree,
) -> Result<(), ExpressionError> {
    let rules = game.rules();
    ExtentChecker { rules, text }.extent(tree).map(drop)
}

struct ExtentChecker<'a> {
    rules: &'a Rules,
    text: &'a str,
}

impl ExtentChecker<'_> {
    fn extent(&self, tree: &SyntaxTree) -> Result<Extent, ExpressionError> {
        let found = match &tree.node {
            Node::Number(number) => i128::from(*number)..=i128::from(*number),
            Node::Name(name) => match fields().find(|(_, known, _)| known == name) {
                Some((field, ..)) => self.of_field(field),
                // Colours and squares, outcomes, true and false.
                None => -1..=3,
            },
            Node::Call(_, arguments) => {
                for argument in arguments {
                    if let CallArgument::Tree(inner) = argument {
                        self.extent(inner)?;
                    }
                }
                -COUNTED..=COUNTED
            }
            Node::Not(inner) => {
                self.extent(inner)?;
                0..=1
            }
            Node::Minus(inner) => {
                let inner = self.extent(inner)?;
                -inner.end()..=-inner.start()
            }
            Node::Binary(operator, left, right) => {
                let (left, right) = (self.extent(left)?, self.extent(right)?);
                of_both(*operator, &left, &right)
            }
        };
        let furthest = if -found.start() > *found.end() {
            *found.start()
        } else {
            *found.end()
        };
        if furthest.abs() <= LARGEST {
            return Ok(found);
        }
        let part = self.text.get(tree.span.clone()).unwrap_or("").trim();
        let problem = format!(
            "'{part}' can come to {furthest}, and numbers here go from -{LARGEST} to {LARGEST}; \
             take smaller numbers"
        );
        Err(ExpressionError::new(self.text, tree.span.start, problem))
    }

    fn of_field(&self, field: Field) -> Extent {
        let cells = i128::from(self.rules.cells);
        match field {
            Field::Value => -1..=1,
            // Expected points, in millionths.
            Field::Expectation => -COUNTED * 1_000_000..=COUNTED * 1_000_000,
            Field::Points => -COUNTED..=COUNTED,
            // No level is higher than 3.
            Field::Ply | Field::LevelSum => 0..=3 * cells,
            Field::Distance if self.rules.properties.advance == Advance::Rises => 0..=3 * cells + 1,
            Field::Distance | Field::Nimber => 0..=COUNTED,
            Field::Moves
            | Field::WinningMoves
            | Field::DrawingMoves
            | Field::LosingMoves
            | Field::WinningAtOnce
            | Field::LosingAtOnce
            | Field::BestMoves => 0..=MOVES,
            Field::OnlyMove | Field::Line | Field::Finished | Field::Reachable => 0..=1,
            Field::Symmetries => 0..=8,
            Field::Own(field, _) => match field.kind {
                OwnKind::Truth => 0..=1,
                OwnKind::Number(most) => 0..=most.into(),
                OwnKind::Moves | OwnKind::WinningMoves => 0..=MOVES,
            },
        }
    }
}

fn of_both(operator: Operator, left: &Extent, right: &Extent) -> Extent {
    match operator {
        Operator::Plus => left.start() + right.start()..=left.end() + right.end(),
        Operator::Minus => left.start() - right.end()..=left.end() - right.start(),
        Operator::Times => {
            let products = [left.start(), left.end()]
                .into_iter()
                .flat_map(|a| [a * right.start(), a * right.end()]);
            let (mut least, mut most) = (i128::MAX, i128::MIN);
            for product in products {
                (least, most) = (least.min(product), most.max(product));
            }
            least..=most
        }
        // A remainder has the sign of what is divided, and is never further from 0.
        Operator::Remainder => (*left.start()).min(0)..=(*left.end()).max(0),
        Operator::Or
        | Operator::And
        | Operator::Equal
        | Operator::Unequal
        | Operator::Less
        | Operator::AtMost
        | Operator::Greater
        | Operator::AtLeast => 0..=1,
    }
}
