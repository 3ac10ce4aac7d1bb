//! Questions about many positions of a variant: what is decided once, tables in memory, all threads.

use greenwave_game::{Dense, Figures, Game, Metric, Variant, VariantGame, with_game};
use greenwave_probe::{BestMoves, best_moves, lacks_distance};
use greenwave_solver::SolveError;
use greenwave_values::parallel::try_map_parts;
use greenwave_values::{ByIndex, SourceList, Unit};

use crate::documents::over_figures;
use crate::solution::key;
use crate::{Answer, Error, ErrorKind, Place, Queries, Sources, Tablebase};

/// Indices that can be read into memory in the time of one question to a table.
const READ_MEANWHILE: u64 = 2_000;
/// Indices that are read while one question waits, at most: some ten milliseconds.
pub(crate) const READ_ASIDE: u64 = 1 << 24;
/// Positions of a part that one thread looks at: at least this many, and at most.
const LEAST: usize = 1 << 10;
const MOST: usize = 1 << 16;

/// The message about one of many positions: an answer without the figures of all moves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Brief {
    /// The position.
    pub position: String,
    /// Its figures, for the player to move.
    pub figures: Figures,
    /// The moves that tie for the best.
    pub best: Vec<String>,
}

impl From<Answer> for Brief {
    fn from(answer: Answer) -> Brief {
        Brief {
            figures: answer.figures(),
            position: answer.position,
            best: answer.best,
        }
    }
}

impl Tablebase {
    /// The values of all indices as one array: from a table, else solved in memory.
    ///
    /// # Errors
    /// As [`Tablebase::values`]; when the array does not fit the memory beside them.
    pub fn by_index(&self, variant: &Variant, metric: Metric) -> Result<ByIndex, Error> {
        let rules = variant.rules();
        if !rules.metrics.contains(&metric) {
            return Err(SolveError::Metric {
                variant: rules.title().to_string(),
                metric,
                allowed: rules.metrics.clone(),
            }
            .into());
        }
        let needed = ByIndex::bytes(variant.indexable(), metric);
        let what = format!("the {metric} of every index of {}", rules.title());
        let way_out = ", or ask about positions one by one";
        let _reserved = self.reserve(needed, &what, way_out)?;
        let held = self.values(variant, metric)?;
        let progress = self.progress();
        Ok(self.on_threads(
            || with_game!(variant, game => ByIndex::of(game, &held.values, metric, progress)),
        )?)
    }
}

impl Tablebase {
    /// [`Tablebase::sources`] of one metric for many questions. If its table has `most` indices or
    /// fewer and fits the memory, the table is read and is the only source.
    ///
    /// # Errors
    /// As [`Tablebase::sources`].
    pub fn sources_in_memory(
        &self,
        variant: &Variant,
        metric: Metric,
        most: u64,
    ) -> Result<Sources, Error> {
        let sources = self.sources(variant, &[metric])?;
        let mut tables = sources.tables().into_iter();
        let wanted = tables.find(|table| {
            let meta = table.meta();
            meta.metric == metric.name() && meta.indexable <= most
        });
        match wanted.map(|table| self.loaded(variant, metric, &table)) {
            Some(Ok(solution)) => Ok(Sources::of_solution(solution)),
            None | Some(Err(Error::Memory { .. } | Error::Busy { .. })) => Ok(sources),
            Some(Err(error)) => Err(error),
        }
    }

