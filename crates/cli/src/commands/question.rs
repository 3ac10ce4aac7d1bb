//! The metrics, the instructions and the position that a command is about.

use std::borrow::Cow;

use anyhow::{Context, Result};
use greenwave_game::{Metric, Rules};
use greenwave_solver::sweep::Kernel;
use greenwave_tablebase::{Place, SolveOptions};

use super::review::game_of;
use crate::args::MetricChoice;
use crate::output::complain;

/// The metrics that a `--metric` names for a variant, each once; `None` if it names none.
pub(super) fn chosen(choices: &[MetricChoice], rules: &Rules) -> Option<Vec<Metric>> {
    let mut metrics = Vec::new();
    for choice in choices {
        match choice {
            MetricChoice::All => metrics.extend(&rules.metrics),
            MetricChoice::One(metric) => metrics.push(*metric),
        }
    }
    let mut seen = Vec::new();
    metrics.retain(|metric| {
        !seen.contains(metric) && {
            seen.push(*metric);
            true
        }
    });
    (!metrics.is_empty()).then_some(metrics)
}

/// Says that a `--kernel` had no part in what was solved by the `used` ones.
pub(super) fn tell_unused(kernel: Kernel, used: &[&str]) {
    if kernel != SolveOptions::default().kernel && !used.contains(&kernel.name()) {
        complain("--kernel: nothing was solved by these instructions; leave it out");
    }
}

/// The moves that a command is about, as they are typed; `-` for stdin.
///
/// # Errors
/// When stdin cannot be read.
pub(super) fn moves(typed: Option<&str>) -> Result<Option<Cow<'_, str>>> {
    match typed {
        Some(dash) if dash.trim() == "-" => {
            let read = game_of("-").context("cannot read the moves from stdin");
            read.map(|moves| Some(moves.into()))
        }
        typed => Ok(typed.map(Cow::from)),
    }
}

/// The position that a command is about, as it is typed.
pub(super) fn place<'a>(position: Option<&'a str>, moves: Option<&'a str>) -> Place<'a> {
    Place { position, moves }
}
