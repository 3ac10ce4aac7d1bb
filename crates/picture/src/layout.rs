//! Where everything of a picture goes, in its own units (a square of the board is 48 wide).

use greenwave_game::{Diagram, Mark};

use crate::lettering;

/// Width of half a square.
const HALF: f64 = 24.0;
/// How much nearer labels stand than a neighbouring square would.
const NEARER: f64 = 16.0;
/// Height of a row of squares.
const ROW: f64 = 48.0;
/// Height of a row of hexagons, which reach into each other.
const HEXAGON_ROW: f64 = 41.6;
/// Height of a row of points of a triangle.
const POINT_ROW: f64 = 42.0;
/// Half the distance of points of a triangle with more rows than `ROWS`, and the height of its rows: they stand nearer
/// together, so that a phone shows its discs and letters.
const LARGE_TRIANGLE: (f64, f64) = (20.0, 35.0);
const ROWS: u16 = 7;
/// Space around everything.
const MARGIN: f64 = 8.0;
/// Size of the letters of notes.
pub(crate) const TEXT: f64 = 13.0;
/// Size of the letters beside the board and of titles of rows.
pub(crate) const LABEL: f64 = 9.5;
/// The same beside a triangle, which is small on a phone, and beside a large one.
const POINT_LABEL: f64 = 12.0;
const LARGE_LABEL: f64 = 14.0;
/// Height of a line of text.
const LINE: f64 = 19.0;
/// Height of a row of counters.
const COUNTERS: f64 = 30.0;
/// Distance of counters in a row.
pub(crate) const PITCH: f64 = 27.0;
/// Least width where something is written below the board.
const READABLE: f64 = 300.0;

/// Places of each row of counters: of a hand, of the other one, and of the market.
const PLACES: [usize; 3] = [3, 3, 2];
/// Distance of counters in the bag, beside which their number stands.
pub(crate) const BAG_PITCH: f64 = 38.0;
/// Room for an arrow beside the board.
const ARROW: f64 = 38.0;
/// Distance of a strip from the board, in which the names of its squares stand.
pub(crate) const DOCKED: f64 = 20.0;

/// A row of counters below the board.
pub(crate) struct CounterRow {
    /// Left end and base line of its title.
    pub(crate) title: (f64, f64),
    /// Middles of its counters, and of the places that are empty.
    pub(crate) counters: Vec<(f64, f64)>,
}

/// The box around the squares and their labels.
#[derive(Clone, Copy, Default)]
pub(crate) struct Bounds {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) right: f64,
    pub(crate) bottom: f64,
}

/// Places of everything.
pub(crate) struct PictureLayout {
    /// Width of the picture.
    pub(crate) width: f64,
    /// Height of the picture.
    pub(crate) height: f64,
    /// Middles of the marks.
    pub(crate) marks: Vec<(f64, f64)>,
    /// Middles of the labels.
    pub(crate) labels: Vec<(f64, f64)>,
    /// The rows of counters, that of the bag last.
    pub(crate) rows: Vec<CounterRow>,
    /// Where the squares with their labels end.
    pub(crate) bounds: Bounds,
    /// Lines of the notes: left end, base line and text.
    pub(crate) notes: Vec<(f64, f64, String)>,
    /// Whether the board is one of points and not of squares.
    pub(crate) points: bool,
    /// Size of the letters beside the board.
    pub(crate) label: f64,
}

