//! What is proved of boards of every size: the theorems of the book of results, by name.
//!
//! All three say that a player wins by *copying*: each move of the opponent on a square is answered
//! by the same move on the image of that square. The proofs are in
//! `docs/book-of-results/families.md`. They speak of lines and symmetries alone. So the code looks
//! for their conditions in the patterns and the symmetries of the given board, and never tests the
//! name of a family.
//!
//! They hold for games in which completing a line wins, or loses (misère), with unlimited counters, on
//! boards on which play cannot end without a line. Games that count points are not among them: a theorem
//! says who wins, and not by how many points.

use std::fmt;

use greenwave_game::{
    AnyPosition, BoardGame, Cell, Code, Dense, Figures, Filling, Game, Message, Outcome, Outcomes,
    Permutation, Play, Plies, Supply, Variant, VariantError, VariantGame, file_name, fixed_board,
};
use greenwave_values::{ValueSource, ValuesError};
use serde::Serialize;

use crate::messages;

/// A theorem of the book of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub enum Theorem {
    /// Two ranks: the player to move in a position whose ranks are alike loses, also in misère play.
    #[serde(rename = "two ranks")]
    TwoRanks,
    /// Both sides odd, classic or signal: the first player wins from the centre.
    #[serde(rename = "both sides odd")]
    BothSidesOdd,
    /// The lemma of both: a position is lost that shows no threat, looks the same under a mirror or half
    /// turn, and stays so after every copy.
    #[serde(rename = "copying")]
    Copying,
}

impl Theorem {
    /// `two ranks`, `both sides odd` or `copying`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Theorem::TwoRanks => "two ranks",
            Theorem::BothSidesOdd => "both sides odd",
            Theorem::Copying => "copying",
        }
    }
}

impl fmt::Display for Theorem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// How a theorem wins a position for the player who made the last move: by copying each move of the other player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CopyProof {
    /// The theorem.
    pub theorem: Theorem,
    /// Squares on which play can go on, and the squares on which moves there are copied.
    pub pairs: Vec<(String, String)>,
    /// The square that is its own image, while play can go on there.
    pub centre: Option<String>,
}

/// The theorems about one board.
///
/// # Examples
/// ```
/// use greenwave_game::{BoardGame, Code, Outcome};
/// use greenwave_tablebase::{Theorem, Theorems};
///
/// let game = BoardGame::named("classic-1x31")?;
/// let theorems = Theorems::of(&game).ok_or("none")?;
/// let proved = theorems.value(Code::EMPTY);
/// assert_eq!(proved, Some((Outcome::Win, Theorem::BothSidesOdd)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Theorems<'g> {
    game: &'g BoardGame,
    copies: Vec<CopyStrategy<'g>>,
}

/// A symmetry that undoes itself, by which a player can copy.
#[derive(Clone, Debug)]
struct CopyStrategy<'g> {
    image: &'g Permutation,
    theorem: Theorem,
    /// Squares that are their own images, at their highest level.
    fixed: u64,
    /// The patterns that hold both a square and its image.
    paired: Vec<CodePattern>,
    /// The one square that is its own image, where copying can begin with it at level 1.
    centre: Option<Centre>,
}

/// A pattern on particular squares: the board shows it when `code & mask == value`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct CodePattern {
    mask: u64,
    value: u64,
    /// Whether it is its own image.
    own_image: bool,
}

#[derive(Clone, Copy, Debug)]
struct Centre {
    cell: Cell,
    /// The squares that have to be empty while the centre is at level 1.
    neighbours: u64,
}

impl CodePattern {
    /// Whether play can still complete it: no level is above the one that it needs.
    fn is_alive(self, code: Code) -> bool {
        self.cells()
            .all(|cell| code.level(cell) <= Code(self.value).level(cell))
    }

    fn cells(self) -> impl Iterator<Item = Cell> {
        (0..u64::BITS as u8 / 2)
            .map(Cell)
            .filter(move |cell| self.holds(*cell))
    }

    fn holds(self, cell: Cell) -> bool {
        Code(self.mask).level(cell) != 0
    }

    fn needs(self, cell: Cell) -> u8 {
        Code(self.value).level(cell)
    }
}

