//! A position: its value first, then every move, then the game that led here.

use std::fmt::Write;
use std::sync::Arc;

use greenwave_game::{At, Luck, Metric};
use greenwave_picture::escaped;
use greenwave_play::{Hint, HintKind, Level, MoveMark, way_of};
use greenwave_tablebase::{Course, Line, Place, Tablebase, Value};

use crate::ahead::PendingWork;
use crate::board_words::lights;
use crate::explorer::Explorer;
use crate::messages;
use crate::page::contents::{Page, ReviewLinks, now};
use crate::page::notices::{in_words, wait};
use crate::page::reader::Reader;
use crate::page::told::{
    CHARTED, PageValues, after_draws, lost_moves, marks, other_moves, points, tells, why,
};
use crate::page::written::{has_bag, stop};
use crate::page::{board, frame, nearest, solution, titles};
use crate::problem::Problem;
use crate::question::Question;
use crate::routes::{AnswerKind, RouteAnswer};
use crate::view::{MoveChoice, View};

/// Bytes of most pages.
const USUAL: usize = 24 << 10;

/// The page of a question.
pub(crate) fn page(
    explorer: &Explorer,
    tablebase: &Tablebase,
    question: &Question,
    at: Option<usize>,
    reader: &Reader,
    coming: Option<&PendingWork>,
) -> Result<RouteAnswer, Problem> {
    let mut view = View::new(question, at)?;
    if let Some(ply) = at.filter(|ply| *ply > view.plies.len()) {
        let problem = messages::found_plies(ply, view.plies.len());
        return Err(Problem::wrong("ply", problem));
    }
    if reader.solution && at.is_none() {
        return solution::of_position(explorer, tablebase, question, reader, &view);
    }
    let is_known = |metric: &Metric| tablebase.is_metric_at_hand(&question.variant, *metric);
    let is_settled = question.variant.rules().metrics.iter().all(is_known);
    let at_end = view.at == view.plies.len();
    let values = PageValues::new(tablebase, question);
    if is_saved(&values, reader, &view)? {
        view.end_drawn();
    }
    let view = view;
    let shown = view.passed[view.at].at.as_ref();
    let over = view.ending.is_some();
    let hinted = reader.hint > 0 && at_end && !over && !view.chance;
    // A player who resigns sees the value of the game.
    let told = reader.hints || (reader.resigned && reader.play.is_some());
    let wanted = shown.filter(|_| (told || hinted) && !reader.held);
    let mut asked = wanted.map(|at| values.of(at)).transpose()?;
    // It may have been solved meanwhile. On a busy machine there may be no time to look into a table, either.
    let at_hand = tablebase.is_at_hand(&question.variant);
    let coming = coming.filter(|_| !at_hand);
    let reader = &Reader {
        again: reader
            .again
            .filter(|_| !at_hand || reader.notice.is_some())
            .or(coming.map(|coming| coming.pending.seconds)),
        ..reader.clone()
    };
    let marks = marks(&values, reader, &view)?;
    let by_reader = |by_first: bool| reader.play == Some(by_first);
    let last = view.plies.last();
    let own_last = last.is_some_and(|ply| by_reader(ply.by_first));
    let missed = reader.puzzle.is_some()
        && !reader.solution
        && at_end
        && own_last
        && marks
            .last()
            .and_then(Option::as_ref)
            .is_some_and(|judged| judged.mark == MoveMark::Mistake);
    let is_judged = marks.last().is_some_and(Option::is_some);
    // The search for a better move ends with that move.
    let found =
        reader.instead.is_some() && !reader.solution && at_end && !missed && own_last && is_judged;
    let program_moves = at_end
        && reader.instead.is_none()
        && !reader.held
        && !reader.resigned
        && !reader.solution
        && !view.chance
        && !over
        && !missed
        && reader
            .play
            .is_some_and(|first| view.passed[view.at].first_to_move != first);
    if let (Some(at), None, true) = (shown, &asked, program_moves) {
        asked = Some(values.of(at)?);
    }
    // The program moves when the position is settled, if that takes a moment, and in a puzzle when the move is judged.
    let is_open = reader.puzzle.is_some() && own_last && !is_judged;
    let thinks = program_moves
        && coming.is_some()
        && (is_open || asked.as_ref().is_some_and(|answer| answer.best.is_empty()));
    let refuted = match (last, view.plies.len().checked_sub(1)) {
        (Some(ply), Some(before)) if missed => match &view.passed[before].at {
            Some(at) => why(&values, Some(&ply.text), &*values.of(at)?)?,
            None => None,
        },
        (_, _) => None,
    };
    let ends = (over && at_end && !missed) || found;
    let key = match (view.plies.first(), &view.passed[0].at) {
        (Some(ply), Some(at)) if reader.puzzle.is_some() && (ends || reader.solution) => {
            let answer = values.of(at)?;
            let mut key = why(&values, Some(&ply.text), &answer)?;
            if let Some(key) = &mut key {
                key.lost = other_moves(&values, &answer, &ply.text)?;
            }
            key
        }
        (_, _) => None,
    };
    let asked_hint = asked.as_deref().filter(|_| hinted);
    let hint = asked_hint.map(|answer| values.hint(answer, reader.hint));
    let hint = hint.transpose()?;
    let hint_idea = match (&hint, asked_hint) {
        (Some(Hint::Stands(_)), Some(answer)) => {
            why(&values, None, answer)?.and_then(|best| way_of(&best.facts))
        }
        (_, _) => None,
    };
    // The last hint says why its move is the best.
    let best = match &hint {
        Some(Hint::Moves { moves, known }) if *known != HintKind::Opinion => moves.first(),
        Some(Hint::Moves { .. } | Hint::Places(_) | Hint::Stands(_)) | None => None,
    };
    let key = match (best, &asked) {
        (Some(mv), Some(answer)) => why(&values, Some(mv), answer)?,
        (_, _) => key,
    };
    let passed = view.passed[..=view.at].iter();
    let readers = passed
        .rev()
        .find(|passed| reader.play == Some(passed.first_to_move));
    // The solution says what the task was.
    let goal = if reader.solution {
        view.passed[0].at
    } else {
        readers
            .and_then(|passed| passed.at)
            .filter(|_| reader.puzzle.is_some() && !reader.held)
            .filter(|_| !over || reader.instead.is_some())
    };
    let goal = goal.map(|at| values.of(&at)).transpose()?;
    let known = tells(tablebase, question, reader, &view);
    let points = if known && !view.plies.is_empty() && view.plies.len() <= CHARTED {
        points(&values, &view)?
    } else {
        Vec::new()
    };
    let draws = if told && view.chance && !reader.held {
        after_draws(&values, &view)?
    } else {
        Vec::new()
    };
    let line = match shown.filter(|_| known && !over && told) {
        Some(at) => {
            let at = At::new(Arc::clone(&question.variant), *at);
            Some(tablebase.line_of(&at)?)
        }
        None => None,
    };
    let (selected, put) = match &reader.from {
        None => (None, None),
        Some(from) => {
            let names = &view.diagram.names;
            let of_name = |from: &str| names.iter().position(|name| name == from);
            let put = placed_counter(question, &view, from);
            let name = put.map_or(from.as_str(), |light| from.trim_end_matches(light));
            let found = of_name(name).ok_or_else(|| {
                let example = names.first().map_or("a1", String::as_str);
                Problem::wrong("from", messages::found_board_square(from, example))
            })?;
            (Some(found), put)
        }
    };
    let hardest = match asked.as_deref() {
        Some(answer) if told && !over && !program_moves => values.hardest(answer)?,
        Some(_) | None => None,
    };
    let explained = match asked.as_deref() {
        Some(answer) if told && !over && !program_moves => {
            let hardest = hardest.as_ref().and_then(|hardest| hardest.moves.first());
            // In place of a fault, the better move that the review names.
            let judged = marks.get(view.at).and_then(Option::as_ref);
            let better = judged.filter(|judged| judged.fault().is_some());
            let better = better.and_then(|judged| judged.best.as_ref());
            let about = reader.why.as_ref().or(better).or(hardest);
            let mut explained = why(&values, about.map(String::as_str), answer)?;
            // Before a solve they are about the position, and not about the requested move.
            if let Some(why) = explained
                .as_mut()
                .filter(|_| at_hand || reader.why.is_none())
            {
                why.lost = lost_moves(&values, answer, &why.mv)?;
            }
            explained
        }
        Some(_) | None => None,
    };
    // The choices that chance made for the program are other ones in the next game.
    let by_chance = view.chance || reader.level != Level::Perfect;
    let seed = reader.seed.or_else(|| by_chance.then(now));
    let mover = Reader {
        seed,
        ..reader.clone()
    };
    let page = Page {
        explorer,
        reader,
        question,
        view: &view,
        answer: asked
            .as_deref()
            .filter(|_| told || program_moves && !thinks),
        marks: &marks,
        points: &points,
        draws: &draws,
        hint: hint.as_ref(),
        hint_idea,
        missed,
        found,
        review: None,
        refuted: refuted.as_ref(),
        key: key.as_ref(),
        why: explained.as_ref(),
        hardest: hardest.as_ref(),
        goal: goal.as_deref(),
        selected,
        put,
        thinks,
        is_settled,
        coming,
        path: format!("/{}", question.name),
    };
    let review = review_links(&page, tablebase)?;
    let page = Page {
        review: review.as_ref(),
        ..page
    };
    let moved = if program_moves && !thinks {
        page.read_by(&mover).reply(reader.level, seed.unwrap_or(0))
    } else if reader.play.is_some() && at_end && view.chance && !reader.held {
        page.read_by(&mover).drawn(seed.unwrap_or(0))
    } else {
        None
    };
    if let Some(address) = moved {
        return Ok(RouteAnswer::moved(address));
    }
    match page.first_fault().filter(|_| reader.at_mistake) {
        Some(ply) => Ok(RouteAnswer::moved(page.at_ply(ply))),
        None => Ok(page.whole(line.as_ref())),
    }
}

