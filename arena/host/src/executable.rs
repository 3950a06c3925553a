//! Finds the program of an engine.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::{env, fs};

use engine_proto::fen::shown;

use crate::closest::closest_path;

/// The absolute path of the program that `command` names: a path relative to the current folder, or a name that is
/// looked up on `PATH`.
///
/// # Errors
/// If there is no such program, or it is not executable.
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
        if let Some(interpreter) = missing_interpreter(program) {
            return Err(ProgramError::NoInterpreter { interpreter });
        }
        if cfg!(unix) && is_bare_script(program) {
            return Err(ProgramError::NotRunnable { what: "is a script without `#!`" });
        }
        return std::path::absolute(program).map_err(|_| ProgramError::NotFound { help: None });
    }
    if let Some(other) = candidates.iter().find(|path| path.exists()) {
        let what = if other.is_dir() { "is a folder" } else { "is not executable" };
        return Err(ProgramError::NotRunnable { what });
    }
    if is_bare_name {
        return Err(ProgramError::NotOnPath { is_here: command.exists() });
    }
    Err(ProgramError::NotFound { help: closest_path(command, is_runnable) })
}

/// Why a program cannot be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProgramError {
    /// There is no such file. Contains a file with a similar name, if there is one.
    NotFound {
        /// A file that may have been meant.
        help: Option<PathBuf>,
    },
    /// No folder on `PATH` contains this program.
    NotOnPath {
        /// Whether the current folder contains a file with this name.
        is_here: bool,
    },
    /// The file exists, but is not a program.
    NotRunnable {
        /// What it is.
        what: &'static str,
    },
    /// It is a script, and the interpreter in its first line does not exist.
    NoInterpreter {
        /// The interpreter in the first line.
        interpreter: String,
    },
}

impl ProgramError {
    /// The remedy, except for a file that does not exist.
    pub fn remedy(&self, command: &Path) -> Option<String> {
        let command = command.display();
        match self {
            Self::NotOnPath { is_here: true } => {
                Some(format!("to use the file in the current folder, write `./{command}`"))
            }
            Self::NotOnPath { is_here: false } => Some(
                "install it, or write a path with a `/`; paths are relative to the current folder".to_owned(),
            ),
            Self::NoInterpreter { interpreter } => {
                Some(format!("install `{interpreter}`, or correct the first line of `{command}`"))
            }
            Self::NotRunnable { what } if what.ends_with("folder") => {
                Some("name the program in it".to_owned())
            }
            Self::NotRunnable { what } if what.ends_with("`#!`") => Some(
                "begin it with a line such as `#!/usr/bin/env python3`, or write its interpreter before it"
                    .to_owned(),
            ),
            Self::NotRunnable { .. } => Some(format!(
                "run `chmod +x {command}`; a script also needs a first line `#!...`, or its interpreter before it"
            )),
            Self::NotFound { .. } => None,
        }
    }
}

/// The interpreter in the first line of a script, if it does not exist. `env` looks up its program on `PATH`.
fn missing_interpreter(program: &Path) -> Option<String> {
    /// The kernel reads only this part of the line.
    const LONGEST: u64 = 256;
    let mut line = Vec::new();
    let file = fs::File::open(program).ok()?;
    BufReader::new(file.take(LONGEST)).read_until(b'\n', &mut line).ok()?;
    let line = String::from_utf8_lossy(line.strip_prefix(b"#!")?.strip_suffix(b"\n")?).into_owned();
    let mut words = line.split([' ', '\t']).filter(|word| !word.is_empty());
    let interpreter = words.next()?;
    if !Path::new(interpreter).exists() {
        return Some(shown(interpreter));
    }
    let is_env = Path::new(interpreter).file_name().is_some_and(|name| name == "env");
    let looked_up =
        words.next().filter(|word| is_env && !word.starts_with('-') && !word.contains(['=', '/']))?;
    let path = env::var_os("PATH").unwrap_or_default();
    let is_on_path = env::split_paths(&path).any(|folder| is_runnable(&folder.join(looked_up)));
    (!is_on_path).then(|| shown(looked_up))
}

/// Whether the system cannot execute the program, because it is text that does not name its interpreter. Some shells and C
/// libraries take it for a script of `/bin/sh`.
fn is_bare_script(program: &Path) -> bool {
    let mut head = [0; 4];
    let is_read = fs::File::open(program).and_then(|mut file| file.read_exact(&mut head)).is_ok();
    let is_text = head.iter().all(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace());
    is_read && is_text && !head.starts_with(b"#!")
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
