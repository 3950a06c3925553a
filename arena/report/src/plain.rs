//! Progress as plain lines, for logs and pipes.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use indicatif::FormattedDuration;

use super::progress::decided_tests;
use super::running::Running;
use super::workers::Workers;
use super::{Faults, Ratings, Remaining};
use model::escape::escaped;
use model::{Event, Reporter};
use schedule::stop::reached;

/// The minimum time between two lines of progress.
const PAUSE: Duration = Duration::from_secs(5);
/// After this time without the end of a match, the longest match is named; then after twice the time, and so on.
const SILENCE: Duration = Duration::from_secs(10);

/// Writes to standard error: the progress every few seconds, every fault, and what the tournament waits for.
#[derive(Debug)]
pub struct Plain {
    begun: Instant,
    said: Instant,
    ratings: Ratings,
    n_finished: u32,
    n_matches: u32,
    faults: Faults,
    remaining: Remaining,
    workers: Workers,
    running: Running,
    /// When the last match ended, and how long after that the longest match is named.
    last_end: Instant,
    silence: Duration,
}

impl Plain {
    /// A reporter for a tournament that begins now, with these `ratings` and this left to play.
    pub fn new(ratings: Ratings, remaining: Remaining, faults: Faults) -> Self {
        let now = Instant::now();
        Self {
            begun: now,
            said: now,
            ratings,
            n_finished: 0,
            n_matches: 0,
            faults,
            remaining,
            workers: Workers::default(),
            running: Running::default(),
            last_end: now,
            silence: SILENCE,
        }
    }

    /// The longest match, if no match has ended for long.
    fn waiting(&mut self) -> Option<String> {
        if self.last_end.elapsed() < self.silence {
            return None;
        }
        let (number, what, since) = *self.running.longest_first().first()?;
        let time = FormattedDuration(since.elapsed());
        self.silence *= 2;
        Some(format!("waiting for match {number} ({what}), running for {time}"))
    }

    /// Whether it is time for a line. The end repeats the last one.
    fn is_due(&self) -> bool {
        self.said.elapsed() >= PAUSE && self.n_finished < self.n_matches
    }

    fn how_far(&self) -> String {
        let elapsed = self.begun.elapsed();
        let n_matches = self.ratings.n_matches().unwrap_or(self.n_matches);
        let done = self.remaining.done(self.n_finished, n_matches, elapsed);
        let tests = self.ratings.tests();
        // A test ends long before the most matches that it may need.
        let has_end = tests.is_empty() && self.n_finished < n_matches;
        let left = self.remaining.left(elapsed).filter(|_| has_end);
        let left = left.map(|left| format!(", {left} left"));
        let test = match reached(&tests).as_slice() {
            [test] => Some(format!("{test:#}")),
            tests => decided_tests(tests),
        };
        let test = test.map(|test| format!("; {test}"));
        [Some(done), left, test].into_iter().flatten().collect()
    }
}

impl Reporter for Plain {
    fn on_event(&mut self, event: &Event) -> io::Result<()> {
        let mut err = io::stderr().lock();
        // A closed standard error does not end a tournament.
        let _ = match event {
            Event::Begun { name, contenders, n_matches, n_finished, .. } => {
                (self.n_finished, self.n_matches) = (*n_finished, *n_matches);
                let is_test = !self.ratings.tests().is_empty();
                writeln!(err, "{}", super::beginning(name, contenders, [*n_matches, *n_finished], is_test))
            }
            Event::Restored { record } => {
                self.remaining.add_restored(record);
                self.faults.add_restored(record);
                Ok(())
            }
            Event::MatchBegun { job } => {
                self.running.begin(job);
                self.remaining.add_begun(job, self.begun.elapsed());
                Ok(())
            }
            Event::Moved(_) => Ok(()),
            Event::MatchFinished { record } => {
                self.n_finished += 1;
                self.running.finish(record.number);
                (self.last_end, self.silence) = (Instant::now(), SILENCE);
                self.remaining.add_finished(record, self.begun.elapsed());
                if let Some(line) = self.faults.line(record) {
                    let _ = writeln!(err, "{}", escaped(&line));
                }
                if self.is_due() {
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
            Event::Ended { n_finished, n_matches } => {
                for line in self.faults.totals() {
                    let _ = writeln!(err, "{}", escaped(&line));
                }
                writeln!(err, "{}", self.remaining.done(*n_finished, *n_matches, self.begun.elapsed()))
            }
        };
        Ok(())
    }

    fn on_tick(&mut self) {
        if let Some(line) = self.waiting() {
            let _ = writeln!(io::stderr(), "{line}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{Record, samples};
    use std::path::Path;

    #[test]
    fn the_end_of_the_last_match_is_told_once() {
        let mut plain = Plain::new(Ratings::new(Path::new("results")), Remaining::new([]), Faults::all());
        plain.said -= PAUSE;
        let due = [0, 1, 2].map(|n_finished| {
            (plain.n_finished, plain.n_matches) = (n_finished, 2);
            plain.is_due()
        });
        assert_eq!(due, [true, true, false]);
    }

    #[test]
    fn a_match_that_keeps_all_waiting_is_named_ever_more_rarely() {
        let mut plain = Plain::new(Ratings::new(Path::new("results")), Remaining::new([]), Faults::all());
        plain.on_event(&Event::MatchBegun { job: Box::new(samples::job()) }).expect("it is shown");
        assert_eq!(plain.waiting(), None, "it has just begun");
        let named: Vec<u32> = (1..=80)
            .filter(|_| {
                plain.last_end -= Duration::from_secs(1);
                plain.waiting().is_some_and(|line| line.starts_with("waiting for match "))
            })
            .collect();
        assert_eq!(named, [10, 20, 40, 80], "after so many seconds");
        let record = Record { number: samples::job().number, ..samples::record() };
        plain.on_event(&Event::MatchFinished { record: Box::new(record) }).expect("it is shown");
        plain.last_end -= SILENCE;
        assert_eq!(plain.waiting(), None, "no match is running");
    }
}
