//! Files that people name: pages, pictures, records, certificates.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use greenwave_table::create_file;

use crate::session::Session;

/// Whether a name stands for standard output, or input: `-`.
pub(crate) fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Says on stderr that a file was written.
pub(crate) fn tell_written(session: &Session, path: &Path) {
    if !is_standard(path) {
        session.remark(&format!("wrote '{}'", path.display()));
    }
}

/// Refuses what an option names as a folder and cannot be one: a file, what is below a file, or `-`.
///
/// # Errors
/// With what was found.
pub(crate) fn expect_folder(option: &str, path: &Path) -> Result<()> {
    if is_standard(path) {
        bail!("{option}: found '-', which is standard input or output, expected a folder");
    }
    Ok(greenwave_tablebase::expect_folder(option, path)?)
}

/// How pages begin that the program writes.
pub(crate) const PAGE: &str = "<!DOCTYPE html>";
/// How pictures begin that the program writes.
const PICTURE: &str = "<svg xmlns=";

/// Refuses, before any work, a file that cannot be written: its folder is not there, it is a folder itself, or it
/// is of another kind than what begins like this.
///
/// # Errors
/// As [`write_file`].
pub(crate) fn expect_place(path: &Path, begins: &str) -> Result<()> {
    expect_folder_of(path)?;
    expect_kind(path, begins.as_bytes())
}

/// Refuses, before any work, a file whose folder is not there, and a folder.
///
/// # Errors
/// As [`write_file`].
pub(crate) fn expect_folder_of(path: &Path) -> Result<()> {
    if is_standard(path) {
        return Ok(());
    }
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let found = fs::metadata(folder.unwrap_or(Path::new(".")));
    let fits = match found {
        Ok(found) if !found.is_dir() => Err(io::ErrorKind::NotADirectory.into()),
        Ok(_) if path.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        found => found.map(|_| ()),
    };
    fits.with_context(|| cannot_write(path))
}

fn cannot_write(path: &Path) -> String {
    format!(
        "cannot write '{}'; name a file in a folder that is there and can be written",
        path.display()
    )
}

/// Writes a file that was named on the command line, or standard output.
///
/// # Errors
/// When it cannot be written, or a file of another kind would be lost; then a file of that name is as it was
/// before, if its folder takes another.
pub(crate) fn write_file(path: &Path, content: impl AsRef<[u8]>) -> Result<()> {
    let content = content.as_ref();
    if is_standard(path) {
        return super::print_bytes(content);
    }
    expect_kind(path, content)?;
    write_whole(path, content).with_context(|| cannot_write(path))
}

/// Refuses a file that is there and of another kind than the content: files of a kind begin alike, as the program
/// writes them.
///
/// # Errors
/// When it would be lost.
pub(crate) fn expect_kind(path: &Path, content: &[u8]) -> Result<()> {
    /// Bytes that tell a page, a picture, a certificate and a document from one another, and from rules.
    const HEAD: usize = 10;
    if is_standard(path) || is_open_already(path) || !path.is_file() {
        return Ok(());
    }
    let mut found = Vec::new();
    // What cannot be read says so when it is written.
    let read = File::open(path).and_then(|file| file.take(HEAD as u64).read_to_end(&mut found));
    if read.is_ok() && !found.is_empty() && found != content[..HEAD.min(content.len())] {
        bail!(
            "'{}' is there already and holds something else, which would be lost; name another file, or \
             remove that one",
            path.display()
        );
    }
    Ok(())
}

/// The page and the picture that a command writes beside what it prints, where they were requested.
#[derive(Clone, Copy)]
pub(crate) struct PageAndPicture<'a> {
    page: Option<&'a Path>,
    picture: Option<&'a Path>,
}

impl<'a> PageAndPicture<'a> {
    /// Those of `--html` and `--svg`, beside documents that are `printed`; `options` names all of these.
    ///
    /// # Errors
    /// When more than one of them would go to standard output, and when one cannot be written.
    pub(crate) fn new(
        page: Option<&'a Path>,
        picture: Option<&'a Path>,
        printed: bool,
        options: &str,
    ) -> Result<PageAndPicture<'a>> {
        let named = [page, picture].into_iter().flatten();
        let standard = named.filter(|path| is_standard(path)).count();
        if standard + usize::from(printed) > 1 {
            bail!("{options} cannot share standard output; name a file for all but one");
        }
        page.map_or(Ok(()), |page| expect_place(page, PAGE))?;
        picture.map_or(Ok(()), |picture| expect_place(picture, PICTURE))?;
        Ok(PageAndPicture { page, picture })
    }

    /// Whether there is neither.
    pub(crate) fn is_empty(&self) -> bool {
        self.page.is_none() && self.picture.is_none()
    }

    /// Writes what was requested and says so.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub(crate) fn write(
        &self,
        session: &Session,
        page: impl FnOnce() -> String,
        picture: impl FnOnce() -> String,
    ) -> Result<()> {
        if let Some(path) = self.page {
            write_file(path, page())?;
            tell_written(session, path);
        }
        if let Some(path) = self.picture {
            write_file(path, picture())?;
            tell_written(session, path);
        }
        Ok(())
    }
}

/// Whether a path is one such as `/dev/stdout`, which the program has open.
fn is_open_already(path: &Path) -> bool {
    let mut folders = ["/dev", "/proc"].iter();
    folders.any(|folder| path.starts_with(folder))
}

