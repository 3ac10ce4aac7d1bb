//! The value of a position and of every move.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use greenwave_game::{
    AnyPosition, At, Ending, Figures, Game, Metric, Odds, Outcome, Plies, Rules, Variant,
    VariantGame, with_game,
};
use greenwave_probe::{PositionAnswer, answer};
use greenwave_solver::Solve;
use greenwave_values::SourceList;

use super::{Answer, MoveFigures, SCHEMA, Source};
use crate::batch::READ_ASIDE;
use crate::found::{AnswerKey, SearchEnd};
use crate::position_sweep::{SettledAnswer, TimedSweep};
use crate::question_sources::NearSources;
use crate::{Budget, Effort, Error, Place, QueryOptions, Sources, Tablebase};

impl Answer {
    fn new<G: VariantGame>(game: &G, settled: SettledAnswer<G>) -> Answer {
        let SettledAnswer {
            found,
            source,
            remarks,
            end: _,
        } = settled;
        let Figures {
            value,
            distance,
            points,
            odds,
            nimber,
        } = found.figures;
        let moves = found.moves.iter();
        let moves: Vec<MoveFigures> = moves
            .map(|mv| MoveFigures::new(game, &found.position, mv))
            .collect();
        Answer {
            schema: SCHEMA,
            variant: game.rules().title().to_string(),
            lights: game.rules().lights_name(),
            position: game.position_text(&found.position),
            value: value.into(),
            distance: distance.map(|plies| plies.0),
            points,
            odds,
            nimber,
            terminal: found.terminal,
            best: moves[..found.best].iter().map(|mv| mv.mv.clone()).collect(),
            moves,
            undecided_within: remarks.undecided_within,
            line: remarks.line,
            estimate: remarks.estimate,
            by_theorem: remarks.by_theorem,
            source,
            ending: game.ending(&found.position),
            diagram: game.diagram(&found.position),
            at: game.any_position(found.position),
        }
    }
}

/// A variant for several questions: it decides once whatever is the same for all positions.
#[derive(Clone, Debug)]
pub struct Queries<'v> {
    pub(crate) tablebase: Tablebase,
    pub(crate) variant: &'v Variant,
    pub(crate) options: QueryOptions,
    pub(crate) sources: Sources,
    /// Those that are kept, by their positions.
    answers: Arc<Mutex<HashMap<AnyPosition, Arc<Answer>>>>,
}

impl Tablebase {
    /// The value of a position and of all its moves: from tables, else solved in memory, else searched.
    /// A variant is a name such as `classic-3x4:play=misere`, or the path of a rule file.
    ///
    /// # Errors
    /// When the variant or the position cannot be read, and when a table is damaged or of other rules.
    ///
    /// # Examples
    /// ```
    /// use greenwave_tablebase::{Tablebase, Value};
    ///
    /// let tablebase = Tablebase::open("no-such-folder")?;
    /// let answer = tablebase.query("classic-3x3", "R../.Y./..G")?;
    /// assert_eq!((answer.value, answer.distance), (Value::Win, Some(9)));
    /// assert_eq!(answer.best, ["b1R", "b2G", "c2R", "a3Y"]);
    /// # Ok::<(), greenwave_tablebase::Error>(())
    /// ```
    pub fn query(&self, variant: &str, position: &str) -> Result<Answer, Error> {
        let variant = crate::read_variant(variant)?;
        self.query_at(&variant, &Place::at(position), &QueryOptions::default())
    }

    /// The same for a variant that has been read, and a position or moves.
    ///
    /// # Errors
    /// As [`Tablebase::query`]; when a move is illegal.
    pub fn query_at(
        &self,
        variant: &Variant,
        place: &Place<'_>,
        options: &QueryOptions,
    ) -> Result<Answer, Error> {
        // A position that cannot be read is refused before any solve. A finished one needs no
        // values, and its tables are only checked for damage.
        self.found_alone(variant, &place.find(variant)?, options)
    }

    /// The same for a position that has been read.
    ///
    /// # Errors
    /// When a table is damaged or of other rules.
    pub fn query_of(&self, at: &At, options: &QueryOptions) -> Result<Answer, Error> {
        self.found_alone(at.variant(), at.position(), options)
    }

    fn found_alone(
        &self,
        variant: &Variant,
        position: &AnyPosition,
        options: &QueryOptions,
    ) -> Result<Answer, Error> {
        if let Some(ending) = variant.ending(position) {
            Effort::asked_a_question();
            let source = self.tables(variant)?;
            let source = source.source_of(variant.rules().default_metric);
            return Ok(over(variant, position, &ending, source));
        }
        self.few_queries(variant, options)?.asked(position)
    }

