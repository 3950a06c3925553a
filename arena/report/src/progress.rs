//! Progress on a terminal: a bar with speed and time left, the standings so far, and the matches that are being played.

use std::borrow::Cow;
use std::io;
use std::time::{Duration, Instant};

use console::{Term, style, truncate_str};
use indicatif::{FormattedDuration, ProgressBar, ProgressStyle};

use super::running::Running;
use super::{Faults, Ratings, Remaining, message, workers};
use crate::tables::text::{cut, shown};
use host::terminal::WithoutControls;
use model::{Event, Reporter};
use ratings::{SprtVerdict, count};
use schedule::stop::{TestState, reached};

/// The least time between two computations of the standings.
const STANDINGS_EVERY: Duration = Duration::from_secs(1);
/// Number of engines that are shown in any terminal; with the matches and workers, they fit one of 24 lines.
const LEAST_ENGINES: usize = 8;
const LEAST_ROWS: usize = 24;
/// Number of running matches that are shown.
const N_RUNNING: usize = 6;
/// Number of undecided tests that are shown.
const N_TESTS: usize = 4;
/// Number of workers that are shown.
const N_WORKERS: usize = 5;
/// The columns of a running match without its time.
const RUNNING_WIDTH: usize = 68;

/// The columns of its time.
const TIME_WIDTH: usize = 8;

/// The columns before what is said of the matches: `00:01:30  17 %`.
const BEFORE_PREFIX: usize = 14;

/// What a tournament has shown so far.
pub trait Standings: std::fmt::Debug {
    /// A few lines for a terminal of 24 lines.
    fn lines(&self) -> String;

    /// The states of the sequential tests.
    fn tests(&self) -> Vec<TestState> {
        Vec::new()
    }

    /// The number of matches as far as it is known now, if results change it.
    fn n_matches(&self) -> Option<u32> {
        None
    }
}

impl Standings for Ratings {
    fn lines(&self) -> String {
        self.running(n_engines(rows()))
    }

    fn tests(&self) -> Vec<TestState> {
        Self::tests(self)
    }

    fn n_matches(&self) -> Option<u32> {
        Self::n_matches(self)
    }
}

/// Draws to standard error.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    _terminal: WithoutControls,
    n_finished: u32,
    n_matches: u32,
    source: Box<dyn Standings>,
    drawn: Instant,
    is_stale: bool,
    faults: Faults,
    begun: Instant,
    remaining: Remaining,
    /// The number of finished matches that `tests` and `standings` know.
    n_known: u32,
    tests: Vec<TestState>,
    standings: String,
    running: Running,
    /// A line for each worker; empty without workers.
    workers: String,
}

impl Progress {
    /// A reporter that shows the standings of `source`, for a tournament with this left to play.
    pub fn new(source: Box<dyn Standings>, remaining: Remaining, faults: Faults) -> Self {
        let template = "{elapsed_precise} {wide_bar:.cyan/dim} {percent} %{prefix}\n{msg}";
        let style = ProgressStyle::with_template(template).expect("a valid template").progress_chars("━━─");
        let now = Instant::now();
        Self {
            // Of no matches, all would be played.
            bar: ProgressBar::new(1).with_style(style),
            _terminal: WithoutControls::begin(),
            n_finished: 0,
            n_matches: 0,
            source,
            drawn: now,
            is_stale: false,
            faults,
            begun: now,
            remaining,
            n_known: 0,
            tests: Vec::new(),
            standings: String::new(),
            running: Running::default(),
            workers: String::new(),
        }
    }

    /// The bar shows how many of the matches are played, or how far a single test is, which usually ends long before the last match.
    fn show_how_far(&self) {
        let Self { n_known, n_matches, ref tests, .. } = *self;
        let elapsed = self.begun.elapsed();
        let speed = self.remaining.speed(elapsed).map_or(String::new(), |speed| format!(", {speed}"));
        if let [test] = reached(tests).as_slice() {
            let (part, hypothesis) = test.way();
            self.bar.set_length(1000);
            self.bar.set_position((1000.0 * part) as u64);
            let [n, most] = [n_known, n_matches].map(|n| count(n.into()));
            let text = format!(" to {hypothesis}, {n} matches, at most {most}");
            self.bar.set_prefix(longest_fitting(&text, &speed, ""));
            return;
        }
        self.bar.set_length(u64::from(n_matches));
        self.bar.set_position(u64::from(n_known));
        // Tests end long before the most matches that they may need.
        let left = self.remaining.left(elapsed).filter(|_| tests.is_empty());
        let left = left.map_or(String::new(), |left| format!(", {left} left"));
        let [n, all] = [n_known, n_matches].map(|n| count(n.into()));
        self.bar.set_prefix(longest_fitting(&format!("  {n} of {all} matches"), &speed, &left));
    }

    /// The matches that are being played, a line each, the longest first.
    fn running(&self) -> String {
        let running = self.running.longest_first();
        let width = RUNNING_WIDTH.min(columns().saturating_sub(TIME_WIDTH + 1)).max(1);
        let line = |(_, what, since): &(u32, &str, Instant)| {
            let time = FormattedDuration(since.elapsed());
            format!("{:<width$} {time}", cut(&format!("playing {what}"), width))
        };
        let mut lines: Vec<String> = running.iter().take(N_RUNNING).map(line).collect();
        if running.len() > N_RUNNING {
            lines.push(format!("... {} more matches", running.len() - N_RUNNING));
        }
        lines.join("\n")
    }
}

