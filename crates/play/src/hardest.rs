//! In a lost position, the moves that are hardest to refute.

use greenwave_game::{Game, Luck, Turn};
use greenwave_tablebase::{Answer, Error, Queries, SourceKind, Value};
use greenwave_words::Language;
use serde::Serialize;

use crate::symmetries::{MoveOrbit, PositionSymmetries};

/// The moves of a lost position to which the smallest share of the replies wins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct HardestMoves {
    /// The moves, in the order of the answer.
    pub moves: Vec<String>,
    /// How many replies win against each of them.
    pub winning: usize,
    /// Of how many replies to each of them.
    pub replies: usize,
    /// The moves up to the symmetries of the position.
    #[serde(skip)]
    pub orbits: Vec<MoveOrbit>,
}

/// Most moves that a sentence names.
const NAMED: usize = 4;

impl HardestMoves {
    /// The sentence about them, in which moves have the names that `named` gives.
    #[must_use]
    pub fn said(&self, words: Language, named: impl Fn(&str) -> String) -> String {
        let orbits = self.orbits.iter();
        let mut moves: Vec<String> = orbits.map(|one| one.named(&named)).collect();
        if let Some(more) = moves.len().checked_sub(NAMED).filter(|more| *more > 0) {
            moves.truncate(NAMED);
            moves.push(words.with("why-each-more", more));
        }
        let suggested = words.with("suggested", moves.join(", "));
        format!("{suggested} {}", self.reason(words))
    }

    /// What speaks for them, in a sentence.
    #[must_use]
    pub fn reason(&self, words: Language) -> String {
        let key = if self.winning == 1 {
            "hardest-one"
        } else {
            "hardest-some"
        };
        let (winning, all) = (self.winning.to_string(), self.replies.to_string());
        words.filled(key, &[("n", &winning), ("all", &all)])
    }
}

/// The moves of a lost position that are hardest to refute: of those that do not lose at once, the ones to which the
/// smallest share of the replies wins, and of these the ones to which the fewest do. `None` where every reply wins
/// against them, where as many do against every move, and where replies are not known without more work.
///
/// # Errors
/// When values cannot be had.
pub fn hardest(queries: &Queries<'_>, answer: &Answer) -> Result<Option<HardestMoves>, Error> {
    let properties = &queries.variant().rules().properties;
    let is_known = match answer.source.kind {
        SourceKind::Table | SourceKind::Solved | SourceKind::Swept => true,
        SourceKind::Searched | SourceKind::Published | SourceKind::Proved => false,
    };
    let is_lost = answer.value == Value::Loss && answer.points.is_none() && !answer.terminal;
    if !is_known || !is_lost || properties.turn != Turn::Alternates || properties.luck != Luck::None
    {
        return Ok(None);
    }
    let queries = queries.hurried();
    let mut counts = Vec::with_capacity(answer.moves.len());
    for mv in answer.moves.iter().filter(|mv| !mv.ends) {
        let Some(after) = mv.after else {
            return Ok(None);
        };
        // A move that loses at once is refuted by whoever sees it.
        if !queries.variant().is_safe(&after, &mut Vec::new()) {
            continue;
        }
        let replies = queries.answer(&after)?;
        let mut values = replies.moves.iter().map(|reply| reply.value);
        if values.any(|value| value.is_none_or(|value| value == Value::Unknown)) {
            return Ok(None);
        }
        let winning = replies.moves.iter();
        let winning = winning.filter(|reply| reply.value == Some(Value::Win));
        counts.push((winning.count(), replies.moves.len(), mv));
    }
    let variant = queries.variant();
    let symmetries = PositionSymmetries::of(variant, &answer.at);
    // Shares are compared without rounding.
    let by_share = |(winning, replies, _): &&(usize, usize, _), other: &&(usize, usize, _)| {
        let share = winning * other.1;
        share.cmp(&(other.0 * replies)).then(winning.cmp(&other.0))
    };
    let least = counts.iter().min_by(by_share);
    Ok(least.and_then(|&(winning, replies, _)| {
        let hardest = counts
            .iter()
            .filter(|one| (one.0, one.1) == (winning, replies));
        let hardest: Vec<_> = hardest.map(|(.., mv)| (mv.mv.as_str(), mv.after)).collect();
        (winning < replies && hardest.len() < counts.len()).then(|| HardestMoves {
            moves: hardest.iter().map(|(mv, _)| (*mv).to_string()).collect(),
            winning,
            replies,
            orbits: symmetries.orbits(variant, hardest.into_iter()),
        })
    }))
}
