//! What a long command says of its work on stderr: a bar at a terminal, lines in a log, documents for
//! programs, or nothing; and the wish to stop, which signals bring.

use std::fmt::Write;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};
use std::time::{Duration, Instant};

use greenwave_game::plural;
use greenwave_values::{Progress, Unit};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use serde::Serialize;

use crate::args::ProgressChoice;
use crate::output::has_cursor;
use greenwave_tablebase::SCHEMA;

/// Work that takes less says nothing.
const PATIENCE: Duration = Duration::from_secs(1);
/// Time between lines.
const EVERY: Duration = Duration::from_secs(30);

/// How the work is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ProgressForm {
    Bar,
    Lines,
    Documents,
    Nothing,
}

/// Shows the stages of a solve, and passes Ctrl-C on to it.
pub(crate) struct Bars {
    shared: Arc<SharedProgress>,
    form: ProgressForm,
    stop: Arc<AtomicBool>,
    listening: Once,
    ticking: Once,
}

/// What the thread that tells the time shares with the work.
struct SharedProgress {
    form: ProgressForm,
    // The wish to stop.
    stop: Arc<AtomicBool>,
    // Before the first line of a stage.
    patience: Duration,
    done: AtomicU64,
    stage: Mutex<Option<ProgressStage>>,
    // The checkpoint that the next stage resumes from.
    resumes: Mutex<Option<String>>,
}

struct ProgressStage {
    name: String,
    total: u64,
    unit: Unit,
    begun: Instant,
    // The checkpoint that the work resumes from, until it is shown.
    resumes: Option<String>,
    // What it holds of the work.
    found: u64,
    // Amount and time of the last line; none yet where nothing was shown.
    told: Option<(u64, Instant)>,
    bar: ProgressBar,
}

impl ProgressStage {
    /// Which part of the work an amount is, where anybody knows how much there is.
    fn share(&self, done: u64) -> Option<f64> {
        let total = self.total;
        (total > 0).then(|| done.min(total) as f64 / total as f64)
    }
}

/// The content of a document.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Document<'a> {
    /// Version of the document.
    schema: u32,
    /// `begins`, `resumes`, `goes on`, `done` or `stopped`.
    progress: &'static str,
    /// The work of the stage.
    stage: &'a str,
    /// The finished amount, in `unit`.
    done: u64,
    /// All of it; `None` where the amount is unknown.
    total: Option<u64>,
    /// The unit of the amounts: `positions`, `bytes` or `games`.
    unit: &'static str,
    /// The share that is done.
    percent: Option<f64>,
    /// Units a second.
    per_second: f64,
    /// Since the stage began.
    seconds: f64,
    /// Until it is done.
    seconds_left: Option<f64>,
    /// Most memory that the process had.
    peak_memory_bytes: Option<u64>,
    /// The checkpoint from which a solve resumes.
    checkpoint: Option<&'a str>,
}

/// A warning or a remark on stderr, where programs read it.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Warning<'a> {
    /// Version of the document.
    schema: u32,
    /// The warning.
    warning: &'a str,
}

/// Says a warning on stderr as a document.
pub(crate) fn warn_in_document(warning: &str) {
    let (schema, warning) = (SCHEMA, &*crate::output::carried(warning));
    if let Ok(text) = serde_json::to_string(&Warning { schema, warning }) {
        let _ = std::io::Write::write_all(&mut std::io::stderr().lock(), (text + "\n").as_bytes());
    }
}

/// Whether a bar can be seen.
fn shows_bars() -> bool {
    std::io::stderr().is_terminal() && has_cursor()
}

impl Bars {
    /// No work yet.
    pub(crate) fn new(quiet: bool, choice: ProgressChoice) -> Bars {
        let form = match choice {
            _ if quiet => ProgressForm::Nothing,
            ProgressChoice::None => ProgressForm::Nothing,
            // Lines where nobody could see a bar.
            ProgressChoice::Bar if shows_bars() => ProgressForm::Bar,
            ProgressChoice::Bar => ProgressForm::Lines,
            ProgressChoice::Log => ProgressForm::Lines,
            ProgressChoice::Json => ProgressForm::Documents,
            ProgressChoice::Auto if shows_bars() => ProgressForm::Bar,
            ProgressChoice::Auto => ProgressForm::Lines,
        };
        let at_once = matches!(choice, ProgressChoice::Log | ProgressChoice::Json);
        let stop = Arc::new(AtomicBool::new(false));
        Bars {
            shared: Arc::new(SharedProgress {
                form,
                stop: Arc::clone(&stop),
                patience: if at_once { Duration::ZERO } else { PATIENCE },
                done: AtomicU64::new(0),
                stage: Mutex::new(None),
                resumes: Mutex::new(None),
            }),
            form,
            stop,
            listening: Once::new(),
            ticking: Once::new(),
        }
    }

