//! A position: its value first, then every move, then the game that led here.

use std::fmt::Write;

use greenwave_game::{Colours, Metric};
use greenwave_picture::{MovePlace, Tone, escaped};
use greenwave_tablebase::{Answer, Line, Place, SourceKind, Tablebase};

use crate::explorer::Explorer;
use crate::page::chart::{self, Point};
use crate::page::{Reader, board, figures, frame, home};
use crate::params::encoded;
use crate::problem::Problem;
use crate::question::Question;
use crate::routes::{Answered, Kind};
use crate::view::{Choice, View, rewritten};

/// Longest game whose values are charted, in plies.
const CHARTED: usize = 400;
/// Most plies of best play that are written out.
const LINE_SHOWN: usize = 60;

/// Everything that the parts of a page look at.
pub(crate) struct Page<'a> {
    pub(crate) explorer: &'a Explorer,
    pub(crate) reader: &'a Reader,
    pub(crate) question: &'a Question,
    pub(crate) view: &'a View,
    /// The values of the position shown, where they are to be shown.
    pub(crate) answer: Option<&'a Answer>,
    /// The square whose moves are to be chosen from, by its place among the marks.
    pub(crate) selected: Option<usize>,
    path: String,
}

impl Page<'_> {
    /// The address of the game with these moves.
    fn game(&self, start: Option<&str>, moves: &[&str], own: &[(&str, &str)]) -> String {
        let moves = moves.join(",");
        let mut all: Vec<(&str, &str)> = Vec::new();
        all.extend(start.map(|start| ("position", start)));
        if !moves.is_empty() {
            all.push(("moves", &moves));
        }
        all.extend_from_slice(own);
        self.reader.address(self.explorer, &self.path, &all)
    }

    fn played(&self, plies: usize) -> Vec<&str> {
        let plies = self.view.plies.iter().take(plies);
        plies.map(|ply| ply.text.as_str()).collect()
    }

    /// The address of the position after one more move.
    pub(crate) fn after(&self, mv: &str) -> String {
        let mut moves = self.played(self.view.at);
        moves.push(mv);
        self.game(self.view.start.as_deref(), &moves, &[])
    }

    /// The address of the position after the best move, or after the one that looks best where nothing
    /// is proven.
    fn reply(&self) -> Option<String> {
        let answer = self.answer?;
        let estimate = answer.estimate.iter().flat_map(|estimate| &estimate.moves);
        let listed = answer.moves.iter().map(|mv| &mv.mv);
        let best = answer.best.iter().chain(estimate).chain(listed).next()?;
        let mut choices = self.view.choices.iter();
        let choice = choices.find(|choice| choice.canonical == *best)?;
        Some(self.after(&choice.text))
    }

    /// The address of this position with a square chosen.
    pub(crate) fn choosing(&self, square: &str) -> String {
        let moves = self.played(self.view.at);
        self.game(self.view.start.as_deref(), &moves, &[("from", square)])
    }

    /// The address of the game shown after so many plies.
    pub(crate) fn at_ply(&self, ply: usize) -> String {
        let all = self.view.plies.len();
        let moves = self.played(all);
        let ply = ply.to_string();
        let own = [("ply", ply.as_str())];
        let own: &[(&str, &str)] = if ply == all.to_string() { &[] } else { &own };
        self.game(self.view.start.as_deref(), &moves, own)
    }

    /// The address of a position without a game before it.
    pub(crate) fn at_position(&self, position: &str) -> String {
        self.game(Some(position), &[], &[])
    }

    fn here(&self, reader: &Reader) -> String {
        let page = Page {
            reader,
            path: self.path.clone(),
            ..*self
        };
        page.at_ply(self.view.at)
    }
}

