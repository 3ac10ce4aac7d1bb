//! The state that all requests share: the tablebase, the rule files on offer, and the limits of
//! computing.

use std::collections::{HashMap, HashSet};
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use greenwave_game::{Lights, RuleFile, Rules, Variant};
use greenwave_judge::claims::ClaimResult;
use greenwave_judge::documents::ComparedVariant;
use greenwave_play::{Puzzles, can_have_puzzles};
use greenwave_tablebase::{Error, Stats, Sum, Tablebase, built_in_variant};
use greenwave_values::{Instant, Progress, Unit};
use hyper::StatusCode;
use tokio::sync::Semaphore;

pub(crate) use crate::client::{Client, Demand};

use crate::ahead::Background;
use crate::answers::{AnswerCache, FoundPositions, KeptBook};
use crate::design_result::DesignResult;
use crate::jobs::Jobs;
use crate::lock::locked;
use crate::own_rules;
use crate::params::Params;
use crate::problem::Problem;
use crate::proxies::{BaseUrl, Proxy};
use crate::room::Room;
use crate::turns::{QueuePlace, Turns};

/// What is served, and how.
#[derive(Clone, Debug)]
pub struct ExplorerSettings {
    /// Where answers come from.
    pub tablebase: Tablebase,
    /// Rule files that are offered beside the built-in variants.
    pub files: Vec<RuleFile>,
    /// Time that one request may take to compute.
    pub budget: Duration,
    /// Requests that may compute at once; answers from tables and cached solutions are free.
    pub jobs: usize,
    /// Address under which a proxy shows the explorer; addresses on pages begin with its path.
    pub base_url: Option<BaseUrl>,
    /// Proxies whose word is taken about who asks.
    pub trusted: Vec<Proxy>,
    /// File to which a line is appended for each request.
    pub access_log: Option<PathBuf>,
    /// Folder of the explorer as files, which readers can keep for when there is no network.
    pub offline: Option<PathBuf>,
    /// Version of the program.
    pub version: String,
}

/// Books that are kept; each has its memory reserved.
const BOOKS: usize = 16;
/// Lists of positions that are kept: programs may ask for long ones.
const FOUND: usize = 2;
/// Longest time between the end of a limit and the end of its work.
const ENDING: Duration = Duration::from_millis(500);

/// What all requests share.
pub(crate) struct Explorer {
    pub(crate) settings: ExplorerSettings,
    /// Whether the pages are a folder of files. Then addresses stand behind a `#`, and the page
    /// itself answers questions, one at a time; a server gives them threads of their own.
    pub(crate) in_folder: bool,
    pub(crate) room: Room,
    /// What stands before all addresses on pages: nothing, a path `/like/this`, or `#`.
    pub(crate) base: String,
    /// How the file of a table begins in a document; nothing where the folder's name is no text.
    in_document: String,
    files: HashMap<String, Arc<RuleFile>>,
    variants: Mutex<HashMap<String, Arc<Variant>>>,
    jobs: Arc<Jobs>,
    /// Plain cards are drawn beside the jobs, one at a time.
    plain_cards: Arc<Jobs>,
    turns: Arc<Turns>,
    /// Plans for the background that may be made at once: as many as there are jobs.
    pub(crate) plans: Arc<Semaphore>,
    stopping: Arc<AtomicBool>,
    /// Faults of files that the operator has been told.
    told: Mutex<HashSet<String>>,
    /// When somebody asked last.
    #[cfg(not(target_family = "wasm"))]
    asked: Mutex<Instant>,
    pub(crate) ahead: Arc<Background>,
    pub(crate) stats: AnswerCache<Stats>,
    pub(crate) compared: AnswerCache<ComparedVariant>,
    pub(crate) puzzles: AnswerCache<Puzzles>,
    pub(crate) books: AnswerCache<KeptBook>,
    pub(crate) found: AnswerCache<FoundPositions>,
    pub(crate) settled: AnswerCache<ClaimResult>,
    pub(crate) sums: AnswerCache<Sum>,
    /// Documents that only programs ask for, as texts.
    pub(crate) documents: AnswerCache<String>,
    pub(crate) designed: AnswerCache<DesignResult>,
    /// Why something cannot be worked out here.
    pub(crate) refusals: AnswerCache<Problem>,
    /// What the memory does for, of each game.
    pub(crate) reach: AnswerCache<Reach>,
    /// What previews say of games.
    pub(crate) descriptions: AnswerCache<String>,
    /// Pages that follow from tables alone.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) pages: AnswerCache<crate::server::PageCopy>,
    /// Cards as PNG.
    #[cfg_attr(
        target_family = "wasm",
        expect(dead_code, reason = "cards are sent by the server alone")
    )]
    pub(crate) cards: AnswerCache<hyper::body::Bytes>,
}

