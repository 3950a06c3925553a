//! Progress on a terminal: a bar with rate and time left, and the standings so far.

use std::fmt::Write;
use std::io;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use super::{Ratings, fault};
use crate::tournament::{Event, Reporter};

/// The standings are worked out again so often at the most.
const STANDINGS_EVERY: Duration = Duration::from_secs(1);
/// So many engines are shown.
const SHOWN: usize = 10;

/// Draws to standard error.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    ratings: Ratings,
    drawn: Instant,
    is_stale: bool,
}

impl Progress {
    /// A reporter that shows the standings of `ratings`.
    pub fn new(ratings: Ratings) -> Self {
        let style =
            ProgressStyle::with_template("{bar:30} {pos} of {len} matches, {rate}, {eta} left\n{msg}")
                .expect("a valid template")
                .with_key("rate", |state: &ProgressState, out: &mut dyn Write| {
                    let _ = write!(out, "{:.1} a second", state.per_sec());
                });
        let bar = ProgressBar::new(0).with_style(style);
        Self { bar, ratings, drawn: Instant::now(), is_stale: false }
    }
}

impl Reporter for Progress {
    fn on_event(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::Begun { name, contenders, n_matches, n_finished, .. } => {
                self.bar.set_length(u64::from(*n_matches));
                self.bar.set_position(u64::from(*n_finished));
                self.bar.reset_eta();
                self.bar.println(format!("{name}: {} engines, {n_matches} matches", contenders.len()));
            }
            Event::Restored { .. } | Event::MatchBegun { .. } | Event::Moved(_) => {}
            Event::MatchFinished { record } => {
                if let Some(line) = fault(record) {
                    self.bar.println(line);
                }
                self.bar.inc(1);
                self.is_stale = true;
            }
            Event::Decided { decided, n_running } => {
                self.bar.println(super::decided(decided, *n_running));
            }
            Event::Warning { message } => self.bar.println(format!("warning: {message}")),
            Event::Stopping { n_running } => self.bar.println(format!(
                "stopping: {n_running} matches are played to their ends; once more kills them"
            )),
            Event::Ended { .. } => self.bar.finish_and_clear(),
        }
        Ok(())
    }

    fn on_tick(&mut self) {
        if self.is_stale && STANDINGS_EVERY <= self.drawn.elapsed() {
            self.bar.set_message(self.ratings.running(SHOWN));
            self.drawn = Instant::now();
            self.is_stale = false;
        }
        self.bar.tick();
    }
}
