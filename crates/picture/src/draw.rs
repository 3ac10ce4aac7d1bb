//! Drawing: from places to elements.

mod arrows;
mod counters;
mod tags;

pub use counters::lamp;

use std::fmt::Write;

use greenwave_game::{Label, Mark};

use crate::element::{Elements, escaped, number};
use crate::layout::{DOCKED, LABEL, PictureLayout};
use crate::lettering;
use crate::picture::{Lettering, Picture, Scheme};
use crate::style::{CSS, LAMPS};

/// Bytes of most pictures.
const USUAL: usize = 8 << 10;
/// Radius of a light.
const LIGHT_RADIUS: f64 = 16.0;
/// Radius of a disc on a point.
const DISC_RADIUS: f64 = 14.0;
/// Radius of the tile of a point, which a finger can hit, and of the ring of the point that a move leaves or reaches.
const POINT_TILE: f64 = 20.0;
const POINT_RING: f64 = 21.0;
/// How far a line of a triangle is led on towards its name.
const TICK: f64 = 0.65;
/// Half the width of a square's tile.
const TILE: f64 = 22.5;
/// How round its corners are.
const CORNER: f64 = 9.0;
/// Half the height of a hexagon, as a share of half its width.
const POINTED: f64 = 1.154_700_538;
/// The corners of a hexagon, in halves of its width and of its height.
const HEXAGON: [(f64, f64); 6] = [
    (0.0, -1.0),
    (1.0, -0.5),
    (1.0, 0.5),
    (0.0, 1.0),
    (-1.0, 0.5),
    (-1.0, -0.5),
];
/// Radius of a lamp that is off, as a share of one that is lit.
const UNLIT: f64 = 0.72;
/// Distance of the name of a square of the strip from its middle.
const STRIP_NAME: f64 = 24.0 + DOCKED / 2.0;

impl Picture<'_> {
    /// The picture as SVG: one element, no line break at its end, nothing outside of ASCII but what
    /// the texts given hold.
    #[must_use]
    pub fn svg(&self) -> String {
        let diagram = self.diagram;
        let titles = counters::titles(self);
        let arrows = self.strip_arrows.iter();
        let sides: String = arrows.map(|arrow| arrow.side(diagram)).collect();
        let layout = PictureLayout::new(diagram, &titles, &self.notes, &sides);
        let mut drawing = Drawing {
            out: Elements {
                text: String::with_capacity(USUAL),
            },
            picture: self,
            layout: &layout,
        };
        drawing.begin();
        drawing.ground();
        for place in 0..diagram.marks.len() {
            drawing.square(place);
        }
        drawing.labels();
        for line in &self.won {
            drawing.won(line);
        }
        if let Some((place, light)) = self.reply {
            drawing.reply(place, light);
        }
        for line in &self.threats {
            drawing.threat(line);
        }
        for (place, light) in &self.ghosts {
            drawing.ghost_shown(*place, *light);
        }
        drawing.tags();
        for (place, light) in &self.suggested {
            drawing.suggestion(*place, *light);
        }
        for (place, text) in &self.numbers {
            drawing.number("number", *place, text);
        }
        if let Some((place, sign)) = self.fault {
            drawing.number("number fault", place, sign);
        }
        for arrow in &self.arrows {
            drawing.arrow(*arrow);
        }
        if let Some(place) = self.arrived {
            drawing.arrival(place);
        }
        drawing.strip_arrows();
        drawing.below(&titles);
        drawing.out.text.push_str("</svg>");
        drawing.out.text
    }
}

