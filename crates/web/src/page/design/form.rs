//! The form: each choice is a link to the page with that choice.

use std::fmt::Write;

use greenwave_game::{Fault, Game, Variant, VariantError, file_name, with_game};
use greenwave_picture::{Picture, Scheme, escaped};
use greenwave_tablebase::Value;

use super::choices::{
    BoardSpot, CLICKS, DIRECTIONS, Design, LASTS, LIGHTS, LINES, PASSES, TURNS, WRAPS, equal,
};
use crate::design_result::DesignResult;
use crate::explorer::Explorer;
use crate::page::{Reader, in_words};

/// The page of some choices.
pub(super) struct Form<'a> {
    pub(super) explorer: &'a Explorer,
    pub(super) reader: &'a Reader,
    pub(super) design: &'a Design,
}

impl Form<'_> {
    fn address(&self, design: &Design) -> String {
        let own = design.own();
        let own: Vec<(&str, &str)> = own
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        self.reader.address(self.explorer, "/design", &own)
    }

    pub(super) fn verdict(&self, found: &DesignResult) -> String {
        let words = self.reader.language;
        let plies = words.plies(found.distance.unwrap_or(0));
        let verdict = match found.value {
            Value::Win => words.with("design-first", plies),
            Value::Loss => words.with("design-second", plies),
            Value::Draw => words.text("design-draw").into(),
            Value::Unknown => words.text("verdict-unknown").into(),
        };
        let mut html = format!(
            "<p class=\"verdict\" id=\"verdict\">{}</p>",
            escaped(&verdict)
        );
        if !found.winning.is_empty() {
            let moves = words.with("design-openings", found.winning.join(" "));
            let _ = write!(html, "<p class=\"details\">{}</p>", escaped(&moves));
        }
        html
    }

    pub(super) fn faults(&self, error: &VariantError) -> String {
        let words = self.reader.language;
        let mut html = format!(
            "<p class=\"verdict\" id=\"verdict\">{}</p><ul>",
            words.text("design-wrong")
        );
        let said = if let VariantError::File { faults, .. } = error {
            faults.iter().map(Fault::message).collect()
        } else {
            vec![error.message()]
        };
        for message in said {
            let _ = write!(
                html,
                "<li{}</li>",
                in_words(words, &message, str::to_string)
            );
        }
        html + "</ul>"
    }

    /// A choice; those that hold now are marked.
    fn choice(&self, design: &Design, on: bool, text: &str) -> String {
        let (mark, current) = if on {
            ("\u{2713} ", " aria-current=\"true\"")
        } else {
            ("", "")
        };
        let href = escaped(&self.address(design));
        format!(
            "<a rel=\"nofollow\" href=\"{href}\"{current}>{mark}{}</a> ",
            escaped(text)
        )
    }

    fn group(&self, key: &'static str, choices: &[String]) -> String {
        let name = self.reader.language.text(key);
        format!(
            "<section><h2>{name}</h2><p class=\"tools\" role=\"group\" aria-label=\"{name}\">{}</p></section>",
            choices.concat()
        )
    }

    /// Choices of which one holds: a value, and the key of what it is called.
    fn one_of<T: Copy + PartialEq>(
        &self,
        key: &'static str,
        values: &[(T, &'static str)],
        held: T,
        choose: impl Fn(&mut Design, T),
    ) -> String {
        let choices: Vec<String> = values
            .iter()
            .map(|(value, text)| {
                let mut next = self.design.clone();
                choose(&mut next, *value);
                self.choice(&next, *value == held, self.reader.language.text(text))
            })
            .collect();
        self.group(key, &choices)
    }

    pub(super) fn choices(&self) -> String {
        let (words, design) = (self.reader.language, self.design);
        let mut html = self.board();
        let along = DIRECTIONS.map(|(letter, _, key)| {
            let on = design.along.contains(&letter);
            self.choice(&design.with_direction(letter), on, words.text(key))
        });
        html.push_str(&self.group("design-along", &along));
        let lengths: Vec<String> = (2..=5)
            .map(|length| {
                let next = design.with_lines(length, design.levels);
                self.choice(&next, length == design.length, &length.to_string())
            })
            .collect();
        html.push_str(&self.group("design-length", &lengths));
        let mut goals = equal(design.length, design.levels);
        let rising: String = ('1'..='9').take(design.length).collect();
        if (2..=usize::from(design.levels)).contains(&design.length) {
            goals.push(rising);
        }
        let owners = [("design-shared", false), ("design-apart", true)].map(|(key, own)| {
            let next = design.with_own_goals(own);
            self.choice(&next, own == design.second.is_some(), words.text(key))
        });
        html.push_str(&self.group("design-own", &owners));
        let second = design
            .second
            .iter()
            .map(|second| (second, true, "design-goals-second"));
        let first = match design.second {
            Some(_) => "design-goals-first",
            None => "design-goals",
        };
        for (chosen, of_second, key) in [(&design.goals, false, first)].into_iter().chain(second) {
            let choice = |goal: &String| {
                self.choice(
                    &design.with_goal(goal, of_second),
                    chosen.contains(goal),
                    goal,
                )
            };
            let choices: Vec<String> = goals.iter().map(choice).collect();
            html.push_str(&self.group(key, &choices));
        }
        let of = |design: &mut Design, value| design.lose = value;
        html.push_str(&self.one_of(
            "design-play",
            &[(false, "design-wins"), (true, "design-loses")],
            design.lose,
            of,
        ));
        let levels: Vec<String> = (1..=3)
            .map(|levels| {
                let next = design.with_lines(design.length, levels);
                self.choice(&next, levels == design.levels, &levels.to_string())
            })
            .collect();
        html.push_str(&self.group("design-lights", &levels));
        let of = |design: &mut Design, value| design.wrap = value;
        html.push_str(&self.one_of("design-wrap", &WRAPS, design.wrap, of));
        let of = |design: &mut Design, value| design.hex = value;
        html.push_str(&self.one_of(
            "design-grid",
            &[(false, "design-square"), (true, "design-hex")],
            design.hex,
            of,
        ));
        html + &self.remembered()
    }

    /// Choices about what a game remembers, and what each player may do.
    fn remembered(&self) -> String {
        let (words, design) = (self.reader.language, self.design);
        let mut html = String::new();
        let of = |design: &mut Design, value| design.swap = value;
        html.push_str(&self.one_of(
            "design-swap",
            &[(false, "design-never"), (true, "design-free")],
            design.swap,
            of,
        ));
        let of = |design: &mut Design, value| design.last = value;
        html.push_str(&self.one_of("design-last", &LASTS, design.last, of));
        let of = |design: &mut Design, value| design.pass = value;
        html.push_str(&self.one_of("design-pass", &PASSES, design.pass, of));
        let turns = TURNS.map(|turns| {
            let next = Design {
                turns,
                ..design.clone()
            };
            self.choice(&next, turns == design.turns, turns)
        });
        html.push_str(&self.group("design-turns", &turns));
        for (player, key) in [(0, "design-may-first"), (1, "design-may-second")] {
            let lights = LIGHTS.iter().take(usize::from(design.levels));
            let lights: Vec<String> = lights
                .map(|(level, light)| {
                    let on = design.may[player].contains(level);
                    self.choice(&design.with_level(player, *level), on, words.text(light))
                })
                .collect();
            html.push_str(&self.group(key, &lights));
        }
        let lines: Vec<String> = (1..=LINES)
            .map(|lines| {
                let next = Design {
                    lines,
                    ..design.clone()
                };
                self.choice(&next, lines == design.lines, &lines.to_string())
            })
            .collect();
        html + &self.group("design-lines", &lines)
    }

    /// The squares, each a link that changes it, what a click does, and the size.
    fn board(&self) -> String {
        let (words, design) = (self.reader.language, self.design);
        let (ranks, files) = (design.board.len(), design.board[0].len());
        let mut html = format!("<section><h2>{}</h2>", words.text("design-board"));
        html.push_str(&if design.hex {
            self.hexagons()
        } else {
            self.squares()
        });
        html.push_str("</section>");
        let of = |design: &mut Design, value| design.click = value;
        html.push_str(&self.one_of("design-click", &CLICKS, design.click, of));
        let _ = write!(
            html,
            "<section><h2>{}</h2><p class=\"tools\">",
            words.text("design-size")
        );
        let sizes = [
            (ranks + 1, files, "design-more-ranks"),
            (ranks - 1, files, "design-fewer-ranks"),
            (ranks, files + 1, "design-more-files"),
            (ranks, files - 1, "design-fewer-files"),
        ];
        for (ranks, files, key) in sizes {
            if let Some(next) = design.sized(ranks, files) {
                html.push_str(&self.choice(&next, false, words.text(key)));
            }
        }
        html + "</p></section>"
    }

    /// A square: the attributes of its link, and its sign.
    fn place(&self, row: usize, file: usize) -> (String, String) {
        let spot = &self.design.board[row][file];
        let sign = sign(spot, self.design.levels);
        let rank = self.design.board.len() - row;
        let href = escaped(&self.address(&self.design.with_square(row, file)));
        let class = if spot.there { "" } else { " class=\"gap\"" };
        let name = file_name(file as u8);
        let attributes =
            format!("rel=\"nofollow\" href=\"{href}\"{class} aria-label=\"{name}{rank} {sign}\"");
        (attributes, sign)
    }

    /// A square grid as a table.
    fn squares(&self) -> String {
        let mut html = String::from("<table class=\"design\"><tbody>");
        for (row, spots) in self.design.board.iter().enumerate() {
            html.push_str("<tr>");
            for file in 0..spots.len() {
                let (attributes, sign) = self.place(row, file);
                let _ = write!(html, "<td><a {attributes}>{sign}</a></td>");
            }
            html.push_str("</tr>");
        }
        html + "</tbody></table>"
    }

    /// A hexagonal grid as a picture: each rank stands half a square east of the rank below.
    fn hexagons(&self) -> String {
        const WIDE: usize = 48;
        const ROW: usize = 42;
        let (ranks, files) = (self.design.board.len(), self.design.board[0].len());
        let width = files * WIDE + (ranks - 1) * WIDE / 2;
        let height = (ranks - 1) * ROW + 56;
        let mut html = format!(
            "<svg class=\"hexagons\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
             role=\"group\" aria-label=\"{}\">",
            self.reader.language.text("design-board")
        );
        for row in 0..ranks {
            for file in 0..files {
                let (attributes, sign) = self.place(row, file);
                let x = file * WIDE + (ranks - 1 - row) * WIDE / 2 + WIDE / 2;
                let y = row * ROW + 28;
                let _ = write!(
                    html,
                    "<a {attributes}><path d=\"M{x} {}l22 13v26l-22 13l-22 -13v-26z\"/>\
                     <text x=\"{x}\" y=\"{}\">{sign}</text></a>",
                    y - 26,
                    y + 6,
                );
            }
        }
        html + "</svg>"
    }

    /// The rules in words, with a picture of the board.
    pub(super) fn rules(&self, variant: &Variant) -> String {
        let words = self.reader.language;
        let diagram = with_game!(variant, game => game.diagram(&game.start()));
        let mut picture = Picture::new(&diagram, words.text("design-board"));
        picture.scheme = Scheme::Page;
        picture.notes = words.sentences(&diagram.notes);
        let mut html = format!(
            "<section class=\"rules\"><h2>{}</h2><figure>{}</figure>",
            words.text("rules"),
            picture.svg()
        );
        for sentence in words.rules(variant) {
            let _ = write!(html, "<p>{}</p>", escaped(&sentence));
        }
        html + "</section>"
    }

    /// The rule file, and the link that carries the rules.
    pub(super) fn file(&self, text: &str) -> String {
        let words = self.reader.language;
        let rules = Design {
            click: CLICKS[0].0,
            ..self.design.clone()
        };
        let address = self.address(&rules);
        format!(
            "<section><h2>{}</h2><pre id=\"rule-file\">{}</pre><p>{}</p><p>{} \
             <code>greenwave serve my-game.toml</code></p><p><a id=\"carries\" \
             href=\"{}\">{}</a></p></section>",
            words.text("design-text"),
            escaped(text),
            words.text("design-text-note"),
            words.text("design-play-note"),
            escaped(&format!(
                "{}{address}",
                if self.explorer.in_folder {
                    ""
                } else {
                    &self.reader.origin
                }
            )),
            words.text("design-link")
        )
    }
}

/// What a place shows: its light at the start, how high it goes where that is less than others, and a cross
/// where the first move may not be.
fn sign(spot: &BoardSpot, levels: u8) -> String {
    if !spot.there {
        return String::new();
    }
    let light = match spot.start {
        1 => "R",
        2 => "Y",
        3 => "G",
        _ => "\u{b7}",
    };
    let mut sign = light.to_string();
    if spot.top < levels {
        let _ = write!(sign, "\u{2264}{}", spot.top);
    }
    if spot.barred {
        sign.push('\u{d7}');
    }
    sign
}
