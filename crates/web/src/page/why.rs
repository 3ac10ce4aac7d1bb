//! Why a move is worth what it is: the facts as sentences, and the moves that refute it as links.

use std::fmt::Write;

use greenwave_game::Outcome;
use greenwave_picture::escaped;
use greenwave_play::{
    Fact, MoveOrbit, PositionSymmetries, RefutationPly, SAFE_MOVE_IDEAS, idea_of,
};
use greenwave_tablebase::Value;

use crate::page::contents::Page;
use crate::page::told::{LostMoves, MoveReasons, WhichMoves};
use crate::page::{board, figures, mini};

impl Page<'_> {
    /// The reasons for the value of the requested move, or of the first.
    pub(super) fn reasons(&self, why: &MoveReasons) -> String {
        let words = self.reader.language;
        let figures = why.mv.figures();
        let is_proven = figures.value.is_some() || figures.odds.is_some();
        if !is_proven && self.asked_why().is_none() {
            return self.known_so_far(why);
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
            escaped(&words.with(title, self.named_move(&why.mv.mv)))
        );
        if !is_proven {
            let key = if self.follows() {
                "why-coming"
            } else {
                "why-unproven"
            };
            let said = words.with(key, self.named_move(&why.mv.mv));
            let _ = write!(html, "<p>{}</p>", escaped(&said));
        }
        let told = self.explained(self.view.at, why, usize::MAX);
        // The board shows the same numbers.
        html.push_str(&if self.asked_why().is_some() {
            let far = if board::is_near(why) { "" } else { " far" };
            let numbered = format!("<p class=\"line numbered{far}\">");
            told.replace("<p class=\"line\">", &numbered)
        } else {
            told
        });
        let is_published = |fact: &Fact| matches!(fact, Fact::Published { .. });
        if is_proven && self.follows() && why.told().all(is_published) {
            let _ = write!(html, "<p>{}</p>", words.text("why-follows"));
        }
        let line = self.played_out(self.view.at, why);
        if !line.is_empty() {
            let _ = write!(html, "<p>{line}</p>");
        }
        html.push_str(&self.refutations(why));
        // Moves of which nothing is proven need not be worth the same.
        if is_proven {
            html.push_str(&self.others(why));
        }
        html + "</div>"
    }

    /// What is certain before any move is settled: the published value of the position, and which moves lose at once.
    fn known_so_far(&self, why: &MoveReasons) -> String {
        let words = self.reader.language;
        let Some(answer) = self.answer else {
            return String::new();
        };
        let value = answer.figures().value;
        let of_moves = match value.filter(|_| self.follows()) {
            Some(Outcome::Win) => Some("which-wins-sought"),
            Some(Outcome::Draw) => Some("which-draws-sought"),
            Some(Outcome::Loss) | None => None,
        };
        let mut said: Vec<String> = of_moves
            .map(|key| words.text(key).into())
            .into_iter()
            .collect();
        let refutations = self.refutations(why);
        let scores = self.question.variant.rules().properties.scores;
        let none_loses = |lost: &LostMoves| lost.shown.is_empty() && lost.more.is_empty();
        if !scores && why.lost.as_ref().is_some_and(none_loses) {
            said.push(words.text("lose-at-once-none").into());
        }
        if said.is_empty() && refutations.is_empty() {
            return String::new();
        }
        let said: String = said
            .iter()
            .map(|said| format!("<p>{}</p>", escaped(said)))
            .collect();
        format!(
            "<h2 id=\"why\" tabindex=\"-1\">{}</h2><div class=\"why\">{said}{refutations}</div>",
            words.text("why-so-far"),
        )
    }

    /// How many of all moves lose at once, or where points count, let the next one complete a line.
    fn losing_at_once(&self, lost: &LostMoves, all: usize) -> String {
        let losing = lost.len();
        let key = match (losing, self.question.variant.rules().properties.scores) {
            (1, false) => "lose-at-once-one",
            (_, false) => "lose-at-once",
            (1, true) => "let-line-one",
            (_, true) => "let-line",
        };
        let (losing, all) = (losing.to_string(), all.to_string());
        let fillings = [("n", losing.as_str()), ("all", &all)];
        self.reader.language.filled(key, &fillings)
    }

    /// Moves that fail as small boards, each with the reply that refutes it, and a link to that reply's reasons.
    pub(super) fn refutations(&self, why: &MoveReasons) -> String {
        let Some(lost) = why.lost.as_ref().filter(|lost| !lost.shown.is_empty()) else {
            return String::new();
        };
        let words = self.reader.language;
        let mut played = self.played(self.view.at);
        let lead = match lost.which {
            WhichMoves::AtOnce { of } => self.losing_at_once(lost, of),
            WhichMoves::Replies => {
                played.push(&why.mv.mv);
                words.with("why-each-reply", self.named_move(&why.mv.mv))
            }
            WhichMoves::All => words.text("why-each-move").into(),
            WhichMoves::Others => {
                played.clear();
                words.text("why-each-other").into()
            }
        };
        let plain = self.plain();
        let page = self.read_by(if lost.which == WhichMoves::Others {
            &plain
        } else {
            self.reader
        });
        let mut html = format!(
            "<div class=\"refutations\"><p>{}</p><ul class=\"refuted\">",
            escaped(&lead)
        );
        let start = self.view.start.as_deref();
        for refuted in &lost.shown {
            played.push(&refuted.made.mv);
            let address = page.game(start, &played, &[("why", &refuted.reply)]);
            played.pop();
            let diagram = &refuted.diagram;
            let letter = |level| diagram.letter(level);
            let _ = write!(
                html,
                "<li><a href=\"{}\">{}<span>{} \u{2192} {}</span><small>{}</small></a></li>",
                escaped(&self.at_part(address, "why")),
                mini::with_moves(&diagram.marks, letter, "", &refuted.moves),
                self.written_short(&refuted.made.mv),
                self.written_short(&refuted.reply),
                refuted
                    .made
                    .images_said(words, &refuted.reply, |mv| self.written_short(mv))
            );
        }
        html.push_str("</ul>");
        if !lost.more.is_empty() {
            let more = words.with("why-each-more", lost.more.len());
            let _ = write!(html, "<p class=\"others\">{}", escaped(&more));
            for mv in &lost.more {
                played.push(mv);
                let address = escaped(&page.game(start, &played, &[]));
                played.pop();
                let shown = self.written_short(mv);
                let _ = write!(html, " <a class=\"move\" href=\"{address}\">{shown}</a>");
            }
            html.push_str("</p>");
        }
        html + "</div>"
    }

    /// The way through the line of a move after some plies, one step after the other on the board; empty where no line
    /// is known.
    pub(super) fn played_out(&self, plies: usize, why: &MoveReasons) -> String {
        let line = why.line();
        if line.is_empty() {
            return String::new();
        }
        let mut moves = self.played(plies);
        moves.push(&why.mv.mv);
        moves.extend(line.iter().map(|step| step.mv.as_str()));
        let first = (plies + 1).to_string();
        format!(
            "<a data-tool=\"line\" href=\"{}\">{}</a>",
            escaped(&self.game(self.view.start.as_deref(), &moves, &[("ply", &first)])),
            self.reader.language.text("line-play")
        )
    }

    /// The moves that are worth as much as this one, each a link to its own reasons.
    fn others(&self, why: &MoveReasons) -> String {
        let Some(answer) = self.answer else {
            return String::new();
        };
        let words = self.reader.language;
        let (variant, worth) = (&self.question.variant, why.mv.figures());
        let alike = answer.moves.iter();
        let alike = alike.filter(|mv| figures::tie(&mv.figures(), &worth));
        let ends = alike.map(|mv| (mv.mv.as_str(), mv.after));
        let orbits = PositionSymmetries::of(variant, &answer.at).orbits(variant, ends);
        let is_own =
            |orbit: &&MoveOrbit| orbit.mv == why.mv.mv || orbit.images.contains(&why.mv.mv);
        let (own, others): (Vec<_>, Vec<_>) = orbits.iter().partition(is_own);
        let images = own
            .iter()
            .flat_map(|own| std::iter::once(&own.mv).chain(&own.images));
        let images = images.filter(|mv| **mv != why.mv.mv);
        let images: Vec<String> = images.map(|mv| self.named_move(mv)).collect();
        let mut html = String::new();
        if !images.is_empty() {
            let said = words.with("why-mirrored", images.join(", "));
            let _ = write!(html, "<p>{}</p>", escaped(&said));
        }
        let links: String = others
            .iter()
            .map(|other| {
                format!(
                    " <a class=\"ask\" href=\"{}\"><span class=\"unseen\">{} </span>{}</a>",
                    escaped(&self.asking_why(&other.mv)),
                    words.text("why-ask"),
                    other.named(|mv| self.written_short(mv))
                )
            })
            .collect();
        if !links.is_empty() {
            let head = words.text("why-others");
            let _ = write!(html, "<p class=\"others\">{head}{links}</p>");
        }
        html
    }

    /// What is true about a move after some plies of the game, and how play goes on, in at most so many plies.
    pub(super) fn explained(&self, plies: usize, why: &MoveReasons, most: usize) -> String {
        let line = why.line();
        let line = &line[..line.len().min(most)];
        self.told_facts(plies, why, idea_of(&why.facts)) + &self.played_on(plies, &why.mv.mv, line)
    }

    /// What is true about a move after some plies of the game, after the key of its idea.
    pub(super) fn told_facts(
        &self,
        plies: usize,
        why: &MoveReasons,
        idea: Option<&'static str>,
    ) -> String {
        let mv = &why.mv.mv;
        let mut html = String::new();
        let mut is_of_safe_moves = why.told().any(Fact::is_of_safe_moves);
        for (number, fact) in why.told().enumerate() {
            let idea = idea.filter(|_| number == 0);
            let _ = write!(
                html,
                "<p data-fact=\"{}\">{}{}</p>",
                fact.kind(),
                idea.map_or_else(String::new, |key| {
                    format!("<strong>{}.</strong> ", self.reader.language.text(key))
                }),
                self.fact_linked(plies, fact, mv)
            );
            if matches!(fact, Fact::ToEnd { .. }) {
                html.push_str(&self.settled_board(plies, why));
            }
            // What a safe move is stands where safe moves are first spoken of.
            let speaks =
                fact.is_of_safe_moves() || idea.is_some_and(|key| SAFE_MOVE_IDEAS.contains(&key));
            if is_of_safe_moves && speaks {
                is_of_safe_moves = false;
                let means = self.reader.language.text("why-safe-means");
                let more = self.idea_told("learn-parity", "learn-parity");
                let _ = write!(html, "<p class=\"note\">{means} {more}</p>");
            }
        }
        let is_proof = |fact: &Fact| matches!(fact, Fact::Proved { .. } | Fact::Copied { .. });
        if why.told().any(is_proof) {
            let more = self.idea_told("idea-copying", "why-theorem");
            let _ = write!(html, "<p class=\"note\">{more}</p>");
        }
        html
    }

    /// The position after some plies and best play in which the safe moves are counted, as a link to it.
    fn settled_board(&self, plies: usize, why: &MoveReasons) -> String {
        let Some(settled) = &why.settled else {
            return String::new();
        };
        let words = self.reader.language;
        let mut moves = self.played(plies);
        moves.extend(settled.moves.iter().map(String::as_str));
        let key = if settled.safe.is_empty() {
            "settled-none"
        } else {
            "settled-safe"
        };
        let passed = words.plies(u32::try_from(settled.moves.len()).unwrap_or(u32::MAX));
        let over = mini::MiniMoves {
            safe: settled.safe.clone(),
            ..mini::MiniMoves::default()
        };
        format!(
            "<p class=\"settled\"><a href=\"{}\">{}<span>{}</span></a></p>",
            escaped(&self.game(self.view.start.as_deref(), &moves, &[])),
            mini::with_moves(
                &settled.diagram.marks,
                |level| settled.diagram.letter(level),
                "",
                &over
            ),
            escaped(&words.with(key, passed)),
        )
    }

    /// The way to where the course tells an idea, by the key of its title there.
    pub(super) fn idea_told(&self, idea: &str, text: &'static str) -> String {
        let course = self.reader.address(self.explorer, "/learn", &[]);
        format!(
            "<a href=\"{}\">{}</a>",
            escaped(&self.at_part(course, idea)),
            self.reader.language.text(text)
        )
    }

    /// The move and how play goes on, each a link; a move that alone keeps a win has a mark.
    pub(super) fn played_on(&self, plies: usize, mv: &str, line: &[RefutationPly]) -> String {
        if line.is_empty() {
            return String::new();
        }
        let only = self.only_mark();
        let mark = |step: &RefutationPly| if step.only { only.as_str() } else { "" };
        let rest = line.iter().map(|step| (step.mv.as_str(), mark(step)));
        self.linked(plies, std::iter::once((mv, "")).chain(rest))
    }

    /// What marks the one move that keeps a result.
    pub(super) fn only_mark(&self) -> String {
        format!(
            "<span aria-hidden=\"true\">!</span><span class=\"unseen\"> {}</span>",
            self.reader.language.text("only-move")
        )
    }

    /// The address of this position with the reasons of a move.
    pub(super) fn asking_why(&self, mv: &str) -> String {
        let moves = self.played(self.view.at);
        let address = self.game(self.view.start.as_deref(), &moves, &[("why", mv)]);
        self.at_part(address, "why")
    }
}
