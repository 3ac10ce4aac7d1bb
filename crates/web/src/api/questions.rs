//! The questions of programs, and their parameters.

use crate::answer::AnswerKind;

/// Names a question where its answer is made.
#[derive(Clone, Copy, Debug)]
pub(crate) enum QuestionId {
    Variants,
    Query,
    Explain,
    Line,
    Rules,
    Stats,
    Find,
    Check,
    Compare,
    Review,
    Book,
    Puzzle,
    Play,
    Sum,
    Draw,
}

/// A question that programs can ask.
pub(crate) struct ApiQuestion {
    pub(crate) id: QuestionId,
    /// Its address below `/api/v1/`.
    pub(crate) name: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) answer: ApiAnswer,
    /// Parameters that have to be given.
    pub(crate) needed: &'static [ApiParameter],
    /// Parameters that may be given.
    pub(crate) allowed: &'static [ApiParameter],
}

/// How a question is answered; documents have the text of their schema.
#[derive(Clone, Copy)]
pub(crate) enum ApiAnswer {
    Json(&'static str),
    /// Documents, one a line.
    Lines(&'static str),
    Svg,
}

/// A parameter of a question.
pub(crate) struct ApiParameter {
    pub(crate) name: &'static str,
    pub(crate) meaning: &'static str,
}

impl ApiQuestion {
    /// The parameters, those first that have to be given.
    pub(crate) fn parameters(&self) -> impl Iterator<Item = &'static ApiParameter> {
        self.needed.iter().chain(self.allowed)
    }

    /// Whether a parameter of this name has to be given.
    pub(crate) fn needs(&self, name: &str) -> bool {
        self.needed.iter().any(|parameter| parameter.name == name)
    }
}

impl ApiAnswer {
    /// The kind of the answer.
    pub(crate) fn kind(self) -> AnswerKind {
        match self {
            ApiAnswer::Json(_) => AnswerKind::Json,
            ApiAnswer::Lines(_) => AnswerKind::Lines,
            ApiAnswer::Svg => AnswerKind::Svg,
        }
    }

    /// The schema of a document of the answer; a picture has none.
    pub(crate) fn schema(self) -> Option<&'static str> {
        match self {
            ApiAnswer::Json(schema) | ApiAnswer::Lines(schema) => Some(schema),
            ApiAnswer::Svg => None,
        }
    }
}

/// The text of a schema by the name of its document.
macro_rules! schema {
    ($name:literal) => {
        include_str!(concat!("../../schemas/", $name, ".json"))
    };
}

/// The schemas of documents that answer no question by name.
pub(crate) const OTHER_SCHEMAS: [(&str, &str); 2] =
    [("end", schema!("end")), ("error", schema!("error"))];

const fn parameter(name: &'static str, meaning: &'static str) -> ApiParameter {
    ApiParameter { name, meaning }
}

