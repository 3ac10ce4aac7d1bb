//! The messages of errors. A message is a key with what fills its places, beside its text in English. The
//! crate `words` has the text of each key in the other languages.

use std::fmt;

/// What an error says.
///
/// A crate lists its messages with [`messages!`](crate::messages!). A message made of a text alone has no
/// key, and so is in English everywhere.
///
/// # Examples
/// ```
/// use greenwave_game::{Message, Variant};
///
/// let Err(error) = Variant::parse("clasic-3x3") else { unreachable!() };
/// let message = error.message();
/// assert_eq!(message.key(), Some("variant_near"));
/// assert_eq!(message.to_string(), error.to_string());
/// assert_eq!(Message::from("found no such thing").key(), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message(Box<Content>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Content {
    key: Option<&'static str>,
    english: String,
    fillings: Vec<(&'static str, Filling)>,
}

/// What fills a place of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Filling {
    /// What is written alike in all languages: numbers, names, moves, what somebody typed.
    Text(String),
    /// A number, its digits in groups of three as the language writes them.
    Count(u64),
    /// A message.
    Message(Message),
    /// Messages, with `; ` between them.
    List(Vec<Message>),
}

impl Message {
    /// The message of a key, with its text in English; [`messages!`](crate::messages!) calls it.
    #[must_use]
    pub fn keyed(
        key: &'static str,
        english: String,
        fillings: Vec<(&'static str, Filling)>,
    ) -> Message {
        Message(Box::new(Content {
            key: Some(key),
            english,
            fillings,
        }))
    }

    /// What is wrong with something, after its name.
    #[must_use]
    pub fn labelled(name: impl Into<Filling>, problem: impl Into<Filling>) -> Message {
        crate::messages::labelled(name, problem)
    }

    /// Its key; none if it is in English alone.
    #[must_use]
    pub fn key(&self) -> Option<&'static str> {
        self.0.key
    }

    /// Its text in English.
    #[must_use]
    pub fn english(&self) -> &str {
        &self.0.english
    }

    /// What fills the place of a name.
    #[must_use]
    pub fn filling(&self, place: &str) -> Option<&Filling> {
        let mut fillings = self.0.fillings.iter();
        let found = fillings.find(|(name, _)| *name == place);
        found.map(|(_, filling)| filling)
    }

    /// The same message with another text in each place where it has one, and in English.
    #[must_use]
    pub fn rewritten(&self, rewrite: &impl Fn(&str) -> String) -> Message {
        let each = |(name, filling): &(&'static str, Filling)| {
            let filling = match filling {
                Filling::Text(text) => Filling::Text(rewrite(text)),
                Filling::Count(count) => Filling::Count(*count),
                Filling::Message(message) => Filling::Message(message.rewritten(rewrite)),
                Filling::List(list) => {
                    Filling::List(list.iter().map(|one| one.rewritten(rewrite)).collect())
                }
            };
            (*name, filling)
        };
        Message(Box::new(Content {
            key: self.0.key,
            english: rewrite(&self.0.english),
            fillings: self.0.fillings.iter().map(each).collect(),
        }))
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.english)
    }
}

impl std::error::Error for Message {}

impl From<String> for Message {
    fn from(english: String) -> Message {
        Message(Box::new(Content {
            key: None,
            english,
            fillings: Vec::new(),
        }))
    }
}

impl From<&str> for Message {
    fn from(english: &str) -> Message {
        english.to_string().into()
    }
}

impl fmt::Display for Filling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Filling::Text(text) => f.write_str(text),
            Filling::Count(count) => f.write_str(&crate::grouped(count)),
            Filling::Message(message) => message.fmt(f),
            Filling::List(list) => {
                for (number, message) in list.iter().enumerate() {
                    if number > 0 {
                        f.write_str("; ")?;
                    }
                    message.fmt(f)?;
                }
                Ok(())
            }
        }
    }
}

impl From<Message> for Filling {
    fn from(message: Message) -> Filling {
        Filling::Message(message)
    }
}

impl From<Vec<Message>> for Filling {
    fn from(list: Vec<Message>) -> Filling {
        Filling::List(list)
    }
}

macro_rules! texts {
    ($($kind:ty)+) => {
        $(impl From<$kind> for Filling {
            fn from(text: $kind) -> Filling {
                Filling::Text(text.to_string())
            }
        })+
    };
}

texts!(String &str &String char u8 u32 u64 usize i64);

/// The messages of a crate: for each a function that fills the places of its English text, and
/// `MESSAGES`, the list of keys and English texts. The compiler reports a message that nothing says and a
/// place without a filling; a test of `web` reports the keys that a language lacks.
///
/// # Examples
/// ```
/// greenwave_game::messages! {
///     no_apple(found, most) = "found {found} apples, expected at most {most}";
/// }
///
/// # fn main() {
/// assert_eq!(no_apple(4_u32, 3_u32).english(), "found 4 apples, expected at most 3");
/// assert_eq!(MESSAGES, [("no_apple", "found {found} apples, expected at most {most}")]);
/// # }
/// ```
#[macro_export]
macro_rules! messages {
    ($($key:ident($($place:ident),*) = $english:literal;)+) => {
        /// Keys and English texts of all messages of this crate.
        pub static MESSAGES: &[(&str, &str)] = &[$((stringify!($key), $english)),+];

        $(pub(crate) fn $key($($place: impl Into<$crate::Filling>),*) -> $crate::Message {
            $(let $place: $crate::Filling = $place.into();)*
            let english = format!($english, $($place = $place),*);
            let fillings = vec![$((stringify!($place), $place)),*];
            $crate::Message::keyed(stringify!($key), english, fillings)
        })+
    };
}
