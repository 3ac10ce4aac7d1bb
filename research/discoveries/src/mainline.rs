//! Main lines: how a board is won, and by how many moves at each turn.

use anyhow::{Context, Result, anyhow};
use greenwave_game::{BoardGame, Code, Figures, Game, Metric, Outcome, Raise, Variant};
use greenwave_solver::{Product, Task, solve, sweep::Kernel};
use greenwave_tablebase::Tablebase;
use greenwave_values::Silent;
use serde::{Deserialize, Serialize};

use crate::board_of;

/// A line of play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MainLine {
    /// Whether both sides play as well as can be: the winner the shortest win, the loser the longest
    /// defence, of equal moves the first in listing order. Else the loser takes what leaves the fewest
    /// winning moves, and the winner the first winning move.
    pub best: bool,
    /// The moves.
    pub moves: Vec<String>,
    /// How many moves win, at each turn of the winner.
    pub winning: Vec<u32>,
}

/// Most squares of a board of which distances are worked out.
const MEASURED: usize = 16;
/// Most squares of a board of which values fit the memory.
const HELD: usize = 12;

/// Plays a board to its end: by distances, or where it is too large for them by wins and losses.
///
/// # Errors
/// When the name is no board of lights, when nobody wins, and when memory or disk are short.
pub fn main_line(name: &str, memory: u64) -> Result<MainLine> {
    let variant = Variant::parse(name)?;
    let game = board_of(&variant)?;
    let squares = game.board().shape.cells();
    let metric = if squares <= MEASURED {
        Metric::Distance
    } else {
        Metric::Value
    };
    if squares <= HELD {
        let values = solve(&variant, metric, memory, &Silent)?;
        return Player {
            game,
            figures: &|position| values.figures_of(game, position),
        }
        .line();
    }
    let folder = std::env::temp_dir().join(format!("greenwave-line-{}", std::process::id()));
    let file = folder
        .join(variant.rules().slug())
        .join(format!("{metric}.gwt"));
    let parent = file.parent().unwrap_or(&folder);
    std::fs::create_dir_all(parent).with_context(|| parent.display().to_string())?;
    let line = line_by_table(&variant, game, metric, memory, &folder, file.clone());
    std::fs::remove_dir_all(&folder).with_context(|| folder.display().to_string())?;
    line
}

fn line_by_table(
    variant: &Variant,
    game: &BoardGame,
    metric: Metric,
    memory: u64,
    folder: &std::path::Path,
    file: std::path::PathBuf,
) -> Result<MainLine> {
    let task = Task {
        variant,
        metric,
        kernel: Kernel::best(),
        memory,
        wanted: Product::Table(file),
        checkpoint: None,
        scratch: None,
        quick: false,
    };
    task.plan()?.run(&Silent)?;
    let tablebase = Tablebase::open(folder)?;
    let table = tablebase
        .table_to_read(game, metric)?
        .ok_or_else(|| anyhow!("{}: no table to read", variant.rules().name))?;
    let opened = table.open(game)?;
    Player {
        game,
        figures: &|position| opened.figures_of(position),
    }
    .line()
}

struct Player<'a> {
    game: &'a BoardGame,
    figures: &'a dyn Fn(&Code) -> Figures,
}

impl Player<'_> {
    fn line(&self) -> Result<MainLine> {
        let game = self.game;
        let mut position = game.start();
        let start = (self.figures)(&position);
        let mut line = MainLine {
            best: start.distance.is_some(),
            moves: Vec::new(),
            winning: Vec::new(),
        };
        while game.ending(&position).is_none() {
            let mut moves = Vec::new();
            game.moves(&position, &mut moves);
            let winning: Vec<Raise> = moves
                .iter()
                .copied()
                .filter(|mv| self.loses(&game.play(&position, *mv).to))
                .collect();
            let plies = |mv: &Raise| self.plies(&game.play(&position, *mv).to);
            // Of equal moves `min_by_key` takes the first.
            let chosen = if winning.is_empty() {
                if line.best {
                    moves.iter().min_by_key(|mv| std::cmp::Reverse(plies(mv)))
                } else {
                    moves.iter().min_by_key(|mv| self.ways(&position, **mv))
                }
            } else {
                line.winning.push(winning.len() as u32);
                let at_once = winning.iter().find(|mv| {
                    let to = game.play(&position, **mv).to;
                    game.ending(&to).is_some()
                });
                if line.best {
                    winning.iter().min_by_key(|mv| plies(mv))
                } else {
                    at_once.or(winning.first())
                }
            };
            let chosen = *chosen.ok_or_else(|| anyhow!("an unfinished game without a move"))?;
            line.moves.push(game.move_text(&position, chosen));
            position = game.play(&position, chosen).to;
        }
        Ok(line)
    }

    fn loses(&self, position: &Code) -> bool {
        (self.figures)(position).value == Some(Outcome::Loss)
    }

    fn plies(&self, position: &Code) -> u32 {
        match self.game.ending(position) {
            Some(_) => 0,
            None => (self.figures)(position).distance.map_or(0, |plies| plies.0),
        }
    }

    /// Number of the opponent's winning moves after a move; most where the game is over then, or
    /// one of them wins at once.
    fn ways(&self, position: &Code, mv: Raise) -> usize {
        let game = self.game;
        let to = game.play(position, mv).to;
        if game.ending(&to).is_some() {
            return usize::MAX;
        }
        let mut moves = Vec::new();
        game.moves(&to, &mut moves);
        let after: Vec<Code> = moves.iter().map(|mv| game.play(&to, *mv).to).collect();
        let ended = |to: &&Code| game.ending(to).is_some();
        if after.iter().filter(ended).any(|to| self.loses(to)) {
            return usize::MAX;
        }
        after.iter().filter(|to| self.loses(to)).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_takes_as_many_plies_as_best_play() {
        let line = main_line("classic-3x3", u64::MAX).unwrap();
        assert!(line.best);
        assert_eq!(line.moves.len(), 17);
        assert_eq!(line.winning.len(), 9);
        assert_eq!(line.winning[0], 9, "every first move wins");
    }

    /// Where a line loses, whoever is lost does not complete one early.
    #[test]
    fn a_narrow_line_of_misere_play_goes_on_while_it_can() {
        let variant = Variant::parse("classic-1x6:play=misere").unwrap();
        let game = board_of(&variant).unwrap();
        let values = solve(&variant, Metric::Value, u64::MAX, &Silent).unwrap();
        let figures = |position: &Code| values.figures_of(game, position);
        let line = Player {
            game,
            figures: &figures,
        }
        .line()
        .unwrap();
        assert!(!line.best);
        let mut position = game.start();
        for (at, mv) in line.moves.iter().enumerate() {
            let mut moves = Vec::new();
            game.moves(&position, &mut moves);
            let last = at + 1 == line.moves.len();
            let goes_on = |mv: &&Raise| game.ending(&game.play(&position, **mv).to).is_none();
            let forced = moves.iter().filter(goes_on).count() == 0;
            assert_eq!(last, forced, "{mv}");
            let mv = game.parse_move(&position, mv).unwrap();
            position = game.play(&position, mv).to;
        }
    }
}
