//! Progress on a terminal: a bar with rate and time left, and the standings so far.

use std::fmt::Write;
use std::io;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use super::{Faults, Ratings, Remaining, workers};
use model::escape::escaped;
use model::{Event, Reporter};

/// The least time between two computations of the standings.
const STANDINGS_EVERY: Duration = Duration::from_secs(1);
/// Number of engines, and of workers, that are shown.
const SHOWN: usize = 10;

/// Draws to standard error.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    ratings: Ratings,
    drawn: Instant,
    is_stale: bool,
    faults: Faults,
    begun: Instant,
    remaining: Remaining,
    /// A line for each worker; empty without workers.
    workers: String,
}

impl Progress {
    /// A reporter that shows the standings of `ratings`, for a tournament with this left to play.
    pub fn new(ratings: Ratings, remaining: Remaining, faults: Faults) -> Self {
        let style = ProgressStyle::with_template("{bar:30} {pos} of {len} matches, {rate}{prefix}\n{msg}")
            .expect("a valid template")
            .with_key("rate", |state: &ProgressState, out: &mut dyn Write| {
                let _ = write!(out, "{:.1} matches/s", state.per_sec());
            });
        let bar = ProgressBar::new(0).with_style(style);
        let now = Instant::now();
        Self {
            bar,
            ratings,
            drawn: now,
            is_stale: false,
            faults,
            begun: now,
            remaining,
            workers: String::new(),
        }
    }
}

impl Reporter for Progress {
    fn on_event(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::Begun { name, contenders, n_matches, n_finished, .. } => {
                self.bar.set_length(u64::from(*n_matches));
                self.bar.set_position(u64::from(*n_finished));
                self.bar.reset_eta();
                self.bar.println(format!(
                    "{}: {} engines, {n_matches} matches",
                    escaped(name),
                    contenders.len()
                ));
            }
            Event::Restored { record } => self.remaining.add_restored(record),
            Event::MatchBegun { .. } | Event::Moved(_) => {}
            Event::MatchFinished { record } => {
                self.remaining.add_finished(record);
                if let Some(line) = self.faults.line(record) {
                    self.bar.println(escaped(&line));
                }
                self.bar.inc(1);
                self.is_stale = true;
            }
            Event::Decided { decided, n_running } => {
                self.bar.println(escaped(&super::decided(decided, *n_running)));
            }
            Event::Warning { message } => self.bar.println(format!("warning: {}", escaped(message))),
            Event::Workers { workers } => {
                self.workers = workers::table(workers, SHOWN);
                self.is_stale = true;
            }
            Event::Stopping { n_running } => self.bar.println(super::stopping(*n_running)),
            Event::Ended { .. } => {
                self.faults.totals().for_each(|line| self.bar.println(escaped(&line)));
                self.bar.finish_and_clear();
            }
        }
        Ok(())
    }

    fn on_tick(&mut self) {
        if self.is_stale && STANDINGS_EVERY <= self.drawn.elapsed() {
            let standings = self.ratings.running(SHOWN);
            let parts = [standings.trim_end(), &self.workers];
            let shown: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
            self.bar.set_message(shown.join("\n"));
            self.drawn = Instant::now();
            self.is_stale = false;
        }
        if let Some(left) = self.remaining.left(self.begun.elapsed()) {
            let left = humantime::format_duration(Duration::from_secs(left.as_secs()));
            self.bar.set_prefix(format!(", about {left} left"));
        }
        self.bar.tick();
    }
}
