//! The first words of a position page: whose turn it is, what the position is worth, what a puzzle asks.

use std::fmt::Write;

use greenwave_game::{Metric, Outcome, Turn, Variant};
use greenwave_picture::{Tone, escaped};
use greenwave_play::win_in;
use greenwave_tablebase::{Answer, SourceKind, Value};
use greenwave_words::Language;

use crate::page::contents::Page;
use crate::page::moves::tone_class;
use crate::page::start::Start;
use crate::page::written::one_of;
use crate::page::{about, figures, titles, ways};
use crate::view::View;

/// Most moves that the heading names.
const NAMED: usize = 3;

impl Page<'_> {
    /// The key of the sentence that says whose turn it is.
    pub(super) fn mover(&self) -> &'static str {
        if self.readers_turn() {
            return "turn-you";
        }
        turn_key(self.first_moves())
    }

    /// Whose turn it is, what the position is worth in a sign, and how far the game is.
    pub(super) fn turn(&self) -> String {
        let words = self.reader.language;
        let view = self.view;
        let mut html = String::from("<p class=\"turn\">");
        let chip = match (view.ending.is_some() || view.chance, self.reader.play) {
            (true, _) => self.before_draw().map(|_| words.text("chance-next").into()),
            // The sentence says whose turn it is.
            (false, Some(first)) if self.answer.is_none() && self.reader.puzzle.is_none() => {
                let level = words.text(ways::level_key(self.reader.level));
                let side = if first { "you-first" } else { "you-second" };
                let level = words.with("program-level", level);
                Some(format!("{} \u{b7} {level}", words.text(side)))
            }
            (false, _) if self.answer.is_none() && (self.reader.watch || self.reader.projector) => {
                None
            }
            (false, None) if self.answer.is_none() => Some(words.text("hints-hidden").into()),
            // A puzzle has no first player.
            (false, _) if self.reader.puzzle.is_some() && !self.readers_turn() => None,
            (false, _) => Some(words.text(self.mover()).into()),
        };
        if let Some(chip) = chip {
            let _ = write!(html, "<span class=\"chip\">{}</span> ", escaped(&chip));
        }
        let open = self.meanwhile().is_some();
        if let Some(answer) = self.answer.filter(|answer| !answer.terminal && !open) {
            let (text, tone, _) = self.worth(&answer.figures());
            let _ = write!(
                html,
                "<span class=\"tag {}\" aria-hidden=\"true\">{text}</span> ",
                tone_class(tone)
            );
        }
        let is_read = !self.reader.embed && !self.reader.projector;
        if is_read && (self.goal.is_some() || self.answer.is_some_and(|answer| !answer.terminal)) {
            let metrics = &self.question.variant.rules().metrics;
            html.push_str(&about::headline_terms(
                words,
                metrics.contains(&Metric::Nimber),
            ));
        }
        if let Some(moves) = self.in_moves() {
            let _ = write!(html, "<span class=\"in-moves\">{}</span> ", escaped(&moves));
        }
        if self.reader.puzzle.is_some() {
            let of = match &self.reader.day {
                Some(day) => words.with("puzzle-of", words.date(day)),
                None => words.text("puzzle-name").into(),
            };
            let game = titles::title(self.explorer, words, &self.question.name);
            // A theme that was not requested would give the solution away.
            let theme = self.reader.theme.filter(|_| self.reader.themed);
            let theme = theme.map_or_else(String::new, |theme| {
                format!(" \u{b7} {}", words.text(theme.key()))
            });
            let _ = write!(
                html,
                "<span class=\"of-puzzle\">{}<span class=\"long-title\"> \u{b7} {}</span>{theme}</span> ",
                escaped(&of),
                escaped(&game)
            );
        }
        html.push_str(&self.steps_made());
        let made = view.plies_made(view.at) as u32;
        if made > 0 && self.reader.puzzle.is_none() {
            let plies = words.plies(made);
            let after = words.with("after-plies", plies);
            let made = self.last_made().map(|made| format!(" \u{b7} {made}"));
            let _ = write!(
                html,
                "<span class=\"after\">{}</span>",
                escaped(&(after + made.as_deref().unwrap_or_default()))
            );
        }
        html + "</p>"
    }

    /// The plies to the end in moves of the players, where they move alternately and the end is some moves away.
    fn in_moves(&self) -> Option<String> {
        let is_open = self.reader.puzzle.is_none() && !self.is_programs_turn();
        let answer = self.answer.filter(|answer| is_open && !answer.terminal)?;
        let plies = answer.distance.filter(|_| !self.reader.signs)?;
        let alternates = self.question.variant.rules().properties.turn == Turn::Alternates;
        let key = match answer.value {
            Value::Win if self.is_between() => "moves-winner",
            Value::Win => "moves-own",
            Value::Loss => "moves-each",
            Value::Draw | Value::Unknown => return None,
        };
        let is_far = alternates && plies > 2 && answer.points.is_none();
        is_far.then(|| self.reader.language.with(key, plies.div_ceil(2)))
    }

    /// What the move was that led here. The headline is about whoever is to move now, and a reader who has just
    /// pressed a square is not.
    fn last_made(&self) -> Option<String> {
        let rules = self.question.variant.rules();
        let answer = self.answer.filter(|answer| !answer.terminal)?;
        let ply = self.view.plies.get(self.view.at.checked_sub(1)?)?;
        if rules.properties.turn != Turn::Alternates || ply.is_draw || answer.points.is_some() {
            return None;
        }
        let key = match answer.value {
            Value::Loss => "made-wins",
            // Not where every move loses.
            Value::Win if self.is_mistake(self.view.at - 1) => "made-loses",
            Value::Draw => "made-draws",
            Value::Win | Value::Unknown => return None,
        };
        Some(self.reader.language.with(key, self.named_move(&ply.text)))
    }

    /// The moves of a puzzle that the reader has made, and those that are left.
    fn steps_made(&self) -> String {
        let words = self.reader.language;
        let alternates = self.question.variant.rules().properties.turn == Turn::Alternates;
        // The search for a better move is for one move.
        let counts = alternates && !self.reader.solution && self.reader.puzzle != Some(0);
        let left = self.goal.filter(|_| counts);
        let left = left.filter(|goal| goal.value == Value::Win);
        let Some(plies) = left.and_then(|goal| goal.distance) else {
            return String::new();
        };
        let own = |by_first: bool| self.reader.play == Some(by_first);
        let made = self.view.plies.iter().filter(|ply| own(ply.by_first));
        let made = made.count().saturating_sub(usize::from(self.missed));
        let left = plies.div_ceil(2) as usize;
        let fillings = [("n", made.to_string()), ("all", (made + left).to_string())];
        let fillings = fillings.each_ref().map(|(key, text)| (*key, text.as_str()));
        format!(
            "<span class=\"moves-made\">{}</span> ",
            escaped(&words.filled("moves-made", &fillings))
        )
    }

    /// The task of a puzzle, and its level.
    pub(super) fn goal(&self) -> String {
        let words = self.reader.language;
        let Some(answer) = self.goal else {
            return String::new();
        };
        if let Some(made) = self.worse_move() {
            return words.with("better-than", self.named_move(made));
        }
        let task = task(words, &self.question.variant, answer);
        let level = usize::from(self.reader.puzzle.unwrap_or(0));
        let stars = "\u{2605}".repeat(level) + &"\u{2606}".repeat(5_usize.saturating_sub(level));
        if level == 0 {
            task
        } else {
            format!("{task} {stars}")
        }
    }

    /// What is published of the game, where the page shows its start.
    pub(super) fn published_start(&self) -> Option<Start> {
        let at_start = self.view.is_start();
        at_start.then(|| Start::of(&self.question.variant))?
    }

    /// The verdict for those to whom the page is sent, who are no player: of a value that the page shows, else as it
    /// stands on the page.
    pub(super) fn verdict_for_others(&self, verdict: &str) -> String {
        let is_task = self.reader.play.is_some() || self.reader.solution;
        let known = |answer: &&Answer| figures::is_known(&answer.figures());
        let answer = self.answer.filter(known).filter(|_| !is_task);
        let scores = self.question.variant.rules().properties.scores;
        let named = answer.and_then(|answer| {
            let (words, first) = (self.reader.language, self.first_moves());
            verdict_named(words, self.view, first, scores, Some(answer))
        });
        named.unwrap_or_else(|| verdict.into())
    }

    /// The text about a position that is not settled yet: the published value of the start, or, where the page
    /// shows more later, that the work runs.
    pub(super) fn meanwhile(&self) -> Option<String> {
        let words = self.reader.language;
        let answer = self.answer?;
        let figures = answer.figures();
        if answer.terminal || figures.value.is_some() || figures.odds.is_some() {
            return None;
        }
        let follows = self.follows();
        let start = self.published_start();
        start
            .filter(|start| !follows || start.favours().is_some())
            .map(|start| start.in_words(words))
            .or_else(|| follows.then(|| words.text("working-out").into()))
    }

    /// Whether the page shows more later.
    pub(super) fn follows(&self) -> bool {
        self.coming.is_some() || self.reader.further.is_some()
    }

    /// How far the search has seen that nobody can force a win, where it found none.
    pub(super) fn undecided(&self) -> String {
        let words = self.reader.language;
        let within = self.answer.and_then(|answer| answer.undecided_within);
        // Within a move or two that is seen, and says nothing.
        within
            .filter(|plies| *plies > 4)
            .map_or_else(String::new, |plies| {
                let said = words.with("no-win-within", words.plies(plies));
                format!("<p class=\"summary\">{}</p>", escaped(&said))
            })
    }

    /// Probabilities and units; nimber and source are folded where nothing unknown has to be explained.
    pub(super) fn details(&self) -> String {
        let words = self.reader.language;
        if self.is_open_draw() {
            let said = self.reader.language.text("chance-open-why");
            return format!("<p class=\"details\">{}</p>", escaped(said));
        }
        // The rules alone say what an end is worth.
        let Some(answer) = self.answer.filter(|answer| !answer.terminal) else {
            return String::new();
        };
        let mut parts: Vec<String> = Vec::new();
        if let Some(odds) = answer.odds {
            let expected = if self.question.variant.rules().properties.scores {
                words.expectation(odds.expectation, 4)
            } else {
                words.lead(&odds, 2)
            };
            parts.push(escaped(&format!("{expected}: {}", words.split(&odds, 2))));
        }
        // Where all is proven, nothing unknown has to be explained.
        let moves_known = answer.moves.iter().all(|mv| mv.figures().value.is_some());
        let is_known = answer.figures().value.is_some() && moves_known || answer.odds.is_some();
        let mut rest: Vec<String> = Vec::new();
        // Each word is explained where it stands.
        rest.extend(answer.nimber.map(|nimber| {
            let term = about::term(words, "term-nimber", "term-nimber-note");
            escaped(&words.with("nimber", nimber)) + &term
        }));
        let follows = self.follows();
        let source = words.text(match (answer.source.kind, is_known) {
            (SourceKind::Table, _) => "source-table",
            (SourceKind::Solved, _) => "source-solved",
            (SourceKind::Swept, _) => "source-swept",
            (SourceKind::Searched, true) => "source-searched-known",
            (SourceKind::Published, true) => "source-published-known",
            (SourceKind::Proved, true) => "source-proved-known",
            (SourceKind::Searched, false) if follows => "source-searched-now",
            (SourceKind::Published, false) if follows => "source-published-now",
            (SourceKind::Proved, false) if follows => "source-proved-now",
            (SourceKind::Searched, false) => "source-searched",
            (SourceKind::Published, false) => "source-published",
            (SourceKind::Proved, false) => "source-proved",
        });
        let term = match answer.source.kind {
            SourceKind::Table => about::term(words, "term-table", "term-table-note"),
            SourceKind::Proved => format!(". {}", self.idea_told("idea-copying", "why-theorem")),
            SourceKind::Solved
            | SourceKind::Swept
            | SourceKind::Searched
            | SourceKind::Published => String::new(),
        };
        rest.push(escaped(source) + &term);
        let joined = |parts: &[String]| match parts {
            [] => String::new(),
            parts => format!("<p class=\"details\">{}</p>", parts.join(" \u{b7} ")),
        };
        if !is_known {
            parts.append(&mut rest);
            return joined(&parts) + &self.settled_by(answer);
        }
        format!(
            "{}<details class=\"of-answer\"><summary>{}</summary>{}{}</details>",
            joined(&parts),
            words.text("how-known"),
            joined(&rest),
            self.settled_by(answer)
        )
    }

    /// What would settle a position that is not being worked out.
    fn settled_by(&self, answer: &Answer) -> String {
        let words = self.reader.language;
        if self.follows() {
            return String::new();
        }
        let said = match answer.source.settle.as_deref() {
            Some(settle) => {
                let (command, _) = settle.split_once(" # ").unwrap_or((settle, ""));
                words.with("settled-by", command)
            }
            None if answer.source.out_of_reach && answer.value == Value::Unknown => {
                words.text("settled-by-none").into()
            }
            None => return String::new(),
        };
        format!("<p class=\"details\">{}</p>", escaped(&said))
    }

    /// Whether the board alone is shown to a class, which is to find out what the values would tell.
    pub(super) fn asks_class(&self) -> bool {
        let plays = self.reader.play.is_some() || self.reader.watch;
        self.reader.projector && self.answer.is_none() && !plays && self.view.ending.is_none()
    }

    /// What the last move fails to do in a puzzle.
    pub(super) fn miss(&self) -> Option<String> {
        let last = self.view.plies.last().filter(|_| self.missed)?;
        let goal = self.goal?;
        let key = match (goal.value, goal.points) {
            (Value::Draw, None) => "goal-missed-draw",
            (Value::Win, None) => "goal-missed",
            (Value::Win | Value::Draw | Value::Loss | Value::Unknown, _) => "goal-missed-ahead",
        };
        Some(self.reader.language.with(key, self.named_move(&last.text)))
    }

    /// The praise of a move that was sought in the place of a mistake.
    fn found_said(&self) -> Option<String> {
        let last = self.view.plies.last().filter(|_| self.found)?;
        let goal = self.goal?;
        let key = match (goal.value, goal.points) {
            (Value::Win, None) => "found-win",
            (Value::Draw, None) => "found-draw",
            (Value::Win | Value::Draw | Value::Loss | Value::Unknown, _) => "found-points",
        };
        Some(self.reader.language.with(key, self.named_move(&last.text)))
    }

    /// What the reader gave up.
    pub(super) fn given_up(&self) -> &'static str {
        let answer = self
            .answer
            .filter(|answer| answer.points.is_none() && answer.odds.is_none());
        let value = answer.and_then(|answer| answer.value.outcome());
        self.reader.language.text(match value {
            Some(Outcome::Win) => "gave-up-won",
            Some(Outcome::Draw) => "gave-up-drawn",
            Some(Outcome::Loss) => "gave-up-lost",
            None => "gave-up",
        })
    }

    /// The verdict with the word for the value in the colour of that value, as the player to move has it, the reader
    /// while the program is to move, or the winner by name.
    pub(super) fn verdict_marked(&self, verdict: &str) -> String {
        // Odds name wins and losses alike.
        let known = self
            .answer
            .filter(|answer| !answer.terminal && answer.odds.is_none());
        let Some(value) = known.and_then(|answer| answer.figures().value) else {
            return escaped(verdict);
        };
        let names_winner = self.is_between() && self.first_moves().is_some();
        let value = if self.is_programs_turn() || (names_winner && value == Outcome::Loss) {
            value.negated()
        } else {
            value
        };
        let class = tone_class(Tone::of(Some(value)));
        let words = self.reader.language.text("value-words");
        let mut at = 0;
        for piece in verdict.split_inclusive(|letter: char| !letter.is_alphabetic()) {
            let word = piece.trim_end_matches(|letter: char| !letter.is_alphabetic());
            let lower = word.to_lowercase();
            if words.split(' ').any(|known| known == lower) {
                let (before, after) = (&verdict[..at], &verdict[at + word.len()..]);
                return format!(
                    "{}<span class=\"of-value {class}\">{}</span>{}",
                    escaped(before),
                    escaped(word),
                    escaped(after)
                );
            }
            at += piece.len();
        }
        escaped(verdict)
    }

    /// Whether the program is to move in the position shown.
    fn is_programs_turn(&self) -> bool {
        let first = self.view.passed[self.view.at].first_to_move;
        self.reader.play.is_some_and(|reader| reader != first)
    }

    /// What a position is worth in which the program is to move, and not the reader.
    fn of_program(&self, scores: bool) -> Option<String> {
        let first = self.view.passed[self.view.at].first_to_move;
        if !self.is_programs_turn() {
            return None;
        }
        let answer = self
            .answer
            .filter(|answer| !answer.terminal && !self.view.chance)?;
        let words = self.reader.language;
        let outcome = figures::outcome_for(words, &answer.figures(), scores, first)?;
        Some(words.with("if-best", outcome))
    }

    /// Whether the reader has made the last move for whoever was to move, and is none of the players: `you` would
    /// be the other one after each move.
    fn is_between(&self) -> bool {
        let reader = self.reader;
        self.view.at > 0 && reader.play.is_none() && reader.puzzle.is_none()
    }

    /// The moves that win at once, where they are few.
    fn wins_now(&self) -> Option<String> {
        let is_open = self.view.ending.is_none() && !self.view.chance;
        let answer = self.answer.filter(|_| is_open)?;
        let moves = answer.moves.iter();
        let winning = moves.filter(|mv| figures::wins_at_once(&mv.figures()));
        let winning: Vec<String> = winning.map(|mv| self.named_move(&mv.mv)).collect();
        let listed = one_of(self.reader.language, &winning).filter(|_| winning.len() <= NAMED)?;
        let key = match self.first_moves().filter(|_| self.is_between()) {
            None => "wins-now-by",
            Some(true) => "first-wins-now-by",
            Some(false) => "second-wins-now-by",
        };
        Some(self.reader.language.with(key, listed))
    }

    pub(super) fn verdict(&self) -> String {
        let words = self.reader.language;
        let at_end = self.view.at == self.view.plies.len();
        if self.reader.solution && self.goal.is_some() {
            return words.text("puzzle-answer").into();
        }
        if self.reader.resigned && self.reader.play.is_some() && self.view.ending.is_none() {
            return self.given_up().into();
        }
        let found = || self.found_said();
        if let Some(said) = self.meanwhile().or_else(|| self.miss()).or_else(found) {
            return said;
        }
        if at_end && self.is_solved() {
            return match self.reader.retries {
                0 => words.text("solved").into(),
                retries => words.with("solved-tries", retries + 1),
            };
        }
        if let Some(outcome) = self.outcome() {
            return outcome;
        }
        let scores = self.question.variant.rules().properties.scores;
        if let Some(said) = self.before_draw() {
            return said;
        }
        if let Some(said) = self.of_program(scores) {
            return said;
        }
        if let Some(said) = self.wins_now() {
            return said;
        }
        let verdict = if self.is_between() {
            verdict_named
        } else {
            verdict_of
        };
        match verdict(words, self.view, self.first_moves(), scores, self.answer) {
            Some(verdict) => verdict,
            None if self.thinks => words.text("replying").into(),
            None if self.goal.is_some() => self.goal(),
            None if self.awaits_reply() => words.text("replying").into(),
            None if self.asks_class() => {
                let (mover, question) = (words.text(self.mover()), words.text("class-question"));
                format!("{mover}. {question}")
            }
            None => words.text(self.mover()).into(),
        }
    }
}

