//! Drawing: from places to elements.

use std::fmt::Write;

use greenwave_game::Mark;

use crate::element::{Elements, escaped, number};
use crate::layout::{Layout, TEXT};
use crate::lettering;
use crate::picture::{Lettering, Picture, Scheme, Tag, Tone};

const LIGHT: &str = ".gw{font-family:system-ui,'Segoe UI',Roboto,Helvetica,Arial,sans-serif}\
.gw .ground{fill:#fff}\
.gw .tile{fill:#e9ebf0;stroke:#828a99;stroke-width:1.5}\
.gw .strip{fill:none;stroke:#5b6475;stroke-width:1.5;stroke-dasharray:5 4}\
.gw .grid{stroke:#9aa2b1;stroke-width:1.5;fill:none}\
.gw .point{fill:#6b7484}\
.gw .r{fill:#c4232f;stroke:#7d0f18;stroke-width:1.5}\
.gw .y{fill:#ffd02e;stroke:#8a6900;stroke-width:1.5}\
.gw .g{fill:#14793a;stroke:#0a4721;stroke-width:1.5}\
.gw .on-r,.gw .on-g{stroke:#fff;stroke-opacity:.45;stroke-width:2;fill:none}\
.gw .on-y{fill:#6b5200;fill-opacity:.55}\
.gw .cylinder{fill:none;stroke:#1c2330;stroke-width:3.5}\
.gw .letter-r,.gw .letter-g{fill:#fff;font-weight:700}\
.gw .letter-y{fill:#1c1c1c;font-weight:700}\
.gw .label,.gw .note{fill:#414a5a}\
.gw .last{fill:none;stroke:#414a5a;stroke-width:2;stroke-dasharray:3 3}\
.gw .best{fill:none;stroke:#1746c7;stroke-width:3.5}\
.gw .arrow{stroke:#1746c7;stroke-width:3.5;fill:none;stroke-opacity:.85}\
.gw .win{fill:#1746c7}.gw .draw{fill:#525b6b}.gw .plain{fill:#525b6b}\
.gw .loss{fill:#fff;stroke:#414a5a;stroke-width:1.2}\
.gw .on-win,.gw .on-draw,.gw .on-plain{fill:#fff;font-weight:600}\
.gw .on-loss{fill:#1c2330;font-weight:600}\
.gw .letter-r.drawn,.gw .letter-g.drawn,.gw .on-win.drawn,.gw .on-draw.drawn,.gw .on-plain.drawn\
{fill:none;stroke:#fff}\
.gw .letter-y.drawn,.gw .on-loss.drawn{fill:none;stroke:#1c1c1c}\
.gw .label.drawn,.gw .note.drawn{fill:none;stroke:#414a5a}\
.gw .drawn{stroke-linecap:round;stroke-linejoin:round}";

const DARK: &str = ".gw .ground{fill:#14181f}\
.gw .tile{fill:#2a313d;stroke:#7d8899}\
.gw .strip{stroke:#a3adbd}\
.gw .grid{stroke:#5d6777}\
.gw .point{fill:#a3adbd}\
.gw .cylinder{stroke:#f2f4f8}\
.gw .label,.gw .note{fill:#c3cad6}\
.gw .last{stroke:#c3cad6}\
.gw .best,.gw .arrow{stroke:#8fb0ff}\
.gw .win{fill:#8fb0ff}.gw .draw{fill:#aab3c2}.gw .plain{fill:#aab3c2}\
.gw .loss{fill:#14181f;stroke:#c3cad6}\
.gw .on-win,.gw .on-draw,.gw .on-plain{fill:#10141b}\
.gw .on-loss{fill:#f2f4f8}\
.gw .label.drawn,.gw .note.drawn{fill:none;stroke:#c3cad6}";

/// Style sheet of pictures that are part of a page: see [`Scheme::Page`].
pub const CSS: [&str; 2] = [LIGHT, DARK];

/// Radius of a light.
const LIGHT_RADIUS: f64 = 17.0;
/// Half the width of a square's tile.
const TILE: f64 = 22.5;

