//! The program as a process: limited in time, measured, and where it is requested, with a file call
//! that goes wrong.

use std::fs;
use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// What is done to a file call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FileFault {
    /// The process is killed before it.
    Kill,
    /// It fails with an input/output error.
    Refused,
    /// It fails for want of room, as all later ones do.
    Full,
    /// It fails for want of room, once.
    NoRoom,
    /// A read or write does half of what it was requested.
    Half,
}

impl FileFault {
    /// All of them.
    pub const ALL: [FileFault; 5] = [
        FileFault::Kill,
        FileFault::Refused,
        FileFault::Full,
        FileFault::NoRoom,
        FileFault::Half,
    ];

    fn variables(self) -> &'static [(&'static str, &'static str)] {
        match self {
            FileFault::Kill => &[("FAULTS_KIND", "kill")],
            FileFault::Refused => &[("FAULTS_KIND", "5")],
            FileFault::Full => &[("FAULTS_KIND", "28"), ("FAULTS_STAYS", "1")],
            FileFault::NoRoom => &[("FAULTS_KIND", "28")],
            FileFault::Half => &[("FAULTS_KIND", "short")],
        }
    }
}

/// How a run is limited and disturbed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limit {
    /// A fault at the file call with this number, counted from 1.
    pub fault: Option<(FileFault, u64)>,
    /// How many times as fast the clock runs, so that checkpoints come often; 0 is as it is.
    pub clock: u32,
    /// After how many milliseconds the process is killed; 0 is never.
    pub killed_after: u64,
    /// Its time limit, in multiples of [`Program::PATIENCE`]; 0 is once.
    pub patience: u32,
    /// Which piece of memory is refused, counted from 1; 0 is none.
    pub refused: u64,
    /// Of how many bytes pieces of memory count; 0 is none.
    pub least: u64,
}

/// What a run came to.
#[derive(Clone, Debug)]
pub struct ProgramRun {
    /// The exit code, where it ended by itself.
    pub code: Option<i32>,
    /// The signal that ended it, otherwise.
    pub signal: Option<i32>,
    /// What it printed.
    pub stdout: String,
    /// What it said.
    pub stderr: String,
    /// File calls below its folder; 0 where it was killed.
    pub calls: u64,
    /// Its largest resident memory in bytes; 0 where it was killed.
    pub peak: u64,
    /// Large pieces of memory that it asked for; 0 where it was killed.
    pub pieces: u64,
    /// Whether it was ended because it took [`Program::PATIENCE`].
    pub hung: bool,
}

impl ProgramRun {
    /// Whether it ended as any run has to: by itself, in time, with one of the exit codes, and after
    /// an error with a message.
    ///
    /// # Errors
    /// What was wrong.
    pub fn is_orderly(&self) -> Result<(), String> {
        let wrong = |what: &str| Err(format!("{what}: {self:?}"));
        if self.hung {
            return wrong("hangs");
        }
        if self.stderr.contains("panicked at") {
            return wrong("panicked");
        }
        match self.code {
            Some(0 | 1 | 130) => Ok(()),
            // As a line, as a document, or as the document of a bad line of a batch.
            Some(2)
                if self.stderr.contains("error: ")
                    || [&self.stderr, &self.stdout]
                        .iter()
                        .any(|said| said.contains("\"error\":")) =>
            {
                Ok(())
            }
            Some(2) => wrong("failed without a word"),
            _ => wrong("ended otherwise"),
        }
    }

    /// Whether it kept to a limit of memory: within a twentieth and 16 MiB.
    ///
    /// # Errors
    /// By how much it did not.
    pub fn keeps_within(&self, memory: u64) -> Result<(), String> {
        if self.peak <= most_resident(memory) {
            return Ok(());
        }
        Err(format!(
            "took {} KiB of memory, but may use {} KiB and a twentieth and 16 MiB",
            self.peak >> 10,
            memory >> 10
        ))
    }
}

