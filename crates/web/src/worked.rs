//! Answers that are worked out once and then kept. Most take less than the limit of one question.
//! The rest runs in the background, and the client retries.

use std::sync::Arc;
use std::time::Duration;

use greenwave_game::{At, Game, Variant};
use greenwave_tablebase::Tablebase;
use greenwave_values::Instant;
use tokio::sync::oneshot;

use crate::ahead::{
    Background, BackgroundTask, MOMENT, PendingWork, Wait, key_of, key_of_sweep, name_of_sweep,
};
use crate::answers::AnswerCache;
use crate::explorer::{Client, Demand, Explorer};
use crate::problem::Problem;

/// The part of a question's time that a sweep takes at most to be done by the question itself.
const SHARE: f64 = 0.5;

/// How long a question waits for work that takes long: a page shows what is known meanwhile.
const SOON: Duration = Duration::from_millis(400);

/// The part of a question's time that a page waits where it has something to show meanwhile.
const SHOWS_MEANWHILE: f64 = 0.3;

/// How long a question waits for an answer before the background makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Patience {
    /// As long as it may take.
    Whole,
    /// A part of that.
    Part,
    /// It takes longer than one question may where the values are not at hand: the background begins it at once.
    None,
}

/// How something is worked out.
type ComputationFn<T> = Arc<dyn Fn(&Tablebase) -> Result<T, Problem> + Send + Sync>;

/// Something that can be worked out.
pub(crate) struct Computation<T> {
    /// What it is, in a few words, such as `the statistics of classic-3x3`.
    pub(crate) name: String,
    /// The variants that it is about, in their order.
    pub(crate) variants: Vec<Arc<Variant>>,
    /// Whether the values of these variants are needed, so that they are better solved first.
    pub(crate) of_values: bool,
    /// How long the question waits for it.
    pub(crate) patience: Patience,
    /// What else tells it from others of its kind.
    pub(crate) options: String,
    /// Where it is kept.
    pub(crate) kept: fn(&Explorer) -> &AnswerCache<T>,
    pub(crate) make: ComputationFn<T>,
}

impl<T> Clone for Computation<T> {
    fn clone(&self) -> Computation<T> {
        Computation {
            name: self.name.clone(),
            variants: self.variants.clone(),
            of_values: self.of_values,
            patience: self.patience,
            options: self.options.clone(),
            kept: self.kept,
            make: Arc::clone(&self.make),
        }
    }
}

impl<T> Computation<T> {
    /// Answers are the same while rules, options and tables are.
    pub(crate) fn key(&self, explorer: &Explorer) -> String {
        let mut key = format!("{} {}", self.name, self.options);
        for variant in &self.variants {
            let rules = variant.rules();
            // Names and letters are in the answers.
            let letters = rules.lights_name().unwrap_or_default();
            key.push_str(&format!(" {} {letters} {}", rules.title(), rules.hash));
            if let Some(tables) = explorer.tables_of(std::slice::from_ref(variant)) {
                key.push_str(&format!(" {tables}"));
            }
        }
        key
    }
}