pub(crate) fn drawn(picture: &Picture<'_>) -> String {
    let diagram = picture.diagram;
    let titles: Vec<&str> = diagram
        .rows
        .iter()
        .enumerate()
        .map(|(place, (title, _))| {
            picture
                .row_titles
                .get(place)
                .map_or(title.as_str(), String::as_str)
        })
        .collect();
    let layout = Layout::new(diagram, &titles, &picture.notes);
    let mut drawing = Drawing {
        out: Elements::default(),
        picture,
        layout: &layout,
        tagged: picture.tags.iter().any(|tag| !tag.text.is_empty()),
    };
    drawing.begin();
    drawing.ground();
    for place in 0..diagram.marks.len() {
        drawing.square(place);
    }
    drawing.labels();
    for arrow in &picture.arrows {
        drawing.arrow(arrow.from, arrow.to);
    }
    drawing.below(&titles);
    drawing.out.text.push_str("</svg>");
    drawing.out.text
}

struct Drawing<'a> {
    out: Elements,
    picture: &'a Picture<'a>,
    layout: &'a Layout,
    /// Whether lights make room for tags.
    tagged: bool,
}

#[derive(Clone, Copy)]
enum Anchor {
    Start,
    Middle,
}

impl Drawing<'_> {
    fn begin(&mut self) {
        let (width, height) = (number(self.layout.width), number(self.layout.height));
        let picture = self.picture;
        let links = picture.tags.iter().any(|tag| tag.href.is_some());
        let role = if links { "group" } else { "img" };
        let mut name = picture.title.to_string();
        if !picture.description.is_empty() {
            let _ = write!(name, ": {}", picture.description);
        }
        let name = escaped(&name);
        let out = &mut self.out.text;
        let _ = write!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"gw\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\" role=\"{role}\" aria-label=\"{name}\">"
        );
        if picture.scheme == Scheme::Page {
            return;
        }
        let _ = write!(out, "<title>{}</title>", escaped(picture.title));
        if !picture.description.is_empty() {
            let _ = write!(out, "<desc>{}</desc>", escaped(picture.description));
        }
        let sheet = match picture.scheme {
            Scheme::Auto => format!("{LIGHT}@media (prefers-color-scheme:dark){{{DARK}}}"),
            Scheme::Light => LIGHT.into(),
            Scheme::Dark => format!("{LIGHT}{DARK}"),
            Scheme::Page => String::new(),
        };
        let _ = write!(out, "<style>{sheet}</style>");
        let size = [("width", self.layout.width), ("height", self.layout.height)];
        self.out.leaf("rect", "ground", &size);
    }

    /// The lines between points, and what shows that a strip hangs together.
    fn ground(&mut self) {
        let diagram = self.picture.diagram;
        if self.layout.points {
            let mut data = String::new();
            let at = |x: u16, y: u16| {
                let place = diagram
                    .marks
                    .iter()
                    .position(|mark| (mark.0, mark.1) == (x, y))?;
                self.layout.marks.get(place)
            };
            for (place, (x, y, _)) in diagram.marks.iter().enumerate() {
                let from = self.layout.marks[place];
                let mut near = vec![(x + 2, *y), (x + 1, y + 1)];
                near.extend(x.checked_sub(1).map(|x| (x, y + 1)));
                for to in near.into_iter().filter_map(|(x, y)| at(x, y)) {
                    let _ = write!(
                        data,
                        "M{} {}L{} {}",
                        number(from.0),
                        number(from.1),
                        number(to.0),
                        number(to.1)
                    );
                }
            }
            self.out.path("grid", &data);
        }
        let strip: Vec<(f64, f64)> = diagram
            .strip
            .iter()
            .filter_map(|place| self.layout.marks.get(*place).copied())
            .collect();
        if let Some(first) = strip.first() {
            let (least, most) = strip.iter().fold((*first, *first), |(least, most), at| {
                (
                    (least.0.min(at.0), least.1.min(at.1)),
                    (most.0.max(at.0), most.1.max(at.1)),
                )
            });
            let around = TILE + 3.0;
            self.out.leaf(
                "rect",
                "strip",
                &[
                    ("x", least.0 - around),
                    ("y", least.1 - around),
                    ("width", most.0 - least.0 + 2.0 * around),
                    ("height", most.1 - least.1 + 2.0 * around),
                    ("rx", 8.0),
                ],
            );
        }
    }

    /// A square with its light, its tag and its link.
    fn square(&mut self, place: usize) {
        let picture = self.picture;
        let (x, y) = self.layout.marks[place];
        let tag = picture.tags.iter().find(|tag| tag.square == place);
        let mut close = "";
        if let Some(tag) = tag {
            let label = escaped(&tag.label);
            let out = &mut self.out.text;
            match &tag.href {
                Some(href) => {
                    let _ = write!(out, "<a href=\"{}\" aria-label=\"{label}\">", escaped(href));
                    close = "</a>";
                }
                None => {
                    out.push_str("<g>");
                    close = "</g>";
                }
            }
            if !label.is_empty() {
                let _ = write!(out, "<title>{label}</title>");
            }
        }
        if self.layout.points {
            // What a finger can hit.
            if close == "</a>" {
                self.out.leaf(
                    "circle",
                    "hit",
                    &[("cx", x), ("cy", y), ("r", 18.0), ("fill-opacity", 0.0)],
                );
            }
        } else {
            self.frame("tile", x, y, TILE, 5.0);
        }
        let mark = picture.diagram.marks[place].2;
        let raised = if self.tagged { 5.0 } else { 0.0 };
        match mark {
            Mark::Point => self
                .out
                .leaf("circle", "point", &[("cx", x), ("cy", y), ("r", 4.0)]),
            Mark::Disc { colour, cylinder } => {
                let radius = 14.0;
                if cylinder {
                    self.out.leaf(
                        "circle",
                        "cylinder",
                        &[("cx", x), ("cy", y), ("r", radius + 3.0)],
                    );
                }
                self.light(colour, x, y, radius);
            }
            Mark::Sign(None) => {}
            Mark::Sign(Some(sign)) => {
                let shrink = if self.tagged { 7.0 } else { 0.0 };
                let size = 2.0 * LIGHT_RADIUS - shrink;
                let mut one = [0; 4];
                let text = sign.encode_utf8(&mut one);
                let base = (x, y - raised + size * 0.36);
                self.text("label", base, size, Anchor::Middle, text);
            }
            Mark::Level(level) => {
                let shrink = if self.tagged { 3.5 } else { 0.0 };
                self.level(level, x, y - raised, LIGHT_RADIUS - shrink);
            }
        }
        if picture.framed.contains(&place) {
            self.frame("last", x, y, TILE - 4.0, 4.0);
        }
        // What a move is worth stands over its link and not in it: it is not what the link is called.
        let linked = close == "</a>";
        if linked {
            self.out.text.push_str("</a><g pointer-events=\"none\">");
        }
        if let Some(tag) = tag {
            self.tag(tag, x, y);
        }
        self.out.text.push_str(if linked { "</g>" } else { close });
    }

    fn frame(&mut self, class: &str, x: f64, y: f64, half: f64, corner: f64) {
        self.out.leaf(
            "rect",
            class,
            &[
                ("x", x - half),
                ("y", y - half),
                ("width", 2.0 * half),
                ("height", 2.0 * half),
                ("rx", corner),
            ],
        );
    }

    fn tag(&mut self, tag: &Tag, x: f64, y: f64) {
        if tag.best {
            if self.layout.points {
                self.out
                    .leaf("circle", "best", &[("cx", x), ("cy", y), ("r", 18.0)]);
            } else {
                self.frame("best", x, y, TILE - 0.5, 5.0);
            }
        }
        if tag.text.is_empty() {
            return;
        }
        let (tone, on) = match tag.tone {
            Tone::Win => ("win", "on-win"),
            Tone::Draw => ("draw", "on-draw"),
            Tone::Loss => ("loss", "on-loss"),
            Tone::Plain => ("plain", "on-plain"),
        };
        let size = if tag.text.chars().count() > 6 {
            9.0
        } else {
            11.0
        };
        let half = (lettering::width(&tag.text, size) / 2.0 + 4.0).clamp(9.0, 24.0);
        let middle = y + 14.5;
        self.out.leaf(
            "rect",
            tone,
            &[
                ("x", x - half),
                ("y", middle - 7.0),
                ("width", 2.0 * half),
                ("height", 14.0),
                ("rx", 4.0),
            ],
        );
        self.text(
            on,
            (x, middle + size * 0.36),
            size,
            Anchor::Middle,
            &tag.text,
        );
    }

    fn level(&mut self, level: u8, x: f64, y: f64, radius: f64) {
        let letter = self.picture.diagram.letter(level);
        if letter != '.' {
            self.light(letter, x, y, radius);
        }
    }

    /// A light or disc: colour, letter and pattern.
    fn light(&mut self, letter: char, x: f64, y: f64, radius: f64) {
        let circle = [("cx", x), ("cy", y), ("r", radius)];
        let class = match letter {
            'R' => {
                self.out.leaf("circle", "r", &circle);
                // Slanting stripes at both sides of the letter.
                let mut data = String::new();
                for offset in [-0.78, -0.52, 0.52, 0.78] {
                    let half = (0.92_f64 * 0.92 - offset * offset).max(0.0).sqrt();
                    let end = |along: f64| {
                        let turn = std::f64::consts::FRAC_1_SQRT_2 * radius;
                        let (dx, dy) = ((offset + along) * turn, (offset - along) * turn);
                        format!("{} {}", number(x + dx), number(y + dy))
                    };
                    let _ = write!(data, "M{}L{}", end(-half), end(half));
                }
                self.out.path("on-r", &data);
                "letter-r"
            }
            'Y' => {
                self.out.leaf("circle", "y", &circle);
                for eighth in 0..8 {
                    let angle = f64::from(eighth) * std::f64::consts::FRAC_PI_4;
                    let (sine, cosine) = angle.sin_cos();
                    let at = radius * 0.78;
                    let dot = [
                        ("cx", x + at * cosine),
                        ("cy", y + at * sine),
                        ("r", radius * 0.1),
                    ];
                    self.out.leaf("circle", "on-y", &dot);
                }
                "letter-y"
            }
            _ => {
                self.out.leaf("circle", "g", &circle);
                let ring = [("cx", x), ("cy", y), ("r", radius * 0.78)];
                self.out.leaf("circle", "on-g", &ring);
                "letter-g"
            }
        };
        let size = radius * 0.98;
        let mut one = [0; 4];
        let text = letter.encode_utf8(&mut one);
        self.text(class, (x, y + size * 0.36), size, Anchor::Middle, text);
    }

    fn labels(&mut self) {
        for (label, at) in self.picture.diagram.labels.iter().zip(&self.layout.labels) {
            let base = (at.0, at.1 + TEXT * 0.36);
            self.text("label", base, TEXT, Anchor::Middle, &label.text);
        }
    }

    fn arrow(&mut self, from: usize, to: usize) {
        let (Some(from), Some(to)) = (self.layout.marks.get(from), self.layout.marks.get(to))
        else {
            return;
        };
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length = dx.hypot(dy).max(1.0);
        let (ux, uy) = (dx / length, dy / length);
        let end = (to.0 - ux * 10.0, to.1 - uy * 10.0);
        let wing = |side: f64| {
            format!(
                "{} {}",
                number(end.0 - ux * 9.0 - uy * side),
                number(end.1 - uy * 9.0 + ux * side)
            )
        };
        let tip = format!("{} {}", number(end.0), number(end.1));
        let data = format!(
            "M{} {}L{tip}M{}L{tip}L{}",
            number(from.0 + ux * 10.0),
            number(from.1 + uy * 10.0),
            wing(6.0),
            wing(-6.0)
        );
        self.out.path("arrow", &data);
    }

    /// Rows of counters and notes.
    fn below(&mut self, titles: &[&str]) {
        let rows = self.picture.diagram.rows.iter().zip(&self.layout.rows);
        for (((_, levels), row), title) in rows.zip(titles) {
            self.text("note", row.title, TEXT, Anchor::Start, title);
            for (level, (x, y)) in levels.iter().zip(&row.counters) {
                self.level(*level, *x, *y, 12.0);
            }
        }
        for (x, y, line) in &self.layout.notes {
            self.text("note", (*x, *y), TEXT, Anchor::Start, line);
        }
    }

    fn text(&mut self, class: &str, at: (f64, f64), size: f64, anchor: Anchor, text: &str) {
        let (x, y) = at;
        match self.picture.lettering {
            Lettering::Font => {
                let place = [("x", x), ("y", y), ("font-size", size)];
                let start = self.out.text.len();
                self.out.around("text", class, &place, text);
                if matches!(anchor, Anchor::Middle) {
                    self.out
                        .text
                        .insert_str(start + "<text".len(), " text-anchor=\"middle\"");
                }
            }
            Lettering::Strokes => {
                let left = match anchor {
                    Anchor::Start => x,
                    Anchor::Middle => x - lettering::width(text, size) / 2.0,
                };
                let data = lettering::strokes(text, left, y, size);
                let _ = write!(
                    self.out.text,
                    "<path class=\"{class} drawn\" stroke-width=\"{:.2}\" d=\"{data}\"/>",
                    size * if class.contains('-') { 0.15 } else { 0.1 }
                );
            }
        }
    }
}
