//! The graph of an opening tree: ways that lead to the same position meet, and replies that lose at once are one.

use std::collections::BTreeMap;
use std::fmt::Write;

use greenwave_game::Outcome;
use greenwave_picture::{Tone, escaped};
use greenwave_play::BookNode;

use crate::page::figures;
use crate::page::moves::tone_class;
use crate::page::tree::TreePage;

/// Positions of a graph, at most; the list has them all.
const DRAWN: usize = 400;
/// Positions of a graph that are drawn as boards, at most; of more there are names alone.
const BOARDS: usize = 120;
/// Least width of a ply of the graph, width of all plies if there are few, and least width of a position.
const COLUMN: usize = 256;
const ALL_COLUMNS: usize = 768;
const WIDTH: usize = 128;
/// Width of a letter, and least width between positions of two plies.
const LETTER: usize = 9;
const BETWEEN: usize = 88;
/// Height of what is seen at once.
const SCREEN: usize = 400;
/// Width of what stands for several positions.
const FOLDED: usize = 232;
/// Height of a position without its gap: a name, or a board beside it.
const NAME: usize = 24;
const BOARD: usize = 44;
/// The gap.
const GAP: usize = 8;
/// The height of the line above that says after how many plies the positions of a column stand.
const HEAD: usize = 24;

/// What a place of the graph shows.
#[derive(Clone, Copy)]
enum Knot {
    /// The position of a node.
    One(usize),
    /// The replies to a node that lose at once.
    Losing(usize),
}

