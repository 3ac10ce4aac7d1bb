//! The documents of `greenwave --json` as dicts.

use std::sync::Arc;

use greenwave_game::{At, Message, Metric};
use greenwave_play::{
    BookOptions, Explanation, Language, RecordText, Seat, book as booked, review as reviewed,
};
use greenwave_tablebase::{Budget, Course, Place, QueryOptions, Tablebase};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyFloat, PyInt, PyString};
use serde::Serialize;

use crate::claims;
use crate::failure::Failure;
use crate::handle::{metric_of, usual, variant_in};
use crate::watch::patiently;

/// A document as the objects that `json.loads` makes of it.
pub(crate) fn to_python<'py>(
    py: Python<'py>,
    document: &impl Serialize,
) -> PyResult<Bound<'py, PyAny>> {
    static LOADS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let loads = LOADS.import(py, "json", "loads")?;
    let text =
        serde_json::to_string(document).map_err(|error| Failure::refused(error.to_string()))?;
    loads.call1((text,))
}

/// Several texts as one list with commas: a text stays as it is.
pub(crate) fn joined(given: &Bound<'_, PyAny>, name: &str) -> PyResult<String> {
    if let Ok(text) = given.cast::<PyString>() {
        return Ok(text.to_cow()?.into_owned());
    }
    let wrong = |found: &Bound<'_, PyAny>, expected: &str| {
        let found = found
            .get_type()
            .name()
            .map_or_else(|_| "?".into(), |name| name.to_string());
        PyTypeError::new_err(format!("{name}: found {found}, expected {expected}"))
    };
    let items = given
        .try_iter()
        .map_err(|_| wrong(given, "a str or a list of str"))?;
    let mut texts = Vec::new();
    for item in items {
        let item = item?;
        let text = item.cast::<PyString>().map_err(|_| wrong(&item, "str"))?;
        texts.push(text.to_cow()?.into_owned());
    }
    Ok(texts.join(","))
}

/// Reads a budget: a text such as `10s`, or a whole number of positions, which may be a float such as 1e6.
pub(crate) fn budget_of(budget: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Budget>> {
    let Some(budget) = budget.filter(|budget| !budget.is_none()) else {
        return Ok(None);
    };
    let whole = match budget.cast::<PyFloat>() {
        Ok(float) if float.value().fract() == 0.0 => budget.call_method0("__int__")?,
        _ => budget.clone(),
    };
    let number = whole.is_instance_of::<PyInt>() && !whole.is_instance_of::<PyBool>();
    if !number && !whole.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err(format!(
            "budget: found {}, expected a str such as '10s', or a whole number of positions",
            whole.repr()?
        )));
    }
    let text = whole.str()?;
    let read = text.to_cow()?.parse();
    Ok(Some(read.map_err(|problem: Message| {
        Failure::refused(format!("budget: {problem}"))
    })?))
}

/// Reads a position of a variant, and moves from there.
pub(crate) fn course_of(
    variant: &str,
    position: Option<&str>,
    moves: Option<&Bound<'_, PyAny>>,
    lights: Option<&str>,
) -> PyResult<Course> {
    let variant = Arc::new(variant_in(variant, lights)?);
    let moves = moves.map(|moves| joined(moves, "moves")).transpose()?;
    let place = Place {
        position,
        moves: moves.as_deref(),
    };
    Ok(Course::read(&variant, &place).map_err(Failure::from)?)
}

pub(crate) fn query_in<'py>(
    py: Python<'py>,
    tablebase: &Tablebase,
    at: &At,
    budget: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let options = QueryOptions::within(budget_of(budget)?);
    let answer = patiently(py, tablebase, None, |tablebase| {
        Ok(tablebase.query_of(at, &options)?)
    })?;
    to_python(py, &answer)
}

pub(crate) fn line_in<'py>(
    py: Python<'py>,
    tablebase: &Tablebase,
    at: &At,
) -> PyResult<Bound<'py, PyAny>> {
    let line = patiently(py, tablebase, None, |tablebase| Ok(tablebase.line_of(at)?))?;
    to_python(py, &line)
}

pub(crate) fn stats_in<'py>(
    py: Python<'py>,
    tablebase: &Tablebase,
    (variant, lights): (&str, Option<&str>),
    metric: Option<&str>,
) -> PyResult<Bound<'py, PyAny>> {
    let variant = variant_in(variant, lights)?;
    let metrics: Option<Vec<Metric>> = match metric {
        None => None,
        metric => Some(vec![metric_of(&variant, metric)?]),
    };
    let stats = patiently(py, tablebase, None, |tablebase| {
        Ok(tablebase.stats(&variant, metrics.as_deref())?)
    })?;
    to_python(py, &stats)
}