/// The page of a question.
pub(crate) fn page(
    explorer: &Explorer,
    tablebase: &Tablebase,
    question: &Question,
    at: Option<usize>,
    reader: &Reader,
) -> Result<Answered, Problem> {
    let view = View::new(question, at, reader.edit)?;
    let at_hand = !question.computes(tablebase);
    let shown = view.passed[view.at].canonical.as_deref();
    let at_end = view.at == view.plies.len();
    let solver_moves = reader.play.is_some_and(|first| {
        at_end
            && !view.chance
            && view.ending.is_none()
            && view.passed[view.at].first_to_move != first
    });
    let answer = match shown.filter(|_| reader.hints || solver_moves) {
        Some(text) => {
            Some(tablebase.query_at(&question.variant, &Place::at(text), &question.options())?)
        }
        None => None,
    };
    // When a game against the solver is over, what it was worth is told.
    let told = reader.hints || (reader.play.is_some() && view.ending.is_some());
    let known = told && (at_hand || tablebase.is_at_hand(&question.variant));
    let points = match known && !view.plies.is_empty() && view.plies.len() <= CHARTED {
        true => points(tablebase, question, &view)?,
        false => Vec::new(),
    };
    let line = match shown.filter(|_| known && view.ending.is_none()) {
        Some(text) => Some(tablebase.line(&question.variant, &Place::at(text))?),
        None => None,
    };
    let selected = reader.from.as_ref().and_then(|from| {
        let mut names = view.diagram.names.iter();
        names.position(|name| name == from)
    });
    let page = Page {
        explorer,
        reader,
        question,
        view: &view,
        answer: answer.as_ref(),
        selected,
        path: format!("/{}", question.name),
    };
    if solver_moves && let Some(address) = page.reply() {
        return Ok(Answered {
            kind: Kind::Moved,
            body: address,
            signature: None,
        });
    }
    Ok(page.whole(&points, line.as_ref()))
}

/// The values of all positions of the game for the player who began it.
fn points(
    tablebase: &Tablebase,
    question: &Question,
    view: &View,
) -> Result<Vec<Option<Point>>, Problem> {
    let queries = tablebase.queries(&question.variant, &question.options())?;
    let scored = question.variant.rules().default_metric == Metric::Points;
    let mut answers = Vec::new();
    for passed in &view.passed {
        answers.push(match &passed.canonical {
            Some(text) => Some(queries.query(&Place::at(text))?),
            None => None,
        });
    }
    let scale = answers
        .iter()
        .flatten()
        .filter_map(|answer| answer.points)
        .map(|points| f64::from(points.abs()))
        .fold(1.0, f64::max);
    let known = answers.iter().zip(&view.passed).map(|(answer, passed)| {
        let value = figures::on_scale(answer.as_ref()?, if scored { scale } else { 1.0 })?;
        let value = if passed.first_to_move { value } else { -value };
        Some(Point { value })
    });
    Ok(known.collect())
}

