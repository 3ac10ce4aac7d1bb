//! Whole variants as NumPy arrays: views of what is held here, without a copy.

use greenwave_game::{Metric, Variant};
use greenwave_tablebase::Tablebase;
use greenwave_values::ByIndex;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::watch::patiently;

/// Owns an array and tells NumPy where it lies (the stable interface of Python 3.9 has no buffers).
#[pyclass(module = "greenwave", frozen)]
pub(crate) struct ArrayOwner(ByIndex);

#[pymethods]
impl ArrayOwner {
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        fn told<T>(values: &[T], kind: &'static str) -> (usize, usize, &'static str) {
            (values.as_ptr().addr(), values.len(), kind)
        }
        let little = cfg!(target_endian = "little");
        let (at, length, kind) = match &self.0 {
            ByIndex::Value(values) => told(values, "|i1"),
            ByIndex::Distance(values) | ByIndex::Points(values) => {
                told(values, if little { "<i2" } else { ">i2" })
            }
            ByIndex::Nimber(values) => told(values, "|u1"),
            ByIndex::Odds(values) => told(values, if little { "<f8" } else { ">f8" }),
        };
        let interface = PyDict::new(py);
        interface.set_item("shape", (length,))?;
        interface.set_item("typestr", kind)?;
        // Read only: the data here stays as it is.
        interface.set_item("data", (at, true))?;
        interface.set_item("version", 3)?;
        Ok(interface)
    }
}

pub(crate) fn values<'py>(
    py: Python<'py>,
    tablebase: &Tablebase,
    variant: &Variant,
    metric: Metric,
) -> PyResult<Bound<'py, PyAny>> {
    let numpy = py.import("numpy")?;
    let values = patiently(py, tablebase, None, |tablebase| {
        Ok(tablebase.by_index(variant, metric)?)
    })?;
    numpy.getattr("asarray")?.call1((ArrayOwner(values),))
}
