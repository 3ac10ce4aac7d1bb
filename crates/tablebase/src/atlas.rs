//! The atlas of boards: what sweeps of boards came to that have no published table.
//!
//! `solutions/atlas.json` is made and compared by the atlas tests of the program (`just atlas`). It is
//! part of the program, so that the start and the first moves of these boards are answered at once.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use greenwave_game::{
    BoardGame, Cell, Code, Dense, Figures, Game, Outcome, Plies, Rules, RulesHash, Variant,
    fixed_board,
};
use greenwave_values::{ValueSource, ValuesError};
use serde::Deserialize;

/// From this number of squares a sweep needs more memory than the default limit.
const LARGE: u32 = 21;

/// What is published of a board.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct AtlasBoard {
    /// The variant.
    pub variant: String,
    /// Its squares.
    pub squares: u32,
    value: String,
    /// Squares whose red wins for the first player.
    pub winning_openings: Vec<String>,
    /// Unfinished positions that are won for the player to move.
    pub won: u64,
    /// Those that are lost.
    pub lost: u64,
    /// Plies of best play from the start.
    pub distance: Option<u32>,
    /// Plies of best play that begins with a square, on big boards of three ranks and more.
    #[serde(default)]
    openings: BTreeMap<String, u32>,
    /// Lead of the first player at the end of best play, in points.
    #[serde(default)]
    pub points: Option<i32>,
    /// Nimber of the start.
    pub nimber: Option<u32>,
    table: Option<AtlasTable>,
    /// The day on which the board was solved, `2026-11-20`.
    pub made: String,
    confirmed: Confirmation,
    #[serde(skip)]
    hash: OnceLock<Option<RulesHash>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct AtlasTable {
    signature: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct Confirmation {
    big: Option<Big>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct Big {
    sweeps: Vec<String>,
    searched: u64,
}

/// All boards of the atlas; none if the file cannot be read, which a test excludes.
#[must_use]
pub fn atlas() -> &'static [AtlasBoard] {
    static BOARDS: OnceLock<Vec<AtlasBoard>> = OnceLock::new();
    BOARDS.get_or_init(|| serde_json::from_str(include_str!("../atlas.json")).unwrap_or_default())
}

impl AtlasBoard {
    /// What is published of a board with these rules.
    #[must_use]
    pub fn of(rules: &Rules) -> Option<&'static AtlasBoard> {
        let mut alike = atlas().iter().filter(|board| board.squares == rules.cells);
        alike.find(|board| board.rules_hash() == Some(rules.hash))
    }

    /// The hash of its rules, computed once.
    fn rules_hash(&self) -> Option<RulesHash> {
        let computed = || Some(Variant::parse(&self.variant).ok()?.rules().hash);
        *self.hash.get_or_init(computed)
    }

    /// Figures of the start.
    #[must_use]
    pub fn start(&self) -> Figures {
        let outcomes = [Outcome::Win, Outcome::Loss, Outcome::Draw];
        Figures {
            value: outcomes
                .into_iter()
                .find(|outcome| outcome.name() == self.value),
            distance: self.distance.map(Plies),
            points: self.points,
            nimber: self.nimber,
            odds: None,
        }
    }

    /// Signature of the table of values, where one was made.
    #[must_use]
    pub fn signature(&self) -> Option<&str> {
        self.table.as_ref().map(|table| table.signature.as_str())
    }

    /// By how many sweeps that differ the board was solved, and how many positions a search confirmed.
    #[must_use]
    pub fn confirmed(&self) -> (usize, u64) {
        let big = self.confirmed.big.as_ref();
        big.map_or((1, 0), |big| (big.sweeps.len(), big.searched))
    }

    /// The command that solves the board again, in every metric of which a figure is published.
    #[must_use]
    pub fn made_by(&self) -> String {
        let start = self.start();
        let shown = [
            // Any other metric gives the value, too, but the nimber.
            ("value", start.points.is_none() && start.distance.is_none()),
            ("points", start.points.is_some()),
            ("distance", start.distance.is_some()),
            ("nimber", start.nimber.is_some()),
        ];
        let shown = shown.iter().filter(|(_, is_shown)| *is_shown);
        let metrics: Vec<&str> = shown.map(|(metric, _)| *metric).collect();
        let metric = metrics.join(",");
        let memory = if self.squares >= LARGE {
            " --memory 12G --scratch waves"
        } else {
            ""
        };
        format!(
            "greenwave solve {} --metric {metric} --no-table{memory}",
            self.variant
        )
    }

    /// Figures of the start and of the positions after one move; nothing of others. `name` names a square as the
    /// atlas does.
    fn figures(&self, game: &BoardGame, position: Code, name: impl Fn(Cell) -> String) -> Figures {
        if position == game.start() {
            return self.start();
        }
        let mut moves = Vec::new();
        game.moves(&game.start(), &mut moves);
        let first = moves
            .into_iter()
            .find(|mv| game.play(&game.start(), *mv).to == position);
        let Some(first) = first else {
            return Figures::default();
        };
        let square = name(first.0);
        let won = self.winning_openings.contains(&square);
        Figures::of(
            Some(if won { Outcome::Loss } else { Outcome::Win }),
            self.openings.get(&square).map(|plies| Plies(plies - 1)),
            None,
        )
    }
}

/// The published result of a board as a source of values.
#[derive(Debug)]
pub(crate) struct PublishedSource<'a, G> {
    game: &'a G,
    fixed: &'a BoardGame,
    pub(crate) board: &'static AtlasBoard,
    /// The board of the atlas where its ranks are the files of the game.
    turned: Option<BoardGame>,
}