    /// Ends the stage, and removes its bar from the screen.
    pub(crate) fn finish(&self) {
        self.shared.end();
    }

    /// Shows a stage of work that does not ask whether to stop: Ctrl-C ends the process.
    pub(crate) fn show(&self, stage: &str, total: u64, unit: Unit) {
        if self.form == ProgressForm::Nothing {
            return;
        }
        self.shared.end();
        self.shared.done.store(0, Ordering::Relaxed);
        let now = ProgressStage {
            name: stage.to_string(),
            total,
            unit,
            begun: Instant::now(),
            resumes: self.shared.resumes().take(),
            found: 0,
            told: None,
            bar: match self.form {
                ProgressForm::Bar => bar(stage, total, unit),
                ProgressForm::Lines | ProgressForm::Documents | ProgressForm::Nothing => {
                    ProgressBar::hidden()
                }
            },
        };
        let mut stage = self.shared.stage();
        let now = stage.insert(now);
        if self.shared.patience.is_zero() {
            self.shared.tell(now, "begins");
        }
        drop(stage);
        self.ticking.call_once(|| {
            let shared = Arc::clone(&self.shared);
            // Where there is no thread to be had, nothing is shown.
            let _ = std::thread::Builder::new()
                .name("progress".into())
                .stack_size(1 << 20)
                .spawn(move || shared.tick());
        });
    }

    // A signal simply ends the process until some work begins that can be stopped. From then on the
    // first one asks that work to stop, and the second ends the process.
    fn listen(&self) {
        self.listening
            .call_once(|| crate::signals::listen(&self.stop));
    }
}

impl SharedProgress {
    fn stage(&self) -> MutexGuard<'_, Option<ProgressStage>> {
        self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn resumes(&self) -> MutexGuard<'_, Option<String>> {
        self.resumes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    // Looks at the stage from time to time, for ever.
    fn tick(&self) {
        loop {
            std::thread::sleep(Duration::from_millis(100));
            let mut stage = self.stage();
            let Some(stage) = stage.as_mut() else {
                continue;
            };
            let done = self.done.load(Ordering::Relaxed);
            // The part in a checkpoint is counted at once, before any new work.
            if stage.resumes.is_some() && stage.found == 0 && done > 0 {
                stage.found = done;
                stage.bar.set_position(done);
                stage.bar.reset_eta();
            }
            if self.form == ProgressForm::Bar {
                stage.bar.set_position(done);
                if stage.told.is_none() && stage.begun.elapsed() >= PATIENCE {
                    stage.told = Some((0, stage.begun));
                    stage
                        .bar
                        .set_draw_target(ProgressDrawTarget::stderr_with_hz(10));
                    if let Some(checkpoint) = stage.resumes.take() {
                        let text = resumed(&checkpoint, stage.share(stage.found));
                        stage.bar.suspend(|| crate::output::complain(&text));
                    }
                }
                stage.bar.tick();
                continue;
            }
            let due = match stage.told {
                None => stage.begun.elapsed() >= self.patience,
                Some((_, last)) => last.elapsed() >= EVERY,
            };
            let waited = stage.found > 0 || stage.begun.elapsed() >= PATIENCE;
            if stage.resumes.is_some() && stage.told.is_some() && waited {
                self.tell(stage, "resumes");
            } else if due {
                self.tell(stage, "goes on");
            }
        }
    }

    fn end(&self) {
        if let Some(mut stage) = self.stage().take() {
            stage.bar.finish_and_clear();
            // A stage that was never shown needs no end.
            if stage.told.is_some() {
                let done = self.done.load(Ordering::Relaxed);
                let end = end(self.stop.load(Ordering::Relaxed), done, stage.total);
                self.tell(&mut stage, end);
            }
        }
    }