impl Explorer {
    /// A computed answer: the cached one, else one made within the limit of one question, else a
    /// request to retry while the background makes it.
    pub(crate) async fn worked_out<T: Send + Sync + 'static>(
        self: &Arc<Explorer>,
        work: Computation<T>,
        client: Client,
        budget: Duration,
    ) -> Result<Arc<T>, Problem> {
        let key = work.key(self);
        let kept = work.kept;
        if let Some(known) = kept(self).get(&key) {
            return Ok(known);
        }
        // Of several clients who ask the same, one has it made, and the others wait for that.
        let until = client.waits_until(budget);
        let turn = self.turn(&key, client, until).await?;
        let client = client.again();
        if let Some(known) = kept(self).get(&key) {
            return Ok(known);
        }
        if let Some(wait) = self.ahead.joined(&key) {
            drop(turn);
            let patience = match work.patience {
                Patience::Whole => self.settings.budget,
                Patience::Part => self.settings.budget.mul_f64(SHOWS_MEANWHILE),
                Patience::None => SOON,
            };
            self.wait_for(wait, client, patience).await?;
            if let Some(known) = kept(self).get(&key) {
                return Ok(known);
            }
            if let Some(known) = self.refusals.get(&key) {
                return Err((*known).clone());
            }
            return Err(PendingWork::planned(work.name).problem());
        }
        if turn.is_none() {
            // Another question is still at it.
            return Err(PendingWork::planned(work.name).problem());
        }
        if work.of_values {
            self.ready(&work.variants, client, budget).await?;
        }
        let tablebase = &self.settings.tablebase;
        let is_at_hand = |variant: &Arc<Variant>| tablebase.is_at_hand(variant);
        // A client with a lower limit than allowed wants no more.
        let is_patient = budget >= self.settings.budget;
        let is_long = work.patience == Patience::None
            && is_patient
            && !self.in_folder
            && !work.variants.iter().all(is_at_hand);
        let made = if is_long {
            Err(Problem::too_long(budget))
        } else {
            let make = Arc::clone(&work.make);
            let share = match work.patience {
                // In a folder nobody works meanwhile.
                Patience::Part if is_patient && !self.in_folder => SHOWS_MEANWHILE,
                Patience::Whole | Patience::Part | Patience::None => 1.0,
            };
            let demand = Demand::Job {
                time: budget.mul_f64(share),
            };
            self.work(client, demand, move |_, tablebase| make(tablebase))
                .await
        };
        match made {
            Ok(made) => Ok(kept(self).keep(&key, made)),
            Err(problem) if problem.is_too_long() && is_patient => {
                if let Some(known) = self.refusals.get(&key) {
                    return Err((*known).clone());
                }
                let task = self.later(&key, work);
                let Some(mut wait) = self.ahead.begin(&self.settings.tablebase, task) else {
                    return Err(problem);
                };
                if is_long && wait.is_for(&key) && wait.over(client.until(SOON)).await {
                    if let Some(known) = kept(self).get(&key) {
                        return Ok(known);
                    }
                    if let Some(known) = self.refusals.get(&key) {
                        return Err((*known).clone());
                    }
                }
                Err(wait.told(client).problem())
            }
            Err(problem) => Err(problem),
        }
    }

    /// Something to be worked out in the background. Why it cannot be is kept, too.
    fn later<T: Send + Sync + 'static>(
        self: &Arc<Explorer>,
        key: &str,
        work: Computation<T>,
    ) -> BackgroundTask {
        let (explorer, own) = (Arc::clone(self), key.to_string());
        let Computation {
            name, kept, make, ..
        } = work;
        BackgroundTask::working(key.into(), name, move |tablebase| match make(tablebase) {
            Ok(made) => {
                kept(&explorer).keep(&own, made);
                true
            }
            Err(problem) if problem.is_interruption() => false,
            Err(problem) => {
                // Others have the memory just now.
                if problem.retry_after().is_none() {
                    explorer.refusals.keep(&own, problem);
                }
                true
            }
        })
    }

    /// What was worked out before.
    pub(crate) fn worked_out_before<T>(&self, work: &Computation<T>) -> Option<Arc<T>> {
        (work.kept)(self).get(&work.key(self))
    }

    /// Works something out here and now, and keeps it.
    pub(crate) fn work_out<T>(
        &self,
        work: &Computation<T>,
        tablebase: &Tablebase,
    ) -> Result<Arc<T>, Problem> {
        let made = (work.make)(tablebase)?;
        Ok((work.kept)(self).keep(&work.key(self), made))
    }

    async fn wait_for(
        &self,
        mut wait: Wait,
        client: Client,
        patience: Duration,
    ) -> Result<(), Problem> {
        if wait.over(client.until(patience)).await {
            Ok(())
        } else {
            Err(wait.told(client).problem())
        }
    }
}

impl Explorer {
    /// Starts solves, so that values of some variants are at hand soon, and waits no longer than this for
    /// them. Gives the solve that still runs, if any.
    pub(crate) async fn soon(
        self: &Arc<Explorer>,
        variants: &[Arc<Variant>],
        client: Client,
        most: Duration,
    ) -> Option<PendingWork> {
        for variant in variants {
            if self.settings.tablebase.is_at_hand(variant) {
                continue;
            }
            let asked = Arc::clone(variant);
            let (key, name) = (key_of(variant), variant.rules().title().to_string());
            let begin = move |ahead: &Arc<Background>, tablebase: &Tablebase| {
                ahead.begin_solve(tablebase, &asked)
            };
            let coming = self.begun(key, name, (client, most), begin).await;
            if coming.is_some() {
                return coming;
            }
        }
        None
    }