impl<'g> Theorems<'g> {
    /// The theorems about a board; `None` where they say nothing of its rules.
    #[must_use]
    pub fn of(game: &'g BoardGame) -> Option<Theorems<'g>> {
        let board = game.board();
        let ends_by_line = game.rules().properties.outcomes == Outcomes::WinLoss;
        if board.play.scores() || board.supply != Supply::Unlimited || !ends_by_line {
            return None;
        }
        let mut copies: Vec<CopyStrategy<'g>> = game
            .permutations()
            .iter()
            .filter_map(|image| CopyStrategy::of(game, image))
            .collect();
        copies.sort_by_key(|copying| copying.theorem == Theorem::Copying);
        (!copies.is_empty()).then_some(Theorems { game, copies })
    }

    /// What is proved of an unfinished position, for the player to move, and by which theorem.
    ///
    /// On a board that a theorem decides from the start, a move that wins at once is part of its rule.
    #[must_use]
    pub fn value(&self, position: Code) -> Option<(Outcome, Theorem)> {
        if self.game.has_line(position) {
            return None;
        }
        if let Some(theorem) = self.lost(position) {
            return Some((Outcome::Loss, theorem));
        }
        let mut moves = Vec::new();
        self.game.moves(&position, &mut moves);
        let after = moves.iter().map(|mv| self.game.play(&position, *mv).to);
        let won = after
            .clone()
            .filter(|to| !self.game.has_line(*to))
            .find_map(|to| self.lost(to));
        let at_once = || self.wins_at_once(position).then(|| self.whole()).flatten();
        Some((Outcome::Win, won.or_else(at_once)?))
    }

    /// The same as figures. A move that wins at once has its distance.
    #[must_use]
    pub fn figures(&self, position: Code) -> Figures {
        if self.game.has_line(position) {
            return Figures::default();
        }
        let won = |distance| Figures::of(Some(Outcome::Win), distance, None);
        if self.wins_at_once(position) {
            return won(Some(Plies(1)));
        }
        match self.value(position) {
            Some((Outcome::Win, _)) => won(None),
            value => Figures {
                value: value.map(|(outcome, _)| outcome),
                ..Figures::default()
            },
        }
    }

    /// The theorem that decides the whole board from its start, if there is one.
    fn whole(&self) -> Option<Theorem> {
        let theorem = self.copies.first()?.theorem;
        (theorem != Theorem::Copying).then_some(theorem)
    }

    fn wins_at_once(&self, position: Code) -> bool {
        self.game.board().play == Play::Normal && self.game.has_threat(position)
    }

    /// By which theorem the player to move loses, because the opponent copies.
    fn lost(&self, position: Code) -> Option<Theorem> {
        self.copied(position).map(|copying| copying.theorem)
    }

    /// The strategy by which the opponent copies, and the player to move loses.
    fn copied(&self, position: Code) -> Option<&CopyStrategy<'g>> {
        let copies = |copying: &&CopyStrategy<'_>| copying.image.apply(position) == position;
        let mut copies = self.copies.iter().filter(copies).peekable();
        // The search for threats runs only where it can gain something.
        copies.peek()?;
        if self.wins_at_once(position) || self.game.has_line(position) {
            return None;
        }
        let misere = self.game.board().play == Play::Misere;
        copies.find(|copying| copying.goes_on(position, misere) || copying.begins(position, misere))
    }

    /// What is proved of a position that is lost because the opponent copies.
    fn proof(&self, position: Code) -> Option<CopyProof> {
        let copying = self.copied(position)?;
        let board = self.game.board();
        let is_open = |cell: &Cell| position.level(*cell) < board.levels;
        let open = (0..board.shape.cells() as u8).map(Cell).filter(is_open);
        let name = |cell: Cell| board.shape.cell_name(cell);
        let (mut pairs, mut centre) = (Vec::new(), None);
        for cell in open {
            let image = copying.image.cell(cell);
            if image == cell {
                centre = Some(name(cell));
            } else if cell < image {
                pairs.push((name(cell), name(image)));
            }
        }
        Some(CopyProof {
            theorem: copying.theorem,
            pairs,
            centre,
        })
    }
}

