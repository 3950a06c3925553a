//! The output: complete lines, each flushed at once, from any thread.

use std::fmt::{self, Write as _};
use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Writes lines until the output is closed.
pub(super) struct Output {
    sink: Mutex<Result<Sink, Ending>>,
    /// Called once when the output closes, by the thread that notices it.
    at_end: fn(Ending),
}

/// Why the output is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// The program ends.
    ProgramEnded,
    /// A line could not be written: the reader has closed the output.
    OutputLost,
    /// The engine panicked.
    EnginePanicked,
}

struct Sink {
    stream: Box<dyn Write + Send>,
    /// A buffer for all lines, so that a line needs no allocation and only one write.
    line: String,
}

impl Output {
    pub(super) fn new(stream: impl Write + Send + 'static, at_end: fn(Ending)) -> Self {
        let sink = Sink { stream: Box::new(stream), line: String::new() };
        Self { sink: Mutex::new(Ok(sink)), at_end }
    }

    /// Writes a line, given without its line end. Does nothing if the output is closed.
    pub(super) fn say(&self, line: &dyn fmt::Display) {
        self.say_after(|| (), line);
    }

    /// Calls `first`, then writes a line. No other line is written between the two.
    pub(super) fn say_after(&self, first: impl FnOnce(), line: &dyn fmt::Display) {
        let is_lost = {
            let mut sink = self.lock();
            first();
            sink.as_mut().is_ok_and(|sink| sink.write(line).is_err())
        };
        if is_lost {
            self.close(Ending::OutputLost);
        }
    }

    /// Closes the output. It cannot be opened again.
    pub(super) fn close(&self, ending: Ending) {
        let mut sink = self.lock();
        if sink.is_err() {
            return;
        }
        *sink = Err(ending);
        drop(sink);
        (self.at_end)(ending);
    }

    /// Why the output was closed, if it was.
    pub(super) fn ending(&self) -> Option<Ending> {
        self.lock().as_ref().err().copied()
    }

    fn lock(&self) -> MutexGuard<'_, Result<Sink, Ending>> {
        // If a thread panicked while it wrote a line, the next line is still complete: each starts with an empty
        // buffer.
        self.sink.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Sink {
    fn write(&mut self, line: &dyn fmt::Display) -> io::Result<()> {
        self.line.clear();
        writeln!(self.line, "{line}").map_err(io::Error::other)?;
        self.stream.write_all(self.line.as_bytes())?;
        self.stream.flush()
    }
}
