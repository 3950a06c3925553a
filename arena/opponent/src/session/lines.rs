//! Writing to an engine and reading its lines, each by a deadline.

use std::time::Instant;

use engine_proto::proto::{LINE_LIMIT, first_word};
use tokio::io::AsyncWriteExt;
use tokio::task::yield_now;
use tokio::time::timeout_at;

use super::{ANSWER_BYTES, Session};
use crate::pauses::Deadline;
use host::pipes;
use model::escape::escaped_line;
use model::referee::Response;

/// A line from an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReceivedLine {
    /// Valid UTF-8.
    Text(String),
    /// Not UTF-8; the invalid bytes are shown as `\xNN`.
    NotText(String),
}

/// Why a line was not received.
#[derive(Debug)]
pub enum NoLine {
    /// It did not come in time.
    Silence,
    /// It came too late.
    Late(String),
    /// The engine closed this pipe, usually by exiting.
    Closed(Pipe),
    /// It was not UTF-8; the invalid bytes are shown as `\xNN`.
    NotText(String),
    /// The protocol was broken, in this way.
    Rubbish(String),
}

/// A pipe of an engine, from the engine's view.
#[derive(Clone, Copy, Debug)]
pub enum Pipe {
    /// Its standard input.
    Input,
    /// Its standard output.
    Output,
}

impl Session {
    /// Writes `text` unchanged, including line ends. For checks of the protocol, which also send malformed text.
    ///
    /// # Errors
    /// What happened instead, if it cannot be written by `deadline`.
    pub async fn write(&mut self, text: &str, deadline: Instant) -> Result<(), Response> {
        let begun = Instant::now();
        match self.send(text, &mut until(deadline, begun)).await {
            Ok(()) => Ok(()),
            Err(why) => Err(self.explain(why, begun).await),
        }
    }

    /// Reads the next line. `room` is the number of bytes that the engine may still send; the length of the line is
    /// subtracted.
    ///
    /// # Errors
    /// What happened instead of a line, at the latest at `deadline`.
    pub async fn read(&mut self, deadline: Instant, room: &mut usize) -> Result<ReceivedLine, Response> {
        let begun = Instant::now();
        match self.line(&mut until(deadline, begun), room).await {
            Ok(line) => Ok(ReceivedLine::Text(line)),
            Err(NoLine::NotText(line)) => Ok(ReceivedLine::NotText(line)),
            Err(why) => Err(self.explain(why, begun).await),
        }
    }

    /// The start of a line whose end the engine has not sent yet.
    pub fn unfinished(&self) -> String {
        printable(self.output.unfinished())
    }

    pub(crate) async fn send(&mut self, text: &str, deadline: &mut Deadline) -> Result<(), NoLine> {
        self.wake();
        let text = self.dialect().wire(text);
        if let Some(log) = &self.log {
            log.sent(&text);
        }
        // A pipe takes the commands of most moves at once.
        let rest = &text.as_bytes()[pipes::write_now(&self.stdin, text.as_bytes())..];
        if rest.is_empty() {
            return Ok(());
        }
        // Processes that it started may hold its input open without reading.
        let written = async {
            tokio::select! {
                biased;
                written = self.stdin.write_all(rest) => written.is_ok(),
                () = self.process.ended() => false,
            }
        };
        tokio::pin!(written);
        loop {
            match timeout_at(deadline.at().into(), &mut written).await {
                Ok(true) => return Ok(()),
                Ok(false) => return Err(NoLine::Closed(Pipe::Input)),
                Err(_) if deadline.has_passed(Instant::now()) => return Err(NoLine::Silence),
                Err(_) => {}
            }
        }
    }

    /// The next line, read by `deadline`, if all lines of this answer fit into the limit.
    pub(crate) async fn line(&mut self, deadline: &mut Deadline, room: &mut usize) -> Result<String, NoLine> {
        let line = match self.quick_line(deadline) {
            Some(line) => line,
            None => self.slow_line(deadline).await?,
        };
        if let Some(log) = &self.log
            && let Ok(line) | Err(NoLine::NotText(line)) = &line
        {
            log.heard(self.read_at, line);
        }
        let line = line?;
        // An engine that writes without a pause would prevent the check of the timer.
        if deadline.has_passed(self.read_at) {
            return Err(NoLine::Late(line));
        }
        *room = room
            .checked_sub(line.len() + 1)
            .ok_or_else(|| NoLine::Rubbish(format!("more than {ANSWER_BYTES} bytes without an answer")))?;
        Ok(line)
    }

    /// The next line, if it was read already, or comes while this thread waits for it.
    fn quick_line(&mut self, deadline: &Deadline) -> Option<Result<String, NoLine>> {
        loop {
            let left = deadline.quick_left(self.read_at);
            let line = left.and_then(|_| self.output.read_line());
            if line.is_some() {
                return line;
            }
            if !self.output.wait_here(left?) || !self.output.read_now() {
                return None;
            }
            self.read_at = Instant::now();
        }
    }

    async fn slow_line(&mut self, deadline: &mut Deadline) -> Result<Result<String, NoLine>, NoLine> {
        loop {
            match timeout_at(deadline.at().into(), self.next_line()).await {
                Err(_) if deadline.has_passed(Instant::now()) => return Err(NoLine::Silence),
                Err(_) => {}
                Ok(None) => return Err(NoLine::Closed(Pipe::Output)),
                Ok(Some(line)) => {
                    self.read_at = Instant::now();
                    return Ok(line);
                }
            }
        }
    }

    /// The next line; `None` at the end: the output is closed, or the process has exited and all its output is read,
    /// even if a process that it started holds the output open.
    pub(crate) async fn next_line(&mut self) -> Option<Result<String, NoLine>> {
        if !self.process.has_ended() {
            tokio::select! {
                biased;
                line = self.output.line() => return line,
                () = self.process.ended() => {}
            }
            // The exit is reported first; now the rest of the output is read.
            yield_now().await;
        }
        self.output.line_now()
    }

    /// Skips lines that the engine sent since its last answer.
    pub(crate) fn drain(&mut self) -> Result<(), NoLine> {
        let mut room = LINE_LIMIT;
        while let Some(line) = self.output.line_now() {
            let line = line?;
            if let Some(log) = &self.log {
                log.heard(Instant::now(), &line);
            }
            self.n_out_of_turn += u64::from(first_word(&line) != "info");
            room = room.checked_sub(line.len() + 1).ok_or_else(|| {
                NoLine::Rubbish(format!("more than {LINE_LIMIT} bytes although nothing was requested"))
            })?;
        }
        if self.output.is_closed() { Err(NoLine::Closed(Pipe::Output)) } else { Ok(()) }
    }
}

/// A deadline given as a moment.
fn until(deadline: Instant, now: Instant) -> Deadline {
    Deadline::after(now, deadline.saturating_duration_since(now))
}

/// The text of these bytes, with `\xNN` for each invalid byte, and with escaped control characters.
pub(crate) fn printable(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(&escaped_line(chunk.valid()));
        chunk.invalid().iter().for_each(|byte| text.push_str(&format!("\\x{byte:02x}")));
    }
    text
}

pub(super) fn not_text(line: &str) -> String {
    const LONGEST: usize = 60;
    let cut = if line.chars().nth(LONGEST).is_some() { "..." } else { "" };
    let line: String = line.chars().take(LONGEST).collect();
    format!("a line that is not UTF-8: `{line}{cut}`")
}