/// What of a game the memory does for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reach {
    pub(crate) has_puzzles: bool,
    pub(crate) has_counts: bool,
}

impl Explorer {
    pub(crate) fn new(mut settings: ExplorerSettings, in_folder: bool) -> Explorer {
        settings.files = addressed(settings.files);
        let base = settings.base_url.as_ref().map_or("", BaseUrl::path);
        let files = settings.files.iter().map(|file| {
            let address = file.variant.rules().title().to_string();
            (address, Arc::new(file.clone()))
        });
        let room = Room::of(settings.tablebase.memory());
        let folder = serde_json::to_string(&settings.tablebase.dir().join(""));
        let in_document = folder.map_or_else(
            |_| String::new(),
            |folder| format!("\"file\":{}", folder.trim_end_matches('"')),
        );
        Explorer {
            room,
            in_document,
            in_folder,
            base: if in_folder {
                "#".into()
            } else {
                base.to_string()
            },
            files: files.collect(),
            variants: Mutex::default(),
            jobs: Arc::new(Jobs::of(settings.jobs)),
            plain_cards: Arc::new(Jobs::of(1)),
            turns: Arc::default(),
            plans: Arc::new(Semaphore::new(settings.jobs)),
            stopping: Arc::default(),
            told: Mutex::default(),
            #[cfg(not(target_family = "wasm"))]
            asked: Mutex::new(Instant::now()),
            ahead: Arc::default(),
            reach: AnswerCache::of(room.answers),
            stats: AnswerCache::of(room.answers),
            compared: AnswerCache::of(room.answers),
            puzzles: AnswerCache::of(room.answers),
            books: AnswerCache::of(BOOKS),
            found: AnswerCache::of(FOUND),
            settled: AnswerCache::of(room.answers),
            sums: AnswerCache::of(room.answers),
            documents: AnswerCache::of(room.answers),
            designed: AnswerCache::of(room.answers),
            refusals: AnswerCache::of(room.answers),
            descriptions: AnswerCache::of(room.variants),
            #[cfg(not(target_family = "wasm"))]
            pages: AnswerCache::of(room.pages),
            cards: AnswerCache::of(room.cards),
            settings,
        }
    }

    /// Tells whoever runs the server of a fault of a file, once.
    pub(crate) fn tell_operator(&self, fault: &str) {
        const MOST: usize = 1_000;
        let mut told = locked(&self.told);
        if told.len() < MOST && told.insert(fault.into()) {
            self.settings.tablebase.progress().warn(fault);
        }
    }

    /// A message with the paths of tables relative to their folder.
    pub(crate) fn without_folder(&self, message: &str) -> String {
        let folder = self.settings.tablebase.dir().display().to_string();
        if folder.is_empty() {
            return message.into();
        }
        message.replace(&format!("{folder}{}", std::path::MAIN_SEPARATOR), "")
    }

    /// The address of a part of a page. In a folder of files the address of the page itself stands behind the `#`.
    pub(crate) fn at_part(&self, page: String, id: &str) -> String {
        if self.in_folder {
            page
        } else {
            format!("{page}#{id}")
        }
    }

    /// A document with the files of tables relative to their folder: nobody else is told where that is.
    pub(crate) fn with_files_in_folder(&self, document: String) -> String {
        if !self.in_document.is_empty() && document.contains(&self.in_document) {
            document.replace(&self.in_document, "\"file\":\"")
        } else {
            document
        }
    }

