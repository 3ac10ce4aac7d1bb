//! A strategy in four forms: sentences, a card, a claim, a certificate.

use greenwave_game::{Rules, Squares, counted};
use greenwave_tablebase::Theorem;
use greenwave_words::Language;

use super::follow::StrategyCheck;
use super::ground::{Ground, Image};
use super::{Symmetry, up_to_symmetry};

/// Most exceptions that the text lists one by one.
const LISTED_EXCEPTIONS: usize = 20;

/// A strategy that wins against every defence. Positions and moves are texts of the game.
#[derive(Clone, Debug)]
pub struct Strategy {
    /// Whether it is the first player's; else the second's.
    pub first: bool,
    /// The squares of the winner's first moves, by own turns.
    pub opening: Vec<String>,
    /// By which the winner replies afterwards; nothing where every reply is an exception.
    pub symmetry: Option<Symmetry>,
    /// Positions with the winner to move in which the reply is another.
    pub exceptions: Vec<(String, String)>,
    /// Whether no strategy of this form, with at most one move of an opening, has fewer exceptions.
    pub proven_least: bool,
    /// Exceptions that every strategy of this form is proved to need.
    pub at_least: u64,
    /// Moves of the opponent that were tried in the check against every defence, and the start.
    pub positions: u64,
    /// A reply for each orbit of positions that the check met and that is not won at once, as
    /// certificates list them.
    pub replies: Vec<(String, String)>,
    /// The theorem that proves it, where it was not played against every defence: there are no positions and
    /// replies then.
    pub theorem: Option<Theorem>,
    pub(super) wins_at_once: bool,
    variant: String,
    // The name that people see.
    title: String,
    // The name of the order of the lights, and the line of a certificate for it.
    lights: Option<&'static str>,
    lights_line: String,
    slug: String,
    canonical: String,
    // Which square goes to which, and the board with a letter for each pair.
    pairs: Vec<(String, Image)>,
    drawn: Option<Vec<String>>,
}

impl Strategy {
    /// The strategy without exceptions, unchecked.
    pub(super) fn new<G: Squares>(
        game: &G,
        ground: &Ground<'_>,
        first: bool,
        symmetry: Option<Symmetry>,
        opening: Option<usize>,
    ) -> Strategy {
        let map = symmetry.and_then(|symmetry| ground.map(symmetry));
        let rules = game.rules();
        Strategy {
            first,
            opening: opening
                .map(|square| ground.names[square].clone())
                .into_iter()
                .collect(),
            symmetry,
            exceptions: Vec::new(),
            proven_least: true,
            at_least: 0,
            positions: 0,
            replies: Vec::new(),
            theorem: None,
            wins_at_once: true,
            variant: rules.name.clone(),
            title: rules.title().to_string(),
            lights: rules.lights_name(),
            lights_line: lights_line(rules),
            slug: rules.slug(),
            canonical: rules.canonical.clone(),
            pairs: map.as_ref().map_or_else(Vec::new, |map| ground.pairs(map)),
            drawn: map.and_then(|map| ground.drawn(&map)),
        }
    }

    pub(super) fn except<G: Squares>(
        mut self,
        game: &G,
        exceptions: &[(G::Position, G::Move)],
    ) -> Strategy {
        self.exceptions = texts_of_replies(game, exceptions);
        self
    }

    pub(super) fn checked<G: Squares>(mut self, game: &G, followed: &StrategyCheck<G>) -> Strategy {
        self.positions = followed.examined;
        self.wins_at_once = followed.wins_at_once;
        self.replies = texts_of_replies(game, &up_to_symmetry(game, &followed.replies));
        self
    }

