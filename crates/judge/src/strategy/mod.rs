//! Strategies that a person can play: win at once if you can; after these first moves reply by a
//! symmetry to the square just played; except in these positions.
//!
//! A strategy is sought by the values, then played against every defence by the rules alone.

mod follow;
mod search;
mod symmetry;

use std::collections::HashSet;

use greenwave_game::{
    Advance, BoardGame, Cell, Code, Colours, Game, Luck, Metric, Outcome, Raise, Turn, Variant,
    counted,
};
use greenwave_solver::Budget;
use greenwave_tablebase::Tablebase;

pub(crate) use follow::{follow, read_rules};
pub use symmetry::Symmetry;

use crate::JudgeError;

/// A strategy that wins against every defence.
#[derive(Clone, Debug)]
pub struct Strategy {
    /// Whether it is the first player's; else the second's.
    pub first: bool,
    /// The winner's first moves, by own turns.
    pub opening: Vec<Raise>,
    /// By which the winner replies afterwards; nothing where every reply is an exception.
    pub symmetry: Option<Symmetry>,
    /// Positions with the winner to move in which the reply is another.
    pub exceptions: Vec<(Code, Raise)>,
    /// Whether no strategy of this form, with at most one move of an opening, has fewer exceptions.
    pub proven_least: bool,
    /// Moves of the opponent that were tried in the check against every defence, and the start.
    pub positions: u64,
    /// A reply for each orbit of positions that the check met and that is not won at once, as
    /// certificates list them.
    pub replies: Vec<(Code, Raise)>,
}

/// What came of the search.
#[derive(Clone, Debug)]
pub enum Sought {
    /// A strategy, checked.
    Found(Box<Strategy>),
    /// Nobody wins by force.
    Drawn,
    /// None within the budget.
    Spent,
}

/// Whether there can be such a strategy by the rules, which can be said before anything is solved.
///
/// # Errors
/// When the game is not played on a fixed board for a win, and when the board lacks the symmetry.
pub fn can_have_strategy(
    variant: &Variant,
    symmetry: Option<Symmetry>,
) -> Result<&BoardGame, JudgeError> {
    let rules = variant.rules();
    let properties = rules.properties;
    let refuse = |problem: &str| {
        let name = &rules.name;
        Err(JudgeError::Refused(format!(
            "no strategy for {name}: {problem}"
        )))
    };
    let Some(game) = variant.fixed_board() else {
        return refuse(if properties.luck == Luck::Draws {
            "chance takes part, so no reply wins against every draw; 'query' shows the odds of each \
             move"
        } else if properties.advance == Advance::Repeats {
            "positions can repeat, so a reply that keeps the win need not bring it about; 'query' \
             shows values"
        } else if properties.turn == Turn::Runs {
            "a player makes several plies running; 'query' shows values"
        } else {
            "replies by a symmetry to the square just played are for boards of lights that stay where \
             they are; 'certify' writes a strategy as a list of replies"
        });
    };
    if game.board().play.scores() {
        return refuse(
            "it is played for points, and such a strategy is one of winning; with score=win the \
             points only decide who wins, and 'line' shows best play for points",
        );
    }
    match symmetry {
        Some(symmetry) if symmetry.on(&game.board().shape).is_none() => {
            Err(JudgeError::Refused(follow::lacking(game, symmetry)))
        }
        _ => Ok(game),
    }
}

/// Seeks a strategy with few exceptions, by one symmetry or by any, and checks it by the rules.
///
/// # Errors
/// As [`can_have_strategy`]; when values cannot be had, and when the work is cancelled.
pub fn seek_strategy(
    variant: &Variant,
    symmetry: Option<Symmetry>,
    budget: Budget,
    tablebase: &Tablebase,
) -> Result<Sought, JudgeError> {
    let game = can_have_strategy(variant, symmetry)?;
    let start = game.start();
    if game.ending(&start).is_some() {
        return Ok(Sought::Drawn);
    }
    let held = tablebase.values(variant, Metric::Value)?;
    let first = match held.values.figures_of(game, &start).value {
        Some(Outcome::Win) => true,
        Some(Outcome::Loss) => false,
        _ => return Ok(Sought::Drawn),
    };
    let symmetries: Vec<Option<Symmetry>> = match symmetry {
        Some(symmetry) => vec![Some(symmetry)],
        None => {
            let all = Symmetry::of(&game.board().shape).into_iter().map(Some);
            all.chain([None]).collect()
        }
    };
    // What a position costs that the search remembers, in bytes, with room to grow.
    const REMEMBERED: u64 = 128;
    let room = tablebase.memory() / REMEMBERED;
    let budget = Budget {
        nodes: Some(budget.nodes.map_or(room, |nodes| nodes.min(room))),
        ..budget
    };
    let progress = tablebase.progress();
    let found = search::search(game, &held.values, first, &symmetries, budget, progress)?;
    let Some((form, proven_least)) = found else {
        return Ok(Sought::Spent);
    };
    let mut strategy = Strategy {
        first,
        opening: form.opening.iter().map(|cell| Raise(*cell)).collect(),
        symmetry: form.symmetry,
        exceptions: form.exceptions,
        proven_least,
        positions: 0,
        replies: Vec::new(),
    };
    // The very rules that the claim states, played by the rules of the game alone.
    let rules = read_rules(game, &strategy.rules(game))?;
    let followed = follow(game, first, &rules);
    if let Some((why, play)) = followed.failure {
        let name = &game.rules().name;
        let play = texts_of(game, &play).join(" ");
        return Err(JudgeError::Refused(format!(
            "{name}: the values and the rules contradict each other: {why} after {play}; 'verify' \
             checks the table"
        )));
    }
    strategy.positions = followed.examined;
    let mut orbits = HashSet::new();
    strategy.replies = followed.replies;
    strategy
        .replies
        .retain(|(position, _)| orbits.insert(game.canonical(position)));
    Ok(Sought::Found(Box::new(strategy)))
}

