//! A position that draws itself.

use std::hash::{DefaultHasher, Hash, Hasher};

use greenwave_game::{Colours, Diagram, Figures, Game, Variant, with_game};
use greenwave_picture::{ENGLISH, Picture, describe, value_tags};
use greenwave_tablebase::{Place, QueryOptions, read_variant};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::documents::{At, line_in, query_in};
use crate::failure::Failure;
use crate::handle::usual;
use crate::watch::patiently;

/// A position of a variant; it draws itself in a notebook.
#[pyclass(module = "greenwave", frozen, eq)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    variant: String,
    // In the order red, yellow, green.
    text: String,
}

impl Position {
    fn at(&self) -> PyResult<At> {
        At::read(&self.variant, Some(&self.text), None, Some("ryg"))
    }

    fn with<T>(
        &self,
        work: impl FnOnce(&Variant, &Place<'_>) -> Result<T, greenwave_tablebase::Error>,
    ) -> Result<T, Failure> {
        let variant = read_variant(&self.variant)?;
        Ok(work(&variant, &Place::at(&self.text))?)
    }
}

#[pymethods]
impl Position {
    #[new]
    #[pyo3(signature = (variant, text=None, moves=None, *, colours=None))]
    fn new(
        variant: &str,
        text: Option<&str>,
        moves: Option<&Bound<'_, PyAny>>,
        colours: Option<&str>,
    ) -> PyResult<Position> {
        let at = At::read(variant, text, moves, colours)?;
        let text = with_game!(&at.variant, game => {
            let position = at.place().find(game).map_err(Failure::from)?;
            game.position_text(&position, Colours::Ryg)
        });
        // A rule file is read again by its path.
        let variant = match greenwave_tablebase::is_rule_file(variant) {
            true => variant.to_string(),
            false => at.variant.rules().name.clone(),
        };
        Ok(Position { variant, text })
    }

    /// The variant.
    #[getter]
    fn variant(&self) -> &str {
        &self.variant
    }

    /// The position as text, with red as the first light.
    #[getter]
    fn text(&self) -> &str {
        &self.text
    }

    /// Whether the game is over.
    #[getter]
    fn terminal(&self) -> PyResult<bool> {
        Ok(self.with(|variant, place| {
            with_game!(variant, game => Ok(game.ending(&place.find(game)?).is_some()))
        })?)
    }

    /// The legal moves, in listing order.
    #[getter]
    fn moves(&self) -> PyResult<Vec<String>> {
        Ok(self.with(|variant, place| {
            with_game!(variant, game => {
                let position = place.find(game)?;
                let mut moves = Vec::new();
                game.moves(&position, &mut moves);
                let texts = moves.into_iter();
                Ok(texts.map(|mv| game.move_text(&position, mv, Colours::Ryg)).collect())
            })
        })?)
    }

    /// The position after moves.
    fn play(&self, moves: &Bound<'_, PyAny>) -> PyResult<Position> {
        Position::new(&self.variant, Some(&self.text), Some(moves), Some("ryg"))
    }

    /// The document of `query`.
    #[pyo3(signature = (budget=None))]
    fn query<'py>(
        &self,
        py: Python<'py>,
        budget: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        query_in(py, &usual()?, &self.at()?, budget)
    }

    /// The document of `line`.
    fn line<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        line_in(py, &usual()?, &self.at()?)
    }

    /// A picture; with the value of the best move on each square if `values` is true.
    #[pyo3(signature = (values=false))]
    fn svg(&self, py: Python<'_>, values: bool) -> PyResult<String> {
        let at = self.at()?;
        let diagram: Diagram = with_game!(&at.variant, game => {
            game.diagram(&at.place().find(game).map_err(Failure::from)?)
        });
        let colours = at.variant.rules().colours;
        let title = format!("{} {}", self.variant, self.text);
        let description = describe(&diagram, colours, &[], &ENGLISH);
        let mut picture = Picture::new(&diagram, colours, &title);
        picture.description = &description;
        if values {
            let answer = patiently(py, &usual()?, None, |tablebase| {
                Ok(tablebase.query_at(&at.variant, &at.place(), &QueryOptions::default())?)
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

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("Position('{}', '{}')", self.variant, self.text)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (&self.variant, &self.text).hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let position = this.get();
        let given = (&position.variant, &position.text, None::<&str>);
        (this.get_type(), given).into_pyobject(this.py())
    }
}