/// Writes a file whole or not at all: beside it, synced, then renamed. It keeps its permissions,
/// and a link stays one. If the path is no regular file, such as a pipe, it is written to directly,
/// and so is a file in a folder that takes no other. The program appends to `/dev/stdout` and
/// others that the process has open already.
pub(crate) fn write_whole(path: &Path, content: &[u8]) -> io::Result<()> {
    if is_open_already(path) {
        return write_to(File::options().append(true), path, content);
    }
    let there = fs::canonicalize(path);
    let path = there.as_deref().unwrap_or(path);
    let found = match fs::metadata(path) {
        Ok(found) => Some(found),
        // A link that leads to where nothing is yet.
        Err(_) if fs::symlink_metadata(path).is_ok() => return fs::write(path, content),
        Err(_) => None,
    };
    if let Some(found) = &found {
        // Also asks whether it may be written.
        let mut file = opened_to_write(path)?;
        if !found.is_file() {
            return file.write_all(content);
        }
    }
    let beside = path.with_file_name(format!(".greenwave-{}.part", std::process::id()));
    let written = create_file(&beside).and_then(|mut file| {
        file.write_all(content)?;
        if let Some(found) = &found {
            file.set_permissions(found.permissions())?;
        }
        file.sync_all()?;
        fs::rename(&beside, path)
    });
    let Err(error) = written else { return Ok(()) };
    // The part of a file is of no use; the first error is the one to show.
    let _ = fs::remove_file(&beside);
    let in_place = [io::ErrorKind::PermissionDenied, io::ErrorKind::ResourceBusy];
    if found.is_some() && in_place.contains(&error.kind()) {
        return write_to(File::options().write(true).truncate(true), path, content);
    }
    Err(error)
}

/// Opens what is there. A pipe from which nobody reads is not waited for endlessly.
fn opened_to_write(path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
        use std::time::{Duration, Instant};

        use rustix::fs::OFlags;

        use super::pipe::{TOLD, WAIT, blocking, tell_waiting};

        if fs::metadata(path)?.file_type().is_fifo() {
            let mut nonblocking = File::options();
            nonblocking
                .write(true)
                .custom_flags(OFlags::NONBLOCK.bits().cast_signed());
            let unread = Some(rustix::io::Errno::NXIO.raw_os_error());
            let (begun, mut is_told) = (Instant::now(), false);
            let file = loop {
                match nonblocking.open(path) {
                    Err(error) if error.raw_os_error() == unread => {}
                    opened => break opened?,
                }
                if begun.elapsed() > TOLD + WAIT {
                    let problem = format!("nobody reads from this pipe, waited {WAIT:?}");
                    return Err(io::Error::new(io::ErrorKind::TimedOut, problem));
                }
                if begun.elapsed() > TOLD && !is_told {
                    tell_waiting(path);
                    is_told = true;
                }
                std::thread::sleep(Duration::from_millis(20));
            };
            return blocking(file);
        }
    }
    File::options().write(true).open(path)
}

fn write_to(options: &OpenOptions, path: &Path, content: &[u8]) -> io::Result<()> {
    options.open(path)?.write_all(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_written_whole_and_nothing_is_left_beside_them() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("page.html");
        let names = || fs::read_dir(dir.path()).unwrap().count();
        for text in ["<!doctype html>first", "<!doctype html>second"] {
            write_file(&file, text).unwrap();
            assert_eq!(fs::read_to_string(&file).unwrap(), text);
            assert_eq!(names(), 1);
        }
        for other in ["variant = \"own\"", "<svg xmlns=\"", ""] {
            let error = write_file(&file, other).unwrap_err();
            assert!(error.to_string().contains("something else"), "{error:#}");
        }
        let text = fs::read_to_string(&file).unwrap();
        assert_eq!(text, "<!doctype html>second");
        let error = write_file(dir.path(), "third").unwrap_err();
        assert!(format!("{error:#}").contains("cannot write"), "{error:#}");
        let nowhere = dir.path().join("nowhere").join("page.html");
        assert!(write_file(&nowhere, "fourth").is_err());
        // What cannot be written is refused before any work, in the same words.
        for path in [&nowhere, dir.path(), &file.join("page.html")] {
            let early = format!("{:#}", expect_place(path, PAGE).unwrap_err());
            assert!(early.starts_with(&cannot_write(path)), "{early}");
        }
        assert!(expect_place(&file, PICTURE).is_err());
        for path in [
            &file,
            &dir.path().join("new"),
            Path::new("-"),
            Path::new("new"),
        ] {
            expect_place(path, "<!doctype html>").unwrap();
        }
        assert_eq!(names(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn links_devices_and_permissions_stay_what_they_are() {
        use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};

        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::write(at("record"), "<!doctype html>before").unwrap();
        let private = fs::Permissions::from_mode(0o640);
        fs::set_permissions(at("record"), private.clone()).unwrap();
        let after = "<!doctype html>after";
        for (link, target) in [
            ("link", at("record")),
            ("dangling", at("new")),
            ("null", "/dev/null".into()),
        ] {
            symlink(&target, at(link)).unwrap();
            write_file(&at(link), after).unwrap();
            assert!(fs::symlink_metadata(at(link)).unwrap().is_symlink());
        }
        for name in ["record", "new"] {
            assert_eq!(fs::read_to_string(at(name)).unwrap(), after);
        }
        assert_eq!(
            fs::metadata(at("record")).unwrap().permissions().mode() & 0o777,
            0o640
        );
        assert!(
            fs::metadata("/dev/null")
                .unwrap()
                .file_type()
                .is_char_device()
        );
    }
}
