//! Runs the binary as a user would.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use assert_cmd::Command;
use greenwave_testkit::schemas;

/// The path of this machine's Python, which the tests look up once: the first program in the path
/// may be a script that looks for it, and takes longer than the program itself. Where it does not
/// tell, `python3` is started as it is.
pub(crate) fn python() -> std::process::Command {
    static PATH: LazyLock<PathBuf> = LazyLock::new(|| {
        const WHERE: [&str; 2] = ["-c", "import sys; print(sys.executable)"];
        let told = std::process::Command::new("python3").args(WHERE).output();
        let told = told.ok().filter(|told| told.status.success());
        let path = told.map(|told| String::from_utf8_lossy(&told.stdout).trim().to_string());
        let path = path.filter(|path| !path.is_empty());
        PathBuf::from(path.unwrap_or("python3".into()))
    });
    std::process::Command::new(&*PATH)
}

/// What a run gave.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs `greenwave` with its tables in a folder.
pub(crate) fn greenwave(dir: &Path, args: &[&str]) -> Run {
    Run::with_input(dir, args, b"")
}

impl Run {
    /// The same with text on stdin.
    pub(crate) fn with_input(dir: &Path, args: &[&str], input: &[u8]) -> Run {
        let output = Command::new(env!("CARGO_BIN_EXE_greenwave"))
            .env("GREENWAVE_DIR", dir)
            .env("GREENWAVE_THREADS", "2")
            .env("GREENWAVE_PROGRESS", "none")
            .env("LC_ALL", "C")
            .env_remove("GREENWAVE_MEMORY")
            .env_remove("GREENWAVE_COLOURS")
            .env_remove("GREENWAVE_LIGHTS")
            .args(args)
            .write_stdin(input)
            .output()
            .unwrap();
        let run = Run {
            code: output.status.code().expect("ended by itself"),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        };
        run.expect_documents(args);
        run
    }

    /// With `--json` every line is a document of the schema of its command, and so is an error.
    fn expect_documents(&self, args: &[&str]) {
        /// Number of lines of a long list that the test reads, besides the last.
        const LOOKED_AT: usize = 500;
        let options = args.split(|arg| *arg == "--").next().unwrap_or_default();
        if !options.contains(&"--json") {
            return;
        }
        if let Some(command) = options.iter().find(|arg| schemas::has(arg)) {
            let lines = self.stdout.lines();
            let last = lines.clone().skip(LOOKED_AT).last();
            for line in lines.take(LOOKED_AT).chain(last) {
                schemas::expect(command, line);
            }
        }
        let documents = self.stderr.lines().filter(|line| line.starts_with('{'));
        for line in documents.clone() {
            let is_error = line.contains("\"error\":");
            schemas::expect(if is_error { "error" } else { "progress" }, line);
        }
        if self.code == 2 && self.stdout.is_empty() {
            assert!(
                documents.clone().any(|line| line.contains("\"error\":")),
                "an error is a document with --json: {self:?}"
            );
        }
    }

    /// Insists on exit code 0.
    pub(crate) fn ok(self) -> Run {
        assert_eq!(self.code, 0, "{self:?}");
        self
    }

    /// The JSON documents that were printed, one a line, as one array.
    pub(crate) fn list(&self) -> serde_json::Value {
        assert_eq!(self.code, 0, "{self:?}");
        json_lines(self).into()
    }

    /// The one JSON document that was printed.
    pub(crate) fn json(&self) -> serde_json::Value {
        assert_eq!(self.code, 0, "{self:?}");
        assert_eq!(self.stdout.lines().count(), 1, "one document on one line");
        serde_json::from_str(&self.stdout).unwrap()
    }
}

/// A folder with the table of the slider, which takes a while: it is solved once in each run of the tests.
pub(crate) fn slider_solved() -> &'static Path {
    static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("slider-solved");
        greenwave(&folder, &["solve", "slider", "--force", "-q"]).ok();
        folder
    });
    &FOLDER
}

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A run without tables.
pub(crate) fn run(args: &[&str]) -> Run {
    greenwave(tempfile::tempdir().unwrap().path(), args)
}

/// The JSON documents that were printed, one a line.
pub(crate) fn json_lines(run: &Run) -> Vec<serde_json::Value> {
    run.stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// A run that must fail with exit code 2 and leave nothing behind, with words that its message must
/// have.
pub(crate) fn refused(args: &[&str], words: &[&str]) {
    let dir = tempfile::tempdir().unwrap();
    let run = greenwave(dir.path(), args);
    assert_eq!(run.code, 2, "{args:?}: {run:?}");
    assert_eq!(run.stdout, "", "{args:?}");
    for word in words {
        assert!(
            run.stderr.contains(word),
            "{args:?}: no '{word}' in: {}",
            run.stderr
        );
    }
    assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
    assert_eq!(
        std::fs::read_dir(dir.path()).unwrap().count(),
        0,
        "{args:?} left files behind"
    );
}

/// A folder with a file in it, and the path of the file.
pub(crate) fn with_file(name: &str, text: &str) -> (tempfile::TempDir, String) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(name);
    std::fs::write(&path, text).unwrap();
    let path = path.display().to_string();
    (dir, path)
}
