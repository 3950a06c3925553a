//! The exit codes of all commands, in one table.

use std::error::Error;
use std::io;

/// How the arena ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// All went well.
    Done,
    /// The command line is wrong.
    Usage,
    /// What the command reads is wrong.
    Input,
    /// Engines cannot start.
    Engines,
    /// What the command writes cannot be written.
    Output,
    /// `arena check` found a failure.
    Failed,
    /// The user stopped the command.
    Interrupted,
}

/// The exit code of a panic. The Rust runtime sets it.
const PANIC: (u8, &str) = (101, "a bug in the arena (panic)");

impl Exit {
    /// All of them, in the order of their codes.
    pub const ALL: [Self; 7] =
        [Self::Done, Self::Usage, Self::Input, Self::Engines, Self::Output, Self::Failed, Self::Interrupted];

    /// The number that the process ends with.
    pub const fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Usage => 2,
            Self::Input => 3,
            Self::Engines => 4,
            Self::Output => 5,
            Self::Failed => 6,
            Self::Interrupted => 130,
        }
    }

    /// What it means, as the help and the manual print it.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Done => "success",
            Self::Usage => "wrong command line",
            Self::Input => "wrong configuration or input",
            Self::Engines => "an engine cannot be built or started",
            Self::Output => "failure of the results folder, the output or the system",
            Self::Failed => "`arena check` found a failure",
            Self::Interrupted => "interrupted",
        }
    }

    /// The code and the meaning of every way in which the process can end, in the order of the codes.
    pub fn table() -> Vec<(u8, &'static str)> {
        let mut rows: Vec<_> = Self::ALL.into_iter().map(|exit| (exit.code(), exit.meaning())).collect();
        rows.push(PANIC);
        rows.sort_unstable();
        rows
    }

    /// The end of a command that could not write to standard output. A reader that closes it early, as `head` does, has read
    /// what it wanted.
    pub fn of_stdio(error: &io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe { Self::Done } else { Self::Output }
    }
}

/// The error of a command.
pub trait Failure: Error {
    /// How the process ends. With [`Exit::Done`], nothing is printed.
    fn exit(&self) -> Exit;

    /// The message for a terminal, with colour or without.
    fn render(&self, _colour: bool) -> String {
        format!("error: {self}")
    }
}

impl<F: Failure + 'static> From<F> for Box<dyn Failure> {
    fn from(error: F) -> Self {
        Box::new(error)
    }
}

impl Failure for io::Error {
    fn exit(&self) -> Exit {
        Exit::of_stdio(self)
    }

    fn render(&self, _colour: bool) -> String {
        format!("error: standard input or output: {self}")
    }
}