/// The greatest resident memory for a limit in bytes: a twentieth and 16 MiB more.
#[must_use]
pub const fn most_resident(memory: u64) -> u64 {
    memory + memory / 20 + (16 << 20)
}

/// The program under test.
#[derive(Debug)]
pub struct Program {
    path: PathBuf,
    // The library of faults, and what it writes.
    tools: TempDir,
}

impl Program {
    /// How much time of the processor any run of a campaign may take. Time of the clock proves
    /// nothing on a machine with much else to do. But a process that uses almost no time of the
    /// processor for so long is waiting for something that does not come.
    pub const PATIENCE: Duration = Duration::from_secs(120);

    /// The program at a path. Builds the library of faults with the C compiler, `$CC` or `cc`.
    ///
    /// # Errors
    /// When there is no compiler, or it fails.
    pub fn at(path: impl Into<PathBuf>) -> Result<Program, String> {
        let tools = tempfile::tempdir().map_err(|error| error.to_string())?;
        let source = tools.path().join("faults.c");
        fs::write(&source, include_str!("faults.c")).map_err(|error| error.to_string())?;
        let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".into());
        let built = Command::new(&compiler)
            .args(["-shared", "-fPIC", "-o"])
            .arg(tools.path().join("faults.so"))
            .arg(&source)
            .arg("-ldl")
            .output();
        match built {
            Ok(built) if built.status.success() => Ok(Program {
                path: path.into(),
                tools,
            }),
            Ok(built) => Err(String::from_utf8_lossy(&built.stderr).into_owned()),
            Err(error) => Err(format!("{compiler}: {error}")),
        }
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Runs it with its tables in a folder.
    #[must_use]
    pub fn run(&self, folder: &Path, args: &[&str]) -> ProgramRun {
        self.run_with(folder, args, "", Limit::default())
    }

    /// Runs it with its tables in a folder, text on standard input, limited or disturbed.
    ///
    /// # Panics
    /// When it cannot be started.
    #[must_use]
    pub fn run_with(&self, folder: &Path, args: &[&str], input: &str, limit: Limit) -> ProgramRun {
        let counts = tempfile::tempdir_in(self.tools.path())
            .unwrap_or_else(|error| panic!("no temporary folder: {error}"));
        let [calls, peak, pieces] =
            ["calls", "peak", "pieces"].map(|name| counts.path().join(name));
        let mut command = Command::new(&self.path);
        command
            .args(args)
            .current_dir(folder)
            .env("GREENWAVE_DIR", folder)
            .env("GREENWAVE_THREADS", "1")
            .env("GREENWAVE_PROGRESS", "none")
            .env_remove("GREENWAVE_MEMORY")
            .env_remove("GREENWAVE_COLOURS")
            .env("LD_PRELOAD", self.tools.path().join("faults.so"))
            .env("FAULTS_FOLDER", folder)
            .env("FAULTS_COUNT", &calls)
            .env("FAULTS_PEAK", &peak)
            .env("FAULTS_PIECES", &pieces)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some((fault, at)) = limit.fault {
            command.env("FAULTS_AT", at.to_string());
            command.envs(fault.variables().iter().copied());
        }
        if limit.clock > 0 {
            command.env("FAULTS_CLOCK", limit.clock.to_string());
        }
        if limit.least > 0 {
            command.env("FAULTS_LEAST", limit.least.to_string());
            command.env("FAULTS_REFUSED", limit.refused.to_string());
        }
        let child = command
            .spawn()
            .unwrap_or_else(|error| panic!("{}: {error}", self.path.display()));
        let mut ran = wait(child, input, limit);
        let number = |path: &Path| {
            let text = fs::read_to_string(path).unwrap_or_default();
            text.trim().parse().unwrap_or(0)
        };
        ran.calls = number(&calls);
        ran.peak = number(&peak) << 10;
        ran.pieces = number(&pieces);
        ran
    }
}

fn wait(mut child: Child, input: &str, limit: Limit) -> ProgramRun {
    let begun = Instant::now();
    thread::scope(|scope| {
        if let Some(mut stdin) = child.stdin.take() {
            // The program may leave its input unread.
            scope.spawn(move || drop(stdin.write_all(input.as_bytes())));
        }
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let stdout = scope.spawn(|| read(stdout));
        let stderr = scope.spawn(|| read(stderr));
        let patience = Program::PATIENCE * limit.patience.max(1);
        let mut work = ProcessTime::begun(child.id());
        let (mut hung, mut pause) = (false, Duration::from_micros(500));
        let kill_at = Duration::from_millis(match limit.killed_after {
            0 => u64::MAX / 1000,
            after => after,
        });
        let status = loop {
            match child.try_wait() {
                Ok(Some(status)) => break Some(status),
                Ok(None) => {}
                Err(_) => break None,
            }
            let passed = begun.elapsed();
            hung = kill_at > patience && work.has_taken(patience);
            if hung || passed >= kill_at {
                let _ = child.kill();
                break child.wait().ok();
            }
            thread::sleep(pause.min(kill_at.saturating_sub(passed)));
            pause = (pause * 3 / 2).min(Duration::from_millis(20));
        };
        ProgramRun {
            code: status.and_then(|status| status.code()),
            signal: status.and_then(|status| status.signal()),
            stdout: stdout.join().unwrap_or_default(),
            stderr: stderr.join().unwrap_or_default(),
            calls: 0,
            peak: 0,
            pieces: 0,
            hung,
        }
    })
}

/// The processor's time that a process takes.
struct ProcessTime {
    process: u32,
    // Where the clock, and the time of the processor, stood when it was last seen at work.
    seen: (Instant, Duration),
}

impl ProcessTime {
    // What a process that works gets of the processor at least, however much else there is to do.
    const LEAST: u32 = 100;

