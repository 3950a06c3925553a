//! A status line on standard error that shows the running check and what it waits for. Only if standard
//! output is on a terminal, too.

use std::io::{self, IsTerminal};
use std::time::Duration;

use engine_proto::GameId;
use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};

use super::finding::Awaited;

/// The status line. Its copies share one line, which is removed with the last copy.
#[derive(Clone, Debug)]
pub struct Status(ProgressBar);

impl Status {
    /// An empty line.
    pub fn new() -> Self {
        /// The shown time is in seconds.
        const TICK: Duration = Duration::from_millis(500);
        // A report in a pipe may end on the same terminal, and does not wait for this line to make way.
        if !io::stderr().is_terminal() || !io::stdout().is_terminal() {
            return Self(ProgressBar::hidden());
        }
        let style = ProgressStyle::with_template("{prefix}{wide_msg}").expect("a template of known parts");
        let bar = ProgressBar::new_spinner().with_style(style).with_finish(ProgressFinish::AndClear);
        bar.enable_steady_tick(TICK);
        Self(bar)
    }

    /// Shows that this check starts.
    pub fn begin(&self, check: &str, game: Option<GameId>) {
        let game = game.map_or_else(String::new, |game| format!(" {game}"));
        self.0.set_prefix(format!("[{check}]{game}"));
        self.0.set_message("");
    }

    /// Shows what the check waits for.
    pub fn waits_for(&self, awaited: Awaited) {
        self.0.set_message(format!(": waiting for {awaited}"));
    }

    /// Hides the line while other output is written.
    pub fn make_way<T>(&self, write: impl FnOnce() -> T) -> T {
        self.0.suspend(write)
    }
}
