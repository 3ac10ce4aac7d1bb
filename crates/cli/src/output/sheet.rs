//! Sheets to print: pages of paper as SVG, one below the other in a picture, or one for each sheet of a
//! web page that is printed.

use std::fmt::Write;

use greenwave_picture::escaped;
use greenwave_words::Language;

/// Space around a page, in millimetres as everything here.
const MARGIN: f64 = 14.0;
/// Size of the letters of a text.
pub(crate) const TEXT: f64 = 4.2;
/// Distance of two lines, in sizes of the letters.
const LEADING: f64 = 1.4;
/// Width of a letter, in sizes of the letters, with which lines are cut.
const LETTER: f64 = 0.54;
/// The same of bold letters.
const BOLD: f64 = 0.62;
/// Size of the letters of a heading, unless it is too long for one line.
const HEADING: f64 = 7.0;

/// The space of a text and a blank after it.
pub(crate) fn length(text: &str) -> f64 {
    text.chars().count() as f64 * TEXT * LETTER + 2.0
}

/// A size of paper.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Paper {
    /// 210 by 297 millimetres.
    #[default]
    A4,
    /// 8½ by 11 inches.
    Letter,
}

impl Paper {
    fn size(self) -> (f64, f64) {
        match self {
            Paper::A4 => (210.0, 297.0),
            Paper::Letter => (215.9, 279.4),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Paper::A4 => "A4",
            Paper::Letter => "letter",
        }
    }
}

/// A rectangle of a page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// Pages that belong together.
pub(crate) struct Sheet {
    words: Language,
    paper: Paper,
    title: String,
    pages: Vec<String>,
    // How far down the last page is written.
    at: f64,
}

impl Sheet {
    pub(crate) fn new(words: Language, paper: Paper, title: &str) -> Sheet {
        Sheet {
            words,
            paper,
            title: title.into(),
            pages: Vec::new(),
            at: 0.0,
        }
    }

    /// Begins a page with a heading.
    pub(crate) fn page(&mut self, heading: &str) {
        self.pages.push(String::new());
        self.at = MARGIN + HEADING;
        let (width, _) = self.paper.size();
        let most = (width - 2.0 * MARGIN) / (heading.chars().count() as f64 * BOLD);
        let size = (most * 10.0).floor() / 10.0;
        self.line(heading, size.min(HEADING), true);
        self.at += 3.0;
    }

    /// A line for the name of who works, and for the date.
    pub(crate) fn name_and_date(&mut self) {
        let (width, _) = self.paper.size();
        let [name, date] =
            ["sheet-name", "sheet-date"].map(|key| format!("{}:", self.words.text(key)));
        let middle = width * 0.62;
        self.text((MARGIN, self.at), TEXT, false, &name);
        self.rule(MARGIN + length(&name), middle - 6.0);
        self.text((middle, self.at), TEXT, false, &date);
        self.rule(middle + length(&date), width - MARGIN);
        self.at += 9.0;
    }

    /// A paragraph with its lines cut at blanks, on a new page where there is no room.
    pub(crate) fn paragraph(&mut self, text: &str) {
        self.item(text);
        self.at += TEXT * 0.6;
    }

    /// A paragraph close to the next one.
    pub(crate) fn item(&mut self, text: &str) {
        let (width, height) = self.paper.size();
        let most = ((width - 2.0 * MARGIN) / (TEXT * LETTER)) as usize;
        let lines = cut(text, most);
        let needed = lines.len() as f64 * TEXT * LEADING;
        if self.at + needed > height - MARGIN - TEXT {
            let title = self.title.clone();
            self.page(&title);
        }
        for line in lines {
            self.line(&line, TEXT, false);
        }
    }

    /// The height that is left on the page.
    pub(crate) fn room(&self) -> f64 {
        let (_, height) = self.paper.size();
        height - MARGIN - TEXT * 2.0 - self.at
    }

