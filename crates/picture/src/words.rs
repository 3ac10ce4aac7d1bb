//! A picture in words.

use greenwave_game::{Diagram, Mark};

/// The words of a description.
#[derive(Clone, Copy, Debug)]
pub struct Words<'a> {
    /// An empty square or point.
    pub empty: &'a str,
    /// A board, hand or market without counters.
    pub nothing: &'a str,
    /// A red light or disc.
    pub red: &'a str,
    /// A yellow one.
    pub yellow: &'a str,
    /// A green one.
    pub green: &'a str,
    /// What follows a disc under its owner's cylinder.
    pub cylinder: &'a str,
}

/// The words in English.
pub const ENGLISH: Words<'static> = Words {
    empty: "empty",
    nothing: "empty",
    red: "red",
    yellow: "yellow",
    green: "green",
    cylinder: "under a cylinder",
};

impl<'a> Words<'a> {
    /// The words of a language, whose text of each key is known: the keys are the names of the fields.
    #[must_use]
    pub fn of_keys(text: impl Fn(&'static str) -> &'a str) -> Words<'a> {
        Words {
            empty: text("empty"),
            nothing: text("nothing"),
            red: text("red"),
            yellow: text("yellow"),
            green: text("green"),
            cylinder: text("cylinder"),
        }
    }

    /// The word of a light or disc by its letter.
    #[must_use]
    pub fn colour(&self, letter: char) -> &str {
        match letter {
            'R' => self.red,
            'Y' => self.yellow,
            'G' => self.green,
            _ => self.empty,
        }
    }

    /// What stands on a square.
    #[must_use]
    pub fn mark(&self, diagram: &Diagram, mark: Mark) -> String {
        match mark {
            Mark::Level(level) => self.colour(diagram.letter(level)).into(),
            Mark::Disc {
                colour,
                cylinder: false,
            } => self.colour(colour).into(),
            Mark::Disc {
                colour,
                cylinder: true,
            } => format!("{} {}", self.colour(colour), self.cylinder),
            Mark::Point | Mark::Sign(None) => self.empty.into(),
            Mark::Sign(Some(sign)) => sign.into(),
        }
    }
}

/// The title of the bag where none is given.
pub(crate) const BAG: &str = "Bag";

/// Every square that is not empty, with what stands there: `a1 red, b2 green`, or the word for empty
/// alone; then the rows of counters.
#[must_use]
pub fn describe(diagram: &Diagram, row_titles: &[String], words: &Words<'_>) -> String {
    let standing: Vec<String> = diagram
        .marks
        .iter()
        .enumerate()
        .filter(|(_, (.., mark))| !matches!(mark, Mark::Level(0) | Mark::Point | Mark::Sign(None)))
        .map(|(place, (.., mark))| {
            let name = diagram.names.get(place).map_or("", String::as_str);
            format!("{name} {}", words.mark(diagram, *mark))
        })
        .collect();
    let mut sentences = vec![if standing.is_empty() {
        words.nothing.to_string()
    } else {
        standing.join(", ")
    }];
    for (number, (title, levels)) in diagram.rows.iter().enumerate() {
        let title = row_titles.get(number).unwrap_or(title);
        let counters: Vec<&str> = levels
            .iter()
            .map(|level| words.colour(diagram.letter(*level)))
            .collect();
        let counters = if counters.is_empty() {
            words.nothing.to_string()
        } else {
            counters.join(", ")
        };
        sentences.push(format!("{title}: {counters}"));
    }
    if !diagram.bag.is_empty() {
        let title = row_titles.get(diagram.rows.len());
        let counters: Vec<String> = diagram
            .bag
            .iter()
            .map(|(level, count)| format!("{count} {}", words.colour(diagram.letter(*level))))
            .collect();
        let title = title.map_or(BAG, String::as_str);
        sentences.push(format!("{title}: {}", counters.join(", ")));
    }
    sentences.join(". ")
}
