//! Play on the whole screen of a terminal: keys, mouse, colours and letters.

use std::io::stdout;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use greenwave_game::Diagram;
use greenwave_picture::{MovePlace, place};
use greenwave_play::HINTS;
use greenwave_values::Progress;
use ratatui::crossterm::event::{
    DisableMouseCapture, EnableMouseCapture, KeyEvent, KeyEventKind, MouseButton, MouseEvent,
    MouseEventKind,
};
use ratatui::crossterm::execute;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::Text;
use ratatui::widgets::Paragraph;
use ratatui::{DefaultTerminal, Frame};

use super::keys::Key;
use super::look::Cells;
use super::panel::{WindowLayout, arranged};
use super::unheard::{QuietListener, is_stop};
use super::{FreshPly, MoveValue, PlaySession, look};
use crate::output::words::capital;
use crate::output::{board, carried_command, is_standard, print, word};
use crate::session::CommandVerdict;

/// How often the screen looks for a request to stop.
const WAIT: Duration = Duration::from_millis(200);

pub(super) fn run(play: &mut PlaySession<'_>) -> Result<CommandVerdict> {
    // Long work reports while there are lines to report on.
    play.prepare()?;
    let unheard = Arc::new(QuietListener::at_keys(&play.session.tablebase));
    play.tablebase = play.tablebase.watched_by(Arc::clone(&unheard) as _);
    let mut terminal = ratatui::try_init().context(
        "this terminal cannot show a full screen; 'greenwave play' reads one command a line when \
         its input is not a terminal",
    )?;
    let mouse = execute!(stdout(), EnableMouseCapture);
    let outcome = Screen::new(play).run(&mut terminal, &unheard);
    if mouse.is_ok() {
        let _ = execute!(stdout(), DisableMouseCapture);
    }
    ratatui::restore();
    unheard.tell();
    let how = outcome?;
    farewell(play, how)
}

/// How the screen was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ScreenExit {
    Quit,
    Resigned,
    /// To see what every move was worth.
    Reviewed,
    Interrupted,
}

/// The last words, once the screen is restored.
fn farewell(play: &PlaySession<'_>, how: ScreenExit) -> Result<CommandVerdict> {
    let name = &play.named;
    let said = play.farewell(how == ScreenExit::Resigned);
    let moves: Vec<&str> = play.record.turns().iter().map(|turn| &*turn.mv).collect();
    let record = match &play.file {
        Some(file) if !is_standard(file) => format!("--moves {}", word(file)),
        Some(_) | None => format!("--moves '{}'", moves.join(" ")),
    };
    let seed = play.seed;
    if how == ScreenExit::Reviewed {
        print(&format!("{said}\n\n{}", play.review()?))?;
    } else if moves.is_empty() {
        print(&format!("{said}\n"))?;
    } else {
        let command = carried_command(&format!("greenwave review {name} {record}"));
        print(&format!("{said}\nSeed {seed}; go through it: {command}\n"))?;
    }
    Ok(match how {
        ScreenExit::Interrupted => CommandVerdict::Interrupted,
        ScreenExit::Quit | ScreenExit::Resigned | ScreenExit::Reviewed => CommandVerdict::Done,
    })
}

/// Moves to pick one from.
pub(super) struct MoveMenu {
    pub(super) title: &'static str,
    pub(super) moves: Vec<String>,
    pub(super) chosen: usize,
}

pub(super) struct Screen<'p, 'a> {
    pub(super) play: &'p mut PlaySession<'a>,
    pub(super) diagram: Diagram,
    pub(super) key: String,
    /// The mark that the cursor is on.
    pub(super) cursor: usize,
    pub(super) list: Option<MoveMenu>,
    pub(super) typed: Option<String>,
    pub(super) message: String,
    pub(super) hints: usize,
    pub(super) values: bool,
    /// The key that does what it says if it is pressed again.
    confirming: Option<char>,
    pub(super) help: bool,
    left: Option<ScreenExit>,
    /// Where the board was drawn last.
    pub(super) view: Rect,
    /// Which column and row of it came first there.
    scrolled: Position,
    /// Where each mark is on the whole board.
    pub(super) places: Vec<Rect>,
}

