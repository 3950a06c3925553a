//! Counts of the machines that played, in a tournament with several: matches, speed, losses on time, delays, other faults.

use std::collections::BTreeMap;

use super::words::{count, percent, short};
use model::{FAULTS, Record};

/// The counts of all workers, by name.
#[derive(Debug, Default)]
pub struct WorkerFigures(BTreeMap<String, Figures>);

/// The counts of one worker.
#[derive(Debug, Default)]
struct Figures {
    n_matches: u64,
    /// Matches that ended by time.
    n_time_losses: u64,
    /// Those of them on a busy machine.
    n_delays: u64,
    /// Matches that ended by another fault of an engine.
    n_faults: u64,
    /// The reported positions of moves that report them, and the measured time of these moves in microseconds.
    nodes: u64,
    nodes_us: u64,
    /// The least and the largest factor of its clocks, in thousandths.
    clock_factors: Option<[u32; 2]>,
}

/// A row of the table.
#[derive(Debug)]
pub struct WorkerView {
    /// The name.
    pub name: String,
    /// The number of its matches.
    pub matches: String,
    /// The reported positions in a second of thinking.
    pub speed: String,
    /// The matches that ended by time, with their share.
    pub time_losses: String,
    /// Those of them on a busy machine.
    pub delays: String,
    /// The matches that ended by another fault of an engine, with their share.
    pub faults: String,
    /// The factor of its clocks.
    pub clock_factor: String,
}

impl WorkerFigures {
    /// Counts a match.
    pub fn add(&mut self, record: &Record) {
        let Some(name) = &record.worker else { return };
        if !self.0.contains_key(name) {
            self.0.insert(name.clone(), Figures::default());
        }
        let figures = self.0.get_mut(name).expect("it was inserted");
        figures.n_matches += 1;
        figures.n_time_losses += u64::from(record.reason == "time");
        figures.n_delays += u64::from(record.machine_delay.is_some());
        figures.n_faults += u64::from(FAULTS.contains(&record.reason.as_str()));
        for mv in &record.moves {
            if let Some(nodes) = mv.nodes {
                figures.nodes = figures.nodes.saturating_add(nodes);
                figures.nodes_us = figures.nodes_us.saturating_add(mv.time_us);
            }
        }
        if let Some(factor) = record.clock_factor {
            let [least, largest] = figures.clock_factors.unwrap_or([factor; 2]);
            figures.clock_factors = Some([least.min(factor), largest.max(factor)]);
        }
    }

    /// The rows of the table.
    pub fn views(&self) -> Vec<WorkerView> {
        const NOTHING: &str = "\u{2013}";
        let view = |(name, figures): (&String, &Figures)| {
            let seconds = figures.nodes_us as f64 / 1e6;
            let with_share =
                |n: u64| format!("{} ({})", count(n), percent(n as f64 / figures.n_matches as f64));
            let factor = |thousandths: u32| format!("{:.2}", f64::from(thousandths) / 1000.0);
            WorkerView {
                name: name.clone(),
                matches: count(figures.n_matches),
                speed: if 0.0 < seconds { short(figures.nodes as f64 / seconds) } else { NOTHING.to_owned() },
                time_losses: with_share(figures.n_time_losses),
                delays: count(figures.n_delays),
                faults: with_share(figures.n_faults),
                clock_factor: match figures.clock_factors.map(|factors| factors.map(factor)) {
                    Some([least, largest]) if least == largest => least,
                    Some([least, largest]) => format!("{least} to {largest}"),
                    None => NOTHING.to_owned(),
                },
            }
        };
        self.0.iter().map(view).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{MoveRecord, SideLetter, samples};

    #[test]
    fn each_worker_has_its_own_counts() {
        let mut figures = WorkerFigures::default();
        let record = |worker: Option<&str>, reason: &str, clock_factor| {
            let mut mv = MoveRecord::new("a", SideLetter::White, 500_000);
            mv.nodes = Some(1000);
            let worker = worker.map(str::to_owned);
            Record { worker, reason: reason.to_owned(), clock_factor, moves: vec![mv], ..samples::record() }
        };
        figures.add(&record(None, "time", None));
        figures.add(&record(Some("b"), "goal", Some(1000)));
        figures.add(&record(Some("b"), "time", Some(1250)));
        figures.add(&record(Some("a"), "crash", None));
        let [a, b] = figures.views().try_into().expect("two workers");
        assert_eq!(
            (a.name.as_str(), a.speed.as_str(), a.clock_factor.as_str()),
            ("a", "2.00\u{202f}k", "\u{2013}")
        );
        assert_eq!((b.matches.as_str(), b.clock_factor.as_str()), ("2", "1.00 to 1.25"));
        assert!(a.faults.starts_with("1 (100") && b.faults.starts_with("0 (0"), "{} {}", a.faults, b.faults);
        assert!(b.time_losses.starts_with("1 (50"), "{}", b.time_losses);
    }
}
