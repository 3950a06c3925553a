//! Why a tournament cannot be played on this machine.

use std::fmt;
use std::path::PathBuf;

use host::output::CannotWrite;
use opponent::Shortage;

/// Why a tournament cannot be played on this machine.
#[derive(Debug, thiserror::Error)]
pub enum PrepareError {
    /// The program of an engine does not exist, also after its build command.
    #[error(
        "engine `{engine}`: {} `{}`; paths are relative to the current folder",
        if *was_built { "its `build` command did not produce" } else { "there is no program" },
        command.display()
    )]
    NoProgram {
        /// The engine's name.
        engine: String,
        /// The configured command.
        command: PathBuf,
        /// Whether a build command should have produced it.
        was_built: bool,
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
    /// Engines have started, and are not what the configuration says.
    #[error("{}", problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Mismatch {
        /// What is wrong, and at which engine.
        problems: Vec<EngineProblem>,
    },
    /// The system does not allow more engine processes.
    #[error(transparent)]
    Shortage(#[from] Shortage),
    /// A file or folder cannot be written.
    #[error(transparent)]
    Output(#[from] CannotWrite),
}

/// Where an engine is not what its configuration says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineProblem {
    /// The engine's name.
    pub engine: String,
    /// The key of the engine's table that it is about.
    pub key: &'static str,
    /// The option that it is about, if it is about one.
    pub option: Option<String>,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl fmt::Display for EngineProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { message, help, .. } = self;
        f.write_str(message)?;
        help.iter().try_for_each(|help| write!(f, "; {help}"))
    }
}