/// Whether a puzzle in which a draw is to be saved comes back to a position: nobody gets any further.
fn is_saved(values: &PageValues<'_>, reader: &Reader, view: &View) -> Result<bool, Problem> {
    let tries = reader.puzzle.is_some() && !reader.solution && !reader.held;
    let begins = view.passed[0].at.filter(|_| tries && view.comes_back());
    let Some(begins) = begins.filter(|_| values.is_at_hand()) else {
        return Ok(false);
    };
    Ok(values.of(&begins)?.value == Value::Draw)
}

/// The ways back to the game in which the mistake was made for which the reader seeks a better move.
fn review_links(page: &Page<'_>, tablebase: &Tablebase) -> Result<Option<ReviewLinks>, Problem> {
    let reader = page.reader;
    let (Some(made), Some(moves)) = (&reader.instead, &reader.reviewed) else {
        return Ok(None);
    };
    let begun = match &reader.begun {
        Some(position) => Place::at(position),
        None => Place::start(),
    };
    // A search goes on without the game that it came from.
    let course = Course::read(&page.question.variant, &begun);
    let Ok(course) = course.and_then(|course| course.then(moves)) else {
        return Ok(None);
    };
    let question = Question {
        position: reader.begun.clone(),
        moves: Some(moves.clone()),
        course: Arc::new(course),
        ..page.question.clone()
    };
    let view = View::new(&question, None)?;
    let plain = reader.plain();
    let judged = if page.found {
        marks(&PageValues::new(tablebase, &question), &plain, &view)?
    } else {
        Vec::new()
    };
    let game = Page {
        reader: &plain,
        question: &question,
        view: &view,
        marks: &judged,
        path: page.path.clone(),
        ..*page
    };
    let before = &page.view.passed[0].text;
    let mut plies = view.plies.iter().zip(&view.passed);
    let mistake = plies.position(|(ply, passed)| ply.text == *made && passed.text == *before);
    Ok(mistake.map(|mistake| ReviewLinks {
        back: game.at_ply(mistake),
        next: (mistake + 1..view.plies.len())
            .find(|ply| game.is_mistake(*ply))
            .map(|ply| game.better(ply)),
    }))
}

