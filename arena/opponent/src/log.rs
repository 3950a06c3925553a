//! The protocol log of one match: each line with its time, the engine's name and the direction. If a log cannot be
//! written, the match continues without it.

use std::fmt::{Display, Write as _};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// The maximum size of a log.
const LOG_BYTES: usize = 64 << 20;
/// The size of the write buffer: most logs are written in one go when the match is over.
const BUFFER_BYTES: usize = 256 << 10;

/// A match's log, as one of its engines writes it.
#[derive(Clone, Debug)]
pub struct Log {
    sheet: Arc<Mutex<Sheet>>,
    engine: String,
}

/// The file, and the start time of the match.
#[derive(Debug)]
struct Sheet {
    begun: Instant,
    /// `None` if it is full or cannot be written.
    file: Option<BufWriter<File>>,
    room: usize,
    /// The time of the line before.
    last: Instant,
    /// The current line.
    line: String,
}

impl Log {
    /// A log of a match that starts now, in a new file at `path`.
    ///
    /// # Errors
    /// If the file cannot be made.
    pub fn create(path: &Path) -> io::Result<Self> {
        let file = BufWriter::with_capacity(BUFFER_BYTES, File::create(path)?);
        let now = Instant::now();
        let sheet = Sheet { begun: now, last: now, file: Some(file), room: LOG_BYTES, line: String::new() };
        Ok(Self { sheet: Arc::new(Mutex::new(sheet)), engine: String::new() })
    }

    /// The same log for the engine with this name.
    #[must_use]
    pub fn of(&self, engine: &str) -> Self {
        Self { sheet: Arc::clone(&self.sheet), engine: engine.to_owned() }
    }

    /// Logs lines that are sent to the engine.
    pub fn sent(&self, lines: &str) {
        let now = Instant::now();
        lines.lines().for_each(|line| self.write(now, format_args!("{} > {line}", self.engine)));
    }

    /// Logs a line that was received from the engine.
    pub fn heard(&self, at: Instant, line: &str) {
        self.write(at, format_args!("{} < {line}", self.engine));
    }

    /// Logs a remark about the match.
    pub fn note(&self, what: impl Display) {
        self.write(Instant::now(), format_args!("# {what}"));
    }

    fn write(&self, at: Instant, line: impl Display) {
        let mut sheet = self.sheet.lock().expect("nobody panics while holding it");
        let Sheet { begun, last, file, room, line: text } = &mut *sheet;
        let Some(out) = file else { return };
        text.clear();
        // What came before the match, and is read only now, stands where it is read.
        *last = at.max(*last);
        let written = writeln!(text, "{:>10} {line}", last.saturating_duration_since(*begun).as_micros());
        written.expect("a String takes all");
        let is_full = *room < text.len();
        *room = room.saturating_sub(text.len());
        let written = if is_full {
            writeln!(out, "# the log ends here: {LOG_BYTES} bytes is the limit for one match")
                .and_then(|()| out.flush())
        } else {
            out.write_all(text.as_bytes())
        };
        if is_full || written.is_err() {
            *file = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_than_its_room() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("match.log");
        let log = Log::create(&path).unwrap().of("one");
        log.sheet.lock().unwrap().room = 60;
        log.sent("position x\ngo depth 1\n");
        log.heard(Instant::now(), "bestmove a1a2");
        log.note("over");
        drop(log);
        let text = std::fs::read_to_string(path).unwrap();
        let lines: Vec<_> =
            text.lines().map(|line| line.trim_start().trim_start_matches(char::is_numeric)).collect();
        assert_eq!(lines[..2], [" one > position x", " one > go depth 1"]);
        assert!(lines[2].starts_with("# the log ends here") && lines.len() == 3, "{lines:?}");
    }
}
