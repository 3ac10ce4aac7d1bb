//! `book`: the opening tree, or a repertoire for one of the players.

use std::fmt::Write;
use std::sync::Arc;

use anyhow::Result;
use greenwave_game::Variant;
use greenwave_picture::escaped;
use greenwave_play::{Book, BookNode, BookOptions, Seat, book};
use greenwave_tablebase::{Course, QueryOptions};
use greenwave_words::Language;

use super::question::PlaceTexts;
use crate::args::BookArgs;
use crate::output::{PageAndPicture, board, csv, print, print_json, words};
use crate::session::{CommandVerdict, Session};

pub(super) fn run(session: &Session, args: &BookArgs) -> Result<CommandVerdict> {
    let variant = session.variant(&args.variant)?;
    let files = PageAndPicture::new(
        args.html.as_deref(),
        args.svg.as_deref(),
        session.json || args.csv,
        "--html, --svg, --csv and --json",
    )?;
    let options = BookOptions {
        depth: args.depth,
        side: args.side,
        query: QueryOptions {
            budget: args.budget,
            needs_move: args.side.is_some(),
        },
        together: args.budget,
        ..BookOptions::default()
    };
    let typed = PlaceTexts::read(args.position.as_deref(), args.moves.as_deref())?;
    let place = typed.place();
    let course = Course::read(&Arc::new(variant), &place)?;
    let variant = &**course.variant();
    let found = book(&session.tablebase, &course, &options)?;
    let sheet = BookSheet {
        words: session.language,
        variant,
        side: args.side,
        book: &found,
    };
    files.write(session, || sheet.html(), || sheet.svg())?;
    if session.json {
        for node in &found.nodes {
            print_json(node)?;
        }
        print_json(&found.end())?;
    } else if args.csv {
        print(&sheet.csv())?;
    } else if files.is_empty() {
        print(&sheet.text())?;
    }
    Ok(CommandVerdict::Done)
}

/// A book on paper or a terminal.
struct BookSheet<'a> {
    words: Language,
    variant: &'a Variant,
    side: Option<Seat>,
    book: &'a Book,
}

