//! The conversation with an engine that thinks on its opponent's time. Nothing that it does before `ponderhit` or `stop` is
//! on its clock, and it is judged only when it is asked for its next move.

use std::convert::Infallible;
use std::future::pending;
use std::time::{Duration, Instant};

use engine_proto::fen::shown;
use engine_proto::proto::{Command, LINE_LIMIT, first_word};

use super::pauses::{self, Deadline};
use super::search_reports::SearchReports;
use super::session::{NoLine, Pipe, Session};
use model::referee::Response;

/// How long an engine that ponders has to send its move after `stop`.
pub const PONDER_STOP: Duration = Duration::from_secs(2);

/// An engine's search on its opponent's time.
#[derive(Debug)]
pub struct Pondering {
    /// The `position` command that it searches.
    position: String,
    /// What it has reported so far.
    reports: SearchReports,
    /// What it did wrong.
    fault: Option<NoLine>,
    /// The number of bytes that are still read before it is asked for its move. An engine that writes more waits.
    room: usize,
}

impl Pondering {
    /// Whether it searches this position.
    pub fn is_on(&self, position: &str) -> bool {
        self.position == position
    }

    /// Takes note of a line; `None` for the end of the output.
    fn hear(&mut self, line: Option<Result<String, NoLine>>) {
        match line {
            None => self.fault = Some(NoLine::Closed(Pipe::Output)),
            Some(Err(why)) => self.fault = Some(why),
            Some(Ok(line)) => {
                self.room = self.room.saturating_sub(line.len() + 1);
                match first_word(&line) {
                    "info" => self.reports.hear(line),
                    "bestmove" => {
                        let what = format!("`{}` came before `ponderhit` or `stop`", shown(&line));
                        self.fault = Some(NoLine::Rubbish(what));
                    }
                    _ => {}
                }
            }
        }
    }
}

impl Session {
    /// Sends `commands`, which end with `go ponder` for the position of the command `position`. Returns once they are
    /// written.
    pub async fn ponder(&mut self, commands: &str, position: &str) {
        let mut pondering = Pondering {
            position: position.to_owned(),
            reports: SearchReports::in_dialect(self.dialect()),
            fault: self.drain().err(),
            room: LINE_LIMIT,
        };
        if pondering.fault.is_none() {
            let mut deadline = Deadline::after(Instant::now(), PONDER_STOP);
            pondering.fault = self.send(commands, &mut deadline).await.err();
        }
        self.pondering = Some(pondering);
    }

    /// What the engine ponders on.
    pub const fn pondering(&self) -> Option<&Pondering> {
        self.pondering.as_ref()
    }

    /// Reads what an engine says while it ponders, so that it is not held up. Cancel-safe.
    pub async fn listen(&mut self) -> Infallible {
        while self.pondering.as_ref().is_some_and(|it| it.fault.is_none() && 0 < it.room) {
            let line = self.next_line().await;
            self.hear_pondering(line);
        }
        pending().await
    }

    /// The opponent has played the move that the engine ponders on: waits for its move, at most `allowed`.
    pub async fn ponder_hit(&mut self, allowed: Duration) -> Response {
        let Some(pondering) = self.stop_listening() else { return Response::Ready };
        if let Some(fault) = pondering.fault {
            return self.explain(fault, Instant::now()).await;
        }
        self.used = Duration::ZERO;
        self.ask_and_wait(&format!("{}\n", Command::PonderHit), allowed, pondering.reports).await
    }

    /// Ends the engine's pondering, if it does, and waits for the move that nobody wants. Returns how long that took: while it
    /// could go on thinking, its clock runs.
    ///
    /// # Errors
    /// What the engine did instead.
    pub async fn stop_pondering(&mut self) -> Result<Duration, Response> {
        let Some(pondering) = self.stop_listening() else { return Ok(Duration::ZERO) };
        let begun = Instant::now();
        let deadline = Deadline::after(begun, PONDER_STOP);
        let stood_still = deadline.stood_still();
        let stopped = match pondering.fault {
            Some(fault) => Err(fault),
            None => self.await_stopped(deadline).await,
        };
        match stopped {
            Ok(()) => {
                let paused = pauses::since(begun, stood_still, self.read_at());
                Ok(self.read_at().saturating_duration_since(begun).saturating_sub(paused))
            }
            Err(NoLine::Silence | NoLine::Late(_)) => {
                let what = format!("no `bestmove` within {PONDER_STOP:?} after `stop` while it pondered");
                Err(self.explain(NoLine::Rubbish(what), begun).await)
            }
            Err(why) => Err(self.explain(why, begun).await),
        }
    }

    pub(super) async fn await_stopped(&mut self, mut deadline: Deadline) -> Result<(), NoLine> {
        self.send(&format!("{}\n", Command::Stop), &mut deadline).await?;
        let mut room = super::ANSWER_BYTES;
        while first_word(&self.line(&mut deadline, &mut room).await?) != "bestmove" {}
        Ok(())
    }

    /// Reads what the engine has said until now; what it says next answers the next command.
    fn stop_listening(&mut self) -> Option<Pondering> {
        while self.pondering.as_ref()?.fault.is_none() && 0 < self.pondering.as_ref()?.room {
            let line = self.output.line_now();
            if line.is_none() && !self.output.is_closed() {
                break;
            }
            self.hear_pondering(line);
        }
        self.pondering.take()
    }

    fn hear_pondering(&mut self, line: Option<Result<String, NoLine>>) {
        if let (Some(log), Some(Ok(line) | Err(NoLine::NotText(line)))) = (&self.log, &line) {
            log.heard(Instant::now(), line);
        }
        if let Some(pondering) = &mut self.pondering {
            pondering.hear(line);
        }
    }
}