    fn begun(process: u32) -> ProcessTime {
        ProcessTime {
            process,
            seen: (Instant::now(), Duration::ZERO),
        }
    }

    /// Whether it has taken this much time of the processor, or waited for so long.
    fn has_taken(&mut self, patience: Duration) -> bool {
        let (since, before) = self.seen;
        if since.elapsed() <= patience {
            return false;
        }
        let Some(taken) = processor_time(self.process) else {
            return true;
        };
        self.seen = (Instant::now(), taken);
        taken > patience || taken - before < patience / ProcessTime::LEAST
    }
}

// The time of the processor that a process has taken, where Linux tells it.
fn processor_time(process: u32) -> Option<Duration> {
    // Ticks of which Linux shows a hundred a second.
    const TICK: Duration = Duration::from_millis(10);
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the program is in parentheses and may hold blanks.
    let (_, after) = stat.rsplit_once(')')?;
    let mut ticks = after.split_whitespace().skip(11).map(str::parse::<u32>);
    let [user, system] = [ticks.next()?.ok()?, ticks.next()?.ok()?];
    Some(TICK * user.saturating_add(system))
}

fn read(from: Option<impl Read>) -> String {
    let mut bytes = Vec::new();
    if let Some(mut from) = from {
        let _ = from.read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    const SHORT: Duration = Duration::from_millis(250);

    fn taken_by(script: &str) -> (Duration, bool) {
        let mut child = Command::new("sh")
            .args(["-c", script])
            .spawn()
            .expect("a shell");
        let mut work = ProcessTime::begun(child.id());
        let begun = Instant::now();
        while !work.has_taken(SHORT) && begun.elapsed() < 60 * SHORT {
            thread::sleep(SHORT / 20);
        }
        let taken = processor_time(child.id()).expect("a process that is there");
        child.kill().expect("a process that is there");
        child.wait().expect("a process of its own");
        (taken, begun.elapsed() < 60 * SHORT)
    }

    #[test]
    fn patience_is_of_the_processor() {
        let (busy, ended) = taken_by("while :; do :; done");
        assert!(ended && busy > SHORT, "{busy:?}");
        let (idle, ended) = taken_by("exec sleep 600");
        assert!(ended && idle < SHORT, "{idle:?}");
    }
}
