//! The catalogue.

use greenwave_game::{FAMILIES, Figures, Metric, Variant, catalogue};
use greenwave_values::figures_of_stored;
use serde::Serialize;

use super::{SCHEMA, Value, figures_of_fields};
use crate::{Error, Tablebase, published};

/// A variant of the catalogue, and what its tables say of its start.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct VariantEntry {
    /// Version of the document.
    pub schema: u32,
    /// The variant.
    pub variant: String,
    /// The order of its lights, `ryg` or `gyr`; `None` where it has none.
    pub lights: Option<&'static str>,
    /// Its family.
    pub family: &'static str,
    /// Its squares or points.
    pub cells: u32,
    /// Its positions.
    pub indexable: u128,
    /// Whether `indexable` is exact; positions that play reaches are not counted before a solve.
    pub exact: bool,
    /// Its metrics.
    pub metrics: Vec<&'static str>,
    /// Those that have a table.
    pub solved: Vec<&'static str>,
    /// Win, loss or draw at the start.
    pub value: Option<Value>,
    /// Distance of the start.
    pub distance: Option<u32>,
    /// Points of the start.
    pub points: Option<i32>,
    /// The first player's expectation, where chance takes part.
    pub expectation: Option<f64>,
    /// Whether figures are the published ones, not those of a table that is here.
    pub published: bool,
    /// What is wrong with a table of it; other figures are those of its other tables.
    pub error: Option<String>,
}

impl VariantEntry {
    /// The figures of the start together.
    #[must_use]
    pub fn start(&self) -> Figures {
        figures_of_fields(self.value, self.distance, self.points)
    }
}

impl Tablebase {
    /// The catalogue of variants with what is solved, each with the error of a table that is damaged or of other
    /// rules.
    ///
    /// # Errors
    /// When a variant cannot be read.
    pub fn variants(&self) -> Result<Vec<(VariantEntry, Option<Error>)>, Error> {
        // After each variant the names of its own that it has besides.
        let others = |name: &'static str| {
            let aliases = FAMILIES.iter().flat_map(|family| family.aliases);
            let shown = aliases.filter(move |alias| alias.is_shown && alias.means == name);
            shown.map(|alias| alias.name)
        };
        let names = catalogue().iter();
        let names = names.flat_map(|name| std::iter::once(*name).chain(others(name)));
        names.map(|name| self.entry(name)).collect()
    }

    fn entry(&self, name: &str) -> Result<(VariantEntry, Option<Error>), Error> {
        let variant = Variant::parse(name)?;
        let rules = variant.rules();
        let mut solved: Vec<Metric> = Vec::new();
        let mut start = Figures::default();
        let mut positions: Option<u128> = None;
        let mut fault = None;
        for metric in &rules.metrics {
            match self.table(rules, *metric) {
                Ok(Some(table)) => {
                    start = start.or(figures_of_stored(&table.meta().summary.start));
                    positions = Some(table.meta().positions().into());
                    solved.push(*metric);
                }
                Ok(None) => {}
                Err(error) => {
                    fault.get_or_insert(error);
                }
            }
        }
        let mut from_elsewhere = false;
        // Published results fill what the tables here lack: the distance beside values, too.
        let default = rules.default_metric;
        if !solved.contains(&default) {
            let (name, hash) = (default.name(), rules.hash.to_string());
            let known = published().iter();
            let mut known = known.filter(|row| row.rules_hash == hash && row.metric == name);
            if let Some(row) = known.next() {
                start = start.or(row.start);
                from_elsewhere = true;
            }
        }
        let names = |metrics: &[Metric]| metrics.iter().map(|metric| metric.name()).collect();
        let entry = VariantEntry {
            schema: SCHEMA,
            variant: rules.title().to_string(),
            lights: rules.lights_name(),
            family: rules.family.name,
            cells: rules.cells,
            indexable: positions.unwrap_or_else(|| variant.expected_positions()),
            exact: positions.is_some() || !variant.holds_reachable_only(),
            metrics: names(&rules.metrics),
            solved: names(&solved),
            value: start.value.map(Value::from),
            distance: start.distance.map(|plies| plies.0),
            points: start.points,
            expectation: start.odds.map(|odds| odds.expectation),
            published: from_elsewhere,
            error: fault.as_ref().map(Error::to_string),
        };
        Ok((entry, fault))
    }
}
