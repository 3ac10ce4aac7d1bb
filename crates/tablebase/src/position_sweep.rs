//! The ways to settle one position where no values of its variant are at hand: theorems, published
//! results, a sweep of all its successors, or a forward search. If none of them does, it names
//! those that would.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use greenwave_game::{Dense, Figures, Game, Message, Metric, Outcome, Rules, fixed_board};
use greenwave_probe::{PositionAnswer, answer};
use greenwave_solver::{Cost, Engine, PreparedSolve, ScratchUse, Solve, SolveError, bytes};
use greenwave_values::{Progress, SourceList, ValueSource, ValuesError};

use crate::atlas::PublishedSource;
use crate::files::{TidyFolders, free_bytes, table_path};
use crate::found::SearchEnd;
use crate::machine::machine_memory;
use crate::memory::{Purpose, WayOut};
use crate::proofs::RocqTheorem;
use crate::published::PublishedStart;
use crate::solution::key;
use crate::sources::all_metrics;
use crate::theorem::TheoremSource;
use crate::time_limit::TimeLimit;
use crate::{Error, Judgement, Source, Tablebase, lights_option};

/// An answer without its document, and where it comes from.
pub(crate) struct SettledAnswer<G: Game> {
    pub(crate) found: PositionAnswer<G::Position, G::Move>,
    pub(crate) source: Source,
    pub(crate) remarks: AnswerRemarks,
    pub(crate) end: SearchEnd,
}

impl<G: Game> SettledAnswer<G> {
    /// What values say, and no search.
    pub(crate) fn of(found: PositionAnswer<G::Position, G::Move>, source: Source) -> Self {
        SettledAnswer {
            found,
            source,
            remarks: AnswerRemarks::default(),
            end: SearchEnd::default(),
        }
    }
}

/// What a search or a theorem says besides figures.
#[derive(Default)]
pub(crate) struct AnswerRemarks {
    pub(crate) undecided_within: Option<u32>,
    pub(crate) line: Option<Vec<String>>,
    pub(crate) estimate: Option<Judgement>,
    pub(crate) by_theorem: Vec<String>,
}

/// How a sweep ended that may take so much time.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum TimedSweep {
    /// Its figures are kept.
    Done,
    /// Its memory is in use just now.
    Busy,
    /// It would have taken about this many seconds, which are too many.
    TooSlow(f64),
}

/// The factor between the estimated time of a sweep and the time that messages recommend.
const SLACK: f64 = 3.0;
/// How much more than estimated, in memory.
const ROOM: f64 = 1.1;
/// The folder that advice names for waves on the disk.
const WAVES: &str = "waves";
/// Bytes of memory for which a sweep is planned where less is allowed: so the answer can say what it takes.
const PLANNING: u64 = 256 << 20;

/// Figures that sweeps of a game have found, as a source.
struct SweptBefore<'a, G> {
    tablebase: &'a Tablebase,
    game: &'a G,
}

impl<G: Dense> ValueSource<G::Position> for SweptBefore<'_, G> {
    type Error = ValuesError;

    fn figures(&self, position: &G::Position) -> Result<Figures, ValuesError> {
        let of = |metric| self.tablebase.swept_figures(self.game, metric, position);
        let [default, value] = swept_metrics(self.game);
        Ok(of(default).or(of(value)))
    }
}

/// A sweep of all that some positions can become, planned.
pub(crate) struct PositionSweep<'g, P> {
    planned: PreparedSolve<'g, Vec<Figures>>,
    metric: Metric,
    positions: Vec<P>,
    /// The file of its waves, where they outgrow the memory.
    scratch: Option<PathBuf>,
}

impl<P> PositionSweep<'_, P> {
    pub(crate) fn cost(&self) -> &Cost {
        self.planned.cost()
    }
}