    /// `first` or `second`.
    #[must_use]
    pub fn winner(&self) -> &'static str {
        if self.first { "first" } else { "second" }
    }

    /// The name of the symmetry; `none` where there is none.
    #[must_use]
    pub fn symmetry_name(&self) -> &'static str {
        self.symmetry.map_or("none", Symmetry::name)
    }

    /// The rules, in the order in which they apply, as claims write them.
    #[must_use]
    pub fn rules(&self) -> Vec<String> {
        let exceptions = self.exceptions.iter();
        let exceptions = exceptions.map(|(position, reply)| format!("at {position} {reply}"));
        let opening = self.opening.iter().zip(1..);
        let opening = opening.map(|(square, turn)| format!("turn {turn} {square}"));
        let symmetry = self.symmetry.map(|symmetry| symmetry.name().to_string());
        exceptions
            .chain(self.wins_at_once.then(|| "win".to_string()))
            .chain(opening)
            .chain(symmetry)
            .collect()
    }

    /// The strategy in sentences.
    #[must_use]
    pub fn words(&self, words: Language) -> String {
        let squares = || {
            self.opening
                .join(&format!(", {} ", words.text("told-then")))
        };
        let mut said = vec![
            words
                .text(if self.first {
                    "told-first"
                } else {
                    "told-second"
                })
                .to_string(),
        ];
        match (self.first, self.opening.is_empty()) {
            (_, true) => {}
            (true, false) => said.push(words.with("told-begin", squares())),
            (false, false) => said.push(words.with("told-reply", squares())),
        }
        if self.wins_at_once {
            said.push(words.text("told-win").into());
        }
        let usual = match self.symmetry {
            Some(_) if self.is_identity() => words.text("told-same").to_string(),
            Some(symmetry) => self.by_pairs(words, "told-symmetry", symmetry),
            None => words.text("told-list").to_string(),
        };
        // The first sentence says who wins, and no rule.
        said.push(last_rule(words, &usual, said.len() > 1));
        match self.exceptions.len() {
            0 => said.push(words.text("told-no-exception").into()),
            count if !self.lists_exceptions() => {
                said.push(words.with("told-many", words.grouped(count)));
            }
            count => {
                let each = self.exceptions.iter().map(|(at, reply)| {
                    words.filled("told-at", &[("position", at), ("reply", reply)])
                });
                let list = each.collect::<Vec<_>>().join("; ");
                said.push(match count {
                    1 => words.with("told-one", list),
                    _ => words.filled("told-some", &[("n", &count.to_string()), ("list", &list)]),
                });
            }
        }
        said.join(" ")
    }

    /// Whether there are few enough exceptions for a text to list them.
    #[must_use]
    pub fn lists_exceptions(&self) -> bool {
        self.exceptions.len() <= LISTED_EXCEPTIONS
    }

    /// A card to be handed out: numbered rules, the board with partner squares under the same letter.
    #[must_use]
    pub fn card(&self, words: Language) -> String {
        // In the order in which they apply, as in the claim.
        let mut rules: Vec<String> = Vec::new();
        match (self.exceptions.is_empty(), self.lists_exceptions()) {
            (true, _) => {}
            (false, true) => rules.push(words.text("card-board").into()),
            (false, false) => {
                let count = words.grouped(self.exceptions.len());
                rules.push(words.with("card-listed", count));
            }
        }
        if self.wins_at_once {
            rules.push(words.text("card-win").into());
        }
        if !self.opening.is_empty() {
            let then = format!(", {} ", words.text("told-then"));
            rules.push(words.with("card-opening", self.opening.join(&then)));
        }
        let drawn = self.drawn.as_ref().filter(|_| !self.is_identity());
        let usual = self.symmetry.map(|symmetry| match drawn {
            _ if self.is_identity() => words.text("card-same").to_string(),
            Some(_) => words.with("card-partner", words.text(symmetry.key())),
            None => self.by_pairs(words, "card-goes", symmetry),
        });
        if let Some(usual) = usual {
            rules.push(last_rule(words, &usual, !rules.is_empty()));
        }
        let title = if self.first {
            "card-first"
        } else {
            "card-second"
        };
        let mut lines = vec![words.with(title, &self.title), String::new()];
        let numbered = rules.iter().zip(1..);
        lines.extend(numbered.map(|(rule, number)| format!("{number}. {rule}")));
        if let Some(drawn) = drawn {
            lines.push(String::new());
            lines.extend(drawn.iter().cloned());
        }
        if self.lists_exceptions() && !self.exceptions.is_empty() {
            lines.push(String::new());
            lines.extend(self.exceptions.iter().map(|(at, reply)| {
                words.filled("card-play", &[("position", at), ("reply", reply)])
            }));
        }
        lines.push(String::new());
        lines.join("\n")
    }

    /// Whether the symmetry leaves every square where it is, as the mirror of a single rank does.
    fn is_identity(&self) -> bool {
        self.pairs.iter().all(|(_, image)| *image == Image::Itself)
    }

    /// A text about a symmetry and the squares that go to each other by it.
    fn by_pairs(&self, words: Language, key: &'static str, symmetry: Symmetry) -> String {
        let pairs: Vec<String> = self
            .pairs
            .iter()
            .map(|(square, image)| match image {
                Image::Itself => words.with("told-itself", square),
                Image::Partner(other) => format!("{square}-{other}"),
                Image::Next(other) => format!("{square} \u{2192} {other}"),
            })
            .collect();
        let fillings = [
            ("symmetry", words.text(symmetry.key())),
            ("pairs", &pairs.join(", ")),
        ];
        words.filled(key, &fillings)
    }

    /// The strategy as a claims file, which `check` settles.
    #[must_use]
    pub fn claim(&self) -> String {
        let name = &self.variant;
        let lights = self.lights.map(|lights| format!("lights = \"{lights}\"\n"));
        let lights = lights.unwrap_or_default();
        let rules = self.rules().into_iter();
        let rules = rules.map(|rule| format!("  \"{rule}\",\n"));
        format!(
            "[[claim]]\nid = \"strategy-{}\"\ntext = \"{name}: the {} player wins by the {}, with {}\"\nsource = \"greenwave strategy {name}\"\n\n[[claim.test]]\nkind = \
             \"strategy\"\nvariant = \"{name}\"\n{lights}player = \"{}\"\nstrategy = [\n{}]\n",
            self.slug,
            self.winner(),
            match self.symmetry {
                Some(symmetry) => symmetry.name(),
                None => "listed replies",
            },
            match self.exceptions.len() {
                0 => "no exception".to_string(),
                count => counted(count, "exception", "exceptions"),
            },
            self.winner(),
            rules.collect::<String>()
        )
    }

    /// The strategy as a certificate.
    #[must_use]
    pub fn certificate(&self) -> String {
        let listed = self.replies.iter();
        let listed = listed.map(|(position, reply)| format!("{position} {reply}\n"));
        format!(
            "greenwave certificate 1\nvariant {}\n{}winner {}\n{}\npositions {}\n{}",
            self.variant,
            self.lights_line,
            self.winner(),
            self.canonical,
            self.replies.len(),
            listed.collect::<String>()
        )
    }
}

/// The rule for all that the rules before it leave open; where there are none, it begins the text.
fn last_rule(words: Language, rule: &str, follows: bool) -> String {
    if follows {
        return words.with("told-otherwise", rule);
    }
    let mut letters = rule.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// The line of a certificate of a game that names the order of its lights: the one with red first, which older
/// readers know, is not named.
#[must_use]
pub fn lights_line(rules: &Rules) -> String {
    let named = rules.lights.filter(|lights| *lights != Default::default());
    named.map_or_else(String::new, |lights| format!("lights {lights}\n"))
}

fn texts_of_replies<G: Squares>(
    game: &G,
    replies: &[(G::Position, G::Move)],
) -> Vec<(String, String)> {
    let text =
        |(at, reply): &(G::Position, G::Move)| (game.position_text(at), game.move_text(at, *reply));
    replies.iter().map(text).collect()
}
