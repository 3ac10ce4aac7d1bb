//! What stands below a position: the game that led to it, ways into a game and into puzzles, the link
//! to it, other rules.

use std::fmt::Write;

use greenwave_game::Luck;
use greenwave_picture::escaped;
use greenwave_play::Level;

use crate::page::chart::{self, Point};
use crate::page::position::Page;
use crate::page::{Reader, home};
use crate::params::encoded;

impl Page<'_> {
    pub(super) fn game_section(&self, points: &[Option<Point>]) -> String {
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
            let mistake = self.is_mistake(number);
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
        html.push_str("</ol>");
        html.push_str(&self.tally());
        html + "</section>"
    }

    /// The mistakes of both players, and the way to the first.
    fn tally(&self) -> String {
        let words = self.reader.language;
        if self.marks.is_empty() {
            return String::new();
        }
        let of = |first: bool| {
            let plies = self.view.plies.iter().enumerate();
            let mistakes =
                plies.filter(|(number, ply)| ply.by_first == first && self.is_mistake(*number));
            mistakes.count()
        };
        let mut html = format!(
            "<p class=\"tally\">{} \u{b7} {}",
            escaped(&words.with("mistakes-first", of(true))),
            escaped(&words.with("mistakes-second", of(false)))
        );
        if let Some(first) = (0..self.view.plies.len()).find(|ply| self.is_mistake(*ply)) {
            let _ = write!(
                html,
                " \u{b7} <a data-tool=\"mistake\" href=\"{}\">{}</a>",
                escaped(&self.at_ply(first)),
                escaped(words.text("first-mistake"))
            );
        }
        html + "</p>"
    }

    /// The ways into a game from the position shown: against the program, or of two people.
    fn play_section(&self) -> String {
        let words = self.reader.language;
        let start = self.view.passed[self.view.at].text.as_deref();
        let begun = self.view.at > 0 || self.view.start.is_some();
        let start = start.filter(|_| begun);
        let plain = Reader {
            hints: false,
            ..self.plain()
        };
        let mut html = format!(
            "<details class=\"play\"><summary>{}</summary><p>{}</p><form class=\"open\" action=\"{}\" \
             method=\"get\">",
            words.text("play"),
            words.text("play-note"),
            escaped(&format!("{}{}", self.explorer.base, encoded(&self.path)))
        );
        if let Some(start) = start {
            let _ = write!(
                html,
                "<input type=\"hidden\" name=\"position\" value=\"{}\">",
                escaped(start)
            );
        }
        let _ = write!(
            html,
            "{}<label for=\"level\">{}</label><select id=\"level\" name=\"level\">",
            home::kept(&plain),
            words.text("level")
        );
        let levels = [
            "level-perfect",
            "level-strong",
            "level-medium",
            "level-easy",
        ];
        for (level, key) in Level::ALL.into_iter().zip(levels) {
            let chosen = if level == self.reader.level {
                " selected"
            } else {
                ""
            };
            let _ = write!(
                html,
                "<option value=\"{level}\"{chosen}>{}</option>",
                words.text(key)
            );
        }
        html.push_str("</select>");
        for (value, key) in [
            ("first", "play-first"),
            ("second", "play-second"),
            ("both", "play-both"),
        ] {
            let _ = write!(
                html,
                "<button name=\"play\" value=\"{value}\">{}</button>",
                words.text(key)
            );
        }
        html + "</form></details>"
    }

    /// The ways to puzzles and sheets of them; games with chance have none.
    fn puzzle_section(&self) -> String {
        if self.question.variant.rules().properties.luck == Luck::Draws {
            return String::new();
        }
        let words = self.reader.language;
        let plain = self.plain();
        let mut html = format!(
            "<details class=\"puzzles\"><summary>{}</summary><p>{}</p><p class=\"tools\">",
            words.text("puzzles"),
            words.text("puzzles-note")
        );
        for level in 1..=5 {
            let own = [("level", ["1", "2", "3", "4", "5"][level - 1])];
            let address = plain.address(self.explorer, &format!("{}/puzzle", self.path), &own);
            let _ = write!(
                html,
                "<a data-tool=\"puzzle\" href=\"{}\">{}</a> ",
                escaped(&address),
                escaped(&words.with("puzzle-level", level))
            );
        }
        html.push_str("</p><p class=\"tools\">");
        for count in ["6", "12"] {
            let own = [("count", count)];
            let address = plain.address(self.explorer, &format!("{}/sheet", self.path), &own);
            let _ = write!(
                html,
                "<a href=\"{}\">{}</a> ",
                escaped(&address),
                escaped(&words.with("sheet", count))
            );
        }
        html + "</p></details>"
    }

    /// Link, code, data, options and rules.
    pub(super) fn more(&self) -> String {
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
        let picture = api_reader.address(self.explorer, "/api/v1/draw.svg", &api);
        let clean = Reader {
            lights: self.reader.lights,
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
             href=\"{}\">{}</a></p><img class=\"qr\" loading=\"lazy\" {src}=\"{}\" alt=\"{}\" width=\"180\" \
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
            src = match self.explorer.in_folder {
                false => "src",
                // The script has it drawn.
                true => "data-src",
            },
        );
        html.push_str(&self.play_section());
        html.push_str(&self.puzzle_section());
        let stats = format!("{}/stats", self.path);
        let _ = write!(
            html,
            "<p><a href=\"{}\">{}</a> \u{b7} <a href=\"{}\">{}</a></p>",
            escaped(&self.reader.address(self.explorer, &stats, &[])),
            words.text("stats"),
            escaped(&self.plain().address(
                self.explorer,
                "/compare",
                &[("a", self.question.name.as_str())]
            )),
            words.text("compare")
        );
        if !self.question.variant.rules().options.is_empty() {
            let _ = write!(
                html,
                "<details><summary>{}</summary>{}</details>",
                words.text("options"),
                home::options(self.explorer, self.reader, &self.question.variant)
            );
        }
        let _ = write!(html, "<details><summary>{}</summary>", words.text("rules"));
        for sentence in &words.rules(&self.question.variant) {
            let _ = write!(html, "<p>{}</p>", escaped(sentence));
        }
        html.push_str("</details>");
        if let Some(lights) = self.question.variant.rules().lights {
            let legend = (1..=3).map(|level: u8| {
                let name = lights.names()[usize::from(level)];
                format!("{} {}", lights.letter(level), words.text(name))
            });
            let legend: Vec<String> = legend.collect();
            let _ = write!(html, "<p class=\"details\">{}</p>", legend.join(", "));
        }
        html + "</section>"
    }
}
