//! The published results: what solves of the catalogue came to, without their tables.

use std::sync::LazyLock;

use greenwave_game::{Dense, Figures, Odds, Outcome, Plies, Rules};
use greenwave_values::{ValueSource, ValuesError};

/// What a published solve of one variant in one metric came to.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishedResult {
    /// The variant.
    pub variant: &'static str,
    /// Hash of its rules, in hexadecimal digits.
    pub rules_hash: &'static str,
    /// The metric.
    pub metric: &'static str,
    /// Value of the start, for the player to move.
    pub start: Figures,
    /// Positions of the index, or listed.
    pub positions: u64,
    /// Signature of the values, in hexadecimal digits.
    pub signature: &'static str,
}

/// All published results, in the order of the catalogue.
#[must_use]
pub fn published() -> &'static [PublishedResult] {
    static RESULTS: LazyLock<Vec<PublishedResult>> = LazyLock::new(|| {
        let rows = include_str!("../published.tsv").lines().skip(1);
        let rows = rows.filter_map(|row| read(&row.split('\t').collect::<Vec<_>>()));
        rows.collect()
    });
    &RESULTS
}

impl PublishedResult {
    /// What is published of a game with these rules in its default metric.
    #[must_use]
    pub fn of(rules: &Rules) -> Option<&'static PublishedResult> {
        let hash = rules.hash.to_string();
        let metric = rules.default_metric.name();
        published()
            .iter()
            .find(|row| row.rules_hash == hash && row.metric == metric)
    }

    /// The command that solves the game again.
    #[must_use]
    pub fn made_by(&self) -> String {
        let PublishedResult {
            variant, metric, ..
        } = self;
        format!("greenwave solve {variant} --metric {metric} --no-table")
    }
}

/// The published result of a game without chance as a source of values: of its start alone.
pub(crate) struct PublishedStart<'a, G> {
    game: &'a G,
    pub(crate) result: &'static PublishedResult,
}

impl<'a, G: Dense> PublishedStart<'a, G> {
    /// `None` where nothing is published, or odds, which say nothing of who wins.
    pub(crate) fn of(game: &'a G) -> Option<PublishedStart<'a, G>> {
        let result = PublishedResult::of(game.rules())?;
        let is_told = result.start.value.is_some() && result.start.odds.is_none();
        is_told.then_some(PublishedStart { game, result })
    }
}

impl<G: Dense> ValueSource<G::Position> for PublishedStart<'_, G> {
    type Error = ValuesError;

    fn figures(&self, position: &G::Position) -> Result<Figures, ValuesError> {
        Ok(if *position == self.game.start() {
            self.result.start
        } else {
            Figures::default()
        })
    }
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
        win,
        loss,
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
            odds: odds(expectation, win, loss),
        },
        positions: positions.parse().ok()?,
        signature,
    })
}

fn odds(expectation: &str, win: &str, loss: &str) -> Option<Odds> {
    let [expectation, win, loss] = [expectation, win, loss].map(|cell| cell.parse().ok());
    Some(Odds::of(win?, loss?, expectation?))
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