/// A play from the start as texts.
pub(crate) fn texts_of(game: &BoardGame, play: &[Raise]) -> Vec<String> {
    let mut position = game.start();
    let mut texts = Vec::new();
    for mv in play {
        texts.push(game.move_text(&position, *mv, Colours::Ryg));
        position = game.play(&position, *mv).to;
    }
    texts
}

impl Strategy {
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

    /// The opening as squares.
    #[must_use]
    pub fn opening_squares(&self, game: &BoardGame) -> Vec<String> {
        let shape = &game.board().shape;
        self.opening
            .iter()
            .map(|mv| shape.cell_name(mv.0))
            .collect()
    }

    /// The exceptions as texts of position and reply.
    #[must_use]
    pub fn exception_texts(&self, game: &BoardGame, colours: Colours) -> Vec<(String, String)> {
        texts_of_replies(game, &self.exceptions, colours)
    }

    /// The rules, in the order in which they apply, as claims write them.
    #[must_use]
    pub fn rules(&self, game: &BoardGame) -> Vec<String> {
        let exceptions = self.exception_texts(game, Colours::Ryg).into_iter();
        let exceptions = exceptions.map(|(position, reply)| format!("at {position} {reply}"));
        let opening = self.opening_squares(game).into_iter().zip(1..);
        let opening = opening.map(|(square, turn)| format!("turn {turn} {square}"));
        let symmetry = self.symmetry.map(|symmetry| symmetry.name().to_string());
        exceptions
            .chain(["win".to_string()])
            .chain(opening)
            .chain(symmetry)
            .collect()
    }

    /// The strategy in sentences.
    #[must_use]
    pub fn words(&self, game: &BoardGame, colours: Colours) -> String {
        let mut said = vec![format!("The {} player wins.", self.winner())];
        let opening = self.opening_squares(game);
        match (self.first, opening.is_empty()) {
            (_, true) => {}
            (true, false) => said.push(format!("Begin with {}.", opening.join(", then "))),
            (false, false) => said.push(format!("Reply first with {}.", opening.join(", then "))),
        }
        said.push("Win at once whenever you can.".into());
        match (self.symmetry, self.map(game)) {
            (Some(symmetry), Some(map)) => {
                let pairs = partners(game, &map);
                said.push(format!(
                    "Otherwise answer each move on the square that its square goes to by the {}: {}.",
                    symmetry.name(),
                    pairs.join(", ")
                ));
            }
            _ => said.push("Otherwise reply as the list says.".into()),
        }
        match self.exceptions.len() {
            0 => said.push("There is no exception.".into()),
            count => {
                let each = self.exception_texts(game, colours).into_iter();
                let each: Vec<String> = each
                    .map(|(at, reply)| format!("at {at} play {reply}"))
                    .collect();
                let number = match count {
                    1 => "One exception".to_string(),
                    _ => counted(count, "exception", "exceptions"),
                };
                said.push(format!("{number}: {}.", each.join("; ")));
            }
        }
        said.join(" ")
    }

    /// Where each square goes to.
    fn map(&self, game: &BoardGame) -> Option<Vec<Cell>> {
        self.symmetry
            .and_then(|symmetry| symmetry.on(&game.board().shape))
    }

