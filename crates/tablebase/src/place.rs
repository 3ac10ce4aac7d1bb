//! The position that a question is about: a text, or the start, and moves from there.

use greenwave_game::{
    AnyMove, AnyPosition, Game, Message, Rules, SetupError, Variant, is_one_move,
};

use crate::handed_position::handed_back;
use crate::{Effort, Error, messages};

/// A position as it is given: a text, or the start of the game, and moves played from there.
///
/// # Examples
/// ```
/// use greenwave_tablebase::Place;
///
/// let after_two = Place::start().after("b2R,b2Y");
/// let typed = Place::at("R../.Y./..G");
/// # let _ = (after_two, typed);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place<'a> {
    /// The text of the position; the start if there is none.
    pub position: Option<&'a str>,
    /// Moves with commas or spaces between them.
    pub moves: Option<&'a str>,
}

impl<'a> Place<'a> {
    /// The start of the game.
    #[must_use]
    pub fn start() -> Place<'a> {
        Place::default()
    }

    /// The position of a text.
    #[must_use]
    pub fn at(position: &'a str) -> Place<'a> {
        Place {
            position: Some(position),
            ..Place::default()
        }
    }

    /// What moves lead to, with commas or spaces between them.
    #[must_use]
    pub fn after(self, moves: &'a str) -> Place<'a> {
        Place {
            moves: Some(moves),
            ..self
        }
    }

    /// The position of a game.
    ///
    /// # Errors
    /// When the text cannot be a position of the game, and when a move is not legal where it is to be
    /// played.
    pub fn find(&self, variant: &Variant) -> Result<AnyPosition, Error> {
        let played = self.play(variant)?;
        Ok(played.steps.last().map_or(played.start, |step| step.to))
    }

    /// The position that is given, and step by step the moves played from it.
    ///
    /// # Errors
    /// As [`Place::find`].
    pub fn play(&self, variant: &Variant) -> Result<PlayedMoves, Error> {
        let handed = match self.position {
            Some(text) => handed_back(variant, text.trim())?,
            None => None,
        };
        let start = match handed.as_deref().or(self.position) {
            Some(text) => match read_position(variant, text.trim()) {
                Ok(position) => position,
                Err(error) => return Err(self.move_for_position(variant, text.trim(), error)),
            },
            None => variant.start(),
        };
        let moves = self.moves.map(read_moves).unwrap_or_default();
        Ok(PlayedMoves {
            steps: play_moves(variant, &start, &moves)?,
            start,
        })
    }
}

/// Reads a text as a position of a game.
fn read_position(variant: &Variant, text: &str) -> Result<AnyPosition, SetupError> {
    Effort::read_a_text();
    variant.parse_position(text)
}

impl Place<'_> {
    /// The message about a text that is no position: a move was meant, or what is wrong with it.
    fn move_for_position(&self, variant: &Variant, text: &str, error: SetupError) -> Error {
        let is_move = |text: &str| match variant.parse_move(&variant.start(), text) {
            Ok(_) => true,
            Err(error) => error.readable,
        };
        let moves = read_moves(text);
        if moves.is_empty() || !moves.iter().all(|text| is_move(text)) {
            return error.into();
        }
        let (some, one) = match moves.as_slice() {
            [_] => ("a move", "it"),
            _ => ("moves", "them"),
        };
        let name = variant.rules().title();
        let mut told = format!("'{text}' is {some}, where a position was expected; ");
        if let Ok(steps) = play_moves(variant, &variant.start(), &moves) {
            let moves: Vec<String> = steps.iter().map(|step| step.text(variant)).collect();
            let moves = moves.join(",");
            let order = lights_option(variant.rules());
            told.push_str(&format!(
                "'greenwave query {name} --moves {moves}{order}' plays {one} from the start, and "
            ));
        }
        told.push_str(&format!(
            "a position of {name} is written for example {}",
            error.example
        ));
        Error::refused(told)
    }
}

/// The option with which a command has the order of the lights of a game, where its name alone means
/// another; a blank before it.
#[must_use]
pub fn lights_option(rules: &Rules) -> String {
    let usual = Variant::parse(rules.title()).map(|variant| variant.rules().lights);
    match rules.lights {
        Some(lights) if usual != Ok(Some(lights)) => format!(" --lights {lights}"),
        _ => String::new(),
    }
}

impl<'a> From<&'a str> for Place<'a> {
    fn from(position: &'a str) -> Place<'a> {
        Place::at(position)
    }
}

