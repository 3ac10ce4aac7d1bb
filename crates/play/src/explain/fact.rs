//! Facts about a move.

use greenwave_game::Outcome;
use greenwave_tablebase::{CopyProof, Theorem, Value};

use super::sentence::{NAMED, NEAR};
use crate::symmetries::MoveOrbit;

/// A completed line: its squares from one end to the other, and the letters of what stands there. One move can
/// complete several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompletedLine {
    /// Names of the squares.
    pub squares: Vec<String>,
    /// What stands on them, as positions write it.
    pub lights: String,
    /// The other lines that the same move completes.
    pub others: Vec<CompletedLine>,
}

impl CompletedLine {
    /// The one letter of a line of equal lights.
    #[must_use]
    pub fn light(&self) -> Option<char> {
        let first = self.lights.chars().next()?;
        self.lights
            .chars()
            .all(|letter| letter == first)
            .then_some(first)
    }

    /// This line, and the others that the same move completes.
    pub fn each(&self) -> impl Iterator<Item = &CompletedLine> {
        std::iter::once(self).chain(&self.others)
    }

    /// The squares as people write a line: `a1–b1–c1`.
    #[must_use]
    pub fn name(&self) -> String {
        self.squares.join("\u{2013}")
    }
}

/// A ply of a refutation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefutationPly {
    /// The move.
    pub mv: String,
    /// Whether it is the one move of several that keeps the win.
    pub only: bool,
}

/// A threat that one answer alone stops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForcedAnswer {
    /// The line that is threatened.
    pub line: CompletedLine,
    /// The one answer.
    pub answer: String,
    /// The next move of the player who threatens.
    pub next: String,
}

/// A move, its images, and an answer that wins against it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnsweredMove {
    /// The move, and its images under the symmetries of its position.
    pub made: MoveOrbit,
    /// The answer to the first of them.
    pub answer: String,
}

/// A position of best play from which on the number of safe moves decides, as [`Fact::Parity`] tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SettledPosition {
    /// Plies until then, the move that is explained counted.
    pub plies: u32,
    /// The fewest safe moves, in some order.
    pub fewest: u32,
    /// The most, in some order.
    pub most: u32,
}

impl SettledPosition {
    /// The key of its sentence, to the player who wins or loses.
    pub(super) fn key(self, wins: bool) -> &'static str {
        match (self.most, wins) {
            (0, true) => "why-settled-none-wins",
            (0, false) => "why-settled-none-loses",
            (1, true) => "why-settled-one-wins",
            (1, false) => "why-settled-one-loses",
            (most, true) if most == self.fewest => "why-settled-wins",
            (most, false) if most == self.fewest => "why-settled-loses",
            (_, true) => "why-settled-some-win",
            (_, false) => "why-settled-some-lose",
        }
    }
}

/// A move that loses, and what refutes it.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveRefutation {
    /// The move.
    pub mv: String,
    /// A fact about it.
    pub fact: Box<Fact>,
}

