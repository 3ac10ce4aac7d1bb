//! What stands beside or below the board on the full screen, and how the window is shared out.

use greenwave_play::{Seat, swap_note};
use greenwave_words::Language;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;

use super::look::{self, Board};
use super::screen::{Screen, SidePanel};
use crate::output::words::capital;

/// Columns that the panel beside the board needs; with fewer it stands below.
const PANEL: u16 = 34;
/// A window in which a large board can still be scrolled: columns and rows.
const LEAST: (u16, u16) = (18, 10);
/// Rows of a board that are shown at least.
const LEAST_BOARD: u16 = 6;
/// Lines of moves or keys that are shown where there is little room.
const SOME: usize = 4;
/// Moves of the record that are shown at most.
const PLAYED: usize = 12;

const HELP: [&str; 11] = [
    "key-play",
    "key-click",
    "key-tab",
    "key-type",
    "key-hint",
    "key-values",
    "key-undo",
    "key-resign",
    "key-again",
    "key-keys",
    "key-quit",
];

/// How the window is shared out.
pub(super) enum WindowLayout {
    /// Nothing of use fits: the columns and rows that are needed.
    TooSmall(u16, u16),
    /// Where board and panel stand.
    Shown {
        board: Rect,
        panel: Rect,
        /// The columns and rows that the whole board needs, where only a part is shown.
        needs: Option<(u16, u16)>,
    },
}

/// The largest of some boards that fits, and where it goes: beside the panel, else above it.
pub(super) fn arranged(
    larger: impl IntoIterator<Item = Board>,
    smallest: Board,
    area: Rect,
    titled: u16,
    panel: &Panel,
) -> (Board, WindowLayout) {
    // The title, and a free line below it.
    let top = area.y + titled + 1;
    let below = area.height.saturating_sub(titled + 1);
    let beside = |board: &Board, needs: Option<(u16, u16)>| {
        let wide = board.width + 2;
        (area.width >= board.width + PANEL).then(|| WindowLayout::Shown {
            board: Rect::new(area.x, top, board.width, board.height().min(below)),
            panel: Rect::new(area.x + wide, top, area.width - wide, below),
            needs,
        })
    };
    let above = |board: &Board, rows: u16, needs: Option<(u16, u16)>| WindowLayout::Shown {
        board: Rect::new(area.x, top, board.width.min(area.width), rows),
        panel: Rect::new(area.x, top + rows, area.width, below - rows),
        needs,
    };
    for board in larger {
        let rows = board.height();
        if rows <= below
            && let Some(layout) = beside(&board, None)
        {
            return (board, layout);
        }
        if board.width <= area.width && rows + panel.height() <= below {
            let layout = above(&board, rows, None);
            return (board, layout);
        }
    }
    let rows = smallest.height();
    let width = smallest.width.min(LEAST.0);
    let height = (titled + 1 + rows.min(LEAST_BOARD) + 3).min(LEAST.1);
    if area.width < width || area.height < height {
        return (smallest, WindowLayout::TooSmall(width, height));
    }
    let cut = (smallest.width, titled + 1 + rows);
    if let Some(layout) = beside(&smallest, (rows > below).then_some(cut)) {
        return (smallest, layout);
    }
    // The board gives way to the panel as far as it can be scrolled; that it does takes a line, too.
    let cut = (cut.0, cut.1 + panel.least());
    let part = rows + panel.least() > below || smallest.width > area.width;
    let kept = below.saturating_sub(panel.least() + u16::from(part));
    let kept = kept.max(LEAST_BOARD).min(rows).min(below);
    let part = kept < rows || smallest.width > area.width;
    let layout = above(&smallest, kept, part.then_some(cut));
    (smallest, layout)
}

/// The lines of a panel by how soon they give way.
pub(super) struct Panel {
    /// What must be seen.
    head: Vec<Line<'static>>,
    /// Lines that are cut if they are too long.
    body: Vec<Line<'static>>,
    /// The line of the body that must be seen.
    focus: usize,
    /// The record with this many moves, none first.
    played: Vec<Vec<Line<'static>>>,
    /// What is left out first.
    key: Vec<Line<'static>>,
}

impl Panel {
    /// Lines of the whole.
    pub(super) fn height(&self) -> u16 {
        let played = self.played.last().map_or(0, Vec::len);
        (self.head.len() + self.body.len() + played + self.key.len()) as u16
    }

    /// Lines that it needs to tell what matters.
    fn least(&self) -> u16 {
        let played = self.played.get(1).map_or(0, Vec::len);
        (self.head.len() + self.body.len().min(SOME) + played) as u16
    }

