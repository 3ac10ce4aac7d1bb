//! The questions of programs, and their parameters.

use crate::routes::AnswerKind;

/// A question that programs can ask.
pub(crate) struct ApiQuestion {
    pub(crate) name: &'static str,
    pub(crate) summary: &'static str,
    /// Parameters that have to be given.
    pub(crate) needed: &'static [&'static str],
    /// Parameters that may be given.
    pub(crate) allowed: &'static [&'static str],
}

impl ApiQuestion {
    const fn new(
        name: &'static str,
        summary: &'static str,
        needed: &'static [&'static str],
        allowed: &'static [&'static str],
    ) -> ApiQuestion {
        ApiQuestion {
            name,
            summary,
            needed,
            allowed,
        }
    }

    /// The kind of its answer.
    pub(crate) fn kind(&self) -> AnswerKind {
        match self.name {
            "draw.svg" => AnswerKind::Svg,
            "variants" | "find" | "check" | "puzzle" | "play" | "book" => AnswerKind::Lines,
            _ => AnswerKind::Json,
        }
    }
}

/// The questions, and the parameters of each.
pub(crate) const QUESTIONS: [ApiQuestion; 15] = [
    ApiQuestion::new(
        "variants",
        "The catalogue of variants, and what is solved",
        &[],
        &["lang"],
    ),
    ApiQuestion::new(
        "query",
        "The value of a position and of every move",
        &["variant"],
        &["position", "moves", "lights", "budget", "lang"],
    ),
    ApiQuestion::new(
        "explain",
        "Why every move of a position is worth what it is",
        &["variant"],
        &["position", "moves", "lights", "budget", "lang"],
    ),
    ApiQuestion::new(
        "line",
        "Best play by both sides to the end",
        &["variant"],
        &["position", "moves", "lights", "budget", "lang"],
    ),
    ApiQuestion::new(
        "rules",
        "The rules of a variant in words, and its options",
        &["variant"],
        &["lights", "lang"],
    ),
    ApiQuestion::new(
        "stats",
        "The positions of a variant counted by value and distance",
        &["variant"],
        &["metric", "lights", "budget", "lang"],
    ),
    ApiQuestion::new(
        "find",
        "Positions that an expression describes, one a line, and in the last line how many there are",
        &["variant", "expression"],
        &[
            "fields",
            "limit",
            "sample",
            "seed",
            "count",
            "up-to-symmetry",
            "lights",
            "budget",
            "lang",
        ],
    ),
    ApiQuestion::new(
        "check",
        "Claims settled, with evidence; those that take too long are left unknown",
        &[],
        &["claim", "list", "lights", "budget", "lang"],
    ),
    ApiQuestion::new(
        "compare",
        "Variants side by side",
        &["variants"],
        &["lights", "budget", "lang"],
    ),
    ApiQuestion::new(
        "review",
        "A review of a game: what every move was worth, and where it was lost",
        &["variant", "moves"],
        &["position", "lights", "budget", "lang"],
    ),
    ApiQuestion::new(
        "book",
        "The opening tree, one position a line, and in the last line how many there are",
        &["variant"],
        &[
            "position", "moves", "lights", "depth", "for", "budget", "lang",
        ],
    ),
    ApiQuestion::new(
        "puzzle",
        "Positions with one move that wins, or saves a draw, one a line",
        &["variant"],
        &[
            "count", "seed", "level", "theme", "lights", "budget", "lang",
        ],
    ),
    ApiQuestion::new(
        "play",
        "The move that the program makes, and in a line of its own the result if that ends the game",
        &["variant"],
        &[
            "position", "moves", "lights", "level", "seed", "budget", "lang",
        ],
    ),
    ApiQuestion::new(
        "sum",
        "The winning moves where several boards are played at once",
        &["boards"],
        &["lights", "misere", "budget", "lang"],
    ),
    ApiQuestion::new(
        "draw.svg",
        "A picture of a position, with the values of its moves if they are asked for",
        &["variant"],
        &[
            "position", "moves", "lights", "values", "film", "budget", "lang",
        ],
    ),
];
