//! Many positions at once.

use arrow_array::builder::{Float64Builder, Int32Builder, ListBuilder, StringBuilder};
use arrow_schema::SchemaRef;
use greenwave_game::Variant;
use greenwave_tablebase::{Brief, Budget, QueryOptions, Tablebase, Value};
use pyo3::prelude::*;

use crate::arrow::{Column, Table, batch, code, schema};
use crate::failure::{Failure, sentence};
use crate::texts::{InputItem, Texts};
use crate::watch::patiently;

/// What becomes of positions that cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnError {
    /// The first of them is raised.
    Raise,
    /// They have a column of their own.
    Column,
}

impl OnError {
    pub(crate) fn read(text: &str) -> Result<OnError, Failure> {
        match text {
            "raise" => Ok(OnError::Raise),
            "column" => Ok(OnError::Column),
            _ => Err(Failure::refused(format!(
                "on_error: found '{text}', expected 'raise' or 'column'"
            ))),
        }
    }
}

/// The fields of the answers about them.
pub(crate) struct BatchSettings {
    pub(crate) variant: Variant,
    pub(crate) on_error: OnError,
    pub(crate) budget: Option<Budget>,
}

/// The rows of a part.
struct Rows {
    asked: usize,
    // Which of them could not be read first, and why.
    first_error: Option<(usize, String)>,
    on_error: OnError,
    position: StringBuilder,
    value: Vec<Option<i8>>,
    numbers: [Int32Builder; 3],
    expectation: Float64Builder,
    best: ListBuilder<StringBuilder>,
    error: StringBuilder,
}

impl Rows {
    fn new(rows: usize, on_error: OnError) -> Rows {
        let numbers = || Int32Builder::with_capacity(rows);
        Rows {
            asked: 0,
            first_error: None,
            on_error,
            position: StringBuilder::with_capacity(rows, 16 * rows),
            value: Vec::with_capacity(rows),
            numbers: [numbers(), numbers(), numbers()],
            expectation: Float64Builder::with_capacity(rows),
            best: ListBuilder::with_capacity(
                StringBuilder::with_capacity(4 * rows, 12 * rows),
                rows,
            ),
            error: StringBuilder::new(),
        }
    }

    fn take(&mut self, brief: &Brief) {
        self.asked += 1;
        if self.first_error.is_some() && self.on_error == OnError::Raise {
            return;
        }
        let figures = &brief.figures;
        let [distance, points, nimber] = &mut self.numbers;
        self.position.append_value(&brief.position);
        self.value.push(Some(code(Value::from(figures.value))));
        distance.append_option(figures.distance.map(|plies| plies.0 as i32));
        points.append_option(figures.points);
        nimber.append_option(figures.nimber.map(|nimber| nimber as i32));
        self.expectation
            .append_option(figures.odds.map(|odds| odds.expectation));
        for mv in &brief.best {
            self.best.values().append_value(mv);
        }
        self.best.append(true);
        if self.on_error == OnError::Column {
            self.error.append_null();
        }
    }

    fn refuse(&mut self, text: Option<&str>, problem: String) {
        if self.on_error == OnError::Column {
            self.position.append_option(text);
            self.value.push(None);
            self.numbers.iter_mut().for_each(Int32Builder::append_null);
            self.expectation.append_null();
            self.best.append(false);
            self.error.append_value(&problem);
        }
        if self.first_error.is_none() {
            self.first_error = Some((self.asked, problem));
        }
        self.asked += 1;
    }

    fn columns(self) -> Vec<Column> {
        let [distance, points, nimber] = self.numbers;
        let mut columns = vec![
            Column::Text(self.position),
            Column::Value(self.value),
            Column::Small(distance),
            Column::Small(points),
            Column::Small(nimber),
            Column::Real(self.expectation),
            Column::Texts(self.best),
        ];
        if self.on_error == OnError::Column {
            columns.push(Column::Text(self.error));
        }
        columns
    }
}

const NAMES: [&str; 8] = [
    "position",
    "value",
    "distance",
    "points",
    "nimber",
    "expectation",
    "best",
    "error",
];

fn schema_of(on_error: OnError) -> SchemaRef {
    schema(NAMES.into_iter().zip(Rows::new(0, on_error).columns()))
}

pub(crate) fn query_many(
    py: Python<'_>,
    tablebase: &Tablebase,
    asked: &BatchSettings,
    positions: &Bound<'_, PyAny>,
) -> PyResult<Table> {
    let texts = Texts::read(positions)?;
    let given = texts.all()?;
    let variant = &asked.variant;
    let on_error = asked.on_error;
    let options = QueryOptions::within(asked.budget);
    patiently(py, tablebase, None, |tablebase| {
        let mut queries = tablebase.queries(variant, &options)?;
        queries.expect(given.len() as u64)?;
        let parts = queries.briefs(
            &given,
            |rows| Rows::new(rows, on_error),
            |rows, given, found| match (given, found) {
                (InputItem::Other(problem), _) => rows.refuse(None, problem.clone()),
                (InputItem::Text(_), Ok(brief)) => rows.take(brief),
                (InputItem::Text(text), Err(error)) => rows.refuse(Some(text), sentence(error)),
            },
        )?;
        let mut before = 0;
        for part in &parts {
            if let (Some((place, problem)), OnError::Raise) = (&part.first_error, on_error) {
                return Err(Failure::refused(format!(
                    "positions[{}]: {problem}",
                    before + place
                )));
            }
            before += part.asked;
        }
        let schema = schema_of(on_error);
        let batches = parts.into_iter().map(|part| batch(&schema, part.columns()));
        let batches = batches.collect::<Result<_, _>>();
        Ok(Table::new(
            schema,
            batches.map_err(|error| Failure::refused(error.to_string()))?,
        ))
    })
}