    /// Whether a proxy at this address is believed.
    #[cfg_attr(
        target_family = "wasm",
        expect(dead_code, reason = "there are no proxies")
    )]
    pub(crate) fn trusts(&self, proxy: IpAddr) -> bool {
        self.settings.trusted.iter().any(|one| one.has(proxy))
    }

    /// What of a game the memory does for. To plan it takes a moment, and is done once; a page waits a little for the
    /// plan, and else has none.
    pub(crate) async fn reach_of(self: &Arc<Explorer>, variant: &Arc<Variant>) -> Option<Reach> {
        const PATIENCE: Duration = Duration::from_millis(200);
        let key = variant.rules().hash.to_string();
        if let Some(known) = self.reach.get(&key) {
            return Some(*known);
        }
        // Where many are planned, a page goes on without.
        let planning = if self.in_folder {
            None
        } else {
            Some(Arc::clone(&self.plans).try_acquire_owned().ok()?)
        };
        let (explorer, variant) = (Arc::clone(self), Arc::clone(variant));
        let plan = move || {
            let _planning = planning;
            let tablebase = &explorer.settings.tablebase;
            let reach = Reach {
                has_puzzles: can_have_puzzles(tablebase, &variant),
                has_counts: tablebase.can_count(&variant),
            };
            *explorer.reach.keep(&key, reach)
        };
        if self.in_folder {
            return Some(plan());
        }
        let planned = tokio::task::spawn_blocking(plan);
        let planned = tokio::time::timeout(PATIENCE, planned).await;
        planned.ok()?.ok()
    }

    /// Somebody asks.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn is_asked(&self) {
        *locked(&self.asked) = Instant::now();
    }

    /// When somebody asked last.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn last_asked(&self) -> Instant {
        *locked(&self.asked)
    }

    /// Gives back the memory of all that was worked out and is not in use.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn give_back(&self) {
        self.settings.tablebase.give_back();
        self.stats.clear();
        self.compared.clear();
        self.puzzles.clear();
        self.books.clear();
        self.found.clear();
        self.settled.clear();
        self.sums.clear();
        self.documents.clear();
        self.designed.clear();
        self.refusals.clear();
        self.reach.clear();
        self.descriptions.clear();
        locked(&self.variants).clear();
        self.pages.clear();
        self.cards.clear();
    }

    /// Ends all computing.
    pub(crate) fn stop(&self) {
        self.stopping.store(true, Ordering::Relaxed);
        self.ahead.stop();
    }

    /// The rule files that are offered.
    pub(crate) fn files(&self) -> impl Iterator<Item = &RuleFile> {
        self.settings.files.iter()
    }

    /// The rule file of a name.
    pub(crate) fn file(&self, name: &str) -> Option<&RuleFile> {
        self.files.get(name).map(|file| &**file)
    }

    /// A variant by name; nothing is read from files.
    pub(crate) fn variant(&self, name: &str) -> Result<Arc<Variant>, Problem> {
        let name = name.trim();
        if let Some(file) = self.files.get(name) {
            return Ok(Arc::new(file.variant.clone()));
        }
        if let Some(variant) = locked(&self.variants).get(name) {
            return Ok(variant.clone());
        }
        // Nobody waits while a game is made of its rules.
        let variant = match own_rules::variant_of(name) {
            Some(variant) => variant,
            None => built_in_variant(name)?,
        };
        let variant = Arc::new(variant);
        let mut variants = locked(&self.variants);
        if variants.len() >= self.room.variants {
            variants.clear();
        }
        variants.insert(name.to_string(), variant.clone());
        Ok(variant)
    }

    /// The signatures of the tables of some variants, which identify answers that follow from them.
    /// Gives `None` where a variant has no table of its default metric.
    pub(crate) fn tables_of(&self, variants: &[Arc<Variant>]) -> Option<String> {
        let mut signatures = String::new();
        for variant in variants {
            let rules = variant.rules();
            let mut has_default = false;
            for metric in &rules.metrics {
                // Each look at a table asks the disk.
                if let Ok(Some(table)) = self.settings.tablebase.table(rules, *metric) {
                    has_default |= *metric == rules.default_metric;
                    signatures.push_str(&table.meta().signature.to_string());
                }
            }
            if !has_default {
                return None;
            }
        }
        Some(Rules::hash_of(&signatures).to_string())
    }

    /// A variant by name, in the order of the lights that the parameters ask for.
    pub(crate) fn variant_in(&self, name: &str, params: &Params) -> Result<Arc<Variant>, Problem> {
        in_order(self.variant(name)?, params.lights()?)
    }

    /// The same in the order of the lights that a reader asks for, where it has lights.
    pub(crate) fn variant_for(
        &self,
        name: &str,
        lights: Option<Lights>,
    ) -> Result<Arc<Variant>, Problem> {
        let variant = self.variant(name)?;
        let has_lights = variant.rules().lights.is_some();
        in_order(variant, lights.filter(|_| has_lights))
    }

    /// The turn to have something made, waited for until a time; `None` where it does not come in time.
    ///
    /// # Errors
    /// When too many questions of the client wait already.
    pub(crate) async fn turn(
        &self,
        key: &str,
        client: Client,
        until: Instant,
    ) -> Result<Option<QueuePlace>, Problem> {
        let mut place = self.turns.enter(key);
        if place.comes_at_once() {
            return Ok(Some(place));
        }
        let _waiting = self.jobs.enter(client.address)?;
        Ok(place.comes_until(until).await)
    }

    /// Answers a question on a thread of its own, or at once where it takes no more than a look. Whoever drops the future stops the work.
    pub(crate) async fn work<T, W>(
        self: &Arc<Explorer>,
        client: Client,
        demand: Demand,
        work: W,
    ) -> Result<T, Problem>
    where
        T: Send + 'static,
        W: FnOnce(&Explorer, &Tablebase) -> Result<T, Problem> + Send + 'static,
    {
        let (jobs, budget) = match demand {
            Demand::Nothing => (&self.jobs, self.settings.budget),
            Demand::Job { time } => (&self.jobs, time.min(self.settings.budget)),
            Demand::PlainCard { time } => (&self.plain_cards, time),
            Demand::Search => (&self.jobs, self.settings.budget + ENDING),
        };
        let (job, client) = match demand.waits_until(client) {
            Some(until) => {
                let job = jobs.take(client.address, until).await?;
                (Some(job), demand.begun_by(client))
            }
            None => (None, client),
        };
        let watch = Arc::new(RequestWatch {
            gone: AtomicBool::new(false),
            stopping: self.stopping.clone(),
            deadline: client.until(budget),
        });
        let _stop = StopOnDrop(watch.clone());
        let explorer = self.clone();
        let work = move || {
            let tablebase = explorer.settings.tablebase.watched_by(watch);
            let result = work(&explorer, &tablebase);
            drop(job);
            result
        };
        let done = if self.in_folder {
            work()
        } else if demand == Demand::Nothing {
            // A look takes less than handing it to another thread and back.
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(work))
                .unwrap_or_else(|_| failed())
        } else {
            // The server does not wait for a stretch of work that does not check the clock: it ends
            // by itself, and holds its job until then.
            let patience = client.left_of(budget) + ENDING;
            let working = tokio::task::spawn_blocking(work);
            match tokio::time::timeout(patience, working).await {
                Ok(done) => done.unwrap_or_else(|_| failed()),
                Err(_) => Err(Problem::too_long(budget.min(self.settings.budget))),
            }
        };
        done.map_err(|problem| {
            if problem.is_interruption() {
                Problem::too_long(budget.min(self.settings.budget))
            } else {
                problem
            }
        })
    }
}

