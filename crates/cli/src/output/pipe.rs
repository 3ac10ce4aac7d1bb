//! Pipes that have names, and perhaps nobody at their other end.

use std::fs::File;
use std::io;
use std::path::Path;
use std::time::Duration;

use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};

use super::complain;

/// How long somebody is waited for without a word.
pub(crate) const TOLD: Duration = Duration::from_secs(1);
/// How long after that.
pub(crate) const WAIT: Duration = Duration::from_secs(5);

/// Says what the program waits for.
pub(crate) fn tell_waiting(path: &Path) {
    complain(&format!(
        "greenwave: waiting for the pipe '{}'",
        path.display()
    ));
}

/// A file that was opened without waiting, for calls that wait.
pub(crate) fn blocking(file: File) -> io::Result<File> {
    let flags = fcntl_getfl(&file)?;
    fcntl_setfl(&file, flags - OFlags::NONBLOCK)?;
    Ok(file)
}
