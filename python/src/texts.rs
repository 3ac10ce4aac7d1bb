//! Positions as Python gives them: Arrow columns without a copy, anything else text by text.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::ffi::{FFI_ArrowArray, from_ffi};
use arrow_array::ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::types::{
    Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type,
};
use arrow_array::{
    Array, ArrayRef, DictionaryArray, LargeStringArray, StringArray, StringViewArray, StructArray,
    make_array,
};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, DataType};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyCapsuleMethods, PyString, PyTuple};

/// What was given for positions, and keeps their texts alive.
pub(crate) enum Texts {
    /// Columns of Arrow.
    Columns(Vec<ArrayRef>),
    /// Texts one after another, where each lies, or what stands in its place.
    Copied(String, Vec<Result<Range<usize>, String>>),
}

/// One of them.
pub(crate) enum InputItem<'t> {
    /// A text.
    Text(&'t str),
    /// Something else.
    Other(String),
}

impl AsRef<str> for InputItem<'_> {
    fn as_ref(&self) -> &str {
        match self {
            InputItem::Text(text) => text,
            InputItem::Other(_) => "",
        }
    }
}

fn refused(error: &ArrowError) -> PyErr {
    PyValueError::new_err(format!("positions: {error}"))
}

impl Texts {
    /// Takes positions: an Arrow array or column of texts, or any iterable.
    pub(crate) fn read(positions: &Bound<'_, PyAny>) -> PyResult<Texts> {
        if positions.is_instance_of::<PyString>() {
            return Err(PyTypeError::new_err(
                "positions: found a str, expected a list or an array of them; one position is asked \
                 about with 'query'",
            ));
        }
        if positions.hasattr("__arrow_c_stream__")? {
            return stream(positions).map(Texts::Columns);
        }
        if positions.hasattr("__arrow_c_array__")? {
            return Ok(Texts::Columns(vec![array(positions)?]));
        }
        let items = positions.try_iter().map_err(|_| {
            let found = positions.get_type().name();
            let found = found.map_or_else(|_| "?".into(), |name| name.to_string());
            PyTypeError::new_err(format!(
                "positions: found {found}, expected a list or an array of str"
            ))
        })?;
        let (mut all, mut places) = (String::new(), Vec::new());
        places.reserve(positions.len().unwrap_or(0));
        for item in items {
            let item = item?;
            let Ok(text) = item.cast::<PyString>() else {
                let found = item.get_type().name()?;
                places.push(Err(format!("found {found}, expected a str")));
                continue;
            };
            // Lone surrogates are no text.
            let Ok(text) = text.to_cow() else {
                places.push(Err("found a str that is no text".into()));
                continue;
            };
            let from = all.len();
            all.push_str(&text);
            places.push(Ok(from..all.len()));
        }
        Ok(Texts::Copied(all, places))
    }

    /// The texts, in order.
    pub(crate) fn all(&self) -> PyResult<Vec<InputItem<'_>>> {
        let mut all = Vec::new();
        match self {
            Texts::Copied(texts, places) => {
                all.extend(places.iter().map(|place| match place {
                    Ok(range) => InputItem::Text(&texts[range.clone()]),
                    Err(problem) => InputItem::Other(problem.clone()),
                }));
            }
            Texts::Columns(columns) => {
                for column in columns {
                    texts_of(column, &mut all).ok_or_else(|| {
                        PyTypeError::new_err(format!(
                            "positions: found a column of {}, expected one of texts",
                            column.data_type()
                        ))
                    })?;
                }
            }
        }
        Ok(all)
    }
}

/// The texts of a column; `None` where it has none.
fn texts_of<'t>(column: &'t ArrayRef, all: &mut Vec<InputItem<'t>>) -> Option<()> {
    let given = |text: Option<&'t str>| match text {
        Some(text) => InputItem::Text(text),
        None => InputItem::Other("found nothing, expected a str".into()),
    };
    let any = column.as_any();
    if let Some(texts) = any.downcast_ref::<StringArray>() {
        all.extend(texts.iter().map(given));
    } else if let Some(texts) = any.downcast_ref::<LargeStringArray>() {
        all.extend(texts.iter().map(given));
    } else if let Some(texts) = any.downcast_ref::<StringViewArray>() {
        all.extend(texts.iter().map(given));
    } else if *column.data_type() == DataType::Null {
        all.extend((0..column.len()).map(|_| given(None)));
    } else {
        macro_rules! of_dictionary {
            ($($key:ty),+) => {
                $(if let Some(array) = any.downcast_ref::<DictionaryArray<$key>>() {
                    let mut words = Vec::new();
                    texts_of(array.values(), &mut words)?;
                    let word = |key: Option<usize>| match key.and_then(|key| words.get(key)) {
                        Some(InputItem::Text(text)) => InputItem::Text(text),
                        _ => given(None),
                    };
                    all.extend(array.keys_iter().map(word));
                    return Some(());
                })+
            };
        }
        of_dictionary!(
            Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type
        );
        return None;
    }
    Some(())
}

#[allow(unsafe_code)]
fn stream(positions: &Bound<'_, PyAny>) -> PyResult<Vec<ArrayRef>> {
    let capsule = positions.call_method0("__arrow_c_stream__")?;
    let capsule = capsule.cast::<PyCapsule>()?;
    let pointer = capsule.pointer_checked(Some(c"arrow_array_stream"))?;
    // SAFETY: a capsule of this name points to a valid stream (the PyCapsule interface of Arrow
    // says so), which is moved out. The rest has no release function, so the capsule frees nothing.
    let stream = unsafe { FFI_ArrowArrayStream::from_raw(pointer.as_ptr().cast()) };
    arrays(stream).map_err(|error| refused(&error))
}

/// The columns of a stream: its arrays, or of a table with one column that column.
fn arrays(stream: FFI_ArrowArrayStream) -> Result<Vec<ArrayRef>, ArrowError> {
    let only_column = |array: ArrayRef| match array.as_any().downcast_ref::<StructArray>() {
        None => Ok(array),
        Some(table) if table.num_columns() == 1 => Ok(Arc::clone(table.column(0))),
        Some(table) => Err(ArrowError::InvalidArgumentError(format!(
            "found a table of {} columns, expected one column of texts",
            table.num_columns()
        ))),
    };
    ArrayStreamReader::try_new(stream)?
        .map(|array| only_column(array?))
        .collect()
}

#[allow(unsafe_code)]
fn array(positions: &Bound<'_, PyAny>) -> PyResult<ArrayRef> {
    let capsules = positions.call_method0("__arrow_c_array__")?;
    let capsules = capsules.cast::<PyTuple>()?;
    let schema = capsules.get_item(0)?;
    let schema = schema
        .cast::<PyCapsule>()?
        .pointer_checked(Some(c"arrow_schema"))?;
    let array = capsules.get_item(1)?;
    let array = array
        .cast::<PyCapsule>()?
        .pointer_checked(Some(c"arrow_array"))?;
    // SAFETY: capsules of these names point to a valid schema and array that belong together (the
    // PyCapsule interface of Arrow says so). Both are moved out; the rest has no release function,
    // so the capsules free nothing.
    let data = unsafe {
        let schema = FFI_ArrowSchema::from_raw(schema.as_ptr().cast());
        from_ffi(FFI_ArrowArray::from_raw(array.as_ptr().cast()), &schema)
    };
    data.map(make_array).map_err(|error| refused(&error))
}
