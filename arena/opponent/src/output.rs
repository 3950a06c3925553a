//! The standard output of an engine, as lines. A quick answer is read by the thread itself, with two system calls; for a
//! longer one the runtime wakes it.

use std::time::Duration;

use engine_proto::proto::LINE_LIMIT;
use tokio::io::AsyncReadExt;
use tokio::process::ChildStdout;

use super::session::{NoLine, printable};
use host::pipes;

/// The room for what is read at a time.
const ROOM: usize = 4096;

/// What an engine writes.
#[derive(Debug)]
pub struct Output {
    pipe: ChildStdout,
    /// What was read.
    buffer: Vec<u8>,
    /// Where the next line starts in it.
    start: usize,
    /// The next line does not end before this.
    searched: usize,
    is_closed: bool,
}

impl Output {
    /// Of a process that has just been started.
    pub fn of(pipe: ChildStdout) -> Self {
        Self { pipe, buffer: Vec::with_capacity(ROOM), start: 0, searched: 0, is_closed: false }
    }

    /// The start of a line whose end was not read yet.
    pub fn unfinished(&self) -> &[u8] {
        &self.buffer[self.start..]
    }

    /// Whether everything was read to the end.
    pub const fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// The next line; `None` at the end. Cancel-safe.
    pub async fn line(&mut self) -> Option<Result<String, NoLine>> {
        loop {
            if let Some(line) = self.read_line() {
                return Some(line);
            }
            if self.is_closed {
                return None;
            }
            self.make_room();
            self.is_closed = matches!(self.pipe.read_buf(&mut self.buffer).await, Ok(0) | Err(_));
        }
    }

    /// The next line, if the engine has written it already.
    pub fn line_now(&mut self) -> Option<Result<String, NoLine>> {
        loop {
            let line = self.read_line();
            if line.is_some() || self.is_closed || !self.read_now() {
                return line;
            }
        }
    }

    /// The next line of those that were read.
    pub fn read_line(&mut self) -> Option<Result<String, NoLine>> {
        let end = self.buffer[self.searched..].iter().position(|byte| *byte == b'\n');
        let (line, next) = match end.map(|length| self.searched + length) {
            Some(end) => (&self.buffer[self.start..end], end + 1),
            None => (&self.buffer[self.start..], self.buffer.len()),
        };
        let is_too_long = LINE_LIMIT < line.len();
        if end.is_none() && !is_too_long && (line.is_empty() || !self.is_closed) {
            self.searched = next;
            return None;
        }
        let line = if is_too_long {
            Err(NoLine::Rubbish(format!("a line of more than {LINE_LIMIT} bytes")))
        } else {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            std::str::from_utf8(line).map(str::to_owned).map_err(|_| NoLine::NotText(printable(line)))
        };
        (self.start, self.searched) = (next, next);
        Some(line)
    }

    /// Reads what there is. Returns whether anything was read.
    pub fn read_now(&mut self) -> bool {
        self.make_room();
        let n_read = pipes::read_now(&mut self.pipe, &mut self.buffer);
        self.is_closed = n_read == Some(0);
        n_read.is_some() && !self.is_closed
    }

    /// Waits until there is something to read, at most for `limit`, while this thread does nothing else. Returns whether there
    /// is.
    pub fn wait_here(&self, limit: Duration) -> bool {
        pipes::wait_here(&self.pipe, limit)
    }

    fn make_room(&mut self) {
        self.buffer.drain(..self.start);
        self.searched -= self.start;
        self.start = 0;
        self.buffer.reserve(ROOM);
    }
}