/// A list of moves that was played.
#[derive(Clone, Debug)]
pub struct PlayedMoves {
    /// Where it began.
    pub start: AnyPosition,
    /// Every move and every draw of chance, in order.
    pub steps: Vec<PlayedStep>,
}

/// A move or a draw of a list.
#[derive(Clone, Copy, Debug)]
pub struct PlayedStep {
    /// The position before it.
    pub from: AnyPosition,
    /// The move; `None` for a draw of chance.
    pub mv: Option<AnyMove>,
    /// The position after it.
    pub to: AnyPosition,
}

impl PlayedStep {
    /// The move as the game writes it, or what was drawn, in brackets.
    fn text(&self, variant: &Variant) -> String {
        match self.mv {
            Some(mv) => variant.move_text(&self.from, mv),
            None => format!("[{}]", variant.draw_text(&self.to)),
        }
    }
}

/// Cuts a list into moves as people write them: commas, semicolons and blanks stand between them, and a
/// draw in brackets is one of its own also where it follows a move directly, `b2Y+G[RG]`. Numbers of
/// moves (`1.`, `2...`, `1.b2R`; `1`, `2` without a dot, where each is the next one), remarks in braces or
/// parentheses or from a lone `#` to the end of its line, marks (`b2R!`) and a result at the end are left out, and
/// so are what records of chess have besides: `[Event "x"]`, `$1`, and `; words` to the end of a line. A square
/// and its light may be two words, `b2 red`. A list of JSON is one of moves, too.
#[must_use]
pub fn read_moves(list: &str) -> Vec<&str> {
    let mut moves = Vec::new();
    let mut after_number = false;
    let mut number = 0;
    let between = |letter: char| ",;|\"\u{feff}".contains(letter) || letter.is_whitespace();
    let inside = list
        .trim()
        .strip_prefix('[')
        .and_then(|list| list.strip_suffix(']'));
    let inside = inside.filter(|list| list.trim_start().starts_with('"'));
    for word in without_remarks(inside.unwrap_or(list))
        .into_iter()
        .flat_map(|part| part.split(between))
    {
        // What stands between moves: "1. ... b2Y", "b2R - b2Y".
        let is_between = ["-", "–", "—", "→", "->"].contains(&word) && word != list.trim();
        if is_between || after_number && ["...", "…"].contains(&word) {
            continue;
        }
        if is_no_move(word) {
            continue;
        }
        if word.parse() == Ok(number + 1) {
            number += 1;
            after_number = true;
            continue;
        }
        let mut rest = without_number(word).trim_end_matches(['!', '?', '#']);
        after_number = rest.is_empty() && (after_number || !word.is_empty());
        while let Some(at) = rest.find('[') {
            let end = rest[at..].find(']').map_or(rest.len(), |end| at + end + 1);
            moves.extend([&rest[..at], &rest[at..end]]);
            rest = &rest[end..];
        }
        moves.push(rest);
    }
    moves.retain(|text| !text.is_empty());
    const RESULTS: [&str; 8] = ["1-0", "0-1", "1/2-1/2", "½-½", "1/2", "½", "*", "1–0"];
    while moves.last().is_some_and(|last| RESULTS.contains(last)) {
        moves.pop();
    }
    // A word alone is a move that somebody mistyped, and no game.
    while let [_, .., last] = moves[..]
        && is_last_word(last)
    {
        moves.pop();
    }
    joined(list, &moves)
}

/// Whether a word says how good a move is, `$1`, or who made it, `First:`.
fn is_no_move(word: &str) -> bool {
    let is_glyph = |number: &str| number.bytes().all(|byte| byte.is_ascii_digit());
    let is = |player: &str| word.eq_ignore_ascii_case(player);
    word.strip_prefix('$').is_some_and(is_glyph) || is("first:") || is("second:")
}

