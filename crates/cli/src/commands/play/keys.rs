//! The keys that the full screen understands.

use ratatui::crossterm::event::KeyCode;

/// A key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    Char(char),
    Enter,
    Escape,
    Backspace,
    Tab,
    Left,
    Right,
    Up,
    Down,
}

impl Key {
    /// The key of a code; `None` for those that mean nothing here.
    pub(super) fn of(code: KeyCode) -> Option<Key> {
        const NAMED: [(KeyCode, Key); 8] = [
            (KeyCode::Enter, Key::Enter),
            (KeyCode::Esc, Key::Escape),
            (KeyCode::Backspace, Key::Backspace),
            (KeyCode::Tab, Key::Tab),
            (KeyCode::Left, Key::Left),
            (KeyCode::Right, Key::Right),
            (KeyCode::Up, Key::Up),
            (KeyCode::Down, Key::Down),
        ];
        if let KeyCode::Char(letter) = code {
            return Some(Key::Char(letter));
        }
        let named = NAMED.iter().find(|(named, _)| *named == code);
        named.map(|(_, key)| *key)
    }
}