/// The metrics that are swept for: the default one, else the value alone.
pub(crate) fn swept_metrics<G: Game>(game: &G) -> [Metric; 2] {
    let rules = game.rules();
    let has_value = rules.metrics.contains(&Metric::Value);
    let default = rules.default_metric;
    [default, if has_value { Metric::Value } else { default }]
}

/// Some positions and all that one move makes of them; and what further moves make of these, as long as
/// they are few for a memory of so many bytes: a sweep knows them anyway, and then the next questions need none. Of
/// images one is there.
fn with_next<G: Game>(game: &G, positions: &[G::Position], memory: u64) -> Vec<G::Position> {
    /// Positions that are kept of one sweep, unless more are asked for.
    const MOST: u64 = 20_000;
    /// Bytes of memory for each of them: they take a twentieth of that.
    const EACH: u64 = 1 << 12;
    let most = (memory / EACH).min(MOST) as usize;
    let mut met = HashSet::new();
    let mut is_new = |position: &G::Position| {
        game.ending(position).is_none() && met.insert(game.canonical(position))
    };
    let mut last: Vec<G::Position> = positions.iter().copied().filter(&mut is_new).collect();
    let (mut all, mut moves) = (last.clone(), Vec::new());
    for ply in 0.. {
        let mut next = Vec::new();
        for position in &last {
            game.moves(position, &mut moves);
            let made = moves.iter().map(|mv| game.play(position, *mv).to);
            next.extend(made.filter(&mut is_new));
            if ply > 0 && all.len() + next.len() > most {
                break;
            }
        }
        if next.is_empty() || ply > 0 && all.len() + next.len() > most {
            break;
        }
        all.extend_from_slice(&next);
        last = next;
    }
    all.sort_unstable();
    all
}

/// The moves after which a theorem says that the opponent loses.
fn moves_by_theorem<G: Solve>(
    game: &G,
    found: &PositionAnswer<G::Position, G::Move>,
) -> Result<Vec<String>, Error> {
    let Some(proved) = TheoremSource::of(game) else {
        return Ok(Vec::new());
    };
    let mut moves = Vec::new();
    for mv in found.moves.iter().filter(|mv| !mv.ends) {
        if proved.figures(&mv.to)?.value == Some(Outcome::Loss) {
            moves.push(game.move_text(&found.position, mv.mv));
        }
    }
    Ok(moves)
}

type BoxedSource<'a, G> = Box<dyn ValueSource<<G as Game>::Position, Error = ValuesError> + 'a>;

/// The published result that says the value of a position: the atlas, which knows first moves, too, or that of the
/// start.
fn printed<'a, G: Dense>(
    game: &'a G,
    position: &G::Position,
) -> Result<Option<(BoxedSource<'a, G>, Source)>, ValuesError> {
    let (source, told): (BoxedSource<'a, G>, _) = if let Some(found) = PublishedSource::of(game) {
        let board = found.board;
        let told = Source::published(board.signature(), board.made_by());
        (Box::new(found), told)
    } else if let Some(found) = PublishedStart::of(game) {
        let result = found.result;
        let told = Source::published(Some(result.signature), result.made_by());
        (Box::new(found), told)
    } else {
        return Ok(None);
    };
    let is_told = source.figures(position)?.value.is_some();
    Ok(is_told.then_some((source, told)))
}

