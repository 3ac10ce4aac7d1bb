//! The opening tree of a game: positions up to symmetry, as a list and as a graph in which ways that
//! lead to the same position meet.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use greenwave_game::{Game, Outcome};
use greenwave_picture::{Tone, escaped};
use greenwave_play::{Book, BookNode, Seat};

use crate::api;
use crate::explorer::{Client, Explorer};
use crate::page::moves::tone_class;
use crate::page::reader::Reader;
use crate::page::{figures, frame, mini, titles};
use crate::params::Params;
use crate::problem::Problem;
use crate::question::Question;
use crate::routes::RouteAnswer;

/// Most plies of a tree on a page.
const DEPTH: u64 = 5;
/// Positions of a page, at most: where there are more, it ends a ply sooner.
const LISTED: usize = 1200;
/// Positions of a graph, at most; the list has them all.
const DRAWN: usize = 400;
/// Positions of a graph that are drawn as boards, at most; of more there are names alone.
const BOARDS: usize = 120;
/// Width of a ply of the graph, and of a position in it.
const COLUMN: usize = 216;
const WIDTH: usize = 128;
/// Height of a position without its gap: a name, or a board beside it.
const NAME: usize = 24;
const BOARD: usize = 44;
/// The gap.
const GAP: usize = 8;
/// The height of the line above that says after how many plies the positions of a column stand.
const HEAD: usize = 24;

/// The moves that lead from a position of the graph to another.
struct Curve {
    from: usize,
    to: usize,
    /// Whether one of them is a move of the repertoire.
    own: bool,
    width: f64,
}

/// How far from the middle of a position each curve begins or ends, so that curves lie side by side; `end` is
/// the position, and how high the other end of the curve is.
fn ends(curves: &[Curve], tall: usize, end: impl Fn(&Curve) -> (usize, usize)) -> Vec<f64> {
    let mut offsets = vec![0.0; curves.len()];
    let mut order: Vec<usize> = (0..curves.len()).collect();
    order.sort_by_key(|curve| end(&curves[*curve]));
    for beside in order.chunk_by(|one, other| end(&curves[*one]).0 == end(&curves[*other]).0) {
        let all: f64 = beside.iter().map(|curve| curves[*curve].width).sum();
        let room = (tall as f64 * 0.8).min(all) / all;
        let mut at = -all / 2.0;
        for curve in beside {
            offsets[*curve] = (at + curves[*curve].width / 2.0) * room;
            at += curves[*curve].width;
        }
    }
    offsets
}

/// The requested tree.
struct TreeRequest {
    depth: u32,
    side: Option<Seat>,
}

impl TreeRequest {
    fn read(params: &Params) -> Result<TreeRequest, Problem> {
        let side = api::side(params)?;
        // A repertoire has one move where the whole tree has many.
        let usual = if side.is_some() { 4 } else { 2 };
        let depth = params.number_from("depth", 1, DEPTH)?.unwrap_or(usual);
        Ok(TreeRequest {
            depth: depth as u32,
            side,
        })
    }
}