impl<'p, 'a> Screen<'p, 'a> {
    pub(super) fn new(play: &'p mut PlaySession<'a>) -> Screen<'p, 'a> {
        let mut screen = Screen {
            diagram: Diagram::default(),
            key: String::new(),
            cursor: 0,
            list: None,
            typed: None,
            message: {
                let words = play.session.language;
                words.with("screen-begin", words.text(sides(play.human)))
            },
            hints: 0,
            values: false,
            confirming: None,
            help: false,
            left: None,
            view: Rect::default(),
            scrolled: Position::default(),
            places: Vec::new(),
            play,
        };
        screen.look_again();
        screen.cursor = screen.diagram.marks.len() / 2;
        screen
    }

    /// Takes over the position of the record.
    fn look_again(&mut self) {
        let here = self.play.record.here();
        self.diagram = here.diagram();
        self.key = board::key(self.play.session.language, &self.diagram);
        self.hints = usize::from(self.play.hints);
    }

    fn run(
        &mut self,
        terminal: &mut DefaultTerminal,
        unheard: &QuietListener,
    ) -> Result<ScreenExit> {
        loop {
            if let Some(left) = self.left {
                return Ok(left);
            }
            let went = self.go_on(|screen, shown| {
                terminal.draw(|frame| screen.draw(frame, shown))?;
                Ok(())
            });
            if unheard.cancelled() {
                return Ok(ScreenExit::Interrupted);
            }
            went?;
            if let Some(event) = unheard.next(WAIT)? {
                if let Some(key) = event.as_key_event()
                    && key.kind != KeyEventKind::Release
                {
                    self.key(key)?;
                }
                // Of what else comes: the next drawing fits whatever size the window has.
                if let Some(mouse) = event.as_mouse_event() {
                    self.mouse(mouse)?;
                }
            }
        }
    }

    /// Makes the program's move if it is its turn, and shows how things stand; `show` comes first
    /// wherever the person will have to wait.
    pub(super) fn go_on(
        &mut self,
        mut show: impl FnMut(&mut Self, &SidePanel) -> Result<()>,
    ) -> Result<()> {
        let over = self.play.record.end().is_some();
        if !over && !self.play.humans_turn() {
            show(self, &SidePanel::thinking(None))?;
            while let Some(share) = self.play.reply_share() {
                show(self, &SidePanel::thinking(Some(share)))?;
                std::thread::sleep(WAIT);
            }
            let made = self.play.machine_move()?;
            self.message = self.told(&made);
            self.look_again();
        }
        self.play.think_ahead();
        let asked = self.values || self.hints > 0;
        if asked && self.play.answer.is_none() && self.play.record.end().is_none() {
            show(self, &SidePanel::thinking(None))?;
        }
        let shown = self.shown()?;
        show(self, &shown)
    }

    /// The text about a ply.
    fn told(&self, made: &FreshPly) -> String {
        let words = self.play.session.language;
        let key = if made.by_machine {
            "game-plays"
        } else {
            "game-you-play"
        };
        let opinion = if made.opinion {
            format!(" ({})", words.text("game-opinion"))
        } else {
            String::new()
        };
        let drawn = match made.drawn.as_slice() {
            [] => String::new(),
            drawn => format!("; {}", words.with("game-drawn", drawn.concat())),
        };
        let who = capital(&words.with(key, &made.mv));
        format!("{who}{opinion}{drawn}.")
    }