pub(crate) fn perft_in<'py>(
    py: Python<'py>,
    tablebase: &Tablebase,
    at: &At,
    depth: u32,
) -> PyResult<Bound<'py, PyAny>> {
    let counted = patiently(py, tablebase, None, |tablebase| {
        Ok(tablebase.perft_of(at, depth)?)
    })?;
    to_python(py, &counted)
}

pub(crate) fn explain_in<'py>(
    py: Python<'py>,
    tablebase: &Tablebase,
    at: &At,
    budget: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let options = QueryOptions::within(budget_of(budget)?);
    let explained = patiently(py, tablebase, None, |tablebase| {
        let answer = tablebase.query_of(at, &options)?;
        let queries = tablebase.queries(at.variant(), &options)?;
        let at_hand = tablebase.is_at_hand(at.variant());
        Ok(Explanation::of(
            &queries,
            at_hand,
            &answer,
            Language::English,
        )?)
    })?;
    to_python(py, &explained)
}

pub(crate) fn review_in<'py>(
    py: Python<'py>,
    tablebase: &Tablebase,
    (variant, lights): (&str, Option<&str>),
    moves: &Bound<'py, PyAny>,
    position: Option<&str>,
    budget: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let asked = variant_in(variant, lights)?;
    let saved = RecordText::read(&joined(moves, "moves")?);
    let variant = saved
        .variant(&asked, lights.and_then(|lights| lights.parse().ok()))
        .map_err(Failure::from)?;
    let place = Place {
        position: position.or(saved.start.as_deref()),
        moves: Some(&saved.moves),
    };
    let options = QueryOptions::within(budget_of(budget)?);
    let review = patiently(py, tablebase, None, |tablebase| {
        Ok(reviewed(tablebase, &variant, &place, &options)?)
    })?;
    to_python(py, &review)
}

pub(crate) fn book_in<'py>(
    py: Python<'py>,
    tablebase: &Tablebase,
    course: &Course,
    (depth, side): (u32, Option<&str>),
    budget: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let side = match side {
        None => None,
        Some("first") => Some(Seat::First),
        Some("second") => Some(Seat::Second),
        Some(other) => {
            let problem = format!("side: found '{other}', expected 'first' or 'second'");
            return Err(Failure::refused(problem).into());
        }
    };
    let budget = budget_of(budget)?;
    let options = BookOptions {
        depth,
        side,
        query: QueryOptions {
            budget,
            needs_move: side.is_some(),
            ..QueryOptions::default()
        },
        together: budget,
        ..BookOptions::default()
    };
    let found = patiently(py, tablebase, None, |tablebase| {
        Ok(booked(tablebase, course, &options)?)
    })?;
    let nodes = to_python(py, &found.nodes)?;
    nodes.call_method1("append", (to_python(py, &found.end())?,))?;
    Ok(nodes)
}

pub(crate) fn check_in<'py>(
    py: Python<'py>,
    tablebase: &Tablebase,
    claims: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let asked = match claims.filter(|claims| !claims.is_none()) {
        None => Vec::new(),
        Some(one) if one.is_instance_of::<PyString>() || one.is_instance_of::<PyInt>() => {
            vec![one.str()?.to_cow()?.into_owned()]
        }
        Some(several) => {
            let mut asked = Vec::new();
            for claim in several.try_iter()? {
                asked.push(claim?.str()?.to_cow()?.into_owned());
            }
            asked
        }
    };
    let settled = patiently(py, tablebase, None, |tablebase| {
        claims::check(tablebase, &asked)
    })?;
    to_python(py, &settled)
}

/// The value of a position and of every move, for the player to move.
///
/// variant: a name such as `classic-3x4:play=misere`, or the path of a rule file (`.toml`).
///
/// position: a text such as `R../.Y./..G`; the start of the game if it is left out.
///
/// moves: moves to be played from there, `"b2R,b2Y"` or a list.
///
/// budget: for what has to be solved or searched, a time (`"500ms"`, `"10s"`) or a whole number of positions.
///
/// Fields: `value` ("win", "loss", "draw", "unknown"), `distance` (plies), `points`, `odds`,
/// `nimber`, `terminal`, `best` (moves that tie for the best), `moves`, `source`; fields that the
/// variant lacks are None.
#[pyfunction]
#[pyo3(signature = (variant, position=None, moves=None, budget=None, *, lights=None))]
pub(crate) fn query<'py>(
    py: Python<'py>,
    variant: &str,
    position: Option<&str>,
    moves: Option<&Bound<'py, PyAny>>,
    budget: Option<&Bound<'py, PyAny>>,
    lights: Option<&str>,
) -> PyResult<Bound<'py, PyAny>> {
    let at = course_of(variant, position, moves, lights)?.last();
    query_in(py, &usual()?, &at, budget)
}

