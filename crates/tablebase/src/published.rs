//! The published results: what solves of the catalogue came to, without their tables.

use greenwave_game::{Figures, Outcome, Plies};

/// What a published solve of one variant in one metric came to.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishedResult {
    /// The variant.
    pub variant: &'static str,
    /// Hash of its rules, in hexadecimal digits.
    pub rules_hash: &'static str,
    /// The metric.
    pub metric: &'static str,
    /// Value of the start, for the player to move; the odds are not among them.
    pub start: Figures,
    /// The expectation of the player to move, where chance takes part.
    pub expectation: Option<f64>,
    /// Positions of the index, or listed.
    pub positions: u64,
    /// Signature of the values, in hexadecimal digits.
    pub signature: &'static str,
}

/// All published results, in the order of the catalogue.
#[must_use]
pub fn published() -> Vec<PublishedResult> {
    let rows = include_str!("../published.tsv").lines().skip(1);
    rows.filter_map(|row| read(&row.split('\t').collect::<Vec<_>>()))
        .collect()
}

fn read(cells: &[&'static str]) -> Option<PublishedResult> {
    let [
        variant,
        rules_hash,
        metric,
        value,
        distance,
        points,
        nimber,
        expectation,
        positions,
        signature,
    ] = *cells
    else {
        return None;
    };
    Some(PublishedResult {
        variant,
        rules_hash,
        metric,
        start: Figures {
            value: [Outcome::Win, Outcome::Draw, Outcome::Loss]
                .into_iter()
                .find(|outcome| outcome.name() == value),
            distance: distance.parse().ok().map(Plies),
            points: points.parse().ok(),
            nimber: nimber.parse().ok(),
            odds: None,
        },
        expectation: expectation.parse().ok(),
        positions: positions.parse().ok()?,
        signature,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_read() {
        let all = published();
        assert_eq!(
            all.len() + 1,
            include_str!("../published.tsv").lines().count()
        );
        let basic = all
            .iter()
            .find(|row| row.variant == "classic-3x3" && row.metric == "distance");
        assert_eq!(basic.and_then(|row| row.start.distance), Some(Plies(17)));
    }
}
