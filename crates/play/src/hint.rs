//! Hints in steps: is it won, where, which move.

use greenwave_game::Outcome;
use greenwave_tablebase::{Answer, Error, Queries, Value};

use crate::hardest::{HardestMoves, hardest};

/// Number of steps.
pub const HINTS: usize = 3;

/// What a step of a hint says.
#[derive(Clone, Debug, PartialEq)]
pub enum Hint {
    /// How the position stands.
    Stands(Standing),
    /// Where the best moves are made: squares, or whole moves that have none.
    Places(Vec<String>),
    /// The best moves.
    Moves {
        /// They, or those that look best.
        moves: Vec<String>,
        /// What is known of them.
        known: HintKind,
    },
}

/// What is known of the moves of a hint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HintKind {
    /// They are the best.
    Best,
    /// All moves lose, and these later than the others.
    Longest,
    /// All moves lose, and these are the hardest to refute.
    Hardest,
    /// All moves lose, and none later than these.
    Losing,
    /// They look best; nothing is proven.
    Opinion,
    /// Nothing is known of any move.
    Unknown,
}

impl HintKind {
    fn of(answer: &Answer) -> HintKind {
        if named(answer).is_empty() {
            return HintKind::Unknown;
        }
        if answer.best.is_empty() && answer.value == Value::Unknown {
            return HintKind::Opinion;
        }
        match standing(answer) {
            Standing::Lost(Endurance::Longest(_)) => HintKind::Longest,
            Standing::Lost(Endurance::Alike | Endurance::Unknown) => HintKind::Losing,
            Standing::Won(_)
            | Standing::Drawn(_)
            | Standing::Expects(_)
            | Standing::Points(_)
            | Standing::Unknown => HintKind::Best,
        }
    }
}

/// How many moves of a lost position put the end off longest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endurance {
    /// So many, and not all.
    Longest(usize),
    /// All of them.
    Alike,
    /// How long they last is not known.
    Unknown,
}

impl Endurance {
    fn of(answer: &Answer) -> Endurance {
        match (answer.distance, answer.best.len()) {
            (None, _) | (_, 0) => Endurance::Unknown,
            (Some(_), longest) if longest == answer.moves.len() => Endurance::Alike,
            (Some(_), longest) => Endurance::Longest(longest),
        }
    }
}

/// How a position stands for the player to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Standing {
    /// The expectation, where chance takes part.
    Expects(f64),
    /// What comes out, in scored games.
    Points(i32),
    /// Won; this many moves keep it, if what each of them is worth is known.
    Won(Option<usize>),
    /// Drawn; the same.
    Drawn(Option<usize>),
    /// Lost against best play.
    Lost(Endurance),
    /// Not proven.
    Unknown,
}

impl Hint {
    /// A step of a hint, from 1: how the position stands, where the best moves are, which they are. Where the position is
    /// lost, and it is known which moves are hardest to refute, it is about them.
    ///
    /// # Errors
    /// When values cannot be had.
    pub fn at(queries: &Queries<'_>, answer: &Answer, step: usize) -> Result<Hint, Error> {
        let hardest = hardest(queries, answer)?;
        Ok(hardest.map_or_else(
            || Hint::of(answer, step),
            |hardest| Hint::of_hardest(&hardest, step),
        ))
    }

    /// The same of what the answer alone says.
    #[must_use]
    pub fn of(answer: &Answer, step: usize) -> Hint {
        match step {
            0 | 1 => Hint::Stands(standing(answer)),
            2 if HintKind::of(answer) != HintKind::Unknown => Hint::Places(places(&named(answer))),
            _ => Hint::Moves {
                moves: named(answer).iter().map(|mv| (*mv).to_string()).collect(),
                known: HintKind::of(answer),
            },
        }
    }

    fn of_hardest(hardest: &HardestMoves, step: usize) -> Hint {
        match step {
            0 | 1 => Hint::Stands(Standing::Lost(Endurance::Unknown)),
            2 => Hint::Places(places(&hardest.moves)),
            _ => Hint::Moves {
                moves: hardest.moves.clone(),
                known: HintKind::Hardest,
            },
        }
    }
}

/// Where moves are made, each place once.
fn places<T: AsRef<str>>(moves: &[T]) -> Vec<String> {
    let mut places: Vec<String> = Vec::new();
    for place in moves.iter().map(|mv| place(mv.as_ref())) {
        if !places.contains(&place) {
            places.push(place);
        }
    }
    places
}

/// How many of a list are named.
pub(crate) const FEW: usize = 5;

/// The first few of a list, and whether there are more.
pub(crate) fn few<T: AsRef<str>>(all: &[T], between: &str) -> String {
    let first: Vec<&str> = all.iter().take(FEW).map(AsRef::as_ref).collect();
    let more = if all.len() > FEW { " …" } else { "" };
    format!("{}{more}", first.join(between))
}

/// The best moves, else those that look best.
fn named(answer: &Answer) -> Vec<&str> {
    match &answer.estimate {
        Some(estimate) if answer.best.is_empty() => {
            estimate.moves.iter().map(String::as_str).collect()
        }
        _ => answer.best.iter().map(String::as_str).collect(),
    }
}

fn standing(answer: &Answer) -> Standing {
    if let Some(odds) = answer.odds {
        return Standing::Expects(odds.expectation);
    }
    if let Some(points) = answer.points {
        return Standing::Points(points);
    }
    let kept: Option<Vec<bool>> = answer
        .moves
        .iter()
        .map(|mv| crate::keeps(answer, mv))
        .collect();
    let keeping = kept.map(|kept| kept.into_iter().filter(|keeps| *keeps).count());
    match answer.value.outcome() {
        Some(Outcome::Win) => Standing::Won(keeping),
        Some(Outcome::Draw) => Standing::Drawn(keeping),
        Some(Outcome::Loss) => Standing::Lost(Endurance::of(answer)),
        None => Standing::Unknown,
    }
}

/// Where a move is made: its square, else the whole move.
fn place(mv: &str) -> String {
    let letters = mv.bytes().take_while(u8::is_ascii_lowercase).count();
    let digits = mv[letters..].bytes().take_while(u8::is_ascii_digit).count();
    if letters == 1 && digits > 0 {
        mv[..letters + digits].to_string()
    } else {
        mv.split('-').next().unwrap_or(mv).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_cut() {
        assert_eq!(few(&["a1", "b1"], ", "), "a1, b1");
        let many: Vec<String> = (1..=36).map(|number| number.to_string()).collect();
        assert_eq!(few(&many, " "), "1 2 3 4 5 …");
    }
}