impl<'g> CopyStrategy<'g> {
    /// `None` for a symmetry by which nobody can copy.
    fn of(game: &'g BoardGame, image: &'g Permutation) -> Option<CopyStrategy<'g>> {
        let board = game.board();
        let all: Vec<Cell> = (0..board.shape.cells() as u8).map(Cell).collect();
        let of = |cell: &Cell| image.cell(*cell);
        let moves = all.iter().any(|cell| of(cell) != *cell);
        if !moves || all.iter().any(|cell| of(&of(cell)) != *cell) {
            return None;
        }
        let targets: Vec<(u64, u64)> = game.targets().collect();
        let turned =
            |(mask, value): (u64, u64)| (image.apply(Code(mask)).0, image.apply(Code(value)).0);
        if !targets
            .iter()
            .all(|target| targets.contains(&turned(*target)))
        {
            return None;
        }
        let fixed_cells: Vec<Cell> = all
            .iter()
            .copied()
            .filter(|cell| of(cell) == *cell)
            .collect();
        let fixed = fixed_cells
            .iter()
            .fold(Code::EMPTY, |code, cell| code.with(*cell, board.levels));
        let patterns: Vec<CodePattern> = targets
            .iter()
            .map(|(mask, value)| CodePattern {
                mask: *mask,
                value: *value,
                own_image: turned((*mask, *value)) == (*mask, *value),
            })
            .collect();
        let is_paired = |pattern: &CodePattern| {
            let mut cells = pattern.cells();
            cells.any(|cell| of(&cell) != cell && pattern.holds(of(&cell)))
        };
        let (paired, others): (Vec<CodePattern>, Vec<CodePattern>) =
            patterns.into_iter().partition(is_paired);
        let centre = match fixed_cells[..] {
            [cell] if board.levels == 3 => Centre::of(cell, &paired, &others),
            _ => None,
        };
        let mut copying = CopyStrategy {
            image,
            theorem: Theorem::Copying,
            fixed: fixed.0,
            paired,
            centre,
        };
        copying.theorem = copying.named(game);
        Some(copying)
    }

    /// The theorem that says it of the whole board.
    fn named(&self, game: &BoardGame) -> Theorem {
        let board = game.board();
        let shape = &board.shape;
        let (ranks, files) = (shape.ranks(), shape.files());
        let full = shape.cells() == usize::from(ranks) * usize::from(files);
        if !full || board.line_length != 3 || !shape.removed_lines().is_empty() {
            return Theorem::Copying;
        }
        let misere = board.play == Play::Misere;
        let across = |cell: u8| {
            let ((file, rank), (to_file, to_rank)) = (
                shape.place(Cell(cell)),
                shape.place(self.image.cell(Cell(cell))),
            );
            (ranks == 2 && file == to_file && rank != to_rank)
                || (files == 2 && rank == to_rank && file != to_file)
        };
        let all_across = (0..shape.cells() as u8).all(across);
        if all_across && self.goes_on(Code::EMPTY, misere) {
            return Theorem::TwoRanks;
        }
        let odd = ranks % 2 == 1 && files % 2 == 1;
        let from_centre = self
            .centre
            .is_some_and(|centre| self.begins(Code::EMPTY.with(centre.cell, 1), misere));
        if odd && from_centre {
            return Theorem::BothSidesOdd;
        }
        Theorem::Copying
    }

    /// Whether every move in a position that is its own image, without a threat, can be answered by its
    /// image for ever after, and leaves no threat.
    ///
    /// By the lemma a threat after a copy is on a line that holds both squares. A pattern that is its own
    /// image lacks an even number of levels then, so it is never one short; in misère play the copy
    /// itself could complete it.
    fn goes_on(&self, position: Code, misere: bool) -> bool {
        let harmless =
            |pattern: &CodePattern| (pattern.own_image && !misere) || !pattern.is_alive(position);
        position.0 & self.fixed == self.fixed && self.paired.iter().all(harmless)
    }

    /// The same where the one square that is its own image is at level 1. Its neighbours are empty,
    /// so a player who plays on one leaves a threat. When it is raised to 2, the reply raises it to 3.
    fn begins(&self, position: Code, misere: bool) -> bool {
        let Some(centre) = self.centre.filter(|_| !misere) else {
            return false;
        };
        let holds_centre = |pattern: &CodePattern| {
            let safe_later = pattern.needs(centre.cell) < 3 || pattern.own_image;
            let safe = pattern.holds(centre.cell) && safe_later;
            safe || !pattern.is_alive(position)
        };
        position.level(centre.cell) == 1
            && position.0 & centre.neighbours == 0
            && self.paired.iter().all(holds_centre)
    }
}

impl Centre {
    /// `None` where copying cannot begin there, whatever stands on the other squares.
    fn of(cell: Cell, paired: &[CodePattern], others: &[CodePattern]) -> Option<Centre> {
        let with_centre = paired.iter().filter(|pattern| pattern.holds(cell));
        let beside = |pattern: &CodePattern| pattern.mask & !Code::EMPTY.with(cell, 3).0;
        let neighbours = with_centre
            .clone()
            .fold(0, |all, pattern| all | beside(pattern));
        // On each of these lines three reds count, so red beside the red centre is a threat.
        let trap = |pattern: &CodePattern| {
            pattern.cells().count() == 3
                && paired.iter().any(|other| {
                    other.mask == pattern.mask && other.cells().all(|cell| other.needs(cell) == 1)
                })
        };
        // A line that ends in the centre has a neighbour on it, which is still empty when the centre
        // becomes green; so it lacks two levels at least.
        let far = |pattern: &CodePattern| {
            let mut cells = pattern.cells();
            !pattern.holds(cell)
                || pattern.needs(cell) < 3
                || cells
                    .any(|other| neighbours >> (2 * other.0) & 3 != 0 && pattern.needs(other) >= 2)
        };
        let begins = with_centre.clone().all(trap) && others.iter().all(far);
        (begins && neighbours != 0).then_some(Centre { cell, neighbours })
    }
}

