//! A game that is looked back on: its mistakes and slips, the ways from one to the next, what was better and why.

use std::fmt::Write;

use greenwave_game::Luck;
use greenwave_picture::escaped;
use greenwave_play::{Fact, FormerValue, Level, idea_of};
use greenwave_tablebase::Value;

use crate::page::contents::Page;
use crate::page::reader::Reader;
use crate::page::told::{ChartPoint, JudgedPly, MoveReasons, PlyFault};
use crate::page::{chart, figures};

/// What a mistake lost, as a key; `None` where that has no name.
fn lost_key(judged: &JudgedPly) -> Option<&'static str> {
    match judged.lost.as_ref()? {
        FormerValue::Value(Value::Win) => Some("lost-win"),
        FormerValue::Value(Value::Draw) => Some("lost-draw"),
        FormerValue::Points(_) => Some("lost-points"),
        FormerValue::Value(Value::Loss | Value::Unknown) | FormerValue::Expectation(_) => None,
    }
}

/// The idea of what refutes a move: that a draw is held is no praise for a win that was let go.
pub(super) fn idea_of_fault(facts: &[Fact]) -> Option<&'static str> {
    idea_of(facts).filter(|idea| *idea != "idea-draw")
}

/// Most plies of the line after a mistake.
const LINE_AFTER: usize = 8;
/// Most replies in the line after the better move.
const FIRST_MOVES: usize = 4;

