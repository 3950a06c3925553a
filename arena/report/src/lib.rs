//! The reporters of a tournament: the terminal, the tables of ratings and of times. They are independent.

pub mod html;
mod known;
mod page;
mod plain;
mod progress;
mod ratings;
mod remaining;
mod running;
pub mod tables;
mod time_left;
mod timing;
pub mod tuned;
mod workers;
mod working;

pub use known::{GamesOf, KnownRatings, games_of};
pub use page::{paths, write_page};
pub use plain::Plain;
pub use progress::{Progress, Standings};
pub use ratings::Ratings;
pub use remaining::{Remaining, speed};
pub use time_left::TimeLeft;
pub use timing::{TimeLosses, Timing, TimingSummary};
pub use working::Working;

use std::collections::BTreeMap;
use std::path::PathBuf;

use ::ratings::count;
use host::output::stderr_columns;
use model::escape::escaped;
use model::referee::Reason;
use model::{Decided, Record};
use tables::text::{counted, cut, shown};

/// The tournament, and how much of it earlier runs have played. A test (`is_test`) ends long before the most matches.
fn beginning(name: &str, contenders: &[String], [n_matches, n_finished]: [u32; 2], is_test: bool) -> String {
    let earlier = if n_finished == 0 {
        String::new()
    } else {
        format!(", {} of them finished before", count(n_finished.into()))
    };
    let most = if is_test { "at most " } else { "" };
    format!(
        "{}: {} engines, {most}{} matches{earlier}",
        escaped(name),
        contenders.len(),
        count(n_matches.into())
    )
}

/// What is decided, in a line: by the rule that ends the tournament, or by one of several tests.
pub fn decided(decided: &Decided, n_running: Option<u32>) -> String {
    let Decided { rule, n_pairs, answer } = decided;
    let running = match n_running {
        None => "; the tournament continues".to_owned(),
        Some(0) => String::new(),
        Some(1) => "; finishing 1 match".to_owned(),
        Some(n) => format!("; finishing {n} matches"),
    };
    format!("decided by `stop.{rule}` after {n_pairs} pairs: {answer}{running}")
}

/// That no more matches begin because the user wants to stop.
pub fn stopping(n_running: u32) -> String {
    match n_running {
        0 => "stopping".to_owned(),
        1 => "finishing 1 match; press Ctrl-C again to abort".to_owned(),
        n => format!("finishing {n} matches; press Ctrl-C again to abort"),
    }
}

/// From this number on, the same fault of an engine has no line of its own: the next ones are only counted.
const MOST_LINES: u32 = 3;
/// An engine that does not start does so in every match.
const MOST_LINES_WITHOUT_START: u32 = 1;

/// Text of a line for standard error, which a terminal would break inside words. It has no characters that control one.
pub fn message(text: &str) -> String {
    tables::text::message(&escaped(text), stderr_columns())
}

/// Faults, one short line each. An engine that never starts has the same fault in every match, so many are only counted.
#[derive(Clone, Debug, Default)]
pub struct Faults {
    /// The results folder, for the command that shows the evidence; `None` once it has been said.
    folder: Option<PathBuf>,
    /// The number of faults of each engine, or of two engines at once, by reason.
    counts: BTreeMap<(Option<String>, String), u32>,
    /// Whether every fault has its line.
    shows_all: bool,
}

impl Faults {
    /// Faults of a tournament with this results folder.
    pub fn of(folder: PathBuf) -> Self {
        Self { folder: Some(folder), ..Self::default() }
    }

    /// Each fault has its line, for a list.
    pub fn all() -> Self {
        Self { shows_all: true, ..Self::default() }
    }

    /// A match of an earlier run: it is counted, too.
    pub fn add_restored(&mut self, record: &Record) {
        if is_own_fault(record) {
            *self.count(record) += 1;
        }
    }

    fn count(&mut self, record: &Record) -> &mut u32 {
        self.counts.entry((record.loser().map(str::to_owned), record.reason.clone())).or_default()
    }

