//! The report on a position and its game: the marks of its plies, the values of its positions, reasons.

use std::cell::OnceCell;
use std::sync::Arc;

use greenwave_game::{
    AnyPosition, Diagram, Figures, Game, Luck, Metric, Odds, Outcome, Turn, Variant,
};
use greenwave_picture::{MovePlace, place};
use greenwave_play::{
    Dice, Fact, FormerValue, HardestMoves, Hint, MoveMark, MoveOrbit, PositionSymmetries, Record,
    RefutationPly, essential, explain, hardest, review_of,
};
use greenwave_tablebase::{
    Answer, MoveFigures, Queries, SourceKind, Tablebase, Value, loses_by_theorem,
};

use crate::messages;
use crate::page::figures;
use crate::page::mini::MiniMoves;
use crate::page::reader::Reader;
use crate::page::settled::SettledBoard;
use crate::problem::Problem;
use crate::question::Question;
use crate::view::{View, is_forced_pass};

/// Longest game whose values are charted, in plies.
pub(super) const CHARTED: usize = 400;

/// How much lower the chart stands where a win is farthest off.
const FAR: f64 = 0.7;

/// The values that a page asks for: each position once, whatever part of the page needs it.
pub(super) struct PageValues<'a> {
    tablebase: &'a Tablebase,
    question: &'a Question,
    queries: OnceCell<Queries<'a>>,
}

impl<'a> PageValues<'a> {
    /// None asked for yet.
    pub(super) fn new(tablebase: &'a Tablebase, question: &'a Question) -> PageValues<'a> {
        PageValues {
            tablebase,
            question,
            queries: OnceCell::new(),
        }
    }

    /// Questions about the variant, prepared at the first one.
    fn queries(&self) -> Result<&Queries<'a>, Problem> {
        if let Some(queries) = self.queries.get() {
            return Ok(queries);
        }
        let question = self.question;
        let queries = self
            .tablebase
            .few_queries(&question.variant, &question.options())?;
        Ok(self.queries.get_or_init(|| queries))
    }

    /// Whether all positions are answered at once.
    pub(super) fn is_at_hand(&self) -> bool {
        self.tablebase.is_at_hand(&self.question.variant)
    }

    pub(super) fn of(&self, position: &AnyPosition) -> Result<Arc<Answer>, Problem> {
        Ok(self.queries()?.answer(position)?)
    }

    /// The moves of a lost position that are hardest to refute.
    pub(super) fn hardest(&self, answer: &Answer) -> Result<Option<HardestMoves>, Problem> {
        Ok(hardest(self.queries()?, answer)?)
    }

    /// A step of a hint in the position of an answer.
    pub(super) fn hint(&self, answer: &Answer, step: usize) -> Result<Hint, Problem> {
        Ok(Hint::at(self.queries()?, answer, step)?)
    }
}

/// A move and what is true about it.
#[derive(Clone, Debug)]
pub(crate) struct MoveReasons {
    pub(crate) mv: MoveFigures,
    pub(crate) facts: Vec<Fact>,
    /// Moves that fail, each with its refutation.
    pub(crate) lost: Option<LostMoves>,
    /// Where the safe moves of best play are counted.
    pub(crate) settled: Option<SettledBoard>,
}

/// Moves that fail.
#[derive(Clone, Debug)]
pub(crate) struct LostMoves {
    pub(crate) which: WhichMoves,
    /// The first of them.
    pub(crate) shown: Vec<RefutedMove>,
    /// The others.
    pub(crate) more: Vec<String>,
}

/// Which moves fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WhichMoves {
    /// All of the position.
    All,
    /// All of the opponent, after the move that is explained.
    Replies,
    /// Those that lose at once, before more is known, with the number of all moves.
    AtOnce { of: usize },
    /// All but the move that solves a puzzle.
    Others,
}

impl LostMoves {
    /// Number of moves.
    pub(super) fn len(&self) -> usize {
        let shown = self.shown.iter().map(|one| 1 + one.made.images.len());
        shown.sum::<usize>() + self.more.len()
    }
}

/// A move that fails, the reply that refutes it, and the board after both.
#[derive(Clone, Debug)]
pub(crate) struct RefutedMove {
    /// The move, and its images under the symmetries of the position.
    pub(crate) made: MoveOrbit,
    pub(crate) reply: String,
    pub(crate) diagram: Diagram,
    pub(crate) moves: MiniMoves,
}

impl MoveReasons {
    /// The facts that the page tells. A nimber stands among the details of the position.
    pub(super) fn told(&self) -> impl Iterator<Item = &Fact> {
        essential(&self.facts)
    }