impl Page<'_> {
    fn whole(&self, points: &[Option<Point>], line: Option<&Line>) -> Answered {
        let name = escaped(&self.question.name);
        let verdict = self.verdict();
        let mut body = format!("<main id=\"main\" data-variant=\"{name}\"><h1>{name}</h1>");
        if let Some(notice) = &self.reader.notice {
            let _ = write!(
                body,
                "<p class=\"problem\" role=\"alert\">{}</p>",
                escaped(notice)
            );
        }
        body.push_str("<div class=\"columns\"><section class=\"board\">");
        let _ = write!(
            body,
            "<p class=\"verdict\" id=\"verdict\">{}</p>",
            escaped(&verdict)
        );
        body.push_str(&board::board(self));
        body.push_str(&self.notes());
        body.push_str(&self.strip_moves());
        body.push_str(&self.steps());
        body.push_str(&self.tools());
        body.push_str("</section><section class=\"answer\">");
        body.push_str(&self.details());
        body.push_str(&self.move_list());
        if let Some(line) = line {
            body.push_str(&self.best_play(line));
        } else if let Some(line) = self.answer.and_then(|answer| answer.line.as_ref()) {
            body.push_str(&self.line_of(line));
        }
        body.push_str("</section></div>");
        if !self.reader.embed {
            body.push_str(&self.game_section(points));
            body.push_str(&self.more());
        }
        body.push_str("</main>");
        let own: Vec<(&str, String)> = self.own_parameters();
        let own: Vec<(&str, &str)> = own
            .iter()
            .map(|(key, value)| (*key, value.as_str()))
            .collect();
        let title = format!("{}: {verdict}", self.question.name);
        Answered {
            kind: match self.reader.embed {
                true => Kind::Embedded,
                false => Kind::Page,
            },
            body: frame::page(
                self.explorer,
                self.reader,
                &title,
                Some((&self.path, &own)),
                &body,
            ),
            signature: None,
        }
    }

    fn own_parameters(&self) -> Vec<(&'static str, String)> {
        let view = self.view;
        let mut own = Vec::new();
        own.extend(view.start.clone().map(|start| ("position", start)));
        if !view.plies.is_empty() {
            own.push(("moves", self.played(view.plies.len()).join(",")));
        }
        if view.at != view.plies.len() {
            own.push(("ply", view.at.to_string()));
        }
        own
    }

    fn verdict(&self) -> String {
        let words = self.reader.language;
        if let Some(ending) = &self.view.ending {
            return figures::over(words, ending);
        }
        if self.view.chance {
            return words.text("chance-next").into();
        }
        match self.answer {
            Some(answer) => figures::verdict(words, answer),
            None => words.text("hints-hidden").into(),
        }
    }

    /// What the board does not show.
    fn notes(&self) -> String {
        let mut html = String::new();
        for note in &self.view.diagram.notes {
            let _ = write!(html, "<p class=\"note\" lang=\"en\">{}</p>", escaped(note));
        }
        html
    }

    /// Moves that no square shows: slides, turns, passes, picks and draws.
    fn strip_moves(&self) -> String {
        let view = self.view;
        let elsewhere: Vec<&Choice> = view
            .choices
            .iter()
            .filter(|choice| choice.place == MovePlace::Elsewhere)
            .collect();
        if elsewhere.is_empty() || view.chance {
            return String::new();
        }
        let items: String = elsewhere
            .iter()
            .map(|choice| self.move_link(choice))
            .collect();
        format!("<p class=\"elsewhere\">{items}</p>")
    }

    /// A move as a link with its value.
    fn move_link(&self, choice: &Choice) -> String {
        let words = self.reader.language;
        let known = board::figures_of(self.answer, choice);
        let worth = known.map(|known| figures::of_move(words, &known));
        let (tag, label) = match &worth {
            Some((text, tone, worth)) => (
                format!(
                    " <span class=\"tag {}\" aria-hidden=\"true\">{text}</span>",
                    tone_class(*tone)
                ),
                format!("{} {worth}", choice.text),
            ),
            None => (String::new(), choice.text.clone()),
        };
        format!(
            "<a class=\"move\" data-move=\"{}\" href=\"{}\" aria-label=\"{}\">{}{tag}</a> ",
            escaped(&choice.canonical),
            escaped(&self.after(&choice.text)),
            escaped(&label),
            escaped(&choice.text)
        )
    }

    fn steps(&self) -> String {
        let words = self.reader.language;
        let view = self.view;
        let all = view.plies.len();
        let steps = [
            ("first", "\u{ab}", (view.at > 0).then_some(0)),
            ("back", "\u{2039}", view.at.checked_sub(1)),
            (
                "forward",
                "\u{25b6}",
                (view.at < all).then_some(view.at + 1),
            ),
            ("last", "\u{bb}", (view.at < all).then_some(all)),
        ];
        let mut html = format!(
            "<nav class=\"steps\" aria-label=\"{}\">",
            words.text("steps")
        );
        for (key, sign, ply) in steps {
            let name = words.text(key);
            let _ = match ply {
                Some(ply) => write!(
                    html,
                    "<a data-step=\"{key}\" href=\"{}\" aria-label=\"{name}\" title=\"{name}\">{sign}</a>",
                    escaped(&self.at_ply(ply))
                ),
                None => write!(html, "<span aria-hidden=\"true\">{sign}</span>"),
            };
        }
        html + "</nav>"
    }

    fn tools(&self) -> String {
        let words = self.reader.language;
        let mut links: Vec<(&str, String, &str)> = Vec::new();
        let hints = Reader {
            hints: !self.reader.hints,
            ..self.reader.clone()
        };
        let key = if self.reader.hints {
            "hide-hints"
        } else {
            "show-hints"
        };
        links.push(("hints", self.here(&hints), words.text(key)));
        if let Some(text) = &self.view.turned {
            links.push(("turn", self.at_position(text), words.text("turn")));
        }
        if let Some(text) = &self.view.mirrored {
            links.push(("mirror", self.at_position(text), words.text("mirror")));
        }
        let (other, key) = match self.question.colours {
            Colours::Ryg => (Colours::Gyr, "lights-gyr"),
            Colours::Gyr => (Colours::Ryg, "lights-ryg"),
        };
        links.push(("colours", self.in_colours(other), words.text(key)));
        if !self.reader.embed {
            let edit = Reader {
                edit: !self.reader.edit,
                ..self.reader.clone()
            };
            let key = if self.reader.edit {
                "edit-done"
            } else {
                "edit"
            };
            links.push(("edit", self.here(&edit), words.text(key)));
        }
        links.extend(
            self.reply()
                .map(|address| ("reply", address, words.text("reply"))),
        );
        let plain = Reader {
            play: None,
            hints: self.reader.hints || self.reader.play.is_some(),
            ..self.reader.clone()
        };
        if self.reader.play.is_some() {
            links.push(("play", self.here(&plain), words.text("play-stop")));
        }
        links.push(("start", self.game(None, &[], &[]), words.text("start-over")));
        let mut html = format!(
            "<p class=\"tools\" role=\"group\" aria-label=\"{}\">",
            words.text("tools")
        );
        for (key, address, text) in links {
            let _ = write!(
                html,
                "<a data-tool=\"{key}\" href=\"{}\">{text}</a> ",
                escaped(&address)
            );
        }
        html.push_str("</p>");
        if self.reader.edit {
            let _ = write!(
                html,
                "<p>{}</p>{}",
                words.text("edit-note"),
                self.position_form()
            );
        }
        html
    }

    /// The same game, written in the other order of the lights.
    fn in_colours(&self, colours: Colours) -> String {
        let reader = Reader {
            colours: Some(colours),
            ..self.reader.clone()
        };
        let start = self
            .view
            .start
            .as_ref()
            .and(self.view.passed[0].canonical.as_deref());
        let start = rewritten(self.question, start.into_iter(), colours);
        let plies = self.view.plies.iter().map(|ply| ply.canonical.as_str());
        let moves = rewritten(self.question, plies, colours);
        let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
        let page = Page {
            reader: &reader,
            path: self.path.clone(),
            ..*self
        };
        let ply = self.view.at.to_string();
        let own = [("ply", ply.as_str())];
        let own: &[(&str, &str)] = if self.view.at == self.view.plies.len() {
            &[]
        } else {
            &own
        };
        page.game(start.first().map(String::as_str), &moves, own)
    }

    fn position_form(&self) -> String {
        let words = self.reader.language;
        let position = self.view.position.as_deref().unwrap_or("");
        let colours = match self.question.colours {
            Colours::Ryg => "ryg",
            Colours::Gyr => "gyr",
        };
        format!(
            "<form class=\"open\" action=\"{}\" method=\"get\"><label for=\"position\">{} \
             <small>{}</small></label><input id=\"position\" name=\"position\" value=\"{}\" \
             spellcheck=\"false\" autocomplete=\"off\"><input type=\"hidden\" name=\"colours\" \
             value=\"{colours}\">{}<button>{}</button></form>",
            escaped(&format!("{}{}", self.explorer.base, encoded(&self.path))),
            words.text("position"),
            words.text("position-hint"),
            escaped(position),
            home::kept(self.reader),
            words.text("show")
        )
    }

    /// Nimber, probabilities and source.
    fn details(&self) -> String {
        let words = self.reader.language;
        let Some(answer) = self.answer else {
            return String::new();
        };
        let mut parts: Vec<String> = Vec::new();
        if let Some(odds) = answer.odds.filter(|_| !answer.terminal) {
            parts.push(figures::split(words, &odds));
        }
        if let Some(plies) = answer.undecided_within.filter(|plies| *plies > 0) {
            parts.push(words.with("no-win-within", words.plies(plies)));
        }
        if answer.distance.is_some() && !answer.terminal {
            parts.push(words.text("unit").into());
        }
        if let Some(nimber) = answer.nimber {
            parts.push(words.with("nimber", nimber));
        }
        parts.push(
            words
                .text(match answer.source.kind {
                    SourceKind::Table => "source-table",
                    SourceKind::Solved => "source-solved",
                    SourceKind::Searched => "source-searched",
                })
                .into(),
        );
        let parts: Vec<String> = parts.iter().map(|part| escaped(part)).collect();
        format!("<p class=\"details\">{}</p>", parts.join(" \u{b7} "))
    }

    /// Every move, best first, equal ones together.
    fn move_list(&self) -> String {
        let words = self.reader.language;
        let view = self.view;
        if view.choices.is_empty() {
            return String::new();
        }
        let chosen = |choice: &&Choice| match (self.selected, choice.place) {
            (None, _) => true,
            (Some(square), MovePlace::Square(at) | MovePlace::Step(at, _)) => at == square,
            (Some(_), MovePlace::Elsewhere) => false,
        };
        let mut html = String::new();
        if view.chance {
            let all: u32 = view.choices.iter().map(|choice| choice.weight).sum();
            let _ = write!(html, "<h2>{}</h2><ul class=\"moves\">", words.text("draws"));
            for choice in &view.choices {
                let share = 100.0 * f64::from(choice.weight) / f64::from(all.max(1));
                let _ = write!(
                    html,
                    "<li>{} <span>{share:.1} %</span></li>",
                    self.move_link(choice)
                );
            }
            return html + "</ul>";
        }
        let Some(answer) = self.answer else {
            let links: String = view
                .choices
                .iter()
                .filter(chosen)
                .map(|choice| self.move_link(choice))
                .collect();
            return format!(
                "<h2>{}</h2><p class=\"moves\">{links}</p>",
                words.text("moves-plain")
            );
        };
        let _ = write!(html, "<h2>{}</h2><ul class=\"moves\">", words.text("moves"));
        let mut at = 0;
        let mut first = true;
        while let Some(lead) = answer.moves.get(at) {
            let worth = lead.figures();
            let equal = answer.moves[at..]
                .iter()
                .take_while(|mv| figures::tie(&mv.figures(), &worth))
                .count();
            let links: Vec<&Choice> = answer.moves[at..at + equal]
                .iter()
                .filter_map(|mv| view.choices.iter().find(|choice| choice.canonical == mv.mv))
                .filter(chosen)
                .collect();
            let next = answer.moves.get(at + equal);
            at += equal;
            let leading = std::mem::take(&mut first);
            if links.is_empty() {
                continue;
            }
            let (text, tone, spoken) = figures::of_move(words, &worth);
            let mut remarks: Vec<&str> = Vec::new();
            if leading && !answer.best.is_empty() {
                let alone = equal == 1
                    && next
                        .is_some_and(|next| next.value != lead.value || next.points != lead.points);
                remarks.push(words.text(if alone { "only-move" } else { "best" }));
            }
            if lead.ends && equal == 1 {
                remarks.push(words.text("ends"));
            }
            if tone == Tone::Loss && lead.distance == Some(2) {
                remarks.push(words.text("trap"));
            }
            let _ = write!(
                html,
                "<li><span class=\"tag {}\" aria-hidden=\"true\">{text}</span> \
                 <span class=\"worth\">{}{}</span> ",
                tone_class(tone),
                escaped(&spoken),
                if remarks.is_empty() {
                    String::new()
                } else {
                    format!(" \u{2013} <em>{}</em>", remarks.join(", "))
                }
            );
            for choice in links {
                let _ = write!(
                    html,
                    "<a class=\"move\" data-move=\"{}\" href=\"{}\">{}</a> ",
                    escaped(&choice.canonical),
                    escaped(&self.after(&choice.text)),
                    escaped(&choice.text)
                );
            }
            html.push_str("</li>");
        }
        let _ = write!(
            html,
            "</ul><p class=\"details\">{}</p>",
            words.text("mover-note")
        );
        html
    }

    fn best_play(&self, line: &Line) -> String {
        let plies = line.plies.iter().take(LINE_SHOWN);
        let moves: Vec<String> = plies.map(|ply| ply.mv.clone()).collect();
        // Draws are not moves: the line of a game with chance is shown without links.
        if line.draws.is_some() {
            return String::new();
        }
        self.line_of(&moves)
    }

    /// Best play, each move a link to the position after it.
    fn line_of(&self, moves: &[String]) -> String {
        let moves = moves.iter().map(String::as_str);
        let moves = rewritten(self.question, moves, self.question.colours);
        if moves.is_empty() {
            return String::new();
        }
        let words = self.reader.language;
        let mut played: Vec<String> = self
            .played(self.view.at)
            .iter()
            .map(|mv| (*mv).into())
            .collect();
        let mut html = format!("<h2>{}</h2><p class=\"line\">", words.text("best-play"));
        for text in moves {
            played.push(text.clone());
            let all: Vec<&str> = played.iter().map(String::as_str).collect();
            let _ = write!(
                html,
                "<a href=\"{}\">{}</a> ",
                escaped(&self.game(self.view.start.as_deref(), &all, &[])),
                escaped(&text)
            );
        }
        html + "</p>"
    }

    fn game_section(&self, points: &[Option<Point>]) -> String {
        let words = self.reader.language;
        let view = self.view;
        let mut html = format!("<section class=\"game\"><h2>{}</h2>", words.text("game"));
        if view.plies.is_empty() {
            let _ = write!(html, "<p>{}</p></section>", words.text("no-moves"));
            return html;
        }
        html.push_str(&chart::chart(self, points));
        html.push_str("<ol class=\"plies\">");
        for (number, ply) in view.plies.iter().enumerate() {
            let mistake = !ply.is_draw && chart::is_mistake(points, number, ply.by_first);
            let current = if number + 1 == view.at {
                " aria-current=\"step\""
            } else {
                ""
            };
            let _ = write!(
                html,
                "<li><a href=\"{}\"{current}>{}</a>{}</li>",
                escaped(&self.at_ply(number + 1)),
                escaped(&ply.text),
                if mistake {
                    format!(" <em class=\"mistake\">? {}</em>", words.text("mistake"))
                } else {
                    String::new()
                }
            );
        }
        html + "</ol></section>"
    }

    /// The ways into a game against the solver, from the position shown.
    fn play_section(&self) -> String {
        let words = self.reader.language;
        let start = self.view.passed[self.view.at].canonical.as_deref();
        let start = rewritten(self.question, start.into_iter(), self.question.colours);
        let begun = self.view.at > 0 || self.view.start.is_some();
        let start = start.first().filter(|_| begun).map(String::as_str);
        let side = |first: bool| {
            let reader = Reader {
                play: Some(first),
                hints: false,
                ..self.reader.clone()
            };
            let page = Page {
                reader: &reader,
                path: self.path.clone(),
                ..*self
            };
            page.game(start, &[], &[])
        };
        format!(
            "<details><summary>{}</summary><p>{}</p><p class=\"tools\"><a data-tool=\"first\" \
             href=\"{}\">{}</a> <a data-tool=\"second\" href=\"{}\">{}</a></p></details>",
            words.text("play"),
            words.text("play-note"),
            escaped(&side(true)),
            words.text("play-first"),
            escaped(&side(false)),
            words.text("play-second")
        )
    }

    /// Link, code, data, options and rules.
    fn more(&self) -> String {
        let words = self.reader.language;
        let own = self.own_parameters();
        let mut api: Vec<(&str, &str)> = vec![("variant", &self.question.name)];
        let position = self.view.position.clone();
        api.extend(position.as_deref().map(|text| ("position", text)));
        let api_reader = Reader {
            colours: Some(self.question.colours),
            hints: true,
            ..Reader::default()
        };
        let json = api_reader.address(self.explorer, "/api/v1/query", &api);
        let picture = api_reader.address(self.explorer, "/api/v1/draw.svg", &api);
        let clean = Reader {
            colours: self.reader.colours,
            hints: true,
            ..Reader::default()
        };
        let own: Vec<(&str, &str)> = own
            .iter()
            .map(|(key, value)| (*key, value.as_str()))
            .collect();
        let path = clean.address(self.explorer, &self.path, &own);
        let link = format!("{}{path}", self.reader.origin);
        let code = format!("{}/qr.svg?text={}", self.explorer.base, encoded(&link));
        let mut html = format!(
            "<section class=\"more\"><details><summary>{share}</summary><p><label for=\"link\">{}</label>\
             <input id=\"link\" readonly value=\"{}\"><button type=\"button\" data-copy=\"link\" \
             data-done=\"{}\" hidden>{}</button></p><p><a href=\"{}\">{}</a> \u{b7} <a \
             href=\"{}\">{}</a></p><img class=\"qr\" loading=\"lazy\" src=\"{}\" alt=\"{}\" width=\"180\" \
             height=\"180\"></details>",
            words.text("link"),
            escaped(&link),
            words.text("copied"),
            words.text("copy"),
            escaped(&json),
            words.text("json"),
            escaped(&picture),
            words.text("picture"),
            escaped(&code),
            words.text("qr"),
            share = words.text("share"),
        );
        html.push_str(&self.play_section());
        let stats = format!("{}/stats", self.path);
        let _ = write!(
            html,
            "<p><a href=\"{}\">{}</a></p>",
            escaped(&self.reader.address(self.explorer, &stats, &[])),
            words.text("stats")
        );
        if !self.question.variant.rules().options.is_empty() {
            let _ = write!(
                html,
                "<details><summary>{}</summary>{}</details>",
                words.text("options"),
                home::options(self.explorer, self.reader, &self.question.variant)
            );
        }
        let _ = write!(
            html,
            "<details><summary>{}</summary><div lang=\"en\">",
            words.text("rules")
        );
        for sentence in self.question.variant.in_words().lines() {
            let _ = write!(html, "<p>{}</p>", escaped(sentence));
        }
        let _ = write!(
            html,
            "</div></details><p class=\"details\">{}</p></section>",
            words.text("legend")
        );
        html
    }
}

fn tone_class(tone: Tone) -> &'static str {
    match tone {
        Tone::Win => "win",
        Tone::Draw => "draw",
        Tone::Loss => "loss",
        Tone::Plain => "plain",
    }
}