    /// Frames in rows of this many below what is written, as many rows as fit on the page at a height.
    pub(crate) fn frames(&self, columns: usize, height: f64) -> Vec<Frame> {
        const GAP: f64 = 6.0;
        let (wide, _) = self.paper.size();
        let width = (wide - 2.0 * MARGIN + GAP) / columns as f64 - GAP;
        let top = self.at;
        let rows = (self.room() / height + 0.01).max(1.0) as usize;
        let places = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        places
            .map(|(row, column)| Frame {
                x: MARGIN + column as f64 * (width + GAP),
                y: top + row as f64 * height,
                width,
                height: height - GAP,
            })
            .collect()
    }

    /// Puts a picture into a frame, with `below` left free for text.
    pub(crate) fn picture(&mut self, svg: &str, frame: Frame, below: f64) {
        let placed = placed(svg, frame, below);
        self.add(&placed);
    }

    /// Writes a line at a place: its left end and base line.
    pub(crate) fn text(&mut self, (x, y): (f64, f64), size: f64, bold: bool, text: &str) {
        let weight = if bold { " font-weight=\"bold\"" } else { "" };
        let line = format!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\"{weight}>{}</text>",
            escaped(text)
        );
        self.add(&line);
    }

    /// Writes a text in the middle of a place, base line as [`Sheet::text`].
    pub(crate) fn centred(&mut self, (x, y): (f64, f64), size: f64, text: &str) {
        let line = format!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" text-anchor=\"middle\">{}</text>",
            escaped(text)
        );
        self.add(&line);
    }

    /// Draws a line to write on.
    pub(crate) fn rule_at(&mut self, from: f64, to: f64, y: f64) {
        let line = format!(
            "<path d=\"M{from:.1} {y:.1}H{to:.1}\" stroke=\"#000\" stroke-width=\"0.25\"/>"
        );
        self.add(&line);
    }

    /// Adds an element to the last page.
    pub(crate) fn add(&mut self, element: &str) {
        if let Some(page) = self.pages.last_mut() {
            page.push_str(element);
            page.push('\n');
        }
    }

    fn rule(&mut self, from: f64, to: f64) {
        self.rule_at(from, to, self.at + 0.8);
    }

    fn line(&mut self, text: &str, size: f64, bold: bool) {
        self.text((MARGIN, self.at), size, bold, text);
        self.at += size * LEADING;
    }

    /// Writes a page as SVG, at a height of the whole.
    fn write_page(&self, out: &mut String, number: usize, y: f64) {
        let (width, height) = self.paper.size();
        let (page, pages) = ((number + 1).to_string(), self.pages.len().to_string());
        let foot = self.words.filled(
            "sheet-page",
            &[("name", &self.title), ("page", &page), ("pages", &pages)],
        );
        // A text takes all that is written to it.
        let _ = write!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" y=\"{y}\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" role=\"group\" \
             aria-label=\"{label}\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n{body}\
             <text x=\"{middle:.1}\" y=\"{foot_y:.1}\" font-size=\"3\" text-anchor=\"middle\" \
             fill=\"#555\">{label}</text>\n</svg>\n",
            label = escaped(&foot),
            body = self.pages[number],
            middle = width / 2.0,
            foot_y = height - MARGIN / 2.0,
        );
    }

    /// A text with room for all pages, which are long, and what is around them.
    fn with_room(&self, begin: &str) -> String {
        const AROUND: usize = 1 << 10;
        let pages = self.pages.iter().map(|page| page.len() + AROUND);
        let mut text = String::with_capacity(begin.len() + pages.sum::<usize>());
        text.push_str(begin);
        text
    }

    /// All pages in one picture, one below the other, a millimetre for each unit.
    pub(crate) fn svg(&self) -> String {
        let (width, height) = self.paper.size();
        let whole = height * self.pages.len() as f64;
        let mut text = self.with_room(&format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}mm\" height=\"{whole}mm\" \
             viewBox=\"0 0 {width} {whole}\">\n<title>{}</title>\n",
            escaped(&self.title)
        ));
        for number in 0..self.pages.len() {
            self.write_page(&mut text, number, height * number as f64);
        }
        text + "</svg>\n"
    }

    /// A web page that prints each page on a sheet of its own.
    pub(crate) fn html(&self) -> String {
        let (width, height) = self.paper.size();
        let mut text = self.with_room(&format!(
            "<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n<title>{}</title>\n<style>\n\
             @page {{ size: {}; margin: 0; }}\nbody {{ margin: 0; background: #ddd; }}\n\
             .page {{ width: {width}mm; max-width: 100%; margin: 4mm auto; background: #fff; \
             break-after: page; }}\n.page > svg {{ display: block; width: 100%; height: auto; }}\n\
             @media print {{ body {{ background: none; }} .page {{ margin: 0; width: {width}mm; height: \
             {height}mm; }} .page:last-child {{ break-after: auto; }} }}\n\
             </style>\n</head>\n<body>\n",
            self.words.code(),
            escaped(&self.title),
            self.paper.name(),
        ));
        for number in 0..self.pages.len() {
            text.push_str("<section class=\"page\">\n");
            self.write_page(&mut text, number, 0.0);
            text.push_str("</section>\n");
        }
        text + "</body>\n</html>\n"
    }
}

