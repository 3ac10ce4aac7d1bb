//! What stands beside a position: the game that led to it, the link to it, other rules.

use std::fmt::Write;
use std::ops::Range;

use greenwave_picture::escaped;

use crate::own_rules;
use crate::page::contents::Page;
use crate::page::moves::tone_class;
use crate::page::reader::Reader;
use crate::page::told::{ChartPoint, PlyFault};
use crate::page::{chart, mini, options, titles, ways};
use crate::params::encoded;

/// Plies of the record of a long game that a page shows: every link has the whole game in its address.
const PART: usize = 100;

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
        if self.faults().next().is_some() {
            html.push_str(&self.tally());
        }
        html.push_str(&self.faults_told());
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

    /// Who has which column of the record. A puzzle has no first player.
    pub(super) fn players(&self) -> String {
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

    /// The plies that the record and the chart show: all, or of a long game the part around the position shown.
    pub(super) fn plies_shown(&self) -> Range<usize> {
        let all = self.view.plies.len();
        if all <= PART + PART / 2 {
            return 0..all;
        }
        let begin = self.view.at.saturating_sub(1) / PART * PART;
        begin..all.min(begin + PART)
    }

    /// The parts of the record of a long game, each a link to its end.
    fn parts(&self) -> String {
        let (all, shown) = (self.view.plies.len(), self.plies_shown());
        if shown.len() == all {
            return String::new();
        }
        let name = self.reader.language.text("record-parts");
        let mut html = format!("<nav class=\"parts\" aria-label=\"{name}\">");
        for begin in (0..all).step_by(PART) {
            let end = all.min(begin + PART);
            let (from, to) = (self.view.plies_made(begin) + 1, self.view.plies_made(end));
            let text = format!("{from}\u{2013}{to}");
            let _ = if begin == shown.start {
                write!(html, "<strong aria-current=\"true\">{text}</strong> ")
            } else {
                write!(
                    html,
                    "<a href=\"{}\">{text}</a> ",
                    escaped(&self.at_ply(end))
                )
            };
        }
        html + "</nav>"
    }

    /// The plies in a column for each player.
    pub(super) fn record(&self) -> String {
        let view = self.view;
        let shown = self.plies_shown();
        let mut html = self.parts();
        html.push_str("<ol class=\"plies\">");
        let mut is_inexact = false;
        for (number, ply) in view
            .plies
            .iter()
            .enumerate()
            .take(shown.end)
            .skip(shown.start)
        {
            // A pass that had to be made stands with the move before it.
            let is_after_move = number > shown.start && !view.plies[number - 1].is_draw;
            if ply.is_forced && is_after_move {
                continue;
            }
            let rest = &view.plies[number + 1..shown.end];
            let passes = if ply.is_draw {
                0
            } else {
                rest.iter().take_while(|ply| ply.is_forced).count()
            };
            let after = number + 1 + passes;
            let passed = rest.first().filter(|_| passes > 0).map(|pass| {
                format!(
                    "<span class=\"unseen\"> ({})</span>",
                    self.written_short(&pass.text)
                )
            });
            let current = if (number + 1..=after).contains(&view.at) {
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
            let point = self.points.get(after).and_then(Option::as_ref);
            // A mark leads to where the move was made: the board shows the better one.
            let marked = self.fault_said(number);
            is_inexact |= matches!(marked, Some((PlyFault::Slip, _)));
            let mark = marked.map_or_else(String::new, |(fault, said)| {
                let made = self.named_move(&ply.text);
                let (class, sign) = (fault.class(), fault.sign());
                format!(
                    " <a class=\"{class}\" href=\"{}\" title=\"{}\" aria-label=\"{}\">{sign}</a>",
                    escaped(&self.at_ply(number)),
                    escaped(&said),
                    escaped(&format!("{made}: {said}"))
                )
            });
            let _ = write!(
                html,
                "<li class=\"{side}\"{}><a href=\"{}\"{current}>{}{}{}</a>{}{mark}</li>",
                ply.number
                    .map_or_else(String::new, |number| format!(" value=\"{number}\"")),
                escaped(&self.at_ply(after)),
                mini.map_or_else(String::new, |marks| {
                    mini::mini(marks, |level| view.diagram.letter(level), "")
                }),
                self.written_short(&ply.text),
                passed.unwrap_or_default(),
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
