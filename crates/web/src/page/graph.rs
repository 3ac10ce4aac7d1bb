//! The graph of an opening tree: the best moves of each position, the others in one place; ways that lead to the
//! same position meet.

use std::collections::BTreeMap;
use std::fmt::Write;

use greenwave_game::Outcome;
use greenwave_picture::{Tone, escaped};
use greenwave_play::BookNode;

use crate::page::figures;
use crate::page::moves::tone_class;
use crate::page::tree::{ShownNodes, TreePage};

/// Least width of a ply of the graph, width of all plies if there are few, and least width of a position.
const COLUMN: usize = 256;
const ALL_COLUMNS: usize = 768;
const WIDTH: usize = 144;
/// Width of a letter, and least width between positions of two plies.
const LETTER: usize = 10;
const BETWEEN: usize = 88;
/// Height of what is seen at once.
const SCREEN: usize = 400;
/// Height of what stands for several positions.
const LOW: usize = 34;
/// Height of a position without its gap, and of its board.
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
    /// The moves after a node that are not shown each by itself.
    Others(usize),
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
fn ends(curves: &[Curve], end: impl Fn(&Curve) -> (usize, usize)) -> Vec<f64> {
    let mut offsets = vec![0.0; curves.len()];
    let mut order: Vec<usize> = (0..curves.len()).collect();
    order.sort_by_key(|curve| end(&curves[*curve]));
    for beside in order.chunk_by(|one, other| end(&curves[*one]).0 == end(&curves[*other]).0) {
        let all: f64 = beside.iter().map(|curve| curves[*curve].width).sum();
        let room = (BOARD as f64 * 0.8).min(all) / all;
        let mut at = -all / 2.0;
        for curve in beside {
            offsets[*curve] = (at + curves[*curve].width / 2.0) * room;
            at += curves[*curve].width;
        }
    }
    offsets
}

/// What is drawn of a book: its places in their order, and the curves between them.
struct TreeLayout {
    knots: Vec<Knot>,
    curves: Vec<Curve>,
}

