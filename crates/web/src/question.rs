//! Which position a request is about.

use std::sync::Arc;
use std::time::Duration;

use greenwave_game::{At, Game, Lights, Message, Variant};
use greenwave_play::{Dice, Record};
use greenwave_tablebase::{Budget, Course, Error, Place, QueryOptions, Tablebase};

use crate::ahead::PendingWork;
use crate::explorer::{Client, Demand, Explorer};
use crate::params::{Params, usable};
use crate::problem::Problem;

/// A variant, a position, and moves from there.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    /// The name of the variant as it was requested.
    pub(crate) name: String,
    pub(crate) variant: Arc<Variant>,
    pub(crate) position: Option<String>,
    pub(crate) moves: Option<String>,
    /// The game: read from both once.
    pub(crate) course: Arc<Course>,
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
        let budget = budget(params.get("budget"), explorer.settings.budget)?;
        // Of two readings of a text the one that can be used.
        let meant = |moves| usize::from(variant.has_blanks(moves));
        let read = |readings: [String; 2]| {
            let of = |place: usize| Course::read(&variant, &Place::at(&readings[place]));
            let (place, course) = usable(meant(false), |place| {
                of(place).map(|course| (place, course))
            })?;
            Ok::<_, Error>((Some(readings[place].clone()), course))
        };
        let (position, begun) = match params.either("position") {
            Some(readings) => read(readings)?,
            None => (None, Course::read(&variant, &Place::start())?),
        };
        let play = |readings: [String; 2]| {
            let of = |place: usize| begun.then(&readings[place]);
            let (place, course) =
                usable(meant(true), |place| of(place).map(|course| (place, course)))?;
            Ok::<_, Error>((Some(readings[place].clone()), course))
        };
        let played = params.either("moves").map(play).transpose()?;
        let (moves, course) = played.unwrap_or((None, begun));
        Ok(Question {
            name: name.trim().to_string(),
            variant,
            position,
            moves,
            course: Arc::new(course),
            budget,
        })
    }

    /// The question about the start of a game, in the order of the lights that a reader asks for.
    pub(crate) fn of_game(
        explorer: &Explorer,
        name: &str,
        lights: Option<Lights>,
    ) -> Result<Question, Problem> {
        let variant = explorer.variant_for(name, lights)?;
        let course = Course::read(&variant, &Place::start())?;
        Ok(Question {
            name: name.to_string(),
            variant,
            position: None,
            moves: None,
            course: Arc::new(course),
            budget: Budget::Time(explorer.settings.budget),
        })
    }

    /// The position asked about.
    pub(crate) fn at(&self) -> At {
        self.course.last()
    }

    /// The game with its result; the dice make the draws that are still due.
    pub(crate) fn record(&self, dice: &mut Dice) -> Record {
        Record::of(&self.course, self.position.is_some(), dice)
    }

    pub(crate) fn options(&self) -> QueryOptions {
        QueryOptions::within(Some(self.budget))
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

    /// The same question where the answer is put together of this many.
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

    /// The cost of finding the value of a position: a look where a table or a solution is at hand,
    /// else a search.
    pub(crate) fn demand(&self, tablebase: &Tablebase) -> Demand {
        if tablebase.is_at_hand(&self.variant) {
            Demand::Nothing
        } else {
            Demand::Search
        }
    }

    /// The same question with the time that is left since the request.
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

/// A question with the time that it may take while what answers it better is on its way.
pub(crate) struct Interim {
    pub(crate) question: Question,
    pub(crate) coming: Option<PendingWork>,
}

impl Interim {
    /// Answers it with the time that is left since the request.
    pub(crate) async fn answer<T, W>(
        self,
        explorer: &Arc<Explorer>,
        client: Client,
        answer: W,
    ) -> Result<T, Problem>
    where
        T: Send + 'static,
        W: FnOnce(&Explorer, &Tablebase, Question, Option<&PendingWork>) -> Result<T, Problem>
            + Send
            + 'static,
    {
        let Interim { question, coming } = self;
        let unanswered = unless_coming(coming.clone());
        let demand = question.demand(&explorer.settings.tablebase);
        explorer
            .work(client, demand, move |explorer, tablebase| {
                answer(explorer, tablebase, question.begun(client), coming.as_ref())
            })
            .await
            .map_err(unanswered)
    }
}

impl Interim {
    /// The same for a question about its one position: what was found of that before takes no more than a look.
    pub(crate) async fn answer_there<T, W>(
        self,
        explorer: &Arc<Explorer>,
        client: Client,
        answer: W,
    ) -> Result<T, Problem>
    where
        T: Send + 'static,
        W: FnOnce(&Explorer, &Tablebase, Question, Option<&PendingWork>) -> Result<T, Problem>
            + Send
            + 'static,
    {
        let Interim { question, coming } = &self;
        let tablebase = &explorer.settings.tablebase;
        let is_found = question.demand(tablebase) != Demand::Nothing
            && tablebase.is_found(&question.at(), &question.options());
        if !is_found {
            return self.answer(explorer, client, answer).await;
        }
        let (question, coming) = (question.clone().hurried(Duration::ZERO), coming.clone());
        explorer
            .work(client, Demand::Nothing, move |explorer, tablebase| {
                answer(explorer, tablebase, question, coming.as_ref())
            })
            .await
    }
}

/// Why a question is not answered: where there was no time for a search, what is on its way answers it.
fn unless_coming(coming: Option<PendingWork>) -> impl FnOnce(Problem) -> Problem {
    move |problem| match coming {
        Some(coming) if problem.is_too_long() => coming.problem(),
        _ => problem,
    }
}

/// A question that a search may answer; where its variant is being solved, the search takes less. It waits no longer
/// than this for the solve.
pub(crate) async fn hurried(
    explorer: &Arc<Explorer>,
    question: Question,
    client: Client,
    most: Duration,
) -> Interim {
    let variants = std::slice::from_ref(&question.variant);
    // Who allows less time waits for no longer.
    let most = most.min(question.time(explorer));
    let coming = explorer.soon(variants, client, most).await;
    let question = match &coming {
        Some(coming) => question.hurried(coming.patience),
        None => question,
    };
    Interim { question, coming }
}

/// The same for a question about one position: what that can become may be swept instead.
pub(crate) async fn hurried_there(
    explorer: &Arc<Explorer>,
    question: Question,
    client: Client,
    most: Duration,
) -> Interim {
    let tablebase = &explorer.settings.tablebase;
    if tablebase.is_at_hand(&question.variant) || tablebase.is_settled(&question.at()) {
        return Interim {
            question,
            coming: None,
        };
    }
    let mut interim = hurried(explorer, question, client, most).await;
    let at = interim.question.at();
    if interim.coming.is_none() {
        let time = interim.question.time(explorer);
        // What a question did not settle in its time, it does not settle in the next one either.
        let own = if tablebase.is_found(&at, &interim.question.options()) {
            Duration::ZERO
        } else {
            time
        };
        interim.coming = explorer.swept_soon(at, own, client, most.min(time)).await;
        if interim.coming.is_some() {
            // What is being swept is not swept once more meanwhile.
            interim.question = interim.question.hurried(time / 4);
        }
    }
    interim
}

/// The first moves of a game from its start, as an example of how its moves are written.
pub(crate) fn example_moves(variant: &Variant, between: &str) -> String {
    let (mut moves, mut draws) = (Vec::new(), Vec::new());
    let mut at = variant.start();
    let mut texts = Vec::new();
    for _ in 0..EXAMPLE_PLIES {
        variant.draws(&at, &mut draws);
        variant.moves(&at, &mut moves);
        if let Some((drawn, _)) = draws.first() {
            texts.push(format!("[{}]", variant.draw_text(drawn)));
            at = *drawn;
        } else if let Some(mv) = moves.first() {
            texts.push(variant.move_text(&at, *mv));
            at = variant.play(&at, *mv).to;
        }
    }
    texts.join(between)
}

/// How many plies an example has.
const EXAMPLE_PLIES: usize = 2;

/// The least time of a search, however late it begins.
const LEAST: Duration = Duration::from_millis(50);

/// The limit of a question: no more than the server allows.
pub(crate) fn budget(asked: Option<&str>, most: Duration) -> Result<Budget, Problem> {
    let Some(text) = asked.filter(|text| !text.is_empty()) else {
        return Ok(Budget::Time(most));
    };
    let asked: Result<Budget, Message> = text.parse();
    let asked = asked.map_err(|problem| Problem::wrong("budget", problem))?;
    Ok(match asked {
        Budget::Time(time) => Budget::Time(time.min(most)),
        Budget::Nodes(nodes) => Budget::Nodes(nodes),
    })
}

/// What a client should know whose question had less time than it asked for.
pub(crate) fn budget_remark(params: &Params, most: Duration) -> Option<String> {
    let asked = params.get("budget")?;
    match asked.parse() {
        Ok(Budget::Time(time)) if time > most => Some(format!(
            "budget: found {asked}, computed {most:?} at most, which is all that this server allows"
        )),
        Ok(Budget::Time(_) | Budget::Nodes(_)) | Err(_) => None,
    }
}

/// The time that a question may take that knows no positions.
pub(crate) fn time_of(params: &Params, explorer: &Explorer) -> Result<Duration, Problem> {
    let most = explorer.settings.budget;
    Ok(match budget(params.get("budget"), most)? {
        Budget::Time(time) => time,
        Budget::Nodes(_) => most,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_on_its_way_answers_a_question_without_time() {
        let late = || Problem::too_long(Duration::from_secs(2));
        let coming = Some(PendingWork::planned("a game".into()));
        assert!(unless_coming(coming.clone())(late()).pending.is_some());
        assert!(unless_coming(None)(late()).pending.is_none());
        let wrong = unless_coming(coming)(Problem::input("wrong"));
        assert!(wrong.pending.is_none());
    }
}
