//! The facts that a game remembers beside its board, and the text of it that is hashed.

use std::fmt::Write;

use crate::WinPattern;

/// The part of a player: who begins, or the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// The player who makes the first ply.
    First,
    /// The other player.
    Second,
}

impl Part {
    /// Both, in order.
    pub const ALL: [Part; 2] = [Part::First, Part::Second];

    /// The part of the opponent.
    #[must_use]
    pub fn other(self) -> Part {
        match self {
            Part::First => Part::Second,
            Part::Second => Part::First,
        }
    }

    /// Its name in texts: `first` or `second`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Part::First => "first",
            Part::Second => "second",
        }
    }
}

/// Where a player may raise after the raise in the ply before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LastSquare {
    /// Anywhere.
    #[default]
    Any,
    /// Not on that square.
    Forbidden,
    /// On a square next to it.
    Neighbours,
    /// Neither on it nor on a square next to it.
    Elsewhere,
}

/// Whether a player may pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Passing {
    /// Never.
    #[default]
    Never,
    /// Always; two passes in a row end the game as a draw.
    Free,
    /// Once each in a game.
    Once,
}

/// How many raises make a turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RaisesATurn {
    /// One.
    #[default]
    One,
    /// Two.
    Two,
    /// One in the first turn of the game, two in each later one.
    OneThenTwo,
}

impl RaisesATurn {
    /// Whose turn it is after this many raises, where nobody passes.
    #[must_use]
    pub fn part(self, raises: u32) -> Part {
        let turn = match self {
            RaisesATurn::One => raises,
            RaisesATurn::Two => raises / 2,
            RaisesATurn::OneThenTwo => raises.div_ceil(2),
        };
        if turn.is_multiple_of(2) {
            Part::First
        } else {
            Part::Second
        }
    }

    /// Number of raises that a turn has left after this number of raises in the game.
    #[must_use]
    pub fn left(self, raises: u32) -> u32 {
        match self {
            RaisesATurn::One => 1,
            RaisesATurn::Two => 2 - raises % 2,
            RaisesATurn::OneThenTwo => 1 + raises % 2,
        }
    }
}

/// Rules that other games on a fixed board do not have, and that need more than the board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryRules {
    /// Whether the second player may take over the part of the first after the first ply.
    pub swap: bool,
    /// Where a player may raise after the raise in the ply before.
    pub last_square: LastSquare,
    /// Whether a player may pass.
    pub pass: Passing,
    /// How many raises make a turn.
    pub turns: RaisesATurn,
    /// The levels to which each part may raise, sorted; `None`: all levels.
    pub may: Option<[Vec<u8>; 2]>,
    /// The patterns that count for each part, mirror images included; `None`: all count for whoever
    /// completes them.
    pub goal: Option<[Vec<WinPattern>; 2]>,
    /// How many lines win; `None`: the first.
    pub win_lines: Option<u8>,
}

impl MemoryRules {
    /// Whether a game needs to remember nothing.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        *self == MemoryRules::default()
    }

    /// Whether moves or lines are not the same for both parts.
    #[must_use]
    pub fn has_parts(&self) -> bool {
        self.may.is_some() || self.goal.is_some()
    }

    /// The properties that differ from other games, a line each: part of the text that is hashed.
    #[must_use]
    pub fn canonical(&self) -> String {
        let mut text = String::new();
        if self.swap {
            text.push_str("swap in the second ply\n");
        }
        text.push_str(match self.last_square {
            LastSquare::Any => "",
            LastSquare::Forbidden => "last square forbidden\n",
            LastSquare::Neighbours => "last square neighbours\n",
            LastSquare::Elsewhere => "last square elsewhere\n",
        });
        text.push_str(match self.pass {
            Passing::Never => "",
            Passing::Free => "pass free\n",
            Passing::Once => "pass once\n",
        });
        text.push_str(match self.turns {
            RaisesATurn::One => "",
            RaisesATurn::Two => "raises in a turn 2\n",
            RaisesATurn::OneThenTwo => "raises in a turn 1 2 2\n",
        });
        let or_nothing = |listed: Vec<String>| match listed[..] {
            [] => "nothing".to_string(),
            _ => listed.join(" "),
        };
        for part in Part::ALL {
            if let Some(may) = &self.may {
                let levels = may[part as usize].iter().map(u8::to_string);
                let levels = or_nothing(levels.collect());
                let _ = writeln!(text, "{} raises to {levels}", part.name());
            }
            if let Some(goal) = &self.goal {
                let patterns = goal[part as usize].iter();
                let patterns = patterns.map(|pattern| {
                    let levels = pattern.levels.iter().map(u8::to_string);
                    levels.collect::<String>()
                });
                let patterns = or_nothing(patterns.collect());
                let _ = writeln!(text, "{} completes {patterns}", part.name());
            }
        }
        if let Some(lines) = self.win_lines {
            // Where a player without a raise may have another move, the other may still raise.
            let waits = self.may.is_some() && (self.pass != Passing::Never || self.swap);
            let when = if waits { " when nobody can raise" } else { "" };
            let _ = writeln!(text, "lines {lines}{when}");
        }
        text
    }
}
