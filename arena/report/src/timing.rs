//! Time statistics per engine: the time of its moves, the part of it that the engine does not report, and the arena's own
//! time between two moves. They come from records, so that a resumed run includes the matches of earlier runs.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::message;
use engine_proto::Side;

use host::machine::OwnTimes;
use host::machine::run_queue;
use host::output::write_whole;
use model::escape::cell;
use model::referee::Reason;
use model::{Event, Reporter};
use model::{MoveRecord, Record, SideLetter};
use store::TIMING_CSV;

/// From this number of losses on time on, those of several engines have advice.
const MANY_LOSSES: u32 = 5;

/// The running count of all engines' times, and the file that is written at the tournament's end.
#[derive(Clone, Debug)]
pub struct Timing {
    engines: BTreeMap<String, EngineTimes>,
    file: PathBuf,
    own: OwnTimes,
    time_losses: TimeLosses,
    /// Moves of this run.
    n_moves: u64,
    summary: TimingSummary,
}

/// What is printed to standard error at the tournament's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TimingSummary {
    /// Nothing.
    Nothing,
    /// Losses on time, if there are any.
    Losses,
    /// The times of each engine as well.
    Times,
}

impl Timing {
    /// No matches yet; the times will go to the results folder `folder`. The threads that play matches count theirs in
    /// `own`.
    pub fn new(folder: &Path, own: OwnTimes) -> Self {
        let file = folder.join(TIMING_CSV);
        Self {
            engines: BTreeMap::new(),
            file,
            own,
            time_losses: TimeLosses::default(),
            n_moves: 0,
            summary: TimingSummary::Nothing,
        }
    }

    /// The same, with this on standard error at the tournament's end.
    #[must_use]
    pub fn with_summary(self, summary: TimingSummary) -> Self {
        Self { summary, ..self }
    }

    /// Counts a match.
    pub fn add(&mut self, record: &Record) {
        self.time_losses.add(record);
        for (side, name) in [(Side::White, &record.white), (Side::Black, &record.black)] {
            let times = self.engines.entry(name.clone()).or_default();
            let letter = SideLetter::from(side);
            record.moves.iter().filter(|mv| mv.side == letter).for_each(|mv| times.add(mv));
            let is_lost = record.reason == Reason::Time.text() && record.loser() == Some(name);
            times.n_time_losses += u32::from(is_lost);
        }
    }

    /// The table with a row for each engine, by name.
    fn csv(&self) -> io::Result<Vec<u8>> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record([
            "engine",
            "moves",
            "time_losses",
            "mean_ms",
            "max_ms",
            "claimed_difference_mean_ms",
            "claimed_difference_max_ms",
            "arena_mean_us",
            "arena_max_us",
        ])?;
        for (name, times) in &self.engines {
            let ms = |us: Option<f64>| us.map(|us| format!("{:.3}", us / 1000.0)).unwrap_or_default();
            let us = |us: Option<f64>| us.map(|us| format!("{us:.1}")).unwrap_or_default();
            writer.write_record([
                &*cell(name),
                &times.measured.n.to_string(),
                &times.n_time_losses.to_string(),
                &ms(times.measured.mean()),
                &ms(times.measured.max()),
                &ms(times.difference.mean()),
                &ms(times.difference.max()),
                &us(times.arena.mean()),
                &us(times.arena.max()),
            ])?;
        }
        writer.into_inner().map_err(csv::IntoInnerError::into_error)
    }

    /// The same for people, a line for each engine that has moved; or only the losses on time.
    fn lines(&self, summary: TimingSummary) -> String {
        let mut lines = String::new();
        for (name, times) in self.engines.iter().filter(|_| summary == TimingSummary::Times) {
            let (Some(mean), Some(max)) = (times.measured.mean(), times.measured.max()) else { continue };
            let mut line = format!(
                "{name}: {} moves, mean {:.1} ms, max {:.1} ms",
                times.measured.n,
                mean / 1000.0,
                max / 1000.0
            );
            if let (Some(mean), Some(max)) = (times.difference.mean(), times.difference.max()) {
                line += &format!(
                    "; time not reported by the engine: mean {:.1} ms, max {:.1} ms",
                    mean / 1000.0,
                    max / 1000.0
                );
            }
            if let (Some(mean), Some(max)) = (times.arena.mean(), times.arena.max()) {
                line += &format!("; arena between moves: mean {mean:.0} us, max {max:.0} us");
            }
            if 0 < times.n_time_losses {
                line += &format!("; losses on time: {}", times.n_time_losses);
            }
            lines += &line;
            lines.push('\n');
        }
        for line in self.time_losses.lines(run_queue::is_known()) {
            lines += &line;
            lines.push('\n');
        }
        if let Some(own) = self.own.words(self.n_moves).filter(|_| summary == TimingSummary::Times) {
            lines += &own;
            lines.push('\n');
        }
        lines
    }
}

