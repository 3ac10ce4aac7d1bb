//! What the facts about a move say together: their idea, and which of them are told.

use super::fact::Fact;

/// The ideas that speak of safe moves: that the opponent runs out of them first, and that the player who moves does.
pub const SAFE_MOVE_IDEAS: [&str; 2] = ["idea-outlasts", "idea-runs-out"];

/// Facts that name a reason, after which numbers are left out.
const REASONS: usize = 2;

impl Fact {
    /// The key of the words that name its idea, where it has one that players know.
    fn idea(&self) -> Option<&'static str> {
        match self {
            Fact::Completes { .. } | Fact::GoesOn { .. } | Fact::Gains { .. } => Some("idea-line"),
            Fact::Scores {
                completes: Some(_),
                line,
                ..
            } if line.is_empty() => Some("idea-line"),
            Fact::RefutedAtOnce { .. } => Some("idea-at-once"),
            Fact::Refuted { winning, .. } if winning.len() == 1 => Some("idea-one-answer"),
            Fact::Refuted { .. } => Some("idea-refuted"),
            Fact::Holds { replies: 1, .. } => Some("idea-one-answer"),
            Fact::Draws { holding, .. } if holding.len() == 1 => Some("idea-one-answer"),
            Fact::Draws { .. } => Some("idea-draw"),
            Fact::Holds { answers, .. }
            | Fact::Safe {
                reply: None,
                answers,
                ..
            } if !answers.is_empty() => Some("idea-all-answered"),
            Fact::Holds { .. } => Some("idea-all-lose"),
            Fact::Proved {
                from_centre: true, ..
            } => Some("idea-copy-centre"),
            Fact::Proved { .. } => Some("idea-copy"),
            Fact::Copied { .. } => Some("idea-copied"),
            Fact::StripAlone { .. } | Fact::SlidesBack { .. } => Some("theme-strip"),
            Fact::Fork { .. } | Fact::Forces { .. } | Fact::ForksNext { .. } => Some("theme-fork"),
            Fact::Threatens { .. } => Some("idea-threat"),
            Fact::Stops { .. } => Some("idea-stops"),
            Fact::Blocked { .. } => Some("idea-blocked"),
            Fact::Beside { losing: 0, .. } => Some("idea-draw"),
            Fact::Beside { .. } => Some("idea-others-lose"),
            Fact::Repeats { .. } => Some("idea-repeats"),
            Fact::Ends { own: true, .. } => Some("idea-own-line"),
            Fact::Ends { own: false, .. } => Some("idea-other-line"),
            Fact::OpenLines { .. }
            | Fact::EndsGame { .. }
            | Fact::OnlyLegal
            | Fact::Better { .. }
            | Fact::Alone { .. }
            | Fact::Continues { .. }
            | Fact::Scores { .. }
            | Fact::Safe { .. }
            | Fact::Answers { .. }
            | Fact::Parity { .. }
            | Fact::SafeMoves { .. }
            | Fact::ToEnd { .. }
            | Fact::NoneAtOnce { .. }
            | Fact::Market { .. }
            | Fact::Published { .. }
            | Fact::Nimber { .. }
            | Fact::Search { .. } => None,
        }
    }

    /// Whether the player who makes the move wins, because the other one runs out of safe moves first; `None` where the
    /// fact does not tell.
    pub(super) fn outlasts(&self) -> Option<bool> {
        let (Fact::Parity { fewest: safe, .. }
        | Fact::ToEnd { safe, .. }
        | Fact::SafeMoves { safe, .. }) = self
        else {
            return None;
        };
        Some(safe.is_multiple_of(2))
    }

    /// Whether it names how the game is won, and not only that a reply wins, every reply loses or a line comes.
    fn names_way(&self) -> bool {
        let only_counts = matches!(
            self,
            Fact::Refuted { .. }
                | Fact::Holds { .. }
                | Fact::Safe { .. }
                | Fact::Draws { .. }
                | Fact::Beside { .. }
                | Fact::Ends { .. }
        );
        !only_counts && self.idea().is_some()
    }

    /// Whether it says only what the value of the move says already.
    fn repeats_value(&self) -> bool {
        matches!(self, Fact::Holds { answers, example: None, .. } if answers.is_empty())
            || matches!(self, Fact::Draws { holding, replies, .. } if holding.len() == *replies)
            || matches!(
                self,
                Fact::Refuted { replies: 1, .. } | Fact::Continues { moves: 1, .. }
            )
    }
}

/// The key of the words for the idea of the facts about a move, where there is one that players know.
#[must_use]
pub fn idea_of(facts: &[Fact]) -> Option<&'static str> {
    way_of(facts).or_else(|| essential(facts).next()?.idea())
}

/// The same, where it names how the game is decided, and not only that a reply wins or every reply loses: a hint, before
/// the move is told.
#[must_use]
pub fn way_of(facts: &[Fact]) -> Option<&'static str> {
    let first = essential(facts).next()?;
    let outlasts = facts.iter().find_map(Fact::outlasts);
    match outlasts.filter(|_| !first.names_way()) {
        Some(outlasts) => Some(SAFE_MOVE_IDEAS[usize::from(!outlasts)]),
        None => first.idea().filter(|_| first.names_way()),
    }
}

/// The facts about a move that are told: none that repeats its value where another gives a reason, after reasons no
/// mere numbers, and no answers that all lose where it is told who runs out of safe moves. A nimber counts only where
/// boards are added.
pub fn essential(facts: &[Fact]) -> impl Iterator<Item = &Fact> {
    let told = |fact: &&Fact| !fact.is_of_sums();
    let says_more = facts.iter().filter(told).any(|fact| !fact.repeats_value());
    let outlasts = facts.iter().any(|fact| fact.outlasts().is_some());
    let told = facts.iter().filter(told);
    let mut reasons = 0;
    told.filter(move |fact| {
        let is_left_out = says_more && fact.repeats_value()
            || reasons >= REASONS && fact.is_number()
            || outlasts && matches!(fact, Fact::Answers { .. });
        let is_told = !is_left_out;
        reasons += usize::from(is_told && !fact.is_number());
        is_told
    })
}
