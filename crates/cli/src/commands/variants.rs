//! `variants`: the catalogue.

use anyhow::Result;
use greenwave_game::{Dense, FAMILIES, Family, Metric, Packing, Variant, catalogue, with_game};
use serde::Serialize;

use crate::output::json::{SCHEMA, outcome_name};
use crate::output::{columns, print, print_json, readable, words, wrapped};
use crate::session::{Session, Verdict};

#[derive(Serialize)]
struct VariantJson {
    schema: u32,
    variant: String,
    family: &'static str,
    cells: u32,
    indexable: u128,
    /// Whether `indexable` is exact; positions that play reaches are not counted before a solve.
    exact: bool,
    metrics: Vec<&'static str>,
    solved: Vec<&'static str>,
    value: Option<&'static str>,
    distance: Option<u32>,
    points: Option<i32>,
}

pub(super) fn run(session: &Session) -> Result<Verdict> {
    let mut list = Vec::new();
    let mut rows = vec![
        ["variant", "squares", "positions", "the first player"]
            .map(String::from)
            .to_vec(),
    ];
    for name in catalogue() {
        let variant = Variant::parse(name)?;
        let rules = variant.rules();
        let mut solved: Vec<Metric> = Vec::new();
        let mut start = greenwave_table::Figures::default();
        let mut solved_positions: Option<u128> = None;
        for metric in &rules.metrics {
            if let Some(table) = session.open_table(rules, *metric)? {
                let found = &table.meta().summary.start;
                start.value = start.value.or(found.value);
                start.distance = start.distance.or(found.distance);
                start.points = start.points.or(found.points);
                solved_positions = Some(table.meta().positions().into());
                solved.push(*metric);
            }
        }
        let expected = with_game!(&variant, game => game.expected_positions());
        let indexable = solved_positions.unwrap_or(expected);
        let listed = with_game!(&variant, game => {
            game.packing(rules.default_metric) == Packing::Listed
        });
        let exact = !listed || solved_positions.is_some();
        let names = |metrics: &[Metric]| {
            metrics
                .iter()
                .map(|metric| metric.name())
                .collect::<Vec<_>>()
        };
        rows.push(vec![
            name.to_string(),
            rules.cells.to_string(),
            format!("{}{}", if exact { "" } else { "≤ " }, readable(indexable)),
            if solved.is_empty() {
                "not solved here".into()
            } else {
                words::phrase(&crate::output::from_table(&start))
            },
        ]);
        list.push(VariantJson {
            schema: SCHEMA,
            variant: name.to_string(),
            family: rules.family.name,
            cells: rules.cells,
            indexable,
            exact,
            metrics: names(&rules.metrics),
            solved: names(&solved),
            value: start.value.map(outcome_name),
            distance: start.distance,
            points: start.points,
        });
    }
    if session.json {
        print_json(&list)?;
    } else {
        let mut text = columns(&rows, 0, &[1, 2]);
        text.push('\n');
        text.push_str(&wrapped("", 0, &sizes()));
        print(&text)?;
    }
    Ok(Verdict::Done)
}

/// Which other names there are, and what the list means.
fn sizes() -> String {
    let mut sizes = String::from("Any size works: ");
    let sized = FAMILIES.iter().filter(|family| !family.sizes.is_empty());
    let sized: Vec<&&Family> = sized.collect();
    for alike in sized.chunk_by(|a, b| a.sizes == b.sizes) {
        let names = alike.iter().flat_map(|family| family.names);
        let names: Vec<&str> = names.copied().filter(|name| has_size(name)).collect();
        sizes.push_str(&format!("{} ({}), ", names.join(", "), alike[0].sizes));
    }
    sizes.push_str(
        "with options after a colon; 'greenwave rules VARIANT' explains them. Games of your own \
         are rule files (NAME.toml). Values are for the player who moves first; distances are in \
         plies; \u{2264}: at most, not counted before it is solved.",
    );
    sizes
}

// The letters of a size are capitals.
fn has_size(name: &str) -> bool {
    name.contains(|letter: char| letter.is_ascii_uppercase())
}
