//! Which engines still take part. It counts the faults of each engine; it ends nothing itself.

use crate::play::Absence;
use model::Record;
use model::referee::Reason;

/// After this number of consecutive failed starts, an engine forfeits the rest of its matches.
const START_FAILURES: u32 = 3;

/// After this number of consecutive faults, an engine is probably broken. Losses on time are not among them: that may be the clock, or the
/// machine.
const FAULTS_IN_A_ROW: u32 = 10;

/// The state of all contenders.
#[derive(Clone, Debug)]
pub struct Attendance {
    entries: Vec<Entry>,
    max_faults: Option<u32>,
}

#[derive(Clone, Debug)]
struct Entry {
    name: String,
    absence: Option<Absence>,
    /// Number of matches lost by faults, including earlier runs.
    n_faults: u32,
    /// Number of consecutive failed starts.
    n_start_failures: u32,
    /// Number of consecutive faults of this run, without those on time.
    n_in_a_row: u32,
    /// Whether it was said that it seems to be broken.
    was_called_broken: bool,
}

impl Attendance {
    /// All contenders take part. One with `max_faults` faults is retired.
    pub fn new(engines: &[String], max_faults: Option<u32>) -> Self {
        let entry = |name: &String| Entry {
            name: name.clone(),
            absence: None,
            n_faults: 0,
            n_start_failures: 0,
            n_in_a_row: 0,
            was_called_broken: false,
        };
        Self { entries: engines.iter().map(entry).collect(), max_faults }
    }

    /// Why the engine does not take part; `None` if it does.
    pub fn absence(&self, engine: &str) -> Option<&Absence> {
        self.entries.iter().find(|entry| entry.name == engine)?.absence.as_ref()
    }

    /// Marks contenders with a reason here as not started.
    pub fn did_not_start(&mut self, why: Vec<Option<String>>) {
        for (entry, why) in self.entries.iter_mut().zip(why) {
            if let Some(evidence) = why {
                entry.absence = Some(Absence { reason: Reason::StartFailure, evidence });
            }
        }
    }

    /// Counts a match of an earlier run.
    pub fn count_earlier(&mut self, record: &Record) {
        if fault(record).is_none() {
            return;
        }
        let loser = record.loser();
        for entry in self.entries.iter_mut().filter(|entry| loser == Some(entry.name.as_str())) {
            entry.n_faults += 1;
        }
    }

    /// Retires engines with too many faults in earlier runs. Returns a warning for each.
    pub fn retire_all(&mut self) -> Vec<String> {
        let max_faults = self.max_faults;
        self.entries.iter_mut().filter_map(|entry| entry.retire(max_faults)).collect()
    }

    /// Counts a match. Returns a warning if an engine is retired because of it.
    pub fn count(&mut self, record: &Record) -> Option<String> {
        self.count_earlier(record);
        let loser_if = |is_it: bool| is_it.then(|| record.loser()).flatten();
        let failed = loser_if(fault(record) == Some(Reason::StartFailure));
        let broken = loser_if(fault(record).is_some_and(|reason| reason != Reason::Time));
        let mut warning = None;
        for entry in &mut self.entries {
            if [&record.white, &record.black].contains(&&entry.name) {
                let name = Some(entry.name.as_str());
                entry.n_start_failures = if failed == name { entry.n_start_failures + 1 } else { 0 };
                entry.n_in_a_row = if broken == name { entry.n_in_a_row + 1 } else { 0 };
            }
            warning = warning
                .or_else(|| entry.retire(self.max_faults))
                .or_else(|| entry.give_up_starting(record.evidence.as_deref()))
                .or_else(|| (broken == Some(&entry.name)).then(|| entry.seems_broken()).flatten());
        }
        warning
    }
}

impl Entry {
    fn retire(&mut self, max_faults: Option<u32>) -> Option<String> {
        let is_too_often = max_faults.is_some_and(|max| max <= self.n_faults);
        if !is_too_often || self.absence.is_some() {
            return None;
        }
        let Self { name, n_faults, .. } = self;
        let evidence = format!("engine `{name}` has lost {n_faults} matches by its own fault");
        let warning = format!("{evidence}; its remaining matches are forfeited (`max-faults`)");
        self.absence = Some(Absence { reason: Reason::Retired, evidence });
        Some(warning)
    }

    /// It plays on: which matches are played does not depend on the order in which they end. This is said once, also where matches
    /// that end in another way lie between its faults.
    fn seems_broken(&mut self) -> Option<String> {
        let is_news = FAULTS_IN_A_ROW <= self.n_in_a_row && !self.was_called_broken && self.absence.is_none();
        self.was_called_broken |= is_news;
        is_news.then(|| {
            format!(
                "engine `{}` has lost {FAULTS_IN_A_ROW} matches in a row by its own fault, which say nothing of its strength: stop with \
                 Ctrl-C, and find the cause with `arena check`; `--max-faults N`, or `max-faults` in a tournament file, \
                 forfeits the rest",
                self.name
            )
        })
    }

    fn give_up_starting(&mut self, evidence: Option<&str>) -> Option<String> {
        if self.n_start_failures < START_FAILURES || self.absence.is_some() {
            return None;
        }
        let evidence = evidence.unwrap_or_default().to_owned();
        let warning = format!(
            "engine `{}` failed to start {START_FAILURES} times in a row; its remaining matches are forfeited; last error: {evidence}",
            self.name
        );
        self.absence = Some(Absence { reason: Reason::StartFailure, evidence });
        Some(warning)
    }
}

/// The fault that decided a match, if there was one.
fn fault(record: &Record) -> Option<Reason> {
    Reason::of_arena(&record.reason).filter(|reason| reason.is_fault())
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::samples;

    #[test]
    fn a_broken_engine_is_named_once() {
        let mut attendance = Attendance::new(&["one".to_owned(), "two".to_owned()], None);
        let lost = Record { reason: Reason::IllegalMove.text().to_owned(), ..samples::record() };
        let drawn = Record { reason: "repetition".to_owned(), ..samples::record() };
        let rounds = (0..3).flat_map(|_| [vec![&lost; 12], vec![&drawn]].concat());
        let warned: Vec<bool> = rounds.map(|record| attendance.count(record).is_some()).collect();
        let n_warnings = warned.iter().filter(|it| **it).count();
        assert_eq!((warned.iter().position(|it| *it), n_warnings), (Some(9), 1));
    }
}
