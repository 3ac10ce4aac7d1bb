//! The metrics, the instructions and the position that a command is about.

use std::borrow::Cow;
use std::path::Path;

use anyhow::{Context, Result, bail};
use greenwave_game::{Metric, Rules};
use greenwave_solver::sweep::Kernel;
use greenwave_tablebase::{Place, SolveOptions};

use super::review::{LONGEST, text_of};
use crate::args::MetricChoice;
use crate::session::Session;

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
pub(super) fn tell_unused(session: &Session, kernel: Kernel, used: &[&str]) {
    if kernel != SolveOptions::default().kernel && !used.contains(&kernel.name()) {
        session.remark("--kernel: nothing was solved by these instructions; leave it out");
    }
}

/// The position and the moves that a command is about, as they are typed.
pub(super) struct PlaceTexts<'a> {
    position: Option<Cow<'a, str>>,
    moves: Option<Cow<'a, str>>,
}

impl<'a> PlaceTexts<'a> {
    /// `-` stands for stdin.
    ///
    /// # Errors
    /// When stdin cannot be read, and when both are to be there.
    pub(super) fn read(
        position: Option<&'a str>,
        moves: Option<&'a str>,
    ) -> Result<PlaceTexts<'a>> {
        if position.is_some_and(is_dash) && moves.is_some_and(is_dash) {
            bail!("found two texts for stdin, the position and --moves; give the moves as b2R,b2Y");
        }
        Ok(PlaceTexts {
            position: position
                .map(|text| text_or_stdin(text, "a position"))
                .transpose()?,
            moves: moves
                .map(|text| text_or_stdin(text, "the moves of one game"))
                .transpose()?,
        })
    }

    pub(super) fn place(&self) -> Place<'_> {
        Place {
            position: self.position.as_deref().map(str::trim),
            moves: self.moves.as_deref(),
        }
    }
}

/// Whether a text stands for stdin.
pub(super) fn is_dash(text: &str) -> bool {
    text.trim() == "-"
}

/// A text as it is typed; for `-` all of stdin, where a text of this kind is expected.
///
/// # Errors
/// When stdin cannot be read.
pub(super) fn text_or_stdin<'a>(typed: &'a str, expected: &str) -> Result<Cow<'a, str>> {
    if !is_dash(typed) {
        return Ok(typed.into());
    }
    let read = text_of(Path::new("-"), LONGEST, expected);
    let read = read.with_context(|| format!("cannot read {expected} from stdin"))?;
    Ok(read.into())
}