/// A picture of its own placed into a frame; its view box keeps its shape.
fn placed(svg: &str, frame: Frame, below: f64) -> String {
    let Some((head, rest)) = svg.split_once('>') else {
        return svg.to_string();
    };
    let kept: Vec<&str> = head
        .split(' ')
        .filter(|word| !word.starts_with("width=") && !word.starts_with("height="))
        .collect();
    format!(
        "{} x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\">{rest}",
        kept.join(" "),
        frame.x,
        frame.y,
        frame.width,
        frame.height - below,
    )
}

/// A text in lines of at most this many letters, cut at blanks.
fn cut(text: &str, most: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let fits = lines.last().is_some_and(|line| {
            line.is_empty() || line.chars().count() + 1 + word.chars().count() <= most
        });
        if !fits {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_go_on_to_another_page() {
        let mut sheet = Sheet::new(Language::English, Paper::Letter, "A & B");
        sheet.page("First");
        for _ in 0..40 {
            sheet.paragraph(&"word ".repeat(40));
        }
        assert!(sheet.pages.len() > 2, "{}", sheet.pages.len());
        let html = sheet.html();
        assert_eq!(
            html.matches("<section class=\"page\">").count(),
            sheet.pages.len()
        );
        assert!(html.contains("size: letter") && html.contains("A &amp; B, page 2 of "));
        assert_eq!(sheet.svg().matches("<svg ").count(), sheet.pages.len() + 1);
    }

    #[test]
    fn long_headings_fit_on_a_line() {
        for letters in [20, 60, 90] {
            let mut sheet = Sheet::new(Language::German, Paper::A4, "Blatt");
            sheet.page(&"n".repeat(letters));
            let size = sheet.pages[0].split('"').nth(5).unwrap();
            let size: f64 = size.parse().unwrap();
            assert_eq!(size < HEADING, letters > 41, "{letters}: {size}");
            assert!(size * letters as f64 * BOLD <= 210.0 - 2.0 * MARGIN);
        }
    }

    #[test]
    fn frames_stay_on_the_page() {
        for paper in [Paper::A4, Paper::Letter] {
            let mut sheet = Sheet::new(Language::German, paper, "Blatt");
            sheet.page("Bretter");
            let (width, height) = paper.size();
            for frame in sheet.frames(3, 80.0) {
                assert!(frame.x + frame.width <= width - MARGIN + 0.01);
                assert!(frame.y + frame.height <= height - MARGIN);
            }
        }
    }
}
