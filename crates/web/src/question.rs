//! Which position a request is about.

use std::sync::Arc;
use std::time::Duration;

use greenwave_game::{Game, Variant, with_game};
use greenwave_tablebase::{Budget, Place, QueryOptions, Tablebase};

use crate::explorer::{Client, Explorer, Takes};
use crate::params::{Params, usable};
use crate::problem::Problem;

/// A variant, a position, and moves from there.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    /// The name of the variant as it was asked for.
    pub(crate) name: String,
    pub(crate) variant: Arc<Variant>,
    pub(crate) position: Option<String>,
    pub(crate) moves: Option<String>,
    pub(crate) budget: Budget,
}

impl Question {
    /// Reads the question about a variant from the parameters.
    pub(crate) fn read(
        explorer: &Explorer,
        name: &str,
        params: &Params,
    ) -> Result<Question, Problem> {
        let variant = explorer.variant_in(name, params)?;
        let mut question = Question {
            name: name.trim().to_string(),
            variant,
            position: None,
            moves: None,
            budget: budget(params.get("budget"), explorer.settings.budget)?,
        };
        if let Some(readings) = params.either("position") {
            question.position = Some(question.readable(&readings, false)?);
        }
        if let Some(readings) = params.either("moves") {
            question.moves = Some(question.readable(&readings, true)?);
        }
        Ok(question)
    }

    /// The reading of a text that makes a position, or moves from the position.
    fn readable(&self, readings: &[String; 2], moves: bool) -> Result<String, Problem> {
        let with_blanks = with_game!(&*self.variant, game => game.has_blanks(moves));
        let place = usable(usize::from(with_blanks), |place| {
            let text = Some(readings[place].as_str());
            let asked = match moves {
                true => Place {
                    moves: text,
                    ..self.place()
                },
                false => Place {
                    position: text,
                    ..self.place()
                },
            };
            with_game!(&*self.variant, game => asked.find(game).map(|_| place))
        })?;
        Ok(readings[place].clone())
    }

    /// The place for the tablebase.
    pub(crate) fn place(&self) -> Place<'_> {
        Place {
            position: self.position.as_deref(),
            moves: self.moves.as_deref(),
        }
    }

    pub(crate) fn options(&self) -> QueryOptions {
        QueryOptions {
            budget: Some(self.budget),
            ..QueryOptions::default()
        }
    }

    /// The same question with less to take.
    pub(crate) fn hurried(mut self, most: Duration) -> Question {
        self.budget = match self.budget {
            Budget::Time(time) => Budget::Time(time.min(most)),
            // Positions do not tell how long a solve may take.
            Budget::Nodes(_) => Budget::Time(most),
        };
        self
    }

    /// The same question where the answer is put together of so many.
    pub(crate) fn parted(self, parts: usize) -> Question {
        match self.budget {
            Budget::Time(time) => {
                let part = time / u32::try_from(parts.max(1)).unwrap_or(u32::MAX);
                self.hurried(part)
            }
            Budget::Nodes(nodes) => Question {
                budget: Budget::Nodes((nodes / parts.max(1) as u64).max(1)),
                ..self
            },
        }
    }

    /// What finding the value of a position takes: a look where a table or a solution is at hand, else a
    /// search.
    pub(crate) fn takes(&self, tablebase: &Tablebase) -> Takes {
        match tablebase.is_at_hand(&self.variant) {
            true => Takes::Nothing,
            false => Takes::Search,
        }
    }

    /// The same question with what is left of its time since it was asked.
    pub(crate) fn begun(self, client: Client) -> Question {
        match self.budget {
            Budget::Time(time) => self.hurried(client.left_of(time).max(LEAST)),
            Budget::Nodes(_) => self,
        }
    }

    /// The time that it may take.
    pub(crate) fn time(&self, explorer: &Explorer) -> Duration {
        match self.budget {
            Budget::Time(time) => time,
            Budget::Nodes(_) => explorer.settings.budget,
        }
    }
}

/// What a search is given however late it begins.
const LEAST: Duration = Duration::from_millis(50);

/// What a question may take: at most what the server allows.
pub(crate) fn budget(asked: Option<&str>, most: Duration) -> Result<Budget, Problem> {
    let Some(text) = asked.filter(|text| !text.is_empty()) else {
        return Ok(Budget::Time(most));
    };
    let asked: Budget = text
        .parse()
        .map_err(|error| Problem::input(format!("budget: {error}")))?;
    Ok(match asked {
        Budget::Time(time) => Budget::Time(time.min(most)),
        Budget::Nodes(nodes) => Budget::Nodes(nodes),
    })
}

/// The time that a question may take that knows no positions.
pub(crate) fn time_of(params: &Params, explorer: &Explorer) -> Result<Duration, Problem> {
    let most = explorer.settings.budget;
    Ok(match budget(params.get("budget"), most)? {
        Budget::Time(time) => time,
        Budget::Nodes(_) => most,
    })
}
