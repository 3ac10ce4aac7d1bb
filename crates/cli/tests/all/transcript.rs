//! What commands print, kept word for word in the files of `tests/snapshots`.

use std::path::Path;

use crate::common::{Run, greenwave};
use crate::pages::blessing;
use snapbox::assert::Action;
use snapbox::{Assert, Data};

/// Fields that differ from run to run and from machine to machine.
const VARYING: [&str; 6] = [
    "seconds",
    "positions_per_second",
    "peak_memory_bytes",
    "kernel",
    "program",
    "table_bytes",
];

/// Commands and what they printed, to be compared with the file of a name.
/// `GREENWAVE_BLESS=1` before a test writes what really comes out.
pub(crate) struct Transcript {
    name: &'static str,
    text: String,
    hidden: Vec<String>,
    settled: bool,
}

impl Transcript {
    /// An empty one.
    pub(crate) fn new(name: &'static str) -> Transcript {
        Transcript {
            name,
            text: String::new(),
            hidden: Vec::new(),
            settled: false,
        }
    }

    /// Has a folder of this run alone shown as `DIR`.
    pub(crate) fn hide(&mut self, dir: &Path) {
        self.hidden.push(dir.display().to_string());
    }

    /// Runs a command with its tables in a folder and keeps what it prints.
    pub(crate) fn run(&mut self, dir: &Path, args: &[&str]) -> Run {
        let run = greenwave(dir, args);
        let quoted = args.iter().map(|arg| match arg.find(' ') {
            Some(_) => format!("'{arg}'"),
            None => (*arg).to_string(),
        });
        self.hide(dir);
        self.add(&quoted.collect::<Vec<_>>().join(" "), &run);
        run
    }

    /// Keeps what a command has printed.
    pub(crate) fn add(&mut self, command: &str, run: &Run) {
        let line = format!("$ greenwave {command}");
        self.told(line.trim_end(), &steady(run));
    }

    /// Keeps a text below a line that says what it is.
    pub(crate) fn told(&mut self, what: &str, text: &str) {
        let whole = text.is_empty() || text.ends_with('\n');
        let end = if whole { "" } else { "\n" };
        self.text.push_str(&format!("{what}\n{text}{end}\n"));
    }

    /// Compares all of it with the file, or writes that.
    pub(crate) fn settle(mut self) {
        self.settled = true;
        let text = self
            .hidden
            .iter()
            .fold(self.text.clone(), |text, dir| text.replace(dir, "DIR"));
        let file = format!("tests/snapshots/{}.txt", self.name);
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        let action = if blessing() {
            Action::Overwrite
        } else {
            Action::Verify
        };
        let expected = Data::read_from(&path, None).raw();
        Assert::new().action(action).eq(text, expected);
    }
}

impl Drop for Transcript {
    fn drop(&mut self) {
        let settled = self.settled || std::thread::panicking();
        assert!(settled, "{}: a transcript that nothing compares", self.name);
    }
}

// The output of a run without what is different on another day or machine; a document has a line for
// each of its fields.
fn steady(run: &Run) -> String {
    let mut text = String::new();
    for line in run.stdout.lines() {
        if line.starts_with(['{', '[']) {
            let steady = VARYING
                .iter()
                .fold(line.to_string(), |line, key| without(&line, key));
            text.push_str(&steady.replace(",\"", ",\n\""));
        } else if let Some((before, _)) = line.split_once("solved in ") {
            text.push_str(&format!("{before}solved in …"));
        } else if let Some((before, _)) = line.split_once(" (")
            && before.contains("move sequence")
        {
            text.push_str(&format!("{before} (…)"));
        } else {
            text.push_str(line);
        }
        text.push('\n');
    }
    for line in run.stderr.lines() {
        text.push_str(&format!("! {line}\n"));
    }
    if run.code != 0 {
        text.push_str(&format!("= exit code {}\n", run.code));
    }
    text
}

// A document with the numbers and words of a field left out.
fn without(line: &str, key: &str) -> String {
    let key = format!("\"{key}\":");
    let mut parts = line.split(&key);
    let mut text = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let end = part.find([',', '}']).unwrap_or(part.len());
        text.push_str(&format!("{key}…{}", &part[end..]));
    }
    text
}