    // One line or document.
    fn tell(&self, stage: &mut ProgressStage, event: &'static str) {
        let done = self.done.load(Ordering::Relaxed);
        // The amount in a checkpoint is not known at the beginning.
        let resumes = match event {
            "begins" => None,
            _ => stage.resumes.take(),
        };
        let seconds = stage.begun.elapsed().as_secs_f64();
        // The amount since the last line shows best how fast the work runs.
        let (before, since) = match stage.told {
            Some((before, since)) if !is_end(event) => (before, since),
            _ => (0, stage.begun),
        };
        let before = before.max(stage.found);
        let passed = since.elapsed().as_secs_f64().max(1e-3);
        let rate = done.saturating_sub(before) as f64 / passed;
        stage.told = Some((done, Instant::now()));
        let total = (stage.total > 0).then_some(stage.total);
        let share = stage.share(done);
        let left = total
            .filter(|_| rate > 0.0 && !is_end(event))
            .map(|total| total.saturating_sub(done) as f64 / rate);
        match self.form {
            ProgressForm::Lines => {
                if let Some(checkpoint) = resumes {
                    crate::output::complain(&resumed(&checkpoint, stage.share(stage.found)));
                }
                let mut text = line(event, &stage.name, share, seconds, left);
                if event != "begins" {
                    let _ = write!(text, ", {}/s", amount(rate, stage.unit));
                }
                if let Some(peak) = greenwave_tablebase::peak_memory() {
                    let _ = write!(text, ", peak memory {}", crate::output::bytes(peak.into()));
                }
                crate::output::complain(&text);
            }
            ProgressForm::Documents => {
                let document = Document {
                    schema: SCHEMA,
                    progress: event,
                    stage: &stage.name,
                    done,
                    total,
                    unit: match stage.unit {
                        Unit::Positions => "positions",
                        Unit::Bytes => "bytes",
                        Unit::Games => "games",
                    },
                    percent: share.map(|share| 100.0 * share),
                    per_second: rate,
                    seconds,
                    seconds_left: left,
                    peak_memory_bytes: greenwave_tablebase::peak_memory(),
                    checkpoint: resumes.as_deref(),
                };
                if let Ok(text) = serde_json::to_string(&document) {
                    crate::output::complain(&text);
                }
            }
            ProgressForm::Bar | ProgressForm::Nothing => {}
        }
    }
}

fn is_end(event: &str) -> bool {
    matches!(event, "done" | "stopped")
}

/// How a stage ends of which a part was done: a wish to stop may come when there is nothing left.
fn end(asked_to_stop: bool, done: u64, total: u64) -> &'static str {
    if asked_to_stop && done != total {
        "stopped"
    } else {
        "done"
    }
}

/// That work resumes from a checkpoint, which holds such a part of it.
fn resumed(checkpoint: &str, share: Option<f64>) -> String {
    match share.map(|share| (100.0 * share).floor()) {
        Some(percent) if percent > 0.0 => {
            format!("greenwave: resumes from {percent:.0} %, kept in the checkpoint '{checkpoint}'")
        }
        _ => format!("greenwave: resumes from the checkpoint '{checkpoint}'"),
    }
}

/// A line of a log but for the rate and the memory.
fn line(event: &str, stage: &str, share: Option<f64>, seconds: f64, left: Option<f64>) -> String {
    let mut text = format!("greenwave: {stage}");
    let seconds = crate::output::seconds(seconds);
    let percent = share.map(|share| format!("{:.0} %", (100.0 * share).floor()));
    let _ = match (event, percent) {
        ("done", _) => write!(text, ": done in {seconds}"),
        ("stopped", Some(percent)) => write!(text, ": stopped after {seconds} at {percent}"),
        ("stopped", None) => write!(text, ": stopped after {seconds}"),
        (_, Some(percent)) => write!(text, ": {percent}"),
        (_, None) => Ok(()),
    };
    let _ = match (event, left) {
        ("goes on", Some(left)) => write!(text, ", {} left", crate::output::seconds(left)),
        // Nothing has been measured yet.
        ("begins", _) => write!(text, ", rate and time left not known yet"),
        _ => Ok(()),
    };
    text
}

fn bar(stage: &str, total: u64, unit: Unit) -> ProgressBar {
    let template = match total {
        0 => "{msg}  {done}  {rate}  {elapsed}",
        _ => "{msg}\n[{wide_bar}] {percent}%  {done}  {rate}  {eta} left",
    };
    let style = ProgressStyle::with_template(template)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("=> ")
        .with_key("done", move |state: &ProgressState, out: &mut dyn Write| {
            let _ = write!(out, "{}", amount(state.pos() as f64, unit));
        })
        .with_key("rate", move |state: &ProgressState, out: &mut dyn Write| {
            let _ = write!(out, "{}/s", amount(state.per_sec(), unit));
        });
    // Drawn from the first second on.
    let target = ProgressDrawTarget::hidden();
    ProgressBar::with_draw_target(Some(total), target)
        .with_style(style)
        .with_message(stage.to_string())
}