struct Drawing<'a> {
    out: Elements,
    picture: &'a Picture<'a>,
    layout: &'a PictureLayout,
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
        let [light, dark] = CSS;
        let sheet = match picture.scheme {
            Scheme::Auto => format!("{light}@media (prefers-color-scheme:dark){{{dark}}}"),
            Scheme::Light => light.into(),
            Scheme::Dark => format!("{light}{dark}"),
            Scheme::Page => String::new(),
        };
        let _ = write!(out, "<style>{sheet}</style>{LAMPS}");
        let size = [("width", self.layout.width), ("height", self.layout.height)];
        self.out.leaf("rect", "ground", &size);
    }

    /// The lines between points, and what shows that a strip hangs together.
    fn ground(&mut self) {
        let diagram = self.picture.diagram;
        if !diagram.edges.is_empty() {
            let edges = diagram.edges.iter();
            let data: String = edges
                .map(|(from, to)| self.through(&[*from, *to]))
                .collect();
            self.out.path("grid", &data);
            self.ticks();
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
            self.dock(least, most);
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

    /// Between the strip and the board, so that both are seen to hang together: `least` and `most` are the middles of
    /// the first and the last square of the strip.
    fn dock(&mut self, least: (f64, f64), most: (f64, f64)) {
        let Some((strip, board)) = self.middles() else {
            return;
        };
        let (dx, dy) = (board.0 - strip.0, board.1 - strip.1);
        let depth = DOCKED + 48.0 - 2.0 * TILE;
        let along = |from: f64, to: f64| (from - TILE, to - from + 2.0 * TILE);
        // The edge of the strip that faces the board is where the dock begins or ends.
        let across = |at: f64, way: f64| {
            (
                if way > 0.0 {
                    at + TILE
                } else {
                    at - TILE - depth
                },
                depth,
            )
        };
        let ((x, width), (y, height)) = if dx.abs() > dy.abs() {
            (across(strip.0, dx), along(least.1, most.1))
        } else {
            (along(least.0, most.0), across(strip.1, dy))
        };
        let place = [("x", x), ("y", y), ("width", width), ("height", height)];
        self.out.leaf("rect", "under", &place);
    }

    /// From each line of a triangle to its name, which stands beside no other then.
    fn ticks(&mut self) {
        let mut data = String::new();
        for (x, y) in &self.layout.labels {
            let away = |mark: &&(f64, f64)| (mark.0 - x).hypot(mark.1 - y);
            let marks = self.layout.marks.iter();
            let Some(end) = marks.min_by(|one, other| away(one).total_cmp(&away(other))) else {
                return;
            };
            let (dx, dy) = ((x - end.0) * TICK, (y - end.1) * TICK);
            let [fx, fy, dx, dy] = [end.0, end.1, dx, dy].map(number);
            let _ = write!(data, "M{fx} {fy}l{dx} {dy}");
        }
        let _ = write!(
            self.out.text,
            "<path class=\"grid tick\" stroke-dasharray=\"2 2\" d=\"{data}\"/>"
        );
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
            // A badge has the ground of its point, so that it covers no line.
            if close == "</a>" || tag.is_some_and(|tag| !tag.text.is_empty()) {
                let around = [("cx", x), ("cy", y), ("r", POINT_TILE)];
                self.out.leaf("circle", "hit tile", &around);
            }
        } else {
            self.frame("tile", x, y, TILE, CORNER);
        }
        if let Some(tag) = tag.filter(|tag| tag.heat > 0) {
            self.heat(tag, x, y);
        }
        let mark = picture.diagram.marks[place].2;
        if picture.framed.contains(&place) {
            let around = [("cx", x), ("cy", y), ("r", LIGHT_RADIUS + 2.6)];
            self.out.leaf("circle", "halo", &around);
        }
        match mark {
            Mark::Point => self
                .out
                .leaf("circle", "point", &[("cx", x), ("cy", y), ("r", 4.0)]),
            Mark::Disc { colour, cylinder } => {
                let radius = DISC_RADIUS;
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
            Mark::Sign(Some(sign)) => self.sign(sign, x, y, LIGHT_RADIUS),
            Mark::Level(0) => {
                let unlit = [("cx", x), ("cy", y), ("r", LIGHT_RADIUS * UNLIT)];
                self.out.leaf("circle", "lens", &unlit);
            }
            Mark::Level(level) => self.level(level, x, y, LIGHT_RADIUS),
        }
        if picture.chosen == Some(place) {
            self.ring("chosen", x, y);
        } else if picture.targets.contains(&place) {
            self.ring("target", x, y);
        }
        self.out.text.push_str(close);
        // The result of a move stands over its link and not in it, because it is no part of the link's name.
        let linked = tag.filter(|_| close == "</a>");
        if let Some(next) = linked.and_then(|tag| tag.next) {
            self.out
                .text
                .push_str("<g pointer-events=\"none\"><g class=\"ghost\">");
            self.ghost(place, next);
            self.out.text.push_str("</g></g>");
        }
    }

    /// What moves are worth, over all lights.
    fn tags(&mut self) {
        if self.picture.tags.is_empty() {
            return;
        }
        self.out
            .text
            .push_str("<g pointer-events=\"none\" aria-hidden=\"true\">");
        for tag in &self.picture.tags {
            if let Some((x, y)) = self.layout.marks.get(tag.square).copied() {
                self.tag(tag, x, y);
            }
        }
        self.out.text.push_str("</g>");
    }

    /// A ring around what stands on a point, or around a square.
    fn ring(&mut self, class: &str, x: f64, y: f64) {
        if self.layout.points {
            let around = [("cx", x), ("cy", y), ("r", POINT_RING)];
            self.out.leaf("circle", class, &around);
        } else {
            self.frame(class, x, y, TILE, CORNER);
        }
    }

    /// The light that comes next on a square, faint, in the very place of the one that is there.
    fn ghost(&mut self, place: usize, next: char) {
        let (x, y) = self.layout.marks[place];
        let radius = if self.layout.points {
            DISC_RADIUS
        } else {
            LIGHT_RADIUS
        };
        let around = [("cx", x), ("cy", y), ("r", radius + 0.5)];
        self.out.leaf("circle", "under", &around);
        self.out.text.push_str("<g class=\"next\">");
        self.light(next, x, y, radius);
        self.out.text.push_str("</g>");
    }

    /// The same, seen without a pointer.
    fn ghost_shown(&mut self, place: usize, next: char) {
        if place >= self.layout.marks.len() {
            return;
        }
        self.out
            .text
            .push_str("<g class=\"ghost shown\" pointer-events=\"none\">");
        self.ghost(place, next);
        self.out.text.push_str("</g>");
    }

    /// A sign in the middle of its square, or of a circle.
    fn sign(&mut self, sign: char, x: f64, y: f64, radius: f64) {
        let size = 2.0 * radius;
        let mut one = [0; 4];
        let text = sign.encode_utf8(&mut one);
        self.text("label", (x, y + size * 0.36), size, Anchor::Middle, text);
    }

    /// The light or the sign of a reply over what stands on its square.
    fn reply(&mut self, place: usize, light: char) {
        let Some((x, y)) = self.layout.marks.get(place).copied() else {
            return;
        };
        let around = [("cx", x), ("cy", y), ("r", LIGHT_RADIUS + 1.5)];
        self.out.leaf("circle", "under", &around);
        self.out
            .text
            .push_str("<g class=\"ghost shown reply\" pointer-events=\"none\">");
        if "RYG".contains(light) {
            self.light(light, x, y, LIGHT_RADIUS);
        } else {
            self.sign(light, x, y, LIGHT_RADIUS);
        }
        self.out.text.push_str("</g>");
        self.out.leaf("circle", "rim", &around);
    }

    /// A line that a move would complete. What stands on its squares is drawn over it.
    fn threat(&mut self, line: &[usize]) {
        let data = self.through(line);
        if data.is_empty() {
            return;
        }
        self.out.path("threat-edge", &data);
        self.out.path("threat", &data);
        self.out
            .text
            .push_str("<g pointer-events=\"none\" aria-hidden=\"true\">");
        for place in line {
            let (x, y) = self.layout.marks[*place];
            match self.picture.diagram.marks[*place].2 {
                // A light that is yet to come is seen through.
                Mark::Level(0) => {
                    for (class, share) in [("under", 1.0), ("lens", UNLIT)] {
                        let around = [("cx", x), ("cy", y), ("r", LIGHT_RADIUS * share)];
                        self.out.leaf("circle", class, &around);
                    }
                }
                Mark::Level(level) => self.level(level, x, y, LIGHT_RADIUS),
                Mark::Disc { colour, .. } => self.light(colour, x, y, DISC_RADIUS),
                Mark::Point | Mark::Sign(_) => {}
            }
        }
        self.out.text.push_str("</g>");
    }

    /// The path through some squares; empty where one of them is not there.
    fn through(&self, line: &[usize]) -> String {
        let mut data = String::new();
        for place in line {
            let Some((x, y)) = self.layout.marks.get(*place) else {
                return String::new();
            };
            let step = if data.is_empty() { 'M' } else { 'L' };
            let _ = write!(data, "{step}{} {}", number(*x), number(*y));
        }
        data
    }

    /// The outline of a square, or of a hexagon that stands on a corner.
    fn frame(&mut self, class: &str, x: f64, y: f64, half: f64, corner: f64) {
        if self.picture.diagram.hexagonal {
            let high = half * POINTED;
            let mut data = String::new();
            for (across, down) in HEXAGON {
                let step = if data.is_empty() { 'M' } else { 'L' };
                let (x, y) = (x + across * half, y + down * high);
                let _ = write!(data, "{step}{} {}", number(x), number(y));
            }
            self.out.path(class, &(data + "Z"));
            return;
        }
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

    /// A completed line, drawn through.
    fn won(&mut self, line: &[usize]) {
        let data = self.through(line);
        if data.is_empty() {
            return;
        }
        self.out.path("won-edge", &data);
        self.out.path("won", &data);
        // The lights shine over it, each in a ring.
        for place in line {
            let (x, y) = self.layout.marks[*place];
            // That of a reply stands over the line already.
            if self.picture.reply.is_some_and(|(at, _)| at == *place) {
                continue;
            }
            let (letter, radius) = match self.picture.diagram.marks[*place].2 {
                Mark::Level(level) => (self.picture.diagram.letter(level), LIGHT_RADIUS),
                Mark::Disc { colour, .. } => (colour, DISC_RADIUS),
                Mark::Point | Mark::Sign(_) => continue,
            };
            self.light(letter, x, y, radius);
            let around = [("cx", x), ("cy", y), ("r", radius + 1.5)];
            self.out.leaf("circle", "won", &around);
        }
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
        match letter {
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
            }
            _ => {
                self.out.leaf("circle", "g", &circle);
                let ring = [("cx", x), ("cy", y), ("r", radius * 0.78)];
                self.out.leaf("circle", "on-g", &ring);
            }
        }
        self.letter(letter, x, y, radius);
    }

    /// The letter of a light.
    fn letter(&mut self, letter: char, x: f64, y: f64, radius: f64) {
        let class = match letter {
            'R' => "letter-r",
            'Y' => "letter-y",
            _ => "letter-g",
        };
        let size = radius * 0.98;
        let mut one = [0; 4];
        let text = letter.encode_utf8(&mut one);
        self.text(class, (x, y + size * 0.36), size, Anchor::Middle, text);
    }

    fn labels(&mut self) {
        let diagram = self.picture.diagram;
        let size = self.layout.label;
        for (label, at) in diagram.labels.iter().zip(&self.layout.labels) {
            if self.is_of_strip(label) {
                continue;
            }
            let base = (at.0, at.1 + size * 0.36);
            self.text("label", base, size, Anchor::Middle, &label.text);
        }
        let Some((strip, board)) = self.middles() else {
            return;
        };
        // Between the strip and the board, where nothing else stands.
        let (dx, dy) = (board.0 - strip.0, board.1 - strip.1);
        let (dx, dy) = if dx.abs() > dy.abs() {
            (dx.signum() * STRIP_NAME, 0.0)
        } else {
            (0.0, dy.signum() * STRIP_NAME)
        };
        for square in &diagram.strip {
            let ((x, y), name) = (self.layout.marks[*square], &diagram.names[*square]);
            let base = (x + dx, y + dy + LABEL * 0.36);
            self.text("label", base, LABEL, Anchor::Middle, name);
        }
    }

    /// Whether a label names a strip alone, whose squares have names of their own.
    fn is_of_strip(&self, label: &Label) -> bool {
        let diagram = self.picture.diagram;
        let beside = |square: usize| {
            let (x, y, _) = diagram.marks[square];
            x == label.x || y == label.y
        };
        let mut all = (0..diagram.marks.len()).filter(|square| beside(*square));
        !diagram.strip.is_empty() && all.all(|square| diagram.strip.contains(&square))
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
                    Anchor::Middle => x - lettering::spaced(text, x, y, size).1 / 2.0,
                };
                let data = lettering::spaced(text, left, y, size).0;
                let _ = write!(
                    self.out.text,
                    "<path class=\"{class} drawn\" stroke-width=\"{:.2}\" d=\"{data}\"/>",
                    size * if class.contains('-') { 0.15 } else { 0.1 }
                );
            }
        }
    }
}