    /// Prepares a variant for questions about many positions.
    ///
    /// # Errors
    /// When a table is damaged or of other rules.
    pub fn queries<'v>(
        &self,
        variant: &'v Variant,
        options: &QueryOptions,
    ) -> Result<Queries<'v>, Error> {
        let sources = self.sources_for_queries(variant, options.budget, true)?;
        Ok(self.queries_from(variant, options, sources))
    }

    /// Prepares a variant for questions about a few positions, such as those of one game: where chance
    /// takes part and no values are there, each has only those solved that it needs.
    ///
    /// # Errors
    /// As [`Tablebase::queries`].
    pub fn few_queries<'v>(
        &self,
        variant: &'v Variant,
        options: &QueryOptions,
    ) -> Result<Queries<'v>, Error> {
        let mut sources = self.sources_for_queries(variant, options.budget, false)?;
        self.read_if_asked(variant, &mut sources, 1, READ_ASIDE)?;
        Ok(self.queries_from(variant, options, sources))
    }

    fn queries_from<'v>(
        &self,
        variant: &'v Variant,
        options: &QueryOptions,
        sources: Sources,
    ) -> Queries<'v> {
        Queries {
            tablebase: self.clone(),
            variant,
            options: *options,
            sources,
            answers: Arc::default(),
        }
    }

    /// An unfinished position of which no values are at hand: as it was swept, else as it was found before, else
    /// solved as far as it needs, else searched.
    fn found_near<G: Solve + VariantGame>(
        &self,
        game: &G,
        position: &G::Position,
        options: &QueryOptions,
    ) -> Result<Answer, Error> {
        if let Some(swept) = self.swept_before(game, position)? {
            let key = AnswerKey::new(game.rules(), game.any_position(*position));
            let before = self.cache().searched().get(&key);
            let before =
                before.map(|before| SettledAnswer::of_answer(game, position, &before.answer));
            return Ok(Answer::new(game, swept.with_known(game, before)));
        }
        self.found_once(game, position, options, || {
            let later = match self.sources_near(game, position, options.budget)? {
                NearSources::Solved(sources) => {
                    let source = sources.source_of(game.rules().default_metric);
                    let found = answer(game, position, &sources.of(game)?)?;
                    return Ok(SettledAnswer::of(found, source));
                }
                NearSources::None => None,
                NearSources::Slow => Some(SearchEnd::TimeOver),
                NearSources::Busy => Some(SearchEnd::CutShort),
            };
            let settled = self.settled(game, position, options)?;
            let end = later.map_or(settled.end, |later| settled.end.without(later));
            Ok(SettledAnswer { end, ..settled })
        })
    }

    /// The kept answer about a position, where no more was searched for than these options allow, else what `find`
    /// finds. What was known before is in it.
    fn found_once<G: Solve + VariantGame>(
        &self,
        game: &G,
        position: &G::Position,
        options: &QueryOptions,
        find: impl FnOnce() -> Result<SettledAnswer<G>, Error>,
    ) -> Result<Answer, Error> {
        // Where positions are counted, and with waves on a disk, the answer is to be that of this question alone.
        let time = Budget::of_search(options.budget).filter(|_| self.scratch().is_none());
        let Some(time) = time else {
            return Ok(Answer::new(game, find()?));
        };
        let key = AnswerKey::new(game.rules(), game.any_position(*position));
        let kept = self.cache().searched();
        if let Some(known) = kept.get(&key)
            && known.does_for(time, options.needs_move)
        {
            return Ok(Answer::clone(&known.answer));
        }
        let found = find()?;
        let end = found.end;
        // Another question may have found something meanwhile.
        let added_to = |known: Option<&Answer>| {
            let known = known.map(|known| SettledAnswer::of_answer(game, position, known));
            Answer::new(game, found.with_known(game, known))
        };
        // Without time nothing was searched for.
        if time.is_zero() {
            let known = kept.get(&key);
            return Ok(added_to(known.as_ref().map(|known| &*known.answer)));
        }
        let answer = kept.keep(key, end, (time, options.needs_move), added_to);
        Ok(Arc::unwrap_or_clone(answer))
    }

    /// An unfinished position from all sources together, else searched.
    fn found_in<G: Solve + VariantGame>(
        &self,
        game: &G,
        position: &G::Position,
        values: &SourceList<'_, G::Position>,
        source: Source,
        options: &QueryOptions,
    ) -> Result<Answer, Error> {
        let found = answer(game, position, values)?;
        // A table of listed positions lacks those that play does not reach.
        let listed = game.holds_reachable_only();
        if listed && found.figures == Figures::default() {
            return self.found_once(game, position, options, || {
                self.searched(game, position, options.budget)
            });
        }
        Ok(Answer::new(game, SettledAnswer::of(found, source)))
    }

    /// The answer of a sweep of all that a position can become, whatever else would answer and however long
    /// it takes; `None` where there is no such sweep or the memory does not hold it.
    ///
    /// # Errors
    /// When the place cannot be read, and when the work is cancelled.
    pub fn swept_answer(
        &self,
        variant: &Variant,
        place: &Place<'_>,
    ) -> Result<Option<Answer>, Error> {
        with_game!(variant, game => {
            let position = game.position(&place.find(variant)?);
            let sweeps = self.sweeps(game, &[position]);
            let Some(sweep) = self.sweep_within(sweeps, f64::INFINITY) else {
                return Ok(None);
            };
            if self.sweep(game, sweep, f64::INFINITY)? != TimedSweep::Done {
                return Ok(None);
            }
            let settled = self.swept_before(game, &position)?;
            Ok(settled.map(|settled| Answer::new(game, settled)))
        })
    }
}

