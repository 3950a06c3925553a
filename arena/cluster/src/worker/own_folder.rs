//! The worker's own folder for the files of engines, below the system's folder for temporary files. It is locked for as long
//! as the worker runs, so that the next worker removes the folders of those that were killed.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::Path;
use std::time::Duration;

use host::files::is_own_folder;
use tempfile::TempDir;

const PREFIX: &str = "arena-worker-";
/// The file in the folder that is locked.
const LOCK: &str = "lock";
/// A folder without that file is left over after this time. A younger one may be of a worker that starts now.
const OLD: Duration = Duration::from_secs(24 * 3600);

/// The folder. It is removed with its value.
#[derive(Debug)]
pub struct OwnFolder {
    folder: TempDir,
    _lock: File,
}

impl OwnFolder {
    /// Creates the folder in `parent`, and removes those of workers that were killed.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn create_in(parent: &Path) -> io::Result<Self> {
        remove_leftovers(parent);
        loop {
            let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(parent)?;
            let path = folder.path().join(LOCK);
            let lock = OpenOptions::new().write(true).create_new(true).open(&path);
            match lock {
                // Otherwise another worker has found the file before it was locked.
                Ok(lock) if lock.try_lock().is_ok() && path.exists() => {
                    return Ok(Self { folder, _lock: lock });
                }
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

fn remove_leftovers(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let path = entry.path();
        let is_ours = entry.file_name().to_string_lossy().starts_with(PREFIX) && is_own_folder(&path);
        if !is_ours {
            continue;
        }
        match File::open(path.join(LOCK)) {
            Ok(lock) => {
                if lock.try_lock().is_ok() {
                    // What cannot be removed is tried again by the next worker.
                    let _ = fs::remove_dir_all(&path);
                }
            }
            Err(error) => {
                if error.kind() == ErrorKind::NotFound && is_old(&path) {
                    let _ = fs::remove_dir_all(&path);
                }
            }
        }
    }
}

fn is_old(path: &Path) -> bool {
    let modified = fs::metadata(path).and_then(|metadata| metadata.modified());
    modified.is_ok_and(|modified| modified.elapsed().is_ok_and(|age| OLD < age))
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::*;

    #[test]
    fn the_folders_of_killed_workers_are_removed_and_no_others() {
        let parent = tempfile::tempdir().unwrap();
        let folder = |name: &str| {
            let path = parent.path().join(name);
            fs::create_dir_all(path.join("logs")).unwrap();
            path
        };
        let running = OwnFolder::create_in(parent.path()).unwrap();
        let killed = folder("arena-worker-killed");
        fs::write(killed.join(LOCK), "").unwrap();
        let starting = folder("arena-worker-starting");
        let old = folder("arena-worker-old");
        File::open(&old).unwrap().set_modified(SystemTime::now() - 2 * OLD).unwrap();
        let foreign = folder("other");
        fs::write(foreign.join(LOCK), "").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(&foreign, parent.path().join("arena-worker-link")).unwrap();
        let next = OwnFolder::create_in(parent.path()).unwrap();
        assert!(!killed.exists() && !old.exists());
        assert!(starting.exists() && foreign.exists() && running.path().exists());
        let path = next.path().to_owned();
        drop(next);
        assert!(!path.exists());
    }
}
