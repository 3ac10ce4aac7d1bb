//! From a tree to a checked expression: this module finds names in a game and checks kinds.

mod words;

use std::ops::Range;

use greenwave_game::{Message, Metric, Rules};
use greenwave_tablebase::Tablebase;

use super::field::{fields, named};
use super::tree::{CallArgument, Node, Operator, SyntaxTree};
use super::{ExpressionError, Field, ValueType, extent, parse};
use crate::squares::MoveText;
use crate::{JudgeError, ReachedPositions, messages};
use greenwave_game::keyed::nearest;
use greenwave_game::{Features, Pile, Spot, Squares, Variant, with_game};

/// Words that people write for fields of other names.
const MEANT: [(&str, &str); 6] = [
    ("odds", "expectation"),
    ("terminal", "finished"),
    ("over", "finished"),
    ("depth", "distance"),
    ("score", "points"),
    ("grundy", "nimber"),
];

/// The names of outcomes.
const OUTCOMES: [&str; 3] = ["win", "draw", "loss"];

/// Something that has a value at a position.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Term {
    Number(i64),
    Field(Field),
    Square(Spot),
    Count(u8),
    Shows(Vec<(usize, u8)>),
    Cylinder(usize),
    Pile(Pile, u8),
    Not(Box<Term>),
    Minus(Box<Term>),
    Binary(Operator, Box<Term>, Box<Term>),
    Legal(MoveText),
    Wins(MoveText),
    LosesAtOnce(MoveText),
    Gain(MoveText),
    Completing(u8),
    After(MoveText, Box<Term>),
    // Every move (else some move), to a level if one is given.
    Moves {
        every: bool,
        level: Option<u8>,
        code: Box<Term>,
    },
}

/// A field, square or call named in an expression, with its kind: the columns of a printed match.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedTerm {
    /// As it was written.
    pub name: String,
    /// What it comes to.
    pub kind: ValueType,
    pub(super) code: Term,
}

/// A value for printing.
#[derive(Clone, Debug, PartialEq)]
pub enum Output {
    /// The position does not have it.
    Nothing,
    /// True or false.
    Truth(bool),
    /// A number.
    Number(i64),
    /// An outcome.
    Word(&'static str),
    /// The letter of what a square shows.
    Light(char),
}

/// An expression bound to a game.
#[derive(Clone, Debug)]
pub struct BoundExpression {
    pub(super) code: Term,
    named: Vec<NamedTerm>,
    fields: Vec<Field>,
    metrics: Vec<Metric>,
}

impl BoundExpression {
    /// Reads an expression for a game.
    ///
    /// # Errors
    /// What does not parse, what the game lacks, and kinds that do not go together, with the place.
    pub fn new<G: Squares>(game: &G, text: &str) -> Result<BoundExpression, ExpressionError> {
        let tree = parse::parse(text)?;
        BoundExpression::of_tree(game, text, &tree)
    }

    /// The same for a variant of any kind.
    ///
    /// # Errors
    /// As [`BoundExpression::new`].
    pub fn of(variant: &Variant, text: &str) -> Result<BoundExpression, ExpressionError> {
        with_game!(variant, game => BoundExpression::new(game, text))
    }

    /// The same, with matches printed with other fields, if any are given, than those that the expression
    /// names: fields, squares, calls and sums of them, with commas between.
    ///
    /// # Errors
    /// As [`BoundExpression::new`]; and what is wrong with the fields.
    pub fn with_fields(
        variant: &Variant,
        text: &str,
        fields: Option<&str>,
    ) -> Result<BoundExpression, FieldsError> {
        match fields {
            Some(fields) => {
                with_game!(variant, game => BoundExpression::with_these(game, text, fields))
            }
            None => Ok(BoundExpression::of(variant, text)?),
        }
    }

    /// The marks of reachable positions, if the expression or a field asks for them and they are not all.
    ///
    /// # Errors
    /// As [`ReachedPositions::marked`].
    pub fn reached<G: Squares>(
        &self,
        tablebase: &Tablebase,
        game: &G,
    ) -> Result<Option<ReachedPositions>, JudgeError> {
        if !self.asks(Field::Reachable) {
            return Ok(None);
        }
        ReachedPositions::marked(tablebase, game, ", or leave out 'reachable'")
    }

