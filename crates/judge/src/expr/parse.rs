//! From text to tree, by the grammar of `docs/reference/expressions.md`.

use winnow::combinator::{alt, cut_err, delimited, eof, opt, peek, preceded, terminated};
use winnow::error::{ContextError, ErrMode};
use winnow::prelude::*;
use winnow::stream::{LocatingSlice, Location};
use winnow::token::{any, one_of, take_till, take_while};

use greenwave_game::Message;
use greenwave_game::keyed::nearest;

use super::ExpressionError;
use super::field::fields;
use super::tree::{CallArgument, Node, Operator, SyntaxTree};
use crate::messages;

type Input<'s> = LocatingSlice<&'s str>;
type ParseResult<T> = ModalResult<T, ContextError<Token>>;

/// What is expected at a place.
#[derive(Clone, Copy, Debug)]
enum Token {
    Part,
    Operator,
    Bracket,
    Number,
    Opening,
    OpeningOfWins,
    Comma,
    Closing,
    Picture,
    Colour,
    Square,
    Move,
}

impl Token {
    fn message(self) -> Message {
        match self {
            Token::Part => messages::wanted_part(),
            Token::Operator => messages::wanted_operator(),
            Token::Bracket => messages::wanted_bracket(),
            Token::Number => "a number below 2^40".into(),
            Token::Opening => "'(' and what the call is about".into(),
            Token::OpeningOfWins => "'(' and a move; did you mean the value 'win'?".into(),
            Token::Comma => "',' and an expression".into(),
            Token::Closing => "')'".into(),
            Token::Picture => "a picture in double quotes".into(),
            Token::Colour => messages::wanted_any_colour(),
            Token::Square => "a square such as b2".into(),
            Token::Move => "a move such as b2".into(),
        }
    }
}

/// How deeply parentheses and calls can stand inside each other.
const MOST_OPEN: usize = 100;
/// Parts inside each other, at most: `1 + 2 + 3` has three, as a sum is made from the left. A walk
/// through the tree fits the stack of any thread then.
const DEEPEST: usize = 500;
/// The greatest length of an expression, in bytes.
const LONGEST: usize = 4000;

/// Calls with the kinds of their arguments: `c` colour, `m` move, `s` square, `t` text, `e`
/// expression.
pub(super) const CALLS: [(&str, &str); 15] = [
    ("count", "c"),
    ("shows", "t"),
    ("legal", "m"),
    ("wins", "m"),
    ("loses_at_once", "m"),
    ("gain", "m"),
    ("completing", "c"),
    ("after", "me"),
    ("every", "ce"),
    ("some", "ce"),
    ("cylinder", "s"),
    ("hand", "c"),
    ("other_hand", "c"),
    ("market", "c"),
    ("bag", "c"),
];

/// Reads a whole expression.
pub(super) fn parse(text: &str) -> Result<SyntaxTree, ExpressionError> {
    if text.len() > LONGEST {
        return Err(ExpressionError::new(
            text,
            0,
            format!(
                "found {} bytes, expected an expression of at most {LONGEST}",
                text.len()
            ),
        ));
    }
    let deepest = text
        .bytes()
        .fold((0_usize, 0_usize), |(depth, most), byte| {
            let depth = match byte {
                b'(' => depth + 1,
                b')' => depth.saturating_sub(1),
                _ => depth,
            };
            (depth, most.max(depth))
        });
    let prefixes = text.matches("not").count() + text.matches('-').count();
    let too_many = |found: usize, what: &str, most: usize| {
        let problem = format!("found {found} {what}, expected at most {most}; shorten it");
        Err(ExpressionError::new(text, 0, problem))
    };
    if deepest.1 > MOST_OPEN {
        return too_many(deepest.1, "parentheses inside each other", MOST_OPEN);
    }
    // Each may be a step of the parser into itself.
    if prefixes > DEEPEST {
        return too_many(prefixes, "times 'not' and '-'", DEEPEST);
    }
    let mut whole = terminated(disjunction, (spaces, expected(eof, Token::Operator)));
    let tree = whole.parse(Input::new(text)).map_err(|error| {
        let wanted = error.inner().context().next();
        let wanted = wanted.copied().unwrap_or(Token::Part).message();
        let offset = error.offset();
        no_call(text, offset)
            .unwrap_or_else(|| ExpressionError::new(text, offset, instead(text, offset, wanted)))
    })?;
    match tree.depth() {
        depth if depth > DEEPEST => too_many(depth, "parts inside each other", DEEPEST),
        _ => Ok(tree),
    }
}

