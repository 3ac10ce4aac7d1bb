//! Progress bars on stderr: only at a terminal, only for work of more than a second.

use std::fmt::Write;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, Once, PoisonError};
use std::time::Duration;

use greenwave_values::{Progress, Unit};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

/// Shows the stages of a solve, and passes Ctrl-C on to it.
pub(crate) struct Bars {
    bar: Mutex<ProgressBar>,
    visible: bool,
    stop: Arc<AtomicBool>,
    listening: Once,
}

impl Bars {
    /// No bar yet.
    pub(crate) fn new(quiet: bool) -> Bars {
        Bars {
            bar: Mutex::new(ProgressBar::hidden()),
            visible: !quiet && std::io::stderr().is_terminal(),
            stop: Arc::new(AtomicBool::new(false)),
            listening: Once::new(),
        }
    }

    /// Removes the bar from the screen.
    pub(crate) fn finish(&self) {
        self.bar().finish_and_clear();
    }

    /// Shows a stage of work that does not ask whether to stop: Ctrl-C ends the process.
    pub(crate) fn show(&self, stage: &str, total: u64, unit: Unit) {
        if !self.visible {
            return;
        }
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
        // Drawn from the first second on, ten times a second.
        let target = ProgressDrawTarget::hidden();
        let bar = ProgressBar::with_draw_target(Some(total), target)
            .with_style(style)
            .with_message(stage.to_string());
        let late = bar.clone();
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_secs(1));
            if !late.is_finished() {
                late.set_draw_target(ProgressDrawTarget::stderr_with_hz(10));
                late.enable_steady_tick(Duration::from_millis(100));
            }
        });
        let before = std::mem::replace(
            &mut *self.bar.lock().unwrap_or_else(PoisonError::into_inner),
            bar,
        );
        before.finish_and_clear();
    }

    // Ctrl-C simply ends the process until some work begins that can be stopped. From then on the first
    // one asks that work to stop, and the second ends the process.
    fn listen(&self) {
        self.listening.call_once(|| {
            let asked = Arc::clone(&self.stop);
            // Without a handler Ctrl-C goes on ending the process.
            let _ = ctrlc::try_set_handler(move || {
                if asked.swap(true, Ordering::Relaxed) {
                    std::process::exit(130);
                }
            });
        });
    }

    fn bar(&self) -> ProgressBar {
        self.bar
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
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
        if self.visible {
            self.bar().inc(amount);
        }
    }

    fn end(&self) {
        self.finish();
    }

    fn warn(&self, warning: &str) {
        let style = anstyle::AnsiColor::Yellow.on_default().bold();
        self.bar()
            .suspend(|| crate::output::complain(&format!("{style}warning:{style:#} {warning}")));
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
        c if c < 1e6 && unit == Unit::Games => format!("{number} games"),
        c if c < 1e6 => format!("{number} positions"),
        _ => number,
    }
}