    fn with_these<G: Squares>(
        game: &G,
        text: &str,
        fields: &str,
    ) -> Result<BoundExpression, FieldsError> {
        let mut bound = BoundExpression::new(game, text)?;
        bound.named.clear();
        // Every match has its position.
        for field in listed(fields)
            .into_iter()
            .filter(|field| *field != "position")
        {
            let refuse = |error| FieldsError::Field(field.to_string(), error);
            let tree = parse::parse(field).map_err(refuse)?;
            let mut binder = Binder::new(game, field);
            let (code, kind) = binder.part(&tree).map_err(refuse)?;
            extent::within_bounds(game, field, &tree).map_err(refuse)?;
            if bound.named.iter().any(|known| known.name == field) {
                let error = ExpressionError::new(field, 0, "it is named twice; name it once");
                return Err(refuse(error));
            }
            for asked in binder.fields {
                if !bound.fields.contains(&asked) {
                    bound.fields.push(asked);
                }
            }
            let name = field.to_string();
            bound.named.push(NamedTerm { name, kind, code });
        }
        bound.metrics = metrics(game, &bound.fields);
        Ok(bound)
    }

    fn of_tree<G: Squares>(
        game: &G,
        text: &str,
        tree: &SyntaxTree,
    ) -> Result<BoundExpression, ExpressionError> {
        let mut binder = Binder::new(game, text);
        let code = binder.truth(tree)?;
        extent::within_bounds(game, text, tree)?;
        let Binder { named, fields, .. } = binder;
        let metrics = metrics(game, &fields);
        Ok(BoundExpression {
            code,
            named,
            fields,
            metrics,
        })
    }

    /// The fields, squares and counts that the expression names, each once, as they are printed.
    #[must_use]
    pub fn named(&self) -> &[NamedTerm] {
        &self.named
    }

    /// The metrics whose values are needed.
    #[must_use]
    pub fn metrics(&self) -> &[Metric] {
        &self.metrics
    }

    /// Whether a field is requested anywhere.
    #[must_use]
    pub fn asks(&self, field: Field) -> bool {
        self.fields.contains(&field)
    }
}

/// The metrics that fields need.
fn metrics<G: Squares>(game: &G, fields: &[Field]) -> Vec<Metric> {
    let rules = game.rules();
    let mut metrics: Vec<Metric> = fields
        .iter()
        .filter_map(|field| field.metric(rules))
        .collect();
    if metrics.contains(&rules.default_metric) {
        // It gives the value, too.
        metrics.retain(|metric| *metric != Metric::Value);
    }
    // Values also say which positions there are.
    if metrics.is_empty() && game.holds_reachable_only() {
        metrics.push(rules.default_metric);
    }
    metrics.sort();
    metrics.dedup();
    metrics
}

/// The parts of a list with commas between, but for those inside parentheses or quotes.
fn listed(text: &str) -> Vec<&str> {
    let (mut depth, mut quoted, mut first) = (0_usize, false, 0);
    let mut parts = Vec::new();
    for (place, letter) in text.char_indices() {
        match letter {
            '"' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth = depth.saturating_sub(1),
            ',' if !quoted && depth == 0 => {
                parts.push(text[first..place].trim());
                first = place + 1;
            }
            _ => {}
        }
    }
    parts.push(text[first..].trim());
    parts
}

/// Errors in an expression, or in the fields to print with matches.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FieldsError {
    /// The expression.
    #[error(transparent)]
    Expression(#[from] ExpressionError),
    /// A field.
    #[error("field '{0}': {1}")]
    Field(String, ExpressionError),
}

struct Binder<'a, G> {
    game: &'a G,
    text: &'a str,
    rules: &'a Rules,
    features: Features,
    squares: Vec<String>,
    // Of the strip's squares, by the side where it lies.
    coordinates: Vec<(String, Spot)>,
    // Inside how many calls; only what is outside is printed.
    depth: usize,
    // On the right of a comparison, the kind on its left.
    wanted: Option<ValueType>,
    named: Vec<NamedTerm>,
    fields: Vec<Field>,
}