/// The page of the tree of a question.
pub(super) async fn page(
    explorer: &Arc<Explorer>,
    reader: &Reader,
    question: Question,
    params: &Params,
    client: Client,
) -> Result<RouteAnswer, Problem> {
    let words = reader.language;
    let shape = TreeRequest::read(params)?;
    let mut shown = shape.depth;
    let book = loop {
        let book = api::book_of(explorer, question.clone(), shown, shape.side, client).await?;
        if shown == 1 || book.nodes.len() <= LISTED {
            break book;
        }
        shown -= 1;
    };
    let tree = TreePage {
        explorer,
        reader,
        question: &question,
        book: &book,
    };
    let path = format!("/{}/tree", question.name);
    let game = titles::title(explorer, words, &question.name);
    let title = words.with("tree-title", &game);
    let mut body = format!(
        "<main id=\"main\" tabindex=\"-1\" class=\"tree\"><h1>{}</h1><p class=\"lead\">{}</p>{}",
        escaped(&title),
        words.text("tree-note"),
        tree.form(&path, &shape)
    );
    if shown < shape.depth {
        let _ = write!(
            body,
            "<p class=\"details\">{}</p>",
            escaped(&words.with("tree-cut", words.plies(shown)))
        );
    }
    let _ = write!(
        body,
        "<section class=\"tree-list\"><h2>{}</h2>{}</section>",
        escaped(&words.with("tree-positions", book.nodes.len())),
        tree.list()
    );
    body.push_str(&tree.graph());
    let _ = write!(
        body,
        "<p class=\"details\">{} <span class=\"of-graph\">{}</span></p></main>",
        words.text("legend"),
        words.text("tree-width")
    );
    let depth = shape.depth.to_string();
    let mut own: Vec<(&str, &str)> = Vec::new();
    own.extend(question.position.as_deref().map(|text| ("position", text)));
    own.extend(question.moves.as_deref().map(|text| ("moves", text)));
    own.push(("depth", &depth));
    own.extend(shape.side.map(|side| ("for", side.name())));
    Ok(frame::answer(
        explorer,
        reader,
        &title,
        Some((&path, &own)),
        &body,
    ))
}

struct TreePage<'a> {
    explorer: &'a Explorer,
    reader: &'a Reader,
    question: &'a Question,
    book: &'a Book,
}

