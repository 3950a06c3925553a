//! The results folder as a whole: who may write to it, whether it is still in its place, and moving it aside. The lock
//! of its journal is the lock of the folder.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use host::files::{Identity, is_deleted};
use host::lock::Lock;

use super::{MATCHES_JSONL, ResultsError, io_error, open_stored};

/// Opens or creates the journal at `path` and locks it.
pub(super) fn open_locked(folder: &Path, path: &Path) -> Result<(File, Lock), ResultsError> {
    loop {
        let file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(path)
            .map_err(io_error("open", path))?;
        let lock = locked(folder, path, || Lock::to_write(&file, path))?;
        // Between opening and locking, another arena may have replaced the file or moved the folder.
        let is_still_there = Some(Identity::of(&file.metadata().map_err(io_error("read", path))?))
            == fs::metadata(path).ok().map(|metadata| Identity::of(&metadata));
        if is_still_there {
            return Ok((file, lock));
        }
        fs::create_dir_all(folder).map_err(io_error("make the folder", folder))?;
    }
}

/// Locks the file with `lock`. Fails if another arena keeps it locked; one that shows the folder does so only for an instant, to see
/// whether somebody writes.
pub(super) fn locked<T>(
    folder: &Path,
    path: &Path,
    lock: impl Fn() -> Result<T, TryLockError>,
) -> Result<T, ResultsError> {
    const PATIENCE: Duration = Duration::from_millis(200);
    let begun = Instant::now();
    loop {
        match lock() {
            Ok(lock) => return Ok(lock),
            Err(TryLockError::WouldBlock) if begun.elapsed() < PATIENCE => sleep(PATIENCE / 20),
            Err(TryLockError::WouldBlock) => return Err(ResultsError::InUse { folder: folder.to_owned() }),
            Err(TryLockError::Error(error)) => return Err(io_error("lock", path)(error)),
        }
    }
}

/// Moves a folder to a free name next to it: `quick` to `quick.1`.
///
/// # Errors
/// If another arena writes to the folder, or it cannot be moved.
pub fn move_aside(folder: &Path) -> Result<Option<PathBuf>, ResultsError> {
    let is_empty = fs::read_dir(folder).is_ok_and(|mut files| files.next().is_none());
    if is_empty || !folder.exists() {
        return Ok(None);
    }
    let path = folder.join(MATCHES_JSONL);
    // Locked until it is moved.
    let _locked = match open_stored(&path) {
        Ok(journal) => {
            let lock = locked(folder, &path, || Lock::to_write(&journal, &path))?;
            lock.release_to_move(journal)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(io_error("open", &path)(error)),
    };
    let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let free = (1..u32::MAX)
        .map(|n| folder.with_file_name(format!("{name}.{n}")))
        .find(|path| !path.exists())
        .expect("there are more numbers than folders");
    fs::rename(folder, &free).map_err(io_error("move aside", folder))?;
    Ok(Some(free))
}

/// The folder that was opened. Files are written by their paths, so it must stay in its place.
#[derive(Debug)]
pub(super) struct Opened {
    path: PathBuf,
    identity: Identity,
}

impl Opened {
    /// The folder at `path`.
    pub(super) fn new(path: &Path) -> io::Result<Self> {
        Ok(Self { path: path.to_owned(), identity: Identity::of(&fs::metadata(path)?) })
    }

    /// Fails if it was moved, removed or replaced since, with the kind `NotFound`. `journal` is a file in it.
    pub(super) fn check(&self, journal: &File) -> io::Result<()> {
        let now = fs::metadata(&self.path).map(|metadata| Identity::of(&metadata));
        if now.is_ok_and(|now| now == self.identity) && !is_deleted(journal) {
            return Ok(());
        }
        let what = if is_deleted(journal) {
            "was deleted during the run, and its matches with it; the same command begins again"
        } else {
            "was moved or replaced during the run; its matches are in the moved folder"
        };
        let why = format!("the results folder `{}` {what}", self.path.display());
        Err(io::Error::new(io::ErrorKind::NotFound, why))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_looks_for_an_instant_is_waited_for() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(MATCHES_JSONL);
        let reader = File::create(&path).expect("made");
        let lock = Lock::to_read(&reader, &path).expect("nobody else has it");
        assert!(matches!(open_locked(folder.path(), &path), Err(ResultsError::InUse { .. })));
        let looking = std::thread::spawn(move || {
            sleep(Duration::from_millis(30));
            drop((lock, reader));
        });
        assert!(open_locked(folder.path(), &path).is_ok());
        looking.join().expect("it ends");
    }
}