    /// The fact that the board shows: the shortest line, else the first fact.
    pub(super) fn shown(&self) -> Option<&Fact> {
        let with_moves = self.facts.iter().filter(|fact| !fact.line().is_empty());
        let shortest = with_moves.min_by_key(|fact| fact.line().len());
        shortest.or(self.facts.first())
    }

    /// How play goes on after the move, as far as it is known.
    pub(super) fn line(&self) -> Vec<RefutationPly> {
        // A strip that goes to and fro goes nowhere else.
        let back = |fact: &&Fact| matches!(fact, Fact::SlidesBack { .. });
        if let Some(back) = self.facts.iter().find(back) {
            return back.plies();
        }
        let lines = self.facts.iter().map(Fact::plies);
        lines.max_by_key(Vec::len).unwrap_or_default()
    }
}

/// The reasons of the requested move, or of the best one.
pub(super) fn why(
    values: &PageValues<'_>,
    asked: Option<&str>,
    answer: &Answer,
) -> Result<Option<MoveReasons>, Problem> {
    let asked = match asked {
        None => proved(&values.question.variant, answer).or(answer.moves.first()),
        Some(asked) => {
            let named = |mv: &&MoveFigures| mv.mv == asked;
            let found = answer.moves.iter().find(named);
            Some(found.ok_or_else(|| {
                let example = answer.moves.first().map_or("a1R", |mv| mv.mv.as_str());
                Problem::wrong("why", messages::found_move(asked, example))
            })?)
        }
    };
    let Some(mv) = asked else { return Ok(None) };
    let at_hand = values.tablebase.is_at_hand(&values.question.variant);
    let facts = explain(values.queries()?, at_hand, answer, mv)?;
    Ok(Some(MoveReasons {
        settled: SettledBoard::of(&values.question.variant, answer, mv, &facts),
        facts,
        mv: mv.clone(),
        lost: None,
    }))
}

/// Most refutations that a page shows as boards.
const BOARDS: usize = 6;

/// The moves that all lose where a move is explained: of the position, if it is lost, or the replies to a move after
/// which the next one wins.
pub(super) fn lost_moves(
    values: &PageValues<'_>,
    answer: &Answer,
    mv: &MoveFigures,
) -> Result<Option<LostMoves>, Problem> {
    let variant = &values.question.variant;
    let properties = &variant.rules().properties;
    let alternates = properties.turn == Turn::Alternates && properties.luck == Luck::None;
    if !alternates {
        return Ok(None);
    }
    if !values.tablebase.is_at_hand(variant) {
        let is_won = answer.moves.iter().any(|mv| mv.value == Some(Value::Win));
        return Ok((!is_won).then(|| lost_at_once(variant, answer)));
    }
    if mv.points.is_some() || mv.odds.is_some() {
        return Ok(None);
    }
    let replies = match (mv.value, mv.distance, &mv.after) {
        (Some(Value::Win), Some(3), Some(after)) => Some(values.of(after)?),
        (_, _, _) => None,
    };
    let lost = replies.as_deref().unwrap_or(answer);
    if lost.value != Value::Loss || lost.terminal {
        return Ok(None);
    }
    let which = if replies.is_some() {
        WhichMoves::Replies
    } else {
        WhichMoves::All
    };
    all_refuted(values, which, lost, lost.moves.iter()).map(Some)
}

/// The moves of a puzzle beside the one that solves it, where that alone does.
pub(super) fn other_moves(
    values: &PageValues<'_>,
    answer: &Answer,
    key: &str,
) -> Result<Option<LostMoves>, Problem> {
    let worth = answer.moves.first().map(|best| best.value);
    let keeping = answer.moves.iter().filter(|mv| Some(mv.value) == worth);
    let is_alone = keeping.map(|mv| mv.mv.as_str()).eq([key]);
    if !is_alone || !values.tablebase.is_at_hand(&values.question.variant) {
        return Ok(None);
    }
    let others = answer.moves.iter().filter(|mv| mv.mv != key);
    all_refuted(values, WhichMoves::Others, answer, others).map(Some)
}

/// Moves of a position, those that end the game apart, with the best reply to each.
fn all_refuted<'m>(
    values: &PageValues<'_>,
    which: WhichMoves,
    from: &Answer,
    moves: impl Iterator<Item = &'m MoveFigures>,
) -> Result<LostMoves, Problem> {
    let variant = &values.question.variant;
    let going_on = moves.filter(|mv| !mv.ends);
    let mut shown = Vec::new();
    let mut more = Vec::new();
    for (made, mv) in up_to_symmetry(variant, from, going_on.collect()) {
        let refuted = if shown.len() < BOARDS {
            refuted(values, from, &made, mv)?
        } else {
            None
        };
        match refuted {
            Some(refuted) => shown.push(refuted),
            None => more.extend(std::iter::once(made.mv).chain(made.images)),
        }
    }
    Ok(LostMoves { which, shown, more })
}

