//! Boards on the full screen: lines of text with styles, and where on them the squares are.

use greenwave_game::{Diagram, Mark};
use greenwave_words::Language;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};

use crate::output::board::{height, letters};
use crate::output::words::row_titles;

/// How large squares are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cells {
    /// Columns for each half square.
    half: u16,
    /// Rows for each square.
    rows: u16,
}

impl Cells {
    /// For windows with room, largest first.
    pub(super) const LARGER: [Cells; 2] = [Cells { half: 4, rows: 4 }, Cells { half: 3, rows: 2 }];
    /// For any window.
    pub(super) const SMALL: Cells = Cells { half: 2, rows: 1 };

    /// Columns of what stands on a square; one more is left free.
    fn width(self) -> u16 {
        2 * self.half - 1
    }

    /// Rows of what stands on a square; one more is left free where there are several.
    fn height(self) -> u16 {
        (self.rows - 1).max(1)
    }
}

/// A board as lines, and where every mark is on them.
pub(super) struct Board {
    pub(super) lines: Vec<Line<'static>>,
    /// For each mark of the diagram.
    pub(super) places: Vec<Rect>,
    pub(super) width: u16,
}

impl Board {
    pub(super) fn height(&self) -> u16 {
        self.lines.len() as u16
    }
}

/// Something on a line of a board.
struct BoardPiece {
    /// Its middle column.
    middle: u16,
    text: String,
    style: Style,
    mark: Option<usize>,
}

/// Draws a board without the text beside it; `cursor` is the highlighted mark, `tags` the text
/// beside marks.
pub(super) fn board(
    diagram: &Diagram,
    cells: Cells,
    cursor: Option<usize>,
    tags: &[Option<char>],
) -> Board {
    let mut drawn = Board {
        lines: Vec::new(),
        places: vec![Rect::default(); diagram.marks.len()],
        width: 0,
    };
    for line in 0..height(diagram) * cells.rows {
        let (row, part) = (line / cells.rows, line % cells.rows);
        let pieces = if part < cells.height() {
            pieces(diagram, cells, (row, part), cursor, tags)
        } else {
            Vec::new()
        };
        let mut at: u16 = 0;
        let mut spans = Vec::new();
        for piece in pieces {
            let wide = piece.text.chars().count() as u16;
            let start = piece.middle.saturating_sub(wide / 2).max(at);
            spans.push(Span::raw(" ".repeat(usize::from(start - at))));
            if let Some(mark) = piece.mark.filter(|_| part == 0) {
                drawn.places[mark] = Rect::new(start, line, wide, cells.height());
            }
            at = start + wide;
            spans.push(Span::styled(piece.text, piece.style));
        }
        drawn.width = drawn.width.max(at);
        drawn.lines.push(Line::from(spans));
    }
    // Below the last row nothing need be free.
    while drawn.lines.last().is_some_and(|line| line.width() == 0) {
        drawn.lines.pop();
    }
    drawn
}

/// What stands on a part of a row, from the west.
fn pieces(
    diagram: &Diagram,
    cells: Cells,
    (row, part): (u16, u16),
    cursor: Option<usize>,
    tags: &[Option<char>],
) -> Vec<BoardPiece> {
    let in_middle = part == (cells.height() - 1) / 2;
    let middle = |x: u16| (x + 1) * cells.half - 1;
    let mut pieces = Vec::new();
    for (number, (x, y, mark)) in diagram.marks.iter().enumerate() {
        if *y != row {
            continue;
        }
        let (letter, mut style) = look(diagram, *mark);
        let here = cursor == Some(number);
        let (open, close) = if here { ('[', ']') } else { (' ', ' ') };
        let close = match tags.get(number).copied().flatten() {
            Some(tag) if in_middle && !here => tag,
            _ => close,
        };
        if here {
            style = style.add_modifier(Modifier::BOLD);
        }
        if here && in_middle {
            style = style.add_modifier(Modifier::UNDERLINED);
        }
        let letter = if in_middle { letter } else { ' ' };
        let inner = usize::from(cells.width()) - 2;
        pieces.push(BoardPiece {
            middle: middle(*x),
            text: format!("{open}{letter:^inner$}{close}"),
            style,
            mark: Some(number),
        });
    }
    let labels = diagram.labels.iter();
    for label in labels.filter(|label| label.y == row && in_middle) {
        pieces.push(BoardPiece {
            middle: middle(label.x),
            text: label.text.clone(),
            style: Style::default(),
            mark: None,
        });
    }
    pieces.sort_by_key(|piece| piece.middle);
    pieces
}

/// Counters and notes of a diagram, which stand beside its board, in lines of a width.
pub(super) fn beside(words: Language, diagram: &Diagram, width: u16) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    let titles = row_titles(words, diagram);
    for (title, (_, levels)) in titles.iter().zip(&diagram.rows) {
        let title = format!("{title}:");
        if levels.is_empty() {
            lines.extend(wrapped(
                &format!("{title} {}", words.text("nothing")),
                Style::default(),
                width,
            ));
            continue;
        }
        let titled = title.chars().count() + 1;
        let counter = |level: &u8| {
            let (letter, style) = look(diagram, Mark::Level(*level));
            Span::styled(format!(" {letter} "), style)
        };
        if titled + 3 * levels.len() <= usize::from(width) {
            let counters = levels.iter().map(counter);
            let title = std::iter::once(Span::raw(format!("{title} ")));
            lines.push(Line::from_iter(title.chain(counters)));
        } else {
            lines.extend(wrapped(&title, Style::default(), width));
            let a_line = usize::from(width / 3).max(1);
            lines.extend(
                levels
                    .chunks(a_line)
                    .map(|some| Line::from_iter(some.iter().map(counter))),
            );
        }
    }
    for note in words.sentences(&diagram.notes) {
        lines.extend(wrapped(&note, Style::default(), width));
    }
    lines
}

/// Text in lines of a width: broken between words, and inside a word that is longer than a line.
pub(super) fn wrapped(text: &str, style: Style, width: u16) -> Vec<Line<'static>> {
    let width = usize::from(width.max(1));
    if text.chars().count() <= width {
        return vec![Line::styled(text.to_string(), style)];
    }
    let mut lines = Vec::new();
    let (mut line, mut long) = (String::new(), 0);
    for word in text.split_whitespace() {
        let letters: Vec<char> = word.chars().collect();
        for (number, piece) in letters.chunks(width).enumerate() {
            if long > 0 && (number > 0 || long + 1 + piece.len() > width) {
                lines.push(Line::styled(std::mem::take(&mut line), style));
                long = 0;
            }
            if long > 0 {
                line.push(' ');
                long += 1;
            }
            line.extend(piece);
            long += piece.len();
        }
    }
    lines.push(Line::styled(line, style));
    lines
}

/// Letter and colours of a mark.
fn look(diagram: &Diagram, mark: Mark) -> (char, Style) {
    let (letter, light) = letters(diagram, mark);
    let style = match light {
        'R' | 'X' => Style::default().fg(Color::White).bg(Color::Red),
        'Y' => Style::default().fg(Color::Black).bg(Color::Yellow),
        'G' | 'O' => Style::default().fg(Color::Black).bg(Color::Green),
        _ => Style::default(),
    };
    (letter, style)
}
