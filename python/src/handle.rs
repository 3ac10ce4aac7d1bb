//! `Tablebase` for Python, and the one that the functions of the module ask.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use greenwave_game::{Metric, UnknownLights, Variant};
use greenwave_tablebase::{
    self as tablebase, Settings, SolveOptions, read_memory, read_variant, usual_dir,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

use crate::arrow::Table;
use crate::failure::Failure;
use crate::watch::patiently;
use crate::{array, documents, find, many};

/// A folder of tables with the memory and threads that may be used.
///
/// A process that is forked inherits tables and solutions, but not the threads that work on them. So
/// the process that opened a tablebase is remembered, and another one opens it anew.
#[derive(Debug)]
pub(crate) struct OpenTablebase {
    process: u32,
    dir: PathBuf,
    settings: Settings,
    tablebase: tablebase::Tablebase,
}

impl OpenTablebase {
    fn new(dir: PathBuf, settings: Settings) -> Result<OpenTablebase, Failure> {
        Ok(OpenTablebase {
            process: std::process::id(),
            tablebase: tablebase::Tablebase::with_settings(&dir, &settings)?,
            dir,
            settings,
        })
    }

    fn here(&mut self) -> Result<tablebase::Tablebase, Failure> {
        if self.process != std::process::id() {
            let anew = OpenTablebase::new(self.dir.clone(), self.settings.clone())?;
            // Its threads are not in this process, so nobody could wait for them to end.
            std::mem::forget(std::mem::replace(self, anew));
        }
        Ok(self.tablebase.clone())
    }
}

/// The tablebase of the module's functions, with the working folder in which it was opened. It is
/// another one as soon as that folder or the environment says so.
static USUAL: Mutex<Option<(PathBuf, OpenTablebase)>> = Mutex::new(None);

/// A setting of the environment; one that is empty counts as not set.
fn from_environment(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

fn settings(memory: Option<u64>, threads: Option<usize>) -> Result<Settings, Failure> {
    let memory = match (memory, from_environment("GREENWAVE_MEMORY")) {
        (None, Some(text)) => Some(
            read_memory(&text)
                .map_err(|problem| Failure::refused(format!("GREENWAVE_MEMORY: {problem}")))?,
        ),
        (given, _) => given,
    };
    let threads = match (threads, from_environment("GREENWAVE_THREADS")) {
        (None, Some(text)) => Some(text.parse().map_err(|_| {
            let problem = "expected a number of threads from 1 to 1024";
            Failure::refused(format!("GREENWAVE_THREADS: found '{text}', {problem}"))
        })?),
        (given, _) => given,
    };
    match threads {
        Some(threads) if !(1..=1024).contains(&threads) => Err(Failure::refused(format!(
            "threads: found {threads}, expected a number of threads from 1 to 1024"
        ))),
        _ => Ok(Settings { memory, threads }),
    }
}

fn dir_or_usual(dir: Option<PathBuf>) -> PathBuf {
    dir.or_else(|| from_environment("GREENWAVE_DIR").map(PathBuf::from))
        .unwrap_or_else(usual_dir)
}

/// The tablebase that the functions of the module ask.
pub(crate) fn usual() -> Result<tablebase::Tablebase, Failure> {
    let (dir, wanted) = (dir_or_usual(None), settings(None, None)?);
    let working = std::env::current_dir().unwrap_or_default();
    let mut usual = USUAL.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((folder, opened)) = &mut *usual
        && *folder == working
        && opened.dir == dir
        && opened.settings == wanted
    {
        return opened.here();
    }
    let opened = OpenTablebase::new(dir, wanted)?;
    let tablebase = opened.tablebase.clone();
    if let Some((_, old)) = usual.replace((working, opened))
        && old.process != std::process::id()
    {
        std::mem::forget(old);
    }
    Ok(tablebase)
}

/// A variant, in an order of the lights if the caller names one.
pub(crate) fn variant_in(name: &str, lights: Option<&str>) -> Result<Variant, Failure> {
    let variant = read_variant(name)?;
    let Some(text) = lights else {
        return Ok(variant);
    };
    let lights = text
        .parse()
        .map_err(|error: UnknownLights| Failure::refused(format!("lights: {error}")))?;
    let written = variant
        .with_lights(lights)
        .map_err(greenwave_tablebase::Error::from);
    Ok(written?)
}

/// Reads a metric of a variant; its default metric if none is given.
pub(crate) fn metric_of(variant: &Variant, metric: Option<&str>) -> Result<Metric, Failure> {
    match metric {
        None => Ok(variant.rules().default_metric),
        Some(name) => name.parse().map_err(Failure::Refused),
    }
}

/// A folder of tables that the command `greenwave` and this package share.
///
/// dir: the folder; `$GREENWAVE_DIR`, else `solutions` if it is there, else the user's data folder.
///
/// memory: bytes that may be used, or a text such as `"8G"`; half of the machine's.
///
/// threads: all cores if left out.
///
/// Tables stay open and solutions in memory from one question to the next. It can be used by several
/// threads, after a fork, and pickled; the interpreter is free while it works, and Ctrl-C stops it.
#[pyclass(module = "greenwave", frozen)]
#[derive(Debug)]
pub(crate) struct Tablebase {
    opened: Mutex<OpenTablebase>,
}

impl Tablebase {
    pub(crate) fn here(&self) -> Result<tablebase::Tablebase, Failure> {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        opened.here()
    }

    fn settings(&self) -> (PathBuf, Settings) {
        let opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        (opened.dir.clone(), opened.settings.clone())
    }
}

/// Reads a size of memory: bytes, or a text such as `8G`.
fn memory_of(memory: &Bound<'_, PyAny>) -> PyResult<u64> {
    if let Ok(text) = memory.cast::<PyString>() {
        let text = text.to_cow()?;
        return read_memory(&text)
            .map_err(|problem| PyValueError::new_err(format!("memory: {problem}")));
    }
    let bytes: u64 = memory.extract()?;
    read_memory(&bytes.to_string())
        .map_err(|problem| PyValueError::new_err(format!("memory: {problem}")))
}

#[pymethods]
impl Tablebase {
    #[new]
    #[pyo3(signature = (dir=None, *, memory=None, threads=None))]
    fn new(
        dir: Option<PathBuf>,
        memory: Option<&Bound<'_, PyAny>>,
        threads: Option<usize>,
    ) -> PyResult<Tablebase> {
        let memory = memory.map(memory_of).transpose()?;
        let opened = OpenTablebase::new(dir_or_usual(dir), settings(memory, threads)?)?;
        Ok(Tablebase {
            opened: Mutex::new(opened),
        })
    }

    /// The folder of its tables.
    #[getter]
    fn dir(&self) -> PathBuf {
        self.settings().0
    }

    /// Bytes that may be used.
    #[getter]
    fn memory(&self) -> PyResult<u64> {
        Ok(self.here()?.memory())
    }

    /// Number of threads.
    #[getter]
    fn threads(&self) -> PyResult<usize> {
        Ok(self.here()?.threads())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let dir = self.dir().into_pyobject(py)?.str()?;
        Ok(format!(
            "Tablebase({})",
            PyString::new(py, &dir.to_cow()?).repr()?
        ))
    }

    // Another process opens the folder for itself.
    fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let py = this.py();
        let (dir, settings) = this.get().settings();
        let keywords = PyDict::new(py);
        keywords.set_item("memory", settings.memory)?;
        keywords.set_item("threads", settings.threads)?;
        let partial = py.import("functools")?.getattr("partial")?;
        let open = partial.call((this.get_type(),), Some(&keywords))?;
        (open, (dir,)).into_pyobject(py)
    }

    /// As the function `query`.
    #[pyo3(signature = (variant, position=None, moves=None, budget=None, *, lights=None))]
    fn query<'py>(
        &self,
        py: Python<'py>,
        variant: &str,
        position: Option<&str>,
        moves: Option<&Bound<'py, PyAny>>,
        budget: Option<&Bound<'py, PyAny>>,
        lights: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let at = documents::course_of(variant, position, moves, lights)?.last();
        documents::query_in(py, &self.here()?, &at, budget)
    }

    /// As the function `explain`.
    #[pyo3(signature = (variant, position=None, moves=None, budget=None, *, lights=None))]
    fn explain<'py>(
        &self,
        py: Python<'py>,
        variant: &str,
        position: Option<&str>,
        moves: Option<&Bound<'py, PyAny>>,
        budget: Option<&Bound<'py, PyAny>>,
        lights: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let at = documents::course_of(variant, position, moves, lights)?.last();
        documents::explain_in(py, &self.here()?, &at, budget)
    }

    /// As the function `line`.
    #[pyo3(signature = (variant, position=None, moves=None, *, lights=None))]
    fn line<'py>(
        &self,
        py: Python<'py>,
        variant: &str,
        position: Option<&str>,
        moves: Option<&Bound<'py, PyAny>>,
        lights: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let at = documents::course_of(variant, position, moves, lights)?.last();
        documents::line_in(py, &self.here()?, &at)
    }

    /// As the function `stats`.
    #[pyo3(signature = (variant, metric=None, *, lights=None))]
    fn stats<'py>(
        &self,
        py: Python<'py>,
        variant: &str,
        metric: Option<&str>,
        lights: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        documents::stats_in(py, &self.here()?, (variant, lights), metric)
    }

    /// As the function `check`.
    #[pyo3(signature = (claims=None))]
    fn check<'py>(
        &self,
        py: Python<'py>,
        claims: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        documents::check_in(py, &self.here()?, claims)
    }

    /// As the function `review`.
    #[pyo3(signature = (variant, moves, position=None, budget=None, *, lights=None))]
    fn review<'py>(
        &self,
        py: Python<'py>,
        variant: &str,
        moves: &Bound<'py, PyAny>,
        position: Option<&str>,
        budget: Option<&Bound<'py, PyAny>>,
        lights: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        documents::review_in(
            py,
            &self.here()?,
            (variant, lights),
            moves,
            position,
            budget,
        )
    }

    /// As the function `perft`.
    #[pyo3(signature = (variant, position=None, moves=None, *, depth, lights=None))]
    fn perft<'py>(
        &self,
        py: Python<'py>,
        variant: &str,
        position: Option<&str>,
        moves: Option<&Bound<'py, PyAny>>,
        depth: u32,
        lights: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let at = documents::course_of(variant, position, moves, lights)?.last();
        documents::perft_in(py, &self.here()?, &at, depth)
    }

    /// Many positions at once, a row each in their order.
    ///
    /// positions: a list, a NumPy array, or without a copy a column of pyarrow, polars or pandas.
    ///
    /// on_error: "raise" the first position that cannot be read, with its place counted from 0; or give
    ///     such rows nulls and a text in the column `error`.
    ///
    /// Columns: `position` (text), `value` ("win", "draw", "loss", "unknown"; dictionary), `distance`
    /// (plies), `points`, `nimber` (int32, null where there is none), `expectation` (float64), `best`
    /// (list of texts).
    #[pyo3(signature = (variant, positions, *, on_error="raise", budget=None, lights=None))]
    fn query_many(
        &self,
        py: Python<'_>,
        variant: &str,
        positions: &Bound<'_, PyAny>,
        on_error: &str,
        budget: Option<&Bound<'_, PyAny>>,
        lights: Option<&str>,
    ) -> PyResult<Table> {
        let asked = many::BatchSettings {
            variant: variant_in(variant, lights)?,
            on_error: many::OnError::read(on_error)?,
            budget: documents::budget_of(budget)?,
        };
        many::query_many(py, &self.here()?, &asked, positions)
    }

    /// All legal, unfinished positions for which an expression holds, in the order of their indices.
    ///
    /// Columns: `position`, then the fields named in the expression, or those of `fields`: numbers
    /// int64 (`expectation` in millionths), truths bool, outcomes a dictionary, lights texts.
    #[pyo3(signature = (variant, expression, fields=None, *, lights=None))]
    fn find(
        &self,
        py: Python<'_>,
        variant: &str,
        expression: &str,
        fields: Option<&Bound<'_, PyAny>>,
        lights: Option<&str>,
    ) -> PyResult<Table> {
        let fields = fields
            .map(|fields| documents::joined(fields, "fields"))
            .transpose()?;
        let variant = variant_in(variant, lights)?;
        find::find(py, &self.here()?, &variant, expression, fields.as_deref())
    }

    /// The values of all indices, an array of shape (indexable,), read only, finished positions
    /// included.
    ///
    /// value: int8, +1 won, 0 drawn, -1 lost. distance: int16 in plies, positive won, negative lost, 0
    /// finished, -32768 drawn (a finished draw, too). points: int16. nimber: uint8. odds: float64, the expectation. An index
    /// that cannot be a position has the least value of its type, for distances -32767.
    #[pyo3(signature = (variant, metric=None))]
    fn values<'py>(
        &self,
        py: Python<'py>,
        variant: &str,
        metric: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let variant = variant_in(variant, None)?;
        let metric = metric_of(&variant, metric)?;
        array::values(py, &self.here()?, &variant, metric)
    }

    /// Solves a variant in a metric and writes its table; one that is there is reported.
    ///
    /// progress: called about twenty times a second with the stage, how much of it is done and how much
    ///     there is of it; True shows a bar of tqdm, if that is installed. An exception that it raises
    ///     stops the solve, as Ctrl-C does; the next solve resumes from there.
    #[pyo3(signature = (variant, metric=None, *, progress=None, force=false))]
    fn solve<'py>(
        &self,
        py: Python<'py>,
        variant: &str,
        metric: Option<&str>,
        progress: Option<&Bound<'py, PyAny>>,
        force: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let variant = variant_in(variant, None)?;
        let metric = metric_of(&variant, metric)?;
        let progress = progress.filter(|progress| !progress.is_none());
        // `True` asks for the bar of the package.
        let progress = match progress {
            Some(asked) if asked.is(true.into_pyobject(py)?) => {
                Some(py.import("greenwave._bar")?.getattr("Bar")?.call0()?)
            }
            Some(asked) if !asked.is_callable() => {
                let found = asked.get_type().name()?;
                return Err(PyTypeError::new_err(format!(
                    "progress: found {found}, expected a function of stage, done and total, or True"
                )));
            }
            asked => asked.cloned(),
        };
        let options = SolveOptions {
            force,
            ..SolveOptions::default()
        };
        let solved = patiently(py, &self.here()?, progress.as_ref(), |tablebase| {
            let planned = tablebase.plan(&variant, metric, &options)?;
            planned.expect_room()?;
            Ok(planned.run()?)
        });
        if let Some(bar) = &progress
            && let Ok(close) = bar.getattr("close")
        {
            close.call0()?;
        }
        documents::to_python(py, &solved?)
    }
}
