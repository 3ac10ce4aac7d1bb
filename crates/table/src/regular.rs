//! Files that are files and nothing else. A pipe, a device or a folder in place of a file is
//! refused at once, before anything waits for it. Output goes to a new file of ours, and never
//! through a link that somebody else left under its name.

use std::fs::{self, File, FileType, OpenOptions};
use std::io;
use std::path::Path;

/// Opens a file for reading; links to files are followed.
///
/// # Errors
/// Whatever the system answers; `IsADirectory` for a folder and `InvalidInput` for a pipe, a socket or
/// a device, which are not waited for.
pub fn open_file(path: &Path) -> io::Result<File> {
    open(OpenOptions::new().read(true), false, path)
}

/// Creates a new file for reading and writing. An older file of the name is removed first; of a
/// link, the link itself and not its target.
///
/// # Errors
/// Any error of the system; `IsADirectory` when a folder has the name.
pub fn create_file(path: &Path) -> io::Result<File> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => return Err(unfit(found.file_type())),
        Ok(_) => fs::remove_file(path)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    open(&mut options, true, path)
}

/// Opens a file that is there for reading and writing; links are not followed.
pub(crate) fn reopen_file(path: &Path) -> io::Result<File> {
    open(OpenOptions::new().read(true).write(true), true, path)
}

/// Opens a lock file for writing, made if there is none; links are not followed. Windows lets nobody else
/// open it meanwhile and removes it with the last handle, even if it kills the process.
///
/// # Errors
/// Any error of the system; `WouldBlock` on Windows while somebody else has it open.
pub(crate) fn open_lock(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(windows)]
    {
        use std::os::windows::fs::OpenOptionsExt;
        const FILE_FLAG_DELETE_ON_CLOSE: u32 = 0x0400_0000;
        const ERROR_SHARING_VIOLATION: i32 = 32;
        options
            .share_mode(0)
            .custom_flags(FILE_FLAG_DELETE_ON_CLOSE);
        open(&mut options, true, path).map_err(|error| {
            if error.raw_os_error() == Some(ERROR_SHARING_VIOLATION) {
                io::ErrorKind::WouldBlock.into()
            } else {
                error
            }
        })
    }
    #[cfg(not(windows))]
    open(&mut options, true, path)
}

fn open(options: &mut OpenOptions, itself: bool, path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        // Without waiting for the other end of a pipe; files do not care.
        let link = if itself { libc::O_NOFOLLOW } else { 0 };
        options.custom_flags(libc::O_NONBLOCK | link);
    }
    let found = if itself {
        fs::symlink_metadata(path)
    } else {
        fs::metadata(path)
    };
    // Some devices do something when they are opened.
    if let Ok(found) = found
        && !found.is_file()
    {
        return Err(unfit(found.file_type()));
    }
    let file = options.open(path)?;
    let found = file.metadata()?.file_type();
    if found.is_file() {
        Ok(file)
    } else {
        Err(unfit(found))
    }
}

fn unfit(found: FileType) -> io::Error {
    let (kind, what) = if found.is_dir() {
        (io::ErrorKind::IsADirectory, "a folder")
    } else if found.is_symlink() {
        (io::ErrorKind::InvalidInput, "a link")
    } else {
        (io::ErrorKind::InvalidInput, special(found))
    };
    io::Error::new(kind, format!("found {what}, expected a file"))
}

#[cfg(unix)]
fn special(found: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    if found.is_fifo() {
        "a pipe"
    } else if found.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

#[cfg(not(unix))]
fn special(_: FileType) -> &'static str {
    "something else"
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_lead_to_files_that_are_read_and_not_to_files_that_are_written() {
        let folder = tempfile::tempdir().unwrap();
        let [file, link] = ["file", "link"].map(|name| folder.path().join(name));
        fs::write(&file, "as it was").unwrap();
        symlink(&file, &link).unwrap();
        assert!(open_file(&link).is_ok());
        let error = open_lock(&link).unwrap_err().to_string();
        assert_eq!(error, "found a link, expected a file");
        create_file(&link).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_file());
        assert_eq!(fs::read(&link).unwrap(), b"");
        assert_eq!(fs::read(&file).unwrap(), b"as it was");
    }

    #[test]
    fn what_is_no_file_is_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        let said = |opened: io::Result<File>| opened.unwrap_err().to_string();
        for open in [open_file, open_lock] {
            assert_eq!(said(open(&pipe)), "found a pipe, expected a file");
            let device = Path::new("/dev/zero");
            assert_eq!(said(open(device)), "found a device, expected a file");
            let folder = folder.path();
            assert_eq!(said(open(folder)), "found a folder, expected a file");
        }
        assert!(create_file(folder.path()).is_err());
        assert!(create_file(&pipe).is_ok());
    }
}
