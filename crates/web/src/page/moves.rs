//! The moves of a position: in a list, best first, and best play from there.

use std::fmt::Write;

use greenwave_game::{Figures, Outcome};
use greenwave_picture::{MovePlace, Tone, escaped};
use greenwave_play::Fact;
use greenwave_tablebase::{Answer, Line, MoveFigures, Value};

use crate::page::contents::Page;
use crate::page::figures::FigureUnit;
use crate::page::written::in_words;
use crate::page::{board, figures};
use crate::view::{MoveChoice, is_beside_board, is_of_strip};

/// Most plies of best play that are written out.
const LINE_SHOWN: usize = 60;

impl Page<'_> {
    /// The text about moves of which the best is not known yet.
    fn unranked(&self) -> Option<String> {
        let words = self.reader.language;
        let answer = self.answer.filter(|answer| !figures::is_ranked(answer))?;
        let value = answer.moves.first()?.value?;
        let (every, finding) = match value {
            Value::Win => ("every-wins", "finding-soonest"),
            Value::Loss => ("every-loses", "finding-longest"),
            Value::Draw | Value::Unknown => return None,
        };
        let all = answer.moves.iter().all(|mv| mv.value == Some(value));
        let mut said = Vec::new();
        if all && answer.moves.len() > 1 {
            said.push(words.text(every));
        }
        // Points decide, and not the length of the game.
        let scores = self.question.variant.rules().properties.scores;
        if !scores && (self.coming.is_some() || self.reader.again.is_some()) {
            said.push(words.text(finding));
        }
        (!said.is_empty()).then(|| said.join(" "))
    }

    /// The text about moves of which most are worth the same, where there is more than one.
    fn mostly_equal(&self, answer: &Answer) -> Option<String> {
        let words = self.reader.language;
        let (best, rest) = answer.moves.split_at(answer.best.len());
        let lead = best.first().filter(|_| answer.moves.len() > 1)?;
        if rest.is_empty() {
            return Some(words.text("all-equal").into());
        }
        let is_counted = lead.points.is_some() || lead.odds.is_some();
        let kind = |mv: &MoveFigures| mv.value.filter(|_| !is_counted);
        let equal = match (kind(lead), lead.distance) {
            (Some(Value::Win), Some(_)) => "most-win-soon",
            (Some(Value::Win), None) => "most-win",
            (Some(Value::Loss), Some(_)) => "most-hold-out",
            (Some(Value::Draw), _) => "most-draw",
            (Some(Value::Loss | Value::Unknown) | None, _) => "most-equal",
        };
        let (number, all) = (best.len().to_string(), answer.moves.len().to_string());
        let equal = words.filled(equal, &[("n", &number), ("all", &all)]);
        let [one] = rest else {
            let all = |value: Value| rest.iter().all(|mv| kind(mv) == Some(value));
            let others = match kind(lead) {
                Some(Value::Win) if all(Value::Win) => "others-win-later",
                Some(Value::Loss) if all(Value::Loss) => "others-lose-sooner",
                Some(Value::Win | Value::Draw) if all(Value::Loss) => "others-lose",
                Some(_) | None => "others-worse",
            };
            return Some(format!("{equal}; {}.", words.text(others)));
        };
        let other = match (kind(lead), kind(one)) {
            (Some(Value::Win), Some(Value::Win)) => "other-wins-later",
            (Some(Value::Loss), Some(Value::Loss)) => "other-loses-sooner",
            (_, Some(Value::Loss)) => "other-loses",
            (_, Some(Value::Draw)) => "other-draws",
            (_, Some(Value::Win | Value::Unknown) | None) => "other-worse",
        };
        Some(format!(
            "{equal}; {}.",
            words.with(other, self.named_move(&one.mv))
        ))
    }

    /// The value of a move as this reader wants it: a sign and a figure or the sign alone, its
    /// tone, and in words.
    pub(crate) fn worth(&self, known: &Figures) -> (String, Tone, String) {
        let words = self.reader.language;
        let scores = self.question.variant.rules().properties.scores;
        let (text, tone, spoken) = match known.odds.filter(|_| !scores) {
            Some(odds) => {
                let (lead, split) = (words.lead(&odds, 1), words.split(&odds, 1));
                (lead, Tone::of(known.value), split)
            }
            None if known.value.is_none() && self.follows() => {
                let (text, tone, _) = figures::of_move(words, known);
                (text, tone, words.text("word-coming").into())
            }
            None => figures::of_move(words, known),
        };
        if !self.reader.signs {
            return (text, tone, spoken);
        }
        let sign = match (known.odds, known.points, tone.sign()) {
            (None, None, Some(sign)) => sign.to_string(),
            // A plus or a minus is the sign of points and expectations.
            (_, _, _) => match text.chars().next() {
                Some(sign @ ('+' | '\u{2212}')) => sign.to_string(),
                Some(_) | None => if text == "?" { "?" } else { "=" }.to_string(),
            },
        };
        (sign, tone, spoken)
    }

    /// Moves that the board does not show, passes and picks, and whether there are no others.
    fn elsewhere(&self) -> (String, bool) {
        let view = self.view;
        let elsewhere: Vec<&MoveChoice> = view
            .choices
            .iter()
            .filter(|choice| is_beside_board(choice.place, &choice.text))
            .collect();
        if elsewhere.is_empty() || view.chance || self.is_closed() {
            return (String::new(), false);
        }
        let items: String = elsewhere
            .iter()
            .map(|choice| self.move_link(choice))
            .collect();
        let html = format!("<p class=\"elsewhere\">{items}</p>");
        (html, elsewhere.len() == view.choices.len())
    }

    /// Below the board, the moves that it does not show beside those that it does.
    pub(super) fn strip_moves(&self) -> String {
        match self.elsewhere() {
            (html, false) => html,
            (_, true) => String::new(),
        }
    }

    /// Above the board, the moves of a position in which none is made on it.
    pub(super) fn forced_moves(&self) -> String {
        let words = self.reader.language;
        let (html, true) = self.elsewhere() else {
            return String::new();
        };
        let said = match &self.view.choices[..] {
            [only] => in_words(words, &self.question.variant, &only.text),
            _ => None,
        };
        said.map_or_else(String::new, |mv| {
            let said = words.with("forced-move", mv);
            format!("<p class=\"said forced\">{}</p>", escaped(&said))
        }) + &html
    }

    /// A move as a link with its value.
    pub(super) fn move_link(&self, choice: &MoveChoice) -> String {
        let known = board::figures_of(self.answer, choice).filter(figures::is_known);
        let worth = known.map(|known| self.worth(&known));
        let tag = match &worth {
            Some((text, tone, worth)) => format!(
                " <span class=\"tag {}\" aria-hidden=\"true\">{text}</span><span class=\"unseen\">{}</span>",
                tone_class(*tone),
                escaped(worth)
            ),
            None => String::new(),
        };
        self.link_with(choice, &tag)
    }

    /// A move as a link, with something behind it.
    fn link_with(&self, choice: &MoveChoice, tag: &str) -> String {
        let (shown, is_worded) = self.written(&choice.text);
        format!(
            "<a class=\"move{}{}\" data-move=\"{}\" href=\"{}\">{shown}{tag}</a> ",
            if is_worded { " worded" } else { "" },
            if self.is_suggested(&choice.text) {
                " suggested"
            } else {
                ""
            },
            escaped(&choice.text),
            escaped(&self.after(&choice.text))
        )
    }

    /// Whether a move is one of those that are hardest to refute.
    fn is_suggested(&self, mv: &String) -> bool {
        let hardest = self.hardest.map(|hardest| &hardest.moves);
        hardest.is_some_and(|moves| moves.contains(mv))
    }

    /// Moves that are worth the same, those of the strip apart from those on squares.
    fn by_kind(&self, choices: &[&MoveChoice]) -> String {
        let links = |of_strip: bool| -> String {
            let own = choices
                .iter()
                .filter(|choice| is_of_strip(&choice.text) == of_strip);
            own.map(|choice| self.link_with(choice, "")).collect()
        };
        let pushes = links(true);
        if pushes.is_empty() {
            return links(false);
        }
        let title = self.reader.language.text("mv-strip");
        format!(
            "{}<span class=\"of-strip\"><span>{title}</span> {pushes}</span>",
            links(false)
        )
    }

    /// Whether two moves stand in one group of the list.
    pub(super) fn is_alike(&self, one: &Figures, other: &Figures) -> bool {
        if self.reader.signs {
            self.worth(one).0 == self.worth(other).0
        } else {
            figures::tie(one, other)
        }
    }

    /// Whether all moves draw alike, so that badges would say nothing.
    pub(super) fn all_draw(&self) -> bool {
        let Some([first, rest @ ..]) = self.answer.map(|answer| &answer.moves[..]) else {
            return false;
        };
        let first = first.figures();
        let is_draw = first.value == Some(Outcome::Draw) && first.points.is_none();
        is_draw && !rest.is_empty() && rest.iter().all(|mv| self.is_alike(&first, &mv.figures()))
    }

    /// Every move, best first, equal ones together.
    pub(super) fn move_list(&self) -> String {
        let words = self.reader.language;
        let view = self.view;
        if view.choices.is_empty() || self.is_closed() {
            return String::new();
        }
        let put = self.reader.from.as_deref().filter(|_| self.put.is_some());
        let chosen = |choice: &&MoveChoice| match (self.selected, choice.place) {
            (Some(_), _) if put.is_some_and(|put| !choice.text.starts_with(put)) => false,
            (None, _) => true,
            (Some(square), MovePlace::Square(at) | MovePlace::Step(at, _)) => at == square,
            (Some(_), MovePlace::Elsewhere) => false,
        };
        let mut html = String::new();
        if view.chance {
            return self.draw_list();
        }
        // Moves of which nothing is known are not ranked.
        let is_known = |answer: &&Answer| {
            let mut moves = answer.moves.iter();
            moves.any(|mv| figures::is_known(&mv.figures()))
        };
        let Some(answer) = self.answer.filter(is_known) else {
            let links: Vec<&MoveChoice> = view.choices.iter().filter(chosen).collect();
            let links = self.by_kind(&links);
            // Where the board has all of them, one plays on the board.
            let on_board = |choice: &MoveChoice| choice.place != MovePlace::Elsewhere;
            let open = if self.selected.is_none() && view.choices.iter().all(on_board) {
                ""
            } else {
                " open"
            };
            return format!(
                "<details class=\"folded\"{open}><summary><h2>{}</h2></summary><p class=\"moves\">{links}</p></details>",
                words.text("moves-plain")
            );
        };
        let _ = write!(html, "<h2>{}</h2>", words.text("moves"));
        let is_ranked = figures::is_ranked(answer);
        let most_equal = is_ranked && 2 * answer.best.len() > answer.moves.len();
        let said = if most_equal {
            self.mostly_equal(answer)
        } else {
            self.unranked()
        };
        // Of moves that are worth the same, some are harder to refute.
        if let Some(said) = said.filter(|_| self.hardest.is_none()) {
            let _ = write!(html, "<p class=\"details\">{}</p>", escaped(&said));
        }
        html.push_str("<ul class=\"moves\">");
        // Suggested moves come first, with what speaks for them.
        let (mut moves, others): (Vec<_>, Vec<_>) = {
            let moves = answer.moves.iter();
            moves.partition(|mv| self.is_suggested(&mv.mv))
        };
        let suggested = moves.len();
        moves.extend(others);
        let mut hardest = self.hardest.map(|hardest| hardest.reason(words));
        let mut at = 0;
        let mut first = true;
        while let Some(lead) = moves.get(at) {
            let worth = lead.figures();
            let end = if at < suggested {
                suggested
            } else {
                moves.len()
            };
            let equal = moves[at..end]
                .iter()
                .take_while(|mv| self.is_alike(&mv.figures(), &worth))
                .count();
            let group = &moves[at..at + equal];
            let links: Vec<&MoveChoice> = group
                .iter()
                .filter_map(|mv| view.choices.iter().find(|choice| choice.text == mv.mv))
                .filter(chosen)
                .collect();
            let next = moves.get(at + equal);
            let is_suggested = at < suggested;
            at += equal;
            let leading = std::mem::take(&mut first) && is_ranked;
            let is_best = answer.moves.first().is_some_and(|best| {
                let best = best.figures();
                self.is_alike(&best, &worth)
            });
            if links.is_empty() {
                continue;
            }
            let (text, tone, spoken) = self.worth(&worth);
            // Moves of one sign need not be worth the same, so that nothing more is said of all.
            let is_tied = group.iter().all(|mv| figures::tie(&mv.figures(), &worth));
            let spoken = if is_tied {
                spoken
            } else {
                figures::of_move(words, &Figures::of(worth.value, None, None)).2
            };
            let mut remarks: Vec<&str> = Vec::new();
            if is_best && is_tied && !answer.best.is_empty() {
                // What is not proven may be as good.
                let is_proven = |mv: &MoveFigures| {
                    mv.value.is_some_and(|value| value != Value::Unknown)
                        || mv.points.is_some()
                        || mv.odds.is_some()
                };
                let alone = equal == 1
                    && answer.moves.iter().all(is_proven)
                    && next
                        .is_some_and(|next| next.value != lead.value || next.points != lead.points);
                let key = match (alone, lead.value, lead.distance) {
                    (true, ..) => Some("only-move"),
                    (false, ..) if !is_ranked || most_equal => None,
                    (false, Some(Value::Loss), Some(_)) => Some("longest"),
                    (false, Some(Value::Win), Some(_)) => Some("soonest"),
                    (false, Some(_) | None, _) => Some("best"),
                };
                remarks.extend(key.map(|key| words.text(key)));
            }
            if lead.ends && equal == 1 {
                remarks.push(words.text("ends"));
            }
            if tone == Tone::Win && lead.distance == Some(1) && is_tied {
                remarks.retain(|said| *said == words.text("only-move"));
                remarks.push(words.text("wins-at-once"));
            }
            if tone == Tone::Loss && lead.distance == Some(2) && is_tied {
                // What loses at once does not hold out.
                remarks = vec![words.text("trap")];
            }
            let _ = write!(
                html,
                "<li{}><span class=\"tag {}\" aria-hidden=\"true\">{text}</span>\
                 <span class=\"unseen\">{} </span><span class=\"links\">",
                if leading { " class=\"top\"" } else { "" },
                tone_class(tone),
                escaped(&spoken),
            );
            let shown = links.first().map(|choice| choice.text.clone());
            html.push_str(&self.by_kind(&links));
            html.push_str("</span><span class=\"aside\">");
            if let Some(odds) = &worth.odds {
                let _ = write!(
                    html,
                    "{} <span class=\"remark odds\">{}</span> ",
                    figures::shares_bar(odds, Some(&figures::shares(words, odds, None))),
                    escaped(&figures::wins(words, odds, None))
                );
            }
            if !remarks.is_empty() {
                let _ = write!(html, "<em class=\"remark\">{}</em> ", remarks.join(", "));
            }
            // Of a move that is not proven there is nothing to say.
            if let Some(choice) = shown.filter(|_| figures::is_known(&worth)) {
                let _ = write!(
                    html,
                    "<a class=\"ask\" href=\"{}\">{}<span class=\"unseen\"> {}</span></a>",
                    escaped(&self.asking_why(&choice)),
                    words.text("why-ask"),
                    escaped(&self.spoken_move(&choice))
                );
            }
            html.push_str("</span>");
            if let Some(reason) = hardest.take().filter(|_| is_suggested) {
                let longest = answer.distance.zip(lead.distance);
                let sooner = longest.map_or(0, |(longest, plies)| longest.saturating_sub(plies));
                let reason = if sooner == 0 || self.reader.signs {
                    reason
                } else {
                    let fillings = [("reason", &*reason), ("n", &words.length(sooner))];
                    words.filled("hardest-sooner", &fillings)
                };
                let _ = write!(html, "<span class=\"reason\">{}</span>", escaped(&reason));
            }
            html.push_str("</li>");
        }
        html + "</ul>"
    }

    /// What chance may draw, with how often it does and what follows from it.
    fn draw_list(&self) -> String {
        let words = self.reader.language;
        let view = self.view;
        let all: u32 = view.choices.iter().map(|choice| choice.weight).sum();
        let share_of = |weight: u32| f64::from(weight) / f64::from(all.max(1));
        let scores = self.question.variant.rules().properties.scores;
        let mut html = format!("<h2>{}</h2>", words.text("draws"));
        let first = self.first_moves();
        let ways = self.draws_ahead();
        if let Some([ahead, behind]) = ways.filter(|ways| *ways != [0, 0]) {
            // The text is about the player for whom more draws are good.
            let key = match (first, ahead < behind) {
                (Some(true), false) | (Some(false), true) => "draws-ahead-first",
                (Some(true), true) | (Some(false), false) => "draws-ahead-second",
                (None, false) => "draws-ahead-mover",
                (None, true) => "draws-behind-mover",
            };
            let ahead = self.of_draws(share_of(ahead.max(behind)));
            let _ = write!(
                html,
                "<p class=\"details\">{}</p>",
                escaped(&words.with(key, ahead))
            );
        }
        let mut known = self.draws.iter().flatten();
        if scores && known.any(|known| known.odds.is_some()) {
            let rules = self.question.variant.rules();
            let key = figures::key(words, FigureUnit::Points, rules.has_draws());
            let _ = write!(html, "<p class=\"details\">{}</p>", escaped(&key));
        }
        html.push_str("<ul class=\"moves draws\">");
        for (number, choice) in view.choices.iter().enumerate() {
            let share = figures::per_cent(words, share_of(choice.weight));
            let share = words.with("draws-some", share);
            let known = self.draws.get(number).and_then(Option::as_ref);
            // How many games are won says it.
            let tag = known.filter(|known| scores || known.odds.is_none());
            let tag = tag.map_or_else(String::new, |known| {
                let (text, tone, spoken) = self.worth(known);
                format!(
                    "<span class=\"tag {}\" aria-hidden=\"true\">{text}</span><span class=\"unseen\">{}</span>",
                    tone_class(tone),
                    escaped(&spoken)
                )
            });
            let odds = known.and_then(|known| known.odds.as_ref());
            let odds = odds.map_or_else(String::new, |odds| {
                format!(
                    "<br>{}{}",
                    escaped(&figures::wins(words, odds, first)),
                    figures::shares_bar(odds, Some(&figures::shares(words, odds, first)))
                )
            });
            let _ = write!(
                html,
                "<li>{tag}<span class=\"links\">{}</span><span class=\"aside\"><span class=\"remark odds\">\
                 {share}{odds}</span></span></li>",
                self.move_link(choice)
            );
        }
        html + "</ul>"
    }

    /// A share of the draws in words.
    pub(super) fn of_draws(&self, share: f64) -> String {
        let words = self.reader.language;
        if share >= 1.0 {
            words.text("draws-all").into()
        } else {
            words.with("draws-some", figures::per_cent(words, share))
        }
    }

    /// In how many ways chance draws so that the player who moves next is ahead, and behind; `None` where that is
    /// not known.
    fn draws_ahead(&self) -> Option<[u32; 2]> {
        let choices = self.view.choices.iter().enumerate();
        let mut ways = [0; 2];
        for (number, choice) in choices {
            let expectation = self.draws.get(number)?.as_ref()?.odds?.expectation;
            if expectation != 0.0 {
                ways[usize::from(expectation < 0.0)] += choice.weight;
            }
        }
        Some(ways)
    }

    pub(super) fn best_play(&self, line: &Line) -> String {
        let plies = line.plies.iter().take(LINE_SHOWN);
        let moves: Vec<String> = plies.map(|ply| ply.mv.clone()).collect();
        // Draws are not moves: the line of a game with chance is shown without links.
        if line.draws.is_some() {
            return String::new();
        }
        self.line_of(&moves)
    }

    /// Best play, each move a link to the position after it; nothing where the reasons of a best move end with it, or
    /// with another line of best play to the end.
    pub(super) fn line_of(&self, moves: &[String]) -> String {
        let best = self.answer.and_then(|answer| answer.moves.first());
        let is_told = self.why.is_some_and(|why| {
            let rest = why.line().into_iter().map(|step| step.mv);
            let told = std::iter::once(why.mv.mv.clone()).chain(rest);
            let is_whole = |fact: &Fact| matches!(fact, Fact::ToEnd { .. } | Fact::Ends { .. });
            let is_best = best.is_some_and(|best| figures::tie(&best.figures(), &why.mv.figures()));
            told.eq(moves.iter().cloned()) || is_best && why.told().any(is_whole)
        });
        if moves.is_empty() || is_told {
            return String::new();
        }
        let head = self.reader.language.text("best-play");
        let moves = moves.iter().map(|mv| (mv.as_str(), ""));
        format!("<h2>{head}</h2>{}", self.linked(self.view.at, moves))
    }
}

pub(super) fn tone_class(tone: Tone) -> &'static str {
    match tone {
        Tone::Win => "win",
        Tone::Draw => "draw",
        Tone::Loss => "loss",
        Tone::Plain => "plain",
    }
}