    /// The answer about the position, as far as the player wants it.
    pub(super) fn shown(&mut self) -> Result<SidePanel> {
        let mut shown = SidePanel::default();
        if let Some(end) = self.play.end_in_words() {
            let said = self.play.session.language.with("game-over", end);
            shown.standing = format!("{}.", capital(&said));
            return Ok(shown);
        }
        if self.values {
            shown.standing = self.play.standing()?;
            shown.values = self.play.values()?;
        }
        if self.hints > 0 {
            let step = self.hints;
            let words = self.play.session.language;
            shown.hint = self.play.hint(step)?.said(words);
        }
        Ok(shown)
    }

    fn key(&mut self, key: KeyEvent) -> Result<()> {
        if is_stop(&key) {
            self.left = Some(ScreenExit::Interrupted);
            return Ok(());
        }
        if self.typed.is_some() {
            return self.typing(Key::of(key.code));
        }
        if self.list.is_some() {
            return self.picking(Key::of(key.code));
        }
        match Key::of(key.code) {
            Some(key) => self.pressed(key),
            None => Ok(()),
        }
    }

    /// Whether the game is left.
    #[cfg(test)]
    pub(super) fn has_left(&self) -> bool {
        self.left.is_some()
    }

    /// Does what a key says.
    pub(super) fn pressed(&mut self, key: Key) -> Result<()> {
        let confirmed = self.confirming.take();
        let is_over = self.play.record.end().is_some();
        match key {
            Key::Char('q') => self.left = Some(ScreenExit::Quit),
            Key::Char('?') => self.help = !self.help,
            Key::Char('v') => self.values = !self.values,
            Key::Char('h') => self.hints = (self.hints + 1).min(HINTS),
            Key::Char('u') => {
                let undone = self.play.undo()?;
                let words = self.play.session.language;
                let said = match undone {
                    0 => words.text("game-no-undo").to_string(),
                    _ => words.with("game-undone", undone),
                };
                self.message = format!("{}.", capital(&said));
                self.look_again();
            }
            Key::Char('r') if is_over => self.left = Some(ScreenExit::Reviewed),
            Key::Char('r') if confirmed == Some('r') => self.left = Some(ScreenExit::Resigned),
            Key::Char('r') => {
                self.confirming = Some('r');
                self.message = self.play.session.language.text("screen-resign").into();
            }
            Key::Char('n') if self.play.file.is_some() => {
                self.message = self.play.session.language.text("screen-recorded").into();
            }
            Key::Char('n') if is_over || confirmed == Some('n') => {
                self.play.begin_again();
                let words = self.play.session.language;
                self.message = words.with("screen-again", self.play.seed);
                self.look_again();
            }
            Key::Char('n') => {
                self.confirming = Some('n');
                self.message = self.play.session.language.text("screen-new").into();
            }
            Key::Escape => self.help = false,
            Key::Char(':' | 'm') => self.typed = Some(String::new()),
            Key::Tab => {
                let moves = self.play.record.legal();
                self.offer("screen-all", moves)?;
            }
            Key::Enter | Key::Char(' ') => self.play_here()?,
            Key::Left => self.step(-1, 0),
            Key::Right => self.step(1, 0),
            Key::Up => self.step(0, -1),
            Key::Down => self.step(0, 1),
            Key::Char(_) | Key::Backspace => {}
        }
        Ok(())
    }

    fn typing(&mut self, key: Option<Key>) -> Result<()> {
        let (Some(typed), Some(key)) = (&mut self.typed, key) else {
            return Ok(());
        };
        match key {
            Key::Escape => self.typed = None,
            Key::Backspace => {
                typed.pop();
            }
            Key::Char(letter) => typed.push(letter),
            Key::Enter => {
                let typed = std::mem::take(typed);
                self.typed = None;
                if !typed.trim().is_empty() {
                    self.play_move(&typed)?;
                }
            }
            Key::Tab | Key::Left | Key::Right | Key::Up | Key::Down => {}
        }
        Ok(())
    }