/// The error about a name before a parenthesis where there is no such call and another name is near.
fn no_call(text: &str, offset: usize) -> Option<ExpressionError> {
    let before = text
        .get(..offset)
        .filter(|_| text[offset..].starts_with('('))?;
    let name = before.trim_end_matches(|c| !is_word(c));
    let begin = name.trim_end_matches(is_word).len();
    let name = &name[begin..];
    let calls = CALLS.iter().map(|(call, _)| *call);
    let known = calls.chain(fields().map(|(_, field, _)| field));
    let near = nearest(&name.to_lowercase(), known).filter(|near| *near != name)?;
    let problem = messages::expression_call_near(name, near);
    Some(ExpressionError::new(text, begin, problem))
}

/// What stands at a place, and what was expected there.
fn instead(text: &str, offset: usize, wanted: Message) -> Message {
    let rest = text.get(offset..).unwrap_or("");
    let word: String = rest
        .chars()
        .take_while(|c| c.is_alphanumeric() || *c == '_')
        .collect();
    match (word.is_empty(), rest.chars().next()) {
        (false, _) => messages::expression_found(word, wanted),
        (true, Some(letter)) => messages::expression_found(letter, wanted),
        (true, None) => messages::expression_end(wanted),
    }
}

fn expected<'s, O>(
    parser: impl Parser<Input<'s>, O, ErrMode<ContextError<Token>>>,
    wanted: Token,
) -> impl Parser<Input<'s>, O, ErrMode<ContextError<Token>>> {
    cut_err(parser.context(wanted))
}

fn spaces(input: &mut Input<'_>) -> ParseResult<()> {
    take_while(0.., char::is_whitespace)
        .void()
        .parse_next(input)
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn keyword<'s>(word: &'static str) -> impl Parser<Input<'s>, (), ErrMode<ContextError<Token>>> {
    (spaces, word, peek(winnow::combinator::not(one_of(is_word)))).void()
}

fn symbol<'s>(symbol: &'static str) -> impl Parser<Input<'s>, (), ErrMode<ContextError<Token>>> {
    (spaces, symbol).void()
}

fn joined(operator: Operator, left: SyntaxTree, right: SyntaxTree) -> SyntaxTree {
    let span = left.span.start..right.span.end;
    let node = Node::Binary(operator, Box::new(left), Box::new(right));
    SyntaxTree { node, span }
}

fn disjunction(input: &mut Input<'_>) -> ParseResult<SyntaxTree> {
    let mut left = conjunction(input)?;
    while opt(keyword("or")).parse_next(input)?.is_some() {
        left = joined(Operator::Or, left, conjunction(input)?);
    }
    Ok(left)
}

fn conjunction(input: &mut Input<'_>) -> ParseResult<SyntaxTree> {
    let mut left = negation(input)?;
    while opt(keyword("and")).parse_next(input)?.is_some() {
        left = joined(Operator::And, left, negation(input)?);
    }
    Ok(left)
}

fn negation(input: &mut Input<'_>) -> ParseResult<SyntaxTree> {
    spaces(input)?;
    let start = input.current_token_start();
    if opt(keyword("not")).parse_next(input)?.is_some() {
        let inner = negation(input)?;
        let span = start..inner.span.end;
        return Ok(SyntaxTree {
            node: Node::Not(Box::new(inner)),
            span,
        });
    }
    comparison(input)
}

fn comparison(input: &mut Input<'_>) -> ParseResult<SyntaxTree> {
    let left = sum(input)?;
    let operator = opt(preceded(
        spaces,
        alt((
            "==".value(Operator::Equal),
            "=".value(Operator::Equal),
            "!=".value(Operator::Unequal),
            "<=".value(Operator::AtMost),
            ">=".value(Operator::AtLeast),
            "<".value(Operator::Less),
            ">".value(Operator::Greater),
        )),
    ))
    .parse_next(input)?;
    match operator {
        Some(operator) => Ok(joined(operator, left, sum(input)?)),
        None => Ok(left),
    }
}