impl Page<'_> {
    /// Whether the page looks back on a game, and not at a position that was reached by a few moves.
    pub(super) fn is_review(&self) -> bool {
        let view = self.view;
        let plays = self.reader.play.is_some() || self.reader.watch;
        let looks_back = view.ending.is_some()
            || view.at < view.plies.len()
            || (self.reader.looks_back && !plays)
            || self.reader.resigned;
        looks_back && !self.points.is_empty() && self.reader.puzzle.is_none()
    }

    /// The game beside the board: the mistakes in numbers, its chart and its record.
    pub(super) fn review(&self) -> String {
        let words = self.reader.language;
        format!(
            "<section class=\"game review\"><h2>{}</h2>{}{}{}{}<p class=\"details\">{} {}</p></section>",
            words.text("game"),
            self.tally(),
            chart::chart(self),
            self.faults_told(),
            self.players() + &self.record(),
            words.text("values-of-mover"),
            chart::note(self)
        )
    }

    /// How often the win changed hands between the positions of the game; empty where it never did, and where values
    /// are no wins and losses.
    fn turns(&self) -> String {
        let words = self.reader.language;
        let known: Vec<&ChartPoint> = self.points.iter().flatten().collect();
        let is_counted = known
            .iter()
            .any(|point| point.figures.points.is_some() || point.figures.odds.is_some());
        let winners: Vec<bool> = known
            .iter()
            .filter(|point| point.value != 0.0)
            .map(|point| point.value > 0.0)
            .collect();
        let turns = winners.windows(2).filter(|pair| pair[0] != pair[1]).count();
        if turns == 0 || is_counted || known.len() < self.points.len() {
            return String::new();
        }
        let said = match turns {
            2 => words.text("win-turned-twice").into(),
            _ => words.counted(turns as i64, "win-turned-once", "win-turned"),
        };
        format!("<span class=\"turns\">{}</span> ", escaped(&said))
    }

    /// The game under review in a sentence: who was winning until which move. In a solution, the task.
    pub(super) fn summary(&self) -> Option<String> {
        let words = self.reader.language;
        if self.reader.solution {
            return self.goal.map(|_| self.goal());
        }
        if !self.is_review() || self.reader.play.is_some() {
            return None;
        }
        // What is told beside the board is about the fault that is made here.
        if self.better_here().is_some() && !self.reader.projector {
            return None;
        }
        let mut plies = self.view.plies.iter().enumerate();
        let Some((number, ply)) = plies.rfind(|(number, _)| self.is_mistake(*number)) else {
            let is_over = self.view.ending.is_some();
            let is_clean = self.marks.iter().any(Option::is_some) && self.faults().next().is_none();
            let key = if is_over {
                "review-clean"
            } else {
                "review-clean-open"
            };
            return is_clean.then(|| words.text(key).into());
        };
        let had = self.points.get(number).copied().flatten()?;
        // Before the last mistake the board shown may be worth something else.
        let is_ahead = self.view.at <= number;
        let is_scored = had.figures.points.is_some() || had.figures.odds.is_some();
        let own = if ply.by_first { had.value } else { -had.value };
        let first = self.is_first(ply.by_first);
        let key = match (is_scored || is_ahead, own > 0.0, first) {
            (true, _, true) => "review-lost-first",
            (true, _, false) => "review-lost-second",
            (false, true, true) => "review-ahead-first",
            (false, true, false) => "review-ahead-second",
            (false, false, true) => "review-level-first",
            (false, false, false) => "review-level-second",
        };
        let number = self.number_of(number);
        let said = words.filled(key, &[("mv", &self.named_move(&ply.text)), ("n", &number)]);
        if self.view.at < self.view.plies.len() {
            return Some(said);
        }
        let all = 0..self.view.plies.len();
        let count = all.filter(|ply| self.is_mistake(*ply)).count();
        Some(format!("{}: {count}. {said}", words.text("mistakes")))
    }

    /// The fault that was made in the position shown: what was wrong and what was better; why the one is refuted, how
    /// play goes on after the other, and why.
    pub(super) fn fault_here(&self) -> String {
        let at = self.view.at;
        let (Some((_, _, fault)), Some(judged)) = (self.better_here(), self.mark_of(at)) else {
            return String::new();
        };
        let words = self.reader.language;
        let (wrong, better) = match fault {
            PlyFault::Mistake => (self.mistake_here(judged), self.better_said(judged)),
            PlyFault::Slip => {
                let made = self.named_move(&self.view.plies[at].text);
                let said = self.slip_said(at).unwrap_or_default();
                let best = judged.best.as_deref();
                let better = best.map(|best| words.with("better-is", self.named_move(best)));
                (format!("{made}: {said}."), better)
            }
        };
        // A slip in a won game has no reasons but those of the better move.
        let made = &self.view.plies[at].text;
        let refuted = judged.why.as_ref().filter(|why| why.mv.mv == *made);
        let best = self
            .why
            .filter(|why| judged.best.as_ref() == Some(&why.mv.mv));
        let (class, sign) = (fault.class(), fault.sign());
        let plain = self.plain();
        let page = self.read_by(&plain);
        let mut html = format!(
            "<section class=\"fault of-{class}\"><p><em class=\"{class}\">{sign}</em> <strong>{}</strong></p>",
            escaped(&wrong)
        );
        if let Some(why) = refuted {
            let told = page.fault_reasons(at, why);
            let _ = write!(html, "<div>{told}</div>");
        }
        if let Some(better) = better {
            let _ = write!(
                html,
                "<p class=\"better\"><strong>{}.</strong></p>",
                escaped(&better)
            );
        }
        if let Some(why) = best {
            let line = why.line();
            let line = &line[..line.len().min(FIRST_MOVES)];
            let played = page.played_on(at, &why.mv.mv, line);
            let told = page.told_facts(at, why, idea_of(&why.facts));
            let _ = write!(html, "<div>{played}{told}</div>");
        }
        if refuted.or(best).is_some() {
            html.push_str(&self.who_is_you(at));
        }
        html + "</section>"
    }

    /// Why a move was a fault, or how the better one wins, and how play goes on.
    fn fault_reasons(&self, ply: usize, why: &MoveReasons) -> String {
        let line = why.line();
        let line = &line[..line.len().min(LINE_AFTER)];
        self.told_facts(ply, why, idea_of_fault(&why.facts))
            + &self.played_on(ply, &why.mv.mv, line)
    }

    /// Whom the reasons about a ply address, where that is not the reader.
    fn who_is_you(&self, ply: usize) -> String {
        let by_first = self.view.plies[ply].by_first;
        let key = match self.reader.play {
            Some(own) if own == by_first => return String::new(),
            Some(_) => "reasons-of-program",
            None if self.is_first(by_first) => "reasons-of-first",
            None => "reasons-of-second",
        };
        format!("<p class=\"note\">{}</p>", self.reader.language.text(key))
    }

    /// What was lost by the mistake that was made in the position shown.
    fn mistake_here(&self, judged: &JudgedPly) -> String {
        let words = self.reader.language;
        let ply = &self.view.plies[self.view.at];
        let key = match self.reader.play {
            Some(own) if own == ply.by_first => "better-own",
            Some(_) => "better-program",
            None if self.is_first(ply.by_first) => "better-first",
            None => "better-second",
        };
        let made = self.named_move(&ply.text);
        match lost_key(judged) {
            Some(lost) => words.filled(key, &[("mv", &made), ("lost", words.text(lost))]),
            None => words.with("mistake-note", made) + ".",
        }
    }

    /// The ways from the position shown to the faults before and after it.
    pub(super) fn to_faults(&self) -> String {
        let at = self.view.at;
        let before = self.faults().rfind(|ply| *ply < at);
        let after = self.faults().find(|ply| *ply > at);
        if !self.is_review() || before.or(after).is_none() {
            return String::new();
        }
        let words = self.reader.language;
        let [before_text, after_text] = match before.or(after).and_then(|ply| self.fault_of(ply)) {
            Some(PlyFault::Slip) => ["previous-slip", "next-slip"],
            Some(PlyFault::Mistake) | None => ["previous-mistake", "next-mistake"],
        }
        .map(|key| words.text(key));
        let link = |ply: Option<usize>, step: &str, text: String| match ply {
            Some(ply) => format!(
                "<a data-step=\"{step}\" href=\"{}\">{text}</a>",
                escaped(&self.at_ply(ply))
            ),
            None => format!("<span aria-hidden=\"true\">{text}</span>"),
        };
        format!(
            "<nav class=\"to-faults\" aria-label=\"{}\">{} {}</nav>",
            words.text("mistakes-and-slips"),
            link(before, "mistake-before", format!("\u{2039} {before_text}")),
            link(after, "mistake-after", format!("{after_text} \u{203a}"))
        )
    }

    /// Each fault: what was better, why, and how play goes on.
    pub(super) fn faults_told(&self) -> String {
        let shown = self.plies_shown();
        let html: String = shown.filter_map(|ply| self.fault_told(ply)).collect();
        if html.is_empty() {
            return html;
        }
        let name = self.reader.language.text("mistakes-and-slips");
        format!("<ul class=\"mistakes\" aria-label=\"{name}\">{html}</ul>")
    }

    /// A ply with which something was wrong.
    fn fault_told(&self, number: usize) -> Option<String> {
        let (fault, said) = self.fault_said(number)?;
        let ply = self.view.plies.get(number)?;
        let why = self.mark_of(number).and_then(|judged| judged.why.as_ref());
        // Beside the board it is told already.
        let is_here = number == self.view.at && self.better_here().is_some();
        let why = why.filter(|_| !is_here);
        // Its moves are looked at, and not played.
        let plain = self.plain();
        let page = self.read_by(&plain);
        let (class, sign) = (fault.class(), fault.sign());
        Some(format!(
            "<li class=\"of-{class}\"><p><a href=\"{}\">{}. {}</a> <em class=\"{class}\">{sign} {}</em></p>{}</li>",
            escaped(&self.at_ply(number)),
            self.number_of(number),
            self.written_short(&ply.text),
            escaped(&said),
            why.map_or_else(String::new, |why| {
                page.fault_reasons(number, why) + &self.who_is_you(number)
            })
        ))
    }

    /// What was wrong with a ply, and what would have been better; `None` where nothing was.
    pub(super) fn fault_said(&self, number: usize) -> Option<(PlyFault, String)> {
        let fault = self.fault_of(number)?;
        // It would name the move that the puzzle asks for.
        let is_open = self.reader.puzzle.is_some() && !self.is_solved();
        let said = match fault {
            PlyFault::Mistake if !is_open => self.mistake_said(number),
            PlyFault::Slip if self.reader.puzzle.is_none() => self.slip_said(number),
            PlyFault::Mistake | PlyFault::Slip => None,
        };
        Some((fault, said?))
    }

    /// What a mistake lost, and what would have been better.
    fn mistake_said(&self, number: usize) -> Option<String> {
        let words = self.reader.language;
        let judged = self.mark_of(number)?;
        let lost = words.text(lost_key(judged).unwrap_or("mistake"));
        Some(match self.better_said(judged) {
            Some(better) => format!("{lost}; {better}"),
            None => lost.into(),
        })
    }

    /// Of a move that kept a win but made it far longer, or a loss but made it far shorter, by how much.
    fn slip_said(&self, number: usize) -> Option<String> {
        let words = self.reader.language;
        let judged = self.mark_of(number)?;
        let best = self.named_move(judged.best.as_deref()?);
        let (key, plies) = match (judged.slower, judged.longer) {
            (Some(plies), _) => ("inexact-win", plies),
            (None, plies) => ("inexact-loss", plies?),
        };
        let fillings = [("mv", &*best), ("n", &words.length(plies))];
        Some(words.filled(key, &fillings))
    }

    /// What would have been better than a mistake.
    fn better_said(&self, judged: &JudgedPly) -> Option<String> {
        let words = self.reader.language;
        let best = self.named_move(judged.best.as_deref()?);
        if let Some(odds) = &judged.odds {
            return Some(figures::better_odds(words, odds, &best));
        }
        Some(match (&judged.lost, judged.best_in) {
            (Some(FormerValue::Value(Value::Win)), Some(1)) => words.with("better-wins-now", best),
            (Some(FormerValue::Value(Value::Win)), Some(plies)) => {
                words.filled("better-wins", &[("mv", &best), ("n", &words.plies(plies))])
            }
            (Some(FormerValue::Value(Value::Draw)), _) => words.with("better-draws", best),
            (_, _) => words.with("better-is", best),
        })
    }

    /// The mistakes of both players, and the way to the first.
    pub(super) fn tally(&self) -> String {
        let words = self.reader.language;
        if self.marks.is_empty() || self.reader.puzzle.is_some() {
            return String::new();
        }
        let of = |first: bool| {
            let links = |counts: &dyn Fn(usize) -> bool| -> Vec<String> {
                let plies = self.view.plies.iter().enumerate();
                let own = plies.filter(|(number, ply)| {
                    self.is_first(ply.by_first) == first && counts(*number)
                });
                own.map(|(number, _)| {
                    let before = escaped(&self.at_ply(number));
                    format!("<a href=\"{before}\">{}</a>", self.number_of(number))
                })
                .collect()
            };
            let said = |links: &[String], [one, some]: [&'static str; 2]| match links {
                [] => None,
                [ply] => Some(words.with(one, ply)),
                _ => {
                    let (count, plies) = (links.len().to_string(), links.join(", "));
                    Some(words.filled(some, &[("n", &count), ("plies", &plies)]))
                }
            };
            let mistakes = links(&|ply| self.fault_of(ply) == Some(PlyFault::Mistake));
            let slips = links(&|ply| self.fault_of(ply) == Some(PlyFault::Slip));
            let mistakes = said(&mistakes, ["mistakes-one", "mistakes-some"]);
            // One who was lost all along can lose no value, and still slips.
            let slips = said(&slips, ["slips-one", "slips-some"]);
            let mistakes = mistakes.unwrap_or_else(|| words.text("mistakes-none").into());
            let said = match slips {
                Some(slips) => format!("{mistakes}, {slips}"),
                None => mistakes,
            };
            // Who plays against the program is called so beside the moves, too.
            let key = match (self.reader.play, first) {
                (Some(own), _) if self.is_first(own) == first => "of-you",
                (Some(_), _) => "program-level",
                (None, true) => "of-first",
                (None, false) => "of-second",
            };
            format!("<span>{}</span> ", words.with(key, said))
        };
        let mut html = format!(
            "<p class=\"tally\">{}{}{}",
            of(true),
            of(false),
            self.turns()
        );
        if let Some(first) = (0..self.view.plies.len()).find(|ply| self.is_mistake(*ply)) {
            let (before, puzzle) = (self.at_ply(first), self.better(first));
            let _ = write!(
                html,
                "<a data-tool=\"mistake\" href=\"{}\">{}</a>",
                escaped(&before),
                escaped(words.text("first-mistake"))
            );
            // Where the program cannot answer, there is no puzzle.
            if puzzle != before {
                let _ = write!(
                    html,
                    " <a data-tool=\"better\" href=\"{}\">{}</a>",
                    escaped(&puzzle),
                    escaped(words.text("find-better"))
                );
            }
        }
        html + "</p>"
    }

    /// The address at which the reader looks for a better move than this one: as a puzzle, where the program can
    /// answer; else the position before it.
    pub(super) fn better(&self, ply: usize) -> String {
        let rules = self.question.variant.rules();
        let made = &self.view.plies[ply];
        let before = self.view.passed[ply].text.as_deref();
        let Some(before) = before.filter(|_| rules.properties.luck == Luck::None) else {
            return self.at_ply(ply);
        };
        let player = Reader {
            hints: false,
            play: Some(true),
            watch: false,
            level: Level::Perfect,
            seed: None,
            puzzle: Some(0),
            instead: Some(made.text.clone()),
            instead_by: Some(self.is_first(made.by_first)),
            reviewed: Some(self.played(self.view.plies.len()).join(",")),
            begun: self.view.start.clone(),
            ..self.reader.clone()
        };
        self.read_by(&player).at_position(before)
    }
}