/// The test, or of several those that are undecided, and the number of the others.
fn test_lines(tests: &[TestState]) -> Vec<String> {
    let tests = reached(tests);
    if let [test] = tests.as_slice() {
        return vec![format!("{test:#}")];
    }
    let open: Vec<&&TestState> = tests.iter().filter(|test| test.verdict == SprtVerdict::Undecided).collect();
    let mut lines: Vec<String> = open.iter().take(N_TESTS).map(|test| shown(&test.to_string())).collect();
    lines.extend(decided_tests(&tests));
    lines
}

/// How many of several tests are decided.
pub(crate) fn decided_tests(tests: &[&TestState]) -> Option<String> {
    let n_decided = tests.iter().filter(|test| test.verdict != SprtVerdict::Undecided).count();
    (1 < tests.len()).then(|| format!("{n_decided} of {} tests decided", tests.len()))
}

impl Reporter for Progress {
    fn on_event(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::Begun { name, contenders, n_matches, n_finished, .. } => {
                (self.n_finished, self.n_known, self.n_matches) = (*n_finished, *n_finished, *n_matches);
                self.tests = self.source.tests();
                let is_test = !self.tests.is_empty();
                let line = super::beginning(name, contenders, [*n_matches, *n_finished], is_test);
                self.bar.println(message(&line));
            }
            Event::Restored { record } => {
                self.remaining.add_restored(record);
                self.faults.add_restored(record);
                self.is_stale = true;
            }
            Event::MatchBegun { job } => {
                self.running.begin(job);
                self.remaining.add_begun(job, self.begun.elapsed());
            }
            Event::Moved(_) => {}
            Event::MatchFinished { record } => {
                self.running.finish(record.number);
                self.remaining.add_finished(record, self.begun.elapsed());
                if let Some(line) = self.faults.line(record) {
                    self.bar.println(style(message(&line)).for_stderr().red().to_string());
                }
                self.n_finished += 1;
                self.is_stale = true;
            }
            Event::Decided { decided, n_running } => {
                let line = super::decided(decided, *n_running);
                self.bar.println(style(message(&line)).for_stderr().green().to_string());
            }
            Event::Warning { message } => {
                let warning = style("warning:").for_stderr().yellow();
                let text = super::message(&format!("warning: {message}"));
                self.bar.println(text.replacen("warning:", &warning.to_string(), 1));
            }
            Event::Workers { workers } => self.workers = workers::table(workers, N_WORKERS),
            Event::Stopping { n_running } => self.bar.println(super::stopping(*n_running)),
            Event::Ended { n_finished, n_matches } => {
                self.bar.set_message("");
                self.faults.totals().for_each(|line| self.bar.println(message(&line)));
                let elapsed = self.begun.elapsed();
                self.bar.println(self.remaining.done(*n_finished, *n_matches, elapsed));
                self.bar.finish_and_clear();
            }
        }
        Ok(())
    }

    fn on_tick(&mut self) {
        if self.is_stale && self.drawn.elapsed() >= STANDINGS_EVERY {
            self.standings = self.source.lines();
            self.tests = self.source.tests();
            self.n_known = self.n_finished;
            self.n_matches = self.source.n_matches().unwrap_or(self.n_matches);
            self.drawn = Instant::now();
            self.is_stale = false;
        }
        let running = self.running();
        let tests = test_lines(&self.tests).join("\n");
        let parts = [&tests, self.standings.trim_end(), &running, &self.workers];
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        let lines: Vec<_> = parts.iter().flat_map(|part| part.lines()).map(|line| fitting(line, 0)).collect();
        self.bar.set_message(lines.join("\n"));
        self.show_how_far();
        self.bar.tick();
    }
}

/// What fits a line of the terminal with so many columns before it: a broken line would stay behind when the next one is drawn.
fn fitting(line: &str, n_before: usize) -> Cow<'_, str> {
    truncate_str(line, columns().saturating_sub(n_before), "")
}

/// How far the tournament is, with its speed and the time left as far as they fit beside it: the time left says more.
fn longest_fitting(text: &str, speed: &str, left: &str) -> String {
    let fits = |text: &String| BEFORE_PREFIX + text.chars().count() <= columns();
    let texts = [format!("{text}{speed}{left}"), format!("{text}{left}")];
    texts.into_iter().find(fits).unwrap_or_else(|| fitting(text, BEFORE_PREFIX).into_owned())
}

fn columns() -> usize {
    usize::from(Term::stderr().size().1)
}

fn rows() -> usize {
    usize::from(Term::stderr().size().0)
}

/// The number of engines that are shown in a terminal with so many rows.
fn n_engines(n_rows: usize) -> usize {
    LEAST_ENGINES + n_rows.saturating_sub(LEAST_ROWS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::samples;

    #[test]
    fn a_high_terminal_has_more_engines() {
        assert_eq!([0, 24, 50].map(n_engines), [8, 8, 34]);
    }

    #[derive(Debug)]
    struct NoStandings;

    impl Standings for NoStandings {
        fn lines(&self) -> String {
            String::new()
        }
    }

    /// Standings are worked out now and then, and a later number above them would contradict them.
    #[test]
    fn the_heading_counts_the_matches_of_the_standings() {
        let mut progress = Progress::new(Box::new(NoStandings), Remaining::new([]), Faults::all());
        let finished = Event::MatchFinished { record: Box::new(samples::record()) };
        progress.on_event(&finished).expect("it is shown");
        progress.on_tick();
        assert_eq!((progress.n_finished, progress.n_known), (1, 0));
        progress.drawn -= STANDINGS_EVERY;
        progress.on_tick();
        assert_eq!(progress.n_known, 1);
    }
}
