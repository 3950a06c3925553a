//! An engine's standard error: written to a file up to a limit, with the last lines kept in memory. It is not
//! interpreted, apart from the lines that the supervisor adds at the end.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::AsyncReadExt;
use tokio::process::ChildStderr;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use host::files;
use host::launch::LEFT;
use model::escape::escaped;

/// The maximum number of bytes of each process in the file.
const LOG_BYTES: usize = 4 << 20;
/// From this size of the file on, nothing is added, so that it does not grow with the number of processes.
const FILE_BYTES: u64 = 64 << 20;
/// The number of bytes kept in memory.
const TAIL_BYTES: usize = 4096;

/// Reads a process's standard error continuously.
#[derive(Debug)]
pub struct Stderr {
    tail: Arc<Mutex<VecDeque<u8>>>,
    reader: JoinHandle<()>,
}

impl Stderr {
    /// Reads `pipe` to its end, and writes to `log` if it can be opened.
    pub fn read(pipe: ChildStderr, log: Option<&Path>) -> Self {
        // If the log cannot be written, the match continues.
        let file = log.and_then(|path| open(path).ok());
        let tail = Arc::new(Mutex::new(VecDeque::with_capacity(TAIL_BYTES)));
        let reader = tokio::spawn(copy(pipe, file, Arc::clone(&tail)));
        Self { tail, reader }
    }

    /// Waits at most `limit` until everything is read, because the end of standard error may arrive after the end of
    /// the output.
    pub async fn settle(&mut self, limit: Duration) {
        if !self.reader.is_finished() {
            let _ = timeout(limit, &mut self.reader).await;
        }
    }

    /// The last lines so far. Control characters except line ends are escaped.
    pub fn last_words(&self) -> String {
        let tail = self.tail.lock().expect("nobody panics while holding it");
        let bytes: Vec<u8> = tail.iter().copied().collect();
        drop(tail);
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<_> = text.trim().lines().map(escaped).collect();
        lines.join("\n")
    }

    /// The processes that the engine left running according to its supervisor, in words.
    pub fn left_running(&self) -> Vec<String> {
        let words = self.last_words();
        words.lines().filter_map(|line| Some(line.split_once(LEFT)?.1.to_owned())).collect()
    }
}

impl Drop for Stderr {
    fn drop(&mut self) {
        self.reader.abort();
    }
}

/// The log, unless it is full.
fn open(path: &Path) -> io::Result<File> {
    let file = files::append_to(path)?;
    let metadata = file.metadata()?;
    if metadata.is_file() && metadata.len() < FILE_BYTES {
        Ok(file)
    } else {
        Err(io::Error::from(io::ErrorKind::FileTooLarge))
    }
}

async fn copy(mut pipe: ChildStderr, mut file: Option<File>, tail: Arc<Mutex<VecDeque<u8>>>) {
    let mut buffer = [0; 4096];
    let mut room = LOG_BYTES;
    while let Ok(n_read @ 1..) = pipe.read(&mut buffer).await {
        let read = &buffer[..n_read];
        {
            let mut tail = tail.lock().expect("nobody panics while holding it");
            tail.extend(read);
            let excess = tail.len().saturating_sub(TAIL_BYTES);
            tail.drain(..excess);
        }
        if let Some(log) = &mut file {
            let kept = &read[..read.len().min(room)];
            room -= kept.len();
            if log.write_all(kept).is_err() {
                file = None;
            } else if room == 0 {
                let _ =
                    writeln!(log, "\n[the log ends here: {LOG_BYTES} bytes is the limit for one process]");
                file = None;
            }
        }
    }
}
