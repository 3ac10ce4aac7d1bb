//! The access log: a line for each request, in a file that may be moved away meanwhile.

use std::fs::File;
use std::io::{self, Read, Write, stdout};
use std::net::IpAddr;
use std::path::Path;
use std::sync::Mutex;

use super::error::ServeError;
use crate::lock::locked;

/// The file that is written to, or standard output.
pub(super) struct Log {
    #[cfg(unix)]
    path: std::path::PathBuf,
    /// None where it is standard output.
    file: Option<Mutex<File>>,
}

impl Log {
    /// Opens the file, which is made where it is not there. A file of another kind is left alone.
    pub(super) fn open(path: &Path) -> Result<Log, ServeError> {
        if path.as_os_str() == "-" {
            return Ok(Log {
                #[cfg(unix)]
                path: path.into(),
                file: None,
            });
        }
        let file = opened(path).map_err(|cause| ServeError::Log {
            file: path.display().to_string(),
            cause,
        })?;
        Ok(Log {
            #[cfg(unix)]
            // A relative path means the same file however long the server runs.
            path: std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf()),
            file: Some(Mutex::new(file)),
        })
    }

    /// Adds a line. A full disk is no reason to serve nothing.
    pub(super) fn add(&self, line: &str) {
        let _ = match &self.file {
            Some(file) => locked(file).write_all(line.as_bytes()),
            None => stdout().lock().write_all(line.as_bytes()),
        };
    }

    /// Goes on in the file that has the name now; in the old one where there can be none.
    #[cfg(unix)]
    fn reopen(&self) {
        let Some(old) = &self.file else { return };
        if let Ok(file) = opened(&self.path) {
            *locked(old) = file;
        }
    }
}

/// A text in double quotes, in which nothing ends them or the line.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        if letter.is_control() || letter == '"' || letter == '\\' {
            out.extend(letter.escape_default());
        } else {
            out.push(letter);
        }
    }
    out.push('"');
    out
}

fn opened(path: &Path) -> io::Result<File> {
    expect_log(path)?;
    let mut options = File::options();
    options.create(true).append(true);
    // A pipe that nobody reads is not waited for.
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
    }
    let file = options.open(path)?;
    #[cfg(unix)]
    rustix::fs::fcntl_setfl(&file, rustix::fs::OFlags::APPEND)?;
    Ok(file)
}

/// Refuses a file with something else in it than lines of a log: a table would be broken, and a record, too. What
/// the process has open already, such as `/dev/stdout`, is no file that somebody named by mistake.
fn expect_log(path: &Path) -> io::Result<()> {
    /// Bytes of a time and an address, with room.
    const HEAD: u64 = 100;
    let mut open_already = ["/dev", "/proc"].iter();
    if !path.is_file() || open_already.any(|folder| path.starts_with(folder)) {
        return Ok(());
    }
    let mut head = Vec::new();
    // What may be written and not read is a log of somebody careful.
    let read = File::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut head));
    if read.is_err() || head.is_empty() || begins_as_log(&head) {
        return Ok(());
    }
    Err(io::Error::new(
        io::ErrorKind::AlreadyExists,
        "it is there already and is no access log",
    ))
}

/// Whether bytes begin as the lines do: seconds, an address, a request in quotes.
fn begins_as_log(head: &[u8]) -> bool {
    let mut words = head.split(|byte| *byte == b' ');
    let mut next = || words.next().and_then(|word| std::str::from_utf8(word).ok());
    next().is_some_and(|seconds| seconds.parse::<u64>().is_ok())
        && next().is_some_and(|client| client.parse::<IpAddr>().is_ok())
        && next().is_some_and(|asked| asked.starts_with('"'))
}

/// Opens the log again after each `kill -HUP`, which programs send when they rotate logs. Without a
/// log the signal ends the process, as it always does.
#[cfg(unix)]
pub(super) fn reopen_on_hangup(log: &std::sync::Arc<Log>) {
    use tokio::signal::unix::{SignalKind, signal};
    let Ok(mut hangup) = signal(SignalKind::hangup()) else {
        return;
    };
    let log = std::sync::Arc::clone(log);
    tokio::spawn(async move {
        while hangup.recv().await.is_some() {
            log.reopen();
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_the_quotes_or_the_line_of_a_request() {
        for (asked, written) in [
            ("GET /?a=é", r#""GET /?a=é""#),
            ("GET /\" 200 1.0 ms\n", r#""GET /\" 200 1.0 ms\n""#),
            ("GET /\\\u{7f}", r#""GET /\\\u{7f}""#),
        ] {
            assert_eq!(quoted(asked), written);
        }
    }
}