/// Moves of a position as far as they differ, each with its images.
fn up_to_symmetry<'m>(
    variant: &Variant,
    from: &Answer,
    moves: Vec<&'m MoveFigures>,
) -> Vec<(MoveOrbit, &'m MoveFigures)> {
    let ends = moves.iter().map(|mv| (mv.mv.as_str(), mv.after));
    let orbits = PositionSymmetries::of(variant, &from.at).orbits(variant, ends);
    let of = |made: MoveOrbit| {
        let mv = moves.iter().find(|mv| mv.mv == made.mv)?;
        Some((made, *mv))
    };
    orbits.into_iter().filter_map(of).collect()
}

/// The moves after which the next one wins: the rules show them before anything is solved.
fn lost_at_once(variant: &Variant, answer: &Answer) -> LostMoves {
    let going_on = answer.moves.iter().filter(|mv| !mv.ends);
    let orbits = up_to_symmetry(variant, answer, going_on.collect());
    let refuted = orbits.into_iter().filter_map(|(made, mv)| {
        let after = mv.after?;
        let mut replies = Vec::new();
        variant.moves(&after, &mut replies);
        replies.into_iter().find_map(|reply| {
            let end = variant.play(&after, reply).to;
            let wins = variant.ending(&end)?.outcome == Outcome::Loss;
            let reply = variant.move_text(&after, reply);
            wins.then(|| RefutedMove::of(variant, &answer.at, (&made, mv), &reply, &end))
        })
    });
    let mut shown: Vec<RefutedMove> = refuted.collect();
    // Where a line loses, the moves that complete one lose at once, too.
    let lost = |mv: &&MoveFigures| mv.ends && mv.value == Some(Value::Loss);
    let rest = shown.split_off(BOARDS.min(shown.len()));
    let ended = answer.moves.iter().filter(lost).map(|mv| mv.mv.clone());
    LostMoves {
        which: WhichMoves::AtOnce {
            of: answer.moves.len(),
        },
        more: rest
            .into_iter()
            .flat_map(|one| std::iter::once(one.made.mv).chain(one.made.images))
            .chain(ended)
            .collect(),
        shown,
    }
}

impl RefutedMove {
    /// A move, the reply to it, and the position after both.
    fn of(
        variant: &Variant,
        from: &AnyPosition,
        (made, mv): (&MoveOrbit, &MoveFigures),
        reply: &str,
        end: &AnyPosition,
    ) -> RefutedMove {
        let square = |at: &AnyPosition, mv: &str| match place(&variant.diagram(at), mv) {
            MovePlace::Square(at) | MovePlace::Step(_, at) => Some(at),
            MovePlace::Elsewhere => None,
        };
        let stood = mv.after.map(|after| variant.completed_lines(&after));
        let stood = stood.unwrap_or_default();
        let mut lines = variant.completed_lines(end);
        // Where several lines win, older ones stand there, too.
        lines.retain(|line| !stood.contains(line));
        RefutedMove {
            made: made.clone(),
            reply: reply.to_string(),
            moves: MiniMoves {
                made: square(from, &mv.mv),
                reply: mv.after.and_then(|after| square(&after, reply)),
                lines,
                safe: Vec::new(),
            },
            diagram: variant.diagram(end),
        }
    }
}

/// A move that does not end the game, with the best reply to it; `None` where chance draws before that.
fn refuted(
    values: &PageValues<'_>,
    from: &Answer,
    made: &MoveOrbit,
    mv: &MoveFigures,
) -> Result<Option<RefutedMove>, Problem> {
    let variant = &values.question.variant;
    let Some(after) = &mv.after else {
        return Ok(None);
    };
    let played = variant.parse_move(&from.at, &mv.mv);
    // Where a turn has several steps, a reply is one of the opponent.
    if played.is_ok_and(|played| variant.play(&from.at, played).keeps_turn) {
        return Ok(None);
    }
    let replies = values.of(after)?;
    let best = replies.moves.first();
    let best = best.filter(|best| !is_forced_pass(variant, after, &best.mv));
    let Some((best, end)) = best.and_then(|best| Some((best, best.after?))) else {
        return Ok(None);
    };
    let mut refuted = RefutedMove::of(variant, &from.at, (made, mv), &best.mv, &end);
    if !best.ends {
        refuted.moves.lines.clear();
    }
    Ok(Some(refuted))
}

