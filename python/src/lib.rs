//! The Python module `greenwave._native`: the tablebase, its documents as dicts, batches and whole
//! variants as Arrow and NumPy arrays. `greenwave/__init__.py` and the type stubs beside it describe
//! it to users.

mod array;
mod arrow;
mod claims;
mod documents;
mod failure;
mod find;
mod handle;
mod many;
mod position;
mod texts;
mod watch;

use pyo3::prelude::*;

#[pymodule]
mod _native {
    use super::{Bound, PyModule, PyModuleMethods, PyResult};

    #[pymodule_export]
    use crate::arrow::Table;
    #[pymodule_export]
    use crate::documents::{book, check, explain, line, perft, query, review, stats};
    #[pymodule_export]
    use crate::handle::Tablebase;
    #[pymodule_export]
    use crate::position::Position;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