    /// Reads tables of at most this many indices into memory, if they fit it and this many questions, with
    /// those that were asked before, make up for the time that it takes.
    pub(crate) fn read_if_asked(
        &self,
        variant: &Variant,
        sources: &mut Sources,
        positions: u64,
        most: u64,
    ) -> Result<(), Error> {
        for table in sources.tables() {
            let indices = table.meta().indexable;
            let Ok(metric) = table.meta().metric.parse::<Metric>() else {
                continue;
            };
            let key = key(variant.rules(), metric);
            let pays = || {
                indices <= most && self.cache().asked(key, positions) >= indices / READ_MEANWHILE
            };
            if self.cache().known(&key).is_none() && !pays() {
                continue;
            }
            match self.loaded(variant, metric, &table) {
                Ok(solution) => sources.replace(metric, &table, solution),
                Err(Error::Memory { .. } | Error::Busy { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

impl Queries<'_> {
    /// Reads tables into memory if they fit it and this many questions make up for the time that it takes;
    /// answers are the same, quicker.
    ///
    /// # Errors
    /// When a table cannot be read or is damaged, and when the work is cancelled.
    pub fn expect(&mut self, positions: u64) -> Result<(), Error> {
        self.tablebase
            .read_if_asked(self.variant, &mut self.sources, positions, u64::MAX)
    }

    /// Answers about many places, worked out on all threads. The places are cut into parts. Each
    /// part has a state of its own: `begin` makes it from the number of its places, and `take` adds
    /// their answers in order. The states come back in the order of the places.
    ///
    /// # Errors
    /// When a table does not fit the game, and when the work is cancelled; `take` gets the errors
    /// of single places.
    pub fn query_all<S: Send>(
        &self,
        places: &[Place<'_>],
        begin: impl Fn(usize) -> S + Sync,
        take: impl Fn(&mut S, Result<Answer, Error>) + Sync,
    ) -> Result<Vec<S>, Error> {
        // Answers with all moves are a hundred times the work of a brief one.
        const PART: usize = 1 << 6;
        self.in_parts(places.len(), PART, |part| {
            let mut state = begin(part.len());
            self.query_each(&places[part], &mut |answer| take(&mut state, answer))?;
            Ok(state)
        })
    }

    // Answers about places, one after the other; compiled once for all that take them.
    fn query_each(
        &self,
        places: &[Place<'_>],
        take: &mut dyn FnMut(Result<Answer, Error>),
    ) -> Result<(), Error> {
        with_game!(self.variant, game => {
            let source = self.sources.source_of(game.rules().default_metric);
            let values = self.sources.of(game)?;
            for place in places {
                let position = place.find(self.variant);
                take(position.and_then(|position| {
                    self.asked_in(game, &values, &source, &game.position(&position))
                }));
            }
        });
        Ok(())
    }

    /// Whether positions are answered from values at hand; else each is solved or searched for by itself.
    #[must_use]
    pub fn has_values(&self) -> bool {
        !self.sources.is_empty()
    }

    /// Briefs about many positions, on all threads. The positions are cut into parts. Each part has
    /// a state of its own: `begin` makes it from the number of its positions, and `take` adds their
    /// briefs in order. The states come back in the order of the positions.
    ///
    /// # Errors
    /// When a table cannot be read or is damaged, and when the work is cancelled. The errors of
    /// single positions go to `take`.
    pub fn briefs<T: AsRef<str> + Sync, S: Send>(
        &self,
        positions: &[T],
        begin: impl Fn(usize) -> S + Sync,
        take: impl Fn(&mut S, &T, Result<&Brief, &Error>) + Sync,
    ) -> Result<Vec<S>, Error> {
        fn place<T: AsRef<str>>(text: &T) -> Place<'_> {
            Place::at(text.as_ref())
        }
        let shares = 4 * self.tablebase.threads();
        let size = positions.len().div_ceil(shares).clamp(LEAST, MOST);
        let stage = format!("asking about positions of {}", self.variant.rules().title());
        let progress = self.tablebase.progress();
        progress.begin(&stage, positions.len() as u64, Unit::Positions);
        self.in_parts(positions.len(), size, |range| {
            let length = range.len();
            let mut state = begin(length);
            let mut brief = Brief::default();
            with_game!(self.variant, game => {
                let mut asker = Asker::new(game, &self.sources)?;
                for text in &positions[range] {
                    let mut found = place(text)
                        .find(self.variant)
                        .and_then(|position| asker.brief(game, &game.position(&position), &mut brief));
                    // Listed positions that play does not reach, and all where there is no source.
                    if let Ok(false) = found {
                        let asked = self.query(&place(text));
                        found = asked.map(|answer| {
                            brief = answer.into();
                            true
                        });
                    }
                    match found {
                        Ok(_) => take(&mut state, text, Ok(&brief)),
                        Err(error) if error.kind() == ErrorKind::Input => {
                            take(&mut state, text, Err(&error));
                        }
                        Err(error) => return Err(error),
                    }
                }
            });
            progress.advance(length as u64);
            Ok(state)
        })
    }

    fn in_parts<T: Send>(
        &self,
        positions: usize,
        size: usize,
        work: impl Fn(std::ops::Range<usize>) -> Result<T, Error> + Sync,
    ) -> Result<Vec<T>, Error> {
        let progress = self.tablebase.progress();
        self.tablebase.on_threads(|| {
            try_map_parts(positions.div_ceil(size), |part| {
                if progress.cancelled() {
                    return Err(SolveError::Interrupted.into());
                }
                let range = part * size..positions.min((part + 1) * size);
                work(range)
            })
        })
    }
}

/// What one thread keeps from question to question about a game.
struct Asker<'a, G: Game> {
    deciding: SourceList<'a, G::Position>,
    others: SourceList<'a, G::Position>,
    scratch: BestMoves<G::Position, G::Move>,
}

impl<'a, G: Dense> Asker<'a, G> {
    fn new(game: &'a G, sources: &'a Sources) -> Result<Asker<'a, G>, Error> {
        Ok(Asker {
            deciding: sources.deciding(game)?,
            others: sources.not_deciding(game)?,
            scratch: BestMoves::default(),
        })
    }

    /// Fills in the brief of a position; `false` where the sources do not hold it.
    fn brief(
        &mut self,
        game: &G,
        position: &G::Position,
        brief: &mut Brief,
    ) -> Result<bool, Error> {
        brief.best.clear();
        let ending = game.ending(position);
        brief.figures = match &ending {
            Some(ending) => over_figures(game.rules(), ending),
            None => best_moves(
                game,
                position,
                &self.deciding,
                &self.others,
                &mut self.scratch,
            )?,
        };
        // The rules may add distances to values, which an answer has.
        let is_bare = lacks_distance(&brief.figures, game.rules());
        if brief.figures == Figures::default() || is_bare {
            return Ok(false);
        }
        brief.position = game.position_text(position);
        if ending.is_none() {
            let best = self.scratch.best().iter();
            brief
                .best
                .extend(best.map(|mv| game.move_text(position, *mv)));
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_that_is_asked_often_is_read_into_memory() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../solutions");
        let tablebase = Tablebase::open(folder).unwrap();
        let rules = crate::read_variant("classic-3x3").unwrap();
        let key = key(rules.rules(), Metric::Distance);
        let ask = || tablebase.query("classic-3x3", ".../.R./...").unwrap();
        let first = ask();
        assert!(tablebase.cache().known(&key).is_none());
        let often = (1 << 18) / READ_MEANWHILE;
        for _ in 0..often {
            assert_eq!(ask(), first);
        }
        assert!(tablebase.cache().known(&key).is_some());
    }
}