    fn picking(&mut self, key: Option<Key>) -> Result<()> {
        let (Some(list), Some(key)) = (&mut self.list, key) else {
            return Ok(());
        };
        let last = list.moves.len().saturating_sub(1);
        match key {
            Key::Escape | Key::Char('q') | Key::Tab => self.list = None,
            Key::Up | Key::Left => list.chosen = list.chosen.saturating_sub(1),
            Key::Down | Key::Right => list.chosen = (list.chosen + 1).min(last),
            Key::Char(digit @ '1'..='9') => {
                let number = digit as usize - '1' as usize;
                if number <= last {
                    list.chosen = number;
                    return self.picked();
                }
            }
            Key::Enter | Key::Char(' ') => return self.picked(),
            Key::Char(_) | Key::Backspace => {}
        }
        Ok(())
    }

    fn picked(&mut self) -> Result<()> {
        if let Some(list) = self.list.take()
            && let Some(mv) = list.moves.get(list.chosen)
        {
            self.play_move(mv)?;
        }
        Ok(())
    }

    pub(super) fn mouse(&mut self, mouse: MouseEvent) -> Result<()> {
        if mouse.kind != MouseEventKind::Down(MouseButton::Left) {
            return Ok(());
        }
        let at = Position::new(mouse.column, mouse.row);
        if !self.view.contains(at) {
            return Ok(());
        }
        let on_board = Position::new(
            at.x - self.view.x + self.scrolled.x,
            at.y - self.view.y + self.scrolled.y,
        );
        let hit = self
            .places
            .iter()
            .position(|place| place.contains(on_board));
        if let Some(mark) = hit {
            self.cursor = mark;
            self.list = None;
            self.play_here()?;
        }
        Ok(())
    }

    /// Moves the cursor to the nearest mark in a direction.
    fn step(&mut self, across: i32, down: i32) {
        let at = |mark: usize| {
            let (x, y, _) = self.diagram.marks[mark];
            (i32::from(x), i32::from(y) * 2)
        };
        let (x, y) = at(self.cursor);
        let ahead = (0..self.diagram.marks.len()).filter_map(|mark| {
            let (dx, dy) = (at(mark).0 - x, at(mark).1 - y);
            let (along, aside) = if across == 0 {
                (dy * down, dx)
            } else {
                (dx * across, dy)
            };
            (along > 0).then_some((along + 3 * aside.abs(), mark))
        });
        if let Some((_, mark)) = ahead.min() {
            self.cursor = mark;
        }
    }

    /// Plays on the square of the cursor, or lets pick where several moves are possible.
    fn play_here(&mut self) -> Result<()> {
        let all = self.play.record.legal();
        let cursor = self.cursor;
        let here = |text: &&String| match place(&self.diagram, text) {
            MovePlace::Square(square) => square == cursor,
            MovePlace::Step(from, to) => from == cursor || to == cursor,
            MovePlace::Elsewhere => false,
        };
        let moves: Vec<String> = all.iter().filter(here).cloned().collect();
        match moves.as_slice() {
            [] => {
                let key = match self.play.record.end() {
                    Some(_) => "screen-over",
                    None => "screen-no-move",
                };
                self.message = self.play.session.language.text(key).into();
                Ok(())
            }
            [one] => self.play_move(&one.clone()),
            _ => self.offer("screen-here", moves),
        }
    }

    fn offer(&mut self, title: &'static str, moves: Vec<String>) -> Result<()> {
        if !moves.is_empty() {
            self.list = Some(MoveMenu {
                title,
                moves,
                chosen: 0,
            });
        }
        Ok(())
    }

    pub(super) fn play_move(&mut self, mv: &str) -> Result<()> {
        match self.play.human_move(mv) {
            Ok(made) => {
                self.message = self.told(&made);
                self.look_again();
                Ok(())
            }
            Err(error) if error.is::<greenwave_tablebase::Error>() => {
                self.message = error.to_string();
                Ok(())
            }
            Err(error) => Err(error),
        }
    }