    /// A card to be handed out: numbered rules, the board with partner squares under the same letter.
    #[must_use]
    pub fn card(&self, game: &BoardGame, colours: Colours) -> String {
        let name = &game.rules().name;
        let mut lines = vec![format!("How the {} player wins {name}", self.winner())];
        let mut rules: Vec<String> = Vec::new();
        let opening = self.opening_squares(game);
        if !opening.is_empty() {
            rules.push(format!("Your first move: {}.", opening.join(", then ")));
        }
        rules.push("If you can win at once, do.".into());
        if !self.exceptions.is_empty() {
            rules.push("If the board is one of those below, play what stands beside it.".into());
        }
        if let (Some(symmetry), Some(map)) = (self.symmetry, self.map(game)) {
            let drawn = self.partners_drawn(game, &map);
            match drawn {
                Some(_) => rules.push(format!(
                    "Otherwise play the partner of the square just played ({}): the other one with the \
                     same letter; a square with * is its own partner.",
                    symmetry.name()
                )),
                None => rules.push(format!(
                    "Otherwise play where the square just played goes to ({}): {}.",
                    symmetry.name(),
                    partners(game, &map).join(", ")
                )),
            }
            lines.push(String::new());
            lines.extend(
                rules
                    .iter()
                    .enumerate()
                    .map(|(number, rule)| format!("{}. {rule}", number + 1)),
            );
            if let Some(drawn) = drawn {
                lines.push(String::new());
                lines.extend(drawn);
            }
        } else {
            lines.push(String::new());
            lines.extend(
                rules
                    .iter()
                    .enumerate()
                    .map(|(number, rule)| format!("{}. {rule}", number + 1)),
            );
        }
        if !self.exceptions.is_empty() {
            lines.push(String::new());
            let each = self.exception_texts(game, colours).into_iter();
            lines.extend(each.map(|(at, reply)| format!("{at}   play {reply}")));
        }
        lines.push(String::new());
        lines.join("\n")
    }

    // The board with a letter for each pair of squares; nothing where squares do not go in pairs.
    fn partners_drawn(&self, game: &BoardGame, map: &[Cell]) -> Option<Vec<String>> {
        let shape = &game.board().shape;
        let paired = (0..map.len()).all(|cell| map[map[cell].index()].index() == cell);
        if !paired {
            return None;
        }
        // As the board is read: from the top rank down.
        let mut letters = vec!['*'; map.len()];
        let mut next = b'A';
        let ranks = (0..shape.ranks()).rev();
        let read =
            ranks.flat_map(|rank| (0..shape.files()).filter_map(move |file| shape.at(file, rank)));
        for cell in read.map(Cell::index) {
            let image = map[cell].index();
            if image != cell && letters[cell] == '*' {
                letters[cell] = char::from(next);
                letters[image] = char::from(next);
                next += 1;
            }
        }
        let row = |rank: u8| {
            let squares = (0..shape.files()).map(|file| {
                let letter = shape
                    .at(file, rank)
                    .map_or(' ', |cell| letters[cell.index()]);
                format!(" {letter}")
            });
            format!("{:>4} {}", rank + 1, squares.collect::<String>())
        };
        let files = (0..shape.files()).map(|file| format!(" {}", greenwave_game::file_name(file)));
        let below = format!("     {}", files.collect::<String>());
        Some((0..shape.ranks()).rev().map(row).chain([below]).collect())
    }

    /// The strategy as a claims file, which `check` settles.
    #[must_use]
    pub fn claim(&self, game: &BoardGame) -> String {
        let name = &game.rules().name;
        let rules = self
            .rules(game)
            .into_iter()
            .map(|rule| format!("  \"{rule}\",\n"));
        format!(
            "[[claim]]\nid = \"strategy-{}\"\ntext = \"{name}: the {} player wins by the {}, with {}\"\nsource = \"greenwave strategy {name}\"\n\n[[claim.test]]\nkind = \
             \"strategy\"\nvariant = \"{name}\"\nplayer = \"{}\"\nstrategy = [\n{}]\n",
            game.rules().slug(),
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
    pub fn certificate(&self, game: &BoardGame) -> String {
        let replies = texts_of_replies(game, &self.replies, Colours::Ryg).into_iter();
        let rules = game.rules();
        let listed = replies.map(|(position, reply)| format!("{position} {reply}\n"));
        format!(
            "greenwave certificate 1\nvariant {}\nwinner {}\n{}\npositions {}\n{}",
            rules.name,
            self.winner(),
            rules.canonical,
            self.replies.len(),
            listed.collect::<String>()
        )
    }
}

fn texts_of_replies(
    game: &BoardGame,
    replies: &[(Code, Raise)],
    colours: Colours,
) -> Vec<(String, String)> {
    let text = |(at, reply): &(Code, Raise)| {
        (
            game.position_text(at, colours),
            game.move_text(at, *reply, colours),
        )
    };
    replies.iter().map(text).collect()
}

/// Which square goes to which: `a1-c3` where they go to each other, `b2 to itself`, `a1 to a3`.
fn partners(game: &BoardGame, map: &[Cell]) -> Vec<String> {
    let shape = &game.board().shape;
    let mut said = Vec::new();
    for (cell, image) in map.iter().enumerate() {
        let back = map[image.index()].index();
        let (from, to) = (shape.cell_name(Cell(cell as u8)), shape.cell_name(*image));
        if image.index() == cell {
            said.push(format!("{from} to itself"));
        } else if back != cell {
            said.push(format!("{from} to {to}"));
        } else if image.index() > cell {
            said.push(format!("{from}-{to}"));
        }
    }
    said
}
