//! What stands beside a position: the game that led to it, the link to it, other rules.

use std::fmt::Write;

use greenwave_game::Luck;
use greenwave_picture::escaped;
use greenwave_play::{FormerValue, Level};
use greenwave_tablebase::Value;

use crate::own_rules;
use crate::page::contents::Page;
use crate::page::moves::tone_class;
use crate::page::reader::Reader;
use crate::page::told::{ChartPoint, JudgedPly};
use crate::page::{chart, mini, options, titles, ways};
use crate::params::encoded;

/// What a mistake lost, as a key; `None` where that has no name.
fn lost_key(judged: &JudgedPly) -> Option<&'static str> {
    match judged.lost.as_ref()? {
        FormerValue::Value(Value::Win) => Some("lost-win"),
        FormerValue::Value(Value::Draw) => Some("lost-draw"),
        FormerValue::Points(_) => Some("lost-points"),
        FormerValue::Value(Value::Loss | Value::Unknown) | FormerValue::Expectation(_) => None,
    }
}

/// Most plies of the line after a mistake.
const LINE_AFTER: usize = 8;
/// By how many plies at least a win is longer or a loss shorter than it had to be, where that is marked.
const INEXACT: u32 = 6;

impl Page<'_> {
    /// The game: its chart, and its plies in a column for each player.
    pub(super) fn game_section(&self) -> String {
        let words = self.reader.language;
        let view = self.view;
        let mut html = format!("<section class=\"game\"><h2>{}</h2>", words.text("game"));
        if view.plies.is_empty() {
            let _ = write!(html, "<p>{}</p>", words.text("no-moves"));
            html.push_str(&self.paste());
            return html + "</section>";
        }
        html.push_str(&chart::chart(self));
        // Of a few moves there is nothing to count but mistakes.
        if (0..view.plies.len()).any(|ply| self.is_mistake(ply)) {
            html.push_str(&self.tally());
        }
        html.push_str(&self.mistakes());
        html.push_str(&self.record());
        html.push_str(&self.paste());
        html + "</section>"
    }

    /// Whether the game stands beside the board with what is done in it: while it is played, and in a puzzle.
    pub(super) fn has_panel(&self) -> bool {
        let reader = self.reader;
        let plays = reader.play.is_some() || reader.watch;
        let is_whole = !reader.projector && !reader.embed && !reader.edit && !reader.solution;
        plays && is_whole && !self.is_review() && !self.is_over()
    }

    /// The game that is played, with what is done in it; beside a puzzle, others.
    pub(super) fn panel(&self, foot: &str) -> String {
        let words = self.reader.language;
        let mut html = format!(
            "<section class=\"game panel\"><h2>{}</h2>{}{}",
            words.text("game"),
            chart::chart(self),
            self.players()
        );
        let _ = if self.view.plies.is_empty() {
            write!(html, "<p class=\"details\">{}</p>", words.text("no-moves"))
        } else {
            write!(html, "<div class=\"recorded\">{}</div>", self.record())
        };
        html.push_str(foot);
        html.push_str("</section>");
        html + &self.other_puzzles()
    }

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
            self.mistakes(),
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
        let mut plies = self.view.plies.iter().enumerate();
        let (number, ply) = plies.rfind(|(number, _)| self.is_mistake(*number))?;
        if let Some(judged) = self
            .mark_of(self.view.at)
            .filter(|_| self.is_mistake(self.view.at))
        {
            return Some(self.missed_here(judged));
        }
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
        let number = (number + 1).to_string();
        let said = words.filled(key, &[("mv", &self.named_move(&ply.text)), ("n", &number)]);
        if self.view.at < self.view.plies.len() {
            return Some(said);
        }
        let all = 0..self.view.plies.len();
        let count = all.filter(|ply| self.is_mistake(*ply)).count();
        Some(format!("{}: {count}. {said}", words.text("mistakes")))
    }

    /// The mistake that was made in the position shown.
    fn missed_here(&self, judged: &JudgedPly) -> String {
        let words = self.reader.language;
        let ply = &self.view.plies[self.view.at];
        let key = if self.is_first(ply.by_first) {
            "better-first"
        } else {
            "better-second"
        };
        let made = self.named_move(&ply.text);
        let said = match lost_key(judged) {
            Some(lost) => words.filled(key, &[("mv", &made), ("lost", words.text(lost))]),
            None => words.with("mistake-note", made) + ".",
        };
        match self.better_said(judged) {
            Some(better) => format!("{said} {better}."),
            None => said,
        }
    }

    /// Who has which column of the record. A puzzle has no first player.
    fn players(&self) -> String {
        let (words, reader) = (self.reader.language, self.reader);
        if reader.puzzle.is_some() {
            return String::new();
        }
        let next = &self.view.passed[self.view.at];
        let moves = self.view.ending.is_none() && !reader.resigned;
        let heads = [true, false].map(|first| {
            let name = match reader.play {
                Some(own) if own == first => words.text("side-you").to_string(),
                Some(_) => {
                    let level = words.text(ways::level_key(reader.level));
                    words.with("program-level", level)
                }
                None if self.is_first(first) => words.text("side-first").into(),
                None => words.text("side-second").into(),
            };
            let is_next = moves && next.first_to_move == first;
            let class = if is_next {
                " class=\"next-player\""
            } else {
                ""
            };
            format!("<span{class}>{}</span>", escaped(&name))
        });
        format!("<p class=\"players\">{}</p>", heads.concat())
    }

    /// The plies in a column for each player.
    fn record(&self) -> String {
        let view = self.view;
        let mut html = String::from("<ol class=\"plies\">");
        let mut is_inexact = false;
        for (number, ply) in view.plies.iter().enumerate() {
            let current = if number + 1 == view.at {
                " aria-current=\"step\""
            } else {
                ""
            };
            let side = match (ply.is_draw, ply.by_first) {
                (true, _) => "chance",
                (false, true) => "first",
                (false, false) => "second",
            };
            let mini = view.minis.get(number);
            let point = self.points.get(number + 1).and_then(Option::as_ref);
            // A mark leads to where the move was made: the board shows the better one.
            let marked = self.judged(number).map(|said| ("mistake", "??", said));
            let marked = marked.or_else(|| Some(("inexact", "?!", self.inexact_said(number)?)));
            is_inexact |= matches!(marked, Some(("inexact", ..)));
            let mark = marked.map_or_else(String::new, |(class, sign, said)| {
                let made = self.named_move(&ply.text);
                format!(
                    " <a class=\"{class}\" href=\"{}\" title=\"{}\" aria-label=\"{}\">{sign}</a>",
                    escaped(&self.at_ply(number)),
                    escaped(&said),
                    escaped(&format!("{made}: {said}"))
                )
            });
            let _ = write!(
                html,
                "<li class=\"{side}\"><a href=\"{}\"{current}>{}{}</a>{}{mark}</li>",
                escaped(&self.at_ply(number + 1)),
                mini.map_or_else(String::new, |marks| {
                    mini::mini(marks, |level| view.diagram.letter(level), "")
                }),
                self.written_short(&ply.text),
                point.map_or_else(String::new, |point| self
                    .worth_to_mover(ply.by_first, point)),
            );
        }
        html.push_str("</ol>");
        if is_inexact {
            let note = self.reader.language.text("inexact-note");
            let _ = write!(html, "<p class=\"note\">{note}</p>");
        }
        html
    }

    /// What a position of the game is worth to the player who made the move that led to it.
    fn worth_to_mover(&self, by_first: bool, point: &ChartPoint) -> String {
        let known = point.figures;
        let worth = known.after_move(0, point.first_to_move == by_first);
        let (text, tone, spoken) = self.worth(&worth);
        let is_over = known.distance.is_some_and(|plies| plies.0 == 0);
        let sign = tone.sign().filter(|_| is_over && known.points.is_none());
        format!(
            " <span class=\"tag {}\" aria-hidden=\"true\">{}</span><span class=\"unseen\"> {}</span>",
            tone_class(tone),
            sign.unwrap_or(&text),
            escaped(&spoken)
        )
    }

    /// Each mistake: what it lost and what was better, why, and how play goes on.
    fn mistakes(&self) -> String {
        let numbers = 0..self.view.plies.len();
        let html: String = numbers.filter_map(|number| self.mistake(number)).collect();
        if html.is_empty() {
            return html;
        }
        let name = self.reader.language.text("mistakes");
        format!("<ul class=\"mistakes\" aria-label=\"{name}\">{html}</ul>")
    }

    /// A ply that was a mistake.
    fn mistake(&self, number: usize) -> Option<String> {
        let judged = self.judged(number)?;
        let ply = self.view.plies.get(number)?;
        let why = self.marks[number].as_ref().and_then(|ply| ply.why.as_ref());
        Some(format!(
            "<li><p><a href=\"{}\">{}. {}</a> <em class=\"mistake\">?? {}</em></p>{}</li>",
            escaped(&self.at_ply(number)),
            number + 1,
            self.written_short(&ply.text),
            escaped(&judged),
            why.map_or_else(String::new, |why| self.explained(number, why, LINE_AFTER))
        ))
    }

    /// What a mistake lost, and what would have been better; `None` where it was none.
    fn judged(&self, number: usize) -> Option<String> {
        let words = self.reader.language;
        // It would name the move that the puzzle asks for.
        if self.reader.puzzle.is_some() && !self.is_solved() {
            return None;
        }
        let judged = self.mark_of(number).filter(|_| self.is_mistake(number))?;
        let lost = words.text(lost_key(judged).unwrap_or("mistake"));
        Some(match self.better_said(judged) {
            Some(better) => format!("{lost}; {better}"),
            None => lost.into(),
        })
    }

    /// Of a move that kept a win but made it far longer, or a loss but made it far shorter, by how much.
    fn inexact_said(&self, number: usize) -> Option<String> {
        let words = self.reader.language;
        let judged = self
            .mark_of(number)
            .filter(|_| self.reader.puzzle.is_none())?;
        let best = self.named_move(judged.best.as_deref()?);
        let (key, plies) = match (judged.slower, judged.longer) {
            (Some(plies), _) => ("inexact-win", plies),
            (None, Some(plies)) => ("inexact-loss", plies),
            (None, None) => return None,
        };
        let fillings = [("mv", &*best), ("n", &words.length(plies))];
        (plies >= INEXACT).then(|| words.filled(key, &fillings))
    }

    /// What would have been better than a mistake.
    fn better_said(&self, judged: &JudgedPly) -> Option<String> {
        let words = self.reader.language;
        let best = self.named_move(judged.best.as_deref()?);
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
    fn tally(&self) -> String {
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
                    format!("<a href=\"{before}\">{}</a>", number + 1)
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
            let mistakes = links(&|ply| self.is_mistake(ply));
            let mistakes = said(&mistakes, ["mistakes-one", "mistakes-some"]);
            let said = mistakes.unwrap_or_else(|| {
                let none = words.text("mistakes-none");
                // One who was lost all along can lose no value, and still slips.
                let slips = links(&|ply| self.inexact_said(ply).is_some());
                said(&slips, ["slips-one", "slips-some"])
                    .map_or_else(|| none.into(), |slips| format!("{none}, {slips}"))
            });
            let key = if first { "of-first" } else { "of-second" };
            format!("<span>{}</span> ", words.with(key, said))
        };
        let mut html = format!(
            "<p class=\"tally\">{}{}{}",
            of(true),
            of(false),
            self.turns()
        );
        if let Some(first) = (0..self.view.plies.len()).find(|ply| self.is_mistake(*ply)) {
            let _ = write!(
                html,
                "<a data-tool=\"mistake\" href=\"{}\">{}</a>",
                escaped(&self.better(first)),
                escaped(words.text("first-mistake"))
            );
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

    /// Link, code and data of the position and its game.
    pub(super) fn share(&self, verdict: &str) -> String {
        let words = self.reader.language;
        let own = self.own_parameters();
        let mut api: Vec<(&str, &str)> = vec![("variant", &self.question.name)];
        let position = self.view.position.clone();
        api.extend(position.as_deref().map(|text| ("position", text)));
        let api_reader = Reader {
            lights: self.question.variant.rules().lights,
            hints: true,
            ..Reader::default()
        };
        let json = api_reader.address(self.explorer, "/api/v1/query", &api);
        // Whoever opens a picture sees the language of this page.
        let in_words = |reader: &Reader| Reader {
            language: words,
            language_asked: true,
            ..reader.clone()
        };
        let drawing_reader = in_words(&api_reader);
        let picture = drawing_reader.address(self.explorer, "/api/v1/draw.svg", &api);
        let clean = self.reader.sent();
        let own: Vec<(&str, &str)> = own
            .iter()
            .map(|(key, value)| (*key, value.as_str()))
            .collect();
        let path = clean.address(self.explorer, &self.path, &own);
        let link = format!("{}{path}", self.reader.origin);
        let code = format!("{}/qr.svg?text={}", self.explorer.base, encoded(&link));
        let card =
            in_words(&clean).address(self.explorer, &format!("{}/card.png", self.path), &own);
        let embed = Reader {
            embed: true,
            ..clean.clone()
        };
        let frame = format!(
            "<iframe src=\"{}{}\" width=\"480\" height=\"560\" title=\"Greenwave\" loading=\"lazy\" \
             style=\"border:0;max-width:100%\"></iframe>",
            self.reader.origin,
            embed.address(self.explorer, &self.path, &own)
        );
        let told = format!(
            "{}: {verdict}\n{}\n{link}",
            titles::title(self.explorer, words, &self.question.name),
            position.as_deref().unwrap_or_default().replace('/', "\n"),
        );
        let mut ways = String::new();
        if !self.explorer.in_folder {
            let _ = write!(
                ways,
                "<div class=\"served\"><p class=\"tools\"><button type=\"button\" data-copy-image=\"{}\" data-done=\"{done}\" hidden>{}\
                 </button> <button type=\"button\" data-copy-text=\"{}\" data-done=\"{done}\" hidden>{}</button> \
                 <a href=\"{}\">{}</a>",
                escaped(&card),
                words.text("copy-image"),
                escaped(&told),
                words.text("copy-text"),
                escaped(&card),
                words.text("card"),
                done = words.text("copied"),
            );
            let played = self.played(self.view.plies.len()).join(",");
            if !played.is_empty() {
                let mut of_game: Vec<(&str, &str)> = vec![("variant", &self.question.name)];
                of_game.extend(self.view.start.as_deref().map(|start| ("position", start)));
                of_game.push(("moves", &played));
                of_game.push(("film", "1"));
                let film = drawing_reader.address(self.explorer, "/api/v1/draw.svg", &of_game);
                let _ = write!(
                    ways,
                    " <a href=\"{}\">{}</a>",
                    escaped(&film),
                    words.text("film")
                );
            }
            let has_solver = self.explorer.settings.offline.is_some();
            let _ = write!(
                ways,
                " <button type=\"button\" data-keep=\"{}\"{} title=\"{}\" hidden>{}</button>",
                words.text(if has_solver {
                    "kept-solver"
                } else {
                    "kept-offline"
                }),
                if has_solver { " data-solver" } else { "" },
                words.text(if has_solver {
                    "solver-note"
                } else {
                    "offline-note"
                }),
                words.text("keep-offline")
            );
            let _ = write!(
                ways,
                "</p><p><label for=\"frame\">{}</label><textarea id=\"frame\" rows=\"3\" readonly>{}</textarea>\
                 <button type=\"button\" data-copy=\"frame\" data-done=\"{}\" hidden>{}</button></p></div>",
                words.text("embed"),
                escaped(&frame),
                words.text("copied"),
                words.text("copy")
            );
        }
        format!(
            "<details id=\"share\" class=\"share\"><summary>{share}</summary><div><p><button type=\"button\" \
             data-copy=\"link\" data-done=\"{}\" hidden>{}</button> <button type=\"button\" data-share=\"{link}\" hidden>\
             {share}</button></p><p><label for=\"link\">{}</label><input id=\"link\" readonly value=\"{link}\"></p><img \
             class=\"qr\" loading=\"lazy\" {src}=\"{}\" alt=\"{}\" width=\"180\" height=\"180\"><details><summary>{}\
             </summary>{ways}<p><a href=\"{}\">{}</a> \u{b7} <a href=\"{}\">{}</a></p></details></div></details>",
            words.text("copied"),
            words.text("copy-link"),
            words.text("link"),
            escaped(&code),
            words.text("qr"),
            words.text("share-data"),
            escaped(&json),
            words.text("json"),
            escaped(&picture),
            words.text("picture"),
            link = escaped(&link),
            share = words.text("share-game"),
            src = if self.explorer.in_folder {
                // The script has it drawn.
                "data-src"
            } else {
                "src"
            },
        )
    }

    /// What stands below all else: the ways to share, unless they stand elsewhere, other rules.
    pub(super) fn more(&self, share: &str) -> String {
        let words = self.reader.language;
        let mut html = format!("<section class=\"more\">{share}");
        if !self.question.variant.rules().options.is_empty() {
            let _ = write!(
                html,
                "<details><summary>{}</summary>{}</details>",
                words.text("options"),
                options::form(self.explorer, self.reader, &self.question.variant)
            );
        }
        if let Some(design) = own_rules::design_of(&self.question.name) {
            let own = design.own();
            let own: Vec<(&str, &str)> = own
                .iter()
                .map(|(name, value)| (*name, value.as_str()))
                .collect();
            let address = self.reader.plain().address(self.explorer, "/design", &own);
            let _ = write!(
                html,
                "<p><a rel=\"nofollow\" href=\"{}\">{}</a></p>",
                escaped(&address),
                words.text("design-change")
            );
        }
        html + "</section>"
    }
}
