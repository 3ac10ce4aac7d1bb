//! The order in which the lights of a game are written and told.

use std::fmt;

use crate::Filling;

/// The order of the lights in which boards are typed and drawn. Levels stay what they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Lights {
    /// Level 1 red, 2 yellow, 3 green.
    #[default]
    Ryg,
    /// Level 1 green, 2 yellow, 3 red: the Portuguese order.
    Gyr,
}

impl fmt::Display for Lights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Lights {
    /// Both orders.
    pub const ALL: [Lights; 2] = [Lights::Ryg, Lights::Gyr];

    /// Its name, as options and documents write it: `ryg` or `gyr`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Lights::Ryg => "ryg",
            Lights::Gyr => "gyr",
        }
    }

    /// The other order.
    #[must_use]
    pub fn other(self) -> Lights {
        match self {
            Lights::Ryg => Lights::Gyr,
            Lights::Gyr => Lights::Ryg,
        }
    }

    /// The order with a name, without regard to case and spaces.
    #[must_use]
    pub fn named(name: &str) -> Option<Lights> {
        let known = |lights: &Lights| lights.name().eq_ignore_ascii_case(name.trim());
        Lights::ALL.into_iter().find(known)
    }

    /// What belongs to levels 0 to 3, given for red first, as it is in this order.
    #[must_use]
    pub fn arranged<T>(self, [empty, first, second, third]: [T; 4]) -> [T; 4] {
        match self {
            Lights::Ryg => [empty, first, second, third],
            Lights::Gyr => [empty, third, second, first],
        }
    }

    /// The letters of levels 0 to 3.
    #[must_use]
    pub fn letters(self) -> [char; 4] {
        self.arranged(['.', 'R', 'Y', 'G'])
    }

    /// The letters of pictures.
    #[must_use]
    pub fn of_pictures(self) -> &'static str {
        match self {
            Lights::Ryg => ". R Y G",
            Lights::Gyr => ". G Y R",
        }
    }

    /// The letter of a level, 0 to 3.
    #[must_use]
    pub fn letter(self, level: u8) -> char {
        self.letters()[usize::from(level & 3)]
    }

    /// The names of levels 0 to 3.
    #[must_use]
    pub fn names(self) -> &'static [&'static str; 4] {
        match self {
            Lights::Ryg => &["empty", "red", "yellow", "green"],
            Lights::Gyr => &["empty", "green", "yellow", "red"],
        }
    }

    /// A text of this order with red first, or one with red first in this order.
    #[must_use]
    pub fn exchanged(self, text: &str) -> String {
        let (from, to) = (Lights::default().letters(), self.letters());
        let place = |letter: char| from.iter().position(|known| *known == letter);
        let letter = |letter| place(letter).map_or(letter, |level| to[level]);
        text.chars().map(letter).collect()
    }

    /// The letters and names of the lights up to a level, in their order.
    pub fn up_to(self, highest: u8) -> impl Iterator<Item = (char, &'static str)> {
        (1..=highest).map(move |level| (self.letter(level), self.names()[usize::from(level)]))
    }

    /// What the letters up to a level mean, in order, as a sentence for people.
    #[must_use]
    pub fn legend(self, highest: u8) -> String {
        let lights = self.up_to(highest);
        let lights: Vec<String> = lights
            .map(|(letter, name)| format!("{letter} {name}"))
            .collect();
        format!(
            "Lights in order: {}; . is an empty square.",
            lights.join(", ")
        )
    }

    /// The level of a letter or digit: `.RYG` in this order, `0123`, lower case, `O` and `A` for
    /// orange and amber.
    #[must_use]
    pub fn level(self, letter: char) -> Option<u8> {
        let letter = match letter.to_ascii_uppercase() {
            'O' | 'A' => 'Y',
            digit @ '0'..='3' => return Some(digit as u8 - b'0'),
            other => other,
        };
        self.letters()
            .iter()
            .position(|known| *known == letter)
            .map(|level| level as u8)
    }
}

/// The letter of a colour that is written out, in any language of the program.
pub(crate) fn letter_of_colour(word: &str) -> Option<char> {
    let letter = match word.to_lowercase().as_str() {
        "red" | "rot" | "rojo" | "roja" | "vermelho" | "vermelha" => 'R',
        "yellow" | "orange" | "amber" | "gelb" | "amarillo" | "amarilla" | "amarelo"
        | "amarela" => 'Y',
        "green" | "grün" | "gruen" | "verde" => 'G',
        _ => return None,
    };
    Some(letter)
}

impl std::str::FromStr for Lights {
    type Err = UnknownLights;

    fn from_str(name: &str) -> Result<Lights, UnknownLights> {
        Lights::named(name).ok_or_else(|| UnknownLights(name.into()))
    }
}

/// A name of no order of the lights.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("found '{0}', expected 'ryg' or 'gyr'")]
pub struct UnknownLights(String);

impl From<Lights> for Filling {
    fn from(lights: Lights) -> Filling {
        Filling::Text(lights.to_string())
    }
}