impl Reporter for Timing {
    fn on_event(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::Restored { record } => self.add(record),
            Event::MatchFinished { record } => {
                self.add(record);
                self.n_moves += record.moves.len() as u64;
            }
            Event::Ended { .. } => {
                if TimingSummary::Losses <= self.summary {
                    let text: String =
                        self.lines(self.summary).lines().map(|line| message(line) + "\n").collect();
                    // A closed standard error does not end a tournament.
                    let _ = io::stderr().write_all(text.as_bytes());
                }
                let csv = self.csv()?;
                write_whole(&self.file, |file| file.write_all(&csv))?;
            }
            Event::Begun { .. }
            | Event::MatchBegun { .. }
            | Event::Moved(_)
            | Event::Decided { .. }
            | Event::Warning { .. }
            | Event::Workers { .. }
            | Event::Stopping { .. } => {}
        }
        Ok(())
    }
}

/// Losses on time, and the machine's part in them.
#[derive(Clone, Debug, Default)]
pub struct TimeLosses {
    n: u32,
    /// The engines that lost on time.
    losers: BTreeSet<String>,
    n_with_busy_machine: u32,
    /// Attempts that did not count because of that.
    n_discarded: u32,
}

impl TimeLosses {
    /// Counts a match.
    pub fn add(&mut self, record: &Record) {
        if record.reason == Reason::Time.text() {
            self.n += 1;
            self.losers.extend(record.loser().map(str::to_owned));
        }
        self.n_with_busy_machine += u32::from(record.machine_delay.is_some());
        self.n_discarded = self.n_discarded.saturating_add(record.attempts_discarded);
    }

    /// A note for readers of ratings, if the machine had a part in any of them, or probably had.
    pub fn note(&self) -> Option<String> {
        const REPLAY: &str = "`on-machine-delay = \"replay\"` plays such matches again";
        let words =
            (0 < self.n_with_busy_machine).then(|| format!("{} ({REPLAY})", self.on_a_busy_machine()));
        match (words, self.advice()) {
            (Some(words), Some(advice)) => Some(format!("{words}; {advice}")),
            (words, advice) => words.or(advice),
        }
    }

    fn on_a_busy_machine(&self) -> String {
        let Self { n, n_with_busy_machine, .. } = self;
        match (n_with_busy_machine, n) {
            (0, 1) => "1 loss on time; its last move did not wait long for a processor".to_owned(),
            (0, n) => format!("{n} losses on time; their last moves did not wait long for a processor"),
            (1, 1) => "1 loss on time, on a busy machine".to_owned(),
            (busy, n) => format!("{n} losses on time, {busy} of them on a busy machine"),
        }
    }

    /// What to do if many matches of several engines were lost on time: then the engines are hardly the cause.
    fn advice(&self) -> Option<String> {
        (self.n >= MANY_LOSSES && self.losers.len() > 1).then(|| {
            format!(
                "{} engines lost on time: the machine was busy or the clock was too short; play fewer matches at once (`--concurrency`), or \
                 raise `margin` or the times",
                self.losers.len()
            )
        })
    }

    /// In words, on a system that reports waits for processors or not.
    fn lines(&self, is_known: bool) -> Vec<String> {
        let Self { n, n_with_busy_machine, n_discarded, .. } = *self;
        let mut lines = Vec::new();
        let losses = if n == 1 { "loss" } else { "losses" };
        if 0 < n && (is_known || 0 < n_with_busy_machine) {
            lines.push(self.on_a_busy_machine());
        } else if 0 < n {
            lines.push(format!(
                "{n} {losses} on time; this system does not measure whether the machine was busy"
            ));
        }
        lines.extend(self.advice());
        if 0 < n_discarded {
            let times = if n_discarded == 1 { "Once".to_owned() } else { format!("{n_discarded} times") };
            lines.push(format!(
                "{times}, a match lost on time on a busy machine was played again and did not count (`on-machine-delay`)"
            ));
        }
        lines
    }
}

