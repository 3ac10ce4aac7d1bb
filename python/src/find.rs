//! All positions that an expression describes, as a table.

use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_array::builder::{BooleanBuilder, Int64Builder, StringBuilder};
use greenwave_game::{Squares, Variant, with_game};
use greenwave_judge::expr::{BoundExpression, KnownValues, MoveLists, Output, ValueType};
use greenwave_judge::{ReachedPositions, find_in_parts};
use greenwave_tablebase::{Tablebase, Value};
use pyo3::prelude::*;

use crate::arrow::{Column, Table, batch, code, schema};
use crate::failure::Failure;
use crate::watch::patiently;

fn column(kind: ValueType) -> Column {
    match kind {
        ValueType::Truth => Column::Truth(BooleanBuilder::new()),
        ValueType::Number => Column::Number(Int64Builder::new()),
        ValueType::Outcome => Column::Value(Vec::new()),
        ValueType::Level => Column::Text(StringBuilder::new()),
    }
}

fn push(column: &mut Column, output: &Output) {
    match (column, output) {
        (Column::Truth(rows), Output::Truth(truth)) => rows.append_value(*truth),
        (Column::Number(rows), Output::Number(number)) => rows.append_value(*number),
        (Column::Value(rows), Output::Word(word)) => {
            let values = [Value::Win, Value::Draw, Value::Loss];
            let value = values.into_iter().find(|value| value.name() == *word);
            rows.push(value.map(code));
        }
        (Column::Text(rows), Output::Word(word)) => rows.append_value(word),
        (Column::Text(rows), Output::Light(light)) => {
            rows.append_value(light.encode_utf8(&mut [0; 4]));
        }
        (Column::Truth(rows), _) => rows.append_null(),
        (Column::Number(rows), _) => rows.append_null(),
        (Column::Value(rows), _) => rows.push(None),
        (Column::Text(rows), _) => rows.append_null(),
        (Column::Texts(_) | Column::Small(_) | Column::Real(_), _) => {}
    }
}

pub(crate) fn find(
    py: Python<'_>,
    tablebase: &Tablebase,
    variant: &Variant,
    expression: &str,
    fields: Option<&str>,
) -> PyResult<Table> {
    patiently(py, tablebase, None, |tablebase| {
        // The expression is checked before anything is solved.
        let bound = BoundExpression::with_fields(variant, expression, fields)?;
        let metrics = bound.metrics().iter();
        let solutions = metrics
            .map(|metric| tablebase.values(variant, *metric))
            .collect::<Result<Vec<_>, _>>()?;
        let values: Vec<_> = solutions.iter().map(|solution| &solution.values).collect();
        with_game!(variant, game => {
            let reached = bound.reached(tablebase, game)?;
            let reached = reached.as_ref().map(ReachedPositions::set);
            gathered(tablebase, &KnownValues::new(game, &values, reached), &bound)
        })
    })
}

fn gathered<G: Squares>(
    tablebase: &Tablebase,
    known: &KnownValues<'_, G>,
    bound: &BoundExpression,
) -> Result<Table, Failure> {
    let names =
        || std::iter::once("position").chain(bound.named().iter().map(|named| named.name.as_str()));
    let columns = || -> Vec<Column> {
        let kinds = bound.named().iter().map(|named| column(named.kind));
        std::iter::once(Column::Text(StringBuilder::new()))
            .chain(kinds)
            .collect()
    };
    let schema = schema(names().zip(columns()));
    let mut batches: Vec<RecordBatch> = Vec::new();
    tablebase.on_threads(|| {
        find_in_parts(
            known,
            bound,
            tablebase.progress(),
            columns,
            |columns, position, scratch: &mut MoveLists<G::Move>| {
                let mut rows = columns.iter_mut();
                if let Some(Column::Text(texts)) = rows.next() {
                    texts.append_value(known.game().position_text(position));
                }
                for (column, named) in rows.zip(bound.named()) {
                    push(column, &known.output(named, position, scratch));
                }
            },
            |columns| {
                let rows = batch(&Arc::clone(&schema), columns);
                batches.push(
                    rows.map_err(|error| greenwave_judge::JudgeError::refused(error.to_string()))?,
                );
                Ok(())
            },
        )
    })?;
    Ok(Table::new(schema, batches))
}
