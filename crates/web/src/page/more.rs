//! What stands beside a position: the game that led to it, the link to it, other rules.

use std::fmt::Write;

use greenwave_picture::escaped;

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
        if !self.question.variant.rules().options.is_empty() {
            let _ = write!(
                html,
                "<details><summary>{}</summary>{}</details>",
                words.text("options"),
                home::options(self.explorer, self.reader, &self.question.variant)
            );
        }
        let _ = write!(html, "<p class=\"details\">{}</p>", words.text("legend"));
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