/// The moves that lead from a position of the graph to another place.
struct Curve {
    from: usize,
    to: usize,
    /// The class of what it is worth to whoever makes the move, or of a move of the repertoire.
    kind: &'static str,
    /// Whether the place is drawn behind another position already.
    merge: bool,
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

/// The node that each node follows; `None` for the first.
fn before(nodes: &[BookNode]) -> Vec<Option<usize>> {
    let mut above: Vec<usize> = Vec::new();
    let all = nodes.iter().enumerate().map(|(number, node)| {
        above.truncate(node.ply as usize);
        let before = above.last().copied();
        above.push(number);
        before
    });
    all.collect()
}

/// Whether the move to a position loses at once: the reply to it wins.
fn loses_at_once(node: &BookNode) -> bool {
    node.value.outcome() == Some(Outcome::Win) && node.distance == Some(1) && !node.keeps_turn
}

/// What is drawn of a book: its places in their order, and the curves between them.
struct TreeLayout {
    knots: Vec<Knot>,
    curves: Vec<Curve>,
}

/// Folds the replies that lose at once, and brings ways together that lead to the same position.
fn plan(nodes: &[BookNode]) -> TreeLayout {
    let before = before(nodes);
    let mut losing: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (number, node) in nodes.iter().enumerate() {
        if let (Some(before), true) = (before[number], loses_at_once(node) && !node.own) {
            losing.entry(before).or_default().push(number);
        }
    }
    losing.retain(|_, losers| losers.len() > 1);
    // What is folded hides what follows it.
    let mut hidden = vec![false; nodes.len()];
    for losers in losing.values() {
        for loser in losers {
            hidden[*loser] = true;
        }
    }
    for number in 0..nodes.len() {
        hidden[number] |= before[number].is_some_and(|before| hidden[before]);
    }
    let mut knots: Vec<Knot> = Vec::new();
    let mut places: BTreeMap<usize, usize> = BTreeMap::new();
    let mut curves: BTreeMap<(usize, usize), (u64, bool, &'static str)> = BTreeMap::new();
    for (number, node) in nodes.iter().enumerate() {
        let from = before[number].and_then(|before| places.get(&nodes[before].met).copied());
        if hidden[number] {
            let folds = before[number].and_then(|before| losing.get(&before));
            let begins = folds.is_some_and(|losers| losers.first() == Some(&number));
            if let (Some(from), Some(losers), Some(parent), true) =
                (from, folds, before[number], begins)
            {
                let stands_for = losers.iter().map(|loser| nodes[*loser].stands_for).sum();
                curves.insert((from, knots.len()), (stands_for, false, "loss"));
                knots.push(Knot::Losing(parent));
            }
            continue;
        }
        let to = *places.entry(node.met).or_insert_with(|| {
            knots.push(Knot::One(number));
            knots.len() - 1
        });
        let Some(from) = from else { continue };
        let kind = match node.value.outcome() {
            Some(Outcome::Loss) => "win",
            Some(Outcome::Win) => "loss",
            Some(Outcome::Draw) | None => "",
        };
        let curve = curves.entry((from, to)).or_insert((0, false, kind));
        curve.0 += node.stands_for;
        curve.1 |= node.own;
    }
    let mut met = vec![false; knots.len()];
    let curves = curves
        .into_iter()
        .map(|((from, to), (stands_for, own, kind))| {
            let merge = std::mem::replace(&mut met[to], true);
            let whole = 1.5 + (stands_for.max(1) as f64).log2() * 1.5;
            Curve {
                from,
                to,
                kind: if own { "own" } else { kind },
                merge,
                width: if merge { 1.2 } else { whole },
            }
        });
    let mut curves: Vec<Curve> = curves.collect();
    // What is drawn later lies above: ways that meet lowest, then what loses.
    curves.sort_by_key(|curve| (!curve.merge, curve.kind == "own", curve.kind == "win"));
    TreeLayout { curves, knots }
}

/// How high each position stands: in the middle of those after it, but no column is longer than it has to be, so
/// that the first moves are seen at once.
fn heights(plies: &[usize], curves: &[Curve], row: usize) -> Vec<usize> {
    let mut heights = vec![0; plies.len()];
    for ply in (0..=plies.iter().copied().max().unwrap_or(0)).rev() {
        let column: Vec<usize> = (0..plies.len())
            .filter(|knot| plies[*knot] == ply)
            .collect();
        let mut least = HEAD + row / 2;
        for (number, knot) in column.iter().enumerate() {
            let curves = curves.iter().filter(|curve| curve.from == *knot);
            let next: Vec<usize> = curves.map(|curve| heights[curve.to]).collect();
            let middle = match (next.iter().min(), next.iter().max()) {
                (Some(top), Some(bottom)) => (top + bottom) / 2,
                (_, _) => least,
            };
            let lowest = HEAD + SCREEN * (2 * number + 1) / (2 * column.len());
            heights[*knot] = middle.min(lowest).max(least);
            least = heights[*knot] + row;
        }
    }
    heights
}

impl TreePage<'_> {
    /// The graph: a column for each ply, a position where it is first met, a curve for each move, as wide
    /// as the positions are many that it stands for, and of the colour of what it is worth. A move that leads to
    /// what is drawn behind another position is a thin line.
    pub(super) fn graph(&self) -> String {
        let words = self.reader.language;
        let nodes = &self.book.nodes;
        let TreeLayout { knots, curves } = plan(nodes);
        if knots.len() > DRAWN {
            return String::new();
        }
        let tall = if knots.len() > BOARDS { NAME } else { BOARD };
        let row = tall + GAP;
        let ply_of = |knot: &Knot| match knot {
            Knot::One(number) => nodes[*number].ply as usize,
            Knot::Losing(number) => nodes[*number].ply as usize + 1,
        };
        let plies = knots.iter().map(ply_of).max().unwrap_or(0);
        let beside = if tall == BOARD { BOARD } else { 0 };
        let letters = knots.iter().filter_map(|knot| match knot {
            Knot::One(number) => Some(self.knot_text(&nodes[*number]).chars().count()),
            Knot::Losing(_) => None,
        });
        let wide = WIDTH.max(beside + (letters.max().unwrap_or(0) + 1) * LETTER);
        let column = COLUMN.max(ALL_COLUMNS / plies.max(1)).max(wide + BETWEEN);
        let of_plies: Vec<usize> = knots.iter().map(ply_of).collect();
        let heights = heights(&of_plies, &curves, row);
        let across = of_plies.iter().map(|ply| ply * column + 2);
        let places: Vec<(usize, usize)> = across.zip(heights.iter().copied()).collect();
        let right = knots.iter().zip(&places).map(|(knot, (x, _))| match knot {
            Knot::One(_) => x + wide + 2,
            Knot::Losing(_) => x + FOLDED + 2,
        });
        let width = right.max().unwrap_or(0);
        let height = heights.into_iter().max().unwrap_or(HEAD) + row / 2;
        let mut svg = format!(
            "<div class=\"scroll graph\" aria-hidden=\"true\"><svg viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\">"
        );
        for ply in 1..=plies {
            let _ = write!(
                svg,
                "<text class=\"head\" x=\"{}\" y=\"16\" text-anchor=\"middle\">{}</text>",
                ply * column + wide / 2,
                escaped(&words.with("after-plies", words.plies(ply as u32)))
            );
        }
        let starts = ends(&curves, tall, |curve| (curve.from, places[curve.to].1));
        let arrivals = ends(&curves, tall, |curve| (curve.to, places[curve.from].1));
        for ((curve, start), end) in curves.iter().zip(starts).zip(arrivals) {
            let ((x, y), (to_x, to_y)) = (places[curve.from], places[curve.to]);
            let (x, bend) = (x + wide, column / 2 - wide / 4);
            let (y, to_y) = (y as f64 + start, to_y as f64 + end);
            let _ = write!(
                svg,
                "<path class=\"edge {}{}\" data-from=\"{}\" data-to=\"{}\" stroke-width=\"{:.1}\" \
                 d=\"M{x} {y:.1}C{} {y:.1} {} {to_y:.1} {to_x} {to_y:.1}\"/>",
                curve.kind,
                if curve.merge { " merge" } else { "" },
                name(nodes, knots[curve.from]),
                name(nodes, knots[curve.to]),
                curve.width,
                x + bend,
                to_x.saturating_sub(bend),
            );
        }
        for (knot, place) in knots.iter().zip(places) {
            svg.push_str(&match knot {
                Knot::One(number) => self.knot(&nodes[*number], place, (wide, tall)),
                Knot::Losing(parent) => self.folded(*parent, place, tall),
            });
        }
        svg + "</svg></div>"
    }

    /// The move that leads to a position, and its value.
    fn knot_text(&self, node: &BookNode) -> String {
        let (sign, _, _) = figures::of_move(self.reader.language, &node.for_mover());
        format!("{} {sign}", self.name(node))
    }

    /// A position of the graph: the move that leads to it, its value, and where there is room its board.
    fn knot(
        &self,
        node: &BookNode,
        (x, y): (usize, usize),
        (wide, tall): (usize, usize),
    ) -> String {
        let (_, tone, _) = figures::of_move(self.reader.language, &node.for_mover());
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
            "<a href=\"{}\" tabindex=\"-1\" data-node=\"{}\"><rect class=\"knot {tone}\" x=\"{x}\" y=\"{}\" \
             width=\"{wide}\" height=\"{tall}\" rx=\"10\"/>{board}<text class=\"on-{tone}\" x=\"{}\" y=\"{}\" \
             text-anchor=\"middle\">{}</text></a>",
            self.address(node),
            node.met,
            y - tall / 2,
            x + beside + (wide - beside) / 2,
            y + 5,
            escaped(&self.knot_text(node)),
        )
    }