/// A variant in an order of the lights, its own where none is named.
fn in_order(variant: Arc<Variant>, lights: Option<Lights>) -> Result<Arc<Variant>, Problem> {
    match lights {
        Some(lights) if variant.rules().lights != Some(lights) => {
            let variant = (*variant).clone().with_lights(lights);
            Ok(Arc::new(variant.map_err(Error::from)?))
        }
        _ => Ok(variant),
    }
}

fn failed<T>() -> Result<T, Problem> {
    Err(Problem::new(
        StatusCode::INTERNAL_SERVER_ERROR,
        "the question could not be worked on; this is a fault of the program",
    ))
}

/// Rule files, each called by its address: the shortest end of its path that no other has, and the whole
/// path where it is the end of another's. A file that is named twice is there once.
fn addressed(files: Vec<RuleFile>) -> Vec<RuleFile> {
    let parts = |file: &RuleFile| -> Vec<String> {
        let path = file.variant.rules().title();
        let names = path.split(['/', '\\']);
        let names = names.filter(|name| !name.is_empty() && *name != ".");
        names.map(String::from).collect()
    };
    let paths: Vec<Vec<String>> = files.iter().map(parts).collect();
    let mut found: Vec<RuleFile> = Vec::new();
    for (number, (file, path)) in files.into_iter().zip(&paths).enumerate() {
        if paths[..number].contains(path) {
            continue;
        }
        let others = || paths.iter().filter(|other| *other != path);
        let is_own = |length: &usize| {
            let end = &path[path.len() - length..];
            !others().any(|other| other.ends_with(end))
        };
        let length = (1..path.len()).find(is_own).unwrap_or(path.len());
        let address = path[path.len() - length..].join("/");
        found.push(RuleFile {
            variant: file.variant.shown_as(&address),
            ..file
        });
    }
    found
}

/// Stops work whose client has gone, whose time is over, or when the program ends.
struct RequestWatch {
    gone: AtomicBool,
    stopping: Arc<AtomicBool>,
    deadline: Instant,
}

impl Progress for RequestWatch {
    fn begin(&self, _stage: &str, _total: u64, _unit: Unit) {}

    fn advance(&self, _amount: u64) {}

    fn cancelled(&self) -> bool {
        self.gone.load(Ordering::Relaxed)
            || self.stopping.load(Ordering::Relaxed)
            || Instant::now() >= self.deadline
    }
}

struct StopOnDrop(Arc<RequestWatch>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.gone.store(true, Ordering::Relaxed);
    }
}