/// The light of the counter that is put on a square, where the text is the beginning of moves that take another
/// one after it.
fn placed_counter(question: &Question, view: &View, from: &str) -> Option<char> {
    let begins = |choice: &MoveChoice| {
        let rest = choice.text.strip_prefix(from);
        rest.is_some_and(|rest| rest.starts_with('+'))
    };
    let is_begun = view.choices.iter().any(begins);
    let light = from.chars().last().filter(|last| "RYG".contains(*last));
    light.filter(|_| is_begun && has_bag(&question.variant))
}

impl Page<'_> {
    fn whole(&self, line: Option<&Line>) -> RouteAnswer {
        let words = self.reader.language;
        let game = titles::title(self.explorer, words, &self.question.name);
        let name = escaped(&self.question.name);
        let verdict = self.verdict();
        let again = frame::again(self.reader);
        let mut body = format!(
            "<main id=\"main\" tabindex=\"-1\" data-variant=\"{name}\"{}{}{again}>",
            self.for_script(),
            self.announced(&verdict)
        );
        body.reserve(USUAL);
        // How long the work takes is said above the board, where it has begun.
        if let Some(notice) = self
            .reader
            .notice
            .as_ref()
            .filter(|_| self.coming.is_none())
        {
            let words = self.reader.language;
            // Who waits need not know for what.
            let told = match self.reader.again {
                Some(seconds) => format!(">{}", escaped(&wait(words, seconds))),
                None => in_words(words, notice, str::to_string),
            };
            let _ = write!(body, "<p class=\"note\" role=\"status\"{told}</p>");
        }
        if let Some(told) = nearest::told(self.reader, self.reader.wanted, self.reader.puzzle) {
            let _ = write!(body, "<p class=\"note\">{}</p>", escaped(&told));
        }
        if self.reader.embed {
            body.push_str(&self.embedded(&verdict));
            return self.answered(&game, &verdict, &body);
        }
        // On a phone the reasons that were asked for stand below the board, which stays.
        let is_over = self.is_over();
        let class = match (self.asked_why().is_some(), is_over, self.has_panel()) {
            (true, _, _) => " asked",
            (false, true, _) => " over",
            (false, false, true) => " at-play",
            (false, false, false) => "",
        };
        let _ = write!(
            body,
            "<div class=\"position{class}\"><section class=\"board\">"
        );
        body.push_str(&self.turn());
        let _ = write!(
            body,
            "<h1 class=\"verdict\" id=\"verdict\">{}</h1>",
            self.verdict_marked(&verdict)
        );
        body.push_str(&self.undecided());
        body.push_str(&self.shares());
        if let Some(summary) = self.summary() {
            let _ = write!(body, "<p class=\"summary\">{}</p>", escaped(&summary));
        }
        // The end of a game has its own ways, one of which is to the review.
        if !is_over {
            body.push_str(&self.to_faults());
        }
        body.push_str(&self.unplayed());
        // Where a fault is told, nothing is to be done.
        let is_fault = self.better_here().is_some();
        if !is_fault {
            body.push_str(&self.step());
        }
        body.push_str(&self.said());
        let share = self.share(&verdict);
        body.push_str(&self.after_game(&share));
        body.push_str(&self.after_puzzle());
        body.push_str(&self.forced_moves());
        body.push_str(&board::board(self));
        body.push_str(&self.said_below());
        if !is_fault {
            body.push_str(&self.notes());
        }
        let _ = write!(
            body,
            "<div class=\"keys\">{}{}{}</div>",
            self.key(),
            titles::lights_note(words, &self.question.variant),
            self.heat_legend()
        );
        body.push_str(&self.strip_moves());
        let foot = format!(
            "<div class=\"foot\">{}<div class=\"with-board\">{}</div></div>",
            self.bar(),
            self.tools()
        );
        if self.reader.projector {
            body.push_str(&self.bar());
        } else if !self.has_panel() {
            body.push_str(&foot);
        }
        let is_review = self.is_review() && !self.reader.edit;
        body.push_str("</section><div class=\"side\">");
        body.push_str(&self.hint_reason());
        if is_review {
            body.push_str(&self.fault_here());
            body.push_str(&self.review());
        } else if self.has_panel() {
            body.push_str(&self.came_out());
            body.push_str(&self.panel(&foot));
        }
        body.push_str("<section class=\"answer\">");
        if !self.has_panel() {
            body.push_str(&self.came_out());
        }
        if self.reader.edit {
            body.push_str(&self.editing());
        } else {
            body.push_str(&self.answered_here(line));
        }
        body.push_str("</section><section class=\"beside\">");
        if is_review {
            body.push_str(&self.paste());
        } else if !self.reader.edit && !self.has_panel() {
            body.push_str(&self.game_section());
        }
        body.push_str(&self.tree_link());
        body.push_str(&self.more(if is_over { "" } else { &share }));
        body.push_str("</section></div></div></main>");
        self.answered(&game, &verdict, &body)
    }

    /// The moves, the reasons of one of them, and best play.
    fn answered_here(&self, line: Option<&Line>) -> String {
        let mut html = self.move_list();
        // Those of a better move stand beside the board.
        if let Some(why) = self.why.filter(|_| self.better_here().is_none()) {
            html.push_str(&self.reasons(why));
        }
        if let Some(line) = line {
            html.push_str(&self.best_play(line));
        } else if let Some(line) = self.answer.and_then(|answer| answer.line.as_ref()) {
            html.push_str(&self.line_of(line));
        }
        if self.reader.hints || self.reader.play.is_none() {
            html.push_str(&self.details());
        }
        html
    }

    /// What stands in a frame of another page: the board, and a bar below it.
    fn embedded(&self, verdict: &str) -> String {
        let words = self.reader.language;
        let whole = Reader {
            embed: false,
            ..self.reader.clone()
        };
        format!(
            "<h1 class=\"unseen\">{}</h1><section class=\"board\">{}</section><p class=\"embed-bar\"><strong id=\"verdict\">{}</strong> \
             <small>{}</small> <a target=\"_blank\" rel=\"noopener\" href=\"{}\">{}</a></p></main>",
            escaped(&titles::title(self.explorer, words, &self.question.name)),
            board::board(self),
            escaped(&self.verdict_for_others(verdict)),
            escaped(&lights(words, &self.question.variant, ", ")),
            escaped(&self.here(&whole)),
            words.text("embed-open")
        )
    }

    fn answered(&self, game: &str, verdict: &str, body: &str) -> RouteAnswer {
        let mut own: Vec<(&str, String)> = self.own_parameters();
        if let Some(given) = self.given_moves() {
            own.retain(|(key, _)| *key != "moves");
            own.push(("moves", given));
        }
        let own: Vec<(&str, &str)> = own
            .iter()
            .map(|(key, value)| (*key, value.as_str()))
            .collect();
        let title = format!("{game} \u{b7} {}", self.verdict_for_others(verdict));
        let has_turn = self.view.ending.is_none() && !self.view.chance;
        let turn = has_turn.then(|| self.reader.language.text(self.mover()));
        let turn = turn.filter(|turn| *turn != verdict && self.reader.puzzle.is_none());
        let said = turn.into_iter().chain([verdict]);
        let reader = Reader {
            summary: Some(
                said.map(|said| format!("{said}{}", stop(said)))
                    .collect::<Vec<_>>()
                    .join(" "),
            ),
            ..self.reader.clone()
        };
        let kind = if self.reader.embed {
            AnswerKind::Embedded
        } else if self.reader.unplayed.is_some() {
            AnswerKind::PartPage
        } else if self.is_final() {
            AnswerKind::FinalPage
        } else {
            AnswerKind::Page
        };
        let here = Some((self.path.as_str(), &own[..]));
        RouteAnswer::new(
            kind,
            frame::page(self.explorer, &reader, &title, here, body),
        )
    }

    /// Whether the page follows from its address and a solved game alone: nothing is drawn or chosen for it, and nothing
    /// may be known later that is not known now.
    fn is_final(&self) -> bool {
        let reader = self.reader;
        let plays = reader.play.is_some() || reader.watch || reader.puzzle.is_some();
        let waits = self.coming.is_some() || reader.again.is_some() || reader.notice.is_some();
        let is_certain = self.question.variant.rules().properties.luck == Luck::None;
        self.is_settled && !plays && !waits && is_certain
    }

    /// The data of the script: whether a reply follows each move, or which one waits.
    fn for_script(&self) -> String {
        let reader = self.reader;
        if reader.held {
            let reply = self.at_ply(self.view.plies.len());
            return format!(" data-reply=\"{}\"", escaped(&reply));
        }
        if reader.play.is_some() && reader.instead.is_none() && self.readers_turn() {
            " data-replies".into()
        } else {
            String::new()
        }
    }

    /// What a script says of the page to those who do not see it, where that is more than its heading.
    fn announced(&self, verdict: &str) -> String {
        let said = match self.spoken() {
            Some(said) if self.awaits_reply() || self.asked_why().is_some() => said,
            Some(said) => format!("{said} {verdict}{}", stop(verdict)),
            None => return String::new(),
        };
        format!(" data-say=\"{}\"", escaped(&said))
    }

    pub(super) fn own_parameters(&self) -> Vec<(&'static str, String)> {
        let view = self.view;
        let mut own = Vec::new();
        own.extend(view.start.clone().map(|start| ("position", start)));
        if !view.plies.is_empty() {
            own.push(("moves", self.played(view.plies.len()).join(",")));
        }
        if view.at != view.plies.len() || self.reader.solution {
            own.push(("ply", view.at.to_string()));
        }
        if self.reader.solution {
            own.push(("solution", "1".into()));
        }
        own
    }
}
