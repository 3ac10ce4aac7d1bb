//! What can be done with the position shown: steps through the game, turning it, editing it.

use std::fmt::Write;

use greenwave_game::{Luck, Motion};
use greenwave_picture::escaped;
use greenwave_play::Level;

use crate::page::contents::{Page, now};
use crate::page::reader::Reader;
use crate::page::{scan, titles};
use crate::view::OtherLights;

/// The text of a link of the bar on a phone, where that is not the whole one.
fn short_of(tool: &str) -> Option<&'static str> {
    match tool {
        "hint" => Some("hint-short"),
        "explore" => Some("explore"),
        "projector" => Some("projector-short"),
        "class" => Some("class-short"),
        "draw" => Some("draw-short"),
        "again" => Some("again-short"),
        "solution" => Some("solution-short"),
        "next" => Some("next-short"),
        _ => None,
    }
}

impl Page<'_> {
    /// What is at hand below the board, or at the foot of a phone: steps, and what is done most.
    pub(super) fn bar(&self) -> String {
        let words = self.reader.language;
        if self.reader.edit {
            let (key, address, text) = self.edit_link();
            return format!(
                "<div class=\"at-hand\"><p class=\"actions\"><a data-tool=\"{key}\" class=\"first\" href=\"{}\">{text}\
                 </a></p></div>",
                escaped(&address)
            );
        }
        let mut links: Vec<(&str, String, &str)> = Vec::new();
        let over = self.view.ending.is_some() || self.reader.resigned;
        let plays = self.reader.play.is_some() || self.reader.watch;
        let is_last = self.view.at == self.view.plies.len();
        let playing = plays && !over && is_last && !self.reader.solution;
        let is_solved = self.is_solved() && is_last;
        links.extend(self.hint_link());
        links.extend(
            self.again()
                .map(|address| ("again", address, words.text("puzzle-again"))),
        );
        if let (true, Some(address)) = (self.view.chance, self.drawn(now())) {
            links.push(("draw", address, words.text("draw-now")));
        }
        if !plays && !self.reader.embed && !self.reader.projector && !self.view.chance {
            let (address, key) = match self.view.ending {
                None => (self.play_here(), "play-here"),
                Some(_) => {
                    let path = format!("{}/play", self.path);
                    (self.plain().address(self.explorer, &path, &[]), "tab-play")
                }
            };
            links.push(("play", address, words.text(key)));
        }
        links.extend(self.again_here());
        if self.reader.solution {
            links.extend(self.after_solution());
        }
        links.extend(self.in_game());
        if !plays || self.reader.projector {
            links.extend(self.hints_link());
        }
        if self.reader.projector {
            let near = Reader {
                projector: false,
                ..self.reader.clone()
            };
            links.push(("projector", self.here(&near), words.text("projector-off")));
        }
        // A game that is still open is left behind More.
        let is_puzzle = self.reader.puzzle.is_some();
        if plays && !self.reader.solution && !self.found && (over || is_puzzle) {
            links.push(self.review_link());
        }
        let is_open = !self.reader.solution && !self.reader.embed;
        if let Some(review) = self.review.filter(|_| !self.found) {
            links.push(("game", review.back.clone(), words.text("back-to-game")));
        } else if is_open && is_puzzle && !is_solved && self.reader.instead.is_none() {
            if self.missed {
                links.push(("next", self.next_puzzle(), words.text("puzzle-next")));
            } else {
                let path = format!("{}/learn", self.path);
                let address = self.plain().address(self.explorer, &path, &[]);
                let levels = self.at_part(address, "puzzles");
                links.push(("puzzles", levels, words.text("sheet-next")));
            }
        }
        let class = if self.reader.solution {
            "at-hand solving"
        } else if playing {
            "at-hand playing"
        } else {
            "at-hand"
        };
        if self.reader.projector && !self.explorer.in_folder {
            links.push(("class", "#class".into(), words.text("class-code")));
        }
        let mut html = String::new();
        let rule = titles::short_rule(words, &self.question.variant);
        if let Some(rule) = rule.filter(|_| self.reader.projector && !over) {
            let _ = write!(html, "<p class=\"note\">{}</p>", escaped(rule));
        }
        if self.reader.projector && !self.reader.hints && !over {
            let _ = write!(
                html,
                "<p class=\"note scripted\" hidden><span class=\"by-key\">{}</span>\
                 <span class=\"by-tap\">{}</span></p>",
                words.text("projector-space"),
                words.text("projector-tap")
            );
        }
        let _ = write!(html, "<div class=\"{class}\">{}", self.steps());
        let _ = write!(
            html,
            "<p class=\"actions\" role=\"group\" aria-label=\"{}\">",
            words.text("tools")
        );
        for (number, (key, address, text)) in links.into_iter().enumerate() {
            // A finished game leads with the next one, beside the board.
            let leads = !plays || matches!(key, "draw" | "again" | "again-here");
            let first = if number == 0 && leads {
                " class=\"first\""
            } else {
                ""
            };
            let href = escaped(&address);
            // Where a game begins, that is said by the page that follows.
            let short = if text == words.text("play-here") {
                Some("tab-play")
            } else {
                short_of(key)
            };
            let _ = match short {
                Some(short) => write!(
                    html,
                    "<a data-tool=\"{key}\"{first} href=\"{href}\" title=\"{text}\" aria-label=\"{text}\">\
                     <span class=\"long\">{text}</span><span class=\"short\">{}</span></a> ",
                    words.text(short)
                ),
                None => write!(
                    html,
                    "<a data-tool=\"{key}\"{first} href=\"{href}\">{text}</a> "
                ),
            };
        }
        html + "</p></div>" + &self.class_code()
    }

    /// In a game of the reader that is looked back on, the way to play on from the position shown.
    fn again_here(&self) -> Option<(&'static str, String, &'static str)> {
        let (reader, view) = (self.reader, self.view);
        let first = reader
            .play
            .filter(|_| self.is_review() && self.has_ended())?;
        let ply = view.plies.get(view.at)?;
        let key = if ply.by_first == first && self.is_mistake(view.at) {
            "again-here"
        } else {
            "play-here"
        };
        let player = Reader {
            hints: false,
            ..reader.clone()
        };
        let played = self.played(view.at);
        let address = self
            .read_by(&player)
            .game(view.start.as_deref(), &played, &[]);
        Some(("again-here", address, reader.language.text(key)))
    }

    /// The link from a game or puzzle to its values or its solution.
    fn review_link(&self) -> (&'static str, String, &'static str) {
        let plain = self.plain();
        let is_over = self.view.ending.is_some() || self.reader.resigned;
        // A review begins before the first fault.
        let review = match self.first_fault().filter(|_| is_over) {
            Some(ply) => self.at_ply(ply),
            None => self.here(&plain),
        };
        let (key, address, text) = match (&self.view.ending, self.reader.puzzle) {
            (None, Some(_)) => ("solution", self.solution(), "puzzle-solution"),
            (Some(_), Some(_)) if !self.is_solved() => {
                ("solution", self.whole_solution(), "puzzle-solution")
            }
            (Some(_), _) => ("play", review, "review-game"),
            (None, None) if is_over => ("play", review, "review-game"),
            (None, None) => ("play", review, "play-stop"),
        };
        (key, address, self.reader.language.text(text))
    }

    /// The address of the position as a code that fills the screen, for the telephones of a class.
    fn class_code(&self) -> String {
        if !self.reader.projector || self.explorer.in_folder {
            return String::new();
        }
        let pupil = Reader {
            projector: false,
            ..self.reader.clone()
        };
        let words = self.reader.language;
        let link = format!("{}{}", self.reader.origin, self.here(&pupil));
        format!(
            "<div id=\"class\" class=\"full\">{}<p class=\"actions\"><button type=\"button\" data-copy-text=\"{}\" \
             data-done=\"{}\" hidden>{}</button> <a href=\"#main\">{}</a></p></div>",
            scan::code(self.explorer, self.reader, &link, 600, &link),
            escaped(&link),
            words.text("copied"),
            words.text("copy-address"),
            words.text("close")
        )
    }

    /// The link that hides the values where there are any, or shows them.
    fn hints_link(&self) -> Option<(&'static str, String, &'static str)> {
        if self.reader.hints && !self.shows_values() {
            return None;
        }
        let hints = Reader {
            hints: !self.reader.hints,
            signs: false,
            ..self.reader.clone()
        };
        let key = if self.reader.hints {
            "hide-hints"
        } else {
            "show-hints"
        };
        Some(("hints", self.here(&hints), self.reader.language.text(key)))
    }

    /// The links that change how values are shown: signs or figures, and shades.
    fn densities(&self) -> Vec<(&'static str, String, &'static str)> {
        let words = self.reader.language;
        let has_figures = self.reader.hints && self.shows_values();
        if !has_figures || self.view.ending.is_some() || self.view.chance {
            return Vec::new();
        }
        let signs = Reader {
            signs: !self.reader.signs,
            ..self.reader.clone()
        };
        let heat = Reader {
            heat: !self.reader.heat,
            ..self.reader.clone()
        };
        let (of_signs, of_heat) = (
            if self.reader.signs {
                "values-figures"
            } else {
                "values-signs"
            },
            if self.reader.heat {
                "heat-off"
            } else {
                "heat-on"
            },
        );
        vec![
            ("signs", self.here(&signs), words.text(of_signs)),
            ("heat", self.here(&heat), words.text(of_heat)),
        ]
    }

    /// The address at which a game from here is started.
    fn play_here(&self) -> String {
        let path = format!("{}/play", self.path);
        let start = self.text_here();
        let own: Vec<(&str, &str)> = start
            .iter()
            .map(|text| ("position", text.as_str()))
            .collect();
        self.plain().address(self.explorer, &path, &own)
    }

    /// The way to the opening tree from here, which a script draws in a wide window.
    pub(super) fn tree_link(&self) -> String {
        let rules = self.question.variant.rules();
        let plays = self.reader.play.is_some() || self.reader.watch;
        let looks = self.reader.hints && !plays && !self.reader.edit;
        let is_known = self
            .explorer
            .settings
            .tablebase
            .is_at_hand(&self.question.variant);
        if !looks || !is_known || self.view.ending.is_some() || rules.properties.luck != Luck::None
        {
            return String::new();
        }
        let words = self.reader.language;
        let position = self.text_here();
        let own: Vec<(&str, &str)> = position
            .iter()
            .map(|text| ("position", text.as_str()))
            .collect();
        let address =
            self.reader
                .plain()
                .address(self.explorer, &format!("{}/tree", self.path), &own);
        format!(
            "<section class=\"tree-from\" data-tree><h2><a href=\"{}\">{}</a></h2></section>",
            escaped(&address),
            words.text("tree")
        )
    }

    /// The position shown, unless it is the start.
    pub(super) fn text_here(&self) -> Option<String> {
        let begun = self.view.at > 0 || self.view.start.is_some();
        let start = self.view.passed[self.view.at].text.clone();
        start.filter(|_| begun)
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
                "\u{203a}",
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
                None => write!(
                    html,
                    "<span class=\"{key}\" aria-hidden=\"true\">{sign}</span>"
                ),
            };
        }
        html + "</nav>"
    }

    /// The address of the game, turned or mirrored with its board.
    fn imaged(&self, motion: Motion) -> Option<String> {
        let (start, plies) = self.view.imaged(self.question, motion)?;
        let plies: Vec<&str> = plies.iter().map(String::as_str).collect();
        let ply = self.view.at.to_string();
        let is_last = self.view.at == plies.len();
        let own: &[(&str, &str)] = if is_last { &[] } else { &[("ply", &ply)] };
        Some(self.game(start.as_deref(), &plies, own))
    }

    /// What changes the look of the board.
    fn of_view(&self) -> Vec<(&'static str, String, &'static str)> {
        let words = self.reader.language;
        // A puzzle stays as it was set.
        let turns = self.reader.puzzle.is_none();
        let mut links = self.densities();
        for (motion, key) in [(Motion::Turn, "turn"), (Motion::Mirror, "mirror")] {
            let address = turns.then(|| self.imaged(motion)).flatten();
            links.extend(address.map(|address| (key, address, words.text(key))));
        }
        // The game that a search came from has this order.
        let sought = self.reader.instead.is_some();
        if let Some(other) = self.view.other.as_ref().filter(|_| !sought) {
            let lights = self.question.variant.rules().order().other();
            let key = if lights == Default::default() {
                "lights-ryg"
            } else {
                "lights-gyr"
            };
            links.push(("lights", self.otherwise(other), words.text(key)));
        }
        if !self.reader.embed && turns {
            let room = Reader {
                projector: true,
                hints: false,
                edit: false,
                ..self.reader.clone()
            };
            links.push(("projector", self.here(&room), words.text("projector")));
        }
        links
    }

    /// What else is done with the position.
    fn of_position(&self) -> Vec<(&'static str, String, &'static str)> {
        let words = self.reader.language;
        let over = self.view.ending.is_some() || self.reader.resigned;
        let mut links: Vec<(&str, String, &str)> = Vec::new();
        let turns = self.reader.puzzle.is_none();
        if self.reader.play.is_none() && !self.reader.watch {
            let reply = self.reply(Level::Perfect, 0);
            let reply = reply.filter(|_| !self.reader.edit);
            links.extend(reply.map(|address| ("reply", address, words.text("reply"))));
        } else {
            if !self.reader.projector {
                links.extend(self.hints_link());
            }
            if !over && turns {
                links.push(self.review_link());
            }
        }
        if !self.reader.embed && !self.reader.edit && turns {
            links.push(self.edit_link());
        }
        // A puzzle begins at its position.
        let start = self.view.start.as_deref();
        let start = start.filter(|_| self.reader.puzzle.is_some());
        links.push((
            "start",
            self.game(start, &[], &[]),
            words.text("start-over"),
        ));
        links
    }

    /// The link that begins to edit the position, or ends it.
    fn edit_link(&self) -> (&'static str, String, &'static str) {
        let edit = Reader {
            edit: !self.reader.edit,
            brush: None,
            ..self.reader.clone()
        };
        let key = if self.reader.edit {
            "edit-done"
        } else {
            "edit"
        };
        ("edit", self.here(&edit), self.reader.language.text(key))
    }

    /// What is done less often, behind a button for the look of the board and one for the rest; in an open game
    /// behind one button.
    pub(super) fn tools(&self) -> String {
        let words = self.reader.language;
        let plays = self.reader.play.is_some() || self.reader.watch;
        let over = self.view.ending.is_some() || self.reader.resigned;
        let (of_view, of_position) = (self.of_view(), self.of_position());
        let menus = if plays && !over {
            vec![("menu-more", [of_position, of_view].concat())]
        } else {
            vec![("menu-view", of_view), ("menu-more", of_position)]
        };
        let mut html = String::from("<div class=\"menus\">");
        for (key, links) in menus {
            let _ = write!(
                html,
                "<details name=\"menu\"><summary>{}</summary><p class=\"tools\">",
                words.text(key)
            );
            for (tool, address, text) in links {
                let _ = write!(
                    html,
                    "<a data-tool=\"{tool}\" href=\"{}\">{text}</a> ",
                    escaped(&address)
                );
            }
            html.push_str("</p></details>");
        }
        html + "</div>"
    }

    /// The same game, written in the other order of the lights.
    fn otherwise(&self, other: &OtherLights) -> String {
        let reader = Reader {
            lights: Some(self.question.variant.rules().order().other()),
            ..self.reader.clone()
        };
        let moves: Vec<&str> = other.plies.iter().map(String::as_str).collect();
        let page = self.read_by(&reader);
        let ply = self.view.at.to_string();
        let own = [("ply", ply.as_str())];
        let own: &[(&str, &str)] = if self.view.at == self.view.plies.len() {
            &[]
        } else {
            &own
        };
        page.game(other.start.as_deref(), &moves, own)
    }
}
