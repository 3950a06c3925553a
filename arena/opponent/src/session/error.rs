//! Why a session did not start.

use std::fmt;

/// Why an engine did not start.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// Because of the engine.
    #[error(transparent)]
    Engine(#[from] NoStart),
    /// Because the arena has no resources to start any engine.
    #[error(transparent)]
    Arena(#[from] Shortage),
}

/// The arena cannot go on. Not the fault of an engine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Shortage {
    /// The system has no more files, processes or memory.
    #[error("cannot start engine `{engine}`: {reason}")]
    Means {
        /// The contender's name.
        engine: String,
        /// The system's error.
        reason: String,
    },
    /// The rules of the game, which are a program, do not answer as they should.
    #[error("{reason}")]
    Rules {
        /// What happened.
        reason: String,
    },
}

/// The engine did not send a greeting.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("engine `{engine}` {what}{last_words}")]
pub struct NoStart {
    /// The contender's name.
    pub engine: String,
    /// What happened instead.
    pub what: String,
    /// The last lines of its standard error.
    pub last_words: LastWords,
}

/// The last lines that a process wrote to standard error, for an error message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastWords(pub String);

impl fmt::Display for LastWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { Ok(()) } else { write!(f, "; the end of its standard error:\n{}", self.0) }
    }
}