/// Something true about a move.
#[derive(Clone, Debug, PartialEq)]
pub enum Fact {
    /// The move completes a line and ends the game.
    Completes {
        /// The line.
        line: CompletedLine,
        /// Whether that wins; in misère play it loses.
        wins: bool,
    },
    /// The opponent completes a line next.
    RefutedAtOnce {
        /// The reply.
        reply: String,
        /// The line that it completes.
        line: CompletedLine,
    },
    /// The same player moves again, and completes a line.
    GoesOn {
        /// The next move.
        next: String,
        /// The line that it completes.
        line: CompletedLine,
    },
    /// The same player moves again; some of those moves, or all, are worth as much.
    Continues {
        /// The value for that player.
        value: Value,
        /// Number of next moves that keep it.
        keeping: usize,
        /// Number of next moves.
        moves: usize,
        /// How play goes on, the best of them first.
        line: Vec<RefutationPly>,
    },
    /// The opponent has replies that win.
    Refuted {
        /// Those that win, the best first.
        winning: Vec<String>,
        /// The same up to the symmetries of the position.
        orbits: Vec<MoveOrbit>,
        /// Number of replies.
        replies: usize,
        /// How play goes on.
        line: Vec<RefutationPly>,
    },
    /// Every reply of the opponent loses.
    Holds {
        /// Number of replies.
        replies: usize,
        /// Those that hold out longest; all where that is not known.
        longest: Vec<String>,
        /// How play continues from the first of them.
        line: Vec<RefutationPly>,
        /// The answer that wins against each reply, where they are few.
        answers: Vec<AnsweredMove>,
        /// What refutes the first of them.
        example: Option<MoveRefutation>,
    },
    /// Whoever makes the move, or the best reply to it, threatens two lines at once, and no answer stops both.
    Fork {
        /// The reply, where the fork is the opponent's.
        reply: Option<String>,
        /// Two lines, one of which the next move of that player completes.
        lines: [CompletedLine; 2],
    },
    /// Whoever makes the move, or the best reply to it, threatens a line that one answer alone stops, once or more
    /// often running. The last of these moves is a fork.
    Forces {
        /// The reply, where the threats are the opponent's.
        reply: Option<String>,
        /// The threats and the answers to them.
        answers: Vec<ForcedAnswer>,
        /// The lines of the fork.
        lines: [CompletedLine; 2],
    },
    /// Whatever answers the move, or the best reply to it, the next move of the same player is a fork.
    ForksNext {
        /// The reply, where the fork is the opponent's.
        reply: Option<String>,
        /// An answer: the one that holds out longest.
        answer: String,
        /// The fork after it.
        next: String,
        /// Its lines.
        lines: [CompletedLine; 2],
    },
    /// The move threatens a line, which the opponent has to stop.
    Threatens {
        /// The line.
        line: CompletedLine,
        /// The replies that stop it.
        stops: Vec<String>,
    },
    /// The move stops a line that the opponent else completes next.
    Stops {
        /// The line.
        line: CompletedLine,
        /// Number of moves that stop it.
        stopping: usize,
        /// Number of moves.
        moves: usize,
    },
    /// After the move not every player can complete a line any more, whatever both play.
    Blocked {
        /// Whether the player who makes the move still can.
        own: bool,
        /// Whether the opponent still can.
        other: bool,
    },
    /// Lines without a mark of the other player, after the move.
    OpenLines {
        /// Of the player who makes it.
        own: usize,
        /// Of the opponent.
        other: usize,
    },
    /// The move draws: best play comes to a position again.
    Repeats {
        /// Plies until then, the move counted.
        plies: u32,
        /// How play goes on until then.
        line: Vec<RefutationPly>,
    },
    /// The move ends the game, by no line.
    EndsGame {
        /// What it is worth for the player who makes it.
        outcome: Outcome,
    },
    /// The position has no other move.
    OnlyLegal,
    /// The move completes a line and scores, and the game goes on.
    Gains {
        /// The line.
        line: CompletedLine,
        /// The points.
        points: i32,
    },
    /// Where points count, another move is worth more.
    Better {
        /// That move.
        best: String,
        /// Points still to come with it.
        points: i32,
    },
    /// The move draws: so many of the moves beside it lose, and none wins.
    Beside {
        /// Number of moves that lose.
        losing: usize,
        /// Number of moves.
        moves: usize,
        /// What refutes one of those that lose.
        example: Option<MoveRefutation>,
    },
    /// The move is the only one that wins: so many of the moves beside it lose at once.
    Alone {
        /// Number of moves that lose at once.
        at_once: usize,
        /// Number of moves.
        moves: usize,
    },
    /// The move draws: this many replies draw, and the others lose.
    Draws {
        /// The replies that draw.
        holding: Vec<String>,
        /// Those that lose, up to the symmetries of the position.
        losing: Vec<MoveOrbit>,
        /// Number of replies.
        replies: usize,
        /// What refutes one of those that lose.
        example: Option<MoveRefutation>,
        /// How play goes on.
        line: Vec<RefutationPly>,
    },
    /// The worth of a move where points count: the best reply decides.
    Scores {
        /// Points still to come for the player who makes the move, less those of the opponent.
        points: i32,
        /// The line that the best reply completes.
        completes: Option<CompletedLine>,
        /// How play goes on; empty where the move ends the game.
        line: Vec<RefutationPly>,
    },
    /// Every game from here has an even number of safe moves, or every one an odd number, in whatever order the
    /// players make them. A move is safe if it neither loses nor lets the next one win. So whoever runs out of
    /// them loses.
    Parity {
        /// The fewest, in some order.
        fewest: u32,
        /// The most, in some order: as many, or two, four … more.
        most: u32,
    },
    /// Some moves from here lose at once: those of the opponent after the move, or where the best reply
    /// wins, those after the reply.
    Safe {
        /// The best reply, where it wins.
        reply: Option<String>,
        /// The moves that are safe, as in [`Fact::Parity`].
        safe: Vec<String>,
        /// The answer that wins against each of them, where that is known and they are few.
        answers: Vec<AnsweredMove>,
        /// Number of moves.
        moves: usize,
        /// Whether points count: the others let the next move complete a line.
        scored: bool,
    },
    /// After the move every light lets the next move complete a line: moves of the strip alone are safe.
    StripAlone {
        /// Those that are.
        safe: Vec<String>,
    },
    /// The move is one of the strip, and a reply brings back the position before it.
    SlidesBack {
        /// The reply.
        reply: String,
        /// Whether the game is drawn, and not lost for the player who makes the move.
        draws: bool,
    },
    /// No reply wins at once.
    NoneAtOnce {
        /// Whether points count: no reply completes a line.
        scored: bool,
    },
    /// After the best reply, which wins, every answer loses.
    Answers {
        /// The best reply.
        reply: String,
        /// Number of answers.
        answers: usize,
        /// The answer that holds out longest.
        longest: String,
        /// Plies to the end, that answer counted.
        plies: u32,
        /// What refutes that answer.
        example: Option<MoveRefutation>,
    },
    /// Best play goes on to a line that ends the game: safe moves, as in [`Fact::Parity`], until a player has none.
    ToEnd {
        /// How many safe moves.
        safe: u32,
        /// Whether whoever completes the line loses.
        loses: bool,
        /// The line that the last move completes.
        completes: CompletedLine,
        /// How play goes on, to its end.
        line: Vec<RefutationPly>,
        /// Where the end is far, the first position of it from which on the order of safe moves no longer matters.
        settled: Option<SettledPosition>,
    },
    /// Where points count, best play goes on to a line that ends the game.
    Ends {
        /// Whether the player who makes the move completes it, and not the opponent.
        own: bool,
        /// The line that the last move completes.
        completes: CompletedLine,
        /// How play goes on, to its end.
        line: Vec<RefutationPly>,
    },
    /// Best play makes so many safe moves, as in [`Fact::Parity`], until a player has none.
    SafeMoves {
        /// How many.
        safe: u32,
        /// Plies to the end.
        plies: u32,
    },
    /// A theorem proves that whoever is to move after the move loses: the player who made it copies.
    Proved {
        /// How.
        proof: CopyProof,
        /// Whether the move puts the first light on the square that is its own image: then the copying begins with it.
        from_centre: bool,
    },
    /// A theorem proves that the opponent wins with a reply, and copies from then on.
    Copied {
        /// The reply.
        reply: String,
        /// How.
        proof: CopyProof,
    },
    /// What the draws that follow the move do to the player who makes it.
    Market {
        /// In how many ways chance draws so that the player is ahead.
        ahead: u32,
        /// In how many ways it draws.
        of: u32,
        /// The lights that are drawn at best, as they are written.
        best: String,
        /// At worst.
        worst: String,
    },
    /// A published result says what the move is worth.
    Published {
        /// The value for the player who makes it.
        outcome: Outcome,
        /// The command that finds out by which play.
        settle: Option<String>,
    },
    /// The nimber that the move leaves, which counts where boards are added.
    Nimber {
        /// The nimber.
        nimber: u32,
    },
    /// The value was found by searching the whole game.
    Search {
        /// Plies to the end, where they are known.
        plies: Option<u32>,
    },
}

