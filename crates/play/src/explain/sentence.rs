//! The sentences that tell facts about a move.

use greenwave_game::Outcome;
use greenwave_tablebase::{CopyProof, Value};
use greenwave_words::Language;

use super::fact::{AnsweredMove, CompletedLine, Fact, MoveRefutation, RefutationPly};

/// Most safe moves that a sentence names.
pub(super) const NAMED: usize = 3;

/// Most plies to the end of which a sentence says how it comes: of a longer line of best play there are many others.
pub(super) const NEAR: usize = 9;

/// Most replies that it names.
const REPLIES_NAMED: usize = 6;

/// Whether a move as it is written is a pass.
fn is_pass(mv: &str) -> bool {
    mv == "pass"
}

impl Fact {
    /// The fact in a sentence; `mv` is the move that it is about.
    #[must_use]
    pub fn said(&self, words: Language, mv: &str) -> String {
        self.said_of(words, mv, str::to_string)
    }

    /// The same, with moves written by `named`.
    #[must_use]
    pub fn said_of(&self, words: Language, mv: &str, named_by: impl Fn(&str) -> String) -> String {
        let pair = |_: &[&str], answered: &AnsweredMove| {
            let (made, answer) = (named_by(&answered.made.mv), named_by(&answered.answer));
            let images = answered
                .made
                .images_said(words, &answered.answer, &named_by);
            format!("{made} \u{2192} {answer}{images}")
        };
        self.said_with(words, mv, &named_by, &pair)
    }