/// The times of one engine, in microseconds.
#[derive(Clone, Debug, Default)]
struct EngineTimes {
    measured: Series,
    /// What was measured less what the engine claimed, of moves with a claim.
    difference: Series,
    arena: Series,
    n_time_losses: u32,
}

impl EngineTimes {
    fn add(&mut self, mv: &MoveRecord) {
        self.measured.add(mv.time_us.cast_signed());
        if let Some(claimed) = mv.claimed_on_clock_us() {
            self.difference.add(mv.time_us.cast_signed().saturating_sub_unsigned(claimed));
        }
        if let Some(arena) = mv.arena_us {
            self.arena.add(arena.cast_signed());
        }
    }
}

/// The mean and the largest of some numbers.
#[derive(Clone, Debug, Default)]
struct Series {
    n: u64,
    sum: i128,
    largest: Option<i64>,
}

impl Series {
    fn add(&mut self, value: i64) {
        self.n += 1;
        self.sum += i128::from(value);
        self.largest = self.largest.max(Some(value));
    }

    fn mean(&self) -> Option<f64> {
        (0 < self.n).then(|| self.sum as f64 / self.n as f64)
    }

    fn max(&self) -> Option<f64> {
        self.largest.map(|largest| largest as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mv(side: SideLetter, time_us: u64, claimed_us: Option<u64>, arena_us: Option<u64>) -> MoveRecord {
        MoveRecord { claimed_us, arena_us, ..MoveRecord::new("a1a2", side, time_us) }
    }

    #[test]
    fn means_and_maxima_of_each_engine() {
        let record = Record {
            plies: 3,
            white_ms: 4,
            black_ms: 2,
            moves: vec![
                mv(SideLetter::White, 1500, Some(1000), None),
                mv(SideLetter::Black, 2000, None, Some(30)),
                mv(SideLetter::White, 2500, Some(3000), Some(25)),
            ],
            ..model::samples::record()
        };
        let mut timing = Timing::new(Path::new(""), OwnTimes::default());
        timing.add(&record);
        let csv = String::from_utf8(timing.csv().expect("a Vec takes all")).expect("the table is text");
        assert_eq!(
            csv.lines().skip(1).collect::<Vec<_>>(),
            ["one,2,0,2.000,2.500,0.000,0.500,25.0,25.0", "two,1,1,2.000,2.000,,,30.0,30.0"]
        );
        assert_eq!(
            timing.lines(TimingSummary::Times).lines().nth(1),
            Some(
                "two: 1 moves, mean 2.0 ms, max 2.0 ms; arena between moves: mean 30 us, max 30 us; losses on time: 1"
            )
        );
    }

    #[test]
    fn the_end_says_how_many_losses_on_time_came_with_a_busy_machine() {
        let losses = |n: u32, n_with_busy_machine, n_discarded| {
            let losers = ["one", "two"].into_iter().take(n as usize).map(str::to_owned).collect();
            TimeLosses { n, losers, n_with_busy_machine, n_discarded }
        };
        let mut lines = Vec::new();
        for (losses, is_known) in [
            (losses(0, 0, 0), true),
            (losses(1, 0, 0), true),
            (losses(3, 2, 0), true),
            (losses(3, 1, 4), true),
            (losses(0, 0, 1), true),
            (losses(2, 0, 0), false),
            (losses(5, 4, 0), true),
        ] {
            lines.extend(losses.lines(is_known));
        }
        insta::assert_snapshot!(lines.join("\n"), @r"
        1 loss on time; its last move did not wait long for a processor
        3 losses on time, 2 of them on a busy machine
        3 losses on time, 1 of them on a busy machine
        4 times, a match lost on time on a busy machine was played again and did not count (`on-machine-delay`)
        Once, a match lost on time on a busy machine was played again and did not count (`on-machine-delay`)
        2 losses on time; this system does not measure whether the machine was busy
        5 losses on time, 4 of them on a busy machine
        2 engines lost on time: the machine was busy or the clock was too short; play fewer matches at once (`--concurrency`), or raise `margin` or the times
        ");
        assert!(losses(5, 0, 0).note().is_some_and(|note| note.starts_with("2 engines lost on time")));
        assert_eq!(losses(4, 0, 0).note(), None);
    }
}