impl<'v> Queries<'v> {
    /// The limits of each question.
    #[must_use]
    pub fn budget(&self) -> Option<Budget> {
        self.options.budget
    }

    /// The same values, and no time for what they do not answer.
    #[must_use]
    pub fn hurried(&self) -> Queries<'v> {
        let options = QueryOptions {
            budget: Some(Budget::Time(Duration::ZERO)),
            ..self.options
        };
        self.tablebase
            .queries_from(self.variant, &options, self.sources.clone())
    }

    /// The value of a position and of all its moves.
    ///
    /// # Errors
    /// As [`Tablebase::query_at`].
    pub fn query(&self, place: &Place<'_>) -> Result<Answer, Error> {
        self.asked(&place.find(self.variant)?)
    }

    /// The answer about a position: asked once, then kept.
    ///
    /// # Errors
    /// As [`Tablebase::query_of`].
    pub fn answer(&self, position: &AnyPosition) -> Result<Arc<Answer>, Error> {
        let kept = || self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = kept().get(position) {
            return Ok(Arc::clone(known));
        }
        let answer = Arc::new(self.asked(position)?);
        kept().insert(*position, Arc::clone(&answer));
        Ok(answer)
    }

    fn asked(&self, position: &AnyPosition) -> Result<Answer, Error> {
        with_game!(self.variant, game => {
            let source = self.sources.source_of(game.rules().default_metric);
            self.asked_in(game, &self.sources.of(game)?, &source, &game.position(position))
        })
    }

    /// The same from the values of all sources together, which may serve many questions.
    pub(crate) fn asked_in<G: Solve + VariantGame>(
        &self,
        game: &G,
        values: &SourceList<'_, G::Position>,
        source: &Source,
        position: &G::Position,
    ) -> Result<Answer, Error> {
        Effort::asked_a_question();
        let (tablebase, options, sources) = (&self.tablebase, &self.options, &self.sources);
        match game.ending(position) {
            Some(ending) => Ok(over(game, position, &ending, source.clone())),
            None if sources.is_empty() => tablebase.found_near(game, position, options),
            None => tablebase.found_in(game, position, values, source.clone(), options),
        }
    }

    /// The variant.
    #[must_use]
    pub fn variant(&self) -> &Variant {
        self.variant
    }
}

/// A finished game, whatever is solved: its figures follow from the rules.
fn over<G: VariantGame>(
    game: &G,
    position: &G::Position,
    ending: &Ending,
    source: Source,
) -> Answer {
    let figures = over_figures(game.rules(), ending);
    let found = PositionAnswer::new(*position, figures, true, Vec::new());
    Answer::new(game, SettledAnswer::of(found, source))
}

/// All that the rules say of a finished game.
pub(crate) fn over_figures(rules: &Rules, ending: &Ending) -> Figures {
    let has = |metric| rules.metrics.contains(&metric);
    let decided = ending.outcome != Outcome::Draw;
    Figures {
        value: Some(ending.outcome),
        distance: (has(Metric::Distance) && decided).then_some(Plies(0)),
        points: has(Metric::Points).then_some(ending.points),
        nimber: has(Metric::Nimber).then_some(0),
        odds: has(Metric::Odds).then(|| Odds::of_ending(ending)),
    }
}
