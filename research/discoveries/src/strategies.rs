//! Strategies by a symmetry: sought on single boards, and checked on whole families.

use anyhow::{Result, anyhow, bail};
use greenwave_game::{Cell, Variant};
use greenwave_judge::claims::{read_claims, settle};
use greenwave_judge::{SearchOutcome, Symmetry, seek_strategy};
use greenwave_tablebase::{Budget, Tablebase};
use serde::{Deserialize, Serialize};

use crate::board_of;

/// What a search for a strategy came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StrategyFinding {
    /// `first` or `second`; nothing where nobody wins, and where neither values nor a strategy tell.
    pub winner: Option<String>,
    /// The winner's first moves.
    pub opening: Vec<String>,
    /// The symmetry.
    pub symmetry: String,
    /// The number of exceptions, the first of them, and whether fewer are impossible.
    pub exceptions: usize,
    /// See `exceptions`.
    pub examples: Vec<(String, String)>,
    /// See `exceptions`.
    pub least: bool,
    /// Exceptions that every strategy of this form is proved to need.
    pub at_least: u64,
    /// Moves of the opponent that the check tried.
    pub checked: u64,
    /// Positions that the search was allowed to look at.
    pub budget: u64,
    /// Where there is none: why.
    pub reason: Option<String>,
}

/// Number of exceptions shown.
const SHOWN: usize = 3;

/// Seeks a strategy within a budget of positions.
///
/// # Errors
/// When the game cannot have one, and when its values cannot be had.
pub fn seek(name: &str, budget: u64, tablebase: &Tablebase) -> Result<StrategyFinding> {
    let variant = Variant::parse(name)?;
    let begun = Budget::Nodes(budget).begun_now();
    let sought = tablebase.on_threads(|| seek_strategy(&variant, None, begun, tablebase))?;
    let none = |reason: &str, winner: Option<bool>, at_least: u64| StrategyFinding {
        winner: winner.map(|first| if first { "first" } else { "second" }.into()),
        opening: Vec::new(),
        symmetry: "none".into(),
        exceptions: 0,
        examples: Vec::new(),
        least: false,
        at_least,
        checked: 0,
        budget,
        reason: Some(reason.into()),
    };
    Ok(match sought {
        SearchOutcome::Drawn => none("nobody wins by force", None, 0),
        SearchOutcome::Spent(tried) => none(
            "none within the budget",
            tried.first,
            tried.none_without_exceptions.into(),
        ),
        SearchOutcome::Found(strategy) => {
            let mut examples = strategy.exceptions.clone();
            examples.truncate(SHOWN);
            StrategyFinding {
                winner: Some(strategy.winner().into()),
                opening: strategy.opening.clone(),
                symmetry: strategy.symmetry_name().into(),
                exceptions: strategy.exceptions.len(),
                examples,
                least: strategy.proven_least,
                at_least: strategy.at_least,
                checked: strategy.positions,
                budget,
                reason: None,
            }
        }
    })
}

/// Whether a plain strategy wins against every defence, by the rules alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plain {
    /// `first` or `second`.
    pub player: String,
    /// The rules in the order in which they apply.
    pub rules: Vec<String>,
    /// Whether it wins.
    pub wins: bool,
    /// Positions that were looked at.
    pub examined: u64,
    /// A shortest play that it does not win, as moves.
    pub play: Option<String>,
}

/// Plays a strategy without exceptions against every defence.
///
/// # Errors
/// When the rules do not fit the board.
pub fn plain(name: &str, player: &str, rules: &[String], tablebase: &Tablebase) -> Result<Plain> {
    let listed: Vec<String> = rules.iter().map(|rule| format!("'{rule}'")).collect();
    let text = format!(
        "[[claim]]\nid = 1\ntext = 'a plain strategy'\n[[claim.test]]\nkind = 'strategy'\nvariant = \
         '{name}'\nplayer = '{player}'\nstrategy = [{}]\n",
        listed.join(", ")
    );
    let claims = read_claims("families", &text)?;
    let [claim] = &claims[..] else {
        bail!("{name}: no claim");
    };
    let settled = settle(claim, tablebase, std::path::Path::new("."))?;
    let wins = settled.verdict == greenwave_judge::claims::Verdict::True;
    Ok(Plain {
        player: player.into(),
        rules: rules.to_vec(),
        wins,
        examined: settled.positions_examined,
        play: settled.witness.filter(|_| !wins),
    })
}

/// The strategy of a family on a board: the centre and the half turn where both sides are odd, else the
/// mirror that exchanges the two ranks.
///
/// # Errors
/// When the name is no board of lights.
pub fn of_family(name: &str) -> Result<(String, Vec<String>)> {
    let variant = Variant::parse(name)?;
    let game = board_of(&variant)?;
    let shape = &game.board().shape;
    let (files, ranks) = (shape.files(), shape.ranks());
    let rules = if files % 2 == 1 && ranks % 2 == 1 {
        let centre = shape
            .at(files / 2, ranks / 2)
            .ok_or_else(|| anyhow!("{name} has no centre"))?;
        (
            "first",
            vec![
                "win".to_string(),
                format!("turn 1 {}", shape.cell_name(centre)),
                Symmetry::HalfTurn.name().into(),
            ],
        )
    } else if ranks == 2 {
        (
            "second",
            vec!["win".to_string(), Symmetry::TopBottom.name().into()],
        )
    } else {
        (
            "second",
            vec!["win".to_string(), Symmetry::HalfTurn.name().into()],
        )
    };
    Ok((rules.0.into(), rules.1))
}

/// The lines of a board that hold a square and its image under the symmetry of its family.
///
/// # Errors
/// When the name is no board of lights.
pub fn lines_with_both(name: &str) -> Result<Vec<Vec<String>>> {
    let variant = Variant::parse(name)?;
    let game = board_of(&variant)?;
    let shape = &game.board().shape;
    let (_, rules) = of_family(name)?;
    let symmetry = rules.last().and_then(|rule| Symmetry::named(rule));
    let map = symmetry
        .and_then(|symmetry| symmetry.on(shape))
        .ok_or_else(|| anyhow!("{name} lacks the symmetry of its family"))?;
    let meets = |cells: &[Cell]| {
        cells
            .iter()
            .any(|cell| map[cell.index()] != *cell && cells.contains(&map[cell.index()]))
    };
    let lines = shape.lines(game.board().line_length);
    Ok(lines
        .iter()
        .filter(|line| meets(&line.cells))
        .map(|line| {
            line.cells
                .iter()
                .map(|cell| shape.cell_name(*cell))
                .collect()
        })
        .collect())
}