/// The theorems as a source of values.
#[derive(Debug)]
pub(crate) struct TheoremSource<'a, G> {
    game: &'a G,
    theorems: Theorems<'a>,
}

impl<'a, G: Dense> TheoremSource<'a, G> {
    /// `None` where the theorems say nothing of the game.
    pub(crate) fn of(game: &'a G) -> Option<TheoremSource<'a, G>> {
        let theorems = Theorems::of(fixed_board(game)?)?;
        Some(TheoremSource { game, theorems })
    }

    /// The theorem that decides an unfinished position.
    pub(crate) fn theorem(&self, position: &G::Position) -> Option<Theorem> {
        let proved = self.theorems.value(self.code(position))?;
        Some(proved.1)
    }

    // The index of a game on a fixed board is the board itself.
    fn code(&self, position: &G::Position) -> Code {
        Code(self.game.index(position))
    }
}

impl<G: Dense> ValueSource<G::Position> for TheoremSource<'_, G> {
    type Error = ValuesError;

    fn figures(&self, position: &G::Position) -> Result<Figures, ValuesError> {
        Ok(self.theorems.figures(self.code(position)))
    }
}

/// Why whoever is to move in a position loses by a theorem; `None` where none says so.
#[must_use]
pub fn loses_by_theorem(variant: &Variant, position: &AnyPosition) -> Option<CopyProof> {
    let game = variant.fixed_board()?;
    Theorems::of(game)?.proof(game.position(position))
}

/// A move of a position after which a theorem says that the opponent loses, and what it says: a theorem of the whole
/// board before the lemma.
#[must_use]
pub fn wins_by_theorem(variant: &Variant, position: &AnyPosition) -> Option<(String, CopyProof)> {
    let game = variant.fixed_board()?;
    let theorems = Theorems::of(game)?;
    let position = game.position(position);
    let mut moves = Vec::new();
    game.moves(&position, &mut moves);
    let won = moves.into_iter().filter_map(|mv| {
        let to = game.play(&position, mv).to;
        Some((mv, theorems.proof(to)?))
    });
    let (mv, proof) = won.min_by_key(|(_, proof)| proof.theorem == Theorem::Copying)?;
    Some((game.move_text(&position, mv), proof))
}

/// The error of a board that has too many squares, with what the theorems say of it.
pub(crate) fn beyond(error: &VariantError, name: &str) -> Option<Message> {
    let VariantError::Size { found, family, .. } = error else {
        return None;
    };
    let size = found.strip_prefix(family)?.strip_prefix('-')?;
    let (ranks, files) = size.split_once('x')?;
    let (ranks, files): (u32, u32) = (ranks.parse().ok()?, files.parse().ok()?);
    // A size that is only written in another way is none that no board can have.
    if u64::from(ranks) * u64::from(files) <= 32 {
        return None;
    }
    // The theorem of its kind says it of a smaller board with the same options.
    let reduced = |side: u32| match (side > 4, side % 2) {
        (true, 1) => 3,
        (true, _) => 4,
        (false, _) => side,
    };
    let options = name
        .split_once(':')
        .map_or(String::new(), |(_, options)| format!(":{options}"));
    let smaller = format!("{family}-{}x{}{options}", reduced(ranks), reduced(files));
    let game = BoardGame::named(&smaller).ok()?;
    let proved = Theorems::of(&game).and_then(|theorems| theorems.value(Code::EMPTY));
    let Some((outcome, theorem)) = proved else {
        return Some(messages::theorem_none(error.message()));
    };
    let copy = match (theorem, ranks) {
        (Theorem::TwoRanks, 2) => messages::theorem_copy_file(),
        (Theorem::TwoRanks, _) => messages::theorem_copy_rank(),
        (Theorem::BothSidesOdd | Theorem::Copying, _) => messages::theorem_copy_turn(),
    };
    let middle = |side: u32| (side - 1) / 2;
    let centre =
        |file: u8| messages::theorem_begin(format!("{}{}", file_name(file), middle(ranks) + 1));
    let begin = (outcome == Outcome::Win).then(|| u8::try_from(middle(files)).ok());
    let begin = begin.map(|file| file.map_or_else(messages::theorem_begin_centre, centre));
    let at_once = (game.board().play == Play::Normal).then(messages::theorem_at_once);
    let rule = at_once.into_iter().chain(begin).chain([copy]);
    let rule = Filling::List(rule.collect());
    Some(if outcome == Outcome::Win {
        messages::theorem_first(error.message(), theorem.name(), rule)
    } else {
        messages::theorem_second(error.message(), theorem.name(), rule)
    })
}
