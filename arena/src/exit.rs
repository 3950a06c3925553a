//! The exit codes of all commands, in one table, and the error of a command.

use std::error::Error;
use std::{fmt, io};

use config::ConfigError;
use engine_proto::Games;
use model::escape::escaped;
use ratings::SprtVerdict;

/// How the arena exits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Success.
    Done,
    /// The command line is wrong.
    Usage,
    /// The input of the command is invalid.
    Input,
    /// Engines cannot start.
    Engines,
    /// The output of the command cannot be written.
    Output,
    /// `arena check` found a failure.
    Failed,
    /// `arena verify` found nothing wrong, but not all matches.
    Unfinished,
    /// The sequential test has accepted its first hypothesis, and the user asked for this exit code.
    AcceptedH0,
    /// The sequential test is undecided, and the user asked for this exit code.
    Undecided,
    /// The user interrupted the command.
    Interrupted,
}

/// The exit code of a panic, set by the Rust runtime.
const PANIC: (u8, &str) = (101, "a bug in the arena (panic)");

impl Exit {
    /// All exits, in the order of their codes.
    pub const ALL: [Self; 10] = [
        Self::Done,
        Self::Usage,
        Self::Input,
        Self::Engines,
        Self::Output,
        Self::Failed,
        Self::Unfinished,
        Self::AcceptedH0,
        Self::Undecided,
        Self::Interrupted,
    ];

    /// The exit of a command whose configuration is wrong.
    pub fn of_config(error: &ConfigError) -> Self {
        if error.is_of_programs() { Self::Engines } else { Self::Input }
    }

    /// The exit of a command with `--exit-code`, by what its sequential test found.
    pub const fn of_test(verdict: SprtVerdict) -> Self {
        match verdict {
            SprtVerdict::H1 => Self::Done,
            SprtVerdict::H0 => Self::AcceptedH0,
            SprtVerdict::Undecided => Self::Undecided,
        }
    }

    /// The exit code.
    pub const fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Usage => 2,
            Self::Input => 3,
            Self::Engines => 4,
            Self::Output => 5,
            Self::Failed => 6,
            Self::Unfinished => 7,
            Self::AcceptedH0 => 10,
            Self::Undecided => 11,
            Self::Interrupted => 130,
        }
    }

    /// The meaning, as in the help and the manual.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Done => "success",
            Self::Usage => "wrong command line",
            Self::Input => "wrong configuration or input",
            Self::Engines => "an engine cannot be built or started",
            Self::Output => "failure of the results folder, the output or the system",
            Self::Failed => "`arena check` found a failure",
            Self::Unfinished => "`arena verify` found nothing wrong, but matches are missing",
            Self::AcceptedH0 => "with `--exit-code`: the sequential test accepted H0",
            Self::Undecided => "with `--exit-code`: the sequential test is undecided",
            Self::Interrupted => "interrupted",
        }
    }

    /// The code and the meaning of every exit, in the order of the codes.
    pub fn table() -> Vec<(u8, &'static str)> {
        let mut rows: Vec<_> = Self::ALL.into_iter().map(|exit| (exit.code(), exit.meaning())).collect();
        rows.push(PANIC);
        rows.sort_unstable();
        rows
    }

    /// The exit of a command that could not write to standard output. If the reader closed it early, as `head` does,
    /// this is a success.
    pub fn of_stdio(error: &io::Error) -> Self {
        if host::output::is_closed(error) { Self::Done } else { Self::Output }
    }
}

/// The error of a command.
pub trait Failure: Error {
    /// The exit code. With [`Exit::Done`], no message is printed.
    fn exit(&self) -> Exit;

    /// The message for a terminal, with or without colour.
    fn render(&self, _colour: bool) -> String {
        format!("error: {}", escaped(&self.to_string()))
    }
}

impl<F: Failure + 'static> From<F> for Box<dyn Failure> {
    fn from(error: F) -> Self {
        Box::new(error)
    }
}

/// Why a command failed: what it tells the user, and how the arena exits.
#[derive(Debug)]
pub struct CommandError {
    exit: Exit,
    cause: Box<dyn Error + Send + Sync>,
}

impl CommandError {
    /// An error with this exit.
    pub fn new(exit: Exit, cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { exit, cause: cause.into() }
    }

    /// The command line is wrong.
    pub fn usage(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::new(Exit::Usage, cause)
    }

    /// The input is wrong.
    pub fn input(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::new(Exit::Input, cause)
    }

    /// Engines cannot start.
    pub fn engines(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::new(Exit::Engines, cause)
    }

    /// The system refused threads or timers.
    pub fn refused(error: &io::Error) -> Self {
        Self::new(Exit::Output, format!("the system refused a resource that the arena needs: {error}"))
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cause.fmt(f)
    }
}

impl Error for CommandError {}

impl Failure for CommandError {
    fn exit(&self) -> Exit {
        self.exit
    }

    fn render(&self, colour: bool) -> String {
        match self.cause.downcast_ref() {
            Some(error @ ConfigError::Wrong { .. }) => error.render(colour),
            _ => format!("error: {}", escaped(&self.to_string())),
        }
    }
}

/// What a command has printed may be wrong if the rules of one of its games are a program that has failed.
///
/// # Errors
/// If one has.
pub fn check_rules(games: &Games) -> Result<(), CommandError> {
    let failed = |failure| Err(CommandError::input(format!("{failure}; correct the program")));
    games.failure().map_or(Ok(()), failed)
}

/// Of a command that reads and writes no other stream.
impl From<io::Error> for CommandError {
    fn from(error: io::Error) -> Self {
        Self::new(Exit::of_stdio(&error), format!("cannot write to standard output: {error}"))
    }
}

macro_rules! exits {
    ($($error:ty => $exit:ident)*) => {
        $(impl From<$error> for CommandError {
            fn from(error: $error) -> Self {
                Self::new(Exit::$exit, error)
            }
        })*
    };
}

exits! {
    ratings::HypothesesError => Usage
    engine_proto::PlayError => Usage
    ConfigError => Input
    schedule::planning::TooManyMatches => Input
    store::MergeError => Input
    store::result_files::ReadError => Input
    host::output::CannotWrite => Output
    runner::conduct::ConductError => Output
    store::ResultsError => Output
}

impl Failure for io::Error {
    fn exit(&self) -> Exit {
        Exit::of_stdio(self)
    }

    fn render(&self, _colour: bool) -> String {
        format!("error: standard input or output: {self}")
    }
}
