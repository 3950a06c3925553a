//! The lock of a file that one program writes and others read.

use std::fs::{File, TryLockError};
use std::path::Path;

/// The lock of an open file. On Windows, nobody else can read a locked file: a file beside it is locked instead, and
/// the lock lasts as long as this value. Elsewhere it is that of the open file.
#[derive(Debug)]
pub struct Lock {
    #[cfg(windows)]
    _beside: Option<File>,
}

impl Lock {
    /// Locks `file`, which is at `path`, for the only one that writes to it.
    ///
    /// # Errors
    /// If another open file holds a lock of it.
    pub fn to_write(file: &File, path: &Path) -> Result<Self, TryLockError> {
        #[cfg(windows)]
        {
            let _ = file;
            let beside = beside(path).map_err(TryLockError::Error)?;
            return beside.try_lock().map(|()| Self { _beside: Some(beside) });
        }
        #[cfg(not(windows))]
        {
            let _ = path;
            file.try_lock().map(|()| Self {})
        }
    }

    /// Locks `file`, which is at `path`, with others that read it.
    ///
    /// # Errors
    /// If another open file is locked for writing.
    pub fn to_read(file: &File, path: &Path) -> Result<Self, TryLockError> {
        #[cfg(windows)]
        {
            let _ = file;
            // Where no file can be made, nobody writes.
            let Ok(beside) = beside(path) else { return Ok(Self { _beside: None }) };
            return beside.try_lock_shared().map(|()| Self { _beside: Some(beside) });
        }
        #[cfg(not(windows))]
        {
            let _ = path;
            file.try_lock_shared().map(|()| Self {})
        }
    }

    /// The same lock for the file that replaces the locked one.
    ///
    /// # Errors
    /// If it cannot be locked.
    pub fn hand_over(&self, new: &File) -> Result<(), TryLockError> {
        #[cfg(windows)]
        {
            let _ = new;
            Ok(())
        }
        #[cfg(not(windows))]
        new.try_lock()
    }

    /// Releases it before the folder of the file moves, if open files would keep it in its place.
    pub fn release_to_move(self, file: File) -> Option<(Self, File)> {
        (!cfg!(windows)).then_some((self, file))
    }
}

#[cfg(windows)]
fn beside(path: &Path) -> std::io::Result<File> {
    File::options().read(true).append(true).create(true).open(path.with_extension("lock"))
}