    /// The same, where `paired` writes a move and the answer to it: it gets the moves to the position before them, the
    /// one that the fact is about first.
    #[must_use]
    pub fn said_with(
        &self,
        words: Language,
        mv: &str,
        named_by: &dyn Fn(&str) -> String,
        paired: &dyn Fn(&[&str], &AnsweredMove) -> String,
    ) -> String {
        let lit = |line: &CompletedLine| {
            let key = match line.light() {
                Some('R') => "line-red",
                Some('Y') => "line-yellow",
                Some('G') => "line-green",
                Some(_) => return line.name(),
                None => match line.lights.as_str() {
                    "RYG" => "line-up",
                    "GYR" => "line-down",
                    _ => return line.name(),
                },
            };
            words.with(key, line.name())
        };
        let light = |line: &CompletedLine| {
            let mut said: Vec<String> = line.each().map(lit).collect();
            match (said.pop(), said.is_empty()) {
                (Some(last), false) => {
                    let some = said.join(", ");
                    words.filled("lines-and", &[("some", &some), ("last", &last)])
                }
                (last, _) => last.unwrap_or_default(),
            }
        };
        let listed = |moves: &[String]| {
            let moves: Vec<String> = moves.iter().map(|mv| named_by(mv)).collect();
            moves.join(", ")
        };
        let named =
            |ply: Option<&RefutationPly>| ply.map_or_else(String::new, |ply| named_by(&ply.mv));
        let lights = |drawn: &str| {
            let names = drawn.chars().map(|letter| match letter {
                'R' => words.text("red"),
                'Y' => words.text("yellow"),
                _ => words.text("green"),
            });
            names.collect::<Vec<_>>().join(" + ")
        };
        let filled = |key: &'static str, fillings: &[(&str, String)]| {
            let fillings: Vec<(&str, &str)> =
                fillings.iter().map(|(at, text)| (*at, &**text)).collect();
            words.filled(key, &fillings)
        };
        let counted = |reply: String, number: usize, all: usize| {
            vec![
                ("reply", reply),
                ("n", number.to_string()),
                ("all", all.to_string()),
            ]
        };
        let refuted = |example: &Option<MoveRefutation>| {
            let example = example.as_ref();
            example.map(|one| one.fact.said_with(words, &one.mv, named_by, paired))
        };
        let mut tail = None;
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
                let passes = line.first().is_some_and(|next| is_pass(&next.mv));
                let key = match value {
                    _ if *moves == 1 && passes => "why-continues-pass",
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
                winning,
                orbits,
                replies,
                ..
            } => {
                let (number, all) = (winning.len(), *replies);
                let mut named: Vec<String> = orbits.iter().map(|one| one.named(named_by)).collect();
                let best = named.remove(0);
                let others = number - 1 - orbits[0].images.len();
                let key = match (number, others) {
                    (1, _) if all == 1 && is_pass(&winning[0]) => "why-one-pass",
                    (1, _) if all == 1 => "why-one-reply",
                    (1, _) => "why-only-reply",
                    (_, _) if number == all => "why-every-reply",
                    (_, 0) => "why-replies-alike",
                    (_, 1) => "why-replies-two",
                    (_, _) if named.len() < REPLIES_NAMED => "why-replies",
                    (_, _) => "why-replies-many",
                };
                let mut fillings = counted(best, others, all);
                fillings.push(("others", named.join(", ")));
                (key, fillings)
            }
            Fact::Holds { answers, .. } if !answers.is_empty() => {
                let pairs: Vec<String> = answers.iter().map(|one| paired(&[mv], one)).collect();
                ("why-holds-answered", vec![("pairs", pairs.join(", "))])
            }
            Fact::Holds {
                replies,
                longest,
                example,
                ..
            } => {
                tail = refuted(example);
                let key = match longest.len() {
                    1 if *replies == 1 && is_pass(&longest[0]) => "why-holds-pass",
                    1 if *replies == 1 => "why-holds-one",
                    1 => "why-holds",
                    2 | 3 if longest.len() < *replies => "why-holds-some",
                    _ => "why-holds-alike",
                };
                (key, counted(listed(longest), 0, *replies))
            }
            Fact::Fork { reply, lines } => {
                let [line, other] = lines.each_ref().map(light);
                let key = if reply.is_some() {
                    "why-fork-reply"
                } else {
                    "why-fork"
                };
                let reply = reply.as_deref().map_or_else(String::new, named_by);
                (
                    key,
                    vec![("reply", reply), ("line", line), ("other", other)],
                )
            }
            Fact::Forces {
                reply,
                answers,
                lines,
            } => {
                let mut said = Vec::new();
                let mut made = reply.as_deref().unwrap_or(mv);
                for (number, forced) in answers.iter().enumerate() {
                    let key = match (number, reply) {
                        (0, None) => "why-threat-one",
                        (0, Some(_)) => "why-threat-reply",
                        (_, _) => "why-threat-then",
                    };
                    let fillings = [
                        ("mv", named_by(mv)),
                        ("next", named_by(made)),
                        ("line", light(&forced.line)),
                        ("reply", named_by(&forced.answer)),
                    ];
                    said.push(filled(key, &fillings));
                    made = &forced.next;
                }
                let [line, other] = lines.each_ref().map(light);
                let fillings = [("next", named_by(made)), ("line", line), ("other", other)];
                said.push(filled("why-fork-then", &fillings));
                return said.join(" ");
            }
            Fact::ForksNext {
                reply,
                answer,
                next,
                lines,
            } => {
                let [line, other] = lines.each_ref().map(light);
                let key = if reply.is_some() {
                    "why-forks-next-reply"
                } else {
                    "why-forks-next"
                };
                let fillings = vec![
                    ("reply", reply.as_deref().map_or_else(String::new, named_by)),
                    ("answer", named_by(answer)),
                    ("next", named_by(next)),
                    ("line", line),
                    ("other", other),
                ];
                (key, fillings)
            }
            Fact::Threatens { line, stops } => {
                let key = if stops.len() == 1 {
                    "why-threat-one"
                } else {
                    "why-threat"
                };
                (key, vec![("reply", listed(stops)), ("line", light(line))])
            }
            Fact::Stops {
                line,
                stopping,
                moves,
            } => {
                let key = if *stopping == 1 && *moves > 1 {
                    "why-stops-only"
                } else {
                    "why-stops"
                };
                (key, vec![("line", light(line))])
            }
            Fact::Blocked { own, other } => {
                let key = match (own, other) {
                    (false, false) => "why-blocked",
                    (false, true) => "why-blocked-own",
                    (true, _) => "why-blocked-other",
                };
                (key, Vec::new())
            }
            Fact::OpenLines { own, other } => {
                ("why-open-lines", counted(String::new(), *own, *other))
            }
            Fact::Repeats { plies, .. } => ("why-repeats", vec![("plies", words.plies(*plies))]),
            Fact::EndsGame { outcome } => {
                let key = match outcome {
                    Outcome::Win => "why-ends-wins",
                    Outcome::Draw => "why-ends-draws",
                    Outcome::Loss => "why-ends-loses",
                };
                (key, Vec::new())
            }
            Fact::OnlyLegal => ("why-only-legal", Vec::new()),
            Fact::Gains { line, points } => {
                let fillings = vec![("line", light(line)), ("points", words.points(*points))];
                ("why-gains", fillings)
            }
            Fact::Better { best, points } => {
                let fillings = vec![("best", named_by(best)), ("points", words.points(*points))];
                ("why-better", fillings)
            }
            Fact::Beside {
                losing,
                moves,
                example,
            } => {
                let key = match moves - losing {
                    _ if *losing == 0 => "why-beside-none",
                    1 => "why-beside-only",
                    _ if *losing == 1 => "why-beside-one",
                    _ => "why-beside-some",
                };
                tail = refuted(example);
                (key, counted(String::new(), *losing, *moves))
            }
            Fact::Alone { at_once, moves } => {
                let key = match at_once {
                    0 => "why-alone",
                    1 if *moves > 2 => "why-alone-one",
                    _ if at_once + 1 == *moves && *moves > 2 => "why-alone-all",
                    1 => "why-alone",
                    _ => "why-alone-some",
                };
                (key, counted(String::new(), *at_once, *moves))
            }
            Fact::Draws {
                holding,
                losing,
                replies,
                example,
                ..
            } => {
                tail = refuted(example);
                let lost = replies - holding.len();
                let key = match (lost, holding.len()) {
                    (0, _) => "why-draws-all",
                    (1, _) => "why-draws-all-but-one",
                    (_, 1) => "why-draws-only",
                    (_, 2..=REPLIES_NAMED) => "why-draws-few",
                    (_, _) if losing.len() <= REPLIES_NAMED => "why-draws-losing",
                    (_, _) => "why-draws-some",
                };
                let number = if holding.len() == 1 && lost > 1 {
                    lost
                } else {
                    holding.len()
                };
                let mut fillings = counted(listed(holding), number, *replies);
                let losing: Vec<String> = losing.iter().map(|one| one.named(named_by)).collect();
                fillings.push(("others", losing.join(", ")));
                (key, fillings)
            }
            Fact::Scores {
                points,
                completes,
                line,
            } => {
                let key = match (line.first(), completes) {
                    (None, Some(_)) => "why-scores-last",
                    (None, None) => "why-scores-end",
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
            Fact::Safe {
                reply,
                safe,
                answers,
                moves,
                scored,
            } => {
                let lost = moves - safe.len();
                let is_one = safe.len() == 1;
                let key = match (reply, safe.len(), lost) {
                    (Some(_), _, _) if !answers.is_empty() && is_one => "why-left-answered-one",
                    (Some(_), _, _) if !answers.is_empty() => "why-left-answered",
                    (None, _, _) if !answers.is_empty() && is_one => "why-safe-answered-one",
                    (None, _, _) if !answers.is_empty() => "why-safe-answered",
                    (Some(_), 0, _) if *scored => "why-open-all",
                    (Some(_), _, 1) if *scored => "why-open-one",
                    (Some(_), _, _) if *scored => "why-open-some",
                    (Some(_), 0, _) => "why-left-none",
                    (Some(_), _, 1) => "why-left-one",
                    (Some(_), _, _) => "why-left-some",
                    (None, 0, _) if *scored => "why-gives-all",
                    (None, _, 1) if *scored => "why-gives-one",
                    (None, _, _) if *scored => "why-gives-some",
                    (None, 0, _) => "why-safe-none",
                    (None, _, 1) => "why-safe-one",
                    (None, _, _) => "why-safe-some",
                };
                let path: Vec<&str> = std::iter::once(mv).chain(reply.as_deref()).collect();
                let reply = reply.as_deref().map_or_else(String::new, named_by);
                let mut fillings = counted(reply, lost, *moves);
                fillings.push(("mv", named_by(mv)));
                let pairs: Vec<String> = answers.iter().map(|one| paired(&path, one)).collect();
                fillings.push(("pairs", pairs.join(", ")));
                let said = filled(key, &fillings);
                return if answers.is_empty() && (1..=NAMED).contains(&safe.len()) {
                    format!("{said} {}", words.with("why-safe-now", listed(safe)))
                } else {
                    said
                };
            }
            Fact::StripAlone { safe } => {
                let key = if safe.len() <= NAMED {
                    "why-strip-few"
                } else {
                    "why-strip-some"
                };
                (key, vec![("safe", listed(safe))])
            }
            Fact::SlidesBack { reply, draws } => {
                let key = if *draws {
                    "why-back-draws"
                } else {
                    "why-back-loses"
                };
                (key, vec![("reply", named_by(reply))])
            }
            Fact::NoneAtOnce { scored } => {
                let key = if *scored {
                    "why-none-scores"
                } else {
                    "why-none-wins"
                };
                (key, Vec::new())
            }
            Fact::Answers {
                reply,
                answers,
                longest,
                plies,
                example,
            } => {
                tail = refuted(example);
                let key = if *answers == 1 {
                    "why-answers-one"
                } else {
                    "why-answers"
                };
                let mut fillings = counted(named_by(reply), 0, *answers);
                fillings.push(("longest", named_by(longest)));
                fillings.push(("plies", words.plies(*plies)));
                fillings.push(("length", words.length(*plies)));
                (key, fillings)
            }
            Fact::ToEnd {
                completes,
                safe,
                loses,
                line,
                settled,
            } => {
                if let Some(settled) = settled {
                    let fillings = [
                        ("plies", words.plies(settled.plies)),
                        ("n", settled.fewest.to_string()),
                        ("all", settled.most.to_string()),
                    ];
                    // The number of safe moves to the end says who runs out of them.
                    return filled(settled.key(safe.is_multiple_of(2)), &fillings);
                }
                let key = match (safe, loses) {
                    (even, _) if line.len() >= NEAR && even.is_multiple_of(2) => "why-far-even",
                    _ if line.len() >= NEAR => "why-far-odd",
                    (0, false) => "why-to-end",
                    (1, false) => "why-to-end-one",
                    (even, false) if even.is_multiple_of(2) => "why-to-end-even",
                    (_, false) => "why-to-end-odd",
                    (0, true) => "why-must",
                    (1, true) => "why-must-one",
                    (even, true) if even.is_multiple_of(2) => "why-must-even",
                    (_, true) => "why-must-odd",
                };
                let fillings = vec![
                    ("n", safe.to_string()),
                    ("last", named(line.last())),
                    ("line", light(completes)),
                    ("plies", words.plies(line.len() as u32 + 1)),
                ];
                (key, fillings)
            }
            Fact::Ends {
                own,
                completes,
                line,
            } => {
                let key = if *own {
                    "why-ends-own"
                } else {
                    "why-ends-other"
                };
                let fillings = vec![
                    ("last", named(line.last())),
                    ("line", light(completes)),
                    ("plies", words.plies(line.len() as u32 + 1)),
                ];
                (key, fillings)
            }
            Fact::SafeMoves { safe, plies } => {
                let key = match safe {
                    even if *plies as usize > NEAR && even.is_multiple_of(2) => "why-far-even",
                    _ if *plies as usize > NEAR => "why-far-odd",
                    1 => "why-lasts-one",
                    even if even.is_multiple_of(2) => "why-lasts-even",
                    _ => "why-lasts-odd",
                };
                let fillings = vec![("n", safe.to_string()), ("plies", words.plies(*plies))];
                (key, fillings)
            }
            Fact::Market {
                ahead,
                of,
                best,
                worst,
            } => {
                let key = if *ahead > 0 {
                    "why-draws-of-bag"
                } else {
                    "why-draws-of-bag-none"
                };
                let share = f64::from(*ahead) / f64::from((*of).max(1));
                let draws = if ahead == of {
                    words.text("draws-all").into()
                } else {
                    words.with("draws-some", words.per_cent(share, 1))
                };
                let fillings = vec![
                    ("draws", draws),
                    ("best", lights(best)),
                    ("worst", lights(worst)),
                ];
                (key, fillings)
            }
            Fact::Proved { proof, .. } => {
                let key = if proof.centre.is_some() {
                    "why-copying-centre"
                } else {
                    "why-copying"
                };
                (key, copied_squares(proof))
            }
            Fact::Copied { reply, proof } => {
                let key = if proof.centre.is_some() {
                    "why-copied-centre"
                } else {
                    "why-copied"
                };
                let mut fillings = copied_squares(proof);
                fillings.push(("reply", named_by(reply)));
                (key, fillings)
            }
            Fact::Published { outcome, settle } => {
                // A command that finds them out stands where it is said how the value is known.
                tail = settle
                    .is_none()
                    .then(|| words.text("why-published-open").into());
                let key = match outcome {
                    Outcome::Win => "why-published-wins",
                    Outcome::Draw => "why-published-draws",
                    Outcome::Loss => "why-published-loses",
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
        let said = filled(key, &fillings);
        match tail {
            Some(tail) => format!("{said} {tail}"),
            None => said,
        }
    }
}

/// Which squares match where a player copies, and the one that matches itself.
fn copied_squares(proof: &CopyProof) -> Vec<(&'static str, String)> {
    let pairs = proof.pairs.iter().take(NAMED);
    let pairs = pairs.map(|(square, image)| format!("{square}\u{a0}\u{2194}\u{a0}{image}"));
    let pairs = pairs.collect::<Vec<_>>().join(", ");
    let end = if proof.pairs.len() > NAMED {
        " \u{2026}"
    } else {
        "."
    };
    let centre = proof.centre.clone().unwrap_or_default();
    vec![("pairs", pairs + end), ("centre", centre)]
}
