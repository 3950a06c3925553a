//! Where an engine's program is.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{env, fs};

use crate::closest::closest;

/// The absolute path of the program that `command` names: a path relative to the current folder, or a name to look up
/// on `PATH`.
///
/// # Errors
/// If there is none, or it may not be run.
pub fn find(command: &Path) -> Result<PathBuf, ProgramError> {
    let is_bare_name =
        command.components().count() == 1 && !command.as_os_str().to_string_lossy().contains('/');
    let candidates: Vec<PathBuf> = if is_bare_name {
        let path = env::var_os("PATH").unwrap_or_default();
        env::split_paths(&path).map(|folder| folder.join(command)).collect()
    } else {
        vec![command.to_owned()]
    };
    let with_suffix = |path: &PathBuf| {
        let mut name = OsString::from(path);
        name.push(env::consts::EXE_SUFFIX);
        PathBuf::from(name)
    };
    let candidates: Vec<PathBuf> =
        candidates.iter().flat_map(|path| [path.clone(), with_suffix(path)]).collect();
    if let Some(program) = candidates.iter().find(|path| is_runnable(path)) {
        return std::path::absolute(program).map_err(|_| ProgramError::NotFound { help: None });
    }
    if let Some(other) = candidates.iter().find(|path| path.exists()) {
        let what = if other.is_dir() { "is a folder" } else { "is not executable" };
        return Err(ProgramError::NotRunnable { what });
    }
    Err(ProgramError::NotFound { help: if is_bare_name { None } else { nearby(command) } })
}

/// Why a program cannot be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProgramError {
    /// There is no such file; a file with a similar name, if there is one.
    NotFound {
        /// A file that may have been meant.
        help: Option<PathBuf>,
    },
    /// There is one, but it is no program.
    NotRunnable {
        /// What it is.
        what: &'static str,
    },
}

#[cfg(unix)]
fn is_runnable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_runnable(path: &Path) -> bool {
    path.is_file()
}

fn nearby(command: &Path) -> Option<PathBuf> {
    let folder = command.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = command.file_name()?.to_str()?;
    let names: Vec<String> = fs::read_dir(folder)
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| is_runnable(path))
        .filter_map(|path| Some(path.file_name()?.to_str()?.to_owned()))
        .collect();
    closest(name, names.iter().map(String::as_str)).map(|name| folder.join(name))
}