    /// The same for a position of a game that is not solved: starts a sweep of what it can become, unless that is
    /// quick enough for a question of this much time.
    pub(crate) async fn swept_soon(
        self: &Arc<Explorer>,
        at: At,
        time: Duration,
        client: Client,
        most: Duration,
    ) -> Option<PendingWork> {
        let at_hand = self.settings.tablebase.is_at_hand(at.variant());
        if at_hand || (**at.variant()).ending(at.position()).is_some() {
            return None;
        }
        // Planning it takes as long as a short search: where many are planned, the question goes on without.
        let planning = Arc::clone(&self.plans).try_acquire_owned().ok()?;
        let (key, name) = (key_of_sweep(&at), name_of_sweep(&at));
        let begin = move |ahead: &Arc<Background>, tablebase: &Tablebase| {
            let begun = ahead.begin_sweep(tablebase, &at, SHARE * time.as_secs_f64());
            drop(planning);
            begun
        };
        self.begun(key, name, (client, most), begin).await
    }

    /// Starts work in the background, and waits for it no longer than the client does. Gives what still runs, if anything.
    async fn begun(
        self: &Arc<Explorer>,
        key: String,
        name: String,
        (client, most): (Client, Duration),
        begin: impl FnOnce(&Arc<Background>, &Tablebase) -> Option<Wait> + Send + 'static,
    ) -> Option<PendingWork> {
        if self.in_folder {
            // There is nobody who could work meanwhile: the question itself does.
            return None;
        }
        if self.ahead.is_refused(&key) {
            return None;
        }
        let patience = client.until((self.settings.budget / 2).min(most));
        // Of several questions that need it, one plans it.
        let Ok(Some(planning)) = self.turn(&key, client, patience).await else {
            return Some(PendingWork::planned(name));
        };
        let (explorer, own) = (Arc::clone(self), key.clone());
        let (tell, begun) = oneshot::channel();
        tokio::task::spawn_blocking(move || {
            let begun = begin(&explorer.ahead, &explorer.settings.tablebase);
            drop(planning);
            // A client that planning kept too long has been sent away, to ask again.
            match tell.send(begun) {
                Err(Some(wait)) => wait.comes_back(),
                // Where nothing starts, its next question gets an answer without a plan.
                Err(None) => explorer.ahead.refuse(own),
                Ok(()) => {}
            }
        });
        // Planning is work, too, and goes on without the one who asked.
        let left = patience.saturating_duration_since(Instant::now());
        let mut wait = match tokio::time::timeout(left, begun).await {
            Ok(Ok(Some(wait))) => wait,
            Ok(Ok(None) | Err(_)) => return None,
            Err(_) => return Some(PendingWork::planned(name)),
        };
        // It does not wait for work that will not end in that time.
        let soon = client.left_of(most).as_secs_f64();
        if wait.ends_soon(&key, soon) && wait.over(patience).await {
            return None;
        }
        Some(wait.told(client))
    }

    /// The same for a question that cannot do without the values.
    pub(crate) async fn ready(
        self: &Arc<Explorer>,
        variants: &[Arc<Variant>],
        client: Client,
        budget: Duration,
    ) -> Result<(), Problem> {
        match self.soon(variants, client, MOMENT.min(budget)).await {
            Some(coming) => Err(coming.problem()),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use greenwave_tablebase::Sum;
    use hyper::StatusCode;

    use super::*;
    use crate::ExplorerSettings;

    #[test]
    fn why_something_cannot_be_worked_out_is_told() {
        let budget = Duration::from_secs(2);
        let settings = ExplorerSettings {
            tablebase: Tablebase::open("no-such-folder").unwrap(),
            files: Vec::new(),
            budget,
            jobs: 1,
            base_url: None,
            trusted: Vec::new(),
            access_log: None,
            offline: None,
            version: String::new(),
        };
        let explorer = Arc::new(Explorer::new(settings, false));
        let work: Computation<Sum> = Computation {
            name: "something".into(),
            variants: vec![explorer.variant("classic-5x5").unwrap()],
            of_values: false,
            patience: Patience::None,
            options: String::new(),
            kept: |explorer| &explorer.sums,
            make: Arc::new(|_| Err(Problem::not_found("it is nowhere"))),
        };
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let patience = Instant::now() + Duration::from_secs(60);
        loop {
            let client = Client::now(Ipv4Addr::LOCALHOST.into(), true, budget);
            let asked = explorer.worked_out(work.clone(), client, budget);
            let problem = runtime.block_on(asked).err().unwrap();
            if problem.pending.is_none() {
                assert_eq!(problem.status, StatusCode::NOT_FOUND);
                break;
            }
            assert!(Instant::now() < patience, "{problem:?}");
        }
    }
}
