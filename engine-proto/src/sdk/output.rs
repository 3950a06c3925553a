//! The way out: whole lines, each flushed, from whichever thread.

use std::fmt::{self, Write as _};
use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Writes lines, until nobody reads them any more.
pub(super) struct Output {
    sink: Mutex<Result<Sink, Ending>>,
    /// Called once when the output closes, from the thread that finds out.
    at_end: fn(Ending),
}

/// Why the output has closed while the program ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// A line could not be written: the other side is gone.
    OutputClosed,
    /// The engine panicked: there is nothing more to say.
    EnginePanicked,
}

struct Sink {
    stream: Box<dyn Write + Send>,
    /// Used for every line, so that a line costs no allocation and one write.
    line: String,
}

impl Output {
    pub(super) fn new(stream: impl Write + Send + 'static, at_end: fn(Ending)) -> Self {
        let sink = Sink { stream: Box::new(stream), line: String::new() };
        Self { sink: Mutex::new(Ok(sink)), at_end }
    }

    /// Writes a line, given without its end. Once the output is closed, this does nothing.
    pub(super) fn say(&self, line: &dyn fmt::Display) {
        // The lock is let go before the output is closed, which takes it again.
        let is_lost = self.lock().as_mut().is_ok_and(|sink| sink.write(line).is_err());
        if is_lost {
            self.close(Ending::OutputClosed);
        }
    }

    /// Closes the output for good.
    pub(super) fn close(&self, ending: Ending) {
        let mut sink = self.lock();
        if sink.is_err() {
            return;
        }
        *sink = Err(ending);
        drop(sink);
        (self.at_end)(ending);
    }

    /// How the output was closed, if it was.
    pub(super) fn ending(&self) -> Option<Ending> {
        self.lock().as_ref().err().copied()
    }

    fn lock(&self) -> MutexGuard<'_, Result<Sink, Ending>> {
        // A panic while a line was put together leaves the next line whole: each begins with an empty buffer.
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