impl Tablebase {
    /// A position of which a theorem or a published result says the value; `None` where neither does.
    pub(crate) fn known<G: Solve>(
        &self,
        game: &G,
        position: &G::Position,
    ) -> Result<Option<SettledAnswer<G>>, Error> {
        let proved = TheoremSource::of(game);
        let theorem = proved.as_ref().and_then(|proved| proved.theorem(position));
        let proved = proved.filter(|_| theorem.is_some());
        let printed = printed(game, position)?;
        // A result that says more of the moves goes before a theorem that says less.
        let valued = |source: &dyn ValueSource<G::Position, Error = ValuesError>| {
            let found = answer(game, position, source)?;
            let valued = found.moves.iter().filter(|mv| mv.figures.value.is_some());
            Ok::<usize, ValuesError>(valued.count())
        };
        let source = match (theorem, &proved, &printed) {
            (Some(theorem), Some(proved), Some((printed, source))) => {
                if valued(&**printed)? > valued(proved)? {
                    Source {
                        theorem: Some(theorem),
                        ..source.clone()
                    }
                } else {
                    Source::proved(theorem)
                }
            }
            (Some(theorem), ..) => Source::proved(theorem),
            (None, _, Some((_, source))) => source.clone(),
            (None, _, None) => return Ok(None),
        };
        let rocq = theorem
            .filter(|_| *position == game.start())
            .and_then(|_| RocqTheorem::of_rules(game.rules()));
        let source = Source {
            proved_in: rocq.map(|theorem| theorem.place()),
            ..source
        };
        let mut sources: Vec<BoxedSource<'_, G>> = Vec::new();
        sources.extend(proved.map(|source| Box::new(source) as _));
        sources.extend(printed.map(|(printed, _)| printed));
        let is_both = sources.len() > 1;
        let found = answer(game, position, &SourceList(sources))?;
        let mut settled = SettledAnswer::of(found, source);
        if is_both && settled.found.figures.distance.is_none() {
            settled.remarks.by_theorem = moves_by_theorem(game, &settled.found)?;
        }
        Ok(Some(settled))
    }

    /// What sweeps have found of a position, or of an image of it, in a metric.
    pub(crate) fn swept_figures<G: Dense>(
        &self,
        game: &G,
        metric: Metric,
        position: &G::Position,
    ) -> Figures {
        let swept = self.cache().swept();
        let image = || game.index(&game.canonical(position));
        swept.figures(key(game.rules(), metric), image)
    }

    /// A position that sweeps for others have settled; `None` where one of its moves is open.
    pub(crate) fn swept_before<G: Solve>(
        &self,
        game: &G,
        position: &G::Position,
    ) -> Result<Option<SettledAnswer<G>>, Error> {
        let source = SweptBefore {
            tablebase: self,
            game,
        };
        if source.figures(position)?.value.is_none() {
            return Ok(None);
        }
        let found = answer(game, position, &source)?;
        let known = found.moves.iter().all(|mv| mv.figures.value.is_some());
        Ok(known.then(|| SettledAnswer::of(found, Source::swept())))
    }

