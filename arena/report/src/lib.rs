//! The reporters of a tournament: the terminal, the tables of ratings and of times. They are independent.

pub mod html;
mod page;
mod plain;
mod progress;
mod ratings;
mod remaining;
pub mod tables;
mod timing;
mod workers;

pub use page::{paths, write_page};
pub use plain::Plain;
pub use progress::Progress;
pub use ratings::Ratings;
pub use remaining::Remaining;
pub use timing::{Said, Timing};

use std::collections::HashMap;

use model::referee::Reason;
use model::{Decided, Record};

/// Why no more matches begin, in a line.
pub fn decided(decided: &Decided, n_running: u32) -> String {
    let Decided { rule, n_pairs, answer } = decided;
    let running = match n_running {
        0 => String::new(),
        1 => "; finishing 1 match".to_owned(),
        n => format!("; finishing {n} matches"),
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

/// Faults, each shown in full unless it repeats the engine's last one: an engine that never starts has the same fault in every
/// match.
#[derive(Clone, Debug, Default)]
pub struct Faults {
    /// By engine, the evidence of its last fault.
    last: HashMap<String, String>,
}

impl Faults {
    /// A match that an engine lost by its own fault.
    pub fn line(&mut self, record: &Record) -> Option<String> {
        // That an engine retired is said once.
        if record.reason == Reason::Retired.text() {
            return None;
        }
        let evidence = record.evidence.as_ref()?;
        let loser = record.loser().unwrap_or("both engines");
        let line = format!("match {} ({}): {loser} loses, {}", record.number, record.game, record.reason);
        let last = self.last.insert(loser.to_owned(), evidence.clone());
        let is_repeated = last.as_ref() == Some(evidence);
        Some(if is_repeated {
            format!("{line} (as before)")
        } else {
            format!("{line}: {}", in_short(evidence))
        })
    }
}

fn in_short(evidence: &str) -> String {
    const LONGEST: usize = 300;
    let mut shown: String = evidence.chars().take(LONGEST).collect();
    if shown.len() < evidence.len() {
        shown.push_str(" ...");
    }
    shown.replace('\n', "\n  ")
}