impl BookSheet<'_> {
    /// The title of the book, in a sentence.
    fn title(&self) -> String {
        let name = self.variant.rules().title();
        let key = match self.side {
            None => "book-title",
            Some(Seat::First) => "book-first",
            Some(Seat::Second) => "book-second",
        };
        self.words.with(key, self.words.named_game(name))
    }

    fn number(&self) -> String {
        let number = self.book.nodes.len() as i64;
        self.words.counted(number, "book-number-one", "book-number")
    }

    /// A move with a sign: `!` for the one move that keeps the value.
    fn last_move(&self, node: &BookNode) -> String {
        node.moves.last().cloned().unwrap_or_default()
    }

    /// The value of a position for the player who has just moved, and further remarks.
    fn remark(&self, node: &BookNode) -> String {
        let mut remark = if node.over {
            self.words.text("book-over").to_string()
        } else {
            words::phrase(self.words, &node.for_mover())
        };
        if node.only {
            let _ = write!(remark, ", {}", self.words.text("book-only"));
        }
        if node.stands_for > 1 {
            let _ = write!(
                remark,
                ", {}",
                self.words.with("book-stands", node.stands_for)
            );
        }
        if let Some(same) = &node.same_as {
            let _ = write!(remark, ", {}", self.same(same));
        }
        remark
    }

    /// Where the book continues from an image of a position.
    fn same(&self, position: &str) -> String {
        self.words.with("book-same", self.first_way_to(position))
    }

    /// The moves to the position at which the book goes on.
    fn first_way_to(&self, position: &str) -> String {
        let mut nodes = self.book.nodes.iter();
        let first = nodes.find(|node| node.position == position && node.same_as.is_none());
        first.map_or_else(String::new, |node| node.moves.join(" "))
    }

    fn text(&self) -> String {
        let mut text = format!("{}\n\n", self.title());
        for node in &self.book.nodes {
            let indent = "  ".repeat(node.ply as usize);
            match node.moves.last() {
                None => {
                    let figures = node.figures();
                    let _ = writeln!(
                        text,
                        "{} {}",
                        node.position,
                        words::sentence(self.words, &figures, node.over)
                    );
                }
                Some(_) => {
                    let own = if node.own { "> " } else { "" };
                    let _ = writeln!(
                        text,
                        "{indent}{own}{}  {}",
                        self.last_move(node),
                        self.remark(node)
                    );
                }
            }
        }
        let _ = writeln!(text, "\n{}", self.number());
        let _ = writeln!(text, "{}", self.values());
        let _ = writeln!(text, "{}", board::key_of(self.words, self.variant));
        text
    }

    fn csv(&self) -> String {
        let header = [
            "ply",
            "moves",
            "position",
            "value",
            "distance",
            "points",
            "best",
            "only",
            "stands_for",
            "same_as",
            "lights",
        ];
        let mut text = csv::row(header) + "\n";
        let number = |number: Option<i64>| number.map_or_else(String::new, |n| n.to_string());
        for node in &self.book.nodes {
            let values = [
                node.ply.to_string(),
                node.moves.join(" "),
                node.position.clone(),
                node.value.name().to_string(),
                number(node.distance.map(i64::from)),
                number(node.points.map(i64::from)),
                node.best.join(" "),
                node.only.to_string(),
                node.stands_for.to_string(),
                node.same_as.clone().unwrap_or_default(),
                node.lights.unwrap_or_default().to_string(),
            ];
            text.push_str(&csv::row(values.iter().map(String::as_str)));
            text.push('\n');
        }
        text
    }

    /// The nodes one ply below a node, by their places.
    fn below(&self, node: usize) -> Vec<usize> {
        let nodes = &self.book.nodes;
        let ply = nodes[node].ply;
        let later = nodes.iter().enumerate().skip(node + 1);
        later
            .take_while(|(_, other)| other.ply > ply)
            .filter(|(_, other)| other.ply == ply + 1)
            .map(|(place, _)| place)
            .collect()
    }

    /// What the values are: a book is of a game without chance.
    fn values(&self) -> &'static str {
        if self.variant.rules().properties.scores {
            return words::values_key(self.words, self.variant);
        }
        self.words.text("book-values")
    }

    /// A page to print, in narrow columns: two for a tree, four for a repertoire, of which two plies
    /// stand on a line.
    fn html(&self) -> String {
        let title = escaped(&self.title());
        let columns = if self.side.is_some() { 4 } else { 3 };
        let mut page = format!(
            "<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n\
             <style>\n@page {{ size: A4; margin: 10mm; }}\nbody {{ font: 7.5pt/1.25 sans-serif; margin: auto; \
             max-width: 190mm; }}\nh1 {{ font-size: 12pt; margin: 0 0 1mm; }}\np {{ margin: 0 0 1mm; }}\n\
             .book {{ columns: {columns}; column-gap: 3mm; }}\nul {{ list-style: none; margin: 0; padding: 0 0 0 \
             2mm; }}\nli {{ margin: 0; }}\nb {{ white-space: nowrap; }}\n</style>\n</head>\n<body>\n\
             <h1>{title}</h1>\n<p>{} {}</p>\n<div class=\"book\">\n",
            self.words.code(),
            escaped(&self.number()),
            escaped(match self.side {
                Some(_) => self.words.text("book-answers"),
                None => self.values(),
            })
        );
        self.list(0, &mut page);
        page.push_str("</div>\n</body>\n</html>\n");
        page
    }

    /// The list of what is below a node.
    fn list(&self, node: usize, page: &mut String) {
        let below = self.below(node);
        if below.is_empty() {
            return;
        }
        page.push_str("<ul>\n");
        let nodes = &self.book.nodes;
        let mut answered: Vec<(String, Vec<String>)> = Vec::new();
        for place in below {
            let child = &nodes[place];
            let replies = self.below(place);
            let reply = match replies[..] {
                [reply] if nodes[reply].own => reply,
                _ => {
                    let mark = if child.own { "b" } else { "span" };
                    let _ = write!(
                        page,
                        "<li><{mark}>{}</{mark}> {}",
                        escaped(&self.last_move(child)),
                        escaped(&self.remark(child))
                    );
                    self.list(place, page);
                    page.push_str("</li>\n");
                    continue;
                }
            };
            let own = &nodes[reply];
            let (mv, answer) = (self.last_move(child), self.last_move(own));
            if self.below(reply).is_empty() && own.same_as.is_none() {
                // Where the line ends, moves with the same answer stand together; and a move that
                // lets one win at once needs no answer.
                if own.over {
                    continue;
                }
                match answered.iter_mut().find(|(known, _)| *known == answer) {
                    Some((_, moves)) => moves.push(mv),
                    None => answered.push((answer, vec![mv])),
                }
                continue;
            }
            let same = own.same_as.as_deref().map(|same| self.same(same));
            let same = same.map_or_else(String::new, |same| format!(" {same}"));
            let _ = write!(
                page,
                "<li>{} <b>{}</b>{}",
                escaped(&mv),
                escaped(&answer),
                escaped(&same)
            );
            self.list(reply, page);
            page.push_str("</li>\n");
        }
        for (answer, moves) in answered {
            let _ = writeln!(
                page,
                "<li>{} <b>{}</b></li>",
                escaped(&moves.join(" ")),
                escaped(&answer)
            );
        }
        page.push_str("</ul>\n");
    }

    /// The value of a node for the player who has just moved, in a few letters.
    fn short(&self, node: &BookNode) -> String {
        if node.over {
            return self.words.text("book-short-over").into();
        }
        let figures = node.for_mover();
        let mut text = match figures.value {
            Some(value) => words::outcome(self.words, value).to_string(),
            None => self.words.text("value-unknown").to_string(),
        };
        if let Some(plies) = figures.distance {
            let _ = write!(text, " {}", plies.0);
        }
        if let Some(points) = figures.points {
            let _ = write!(text, " {points:+}");
        }
        if node.only {
            text.push_str(" !");
        }
        if node.same_as.is_some() {
            text.push_str(" =");
        }
        text
    }

    /// The tree from left to right, a row for each line that ends.
    fn svg(&self) -> String {
        const ROW: usize = 16;
        const COLUMN: usize = 190;
        let nodes = &self.book.nodes;
        // Rows by node: a leaf has the next one, another node that of the first below it.
        let mut rows = vec![0; nodes.len()];
        let mut leaves = 0;
        for (place, node) in nodes.iter().enumerate() {
            let is_leaf = nodes.get(place + 1).is_none_or(|next| next.ply <= node.ply);
            rows[place] = leaves;
            leaves += usize::from(is_leaf);
        }
        let deepest = nodes.iter().map(|node| node.ply).max().unwrap_or(0) as usize;
        let (width, height) = ((deepest + 1) * COLUMN + 20, (leaves + 3) * ROW);
        let title = escaped(&self.title());
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 \
             {width} {height}\" font-family=\"sans-serif\" font-size=\"11\">\n<title>{title}</title>\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n\
             <text x=\"10\" y=\"{ROW}\" font-weight=\"bold\">{title}</text>\n"
        );
        let x = |node: &BookNode| 10 + node.ply as usize * COLUMN;
        let y = |place: usize| (rows[place] + 2) * ROW + 8;
        for (place, node) in nodes.iter().enumerate() {
            for child in self.below(place) {
                let (from, to) = ((x(node) + 4, y(place)), (x(&nodes[child]) - 4, y(child)));
                if to.1 > from.1 {
                    let _ = writeln!(
                        svg,
                        "<path d=\"M{} {}V{}H{}\" fill=\"none\" stroke=\"#aaa\"/>",
                        from.0,
                        from.1 + 3,
                        to.1 - 4,
                        to.0
                    );
                }
            }
            let (text, weight) = match node.moves.last() {
                None => (node.position.clone(), "normal"),
                Some(_) => (
                    format!("{} {}", self.last_move(node), self.short(node)),
                    if node.own { "bold" } else { "normal" },
                ),
            };
            let _ = writeln!(
                svg,
                "<text x=\"{}\" y=\"{}\" font-weight=\"{weight}\">{}</text>",
                x(node),
                y(place),
                escaped(&text)
            );
        }
        svg.push_str("</svg>\n");
        svg
    }
}
