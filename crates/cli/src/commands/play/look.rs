//! What the full screen shows: lines of text with styles, and where on them the squares are.

use greenwave_game::{Colours, Diagram, Mark};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};

use crate::output::board::letters;

/// A board as lines, and the columns and row of every mark on them.
pub(super) struct Board {
    pub(super) lines: Vec<Line<'static>>,
    /// For each mark of the diagram: row, first column, width.
    pub(super) places: Vec<(u16, u16, u16)>,
    pub(super) width: u16,
}

/// Draws a board; `cursor` is the mark that stands out, `tags` what is written beside marks.
pub(super) fn board(
    diagram: &Diagram,
    colours: Colours,
    cursor: Option<usize>,
    tags: &[Option<char>],
) -> Board {
    let rows = diagram
        .marks
        .iter()
        .map(|(_, y, _)| *y)
        .chain(diagram.labels.iter().map(|label| label.y))
        .max()
        .map_or(0, |last| last + 1);
    let mut lines = Vec::new();
    let mut places = vec![(0, 0, 0); diagram.marks.len()];
    let mut width = 0;
    for row in 0..rows {
        // Middle column, text, style, mark.
        let mut pieces: Vec<(u16, String, Style, Option<usize>)> = Vec::new();
        for (number, (x, y, mark)) in diagram.marks.iter().enumerate() {
            if *y != row {
                continue;
            }
            let (letter, mut style) = look(*mark, colours);
            let here = cursor == Some(number);
            let (open, close) = if here { ('[', ']') } else { (' ', ' ') };
            let close = match tags.get(number).copied().flatten() {
                Some(tag) if !here => tag,
                _ => close,
            };
            if here {
                style = style.add_modifier(Modifier::BOLD | Modifier::UNDERLINED);
            }
            pieces.push((x * 2, format!("{open}{letter}{close}"), style, Some(number)));
        }
        for label in diagram.labels.iter().filter(|label| label.y == row) {
            pieces.push((label.x * 2, label.text.clone(), Style::default(), None));
        }
        pieces.sort_by_key(|(column, ..)| *column);
        let mut at: u16 = 0;
        let mut spans = Vec::new();
        for (middle, text, style, mark) in pieces {
            let wide = text.chars().count() as u16;
            let start = (middle + 1).saturating_sub(wide / 2).max(at);
            spans.push(Span::raw(" ".repeat(usize::from(start - at))));
            if let Some(mark) = mark {
                places[mark] = (row, start, wide);
            }
            at = start + wide;
            spans.push(Span::styled(text, style));
        }
        width = width.max(at);
        lines.push(Line::from(spans));
    }
    for (title, levels) in &diagram.rows {
        let mut spans = vec![Span::raw(format!("{title}: "))];
        for level in levels {
            let (letter, style) = look(Mark::Level(*level), colours);
            spans.push(Span::styled(format!(" {letter} "), style));
        }
        if levels.is_empty() {
            spans.push(Span::raw("empty"));
        }
        lines.push(Line::from(spans));
    }
    for note in &diagram.notes {
        lines.push(Line::raw(note.clone()));
    }
    Board {
        lines,
        places,
        width,
    }
}

/// Letter and colours of a mark.
fn look(mark: Mark, colours: Colours) -> (char, Style) {
    let (letter, light) = letters(mark, colours);
    let style = match light {
        'R' | 'X' => Style::default().fg(Color::White).bg(Color::Red),
        'Y' => Style::default().fg(Color::Black).bg(Color::Yellow),
        'G' | 'O' => Style::default().fg(Color::Black).bg(Color::Green),
        _ => Style::default(),
    };
    (letter, style)
}
