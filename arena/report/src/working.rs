//! A line for long work: on a terminal, it appears after a second and is removed at the end.

use std::borrow::Cow;
use std::io::{self, IsTerminal};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Quicker work is not announced.
const PATIENCE: Duration = Duration::from_secs(1);

/// Work in progress; it ends when this is dropped.
#[derive(Debug)]
pub struct Working {
    /// Hidden for the first second, and where standard error is no terminal.
    bar: ProgressBar,
    thread: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Working {
    /// Says on standard error what is being done, if that is a terminal.
    pub fn on(what: &'static str) -> Self {
        let style = ProgressStyle::with_template("{spinner} {msg}: {elapsed}").expect("a valid template");
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        bar.set_style(style);
        bar.set_message(what);
        let thread = io::stderr().is_terminal().then(|| {
            let bar = bar.clone();
            let (end, ended) = channel();
            let thread = thread::spawn(move || {
                if ended.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
                    return;
                }
                bar.set_draw_target(ProgressDrawTarget::stderr());
                bar.enable_steady_tick(Duration::from_millis(100));
                let _ = ended.recv();
                bar.finish_and_clear();
            });
            (end, thread)
        });
        Self { bar, thread }
    }

    /// Says from now on what is being done, and which share of it: it has this number of steps. Returns what must be called with
    /// the number of those that were just done.
    pub fn in_steps(
        &self,
        what: impl Into<Cow<'static, str>>,
        n_steps: u64,
    ) -> impl Fn(u64) + Send + Sync + 'static {
        let style = ProgressStyle::with_template("{spinner} {msg}: {percent} %, {elapsed}")
            .expect("a valid template");
        self.bar.set_style(style);
        self.bar.set_message(what);
        self.bar.set_length(n_steps);
        self.bar.set_position(0);
        let bar = self.bar.clone();
        move |n_done| bar.inc(n_done)
    }
}

impl Drop for Working {
    fn drop(&mut self) {
        if let Some((end, thread)) = self.thread.take() {
            drop(end);
            let _ = thread.join();
        }
    }
}