/// Of the moves that are as good as the first, the one that a theorem explains.
fn proved<'a>(variant: &Variant, answer: &'a Answer) -> Option<&'a MoveFigures> {
    let best = answer.moves.first().map(MoveFigures::figures)?;
    let mut equal = answer.moves.iter();
    equal.find(|mv| {
        let wins = mv.value == Some(Value::Win) && figures::tie(&mv.figures(), &best);
        wins && mv
            .after
            .is_some_and(|after| loses_by_theorem(variant, &after).is_some())
    })
}

/// Whether the page shows the values of the game: to readers who want hints, and at the end of a
/// game that is played.
pub(super) fn tells(
    tablebase: &Tablebase,
    question: &Question,
    reader: &Reader,
    view: &View,
) -> bool {
    if reader.held {
        return false;
    }
    let playing = reader.play.is_some() || reader.watch;
    let told = reader.hints || (playing && (view.ending.is_some() || reader.resigned));
    told && tablebase.is_at_hand(&question.variant)
}

/// A ply of the game as it is judged.
#[derive(Clone, Debug)]
pub(crate) struct JudgedPly {
    pub(crate) mark: MoveMark,
    /// What the player had before it, where it was a mistake.
    pub(crate) lost: Option<FormerValue>,
    /// What the player could expect after it, where chance takes part.
    pub(crate) expectation: Option<f64>,
    /// The best move in its place.
    pub(crate) best: Option<String>,
    /// Plies to the end after that one, itself counted.
    pub(crate) best_in: Option<u32>,
    /// By how many plies that one would have held out longer, where both lose.
    pub(crate) longer: Option<u32>,
    /// By how many plies that one would have won sooner, where both win.
    pub(crate) slower: Option<u32>,
    /// The odds after it and after the best move, where it was a mistake, chance takes part and no points count.
    pub(crate) odds: Option<[Odds; 2]>,
    /// What refutes it, where it was a mistake or loses sooner; how the best move wins, where it wins later or the best
    /// would have won at once.
    pub(crate) why: Option<MoveReasons>,
}

/// By how many plies at least a win is longer or a loss shorter than it had to be, where that is a slip.
const SLIP: u32 = 6;

/// What a player did wrong with a ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PlyFault {
    /// The value got worse.
    Mistake,
    /// The value stayed, but the win comes far later, or the loss far sooner, than it had to.
    Slip,
}

impl PlyFault {
    /// How the fault is marked in records and on the board.
    pub(crate) fn sign(self) -> &'static str {
        match self {
            PlyFault::Mistake => "??",
            PlyFault::Slip => "?!",
        }
    }

    /// The class of its mark.
    pub(crate) fn class(self) -> &'static str {
        match self {
            PlyFault::Mistake => "mistake",
            PlyFault::Slip => "inexact",
        }
    }
}

impl JudgedPly {
    /// What was wrong with the ply.
    pub(crate) fn fault(&self) -> Option<PlyFault> {
        let is_slip = self
            .slower
            .or(self.longer)
            .is_some_and(|plies| plies >= SLIP);
        match self.mark {
            MoveMark::Mistake => Some(PlyFault::Mistake),
            MoveMark::Best
            | MoveMark::Good
            | MoveMark::Only
            | MoveMark::Forced
            | MoveMark::Unknown => is_slip.then_some(PlyFault::Slip),
        }
    }
}