impl<'a, G: Dense> PublishedSource<'a, G> {
    /// `None` where nothing is published.
    pub(crate) fn of(game: &'a G) -> Option<PublishedSource<'a, G>> {
        let fixed = fixed_board(game)?;
        let (board, turned) = match AtlasBoard::of(game.rules()) {
            Some(board) => (board, None),
            None => {
                let turned =
                    turned_name(game.rules()).and_then(|name| BoardGame::named(&name).ok())?;
                (AtlasBoard::of(turned.rules())?, Some(turned))
            }
        };
        Some(PublishedSource {
            game,
            fixed,
            board,
            turned,
        })
    }

    // The name that the atlas has for a square.
    fn square(&self, cell: Cell) -> String {
        let own = &self.fixed.board().shape;
        match &self.turned {
            None => own.cell_name(cell),
            Some(turned) => {
                let (rank, file) = (cell.0 / own.files(), cell.0 % own.files());
                let cell = Cell(file * own.ranks() + rank);
                turned.board().shape.cell_name(cell)
            }
        }
    }
}

/// The name of the same game with as many ranks as the board has files; `None` for boards of a rule file.
fn turned_name(rules: &Rules) -> Option<String> {
    // A rule file may have any name.
    let named = Variant::parse(&rules.name).ok()?;
    if named.rules().hash != rules.hash {
        return None;
    }
    let (base, options) = match rules.name.split_once(':') {
        Some((base, options)) => (base, format!(":{options}")),
        None => (rules.name.as_str(), String::new()),
    };
    let (family, size) = base.rsplit_once('-')?;
    let (ranks, files) = size.split_once('x')?;
    (ranks != files).then(|| format!("{family}-{files}x{ranks}{options}"))
}

impl<G: Dense> ValueSource<G::Position> for PublishedSource<'_, G> {
    type Error = ValuesError;

    fn figures(&self, position: &G::Position) -> Result<Figures, ValuesError> {
        // The index of a game on a fixed board is the board itself.
        let code = Code(self.game.index(position));
        Ok(self
            .board
            .figures(self.fixed, code, |cell| self.square(cell)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Theorems;

    #[test]
    fn every_board_is_read_and_has_a_day() {
        let count = include_str!("../atlas.json").matches("\"variant\"").count();
        assert_eq!(atlas().len(), count);
        for board in atlas() {
            let day: Vec<&str> = board.made.split('-').collect();
            assert_eq!(
                day.iter().map(|part| part.len()).collect::<Vec<_>>(),
                [4, 2, 2]
            );
            assert!(board.start().value.is_some(), "{}", board.variant);
            assert!(board.confirmed().0 > 0, "{}", board.variant);
        }
    }

    #[test]
    fn plies_of_first_moves_fit_who_wins() {
        let mut boards = atlas().iter().filter(|board| !board.openings.is_empty());
        let best = |board: &AtlasBoard| {
            assert_eq!(board.openings.len(), board.squares as usize);
            let wins = |square: &String| board.winning_openings.contains(square);
            // The side that wins makes the last move, or the other one where a line loses.
            let wins_by_last = !board.variant.ends_with("misere");
            for (square, plies) in &board.openings {
                let is_first = *plies % 2 == 1;
                assert_eq!(
                    is_first == wins_by_last,
                    wins(square),
                    "{} {square}",
                    board.variant
                );
            }
            let (won, lost): (Vec<_>, Vec<_>) =
                board.openings.iter().partition(|(square, _)| wins(square));
            let quickest = won.iter().map(|(_, plies)| **plies).min();
            quickest.or(lost.iter().map(|(_, plies)| **plies).max())
        };
        assert!(boards.all(|board| best(board) == board.distance));
    }

    #[test]
    fn boards_are_known_with_their_ranks_for_files() {
        for board in atlas() {
            let game = BoardGame::named(&board.variant).unwrap();
            let shape = &game.board().shape;
            if shape.ranks() == shape.files() {
                continue;
            }
            let turned = BoardGame::named(&turned_name(game.rules()).unwrap()).unwrap();
            let source = PublishedSource::of(&turned).unwrap();
            let start = source.figures(&turned.start()).unwrap();
            assert_eq!((source.board, start), (board, board.start()));
            let mut moves = Vec::new();
            turned.moves(&turned.start(), &mut moves);
            let wins = moves.iter().filter(|mv| {
                let to = turned.play(&turned.start(), **mv).to;
                source.figures(&to).unwrap().value == Some(Outcome::Loss)
            });
            let mut wins: Vec<String> = wins
                .map(|mv| turned.board().shape.cell_name(mv.0))
                .collect();
            wins.sort();
            assert_eq!(
                wins.len(),
                board.winning_openings.len(),
                "{}",
                board.variant
            );
            if board.variant == "classic-4x5" {
                assert_eq!(wins, ["b2", "b4", "c2", "c4"]);
            }
        }
    }

    #[test]
    fn theorems_and_published_results_agree() {
        let mut both = 0;
        for board in atlas() {
            let game = BoardGame::named(&board.variant).unwrap();
            assert_eq!(AtlasBoard::of(game.rules()), Some(board));
            let Some(theorems) = Theorems::of(&game) else {
                continue;
            };
            let mut moves = Vec::new();
            game.moves(&game.start(), &mut moves);
            let after = moves.iter().map(|mv| game.play(&game.start(), *mv).to);
            let source = PublishedSource::of(&game).unwrap();
            for position in after.chain([game.start()]) {
                let published = source.figures(&position).unwrap().value;
                let proved = theorems.figures(position).value;
                if proved.is_some() {
                    assert_eq!(proved, published, "{} {position}", board.variant);
                    both += 1;
                }
            }
        }
        assert!(both > 200, "{both}");
    }
}