impl PictureLayout {
    /// Lays a diagram out; `titles` are those of its rows of counters, and
    /// `sentences` stand below it. There is room for arrows on the sides whose letters are `with_arrows`.
    pub(crate) fn new(
        diagram: &Diagram,
        titles: &[&str],
        sentences: &[String],
        with_arrows: &str,
    ) -> PictureLayout {
        let points = !diagram.edges.is_empty();
        let is_large = points && diagram.marks.iter().any(|mark| mark.1 >= ROWS);
        let (half, row) = match (points, diagram.hexagonal) {
            (true, _) if is_large => LARGE_TRIANGLE,
            (true, _) => (HALF, POINT_ROW),
            (false, true) => (HALF, HEXAGON_ROW),
            (false, false) => (HALF, ROW),
        };
        let docked = docking(diagram);
        let middle = |x: u16, y: u16| {
            let (dx, dy) = docked(x, y);
            (f64::from(x) * half + dx, f64::from(y) * row + dy)
        };
        let marks: Vec<(f64, f64)> = diagram
            .marks
            .iter()
            .map(|(x, y, _)| middle(*x, *y))
            .collect();
        let bounds = |of: &dyn Fn(&(f64, f64)) -> f64| {
            marks
                .iter()
                .fold((f64::INFINITY, 0.0_f64), |(least, most), at| {
                    (least.min(of(at)), most.max(of(at)))
                })
        };
        let (across, down) = (bounds(&|at| at.0), bounds(&|at| at.1));
        let nearer = |at: f64, (least, most): (f64, f64)| {
            if at + HALF < least {
                at + NEARER
            } else if at > most + HALF {
                at - NEARER
            } else {
                at
            }
        };
        let labels: Vec<(f64, f64)> = diagram
            .labels
            .iter()
            .map(|label| {
                let (x, y) = middle(label.x, label.y);
                let of_rank = label.text.starts_with(|first: char| first.is_ascii_digit());
                if diagram.hexagonal && of_rank {
                    (x + NEARER, y)
                } else if diagram.hexagonal {
                    // On the slanting line of its file.
                    (x + HALF / 2.0 - 2.0, y - row / 2.0 + 4.0)
                } else if !points {
                    (nearer(x, across), nearer(y, down))
                } else if y > down.1 {
                    // On the slanting line that it names, below the badge of its last point.
                    (x + half * 0.14, y - row * 0.14)
                } else {
                    // Beside the frame of the first point of its row; a large triangle fills a phone.
                    (x + half * if is_large { 1.0 } else { 0.7 }, y)
                }
            })
            .collect();
        // Labels need far less room than squares.
        let extent = |of: &dyn Fn(&(f64, f64)) -> f64, sign: f64| {
            let marks = marks.iter().map(|at| sign * of(at) + HALF);
            let labels = labels.iter().map(|at| sign * of(at) + HALF / 4.0);
            marks.chain(labels).fold(0.0_f64, f64::max)
        };
        let least = |of: &dyn Fn(&(f64, f64)) -> f64| {
            let marks = marks.iter().map(|at| of(at) - HALF);
            let labels = labels.iter().map(|at| of(at) - HALF / 4.0);
            marks.chain(labels).fold(f64::INFINITY, f64::min)
        };
        let (left, top) = if marks.is_empty() && labels.is_empty() {
            (0.0, 0.0)
        } else {
            (least(&|at| at.0), least(&|at| at.1))
        };
        let room = |side: char| {
            if with_arrows.contains(side) {
                ARROW
            } else {
                0.0
            }
        };
        let (right, low) = (extent(&|at| at.0, 1.0), extent(&|at| at.1, 1.0));
        let inside = Bounds {
            left,
            top,
            right,
            bottom: low,
        };
        let (left, top) = (left - room('W'), top - room('N'));
        let board_width = right + room('E') - left;
        let title_width = titles
            .iter()
            .map(|title| lettering::width(title, LABEL))
            .fold(0.0, f64::max);
        let places = |(number, (_, levels)): (usize, &(String, Vec<u8>))| places_of(number, levels);
        let counters = diagram.rows.iter().enumerate().map(places).max();
        let rows_width = counters.map_or(0.0, |most| title_width + 18.0 + PITCH * most as f64);
        let bag_width = match diagram.bag.len() {
            0 => 0.0,
            levels => title_width + 12.0 + BAG_PITCH * levels as f64,
        };
        let rows_width = rows_width.max(bag_width);
        let written = !sentences.is_empty();
        let least_width = if written { READABLE } else { 0.0 };
        let inner = board_width.max(rows_width).max(least_width);
        let shift = (MARGIN - left + (inner - board_width) / 2.0, MARGIN - top);
        let moved = |at: &(f64, f64)| (at.0 + shift.0, at.1 + shift.1);
        let mut bottom = low + room('S') + shift.1;
        let mut rows = Vec::new();
        // The counters stand together with their titles below the middle of the board.
        let begin = MARGIN + (inner - rows_width) / 2.0;
        let of_rows = diagram
            .rows
            .iter()
            .enumerate()
            .map(|row| (places(row), PITCH));
        let of_bag = (!diagram.bag.is_empty()).then_some((diagram.bag.len(), BAG_PITCH));
        for (places, apart) in of_rows.chain(of_bag) {
            let y = bottom + 6.0 + COUNTERS / 2.0;
            let first = begin + title_width + 12.0 + PITCH / 2.0;
            let counters = (0..places)
                .map(|number| (first + apart * number as f64, y))
                .collect();
            rows.push(CounterRow {
                title: (begin, y + LABEL * 0.36),
                counters,
            });
            bottom += COUNTERS;
        }
        if !rows.is_empty() {
            bottom += 8.0;
        }
        let mut notes = Vec::new();
        if written {
            bottom += 4.0;
            for sentence in sentences {
                for line in wrapped(sentence, inner) {
                    bottom += LINE;
                    notes.push((MARGIN, bottom - 5.0, line));
                }
            }
        }
        PictureLayout {
            width: (inner + 2.0 * MARGIN).ceil(),
            height: (bottom + MARGIN).ceil(),
            marks: marks.iter().map(moved).collect(),
            labels: labels.iter().map(moved).collect(),
            rows,
            bounds: Bounds {
                left: inside.left + shift.0,
                top: inside.top + shift.1,
                right: inside.right + shift.0,
                bottom: inside.bottom + shift.1,
            },
            notes,
            points,
            label: match (points, is_large) {
                (true, true) => LARGE_LABEL,
                (true, false) => POINT_LABEL,
                (false, _) => LABEL,
            },
        }
    }
}