impl Progress for Bars {
    fn begin(&self, stage: &str, total: u64, unit: Unit) {
        self.listen();
        self.show(stage, total, unit);
    }

    // Ctrl-C goes on ending the process.
    fn begin_unstoppable(&self, stage: &str, total: u64, unit: Unit) {
        self.show(stage, total, unit);
    }

    fn advance(&self, amount: u64) {
        if self.form != ProgressForm::Nothing {
            self.shared.done.fetch_add(amount, Ordering::Relaxed);
        }
    }

    fn resumes(&self, checkpoint: &str) {
        match self.shared.stage().as_mut() {
            None => *self.shared.resumes() = Some(checkpoint.to_string()),
            Some(stage) => stage.resumes = Some(checkpoint.to_string()),
        }
    }

    fn end(&self) {
        self.finish();
    }

    fn warn(&self, warning: &str) {
        if self.form == ProgressForm::Documents {
            return warn_in_document(warning);
        }
        let style = anstyle::AnsiColor::Yellow.on_default().bold();
        let text = format!("{style}warning:{style:#} {warning}");
        let bar = self.shared.stage().as_ref().map(|stage| stage.bar.clone());
        match bar {
            Some(bar) => bar.suspend(|| crate::output::complain(&text)),
            None => crate::output::complain(&text),
        }
    }

    fn cancelled(&self) -> bool {
        self.listen();
        self.stop.load(Ordering::Relaxed)
    }
}

/// An amount of work in few characters.
fn amount(count: f64, unit: Unit) -> String {
    if unit == Unit::Bytes {
        return crate::output::bytes(count as u128);
    }
    let number = crate::output::rounded(count);
    match count {
        c if c < 1e6 && unit == Unit::Games => {
            format!("{number} {}", plural(c as u64, "game", "games"))
        }
        c if c < 1e6 => format!("{number} {}", plural(c as u64, "position", "positions")),
        _ => number,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interrupted_work_is_not_called_done() {
        assert_eq!(end(true, 70, 100), "stopped");
        assert_eq!(end(true, 100, 100), "done");
        assert_eq!(end(false, 70, 100), "done");
    }

    #[test]
    fn what_is_resumed_is_told_with_its_share() {
        assert_eq!(
            resumed("x.checkpoint", Some(0.169)),
            "greenwave: resumes from 16 %, kept in the checkpoint 'x.checkpoint'"
        );
        for share in [None, Some(0.0)] {
            assert_eq!(
                resumed("x.checkpoint", share),
                "greenwave: resumes from the checkpoint 'x.checkpoint'"
            );
        }
    }

    #[test]
    fn what_a_checkpoint_holds_was_not_done_now() {
        let bars = Bars::new(false, ProgressChoice::Auto);
        let shared = &bars.shared;
        bars.show("solving", 100, Unit::Positions);
        bars.resumes("x.checkpoint");
        bars.advance(25);
        // The thread that tells the time looks ten times a second.
        let begun = Instant::now();
        while shared
            .stage()
            .as_ref()
            .is_some_and(|stage| stage.found == 0)
        {
            assert!(begun.elapsed() < Duration::from_secs(60));
            std::thread::sleep(Duration::from_millis(5));
        }
        bars.advance(25);
        let stage = shared.stage();
        let stage = stage.as_ref().unwrap();
        assert_eq!((stage.found, stage.share(stage.found)), (25, Some(0.25)));
    }

    #[test]
    fn lines_tell_per_cent_time_and_whether_the_work_was_done() {
        let said = |event, share, left| line(event, "solving", share, 3.0, left);
        assert_eq!(
            said("begins", Some(0.0), None),
            "greenwave: solving: 0 %, rate and time left not known yet"
        );
        assert_eq!(
            said("begins", None, None),
            "greenwave: solving, rate and time left not known yet"
        );
        assert_eq!(
            said("goes on", Some(0.259), Some(60.0)),
            format!(
                "greenwave: solving: 25 %, {} left",
                crate::output::seconds(60.0)
            )
        );
        assert_eq!(
            said("done", Some(1.0), None),
            "greenwave: solving: done in 3.0 s"
        );
        assert_eq!(
            said("stopped", Some(0.5), None),
            "greenwave: solving: stopped after 3.0 s at 50 %"
        );
    }
}
