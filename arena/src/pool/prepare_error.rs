//! Why a tournament cannot be played on this machine.

use std::io;
use std::path::PathBuf;

use crate::opponent::Shortage;

/// Why a tournament cannot be played on this machine.
#[derive(Debug, thiserror::Error)]
pub enum PrepareError {
    /// An engine's program is not there, even after it was built.
    #[error(
        "engine `{engine}`: there is no program `{}` after its `build` command; paths are relative to the current folder",
        command.display()
    )]
    NoProgram {
        /// The engine's name.
        engine: String,
        /// The configured command.
        command: PathBuf,
    },
    /// An engine's program is a script without interpreter.
    #[error(
        "engine `{engine}`: the interpreter `{interpreter}` of `{}` does not exist; install it, or correct the first line of \
         the script",
        command.display()
    )]
    NoInterpreter {
        /// The engine's name.
        engine: String,
        /// The configured command.
        command: PathBuf,
        /// The interpreter, as the first line names it.
        interpreter: String,
    },
    /// Engines cannot start, or are not what the configuration says.
    #[error("{}", problems.join("\n"))]
    Engines {
        /// One message an engine.
        problems: Vec<String>,
    },
    /// The system gives the arena no engines.
    #[error(transparent)]
    Shortage(#[from] Shortage),
    /// A folder cannot be made.
    #[error("cannot write `{}`: {error}; choose a place that exists and that you can write to", path.display())]
    Output {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
}
