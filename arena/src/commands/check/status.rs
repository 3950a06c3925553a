//! A line on the terminal's standard error that says which check is made and what it waits for. Elsewhere it says nothing.

use std::io::{self, IsTerminal};
use std::time::Duration;

use engine_proto::GameId;
use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};

use super::finding::Awaited;

/// The line. Its copies are the same line. It goes with the last of them.
#[derive(Clone, Debug)]
pub struct Status(ProgressBar);

impl Status {
    /// A line that says nothing yet.
    pub fn new() -> Self {
        /// The time that it shows is counted in seconds.
        const TICK: Duration = Duration::from_millis(500);
        if !io::stderr().is_terminal() {
            return Self(ProgressBar::hidden());
        }
        let style = ProgressStyle::with_template("{prefix}{wide_msg}").expect("a template of known parts");
        let bar = ProgressBar::new_spinner().with_style(style).with_finish(ProgressFinish::AndClear);
        bar.enable_steady_tick(TICK);
        Self(bar)
    }

    /// Says that this check begins.
    pub fn begin(&self, check: &str, game: Option<GameId>) {
        let game = game.map_or_else(String::new, |game| format!(" {game}"));
        self.0.set_prefix(format!("[{check}]{game}"));
        self.0.set_message("");
    }

    /// Says what is waited for.
    pub fn waits_for(&self, awaited: Awaited) {
        self.0.set_message(format!(": waiting for {awaited}"));
    }

    /// Makes way for other output.
    pub fn make_way<T>(&self, write: impl FnOnce() -> T) -> T {
        self.0.suspend(write)
    }
}
