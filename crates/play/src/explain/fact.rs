//! Facts about a move, and the sentences that tell them.

use greenwave_tablebase::{Theorem, Value};
use greenwave_words::Language;

/// Most safe moves that a sentence names.
const NAMED: usize = 3;

/// Most replies that it names.
const REPLIES_NAMED: usize = 6;

/// A completed line: its squares from one end to the other, and the letters of what stands there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompletedLine {
    /// Names of the squares.
    pub squares: Vec<String>,
    /// What stands on them, as positions write it.
    pub lights: String,
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
        /// Number of replies.
        replies: usize,
        /// How play goes on.
        line: Vec<RefutationPly>,
    },
    /// Every reply of the opponent loses.
    Holds {
        /// Number of replies.
        replies: usize,
        /// The one that holds out longest.
        longest: String,
        /// How play continues from it.
        line: Vec<RefutationPly>,
    },
    /// Whoever makes the move, or the best reply to it, threatens two lines at once, and no answer stops both.
    Fork {
        /// The reply, where the fork is the opponent's.
        reply: Option<String>,
        /// Two lines, one of which the next move of that player completes.
        lines: [CompletedLine; 2],
    },
    /// The move threatens a line, which the opponent has to stop.
    Threatens {
        /// The line.
        line: CompletedLine,
        /// The replies that stop it.
        stops: Vec<String>,
    },
    /// The move draws: so many of the moves beside it lose, and none wins.
    Beside {
        /// Number of moves that lose.
        losing: usize,
        /// Number of moves.
        moves: usize,
    },
    /// The move draws: this many replies draw, and the others lose.
    Draws {
        /// The replies that draw.
        holding: Vec<String>,
        /// Number of replies.
        replies: usize,
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
        /// Number of moves.
        moves: usize,
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
    },
    /// Best play goes on to a line that ends the game: safe moves, as in [`Fact::Parity`], until a player has none.
    ToEnd {
        /// How many safe moves.
        safe: u32,
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
        /// The theorem.
        theorem: Theorem,
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
            Fact::Completes { .. } | Fact::GoesOn { .. } => "completes",
            Fact::RefutedAtOnce { .. } | Fact::Refuted { .. } => "refuted",
            Fact::Fork { .. } => "fork",
            Fact::Threatens { .. } => "threat",
            Fact::Scores { line, .. } if !line.is_empty() => "refuted",
            Fact::Continues { .. }
            | Fact::Holds { .. }
            | Fact::Draws { .. }
            | Fact::Beside { .. }
            | Fact::Scores { .. }
            | Fact::Answers { .. }
            | Fact::Search { .. } => "search",
            Fact::Parity { .. }
            | Fact::Safe { .. }
            | Fact::SafeMoves { .. }
            | Fact::ToEnd { .. } => "parity",
            Fact::Proved {
                theorem: Theorem::Copying,
            } => "copying",
            Fact::Proved { .. } => "theorem",
            Fact::Nimber { .. } => "nimber",
        }
    }

    /// The key of the words that name its idea, where it has one that players know.
    #[must_use]
    pub fn idea(&self) -> Option<&'static str> {
        match self {
            Fact::Completes { .. } | Fact::GoesOn { .. } => Some("idea-line"),
            Fact::RefutedAtOnce { .. } => Some("idea-at-once"),
            Fact::Refuted { winning, .. } if winning.len() == 1 => Some("idea-one-answer"),
            Fact::Refuted { .. } => Some("idea-refuted"),
            Fact::Holds { replies: 1, .. } => Some("idea-one-answer"),
            Fact::Holds { .. } => Some("idea-no-answer"),
            Fact::Parity { most: 0, .. } => Some("idea-no-safe-move"),
            Fact::Parity { .. } | Fact::SafeMoves { .. } | Fact::ToEnd { .. } => {
                Some("theme-parity")
            }
            Fact::Proved { .. } => Some("idea-copying"),
            Fact::Fork { .. } => Some("theme-fork"),
            Fact::Threatens { .. } => Some("idea-threat"),
            Fact::Beside { .. }
            | Fact::Continues { .. }
            | Fact::Draws { .. }
            | Fact::Scores { .. }
            | Fact::Safe { .. }
            | Fact::Answers { .. }
            | Fact::Nimber { .. }
            | Fact::Search { .. } => None,
        }
    }

    /// Whether it counts only where several boards are played at once.
    #[must_use]
    pub fn is_of_sums(&self) -> bool {
        matches!(self, Fact::Nimber { .. })
    }

    /// Whether it speaks of safe moves.
    #[must_use]
    pub fn is_of_safe_moves(&self) -> bool {
        self.kind() == "parity"
    }

    /// The lines that it is about. One that is many plies away does not stand on the board yet.
    #[must_use]
    pub fn lines(&self) -> &[CompletedLine] {
        match self {
            Fact::Completes { line, .. }
            | Fact::GoesOn { line, .. }
            | Fact::RefutedAtOnce { line, .. }
            | Fact::Threatens { line, .. }
            | Fact::Scores {
                completes: Some(line),
                ..
            } => std::slice::from_ref(line),
            Fact::Fork { lines, .. } => lines,
            Fact::Beside { .. }
            | Fact::Continues { .. }
            | Fact::Refuted { .. }
            | Fact::Scores { .. }
            | Fact::Holds { .. }
            | Fact::Draws { .. }
            | Fact::Parity { .. }
            | Fact::Safe { .. }
            | Fact::Answers { .. }
            | Fact::ToEnd { .. }
            | Fact::SafeMoves { .. }
            | Fact::Proved { .. }
            | Fact::Nimber { .. }
            | Fact::Search { .. } => &[],
        }
    }

    /// How play goes on after the move that it is about.
    #[must_use]
    pub fn plies(&self) -> Vec<RefutationPly> {
        match self {
            Fact::RefutedAtOnce { reply: next, .. } | Fact::GoesOn { next, .. } => {
                vec![RefutationPly {
                    mv: next.clone(),
                    only: false,
                }]
            }
            Fact::Continues { line, .. }
            | Fact::Refuted { line, .. }
            | Fact::Holds { line, .. }
            | Fact::Draws { line, .. }
            | Fact::ToEnd { line, .. }
            | Fact::Scores { line, .. } => line.clone(),
            Fact::Fork {
                reply: Some(reply), ..
            } => vec![RefutationPly {
                mv: reply.clone(),
                only: false,
            }],
            Fact::Completes { .. }
            | Fact::Fork { reply: None, .. }
            | Fact::Threatens { .. }
            | Fact::Beside { .. }
            | Fact::Parity { .. }
            | Fact::Safe { .. }
            | Fact::Answers { .. }
            | Fact::SafeMoves { .. }
            | Fact::Proved { .. }
            | Fact::Nimber { .. }
            | Fact::Search { .. } => Vec::new(),
        }
    }

    /// The moves after the one that it is about.
    #[must_use]
    pub fn line(&self) -> Vec<String> {
        self.plies().into_iter().map(|step| step.mv).collect()
    }

    /// The fact in a sentence; `mv` is the move that it is about.
    #[must_use]
    pub fn said(&self, words: Language, mv: &str) -> String {
        self.said_of(words, mv, str::to_string)
    }

    /// The same, with moves written by `named`.
    #[must_use]
    pub fn said_of(&self, words: Language, mv: &str, named_by: impl Fn(&str) -> String) -> String {
        let light = |line: &CompletedLine| {
            let key = match line.light() {
                Some('R') => "line-red",
                Some('Y') => "line-yellow",
                Some('G') => "line-green",
                Some(_) | None => return line.name(),
            };
            words.with(key, line.name())
        };
        let listed = |moves: &[String]| {
            let moves: Vec<String> = moves.iter().map(|mv| named_by(mv)).collect();
            moves.join(", ")
        };
        let named =
            |ply: Option<&RefutationPly>| ply.map_or_else(String::new, |ply| named_by(&ply.mv));
        let counted = |reply: String, number: usize, all: usize| {
            vec![
                ("reply", reply),
                ("n", number.to_string()),
                ("all", all.to_string()),
            ]
        };
        let (key, mut fillings) = match self {
            Fact::Completes { line, wins } => {
                let key = if *wins {
                    "why-completes"
                } else {
                    "why-completes-loses"
                };
                (key, vec![("line", light(line))])
            }
            Fact::RefutedAtOnce { reply, line } => {
                let fillings = vec![("reply", named_by(reply)), ("line", light(line))];
                ("why-at-once", fillings)
            }
            Fact::GoesOn { next, line } => {
                let fillings = vec![("reply", named_by(next)), ("line", light(line))];
                ("why-goes-on", fillings)
            }
            Fact::Continues {
                value,
                keeping,
                moves,
                line,
            } => {
                let key = match value {
                    _ if *moves == 1 => "why-continues-one",
                    Value::Win if *keeping == 1 => "why-continues-only",
                    Value::Win => "why-continues-wins",
                    Value::Draw if *keeping == 1 => "why-continues-draws-one",
                    Value::Draw => "why-continues-draws",
                    Value::Loss | Value::Unknown => "why-continues-loses",
                };
                (key, counted(named(line.first()), *keeping, *moves))
            }
            Fact::Refuted {
                winning, replies, ..
            } => {
                let (number, all) = (winning.len(), *replies);
                let is_few = number <= REPLIES_NAMED && number < all;
                let shown = if is_few { winning } else { &winning[..1] };
                let key = match (number, all) {
                    (1, 1) => "why-one-reply",
                    (1, _) => "why-only-reply",
                    (winning, all) if winning == all => "why-every-reply",
                    (_, _) if is_few => "why-replies",
                    (_, _) => "why-replies-many",
                };
                (key, counted(listed(shown), number, all))
            }
            Fact::Holds {
                replies, longest, ..
            } => {
                let key = if *replies == 1 {
                    "why-holds-one"
                } else {
                    "why-holds"
                };
                (key, counted(named_by(longest), 0, *replies))
            }
            Fact::Fork { reply, lines } => {
                let [line, other] = lines.each_ref().map(light);
                let key = if reply.is_some() {
                    "why-fork-reply"
                } else {
                    "why-fork"
                };
                let reply = reply.as_deref().map_or_else(String::new, &named_by);
                (
                    key,
                    vec![("reply", reply), ("line", line), ("other", other)],
                )
            }
            Fact::Threatens { line, stops } => {
                let key = if stops.len() == 1 {
                    "why-threat-one"
                } else {
                    "why-threat"
                };
                (key, vec![("reply", listed(stops)), ("line", light(line))])
            }
            Fact::Beside { losing, moves } => {
                let key = match moves - losing {
                    _ if *losing == 0 => "why-beside-none",
                    1 => "why-beside-only",
                    _ if *losing == 1 => "why-beside-one",
                    _ => "why-beside-some",
                };
                (key, counted(String::new(), *losing, *moves))
            }
            Fact::Draws {
                holding, replies, ..
            } => {
                let key = match replies - holding.len() {
                    0 => "why-draws-all",
                    1 => "why-draws-all-but-one",
                    _ if holding.len() <= REPLIES_NAMED => "why-draws-few",
                    _ => "why-draws-some",
                };
                (key, counted(listed(holding), holding.len(), *replies))
            }
            Fact::Scores {
                points,
                completes,
                line,
            } => {
                let key = match (line.first(), completes) {
                    (None, _) => "why-scores-last",
                    (Some(_), None) => "why-scores",
                    (Some(_), Some(_)) => "why-scores-line",
                };
                let fillings = vec![
                    ("reply", named(line.first())),
                    ("line", completes.as_ref().map_or(String::new(), light)),
                    ("points", words.points(*points)),
                ];
                (key, fillings)
            }
            Fact::Parity { fewest, most } => {
                let key = match (fewest, fewest == most) {
                    (0, true) => "why-parity-none",
                    (1, true) => "why-parity-one",
                    (even, true) if even.is_multiple_of(2) => "why-parity-even",
                    (_, true) => "why-parity-odd",
                    (even, false) if even.is_multiple_of(2) => "why-parity-always-even",
                    (_, false) => "why-parity-always-odd",
                };
                (
                    key,
                    counted(String::new(), *fewest as usize, *most as usize),
                )
            }
            Fact::Safe { reply, safe, moves } => {
                let lost = moves - safe.len();
                let key = match (reply, safe.len()) {
                    (Some(_), 0) => "why-left-none",
                    (Some(_), 1..=NAMED) if lost == 1 => "why-left-few-one",
                    (Some(_), 1..=NAMED) => "why-left-few",
                    (Some(_), _) if lost == 1 => "why-left-some-one",
                    (Some(_), _) => "why-left-some",
                    (None, 0) => "why-safe-none",
                    (None, 1..=NAMED) if lost == 1 => "why-safe-few-one",
                    (None, 1..=NAMED) => "why-safe-few",
                    (None, _) if lost == 1 => "why-safe-some-one",
                    (None, _) => "why-safe-some",
                };
                let reply = reply.as_deref().map_or_else(String::new, &named_by);
                let mut fillings = counted(reply, lost, *moves);
                fillings.push(("safe", listed(safe)));
                (key, fillings)
            }
            Fact::Answers {
                reply,
                answers,
                longest,
                plies,
            } => {
                let key = if *answers == 1 {
                    "why-answers-one"
                } else {
                    "why-answers"
                };
                let mut fillings = counted(named_by(reply), 0, *answers);
                fillings.push(("longest", named_by(longest)));
                fillings.push(("plies", words.plies(*plies)));
                (key, fillings)
            }
            Fact::ToEnd {
                completes,
                safe,
                line,
            } => {
                let key = match safe {
                    0 => "why-to-end",
                    1 => "why-to-end-one",
                    even if even.is_multiple_of(2) => "why-to-end-even",
                    _ => "why-to-end-odd",
                };
                let fillings = vec![
                    ("n", safe.to_string()),
                    ("last", named(line.last())),
                    ("line", light(completes)),
                    ("plies", words.plies(line.len() as u32 + 1)),
                ];
                (key, fillings)
            }
            Fact::SafeMoves { safe, plies } => {
                let key = match safe {
                    1 => "why-lasts-one",
                    even if even.is_multiple_of(2) => "why-lasts-even",
                    _ => "why-lasts-odd",
                };
                let fillings = vec![("n", safe.to_string()), ("plies", words.plies(*plies))];
                (key, fillings)
            }
            Fact::Proved { theorem } => {
                let key = match theorem {
                    Theorem::TwoRanks => "why-two-ranks",
                    Theorem::BothSidesOdd => "why-both-odd",
                    Theorem::Copying => "why-copying",
                };
                (key, Vec::new())
            }
            Fact::Nimber { nimber } => ("why-nimber", vec![("n", nimber.to_string())]),
            Fact::Search { plies: Some(plies) } => {
                return words.with("why-search", words.plies(*plies));
            }
            Fact::Search { plies: None } => ("why-search-all", Vec::new()),
        };
        fillings.push(("mv", named_by(mv)));
        let fillings: Vec<(&str, &str)> =
            fillings.iter().map(|(at, text)| (*at, &**text)).collect();
        words.filled(key, &fillings)
    }
}