const LANG: ApiParameter = parameter(
    "lang",
    "Language: en, pt, es or de; this document is the same in all of them",
);
const VARIANT: ApiParameter = parameter(
    "variant",
    "Name of a variant, such as classic-3x4 or classic-3x3:play=misere",
);
const POSITION: ApiParameter = parameter(
    "position",
    "Position, rows from the top with / between; the start if not given",
);
const MOVES: ApiParameter = parameter(
    "moves",
    "Moves played from the position, with commas between them",
);
const LIGHTS: ApiParameter = parameter("lights", "Order of the lights in texts: ryg or gyr");
const BUDGET: ApiParameter = parameter(
    "budget",
    "Time such as 500ms or 2s, or a number of positions; of more time than the server allows a Greenwave-Remark says so",
);
const TEXT_LANG: ApiParameter = parameter("lang", "Language of the text: en, pt, es or de");
const METRIC: ApiParameter = parameter(
    "metric",
    "What to count, several with commas between them, or all; such as value,nimber",
);
const EXPRESSION: ApiParameter = parameter(
    "expression",
    "What to look for, such as value = loss and distance >= 18",
);
const FIELDS: ApiParameter = parameter(
    "fields",
    "What to show of each match, such as value,moves,b2",
);
const LIMIT: ApiParameter = parameter(
    "limit",
    "The most matches to list, the first in index order; 100 if not given, at most 10000",
);
const SAMPLE: ApiParameter = parameter(
    "sample",
    "The number of matches to draw at random, at most 10000",
);
const SEED: ApiParameter = parameter("seed", "What is random follows from it; 0 if not given");
const COUNT_ALONE: ApiParameter = parameter(
    "count",
    "1 for the number of matches alone, without fields and limit",
);
const UP_TO_SYMMETRY: ApiParameter = parameter(
    "up-to-symmetry",
    "1 for one position of each orbit under the symmetries of the board",
);
const CLAIM: ApiParameter = parameter(
    "claim",
    "Id of a built-in claim, several with commas between them, or a claim about all positions \
             that play reaches, such as classic-3x3 none: value = draw; all built-in ones if not given",
);
const LIST: ApiParameter = parameter("list", "1 for the claims as they stand, unsettled");
const VARIANTS: ApiParameter = parameter(
    "variants",
    "Variants with blanks between them, such as classic-3x3+signal-3x3, or two of them as a and b",
);
const SIDE_A: ApiParameter = parameter("a", "A variant, as the form of the page names it");
const SIDE_B: ApiParameter = parameter("b", "Another variant, as the form of the page names it");
const DEPTH: ApiParameter = parameter("depth", "Plies at most, up to 6; 4 if not given");
const SIDE: ApiParameter = parameter(
    "for",
    "first or second: one move of this player in each position; all moves if not given",
);
const COUNT: ApiParameter = parameter("count", "How many, at most 24; 1 if not given");
const PUZZLE_LEVEL: ApiParameter = parameter("level", "How hard, 1 to 5; any if not given");
const THEME: ApiParameter = parameter(
    "theme",
    "Theme of the puzzles: fork, parity, only-moves or strip; anything if not given",
);
const PLAY_LEVEL: ApiParameter = parameter(
    "level",
    "How well the program plays: perfect (if not given), strong, medium or easy",
);
const BOARDS: ApiParameter = parameter(
    "boards",
    "Boards with blanks between them, each VARIANT or VARIANT=POSITION",
);
const MISERE: ApiParameter =
    parameter("misere", "1 where whoever makes the last move of all loses");
const VALUES: ApiParameter = parameter("values", "1 for the values of all moves on their squares");
const FILM: ApiParameter = parameter(
    "film",
    "1 for an animated picture of all positions of the game, without values",
);