impl TreePage<'_> {
    /// The address of the page of a position.
    fn address(&self, node: &BookNode) -> String {
        let mut moves: Vec<&str> = self.question.moves.iter().map(String::as_str).collect();
        moves.extend(node.moves.iter().map(String::as_str));
        let moves = moves.join(",");
        let mut own: Vec<(&str, &str)> = Vec::new();
        let start = self.question.position.as_deref();
        own.extend(start.map(|text| ("position", text)));
        if !moves.is_empty() {
            own.push(("moves", &moves));
        }
        let path = format!("/{}", self.question.name);
        escaped(&self.reader.address(self.explorer, &path, &own))
    }

    /// Depth, and for whom.
    fn form(&self, path: &str, shape: &TreeRequest) -> String {
        let words = self.reader.language;
        let option = |value: &str, text: &str, chosen: bool| {
            let chosen = if chosen { " selected" } else { "" };
            format!(
                "<option value=\"{value}\"{chosen}>{}</option>",
                escaped(text)
            )
        };
        let depths: String = (1..=DEPTH as u32)
            .map(|plies| {
                let value = plies.to_string();
                option(&value, &words.length(plies), plies == shape.depth)
            })
            .collect();
        let sides: String = [
            ("", "tree-all", None),
            ("first", "tree-first", Some(Seat::First)),
            ("second", "tree-second", Some(Seat::Second)),
        ]
        .into_iter()
        .map(|(value, key, side)| option(value, words.text(key), side == shape.side))
        .collect();
        let mut hidden = self.reader.hidden_fields();
        let own = [
            ("position", &self.question.position),
            ("moves", &self.question.moves),
        ];
        for (name, value) in own {
            if let Some(value) = value {
                let _ = write!(
                    hidden,
                    "<input type=\"hidden\" name=\"{name}\" value=\"{}\">",
                    escaped(value)
                );
            }
        }
        format!(
            "<form class=\"filter\" action=\"{}{}\" method=\"get\"><p><label for=\"t-depth\">{}</label>\
             <select id=\"t-depth\" name=\"depth\">{depths}</select></p><p><label for=\"t-for\">{}</label>\
             <select id=\"t-for\" name=\"for\">{sides}</select></p>{hidden}<button>{}</button></form>",
            escaped(&self.explorer.base),
            escaped(&crate::params::encoded(path)),
            words.text("tree-depth"),
            words.text("tree-for"),
            words.text("show")
        )
    }

    /// Every position, each below the one that its last move was made in. What follows a move is folded, but for
    /// the best one.
    fn list(&self) -> String {
        let words = self.reader.language;
        let nodes = &self.book.nodes;
        let mut html = String::from("<ul>");
        // What closes each position that is open, and whether it is on the line of best moves.
        let mut open: Vec<(&str, bool)> = Vec::new();
        for (number, node) in nodes.iter().enumerate() {
            while open.len() > node.ply as usize {
                html.push_str(open.pop().map_or("", |(close, _)| close));
            }
            let follows_best = open.last().is_none_or(|(_, best)| *best);
            let is_first = number == 0 || nodes[number - 1].ply < node.ply;
            let best = follows_best && is_first;
            let _ = write!(html, "<li>{}", self.row(number, node));
            let replies = nodes[number + 1..]
                .iter()
                .take_while(|after| after.ply > node.ply)
                .filter(|after| after.ply == node.ply + 1)
                .count();
            let close = if replies == 0 {
                "</li>"
            } else if node.ply == 0 {
                html.push_str("<ul>");
                "</ul></li>"
            } else {
                let _ = write!(
                    html,
                    "<details{}><summary>{}</summary><ul>",
                    if best { " open" } else { "" },
                    words.with("tree-replies", replies)
                );
                "</ul></details></li>"
            };
            open.push((close, best));
        }
        while let Some((close, _)) = open.pop() {
            html.push_str(close);
        }
        html + "</ul>"
    }

    /// A position of the list: its board, the move that leads to it, what it is worth, and what there is to say
    /// about it.
    fn row(&self, number: usize, node: &BookNode) -> String {
        let words = self.reader.language;
        let (sign, tone, spoken) = figures::of_move(words, &node.figures());
        let name = node.moves.last().map_or(words.text("tree-start"), |mv| mv);
        let mut html = format!(
            "<div class=\"tree-row\">{}<a href=\"{}\"{}>{}</a> <span class=\"tag {}\" aria-hidden=\"true\">{sign}</span>\
             <span class=\"unseen\">{}</span>",
            self.board(node, ""),
            self.address(node),
            if node.own { " class=\"own\"" } else { "" },
            escaped(name),
            tone_class(tone),
            escaped(&spoken)
        );
        if node.stands_for > 1 {
            let _ = write!(
                html,
                " <small class=\"weight\" aria-hidden=\"true\">\u{d7}{}</small><span class=\"unseen\">{}</span>",
                node.stands_for,
                words.with("tree-stands-for", node.stands_for)
            );
        }
        let mut remarks: Vec<String> = Vec::new();
        if node.only {
            remarks.push(words.text("tree-only").into());
        }
        if node.met != number {
            let moves = self.book.nodes[node.met].moves.join(" ");
            remarks.push(words.with("tree-same", moves));
        }
        if !remarks.is_empty() {
            let _ = write!(
                html,
                " <small>{}</small>",
                escaped(&remarks.join(" \u{b7} "))
            );
        }
        html + "</div>"
    }

    /// A small picture of a position.
    fn board(&self, node: &BookNode, place: &str) -> String {
        let diagram = self.question.variant.diagram(&node.at);
        mini::mini(&diagram.marks, |level| diagram.letter(level), place)
    }

    /// The graph: a column for each ply, a position where it is first met, a curve for each move, as wide
    /// as the positions are many that it stands for, and of the colour of what it is worth. A position stands
    /// beside the first one after it, so the root is at the top.
    fn graph(&self) -> String {
        let words = self.reader.language;
        let nodes = &self.book.nodes;
        let firsts: Vec<usize> = (0..nodes.len())
            .filter(|number| nodes[*number].met == *number)
            .collect();
        if firsts.len() > DRAWN {
            return String::new();
        }
        let tall = if firsts.len() > BOARDS { NAME } else { BOARD };
        let row = tall + GAP;
        let (mut rows, mut plies) = (0, 0);
        let mut places = vec![(0, 0); nodes.len()];
        let mut before = None;
        for number in &firsts {
            let ply = nodes[*number].ply as usize;
            // The first position after another stands beside it, any other in a row of its own.
            rows += usize::from(before.is_none_or(|before| ply <= before));
            plies = plies.max(ply);
            before = Some(ply);
            places[*number] = (ply * COLUMN + 2, HEAD + rows * row - row / 2);
        }
        let (width, height) = (plies * COLUMN + WIDTH + 4, HEAD + rows * row);
        let mut svg = format!(
            "<div class=\"scroll graph\" aria-hidden=\"true\"><svg viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\">"
        );
        for ply in 1..=plies {
            let _ = write!(
                svg,
                "<text class=\"head\" x=\"{}\" y=\"16\" text-anchor=\"middle\">{}</text>",
                ply * COLUMN + WIDTH / 2,
                escaped(&words.with("after-plies", words.plies(ply as u32)))
            );
        }
        let mut above: Vec<usize> = Vec::new();
        let mut curves: BTreeMap<(usize, usize), (u64, bool)> = BTreeMap::new();
        for (number, node) in nodes.iter().enumerate() {
            above.truncate(node.ply as usize);
            if let Some(before) = above.last() {
                let curve = curves.entry((nodes[*before].met, node.met)).or_default();
                curve.0 += node.stands_for;
                curve.1 |= node.own;
            }
            above.push(number);
        }
        let curves: Vec<Curve> = curves
            .into_iter()
            .map(|((from, to), (stands_for, own))| Curve {
                from,
                to,
                own,
                width: 1.5 + (stands_for as f64).log2() * 1.5,
            })
            .collect();
        for ((curve, start), end) in curves
            .iter()
            .zip(ends(&curves, tall, |curve| {
                (curve.from, places[curve.to].1)
            }))
            .zip(ends(&curves, tall, |curve| {
                (curve.to, places[curve.from].1)
            }))
        {
            let ((x, y), (to_x, to_y)) = (places[curve.from], places[curve.to]);
            let (x, bend) = (x + WIDTH, COLUMN / 2 - WIDTH / 4);
            let (y, to_y) = (y as f64 + start, to_y as f64 + end);
            // Worth to whoever makes the move.
            let kind = if curve.own {
                "own"
            } else {
                match nodes[curve.to].value.outcome() {
                    Some(Outcome::Loss) => "win",
                    Some(Outcome::Win) => "loss",
                    Some(Outcome::Draw) | None => "",
                }
            };
            let _ = write!(
                svg,
                "<path class=\"edge {kind}\" stroke-width=\"{:.1}\" d=\"M{x} {y:.1}C{} {y:.1} {} {to_y:.1} {to_x} {to_y:.1}\"/>",
                curve.width,
                x + bend,
                to_x.saturating_sub(bend),
            );
        }
        for number in firsts {
            svg.push_str(&self.knot(&nodes[number], places[number], tall));
        }
        svg + "</svg></div>"
    }

    /// A position of the graph: the move that leads to it, its value, and where there is room its board.
    fn knot(&self, node: &BookNode, (x, y): (usize, usize), tall: usize) -> String {
        let words = self.reader.language;
        let (sign, tone, _) = figures::of_move(words, &node.figures());
        let name = node.moves.last().map_or(words.text("tree-start"), |mv| mv);
        let tone = match tone {
            Tone::Win | Tone::Draw | Tone::Loss => tone_class(tone),
            Tone::Plain => "draw",
        };
        let (board, beside) = if tall == BOARD {
            let side = BOARD - 8;
            let place = format!(
                "x=\"{}\" y=\"{}\" width=\"{side}\" height=\"{side}\" ",
                x + 4,
                y - side / 2
            );
            let board = self.board(node, &place);
            (board, BOARD)
        } else {
            (String::new(), 0)
        };
        format!(
            "<a href=\"{}\" tabindex=\"-1\"><rect class=\"knot {tone}\" x=\"{x}\" y=\"{}\" width=\"{WIDTH}\" \
             height=\"{tall}\" rx=\"10\"/>{board}<text class=\"on-{tone}\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{} \
             {sign}</text></a>",
            self.address(node),
            y - tall / 2,
            x + beside + (WIDTH - beside) / 2,
            y + 5,
            escaped(name),
        )
    }
}
