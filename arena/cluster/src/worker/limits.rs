//! What engines of another machine may use here (`--limits`), and what they must not read.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use host::files::bytes_on_disk;
use model::{Cage, Size};

/// Limits of each engine of another machine. A limit of the tournament holds, too; the lower one counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Memory.
    pub memory: Option<Size>,
    /// Files of all engines together.
    pub disk: Option<Size>,
    /// Processes and threads; `None` for the limit of every sandbox.
    pub processes: Option<u32>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { memory: Some(Size { bytes: 4 << 30 }), disk: Some(Size { bytes: 1 << 30 }), processes: None }
    }
}

impl FromStr for Limits {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut limits = Self::default();
        for part in text.split(',') {
            let (key, value) =
                part.split_once('=').ok_or_else(|| format!("`{part}` is not a limit: {HOW}"))?;
            let size = || match value {
                "none" => Ok(None),
                size => size.parse::<Size>().map(Some).map_err(|error| error.to_string()),
            };
            match key.trim() {
                "memory" => limits.memory = size()?,
                "disk" => limits.disk = size()?,
                "processes" => {
                    let n = value.parse::<u32>().ok().filter(|n| *n > 0);
                    limits.processes =
                        Some(n.ok_or_else(|| format!("`{value}` is not a number of processes"))?);
                }
                other => return Err(format!("there is no limit `{other}`: {HOW}")),
            }
        }
        Ok(limits)
    }
}

const HOW: &str = "write limits such as `memory=2GiB,disk=500MiB,processes=64`";

impl Limits {
    /// Lowers the limits of an engine to these. `memory` is what the worker has for all engines, two for each of its places.
    pub fn apply(&self, cage: &mut Cage, memory: Option<Size>, n_places: u16) {
        let share = memory.map(|memory| Size { bytes: memory.bytes / 2 / u64::from(n_places.max(1)) });
        cage.memory = [cage.memory, self.memory.map(|most| share.map_or(most, |share| share.min(most)))]
            .into_iter()
            .flatten()
            .min();
        cage.processes = [cage.processes, self.processes].into_iter().flatten().min();
    }

    /// What is wrong with the files below a folder, to which engines write; `None` if they are not too large.
    pub fn wrong_disk(&self, folder: &Path) -> Option<String> {
        let most = self.disk?;
        let mut n_bytes = 0;
        let mut folders = vec![folder.to_owned()];
        let mut n_files = 0;
        while let Some(folder) = folders.pop() {
            let Ok(entries) = std::fs::read_dir(&folder) else {
                // Engines remove files at any time. What is there and cannot be looked at was hidden.
                if folder.is_dir() {
                    return Some("an engine hides what it has written from this worker".to_owned());
                }
                continue;
            };
            for entry in entries.flatten() {
                let Ok(metadata) = entry.metadata() else { continue };
                n_files += 1;
                n_bytes += bytes_on_disk(&metadata);
                if metadata.is_dir() {
                    folders.push(entry.path());
                }
                if n_bytes > most.bytes || n_files > MOST_FILES {
                    return Some(format!(
                        "its engines have written more than {most} or {MOST_FILES} files; the worker's limit is `disk` of `--limits`"
                    ));
                }
            }
        }
        None
    }
}

/// The most files that engines may have.
const MOST_FILES: u32 = 100_000;

/// The secret file that somebody who may read `path` can read; `None` if there is none. All paths are canonical.
pub fn secret_below<'a>(path: &Path, secrets: &'a [PathBuf]) -> Option<&'a Path> {
    secrets.iter().map(PathBuf::as_path).find(|secret| secret.starts_with(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_and_the_lower_one_counts() {
        let limits: Limits = "memory=2GiB,disk=none,processes=8".parse().unwrap();
        assert_eq!((limits.disk, limits.processes), (None, Some(8)));
        let size = |text: &str| text.parse::<Size>().ok();
        let mut cage = Cage { memory: size("1GiB"), processes: Some(100), ..Cage::default() };
        limits.apply(&mut cage, None, 4);
        assert_eq!((cage.memory, cage.processes), (size("1GiB"), Some(8)));
        limits.apply(&mut cage, size("4GiB"), 4);
        assert_eq!(cage.memory, size("512MiB"), "each engine of a full worker has its share");
        for wrong in ["", "memory", "memory=2", "memory=2GiB,x=1", "processes=0"] {
            assert!(wrong.parse::<Limits>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_engines_write_is_measured() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("a")).unwrap();
        std::fs::write(folder.path().join("a/b"), vec![1; 3 << 20]).unwrap();
        let wrong = |text: &str| text.parse::<Limits>().unwrap().wrong_disk(folder.path());
        assert_eq!(wrong("disk=8MiB"), None);
        assert!(wrong("disk=2MiB").unwrap().contains("more than 2MiB"));
        assert_eq!(wrong("disk=none"), None);
    }
}