fn sum(input: &mut Input<'_>) -> ParseResult<SyntaxTree> {
    let mut left = product(input)?;
    loop {
        let operator = opt(preceded(
            spaces,
            alt(("+".value(Operator::Plus), "-".value(Operator::Minus))),
        ))
        .parse_next(input)?;
        let Some(operator) = operator else {
            return Ok(left);
        };
        left = joined(operator, left, product(input)?);
    }
}

fn product(input: &mut Input<'_>) -> ParseResult<SyntaxTree> {
    let mut left = factor(input)?;
    loop {
        let operator = opt(preceded(
            spaces,
            alt(("*".value(Operator::Times), "%".value(Operator::Remainder))),
        ))
        .parse_next(input)?;
        let Some(operator) = operator else {
            return Ok(left);
        };
        left = joined(operator, left, factor(input)?);
    }
}

fn factor(input: &mut Input<'_>) -> ParseResult<SyntaxTree> {
    spaces(input)?;
    let start = input.current_token_start();
    let first = expected(peek(any), Token::Part).parse_next(input)?;
    match first {
        '(' => {
            let inner = delimited("(", disjunction, expected((spaces, ")"), Token::Bracket))
                .parse_next(input)?;
            Ok(SyntaxTree {
                span: start..input.current_token_start(),
                ..inner
            })
        }
        '-' => {
            let inner = preceded("-", factor).parse_next(input)?;
            let span = start..inner.span.end;
            Ok(SyntaxTree {
                node: Node::Minus(Box::new(inner)),
                span,
            })
        }
        '0'..='9' => {
            let number = expected(
                take_while(1.., |c: char| c.is_ascii_digit()).verify_map(|digits: &str| {
                    digits.parse().ok().filter(|number| *number < 1 << 40)
                }),
                Token::Number,
            )
            .parse_next(input)?;
            Ok(SyntaxTree {
                node: Node::Number(number),
                span: start..input.current_token_start(),
            })
        }
        _ => name_or_call(input, start),
    }
}

fn name_or_call(input: &mut Input<'_>, start: usize) -> ParseResult<SyntaxTree> {
    let name = expected(take_while(1.., is_word), Token::Part).parse_next(input)?;
    let kinds = CALLS
        .iter()
        .find(|(call, _)| *call == name)
        .map(|(_, kinds)| *kinds);
    let end = input.current_token_start();
    let Some(kinds) = kinds else {
        return Ok(SyntaxTree {
            node: Node::Name(name.into()),
            span: start..end,
        });
    };
    let opening = match name {
        "wins" => Token::OpeningOfWins,
        _ => Token::Opening,
    };
    expected((spaces, "("), opening).parse_next(input)?;
    let mut arguments = Vec::new();
    for (number, kind) in kinds.chars().enumerate() {
        if number > 0 {
            expected(symbol(","), Token::Comma).parse_next(input)?;
        }
        arguments.push(argument(input, kind)?);
    }
    expected(symbol(")"), Token::Closing).parse_next(input)?;
    let span = start..input.current_token_start();
    Ok(SyntaxTree {
        node: Node::Call(name.into(), arguments),
        span,
    })
}

fn argument(input: &mut Input<'_>, kind: char) -> ParseResult<CallArgument> {
    spaces(input)?;
    let start = input.current_token_start();
    match kind {
        'e' => disjunction(input).map(CallArgument::Tree),
        't' => {
            let text = expected(delimited('"', take_till(0.., '"'), '"'), Token::Picture)
                .parse_next(input)?;
            Ok(CallArgument::Text(
                text.into(),
                start..input.current_token_start(),
            ))
        }
        'c' => {
            let word = expected(take_while(1.., is_word), Token::Colour).parse_next(input)?;
            Ok(CallArgument::Word(
                word.into(),
                start..input.current_token_start(),
            ))
        }
        's' => {
            let word = expected(take_while(1.., is_word), Token::Square).parse_next(input)?;
            Ok(CallArgument::Word(
                word.into(),
                start..input.current_token_start(),
            ))
        }
        _ => {
            let word = expected(
                take_while(1.., |c: char| !c.is_whitespace() && !"(),\"".contains(c)),
                Token::Move,
            )
            .parse_next(input)?;
            Ok(CallArgument::Word(
                word.into(),
                start..input.current_token_start(),
            ))
        }
    }
}
