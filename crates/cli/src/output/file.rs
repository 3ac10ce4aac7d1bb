//! Files that people name: pages, pictures, records, certificates.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, Result};

/// Writes a file that was named on the command line.
///
/// # Errors
/// When it cannot be written; then a file of that name is as it was before.
pub(crate) fn write_file(path: &Path, content: impl AsRef<[u8]>) -> Result<()> {
    write_whole(path, content.as_ref()).with_context(|| {
        format!(
            "cannot write '{}'; name a file in a folder that is there and can be written",
            path.display()
        )
    })
}

/// Writes a file whole or not at all: beside it, synced, then renamed. A link stays one. What is there
/// and no regular file, such as a pipe or `/dev/stdout`, is written to.
pub(crate) fn write_whole(path: &Path, content: &[u8]) -> io::Result<()> {
    let there = fs::canonicalize(path);
    let path = there.as_deref().unwrap_or(path);
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return File::options().write(true).open(path)?.write_all(content);
    }
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.part", std::process::id()));
    let beside = path.with_file_name(name);
    let written = File::create(&beside)
        .and_then(|mut file| {
            file.write_all(content)?;
            file.sync_all()
        })
        .and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        // What is left over is of no use; the first error is the one to tell.
        let _ = fs::remove_file(&beside);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_written_whole_and_nothing_is_left_beside_them() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("page.html");
        let names = || fs::read_dir(dir.path()).unwrap().count();
        for text in ["first", "second"] {
            write_file(&file, text).unwrap();
            assert_eq!(fs::read_to_string(&file).unwrap(), text);
            assert_eq!(names(), 1);
        }
        let error = write_file(dir.path(), "third").unwrap_err();
        assert!(format!("{error:#}").contains("cannot write"), "{error:#}");
        let nowhere = dir.path().join("nowhere").join("page.html");
        assert!(write_file(&nowhere, "fourth").is_err());
        assert_eq!(names(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn links_and_devices_stay_what_they_are() {
        use std::os::unix::fs::{FileTypeExt, symlink};

        let dir = tempfile::tempdir().unwrap();
        let (file, link) = (dir.path().join("record.txt"), dir.path().join("link.txt"));
        fs::write(&file, "before").unwrap();
        symlink(&file, &link).unwrap();
        write_file(&link, "after").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "after");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        let null = dir.path().join("null");
        symlink("/dev/null", &null).unwrap();
        write_file(&null, "gone").unwrap();
        assert!(fs::metadata(&null).unwrap().file_type().is_char_device());
        assert!(fs::symlink_metadata(&null).unwrap().is_symlink());
    }
}