    /// The replies to a position that lose at once: one place that leads to where they can be made.
    fn folded(&self, parent: usize, (x, y): (usize, usize), tall: usize) -> String {
        let nodes = &self.book.nodes;
        let node = &nodes[parent];
        let after = nodes[parent + 1..].iter();
        let below = after.take_while(|after| after.ply > node.ply);
        let losing =
            below.filter(|after| after.ply == node.ply + 1 && loses_at_once(after) && !after.own);
        let count = losing.count();
        format!(
            "<a href=\"{}\" tabindex=\"-1\" data-node=\"{}\"><rect class=\"knot win\" x=\"{x}\" y=\"{}\" \
             width=\"{FOLDED}\" height=\"{tall}\" rx=\"10\"/><text class=\"on-win\" x=\"{}\" y=\"{}\" \
             text-anchor=\"middle\">{}</text></a>",
            self.address(node),
            name(nodes, Knot::Losing(parent)),
            y - tall / 2,
            x + FOLDED / 2,
            y + 5,
            escaped(&self.reader.language.with(
                if node.ply == 0 {
                    "tree-lose-first"
                } else {
                    "tree-lose"
                },
                count
            )),
        )
    }
}

/// The name of a place in a script.
fn name(nodes: &[BookNode], knot: Knot) -> String {
    match knot {
        Knot::One(number) => nodes[number].met.to_string(),
        Knot::Losing(parent) => format!("{}-lose", nodes[parent].met),
    }
}
