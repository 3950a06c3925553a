//! Output of commands: a file that is written completely or not at all, a stream whose reader may close it, and the width of
//! the terminal.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// The ending of files that are not complete yet.
const INCOMPLETE: &str = ".new";
/// The number of random characters before it.
const RANDOM: usize = 6;

/// A file or folder that cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write `{}`: {source}; {}", path.display(), remedy(source))]
pub struct CannotWrite {
    /// The file or folder.
    pub path: PathBuf,
    /// What the system says.
    pub source: io::Error,
}

fn remedy(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory => {
            "a file has this name, or is in its path: choose another place"
        }
        io::ErrorKind::IsADirectory => "this is a folder: give the name of a file",
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "make room on the disk, or choose another place"
        }
        _ => "choose a place that exists and that you can write to",
    }
}

impl CannotWrite {
    /// The error for `path`, for `map_err`.
    pub fn at(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self { path, source }
    }
}

/// Writes the file `path` with `write`, through a new file in the same folder: after any failure, the old content is
/// still there. A symbolic link is replaced, and its target is not changed. A pipe or a device is written to directly.
///
/// # Errors
/// If it cannot be written. The old content is unchanged then.
pub fn write_whole(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    if is_device(path) {
        return fill(&File::options().write(true).open(path)?, write);
    }
    let new = temporary(path)?;
    fill(new.as_file(), write)?;
    if let Ok(old) = fs::symlink_metadata(path)
        && old.is_file()
    {
        new.as_file().set_permissions(old.permissions())?;
    }
    new.as_file().sync_all()?;
    replace(new, path).map(drop)
}

/// Gives a complete new file the name `path`, also if a file of this name is open (on Windows, `persist` cannot).
///
/// # Errors
/// If `path` cannot be replaced. The new file is removed then.
pub fn replace(new: NamedTempFile, path: &Path) -> io::Result<File> {
    let (file, new) = new.keep()?;
    fs::rename(&new, path).inspect_err(|_| drop(fs::remove_file(&new)))?;
    Ok(file)
}

/// A new file in the folder of `path`, which replaces `path` when it is complete. If it is dropped before, it is
/// removed.
///
/// # Errors
/// If it cannot be created.
pub fn temporary(path: &Path) -> io::Result<NamedTempFile> {
    let name = path.file_name().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidFilename))?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut prefix = OsString::from(".");
    prefix.push(name);
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).rand_bytes(RANDOM).suffix(INCOMPLETE).append(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The permissions of a new file, by the user's umask.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    // The library's error names the temporary file, which the user does not know, and a kind of error says less than the system.
    fs::metadata(folder)?;
    builder.tempfile_in(folder).map_err(|error| io::Error::from(error.kind()))
}

/// Removes the incomplete files that killed processes have left in `folder` for files whose names `is_own` accepts. Call it only
/// while no other process writes these files. What cannot be removed stays.
pub fn remove_incomplete(folder: &Path, is_own: impl Fn(&str) -> bool) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name().to_str().and_then(name_of_incomplete).is_some_and(&is_own) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The name that an incomplete file would have got.
fn name_of_incomplete(name: &str) -> Option<&str> {
    let name = name.strip_prefix('.')?.strip_suffix(INCOMPLETE)?;
    let (name, random) = name.split_at_checked(name.len().checked_sub(RANDOM)?)?;
    random.bytes().all(|byte| byte.is_ascii_alphanumeric()).then_some(name)
}

/// Whether `path` is written to directly. Names in `/dev` and `/proc` stand for open files.
fn is_device(path: &Path) -> bool {
    ["/dev", "/proc"].iter().any(|folder| path.starts_with(folder))
        || fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// Whether the reader of a stream has closed it.
pub fn is_closed(error: &io::Error) -> bool {
    /// Windows' `ERROR_PIPE_NOT_CONNECTED`.
    const NOT_CONNECTED: i32 = 233;
    error.kind() == io::ErrorKind::BrokenPipe || cfg!(windows) && error.raw_os_error() == Some(NOT_CONNECTED)
}

/// A stream whose reader may close it, as `head` does: further output is dropped. So the result of a command does not
/// depend on who reads its output.
#[derive(Debug)]
pub struct WhileRead<W>(pub W);

impl<W: Write> WhileRead<W> {
    fn unless_closed<T>(written: io::Result<T>, dropped: T) -> io::Result<T> {
        match written {
            Err(error) if is_closed(&error) => Ok(dropped),
            written => written,
        }
    }
}

impl<W: Write> Write for WhileRead<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Self::unless_closed(self.0.write(bytes), bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Self::unless_closed(self.0.flush(), ())
    }
}

/// The columns of the terminal that standard output goes to; none if it goes elsewhere.
pub fn stdout_columns() -> Option<usize> {
    columns(&console::Term::stdout())
}

/// The columns of the terminal that standard error goes to; none if it goes elsewhere.
pub fn stderr_columns() -> Option<usize> {
    columns(&console::Term::stderr())
}

/// A terminal that does not tell its size is as wide as terminals usually are.
fn columns(term: &console::Term) -> Option<usize> {
    const USUAL: usize = 80;
    term.features()
        .is_attended()
        .then(|| term.size_checked().map_or(USUAL, |(_, columns)| usize::from(columns)))
}

fn fill(file: &File, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::new(file);
    write(&mut out)?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_written_leaves_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.csv");
        write_whole(&path, |file| file.write_all(b"old")).unwrap();
        let failed = write_whole(&path, |file| {
            file.write_all(&vec![b'x'; 100_000])?;
            Err(io::Error::from(io::ErrorKind::StorageFull))
        });
        assert_eq!(failed.unwrap_err().kind(), io::ErrorKind::StorageFull);
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");
        let nowhere = folder.path().join("none/table.csv");
        assert_eq!(write_whole(&nowhere, |_| Ok(())).unwrap_err().kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn what_a_killed_process_has_left_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let left = temporary(&path("table.csv")).unwrap().keep().unwrap().1;
        let others = [
            ".other.csvAbCdEf.new",
            ".table.csv.new",
            "table.csvAbCdEf.new",
            ".table.csvAb-dEf.new",
            ".é.new",
        ];
        for name in others {
            fs::write(path(name), "").unwrap();
        }
        remove_incomplete(folder.path(), |name| name == "table.csv");
        assert!(!left.exists());
        assert!(others.iter().all(|name| path(name).exists()));
    }

    #[test]
    #[cfg(unix)]
    fn links_are_replaced_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let [other, link] = ["other", "link"].map(|name| folder.path().join(name));
        fs::write(&other, "other").unwrap();
        symlink(&other, &link).unwrap();
        write_whole(&link, |file| file.write_all(b"new")).unwrap();
        assert_eq!(fs::read_to_string(&other).unwrap(), "other");
        assert_eq!(fs::read_to_string(&link).unwrap(), "new");
        assert!(!fs::symlink_metadata(&link).unwrap().is_symlink());
        // As readable as any other new file.
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&link), mode(&other));

        fs::set_permissions(&other, fs::Permissions::from_mode(0o640)).unwrap();
        write_whole(&other, |file| file.write_all(b"again")).unwrap();
        assert_eq!(mode(&other) & 0o777, 0o640);
    }
}
