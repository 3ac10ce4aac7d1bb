//! Games with chance: where their odds come from.

use anyhow::{Result, bail};
use greenwave_game::{BagBase, Colours, Game, Luck, Metric, Variant};
use greenwave_probe::{Verified, verify_odds};
use greenwave_solver::chance::{self, Keep, Plan};
use greenwave_solver::sweep::Kernel;
use greenwave_solver::{Task, Wanted};
use greenwave_table::{Summary, Table};
use greenwave_values::{OddsByIndex, OddsTable, Progress, SolvedOdds, Unit};

use crate::output::bytes;
use crate::session::Session;

/// Runs an expression with the bag game inside a [`Variant`], whichever type it has.
macro_rules! with_bag {
    ($variant:expr, $game:ident => $body:expr) => {
        match $variant {
            Variant::Bag($game) => $body,
            Variant::BagStrip($game) => $body,
            other => bail!("{} has no chance in it", other.rules().name),
        }
    };
}

/// Whether a variant has chance in it.
pub(crate) fn has_chance(variant: &Variant) -> bool {
    variant.rules().properties.luck == Luck::Draws
}

/// Whether lines score points.
pub(crate) fn scored(variant: &Variant) -> bool {
    match variant {
        Variant::Bag(game) => game.base().scores(),
        Variant::BagStrip(game) => game.base().scores(),
        other => other.rules().metrics.contains(&Metric::Points),
    }
}

/// Odds at hand.
pub(crate) enum HeldOdds {
    Table(Box<OddsTable>),
    Solved(Box<SolvedOdds>),
}

impl HeldOdds {
    pub(crate) fn by_index(&self) -> &dyn OddsByIndex {
        match self {
            HeldOdds::Table(table) => table.as_ref(),
            HeldOdds::Solved(solved) => solved.as_ref(),
        }
    }

    /// The table, where the odds come from one.
    pub(crate) fn table(&self) -> Option<&Table> {
        match self {
            HeldOdds::Table(table) => Some(table.table()),
            HeldOdds::Solved(_) => None,
        }
    }
}

/// The table of a variant, if there is one.
pub(crate) fn table(session: &Session, variant: &Variant) -> Result<Option<HeldOdds>> {
    let Some(table) = session.open_table(variant.rules(), Metric::Odds)? else {
        return Ok(None);
    };
    let table = Table::open(table.path())?;
    let table = with_bag!(variant, game => OddsTable::new(game, table)?);
    Ok(Some(HeldOdds::Table(Box::new(table))))
}

fn plan(session: &Session, variant: &Variant) -> Result<Plan> {
    session.on_threads(|| Ok(with_bag!(variant, game => chance::plan(game))))
}

fn solved(session: &Session, variant: &Variant, position: Option<&str>) -> Result<SolvedOdds> {
    let solved = session.on_threads(|| {
        with_bag!(variant, game => {
            let place = match position {
                Some(text) => Some(game.parse_position(text, Colours::Ryg)?),
                None => None,
            };
            let keep = place.as_ref().map_or(Keep::All, Keep::Around);
            let (values, start) =
                chance::solve_odds(game, keep, session.memory, &*session.progress)?;
            Ok(SolvedOdds { values, start: Some(start), tie: greenwave_game::TIE })
        })
    });
    session.progress.finish();
    solved
}

/// The counts of a variant, of its table, else of a sweep that keeps no values.
pub(crate) fn summary(session: &Session, variant: &Variant) -> Result<Summary> {
    if let Some(table) = session.open_table(variant.rules(), Metric::Odds)? {
        return Ok(table.meta().summary.clone());
    }
    let task = Task {
        variant,
        metric: Metric::Odds,
        kernel: Kernel::best(),
        memory: session.memory,
        wanted: Wanted::Counts,
        checkpoint: None,
    };
    let done = session.on_threads(|| task.run(&*session.progress));
    session.progress.finish();
    Ok(done?.summary)
}

/// Bytes that it takes to have the odds of every position in memory: read from the table, else solved.
pub(crate) fn memory(session: &Session, variant: &Variant) -> Result<u128> {
    let plan = plan(session, variant)?;
    let table = session.open_table(variant.rules(), Metric::Odds)?;
    Ok(match table {
        // The numbers of the table and the values made of them.
        Some(table) => plan.values_bytes + u128::from(table.meta().packed) * 8,
        None => plan.values_bytes + plan.sweep_bytes,
    })
}

/// The odds of every position in memory, which must have room: see [`memory`].
pub(crate) fn in_memory(session: &Session, variant: &Variant) -> Result<SolvedOdds> {
    match table(session, variant)? {
        Some(HeldOdds::Table(table)) => {
            session.on_threads(|| with_bag!(variant, game => Ok(table.load(game)?)))
        }
        _ => solved(session, variant, None),
    }
}

/// The odds of every position, for commands that ask for many: in memory where they fit, else from
/// the table.
pub(crate) fn many(session: &Session, variant: &Variant) -> Result<HeldOdds> {
    let needed = memory(session, variant)?;
    if needed <= u128::from(session.memory) {
        let odds = in_memory(session, variant)?;
        return Ok(HeldOdds::Solved(Box::new(odds)));
    }
    match table(session, variant)? {
        Some(table) => Ok(table),
        None => bail!(
            "solving {} in memory needs {}, allowed are {}; give more with --memory, or solve it \
             to a table first with 'greenwave solve {}'",
            variant.rules().name,
            bytes(needed),
            bytes(session.memory.into()),
            variant.rules().name
        ),
    }
}

/// Checks a table against the rules.
pub(crate) fn verify(session: &Session, variant: &Variant, table: Table) -> Result<Verified> {
    let progress = &*session.progress;
    let needed = u128::from(table.meta().packed) * 8 + plan(session, variant)?.values_bytes;
    if needed > u128::from(session.memory) {
        bail!(
            "verifying '{}' needs {} of memory, allowed are {}; give more with --memory",
            table.path().display(),
            bytes(needed),
            bytes(session.memory.into())
        );
    }
    progress.begin(
        &format!("verifying {}", table.path().display()),
        table.meta().packed,
        Unit::Positions,
    );
    let verified = session.on_threads(|| {
        with_bag!(variant, game => {
            let odds = OddsTable::new(game, table)?;
            Ok(verify_odds(&odds, game, &|numbers| progress.advance(numbers))?)
        })
    });
    progress.finish();
    verified
}