    /// The panel in this many lines.
    pub(super) fn fitted(self, words: Language, height: u16) -> Vec<Line<'static>> {
        let height = usize::from(height);
        let body = self.body.len().min(SOME);
        // The longest record that leaves room for the rest, and one move in any case.
        let room = height.saturating_sub(self.head.len() + body);
        let count = self.played.len();
        let fits = self.played.iter().rposition(|lines| lines.len() <= room);
        let played = fits.unwrap_or(0).max(1.min(count.saturating_sub(1)));
        let played = self.played.into_iter().nth(played).unwrap_or_default();
        let mut foot = played;
        if self.head.len() + body + foot.len() + self.key.len() <= height {
            foot.extend(self.key);
        }
        // Moves and keys were requested: some of them are shown whatever there is no room for then.
        let mut head = self.head;
        head.truncate(height.saturating_sub(foot.len() + body));
        let room = height.saturating_sub(head.len() + foot.len());
        let mut lines = head;
        let whole = self.body.len();
        if whole <= room {
            lines.extend(self.body);
        } else if room > 0 {
            let first = (self.focus + 2).saturating_sub(room).min(whole + 1 - room);
            let shown = self.body.into_iter().skip(first).take(room - 1);
            lines.extend(shown);
            let more = words.with("screen-more", whole + 1 - room);
            lines.push(Line::raw(format!("  {more}")));
        }
        lines.extend(foot);
        lines
    }
}

impl Screen<'_, '_> {
    /// The text beside the board, in lines of a width; `needs` is the window that would show all of
    /// the board, where this one does not.
    pub(super) fn panel(&self, shown: &SidePanel, width: u16, needs: Option<(u16, u16)>) -> Panel {
        let bold = Style::default().add_modifier(Modifier::BOLD);
        let plain = Style::default();
        let words = self.play.session.language;
        let mut head = Vec::new();
        let say = |lines: &mut Vec<Line<'static>>, text: &str, style| {
            lines.extend(look::wrapped(text, style, width));
        };
        if let Some((wide, high)) = needs {
            let (wide, high) = (wide.to_string(), high.to_string());
            let text = words.filled("screen-cut", &[("wide", &wide), ("high", &high)]);
            say(&mut head, &text, plain);
        }
        if self.play.record.end().is_none() {
            let key = match self.play.record.side() {
                Seat::First => "turn-first",
                Seat::Second => "turn-second",
            };
            say(&mut head, words.text(key), plain);
        }
        head.extend(look::beside(words, &self.diagram, width));
        let turns = self.play.record.turns();
        if let Some(note) = swap_note(words, turns.iter().map(|turn| turn.mv.as_str())) {
            say(&mut head, note, plain);
        }
        if !shown.standing.is_empty() {
            say(&mut head, &shown.standing, bold);
        }
        if !shown.hint.is_empty() {
            let hint = capital(&words.with("game-hint", &shown.hint));
            say(&mut head, &hint, plain);
        }
        match &self.typed {
            Some(typed) => {
                let typed = words.with("screen-move", format!("{typed}_"));
                say(&mut head, &typed, plain);
            }
            None if shown.thinking => {
                let share = shown.share.map(|share| format!(" {:.0} %", 100.0 * share));
                let thinking = words.text("screen-thinking");
                let said = format!("{thinking}{}", share.unwrap_or_default());
                say(&mut head, &said, plain);
            }
            None if self.list.is_none() => say(&mut head, &self.message, plain),
            None => {}
        }
        let (mut body, mut focus) = (Vec::new(), 0);
        if let Some(list) = &self.list {
            let title = format!("{} (Enter, Esc):", words.text(list.title));
            say(&mut head, &title, plain);
            for (number, mv) in list.moves.iter().enumerate() {
                let chosen = number == list.chosen;
                let (mark, style) = if chosen { (">", bold) } else { (" ", plain) };
                say(&mut body, &format!("{mark} {}. {mv}", number + 1), style);
                if chosen {
                    focus = body.len() - 1;
                }
            }
        } else {
            if self.help {
                for line in HELP {
                    say(&mut body, words.text(line), plain);
                }
            }
            for value in &shown.values {
                let mark = if value.best { "*" } else { " " };
                let line = format!("{mark} {:<8} {}", value.mv, value.worth);
                say(&mut body, &line, plain);
            }
        }
        let record = |count: usize| {
            let mut text = String::from(words.text("screen-played"));
            for (number, turn) in turns.iter().enumerate().skip(turns.len() - count) {
                text.push_str(&format!(" {}.{}", number + 1, turn.mv));
            }
            match count {
                0 => Vec::new(),
                _ => look::wrapped(&text, plain, width),
            }
        };
        Panel {
            head,
            body,
            focus,
            played: (0..=turns.len().min(PLAYED)).map(record).collect(),
            key: look::wrapped(&self.key, plain, width),
        }
    }
}