/// Why every move of a position is worth what it is: `moves`, each with `sentences` and `facts`; `hardest` of a lost position.
#[pyfunction]
#[pyo3(signature = (variant, position=None, moves=None, budget=None, *, lights=None))]
pub(crate) fn explain<'py>(
    py: Python<'py>,
    variant: &str,
    position: Option<&str>,
    moves: Option<&Bound<'py, PyAny>>,
    budget: Option<&Bound<'py, PyAny>>,
    lights: Option<&str>,
) -> PyResult<Bound<'py, PyAny>> {
    let at = course_of(variant, position, moves, lights)?.last();
    explain_in(py, &usual()?, &at, budget)
}

/// Best play by both sides to the end: `plies`, each with `move`, `to` and what it is worth.
#[pyfunction]
#[pyo3(signature = (variant, position=None, moves=None, *, lights=None))]
pub(crate) fn line<'py>(
    py: Python<'py>,
    variant: &str,
    position: Option<&str>,
    moves: Option<&Bound<'py, PyAny>>,
    lights: Option<&str>,
) -> PyResult<Bound<'py, PyAny>> {
    let at = course_of(variant, position, moves, lights)?.last();
    line_in(py, &usual()?, &at)
}

/// The positions of a variant counted by value, distance, points and nimber.
///
/// Counts are over legal, unfinished positions of the index, not up to symmetry; `reachable` over those
/// that play can reach.
#[pyfunction]
#[pyo3(signature = (variant, metric=None, *, lights=None))]
pub(crate) fn stats<'py>(
    py: Python<'py>,
    variant: &str,
    metric: Option<&str>,
    lights: Option<&str>,
) -> PyResult<Bound<'py, PyAny>> {
    stats_in(py, &usual()?, (variant, lights), metric)
}

/// Claims settled with evidence: ids of built-in ones, files (`.toml`), or lines such as
/// `"classic-3x3 none: value = draw"`; all built-in ones if none is named.
#[pyfunction]
#[pyo3(signature = (claims=None))]
pub(crate) fn check<'py>(
    py: Python<'py>,
    claims: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    check_in(py, &usual()?, claims)
}

/// A game gone through: what every move was worth, mistakes marked. `moves` may be the text of a
/// record.
#[pyfunction]
#[pyo3(signature = (variant, moves, position=None, budget=None, *, lights=None))]
pub(crate) fn review<'py>(
    py: Python<'py>,
    variant: &str,
    moves: &Bound<'py, PyAny>,
    position: Option<&str>,
    budget: Option<&Bound<'py, PyAny>>,
    lights: Option<&str>,
) -> PyResult<Bound<'py, PyAny>> {
    review_in(py, &usual()?, (variant, lights), moves, position, budget)
}

/// The opening tree as a list of positions, and in the last dict how many there are: every legal move, or
/// with `side` ("first" or "second") one move of that player in each position.
#[pyfunction]
#[pyo3(signature = (variant, position=None, moves=None, *, depth=4, side=None, budget=None, lights=None))]
#[allow(clippy::too_many_arguments, reason = "keywords of Python")]
pub(crate) fn book<'py>(
    py: Python<'py>,
    variant: &str,
    position: Option<&str>,
    moves: Option<&Bound<'py, PyAny>>,
    depth: u32,
    side: Option<&str>,
    budget: Option<&Bound<'py, PyAny>>,
    lights: Option<&str>,
) -> PyResult<Bound<'py, PyAny>> {
    let course = course_of(variant, position, moves, lights)?;
    book_in(py, &usual()?, &course, (depth, side), budget)
}

/// Move sequences of exactly `depth` plies, counted in `nodes`.
#[pyfunction]
#[pyo3(signature = (variant, position=None, moves=None, *, depth, lights=None))]
pub(crate) fn perft<'py>(
    py: Python<'py>,
    variant: &str,
    position: Option<&str>,
    moves: Option<&Bound<'py, PyAny>>,
    depth: u32,
    lights: Option<&str>,
) -> PyResult<Bound<'py, PyAny>> {
    let at = course_of(variant, position, moves, lights)?.last();
    perft_in(py, &usual()?, &at, depth)
}
