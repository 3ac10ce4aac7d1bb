//! A position that draws itself.

use std::hash::{DefaultHasher, Hash, Hasher};

use greenwave_game::{AnyPosition, At, Figures, Game};
use greenwave_picture::{ENGLISH, Picture, describe, value_tags};
use greenwave_tablebase::{Course, QueryOptions, read_variant};
use greenwave_words::Language;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::documents::{course_of, joined, line_in, query_in};
use crate::failure::Failure;
use crate::handle::usual;
use crate::watch::patiently;

/// A position of a variant; it draws itself in a notebook.
#[pyclass(module = "greenwave", frozen, eq)]
#[derive(Clone, Debug)]
pub(crate) struct Position {
    variant: String,
    at: At,
    // The order of the lights, where it is not that of the variant's name.
    written: Option<String>,
}

impl Position {
    /// What tells it from others.
    fn key(&self) -> (&str, &AnyPosition, Option<&str>) {
        (&self.variant, self.at.position(), self.written.as_deref())
    }

    fn of(variant: &str, at: At) -> PyResult<Position> {
        // A rule file is read again by its path.
        let variant = if greenwave_tablebase::is_rule_file(variant) {
            variant.to_string()
        } else {
            at.variant().rules().title().to_string()
        };
        let lights = at.variant().rules().lights;
        let own = read_variant(&variant)
            .map_err(Failure::from)?
            .rules()
            .lights;
        let written = lights
            .filter(|_| lights != own)
            .map(|lights| lights.to_string());
        Ok(Position {
            variant,
            at,
            written,
        })
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        self.key() == other.key()
    }
}

#[pymethods]
impl Position {
    #[new]
    #[pyo3(signature = (variant, text=None, moves=None, *, lights=None))]
    fn new(
        variant: &str,
        text: Option<&str>,
        moves: Option<&Bound<'_, PyAny>>,
        lights: Option<&str>,
    ) -> PyResult<Position> {
        Position::of(variant, course_of(variant, text, moves, lights)?.last())
    }

    /// The variant.
    #[getter]
    fn variant(&self) -> &str {
        &self.variant
    }

    /// The order of the lights in its texts: "ryg" or "gyr"; None where the game has none.
    #[getter]
    fn lights(&self) -> Option<&'static str> {
        self.at.variant().rules().lights_name()
    }

    /// The position as text.
    #[getter]
    fn text(&self) -> String {
        self.at.text()
    }

    /// Whether the game is over.
    #[getter]
    fn terminal(&self) -> bool {
        self.at.variant().ending(self.at.position()).is_some()
    }

    /// The legal moves, in listing order.
    #[getter]
    fn moves(&self) -> Vec<String> {
        self.at.variant().move_texts(self.at.position())
    }

    /// The position after moves.
    fn play(&self, moves: &Bound<'_, PyAny>) -> PyResult<Position> {
        let begun = Course::from(self.at.clone());
        let played = begun.then(&joined(moves, "moves")?);
        let at = played.map_err(Failure::from)?.last();
        Ok(Position { at, ..self.clone() })
    }

    /// The document of `query`.
    #[pyo3(signature = (budget=None))]
    fn query<'py>(
        &self,
        py: Python<'py>,
        budget: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        query_in(py, &usual()?, &self.at, budget)
    }

    /// The document of `line`.
    fn line<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        line_in(py, &usual()?, &self.at)
    }

    /// A picture; with the value of the best move on each square if `values` is true.
    #[pyo3(signature = (values=false))]
    fn svg(&self, py: Python<'_>, values: bool) -> PyResult<String> {
        let diagram = self.at.diagram();
        let title = format!("{} {}", self.variant, self.text());
        let description = describe(&diagram, &[], &ENGLISH);
        let mut picture = Picture::new(&diagram, &title);
        picture.description = &description;
        picture.notes = Language::English.sentences(&diagram.notes);
        if values {
            let answer = patiently(py, &usual()?, None, |tablebase| {
                Ok(tablebase.query_of(&self.at, &QueryOptions::default())?)
            })?;
            let moves: Vec<(&str, Figures)> = answer
                .moves
                .iter()
                .map(|mv| (mv.mv.as_str(), mv.figures()))
                .collect();
            picture.tags = value_tags(&diagram, &moves, answer.best.len());
        }
        Ok(picture.svg())
    }

    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<String> {
        self.svg(py, false)
    }

    fn __str__(&self) -> String {
        self.text()
    }

    fn __repr__(&self) -> String {
        let written = self
            .written
            .as_ref()
            .map(|lights| format!(", lights='{lights}'"));
        let written = written.unwrap_or_default();
        format!("Position('{}', '{}'{written})", self.variant, self.text())
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.key().hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let (py, position) = (this.py(), this.get());
        let keywords = PyDict::new(py);
        keywords.set_item("lights", &position.written)?;
        let partial = py.import("functools")?.getattr("partial")?;
        let made = partial.call((this.get_type(),), Some(&keywords))?;
        (made, (&position.variant, position.text())).into_pyobject(py)
    }
}