/// Whether a word after the moves says how the game ended, and for whom.
fn is_last_word(word: &str) -> bool {
    const WORDS: [&str; 10] = [
        "resigns",
        "resigned",
        "resign",
        "draw",
        "drawn",
        "agreed",
        "adjourned",
        "abandoned",
        "first",
        "second",
    ];
    let word = word.trim_end_matches(['.', ':']);
    WORDS.iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// Moves of a list, those of two words that blanks or a dash part made one.
fn joined<'t>(list: &'t str, words: &[&'t str]) -> Vec<&'t str> {
    let place = |word: &str| word.as_ptr() as usize - list.as_ptr() as usize;
    let is_near = |between: &str| {
        let nothing = |letter: char| letter.is_whitespace() || "-–—→>".contains(letter);
        !between.contains('\n') && between.chars().all(nothing)
    };
    let mut moves = Vec::with_capacity(words.len());
    let mut rest = words;
    while let [first, others @ ..] = rest {
        let begin = place(first);
        let end = others
            .first()
            .filter(|second| is_one_move(first, second))
            .filter(|second| is_near(&list[begin + first.len()..place(second)]))
            .map(|second| place(second) + second.len());
        moves.push(end.map_or(*first, |end| &list[begin..end]));
        rest = if end.is_some() { &others[1..] } else { others };
    }
    moves
}

/// What stands between the remarks of a list; a bracket that nothing closes begins none.
fn without_remarks(list: &str) -> Vec<&str> {
    let (mut parts, mut rest) = (Vec::new(), list);
    while let Some(begin) = remark_start(rest) {
        let Some(length) = remark_length(&rest[begin..]) else {
            break;
        };
        parts.push(&rest[..begin]);
        rest = &rest[begin + length..];
    }
    parts.push(rest);
    parts
}

/// Where a remark begins. A `#` begins one as a word of its own: elsewhere it is a mark, or a gap of a board. A `;`
/// begins one before a blank and a word that is no move.
fn remark_start(text: &str) -> Option<usize> {
    let ends = |letter: Option<char>| letter.is_none_or(char::is_whitespace);
    let is_word =
        |at: usize| ends(text[..at].chars().next_back()) && ends(text[at + 1..].chars().next());
    text.char_indices()
        .find(|(at, letter)| match letter {
            '{' | '(' => true,
            '#' => is_word(*at),
            ';' => is_comment(&text[at + 1..]),
            '[' => header_length(&text[*at..]).is_some(),
            _ => false,
        })
        .map(|(at, _)| at)
}

/// Bytes of the remark that a text begins with; those in parentheses may have others in them.
fn remark_length(text: &str) -> Option<usize> {
    if text.starts_with('{') {
        return text.find('}').map(|end| end + 1);
    }
    if text.starts_with(['#', ';']) {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    if text.starts_with('[') {
        return header_length(text);
    }
    let mut open = 0;
    text.char_indices().find_map(|(at, letter)| {
        match letter {
            '(' => open += 1,
            ')' => open -= 1,
            _ => {}
        }
        (open == 0).then_some(at + 1)
    })
}

/// Whether what follows a `;` is a comment and no move: a blank and a word of letters alone, which is no move by
/// itself and none with the next word, as `red b2` is.
fn is_comment(text: &str) -> bool {
    const MOVES: [&str; 6] = ["pass", "swap", "off", "miss", "turn", "x"];
    let line = text.lines().next().unwrap_or_default();
    let words = line.split(|letter: char| letter.is_whitespace() || ",;|".contains(letter));
    let mut words = words.filter(|word| !word.is_empty());
    let (first, second) = (
        words.next().unwrap_or_default(),
        words.next().unwrap_or_default(),
    );
    let letters = first.trim_end_matches(|letter: char| letter.is_ascii_punctuation());
    let is_move = MOVES.iter().any(|mv| letters.eq_ignore_ascii_case(mv));
    let is_word = !letters.is_empty() && letters.chars().all(char::is_alphabetic);
    line.starts_with(char::is_whitespace) && is_word && !is_move && !is_one_move(first, second)
}

/// Bytes of a line `[Event "x"]` that a text begins with.
fn header_length(text: &str) -> Option<usize> {
    let line = text.lines().next()?.trim_end();
    let (name, value) = line.strip_prefix('[')?.split_once(char::is_whitespace)?;
    let is_name = !name.is_empty() && name.chars().all(char::is_alphanumeric);
    let value = value.trim_start().strip_prefix('"').filter(|_| is_name)?;
    value.trim_end().ends_with("\"]").then_some(line.len())
}

/// Whether a line is one of those with which records of chess begin, `[Event "x"]`.
#[must_use]
pub fn is_header_line(line: &str) -> bool {
    header_length(line.trim()).is_some()
}

/// A word without the number of a move that stands before it: `1.`, `12...`, `3)`, `4:`.
fn without_number(word: &str) -> &str {
    let after = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let rest = after.trim_start_matches(['.', ')', ':', '…']);
    if after.len() < word.len() && rest.len() < after.len() {
        rest
    } else {
        word
    }
}

/// Plays moves from a position. In games with chance each draw is given in brackets, `[RG]`: what
/// lies in the market after it.
///
/// # Errors
/// [`Error::Move`] with the number of the move, counted from 1, its text, and what was legal on its
/// square.
pub fn play_moves(
    variant: &Variant,
    start: &AnyPosition,
    moves: &[&str],
) -> Result<Vec<PlayedStep>, Error> {
    let mut steps: Vec<PlayedStep> = Vec::with_capacity(moves.len());
    let mut draws = Vec::new();
    for (place, text) in moves.iter().enumerate() {
        let from = steps.last().map_or(*start, |step| step.to);
        let wrong = |problem: Message| Error::Move {
            number: place + 1,
            text: (*text).into(),
            played: moves[..place].iter().map(|text| (*text).into()).collect(),
            problem,
        };
        let read = variant.parse_move(&from, text);
        if read.is_err() && read_position(variant, text).is_ok() {
            return Err(wrong(
                "this is a position, where a move was expected; a position is given before --moves, \
                 as the word after the variant"
                    .into(),
            ));
        }
        if variant.ending(&from).is_some() {
            return Err(wrong(messages::move_over()));
        }
        variant.draws(&from, &mut draws);
        let step = match (draws.is_empty(), drawn(text)) {
            (true, None) => {
                let mv = read.map_err(|error| wrong(illegal(text, error.problem, &error.legal)))?;
                PlayedStep {
                    from,
                    mv: Some(mv),
                    to: variant.play(&from, mv).to,
                }
            }
            (false, Some(text)) => {
                let texts = draws.iter().map(|(to, _)| variant.draw_text(to));
                let found = texts.clone().position(|known| same_counters(&known, text));
                let Some(found) = found else {
                    let all: Vec<String> = texts.map(|text| format!("[{text}]")).collect();
                    let all = all.join(" ");
                    return Err(wrong(messages::draw_impossible(all)));
                };
                PlayedStep {
                    from,
                    mv: None,
                    to: draws[found].0,
                }
            }
            (true, Some(_)) => return Err(wrong(messages::draw_none())),
            (false, None) => {
                let example = variant.draw_text(&draws[0].0);
                return Err(wrong(messages::draw_first(format!("[{example}]"))));
            }
        };
        steps.push(step);
    }
    Ok(steps)
}

/// The counters of a draw, between brackets.
fn drawn(text: &str) -> Option<&str> {
    text.strip_prefix('[')?.strip_suffix(']')
}

/// Whether two texts name the same counters, in whatever order.
fn same_counters(known: &str, text: &str) -> bool {
    let sorted = |text: &str| {
        let mut letters: Vec<char> = text.chars().map(|c| c.to_ascii_uppercase()).collect();
        letters.sort_unstable();
        letters
    };
    sorted(known) == sorted(text)
}

/// What is wrong with a move, and what was legal on its square.
fn illegal(text: &str, problem: Message, legal: &[String]) -> Message {
    let there = |square: &String| -> Vec<&str> {
        let legal = legal.iter().map(String::as_str);
        legal
            .filter(|mv| square_of(mv).as_ref() == Some(square))
            .collect()
    };
    let squares = squares_of(text);
    match squares.iter().find(|square| !there(square).is_empty()) {
        Some(square) => messages::legal_there(problem, square, there(square).join(" ")),
        None => match squares.last() {
            Some(square) => messages::legal_elsewhere(problem, square, legal.join(" ")),
            None => messages::legal(problem, legal.join(" ")),
        },
    }
}

/// The square that a move begins with: letters of a file, then the digits of a rank.
fn square_of(text: &str) -> Option<String> {
    let text = text.trim_start_matches('+').to_ascii_lowercase();
    let file = text.bytes().take_while(u8::is_ascii_lowercase).count();
    let rank = text[file..].bytes().take_while(u8::is_ascii_digit).count();
    (file > 0 && rank > 0).then(|| text[..file + rank].to_string())
}

/// The squares that a move as people write it can be meant for, the likeliest last: `Rb2` begins with a
/// light.
fn squares_of(text: &str) -> Vec<String> {
    let mut words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
    let found = words.find_map(square_of);
    let letters = |square: &str| square.bytes().take_while(u8::is_ascii_lowercase).count();
    found.map_or_else(Vec::new, |square| {
        (0..letters(&square))
            .map(|light| square[light..].to_string())
            .collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(variant: &str, moves: &str) -> Result<String, String> {
        let variant = Variant::parse(variant).unwrap();
        let place = Place::start().after(moves);
        let position = place.find(&variant).map_err(|error| error.to_string())?;
        Ok(variant.position_text(&position))
    }

    #[test]
    fn lists_are_cut_at_commas_blanks_and_brackets() {
        assert_eq!(read_moves("b2R, b2Y  a1"), ["b2R", "b2Y", "a1"]);
        assert_eq!(
            read_moves("[RG]+R[YY]b2Y+G"),
            ["[RG]", "+R", "[YY]", "b2Y+G"]
        );
        assert_eq!(read_moves("b2R,,"), ["b2R"]);
        assert_eq!(read_moves("[RG"), ["[RG"]);
        assert!(read_moves(" ").is_empty());
    }

    #[test]
    fn games_are_read_as_people_write_them() {
        let four = ["b2R", "b2Y", "b2G", "a1R"];
        for text in [
            "1. b2R b2Y 2. b2G a1R",
            "1.b2R 1...b2Y 2.b2G 2...a1R",
            "1. b2R; b2Y; 2. b2G; a1R; 1-0",
            "1) b2R b2Y\n2) b2G a1R\n",
            "\u{feff}b2R,b2Y\r\nb2G,a1R *",
            "1. b2R! {the middle, of course} b2Y?? 2. b2G {only} a1R 0-1",
            "b2R b2Y b2G a1R 1/2-1/2",
            "1 b2R b2Y 2 b2G a1R",
            "1 b2R 2 b2Y 3 b2G 4 a1R",
            "# a short one\nb2R b2Y # the middle\nb2G a1R#",
            "[\"b2R\", \"b2Y\",\"b2G\",\"a1R\"]",
            "[Event \"a [b] # c\"]\n[Result \"1-0\"]\n\n1. b2R $1 b2Y $14 2. b2G a1R 1-0",
            "b2R ; a good move\nb2Y; better than b1Y\nb2G;a1R ; the corner",
            "First: b2R\nSecond: b2Y\nFirst: b2G\nSecond: a1R\nFirst resigns.",
            "b2R b2Y b2G a1R draw agreed",
            "b2R b2Y b2G a1R\nAdjourned",
            "1. b2R (the middle (of course)) b2Y? (1... a1R, 2. b2R) 2. b2G(only){or so}a1R (lost)",
        ] {
            assert_eq!(read_moves(text), four, "{text}");
        }
        for (text, moves) in [
            ("b2 red b2 yellow", &["b2 red", "b2 yellow"][..]),
            (
                "1. R b2 Y b2 2. G  b2, a1",
                &["R b2", "Y b2", "G  b2", "a1"],
            ),
            ("b2 - R a1 R", &["b2 - R", "a1 R"]),
            ("a1, R b2", &["a1", "R b2"]),
            ("a1 R b2 grün c3", &["a1 R", "b2 grün", "c3"]),
            ("b2\nR a1", &["b2", "R a1"]),
            ("b2 {the middle} red", &["b2", "red"]),
            ("slide N slide Et b2R", &["slide N", "slide Et", "b2R"]),
            ("b2R - b2Y a1 b1", &["b2R", "b2Y", "a1", "b1"]),
            ("[\"b2 red\", \"a1\"]", &["b2 red", "a1"]),
        ] {
            assert_eq!(read_moves(text), moves, "{text}");
        }
        // A word alone is a move that is none, and moves may stand after a semicolon.
        assert_eq!(read_moves("resigns"), ["resigns"]);
        assert_eq!(
            read_moves("b2R ; pass ; R a1; swap"),
            ["b2R", "pass", "R a1", "swap"]
        );
        // A dash alone stands between nothing.
        assert_eq!(read_moves(" - "), ["-"]);
        // A bracket that nothing closes hides no move.
        assert_eq!(read_moves("b2R (and b2Y"), ["b2R", "(and", "b2Y"]);
        assert_eq!(read_moves("b2R {and b2Y"), ["b2R", "{and", "b2Y"]);
        // Text that only looks like a number stays in the list of moves.
        assert_eq!(read_moves("12 ... 3x"), ["12", "...", "3x"]);
        assert_eq!(read_moves("d2-b1 +c2 off"), ["d2-b1", "+c2", "off"]);
    }

    #[test]
    fn moves_are_played_from_the_start() {
        assert_eq!(
            played("classic-3x3", "b2R,b2Y a1"),
            Ok(".../.Y./R..".into())
        );
        assert_eq!(played("ampel-4-2-1", ""), played("ampel-4-2-1", " , "));
    }

    #[test]
    fn all_ways_to_write_a_move_lead_to_one_position() {
        for (variant, usual, written) in [
            (
                "classic-3x3",
                "b2R a1R",
                &[
                    "b2=R a1-R",
                    "Rb2, R a1",
                    "b2 red a1 rot",
                    "B2:r → a1R",
                    "b2 rojo; vermelho a1",
                ][..],
            ),
            (
                "semaforo",
                "b2G a1G",
                &["b2 verde a1 green", "Gb2 g=a1", "b2->G a1"],
            ),
            (
                "slider",
                "s1R slide-N",
                &["R s1 slide N", "s1 red, slide–N", "s1=R SLIDE-n"],
            ),
            (
                "noughts-3x3",
                "b2 a1",
                &["b2X a1O", "X b2, O a1", "b2=x;o@a1"],
            ),
            ("bag-classic-3x3", "[RG] +R", &["[GR] +red", "[RG]+r"]),
        ] {
            let expected = played(variant, usual).unwrap();
            for written in written {
                assert_eq!(
                    played(variant, written).as_ref(),
                    Ok(&expected),
                    "{variant} {written}"
                );
            }
        }
        for (variant, written, told) in [
            (
                "classic-3x3",
                "Yb2",
                "that square turns red next, written 'R'; legal on b2: b2R",
            ),
            (
                "classic-3x3",
                "b2 yellow",
                "that square turns red next, written 'R'; legal on b2: b2R",
            ),
            ("classic-3x3", "Rd4", "nothing is legal on d4"),
            ("noughts-3x3", "b2O", "X is to move"),
        ] {
            let error = played(variant, written).unwrap_err();
            assert!(error.contains(told), "{written}: {error}");
        }
    }

    #[test]
    fn an_illegal_move_is_named_with_what_was_legal_there() {
        let error = played("classic-3x3", "b2R b2Y b2R").unwrap_err();
        assert!(error.starts_with("move 3, 'b2R': "), "{error}");
        assert!(error.contains("legal on b2: b2G"), "{error}");
        assert!(error.ends_with("played before it: b2R b2Y"), "{error}");
        let error = played("classic-3x3", "b2 b2 b2 b2R").unwrap_err();
        assert!(error.contains("nothing is legal on b2"), "{error}");
        let error = played("classic-3x3", "hello").unwrap_err();
        assert!(error.starts_with("move 1, 'hello': "), "{error}");
        let error = played("classic-3x3", "a1 a1 b1 b1 c1 c1 a1").unwrap_err();
        assert!(error.contains("the game is over before it"), "{error}");
    }

    #[test]
    fn a_move_for_a_position_and_a_position_for_a_move_are_told() {
        let variant = Variant::parse("classic-3x3").unwrap();
        let error = |text: &str| Place::at(text).find(&variant).unwrap_err().to_string();
        assert!(error("b2R").starts_with("'b2R' is a move, where a position was expected"));
        assert!(
            error("b2R,b2Y").contains("'greenwave query classic-3x3 --moves b2R,b2Y' plays them"),
            "{}",
            error("b2R,b2Y")
        );
        assert!(
            error("b2 red; Y b2")
                .contains("'greenwave query classic-3x3 --moves b2R,b2Y' plays them"),
            "{}",
            error("b2 red; Y b2")
        );
        assert!(error("RX./..").contains("cannot be a position"));
        let error = played("classic-3x3", ".../.R./...").unwrap_err();
        assert!(
            error.contains("this is a position, where a move was expected"),
            "{error}"
        );
    }

    #[test]
    fn draws_are_given_in_brackets() {
        let after = played("bag-classic-3x3", "[GR] +R").unwrap();
        assert_eq!(after, ".../.../...;;R;G");
        let error = played("bag-classic-3x3", "+R").unwrap_err();
        assert!(error.contains("a draw comes before it"), "{error}");
        let error = played("bag-classic-3x3", "[RX]").unwrap_err();
        assert!(error.contains("possible are [RR] [RY]"), "{error}");
        let error = played("classic-3x3", "[RG]").unwrap_err();
        assert!(error.contains("nothing is drawn here"), "{error}");
    }
}
