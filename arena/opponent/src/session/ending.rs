//! The end of an engine: how it is told to exit, and how its own end is described.

use std::process::ExitStatus;
use std::time::{Duration, Instant};

use tokio::time::timeout_at;

use super::lines::not_text;
use super::{LastWords, NoLine, Pipe, ReceivedLine, Session};
use crate::pauses::Deadline;
use crate::process::End;
use model::referee::Response;

/// How long the arena waits for the exit status of a process that has closed its output.
const EXIT_GRACE: Duration = Duration::from_millis(100);

/// How the arena tells an engine to exit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Farewell {
    /// By the command `quit`.
    Quit,
    /// By closing its input.
    EndOfInput,
}

/// The end of an engine.
#[derive(Clone, Debug)]
pub struct Parting {
    /// Its exit status, if it exited in time; `None` if it was killed.
    pub status: Option<ExitStatus>,
    /// The processes that it left running, in words, if the system reports them.
    pub left: Vec<String>,
}

impl Session {
    /// Closes the engine's input and ends the process after `limit`. Returns the first lines that it sent until then.
    pub async fn hear_out(self, limit: Duration) -> Vec<ReceivedLine> {
        const MOST_LINES: usize = 100;
        let Self { stdin, mut output, mut process, .. } = self;
        drop(stdin);
        let deadline = Instant::now() + limit;
        let mut said = Vec::new();
        while said.len() < MOST_LINES
            && let Ok(Some(line)) = timeout_at(deadline.into(), output.line()).await
        {
            match line {
                Ok(line) => said.push(ReceivedLine::Text(line)),
                Err(NoLine::NotText(line)) => said.push(ReceivedLine::NotText(line)),
                Err(_) => break,
            }
        }
        process.end(Duration::ZERO).await;
        said
    }

    /// Tells the engine to exit and waits for its process, at most `limit`. Processes that it leaves running are ended
    /// in any case.
    pub async fn part(mut self, farewell: Farewell, limit: Duration) -> Parting {
        self.wake();
        let begun = Instant::now();
        if farewell == Farewell::Quit {
            // An engine that does not read this does not exit, which is handled below.
            let _ = self.send("quit\n", &mut Deadline::after(begun, limit)).await;
        }
        // After `quit` the input stays open, because the command alone must end the engine.
        let _input = (farewell == Farewell::Quit).then_some(self.stdin);
        let mut output = self.output;
        let passed_over = async {
            while output.line().await.is_some() {}
            std::future::pending::<()>().await;
        };
        let end = tokio::select! {
            end = self.process.end(limit.saturating_sub(begun.elapsed())) => end,
            () = passed_over => End::Unknown,
        };
        let status = match end {
            End::Itself(status) if begun.elapsed() < limit => Some(status),
            End::Itself(_) | End::Killed { .. } | End::Unknown => None,
        };
        self.stderr.settle(EXIT_GRACE).await;
        Parting { status, left: self.stderr.left_running() }
    }

    /// Sends `quit`; ends the process and all processes that it started if it does not exit.
    pub async fn quit(self) {
        let limit = self.quit_timeout;
        self.part(Farewell::Quit, limit).await;
    }

    /// Ends the process and all processes that it started, at once.
    pub async fn kill(mut self) {
        self.process.end(Duration::ZERO).await;
        // The supervisor's last words are not lost.
        self.stderr.settle(EXIT_GRACE).await;
    }

    pub(crate) async fn explain(&mut self, why: NoLine, begun: Instant) -> Response {
        match why {
            NoLine::Silence | NoLine::Late(_) => Response::Silence { after: begun.elapsed() },
            NoLine::NotText(line) => Response::Rubbish { what: self.with_last_words(&not_text(&line)) },
            NoLine::Rubbish(what) => Response::Rubbish { what: self.with_last_words(&what) },
            NoLine::Closed(pipe) => {
                let end = self.end_in_words(pipe).await;
                Response::Exit { how: self.with_last_words(&end) }
            }
        }
    }

    /// Ends the process, which has closed `pipe`, and describes how it ended.
    pub(super) async fn end_in_words(&mut self, pipe: Pipe) -> String {
        let pipe = match pipe {
            Pipe::Input => "input",
            Pipe::Output => "output",
        };
        let end = match self.process.end(EXIT_GRACE).await {
            End::Itself(status) => format!("ended with {status}"),
            End::Killed { after } => format!("closed its {pipe} and did not end within {after:?}"),
            End::Unknown => "ended for an unknown reason".to_owned(),
        };
        self.stderr.settle(EXIT_GRACE).await;
        // They may have ended it.
        let limits = self.confinement.limits_in_words();
        if limits.is_empty() { end } else { format!("{end}, confined to {limits}") }
    }

    fn with_last_words(&self, what: &str) -> String {
        format!("{what}{}", LastWords(self.stderr.last_words()))
    }
}
