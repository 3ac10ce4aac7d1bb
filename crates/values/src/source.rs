//! Where values come from: one source or several together.

use greenwave_game::{Figures, Metric, Rules};
use greenwave_table::{Hash32, Table, ValueKind};

use crate::ValuesError;

/// Something that knows values of positions: a table, a solution in memory, or both.
pub trait ValueSource<P>: Sync {
    /// The error of a failed look-up: a damaged block, a file that cannot be read.
    type Error;

    /// Figures of a position for the player to move in it; unknown metrics are `None`.
    ///
    /// # Errors
    /// When the source holds the position but cannot be read.
    fn figures(&self, position: &P) -> Result<Figures, Self::Error>;

    /// Figures of several positions, in their order, in place of what `all` held: where each has to be
    /// fetched from memory, they are fetched together.
    ///
    /// # Errors
    /// As [`ValueSource::figures`].
    fn figures_of_all(&self, positions: &[P], all: &mut Vec<Figures>) -> Result<(), Self::Error> {
        all.clear();
        for position in positions {
            all.push(self.figures(position)?);
        }
        Ok(())
    }

    /// Expectations that differ by no more than this are not told apart.
    fn tie(&self) -> f64 {
        greenwave_game::TIE
    }
}

/// The metric of a table, which must be one of a game with these rules.
pub(crate) fn checked(rules: &Rules, table: &Table) -> Result<Metric, ValuesError> {
    table.expect_rules(&Hash32(rules.hash.0))?;
    let foreign = |problem: String| ValuesError::foreign(table, rules, problem);
    let metric: Metric = table.meta().metric.parse().map_err(foreign)?;
    if !rules.metrics.contains(&metric) {
        return Err(foreign(format!(
            "{} has no metric '{metric}'",
            rules.title()
        )));
    }
    Ok(metric)
}

/// Whether the values of a table are of a kind and have one of some widths, in bits.
pub(crate) fn expect_values(
    rules: &Rules,
    table: &Table,
    kind: ValueKind,
    widths: &[u32],
) -> Result<(), ValuesError> {
    let (bits, found) = (table.layout().value_bits, table.layout().kind);
    if found == kind && widths.contains(&bits) {
        return Ok(());
    }
    let widths: Vec<String> = widths.iter().map(u32::to_string).collect();
    let problem = format!(
        "found {found:?} values of {bits} bits, expected {kind:?} ones of {}",
        widths.join(" or ")
    );
    Err(ValuesError::foreign(table, rules, problem))
}

/// Several sources together: each metric from the first source that has it.
pub struct SourceList<'a, P>(pub Vec<Box<dyn ValueSource<P, Error = ValuesError> + 'a>>);

impl<P> ValueSource<P> for SourceList<'_, P> {
    type Error = ValuesError;

    fn figures(&self, position: &P) -> Result<Figures, ValuesError> {
        self.0.iter().try_fold(Figures::default(), |known, source| {
            Ok(known.or(source.figures(position)?))
        })
    }

    fn figures_of_all(&self, positions: &[P], all: &mut Vec<Figures>) -> Result<(), ValuesError> {
        let Some((first, others)) = self.0.split_first() else {
            all.clear();
            all.resize(positions.len(), Figures::default());
            return Ok(());
        };
        first.figures_of_all(positions, all)?;
        let mut found = Vec::new();
        for source in others {
            source.figures_of_all(positions, &mut found)?;
            let both = all.iter_mut().zip(&found);
            both.for_each(|(known, found)| *known = known.or(*found));
        }
        Ok(())
    }

    fn tie(&self) -> f64 {
        self.0.iter().map(|source| source.tie()).fold(0.0, f64::max)
    }
}
