//! What a game says of its rules and beside its board, in no language: sentences by their keys, with what
//! fills their places. The crate `words` has them in every language.

/// The sentences of one kind of game.
#[derive(Debug, PartialEq, Eq)]
pub struct Vocabulary {
    /// Its name, which the file of each language has.
    pub name: &'static str,
    /// The keys.
    pub keys: &'static [&'static str],
}

/// A sentence, or a phrase that fills a place in one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// Whose it is.
    pub vocabulary: &'static Vocabulary,
    /// Its key there.
    pub key: &'static str,
    /// What fills its places, in their order.
    pub arguments: Vec<Argument>,
}

/// What fills a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A number, with the word of what is counted where the sentence has one.
    Number(u64),
    /// What is written alike in all languages: names of squares.
    Text(String),
    /// Phrases, with commas between them.
    List(Vec<Sentence>),
    /// Words, with hyphens between them.
    Row(Vec<Sentence>),
}

impl Argument {
    /// A number of things.
    pub(crate) fn number(number: impl TryInto<u64>) -> Argument {
        Argument::Number(number.try_into().unwrap_or(u64::MAX))
    }
}

impl From<Sentence> for Argument {
    fn from(phrase: Sentence) -> Argument {
        Argument::List(vec![phrase])
    }
}

/// The keys of a kind of game as an enum, and its [`Vocabulary`]. A key that nothing says is reported by
/// the compiler, and one that a language lacks by the tests of `words`.
macro_rules! vocabulary {
    ($words:ident, $name:literal, $sentences:ident: $($key:ident)+) => {
        /// What the rules and the board say.
        pub(crate) static $words: $crate::Vocabulary = $crate::Vocabulary {
            name: $name,
            keys: &[$(stringify!($key)),+],
        };

        /// The keys of the sentences.
        #[derive(Clone, Copy, Debug)]
        pub(crate) enum $sentences {
            $($key),+
        }

        impl $sentences {
            /// The sentence with its places filled.
            pub(crate) fn with<const N: usize>(
                self,
                arguments: [$crate::Argument; N],
            ) -> $crate::Sentence {
                $crate::Sentence {
                    vocabulary: &$words,
                    key: $words.keys[self as usize],
                    arguments: arguments.into(),
                }
            }

            /// A sentence without places.
            pub(crate) fn plain(self) -> $crate::Sentence {
                self.with([])
            }
        }
    };
}