    /// A match that an engine lost by its own fault. Of many equal ones, only the first three, the tenth, the 100th and so on have a line.
    pub fn line(&mut self, record: &Record) -> Option<String> {
        if !is_own_fault(record) {
            return None;
        }
        let loser = record.loser();
        let reason = html::parts::reason_in_words(&record.reason);
        let what = loser.map_or("neither engine played".to_owned(), |loser| format!("{loser} loses"));
        let line = format!(
            "match {} ({}): {what}, {reason}{}",
            record.number,
            record.rated_game(),
            how_it_ended(record)
        );
        if self.shows_all {
            return Some(line);
        }
        let count = self.count(record);
        *count += 1;
        let most =
            if record.reason == Reason::StartFailure.text() { MOST_LINES_WITHOUT_START } else { MOST_LINES };
        let again = match *count {
            n if n < most => "",
            n if n == most => " (more of these are only counted)",
            n if 10_u32.pow(n.ilog10()) == n => &format!(" ({n} times so far)"),
            _ => return None,
        };
        let see = self.folder.take().map_or_else(String::new, |folder| {
            format!("; see `arena show {} {}`", folder.display(), record.number)
        });
        Some(format!("{line}{again}{see}"))
    }

    /// At the end of the tournament: how often each fault of each engine occurred.
    pub fn totals(&self) -> impl Iterator<Item = String> {
        self.counts.iter().map(|((loser, reason), count)| lost(loser.as_deref(), reason, *count))
    }
}

/// How many matches an engine, or two at once, lost by the same fault.
pub fn lost(loser: Option<&str>, reason: &str, n: u32) -> String {
    let matches = counted(n.into(), "match", "matches");
    let what = loser.map_or("neither engine played".to_owned(), |loser| format!("{loser} lost"));
    format!("{what} {matches}: {}", html::parts::reason_in_words(reason))
}

/// Whether an engine, or both, lost the match by a fault. That an engine retired is said once.
fn is_own_fault(record: &Record) -> bool {
    record.evidence.is_some() && record.reason != Reason::Retired.text()
}

/// How the program of an engine that crashed ended, and its last words; or the move that was illegal. Both are in the evidence.
fn how_it_ended(record: &Record) -> String {
    /// The columns of the last line of standard error, and of a move.
    const WIDTH: usize = 60;
    let Some(evidence) = record.evidence.as_deref() else { return String::new() };
    if record.reason == Reason::IllegalMove.text() {
        let refused = evidence.strip_prefix('`').and_then(|text| text.split('`').next());
        return refused.map_or_else(String::new, |mv| format!(" ({})", cut(&shown(mv), WIDTH)));
    }
    let end = evidence.split(';').next().and_then(|end| end.strip_prefix("ended with "));
    let Some(end) = end.filter(|_| record.reason == Reason::Crash.text()) else { return String::new() };
    let said =
        evidence.split_once("standard error:\n").and_then(|(_, lines)| lines.trim_end().lines().next_back());
    said.map_or_else(|| format!(" ({end})"), |said| format!(" ({end}; {})", cut(&shown(said.trim()), WIDTH)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_is_told_until_they_are_only_counted() {
        let crash = Record {
            reason: Reason::Crash.text().to_owned(),
            evidence: Some(
                "ended with exit status: 3; the end of its standard error:\nfile not found".to_owned(),
            ),
            ..model::samples::record()
        };
        let mut faults = Faults::of(PathBuf::from("cup"));
        let lines: Vec<Option<String>> = (0..100).map(|_| faults.line(&crash)).collect();
        let told: Vec<usize> = (1..=100).filter(|n| lines[n - 1].is_some()).collect();
        assert_eq!(told, [1, 2, 3, 10, 100]);
        assert!(
            lines
                .iter()
                .flatten()
                .all(|line| line.contains("two loses, crash (exit status: 3; file not found)")),
            "{lines:?}"
        );
        let ends = |n: usize, end: &str| lines[n - 1].as_ref().unwrap().ends_with(end);
        assert!(ends(1, &format!("; see `arena show cup {}`", crash.number)), "{lines:?}");
        assert!(ends(3, " (more of these are only counted)"), "{lines:?}");
        assert!(ends(10, " (10 times so far)"), "{lines:?}");
        assert!(ends(100, " (100 times so far)"), "{lines:?}");
        assert!(
            faults.totals().eq(["two lost 100 matches: crash"]),
            "{:?}",
            faults.totals().collect::<Vec<_>>()
        );
    }
}
