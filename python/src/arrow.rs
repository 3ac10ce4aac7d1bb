//! Arrow tables through the PyCapsule interface.

use std::sync::{Arc, LazyLock};

use arrow_array::builder::{
    BooleanBuilder, Float64Builder, Int32Builder, Int64Builder, ListBuilder, StringBuilder,
};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{
    ArrayRef, DictionaryArray, Int8Array, RecordBatch, RecordBatchIterator, RecordBatchReader,
    StringArray,
};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use greenwave_tablebase::Value;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};

/// The words of a column of values, in the order of their codes.
static WORDS: LazyLock<ArrayRef> = LazyLock::new(|| {
    Arc::new(StringArray::from(
        [Value::Win, Value::Draw, Value::Loss, Value::Unknown]
            .map(Value::name)
            .to_vec(),
    ))
});

/// A column that grows row by row.
pub(crate) enum Column {
    /// Texts.
    Text(StringBuilder),
    /// Lists of texts.
    Texts(ListBuilder<StringBuilder>),
    /// Win, draw, loss or unknown; nothing in rows with an error.
    Value(Vec<Option<i8>>),
    /// Small numbers.
    Small(Int32Builder),
    /// Numbers of expressions.
    Number(Int64Builder),
    /// Probabilities and expectations.
    Real(Float64Builder),
    /// True or false.
    Truth(BooleanBuilder),
}

/// The code of a value.
pub(crate) fn code(value: Value) -> i8 {
    match value {
        Value::Win => 0,
        Value::Draw => 1,
        Value::Loss => 2,
        Value::Unknown => 3,
    }
}

impl Column {
    /// Its type.
    fn kind(&self) -> DataType {
        match self {
            Column::Text(_) => DataType::Utf8,
            Column::Texts(_) => {
                DataType::List(Arc::new(Field::new_list_field(DataType::Utf8, true)))
            }
            Column::Value(_) => value_type(),
            Column::Small(_) => DataType::Int32,
            Column::Number(_) => DataType::Int64,
            Column::Real(_) => DataType::Float64,
            Column::Truth(_) => DataType::Boolean,
        }
    }

    /// Its rows.
    fn finish(self) -> Result<ArrayRef, ArrowError> {
        Ok(match self {
            Column::Text(mut rows) => Arc::new(rows.finish()),
            Column::Texts(mut rows) => Arc::new(rows.finish()),
            Column::Value(rows) => {
                let codes = Int8Array::from(rows);
                Arc::new(DictionaryArray::try_new(codes, Arc::clone(&WORDS))?)
            }
            Column::Small(mut rows) => Arc::new(rows.finish()),
            Column::Number(mut rows) => Arc::new(rows.finish()),
            Column::Real(mut rows) => Arc::new(rows.finish()),
            Column::Truth(mut rows) => Arc::new(rows.finish()),
        })
    }
}

fn value_type() -> DataType {
    DataType::Dictionary(Box::new(DataType::Int8), Box::new(DataType::Utf8))
}

/// The schema of named columns.
pub(crate) fn schema<'n>(columns: impl Iterator<Item = (&'n str, Column)>) -> SchemaRef {
    let fields: Vec<Field> = columns
        .map(|(name, column)| Field::new(name, column.kind(), true))
        .collect();
    Arc::new(Schema::new(fields))
}

/// Rows of finished columns.
pub(crate) fn batch(schema: &SchemaRef, columns: Vec<Column>) -> Result<RecordBatch, ArrowError> {
    let columns = columns.into_iter().map(Column::finish);
    RecordBatch::try_new(Arc::clone(schema), columns.collect::<Result<_, _>>()?)
}

/// An Arrow table: give it to `pyarrow.table`, `polars.DataFrame`, `pandas.DataFrame.from_arrow` or
/// duckdb, which take its columns without a copy.
#[pyclass(module = "greenwave", frozen)]
pub(crate) struct Table {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

impl Table {
    pub(crate) fn new(schema: SchemaRef, mut batches: Vec<RecordBatch>) -> Table {
        batches.retain(|batch| batch.num_rows() > 0);
        Table { schema, batches }
    }
}

#[pymethods]
impl Table {
    /// Number of rows.
    #[getter]
    fn num_rows(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    /// Number of columns.
    #[getter]
    fn num_columns(&self) -> usize {
        self.schema.fields().len()
    }

    /// Names of the columns, in order.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        let fields = self.schema.fields().iter();
        fields.map(|field| field.name().clone()).collect()
    }

    /// Bytes that the columns take in memory.
    #[getter]
    fn nbytes(&self) -> usize {
        let batches = self.batches.iter();
        batches.map(RecordBatch::get_array_memory_size).sum()
    }

    fn __len__(&self) -> usize {
        self.num_rows()
    }

    fn __repr__(&self) -> String {
        format!(
            "<greenwave.Table of {} rows: {}>",
            self.num_rows(),
            self.column_names().join(", ")
        )
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The caller may ask for another type than the columns have; the protocol lets us ignore
        // it.
        let _ = requested_schema;
        let batches = self.batches.clone().into_iter().map(Ok);
        let reader = RecordBatchIterator::new(batches, Arc::clone(&self.schema));
        let reader: Box<dyn RecordBatchReader + Send> = Box::new(reader);
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(reader), c"arrow_array_stream")
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(&*self.schema)
            .map_err(|error| PyValueError::new_err(error.to_string()))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// As a table of pyarrow.
    fn to_arrow<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let pyarrow = this.py().import("pyarrow")?;
        pyarrow.getattr("table")?.call1((this,))
    }

    /// As a frame of polars.
    fn to_polars<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let polars = this.py().import("polars")?;
        polars.getattr("DataFrame")?.call1((this,))
    }

    /// As a frame of pandas, its columns still those of Arrow.
    fn to_pandas<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let py = this.py();
        let keywords = PyDict::new(py);
        keywords.set_item("types_mapper", py.import("pandas")?.getattr("ArrowDtype")?)?;
        Table::to_arrow(this)?.call_method("to_pandas", (), Some(&keywords))
    }
}