    pub(super) fn draw(&mut self, frame: &mut Frame<'_>, shown: &SidePanel) {
        let area = frame.area();
        let name = self.play.variant.rules().title();
        let bold = Style::default().add_modifier(Modifier::BOLD);
        let words = self.play.session.language;
        let level = words.text(super::level_key(self.play.level));
        let mut title = look::wrapped(&format!("{name}, {level}"), bold, area.width);
        title.truncate(2);
        let titled = title.len() as u16;
        let tags = self.tags(shown);
        let over = self.play.record.end().is_some();
        let cursor = (!over).then_some(self.cursor);
        let drawn = |cells| look::board(&self.diagram, cells, cursor, &tags);
        let panel = self.panel(shown, area.width, None);
        let larger = Cells::LARGER.map(drawn);
        let smallest = drawn(Cells::SMALL);
        let (board, layout) = arranged(larger, smallest, area, titled, &panel);
        self.places.clone_from(&board.places);
        self.view = Rect::default();
        let (board_area, panel_area, needs) = match layout {
            WindowLayout::TooSmall(width, height) => {
                let (width, height) = (width.to_string(), height.to_string());
                let size = [("wide", width.as_str()), ("high", height.as_str())];
                let full = words.filled("screen-small", &size);
                let short = words.filled("screen-size", &size);
                let mut lines = look::wrapped(&full, bold, area.width);
                if lines.len() > usize::from(area.height) {
                    lines = look::wrapped(&short, bold, area.width);
                }
                frame.render_widget(Paragraph::new(lines), area);
                return;
            }
            WindowLayout::Shown {
                board,
                panel,
                needs,
            } => (board, panel, needs),
        };
        let top = Rect::new(area.x, area.y, area.width, titled);
        frame.render_widget(Paragraph::new(title), top);
        // A board that does not fit is scrolled so that the cursor is in the middle, as far as the
        // board reaches.
        let at = self.places.get(self.cursor).copied().unwrap_or_default();
        let scrolled = |middle: u16, shown: u16, whole: u16| {
            let most = whole.saturating_sub(shown);
            middle.saturating_sub(shown / 2).min(most)
        };
        let height = board.height();
        self.scrolled = Position::new(
            scrolled(at.x + at.width / 2, board_area.width, board.width),
            scrolled(at.y + at.height / 2, board_area.height, height),
        );
        self.view = board_area;
        let rows = Paragraph::new(Text::from(board.lines));
        let rows = rows.scroll((self.scrolled.y, self.scrolled.x));
        frame.render_widget(rows, board_area);
        let panel = self.panel(shown, panel_area.width, needs);
        let lines = panel.fitted(words, panel_area.height);
        frame.render_widget(Paragraph::new(lines), panel_area);
    }

    /// The best that each square offers, for the player who moves there: + wins, = draws, - loses.
    fn tags(&self, shown: &SidePanel) -> Vec<Option<char>> {
        let mut tags = vec![None; self.diagram.marks.len()];
        for value in &shown.values {
            let Some(sign) = value.sign else { continue };
            let square = match place(&self.diagram, &value.mv) {
                MovePlace::Square(square) | MovePlace::Step(square, _) => square,
                MovePlace::Elsewhere => continue,
            };
            // The best move of a square comes first.
            tags[square].get_or_insert(sign);
        }
        tags
    }
}

/// What is shown beside the board.
#[derive(Default)]
pub(super) struct SidePanel {
    pub(super) thinking: bool,
    /// The part of the reply that is worked out, from 0 to 1, where one is.
    pub(super) share: Option<f64>,
    pub(super) standing: String,
    pub(super) hint: String,
    pub(super) values: Vec<MoveValue>,
}

impl SidePanel {
    fn thinking(share: Option<f64>) -> SidePanel {
        SidePanel {
            thinking: true,
            share,
            ..SidePanel::default()
        }
    }
}

/// The key of the sides that people play.
fn sides(human: [bool; 2]) -> &'static str {
    match human {
        [true, true] => "screen-both",
        [true, false] => "screen-first",
        [false, true] => "screen-second",
        [false, false] => "screen-none",
    }
}
