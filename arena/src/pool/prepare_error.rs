//! Why a tournament cannot be played on this machine.

use std::io;
use std::path::PathBuf;

use crate::opponent::Shortage;

/// Why a tournament cannot be played on this machine.
#[derive(Debug, thiserror::Error)]
pub enum PrepareError {
    /// The program of an engine does not exist, also after its build command.
    #[error(
        "engine `{engine}`: its `build` command did not produce `{}`; paths are relative to the current folder",
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
        /// The interpreter in the first line.
        interpreter: String,
    },
    /// Engines cannot start, or do not match the configuration.
    #[error("{}", problems.join("\n"))]
    Engines {
        /// One message per engine.
        problems: Vec<String>,
    },
    /// The system does not allow more engine processes.
    #[error(transparent)]
    Shortage(#[from] Shortage),
    /// A folder cannot be created.
    #[error("cannot write `{}`: {error}; choose a place that exists and that you can write to", path.display())]
    Output {
        /// The folder.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
}
