//! A line for long work: on a terminal, it appears after a second and is removed at the end.

use std::io::{self, IsTerminal};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// Quicker work is not announced.
const PATIENCE: Duration = Duration::from_secs(1);

/// Work in progress; it ends when this is dropped.
#[derive(Debug)]
pub struct Working(Option<(Sender<()>, JoinHandle<()>)>);

impl Working {
    /// Says on standard error what is being done, if that is a terminal.
    pub fn on(what: &'static str) -> Self {
        if !io::stderr().is_terminal() {
            return Self(None);
        }
        let (end, ended) = channel();
        let thread = thread::spawn(move || {
            if ended.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            let style = ProgressStyle::with_template("{spinner} {msg}: {elapsed}").expect("a valid template");
            let bar = ProgressBar::new_spinner().with_style(style).with_message(what).with_elapsed(PATIENCE);
            bar.enable_steady_tick(Duration::from_millis(100));
            let _ = ended.recv();
            bar.finish_and_clear();
        });
        Self(Some((end, thread)))
    }
}

impl Drop for Working {
    fn drop(&mut self) {
        if let Some((end, thread)) = self.0.take() {
            drop(end);
            let _ = thread.join();
        }
    }
}
