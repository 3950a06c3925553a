//! A search without a limit, for analysis: the engine is heard until it is stopped. No clock runs, and nothing is judged.

use std::time::{Duration, Instant};

use super::pauses::Deadline;
use super::session::{NoLine, Pipe, Session};
use model::referee::Response;

/// How long an engine may take to read a command, or to answer `stop`: a busy machine is not its fault.
const PATIENCE: Duration = Duration::from_secs(20);

impl Session {
    /// Sends `commands`, which end with `go infinite`. Returns once they are written.
    ///
    /// # Errors
    /// What the engine did instead of reading them.
    pub async fn begin_search(&mut self, commands: &str) -> Result<(), Response> {
        let begun = Instant::now();
        if let Err(why) = self.drain() {
            return Err(self.explain(why, begun).await);
        }
        match self.send(commands, &mut Deadline::after(begun, PATIENCE)).await {
            Ok(()) => Ok(()),
            Err(why) => Err(self.explain(why, begun).await),
        }
    }

    /// The next line of the search. Cancel-safe.
    ///
    /// # Errors
    /// What the engine did instead of writing a line.
    pub async fn hear_search(&mut self) -> Result<String, Response> {
        let why = match self.next_line().await {
            Some(Ok(line)) => {
                if let Some(log) = &self.log {
                    log.heard(Instant::now(), &line);
                }
                return Ok(line);
            }
            Some(Err(why)) => why,
            None => NoLine::Closed(Pipe::Output),
        };
        Err(self.explain(why, Instant::now()).await)
    }

    /// Ends the search, and waits for the move that comes with its end.
    ///
    /// # Errors
    /// What the engine did instead.
    pub async fn end_search(&mut self) -> Result<(), Response> {
        let begun = Instant::now();
        match self.await_stopped(Deadline::after(begun, PATIENCE)).await {
            Ok(()) => Ok(()),
            Err(NoLine::Silence | NoLine::Late(_)) => {
                let what = format!("no `bestmove` within {PATIENCE:?} after `stop`");
                Err(self.explain(NoLine::Rubbish(what), begun).await)
            }
            Err(why) => Err(self.explain(why, begun).await),
        }
    }
}