/// The questions, and the parameters of each.
pub(crate) const QUESTIONS: [ApiQuestion; 15] = [
    ApiQuestion {
        id: QuestionId::Variants,
        name: "variants",
        summary: "The catalogue of variants, and what is solved",
        answer: ApiAnswer::Lines(schema!("variants")),
        needed: &[],
        allowed: &[LIGHTS, LANG],
    },
    ApiQuestion {
        id: QuestionId::Query,
        name: "query",
        summary: "The value of a position and of every move",
        answer: ApiAnswer::Json(schema!("query")),
        needed: &[VARIANT],
        allowed: &[POSITION, MOVES, LIGHTS, BUDGET, LANG],
    },
    ApiQuestion {
        id: QuestionId::Explain,
        name: "explain",
        summary: "Why every move of a position is worth what it is",
        answer: ApiAnswer::Json(schema!("explain")),
        needed: &[VARIANT],
        allowed: &[POSITION, MOVES, LIGHTS, BUDGET, TEXT_LANG],
    },
    ApiQuestion {
        id: QuestionId::Line,
        name: "line",
        summary: "Best play by both sides to the end",
        answer: ApiAnswer::Json(schema!("line")),
        needed: &[VARIANT],
        allowed: &[POSITION, MOVES, LIGHTS, BUDGET, LANG],
    },
    ApiQuestion {
        id: QuestionId::Rules,
        name: "rules",
        summary: "The rules of a variant in words, and its options",
        answer: ApiAnswer::Json(schema!("rules")),
        needed: &[VARIANT],
        allowed: &[LIGHTS, TEXT_LANG],
    },
    ApiQuestion {
        id: QuestionId::Stats,
        name: "stats",
        summary: "The positions of a variant counted by value and distance",
        answer: ApiAnswer::Json(schema!("stats")),
        needed: &[VARIANT],
        allowed: &[METRIC, LIGHTS, BUDGET, LANG],
    },
    ApiQuestion {
        id: QuestionId::Find,
        name: "find",
        summary: "Positions that an expression describes, one a line, and in the last line how many there are",
        answer: ApiAnswer::Lines(schema!("find")),
        needed: &[VARIANT, EXPRESSION],
        allowed: &[
            FIELDS,
            LIMIT,
            SAMPLE,
            SEED,
            COUNT_ALONE,
            UP_TO_SYMMETRY,
            LIGHTS,
            BUDGET,
            LANG,
        ],
    },
    ApiQuestion {
        id: QuestionId::Check,
        name: "check",
        summary: "Claims settled, with evidence; those that take too long are left unknown",
        answer: ApiAnswer::Lines(schema!("check")),
        needed: &[],
        allowed: &[CLAIM, LIST, LIGHTS, BUDGET, LANG],
    },
    ApiQuestion {
        id: QuestionId::Compare,
        name: "compare",
        summary: "Variants side by side",
        answer: ApiAnswer::Json(schema!("compare")),
        needed: &[],
        allowed: &[VARIANTS, SIDE_A, SIDE_B, LIGHTS, BUDGET, LANG],
    },
    ApiQuestion {
        id: QuestionId::Review,
        name: "review",
        summary: "A review of a game: what every move was worth, and where it was lost",
        answer: ApiAnswer::Json(schema!("review")),
        needed: &[VARIANT, MOVES],
        allowed: &[POSITION, LIGHTS, BUDGET, LANG],
    },
    ApiQuestion {
        id: QuestionId::Book,
        name: "book",
        summary: "The opening tree, one position a line, and in the last line how many there are",
        answer: ApiAnswer::Lines(schema!("book")),
        needed: &[VARIANT],
        allowed: &[POSITION, MOVES, LIGHTS, DEPTH, SIDE, BUDGET, LANG],
    },
    ApiQuestion {
        id: QuestionId::Puzzle,
        name: "puzzle",
        summary: "Positions with one move that wins, or saves a draw, one a line",
        answer: ApiAnswer::Lines(schema!("puzzle")),
        needed: &[VARIANT],
        allowed: &[COUNT, SEED, PUZZLE_LEVEL, THEME, LIGHTS, BUDGET, LANG],
    },
    ApiQuestion {
        id: QuestionId::Play,
        name: "play",
        summary: "The move that the program makes, and in a line of its own the result if that ends the game",
        answer: ApiAnswer::Lines(schema!("play")),
        needed: &[VARIANT],
        allowed: &[POSITION, MOVES, LIGHTS, PLAY_LEVEL, SEED, BUDGET, LANG],
    },
    ApiQuestion {
        id: QuestionId::Sum,
        name: "sum",
        summary: "The winning moves where several boards are played at once",
        answer: ApiAnswer::Json(schema!("sum")),
        needed: &[BOARDS],
        allowed: &[LIGHTS, MISERE, BUDGET, LANG],
    },
    ApiQuestion {
        id: QuestionId::Draw,
        name: "draw.svg",
        summary: "A picture of a position, with the values of its moves if they are asked for",
        answer: ApiAnswer::Svg,
        needed: &[VARIANT],
        allowed: &[POSITION, MOVES, LIGHTS, VALUES, FILM, BUDGET, TEXT_LANG],
    },
];