impl Fact {
    /// The kind as documents name it.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Fact::Completes { .. } | Fact::GoesOn { .. } | Fact::Gains { .. } => "completes",
            Fact::RefutedAtOnce { .. } | Fact::Refuted { .. } => "refuted",
            Fact::StripAlone { .. } | Fact::SlidesBack { .. } => "strip",
            Fact::Published { .. } => "published",
            Fact::Market { .. } => "draws",
            Fact::Fork { .. } | Fact::Forces { .. } | Fact::ForksNext { .. } => "fork",
            Fact::Threatens { .. } | Fact::Stops { .. } => "threat",
            Fact::Blocked { .. } | Fact::OpenLines { .. } => "blocked",
            Fact::Repeats { .. } => "repeats",
            Fact::Scores { line, .. } if !line.is_empty() => "refuted",
            Fact::Continues { .. }
            | Fact::Holds { .. }
            | Fact::Draws { .. }
            | Fact::Beside { .. }
            | Fact::Alone { .. }
            | Fact::Scores { .. }
            | Fact::Better { .. }
            | Fact::Answers { .. }
            | Fact::Ends { .. }
            | Fact::EndsGame { .. }
            | Fact::OnlyLegal
            | Fact::NoneAtOnce { .. }
            | Fact::Search { .. } => "search",
            Fact::Parity { .. }
            | Fact::Safe { .. }
            | Fact::SafeMoves { .. }
            | Fact::ToEnd { .. } => "parity",
            Fact::Proved { proof, .. } | Fact::Copied { proof, .. } => match proof.theorem {
                Theorem::Copying => "copying",
                Theorem::TwoRanks | Theorem::BothSidesOdd => "theorem",
            },
            Fact::Nimber { .. } => "nimber",
        }
    }

    /// Whether it counts only where several boards are played at once.
    #[must_use]
    pub fn is_of_sums(&self) -> bool {
        matches!(self, Fact::Nimber { .. })
    }

    /// Whether it tells how many moves or plies, and names no reason.
    #[must_use]
    pub fn is_number(&self) -> bool {
        match self {
            Fact::Holds {
                answers, example, ..
            } => answers.is_empty() && example.is_none(),
            Fact::Safe { safe, answers, .. } => answers.is_empty() && safe.len() > NAMED,
            Fact::ToEnd { line, settled, .. } => line.len() >= NEAR && settled.is_none(),
            Fact::Alone { .. } | Fact::Search { .. } => true,
            Fact::Completes { .. }
            | Fact::RefutedAtOnce { .. }
            | Fact::GoesOn { .. }
            | Fact::Continues { .. }
            | Fact::Refuted { .. }
            | Fact::Fork { .. }
            | Fact::Forces { .. }
            | Fact::ForksNext { .. }
            | Fact::Threatens { .. }
            | Fact::Stops { .. }
            | Fact::Blocked { .. }
            | Fact::OpenLines { .. }
            | Fact::Repeats { .. }
            | Fact::EndsGame { .. }
            | Fact::OnlyLegal
            | Fact::Gains { .. }
            | Fact::Better { .. }
            | Fact::Beside { .. }
            | Fact::Draws { .. }
            | Fact::Scores { .. }
            | Fact::Parity { .. }
            | Fact::SafeMoves { .. }
            | Fact::StripAlone { .. }
            | Fact::SlidesBack { .. }
            | Fact::NoneAtOnce { .. }
            | Fact::Answers { .. }
            | Fact::Ends { .. }
            | Fact::Proved { .. }
            | Fact::Copied { .. }
            | Fact::Market { .. }
            | Fact::Published { .. }
            | Fact::Nimber { .. } => false,
        }
    }

    /// Whether its sentence speaks of safe moves.
    #[must_use]
    pub fn is_of_safe_moves(&self) -> bool {
        if let Fact::Safe {
            safe,
            answers,
            scored,
            ..
        } = self
        {
            return !scored && answers.is_empty() && (1..=NAMED).contains(&safe.len());
        }
        self.kind() == "parity" || matches!(self, Fact::StripAlone { .. })
    }

    /// The lines that it is about. One that is many plies away does not stand on the board yet.
    #[must_use]
    pub fn lines(&self) -> &[CompletedLine] {
        match self {
            Fact::Completes { line, .. }
            | Fact::GoesOn { line, .. }
            | Fact::Gains { line, .. }
            | Fact::RefutedAtOnce { line, .. }
            | Fact::Stops { line, .. }
            | Fact::Threatens { line, .. }
            | Fact::Scores {
                completes: Some(line),
                ..
            } => std::slice::from_ref(line),
            Fact::Fork { lines, .. }
            | Fact::Forces { lines, .. }
            | Fact::ForksNext { lines, .. } => lines,
            Fact::Blocked { .. }
            | Fact::OpenLines { .. }
            | Fact::EndsGame { .. }
            | Fact::OnlyLegal
            | Fact::Better { .. }
            | Fact::Repeats { .. }
            | Fact::Beside { .. }
            | Fact::Alone { .. }
            | Fact::Continues { .. }
            | Fact::Refuted { .. }
            | Fact::Scores { .. }
            | Fact::Holds { .. }
            | Fact::Draws { .. }
            | Fact::Parity { .. }
            | Fact::Safe { .. }
            | Fact::Answers { .. }
            | Fact::ToEnd { .. }
            | Fact::Ends { .. }
            | Fact::SafeMoves { .. }
            | Fact::StripAlone { .. }
            | Fact::SlidesBack { .. }
            | Fact::NoneAtOnce { .. }
            | Fact::Proved { .. }
            | Fact::Copied { .. }
            | Fact::Market { .. }
            | Fact::Published { .. }
            | Fact::Nimber { .. }
            | Fact::Search { .. } => &[],
        }
    }

    /// How play goes on after the move that it is about.
    #[must_use]
    pub fn plies(&self) -> Vec<RefutationPly> {
        let plies = |moves: &mut dyn Iterator<Item = &String>| {
            let ply = |mv: &String| RefutationPly {
                mv: mv.clone(),
                only: false,
            };
            moves.map(ply).collect()
        };
        match self {
            Fact::RefutedAtOnce { reply: next, .. } | Fact::GoesOn { next, .. } => {
                plies(&mut [next].into_iter())
            }
            Fact::Continues { line, .. }
            | Fact::Refuted { line, .. }
            | Fact::Holds { line, .. }
            | Fact::Draws { line, .. }
            | Fact::ToEnd { line, .. }
            | Fact::Ends { line, .. }
            | Fact::Repeats { line, .. }
            | Fact::Scores { line, .. } => line.clone(),
            Fact::SlidesBack { reply, .. } | Fact::Copied { reply, .. } => {
                plies(&mut [reply].into_iter())
            }
            Fact::Fork { reply, .. } => plies(&mut reply.iter()),
            Fact::Forces { reply, answers, .. } => {
                let forced = answers.iter().flat_map(|one| [&one.answer, &one.next]);
                plies(&mut reply.iter().chain(forced))
            }
            Fact::ForksNext {
                reply,
                answer,
                next,
                ..
            } => plies(&mut reply.iter().chain([answer, next])),
            Fact::Completes { .. }
            | Fact::Threatens { .. }
            | Fact::Stops { .. }
            | Fact::Gains { .. }
            | Fact::Blocked { .. }
            | Fact::OpenLines { .. }
            | Fact::EndsGame { .. }
            | Fact::OnlyLegal
            | Fact::Better { .. }
            | Fact::Beside { .. }
            | Fact::Alone { .. }
            | Fact::Parity { .. }
            | Fact::Safe { .. }
            | Fact::Answers { .. }
            | Fact::SafeMoves { .. }
            | Fact::StripAlone { .. }
            | Fact::NoneAtOnce { .. }
            | Fact::Proved { .. }
            | Fact::Market { .. }
            | Fact::Published { .. }
            | Fact::Nimber { .. }
            | Fact::Search { .. } => Vec::new(),
        }
    }

    /// The moves after the one that it is about.
    #[must_use]
    pub fn line(&self) -> Vec<String> {
        self.plies().into_iter().map(|step| step.mv).collect()
    }
}