/// The task of a puzzle in the position of an answer.
pub(super) fn task(words: Language, variant: &Variant, answer: &Answer) -> String {
    match (answer.value, answer.distance) {
        (Value::Draw, _) => words.text("goal-draw").into(),
        (Value::Win, Some(plies)) => words.with("goal-win", win_in(words, variant, plies)),
        // What it comes to is still being worked out.
        (Value::Unknown, _) if answer.points.is_none() => words.text("turn-you").into(),
        (Value::Win | Value::Loss | Value::Unknown, _) => words.text("goal-ahead").into(),
    }
}

/// The winner, as far as known, where no player is to move.
fn at_rest(
    words: Language,
    view: &View,
    first_moves: Option<bool>,
    scores: bool,
) -> Option<String> {
    if let Some(ending) = &view.ending {
        return Some(match first_moves {
            None => figures::over(words, ending, scores),
            Some(first) => figures::over_for(words, ending, first, scores),
        });
    }
    view.chance.then(|| words.text("chance-next").into())
}

/// The winner, as far as known, for a reader who is the player to move.
fn verdict_of(
    words: Language,
    view: &View,
    first_moves: Option<bool>,
    scores: bool,
    answer: Option<&Answer>,
) -> Option<String> {
    at_rest(words, view, first_moves, scores).or_else(|| {
        answer.map(|answer| match answer.odds {
            None if view.is_start() => figures::standing_at_start(words, &answer.figures()),
            Some(_) | None => figures::verdict(words, answer, scores),
        })
    })
}

/// The same for readers who are no player, by the names of the players where the position shows them.
pub(super) fn verdict_named(
    words: Language,
    view: &View,
    first_moves: Option<bool>,
    scores: bool,
    answer: Option<&Answer>,
) -> Option<String> {
    at_rest(words, view, first_moves, scores).or_else(|| {
        let answer = answer?;
        let figures = answer.figures();
        let named = match first_moves {
            Some(_) if view.is_start() => Start { figures, scores }.outcome(words),
            Some(first) => figures::outcome_for(words, &figures, scores, first),
            None => None,
        };
        let named = named.map(|named| words.with("if-best", named));
        named.or_else(|| Some(figures::verdict(words, answer, scores)))
    })
}

/// Which player is to move, as a key.
pub(super) fn turn_key(first_moves: Option<bool>) -> &'static str {
    match first_moves {
        Some(true) => "turn-first",
        Some(false) => "turn-second",
        None => "turn-mover",
    }
}
