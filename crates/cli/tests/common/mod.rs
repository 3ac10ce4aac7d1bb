//! Runs the binary as a user would.

use std::path::Path;

use assert_cmd::Command;

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
            .env_remove("GREENWAVE_MEMORY")
            .env_remove("GREENWAVE_COLOURS")
            .args(args)
            .write_stdin(input)
            .output()
            .unwrap();
        Run {
            code: output.status.code().expect("ended by itself"),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Insists on exit code 0.
    #[allow(dead_code)]
    pub(crate) fn ok(self) -> Run {
        assert_eq!(self.code, 0, "{self:?}");
        self
    }

    /// The one JSON document that was printed.
    #[allow(dead_code)]
    pub(crate) fn json(&self) -> serde_json::Value {
        assert_eq!(self.code, 0, "{self:?}");
        assert_eq!(self.stdout.lines().count(), 1, "one document on one line");
        serde_json::from_str(&self.stdout).unwrap()
    }
}