    /// The sweeps that would settle some positions and their moves: for the default metric, and for the
    /// value alone.
    pub(crate) fn sweeps<'g, G: Solve>(
        &self,
        game: &'g G,
        positions: &[G::Position],
    ) -> Vec<PositionSweep<'g, G::Position>> {
        let mut metrics = swept_metrics(game).to_vec();
        metrics.dedup();
        let plan = |metric| self.sweep_for(game, positions, metric);
        metrics.into_iter().filter_map(plan).collect()
    }

    /// The sweep that would settle some positions and their moves for a metric.
    pub(crate) fn sweep_for<'g, G: Solve>(
        &self,
        game: &'g G,
        positions: &[G::Position],
        metric: Metric,
    ) -> Option<PositionSweep<'g, G::Position>> {
        // No other games are swept so.
        fixed_board(game)?;
        let positions = with_next(game, positions, self.memory());
        let scratch = self.scratch().map(|folder| {
            let indices = positions.iter().map(|position| game.index(position));
            let waves = Rules::hash_of(&format!("{:?}", indices.collect::<Vec<u64>>())).to_string();
            table_path(folder, game.rules(), metric)
                .with_extension(format!("{}.waves", &waves[..16]))
        });
        let memory = match scratch {
            Some(_) => self.memory(),
            None => self.memory().max(PLANNING),
        };
        let plan = |file: Option<&Path>| {
            self.on_threads(|| G::Engine::plan_cone(game, &positions, metric, memory, file))
        };
        let mut planned = plan(None)?;
        // A disk that does not hold the waves is of no use.
        if let (Some(file), ScratchUse::Missing(waves)) = (&scratch, planned.cost().scratch)
            && free_bytes(file).is_none_or(|free| waves <= free.into())
        {
            planned = plan(Some(file))?;
        }
        Some(PositionSweep {
            planned,
            metric,
            positions,
            scratch,
        })
    }

    /// The first of some sweeps that fits the memory and this many seconds.
    pub(crate) fn sweep_within<'g, P>(
        &self,
        sweeps: Vec<PositionSweep<'g, P>>,
        seconds: f64,
    ) -> Option<PositionSweep<'g, P>> {
        let mut sweeps = sweeps.into_iter();
        sweeps.find(|sweep| self.fits_within(sweep, seconds))
    }

    pub(crate) fn fits_within<P>(&self, sweep: &PositionSweep<'_, P>, seconds: f64) -> bool {
        let cost = sweep.cost();
        cost.seconds <= seconds && self.limit().allows(cost.memory_bytes)
    }

    /// Does a sweep and keeps what it finds, or gives it up as soon as it is seen to take more than these
    /// seconds.
    pub(crate) fn sweep<G: Solve>(
        &self,
        game: &G,
        sweep: PositionSweep<'_, G::Position>,
        seconds: f64,
    ) -> Result<TimedSweep, Error> {
        let Some(_reserved) = self.try_reserve(sweep.cost().memory_bytes) else {
            return Ok(TimedSweep::Busy);
        };
        let within = TimeLimit::new(self.progress(), seconds);
        match self.run_sweep(game, sweep, &within) {
            Err(SolveError::Interrupted) if !self.progress().cancelled() => {
                Ok(TimedSweep::TooSlow(within.needed()))
            }
            swept => Ok(swept.map(|()| TimedSweep::Done)?),
        }
    }

    /// The same for work that cannot do without it, however long it takes.
    pub(crate) fn sweep_or_refuse<G: Solve>(
        &self,
        game: &G,
        sweep: PositionSweep<'_, G::Position>,
    ) -> Result<(), Error> {
        let purpose = Purpose {
            what: Message::from(format!(
                "sweeping what a position of {} can become",
                game.rules().title()
            ))
            .into(),
            way_out: WayOut::None,
        };
        let cost = sweep.cost();
        let _reserved = self.reserve_for(cost.memory_bytes, &purpose)?;
        self.tell_cost(cost);
        Ok(self.run_sweep(game, sweep, self.progress())?)
    }

    fn run_sweep<G: Solve>(
        &self,
        game: &G,
        sweep: PositionSweep<'_, G::Position>,
        progress: &dyn Progress,
    ) -> Result<(), SolveError> {
        let PositionSweep {
            planned,
            metric,
            positions,
            scratch,
        } = sweep;
        let _folders = scratch.as_deref().map(TidyFolders::of);
        let figures = self.on_threads(|| planned.run(progress))?;
        let images = positions.iter().map(|position| game.canonical(position));
        let found: Vec<(u64, Figures)> = images
            .map(|image| game.index(&image))
            .zip(figures)
            .collect();
        self.cache().swept().keep(key(game.rules(), metric), found);
        Ok(())
    }

    /// The solve in memory that would settle a position where no sweep does: of what it needs, or of
    /// every metric.
    fn solve_for<G: Solve>(&self, game: &G, position: &G::Position) -> Option<Cost> {
        let memory = self.memory();
        self.on_threads(|| {
            if let Some(planned) = G::Engine::plan_near(game, position, memory) {
                return Some(planned.cost().clone());
            }
            let mut whole = Cost::of(game, game.rules().default_metric);
            for metric in all_metrics(game.rules()) {
                let planned = G::Engine::plan_values(game, metric, memory).ok()?;
                let cost = planned.cost();
                whole.memory_bytes = whole.memory_bytes.saturating_add(cost.memory_bytes);
                whole.seconds += cost.seconds;
            }
            Some(whole)
        })
    }

    /// The command that would settle a position, with what it is estimated to take; `None` where this
    /// machine cannot.
    pub(crate) fn settling<G: Solve>(
        &self,
        game: &G,
        position: &G::Position,
        sweeps: &[Cost],
    ) -> Option<String> {
        let machine = u128::from(machine_memory()?);
        let allows = |cost: &Cost| self.limit().allows(cost.memory_bytes);
        let possible = |cost: &&Cost| allows(cost) || asked_for(cost) <= machine;
        let on_disk;
        let cost = match sweeps.iter().rfind(possible) {
            Some(sweep) => sweep,
            None => {
                let solve = self.solve_for(game, position);
                let solve = solve.filter(|cost| possible(&cost));
                on_disk = solve.or_else(|| self.cost_on_disk(game, position))?;
                &on_disk
            }
        };
        let budget = (cost.seconds * SLACK).ceil().max(1.0);
        let cost = &with_others(cost, sweeps, budget - cost.seconds, &allows);
        let budget = readable(budget);
        let place = if *position == game.start() {
            String::new()
        } else {
            format!(" '{}'", game.position_text(position))
        };
        let memory = match asked_for(cost) {
            _ if allows(cost) => String::new(),
            bytes if bytes <= 1 << 30 => format!(" --memory {}M", bytes >> 20),
            bytes => format!(" --memory {}G", bytes >> 30),
        };
        let (scratch, disk) = match cost.scratch {
            ScratchUse::Taken(waves) => (
                format!(" --scratch {WAVES}"),
                format!("{} of", bytes(waves)),
            ),
            ScratchUse::None | ScratchUse::Missing(_) => (String::new(), "no".into()),
        };
        let command = self.command(&format!(
            "greenwave query {}{place}{} --budget {budget}{memory}{scratch}",
            game.rules().title(),
            lights_option(game.rules()),
        ));
        Some(format!(
            "{command} # about {}, {} of memory, {disk} disk",
            readable(cost.seconds.ceil().max(1.0)),
            bytes(cost.memory_bytes)
        ))
    }

    /// The cost of the sweep for the value whose waves are on the disk; `None` where memory or disk do not do.
    fn cost_on_disk<G: Solve>(&self, game: &G, position: &G::Position) -> Option<Cost> {
        let folder = self.scratch().unwrap_or(Path::new(WAVES));
        let [_, metric] = swept_metrics(game);
        let on_disk = self.with_scratch(folder);
        let sweep = on_disk.sweep_for(game, &[*position], metric)?;
        self.fits_within(&sweep, f64::INFINITY)
            .then(|| sweep.cost().clone())
    }
}

