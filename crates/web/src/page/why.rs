//! Why a move is worth what it is: the facts as sentences, and the moves that refute it as links.

use std::fmt::Write;

use greenwave_picture::escaped;
use greenwave_play::{Fact, RefutationPly};
use greenwave_tablebase::Value;

use crate::page::contents::Page;
use crate::page::told::{DrawsAfterMove, MoveReasons};
use crate::page::written::light;

impl Page<'_> {
    /// The reasons for the value of the requested move, or of the first.
    pub(super) fn reasons(&self, why: &MoveReasons) -> String {
        let words = self.reader.language;
        if why.facts.is_empty() {
            let Some(asked) = self.asked_why() else {
                return String::new();
            };
            return format!(
                "<h2 id=\"why\" tabindex=\"-1\">{}</h2><div class=\"why\"><p>{}</p></div>",
                escaped(&words.with("why-about", &asked.mv.mv)),
                escaped(&words.with("why-unproven", &asked.mv.mv))
            );
        }
        // Of points and chances, more is better, and none wins or loses by itself.
        let is_counted = why.mv.points.is_some() || why.mv.odds.is_some();
        let title = match why.mv.value.filter(|_| !is_counted) {
            Some(Value::Win) => "why-wins",
            Some(Value::Loss) => "why-loses",
            Some(Value::Draw) => "why-draws",
            Some(Value::Unknown) | None => "why-about",
        };
        let mut html = format!(
            "<h2 id=\"why\" tabindex=\"-1\">{}</h2><div class=\"why\">",
            escaped(&words.with(title, &why.mv.mv))
        );
        let told = self.explained(self.view.at, why);
        // The board shows the same numbers.
        html.push_str(&if self.asked_why().is_some() {
            told.replace("<p class=\"line\">", "<p class=\"line numbered\">")
        } else {
            told
        });
        html + "</div>"
    }

    /// What is true about a move after some plies of the game, and how play goes on.
    pub(super) fn explained(&self, plies: usize, why: &MoveReasons) -> String {
        let mv = &why.mv.mv;
        let mut html = String::new();
        if let Some(draws) = &why.draws {
            let _ = write!(
                html,
                "<p data-fact=\"draws\">{}</p>",
                escaped(&self.drawn_after(mv, draws))
            );
        }
        // That something was found by search is said where there is nothing else to say.
        let is_last = |fact: &Fact| why.draws.is_some() && matches!(fact, Fact::Search { .. });
        for fact in why.told().filter(|fact| !is_last(fact)) {
            let _ = write!(
                html,
                "<p data-fact=\"{}\">{}</p>",
                fact.kind(),
                escaped(&fact.said(self.reader.language, mv))
            );
        }
        html + &self.refutation(plies, mv, &why.line())
    }

    fn drawn_after(&self, mv: &str, draws: &DrawsAfterMove) -> String {
        let words = self.reader.language;
        let lights = |draw: &str| {
            let letters = draw.chars().filter_map(|letter| light(words, letter));
            letters.collect::<Vec<_>>().join(", ")
        };
        let fillings = [
            ("mv", mv),
            ("draws", &self.of_draws(draws.ahead)),
            ("best", &lights(&draws.best)),
            ("worst", &lights(&draws.worst)),
        ];
        let key = if draws.ahead > 0.0 {
            "why-draws-of-bag"
        } else {
            "why-draws-of-bag-none"
        };
        words.filled(key, &fillings)
    }

    /// The move and how play goes on, each a link; a move that alone keeps a win has a mark.
    fn refutation(&self, plies: usize, mv: &str, line: &[RefutationPly]) -> String {
        if line.is_empty() {
            return String::new();
        }
        let only = format!(
            "<span aria-hidden=\"true\">!</span><span class=\"unseen\"> {}</span>",
            self.reader.language.text("only-move")
        );
        let mark = |step: &RefutationPly| if step.only { only.as_str() } else { "" };
        let rest = line.iter().map(|step| (step.mv.as_str(), mark(step)));
        self.linked(plies, std::iter::once((mv, "")).chain(rest))
    }

    /// The address of this position with the reasons of a move.
    pub(super) fn asking_why(&self, mv: &str) -> String {
        let moves = self.played(self.view.at);
        let address = self.game(self.view.start.as_deref(), &moves, &[("why", mv)]);
        self.at_part(address, "why")
    }
}
