//! Fixed boards: `classic-RxC`, `signal-RxC`, `green-RxC`, `points-RxC`.

use crate::options::{counter_limit, value_of};
use crate::{
    BoardGame, BoardRules, Family, LineScore, OptionSpec, Play, Setting, Shape, Stalemate, Supply,
    Values, VariantError, WinPattern,
};

pub(super) const FAMILIES: [Family; 4] = [
    Family::Classic,
    Family::Signal,
    Family::Green,
    Family::Points,
];

const SUPPLY: OptionSpec = OptionSpec {
    key: "supply",
    default: "unlimited",
    values: Values::Supply,
};

pub(super) const FOUR: OptionSpec = OptionSpec {
    key: "four",
    default: "twice",
    values: Values::Words(&["twice", "once"]),
};

pub(super) const SCORE: OptionSpec = OptionSpec {
    key: "score",
    default: "points",
    values: Values::Words(&["points", "win"]),
};

pub(super) const WIN_OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        key: "play",
        default: "normal",
        values: Values::Words(&["normal", "misere"]),
    },
    SUPPLY,
    OptionSpec {
        key: "stalemate",
        default: "draw",
        values: Values::Words(&["draw", "loss", "pass"]),
    },
];

pub(super) const POINT_OPTIONS: &[OptionSpec] = &[
    SUPPLY,
    OptionSpec {
        key: "end",
        default: "first-line",
        values: Values::Words(&["first-line", "play-on"]),
    },
    FOUR,
    SCORE,
];

/// Points of a completed line: three reds 1, three yellows 5, three greens 2, red-yellow-green 3.
const PATTERNS: [([u8; 3], i32); 5] = [
    ([1, 1, 1], 1),
    ([2, 2, 2], 5),
    ([3, 3, 3], 2),
    ([1, 2, 3], 3),
    ([3, 2, 1], 3),
];

/// The patterns whose levels are wanted.
pub(super) fn patterns(wanted: impl Fn([u8; 3]) -> bool) -> Vec<WinPattern> {
    PATTERNS
        .into_iter()
        .filter(|(levels, _)| wanted(*levels))
        .map(|(levels, points)| WinPattern {
            levels: levels.to_vec(),
            points,
        })
        .collect()
}

/// Reads `RxC`.
pub(super) fn parse_size(name: &str, family: Family, size: &str) -> Result<Shape, VariantError> {
    let refuse = |problem: String| VariantError::Size {
        found: name.into(),
        problem,
        family: family.name(),
    };
    let number = |text: &str| {
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        (digits && !text.starts_with('0')).then(|| text.parse::<usize>().unwrap_or(usize::MAX))
    };
    let sides = size
        .split_once('x')
        .and_then(|(ranks, files)| Some((number(ranks)?, number(files)?)));
    let Some((ranks, files)) = sides else {
        return Err(refuse(format!("found size '{size}'")));
    };
    Shape::rectangle(ranks, files).map_err(|_| {
        let squares = ranks.saturating_mul(files);
        let found = if squares == usize::MAX {
            "too many squares".into()
        } else {
            format!("{squares} squares")
        };
        refuse(format!(
            "found {found}, a board has 1 to {}",
            crate::MAX_CELLS
        ))
    })
}

/// The game of a family on a board; `settings` has every option of the family.
pub(super) fn game(
    name: String,
    family: Family,
    settings: Vec<Setting>,
    shape: Shape,
) -> Result<BoardGame, VariantError> {
    let scored = family == Family::Points;
    let patterns = patterns(|levels| match family {
        Family::Classic => levels[0] == levels[1],
        Family::Green => levels == [3, 3, 3],
        _ => true,
    });
    let play = if scored {
        match (value_of(&settings, "end"), value_of(&settings, "score")) {
            ("play-on", "win") => {
                return Err(VariantError::Conflict {
                    name,
                    problem: "score=win needs a game that ends with the first line; \
                              leave out score=win or end=play-on"
                        .into(),
                });
            }
            (_, "win") => Play::Normal,
            ("play-on", _) => Play::PlayOn,
            _ => Play::FirstLine,
        }
    } else if value_of(&settings, "play") == "misere" {
        Play::Misere
    } else {
        Play::Normal
    };
    let once = scored && value_of(&settings, "four") == "once";
    let supply = value_of(&settings, "supply");
    let limit = |kind| supply.strip_prefix(kind).and_then(counter_limit);
    let board = BoardRules {
        shape,
        line_length: 3,
        levels: 3,
        patterns,
        play,
        line_score: if once {
            LineScore::EachRun
        } else {
            LineScore::EachLine
        },
        supply: match (limit("cap"), limit("pool")) {
            (Some(limit), _) => Supply::Cap(limit),
            (_, Some(limit)) => Supply::Pool(limit),
            _ => Supply::Unlimited,
        },
        stalemate: match (scored, scored || value_of(&settings, "stalemate") == "draw") {
            (_, true) => Stalemate::Draw,
            _ if value_of(&settings, "stalemate") == "loss" => Stalemate::Loss,
            _ => Stalemate::Pass,
        },
    };
    Ok(BoardGame::new(name, family, settings, board))
}