/// What a question costs for which a sweep is done: with the budget that is told it sweeps for other metrics, too,
/// if they fit into what is left of its seconds and the memory allows it.
fn with_others(cost: &Cost, sweeps: &[Cost], left: f64, allows: &dyn Fn(&Cost) -> bool) -> Cost {
    let mut all = cost.clone();
    for other in sweeps {
        if other.metric != cost.metric && other.seconds <= left && allows(other) {
            all.seconds += other.seconds;
            all.memory_bytes = all.memory_bytes.max(other.memory_bytes);
        }
    }
    all
}

/// Bytes to ask for with `--memory`, in whole MiB or, beyond one GiB, in whole GiB.
fn asked_for(cost: &Cost) -> u128 {
    let bytes = (cost.memory_bytes as f64 * ROOM) as u128;
    let whole = |unit: u128| bytes.checked_next_multiple_of(unit).unwrap_or(u128::MAX);
    match whole(1 << 20) {
        few if few <= 1 << 30 => few,
        _ => whole(1 << 30),
    }
}

/// Whole seconds, or minutes where there are many, as budgets are written.
fn readable(seconds: f64) -> String {
    if seconds < 120.0 {
        format!("{seconds}s")
    } else {
        format!("{}m", (seconds / 60.0).ceil())
    }
}
