//! Why a move is worth what it is: the facts as sentences, and the moves that refute it as links.

use std::fmt::Write;

use greenwave_picture::escaped;
use greenwave_play::{Completed, Fact, Step};
use greenwave_tablebase::{MoveFigures, Value};
use greenwave_words::Language;

use crate::page::position::Page;

/// A move and what is true about it.
pub(crate) struct Why {
    pub(crate) mv: MoveFigures,
    pub(crate) facts: Vec<Fact>,
}

impl Page<'_> {
    /// Why the move that was asked about, or the first, is worth what it is.
    pub(super) fn why(&self, why: &Why) -> String {
        if why.facts.is_empty() {
            return String::new();
        }
        let words = self.reader.language;
        let mv = why.mv.mv.clone();
        let title = match why.mv.value {
            Some(Value::Win) => "why-wins",
            Some(Value::Loss) => "why-loses",
            Some(Value::Draw) => "why-draws",
            Some(Value::Unknown) | None => "why-about",
        };
        let mut html = format!(
            "<h2 id=\"why\">{}</h2><div class=\"why\">",
            escaped(&words.with(title, &mv))
        );
        for fact in &why.facts {
            let _ = write!(
                html,
                "<p data-fact=\"{}\">{}</p>",
                fact.kind(),
                escaped(&self.sentence(fact, &mv))
            );
        }
        let line: Vec<Step> = match why.facts.first() {
            Some(Fact::RefutedAtOnce { reply, .. }) => vec![Step {
                mv: reply.clone(),
                only: false,
            }],
            Some(Fact::Refuted { line, .. } | Fact::Holds { line, .. }) => line.clone(),
            Some(
                Fact::Completes { .. }
                | Fact::Draws { .. }
                | Fact::Parity { .. }
                | Fact::Nimber { .. }
                | Fact::Search { .. },
            )
            | None => Vec::new(),
        };
        html.push_str(&self.refutation(&mv, &line));
        html + "</div>"
    }

    /// The move and how play goes on, each a link; a move that alone keeps a win has a mark.
    fn refutation(&self, mv: &str, line: &[Step]) -> String {
        if line.is_empty() {
            return String::new();
        }
        let words = self.reader.language;
        let mut played: Vec<String> = self
            .played(self.view.at)
            .iter()
            .map(|mv| (*mv).into())
            .collect();
        let mut html = String::from("<p class=\"line\">");
        let first = std::iter::once((mv.to_string(), false));
        let rest = line.iter().map(|step| (step.mv.clone(), step.only));
        for (text, only) in first.chain(rest) {
            played.push(text.clone());
            let all: Vec<&str> = played.iter().map(String::as_str).collect();
            let mark = match only {
                true => format!(
                    "<span aria-hidden=\"true\">!</span><span class=\"unseen\"> {}</span>",
                    words.text("only-move")
                ),
                false => String::new(),
            };
            let _ = write!(
                html,
                "<a href=\"{}\">{}{mark}</a> ",
                escaped(&self.game(self.view.start.as_deref(), &all, &[])),
                escaped(&text)
            );
        }
        html + "</p>"
    }

    /// The address of this position with the reasons of a move.
    pub(super) fn asking_why(&self, mv: &str) -> String {
        let moves = self.played(self.view.at);
        self.game(self.view.start.as_deref(), &moves, &[("why", mv)])
    }

    fn sentence(&self, fact: &Fact, mv: &str) -> String {
        let words = self.reader.language;
        match fact {
            Fact::Completes { line, wins } => {
                let key = if *wins {
                    "why-completes"
                } else {
                    "why-completes-loses"
                };
                words.filled(key, &[("mv", mv), ("line", &self.line_name(line))])
            }
            Fact::RefutedAtOnce { reply, line } => words.filled(
                "why-at-once",
                &[
                    ("mv", mv),
                    ("reply", reply),
                    ("line", &self.line_name(line)),
                ],
            ),
            Fact::Refuted {
                reply,
                winning,
                replies,
                ..
            } => {
                let key = match (*winning, *replies) {
                    (1, 1) => "why-one-reply",
                    (1, _) => "why-only-reply",
                    (winning, all) if winning == all => "why-every-reply",
                    (_, _) => "why-replies",
                };
                counted(words, key, mv, reply, *winning, *replies)
            }
            Fact::Holds {
                replies, longest, ..
            } => {
                let key = if *replies == 1 {
                    "why-holds-one"
                } else {
                    "why-holds"
                };
                counted(words, key, mv, longest, *replies, *replies)
            }
            Fact::Draws { holding, replies } => {
                let key = if holding == replies {
                    "why-draws-all"
                } else {
                    "why-draws-some"
                };
                counted(words, key, mv, "", *holding, *replies)
            }
            Fact::Parity { safe } => {
                let key = match safe {
                    0 => "why-parity-none",
                    1 => "why-parity-one",
                    even if even.is_multiple_of(2) => "why-parity-even",
                    _ => "why-parity-odd",
                };
                counted(words, key, mv, "", *safe, *safe)
            }
            Fact::Nimber { nimber } => counted(words, "why-nimber", mv, "", *nimber as usize, 0),
            Fact::Search { plies: Some(plies) } => words.with("why-search", words.plies(*plies)),
            Fact::Search { plies: None } => words.text("why-search-all").into(),
        }
    }

    /// A line with the colour of its lights, where they are equal: `red a1–b1–c1`.
    fn line_name(&self, line: &Completed) -> String {
        let words = self.reader.language;
        match line.light() {
            Some('R') => format!("{} {}", words.text("red"), line.name()),
            Some('Y') => format!("{} {}", words.text("yellow"), line.name()),
            Some('G') => format!("{} {}", words.text("green"), line.name()),
            Some(_) | None => line.name(),
        }
    }
}

fn counted(
    words: Language,
    key: &'static str,
    mv: &str,
    reply: &str,
    number: usize,
    all: usize,
) -> String {
    let (number, all) = (number.to_string(), all.to_string());
    words.filled(
        key,
        &[("mv", mv), ("reply", reply), ("n", &number), ("all", &all)],
    )
}
