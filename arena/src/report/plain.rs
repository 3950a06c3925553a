//! Progress as plain lines, for logs and pipes.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use super::fault;
use crate::tournament::{Event, Reporter};

/// At least so much time lies between two lines that only say how far it is.
const PAUSE: Duration = Duration::from_secs(5);

/// Writes to standard error: how far it is now and then, and every fault.
#[derive(Debug)]
pub struct Plain {
    begun: Instant,
    said: Instant,
    n_earlier: u32,
    n_finished: u32,
    n_matches: u32,
}

impl Default for Plain {
    fn default() -> Self {
        Self::new()
    }
}

impl Plain {
    /// A reporter for a tournament that begins now.
    pub fn new() -> Self {
        let now = Instant::now();
        Self { begun: now, said: now, n_earlier: 0, n_finished: 0, n_matches: 0 }
    }

    /// What is done; nothing of what is left, for results or the user may have ended it.
    fn done(&self) -> String {
        format!("{} of {} matches, {:.1} a second", self.n_finished, self.n_matches, self.rate())
    }

    /// Matches a second, those of earlier runs left out.
    fn rate(&self) -> f64 {
        let seconds = self.begun.elapsed().as_secs_f64();
        f64::from(self.n_finished - self.n_earlier) / seconds.max(1e-3)
    }

    fn how_far(&self) -> String {
        let rate = self.rate();
        let mut line = self.done();
        if self.n_finished < self.n_matches && 0.0 < rate {
            let left = f64::from(self.n_matches - self.n_finished) / rate;
            let left = humantime::format_duration(Duration::from_secs(left.ceil() as u64));
            line.push_str(&format!(", about {left} left"));
        }
        line
    }
}

impl Reporter for Plain {
    fn on_event(&mut self, event: &Event) -> io::Result<()> {
        let mut err = io::stderr().lock();
        // Nobody may be listening; that is no reason to end a tournament.
        let _ = match event {
            Event::Begun { name, contenders, n_matches, n_finished, .. } => {
                (self.n_earlier, self.n_finished, self.n_matches) = (*n_finished, *n_finished, *n_matches);
                let earlier = if *n_finished == 0 {
                    String::new()
                } else {
                    format!(", {n_finished} of them finished before")
                };
                writeln!(err, "{name}: {} engines, {n_matches} matches{earlier}", contenders.len())
            }
            Event::Restored { .. } | Event::MatchBegun { .. } | Event::Moved(_) => Ok(()),
            Event::MatchFinished { record } => {
                self.n_finished += 1;
                if let Some(line) = fault(record) {
                    let _ = writeln!(err, "{line}");
                }
                if PAUSE <= self.said.elapsed() {
                    self.said = Instant::now();
                    writeln!(err, "{}", self.how_far())
                } else {
                    Ok(())
                }
            }
            Event::Decided { decided, n_running } => writeln!(err, "{}", super::decided(decided, *n_running)),
            Event::Warning { message } => writeln!(err, "warning: {message}"),
            Event::Stopping { n_running } => {
                writeln!(err, "stopping: {n_running} matches are played to their ends; once more kills them")
            }
            Event::Ended { .. } => writeln!(err, "{}", self.done()),
        };
        Ok(())
    }
}
