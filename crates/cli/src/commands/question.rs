//! The metrics and the position that a command is about.

use greenwave_game::{Metric, Rules};
use greenwave_tablebase::Place;

use crate::args::MetricChoice;

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

/// The position that a command is about, as it is typed.
pub(super) fn place<'a>(position: Option<&'a str>, moves: Option<&'a str>) -> Place<'a> {
    Place { position, moves }
}