impl<'a, G: Squares> Binder<'a, G> {
    fn new(game: &'a G, text: &'a str) -> Binder<'a, G> {
        Binder {
            game,
            text,
            rules: game.rules(),
            features: game.features(),
            squares: game.square_names(),
            coordinates: game.coordinates(),
            depth: 0,
            wanted: None,
            named: Vec::new(),
            fields: Vec::new(),
        }
    }

    fn refuse<T>(
        &self,
        span: &Range<usize>,
        problem: impl Into<Message>,
    ) -> Result<T, ExpressionError> {
        Err(ExpressionError::new(self.text, span.start, problem))
    }

    fn truth(&mut self, tree: &SyntaxTree) -> Result<Term, ExpressionError> {
        self.of_kind(
            tree,
            |kind| kind == ValueType::Truth,
            |part, kind| messages::wanted_comparison(compared(part, kind)),
        )
    }

    fn number(&mut self, tree: &SyntaxTree) -> Result<Term, ExpressionError> {
        self.of_kind(
            tree,
            |kind| matches!(kind, ValueType::Number | ValueType::Level),
            |_, _| messages::wanted_number(),
        )
    }

    fn of_kind(
        &mut self,
        tree: &SyntaxTree,
        fits: impl Fn(ValueType) -> bool,
        wanted: impl FnOnce(&str, ValueType) -> Message,
    ) -> Result<Term, ExpressionError> {
        let (code, kind) = self.part(tree)?;
        if fits(kind) {
            return Ok(code);
        }
        let part = self.text.get(tree.span.clone()).unwrap_or("").trim();
        let problem = messages::expression_type(part, kind.message(), wanted(part, kind));
        self.refuse(&tree.span, problem)
    }

    /// Steps into itself once for each part inside another: the calls that it makes stay calls, so that
    /// a step takes little of the stack.
    fn part(&mut self, tree: &SyntaxTree) -> Result<(Term, ValueType), ExpressionError> {
        match &tree.node {
            Node::Number(number) => Ok((Term::Number(*number), ValueType::Number)),
            Node::Name(name) => self.name(name, &tree.span),
            Node::Call(name, arguments) => self.call(name, arguments, &tree.span),
            Node::Not(inner) => Ok((Term::Not(Box::new(self.truth(inner)?)), ValueType::Truth)),
            Node::Minus(inner) => Ok((
                Term::Minus(Box::new(self.number(inner)?)),
                ValueType::Number,
            )),
            Node::Binary(operator, left, right) => self.binary(*operator, left, right),
        }
    }

    #[inline(never)]
    fn binary(
        &mut self,
        operator: Operator,
        left: &SyntaxTree,
        right: &SyntaxTree,
    ) -> Result<(Term, ValueType), ExpressionError> {
        let (left_code, right_code, kind) = match operator {
            Operator::Or | Operator::And => {
                (self.truth(left)?, self.truth(right)?, ValueType::Truth)
            }
            Operator::Plus | Operator::Minus | Operator::Times | Operator::Remainder => {
                (self.number(left)?, self.number(right)?, ValueType::Number)
            }
            Operator::Equal
            | Operator::Unequal
            | Operator::Less
            | Operator::AtMost
            | Operator::Greater
            | Operator::AtLeast => {
                let (left_code, left_kind) = self.part(left)?;
                let numeric = |kind| matches!(kind, ValueType::Number | ValueType::Level);
                let fits = |kind| kind == left_kind || (numeric(kind) && numeric(left_kind));
                let wanted = |_: &str, _| messages::wanted_left(left_kind.message());
                self.wanted = Some(left_kind);
                let right_code = self.of_kind(right, fits, wanted)?;
                self.wanted = None;
                let equality = matches!(operator, Operator::Equal | Operator::Unequal);
                if left_kind == ValueType::Truth && !equality {
                    return self.refuse(
                        &left.span,
                        "true and false have no order; compare them with = or !=",
                    );
                }
                (left_code, right_code, ValueType::Truth)
            }
        };
        Ok((
            Term::Binary(operator, Box::new(left_code), Box::new(right_code)),
            kind,
        ))
    }

    #[inline(never)]
    fn name(
        &mut self,
        name: &str,
        span: &Range<usize>,
    ) -> Result<(Term, ValueType), ExpressionError> {
        let constant = match name {
            "win" => Some((1, ValueType::Outcome)),
            "draw" => Some((0, ValueType::Outcome)),
            "loss" => Some((-1, ValueType::Outcome)),
            "true" => Some((1, ValueType::Truth)),
            "false" => Some((0, ValueType::Truth)),
            _ => self
                .colour_named(name)
                .map(|level| (level.into(), ValueType::Level)),
        };
        if let Some((number, kind)) = constant {
            return Ok((Term::Number(number), kind));
        }
        if let Some((field, kind)) = named::<G>(name) {
            if let Some(problem) = field.lacking(self.game) {
                return self.refuse(span, messages::expression_no_field(name, problem));
            }
            if !self.fields.contains(&field) {
                self.fields.push(field);
            }
            return Ok(self.remember(name, Term::Field(field), kind));
        }
        if let Some((written, spot)) = self.spot(name) {
            return Ok(self.remember(&written, Term::Square(spot), ValueType::Level));
        }
        self.refuse(span, self.unknown(name))
    }

    /// What is wrong with a name that there is not, with what may have been meant.
    fn unknown(&self, name: &str) -> Message {
        let known = fields().filter(|(field, ..)| field.lacking(self.game).is_none());
        let known: Vec<&str> = known.map(|(_, known, _)| known).collect();
        let folded = name.to_lowercase();
        let near = self
            .near_in_place(&folded)
            .or_else(|| self.near_anywhere(&folded, &known));
        if near.is_none() {
            // A field of other games, with the reason why this one has none.
            let others = fields().map(|(_, field, _)| field);
            let others = others.filter(|other| other.len().abs_diff(folded.len()) < 3);
            if let Some(other) = nearest(&folded, others)
                && let Some((field, _)) = named::<G>(other)
                && let Some(problem) = field.lacking(self.game)
            {
                return messages::expression_no_field(other, problem);
            }
        }
        let fields = known.join(", ");
        let from = self.squares.first().map_or("", String::as_str);
        let to = self.squares.last().map_or("", String::as_str);
        let contents = self.game.contents().join(", ");
        let kind = self.game.content_kind();
        let known = messages::known_names(fields, from, to, kind, contents);
        match near {
            Some(near) => messages::expression_name_near(name, near, known),
            None => messages::expression_name(name, known),
        }
    }

    /// The constant that was meant on the right of a comparison, by the kind on its left.
    fn near_in_place(&self, name: &str) -> Option<&'static str> {
        match self.wanted? {
            ValueType::Outcome => nearest(name, OUTCOMES.into_iter()),
            ValueType::Level => nearest(name, self.game.contents().iter().rev().copied()),
            ValueType::Truth => nearest(name, ["true", "false"].into_iter()),
            ValueType::Number => None,
        }
    }

    fn near_anywhere<'n>(&self, name: &str, known: &[&'n str]) -> Option<&'n str> {
        let of = |word: &str| MEANT.iter().find(|(meant, _)| *meant == word);
        let calls = parse::CALLS.iter().map(|(call, _)| *call);
        let calls = calls.filter(|call| self.call_lacking(call).is_none());
        let meant = MEANT.iter().filter(|(_, field)| known.contains(field));
        let meant = meant.map(|(word, _)| *word);
        let words = known.iter().copied().chain(calls).chain(OUTCOMES);
        let words = words.chain(self.game.contents().iter().rev().copied());
        let near = nearest(name, words.chain(meant))?;
        Some(of(near).map_or(near, |(_, field)| field))
    }

    fn remember(&mut self, name: &str, code: Term, kind: ValueType) -> (Term, ValueType) {
        if self.depth == 0 && !self.named.iter().any(|named| named.name == name) {
            self.named.push(NamedTerm {
                name: name.into(),
                kind,
                code: code.clone(),
            });
        }
        (code, kind)
    }

    /// Why the game lacks a call; `None` if it has it.
    fn call_lacking(&self, call: &str) -> Option<String> {
        let name = self.rules.title();
        match call {
            "cylinder" if !self.features.cylinders => Some(format!("{name}: it has no cylinders")),
            _ if pile(call).is_some() && !self.features.piles => {
                Some(format!("{name}: it has no hands, market and bag"))
            }
            _ => None,
        }
    }

    #[inline(never)]
    fn call(
        &mut self,
        name: &str,
        arguments: &[CallArgument],
        span: &Range<usize>,
    ) -> Result<(Term, ValueType), ExpressionError> {
        if let Some(problem) = self.call_lacking(name) {
            return self.refuse(span, problem);
        }
        if let (Some(pile), [CallArgument::Word(word, place)]) = (pile(name), arguments) {
            let level = self.colour(word, place)?;
            if level == 0 {
                return self.refuse(place, "found 'empty', expected the colour of a counter");
            }
            let code = Term::Pile(pile, level);
            return Ok(self.remember(&format!("{name}({word})"), code, ValueType::Number));
        }
        let code = match (name, arguments) {
            ("cylinder", [CallArgument::Word(word, place)]) => match self.square(word) {
                Some(square) => Term::Cylinder(square),
                None => return self.refuse(place, self.no_square(word)),
            },
            ("count", [CallArgument::Word(word, place)]) => {
                let level = self.colour(word, place)?;
                return Ok(self.remember(
                    &format!("count({word})"),
                    Term::Count(level),
                    ValueType::Number,
                ));
            }
            ("completing", [CallArgument::Word(word, place)]) => {
                let level = self.colour(word, place)?;
                let code = Term::Completing(level);
                return Ok(self.remember(&format!("completing({word})"), code, ValueType::Number));
            }
            ("shows", [CallArgument::Text(text, place)]) => Term::Shows(self.picture(text, place)?),
            ("legal", [CallArgument::Word(word, place)]) => Term::Legal(self.mv(word, place)?),
            ("wins", [CallArgument::Word(word, place)]) => Term::Wins(self.mv(word, place)?),
            ("loses_at_once", [CallArgument::Word(word, place)]) => {
                if let Some(problem) = Field::LosingAtOnce.lacking(self.game) {
                    return self.refuse(span, problem);
                }
                Term::LosesAtOnce(self.mv(word, place)?)
            }
            ("gain", [CallArgument::Word(word, place)]) => {
                let mv = self.mv(word, place)?;
                return Ok(self.remember(
                    &format!("gain({word})"),
                    Term::Gain(mv),
                    ValueType::Number,
                ));
            }
            ("after", [CallArgument::Word(word, place), CallArgument::Tree(tree)]) => {
                let mv = self.mv(word, place)?;
                Term::After(mv, Box::new(self.inside(tree)?))
            }
            ("every" | "some", [CallArgument::Word(word, place), CallArgument::Tree(tree)]) => {
                let level = if word == "any" {
                    None
                } else {
                    Some(self.colour(word, place)?)
                };
                Term::Moves {
                    every: name == "every",
                    level,
                    code: Box::new(self.inside(tree)?),
                }
            }
            _ => {
                return self.refuse(
                    span,
                    format!("'{name}' has other arguments; see the grammar"),
                );
            }
        };
        Ok((code, ValueType::Truth))
    }

    fn inside(&mut self, tree: &SyntaxTree) -> Result<Term, ExpressionError> {
        self.depth += 1;
        let code = self.truth(tree);
        self.depth -= 1;
        code
    }
}

/// A comparison of a part that is no condition by itself.
fn compared(part: &str, kind: ValueType) -> String {
    match kind {
        ValueType::Outcome if matches!(part, "win" | "draw" | "loss") => format!("value = {part}"),
        ValueType::Outcome => format!("{part} = win"),
        ValueType::Number if part.parse::<i64>().is_ok() => format!("moves = {part}"),
        // A colour; squares have digits.
        ValueType::Level if !part.contains(|letter: char| letter.is_ascii_digit()) => {
            format!("count({part}) = 1")
        }
        ValueType::Number | ValueType::Level | ValueType::Truth => format!("{part} = 1"),
    }
}

/// The pile that a call counts.
fn pile(call: &str) -> Option<Pile> {
    match call {
        "hand" => Some(Pile::Hand),
        "other_hand" => Some(Pile::OtherHand),
        "market" => Some(Pile::Market),
        "bag" => Some(Pile::Bag),
        _ => None,
    }
}