/// How far what stands at a place of the grid moves towards the board: a strip, and the labels beyond it. The grid
/// leaves a whole row between them.
fn docking(diagram: &Diagram) -> impl Fn(u16, u16) -> (f64, f64) {
    let ends = |of_strip: bool, of: fn(&(u16, u16, Mark)) -> u16| {
        let marks = diagram.marks.iter().enumerate();
        let those = marks.filter(|(place, _)| diagram.strip.contains(place) == of_strip);
        let places: Vec<u16> = those.map(|(_, mark)| of(mark)).collect();
        Some((*places.iter().min()?, *places.iter().max()?))
    };
    // Whether the strip is before the board, its edge towards the board, and how far that is away.
    let apart = |of: fn(&(u16, u16, Mark)) -> u16| {
        let (strip, board) = (ends(true, of)?, ends(false, of)?);
        let before = board.0.checked_sub(strip.1).filter(|gap| *gap > 0);
        let after = strip.0.checked_sub(board.1).filter(|gap| *gap > 0);
        let before = before.map(|gap| (true, strip.1, gap));
        before.or(after.map(|gap| (false, strip.0, gap)))
    };
    let moved = |at: u16, apart: Option<(bool, u16, u16)>, unit: f64, width: f64| match apart {
        Some((true, edge, gap)) if at <= edge => f64::from(gap) * unit - width - DOCKED,
        Some((false, edge, gap)) if at >= edge => DOCKED + width - f64::from(gap) * unit,
        Some(_) | None => 0.0,
    };
    let (across, down) = (apart(|mark| mark.0), apart(|mark| mark.1));
    move |x, y| (moved(x, across, HALF, 2.0 * HALF), moved(y, down, ROW, ROW))
}

/// How many counters a row has room for.
pub(crate) fn places_of(row: usize, levels: &[u8]) -> usize {
    levels.len().max(PLACES.get(row).copied().unwrap_or(0))
}

/// A sentence cut into lines that fit a width.
fn wrapped(sentence: &str, width: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in sentence.split_whitespace() {
        match lines.last_mut() {
            Some(line) if lettering::width(&format!("{line} {word}"), TEXT) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.into()),
        }
    }
    lines
}