/// The marks of the plies of the game, where the page shows them; draws of chance get none.
pub(super) fn marks(
    values: &PageValues<'_>,
    reader: &Reader,
    view: &View,
) -> Result<Vec<Option<JudgedPly>>, Problem> {
    let (tablebase, question) = (values.tablebase, values.question);
    let is_judged = (reader.puzzle.is_some() || reader.at_mistake) && !reader.held;
    let wanted = tells(tablebase, question, reader, view)
        || (is_judged && tablebase.is_at_hand(&question.variant));
    if !wanted || view.plies.is_empty() || view.plies.len() > CHARTED {
        return Ok(Vec::new());
    }
    let record = Record::of(&question.course, false, &mut Dice::new(0, 0));
    let found = review_of(values.queries()?, &record)?;
    let scores = question.variant.rules().properties.scores;
    let mut moves = found.plies.iter();
    let mut judged = Vec::with_capacity(view.plies.len());
    for ply in &view.plies {
        let ply = if ply.is_draw { None } else { moves.next() };
        let Some(ply) = ply else {
            judged.push(None);
            continue;
        };
        let before = values.of(&ply.at)?;
        let best_in = before.distance;
        let is_kept = |value: Value| ply.value == value && ply.mark == MoveMark::Good;
        let mut judged_ply = JudgedPly {
            mark: ply.mark,
            lost: ply.lost,
            expectation: ply.expectation,
            best: ply.best.first().cloned(),
            best_in,
            longer: match (best_in, ply.distance) {
                (Some(best), Some(made)) if is_kept(Value::Loss) => best.checked_sub(made),
                (_, _) => None,
            },
            slower: match (best_in, ply.distance) {
                (Some(best), Some(made)) if is_kept(Value::Win) => made.checked_sub(best),
                (_, _) => None,
            },
            odds: None,
            why: None,
        };
        let odds_of = |mv: &str| before.moves.iter().find(|one| one.mv == mv)?.odds;
        if judged_ply.mark == MoveMark::Mistake && !scores {
            let best = judged_ply.best.as_deref().and_then(odds_of);
            judged_ply.odds = odds_of(&ply.mv).zip(best).map(<[Odds; 2]>::from);
        }
        let wins_now = best_in == Some(1) && before.value == Value::Win;
        // The odds say what a move costs.
        let fault = judged_ply.fault().filter(|_| judged_ply.odds.is_none());
        let explained = fault.map(|fault| match fault {
            PlyFault::Mistake if !wins_now => Some(ply.mv.as_str()),
            // A loss came so soon because of the move made; a win would have come sooner by the best one.
            PlyFault::Slip if judged_ply.longer.is_some() => Some(ply.mv.as_str()),
            PlyFault::Mistake | PlyFault::Slip => ply.best.first().map(String::as_str),
        });
        if let Some(explained) = explained {
            judged_ply.why = why(values, explained, &before)?;
        }
        judged.push(Some(judged_ply));
    }
    Ok(judged)
}

/// The values of the positions after each draw of chance; empty where a search would have to find each.
pub(super) fn after_draws(
    values: &PageValues<'_>,
    view: &View,
) -> Result<Vec<Option<Figures>>, Problem> {
    let mut known = Vec::with_capacity(view.choices.len());
    for choice in &view.choices {
        let answer = choice.drawn.as_ref().map(|at| values.of(at)).transpose()?;
        if answer.as_deref().is_some_and(|answer| !is_solved(answer)) {
            return Ok(Vec::new());
        }
        known.push(answer.map(|answer| answer.figures()));
    }
    Ok(known)
}

/// Whether the whole game is solved, so that other positions of it are answered as quickly.
fn is_solved(answer: &Answer) -> bool {
    match answer.source.kind {
        SourceKind::Table | SourceKind::Solved => true,
        SourceKind::Swept | SourceKind::Searched | SourceKind::Published | SourceKind::Proved => {
            false
        }
    }
}

/// What is known of a position of the game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChartPoint {
    /// From −1 (the player who began loses) to 1 (that player wins).
    pub(crate) value: f64,
    /// The same, less where the end is farther off.
    pub(crate) height: f64,
    /// What the position is worth to the player to move, and whether that is the player who began.
    pub(crate) figures: Figures,
    pub(crate) first_to_move: bool,
}

/// The values of all positions of the game for the player who began it.
pub(super) fn points(
    values: &PageValues<'_>,
    view: &View,
) -> Result<Vec<Option<ChartPoint>>, Problem> {
    let scored = values.question.variant.rules().default_metric == Metric::Points;
    let passed = view.passed.iter();
    let answers = passed.map(|passed| passed.at.as_ref().map(|at| values.of(at)).transpose());
    let answers: Vec<Option<Arc<Answer>>> = answers.collect::<Result<_, Problem>>()?;
    let scale = answers
        .iter()
        .flatten()
        .filter_map(|answer| answer.points)
        .map(|points| f64::from(points.abs()))
        .fold(1.0, f64::max);
    let farthest = answers
        .iter()
        .flatten()
        .filter_map(|answer| answer.distance)
        .fold(1, u32::max);
    let known = answers.iter().zip(&view.passed).map(|(answer, passed)| {
        let answer = answer.as_deref()?;
        let value = figures::on_scale(answer, if scored { scale } else { 1.0 })?;
        let value = if passed.first_to_move { value } else { -value };
        // A position near its end has a stronger colour.
        let near = match answer.distance.filter(|_| !scored) {
            Some(plies) => 1.0 - FAR * f64::from(plies) / f64::from(farthest),
            None => 1.0,
        };
        Some(ChartPoint {
            value,
            height: value * near,
            figures: answer.figures(),
            first_to_move: passed.first_to_move,
        })
    });
    Ok(known.collect())
}