/// Brings ways together that lead to the same position.
fn plan(nodes: &[BookNode], shown: &ShownNodes) -> TreeLayout {
    let mut knots: Vec<Knot> = vec![Knot::One(0)];
    let mut places: BTreeMap<usize, usize> = BTreeMap::from([(0, 0)]);
    let mut curves: BTreeMap<(usize, usize), (u64, bool, &'static str)> = BTreeMap::new();
    let mut open: Vec<usize> = vec![0];
    while let Some(number) = open.pop() {
        let from = places[&nodes[number].met];
        let (next, others) = shown.below(number);
        for number in next {
            let node = &nodes[*number];
            let to = *places.entry(node.met).or_insert_with(|| {
                knots.push(Knot::One(*number));
                knots.len() - 1
            });
            let kind = match node.value.outcome() {
                Some(Outcome::Loss) => "win",
                Some(Outcome::Win) => "loss",
                Some(Outcome::Draw) | None => "",
            };
            let curve = curves.entry((from, to)).or_insert((0, false, kind));
            curve.0 += node.stands_for;
            curve.1 |= node.own;
        }
        if !others.is_empty() {
            curves.insert((from, knots.len()), (1, false, ""));
            knots.push(Knot::Others(number));
        }
        open.extend(next.iter().rev());
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
        let TreeLayout { knots, curves } = plan(nodes, &self.shown);
        let row = BOARD + GAP;
        let ply_of = |knot: &Knot| match knot {
            Knot::One(number) => nodes[*number].ply as usize,
            Knot::Others(number) => nodes[*number].ply as usize + 1,
        };
        let plies = knots.iter().map(ply_of).max().unwrap_or(0);
        let letters = knots.iter().filter_map(|knot| match knot {
            Knot::One(number) => Some(self.knot_text(&nodes[*number]).chars().count()),
            Knot::Others(_) => None,
        });
        let wide = WIDTH.max(BOARD + (letters.max().unwrap_or(0) + 1) * LETTER);
        // Curves begin to bend beyond whatever stands above and below them.
        let mut clear = vec![wide; plies + 1];
        for knot in &knots {
            if let Knot::Others(parent) = knot {
                let beyond = &mut clear[ply_of(knot)];
                *beyond = self.folded_width(*parent).max(*beyond);
            }
        }
        let widest = clear.iter().copied().max().unwrap_or(wide);
        let column = COLUMN.max(ALL_COLUMNS / plies.max(1)).max(widest + BETWEEN);
        let of_plies: Vec<usize> = knots.iter().map(ply_of).collect();
        let heights = heights(&of_plies, &curves, row);
        let across = of_plies.iter().map(|ply| ply * column + 2);
        let places: Vec<(usize, usize)> = across.zip(heights.iter().copied()).collect();
        let right = knots.iter().zip(&places).map(|(knot, (x, _))| match knot {
            Knot::One(_) => x + wide + 2,
            Knot::Others(parent) => x + self.folded_width(*parent) + 2,
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
        let starts = ends(&curves, |curve| (curve.from, places[curve.to].1));
        let arrivals = ends(&curves, |curve| (curve.to, places[curve.from].1));
        for ((curve, start), end) in curves.iter().zip(starts).zip(arrivals) {
            let ((x, y), (to_x, to_y)) = (places[curve.from], places[curve.to]);
            let clear = clear[of_plies[curve.from]];
            let (x, bent, bend) = (x + wide, x + clear, (column - clear) * 4 / 5);
            let (y, to_y) = (y as f64 + start, to_y as f64 + end);
            let _ = write!(
                svg,
                "<path class=\"edge {}{}\" data-from=\"{}\" data-to=\"{}\" stroke-width=\"{:.1}\" \
                 d=\"M{x} {y:.1}H{bent}C{} {y:.1} {} {to_y:.1} {to_x} {to_y:.1}\"/>",
                curve.kind,
                if curve.merge { " merge" } else { "" },
                name(nodes, knots[curve.from]),
                name(nodes, knots[curve.to]),
                curve.width,
                bent + bend,
                to_x.saturating_sub(bend),
            );
        }
        for (knot, place) in knots.iter().zip(places) {
            svg.push_str(&match knot {
                Knot::One(number) => self.knot(&nodes[*number], place, wide),
                Knot::Others(parent) => self.folded(*parent, place),
            });
        }
        svg + "</svg></div>"
    }

    /// The move that leads to a position, and its value.
    fn knot_text(&self, node: &BookNode) -> String {
        let (sign, _, _) = figures::of_move(self.reader.language, &node.for_mover());
        format!("{} {sign}", self.name(node))
    }

    /// A position of the graph: its board, the move that leads to it, and its value.
    fn knot(&self, node: &BookNode, (x, y): (usize, usize), wide: usize) -> String {
        let (_, tone, _) = figures::of_move(self.reader.language, &node.for_mover());
        let tone = match tone {
            Tone::Win | Tone::Draw | Tone::Loss => tone_class(tone),
            Tone::Plain => "draw",
        };
        let side = BOARD - 8;
        let place = format!(
            "x=\"{}\" y=\"{}\" width=\"{side}\" height=\"{side}\" ",
            x + 4,
            y - side / 2
        );
        format!(
            "<a href=\"{}\" tabindex=\"-1\" data-node=\"{}\"><rect class=\"knot {tone}\" x=\"{x}\" y=\"{}\" \
             width=\"{wide}\" height=\"{BOARD}\" rx=\"10\"/>{}<text class=\"on-{tone}\" x=\"{}\" y=\"{}\" \
             text-anchor=\"middle\">{}</text></a>",
            self.address(node),
            node.met,
            y - BOARD / 2,
            self.board(node, &place),
            x + BOARD + (wide - BOARD) / 2,
            y + 5,
            escaped(&self.knot_text(node)),
        )
    }

    fn folded_width(&self, parent: usize) -> usize {
        let (_, others) = self.shown.below(parent);
        (self.others(others).chars().count() + 1) * LETTER
    }

    /// The moves of a position that are not shown each by itself: one place that leads to a tree with all of them,
    /// or to the position where this is that tree.
    fn folded(&self, parent: usize, (x, y): (usize, usize)) -> String {
        let nodes = &self.book.nodes;
        let node = &nodes[parent];
        let (_, others) = self.shown.below(parent);
        let wide = self.folded_width(parent);
        let below = if node.ply > 0 { "/tree" } else { "" };
        format!(
            "<a href=\"{}\" tabindex=\"-1\" data-node=\"{}\"><rect class=\"knot others\" x=\"{x}\" y=\"{}\" \
             width=\"{wide}\" height=\"{LOW}\" rx=\"10\"/><text x=\"{}\" y=\"{}\" \
             text-anchor=\"middle\">{}</text></a>",
            self.address_of(node, below),
            name(nodes, Knot::Others(parent)),
            y - LOW / 2,
            x + wide / 2,
            y + 5,
            escaped(&self.others(others)),
        )
    }
}

/// The name of a place in a script.
fn name(nodes: &[BookNode], knot: Knot) -> String {
    match knot {
        Knot::One(number) => nodes[number].met.to_string(),
        Knot::Others(parent) => format!("{}-others", nodes[parent].met),
    }
}
