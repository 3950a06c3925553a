//! Progress as plain lines, for logs and pipes.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use super::workers::Workers;
use super::{Faults, Remaining};
use model::escape::escaped;
use model::{Event, Reporter};

/// The minimum time between two lines of progress.
const PAUSE: Duration = Duration::from_secs(5);

/// Writes to standard error: the progress every few seconds, and every fault.
#[derive(Debug)]
pub struct Plain {
    begun: Instant,
    said: Instant,
    n_earlier: u32,
    n_finished: u32,
    n_matches: u32,
    faults: Faults,
    remaining: Remaining,
    workers: Workers,
}

impl Plain {
    /// A reporter for a tournament that begins now, with this left to play.
    pub fn new(remaining: Remaining, faults: Faults) -> Self {
        let now = Instant::now();
        Self {
            begun: now,
            said: now,
            n_earlier: 0,
            n_finished: 0,
            n_matches: 0,
            faults,
            remaining,
            workers: Workers::default(),
        }
    }

    /// The number of finished matches, and the speed of this run. The end of a tournament prints this too, so it has no
    /// remaining time.
    fn done(&self) -> String {
        let mut text = format!("{} of {} matches", self.n_finished, self.n_matches);
        let n_played = self.n_finished - self.n_earlier;
        if n_played != 0 {
            let per_second = f64::from(n_played) / self.begun.elapsed().as_secs_f64().max(1e-3);
            text.push_str(&format!(", {per_second:.1} matches/s"));
        }
        text
    }

    fn how_far(&self) -> String {
        let mut line = self.done();
        if let Some(left) =
            self.remaining.left(self.begun.elapsed()).filter(|_| self.n_finished < self.n_matches)
        {
            let left = humantime::format_duration(Duration::from_secs(left.as_secs_f64().ceil() as u64));
            line.push_str(&format!(", about {left} left"));
        }
        line
    }
}

impl Reporter for Plain {
    fn on_event(&mut self, event: &Event) -> io::Result<()> {
        let mut err = io::stderr().lock();
        // A closed standard error does not end a tournament.
        let _ = match event {
            Event::Begun { name, contenders, n_matches, n_finished, .. } => {
                (self.n_earlier, self.n_finished, self.n_matches) = (*n_finished, *n_finished, *n_matches);
                let earlier = if *n_finished == 0 {
                    String::new()
                } else {
                    format!(", {n_finished} of them finished before")
                };
                writeln!(err, "{}: {} engines, {n_matches} matches{earlier}", escaped(name), contenders.len())
            }
            Event::Restored { record } => {
                self.remaining.add_restored(record);
                Ok(())
            }
            Event::MatchBegun { .. } | Event::Moved(_) => Ok(()),
            Event::MatchFinished { record } => {
                self.n_finished += 1;
                self.remaining.add_finished(record);
                if let Some(line) = self.faults.line(record) {
                    let _ = writeln!(err, "{}", escaped(&line));
                }
                if PAUSE <= self.said.elapsed() {
                    self.said = Instant::now();
                    writeln!(err, "{}", self.how_far())
                } else {
                    Ok(())
                }
            }
            Event::Decided { decided, n_running } => {
                writeln!(err, "{}", escaped(&super::decided(decided, *n_running)))
            }
            Event::Warning { message } => writeln!(err, "warning: {}", escaped(message)),
            Event::Workers { workers } => {
                self.workers.news(workers).iter().try_for_each(|line| writeln!(err, "{line}"))
            }
            Event::Stopping { n_running } => writeln!(err, "{}", super::stopping(*n_running)),
            Event::Ended { .. } => {
                for line in self.faults.totals() {
                    let _ = writeln!(err, "{}", escaped(&line));
                }
                writeln!(err, "{}", self.done())
            }
        };
        Ok(())
    }
}
